/* Projection onto polyhedra: every answer is judged by the optimality conditions, evaluated here from the data alone.
 * Feasibility, sign, complementarity and stationarity are sufficient (the problem is convex), so that no reference
 * solution is needed; brute force over active sets is compared all the same on small cases. */
#include "failing_allocator.h"
#include "testing.h"
#include "thud/pivot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_MAX = 40, M_MAX = 400 };

typedef struct problem {
  thud_index n, m, equalities;
  thud_metric *metric;
  double M[N_MAX * N_MAX]; /* identity when metric is NULL */
  double A[M_MAX * N_MAX], b[M_MAX], x[N_MAX], y[N_MAX], l[M_MAX];
  thud_pivot_info info;
} problem;

typedef struct fixture {
  thud_context *context;
  problem *p, *p2;
} fixture;

static int set_up(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  assert_int_equal(thud_context_create(NULL, &f->context), THUD_OK);
  f->p = calloc(1, sizeof *f->p);
  f->p2 = calloc(1, sizeof *f->p2);
  assert_non_null(f->p);
  assert_non_null(f->p2);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  assert_int_equal(thud_context_live_blocks(f->context), 0);
  thud_context_destroy(f->context);
  free(f->p);
  free(f->p2);
  free(f);
  return 0;
}

/* ---- judging ---------------------------------------------------------------------------------------- */

static double row_dot(thud_index n, const double *a, const double *y) {
  double sum = 0;
  for (thud_index j = 0; j < n; j++) sum += a[j] * y[j];
  return sum;
}

static double vector_norm(thud_index n, const double *x) { return sqrt(row_dot(n, x, x)); }

/* Worst of the four optimality conditions, each divided by its natural size. */
static double kkt_defect(const problem *p) {
  double worst = 0, force[N_MAX], size = 0, x_size = fmax(vector_norm(p->n, p->x), vector_norm(p->n, p->y));
  for (thud_index i = 0; i < p->n; i++) {
    force[i] = 0;
    for (thud_index j = 0; j < p->n; j++) force[i] += p->M[j * p->n + i] * (p->x[j] - p->y[j]);
  }
  double m_size = 0;
  for (thud_index k = 0; k < p->n * p->n; k++) m_size = fmax(m_size, fabs(p->M[k]));
  size = m_size * x_size;
  for (thud_index i = 0; i < p->m; i++) {
    const double *a = p->A + i * p->n;
    double length = vector_norm(p->n, a), gap = row_dot(p->n, a, p->y) - p->b[i];
    double scale = length * x_size + fabs(p->b[i]) + 1e-300;
    bool equality = i < p->equalities;
    worst = fmax(worst, (equality ? fabs(gap) : gap) / scale);
    if (!equality && p->l[i] < 0) return INFINITY;
    if (p->l[i] != 0) worst = fmax(worst, fabs(gap) / scale);
    for (thud_index j = 0; j < p->n; j++) force[j] -= p->l[i] * a[j];
    size = fmax(size, fabs(p->l[i]) * length);
  }
  for (thud_index j = 0; j < p->n; j++) worst = fmax(worst, fabs(force[j]) / (size + 1e-300));
  return worst;
}

static void solve(thud_context *context, problem *p, double tolerance) {
  thud_polyhedron_projector *projector;
  assert_int_equal(thud_polyhedron_projector_create(context, p->n, p->m, &projector), THUD_OK);
  uint64_t before = thud_context_allocation_count(context);
  assert_int_equal(thud_polyhedron_project(projector, p->metric, p->m, p->equalities, p->A, p->b, p->x, tolerance, p->y,
                                           p->l, &p->info),
                   THUD_OK);
  assert_int_equal(thud_context_allocation_count(context), before);
  thud_polyhedron_projector_destroy(projector);
}

static void solve_and_judge(thud_context *context, problem *p, double accepted) {
  solve(context, p, 1e-10);
  assert_int_equal(p->info.status, THUD_PIVOT_SOLVED);
  double defect = kkt_defect(p);
  if (!(defect <= accepted)) print_message("n %d m %d eq %d defect %g\n", p->n, p->m, p->equalities, defect);
  thud_assert_at_most(defect, accepted);
}

/* ---- random problems ---------------------------------------------------------------------------------- */

static void random_vector(thud_random *random, thud_index n, double *x) {
  for (thud_index i = 0; i < n; i++) x[i] = thud_random_normal(random);
}

/* kind 0: Euclidean; 1: diagonal; 2: full. */
static void random_metric(thud_context *context, thud_random *random, int kind, problem *p) {
  thud_index n = p->n;
  double factor[N_MAX * N_MAX];
  random_vector(random, n * n, factor);
  for (thud_index i = 0; i < n; i++)
    for (thud_index j = 0; j < n; j++) {
      double sum = i == j ? 1 : 0;
      if (kind == 1 && i == j) sum = exp(2 * factor[i]);
      for (thud_index k = 0; k < n && kind == 2; k++) sum += factor[k * n + i] * factor[k * n + j];
      p->M[j * n + i] = sum;
    }
  p->metric = NULL;
  if (kind > 0) assert_int_equal(thud_metric_create(context, n, p->M, &p->metric), THUD_OK);
}

/* A feasible system around a known point: that point lies on the planes of `tight` inequalities and of all
 * equalities. */
static void random_problem(thud_context *context, thud_random *random, problem *p) {
  double point[N_MAX];
  p->n = 1 + (thud_index)thud_random_below(random, 12);
  p->m = (thud_index)thud_random_below(random, 40);
  p->equalities = p->m > 0 ? (thud_index)thud_random_below(random, (uint32_t)(p->m < p->n ? p->m : p->n)) : 0;
  random_metric(context, random, (int)thud_random_below(random, 3), p);
  random_vector(random, p->n, point);
  random_vector(random, p->n, p->x);
  random_vector(random, p->m * p->n, p->A);
  for (thud_index j = 0; j < p->n; j++) p->x[j] *= 5;
  for (thud_index i = 0; i < p->m; i++) {
    double slack = i < p->equalities || thud_random_below(random, 2) == 0 ? 0 : thud_random_uniform(random, 0, 2);
    p->b[i] = row_dot(p->n, p->A + i * p->n, point) + slack;
  }
}

static void random_polyhedra_satisfy_the_optimality_conditions(void **state) {
  fixture *f = *state;
  thud_random random = thud_random_seed(11);
  for (int round = 0; round < 4000; round++) {
    random_problem(f->context, &random, f->p);
    solve_and_judge(f->context, f->p, 1e-12);
    thud_metric_destroy(f->p->metric);
  }
}

/* Rows that repeat others, scaled by 1e-8..1e8, their negatives as far as feasible, sums of others, and zero rows. */
static void dependent_duplicate_and_zero_rows_do_no_harm(void **state) {
  fixture *f = *state;
  problem *p = f->p;
  thud_random random = thud_random_seed(12);
  for (int round = 0; round < 3000; round++) {
    random_problem(f->context, &random, p);
    thud_index old = p->m;
    for (thud_index k = 0; k < 2 * old; k++, p->m++) {
      thud_index from = (thud_index)thud_random_below(&random, (uint32_t)old);
      thud_index other = (thud_index)thud_random_below(&random, (uint32_t)old);
      double scale = pow(10, thud_random_uniform(&random, -8, 8)), second = thud_random_below(&random, 2);
      if (thud_random_below(&random, 8) == 0) scale = second = 0;
      for (thud_index j = 0; j < p->n; j++)
        p->A[p->m * p->n + j] = scale * (p->A[from * p->n + j] + second * p->A[other * p->n + j]);
      p->b[p->m] = scale * (p->b[from] + second * p->b[other]);
    }
    solve_and_judge(f->context, p, 1e-11);
    thud_metric_destroy(p->metric);
  }
}

/* 10 n and more planes through one vertex, x beyond it, gradients in a narrow bundle of the given width. */
static void crowded_vertices_and_narrow_bundles_are_solved(void **state) {
  fixture *f = *state;
  problem *p = f->p;
  thud_random random = thud_random_seed(13);
  for (int round = 0; round < 2000; round++) {
    double vertex[N_MAX], axis[N_MAX], width = pow(10, thud_random_uniform(&random, -7, 0));
    p->n = 1 + (thud_index)thud_random_below(&random, 8);
    p->m = 10 * p->n + 20;
    p->equalities = 0;
    random_metric(f->context, &random, round % 3, p);
    random_vector(&random, p->n, vertex);
    random_vector(&random, p->n, axis);
    for (thud_index i = 0; i < p->m; i++) {
      for (thud_index j = 0; j < p->n; j++) p->A[i * p->n + j] = axis[j] + width * thud_random_normal(&random);
      p->b[i] = row_dot(p->n, p->A + i * p->n, vertex);
    }
    for (thud_index j = 0; j < p->n; j++) p->x[j] = vertex[j] + axis[j] + 0.1 * width * thud_random_normal(&random);
    solve_and_judge(f->context, p, 1e-11);
    thud_metric_destroy(p->metric);
  }
}

/* Entries -1, 0, 1 and an integer point: most vertices are degenerate, many rows zero, equal or opposite, and often
 * the set is thin. Equalities are also given as pairs of opposite inequalities of different scale. */
static void integer_systems_and_opposite_pairs_are_solved(void **state) {
  fixture *f = *state;
  problem *p = f->p;
  thud_random random = thud_random_seed(24);
  for (int round = 0; round < 3000; round++) {
    random_problem(f->context, &random, p);
    thud_index n = p->n, old = p->equalities;
    if (round % 2 == 0) {
      double point[N_MAX];
      p->m = 60;
      for (thud_index j = 0; j < n; j++) {
        point[j] = (double)thud_random_below(&random, 3) - 1;
        p->x[j] = (double)thud_random_below(&random, 7) - 3;
      }
      for (thud_index k = 0; k < p->m * n; k++) p->A[k] = (double)thud_random_below(&random, 3) - 1;
      for (thud_index i = 0; i < p->m; i++)
        p->b[i] = row_dot(n, p->A + i * n, point) + (i < old ? 0 : (double)thud_random_below(&random, 2));
    } else {
      p->equalities = 0;
      for (thud_index i = 0; i < old; i++, p->m++) {
        double scale = -pow(10, thud_random_uniform(&random, -8, 8));
        for (thud_index j = 0; j < n; j++) p->A[p->m * n + j] = scale * p->A[i * n + j];
        p->b[p->m] = scale * p->b[i];
      }
    }
    solve_and_judge(f->context, p, 1e-12);
    thud_metric_destroy(p->metric);
  }
}

static void huge_and_tiny_points_keep_relative_accuracy(void **state) {
  fixture *f = *state;
  thud_random random = thud_random_seed(14);
  for (int round = 0; round < 2000; round++) {
    random_problem(f->context, &random, f->p);
    double scale = pow(10, thud_random_uniform(&random, -14, 14));
    for (thud_index j = 0; j < f->p->n; j++) f->p->x[j] *= scale;
    /* Cones and, for large scales, polyhedra seen from afar. */
    if (scale < 1)
      for (thud_index i = 0; i < f->p->m; i++) f->p->b[i] *= scale;
    solve_and_judge(f->context, f->p, 1e-12);
    thud_metric_destroy(f->p->metric);
  }
}

static double distance_between(const problem *p, const double *a, const double *b) {
  double difference[N_MAX];
  for (thud_index j = 0; j < p->n; j++) difference[j] = a[j] - b[j];
  return thud_metric_norm(p->metric, p->n, difference);
}

static void projection_is_idempotent_and_nonexpansive(void **state) {
  fixture *f = *state;
  problem *p = f->p;
  thud_random random = thud_random_seed(15);
  for (int round = 0; round < 2000; round++) {
    random_problem(f->context, &random, p);
    double x[N_MAX], y[N_MAX];
    solve(f->context, p, 1e-12);
    memcpy(x, p->x, sizeof x);
    memcpy(y, p->y, sizeof y);
    memcpy(p->x, y, sizeof y);
    solve(f->context, p, 1e-12);
    thud_assert_at_most(distance_between(p, y, p->y), 1e-12 * (1 + thud_metric_norm(p->metric, p->n, y)));
    random_vector(&random, p->n, p->x);
    solve(f->context, p, 1e-12);
    thud_assert_at_most(distance_between(p, y, p->y), distance_between(p, x, p->x) + 1e-11);
    thud_metric_destroy(p->metric);
  }
}

/* The set does not change when rows are rescaled, nor the problem when x = T x', A' = A T, M' = T'MT. */
static void projection_ignores_row_scales_and_coordinates(void **state) {
  fixture *f = *state;
  problem *p = f->p, *p2 = f->p2;
  thud_random random = thud_random_seed(16);
  for (int round = 0; round < 1500; round++) {
    random_problem(f->context, &random, p);
    solve(f->context, p, 1e-12);
    thud_index n = p->n;
    *p2 = *p;
    for (thud_index i = 0; i < p->m; i++) {
      double scale = pow(10, thud_random_uniform(&random, -8, 8));
      for (thud_index j = 0; j < n; j++) p2->A[i * n + j] *= scale;
      p2->b[i] *= scale;
    }
    solve(f->context, p2, 1e-12);
    thud_assert_at_most(distance_between(p, p->y, p2->y), 1e-11 * (1 + thud_metric_norm(p->metric, n, p->x)));
    /* T = I + small strictly upper part: unit determinant, well conditioned, exact inverse by back substitution. */
    double T[N_MAX * N_MAX], back[N_MAX];
    for (thud_index k = 0; k < n * n; k++)
      T[k] = k / n == k % n ? 1 : k % n < k / n ? thud_random_uniform(&random, -.5, .5) : 0;
    for (thud_index i = 0; i < p->m; i++)
      for (thud_index j = 0; j < n; j++) p2->A[i * n + j] = row_dot(n, p->A + i * n, T + j * n);
    memcpy(p2->b, p->b, sizeof p->b);
    for (thud_index j = n - 1; j >= 0; j--) {
      p2->x[j] = p->x[j];
      for (thud_index k = j + 1; k < n; k++) p2->x[j] -= T[k * n + j] * p2->x[k];
    }
    double MT[N_MAX * N_MAX];
    for (thud_index i = 0; i < n; i++)
      for (thud_index j = 0; j < n; j++) MT[j * n + i] = row_dot(n, p->M + i * n, T + j * n);
    for (thud_index i = 0; i < n; i++)
      for (thud_index j = 0; j <= i; j++) p2->M[j * n + i] = p2->M[i * n + j] = row_dot(n, T + i * n, MT + j * n);
    assert_int_equal(thud_metric_create(f->context, n, p2->M, &p2->metric), THUD_OK);
    solve(f->context, p2, 1e-12);
    for (thud_index i = 0; i < n; i++) {
      back[i] = 0;
      for (thud_index k = 0; k < n; k++) back[i] += T[k * n + i] * p2->y[k];
    }
    thud_assert_at_most(distance_between(p, p->y, back), 1e-10 * (1 + thud_metric_norm(p->metric, n, p->x)));
    thud_metric_destroy(p2->metric);
    thud_metric_destroy(p->metric);
  }
}

/* ---- brute force -------------------------------------------------------------------------------------- */

/* The projection by trying every set of active planes (Euclidean): the nearest feasible one of the points nearest to x
 * on each intersection. */
static double brute_force_distance(thud_context *context, const problem *p) {
  double best = INFINITY;
  for (unsigned set = 0; set < 1u << p->m; set++) {
    double gram[64], right[8], point[N_MAX];
    thud_index rows[8], count = 0;
    for (thud_index i = 0; i < p->m; i++)
      if ((set >> i) & 1u) rows[count++] = i;
    if (count > p->n) continue;
    for (thud_index k = 0; k < count; k++)
      for (thud_index l = 0; l < count; l++)
        gram[l * count + k] = row_dot(p->n, p->A + rows[k] * p->n, p->A + rows[l] * p->n);
    memcpy(point, p->x, sizeof point);
    for (int refinement = 0; refinement < 4 && count > 0; refinement++) {
      for (thud_index k = 0; k < count; k++) right[k] = row_dot(p->n, p->A + rows[k] * p->n, point) - p->b[rows[k]];
      assert_int_equal(thud_dense_solve(context, count, gram, 1, right), THUD_OK);
      for (thud_index k = 0; k < count; k++)
        for (thud_index j = 0; j < p->n; j++) point[j] -= right[k] * p->A[rows[k] * p->n + j];
    }
    bool feasible = true;
    for (thud_index i = 0; i < p->m; i++)
      feasible = feasible && row_dot(p->n, p->A + i * p->n, point) <= p->b[i] + 1e-9;
    if (feasible) best = fmin(best, distance_between(p, p->x, point));
  }
  return best;
}

static void brute_force_over_active_sets_agrees(void **state) {
  fixture *f = *state;
  problem *p = f->p;
  thud_random random = thud_random_seed(17);
  int infeasible = 0;
  for (int round = 0; round < 1500; round++) {
    p->n = 1 + (thud_index)thud_random_below(&random, 4);
    p->m = 1 + (thud_index)thud_random_below(&random, 7);
    p->equalities = 0;
    random_metric(f->context, &random, 0, p);
    random_vector(&random, p->m * p->n, p->A);
    random_vector(&random, p->m, p->b);
    random_vector(&random, p->n, p->x);
    solve(f->context, p, 1e-12);
    double best = brute_force_distance(f->context, p);
    assert_int_equal(p->info.status, isfinite(best) ? THUD_PIVOT_SOLVED : THUD_PIVOT_INFEASIBLE);
    infeasible += !isfinite(best);
    if (isfinite(best)) thud_assert_near(best, distance_between(p, p->x, p->y), 1e-9 * (1 + best));
  }
  assert_in_range(infeasible, 50, 1450); /* both kinds were met */
}

/* ---- infeasibility ------------------------------------------------------------------------------------ */

/* l >= 0 on inequalities, A'l = 0, l.b < 0, max |l_i||a_i| = 1. */
static void assert_farkas(const problem *p, double accepted) {
  double sum[N_MAX] = {0}, value = 0, largest = 0;
  for (thud_index i = 0; i < p->m; i++) {
    assert_true(i < p->equalities || p->l[i] >= 0);
    for (thud_index j = 0; j < p->n; j++) sum[j] += p->l[i] * p->A[i * p->n + j];
    value += p->l[i] * p->b[i];
    largest = fmax(largest, fabs(p->l[i]) * thud_metric_dual_norm(p->metric, p->n, p->A + i * p->n));
  }
  thud_assert_less(value, 0);
  thud_assert_near(largest, 1, 1e-12);
  thud_assert_at_most(thud_metric_dual_norm(p->metric, p->n, sum), accepted);
}

static void infeasible_systems_give_verified_certificates(void **state) {
  fixture *f = *state;
  problem *p = f->p;
  thud_random random = thud_random_seed(18);
  for (int round = 0; round < 2000; round++) {
    random_problem(f->context, &random, p);
    /* A positive combination of some rows contradicts them: -sum c_i a_i.y <= -sum c_i b_i - gap. */
    double gap = pow(10, thud_random_uniform(&random, -6, 3)), scale = pow(10, thud_random_uniform(&random, -8, 8));
    if (p->m == 0) p->m = 1;
    double *last = p->A + p->m * p->n, right = 0, combination[N_MAX] = {0};
    for (thud_index i = 0; i < p->m; i++) {
      double c = thud_random_below(&random, 2) == 0 ? 0 : thud_random_uniform(&random, 0, 1);
      if (i == 0) c = 1;
      for (thud_index j = 0; j < p->n; j++) combination[j] -= c * p->A[i * p->n + j];
      right -= c * p->b[i];
    }
    double norm = thud_metric_dual_norm(p->metric, p->n, combination);
    for (thud_index j = 0; j < p->n; j++) last[j] = scale * combination[j] / norm;
    p->b[p->m++] = scale * (right / norm - gap);
    solve(f->context, p, 1e-10);
    assert_int_equal(p->info.status, THUD_PIVOT_INFEASIBLE);
    assert_memory_equal(p->x, p->y, (size_t)p->n * sizeof(double));
    assert_farkas(p, 1e-12);
    thud_assert_at_most(p->info.stationarity, 1e-12);
    thud_metric_destroy(p->metric);
  }
}

static void contradicting_equalities_and_zero_rows_are_infeasible(void **state) {
  fixture *f = *state;
  problem *p = f->p;
  *p = (problem){.n = 2, .m = 2, .equalities = 2, .M = {1, 0, 0, 1}};
  memcpy(p->A, (double[]){1, 2, 1e8, 2e8}, 4 * sizeof(double));
  memcpy(p->b, (double[]){1, 2e8}, 2 * sizeof(double));
  solve(f->context, p, 1e-10);
  assert_int_equal(p->info.status, THUD_PIVOT_INFEASIBLE);
  assert_farkas(p, 1e-12);
  p->b[1] = 1e8; /* the same plane twice */
  solve_and_judge(f->context, p, 1e-15);
  for (int kind = 0; kind < 4; kind++) {
    *p = (problem){.n = 2, .m = 2, .equalities = kind / 2, .M = {1, 0, 0, 1}, .A = {0, 0, 1, 0}, .x = {3, 4}};
    p->b[0] = kind % 2 == 0 ? -1 : 1;
    solve(f->context, p, 1e-10);
    assert_int_equal(p->info.status, kind == 1 ? THUD_PIVOT_SOLVED : THUD_PIVOT_INFEASIBLE);
    if (kind == 1) continue;
    thud_assert_less(p->l[0] * p->b[0], 0);
    thud_assert_equal(p->l[1], 0);
  }
}

/* ---- special points ----------------------------------------------------------------------------------- */

static void points_on_the_boundary_do_not_move(void **state) {
  fixture *f = *state;
  problem *p = f->p;
  thud_random random = thud_random_seed(19);
  for (int round = 0; round < 500; round++) {
    random_problem(f->context, &random, p);
    for (thud_index i = 0; i < p->m; i++) p->b[i] = row_dot(p->n, p->A + i * p->n, p->x);
    solve(f->context, p, 1e-10);
    assert_int_equal(p->info.status, THUD_PIVOT_SOLVED);
    assert_memory_equal(p->x, p->y, (size_t)p->n * sizeof(double));
    assert_int_equal(p->info.active, 0);
    thud_metric_destroy(p->metric);
  }
}

static void no_rows_and_aliased_output_are_allowed(void **state) {
  fixture *f = *state;
  double x[2] = {3, -4}, A[2] = {1, 0}, b = 1;
  thud_polyhedron_projector *projector;
  assert_int_equal(thud_polyhedron_projector_create(f->context, 2, 0, &projector), THUD_OK);
  assert_int_equal(thud_polyhedron_project(projector, NULL, 0, 0, NULL, NULL, x, 0, x, NULL, NULL), THUD_OK);
  thud_assert_equal(x[0], 3);
  thud_assert_equal(x[1], -4);
  thud_polyhedron_projector_destroy(projector);
  assert_int_equal(thud_polyhedron_projector_create(f->context, 2, 1, &projector), THUD_OK);
  assert_int_equal(thud_polyhedron_project(projector, NULL, 1, 0, A, &b, x, 0, x, NULL, NULL), THUD_OK);
  thud_assert_equal(x[0], 1);
  thud_assert_equal(x[1], -4);
  thud_polyhedron_projector_destroy(projector);
}

/* A metric of condition 1e12: |y - proj x| stays small in the metric, the constraints hold to rounding of the data. */
static void ill_conditioned_metrics_keep_feasibility(void **state) {
  fixture *f = *state;
  problem *p = f->p;
  thud_random random = thud_random_seed(20);
  for (int round = 0; round < 500; round++) {
    random_problem(f->context, &random, p);
    thud_metric_destroy(p->metric);
    for (thud_index k = 0; k < p->n * p->n; k++) p->M[k] = 0;
    for (thud_index i = 0; i < p->n; i++) p->M[i * p->n + i] = pow(10, thud_random_uniform(&random, -6, 6));
    assert_int_equal(thud_metric_create(f->context, p->n, p->M, &p->metric), THUD_OK);
    solve(f->context, p, 1e-10);
    assert_int_equal(p->info.status, THUD_PIVOT_SOLVED);
    double scale = fmax(1, thud_metric_norm(p->metric, p->n, p->x));
    thud_assert_at_most(p->info.primal_violation, 1e-12 * scale);
    /* Gradients become nearly parallel in such a metric: the multipliers are large and A'l cancels. */
    double force = 0;
    for (thud_index i = 0; i < p->m; i++)
      force = fmax(force, fabs(p->l[i]) * thud_metric_dual_norm(p->metric, p->n, p->A + i * p->n));
    thud_assert_at_most(p->info.stationarity, 1e-13 * fmax(scale, force));
    thud_assert_equal(p->info.dual_violation, 0);
    thud_metric_destroy(p->metric);
  }
}

/* ---- large ------------------------------------------------------------------------------------------------ */

/* Planes tangent to the unit sphere at random points, x outside: up to 2000 rows, hundreds of them active. */
static void large_polyhedron(thud_context *context, thud_index n, thud_index m, uint64_t seed) {
  thud_random random = thud_random_seed(seed);
  size_t length = (size_t)n, rows = (size_t)m;
  double *A = malloc(rows * length * sizeof *A), *b = malloc(rows * sizeof *b), *l = malloc(rows * sizeof *l);
  double *x = malloc(length * sizeof *x), *y = malloc(length * sizeof *y), *force = malloc(length * sizeof *force);
  assert_true(A && b && l && x && y && force);
  random_vector(&random, n, x);
  for (size_t i = 0; i < rows; i++) {
    random_vector(&random, n, A + i * length);
    b[i] = vector_norm(n, A + i * length);
    if (row_dot(n, A + i * length, x) < 0)
      for (size_t j = 0; j < length; j++) A[i * length + j] *= -1;
  }
  thud_polyhedron_projector *projector;
  thud_pivot_info info;
  assert_int_equal(thud_polyhedron_projector_create(context, n, m, &projector), THUD_OK);
  assert_int_equal(thud_polyhedron_project(projector, NULL, m, 0, A, b, x, 1e-10, y, l, &info), THUD_OK);
  thud_polyhedron_projector_destroy(projector);
  assert_int_equal(info.status, THUD_PIVOT_SOLVED);
  for (size_t j = 0; j < length; j++) force[j] = x[j] - y[j];
  double scale = vector_norm(n, x);
  for (size_t i = 0; i < rows; i++) {
    double gap = row_dot(n, A + i * length, y) - b[i];
    thud_assert_at_most(gap, 1e-12 * scale * b[i]);
    thud_assert_at_least(l[i], 0);
    if (l[i] > 0) thud_assert_at_most(fabs(gap), 1e-12 * scale * b[i]);
    for (size_t j = 0; j < length; j++) force[j] -= l[i] * A[i * length + j];
  }
  thud_assert_at_most(vector_norm(n, force), 1e-11 * scale);
  free(A), free(b), free(l), free(x), free(y), free(force);
}

static void thousands_of_rows_are_solved(void **state) {
  fixture *f = *state;
  large_polyhedron(f->context, 3, 2000, 21);
  large_polyhedron(f->context, 100, 2000, 22);
  large_polyhedron(f->context, 1000, 300, 23);
  large_polyhedron(f->context, 400, 800, 24);
}

/* ---- failures ----------------------------------------------------------------------------------------------- */

static void bad_arguments_are_refused_and_outputs_untouched(void **state) {
  fixture *f = *state;
  thud_context *context = f->context;
  thud_polyhedron_projector *projector = NULL;
  assert_int_equal(thud_polyhedron_projector_create(NULL, 1, 1, &projector), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_polyhedron_projector_create(context, 0, 1, &projector), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_polyhedron_projector_create(context, 1, -1, &projector), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_polyhedron_projector_create(context, 1, 1, NULL), THUD_ERROR_ARGUMENT);
  assert_null(projector);
  thud_metric *metric;
  assert_int_equal(thud_metric_create_diagonal(context, 3, (double[]){1, 2, 3}, &metric), THUD_OK);
  assert_int_equal(thud_polyhedron_projector_create(context, 2, 2, &projector), THUD_OK);
  double A[6] = {1, 0, 0, 1, 1, 1}, b[3] = {-1, -1, -1}, x[2] = {0, 0}, y[2] = {7, 8}, l[3] = {9, 9, 9};
  thud_pivot_info info = {.iterations = 77};
#define REFUSED(error, ...)                                                                                            \
  do {                                                                                                                 \
    assert_int_equal(thud_polyhedron_project(__VA_ARGS__, y, l, &info), error);                                        \
    thud_assert_equal(y[0], 7);                                                                                        \
    thud_assert_equal(y[1], 8);                                                                                        \
    thud_assert_equal(l[0], 9);                                                                                        \
    thud_assert_equal(info.iterations, 77);                                                                            \
    thud_assert_different(thud_context_last_message(context)[0], 0);                                                   \
  } while (0)
  assert_int_equal(thud_polyhedron_project(NULL, NULL, 0, 0, A, b, x, 0, y, l, &info), THUD_ERROR_ARGUMENT);
  REFUSED(THUD_ERROR_DIMENSION, projector, NULL, 3, 0, A, b, x, 0);
  REFUSED(THUD_ERROR_DIMENSION, projector, NULL, -1, 0, A, b, x, 0);
  REFUSED(THUD_ERROR_DIMENSION, projector, NULL, 2, 3, A, b, x, 0);
  REFUSED(THUD_ERROR_DIMENSION, projector, NULL, 2, -1, A, b, x, 0);
  REFUSED(THUD_ERROR_DIMENSION, projector, metric, 2, 0, A, b, x, 0);
  REFUSED(THUD_ERROR_ARGUMENT, projector, NULL, 2, 0, NULL, b, x, 0);
  REFUSED(THUD_ERROR_ARGUMENT, projector, NULL, 2, 0, A, NULL, x, 0);
  REFUSED(THUD_ERROR_ARGUMENT, projector, NULL, 2, 0, A, b, NULL, 0);
  REFUSED(THUD_ERROR_ARGUMENT, projector, NULL, 2, 0, A, b, x, -1e-10);
  REFUSED(THUD_ERROR_ARGUMENT, projector, NULL, 2, 0, A, b, x, (double)NAN);
  A[3] = NAN;
  REFUSED(THUD_ERROR_NOT_FINITE, projector, NULL, 2, 0, A, b, x, 0);
  assert_non_null(strstr(thud_context_last_message(context), "projector: A, row 1, column 1 is nan"));
  A[3] = 1, b[1] = INFINITY;
  REFUSED(THUD_ERROR_NOT_FINITE, projector, NULL, 2, 0, A, b, x, 0);
  b[1] = 0, x[0] = NAN;
  REFUSED(THUD_ERROR_NOT_FINITE, projector, NULL, 2, 0, A, b, x, 0);
#undef REFUSED
  assert_int_equal(thud_polyhedron_project(projector, NULL, 2, 0, A, b, x, 0, NULL, l, &info), THUD_ERROR_ARGUMENT);
  thud_polyhedron_projector_destroy(projector);
  thud_polyhedron_projector_destroy(NULL);
  thud_metric_destroy(metric);
}

static thud_error create_only(thud_context *context, void *user) {
  (void)user;
  thud_polyhedron_projector *projector = NULL;
  thud_error error = thud_polyhedron_projector_create(context, 3, 5, &projector);
  thud_assert_equal((error == THUD_OK), (projector != NULL));
  thud_polyhedron_projector_destroy(projector);
  return error;
}

static void failed_allocations_leak_nothing(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(create_only, NULL), 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_polyhedra_satisfy_the_optimality_conditions),
      cmocka_unit_test(dependent_duplicate_and_zero_rows_do_no_harm),
      cmocka_unit_test(crowded_vertices_and_narrow_bundles_are_solved),
      cmocka_unit_test(integer_systems_and_opposite_pairs_are_solved),
      cmocka_unit_test(huge_and_tiny_points_keep_relative_accuracy),
      cmocka_unit_test(projection_is_idempotent_and_nonexpansive),
      cmocka_unit_test(projection_ignores_row_scales_and_coordinates),
      cmocka_unit_test(brute_force_over_active_sets_agrees),
      cmocka_unit_test(infeasible_systems_give_verified_certificates),
      cmocka_unit_test(contradicting_equalities_and_zero_rows_are_infeasible),
      cmocka_unit_test(points_on_the_boundary_do_not_move),
      cmocka_unit_test(no_rows_and_aliased_output_are_allowed),
      cmocka_unit_test(ill_conditioned_metrics_keep_feasibility),
      cmocka_unit_test(thousands_of_rows_are_solved),
      cmocka_unit_test(bad_arguments_are_refused_and_outputs_untouched),
      cmocka_unit_test(failed_allocations_leak_nothing),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
