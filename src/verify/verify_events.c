#include "verify/verify_events.h"

#include <math.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------------------------------------------------
 */

/* Times and frames do not go back, and every event has its frame. */
static void check_order(verify_events *events, const thud_record_info *info, size_t kinds, thud_verify_check *check) {
  size_t frames = info->rows[THUD_RECORD_FRAMES], count = info->rows[THUD_RECORD_EVENTS];
  events->count = 0;
  for (size_t e = 0; e < count; e++) {
    double frame = events->frame[e];
    if (!(events->kind[e] >= 0 && events->kind[e] < (double)kinds))
      thud_verify_fail(check, events->t[e], SIZE_MAX, "event %zu is of no kind that has a name", e);
    if (e > 0 && !(events->t[e] >= events->t[e - 1] && frame >= events->frame[e - 1]))
      thud_verify_fail(check, events->t[e], SIZE_MAX, "event %zu comes after a later one", e);
    if (frame >= 0 && frame < (double)frames)
      events->count++;
    else if (info->finished || frame != (double)frames)
      thud_verify_fail(check, events->t[e], SIZE_MAX, "event %zu belongs to frame %g, of %zu", e, frame, frames);
  }
}

thud_error thud_verify_events_read(thud_context *context, thud_record_reader *reader, size_t n, size_t kinds,
                                   const char *const *names, verify_events *events, thud_verify_check *check) {
  const thud_record_info info = thud_record_reader_info(reader);
  const verify_channel channels[] = {{"t", 1, &events->t},
                                     {"kind", 1, &events->kind},
                                     {"frame", 1, &events->frame},
                                     {"before", n, &events->before},
                                     {"after", n, &events->after}};
  thud_error error = thud_verify_read_channels(context, reader, THUD_RECORD_EVENTS, sizeof channels / sizeof *channels,
                                               channels, check);
  if (error != THUD_OK || check->status == THUD_VERIFY_FAILED) return error;
  thud_verify_check_labels(reader, THUD_RECORD_EVENTS, "kind", kinds, names, check);
  check_order(events, &info, kinds, check);
  return THUD_OK;
}

/* NAME of every constraint, then NAME.t1, NAME.t2 of every friction law. */
static void check_reaction_names(const verify_system *system, const thud_record_reader *reader,
                                 thud_verify_check *check) {
  size_t index;
  if (system->m + system->s == 0 ||
      thud_record_find_channel(reader, THUD_RECORD_EVENTS, "reactions", &index) != THUD_OK)
    return;
  const thud_record_channel *found = thud_record_reader_channel(reader, THUD_RECORD_EVENTS, index);
  if (found->label_count != system->m + system->s)
    thud_verify_fail(check, NAN, SIZE_MAX, "%zu reactions have names, the scene has %zu", found->label_count,
                     system->m + system->s);
  for (size_t i = 0; i < system->m && i < found->label_count; i++)
    if (strcmp(found->labels[i], system->constraints[i].name) != 0)
      thud_verify_fail(check, NAN, SIZE_MAX, "reaction %zu is called '%s', the constraint '%s'", i, found->labels[i],
                       system->constraints[i].name);
  for (size_t l = 0; l < system->law_count; l++)
    for (size_t d = 0; d < system->laws[l].directions; d++) {
      size_t i = system->m + system->laws[l].first + d, length = strlen(system->laws[l].name);
      const char *name = i < found->label_count ? found->labels[i] : "";
      if (strncmp(name, system->laws[l].name, length) != 0 || strncmp(name + length, ".t", 2) != 0 ||
          name[length + 2] != (char)('1' + d))
        thud_verify_fail(check, NAN, SIZE_MAX, "reaction %zu is called '%s', not '%s.t%zu'", i, name,
                         system->laws[l].name, d + 1);
    }
}

/* Names of friction laws in the order of the scene; records of earlier versions have no list of them. */
static thud_error check_laws(const verify_system *system, thud_record_reader *reader, const verify_events *events,
                             thud_verify_check *check) {
  size_t index;
  if (system->law_count == 0 || thud_record_find_role(reader, THUD_RECORD_EVENTS, "laws", &index) != THUD_OK)
    return THUD_OK;
  const thud_record_channel *found = thud_record_reader_channel(reader, THUD_RECORD_EVENTS, index);
  verify_ragged laws = {0};
  const verify_ragged_channel channel = {"laws", 1, &laws};
  for (size_t l = 0; l < system->law_count; l++)
    if (found->label_count != system->law_count || strcmp(found->labels[l], system->laws[l].name) != 0) {
      thud_verify_fail(check, NAN, SIZE_MAX, "the friction laws of events are not those of the scene: '%s'",
                       system->laws[l].name);
      return THUD_OK;
    }
  thud_error error = thud_verify_read_ragged(system->scene.context, reader, THUD_RECORD_EVENTS, 1, &channel, check);
  for (size_t e = 0; error == THUD_OK && check->status != THUD_VERIFY_FAILED && e < events->count; e++)
    for (size_t k = 0; k < verify_ragged_count(&laws, e); k++)
      if (!(verify_ragged_row(&laws, e)[k] >= 0 && verify_ragged_row(&laws, e)[k] < (double)system->law_count))
        thud_verify_fail(check, events->t[e], SIZE_MAX, "event %zu names a friction law that the scene does not have",
                         e);
  thud_verify_ragged_free(system->scene.context, &laws);
  return error;
}

thud_error thud_verify_events_read_lists(const verify_system *system, thud_record_reader *reader, verify_events *events,
                                         thud_verify_check *check) {
  size_t group = system->m > 0, reactions = system->m + system->s > 0;
  const verify_ragged_channel channels[] = {{"constraints", group, &events->constraints},
                                            {"reactions", reactions, &events->reactions},
                                            {"impulse", reactions, &events->impulse}};
  thud_error error = thud_verify_read_ragged(system->scene.context, reader, THUD_RECORD_EVENTS,
                                             sizeof channels / sizeof *channels, channels, check);
  if (error != THUD_OK || check->status == THUD_VERIFY_FAILED) return error;
  const char *const *v = (const char *const *)system->velocities;
  thud_verify_check_components(reader, THUD_RECORD_EVENTS, "before", system->n, v, check);
  thud_verify_check_components(reader, THUD_RECORD_EVENTS, "after", system->n, v, check);
  check_reaction_names(system, reader, check);
  error = check_laws(system, reader, events, check);
  for (size_t e = 0; e < events->count; e++)
    if (verify_ragged_count(&events->reactions, e) != verify_ragged_count(&events->impulse, e))
      thud_verify_fail(check, events->t[e], SIZE_MAX, "event %zu has not one impulse per component", e);
  return error;
}

void thud_verify_events_free(thud_context *context, verify_events *events) {
  double *arrays[] = {events->t, events->kind, events->frame, events->before, events->after};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_verify_ragged_free(context, &events->constraints);
  thud_verify_ragged_free(context, &events->reactions);
  thud_verify_ragged_free(context, &events->impulse);
}

/* ---- comparing ----------------------------------------------------------------------------------------------------
 */

bool thud_verify_same_numbers(size_t count, const double *a, const double *b) {
  return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

/* Walks along the list of an event; entries that are not there are NaN. */
static double next_entry(const verify_ragged *list, size_t e, size_t *next) {
  double entry = *next < verify_ragged_count(list, e) ? verify_ragged_row(list, e)[*next] : (double)NAN;
  ++*next;
  return entry;
}

/* Component `i` and its impulse are the next ones in the event's lists. */
static bool is_next_impulse(const verify_claim *claim, const verify_events *events, size_t e, size_t i, size_t *next) {
  size_t place = *next;
  double component = next_entry(&events->reactions, e, next);
  return component == (double)i && verify_ragged_row(&events->impulse, e)[place] == claim->impulse[i];
}

/* Impulses of the friction laws of a constraint; SIZE_MAX: of those that belong to none. */
static bool has_friction(const verify_claim *claim, const verify_events *events, size_t e, size_t i, size_t *next) {
  const verify_system *system = claim->system;
  bool same = true;
  for (size_t l = 0; l < system->law_count; l++)
    for (size_t d = 0; d < system->laws[l].directions && system->laws[l].constraint == i && same; d++)
      same = is_next_impulse(claim, events, e, system->m + system->laws[l].first + d, next);
  return same;
}

/* Impulses of a constraint, then of its friction. */
static bool has_impulses(const verify_claim *claim, const verify_events *events, size_t e, size_t i, size_t *next) {
  return is_next_impulse(claim, events, e, i, next) && has_friction(claim, events, e, i, next);
}

void thud_verify_event_compare(const verify_claim *claim, const verify_events *events, size_t e,
                               thud_verify_check *check) {
  size_t named = 0, listed = 0;
  if (events->t[e] != claim->t)
    thud_verify_fail(check, claim->t, claim->frame, "the event of this frame is at t = %.17g", events->t[e]);
  for (size_t i = 0; i < claim->system->m; i++) {
    const char *name = claim->system->constraints[i].name;
    bool struck = claim->impulse != NULL && (claim->marks[i] != 0 || (claim->all_impulses && claim->impulse[i] != 0));
    if (struck && !has_impulses(claim, events, e, i, &listed))
      thud_verify_fail(check, claim->t, claim->frame, "the event's impulse of '%s' is not that of its frame", name);
    if (claim->marks[i] != 0 && next_entry(&events->constraints, e, &named) != (double)i)
      thud_verify_fail(check, claim->t, claim->frame, "the event does not name '%s', to which it happens in its frame",
                       name);
  }
  if (claim->own_laws && !has_friction(claim, events, e, SIZE_MAX, &listed))
    thud_verify_fail(check, claim->t, claim->frame, "the event's impulses of friction laws are not those of its frame");
  if (named != verify_ragged_count(&events->constraints, e) || listed != verify_ragged_count(&events->reactions, e))
    thud_verify_fail(check, claim->t, claim->frame,
                     "the event names constraints to which nothing happens in its frame");
}
