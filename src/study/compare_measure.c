/* One solver on one problem: runs from r = 0, judged by thud's own evaluation. */
#include "study/study_compare.h"

#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const double least_own_tolerance = 1e-16;
enum { MOST_ATTEMPTS = 12 };

double thud_compare_cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now); /* the process' clock ticks coarsely while an interval timer runs */
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

thud_error thud_compare_interrupted(const compare_job *job) {
  return thud_fail(job->context, THUD_ERROR_INTERRUPTED, "comparison of solvers: interrupted");
}

/* Shared by all runs of one measurement. */
typedef struct bench {
  const compare_solver *solver;
  const compare_job *job;
  const compare_listener *listener;
  thud_contact_evaluator *evaluator;
  compare_answer answer;
  void *state; /* the solver's */
} bench;

static void clear(double *x, thud_index count) {
  if (count > 0) memset(x, 0, (size_t)count * sizeof *x);
}

/* One run and its judgement. */
static thud_error run_once(bench *b, double own_tolerance, thud_compare_result *result) {
  const compare_job *job = b->job;
  size_t problem = result->problem;
  if (job->stop != NULL && job->stop->ask != NULL && job->stop->ask(job->stop->user) != 0)
    return thud_compare_interrupted(job);
  clear(b->answer.r, (thud_index)thud_contact_size(job->problem));
  clear(b->answer.l, job->problem->bilateral);
  *result = (thud_compare_result){.problem = problem,
                                  .other = b->solver->other,
                                  .status = THUD_COMPARE_REFUSED,
                                  .residual = NAN,
                                  .seconds = NAN,
                                  .first_seconds = NAN};
  snprintf(result->solver, sizeof result->solver, "%s", b->solver->name);
  snprintf(result->family, sizeof result->family, "%s", b->solver->family);
  thud_error error = b->solver->run(b->solver, job, own_tolerance, &b->state, &b->answer, result);
  if (error != THUD_OK || result->status == THUD_COMPARE_REFUSED) return error;
  thud_contact_residual residual;
  error = thud_contact_evaluator_evaluate(b->evaluator, b->answer.r, NULL, b->answer.l, NULL, &residual);
  if (error == THUD_ERROR_MEMORY) return error;
  if (error == THUD_OK) result->residual = residual.residual; /* an answer with NaN in it is refused there */
  bool late = result->status == THUD_COMPARE_TIME || result->seconds > job->max_seconds;
  bool reached = result->residual <= job->tolerance;
  result->status = reached && result->seconds <= job->max_seconds ? THUD_COMPARE_SOLVED
                   : late                                         ? THUD_COMPARE_TIME
                                                                  : THUD_COMPARE_UNSOLVED;
  return THUD_OK;
}

static void tell(const bench *b, const thud_compare_result *result) {
  if (b->listener != NULL) b->listener->tell(b->listener->user, result);
}

/* Solvers of others measure their error in another way: the next tolerance to give them when `residual` came out of
 * the last one. At least halved, so that none misses its best time by much. */
static double tightened(double own_tolerance, double wanted, double residual) {
  double factor = isfinite(residual) && residual > 0 ? 0.5 * wanted / residual : 0;
  return fmax(least_own_tolerance, own_tolerance * fmin(0.5, fmax(0.01, factor)));
}

/* The first run that suffices, with the tolerance that it was given. */
static thud_error find_run(bench *b, double *own, thud_compare_result *result) {
  double spent = 0;
  *own = b->job->tolerance;
  for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    thud_error error = run_once(b, *own, result);
    if (error != THUD_OK) return error;
    tell(b, result);
    spent += result->seconds;
    bool hopeless = !b->solver->other || !isfinite(result->residual) || *own <= least_own_tolerance;
    if (result->status != THUD_COMPARE_UNSOLVED || hopeless) return THUD_OK;
    if (spent > b->job->max_seconds) { /* a tighter tolerance might do, but not in this time */
      result->status = THUD_COMPARE_TIME;
      tell(b, result);
      return THUD_OK;
    }
    *own = tightened(*own, b->job->tolerance, result->residual);
  }
  return THUD_OK;
}

static thud_error repeat(bench *b, double own, thud_compare_result *best) {
  const compare_job *job = b->job;
  int runs = best->seconds > job->contest && job->runs > 2 ? 2 : job->runs;
  double spent = best->seconds;
  for (int k = 1; best->status == THUD_COMPARE_SOLVED && k < runs && spent < job->repeat_seconds; k++) {
    thud_compare_result next = {.problem = best->problem};
    thud_error error = run_once(b, own, &next);
    if (error != THUD_OK) return error;
    if (next.status != THUD_COMPARE_SOLVED) break; /* state left behind by the first run; its figures stand */
    best->seconds = fmin(best->seconds, next.seconds);
    best->first_seconds = fmin(best->first_seconds, next.first_seconds);
    spent += next.seconds;
    tell(b, best);
  }
  return THUD_OK;
}

thud_error thud_compare_measure_solver(const compare_solver *solver, const compare_job *job,
                                       const compare_listener *listener, thud_compare_result *result) {
  thud_context *context = job->context;
  bench b = {.solver = solver, .job = job, .listener = listener};
  b.answer.r = THUD_NEW_ARRAY(context, double, thud_contact_size(job->problem));
  b.answer.l = THUD_NEW_ARRAY(context, double, job->problem->bilateral);
  double own = 0;
  thud_error error = b.answer.r != NULL && b.answer.l != NULL
                         ? thud_contact_evaluator_create(context, job->problem, &b.evaluator)
                         : THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = find_run(&b, &own, result);
  if (error == THUD_OK) error = repeat(&b, own, result);
  if (solver->end != NULL && b.state != NULL) solver->end(solver, job, b.state);
  thud_contact_evaluator_destroy(b.evaluator);
  thud_free(context, b.answer.l);
  thud_free(context, b.answer.r);
  return error;
}
