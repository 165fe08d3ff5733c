/* A problem file in memory, and what the readers of the formats share. */
#ifndef THUD_SRC_RECORD_PROBLEM_FILE_H
#define THUD_SRC_RECORD_PROBLEM_FILE_H

#include "contact/owned.h"
#include "thud/problem.h"

struct thud_problem_file {
  thud_context *context;
  thud_problem_format format;
  thud_owned_problem *owned; /* also owns every array and text below */
  const char *title, *description, *math_info;
  const char *decision;
  thud_problem_solution solution;
  size_t guess_count;
  thud_problem_solution *guesses; /* [guess_count] */
};

/* A file with an empty problem, to be filled in by a reader. */
thud_error thud_problem_file_create(thud_context *context, thud_problem_format format, thud_problem_file **file);
/* Copies a text into the file's keeping. */
thud_error thud_problem_file_keep_text(thud_problem_file *file, const char *text, size_t length, const char **kept);
thud_error thud_problem_file_decide(thud_problem_file *file, const char *format, ...) THUD_PRINTF(2, 3);
/* Refuses what is not of the expected kind. */
thud_error thud_problem_check_kind(thud_context *context, const thud_contact_problem *problem,
                                   thud_problem_kind wanted);

/* The whole of a regular file, with a final 0; freed with thud_free. The size asked for is that of the file, at most
 * `limit` bytes. */
thud_error thud_problem_load_text(thud_context *context, const char *path, size_t limit, char **text, size_t *length);
/* The same for the first bytes only: *length comes in as the room in buffer. */
thud_error thud_problem_load_beginning(thud_context *context, const char *path, char *buffer, size_t *length);

/* ---- the formats -------------------------------------------------------------------------------------- */

thud_error thud_fclib_read(thud_context *context, const char *path, thud_problem_kind kind, thud_problem_file **file);
/* THUD_ERROR_UNSUPPORTED, with the path and the reason in the message, for what FCLIB files cannot hold. */
thud_error thud_fclib_check_expressible(thud_context *context, const char *path, const thud_contact_problem *problem);
thud_error thud_fclib_write(thud_context *context, const char *path, const thud_problem_contents *contents,
                            bool overwrite);
thud_error thud_siconos_read(thud_context *context, const char *path, thud_problem_kind kind, thud_problem_file **file);
/* name stands for the file in messages. */
thud_error thud_siconos_read_text(thud_context *context, const char *name, const char *text, size_t length,
                                  thud_problem_kind kind, thud_problem_file **file);

#endif
