/* Problem files in memory: life, names, expectations, loading of texts. */
#include "problem/file.h"
#include "base/base.h"
#include "contact/discs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const format_names[] = {"auto", "fclib", "siconos", "native", NULL};
static const char *const kind_names[] = {"auto", "local", "global", "rolling", "global-rolling", "two-block", NULL};

const char *thud_problem_format_name(thud_problem_format format) {
  return format >= THUD_PROBLEM_FORMAT_AUTO && format <= THUD_PROBLEM_FORMAT_NATIVE ? format_names[format] : NULL;
}

const char *thud_problem_kind_name(thud_problem_kind kind) {
  return kind >= THUD_PROBLEM_KIND_AUTO && kind <= THUD_PROBLEM_KIND_TWO_BLOCK ? kind_names[kind] : NULL;
}

thud_problem_kind thud_problem_kind_of(const thud_contact_problem *problem) {
  THUD_REQUIRE_OR(THUD_PROBLEM_KIND_AUTO, problem);
  const thud_disc_layout *layout = thud_disc_layout_of(problem->dimension, problem->friction);
  bool rolling = layout != NULL && thud_disc_layout_uses(layout, THUD_COEFFICIENT_ROLLING);
  if (problem->form == THUD_FORM_TWO_BLOCK) return THUD_PROBLEM_KIND_TWO_BLOCK;
  if (problem->form == THUD_FORM_GLOBAL) return rolling ? THUD_PROBLEM_KIND_GLOBAL_ROLLING : THUD_PROBLEM_KIND_GLOBAL;
  return rolling ? THUD_PROBLEM_KIND_ROLLING : THUD_PROBLEM_KIND_LOCAL;
}

static const thud_option_key read_keys[] = {
    {.name = "format",
     .type = THUD_OPTION_CHOICE,
     .offset = offsetof(thud_problem_read_options, format),
     .maximum = THUD_PROBLEM_FORMAT_NATIVE,
     .choices = format_names,
     .unit = "",
     .help = "how the file is written"},
    {.name = "kind",
     .type = THUD_OPTION_CHOICE,
     .offset = offsetof(thud_problem_read_options, kind),
     .maximum = THUD_PROBLEM_KIND_TWO_BLOCK,
     .choices = kind_names,
     .unit = "",
     .help = "what the file holds"},
};
static const thud_option_table read_table = {.name = "reading a problem",
                                             .struct_size = sizeof(thud_problem_read_options),
                                             .keys = read_keys,
                                             .count = sizeof read_keys / sizeof *read_keys};

const thud_option_table *thud_problem_read_option_table(void) { return &read_table; }

/* ---- life --------------------------------------------------------------------------------------------- */

thud_error thud_problem_file_create(thud_context *context, thud_problem_format format, thud_problem_file **file) {
  thud_problem_file *made = THUD_NEW(context, thud_problem_file);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->format = format;
  made->decision = "";
  thud_error error = thud_owned_problem_create(context, &made->owned);
  if (error == THUD_OK)
    *file = made;
  else
    thud_free(context, made);
  return error;
}

void thud_problem_file_destroy(thud_problem_file *file) {
  if (file == NULL) return;
  thud_owned_problem_destroy(file->owned);
  thud_free(file->context, file);
}

thud_problem_contents thud_problem_file_contents(const thud_problem_file *file) {
  THUD_REQUIRE_OR((thud_problem_contents){0}, file);
  return (thud_problem_contents){.problem = thud_owned_problem_view(file->owned),
                                 .title = file->title,
                                 .description = file->description,
                                 .math_info = file->math_info,
                                 .solution = file->solution,
                                 .guess_count = file->guess_count,
                                 .guesses = file->guesses};
}

thud_problem_format thud_problem_file_format(const thud_problem_file *file) {
  THUD_REQUIRE_OR(THUD_PROBLEM_FORMAT_AUTO, file);
  return file->format;
}

const char *thud_problem_file_decision(const thud_problem_file *file) {
  THUD_REQUIRE_OR(NULL, file);
  return file->decision;
}

thud_error thud_problem_file_keep_text(thud_problem_file *file, const char *text, size_t length, const char **kept) {
  char *copy = thud_owned_problem_alloc(file->owned, length + 1, 1);
  if (copy == NULL) return THUD_ERROR_MEMORY;
  memcpy(copy, text, length);
  *kept = copy;
  return THUD_OK;
}

thud_error thud_problem_file_decide(thud_problem_file *file, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return thud_problem_file_keep_text(file, text, strlen(text), &file->decision);
}

thud_error thud_problem_check_kind(thud_context *context, const thud_contact_problem *problem,
                                   thud_problem_kind wanted) {
  thud_problem_kind found = thud_problem_kind_of(problem);
  if (wanted == THUD_PROBLEM_KIND_AUTO || wanted == found) return THUD_OK;
  return thud_fail(context, THUD_ERROR_FORMAT,
                   "[bad-problem-file] the file holds a problem of kind '%s', not '%s'; choose --kind %s or auto",
                   kind_names[found], kind_names[wanted], kind_names[found]);
}

/* ---- loading ------------------------------------------------------------------------------------------ */

static thud_error open_regular(thud_context *context, const char *path, int *descriptor, size_t *size) {
  struct stat status;
  if (path == NULL || path[0] == '\0')
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-problem-file] the name of the file to read is empty");
  int opened = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (opened < 0 || fstat(opened, &status) != 0) {
    int reason = errno;
    if (opened >= 0) close(opened);
    return thud_fail(context, THUD_ERROR_FILE, "[bad-problem-file] %s: cannot be read (%s)", path, strerror(reason));
  }
  if (!S_ISREG(status.st_mode)) {
    close(opened);
    return thud_fail(context, THUD_ERROR_FILE, "[bad-problem-file] %s: this is not a regular file; name a problem file",
                     path);
  }
  *descriptor = opened;
  *size = (size_t)status.st_size;
  return THUD_OK;
}

/* Reads until the room is full or the file ends (it may be shorter than it was when it was opened). */
static thud_error read_all(thud_context *context, const char *path, int descriptor, size_t room, char *buffer,
                           size_t *length) {
  size_t filled = 0;
  while (filled < room) {
    ssize_t got = read(descriptor, buffer + filled, room - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return thud_fail(context, THUD_ERROR_FILE, "[bad-problem-file] %s: cannot be read (%s)", path, strerror(errno));
    if (got == 0) break;
    filled += (size_t)got;
  }
  *length = filled;
  return THUD_OK;
}

thud_error thud_problem_load_text(thud_context *context, const char *path, size_t limit, char **text, size_t *length) {
  int descriptor = -1;
  size_t size = 0, filled = 0;
  thud_error error = open_regular(context, path, &descriptor, &size);
  if (error != THUD_OK) return error;
  char *loaded = NULL;
  if (size > limit)
    error = thud_fail(context, THUD_ERROR_OVERFLOW,
                      "[bad-problem-file] %s: %zu bytes are more than the %zu that are read", path, size, limit);
  if (error == THUD_OK) {
    loaded = thud_alloc(context, size + 1, 1);
    error = loaded == NULL ? THUD_ERROR_MEMORY : read_all(context, path, descriptor, size, loaded, &filled);
  }
  close(descriptor);
  if (error == THUD_OK) {
    loaded[filled] = '\0';
    *text = loaded;
    *length = filled;
  } else {
    thud_free(context, loaded);
  }
  return error;
}

thud_error thud_problem_load_beginning(thud_context *context, const char *path, char *buffer, size_t *length) {
  int descriptor = -1;
  size_t size = 0;
  thud_error error = open_regular(context, path, &descriptor, &size);
  if (error != THUD_OK) return error;
  error = read_all(context, path, descriptor, *length, buffer, length);
  close(descriptor);
  return error;
}
