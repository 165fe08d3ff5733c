/* Solvers on problem files: one CSV line per file, method and tolerance, with the least processor time of several runs
 * of update + solve from r = 0, and the residual by the independent evaluation.
 * Usage: bench_problems [-m METHOD,...] [-t TOL,...] [-s SECONDS per solve] [-k RUNS] FILE... */
#include "thud/problem.h"
#include "thud/solve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void stop_on(thud_context *context, thud_error error) {
  if (error == THUD_OK) return;
  fprintf(stderr, "bench-problems: %s\n", thud_context_last_message(context));
  exit(3);
}

/* Seconds of this process on its processors: what counts on one thread of a machine that others use too. */
static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct bench_options {
  const char *methods, *tolerances; /* comma-separated; methods NULL: all */
  double seconds;
  int runs;
} bench_options;

static bool listed(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = list; at != NULL; at = strchr(at, ',')) {
    at += *at == ',';
    if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == 0)) return true;
  }
  return list == NULL;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

static void run(thud_context *context, const thud_contact_problem *problem, const thud_solver_method *method,
                double tolerance, const bench_options *bench, const char *file) {
  static const char *const words[] = {"solved", "stalled", "limit", "time", "infeasible", "breakdown"};
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = tolerance;
  options.max_seconds = bench->seconds;
  options.max_iterations = 1000000;
  thud_solver *solver = NULL;
  thud_error error = thud_solver_create(context, method, problem, &options, &solver);
  if (error != THUD_OK) {
    printf("%s,%s,%g,error,,,,\n", file, thud_solver_method_name(method), tolerance);
    return;
  }
  size_t size = thud_contact_size(problem);
  double *r = calloc(size + 1, sizeof *r), best = INFINITY, total = 0, best_update = 0;
  if (r == NULL) exit(3);
  thud_solver_info info;
  for (int k = 0; k < bench->runs && total < bench->seconds; k++) {
    memset(r, 0, size * sizeof *r);
    double started = cpu_seconds();
    stop_on(context, thud_solver_update(solver, problem));
    double updated = cpu_seconds();
    stop_on(context, thud_solver_solve(solver, r, NULL, NULL, NULL, &info));
    double spent = cpu_seconds() - started;
    if (spent < best) best_update = updated - started;
    best = fmin(best, spent);
    total += spent;
  }
  printf("%s,%s,%g,%s,%d,%.2e,%.4g,%.4g\n", file, thud_solver_method_name(method), tolerance, words[info.status],
         info.iterations, info.residual.residual, 1e3 * best, 1e3 * best_update);
  fflush(stdout);
  free(r);
  thud_solver_destroy(solver);
}

static void run_file(thud_context *context, const char *path, const bench_options *bench) {
  thud_problem_file *file;
  stop_on(context, thud_problem_read(context, path, NULL, &file));
  const thud_contact_problem *problem = thud_problem_file_contents(file).problem;
  for (const char *at = bench->tolerances; *at != 0;) {
    char *end;
    double tolerance = strtod(at, &end);
    for (size_t m = 0; m < thud_solver_method_count(); m++) {
      const thud_solver_method *method = thud_solver_method_at(m);
      if (listed(bench->methods, thud_solver_method_name(method)) && thud_solver_method_takes(method, problem))
        run(context, problem, method, tolerance, bench, base_name(path));
    }
    at = *end == ',' ? end + 1 : end + strlen(end);
  }
  thud_problem_file_destroy(file);
}

int main(int argc, char **argv) {
  bench_options bench = {.tolerances = "1e-4,1e-8", .seconds = 5, .runs = 20};
  for (int option; (option = getopt(argc, argv, "m:t:s:k:")) != -1;) {
    if (option == 'm') bench.methods = optarg;
    if (option == 't') bench.tolerances = optarg;
    if (option == 's') bench.seconds = atof(optarg);
    if (option == 'k') bench.runs = atoi(optarg);
    if (option == '?') return 2;
  }
  thud_context_options options = thud_context_options_default();
  options.threads = 1;
  thud_context *context;
  if (thud_context_create(&options, &context) != THUD_OK) return 3;
  printf("file,method,tolerance,status,iterations,residual,milliseconds,milliseconds_of_update\n");
  for (int k = optind; k < argc; k++) run_file(context, argv[k], &bench);
  thud_context_destroy(context);
  return 0;
}
