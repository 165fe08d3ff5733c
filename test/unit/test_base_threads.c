/* The pool behind thud_parallel_for: every task runs exactly once, whatever the numbers of threads and tasks. Data are
 * plain on purpose: the thread sanitizer sees whether the pool orders the accesses. */
#include "base/base.h"
#include "testing.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

typedef struct work {
  size_t count;
  uint64_t *runs;  /* [count] how often each task ran */
  uint64_t *value; /* [count] what it computed */
  uint64_t seed;
  uint64_t unshared; /* read by every task, written only between batches */
} work;

static void mark(void *user, size_t k) {
  work *w = user;
  w->runs[k]++;
  thud_random random = thud_random_seed(w->seed + k + w->unshared);
  w->value[k] = thud_random_bits(&random);
}

static work make_work(size_t count) {
  work w = {.count = count, .seed = count};
  w.runs = calloc(count + 1, sizeof *w.runs);
  w.value = calloc(count + 1, sizeof *w.value);
  assert_non_null(w.runs);
  assert_non_null(w.value);
  return w;
}

static void free_work(work *w) {
  free(w->runs);
  free(w->value);
}

static void every_task_runs_exactly_once(void **state) {
  (void)state;
  const size_t counts[] = {0, 1, 2, 3, 7, 64, 1000};
  const int threads[] = {1, 2, 3, 4, 8, 16};
  for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
    thud_context *context = thud_test_context(threads[t]);
    assert_int_equal(thud_context_threads(context), threads[t]);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
      work w = make_work(counts[c]);
      thud_parallel_for(context, w.count, mark, &w);
      for (size_t k = 0; k < w.count; k++) {
        thud_random random = thud_random_seed(w.seed + k);
        assert_int_equal(w.runs[k], 1);
        thud_assert_equal(w.value[k], thud_random_bits(&random));
      }
      assert_int_equal(w.runs[w.count], 0);
      free_work(&w);
    }
    thud_test_context_end(context);
  }
}

/* Many small batches in a row: workers are still leaving one while the next begins. */
static void thousands_of_small_batches_stay_in_order(void **state) {
  (void)state;
  thud_context *context = thud_test_context(4);
  work w = make_work(9);
  for (uint64_t batch = 0; batch < 5000; batch++) {
    size_t count = 1 + batch % 9;
    w.unshared = batch;
    thud_parallel_for(context, count, mark, &w);
    for (size_t k = 0; k < count; k++) {
      thud_random random = thud_random_seed(w.seed + k + batch);
      thud_assert_equal(w.value[k], thud_random_bits(&random));
    }
  }
  uint64_t total = 0;
  for (size_t k = 0; k < 9; k++) total += w.runs[k];
  uint64_t expected = 0;
  for (uint64_t batch = 0; batch < 5000; batch++) expected += 1 + batch % 9;
  thud_assert_equal(total, expected);
  free_work(&w);
  thud_test_context_end(context);
}

static void contexts_come_and_go_without_work(void **state) {
  (void)state;
  for (int k = 0; k < 100; k++) thud_test_context_end(thud_test_context(2 + k % 7));
}

typedef struct nested {
  thud_context *context;
  work inner[6];
} nested;

static void run_inner(void *user, size_t k) {
  nested *outer = user;
  thud_parallel_for(outer->context, outer->inner[k].count, mark, &outer->inner[k]);
}

static void a_loop_inside_a_task_runs_in_that_task(void **state) {
  (void)state;
  nested outer = {.context = thud_test_context(3)};
  for (int k = 0; k < 6; k++) outer.inner[k] = make_work(50);
  for (int repeat = 1; repeat <= 20; repeat++) {
    thud_parallel_for(outer.context, 6, run_inner, &outer);
    for (int k = 0; k < 6; k++)
      for (size_t i = 0; i < 50; i++) assert_int_equal(outer.inner[k].runs[i], repeat);
  }
  for (int k = 0; k < 6; k++) free_work(&outer.inner[k]);
  thud_test_context_end(outer.context);
}

typedef struct reduction_in_task {
  thud_context *context;
  const double *x;
  double sums[8];
} reduction_in_task;

enum { LONG_VECTOR = 300000 };

static void sum_in_task(void *user, size_t k) {
  reduction_in_task *r = user;
  r->sums[k] = thud_sum(r->context, LONG_VECTOR - k, r->x);
}

static void reductions_inside_tasks_give_the_same_bits(void **state) {
  (void)state;
  double *x = malloc(LONG_VECTOR * sizeof *x);
  assert_non_null(x);
  thud_random random = thud_random_seed(8);
  for (size_t i = 0; i < LONG_VECTOR; i++) x[i] = thud_random_normal(&random);
  thud_context *context = thud_test_context(4);
  reduction_in_task inside = {.context = context, .x = x};
  thud_parallel_for(context, 8, sum_in_task, &inside);
  for (size_t k = 0; k < 8; k++) {
    double outside = thud_sum(context, LONG_VECTOR - k, x);
    assert_memory_equal(&outside, &inside.sums[k], sizeof outside);
  }
  free(x);
  thud_test_context_end(context);
}

/* Two contexts used by two threads of the program at the same time share nothing. */
static void *use_own_context(void *argument) {
  uint64_t *total = argument;
  thud_context *context = thud_test_context(3);
  work w = make_work(40);
  for (int batch = 0; batch < 300; batch++) thud_parallel_for(context, 40, mark, &w);
  for (size_t k = 0; k < 40; k++) *total += w.runs[k];
  free_work(&w);
  thud_test_context_end(context);
  return NULL;
}

static void contexts_of_different_threads_are_independent(void **state) {
  (void)state;
  pthread_t threads[3];
  uint64_t totals[3] = {0};
  for (int k = 0; k < 3; k++) assert_int_equal(pthread_create(&threads[k], NULL, use_own_context, &totals[k]), 0);
  for (int k = 0; k < 3; k++) {
    assert_int_equal(pthread_join(threads[k], NULL), 0);
    assert_int_equal(totals[k], 300 * 40);
  }
}

typedef struct signal_masks {
  pthread_t program;
  int worker_tasks[200], worker_blocks[200];
} signal_masks;

static void look_at_mask(void *user, size_t k) {
  signal_masks *masks = user;
  if (pthread_equal(pthread_self(), masks->program)) return;
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  masks->worker_tasks[k] = 1;
  masks->worker_blocks[k] = sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGSEGV) == 0;
}

/* An interrupt must reach the program's own thread; the creating thread's mask is as it was. */
static void workers_leave_signals_to_the_program(void **state) {
  (void)state;
  sigset_t before, after;
  pthread_sigmask(SIG_SETMASK, NULL, &before);
  thud_context *context = thud_test_context(4);
  pthread_sigmask(SIG_SETMASK, NULL, &after);
  assert_int_equal(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
  signal_masks masks = {.program = pthread_self()};
  for (int batch = 0; batch < 50; batch++) thud_parallel_for(context, 200, look_at_mask, &masks);
  assert_memory_equal(masks.worker_tasks, masks.worker_blocks, sizeof masks.worker_tasks);
  thud_test_context_end(context);
}

/* Every thread takes one task and waits for the others, so that each worker of the pool has the key's value. */
enum { MEETING = 4 };
typedef struct meeting {
  pthread_key_t key; /* its destructor runs when a thread ends */
  pthread_mutex_t lock;
  pthread_cond_t complete;
  int present, ended;
} meeting;

static void leave(void *user) {
  meeting *all = user;
  nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL); /* whoever does not wait is past the end by now */
  pthread_mutex_lock(&all->lock);
  all->ended++;
  pthread_mutex_unlock(&all->lock);
}

static void meet(void *user, size_t k) {
  (void)k;
  meeting *all = user;
  pthread_setspecific(all->key, all);
  pthread_mutex_lock(&all->lock);
  if (++all->present == MEETING) pthread_cond_broadcast(&all->complete);
  while (all->present < MEETING) pthread_cond_wait(&all->complete, &all->lock);
  pthread_mutex_unlock(&all->lock);
}

/* What the threads of a context use may be taken away once the context is destroyed. */
static void a_destroyed_context_has_no_threads_left(void **state) {
  (void)state;
  meeting all = {.lock = PTHREAD_MUTEX_INITIALIZER, .complete = PTHREAD_COND_INITIALIZER};
  assert_int_equal(pthread_key_create(&all.key, leave), 0);
  thud_context *context = thud_test_context(MEETING);
  thud_parallel_for(context, MEETING, meet, &all);
  assert_int_equal(all.present, MEETING);
  pthread_setspecific(all.key, NULL); /* the program's own thread goes on */
  thud_test_context_end(context);
  assert_int_equal(all.ended, MEETING - 1);
  pthread_key_delete(all.key);
}

static size_t address_space_in_use(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL) return 0;
  int read = fscanf(file, "%lu", &pages);
  fclose(file);
  return read == 1 ? pages * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

/* The system refuses the threads half-way: 255 stacks do not fit into what is left of the address space. Those that
 * were started end again, and the output is untouched. */
static void threads_that_cannot_be_started_are_an_error(void **state) {
  (void)state;
  size_t used = address_space_in_use();
  struct rlimit before;
  /* a sanitizer needs more address space than any limit would leave */
  if (THUD_UNDER_SANITIZER) thud_skip("needs a build without a sanitizer: make check");
  if (used == 0 || getrlimit(RLIMIT_AS, &before) != 0) thud_skip("needs its address space by number: mount /proc");
  struct rlimit tight = {.rlim_cur = used + ((rlim_t)200 << 20), .rlim_max = before.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
  thud_context_options options = thud_context_options_default();
  options.threads = 256;
  int place;
  thud_context *const untouched = (thud_context *)&place;
  thud_context *context = untouched;
  thud_error error = thud_context_create(&options, &context);
  assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
  assert_int_equal(error, THUD_ERROR_MEMORY);
  assert_ptr_equal(context, untouched);
  thud_test_context_end(thud_test_context(256)); /* and they can be, without the limit */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_task_runs_exactly_once),
      cmocka_unit_test(thousands_of_small_batches_stay_in_order),
      cmocka_unit_test(contexts_come_and_go_without_work),
      cmocka_unit_test(a_loop_inside_a_task_runs_in_that_task),
      cmocka_unit_test(reductions_inside_tasks_give_the_same_bits),
      cmocka_unit_test(contexts_of_different_threads_are_independent),
      cmocka_unit_test(workers_leave_signals_to_the_program),
      cmocka_unit_test(a_destroyed_context_has_no_threads_left),
      cmocka_unit_test(threads_that_cannot_be_started_are_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
