/* Global problems of rigid bodies in disguise: when M is block-diagonal, with at most 6 consecutive degrees of freedom
 * to a block, and each contact touches at most two blocks, the impulses solve a two-block problem of the bodies that
 * contacts touch, and W need not be formed. */
#include "solve/method.h"
#include "contact/owned.h"
#include "contact/problem.h"
#include "contact/contact_sparse.h"

#include <math.h>
#include <string.h>

/* M counts as symmetric up to this part of its largest entry of the block. */
static const double SYMMETRIC = 1e-12;

/* Blocks found before anything is built: body i / block owns degree of freedom i. */
typedef struct block_finder {
  thud_context *context;
  const thud_contact_problem *problem;
  thud_sparse M, H; /* copies, or the problem's own where these are compressed columns */
  thud_index block;
  thud_index *pair;    /* [2*contacts] bodies that each contact touches, -1: none */
  thud_index touched;  /* bodies that contacts touch: only these enter the two-block form */
  thud_index *number;  /* [bodies] their numbers there, -1: not touched */
  thud_index *body_of; /* [touched] and back */
} block_finder;

/* True if a degree of freedom belongs to the body; -1 is none. Divisions would take most of the time here. */
static bool is_of(thud_index body, thud_index dof, thud_index block) {
  return body >= 0 && dof >= body * block && dof < (body + 1) * block;
}

/* The bodies that each contact touches. False when there are more than two. */
static bool find_pairs(block_finder *finder) {
  size_t d = (size_t)finder->problem->dimension, contacts = (size_t)finder->problem->contacts;
  for (size_t k = 0; k < contacts; k++) {
    thud_index *pair = finder->pair + 2 * k;
    pair[0] = pair[1] = -1;
    for (thud_index p = finder->H.column_start[k * d]; p < finder->H.column_start[(k + 1) * d]; p++) {
      thud_index dof = finder->H.row[p];
      if (finder->H.value[p] == 0 || is_of(pair[0], dof, finder->block) || is_of(pair[1], dof, finder->block)) continue;
      if (pair[1] >= 0) return false;
      pair[pair[0] < 0 ? 0 : 1] = dof / finder->block;
    }
    if (pair[0] < 0) pair[0] = 0; /* touches nothing: a row of zeros on any body */
  }
  return true;
}

/* The smallest block that fits; false when none does. */
static bool find_block(block_finder *finder) {
  for (finder->block = 1; finder->block <= THUD_CONTACT_BLOCK_MAX; finder->block++) {
    if (!find_pairs(finder) || !thud_sparse_fits_blocks(&finder->M, finder->block)) continue;
    return true;
  }
  return false;
}

/* Numbers the bodies that contacts touch, in the order of the contacts. */
static thud_error number_bodies(block_finder *finder) {
  size_t bodies = (size_t)((finder->M.columns - 1) / finder->block) + 1, contacts = (size_t)finder->problem->contacts;
  finder->number = THUD_NEW_ARRAY(finder->context, thud_index, bodies);
  finder->body_of = THUD_NEW_ARRAY(finder->context, thud_index, 2 * contacts < bodies ? 2 * contacts : bodies);
  if (finder->number == NULL || finder->body_of == NULL) return THUD_ERROR_MEMORY;
  for (size_t b = 0; b < bodies; b++) finder->number[b] = -1;
  for (size_t i = 0; i < 2 * contacts; i++) {
    thud_index body = finder->pair[i];
    if (body < 0 || finder->number[body] >= 0) continue;
    finder->number[body] = finder->touched;
    finder->body_of[finder->touched++] = body;
  }
  return THUD_OK;
}

/* In place inverse of a diagonal block; *is_diagonal is false when it is none. False when it is not positive definite.
 */
static bool invert_diagonal(size_t n, double *A, bool *is_diagonal) {
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++)
      if (i != j && A[j * n + i] != 0) return *is_diagonal = false;
  *is_diagonal = true;
  for (size_t i = 0; i < n; i++) {
    if (!(A[i * (n + 1)] > 0)) return false;
    A[i * (n + 1)] = 1 / A[i * (n + 1)];
  }
  return true;
}

/* In place inverse of an n x n block, column-major; false when it is not symmetric positive definite. */
static bool invert(size_t n, double *A) {
  double L[36], largest = 0;
  bool is_diagonal;
  if (invert_diagonal(n, A, &is_diagonal)) return true;
  if (is_diagonal) return false;
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
  for (size_t b = 0; b < (size_t)finder->touched; b++) {
    double compact[36], *own = inverse_mass + b * n * n;
    size_t first = (size_t)finder->body_of[b] * n, m = ndof - first < n ? ndof - first : n;
    for (size_t j = 0; j < m; j++)
      for (thud_index p = finder->M.column_start[first + j]; p < finder->M.column_start[first + j + 1]; p++)
        if (finder->M.value[p] != 0) own[j * n + (size_t)finder->M.row[p] - first] = finder->M.value[p];
    if (m == n) {
      if (!invert(n, own)) return false;
      continue;
    }
    for (size_t j = 0; j < m; j++) memcpy(compact + j * m, own + j * n, m * sizeof(double));
    if (!invert(m, compact)) return false;
    for (size_t j = 0; j < m; j++) memcpy(own + j * n, compact + j * m, m * sizeof(double));
  }
  return true;
}

/* v_free = M^-1 f */
static void fill_velocities(const block_finder *finder, const double *inverse_mass, double *velocity) {
  size_t n = (size_t)finder->block, ndof = (size_t)finder->M.columns;
  for (size_t b = 0; b < (size_t)finder->touched; b++) {
    size_t first = (size_t)finder->body_of[b] * n;
    for (size_t i = 0; i < n && first + i < ndof; i++)
      for (size_t j = 0; j < n; j++)
        velocity[b * n + j] += inverse_mass[(b * n + i) * n + j] * finder->problem->f[first + i];
  }
}

static void fill_jacobians(const block_finder *finder, double *jacobian_a, double *jacobian_b) {
  size_t n = (size_t)finder->block, d = (size_t)finder->problem->dimension;
  for (size_t k = 0; k < (size_t)finder->problem->contacts; k++) {
    const thud_index *pair = finder->pair + 2 * k;
    for (size_t c = k * d; c < (k + 1) * d; c++)
      for (thud_index p = finder->H.column_start[c]; p < finder->H.column_start[c + 1]; p++) {
        if (finder->H.value[p] == 0) continue;
        bool first = is_of(pair[0], finder->H.row[p], finder->block);
        size_t within = (size_t)finder->H.row[p] - (size_t)pair[first ? 0 : 1] * n;
        (first ? jacobian_a : jacobian_b)[c * n + within] = finder->H.value[p];
      }
  }
}

/* Builds the two-block problem; *fits is false when a mass is not symmetric positive definite. */
static thud_error build(const block_finder *finder, thud_owned_problem *owned, bool *fits) {
  const thud_contact_problem *problem = finder->problem;
  size_t n = (size_t)finder->block, bodies = (size_t)finder->touched, contacts = (size_t)problem->contacts;
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
    body_a[k] = finder->number[finder->pair[2 * k]];
    body_b[k] = finder->pair[2 * k + 1] < 0 ? -1 : finder->number[finder->pair[2 * k + 1]];
  }
  thud_contact_problem *made = thud_owned_problem_edit(owned);
  made->form = THUD_FORM_TWO_BLOCK;
  made->two_block = (thud_two_block){.bodies = finder->touched,
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

static thud_error take(thud_context *context, const thud_matrix *A, thud_sparse *sparse) {
  if (A->storage != THUD_MATRIX_SPARSE) return thud_matrix_to_sparse(context, A, sparse);
  *sparse = A->sparse;
  return THUD_OK;
}

static void release(thud_context *context, const thud_matrix *A, thud_sparse *sparse) {
  if (A->storage != THUD_MATRIX_SPARSE) thud_sparse_destroy(context, sparse);
}

static thud_error prepare(block_finder *finder) {
  thud_context *context = finder->context;
  thud_error error = take(context, &finder->problem->M, &finder->M);
  if (error == THUD_OK) error = take(context, &finder->problem->H, &finder->H);
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
    error = number_bodies(&finder);
    if (error == THUD_OK) error = thud_owned_problem_create(context, &made);
    if (error == THUD_OK) error = build(&finder, made, &fits);
  }
  if (error == THUD_OK && fits)
    *two_block = made;
  else
    thud_owned_problem_destroy(made);
  thud_free(context, finder.pair);
  thud_free(context, finder.number);
  thud_free(context, finder.body_of);
  release(context, &problem->M, &finder.M);
  release(context, &problem->H, &finder.H);
  return error;
}
