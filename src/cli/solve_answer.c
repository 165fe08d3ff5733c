/* thud solve: the answer to one file. */
#include "cli/solve.h"
#include "cli/terminal.h"

static const double PROGRESS_AFTER = 0.5; /* s before the first sign of progress */

/* ---- progress ------------------------------------------------------------------------------------------- */

typedef struct progress {
  const char *path, *method;
  cli_line line;
  double started;
} progress;

static int on_progress(void *user, int iterations, double residual) {
  progress *shown = user;
  double passed = thud_seconds() - shown->started;
  if (passed >= PROGRESS_AFTER && cli_line_due(&shown->line))
    cli_line_show(&shown->line, "%.60s: %s, iteration %d, residual %.2e, %.0f s", shown->path, shown->method,
                  iterations, residual, passed);
  return 0;
}

static int is_interrupted(void *user) {
  (void)user;
  return cli_interrupted();
}

/* ---- one file ------------------------------------------------------------------------------------------- */

static void fail(const cli_call *call, thud_error error, solve_answer *answer) {
  const char *message = thud_context_last_message(call->context);
  thud_text_print(&answer->reason, "%s", message[0] != '\0' ? message : thud_error_text(error));
  answer->code = thud_context_get_code(call->context);
  if (message[0] == '\0') snprintf(answer->code.text, sizeof answer->code.text, "%s", thud_error_code(error));
  answer->found.verdict = THUD_ANSWER_FAILED;
  answer->found.error = error;
  answer->found.reason = thud_text_chars(&answer->reason);
}

/* Rejects impossible requests before anything is solved. */
static thud_error prepare(const cli_call *call, const solve_request *request, solve_answer *answer) {
  thud_context *context = call->context;
  thud_error error = thud_problem_read(context, answer->path, &request->read, &answer->file);
  if (error != THUD_OK) return error;
  answer->problem = thud_problem_file_contents(answer->file).problem;
  error = thud_contact_validate(context, answer->problem, NULL);
  if (error == THUD_OK && request->output != NULL)
    error = thud_problem_check_writable(context, request->output, request->output_format, answer->problem);
  return error;
}

static thud_error find_answer(const cli_call *call, const solve_request *request, solve_answer *answer) {
  thud_answer_options options = request->answer;
  const char *name = options.method != NULL ? thud_solver_method_name(options.method) : "auto";
  progress shown = {.path = answer->path, .method = name, .line = cli_line_begin(call), .started = thud_seconds()};
  options.solver.progress = on_progress;
  options.solver.progress_user = &shown;
  options.stop.ask = is_interrupted;
  thud_index *contacts = NULL;
  thud_error error = solve_list_contacts(call, request, answer->problem->contacts, &contacts, &options.interval_count);
  options.interval_contacts = contacts;
  if (error == THUD_OK) error = solve_find_start(call, request, answer, &options);
  if (error == THUD_OK) error = thud_answer_find(call->context, answer->problem, &options, &answer->owned);
  if (error == THUD_OK) answer->found = *answer->owned;
  cli_line_clear(&shown.line);
  thud_free(call->context, contacts);
  return error;
}

static thud_error write_output(const cli_call *call, const solve_request *request, const solve_answer *answer) {
  const thud_answer *found = &answer->found;
  if (request->output == NULL || found->verdict == THUD_ANSWER_FAILED) return THUD_OK;
  thud_problem_contents contents = thud_problem_file_contents(answer->file);
  const double *l = found->has_closest ? found->closest_l : found->l;
  contents.solution = (thud_problem_solution){.u = found->u, .r = found->has_closest ? found->closest_r : found->r};
  if (thud_contact_ndof(answer->problem) > 0) contents.solution.v = found->v;
  if (answer->problem->bilateral > 0) contents.solution.l = l;
  return thud_problem_write(call->context, request->output, request->output_format, &contents, request->overwrite);
}

void solve_file(const cli_call *call, const solve_request *request, const char *path, solve_answer *answer) {
  *answer = (solve_answer){.path = path, .found.reason = "", .reason = thud_text_new(call->context)};
  thud_error error = prepare(call, request, answer);
  if (error == THUD_OK) error = find_answer(call, request, answer);
  if (error == THUD_OK) error = write_output(call, request, answer);
  if (error != THUD_OK) fail(call, error, answer);
}

void solve_answer_release(solve_answer *answer) {
  thud_answer_destroy(answer->owned);
  thud_text_free(&answer->reason);
  thud_problem_file_destroy(answer->file);
  thud_problem_file_destroy(answer->start_file);
  *answer = (solve_answer){0};
}
