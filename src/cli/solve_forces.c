/* thud solve: are the forces of the answer unique, and the intervals of those asked for. */
#include "cli/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Without --forces uniqueness is examined up to these sizes and with so many convex programs: milliseconds as a rule.
 */
enum { EXAMINED_COMPONENTS = 240, EXAMINED_NDOF = 2000, EXAMINED_PROGRAMS = 32 };
/* Velocities within this many tolerances of the solver count as 0, and impulses may be moved by that many. */
static const double VELOCITY_TOLERANCES = 100, IMPULSE_TOLERANCES = 1e4;
/* Largest tolerance of either kind. */
static const double LOOSEST = 0.1;
/* Inner and outer ends of an interval within this part of the largest impulse are printed as one number. */
static const double AGREEING = 1e-6;

const char *const solve_forces_over = "the solutions that share the velocity found";

/* ---- --forces 0,3,7 ------------------------------------------------------------------------------------------- */

bool solve_read_forces(const cli_call *call, solve_request *request) {
  const char *text = cli_value(call, "forces", 0);
  request->forces = text;
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

/* The contacts asked for; *list is NULL when none are. */
static thud_error list_contacts(const cli_call *call, const solve_request *request, const solve_answer *answer,
                                thud_index **list, size_t *count) {
  thud_index contacts = answer->problem->contacts;
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
  return THUD_OK;
}

thud_error solve_check_forces(const cli_call *call, const solve_request *request, const solve_answer *answer) {
  thud_index *list = NULL;
  size_t count = 0;
  thud_error error = list_contacts(call, request, answer, &list, &count);
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    if (list[k] >= answer->problem->contacts)
      error = thud_fail(call->context, THUD_ERROR_ARGUMENT, "--forces: there is no contact %d among %d, counted from 0",
                        (int)list[k], (int)answer->problem->contacts);
  thud_free(call->context, list);
  return error;
}

/* ---- the examination ------------------------------------------------------------------------------------------- */

int solve_time_is_over(void *user) {
  const solve_clock *clock = user;
  return cli_interrupted() || (clock->until > 0 && thud_seconds() > clock->until);
}

static thud_force_set_options options_for(const solve_request *request, solve_clock *clock) {
  thud_force_set_options options = thud_force_set_options_default();
  double tolerance = request->options.tolerance;
  options.velocity_tolerance = fmin(LOOSEST, fmax(options.velocity_tolerance, VELOCITY_TOLERANCES * tolerance));
  options.impulse_tolerance = fmin(LOOSEST, fmax(options.impulse_tolerance, IMPULSE_TOLERANCES * tolerance));
  if (request->forces == NULL) options.max_programs = EXAMINED_PROGRAMS;
  options.stop = (thud_stop){.ask = solve_time_is_over, .user = clock};
  return options;
}

static thud_error find_intervals(const cli_call *call, const solve_request *request, thud_force_set *set,
                                 solve_answer *answer) {
  thud_index *list = NULL;
  size_t count = 0, size = answer->size;
  thud_error error = list_contacts(call, request, answer, &list, &count);
  if (error == THUD_OK) {
    answer->intervals = THUD_NEW_ARRAY(call->context, thud_force_interval, count);
    answer->rays = THUD_NEW_ARRAY(call->context, double, count *size);
    error = answer->intervals != NULL && answer->rays != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  }
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    error = thud_force_set_interval(set, list[k], &answer->intervals[k], NULL, answer->rays + k * size);
    answer->interval_count += error == THUD_OK;
  }
  thud_free(call->context, list);
  return error;
}

static bool is_examined(const solve_request *request, const solve_answer *answer) {
  if (answer->verdict != SOLVE_SOLVED || answer->interrupted) return false;
  size_t unknowns = answer->size + (size_t)answer->problem->bilateral;
  return request->forces != NULL ||
         (unknowns <= EXAMINED_COMPONENTS && thud_contact_ndof(answer->problem) <= EXAMINED_NDOF);
}

/* The examination ended before its end: Ctrl-C, the clock, or a problem that is not for it. */
static void note_unfinished(const cli_call *call, const solve_request *request, solve_answer *answer) {
  answer->interrupted = cli_interrupted();
  answer->has_uniqueness = false;
  if (request->forces == NULL) return;
  answer->forces_are_cut = true;
  thud_text_print(&answer->warnings, "the forces were not examined to the end: %s\n",
                  thud_context_last_message(call->context));
}

thud_error solve_examine_forces(const cli_call *call, const solve_request *request, double started,
                                solve_answer *answer) {
  if (!is_examined(request, answer)) return THUD_OK;
  solve_clock clock = {.until = request->options.max_seconds > 0 ? started + request->options.max_seconds : 0};
  thud_force_set_options options = options_for(request, &clock);
  thud_force_set *set = NULL;
  thud_error error = thud_force_set_create(call->context, answer->problem, answer->r, answer->u, &options, &set);
  if (error == THUD_OK) error = thud_force_set_uniqueness(set, &answer->uniqueness);
  answer->has_uniqueness = error == THUD_OK;
  if (error == THUD_OK && request->forces != NULL) error = find_intervals(call, request, set, answer);
  thud_force_set_destroy(set);
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  note_unfinished(call, request, answer);
  return THUD_OK;
}

/* ---- telling ----------------------------------------------------------------------------------------------------- */

const char *solve_uniqueness_word(const solve_answer *answer) {
  if (!answer->has_uniqueness) return "-";
  switch (answer->uniqueness.verdict) {
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
  if (answer->interval_count == 0) return;
  size_t d = (size_t)answer->problem->dimension;
  double largest = 0;
  for (size_t i = 0; i < answer->size; i++) largest = fmax(largest, fabs(answer->r[i]));
  thud_text_print(text, "%s: normal impulses over %s\n", answer->path, solve_forces_over);
  thud_text_print(text, "  %8s  %16s  %24s  %24s\n", "contact", "found", "lowest", "highest");
  for (size_t k = 0; k < answer->interval_count; k++) {
    const thud_force_interval *interval = &answer->intervals[k];
    thud_text_print(text, "  %8d  %16.9g", (int)interval->contact, answer->r[(size_t)interval->contact * d]);
    write_end(text, interval->low, interval->low_outer, largest, false);
    write_end(text, interval->high, interval->high_outer, largest, interval->limited);
    thud_text_print(text, "\n");
  }
}

static void write_interval_json(thud_json *json, const solve_answer *answer, size_t k) {
  const thud_force_interval *interval = &answer->intervals[k];
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
  if (isinf(interval->high)) solve_write_array(json, "ray", answer->size, answer->rays + k * answer->size);
  thud_json_end_object(json);
}

void solve_write_forces_json(thud_json *json, const solve_answer *answer, bool asked) {
  bool decided = answer->has_uniqueness && answer->uniqueness.verdict != THUD_FORCES_UNDECIDED;
  thud_json_key(json, "unique");
  if (decided)
    thud_json_bool(json, answer->uniqueness.verdict == THUD_FORCES_UNIQUE);
  else
    thud_json_null(json);
  if (!asked) return;
  thud_json_key(json, "freedom");
  if (answer->has_uniqueness)
    thud_json_integer(json, answer->uniqueness.freedom);
  else
    thud_json_null(json);
  thud_json_string_field(json, "intervals_over", solve_forces_over);
  thud_json_key(json, "intervals");
  thud_json_begin_array(json);
  for (size_t k = 0; k < answer->interval_count; k++) write_interval_json(json, answer, k);
  thud_json_end_array(json);
}
