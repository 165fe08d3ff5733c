/* Cold starts on cubes of spheres (two-block form, friction 0.3): iterations and processor time against the number of
 * contacts, by method, and at the end, as comments, the exponent p of iterations ~ contacts^p fitted to each method's
 * solved rows. CSV on standard output.
 * Usage: bench_large [-m METHOD,...] [-n SIDE,...] [-t TOLERANCE] [-s PROCESSOR SECONDS per solve] [-T THREADS] */
#include "random_problems.h"
#include "thud/solve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ITERATIONS = 1000000 };

typedef struct bench_options {
  const char *methods, *sides;
  double tolerance, seconds;
  int threads;
} bench_options;

/* Sums of a least-squares line through the logarithms of a method's rows. */
typedef struct fit {
  int count;
  double x, y, xx, xy;
} fit;

static void stop_on(thud_context *context, thud_error error) {
  if (error == THUD_OK) return;
  fprintf(stderr, "bench-large: %s\n", thud_context_last_message(context));
  exit(3);
}

/* Seconds of this process on its processors: what counts on one thread of a machine that others use too. */
static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void add_point(fit *line, double contacts, double iterations) {
  double x = log(contacts), y = log(iterations);
  line->count++;
  line->x += x, line->y += y, line->xx += x * x, line->xy += x * y;
}

static double slope(const fit *line) {
  double n = line->count;
  return (n * line->xy - line->x * line->y) / (n * line->xx - line->x * line->x);
}

static const char *word_of(thud_solver_status status) {
  switch (status) {
  case THUD_SOLVED: return "solved";
  case THUD_SOLVER_STALLED: return "stalled";
  case THUD_SOLVER_LIMIT: return "limit";
  case THUD_SOLVER_INTERRUPTED: return "time";
  default: return "failed";
  }
}

/* Ends a solve by processor time: other work on the machine does not count. */
static int is_past(void *user, int iterations, double residual) {
  const double *end = user;
  (void)iterations, (void)residual;
  return cpu_seconds() > *end;
}

static void run(thud_context *context, const thud_contact_problem *problem, const thud_solver_method *method,
                thud_index side, const bench_options *bench, fit *line) {
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = bench->tolerance;
  options.max_iterations = MOST_ITERATIONS;
  thud_solver *solver = NULL;
  thud_solver_info info;
  double end = INFINITY;
  options.progress = is_past;
  options.progress_user = &end;
  double *r = calloc(thud_contact_size(problem), sizeof *r), started = cpu_seconds();
  if (r == NULL) exit(3);
  stop_on(context, thud_solver_create(context, method, problem, &options, &solver));
  double made = cpu_seconds() - started;
  started = cpu_seconds();
  end = started + bench->seconds * bench->threads;
  stop_on(context, thud_solver_solve(solver, r, NULL, NULL, NULL, &info));
  printf("%d,%d,%s,%s,%d,%.2f,%.2f,%.2e\n", (int)side, (int)problem->contacts, thud_solver_method_name(method),
         word_of(info.status), info.iterations, made, cpu_seconds() - started, info.residual.residual);
  fflush(stdout);
  if (info.status == THUD_SOLVED) add_point(line, problem->contacts, info.iterations);
  thud_solver_destroy(solver);
  free(r);
}

/* One side after the other; true when the method solved it, so that the next one is worth a try. */
static bool run_side(thud_context *context, const thud_solver_method *method, thud_index side,
                     const bench_options *bench, fit *line) {
  thud_random random = thud_random_seed(7);
  const thud_test_pile pile = {
      .nx = side, .ny = side, .nz = side, .dimension = 3, .mu = 0.3, .mass_ratio = 1, .noise = 0.02};
  thud_test_problem made;
  int before = line->count;
  stop_on(context, thud_test_pile_of_spheres(context, &random, &pile, &made));
  run(context, made.problem, method, side, bench, line);
  thud_test_problem_destroy(&made);
  return line->count > before;
}

static void run_method(thud_context *context, const char *name, const bench_options *bench) {
  const thud_solver_method *method = thud_solver_method_find(name);
  fit line = {0};
  if (method == NULL) {
    fprintf(stderr, "bench-large: there is no method '%s'\n", name);
    exit(2);
  }
  for (const char *at = bench->sides; *at != 0;) {
    char *end;
    long side = strtol(at, &end, 10);
    if (end == at || side < 1) exit(2);
    if (!run_side(context, method, (thud_index)side, bench, &line)) break;
    at = *end == ',' ? end + 1 : end;
  }
  if (line.count > 1) printf("# %s: iterations ~ contacts^%.2f\n", name, slope(&line));
  fflush(stdout);
}

int main(int argc, char **argv) {
  bench_options bench = {.methods = "gauss-seidel,anderson,accelerated,admm,newton-krylov",
                         .sides = "6,10,16,24,32,46",
                         .tolerance = 1e-4,
                         .seconds = 300,
                         .threads = 1};
  for (int option; (option = getopt(argc, argv, "m:n:t:s:T:")) != -1;) {
    if (option == 'm') bench.methods = optarg;
    if (option == 'n') bench.sides = optarg;
    if (option == 't') bench.tolerance = atof(optarg);
    if (option == 's') bench.seconds = atof(optarg);
    if (option == 'T') bench.threads = atoi(optarg);
    if (option == '?') return 2;
  }
  thud_context_options options = thud_context_options_default();
  options.threads = bench.threads;
  thud_context *context;
  if (thud_context_create(&options, &context) != THUD_OK) return 3;
  printf("side,contacts,method,status,iterations,seconds_of_create,seconds_of_solve,residual\n");
  for (const char *at = bench.methods; *at != 0;) {
    char name[64];
    size_t length = strcspn(at, ",");
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    run_method(context, name, &bench);
    at += at[length] == ',' ? length + 1 : length;
  }
  thud_context_destroy(context);
  return 0;
}
