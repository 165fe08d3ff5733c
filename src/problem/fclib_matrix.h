/* Matrix groups of FCLIB files. */
#ifndef THUD_SRC_RECORD_PROBLEM_FCLIB_MATRIX_H
#define THUD_SRC_RECORD_PROBLEM_FCLIB_MATRIX_H

#include "problem/fclib.h"

/* Reads the group `name` of `parent`, which must be rows x columns; block: size of the blocks when the file says that
 * the matrix was stored by blocks. Absent and not required: *matrix is left alone. */
thud_error thud_fclib_read_matrix(const thud_fclib_source *source, hid_t parent, const char *name, bool required,
                                  thud_index rows, thud_index columns, thud_index block, thud_problem_file *file,
                                  thud_matrix *matrix);
/* Sizes alone. */
thud_error thud_fclib_read_shape(const thud_fclib_source *source, hid_t parent, const char *name, thud_index *rows,
                                 thud_index *columns);
/* Writes it by compressed columns; a matrix of storage NONE is left out. */
thud_error thud_fclib_write_matrix(thud_context *context, const char *path, hid_t parent, const char *name,
                                   const thud_matrix *matrix);
/* An empty dataset; < 0 on failure. */
hid_t thud_fclib_create_dataset(hid_t group, const char *name, hid_t type, hid_t space);
/* One dataset of `count` numbers; < 0 on failure. */
herr_t thud_fclib_write_numbers(hid_t group, const char *name, bool integers, size_t count, const void *values);

#endif
