/* Events marked in panels over time. */
#include "plot/picture.h"

#include <math.h>

/* Events that show by themselves, as a jump and a stem: those with an impulse. Unless they close a time of their own
 * (role "begin"): the impulse there is not what they are about. */
static thud_error find_shown(thud_picture *picture, const plot_record *record, bool *shown) {
  plot_source source = {.table = THUD_RECORD_EVENTS};
  plot_reading reading;
  if (thud_record_find_role(record->reader, THUD_RECORD_EVENTS, "impulse", &source.index) != THUD_OK) return THUD_OK;
  if (thud_plot_channel(record, source)->type == THUD_RECORD_TEXT) return THUD_OK;
  thud_error error = thud_plot_read(picture, record, source, false, &reading);
  for (size_t k = 0; k < record->events && error == THUD_OK; k++) {
    if (reading.ends != NULL) shown[k] = reading.ends[k] > (k > 0 ? reading.ends[k - 1] : 0);
    for (size_t c = 0; c < reading.width && reading.ends == NULL; c++) {
      double impulse = reading.values[k * reading.width + c];
      shown[k] = shown[k] || (isfinite(impulse) && impulse != 0);
    }
    if (record->begin_event != NULL && isfinite(record->begin_event[k])) shown[k] = false;
  }
  thud_plot_reading_free(picture, &reading);
  return error;
}

static bool is_marked(const thud_picture *picture, const plot_record *record, const bool *shown, size_t k) {
  double t = record->t_event[k];
  return !shown[k] && isfinite(t) && t >= picture->from && t <= picture->to && (!picture->x_log || t > 0);
}

/* Lines at the events that do not show by themselves; none when they are too many. A name that would cross the next
 * line is left out. */
static thud_error place_marks(thud_picture *picture, const plot_record *record, const bool *shown) {
  const double last = fmin(thud_plot_last_time(record), picture->to);
  const double apart = 0.08 * (last - fmax(record->t[0], picture->from));
  size_t count = 0, index = 0, wanted = 0;
  for (size_t k = 0; k < record->events; k++) wanted += is_marked(picture, record, shown, k);
  if (wanted > PLOT_MOST_MARKS)
    return thud_plot_note(picture, "%zu events are not marked: at most %d are (--from, --to)", wanted, PLOT_MOST_MARKS);
  const thud_record_channel *kind = NULL;
  if (record->kind_event != NULL &&
      thud_record_find_role(record->reader, THUD_RECORD_EVENTS, "kind", &index) == THUD_OK)
    kind = thud_record_reader_channel(record->reader, THUD_RECORD_EVENTS, index);
  for (size_t k = 0; k < record->events; k++) {
    if (!is_marked(picture, record, shown, k)) continue;
    thud_plot_rule *mark = &picture->marks[count];
    *mark = picture->plain[count] = (thud_plot_rule){.vertical = true, .value = record->t_event[k]};
    if (count > 0 && mark->value < picture->marks[count - 1].value + apart) picture->marks[count - 1].label = NULL;
    count++;
    double number = kind != NULL ? record->kind_event[k] : -1;
    if (number >= 0 && number < (double)kind->label_count) mark->label = kind->labels[(size_t)number];
  }
  picture->mark_count = count;
  return THUD_OK;
}

thud_error thud_plot_mark_events(thud_picture *picture) {
  const plot_record *record = &picture->records[0];
  if (picture->record_count > 1 || record->events == 0 || record->t_event == NULL) return THUD_OK;
  bool *shown = THUD_NEW_ARRAY(picture->context, bool, record->events);
  if (shown == NULL) return THUD_ERROR_MEMORY;
  thud_error error = find_shown(picture, record, shown);
  if (error == THUD_OK) error = place_marks(picture, record, shown);
  thud_free(picture->context, shown);
  for (size_t p = 0; p < picture->panel_count; p++) {
    picture->panels[p].rules = p == 0 ? picture->marks : picture->plain;
    picture->panels[p].rule_count = picture->mark_count;
  }
  return error;
}
