/* `bodies` scenes: what a scene says of rigid bodies, ready for thud_body_motion_create.
 *
 * bodies_scene.c reads the whole and its changes, bodies_values.c values and expressions, bodies_shapes.c shapes,
 * bodies_files.c files of shapes, bodies_body.c one body, bodies_generate.c generators, bodies_table.c bodies in files,
 * bodies_describe.c the resolved scene, bodies_shown.c the list of bodies in it, bodies_functions.c functions of a program. */
#ifndef THUD_SRC_KINDS_BODIES_BODIES_SCENE_H
#define THUD_SRC_KINDS_BODIES_BODIES_SCENE_H

#include "base/names.h"
#include "scene/build.h"
#include "thud/body_motion.h"
#include "thud/kind.h"
#include "thud/rows.h"
#include "thud/run.h"

/* Arguments of forces: place, velocity, quaternion, spin. Slopes exist by all but the quaternion. */
enum { BODIES_VARIABLES = 13, BODIES_STATE_PARTS = 9 };
enum { BODIES_MOST = 1000000, BODIES_NAME_ROOM = 56, BODIES_GENERATED_NAME = BODIES_NAME_ROOM + 16 };

/* Numbers that the functions of a program gave in a step: force and torque at its midpoint, those a step later where the step
 * asks for them, derivatives of force and torque (6 x 6) by place and by velocity; poses (x, y, z, w, x, y, z) of a path at the
 * node before and at the midpoint. */
enum { BODIES_FORCE_VALUES = 6 + 6 + 36 + 36, BODIES_PATH_VALUES = 7 + 7, BODIES_TIMES = 3 };

/* A function of a program that moves a body. */
typedef struct bodies_told {
  thud_body_functions given; /* its name is the program's: for as long as the scene is built */
  bool planar, path;
  double last[6], values[BODIES_FORCE_VALUES]; /* of a force */
  double times[BODIES_TIMES];                  /* [seen] when a path was asked for last */
  thud_pose poses[BODIES_TIMES];
  size_t seen;
} bodies_told;

/* Force and torque of bodies as expressions of time and of the body's state; shared by all bodies of a pattern. */
typedef struct bodies_force {
  const thud_node *force, *torque; /* NULL: none; to be read when all constants are */
  char *texts[6];                  /* as they are written, for the record; NULL: 0 */
  bool planar;
  /* x, y, z, x', y', z', qw, qx, qy, qz, wx, wy, wz; planar: x, y, x', y', angle, angle'; -1: a parameter's name */
  thud_index time_slot, slots[BODIES_VARIABLES];
  scene_value values[6]; /* force, torque */
  size_t slope_count,
      slope_column[BODIES_STATE_PARTS]; /* columns of slopes, as those of thud_body_slope_fn; velocities: + 6 */
  thud_expr_program *slopes;            /* [6*slope_count] derivatives, row by row; NULL: all 0, or not known */
  thud_expr_work *slope_work;
  bodies_told *told; /* a function of a program, instead of all that; NULL: none */
} bodies_force;

/* The path of one kinematic body: values and rates of x, y, z and the angle. */
typedef struct bodies_path {
  thud_expr_program *program;
  thud_expr_work *work;
  thud_vec3 axis;
  bool planar;
  thud_index time_slot;
  char *texts[4];    /* x, y, z, angle as they are written */
  bodies_told *told; /* a function of a program, instead of all that; NULL: none */
} bodies_path;

/* What a motor is to reach, an expression of time. */
enum { BODIES_DRIVE_VARIABLES = 16 };
typedef struct bodies_drive {
  scene_value value;
  thud_index time_slot;
} bodies_drive;

/* A body without its name and place: what generators and files repeat. */
typedef struct bodies_pattern {
  const thud_node *node;
  thud_body_def def; /* pose: rotation of the pattern; position where one was given */
  thud_part_def *parts;
  size_t part_count;
} bodies_pattern;

/* Something that happens to the motion at a time. */
typedef struct bodies_change {
  double at;    /* INFINITY: on a condition */
  size_t entry; /* of the list of the scene */
  int kind;     /* thud_body_change_kind */
  thud_body_id body;
  thud_body_state state; /* add and set: what is given; the position is that of the body's frame */
  bool has_position, has_rotation, has_velocity, has_spin;
  thud_body_push push;       /* impulse and force */
  thud_vec3 point;           /* where it acts, in the body's frame */
  thud_index part, material; /* material; pair: both materials */
  thud_surface_law law;      /* pair */
  const char *joint;         /* detach, attach, motor */
  int coordinate;            /* motor */
  thud_body_motor motor;
} bodies_change;

typedef struct bodies_scene {
  thud_scene *scene;
  thud_context *context;
  thud_arena *arena; /* names */
  thud_bodies *bodies;
  bool planar;
  thud_index dimension; /* numbers of a vector: 2 or 3 */
  thud_body_units units;
  thud_body_motion_options options;
  thud_body_row_options rows;
  thud_names materials, named_shapes, known_shapes, names;
  double *densities; /* of the materials */
  size_t material_count, density_capacity;
  thud_index bare;           /* the material of parts without one; -1: there is none yet */
  thud_index slippery;       /* a material without the key 'friction' that no pair names; -1: there is none */
  thud_index assumed;        /* shape of patterns without one; -1: they need one */
  thud_index *shape_numbers; /* of the named shapes */
  size_t named_count, number_capacity;
  thud_shape **shapes; /* as those of the model, by their numbers */
  size_t shape_count, shape_capacity;
  thud_body_id *ids; /* [body_count] in the order of the model */
  const thud_node **nodes;
  const char **body_names;
  size_t body_count, id_capacity, node_capacity, name_capacity;
  bodies_force **forces;
  size_t force_count, force_capacity;
  bodies_path **paths;
  size_t path_count, path_capacity;
  bodies_drive **drives;
  size_t drive_count, drive_capacity;
  bodies_change *changes; /* [change_count] in the order of their times */
  size_t change_count;
  bodies_told **told; /* [told_count] in the order of their bodies */
  size_t told_count, told_capacity, told_size;
  double *told_values;                   /* [told_size] what they gave in the last step; of the rows */
  double least_density, largest_density; /* of all parts that have one; 0: none has */
  double suspect_angle;                  /* the first angle that looks like degrees; 0: none does */
  char suspect_place[120];               /* where it stands */
  thud_index turned_mesh; /* number of the body whose open mesh turns its inner side to the others; -1: none */
} bodies_scene;

/* ---- bodies_scene.c ---- */

thud_error thud_bodies_scene_build(thud_scene *scene, const thud_node *root, bodies_scene *made);
/* Labels of the units, into the scene, too. */
thud_error thud_bodies_read_units(bodies_scene *made, const thud_node *root);
void thud_bodies_scene_free(bodies_scene *made);
/* What the library refuses of the whole, at the place of the body that it refused, or of the list of bodies. */
thud_error thud_bodies_scene_blame(const bodies_scene *made, const thud_node *root, thud_error error);
/* Nodes are gone when the scene has been built. */
void thud_bodies_scene_forget_nodes(bodies_scene *made);

/* Friction, restitution, rolling and spinning of a material or a pair; what is left out stays. */
thud_error thud_bodies_read_law(bodies_scene *made, const thud_node *node, thud_surface_law *law);
/* Two materials and their law; the rule for both gives what the node does not say. */
thud_error thud_bodies_read_pair(bodies_scene *made, const thud_node *node, thud_index *first, thud_index *second,
                                 thud_surface_law *law);

/* ---- bodies_scene.c: changes ---- */

/* `changes`; list may be NULL. */
thud_error thud_bodies_read_changes(bodies_scene *made, const thud_node *list);
/* Makes the changes from *next on whose time has come at the node t. */
thud_error thud_bodies_apply_changes(const bodies_scene *made, thud_motion *motion, double t, size_t *next);
/* The change of this entry of the list, whose condition has come to hold. */
thud_error thud_bodies_fire_change(const bodies_scene *made, thud_motion *motion, size_t entry);

/* ---- bodies_describe.c: defaults and files ---- */

thud_error thud_bodies_scene_resolve(thud_tree *tree);
/* Size of a unit in m, kg, s, by its label; NaN: not known. */
double thud_bodies_metres(const char *label);
double thud_bodies_kilograms(const char *label);
double thud_bodies_seconds(const char *label);
/* Rows of `record` beside those of every scene. */
const thud_option_table *thud_bodies_record_option_table(void);
/* Keys of materials, springs, `simulate` and `record`, and what the lists leave out: options of the motion that the times
 * of the scene give, options of solvers that the steps give, keys that may be null. */
const thud_option_table *thud_bodies_law_table(void);
const thud_option_table *thud_bodies_density_table(void);
const thud_option_table *thud_bodies_spring_table(void);
const thud_option_table *thud_bodies_joint_table(void);
extern const char *const thud_bodies_of_times[], *const thud_bodies_of_steps[], *const thud_bodies_by_count[];
extern const thud_kind_keys thud_bodies_keys[];
/* Texts of the files beside the scene come into it. */
thud_error thud_bodies_scene_take_files(thud_tree *tree);

/* ---- bodies_values.c: an entry under a key that is not there leaves the value alone ---- */

thud_error thud_bodies_read_number(bodies_scene *made, const thud_node *map, const char *key, double *value);
/* Refuses what is not > 0, or not >= 0. */
thud_error thud_bodies_read_positive(bodies_scene *made, const thud_node *map, const char *key, double *value);
thud_error thud_bodies_read_not_negative(bodies_scene *made, const thud_node *map, const char *key, double *value);
thud_error thud_bodies_read_count(bodies_scene *made, const thud_node *map, const char *key, double least, double most,
                                  size_t *value);
thud_error thud_bodies_read_flag(const thud_node *map, const char *key, bool *value);
/* Exactly `count` constants. */
thud_error thud_bodies_read_numbers(bodies_scene *made, const thud_node *list, size_t count, double *values);
/* A vector of the scene's dimension. */
thud_error thud_bodies_read_vector(bodies_scene *made, const thud_node *map, const char *key, thud_vec3 *vector);
/* {axis, angle} or a quaternion [w, x, y, z]; planar: an angle. */
thud_error thud_bodies_read_rotation(bodies_scene *made, const thud_node *map, const char *key, thud_quat *rotation);
thud_error thud_bodies_read_spin(bodies_scene *made, const thud_node *map, const char *key, thud_vec3 *spin);
/* A unit vector along an axis that is given. */
thud_error thud_bodies_read_axis(bodies_scene *made, const thud_node *map, const char *key, thud_vec3 *axis);
/* What the library refuses is the fault of this node. */
thud_error thud_bodies_blame(const thud_node *node, thud_error error);
/* A name of bodies, materials or shapes, not longer than records take. */
thud_error thud_bodies_read_name(const thud_node *node, const char **name);
/* The number of a name in a table; one that is not there is an error with the nearest one. */
thud_error thud_bodies_find_name(const bodies_scene *made, const thud_node *node, const thud_names *names,
                                 const char *what, size_t *number);

/* ---- bodies_shapes.c ---- */

/* A map {sphere: 0.1}, or a name. */
thud_error thud_bodies_read_shape(bodies_scene *made, const thud_node *node, thud_index *shape);
/* A shape of the model; one that is there already is taken again. */
thud_error thud_bodies_add_known_shape(bodies_scene *made, const thud_node *node, const thud_shape_def *def,
                                       thud_index *shape);
/* The same shape, larger. */
thud_error thud_bodies_scale_shape(bodies_scene *made, const thud_node *node, thud_index shape, double scale,
                                   thud_index *scaled);
bool thud_bodies_is_shape_word(const char *name);

/* ---- bodies_files.c: meshes and points in files ---- */

thud_error thud_bodies_take_shape_files(thud_tree *tree, const thud_node *shape);
/* Arrays to be freed with thud_free, also after a failure. */
typedef struct bodies_mesh {
  double *points;        /* [3*point_count] */
  thud_index *triangles; /* [3*triangle_count] */
  size_t point_count, triangle_count, point_capacity, triangle_capacity;
} bodies_mesh;
/* OFF, OBJ or STL (text or binary), by its content. */
thud_error thud_bodies_mesh_read(thud_context *context, const char *name, const char *bytes, size_t size,
                                 bodies_mesh *mesh);
void thud_bodies_mesh_free(thud_context *context, bodies_mesh *mesh);
/* Lines of numbers; every line has as many. Freed with thud_free, also after a failure. */
typedef struct bodies_numbers {
  double *values; /* [rows*columns] */
  size_t rows, columns, capacity;
} bodies_numbers;
thud_error thud_bodies_numbers_read(thud_context *context, const char *text, bodies_numbers *numbers);

/* ---- bodies_body.c ---- */

/* A body, or the `body` of a generator, which has neither name nor position. */
thud_error thud_bodies_read_pattern(bodies_scene *made, const thud_node *node, bool generated, bodies_pattern *pattern);
void thud_bodies_pattern_free(const bodies_scene *made, bodies_pattern *pattern);
/* The same with every length multiplied; masses that are given are multiplied by scale^3, in the plane by scale^2. */
thud_error thud_bodies_pattern_scale(bodies_scene *made, const bodies_pattern *pattern, double scale,
                                     bodies_pattern *scaled);
/* The box around all parts in the body's frame, and the largest distance from its origin. */
thud_bounds thud_bodies_pattern_bounds(const bodies_scene *made, const bodies_pattern *pattern, const thud_quat *turn);
double thud_bodies_pattern_radius(const bodies_scene *made, const bodies_pattern *pattern);
/* One body of a pattern; the pose comes in front of the pattern's rotation. id may be NULL. */
thud_error thud_bodies_add_body(bodies_scene *made, const thud_node *node, const bodies_pattern *pattern,
                                const char *name, const thud_pose *pose, thud_body_id *id);
/* NAME-1, NAME-2, ...: *number is the last one. */
thud_error thud_bodies_add_numbered(bodies_scene *made, const thud_node *node, const bodies_pattern *pattern,
                                    const char *name, size_t *number, const thud_pose *pose);
thud_error thud_bodies_read_body(bodies_scene *made, const thud_node *node);

/* ---- bodies_values.c: expressions ---- */

/* `force` and `torque` of a body; compiled by thud_bodies_compile_forces, after everything that is constant. */
thud_error thud_bodies_read_force(bodies_scene *made, const thud_node *node, thud_body_def *def);
thud_error thud_bodies_compile_forces(bodies_scene *made);
/* `path` of a kinematic body. */
thud_error thud_bodies_read_path(bodies_scene *made, const thud_node *body, const thud_node *path, thud_body_def *def);
/* A body that turns about an axis through a point. */
thud_error thud_bodies_make_turn(bodies_scene *made, const thud_node *angle, thud_vec3 axis, thud_vec3 position,
                                 thud_body_def *def);
void thud_bodies_free_expressions(bodies_scene *made);

/* ---- bodies_joint_law.c ---- */

/* The entry of a joint has keys of laws. */
bool thud_bodies_has_joint_laws(const thud_node *node);
/* What acts at the coordinates of a joint, whose kind is known. */
thud_error thud_bodies_read_joint_laws(bodies_scene *made, const thud_node *node, thud_joint_def *def);
void thud_bodies_free_drives(bodies_scene *made);

/* ---- bodies_functions.c ---- */

/* {functions: true} */
bool thud_bodies_is_told(const thud_node *node);
/* law and path are in the lists of the scene already. */
thud_error thud_bodies_read_told_force(bodies_scene *made, const thud_node *body, bodies_force *law,
                                       thud_body_def *def);
thud_error thud_bodies_read_told_path(bodies_scene *made, const thud_node *body, const thud_node *node,
                                      bodies_path *path, thud_body_def *def);
/* Before a step from t: paths that have not been asked for this time, after a resumption, are. Not 0: one failed. */
int thud_bodies_remind_told(bodies_scene *made, double t);
/* Fills told_values once the step to t has been made. */
void thud_bodies_gather_told(const bodies_scene *made, double t, double step);
/* Every function of the program moves a body. */
thud_error thud_bodies_check_told(const bodies_scene *made, const scene_program *program);

/* ---- bodies_joint.c ---- */

/* An entry of `joints`. */
thud_error thud_bodies_read_joint(bodies_scene *made, const thud_node *node);

/* ---- bodies_generate.c ---- */

/* An entry {generate: grid, ...}. */
thud_error thud_bodies_generate(bodies_scene *made, const thud_node *node);

/* ---- bodies_table.c ---- */

/* An entry {file: grains.csv, ...}, whose content is in the scene by then. */
thud_error thud_bodies_read_table(bodies_scene *made, const thud_node *node);
thud_error thud_bodies_take_table(thud_tree *tree, const thud_node *node);

/* ---- bodies_describe.c: what was built ---- */

/* `all_bodies` of the resolved scene: what was built, without generators and files. */
thud_error thud_bodies_describe(const bodies_scene *made, thud_tree *resolved);

/* The bodies that a record lists: as much of them as pictures show. */
typedef struct bodies_shown {
  thud_context *context;
  thud_arena *arena;     /* of all arrays and names of the view */
  thud_bodies_view view; /* planar, gravity, names, roles, parts, shapes, springs, joints; the rest is 0 */
  thud_shape **shapes;   /* [view.shape_count] */
} bodies_shown;

/* From the root of a resolved scene; to be freed also after a failure. */
thud_error thud_bodies_read_shown(thud_context *context, const thud_node *root, bodies_shown *shown);
void thud_bodies_shown_free(bodies_shown *shown);

#endif
