/* Time stepping against the event-driven motion as tables, CSV, JSON and pictures. */
#include "base/base.h"
#include "cli/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_EVENT_LINES = 40, MOST_STRAY_LINES = 10, MOST_ROWS = 32, MOST_CURVES = 24 };

static double norm(size_t count, const double *x) {
  double sum = 0;
  for (size_t k = 0; k < count; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

/* Components of a reaction: the constraints, then the slip components. */
static size_t components_of(const thud_against *study) { return (size_t)study->m + (size_t)study->s; }

static const char *law_of(const thud_against *study, const thud_against_event *event) {
  return study->event_laws[event - study->events];
}

/* "left+right", cut to the room; the law where one by itself sticks or slips. */
static const char *names_of(const thud_against *study, const thud_against_event *event, char *room, size_t capacity) {
  size_t used = 0;
  room[0] = '\0';
  for (thud_index i = 0; i < study->m && used < capacity; i++)
    if (event->involved[i])
      used += (size_t)snprintf(room + used, capacity - used, "%s%s", used > 0 ? "+" : "", study->constraints[i]);
  if (used == 0) snprintf(room, capacity, "%s", law_of(study, event) != NULL ? law_of(study, event) : "(friction law)");
  return room;
}

/* ---- text ----------------------------------------------------------------------------------------------------------
 */

static bool is_elastic(const thud_against *study) { return study->kind == THUD_STUDY_OF_QUASISTATIC; }

static void elastic_levels_text(const thud_against *study, thud_text *text) {
  thud_text_print(
      text, "      steps       sup|dU|  order       sup|dr|  order         graph  order      friction  order  jumps\n");
  for (size_t k = 0; k < study->count; k++) {
    const thud_against_row *row = &study->rows[k];
    thud_text_print(text, "%11d", (int)row->steps);
    study_difference_cell(text, row->q_error);
    study_order_cell(text, row->q_order);
    study_difference_cell(text, row->v_error);
    study_order_cell(text, row->v_order);
    study_difference_cell(text, row->graph_error);
    study_order_cell(text, row->graph_order);
    study_difference_cell(text, row->energy_error);
    study_order_cell(text, row->energy_order);
    thud_text_print(text, "  %5zu\n", row->impacts);
  }
  study_jumps_note(text, NAN, study->left_out);
}

static void levels_text(const thud_against *study, thud_text *text) {
  if (study->count == 0) return;
  if (is_elastic(study)) {
    elastic_levels_text(study, text);
    return;
  }
  thud_text_print(text,
                  "      steps       sup|dq|  order        L1|dv|  order         graph  order       impulse  order"
                  "        energy  order  found  missed  stray\n");
  for (size_t k = 0; k < study->count; k++) {
    const thud_against_row *row = &study->rows[k];
    const double cells[][2] = {{row->q_error, row->q_order},
                               {row->v_error, row->v_order},
                               {row->graph_error, row->graph_order},
                               {row->impulse_error, row->impulse_order},
                               {row->energy_error, row->energy_order}};
    thud_text_print(text, "%11d", (int)row->steps);
    for (size_t j = 0; j < sizeof cells / sizeof *cells; j++) {
      study_difference_cell(text, cells[j][0]);
      study_order_cell(text, cells[j][1]);
    }
    thud_text_print(text, "  %5zu  %6zu  %5zu\n", row->found, row->missed, row->stray);
  }
}

static void event_line(const thud_against *study, const thud_against_event *event, thud_text *text) {
  char names[64];
  const thud_against_match *match = &event->matches[study->count - 1];
  double impulse = norm(components_of(study), event->impulse);
  thud_text_print(text, "  %13.9g  %-6s  %-20s", event->t, thud_event_kind_name(event->kind),
                  names_of(study, event, names, sizeof names));
  study_difference_cell(text, impulse > 0 ? impulse : (double)NAN);
  if (match->partner == THUD_PARTNER_FOUND) {
    study_difference_cell(text, match->t_error);
    study_order_cell(text, event->t_order);
    study_difference_cell(text, match->v_error);
    study_order_cell(text, event->v_order);
    study_difference_cell(text, match->impulse_error);
    study_order_cell(text, event->impulse_order);
  } else {
    thud_text_print(text, "  missed");
  }
  thud_text_print(text, "\n");
}

static void events_header(const thud_against *study, thud_text *text) {
  thud_text_print(text, "  events of the reference, errors at %d steps, orders over all levels:\n",
                  (int)study->rows[study->count - 1].steps);
  thud_text_print(text, "              t  event   constraints                impulse          of t  order    of v after"
                        "  order    of impulse  order\n");
}

static void events_text(const thud_against *study, thud_text *text) {
  size_t lines = 0, unresolved = 0, left = 0, left_missed = 0;
  for (size_t e = 0; e < study->event_count && study->count > 0; e++) {
    const thud_against_event *event = &study->events[e];
    thud_partner partner = event->matches[study->count - 1].partner;
    if (partner == THUD_PARTNER_UNRESOLVED) {
      unresolved++;
    } else if (lines < MOST_EVENT_LINES) {
      if (lines++ == 0) events_header(study, text);
      event_line(study, event, text);
    } else {
      left++;
      left_missed += partner == THUD_PARTNER_MISSED;
    }
  }
  if (left > 0) thud_text_print(text, "  %zu more (%zu missed): --impacts, --json\n", left, left_missed);
  if (unresolved > 0)
    thud_text_print(text, "  events too close together, or to the ends of the run, for the finest step: %zu\n",
                    unresolved);
}

static void strays_text(const thud_against *study, thud_text *text) {
  size_t total = study->count > 0 ? study->rows[study->count - 1].stray : 0;
  if (total == 0) return;
  thud_text_print(text, "  impacts of the stepped motion without partner at the finest level: %zu\n", total);
  for (size_t k = 0; k < total && k < MOST_STRAY_LINES; k++) {
    const thud_against_stray *stray = &study->strays[study->stray_count - total + k];
    thud_text_print(text, "  %13.9g  stray   %-20s  %12.4e\n", stray->t, study->constraints[stray->constraint],
                    stray->impulse);
  }
  if (total > MOST_STRAY_LINES) thud_text_print(text, "  ...\n");
}

static void cosine_text(const thud_against *study, thud_text *text) {
  const thud_event_motion_info *info = &study->reference;
  if (info->worst_cosine == 0) return;
  thud_text_print(text,
                  "note: at t = %.10g the reference crosses a multiple impact whose gradients are not orthogonal "
                  "('%s', '%s': cosine %.6g): the motion depends discontinuously on the data there\n",
                  info->worst_cosine_time, study->constraints[info->cosine_first],
                  study->constraints[info->cosine_second], info->worst_cosine);
}

static void end_text(const thud_against *study, thud_text *text) {
  const thud_against_event *last = study->event_count > 0 ? &study->events[study->event_count - 1] : NULL;
  if (last == NULL || last->kind != THUD_EVENT_IMPACT || last->t < study->end) return;
  thud_text_print(text, "note: an impact falls on the end of the run; graphs, impulses and energy contain it or not by "
                        "chance of the step: end the run elsewhere to compare them\n");
}

static void orders_text(const thud_against *study, thud_text *text) {
  const struct {
    const char *what;
    double order;
  } orders[] = {{is_elastic(study) ? "displacements" : "positions", study->q_order},
                {is_elastic(study) ? ", reactions" : ", velocities (L1)", study->v_order},
                {", graphs", study->graph_order},
                {", impulses", study->impulse_order},
                {is_elastic(study) ? ", friction loss" : ", energy", study->energy_order}};
  thud_text_print(text, "orders: ");
  for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
    if (is_elastic(study) && k == 3) continue; /* no impulses */
    thud_text_print(text, "%s ", orders[k].what);
    if (isfinite(orders[k].order))
      thud_text_print(text, "%.2f", orders[k].order);
    else
      thud_text_print(text, isinf(orders[k].order) ? "exact" : "unknown");
    if (k == 0) thud_text_print(text, " (expected %.0f)", study->expected_order);
  }
  thud_text_print(text, "\n");
}

static void study_text(const cli_call *call, const thud_tree *tree, const thud_against *study, thud_text *text) {
  const thud_event_motion_info *info = &study->reference;
  thud_text_print(text, "%s: %s against event-driven ", call->operands[0], study->method);
  if (is_elastic(study))
    thud_text_print(text, "(changes of mode: %zu, jumps: %zu)\n", info->arcs - (info->arcs > 0), info->impacts);
  else
    thud_text_print(text, "(arcs: %zu, impacts: %zu, accumulations: %zu)\n", info->arcs, info->impacts,
                    info->zeno_limits);
  levels_text(study, text);
  events_text(study, text);
  strays_text(study, text);
  cosine_text(study, text);
  end_text(study, text);
  study_until_note(text, tree);
  if (study->count > 0) orders_text(study, text);
  thud_text_print(text, "verdict: %s%s%s\n", study->flags == 0 ? "good" : "failed", study->flags == 0 ? "" : ": ",
                  study->message);
}

/* ---- CSV -----------------------------------------------------------------------------------------------------------
 */

static void levels_csv(size_t count, const thud_against *studies, thud_text *text) {
  thud_text_print(text, "method,level,steps,step,q_error,q_order,v_error,v_order,graph_error,graph_order,impulse_error,"
                        "impulse_order,energy_error,energy_order,penetration,residual,impacts,found,missed,unresolved,"
                        "stray\n");
  for (size_t s = 0; s < count; s++)
    for (size_t k = 0; k < studies[s].count; k++) {
      const thud_against_row *row = &studies[s].rows[k];
      const double numbers[] = {row->step,          row->q_error,      row->q_order,      row->v_error,
                                row->v_order,       row->graph_error,  row->graph_order,  row->impulse_error,
                                row->impulse_order, row->energy_error, row->energy_order, row->penetration,
                                row->residual};
      thud_text_print(text, "%s,%d,%d", studies[s].method, row->level, (int)row->steps);
      for (size_t j = 0; j < sizeof numbers / sizeof *numbers; j++) study_csv_number(text, numbers[j]);
      thud_text_print(text, ",%zu,%zu,%zu,%zu,%zu\n", row->impacts, row->found, row->missed, row->unresolved,
                      row->stray);
    }
}

static void events_csv_of(const thud_against *study, thud_text *text) {
  char names[256];
  for (size_t e = 0; e < study->event_count; e++)
    for (size_t k = 0; k < study->count; k++) {
      const thud_against_event *event = &study->events[e];
      const thud_against_match *match = &event->matches[k];
      const double numbers[] = {event->t,       norm(components_of(study), event->impulse),
                                match->t,       match->t_error,
                                match->v_error, match->impulse_error};
      thud_text_print(text, "%s,%d,%s,%s,%s", study->method, study->rows[k].level, thud_event_kind_name(event->kind),
                      names_of(study, event, names, sizeof names), thud_partner_name(match->partner));
      for (size_t j = 0; j < sizeof numbers / sizeof *numbers; j++) study_csv_number(text, numbers[j]);
      thud_text_print(text, "\n");
    }
  for (size_t k = 0; k < study->stray_count; k++) {
    const thud_against_stray *stray = &study->strays[k];
    thud_text_print(text, "%s,%d,impact,%s,stray,", study->method, stray->level, study->constraints[stray->constraint]);
    study_csv_number(text, stray->impulse);
    study_csv_number(text, stray->t);
    thud_text_print(text, ",,,\n");
  }
}

static void events_csv(size_t count, const thud_against *studies, thud_text *text) {
  thud_text_print(text, "method,level,kind,constraints,partner,t,impulse,t_step,t_error,v_error,impulse_error\n");
  for (size_t s = 0; s < count; s++) events_csv_of(&studies[s], text);
}

/* ---- JSON ----------------------------------------------------------------------------------------------------------
 */

static void numbers_json(thud_json *json, const char *key, size_t count, const double *x) {
  thud_json_key(json, key);
  thud_json_begin_flat_array(json);
  for (size_t k = 0; k < count; k++) thud_json_number(json, x[k]);
  thud_json_end_array(json);
}

static void row_json(thud_json *json, const thud_against *study, const thud_against_row *row) {
  thud_json_begin_object(json);
  thud_json_integer_field(json, "level", row->level);
  thud_json_integer_field(json, "steps", row->steps);
  thud_json_number_field(json, "step", row->step);
  thud_json_number_field(json, "q_error", row->q_error);
  thud_json_number_field(json, "q_order", row->q_order);
  thud_json_number_field(json, "v_error", row->v_error);
  thud_json_number_field(json, "v_order", row->v_order);
  thud_json_number_field(json, "graph_error", row->graph_error);
  thud_json_number_field(json, "graph_order", row->graph_order);
  thud_json_number_field(json, "impulse_error", row->impulse_error);
  thud_json_number_field(json, "impulse_order", row->impulse_order);
  numbers_json(json, "impulse_errors", components_of(study), row->impulse);
  thud_json_number_field(json, "energy_error", row->energy_error);
  thud_json_number_field(json, "energy_order", row->energy_order);
  numbers_json(json, "q_end", (size_t)study->n, row->q_end);
  thud_json_number_field(json, "penetration", row->penetration);
  thud_json_number_field(json, "residual", row->residual);
  thud_json_integer_field(json, "impacts", (int64_t)row->impacts);
  thud_json_integer_field(json, "found", (int64_t)row->found);
  thud_json_integer_field(json, "missed", (int64_t)row->missed);
  thud_json_integer_field(json, "unresolved", (int64_t)row->unresolved);
  thud_json_integer_field(json, "stray", (int64_t)row->stray);
  thud_json_end_object(json);
}

static void match_json(thud_json *json, const thud_against *study, const thud_against_match *match, size_t k) {
  thud_json_begin_object(json);
  thud_json_integer_field(json, "level", study->rows[k].level);
  thud_json_string_field(json, "partner", thud_partner_name(match->partner));
  if (match->partner == THUD_PARTNER_FOUND) {
    thud_json_number_field(json, "t", match->t);
    thud_json_number_field(json, "t_error", match->t_error);
    thud_json_number_field(json, "v_error", match->v_error);
    thud_json_number_field(json, "impulse_error", match->impulse_error);
  }
  thud_json_end_object(json);
}

static void event_json(thud_json *json, const thud_against *study, const thud_against_event *event) {
  thud_json_begin_object(json);
  thud_json_number_field(json, "t", event->t);
  thud_json_string_field(json, "kind", thud_event_kind_name(event->kind));
  thud_json_key(json, "constraints");
  thud_json_begin_flat_array(json);
  for (thud_index i = 0; i < study->m; i++)
    if (event->involved[i]) thud_json_string(json, study->constraints[i]);
  thud_json_end_array(json);
  if (law_of(study, event) != NULL) thud_json_string_field(json, "law", law_of(study, event));
  numbers_json(json, "impulse", components_of(study), event->impulse);
  thud_json_number_field(json, "t_order", event->t_order);
  thud_json_number_field(json, "v_order", event->v_order);
  thud_json_number_field(json, "impulse_order", event->impulse_order);
  thud_json_key(json, "levels");
  thud_json_begin_array(json);
  for (size_t k = 0; k < study->count; k++) match_json(json, study, &event->matches[k], k);
  thud_json_end_array(json);
  thud_json_end_object(json);
}

static void lists_json(thud_json *json, const thud_against *study) {
  thud_json_key(json, "table");
  thud_json_begin_array(json);
  for (size_t k = 0; k < study->count; k++) row_json(json, study, &study->rows[k]);
  thud_json_end_array(json);
  thud_json_key(json, "events");
  thud_json_begin_array(json);
  for (size_t e = 0; e < study->event_count; e++) event_json(json, study, &study->events[e]);
  thud_json_end_array(json);
  thud_json_key(json, "strays");
  thud_json_begin_array(json);
  for (size_t k = 0; k < study->stray_count; k++) {
    const thud_against_stray *stray = &study->strays[k];
    thud_json_begin_object(json);
    thud_json_integer_field(json, "level", stray->level);
    thud_json_number_field(json, "t", stray->t);
    thud_json_string_field(json, "constraint", study->constraints[stray->constraint]);
    thud_json_number_field(json, "impulse", stray->impulse);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

static void study_json(thud_json *json, const thud_against *study) {
  thud_json_begin_object(json);
  thud_json_string_field(json, "method", study->method);
  thud_json_string_field(json, "verdict", study->flags == 0 ? "good" : "failed");
  thud_json_string_field(json, "reason", study->message);
  study_json_flags(json, study->flags);
  thud_json_number_field(json, "expected_order", study->expected_order);
  thud_json_number_field(json, "q_order", study->q_order);
  thud_json_number_field(json, "v_order", study->v_order);
  thud_json_number_field(json, "graph_order", study->graph_order);
  thud_json_number_field(json, "impulse_order", study->impulse_order);
  thud_json_number_field(json, "energy_order", study->energy_order);
  thud_json_number_field(json, "even_order", study->even_order);
  thud_json_number_field(json, "odd_order", study->odd_order);
  if (is_elastic(study)) thud_json_integer_field(json, "left_out", (int64_t)study->left_out);
  lists_json(json, study);
  thud_json_end_object(json);
}

static void reference_json(thud_json *json, const thud_against *study) {
  const thud_event_motion_info *info = &study->reference;
  thud_json_key(json, "reference");
  thud_json_begin_object(json);
  thud_json_number_field(json, "start", study->start);
  thud_json_number_field(json, "end", study->end);
  thud_json_integer_field(json, "arcs", (int64_t)info->arcs);
  thud_json_integer_field(json, "impacts", (int64_t)info->impacts);
  thud_json_integer_field(json, "zeno_limits", (int64_t)info->zeno_limits);
  numbers_json(json, "q_end", (size_t)study->n, study->q_end);
  numbers_json(json, "impulse", components_of(study), study->impulse);
  thud_json_number_field(json, "energy_loss", study->energy_loss);
  thud_json_number_field(json, "worst_cosine", info->worst_cosine);
  if (info->worst_cosine != 0) {
    thud_json_number_field(json, "worst_cosine_time", info->worst_cosine_time);
    thud_json_key(json, "worst_cosine_constraints");
    thud_json_begin_flat_array(json);
    thud_json_string(json, study->constraints[info->cosine_first]);
    thud_json_string(json, study->constraints[info->cosine_second]);
    thud_json_end_array(json);
  }
  thud_json_end_object(json);
}

static void all_json(const cli_call *call, size_t count, const thud_against *studies, thud_text *text) {
  thud_json json = thud_json_new(text);
  const thud_against *bad = studies;
  while (bad < studies + count - 1 && bad->flags == 0) bad++;
  thud_json_begin_object(&json);
  thud_json_string_field(&json, "verdict", bad->flags == 0 ? "good" : "failed");
  thud_json_string_field(&json, "reason", bad->message);
  thud_json_string_field(&json, "file", call->operands[0]);
  thud_json_string_field(&json, "against", THUD_STUDY_AGAINST);
  reference_json(&json, studies);
  thud_json_key(&json, "methods");
  thud_json_begin_array(&json);
  for (size_t s = 0; s < count; s++) study_json(&json, &studies[s]);
  thud_json_end_array(&json);
  thud_json_end_object(&json);
  thud_text_print(text, "\n");
}

/* ---- picture -------------------------------------------------------------------------------------------------------
 */

enum { NORMS = 3 };

typedef struct curves {
  size_t count;
  thud_plot_series series[MOST_CURVES];
  double x[MOST_CURVES][MOST_ROWS], y[MOST_CURVES][MOST_ROWS];
  size_t key_count;
  thud_plot_key keys[2 + MOST_CURVES]; /* of the legend: methods by their colours, then norms by dashes and markers */
} curves;

/* How the norms are told apart, whatever the colour. */
static const thud_plot_dash norm_dashes[NORMS] = {THUD_PLOT_SOLID, THUD_PLOT_DASHED, THUD_PLOT_DOTTED};
static const thud_plot_marker norm_markers[NORMS] = {THUD_PLOT_MARKER_FILLED, THUD_PLOT_MARKER_SQUARE,
                                                     THUD_PLOT_MARKER_TRIANGLE};

static void add_curve(curves *made, const thud_against *study, const char *label, int colour, size_t which) {
  if (made->count == MOST_CURVES) return;
  size_t c = made->count, points = 0;
  for (size_t k = 0; k < study->count && points < MOST_ROWS; k++) {
    const thud_against_row *row = &study->rows[k];
    double value = which == 0 ? row->q_error : which == 1 ? row->v_error : row->graph_error;
    if (!(value > 0)) continue;
    made->x[c][points] = row->step;
    made->y[c][points++] = value;
  }
  if (points == 0) return;
  made->series[made->count++] = (thud_plot_series){.label = label,
                                                   .count = points,
                                                   .x = made->x[c],
                                                   .y = made->y[c],
                                                   .style = THUD_PLOT_LINE_MARKERS,
                                                   .dash = norm_dashes[which],
                                                   .marker = norm_markers[which],
                                                   .colour = colour};
}

/* One method: the norms have colours, too. Several: colours are those of the methods, and the legend has two parts. */
static void add_curves(curves *made, size_t count, const thud_against *studies, const char *const kinds[NORMS]) {
  for (size_t s = 0; s < count; s++)
    for (size_t which = 0; which < NORMS; which++)
      add_curve(made, &studies[s], kinds[which], 1 + (int)(count > 1 ? s : which), which);
  if (count < 2) return;
  made->keys[made->key_count++] = (thud_plot_key){.label = "method", .heading = true};
  for (size_t s = 0; s < count; s++)
    made->keys[made->key_count++] =
        (thud_plot_key){.label = studies[s].method, .style = THUD_PLOT_LINE, .colour = 1 + (int)s};
  made->keys[made->key_count++] = (thud_plot_key){.label = "distance", .heading = true};
  for (size_t which = 0; which < NORMS; which++)
    made->keys[made->key_count++] = (thud_plot_key){.label = kinds[which],
                                                    .style = THUD_PLOT_LINE_MARKERS,
                                                    .dash = norm_dashes[which],
                                                    .marker = norm_markers[which]};
}

/* The slope is drawn below the lowest curve. */
static size_t lowest(const curves *made) {
  size_t found = 0;
  for (size_t c = 1; c < made->count; c++)
    if (made->y[c][0] < made->y[found][0]) found = c;
  return found;
}

int study_print_against(const cli_call *call, const thud_tree *tree, size_t count, const thud_against *studies) {
  static const char *const names[][3] = {{"sup |dq|", "L1 |dv|", "graphs of v"},
                                         {"sup |dU|", "sup |dr|", "graphs of U"}};
  const char *const *kinds = names[is_elastic(studies)];
  thud_text text = thud_text_new(call->context), csv = thud_text_new(call->context),
            list = thud_text_new(call->context);
  curves *made = THUD_NEW(call->context, curves);
  thud_error error = made != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  levels_csv(count, studies, &csv);
  events_csv(count, studies, &list);
  if (call->json) all_json(call, count, studies, &text);
  for (size_t s = 0; s < count && !call->json; s++) study_text(call, tree, &studies[s], &text);
  if (error == THUD_OK) add_curves(made, count, studies, kinds);
  if (error == THUD_OK) error = list.error;
  if (error == THUD_OK) error = study_write_csv(call, "impacts", &list);
  int code = CLI_GOOD;
  if (error == THUD_OK) {
    thud_plot_panel panel = {.y_label = "distance to the event-driven motion",
                             .y_log = true,
                             .series_count = made->count,
                             .series = made->series,
                             .key_count = made->key_count,
                             .keys = made->keys,
                             .slope_count = 1,
                             .slopes = &(thud_plot_slope){.order = studies->expected_order, .series = lowest(made)}};
    char title[512];
    snprintf(title, sizeof title, "%s%s%s", study_scene_title(call, tree), count == 1 ? ": " : "",
             count == 1 ? studies->method : "");
    thud_plot_figure figure = study_step_figure(tree, title, &panel);
    code = study_finish(call, &text, &csv, made->count > 0 ? &figure : NULL);
  } else {
    code = cli_report_error(call, error);
  }
  thud_free(call->context, made);
  thud_text_free(&text);
  thud_text_free(&csv);
  thud_text_free(&list);
  return code;
}
