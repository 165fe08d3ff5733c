#include "base/context.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

/* A plain pool of pthreads: the tasks of one thud_parallel_for are handed out by a counter under the lock, which is
 * cheap because tasks are coarse. No OpenMP, so that thread sanitizers see every synchronisation. */
struct thud_pool {
  pthread_mutex_t lock;
  pthread_cond_t work, done;
  pthread_t *workers; /* [worker_count] */
  int worker_count;
  bool stop;
  bool busy; /* a batch is under way: further calls, which come from its tasks, do without the pool */
  /* The current batch: tasks next..count-1 are still to be taken, `running` have been taken and not finished. */
  thud_task_fn task;
  void *user;
  size_t next, count, running;
};

/* Takes and runs tasks until none is left; the lock is held on entry and on exit. */
static void pool_drain(thud_pool *pool) {
  while (pool->next < pool->count) {
    size_t k = pool->next++;
    pool->running++;
    thud_task_fn task = pool->task;
    void *user = pool->user;
    pthread_mutex_unlock(&pool->lock);
    task(user, k);
    pthread_mutex_lock(&pool->lock);
    pool->running--;
  }
  if (pool->running == 0) pthread_cond_signal(&pool->done);
}

static void *worker_main(void *argument) {
  thud_pool *pool = argument;
  pthread_mutex_lock(&pool->lock);
  for (;;) {
    while (!pool->stop && pool->next >= pool->count) pthread_cond_wait(&pool->work, &pool->lock);
    if (pool->stop) break;
    pool_drain(pool);
  }
  pthread_mutex_unlock(&pool->lock);
  return NULL;
}

/* Starts one worker with the asynchronous signals blocked: they belong to the program's own threads. 0, or why it failed. */
static int start_worker(thud_pool *pool, pthread_t *thread) {
  static const int synchronous[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
  sigset_t blocked, before;
  sigfillset(&blocked);
  for (size_t k = 0; k < sizeof synchronous / sizeof *synchronous; k++) sigdelset(&blocked, synchronous[k]);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  int reason = pthread_create(thread, NULL, worker_main, pool);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return reason;
}

thud_error thud_pool_create(thud_context *context, int threads, thud_pool **pool) {
  thud_pool *made = THUD_NEW(context, thud_pool);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->workers = THUD_NEW_ARRAY(context, pthread_t, threads - 1);
  if (made->workers == NULL) {
    thud_free(context, made);
    return THUD_ERROR_MEMORY;
  }
  pthread_mutex_init(&made->lock, NULL); /* with default attributes these do not fail */
  pthread_cond_init(&made->work, NULL);
  pthread_cond_init(&made->done, NULL);
  for (; made->worker_count < threads - 1; made->worker_count++) {
    int reason = start_worker(made, &made->workers[made->worker_count]);
    if (reason != 0) {
      thud_pool_destroy(context, made);
      return thud_fail(context, THUD_ERROR_MEMORY,
                       "[too-many-threads] cannot start %d threads (%s): no memory or no processes are left for them; "
                       "ask for fewer, the numbers stay the same",
                       threads, strerror(reason));
    }
  }
  *pool = made;
  return THUD_OK;
}

void thud_pool_destroy(thud_context *context, thud_pool *pool) {
  pthread_mutex_lock(&pool->lock);
  pool->stop = true;
  pthread_cond_broadcast(&pool->work);
  pthread_mutex_unlock(&pool->lock);
  for (int k = 0; k < pool->worker_count; k++) pthread_join(pool->workers[k], NULL);
  pthread_cond_destroy(&pool->done);
  pthread_cond_destroy(&pool->work);
  pthread_mutex_destroy(&pool->lock);
  thud_free(context, pool->workers);
  thud_free(context, pool);
}

/* Takes the pool for a batch; false when it is taken already. */
static bool pool_acquire(thud_pool *pool) {
  pthread_mutex_lock(&pool->lock);
  bool was_busy = pool->busy;
  pool->busy = true;
  pthread_mutex_unlock(&pool->lock);
  return !was_busy;
}

void thud_parallel_for(thud_context *context, size_t count, thud_task_fn task, void *user) {
  thud_pool *pool = context != NULL ? context->pool : NULL;
  if (pool == NULL || count < 2 || !pool_acquire(pool)) {
    for (size_t k = 0; k < count; k++) task(user, k);
    return;
  }
  pthread_mutex_lock(&pool->lock);
  pool->task = task;
  pool->user = user;
  pool->next = 0;
  pool->count = count;
  pthread_cond_broadcast(&pool->work);
  pool_drain(pool);
  while (pool->running > 0) pthread_cond_wait(&pool->done, &pool->lock);
  pool->busy = false;
  pthread_mutex_unlock(&pool->lock);
}

thud_error thud_context_start_threads(thud_context *context, int threads) {
  if (threads < 2 || context->pool != NULL) return THUD_OK;
  thud_error error = thud_pool_create(context, threads, &context->pool);
  if (error == THUD_OK) context->threads = threads;
  return error;
}

/* ---- contexts of the threads -------------------------------------------------------------------------------------------- */

struct thud_crew {
  thud_context *parent;
  pthread_mutex_t lock;
  int count;
  thud_context **contexts; /* [count] */
};

static void *allocate_locked(void *user, void *memory, size_t old_size, size_t new_size) {
  thud_crew *crew = user;
  pthread_mutex_lock(&crew->lock);
  void *block = crew->parent->allocator(crew->parent->allocator_user, memory, old_size, new_size);
  pthread_mutex_unlock(&crew->lock);
  return block;
}

thud_error thud_crew_create(thud_context *parent, thud_crew **crew) {
  thud_crew *made = THUD_NEW(parent, thud_crew);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->parent = parent;
  pthread_mutex_init(&made->lock, NULL);
  made->contexts = THUD_NEW_ARRAY(parent, thud_context *, parent->threads);
  thud_error error = made->contexts != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  thud_context_options options = thud_context_options_default();
  options.allocator = allocate_locked;
  options.allocator_user = made;
  options.threads = 1;
  for (; error == THUD_OK && made->count < parent->threads; made->count++) {
    error = thud_context_create(&options, &made->contexts[made->count]);
    if (error != THUD_OK) break;
  }
  if (error == THUD_OK) {
    *crew = made;
    return THUD_OK;
  }
  thud_crew_destroy(made);
  return thud_fail(parent, error, "no memory for the contexts of %d threads", parent->threads);
}

void thud_crew_destroy(thud_crew *crew) {
  if (crew == NULL) return;
  for (int k = 0; k < crew->count; k++) thud_context_destroy(crew->contexts[k]);
  pthread_mutex_destroy(&crew->lock);
  thud_free(crew->parent, crew->contexts);
  thud_free(crew->parent, crew);
}

thud_context *thud_crew_context(const thud_crew *crew, int k) { return crew->contexts[k]; }
