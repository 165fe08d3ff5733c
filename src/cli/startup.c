/* OpenBLAS starts a thread per processor when it is loaded. thud uses none of them (its threads are its own), and where
 * memory is limited (ulimit -v) OpenBLAS cannot get theirs and waits for them for ever, even at the end of the program.
 * OPENBLAS_NUM_THREADS=1 would help, but constructors of shared libraries see the environment as it came. So until main
 * is reached the process runs on one processor: OpenBLAS and libgomp count those that they may use. */
#define _GNU_SOURCE 1 /* NOLINT: sched_setaffinity */
#include "cli/cli.h"

#include <sched.h>

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define THUD_ARRANGE_STARTUP 1
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#undef THUD_ARRANGE_STARTUP /* their runtimes are not ready before the constructors */
#endif
#endif

#ifdef THUD_ARRANGE_STARTUP

/* The processors that the process may run on, as it was started; empty: they could not be asked for. */
static cpu_set_t processors;

static void begin_startup(void) {
  if (sched_getaffinity(0, sizeof processors, &processors) != 0) {
    CPU_ZERO(&processors);
    return;
  }
  for (size_t k = 0; k < CPU_SETSIZE; k++)
    if (CPU_ISSET(k, &processors)) {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(k, &one);
      sched_setaffinity(0, sizeof one, &one);
      return;
    }
}

/* Functions of the program in front of every constructor of a shared library. */
__attribute__((section(".preinit_array"), used)) static void (*const before_constructors)(void) = begin_startup;

void cli_end_startup(void) {
  if (CPU_COUNT(&processors) > 0) sched_setaffinity(0, sizeof processors, &processors);
}

#else

void cli_end_startup(void) {}

#endif
