/* Cartesian products. A metric without coupling between the operands (Euclidean, diagonal, block diagonal) leaves one
 * projection for each of them; any other goes through the lifted description. */
#include "base/base.h"
#include "convex/lift.h"
#include "convex/polyhedral.h"
#include "convex/splitting.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static thud_set_abilities product_abilities(const thud_set *set) {
  thud_set_abilities joint = {.is_cone = true, .is_polyhedral = true, .is_bounded = true};
  for (thud_index c = 0; c < set->child_count; c++) {
    thud_set_abilities one = thud_set_get_abilities(set->children[c]);
    joint.projection = thud_worse(joint.projection, one.projection);
    joint.projection_diagonal = thud_worse(joint.projection_diagonal, one.projection_diagonal);
    joint.projection_metric = thud_worse(joint.projection_metric, one.projection_metric);
    joint.support = thud_worse(joint.support, one.support);
    joint.is_cone = joint.is_cone && one.is_cone;
    joint.is_polyhedral = joint.is_polyhedral && one.is_polyhedral;
    joint.is_bounded = joint.is_bounded && one.is_bounded;
  }
  if (set->child_count > 1 && !joint.is_polyhedral)
    joint.projection_metric = thud_worse(joint.projection_metric, THUD_ITERATIVE);
  return joint;
}

/* Workspace: one operand's block of the metric and its factor. */
static bool product_work(const thud_set *set, size_t *count) {
  size_t largest = 0;
  for (thud_index c = 0; c < set->child_count; c++)
    if ((size_t)set->children[c]->n > largest) largest = (size_t)set->children[c]->n;
  return thud_size_multiply(largest, largest, count) && thud_size_multiply(*count, 2, count);
}

static thud_error product_prepare(thud_set *set) {
  if (set->child_count == 1) return THUD_OK;
  return product_abilities(set).is_polyhedral ? thud_polyhedral_create(set) : thud_splitting_create(set);
}

static thud_error product_refresh(thud_set *set) {
  if (set->polyhedral != NULL) return thud_polyhedral_refresh(set);
  if (set->splitting != NULL) thud_splitting_refresh(set);
  return THUD_OK;
}

/* True when the metric couples coordinates of different operands. */
static bool is_coupled(const thud_set *set, const thud_metric_view *metric) {
  if (thud_view_is_diagonal(metric)) return false;
  thud_index first = 0;
  for (thud_index c = 0; c < set->child_count; c++) {
    thud_index end = first + set->children[c]->n;
    for (thud_index i = first; i < end; i++)
      for (thud_index j = end; j < set->n; j++)
        if (thud_view_entry(metric, i, j) != 0) return true;
    first = end;
  }
  return false;
}

static thud_error product_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                  thud_set_info *info) {
  if (is_coupled(set, metric))
    return set->polyhedral != NULL ? thud_polyhedral_project(set, metric, x, y, info)
                                   : thud_splitting_project(set, metric, x, y, info);
  thud_index first = 0;
  for (thud_index c = 0; c < set->child_count; c++) {
    thud_set *operand = set->children[c];
    thud_metric_view block = *metric;
    thud_set_info found;
    thud_error error = THUD_OK;
    if (set->child_count > 1) error = thud_view_block(set->context, metric, first, operand->n, set->work, &block);
    if (error == THUD_OK) error = thud_set_project_view(operand, &block, x + first, y + first, &found);
    if (error != THUD_OK) return error;
    thud_info_join(info, &found);
    info->gap = hypot(info->gap, found.gap);
    first += operand->n;
  }
  return THUD_OK;
}

static thud_error product_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  thud_index first = 0;
  *value = 0;
  for (thud_index c = 0; c < set->child_count; c++) {
    thud_set_info found;
    double part;
    thud_error error = thud_set_support_inside(set->children[c], d + first, &part, point + first, &found);
    if (error != THUD_OK) return error;
    *value += part;
    thud_info_join(info, &found);
    info->gap += found.gap;
    first += set->children[c]->n;
  }
  return THUD_OK;
}

static void product_lift_size(const thud_set *set, thud_lift_size *size) {
  for (thud_index c = 0; c < set->child_count; c++) thud_lift_add_size(set->children[c], size);
}

static void product_lift(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor) {
  thud_index first = 0;
  for (thud_index c = 0; c < set->child_count; c++) {
    thud_expression part = thud_lift_slice(lift, x, first, set->children[c]->n);
    thud_lift_constrain(lift, set->children[c], &part, factor);
    first += set->children[c]->n;
  }
}

const thud_set_class thud_class_product = {
    .kind = "product",
    .work_size = product_work,
    .prepare = product_prepare,
    .refresh = product_refresh,
    .abilities = product_abilities,
    .project = product_project,
    .support = product_support,
    .lift_size = product_lift_size,
    .lift = product_lift,
};

thud_error thud_set_product(thud_context *context, thud_index count, thud_set *const *operands, thud_set **set) {
  THUD_REQUIRE(context, context, operands, set);
  thud_error error = thud_check_operands(context, "product", count, operands, set);
  if (error != THUD_OK) return error;
  int64_t n = 0;
  for (thud_index c = 0; c < count; c++) n += operands[c]->n;
  if (n > INT32_MAX)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "product: the dimensions of its operands add up to %lld",
                     (long long)n);
  thud_set_shape shape = {.n = (thud_index)n, .child_count = count, .children = operands};
  return thud_set_make_from(context, &thud_class_product, &shape, NULL, NULL, set);
}
