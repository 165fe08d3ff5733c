/* Events and summary of a recorded motion: they report the same as its frames. */
#include "verify/events.h"
#include "verify/frames.h"
#include "verify/notes.h"

#include <math.h>
#include <string.h>

/* ---- events ---------------------------------------------------------------------------------------------------------
 */

static bool has_impact(const verify_frames *f, size_t k) {
  for (size_t i = 0; i < f->m; i++)
    if (f->atom[k * f->m + i] != 0) return true;
  return false;
}

/* The velocities before and after, the struck constraints and their impulses are those of the frame. */
static void compare_event(const verify_frames *f, const verify_events *events, size_t e, thud_verify_check *check) {
  size_t k = (size_t)events->frame[e];
  const verify_claim claim = {.system = f->system,
                              .marks = f->atom + k * f->m,
                              .impulse = f->reaction + k * (f->m + f->s),
                              .t = f->t[k],
                              .frame = k};
  thud_verify_event_compare(&claim, events, e, check);
  if (!thud_verify_same_numbers(f->n, events->before + e * f->n, f->v_left + k * f->n) ||
      !thud_verify_same_numbers(f->n, events->after + e * f->n, f->v + k * f->n))
    thud_verify_fail(check, f->t[k], k, "the velocities of the event are not those of its frame");
}

/* Every frame with an impact has one event, and the other way round. */
static void compare_events(const verify_frames *f, const verify_events *events, thud_verify_check *check) {
  size_t next = 0;
  for (size_t k = 0; k < f->count; k++) {
    size_t first = next;
    while (next < events->count && events->frame[next] == (double)k) compare_event(f, events, next++, check);
    if (next - first != has_impact(f, k))
      thud_verify_fail(check, f->t[k], k, "the frame has %s impact and %zu events", has_impact(f, k) ? "an" : "no",
                       next - first);
  }
  if (check->status == THUD_VERIFY_PASSED) thud_verify_explain(check, "%zu impacts", events->count);
}

thud_error thud_verify_frames_events(const verify_frames *f, thud_record_reader *reader, thud_verify_check *check) {
  static const char *const kinds[] = {"impact"};
  verify_events events = {0};
  thud_error error = thud_verify_events_read(f->context, reader, f->n, 1, kinds, &events, check);
  if (error == THUD_OK && check->status == THUD_VERIFY_PASSED)
    error = thud_verify_events_read_lists(f->system, reader, &events, check);
  if (error == THUD_OK && check->status == THUD_VERIFY_PASSED) compare_events(f, &events, check);
  thud_verify_events_free(f->context, &events);
  return error;
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
  thud_verify_note_number(summary, key, worst, VERIFY_ROUNDING * worst, f->t[last], last, check);
}

static void compare_summary(const verify_frames *f, const thud_node *summary, const thud_record_info *info,
                            thud_verify_check *check) {
  const verify_system *system = f->system;
  size_t last = f->count - 1;
  const thud_node *state = thud_node_find(summary, "state"), *ledger = thud_node_find(summary, "ledger");
  double t = f->t[last], residual = 0, penetration = 0;
  thud_verify_note_number(summary, "time", t, 0, t, last, check);
  thud_verify_note_numbers(state, f->n, system->scene.names, f->q + last * f->n, t, last, check);
  thud_verify_note_numbers(state, f->n, (const char *const *)system->velocities, f->v + last * f->n, t, last, check);
  for (int i = 0; i < VERIFY_LEDGER_WIDTH; i++)
    thud_verify_note_number(ledger, thud_verify_ledger_name(i), f->ledger[last * VERIFY_LEDGER_WIDTH + (size_t)i], 0, t,
                            last, check);
  for (size_t k = 0; k < f->count; k++) {
    residual = fmax(residual, f->residual[k]);
    for (size_t i = 0; i < f->m; i++) {
      double gap = f->gap[k * f->m + i];
      verify_constraint_kind kind = system->constraints[i].kind;
      penetration = fmax(penetration, kind == VERIFY_UNILATERAL ? -gap : kind == VERIFY_EQUATION ? fabs(gap) : 0);
    }
  }
  bool good = thud_verify_ran_to_end(info);
  bool complete = system->scene.record_every == 0 && system->step_tolerance == 0 && good;
  compare_worst(f, summary, "residual", residual, complete, check);
  compare_worst(f, summary, "penetration", penetration, complete, check);
  if (good && system->step_tolerance == 0)
    thud_verify_note_number(summary, "steps", system->scene.steps, 0, t, last, check);
}

thud_error thud_verify_frames_summary(const verify_frames *f, const thud_record_info *info, thud_verify_check *check) {
  thud_tree *tree;
  thud_error error = thud_verify_summary_open(f->context, info, check, &tree);
  if (error == THUD_OK && tree != NULL) compare_summary(f, thud_tree_root(tree), info, check);
  thud_tree_destroy(tree);
  return error;
}
