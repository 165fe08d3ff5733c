/* Events and summary of a recorded motion: they tell the same as its frames. */
#include "verify/frames.h"

#include <math.h>
#include <string.h>

/* ---- numbers in JSON ------------------------------------------------------------------------------------------------
 */

static void compare(const thud_node *map, const char *key, double expected, double tolerance, double t, size_t k,
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

static void compare_names(const verify_frames *f, const thud_node *map, const char *const *keys, const double *values,
                          size_t k, thud_verify_check *check) {
  for (size_t i = 0; i < f->n; i++) compare(map, keys[i], values[i], 0, f->t[k], k, check);
}

/* ---- events ---------------------------------------------------------------------------------------------------------
 */

static void compare_impulse(const verify_frames *f, const thud_node *impulse, size_t i, size_t k,
                            thud_verify_check *check) {
  const verify_system *system = f->system;
  const thud_node *list = thud_node_find(impulse, system->constraints[i].name);
  const double *r = f->reaction + k * (f->m + f->s);
  size_t next = 1;
  bool same = list != NULL && thud_node_get_kind(list) == THUD_NODE_SEQUENCE && thud_node_count(list) >= 1 &&
              thud_node_get_kind(thud_node_item(list, 0)) == THUD_NODE_NUMBER &&
              thud_node_number(thud_node_item(list, 0)) == r[i];
  for (size_t law = 0; law < system->law_count && same; law++)
    for (size_t d = 0; d < system->laws[law].directions && system->laws[law].constraint == i && same; d++, next++)
      same = next < thud_node_count(list) && thud_node_get_kind(thud_node_item(list, next)) == THUD_NODE_NUMBER &&
             thud_node_number(thud_node_item(list, next)) == r[f->m + system->laws[law].first + d];
  if (!same || next != thud_node_count(list))
    verify_fail(check, f->t[k], k, "the event's impulse of '%s' is not the reaction of its frame",
                system->constraints[i].name);
}

static void compare_event(const verify_frames *f, const thud_node *event, size_t k, thud_verify_check *check) {
  const thud_node *constraints = thud_node_find(event, "constraints"), *impulse = thud_node_find(event, "impulse");
  size_t next = 0;
  if (constraints == NULL || impulse == NULL || thud_node_get_kind(constraints) != THUD_NODE_SEQUENCE ||
      thud_node_get_kind(impulse) != THUD_NODE_MAP) {
    verify_fail(check, f->t[k], k, "an event does not tell its constraints and impulses");
    return;
  }
  compare_names(f, thud_node_find(event, "before"), (const char *const *)f->system->velocities, f->v_left + k * f->n, k,
                check);
  compare_names(f, thud_node_find(event, "after"), (const char *const *)f->system->velocities, f->v + k * f->n, k,
                check);
  for (size_t i = 0; i < f->m; i++) {
    if (f->atom[k * f->m + i] == 0) continue;
    const thud_node *name = next < thud_node_count(constraints) ? thud_node_item(constraints, next) : NULL;
    next++;
    if (name == NULL || thud_node_get_kind(name) != THUD_NODE_STRING ||
        strcmp(thud_node_string(name), f->system->constraints[i].name) != 0)
      verify_fail(check, f->t[k], k, "the event does not name '%s', whose impulse is an impact",
                  f->system->constraints[i].name);
    else
      compare_impulse(f, impulse, i, k, check);
  }
  if (next != thud_node_count(constraints) || next != thud_node_count(impulse))
    verify_fail(check, f->t[k], k, "the event names constraints that have no impact in its frame");
}

/* Reads an event's text; a text that the record has cut is not compared. */
static thud_error check_event(const verify_frames *f, const thud_record_note *note, size_t k, size_t *cut,
                              thud_verify_check *check) {
  if (note->t != f->t[k]) verify_fail(check, f->t[k], k, "the impact of this frame is told at t = %.17g", note->t);
  if (strcmp(note->kind, "impact") != 0) verify_fail(check, f->t[k], k, "an event of the kind '%s'", note->kind);
  if (strlen(note->text) >= THUD_RECORD_TEXT_LENGTH) {
    ++*cut;
    return THUD_OK;
  }
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_text(f->context, "event", note->text, strlen(note->text), &tree);
  if (error == THUD_ERROR_MEMORY) return error;
  if (error != THUD_OK || thud_node_get_kind(thud_tree_root(tree)) != THUD_NODE_MAP)
    verify_fail(check, f->t[k], k, "the event's text cannot be read");
  else
    compare_event(f, thud_tree_root(tree), k, check);
  thud_tree_destroy(tree);
  return THUD_OK;
}

static bool has_impact(const verify_frames *f, size_t k) {
  for (size_t i = 0; i < f->m; i++)
    if (f->atom[k * f->m + i] != 0) return true;
  return false;
}

thud_error verify_frames_events(const verify_frames *f, thud_record_reader *reader, thud_verify_check *check) {
  thud_record_info info = thud_record_reader_info(reader);
  size_t next = 0, cut = 0, impacts = 0;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < f->count && error == THUD_OK; k++) {
    if (!has_impact(f, k)) continue;
    impacts++;
    if (next >= info.event_count) continue;
    thud_record_note note;
    error = thud_record_read_event(reader, next++, &note);
    if (error == THUD_OK) error = check_event(f, &note, k, &cut, check);
  }
  if (error != THUD_OK) return error;
  if (info.finished && impacts != info.event_count)
    verify_fail(check, NAN, SIZE_MAX, "%zu frames have an impact, %zu events are told", impacts, info.event_count);
  if (check->status == THUD_VERIFY_PASSED)
    verify_explain(check, cut > 0 ? "%zu impacts, the texts of %zu are cut and were not compared" : "%zu impacts",
                   impacts, cut);
  return THUD_OK;
}

/* ---- summary --------------------------------------------------------------------------------------------------------
 */

static void compare_text(const thud_node *summary, const char *key, const char *expected, thud_verify_check *check) {
  const thud_node *node = thud_node_find(summary, key);
  if (node == NULL || thud_node_get_kind(node) != THUD_NODE_STRING || strcmp(thud_node_string(node), expected) != 0)
    verify_fail(check, NAN, SIZE_MAX, "'%s' of the summary is not '%s', as elsewhere in the record", key, expected);
}

/* Worst of all steps: that of the frames when every step is there, otherwise at least that. */
static void compare_worst(const verify_frames *f, const thud_node *summary, const char *key, double worst,
                          bool complete, thud_verify_check *check) {
  const thud_node *node = thud_node_find(summary, key);
  size_t last = f->count - 1;
  if (!complete && node != NULL && thud_node_get_kind(node) == THUD_NODE_NUMBER && thud_node_number(node) >= worst)
    return;
  compare(summary, key, worst, VERIFY_ROUNDING * worst, f->t[last], last, check);
}

static void compare_summary(const verify_frames *f, const thud_node *summary, const thud_record_info *info,
                            thud_verify_check *check) {
  static const char *const ledger_names[VERIFY_LEDGER_WIDTH] = {
      "kinetic", "potential", "work", "impact_loss", "friction_loss", "contact_loss", "defect", "identity"};
  const verify_system *system = f->system;
  size_t last = f->count - 1, impacts = 0;
  const thud_node *state = thud_node_find(summary, "state"), *ledger = thud_node_find(summary, "ledger");
  double t = f->t[last], residual = 0, penetration = 0;
  compare_text(summary, "verdict", info->verdict, check);
  compare_text(summary, "method", info->method, check);
  compare(summary, "time", t, 0, t, last, check);
  compare(summary, "frames", (double)f->count, 0, t, last, check);
  compare_names(f, state, system->scene.names, f->q + last * f->n, last, check);
  compare_names(f, state, (const char *const *)system->velocities, f->v + last * f->n, last, check);
  for (size_t i = 0; i < VERIFY_LEDGER_WIDTH; i++)
    compare(ledger, ledger_names[i], f->ledger[last * VERIFY_LEDGER_WIDTH + i], 0, t, last, check);
  for (size_t k = 0; k < f->count; k++) {
    impacts += has_impact(f, k);
    residual = fmax(residual, f->residual[k]);
    for (size_t i = 0; i < f->m; i++) {
      double gap = f->gap[k * f->m + i];
      verify_constraint_kind kind = system->constraints[i].kind;
      penetration = fmax(penetration, kind == VERIFY_UNILATERAL ? -gap : kind == VERIFY_EQUATION ? fabs(gap) : 0);
    }
  }
  bool good = strcmp(info->verdict, "good") == 0;
  bool complete = system->scene.record_every == 0 && system->step_tolerance == 0 && good;
  compare(summary, "events_total", (double)impacts, 0, t, last, check);
  compare_worst(f, summary, "residual", residual, complete, check);
  compare_worst(f, summary, "penetration", penetration, complete, check);
  if (good && system->step_tolerance == 0) compare(summary, "steps", system->scene.steps, 0, t, last, check);
}

thud_error verify_frames_summary(const verify_frames *f, const thud_record_info *info, thud_verify_check *check) {
  if (info->summary[0] == '\0') {
    verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "the record has no summary");
    return THUD_OK;
  }
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_text(f->context, "summary", info->summary, strlen(info->summary), &tree);
  if (error == THUD_ERROR_MEMORY) return error;
  if (error != THUD_OK || thud_node_get_kind(thud_tree_root(tree)) != THUD_NODE_MAP)
    verify_fail(check, NAN, SIZE_MAX, "the summary cannot be read: %s", thud_context_last_message(f->context));
  else
    compare_summary(f, thud_tree_root(tree), info, check);
  thud_tree_destroy(tree);
  return THUD_OK;
}
