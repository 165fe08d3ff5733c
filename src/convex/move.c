/* Translation and scaling: their queries are the operand's at a moved point, in the same metric and as exact. */
#include "base/base.h"
#include "convex/lift.h"
#include "convex/set.h"

#include <math.h>
#include <string.h>

static thud_set *operand_of(const thud_set *set) { return set->children[0]; }

static bool one_vector(const thud_set *set, size_t *count) {
  *count = (size_t)set->n;
  return true;
}

/* ---- offset + C -------------------------------------------------------------------------------------- */

static thud_set_abilities translation_abilities(const thud_set *set) {
  thud_set_abilities abilities = thud_set_get_abilities(operand_of(set));
  abilities.is_cone = false;
  return abilities;
}

static thud_error translation_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                      thud_set_info *info) {
  double *moved = set->work;
  for (thud_index i = 0; i < set->n; i++) moved[i] = x[i] - (set->recession ? 0 : set->own[i]);
  thud_error error = thud_set_project_view(operand_of(set), metric, moved, y, info);
  if (error != THUD_OK || set->recession) return error;
  /* A point of the set is returned as it was given, not as (x - offset) + offset. */
  bool inside = memcmp(moved, y, (size_t)set->n * sizeof *y) == 0;
  for (thud_index i = 0; i < set->n; i++) y[i] = inside ? x[i] : y[i] + set->own[i];
  return THUD_OK;
}

static thud_error translation_support(thud_set *set, const double *d, double *value, double *point,
                                      thud_set_info *info) {
  thud_error error = thud_set_support_inside(operand_of(set), d, value, point, info);
  if (error != THUD_OK || set->recession) return error;
  *value += thud_vector_dot(set->n, d, set->own);
  for (thud_index i = 0; i < set->n; i++) point[i] += set->own[i];
  return THUD_OK;
}

static void translation_lift_size(const thud_set *set, thud_lift_size *size) {
  size->expression_rows += (size_t)set->n;
  thud_lift_add_size(operand_of(set), size);
}

/* x in factor (offset + C): x - factor offset in factor C. */
static void translation_lift(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor) {
  double *E, *e;
  thud_expression moved = thud_lift_new_expression(lift, set->n, &E, &e);
  memcpy(E, x->E, (size_t)set->n * (size_t)lift->N * sizeof *E);
  for (thud_index i = 0; i < set->n; i++) e[i] = x->e[i] - factor * set->own[i];
  thud_lift_constrain(lift, operand_of(set), &moved, factor);
}

const thud_set_class thud_class_translation = {
    .kind = "translation",
    .parts = {{"offset", THUD_PART_N, false}},
    .work_size = one_vector,
    .abilities = translation_abilities,
    .project = translation_project,
    .support = translation_support,
    .lift_size = translation_lift_size,
    .lift = translation_lift,
};

thud_error thud_set_translation(thud_context *context, const double *offset, thud_set *operand, thud_set **set) {
  THUD_REQUIRE(context, context, offset, operand, set);
  thud_error error = thud_check_operands(context, "translation", 1, &operand, set);
  if (error == THUD_OK) error = thud_check_leaf(context, "translation", operand->n, 1, offset, offset, set);
  if (error != THUD_OK) return error;
  thud_set_shape shape = {.n = operand->n, .child_count = 1, .children = &operand};
  return thud_set_make_from(context, &thud_class_translation, &shape, offset, NULL, set);
}

/* ---- factor C ---------------------------------------------------------------------------------------- */

static thud_set_abilities scaling_abilities(const thud_set *set) { return thud_set_get_abilities(operand_of(set)); }

/* 0 C is the recession cone: the operand is taken to stand for it. */
static thud_error scaling_refresh(thud_set *set) {
  double factor = set->own[0];
  if (factor < 0)
    return thud_fail(set->context, THUD_ERROR_ARGUMENT, "[bad-set] scaling: factor is %g: use a factor >= 0", factor);
  thud_error error = thud_set_mark_recession(operand_of(set), set->recession || factor == 0);
  if (error != THUD_OK && !set->recession) thud_set_mark_recession(operand_of(set), false);
  return error;
}

/* The factor by which the operand, in its present mode, is multiplied: cones need none. */
static double scaling_factor(const thud_set *set) { return set->recession || set->own[0] == 0 ? 1 : set->own[0]; }

static thud_error scaling_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                  thud_set_info *info) {
  double factor = scaling_factor(set), *moved = set->work;
  for (thud_index i = 0; i < set->n; i++) moved[i] = x[i] / factor;
  thud_error error = thud_set_project_view(operand_of(set), metric, moved, y, info);
  if (error != THUD_OK) return error;
  bool inside = memcmp(moved, y, (size_t)set->n * sizeof *y) == 0;
  for (thud_index i = 0; i < set->n; i++) y[i] = inside ? x[i] : factor * y[i];
  info->gap *= factor;
  return THUD_OK;
}

static thud_error scaling_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  thud_error error = thud_set_support_inside(operand_of(set), d, value, point, info);
  if (error != THUD_OK) return error;
  double factor = scaling_factor(set);
  *value *= factor;
  info->gap *= factor;
  for (thud_index i = 0; i < set->n; i++) point[i] *= factor;
  return THUD_OK;
}

static void scaling_lift_size(const thud_set *set, thud_lift_size *size) { thud_lift_add_size(operand_of(set), size); }

static void scaling_lift(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor) {
  thud_lift_constrain(lift, operand_of(set), x, factor * set->own[0]);
}

const thud_set_class thud_class_scaling = {
    .kind = "scaling",
    .parts = {{"factor", THUD_PART_ONE, false}},
    .work_size = one_vector,
    .refresh = scaling_refresh,
    .abilities = scaling_abilities,
    .project = scaling_project,
    .support = scaling_support,
    .lift_size = scaling_lift_size,
    .lift = scaling_lift,
};

thud_error thud_set_scaling(thud_context *context, double factor, thud_set *operand, thud_set **set) {
  THUD_REQUIRE(context, context, operand, set);
  thud_error error = thud_check_operands(context, "scaling", 1, &operand, set);
  if (error != THUD_OK) return error;
  thud_set_shape shape = {.n = operand->n, .child_count = 1, .children = &operand};
  return thud_set_make_from(context, &thud_class_scaling, &shape, &factor, NULL, set);
}
