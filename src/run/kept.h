/* The first events of a run, kept as rows for its report. */
#ifndef THUD_SRC_RUN_KEPT_H
#define THUD_SRC_RUN_KEPT_H

#include "thud/rows.h"

typedef struct run_kept {
  thud_context *context;
  size_t channels; /* cells of an event */
  size_t most;     /* events kept at most */
  size_t count, capacity;
  thud_record_cell **rows; /* [count][channels], each with its numbers and texts in one block */
} run_kept;

void thud_run_kept_create(thud_context *context, size_t channels, size_t most, run_kept *kept);
void thud_run_kept_destroy(run_kept *kept);
/* Keeps a copy unless there are enough. */
thud_error thud_run_kept_add(run_kept *kept, const thud_record_cell *cells);
/* Keeps the first events of a record that is being resumed. */
thud_error thud_run_kept_read(run_kept *kept, thud_record_reader *reader, size_t events);

#endif
