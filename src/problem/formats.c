/* The formats of problem files in one table, and the choice among them. It is in this folder because the native
 * format does. */
#include "base/base.h"
#include "problem/file.h"
#include "problem/native.h"

#include <math.h>
#include <string.h>

typedef struct problem_format {
  thud_problem_format format;
  const char *title;
  thud_error (*read)(thud_context *context, const char *path, thud_problem_kind kind, thud_problem_file **file);
  thud_error (*write)(thud_context *context, const char *path, const thud_problem_contents *contents, bool overwrite);
  /* NULL: every problem can be written */
  thud_error (*check_expressible)(thud_context *context, const char *path, const thud_contact_problem *problem);
} problem_format;

static const problem_format formats[] = {
    {THUD_PROBLEM_FORMAT_FCLIB, "FCLIB", thud_fclib_read, thud_fclib_write, thud_fclib_check_expressible},
    {THUD_PROBLEM_FORMAT_SICONOS, "Siconos text", thud_siconos_read, NULL, NULL},
    {THUD_PROBLEM_FORMAT_NATIVE, "native", thud_native_read, thud_native_write, NULL},
};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

static const problem_format *find_format(thud_problem_format format) {
  for (size_t k = 0; k < FORMAT_COUNT; k++)
    if (formats[k].format == format) return &formats[k];
  return NULL;
}

/* HDF5 by its signature; a text that begins with a number is of Siconos; any other is taken for YAML. */
static thud_error recognise(thud_context *context, const char *path, thud_problem_format *format) {
  static const char signature[8] = "\x89HDF\r\n\x1a\n";
  char beginning[512];
  size_t length = sizeof beginning, at = 0;
  thud_error error = thud_problem_load_beginning(context, path, beginning, &length);
  if (error != THUD_OK) return error;
  if (length >= sizeof signature && memcmp(beginning, signature, sizeof signature) == 0) {
    *format = THUD_PROBLEM_FORMAT_FCLIB;
    return THUD_OK;
  }
  while (at < length && strchr(" \t\r\n", beginning[at]) != NULL && beginning[at] != '\0') at++;
  if (at == length)
    return thud_fail(context, THUD_ERROR_FORMAT, "[bad-problem-file] %s: %s", path,
                     length == 0 ? "the file is empty" : "the file begins with nothing but blanks");
  if (length - at >= 2 && memcmp(beginning + at, "%%", 2) == 0)
    return thud_fail(
        context, THUD_ERROR_FORMAT,
        "[bad-problem-file] %s: a Matrix Market file is only a part of a problem; name the YAML file that refers to it",
        path);
  *format = beginning[at] >= '0' && beginning[at] <= '9' ? THUD_PROBLEM_FORMAT_SICONOS : THUD_PROBLEM_FORMAT_NATIVE;
  return THUD_OK;
}

static thud_error check_vector(thud_context *context, const char *what, const char *name, size_t count,
                               const double *values) {
  for (size_t k = 0; values != NULL && k < count; k++)
    if (!isfinite(values[k]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "[bad-problem-file] %s: entry %zu of %s is %g", what, k, name,
                       values[k]);
  return THUD_OK;
}

static thud_error check_solution(thud_context *context, const thud_contact_problem *problem, const char *what,
                                 const thud_problem_solution *solution) {
  size_t size = thud_contact_size(problem);
  thud_error error = check_vector(context, what, "v", thud_contact_ndof(problem), solution->v);
  if (error == THUD_OK) error = check_vector(context, what, "u", size, solution->u);
  if (error == THUD_OK) error = check_vector(context, what, "r", size, solution->r);
  if (error == THUD_OK) error = check_vector(context, what, "l", (size_t)problem->bilateral, solution->l);
  return error;
}

static thud_error check_contents(thud_context *context, const thud_problem_contents *contents) {
  thud_error error = thud_contact_validate(context, contents->problem, NULL);
  if (error == THUD_OK) error = check_solution(context, contents->problem, "solution", &contents->solution);
  for (size_t k = 0; k < contents->guess_count && error == THUD_OK; k++)
    error = check_solution(context, contents->problem, "guess", &contents->guesses[k]);
  return error;
}

thud_error thud_problem_read(thud_context *context, const char *path, const thud_problem_read_options *options,
                             thud_problem_file **file) {
  THUD_REQUIRE(context, context, path, file);
  thud_problem_read_options chosen;
  thud_error error = thud_options_take(context, thud_problem_read_option_table(), options, &chosen);
  if (error != THUD_OK) return error;
  thud_problem_format format = (thud_problem_format)chosen.format;
  thud_problem_file *made = NULL;
  error = format == THUD_PROBLEM_FORMAT_AUTO ? recognise(context, path, &format) : THUD_OK;
  if (error == THUD_OK) error = find_format(format)->read(context, path, (thud_problem_kind)chosen.kind, &made);
  if (error != THUD_OK) return error;
  thud_problem_contents contents = thud_problem_file_contents(made);
  error = check_contents(context, &contents);
  if (error == THUD_OK) {
    *file = made;
    return THUD_OK;
  }
  thud_problem_file_destroy(made);
  return error == THUD_ERROR_MEMORY ? error : thud_fail_within(context, error, "%s", path);
}

/* The format to write, or an error. */
static thud_error find_writer(thud_context *context, const char *path, thud_problem_format format,
                              const problem_format **writer) {
  *writer = find_format(format);
  if (*writer != NULL && (*writer)->write != NULL) return THUD_OK;
  return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                   "[bad-problem-file] %s: problems are written in the formats fclib and native, not in %s", path,
                   *writer != NULL ? (*writer)->title : "this one");
}

thud_error thud_problem_check_writable(thud_context *context, const char *path, thud_problem_format format,
                                       const thud_contact_problem *problem) {
  THUD_REQUIRE(context, context, path, problem);
  const problem_format *found;
  thud_error error = find_writer(context, path, format, &found);
  if (error != THUD_OK || found->check_expressible == NULL) return error;
  return found->check_expressible(context, path, problem);
}

thud_error thud_problem_write(thud_context *context, const char *path, thud_problem_format format,
                              const thud_problem_contents *contents, bool overwrite) {
  THUD_REQUIRE(context, context, path, contents);
  if (path == NULL || contents == NULL || contents->problem == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-problem-file] writing a problem needs a path and a problem");
  const problem_format *found;
  thud_error error = find_writer(context, path, format, &found);
  if (error != THUD_OK) return error;
  if (contents->guess_count > THUD_PROBLEM_GUESSES_MAX)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-problem-file] %s: %zu guesses are more than the %d that are possible", path,
                     contents->guess_count, THUD_PROBLEM_GUESSES_MAX);
  const char *const texts[] = {contents->title, contents->description, contents->math_info};
  for (size_t k = 0; k < 3; k++)
    if (texts[k] != NULL && strlen(texts[k]) >= THUD_PROBLEM_TEXT_LENGTH)
      return thud_fail(context, THUD_ERROR_ARGUMENT,
                       "[bad-problem-file] %s: a text has %zu bytes, less than %d are possible", path, strlen(texts[k]),
                       THUD_PROBLEM_TEXT_LENGTH);
  error = check_contents(context, contents);
  if (error != THUD_OK) return error == THUD_ERROR_MEMORY ? error : thud_fail_within(context, error, "%s", path);
  return found->write(context, path, contents, overwrite);
}
