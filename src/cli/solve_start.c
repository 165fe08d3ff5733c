/* thud solve: --start, the warm start and what the closest impulses are close to. */
#include "cli/solve.h"

#include <string.h>

/* The impulses of an answer or guess that a file holds. */
static thud_error take(const cli_call *call, const char *path, const char *what, const thud_problem_solution *from,
                       thud_answer_options *options) {
  if (from == NULL || from->r == NULL)
    return thud_fail(call->context, THUD_ERROR_ARGUMENT, "[usage] --start: '%s' holds no %s with impulses r", path,
                     what);
  options->start = from->r;
  options->start_l = from->l;
  return THUD_OK;
}

static thud_error take_guess(const cli_call *call, const char *path, const thud_problem_contents *contents,
                             thud_answer_options *options) {
  return take(call, path, "guess", contents->guess_count > 0 ? &contents->guesses[0] : NULL, options);
}

/* Starts from another file's solution, or else its first guess, which must have as many impulses and rows. */
static thud_error take_file(const cli_call *call, const solve_request *request, solve_answer *answer,
                            thud_answer_options *options) {
  thud_error error = thud_problem_read(call->context, request->start, &request->read, &answer->start_file);
  if (error != THUD_OK) return thud_fail_within(call->context, error, "--start");
  thud_problem_contents contents = thud_problem_file_contents(answer->start_file);
  size_t there = thud_contact_size(contents.problem), here = thud_contact_size(answer->problem);
  if (there != here || contents.problem->bilateral != answer->problem->bilateral)
    return thud_fail(call->context, THUD_ERROR_DIMENSION,
                     "[usage] --start: '%s' has %zu impulses and %d bilateral rows, '%s' has %zu and %d",
                     request->start, there, (int)contents.problem->bilateral, answer->path, here,
                     (int)answer->problem->bilateral);
  if (contents.solution.r != NULL) return take(call, request->start, "solution", &contents.solution, options);
  return take_guess(call, request->start, &contents, options);
}

thud_error solve_find_start(const cli_call *call, const solve_request *request, solve_answer *answer,
                            thud_answer_options *options) {
  thud_problem_contents contents = thud_problem_file_contents(answer->file);
  if (strcmp(request->start, "zero") == 0) return THUD_OK;
  if (strcmp(request->start, "guess") == 0) return take_guess(call, answer->path, &contents, options);
  if (strcmp(request->start, "solution") == 0) return take(call, answer->path, "solution", &contents.solution, options);
  return take_file(call, request, answer, options);
}
