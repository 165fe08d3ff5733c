/* Events of a record of rigid bodies, its summary and its ledger. */
#include "verify/verify_observe.h"
#include "verify/bodies/verify_bodies.h"
#include "verify/verify_channels.h"
#include "verify/verify_summary.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  IMPACT = VERIFY_EVENT_IMPACT,
  BEGIN = VERIFY_EVENT_BEGIN,
  END = VERIFY_EVENT_END,
  SLEEP = VERIFY_EVENT_SLEEP,
  WAKE = VERIFY_EVENT_WAKE,
  CHANGE = VERIFY_CHANGE_ADD,
  KINDS = VERIFY_EVENT_KINDS
};

/* ---- every event ---------------------------------------------------------------------------------------------------- */

static void check_event(const verify_body_events *events, size_t k, const verify_bodies *bodies,
                        thud_verify_check *check) {
  double t = events->t[k], kind = events->kind[k];
  size_t wanted = kind >= VERIFY_CHANGE_PAIR ? 0
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

/* Bodies of which impulses had no room to be carried on: the run does not know what begins and ends there. */
static thud_error find_losses(thud_record_reader *reader, verify_body_events *events) {
  size_t warnings = thud_record_reader_info(reader).rows[THUD_RECORD_WARNINGS];
  thud_error error = THUD_OK;
  events->complete = true;
  for (size_t k = 0; k < warnings && error == THUD_OK; k++) {
    thud_record_note note;
    error = thud_record_read_note(reader, THUD_RECORD_WARNINGS, k, &note);
    if (error == THUD_OK && strcmp(note.kind, "lost-starts") == 0) events->complete = false;
  }
  return error;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------------- */

thud_error thud_verify_body_events_read(thud_context *context, thud_record_reader *reader, const verify_bodies *bodies,
                                        thud_verify_check *check, verify_body_events *events) {
  static const char *const kinds[KINDS] = {"begin",  "end",    "impact",  "sleep", "wake",    "add",
                                           "remove", "state",  "impulse", "force", "release", "material",
                                           "pair",   "detach", "attach",  "motor"};
  *events = (verify_body_events){.dimension = bodies->planar ? 2 : 3,
                                 .count = thud_record_reader_info(reader).rows[THUD_RECORD_EVENTS]};
  const verify_channel channels[] = {
      {"t", 1, &events->t},         {"kind", 1, &events->kind},         {"point", events->dimension, &events->point},
      {"frame", 1, &events->frame}, {"approach", 1, &events->approach}, {"impulse", 1, &events->impulse}};
  const verify_ragged_channel lists[] = {{"bodies", 1, &events->bodies}, {"values", 1, &events->values}};
  thud_error error = thud_verify_read_channels(context, reader, THUD_RECORD_EVENTS, sizeof channels / sizeof *channels,
                                               channels, check);
  if (error == THUD_OK) error = thud_verify_read_ragged(context, reader, THUD_RECORD_EVENTS, 2, lists, check);
  if (error == THUD_OK) error = find_losses(reader, events);
  events->asleep = THUD_NEW_ARRAY(context, bool, bodies->count);
  if (error == THUD_OK && events->asleep == NULL) error = THUD_ERROR_MEMORY;
  thud_verify_check_labels(reader, THUD_RECORD_EVENTS, "kind", KINDS, kinds, check);
  bool there = error == THUD_OK && check->status != THUD_VERIFY_FAILED;
  for (size_t k = 0; there && k < events->count; k++) check_event(events, k, bodies, check);
  events->usable = error == THUD_OK && check->status != THUD_VERIFY_FAILED;
  return error;
}

void thud_verify_body_events_free(thud_context *context, verify_body_events *events) {
  double *const arrays[] = {events->t, events->kind, events->point, events->approach, events->impulse, events->frame};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_free(context, events->asleep);
  thud_verify_ragged_free(context, &events->bodies);
  thud_verify_ragged_free(context, &events->values);
}

/* ---- frames of events ----------------------------------------------------------------------------------------------- */

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

void thud_verify_body_events_check(const verify_body_events *events, size_t rows, const double *times,
                                   thud_verify_check *check) {
  size_t changes = 0;
  for (size_t k = 0; events->usable && k < events->count; k++) {
    check_frame(events, k, rows, times, check);
    changes += events->kind[k] >= CHANGE;
  }
  if (check->status == THUD_VERIFY_PASSED && changes > 0)
    thud_verify_explain(check, "%zu events, %zu of them changes", events->count, changes);
  else if (check->status == THUD_VERIFY_PASSED && isnan(check->worst))
    thud_verify_explain(check, "%zu event%s", events->count, thud_plural(events->count));
}

/* ---- impacts of a step ----------------------------------------------------------------------------------------------------------- */

size_t thud_verify_body_impact_count(const verify_body_events *events) {
  size_t count = 0;
  for (size_t k = 0; events->usable && k < events->count; k++) count += events->kind[k] == IMPACT;
  return count;
}

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
  events->shown += listed;
  for (size_t k = 0; k < row->contact_count; k++) {
    const verify_body_contact *c = &row->contact[k];
    verify_loss loss = thud_verify_contact_loss(step, k);
    double impulse = thud_vec3_dot(c->normal, c->impulse);
    if (loss.unsure || fabs(impulse) <= VERIFY_SUMS * thud_vec3_norm(c->impulse)) {
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
    if (thud_verify_tally(check, fabs(events->approach[at] - loss.approach), blur * loss.speed, 0, row->t, row->number))
      thud_verify_explain(check, "approach of an impact");
    if (thud_verify_tally(check, fabs(events->impulse[at] - impulse), VERIFY_SUMS * thud_vec3_norm(c->impulse), 0,
                          row->t, row->number))
      thud_verify_explain(check, "impulse of an impact");
  }
  if (listed < impacts || listed > impacts + unsure)
    thud_verify_fail(check, row->t, row->number, "there are %zu impacts and %zu events of impacts", impacts, listed);
}

/* ---- contacts that begin and end, bodies that fall asleep and wake ------------------------------------------------- */

void thud_verify_body_sleepers(verify_body_events *events, const verify_bodies *bodies, const verify_body_row *row,
                               thud_verify_check *check) {
  if (!events->usable) return;
  for (; events->next_sleep < events->count && events->frame[events->next_sleep] <= (double)row->number;
       events->next_sleep++) {
    size_t k = events->next_sleep;
    double kind = events->kind[k];
    if ((kind != SLEEP && kind != WAKE) || verify_ragged_count(&events->bodies, k) != 1) continue;
    double who = *verify_ragged_row(&events->bodies, k);
    if (!(who >= 0 && who < (double)bodies->count)) continue;
    if (events->asleep[(size_t)who] == (kind == SLEEP))
      thud_verify_fail(check, events->t[k], SIZE_MAX, "event %zu: '%s' is%s asleep already", k,
                       bodies->body[(size_t)who].name, kind == SLEEP ? "" : " not");
    events->asleep[(size_t)who] = kind == SLEEP;
  }
  for (size_t i = 0; i < bodies->count; i++)
    if (row->asleep[i] != events->asleep[i])
      thud_verify_fail(check, row->t, row->number, "'%s' is%s asleep, its events say otherwise", bodies->body[i].name,
                       row->asleep[i] ? "" : " not");
}

/* Does an impulse act between two parts: no, rounding decides, yes. */
typedef enum acting { ACTS_NOT, ACTS_PERHAPS, ACTS } acting;

typedef struct acting_pair {
  size_t part[2], body[2];
  acting before, after;
} acting_pair;

static int by_parts(const void *left, const void *right) {
  const acting_pair *a = left, *b = right;
  if (a->part[0] != b->part[0]) return a->part[0] < b->part[0] ? -1 : 1;
  return a->part[1] < b->part[1] ? -1 : a->part[1] > b->part[1];
}

static acting acts(const verify_body_contact *c) {
  double normal = thud_vec3_dot(c->normal, c->impulse), size = thud_vec3_norm(c->impulse);
  return normal > VERIFY_SUMS * size ? ACTS : size > 0 && normal >= -VERIFY_SUMS * size ? ACTS_PERHAPS : ACTS_NOT;
}

static acting_pair *add_pairs(const verify_body_row *row, bool after, acting_pair *to) {
  for (size_t k = 0; k < row->contact_count; k++) {
    const verify_body_contact *c = &row->contact[k];
    bool order = c->part_a < c->part_b;
    *to++ = (acting_pair){.part = {order ? c->part_a : c->part_b, order ? c->part_b : c->part_a},
                          .body = {c->a, c->b},
                          .before = after ? ACTS_NOT : acts(c),
                          .after = after ? acts(c) : ACTS_NOT};
  }
  return to;
}

/* One entry for each pair of parts; how many. */
static size_t merge_pairs(size_t count, acting_pair *pairs) {
  size_t used = 0;
  qsort(pairs, count, sizeof *pairs, by_parts);
  for (size_t k = 0; k < count; k++) {
    acting_pair *last = used > 0 ? &pairs[used - 1] : NULL;
    if (last == NULL || by_parts(last, &pairs[k]) != 0) {
      pairs[used++] = pairs[k];
      continue;
    }
    if (pairs[k].before > last->before) last->before = pairs[k].before;
    if (pairs[k].after > last->after) last->after = pairs[k].after;
  }
  return used;
}

static bool is_between(const verify_body_events *events, size_t k, double kind, const acting_pair *pair) {
  const double *who = verify_ragged_row(&events->bodies, k), a = (double)pair->body[0], b = (double)pair->body[1];
  if (events->kind[k] != kind || verify_ragged_count(&events->bodies, k) != 2) return false;
  return (who[0] == a && who[1] == b) || (who[0] == b && who[1] == a);
}

/* Every change that is certain has its event among those of the step, and there are no more events than changes that may be. */
static void check_changes(const verify_body_events *events, const verify_body_step *step, size_t count,
                          const acting_pair *pairs, int kind, thud_verify_check *check) {
  const verify_body_row *row = step->row;
  const char *word = kind == BEGIN ? "begin" : "end";
  size_t first = events->next, end = first, listed = 0, possible = 0;
  for (; end < events->count && events->t[end] == row->t; end++) listed += events->kind[end] == kind;
  for (size_t k = 0; k < count; k++) {
    acting from = kind == BEGIN ? pairs[k].before : pairs[k].after,
           to = kind == BEGIN ? pairs[k].after : pairs[k].before;
    if (from == ACTS || to == ACTS_NOT) continue;
    possible++;
    if (from == ACTS_PERHAPS || to == ACTS_PERHAPS) continue;
    size_t at = first;
    while (at < end && !is_between(events, at, kind, &pairs[k])) at++;
    if (at == end)
      thud_verify_fail(check, row->t, row->number, "the %s of the contact of '%s' and '%s' has no event", word,
                       step->bodies->body[pairs[k].body[0]].name, step->bodies->body[pairs[k].body[1]].name);
  }
  if (listed > possible)
    thud_verify_fail(check, row->t, row->number, "%zu contacts %s, and there are %zu events of that", possible, word,
                     listed);
}

thud_error thud_verify_body_changes(thud_context *context, const verify_body_events *events,
                                    const verify_body_step *step, const verify_body_row *before,
                                    thud_verify_check *check) {
  size_t total = before->contact_count + step->row->contact_count;
  if (!events->usable || !events->complete) return THUD_OK;
  acting_pair *pairs = THUD_NEW_ARRAY(context, acting_pair, total);
  if (pairs == NULL) return THUD_ERROR_MEMORY;
  add_pairs(step->row, true, add_pairs(before, false, pairs));
  size_t count = merge_pairs(total, pairs);
  check_changes(events, step, count, pairs, BEGIN, check);
  check_changes(events, step, count, pairs, END, check);
  thud_free(context, pairs);
  return THUD_OK;
}

/* ---- summary ------------------------------------------------------------------------------------------------------------------------ */

verify_body_figures thud_verify_body_figures_none(void) {
  return (verify_body_figures){.worst = {-1, -1}, .deepest = {-1, -1}};
}

/* The last of equal residuals counts, and the first of equal overlaps. */
void thud_verify_body_figures_take(verify_body_figures *figures, const verify_body_row *row) {
  if (row->worst[0] >= 0 && row->residual >= figures->residual) {
    figures->residual_time = row->t;
    memcpy(figures->worst, row->worst, sizeof row->worst);
  }
  if (row->penetration > figures->penetration) {
    figures->penetration_time = row->t;
    memcpy(figures->deepest, row->deepest, sizeof row->deepest);
  }
  if (row->residual > figures->residual) figures->residual = row->residual;
  if (row->usual_residual > figures->usual_residual) figures->usual_residual = row->usual_residual;
  if (row->penetration > figures->penetration) figures->penetration = row->penetration;
}

static void compare_name(const thud_node *map, const char *key, const verify_bodies *bodies, double body,
                         const verify_body_row *last, thud_verify_check *check) {
  const thud_node *node = thud_node_find(map, key);
  const char *found = node != NULL && thud_node_get_kind(node) == THUD_NODE_STRING ? thud_node_string(node) : "";
  const char *expected = body >= 0 && body < (double)bodies->count ? bodies->body[(size_t)body].name : "";
  if (strcmp(found, expected) != 0)
    thud_verify_fail(check, last->t, last->number, "'%s' is '%s', '%s' in the frames", key, found, expected);
}

/* The state that the summary shows is that of the last row; of many bodies it shows none. */
static thud_error compare_state(thud_context *context, thud_record_reader *reader, const thud_node *state, size_t row,
                                double t, thud_verify_check *check) {
  static const char *const roles[] = {"position", "rotation", "velocity", "spin"};
  thud_error error = THUD_OK;
  size_t named = thud_verify_observed_state(reader);
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
                                      "penetration_time", "penetration_a", "penetration_b",  "redundant_equations",
                                      "undetermined"};
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
  thud_verify_note_number(map, "residual_time", figures->residual_time, 0, t, k, check);
  thud_verify_note_number(map, "penetration_time", figures->penetration_time, 0, t, k, check);
  compare_name(map, "residual_a", bodies, figures->worst[0], last, check);
  compare_name(map, "residual_b", bodies, figures->worst[1], last, check);
  compare_name(map, "penetration_a", bodies, figures->deepest[0], last, check);
  compare_name(map, "penetration_b", bodies, figures->deepest[1], last, check);
}

thud_error thud_verify_body_summary(const verify_record *record, const thud_node *summary, const verify_bodies *bodies,
                                    const verify_body_figures *figures, const verify_body_row *last,
                                    thud_verify_check *check) {
  if (!thud_verify_ran_to_end(&record->info)) return THUD_OK;
  compare(summary, bodies, figures, last, check);
  return compare_state(record->context, record->reader, thud_node_find(summary, "state"), last->number, last->t, check);
}

/* ---- the ledger -------------------------------------------------------------------------------------------------- */

/* The ledger: energies of the states, the balance of every row, and what each rebuilt step adds. */

/* kinetic + potential = initial + work - losses + lift + defect, the initial energy known up to doubt. */
void thud_verify_body_energies(const verify_bodies *bodies, const verify_body_row *row, double initial, double doubt,
                               thud_verify_check *check) {
  const double *l = row->ledger;
  double size, kinetic = thud_verify_bodies_kinetic(bodies, row->end);
  double potential = thud_verify_bodies_potential(bodies, row->end, &size);
  if (thud_verify_tally(check, fabs(l[BODY_KINETIC] - kinetic), VERIFY_SUMS * kinetic, 0, row->t, row->number))
    thud_verify_explain(check, "kinetic energy");
  if (thud_verify_tally(check, fabs(l[BODY_POTENTIAL] - potential), VERIFY_SUMS * size, 0, row->t, row->number))
    thud_verify_explain(check, "potential energy");
  double losses = l[BODY_IMPACT_LOSS] + l[BODY_FRICTION_LOSS] + l[BODY_CONTACT_LOSS], total = 0;
  for (int k = 0; k < BODY_LEDGER; k++) total += fabs(l[k]);
  double left = l[BODY_KINETIC] + l[BODY_POTENTIAL] - (initial + l[BODY_WORK] - losses + l[BODY_LIFT] + l[BODY_DEFECT]);
  if (thud_verify_tally(check, fabs(left), VERIFY_SUMS * (total + fabs(initial)) + doubt, 0, row->t, row->number))
    thud_verify_explain(check, "balance of the ledger");
}

/* ---- one step --------------------------------------------------------------------------------------------------------------- */

/* What the step adds to the entries, and the sizes of the terms. */
typedef struct booking {
  double entry[BODY_LEDGER], size[BODY_LEDGER];
} booking;

static void book(booking *b, int entry, double amount, double size) {
  b->entry[entry] += amount;
  b->size[entry] += size;
}

/* h f.(v+ + v)/2 of applied forces and dampers. */
static void book_forces(const verify_body_step *step, booking *b) {
  const verify_body_row *row = step->row;
  for (size_t i = 0; i < step->bodies->count; i++) {
    if (!step->moves[i]) continue;
    thud_vec3 v = thud_vec3_scale(0.5 * row->step, thud_vec3_add(row->end[i].v, row->v_left[i]));
    thud_vec3 w = thud_vec3_scale(0.5 * row->step, thud_vec3_add(step->after[i].w, row->w_left[i]));
    double speed = thud_vec3_norm(row->end[i].v) + thud_vec3_norm(row->v_left[i]);
    double spin = thud_vec3_norm(row->end[i].w) + thud_vec3_norm(row->w_left[i]);
    v = thud_vec3_add(v, step->shift[i]);
    w = thud_vec3_add(w, step->twist[i]);
    double work = thud_vec3_dot(step->applied[i], v) + thud_vec3_dot(step->applied_torque[i], w);
    book(b, BODY_WORK, work, row->step * (step->size[2 * i] * speed + step->size[2 * i + 1] * spin));
  }
}

static void book_contact(const verify_body_step *step, size_t k, booking *b) {
  const verify_body_contact *c = &step->row->contact[k];
  verify_loss loss = thud_verify_contact_loss(step, k);
  book(b, loss.impact ? BODY_IMPACT_LOSS : BODY_CONTACT_LOSS, loss.normal, loss.size);
  book(b, loss.impact ? BODY_IMPACT_LOSS : BODY_FRICTION_LOSS, loss.rest, loss.size);
  if (step->bodies->body[c->b].role != VERIFY_KINEMATIC) return;
  verify_drive drive = thud_verify_body_drive(step, c);
  verify_body_state drivers[2] = {drive.before, drive.after};
  if (!drive.carries) drivers[0].x = drivers[1].x = thud_verify_centre_at(step, c->b, c->ahead);
  double work = 0;
  for (int side = 0; side < 2; side++)
    work += 0.5 * (thud_vec3_dot(c->impulse, verify_velocity_at(&drivers[side], c->point)) +
                   thud_vec3_dot(c->moment, drivers[side].w));
  book(b, BODY_WORK, work, loss.size);
  book(b, BODY_KINEMATIC_WORK, work, loss.size);
}

/* Forces that answer to the step. */
static thud_error book_implicit(thud_context *context, const verify_body_step *step, booking *b) {
  size_t n = step->bodies->count;
  double size;
  thud_vec3 *impulse = THUD_NEW_ARRAY(context, thud_vec3, n), *moment = THUD_NEW_ARRAY(context, thud_vec3, n);
  bool made = impulse != NULL && moment != NULL;
  for (size_t k = 0; made && k < step->row->contact_count; k++) {
    const verify_body_contact *c = &step->row->contact[k];
    for (int side = 0; side < 2; side++) {
      size_t i = side == 0 ? c->a : c->b;
      thud_vec3 lever = thud_vec3_subtract(c->point, thud_verify_centre_at(step, i, c->ahead));
      impulse[i] = thud_vec3_add_scaled(impulse[i], side == 0 ? 1 : -1, c->impulse);
      thud_vec3 turn = thud_vec3_add(c->moment, thud_vec3_cross(lever, c->impulse));
      moment[i] = thud_vec3_add_scaled(moment[i], side == 0 ? 1 : -1, turn);
    }
  }
  for (size_t k = 0; made && k < step->bodies->joint_count; k++) {
    const verify_joint *joint = &step->bodies->joint[k];
    if (joint->law_count == 0 || !verify_joint_holds(step->bodies, joint)) continue;
    for (int side = 0; side < (joint->b == SIZE_MAX ? 1 : 2); side++) {
      size_t i = side == 0 ? joint->a : joint->b;
      thud_vec3 push, turn;
      thud_verify_law_impulse(step, k, side, &push, &turn, &size);
      impulse[i] = thud_vec3_add(impulse[i], push);
      moment[i] = thud_vec3_add(moment[i], turn);
    }
  }
  if (made) {
    double work = thud_verify_implicit_work(step, impulse, moment, &size), damped;
    book(b, BODY_WORK, work, size);
    work = thud_verify_spring_work(step, &damped, &size);
    book(b, BODY_WORK, work, size);
    book(b, BODY_KINEMATIC_WORK, work + damped, size);
  }
  thud_free(context, impulse);
  thud_free(context, moment);
  return made ? THUD_OK : THUD_ERROR_MEMORY;
}

/* Work of paths through joints: what the others get is what the body on the path does not. */
static void book_joints(const verify_body_step *step, booking *b) {
  const verify_bodies *bodies = step->bodies;
  for (size_t k = 0; k < bodies->joint_count; k++) {
    const verify_joint *joint = &bodies->joint[k];
    if (!verify_joint_holds(bodies, joint)) continue;
    for (int side = 0; side < (joint->b == SIZE_MAX ? 1 : 2); side++) {
      size_t i = side == 0 ? joint->a : joint->b;
      thud_vec3 impulse, moment;
      thud_verify_joint_impulse(step, k, side, false, &impulse, &moment);
      thud_vec3 v = thud_vec3_scale(0.5, thud_vec3_add(step->middle[i].v, step->after[i].v));
      thud_vec3 w = thud_vec3_scale(0.5, thud_vec3_add(step->middle[i].w, step->after[i].w));
      double work = thud_vec3_dot(impulse, v) + thud_vec3_dot(moment, w);
      double size = thud_vec3_norm(impulse) * (thud_vec3_norm(step->middle[i].v) + thud_vec3_norm(step->after[i].v)) +
                    thud_vec3_norm(moment) * (thud_vec3_norm(step->middle[i].w) + thud_vec3_norm(step->after[i].w));
      /* Euler's equations, in which moments of joints take part, are solved up to rounding of the angular momentum. */
      double turning = thud_mat3_trace(bodies->body[i].inertia) * (thud_vec3_dot(step->middle[i].w, step->middle[i].w) +
                                                                   thud_vec3_dot(step->after[i].w, step->after[i].w));
      if (!bodies->planar) size += 64 * DBL_EPSILON / VERIFY_SUMS * turning;
      book(b, BODY_WORK, 0, size); /* of both sides together it is 0 */
      if (bodies->body[i].role == VERIFY_KINEMATIC) book(b, BODY_KINEMATIC_WORK, -work, size);
    }
  }
}

static void book_laws(const verify_body_step *step, booking *b) {
  const verify_bodies *bodies = step->bodies;
  for (size_t k = 0; k < bodies->joint_count; k++)
    for (int c = 0; c < bodies->joint[k].law_count; c++) {
      verify_law_work work;
      if (!verify_joint_holds(bodies, &bodies->joint[k])) continue;
      thud_verify_book_law(step, k, c, &work);
      book(b, BODY_WORK, work.motor + work.path, work.size);
      book(b, BODY_KINEMATIC_WORK, work.path, work.size);
      book(b, BODY_FRICTION_LOSS, work.friction, work.size);
      book(b, work.impact ? BODY_IMPACT_LOSS : BODY_CONTACT_LOSS, work.limit, work.size);
      if (!work.unsure) continue; /* where rounding decides, the loss may be in either entry */
      book(b, BODY_IMPACT_LOSS, 0, fabs(work.limit) / VERIFY_SUMS + work.size);
      book(b, BODY_CONTACT_LOSS, 0, fabs(work.limit) / VERIFY_SUMS + work.size);
    }
}

/* What moving bodies apart adds to the potential energy, from the states with and without it. */
static thud_error book_lift(thud_context *context, const verify_body_step *step, booking *b) {
  const verify_bodies *bodies = step->bodies;
  const verify_body_row *row = step->row;
  double size, before;
  verify_body_state *state = THUD_NEW_ARRAY(context, verify_body_state, bodies->count);
  if (state == NULL) return THUD_ERROR_MEMORY;
  thud_verify_body_take_back(bodies, row, state);
  before = thud_verify_bodies_potential(bodies, state, &size);
  book(b, BODY_LIFT, thud_verify_bodies_potential(bodies, row->end, &size) - before, size);
  thud_free(context, state);
  return THUD_OK;
}

thud_error thud_verify_body_work(thud_context *context, const verify_body_step *step, const verify_body_row *before,
                                 thud_verify_check *check) {
  static const char *const names[BODY_LEDGER] = {"kinetic",        "potential",   "work",
                                                 "kinematic work", "impact loss", "friction loss",
                                                 "contact loss",   "lift",        "defect"};
  const verify_body_row *row = step->row;
  booking b = {0};
  book(&b, BODY_WORK, step->brought, step->brought_size);
  book_forces(step, &b);
  for (size_t k = 0; k < row->contact_count; k++) book_contact(step, k, &b);
  book_joints(step, &b);
  book_laws(step, &b);
  thud_error error = book_implicit(context, step, &b);
  if (error == THUD_OK) error = book_lift(context, step, &b);
  for (int k = BODY_WORK; error == THUD_OK && k <= BODY_LIFT; k++) {
    double found = row->ledger[k] - before->ledger[k];
    double size = b.size[k] + fabs(row->ledger[k]) + fabs(before->ledger[k]);
    if (thud_verify_tally(check, fabs(found - b.entry[k]), VERIFY_SUMS * size, 0, row->t, row->number))
      thud_verify_explain(check, "%s of the step", names[k]);
  }
  return error;
}
