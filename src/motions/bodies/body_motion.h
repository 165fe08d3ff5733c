/* Inside of motions of rigid bodies (thud/body_motion.h). The step is in body_step.c and calls its parts in the other files.
 *
 * What changes from step to step and must survive a checkpoint is one block without pointers (body_motion.c); everything
 * else here is either the constant model or made anew in every step. */
#ifndef THUD_SRC_MOTIONS_BODIES_BODY_MOTION_H
#define THUD_SRC_MOTIONS_BODIES_BODY_MOTION_H

#include "base/base.h"
#include "model/bodies.h"
#include "model/joint.h"
#include "motions/bodies/body_laws.h"
#include "motions/motion.h"
#include "thud/body_motion.h"

/* Lengths below this part of the sizes of two bodies and of their distance from the origin are rounding: a gap of that
 * size is closed. */
#define THUD_GAP_ROUNDING 1e-12
/* Velocities of contacts below this part of the velocities of their bodies are rounding. */
#define THUD_SPEED_ROUNDING (64 * DBL_EPSILON)

enum { THUD_BODY_BLOCK = 6 }; /* degrees of freedom of a body, at most */
/* Methods for islands that auto does not solve. */
enum { THUD_BODY_NEWTON, THUD_BODY_FISCHER_BURMEISTER, THUD_BODY_INTERIOR, THUD_BODY_DIRECT };

/* One of the arrays of a struct, by the address of its pointer, and the bytes of an element. Each struct has one list of
 * its arrays, by which they grow and end. */
typedef struct body_array {
  void *array;
  size_t size;
} body_array;

/* What a contact hands on to the same contact of the next step. Sorted by parts, then feature. */
typedef struct body_carry {
  int32_t part_a, part_b; /* first < second, as the broad phase gave them */
  uint32_t feature;
  uint32_t acted;    /* an impulse acted */
  thud_vec3 impulse; /* on the body of part_a, world */
  thud_vec3 moment;  /* likewise, of rolling and spinning friction */
} body_carry;

/* Forces on a body that a program applies (body_change.c). Their torque turns with the levers p, which are fixed in the body:
 * sum (R p) x f, which is linear in sum p f'. */
typedef struct body_pushes {
  thud_vec3 force, torque;
  thud_mat3 levers; /* sum p f', p in the body's frame from the centre of mass */
} body_pushes;

/* A law that replaces the model's. */
typedef struct body_pair_law {
  int32_t first, second; /* materials; the axis is fixed in the body of the first */
  thud_surface_law law;
} body_pair_law;

/* The numbers of the state; its arrays follow it in the block. */
typedef struct body_scalars {
  double t, step;
  int64_t steps;
  thud_body_motion_info info;
  thud_body_ledger ledger;
  double initial_energy;
  double residual, usual_residual, penetration;
  int64_t carry_count;
  int32_t penetration_a, penetration_b;
  int32_t iterations;
  int32_t begun;         /* the start has been handed out */
  double joint_gap;      /* largest one left at the node, of places */
  double usual_speed;    /* largest speed of the start, and what gravity gives over the run */
  int64_t once, lasting; /* forces applied over the next step, and until they are taken back */
  int64_t pair_count;
  body_pair_law pairs[THUD_BODY_PAIRS_CHANGED];
} body_scalars;

/* The motor at a coordinate as it is now. */
typedef struct body_motor {
  int32_t kind, drives; /* thud_joint_motor; the target is the drive of the model */
  double target, at_most;
} body_motor;

typedef struct body_state {
  unsigned char *block; /* owned; all of the following point into it */
  size_t size;
  body_scalars *now;
  thud_pose *pose;                      /* [n] centre of mass, rotation of the body's frame */
  thud_vec3 *velocity, *spin;           /* [n] */
  thud_vec3 *velocity_left, *spin_left; /* [n] before the last step */
  thud_vec3 *lift, *turn;               /* [n] of the last step */
  double *rest;                         /* [n] time that the body has been at rest */
  bool *asleep;                         /* [n] */
  bool *absent, *removed;               /* [n] not there; for good */
  bool *jolted;                         /* [n] contacts or changes acted: the velocity may have jumped */
  body_pushes *pushed[2];               /* [n] over the next step; until they are taken back */
  thud_index *material, *owner;         /* [parts] material, and body of the part */
  thud_index body_count, part_count;    /* n, parts */
  unsigned char *out;                   /* [joints] bits of the rows that depend on others at the node reached */
  double *rate, *usual;                 /* [6*joints] of rows at the node before; [joints] changes of these of late */
  double *coordinate, *law_impulse;     /* [3*joints] at the node reached; [4 of each] r of laws in the last step */
  double *counted, *origin;             /* [2*joints] coordinates of couplings, and their values where these began */
  bool *begun;                          /* [joints] couplings count */
  bool *off;                            /* [joints] detached, or not attached yet */
  int64_t *serial;                      /* [joints] which joint of the model it is, also when others are gone */
  body_motor *motor;                    /* [3*joints] */
  thud_index joint_count;
  body_carry *carry; /* [carry_capacity] */
  size_t carry_capacity;
} body_state;

/* A rigid velocity field: that of the centre of mass of the body that a carrier carries, and the spin. */
typedef struct body_field {
  thud_vec3 velocity, spin;
} body_field;

/* The contacts of a step, in the order of pairs of parts and features; arrays [capacity]. */
typedef struct body_contacts {
  thud_index count;
  size_t capacity, touch_capacity;
  thud_index *body_a, *body_b; /* a is dynamic */
  thud_index *part_a, *part_b;
  bool *swapped; /* part_a was the second of the pair */
  uint32_t *feature;
  thud_vec3 *normal, *point, *force, *moment;
  thud_mat3 *frame;
  double *gap;
  double *ahead; /* s, time of contact after the midpoint, see body_swept.c; 0 of contacts that act at the midpoint */
  bool *meets;   /* may act where it meets instead */
  double *mu, *mu_across, *restitution, *rolling, *spinning;
  double *r, *u_minus, *u_free, *u; /* [capacity*d] */
  double *material_restitution;     /* e of the pair, whatever the step makes of it */
  bool *closed;                     /* gap <= 0 */
  double *threshold;                /* [capacity] w_N: what the law adds to u_N */
  double *wander;                   /* [capacity*d] likewise to u_T, of points of contact that wander; 0 at N */
  double *bend;                     /* [capacity] of the gap, see body_contacts.c */
  bool *carried;                    /* body b is on a path that turns: u is relative to the fields */
  body_field *field_left, *field;   /* of b at the centre of a, before and after; where carried (body_problem.c) */
  double *size;                     /* [capacity] W_k, mean of the translational diagonal of W_kk */
  thud_index *island;
  unsigned char *state;
  bool *impact;        /* approached faster than impact_velocity */
  thud_touch *touches; /* [touch_capacity] of one pair */
} body_contacts;

/* Islands, and the contact problem in their order. */
typedef struct body_problem {
  thud_index d, block;                    /* components of a contact, degrees of freedom of a body */
  thud_index bodies;                      /* dynamic ones that contacts touch */
  thud_index *parent;                     /* [n] union-find; then the island of a body, -1 */
  thud_index *number;                     /* [n] of the body in the problem, -1 */
  thud_index *body;                       /* [bodies] the other way round */
  thud_index island_count, with_contacts; /* those with contacts come first; the others have laws of joints */
  thud_body_island *islands;              /* [island_capacity] */
  bool *suspect;                          /* [island_capacity] bodies may overlap too much */
  bool *held;                             /* [island_capacity] asleep, and held by its impulses */
  thud_index *body_start, *contact_start; /* [island_capacity+1] */
  size_t island_capacity;
  thud_index *order;               /* [capacity] contact of each place: by islands */
  size_t capacity;                 /* contacts that there is room for */
  double *inverse_mass;            /* [n*block*block] */
  double *free_velocity;           /* [n*block] */
  thud_index *a, *b;               /* [capacity] numbers in the problem */
  double *jacobian_a, *jacobian_b; /* [capacity*d*block] */
  double *w, *mu, *mu_rolling, *mu_spinning;
  double *r;                 /* [capacity*d] in the order of the problem */
  thud_contact_problem view; /* all of it */
  /* one group of islands in its own units */
  double *group_mass, *group_velocity, *group_w, *group_r, *group_u;
  thud_index *group_a, *group_b;
  double *group_mu; /* of an island with laws of joints */
  double *map;      /* [d] scratch */
  double *kept;     /* [capacity*d] the best impulses of an island so far */
} body_problem;

/* Islands first .. end-1, which are solved together. */
typedef struct body_group {
  thud_index first, end;
} body_group;

/* Processor time of the parts of all steps so far; no part of the state. */
typedef struct body_seconds {
  double free, detect, assemble, solve, project;
} body_seconds;

/* A touching point while bodies are moved apart (body_project.c). */
typedef struct body_overlap {
  thud_index a, b;
  thud_vec3 normal, lever_a, lever_b;
  double gap, tolerance; /* m */
  bool leaves;           /* by its own velocity */
  double response;       /* opening per impulse */
  double impulse;        /* of positions: kg m */
} body_overlap;

typedef struct body_overlaps {
  size_t count, capacity, pair_capacity;
  bool at_start; /* bodies are moved apart before they move */
  body_overlap *list;
  thud_index_pair *pairs;
  thud_vec3 *shift, *twist; /* [n] of the round under way */
} body_overlaps;

/* An island that is struck (body_solve.c). */
typedef struct body_strike {
  size_t capacity, matrix_capacity; /* contacts; numbers of W */
  thud_index *at;                   /* [capacity] places in the problem */
  double *mu, *restitution;         /* [capacity] */
  double *u_minus, *u_free, *r, *u; /* [capacity*d] */
  double *W;
} body_strike;

/* -df/dv and -df/dq of the force on a body; `share` of the second is taken a step later. */
typedef struct body_slopes {
  bool acts;  /* they are not 0 */
  bool stiff; /* the torque stays outside of Euler's equations */
  double C[36], K[36], share;
} body_slopes;

/* h^2 k/m of springs that the step resolves; the explicit rule is stable up to 4. */
#define BODY_SPRING_RESOLVED 2.0
/* From h^2 k/m, and h c/m, of these on the torque of a spring stays outside of Euler's equations, which would see it before the rows
 * relax it. */
#define BODY_SPRING_STIFF 2.7
#define BODY_DAMPER_STIFF 1.3

/* A row of a spring: a direction in which it answers to the step. */
typedef struct body_link {
  thud_index a, b;         /* bodies that move, -1: none */
  double J_a[6], J_b[6];   /* rate of lengthening */
  double N_a[6], N_b[6];   /* responses of the bodies to it; rows of two bodies */
  double elastic, damping; /* impulse per change of the rate */
  thud_index path;         /* body on a path at the other end, -1: none */
  double J_path[6];
  bool is_joint, is_out;  /* a row of a joint; one that depends on others */
  bool is_spring;         /* of one at a coordinate of a joint, its row */
  bool was_out;           /* at the node before */
  double open;            /* of a joint's row: how far it is open beside the size of the joint */
  thud_index joint, row;  /* which */
  double aim;             /* change of the rate that a joint asks for */
  double impulse, answer; /* on the free motion, and to contacts */
} body_link;

/* A row of the factor in its envelope. */
typedef struct body_row {
  size_t first, start; /* first column, place of that */
  double open;         /* most of the rows that it may depend on */
} body_row;

/* A symmetric matrix over rows, factorised. */
typedef struct body_envelope {
  body_row *rows;
  double *factor;
  size_t row_capacity, factor_capacity;
  double least;    /* pivot beside its diagonal */
  bool is_certain; /* which rows depend on others would be decided alike if all were closed */
} body_envelope;

/* Forces that the step takes implicitly (body_implicit.c). */
typedef struct body_implicit {
  bool *soft;                          /* [n] the response is not M^-1 */
  bool *own;                           /* [n] because of the body's own force */
  double *response;                    /* [n*block*block] */
  double *load;                        /* [n*block] momentum that the explicit step gives; where soft */
  double *kappa, *zeta;                /* [n] h^2 k and h c per mass, of all springs of a body */
  thud_vec3 *elastic, *elastic_torque; /* [n] of springs; then scratch */
  thud_vec3 *stiff_torque;             /* [n] of springs and dampers that the step does not resolve */
  thud_index *cluster, *parent;        /* [n] bodies that rows couple, -1; root of the cluster */
  size_t *first_row;                   /* [n] scratch */
  size_t link_count, link_capacity, sorted_capacity, rate_capacity, column_capacity;
  size_t coupled; /* rows of two bodies, which come first */
  body_link *links, *sorted;
  body_envelope envelope;          /* of E */
  double *rates;                   /* [2*coupled] scratch, and impulses */
  double *columns;                 /* S N J' of contacts */
  size_t clusters, *cluster_start; /* [clusters+1] rows */
  thud_vec3 *answers;              /* [3n] scratch: velocities by one impulse */
  size_t cluster_capacity, answer_capacity;
} body_implicit;

/* Why rows of a joint take away the rates that they have at the node, if they do. Only of the last reason the energy counts as taken by
 * joints: impacts and changes book their own. */
typedef enum body_settling { BODY_KEEPS_RATES, BODY_WAS_JOLTED, BODY_RATES_ALTERNATE } body_settling;

/* Joints (body_joints.c). */
typedef struct body_joints {
  thud_index *order;      /* [springs+joints] springs, then joints by their number + springs: neighbours are near */
  double extent;          /* largest lever of all joints, beside which their rounding is small */
  thud_index_pair *apart; /* [joints] bodies that do not touch, increasing */
  size_t apart_count;
  thud_joint_row *row;                     /* [6*joints] at the midpoint; then at the end of the step */
  unsigned char *row_count;                /* [joints] 0: it does not act */
  thud_joint_row *beyond;                  /* [3*joints] coordinates beyond a limit, by how much */
  bool *is_beyond;                         /* [3*joints] */
  double *open;                            /* [joints] how far it is open, beside its size */
  double *rate;                            /* [6*joints] at the node before */
  body_settling *settles;                  /* [joints] whether its rows take these rates away, and why */
  thud_vec3 *force, *moment;               /* [joints] on body a, moment about the point of b: means over the step */
  thud_vec3 *answer_force, *answer_moment; /* [joints] of these, what answers to contacts */
  thud_vec3 *turned;                       /* [n] angular momentum that Euler's equations get by joints */
  thud_vec3 *torque;                       /* [n] of joints, scratch */
  double *work;                            /* scratch of positions */
  body_link *links;                        /* rows of positions */
  body_envelope envelope;                  /* of these */
  size_t link_capacity, work_capacity;
} body_joints;

typedef struct body_motion {
  thud_motion base;
  thud_bodies *bodies;
  thud_bodies_view model;
  uint64_t revision; /* of the model that `model` shows */
  thud_body_id *ids; /* [n] */
  thud_body_motion_options options;
  double h;
  double gravity; /* its size */
  body_state state;
  body_contacts contacts;
  body_problem problem;
  body_overlaps overlaps;
  body_strike strike;
  body_implicit implicit;
  body_joints joints;
  body_laws laws;
  double now_end;                    /* time of the node that the step leads to */
  struct thud_bodies_impact *impact; /* of laws other than Newton's, NULL */
  thud_broad_phase *broad_phase;
  thud_broad_phase *held; /* boxes of the parts at the node reached (body_query.c); NULL: nothing was asked yet */
  bool is_held;           /* it is of the present node */
  body_group judged;      /* the group under way whose verdict ends its solve; empty: none */
  thud_solver *solver, *direct[THUD_BODY_DIRECT];          /* made when they are first needed */
  thud_solver *coupled, *coupled_direct[THUD_BODY_DIRECT]; /* of islands with springs between bodies: W is full */
  /* by part */
  thud_pose *part_pose; /* [parts] world */
  thud_bounds *boxes;
  bool *still;
  /* by body, of the step under way */
  thud_vec3 *velocity_free, *spin_free;     /* [n] */
  const thud_vec3 *fly_velocity, *fly_spin; /* [n] behind the midpoint, for times of contact */
  thud_vec3 *path_left, *path_end;          /* [n] positions of bodies on paths at the nodes before and after */
  thud_mat3 *inverse_inertia;               /* [n] world, at the midpoint */
  thud_vec3 *force, *torque;                /* [n] applied ones (with dampers), for the work */
  bool *isotropic;                          /* [n] inertia is a multiple of 1 */
  bool *moves;                              /* [n] dynamic */
  bool *woken;                              /* [n] in this step */
  thud_body_contacts shown;
  body_seconds spent;
  thud_index worst_contact; /* of the last step, -1 */
  thud_index refused;       /* body that the start, or a step, was last refused for; -1: not one body */
  bool infeasible;          /* the last step was proved to have no admissible velocity */
  const char *method;
  thud_body_filter_fn filter;
  void *filter_user;
  const thud_motion_sink *sink; /* of the step under way; NULL: between two steps */
  int answer;                   /* of the sink, if it was not 0, to the last step */
  thud_body_change_fn change;   /* NULL: nobody is told of changes */
  thud_body_wake_fn wake;       /* NULL: nobody is told whom they wake */
  void *change_user;            /* of both */
  body_carry *next;             /* [carry_capacity] */
  struct body_crew *crew;       /* of the threads; NULL: not needed yet */
} body_motion;

extern const thud_motion_type thud_body_motion_type;

/* ---- body_motion.c: creation, arrays, the state ---- */

/* Room for `needed` elements in all of them; *capacity is what they have. */
thud_error thud_bodies_grow(thud_context *context, size_t count, const body_array *arrays, size_t *capacity,
                            size_t needed);
void thud_bodies_release(thud_context *context, size_t count, const body_array *arrays);

/* The state at the start, as the model says. */
thud_error thud_body_state_create(body_motion *motion);
/* Components of a contact: those that some pair of materials needs. */
thud_index thud_bodies_find_dimension(const body_motion *motion);
/* The arrays whose lengths the model gives; those that are there already are replaced. */
thud_error thud_bodies_allocate(body_motion *motion);
/* Copies roles, inertias and ids from the model. */
void thud_bodies_note_model(body_motion *motion);

/* ---- body_step.c: the step, motion without contacts, energies ---- */

thud_error thud_bodies_step(thud_motion *motion, const thud_motion_sink *sink, thud_reached *reached);
/* Hands an event to the sink of the step or, between two steps, to the function for bodies that changes wake. */
thud_error thud_bodies_hand_out(body_motion *motion, const thud_body_event *event);
/* Whether anybody receives the events of the step under way. */
static inline bool thud_bodies_has_listener(const body_motion *motion) { return motion->sink->event != NULL; }

/* All bodies over half a step, to the time t; kinematic ones go where their paths say, their velocities stay. */
thud_error thud_bodies_drift(body_motion *motion, double t);
/* Kinematic bodies to where their paths are at time t, with their velocities. */
thud_error thud_bodies_follow_paths(body_motion *motion, double t);
/* Velocities after the step without impulses, from forces at the midpoint t; those of paths at the end: v+ holds from this
 * midpoint to the next one, whose middle that is, as v- holds around the node before. Inverse inertias. */
thud_error thud_bodies_fall(body_motion *motion, double t, double end);

/* Of a body at its present pose. */
thud_mat3 thud_bodies_world_inverse_inertia(const body_motion *motion, thud_index i);

/* I (w+ - w) + h m x I m = impulse with m = (w+ + w)/2, in the body's frame: w+. */
thud_vec3 thud_bodies_turn_freely(thud_mat3 inertia, thud_vec3 w, thud_vec3 impulse, double h);

/* Energies of a dynamic body, its potential one that of gravity; of a spring. */
double thud_bodies_kinetic_of(const body_motion *motion, thud_index i);
double thud_bodies_potential_of(const body_motion *motion, thud_index i);
double thud_bodies_spring_energy(const body_motion *motion, thud_index s);
/* Of all that is there. */
double thud_bodies_kinetic(const body_motion *motion);
double thud_bodies_potential(const body_motion *motion);
/* Books what forces and contacts did; poses are those of the midpoint. */
void thud_bodies_book_contacts(body_motion *motion);
/* The balance at the end of the step; potential_before_lift: before positions were moved apart. */
void thud_bodies_balance(body_motion *motion, double potential_before_lift);

/* ---- body_contacts.c: which contacts act, warm starts ---- */

/* The contacts of the present poses that may act in this step. */
thud_error thud_bodies_detect(body_motion *motion);
/* Times of the contacts of islands that are there: contacts that do not act after all are dropped. */
thud_error thud_bodies_set_times(body_motion *motion);
void thud_bodies_free_contacts(body_motion *motion);
/* Placed parts at the present poses. */
void thud_bodies_place_parts(body_motion *motion);
/* Ellipsoids, cylinders and cones: their points of contact wander over them. */
bool thud_bodies_is_rounded(const body_motion *motion, thud_index part);
bool thud_bodies_may_touch(const body_motion *motion, thud_index first, thud_index second);
/* contacts.touches: touching points of a pair of placed parts within the margin, in the order of their features. */
thud_error thud_bodies_touch_pair(body_motion *motion, thud_index first, thud_index second, double margin,
                                  size_t *count);

/* Warm starts from the last step. */
void thud_bodies_carry_load(body_motion *motion);
/* Keeps the impulses for the next step and hands out the events. */
thud_error thud_bodies_carry_store(body_motion *motion);

/* ---- body_swept.c: times of contact ---- */

/* From the centre of mass of a body of contact k to its point, at the time of contact. */
thud_vec3 thud_bodies_lever(const body_motion *motion, thud_index contact, thud_index body);
/* Moves a touching point of two parts, found at *s after the midpoint, to the time at which its gap closes, -h <= *s <= h/2;
 * false: there is none. */
bool thud_bodies_close_gap(const body_motion *motion, thud_index first, thud_index second, thud_touch *touch,
                           double *s);
/* How fast the gap of a touching point of two parts opens without impulses. */
double thud_bodies_rate(const body_motion *motion, thud_index first, thud_index second, const thud_touch *touch);
/* Thickness of the thinner of two parts; particles have none. */
double thud_bodies_thickness(const body_motion *motion, thud_index first, thud_index second);
/* Could the pair pass through each other in a step? */
bool thud_bodies_is_fast(const body_motion *motion, thud_index first, thud_index second);
/* The first contact of a pair from the time *s after the midpoint to the node: *found, near the time *s, with
 * contacts.touches[*count]. */
thud_error thud_bodies_sweep_pair(body_motion *motion, thud_index first, thud_index second, double *s, size_t *count,
                                  bool *found);
/* Do the two overlap at the node before? */
bool thud_bodies_overlap_before(body_motion *motion, thud_index first, thud_index second);
/* w_N of a contact that rebounds, with `factor` times its restitution. */
double thud_bodies_rebound(const body_motion *motion, thud_index contact, double factor);
/* s/h in the law of a contact with a time. */
double thud_bodies_time_part(const body_motion *motion, thud_index contact);
/* Counts fast bodies that pass through others without a contact, before the midpoint or behind it; impulses are known. */
thud_error thud_bodies_watch(body_motion *motion, bool behind);
/* Moves bodies at the midpoint by what impulses with a time did before it, or do not do until then behind it. */
void thud_bodies_shift(body_motion *motion);

/* ---- body_islands.c: islands, sleep, threads ---- */

thud_error thud_bodies_find_islands(body_motion *motion);
void thud_bodies_free_islands(body_motion *motion);

/* All groups of islands under Newton's law, small ones on the threads of the context. */
thud_error thud_bodies_solve_groups(body_motion *motion);
void thud_bodies_free_crew(body_motion *motion);

/* At the beginning of a step: those who fell asleep with the last one have no velocity. */
void thud_bodies_stop_sleepers(body_motion *motion);
/* Before the islands are solved: problem.held of those that sleep on; the others wake. */
thud_error thud_bodies_hold_sleepers(body_motion *motion);
/* A change between two steps wakes body i, with its velocity. */
thud_error thud_bodies_wake(body_motion *motion, thud_index i);
/* At the end of a step: puts to sleep what has rested long enough, and hands out the events. */
thud_error thud_bodies_fall_asleep(body_motion *motion);

/* ---- body_problem.c: the contact problem and its residual ---- */

thud_error thud_bodies_assemble(body_motion *motion);
/* How body b of a contact carries body a: contacts.carried and the fields, from the velocities before the step and those of
 * the path at both nodes. */
void thud_bodies_find_fields(body_motion *motion, thud_index contact);
/* Adds to contacts.wander what makes the friction of a sliding contact oppose the slip at the midpoint, where b carries a. */
void thud_bodies_add_slide(body_motion *motion, thud_index contact);
/* u[d] = J v of a contact for velocities of all bodies, kinematic ones included, before (`left`) or after the impulses. */
void thud_bodies_relative_velocity(const body_motion *motion, thud_index contact, bool left, const thud_vec3 *velocity,
                                   const thud_vec3 *spin, double *u);

/* Components of a world vector along the rows of forces of a contact, to u. */
void thud_bodies_force_rows(const body_motion *motion, thud_index contact, thud_vec3 x, double *u);

/* Sets the `scale` of an island, to which its residual is relative (0: no contact is approached, and r = 0 solves it);
 * returns |q| of its contacts. */
double thud_bodies_scale_island(body_motion *motion, thud_index island);
/* The residual of island k from r and u of its contacts. */
void thud_bodies_judge_island(body_motion *motion, thud_index island);
double thud_bodies_usual_residual(body_motion *motion);

/* Kinetic energy of an island before the step. */
double thud_bodies_island_energy(const body_motion *motion, thud_index island);

/* ---- body_solve.c: impulses ---- */

/* Impulses of every island, and v+ = v_free + M^-1 J'r. */
thud_error thud_bodies_solve(body_motion *motion);
/* v+ of the bodies of an island from problem.r, and u of its contacts. */
void thud_bodies_move_island(body_motion *motion, thud_index island);
/* Solves an island by itself until it is below the tolerance, or all methods fail. */
thud_error thud_bodies_solve_island(body_motion *motion, thud_index island);
/* Moves the islands of a group by the impulses in problem.r, or by none where these are worse, and judges them; true: all are below
 * the tolerance. */
bool thud_bodies_keep_impulses(body_motion *motion, body_group group);
/* Units of an island, powers of 2: |q| and the mean mass that its contacts feel. */
void thud_bodies_find_units(const body_motion *motion, thud_index island, double *velocity, double *mass);
/* Impulses of an island from problem.group_r, where that of contact0 comes first, back to the units of the scene. */
void thud_bodies_unscale_island(body_motion *motion, thud_index island, thud_index contact0);
/* Solves the problem with one solver, which is made when it is first needed, from problem.group_r. */
thud_error thud_bodies_run_solver(body_motion *motion, const thud_contact_problem *problem, thud_solver **solver,
                                  const thud_solver_method *method, const thud_solver_options *options,
                                  thud_solver_info *info);
/* Velocities, laws and residual of an island with the contact impulses as they are. */
thud_error thud_bodies_judge_impulses(body_motion *motion, thud_index island);
/* The next group that begins with island `first`, which is not held asleep. */
body_group thud_bodies_next_group(const body_motion *motion, thud_index first);
/* A group, until its islands are below the tolerance or all methods fail; and its energy. */
thud_error thud_bodies_solve_group(body_motion *motion, body_group group);

/* motion->impact, where the options ask for another law than Newton's. */
thud_error thud_bodies_create_impact(body_motion *motion);
void thud_bodies_free_impact(body_motion *motion);
/* Something in the island is approached fast enough, and the law is not Newton's. */
bool thud_bodies_is_struck(const body_motion *motion, thud_index island);
/* The full W of all contacts of an island, springs included; of order d*contacts, borrowed until the next call. */
thud_error thud_bodies_full_matrix(body_motion *motion, thud_index island, double **W);
/* Impulses of a struck island to problem.r. */
thud_error thud_bodies_strike(body_motion *motion, thud_index island, thud_percussion_info *info);

/* ---- body_project.c: bodies that overlap ---- */

/* Moves bodies apart where they overlap by more than options.penetration. */
thud_error thud_bodies_project(body_motion *motion);
/* Turns a body about its centre of mass, its spin likewise: that in the body's frame stays what it is. */
void thud_bodies_turn_body(body_state *state, thud_index i, thud_vec3 twist);
/* Overlap of two parts that is left alone. */
double thud_bodies_overlap_tolerance(const body_motion *motion, thud_index first, thud_index second);
/* Refuses a start that overlaps, or relaxes it. */
thud_error thud_bodies_check_start(body_motion *motion);

/* ---- body_implicit.c: drag, dampers and stiff springs ---- */

/* y = A x, A row-major; x.y. */
static inline void body_apply(size_t n, const double *A, const double *x, double *y) {
  for (size_t i = 0; i < n; i++) {
    y[i] = 0;
    for (size_t j = 0; j < n; j++) y[i] += A[i * n + j] * x[j];
  }
}
static inline double body_dot(size_t n, const double *x, const double *y) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}
/* Velocity and spin, or force and torque, as the degrees of freedom of a body, and back. */
static inline void thud_bodies_pack(const body_motion *motion, thud_vec3 v, thud_vec3 w, double *x) {
  if (motion->model.planar) {
    x[0] = v.x, x[1] = v.y, x[2] = w.z;
    return;
  }
  thud_vec3_store(v, x);
  thud_vec3_store(w, x + 3);
}
static inline void thud_bodies_unpack(const body_motion *motion, const double *x, thud_vec3 *v, thud_vec3 *w) {
  bool planar = motion->model.planar;
  *v = planar ? thud_vec3_make(x[0], x[1], 0) : thud_vec3_load(x);
  *w = planar ? thud_vec3_make(0, 0, x[2]) : thud_vec3_load(x + 3);
}
/* The velocities of body i beside others. */
void thud_bodies_change_of(const body_motion *motion, thud_index i, const thud_vec3 *velocity_from,
                           const thud_vec3 *spin_from, const thud_vec3 *velocity, const thud_vec3 *spin, double *x);
/* The response of a body, which becomes one that responds implicitly. */
double *thud_bodies_response_of(body_motion *motion, thud_index i);
/* The free velocity of body i from its change. */
void thud_bodies_set_free(body_motion *motion, thud_index i, const double *change);

/* Forces of springs to implicit.elastic and, of dampers, motion->force; rows of those that answer to the step. */
thud_error thud_bodies_add_springs(body_motion *motion);
/* Slopes of the force on a body at the state that it is asked for. */
thud_error thud_bodies_find_slopes(body_motion *motion, thud_index i, double t, const thud_body_state *now,
                                   body_slopes *slopes);
/* The free velocity and the response of a body whose explicit velocity is there. */
void thud_bodies_soften(body_motion *motion, thud_index i, const body_slopes *slopes);
/* Velocity change of a soft body by an impulse on it alone. */
void thud_bodies_respond(const body_motion *motion, thud_index i, thud_vec3 force, thud_vec3 torque,
                         thud_vec3 *velocity, thud_vec3 *spin);
/* Work of what the explicit forces leave out. */
double thud_bodies_implicit_work(body_motion *motion);
/* How far impulses with a time of their own move soft bodies (body_swept.c). After implicit_work. */
void thud_bodies_shift_soft(body_motion *motion, thud_vec3 *shift, thud_vec3 *twist);
/* Work of paths on springs; *damped: that on dampers, which these take. Before implicit_work. */
double thud_bodies_spring_work(const body_motion *motion, double *damped);
void thud_bodies_free_implicit(body_motion *motion);

/* ---- body_joint_springs.c: springs at coordinates of joints ---- */

/* Their energy where the bodies are. */
double thud_bodies_joint_energy(const body_motion *motion, thud_index joint);
/* Their part of implicit.kappa and zeta; then their forces and rows, those of joint k. */
void thud_bodies_count_joint_springs(body_motion *motion);
thud_error thud_bodies_add_joint_springs(body_motion *motion, thud_index k);
/* Means of their forces over the step, once velocities are known. */
void thud_bodies_show_joint_springs(body_motion *motion);

/* ---- body_links.c: rows that connect bodies ---- */

/* Springs and joints act on the free velocities, springs of one body on its response. */
thud_error thud_bodies_couple(body_motion *motion);
thud_index thud_bodies_cluster_root(thud_index *parent, thud_index i);
/* E of rows in an envelope of theirs, factorised, with rows of joints left out that depend on others (body_links.c); then both halves of
 * a solution. doubt: how much of what is open counts, BODY_DOUBT. */
#define BODY_DOUBT 10.0
thud_error thud_bodies_lay_out(body_motion *motion, size_t count, const body_link *links, body_envelope *e);
thud_error thud_bodies_factorize(body_motion *motion, size_t count, body_link *links, double doubt, body_envelope *e);
void thud_bodies_solve_lower(const body_envelope *e, size_t from, size_t end, double *x);
void thud_bodies_solve_upper(const body_envelope *e, size_t from, size_t end, double *x);
/* Rows connect bodies of the island. */
bool thud_bodies_is_coupled(const body_motion *motion, thud_index island);
/* Rows act on the velocities that impulses gave to the bodies of the island. */
void thud_bodies_relax_island(body_motion *motion, thud_index island);
/* They act on the full W of the contacts at[count], too: places in the problem. */
thud_error thud_bodies_couple_matrix(body_motion *motion, size_t count, const thud_index *at, double *W);

/* ---- body_change.c: changes of a running motion ---- */

static inline bool thud_bodies_is_there(const body_motion *motion, thud_index i) { return !motion->state.absent[i]; }
static inline bool thud_bodies_spring_acts(const body_motion *motion, thud_index s) {
  thud_index b = motion->model.spring_b[s];
  return thud_bodies_is_there(motion, motion->model.spring_a[s]) && (b < 0 || thud_bodies_is_there(motion, b));
}
/* The box of a placed part; empty, and so in no pair, when its body is absent. */
thud_bounds thud_bodies_part_box(const body_motion *motion, thud_index part, double margin);
/* The law between two parts as it is now; *swapped: its axis is fixed in the body of the second. */
thud_surface_law thud_bodies_present_law(const body_motion *motion, thud_index p, thud_index q, bool *swapped);
/* Forces that the program applies, to motion->force and motion->torque at the present poses. */
void thud_bodies_add_pushes(body_motion *motion);
/* The step is over: forces over one step act no more. */
void thud_bodies_end_pushes(body_motion *motion);
/* The motion can be changed, and knows its model. */
thud_error thud_bodies_begin_change(body_motion *motion);
/* The program is told of a change, and may refuse it. */
thud_error thud_bodies_tell_change(body_motion *motion, thud_body_change *change);
/* Wakes a body and the sleepers that may rest on it. */
thud_error thud_bodies_wake_around(body_motion *motion, thud_index i);
/* Refuses body i where it overlaps another one too much at its present pose. */
thud_error thud_bodies_check_overlap(body_motion *motion, thud_index i);
/* Takes over what the model has got or lost since the motion saw it. */
thud_error thud_bodies_follow_model(body_motion *motion);

/* ---- body_joints.c: joints ---- */

/* It is attached, and both bodies of the joint are there. */
static inline bool thud_bodies_joint_acts(const body_motion *motion, thud_index k) {
  const thud_joint *joint = &motion->model.joints[k];
  return !motion->state.off[k] && thud_bodies_is_there(motion, joint->a) &&
         (joint->b < 0 || thud_bodies_is_there(motion, joint->b));
}
/* The order of rows, and who does not touch whom. */
thud_error thud_bodies_order_joints(body_motion *motion);
/* Who does not touch whom, once joints were attached or detached. */
void thud_bodies_list_joined(body_motion *motion);
/* The two bodies are joined and do not touch. */
bool thud_bodies_are_joined(const body_motion *motion, thud_index a, thud_index b);
/* Bits of rows that joint k has (state.out). */
bool thud_bodies_joint_has_rows(const body_motion *motion, thud_index k, unsigned char rows);
/* At the node before a step: rates of joints whose bodies were jolted. */
void thud_bodies_note_joints(body_motion *motion);
/* Rows of joint k at the midpoint, to the links. */
thud_error thud_bodies_add_joint_rows(body_motion *motion, thud_index k);
/* Torques of joints turn the free spins; returns the largest change beside the angular momentum of its body. */
double thud_bodies_turn_by_joints(body_motion *motion);
/* Forces of all joints from the impulses of their rows; books the work of paths. After the impulses of contacts. */
void thud_bodies_book_joints(body_motion *motion);
/* Marks the bodies on which contacts acted. */
void thud_bodies_mark_jolted(body_motion *motion);
/* Rate of a row of a joint by the velocities of its bodies. */
double thud_bodies_rate_of_row(const thud_joint *joint, const thud_joint_row *row, const thud_vec3 *velocity,
                               const thud_vec3 *spin);
/* Couplings (body_couplings.c): counts the coordinates of joint k at a place of its bodies, from the first call on after it was
 * left out. */
void thud_bodies_count_coupling(body_motion *motion, thud_index k, thud_joint_place *place);
/* What they are at a place, which is not kept. */
void thud_bodies_see_coupling(const body_motion *motion, thud_index k, thud_joint_place *place);
/* A length that belongs to numbers of a coupling, and the rounding of what it counts. */
double thud_bodies_size_of_coupling(const thud_joint *joint, const thud_joint_place *place, double *rounding);
/* The first coupling that turns so fast that its turns cannot be counted, -1: none. */
thud_index thud_bodies_uncounted_coupling(const body_motion *motion);
/* Refuses couplings that have no coordinates at the start. */
thud_error thud_bodies_check_couplings(body_motion *motion);
/* Refuses joint k where its rows are open or its coordinates are beyond a limit. */
thud_error thud_bodies_check_fit(body_motion *motion, thud_index k);
/* Closes joints and moves the overlaps that are listed and touch mechanisms apart, both to first order. */
thud_error thud_bodies_move_mechanisms_apart(body_motion *motion);
/* Overlap k as a row, where it is too deep and touches a mechanism; false: it is not. link may be NULL. */
bool thud_bodies_overlap_row(const body_motion *motion, size_t k, body_link *link);
/* The rows of all joints where the bodies are, factorised with plain responses, in joints.links and joints.envelope. */
thud_error thud_bodies_factorize_joints(body_motion *motion, size_t *count);
/* Adds the force on body a of joint k by an impulse of a row, and its moment about the point of b. */
void thud_bodies_add_joint_force(const body_motion *motion, thud_index k, const thud_joint_row *row, double impulse,
                                 thud_vec3 *force, thud_vec3 *moment);
/* Closes the joints by moving bodies; which rows depend on others. */
thud_error thud_bodies_close_joints(body_motion *motion);
/* Refuses a start that joints contradict, or closes it (options.relax). */
thud_error thud_bodies_check_joints(body_motion *motion);
void thud_bodies_free_joint_rows(body_motion *motion);

/* A row as one of bodies that move; its rate by all velocities. */
body_link thud_bodies_row_link(const body_motion *motion, thud_index joint, const thud_joint_row *row);
double thud_bodies_joint_rate(const body_motion *motion, thud_index joint, const thud_joint_row *row);

/* ---- body_laws.c: laws at coordinates of joints, their rows ---- */

/* Coordinate c of joint k at the present poses, as the scene counts it. */
thud_joint_row thud_bodies_coordinate(const body_motion *motion, thud_index k, int c);
/* The same with bodies a and b at other poses. */
thud_joint_row thud_bodies_coordinate_ahead(const body_motion *motion, thud_index k, int c, const thud_pose ahead[2]);
/* Keeps the coordinates of the present poses, from which angles are counted on. */
void thud_bodies_note_coordinates(body_motion *motion);
/* How far a coordinate is from a limit, negative beyond it. */
double thud_bodies_limit_gap(const thud_joint_law *law, double value, bool upper);
/* Laws that may act in the step to the time `end`, at the midpoint, once free velocities are known. */
thud_error thud_bodies_find_laws(body_motion *motion, double end);
/* Laws by islands. */
thud_error thud_bodies_sort_laws(body_motion *motion);
/* Velocity change of a body by an impulse and its moment. */
void thud_bodies_law_kick(const body_motion *motion, thud_index i, thud_vec3 force, thud_vec3 moment,
                          thud_vec3 *velocity, thud_vec3 *spin);
/* Impulses of the laws of an island to velocities, and what these make of their rates. */
void thud_bodies_push_laws(body_motion *motion, thud_index island);
void thud_bodies_see_laws(body_motion *motion, thud_index island);
/* A limit of the island acts: velocities may have jumped. */
bool thud_bodies_laws_jolt(const body_motion *motion, thud_index island);
/* Adds the impulses of all laws to those of bodies. */
void thud_bodies_add_law_impulses(const body_motion *motion, thud_vec3 *force, thud_vec3 *moment);
/* What laws did, after the impulses; then coordinates at the end of the step. */
void thud_bodies_book_laws(body_motion *motion);
void thud_bodies_show_coordinates(body_motion *motion);
void thud_bodies_free_laws(body_motion *motion);

/* ---- body_coupled.c: islands with a full W ---- */

/* The local problem of an island with its laws, in its own units; q to problem.group_w. */
thud_error thud_bodies_coupled_problem(body_motion *motion, thud_index island, thud_contact_problem *problem);
/* Corrects the impulses of an island by a method (NULL: auto) until they are below the tolerance, or no turn helps; never to
 * worse ones. near > 0: every turn stays near the impulses before it, by this part of the diagonal of W. */
thud_error thud_bodies_correct(body_motion *motion, thud_index island, double near, const thud_solver_method *method,
                               thud_solver **solver);
/* Corrects an island whose pins press back on its contacts. */
thud_error thud_bodies_correct_pins(body_motion *motion, thud_index island);

/* ---- body_law_solve.c: their impulses ---- */

thud_index thud_bodies_count_laws(const body_motion *motion, thud_index island);
/* Their rows to the problem, behind those of all contacts: law l at the place contacts.count + l. */
void thud_bodies_assemble_laws(body_motion *motion);
/* The part of the full W of an island (contacts first) that is the laws'. */
thud_error thud_bodies_keep_law_matrix(body_motion *motion, thud_index island, const double *W, size_t rows);
/* W of the other rows where the laws that are inside of their intervals keep their rates. */
void thud_bodies_take_out_laws(const body_motion *motion, thud_index island, double *W, size_t rows);
/* Bounds that depend on forces, from the present ones. */
void thud_bodies_bound_laws(body_motion *motion, thud_index island);
/* Laws as contacts of the local problem in its own units, and back. */
void thud_bodies_load_laws(body_motion *motion, thud_index island, size_t rows, double velocity, double mass, double *W,
                           double *mu);
/* Their present rates, and 0 in the other rows that stand for them, to problem.group_w. */
void thud_bodies_put_law_rates(body_motion *motion, thud_index island, size_t rows, double velocity);
void thud_bodies_unload_laws(body_motion *motion, thud_index island, double velocity, double mass);
/* Solves the laws of an island exactly for the contact impulses as they are; velocities are those of the present impulses. Where they
 * have no answer laws.unsettled says why; thud_bodies_refuse_laws ends the motion with that. */
thud_error thud_bodies_settle_laws(body_motion *motion, thud_index island);
void thud_bodies_refuse_laws(body_motion *motion, thud_index island);
/* Searches bounds of the pins of an island, between which `answer` solves contacts and laws, that agree with the forces of their joints;
 * *done of answer ends the search. */
typedef thud_error (*body_pin_answer)(body_motion *motion, thud_index island, void *user, double changed, bool *done);
thud_error thud_bodies_search_pins(body_motion *motion, thud_index island, body_pin_answer answer, void *user);
/* Squares of the speeds that they give their rows. */
double thud_bodies_law_speed(const body_motion *motion, thud_index island);
/* Their impulses hold bodies at rest, up to a speed. */
bool thud_bodies_laws_rest(const body_motion *motion, thud_index island, double speed);

/* ---- body_query.c: what is shown ---- */

void thud_bodies_present(const thud_motion *motion, void *frame);
void thud_bodies_info(const thud_motion *motion, void *info);

#endif
