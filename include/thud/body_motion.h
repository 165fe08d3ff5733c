/* thud/body_motion.h: motions of rigid bodies by Moreau's midpoint scheme. Layer: motions.
 *
 * One step of length h, from (q, v):
 *   1  q_m = q + h/2 v                      half drift; rotations by the exponential
 *   2  contacts between the bodies at q_m   frames, gaps
 *   3  M (v+ - v) = h f + J'r               with u = J v:  0 <= u_N+ + e u_N- perp r_N >= 0, and Coulomb's exact cone
 *      a contact acts when its gap is <= 0; where e = 0 also before that, with u_N+ >= -gap/h (it never brakes too early:
 *      the next midpoint is q_m + h v+). Where e = 0 and the single lowest point of an ellipsoid, a cylinder or a cone
 *      touches a plane, which wanders over the shape, to second order: u_N+ >= -(max(gap, 0) + bend)/h with
 *      bend = gap(q_m + h v) - gap - h u_N-, but upwards at most -u_N-; and slip is u_T + wander, half of what u_T of the
 *      lowest point changes by from q_m to q_m + h v at constant v: rolling neither sinks in nor loses energy
 *      Newton's impacts of two bodies that nothing else touches act where they meet, at a time s after the midpoint: with
 *      the point and normal of that time, 0 <= u_N+ + s a + e (u_N- + s a) perp r_N >= 0, a = (u_free - u-)_N/h, and
 *      q_m moves by -s M^-1 J'r; so do fast bodies that would pass through each other, if `continuous`
 *   4  q+ = q_m + h/2 v+
 *   5  where shapes overlap by more than `penetration`, positions are moved apart; velocities are not touched, and
 *      spins turn with their bodies, which keeps the kinetic energy
 * Islands asleep (options.sleep) have v = 0: in every step the impulses of the last one are judged with v+ = 0, and an island
 * that they do not hold wakes in that step.
 * Bodies on paths are at q_m where their paths are; their velocity in u- is that of the node before, in u+ that of the node
 * after, since v+ holds from one midpoint to the next: what rides on them stays on them to second order. Where a path turns,
 * u- and u+ are seen from it: with the screw of its velocities V, W at the node, carried on over h, v = (exp(h W) - 1)/(h W)
 * (V + W x x) + exp(h W) v_r and exp(h w) = exp(h W) exp(h w_r), linear about the v_r, w_r of u-. What rides at rest is an exact
 * answer and does not creep on steady turns. Friction opposes u_T+ + (1 - |d|/|u_T-|) d where |u_T-| > |d|, d half of what
 * the velocity of the path changes by over the step: the slip at the midpoint.
 * Forces answer to the step by their slopes: T (v+ - v) = h f(q_m, v) + J'r in place of M, T = h C + M (M + h C/2)^-1 M with
 * C = -df/dv, which for a drag c is v+ = v/(1 + z + z^2/2), z = c h/m: of second order, and never reversed. Springs that the step
 * resolves are explicit at q_m; where h^2 k/m > 2 (a bound over all springs of a body) a share 1 - 2 m/(h^2 k) of them is taken a
 * step later, so that springs of any stiffness are stable and act as links. Dampers are taken at v + theta (v+ - v),
 * theta = (1 + z)/(2 + z). Springs and dampers between two bodies are solved together with the contacts of their island.
 * Joints are rows H(q) of position with c(q) = 0. In the step H_m (v + v+) = 0 with H_m at q_m, so that joints do no work and
 * positions keep them to third order; step 5 then moves bodies until c = 0. Where contacts or changes acted in the step before,
 * H_m (v + v+) = H v with H at the node: errors of H v would otherwise change signs for ever. Joints, stiff springs and
 * contacts are solved together. Torques of joints are part of Euler's equations.
 * Spins follow Euler's equations by the midpoint rule in the body's frame, which keeps |L| and the energy of a free body.
 *
 * How wrong a step is: contact by contact W_k |r - proj_K(r - u~/W_k)|, W_k the mean of the diagonal of W_kk (its
 * translational part), a velocity; its 2-norm over an island (bodies that contacts connect), divided by that of the
 * relative velocities q without impulses at those contacts that would be approached, is the island's residual, and the
 * worst island's the step's. What is below the rounding of the velocities is not counted. It does not
 * change with units; light and slow bodies count as much as heavy and fast ones. The usual figure
 * (thud_contact_residual) is beside it. */
#ifndef THUD_BODY_MOTION_H
#define THUD_BODY_MOTION_H

#include "thud/bodies.h"
#include "thud/model.h"
#include "thud/sim.h"
#include "thud/stepping.h"
#include "thud/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_body_motion_options {
  size_t size;
  double start, end;       /* s */
  thud_index steps;        /* equal ones, >= 1 */
  double tolerance;        /* of the residual of every island in every step */
  double penetration;      /* overlap that is left alone, relative to the thickness of the thinner of both shapes */
  bool predicted;          /* contacts with e = 0 act before they close */
  bool continuous;         /* fast bodies do not tunnel; impacts of two bodies act where they meet */
  bool gyroscopic;         /* torques of Euler's equations */
  bool relax;              /* an interpenetrating start is moved apart instead of refused */
  bool sleep;              /* islands at rest for sleep_time stop as long as their impulses hold them */
  double sleep_speed;      /* m/s */
  double sleep_time;       /* s */
  double impact_velocity;  /* u_N- < -this: an impact (event, atom); 0: twice what gravity causes in a step */
  int impact_law;          /* thud_impact_law: newton, canonical, sequential or lzb */
  int on_energy_gain;      /* thud_energy_gain, of each island */
  double energy_tolerance; /* relative to the kinetic energy of the island: more is a gain */
  thud_index contacts_per_body;     /* room for warm starts: those of contacts beyond it are forgotten */
  double blow_up;                   /* a speed beyond this times the usual ones ends the motion */
  const thud_solver_method *method; /* NULL: auto; not in the option table */
  thud_solver_options solver;       /* its tolerance is not read; not in the option table */
} thud_body_motion_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_body_motion_option_table(void);
THUD_OPTIONS_DEFAULT(thud_body_motion_options, thud_body_motion_option_table)

/* The contacts of one step, in the order of pairs of parts, then features. Arrays over [count]. */
typedef struct thud_body_contacts {
  thud_index count, dimension; /* components of r and u: 2 or 3 in the plane, 3 to 6 in space, as in thud/contact.h */
  const thud_index *body_a, *body_b; /* numbers in the view */
  const thud_index *part_a, *part_b;
  const uint32_t *feature;
  const thud_vec3 *normal;      /* from b to a */
  const thud_mat3 *frame;       /* columns n, t1, t2 (planar: t2 = z) */
  const thud_vec3 *point;       /* world, at the time of contact: halfway between the points of the shapes */
  const double *gap;            /* at the time of contact */
  const double *mu, *mu_across; /* friction along t1 and t2 */
  const double *restitution, *rolling, *spinning;
  const double *r;           /* [count*dimension] impulses on a, in the frame */
  const double *u_minus, *u; /* [count*dimension] relative velocities before and after */
  const thud_vec3 *force;    /* impulse on a as a world vector (N s) */
  const thud_vec3 *moment;   /* of rolling and spinning friction on a, world; NULL: there is none */
  const thud_index *island;
  const unsigned char *state; /* thud_body_contact_state */
  const double *ahead;        /* s, time of contact after the midpoint; 0: at it */
} thud_body_contacts;

typedef enum thud_body_contact_state {
  THUD_BODY_CONTACT_OPEN = 0, /* no impulse */
  THUD_BODY_CONTACT_STICKS = 1,
  THUD_BODY_CONTACT_SLIDES = 2
} thud_body_contact_state;

typedef struct thud_body_island {
  thud_index bodies, contacts;
  double residual;           /* see above */
  double scale;              /* m/s, |q| of what would be approached */
  double noise;              /* m/s, rounding of the velocities */
  thud_index worst;          /* contact, -1: none */
  bool solved;               /* residual <= tolerance */
  double restitution_factor; /* 1, or what e was multiplied by to gain nothing */
} thud_body_island;

/* Energy since the start, J: kinetic + potential = initial + work - impact_loss - friction_loss - contact_loss +
 * lift + defect. `work`: applied forces, dampers (negative), kinematic bodies, and what changes of the running motion
 * bring or take (impulses, states that are set, bodies that are added and removed); vibrations of springs that the step does
 * not resolve and takes away are part of the defect; `lift`: what moving overlapping shapes
 * apart added to the potential energy. The contacts' entries are exact: sum r.(u+ + u-)/2. */
typedef struct thud_body_ledger {
  double kinetic, potential;
  double work, kinematic_work; /* the second is a part of the first */
  double impact_loss, friction_loss, contact_loss;
  double lift;
  double defect;
} thud_body_ledger;

/* A coordinate of a joint with laws, of a beside b: its value and rate at the node, and what acted on it in the step. Of angles
 * forces are moments. Friction, motors and springs: means over the step; limits: the impulse. */
typedef struct thud_body_coordinate {
  double value, rate;
  double motor, friction, limit;
  double spring;
} thud_body_coordinate;

/* One node of the motion; frame 0 is the start. Arrays are borrowed for the duration of the call. */
typedef struct thud_body_frame {
  double t, step;
  thud_index count;                           /* bodies */
  const thud_pose *pose;                      /* [count] centre of mass, rotation of the body's frame */
  const thud_vec3 *velocity, *spin;           /* [count] v+, spins turned by step 5 */
  const thud_vec3 *velocity_left, *spin_left; /* [count] v */
  const thud_vec3 *lift, *turn;               /* [count] by which step 5 moved and turned the bodies */
  const bool *asleep; /* [count] v+ of those who fall asleep with this step becomes 0 at the beginning of the next */
  const thud_body_contacts *contacts;
  thud_index island_count;
  const thud_body_island *islands; /* [island_count] those with contacts */
  double residual;                 /* worst island's */
  double usual_residual;           /* that of thud/contact.h for the whole step */
  thud_index worst_contact;        /* -1: none */
  double penetration;              /* worst overlap after the step, m, >= 0, and the bodies (-1) */
  thud_index penetration_a, penetration_b;
  int iterations;
  const char *method; /* that solved the step; "none" */
  thud_body_ledger ledger;
  const bool *absent; /* [count] not added yet, or removed: the body takes part in nothing */
  thud_index joint_count;
  /* [joint_count] means over the step, world: force of each joint on its body a at the point of b, and moment about that point;
   * what of them answers to contacts */
  const thud_vec3 *joint_force, *joint_moment, *joint_answer_force, *joint_answer_moment;
  double joint_gap; /* m, largest distance that joints leave at the node where they allow none */
  const thud_body_coordinate *joint_coordinates; /* [THUD_JOINT_LAWS*joint_count] 0 where nothing acts */
} thud_body_frame;

typedef struct thud_body_motion_info {
  thud_motion_status status;
  double time;
  size_t steps;
  size_t contacts; /* of the last step, and the most */
  size_t most_contacts;
  size_t impacts;
  double worst_residual, worst_residual_time;
  thud_index worst_a, worst_b; /* bodies of the contact with the worst residual, -1 */
  double worst_usual_residual;
  double worst_penetration, worst_penetration_time; /* m */
  thud_index worst_penetration_a, worst_penetration_b;
  size_t reduced_restitutions; /* islands and steps in which e was reduced */
  size_t unsolved_islands;     /* islands and steps above the tolerance */
  size_t projections;          /* steps in which positions were moved apart */
  double largest_lift;         /* of one body in one step, m */
  size_t lost_starts;          /* warm starts that had no room */
  double free_seconds, detect_seconds, assemble_seconds, solve_seconds, project_seconds; /* processor time */
  size_t passings; /* fast bodies that passed through others without a contact; the first: */
  double passing_time;
  thud_index passing_a, passing_b;
  double
      joint_loss; /* J: what joints took to keep errors of their rates from alternating, other than after contacts and
                        changes */
} thud_body_motion_info;

/* The model is borrowed; options may be NULL: the defaults. An interpenetrating start is THUD_ERROR_ARGUMENT unless
 * options.relax, with a message that lists pairs of bodies with their depths. The model may get further shapes,
 * materials, bodies and springs while the motion runs: new bodies are absent until thud_body_motion_add, and bodies that
 * thud_bodies_remove takes out of the model leave the motion, too. Numbers of bodies in frames and events are those of
 * thud_bodies_number, which change when bodies are taken out of the model; ids do not. The motion hands out frames
 * (thud_body_frame) and events (thud_body_event); thud/motion.h steps, saves, restores and destroys it. A motion with a
 * later end and steps of the same length goes on from the state of a shorter one; the size of the state changes when the
 * model gets or loses bodies. */
THUD_API thud_error thud_body_motion_create(thud_context *context, thud_bodies *bodies,
                                            const thud_body_motion_options *options, thud_motion **motion);

/* May the two parts touch? Called for pairs that come near each other, after groups, categories and masks; must give
 * the same answer for the same pair. */
typedef bool (*thud_body_filter_fn)(void *user, thud_index part_a, thud_index part_b);
THUD_API thud_error thud_body_motion_set_filter(thud_motion *motion, thud_body_filter_fn filter, void *user);

/* Events of a step. */
typedef enum thud_body_event_kind {
  THUD_BODY_EVENT_BEGIN = 0, /* a pair of parts touches (an impulse acts) that did not in the step before */
  THUD_BODY_EVENT_END = 1,
  THUD_BODY_EVENT_IMPACT = 2, /* a contact was approached faster than impact_velocity */
  THUD_BODY_EVENT_SLEEP = 3,  /* body a falls asleep (b: -1) */
  THUD_BODY_EVENT_WAKE = 4
} thud_body_event_kind;
typedef struct thud_body_event {
  int kind; /* thud_body_event_kind */
  double t;
  thud_index body_a, body_b, part_a, part_b;
  thud_vec3 point; /* impacts */
  double approach; /* impacts: -u_N-, m/s */
  double impulse;  /* impacts: r_N, N s */
} thud_body_event;

/* The node reached, and the figures so far. */
THUD_API thud_body_frame thud_body_motion_present(const thud_motion *motion);
THUD_API thud_body_motion_info thud_body_motion_get_info(const thud_motion *motion);
/* The contact problem of the last step as it was solved (THUD_ERROR_UNSUPPORTED where stiff springs or dampers connect bodies), in the units of the scene (two-block form), and the answer
 * r[size]; borrowed until the next step. */
THUD_API thud_error thud_body_motion_problem(const thud_motion *motion, const thud_contact_problem **problem,
                                             const double **r);
/* Which forces of joints the equations of the node reached do not determine: where some of them depend on others (a door on two
 * hinges), different forces move the bodies alike, and those that are reported are one choice. equations: how many depend on
 * others; components [joint_count, of the frame]: 1 << k for component k of force (0 to 2) and moment (3 to 5), as in the frame,
 * any real number of which is possible. equations and components may be NULL. */
THUD_API thud_error thud_body_motion_undetermined(thud_motion *motion, thud_index *equations,
                                                  unsigned char *components);
/* The pose of a body's frame. */
THUD_API thud_pose thud_body_motion_frame_pose(const thud_motion *motion, thud_index body);

/* ---- changes of a running motion --------------------------------------------------------------------------------------
 *
 * Between two steps a motion can be changed: each change acts at the node reached, before the next step. What is refused
 * changes nothing. Changes are part of the state: a motion restored to an earlier one is without them. Motions that have
 * ended are not changed: THUD_ERROR_ARGUMENT. Sleeping bodies that a change concerns wake. */

/* Brings a body of the model into the motion: one with `absent` in its definition, or one that the model got since the
 * motion was created. state may be NULL: as the definition says; fixed and kinematic bodies are where their
 * definitions and paths say: NULL. A state in which the body would overlap others is THUD_ERROR_ARGUMENT with the name of
 * one of them, unless options.relax. */
THUD_API thud_error thud_body_motion_add(thud_motion *motion, thud_body_id id, const thud_body_state *state);
/* Takes a body out of the motion for good; every change and query with its id is refused with its name from then on.
 * Springs that hold it act no more. */
THUD_API thud_error thud_body_motion_remove(thud_motion *motion, thud_body_id id);
/* The body takes part in the motion now. */
THUD_API bool thud_body_motion_is_present(const thud_motion *motion, thud_body_id id);

/* Where a body is and how it moves at the node reached. */
THUD_API thud_error thud_body_motion_get_state(const thud_motion *motion, thud_body_id id, thud_body_state *state);
/* Puts a dynamic body elsewhere or gives it other velocities; overlaps as for thud_body_motion_add. */
THUD_API thud_error thud_body_motion_set_state(thud_motion *motion, thud_body_id id, const thud_body_state *state);

/* A force on a body, or an impulse. */
typedef struct thud_body_push {
  size_t size;
  thud_vec3 force;  /* N, of an impulse N s; world */
  thud_vec3 torque; /* N m, of an impulse N m s, besides that of the force; world */
  bool at_point;    /* the force acts at `point`; otherwise at the centre of mass */
  thud_vec3 point;  /* world, at the node reached; a force stays at this point of the body, which turns with it */
  bool lasting;     /* a force acts until thud_body_motion_release_forces; otherwise over the next step alone */
} thud_body_push;

static inline thud_body_push thud_body_push_default(void) {
  thud_body_push push;
  memset(&push, 0, sizeof push);
  push.size = sizeof push;
  return push;
}

/* m (v+ - v) = force and I (w+ - w) = torque + lever x force, at once. lasting is not read. */
THUD_API thud_error thud_body_motion_apply_impulse(thud_motion *motion, thud_body_id id, const thud_body_push *impulse);
/* One more force on a dynamic body; several add up, also at different points. Its direction stays that of the world. */
THUD_API thud_error thud_body_motion_apply_force(thud_motion *motion, thud_body_id id, const thud_body_push *force);
/* Takes back all lasting forces on the body. */
THUD_API thud_error thud_body_motion_release_forces(thud_motion *motion, thud_body_id id);

/* Another material for a part of the body, numbered from 0 in the order of attaching, or for all of them (-1). material: a
 * number of thud_bodies_add_material, or -1. */
THUD_API thud_error thud_body_motion_set_material(thud_motion *motion, thud_body_id id, thud_index part,
                                                  thud_index material);
/* Another law between two materials, in this motion alone. Rolling and spinning friction can be changed only where some
 * law of the model has it, and at most THUD_BODY_PAIRS_CHANGED pairs can get other laws. */
enum { THUD_BODY_PAIRS_CHANGED = 64 };
THUD_API thud_error thud_body_motion_set_pair(thud_motion *motion, thud_index first, thud_index second,
                                              const thud_surface_law *law);

/* The joint acts no more, its laws included, and its bodies may touch each other from then on: an overlap of theirs is refused as
 * for thud_body_motion_add. The name is that of thud_joint. */
THUD_API thud_error thud_body_motion_detach(thud_motion *motion, const char *joint);
/* A joint that was detached, or with `absent` in its definition, acts from now on: its rows must be closed and its coordinates
 * within their limits where the bodies are, otherwise THUD_ERROR_ARGUMENT. Angles are those nearest to `start`, and couplings
 * count from here. Velocities that contradict it are taken away in the step that follows, with a defect of the ledger. */
THUD_API thud_error thud_body_motion_attach(thud_motion *motion, const char *joint);
/* The joint acts now. */
THUD_API bool thud_body_motion_is_attached(const thud_motion *motion, const char *joint);

/* A new setting of a motor. */
typedef struct thud_body_motor {
  size_t size;
  int motor;      /* thud_joint_motor, to reach `target`; NONE: motor and target stay what they are */
  double target;  /* constant: a rate or a coordinate */
  double at_most; /* >= 0, bound of its force, 0: it is off; negative: stays what it is */
} thud_body_motor;

static inline thud_body_motor thud_body_motor_default(void) {
  thud_body_motor motor;
  memset(&motor, 0, sizeof motor);
  motor.size = sizeof motor;
  motor.at_most = -1;
  return motor;
}

/* The motor at a coordinate of a joint, which must have a law in the model; `time` of a motor of position stays. */
THUD_API thud_error thud_body_motion_set_motor(thud_motion *motion, const char *joint, int coordinate,
                                               const thud_body_motor *motor);

typedef enum thud_body_change_kind {
  THUD_BODY_CHANGE_ADD = 0,
  THUD_BODY_CHANGE_REMOVE = 1,
  THUD_BODY_CHANGE_STATE = 2,
  THUD_BODY_CHANGE_IMPULSE = 3,
  THUD_BODY_CHANGE_FORCE = 4,
  THUD_BODY_CHANGE_RELEASE = 5,
  THUD_BODY_CHANGE_MATERIAL = 6,
  THUD_BODY_CHANGE_PAIR = 7,
  THUD_BODY_CHANGE_DETACH = 8,
  THUD_BODY_CHANGE_ATTACH = 9,
  THUD_BODY_CHANGE_MOTOR = 10,
  THUD_BODY_CHANGES = 11
} thud_body_change_kind;
typedef struct thud_body_change {
  int kind; /* thud_body_change_kind */
  double t;
  thud_index body;           /* number in the view; PAIR and those of joints: -1 */
  thud_body_state state;     /* ADD and STATE: after the change */
  thud_vec3 force, torque;   /* IMPULSE and FORCE */
  thud_vec3 lever;           /* of the force, from the centre of mass; IMPULSE: world, FORCE: in the body's frame */
  bool lasting;              /* FORCE */
  thud_index part, material; /* MATERIAL; part -1: all */
  thud_index first, second;  /* PAIR: materials */
  thud_surface_law law;
  thud_index joint; /* DETACH, ATTACH, MOTOR: number in the view */
  int coordinate;   /* MOTOR */
  int motor;        /* MOTOR: thud_joint_motor after the change */
  bool drives;      /* its target is the drive of the model, otherwise `target` */
  double target, at_most;
} thud_body_change;
/* Told of every change before it is made: 0: go on; otherwise the change is refused with THUD_ERROR_CALLBACK. A motion with
 * such a function takes only bodies that the model had when it was created (a record has a column for each). */
typedef int (*thud_body_change_fn)(void *user, const thud_body_change *change);
/* Told of every body that a change wakes (THUD_BODY_EVENT_WAKE): no step is under way, whose sink could be. 0: go on;
 * otherwise the change fails. */
typedef int (*thud_body_wake_fn)(void *user, const thud_body_event *event);
/* Both may be NULL: nobody is told. */
THUD_API thud_error thud_body_motion_set_changes(thud_motion *motion, thud_body_change_fn change,
                                                 thud_body_wake_fn wake, void *user);

/* ---- rays and neighbours ------------------------------------------------------------------------------------------------
 *
 * Questions about the bodies that are there at the node reached; they change nothing. A tree of boxes is made with the first
 * question after a step or a change; every further one takes logarithmic time. */

/* Which bodies are asked: those whose category has a bit in `mask`, and whose mask has one in `category`. */
typedef struct thud_body_query {
  size_t size;
  uint32_t category, mask;
  thud_body_id ignored; /* 0: none */
} thud_body_query;

static inline thud_body_query thud_body_query_default(void) {
  thud_body_query query;
  memset(&query, 0, sizeof query);
  query.size = sizeof query;
  query.category = query.mask = UINT32_MAX;
  return query;
}

typedef struct thud_body_hit {
  thud_body_id body;
  thud_index number, part; /* in the view; part of the body, from 0 */
  double fraction;         /* rays: of the way */
  double distance;         /* neighbours: signed, < 0 overlapping */
  thud_vec3 point;         /* rays: where the part is met; neighbours: the part's nearest point; world */
  thud_vec3 normal;        /* rays: out of the part, 0 when inside; neighbours: from the part to the shape */
  bool inside;             /* the ray begins in the part; the shape overlaps it */
} thud_body_hit;

/* The first part that the ray meets, to *hit; *met false, and *hit untouched: none. Of parts that are met at the same place
 * the one with the lowest number. query may be NULL: all bodies. */
THUD_API thud_error thud_body_motion_cast_ray(thud_motion *motion, const thud_ray *ray, const thud_body_query *query,
                                              thud_body_hit *hit, bool *met);
/* Where each part is first met, in the order of fractions; *count of them in hits[capacity], or how many there would be when
 * that is more. query may be NULL: all bodies. */
THUD_API thud_error thud_body_motion_cast_ray_all(thud_motion *motion, const thud_ray *ray,
                                                  const thud_body_query *query, size_t capacity, thud_body_hit *hits,
                                                  size_t *count);
/* Parts within a distance (>= 0) of a placed shape, which is convex and bounded; 0: those that touch or overlap it. In the
 * order of signed distances, count as above. query may be NULL: all bodies. */
THUD_API thud_error thud_body_motion_find_near(thud_motion *motion, const thud_shape *shape, const thud_pose *pose,
                                               double distance, const thud_body_query *query, size_t capacity,
                                               thud_body_hit *hits, size_t *count);
/* The same of a box with edges along the axes and a distance of 0. query may be NULL: all bodies. */
THUD_API thud_error thud_body_motion_find_in_box(thud_motion *motion, const thud_bounds *box,
                                                 const thud_body_query *query, size_t capacity, thud_body_hit *hits,
                                                 size_t *count);

/* Hash of positions and velocities: equal on any number of threads and after a resume. */
THUD_API uint64_t thud_body_motion_hash(const thud_motion *motion);

#ifdef __cplusplus
}
#endif
#endif
