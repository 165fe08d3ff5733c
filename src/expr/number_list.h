/* Numbers that a person types: constant expressions, alone or separated by commas. */
#ifndef THUD_SRC_EXPR_NUMBER_LIST_H
#define THUD_SRC_EXPR_NUMBER_LIST_H

#include "base/base.h"
#include "thud/expr.h"

/* The value of a constant expression such as "pi/4". A message names the text and the reason; *value is kept then. */
THUD_FOR_IO thud_error thud_expr_read_number(thud_context *context, const char *text, double *value);
/* "0, pi/4, max(1, 2)": commas within parentheses do not separate. *values are freed with thud_free; NULL after an error. */
THUD_FOR_IO thud_error thud_expr_read_numbers(thud_context *context, const char *list, double **values, size_t *count);

#endif
