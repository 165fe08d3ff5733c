#include "event_rows.h"
#include "record_copy.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_CHANNELS = 10, EVENT_CHANNELS = 23, MOST_REACTIONS = 2 };

static const char *const modes[] = {"open", "lasting", "leaving", "undecided", "sticking", "sliding"};
static const char *const kinds[] = {"impact", "zeno", "close",  "open",      "graze",
                                    "stick",  "slip", "switch", "percussion"};

/* A channel of a fixed number of components, and a ragged one. */
static thud_record_channel fixed(const char *name, const char *role, thud_record_type type, size_t width,
                                 const char *const *components) {
  return (thud_record_channel){.name = name, .role = role, .type = type, .width = width, .components = components};
}

static thud_record_channel ragged(const char *name, thud_record_type type, size_t labels, const char *const *names,
                                  const char *at, size_t group) {
  return (thud_record_channel){
      .name = name, .role = name, .type = type, .label_count = labels, .labels = names, .at = at, .group = group};
}

static void describe_frames(const event_system *system, const char *const *velocities, const char *const *reactions,
                            thud_record_channel channels[FRAME_CHANNELS]) {
  const thud_record_type real = THUD_RECORD_REAL, small = THUD_RECORD_SMALL;
  const thud_record_channel all[FRAME_CHANNELS] = {fixed("t", "time", real, 1, NULL),
                                                   fixed("t_end", "end", real, 1, NULL),
                                                   ragged("q", real, 0, NULL, NULL, system->n),
                                                   ragged("reaction", real, 0, NULL, NULL, 1 + system->slips),
                                                   fixed("mode", "mode", small, 1, reactions),
                                                   fixed("order", "order", small, 1, reactions),
                                                   fixed("v_left", "velocity_left", real, system->n, velocities),
                                                   fixed("mode_left", "mode_left", small, 1, reactions),
                                                   fixed("accumulation", "accumulation", small, 1, NULL),
                                                   fixed("ledger", "ledger", real, 9, NULL)};
  memcpy(channels, all, sizeof all);
  channels[2].role = "position_series";
  channels[2].components = system->coordinates;
  channels[3].role = "reaction_series";
  channels[2].look = channels[3].look = THUD_LOOK_SERIES;
  channels[4].label_count = channels[7].label_count = sizeof modes / sizeof *modes;
  channels[4].labels = channels[7].labels = modes;
}

static void describe_events(const event_system *system, const char *const *velocities, const char *const *reactions,
                            thud_record_channel channels[EVENT_CHANNELS]) {
  const thud_record_type real = THUD_RECORD_REAL, small = THUD_RECORD_SMALL, index = THUD_RECORD_INTEGER;
  const thud_record_channel all[EVENT_CHANNELS] = {
      fixed("t", "time", real, 1, NULL),
      fixed("kind", "kind", small, 1, NULL),
      fixed("t_error", "time_error", real, 1, NULL),
      ragged("constraints", index, 1, reactions, NULL, 1),
      fixed("before", "before", real, system->n, velocities),
      fixed("after", "after", real, system->n, velocities),
      ragged("reactions", index, 1 + system->slips, reactions, NULL, 1),
      ragged("impulse", real, 0, NULL, "reactions", 1),
      ragged("changed", index, 1, reactions, NULL, 1),
      ragged("modes", small, sizeof modes / sizeof *modes, modes, "changed", 2),
      fixed("order", "order", small, 1, NULL),
      fixed("cosine", "cosine", real, 1, NULL),
      fixed("tangential", "tangential", small, 1, NULL),
      fixed("residual", "residual", real, 1, NULL),
      fixed("begin", "begin", real, 1, NULL),
      fixed("duration", "duration", real, 1, NULL),
      fixed("ratio", "ratio", real, 1, NULL),
      fixed("impacts", "impacts", real, 1, NULL),
      fixed("limit_error", "limit_error", real, 1, NULL),
      ragged("total_impulse", real, 0, NULL, "reactions", 1),
      ragged("note", THUD_RECORD_TEXT, 0, NULL, NULL, 0),
      fixed("ledger", "ledger", real, 9, NULL),
      fixed("frame", "frame", index, 1, NULL)};
  memcpy(channels, all, sizeof all);
  channels[1].label_count = sizeof kinds / sizeof *kinds;
  channels[1].labels = kinds;
}

static thud_record_cell cell(const double *values, size_t count) {
  return (thud_record_cell){.values = values, .count = count};
}

static void append_frame(thud_record_writer *writer, const event_system *system, const event_row *row) {
  bool arc = row->t_end > row->t;
  const thud_record_cell cells[FRAME_CHANNELS] = {
      cell(&row->t, 1),
      cell(&row->t_end, 1),
      cell(row->q, (arc ? EVENT_ROWS_DEGREE + 1 : 2) * system->n),
      cell(row->reaction, arc ? (EVENT_ROWS_FORCE + 1) * (1 + system->slips) : 0),
      cell(&row->mode, 1),
      cell(&row->order, 1),
      cell(row->v_left, system->n),
      cell(&row->mode_left, 1),
      cell(&row->accumulation, 1),
      cell(row->ledger, 9)};
  assert_int_equal(thud_record_append(writer, THUD_RECORD_FRAMES, cells), THUD_OK);
}

/* The event of a row; figures that do not apply are NaN, marks -1. */
static void append_event(thud_record_writer *writer, const event_system *system, const event_row *row, double frame) {
  static const double none = NAN, no_mark = -1, numbers[MOST_REACTIONS] = {0, 1};
  bool impact = row->event == 0, limit = row->event == 1;
  size_t involved = row->involved != 0, struck = impact || limit ? involved * (1 + system->slips) : 0;
  const double pair[2] = {row->mode_left, row->mode};
  const thud_record_cell cells[EVENT_CHANNELS] = {cell(&row->t, 1),
                                                  cell(&row->event, 1),
                                                  cell(&row->t_error, 1),
                                                  cell(numbers, involved),
                                                  cell(row->v_left, system->n),
                                                  cell(row->q + system->n, system->n),
                                                  cell(numbers, struck),
                                                  cell(row->impulse, struck),
                                                  cell(numbers, 1),
                                                  cell(pair, 2),
                                                  cell(&row->order, 1),
                                                  cell(impact ? &row->cosine : &none, 1),
                                                  cell(impact ? &row->tangential : &no_mark, 1),
                                                  cell(impact ? &row->residual : &none, 1),
                                                  cell(limit ? &row->zeno[0] : &none, 1),
                                                  cell(limit ? &row->zeno[1] : &none, 1),
                                                  cell(limit ? &row->zeno[2] : &none, 1),
                                                  cell(limit ? &row->zeno[3] : &none, 1),
                                                  cell(limit ? &row->zeno[4] : &none, 1),
                                                  cell(row->zeno_impulse, limit ? struck : 0),
                                                  {.text = "", .count = 0},
                                                  cell(row->ledger, 9),
                                                  cell(&frame, 1)};
  assert_int_equal(thud_record_append(writer, THUD_RECORD_EVENTS, cells), THUD_OK);
}

void event_rows_write(thud_context *context, const char *path, const event_system *system, size_t count,
                      const event_row *rows) {
  char velocity[EVENT_ROWS_N][32], slip[32];
  const char *velocities[EVENT_ROWS_N], *const reactions[MOST_REACTIONS] = {system->constraint, slip};
  for (size_t i = 0; i < system->n; i++) {
    snprintf(velocity[i], sizeof velocity[i], "%s'", system->coordinates[i]);
    velocities[i] = velocity[i];
  }
  snprintf(slip, sizeof slip, "%s.t1", system->constraint);
  thud_record_channel frames[FRAME_CHANNELS], events[EVENT_CHANNELS];
  describe_frames(system, velocities, reactions, frames);
  describe_events(system, velocities, reactions, events);
  const thud_record_layout layout = {.count = {FRAME_CHANNELS, EVENT_CHANNELS}, .channels = {frames, events}};
  char *resolved = record_copy_resolve(context, system->scene);
  thud_record_header header = {
      .kind = "event-driven", .method = "event-driven", .scene = system->scene, .resolved = resolved};
  thud_record_options options = thud_record_options_default();
  options.overwrite = true;
  thud_record_writer *writer;
  if (thud_record_create(context, path, &options, &header, &layout, &writer) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  free(resolved);
  for (size_t row = 0; row < count; row++) {
    if (rows[row].event >= 0) append_event(writer, system, &rows[row], (double)row);
    append_frame(writer, system, &rows[row]);
  }
  assert_int_equal(thud_record_close(writer, "good", "", ""), THUD_OK);
}
