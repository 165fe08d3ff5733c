/* The record of particles on a line: the channels that Lagrangian motions have, as far as they apply, and the modes. */
#include "run/run_line.h"

#include <math.h>

enum { CHANNELS = 10, LEDGER_WIDTH = 9 };

static const char *const ledger_names[LEDGER_WIDTH] = {"kinetic",     "potential",     "work",
                                                       "impact_loss", "friction_loss", "viscous_loss",
                                                       "scheme_loss", "defect",        "identity"};

thud_error line_record_start(line_run *run) {
  thud_scene *scene = run->scene;
  thud_context *context = scene->context;
  if (run->options->record == NULL) return THUD_OK;
  char *options = NULL;
  thud_error error = scene_options_json(context, thud_line_option_table(), &scene->particles->options, -1, &options);
  if (error != THUD_OK) return error;
  size_t n = (size_t)run->n;
  const char *const *names = (const char *const *)scene->coordinates;
  const char *const *rates = (const char *const *)scene->particles->velocities;
  const thud_record_channel channels[CHANNELS] = {
      {"t", THUD_RECORD_REAL, 1, NULL, scene->time_unit, "time", "time of the node"},
      {"step", THUD_RECORD_REAL, 1, NULL, scene->time_unit, "step", "time since the node before, 0 at a percussion"},
      {"q", THUD_RECORD_REAL, n, names, "", "position", "positions"},
      {"v_left", THUD_RECORD_REAL, n, rates, "", "velocity_left", "velocities, left limits"},
      {"v", THUD_RECORD_REAL, n, rates, "", "velocity", "velocities, right limits"},
      {"reaction", THUD_RECORD_REAL, n, names, "N s", "reaction", "impulse of friction since the node before"},
      {"bound", THUD_RECORD_REAL, n, names, "N s", "bound", "largest possible impulse of friction"},
      {"atom", THUD_RECORD_SMALL, n, names, "", "atom", "1: the impulse is that of a percussion"},
      {"mode", THUD_RECORD_SMALL, n, names, "", "mode", "after the node: 0 sticks, 1 and -1 slides"},
      {"ledger", THUD_RECORD_REAL, LEDGER_WIDTH, ledger_names, "J", "ledger",
       "where the energy went, since the start"}};
  thud_record_header header = {
      .title = scene->title, .method = thud_scene_get_info(scene).method, .scene = scene->text, .options = options};
  thud_record_options record = thud_record_options_default();
  record.overwrite = run->options->overwrite;
  error = thud_record_create(context, run->options->record, &record, &header, CHANNELS, channels, &run->writer);
  thud_free(context, options);
  return error;
}

/* Implicit steps between two times of `record: every` are left out; percussions, events and the end never are. */
static bool is_due(line_run *run, const thud_line_frame *frame) {
  const thud_scene *scene = run->scene;
  bool due = scene->record_every == 0 || frame->t >= run->next_record_time || frame->t >= scene->end;
  if (due && scene->record_every > 0) {
    double passed = floor((frame->t - scene->start) / scene->record_every * (1 + 1e-12));
    run->next_record_time = scene->start + (passed + 1) * scene->record_every * (1 - 1e-12);
  }
  return due || frame->event != THUD_LINE_PLAIN || scene->particles->options.method == THUD_LINE_EVENT_DRIVEN;
}

static thud_error add_event(line_run *run, const thud_line_frame *frame) {
  line_note note = {.t = frame->t, .event = frame->event, .family = frame->family, .numbers = run->row};
  char *text = NULL;
  thud_error error = line_event_json(run, &note, &text);
  if (error == THUD_OK) error = thud_record_add_event(run->writer, frame->t, line_event_kind(frame->event), text);
  thud_free(run->scene->context, text);
  return error;
}

thud_error line_record_frame(line_run *run, const thud_line_frame *frame) {
  if (run->writer == NULL || !is_due(run, frame)) return THUD_OK;
  size_t n = (size_t)run->n;
  const thud_line_ledger *ledger = &frame->ledger;
  const double energies[LEDGER_WIDTH] = {ledger->kinetic,         ledger->potential,     ledger->work,
                                         ledger->percussion_loss, ledger->friction_loss, ledger->viscous_loss,
                                         ledger->scheme_loss,     ledger->defect,        ledger->identity};
  double *atoms = run->row + 5 * n;
  line_frame_numbers(run, frame, run->row);
  for (size_t i = 0; i < n; i++) atoms[i] = frame->atom;
  const double *const rows[CHANNELS] = {&frame->t,       &frame->step, frame->q, frame->v_left,    frame->v,
                                        frame->reaction, frame->bound, atoms,    run->row + 4 * n, energies};
  thud_error error = thud_record_append(run->writer, rows);
  if (error != THUD_OK) return error;
  run->recorded++;
  return frame->event != THUD_LINE_PLAIN ? add_event(run, frame) : THUD_OK;
}
