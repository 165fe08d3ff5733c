/* One solver on one problem, in a child process: a crash or an endless loop there costs one row of the table. */
#define _XOPEN_SOURCE 700 /* setitimer */
#include "contact.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const double least_own_tolerance = 1e-16;
enum { MOST_ATTEMPTS = 12 };

double bench_cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID,
                &now); /* the process' clock ticks coarsely while a timer of bench_guard runs */
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The signal of the timer (SIGPROF) ends a process that does not handle it. */
void bench_guard(double seconds) {
  struct itimerval timer = {0};
  timer.it_value.tv_sec = (time_t)seconds;
  timer.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - floor(seconds)));
  setitimer(ITIMER_PROF, &timer, NULL);
}

/* ---- in the child ------------------------------------------------------------------------------------------------ */

typedef struct bench_child {
  const bench_solver *solver;
  const bench_job *job;
  thud_contact_evaluator *evaluator;
  bench_answer answer;
  void *state;
} bench_child;

/* One guarded run and its judgement. */
static void run_once(bench_child *child, double own_tolerance, bench_result *result) {
  const bench_job *job = child->job;
  size_t size = thud_contact_size(job->problem);
  memset(child->answer.r, 0, size * sizeof *child->answer.r);
  memset(child->answer.l, 0, (size_t)job->problem->bilateral * sizeof *child->answer.l);
  *result = (bench_result){.status = BENCH_REFUSED, .residual = NAN, .run.first_seconds = NAN};
  bool done = child->solver->run(child->solver, job, own_tolerance, &child->state, &child->answer, &result->run);
  bench_guard(0);
  if (!done) return;
  result->status = BENCH_UNSOLVED;
  thud_contact_residual residual;
  if (thud_contact_evaluator_evaluate(child->evaluator, child->answer.r, NULL, child->answer.l, NULL, &residual) !=
      THUD_OK)
    return;
  result->residual = residual.residual;
  if (residual.residual <= job->tolerance) result->status = BENCH_SOLVED;
  if (result->status == BENCH_SOLVED && result->run.seconds > job->limits.seconds) result->status = BENCH_TIME;
}

static void report(int pipe_end, const bench_result *result) {
  if (write(pipe_end, result, sizeof *result) != (ssize_t)sizeof *result) _exit(1);
}

/* Solvers of Siconos measure their error in another way: the next tolerance to give them when `residual` came out of
 * the last one. At least halved, so that none misses its best time by much. */
static double tightened(double own_tolerance, double wanted, double residual) {
  double factor = isfinite(residual) && residual > 0 ? 0.5 * wanted / residual : 0;
  return fmax(least_own_tolerance, own_tolerance * fmin(0.5, fmax(0.01, factor)));
}

static void run_child(bench_child *child, int pipe_end) {
  const bench_limits *limits = &child->job->limits;
  bench_result best, next;
  double own = child->job->tolerance, spent = 0;
  for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    run_once(child, own, &best);
    report(pipe_end, &best);
    spent += best.run.seconds;
    bool hopeless = !child->solver->siconos || !isfinite(best.residual) || own <= least_own_tolerance;
    if (best.status != BENCH_UNSOLVED || hopeless) break;
    if (spent > limits->seconds) { /* a tighter tolerance might do, but not in this time */
      best.status = BENCH_TIME;
      report(pipe_end, &best);
      break;
    }
    own = tightened(own, child->job->tolerance, best.residual);
  }
  spent = best.run.seconds;
  int runs = best.run.seconds > limits->contest && limits->runs > 2 ? 2 : limits->runs;
  for (int k = 1; best.status == BENCH_SOLVED && k < runs && spent < limits->budget; k++) {
    run_once(child, own, &next);
    if (next.status != BENCH_SOLVED) break; /* state left behind by the first run; its figures stand */
    best.run.seconds = fmin(best.run.seconds, next.run.seconds);
    best.run.first_seconds = fmin(best.run.first_seconds, next.run.first_seconds);
    spent += next.run.seconds;
    report(pipe_end, &best);
  }
}

/* Whatever solvers print goes nowhere. */
static void silence(void) {
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

static void child_main(const bench_solver *solver, const bench_job *job, int pipe_end) {
  bench_child child = {.solver = solver, .job = job};
  silence();
  child.answer.r = bench_alloc(thud_contact_size(job->problem), sizeof *child.answer.r);
  child.answer.l = bench_alloc((size_t)job->problem->bilateral, sizeof *child.answer.l);
  bench_stop_on(job->context, thud_contact_evaluator_create(job->context, job->problem, &child.evaluator));
  run_child(&child, pipe_end);
  _exit(0); /* the parent's buffers and objects are not this process' to end */
}

/* ---- in the parent ------------------------------------------------------------------------------------------- */

/* Keeps the last report until the child ends; ends it when it is silent too long: true then. */
static bool collect_reports(pid_t child, int pipe_end, double patience, bench_result *result) {
  struct pollfd waiting = {.fd = pipe_end, .events = POLLIN};
  bench_result next;
  for (;;) {
    int ready = poll(&waiting, 1, (int)(1e3 * patience));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      kill(child, SIGKILL);
      return true;
    }
    if (read(pipe_end, &next, sizeof next) != (ssize_t)sizeof next) return false;
    *result = next;
  }
}

void bench_measure(const bench_solver *solver, const bench_job *job, bench_result *result) {
  int ends[2];
  fflush(NULL);
  pid_t child = pipe(ends) == 0 ? fork() : -1;
  if (child < 0) {
    perror("bench-contact: no process for a solver");
    exit(3);
  }
  if (child == 0) {
    close(ends[0]);
    child_main(solver, job, ends[1]);
  }
  close(ends[1]);
  int ended = 0;
  *result = (bench_result){.status = BENCH_CRASHED, .residual = NAN, .run = {.seconds = NAN, .first_seconds = NAN}};
  /* On the clock a run may take longer than on the processor: others use the machine too. */
  bool silent = collect_reports(child, ends[0], 20 + 10 * job->limits.seconds, result);
  close(ends[0]);
  waitpid(child, &ended, 0);
  bool timed_out = silent || (WIFSIGNALED(ended) && WTERMSIG(ended) == SIGPROF);
  bool crashed = !timed_out && !(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
  if (result->status != BENCH_SOLVED && timed_out) result->status = BENCH_TIME;
  if (result->status != BENCH_SOLVED && crashed) result->status = BENCH_CRASHED;
}
