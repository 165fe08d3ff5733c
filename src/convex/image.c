/* Linear images L C and preimages { x : L x in C }.
 *
 * When L is square and well conditioned both are x = T u, u in C, with T = L or L^-1, and the projection is the
 * operand's in the metric T'MT. Otherwise the lifted description serves. */
#include "base/base.h"
#include "convex/lift.h"
#include "convex/polyhedral.h"
#include "convex/splitting.h"

#include <math.h>
#include <string.h>

/* The condition number of T'MT is up to the square of that of L (here in the 1-norm) times that of M: beyond this the
 * square case could not keep what "exact" promises. */
static const double regular_condition = 100;

static thud_set *operand_of(const thud_set *set) { return set->children[0]; }

static bool is_square(const thud_set *set) { return set->n == operand_of(set)->n; }

/* Workspace: two vectors of the longer side, then for square L: L^-1 [n*n], scratch [n*n], congruence [3*n*n]. */
static size_t vectors_size(const thud_set *set) {
  size_t n = (size_t)set->n, k = (size_t)operand_of(set)->n;
  return 2 * (n > k ? n : k);
}

static bool image_work(const thud_set *set, size_t *count) {
  size_t matrices = 0;
  if (is_square(set) &&
      (!thud_size_multiply((size_t)set->n, (size_t)set->n, &matrices) || !thud_size_multiply(matrices, 5, &matrices)))
    return false;
  return thud_size_add(matrices, vectors_size(set), count);
}

static double one_norm(thud_index n, const double *A) {
  double largest = 0;
  for (thud_index j = 0; j < n; j++) {
    double sum = 0;
    for (thud_index i = 0; i < n; i++) sum += fabs(A[(size_t)j * (size_t)n + (size_t)i]);
    largest = fmax(largest, sum);
  }
  return largest;
}

/* Gauss-Jordan with column pivoting on rows, in place of an allocation: inverse = A^-1; A is destroyed. */
static bool invert(thud_index n, double *A, double *inverse) {
  size_t N = (size_t)n;
  memset(inverse, 0, N * N * sizeof *inverse);
  for (size_t i = 0; i < N; i++) inverse[i * (N + 1)] = 1;
  for (size_t k = 0; k < N; k++) {
    size_t pivot = k;
    for (size_t i = k + 1; i < N; i++)
      if (fabs(A[k * N + i]) > fabs(A[k * N + pivot])) pivot = i;
    if (A[k * N + pivot] == 0) return false;
    for (size_t j = 0; j < N && pivot != k; j++) {
      double a = A[j * N + k], b = inverse[j * N + k];
      A[j * N + k] = A[j * N + pivot];
      A[j * N + pivot] = a;
      inverse[j * N + k] = inverse[j * N + pivot];
      inverse[j * N + pivot] = b;
    }
    double diagonal = A[k * N + k];
    for (size_t j = 0; j < N; j++) {
      A[j * N + k] /= diagonal;
      inverse[j * N + k] /= diagonal;
    }
    for (size_t i = 0; i < N; i++) {
      double factor = i == k ? 0 : A[k * N + i];
      for (size_t j = 0; j < N && factor != 0; j++) {
        A[j * N + i] -= factor * A[j * N + k];
        inverse[j * N + i] -= factor * inverse[j * N + k];
      }
    }
  }
  return true;
}

static double *inverse_of(const thud_set *set) { return set->work + vectors_size(set); }

static thud_error image_prepare(thud_set *set) {
  return thud_set_get_abilities(operand_of(set)).is_polyhedral ? thud_polyhedral_create(set)
                                                               : thud_splitting_create(set);
}

static thud_error image_refresh(thud_set *set) {
  set->is_regular = false;
  if (is_square(set)) {
    size_t size = (size_t)set->n * (size_t)set->n;
    double *inverse = inverse_of(set), *scratch = inverse + size;
    memcpy(scratch, set->own, size * sizeof *scratch);
    set->is_regular =
        invert(set->n, scratch, inverse) && one_norm(set->n, set->own) * one_norm(set->n, inverse) <= regular_condition;
  }
  if (set->polyhedral != NULL) return thud_polyhedral_refresh(set);
  thud_splitting_refresh(set);
  return THUD_OK;
}

static bool uses_operand_metric(const thud_set *set) {
  return set->polyhedral == NULL && set->is_regular &&
         thud_set_get_abilities(operand_of(set)).projection_metric == THUD_EXACT;
}

static thud_set_abilities image_abilities(const thud_set *set) {
  thud_set_abilities operand = thud_set_get_abilities(operand_of(set)), abilities = operand;
  thud_exactness projection = operand.is_polyhedral || uses_operand_metric(set) ? THUD_EXACT : THUD_ITERATIVE;
  abilities.projection = abilities.projection_diagonal = abilities.projection_metric = projection;
  if (set->kind == &thud_class_preimage && !set->is_regular) {
    abilities.is_bounded = false;
    abilities.support = operand.is_polyhedral ? THUD_EXACT : THUD_ITERATIVE;
  }
  return abilities;
}

/* T and its inverse of the square case. */
static const double *map_of(const thud_set *set, bool inverse) {
  bool image = set->kind == &thud_class_image;
  return image != inverse ? set->own : inverse_of(set);
}

static thud_error image_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                thud_set_info *info) {
  if (set->polyhedral != NULL) return thud_polyhedral_project(set, metric, x, y, info);
  if (!uses_operand_metric(set)) return thud_splitting_project(set, metric, x, y, info);
  thud_index n = set->n;
  size_t bytes = (size_t)n * sizeof(double);
  double *u = set->work, *v = set->work + n;
  thud_metric_view congruent;
  thud_error error = thud_view_congruence(set->context, metric, map_of(set, false),
                                          inverse_of(set) + 2 * (size_t)n * (size_t)n, &congruent);
  if (error != THUD_OK) return error;
  thud_dense_multiply_vector(n, n, map_of(set, true), false, 1, x, 0, u);
  error = thud_set_project_view(operand_of(set), &congruent, u, v, info);
  if (error != THUD_OK) return error;
  if (memcmp(u, v, bytes) == 0)
    memcpy(y, x, bytes);
  else
    thud_dense_multiply_vector(n, n, map_of(set, false), false, 1, v, 0, y);
  return THUD_OK;
}

/* sup over u in C of d.Tu = support of C at T'd. */
static thud_error support_through(thud_set *set, thud_index k, const double *T, const double *d, double *value,
                                  double *point, thud_set_info *info) {
  double *w = set->work, *u = set->work + vectors_size(set) / 2;
  thud_dense_multiply_vector(set->n, k, T, true, 1, d, 0, w);
  thud_error error = thud_set_support_inside(operand_of(set), w, value, u, info);
  if (error == THUD_OK && isfinite(*value)) thud_dense_multiply_vector(set->n, k, T, false, 1, u, 0, point);
  return error;
}

static thud_error image_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  return support_through(set, operand_of(set)->n, set->own, d, value, point, info);
}

static thud_error preimage_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  if (set->is_regular) return support_through(set, set->n, inverse_of(set), d, value, point, info);
  if (set->polyhedral != NULL) return thud_polyhedral_support(set, d, value, point, info);
  return thud_splitting_support(set, d, value, point, info);
}

static void image_lift_size(const thud_set *set, thud_lift_size *size) {
  size->variables += (size_t)operand_of(set)->n;
  size->expression_rows += (size_t)operand_of(set)->n;
  size->equalities += (size_t)set->n;
  thud_lift_add_size(operand_of(set), size);
}

/* x - L u = 0, u in factor C. */
static void image_lift(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor) {
  thud_index k = operand_of(set)->n;
  thud_expression u = thud_lift_add_variables(lift, k);
  for (thud_index i = 0; i < set->n; i++) {
    thud_lift_row row = thud_lift_add_row(lift, set, i, true, 0);
    thud_lift_add_term(lift, &row, 1, x, i);
    for (thud_index j = 0; j < k; j++)
      thud_lift_add_term(lift, &row, -set->own[(size_t)j * (size_t)set->n + (size_t)i], &u, j);
  }
  thud_lift_constrain(lift, operand_of(set), &u, factor);
}

static void preimage_lift_size(const thud_set *set, thud_lift_size *size) {
  size->expression_rows += (size_t)operand_of(set)->n;
  thud_lift_add_size(operand_of(set), size);
}

static void preimage_lift(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor) {
  thud_index k = operand_of(set)->n;
  double *E, *e;
  thud_expression Lx = thud_lift_new_expression(lift, k, &E, &e);
  for (thud_index i = 0; i < k; i++)
    for (thud_index j = 0; j < set->n; j++) {
      double coefficient = set->own[(size_t)j * (size_t)k + (size_t)i];
      for (thud_index c = 0; c < lift->N; c++)
        E[(size_t)i * (size_t)lift->N + (size_t)c] += coefficient * x->E[(size_t)j * (size_t)lift->N + (size_t)c];
      e[i] += coefficient * x->e[j];
    }
  thud_lift_constrain(lift, operand_of(set), &Lx, factor);
}

const thud_set_class thud_class_image = {
    .kind = "linear image",
    .parts = {{"L", THUD_PART_OPERAND, false}},
    .work_size = image_work,
    .prepare = image_prepare,
    .refresh = image_refresh,
    .abilities = image_abilities,
    .project = image_project,
    .support = image_support,
    .lift_size = image_lift_size,
    .lift = image_lift,
};

const thud_set_class thud_class_preimage = {
    .kind = "linear preimage",
    .parts = {{"L", THUD_PART_OPERAND, false}},
    .work_size = image_work,
    .prepare = image_prepare,
    .refresh = image_refresh,
    .abilities = image_abilities,
    .project = image_project,
    .support = preimage_support,
    .lift_size = preimage_lift_size,
    .lift = preimage_lift,
};

static thud_error make_linear(thud_context *context, const thud_set_class *kind, thud_index n, const double *L,
                              thud_set *operand, thud_set **set) {
  thud_error error = thud_check_operands(context, kind->kind, 1, &operand, set);
  if (error == THUD_OK) error = thud_check_leaf(context, kind->kind, n, 1, L, L, set);
  if (error != THUD_OK) return error;
  thud_set_shape shape = {.n = n, .child_count = 1, .children = &operand};
  return thud_set_make_from(context, kind, &shape, L, NULL, set);
}

thud_error thud_set_linear_image(thud_context *context, thud_index rows, const double *L, thud_set *operand,
                                 thud_set **set) {
  THUD_REQUIRE(context, context, L, operand, set);
  return make_linear(context, &thud_class_image, rows, L, operand, set);
}

thud_error thud_set_linear_preimage(thud_context *context, thud_index n, const double *L, thud_set *operand,
                                    thud_set **set) {
  THUD_REQUIRE(context, context, L, operand, set);
  return make_linear(context, &thud_class_preimage, n, L, operand, set);
}
