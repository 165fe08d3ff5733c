#include "verify/notes.h"

#include <math.h>
#include <string.h>

void thud_verify_note_number(const thud_node *map, const char *key, double expected, double tolerance, double t,
                             size_t k, thud_verify_check *check) {
  const thud_node *node = map != NULL && thud_node_get_kind(map) == THUD_NODE_MAP ? thud_node_find(map, key) : NULL;
  if (node == NULL || thud_node_get_kind(node) != THUD_NODE_NUMBER) {
    thud_verify_fail(check, t, k, "there is no number '%s'", key);
    return;
  }
  double found = thud_node_number(node);
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

thud_error thud_verify_summary_open(thud_context *context, const thud_record_info *info, thud_verify_check *check,
                                    thud_tree **tree) {
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
  return THUD_OK;
}
