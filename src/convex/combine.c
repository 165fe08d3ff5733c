/* Sums and intersections. */
#include "base/base.h"
#include "convex/lift.h"
#include "convex/polyhedral.h"
#include "convex/splitting.h"

#include <string.h>

static thud_error combine_prepare(thud_set *set) {
  if (set->child_count == 1) return THUD_OK;
  return thud_set_get_abilities(set).is_polyhedral ? thud_polyhedral_create(set) : thud_splitting_create(set);
}

static thud_error combine_refresh(thud_set *set) {
  if (set->polyhedral != NULL) return thud_polyhedral_refresh(set);
  if (set->splitting != NULL) thud_splitting_refresh(set);
  return THUD_OK;
}

static thud_error combine_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                  thud_set_info *info) {
  if (set->polyhedral != NULL) return thud_polyhedral_project(set, metric, x, y, info);
  if (set->splitting != NULL) return thud_splitting_project(set, metric, x, y, info);
  return thud_set_project_view(set->children[0], metric, x, y, info);
}

/* Common abilities of the operands; bounded: all of them (sum) or one of them (intersection). */
static thud_set_abilities combine_abilities(const thud_set *set) {
  thud_set_abilities joint = thud_set_get_abilities(set->children[0]);
  if (set->child_count == 1) return joint;
  bool intersection = set->kind == &thud_class_intersection;
  for (thud_index c = 1; c < set->child_count; c++) {
    thud_set_abilities one = thud_set_get_abilities(set->children[c]);
    joint.is_cone = joint.is_cone && one.is_cone;
    joint.is_polyhedral = joint.is_polyhedral && one.is_polyhedral;
    joint.is_bounded = intersection ? joint.is_bounded || one.is_bounded : joint.is_bounded && one.is_bounded;
    joint.support = thud_worse(joint.support, one.support);
  }
  thud_exactness exactness = joint.is_polyhedral ? THUD_EXACT : THUD_ITERATIVE;
  joint.projection = joint.projection_diagonal = joint.projection_metric = exactness;
  if (intersection) joint.support = exactness;
  return joint;
}

static thud_error make_combination(thud_context *context, const thud_set_class *kind, thud_index count,
                                   thud_set *const *operands, thud_set **set) {
  thud_error error = thud_check_operands(context, kind->kind, count, operands, set);
  if (error != THUD_OK) return error;
  for (thud_index c = 1; c < count; c++)
    if (operands[c]->n != operands[0]->n)
      return thud_fail(context, THUD_ERROR_DIMENSION, "%s: operand %d (%s) has dimension %d, operand 0 (%s) has %d",
                       kind->kind, (int)c, operands[c]->kind->kind, (int)operands[c]->n, operands[0]->kind->kind,
                       (int)operands[0]->n);
  thud_set_shape shape = {.n = operands[0]->n, .child_count = count, .children = operands};
  return thud_set_make_from(context, kind, &shape, NULL, NULL, set);
}

/* ---- sum --------------------------------------------------------------------------------------------- */

static bool sum_work(const thud_set *set, size_t *count) {
  *count = (size_t)set->n;
  return true;
}

static thud_error sum_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  double *part = set->work;
  *value = 0;
  memset(point, 0, (size_t)set->n * sizeof *point);
  for (thud_index c = 0; c < set->child_count; c++) {
    thud_set_info found;
    double one;
    thud_error error = thud_set_support_inside(set->children[c], d, &one, part, &found);
    if (error != THUD_OK) return error;
    *value += one;
    for (thud_index i = 0; i < set->n; i++) point[i] += part[i];
    thud_info_join(info, &found);
    info->gap += found.gap;
  }
  return THUD_OK;
}

static void sum_lift_size(const thud_set *set, thud_lift_size *size) {
  size_t variables = (size_t)(set->child_count - 1) * (size_t)set->n;
  size->variables += variables;
  size->expression_rows += variables + (size_t)set->n;
  for (thud_index c = 0; c < set->child_count; c++) thud_lift_add_size(set->children[c], size);
}

/* New variables for all operands but the first, which gets x minus the others. */
static void sum_lift(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor) {
  double *E, *e;
  size_t entries = (size_t)set->n * (size_t)lift->N;
  thud_expression rest = thud_lift_new_expression(lift, set->n, &E, &e);
  memcpy(E, x->E, entries * sizeof *E);
  memcpy(e, x->e, (size_t)set->n * sizeof *e);
  for (thud_index c = 1; c < set->child_count; c++) {
    thud_expression part = thud_lift_add_variables(lift, set->n);
    for (size_t k = 0; k < entries; k++) E[k] -= part.E[k];
    thud_lift_constrain(lift, set->children[c], &part, factor);
  }
  thud_lift_constrain(lift, set->children[0], &rest, factor);
}

const thud_set_class thud_class_sum = {
    .kind = "sum",
    .work_size = sum_work,
    .prepare = combine_prepare,
    .refresh = combine_refresh,
    .abilities = combine_abilities,
    .project = combine_project,
    .support = sum_support,
    .lift_size = sum_lift_size,
    .lift = sum_lift,
};

thud_error thud_set_sum(thud_context *context, thud_index count, thud_set *const *operands, thud_set **set) {
  THUD_REQUIRE(context, context, operands, set);
  return make_combination(context, &thud_class_sum, count, operands, set);
}

/* ---- intersection ------------------------------------------------------------------------------------ */

static thud_error intersection_support(thud_set *set, const double *d, double *value, double *point,
                                       thud_set_info *info) {
  if (set->polyhedral != NULL) return thud_polyhedral_support(set, d, value, point, info);
  if (set->splitting != NULL) return thud_splitting_support(set, d, value, point, info);
  return thud_set_support_inside(set->children[0], d, value, point, info);
}

static void intersection_lift_size(const thud_set *set, thud_lift_size *size) {
  for (thud_index c = 0; c < set->child_count; c++) thud_lift_add_size(set->children[c], size);
}

static void intersection_lift(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor) {
  for (thud_index c = 0; c < set->child_count; c++) thud_lift_constrain(lift, set->children[c], x, factor);
}

const thud_set_class thud_class_intersection = {
    .kind = "intersection",
    .prepare = combine_prepare,
    .refresh = combine_refresh,
    .abilities = combine_abilities,
    .project = combine_project,
    .support = intersection_support,
    .lift_size = intersection_lift_size,
    .lift = intersection_lift,
};

thud_error thud_set_intersection(thud_context *context, thud_index count, thud_set *const *operands, thud_set **set) {
  THUD_REQUIRE(context, context, operands, set);
  return make_combination(context, &thud_class_intersection, count, operands, set);
}
