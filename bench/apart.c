#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#include "apart.h"

#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double bench_processor_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void *bench_shared_create(size_t size) {
  void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return shared == MAP_FAILED ? NULL : shared;
}

void bench_shared_destroy(void *shared, size_t size) { munmap(shared, size); }

/* Waits for the child, and ends it when it has used up its processor time; true: it was ended. A limit of the system
 * (RLIMIT_CPU) would make the child's own clock coarse. */
static int wait_for(pid_t process, double limit, int *status) {
  const struct timespec pause = {.tv_nsec = 50000000};
  clockid_t clock;
  struct timespec used;
  int ended = 0;
  while (waitpid(process, status, limit > 0 && !ended ? WNOHANG : 0) == 0) {
    nanosleep(&pause, NULL);
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0) continue;
    if ((double)used.tv_sec < limit) continue;
    kill(process, SIGKILL);
    ended = 1;
  }
  return ended;
}

int bench_run_apart(int (*work)(void *given), void *given, double limit, char *message) {
  int status = 0;
  fflush(NULL);
  pid_t process = fork();
  if (process < 0) return -1;
  if (process == 0) _exit(work(given) != 0);
  int ended = wait_for(process, limit, &status);
  if (ended)
    snprintf(message, BENCH_MESSAGE, "ended at the limit of %.0f s", limit);
  else if (WIFSIGNALED(status))
    snprintf(message, BENCH_MESSAGE, "ended by signal %d", WTERMSIG(status));
  return ended ? 1 : WIFSIGNALED(status) ? -1 : 0;
}
