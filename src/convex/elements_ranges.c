/* All answers of a composed law. With one solution z and its multipliers, the set of all z that maximise d.x is (Rockafellar,
 * Convex Analysis, section 27: every maximiser goes with every multiplier)
 *   { z of the lifted set : a_i.z = b_i where rows_i > 0, B_k z + c_k as in the solution where w_k /= 0 },
 * the second because the blocks are strictly convex (balls, ellipsoids); and the set of all multipliers is
 *   { y : (d, 0) = sum y_i a_i + sum y_k B_k'n_k,  y >= 0 on inequalities and blocks,  only rows and blocks that the
 *     solution meets },  n_k the outward normal of block k there. */
#include "convex/elements.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

/* Multipliers that bring less than this part of the terms of every component are 0; rows within this part of their terms are
 * met; a function outside of the span of the equations by this part of itself is not determined by them. */
static const double zero_tolerance = 1e-9;
/* Components of z, which go up to 1 by their definition, that cancel or are 0 are so up to this part of the tolerance. */
static const double cancelled = 1e-3;

/* ---- blocks ------------------------------------------------------------------------------------------ */

/* The ball or ellipsoid that is translated and scaled; NULL: something else. */
static const thud_set *round_part(const thud_set *set) {
  while (set->kind == &thud_class_translation || set->kind == &thud_class_scaling) set = set->children[0];
  return set->kind == &thud_class_ball || set->kind == &thud_class_ellipsoid ? set : NULL;
}

/* x -> (x - c) / f of the translations and scalings above the round part. False: the factor is 0, the set a point. */
static bool to_round_part(const thud_set *set, double factor, double *x) {
  if (factor == 0) return false;
  for (thud_index i = 0; i < set->n; i++) x[i] /= factor;
  for (; set->kind == &thud_class_translation || set->kind == &thud_class_scaling; set = set->children[0]) {
    bool moved = set->kind == &thud_class_translation;
    if (!moved && set->own[0] == 0) return false;
    for (thud_index i = 0; i < set->n; i++) x[i] = moved ? x[i] - set->own[i] : x[i] / set->own[0];
  }
  return true;
}

typedef enum block_place { BLOCK_INSIDE, BLOCK_BOUNDARY, BLOCK_POINT } block_place;

/* Where the block's point x[n] lies, and at the boundary the outward normal. x is overwritten. */
static block_place place_in_block(const thud_lift_block *block, double *x, double *normal) {
  const thud_set *part = round_part(block->set);
  thud_index n = part->n;
  if (!to_round_part(block->set, block->factor, x)) return BLOCK_POINT;
  for (thud_index i = 0; i < n; i++) x[i] -= part->own[i];
  if (part->kind == &thud_class_ball) {
    double radius = part->own[n];
    memcpy(normal, x, (size_t)n * sizeof *x);
    if (radius == 0) return BLOCK_POINT;
    return thud_vector_norm(n, x) >= radius * (1 - zero_tolerance) ? BLOCK_BOUNDARY : BLOCK_INSIDE;
  }
  thud_dense_multiply_vector(n, n, part->own + n, false, 1, x, 0, normal);
  return thud_vector_dot(n, x, normal) >= 1 - zero_tolerance ? BLOCK_BOUNDARY : BLOCK_INSIDE;
}

/* ---- a list of covectors ----------------------------------------------------------------------------- */

typedef struct covectors {
  thud_index N, count;
  bool multipliers; /* what right holds */
  double *a;        /* [count*N] one after the other */
  double *right;    /* [count] their values at the solution, or their multipliers */
  double *length;   /* [count] what they have been divided by, a power of 2 */
  bool *free_sign;  /* [count] an equation, or a multiplier of any sign */
  thud_index *own;  /* [count] number of the equation of equilibrium, -1: none */
} covectors;

static void free_covectors(thud_context *context, covectors *list) {
  thud_free(context, list->a);
  thud_free(context, list->right);
  thud_free(context, list->length);
  thud_free(context, list->free_sign);
  thud_free(context, list->own);
  *list = (covectors){0};
}

static thud_error make_covectors(thud_context *context, const thud_lift *lift, bool multipliers, covectors *list) {
  size_t most = (size_t)lift->rows + (size_t)lift->block_rows + 1, entries;
  *list = (covectors){.N = lift->N, .multipliers = multipliers};
  if (!thud_size_multiply(most, (size_t)lift->N, &entries)) return THUD_ERROR_OVERFLOW;
  list->a = THUD_NEW_ARRAY(context, double, entries);
  list->right = THUD_NEW_ARRAY(context, double, most);
  list->length = THUD_NEW_ARRAY(context, double, most);
  list->free_sign = THUD_NEW_ARRAY(context, bool, most);
  list->own = THUD_NEW_ARRAY(context, thud_index, most);
  if (list->a != NULL && list->right != NULL && list->length != NULL && list->free_sign != NULL && list->own != NULL)
    return THUD_OK;
  free_covectors(context, list);
  return THUD_ERROR_MEMORY;
}

static double *add_covector(covectors *list, double right, bool free_sign, thud_index own) {
  thud_index k = list->count++;
  list->right[k] = right;
  list->free_sign[k] = free_sign;
  list->own[k] = own;
  return memset(list->a + (size_t)k * (size_t)list->N, 0, (size_t)list->N * sizeof *list->a);
}

/* Lengths from 1 to 2, so that ranks do not depend on units. A value at the solution is divided by the length, too; a
 * multiplier is multiplied by it. */
static void normalise_last(covectors *list) {
  thud_index k = list->count - 1;
  double *a = list->a + (size_t)k * (size_t)list->N, length = thud_vector_norm(list->N, a);
  int exponent = 1;
  if (length > 0) frexp(length, &exponent);
  double scale = list->length[k] = ldexp(1, exponent - 1);
  for (thud_index j = 0; j < list->N; j++) a[j] /= scale;
  list->right[k] = list->multipliers ? list->right[k] * scale : list->right[k] / scale;
}

static void add_row(covectors *list, const double *a, double right, bool free_sign, thud_index own) {
  memcpy(add_covector(list, right, free_sign, own), a, (size_t)list->N * sizeof *a);
  normalise_last(list);
}

static const double *row_of(const thud_lift *lift, thud_index i) { return lift->A + (size_t)i * (size_t)lift->N; }

static const double *block_row_of(const thud_lift *lift, thud_index i) { return lift->B + (size_t)i * (size_t)lift->N; }

/* terms[N]: the sums of the sizes of the terms in (d, 0) = sum of rows_i a_i + sum of B_k'w_k. NULL: no memory. */
static double *find_terms(thud_context *context, const thud_lift_solution *solution, const double *d) {
  const thud_lift *lift = solution->lift;
  double *terms = THUD_NEW_ARRAY(context, double, lift->N);
  for (thud_index j = 0; terms != NULL && j < lift->N; j++) {
    terms[j] = j < lift->n ? fabs(d[j]) : 0;
    for (thud_index i = 0; i < lift->rows; i++) terms[j] += fabs(solution->rows[i] * row_of(lift, i)[j]);
    for (thud_index i = 0; i < lift->block_rows; i++) terms[j] += fabs(solution->blocks[i] * block_row_of(lift, i)[j]);
  }
  return terms;
}

static bool slides(const thud_lift_solution *solution, const thud_lift_block *block, const double *terms) {
  const thud_lift *lift = solution->lift;
  for (thud_index j = 0; j < lift->N; j++) {
    double part = 0;
    for (thud_index i = block->first_row; i < block->first_row + block->set->n; i++)
      part += solution->blocks[i] * block_row_of(lift, i)[j];
    if (fabs(part) > zero_tolerance * terms[j]) return true;
  }
  return false;
}

static bool pushes(const thud_lift_solution *solution, thud_index i, const double *terms) {
  if (i < solution->lift->equalities) return true;
  for (thud_index j = 0; j < solution->lift->N; j++)
    if (solution->rows[i] * fabs(row_of(solution->lift, i)[j]) > zero_tolerance * terms[j]) return true;
  return false;
}

/* All blocks that slide have to be round. */
static bool is_known(const thud_lift_solution *solution, const double *terms) {
  for (thud_index k = 0; k < solution->lift->block_count; k++)
    if (round_part(solution->lift->blocks[k].set) == NULL && slides(solution, &solution->lift->blocks[k], terms))
      return false;
  return true;
}

/* ---- forces ------------------------------------------------------------------------------------------ */

/* The equations of the face, satisfied by the solution to the last bit or so. */
static void list_equations(const thud_lift_solution *solution, const double *terms, covectors *list) {
  const thud_lift *lift = solution->lift;
  for (thud_index i = 0; i < lift->rows; i++)
    if (pushes(solution, i, terms))
      add_row(list, row_of(lift, i), thud_vector_dot(lift->N, row_of(lift, i), solution->z), true, -1);
  for (thud_index k = 0; k < lift->block_count; k++) {
    const thud_lift_block *block = &lift->blocks[k];
    for (thud_index i = block->first_row; slides(solution, block, terms) && i < block->first_row + block->set->n; i++)
      add_row(list, block_row_of(lift, i), thud_vector_dot(lift->N, block_row_of(lift, i), solution->z), true, -1);
  }
}

/* The other rows behind them, widened where the solution is outside by rounding. */
static void list_inequalities(const thud_lift_solution *solution, const double *terms, covectors *list) {
  const thud_lift *lift = solution->lift;
  for (thud_index i = 0; i < lift->rows; i++)
    if (!pushes(solution, i, terms))
      add_row(list, row_of(lift, i), fmax(lift->b[i], thud_vector_dot(lift->N, row_of(lift, i), solution->z)), false,
              -1);
}

/* { z : B_k z + c_k in f_k S_k }, both sides divided by the length of the rows. */
static thud_error make_block(thud_context *context, const thud_lift *lift, const thud_lift_block *block,
                             thud_set **result) {
  thud_index n = block->set->n;
  thud_set *copy = NULL, *scaled = NULL, *moved = NULL;
  double *L = THUD_NEW_ARRAY(context, double, (size_t)n *(size_t)lift->N), *back = THUD_NEW_ARRAY(context, double, n);
  thud_error error = L != NULL && back != NULL ? thud_set_clone(context, block->set, &copy) : THUD_ERROR_MEMORY;
  double length = 0;
  for (thud_index i = 0; i < n; i++)
    length = fmax(length, thud_vector_max(lift->N, block_row_of(lift, block->first_row + i)));
  if (!(length > 0)) length = 1;
  for (thud_index i = 0; i < n && error == THUD_OK; i++) {
    back[i] = -lift->c[block->first_row + i] / length;
    for (thud_index j = 0; j < lift->N; j++) L[thud_at(n, i, j)] = block_row_of(lift, block->first_row + i)[j] / length;
  }
  if (error == THUD_OK) error = thud_set_scaling(context, block->factor / length, copy, &scaled);
  if (error == THUD_OK) copy = NULL;
  if (error == THUD_OK) error = thud_set_translation(context, back, scaled, &moved);
  if (error == THUD_OK) scaled = NULL;
  if (error == THUD_OK) error = thud_set_linear_preimage(context, lift->N, L, moved, result);
  if (error == THUD_OK) moved = NULL;
  thud_set_destroy(copy);
  thud_set_destroy(scaled);
  thud_set_destroy(moved);
  thud_free(context, L);
  thud_free(context, back);
  return error;
}

static thud_error make_polyhedron(thud_context *context, const covectors *list, thud_set **set) {
  thud_index equations = 0;
  while (equations < list->count && list->free_sign[equations]) equations++;
  return thud_set_polyhedron(context, list->N, list->count, equations, list->a, list->right, set);
}

/* The face: rows and the blocks that do not slide. */
static thud_error make_face(thud_context *context, const thud_lift_solution *solution, const double *terms,
                            const covectors *list, thud_set **face) {
  const thud_lift *lift = solution->lift;
  thud_index made = 0;
  thud_set **parts = THUD_NEW_ARRAY(context, thud_set *, lift->block_count + 1);
  if (parts == NULL) return THUD_ERROR_MEMORY;
  thud_error error = make_polyhedron(context, list, &parts[0]);
  made = error == THUD_OK;
  for (thud_index k = 0; k < lift->block_count && error == THUD_OK; k++) {
    if (slides(solution, &lift->blocks[k], terms)) continue;
    error = make_block(context, lift, &lift->blocks[k], &parts[made]);
    made += error == THUD_OK;
  }
  if (error == THUD_OK) error = thud_set_intersection(context, made, parts, face);
  for (thud_index k = 0; k < made && error != THUD_OK; k++) thud_set_destroy(parts[k]);
  thud_free(context, parts);
  return error;
}

/* Equations that are almost dependent may contradict each other by rounding: nothing is known of the ranges then. */
static thud_error unknown(thud_index count, thud_range *ranges) {
  for (thud_index j = 0; j < count; j++) ranges[j] = (thud_range){NAN, NAN};
  return THUD_OK;
}

/* sup of f and of -f over the set, NaN when they are not found; f[n] is negated on the way. */
static thud_error range_over(thud_set *set, double *f, thud_range *range) {
  double low = 0, high = 0;
  thud_set_info up, down;
  thud_error error = thud_set_support(set, f, &high, NULL, &up);
  for (thud_index i = 0; i < set->n; i++) f[i] = -f[i];
  if (error == THUD_OK) error = thud_set_support(set, f, &low, NULL, &down);
  if (error != THUD_OK) return error;
  *range = up.converged && down.converged ? (thud_range){-low, high} : (thud_range){NAN, NAN};
  return THUD_OK;
}

/* Is f[N] a combination of the covectors whose span Q begins with? */
static bool is_determined(thud_index N, const double *Q, thud_index rank, const double *f) {
  double left = 0;
  for (thud_index k = rank; k < N; k++) left = hypot(left, thud_vector_dot(N, Q + (size_t)k * (size_t)N, f));
  return left <= zero_tolerance * thud_vector_norm(N, f);
}

/* Ranges over the face of the functions that its equations leave open; the face is made when it is needed. */
static thud_error force_ranges(thud_set *set, const thud_lift_solution *solution, const double *terms, thud_index count,
                               const double *functions, covectors *list, double *Q, double *f, thud_range *ranges) {
  thud_index N = solution->lift->N, n = set->n;
  thud_set *face = NULL;
  thud_range_split split;
  thud_error error = thud_dense_split_range(set->context, N, list->count, list->a, zero_tolerance, Q, &split);
  list_inequalities(solution, terms, list);
  for (thud_index j = 0; j < count && error == THUD_OK; j++) {
    memset(f, 0, (size_t)N * sizeof *f);
    memcpy(f, functions + (size_t)j * (size_t)n, (size_t)n * sizeof *f);
    double here = thud_vector_dot(N, f, solution->z);
    ranges[j] = (thud_range){here, here};
    if (is_determined(N, Q, split.rank, f)) continue;
    if (face == NULL) error = make_face(set->context, solution, terms, list, &face);
    if (error == THUD_OK) error = range_over(face, f, &ranges[j]);
  }
  thud_set_destroy(face);
  return error;
}

static thud_error ranges_at_rest(thud_set *set, thud_index count, const double *functions, double *f,
                                 thud_range *ranges) {
  thud_error error = THUD_OK;
  for (thud_index j = 0; j < count && error == THUD_OK; j++) {
    memcpy(f, functions + (size_t)j * (size_t)set->n, (size_t)set->n * sizeof *f);
    error = range_over(set, f, &ranges[j]);
  }
  return error;
}

static thud_error ranges_of_answer(thud_set *set, const thud_lift_solution *solution, const double *d, thud_index count,
                                   const double *functions, double *f, thud_range *ranges) {
  thud_context *context = set->context;
  size_t N = (size_t)solution->lift->N, entries = 0;
  covectors list = {0};
  double *terms = find_terms(context, solution, d), *Q = NULL;
  thud_error error = terms != NULL && thud_size_multiply(N, N, &entries) ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK && is_known(solution, terms)) {
    Q = THUD_NEW_ARRAY(context, double, entries);
    error = Q != NULL ? make_covectors(context, solution->lift, false, &list) : THUD_ERROR_MEMORY;
    if (error == THUD_OK) list_equations(solution, terms, &list);
    if (error == THUD_OK) error = force_ranges(set, solution, terms, count, functions, &list, Q, f, ranges);
    if (error == THUD_ERROR_EMPTY_SET) error = unknown(count, ranges);
  }
  free_covectors(context, &list);
  thud_free(context, terms);
  thud_free(context, Q);
  return error;
}

thud_error thud_elements_force_ranges(thud_set *set, const thud_lift_solution *solution, const double *d,
                                      thud_index count, const double *functions, thud_range *ranges) {
  thud_context *context = set->context;
  unknown(count, ranges);
  double *f = THUD_NEW_ARRAY(context, double, solution != NULL ? solution->lift->N : set->n);
  thud_error error = f != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK && solution == NULL) error = ranges_at_rest(set, count, functions, f, ranges);
  if (error == THUD_OK && solution != NULL) error = ranges_of_answer(set, solution, d, count, functions, f, ranges);
  thud_free(context, f);
  return error;
}

/* ---- internal velocities ----------------------------------------------------------------------------- */

static bool meets(const thud_lift_solution *solution, thud_index i, const double *terms) {
  const thud_lift *lift = solution->lift;
  double at = 0, size = fabs(lift->b[i]) + cancelled * thud_vector_norm(lift->N, row_of(lift, i));
  for (thud_index j = 0; j < lift->N; j++) {
    at += row_of(lift, i)[j] * solution->z[j];
    size += fabs(row_of(lift, i)[j] * solution->z[j]);
  }
  return pushes(solution, i, terms) || lift->b[i] - at <= zero_tolerance * size;
}

/* B_k'n. */
static void add_block_normal(const thud_lift *lift, const thud_lift_block *block, const double *normal, double size,
                             covectors *list) {
  double *a = add_covector(list, size, false, -1);
  for (thud_index i = 0; i < block->set->n; i++)
    for (thud_index j = 0; j < lift->N; j++) a[j] += normal[i] * block_row_of(lift, block->first_row + i)[j];
  normalise_last(list);
}

static void add_block(const thud_lift_solution *solution, const thud_lift_block *block, const double *terms,
                      double *work, covectors *list) {
  const thud_lift *lift = solution->lift;
  thud_index n = block->set->n;
  if (slides(solution, block, terms)) {
    add_block_normal(lift, block, solution->blocks + block->first_row, 1, list);
    return;
  }
  if (round_part(block->set) == NULL) return;
  double *x = work, *normal = work + n;
  for (thud_index i = 0; i < n; i++)
    x[i] =
        lift->c[block->first_row + i] + thud_vector_dot(lift->N, block_row_of(lift, block->first_row + i), solution->z);
  block_place place = place_in_block(block, x, normal);
  if (place == BLOCK_BOUNDARY) add_block_normal(lift, block, normal, 0, list);
  for (thud_index i = 0; place == BLOCK_POINT && i < n; i++)
    add_row(list, block_row_of(lift, block->first_row + i), 0, true, -1);
}

static void list_multipliers(const thud_set *set, const thud_lift_solution *solution, const double *terms, double *work,
                             covectors *list) {
  const thud_lift *lift = solution->lift;
  for (thud_index i = 0; i < lift->rows; i++)
    if (meets(solution, i, terms))
      add_row(list, row_of(lift, i), solution->rows[i], i < lift->equalities,
              lift->owner[i] == set && i < lift->equalities ? lift->owner_row[i] : -1);
  for (thud_index k = 0; k < lift->block_count; k++) add_block(solution, &lift->blocks[k], terms, work, list);
}

/* { y : sum y_k a_k as in the solution, y_k >= 0 where the sign is not free } */
static thud_error make_multiplier_set(thud_context *context, const covectors *list, thud_set **result) {
  thud_index n = list->count, rows = list->N, limited = 0;
  for (thud_index k = 0; k < n; k++) limited += !list->free_sign[k];
  size_t m = (size_t)rows + (size_t)limited, entries, r = (size_t)rows;
  if (!thud_size_multiply(m, (size_t)n, &entries)) return THUD_ERROR_OVERFLOW;
  double *A = THUD_NEW_ARRAY(context, double, entries), *b = THUD_NEW_ARRAY(context, double, m);
  thud_error error = A != NULL && b != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (thud_index k = 0; k < n && error == THUD_OK; k++) {
    for (thud_index j = 0; j < rows; j++) {
      double entry = list->a[(size_t)k * (size_t)rows + (size_t)j];
      A[(size_t)j * (size_t)n + (size_t)k] = entry;
      b[j] += entry * list->right[k];
    }
    if (list->free_sign[k]) continue;
    A[r * (size_t)n + (size_t)k] = -1;
    b[r++] = fmax(0, -list->right[k]);
  }
  if (error == THUD_OK) error = thud_set_polyhedron(context, n, (thud_index)m, rows, A, b, result);
  thud_free(context, A);
  thud_free(context, b);
  return error;
}

static thud_error velocity_ranges(thud_context *context, const covectors *list, thud_range *ranges) {
  thud_index rank = 0;
  thud_set *set = NULL;
  double *f = THUD_NEW_ARRAY(context, double, list->count);
  thud_error error =
      f != NULL ? thud_dense_rank(context, list->N, list->count, list->a, zero_tolerance, &rank) : THUD_ERROR_MEMORY;
  if (error == THUD_OK && rank < list->count) error = make_multiplier_set(context, list, &set);
  for (thud_index k = 0; k < list->count && error == THUD_OK; k++) {
    if (list->own[k] < 0) continue;
    thud_range *range = &ranges[list->own[k]];
    *range = (thud_range){list->right[k], list->right[k]};
    if (set != NULL) {
      memset(f, 0, (size_t)list->count * sizeof *f);
      f[k] = 1;
      error = range_over(set, f, range);
    }
    *range = (thud_range){range->low / list->length[k], range->high / list->length[k]};
  }
  thud_set_destroy(set);
  thud_free(context, f);
  return error;
}

thud_error thud_elements_velocity_ranges(thud_set *set, const thud_lift_solution *solution, const double *d,
                                         thud_range *ranges) {
  thud_context *context = set->context;
  unknown(set->m, ranges);
  if (set->m == 0) return THUD_OK;
  covectors list = {0};
  double *work = THUD_NEW_ARRAY(context, double, 2 * (size_t)solution->lift->block_rows + 1);
  double *terms = find_terms(context, solution, d);
  thud_error error = work != NULL && terms != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK && is_known(solution, terms)) {
    error = make_covectors(context, solution->lift, true, &list);
    if (error == THUD_OK) list_multipliers(set, solution, terms, work, &list);
    if (error == THUD_OK) error = velocity_ranges(context, &list, ranges);
    if (error == THUD_ERROR_EMPTY_SET) error = unknown(set->m, ranges);
  }
  free_covectors(context, &list);
  thud_free(context, work);
  thud_free(context, terms);
  return error;
}
