/* Matrix Market files: the matrices of native problems. Read: array and coordinate, real and integer, general and
 * symmetric. Written: general, numbers that read back bit for bit. */
#ifndef THUD_SRC_RECORD_MATRIX_MARKET_H
#define THUD_SRC_RECORD_MATRIX_MARKET_H

#include "base/json.h"
#include "contact/owned.h"

/* The matrix must be rows x columns; array files become dense, coordinate files sparse. It lives with `owned`. */
thud_error thud_matrix_market_read(thud_context *context, const char *path, thud_index rows, thud_index columns,
                                   thud_owned_problem *owned, thud_matrix *matrix);
/* name stands for the file in messages. */
thud_error thud_matrix_market_read_text(thud_context *context, const char *name, const char *text, size_t length,
                                        thud_index rows, thud_index columns, thud_owned_problem *owned,
                                        thud_matrix *matrix);
/* The file's text: dense matrices as array, the others as coordinate. */
thud_error thud_matrix_market_print(thud_context *context, const thud_matrix *matrix, thud_text *text);

#endif
