/* Moreau's two cones, projections onto generated cones, qualification of gradients. */
#include "failing_allocator.h"
#include "testing.h"
#include "thud/pivot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_MAX = 10, M_MAX = 120 };
static const double PI = 3.14159265358979323846;

static int set_up(void **state) {
  thud_context *context;
  assert_int_equal(thud_context_create(NULL, &context), THUD_OK);
  *state = context;
  return 0;
}

static int tear_down(void **state) {
  assert_int_equal(thud_context_live_blocks(*state), 0);
  thud_context_destroy(*state);
  return 0;
}

static double dot(thud_index n, const double *a, const double *b) {
  double sum = 0;
  for (thud_index j = 0; j < n; j++) sum += a[j] * b[j];
  return sum;
}

/* (x, y) in the metric. */
static double product(const thud_metric *metric, thud_index n, const double *x, const double *y) {
  double image[N_MAX];
  thud_metric_apply(metric, n, x, image);
  return dot(n, image, y);
}

static void random_vector(thud_random *random, thud_index n, double *x) {
  for (thud_index i = 0; i < n; i++) x[i] = thud_random_normal(random);
}

/* Every third time NULL, otherwise B B' + 1. */
static thud_metric *random_metric(thud_context *context, thud_random *random, thud_index n) {
  double B[N_MAX * N_MAX], M[N_MAX * N_MAX];
  if (thud_random_below(random, 3) == 0) return NULL;
  random_vector(random, n * n, B);
  for (thud_index i = 0; i < n; i++)
    for (thud_index j = 0; j < n; j++) M[j * n + i] = dot(n, B + i * n, B + j * n) + (i == j ? 1 : 0);
  thud_metric *metric;
  assert_int_equal(thud_metric_create(context, n, M, &metric), THUD_OK);
  return metric;
}

/* Gaussian rows; in half of the cases also scaled copies, sums, negatives and zeros. */
static thud_index random_rows(thud_random *random, thud_index n, double *A) {
  thud_index m = (thud_index)thud_random_below(random, 30), old = m;
  random_vector(random, m * n, A);
  if (thud_random_below(random, 2) == 0 || m == 0) return m;
  for (thud_index k = 0; k < 2 * old; k++, m++) {
    const double *first = A + (thud_index)thud_random_below(random, (uint32_t)old) * n;
    const double *second = A + (thud_index)thud_random_below(random, (uint32_t)old) * n;
    double scale = pow(10, thud_random_uniform(random, -8, 8)), share = (double)thud_random_below(random, 3) - 1;
    for (thud_index j = 0; j < n; j++) A[m * n + j] = scale * (first[j] + share * second[j]);
  }
  return m;
}

static void two_cones_split_every_vector(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(41);
  for (int round = 0; round < 4000; round++) {
    thud_index n = 1 + (thud_index)thud_random_below(&random, N_MAX);
    double A[M_MAX * N_MAX], v[N_MAX], v_V[N_MAX], v_N[N_MAX], l[M_MAX], gradient[N_MAX];
    thud_metric *metric = random_metric(context, &random, n);
    thud_index m = random_rows(&random, n, A);
    double scale = pow(10, thud_random_uniform(&random, -12, 12));
    for (thud_index j = 0; j < n; j++) v[j] = scale * thud_random_normal(&random);
    thud_polyhedron_projector *projector;
    thud_pivot_info info;
    assert_int_equal(thud_polyhedron_projector_create(context, n, m, &projector), THUD_OK);
    assert_int_equal(thud_two_cones(projector, metric, m, A, v, 1e-12, v_V, v_N, l, &info), THUD_OK);
    assert_int_equal(info.status, THUD_PIVOT_SOLVED);
    double size = thud_metric_norm(metric, n, v), sum[N_MAX], image[N_MAX] = {0};
    /* v = v_V + v_N, orthogonal. */
    for (thud_index j = 0; j < n; j++) sum[j] = v_V[j] + v_N[j];
    thud_assert_at_most(thud_metric_distance(metric, n, sum, v), 1e-11 * size);
    thud_assert_at_most(fabs(product(metric, n, v_V, v_N)), 1e-11 * size * size);
    for (thud_index i = 0; i < m; i++) {
      double length = thud_metric_dual_norm(metric, n, A + i * n);
      /* v_V in V; v_N in N, whose generators M^-1 a_i are polar to V. */
      thud_assert_at_most(dot(n, A + i * n, v_V), 1e-12 * length * size);
      thud_assert_at_least(l[i], 0);
      for (thud_index j = 0; j < n; j++) image[j] += l[i] * A[i * n + j];
    }
    thud_metric_solve(metric, n, image, gradient);
    thud_assert_at_most(thud_metric_distance(metric, n, gradient, v_N), 1e-11 * size);
    /* The parts alone, and all outputs left out. */
    double alone[N_MAX];
    assert_int_equal(thud_two_cones(projector, metric, m, A, v, 1e-12, alone, NULL, NULL, NULL), THUD_OK);
    assert_memory_equal(alone, v_V, (size_t)n * sizeof(double));
    assert_int_equal(thud_two_cones(projector, metric, m, A, v, 1e-12, NULL, alone, NULL, NULL), THUD_OK);
    assert_memory_equal(alone, v_N, (size_t)n * sizeof(double));
    thud_polyhedron_projector_destroy(projector);
    thud_metric_destroy(metric);
  }
}

/* Case C4: unit particle in the wedge q2 >= 0, q1 cos th + q2 sin th <= 0, v- = (w, 0), e = 0. For th < 0 the wedge is
 * obtuse and v+ = (w sin^2 th, -w sin th cos th); for th >= 0 it is right or acute and v+ = 0. */
static void moreaus_wedge_gives_the_closed_form(void **state) {
  thud_context *context = *state;
  thud_polyhedron_projector *projector;
  assert_int_equal(thud_polyhedron_projector_create(context, 2, 2, &projector), THUD_OK);
  for (int k = -499; k < 500; k++) {
    double th = PI / 2 * k / 500, w = 1 + 0.01 * k * k, v[2] = {w, 0}, after[2], l[2];
    double A[4] = {0, -1, cos(th), sin(th)};
    assert_int_equal(thud_two_cones(projector, NULL, 2, A, v, 1e-14, after, NULL, l, NULL), THUD_OK);
    double expected[2] = {th < 0 ? w * sin(th) * sin(th) : 0, th < 0 ? -w * sin(th) * cos(th) : 0};
    thud_assert_near(after[0], expected[0], 1e-15 * w);
    thud_assert_near(after[1], expected[1], 1e-15 * w);
  }
  thud_polyhedron_projector_destroy(projector);
}

/* y = G'l, l >= 0, x - y polar to every generator and orthogonal to those in use: sufficient for the projection. */
static void generated_cones_satisfy_the_optimality_conditions(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(42);
  for (int round = 0; round < 4000; round++) {
    thud_index n = 1 + (thud_index)thud_random_below(&random, N_MAX);
    double G[M_MAX * N_MAX], x[N_MAX], y[N_MAX], l[M_MAX], rest[N_MAX], sum[N_MAX] = {0};
    thud_metric *metric = random_metric(context, &random, n);
    thud_index k = random_rows(&random, n, G);
    random_vector(&random, n, x);
    thud_pivot_info info;
    assert_int_equal(thud_generated_cone_project(context, metric, k, n, G, x, 1e-12, y, l, &info), THUD_OK);
    assert_int_equal(info.status, THUD_PIVOT_SOLVED);
    double size = thud_metric_norm(metric, n, x);
    for (thud_index j = 0; j < n; j++) rest[j] = x[j] - y[j];
    for (thud_index i = 0; i < k; i++) {
      double length = thud_metric_norm(metric, n, G + i * n), slope = product(metric, n, G + i * n, rest);
      thud_assert_at_least(l[i], 0);
      thud_assert_at_most(slope, 1e-11 * length * size);
      if (l[i] > 0) thud_assert_at_most(fabs(slope), 1e-11 * length * size);
      for (thud_index j = 0; j < n; j++) sum[j] += l[i] * G[i * n + j];
    }
    thud_assert_at_most(thud_metric_distance(metric, n, sum, y), 1e-12 * size);
    thud_metric_destroy(metric);
  }
}

static void generated_cones_of_special_shape(void **state) {
  thud_context *context = *state;
  double y[2], l[3], x[2] = {-3, 4};
  /* no generator: {0} */
  assert_int_equal(thud_generated_cone_project(context, NULL, 0, 2, NULL, x, 1e-12, y, NULL, NULL), THUD_OK);
  thud_assert_equal(y[0], 0);
  thud_assert_equal(y[1], 0);
  /* a line */
  assert_int_equal(thud_generated_cone_project(context, NULL, 2, 2, (double[]){1, 0, -2, 0}, x, 1e-12, y, l, NULL),
                   THUD_OK);
  thud_assert_at_most(fabs(y[0] + 3), 1e-15);
  thud_assert_equal(y[1], 0);
  thud_assert_equal(l[0], 0);
  thud_assert_near(l[1], 1.5, 1e-15);
  /* the whole plane */
  assert_int_equal(
      thud_generated_cone_project(context, NULL, 3, 2, (double[]){1, 0, 0, 1, -1, -1}, x, 1e-12, y, l, NULL), THUD_OK);
  thud_assert_at_most(fabs(y[0] + 3), 1e-14);
  thud_assert_near(y[1], 4, 1e-14);
  /* x in the polar cone; y aliases x */
  assert_int_equal(thud_generated_cone_project(context, NULL, 1, 2, (double[]){1, 0}, x, 1e-12, x, l, NULL), THUD_OK);
  thud_assert_equal(x[0], 0);
  thud_assert_equal(x[1], 0);
  thud_assert_equal(l[0], 0);
}

/* ---- qualification -------------------------------------------------------------------------------------- */

/* Case C5: phi = (-q1, q1 - q2 q3, -q2 - q3) at 0: gradients of 1 and 2 are opposite. */
static void moreaus_unqualified_point_names_constraints_one_and_two(void **state) {
  thud_context *context = *state;
  double A[9] = {-1, 0, 0, 1, 0, 0, 0, -1, -1}, l[3] = {7, 7, 7};
  thud_qualification_info info;
  assert_int_equal(thud_qualification_test(context, NULL, 3, 3, A, 1e-10, &info, l), THUD_OK);
  assert_int_equal(info.qualification, THUD_UNQUALIFIED);
  assert_int_equal(info.rank, 2);
  thud_assert_at_most(info.margin, 1e-15);
  thud_assert_near(l[0], 0.5, 1e-15);
  thud_assert_near(l[1], 0.5, 1e-15);
  thud_assert_equal(l[2], 0);
}

/* Legs at (+-1, +-1): normals (1, y, -x); indeterminate forces, yet lifting the table opens all gaps. */
static void a_table_on_four_legs_is_only_rank_deficient(void **state) {
  thud_context *context = *state;
  double A[12] = {-1, -1, 1, -1, -1, -1, -1, 1, 1, -1, 1, -1}, l[4];
  thud_qualification_info info;
  assert_int_equal(thud_qualification_test(context, NULL, 4, 3, A, 1e-10, &info, l), THUD_OK);
  assert_int_equal(info.qualification, THUD_RANK_DEFICIENT);
  assert_int_equal(info.rank, 3);
  thud_assert_near(info.margin, 1 / sqrt(3), 1e-15);
  for (int i = 0; i < 4; i++) thud_assert_equal(l[i], 0);
  assert_int_equal(thud_qualification_test(context, NULL, 3, 3, A, 1e-10, &info, NULL), THUD_OK);
  assert_int_equal(info.qualification, THUD_QUALIFIED);
}

/* Unit vectors of the plane within an angle `opening` < pi: margin cos(opening / 2); beyond it the hull contains 0. */
static void margin_of_a_fan_is_the_cosine_of_half_its_opening(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(43);
  for (int round = 0; round < 2000; round++) {
    thud_index m = 2 + (thud_index)thud_random_below(&random, 20);
    double A[2 * 22], start = thud_random_uniform(&random, -PI, PI);
    double deficit = pow(10, thud_random_uniform(&random, -8, 0.4)), opening = PI - deficit;
    for (thud_index i = 0; i < m; i++) {
      double share = i == 0 ? 0 : i == 1 ? 1 : thud_random_uniform(&random, 0, 1);
      double length = pow(10, thud_random_uniform(&random, -8, 8));
      A[2 * i] = length * cos(start + share * opening);
      A[2 * i + 1] = length * sin(start + share * opening);
    }
    thud_qualification_info info;
    assert_int_equal(thud_qualification_test(context, NULL, m, 2, A, 1e-10, &info, NULL), THUD_OK);
    assert_int_equal(info.qualification, m == 2 ? THUD_QUALIFIED : THUD_RANK_DEFICIENT);
    thud_assert_near(info.margin, cos(opening / 2), 1e-14);
  }
}

/* Rows n_i = -(e + spread t_i)/|.|: opened by e. The margin lies between what any v reaches and the norm of any convex
 * combination. */
static void margin_obeys_minimax_bounds_and_ignores_coordinates(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(44);
  for (int round = 0; round < 1000; round++) {
    thud_index n = 2 + (thud_index)thud_random_below(&random, 6), m = 1 + (thud_index)thud_random_below(&random, 20);
    double A[M_MAX * N_MAX], units[M_MAX * N_MAX], l[M_MAX];
    thud_metric *metric = random_metric(context, &random, n);
    random_vector(&random, m * n, A);
    thud_qualification_info info;
    assert_int_equal(thud_qualification_test(context, metric, m, n, A, 1e-10, &info, l), THUD_OK);
    assert_int_equal(info.rank, m < n ? m : n);
    if (m <= n) assert_int_equal(info.qualification, THUD_QUALIFIED);
    for (thud_index i = 0; i < m; i++) {
      thud_metric_covector_to_euclidean(metric, n, A + i * n, units + i * n);
      double length = sqrt(dot(n, units + i * n, units + i * n));
      for (thud_index j = 0; j < n; j++) units[i * n + j] /= length;
    }
    for (int trial = 0; trial < 20; trial++) {
      double v[N_MAX], hull[N_MAX] = {0}, total = 0, reached = INFINITY;
      random_vector(&random, n, v);
      double length = sqrt(dot(n, v, v));
      for (thud_index i = 0; i < m; i++) {
        double weight = thud_random_below(&random, 2) == 0 && i > 0 ? 0 : thud_random_uniform(&random, 0, 1);
        total += weight;
        reached = fmin(reached, -dot(n, units + i * n, v) / length);
        for (thud_index j = 0; j < n; j++) hull[j] += weight * units[i * n + j];
      }
      thud_assert_at_most(reached, info.margin + 1e-14);
      thud_assert_at_least(sqrt(dot(n, hull, hull)) / total, info.margin - 1e-14);
    }
    /* The Euclidean gradients report the same. */
    thud_qualification_info euclidean;
    assert_int_equal(thud_qualification_test(context, NULL, m, n, units, 1e-10, &euclidean, NULL), THUD_OK);
    assert_int_equal(euclidean.qualification, info.qualification);
    thud_assert_near(euclidean.margin, info.margin, 1e-12);
    thud_metric_destroy(metric);
  }
}

static void positive_dependence_is_certified(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(45);
  for (int round = 0; round < 2000; round++) {
    thud_index n = 1 + (thud_index)thud_random_below(&random, 8), m = 1 + (thud_index)thud_random_below(&random, 12);
    double A[M_MAX * N_MAX], l[M_MAX], sum[N_MAX] = {0}, total = 0;
    thud_metric *metric = random_metric(context, &random, n);
    random_vector(&random, m * n, A);
    for (thud_index j = 0; j < n; j++) A[m * n + j] = 0;
    for (thud_index i = 0; i < m; i++) {
      double weight = i == 0 ? 1 : thud_random_uniform(&random, 0, 1) * (double)thud_random_below(&random, 2);
      for (thud_index j = 0; j < n; j++) A[m * n + j] -= weight * A[i * n + j];
    }
    thud_qualification_info info;
    assert_int_equal(thud_qualification_test(context, metric, m + 1, n, A, 1e-10, &info, l), THUD_OK);
    assert_int_equal(info.qualification, THUD_UNQUALIFIED);
    for (thud_index i = 0; i <= m; i++) {
      double length = thud_metric_dual_norm(metric, n, A + i * n);
      thud_assert_at_least(l[i], 0);
      total += l[i];
      for (thud_index j = 0; j < n; j++) sum[j] += l[i] * A[i * n + j] / length;
    }
    thud_assert_near(total, 1, 1e-14);
    thud_assert_at_most(thud_metric_dual_norm(metric, n, sum), 1e-13);
    thud_metric_destroy(metric);
  }
}

static void zero_gradients_and_empty_sets(void **state) {
  thud_context *context = *state;
  double A[4] = {1, 0, 0, 0}, l[2];
  thud_qualification_info info;
  assert_int_equal(thud_qualification_test(context, NULL, 2, 2, A, 1e-10, &info, l), THUD_OK);
  assert_int_equal(info.qualification, THUD_UNQUALIFIED);
  thud_assert_equal(info.rank, 1);
  thud_assert_equal(info.margin, 0);
  thud_assert_equal(l[0], 0);
  thud_assert_equal(l[1], 1);
  assert_int_equal(thud_qualification_test(context, NULL, 0, 2, NULL, 1e-10, &info, NULL), THUD_OK);
  thud_assert_equal(info.qualification, THUD_QUALIFIED);
  thud_assert_equal(info.rank, 0);
  thud_assert_equal(info.margin, INFINITY);
}

/* ---- failures ----------------------------------------------------------------------------------------------- */

static void bad_arguments_are_refused_and_outputs_untouched(void **state) {
  thud_context *c = *state;
  double A[4] = {1, 0, 0, 1}, x[2] = {1, 2}, y[2] = {7, 7}, l[2] = {8, 8}, v_V[2] = {9, 9};
  thud_qualification_info q = {.rank = 77};
  thud_pivot_info info = {.iterations = 77};
  thud_metric *metric;
  assert_int_equal(thud_metric_create_diagonal(c, 3, (double[]){1, 2, 3}, &metric), THUD_OK);
  assert_int_equal(thud_qualification_test(NULL, NULL, 2, 2, A, 1e-10, &q, l), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_qualification_test(c, NULL, -1, 2, A, 1e-10, &q, l), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_qualification_test(c, NULL, 2, 0, A, 1e-10, &q, l), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_qualification_test(c, NULL, 2, 2, NULL, 1e-10, &q, l), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_qualification_test(c, NULL, 2, 2, A, 1e-10, NULL, l), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_qualification_test(c, NULL, 2, 2, A, 0, &q, l), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_qualification_test(c, NULL, 2, 2, A, (double)NAN, &q, l), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_qualification_test(c, metric, 2, 2, A, 1e-10, &q, l), THUD_ERROR_DIMENSION);
  assert_int_equal(thud_generated_cone_project(NULL, NULL, 2, 2, A, x, 0, y, l, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_generated_cone_project(c, NULL, -2, 2, A, x, 0, y, l, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_generated_cone_project(c, NULL, 2, -2, A, x, 0, y, l, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_generated_cone_project(c, NULL, 2, 2, NULL, x, 0, y, l, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_generated_cone_project(c, NULL, 2, 2, A, NULL, 0, y, l, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_generated_cone_project(c, NULL, 2, 2, A, x, 0, NULL, l, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_generated_cone_project(c, NULL, 2, 2, A, x, -1, y, l, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_generated_cone_project(c, metric, 2, 2, A, x, 0, y, l, &info), THUD_ERROR_DIMENSION);
  thud_polyhedron_projector *projector;
  assert_int_equal(thud_polyhedron_projector_create(c, 2, 2, &projector), THUD_OK);
  assert_int_equal(thud_two_cones(NULL, NULL, 2, A, x, 0, v_V, y, l, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_two_cones(projector, NULL, 3, A, x, 0, v_V, y, l, &info), THUD_ERROR_DIMENSION);
  assert_int_equal(thud_two_cones(projector, NULL, 2, A, NULL, 0, v_V, y, l, &info), THUD_ERROR_ARGUMENT);
  A[2] = NAN;
  assert_int_equal(thud_two_cones(projector, NULL, 2, A, x, 0, v_V, y, l, &info), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_qualification_test(c, NULL, 2, 2, A, 1e-10, &q, l), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_generated_cone_project(c, NULL, 2, 2, A, x, 0, y, l, &info), THUD_ERROR_NOT_FINITE);
  thud_assert_greater(strlen(thud_context_last_message(c)), 10);
  thud_assert_equal(q.rank, 77);
  thud_assert_equal(info.iterations, 77);
  thud_assert_equal(y[0], 7);
  thud_assert_equal(l[0], 8);
  thud_assert_equal(v_V[0], 9);
  thud_polyhedron_projector_destroy(projector);
  thud_metric_destroy(metric);
}

static thud_error qualify_run(thud_context *context, void *user) {
  (void)user;
  double A[9] = {-1, 0, 0, 1, 0, 0, 0, -1, -1}, l[3] = {7, 7, 7};
  thud_qualification_info info = {.rank = 77};
  thud_error error = thud_qualification_test(context, NULL, 3, 3, A, 1e-10, &info, l);
  assert_true(error == THUD_OK ? info.rank == 2 : info.rank == 77 && l[0] == 7);
  return error;
}

static thud_error generated_run(thud_context *context, void *user) {
  (void)user;
  double y[2] = {7, 7}, l[2] = {7, 7};
  thud_pivot_info info = {.iterations = 77};
  thud_error error =
      thud_generated_cone_project(context, NULL, 2, 2, (double[]){1, 0, 0, 1}, (double[]){1, -1}, 1e-10, y, l, &info);
  assert_true(error == THUD_OK ? y[0] == 1 && y[1] == 0 : y[0] == 7 && l[0] == 7 && info.iterations == 77);
  return error;
}

static void failed_allocations_leak_nothing(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(qualify_run, NULL), 30);
  thud_assert_greater(thud_test_sweep_allocations(generated_run, NULL), 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_cones_split_every_vector),
      cmocka_unit_test(moreaus_wedge_gives_the_closed_form),
      cmocka_unit_test(generated_cones_satisfy_the_optimality_conditions),
      cmocka_unit_test(generated_cones_of_special_shape),
      cmocka_unit_test(moreaus_unqualified_point_names_constraints_one_and_two),
      cmocka_unit_test(a_table_on_four_legs_is_only_rank_deficient),
      cmocka_unit_test(margin_of_a_fan_is_the_cosine_of_half_its_opening),
      cmocka_unit_test(margin_obeys_minimax_bounds_and_ignores_coordinates),
      cmocka_unit_test(positive_dependence_is_certified),
      cmocka_unit_test(zero_gradients_and_empty_sets),
      cmocka_unit_test(bad_arguments_are_refused_and_outputs_untouched),
      cmocka_unit_test(failed_allocations_leak_nothing),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
