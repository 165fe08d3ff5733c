/* What a run of a `system` scene found, as JSON for machines and as a few lines for people. */
#include "run/run_branch.h"
#include "run/run_event.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- pieces of JSON
 * --------------------------------------------------------------------------------------------------- */

static void write_named(thud_json *json, thud_index n, char *const *names, const double *values) {
  for (thud_index i = 0; i < n; i++) thud_json_number_field(json, names[i], values[i]);
}

static void write_state(thud_json *json, const system_run *run, const double *q, const double *v) {
  thud_json_begin_object(json);
  write_named(json, run->n, run->scene->coordinates, q);
  write_named(json, run->n, run->scene->lagrangian->velocities, v);
  thud_json_end_object(json);
}

void system_json_velocities(thud_json *json, const system_run *run, const char *key, const double *v) {
  thud_json_key(json, key);
  thud_json_begin_object(json);
  write_named(json, run->n, run->scene->lagrangian->velocities, v);
  thud_json_end_object(json);
}

const char *system_constraint_name(const system_run *run, thud_index i) {
  return i >= 0 && i < run->m ? thud_system_constraint(run->scene->lagrangian->system, i)->name : NULL;
}

void system_json_constraints(thud_json *json, const system_run *run, const double *mark) {
  thud_json_key(json, "constraints");
  thud_json_begin_flat_array(json);
  for (thud_index i = 0; i < run->m; i++)
    if (mark[i] != 0) thud_json_string(json, system_constraint_name(run, i));
  thud_json_end_array(json);
}

void system_json_impulses(thud_json *json, const system_run *run, const char *key, const double *reaction,
                          const double *mark) {
  const thud_system *system = run->scene->lagrangian->system;
  thud_json_key(json, key);
  thud_json_begin_object(json);
  for (thud_index i = 0; i < run->m; i++) {
    if (mark[i] == 0) continue;
    thud_json_key(json, system_constraint_name(run, i));
    thud_json_begin_flat_array(json);
    thud_json_number(json, reaction[i]);
    thud_index next = run->m;
    for (thud_index k = 0; k < thud_system_friction_count(system); k++) {
      const thud_friction_def *law = thud_system_friction(system, k);
      for (thud_index d = 0; d < law->directions; d++, next++)
        if (law->constraint == i) thud_json_number(json, reaction[next]);
    }
    thud_json_end_array(json);
  }
  thud_json_end_object(json);
}

static void write_event(thud_json *json, const system_run *run, const double *t, const double *before,
                        const double *after, const double *reaction, const double *atom) {
  thud_json_begin_object(json);
  if (t != NULL) {
    thud_json_number_field(json, "t", *t);
    thud_json_string_field(json, "kind", "impact");
  }
  system_json_constraints(json, run, atom);
  system_json_velocities(json, run, "before", before);
  system_json_velocities(json, run, "after", after);
  system_json_impulses(json, run, "impulse", reaction, atom);
  thud_json_end_object(json);
}

thud_error system_event_json(const system_run *run, const thud_motion_frame *frame, char **out) {
  thud_text text = thud_text_new(run->scene->context);
  thud_json json = thud_json_new(&text);
  write_event(&json, run, NULL, frame->v_left, frame->v, frame->reaction, run->flags);
  return run_hand_out(&text, out);
}

static void write_events(thud_json *json, const system_run *run) {
  size_t n = (size_t)run->n, m = (size_t)run->m, s = (size_t)run->s;
  thud_json_key(json, "events");
  thud_json_begin_array(json);
  for (size_t k = 0; k < run->kept; k++) {
    const double *numbers = run->events[k].numbers;
    if (run->event != NULL)
      event_json_note(json, run, numbers, true);
    else
      write_event(json, run, &run->events[k].t, numbers, numbers + n, numbers + 2 * n, numbers + 2 * n + m + s);
  }
  thud_json_end_array(json);
  thud_json_integer_field(json, "events_total", (int64_t)run->counters.events_total);
}

static void write_ledger(thud_json *json, const thud_ledger *ledger) {
  thud_json_key(json, "ledger");
  thud_json_begin_object(json);
  thud_json_number_field(json, "kinetic", ledger->kinetic);
  thud_json_number_field(json, "potential", ledger->potential);
  thud_json_number_field(json, "work", ledger->work);
  thud_json_number_field(json, "impact_loss", ledger->impact_loss);
  thud_json_number_field(json, "friction_loss", ledger->friction_loss);
  thud_json_number_field(json, "contact_loss", ledger->contact_loss);
  thud_json_number_field(json, "defect", ledger->defect);
  thud_json_number_field(json, "identity", ledger->identity);
  thud_json_end_object(json);
}

/* ---- warnings
 * --------------------------------------------------------------------------------------------------------------- */

void system_tell_multiple(const system_run *run, size_t impacts, double cosine, double t, thud_index first,
                          thud_index second, char *message, size_t capacity) {
  snprintf(
      message, capacity,
      "%zu multiple impact%s on constraints that are not orthogonal in the kinetic metric (%s and %s: cosine %.6g at "
      "t = %.6g): the motion there depends discontinuously on the data",
      impacts, thud_plural(impacts), system_constraint_name(run, first), system_constraint_name(run, second), cosine,
      t);
}

void system_tell_reduced(size_t impacts, char *message, size_t capacity) {
  snprintf(
      message, capacity,
      "the restitution was reduced at %zu impact%s, where Newton's law with Coulomb friction would have created energy",
      impacts, thud_plural(impacts));
}

static bool multiple_warning(const system_run *run, double *t, char *message, size_t capacity) {
  const thud_motion_info *info = &run->info;
  if (info->multiple_impacts == 0 || fabs(info->worst_cosine) < 1e-9 || info->cosine_first < 0) return false;
  *t = info->worst_cosine_time;
  system_tell_multiple(run, info->multiple_impacts, info->worst_cosine, *t, info->cosine_first, info->cosine_second,
                       message, capacity);
  return true;
}

static bool gain_warning(const system_run *run, double *t, char *message, size_t capacity) {
  if (run->info.reduced_restitutions == 0) return false;
  *t = run->info.time;
  system_tell_reduced(run->info.reduced_restitutions, message, capacity);
  return true;
}

bool system_pick_warning(const system_run *run, const system_warning_kind *kinds, size_t count, size_t k,
                         const char **code, double *t, char *message, size_t capacity) {
  for (size_t i = 0; i < count; i++) {
    if (!kinds[i].tell(run, t, message, capacity)) continue;
    *code = kinds[i].code;
    if (k-- == 0) return true;
  }
  return false;
}

bool system_warning(const system_run *run, size_t k, const char **code, double *t, char *message, size_t capacity) {
  static const system_warning_kind kinds[] = {{"multiple-impact", multiple_warning},
                                              {"energy-gain-reduced", gain_warning}};
  if (run->event != NULL) return event_warning(run, k, code, t, message, capacity);
  return system_pick_warning(run, kinds, sizeof kinds / sizeof *kinds, k, code, t, message, capacity);
}

static void write_warnings(thud_json *json, const system_run *run) {
  const char *code;
  double t;
  char message[512];
  thud_json_key(json, "warnings");
  thud_json_begin_array(json);
  for (size_t k = 0; system_warning(run, k, &code, &t, message, sizeof message); k++) {
    thud_json_begin_object(json);
    thud_json_string_field(json, "code", code);
    thud_json_string_field(json, "message", message);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

/* ---- the whole
 * ------------------------------------------------------------------------------------------------------------- */

static void write_samples(thud_json *json, const system_run *run, const char *key, const double *values) {
  size_t n = (size_t)run->n;
  thud_json_key(json, key);
  thud_json_begin_array(json);
  for (size_t k = 0; k < run->samples.next; k++) {
    thud_json_begin_object(json);
    thud_json_number_field(json, "t", run->samples.times[k]);
    thud_json_key(json, "state");
    write_state(json, run, values + 2 * k * n, values + (2 * k + 1) * n);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

static void write_figures(thud_json *json, const system_run *run) {
  const thud_motion_info *info = &run->info;
  thud_json_integer_field(json, "steps", (int64_t)info->steps);
  thud_json_integer_field(json, "rejected_steps", (int64_t)info->rejected_steps);
  thud_json_number_field(json, "residual", info->worst_residual);
  thud_json_number_field(json, "residual_time", info->worst_residual_time);
  thud_json_number_field(json, "penetration", -info->worst_gap);
  thud_json_number_field(json, "penetration_time", info->worst_gap_time);
  thud_json_string_field(json, "penetration_constraint", system_constraint_name(run, info->worst_gap_constraint));
}

void system_json_result(thud_json *json, const system_run *run, bool with_wall_clock) {
  const thud_scene *scene = run->scene;
  system_present last = system_run_present(run);
  thud_json_begin_object(json);
  thud_json_string_field(json, "verdict", run_verdict_name(run->verdict));
  thud_json_string_field(json, "reason", run->reason);
  thud_json_string_field(json, "title", scene->title);
  thud_json_string_field(json, "method", thud_scene_get_info(scene).method);
  thud_json_number_field(json, "time", last.t);
  if (with_wall_clock) thud_json_number_field(json, "wall_seconds", run->wall_seconds);
  if (run->path != NULL) branch_json_path(json, run->path);
  thud_json_key(json, "state");
  write_state(json, run, last.q, last.v);
  if (run->event != NULL)
    event_json_figures(json, run);
  else
    write_figures(json, run);
  write_events(json, run);
  write_ledger(json, &last.ledger);
  write_warnings(json, run);
  thud_json_string_field(json, "record", with_wall_clock ? run->options->record : NULL);
  thud_json_integer_field(json, "frames", (int64_t)run->counters.recorded);
  if (run->samples.count > 0) {
    write_samples(json, run, "samples", run->samples.right);
    write_samples(json, run, "samples_left", run->samples.left);
  }
  thud_json_end_object(json);
}

thud_error system_write_json(const system_run *run, bool with_wall_clock, char **out) {
  thud_text text = thud_text_new(run->scene->context);
  thud_json json = thud_json_new(&text);
  system_json_result(&json, run, with_wall_clock);
  return run_hand_out(&text, out);
}

/* What is rounding beside the largest value met prints as 0; coordinates with one unit share their scale. */
static double shown(const system_run *run, thud_index which, double value) {
  const double rounding = 1e-14;
  const double *largest = run->largest + (which < run->n ? 0 : run->n);
  double scale = run->largest[which];
  if (scene_common_unit(run->scene)[0] != '\0')
    for (thud_index i = 0; i < run->n; i++) scale = fmax(scale, largest[i]);
  return fabs(value) <= rounding * scale ? 0 : value;
}

void system_report_state(thud_text *text, const system_run *run, const char *what, double t, const char *side,
                         const double *q, const double *v) {
  enum { SHOWN = 6 };
  const thud_scene *scene = run->scene;
  thud_text_print(text, "  %-11s t = %.10g%s", what, t, side);
  for (thud_index i = 0; i < run->n && i < SHOWN; i++)
    thud_text_print(text, ", %s = %.10g", scene->coordinates[i], shown(run, i, q[i]));
  for (thud_index i = 0; i < run->n && i < SHOWN; i++)
    thud_text_print(text, ", %s = %.10g", scene->lagrangian->velocities[i], shown(run, run->n + i, v[i]));
  if (run->n > SHOWN)
    thud_text_print(text, ", and %d more coordinate%s", (int)run->n - SHOWN, thud_plural((size_t)(run->n - SHOWN)));
  thud_text_print(text, "\n");
}

void system_report_samples(thud_text *text, const system_run *run) {
  const collect_samples *samples = &run->samples;
  size_t n = (size_t)run->n;
  for (size_t k = 0; k < samples->next; k++) {
    const double *left = samples->left + 2 * k * n, *right = samples->right + 2 * k * n;
    bool jumps = memcmp(left, right, 2 * n * sizeof(double)) != 0;
    if (jumps) system_report_state(text, run, "sample", samples->times[k], "-", left, left + n);
    system_report_state(text, run, "sample", samples->times[k], jumps ? "+" : "", right, right + n);
  }
}

/* Energies that are rounding beside the largest of them print as 0; the defect is what it is. */
void system_report_energy(thud_text *text, const thud_ledger *ledger) {
  enum { ENERGIES = 6 };
  const double rounding = 1e-14;
  double energies[ENERGIES] = {ledger->kinetic,     ledger->potential,     ledger->work,
                               ledger->impact_loss, ledger->friction_loss, ledger->contact_loss};
  double scale = 0;
  for (size_t k = 0; k < ENERGIES; k++) scale = fmax(scale, fabs(energies[k]));
  for (size_t k = 0; k < ENERGIES; k++)
    if (fabs(energies[k]) <= rounding * scale) energies[k] = 0;
  thud_text_print(text, "  energy      kinetic %.6g, potential %.6g, work %.6g\n", energies[0], energies[1],
                  energies[2]);
  thud_text_print(text, "  losses      impacts %.6g, friction %.6g, closing %.3g; scheme's defect %.3g\n", energies[3],
                  energies[4], energies[5], ledger->defect);
}

void system_report_warnings(thud_text *text, const system_run *run) {
  const char *code;
  double t;
  char message[512];
  for (size_t k = 0; system_warning(run, k, &code, &t, message, sizeof message); k++)
    thud_text_print(text, "  warning     %s\n", message);
}

static void report_figures(thud_text *text, const system_run *run) {
  const thud_motion_info *info = &run->info;
  if (run->m == 0) return;
  thud_text_print(text, "  residual    %.3g (worst, at t = %.6g)\n", info->worst_residual, info->worst_residual_time);
  const char *name = system_constraint_name(run, info->worst_gap_constraint);
  if (name != NULL)
    thud_text_print(text, "  violation   %.3g (worst, %s at t = %.6g)\n", -info->worst_gap, name, info->worst_gap_time);
}

static void report_record(thud_text *text, const system_run *run) {
  if (run->options->record == NULL) return;
  thud_text_print(text,
                  run->sink_error == THUD_OK ? "  record      %s (%zu frames)\n"
                                             : "  record      %s (incomplete: %zu frames were handed over)\n",
                  run->options->record, run->counters.recorded);
}

thud_error system_write_report(const system_run *run, char **out) {
  const thud_scene *scene = run->scene;
  system_present last = system_run_present(run);
  thud_text text = thud_text_new(scene->context);
  if (scene->title[0] != '\0') thud_text_print(&text, "%s\n", scene->title);
  thud_text_print(&text, "  method      %s, ", thud_scene_get_info(scene).method);
  if (run->event != NULL)
    thud_text_print(&text, "%zu arc%s of order %d", run->event->info.arcs, thud_plural(run->event->info.arcs),
                    thud_event_motion_order(run->event->motion));
  else
    thud_text_print(&text, "%zu step%s", run->info.steps, thud_plural(run->info.steps));
  thud_text_print(&text, ", t = %g to %g\n", scene->start, scene->end);
  system_report_samples(&text, run);
  system_report_state(&text, run, "state", last.t, "", last.q, last.v);
  if (run->event != NULL)
    event_report_events(&text, run);
  else if (run->m > 0)
    thud_text_print(&text, "  impacts     %zu\n", run->info.impacts);
  system_report_energy(&text, &last.ledger);
  if (run->event != NULL)
    event_report_figures(&text, run);
  else
    report_figures(&text, run);
  system_report_warnings(&text, run);
  report_record(&text, run);
  thud_text_print(&text, "verdict: %s%s%s\n", run_verdict_name(run->verdict), run->reason[0] != '\0' ? ": " : "",
                  run->reason);
  return run_hand_out(&text, out);
}
