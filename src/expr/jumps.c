/* Times of jumps: roots of affine arguments of discontinuous operations, and the declared jumps of data.
 *
 * The times are used with thud_expr_evaluate_side, which calls an argument zero when it cannot be distinguished from
 * zero
 * (dual.h). The two must agree: at a returned time every jump that is meant must be seen, and no jump may be seen at
 * two returned times. So candidates that the zero test cannot distinguish are merged into one time at which all of
 * them are seen; where none exists the call fails instead of counting a jump twice. */
#include "base/base.h"
#include "expr/dual.h"
#include "expr/lexer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How a value depends on time; UNKNOWN: on a variable that is NaN, whatever else it depends on. */
typedef enum motion { MOTION_STILL, MOTION_STEPS, MOTION_AFFINE, MOTION_OTHER, MOTION_UNKNOWN } motion;

typedef struct candidate {
  size_t part; /* which expression */
  double time;
  double tolerance; /* half-width in which the zero test may say yes; 0 for data */
  int32_t value;    /* value number of the operation, or -1 for data: those jump at their exact time only */
  int operand;      /* ATAN2: which of the two arguments passes zero */
  double offset;    /* the argument's value at the jump: an integer for FLOOR, otherwise 0 */
} candidate;

/* One expression and its values at one time. */
typedef struct part {
  const thud_expr *expr;
  double now;        /* the time that `values` belong to */
  expr_dual *values; /* [expr->count] */
  uint8_t *motions;  /* [expr->count] motion */
} part;

typedef struct search {
  thud_context *context;
  const double *variables; /* [variable count of the scope] */
  thud_index slot;
  double from, to;
  size_t part_count;
  part *parts; /* [part_count] */
  size_t count, capacity;
  candidate *candidates; /* [count] */
} search;

/* Computes all values of the part at time t. */
static void pass(const search *s, part *p, double t) {
  const thud_expr *expr = p->expr;
  p->now = t;
  for (int32_t k = 0; k < expr->count; k++) {
    const expr_instruction *instruction = &expr->code[k];
    if (instruction->op == EXPR_CONSTANT) {
      p->values[k] = (expr_dual){expr->constants[k], 0, expr->constant_errors[k]};
    } else if (instruction->op == EXPR_VARIABLE) {
      bool is_time = instruction->reference == s->slot;
      p->values[k] = expr_dual_variable(is_time ? t : s->variables[instruction->reference], is_time);
    } else {
      expr_dual x[EXPR_MAX_ARITY] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
      for (int i = 0; i < thud_expr_ops[instruction->op].arity; i++) x[i] = p->values[instruction->operand[i]];
      p->values[k] = thud_expr_dual_run(expr, instruction, x, THUD_SIDE_VALUE);
    }
  }
}

/* Motion of a + b or a - b. */
static motion motion_of_sum(motion a, motion b) {
  if (a == MOTION_UNKNOWN || b == MOTION_UNKNOWN) return MOTION_UNKNOWN;
  if (a <= MOTION_STEPS && b <= MOTION_STEPS) return a > b ? a : b;
  bool affine = a != MOTION_STEPS && b != MOTION_STEPS && a != MOTION_OTHER && b != MOTION_OTHER;
  return affine ? MOTION_AFFINE : MOTION_OTHER;
}

static motion motion_of_operation(const part *p, const expr_instruction *instruction) {
  motion x[EXPR_MAX_ARITY] = {MOTION_STILL, MOTION_STILL, MOTION_STILL}, most = MOTION_STILL;
  for (int i = 0; i < thud_expr_ops[instruction->op].arity; i++) {
    x[i] = (motion)p->motions[instruction->operand[i]];
    if (x[i] > most) most = x[i];
  }
  if (most <= MOTION_STEPS || most == MOTION_UNKNOWN) return most;
  switch (instruction->op) {
  case EXPR_STEP:
  case EXPR_SIGN:
  case EXPR_FLOOR:
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL: return MOTION_STEPS;
  case EXPR_NEGATE: return x[0];
  case EXPR_ADD:
  case EXPR_SUBTRACT: return motion_of_sum(x[0], x[1]);
  case EXPR_MULTIPLY:
    return most == MOTION_AFFINE && (x[0] == MOTION_STILL || x[1] == MOTION_STILL) ? most : MOTION_OTHER;
  case EXPR_DIVIDE: return x[0] == MOTION_AFFINE && x[1] == MOTION_STILL ? MOTION_AFFINE : MOTION_OTHER;
  case EXPR_IF: /* a condition that does not change has chosen its branch */
    if (x[0] != MOTION_STILL || isnan(p->values[instruction->operand[0]].value)) return MOTION_OTHER;
    return p->values[instruction->operand[0]].value != 0 ? x[1] : x[2];
  default: return MOTION_OTHER;
  }
}

static void find_motions(const search *s, part *p) {
  for (int32_t k = 0; k < p->expr->count; k++) {
    const expr_instruction *instruction = &p->expr->code[k];
    bool is_variable = instruction->op == EXPR_VARIABLE, is_time = is_variable && instruction->reference == s->slot;
    bool is_unknown = is_variable && !is_time && isnan(s->variables[instruction->reference]);
    motion found = is_time ? MOTION_AFFINE : is_unknown ? MOTION_UNKNOWN : motion_of_operation(p, instruction);
    p->motions[k] = (uint8_t)found;
  }
}

/* The number whose zero makes the candidate's jump, at the time of the last pass. */
static expr_dual argument_of(const search *s, const candidate *c) {
  const part *p = &s->parts[c->part];
  const expr_instruction *instruction = &p->expr->code[c->value];
  expr_dual first = p->values[instruction->operand[c->operand]];
  switch (instruction->op) {
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL: return thud_expr_dual_difference(first, p->values[instruction->operand[1]]);
  case EXPR_FLOOR: return thud_expr_dual_difference(first, (expr_dual){c->offset, 0, 0});
  default: return first;
  }
}

/* Does the zero test see the candidate's jump at time t? */
static bool is_seen_at(const search *s, const candidate *c, double t) {
  if (c->time == t) return true;
  if (c->value < 0) return false;
  part *p = &s->parts[c->part];
  if (p->now != t) pass(s, p, t);
  return thud_expr_dual_is_zero(argument_of(s, c));
}

static thud_error add_candidate(search *s, const candidate *c) {
  if (s->count >= THUD_EXPR_MAX_JUMPS)
    return thud_fail(s->context, THUD_ERROR_OVERFLOW,
                     "[jump-times] an expression jumps more than %d times between %g and %g; take a shorter interval",
                     (int)THUD_EXPR_MAX_JUMPS, s->from, s->to);
  thud_error error = thud_array_reserve(s->context, &s->candidates, &s->capacity, s->count + 1, sizeof *s->candidates);
  if (error == THUD_OK) s->candidates[s->count++] = *c;
  return error;
}

static double clamp(const search *s, double t) { return t < s->from ? s->from : t > s->to ? s->to : t; }

/* The root of an affine argument by Newton's iteration, which brings the residual down to the rounding of the argument
 * itself (each step gains about 16 digits, so that even an interval from -1e300 needs few). A root that the zero test
 * cannot distinguish from an end of the interval is that end. */
static thud_error add_root(search *s, candidate c) {
  enum { MAX_STEPS = 64 };
  part *p = &s->parts[c.part];
  c.time = s->from;
  pass(s, p, c.time);
  expr_dual argument = argument_of(s, &c);
  for (int k = 0; k < MAX_STEPS && !thud_expr_dual_is_zero(argument); k++) {
    if (argument.slope == 0 || !isfinite(argument.slope) || !isfinite(argument.value)) return THUD_OK;
    double next = clamp(s, c.time - argument.value / argument.slope);
    if (next == c.time) return THUD_OK; /* the root lies outside */
    c.time = next;
    pass(s, p, c.time);
    argument = argument_of(s, &c);
  }
  if (!thud_expr_dual_is_zero(argument))
    return thud_fail(s->context, THUD_ERROR_NOT_CONVERGED, "[jump-times] a jump of '%s' near %.17g cannot be located",
                     thud_expr_ops[p->expr->code[c.value].op].text, c.time);
  if (argument.slope == 0) return THUD_OK; /* at rest at zero: no passage */
  c.tolerance = EXPR_ERROR_SAFETY * EXPR_UNIT_ROUNDOFF * argument.error / fabs(argument.slope);
  double moved = c.time;
  c.time = (double)NAN; /* so that the test below asks the argument */
  if (moved - s->from <= 2 * c.tolerance && is_seen_at(s, &c, s->from))
    moved = s->from;
  else if (s->to - moved <= 2 * c.tolerance && is_seen_at(s, &c, s->to))
    moved = s->to;
  c.time = moved;
  return add_candidate(s, &c);
}

/* One root for every whole number that the argument passes. */
static thud_error add_floor_roots(search *s, candidate c) {
  part *p = &s->parts[c.part];
  pass(s, p, s->from);
  expr_dual start = argument_of(s, &c);
  pass(s, p, s->to);
  expr_dual end = argument_of(s, &c);
  if (!isfinite(start.value) || !isfinite(end.value)) return THUD_OK;
  double slack = EXPR_ERROR_SAFETY * EXPR_UNIT_ROUNDOFF * fmax(start.error, end.error);
  double first = ceil(fmin(start.value, end.value) - slack), last = floor(fmax(start.value, end.value) + slack);
  if (last - first >= THUD_EXPR_MAX_JUMPS) {
    thud_expr_place place;
    return thud_expr_fail_at(s->context, THUD_ERROR_OVERFLOW, p->expr->places[c.value], &place,
                             "[jump-times] floor jumps more than %d times between %g and %g; take a shorter interval",
                             (int)THUD_EXPR_MAX_JUMPS, s->from, s->to);
  }
  thud_error error = THUD_OK;
  for (double k = first; error == THUD_OK && k <= last; k++) {
    c.offset = k;
    error = add_root(s, c);
  }
  return error;
}

static thud_error fail_not_affine(const search *s, const part *p, int32_t value) {
  thud_expr_place place;
  const char *name = thud_expr_ops[p->expr->code[value].op].text;
  return thud_expr_fail_at(
      s->context, THUD_ERROR_UNSUPPORTED, p->expr->places[value], &place,
      "[jump-times] the jumps of '%s' cannot be found: its argument is not affine in time; write it as "
      "piecewise data or with arguments like t - t1",
      name);
}

/* atan2(y, x) jumps where y passes zero with x < 0, and where x does with y = 0. */
static thud_error add_atan2(search *s, candidate c) {
  part *p = &s->parts[c.part];
  const int32_t *operand = p->expr->code[c.value].operand;
  motion y = (motion)p->motions[operand[0]], x = (motion)p->motions[operand[1]];
  pass(s, p, s->from);
  if (x == MOTION_STILL && p->values[operand[1]].value > 0) return THUD_OK;
  bool y_may_rest_at_zero = y == MOTION_STEPS || (y == MOTION_STILL && p->values[operand[0]].value == 0);
  if (y == MOTION_UNKNOWN || x == MOTION_UNKNOWN) return THUD_OK;
  if (y == MOTION_OTHER || (y_may_rest_at_zero && x == MOTION_OTHER)) return fail_not_affine(s, p, c.value);
  c.operand = y == MOTION_AFFINE ? 0 : 1;
  bool passes = y == MOTION_AFFINE || (y_may_rest_at_zero && x == MOTION_AFFINE);
  return passes ? add_root(s, c) : THUD_OK;
}

static thud_error add_function_jumps(search *s, candidate c) {
  const thud_expr *expr = s->parts[c.part].expr;
  const expr_instruction *instruction = &expr->code[c.value];
  if (expr->code[instruction->operand[0]].reference != s->slot) return THUD_OK;
  const thud_regulated *function = &expr->functions[instruction->reference];
  thud_error error = THUD_OK;
  c.value = -1;
  for (size_t k = 0; error == THUD_OK && k < function->jump_count; k++) {
    c.time = function->jumps[k];
    if (c.time >= s->from && c.time <= s->to) error = add_candidate(s, &c);
  }
  return error;
}

/* The candidates of one operation. */
static thud_error collect_operation(search *s, candidate c) {
  const part *p = &s->parts[c.part];
  const expr_instruction *instruction = &p->expr->code[c.value];
  const expr_op_info *info = &thud_expr_ops[instruction->op];
  if (instruction->op == EXPR_FUNCTION) return add_function_jumps(s, c);
  if (info->smoothness != EXPR_JUMP) return THUD_OK;
  if (instruction->op == EXPR_ATAN2) return add_atan2(s, c);
  motion argument = (motion)p->motions[instruction->operand[0]];
  if (info->arity == 2) argument = motion_of_sum(argument, (motion)p->motions[instruction->operand[1]]);
  if (argument == MOTION_OTHER) return fail_not_affine(s, p, c.value);
  if (argument != MOTION_AFFINE) return THUD_OK;
  return instruction->op == EXPR_FLOOR ? add_floor_roots(s, c) : add_root(s, c);
}

static thud_error collect(search *s, size_t index) {
  part *p = &s->parts[index];
  p->values = THUD_NEW_ARRAY(s->context, expr_dual, p->expr->count);
  p->motions = THUD_NEW_ARRAY(s->context, uint8_t, p->expr->count);
  if (p->values == NULL || p->motions == NULL) return THUD_ERROR_MEMORY;
  pass(s, p, s->from);
  find_motions(s, p);
  thud_error error = THUD_OK;
  for (int32_t k = p->expr->leaf_count; error == THUD_OK && k < p->expr->count; k++)
    error = collect_operation(s, (candidate){.part = index, .value = k});
  return error;
}

static int compare_candidates(const void *a, const void *b) {
  const candidate *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  if (x->part != y->part) return x->part < y->part ? -1 : 1;
  if (x->value != y->value) return x->value < y->value ? -1 : 1;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Merges candidates first..next-1, all seen at *time, with candidate `next` if they cannot be distinguished:
 * *joined says whether; *time may move to the newcomer's. */
static thud_error try_to_join(search *s, size_t first, size_t next, double *time, bool *joined) {
  const candidate *newcomer = &s->candidates[next];
  *joined = true;
  if (is_seen_at(s, newcomer, *time)) return THUD_OK;
  size_t seen = 0;
  for (size_t k = first; k < next; k++) seen += is_seen_at(s, &s->candidates[k], newcomer->time);
  if (seen == next - first) {
    *time = newcomer->time;
    return THUD_OK;
  }
  *joined = false;
  if (seen == 0) return THUD_OK;
  return thud_fail(s->context, THUD_ERROR_UNSUPPORTED,
                   "[jump-times] jumps at %.17g and %.17g are too close to be distinguished; give both the same time",
                   *time, newcomer->time);
}

/* Sorted times without repeats; times: [s->count]. */
static thud_error merge(search *s, double *times, size_t *count) {
  if (s->count > 0) qsort(s->candidates, s->count, sizeof *s->candidates, compare_candidates);
  size_t merged = 0, first = 0;
  double widest = 0; /* tolerance in the group first..k-1 */
  for (size_t k = 0; k < s->count; k++) {
    const candidate *c = &s->candidates[k];
    bool joined = false;
    if (k > 0) {
      if (c->time - times[merged - 1] <= 2 * (c->tolerance + widest)) {
        thud_error error = try_to_join(s, first, k, &times[merged - 1], &joined);
        if (error != THUD_OK) return error;
      }
    }
    widest = joined ? fmax(widest, c->tolerance) : c->tolerance;
    if (joined) continue;
    first = k;
    times[merged++] = c->time;
  }
  *count = merged;
  return THUD_OK;
}

static thud_error search_run(search *s, size_t expr_count, const thud_expr *const *exprs, double **times,
                             size_t *count) {
  thud_context *context = s->context;
  s->parts = THUD_NEW_ARRAY(context, part, expr_count);
  if (s->parts == NULL) return THUD_ERROR_MEMORY;
  s->part_count = expr_count;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < expr_count; k++) s->parts[k].expr = exprs[k];
  for (size_t k = 0; error == THUD_OK && k < expr_count; k++) error = collect(s, k);
  if (error != THUD_OK) return error;
  double *found = THUD_NEW_ARRAY(context, double, s->count);
  if (found == NULL) return THUD_ERROR_MEMORY;
  size_t merged = 0;
  error = merge(s, found, &merged);
  if (error != THUD_OK) {
    thud_free(context, found);
    return error;
  }
  *times = found;
  *count = merged;
  return THUD_OK;
}

static void search_release(search *s) {
  for (size_t k = 0; k < s->part_count; k++) {
    thud_free(s->context, s->parts[k].values);
    thud_free(s->context, s->parts[k].motions);
  }
  thud_free(s->context, s->parts);
  thud_free(s->context, s->candidates);
}

thud_error thud_expr_common_jump_times(thud_context *context, size_t expr_count, const thud_expr *const *exprs,
                                       const double *variables, thud_index slot, double from, double to, double **times,
                                       size_t *count) {
  THUD_REQUIRE(context, context, expr_count == 0 || exprs, times, count);
  bool complete = (exprs != NULL || expr_count == 0) && variables != NULL && times != NULL && count != NULL;
  for (size_t k = 0; complete && k < expr_count; k++)
    complete = exprs[k] != NULL && slot >= 0 && slot < exprs[k]->variable_count;
  if (!complete)
    return thud_fail(
        context, THUD_ERROR_ARGUMENT,
        "[jump-times] jump times need expressions, their variables, the slot of time and places for the result");
  if (!isfinite(from) || !isfinite(to) || from > to)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[jump-times] jump times are asked for between %g and %g; give a finite interval", from, to);
  search s = {.context = context, .variables = variables, .slot = slot, .from = from, .to = to};
  thud_error error = search_run(&s, expr_count, exprs, times, count);
  search_release(&s);
  return error;
}

thud_error thud_expr_jump_times(thud_context *context, const thud_expr *expr, const double *variables, thud_index slot,
                                double from, double to, double **times, size_t *count) {
  THUD_REQUIRE(context, context, expr, times, count);
  return thud_expr_common_jump_times(context, 1, &expr, variables, slot, from, to, times, count);
}

void thud_expr_free_times(thud_context *context, double *times) {
  THUD_REQUIRE_OR(, context, times);
  thud_free(context, times);
}
