#include "expr/number_list.h"
#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The reason of the last failure, behind the text that it is about. */
static thud_error refuse(thud_context *context, const char *text, thud_error error) {
  static const char first[] = "column 1: "; /* says nothing beside the text itself */
  char reason[300];
  if (error == THUD_ERROR_MEMORY) return error;
  const char *message = thud_context_last_message(context);
  bool plain = strncmp(message, first, sizeof first - 1) == 0;
  snprintf(reason, sizeof reason, "%s", message + (plain ? sizeof first - 1 : 0));
  return thud_fail(context, THUD_ERROR_ARGUMENT, "[usage] '%.200s' is not a number: %s", text, reason);
}

thud_error thud_expr_read_number(thud_context *context, const char *text, double *value) {
  if (thud_parse_double(text, value)) return THUD_OK;
  if (text[strspn(text, " \t")] == '\0')
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[usage] a number is missing: the text is empty");
  thud_expr_scope *scope = NULL;
  thud_expr *expr = NULL;
  thud_error error = thud_expr_scope_create(context, &scope);
  if (error == THUD_OK) error = thud_expr_compile(context, scope, text, NULL, &expr);
  double found = error == THUD_OK ? thud_expr_evaluate(expr, NULL) : NAN;
  thud_expr_destroy(expr);
  thud_expr_scope_destroy(scope);
  if (error != THUD_OK) return refuse(context, text, error);
  if (!isfinite(found))
    return thud_fail(context, THUD_ERROR_NOT_FINITE, "'%.200s' is %g; give a finite number", text, found);
  *value = found;
  return THUD_OK;
}

/* Length of the first item of a list: up to a comma outside parentheses. */
static size_t item_length(const char *list) {
  size_t depth = 0, n = 0;
  for (; list[n] != '\0' && (list[n] != ',' || depth > 0); n++) {
    depth += list[n] == '(';
    depth -= list[n] == ')' && depth > 0;
  }
  return n;
}

static thud_error read_items(thud_context *context, char *rest, double *values, size_t *count) {
  for (bool more = true; more;) {
    size_t length = item_length(rest);
    more = rest[length] == ',';
    rest[length] = '\0';
    thud_error error = thud_expr_read_number(context, rest, &values[*count]);
    if (error != THUD_OK) return error;
    ++*count;
    rest += length + more;
  }
  return THUD_OK;
}

thud_error thud_expr_read_numbers(thud_context *context, const char *list, double **values, size_t *count) {
  size_t capacity = 1;
  for (const char *p = list; *p != '\0'; p++) capacity += *p == ',';
  char *copy = thud_strdup(context, list);
  double *found = THUD_NEW_ARRAY(context, double, capacity);
  size_t read = 0;
  thud_error error = copy != NULL && found != NULL ? read_items(context, copy, found, &read) : THUD_ERROR_MEMORY;
  thud_free(context, copy);
  if (error != THUD_OK) thud_free(context, found);
  *values = error == THUD_OK ? found : NULL;
  *count = error == THUD_OK ? read : 0;
  return error;
}
