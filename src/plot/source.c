/* The drawable values of a record, listed by the descriptions of its channels. */
#include "plot/picture.h"

#include <stdio.h>
#include <string.h>

static const thud_record_channel *frames_channel(const plot_record *record, size_t k) {
  return thud_record_reader_channel(record->reader, THUD_RECORD_FRAMES, k);
}

const thud_record_channel *thud_plot_channel(const plot_record *record, plot_source source) {
  return thud_record_reader_channel(record->reader, source.table, source.index);
}

size_t thud_plot_find(const plot_record *record, thud_record_table table, const char *name) {
  const thud_record_channel *channel;
  for (size_t k = 0; name != NULL && (channel = thud_record_reader_channel(record->reader, table, k)) != NULL; k++)
    if (strcmp(channel->name, name) == 0) return k;
  return SIZE_MAX;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* Slopes have the name of their limits: v for v_left. */
static void name_slopes(const thud_record_channel *channel, char name[PLOT_NAME]) {
  static const char ending[] = "_left";
  size_t length = strlen(channel->left), tail = sizeof ending - 1;
  if (length > tail && strcmp(channel->left + length - tail, ending) == 0)
    snprintf(name, PLOT_NAME, "%.*s", (int)(length - tail), channel->left);
  else
    snprintf(name, PLOT_NAME, "%s'", channel->name);
}

void thud_plot_source_name(const plot_record *record, plot_source source, char name[PLOT_NAME]) {
  const thud_record_channel *channel = thud_plot_channel(record, source);
  if (source.part == PLOT_SLOPES)
    name_slopes(channel, name);
  else if (source.part == PLOT_ATOMS) /* unless a channel of the frames has this name already */
    snprintf(name, PLOT_NAME, "%s",
             thud_plot_find(record, THUD_RECORD_FRAMES, "impulse") == SIZE_MAX ? "impulse" : "atoms");
  else
    snprintf(name, PLOT_NAME, "%s", channel->name);
}

bool thud_plot_find_source(const plot_record *record, const char *name, plot_source *source) {
  char candidate[PLOT_NAME];
  for (size_t k = 0; k < record->source_count; k++) {
    thud_plot_source_name(record, record->sources[k], candidate);
    if (strcmp(candidate, name) != 0) continue;
    *source = record->sources[k];
    return true;
  }
  return false;
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

bool thud_plot_is_reaction(const plot_record *record, plot_source source) {
  const thud_record_channel *channel = thud_plot_channel(record, source);
  if (source.table != THUD_RECORD_FRAMES || channel->state) return false;
  return strcmp(channel->role, "reaction") == 0 || strcmp(channel->role, "reaction_series") == 0;
}

static bool is_drawable(const thud_record_channel *channel) {
  return channel->type != THUD_RECORD_TEXT && strcmp(channel->role, "time") != 0;
}

/* Adds a source unless its name is taken. */
static void add(plot_record *record, plot_source source) {
  char name[PLOT_NAME];
  plot_source same;
  thud_plot_source_name(record, source, name);
  if (!thud_plot_find_source(record, name, &same)) record->sources[record->source_count++] = source;
}

static void add_channel(plot_record *record, thud_record_table table, size_t k) {
  const thud_record_channel *channel = thud_record_reader_channel(record->reader, table, k);
  plot_source source = {.table = table, .index = k};
  if (!is_drawable(channel)) return;
  add(record, source);
  if (table != THUD_RECORD_FRAMES || channel->look != THUD_LOOK_SERIES || channel->left == NULL) return;
  source.part = PLOT_SLOPES;
  add(record, source);
}

/* The state; of a record that names none, the first channels that are known between the rows. */
static void add_state(plot_record *record, size_t channels) {
  enum { FIRST = 3 };
  for (size_t k = 0; k < channels; k++)
    if (frames_channel(record, k)->state) add_channel(record, THUD_RECORD_FRAMES, k);
  for (size_t k = 0, found = record->source_count > 0 ? FIRST : 0; k < channels && found < FIRST; k++) {
    plot_source source = {.table = THUD_RECORD_FRAMES, .index = k};
    if (frames_channel(record, k)->look == THUD_LOOK_POINT || thud_plot_is_reaction(record, source)) continue;
    found += is_drawable(frames_channel(record, k));
    add_channel(record, THUD_RECORD_FRAMES, k);
  }
}

static bool is_measure(const thud_record_channel *channel) {
  return (channel->look == THUD_LOOK_DENSITY || channel->look == THUD_LOOK_IMPULSE) && channel->atom != NULL;
}

static void add_impulse(plot_record *record, size_t channels) {
  plot_source source = {.part = PLOT_ATOMS};
  for (source.index = 0; source.index < channels; source.index++)
    if (is_measure(frames_channel(record, source.index)) && is_drawable(frames_channel(record, source.index))) {
      add(record, source);
      return;
    }
  source.table = THUD_RECORD_EVENTS;
  if (record->t_event == NULL) return;
  if (thud_record_find_role(record->reader, source.table, "impulse", &source.index) != THUD_OK) return;
  if (is_drawable(thud_plot_channel(record, source))) add(record, source);
}

thud_error thud_plot_list_sources(const thud_picture *picture, plot_record *record) {
  thud_record_info info = thud_record_reader_info(record->reader);
  size_t channels = info.channel_count[THUD_RECORD_FRAMES], events = info.channel_count[THUD_RECORD_EVENTS];
  record->sources = THUD_NEW_ARRAY(picture->context, plot_source, 2 * channels + events + 1);
  if (record->sources == NULL) return THUD_ERROR_MEMORY;
  add_state(record, channels);
  record->state_count = record->source_count;
  for (size_t k = 0; k < channels; k++)
    if (thud_plot_is_reaction(record, (plot_source){.table = THUD_RECORD_FRAMES, .index = k}))
      add_channel(record, THUD_RECORD_FRAMES, k);
  add_impulse(record, channels);
  record->usual_count = record->source_count;
  for (size_t k = 0; k < channels; k++) add_channel(record, THUD_RECORD_FRAMES, k);
  for (size_t k = 0; k < events && record->t_event != NULL; k++) add_channel(record, THUD_RECORD_EVENTS, k);
  return THUD_OK;
}
