/* `thud run --dump-problems DIR --dump-if CONDITION`: the contact problems of steps as files. */
#ifndef THUD_SRC_RUN_DUMP_H
#define THUD_SRC_RUN_DUMP_H

#include "base/json.h"
#include "thud/run.h"

typedef struct run_dump {
  thud_context *context;
  char *directory; /* NULL: nothing is dumped */
  thud_expr_scope *scope;
  thud_expr *condition; /* NULL: every step */
  bool made, overwrite; /* the directory was made here; files may be there */
  size_t last, count;   /* number of the last step that was looked at; files written */
} run_dump;

/* Checks the kind and the condition and makes the directory; what is wrong is an error and leaves nothing. */
thud_error thud_run_dump_create(thud_context *context, const thud_kind *kind, const thud_run_options *options,
                                run_dump *dump);
/* Writes the problem of the motion's last step where the condition holds. */
thud_error thud_run_dump_step(run_dump *dump, const thud_kind *kind, const void *motion);
/* discard: the run did not start, and a directory that was made for it goes. */
void thud_run_dump_free(run_dump *dump, bool discard);

#endif
