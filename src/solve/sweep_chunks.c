/* One parallel loop for a whole sweep, for waking threads takes as long as a set of some thousand contacts. Each thread
 * takes the next chunk by a counter and, before it begins, waits until the sets before are done. A chunk that has been
 * taken is in the hands of a running thread, and those it waits for were taken earlier: nobody waits for a thread that
 * has not come yet, and it does not matter how many come. */
#include "solve/sweep_chunks.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

thud_error thud_chunks_make(thud_context *context, thud_chunks *chunks, size_t sets, const size_t *start,
                            size_t length) {
  size_t count = 0, k = 0;
  for (size_t s = 0; s < sets; s++)
    if (start[s] < start[s + 1]) count += s + 1 < sets ? (start[s + 1] - start[s] - 1) / length + 1 : 1;
  thud_error error = thud_array_reserve(context, &chunks->first, &chunks->first_capacity, count + 1, sizeof(size_t));
  if (error == THUD_OK)
    error = thud_array_reserve(context, &chunks->before, &chunks->before_capacity, count, sizeof(size_t));
  if (error == THUD_OK)
    error = thud_array_reserve(context, &chunks->until, &chunks->until_capacity, count, sizeof(size_t));
  if (error != THUD_OK) return error;
  chunks->count = count;
  for (size_t s = 0; s < sets; s++) {
    size_t before = k, own = s + 1 < sets ? length : start[s + 1] - start[s];
    for (size_t at = start[s]; at < start[s + 1]; at += own, k++) {
      chunks->first[k] = at;
      chunks->before[k] = before;
    }
    for (size_t i = before; i < k; i++) chunks->until[i] = k;
  }
  chunks->first[count] = start[sets];
  return THUD_OK;
}

void thud_chunks_free(thud_context *context, thud_chunks *chunks) {
  thud_free(context, chunks->first);
  thud_free(context, chunks->before);
  thud_free(context, chunks->until);
}

/* One run under way. The counters have cache lines of their own. */
typedef struct chunk_run {
  const thud_chunks *chunks;
  bool backward;
  thud_task_fn task;
  void *user;
  pthread_t caller;
  char apart[64];
  atomic_size_t taken;
  char further_apart[64];
  atomic_size_t done;
} chunk_run;

enum { SPINS = 200 }; /* looks at a counter before the processor is offered to others */

static void wait_for(chunk_run *run, size_t needed) {
  int spins = 0;
  while (atomic_load_explicit(&run->done, memory_order_acquire) < needed) {
    if (spins < SPINS)
      spins++;
    else
      sched_yield();
  }
}

/* The caller stays until the others are done, and a moment longer, in which they give themselves up to the pool: it would
 * sleep there, and be woken, for the microseconds that they need for their last chunk. */
static void let_others_leave(chunk_run *run) {
  wait_for(run, run->chunks->count);
  for (int spin = 0; spin < SPINS; spin++) (void)atomic_load_explicit(&run->taken, memory_order_acquire);
}

static void take_chunks(void *user, size_t index) {
  (void)index;
  chunk_run *run = user;
  const thud_chunks *chunks = run->chunks;
  for (;;) {
    size_t k = atomic_fetch_add_explicit(&run->taken, 1, memory_order_relaxed);
    if (k >= chunks->count) break;
    size_t chunk = run->backward ? chunks->count - 1 - k : k;
    wait_for(run, run->backward ? chunks->count - chunks->until[chunk] : chunks->before[chunk]);
    run->task(run->user, chunk);
    atomic_fetch_add_explicit(&run->done, 1, memory_order_acq_rel);
  }
  if (pthread_equal(run->caller, pthread_self())) let_others_leave(run);
}

void thud_chunks_run(thud_context *context, const thud_chunks *chunks, bool backward, bool parallel, thud_task_fn task,
                     void *user) {
  if (!parallel || thud_context_threads(context) < 2) {
    for (size_t k = 0; k < chunks->count; k++) task(user, backward ? chunks->count - 1 - k : k);
    return;
  }
  chunk_run run = {.chunks = chunks, .backward = backward, .task = task, .user = user};
  run.caller = pthread_self();
  atomic_init(&run.taken, 0);
  atomic_init(&run.done, 0);
  thud_parallel_for(context, (size_t)thud_context_threads(context), take_chunks, &run);
}
