/* thud solve: --forces and --closest, and how the uniqueness of the forces, their intervals and the closest ones are
 * printed. */
#include "cli/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Inner and outer ends of an interval within this part of the largest impulse are printed as one number. */
static const double AGREEING = 1e-6;
/* Contacts of the table of the closest impulses. */
enum { SHOWN_CONTACTS = 200 };

const char *const solve_forces_over = "the solutions that share the velocity found";

/* ---- --forces 0,3,7 ------------------------------------------------------------------------------------------- */

bool solve_read_forces(const cli_call *call, solve_request *request) {
  const char *text = cli_value(call, "forces", 0);
  request->forces = text;
  request->answer.closest = cli_given(call, "closest");
  request->start = cli_value(call, "start", 0);
  if (request->start == NULL) request->start = "zero";
  if (text != NULL || request->answer.closest) request->answer.forces = THUD_EXAMINE_ALWAYS;
  if (text == NULL || strcmp(text, "all") == 0) return true;
  for (const char *at = text;; at++) {
    char *end;
    long value = strtol(at, &end, 10);
    bool is_digit = *at >= '0' && *at <= '9';
    if (!is_digit || value > INT32_MAX || (*end != ',' && *end != '\0')) {
      cli_complain("solve: --forces needs numbers of contacts, from 0 and with commas between them, or all; not '%s'",
                   text);
      return false;
    }
    if (*end == '\0') return true;
    at = end;
  }
}

static thud_error check_contacts(const cli_call *call, thud_index contacts, const thud_index *list, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (list[k] >= contacts)
      return thud_fail(call->context, THUD_ERROR_ARGUMENT,
                       "[usage] --forces: there is no contact %d among %d, counted from 0", (int)list[k],
                       (int)contacts);
  return THUD_OK;
}

thud_error solve_list_contacts(const cli_call *call, const solve_request *request, thud_index contacts,
                               thud_index **list, size_t *count) {
  bool all = request->forces != NULL && strcmp(request->forces, "all") == 0;
  *count = all ? (size_t)contacts : 0;
  for (const char *at = request->forces; !all && at != NULL; at = strchr(at, ',') != NULL ? strchr(at, ',') + 1 : NULL)
    ++*count;
  *list = THUD_NEW_ARRAY(call->context, thud_index, *count);
  if (*list == NULL) return THUD_ERROR_MEMORY;
  const char *at = request->forces;
  for (size_t k = 0; k < *count; k++) {
    (*list)[k] = all ? (thud_index)k : (thud_index)strtol(at, NULL, 10);
    if (!all) at = strchr(at, ',') != NULL ? strchr(at, ',') + 1 : at;
  }
  return check_contacts(call, contacts, *list, *count);
}

/* ---- printing -----------------------------------------------------------------------------------------------------
 */

const char *solve_uniqueness_word(const solve_answer *answer) {
  if (answer->found.solution_count > 1) return "many"; /* --all has found others */
  if (!answer->found.has_uniqueness) return "-";
  switch (answer->found.uniqueness.verdict) {
  case THUD_FORCES_UNIQUE: return "unique";
  case THUD_FORCES_NOT_UNIQUE: return "many";
  case THUD_FORCES_UNDECIDED: break;
  }
  return "unknown";
}

/* One end; the proved one follows in brackets where the two differ by more than AGREEING parts of the largest impulse.
 * limited: larger ones were not looked at. */
static void write_end(thud_text *text, double inner, double outer, double largest, bool limited) {
  char words[64];
  if (isinf(inner))
    snprintf(words, sizeof words, "unbounded");
  else if (limited)
    snprintf(words, sizeof words, "%.9g or more", inner + 0.0);
  else if (fabs(outer - inner) <= AGREEING * fmax(largest, fabs(inner)) || outer == inner)
    snprintf(words, sizeof words, "%.9g", inner);
  else
    snprintf(words, sizeof words, "%.9g (%.9g)", inner, outer);
  thud_text_print(text, "  %24s", words);
}

void solve_write_forces(thud_text *text, const solve_answer *answer) {
  if (answer->found.interval_count == 0) return;
  size_t d = (size_t)answer->problem->dimension;
  double largest = 0;
  for (size_t i = 0; i < answer->found.size; i++) largest = fmax(largest, fabs(answer->found.r[i]));
  thud_text_print(text, "%s: normal impulses over %s\n", answer->path, solve_forces_over);
  thud_text_print(text, "  %8s  %16s  %24s  %24s\n", "contact", "found", "lowest", "highest");
  for (size_t k = 0; k < answer->found.interval_count; k++) {
    const thud_force_interval *interval = &answer->found.intervals[k];
    thud_text_print(text, "  %8d  %16.9g", (int)interval->contact, answer->found.r[(size_t)interval->contact * d]);
    write_end(text, interval->low, interval->low_outer, largest, false);
    write_end(text, interval->high, interval->high_outer, largest, interval->limited);
    thud_text_print(text, "\n");
  }
}

static void write_interval_json(thud_json *json, const solve_answer *answer, size_t k) {
  const thud_force_interval *interval = &answer->found.intervals[k];
  thud_json_begin_object(json);
  thud_json_integer_field(json, "contact", interval->contact);
  thud_json_number_field(json, "low", interval->low);
  thud_json_number_field(json, "high", interval->high);
  thud_json_number_field(json, "low_outer", interval->low_outer);
  thud_json_number_field(json, "high_outer", interval->high_outer);
  thud_json_key(json, "unbounded");
  thud_json_bool(json, isinf(interval->high));
  thud_json_key(json, "limited");
  thud_json_bool(json, interval->limited);
  if (isinf(interval->high))
    solve_write_array(json, "ray", answer->found.size, answer->found.rays + k * answer->found.size);
  thud_json_end_object(json);
}

/* ---- the closest impulses ------------------------------------------------------------------------------------------ */

void solve_write_closest(thud_text *text, const solve_request *request, const solve_answer *answer) {
  const thud_answer *found = &answer->found;
  size_t contacts = (size_t)answer->problem->contacts, d = (size_t)answer->problem->dimension;
  if (!found->has_closest) return;
  thud_text_print(text, "%s: of %s, the impulses closest to the start (%s)\n", answer->path, solve_forces_over,
                  request->start);
  thud_text_print(text, "    distance %.9g, residual %.2e; the exact ones are within %.1e (proved)\n",
                  found->closest.distance, found->closest_residual.residual, found->closest.error);
  thud_text_print(text, "  %8s  %16s  %16s%s\n", "contact", "found", "closest", d > 1 ? "  (normal components)" : "");
  for (size_t k = 0; k < contacts && k < SHOWN_CONTACTS; k++)
    thud_text_print(text, "  %8zu  %16.9g  %16.9g\n", k, found->r[k * d], found->closest_r[k * d] + 0.0);
  if (contacts > SHOWN_CONTACTS)
    thud_text_print(text, "  ... and %zu more (--json and -o have them all)\n", contacts - SHOWN_CONTACTS);
}

static void write_closest_json(thud_json *json, const solve_request *request, const solve_answer *answer) {
  const thud_answer *found = &answer->found;
  thud_json_key(json, "closest");
  if (!found->has_closest) {
    thud_json_null(json);
    return;
  }
  thud_json_begin_object(json);
  thud_json_string_field(json, "start", request->start);
  thud_json_string_field(json, "metric", "sum of the squares of all components");
  thud_json_number_field(json, "distance", found->closest.distance);
  thud_json_number_field(json, "error", found->closest.error);
  thud_json_number_field(json, "residual", found->closest_residual.residual);
  solve_write_array(json, "r", found->size, found->closest_r);
  solve_write_array(json, "l", (size_t)answer->problem->bilateral, found->closest_l);
  thud_json_end_object(json);
}

void solve_write_forces_json(thud_json *json, const solve_request *request, const solve_answer *answer) {
  bool decided = answer->found.has_uniqueness && answer->found.uniqueness.verdict != THUD_FORCES_UNDECIDED;
  thud_json_key(json, "unique");
  if (answer->found.solution_count > 1)
    thud_json_bool(json, false);
  else if (decided)
    thud_json_bool(json, answer->found.uniqueness.verdict == THUD_FORCES_UNIQUE);
  else
    thud_json_null(json);
  if (request->answer.closest) write_closest_json(json, request, answer);
  if (request->forces == NULL) return;
  thud_json_key(json, "freedom");
  if (answer->found.has_uniqueness)
    thud_json_integer(json, answer->found.uniqueness.freedom);
  else
    thud_json_null(json);
  thud_json_string_field(json, "intervals_over", solve_forces_over);
  thud_json_key(json, "intervals");
  thud_json_begin_array(json);
  for (size_t k = 0; k < answer->found.interval_count; k++) write_interval_json(json, answer, k);
  thud_json_end_array(json);
}
