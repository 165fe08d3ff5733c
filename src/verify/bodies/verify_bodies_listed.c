/* `all_bodies`, the bodies as the run says that it has built them, number by number beside the bodies that were rebuilt from
 * the scene. Nothing else reads the list: a wrong mass, shape or force of the program is found here by its name. */
#include "verify/bodies/verify_bodies_read.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Both sides evaluate the same closed forms, of at most this many roundings, in different orders. */
#define ROUNDINGS 64
/* Faces of hulls are merged when their corners are in a plane up to this part of the extent (docs/shapes.md). */
#define MERGED 1e-10

typedef struct listed_type {
  verify_rigid body;
  const thud_node *map, *parts;
} listed_type;

typedef struct listing {
  verify_bodies *bodies;
  const thud_node *all;
  thud_verify_check *check;
  const thud_node *materials, *names, *numbers, *springs, *joints; /* joints: NULL where there are none */
  size_t type_count, shape_count;
  listed_type *types;
  verify_shape *shapes;
  double *slack;           /* [shapes of the scene] what the merging of faces may change of a hull's mass, relatively */
  size_t *same;            /* [shapes of the scene] 1 + the shape of the list that it was found equal to */
  const char *what, *name; /* "body", "spring" or "joint" that is asked about */
  thud_vec3 *moved;        /* [bodies] by how much centres of mass were taken over */
} listing;

/* ---- differences -------------------------------------------------------------------------------------------------------- */

static bool compare(const listing *l, const char *what, double found, double given, double tolerance) {
  char is[THUD_DOUBLE_CAPACITY], should[THUD_DOUBLE_CAPACITY];
  if (fabs(found - given) <= tolerance) return true;
  thud_format_double(found, is, sizeof is);
  thud_format_double(given, should, sizeof should);
  thud_verify_fail(l->check, NAN, SIZE_MAX, "%s of %s '%s' is %s, the scene gives %s", what, l->what, l->name, is,
                   should);
  return false;
}

/* A number that is copied or halved. */
static bool compare_size(const listing *l, const char *what, double found, double given) {
  return compare(l, what, found, given, 4 * DBL_EPSILON * fabs(given));
}

static bool compare_vector(const listing *l, const char *const what[3], thud_vec3 found, thud_vec3 given,
                           double tolerance) {
  return compare(l, what[0], found.x, given.x, tolerance) && compare(l, what[1], found.y, given.y, tolerance) &&
         compare(l, what[2], found.z, given.z, tolerance);
}

static bool compare_text(const listing *l, const char *what, const char *found, const char *given) {
  double a, b;
  if (strcmp(found, given) == 0) return true;
  if (thud_parse_double(found, &a) && thud_parse_double(given, &b) && a == b) return true;
  thud_verify_fail(l->check, NAN, SIZE_MAX, "%s of body '%s' is '%s', the scene gives '%s'", what, l->name, found,
                   given);
  return false;
}

/* ---- reading ---------------------------------------------------------------------------------------------------------------- */

/* A number that may be missing stays as it is. */
static thud_error read_plain(const thud_node *map, const char *key, double *value) {
  const thud_node *node = thud_node_find(map, key);
  return node != NULL ? thud_node_read_number(node, value) : THUD_OK;
}

static thud_error read_vector(const thud_node *map, const char *key, size_t count, thud_vec3 *vector) {
  const thud_node *node;
  double x[3] = {0, 0, 0};
  thud_error error = thud_node_require(map, key, &node);
  if (error == THUD_OK) error = thud_node_read_numbers(node, count, x);
  if (error == THUD_OK) *vector = thud_vec3_load(x);
  return error;
}

static thud_error read_whole(const thud_node *map, const char *key, int64_t least, int64_t most, int64_t *value) {
  const thud_node *node = thud_node_find(map, key);
  return node != NULL ? thud_node_read_integer(node, least, most, value) : THUD_OK;
}

static size_t dimension(const listing *l) { return l->bodies->planar ? 2 : 3; }

static thud_error read_list(const thud_node *map, const char *key, const thud_node **list) {
  thud_error error = thud_node_require(map, key, list);
  return error == THUD_OK ? thud_node_expect(*list, THUD_NODE_SEQUENCE) : error;
}

static thud_error read_points(thud_context *context, const thud_node *list, verify_shape *shape) {
  size_t count = thud_node_count(list);
  thud_error error = count % 3 == 0 ? THUD_OK : thud_node_fail(list, THUD_ERROR_SCHEMA, "points have three numbers");
  if (error != THUD_OK) return error;
  shape->points = THUD_NEW_ARRAY(context, thud_vec3, count / 3);
  if (shape->points == NULL) return THUD_ERROR_MEMORY;
  shape->point_count = count / 3;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    thud_vec3 *x = &shape->points[k / 3];
    error = thud_node_read_number(thud_node_item(list, k), k % 3 == 0 ? &x->x : k % 3 == 1 ? &x->y : &x->z);
  }
  return error;
}

static thud_error read_triangles(thud_context *context, const thud_node *map, const thud_node *list,
                                 verify_shape *shape) {
  const thud_node *open;
  size_t count = thud_node_count(list);
  thud_error error = thud_node_require(map, "open", &open);
  if (error == THUD_OK) error = thud_node_read_bool(open, &shape->open);
  if (error == THUD_OK && count % 3 != 0)
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "triangles have three corners");
  if (error != THUD_OK) return error;
  shape->triangles = THUD_NEW_ARRAY(context, size_t, count);
  if (shape->triangles == NULL) return THUD_ERROR_MEMORY;
  shape->triangle_count = count / 3;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    int64_t corner = 0;
    error = thud_node_read_integer(thud_node_item(list, k), 0, (int64_t)shape->point_count - 1, &corner);
    shape->triangles[k] = (size_t)corner;
  }
  return error;
}

static thud_error read_heights(thud_context *context, const thud_node *map, verify_shape *shape) {
  const thud_node *list, *grid;
  int64_t columns = 0, rows = 0;
  double spacing[2] = {0, 0};
  thud_error error = read_list(map, "heights", &list);
  if (error == THUD_OK) error = read_whole(map, "columns", 2, 1000000, &columns);
  if (error == THUD_OK) error = read_whole(map, "rows", 2, 1000000, &rows);
  if (error == THUD_OK) error = thud_node_require(map, "spacing", &grid);
  if (error == THUD_OK) error = thud_node_read_numbers(grid, 2, spacing);
  if (error == THUD_OK && (columns < 2 || rows < 2 || thud_node_count(list) != (size_t)(columns * rows)))
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "a grid of %d by %d has as many heights", (int)columns, (int)rows);
  if (error != THUD_OK) return error;
  double *heights = THUD_NEW_ARRAY(context, double, thud_node_count(list));
  if (heights == NULL) return THUD_ERROR_MEMORY;
  error = thud_node_read_numbers(list, thud_node_count(list), heights);
  if (error == THUD_OK)
    error = thud_verify_make_heights(context, (size_t)columns, (size_t)rows, spacing, heights, shape);
  thud_free(context, heights);
  return error;
}

static thud_error read_shape(const listing *l, const thud_node *map, verify_shape *shape) {
  thud_context *context = l->bodies->scene.context;
  const thud_node *kind, *points = NULL, *triangles = NULL;
  const char *name = "";
  verify_shape_kind row = 0;
  thud_error error = thud_node_expect(map, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_node_require(map, "kind", &kind);
  if (error == THUD_OK) error = thud_node_read_string(kind, &name);
  while (row < VERIFY_SHAPE_KINDS && strcmp(thud_verify_forms[row].name, name) != 0) row++;
  if (error == THUD_OK && row == VERIFY_SHAPE_KINDS)
    error = thud_node_fail(kind, THUD_ERROR_SCHEMA, "there is no shape '%s'", name);
  if (error != THUD_OK) return error;
  shape->kind = row;
  if (thud_verify_forms[row].grid) return read_heights(context, map, shape);
  error = read_plain(map, "radius", &shape->radius);
  if (error == THUD_OK) error = read_plain(map, "half_length", &shape->half_length);
  if (error == THUD_OK && thud_node_find(map, "half") != NULL)
    error = read_vector(map, "half", thud_verify_forms[row].planar ? 2 : 3, &shape->half);
  if (error == THUD_OK && thud_node_find(map, "points") != NULL) error = read_list(map, "points", &points);
  if (error == THUD_OK && points != NULL) error = read_points(context, points, shape);
  if (error == THUD_OK && thud_node_find(map, "triangles") != NULL) error = read_list(map, "triangles", &triangles);
  return error == THUD_OK && triangles != NULL ? read_triangles(context, map, triangles, shape) : error;
}

static thud_error read_inertia(const listing *l, const thud_node *map, thud_mat3 *inertia) {
  const thud_node *node;
  double rows[9] = {0};
  thud_error error = thud_node_require(map, "inertia", &node);
  if (error == THUD_OK)
    error = l->bodies->planar ? thud_node_read_number(node, &rows[8]) : thud_node_read_numbers(node, 9, rows);
  *inertia = thud_mat3_transpose(thud_mat3_load(rows));
  return error;
}

static thud_error read_type(const listing *l, const thud_node *map, listed_type *type) {
  static const char *const roles[] = {"dynamic", "fixed", "kinematic", NULL};
  const thud_node *role;
  int choice = 0;
  int64_t category = 1, mask = UINT32_MAX;
  verify_rigid *body = &type->body;
  *body = (verify_rigid){.gravity_scale = 1, .group = -1};
  type->map = map;
  thud_error error = thud_node_expect(map, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_node_require(map, "role", &role);
  if (error == THUD_OK) error = thud_node_read_choice(role, roles, &choice);
  if (error == THUD_OK) error = thud_verify_given_flag(map, "absent", &body->absent);
  if (error == THUD_OK) error = read_whole(map, "group", 0, INT32_MAX, &body->group);
  if (error == THUD_OK) error = read_whole(map, "category", 0, UINT32_MAX, &category);
  if (error == THUD_OK) error = read_whole(map, "mask", 0, UINT32_MAX, &mask);
  if (error == THUD_OK) error = read_plain(map, "gravity_scale", &body->gravity_scale);
  if (error == THUD_OK) error = read_list(map, "parts", &type->parts);
  body->role = (verify_role)choice;
  body->category = (uint32_t)category;
  body->mask = (uint32_t)mask;
  if (error == THUD_OK) body->part_count = thud_node_count(type->parts);
  if (error != THUD_OK || body->role != VERIFY_DYNAMIC) return error;
  error = read_plain(map, "mass", &body->mass);
  if (error == THUD_OK) error = read_inertia(l, map, &body->inertia);
  return error == THUD_OK ? read_vector(map, "centre", dimension(l), &body->centre) : error;
}

static thud_error read_listing(listing *l) {
  thud_context *context = l->bodies->scene.context;
  const thud_node *types, *shapes;
  thud_error error = thud_node_expect(l->all, THUD_NODE_MAP);
  if (error == THUD_OK) error = read_list(l->all, "types", &types);
  if (error == THUD_OK) error = read_list(l->all, "shapes", &shapes);
  if (error == THUD_OK) error = read_list(l->all, "materials", &l->materials);
  if (error == THUD_OK) error = read_list(l->all, "name", &l->names);
  if (error == THUD_OK) error = read_list(l->all, "type", &l->numbers);
  if (error == THUD_OK) error = read_list(l->all, "springs", &l->springs);
  if (error == THUD_OK && thud_node_find(l->all, "joints") != NULL) error = read_list(l->all, "joints", &l->joints);
  if (error != THUD_OK) return error;
  l->type_count = thud_node_count(types);
  l->types = THUD_NEW_ARRAY(context, listed_type, l->type_count);
  l->shapes = THUD_NEW_ARRAY(context, verify_shape, thud_node_count(shapes));
  l->same = THUD_NEW_ARRAY(context, size_t, l->bodies->shape_count);
  l->slack = THUD_NEW_ARRAY(context, double, l->bodies->shape_count);
  l->moved = THUD_NEW_ARRAY(context, thud_vec3, l->bodies->count);
  if (l->types == NULL || l->shapes == NULL || l->same == NULL || l->slack == NULL || l->moved == NULL)
    return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < thud_node_count(shapes) && error == THUD_OK; k++)
    error = read_shape(l, thud_node_item(shapes, k), &l->shapes[l->shape_count++]);
  for (size_t k = 0; k < l->type_count && error == THUD_OK; k++)
    error = read_type(l, thud_node_item(types, k), &l->types[k]);
  return error;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------------------- */

static double extent_of(const verify_shape *shape) {
  double most = 0;
  for (size_t k = 1; k < shape->point_count; k++)
    most = fmax(most, thud_vec3_distance(shape->points[0], shape->points[k]));
  return most;
}

/* Every corner is within `near` of the convex shape. */
static bool covers(const verify_shape *shape, const verify_shape *corners, double near, bool planar, thud_vec3 *out) {
  static const verify_place here = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const verify_shape point = thud_verify_point(planar);
  for (size_t k = 0; k < corners->point_count; k++) {
    verify_place at = {corners->points[k], here.R};
    bool there = false;
    for (size_t i = 0; i < shape->point_count && !there; i++)
      there = thud_vec3_distance(shape->points[i], corners->points[k]) <= near;
    if (there) continue;
    verify_gap gap = thud_verify_distance_of(&point, &at, shape, &here, planar);
    *out = corners->points[k];
    if (!(gap.distance - gap.accuracy <= near)) return false;
  }
  return true;
}

/* What the merging of faces may change of a hull's mass, relatively: merged are corners that are in the plane of a triangle up
 * to `near`, and a surface that is off by d changes the volume by no more than its area times d. */
static double merging_of(const verify_shape *shape, double near) {
  const thud_vec3 *p = shape->points;
  double area = 0, off = 16 * DBL_EPSILON * extent_of(shape), volume = thud_verify_shape_mass(shape).mass;
  for (size_t k = 0; k < shape->triangle_count; k++) {
    const size_t *c = shape->triangles + 3 * k;
    thud_vec3 a = p[c[0]], n = thud_vec3_cross(thud_vec3_subtract(p[c[1]], a), thud_vec3_subtract(p[c[2]], a));
    area += 0.5 * thud_vec3_norm(n);
    if (!thud_vec3_normalise(n, &n)) continue;
    for (size_t i = 0; i < shape->point_count; i++) {
      double d = fabs(thud_vec3_dot(n, thud_vec3_subtract(p[i], a)));
      if (d <= near) off = fmax(off, d);
    }
  }
  return off * area / volume;
}

/* Hulls and polygons: each covers the corners of the other one, up to the merging of faces. */
static bool compare_hulls(const listing *l, const verify_shape *found, size_t of_scene) {
  const verify_shape *given = &l->bodies->shape[of_scene];
  bool planar = l->bodies->planar;
  double near = MERGED * extent_of(given);
  thud_vec3 out = {0, 0, 0};
  if (found->point_count >= (planar ? 3 : 4) && covers(found, given, near, planar, &out) &&
      covers(given, found, near, planar, &out)) {
    l->slack[of_scene] = planar ? 0 : merging_of(given, near);
    return true;
  }
  thud_verify_fail(l->check, NAN, SIZE_MAX, "the %s of body '%s' differs from that of the scene at (%.9g, %.9g, %.9g)",
                   thud_verify_form_of(given)->name, l->name, out.x, out.y, out.z);
  return false;
}

static bool compare_surfaces(const listing *l, const verify_shape *found, const verify_shape *given) {
  static const char *const what[3] = {"x of a point", "y of a point", "z of a point"};
  double rounding = 4 * DBL_EPSILON * thud_verify_shape_size(given);
  if (!compare(l, "number of points", (double)found->point_count, (double)given->point_count, 0)) return false;
  if (!compare(l, "number of triangles", (double)found->triangle_count, (double)given->triangle_count, 0)) return false;
  for (size_t k = 0; k < given->point_count; k++)
    if (!compare_vector(l, what, found->points[k], given->points[k], rounding)) return false;
  for (size_t k = 0; k < 3 * given->triangle_count; k++)
    if (!compare(l, "corner of a triangle", (double)found->triangles[k], (double)given->triangles[k], 0)) return false;
  return compare(l, "openness", found->open, given->open, 0);
}

/* Sizes of drums and scaled bodies are products of a few numbers and tangents. */
static bool compare_sizes(const listing *l, const verify_shape *found, const verify_shape *given) {
  static const char *const what[3] = {"half the extent along x", "half the extent along y", "half the extent along z"};
  double rounding = 16 * DBL_EPSILON;
  return compare(l, "radius", found->radius, given->radius, rounding * given->radius) &&
         compare(l, "half the length", found->half_length, given->half_length, rounding * given->half_length) &&
         compare_vector(l, what, found->half, given->half, rounding * thud_vec3_norm(given->half));
}

static bool compare_shape(const listing *l, size_t number, size_t of_scene) {
  const verify_shape *found = &l->shapes[number], *given = &l->bodies->shape[of_scene];
  if (l->same[of_scene] == number + 1) return true;
  bool surfaces = thud_verify_shape_is_surface(found) && thud_verify_shape_is_surface(given);
  if (found->kind != given->kind && !surfaces) {
    thud_verify_fail(l->check, NAN, SIZE_MAX, "the shape of body '%s' is a %s, the scene gives a %s", l->name,
                     thud_verify_form_of(found)->name, thud_verify_form_of(given)->name);
    return false;
  }
  const verify_form *form = thud_verify_form_of(given);
  bool same = compare_sizes(l, found, given) && (!form->listed || compare_surfaces(l, found, given)) &&
              (!form->corners || compare_hulls(l, found, of_scene));
  if (same) l->same[of_scene] = number + 1;
  return same;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------------------- */

/* Sizes of a body about its centre of mass, by how much rounding may change mass, centre and inertia, relative to the mass,
 * the size and mass times size^2. */
typedef struct body_room {
  double size, reach; /* about the centre; about the origin of the body's frame */
  double rounding;
  bool plain; /* one part that is not turned: every moment has a closed form of its own */
} body_room;

static body_room room_of(const listing *l, const verify_rigid *body) {
  const verify_bodies *bodies = l->bodies;
  body_room room = {.plain = body->part_count == 1};
  double merging = 0;
  for (size_t k = 0; k < body->part_count; k++) {
    const verify_part *part = &bodies->part[body->first_part + k];
    const verify_shape *shape = &bodies->shape[part->shape];
    const thud_mat3 R = part->place.R;
    double own = thud_verify_shape_is_half_space(shape) ? 0 : thud_verify_shape_size(shape);
    room.size = fmax(room.size, thud_vec3_norm(part->place.x0) + own);
    bool corners = thud_verify_form_of(shape)->corners;
    room.plain = room.plain && R.cx.x == 1 && R.cy.y == 1 && R.cz.z == 1 && !corners;
    if (corners && !bodies->planar) merging = fmax(merging, l->slack[part->shape]);
  }
  room.reach = room.size + thud_vec3_norm(body->centre);
  room.rounding = (ROUNDINGS + 4 * (double)body->part_count) * DBL_EPSILON + 4 * merging;
  return room;
}

static bool compare_mass(const listing *l, const verify_rigid *found, const verify_rigid *given,
                         const body_room *room) {
  static const char *const centre[3] = {"centre x", "centre y", "centre z"};
  static const char *const inertia[9] = {"inertia xx", "inertia yx", "inertia zx", "inertia xy", "inertia yy",
                                         "inertia zy", "inertia xz", "inertia yz", "inertia zz"};
  double a[9], b[9], blur = room->plain ? 0 : room->rounding * given->mass * room->size * room->reach;
  if (!compare(l, "mass", found->mass, given->mass, room->rounding * given->mass)) return false;
  if (!compare_vector(l, centre, found->centre, given->centre, room->rounding * room->reach)) return false;
  thud_mat3_store(found->inertia, a);
  thud_mat3_store(given->inertia, b);
  for (int k = 0; k < 9; k++)
    if (!compare(l, inertia[k], a[k], b[k], room->rounding * fabs(b[k]) + blur)) return false;
  return true;
}

static bool compare_material(const listing *l, int64_t found, size_t given) {
  const thud_node *node = found >= 0 ? thud_node_item(l->materials, (size_t)found) : NULL;
  const char *name = node != NULL && thud_node_get_kind(node) == THUD_NODE_STRING ? thud_node_string(node) : "(none)";
  if (strcmp(name, l->bodies->material[given]) == 0) return true;
  thud_verify_fail(l->check, NAN, SIZE_MAX, "the material of body '%s' is '%s', the scene gives '%s'", l->name, name,
                   l->bodies->material[given]);
  return false;
}

typedef struct listed_part {
  int64_t shape, material;
  thud_quat turn;
  thud_vec3 x;
} listed_part;

static thud_error read_part(const listing *l, const thud_node *map, listed_part *part) {
  const thud_node *rotation;
  double q[4] = {1, 0, 0, 0};
  *part = (listed_part){.shape = -1, .material = -1};
  thud_error error = thud_node_expect(map, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_node_require(map, "rotation", &rotation);
  if (error == THUD_OK) error = thud_node_read_numbers(rotation, 4, q);
  if (error == THUD_OK) error = read_whole(map, "shape", 0, (int64_t)l->shape_count - 1, &part->shape);
  if (error == THUD_OK)
    error = read_whole(map, "material", -1, (int64_t)thud_node_count(l->materials) - 1, &part->material);
  if (error == THUD_OK) error = read_vector(map, "position", dimension(l), &part->x);
  if (error == THUD_OK && part->shape < 0) error = thud_node_fail(map, THUD_ERROR_SCHEMA, "a part has a shape");
  part->turn = thud_quat_make(q[0], q[1], q[2], q[3]);
  return error;
}

static bool compare_place(const listing *l, const listed_part *part, const verify_place *given, const body_room *room) {
  static const char *const where[3] = {"x of a part", "y of a part", "z of a part"};
  static const char *const turned[3] = {"rotation of a part", "rotation of a part", "rotation of a part"};
  double rounding = 16 * DBL_EPSILON;
  thud_mat3 R = thud_quat_to_matrix(part->turn);
  return compare_vector(l, where, part->x, given->x0, room->rounding * room->reach) &&
         compare(l, "norm of the rotation of a part", thud_quat_norm(part->turn), 1, rounding) &&
         compare_vector(l, turned, R.cx, given->R.cx, rounding) &&
         compare_vector(l, turned, R.cy, given->R.cy, rounding) &&
         compare_vector(l, turned, R.cz, given->R.cz, rounding);
}

/* Shapes come first: what merging changed of hulls decides how far masses and places may be off. */
static thud_error compare_parts(const listing *l, const listed_type *type, const verify_rigid *given, bool *same) {
  const verify_part *parts = &l->bodies->part[given->first_part];
  listed_part part;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < given->part_count && *same && error == THUD_OK; k++) {
    error = read_part(l, thud_node_item(type->parts, k), &part);
    if (error == THUD_OK)
      *same =
          compare_material(l, part.material, parts[k].material) && compare_shape(l, (size_t)part.shape, parts[k].shape);
  }
  if (error != THUD_OK || !*same) return error;
  body_room room = room_of(l, given);
  *same = compare_mass(l, &type->body, given, &room);
  for (size_t k = 0; k < given->part_count && *same && error == THUD_OK; k++) {
    error = read_part(l, thud_node_item(type->parts, k), &part);
    if (error == THUD_OK) *same = compare_place(l, &part, &parts[k].place, &room);
  }
  return error;
}

static thud_error compare_texts(const listing *l, const thud_node *map, const char *key, size_t count,
                                const char *const *given, bool *same) {
  const thud_node *list = thud_node_find(map, key);
  thud_error error = THUD_OK;
  if (list == NULL || thud_node_get_kind(list) != THUD_NODE_SEQUENCE || thud_node_count(list) != count) {
    thud_verify_fail(l->check, NAN, SIZE_MAX, "the %s of body '%s' is missing in the list of bodies", key, l->name);
    *same = false;
  }
  for (size_t k = 0; *same && k < count && error == THUD_OK; k++) {
    const char *text;
    error = thud_node_read_string(thud_node_item(list, k), &text);
    if (error == THUD_OK) *same = compare_text(l, key, text, given[k]);
  }
  return error;
}

/* Functions of a program are named as such in the list. */
static bool compare_told(const listing *l, const listed_type *type, const verify_rigid *given) {
  bool force = given->push != NULL && given->push->told, path = given->path != NULL && given->path->told;
  bool same = (!force || (thud_verify_is_told(thud_node_find(type->map, "force")) &&
                          thud_node_find(type->map, "torque") == NULL)) &&
              (!path || thud_verify_is_told(thud_node_find(type->map, "path")));
  if (!same)
    thud_verify_fail(l->check, NAN, SIZE_MAX, "the list of bodies does not say that '%s' moves by functions", l->name);
  return same;
}

/* Forces and paths, which the scene has as texts; the list must not have others. */
static thud_error compare_motion(const listing *l, const listed_type *type, const verify_rigid *given, bool *same) {
  static const char *const keys[3] = {"force", "torque", "path"}, *const axis[3] = {"axis x", "axis y", "axis z"};
  bool planar = l->bodies->planar;
  thud_vec3 direction = {0, 0, 1};
  thud_error error = THUD_OK;
  for (int k = 0; k < 3 && *same; k++) {
    bool there = k < 2 ? given->push != NULL : given->path != NULL;
    if (there || thud_node_find(type->map, keys[k]) == NULL) continue;
    thud_verify_fail(l->check, NAN, SIZE_MAX, "body '%s' has a %s in the list of bodies, the scene gives none", l->name,
                     keys[k]);
    *same = false;
  }
  if (*same) *same = compare_told(l, type, given);
  if (*same && given->push != NULL && given->push->told) return error;
  if (*same && given->path != NULL && given->path->told) return error;
  if (*same && given->push != NULL)
    error = compare_texts(l, type->map, "force", planar ? 2 : 3, given->push->text, same);
  if (error == THUD_OK && *same && given->push != NULL)
    error = compare_texts(l, type->map, "torque", planar ? 1 : 3, given->push->text + (planar ? 5 : 3), same);
  if (error == THUD_OK && *same && given->path != NULL)
    error = compare_texts(l, type->map, "path", 4, given->path->text, same);
  if (error != THUD_OK || !*same || given->path == NULL || planar) return error;
  error = read_vector(type->map, "axis", 3, &direction);
  if (error == THUD_OK) *same = compare_vector(l, axis, direction, given->path->axis, 4 * DBL_EPSILON);
  return error;
}

/* The list of a merged hull has fewer corners; its numbers are used if they agree within the tolerance of merging. */
static void adopt(const listing *l, size_t i, const verify_rigid *found) {
  verify_bodies *bodies = l->bodies;
  verify_rigid *body = &bodies->body[i];
  thud_mat3 inverse;
  if (body->role != VERIFY_DYNAMIC || !bodies->start[i].is_hull || !thud_mat3_inverse(found->inertia, &inverse)) return;
  thud_vec3 moved = thud_vec3_subtract(found->centre, body->centre);
  for (size_t k = 0; k < body->part_count; k++) {
    verify_part *part = &bodies->part[body->first_part + k];
    part->place.x0 = thud_vec3_subtract(part->place.x0, moved);
  }
  l->moved[i] = moved;
  bodies->start[i].state.x = thud_vec3_add(bodies->start[i].state.x, thud_quat_rotate(body->q, moved));
  body->mass = found->mass;
  body->centre = found->centre;
  body->inertia = found->inertia;
  body->inverse = inverse;
}

static thud_error compare_body(const listing *l, size_t i, const listed_type *type, bool *same) {
  static const char *const roles[] = {"dynamic", "fixed", "kinematic"};
  const verify_rigid *given = &l->bodies->body[i], *found = &type->body;
  *same = compare_text(l, "role", roles[found->role], roles[given->role]) &&
          compare(l, "absent", found->absent, given->absent, 0) &&
          compare_size(l, "gravity_scale", found->gravity_scale, given->gravity_scale) &&
          compare(l, "group", (double)found->group, (double)given->group, 0) &&
          compare(l, "category", found->category, given->category, 0) &&
          compare(l, "mask", found->mask, given->mask, 0) &&
          compare(l, "number of parts", (double)found->part_count, (double)given->part_count, 0);
  thud_error error = *same ? compare_parts(l, type, given, same) : THUD_OK;
  return error == THUD_OK && *same ? compare_motion(l, type, given, same) : error;
}

static thud_error compare_bodies(listing *l) {
  size_t count = l->bodies->count;
  thud_error error = THUD_OK;
  if (thud_node_count(l->names) != count || thud_node_count(l->numbers) != count) {
    thud_verify_fail(l->check, NAN, SIZE_MAX, "the list has %zu bodies and %zu types, the scene gives %zu",
                     thud_node_count(l->names), thud_node_count(l->numbers), count);
    return THUD_OK;
  }
  l->what = "body";
  for (size_t i = 0; i < count && error == THUD_OK; i++) {
    const char *name;
    int64_t type = 0;
    bool same = true;
    l->name = l->bodies->body[i].name;
    error = thud_node_read_integer(thud_node_item(l->numbers, i), 0, (int64_t)l->type_count - 1, &type);
    if (error == THUD_OK) error = thud_node_read_string(thud_node_item(l->names, i), &name);
    if (error != THUD_OK) return error;
    if (!compare_text(l, "the name", name, l->name)) return THUD_OK;
    error = compare_body(l, i, &l->types[type], &same);
    if (error == THUD_OK && same) adopt(l, i, &l->types[type].body);
  }
  for (size_t k = 0; k < l->bodies->spring_count; k++) {
    verify_spring *spring = &l->bodies->spring[k];
    spring->at_a = thud_vec3_subtract(spring->at_a, l->moved[spring->a]);
    if (spring->b != SIZE_MAX) spring->at_b = thud_vec3_subtract(spring->at_b, l->moved[spring->b]);
  }
  for (size_t k = 0; k < l->bodies->joint_count; k++) {
    verify_joint *joint = &l->bodies->joint[k];
    joint->at_a = thud_vec3_subtract(joint->at_a, l->moved[joint->a]);
    if (joint->b != SIZE_MAX) joint->at_b = thud_vec3_subtract(joint->at_b, l->moved[joint->b]);
  }
  return error;
}

/* ---- springs, laws, gravity ---------------------------------------------------------------------------------------------------- */

static thud_error compare_spring(listing *l, const thud_node *map, size_t k) {
  static const char *const at_a[3] = {"point_a x", "point_a y", "point_a z"};
  static const char *const at_b[3] = {"point_b x", "point_b y", "point_b z"};
  const verify_bodies *bodies = l->bodies;
  const verify_spring *given = &bodies->spring[k];
  verify_spring found = {0};
  int64_t a = -1, b = -1, most = (int64_t)bodies->count - 1;
  const thud_node *named = thud_node_find(map, "name");
  l->name = named != NULL && thud_node_get_kind(named) == THUD_NODE_STRING ? thud_node_string(named) : "";
  thud_error error = read_whole(map, "a", 0, most, &a);
  if (error == THUD_OK) error = read_whole(map, "b", -1, most, &b);
  if (error == THUD_OK) error = read_vector(map, "point_a", dimension(l), &found.at_a);
  if (error == THUD_OK) error = read_vector(map, "point_b", dimension(l), &found.at_b);
  if (error == THUD_OK) error = read_plain(map, "length", &found.length);
  if (error == THUD_OK) error = read_plain(map, "stiffness", &found.stiffness);
  if (error == THUD_OK) error = read_plain(map, "damping", &found.damping);
  if (error != THUD_OK) return error;
  body_room first = room_of(l, &bodies->body[given->a]), second = first;
  if (given->b != SIZE_MAX) second = room_of(l, &bodies->body[given->b]);
  double reach_a = first.reach + thud_vec3_norm(given->at_a), reach_b = second.reach + thud_vec3_norm(given->at_b);
  l->what = "spring";
  (void)(compare(l, "body a", (double)a, (double)given->a, 0) &&
         compare(l, "body b", (double)b, given->b != SIZE_MAX ? (double)given->b : -1, 0) &&
         compare_vector(l, at_a, found.at_a, given->at_a, first.rounding * reach_a) &&
         compare_vector(l, at_b, found.at_b, given->at_b, second.rounding * reach_b) &&
         compare_size(l, "length", found.length, given->length) &&
         compare_size(l, "stiffness", found.stiffness, given->stiffness) &&
         compare_size(l, "damping", found.damping, given->damping));
  return THUD_OK;
}

static thud_error compare_springs(listing *l) {
  thud_error error = THUD_OK;
  if (thud_node_count(l->springs) != l->bodies->spring_count)
    thud_verify_fail(l->check, NAN, SIZE_MAX, "the list has %zu springs, the scene gives %zu",
                     thud_node_count(l->springs), l->bodies->spring_count);
  for (size_t k = 0; k < l->bodies->spring_count && k < thud_node_count(l->springs) && error == THUD_OK; k++) {
    const thud_node *map = thud_node_item(l->springs, k);
    error = thud_node_expect(map, THUD_NODE_MAP);
    if (error == THUD_OK) error = compare_spring(l, map, k);
  }
  return error;
}

/* Records of earlier versions do not list the length of a joint, nor whether it is there at the start. Lengths are sums of
 * terms as large as the places of bodies. */
static thud_error compare_joint_more(const listing *l, const thud_node *map, const verify_joint *given) {
  const thud_node *absent = thud_node_find(map, "absent");
  bool is_rope = given->kind == VERIFY_JOINT_ROPE, found_absent = given->off;
  double should = is_rope ? given->law[0].limit[1] : given->length, length = should;
  thud_error error = THUD_OK;
  if (thud_node_find(map, "length") != NULL) error = read_plain(map, "length", &length);
  if (error == THUD_OK && absent != NULL) error = thud_node_read_bool(absent, &found_absent);
  if (error != THUD_OK || !compare(l, "length", length, should, 1e-9 * (should + l->bodies->extent))) return error;
  compare(l, "absence", found_absent, given->off, 0);
  return THUD_OK;
}

/* What pictures show of joints. */
static thud_error compare_joint(listing *l, const thud_node *map, size_t k) {
  static const char *const names[5][3] = {{"point_a x", "point_a y", "point_a z"},
                                          {"point_b x", "point_b y", "point_b z"},
                                          {"axis_a x", "axis_a y", "axis_a z"},
                                          {"over_a x", "over_a y", "over_a z"},
                                          {"over_b x", "over_b y", "over_b z"}};
  static const char *const keys[5] = {"point_a", "point_b", "axis_a", "over_a", "over_b"};
  static const double turned = 1e-9; /* of axes */
  const verify_bodies *bodies = l->bodies;
  const verify_joint *given = &bodies->joint[k];
  const thud_vec3 should[5] = {given->at_a, given->at_b, given->in_a.cx, given->over[0], given->over[1]};
  int64_t kind = 0, a = -1, b = -1, springs = 0, sprung = 0, most = (int64_t)bodies->count - 1;
  thud_vec3 found[5] = {{0, 0, 0}};
  const thud_node *named = thud_node_find(map, "name");
  l->name = named != NULL && thud_node_get_kind(named) == THUD_NODE_STRING ? thud_node_string(named) : "";
  thud_error error = read_whole(map, "kind", 0, INT32_MAX, &kind);
  if (error == THUD_OK) error = read_whole(map, "a", 0, most, &a);
  if (error == THUD_OK) error = read_whole(map, "b", -1, most, &b);
  if (error == THUD_OK && thud_node_find(map, "springs") != NULL) error = read_whole(map, "springs", 0, 7, &springs);
  for (int c = 0; c < VERIFY_LAWS; c++)
    if (given->law[c].stiffness > 0 || given->law[c].damping > 0) sprung |= 1 << c;
  for (int i = 0; i < 5 && error == THUD_OK; i++) error = read_vector(map, keys[i], dimension(l), &found[i]);
  if (error != THUD_OK) return error;
  body_room first = room_of(l, &bodies->body[given->a]), second = first;
  if (given->b != SIZE_MAX) second = room_of(l, &bodies->body[given->b]);
  const double tolerance[5] = {first.rounding * (first.reach + thud_vec3_norm(given->at_a)) + 1e-12 * bodies->extent,
                               second.rounding * (second.reach + thud_vec3_norm(given->at_b)) + 1e-12 * bodies->extent,
                               turned, 4 * DBL_EPSILON * thud_vec3_norm(given->over[0]),
                               4 * DBL_EPSILON * thud_vec3_norm(given->over[1])};
  l->what = "joint";
  bool same = compare(l, "kind", (double)kind, (double)given->kind, 0) &&
              compare(l, "body a", (double)a, (double)given->a, 0) &&
              compare(l, "body b", (double)b, given->b != SIZE_MAX ? (double)given->b : -1, 0) &&
              compare(l, "springs", (double)springs, (double)sprung, 0);
  for (int i = 0; i < 5 && same; i++) same = compare_vector(l, names[i], found[i], should[i], tolerance[i]);
  return same ? compare_joint_more(l, map, given) : THUD_OK;
}

/* Records of earlier versions do not list them. */
static thud_error compare_joints(listing *l) {
  thud_error error = THUD_OK;
  if (l->joints == NULL) return THUD_OK;
  if (thud_node_count(l->joints) != l->bodies->joint_count)
    thud_verify_fail(l->check, NAN, SIZE_MAX, "the list has %zu joints, the scene gives %zu",
                     thud_node_count(l->joints), l->bodies->joint_count);
  for (size_t k = 0; k < l->bodies->joint_count && k < thud_node_count(l->joints) && error == THUD_OK; k++) {
    const thud_node *map = thud_node_item(l->joints, k);
    error = thud_node_expect(map, THUD_NODE_MAP);
    if (error == THUD_OK) error = compare_joint(l, map, k);
  }
  return error;
}

/* The material of the scene with the name that the list has under a number. */
static thud_error find_material(const listing *l, const thud_node *map, const char *key, size_t *material) {
  int64_t number = 0;
  const char *name;
  thud_error error = read_whole(map, key, 0, (int64_t)thud_node_count(l->materials) - 1, &number);
  if (error == THUD_OK) error = thud_node_read_string(thud_node_item(l->materials, (size_t)number), &name);
  if (error != THUD_OK) return error;
  for (*material = 0; *material < l->bodies->material_count; ++*material)
    if (strcmp(l->bodies->material[*material], name) == 0) return THUD_OK;
  return thud_node_fail(map, THUD_ERROR_SCHEMA, "the scene has no material '%s'", name);
}

static thud_error compare_law(const listing *l, const thud_node *map, bool *found) {
  const verify_bodies *bodies = l->bodies;
  verify_contact_law law = {.mu_across = -1, .axis = {1, 0, 0}};
  size_t first = 0, second = 0, k = 0;
  thud_error error = thud_node_expect(map, THUD_NODE_MAP);
  if (error == THUD_OK) error = find_material(l, map, "first", &first);
  if (error == THUD_OK) error = find_material(l, map, "second", &second);
  if (error == THUD_OK) error = read_plain(map, "friction", &law.mu);
  if (error == THUD_OK) error = read_plain(map, "friction_across", &law.mu_across);
  if (error == THUD_OK) error = read_plain(map, "restitution", &law.restitution);
  if (error == THUD_OK) error = read_plain(map, "rolling", &law.rolling);
  if (error == THUD_OK) error = read_plain(map, "spinning", &law.spinning);
  if (error == THUD_OK && thud_node_find(map, "axis") != NULL) error = read_vector(map, "axis", 3, &law.axis);
  if (error != THUD_OK) return error;
  for (; k < bodies->pair_count; k++) {
    const verify_material_pair *pair = &bodies->pair[k];
    bool straight = pair->first == first && pair->second == second;
    if (!straight && (pair->first != second || pair->second != first)) continue;
    bool ordered = straight || pair->law.mu_across < 0;
    found[k] = true;
    if (ordered && thud_verify_same_law(&pair->law, &law)) return THUD_OK;
    break;
  }
  thud_verify_fail(l->check, NAN, SIZE_MAX, "the law between '%s' and '%s' is not what the materials say",
                   bodies->material[first], bodies->material[second]);
  return THUD_OK;
}

/* Every pair of materials of the scene has one law; parts without a material may have one. */
static thud_error compare_laws(const listing *l) {
  const verify_bodies *bodies = l->bodies;
  const thud_node *laws;
  bool *found = THUD_NEW_ARRAY(bodies->scene.context, bool, bodies->pair_count);
  if (found == NULL) return THUD_ERROR_MEMORY;
  thud_error error = read_list(l->all, "laws", &laws);
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(laws); k++)
    error = compare_law(l, thud_node_item(laws, k), found);
  for (size_t k = 0; error == THUD_OK && k < bodies->pair_count; k++) {
    const verify_material_pair *pair = &bodies->pair[k];
    bool bare = pair->first + 1 == bodies->material_count || pair->second + 1 == bodies->material_count;
    if (!found[k] && !bare)
      thud_verify_fail(l->check, NAN, SIZE_MAX, "the law between '%s' and '%s' is missing in the list of bodies",
                       bodies->material[pair->first], bodies->material[pair->second]);
  }
  thud_free(bodies->scene.context, found);
  return error;
}

static thud_error compare_space(const listing *l) {
  const thud_node *planar;
  bool plane = false;
  thud_vec3 g = {0, 0, 0}, given = l->bodies->gravity;
  thud_error error = thud_node_require(l->all, "planar", &planar);
  if (error == THUD_OK) error = thud_node_read_bool(planar, &plane);
  if (error == THUD_OK && plane != l->bodies->planar)
    thud_verify_fail(l->check, NAN, SIZE_MAX, "the list of bodies is %s, the scene is not",
                     plane ? "of the plane" : "in space");
  if (error == THUD_OK) error = read_vector(l->all, "gravity", dimension(l), &g);
  if (error == THUD_OK && thud_vec3_distance(g, given) > 4 * DBL_EPSILON * thud_vec3_norm(given))
    thud_verify_fail(l->check, NAN, SIZE_MAX,
                     "the gravity of the list of bodies is (%.9g, %.9g, %.9g), the scene gives (%.9g, %.9g, %.9g)", g.x,
                     g.y, g.z, given.x, given.y, given.z);
  return error;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------------ */

thud_error thud_verify_bodies_check_model(verify_bodies *bodies, const thud_node *root, thud_verify_check *check) {
  thud_context *context = bodies->scene.context;
  listing l = {.bodies = bodies, .check = check, .what = "body", .name = ""};
  thud_error error = thud_node_require(root, "all_bodies", &l.all);
  if (error == THUD_OK) error = read_listing(&l);
  if (error == THUD_OK) error = compare_space(&l);
  if (error == THUD_OK) error = compare_laws(&l);
  if (error == THUD_OK) error = compare_bodies(&l);
  if (error == THUD_OK) error = compare_springs(&l);
  if (error == THUD_OK) error = compare_joints(&l);
  if (error != THUD_OK && error != THUD_ERROR_MEMORY) {
    thud_verify_fail(check, NAN, SIZE_MAX, "the list of bodies cannot be used: %s", thud_context_last_message(context));
    error = THUD_OK;
  }
  if (error == THUD_OK && check->status == THUD_VERIFY_PASSED)
    thud_verify_explain(check, "%zu bod%s, %zu spring%s and laws of %zu material%s, rebuilt from the scene",
                        bodies->count, bodies->count == 1 ? "y" : "ies", bodies->spring_count,
                        thud_plural(bodies->spring_count), bodies->material_count - 1,
                        thud_plural(bodies->material_count - 1));
  for (size_t k = 0; k < l.shape_count; k++) thud_verify_free_shape(context, &l.shapes[k]);
  thud_free(context, l.shapes);
  thud_free(context, l.types);
  thud_free(context, l.same);
  thud_free(context, l.slack);
  thud_free(context, l.moved);
  return error;
}
