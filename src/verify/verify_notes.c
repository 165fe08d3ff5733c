#include "verify/verify_notes.h"

#include <math.h>
#include <string.h>

bool thud_verify_note_find(const thud_node *map, const char *key, double *value) {
  const thud_node *node = map != NULL && thud_node_get_kind(map) == THUD_NODE_MAP ? thud_node_find(map, key) : NULL;
  if (node == NULL || thud_node_get_kind(node) != THUD_NODE_NUMBER) return false;
  *value = thud_node_number(node);
  return true;
}

void thud_verify_note_number(const thud_node *map, const char *key, double expected, double tolerance, double t,
                             size_t k, thud_verify_check *check) {
  double found;
  if (!thud_verify_note_find(map, key, &found)) {
    thud_verify_fail(check, t, k, "there is no number '%s'", key);
    return;
  }
  if (thud_verify_tally(check, fabs(found - expected), tolerance, 0, t, k) && check->status == THUD_VERIFY_FAILED)
    thud_verify_explain(check, "'%s' is %.17g, %.17g in the frames", key, found, expected);
}

void thud_verify_note_numbers(const thud_node *map, size_t count, const char *const *keys, const double *values,
                              double t, size_t k, thud_verify_check *check) {
  for (size_t i = 0; i < count; i++) thud_verify_note_number(map, keys[i], values[i], 0, t, k, check);
}

static void compare_text(const thud_node *map, const char *key, const char *expected, thud_verify_check *check) {
  const thud_node *node = thud_node_find(map, key);
  if (node == NULL || thud_node_get_kind(node) != THUD_NODE_STRING || strcmp(thud_node_string(node), expected) != 0)
    thud_verify_fail(check, NAN, SIZE_MAX, "'%s' is not '%s', as elsewhere in the record", key, expected);
}

bool thud_verify_note_missing(const thud_node *map, const char *key) { return thud_node_find(map, key) == NULL; }

void thud_verify_summary_keys(const thud_node *summary, size_t count, const char *const *figures,
                              thud_verify_check *check) {
  /* Of every run; `path` is that of a branch, `samples` are what the caller has asked for. */
  static const char *const common[] = {"verdict", "reason", "title",   "method",   "time",
                                       "path",    "state",  "events",  "ledger",   "events_total",
                                       "record",  "frames", "samples", "warnings", "samples_left"};
  for (size_t k = 0; k < thud_node_count(summary); k++) {
    const char *key = thud_node_key(summary, k);
    bool known = false;
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) known = known || strcmp(key, common[i]) == 0;
    for (size_t i = 0; i < count; i++) known = known || strcmp(key, figures[i]) == 0;
    if (!known) thud_verify_fail(check, NAN, SIZE_MAX, "the summary has '%s', which means nothing here", key);
  }
}

thud_error thud_verify_summary_open(thud_context *context, thud_record_reader *reader, thud_verify_check *check,
                                    thud_tree **tree) {
  const thud_record_info found = thud_record_reader_info(reader), *info = &found;
  *tree = NULL;
  if (info->summary[0] == '\0') {
    thud_verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "the record has no summary");
    return THUD_OK;
  }
  thud_error error = thud_tree_read_text(context, "summary", info->summary, strlen(info->summary), tree);
  if (error == THUD_ERROR_MEMORY) return error;
  const thud_node *map = error == THUD_OK ? thud_tree_root(*tree) : NULL;
  if (map == NULL || thud_node_get_kind(map) != THUD_NODE_MAP) {
    thud_verify_fail(check, NAN, SIZE_MAX, "the summary cannot be read: %s", thud_context_last_message(context));
    thud_tree_destroy(*tree);
    *tree = NULL;
    return THUD_OK;
  }
  compare_text(map, "verdict", info->verdict, check);
  compare_text(map, "reason", info->reason, check);
  compare_text(map, "title", info->title, check);
  compare_text(map, "method", info->method, check);
  thud_verify_note_number(map, "frames", (double)info->rows[THUD_RECORD_FRAMES], 0, NAN, SIZE_MAX, check);
  thud_verify_note_number(map, "events_total", (double)info->rows[THUD_RECORD_EVENTS], 0, NAN, SIZE_MAX, check);
  error = thud_verify_summary_rows(reader, map, check);
  if (error != THUD_OK) {
    thud_tree_destroy(*tree);
    *tree = NULL;
  }
  return error;
}

bool thud_verify_note_warns(const thud_node *summary, const char *code) {
  const thud_node *list = thud_node_find(summary, "warnings");
  for (size_t k = 0; list != NULL && k < thud_node_count(list); k++) {
    const thud_node *found = thud_node_find(thud_node_item(list, k), "code");
    bool named = found != NULL && thud_node_get_kind(found) == THUD_NODE_STRING;
    if (named && strcmp(thud_node_string(found), code) == 0) return true;
  }
  return false;
}
