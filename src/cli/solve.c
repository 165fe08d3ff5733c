/* thud solve: contact problems from files, by any method of the registry. */
#include "cli/solve.h"
#include "cli/terminal.h"
#include "cli/problems.h"

#include <string.h>
#include <unistd.h>

static const cli_flag flags[] = {
    {.name = "method", .letter = 'm', .value = "M", .help = "one of --list-methods (auto)", .words = "@methods"},
    {.name = "kind",
     .value = "KIND",
     .help = "what the files hold: local, global, rolling, global-rolling, two-block",
     .words = "local global rolling global-rolling two-block"},
    {.name = "from",
     .value = "FORMAT",
     .help = "fclib, siconos or native (default: by the content)",
     .words = "fclib siconos native"},
    {.name = "tol", .value = "T", .help = "largest residual that counts as solved (1e-8)"},
    {.name = "max-time", .value = "S", .help = "seconds per file; a stop by it is not reproducible (default: none)"},
    {.name = "max-iterations", .value = "N", .help = "iterations of all methods at most (10000)"},
    {.name = "set", .value = "OPTION=VALUE", .help = "any option of the solvers, see --list-methods; repeatable"},
    {.name = "all", .help = "all solutions, of small LCPs and planar friction problems"},
    {.name = "forces",
     .value = "LIST",
     .help = "intervals of the normal impulses of these contacts (0,3,7 or all), see the manual"},
    {.name = "closest",
     .help = "the impulses closest to the start among those with the velocity found, see the manual"},
    {.name = "start",
     .value = "FROM",
     .help = "warm start: zero, guess or solution (of the file), or a file with an answer (zero)"},
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "write the problem with the answer, r and u, as its solution (.h5 or .yaml); with --closest that one"},
    {.name = "force", .letter = 'f', .help = "replace an existing file"},
    {.name = "verbose",
     .letter = 'v',
     .help = "report which methods had their turn, with their work and why they were left"},
    {.name = "list-methods", .help = "list the methods, what they take, and the options for --set"},
};

/* ---- the command line ------------------------------------------------------------------------------------- */

static bool read_method(const cli_call *call, const thud_solver_method **method) {
  const char *name = cli_value(call, "method", 0), *names[64];
  size_t count = 0;
  *method = NULL;
  if (name == NULL) return true;
  *method = thud_solver_method_find(name);
  if (*method != NULL) return true;
  for (size_t k = 0; k < thud_solver_method_count() && count < 64; k++)
    names[count++] = thud_solver_method_name(thud_solver_method_at(k));
  const char *near = thud_suggest(name, names, count);
  cli_complain("solve: there is no method '%s'%s%s%s; see 'thud solve --list-methods'", name,
               near != NULL ? " (did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?)" : "");
  return false;
}

static bool set_option(const cli_call *call, thud_solver_options *options, const char *key, const char *value) {
  if (cli_set_option(call, thud_solver_option_table(), options, key, value) == THUD_OK) return true;
  cli_complain("solve: %s", thud_context_last_message(call->context));
  return false;
}

/* --set relaxation=1.2; dashes may stand for underscores. */
static bool set_pair(const cli_call *call, thud_solver_options *options, const char *pair) {
  const char *equals = strchr(pair, '=');
  char key[64];
  if (equals == NULL || equals == pair || (size_t)(equals - pair) >= sizeof key) {
    cli_complain("solve: --set needs OPTION=VALUE, not '%s'", pair);
    return false;
  }
  snprintf(key, sizeof key, "%.*s", (int)(equals - pair), pair);
  for (char *p = key; *p != '\0'; p++)
    if (*p == '-') *p = '_';
  return set_option(call, options, key, equals + 1);
}

static bool read_options(const cli_call *call, thud_solver_options *options) {
  static const struct {
    const char *flag, *key;
  } short_cuts[] = {{"tol", "tolerance"}, {"max-time", "max_seconds"}, {"max-iterations", "max_iterations"}};
  const char *value;
  for (size_t k = 0; (value = cli_value(call, "set", k)) != NULL; k++)
    if (!set_pair(call, options, value)) return false;
  for (size_t k = 0; k < sizeof short_cuts / sizeof *short_cuts; k++) {
    value = cli_value(call, short_cuts[k].flag, 0);
    if (value != NULL && !set_option(call, options, short_cuts[k].key, value)) return false;
  }
  return true;
}

static bool read_output(const cli_call *call, solve_request *request) {
  request->output = cli_value(call, "output", 0);
  request->overwrite = cli_given(call, "force");
  if (request->output == NULL) return true;
  if (call->operand_count > 1) {
    cli_complain("solve: --output names one file; solve the problems one by one or leave it out");
    return false;
  }
  static const char *const endings[] = {".h5", ".hdf5", ".yaml", ".yml", NULL};
  if (!cli_check_ending(call, "output", request->output, "a contact problem", endings)) return false;
  if (!request->overwrite && access(request->output, F_OK) == 0) {
    cli_complain("[exists] solve: '%s' exists; --force replaces it", request->output);
    return false;
  }
  request->output_format = cli_problem_format_of_name(request->output);
  return true;
}

static bool read_request(const cli_call *call, solve_request *request) {
  *request = (solve_request){.answer = thud_answer_options_default(), .verbose = cli_given(call, "verbose")};
  request->answer.all = cli_given(call, "all");
  return cli_problem_read_options(call, &request->read) && read_method(call, &request->answer.method) &&
         read_options(call, &request->answer.solver) && read_output(call, request) && solve_read_forces(call, request);
}

/* ---- printing -------------------------------------------------------------------------------------------------- */

static int print_text(const cli_call *call, thud_text *text) {
  int code = text->error == THUD_OK ? cli_write_out(thud_text_chars(text)) : cli_report_error(call, text->error);
  thud_text_free(text);
  *text = thud_text_new(call->context);
  return code;
}

static void print_warnings(const solve_answer *answer) {
  const thud_answer *found = &answer->found;
  for (size_t k = 0; k < found->warning_count; k++)
    cli_print(stderr, "thud: warning: %s: %s [%s]\n", answer->path, found->warnings[k].message,
              thud_answer_warning_name(found->warnings[k].code));
  if (found->verdict != THUD_ANSWER_FAILED) return;
  bool names_file = strncmp(found->reason, answer->path, strlen(answer->path)) == 0;
  cli_complain_as(answer->code.text, "%s%s%s", names_file ? "" : answer->path, names_file ? "" : ": ", found->reason);
}

static int list_methods(const cli_call *call) {
  thud_text text = thud_text_new(call->context);
  if (call->json) {
    thud_json json = thud_json_new(&text);
    solve_write_methods_json(&json);
    thud_text_print(&text, "\n");
  } else {
    solve_write_methods(&text);
    thud_text_print(&text, "\nOptions for --set:\n");
    solve_write_options(&text);
  }
  int code = print_text(call, &text);
  thud_text_free(&text);
  return code;
}

static int larger(int a, int b) { return a > b ? a : b; }

static int solve_files(const cli_call *call, const solve_request *request) {
  int worst = CLI_GOOD, width = solve_name_width(call), solved = 0, files = 0;
  thud_text text = thud_text_new(call->context);
  thud_json json = thud_json_new(&text);
  bool has_head = false;
  if (call->json) thud_json_begin_array(&json);
  for (int k = 0; k < call->operand_count && !cli_interrupted(); k++) {
    if (!call->json) worst = larger(worst, print_text(call, &text));
    solve_answer answer;
    solve_file(call, request, call->operands[k], &answer);
    print_warnings(&answer);
    if (call->json) {
      solve_write_json(&json, request, &answer);
    } else if (answer.found.verdict != THUD_ANSWER_FAILED) {
      if (!has_head) solve_write_head(&text, width);
      has_head = true;
      solve_write_row(&text, width, request->output, &answer);
      if (request->verbose) solve_write_attempts(&text, &answer);
      if (request->answer.all) solve_write_solutions(&text, &answer);
      solve_write_forces(&text, &answer);
      solve_write_closest(&text, request, &answer);
    }
    worst = larger(worst, solve_exit_code(&answer));
    solved += answer.found.verdict == THUD_ANSWER_SOLVED;
    files++;
    solve_answer_release(&answer);
  }
  if (call->json) {
    thud_json_end_array(&json);
    thud_text_print(&text, "\n");
  } else if (call->operand_count > 1) {
    thud_text_print(&text, "%d of %d solved\n", solved, files);
  }
  worst = larger(worst, print_text(call, &text));
  thud_text_free(&text);
  return worst;
}

static int run(const cli_call *call) {
  solve_request request;
  if (cli_given(call, "list-methods")) return list_methods(call);
  if (call->operand_count == 0) {
    cli_complain("solve: needs FILE...; see 'thud solve --help'");
    return CLI_BAD_INPUT;
  }
  if (!read_request(call, &request)) return CLI_BAD_INPUT;
  cli_catch_signals();
  return solve_files(call, &request);
}

const cli_command cli_solve = {
    .name = "solve",
    .operands = "FILE...",
    .summary = "solve contact problems",
    .details =
        "Reads contact problems (FCLIB, Siconos' text, native YAML), solves them and prints a row for each: the\n"
        "method, its iterations, the residual by independent evaluation, the contact where it is worst, the worst\n"
        "penetration velocity and cone excess, whether the forces are unique over the solutions that share the\n"
        "velocity found (unique, many, unknown; - when not examined), the time and the verdict. Ctrl-C ends with the\n"
        "best answer so far.\n\n"
        "Method auto turns from one method to the other by counts of their work until the tolerance is reached or it\n"
        "is proved that there is no solution; the best answer is kept. -v reports its way.\n\n"
        "Exit codes: 0 all solved, 1 best effort or infeasible, 2 a file cannot be read, 130 interrupted.",
    .min_operands = 0,
    .max_operands = 1000000,
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
    .computes = true,
};
