/* One run uses the threads of its context and no others. Two libraries have threads of their own: OpenBLAS spreads
 * products and factors over all processors, and CHOLMOD's supernodal factorisation begins a team of OpenMP. Teams end
 * the process where threads cannot be made, and a child of fork() waits for ever for the team of its parent. Both are
 * kept on the calling thread here while thud uses them.
 *
 * The number of OpenBLAS' threads is one number of the whole process, and so is what is kept about it: the only state
 * of libthud outside of contexts. The first thread that enters sets the number to 1 and the last one that leaves puts
 * the host program's number back. Levels of OpenMP belong to the calling thread. */
#define _GNU_SOURCE 1 /* NOLINT: RTLD_DEFAULT */
#include "linalg/dense.h"

#include <cblas.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

/* The two functions of OpenMP, from whichever runtime CHOLMOD uses; NULL: none is loaded. */
typedef struct openmp {
  int (*get_levels)(void);
  void (*set_levels)(int levels);
} openmp;

static openmp team;
static pthread_once_t prepared = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;           /* threads between begin and end that count, under the lock */
static int number_of_host;   /* of OpenBLAS' threads, to be put back, under the lock */
static atomic_uint episodes; /* odd while the number of threads is not the host's */

static void before_fork(void) { pthread_mutex_lock(&lock); }

static void after_fork_in_parent(void) { pthread_mutex_unlock(&lock); }

/* Threads that were inside do not exist in the child. */
static void after_fork_in_child(void) {
  if (inside > 0) {
    inside = 0;
    openblas_set_num_threads(number_of_host);
    atomic_fetch_add(&episodes, 1);
  }
  pthread_mutex_unlock(&lock);
}

static void prepare(void) {
  *(void **)&team.get_levels = dlsym(RTLD_DEFAULT, "omp_get_max_active_levels");
  *(void **)&team.set_levels = dlsym(RTLD_DEFAULT, "omp_set_max_active_levels");
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* True when the host itself has chosen one thread: nothing is to be set, counted or locked. The number 1 is the host's
 * when no episode was under way before it was read nor has begun since. */
static bool host_has_one_thread(void) {
  unsigned before = atomic_load(&episodes);
  return before % 2 == 0 && openblas_get_num_threads() == 1 && atomic_load(&episodes) == before;
}

bool thud_blas_begin(void) {
  if (host_has_one_thread()) return false;
  pthread_once(&prepared, prepare);
  pthread_mutex_lock(&lock);
  if (inside++ == 0) {
    number_of_host = openblas_get_num_threads();
    atomic_fetch_add(&episodes, 1);
    openblas_set_num_threads(1);
  }
  pthread_mutex_unlock(&lock);
  return true;
}

void thud_blas_end(bool counted) {
  if (!counted) return;
  pthread_mutex_lock(&lock);
  if (--inside == 0) {
    openblas_set_num_threads(number_of_host);
    atomic_fetch_add(&episodes, 1);
  }
  pthread_mutex_unlock(&lock);
}

int thud_openmp_begin(void) {
  pthread_once(&prepared, prepare);
  if (team.get_levels == NULL || team.set_levels == NULL) return -1;
  int levels = team.get_levels();
  team.set_levels(0);
  return levels;
}

void thud_openmp_end(int levels) {
  if (levels >= 0) team.set_levels(levels);
}
