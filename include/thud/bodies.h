/* thud/bodies.h: rigid bodies in space or in the plane, what they are made of and what acts on them. Layer: model.
 *
 * A thud_bodies holds shapes, materials, bodies with parts (a shape, where it sits on the
 * body, and a material), springs and joints. Its motion is thud/body_motion.h's. Definitions are plain structs: take the default by
 * value, change what differs, hand it over; everything is copied. Ids are values; one of a body that was removed is
 * never taken for another body's.
 *
 *   thud_bodies_options options = thud_bodies_options_default();
 *   thud_bodies_create(context, &options, &bodies);
 *   thud_shape_def ball = thud_shape_def_default(THUD_SHAPE_SPHERE);
 *   ball.radius = 0.1;
 *   thud_bodies_add_shape(bodies, &ball, &shape);
 *   thud_body_def def = thud_body_def_default();
 *   def.pose.position = thud_vec3_make(0, 0, 1);
 *   thud_bodies_add(bodies, &def, &body);
 *   thud_part_def part = thud_part_def_default();
 *   part.shape = shape;
 *   part.density = 1000;
 *   thud_bodies_attach(bodies, body, &part);
 *
 * Units are the user's own, SI in these comments. In the plane everything has z = 0 and turns about z. */
#ifndef THUD_BODIES_H
#define THUD_BODIES_H

#include "thud/geom.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_bodies thud_bodies;

/* 0 everywhere: no body. */
typedef struct thud_body_id {
  int32_t index1; /* index + 1 */
  uint32_t generation;
} thud_body_id;

typedef struct thud_bodies_options {
  size_t size;
  bool planar;       /* bodies of the plane z = 0, with three degrees of freedom each */
  double gravity[3]; /* m/s^2 */
} thud_bodies_options;

static inline thud_bodies_options thud_bodies_options_default(void) {
  thud_bodies_options options = {sizeof options, false, {0, 0, -9.81}};
  return options;
}

/* options may be NULL: in space, gravity 9.81 against z. */
THUD_API thud_error thud_bodies_create(thud_context *context, const thud_bodies_options *options, thud_bodies **bodies);
THUD_API void thud_bodies_destroy(thud_bodies *bodies);

/* ---- shapes and materials ------------------------------------------------------------------------------------------ */

/* Adds a shape for any number of parts; *shape its number from 0 on. */
THUD_API thud_error thud_bodies_add_shape(thud_bodies *bodies, const thud_shape_def *def, thud_index *shape);

/* Contact law of two materials. */
typedef struct thud_surface_law {
  double friction;        /* mu >= 0; with orthotropic friction along `axis` */
  double friction_across; /* mu across the axis; negative: the same in every direction */
  double axis[3];         /* a direction fixed in the first body (that of the pair's first material), projected onto the
                           tangent plane; not read where friction_across is negative */
  double restitution;     /* e in [0, 1] */
  double rolling;         /* m, >= 0: |rolling moment| <= rolling r_N */
  double spinning;        /* m, >= 0: |drilling moment| <= spinning r_N; not in the plane */
} thud_surface_law;

static inline thud_surface_law thud_surface_law_default(void) {
  thud_surface_law law = {0, -1, {1, 0, 0}, 0, 0, 0};
  return law;
}

/* *material its number from 0 on. Where two materials touch that no pair names: the geometric mean of the frictions
 * (and of rolling and spinning), the larger restitution. name may be NULL: "material-N". */
THUD_API thud_error thud_bodies_add_material(thud_bodies *bodies, const char *name, const thud_surface_law *law,
                                             thud_index *material);
/* The law between two materials (or one and itself), in place of the rule. */
THUD_API thud_error thud_bodies_set_pair(thud_bodies *bodies, thud_index first, thud_index second,
                                         const thud_surface_law *law);
/* The law that holds between two materials; *swapped (may be NULL): `axis` is fixed in the body of the second. */
THUD_API thud_surface_law thud_bodies_pair_law(const thud_bodies *bodies, thud_index first, thud_index second,
                                               bool *swapped);

/* ---- bodies -------------------------------------------------------------------------------------------------------- */

typedef enum thud_body_role {
  THUD_BODY_DYNAMIC = 0,  /* moves by forces and contacts */
  THUD_BODY_FIXED = 1,    /* never moves */
  THUD_BODY_KINEMATIC = 2 /* moves as `path` says */
} thud_body_role;

/* The pose of a kinematic body's frame at time t, the velocity of its origin and its spin (world). 0: good; anything
 * else fails the step. */
typedef int (*thud_body_path_fn)(void *user, double t, thud_pose *pose, thud_vec3 *velocity, thud_vec3 *spin);

/* State of a body, as a force function sees it. */
typedef struct thud_body_state {
  thud_vec3 position;       /* of the centre of mass */
  thud_quat rotation;       /* of the body's frame */
  thud_vec3 velocity, spin; /* of the centre of mass; world */
} thud_body_state;

/* Force and torque about the centre of mass (world), which are 0 when it is called. 0: good; anything else fails the
 * step. */
typedef int (*thud_body_force_fn)(void *user, double t, const thud_body_state *state, thud_vec3 *force,
                                  thud_vec3 *torque);

/* Derivatives of that force and torque (6 rows: force, torque) by place and by velocity (6 columns: translation, rotation
 * about the axes of the world), row-major; 0 when it is called. 0: good; anything else fails the step. */
typedef int (*thud_body_slope_fn)(void *user, double t, const thud_body_state *state, double by_place[36],
                                  double by_velocity[36]);

typedef struct thud_body_def {
  size_t size;
  const char *name;         /* of no other body; NULL: "body-N" */
  int role;                 /* thud_body_role */
  thud_pose pose;           /* of the body's frame at the start; of a kinematic body the path's */
  thud_vec3 velocity, spin; /* of the centre of mass, world, at the start */
  double mass;              /* > 0: given, instead of that of the parts; 0: from densities */
  thud_vec3 centre;         /* given mass and inertia: centre of mass in the body's frame; without an inertia 0, or that
                               of the parts */
  thud_mat3 inertia; /* given mass: about the centre, in the body's frame; planar: cz.z. All 0: that of the parts (of
                        density 1 where none has one) scaled to the mass, about their centre; particles turn for nothing
                        and need none */
  thud_body_path_fn path; /* kinematic */
  void *path_user;
  thud_body_force_fn force; /* NULL: gravity and springs only */
  void *force_user;
  thud_index group;        /* bodies of the same group never touch; negative: none */
  uint32_t category, mask; /* two bodies touch only when each one's category has a bit in the other's mask */
  double gravity_scale;    /* factor on gravity */
  bool absent;             /* not there at the start: thud_body_motion_add brings it into a running motion */
  thud_body_slope_fn
      slope; /* of force, with force_user; NULL: the force is taken at the velocity before the step, which is of
                               first order and unstable beyond c h/m = 2 */
} thud_body_def;

static inline thud_body_def thud_body_def_default(void) {
  thud_body_def def;
  memset(&def, 0, sizeof def);
  def.size = sizeof def;
  def.pose = thud_pose_identity();
  def.group = -1;
  def.category = 1;
  def.mask = UINT32_MAX;
  def.gravity_scale = 1;
  return def;
}

/* A body without parts yet; *id names it from then on. */
THUD_API thud_error thud_bodies_add(thud_bodies *bodies, const thud_body_def *def, thud_body_id *id);
/* Removes the body with its parts, springs and joints; its id is of no body from then on. */
THUD_API thud_error thud_bodies_remove(thud_bodies *bodies, thud_body_id id);
THUD_API bool thud_bodies_is_valid(const thud_bodies *bodies, thud_body_id id);
/* No body: 0 everywhere. */
THUD_API thud_body_id thud_bodies_find(const thud_bodies *bodies, const char *name);

/* A shape on a body. */
typedef struct thud_part_def {
  size_t size;
  thud_index shape;
  thud_index material; /* -1: no friction, e = 0 */
  thud_pose pose;      /* of the shape's frame in the body's */
  double density;      /* kg/m^3, planar kg/m^2; >= 0 */
} thud_part_def;

static inline thud_part_def thud_part_def_default(void) {
  thud_part_def def;
  memset(&def, 0, sizeof def);
  def.size = sizeof def;
  def.material = -1;
  def.pose = thud_pose_identity();
  return def;
}
/* One more part of the body. */
THUD_API thud_error thud_bodies_attach(thud_bodies *bodies, thud_body_id id, const thud_part_def *def);

/* A spring with a damper between points of two bodies: force stiffness (|d| - length) + damping d|d|/dt along d. */
typedef struct thud_spring_def {
  size_t size;
  const char *name;                  /* NULL: "spring-N" */
  thud_body_id a, b;                 /* b 0: the world */
  thud_vec3 point_a, point_b;        /* in the frames of the bodies; of the world: there */
  double length, stiffness, damping; /* >= 0; a spring of length 0 pulls towards the point itself */
} thud_spring_def;

static inline thud_spring_def thud_spring_def_default(void) {
  thud_spring_def def;
  memset(&def, 0, sizeof def);
  def.size = sizeof def;
  return def;
}
/* One more spring; it goes with either body. */
THUD_API thud_error thud_bodies_add_spring(thud_bodies *bodies, const thud_spring_def *def);

/* ---- joints ---------------------------------------------------------------------------------------------------------- */

/* Kinds of joints, with the freedoms they leave between their bodies; each has a frame on either body, whose x is the joint's axis. */
typedef enum thud_joint_kind {
  THUD_JOINT_BALL = 0,        /* turning about the point */
  THUD_JOINT_HINGE = 1,       /* turning about the axis; in the plane the same as a ball */
  THUD_JOINT_SLIDER = 2,      /* shifting along the axis */
  THUD_JOINT_CYLINDRICAL = 3, /* both; in space */
  THUD_JOINT_UNIVERSAL = 4,   /* turning about the axis of a and about that of b, which stay perpendicular; in space */
  THUD_JOINT_PLANAR = 5,      /* shifting across the axis and turning about it; in space */
  THUD_JOINT_FIXED = 6,       /* nothing */
  THUD_JOINT_ROD = 7,         /* everything but the distance of the two points */
  /* Couplings. Angles and ways count from where the bodies are when the joint begins to act, turns included. */
  THUD_JOINT_SCREW = 8, /* cylindrical, and b moves along the axis of a by `lead` with every turn about it; in space */
  THUD_JOINT_GEAR = 9,  /* everything but radius_a alpha_a + radius_b alpha_b = 0, see below */
  THUD_JOINT_RACK = 10, /* everything but x + radius_a alpha_a = 0: x of b along its axis, alpha_a against that axis */
  THUD_JOINT_PULLEY = 11, /* everything but |P_a - over_a| + ratio |P_b - over_b| = length */
  THUD_JOINT_ROPE = 12,   /* everything as long as the two points are not farther apart than its length */
  THUD_JOINT_KINDS = 13
} thud_joint_kind;
/* The angles of a gear are those of either body about its own axis (in the plane about z), against the line from P_a to P_b where
 * the axes are parallel, against their common normal where they cross: tooth forces act where wheels of these radii touch,
 * also on a carrier that turns. A negative radius is that of a ring with teeth inside, or of a wheel that a belt turns. */

/* Law at a coordinate that a joint leaves free: of a beside b, in the order of thud_joint_coordinates(). An angle counts
 * whole turns and is in rad, its forces are moments. */
enum { THUD_JOINT_LAWS = 3 }; /* coordinates of a joint, at most */
typedef enum thud_joint_motor {
  THUD_JOINT_MOTOR_NONE = 0,
  THUD_JOINT_MOTOR_SPEED = 1,   /* the drive gives the rate of the coordinate */
  THUD_JOINT_MOTOR_POSITION = 2 /* the drive gives the coordinate */
} thud_joint_motor;
/* Target of a motor at time t. */
typedef double (*thud_joint_drive_fn)(void *user, double t);
typedef struct thud_joint_law {
  double start;              /* of the coordinate, where the frames of a and b coincide; not of ropes */
  bool limited[2];           /* it has a lower limit, an upper one */
  double limit[2];           /* lower, upper */
  double restitution;        /* Newton's, at the limits: 0..1 */
  int motor;                 /* thud_joint_motor */
  thud_joint_drive_fn drive; /* NULL: the target is 0 */
  void *drive_user;
  double at_most; /* >= 0, the force of the motor: its speed is met, or the force has this size and pushes towards it */
  double time;    /* >= 0, in which a motor of position takes an error down to 1/e; 0: a step */
  double friction;                 /* >= 0, bound of dry friction */
  double pin;                      /* >= 0, bound per force of the joint: an angle's is a length, a screw's is mu */
  double thread;                   /* > 0 of a screw with pin: the radius of its thread */
  double rest, stiffness, damping; /* a spring with a damper: force -stiffness (x - rest) - damping dx/dt, both >= 0 */
} thud_joint_law;

typedef struct thud_joint_def {
  size_t size;
  const char *name;           /* of no other joint; NULL: "joint-N" */
  int kind;                   /* thud_joint_kind */
  thud_body_id a, b;          /* b 0: the world */
  thud_vec3 point_a, point_b; /* in the frames of the bodies; of the world: there */
  thud_quat frame_a, frame_b; /* of the joint, in the frames of the bodies */
  double length;              /* rod, pulley, rope: > 0 */
  bool touch;                 /* the two bodies may touch each other all the same */
  double radius_a, radius_b;  /* gear; rack: radius_a */
  double lead, ratio;         /* screw; pulley: > 0, default 1 */
  thud_vec3 over_a, over_b;   /* pulley: where its rope is led over, world */
  thud_joint_law law[THUD_JOINT_LAWS];
  bool absent; /* not there at the start: thud_body_motion_attach adds it */
} thud_joint_def;

static inline thud_joint_def thud_joint_def_default(void) {
  thud_joint_def def;
  memset(&def, 0, sizeof def);
  def.size = sizeof def;
  def.frame_a = def.frame_b = thud_quat_identity();
  def.ratio = 1;
  return def;
}
/* Points and frames from a place and an axis in the world, where the definitions of the bodies put them (kinematic ones:
 * where their `pose` is). axis may be NULL: x. */
THUD_API thud_error thud_bodies_place_joint(const thud_bodies *bodies, thud_vec3 point, const thud_vec3 *axis,
                                            thud_joint_def *def);
/* How many coordinates with laws a joint of this kind has (thud_joint_kind): hinges, screws and balls of the plane an angle, sliders
 * a shift along the axis, cylindrical joints a shift and an angle, universal joints an angle about either axis, planar joints
 * shifts of P_a along the second and the third axis of b and an angle, balls of space the swing between the axes of a and b and
 * the twist about them, ropes the distance of their points. Gears, racks and pulleys have how far their equation is open; it
 * holds unless a law acts there. Fixed joints and rods have none. */
THUD_API int thud_joint_coordinates(int kind, bool planar);
/* One more joint; it goes with either body. */
THUD_API thud_error thud_bodies_add_joint(thud_bodies *bodies, const thud_joint_def *def);

/* A joint as it was built: points from the centres of mass. */
typedef struct thud_joint {
  const char *name;
  int kind;        /* thud_joint_kind */
  thud_index a, b; /* numbers of bodies, b -1: the world */
  thud_vec3 point_a, point_b;
  thud_quat frame_a, frame_b;
  double length;
  bool touch;
  double radius_a, radius_b, lead, ratio;
  thud_vec3 over_a, over_b;
  int law_count; /* coordinates at which something acts: 0 to this of the law */
  thud_joint_law law[THUD_JOINT_LAWS];
  bool absent;
} thud_joint;

/* ---- what was built -------------------------------------------------------------------------------------------------- */

/* Checks what can be checked only of the whole: dynamic bodies with a positive mass and inertia, kinematic ones with a
 * path, shapes that may move; computes masses. Motions and the functions below do it by themselves. The first thing
 * that is wrong is an error with the body's name. */
THUD_API thud_error thud_bodies_complete(thud_bodies *bodies);

/* Arrays over bodies and parts, borrowed until something is added or removed. Bodies that were removed are not in them:
 * numbers run from 0 to count - 1 in the order of adding. */
typedef struct thud_bodies_view {
  bool planar;
  thud_vec3 gravity;
  thud_index count;
  const char *const *name;          /* [count] */
  const unsigned char *role;        /* [count] thud_body_role */
  const double *mass;               /* [count] 0: fixed or kinematic */
  const thud_vec3 *centre;          /* [count] of mass, in the body's frame; fixed and kinematic: 0 */
  const thud_mat3 *inertia;         /* [count] about the centre, in the body's frame */
  const thud_mat3 *inverse_inertia; /* [count] particles, fixed and kinematic: 0 */
  const thud_pose *pose;            /* [count] start: centre of mass, rotation of the frame */
  const thud_vec3 *velocity, *spin; /* [count] start */
  const thud_body_def *def;         /* [count] as given (name: as above) */
  thud_index part_count;
  const thud_index *part_start;        /* [count+1] parts of body i: part_start[i] .. part_start[i+1]-1 */
  const thud_index *part_body;         /* [part_count] */
  const thud_shape *const *part_shape; /* [part_count] */
  const thud_index *part_shape_number; /* [part_count] */
  const thud_index *part_material;     /* [part_count] */
  const thud_pose *part_pose; /* [part_count] in the frame at the centre of mass (rotation of the body's frame) */
  thud_index shape_count, material_count, spring_count;
  const thud_shape *const *shapes;       /* [shape_count] */
  const char *const *material_names;     /* [material_count] */
  const thud_spring_def *springs;        /* [spring_count] points relative to the centres of mass */
  const thud_index *spring_a, *spring_b; /* [spring_count] numbers of bodies, b -1: the world */
  thud_index joint_count;
  const thud_joint *joints; /* [joint_count] */
} thud_bodies_view;

/* The model as built: checked, with its masses. */
THUD_API thud_error thud_bodies_get(thud_bodies *bodies, thud_bodies_view *view);
/* Number of a body in the view, -1 when the id is not valid. */
THUD_API thud_index thud_bodies_number(const thud_bodies *bodies, thud_body_id id);
/* The other way round: the id of a body by its number in the view; 0 everywhere when there is none. */
THUD_API thud_body_id thud_bodies_id(const thud_bodies *bodies, thud_index number);

#ifdef __cplusplus
}
#endif
#endif
