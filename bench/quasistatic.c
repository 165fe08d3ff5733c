/* Quasi-static motions: 100,000 increments of a system with one contact (plane and space, by both methods), and
 * increments of an elastic slab on 1000 contacts (linear triangles, plane strain, 1e5 unknowns).
 *   columns: name, unknowns, contacts, increments, seconds of the set-up, microseconds per increment, of it in solves with K,
 *   of it in contact problems, those of one pair of triangular solves, residual (worst), energy defect. Least of several runs; nothing is written out while a motion runs. */
#include "column.h"
#include "elastic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 5 };

static void stop_on(thud_context *context, thud_error error) {
  if (error == THUD_OK) return;
  fprintf(stderr, "bench-quasistatic: %s\n", thud_context_last_message(context));
  exit(3);
}

/* ---- one contact ------------------------------------------------------------------------------------------------- */

static void load_plane(double t, double *F) { F[0] = 2, F[1] = 1.5 * sin(t); }
static void load_space(double t, double *F) { F[0] = 2, F[1] = 1.2 * sin(t), F[2] = 1.2 * cos(1.3 * t); }

static void run_small(thud_context *context, const char *name, const elastic_case *given) {
  double best = INFINITY, setup = INFINITY;
  thud_quasistatic_motion_info info = {0};
  thud_quasistatic_ledger ledger = {0};
  for (int k = 0; k < RUNS; k++) {
    elastic_made made;
    double begin = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    stop_on(context, elastic_make(context, given, &made));
    double middle = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    stop_on(context, thud_motion_run(made.motion, NULL, NULL));
    best = fmin(best, bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - middle);
    setup = fmin(setup, middle - begin);
    info = thud_quasistatic_motion_get_info(made.motion);
    ledger = thud_quasistatic_motion_present(made.motion).ledger;
    elastic_end(&made);
  }
  printf("%s,%d,%d,%zu,%.3g,%.4g,,,,%.2g,%.2g\n", name, given->contacts * given->dimension, given->contacts, info.steps,
         setup, 1e6 * best / (double)info.steps, info.worst_residual, ledger.defect);
}

/* ---- the slab ------------------------------------------------------------------------------------------------------ */

typedef struct slab {
  thud_index wide, high, n;
  thud_sparse K, H;
  double *gap, *mu, *factor_x, *factor_y;
  thud_regulated load;
} slab;

/* Two linear triangles per square of side 1, lambda = shear modulus = 1: K_e = area B' C B. */
static void add_triangle(const thud_index *node, const double x[3], const double y[3], thud_index *row,
                         thud_index *column, double *value, size_t *count) {
  const double C[9] = {3, 1, 0, 1, 3, 0, 0, 0, 1};
  double area = ((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])) / 2, B[3][6] = {{0}};
  for (int a = 0; a < 3; a++) {
    double dx = (y[(a + 1) % 3] - y[(a + 2) % 3]) / (2 * area), dy = (x[(a + 2) % 3] - x[(a + 1) % 3]) / (2 * area);
    B[0][2 * a] = dx, B[1][2 * a + 1] = dy, B[2][2 * a] = dy, B[2][2 * a + 1] = dx;
  }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      double sum = 0;
      for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) sum += B[p][i] * C[p + 3 * q] * B[q][j];
      row[*count] = 2 * node[i / 2] + i % 2, column[*count] = 2 * node[j / 2] + j % 2, value[(*count)++] = area * sum;
    }
}

static int load_slab(void *user, double t, thud_side side, double *F) {
  const slab *made = user;
  (void)side;
  memset(F, 0, (size_t)made->n * sizeof *F);
  for (thud_index i = 0; i < made->wide; i++) {
    thud_index top = i + (made->high - 1) * made->wide;
    F[2 * top] = 0.3 * sin(t) * (1 + 0.5 * sin(0.02 * i));
    F[2 * top + 1] = -1 - 0.5 * cos(0.013 * i);
  }
  return 0;
}

static void make_slab(thud_context *context, thud_index wide, thud_index high, slab *made) {
  size_t nodes = (size_t)wide * (size_t)high, most = 72 * nodes + 4 * (size_t)wide, count = 0;
  thud_index *row = malloc(most * sizeof *row), *column = malloc(most * sizeof *column);
  double *value = malloc(most * sizeof *value);
  if (row == NULL || column == NULL || value == NULL) exit(3);
  *made = (slab){.wide = wide, .high = high, .n = (thud_index)(2 * nodes)};
  for (thud_index j = 0; j + 1 < high; j++)
    for (thud_index i = 0; i + 1 < wide; i++) {
      thud_index a = i + j * wide, square[4] = {a, a + 1, a + wide, a + wide + 1};
      add_triangle((thud_index[]){square[0], square[1], square[3]}, (double[]){0, 1, 1}, (double[]){0, 0, 1}, row,
                   column, value, &count);
      add_triangle((thud_index[]){square[0], square[3], square[2]}, (double[]){0, 1, 0}, (double[]){0, 1, 1}, row,
                   column, value, &count);
    }
  for (thud_index i = 0; i < 2 * wide; i++) { /* the top hangs on soft springs */
    thud_index unknown = 2 * (high - 1) * wide + i;
    row[count] = column[count] = unknown, value[count++] = 0.05;
  }
  stop_on(context, thud_sparse_from_triplets(context, made->n, made->n, count, row, column, value, &made->K));
  for (thud_index i = 0; i < wide; i++) {
    row[2 * i] = 2 * i + 1, column[2 * i] = 2 * i, value[2 * i] = 1;
    row[2 * i + 1] = 2 * i, column[2 * i + 1] = 2 * i + 1, value[2 * i + 1] = 1;
  }
  stop_on(context,
          thud_sparse_from_triplets(context, made->n, 2 * wide, 2 * (size_t)wide, row, column, value, &made->H));
  made->gap = calloc((size_t)wide, sizeof *made->gap);
  made->mu = calloc((size_t)wide, sizeof *made->mu);
  if (made->gap == NULL || made->mu == NULL) exit(3);
  for (thud_index i = 0; i < wide; i++) made->mu[i] = 0.3;
  made->load = (thud_regulated){.dimension = made->n, .evaluate = load_slab, .user = made};
  free(row), free(column), free(value);
}

/* Seconds of one pair of triangular solves. */
static double time_solves(thud_context *context, const slab *made) {
  thud_factor *factor;
  double *x = calloc((size_t)made->n, sizeof *x), best = INFINITY;
  if (x == NULL) exit(3);
  stop_on(context, thud_factor_create(context, &made->K, THUD_FACTOR_CHOLESKY, &factor));
  stop_on(context, thud_factor_factorize(factor, &made->K, NULL));
  for (int k = 0; k < RUNS; k++) {
    x[0] = 1;
    double begin = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    stop_on(context, thud_factor_solve(factor, 0, x, x, NULL));
    best = fmin(best, bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - begin);
  }
  thud_factor_destroy(factor);
  free(x);
  return best;
}

static void run_slab(thud_context *context, thud_index wide, thud_index high, thud_index steps) {
  slab made;
  make_slab(context, wide, high, &made);
  const thud_quasistatic_problem problem = {
      .unknowns = made.n,
      .contacts = wide,
      .dimension = 2,
      .K = {.storage = THUD_MATRIX_SPARSE, .rows = made.n, .columns = made.n, .sparse = made.K},
      .H = made.H,
      .gap = made.gap,
      .mu = made.mu,
      .load = &made.load};
  thud_quasistatic_options options = thud_quasistatic_options_default();
  thud_partition *partition;
  thud_motion *motion;
  options.tolerance = 1e-8;
  stop_on(context, thud_partition_uniform(context, 0, 6.283185307179586, steps, 0, NULL, &partition));
  double begin = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
  stop_on(context,
          thud_quasistatic_motion_create(context, THUD_QUASISTATIC_INCREMENTS, &problem, partition, &options, &motion));
  double middle = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
  const thud_quasistatic_motion_info before = thud_quasistatic_motion_get_info(motion);
  stop_on(context, thud_motion_run(motion, NULL, NULL));
  double end = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
  const thud_quasistatic_motion_info info = thud_quasistatic_motion_get_info(motion);
  if (info.status != THUD_MOTION_COMPLETED) fprintf(stderr, "%s\n", thud_context_last_message(context));
  const double steps_done = (double)info.steps;
  printf("slab,%d,%d,%zu,%.3g,%.4g,%.4g,%.4g,%.4g,%.2g,%.2g\n", (int)made.n, (int)wide, info.steps, middle - begin,
         1e6 * (end - middle) / steps_done, 1e6 * (info.linear_seconds - before.linear_seconds) / steps_done,
         1e6 * (info.contact_seconds - before.contact_seconds) / steps_done, 1e6 * time_solves(context, &made),
         info.worst_residual, thud_quasistatic_motion_present(motion).ledger.defect);
  thud_motion_destroy(motion);
  thud_partition_destroy(partition);
  thud_sparse_destroy(context, &made.K);
  thud_sparse_destroy(context, &made.H);
  free(made.gap), free(made.mu);
}

int main(int argc, char **argv) {
  (void)argv;
  const elastic_case plane = {.contacts = 1,
                              .dimension = 2,
                              .K = {1, .5, .5, 1},
                              .mu = .5,
                              .load = load_plane,
                              .initial = NULL,
                              .end = 100,
                              .steps = 100000,
                              .method = THUD_QUASISTATIC_INCREMENTS};
  const elastic_case space = {.contacts = 1,
                              .dimension = 3,
                              .K = {2, .3, .1, .3, 1, .2, .1, .2, 1.5},
                              .mu = .5,
                              .load = load_space,
                              .initial = NULL,
                              .end = 100,
                              .steps = 100000,
                              .method = THUD_QUASISTATIC_INCREMENTS};
  elastic_case events = plane;
  thud_context *context;
  events.method = THUD_QUASISTATIC_EVENTS;
  if (thud_context_create(NULL, &context) != THUD_OK) return 3;
  printf("name,unknowns,contacts,increments,setup_s,increment_us,linear_us,contact_us,solve_us,residual,defect\n");
  run_small(context, "one contact in the plane", &plane);
  run_small(context, "one contact in the plane by events", &events);
  run_small(context, "one contact in space", &space);
  if (argc > 1) return 0; /* any argument: the small ones only */
  run_slab(context, 200, 50, 40);
  run_slab(context, 1000, 50, 40);
  thud_context_destroy(context);
  return 0;
}
