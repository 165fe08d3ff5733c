#include "cli/problems.h"
#include "base/base.h"

#include <string.h>

int cli_choice(const cli_call *call, const char *flag, const char *const *words, int absent) {
  const char *value = cli_value(call, flag, 0);
  if (value == NULL) return absent;
  size_t count = 0;
  for (; words[count] != NULL; count++)
    if (strcmp(words[count], value) == 0) return (int)count;
  const char *near = thud_suggest(value, words, count), *command = call->command->name;
  cli_complain("%s: --%s cannot be '%s'%s%s%s; see 'thud %s --help'", command, flag, value,
               near != NULL ? " (did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?)" : "", command);
  return -2;
}

bool cli_problem_read_options(const cli_call *call, thud_problem_read_options *options) {
  static const char *const formats[] = {"auto", "fclib", "siconos", "native", NULL};
  static const char *const kinds[] = {"auto", "local", "global", "rolling", "global-rolling", "two-block", NULL};
  *options = thud_problem_read_options_default();
  options->format = cli_choice(call, "from", formats, THUD_PROBLEM_FORMAT_AUTO);
  if (options->format == -2) return false;
  options->kind = cli_choice(call, "kind", kinds, THUD_PROBLEM_KIND_AUTO);
  return options->kind != -2;
}

thud_problem_format cli_problem_format_of_name(const char *path) {
  static const struct {
    const char *ending;
    thud_problem_format format;
  } endings[] = {{".h5", THUD_PROBLEM_FORMAT_FCLIB},
                 {".hdf5", THUD_PROBLEM_FORMAT_FCLIB},
                 {".yaml", THUD_PROBLEM_FORMAT_NATIVE},
                 {".yml", THUD_PROBLEM_FORMAT_NATIVE}};
  const char *dot = strrchr(path, '.');
  for (size_t k = 0; dot != NULL && k < sizeof endings / sizeof *endings; k++)
    if (strcmp(dot, endings[k].ending) == 0) return endings[k].format;
  return THUD_PROBLEM_FORMAT_AUTO;
}
