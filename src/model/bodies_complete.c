/* Models of rigid bodies: the arrays that motions read, made once everything has been added. */
#include "model/bodies.h"

void thud_bodies_forget(thud_bodies *bodies) {
  thud_bodies_derived *d = &bodies->derived;
  void *arrays[] = {d->name,         d->role,       d->mass,      d->centre,   d->velocity,          d->spin,
                    d->inertia,      d->pose,       d->springs,   d->spring_a, d->inverse_inertia,   d->part_start,
                    d->part_body,    d->part_shape, d->part_pose, d->spring_b, d->part_shape_number, d->part_material,
                    d->part_density, d->joints};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(bodies->context, arrays[k]);
  *d = (thud_bodies_derived){.name = NULL};
  bodies->is_complete = false;
}

static bool allocate_bodies(thud_context *c, size_t n, thud_bodies_derived *d) {
  return (d->name = THUD_NEW_ARRAY(c, const char *, n)) != NULL &&
         (d->role = THUD_NEW_ARRAY(c, unsigned char, n)) != NULL && (d->mass = THUD_NEW_ARRAY(c, double, n)) != NULL &&
         (d->centre = THUD_NEW_ARRAY(c, thud_vec3, n)) != NULL &&
         (d->velocity = THUD_NEW_ARRAY(c, thud_vec3, n)) != NULL &&
         (d->spin = THUD_NEW_ARRAY(c, thud_vec3, n)) != NULL &&
         (d->inertia = THUD_NEW_ARRAY(c, thud_mat3, n)) != NULL &&
         (d->inverse_inertia = THUD_NEW_ARRAY(c, thud_mat3, n)) != NULL &&
         (d->pose = THUD_NEW_ARRAY(c, thud_pose, n)) != NULL;
}

static bool allocate_parts(thud_context *c, size_t n, size_t parts, size_t springs, size_t joints,
                           thud_bodies_derived *d) {
  return (d->part_start = THUD_NEW_ARRAY(c, thud_index, n + 1)) != NULL &&
         (d->part_body = THUD_NEW_ARRAY(c, thud_index, parts)) != NULL &&
         (d->part_shape_number = THUD_NEW_ARRAY(c, thud_index, parts)) != NULL &&
         (d->part_material = THUD_NEW_ARRAY(c, thud_index, parts)) != NULL &&
         (d->part_shape = THUD_NEW_ARRAY(c, const thud_shape *, parts)) != NULL &&
         (d->part_pose = THUD_NEW_ARRAY(c, thud_pose, parts)) != NULL &&
         (d->part_density = THUD_NEW_ARRAY(c, double, parts)) != NULL &&
         (d->springs = THUD_NEW_ARRAY(c, thud_spring_def, springs)) != NULL &&
         (d->spring_a = THUD_NEW_ARRAY(c, thud_index, springs)) != NULL &&
         (d->spring_b = THUD_NEW_ARRAY(c, thud_index, springs)) != NULL &&
         (d->joints = THUD_NEW_ARRAY(c, thud_joint, joints)) != NULL;
}

/* Parts by bodies, within one in the order of attaching: counting, then placing. */
static void sort_parts(thud_bodies *bodies) {
  thud_bodies_derived *d = &bodies->derived;
  size_t n = bodies->row_count;
  for (size_t k = 0; k < bodies->part_count; k++) d->part_start[thud_bodies_row(bodies, bodies->parts[k].body)]++;
  thud_index end = 0;
  for (size_t i = 0; i <= n; i++) { /* where the parts of body i begin */
    thud_index count = d->part_start[i];
    d->part_start[i] = end;
    end += count;
  }
  for (size_t k = 0; k < bodies->part_count; k++) {
    const thud_part_def *part = &bodies->parts[k].def;
    thud_index body = thud_bodies_row(bodies, bodies->parts[k].body), place = d->part_start[body]++;
    d->part_body[place] = body;
    d->part_shape_number[place] = part->shape;
    d->part_shape[place] = bodies->shapes[part->shape];
    d->part_material[place] = part->material;
    d->part_pose[place] = part->pose;
    d->part_density[place] = part->density;
  }
  for (size_t i = n; i > 0; i--) d->part_start[i] = d->part_start[i - 1]; /* each had become its own end */
  d->part_start[0] = 0;
}

/* Masses of the shapes with density 1: bodies share shapes, and masses are proportional to densities. */
static thud_error find_unit_masses(const thud_bodies *bodies, thud_mass_properties *unit) {
  for (size_t k = 0; k < bodies->shape_count; k++) {
    if (!thud_shape_may_move(bodies->shapes[k])) continue; /* of no dynamic body: attaching refuses that */
    thud_error error = thud_shape_mass(bodies->context, bodies->shapes[k], 1, &unit[k]);
    if (error != THUD_OK) return thud_fail_within(bodies->context, error, "bodies: shape %zu", k);
  }
  return THUD_OK;
}

/* Everything of one body; its parts move to the frame at the centre of mass. */
static thud_error derive_body(thud_bodies *bodies, thud_index i, const thud_mass_properties *unit) {
  thud_bodies_derived *d = &bodies->derived;
  const thud_body_def *def = &bodies->rows[i];
  d->name[i] = def->name;
  d->role[i] = (unsigned char)def->role;
  d->velocity[i] = def->velocity;
  d->spin[i] = def->spin;
  d->pose[i] = def->pose;
  if (def->role != THUD_BODY_DYNAMIC) return THUD_OK;
  thud_error error = thud_bodies_find_mass(bodies, i, unit);
  if (error != THUD_OK) return error;
  d->pose[i].position = thud_pose_point(&def->pose, d->centre[i]);
  for (thud_index k = d->part_start[i]; k < d->part_start[i + 1]; k++)
    d->part_pose[k].position = thud_vec3_subtract(d->part_pose[k].position, d->centre[i]);
  return THUD_OK;
}

static void derive_springs(thud_bodies *bodies) {
  thud_bodies_derived *d = &bodies->derived;
  for (size_t k = 0; k < bodies->spring_count; k++) {
    thud_spring_def *spring = &d->springs[k];
    *spring = bodies->springs[k];
    d->spring_a[k] = thud_bodies_row(bodies, spring->a);
    d->spring_b[k] = thud_bodies_row(bodies, spring->b);
    spring->point_a = thud_vec3_subtract(spring->point_a, d->centre[d->spring_a[k]]);
    if (d->spring_b[k] >= 0) spring->point_b = thud_vec3_subtract(spring->point_b, d->centre[d->spring_b[k]]);
  }
}

static thud_error derive(thud_bodies *bodies) {
  thud_context *c = bodies->context;
  size_t n = bodies->row_count;
  thud_mass_properties *unit = THUD_NEW_ARRAY(c, thud_mass_properties, bodies->shape_count);
  if (unit == NULL) return THUD_ERROR_MEMORY;
  thud_error error = THUD_ERROR_MEMORY;
  if (allocate_bodies(c, n, &bodies->derived) &&
      allocate_parts(c, n, bodies->part_count, bodies->spring_count, bodies->joint_count, &bodies->derived)) {
    error = find_unit_masses(bodies, unit);
    if (error == THUD_OK) sort_parts(bodies);
    for (size_t i = 0; i < n && error == THUD_OK; i++) {
      error = derive_body(bodies, (thud_index)i, unit);
      if (error != THUD_OK) bodies->refused = (thud_index)i;
    }
    if (error == THUD_OK) derive_springs(bodies);
    if (error == THUD_OK) thud_bodies_derive_joints(bodies);
  }
  thud_free(c, unit);
  return error;
}

thud_error thud_bodies_complete(thud_bodies *bodies) {
  THUD_REQUIRE_OF(bodies, bodies);
  if (bodies->is_complete) return THUD_OK;
  thud_bodies_forget(bodies);
  thud_bodies_sweep(bodies);
  bodies->refused = -1;
  thud_error error = derive(bodies);
  if (error != THUD_OK)
    thud_bodies_forget(bodies);
  else
    bodies->is_complete = true;
  return error;
}

thud_error thud_bodies_get(thud_bodies *bodies, thud_bodies_view *view) {
  THUD_REQUIRE_OF(bodies, view);
  thud_error error = thud_bodies_complete(bodies);
  if (error != THUD_OK) return error;
  const thud_bodies_derived *d = &bodies->derived;
  *view = (thud_bodies_view){.planar = bodies->planar,
                             .gravity = bodies->gravity,
                             .count = (thud_index)bodies->row_count,
                             .name = d->name,
                             .role = d->role,
                             .mass = d->mass,
                             .centre = d->centre,
                             .inertia = d->inertia,
                             .inverse_inertia = d->inverse_inertia,
                             .pose = d->pose,
                             .velocity = d->velocity,
                             .spin = d->spin,
                             .def = bodies->rows,
                             .part_count = (thud_index)bodies->part_count,
                             .part_start = d->part_start,
                             .part_body = d->part_body,
                             .part_shape = d->part_shape,
                             .part_shape_number = d->part_shape_number,
                             .part_material = d->part_material,
                             .part_pose = d->part_pose,
                             .shape_count = (thud_index)bodies->shape_count,
                             .material_count = (thud_index)bodies->material_count,
                             .spring_count = (thud_index)bodies->spring_count,
                             .shapes = (const thud_shape *const *)bodies->shapes,
                             .material_names = (const char *const *)bodies->material_names,
                             .springs = d->springs,
                             .spring_a = d->spring_a,
                             .spring_b = d->spring_b,
                             .joint_count = (thud_index)bodies->joint_count,
                             .joints = d->joints};
  return THUD_OK;
}
