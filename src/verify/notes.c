#include "verify/notes.h"

#include <math.h>
#include <string.h>

void verify_note_number(const thud_node *map, const char *key, double expected, double tolerance, double t, size_t k,
                        thud_verify_check *check) {
  const thud_node *node = map != NULL && thud_node_get_kind(map) == THUD_NODE_MAP ? thud_node_find(map, key) : NULL;
  if (node == NULL || thud_node_get_kind(node) != THUD_NODE_NUMBER) {
    verify_fail(check, t, k, "there is no number '%s'", key);
    return;
  }
  double found = thud_node_number(node);
  if (verify_tally(check, fabs(found - expected), tolerance, 0, t, k) && check->status == THUD_VERIFY_FAILED)
    verify_explain(check, "'%s' is %.17g, %.17g in the frames", key, found, expected);
}

void verify_note_numbers(const thud_node *map, size_t count, const char *const *keys, const double *values, double t,
                         size_t k, thud_verify_check *check) {
  for (size_t i = 0; i < count; i++) verify_note_number(map, keys[i], values[i], 0, t, k, check);
}

void verify_note_text(const thud_node *map, const char *key, const char *expected, thud_verify_check *check) {
  const thud_node *node = thud_node_find(map, key);
  if (node == NULL || thud_node_get_kind(node) != THUD_NODE_STRING || strcmp(thud_node_string(node), expected) != 0)
    verify_fail(check, NAN, SIZE_MAX, "'%s' is not '%s', as elsewhere in the record", key, expected);
}

thud_error verify_note_read(thud_context *context, const char *what, const char *text, double t, size_t k,
                            thud_verify_check *check, thud_tree **tree) {
  *tree = NULL;
  thud_error error = thud_tree_read_text(context, what, text, strlen(text), tree);
  if (error == THUD_ERROR_MEMORY) return error;
  if (error == THUD_OK && thud_node_get_kind(thud_tree_root(*tree)) == THUD_NODE_MAP) return THUD_OK;
  verify_fail(check, t, k, "the %s cannot be read: %s", what, thud_context_last_message(context));
  thud_tree_destroy(*tree);
  *tree = NULL;
  return THUD_OK;
}

/* constraint -> [normal, tangential ...] */
static void compare_impulse(const verify_told *told, const thud_node *impulse, size_t i, thud_verify_check *check) {
  const verify_system *system = told->system;
  const thud_node *list = thud_node_find(impulse, system->constraints[i].name);
  size_t next = 1;
  bool same = list != NULL && thud_node_get_kind(list) == THUD_NODE_SEQUENCE && thud_node_count(list) >= 1 &&
              thud_node_get_kind(thud_node_item(list, 0)) == THUD_NODE_NUMBER &&
              thud_node_number(thud_node_item(list, 0)) == told->impulse[i];
  for (size_t law = 0; law < system->law_count && same; law++)
    for (size_t d = 0; d < system->laws[law].directions && system->laws[law].constraint == i && same; d++, next++)
      same = next < thud_node_count(list) && thud_node_get_kind(thud_node_item(list, next)) == THUD_NODE_NUMBER &&
             thud_node_number(thud_node_item(list, next)) == told->impulse[system->m + system->laws[law].first + d];
  if (!same || next != thud_node_count(list))
    verify_fail(check, told->t, told->row, "the event's impulse of '%s' is not that of its frame",
                system->constraints[i].name);
}

void verify_note_event(const verify_told *told, const thud_node *event, thud_verify_check *check) {
  const verify_system *system = told->system;
  const thud_node *constraints = thud_node_find(event, "constraints"), *impulse = thud_node_find(event, "impulse");
  const char *const *names = (const char *const *)system->velocities;
  size_t next = 0;
  size_t impulses = 0;
  bool jumps = told->impulse != NULL;
  if (constraints == NULL || (impulse != NULL) != jumps || thud_node_get_kind(constraints) != THUD_NODE_SEQUENCE ||
      (jumps && thud_node_get_kind(impulse) != THUD_NODE_MAP)) {
    verify_fail(check, told->t, told->row, "an event does not tell its constraints and impulses");
    return;
  }
  verify_note_numbers(thud_node_find(event, "before"), system->n, names, told->before, told->t, told->row, check);
  verify_note_numbers(thud_node_find(event, "after"), system->n, names, told->after, told->t, told->row, check);
  for (size_t i = 0; i < system->m; i++) {
    if (jumps && (told->marks[i] != 0 || told->impulse[i] != 0)) {
      impulses++;
      compare_impulse(told, impulse, i, check);
    }
    if (told->marks[i] == 0) continue;
    const thud_node *name = next < thud_node_count(constraints) ? thud_node_item(constraints, next) : NULL;
    next++;
    if (name == NULL || thud_node_get_kind(name) != THUD_NODE_STRING ||
        strcmp(thud_node_string(name), system->constraints[i].name) != 0)
      verify_fail(check, told->t, told->row, "the event does not name '%s', to which it happens in its frame",
                  system->constraints[i].name);
  }
  if (next != thud_node_count(constraints) || (jumps && impulses != thud_node_count(impulse)))
    verify_fail(check, told->t, told->row, "the event names constraints to which nothing happens in its frame");
}
