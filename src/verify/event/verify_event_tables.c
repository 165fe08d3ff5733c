/* Reading the tables of an event-driven record. */
#include "verify/event/verify_event_rows.h"

#include <math.h>
#include <string.h>

static const char *const kinds[VERIFY_EVENTS] = {"impact", "zeno", "close",  "open",      "graze",
                                                 "stick",  "slip", "switch", "percussion"};
static const char *const mode_names[VERIFY_MODES] = {"open", "lasting", "leaving", "undecided", "sticking", "sliding"};

static const char *const status_names[VERIFY_ARC_STATUSES] = {"open", "proved", "sampled", "assumed", "passage"};

/* Channels that records of earlier versions, and of other programs, do not have. */
static thud_error read_if_there(verify_event_rows *f, thud_record_reader *reader, thud_record_table table, size_t count,
                                const verify_channel *channels) {
  size_t index;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    if (thud_record_find_role(reader, table, channels[k].role, &index) == THUD_OK)
      error = thud_verify_read_channels(f->context, reader, table, 1, &channels[k], &f->checks.structure);
  return error;
}

/* Records of earlier versions know no passages. */
static size_t count_statuses(const thud_record_reader *reader) {
  size_t index;
  if (thud_record_find_role(reader, THUD_RECORD_FRAMES, "proof", &index) != THUD_OK) return VERIFY_ARC_STATUSES;
  size_t labels = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, index)->label_count;
  return labels == VERIFY_ARC_PASSAGE ? labels : VERIFY_ARC_STATUSES;
}

static thud_error read_claims(verify_event_rows *f, thud_record_reader *reader) {
  verify_event_tables *tables = &f->tables;
  const verify_channel arcs[] = {{"proof", 1, &tables->status}, {"defect_bound", f->n, &tables->defect}};
  const verify_channel brackets[] = {{"t_low", 1, &tables->t_low}, {"t_high", 1, &tables->t_high}};
  thud_error error = read_if_there(f, reader, THUD_RECORD_FRAMES, 2, arcs);
  if (error == THUD_OK) error = read_if_there(f, reader, THUD_RECORD_EVENTS, 2, brackets);
  if (error == THUD_OK && tables->status != NULL)
    thud_verify_check_labels(reader, THUD_RECORD_FRAMES, "proof", count_statuses(reader), status_names,
                             &f->checks.structure);
  return error;
}

static thud_error read_frames(verify_event_rows *f, thud_record_reader *reader) {
  verify_event_tables *tables = &f->tables;
  thud_verify_check *structure = &f->checks.structure;
  const verify_channel channels[] = {{"time", 1, &tables->t},
                                     {"end", 1, &tables->t_end},
                                     {"mode", f->m, &tables->mode},
                                     {"order", f->m, &tables->order},
                                     {"velocity_left", f->n, &tables->v_left},
                                     {"mode_left", f->m, &tables->mode_left},
                                     {"accumulation", 1, &tables->accumulation},
                                     {"ledger", VERIFY_LEDGER_WIDTH, &tables->ledger}};
  const verify_ragged_channel series[] = {{"position_series", f->n, &tables->q},
                                          {"reaction_series", f->m + f->s, &tables->reaction}};
  thud_error error = thud_verify_read_channels(f->context, reader, THUD_RECORD_FRAMES,
                                               sizeof channels / sizeof *channels, channels, structure);
  if (error == THUD_OK) error = thud_verify_read_ragged(f->context, reader, THUD_RECORD_FRAMES, 2, series, structure);
  if (error != THUD_OK) return error;
  for (size_t j = 0; j < tables->count; j++)
    if (verify_ragged_count(&tables->q, j) < 2 * f->n)
      thud_verify_fail(structure, NAN, j, "the frame has no position and velocity");
  return THUD_OK;
}

static thud_error read_events(verify_event_rows *f, thud_record_reader *reader) {
  verify_event_tables *tables = &f->tables;
  thud_verify_check *structure = &f->checks.structure;
  const verify_channel channels[] = {{"t_error", 1, &tables->t_error},
                                     {"order", 1, &tables->deepest},
                                     {"cosine", 1, &tables->cosine},
                                     {"tangential", 1, &tables->tangential},
                                     {"residual", 1, &tables->residual},
                                     {"begin", 1, &tables->zeno[VERIFY_ZENO_BEGIN]},
                                     {"duration", 1, &tables->zeno[VERIFY_ZENO_DURATION]},
                                     {"ratio", 1, &tables->zeno[VERIFY_ZENO_RATIO]},
                                     {"impacts", 1, &tables->zeno[VERIFY_ZENO_IMPACTS]},
                                     {"limit_error", 1, &tables->zeno[VERIFY_ZENO_ERROR]},
                                     {"ledger", VERIFY_LEDGER_WIDTH, &tables->event_ledger}};
  size_t group = f->m > 0;
  const verify_ragged_channel lists[] = {{"changed", group, &tables->changed},
                                         {"modes", 2 * group, &tables->modes},
                                         {"total_impulse", f->m + f->s > 0, &tables->total}};
  thud_error error = thud_verify_read_channels(f->context, reader, THUD_RECORD_EVENTS,
                                               sizeof channels / sizeof *channels, channels, structure);
  if (error == THUD_OK)
    error =
        thud_verify_read_ragged(f->context, reader, THUD_RECORD_EVENTS, sizeof lists / sizeof *lists, lists, structure);
  if (error == THUD_OK)
    error = thud_verify_events_read(f->context, reader, f->n, VERIFY_EVENTS, kinds, &tables->events, structure);
  if (error == THUD_OK && structure->status == THUD_VERIFY_PASSED)
    error = thud_verify_events_read_lists(f->system, reader, &tables->events, structure);
  return error;
}

/* Lists that belong together have the same number of entries. */
static void check_lists(verify_event_rows *f) {
  const verify_event_tables *tables = &f->tables;
  for (size_t e = 0; e < tables->events.count; e++) {
    bool limit = tables->events.kind[e] == VERIFY_EVENT_ZENO;
    size_t totals = limit ? verify_ragged_count(&tables->events.reactions, e) : 0;
    if (2 * verify_ragged_count(&tables->changed, e) != verify_ragged_count(&tables->modes, e) ||
        totals != verify_ragged_count(&tables->total, e))
      thud_verify_fail(&f->checks.structure, tables->events.t[e], SIZE_MAX,
                       "the lists of event %zu are not equally long, or of an accumulation where none ends", e);
  }
}

static void check_names(verify_event_rows *f, const thud_record_reader *reader) {
  const verify_system *system = f->system;
  thud_verify_check *structure = &f->checks.structure;
  const char *const *velocities = (const char *const *)system->velocities;
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "position_series", f->n, system->scene.names, structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "velocity_left", f->n, velocities, structure);
  if (f->m == 0) return;
  thud_verify_check_labels(reader, THUD_RECORD_FRAMES, "mode", VERIFY_MODES, mode_names, structure);
  thud_verify_check_labels(reader, THUD_RECORD_FRAMES, "mode_left", VERIFY_MODES, mode_names, structure);
  thud_verify_check_labels(reader, THUD_RECORD_EVENTS, "modes", VERIFY_MODES, mode_names, structure);
  size_t channel;
  if (thud_record_find_role(reader, THUD_RECORD_FRAMES, "mode", &channel) != THUD_OK) return;
  const thud_record_channel *mode = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, channel);
  for (size_t i = 0; i < f->m && i < mode->width; i++)
    if (strcmp(mode->components[i], system->constraints[i].name) != 0)
      thud_verify_fail(structure, NAN, SIZE_MAX, "constraint %zu is called '%s' in the record, '%s' in the scene", i,
                       mode->components[i], system->constraints[i].name);
}

thud_error thud_verify_event_tables_read(verify_event_rows *f, thud_record_reader *reader) {
  thud_record_info info = thud_record_reader_info(reader);
  thud_verify_check *structure = &f->checks.structure;
  f->tables.count = info.rows[THUD_RECORD_FRAMES];
  thud_verify_check_made_by(&info, "event-driven", f->system->scene.method, structure);
  if (f->tables.count == 0) thud_verify_fail(structure, NAN, SIZE_MAX, "the record has no frames");
  thud_error error = read_frames(f, reader);
  if (error == THUD_OK) error = read_events(f, reader);
  if (error == THUD_OK) error = read_claims(f, reader);
  if (error != THUD_OK || structure->status == THUD_VERIFY_FAILED) return error;
  check_names(f, reader);
  check_lists(f);
  return THUD_OK;
}

void thud_verify_event_tables_free(verify_event_rows *f) {
  verify_event_tables *tables = &f->tables;
  double *arrays[] = {tables->t,       tables->t_end,      tables->accumulation, tables->v_left,       tables->mode,
                      tables->order,   tables->ledger,     tables->mode_left,    tables->cosine,       tables->t_error,
                      tables->deepest, tables->tangential, tables->residual,     tables->event_ledger, tables->status,
                      tables->defect,  tables->t_low,      tables->t_high};
  verify_ragged *lists[] = {&tables->q, &tables->reaction, &tables->changed, &tables->modes, &tables->total};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(f->context, arrays[k]);
  for (size_t k = 0; k < VERIFY_ZENO; k++) thud_free(f->context, tables->zeno[k]);
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) thud_verify_ragged_free(f->context, lists[k]);
  thud_verify_events_free(f->context, &tables->events);
}
