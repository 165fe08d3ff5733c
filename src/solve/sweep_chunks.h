/* The order of a sweep in chunks that threads share: sets one after the other (colours), the chunks of one set side by
 * side. */
#ifndef THUD_SRC_SOLVE_SWEEP_CHUNKS_H
#define THUD_SRC_SOLVE_SWEEP_CHUNKS_H

#include "base/base.h"

enum { THUD_CHUNK_SETS_MAX = 65 };

typedef struct thud_chunks {
  size_t count, sets;
  size_t *first; /* [count+1] units of each chunk: first[k]..first[k+1]-1 */
  size_t first_capacity;
  size_t start[THUD_CHUNK_SETS_MAX + 1]; /* [sets+1] chunks of each set */
} thud_chunks;

/* Sets s = 0..sets-1 (at most THUD_CHUNK_SETS_MAX) of units start[s]..start[s+1]-1 in chunks of `length`; the last set is
 * one chunk, whatever its length: its units depend on each other. */
thud_error thud_chunks_make(thud_context *context, thud_chunks *chunks, size_t sets, const size_t *start,
                            size_t length);
void thud_chunks_free(thud_context *context, thud_chunks *chunks);

/* Calls task(user, chunk) for every chunk, on the threads of the context when `parallel`; a set begins when the one
 * before it (after it, when backward) has been done. */
void thud_chunks_run(thud_context *context, const thud_chunks *chunks, bool backward, bool parallel, thud_task_fn task,
                     void *user);

#endif
