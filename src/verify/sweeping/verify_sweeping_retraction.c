/* The retraction that the summary of a sweeping process claims: from above by intervals of the rates of the set's numbers,
 * from below by the excess between neighbouring times. */
#include "verify/sweeping/verify_sweeping.h"

#include "expr/tape.h"
#include "verify/math/verify_interval.h"
#include "verify/verify_summary.h"

#include <math.h>
#include <string.h>

typedef verify_interval interval;

/* A value, its rate and its value in the middle of the time. */
typedef struct moving {
  interval x, rate;
  double middle;
} moving;

typedef struct tracer {
  const verify_scene *scene;
  moving *work;
  size_t room;
  interval *numbers, *by; /* [value_count] */
  double *before, *after; /* [value_count] */
  long left;              /* pieces that may still be made */
  double speed;           /* mean one, by samples */
} tracer;

/* A piece is cut while that gains more than this part. Agreement that is asked for of two enclosures. */
static const double GAIN = 0.005, AGREEMENT = 1.05, ROUNDING = 1e-13;
enum { DEPTH = 45, PER_STEP = 16, AT_LEAST = 4096, SAMPLES = 4 };

/* ---- rates of expressions ------------------------------------------------------------------------------------------------ */

static interval times(interval a, interval b) {
  bool zero = (a.low == 0 && a.high == 0) || (b.low == 0 && b.high == 0);
  return zero ? verify_point(0) : thud_verify_interval_multiply(a, b);
}

static interval plus(interval a, interval b) { return thud_verify_interval_add(a, b); }

/* 1/y, y >= 0 but for rounding */
static interval inverse(interval y) {
  if (y.low > 0) return thud_verify_interval_divide(verify_point(1), y);
  return isfinite(y.low) && y.high > 0 ? (interval){1 / y.high * (1 - VERIFY_ULP), INFINITY} : verify_everything();
}

static interval squares(interval a, interval b) {
  return plus(thud_verify_interval_square(a), thud_verify_interval_square(b));
}

static interval slope_of_power(const moving *a, const moving *b, interval y) {
  double p = b->x.low;
  if (verify_is_point(b->x)) {
    if (p == floor(p)) return times(verify_point(p), times(thud_verify_interval_whole_power(a->x, p - 1), a->rate));
    interval rest = p < 1 ? inverse(thud_verify_interval_power(a->x, verify_point(1 - p)))
                          : thud_verify_interval_power(a->x, verify_point(p - 1));
    return times(verify_point(p), times(rest, a->rate));
  }
  if (!(a->x.low > 0)) return verify_everything();
  return times(
      y, plus(times(b->rate, thud_verify_interval_log(a->x)), times(b->x, thud_verify_interval_divide(a->rate, a->x))));
}

static moving made(interval x, interval rate) { return (moving){x, rate, NAN}; }

/* d/dt sqrt(1 - x^2) appears in asin and acos. */
static interval root_of_rest(interval x) {
  interval rest = thud_verify_interval_subtract(verify_point(1), thud_verify_interval_square(x));
  rest.low = verify_most(rest.low, 0);
  return thud_verify_interval_sqrt(rest);
}

static moving of_one(expr_op op, const moving *a) {
  interval x = a->x, d = a->rate, y;
  switch (op) {
  case EXPR_NEGATE: return made(verify_negative(x), verify_negative(d));
  case EXPR_SIN: return made(thud_verify_interval_sin(x), times(thud_verify_interval_cos(x), d));
  case EXPR_COS: return made(thud_verify_interval_cos(x), verify_negative(times(thud_verify_interval_sin(x), d)));
  case EXPR_TAN: y = thud_verify_interval_tan(x); return made(y, times(squares(verify_point(1), y), d));
  case EXPR_ASIN: return made(thud_verify_interval_asin(x), times(inverse(root_of_rest(x)), d));
  case EXPR_ACOS: return made(thud_verify_interval_acos(x), verify_negative(times(inverse(root_of_rest(x)), d)));
  case EXPR_ATAN:
    return made(thud_verify_interval_atan(x), thud_verify_interval_divide(d, squares(verify_point(1), x)));
  case EXPR_SINH: return made(thud_verify_interval_sinh(x), times(thud_verify_interval_cosh(x), d));
  case EXPR_COSH: return made(thud_verify_interval_cosh(x), times(thud_verify_interval_sinh(x), d));
  case EXPR_TANH: return made(thud_verify_interval_tanh(x), times(thud_verify_interval_tanh_slope(x), d));
  case EXPR_EXP: y = thud_verify_interval_exp(x); return made(y, times(y, d));
  case EXPR_LOG: return made(thud_verify_interval_log(x), times(x.low > 0 ? inverse(x) : verify_everything(), d));
  case EXPR_SQRT: y = thud_verify_interval_sqrt(x); return made(y, times(verify_point(0.5), times(inverse(y), d)));
  case EXPR_ABS:
    if (x.low >= 0) return *a;
    if (x.high <= 0) return made(verify_negative(x), verify_negative(d));
    return made(thud_verify_interval_abs(x), verify_hull(d, verify_negative(d)));
  default: return made(verify_everything(), verify_everything());
  }
}

static moving least_or_most(bool least, const moving *a, const moving *b) {
  if (a->x.high < b->x.low) return least ? *a : *b;
  if (a->x.low > b->x.high) return least ? *b : *a;
  interval hull = {least ? verify_least(a->x.low, b->x.low) : verify_most(a->x.low, b->x.low),
                   least ? verify_least(a->x.high, b->x.high) : verify_most(a->x.high, b->x.high)};
  return made(hull, verify_hull(a->rate, b->rate));
}

static moving of_two(const expr_instruction *i, const moving *a, const moving *b) {
  bool same = i->operand[0] == i->operand[1];
  interval y;
  switch ((expr_op)i->op) {
  case EXPR_ADD: return made(plus(a->x, b->x), plus(a->rate, b->rate));
  case EXPR_SUBTRACT:
    if (same) return made(verify_point(0), verify_point(0));
    return made(thud_verify_interval_subtract(a->x, b->x), thud_verify_interval_subtract(a->rate, b->rate));
  case EXPR_MULTIPLY:
    y = same ? thud_verify_interval_square(a->x) : times(a->x, b->x);
    return made(y,
                same ? times(verify_point(2), times(a->x, a->rate)) : plus(times(a->x, b->rate), times(b->x, a->rate)));
  case EXPR_DIVIDE:
    y = thud_verify_interval_divide(a->x, b->x);
    return made(y, thud_verify_interval_divide(thud_verify_interval_subtract(a->rate, times(y, b->rate)), b->x));
  case EXPR_POWER:
    y = verify_is_point(b->x) && b->x.low == floor(b->x.low) ? thud_verify_interval_whole_power(a->x, b->x.low)
                                                             : thud_verify_interval_power(a->x, b->x);
    return made(y, slope_of_power(a, b, y));
  case EXPR_MIN:
  case EXPR_MAX: return least_or_most(i->op == EXPR_MIN, a, b);
  case EXPR_HYPOT: {
    interval inner = plus(times(a->x, a->rate), times(b->x, b->rate));
    y = thud_verify_interval_sqrt(squares(a->x, b->x));
    double speed = thud_verify_interval_sqrt(squares(a->rate, b->rate)).high;
    return made(y, y.low > 0 ? thud_verify_interval_divide(inner, y) : verify_between(-speed, speed));
  }
  case EXPR_ATAN2: {
    interval turn = thud_verify_interval_subtract(times(b->x, a->rate), times(a->x, b->rate));
    return made(verify_between(-3.15, 3.15), thud_verify_interval_divide(turn, squares(a->x, b->x)));
  }
  default: return made(verify_everything(), verify_everything());
  }
}

static moving trace(const verify_scene *scene, const thud_expr *expr, const moving *t, moving *work, size_t room);

/* The piece of data that holds throughout. */
static moving of_data(const verify_data *data, const moving *t, moving *work, size_t room) {
  const moving unknown = {verify_everything(), verify_everything(), NAN};
  size_t piece = 0;
  while (piece < data->break_count && data->breaks[piece] <= t->middle) piece++;
  bool inside = (piece == 0 || t->x.low >= data->breaks[piece - 1]) &&
                (piece == data->break_count || t->x.high <= data->breaks[piece]);
  if (!inside) return unknown;
  const verify_value *value = &data->pieces[piece];
  if (value->expr != NULL) return trace(data->scene, value->expr, t, work, room);
  return (moving){verify_point(value->constant), verify_point(0), value->constant};
}

/* Decisions are those in the middle: time is cut where they change. */
static double decided(const expr_instruction *i, double a, double b) {
  switch ((expr_op)i->op) {
  case EXPR_LESS: return a < b;
  case EXPR_LESS_EQUAL: return a <= b;
  case EXPR_EQUAL: return a == b;
  case EXPR_NOT_EQUAL: return a != b;
  case EXPR_SIGN: return (a > 0) - (a < 0);
  case EXPR_STEP: return a >= 0;
  default: return floor(a);
  }
}

static moving operate(const thud_expr *expr, const expr_instruction *i, const moving *work, moving *free_work,
                      size_t room) {
  const moving *a = &work[i->operand[0]];
  bool two = i->operand[1] >= 0;
  const moving *b = two ? &work[i->operand[1]] : a;
  if (i->op == EXPR_FUNCTION) return of_data(expr->functions[i->reference].user, a, free_work, room);
  if (i->op == EXPR_IF) return a->middle != 0 ? *b : work[i->operand[2]];
  bool compares = i->op == EXPR_LESS || i->op == EXPR_LESS_EQUAL || i->op == EXPR_EQUAL || i->op == EXPR_NOT_EQUAL;
  bool decides = compares || i->op == EXPR_SIGN || i->op == EXPR_STEP || i->op == EXPR_FLOOR;
  if (decides) {
    double value = decided(i, a->middle, b->middle);
    return (moving){verify_point(value), verify_point(0), value};
  }
  return two ? of_two(i, a, b) : of_one((expr_op)i->op, a);
}

static moving trace(const verify_scene *scene, const thud_expr *expr, const moving *t, moving *work, size_t room) {
  const moving unknown = {verify_everything(), verify_everything(), NAN};
  size_t count = (size_t)expr->count;
  if (room < count) return unknown;
  for (size_t k = 0; k < count; k++) {
    const expr_instruction *i = &expr->code[k];
    if (i->op == EXPR_CONSTANT) {
      double x = expr->constants[i->reference], error = 2 * expr->constant_errors[i->reference] * 0x1p-53;
      work[k] = (moving){error == 0 ? verify_point(x) : verify_around(x, error), verify_point(0), x};
    } else if (i->op == EXPR_VARIABLE)
      work[k] = i->reference == scene->time_slot ? *t : unknown;
    else {
      work[k] = operate(expr, i, work, work + count, room - count);
      if (!isnan(work[k].middle)) continue;
      work[k].middle = verify_is_bounded(work[k].x) ? verify_centre(work[k].x) : NAN; /* only decisions need it */
    }
  }
  return work[expr->result];
}

/* ---- excess of sets ------------------------------------------------------------------------------------------------------- */

static bool still(size_t count, const interval *by) {
  for (size_t k = 0; k < count; k++)
    if (by[k].low != 0 || by[k].high != 0) return false;
  return true;
}

static double size_of(size_t n, const interval *v) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += verify_magnitude(v[i]) * verify_magnitude(v[i]);
  return n == 1 ? verify_magnitude(v[0]) : sqrt(sum) * (1 + 4 * (double)n * VERIFY_ULP);
}

/* |v|_M from above. */
static double length_of(const tracer *r, bool in_metric, size_t n, const interval *v) {
  const verify_scene *scene = r->scene;
  double sum = 0, radius = 0;
  if (!in_metric || scene->metric == NULL) return size_of(n, v);
  for (size_t i = 0; i < n; i++) {
    double rows = 0, m = verify_centre(v[i]);
    if (!verify_is_bounded(v[i])) return INFINITY;
    radius += thud_verify_interval_radius(v[i]) * thud_verify_interval_radius(v[i]);
    for (size_t j = 0; j < n; j++) {
      double entry = scene->metric_full ? scene->metric[i * n + j] : i == j ? scene->metric[i] : 0;
      rows += entry * verify_centre(v[j]);
    }
    sum += m * rows;
  }
  double high = sqrt(scene->metric_high), spread = scene->metric_high / scene->metric_low;
  return (sqrt(verify_most(sum, 0)) + high * sqrt(radius)) * (1 + 16 * (double)n * spread * VERIFY_ULP);
}

/* sup |x| over the set. */
static double extent_of(const tracer *r, const verify_set *set) {
  const interval *v = r->numbers + set->first;
  size_t n = set->n;
  double sum = 0;
  switch (set->kind) {
  case VERIFY_BALL: return size_of(n, v) + verify_most(v[n].high, 0);
  case VERIFY_SEGMENT: return verify_most(size_of(n, v), size_of(n, v + n));
  case VERIFY_BOX:
    for (size_t i = 0; i < n; i++) {
      double corner = verify_most(verify_magnitude(v[i]), verify_magnitude(v[n + i]));
      sum += corner * corner;
    }
    return sqrt(sum);
  case VERIFY_TRANSLATION: return size_of(n, v) + extent_of(r, &set->operands[0]);
  case VERIFY_SCALING: return verify_magnitude(v[0]) * extent_of(r, &set->operands[0]);
  case VERIFY_IMAGE: return size_of(set->rows * set->operands[0].n, v) * extent_of(r, &set->operands[0]);
  case VERIFY_PRODUCT:
    for (size_t k = 0; k < set->operand_count; k++) sum += pow(extent_of(r, &set->operands[k]), 2);
    return sqrt(sum);
  case VERIFY_SUM:
    for (size_t k = 0; k < set->operand_count; k++) sum += extent_of(r, &set->operands[k]);
    return sum;
  case VERIFY_INTERSECTION:
    sum = INFINITY;
    for (size_t k = 0; k < set->operand_count; k++) sum = verify_least(sum, extent_of(r, &set->operands[k]));
    return sum;
  default: return INFINITY;
  }
}

static double with_nothing(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

static double box_excess(const tracer *r, bool in_metric, size_t n, const interval *by) {
  const verify_scene *scene = r->scene;
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    double e = verify_most(0, verify_most(by[i].high, -by[n + i].low));
    double m = !in_metric || scene->metric == NULL ? 1 : scene->metric_full ? scene->metric_high : scene->metric[i];
    sum += m * e * e;
  }
  return sqrt(sum) * (1 + 4 * (double)n * VERIFY_ULP);
}

/* How many numbers a set has, those of its operands included: up to where the next one begins. */
static double excess_of(const tracer *r, const verify_set *set, size_t end, bool in_metric) {
  const verify_scene *scene = r->scene;
  const interval *by = r->by + set->first, *v = r->numbers + set->first;
  size_t n = set->n;
  bool stretched = in_metric && scene->metric != NULL;
  double high = stretched ? sqrt(scene->metric_high) : 1, low = stretched ? sqrt(scene->metric_low) : 1, sum = 0;
  if (still(end - set->first, by)) return 0;
  const verify_set *operand = set->operand_count > 0 ? &set->operands[0] : NULL;
  switch (set->kind) {
  case VERIFY_BALL: {
    double grown = by[n].low * (by[n].low > 0 ? low : high);
    return verify_most(0, length_of(r, in_metric, n, by) - grown);
  }
  case VERIFY_BOX: return box_excess(r, in_metric, n, by);
  case VERIFY_HALF_SPACE: {
    double normal = 0;
    if (!still(n, by)) return INFINITY;
    for (size_t i = 0; i < n; i++) normal += pow(verify_least(fabs(v[i].low), fabs(v[i].high)), 2);
    return verify_most(0, -by[n].low) * high / sqrt(normal);
  }
  case VERIFY_SEGMENT: return verify_most(length_of(r, in_metric, n, by), length_of(r, in_metric, n, by + n));
  case VERIFY_ELLIPSOID: return still(end - set->first - n, by + n) ? length_of(r, in_metric, n, by) : NAN;
  case VERIFY_HALF_LINE: return still(n, by + n) ? length_of(r, in_metric, n, by) : INFINITY;
  case VERIFY_TRANSLATION: return length_of(r, in_metric, n, by) + excess_of(r, operand, end, in_metric);
  case VERIFY_SCALING:
    sum = verify_magnitude(by[0]);
    return with_nothing(sum, sum > 0 ? extent_of(r, operand) * high : 0) +
           with_nothing(verify_magnitude(v[0]), excess_of(r, operand, end, in_metric));
  case VERIFY_IMAGE: {
    size_t entries = set->rows * operand->n;
    double turned = size_of(entries, by);
    return high * (with_nothing(turned, turned > 0 ? extent_of(r, operand) : 0) +
                   with_nothing(size_of(entries, v), excess_of(r, operand, end, false)));
  }
  case VERIFY_SUM:
  case VERIFY_PRODUCT: {
    bool product = set->kind == VERIFY_PRODUCT;
    for (size_t k = 0; k < set->operand_count; k++) {
      size_t next = k + 1 < set->operand_count ? set->operands[k + 1].first : end;
      double e = excess_of(r, &set->operands[k], next, in_metric && !product);
      sum += product ? e * e : e;
    }
    return product ? sqrt(sum) * high : sum;
  }
  case VERIFY_COULOMB_CONE:
  case VERIFY_COULOMB_DUAL_CONE:
  case VERIFY_GRADIENTS:
  case VERIFY_GENERATORS: return INFINITY;
  case VERIFY_POLYHEDRON:
    return set->equalities == set->rows && !still(set->rows * n, by) ? (double)INFINITY : (double)NAN;
  default: return NAN;
  }
}

/* ---- from above ------------------------------------------------------------------------------------------------------------ */

static void place(tracer *r, double from, double to) {
  const moving t = {.x = {from, to}, .rate = {1, 1}, .middle = from / 2 + to / 2};
  for (size_t k = 0; k < r->scene->value_count; k++) {
    const verify_value *value = &r->scene->values[k];
    moving found = {verify_point(value->constant), verify_point(0), 0};
    if (isinf(value->constant)) found.x = (interval){value->constant, value->constant};
    if (value->expr != NULL) found = trace(r->scene, value->expr, &t, r->work, r->room);
    r->numbers[k] = found.x;
    r->by[k] = found.rate;
  }
}

static double measure(tracer *r, double from, double to) {
  const interval time = {(to - from) * (1 - VERIFY_ULP), (to - from) * (1 + VERIFY_ULP)};
  place(r, from, to);
  for (size_t k = 0; k < r->scene->value_count; k++) r->by[k] = times(r->by[k], time);
  r->left--;
  return excess_of(r, &r->scene->set, r->scene->value_count, true);
}

/* The numbers' differences between two sides of times into r->by. */
static bool differ(tracer *r, double from, thud_side side, double to, thud_side to_side) {
  if (!thud_verify_scene_place(r->scene, from, side, r->before) ||
      !thud_verify_scene_place(r->scene, to, to_side, r->after))
    return false;
  for (size_t k = 0; k < r->scene->value_count; k++) {
    double a = r->before[k], b = r->after[k];
    r->numbers[k] = isfinite(a) ? verify_around(a, ROUNDING * fabs(a)) : (interval){a, a};
    r->by[k] = a == b ? verify_point(0) : verify_around(b - a, ROUNDING * verify_most(fabs(a), fabs(b)));
  }
  return true;
}

/* Where rates have no bound: numbers that only rise or only fall vary by the difference of their ends. */
static double measure_ends(tracer *r, double from, double to) {
  size_t count = r->scene->value_count;
  const interval time = {(to - from) * (1 - VERIFY_ULP), (to - from) * (1 + VERIFY_ULP)};
  double sum = 0;
  for (size_t k = 0; k < count; k++) {
    if (!differ(r, from, THUD_SIDE_RIGHT, to, THUD_SIDE_LEFT)) return INFINITY;
    interval change = r->by[k];
    place(r, from, to);
    interval rate = r->by[k];
    bool one_way = rate.low >= 0 || rate.high <= 0;
    for (size_t j = 0; j < count; j++) r->by[j] = verify_point(0);
    r->by[k] = verify_is_bounded(rate) || !one_way ? times(rate, time) : verify_hull(verify_point(0), change);
    sum += excess_of(r, &r->scene->set, count, true);
  }
  return sum;
}

static double total(tracer *r, double from, double to, double whole, int depth) {
  double middle = from / 2 + to / 2;
  if (isnan(whole) || whole == 0) return whole;
  if (depth == 0 || r->left <= 0 || !(middle > from && middle < to))
    return isfinite(whole) ? whole : measure_ends(r, from, to);
  double left = measure(r, from, middle), right = measure(r, middle, to);
  double matters = verify_most(whole, r->speed * (to - from));
  if (isfinite(whole) && whole - left - right <= GAIN * matters) return left + right;
  return total(r, from, middle, left, depth - 1) + total(r, middle, to, right, depth - 1);
}

/* ---- from below ------------------------------------------------------------------------------------------------------------- */

/* Distance of p to the segment from a to b, Euclidean. */
static double to_segment(size_t n, const double *p, const double *a, const double *b) {
  double along = 0, square = 0, sum = 0;
  for (size_t i = 0; i < n; i++) {
    along += (p[i] - a[i]) * (b[i] - a[i]);
    square += (b[i] - a[i]) * (b[i] - a[i]);
  }
  double s = square > 0 ? verify_least(1, verify_most(0, along / square)) : 0;
  for (size_t i = 0; i < n; i++) sum += pow(p[i] - a[i] - s * (b[i] - a[i]), 2);
  return sqrt(sum);
}

/* Of sets whose excess has a formula, at r->before over r->after, Euclidean; of others 0. */
static double exact_excess(const tracer *r, const verify_set *set) {
  const double *a = r->before + set->first, *b = r->after + set->first;
  size_t n = set->n;
  double sum = 0;
  switch (set->kind) {
  case VERIFY_BALL:
    for (size_t i = 0; i < n; i++) sum += pow(b[i] - a[i], 2);
    return verify_most(0, sqrt(sum) + a[n] - b[n]);
  case VERIFY_BOX:
    for (size_t i = 0; i < n; i++) {
      double below = a[i] == b[i] ? 0 : b[i] - a[i], over = a[n + i] == b[n + i] ? 0 : a[n + i] - b[n + i];
      sum += pow(verify_most(0, verify_most(below, over)), 2);
    }
    return sqrt(sum);
  case VERIFY_SEGMENT: return verify_most(to_segment(n, a, b, b + n), to_segment(n, a + n, b, b + n));
  default: return 0;
  }
}

/* Inside the interval between two nodes of the partition, and over all of it. */
static double from_below(tracer *r, double from, double to) {
  double sum = 0;
  for (int k = 0; k < SAMPLES; k++) {
    double a = from + (to - from) * k / SAMPLES, b = k + 1 < SAMPLES ? from + (to - from) * (k + 1) / SAMPLES : to;
    if (differ(r, a, THUD_SIDE_RIGHT, b, THUD_SIDE_LEFT)) sum += exact_excess(r, &r->scene->set);
  }
  return sum * sqrt(r->scene->metric != NULL ? r->scene->metric_low : 1);
}

/* ---- all of it --------------------------------------------------------------------------------------------------------------- */

static size_t longest(const verify_scene *scene) {
  size_t most = 0, more = 0;
  for (size_t k = 0; k < scene->value_count; k++)
    if (scene->values[k].expr != NULL && (size_t)scene->values[k].expr->count > most)
      most = (size_t)scene->values[k].expr->count;
  for (size_t k = 0; k < scene->data_count; k++)
    for (size_t j = 0; j <= scene->data[k].break_count; j++)
      if (scene->data[k].pieces[j].expr != NULL) more += (size_t)scene->data[k].pieces[j].expr->count;
  return most + more;
}

static void add_interval(tracer *r, double from, double to, verify_retraction *found) {
  if (!(to > from)) return;
  double high = total(r, from, to, measure(r, from, to), DEPTH), low = from_below(r, from, to);
  found->high += high;
  found->low += low;
  found->mesh = high > found->mesh || isnan(high) ? high : found->mesh;
  found->mesh_low = verify_most(found->mesh_low, low);
}

static void add_jump(tracer *r, double t, verify_retraction *found) {
  const thud_side sides[] = {THUD_SIDE_LEFT, THUD_SIDE_VALUE, THUD_SIDE_RIGHT};
  const verify_scene *scene = r->scene;
  for (int k = 0; k < 2; k++) {
    if ((k == 0 && !(t > scene->start)) || (k == 1 && !(t < scene->end))) continue;
    if (!differ(r, t, sides[k], t, sides[k + 1])) continue;
    found->high += excess_of(r, &scene->set, scene->value_count, true);
    found->low += exact_excess(r, &scene->set) * sqrt(scene->metric != NULL ? scene->metric_low : 1);
  }
}

/* Mean speed by the excess between 32 times: what hardly matters is not cut. */
static double mean_speed(tracer *r) {
  const verify_scene *scene = r->scene;
  double span = scene->end - scene->start, sum = 0;
  for (int k = 0; k < 32; k++) {
    double a = scene->start + span * k / 32, b = scene->start + span * (k + 1) / 32;
    double way =
        differ(r, a, THUD_SIDE_RIGHT, b, THUD_SIDE_LEFT) ? excess_of(r, &scene->set, scene->value_count, true) : 0;
    sum += isfinite(way) ? way : 0;
  }
  return sum / span;
}

/* The nodes of the partition are start + k (end - start)/steps and the jumps. */
static void walk(tracer *r, verify_retraction *found) {
  const verify_scene *scene = r->scene;
  double before = scene->start;
  size_t next = 0;
  r->speed = mean_speed(r);
  for (double k = 1; k <= scene->steps; k++) {
    double node = k < scene->steps ? scene->start + (scene->end - scene->start) * (k / scene->steps) : scene->end;
    for (; next < scene->jump_count && scene->jumps[next] < node; before = verify_most(before, scene->jumps[next++]))
      add_interval(r, before, scene->jumps[next], found);
    add_interval(r, before, node, found);
    before = node;
  }
  for (size_t k = 0; k < scene->jump_count; k++) add_jump(r, scene->jumps[k], found);
}

static thud_error retract(const verify_scene *scene, verify_retraction *found) {
  size_t count = scene->value_count;
  tracer r = {.scene = scene, .room = longest(scene), .left = AT_LEAST + PER_STEP * (long)scene->steps};
  *found = (verify_retraction){0};
  r.work = THUD_NEW_ARRAY(scene->context, moving, r.room + 1);
  r.numbers = THUD_NEW_ARRAY(scene->context, interval, count + 1);
  r.by = THUD_NEW_ARRAY(scene->context, interval, count + 1);
  r.before = THUD_NEW_ARRAY(scene->context, double, count + 1);
  r.after = THUD_NEW_ARRAY(scene->context, double, count + 1);
  bool room = r.work != NULL && r.numbers != NULL && r.by != NULL && r.before != NULL && r.after != NULL;
  if (room) walk(&r, found);
  thud_free(scene->context, r.work);
  thud_free(scene->context, r.numbers);
  thud_free(scene->context, r.by);
  thud_free(scene->context, r.before);
  thud_free(scene->context, r.after);
  return room ? THUD_OK : THUD_ERROR_MEMORY;
}

/* ---- what the summary says ----------------------------------------------------------------------------------------------------- */

/* A bound must not be less than what the sets do between times, and not much more than the enclosure of the checker. */
static void compare(const char *key, double claimed, double low, double high, thud_verify_check *check) {
  if (!(claimed >= low * (1 - 1e-9)))
    thud_verify_fail(check, NAN, SIZE_MAX, "'%s' is %.6g, but the set retracts by %.6g at least", key, claimed, low);
  else if (isfinite(high) && claimed > AGREEMENT * high + 1e-300)
    thud_verify_fail(check, NAN, SIZE_MAX, "'%s' is %.6g, but the set retracts by %.6g at most", key, claimed, high);
}

static void compare_enclosure(const verify_motion *m, const thud_node *map, const verify_retraction *own,
                              thud_verify_check *check) {
  double claimed = NAN, mesh = NAN, low = NAN, bound = NAN;
  if (!thud_verify_note_find(map, "retraction", &claimed) || !thud_verify_note_find(map, "mesh_retraction", &mesh) ||
      !thud_verify_note_find(map, "retraction_low", &low) || !thud_verify_note_find(map, "error_bound", &bound)) {
    thud_verify_fail(check, NAN, SIZE_MAX, "an enclosed retraction without its figures");
    return;
  }
  size_t last = m->count - 1, first = 0;
  while (first + 1 < m->count && m->t[first + 1] == m->t[0] && m->side[first + 1] <= 0) first++;
  double moved = m->variation[last] - m->variation[first];
  compare("retraction", claimed, verify_most(own->low, moved), own->high, check);
  compare("mesh_retraction", mesh, own->mesh_low, own->mesh, check);
  if (!(low <= claimed) || low > own->high * (1 + 1e-9))
    thud_verify_fail(check, NAN, SIZE_MAX, "'retraction_low' is %.6g, more than the set retracts", low);
  double expected = 2 * sqrt(mesh * claimed);
  if (!(fabs(bound - expected) <= 1e-12 * expected))
    thud_verify_fail(check, NAN, SIZE_MAX, "'error_bound' is %.6g, not 2 sqrt(mu ret) = %.6g", bound, expected);
}

static void compare_claim(const verify_motion *m, const thud_node *map, const verify_retraction *own,
                          thud_verify_check *check) {
  const thud_node *by = thud_node_find(map, "retraction_by");
  const char *source = by != NULL && thud_node_get_kind(by) == THUD_NODE_STRING ? thud_node_string(by) : "";
  double bound;
  if (strcmp(source, "enclosure") == 0) {
    compare_enclosure(m, map, own, check);
    return;
  }
  if (strcmp(source, "samples") != 0 && strcmp(source, "none") != 0)
    thud_verify_fail(check, NAN, SIZE_MAX, "'retraction_by' is neither enclosure nor samples nor none");
  if (thud_verify_note_find(map, "error_bound", &bound))
    thud_verify_fail(check, NAN, SIZE_MAX, "an error bound without an enclosed retraction");
  if (check->status == THUD_VERIFY_PASSED) thud_verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "no bound is claimed");
}

thud_error thud_verify_check_retraction(const verify_motion *m, thud_record_reader *reader, thud_verify_check *check) {
  thud_verify_check ignored = {.status = THUD_VERIFY_PASSED};
  thud_tree *tree = NULL;
  verify_retraction own;
  thud_error error = thud_verify_summary_open(m->context, reader, &ignored, &tree);
  const thud_node *map = tree != NULL ? thud_tree_root(tree) : NULL;
  if (error == THUD_OK && (map == NULL || m->scene->regularised || thud_node_find(map, "retraction_by") == NULL))
    thud_verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "no retraction in the summary");
  else if (error == THUD_OK) {
    error = retract(m->scene, &own);
    if (error == THUD_OK) compare_claim(m, map, &own, check);
  }
  thud_tree_destroy(tree);
  return error;
}
