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
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* The signal of the timer (SIGPROF) ends a process that does not handle it. */
void bench_guard(double seconds) {
  struct itimerval timer = {0};
  timer.it_value.tv_sec = (time_t)seconds;
  timer.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - floor(seconds)));
  setitimer(ITIMER_PROF, &timer, NULL);
}

/* ---- in the child ------------------------------------------------------------------------------------------------ */

static void tell_parent(void *user, const thud_compare_result *result) {
  const int *pipe_end = user;
  if (write(*pipe_end, result, sizeof *result) != (ssize_t)sizeof *result) _exit(1);
}

/* Whatever solvers print goes nowhere. */
static void silence(void) {
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

static void child_main(const compare_solver *solver, const compare_job *job, int pipe_end) {
  const compare_listener listener = {.tell = tell_parent, .user = &pipe_end};
  thud_compare_result result = {0};
  silence();
  thud_error error = thud_compare_measure_solver(solver, job, &listener, &result);
  _exit(error != THUD_OK); /* the parent's buffers and objects are not this process' to end */
}

/* ---- in the parent ------------------------------------------------------------------------------------------- */

/* Keeps the last report until the child ends; ends it when it is silent too long: true then. */
static bool collect_reports(pid_t child, int pipe_end, double patience, thud_compare_result *result) {
  struct pollfd waiting = {.fd = pipe_end, .events = POLLIN};
  thud_compare_result next;
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

void bench_measure(const compare_solver *solver, const compare_job *job, thud_compare_result *result) {
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
  *result = (thud_compare_result){
      .status = THUD_COMPARE_CRASHED, .other = solver->other, .residual = NAN, .seconds = NAN, .first_seconds = NAN};
  snprintf(result->solver, sizeof result->solver, "%s", solver->name);
  snprintf(result->family, sizeof result->family, "%s", solver->family);
  /* On the clock a run may take longer than on the processor: others use the machine too. */
  bool silent = collect_reports(child, ends[0], 20 + 10 * job->max_seconds, result);
  close(ends[0]);
  waitpid(child, &ended, 0);
  bool timed_out = silent || (WIFSIGNALED(ended) && WTERMSIG(ended) == SIGPROF);
  bool crashed = !timed_out && !(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
  if (result->status != THUD_COMPARE_SOLVED && timed_out) result->status = THUD_COMPARE_TIME;
  if (result->status != THUD_COMPARE_SOLVED && crashed) result->status = THUD_COMPARE_CRASHED;
}
