/* thud solve: the table and the JSON. */
#include "cli/solve.h"

#include <math.h>
#include <string.h>

enum { LINE_WIDTH = 100, DETAIL = 4, NAME_WIDTH_MAX = 23, SHOWN_COMPONENTS = 24, SHOWN_SOLUTIONS = 200 };

int solve_exit_code(const solve_answer *answer) {
  if (answer->found.interrupted) return CLI_INTERRUPTED;
  if (answer->found.verdict == THUD_ANSWER_FAILED) return cli_exit_code(answer->found.error);
  bool is_cut = answer->found.enumeration_is_cut || answer->found.forces_are_cut;
  return answer->found.verdict == THUD_ANSWER_SOLVED && !is_cut ? CLI_GOOD : CLI_BAD_VERDICT;
}

/* ---- table ------------------------------------------------------------------------------------------------ */

int solve_name_width(const cli_call *call) {
  size_t width = strlen("file");
  for (int k = 0; k < call->operand_count; k++) {
    size_t length = strlen(call->operands[k]);
    if (length > width) width = length;
  }
  return width < NAME_WIDTH_MAX ? (int)width : NAME_WIDTH_MAX;
}

/* The name, or its end behind "..." when it is longer than the column. */
static void write_name(thud_text *text, int width, const char *name) {
  int length = (int)strlen(name);
  if (length <= width)
    thud_text_print(text, "%-*s", width, name);
  else
    thud_text_print(text, "...%s", name + length - (width - 3));
}

/* Words, broken into lines of at most LINE_WIDTH bytes with `indent` spaces in front; a longer word has a line of its
 * own. */
static void write_wrapped(thud_text *text, int indent, const char *words) {
  int used = 0;
  while (*words != '\0') {
    int length = (int)strcspn(words, " ");
    bool begins = used == 0, fits = used + 1 + length <= LINE_WIDTH;
    if (begins || !fits) thud_text_print(text, "%s%*s", begins ? "" : "\n", indent, "");
    thud_text_print(text, "%s%.*s", begins || !fits ? "" : " ", length, words);
    used = begins || !fits ? indent + length : used + 1 + length;
    words += length;
    while (*words == ' ') words++;
  }
  thud_text_print(text, "\n");
}

void solve_write_head(thud_text *text, int name_width) {
  thud_text_print(text, "%-*s %8s %-18s %10s %8s %-7s %8s %s\n", name_width, "file", "contacts", "method", "iterations",
                  "residual", "forces", "seconds", "verdict");
}

/* Details that the columns have no room for. */
static void write_details(thud_text *text, const solve_answer *answer) {
  const thud_contact_residual *residual = &answer->found.residual;
  char worst[32] = "", line[240];
  if (residual->worst_contact >= 0) snprintf(worst, sizeof worst, "worst contact %d, ", (int)residual->worst_contact);
  snprintf(line, sizeof line, "%s; %spenetration %.2e, excess %.2e%s", thud_contact_kind_name(answer->problem), worst,
           residual->penetration, residual->cone_excess, answer->found.interrupted ? " (interrupted)" : "");
  write_wrapped(text, DETAIL, line);
}

static void write_uniqueness(thud_text *text, const solve_answer *answer) {
  const thud_uniqueness_info *found = &answer->found.uniqueness;
  bool asked = answer->found.intervals != NULL;
  char line[240] = "";
  if (!answer->found.has_uniqueness) return;
  if (found->verdict == THUD_FORCES_NOT_UNIQUE)
    snprintf(line, sizeof line, "the forces are not unique over %s: they may change in %d direction%s%s",
             solve_forces_over, (int)found->freedom, found->freedom == 1 ? "" : "s",
             asked ? "" : " (--forces all reports by how much, --closest the least)");
  if (found->verdict == THUD_FORCES_UNDECIDED)
    snprintf(line, sizeof line, "whether the forces are unique over %s is not known%s", solve_forces_over,
             asked ? "" : " (--forces takes its time to find out)");
  if (line[0] != '\0') write_wrapped(text, DETAIL, line);
}

void solve_write_row(thud_text *text, int name_width, const char *output, const solve_answer *answer) {
  write_name(text, name_width, answer->path);
  if (answer->found.verdict == THUD_ANSWER_FAILED) {
    thud_text_print(text, " failed\n");
    write_wrapped(text, DETAIL, answer->found.reason);
    return;
  }
  thud_text_print(text, " %8d %-18s %10d %8.2e %-7s %8.2e %s\n", (int)answer->problem->contacts,
                  answer->found.method != NULL ? answer->found.method : "-", answer->found.iterations,
                  answer->found.residual.residual, solve_uniqueness_word(answer), answer->found.seconds,
                  thud_answer_verdict_name(answer->found.verdict));
  write_details(text, answer);
  if (answer->found.reason[0] != '\0') write_wrapped(text, DETAIL, answer->found.reason);
  write_uniqueness(text, answer);
  if (output != NULL) thud_text_print(text, "    written with this answer: %s\n", output);
}

void solve_write_attempts(thud_text *text, const solve_answer *answer) {
  for (size_t k = 0; k < answer->found.attempt_count; k++) {
    const thud_solver_attempt *attempt = &answer->found.attempts[k];
    thud_text_print(text, "    %-18s %8d %-10s  %9.2e work  residual %9.2e  %s\n", attempt->method, attempt->iterations,
                    attempt->iterations == 1 ? "iteration" : "iterations", (double)attempt->work, attempt->residual,
                    attempt->reason);
  }
}

/* "r = (1, 2)" */
static void write_vector(thud_text *text, const char *name, size_t n, const double *x) {
  thud_text_print(text, "%s = (", name);
  for (size_t i = 0; i < n && i < SHOWN_COMPONENTS; i++) thud_text_print(text, "%s%.10g", i > 0 ? ", " : "", x[i]);
  thud_text_print(text, "%s)", n > SHOWN_COMPONENTS ? ", ..." : "");
}

/* One solution: its impulses and velocities, in as many lines as they need. */
static void write_solution(thud_text *text, size_t number, size_t size, const thud_solution *solution) {
  thud_text line = thud_text_new(text->context);
  write_vector(&line, "r", size, solution->r);
  thud_text_print(&line, " ");
  write_vector(&line, "u", size, solution->u);
  thud_text_print(text, "  %3zu %s\n", number, solution->isolated ? "isolated" : "of a continuum");
  if (line.error == THUD_OK) write_wrapped(text, 2 * DETAIL, line.data);
  if (line.error != THUD_OK) text->error = line.error;
  thud_text_free(&line);
}

void solve_write_solutions(thud_text *text, const solve_answer *answer) {
  size_t size = answer->found.size;
  if (answer->found.enumeration_is_cut) return; /* a warning says so */
  bool all_isolated = true;
  for (size_t k = 0; k < answer->found.solutions_kept; k++)
    all_isolated = all_isolated && answer->found.solutions[k].isolated;
  thud_text_print(
      text, all_isolated ? "%s: %zu solution%s\n" : "%s: infinitely many solutions, %zu of them reported%s\n",
      answer->path, answer->found.solution_count, !all_isolated || answer->found.solution_count == 1 ? "" : "s");
  for (size_t k = 0; k < answer->found.solutions_kept && k < SHOWN_SOLUTIONS; k++)
    write_solution(text, k + 1, size, &answer->found.solutions[k]);
  if (answer->found.solution_count > SHOWN_SOLUTIONS)
    thud_text_print(text, "  ... and %zu more (--json lists up to %d)\n",
                    answer->found.solution_count - SHOWN_SOLUTIONS, THUD_ANSWER_SOLUTIONS_KEPT);
}

/* ---- JSON --------------------------------------------------------------------------------------------------- */

void solve_write_array(thud_json *json, const char *key, size_t n, const double *x) {
  thud_json_key(json, key);
  thud_json_begin_flat_array(json);
  for (size_t i = 0; i < n; i++) thud_json_number(json, x[i]);
  thud_json_end_array(json);
}

static void write_attempts(thud_json *json, const solve_answer *answer) {
  thud_json_key(json, "attempts");
  thud_json_begin_array(json);
  for (size_t k = 0; k < answer->found.attempt_count; k++) {
    const thud_solver_attempt *attempt = &answer->found.attempts[k];
    thud_json_begin_object(json);
    thud_json_string_field(json, "method", attempt->method);
    thud_json_string_field(json, "status", thud_solver_status_name(attempt->status));
    thud_json_integer_field(json, "iterations", attempt->iterations);
    thud_json_number_field(json, "residual", attempt->residual);
    thud_json_integer_field(json, "work", (int64_t)attempt->work);
    thud_json_string_field(json, "reason", attempt->reason);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

static void write_indices(thud_json *json, const char *key, size_t n, const thud_index *x) {
  thud_json_key(json, key);
  thud_json_begin_flat_array(json);
  for (size_t i = 0; i < n; i++) thud_json_integer(json, x[i]);
  thud_json_end_array(json);
}

static void write_certificate(thud_json *json, const thud_solver_certificate *proof) {
  thud_json_key(json, "certificate");
  if (proof->count + proof->row_count == 0) {
    thud_json_null(json);
    return;
  }
  thud_json_begin_object(json);
  write_indices(json, "contacts", proof->count, proof->contacts);
  solve_write_array(json, "multipliers", proof->count, proof->multipliers);
  write_indices(json, "rows", proof->row_count, proof->rows);
  solve_write_array(json, "row_multipliers", proof->row_count, proof->row_multipliers);
  thud_json_number_field(json, "value", proof->value);
  thud_json_number_field(json, "reach", proof->reach);
  thud_json_number_field(json, "relative_reach", proof->relative_reach);
  thud_json_end_object(json);
}

static void write_warnings(thud_json *json, const solve_answer *answer) {
  thud_json_key(json, "warnings");
  thud_json_begin_array(json);
  for (size_t k = 0; k < answer->found.warning_count; k++) thud_json_string(json, answer->found.warnings[k].message);
  thud_json_end_array(json);
  thud_json_key(json, "warning_codes");
  thud_json_begin_flat_array(json);
  for (size_t k = 0; k < answer->found.warning_count; k++)
    thud_json_string(json, thud_answer_warning_name(answer->found.warnings[k].code));
  thud_json_end_array(json);
}

/* An integer, null when it says nothing. */
static void write_integer(thud_json *json, const char *key, bool known, int64_t value) {
  thud_json_key(json, key);
  if (known)
    thud_json_integer(json, value);
  else
    thud_json_null(json);
}

static void write_solutions(thud_json *json, const solve_answer *answer) {
  write_integer(json, "solutions_total", !answer->found.enumeration_is_cut, (int64_t)answer->found.solution_count);
  thud_json_key(json, "solutions");
  thud_json_begin_array(json);
  for (size_t k = 0; k < answer->found.solutions_kept; k++) {
    thud_json_begin_object(json);
    solve_write_array(json, "r", answer->found.size, answer->found.solutions[k].r);
    solve_write_array(json, "u", answer->found.size, answer->found.solutions[k].u);
    thud_json_key(json, "isolated");
    thud_json_bool(json, answer->found.solutions[k].isolated);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

void solve_write_json(thud_json *json, const solve_request *request, const solve_answer *answer) {
  bool read = answer->problem != NULL, solved = answer->found.verdict != THUD_ANSWER_FAILED;
  const thud_contact_residual *residual = &answer->found.residual;
  thud_json_begin_object(json);
  thud_json_string_field(json, "file", answer->path);
  thud_json_string_field(json, "kind", read ? thud_problem_kind_name(thud_problem_kind_of(answer->problem)) : NULL);
  write_integer(json, "dimension", read, read ? answer->problem->dimension : 0);
  write_integer(json, "contacts", read, read ? answer->problem->contacts : 0);
  thud_json_string_field(json, "method", solved ? answer->found.method : NULL);
  write_integer(json, "iterations", solved, answer->found.iterations);
  thud_json_number_field(json, "residual", solved ? residual->residual : (double)NAN);
  write_integer(json, "worst_contact", solved && residual->worst_contact >= 0, residual->worst_contact);
  thud_json_number_field(json, "penetration", solved ? residual->penetration : (double)NAN);
  thud_json_number_field(json, "cone_excess", solved ? residual->cone_excess : (double)NAN);
  thud_json_number_field(json, "dissipation", solved ? residual->dissipation : (double)NAN);
  thud_json_number_field(json, "wall_seconds", answer->found.seconds);
  thud_json_string_field(json, "verdict", thud_answer_verdict_name(answer->found.verdict));
  thud_json_string_field(json, "reason", answer->found.reason[0] != '\0' ? answer->found.reason : NULL);
  if (!solved) thud_json_string_field(json, "error", thud_error_name(answer->found.error));
  thud_json_key(json, "interrupted");
  thud_json_bool(json, answer->found.interrupted);
  write_attempts(json, answer);
  write_indices(json, "worst_contacts", (size_t)answer->found.worst_count, answer->found.worst);
  write_certificate(json, &answer->found.certificate);
  write_warnings(json, answer);
  solve_write_forces_json(json, request, answer);
  if (request->answer.all) write_solutions(json, answer);
  thud_json_end_object(json);
}

/* ---- methods -------------------------------------------------------------------------------------------------- */

static const struct {
  unsigned bit;
  const char *name;
} abilities[] = {{THUD_ACCEPTS_LCP, "lcp"},
                 {THUD_ACCEPTS_2D, "2d"},
                 {THUD_ACCEPTS_3D, "3d"},
                 {THUD_ACCEPTS_ROLLING, "rolling"},
                 {THUD_ACCEPTS_LAWS, "laws"},
                 {THUD_ACCEPTS_BILATERAL, "bilateral"},
                 {THUD_ACCEPTS_LOCAL, "local"},
                 {THUD_ACCEPTS_GLOBAL, "global"},
                 {THUD_ACCEPTS_TWO_BLOCK, "two-block"},
                 {THUD_ACCEPTS_OPERATOR, "operator"},
                 {THUD_ACCEPTS_SPINNING, "spinning"}};
enum { ABILITY_COUNT = sizeof abilities / sizeof *abilities };

void solve_write_methods(thud_text *text) {
  for (size_t k = 0; k < thud_solver_method_count(); k++) {
    const thud_solver_method *method = thud_solver_method_at(k);
    thud_text_print(text, "%-20s %s\n%20s takes:", thud_solver_method_name(method), thud_solver_method_summary(method),
                    "");
    for (size_t i = 0; i < ABILITY_COUNT; i++)
      if ((thud_solver_method_accepts(method) & abilities[i].bit) != 0) thud_text_print(text, " %s", abilities[i].name);
    thud_text_print(text, "\n");
  }
}

void solve_write_options(thud_text *text) {
  const thud_option_table *table = thud_solver_option_table();
  thud_solver_options defaults = thud_solver_options_default();
  for (size_t k = 0; k < table->count; k++) {
    const thud_option_key *key = &table->keys[k];
    char value[64];
    thud_options_format(key, &defaults, value, sizeof value);
    thud_text_print(text, "%-20s %s (%s", key->name, key->help, value);
    for (size_t i = 0; key->choices != NULL && key->choices[i] != NULL; i++)
      if (strcmp(key->choices[i], value) != 0) thud_text_print(text, ", %s", key->choices[i]);
    thud_text_print(text, ")\n");
  }
}

void solve_write_methods_json(thud_json *json) {
  thud_json_begin_array(json);
  for (size_t k = 0; k < thud_solver_method_count(); k++) {
    const thud_solver_method *method = thud_solver_method_at(k);
    thud_json_begin_object(json);
    thud_json_string_field(json, "method", thud_solver_method_name(method));
    thud_json_string_field(json, "summary", thud_solver_method_summary(method));
    thud_json_key(json, "takes");
    thud_json_begin_flat_array(json);
    for (size_t i = 0; i < ABILITY_COUNT; i++)
      if ((thud_solver_method_accepts(method) & abilities[i].bit) != 0) thud_json_string(json, abilities[i].name);
    thud_json_end_array(json);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}
