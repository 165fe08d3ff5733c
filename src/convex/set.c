/* Life, parameters and public queries of convex sets; everything that is the same for all kinds. */
#include "base/base.h"
#include "convex/settled.h"
#include "convex/set.h"

#include "convex/lift.h"
#include "convex/polyhedral.h"
#include "convex/splitting.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double default_tolerance = 1e-12;
/* The certificate of iterative answers (splitting.c) needs multipliers of the right size: not before this residual. */
static const double loosest_tolerance = 1e-4;
static const thud_index default_max_iterations = 100000;

/* ---- making ------------------------------------------------------------------------------------------ */

static bool part_count(const thud_set *set, thud_part_size size, size_t *count) {
  size_t n = (size_t)set->n, m = (size_t)set->m;
  switch (size) {
  case THUD_PART_NONE: *count = 0; return true;
  case THUD_PART_ONE: *count = 1; return true;
  case THUD_PART_N: *count = n; return true;
  case THUD_PART_M: *count = m; return true;
  case THUD_PART_NN: return thud_size_multiply(n, n, count);
  case THUD_PART_MN: return thud_size_multiply(m, n, count);
  case THUD_PART_OPERAND: return thud_size_multiply((size_t)set->children[0]->n, n, count);
  }
  return false;
}

static bool count_parameters(thud_set *set) {
  set->own_count = 0;
  for (int k = 0; k < THUD_SET_PARTS; k++) {
    size_t count;
    if (!part_count(set, set->kind->parts[k].size, &count)) return false;
    if (!thud_size_add(set->own_count, count, &set->own_count)) return false;
  }
  set->parameter_count = set->own_count;
  for (thud_index c = 0; c < set->child_count; c++)
    if (!thud_size_add(set->parameter_count, set->children[c]->parameter_count, &set->parameter_count)) return false;
  return true;
}

/* Frees the node alone; the operands are left to their owner. */
static void free_node(thud_set *set) {
  thud_context *context = set->context;
  thud_polyhedral_destroy(set->polyhedral);
  thud_splitting_destroy(set->splitting);
  thud_lift_destroy(set->operand_lift);
  thud_settled_destroy(set->settled);
  thud_free(context, set->children);
  thud_free(context, set->own);
  thud_free(context, set->saved);
  thud_free(context, set->query);
  thud_free(context, set->work);
  thud_free(context, set);
}

/* "ball: centre[1] is nan" for the first number of the own parameters that is not allowed. */
static thud_error check_finite(const thud_set *set, const double *own) {
  for (int k = 0; k < THUD_SET_PARTS; k++) {
    const thud_set_part *part = &set->kind->parts[k];
    size_t count = 0;
    part_count(set, part->size, &count);
    for (size_t i = 0; i < count; i++, own++) {
      if (isfinite(*own) || (part->may_be_infinite && !isnan(*own))) continue;
      char place[32] = "";
      if (part->size != THUD_PART_ONE) snprintf(place, sizeof place, "[%zu]", i);
      return thud_fail(set->context, THUD_ERROR_NOT_FINITE, "%s: %s%s is %g: give a %s", set->kind->kind, part->name,
                       place, *own, part->may_be_infinite ? "number or an infinity" : "finite number");
    }
  }
  return THUD_OK;
}

static thud_error refresh_node(thud_set *set) {
  thud_settled_destroy(set->settled);
  set->settled = NULL;
  thud_error error = check_finite(set, set->own);
  if (error == THUD_OK && set->kind->refresh != NULL) error = set->kind->refresh(set);
  return error;
}

static thud_error allocate_node(thud_set *set) {
  thud_context *context = set->context;
  size_t query;
  if (!count_parameters(set) || !thud_size_multiply((size_t)set->n, 4, &query) ||
      (set->kind->work_size != NULL && !set->kind->work_size(set, &set->work_count)))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "%s: the sizes are too large (dimension %d, %d rows)",
                     set->kind->kind, (int)set->n, (int)set->m);
  /* One after the other: absurd sizes fail at the first of them. */
  if ((set->own = THUD_NEW_ARRAY(context, double, set->own_count)) == NULL ||
      (set->saved = THUD_NEW_ARRAY(context, double, set->parameter_count)) == NULL ||
      (set->work = THUD_NEW_ARRAY(context, double, set->work_count)) == NULL ||
      (set->query = THUD_NEW_ARRAY(context, double, query)) == NULL)
    return THUD_ERROR_MEMORY;
  return THUD_OK;
}

static void copy_numbers(double *to, const double *from, size_t count) {
  if (count > 0) memcpy(to, from, count * sizeof *to);
}

thud_error thud_set_make_from(thud_context *context, const thud_set_class *kind, const thud_set_shape *shape,
                              const double *first, const double *second, thud_set **result) {
  thud_set *set = THUD_NEW(context, thud_set);
  if (set == NULL) return THUD_ERROR_MEMORY;
  *set = (thud_set){.kind = kind,
                    .context = context,
                    .n = shape->n,
                    .m = shape->m,
                    .equalities = shape->equalities,
                    .tolerance = default_tolerance,
                    .max_iterations = default_max_iterations};
  thud_error error = THUD_ERROR_MEMORY;
  set->children = THUD_NEW_ARRAY(context, thud_set *, shape->child_count);
  if (set->children == NULL) goto failed;
  for (; set->child_count < shape->child_count; set->child_count++)
    set->children[set->child_count] = shape->children[set->child_count];
  error = allocate_node(set);
  if (error != THUD_OK) goto failed;
  size_t split = 0;
  part_count(set, kind->parts[0].size, &split);
  copy_numbers(set->own, first, split);
  copy_numbers(set->own + split, second, set->own_count - split);
  error = check_finite(set, set->own);
  if (error == THUD_OK && kind->prepare != NULL) error = kind->prepare(set);
  if (error == THUD_OK) error = refresh_node(set);
  if (error != THUD_OK) goto failed;
  *result = set;
  return THUD_OK;
failed:
  free_node(set);
  return error;
}

thud_error thud_set_make(thud_context *context, const thud_set_class *kind, const thud_set_shape *shape,
                         const double *own, thud_set **set) {
  thud_set node = {.kind = kind, .n = shape->n, .m = shape->m, .children = (thud_set **)(uintptr_t)shape->children};
  size_t split = 0;
  part_count(&node, kind->parts[0].size, &split);
  return thud_set_make_from(context, kind, shape, own, own + split, set);
}

thud_error thud_check_at_least(thud_context *context, const char *kind, const char *name, thud_index value,
                               thud_index minimum) {
  if (value >= minimum) return THUD_OK;
  return thud_fail(context, THUD_ERROR_ARGUMENT, "%s: %s is %d: it must be at least %d", kind, name, (int)value,
                   (int)minimum);
}

thud_error thud_check_leaf(thud_context *context, const char *kind, thud_index n, thud_index minimum,
                           const double *first, const double *second, const void *result) {
  thud_error error = thud_check_at_least(context, kind, "the dimension", n, minimum);
  if (error == THUD_OK && (first == NULL || second == NULL || result == NULL))
    error =
        thud_fail(context, THUD_ERROR_ARGUMENT, "%s: its arrays and the place of the result must not be NULL", kind);
  return error;
}

thud_error thud_check_operands(thud_context *context, const char *kind, thud_index count, thud_set *const *operands,
                               const void *result) {
  thud_error error = thud_check_at_least(context, kind, "the number of operands", count, 1);
  if (error != THUD_OK) return error;
  if (operands == NULL || result == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%s: the operands and the place of the result must not be NULL",
                     kind);
  for (thud_index i = 0; i < count; i++) {
    if (operands[i] == NULL) return thud_fail(context, THUD_ERROR_ARGUMENT, "%s: operand %d is NULL", kind, (int)i);
    if (operands[i]->context != context)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "%s: operand %d was made with another context", kind, (int)i);
    for (thud_index j = 0; j < i; j++)
      if (operands[i] == operands[j])
        return thud_fail(context, THUD_ERROR_ARGUMENT,
                         "%s: operands %d and %d are the same set: operands are consumed, use thud_set_clone", kind,
                         (int)j, (int)i);
  }
  return THUD_OK;
}

/* ---- life -------------------------------------------------------------------------------------------- */

void thud_set_destroy(thud_set *set) {
  if (set == NULL) return;
  for (thud_index c = 0; c < set->child_count; c++) thud_set_destroy(set->children[c]);
  free_node(set);
}

thud_error thud_set_clone(thud_context *context, const thud_set *set, thud_set **clone) {
  THUD_REQUIRE(context, context, set, clone);
  thud_set **children = THUD_NEW_ARRAY(context, thud_set *, set->child_count);
  if (children == NULL) return THUD_ERROR_MEMORY;
  thud_error error = THUD_OK;
  for (thud_index c = 0; c < set->child_count && error == THUD_OK; c++)
    error = thud_set_clone(context, set->children[c], &children[c]);
  if (error == THUD_OK) {
    thud_set_shape shape = {set->n, set->m, set->equalities, set->child_count, children};
    error = thud_set_make(context, set->kind, &shape, set->own, clone);
  }
  if (error != THUD_OK) {
    for (thud_index c = 0; c < set->child_count; c++) thud_set_destroy(children[c]);
  } else {
    (*clone)->tolerance = set->tolerance;
    (*clone)->max_iterations = set->max_iterations;
  }
  thud_free(context, children);
  return error;
}

thud_index thud_set_dimension(const thud_set *set) {
  THUD_REQUIRE_OR(0, set);
  return set->n;
}

const char *thud_set_kind(const thud_set *set) {
  THUD_REQUIRE_OR(NULL, set);
  return set->kind->kind;
}

thud_set_abilities thud_set_get_abilities(const thud_set *set) {
  THUD_REQUIRE_OR((thud_set_abilities){0}, set);
  return set->kind->abilities(set);
}

thud_error thud_set_set_tolerance(thud_set *set, double tolerance, thud_index max_iterations) {
  THUD_REQUIRE(set != NULL ? set->context : NULL, set);
  if (!(tolerance > 0) || !isfinite(tolerance))
    return thud_fail(set->context, THUD_ERROR_ARGUMENT, "[not-finite] %s: the tolerance is %g: it must be positive",
                     set->kind->kind, tolerance);
  thud_error error = thud_check_at_least(set->context, set->kind->kind, "the iteration limit", max_iterations, 1);
  if (error != THUD_OK) return error;
  set->tolerance = fmin(tolerance, loosest_tolerance);
  set->max_iterations = max_iterations;
  for (thud_index c = 0; c < set->child_count; c++) thud_set_set_tolerance(set->children[c], tolerance, max_iterations);
  return THUD_OK;
}

/* ---- parameters -------------------------------------------------------------------------------------- */

size_t thud_set_parameter_count(const thud_set *set) {
  THUD_REQUIRE_OR(0, set);
  return set->parameter_count;
}

void thud_set_get_parameters(const thud_set *set, double *parameters) {
  THUD_REQUIRE_OR(, set, parameters || thud_set_parameter_count(set) == 0);
  copy_numbers(parameters, set->own, set->own_count);
  parameters += set->own_count;
  for (thud_index c = 0; c < set->child_count; c++) {
    thud_set_get_parameters(set->children[c], parameters);
    parameters += set->children[c]->parameter_count;
  }
}

/* Operands first, so that a node's refresh sees them as they will be. */
static thud_error write_parameters(thud_set *set, const double *parameters) {
  const double *below = parameters + set->own_count;
  for (thud_index c = 0; c < set->child_count; c++) {
    thud_error error = write_parameters(set->children[c], below);
    if (error != THUD_OK) return error;
    below += set->children[c]->parameter_count;
  }
  copy_numbers(set->own, parameters, set->own_count);
  return refresh_node(set);
}

thud_error thud_set_set_parameters(thud_set *set, const double *parameters) {
  THUD_REQUIRE_OF(set, parameters);
  if (parameters == NULL && set->parameter_count > 0)
    return thud_fail(set->context, THUD_ERROR_ARGUMENT, "%s: the parameters must not be NULL", set->kind->kind);
  thud_set_get_parameters(set, set->saved);
  thud_error error = write_parameters(set, parameters);
  if (error == THUD_OK) return THUD_OK;
  char message[512];
  snprintf(message, sizeof message, "%s", thud_context_last_message(set->context));
  write_parameters(set, set->saved);
  return thud_fail(set->context, error, "%s", message);
}

thud_error thud_set_mark_recession(thud_set *set, bool recession) {
  if (set->recession == recession) return THUD_OK;
  set->recession = recession;
  /* The recession cone of a polar is made from the operand itself, not from the operand's recession cone. */
  bool descends = set->kind != &thud_class_polar;
  for (thud_index c = 0; descends && c < set->child_count; c++) {
    thud_error error = thud_set_mark_recession(set->children[c], recession);
    if (error != THUD_OK) return error;
  }
  return refresh_node(set);
}

thud_error thud_moving_set_place(const thud_moving_set *moving, double t, thud_side side, double *scratch) {
  THUD_REQUIRE(NULL, moving, moving->set, moving->parameters == NULL || scratch);
  thud_set *set = moving->set;
  const thud_regulated *function = moving->parameters;
  if (function == NULL) return THUD_OK;
  if ((size_t)function->dimension != set->parameter_count)
    return thud_fail(set->context, THUD_ERROR_DIMENSION,
                     "moving %s: the function of time has %d components, the set has %zu parameters", set->kind->kind,
                     (int)function->dimension, set->parameter_count);
  thud_error error = thud_regulated_evaluate(set->context, function, t, side, scratch);
  if (error == THUD_OK) error = thud_set_set_parameters(set, scratch);
  if (error != THUD_OK) return thud_fail_within(set->context, error, "moving %s at t = %.15g", set->kind->kind, t);
  return THUD_OK;
}

/* ---- queries ----------------------------------------------------------------------------------------- */

thud_exactness thud_worse(thud_exactness a, thud_exactness b) { return a > b ? a : b; }

void thud_info_join(thud_set_info *info, const thud_set_info *operand) {
  info->exactness = thud_worse(info->exactness, operand->exactness);
  info->converged = info->converged && operand->converged;
  info->iterations += operand->iterations;
}

thud_error thud_project_to_origin(thud_set *set, double *y) {
  memset(y, 0, (size_t)set->n * sizeof *y);
  return THUD_OK;
}

thud_error thud_set_project_view(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                 thud_set_info *info) {
  *info = (thud_set_info){.exactness = THUD_EXACT, .converged = true};
  return set->settled != NULL ? thud_settled_project(set->settled, metric, x, y, info)
                              : set->kind->project(set, metric, x, y, info);
}

thud_error thud_set_support_inside(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  *info = (thud_set_info){.exactness = THUD_EXACT, .converged = true};
  if (thud_vector_max(set->n, d) == 0) {
    /* sup of 0: any point will do; the projection of the origin is one. */
    thud_metric_view euclidean = thud_view_euclidean(set->n);
    *value = 0;
    return thud_set_project_view(set, &euclidean, d, point, info);
  }
  return set->kind->support(set, d, value, point, info);
}

static thud_error check_vector(const thud_set *set, const char *query, const char *name, const double *x) {
  if (x == NULL)
    return thud_fail(set->context, THUD_ERROR_ARGUMENT, "%s: %s: %s must not be NULL", set->kind->kind, query, name);
  for (thud_index i = 0; i < set->n; i++)
    if (!isfinite(x[i]))
      return thud_fail(set->context, THUD_ERROR_NOT_FINITE, "%s: %s: %s[%d] is %g: give finite numbers",
                       set->kind->kind, query, name, (int)i, x[i]);
  return THUD_OK;
}

static thud_error check_metric(const thud_set *set, const char *query, const thud_metric *metric) {
  if (metric == NULL || thud_metric_dimension(metric) == set->n) return THUD_OK;
  return thud_fail(set->context, THUD_ERROR_DIMENSION, "%s: %s: the metric has dimension %d, the set %d",
                   set->kind->kind, query, (int)thud_metric_dimension(metric), (int)set->n);
}

thud_error thud_set_project(thud_set *set, const thud_metric *metric, const double *x, double *y, thud_set_info *info) {
  THUD_REQUIRE_OF(set, x, y);
  thud_error error = check_vector(set, "projection", "x", x);
  if (error == THUD_OK) error = check_metric(set, "projection", metric);
  if (error != THUD_OK) return error;
  size_t bytes = (size_t)set->n * sizeof *x;
  thud_metric_view view = thud_view_of(metric, set->n);
  thud_set_info found;
  memcpy(set->query, x, bytes);
  error = thud_set_project_view(set, &view, set->query, set->query + set->n, &found);
  if (error != THUD_OK) return error;
  memcpy(y, set->query + set->n, bytes);
  if (info != NULL) *info = found;
  return THUD_OK;
}

thud_error thud_set_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  THUD_REQUIRE_OF(set, d, value);
  thud_error error = check_vector(set, "support", "d", d);
  if (error != THUD_OK) return error;
  thud_set_info found;
  double supremum;
  memcpy(set->query, d, (size_t)set->n * sizeof *d);
  error = thud_set_support_inside(set, set->query, &supremum, set->query + set->n, &found);
  if (error != THUD_OK) return error;
  *value = supremum;
  if (point != NULL && isfinite(supremum)) memcpy(point, set->query + set->n, (size_t)set->n * sizeof *point);
  if (info != NULL) *info = found;
  return THUD_OK;
}

thud_error thud_set_distance(thud_set *set, const thud_metric *metric, const double *x, double *distance,
                             thud_set_info *info) {
  THUD_REQUIRE_OF(set, x, distance);
  double *y = set->query + 2 * (size_t)set->n, *work = set->query;
  thud_error error = thud_set_project(set, metric, x, y, info);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < set->n; i++) y[i] -= x[i];
  thud_metric_view view = thud_view_of(metric, set->n);
  *distance = thud_view_norm(&view, y, work);
  return THUD_OK;
}

thud_error thud_set_normal_cone_residual(thud_set *set, const thud_metric *metric, const double *x, const double *w,
                                         double *residual, thud_set_info *info) {
  THUD_REQUIRE_OF(set, x, w, residual);
  thud_error error = check_vector(set, "normal cone", "x", x);
  if (error == THUD_OK) error = check_vector(set, "normal cone", "w", w);
  if (error == THUD_OK) error = check_metric(set, "normal cone", metric);
  if (error != THUD_OK) return error;
  double *pushed = set->query + 2 * (size_t)set->n, *y = pushed + set->n;
  thud_metric_view view = thud_view_of(metric, set->n);
  thud_view_solve(&view, w, pushed);
  for (thud_index i = 0; i < set->n; i++) pushed[i] += x[i];
  error = thud_set_project(set, metric, pushed, y, info);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < set->n; i++) y[i] -= x[i];
  *residual = thud_view_norm(&view, y, pushed);
  return THUD_OK;
}
