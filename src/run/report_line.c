/* What a run of a `particles_on_line` scene found, as JSON for machines and as a few lines for people. */
#include "run/run_line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *line_event_kind(thud_line_event event) {
  switch (event) {
  case THUD_LINE_PLAIN: return "node";
  case THUD_LINE_PERCUSSION: return "percussion";
  case THUD_LINE_STOP: return "stop";
  case THUD_LINE_SLIP: return "start";
  case THUD_LINE_ACCUMULATION: return "accumulation";
  }
  return "";
}

/* ---- pieces of JSON ---------------------------------------------------------------------------------------------- */

static void write_named(thud_json *json, thud_index n, char *const *names, const double *values) {
  for (thud_index i = 0; i < n; i++) thud_json_number_field(json, names[i], values[i]);
}

static void write_map(thud_json *json, const char *key, const line_run *run, char *const *names, const double *values) {
  thud_json_key(json, key);
  thud_json_begin_object(json);
  write_named(json, run->n, names, values);
  thud_json_end_object(json);
}

static void write_state(thud_json *json, const line_run *run, const double *state) {
  thud_json_begin_object(json);
  write_named(json, run->n, run->scene->coordinates, state);
  write_named(json, run->n, run->scene->particles->velocities, state + run->n);
  thud_json_end_object(json);
}

static void write_modes(thud_json *json, const line_run *run, const double *modes) {
  thud_json_key(json, "modes");
  thud_json_begin_object(json);
  for (thud_index i = 0; i < run->n; i++)
    thud_json_string_field(json, run->scene->coordinates[i],
                           modes[i] == 0  ? "stick"
                           : modes[i] > 0 ? "slip+"
                                          : "slip-");
  thud_json_end_object(json);
}

static void write_note(thud_json *json, const line_run *run, const line_note *note, bool with_time) {
  const thud_index n = run->n;
  char *const *rates = run->scene->particles->velocities;
  thud_json_begin_object(json);
  if (with_time) {
    thud_json_number_field(json, "t", note->t);
    thud_json_string_field(json, "kind", line_event_kind(note->event));
  }
  if (note->event == THUD_LINE_ACCUMULATION) thud_json_integer_field(json, "family", (int64_t)note->family);
  thud_json_key(json, "particles");
  thud_json_begin_flat_array(json);
  for (thud_index i = 0; i < n; i++)
    if (note->numbers[3 * n + i] != 0) thud_json_string(json, run->scene->coordinates[i]);
  thud_json_end_array(json);
  write_map(json, "before", run, rates, note->numbers);
  write_map(json, "after", run, rates, note->numbers + n);
  if (note->event == THUD_LINE_PERCUSSION)
    write_map(json, "impulse", run, run->scene->coordinates, note->numbers + (ptrdiff_t)2 * n);
  write_modes(json, run, note->numbers + (ptrdiff_t)4 * n);
  thud_json_end_object(json);
}

thud_error line_event_json(const line_run *run, const line_note *note, char **out) {
  thud_text text = thud_text_new(run->scene->context);
  thud_json json = thud_json_new(&text);
  write_note(&json, run, note, false);
  return run_hand_out(&text, out);
}

static void write_events(thud_json *json, const line_run *run) {
  thud_json_key(json, "events");
  thud_json_begin_array(json);
  for (size_t k = 0; k < run->kept; k++) write_note(json, run, &run->events[k], true);
  thud_json_end_array(json);
  thud_json_integer_field(json, "events_total", (int64_t)run->events_total);
  thud_json_integer_field(json, "percussions", (int64_t)run->info.percussions);
}

static void write_families(thud_json *json, const thud_line *line) {
  thud_json_key(json, "families");
  thud_json_begin_array(json);
  for (size_t k = 0; k < thud_line_family_count(line); k++) {
    thud_line_truncation cut = thud_line_get_truncation(line, k);
    thud_json_begin_object(json);
    thud_json_integer_field(json, "kept", cut.kept);
    thud_json_number_field(json, "weight", cut.weight);
    thud_json_number_field(json, "tail", cut.tail);
    thud_json_number_field(json, "velocity_error", cut.velocity);
    thud_json_number_field(json, "limit", cut.has_limit ? cut.limit : (double)NAN);
    thud_json_key(json, "lumped");
    thud_json_bool(json, cut.lumped);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

static void write_ledger(thud_json *json, const thud_line_ledger *ledger) {
  thud_json_key(json, "ledger");
  thud_json_begin_object(json);
  thud_json_number_field(json, "kinetic", ledger->kinetic);
  thud_json_number_field(json, "potential", ledger->potential);
  thud_json_number_field(json, "work", ledger->work);
  thud_json_number_field(json, "impact_loss", ledger->percussion_loss);
  thud_json_number_field(json, "friction_loss", ledger->friction_loss);
  thud_json_number_field(json, "viscous_loss", ledger->viscous_loss);
  thud_json_number_field(json, "scheme_loss", ledger->scheme_loss);
  thud_json_number_field(json, "defect", ledger->defect);
  thud_json_number_field(json, "identity", ledger->identity);
  thud_json_end_object(json);
}

bool line_warning(const line_run *run, size_t k, char *message, size_t capacity) {
  const thud_line *line = run->scene->particles->line;
  for (size_t j = 0; j < thud_line_family_count(line); j++) {
    thud_line_truncation cut = thud_line_get_truncation(line, j);
    if (cut.lumped || cut.tail <= cut.tolerance || k-- > 0) continue;
    snprintf(message, capacity,
             "family %zu was cut off after %lld atoms: what is left out weighs at most %.6g, which may change "
             "velocities by %.6g",
             j, (long long)cut.kept, cut.tail, cut.velocity);
    return true;
  }
  return false;
}

static void write_warnings(thud_json *json, const line_run *run) {
  char message[512];
  thud_json_key(json, "warnings");
  thud_json_begin_array(json);
  for (size_t k = 0; line_warning(run, k, message, sizeof message); k++) {
    thud_json_begin_object(json);
    thud_json_string_field(json, "code", "truncated-family");
    thud_json_string_field(json, "message", message);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

static void write_samples(thud_json *json, const line_run *run, const char *key, const double *values) {
  thud_json_key(json, key);
  thud_json_begin_array(json);
  for (size_t k = 0; k < run->samples.next; k++) {
    thud_json_begin_object(json);
    thud_json_number_field(json, "t", run->samples.times[k]);
    thud_json_key(json, "state");
    write_state(json, run, values + 2 * k * (size_t)run->n);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

thud_error line_write_json(const line_run *run, bool with_wall_clock, char **out) {
  const thud_scene *scene = run->scene;
  thud_text text = thud_text_new(scene->context);
  thud_json json = thud_json_new(&text);
  thud_json_begin_object(&json);
  thud_json_string_field(&json, "verdict", run_verdict_name(run->verdict));
  thud_json_string_field(&json, "reason", run->reason);
  thud_json_string_field(&json, "title", scene->title);
  thud_json_string_field(&json, "method", thud_scene_get_info(scene).method);
  thud_json_number_field(&json, "time", run->info.time);
  if (with_wall_clock) thud_json_number_field(&json, "wall_seconds", run->wall_seconds);
  thud_json_key(&json, "state");
  write_state(&json, run, run->state);
  thud_json_integer_field(&json, "steps", (int64_t)run->info.steps);
  thud_json_number_field(&json, "residual", run->info.residual);
  thud_json_number_field(&json, "residual_time", run->info.residual_time);
  thud_json_integer_field(&json, "deciding_order", run->info.deciding_order);
  thud_json_integer_field(&json, "undecided", (int64_t)run->info.undecided);
  write_events(&json, run);
  write_families(&json, scene->particles->line);
  write_ledger(&json, &run->info.ledger);
  write_warnings(&json, run);
  thud_json_string_field(&json, "record", with_wall_clock ? run->options->record : NULL);
  thud_json_integer_field(&json, "frames", (int64_t)run->recorded);
  if (run->samples.count > 0) {
    write_samples(&json, run, "samples", run->samples.right);
    write_samples(&json, run, "samples_left", run->samples.left);
  }
  thud_json_end_object(&json);
  return run_hand_out(&text, out);
}

static void report_state(thud_text *text, const line_run *run, const char *what, double t, const char *side,
                         const double *state) {
  enum { SHOWN = 6 };
  thud_text_print(text, "  %-11s t = %.10g%s", what, t, side);
  for (thud_index i = 0; i < run->n && i < SHOWN; i++)
    thud_text_print(text, ", %s = %.10g, %s = %.10g", run->scene->coordinates[i], state[i],
                    run->scene->particles->velocities[i], state[run->n + i]);
  if (run->n > SHOWN) thud_text_print(text, ", and %d more particles", (int)run->n - SHOWN);
  thud_text_print(text, "\n");
}

static void report_samples(thud_text *text, const line_run *run) {
  const collect_samples *samples = &run->samples;
  size_t width = 2 * (size_t)run->n;
  for (size_t k = 0; k < samples->next; k++) {
    const double *left = samples->left + k * width, *right = samples->right + k * width;
    bool jumps = memcmp(left, right, width * sizeof(double)) != 0;
    if (jumps) report_state(text, run, "sample", samples->times[k], "-", left);
    report_state(text, run, "sample", samples->times[k], jumps ? "+" : "", right);
  }
}

thud_error line_write_report(const line_run *run, char **out) {
  const thud_scene *scene = run->scene;
  const thud_line_info *info = &run->info;
  const thud_line_ledger *ledger = &info->ledger;
  const char *unit = scene->particles->options.method == THUD_LINE_IMPLICIT ? "steps" : "arcs";
  char message[512];
  thud_text text = thud_text_new(scene->context);
  if (scene->title[0] != '\0') thud_text_print(&text, "%s\n", scene->title);
  thud_text_print(&text, "  method      %s, %zu %s, t = %g to %g\n", thud_scene_get_info(scene).method, info->steps,
                  unit, scene->start, scene->end);
  report_samples(&text, run);
  report_state(&text, run, "state", info->time, "", run->state);
  thud_text_print(&text, "  events      %zu percussions, %zu stops, %zu starts\n", info->percussions, info->stops,
                  info->slips);
  thud_text_print(&text, "  energy      kinetic %.6g, potential %.6g, work %.6g\n", ledger->kinetic, ledger->potential,
                  ledger->work);
  thud_text_print(&text, "  losses      percussions %.6g, friction %.6g, viscosity %.6g, scheme %.3g; defect %.3g\n",
                  ledger->percussion_loss, ledger->friction_loss, ledger->viscous_loss, ledger->scheme_loss,
                  ledger->defect);
  thud_text_print(&text, "  identity    of energy holds to %.3g (worst, relative)\n", ledger->identity);
  for (size_t k = 0; k < thud_line_family_count(scene->particles->line); k++) {
    thud_line_truncation cut = thud_line_get_truncation(scene->particles->line, k);
    thud_text_print(&text, "  family      %lld atoms of weight %.10g; tail %.3g%s\n", (long long)cut.kept, cut.weight,
                    cut.tail, cut.lumped ? ", lumped at its limit" : "");
  }
  for (size_t k = 0; line_warning(run, k, message, sizeof message); k++)
    thud_text_print(&text, "  warning     %s\n", message);
  if (run->options->record != NULL)
    thud_text_print(&text,
                    run->sink_error == THUD_OK ? "  record      %s (%zu frames)\n"
                                               : "  record      %s (incomplete: %zu frames were handed over)\n",
                    run->options->record, run->recorded);
  thud_text_print(&text, "verdict: %s%s%s\n", run_verdict_name(run->verdict), run->reason[0] != '\0' ? ": " : "",
                  run->reason);
  return run_hand_out(&text, out);
}
