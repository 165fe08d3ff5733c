/* Recorded rigid bodies: the scene as the checker reads it, one row of the record, and the step that ended with it. */
#ifndef THUD_SRC_VERIFY_BODIES_VERIFY_BODIES_H
#define THUD_SRC_VERIFY_BODIES_VERIFY_BODIES_H

#include "thud/record.h"
#include "verify/bodies/verify_bodies_shapes.h"
#include "verify/verify_channels.h"
#include "verify/verify_scene.h"
#include "verify/verify_record.h"

/* Where a body is and how it moves. */
typedef struct verify_body_state {
  thud_vec3 x; /* centre of mass */
  thud_quat q; /* of the body's frame */
  thud_vec3 v, w;
} verify_body_state;

/* ---- the scene ---------------------------------------------------------------------------------------------------- */

typedef enum verify_role { VERIFY_DYNAMIC, VERIFY_FIXED, VERIFY_KINEMATIC } verify_role;

/* What holds where two materials touch. */
typedef struct verify_contact_law {
  double mu, mu_across; /* across < 0: the same in every direction */
  thud_vec3 axis;       /* fixed in the body of the first material */
  double restitution, rolling, spinning;
} verify_contact_law;

/* The direction of friction is fixed in the body of the first. */
typedef struct verify_material_pair {
  size_t first, second;
  verify_contact_law law;
} verify_material_pair;

/* Where a kinematic body's frame is. */
typedef struct verify_path {
  thud_expr_program *program; /* x, y, z, angle and their rates */
  thud_expr_work *work;
  thud_vec3 axis;
  const char *text[4]; /* x, y, z, angle as the scene has them */
  bool told;           /* a function of a program: the record has what it gave */
  size_t at;           /* where, in a whole row: poses at the node before and at the midpoint */
} verify_path;

/* Applied force and torque, of t and the state of the body. */
typedef struct verify_push {
  verify_value component[6];
  const char *text[6];             /* as the scene has them, "0" where it has none */
  const thud_node *force, *torque; /* NULL: none */
  thud_expr_program *slopes;       /* derivatives of each by what forces may depend on; NULL: not known */
  thud_expr_work *slope_work;
  bool told; /* a function of a program: the record has what it gave */
  size_t at; /* where, in a whole row: force and torque, those a step later, derivatives by place and by velocity */
} verify_push;

/* Numbers that functions of a program gave, of one body. */
enum { VERIFY_TOLD_FORCE = 6 + 6 + 36 + 36, VERIFY_TOLD_PATH = 7 + 7 };

/* What forces may depend on, besides t. */
enum {
  BODY_X,
  BODY_Y,
  BODY_Z,
  BODY_VX,
  BODY_VY,
  BODY_VZ,
  BODY_ANGLE,
  BODY_RATE,
  BODY_QW, /* from here on in space; parameters of these names go before them */
  BODY_QX,
  BODY_QY,
  BODY_QZ,
  BODY_WX,
  BODY_WY,
  BODY_WZ,
  BODY_VARIABLES
};

typedef struct verify_rigid {
  const char *name;
  verify_role role;
  double mass;
  thud_mat3 inertia, inverse; /* about the centre of mass, in the body's frame; 0 of particles */
  double gravity_scale;
  int64_t group; /* negative: none */
  uint32_t category, mask;
  size_t first_part, part_count;
  thud_vec3 centre; /* of mass, in the body's frame */
  thud_vec3 x;      /* of fixed bodies */
  thud_quat q;
  verify_path *path; /* NULL: none */
  verify_push *push; /* NULL: none */
  bool absent;       /* takes part in nothing, at the start or at the row that is checked */
} verify_rigid;

typedef struct verify_part {
  size_t body, shape;
  size_t material;    /* SIZE_MAX: no friction, e = 0 */
  verify_place place; /* in the frame at the centre of mass */
} verify_part;

typedef struct verify_spring {
  size_t a, b;          /* b SIZE_MAX: the world */
  thud_vec3 at_a, at_b; /* from the centres of mass */
  double length, stiffness, damping;
} verify_spring;

typedef enum verify_joint_kind {
  VERIFY_JOINT_BALL,
  VERIFY_JOINT_HINGE,
  VERIFY_JOINT_SLIDER,
  VERIFY_JOINT_CYLINDRICAL,
  VERIFY_JOINT_UNIVERSAL,
  VERIFY_JOINT_PLANAR,
  VERIFY_JOINT_FIXED,
  VERIFY_JOINT_ROD,
  VERIFY_JOINT_SCREW,
  VERIFY_JOINT_GEAR,
  VERIFY_JOINT_RACK,
  VERIFY_JOINT_PULLEY,
  VERIFY_JOINT_ROPE,
  VERIFY_JOINT_KINDS
} verify_joint_kind;

enum { VERIFY_LAWS = 3 }; /* coordinates of a joint */
typedef enum verify_coordinate {
  VERIFY_NO_COORDINATE,
  VERIFY_ANGLE,
  VERIFY_SHIFT,
  VERIFY_DISTANCE,
  VERIFY_PLACE_Y, /* of P_a along an axis of b */
  VERIFY_PLACE_Z,
  VERIFY_PIN_A, /* angles of a universal joint */
  VERIFY_PIN_B,
  VERIFY_SWING, /* between both axes */
  VERIFY_TWIST,
  VERIFY_OPENING /* of the equation of a coupling */
} verify_coordinate;
static inline bool verify_is_angle(verify_coordinate kind) {
  return kind == VERIFY_ANGLE || kind == VERIFY_PIN_A || kind == VERIFY_PIN_B || kind == VERIFY_SWING ||
         kind == VERIFY_TWIST;
}
typedef enum verify_motor { VERIFY_NO_MOTOR, VERIFY_MOTOR_SPEED, VERIFY_MOTOR_POSITION } verify_motor;

/* What acts at a coordinate. */
typedef struct verify_joint_law {
  verify_coordinate kind;
  double start;
  bool limited[2];
  double limit[2], e;
  verify_motor motor;
  verify_value target;
  double at_most, time, friction, pin;
  double thread;                   /* radius of a screw's, whose pin is mu */
  double rest, stiffness, damping; /* of a spring */
  double seen;                     /* the coordinate in the row that was read last; angles are those nearest to it */
  bool switched;                   /* a change gave the motor a target */
  double new_target;
} verify_joint_law;

typedef struct verify_joint {
  const char *name;
  verify_joint_kind kind;
  size_t a, b;          /* b SIZE_MAX: the world */
  thud_vec3 at_a, at_b; /* from the centres of mass */
  thud_mat3 in_a, in_b; /* the joint's axes in the frames of the bodies */
  double length, size;  /* size: the radii of gyration of both bodies */
  bool touch;
  int law_count;
  size_t first_law; /* of its coordinates among those of all joints */
  verify_joint_law law[VERIFY_LAWS];
  bool named;         /* by the scene; otherwise joint-N, N its number from 1 */
  bool off, attached; /* detached, or absent at the start; attached at the node before the row */
  /* couplings: k_0 q_0 + k_1 q_1 = 0, q from where they began; counts at the row under way */
  double k[2], counted[2], origin[2];
  bool begun;
  thud_vec3 over[2]; /* pulley */
} verify_joint;

/* Where the scene says that a body starts. */
typedef struct verify_start {
  verify_body_state state;
  double size;  /* of the terms that the place is the sum of */
  bool is_hull; /* a part is a hull, whose corners are known up to the tolerance of its faces */
} verify_start;

/* A force that a program applied to a body while it moved. */
typedef struct verify_applied {
  size_t body;
  thud_vec3 force, torque, lever; /* the lever in the body's frame, from the centre of mass */
  bool lasting;
} verify_applied;

typedef struct verify_bodies_options {
  double tolerance, penetration, impact_velocity, sleep_speed, energy_tolerance;
  bool predicted, gyroscopic, sleep, newton, relax;
  bool reduces, gains; /* on_energy_gain: reduce_e, allow */
} verify_bodies_options;

typedef struct verify_bodies {
  verify_scene scene;
  bool planar;
  thud_vec3 gravity;
  size_t count, part_count, shape_count, material_count, pair_count, spring_count, push_count, path_count;
  size_t joint_count, law_count;
  verify_joint *joint;
  double extent; /* largest lever of all joints, beside which their rounding is small */
  verify_rigid *body;
  verify_part *part;
  verify_shape *shape;
  const char **material; /* names */
  verify_material_pair *pair;
  verify_spring *spring;
  verify_push **push;  /* [push_count] shared by the bodies of a pattern */
  verify_path **path;  /* [path_count] */
  verify_start *start; /* [count] */
  size_t told_size;    /* numbers of functions of a program in whole rows */
  thud_arena *arena;   /* of names and texts */
  verify_bodies_options options;
  thud_index slot[BODY_VARIABLES]; /* of expressions, -1: not there */
  double *variables;               /* of expressions, scratch */
  bool rolling, spinning;          /* some law has it */
  bool contacts;                   /* every row has its contacts */
  double whole_every;              /* 0: none is whole */
  size_t applied_count, applied_capacity;
  verify_applied *applied; /* forces that act in the step that is checked (verify_bodies_changes.c) */
} verify_bodies;

/* verify_bodies_read.c: the model as the scene says it, without what the run wrote of it. */
thud_error thud_verify_bodies_read(thud_context *context, const thud_tree *tree, verify_bodies *bodies);
void thud_verify_bodies_free(verify_bodies *bodies);
/* verify_bodies_law.c */
/* The rule for two materials; *of_second: the direction of friction is fixed in the body of the second. */
verify_contact_law thud_verify_combine_laws(const verify_contact_law *first, const verify_contact_law *second,
                                            bool *of_second);
/* The law between two parts; *axis_body: the body that its axis is fixed in. */
verify_contact_law thud_verify_bodies_law(const verify_bodies *bodies, size_t part_a, size_t part_b, size_t *axis_body);
/* Variables of expressions at a time, and with the state of a body. */
const double *thud_verify_variables(const verify_bodies *bodies, double t);
const double *thud_verify_body_variables(const verify_bodies *bodies, double t, const verify_body_state *state);
/* May the two bodies touch, one of which moves by forces? */
bool thud_verify_bodies_meet(const verify_bodies *bodies, size_t a, size_t b);

/* ---- one row ------------------------------------------------------------------------------------------------------ */

typedef struct verify_body_contact {
  size_t a, b, part_a, part_b; /* parts by their numbers in the scene */
  thud_vec3 point, normal, impulse, moment, tangent;
  double gap, mu, mu_across, e, rolling, spinning, factor;
  double ahead; /* time of contact after the midpoint */
} verify_body_contact;

enum {
  BODY_KINETIC,
  BODY_POTENTIAL,
  BODY_WORK,
  BODY_KINEMATIC_WORK,
  BODY_IMPACT_LOSS,
  BODY_FRICTION_LOSS,
  BODY_CONTACT_LOSS,
  BODY_LIFT,
  BODY_DEFECT,
  BODY_LEDGER
};

/* A coordinate of a joint: value and rate at the node, forces over the step, the impulse of its limits. */
typedef struct verify_law_row {
  double value, rate, motor, friction, limit, spring;
} verify_law_row;

typedef struct verify_body_row {
  bool usable; /* its numbers are finite and its lists fit together */
  size_t number;
  double t, step;
  bool whole, has_contacts;
  verify_body_state *end;     /* [n] */
  thud_vec3 *v_left, *w_left; /* [n] whole rows */
  thud_vec3 *lift, *turn;     /* [n] 0 where there is none */
  bool *asleep, *absent;      /* [n] */
  size_t contact_count, contact_capacity;
  verify_body_contact *contact;
  bool directed;                           /* tangents are recorded */
  double *told;                            /* [told_size] whole rows: what functions of a program gave */
  thud_vec3 *joint_force, *joint_moment;   /* [joints] on body a, about the point of b; means over the step */
  thud_vec3 *answer_force, *answer_moment; /* [joints] of these, what answers to contacts; 0 where there are none */
  double joint_gap;
  verify_law_row *law; /* [law_count] */
  double residual, usual_residual, penetration, islands;
  double worst[2], deepest[2]; /* bodies, -1 */
  double ledger[BODY_LEDGER];
} verify_body_row;

/* verify_bodies_record.c: rows in blocks, as they are asked for in order. */
typedef struct verify_body_reader verify_body_reader;
/* Channels that are missing or of another form fail `structure`; *made is NULL then. */
thud_error thud_verify_body_reader_create(thud_context *context, thud_record_reader *record,
                                          const verify_bodies *bodies, thud_verify_check *structure,
                                          verify_body_reader **made);
void thud_verify_body_reader_destroy(verify_body_reader *reader);
thud_error thud_verify_body_row_create(thud_context *context, const verify_bodies *bodies, verify_body_row *row);
void thud_verify_body_row_free(thud_context *context, verify_body_row *row);
/* Reads row k; what is wrong with it fails `structure`. */
thud_error thud_verify_body_row_read(verify_body_reader *reader, size_t k, verify_body_row *row,
                                     thud_verify_check *structure);

/* It is attached, and both ends are there. */
static inline bool verify_spring_holds(const verify_bodies *bodies, const verify_spring *spring) {
  return !bodies->body[spring->a].absent && (spring->b == SIZE_MAX || !bodies->body[spring->b].absent);
}

/* ---- forces that answer to the step (verify_bodies_implicit.c) ------------------------------------------------------------------ */

/* Implicit terms of one body; vectors of translation and rotation. */
typedef struct verify_implicit {
  bool soft;                                    /* something implicit acts on it */
  bool joined;                                  /* joints hold it */
  double impulse;                               /* sizes of all impulses on it; where there are joints */
  double kappa, zeta;                           /* h^2 k and h c of its springs, per mass */
  thud_vec3 stiff;                              /* torque of springs outside of Euler's equations */
  double inverse[6][6];                         /* T^-1 of its own force */
  double own[6][6];                             /* symmetric part of that */
  double response[6][6];                        /* with springs whose other end does not move */
  size_t root;                                  /* first of the bodies that springs connect with it */
  double time, even, weight;                    /* in that: sums of the times of contacts, and of their impulses */
  double load[6], given[6], change[6], work[6]; /* explicit momentum, T^-1 of it, free change of velocity; scratch */
} verify_implicit;

/* A direction in which a spring answers. */
typedef struct verify_link {
  size_t a, b; /* SIZE_MAX: does not move */
  double s_a[6], s_b[6], elastic, damping;
  double speed; /* size of the velocities of its ends */
  size_t path;  /* body on a path at the other end, SIZE_MAX: none */
  double s_path[6];
  size_t law; /* 1 + number of the law of a joint whose spring it is; 0: of none */
} verify_link;

/* ---- the step, rebuilt (verify_bodies_step.c) ------------------------------------------------------------------------------ */

typedef struct verify_body_step {
  const verify_bodies *bodies;
  const verify_body_row *row;
  verify_body_state *before;           /* [n] q and v_left at the beginning; kinematic bodies by their paths */
  verify_body_state *middle;           /* [n] poses at the midpoint, with v_left; kinematic bodies by their paths */
  verify_body_state *after;            /* [n] poses at the midpoint, with the velocities after the impulses */
  verify_body_state *arrived;          /* [n] kinematic bodies by their paths at the end */
  thud_vec3 *v_free, *w_free;          /* [n] without impulses */
  thud_vec3 *v_fly, *w_fly;            /* [n] behind the midpoint until impulses act: those after them without them */
  thud_vec3 *shift, *twist;            /* [n] by which impulses with a time of their own move the midpoint */
  thud_vec3 *elastic, *elastic_torque; /* [n] of springs */
  thud_vec3 *applied, *applied_torque; /* [n] of forces and dampers: their work is counted */
  thud_mat3 *inverse;        /* [n] of the inertia, world, at the midpoint; 0 of bodies that forces do not move */
  double *size;              /* [2n] of the terms of force and torque */
  verify_place *place;       /* [parts] world, at the midpoint */
  bool *moves;               /* [n] dynamic */
  bool *rests;               /* [n] asleep in this step: v = v+ = 0, held by its impulses up to the tolerance */
  double *held;              /* [n] m/s, the speed from which impulses may hold a body that rests; the law finds it */
  double *blur;              /* [n] relative uncertainty of the pose at the midpoint: bodies that were turned apart */
  verify_implicit *implicit; /* [n] */
  size_t link_count;
  verify_link *link; /* [3*springs + laws] */
  double *scratch;   /* [6 of these] */
  double *spring;    /* [2*laws] explicit forces of springs at coordinates of joints, sizes of their terms */
  const double
      *kick; /* [2n] sizes of velocities and spins that impulses of a program changed before the step; NULL: 0 */
  double brought, brought_size; /* energy that changes brought before the step, and the size of its terms */
} verify_body_step;

thud_error thud_verify_body_step_create(thud_context *context, const verify_bodies *bodies, verify_body_step *step);
void thud_verify_body_step_free(thud_context *context, verify_body_step *step);
/* Where a body, or a part, is at s after the midpoint if no impulse acts between. */
thud_vec3 thud_verify_centre_at(const verify_body_step *step, size_t body, double s);
verify_place thud_verify_place_at(const verify_body_step *step, size_t part, double s);
/* s/h of a contact with a time of its own, as the law sees it: less where drag or stiff springs change u_N by much. */
double thud_verify_time_part(const verify_body_step *step, const verify_body_contact *contact);
void thud_verify_body_step_rebuild(const verify_body_row *row, verify_body_step *step);
/* state[n]: the end of the row before bodies were moved apart. */
void thud_verify_body_take_back(const verify_bodies *bodies, const verify_body_row *row, verify_body_state *state);
/* The pose of a kinematic body's frame and its velocity; the frame is at the centre of mass. */
verify_body_state thud_verify_body_path_at(const verify_bodies *bodies, const verify_rigid *body, double t);
/* Distance of the farthest point of a body from its centre of mass, at most. */
double thud_verify_body_radius(const verify_bodies *bodies, size_t body);
void thud_verify_place_parts(const verify_bodies *bodies, const verify_body_state *state, verify_place *place);
double thud_verify_bodies_kinetic(const verify_bodies *bodies, const verify_body_state *state);
/* *size: of the terms */
double thud_verify_bodies_potential(const verify_bodies *bodies, const verify_body_state *state, double *size);
/* How the second body of a contact moves, as the first one meets it: before and after the impulses. Bodies on paths that turn
 * carry what touches them; seen from such a body the first one moves as `seen` says before the impulses. */
typedef struct verify_drive {
  bool carries;
  verify_body_state before, after, seen;
} verify_drive;
verify_drive thud_verify_body_drive(const verify_body_step *step, const verify_body_contact *contact);
/* velocity of the point of the body */
static inline thud_vec3 verify_velocity_at(const verify_body_state *state, thud_vec3 point) {
  return thud_vec3_add(state->v, thud_vec3_cross(state->w, thud_vec3_subtract(point, state->x)));
}

/* verify_bodies_implicit.c: the push on a body, all springs, then the free velocities from those of the explicit step. */
thud_error thud_verify_compile_slopes(verify_bodies *bodies, verify_push *push);
void thud_verify_implicit_push(verify_body_step *step, size_t i);
void thud_verify_implicit_springs(verify_body_step *step);
void thud_verify_implicit_fall(verify_body_step *step);
/* verify_bodies_joint_springs.c: stiffness of springs at joints, to kappa and zeta; or their forces and links. */
void thud_verify_joint_springs(verify_body_step *step, bool counting);
double thud_verify_joint_energy(const verify_bodies *bodies, const verify_body_state *state, double *size);
/* Their forces are those of the row. */
void thud_verify_joint_spring_forces(const verify_body_step *step, thud_verify_check *check);
/* What the velocities of the row change the rate of a link by. */
double thud_verify_link_change(const verify_body_step *step, const verify_link *link);
/* What is left of the momentum of a soft body, with its impulses; size[2]: of the terms of springs. */
void thud_verify_implicit_error(const verify_body_step *step, size_t i, thud_vec3 impulse, thud_vec3 moment,
                                double *size, thud_vec3 *linear, thud_vec3 *angular);
/* Momentum, linear and angular, that bodies at rest may lack because their points would get up to step->held. */
void thud_verify_implicit_rest(const verify_body_step *step, size_t i, double lack[2]);
/* x.N x of a soft body by itself. */
double thud_verify_implicit_diagonal(const verify_body_step *step, size_t i, thud_vec3 force, thud_vec3 moment);
/* Work of what the explicit forces leave out; impulses and moments of contacts by body. */
double thud_verify_implicit_work(const verify_body_step *step, const thud_vec3 *impulse, const thud_vec3 *moment,
                                 double *size);

/* w_free from I (w_free - w) + h m x I m = impulse, m = (w + w_free)/2, in the body's frame. */
thud_vec3 thud_verify_free_spin(const verify_rigid *body, thud_vec3 w, thud_vec3 impulse, double h, bool gyroscopic);

/* Work of paths on springs, and on dampers, which these take. */
double thud_verify_spring_work(const verify_body_step *step, double *damped, double *size);

/* ---- joints (verify_bodies_joints.c) ------------------------------------------------------------------------------------------- */

/* Its laws alone hold its bodies together. */
static inline bool verify_is_loose(const verify_joint *joint) {
  bool opens =
      joint->kind == VERIFY_JOINT_GEAR || joint->kind == VERIFY_JOINT_RACK || joint->kind == VERIFY_JOINT_PULLEY;
  return joint->kind == VERIFY_JOINT_ROPE || (opens && joint->law_count > 0);
}
/* Both ends are there. */
static inline bool verify_joint_holds(const verify_bodies *bodies, const verify_joint *joint) {
  return !joint->off && !bodies->body[joint->a].absent && (joint->b == SIZE_MAX || !bodies->body[joint->b].absent);
}
/* What a joint gives one of its bodies (side 0: a) in the step, or the part of it that answers to contacts: an impulse and its
 * moment about the centre of mass. */
void thud_verify_joint_impulse(const verify_body_step *step, size_t joint, int side, bool answer, thud_vec3 *impulse,
                               thud_vec3 *moment);
/* verify_bodies_redundancy.c: which forces of joints the summary says are not determined, where the bodies are in the last row. */
thud_error thud_verify_redundancy(thud_context *context, const thud_node *summary, const verify_bodies *bodies,
                                  const verify_body_row *last, thud_verify_check *check);
/* The lever of a joint where its bodies are. */
double thud_verify_joint_lever(const verify_joint *joint, const verify_body_state *state);
/* Counts the turns of couplings up to the row, from the node before it; NULL: rows between are missing. */
void thud_verify_couplings_count(const verify_bodies *bodies, const verify_body_row *row,
                                 const verify_body_row *before);
/* bodies->extent: the largest lever where the bodies are. */
void thud_verify_joint_extent(verify_bodies *bodies, const verify_body_state *state);
/* Joints are closed at the node of a row. */
void thud_verify_joint_gaps(const verify_bodies *bodies, const verify_body_row *row, thud_verify_check *check);
/* Velocities and forces of the joints of a step. */
thud_error thud_verify_joint_step(thud_context *context, const verify_body_step *step, thud_verify_check *check);
/* How many conditions of joints depend on others, at the node before the step or at its midpoint, where joints are open by `open`
 * beside their sizes. */
thud_error thud_verify_joint_loose(thud_context *context, const verify_body_step *step, double open, size_t *loose);
/* By how much farther than joints are open their bodies may have to move until they are closed: 1 over the distance of the condition that
 * is nearest to the others. open: how far joints are open beside their sizes. */
thud_error thud_verify_joint_steepness(thud_context *context, const verify_bodies *bodies,
                                       const verify_body_state *state, double open, double *steepness);
/* ---- laws at coordinates of joints (verify_bodies_laws.c) ---------------------------------------------------------------------- */

/* What the laws of a joint give one of its bodies in the step, and the size of the terms. */
void thud_verify_law_impulse(const verify_body_step *step, size_t joint, int side, thud_vec3 *impulse,
                             thud_vec3 *moment, double *size);
/* A change calls it so: by its section, and the first one by what it is. */
bool thud_verify_is_coordinate(const verify_joint *joint, int coordinate, const char *name);
/* Keeps the coordinates of the row. */
void thud_verify_law_see(const verify_bodies *bodies, const verify_body_row *row);
/* Coordinates of a node, within their limits; and beside the row before. */
void thud_verify_law_nodes(const verify_bodies *bodies, const verify_body_row *row, thud_verify_check *check);
void thud_verify_law_turns(const verify_bodies *bodies, const verify_body_row *row, const verify_body_row *before,
                           thud_verify_check *check);
/* How far coordinates of a state near that of the row are beyond their limits, angles with their levers. */
double thud_verify_law_opening(const verify_bodies *bodies, const verify_body_row *row, const verify_body_state *state);
/* Limits, motors and friction in the step. */
void thud_verify_law_step(const verify_body_step *step, thud_verify_check *check);
/* The length that makes angles comparable with velocities; squares of the speeds that the laws of a joint give. */
double thud_verify_law_length(const verify_body_step *step, size_t joint, int coordinate);
double thud_verify_law_speed(const verify_body_step *step, size_t joint);
/* Work of a coordinate's motor, losses in its friction and at its limits, work of paths through all of them. */
typedef struct verify_law_work {
  double motor, friction, limit, path, size;
  bool impact, unsure; /* the limit is struck; up to rounding it is or is not */
} verify_law_work;
void thud_verify_book_law(const verify_body_step *step, size_t joint, int coordinate, verify_law_work *work);
/* verify_bodies_law.c: what is approached faster is struck. */
double thud_verify_impact_velocity(const verify_body_step *step);
/* The sum of all gaps, turned angles with their levers. */
double thud_verify_joint_opening(const verify_bodies *bodies, const verify_body_state *state);

/* ---- pairs (verify_bodies_contacts.c) ------------------------------------------------------------------------------------------- */

typedef struct verify_low {
  double low; /* of the box, along the axis of the sweep */
  size_t part;
} verify_low;

typedef struct verify_near {
  size_t count, capacity;
  size_t (*pair)[2]; /* [count] first < second */
  size_t parts;
  verify_box *box;  /* [parts] */
  verify_low *lows; /* [parts] sorted */
} verify_near;

thud_error thud_verify_near_create(thud_context *context, size_t parts, verify_near *near);
void thud_verify_near_free(thud_context *context, verify_near *near);
/* Pairs of parts whose boxes, widened by margin, overlap and whose bodies may touch. */
thud_error thud_verify_near_find(thud_context *context, const verify_bodies *bodies, const verify_place *place,
                                 double margin, verify_near *near);
/* Signed distance of two parts of bodies, surfaces triangle by triangle; only what is closer than `within` matters.
 * normal from q to p. */
verify_gap thud_verify_gap_between(const verify_bodies *bodies, size_t p, const verify_place *at_p, size_t q,
                                   const verify_place *at_q, double within);
verify_gap thud_verify_part_gap(const verify_bodies *bodies, size_t p, size_t q, const verify_place *place,
                                double within);

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

enum {
  BODIES_STRUCTURE,
  BODIES_INITIAL,
  BODIES_MODEL,
  BODIES_DRIFT,
  BODIES_PATHS,
  BODIES_CONTACTS,
  BODIES_MISSING,
  BODIES_MOMENTUM,
  BODIES_LAW,
  BODIES_RESIDUAL,
  BODIES_PENETRATION,
  BODIES_LIFT,
  BODIES_JOINTS,
  BODIES_ENERGY,
  BODIES_EVENTS,
  BODIES_SUMMARY,
  BODIES_FINISHED,
  BODIES_FUNCTIONS,
  BODIES_CHECKS
};

/* Geometry is compared up to this part of the sizes of the two bodies: balls, capsules and half-spaces have closed forms,
 * faces that nearly are parallel have ill-conditioned crossings, and distances to ellipsoids, cylinders and cones are
 * found by iterations. */
#define VERIFY_GEOMETRY_ROUND 1e-10
#define VERIFY_GEOMETRY_FLAT 1e-7
#define VERIFY_GEOMETRY_CURVED 1e-6
static inline double thud_verify_geometry_of(const verify_shape *shape) {
  bool round = thud_verify_shape_rounding(shape) > 0 || thud_verify_shape_is_half_space(shape);
  return thud_verify_form_of(shape)->curved ? VERIFY_GEOMETRY_CURVED
         : round                            ? VERIFY_GEOMETRY_ROUND
                                            : VERIFY_GEOMETRY_FLAT;
}
/* Sums of a few terms, relative to the sizes of these. */
#define VERIFY_SUMS 0x1p-36

/* verify_bodies_contacts.c */
void thud_verify_body_contacts(const verify_body_step *step, thud_verify_check *check);
thud_error thud_verify_body_missing(thud_context *context, const verify_body_step *step, verify_near *near,
                                    thud_verify_check *check);
/* Fast bodies that pass through others between the nodes; before: the node before, where it is known. */
thud_error thud_verify_body_passing(thud_context *context, const verify_body_step *step, const verify_body_row *before,
                                    verify_near *near, thud_verify_check *check);
/* verify_bodies_contacts.c: after the step, and by how much bodies were moved apart. `place` is scratch. */
thud_error thud_verify_body_penetration(thud_context *context, const verify_bodies *bodies, const verify_body_row *row,
                                        verify_place *place, verify_near *near, thud_verify_check *check);
thud_error thud_verify_body_lift(thud_context *context, const verify_body_step *step, verify_place *place,
                                 verify_near *near, thud_verify_check *check);
/* verify_bodies_step.c */
thud_error thud_verify_body_momentum(thud_context *context, const verify_body_step *step, thud_verify_check *check);
void thud_verify_body_paths(const verify_bodies *bodies, const verify_body_row *row, thud_verify_check *check);
/* The row before is the node before: positions and velocities of the step's beginning are its. */
void thud_verify_body_drift(const verify_body_step *step, const verify_body_row *before, thud_verify_check *check);
/* verify_bodies_events.c: energies and the balance of every row, and the step's entries where the row before is there (NULL: not). */
void thud_verify_body_energies(const verify_bodies *bodies, const verify_body_row *row, double initial, double doubt,
                               thud_verify_check *check);
thud_error thud_verify_body_work(thud_context *context, const verify_body_step *step, const verify_body_row *before,
                                 thud_verify_check *check);
/* verify_bodies_law.c */
typedef enum verify_bend_kind { VERIFY_BEND_NONE, VERIFY_BEND_POSSIBLE, VERIFY_BEND_CERTAIN } verify_bend_kind;
/* How the gap of a contact bends over the step, and half of what its slip changes by; possible: rounding decides whether
 * the contact counts as the only lowest point. */
typedef struct verify_bend {
  verify_bend_kind kind;
  double gap;
  thud_vec3 wander;
  double blur; /* m/s, of gap/h */
} verify_bend;
/* closed: the largest gap that counts as closed; tie: by which part of it rounding may be off. */
verify_bend thud_verify_body_bend(const verify_body_step *step, size_t k, double closed, double tie);

/* verify_bodies_law.c */
/* What contact k of the row loses: its normal part, the rest, and whether it is approached as an impact. */
typedef struct verify_loss {
  double normal, rest, size;
  double approach, speed; /* -u_N-, and the size of the velocities it is made of */
  bool impact, unsure;    /* unsure: rounding decides */
} verify_loss;
verify_loss thud_verify_contact_loss(const verify_body_step *step, size_t k);
thud_error thud_verify_body_law(thud_context *context, const verify_body_step *step, double tolerance,
                                thud_verify_check *law, thud_verify_check *residual);

/* verify_bodies_listed.c: the list of all bodies that the run wrote, number by number beside what the scene says. */
thud_error thud_verify_bodies_check_model(verify_bodies *bodies, const thud_node *root, thud_verify_check *check);
/* verify_bodies_record.c: the first row beside what the scene says of the start. */
void thud_verify_body_initial(const verify_bodies *bodies, const verify_body_row *row, thud_verify_check *check);

/* verify_bodies_events.c */
typedef struct verify_body_events {
  bool usable;
  size_t count, dimension, next; /* next: the first one that is not earlier than the rows asked so far */
  size_t shown;                  /* events of impacts at the ends of whole steps */
  size_t next_sleep;             /* the first one that the states of sleep below do not count yet */
  bool *asleep;                  /* [bodies] what falls asleep and wakes says so far */
  bool complete;                 /* every begin and end of a contact is known to the run: no warning says otherwise */
  double *t, *kind, *point, *approach, *impulse, *frame;
  verify_ragged bodies, values;
} verify_body_events;
/* Kinds of events; those from ADD on are changes that a program made between two steps. */
enum {
  VERIFY_EVENT_BEGIN,
  VERIFY_EVENT_END,
  VERIFY_EVENT_IMPACT,
  VERIFY_EVENT_SLEEP,
  VERIFY_EVENT_WAKE,
  VERIFY_CHANGE_ADD,
  VERIFY_CHANGE_REMOVE,
  VERIFY_CHANGE_STATE,
  VERIFY_CHANGE_IMPULSE,
  VERIFY_CHANGE_FORCE,
  VERIFY_CHANGE_RELEASE,
  VERIFY_CHANGE_MATERIAL,
  VERIFY_CHANGE_PAIR,
  VERIFY_CHANGE_DETACH,
  VERIFY_CHANGE_ATTACH,
  VERIFY_CHANGE_MOTOR,
  VERIFY_EVENT_KINDS
};
thud_error thud_verify_body_events_read(thud_context *context, thud_record_reader *reader, const verify_bodies *bodies,
                                        thud_verify_check *check, verify_body_events *events);
void thud_verify_body_events_free(thud_context *context, verify_body_events *events);
/* times[rows] of the frames */
void thud_verify_body_events_check(const verify_body_events *events, size_t rows, const double *times,
                                   thud_verify_check *check);
/* How many are impacts. */
size_t thud_verify_body_impact_count(const verify_body_events *events);
/* Impacts of a rebuilt step; steps in their order. */
void thud_verify_body_impacts(verify_body_events *events, const verify_body_step *step, thud_verify_check *check);

/* Rows in their order: what sleeps has fallen asleep by an event, and woken by none since. */
void thud_verify_body_sleepers(verify_body_events *events, const verify_bodies *bodies, const verify_body_row *row,
                               thud_verify_check *check);
/* A contact begins when an impulse acts between two parts that none acted between in the step before, and ends likewise. Call it
 * after thud_verify_body_impacts of the same step; before: the row of the node before, with its contacts. */
thud_error thud_verify_body_changes(thud_context *context, const verify_body_events *events,
                                    const verify_body_step *step, const verify_body_row *before,
                                    thud_verify_check *check);

/* verify_bodies_changes.c: what a program changed between two steps, applied to the model and to the row before. */
typedef struct verify_body_changes {
  size_t next;  /* the first event that has not been looked at */
  bool *gone;   /* [n] bodies that were removed */
  double *kick; /* [2n] */
  double brought, brought_size;
} verify_body_changes;
thud_error thud_verify_body_changes_create(thud_context *context, const verify_bodies *bodies,
                                           verify_body_changes *changes);
void thud_verify_body_changes_free(thud_context *context, verify_body_changes *changes);
/* Applies the changes between the row before and this one; linked: the row before is the node before, and its states
 * change, too. */
thud_error thud_verify_body_changes_apply(verify_body_changes *changes, const verify_body_events *events,
                                          verify_bodies *bodies, const verify_body_row *row, verify_body_row *before,
                                          bool linked, thud_verify_check *check);
/* `changes` of the scene up to the last row are events. when: for each entry the time from which its condition holds, NAN: it
 * does nowhere; NULL: no entry has one. */
thud_error thud_verify_body_scene_changes(verify_bodies *bodies, const thud_node *root,
                                          const verify_body_events *events, double h, double reached,
                                          const double *when, thud_verify_check *check);
/* The row's absent bodies are those that the changes say, and none of them touches anything. */
void thud_verify_body_presence(const verify_bodies *bodies, const verify_body_row *row, thud_verify_check *check);

/* The worst figures of all rows, when they were and of which bodies (-1: of none). */
typedef struct verify_body_figures {
  double residual, usual_residual, penetration;
  double residual_time, penetration_time;
  double worst[2], deepest[2];
} verify_body_figures;
verify_body_figures thud_verify_body_figures_none(void);
void thud_verify_body_figures_take(verify_body_figures *figures, const verify_body_row *row);
thud_error thud_verify_body_summary(const verify_record *record, const thud_node *summary, const verify_bodies *bodies,
                                    const verify_body_figures *figures, const verify_body_row *last,
                                    thud_verify_check *check);

#endif
