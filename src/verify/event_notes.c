/* Events and summary of an event-driven record: they tell the same as its rows. */
#include "verify/event_rows.h"
#include "verify/notes.h"

#include <math.h>
#include <string.h>

static const char *const kinds[VERIFY_EVENTS] = {"impact", "zeno", "close", "open", "graze", "stick", "slip", "switch"};

/* ---- events ---------------------------------------------------------------------------------------------------------
 */

/* "modes": constraint -> [before, after] of those involved. */
static void compare_modes(const verify_event_rows *f, const thud_node *event, size_t k, thud_verify_check *check) {
  static const char *const names[VERIFY_MODES] = {"open", "lasting", "leaving", "undecided", "sticking", "sliding"};
  const thud_node *modes = thud_node_find(event, "modes");
  size_t count = 0;
  bool same = modes != NULL && thud_node_get_kind(modes) == THUD_NODE_MAP;
  for (size_t i = 0; i < f->m && same; i++) {
    if (f->involved[k * f->m + i] == 0) continue;
    const thud_node *pair = thud_node_find(modes, f->system->constraints[i].name);
    same = pair != NULL && thud_node_get_kind(pair) == THUD_NODE_SEQUENCE && thud_node_count(pair) == 2;
    for (size_t side = 0; side < 2 && same; side++) {
      int mode = (int)(side == 0 ? f->mode_left : f->mode)[k * f->m + i];
      const thud_node *name = thud_node_item(pair, side);
      same = thud_node_get_kind(name) == THUD_NODE_STRING && strcmp(thud_node_string(name), names[mode]) == 0;
    }
    count++;
  }
  if (!same || count != thud_node_count(modes))
    verify_fail(check, f->t[k], k, "the event's modes are not those of its row");
}

static void compare_figures(const verify_event_rows *f, const thud_node *event, size_t k, thud_verify_check *check) {
  static const char *const keys[VERIFY_ZENO] = {"begin", "duration", "ratio", "impacts", "limit_error"};
  double deepest = -1;
  for (size_t i = 0; i < f->m; i++) deepest = fmax(deepest, f->order[k * f->m + i]);
  verify_note_number(event, "t_error", f->t_error[k], 0, f->t[k], k, check);
  verify_note_number(event, "order", deepest, 0, f->t[k], k, check);
  if (f->event[k] == VERIFY_EVENT_IMPACT) {
    verify_note_number(event, "cosine", f->cosine[k], 0, f->t[k], k, check);
    verify_note_number(event, "residual", f->residual[k], 0, f->t[k], k, check);
  }
  if (f->event[k] == VERIFY_EVENT_ZENO)
    verify_note_numbers(event, VERIFY_ZENO, keys, f->zeno + k * VERIFY_ZENO, f->t[k], k, check);
}

/* Compares an event with its row; a text that the record has cut is not read. */
static thud_error check_event(verify_event_rows *f, const thud_record_note *note, size_t k, size_t *cut) {
  thud_verify_check *check = &f->checks.events;
  const char *kind = kinds[(int)f->event[k]];
  bool jumps = f->event[k] == VERIFY_EVENT_IMPACT || f->event[k] == VERIFY_EVENT_ZENO;
  if (note->t != f->t[k]) verify_fail(check, f->t[k], k, "the event of this row is told at t = %.17g", note->t);
  if (strcmp(note->kind, kind) != 0)
    verify_fail(check, f->t[k], k, "an event of the kind '%s', in its row '%s'", note->kind, kind);
  if (strlen(note->text) >= THUD_RECORD_TEXT_LENGTH) {
    ++*cut;
    return THUD_OK;
  }
  const verify_told told = {.system = f->system,
                            .marks = f->involved + k * f->m,
                            .before = f->v_left + k * f->n,
                            .after = verify_event_v(f, k),
                            .impulse = jumps ? f->impulse + k * (f->m + f->s) : NULL,
                            .t = f->t[k],
                            .row = k};
  thud_tree *tree;
  thud_error error = verify_note_read(f->context, "event", note->text, f->t[k], k, check, &tree);
  if (error == THUD_OK && tree != NULL) {
    verify_note_event(&told, thud_tree_root(tree), check);
    compare_modes(f, thud_tree_root(tree), k, check);
    compare_figures(f, thud_tree_root(tree), k, check);
  }
  thud_tree_destroy(tree);
  return error;
}

thud_error verify_event_notes(verify_event_rows *f, thud_record_reader *reader) {
  thud_record_info info = thud_record_reader_info(reader);
  thud_verify_check *check = &f->checks.events;
  size_t next = 0, cut = 0, events = 0;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < f->count && error == THUD_OK; k++) {
    if (f->event[k] == VERIFY_EVENT_NONE) continue;
    events++;
    if (next >= info.event_count) continue;
    thud_record_note note;
    error = thud_record_read_event(reader, next++, &note);
    if (error == THUD_OK) error = check_event(f, &note, k, &cut);
  }
  if (error != THUD_OK) return error;
  if (info.finished && events != info.event_count)
    verify_fail(check, NAN, SIZE_MAX, "%zu rows have an event, %zu events are told", events, info.event_count);
  if (check->status == THUD_VERIFY_PASSED)
    verify_explain(check, cut > 0 ? "%zu events, the texts of %zu are cut and were not compared" : "%zu events", events,
                   cut);
  return THUD_OK;
}

/* ---- summary --------------------------------------------------------------------------------------------------------
 */

static size_t count_events(const verify_event_rows *f, int kind) {
  size_t count = 0;
  for (size_t k = 0; k < f->count; k++) count += f->event[k] == kind;
  return count;
}

static void compare_summary(verify_event_rows *f, const thud_node *summary, const thud_record_info *info) {
  thud_verify_check *check = &f->checks.summary;
  size_t last = f->count - 1, arcs = 0, none = count_events(f, VERIFY_EVENT_NONE);
  double t = f->t[last];
  const thud_node *state = thud_node_find(summary, "state"), *ledger = thud_node_find(summary, "ledger");
  for (size_t k = 0; k < f->count; k++) arcs += verify_event_has_arc(f, k);
  verify_note_text(summary, "verdict", info->verdict, check);
  verify_note_text(summary, "method", info->method, check);
  const struct {
    const char *key;
    double value;
  } numbers[] = {{"events_total", (double)(f->count - none)},
                 {"impacts", (double)count_events(f, VERIFY_EVENT_IMPACT)},
                 {"zeno_limits", (double)count_events(f, VERIFY_EVENT_ZENO)},
                 {"order", (double)f->degree - 2}};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    verify_note_number(summary, numbers[k].key, numbers[k].value, 0, t, last, check);
  /* Arcs that are shorter than the time can tell are counted and not recorded. */
  const thud_node *told = thud_node_find(summary, "arcs");
  if (told == NULL || thud_node_get_kind(told) != THUD_NODE_NUMBER || thud_node_number(told) < (double)arcs)
    verify_fail(check, t, last, "there are %zu arcs, the summary does not tell as many", arcs);
  if (strcmp(info->verdict, "good") != 0) return; /* a failed run may have gone on after its last row */
  verify_note_number(summary, "time", t, 0, t, last, check);
  verify_note_numbers(state, f->n, f->system->scene.names, verify_event_q(f, last), t, last, check);
  verify_note_numbers(state, f->n, (const char *const *)f->system->velocities, verify_event_v(f, last), t, last, check);
  for (int i = 0; i < VERIFY_LEDGER_WIDTH; i++)
    verify_note_number(ledger, verify_ledger_name(i), f->ledger[last * VERIFY_LEDGER_WIDTH + (size_t)i], 0, t, last,
                       check);
}

thud_error verify_event_summary(verify_event_rows *f, const thud_record_info *info) {
  thud_verify_check *check = &f->checks.summary;
  if (info->summary[0] == '\0') {
    verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "the record has no summary");
    return THUD_OK;
  }
  thud_tree *tree;
  thud_error error = verify_note_read(f->context, "summary", info->summary, NAN, SIZE_MAX, check, &tree);
  if (error == THUD_OK && tree != NULL) compare_summary(f, thud_tree_root(tree), info);
  thud_tree_destroy(tree);
  return error;
}
