/* thud/explain.h: what the codes of messages mean. Layer: run.
 *
 * Every warning of a run or a check and every failed call has a code, a word that stays the same from version to version:
 * thud_context_last_code, "code" in JSON results and records. This is their table (docs/messages.md). */
#ifndef THUD_EXPLAIN_H
#define THUD_EXPLAIN_H

#include "thud/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_message_help {
  const char *code;    /* "unknown-key" */
  const char *text;    /* what it says: one sentence */
  const char *cause;   /* why it happens */
  const char *cure;    /* what to do */
  const char *example; /* lines of a scene or of a shell */
} thud_message_help;

/* NULL: no message has this code. */
THUD_API const thud_message_help *thud_explain(const char *code);
/* All of them, warnings first: k = 0, 1, ... until NULL. */
THUD_API const thud_message_help *thud_explain_at(size_t k);

#ifdef __cplusplus
}
#endif
#endif
