/* The forces of a composed friction law that are in equilibrium: E = { F in C_1 x ... x C_k : B'F = 0 }, where the
 * columns of B are the internal velocities (composition.c). As an operand the product would be one block; here every
 * factor enters the lifted description by itself, so that the multipliers say which of them slide. */
#include "convex/elements.h"
#include "convex/lift.h"
#include "convex/polyhedral.h"
#include "convex/splitting.h"

static thud_set_abilities elements_abilities(const thud_set *set) {
  thud_set_abilities joint = {.is_cone = true, .is_polyhedral = true, .is_bounded = true};
  for (thud_index c = 0; c < set->child_count; c++) {
    thud_set_abilities one = thud_set_get_abilities(set->children[c]);
    joint.is_cone = joint.is_cone && one.is_cone;
    joint.is_polyhedral = joint.is_polyhedral && one.is_polyhedral;
    joint.is_bounded = joint.is_bounded && one.is_bounded;
  }
  joint.support = joint.is_polyhedral ? THUD_EXACT : THUD_ITERATIVE;
  joint.projection = joint.projection_diagonal = joint.projection_metric = joint.support;
  return joint;
}

static thud_error elements_prepare(thud_set *set) {
  return elements_abilities(set).is_polyhedral ? thud_polyhedral_create(set) : thud_splitting_create(set);
}

static thud_error elements_refresh(thud_set *set) {
  if (set->polyhedral != NULL) return thud_polyhedral_refresh(set);
  thud_splitting_refresh(set);
  return THUD_OK;
}

static thud_error elements_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                   thud_set_info *info) {
  if (set->polyhedral != NULL) return thud_polyhedral_project(set, metric, x, y, info);
  return thud_splitting_project(set, metric, x, y, info);
}

static thud_error elements_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  if (set->polyhedral != NULL) return thud_polyhedral_support(set, d, value, point, info);
  return thud_splitting_support(set, d, value, point, info);
}

static void elements_lift_size(const thud_set *set, thud_lift_size *size) {
  size->equalities += (size_t)set->m;
  for (thud_index c = 0; c < set->child_count; c++) thud_lift_add_size(set->children[c], size);
}

static void elements_lift(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor) {
  for (thud_index i = 0; i < set->m; i++) {
    thud_lift_row row = thud_lift_add_row(lift, set, i, true, 0);
    thud_lift_add_terms(lift, &row, set->own + (size_t)i * (size_t)set->n, x);
  }
  for (thud_index c = 0, first = 0; c < set->child_count; first += set->children[c++]->n) {
    thud_expression part = thud_lift_slice(lift, x, first, set->children[c]->n);
    thud_lift_constrain(lift, set->children[c], &part, factor);
  }
}

static const thud_set_class elements_class = {
    .kind = "composed law",
    .parts = {{"B", THUD_PART_MN, false}},
    .prepare = elements_prepare,
    .refresh = elements_refresh,
    .abilities = elements_abilities,
    .project = elements_project,
    .support = elements_support,
    .lift_size = elements_lift_size,
    .lift = elements_lift,
};

thud_error thud_set_elements(thud_context *context, thud_index count, thud_set *const *laws, thud_index internal,
                             const double *B, thud_set **set) {
  thud_set_shape shape = {.m = internal, .child_count = count, .children = laws};
  thud_error error = thud_check_operands(context, elements_class.kind, count, laws, set);
  if (error != THUD_OK) return error;
  for (thud_index c = 0; c < count; c++) {
    if (laws[c]->n > INT32_MAX / 2 - shape.n)
      return thud_fail(context, THUD_ERROR_OVERFLOW, "%s: too many rows", elements_class.kind);
    shape.n += laws[c]->n;
  }
  return thud_set_make_from(context, &elements_class, &shape, B, NULL, set);
}

void thud_set_elements_solution(const thud_set *set, thud_lift_solution *solution) {
  if (set->polyhedral != NULL)
    thud_polyhedral_solution(set, solution);
  else
    thud_splitting_solution(set, solution);
}
