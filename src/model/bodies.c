/* Models of rigid bodies: life, shapes, bodies by id and name, parts and springs. */
#include "model/bodies.h"

#include <stdio.h>

/* ---- life --------------------------------------------------------------------------------------------------------- */

static thud_error check_gravity(thud_context *context, const thud_bodies_options *options) {
  for (int k = 0; k < 3; k++)
    if (!isfinite(options->gravity[k]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "bodies: component %d of gravity is not finite", k);
  if (options->planar && options->gravity[2] != 0)
    return thud_fail(
        context, THUD_ERROR_ARGUMENT,
        "[not-planar] bodies: gravity (%g, %g, %g) of a planar model points out of the plane z = 0; give (0, -9.81, 0)",
        options->gravity[0], options->gravity[1], options->gravity[2]);
  return THUD_OK;
}

thud_error thud_bodies_create(thud_context *context, const thud_bodies_options *options, thud_bodies **bodies) {
  THUD_REQUIRE(context, context, bodies);
  thud_bodies_options chosen = thud_bodies_options_default();
  thud_error error = THUD_OK;
  if (options != NULL) error = thud_bodies_take_def(context, "bodies", options, sizeof chosen, &chosen);
  if (error == THUD_OK) error = check_gravity(context, &chosen);
  if (error != THUD_OK) return error;
  thud_bodies *made = THUD_NEW(context, thud_bodies);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->planar = chosen.planar;
  made->gravity = thud_vec3_load(chosen.gravity);
  made->free_handle = -1;
  made->names = thud_names_new(context, NULL);
  made->joint_names = thud_names_new(context, NULL);
  *bodies = made;
  return THUD_OK;
}

void thud_bodies_destroy(thud_bodies *bodies) {
  if (bodies == NULL) return;
  thud_context *c = bodies->context;
  thud_bodies_forget(bodies);
  for (size_t k = 0; k < bodies->shape_count; k++) thud_shape_destroy(bodies->shapes[k]);
  for (size_t k = 0; k < bodies->material_count; k++) thud_free(c, bodies->material_names[k]);
  for (size_t i = 0; i < bodies->row_count; i++) thud_free(c, (void *)(uintptr_t)bodies->rows[i].name);
  for (size_t k = 0; k < bodies->spring_count; k++) thud_free(c, (void *)(uintptr_t)bodies->springs[k].name);
  thud_bodies_free_joints(bodies);
  thud_names_free(&bodies->names);
  void *parts[] = {bodies->shapes, bodies->materials,  bodies->material_names, bodies->pairs,   bodies->handles,
                   bodies->rows,   bodies->row_handle, bodies->parts,          bodies->springs, bodies};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) thud_free(c, parts[k]);
}

char *thud_bodies_copy_name(thud_context *context, const char *name, const char *kind, size_t number) {
  char made[48];
  snprintf(made, sizeof made, "%s-%zu", kind, number);
  return thud_strdup(context, name != NULL ? name : made);
}

/* Room for one more of what thud_index counts. */
static thud_error reserve_one(thud_bodies *bodies, const char *what, size_t count, void *array, size_t *capacity,
                              size_t element) {
  if (count >= (size_t)INT32_MAX)
    return thud_fail(bodies->context, THUD_ERROR_OVERFLOW, "bodies: more than %d %s are not possible", INT32_MAX, what);
  return thud_array_reserve(bodies->context, array, capacity, count + 1, element);
}

/* ---- shapes ------------------------------------------------------------------------------------------------------- */

thud_error thud_bodies_add_shape(thud_bodies *bodies, const thud_shape_def *def, thud_index *shape) {
  THUD_REQUIRE_OF(bodies, def, shape);
  thud_shape *made;
  thud_error error = reserve_one(bodies, "shapes", bodies->shape_count, &bodies->shapes, &bodies->shape_capacity,
                                 sizeof *bodies->shapes);
  if (error == THUD_OK) error = thud_shape_create(bodies->context, def, &made);
  if (error != THUD_OK) return error;
  if (thud_shape_is_planar(made) != bodies->planar) {
    thud_shape_destroy(made);
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "bodies: shape %zu is one %s, and the model is %s; see thud_shape_kind for the shapes of either",
                     bodies->shape_count, bodies->planar ? "of space" : "of the plane",
                     bodies->planar ? "planar" : "spatial");
  }
  bodies->shapes[bodies->shape_count] = made;
  *shape = (thud_index)bodies->shape_count++;
  thud_bodies_touch_model(bodies);
  return THUD_OK;
}

/* ---- ids ---------------------------------------------------------------------------------------------------------- */

thud_index thud_bodies_row(const thud_bodies *bodies, thud_body_id id) {
  if (id.index1 < 1 || (size_t)id.index1 > bodies->handle_count) return -1;
  const thud_body_handle *handle = &bodies->handles[id.index1 - 1];
  return handle->generation == id.generation ? handle->row : -1;
}

bool thud_bodies_is_valid(const thud_bodies *bodies, thud_body_id id) {
  THUD_REQUIRE_OR(false, bodies);
  return thud_bodies_row(bodies, id) >= 0;
}

thud_body_id thud_bodies_find(const thud_bodies *bodies, const char *name) {
  thud_body_id id = {0, 0};
  THUD_REQUIRE_OR(id, bodies, name);
  size_t handle = thud_names_find(&bodies->names, name, strlen(name));
  if (handle == THUD_NAMES_NONE) return id;
  id.index1 = (int32_t)handle + 1;
  id.generation = bodies->handles[handle].generation;
  return id;
}

thud_index thud_bodies_number(const thud_bodies *bodies, thud_body_id id) {
  THUD_REQUIRE_OR(-1, bodies);
  thud_index row = thud_bodies_row(bodies, id), number = row;
  for (thud_index i = 0; bodies->removed > 0 && i < row; i++)
    if (bodies->rows[i].name == NULL) number--;
  return number;
}

/* The row of the body with this number in the view; row_count: there is none. */
static size_t row_of_number(const thud_bodies *bodies, thud_index number) {
  size_t row = 0, left = (size_t)number;
  if (bodies->removed == 0) return left < bodies->row_count ? left : bodies->row_count;
  while (row < bodies->row_count && (bodies->rows[row].name == NULL || left-- > 0)) row++;
  return row;
}

thud_body_id thud_bodies_id(const thud_bodies *bodies, thud_index number) {
  const thud_body_id none = {0, 0};
  THUD_REQUIRE_OR(none, bodies, number >= 0);
  size_t row = row_of_number(bodies, number);
  if (row >= bodies->row_count) return none;
  thud_index place = bodies->row_handle[row];
  return (thud_body_id){place + 1, bodies->handles[place].generation};
}

/* ---- bodies ------------------------------------------------------------------------------------------------------- */

static thud_error reserve_body(thud_bodies *bodies) {
  thud_error error =
      reserve_one(bodies, "bodies", bodies->row_count, &bodies->rows, &bodies->row_capacity, sizeof *bodies->rows);
  if (error == THUD_OK)
    error = reserve_one(bodies, "bodies", bodies->row_count, &bodies->row_handle, &bodies->row_handle_capacity,
                        sizeof *bodies->row_handle);
  if (error == THUD_OK && bodies->free_handle < 0)
    error = reserve_one(bodies, "bodies", bodies->handle_count, &bodies->handles, &bodies->handle_capacity,
                        sizeof *bodies->handles);
  return error;
}

/* The name that the body is to have, in memory of its own; *number the N of one that is made up. */
static thud_error take_name(thud_bodies *bodies, const char *given, uint64_t *number, char **name) {
  char made[48];
  if (given == NULL) do
      snprintf(made, sizeof made, "body-%llu", (unsigned long long)++*number);
    while (thud_names_find(&bodies->names, made, strlen(made)) != THUD_NAMES_NONE);
  const char *wanted = given != NULL ? given : made;
  if (wanted[0] == '\0')
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "bodies: a body's name is empty; give one, or NULL for \"body-N\"");
  if (given != NULL && thud_names_find(&bodies->names, wanted, strlen(wanted)) != THUD_NAMES_NONE)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[duplicate-name] bodies: there is a body '%s' already; names of bodies must differ", wanted);
  *name = thud_strdup(bodies->context, wanted);
  return *name != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

/* Everything is there: the body gets its row and its handle. */
static thud_body_id enter_body(thud_bodies *bodies, const thud_body_def *def, thud_index place) {
  if (place == bodies->free_handle) {
    bodies->free_handle = bodies->handles[place].next;
  } else {
    bodies->handle_count++;
    bodies->handles[place].generation = 1;
  }
  bodies->handles[place].row = (thud_index)bodies->row_count;
  bodies->rows[bodies->row_count] = *def;
  bodies->row_handle[bodies->row_count++] = place;
  thud_bodies_touch_model(bodies);
  return (thud_body_id){place + 1, bodies->handles[place].generation};
}

thud_error thud_bodies_add(thud_bodies *bodies, const thud_body_def *def, thud_body_id *id) {
  THUD_REQUIRE_OF(bodies, def, id);
  thud_body_def own = thud_body_def_default();
  char *name = NULL;
  uint64_t number = bodies->next_name;
  thud_error error = thud_bodies_take_def(bodies->context, "body", def, sizeof own, &own);
  if (error == THUD_OK) error = take_name(bodies, own.name, &number, &name);
  if (error != THUD_OK) return error;
  own.name = name;
  thud_index place = bodies->free_handle >= 0 ? bodies->free_handle : (thud_index)bodies->handle_count;
  error = thud_bodies_check_body(bodies, &own);
  if (error != THUD_OK) error = thud_fail_within(bodies->context, error, "body '%s'", name);
  if (error == THUD_OK) error = reserve_body(bodies);
  if (error == THUD_OK) error = thud_names_add(&bodies->names, name, strlen(name), (size_t)place, NULL);
  if (error != THUD_OK) {
    thud_free(bodies->context, name);
    return error;
  }
  bodies->next_name = number;
  *id = enter_body(bodies, &own, place);
  return THUD_OK;
}

static thud_error fail_of_id(const thud_bodies *bodies, const char *what) {
  return thud_fail(bodies->context, THUD_ERROR_NOT_FOUND,
                   "%s names no body; it was removed, or the id is of another model", what);
}

thud_error thud_bodies_remove(thud_bodies *bodies, thud_body_id id) {
  enum { FEW = 64 }; /* removed rows that are not worth a sweep */
  THUD_REQUIRE_OF(bodies, bodies);
  thud_index row = thud_bodies_row(bodies, id);
  if (row < 0) return fail_of_id(bodies, "bodies: the id of a body to remove");
  thud_body_def *def = &bodies->rows[row];
  thud_names_remove(&bodies->names, def->name, strlen(def->name));
  thud_free(bodies->context, (void *)(uintptr_t)def->name);
  def->name = NULL;
  thud_body_handle *handle = &bodies->handles[id.index1 - 1];
  handle->row = -1;
  if (handle->generation < UINT32_MAX) { /* a place whose generations are used up is given up */
    handle->generation++;
    handle->next = bodies->free_handle;
    bodies->free_handle = id.index1 - 1;
  }
  thud_bodies_touch_model(bodies);
  if (++bodies->removed > FEW && bodies->removed > bodies->row_count / 2) thud_bodies_sweep(bodies);
  return THUD_OK;
}

static void sweep_rows(thud_bodies *bodies) {
  size_t kept = 0;
  for (size_t i = 0; i < bodies->row_count; i++) {
    if (bodies->rows[i].name == NULL) continue;
    bodies->rows[kept] = bodies->rows[i];
    bodies->row_handle[kept] = bodies->row_handle[i];
    bodies->handles[bodies->row_handle[kept]].row = (thud_index)kept;
    kept++;
  }
  bodies->row_count = kept;
  bodies->removed = 0;
}

static bool is_spring_alive(const thud_bodies *bodies, const thud_spring_def *spring) {
  return thud_bodies_row(bodies, spring->a) >= 0 && (spring->b.index1 == 0 || thud_bodies_row(bodies, spring->b) >= 0);
}

void thud_bodies_sweep(thud_bodies *bodies) {
  if (bodies->removed == 0) return;
  size_t parts = 0, springs = 0;
  for (size_t k = 0; k < bodies->part_count; k++)
    if (thud_bodies_row(bodies, bodies->parts[k].body) >= 0) bodies->parts[parts++] = bodies->parts[k];
  for (size_t k = 0; k < bodies->spring_count; k++) {
    if (is_spring_alive(bodies, &bodies->springs[k]))
      bodies->springs[springs++] = bodies->springs[k];
    else
      thud_free(bodies->context, (void *)(uintptr_t)bodies->springs[k].name);
  }
  bodies->part_count = parts;
  bodies->spring_count = springs;
  thud_bodies_sweep_joints(bodies);
  sweep_rows(bodies);
}

/* ---- parts and springs -------------------------------------------------------------------------------------------- */

static thud_error check_part(const thud_bodies *bodies, thud_index row, thud_part_def *def) {
  const thud_body_def *body = &bodies->rows[row];
  if (def->shape < 0 || (size_t)def->shape >= bodies->shape_count)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "its shape is %d; there are %zu, numbered from 0 in the order of thud_bodies_add_shape",
                     (int)def->shape, bodies->shape_count);
  if (def->material < -1 || (def->material >= 0 && (size_t)def->material >= bodies->material_count))
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "its material is %d; there are %zu, numbered from 0 (-1: no friction, e = 0)", (int)def->material,
                     bodies->material_count);
  if (body->role == THUD_BODY_DYNAMIC && !thud_shape_may_move(bodies->shapes[def->shape]))
    return thud_fail(
        bodies->context, THUD_ERROR_ARGUMENT,
        "[bad-role] shape %d is a surface, which only fixed and kinematic bodies may have; make the body fixed, "
        "or take a convex shape (the hull of the points)",
        (int)def->shape);
  thud_error error = thud_bodies_check_positive(bodies, "density", def->density);
  if (error == THUD_OK) error = thud_bodies_check_pose(bodies, &def->pose);
  return error;
}

thud_error thud_bodies_attach(thud_bodies *bodies, thud_body_id id, const thud_part_def *def) {
  THUD_REQUIRE_OF(bodies, def);
  thud_index row = thud_bodies_row(bodies, id);
  if (row < 0) return fail_of_id(bodies, "bodies: the id that a part is attached to");
  thud_body_part part = {id, thud_part_def_default()};
  thud_error error = thud_bodies_take_def(bodies->context, "part", def, sizeof part.def, &part.def);
  if (error == THUD_OK) {
    error = check_part(bodies, row, &part.def);
    if (error != THUD_OK)
      error = thud_fail_within(bodies->context, error, "a part of body '%s'", bodies->rows[row].name);
  }
  if (error == THUD_OK)
    error =
        reserve_one(bodies, "parts", bodies->part_count, &bodies->parts, &bodies->part_capacity, sizeof *bodies->parts);
  if (error != THUD_OK) return error;
  bodies->parts[bodies->part_count++] = part;
  thud_bodies_touch_model(bodies);
  return THUD_OK;
}

static thud_error check_spring(const thud_bodies *bodies, const thud_spring_def *def) {
  bool has_b = def->b.index1 != 0 || def->b.generation != 0;
  if (thud_bodies_row(bodies, def->a) < 0 || (has_b && thud_bodies_row(bodies, def->b) < 0))
    return fail_of_id(bodies, "the id of one of its ends");
  if (has_b && def->a.index1 == def->b.index1)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-spring] it connects body '%s' with itself; give another body, or none for the world",
                     bodies->rows[thud_bodies_row(bodies, def->a)].name);
  thud_error error = thud_bodies_check_vector(bodies, "the point on the first body", def->point_a);
  if (error == THUD_OK) error = thud_bodies_check_vector(bodies, "the second point", def->point_b);
  if (error == THUD_OK) error = thud_bodies_check_positive(bodies, "length", def->length);
  if (error == THUD_OK) error = thud_bodies_check_positive(bodies, "stiffness", def->stiffness);
  if (error == THUD_OK) error = thud_bodies_check_positive(bodies, "damping", def->damping);
  return error;
}

thud_error thud_bodies_add_spring(thud_bodies *bodies, const thud_spring_def *def) {
  THUD_REQUIRE_OF(bodies, def);
  thud_spring_def own = thud_spring_def_default();
  thud_error error = thud_bodies_take_def(bodies->context, "spring", def, sizeof own, &own);
  if (error != THUD_OK) return error;
  char *name = thud_bodies_copy_name(bodies->context, own.name, "spring", bodies->springs_added + 1);
  if (name == NULL) return THUD_ERROR_MEMORY;
  own.name = name;
  error = check_spring(bodies, &own);
  if (error != THUD_OK) error = thud_fail_within(bodies->context, error, "spring '%s'", name);
  if (error == THUD_OK)
    error = reserve_one(bodies, "springs", bodies->spring_count, &bodies->springs, &bodies->spring_capacity,
                        sizeof *bodies->springs);
  if (error != THUD_OK) {
    thud_free(bodies->context, name);
    return error;
  }
  bodies->springs[bodies->spring_count++] = own;
  bodies->springs_added++;
  thud_bodies_touch_model(bodies);
  return THUD_OK;
}
