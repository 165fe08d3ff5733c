/* One parallel loop for a whole sweep, for waking threads takes as long as a set of some thousand contacts. A thread goes
 * through the sets in order. In each it first takes the chunks of its own part, the same in every sweep and about the
 * same bodies in every set, so that these stay in its cache, and then what is left of the others'. Before it begins with
 * a set it waits until the one before is done. A chunk that has been taken is in the hands of a running thread: nobody
 * waits for a thread that has not come yet, and it does not matter how many come. */
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
  if (error != THUD_OK) return error;
  chunks->count = count;
  chunks->sets = sets;
  for (size_t s = 0; s < sets; s++) {
    size_t own = s + 1 < sets ? length : start[s + 1] - start[s];
    chunks->start[s] = k;
    for (size_t at = start[s]; at < start[s + 1]; at += own) chunks->first[k++] = at;
  }
  chunks->start[sets] = count;
  chunks->first[count] = start[sets];
  return THUD_OK;
}

void thud_chunks_free(thud_context *context, thud_chunks *chunks) { thud_free(context, chunks->first); }

enum { PARTS_MAX = 16 }; /* threads beyond these have no part of their own */

/* One run under way. The counter of what is done has a cache line of its own. */
typedef struct chunk_run {
  const thud_chunks *chunks;
  bool backward;
  thud_task_fn task;
  void *user;
  pthread_t caller;
  size_t parts;
  atomic_size_t taken[THUD_CHUNK_SETS_MAX][PARTS_MAX]; /* chunks of each part */
  char apart[64];
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
  for (int spin = 0; spin < SPINS; spin++) (void)atomic_load_explicit(&run->done, memory_order_acquire);
}

/* The chunks of one part of a set that nobody has taken yet, when all `before` of the sets before are done. */
static void take_part(chunk_run *run, size_t set, size_t part, size_t before) {
  const size_t *start = run->chunks->start;
  size_t all = start[set + 1] - start[set];
  size_t first = start[set] + all * part / run->parts, end = start[set] + all * (part + 1) / run->parts;
  atomic_size_t *taken = &run->taken[set][part];
  for (;;) {
    if (first + atomic_load_explicit(taken, memory_order_relaxed) >= end) return;
    size_t chunk = first + atomic_fetch_add_explicit(taken, 1, memory_order_relaxed);
    if (chunk >= end) return;
    wait_for(run, before);
    run->task(run->user, chunk);
    atomic_fetch_add_explicit(&run->done, 1, memory_order_acq_rel);
  }
}

static void take_chunks(void *user, size_t index) {
  chunk_run *run = user;
  const thud_chunks *chunks = run->chunks;
  for (size_t s = 0; s < chunks->sets; s++) {
    size_t set = run->backward ? chunks->sets - 1 - s : s;
    size_t before = run->backward ? chunks->count - chunks->start[set + 1] : chunks->start[set];
    for (size_t k = 0; k < run->parts; k++) take_part(run, set, (index + k) % run->parts, before);
  }
  if (pthread_equal(run->caller, pthread_self())) let_others_leave(run);
}

void thud_chunks_run(thud_context *context, const thud_chunks *chunks, bool backward, bool parallel, thud_task_fn task,
                     void *user) {
  size_t threads = (size_t)thud_context_threads(context);
  if (!parallel || threads < 2) {
    for (size_t k = 0; k < chunks->count; k++) task(user, backward ? chunks->count - 1 - k : k);
    return;
  }
  chunk_run run = {.chunks = chunks, .backward = backward, .task = task, .user = user};
  run.caller = pthread_self();
  run.parts = threads < PARTS_MAX ? threads : PARTS_MAX;
  for (size_t set = 0; set < chunks->sets; set++)
    for (size_t part = 0; part < run.parts; part++) atomic_init(&run.taken[set][part], 0);
  atomic_init(&run.done, 0);
  thud_parallel_for(context, threads, take_chunks, &run);
}
