/* Models of rigid bodies: mass, centre and inertia of one body, from its parts or as they are given. */
#include "model/bodies.h"

/* The parts together; densities of 1 where `is_uniform`. */
static thud_mass_properties sum_parts(const thud_bodies *bodies, thud_index i, const thud_mass_properties *unit,
                                      bool is_uniform) {
  const thud_bodies_derived *d = &bodies->derived;
  thud_mass_properties sum = {0, {0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
  for (thud_index k = d->part_start[i]; k < d->part_start[i + 1]; k++) {
    double density = is_uniform ? 1 : d->part_density[k];
    thud_mass_properties part = unit[d->part_shape_number[k]];
    part.mass *= density;
    part.inertia = thud_mat3_scale(density, part.inertia);
    part = thud_mass_properties_move(&part, &d->part_pose[k]);
    sum = sum.mass > 0 ? thud_mass_properties_add(&sum, &part) : part;
  }
  return sum;
}

static thud_mat3 symmetric_part(thud_mat3 A) { return thud_mat3_scale(0.5, thud_mat3_add(A, thud_mat3_transpose(A))); }

/* Two centres are the same within this part of the body's size. */
static const double SAME_CENTRE = 1e-9;

/* A centre that is given (not 0) without an inertia must be the one that is found: where else should the inertia be? */
static thud_error check_centre(const thud_bodies *bodies, const thud_body_def *def, const thud_mass_properties *found) {
  double size = thud_vec3_norm(found->centre) + sqrt(thud_mat3_trace(found->inertia) / found->mass);
  if (thud_vec3_norm(def->centre) == 0) return THUD_OK;
  if (thud_vec3_distance(def->centre, found->centre) <= SAME_CENTRE * size) return THUD_OK;
  return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                   "[bad-inertia] body '%s': its parts have their centre of mass at (%g, %g, %g), and (%g, %g, %g) is "
                   "given without an "
                   "inertia about it; give the inertia, or leave the centre out",
                   def->name, found->centre.x, found->centre.y, found->centre.z, def->centre.x, def->centre.y,
                   def->centre.z);
}

/* A mass without inertia and without volume: all of it is at the particles, which must be at one place. */
static thud_error take_point(const thud_bodies *bodies, thud_index i, thud_mass_properties *mass) {
  const thud_bodies_derived *d = &bodies->derived;
  const thud_body_def *def = &bodies->rows[i];
  thud_index first = d->part_start[i], end = d->part_start[i + 1];
  *mass = (thud_mass_properties){.mass = def->mass, .centre = def->centre};
  if (first < end) mass->centre = d->part_pose[first].position;
  for (thud_index k = first + 1; k < end; k++)
    if (thud_vec3_distance(d->part_pose[k].position, mass->centre) > 0)
      return thud_fail(
          bodies->context, THUD_ERROR_ARGUMENT,
          "[bad-inertia] body '%s' has particles at several places and no inertia; give the inertia about the centre",
          def->name);
  return check_centre(bodies, def, mass);
}

static thud_error take_given(const thud_bodies *bodies, thud_index i, const thud_mass_properties *unit,
                             thud_mass_properties *mass) {
  const thud_body_def *def = &bodies->rows[i];
  if (!thud_bodies_is_zero(def->inertia)) {
    *mass = (thud_mass_properties){def->mass, def->centre, symmetric_part(def->inertia)};
    return THUD_OK;
  }
  *mass = sum_parts(bodies, i, unit, false);
  if (!(mass->mass > 0)) *mass = sum_parts(bodies, i, unit, true);
  if (!(mass->mass > 0)) return take_point(bodies, i, mass);
  mass->inertia = thud_mat3_scale(def->mass / mass->mass, mass->inertia);
  mass->mass = def->mass;
  return check_centre(bodies, def, mass);
}

static thud_error take_parts(const thud_bodies *bodies, thud_index i, const thud_mass_properties *unit,
                             thud_mass_properties *mass) {
  const thud_bodies_derived *d = &bodies->derived;
  const char *name = bodies->rows[i].name;
  *mass = sum_parts(bodies, i, unit, false);
  if (mass->mass > 0) return THUD_OK;
  if (d->part_start[i] == d->part_start[i + 1])
    return thud_fail(
        bodies->context, THUD_ERROR_ARGUMENT,
        "[no-mass] body '%s' has no parts and no mass; attach a shape with a density, give a mass, or make it fixed",
        name);
  return thud_fail(
      bodies->context, THUD_ERROR_ARGUMENT,
      "[no-mass] body '%s' has mass 0: its parts have no density or no volume (particles); give a density, a mass, "
      "or make it fixed",
      name);
}

static bool is_finite_matrix(thud_mat3 A) {
  double sum = 0;
  double a[9];
  thud_mat3_store(A, a);
  for (int k = 0; k < 9; k++) sum += fabs(a[k]);
  return isfinite(sum);
}

/* The plane knows turns about z only; a body of inertia 0 does not turn. */
static bool invert(bool is_planar, thud_mat3 *inertia, thud_mat3 *inverse) {
  *inverse = thud_mat3_diagonal(0, 0, 0);
  if (is_planar) {
    *inertia = thud_mat3_diagonal(0, 0, inertia->cz.z);
    if (inertia->cz.z != 0) *inverse = thud_mat3_diagonal(0, 0, 1 / inertia->cz.z);
  } else if (!thud_bodies_is_zero(*inertia)) {
    if (!thud_mat3_inverse(*inertia, inverse)) return false;
    *inverse = symmetric_part(*inverse);
  }
  return is_finite_matrix(*inverse);
}

thud_error thud_bodies_find_mass(thud_bodies *bodies, thud_index i, const thud_mass_properties *unit) {
  thud_mass_properties mass;
  thud_mat3 inverse;
  const thud_body_def *def = &bodies->rows[i];
  thud_error error = def->mass > 0 ? take_given(bodies, i, unit, &mass) : take_parts(bodies, i, unit, &mass);
  if (error != THUD_OK) return error;
  if (!isfinite(mass.mass) || !isfinite(1 / mass.mass) || !is_finite_matrix(mass.inertia) ||
      !isfinite(thud_vec3_norm(mass.centre)))
    return thud_fail(
        bodies->context, THUD_ERROR_NOT_FINITE,
        "[bad-inertia] body '%s': its mass %g or its inertia is too large or too small for numbers; choose other units",
        def->name, mass.mass);
  if (!invert(bodies->planar, &mass.inertia, &inverse))
    return thud_fail(
        bodies->context, THUD_ERROR_ARGUMENT,
        "[bad-inertia] body '%s': its inertia is singular, a moment about some axis is 0; give positive moments about "
        "every axis, or none for a particle",
        def->name);
  bodies->derived.mass[i] = mass.mass;
  bodies->derived.centre[i] = mass.centre;
  bodies->derived.inertia[i] = mass.inertia;
  bodies->derived.inverse_inertia[i] = inverse;
  return THUD_OK;
}
