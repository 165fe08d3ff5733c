/* Linear complementarity: Lemke and the enumeration of all solutions, judged by the definition and by each other. */
#include "failing_allocator.h"
#include "testing.h"
#include "thud/pivot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_MAX = 128, FOUND_MAX = 4096 };

static const double PI = 3.14159265358979323846;

typedef struct found_list {
  thud_index n;
  size_t count, stop_at;
  double z[FOUND_MAX][20], w[FOUND_MAX][20];
  bool unique[FOUND_MAX];
} found_list;

typedef struct fixture {
  thud_context *context;
  found_list *found;
} fixture;

static int set_up(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  assert_int_equal(thud_context_create(NULL, &f->context), THUD_OK);
  f->found = calloc(1, sizeof *f->found);
  assert_non_null(f->found);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  assert_int_equal(thud_context_live_blocks(f->context), 0);
  thud_context_destroy(f->context);
  free(f->found);
  free(f);
  return 0;
}

/* Worst of -z, -w, z_i w_i and w - Mz - q, relative to the terms involved. */
static double lcp_defect(thud_index n, const double *M, const double *q, const double *z, const double *w) {
  double worst = 0;
  for (thud_index i = 0; i < n; i++) {
    double value = q[i], size = fabs(q[i]) + 1e-300;
    for (thud_index j = 0; j < n; j++) {
      value += M[j * n + i] * z[j];
      size += fabs(M[j * n + i] * z[j]);
    }
    if (z[i] < 0 || w[i] < 0 || (z[i] != 0 && w[i] != 0)) return INFINITY;
    worst = fmax(worst, fabs(value - w[i]) / size);
  }
  return worst;
}

static int collect(void *user, const double *z, const double *w, bool unique) {
  found_list *list = user;
  thud_assert_less(list->count, FOUND_MAX);
  memcpy(list->z[list->count], z, (size_t)list->n * sizeof *z);
  memcpy(list->w[list->count], w, (size_t)list->n * sizeof *w);
  list->unique[list->count++] = unique;
  return list->count == list->stop_at;
}

static size_t enumerate(fixture *f, thud_index n, const double *M, const double *q) {
  size_t count = 12345;
  f->found->n = n;
  f->found->count = f->found->stop_at = 0;
  assert_int_equal(thud_lcp_enumerate(f->context, n, M, q, 1e-10, collect, f->found, &count), THUD_OK);
  assert_int_equal(count, f->found->count);
  for (size_t k = 0; k < count; k++) thud_assert_at_most(lcp_defect(n, M, q, f->found->z[k], f->found->w[k]), 1e-9);
  return count;
}

static bool found_near(const found_list *list, const double *z) {
  for (size_t k = 0; k < list->count; k++) {
    double difference = 0, size = 0;
    for (thud_index i = 0; i < list->n; i++) {
      difference = fmax(difference, fabs(list->z[k][i] - z[i]));
      size = fmax(size, fabs(z[i]));
    }
    if (difference <= 1e-8 * size) return true;
  }
  return false;
}

/* B'B + skew + small diagonal: positive definite, not symmetric, hence P. columns of B below n give a copositive-plus
 * (positive semidefinite) matrix when the diagonal is 0. */
static void random_positive_matrix(thud_random *random, thud_index n, thud_index rank, double skew, double diagonal,
                                   double *M) {
  double B[N_MAX * N_MAX];
  for (thud_index k = 0; k < rank * n; k++) B[k] = thud_random_normal(random);
  for (thud_index i = 0; i < n; i++)
    for (thud_index j = 0; j <= i; j++) {
      double sum = 0, turn = i == j ? 0 : skew * thud_random_normal(random);
      for (thud_index k = 0; k < rank; k++) sum += B[i * rank + k] * B[j * rank + k];
      M[j * n + i] = sum + turn + (i == j ? diagonal : 0);
      M[i * n + j] = sum - turn + (i == j ? diagonal : 0);
    }
}

static void lemke_and_enumeration_agree_on_p_matrices(void **state) {
  fixture *f = *state;
  thud_random random = thud_random_seed(31);
  for (int round = 0; round < 1500; round++) {
    thud_index n = 1 + (thud_index)thud_random_below(&random, 8);
    double M[64], q[8], z[8], w[8];
    random_positive_matrix(&random, n, n, 1, 0.1, M);
    for (thud_index i = 0; i < n; i++) q[i] = thud_random_normal(&random);
    thud_pivot_info info;
    assert_int_equal(thud_lcp_lemke(f->context, n, M, q, 1000, z, w, &info), THUD_OK);
    assert_int_equal(info.status, THUD_PIVOT_SOLVED);
    thud_assert_at_most(lcp_defect(n, M, q, z, w), 1e-12);
    assert_int_equal(enumerate(f, n, M, q), 1);
    assert_true(f->found->unique[0] && found_near(f->found, z));
  }
}

/* Rows and columns scaled by 1e-6..1e6 do not change which variables are basic. */
static void lemke_ignores_row_and_column_scales(void **state) {
  fixture *f = *state;
  thud_random random = thud_random_seed(32);
  for (int round = 0; round < 1000; round++) {
    thud_index n = 1 + (thud_index)thud_random_below(&random, 15);
    double M[225], q[15], z[15], w[15], z2[15], w2[15], columns[15];
    random_positive_matrix(&random, n, n, 1, 0.1, M);
    for (thud_index i = 0; i < n; i++) q[i] = thud_random_normal(&random);
    assert_int_equal(thud_lcp_lemke(f->context, n, M, q, 1000, z, w, NULL), THUD_OK);
    for (thud_index j = 0; j < n; j++) columns[j] = pow(10, thud_random_uniform(&random, -6, 6));
    for (thud_index i = 0; i < n; i++) {
      double row = pow(10, thud_random_uniform(&random, -6, 6));
      q[i] *= row;
      for (thud_index j = 0; j < n; j++) M[j * n + i] *= row * columns[j];
    }
    assert_int_equal(thud_lcp_lemke(f->context, n, M, q, 1000, z2, w2, NULL), THUD_OK);
    thud_assert_at_most(lcp_defect(n, M, q, z2, w2), 1e-12);
    for (thud_index i = 0; i < n; i++) thud_assert_near(z2[i] * columns[i], z[i], 1e-9 * (1 + z[i]));
  }
}

/* For positive semidefinite M a solution exists iff the problem is feasible; q = M u + s with u, s >= 0, complementary
 * or not, is feasible. */
static void lemke_solves_feasible_copositive_plus_problems(void **state) {
  fixture *f = *state;
  thud_random random = thud_random_seed(33);
  for (int round = 0; round < 1500; round++) {
    thud_index n = 2 + (thud_index)thud_random_below(&random, 7), rank = 1 + (thud_index)thud_random_below(&random, 3);
    double M[64], q[8], z[8], w[8];
    random_positive_matrix(&random, n, rank < n ? rank : n, 0, 0, M);
    for (thud_index i = 0; i < n; i++) {
      q[i] = thud_random_below(&random, 2) == 0 ? 0 : thud_random_uniform(&random, 0, 1);
      z[i] = thud_random_uniform(&random, 0, 1);
    }
    for (thud_index i = 0; i < n; i++)
      for (thud_index j = 0; j < n; j++) q[i] -= M[j * n + i] * z[j];
    thud_pivot_info info;
    assert_int_equal(thud_lcp_lemke(f->context, n, M, q, 1000, z, w, &info), THUD_OK);
    assert_int_equal(info.status, THUD_PIVOT_SOLVED);
    thud_assert_at_most(lcp_defect(n, M, q, z, w), 1e-9);
    thud_assert_at_least(enumerate(f, n, M, q), 1);
  }
}

/* Four legs under a table: W = G G' of rank 3, ties everywhere. */
static void lemke_does_not_cycle_on_degenerate_tables(void **state) {
  fixture *f = *state;
  for (thud_index legs = 4; legs <= 64; legs *= 2) {
    double M[64 * 64], q[64], z[64], w[64], load = 0;
    for (thud_index i = 0; i < legs; i++) {
      double angle_i = 2 * PI * (double)i / (double)legs;
      q[i] = -1;
      for (thud_index j = 0; j < legs; j++) M[j * legs + i] = 1 + cos(angle_i - 2 * PI * (double)j / (double)legs);
    }
    thud_pivot_info info;
    assert_int_equal(thud_lcp_lemke(f->context, legs, M, q, 10000, z, w, &info), THUD_OK);
    assert_int_equal(info.status, THUD_PIVOT_SOLVED);
    thud_assert_at_most(lcp_defect(legs, M, q, z, w), 1e-12);
    for (thud_index i = 0; i < legs; i++) load += z[i];
    thud_assert_near(load, 1, 1e-12);
  }
}

static void lemke_solves_larger_problems(void **state) {
  fixture *f = *state;
  thud_random random = thud_random_seed(34);
  for (int round = 0; round < 5; round++) {
    double *M = malloc(N_MAX * N_MAX * sizeof *M), q[N_MAX], z[N_MAX], w[N_MAX];
    assert_non_null(M);
    random_positive_matrix(&random, N_MAX, N_MAX, 1, 0.1, M);
    for (thud_index i = 0; i < N_MAX; i++) q[i] = thud_random_normal(&random);
    thud_pivot_info info;
    assert_int_equal(thud_lcp_lemke(f->context, N_MAX, M, q, 10000, z, w, &info), THUD_OK);
    assert_int_equal(info.status, THUD_PIVOT_SOLVED);
    thud_assert_greater(info.iterations, 64); /* the tableau was rebuilt at least once */
    thud_assert_at_most(lcp_defect(N_MAX, M, q, z, w), 1e-12);
    free(M);
  }
}

static void lemke_reports_rays_and_limits(void **state) {
  fixture *f = *state;
  double z[2], w[2];
  thud_pivot_info info;
  /* w_1 = -1 - z_1 cannot be >= 0. */
  assert_int_equal(thud_lcp_lemke(f->context, 1, (double[]){-1}, (double[]){-1}, 100, z, w, &info), THUD_OK);
  assert_int_equal(info.status, THUD_PIVOT_RAY);
  thud_assert_greater(info.primal_violation, 0);
  assert_int_equal(thud_lcp_lemke(f->context, 1, (double[]){0}, (double[]){-1}, 100, z, w, &info), THUD_OK);
  assert_int_equal(info.status, THUD_PIVOT_RAY);
  assert_int_equal(thud_lcp_lemke(f->context, 2, (double[]){2, 1, 1, 2}, (double[]){-5, -6}, 1, z, w, &info), THUD_OK);
  assert_int_equal(info.status, THUD_PIVOT_LIMIT);
  /* The textbook pair: z = (4/3, 7/3). */
  assert_int_equal(thud_lcp_lemke(f->context, 2, (double[]){2, 1, 1, 2}, (double[]){-5, -6}, 100, z, w, &info),
                   THUD_OK);
  assert_int_equal(info.status, THUD_PIVOT_SOLVED);
  thud_assert_near(z[0], 4. / 3, 1e-15);
  thud_assert_near(z[1], 7. / 3, 1e-15);
  thud_assert_equal(w[0], 0);
  thud_assert_equal(w[1], 0);
  /* q >= 0: z = 0 without a pivot. */
  assert_int_equal(thud_lcp_lemke(f->context, 2, (double[]){-1, 0, 0, -1}, (double[]){0, 3}, 1, z, w, &info), THUD_OK);
  thud_assert_equal(info.status, THUD_PIVOT_SOLVED);
  thud_assert_equal(info.iterations, 0);
  thud_assert_equal(z[0], 0);
  thud_assert_equal(w[1], 3);
}

/* One workspace for problems of many sizes, in any order: the same bits as a fresh one, and no allocation. */
static void a_kept_workspace_gives_the_same_bits_without_allocating(void **state) {
  fixture *f = *state;
  thud_random random = thud_random_seed(38);
  thud_lemke *lemke = NULL;
  assert_int_equal(thud_lemke_create(f->context, 40, &lemke), THUD_OK);
  for (int round = 0; round < 300; round++) {
    thud_index n = 1 + (thud_index)thud_random_below(&random, 40);
    double M[1600], q[40], z[40], w[40], z_kept[40], w_kept[40], ray[40];
    random_positive_matrix(&random, n, 1 + (thud_index)thud_random_below(&random, (uint32_t)n), 1, 0.01, M);
    for (thud_index i = 0; i < n; i++) q[i] = thud_random_normal(&random);
    thud_pivot_info info, info_kept;
    assert_int_equal(thud_lcp_lemke(f->context, n, M, q, 1000, z, w, &info), THUD_OK);
    uint64_t allocations = thud_context_allocation_count(f->context);
    thud_lemke_task task = {.n = n, .M = M, .q = q, .max_pivots = 1000};
    assert_int_equal(thud_lemke_solve(lemke, &task, z_kept, w_kept, ray, &info_kept), THUD_OK);
    assert_int_equal(thud_context_allocation_count(f->context), allocations);
    thud_assert_equal(info.status, info_kept.status);
    thud_assert_equal(info.iterations, info_kept.iterations);
    assert_memory_equal(z, z_kept, (size_t)n * sizeof *z);
    assert_memory_equal(w, w_kept, (size_t)n * sizeof *w);
    if (info.status != THUD_PIVOT_RAY)
      for (thud_index i = 0; i < n; i++) thud_assert_equal(ray[i], 0);
  }
  thud_lemke_destroy(lemke);
  thud_lemke_destroy(NULL);
}

/* B B' y = 0 has solutions y >= 0 when the rows of B are positively dependent; q.y < 0 then means that no z will do. */
static void rays_of_positive_semidefinite_problems_prove_infeasibility(void **state) {
  fixture *f = *state;
  thud_random random = thud_random_seed(39);
  thud_lemke *lemke = NULL;
  assert_int_equal(thud_lemke_create(f->context, 12, &lemke), THUD_OK);
  for (int round = 0; round < 1000; round++) {
    thud_index n = 3 + (thud_index)thud_random_below(&random, 10), rank = n / 2;
    double B[12 * 6], weights[12], M[144] = {0}, q[12], z[12], w[12], y[12], product = 0;
    for (thud_index i = 0; i < n; i++) weights[i] = thud_random_uniform(&random, 0.1, 1);
    for (thud_index k = 0; k < rank; k++) {
      B[(n - 1) * rank + k] = 0;
      for (thud_index i = 0; i + 1 < n; i++) {
        B[i * rank + k] = thud_random_normal(&random);
        B[(n - 1) * rank + k] -= weights[i] * B[i * rank + k] / weights[n - 1];
      }
    }
    for (thud_index i = 0; i < n; i++)
      for (thud_index j = 0; j < n; j++)
        for (thud_index k = 0; k < rank; k++) M[j * n + i] += B[i * rank + k] * B[j * rank + k];
    for (thud_index i = 0; i < n; i++) product += weights[i] * (q[i] = thud_random_normal(&random));
    if (product > 0)
      for (thud_index i = 0; i < n; i++) q[i] = -q[i];
    thud_lemke_task task = {.n = n, .M = M, .q = q, .max_pivots = 1000};
    thud_pivot_info info;
    assert_int_equal(thud_lemke_solve(lemke, &task, z, w, y, &info), THUD_OK);
    if (fabs(product) < 1e-6) continue; /* too close to feasible for this check */
    assert_int_equal(info.status, THUD_PIVOT_RAY);
    double work = 0, largest = 0;
    for (thud_index i = 0; i < n; i++) {
      double column = 0;
      for (thud_index j = 0; j < n; j++) column += M[i * n + j] * y[j];
      thud_assert_at_least(y[i], 0);
      thud_assert_at_most(column, 1e-9);
      work += q[i] * y[i];
      largest = fmax(largest, y[i]);
    }
    thud_assert_equal(largest, 1);
    thud_assert_less(work, 0);
  }
  thud_lemke_destroy(lemke);
}

static int stop_at_third(void *user) { return ++*(int *)user >= 3; }

static void lemke_stops_when_told_and_refuses_bad_tasks(void **state) {
  fixture *f = *state;
  enum { N = 10 };
  double M[N * N] = {0}, q[N], z[N] = {7}, w[N] = {7};
  for (int i = 0; i < N; i++) M[i * N + i] = 1, q[i] = -1 - i;
  thud_lemke *lemke = NULL;
  assert_int_equal(thud_lemke_create(f->context, 0, &lemke), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_lemke_create(NULL, 3, &lemke), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_lemke_create(f->context, 3, NULL), THUD_ERROR_ARGUMENT);
  assert_null(lemke);
  assert_int_equal(thud_lemke_create(f->context, N, &lemke), THUD_OK);
  int asked = 0;
  thud_pivot_info info = {.iterations = 77};
  thud_lemke_task task = {.n = N + 1, .M = M, .q = q, .max_pivots = 100, .stop = stop_at_third, .stop_user = &asked};
  assert_int_equal(thud_lemke_solve(lemke, &task, z, w, NULL, &info), THUD_ERROR_DIMENSION);
  task.n = N, task.max_pivots = 0;
  assert_int_equal(thud_lemke_solve(lemke, &task, z, w, NULL, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_lemke_solve(lemke, NULL, z, w, NULL, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_lemke_solve(NULL, &task, z, w, NULL, &info), THUD_ERROR_ARGUMENT);
  task.max_pivots = 100, task.n = 0;
  assert_int_equal(thud_lemke_solve(lemke, &task, z, w, NULL, &info), THUD_ERROR_ARGUMENT);
  thud_assert_equal(z[0], 7);
  thud_assert_equal(w[0], 7);
  thud_assert_equal(info.iterations, 77);
  thud_assert_equal(asked, 0);
  task.n = N;
  assert_int_equal(thud_lemke_solve(lemke, &task, z, w, NULL, &info), THUD_OK);
  thud_assert_equal(info.status, THUD_PIVOT_LIMIT);
  thud_assert_equal(asked, 3);
  thud_assert_equal(info.iterations, 3);
  task.stop = NULL; /* and the workspace is none the worse for it */
  assert_int_equal(thud_lemke_solve(lemke, &task, z, w, NULL, &info), THUD_OK);
  assert_int_equal(info.status, THUD_PIVOT_SOLVED);
  for (int i = 0; i < N; i++) {
    thud_assert_equal(z[i], 1 + i);
    thud_assert_equal(w[i], 0);
  }
  thud_lemke_destroy(lemke);
}

/* M = -I, q = (1, ..., 1): every z in {0, 1}^n solves. */
static void enumeration_finds_all_of_many_solutions(void **state) {
  fixture *f = *state;
  enum { N = 8 };
  double M[N * N] = {0}, q[N];
  for (int i = 0; i < N; i++) M[i * N + i] = -1, q[i] = 1;
  assert_int_equal(enumerate(f, N, M, q), 1 << N);
  for (unsigned set = 0; set < 1u << N; set++) {
    double z[N];
    for (int i = 0; i < N; i++) z[i] = (set >> i) & 1u;
    assert_true(found_near(f->found, z) || set == 0);
  }
  size_t count = 0;
  f->found->count = 0, f->found->stop_at = 5;
  assert_int_equal(thud_lcp_enumerate(f->context, N, M, q, 1e-10, collect, f->found, &count), THUD_OK);
  assert_int_equal(count, 5);
  /* Without a callback the solutions are only counted. */
  assert_int_equal(thud_lcp_enumerate(f->context, N, M, q, 1e-10, NULL, NULL, &count), THUD_OK);
  assert_int_equal(count, 1 << N);
}

static void enumeration_names_none_and_continua(void **state) {
  fixture *f = *state;
  found_list *found = f->found;
  assert_int_equal(enumerate(f, 1, (double[]){-1}, (double[]){-1}), 0);
  assert_int_equal(enumerate(f, 1, (double[]){0}, (double[]){-1}), 0);
  /* M = 0, q = 0: every z >= 0. */
  assert_int_equal(enumerate(f, 1, (double[]){0}, (double[]){0}), 1);
  assert_false(found->unique[0]);
  /* Beside it w_2 = z_2 + 1: z_1 >= 0 is free, z_2 = 0. */
  assert_int_equal(enumerate(f, 2, (double[]){0, 0, 0, 1}, (double[]){0, 1}), 1);
  assert_false(found->unique[0]);
  /* Two parallel supports of one load: z_1 + z_2 = 1, the ends from regular bases and a point in between. */
  assert_int_equal(enumerate(f, 2, (double[]){1, 1, 1, 1}, (double[]){-1, -1}), 3);
  for (size_t k = 0; k < 3; k++) assert_false(found->unique[k]);
  assert_true(found_near(found, (double[]){1, 0}) && found_near(found, (double[]){0, 1}));
  assert_true(found_near(found, (double[]){0.5, 0.5}));
  /* Painleve's kind: m = -1, q = 1 has z = 0 and z = 1; q = -1 none. */
  assert_int_equal(enumerate(f, 1, (double[]){-1}, (double[]){1}), 2);
  assert_true(found->unique[0] && found->unique[1]);
  /* A degenerate but isolated solution is given once: M = I, q = 0. */
  assert_int_equal(enumerate(f, 2, (double[]){1, 0, 0, 1}, (double[]){0, 0}), 1);
  assert_true(found->unique[0]);
  /* Singular basis {1,2} whose piece is one point: z_1 - z_2 = 0 and w = 0 there, rows [1 -1; -1 1], q = 0 gives the
   * half line z_1 = z_2, a continuum through 0. */
  assert_int_equal(enumerate(f, 2, (double[]){1, -1, -1, 1}, (double[]){0, 0}), 1);
  assert_false(found->unique[0]);
  /* [1 1; 1 1], q = 0: singular basis, only z = 0. */
  assert_int_equal(enumerate(f, 2, (double[]){1, 1, 1, 1}, (double[]){0, 0}), 1);
  assert_true(found->unique[0]);
}

/* Tiny and huge data: homogeneity (q -> cq scales the solutions). */
static void enumeration_is_homogeneous(void **state) {
  fixture *f = *state;
  thud_random random = thud_random_seed(35);
  for (int round = 0; round < 300; round++) {
    thud_index n = 1 + (thud_index)thud_random_below(&random, 5);
    double M[25], q[5], scale = pow(10, thud_random_uniform(&random, -12, 12));
    for (thud_index k = 0; k < n * n; k++) M[k] = (double)thud_random_below(&random, 3) - 1;
    for (thud_index i = 0; i < n; i++) q[i] = (double)thud_random_below(&random, 3) - 1;
    size_t count = enumerate(f, n, M, q);
    for (thud_index i = 0; i < n; i++) q[i] *= scale;
    assert_int_equal(enumerate(f, n, M, q), count);
  }
}

/* Random integer matrices, many of them singular: Lemke's solution is among the enumerated ones or in a continuum. */
static void lemke_finds_one_of_the_enumerated_solutions(void **state) {
  fixture *f = *state;
  thud_random random = thud_random_seed(36);
  int solved = 0, rays = 0;
  for (int round = 0; round < 3000; round++) {
    thud_index n = 1 + (thud_index)thud_random_below(&random, 5);
    double M[25], q[5], z[5], w[5];
    for (thud_index k = 0; k < n * n; k++) M[k] = (double)thud_random_below(&random, 5) - 2;
    for (thud_index i = 0; i < n; i++) q[i] = (double)thud_random_below(&random, 5) - 2;
    size_t count = enumerate(f, n, M, q);
    bool continuum = false;
    for (size_t k = 0; k < count; k++) continuum = continuum || !f->found->unique[k];
    for (size_t k = 0; k < count; k++)
      for (size_t l = 0; l < k; l++) /* no repeats */
        assert_memory_not_equal(f->found->z[k], f->found->z[l], (size_t)n * sizeof(double));
    thud_pivot_info info;
    assert_int_equal(thud_lcp_lemke(f->context, n, M, q, 1000, z, w, &info), THUD_OK);
    assert_int_not_equal(info.status, THUD_PIVOT_LIMIT);
    if (info.status == THUD_PIVOT_RAY) rays++;
    if (info.status != THUD_PIVOT_SOLVED) continue;
    solved++;
    thud_assert_at_most(lcp_defect(n, M, q, z, w), 1e-12);
    assert_true(continuum || found_near(f->found, z));
  }
  thud_assert_greater(solved, 300);
  thud_assert_greater(rays, 300);
}

static void sixteen_unknowns_are_enumerated(void **state) {
  fixture *f = *state;
  thud_random random = thud_random_seed(37);
  double M[256], q[16], z[16], w[16];
  random_positive_matrix(&random, 16, 16, 1, 0.1, M);
  for (int i = 0; i < 16; i++) q[i] = thud_random_normal(&random);
  assert_int_equal(thud_lcp_lemke(f->context, 16, M, q, 1000, z, w, NULL), THUD_OK);
  assert_int_equal(enumerate(f, 16, M, q), 1);
  assert_true(found_near(f->found, z));
}

static void bad_arguments_are_refused(void **state) {
  fixture *f = *state;
  thud_context *c = f->context;
  double M[4] = {1, 0, 0, 1}, q[2] = {-1, -1}, z[2] = {7, 7}, w[2] = {8, 8}, big[441] = {0};
  size_t count = 99;
  thud_pivot_info info = {.iterations = 77};
  assert_int_equal(thud_lcp_lemke(NULL, 2, M, q, 9, z, w, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_lcp_lemke(c, 0, M, q, 9, z, w, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_lcp_lemke(c, -3, M, q, 9, z, w, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_lcp_lemke(c, 2, NULL, q, 9, z, w, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_lcp_lemke(c, 2, M, NULL, 9, z, w, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_lcp_lemke(c, 2, M, q, 0, z, w, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_lcp_lemke(c, 2, M, q, 9, NULL, w, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_lcp_lemke(c, 2, M, q, 9, z, NULL, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_lcp_enumerate(NULL, 2, M, q, 1e-10, NULL, NULL, &count), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_lcp_enumerate(c, 0, M, q, 1e-10, NULL, NULL, &count), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_lcp_enumerate(c, -1, M, q, 1e-10, NULL, NULL, &count), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_lcp_enumerate(c, 21, big, big, 1e-10, NULL, NULL, &count), THUD_ERROR_UNSUPPORTED);
  assert_int_equal(thud_lcp_enumerate(c, 2, M, q, 0, NULL, NULL, &count), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_lcp_enumerate(c, 2, M, q, (double)NAN, NULL, NULL, &count), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_lcp_enumerate(c, 2, NULL, q, 1e-10, NULL, NULL, &count), THUD_ERROR_ARGUMENT);
  M[2] = NAN;
  assert_int_equal(thud_lcp_lemke(c, 2, M, q, 9, z, w, &info), THUD_ERROR_NOT_FINITE);
  assert_non_null(strstr(thud_context_last_message(c), "Lemke: M, row 0, column 1 is nan"));
  assert_int_equal(thud_lcp_enumerate(c, 2, M, q, 1e-10, NULL, NULL, &count), THUD_ERROR_NOT_FINITE);
  M[2] = 0, q[1] = INFINITY;
  assert_int_equal(thud_lcp_lemke(c, 2, M, q, 9, z, w, &info), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_lcp_enumerate(c, 2, M, q, 1e-10, NULL, NULL, &count), THUD_ERROR_NOT_FINITE);
  thud_assert_equal(z[0], 7);
  thud_assert_equal(w[0], 8);
  thud_assert_equal(info.iterations, 77);
  thud_assert_equal(count, 99);
}

static thud_error lemke_run(thud_context *context, void *user) {
  (void)user;
  double M[20 * 20] = {0}, q[20], z[20] = {7}, w[20] = {7};
  for (int i = 0; i < 20; i++) M[i * 20 + i] = 2, q[i] = -1;
  thud_error error = thud_lcp_lemke(context, 20, M, q, 100, z, w, NULL);
  assert_true(error == THUD_OK ? z[0] == 0.5 : z[0] == 7 && w[0] == 7);
  return error;
}

static thud_error enumerate_run(thud_context *context, void *user) {
  (void)user;
  double M[16] = {-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1}, q[4] = {1, 1, -1, -1};
  size_t count = 99;
  thud_error error = thud_lcp_enumerate(context, 4, M, q, 1e-10, NULL, NULL, &count);
  assert_int_equal(count, error == THUD_OK ? 12 : 99);
  return error;
}

static void failed_allocations_leak_nothing(void **state) {
  (void)state;
  thud_assert_at_least(thud_test_sweep_allocations(lemke_run, NULL), 11);
  thud_assert_at_least(thud_test_sweep_allocations(enumerate_run, NULL), 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lemke_and_enumeration_agree_on_p_matrices),
      cmocka_unit_test(lemke_ignores_row_and_column_scales),
      cmocka_unit_test(lemke_solves_feasible_copositive_plus_problems),
      cmocka_unit_test(lemke_does_not_cycle_on_degenerate_tables),
      cmocka_unit_test(lemke_solves_larger_problems),
      cmocka_unit_test(lemke_reports_rays_and_limits),
      cmocka_unit_test(a_kept_workspace_gives_the_same_bits_without_allocating),
      cmocka_unit_test(rays_of_positive_semidefinite_problems_prove_infeasibility),
      cmocka_unit_test(lemke_stops_when_told_and_refuses_bad_tasks),
      cmocka_unit_test(enumeration_finds_all_of_many_solutions),
      cmocka_unit_test(enumeration_names_none_and_continua),
      cmocka_unit_test(enumeration_is_homogeneous),
      cmocka_unit_test(lemke_finds_one_of_the_enumerated_solutions),
      cmocka_unit_test(sixteen_unknowns_are_enumerated),
      cmocka_unit_test(bad_arguments_are_refused),
      cmocka_unit_test(failed_allocations_leak_nothing),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
