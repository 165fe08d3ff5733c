/* Names and numbers of FCLIB files, and the careful reading of datasets. */
#ifndef THUD_SRC_RECORD_PROBLEM_FCLIB_H
#define THUD_SRC_RECORD_PROBLEM_FCLIB_H

#include "record/h5.h"
#include "problem/file.h"

#define THUD_FCLIB_LOCAL "fclib_local"
#define THUD_FCLIB_GLOBAL "fclib_global"
#define THUD_FCLIB_GLOBAL_ROLLING "fclib_global_rolling"
/* Further number of a matrix group: how thud stored the matrix (thud_matrix_storage); other programs do not look at it.
 * Not an attribute: HDF5 1.10 reads past the end of damaged ones. */
#define THUD_FCLIB_STORAGE "thud_storage"

/* The meaning of a matrix group's nz below 0. */
enum { THUD_FCLIB_COLUMNS = -1, THUD_FCLIB_ROWS = -2 };

/* A file that is being read. */
typedef struct thud_fclib_source {
  thud_context *context;
  const char *path;
  uint64_t bytes; /* size of the file */
} thud_fclib_source;

/* "PATH: /group/name: message" */
thud_error thud_fclib_fail(const thud_fclib_source *source, hid_t group, const char *name, thud_error error,
                           const char *format, ...) THUD_PRINTF(5, 6);

/* Is there a hard link of that name? (Soft and external ones may lead anywhere.) */
bool thud_fclib_has(hid_t group, const char *name);
/* *group is 0 when it is absent and not required; closed with thud_h5_drop. */
thud_error thud_fclib_open_group(const thud_fclib_source *source, hid_t parent, const char *name, bool required,
                                 hid_t *group);
/* A whole number low..high in a dataset of one element. */
thud_error thud_fclib_read_integer(const thud_fclib_source *source, hid_t group, const char *name, int64_t low,
                                   int64_t high, thud_index *value);
/* Number of elements of a dataset of numbers that really are in the file. */
thud_error thud_fclib_count(const thud_fclib_source *source, hid_t group, const char *name, bool integers,
                            size_t *count);
/* Exactly `count` numbers (checked first) into memory of the caller; integers: thud_index, else double. */
thud_error thud_fclib_read_numbers(const thud_fclib_source *source, hid_t group, const char *name, bool integers,
                                   size_t count, void *values);
/* A text of at most THUD_PROBLEM_TEXT_LENGTH bytes, kept by the file; *text stays as it is when there is none. */
thud_error thud_fclib_read_text(const thud_fclib_source *source, hid_t group, const char *name, thud_problem_file *file,
                                const char **text);

#endif
