/* The record of an event-driven run: one row is what happened at its time and the arc that follows. */
#include "run/run_event.h"

#include <stdio.h>
#include <string.h>

/* ---- shape ------------------------------------------------------------------------------------------------------- */

void event_record_lay_out(system_run *run) {
  size_t n = (size_t)run->n, m = (size_t)run->m, rows = m + (size_t)run->s;
  size_t order = (size_t)thud_event_motion_order(run->event->motion);
  event_layout *layout = &run->event->layout;
  const size_t widths[EVENT_CHANNELS] = {[EVENT_T] = 1,
                                         [EVENT_T_END] = 1,
                                         [EVENT_KIND] = 1,
                                         [EVENT_T_ERROR] = 1,
                                         [EVENT_V_LEFT] = n,
                                         [EVENT_IMPULSE] = rows,
                                         [EVENT_INVOLVED] = m,
                                         [EVENT_MODE_LEFT] = m,
                                         [EVENT_MODE] = m,
                                         [EVENT_ORDER] = m,
                                         [EVENT_ACCUMULATION] = 1,
                                         [EVENT_ZENO] = ZENO_WIDTH,
                                         [EVENT_RESIDUAL] = 1,
                                         [EVENT_ZENO_IMPULSE] = rows,
                                         [EVENT_COSINE] = 1,
                                         [EVENT_TANGENTIAL] = 1,
                                         [EVENT_Q] = (order + 3) * n,
                                         [EVENT_REACTION] = (order + 1) * rows,
                                         [EVENT_LEDGER] = LEDGER_WIDTH};
  memcpy(layout->width, widths, sizeof widths);
  layout->total = 0;
  for (size_t k = 0; k < EVENT_CHANNELS; k++) {
    layout->at[k] = layout->total;
    layout->total += widths[k];
  }
  layout->note = layout->at[EVENT_Q] + 2 * n;
}

/* Order in the file. */
static const event_channel file_order[EVENT_CHANNELS] = {EVENT_T,
                                                         EVENT_T_END,
                                                         EVENT_Q,
                                                         EVENT_REACTION,
                                                         EVENT_MODE,
                                                         EVENT_ORDER,
                                                         EVENT_KIND,
                                                         EVENT_T_ERROR,
                                                         EVENT_V_LEFT,
                                                         EVENT_IMPULSE,
                                                         EVENT_INVOLVED,
                                                         EVENT_MODE_LEFT,
                                                         EVENT_ACCUMULATION,
                                                         EVENT_ZENO,
                                                         EVENT_ZENO_IMPULSE,
                                                         EVENT_RESIDUAL,
                                                         EVENT_COSINE,
                                                         EVENT_TANGENTIAL,
                                                         EVENT_LEDGER};

static const char *role_of(event_channel channel) {
  static const char *const roles[EVENT_CHANNELS] = {[EVENT_T] = "time",
                                                    [EVENT_T_END] = "end",
                                                    [EVENT_KIND] = "event",
                                                    [EVENT_T_ERROR] = "time_error",
                                                    [EVENT_V_LEFT] = "velocity_left",
                                                    [EVENT_IMPULSE] = "impulse",
                                                    [EVENT_INVOLVED] = "involved",
                                                    [EVENT_MODE_LEFT] = "mode_left",
                                                    [EVENT_MODE] = "mode",
                                                    [EVENT_ORDER] = "order",
                                                    [EVENT_ACCUMULATION] = "accumulation",
                                                    [EVENT_ZENO] = "zeno",
                                                    [EVENT_ZENO_IMPULSE] = "zeno_impulse",
                                                    [EVENT_RESIDUAL] = "residual",
                                                    [EVENT_COSINE] = "cosine",
                                                    [EVENT_TANGENTIAL] = "tangential",
                                                    [EVENT_LEDGER] = "ledger",
                                                    [EVENT_Q] = "position_series",
                                                    [EVENT_REACTION] = "reaction_series"};
  return roles[channel];
}

/* Coefficient k of component i is called "name" (k = 0) or "name.k". */
static const char **series_names(thud_arena *arena, size_t width, size_t count, const char *const *names) {
  const char **made = thud_arena_alloc(arena, width + 1, sizeof *made);
  for (size_t k = 0; k < width && made != NULL; k++) {
    made[k] = names[k % count];
    if (k < count) continue;
    char *name = thud_arena_alloc(arena, SYSTEM_NAME_ROOM, 1);
    if (name == NULL) return NULL;
    snprintf(name, SYSTEM_NAME_ROOM, "%s.%d", names[k % count], (int)(k / count));
    made[k] = name;
  }
  return made;
}

thud_error event_record_channels(const system_run *run, thud_arena *arena, const char *const *reactions,
                                 thud_record_channel channels[EVENT_CHANNELS], size_t *count) {
  static const char *const zeno_names[ZENO_WIDTH] = {"begin", "duration", "ratio", "impacts", "limit_error"};
  const thud_scene *scene = run->scene;
  const event_layout *layout = &run->event->layout;
  const char *const *coordinates = (const char *const *)scene->coordinates;
  const char *const *velocities = (const char *const *)scene->lagrangian->velocities;
  const char **q = series_names(arena, layout->width[EVENT_Q], (size_t)run->n, coordinates);
  const char **forces = series_names(arena, layout->width[EVENT_REACTION], layout->width[EVENT_IMPULSE], reactions);
  const char *unit = scene_common_unit(scene), *rate = system_velocity_unit(scene, arena), *time = scene->time_unit;
  if (q == NULL || forces == NULL || rate == NULL) return THUD_ERROR_MEMORY;
  const thud_record_type real = THUD_RECORD_REAL, small = THUD_RECORD_SMALL;
  const thud_record_channel all[EVENT_CHANNELS] = {
      [EVENT_T] = {"t", real, 0, NULL, time, "", "start of the row's arc, time of its event"},
      [EVENT_T_END] = {"t_end", real, 0, NULL, time, "", "end of the arc"},
      [EVENT_Q] = {"q", real, 0, q, unit, "", "coordinates: coefficients of (t - t0)^k, k after k"},
      [EVENT_REACTION] = {"reaction", real, 0, forces, "N", "", "forces: coefficients of (t - t0)^k, k after k"},
      [EVENT_MODE] = {"mode", small, 0, reactions, "", "",
                      "on the arc: 0 open, 1 lasting, 2 leaving, 3 undecided, 4 sticking, 5 sliding"},
      [EVENT_ORDER] = {"order", small, 0, reactions, "", "", "order of the series that decided the mode, -1: none"},
      [EVENT_KIND] = {"event", small, 0, NULL, "", "",
                      "at t: -1 nothing, 0 impact, 1 zeno, 2 close, 3 open, 4 graze, 5 stick, 6 slip, 7 switch"},
      [EVENT_T_ERROR] = {"t_error", real, 0, NULL, time, "", "bound of the error of the event's time"},
      [EVENT_V_LEFT] = {"v_left", real, 0, velocities, rate, "", "velocities, left limits at t"},
      [EVENT_IMPULSE] = {"impulse", real, 0, reactions, "N s", "", "impulses at t"},
      [EVENT_INVOLVED] = {"involved", small, 0, reactions, "", "", "1: something happens at the constraint"},
      [EVENT_MODE_LEFT] = {"mode_left", small, 0, reactions, "", "", "modes before t"},
      [EVENT_ACCUMULATION] = {"accumulation", small, 0, NULL, "", "",
                              "1: the arc replaces the rest of an accumulation of impacts"},
      [EVENT_ZENO] = {"zeno", real, 0, zeno_names, "", "", "accumulation of which t is the limit"},
      [EVENT_ZENO_IMPULSE] = {"zeno_impulse", real, 0, reactions, "N s", "", "impulses of the whole accumulation"},
      [EVENT_RESIDUAL] = {"residual", real, 0, NULL, "", "", "of the impact's velocity problem"},
      [EVENT_COSINE] = {"cosine", real, 0, NULL, "", "", "largest kinetic cosine of a multiple impact"},
      [EVENT_TANGENTIAL] = {"tangential", small, 0, NULL, "", "", "1: an impact without collision, by friction alone"},
      [EVENT_LEDGER] = {"ledger", real, 0, system_ledger_names(), "J", "", "where the energy went until t"}};
  *count = 0;
  for (size_t k = 0; k < EVENT_CHANNELS; k++) {
    event_channel which = file_order[k];
    if (layout->width[which] == 0) continue;
    channels[*count] = all[which];
    channels[*count].width = layout->width[which];
    channels[(*count)++].role = role_of(which);
  }
  return THUD_OK;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static double *part_of(const system_run *run, event_channel channel) {
  return run->event->row + run->event->layout.at[channel];
}

static void put_numbers(const system_run *run, event_channel channel, const double *values) {
  memcpy(part_of(run, channel), values, run->event->layout.width[channel] * sizeof(double));
}

static void put_integers(const system_run *run, event_channel channel, const int *values) {
  double *to = part_of(run, channel);
  for (size_t i = 0; i < run->event->layout.width[channel]; i++) to[i] = values[i];
}

/* An empty row of time t: nothing happens, nothing follows. */
static void begin_row(const system_run *run, double t, const thud_ledger *ledger) {
  memset(run->event->row, 0, run->event->layout.total * sizeof(double));
  *part_of(run, EVENT_T) = *part_of(run, EVENT_T_END) = t;
  *part_of(run, EVENT_KIND) = -1;
  system_ledger_numbers(ledger, part_of(run, EVENT_LEDGER));
}

/* What stood before a row without event: its own velocity and modes when nothing did. */
static void put_before(const system_run *run, const double *v, const int *mode) {
  const event_part *part = run->event;
  put_numbers(run, EVENT_V_LEFT, part->any ? part->before : v);
  if (part->any)
    put_numbers(run, EVENT_MODE_LEFT, part->before + run->n);
  else
    put_integers(run, EVENT_MODE_LEFT, mode);
}

static void keep_before(const system_run *run, const double *v, const int *mode) {
  event_part *part = run->event;
  memmove(part->before, v, (size_t)run->n * sizeof(double));
  for (thud_index i = 0; i < run->m; i++) part->before[run->n + i] = mode[i];
  part->any = true;
}

static thud_error write_row(system_run *run) {
  const event_layout *layout = &run->event->layout;
  const double *rows[EVENT_CHANNELS];
  size_t count = 0;
  run->event->waiting = false;
  if (run->writer == NULL) return THUD_OK;
  for (size_t k = 0; k < EVENT_CHANNELS; k++)
    if (layout->width[file_order[k]] > 0) rows[count++] = part_of(run, file_order[k]);
  thud_error error = thud_record_append(run->writer, rows);
  if (error != THUD_OK) return error;
  run->counters.recorded++;
  run->counters.last_recorded = *part_of(run, EVENT_T_END);
  return THUD_OK;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void put_zeno(const system_run *run, const thud_event *event) {
  double *zeno = part_of(run, EVENT_ZENO);
  if (event->kind != THUD_EVENT_ZENO) return;
  zeno[ZENO_BEGIN] = event->begin;
  zeno[ZENO_DURATION] = event->duration;
  zeno[ZENO_RATIO] = event->ratio;
  zeno[ZENO_IMPACTS] = (double)event->impacts;
  zeno[ZENO_ERROR] = event->limit_error;
  put_numbers(run, EVENT_ZENO_IMPULSE, event->total_impulse);
}

static void put_event(const system_run *run, const thud_event *event) {
  size_t n = (size_t)run->n;
  double *involved = part_of(run, EVENT_INVOLVED);
  begin_row(run, event->t, &event->ledger);
  *part_of(run, EVENT_KIND) = event->kind;
  *part_of(run, EVENT_T_ERROR) = event->t_error;
  put_numbers(run, EVENT_V_LEFT, event->v_before);
  put_numbers(run, EVENT_IMPULSE, event->impulse);
  for (thud_index i = 0; i < run->m; i++) involved[i] = event->involved[i];
  put_integers(run, EVENT_MODE_LEFT, event->mode_before);
  put_integers(run, EVENT_MODE, event->mode_after);
  put_integers(run, EVENT_ORDER, event->order);
  put_zeno(run, event);
  if (event->kind == THUD_EVENT_IMPACT) {
    *part_of(run, EVENT_RESIDUAL) = event->percussion.residual;
    *part_of(run, EVENT_TANGENTIAL) = event->tangential;
    if (event->percussion.cosine_first >= 0) *part_of(run, EVENT_COSINE) = event->percussion.worst_cosine;
  }
  memcpy(part_of(run, EVENT_Q), event->q, n * sizeof(double));
  memcpy(part_of(run, EVENT_Q) + n, event->v_after, n * sizeof(double));
}

/* The event of the row, for the report. */
static thud_error keep_note(system_run *run) {
  size_t count = run->event->layout.note;
  double *numbers;
  thud_error error = system_run_add_event(run, *part_of(run, EVENT_T), count, &numbers);
  if (error == THUD_OK && numbers != NULL) memcpy(numbers, run->event->row, count * sizeof(double));
  return error;
}

thud_error event_record_event(system_run *run, const thud_event *event) {
  thud_error error = run->event->waiting ? write_row(run) : THUD_OK;
  if (error != THUD_OK) return error;
  put_event(run, event);
  run->event->waiting = true;
  keep_before(run, event->v_after, event->mode_after);
  error = keep_note(run);
  if (error != THUD_OK || run->writer == NULL) return error;
  char *text = NULL;
  error = event_note_json(run, run->event->row, &text);
  if (error == THUD_OK) error = thud_record_add_event(run->writer, event->t, thud_event_kind_name(event->kind), text);
  thud_free(run->scene->context, text);
  return error;
}

/* ---- arcs -------------------------------------------------------------------------------------------------------- */

thud_error event_record_arc(system_run *run, const thud_event_arc *arc) {
  event_part *part = run->event;
  size_t n = (size_t)run->n, rows = part->layout.width[EVENT_IMPULSE];
  if (!part->waiting) {
    begin_row(run, arc->t0, &arc->ledger);
    put_before(run, arc->q + n, arc->mode);
  }
  *part_of(run, EVENT_T_END) = arc->t1;
  memcpy(part_of(run, EVENT_Q), arc->q, ((size_t)arc->degree + 1) * n * sizeof(double));
  memcpy(part_of(run, EVENT_REACTION), arc->reaction, ((size_t)arc->force_degree + 1) * rows * sizeof(double));
  put_integers(run, EVENT_MODE, arc->mode);
  if (!arc->accumulation) put_integers(run, EVENT_ORDER, arc->order);
  *part_of(run, EVENT_ACCUMULATION) = arc->accumulation;
  thud_error error = write_row(run);
  thud_event_arc_evaluate(arc, run->n, arc->t1, run->state, run->state + n);
  keep_before(run, run->state + n, arc->mode);
  return error;
}

thud_error event_record_finish(system_run *run) {
  event_part *part = run->event;
  size_t n = (size_t)run->n;
  double t;
  const double *q, *v;
  if (part->waiting) return write_row(run);
  thud_event_motion_present(part->motion, &t, &q, &v);
  begin_row(run, t, &part->info.ledger);
  memcpy(part_of(run, EVENT_Q), q, n * sizeof(double));
  memcpy(part_of(run, EVENT_Q) + n, v, n * sizeof(double));
  if (!part->any) memcpy(part->before, v, n * sizeof(double));
  put_numbers(run, EVENT_V_LEFT, part->before);
  put_numbers(run, EVENT_MODE_LEFT, part->before + n);
  put_numbers(run, EVENT_MODE, part->before + n);
  for (thud_index i = 0; i < run->m; i++) part_of(run, EVENT_ORDER)[i] = -1;
  return write_row(run);
}

/* ---- resuming ---------------------------------------------------------------------------------------------------- */

static thud_error find_channels(const system_run *run, const thud_record_reader *reader,
                                size_t channels[EVENT_CHANNELS]) {
  const event_layout *layout = &run->event->layout;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < EVENT_CHANNELS && error == THUD_OK; k++) {
    if (layout->width[k] == 0) continue;
    error = thud_record_find_role(reader, role_of((event_channel)k), &channels[k]);
    if (error == THUD_OK && thud_record_reader_channel(reader, channels[k])->width != layout->width[k])
      error = thud_fail(run->scene->context, THUD_ERROR_FORMAT, "%s: the channel '%s' has another width",
                        run->options->record, thud_record_reader_channel(reader, channels[k])->name);
  }
  return error;
}

thud_error event_record_read_events(system_run *run, thud_record_reader *reader, size_t rows) {
  size_t channels[EVENT_CHANNELS] = {0};
  thud_error error = find_channels(run, reader, channels);
  for (size_t row = 0; row < rows && error == THUD_OK && run->kept < run->options->max_events; row++) {
    error = thud_record_read(reader, channels[EVENT_KIND], row, 1, part_of(run, EVENT_KIND));
    if (error != THUD_OK || *part_of(run, EVENT_KIND) < 0) continue;
    for (size_t k = 0; k < EVENT_CHANNELS && error == THUD_OK; k++)
      if (run->event->layout.width[k] > 0)
        error = thud_record_read(reader, channels[k], row, 1, part_of(run, (event_channel)k));
    if (error == THUD_OK) error = keep_note(run);
  }
  return error;
}
