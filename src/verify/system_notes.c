/* Events and summary of a recorded motion: they tell the same as its frames. */
#include "verify/frames.h"
#include "verify/notes.h"

#include <math.h>
#include <string.h>

/* ---- events ---------------------------------------------------------------------------------------------------------
 */

/* Reads an event's text; a text that the record has cut is not compared. */
static thud_error check_event(const verify_frames *f, const thud_record_note *note, size_t k, size_t *cut,
                              thud_verify_check *check) {
  if (note->t != f->t[k]) verify_fail(check, f->t[k], k, "the impact of this frame is told at t = %.17g", note->t);
  if (strcmp(note->kind, "impact") != 0) verify_fail(check, f->t[k], k, "an event of the kind '%s'", note->kind);
  if (strlen(note->text) >= THUD_RECORD_TEXT_LENGTH) {
    ++*cut;
    return THUD_OK;
  }
  const verify_told told = {.system = f->system,
                            .marks = f->atom + k * f->m,
                            .before = f->v_left + k * f->n,
                            .after = f->v + k * f->n,
                            .impulse = f->reaction + k * (f->m + f->s),
                            .t = f->t[k],
                            .row = k};
  thud_tree *tree;
  thud_error error = verify_note_read(f->context, "event", note->text, f->t[k], k, check, &tree);
  if (error == THUD_OK && tree != NULL) verify_note_event(&told, thud_tree_root(tree), check);
  thud_tree_destroy(tree);
  return error;
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

/* Worst of all steps: that of the frames when every step is there, otherwise at least that. */
static void compare_worst(const verify_frames *f, const thud_node *summary, const char *key, double worst,
                          bool complete, thud_verify_check *check) {
  const thud_node *node = thud_node_find(summary, key);
  size_t last = f->count - 1;
  if (!complete && node != NULL && thud_node_get_kind(node) == THUD_NODE_NUMBER && thud_node_number(node) >= worst)
    return;
  verify_note_number(summary, key, worst, VERIFY_ROUNDING * worst, f->t[last], last, check);
}

static void compare_summary(const verify_frames *f, const thud_node *summary, const thud_record_info *info,
                            thud_verify_check *check) {
  const verify_system *system = f->system;
  size_t last = f->count - 1, impacts = 0;
  const thud_node *state = thud_node_find(summary, "state"), *ledger = thud_node_find(summary, "ledger");
  double t = f->t[last], residual = 0, penetration = 0;
  verify_note_text(summary, "verdict", info->verdict, check);
  verify_note_text(summary, "method", info->method, check);
  verify_note_number(summary, "time", t, 0, t, last, check);
  verify_note_number(summary, "frames", (double)f->count, 0, t, last, check);
  verify_note_numbers(state, f->n, system->scene.names, f->q + last * f->n, t, last, check);
  verify_note_numbers(state, f->n, (const char *const *)system->velocities, f->v + last * f->n, t, last, check);
  for (int i = 0; i < VERIFY_LEDGER_WIDTH; i++)
    verify_note_number(ledger, verify_ledger_name(i), f->ledger[last * VERIFY_LEDGER_WIDTH + (size_t)i], 0, t, last,
                       check);
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
  verify_note_number(summary, "events_total", (double)impacts, 0, t, last, check);
  compare_worst(f, summary, "residual", residual, complete, check);
  compare_worst(f, summary, "penetration", penetration, complete, check);
  if (good && system->step_tolerance == 0) verify_note_number(summary, "steps", system->scene.steps, 0, t, last, check);
}

thud_error verify_frames_summary(const verify_frames *f, const thud_record_info *info, thud_verify_check *check) {
  if (info->summary[0] == '\0') {
    verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "the record has no summary");
    return THUD_OK;
  }
  thud_tree *tree;
  thud_error error = verify_note_read(f->context, "summary", info->summary, NAN, SIZE_MAX, check, &tree);
  if (error == THUD_OK && tree != NULL) compare_summary(f, thud_tree_root(tree), info, check);
  thud_tree_destroy(tree);
  return error;
}
