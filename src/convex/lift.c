#include "convex/lift.h"

#include <limits.h>
#include <string.h>

/* ---- what opens and what stays a block --------------------------------------------------------------- */

/* A tree of leaves, polars, products, translations and scalings has a Euclidean projection of its own. */
static bool has_own_projection(const thud_set *set) {
  const thud_set_class *kind = set->kind;
  if (kind == &thud_class_sum || kind == &thud_class_image || kind == &thud_class_preimage ||
      kind == &thud_class_intersection || kind == &thud_class_generalized_coulomb)
    return false;
  if (kind == &thud_class_polar) return true;
  for (thud_index c = 0; c < set->child_count; c++)
    if (!has_own_projection(set->children[c])) return false;
  return true;
}

/* Factors become blocks by themselves: as one they would share a weight, whatever their units are. */
static bool is_product(const thud_set *set) {
  while (set->kind == &thud_class_translation || set->kind == &thud_class_scaling) set = set->children[0];
  return set->kind == &thud_class_product;
}

bool thud_lift_opens(const thud_set *set) {
  if (set->kind->lift == NULL) return false;
  return set->kind->abilities(set).is_polyhedral || is_product(set) || !has_own_projection(set);
}

void thud_lift_add_size(const thud_set *set, thud_lift_size *size) {
  if (thud_lift_opens(set)) {
    set->kind->lift_size(set, size);
  } else {
    size->blocks += 1;
    size->block_rows += (size_t)set->n;
  }
}

void thud_lift_constrain(thud_lift *lift, thud_set *set, const thud_expression *x, double factor) {
  if (thud_lift_opens(set)) {
    set->kind->lift(set, lift, x, factor);
    return;
  }
  size_t N = (size_t)lift->N, first = (size_t)lift->block_rows;
  lift->blocks[lift->block_count++] = (thud_lift_block){set, factor, lift->block_rows};
  memcpy(lift->B + first * N, x->E, (size_t)set->n * N * sizeof *x->E);
  memcpy(lift->c + first, x->e, (size_t)set->n * sizeof *x->e);
  lift->block_rows += set->n;
}

/* ---- life -------------------------------------------------------------------------------------------- */

void thud_lift_destroy(thud_lift *lift) {
  if (lift == NULL) return;
  thud_context *context = lift->context;
  thud_free(context, lift->A);
  thud_free(context, lift->b);
  thud_free(context, lift->owner);
  thud_free(context, lift->owner_row);
  thud_free(context, lift->blocks);
  thud_free(context, lift->B);
  thud_free(context, lift->c);
  thud_free(context, lift->scratch);
  thud_free(context, lift);
}

static void *new_matrix(thud_context *context, size_t rows, size_t columns) {
  size_t count;
  return thud_size_multiply(rows, columns, &count) ? thud_alloc(context, count, sizeof(double)) : NULL;
}

static bool allocate_lift(thud_lift *lift) {
  thud_context *context = lift->context;
  size_t N = (size_t)lift->N, rows = (size_t)lift->rows_max, block_rows = (size_t)lift->block_rows_max;
  lift->A = new_matrix(context, rows, N);
  lift->b = new_matrix(context, rows, 1);
  lift->owner = THUD_NEW_ARRAY(context, const thud_set *, rows);
  lift->owner_row = THUD_NEW_ARRAY(context, thud_index, rows);
  lift->blocks = THUD_NEW_ARRAY(context, thud_lift_block, lift->block_count_max);
  lift->B = new_matrix(context, block_rows, N);
  lift->c = new_matrix(context, block_rows, 1);
  lift->scratch = new_matrix(context, lift->scratch_count, 1);
  return lift->A != NULL && lift->b != NULL && lift->owner != NULL && lift->owner_row != NULL && lift->blocks != NULL &&
         lift->B != NULL && lift->c != NULL && lift->scratch != NULL;
}

thud_error thud_lift_create(const thud_set *root, thud_lift **result) {
  thud_context *context = root->context;
  thud_lift_size size = {.expression_rows = (size_t)root->n};
  if (root->kind->lift_size != NULL) root->kind->lift_size(root, &size);
  size_t N = (size_t)root->n + size.variables, rows = size.equalities + size.inequalities;
  if (N >= INT_MAX || rows >= INT_MAX || size.block_rows >= INT_MAX)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "%s: %zu variables and %zu rows are too many", root->kind->kind, N,
                     rows + size.block_rows);
  thud_lift *lift = THUD_NEW(context, thud_lift);
  if (lift == NULL) return THUD_ERROR_MEMORY;
  *lift = (thud_lift){.context = context,
                      .n = root->n,
                      .N = (thud_index)N,
                      .equalities_max = (thud_index)size.equalities,
                      .rows_max = (thud_index)rows,
                      .block_count_max = (thud_index)size.blocks,
                      .block_rows_max = (thud_index)size.block_rows,
                      .scratch_count = size.expression_rows * (N + 1)};
  if (!allocate_lift(lift)) {
    thud_lift_destroy(lift);
    return THUD_ERROR_MEMORY;
  }
  *result = lift;
  return THUD_OK;
}

void thud_lift_build(thud_lift *lift, const thud_set *root) {
  lift->scratch_used = 0;
  lift->variables_used = 0;
  lift->equalities_used = 0;
  lift->equalities = lift->equalities_max;
  lift->rows = lift->equalities_max;
  lift->block_count = lift->block_rows = 0;
  thud_expression x = thud_lift_add_variables(lift, lift->n);
  root->kind->lift(root, lift, &x, root->recession ? 0 : 1);
}

/* ---- for the lift functions -------------------------------------------------------------------------- */

thud_expression thud_lift_new_expression(thud_lift *lift, thud_index rows, double **E, double **e) {
  size_t N = (size_t)lift->N, count = (size_t)rows * (N + 1);
  *E = lift->scratch + lift->scratch_used;
  *e = *E + (size_t)rows * N;
  memset(*E, 0, count * sizeof **E);
  lift->scratch_used += count;
  return (thud_expression){rows, *E, *e};
}

thud_expression thud_lift_add_variables(thud_lift *lift, thud_index count) {
  double *E, *e;
  thud_expression variables = thud_lift_new_expression(lift, count, &E, &e);
  for (thud_index i = 0; i < count; i++) E[(size_t)i * (size_t)lift->N + (size_t)(lift->variables_used + i)] = 1;
  lift->variables_used += count;
  return variables;
}

thud_expression thud_lift_slice(const thud_lift *lift, const thud_expression *x, thud_index first, thud_index rows) {
  return (thud_expression){rows, x->E + (size_t)first * (size_t)lift->N, x->e + first};
}

thud_lift_row thud_lift_add_row(thud_lift *lift, const thud_set *owner, thud_index owner_row, bool equality,
                                double right) {
  thud_index r = equality ? lift->equalities_used++ : lift->rows++;
  lift->owner[r] = owner;
  lift->owner_row[r] = owner_row;
  lift->b[r] = right;
  double *a = lift->A + (size_t)r * (size_t)lift->N;
  memset(a, 0, (size_t)lift->N * sizeof *a);
  return (thud_lift_row){a, &lift->b[r]};
}

void thud_lift_add_term(const thud_lift *lift, thud_lift_row *row, double coefficient, const thud_expression *x,
                        thud_index i) {
  if (coefficient == 0) return;
  const double *E = x->E + (size_t)i * (size_t)lift->N;
  for (thud_index j = 0; j < lift->N; j++) row->a[j] += coefficient * E[j];
  *row->b -= coefficient * x->e[i];
}

void thud_lift_add_terms(const thud_lift *lift, thud_lift_row *row, const double *coefficients,
                         const thud_expression *x) {
  for (thud_index i = 0; i < x->rows; i++) thud_lift_add_term(lift, row, coefficients[i], x, i);
}
