/* What a run found, as JSON for machines and as a few lines for people. */
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void write_named(thud_json *json, const thud_scene *scene, const double *values) {
  thud_json_begin_object(json);
  for (thud_index i = 0; i < scene->dimension; i++) thud_json_number_field(json, scene->coordinates[i], values[i]);
  thud_json_end_object(json);
}

static void write_events(thud_json *json, const scene_run *run) {
  thud_json_key(json, "events");
  thud_json_begin_array(json);
  for (size_t k = 0; k < run->events.kept; k++) {
    const collect_event *event = &run->events.items[k];
    thud_json_begin_object(json);
    thud_json_number_field(json, "t", event->t);
    thud_json_string_field(json, "kind", "jump");
    thud_json_string_field(json, "side", event->side == THUD_SIDE_RIGHT ? "right" : "value");
    thud_json_key(json, "before");
    write_named(json, run->scene, event->before);
    thud_json_key(json, "after");
    write_named(json, run->scene, event->after);
    thud_json_key(json, "impulse");
    write_named(json, run->scene, event->impulse);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
  thud_json_integer_field(json, "events_total", (int64_t)run->events.total);
}

static void write_refinement(thud_json *json, const scene_run *run) {
  thud_json_number_field(json, "error_estimate", run->error_estimate);
  thud_json_key(json, "refinement");
  thud_json_begin_array(json);
  for (int k = 0; k < run->refinement_count; k++) {
    thud_json_begin_object(json);
    thud_json_integer_field(json, "intervals", (int64_t)run->refinements[k].intervals);
    thud_json_number_field(json, "difference", run->refinements[k].difference);
    thud_json_number_field(json, "order", run->refinements[k].order);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

static void loose_text(const scene_run *run, char *text, size_t capacity) {
  snprintf(text, capacity, "%zu iterative projections met their limit and are only known to their gap, %.3g at worst",
           run->info.loose_projections, run->info.worst_gap);
}

static void write_warning(thud_json *json, const char *code, const char *message) {
  thud_json_begin_object(json);
  thud_json_string_field(json, "code", code);
  thud_json_string_field(json, "message", message);
  thud_json_end_object(json);
}

static void write_warnings(thud_json *json, const scene_run *run) {
  thud_json_key(json, "warnings");
  thud_json_begin_array(json);
  if (run->initial_warning) {
    char message[160];
    snprintf(message, sizeof message, "the initial state lies %.6g outside the set and was projected onto it",
             run->scene->initial_distance);
    write_warning(json, "initial-outside", message);
  }
  if (run->info.loose_projections > 0) {
    char message[160];
    loose_text(run, message, sizeof message);
    write_warning(json, "loose-projection", message);
  }
  if (run->no_estimate[0] != '\0') write_warning(json, "no-estimate", run->no_estimate);
  thud_json_end_array(json);
}

static void write_sample_set(thud_json *json, const scene_run *run, const char *key, const double *values) {
  thud_json_key(json, key);
  thud_json_begin_array(json);
  for (size_t k = 0; k < run->samples.next; k++) {
    thud_json_begin_object(json);
    thud_json_number_field(json, "t", run->samples.times[k]);
    thud_json_key(json, "state");
    write_named(json, run->scene, values + k * (size_t)run->scene->dimension);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

thud_error run_hand_out(thud_text *text, char **out) {
  thud_error error = text->error;
  if (error == THUD_OK)
    *out = text->data;
  else
    thud_text_free(text);
  return error;
}

thud_error run_write_json(const scene_run *run, bool with_wall_clock, char **out) {
  const thud_scene *scene = run->scene;
  thud_scene_info info = thud_scene_get_info(scene);
  thud_text text = thud_text_new(scene->context);
  thud_json json = thud_json_new(&text);
  thud_json_begin_object(&json);
  thud_json_string_field(&json, "verdict", run_verdict_name(run->verdict));
  thud_json_string_field(&json, "reason", run->reason);
  thud_json_string_field(&json, "title", scene->title);
  thud_json_string_field(&json, "method", info.method);
  thud_json_number_field(&json, "time", run->info.time);
  if (with_wall_clock) thud_json_number_field(&json, "wall_seconds", run->wall_seconds);
  thud_json_key(&json, "state");
  write_named(&json, scene, run->final);
  thud_json_integer_field(&json, "steps", (int64_t)run->info.steps);
  thud_json_integer_field(&json, "projections", (int64_t)run->info.projections);
  thud_json_number_field(&json, "variation", run->info.variation);
  thud_json_number_field(&json, "residual", run->info.projections > 0 ? run->info.worst_residual : NAN);
  thud_json_number_field(&json, "residual_time", run->info.worst_residual_time);
  thud_json_number_field(&json, "gap", run->info.worst_gap);
  thud_json_number_field(&json, "initial_distance", scene->initial_distance);
  write_refinement(&json, run);
  write_events(&json, run);
  thud_json_key(&json, "ledger");
  thud_json_null(&json);
  write_warnings(&json, run);
  thud_json_string_field(&json, "record", with_wall_clock ? run->options->record : NULL);
  thud_json_integer_field(&json, "frames", (int64_t)run->recorded);
  if (run->samples.count > 0) {
    write_sample_set(&json, run, "samples", run->samples.right);
    write_sample_set(&json, run, "samples_left", run->samples.left);
  }
  thud_json_end_object(&json);
  return run_hand_out(&text, out);
}

/* `side`: "", or "-" and "+" for the limits. */
static void report_state(thud_text *text, const thud_scene *scene, const char *what, double t, const char *side,
                         const double *state) {
  enum { SHOWN = 8 };
  thud_text_print(text, "  %-10s t = %.10g%s", what, t, side);
  for (thud_index i = 0; i < scene->dimension && i < SHOWN; i++)
    thud_text_print(text, ", %s = %.10g", scene->coordinates[i], state[i]);
  if (scene->dimension > SHOWN) thud_text_print(text, ", and %d more", (int)scene->dimension - SHOWN);
  thud_text_print(text, "\n");
}

/* One line per asked time, two where the motion jumps. */
static void report_samples(thud_text *text, const scene_run *run) {
  const collect_samples *samples = &run->samples;
  size_t n = (size_t)run->scene->dimension;
  for (size_t k = 0; k < samples->next; k++) {
    const double *left = samples->left + k * n, *right = samples->right + k * n;
    bool jumps = memcmp(left, right, n * sizeof(double)) != 0;
    if (jumps) report_state(text, run->scene, "sample", samples->times[k], "-", left);
    report_state(text, run->scene, "sample", samples->times[k], jumps ? "+" : "", right);
  }
}

thud_error run_write_report(const scene_run *run, char **out) {
  const thud_scene *scene = run->scene;
  thud_scene_info info = thud_scene_get_info(scene);
  thud_text text = thud_text_new(scene->context);
  if (scene->title[0] != '\0') thud_text_print(&text, "%s\n", scene->title);
  thud_text_print(&text, "  method     %s, %zu steps, t = %g to %g\n", info.method, run->info.steps, scene->start,
                  scene->end);
  report_samples(&text, run);
  report_state(&text, scene, "state", run->info.time, "", run->final);
  thud_text_print(&text, "  variation  %.10g\n", run->info.variation);
  thud_text_print(&text,
                  scene->method == THUD_SWEEP_REGULARISED ? "  distance   %.3g from the set (worst, at t = %.6g)\n"
                                                          : "  residual   %.3g (worst, at t = %.6g)\n",
                  run->info.worst_residual, run->info.worst_residual_time);
  if (run->info.worst_gap > 0)
    thud_text_print(&text, "  gap        %.3g (certified bound on the error of an iterative projection)\n",
                    run->info.worst_gap);
  if (run->refinement_count > 0)
    thud_text_print(&text, "  error      about %.3g (sup norm, by nested refinement)\n", run->error_estimate);
  if (run->events.total > 0) thud_text_print(&text, "  jumps      at %zu times\n", run->events.times);
  if (run->initial_warning)
    thud_text_print(&text, "  warning    the initial state lies %.6g outside the set and was projected onto it\n",
                    scene->initial_distance);
  if (run->info.loose_projections > 0) {
    char message[160];
    loose_text(run, message, sizeof message);
    thud_text_print(&text, "  warning    %s\n", message);
  }
  if (run->no_estimate[0] != '\0') thud_text_print(&text, "  warning    %s\n", run->no_estimate);
  if (run->options->record != NULL)
    thud_text_print(&text,
                    run->sink_error == THUD_OK ? "  record     %s (%zu frames)\n"
                                               : "  record     %s (incomplete: %zu frames were handed over)\n",
                    run->options->record, run->recorded);
  thud_text_print(&text, "verdict: %s%s%s\n", run_verdict_name(run->verdict), run->reason[0] != '\0' ? ": " : "",
                  run->reason);
  return run_hand_out(&text, out);
}
