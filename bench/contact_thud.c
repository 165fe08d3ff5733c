/* thud's methods as solvers of the benchmark. */
#include "contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_RUNS = 3 };           /* runs in which create + solve is measured too */
enum { ITERATIONS_MAX = 1000000 }; /* the time limit comes first */
enum { CLOCK_FACTOR = 5 };         /* thud's limit is one of the clock: others use the processors too */

typedef struct thud_state {
  thud_solver *solver;
  int runs;
} thud_state;

static thud_solver_options options_of(const bench_job *job, double tolerance) {
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = tolerance;
  options.max_seconds = CLOCK_FACTOR * job->limits.seconds;
  options.max_iterations = ITERATIONS_MAX;
  return options;
}

/* create + solve: what a problem costs that nobody has seen before. */
static double time_first(const bench_solver *solver, const bench_job *job, double tolerance, bench_answer *answer) {
  thud_solver_options options = options_of(job, tolerance);
  thud_solver *made;
  thud_solver_info info;
  double started = bench_cpu_seconds();
  bench_stop_on(job->context, thud_solver_create(job->context, solver->row, job->problem, &options, &made));
  bench_stop_on(job->context, thud_solver_solve(made, answer->r, NULL, NULL, answer->l, &info));
  double spent = bench_cpu_seconds() - started;
  thud_solver_destroy(made);
  return spent;
}

/* How it ended unless solved, and the methods that were at work: auto turns from one to the next. */
static void write_note(const thud_solver_info *info, char *note, size_t room) {
  static const char *const words[] = {"solved",     "stalled",   "iteration limit", "time limit",
                                      "infeasible", "breakdown", "interrupted"};
  size_t used = 0;
  note[0] = 0;
  if (info->attempt_count == 1 && strcmp(info->attempts[0].method, "auto") == 0) { /* it turned to none */
    snprintf(note, room, "%s", info->status == THUD_SOLVED ? "the start r = 0" : words[info->status]);
    return;
  }
  if (info->status != THUD_SOLVED) used = (size_t)snprintf(note, room, "%s: ", words[info->status]);
  for (size_t k = 0; k < info->attempt_count && used < room; k++)
    used += (size_t)snprintf(note + used, room - used, "%s%s", k > 0 ? " > " : "", info->attempts[k].method);
}

static bool run_thud(const bench_solver *solver, const bench_job *job, double tolerance, void **state,
                     bench_answer *answer, bench_run *run) {
  thud_state *mine = *state;
  thud_solver_info info;
  bench_guard(2 * CLOCK_FACTOR * job->limits.seconds); /* it minds its own time limit; this one is for the worst */
  if (mine == NULL) {
    thud_solver_options options = options_of(job, tolerance);
    mine = *state = bench_alloc(1, sizeof *mine);
    if (thud_solver_create(job->context, solver->row, job->problem, &options, &mine->solver) != THUD_OK) return false;
  }
  double started = bench_cpu_seconds();
  bench_stop_on(job->context, thud_solver_update(mine->solver, job->problem));
  bench_stop_on(job->context, thud_solver_solve(mine->solver, answer->r, NULL, NULL, answer->l, &info));
  run->seconds = bench_cpu_seconds() - started;
  run->iterations = info.iterations;
  write_note(&info, run->note, sizeof run->note);
  if (mine->runs++ < FIRST_RUNS) {
    bench_answer fresh = {.r = bench_alloc(thud_contact_size(job->problem), sizeof(double)),
                          .l = bench_alloc((size_t)job->problem->bilateral, sizeof(double))};
    run->first_seconds = time_first(solver, job, tolerance, &fresh);
    free(fresh.r);
    free(fresh.l);
  }
  return true;
}

size_t bench_thud_solvers(const thud_contact_problem *problem, bench_solver *list, size_t count) {
  list[count++] = (bench_solver){.name = "auto", .family = "auto", .run = run_thud};
  for (size_t k = 0; k < thud_solver_method_count() && count < BENCH_SOLVERS; k++) {
    const thud_solver_method *method = thud_solver_method_at(k);
    const char *name = thud_solver_method_name(method);
    if (strcmp(name, "auto") == 0 || !thud_solver_method_takes(method, problem)) continue;
    list[count] = (bench_solver){.family = name, .row = method, .run = run_thud};
    snprintf(list[count++].name, sizeof list->name, "%s", name);
  }
  return count;
}
