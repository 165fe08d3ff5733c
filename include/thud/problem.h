/* thud/problem.h: contact problems in files.
 *
 * Formats
 *   fclib    HDF5 files of the FCLIB collection: local, global and rolling problems with solution and guesses
 *   siconos  the text files (.dat) that Siconos prints; read only. They do not say of which kind they are: the reader
 *            tries, and reports what it decided and why
 *   native   a YAML file, with Matrix Market files beside it for what is too long to are in it; carries every
 *            statement of thud/contact.h: LCP, bilateral rows, general friction laws, the two-block form
 * docs/problem-formats.md describes them all. Whatever a file claims is checked against its size before memory is
 * asked for. HDF5 is used by one thread of a process at a time. */
#ifndef THUD_PROBLEM_H
#define THUD_PROBLEM_H

#include "thud/contact.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum thud_problem_format {
  THUD_PROBLEM_FORMAT_AUTO = 0, /* by the file's content */
  THUD_PROBLEM_FORMAT_FCLIB = 1,
  THUD_PROBLEM_FORMAT_SICONOS = 2,
  THUD_PROBLEM_FORMAT_NATIVE = 3
} thud_problem_format;

/* Expected kind of problem; anything else in the file is then an error. */
typedef enum thud_problem_kind {
  THUD_PROBLEM_KIND_AUTO = 0,
  THUD_PROBLEM_KIND_LOCAL = 1,          /* local form, no rolling friction */
  THUD_PROBLEM_KIND_GLOBAL = 2,         /* global form, no rolling friction */
  THUD_PROBLEM_KIND_ROLLING = 3,        /* local form with rolling friction */
  THUD_PROBLEM_KIND_GLOBAL_ROLLING = 4, /* global form with rolling friction */
  THUD_PROBLEM_KIND_TWO_BLOCK = 5       /* native files only */
} thud_problem_kind;

/* "auto", "fclib", "siconos", "native"; "auto", "local", "global", "rolling", "global-rolling", "two-block"; NULL for a
 * number outside the enum. */
THUD_API const char *thud_problem_format_name(thud_problem_format format);
THUD_API const char *thud_problem_kind_name(thud_problem_kind kind);
THUD_API thud_problem_kind thud_problem_kind_of(const thud_contact_problem *problem);

typedef struct thud_problem_read_options {
  size_t size; /* sizeof(thud_problem_read_options), set by the default function */
  int format;  /* thud_problem_format */
  int kind;    /* thud_problem_kind */
} thud_problem_read_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_problem_read_option_table(void);
THUD_OPTIONS_DEFAULT(thud_problem_read_options, thud_problem_read_option_table)

/* An answer or a first guess; any of them may be NULL. */
typedef struct thud_problem_solution {
  const double *v; /* [ndof] velocities (global and two-block form) */
  const double *u; /* [size] relative velocities */
  const double *r; /* [size] impulses */
  const double *l; /* [bilateral] impulses of the bilateral rows */
} thud_problem_solution;

/* Contents of a file, read or to be written. Everything is borrowed. */
typedef struct thud_problem_contents {
  const thud_contact_problem *problem;
  const char *title, *description, *math_info; /* NULL: none */
  thud_problem_solution solution;              /* all NULL: none */
  size_t guess_count;
  const thud_problem_solution *guesses; /* [guess_count] */
} thud_problem_contents;

/* Longest title, description or mathematical remark that is read or written, in bytes. */
#define THUD_PROBLEM_TEXT_LENGTH 65536
/* Most guesses in a file. */
#define THUD_PROBLEM_GUESSES_MAX 1000

typedef struct thud_problem_file thud_problem_file; /* owns what was read */

/* options may be NULL. The problem has passed thud_contact_validate. Errors name the file and the place in it. */
THUD_API thud_error thud_problem_read(thud_context *context, const char *path, const thud_problem_read_options *options,
                                      thud_problem_file **file);
THUD_API void thud_problem_file_destroy(thud_problem_file *file);
/* Valid until the file is destroyed. */
THUD_API thud_problem_contents thud_problem_file_contents(const thud_problem_file *file);
THUD_API thud_problem_format thud_problem_file_format(const thud_problem_file *file);
/* Why it was taken for that format and kind: "Siconos text; global, because a second matrix follows the first". */
THUD_API const char *thud_problem_file_decision(const thud_problem_file *file);

/* Writes FCLIB (local and global form, dimension 2, 3 or 5, discs only: else THUD_ERROR_UNSUPPORTED) or native files;
 * the numbers read back bit for bit. The file appears complete or not at all. Without overwrite an existing file is
 * THUD_ERROR_EXISTS. Native problems with more than THUD_PROBLEM_INLINE numbers in an array get it as a Matrix Market
 * file beside the YAML file: NAME.W.mtx and so on for NAME.yaml; the YAML file comes last. */
THUD_API thud_error thud_problem_write(thud_context *context, const char *path, thud_problem_format format,
                                       const thud_problem_contents *contents, bool overwrite);
#define THUD_PROBLEM_INLINE 256
/* Checks that a file of that format can hold the problem: THUD_ERROR_UNSUPPORTED with the reason, before the work of
 * solving it is done. The path is only named in the message. */
THUD_API thud_error thud_problem_check_writable(thud_context *context, const char *path, thud_problem_format format,
                                                const thud_contact_problem *problem);

#ifdef __cplusplus
}
#endif
#endif
