/* Contact problems whose forces may be open, and their analysis. */
#ifndef THUD_TEST_UNIQUENESS_CASES_H
#define THUD_TEST_UNIQUENESS_CASES_H

#include "thud/solve.h"
#include "thud/uniqueness.h"
#include "failing_allocator.h"
#include "random_problems.h"
#include "testing.h"
#include <math.h>
#include <string.h>

enum { MAX_ROWS = 8, MAX_SIZE = 40 };

/* A body at rest, M = 1, f = -H r: any r in the cones is a solution with v = 0 and u = 0. */
typedef struct rest {
  thud_index dimension, contacts, ndof;
  double H[MAX_ROWS * MAX_SIZE]; /* column-major */
  double M[MAX_ROWS * MAX_ROWS], f[MAX_ROWS];
  double W[MAX_SIZE * MAX_SIZE], q[MAX_SIZE];
  double mu[8], mu_rolling[8], mu_spinning[8];
  double r[MAX_SIZE], u[MAX_SIZE];
  thud_contact_friction friction;
} rest;

static inline void set_column(rest *body, thud_index column, const double *values) {
  for (thud_index i = 0; i < body->ndof; i++) body->H[column * body->ndof + i] = values[i];
}

static inline void settle(rest *body) {
  thud_index n = body->dimension * body->contacts, m = body->ndof;
  for (thud_index i = 0; i < m; i++) {
    body->M[i + i * m] = 1;
    for (thud_index j = 0; j < n; j++) body->f[i] -= body->H[i + j * m] * body->r[j];
  }
  for (thud_index i = 0; i < n; i++)
    for (thud_index j = 0; j < n; j++) {
      for (thud_index k = 0; k < m; k++) body->W[i + j * n] += body->H[k + i * m] * body->H[k + j * m];
      body->q[i] -= body->W[i + j * n] * body->r[j];
    }
}

static inline thud_matrix dense(thud_index rows, thud_index columns, const double *values) {
  return (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = rows, .columns = columns, .dense = values};
}

static inline thud_contact_problem problem_of(const rest *body, thud_contact_form form) {
  thud_index n = body->dimension * body->contacts;
  thud_contact_problem problem = {.form = form, .dimension = body->dimension, .contacts = body->contacts};
  if (body->dimension > 1) problem.mu = body->mu;
  problem.friction = body->friction;
  if (body->dimension >= 5 || body->friction != THUD_FRICTION_BY_DIMENSION) problem.mu_rolling = body->mu_rolling;
  if (body->dimension == 4 || body->dimension == 6) problem.mu_spinning = body->mu_spinning;
  if (form == THUD_FORM_LOCAL) {
    problem.W = dense(n, n, body->W);
    problem.q = body->q;
  } else {
    problem.M = dense(body->ndof, body->ndof, body->M);
    problem.H = dense(body->ndof, n, body->H);
    problem.f = body->f;
  }
  return problem;
}

static inline thud_force_set *set_of(thud_context *context, const thud_contact_problem *problem, const double *r,
                                     const double *u) {
  thud_force_set *set = NULL;
  thud_error error = thud_force_set_create(context, problem, r, u, NULL, &set);
  if (error != THUD_OK) fail_msg("create: %s", thud_context_last_message(context));
  return set;
}

static inline thud_uniqueness verdict_of(thud_force_set *set) {
  thud_uniqueness_info info;
  assert_int_equal(thud_force_set_uniqueness(set, &info), THUD_OK);
  return info.verdict;
}

static inline void assert_near(const char *what, thud_index contact, double value, double expected, double tolerance) {
  if (!(fabs(value - expected) <= tolerance) && value != expected)
    fail_msg("contact %d: %s is %.15g instead of %.15g", (int)contact, what, value, expected);
}

/* Both intervals of a contact are [low, high] to the tolerance, in the right order, and attained. */
static inline void expect_interval(thud_context *context, thud_force_set *set, const thud_contact_problem *problem,
                                   thud_index contact, double low, double high, double tolerance) {
  thud_force_interval found;
  double lowest[MAX_SIZE], highest[MAX_SIZE];
  thud_error error = thud_force_set_interval(set, contact, &found, lowest, highest);
  if (error != THUD_OK) fail_msg("interval: %s", thud_context_last_message(context));
  assert_int_equal(found.contact, contact);
  assert_near("low", contact, found.low, low, tolerance);
  assert_near("high", contact, found.high, high, tolerance);
  assert_near("low_outer", contact, found.low_outer, low, tolerance);
  assert_near("high_outer", contact, found.high_outer, high, tolerance);
  thud_assert_at_most(found.low_outer, found.low);
  thud_assert_at_most(found.high, found.high_outer);
  assert_near("r_N of the lowest", contact, lowest[contact * problem->dimension], low, tolerance);
  double sum = 0;
  for (thud_index k = 0; k < problem->contacts; k++) sum += highest[k * problem->dimension];
  if (isinf(high)) assert_near("the sum of the ray", contact, sum, 1, 1e-12);
  if (!isinf(high)) assert_near("r_N of the highest", contact, highest[contact * problem->dimension], high, tolerance);
  thud_contact_residual residual;
  assert_int_equal(thud_contact_evaluate(context, problem, lowest, NULL, NULL, NULL, &residual), THUD_OK);
  if (!(residual.residual < 1e-9)) fail_msg("the lowest is not a solution: %g", residual.residual);
  if (isinf(high)) return;
  assert_int_equal(thud_contact_evaluate(context, problem, highest, NULL, NULL, NULL, &residual), THUD_OK);
  if (!(residual.residual < 1e-9)) fail_msg("the highest is not a solution: %g", residual.residual);
}

/* The local and the global form say the same. */
static inline void expect_in_both_forms(const rest *body, thud_uniqueness verdict, const double (*expected)[2],
                                        double tolerance) {
  thud_context *context = thud_test_context(1);
  for (int form = THUD_FORM_LOCAL; form <= THUD_FORM_GLOBAL; form++) {
    thud_contact_problem problem = problem_of(body, (thud_contact_form)form);
    thud_force_set *set = set_of(context, &problem, body->r, body->u);
    assert_int_equal(verdict_of(set), verdict);
    for (thud_index k = 0; k < body->contacts; k++)
      expect_interval(context, set, &problem, k, expected[k][0], expected[k][1], tolerance);
    thud_force_set_destroy(set);
  }
  thud_test_context_end(context);
}

#endif
