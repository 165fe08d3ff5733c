/* Codes of messages and what they mean. */
#include "run/messages.h"
#include "base/base.h"

#include <string.h>

static const thud_message_help *const tables[] = {thud_messages_of_warnings, thud_messages_of_scenes,
                                                  thud_messages_of_runs};

const thud_message_help *thud_explain_at(size_t k) {
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    for (const thud_message_help *row = tables[i]; row->code != NULL; row++)
      if (k-- == 0) return row;
  return NULL;
}

const thud_message_help *thud_explain(const char *code) {
  THUD_REQUIRE_OR(NULL, code);
  const thud_message_help *row = NULL;
  for (size_t k = 0; (row = thud_explain_at(k)) != NULL && strcmp(row->code, code) != 0; k++) continue;
  return row;
}
