/* Global problems of rigid bodies in disguise: when M is block-diagonal, with at most 6 consecutive degrees of freedom
 * to a block, and each contact touches at most two blocks, the problem is a two-block one and W need not be formed. */
#include "solve/method.h"
#include "contact/owned.h"
#include "contact/problem.h"
#include "contact/sparse.h"

#include <math.h>
#include <string.h>

/* M counts as symmetric up to this part of its largest entry of the block. */
static const double SYMMETRIC = 1e-12;

/* What is found out before anything is built: body i / block owns degree of freedom i. */
typedef struct block_finder {
  thud_context *context;
  const thud_contact_problem *problem;
  thud_sparse M, H;
  thud_index bodies, block;
  thud_index *pair; /* [2*contacts] bodies that each contact touches, -1: none */
} block_finder;

static bool couples_within_blocks(const thud_sparse *M, thud_index block) {
  for (thud_index j = 0; j < M->columns; j++)
    for (thud_index p = M->column_start[j]; p < M->column_start[j + 1]; p++)
      if (M->value[p] != 0 && M->row[p] / block != j / block) return false;
  return true;
}

/* The bodies that each contact touches. False when there are more than two. */
static bool find_pairs(block_finder *finder) {
  size_t d = (size_t)finder->problem->dimension, contacts = (size_t)finder->problem->contacts;
  for (size_t k = 0; k < contacts; k++) {
    thud_index *pair = finder->pair + 2 * k;
    pair[0] = pair[1] = -1;
    for (thud_index p = finder->H.column_start[k * d]; p < finder->H.column_start[(k + 1) * d]; p++) {
      thud_index body = finder->H.row[p] / finder->block;
      if (finder->H.value[p] == 0 || body == pair[0] || body == pair[1]) continue;
      if (pair[1] >= 0) return false;
      pair[pair[0] < 0 ? 0 : 1] = body;
    }
    if (pair[0] < 0) pair[0] = 0; /* touches nothing: a row of zeros on any body */
  }
  return true;
}

/* The smallest block that fits; false when none does. */
static bool find_block(block_finder *finder) {
  for (finder->block = 1; finder->block <= THUD_CONTACT_BLOCK_MAX; finder->block++) {
    if (!couples_within_blocks(&finder->M, finder->block) || !find_pairs(finder)) continue;
    finder->bodies = (finder->M.columns - 1) / finder->block + 1;
    return true;
  }
  return false;
}

/* In place inverse of an n x n block, column-major; false when it is not symmetric positive definite. */
static bool invert(size_t n, double *A) {
  double L[36], largest = 0;
  for (size_t i = 0; i < n * n; i++) largest = fmax(largest, fabs(A[i]));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++)
      if (fabs(A[i * n + j] - A[j * n + i]) > SYMMETRIC * largest) return false;
  memcpy(L, A, n * n * sizeof(double));
  if (thud_dense_cholesky(NULL, (thud_index)n, L, NULL) != THUD_OK) return false;
  for (size_t j = 0; j < n; j++) {
    double *x = A + j * n;
    for (size_t i = 0; i < n; i++) x[i] = i == j ? 1 : 0;
    thud_dense_solve_lower((thud_index)n, L, false, x);
    thud_dense_solve_lower((thud_index)n, L, true, x);
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) A[i * n + j] = A[j * n + i] = (A[i * n + j] + A[j * n + i]) / 2;
  return true;
}

/* M^-1 by blocks; places beyond the last degree of freedom stay 0. False when a block is not symmetric positive
 * definite. */
static bool fill_masses(const block_finder *finder, double *inverse_mass) {
  size_t n = (size_t)finder->block, ndof = (size_t)finder->M.columns;
  for (size_t j = 0; j < ndof; j++)
    for (thud_index p = finder->M.column_start[j]; p < finder->M.column_start[j + 1]; p++)
      if (finder->M.value[p] != 0) inverse_mass[j * n + (size_t)finder->M.row[p] % n] = finder->M.value[p];
  for (size_t b = 0; b < (size_t)finder->bodies; b++) {
    double compact[36], *own = inverse_mass + b * n * n;
    size_t m = ndof - b * n < n ? ndof - b * n : n;
    for (size_t j = 0; j < m; j++) memcpy(compact + j * m, own + j * n, m * sizeof(double));
    if (!invert(m, compact)) return false;
    for (size_t j = 0; j < m; j++) memcpy(own + j * n, compact + j * m, m * sizeof(double));
  }
  return true;
}

/* v_free = M^-1 f */
static void fill_velocities(const block_finder *finder, const double *inverse_mass, double *velocity) {
  size_t n = (size_t)finder->block, ndof = (size_t)finder->M.columns;
  for (size_t i = 0; i < ndof; i++)
    for (size_t j = 0; j < n; j++) velocity[i - i % n + j] += inverse_mass[i * n + j] * finder->problem->f[i];
}

static void fill_jacobians(const block_finder *finder, double *jacobian_a, double *jacobian_b) {
  size_t n = (size_t)finder->block, d = (size_t)finder->problem->dimension;
  for (size_t c = 0; c < d * (size_t)finder->problem->contacts; c++)
    for (thud_index p = finder->H.column_start[c]; p < finder->H.column_start[c + 1]; p++) {
      thud_index dof = finder->H.row[p];
      if (finder->H.value[p] == 0) continue;
      double *side = finder->pair[2 * (c / d)] == dof / finder->block ? jacobian_a : jacobian_b;
      side[c * n + (size_t)dof % n] = finder->H.value[p];
    }
}

/* Builds the two-block problem; *fits is false when a mass is not symmetric positive definite. */
static thud_error build(const block_finder *finder, thud_owned_problem *owned, bool *fits) {
  const thud_contact_problem *problem = finder->problem;
  size_t n = (size_t)finder->block, bodies = (size_t)finder->bodies, contacts = (size_t)problem->contacts;
  size_t jacobian = contacts * (size_t)problem->dimension * n;
  double *inverse_mass = thud_owned_problem_alloc(owned, bodies * n * n, sizeof(double));
  double *velocity = thud_owned_problem_alloc(owned, bodies * n, sizeof(double));
  double *jacobian_a = thud_owned_problem_alloc(owned, jacobian, sizeof(double));
  double *jacobian_b = thud_owned_problem_alloc(owned, jacobian, sizeof(double));
  thud_index *body_a = thud_owned_problem_alloc(owned, contacts, sizeof(thud_index));
  thud_index *body_b = thud_owned_problem_alloc(owned, contacts, sizeof(thud_index));
  if (inverse_mass == NULL || velocity == NULL || jacobian_a == NULL || jacobian_b == NULL || body_a == NULL ||
      body_b == NULL)
    return THUD_ERROR_MEMORY;
  *fits = fill_masses(finder, inverse_mass);
  if (!*fits) return THUD_OK;
  fill_velocities(finder, inverse_mass, velocity);
  fill_jacobians(finder, jacobian_a, jacobian_b);
  for (size_t k = 0; k < contacts; k++) {
    body_a[k] = finder->pair[2 * k];
    body_b[k] = finder->pair[2 * k + 1];
  }
  thud_contact_problem *made = thud_owned_problem_edit(owned);
  made->form = THUD_FORM_TWO_BLOCK;
  made->two_block = (thud_two_block){.bodies = finder->bodies,
                                     .block = finder->block,
                                     .inverse_mass = inverse_mass,
                                     .free_velocity = velocity,
                                     .body_a = body_a,
                                     .body_b = body_b,
                                     .jacobian_a = jacobian_a,
                                     .jacobian_b = jacobian_b};
  thud_error error = thud_owned_problem_copy_contacts(finder->context, owned, problem);
  if (error == THUD_OK)
    error = thud_owned_problem_copy_doubles(owned, problem->w, thud_contact_size(problem), &made->two_block.w);
  return error;
}

static thud_error prepare(block_finder *finder) {
  thud_context *context = finder->context;
  thud_error error = thud_matrix_to_sparse(context, &finder->problem->M, &finder->M);
  if (error == THUD_OK) error = thud_matrix_to_sparse(context, &finder->problem->H, &finder->H);
  if (error != THUD_OK) return error;
  finder->pair = THUD_NEW_ARRAY(context, thud_index, 2 * (size_t)finder->problem->contacts);
  return finder->pair != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_global_to_two_block(thud_context *context, const thud_contact_problem *problem,
                                    thud_owned_problem **two_block) {
  *two_block = NULL;
  if (problem->form != THUD_FORM_GLOBAL || problem->bilateral > 0 || problem->contacts == 0 || problem->M.columns == 0)
    return THUD_OK;
  block_finder finder = {.context = context, .problem = problem};
  thud_owned_problem *made = NULL;
  bool fits = false;
  thud_error error = prepare(&finder);
  if (error == THUD_OK && find_block(&finder)) {
    error = thud_owned_problem_create(context, &made);
    if (error == THUD_OK) error = build(&finder, made, &fits);
  }
  if (error == THUD_OK && fits)
    *two_block = made;
  else
    thud_owned_problem_destroy(made);
  thud_free(context, finder.pair);
  thud_sparse_destroy(context, &finder.M);
  thud_sparse_destroy(context, &finder.H);
  return error;
}
