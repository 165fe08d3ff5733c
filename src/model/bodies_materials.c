/* Models of rigid bodies: materials, and what holds where two of them touch. */
#include "model/bodies.h"

static bool is_orthotropic(const thud_surface_law *law) { return law->friction_across >= 0; }

static thud_error check_axis(const thud_bodies *bodies, thud_surface_law *law) {
  if (bodies->planar)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[not-planar] the plane has one tangent, and friction_across is given; leave it negative");
  thud_vec3 axis;
  if (!thud_vec3_normalise(thud_vec3_load(law->axis), &axis))
    return thud_fail(
        bodies->context, THUD_ERROR_ARGUMENT,
        "[bad-rotation] axis (%g, %g, %g) of the orthotropic friction is no direction; give one that is not 0",
        law->axis[0], law->axis[1], law->axis[2]);
  thud_vec3_store(axis, law->axis);
  return THUD_OK;
}

/* The axis becomes a unit vector. */
thud_error thud_bodies_check_law(const thud_bodies *bodies, thud_surface_law *law) {
  thud_error error = thud_bodies_check_positive(bodies, "friction", law->friction);
  if (error == THUD_OK) error = thud_bodies_check_positive(bodies, "rolling", law->rolling);
  if (error == THUD_OK) error = thud_bodies_check_positive(bodies, "spinning", law->spinning);
  if (error == THUD_OK) error = thud_bodies_check_positive(bodies, "restitution", law->restitution);
  if (error != THUD_OK) return error;
  if (law->restitution > 1)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] restitution %g would create energy; it must be in [0, 1]", law->restitution);
  if (bodies->planar && law->spinning > 0)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[not-planar] bodies of the plane do not spin about the normal; leave spinning friction 0");
  if (!isfinite(law->friction_across))
    return thud_fail(bodies->context, THUD_ERROR_NOT_FINITE, "friction_across is not finite");
  return is_orthotropic(law) ? check_axis(bodies, law) : THUD_OK;
}

thud_error thud_bodies_add_material(thud_bodies *bodies, const char *name, const thud_surface_law *law,
                                    thud_index *material) {
  THUD_REQUIRE_OF(bodies, law, material);
  thud_surface_law own = *law;
  size_t count = bodies->material_count;
  if (count >= (size_t)INT32_MAX)
    return thud_fail(bodies->context, THUD_ERROR_OVERFLOW, "bodies: more than %d materials are not possible",
                     INT32_MAX);
  char *copy = thud_bodies_copy_name(bodies->context, name, "material", count + 1);
  if (copy == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_bodies_check_law(bodies, &own);
  if (error != THUD_OK) error = thud_fail_within(bodies->context, error, "material '%s'", copy);
  if (error == THUD_OK)
    error = thud_array_reserve(bodies->context, &bodies->materials, &bodies->material_capacity, count + 1,
                               sizeof *bodies->materials);
  if (error == THUD_OK)
    error = thud_array_reserve(bodies->context, &bodies->material_names, &bodies->material_name_capacity, count + 1,
                               sizeof *bodies->material_names);
  if (error != THUD_OK) {
    thud_free(bodies->context, copy);
    return error;
  }
  bodies->materials[count] = own;
  bodies->material_names[count] = copy;
  *material = (thud_index)count;
  bodies->material_count++;
  thud_bodies_touch_model(bodies);
  return THUD_OK;
}

/* ---- pairs -------------------------------------------------------------------------------------------------------- */

/* Where the pair is among the increasing ones, or belongs. */
static size_t place_of(const thud_bodies *bodies, thud_index low, thud_index high) {
  size_t first = 0, end = bodies->pair_count;
  while (first < end) {
    size_t middle = first + (end - first) / 2;
    const thud_body_pair *pair = &bodies->pairs[middle];
    if (pair->low < low || (pair->low == low && pair->high < high))
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

static bool is_at(const thud_bodies *bodies, size_t place, thud_index low, thud_index high) {
  return place < bodies->pair_count && bodies->pairs[place].low == low && bodies->pairs[place].high == high;
}

static bool is_material(const thud_bodies *bodies, thud_index material) {
  return material >= 0 && (size_t)material < bodies->material_count;
}

thud_error thud_bodies_set_pair(thud_bodies *bodies, thud_index first, thud_index second, const thud_surface_law *law) {
  THUD_REQUIRE_OF(bodies, law);
  if (!is_material(bodies, first) || !is_material(bodies, second))
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "bodies: a law is given for materials %d and %d; there are %zu, numbered from 0", (int)first,
                     (int)second, bodies->material_count);
  thud_body_pair pair = {first, second, false, *law};
  if (first > second) pair = (thud_body_pair){second, first, true, *law};
  thud_error error = thud_bodies_check_law(bodies, &pair.law);
  if (error != THUD_OK)
    return thud_fail_within(bodies->context, error, "materials '%s' and '%s'", bodies->material_names[first],
                            bodies->material_names[second]);
  size_t place = place_of(bodies, pair.low, pair.high);
  bool is_new = !is_at(bodies, place, pair.low, pair.high);
  if (is_new)
    error = thud_array_reserve(bodies->context, &bodies->pairs, &bodies->pair_capacity, bodies->pair_count + 1,
                               sizeof *bodies->pairs);
  if (error != THUD_OK) return error;
  if (is_new) {
    memmove(bodies->pairs + place + 1, bodies->pairs + place, (bodies->pair_count - place) * sizeof *bodies->pairs);
    bodies->pair_count++;
  }
  bodies->pairs[place] = pair;
  bodies->revision++;
  return THUD_OK;
}

/* One number for friction that depends on the direction. */
static double mean_friction(const thud_surface_law *law) {
  return is_orthotropic(law) ? sqrt(law->friction * law->friction_across) : law->friction;
}

/* Geometric means, the larger restitution. The axis is that of a where a has one, otherwise of b: the other side counts
 * with its mean friction. */
static thud_surface_law combine(const thud_surface_law *a, const thud_surface_law *b, bool *is_of_b) {
  *is_of_b = !is_orthotropic(a) && is_orthotropic(b);
  const thud_surface_law *axis = *is_of_b ? b : a, *other = *is_of_b ? a : b;
  thud_surface_law law = *axis;
  law.friction = sqrt(axis->friction * mean_friction(other));
  if (is_orthotropic(axis)) law.friction_across = sqrt(axis->friction_across * mean_friction(other));
  law.restitution = thud_larger(a->restitution, b->restitution);
  law.rolling = sqrt(a->rolling * b->rolling);
  law.spinning = sqrt(a->spinning * b->spinning);
  return law;
}

static thud_surface_law law_of(const thud_bodies *bodies, thud_index material) {
  return is_material(bodies, material) ? bodies->materials[material] : thud_surface_law_default();
}

thud_surface_law thud_bodies_pair_law(const thud_bodies *bodies, thud_index first, thud_index second, bool *swapped) {
  THUD_REQUIRE_OR(thud_surface_law_default(), bodies);
  bool is_reversed = first > second, is_of_high = false;
  thud_index low = is_reversed ? second : first, high = is_reversed ? first : second;
  size_t place = place_of(bodies, low, high);
  thud_surface_law law = law_of(bodies, low);
  if (is_at(bodies, place, low, high)) {
    law = bodies->pairs[place].law;
    is_of_high = bodies->pairs[place].is_swapped;
  } else if (low != high) { /* a material and itself: its own law */
    thud_surface_law other = law_of(bodies, high);
    law = combine(&law, &other, &is_of_high);
  }
  if (swapped != NULL) *swapped = is_orthotropic(&law) && is_of_high != is_reversed;
  return law;
}
