/* `all_bodies` of a record (bodies_describe.c writes it), read for pictures: shapes, where they sit on the bodies, names,
 * roles, springs and joints. Masses, laws and forces are left alone, and so is everything that made the bodies. */
#include "kinds/bodies/bodies_scene.h"

#include <math.h>
#include <string.h>

/* The list while it is read; of the view's arrays, as they are filled. */
typedef struct shown_reader {
  bodies_shown *shown;
  size_t dimension; /* numbers of a vector: 2 or 3 */
  const thud_node *types;
  size_t type_count;
  thud_index *type; /* [count] of every body */
  thud_index *part_start, *part_body, *part_shape_number;
  const thud_shape **part_shape;
  thud_pose *part_pose;
} shown_reader;

static void *room_for(const shown_reader *reader, size_t count, size_t size) {
  return thud_arena_alloc(reader->shown->arena, count > 0 ? count : 1, size);
}

static thud_error require_list(const thud_node *map, const char *key, const thud_node **list, size_t *count) {
  thud_error error = thud_node_require(map, key, list);
  if (error == THUD_OK) error = thud_node_expect(*list, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  *count = thud_node_count(*list);
  return *count < INT32_MAX / 3 ? THUD_OK
                                : thud_node_fail(*list, THUD_ERROR_FORMAT, "[record-damaged] this list is too long");
}

/* ---- numbers --------------------------------------------------------------------------------------------------------- */

static thud_error read_vector(const shown_reader *reader, const thud_node *map, const char *key, thud_vec3 *vector) {
  const thud_node *node;
  double values[3] = {0, 0, 0};
  thud_error error = thud_node_require(map, key, &node);
  if (error == THUD_OK) error = thud_node_read_numbers(node, reader->dimension, values);
  if (error == THUD_OK) *vector = thud_vec3_load(values);
  return error;
}

/* The number of an entry in a list of so many; `least` -1: or none. */
static thud_error read_number_of(const thud_node *map, const char *key, int64_t least, thud_index count,
                                 thud_index *number) {
  const thud_node *node;
  int64_t value = 0;
  thud_error error = thud_node_require(map, key, &node);
  if (error == THUD_OK) error = thud_node_read_integer(node, least, (int64_t)count - 1, &value);
  if (error == THUD_OK) *number = (thud_index)value;
  return error;
}

static thud_error read_optional(const thud_node *map, const char *key, size_t count, double *values) {
  const thud_node *node = thud_node_find(map, key);
  if (node == NULL) return THUD_OK;
  return count == 1 ? thud_node_read_number(node, values) : thud_node_read_numbers(node, count, values);
}

/* ---- shapes ---------------------------------------------------------------------------------------------------------- */

/* Numbers of a list that may be missing: *count of them, freed with thud_free, also after a failure. */
static thud_error read_array(thud_context *context, const thud_node *map, const char *key, double **values,
                             size_t *count) {
  const thud_node *list = thud_node_find(map, key);
  if (list == NULL) return THUD_OK;
  thud_error error = require_list(map, key, &list, count);
  if (error != THUD_OK) return error;
  *values = THUD_NEW_ARRAY(context, double, *count);
  return *values != NULL ? thud_node_read_numbers(list, *count, *values) : THUD_ERROR_MEMORY;
}

/* Arrays of one shape's def, which copies them. */
typedef struct shape_arrays {
  double *points, *heights, *corners;
  thud_index *triangles;
  size_t point_numbers, height_count, corner_count;
} shape_arrays;

static thud_error read_triangles(thud_context *context, const thud_node *node, shape_arrays *arrays,
                                 thud_shape_def *def) {
  const thud_node *open = thud_node_find(node, "open");
  thud_error error = read_array(context, node, "triangles", &arrays->corners, &arrays->corner_count);
  if (error != THUD_OK || arrays->corner_count == 0) return error;
  arrays->triangles = THUD_NEW_ARRAY(context, thud_index, arrays->corner_count);
  if (arrays->triangles == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < arrays->corner_count; k++) {
    double corner = arrays->corners[k];
    if (!(corner >= 0 && corner < (double)def->point_count && corner == floor(corner)))
      return thud_node_fail(node, THUD_ERROR_FORMAT, "[record-damaged] %g is not the number of a point of this shape",
                            corner);
    arrays->triangles[k] = (thud_index)corner;
  }
  def->triangles = arrays->triangles;
  def->triangle_count = (thud_index)(arrays->corner_count / 3);
  return open != NULL ? thud_node_read_bool(open, &def->open) : THUD_OK;
}

static thud_error read_heights(thud_context *context, const thud_node *node, shape_arrays *arrays,
                               thud_shape_def *def) {
  thud_error error = read_array(context, node, "heights", &arrays->heights, &arrays->height_count);
  if (error != THUD_OK || arrays->height_count == 0) return error;
  error = read_number_of(node, "columns", 2, INT32_MAX, &def->columns);
  if (error == THUD_OK) error = read_number_of(node, "rows", 2, INT32_MAX, &def->rows);
  if (error == THUD_OK && (size_t)def->columns * (size_t)def->rows != arrays->height_count)
    error = thud_node_fail(node, THUD_ERROR_FORMAT, "[record-damaged] %d x %d heights are %zu numbers",
                           (int)def->columns, (int)def->rows, arrays->height_count);
  def->heights = arrays->heights;
  return error == THUD_OK ? read_optional(node, "spacing", 2, def->spacing) : error;
}

static thud_error read_def(const shown_reader *reader, const thud_node *node, shape_arrays *arrays,
                           thud_shape_def *def) {
  thud_context *context = reader->shown->context;
  const thud_node *word;
  const char *name;
  thud_shape_kind kind = 0;
  thud_error error = thud_node_require(node, "kind", &word);
  if (error == THUD_OK) error = thud_node_read_string(word, &name);
  if (error == THUD_OK && !thud_shape_kind_find(name, &kind))
    error = thud_node_fail(word, THUD_ERROR_FORMAT, "[record-damaged] '%s' is no kind of shape that this program knows",
                           name);
  if (error != THUD_OK) return error;
  *def = thud_shape_def_default(kind);
  error = read_optional(node, "radius", 1, &def->radius);
  if (error == THUD_OK) error = read_optional(node, "half_length", 1, &def->half_length);
  if (error == THUD_OK) error = read_optional(node, "half", reader->dimension, def->half);
  if (error == THUD_OK) error = read_array(context, node, "points", &arrays->points, &arrays->point_numbers);
  if (error != THUD_OK) return error;
  def->points = arrays->points;
  def->point_count = (thud_index)(arrays->point_numbers / 3);
  error = read_triangles(context, node, arrays, def);
  return error == THUD_OK ? read_heights(context, node, arrays, def) : error;
}

static thud_error read_shape(const shown_reader *reader, const thud_node *node, thud_shape **shape) {
  thud_context *context = reader->shown->context;
  shape_arrays arrays = {0};
  thud_shape_def def;
  thud_error error = read_def(reader, node, &arrays, &def);
  if (error == THUD_OK) error = thud_bodies_blame(node, thud_shape_create(context, &def, shape));
  thud_free(context, arrays.points);
  thud_free(context, arrays.heights);
  thud_free(context, arrays.corners);
  thud_free(context, arrays.triangles);
  return error;
}

static thud_error read_shapes(shown_reader *reader, const thud_node *all) {
  bodies_shown *shown = reader->shown;
  const thud_node *list;
  size_t count;
  thud_error error = require_list(all, "shapes", &list, &count);
  if (error != THUD_OK) return error;
  shown->shapes = room_for(reader, count, sizeof *shown->shapes);
  if (shown->shapes == NULL) return THUD_ERROR_MEMORY;
  shown->view.shapes = (const thud_shape *const *)shown->shapes;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    error = read_shape(reader, thud_node_item(list, k), &shown->shapes[k]);
    if (error == THUD_OK) shown->view.shape_count++;
  }
  return error;
}

/* ---- bodies ---------------------------------------------------------------------------------------------------------- */

static thud_error keep_text(const shown_reader *reader, const thud_node *node, const char **kept) {
  const char *text;
  thud_error error = thud_node_read_string(node, &text);
  if (error != THUD_OK) return error;
  size_t size = strlen(text) + 1;
  char *room = room_for(reader, size, 1);
  if (room == NULL) return THUD_ERROR_MEMORY;
  *kept = memcpy(room, text, size);
  return THUD_OK;
}

static thud_error read_names(shown_reader *reader, const thud_node *all) {
  bodies_shown *shown = reader->shown;
  const thud_node *list;
  size_t count;
  thud_error error = require_list(all, "name", &list, &count);
  const char **names = error == THUD_OK ? room_for(reader, count, sizeof *names) : NULL;
  if (names == NULL) return error == THUD_OK ? THUD_ERROR_MEMORY : error;
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = keep_text(reader, thud_node_item(list, k), &names[k]);
  shown->view.name = names;
  shown->view.count = (thud_index)count;
  return error;
}

static thud_error read_type_numbers(shown_reader *reader, const thud_node *all) {
  const thud_node *list;
  size_t count;
  thud_error error = require_list(all, "types", &reader->types, &reader->type_count);
  if (error == THUD_OK) error = require_list(all, "type", &list, &count);
  if (error == THUD_OK && count != (size_t)reader->shown->view.count)
    error = thud_node_fail(list, THUD_ERROR_FORMAT, "[record-damaged] %zu bodies have types, %d have names", count,
                           (int)reader->shown->view.count);
  if (error != THUD_OK) return error;
  reader->type = room_for(reader, count, sizeof *reader->type);
  if (reader->type == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    int64_t number = 0;
    error = thud_node_read_integer(thud_node_item(list, k), 0, (int64_t)reader->type_count - 1, &number);
    reader->type[k] = (thud_index)number;
  }
  return error;
}

/* A type as it is read once, for all its bodies. */
typedef struct shown_type {
  unsigned char role;
  thud_index first, count; /* parts, in those of all types */
} shown_type;

static thud_error read_part(const shown_reader *reader, const thud_node *node, thud_pose *pose, thud_index *shape) {
  const thud_node *rotation;
  double q[4];
  thud_error error = read_number_of(node, "shape", 0, reader->shown->view.shape_count, shape);
  if (error == THUD_OK) error = read_vector(reader, node, "position", &pose->position);
  if (error == THUD_OK) error = thud_node_require(node, "rotation", &rotation);
  if (error == THUD_OK) error = thud_node_read_numbers(rotation, 4, q);
  if (error == THUD_OK) pose->rotation = thud_quat_make(q[0], q[1], q[2], q[3]);
  return error;
}

/* The parts of all types one after the other. */
typedef struct type_parts {
  shown_type *types; /* [type_count] */
  thud_pose *pose;   /* [count] */
  thud_index *shape; /* [count] */
  size_t count, pose_capacity, shape_capacity;
} type_parts;

static thud_error read_type(const shown_reader *reader, const thud_node *node, shown_type *type, type_parts *parts) {
  static const char *const roles[] = {"dynamic", "fixed", "kinematic", NULL};
  thud_context *context = reader->shown->context;
  const thud_node *role, *list;
  size_t count = 0;
  int number = 0;
  thud_error error = thud_node_require(node, "role", &role);
  if (error == THUD_OK) error = thud_node_read_choice(role, roles, &number);
  if (error == THUD_OK) error = require_list(node, "parts", &list, &count);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &parts->pose, &parts->pose_capacity, parts->count + count, sizeof *parts->pose);
  if (error == THUD_OK)
    error =
        thud_array_reserve(context, &parts->shape, &parts->shape_capacity, parts->count + count, sizeof *parts->shape);
  *type = (shown_type){(unsigned char)number, (thud_index)parts->count, (thud_index)count};
  for (size_t k = 0; k < count && error == THUD_OK; k++, parts->count++)
    error = read_part(reader, thud_node_item(list, k), &parts->pose[parts->count], &parts->shape[parts->count]);
  return error;
}

static thud_error allocate_parts(shown_reader *reader, size_t count) {
  size_t bodies = (size_t)reader->shown->view.count;
  reader->part_start = room_for(reader, bodies + 1, sizeof *reader->part_start);
  reader->part_body = room_for(reader, count, sizeof *reader->part_body);
  reader->part_shape_number = room_for(reader, count, sizeof *reader->part_shape_number);
  reader->part_shape = room_for(reader, count, sizeof *reader->part_shape);
  reader->part_pose = room_for(reader, count, sizeof *reader->part_pose);
  bool there = reader->part_start != NULL && reader->part_body != NULL && reader->part_shape_number != NULL &&
               reader->part_shape != NULL && reader->part_pose != NULL;
  return there ? THUD_OK : THUD_ERROR_MEMORY;
}

/* Every body gets the parts of its type. */
static thud_error spread_parts(shown_reader *reader, const type_parts *parts) {
  bodies_shown *shown = reader->shown;
  thud_bodies_view *view = &shown->view;
  size_t total = 0;
  for (thud_index i = 0; i < view->count; i++) total += (size_t)parts->types[reader->type[i]].count;
  unsigned char *role = room_for(reader, (size_t)view->count, 1);
  thud_error error = role != NULL && total < INT32_MAX ? allocate_parts(reader, total) : THUD_ERROR_MEMORY;
  if (error != THUD_OK) return error;
  thud_index at = 0;
  for (thud_index i = 0; i < view->count; i++) {
    const shown_type *type = &parts->types[reader->type[i]];
    role[i] = type->role;
    reader->part_start[i] = at;
    for (thud_index p = 0; p < type->count; p++, at++) {
      reader->part_body[at] = i;
      reader->part_shape_number[at] = parts->shape[type->first + p];
      reader->part_shape[at] = shown->shapes[reader->part_shape_number[at]];
      reader->part_pose[at] = parts->pose[type->first + p];
    }
  }
  reader->part_start[view->count] = at;
  view->role = role;
  view->part_count = at;
  view->part_start = reader->part_start;
  view->part_body = reader->part_body;
  view->part_shape_number = reader->part_shape_number;
  view->part_shape = reader->part_shape;
  view->part_pose = reader->part_pose;
  return THUD_OK;
}

static thud_error read_types(shown_reader *reader) {
  thud_context *context = reader->shown->context;
  type_parts parts = {.types = room_for(reader, reader->type_count, sizeof *parts.types)};
  thud_error error = parts.types != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t k = 0; k < reader->type_count && error == THUD_OK; k++)
    error = read_type(reader, thud_node_item(reader->types, k), &parts.types[k], &parts);
  if (error == THUD_OK) error = spread_parts(reader, &parts);
  thud_free(context, parts.pose);
  thud_free(context, parts.shape);
  return error;
}

/* ---- springs --------------------------------------------------------------------------------------------------------- */

static thud_error read_springs(shown_reader *reader, const thud_node *all) {
  thud_bodies_view *view = &reader->shown->view;
  const thud_node *list;
  size_t count;
  thud_error error = require_list(all, "springs", &list, &count);
  if (error != THUD_OK) return error;
  thud_spring_def *springs = room_for(reader, count, sizeof *springs);
  thud_index *a = room_for(reader, count, sizeof *a), *b = room_for(reader, count, sizeof *b);
  if (springs == NULL || a == NULL || b == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    const thud_node *node = thud_node_item(list, k);
    springs[k] = thud_spring_def_default();
    error = read_number_of(node, "a", 0, view->count, &a[k]);
    if (error == THUD_OK) error = read_number_of(node, "b", -1, view->count, &b[k]);
    if (error == THUD_OK) error = read_vector(reader, node, "point_a", &springs[k].point_a);
    if (error == THUD_OK) error = read_vector(reader, node, "point_b", &springs[k].point_b);
  }
  view->springs = springs;
  view->spring_a = a;
  view->spring_b = b;
  view->spring_count = (thud_index)count;
  return error;
}

/* ---- joints ---------------------------------------------------------------------------------------------------------- */

/* What earlier versions did not write: a name for messages, the length of ropes, and whether it acts at the start. */
static thud_error read_joint_more(const shown_reader *reader, const thud_node *node, thud_joint *joint) {
  const thud_node *name = thud_node_find(node, "name"), *absent = thud_node_find(node, "absent");
  joint->name = "";
  thud_error error = name != NULL ? keep_text(reader, name, &joint->name) : THUD_OK;
  if (error == THUD_OK) error = read_optional(node, "length", 1, &joint->length);
  if (error == THUD_OK && absent != NULL) error = thud_node_read_bool(absent, &joint->absent);
  if (joint->kind == THUD_JOINT_ROPE) joint->law[0].limit[1] = joint->length;
  return error;
}

static thud_error read_shown_joint(const shown_reader *reader, const thud_node *node, thud_joint *joint) {
  thud_vec3 axis = {1, 0, 0};
  thud_index kind = 0, springs = 0;
  *joint = (thud_joint){.frame_a = thud_quat_identity(), .frame_b = thud_quat_identity()};
  thud_error error = read_number_of(node, "kind", 0, THUD_JOINT_KINDS, &kind);
  joint->kind = kind;
  if (error == THUD_OK) error = read_number_of(node, "a", 0, reader->shown->view.count, &joint->a);
  if (error == THUD_OK) error = read_number_of(node, "b", -1, reader->shown->view.count, &joint->b);
  if (error == THUD_OK) error = read_vector(reader, node, "point_a", &joint->point_a);
  if (error == THUD_OK) error = read_vector(reader, node, "point_b", &joint->point_b);
  if (error == THUD_OK) error = read_vector(reader, node, "axis_a", &axis);
  if (error == THUD_OK) error = read_vector(reader, node, "over_a", &joint->over_a);
  if (error == THUD_OK) error = read_vector(reader, node, "over_b", &joint->over_b);
  if (error == THUD_OK && thud_node_find(node, "springs") != NULL)
    error = read_number_of(node, "springs", 0, 1 << THUD_JOINT_LAWS, &springs);
  for (int c = 0; c < THUD_JOINT_LAWS; c++) joint->law[c].stiffness = springs >> c & 1;
  if (error == THUD_OK) error = read_joint_more(reader, node, joint);
  thud_vec3 turn = thud_vec3_cross(thud_vec3_make(1, 0, 0), axis);
  thud_quat half = thud_quat_make(1 + axis.x, turn.x, turn.y, turn.z); /* turns x into the axis */
  joint->frame_a = thud_quat_norm(half) > 1e-6 ? thud_quat_normalise(half) : thud_quat_make(0, 0, 0, 1);
  return error;
}

/* Scenes without joints, and records of earlier versions, have none. */
static thud_error read_joints(shown_reader *reader, const thud_node *all) {
  thud_bodies_view *view = &reader->shown->view;
  const thud_node *list;
  size_t count;
  if (thud_node_find(all, "joints") == NULL) return THUD_OK;
  thud_error error = require_list(all, "joints", &list, &count);
  if (error != THUD_OK) return error;
  thud_joint *joints = room_for(reader, count, sizeof *joints);
  if (joints == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = read_shown_joint(reader, thud_node_item(list, k), &joints[k]);
  view->joints = joints;
  view->joint_count = (thud_index)count;
  return error;
}

/* ---- the whole --------------------------------------------------------------------------------------------------------- */

thud_error thud_bodies_read_shown(thud_context *context, const thud_node *root, bodies_shown *shown) {
  const thud_node *all, *planar;
  *shown = (bodies_shown){.context = context};
  shown_reader reader = {.shown = shown};
  thud_error error = thud_arena_create(context, 65536, &shown->arena);
  if (error == THUD_OK) error = thud_node_require(root, "all_bodies", &all);
  if (error == THUD_OK) error = thud_node_require(all, "planar", &planar);
  if (error == THUD_OK) error = thud_node_read_bool(planar, &shown->view.planar);
  reader.dimension = shown->view.planar ? 2 : 3;
  if (error == THUD_OK) error = read_vector(&reader, all, "gravity", &shown->view.gravity);
  if (error == THUD_OK) error = read_shapes(&reader, all);
  if (error == THUD_OK) error = read_names(&reader, all);
  if (error == THUD_OK) error = read_type_numbers(&reader, all);
  if (error == THUD_OK) error = read_types(&reader);
  if (error == THUD_OK) error = read_springs(&reader, all);
  return error == THUD_OK ? read_joints(&reader, all) : error;
}

void thud_bodies_shown_free(bodies_shown *shown) {
  for (thud_index k = 0; k < shown->view.shape_count; k++) thud_shape_destroy(shown->shapes[k]);
  thud_arena_destroy(shown->arena);
}
