/* Events of a record of rigid bodies, and its summary. */
#include "verify/bodies.h"
#include "verify/channels.h"
#include "verify/notes.h"

#include <math.h>
#include <string.h>

enum {
  IMPACT = VERIFY_EVENT_IMPACT,
  SLEEP = VERIFY_EVENT_SLEEP,
  CHANGE = VERIFY_CHANGE_ADD,
  KINDS = VERIFY_EVENT_KINDS
};

/* ---- reading ------------------------------------------------------------------------------------------------------------------- */

thud_error thud_verify_body_events_read(thud_context *context, thud_record_reader *reader, const verify_bodies *bodies,
                                        thud_verify_check *check, verify_body_events *events) {
  static const char *const kinds[KINDS] = {"begin", "end",     "impact", "sleep",   "wake",     "add", "remove",
                                           "state", "impulse", "force",  "release", "material", "pair"};
  *events = (verify_body_events){.dimension = bodies->planar ? 2 : 3,
                                 .count = thud_record_reader_info(reader).rows[THUD_RECORD_EVENTS]};
  const verify_channel channels[] = {
      {"t", 1, &events->t},         {"kind", 1, &events->kind},         {"point", events->dimension, &events->point},
      {"frame", 1, &events->frame}, {"approach", 1, &events->approach}, {"impulse", 1, &events->impulse}};
  const verify_ragged_channel lists[] = {{"bodies", 1, &events->bodies}, {"values", 1, &events->values}};
  thud_error error = thud_verify_read_channels(context, reader, THUD_RECORD_EVENTS, sizeof channels / sizeof *channels,
                                               channels, check);
  if (error == THUD_OK) error = thud_verify_read_ragged(context, reader, THUD_RECORD_EVENTS, 2, lists, check);
  thud_verify_check_labels(reader, THUD_RECORD_EVENTS, "kind", KINDS, kinds, check);
  events->usable = error == THUD_OK && check->status != THUD_VERIFY_FAILED;
  return error;
}

void thud_verify_body_events_free(thud_context *context, verify_body_events *events) {
  double *const arrays[] = {events->t, events->kind, events->point, events->approach, events->impulse, events->frame};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_verify_ragged_free(context, &events->bodies);
  thud_verify_ragged_free(context, &events->values);
}

/* ---- every event --------------------------------------------------------------------------------------------------------------- */

static void check_event(const verify_body_events *events, size_t k, const verify_bodies *bodies,
                        thud_verify_check *check) {
  double t = events->t[k], kind = events->kind[k];
  size_t wanted = kind == VERIFY_CHANGE_PAIR ? 0
                  : kind >= SLEEP            ? 1
                                             : 2,
         found = verify_ragged_count(&events->bodies, k);
  const double *who = verify_ragged_row(&events->bodies, k);
  if (!(kind >= 0 && kind < KINDS && kind == floor(kind)) || found != wanted) {
    thud_verify_fail(check, t, SIZE_MAX, "event %zu is of no known kind, or not of the bodies that belong to it", k);
    return;
  }
  for (size_t i = 0; i < found; i++)
    if (!(who[i] >= 0 && who[i] < (double)bodies->count && who[i] == floor(who[i])))
      thud_verify_fail(check, t, SIZE_MAX, "event %zu names a body that is not there", k);
  bool within = kind >= CHANGE ? t >= bodies->scene.start && t < bodies->scene.end
                               : t > bodies->scene.start && t <= bodies->scene.end;
  if (!within || (k > 0 && !(t >= events->t[k - 1])))
    thud_verify_fail(check, t, SIZE_MAX, "event %zu is not at its time", k);
  bool numbers = isfinite(events->approach[k]) && isfinite(events->impulse[k]);
  if (kind == IMPACT && !(numbers && events->approach[k] > 0 && events->impulse[k] > 0))
    thud_verify_fail(check, t, SIZE_MAX, "event %zu is an impact without approach or impulse", k);
  bool nothing = isnan(events->approach[k]) && isnan(events->impulse[k]);
  for (size_t i = 0; i < events->dimension; i++) nothing = nothing && isnan(events->point[k * events->dimension + i]);
  if (kind != IMPACT && !nothing) thud_verify_fail(check, t, SIZE_MAX, "event %zu has numbers of an impact", k);
  if (kind < CHANGE && verify_ragged_count(&events->values, k) > 0)
    thud_verify_fail(check, t, SIZE_MAX, "event %zu has values of a change", k);
  if (kind >= SLEEP && kind < CHANGE && !bodies->options.sleep)
    thud_verify_fail(check, t, SIZE_MAX, "in event %zu a body sleeps or wakes, in this scene none does", k);
}

/* The frame of an event is the first row that is not before it; of thinned records rows may be missing, never at the end.
 * Changes, and bodies that they wake, are at the node before the step that the frame ends. */
static void check_frame(const verify_body_events *events, size_t k, size_t rows, const double *times,
                        thud_verify_check *check) {
  double t = events->t[k], frame = events->frame[k];
  bool number = frame >= 0 && frame == floor(frame) && frame <= (double)rows;
  size_t at = number ? (size_t)frame : 0;
  bool change = events->kind[k] >= VERIFY_EVENT_WAKE, after = at == 0 || times[at - 1] < t;
  bool before = at >= rows || (events->kind[k] >= CHANGE ? times[at] > t : times[at] >= t);
  if (!number || !(after || (change && times[at - 1] == t)) || !before)
    thud_verify_fail(check, t, SIZE_MAX, "event %zu does not belong to frame %g", k, frame);
}

void thud_verify_body_events_check(const verify_body_events *events, const verify_bodies *bodies, size_t rows,
                                   const double *times, thud_verify_check *check) {
  for (size_t k = 0; events->usable && k < events->count; k++) {
    check_event(events, k, bodies, check);
    check_frame(events, k, rows, times, check);
  }
  size_t changes = 0;
  for (size_t k = 0; events->usable && k < events->count; k++) changes += events->kind[k] >= CHANGE;
  if (check->status == THUD_VERIFY_PASSED && changes > 0)
    thud_verify_explain(check, "%zu events, %zu of them changes", events->count, changes);
  else if (check->status == THUD_VERIFY_PASSED && isnan(check->worst))
    thud_verify_explain(check, "%zu event%s", events->count, thud_plural(events->count));
}

/* ---- impacts of a step ----------------------------------------------------------------------------------------------------------- */

/* The impact event number k has the numbers of this contact. */
static bool is_of(const verify_body_events *events, size_t k, const verify_body_contact *c) {
  const double *who = verify_ragged_row(&events->bodies, k), *x = events->point + k * events->dimension;
  thud_vec3 point = thud_vec3_make(x[0], x[1], events->dimension == 3 ? x[2] : 0);
  return events->kind[k] == IMPACT && verify_ragged_count(&events->bodies, k) == 2 && who[0] == (double)c->a &&
         who[1] == (double)c->b && thud_vec3_distance(point, c->point) == 0;
}

/* Every impact has its event, with the same approach and impulse, and there are no others. */
void thud_verify_body_impacts(verify_body_events *events, const verify_body_step *step, thud_verify_check *check) {
  const verify_body_row *row = step->row;
  size_t end, first, impacts = 0, listed = 0, unsure = 0;
  if (!events->usable) return;
  while (events->next < events->count && events->t[events->next] < row->t) events->next++;
  first = end = events->next;
  for (; end < events->count && events->t[end] == row->t; end++) listed += events->kind[end] == IMPACT;
  for (size_t k = 0; k < row->contact_count; k++) {
    const verify_body_contact *c = &row->contact[k];
    verify_loss loss = thud_verify_contact_loss(step, k);
    double impulse = thud_vec3_dot(c->normal, c->impulse);
    if (!step->known[c->a] || !step->known[c->b] || loss.unsure ||
        fabs(impulse) <= VERIFY_SUMS * thud_vec3_norm(c->impulse)) {
      unsure++;
      continue;
    }
    if (!loss.impact || !(impulse > 0)) continue;
    impacts++;
    size_t at = first;
    while (at < end && !is_of(events, at, c)) at++;
    if (at == end) {
      thud_verify_fail(check, row->t, row->number, "the impact of '%s' and '%s' has no event",
                       step->bodies->body[c->a].name, step->bodies->body[c->b].name);
      continue;
    }
    double blur = step->blur[c->a] + step->blur[c->b] + 1e-11;
    thud_verify_tally(check, fabs(events->approach[at] - loss.approach), blur * loss.speed, 0, row->t, row->number);
    thud_verify_tally(check, fabs(events->impulse[at] - impulse), VERIFY_SUMS * thud_vec3_norm(c->impulse), 0, row->t,
                      row->number);
  }
  if (listed < impacts || listed > impacts + unsure)
    thud_verify_fail(check, row->t, row->number, "there are %zu impacts and %zu events of impacts", impacts, listed);
}

/* ---- summary ------------------------------------------------------------------------------------------------------------------------ */

void thud_verify_body_figures_take(verify_body_figures *figures, const verify_body_row *row) {
  if (row->residual > figures->residual) figures->residual = row->residual;
  if (row->usual_residual > figures->usual_residual) figures->usual_residual = row->usual_residual;
  if (row->penetration > figures->penetration) figures->penetration = row->penetration;
}

/* The state that the summary shows is that of the last row; of many bodies it shows none. */
static thud_error compare_state(thud_context *context, thud_record_reader *reader, const thud_node *state, size_t row,
                                double t, thud_verify_check *check) {
  static const char *const roles[] = {"position", "rotation", "velocity", "spin"};
  thud_error error = THUD_OK;
  size_t named = 0;
  for (size_t k = 0; k < sizeof roles / sizeof *roles && error == THUD_OK; k++) {
    size_t index;
    if (thud_record_find_role(reader, THUD_RECORD_FRAMES, roles[k], &index) != THUD_OK) continue;
    const thud_record_channel *channel = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, index);
    if (!channel->state) continue;
    double *values = THUD_NEW_ARRAY(context, double, channel->width);
    if (values == NULL) return THUD_ERROR_MEMORY;
    error = thud_record_read(reader, THUD_RECORD_FRAMES, index, row, 1, values);
    if (error == THUD_OK) thud_verify_note_numbers(state, channel->width, channel->components, values, t, row, check);
    named += channel->width;
    thud_free(context, values);
  }
  if (error == THUD_OK && state != NULL && thud_node_count(state) != named)
    thud_verify_fail(check, t, row, "the state of the summary has %zu numbers, the rows %zu", thud_node_count(state),
                     named);
  return error;
}

static void compare(const thud_node *map, const verify_bodies *bodies, const verify_body_figures *figures,
                    const verify_body_row *last, thud_verify_check *check) {
  static const char *const known[] = {"bodies",           "steps",         "residual",       "residual_time",
                                      "residual_a",       "residual_b",    "usual_residual", "penetration",
                                      "penetration_time", "penetration_a", "penetration_b"};
  static const char *const entries[BODY_LEDGER] = {"kinetic",        "potential",   "work",
                                                   "kinematic_work", "impact_loss", "friction_loss",
                                                   "contact_loss",   "lift",        "defect"};
  double t = last->t;
  size_t k = last->number;
  thud_verify_summary_keys(map, sizeof known / sizeof *known, known, check);
  thud_verify_note_number(map, "bodies", (double)bodies->count, 0, t, k, check);
  thud_verify_note_number(map, "time", t, 0, t, k, check);
  thud_verify_note_numbers(thud_node_find(map, "ledger"), BODY_LEDGER, entries, last->ledger, t, k, check);
  if (bodies->scene.record_every > 0) return;
  thud_verify_note_number(map, "steps", (double)k, 0, t, k, check);
  thud_verify_note_number(map, "residual", figures->residual, 0, t, k, check);
  thud_verify_note_number(map, "usual_residual", figures->usual_residual, 0, t, k, check);
  thud_verify_note_number(map, "penetration", figures->penetration, 0, t, k, check);
}

thud_error thud_verify_body_summary(thud_context *context, thud_record_reader *reader, const verify_bodies *bodies,
                                    const verify_body_figures *figures, const verify_body_row *last,
                                    thud_verify_check *check) {
  thud_record_info info = thud_record_reader_info(reader);
  thud_tree *tree;
  thud_error error = thud_verify_summary_open(context, reader, check, &tree);
  if (error == THUD_OK && tree != NULL && thud_verify_ran_to_end(&info)) {
    compare(thud_tree_root(tree), bodies, figures, last, check);
    error = compare_state(context, reader, thud_node_find(thud_tree_root(tree), "state"), last->number, last->t, check);
  }
  thud_tree_destroy(tree);
  return error;
}
