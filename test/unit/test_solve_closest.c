/* The impulses of S closest to a start: tables, wedges and walls of boxes with closed forms; planar problems against all
 * candidates; problems in space, with rolling and spinning, against the variational inequality of a projection. */
#include "thud/solve.h"
#include "thud/uniqueness.h"
#include "failing_allocator.h"
#include "random_problems.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NDOF = 8, MAX_SIZE = 36, MAX_CONTACTS = 8 };

/* A body at rest under the load -H r: M = 1, v = 0, so that every r' with H r' = H r in the cones solves it. */
typedef struct rest {
  thud_index dimension, contacts, ndof;
  thud_contact_friction friction;
  double H[MAX_NDOF * MAX_SIZE], M[MAX_NDOF * MAX_NDOF], f[MAX_NDOF];
  double mu[MAX_CONTACTS], mu_rolling[MAX_CONTACTS], mu_spinning[MAX_CONTACTS];
  double r[MAX_SIZE], u[MAX_SIZE];
  thud_contact_problem problem;
} rest;

static thud_matrix dense(thud_index rows, thud_index columns, const double *values) {
  return (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = rows, .columns = columns, .dense = values};
}

static size_t size_of(const rest *body) { return (size_t)(body->dimension * body->contacts); }

static void set_column(rest *body, thud_index column, const double *values) {
  for (thud_index i = 0; i < body->ndof; i++) body->H[column * body->ndof + i] = values[i];
}

static void settle(rest *body) {
  size_t m = (size_t)body->ndof, n = size_of(body);
  memset(body->f, 0, sizeof body->f);
  for (size_t i = 0; i < m; i++) {
    body->M[i * (m + 1)] = 1;
    for (size_t j = 0; j < n; j++) body->f[i] -= body->H[j * m + i] * body->r[j];
  }
  thud_index d = body->dimension;
  bool plane_rolling = body->friction == THUD_FRICTION_PLANE_ROLLING;
  body->problem = (thud_contact_problem){.form = THUD_FORM_GLOBAL,
                                         .dimension = d,
                                         .contacts = body->contacts,
                                         .friction = body->friction,
                                         .mu = d > 1 ? body->mu : NULL,
                                         .mu_rolling = d >= 5 || plane_rolling ? body->mu_rolling : NULL,
                                         .mu_spinning = d == 4 || d == 6 ? body->mu_spinning : NULL,
                                         .M = dense(body->ndof, body->ndof, body->M),
                                         .H = dense(body->ndof, (thud_index)n, body->H),
                                         .f = body->f};
}

static thud_force_set *set_of(thud_context *context, const rest *body) {
  thud_force_set *set = NULL;
  if (thud_force_set_create(context, &body->problem, body->r, body->u, NULL, &set) != THUD_OK)
    fail_msg("create: %s", thud_context_last_message(context));
  return set;
}

static void closest(thud_context *context, thud_force_set *set, const double *start, const double *weights, double *r,
                    thud_force_closest *found) {
  if (thud_force_set_closest(set, start, weights, r, found) != THUD_OK)
    fail_msg("closest: %s", thud_context_last_message(context));
}

/* Law and velocity by the independent evaluation, and the distance by its definition. */
static void expect_solution(thud_context *context, const rest *body, const double *start, const double *weights,
                            const double *r, const thud_force_closest *found) {
  double u[MAX_SIZE], sum = 0;
  thud_contact_residual residual;
  assert_int_equal(thud_contact_evaluate(context, &body->problem, r, NULL, NULL, u, &residual), THUD_OK);
  thud_assert_at_most(residual.residual, 1e-12);
  for (size_t i = 0; i < size_of(body); i++) {
    thud_assert_at_most(fabs(u[i] - body->u[i]), 1e-12);
    double difference = r[i] - (start != NULL ? start[i] : 0);
    sum += (weights != NULL ? weights[i / (size_t)body->dimension] : 1) * difference * difference;
  }
  thud_assert_near(found->distance, sqrt(sum), 1e-12 * (1 + sqrt(sum)));
}

/* ---- closed forms -------------------------------------------------------------------------------------------------- */

/* Legs at (+-1, +-1), the load N at (a, b): forces N/4 (1 + a x + b y) + s x y with s in an interval; of the weighted
 * least squares s is the mean of x y (start - even), cut to the interval. */
static void four_leg_table(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const double places[][2] = {{0, 0}, {0.5, 0}, {0.3, -0.4}, {-0.2, 0.7}}, N = 8;
  static const double legs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  static const double starts[][4] = {{0, 0, 0, 0}, {2, 1, 3, 2}, {9, 0, 9, 0}, {-5, 1, -5, 30}};
  static const double weights[4] = {1, 2, 0.5, 4};
  for (size_t c = 0; c < sizeof places / sizeof *places; c++) {
    rest table = {.dimension = 1, .contacts = 4, .ndof = 3};
    double even[4], low = -INFINITY, high = INFINITY;
    for (int k = 0; k < 4; k++) {
      double x = legs[k][0], y = legs[k][1];
      set_column(&table, k, (const double[]){1, y, -x});
      even[k] = N / 4 * (1 + places[c][0] * x + places[c][1] * y);
      if (x * y > 0) low = fmax(low, -even[k]);
      if (x * y < 0) high = fmin(high, even[k]);
    }
    for (int k = 0; k < 4; k++) table.r[k] = even[k] + legs[k][0] * legs[k][1] * (0.3 * low + 0.7 * high);
    settle(&table);
    thud_force_set *set = set_of(context, &table);
    for (size_t t = 0; t < 2 * sizeof starts / sizeof *starts; t++) {
      const double *start = t < 2 ? NULL : starts[t / 2], *weight = t % 2 == 0 ? NULL : weights;
      double r[4], along = 0, total = 0;
      thud_force_closest found;
      for (int k = 0; k < 4; k++) {
        double w = weight != NULL ? weight[k] : 1, sign = legs[k][0] * legs[k][1];
        along += w * sign * ((start != NULL ? start[k] : 0) - even[k]);
        total += w;
      }
      double s = fmin(fmax(along / total, low), high);
      closest(context, set, start, weight, r, &found);
      for (int k = 0; k < 4; k++) thud_assert_near(r[k], even[k] + s * legs[k][0] * legs[k][1], 1e-13 * N);
      expect_solution(context, &table, start, weight, r, &found);
      thud_assert_at_most(found.error, 1e-6 * N);
    }
    thud_force_set_destroy(set);
  }
  thud_test_context_end(context);
}

/* A block between two walls without friction, on a floor: (t, t, 5), t >= 0, has no upper end. */
static void block_in_a_wedge_without_friction(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  rest block = {.dimension = 1, .contacts = 3, .ndof = 2, .r = {2, 2, 5}};
  set_column(&block, 0, (const double[]){1, 0});
  set_column(&block, 1, (const double[]){-1, 0});
  set_column(&block, 2, (const double[]){0, 1});
  settle(&block);
  thud_force_set *set = set_of(context, &block);
  static const double starts[][4] = {/* start, t */
                                     {0, 0, 0, 0},
                                     {3, 1, 0, 2},
                                     {-3, 1, 7, 0},
                                     {1e7, 1e7 + 2, 5, 1e7 + 1}};
  for (size_t c = 0; c < 4; c++) {
    double r[3], t = starts[c][3];
    thud_force_closest found;
    closest(context, set, starts[c], NULL, r, &found);
    thud_assert_near(r[0], t, 1e-14 * (1 + t) * 10);
    thud_assert_near(r[1], t, 1e-14 * (1 + t) * 10);
    thud_assert_near(r[2], 5, 1e-13);
  }
  thud_force_set_destroy(set);
  thud_test_context_end(context);
}

/* Held between two walls by friction: (t, G/2) at both, t >= G/(2 mu); in space the horizontal friction is 0. */
static void block_held_by_friction(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double G = 3, mu = 0.4;
  rest plane = {.dimension = 2, .contacts = 2, .ndof = 3, .mu = {mu, mu}, .r = {7, G / 2, 7, G / 2}};
  set_column(&plane, 0, (const double[]){1, 0, 0});
  set_column(&plane, 1, (const double[]){0, 1, -1});
  set_column(&plane, 2, (const double[]){-1, 0, 0});
  set_column(&plane, 3, (const double[]){0, 1, 1});
  rest space = {.dimension = 3, .contacts = 2, .ndof = 6, .mu = {mu, mu}, .r = {7, 0, G / 2, 7, 0, G / 2}};
  for (int k = 0; k < 2; k++) {
    double x = k == 0 ? -1 : 1;
    set_column(&space, 3 * k, (const double[]){-x, 0, 0, 0, 0, 0});
    set_column(&space, 3 * k + 1, (const double[]){0, 1, 0, 0, 0, x});
    set_column(&space, 3 * k + 2, (const double[]){0, 0, 1, 0, -x, 0});
  }
  for (int k = 0; k < 2; k++) {
    rest *body = k == 0 ? &plane : &space;
    size_t d = (size_t)body->dimension;
    settle(body);
    thud_force_set *set = set_of(context, body);
    for (int c = 0; c < 3; c++) {
      double start[6] = {0}, r[6], t = c == 2 ? 9 : G / (2 * mu);
      thud_force_closest found;
      start[0] = c == 0 ? 0 : c == 1 ? 1 : 10;
      start[d] = c == 0 ? 0 : c == 1 ? -4 : 8;
      closest(context, set, start, NULL, r, &found);
      for (size_t i = 0; i < 2; i++) {
        thud_assert_near(r[i * d], t, 1e-11);
        thud_assert_near(r[i * d + d - 1], G / 2, 1e-12);
        if (d == 3) thud_assert_near(r[i * d + 1], 0, 1e-11);
      }
      expect_solution(context, body, start, NULL, r, &found);
      thud_assert_at_most(found.error, 2e-5);
    }
    thud_force_set_destroy(set);
  }
  thud_test_context_end(context);
}

/* Cubes at rest in columns that touch each other: of the least forces nothing is between the columns, and each of the four
 * contacts under a cube carries a quarter of what is above it. They are A' of displacements of the layers, and so the
 * least of all forces with the same resultants. */
static void wall_of_boxes(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  const thud_test_pile pile = {.nx = 2, .ny = 1, .nz = 3, .dimension = 3, .mu = 0.5, .mass_ratio = 1};
  thud_test_problem made;
  assert_int_equal(thud_test_wall_of_boxes(context, &random, &pile, &made), THUD_OK);
  size_t size = thud_contact_size(made.problem);
  double *r = calloc(size, sizeof *r), *u = calloc(size, sizeof *u), *least = calloc(size, sizeof *least);
  thud_solver *solver = NULL;
  thud_solver_info info;
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = 1e-12;
  assert_int_equal(thud_solver_create(context, NULL, made.problem, &options, &solver), THUD_OK);
  for (size_t i = 0; i < size; i += 3) r[i] = 0.01 * (double)(i % 7); /* away from the least ones */
  assert_int_equal(thud_solver_solve(solver, r, u, NULL, NULL, &info), THUD_OK);
  assert_int_equal(info.status, THUD_SOLVED);
  thud_force_set *set = NULL;
  thud_force_closest found;
  thud_uniqueness_info uniqueness;
  assert_int_equal(thud_force_set_create(context, made.problem, r, u, NULL, &set), THUD_OK);
  assert_int_equal(thud_force_set_uniqueness(set, &uniqueness), THUD_OK);
  assert_int_equal(uniqueness.verdict, THUD_FORCES_NOT_UNIQUE);
  closest(context, set, NULL, NULL, least, &found);
  const thud_two_block *bodies = &made.problem->two_block;
  double weight = 0.0981 / bodies->inverse_mass[0], carried = 0;
  for (thud_index k = 0; k < made.problem->contacts; k++) {
    const double *force = least + 3 * k;
    double up = bodies->jacobian_a[18 * k + 2]; /* normal along z? */
    for (int i = 1; i < 3; i++) thud_assert_near(force[i], 0, 1e-9);
    if (fabs(up) < 0.5) thud_assert_near(force[0], 0, 1e-9);
    if (fabs(up) > 0.5) carried += force[0];
    double layers = force[0] / (weight / 4); /* 1, 2 or 3 of them above */
    thud_assert_near(layers, fabs(up) > 0.5 ? fmax(1, round(layers)) : 0, 1e-7);
  }
  thud_assert_near(carried, 2 * weight * (1 + 2 + 3), 1e-8);
  thud_force_set_destroy(set);
  thud_solver_destroy(solver);
  thud_test_problem_destroy(&made);
  free(r);
  free(u);
  free(least);
  thud_test_context_end(context);
}

/* r_1 + r_2 + l carries the load with any l: only the signs of r bind. */
static void bilateral_rows_take_what_is_left(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  rest body = {.dimension = 1, .contacts = 2, .ndof = 1, .H = {1, 1}, .r = {2, 1}};
  const double G[1] = {1}, b[1] = {0};
  settle(&body);
  body.problem.bilateral = 1;
  body.problem.G = dense(1, 1, G);
  body.problem.b = b;
  thud_force_set *set = set_of(context, &body);
  const double start[2] = {0.75, -2};
  double r[2];
  thud_force_closest found;
  closest(context, set, start, NULL, r, &found);
  thud_assert_near(r[0], 0.75, 1e-14);
  thud_assert_near(r[1], 0, 1e-14);
  thud_assert_near(found.distance, 2, 1e-14);
  thud_force_set_destroy(set);
  thud_test_context_end(context);
}

/* Unique forces are their own closest ones, wherever the start. */
static void unique_forces_stay(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  rest body = {.dimension = 2, .contacts = 1, .ndof = 2, .H = {1, 0, 0, 1}, .mu = {0.5}, .r = {3, 1}};
  settle(&body);
  thud_force_set *set = set_of(context, &body);
  double r[2] = {10, -10};
  thud_force_closest found;
  closest(context, set, r, NULL, r, &found); /* r may be the start */
  thud_assert_equal(r[0], 3);
  thud_assert_equal(r[1], 1);
  thud_assert_near(found.distance, sqrt(49 + 121), 1e-13);
  thud_assert_equal(found.error, 0);
  thud_force_set_destroy(set);
  thud_test_context_end(context);
}

/* ---- planar problems against all candidates ------------------------------------------------------------------------- */

/* Projection of x[n] onto { C r = d }, rows one after the other by Gram and Schmidt; dependent ones are passed over.
 * False where they contradict the others. */
static bool project_affine(size_t n, size_t rows, const double (*C)[MAX_SIZE], const double *d, const double *x,
                           double *r) {
  double base[MAX_SIZE][MAX_SIZE], value[MAX_SIZE];
  size_t kept = 0;
  for (size_t k = 0; k < rows; k++) {
    double row[MAX_SIZE], right = d[k], length = 0, whole = 0;
    memcpy(row, C[k], n * sizeof *row);
    for (size_t i = 0; i < n; i++) whole += row[i] * row[i];
    for (int twice = 0; twice < 2; twice++)
      for (size_t j = 0; j < kept; j++) {
        double along = 0;
        for (size_t i = 0; i < n; i++) along += row[i] * base[j][i];
        for (size_t i = 0; i < n; i++) row[i] -= along * base[j][i];
        right -= along * value[j];
      }
    for (size_t i = 0; i < n; i++) length += row[i] * row[i];
    if (length <= 1e-20 * whole || whole == 0) {
      if (fabs(right) > 1e-9) return false;
      continue;
    }
    for (size_t i = 0; i < n; i++) base[kept][i] = row[i] / sqrt(length);
    value[kept++] = right / sqrt(length);
  }
  memcpy(r, x, n * sizeof *r);
  for (size_t j = 0; j < kept; j++) {
    double along = -value[j];
    for (size_t i = 0; i < n; i++) along += base[j][i] * x[i];
    for (size_t i = 0; i < n; i++) r[i] -= along * base[j][i];
  }
  return true;
}

/* Sides of all contacts, side.r >= 0: r_N >= 0 or mu r_N +- r_T >= 0. */
static size_t sides_of(const rest *body, double (*sides)[MAX_SIZE]) {
  size_t count = 0, d = (size_t)body->dimension;
  for (size_t k = 0; k < (size_t)body->contacts; k++)
    for (int sign = -1; sign <= 1; sign += 2) {
      if (d == 1 && sign > 0) continue;
      memset(sides[count], 0, sizeof *sides);
      sides[count][k * d] = d == 1 ? 1 : body->mu[k];
      if (d == 2) sides[count][k * d + 1] = sign;
      count++;
    }
  return count;
}

/* The closest of all candidates: for every choice of sides that hold as equations, the projection onto these and the
 * equilibrium; the exact projection is one of them, and every candidate in the cones is a point of S. */
static void best_candidate(const rest *body, const double *start, double *best) {
  double sides[2 * MAX_CONTACTS][MAX_SIZE], C[MAX_SIZE][MAX_SIZE] = {{0}}, d[MAX_SIZE] = {0}, least = INFINITY;
  size_t n = size_of(body), m = (size_t)body->ndof, count = sides_of(body, sides);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++) {
      C[i][j] = body->H[j * m + i];
      d[i] += C[i][j] * body->r[j];
    }
  for (unsigned choice = 0; choice < 1u << count; choice++) {
    size_t rows = m;
    double r[MAX_SIZE], distance = 0;
    for (size_t k = 0; k < count; k++)
      if ((choice >> k & 1) != 0) memcpy(C[rows++], sides[k], sizeof *C);
    if (!project_affine(n, rows, C, d, start, r)) continue;
    bool inside = true;
    for (size_t k = 0; k < count; k++) {
      double value = 0;
      for (size_t i = 0; i < n; i++) value += sides[k][i] * r[i];
      inside = inside && value >= -1e-11;
    }
    for (size_t i = 0; i < n; i++) distance += (r[i] - start[i]) * (r[i] - start[i]);
    if (inside && distance < least) {
      least = distance;
      memcpy(best, r, n * sizeof *best);
    }
  }
  assert_true(isfinite(least));
}

/* Random contacts with r in (mostly inside) their cones. */
static void fill_rest(thud_random *random, thud_index kind, thud_index contacts, thud_index ndof, rest *filled) {
  rest body = {.dimension = kind == THUD_TEST_PLANE_ROLLING ? 3 : kind, .contacts = contacts, .ndof = ndof};
  if (kind == THUD_TEST_PLANE_ROLLING) body.friction = THUD_FRICTION_PLANE_ROLLING;
  size_t d = (size_t)body.dimension;
  for (size_t i = 0; i < size_of(&body) * (size_t)ndof; i++) body.H[i] = thud_random_normal(random);
  for (size_t k = 0; k < (size_t)contacts; k++) {
    body.mu[k] = thud_random_uniform(random, 0.2, 1);
    body.mu_rolling[k] = thud_random_uniform(random, 0.1, 0.5);
    body.mu_spinning[k] = thud_random_uniform(random, 0.1, 0.5);
    double normal = thud_random_below(random, 5) == 0 ? 0 : thud_random_uniform(random, 0.5, 2);
    body.r[k * d] = normal;
    for (size_t i = 1; i < d; i++) body.r[k * d + i] = normal * 0.1 * thud_random_uniform(random, -0.9, 0.9);
  }
  *filled = body;
  settle(filled);
}

static void planar_problems_against_all_candidates(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(17);
  for (int c = 0; c < 120; c += THUD_TEST_STRIDE(10)) {
    thud_index d = 1 + c % 2, contacts = d == 1 ? 6 : 4;
    rest body;
    fill_rest(&random, d, contacts, 2 + (thud_index)thud_random_below(&random, 3), &body);
    thud_force_set *set = set_of(context, &body);
    for (int t = 0; t < 3; t++) {
      double start[MAX_SIZE], r[MAX_SIZE], best[MAX_SIZE], size = 0;
      thud_force_closest found;
      for (size_t i = 0; i < size_of(&body); i++)
        start[i] = t == 0 ? 0 : (t == 1 ? 1 : 20) * thud_random_normal(&random);
      best_candidate(&body, start, best);
      closest(context, set, start, NULL, r, &found);
      for (size_t i = 0; i < size_of(&body); i++) size = fmax(size, fabs(best[i]));
      for (size_t i = 0; i < size_of(&body); i++) thud_assert_near(r[i], best[i], 1e-9 * (1 + size));
      thud_assert_at_most(found.error, 1e-4 * (1 + found.distance));
    }
    thud_force_set_destroy(set);
  }
  thud_test_context_end(context);
}

/* ---- the variational inequality -------------------------------------------------------------------------------------- */

static bool lies_in_cones(const rest *body, const double *r, double tolerance) {
  size_t d = (size_t)body->dimension;
  for (thud_index k = 0; k < body->contacts; k++) {
    double y[6];
    assert_int_equal(thud_contact_project_cone(&body->problem, k, r + (size_t)k * d, y), THUD_OK);
    for (size_t i = 0; i < d; i++)
      if (fabs(y[i] - r[(size_t)k * d + i]) > tolerance) return false;
  }
  return true;
}

/* A random point of S: from r as far as the cones allow along a direction that no row of H sees, or a part of it. */
static void sample(thud_random *random, const rest *body, const double *from, double *point) {
  double C[MAX_SIZE][MAX_SIZE] = {{0}}, zero[MAX_SIZE] = {0}, x[MAX_SIZE], direction[MAX_SIZE];
  size_t n = size_of(body), m = (size_t)body->ndof;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++) C[i][j] = body->H[j * m + i];
  for (size_t j = 0; j < n; j++) x[j] = thud_random_normal(random);
  assert_true(project_affine(n, m, C, zero, x, direction));
  double inside = 0, outside = 64;
  for (int k = 0; k < 60; k++) {
    double t = (inside + outside) / 2;
    for (size_t j = 0; j < n; j++) point[j] = from[j] + t * direction[j];
    if (lies_in_cones(body, point, 1e-13))
      inside = t;
    else
      outside = t;
  }
  double part = thud_random_uniform(random, 0, 1);
  for (size_t j = 0; j < n; j++) point[j] = from[j] + (part < 0.5 ? 1 : part) * inside * direction[j];
}

/* (start - r).(r' - r) <= 0 for all r' of S: random walks through S from the answer and from r. Intervals contain every
 * sample, and r. */
static void every_kind_satisfies_the_variational_inequality(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(23);
  for (int kind = 0; kind < THUD_TEST_DIMENSIONS; kind++)
    for (int c = 0; c < 24; c += THUD_TEST_STRIDE(8)) {
      rest body;
      fill_rest(&random, thud_test_dimensions[kind], 5, 4, &body);
      size_t n = size_of(&body), d = (size_t)body.dimension;
      double start[MAX_SIZE], r[MAX_SIZE], walker[MAX_SIZE], point[MAX_SIZE], scale = 0;
      for (size_t i = 0; i < n; i++) start[i] = c == 0 ? 0 : 3 * thud_random_normal(&random);
      thud_force_set *set = set_of(context, &body);
      thud_force_closest found;
      thud_force_interval intervals[MAX_CONTACTS];
      closest(context, set, start, NULL, r, &found);
      expect_solution(context, &body, start, NULL, r, &found);
      assert_true(lies_in_cones(&body, r, 1e-12));
      for (thud_index k = 0; k < body.contacts; k++)
        assert_int_equal(thud_force_set_interval(set, k, &intervals[k], NULL, NULL), THUD_OK);
      for (size_t i = 0; i < n; i++) scale += fabs(start[i] - r[i]);
      memcpy(walker, body.r, sizeof walker);
      for (int k = 0; k < 60; k++) {
        double product = 0, length = 0;
        sample(&random, &body, k == 30 ? r : walker, point);
        memcpy(walker, point, sizeof walker);
        for (size_t i = 0; i < n; i++) {
          product += (start[i] - r[i]) * (point[i] - r[i]);
          length = fmax(length, fabs(point[i] - r[i]));
        }
        thud_assert_at_most(product, 1e-9 * scale * (1 + length));
        for (size_t j = 0; j < (size_t)body.contacts; j++) {
          thud_assert_at_least(point[j * d], intervals[j].low_outer - 1e-7);
          thud_assert_at_most(point[j * d], intervals[j].high_outer + 1e-7);
          thud_assert_at_least(r[j * d], intervals[j].low_outer - 1e-7);
          thud_assert_at_most(r[j * d], intervals[j].high_outer + 1e-7);
        }
      }
      thud_force_set_destroy(set);
    }
  thud_test_context_end(context);
}

/* Points of S closest to a point of S are that point; projections shorten distances; powers of 2 change no digit. */
static void projections_behave_as_such(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(29);
  for (int kind = 1; kind < THUD_TEST_DIMENSIONS; kind++) {
    rest body;
    fill_rest(&random, thud_test_dimensions[kind], 4, 3, &body);
    size_t n = size_of(&body);
    double a[MAX_SIZE], b[MAX_SIZE], ra[MAX_SIZE], rb[MAX_SIZE], again[MAX_SIZE], between = 0, moved = 0;
    thud_force_closest found;
    thud_force_set *set = set_of(context, &body);
    for (size_t i = 0; i < n; i++) a[i] = 4 * thud_random_normal(&random), b[i] = a[i] + thud_random_normal(&random);
    closest(context, set, a, NULL, ra, &found);
    closest(context, set, b, NULL, rb, &found);
    closest(context, set, ra, NULL, again, &found);
    for (size_t i = 0; i < n; i++) {
      between += (a[i] - b[i]) * (a[i] - b[i]);
      moved += (ra[i] - rb[i]) * (ra[i] - rb[i]);
      thud_assert_near(again[i], ra[i], 1e-10);
    }
    thud_assert_at_most(sqrt(moved), sqrt(between) + 1e-9);
    thud_force_set_destroy(set);
    for (size_t i = 0; i < n; i++) body.r[i] *= 0x1p20, a[i] *= 0x1p20;
    settle(&body);
    set = set_of(context, &body);
    closest(context, set, a, NULL, rb, &found);
    for (size_t i = 0; i < n; i++) thud_assert_equal(rb[i], ra[i] * 0x1p20);
    thud_force_set_destroy(set);
  }
  thud_test_context_end(context);
}

/* ---- failures ---------------------------------------------------------------------------------------------------- */

static void wrong_arguments_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  rest body = {.dimension = 1, .contacts = 2, .ndof = 1, .H = {1, 1}, .r = {2, 1}};
  settle(&body);
  thud_force_set *set = set_of(context, &body);
  double r[2] = {7, 7};
  thud_force_closest found = {.distance = 5};
  const double bad[2] = {1, NAN}, zero[2] = {1, 0}, huge[2] = {INFINITY, 1};
  assert_int_equal(thud_force_set_closest(set, bad, NULL, r, &found), THUD_ERROR_NOT_FINITE);
  thud_test_message_has(context, "closest forces: start[1] is ", NULL);
  assert_int_equal(thud_force_set_closest(set, NULL, zero, r, &found), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "closest forces: weight 1 is 0; weights are positive numbers", NULL);
  assert_int_equal(thud_force_set_closest(set, NULL, huge, r, &found), THUD_ERROR_ARGUMENT);
  thud_assert_equal(r[0], 7);
  thud_assert_equal(found.distance, 5);
  thud_force_set_destroy(set);
  /* an answer far outside of its cones: nothing is claimed */
  body.r[0] = 4;
  body.r[1] = -1;
  set = set_of(context, &body);
  closest(context, set, NULL, NULL, r, &found);
  thud_assert_equal(r[0], 4);
  thud_assert_equal(r[1], 0);
  assert_true(isinf(found.error));
  thud_force_set_destroy(set);
  thud_test_context_end(context);
}

static int stop_later(void *user) {
  int *left = user;
  return (*left)-- <= 0;
}

/* Asked before every Newton step: the fifth time it ends the call. The two times before are those of the set's making. */
static void a_stop_ends_it(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(31);
  for (thud_index d = 1; d <= 3; d += 2) {
    rest body;
    fill_rest(&random, d, 5, 3, &body);
    int left = 2 + (d == 1 ? 0 : 4);
    thud_force_set_options options = thud_force_set_options_default();
    options.stop = (thud_stop){.ask = stop_later, .user = &left};
    thud_force_set *set = NULL;
    thud_force_closest found;
    double r[MAX_SIZE];
    assert_int_equal(thud_force_set_create(context, &body.problem, body.r, body.u, &options, &set), THUD_OK);
    assert_int_equal(thud_force_set_closest(set, NULL, NULL, r, &found), THUD_ERROR_INTERRUPTED);
    assert_int_equal(left, -1);
    thud_force_set_destroy(set);
  }
  thud_test_context_end(context);
}

static thud_error find_in(thud_context *context, void *user) {
  const rest *body = user;
  thud_force_set *set = NULL;
  thud_force_closest found;
  double r[MAX_SIZE];
  thud_error error = thud_force_set_create(context, &body->problem, body->r, body->u, NULL, &set);
  if (error == THUD_OK) error = thud_force_set_closest(set, NULL, NULL, r, &found);
  thud_force_set_destroy(set);
  return error;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  thud_random random = thud_random_seed(37);
  for (thud_index d = 1; d <= 3; d += 2) {
    rest body;
    fill_rest(&random, d, 3, 2, &body);
    thud_assert_greater(thud_test_sweep_allocations(find_in, &body), 10);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(four_leg_table),
      cmocka_unit_test(block_in_a_wedge_without_friction),
      cmocka_unit_test(block_held_by_friction),
      cmocka_unit_test(wall_of_boxes),
      cmocka_unit_test(bilateral_rows_take_what_is_left),
      cmocka_unit_test(unique_forces_stay),
      cmocka_unit_test(planar_problems_against_all_candidates),
      cmocka_unit_test(every_kind_satisfies_the_variational_inequality),
      cmocka_unit_test(projections_behave_as_such),
      cmocka_unit_test(wrong_arguments_are_refused),
      cmocka_unit_test(a_stop_ends_it),
      cmocka_unit_test(failing_allocations_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
