/* Derivatives that a user wrote, compared with differences. */
#include "base/base.h"
#include "thud/expr.h"

#include <math.h>

static const thud_option_key check_keys[] = {
    {.name = "step",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(thud_derivative_check_options, step),
     .default_value = 0x1p-17,
     .minimum = 0,
     .maximum = 1,
     .minimum_open = true,
     .unit = "1",
     .help = "relative step of the central differences"},
    {.name = "tolerance",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(thud_derivative_check_options, tolerance),
     .default_value = 1e-6,
     .minimum = 0,
     .maximum = 1,
     .minimum_open = true,
     .unit = "1",
     .help = "largest relative deviation that is accepted"},
};
static const thud_option_table check_table = {.name = "derivative check",
                                              .struct_size = sizeof(thud_derivative_check_options),
                                              .keys = check_keys,
                                              .count = sizeof check_keys / sizeof *check_keys};

const thud_option_table *thud_derivative_check_option_table(void) { return &check_table; }

typedef struct check {
  thud_context *context;
  thud_index rows, columns;
  thud_vector_fn function;
  void *user;
  double *x;             /* [columns] moved point */
  double *above, *below; /* [rows] */
} check;

static thud_error evaluate(const check *c, thud_index column, double at, double *out) {
  double kept = c->x[column];
  c->x[column] = at;
  int status = c->function(c->user, c->x, out);
  c->x[column] = kept;
  if (status == 0) return THUD_OK;
  return thud_fail(c->context, THUD_ERROR_CALLBACK, "the function returned %d where variable %d is %.17g", status,
                   (int)column, at);
}

/* One column of differences against the given one. The step that counts is the one between the rounded points. */
static thud_error compare_column(const check *c, thud_index column, const double *jacobian, double step,
                                 thud_derivative_report *report) {
  double h = step * fmax(1, fabs(c->x[column]));
  double high = c->x[column] + h, low = c->x[column] - h;
  thud_error error = evaluate(c, column, high, c->above);
  if (error == THUD_OK) error = evaluate(c, column, low, c->below);
  for (thud_index row = 0; error == THUD_OK && row < c->rows; row++) {
    double given = jacobian[(size_t)row * (size_t)c->columns + (size_t)column];
    double difference = (c->above[row] - c->below[row]) / (high - low);
    double deviation = fabs(given - difference) / fmax(1, fmax(fabs(given), fabs(difference)));
    if (isnan(report->worst) || deviation <= report->worst) continue; /* the first NaN is the worst of all */
    report->worst = deviation;
    report->row = row;
    report->column = column;
    report->given = given;
    report->difference = difference;
  }
  return error;
}

static thud_error run(check *c, const double *x, const double *jacobian, const thud_derivative_check_options *options,
                      thud_derivative_report *report) {
  thud_context *context = c->context;
  c->x = THUD_NEW_ARRAY(context, double, c->columns);
  c->above = THUD_NEW_ARRAY(context, double, c->rows);
  c->below = THUD_NEW_ARRAY(context, double, c->rows);
  if (c->x == NULL || c->above == NULL || c->below == NULL) return THUD_ERROR_MEMORY;
  for (thud_index k = 0; k < c->columns; k++) c->x[k] = x[k];
  thud_error error = THUD_OK;
  for (thud_index k = 0; error == THUD_OK && k < c->columns; k++)
    error = compare_column(c, k, jacobian, options->step, report);
  return error;
}

thud_error thud_derivative_check(thud_context *context, thud_index rows, thud_index columns, thud_vector_fn function,
                                 void *user, const double *x, const double *jacobian,
                                 const thud_derivative_check_options *options, thud_derivative_report *report) {
  THUD_REQUIRE(context, context, function, x, jacobian, report);
  thud_derivative_check_options chosen;
  thud_error error = thud_options_take(context, &check_table, options, &chosen);
  if (error != THUD_OK) return error;
  if (rows < 0 || columns < 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "the check of derivatives: %d rows and %d columns", (int)rows,
                     (int)columns);
  check c = {.context = context, .rows = rows, .columns = columns, .function = function, .user = user};
  thud_derivative_report found = {.agrees = true, .worst = 0, .row = -1, .column = -1};
  error = run(&c, x, jacobian, &chosen, &found);
  thud_free(context, c.x);
  thud_free(context, c.above);
  thud_free(context, c.below);
  if (error != THUD_OK) return error;
  found.agrees = found.worst <= chosen.tolerance;
  if (!found.agrees)
    (void)thud_fail(context, THUD_OK,
                    "row %d, column %d: the derivative is given as %.17g, differences give %.17g (relative deviation "
                    "%.3g, allowed %.3g)",
                    (int)found.row, (int)found.column, found.given, found.difference, found.worst, chosen.tolerance);
  *report = found;
  return THUD_OK;
}
