/* What an event-driven run found: its events, figures and warnings. */
#include "run/run_event.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double *part_of(const system_run *run, const double *note, event_channel channel) {
  return note + run->event->layout.at[channel];
}

static thud_event_kind kind_of(const system_run *run, const double *note) {
  return (thud_event_kind)(int)*part_of(run, note, EVENT_KIND);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* constraint -> [mode before, mode after] of those at which something happens */
static void write_modes(thud_json *json, const system_run *run, const double *note) {
  const double *involved = part_of(run, note, EVENT_INVOLVED);
  const double *before = part_of(run, note, EVENT_MODE_LEFT), *after = part_of(run, note, EVENT_MODE);
  thud_json_key(json, "modes");
  thud_json_begin_object(json);
  for (thud_index i = 0; i < run->m; i++) {
    if (involved[i] == 0) continue;
    thud_json_key(json, system_constraint_name(run, i));
    thud_json_begin_flat_array(json);
    thud_json_string(json, thud_contact_mode_name((thud_contact_mode)(int)before[i]));
    thud_json_string(json, thud_contact_mode_name((thud_contact_mode)(int)after[i]));
    thud_json_end_array(json);
  }
  thud_json_end_object(json);
}

static void write_zeno(thud_json *json, const system_run *run, const double *note) {
  const double *zeno = part_of(run, note, EVENT_ZENO);
  thud_json_number_field(json, "begin", zeno[ZENO_BEGIN]);
  thud_json_number_field(json, "duration", zeno[ZENO_DURATION]);
  thud_json_number_field(json, "ratio", zeno[ZENO_RATIO]);
  thud_json_integer_field(json, "impacts", (int64_t)zeno[ZENO_IMPACTS]);
  thud_json_number_field(json, "limit_error", zeno[ZENO_ERROR]);
  system_json_impulses(json, run, "total_impulse", part_of(run, note, EVENT_ZENO_IMPULSE),
                       part_of(run, note, EVENT_INVOLVED));
}

/* Deepest order of the series that decided a mode here, -1: nothing was to be decided. */
static int deepest_order(const system_run *run, const double *note) {
  const double *order = part_of(run, note, EVENT_ORDER);
  double deepest = -1;
  for (thud_index i = 0; i < run->m; i++) deepest = fmax(deepest, order[i]);
  return (int)deepest;
}

/* 1 where a constraint is involved or has an impulse: at an impact contacts that were closed may be struck too. */
static void mark_impulses(const system_run *run, const double *note, double *mark) {
  const double *involved = part_of(run, note, EVENT_INVOLVED), *impulse = part_of(run, note, EVENT_IMPULSE);
  for (thud_index i = 0; i < run->m; i++) mark[i] = involved[i] != 0 || impulse[i] != 0;
}

void event_json_note(thud_json *json, const system_run *run, const double *note, bool with_time) {
  thud_event_kind kind = kind_of(run, note);
  bool jump = kind == THUD_EVENT_IMPACT || kind == THUD_EVENT_ZENO;
  thud_json_begin_object(json);
  if (with_time) {
    thud_json_number_field(json, "t", *part_of(run, note, EVENT_T));
    thud_json_string_field(json, "kind", thud_event_kind_name(kind));
  }
  thud_json_number_field(json, "t_error", *part_of(run, note, EVENT_T_ERROR));
  system_json_constraints(json, run, part_of(run, note, EVENT_INVOLVED));
  system_json_velocities(json, run, "before", part_of(run, note, EVENT_V_LEFT));
  system_json_velocities(json, run, "after", part_of(run, note, EVENT_Q) + run->n);
  if (jump) {
    mark_impulses(run, note, run->flags);
    system_json_impulses(json, run, "impulse", part_of(run, note, EVENT_IMPULSE), run->flags);
  }
  write_modes(json, run, note);
  thud_json_integer_field(json, "order", deepest_order(run, note));
  if (kind == THUD_EVENT_IMPACT) {
    thud_json_number_field(json, "cosine", *part_of(run, note, EVENT_COSINE));
    thud_json_key(json, "tangential");
    thud_json_bool(json, *part_of(run, note, EVENT_TANGENTIAL) != 0);
    thud_json_number_field(json, "residual", *part_of(run, note, EVENT_RESIDUAL));
  }
  if (kind == THUD_EVENT_ZENO) write_zeno(json, run, note);
  thud_json_end_object(json);
}

thud_error event_note_json(const system_run *run, const double *note, char **out) {
  thud_text text = thud_text_new(run->scene->context);
  thud_json json = thud_json_new(&text);
  event_json_note(&json, run, note, false);
  return run_hand_out(&text, out);
}

static void report_limit(thud_text *text, const system_run *run, const double *note) {
  const double *zeno = part_of(run, note, EVENT_ZENO), *total = part_of(run, note, EVENT_ZENO_IMPULSE);
  const double *involved = part_of(run, note, EVENT_INVOLVED);
  thud_text_print(text, "  zeno        t = %.13g, limit of impacts since t = %.10g (ratio %.4g), total impulse",
                  *part_of(run, note, EVENT_T), zeno[ZENO_BEGIN], zeno[ZENO_RATIO]);
  for (thud_index i = 0; i < run->m; i++)
    if (involved[i] != 0) thud_text_print(text, " %s %.10g", system_constraint_name(run, i), total[i]);
  thud_text_print(text, "\n");
}

/* "72 impacts (1 without collision), 3 starts of slip, 2 reversals of slip". */
static void report_counts(thud_text *text, const system_counters *counters) {
  enum { REVERSAL = EVENT_KINDS, COUNTS };
  static const char *const names[COUNTS][2] = {{"impact", "impacts"},
                                               {"limit of an accumulation", "limits of accumulations"},
                                               {"closing", "closings"},
                                               {"opening", "openings"},
                                               {"graze", "grazes"},
                                               {"stop of slip", "stops of slip"},
                                               {"start of slip", "starts of slip"},
                                               {"switch", "switches"},
                                               {"reversal of slip", "reversals of slip"}};
  size_t counts[COUNTS];
  const char *separator = "";
  memcpy(counts, counters->kinds, sizeof counters->kinds);
  counts[REVERSAL] = counters->reversals;
  counts[THUD_EVENT_SLIP] -= counters->reversals;
  for (size_t k = 0; k < COUNTS; k++) {
    if (counts[k] == 0) continue;
    thud_text_print(text, "%s%zu %s", separator, counts[k], names[k][counts[k] > 1]);
    if (k == THUD_EVENT_IMPACT && counters->tangential > 0)
      thud_text_print(text, " (%zu without collision)", counters->tangential);
    separator = ", ";
  }
}

/* "  1.5  stick  belt (sliding to sticking)": impulses where velocities jump, modes elsewhere. */
static void report_event(thud_text *text, const system_run *run, const double *note) {
  thud_event_kind kind = kind_of(run, note);
  bool jump = kind == THUD_EVENT_IMPACT || kind == THUD_EVENT_ZENO;
  const double *impulse = part_of(run, note, EVENT_IMPULSE), *involved = part_of(run, note, EVENT_INVOLVED);
  const double *before = part_of(run, note, EVENT_MODE_LEFT), *after = part_of(run, note, EVENT_MODE);
  const char *separator = "";
  thud_text_print(text, "    %-18.13g %-7s ", *part_of(run, note, EVENT_T), thud_event_kind_name(kind));
  for (thud_index i = 0; i < run->m; i++) {
    const char *left = thud_contact_mode_name((thud_contact_mode)(int)before[i]);
    const char *right = thud_contact_mode_name((thud_contact_mode)(int)after[i]);
    if (involved[i] == 0 && !(jump && impulse[i] != 0)) continue;
    thud_text_print(text, "%s%s", separator, system_constraint_name(run, i));
    if (kind == THUD_EVENT_IMPACT)
      thud_text_print(text, " (impulse %.6g)", impulse[i]);
    else if (before[i] != after[i])
      thud_text_print(text, " (%s to %s)", left, right);
    else if (kind == THUD_EVENT_SLIP)
      thud_text_print(text, " (turns round)");
    separator = ", ";
  }
  thud_text_print(text, "%s\n", *part_of(run, note, EVENT_TANGENTIAL) != 0 ? " without collision" : "");
}

/* How many of each kind, the first ones, and the first limits of accumulations. */
void event_report_events(thud_text *text, const system_run *run) {
  enum { SHOWN = 10, LIMITS = 4 };
  size_t total = run->counters.events_total;
  int limits = 0;
  if (total == 0 && run->m == 0) return;
  thud_text_print(text, "  events      %s", total == 0 ? "none" : "");
  report_counts(text, &run->counters);
  thud_text_print(text, "\n");
  for (size_t k = 0; k < run->kept && k < SHOWN; k++) report_event(text, run, run->events[k].numbers);
  if (total > SHOWN && run->kept >= SHOWN)
    thud_text_print(text, "    and %zu more%s\n", total - SHOWN,
                    run->options->record != NULL ? ": thud export --events lists them" : "");
  for (size_t k = 0; k < run->kept && limits < LIMITS; k++)
    if (kind_of(run, run->events[k].numbers) == THUD_EVENT_ZENO) {
      report_limit(text, run, run->events[k].numbers);
      limits++;
    }
}

/* ---- figures ----------------------------------------------------------------------------------------------------- */

void event_json_figures(thud_json *json, const system_run *run) {
  const thud_event_info *info = &run->event->info;
  thud_json_integer_field(json, "steps", (int64_t)info->arcs);
  thud_json_integer_field(json, "arcs", (int64_t)info->arcs);
  thud_json_integer_field(json, "impacts", (int64_t)info->impacts);
  thud_json_integer_field(json, "zeno_limits", (int64_t)info->zeno_limits);
  thud_json_integer_field(json, "grazes", (int64_t)info->grazes);
  thud_json_integer_field(json, "switches", (int64_t)info->switches);
  thud_json_integer_field(json, "undecided", (int64_t)info->undecided);
  thud_json_integer_field(json, "order", thud_event_motion_order(run->event->motion));
  thud_json_integer_field(json, "deepest_order", info->deepest_order);
  thud_json_number_field(json, "residual", info->worst_residual);
  thud_json_number_field(json, "penetration", fabs(info->worst_gap));
}

void event_report_figures(thud_text *text, const system_run *run) {
  const thud_event_info *info = &run->event->info;
  if (run->m == 0) return;
  if (info->deepest_order > 0)
    thud_text_print(text, "  decided     at order %d of the series at most\n", info->deepest_order);
  if (info->impacts > 0) thud_text_print(text, "  residual    %.3g (worst impact)\n", info->worst_residual);
  thud_text_print(text, "  violation   %.3g (worst gap at the ends of arcs)\n", fabs(info->worst_gap));
}

/* ---- warnings ---------------------------------------------------------------------------------------------------- */

static bool multiple_warning(const system_run *run, double *t, char *message, size_t capacity) {
  const thud_event_info *info = &run->event->info;
  if (info->multiple_impacts == 0 || fabs(info->worst_cosine) < 1e-9 || info->cosine_first < 0) return false;
  *t = info->worst_cosine_time;
  system_tell_multiple(run, info->multiple_impacts, info->worst_cosine, *t, info->cosine_first, info->cosine_second,
                       message, capacity);
  return true;
}

static bool undecided_warning(const system_run *run, double *t, char *message, size_t capacity) {
  const thud_event_info *info = &run->event->info;
  if (info->undecided == 0) return false;
  *t = info->undecided_time;
  snprintf(message, capacity,
           "whether contacts last was not decided to order %d of the series on %zu arc%s (first: '%s' at t = %.10g); "
           "they were kept closed without force",
           info->undecided_order, info->undecided, thud_plural(info->undecided),
           system_constraint_name(run, info->undecided_constraint), *t);
  return true;
}

static bool graze_warning(const system_run *run, double *t, char *message, size_t capacity) {
  size_t grazes = run->counters.kinds[THUD_EVENT_GRAZE];
  if (grazes == 0) return false;
  *t = run->counters.first_graze;
  snprintf(
      message, capacity,
      "%zu graze%s (first at t = %.10g): something touched 0 without crossing it, which a small change of the data "
      "may turn into a crossing",
      grazes, thud_plural(grazes), *t);
  return true;
}

static bool gain_warning(const system_run *run, double *t, char *message, size_t capacity) {
  if (run->counters.gains == 0) return false;
  *t = run->counters.first_gain;
  snprintf(message, capacity, "the impact law created energy at %zu impact%s (first at t = %.10g)", run->counters.gains,
           thud_plural(run->counters.gains), *t);
  return true;
}

static bool reduced_warning(const system_run *run, double *t, char *message, size_t capacity) {
  const thud_event_info *info = &run->event->info;
  if (info->reduced_restitutions == 0) return false;
  *t = info->time;
  system_tell_reduced(info->reduced_restitutions, message, capacity);
  return true;
}

static bool right_warning(const system_run *run, double *t, char *message, size_t capacity) {
  const thud_event_info *info = &run->event->info;
  if (info->right_accumulations == 0) return false;
  *t = info->right_accumulation_time;
  snprintf(message, capacity,
           "the data are not analytic at %zu time%s at which contacts were at rest (first: '%s' at t = %.10g): impacts "
           "could accumulate there from the right, and the motion found is one of possibly several",
           info->right_accumulations, thud_plural(info->right_accumulations),
           system_constraint_name(run, info->right_accumulation_constraint), *t);
  return true;
}

static bool moved_warning(const system_run *run, double *t, char *message, size_t capacity) {
  const thud_event_info *info = &run->event->info;
  if (info->moved == 0) return false;
  *t = run->scene->start;
  snprintf(message, capacity,
           "the initial state violates %zu constraint%s (most: '%s' by %.3g), which initial_tolerance accepts: the "
           "motion starts from the nearest state that does not",
           info->moved, info->moved == 1 ? "" : "s", system_constraint_name(run, info->moved_constraint),
           info->moved_violation);
  return true;
}

static bool indeterminate_warning(const system_run *run, double *t, char *message, size_t capacity) {
  const thud_event_info *info = &run->event->info;
  char others[48] = "";
  if (info->indeterminate_forces == 0 || info->indeterminate_constraint < 0) return false;
  *t = info->indeterminate_time;
  if (info->indeterminate_constraints > 1)
    snprintf(others, sizeof others, " and %zu others", info->indeterminate_constraints - 1);
  snprintf(
      message, capacity,
      "the forces of '%s'%s are not unique and the motion depends on their choice on %zu arcs (first at t = %.10g): "
      "it is one of many; elastic supports would decide it",
      system_constraint_name(run, info->indeterminate_constraint), others, info->indeterminate_forces, *t);
  return true;
}

bool event_warning(const system_run *run, size_t k, const char **code, double *t, char *message, size_t capacity) {
  static const system_warning_kind kinds[] = {{"non-orthogonal-impact", multiple_warning},
                                              {"undecided-contact", undecided_warning},
                                              {"graze", graze_warning},
                                              {"energy-gain", gain_warning},
                                              {"reduced-restitution", reduced_warning},
                                              {"right-accumulation", right_warning},
                                              {"initial-state-moved", moved_warning},
                                              {"indeterminate-forces", indeterminate_warning}};
  return system_pick_warning(run, kinds, sizeof kinds / sizeof *kinds, k, code, t, message, capacity);
}
