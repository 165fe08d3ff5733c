/* Taylor jets: coefficient k of every value from the coefficients 0..k of its operands (Griewank and Walther,
 * Evaluating Derivatives, chapter 13; Jorba and Zou 2005). Series are in s, ' is d/ds, so that the recurrences are
 * those of the differential equations of the functions, read off coefficient by coefficient: from y' = u v follows
 *
 *   k y_k = sum_{j=1..k} j u~_j v_{k-j}   with u = u~'.
 *
 * A function whose equation needs a second series (the cosine of sin,
 * 1 + y^2 of tan) keeps it in a companion row; sin and cos of the same argument are each other's companion. */
#include "base/base.h"
#include "expr/apply.h"
#include "expr/program.h"

#include <string.h>

/* ---- companions ----------------------------------------------------------------------------------------------------
 */

static int companions_of(const thud_expr *tape, const expr_instruction *instruction) {
  switch (instruction->op) {
  case EXPR_SIN:
  case EXPR_COS:
  case EXPR_SINH:
  case EXPR_COSH:
  case EXPR_TAN:
  case EXPR_TANH:
  case EXPR_ASIN:
  case EXPR_ACOS:
  case EXPR_ATAN:
  case EXPR_ATAN2: return 1;
  case EXPR_POWER: return tape->code[instruction->operand[1]].op == EXPR_CONSTANT ? 0 : 2;
  default: return 0;
  }
}

/* The function that is the op's companion, or EXPR_OP_COUNT. */
static expr_op partner_of(uint8_t op) {
  switch (op) {
  case EXPR_SIN: return EXPR_COS;
  case EXPR_COS: return EXPR_SIN;
  case EXPR_SINH: return EXPR_COSH;
  case EXPR_COSH: return EXPR_SINH;
  default: return EXPR_OP_COUNT;
  }
}

thud_error thud_expr_place_companions(thud_expr_program *program) {
  const thud_expr *tape = program->tape;
  size_t n = (size_t)tape->count;
  program->companions = THUD_NEW_ARRAY(program->context, int32_t, n);
  int32_t *waiting = THUD_NEW_ARRAY(program->context, int32_t, n); /* by operand: last op with a partner, + 1 */
  if (program->companions == NULL || waiting == NULL) {
    thud_free(program->context, waiting);
    return THUD_ERROR_MEMORY;
  }
  /* Partners of each other: both point to the other's row. With sin, cos, sinh and cosh of one operand mixed some pairs
   * may be missed; they get rows of their own, which costs time only. */
  for (int32_t k = 0; k < tape->count; k++) program->companions[k] = -1;
  for (int32_t k = tape->leaf_count; k < tape->count; k++) {
    expr_op partner = partner_of(tape->code[k].op);
    if (partner == EXPR_OP_COUNT) continue;
    int32_t operand = tape->code[k].operand[0], other = waiting[operand] - 1;
    if (other >= 0 && tape->code[other].op == partner) {
      program->companions[k] = other;
      program->companions[other] = k;
    }
    waiting[operand] = k + 1;
  }
  thud_free(program->context, waiting);
  int64_t rows = tape->count;
  for (int32_t k = tape->leaf_count; k < tape->count; k++) {
    if (program->companions[k] >= 0) continue;
    int own = companions_of(tape, &tape->code[k]);
    if (own > 0) program->companions[k] = (int32_t)rows;
    rows += own;
  }
  program->row_count = (int32_t)rows; /* at most 3 * EXPR_MAX_TAPE */
  return THUD_OK;
}

/* ---- sums of products ----------------------------------------------------------------------------------------------
 */

/* sum_{j=0..k} a_j b_{k-j} */
static double convolve(int k, const double *a, const double *b) {
  double sum = 0;
  for (int j = 0; j <= k; j++) sum += a[j] * b[k - j];
  return sum;
}

/* (1/k) sum_{j=1..k} j a_j b_{k-j}: coefficient k of the integral of a' b. */
static double integrate(int k, const double *a, const double *b) {
  double sum = 0;
  for (int j = 1; j <= k; j++) sum += (double)j * a[j] * b[k - j];
  return sum / (double)k;
}

/* The same without the last term, in which a_k would be the unknown. */
static double integrate_known(int k, const double *a, const double *b) {
  double sum = 0;
  for (int j = 1; j < k; j++) sum += (double)j * a[j] * b[k - j];
  return sum / (double)k;
}

/* sum_{j=1..k-1} y_j y_{k-j} */
static double inner_square(int k, const double *y) {
  double sum = 0;
  for (int j = 1; j < k; j++) sum += y[j] * y[k - j];
  return sum;
}

/* Coefficient k of a root y of y^2 = s: a root that rests at zero stays there as long as nothing moves it. */
static double root_coefficient(int k, double square_k, const double *y) {
  double rest = square_k - inner_square(k, y);
  return rest == 0 && y[0] == 0 ? 0 : rest / (2 * y[0]);
}

/* ---- order 0 --------------------------------------------------------------------------------------------------------
 */

static void start_companion(const expr_instruction *i, double a, double b, double y, double *w, size_t stride) {
  switch (i->op) {
  case EXPR_SIN: *w = cos(a); break;
  case EXPR_COS: *w = sin(a); break;
  case EXPR_SINH: *w = cosh(a); break;
  case EXPR_COSH: *w = sinh(a); break;
  case EXPR_TAN: *w = 1 + y * y; break;
  case EXPR_TANH: /* 1 - y^2 without cancellation: y is 1 in all its digits from |a| = 19 on */
    *w = 1 / cosh(a);
    *w *= *w;
    break;
  case EXPR_ASIN:
  case EXPR_ACOS: *w = sqrt((1 - a) * (1 + a)); break;
  case EXPR_ATAN: *w = 1 + a * a; break;
  case EXPR_ATAN2: *w = a * a + b * b; break;
  case EXPR_POWER:
    w[0] = log(a);
    w[stride] = b * w[0];
    break;
  default: break;
  }
}

/* The branch that order 0 chooses for all orders: ABS the sign; MIN, MAX, IF the number of the operand; 0: the
 * argument is NaN, and so are all coefficients. */
static int8_t choose_branch(const thud_expr_work *work, const expr_instruction *i, double a, double b) {
  int held = expr_held_sign(work, i);
  switch (i->op) {
  case EXPR_ABS:
    if (held != 0) return (int8_t)held;
    return isnan(a) ? 0 : a < 0 ? -1 : 1;
  case EXPR_MIN:
  case EXPR_MAX: {
    if (held != 0) return (held < 0) == (i->op == EXPR_MIN) ? 1 : 2;
    if (isnan(a) || isnan(b)) return 0;
    return (i->op == EXPR_MIN ? a < b : a > b) ? 1 : 2;
  }
  case EXPR_IF:
    if (held != 0) return 1;
    return isnan(a) ? 0 : a != 0 ? 1 : 2;
  default: return 0;
  }
}

static void start(thud_expr_work *work, int32_t k) {
  const thud_expr_program *program = work->program;
  const expr_instruction *i = &program->tape->code[k];
  size_t stride = (size_t)work->max_order + 1;
  double *jets = work->jets;
  double a = jets[i->source[0] * stride], b = jets[i->source[1] * stride], c = jets[i->source[2] * stride];
  double y = thud_expr_run(work, i, a, b, c);
  jets[(size_t)k * stride] = y;
  work->branches[k] = choose_branch(work, i, a, b);
  int32_t companion = program->companions[k];
  if (companion >= program->tape->count) start_companion(i, a, b, y, jets + (size_t)companion * stride, stride);
}

/* ---- higher orders --------------------------------------------------------------------------------------------------
 */

/* y = x^p, x y' = p y x'. Where x vanishes, x = s^m (x_m + ...) gives y = s^(pm) (x_m + ...)^p: analytic when p m is a
 * whole number, and coefficient k then needs only coefficients of x up to k, because p >= 1. */
static double power_coefficient(int k, const double *x, double p, const double *y) {
  int m = 0;
  if (p == 0) return 0;
  if (x[0] == 0 && p >= 1) {
    while (m <= k && x[m] == 0) m++;
    if (m > k || (double)k < p * m) return 0;
  }
  double lowest = p * m;
  if (lowest != floor(lowest)) return (double)NAN;
  int shift = (int)lowest, order = k - shift;
  if (order == 0) return pow(x[m], p);
  double sum = 0;
  for (int j = 1; j <= order; j++) sum += (p * j - (order - j)) * x[m + j] * y[shift + order - j];
  return sum / ((double)order * x[m]);
}

static double atan2_coefficient(int k, const double *y, const double *x, const double *angle, double *square) {
  square[k] = convolve(k, y, y) + convolve(k, x, x);
  return (integrate(k, y, x) - integrate(k, x, y) - integrate_known(k, angle, square)) / square[0];
}

/* Functions of one argument with a companion w. own: the companion row belongs to this operation alone. */
static double unary_coefficient(expr_op op, int k, const double *x, const double *y, double *w, bool own) {
  double value;
  switch (op) {
  case EXPR_SIN:
  case EXPR_SINH:
  case EXPR_COSH:
    if (own) w[k] = op == EXPR_SIN ? -integrate(k, x, y) : integrate(k, x, y);
    return integrate(k, x, w);
  case EXPR_COS:
    if (own) w[k] = integrate(k, x, y);
    return -integrate(k, x, w);
  case EXPR_TAN:
  case EXPR_TANH: /* y' = w x', w = 1 +- y^2 */
    value = integrate(k, x, w);
    w[k] = 2 * y[0] * value + inner_square(k, y);
    if (op == EXPR_TANH) w[k] = -w[k];
    return value;
  case EXPR_ASIN:
  case EXPR_ACOS: /* w y' = +-x', w^2 = 1 - x^2 */
    w[k] = root_coefficient(k, -convolve(k, x, x), w);
    return ((op == EXPR_ASIN ? x[k] : -x[k]) - integrate_known(k, y, w)) / w[0];
  default: /* ATAN: w y' = x', w = 1 + x^2 */ w[k] = convolve(k, x, x); return (x[k] - integrate_known(k, y, w)) / w[0];
  }
}

/* Data have no derivative that is known: only a path on which time rests has a jet. */
static double function_coefficient(int k, const double *time) {
  for (int j = 1; j <= k; j++)
    if (time[j] != 0) return (double)NAN;
  return 0;
}

/* x^p = exp(p log x); as long as p rests the rule of constant exponents holds, which needs no logarithm. */
static double general_power_coefficient(int k, const double *x, const double *p, const double *y, double *log_row,
                                        double *exponent) {
  log_row[k] = (x[k] - integrate_known(k, log_row, x)) / x[0];
  exponent[k] = convolve(k, p, log_row);
  for (int j = 1; j <= k; j++)
    if (p[j] != 0) return integrate(k, exponent, y);
  return power_coefficient(k, x, p[0], y);
}

static double coefficient(const thud_expr_work *work, int32_t number, int k) {
  const thud_expr_program *program = work->program;
  const expr_instruction *i = &program->tape->code[number];
  size_t stride = (size_t)work->max_order + 1;
  const double *a = work->jets + i->source[0] * stride, *b = work->jets + i->source[1] * stride;
  const double *c = work->jets + i->source[2] * stride, *y = work->jets + (size_t)number * stride;
  int32_t companion = program->companions[number];
  /* Operations without a companion do not look at w. */
  double *w = work->jets + (size_t)(companion >= 0 ? companion : number) * stride;
  int8_t branch = work->branches[number];
  switch ((expr_op)i->op) {
  case EXPR_ADD: return a[k] + b[k];
  case EXPR_SUBTRACT: return a[k] - b[k];
  case EXPR_NEGATE: return -a[k];
  case EXPR_MULTIPLY: return convolve(k, a, b);
  case EXPR_DIVIDE: return (a[k] - convolve(k - 1, y, b + 1)) / b[0];
  case EXPR_POWER:
    if (companion < 0) return power_coefficient(k, a, b[0], y);
    return general_power_coefficient(k, a, b, y, w, w + stride);
  case EXPR_EXP: return integrate(k, a, y);
  case EXPR_LOG: return (a[k] - integrate_known(k, y, a)) / a[0];
  case EXPR_SQRT: return root_coefficient(k, a[k], y);
  case EXPR_HYPOT: return root_coefficient(k, convolve(k, a, a) + convolve(k, b, b), y);
  case EXPR_ATAN2: return atan2_coefficient(k, a, b, y, w);
  case EXPR_ABS: return branch == 0 ? (double)NAN : branch * a[k];
  case EXPR_MIN:
  case EXPR_MAX: return branch == 0 ? (double)NAN : branch == 1 ? a[k] : b[k];
  case EXPR_IF: return branch == 0 ? (double)NAN : branch == 1 ? b[k] : c[k];
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL:
  case EXPR_SIGN:
  case EXPR_STEP:
  case EXPR_FLOOR: return isnan(y[0]) ? y[0] : 0;
  case EXPR_FUNCTION: return function_coefficient(k, a);
  default: return unary_coefficient((expr_op)i->op, k, a, y, w, companion >= program->tape->count);
  }
}

thud_error thud_expr_work_jet(thud_expr_work *work, int order, const double *variables, double *out) {
  THUD_REQUIRE_OF(work, out, variables || thud_expr_is_constant(work->program->tape));
  const thud_expr_program *program = work->program;
  const thud_expr *tape = program->tape;
  size_t stride = (size_t)work->max_order + 1;
  if (order < 0 || order > work->max_order)
    return thud_fail(work->context, THUD_ERROR_ARGUMENT, "coefficient %d of a jet whose highest order is %d", order,
                     work->max_order);
  if (order > work->done + 1)
    return thud_fail(work->context, THUD_ERROR_ARGUMENT, "coefficient %d of a jet after number %d; none may be skipped",
                     order, work->done);
  for (int32_t k = tape->constant_count; k < tape->leaf_count; k++)
    work->jets[(size_t)k * stride + (size_t)order] = variables[tape->code[k].reference];
  for (int32_t at = 0, count = expr_live_count(work); at < count; at++) {
    int32_t k = expr_live_operation(work, at);
    if (order == 0)
      start(work, k);
    else
      work->jets[(size_t)k * stride + (size_t)order] = coefficient(work, k, order);
  }
  work->done = order;
  for (thud_index k = 0; k < program->output_count; k++)
    out[k] = work->jets[(size_t)program->outputs[k] * stride + (size_t)order];
  return THUD_OK;
}

thud_error thud_expr_work_switch_jet(const thud_expr_work *work, int order, double *arguments) {
  THUD_REQUIRE_OF(work, arguments);
  size_t stride = (size_t)work->max_order + 1;
  if (order < 0 || order > work->done)
    return thud_fail(work->context, THUD_ERROR_ARGUMENT, "coefficient %d of the switches, but the jet has come to %d",
                     order, work->done);
  for (int32_t at = 0; at < expr_watched_count(work); at++) {
    int32_t k = expr_watched(work, at);
    arguments[k] = work->jets[(size_t)work->program->switches[k].argument * stride + (size_t)order];
  }
  return THUD_OK;
}
