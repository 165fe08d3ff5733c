/* Bodies rebuilt from what the scene says of them: `bodies`, `materials`, `pairs`, `shapes`, `springs`, generators and tables.
 *
 * verify_bodies_read.c reads the whole, materials, forces, paths and bodies; verify_bodies_read_shapes.c shapes;
 * verify_bodies_generate.c generators and tables; verify_bodies_mass.c masses. What the run wrote of its bodies, `all_bodies`,
 * is only compared with the result (verify_bodies_listed.c). */
#ifndef THUD_SRC_VERIFY_BODIES_VERIFY_BODIES_READ_H
#define THUD_SRC_VERIFY_BODIES_VERIFY_BODIES_READ_H

#include "base/names.h"
#include "verify/bodies/verify_bodies.h"

#define VERIFY_PI 3.14159265358979323846

/* Mass, centre and second moments, the integral of (x - centre)(x - centre)', of a solid; in the plane of an area. */
typedef struct verify_mass {
  double mass;
  thud_vec3 centre;
  thud_mat3 second;
} verify_mass;

/* A body without its name and place: what generators and tables repeat. */
typedef struct verify_pattern {
  verify_rigid body; /* mass, centre and inertia: those that are given until thud_verify_pattern_finish */
  size_t part_count;
  verify_part *parts; /* [part_count] in the body's frame */
  double *density;    /* [part_count] */
  thud_vec3 position, velocity, spin;
  thud_quat rotation;
} verify_pattern;

/* A scene at work. */
typedef struct verify_build {
  verify_bodies *bodies;
  thud_context *context;
  verify_scene *scene;
  size_t dimension;                    /* numbers of a vector */
  thud_names names, materials, shapes; /* shapes: those with names */
  size_t *named;                       /* numbers of the shapes with names */
  double *densities;                   /* of the materials */
  size_t named_count, named_capacity;
  size_t bare;    /* the material of parts without one */
  size_t assumed; /* the shape of patterns without one, SIZE_MAX: they need one */
  size_t body_capacity, start_capacity, part_capacity, shape_capacity, spring_capacity, push_capacity, path_capacity;
  size_t joint_capacity;
} verify_build;

/* ---- values (verify_bodies_read.c); a key that is not there leaves the value alone ---- */

thud_error thud_verify_given_number(verify_build *build, const thud_node *map, const char *key, double *value);
/* A whole number, from 0 to 2^53. */
thud_error thud_verify_given_count(verify_build *build, const thud_node *map, const char *key, size_t *value);
thud_error thud_verify_given_flag(const thud_node *map, const char *key, bool *value);
/* Exactly `count` constants. */
thud_error thud_verify_given_numbers(verify_build *build, const thud_node *list, size_t count, double *values);
thud_error thud_verify_given_vector(verify_build *build, const thud_node *map, const char *key, thud_vec3 *vector);
/* A unit vector along three numbers. */
thud_error thud_verify_given_axis(verify_build *build, const thud_node *map, const char *key, thud_vec3 *axis);
/* The number of a name in a table, SIZE_MAX without the key. */
thud_error thud_verify_given_name(const thud_node *map, const char *key, const thud_names *names, const char *what,
                                  size_t *number);

/* ---- laws (verify_bodies_read.c) ---- */

/* Materials, their densities, and the law of every pair. */
thud_error thud_verify_read_laws(verify_build *build, const thud_node *root);
bool thud_verify_same_law(const verify_contact_law *a, const verify_contact_law *b);

/* ---- shapes (verify_bodies_read_shapes.c) ---- */

thud_error thud_verify_given_shape(verify_build *build, const thud_node *node, size_t *number);
/* Takes over the arrays of the shape, also after a failure. */
thud_error thud_verify_add_shape(verify_build *build, const verify_shape *shape, size_t *number);
/* The same shape, larger. */
thud_error thud_verify_scale_shape(verify_build *build, size_t shape, double scale, size_t *scaled);
/* Corners of the grid with these heights, [rows*columns], and two triangles per cell. */
thud_error thud_verify_make_heights(thud_context *context, size_t columns, size_t rows, const double spacing[2],
                                    const double *heights, verify_shape *shape);
void thud_verify_free_shape(thud_context *context, verify_shape *shape);
/* Readers of the table of shapes: the value of a shape's entry. */
thud_error thud_verify_read_radius(verify_build *build, const thud_node *node, verify_shape *shape);
thud_error thud_verify_read_edges(verify_build *build, const thud_node *node, verify_shape *shape);
thud_error thud_verify_read_axes(verify_build *build, const thud_node *node, verify_shape *shape);
thud_error thud_verify_read_long(verify_build *build, const thud_node *node,
                                 verify_shape *shape); /* {radius, and the length by its key} */
thud_error thud_verify_read_hull(verify_build *build, const thud_node *node, verify_shape *shape);
thud_error thud_verify_read_polygon(verify_build *build, const thud_node *node, verify_shape *shape);
thud_error thud_verify_read_segment(verify_build *build, const thud_node *node, verify_shape *shape);
thud_error thud_verify_read_mesh(verify_build *build, const thud_node *node, verify_shape *shape);
thud_error thud_verify_read_height_field(verify_build *build, const thud_node *node, verify_shape *shape);

/* ---- forces and paths (verify_bodies_read.c) ---- */

/* `force` and `torque` of a body, compiled by thud_verify_compile_pushes when all constants have been read. */
thud_error thud_verify_read_push(verify_build *build, const thud_node *map, verify_push **push);
thud_error thud_verify_compile_pushes(verify_build *build);
/* {functions: true} */
bool thud_verify_is_told(const thud_node *node);
/* `path` of a body. */
thud_error thud_verify_read_path(verify_build *build, const thud_node *map, const thud_node *path, verify_path **made);
/* A body that turns about an axis through a point. */
thud_error thud_verify_make_turn(verify_build *build, const thud_node *angle, thud_vec3 axis, thud_vec3 position,
                                 verify_path **made);
void thud_verify_free_push(thud_context *context, verify_push *push);
void thud_verify_free_path(thud_context *context, verify_path *path);

/* ---- masses (verify_bodies_mass.c) ---- */

/* The corners of the hull in place of all its points, and its triangles; none: the points are in a plane. */
thud_error thud_verify_find_hull(thud_context *context, verify_shape *shape);
/* With density 1; 0 for shapes without a volume. */
verify_mass thud_verify_shape_mass(const verify_shape *shape);
/* The mean of the points of a shape that has some. */
thud_vec3 thud_verify_middle_of(const verify_shape *shape);
/* Mass, centre, inertia and its inverse of a pattern that forces move; its parts move to the frame at the centre. */
thud_error thud_verify_pattern_finish(const verify_bodies *bodies, const thud_node *node, verify_pattern *pattern);

/* ---- bodies (verify_bodies_read.c) ---- */

/* Reads a body, or the `body` of a generator. It is freed also after a failure. */
thud_error thud_verify_pattern_read(verify_build *build, const thud_node *node, verify_pattern *pattern);
void thud_verify_pattern_free(const verify_build *build, verify_pattern *pattern);
thud_error thud_verify_pattern_copy(const verify_build *build, const verify_pattern *pattern, verify_pattern *copy);
/* A copy with every length multiplied; given masses grow with the volume. Before thud_verify_pattern_finish. */
thud_error thud_verify_pattern_scale(verify_build *build, const verify_pattern *pattern, double scale,
                                     verify_pattern *scaled);
/* The largest distance of a part's ball from the origin; the box around a pattern that is not finished. */
double thud_verify_pattern_radius(const verify_bodies *bodies, const verify_pattern *pattern);
verify_box thud_verify_pattern_box(const verify_bodies *bodies, const verify_pattern *pattern);
/* A body of a finished pattern at a place; its turn comes in front of the pattern's. size: of the terms of the place. */
thud_error thud_verify_add_body(verify_build *build, const verify_pattern *pattern, const char *name, thud_vec3 place,
                                thud_quat turn, double size);
thud_error thud_verify_add_spring(verify_build *build, verify_spring spring);
thud_error thud_verify_read_body(verify_build *build, const thud_node *node);
/* verify_bodies_joints.c */
thud_error thud_verify_read_joint(verify_build *build, const thud_node *node);
/* verify_bodies_laws.c: what acts at its coordinates. */
thud_error thud_verify_read_joint_laws(verify_build *build, const thud_node *node, verify_joint *joint);
void thud_verify_free_laws(verify_joint *joint);

/* ---- generators and tables (verify_bodies_generate.c) ---- */

thud_error thud_verify_generate(verify_build *build, const thud_node *node);
thud_error thud_verify_read_table(verify_build *build, const thud_node *node);

/* ---- texts (verify_bodies_read_shapes.c) ---- */

/* Lines of numbers, every line with as many. Freed by the caller, also after a failure. */
typedef struct verify_numbers {
  double *values; /* [rows*columns] */
  size_t rows, columns, capacity;
} verify_numbers;
thud_error thud_verify_read_lines(thud_context *context, const thud_node *text, verify_numbers *numbers);

#endif
