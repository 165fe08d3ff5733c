/* Gauss-Seidel sweeps on the two-block form: time and bytes per contact visit, share of the memory bandwidth (measured
 * by a triad in the same run), time of an update per contact, residual reached, and how contacts are visited. Rows on
 * one thread give processor time, the others wall time, and how many times faster than one thread they are. Beside
 * them Siconos' NSGS on the same problems when it was found. Prints CSV; the residual is that after the number of
 * sweeps in the row. Usage: bench_sweep [seconds per row] [side...] */
#include "random_problems.h"
#include "siconos_nsgs.h"
#include "solve/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void stop_on(thud_context *context, thud_error error) {
  if (error == THUD_OK) return;
  fprintf(stderr, "bench-sweep: %s\n", thud_context_last_message(context));
  exit(3);
}

static double *doubles(size_t n) {
  double *x = calloc(n, sizeof *x);
  if (x == NULL) {
    fprintf(stderr, "bench-sweep: out of memory\n");
    exit(3);
  }
  return x;
}

/* Seconds of this process on its processors: what counts on one thread of a machine that others use too. */
static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Bytes per second of a[i] = b[i] + s c[i] on arrays far larger than the caches; 24 bytes per element, the best of
 * several passes. */
static double triad_bandwidth(void) {
  enum { LENGTH = 8 * 1024 * 1024, PASSES = 8 };
  double *a = doubles(LENGTH), *b = doubles(LENGTH), *c = doubles(LENGTH), best = 0;
  for (size_t i = 0; i < LENGTH; i++) b[i] = c[i] = (double)i;
  for (int pass = 0; pass < PASSES; pass++) {
    double started = cpu_seconds();
    for (size_t i = 0; i < LENGTH; i++) a[i] = b[i] + 0.5 * c[i];
    double rate = 24.0 * LENGTH / (cpu_seconds() - started);
    if (rate > best) best = rate;
    b[(size_t)pass] = a[(size_t)pass]; /* the loop has a use */
  }
  free(a);
  free(b);
  free(c);
  return best;
}

typedef struct bench_row {
  const char *solver;
  thud_index side, contacts;
  int threads, sweeps;
  const char *path;
  double nanoseconds, update, bytes, residual, speedup; /* 0: not measured */
} bench_row;

/* A number, or an empty field where there is none. */
static void print_field(const char *format, double value) {
  if (value > 0) printf(format, value);
  putchar(',');
}

static void print_row(const bench_row *row, double bandwidth) {
  printf("%s,%d,%d,%d,%d,%.1f,", row->solver, (int)row->side, (int)row->contacts, row->threads, row->sweeps,
         row->nanoseconds);
  print_field("%.0f", row->bytes);
  print_field("%.2f", row->bytes / row->nanoseconds);
  print_field("%.0f", 100 * row->bytes / row->nanoseconds * 1e9 / bandwidth);
  printf("%.2e,", row->residual);
  print_field("%.1f", row->update);
  print_field("%.2f", row->speedup);
  printf("%s\n", row->path != NULL ? row->path : "");
  fflush(stdout);
}

static double residual_of(thud_context *context, const thud_contact_problem *problem, const double *r) {
  thud_contact_residual residual;
  stop_on(context, thud_contact_evaluate(context, problem, r, NULL, NULL, NULL, &residual));
  return residual.residual;
}

enum { BATCH_VISITS = 20000 }; /* visits per measured batch, at least: long against the clock, short against noise */

enum { FIRST_SWEEPS = 50 }; /* sweeps after which the residual is taken, for every solver */

typedef struct bench_sweeps {
  const char *name;
  thud_two_block_choice choice;
  bool on_two_threads; /* as well */
} bench_sweeps;

/* Processor time of an update, the best of some: what every time step pays. */
static double time_update(thud_context *context, thud_two_block_sweep *sweep, const thud_contact_problem *problem) {
  enum { UPDATES = 5 };
  double best = 1e300;
  int batch = 1 + BATCH_VISITS / problem->contacts;
  for (int k = 0; k < UPDATES; k++) {
    double started = cpu_seconds();
    for (int i = 0; i < batch; i++) stop_on(context, thud_two_block_sweep_update(sweep, problem, true));
    double spent = (cpu_seconds() - started) / batch;
    if (spent < best) best = spent;
  }
  return 1e9 * best / problem->contacts;
}

/* Sweeps from r = 0; the residual is that after FIRST_SWEEPS, the time that of the best batch within the seconds that
 * follow. */
static bench_row time_sweeps(thud_context *context, const thud_contact_problem *problem, const bench_sweeps *how,
                             double seconds) {
  thud_two_block_sweep *sweep;
  thud_gauss_seidel_options options = {.local_solver = how->choice.local_solver, .relaxation = 1};
  double *r = doubles(thud_contact_size(problem));
  stop_on(context, thud_two_block_sweep_create(context, problem, &sweep));
  thud_two_block_sweep_choose(sweep, &how->choice);
  bench_row row = {.solver = how->name, .contacts = problem->contacts, .threads = thud_context_threads(context)};
  row.update = time_update(context, sweep, problem);
  thud_two_block_sweep_load(sweep, r, NULL);
  double (*clock)(void) = row.threads == 1 ? cpu_seconds : thud_seconds;
  double begun, best = 1e300;
  int batch = 1 + BATCH_VISITS / problem->contacts;
  for (; row.sweeps < FIRST_SWEEPS; row.sweeps++) thud_two_block_sweep_run(sweep, &options);
  thud_two_block_sweep_store(sweep, r, NULL);
  row.residual = residual_of(context, problem, r);
  begun = thud_seconds();
  while (thud_seconds() - begun < seconds) {
    double started = clock();
    for (int k = 0; k < batch; k++) thud_two_block_sweep_run(sweep, &options);
    double spent = (clock() - started) / batch;
    if (spent < best) best = spent;
  }
  row.nanoseconds = 1e9 * best / problem->contacts;
  row.bytes = (double)thud_two_block_sweep_bytes(sweep);
  row.path = thud_two_block_sweep_path(sweep);
  thud_two_block_sweep_destroy(sweep);
  free(r);
  return row;
}

static void run_siconos(thud_context *context, const thud_contact_problem *problem, thud_index side, double bandwidth) {
  static const struct {
    const char *name;
    bench_siconos_local local;
  } solvers[] = {{"siconos-nsgs-newton", BENCH_SICONOS_NEWTON}, {"siconos-nsgs-projection", BENCH_SICONOS_PROJECTION}};
  thud_owned_problem *owned;
  double *r = doubles(thud_contact_size(problem));
  stop_on(context, thud_contact_to_local(context, problem, THUD_MATRIX_BLOCKS, &owned));
  for (size_t k = 0; k < 2; k++) {
    bench_row row = {.solver = solvers[k].name, .side = side, .contacts = problem->contacts, .threads = 1};
    row.sweeps = FIRST_SWEEPS;
    double spent = bench_siconos_nsgs(thud_owned_problem_view(owned), solvers[k].local, row.sweeps, r);
    if (spent < 0) break;
    row.nanoseconds = 1e9 * spent / ((double)row.sweeps * problem->contacts);
    row.residual = residual_of(context, problem, r);
    print_row(&row, bandwidth);
  }
  thud_owned_problem_destroy(owned);
  free(r);
}

static const bench_sweeps all_sweeps[] = {
    {.name = "thud-exact", .on_two_threads = true},
    {.name = "thud-exact-no-avx2", .choice = {.plain = true}},
    {.name = "thud-exact-general", .choice = {.general = true}},
    {.name = "thud-exact-one-by-one", .choice = {.one_by_one = true}},
    {.name = "thud-projection", .choice = {.local_solver = THUD_LOCAL_PROJECTION}},
};
enum { SWEEPS = sizeof all_sweeps / sizeof *all_sweeps };

static void run_pile(thud_index side, double seconds, double bandwidth) {
  double alone[SWEEPS] = {0};
  for (int threads = 1; threads <= 2; threads++) {
    thud_context_options options = thud_context_options_default();
    options.threads = threads;
    thud_context *context;
    if (thud_context_create(&options, &context) != THUD_OK) exit(3);
    thud_random random = thud_random_seed(7);
    thud_test_pile pile = {
        .nx = side, .ny = side, .nz = side, .dimension = 3, .mu = 0.3, .mass_ratio = 1, .noise = 0.02};
    thud_test_problem made;
    stop_on(context, thud_test_pile_of_spheres(context, &random, &pile, &made));
    for (size_t k = 0; k < SWEEPS; k++) {
      if (threads > 1 && !all_sweeps[k].on_two_threads) continue;
      bench_row row = time_sweeps(context, made.problem, &all_sweeps[k], seconds);
      row.side = side;
      if (threads == 1) alone[k] = row.nanoseconds;
      if (threads > 1) row.speedup = alone[k] / row.nanoseconds;
      print_row(&row, bandwidth);
    }
    if (threads == 1 && side <= 20) run_siconos(context, made.problem, side, bandwidth);
    thud_test_problem_destroy(&made);
    thud_context_destroy(context);
  }
}

int main(int argc, char **argv) {
  static const thud_index sides[] = {4, 10, 20, 32, 40};
  double seconds = argc > 1 ? atof(argv[1]) : 1;
  double bandwidth = triad_bandwidth();
  printf("# triad on one thread: %.2f GB/s\n", bandwidth * 1e-9);
  printf("solver,side,contacts,threads,sweeps,ns_per_visit,bytes_per_visit,GB_per_s,percent_of_triad,residual,"
         "update_ns_per_contact,times_one_thread,visits\n");
  for (int k = 2; k < argc; k++) run_pile(atoi(argv[k]), seconds, bandwidth);
  for (size_t k = 0; argc <= 2 && k < sizeof sides / sizeof *sides; k++) run_pile(sides[k], seconds, bandwidth);
  return 0;
}
