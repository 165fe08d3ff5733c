/* Enclosures of programs, against evaluation of the same tape in a wider format: every value of thousands of random
 * expressions along random polynomial paths lies where the three passes say, with no allowance for the doubles' rounding,
 * only for that of the wider format. */
#include "expr/bounds.h"
#include "random_expressions.h"
#include "testing.h"

#include <math.h>
#include <string.h>

typedef long double wide;

enum { DEGREE = 4, ORDER = 16, TRIES = 600, SAMPLES = 9 };

/* Of 64 bits and more: operations and functions are right to a few units in the last place. */
#define WIDE_ERROR ((wide)64 * LDBL_EPSILON)

static wide apply(expr_op op, wide a, wide b, wide c) {
  switch (op) {
  case EXPR_ADD: return a + b;
  case EXPR_SUBTRACT: return a - b;
  case EXPR_MULTIPLY: return a * b;
  case EXPR_DIVIDE: return a / b;
  case EXPR_POWER: return powl(a, b);
  case EXPR_NEGATE: return -a;
  case EXPR_LESS: return a < b;
  case EXPR_LESS_EQUAL: return a <= b;
  case EXPR_EQUAL: return a == b;
  case EXPR_NOT_EQUAL: return a != b;
  case EXPR_SIN: return sinl(a);
  case EXPR_COS: return cosl(a);
  case EXPR_TAN: return tanl(a);
  case EXPR_ASIN: return asinl(a);
  case EXPR_ACOS: return acosl(a);
  case EXPR_ATAN: return atanl(a);
  case EXPR_SINH: return sinhl(a);
  case EXPR_COSH: return coshl(a);
  case EXPR_TANH: return tanhl(a);
  case EXPR_EXP: return expl(a);
  case EXPR_LOG: return logl(a);
  case EXPR_SQRT: return sqrtl(a);
  case EXPR_ABS: return fabsl(a);
  case EXPR_SIGN: return a > 0 ? 1 : a < 0 ? -1 : 0;
  case EXPR_STEP: return a >= 0;
  case EXPR_FLOOR: return floorl(a);
  case EXPR_MIN: return a < b ? a : b;
  case EXPR_MAX: return a > b ? a : b;
  case EXPR_ATAN2: return atan2l(a, b);
  case EXPR_HYPOT: return hypotl(a, b);
  case EXPR_IF: return a != 0 ? b : c;
  default: return (wide)NAN;
  }
}

/* One random program and the paths of its variables. */
typedef struct subject {
  thud_expr_program *program;
  thud_expr_work *work; /* nothing is held */
  expr_bounds *bounds;
  double path[TEST_VARIABLES][DEGREE + 1];
  wide *values; /* [tape->count] */
} subject;

static void evaluate(subject *t, wide s) {
  const thud_expr *tape = t->program->tape;
  for (int32_t k = 0; k < tape->count; k++) {
    const expr_instruction *i = &tape->code[k];
    if (k < tape->constant_count) {
      t->values[k] = (wide)tape->constants[k];
    } else if (k < tape->leaf_count) {
      t->values[k] = 0;
      for (int j = DEGREE; j >= 0; j--) t->values[k] = t->values[k] * s + (wide)t->path[i->reference][j];
    } else {
      t->values[k] = apply((expr_op)i->op, t->values[i->source[0]], t->values[i->source[1]], t->values[i->source[2]]);
    }
  }
}

static expr_interval path_on(const double *path, double from, double to) {
  expr_interval s = {from, to}, sum = expr_interval_point(0);
  for (int k = DEGREE; k >= 0; k--)
    sum = expr_interval_add(thud_interval_multiply(sum, s), expr_interval_point(path[k]));
  return sum;
}

static void plain_on(subject *t, double from, double to) {
  expr_interval variables[TEST_VARIABLES];
  for (int v = 0; v < TEST_VARIABLES; v++) variables[v] = path_on(t->path[v], from, to);
  thud_bounds_plain(t->bounds, t->work, variables);
}

static void make(const thud_test_graph *g, thud_test_maker *maker, subject *t) {
  thud_test_piece piece;
  for (int v = 0; v < TEST_VARIABLES; v++) {
    maker->point[v] = thud_random_uniform(&maker->random, -2, 2);
    for (int k = 0; k <= DEGREE; k++) t->path[v][k] = thud_random_uniform(&maker->random, -1, 1);
    t->path[v][0] = maker->point[v];
  }
  thud_test_random_expression(maker, 4, &piece);
  thud_expr_value value = thud_test_add(g, piece.text);
  t->program = thud_test_program(g, 1, &value);
  t->work = thud_test_work(g, t->program, 0);
  assert_int_equal(thud_bounds_create(g->context, t->program, ORDER, &t->bounds), THUD_OK);
  t->values = THUD_NEW_ARRAY(g->context, wide, (size_t)t->program->tape->count);
  assert_non_null(t->values);
}

static void destroy(const thud_test_graph *g, subject *t) {
  thud_free(g->context, t->values);
  thud_bounds_destroy(t->bounds);
  thud_expr_work_destroy(t->work);
  thud_expr_program_destroy(t->program);
}

/* Sum over the switches of 2^k when argument k is positive: a path on which it changes has changed its branch. */
static double sides(const subject *t) {
  double sum = 0;
  for (thud_index k = 0; k < t->program->switch_count; k++)
    sum += t->values[t->program->switches[k].argument] > 0 ? exp2(k) : 0;
  return sum;
}

static bool contains(wide low, wide high, wide x, wide error) { return x >= low - error && x <= high + error; }

/* The constants are taken as the doubles they are: the intervals contain these. */
static void values_lie_in_their_intervals(void **state) {
  const thud_test_graph *g = *state;
  thud_test_maker maker = {.random = thud_random_seed(1301)};
  size_t looked = 0, narrow = 0;
  for (int n = 0; n < TRIES; n++) {
    subject t;
    make(g, &maker, &t);
    double from = thud_random_uniform(&maker.random, 0, 0.5),
           length = exp2(thud_random_uniform(&maker.random, -30, -1));
    plain_on(&t, from, from + length);
    for (int j = 0; j < SAMPLES; j++) {
      evaluate(&t, (wide)from + (wide)length * j / (SAMPLES - 1));
      for (int32_t k = 0; k < t.program->tape->count; k++) {
        expr_interval x = t.bounds->values[k];
        if (isnan(t.values[k])) continue;
        if (!contains(x.low, x.high, t.values[k], 0)) /* a wide value may be off by what enters it */
          assert_true(contains(x.low, x.high, t.values[k], WIDE_ERROR * (1 + fabsl(t.values[k]))));
        looked++;
        narrow += x.high - x.low <= 1e3 * length * (1 + fabs(x.high));
      }
    }
    destroy(g, &t);
  }
  thud_assert_less(10000, looked);
  thud_assert_less(0.8 * (double)looked, (double)narrow); /* they say something */
}

/* f(s) = sum_{k<=K} f_k s^k + tail on [0, h] for every value, with the tail of the disc of radius R. */
static void series_with_their_tails_enclose_the_values(void **state) {
  const thud_test_graph *g = *state;
  thud_test_maker maker = {.random = thud_random_seed(1302)};
  size_t looked = 0, tight = 0;
  for (int n = 0; n < TRIES; n++) {
    subject t;
    make(g, &maker, &t);
    const thud_expr *tape = t.program->tape;
    double middle[TEST_VARIABLES][ORDER + 1] = {{0}}, radius[TEST_VARIABLES][ORDER + 1] = {{0}}, disc[TEST_VARIABLES];
    double R = exp2(thud_random_uniform(&maker.random, -6, -1)), h = R / 4;
    for (int v = 0; v < TEST_VARIABLES; v++) {
      disc[v] = 0;
      for (int k = DEGREE; k >= 1; k--) {
        middle[v][k] = t.path[v][k];
        disc[v] = (disc[v] + fabs(t.path[v][k])) * R;
      }
      disc[v] = disc[v] * (1 + 1e-14);
    }
    plain_on(&t, 0, 0);
    thud_bounds_jet(t.bounds, t.work, ORDER, &middle[0][0], &radius[0][0], ORDER + 1);
    thud_bounds_disc(t.bounds, t.work, disc);
    evaluate(&t, 0);
    double branch = sides(&t);
    for (int j = 1; j < SAMPLES; j++) {
      double s = h * j / (SAMPLES - 1);
      evaluate(&t, s);
      if (sides(&t) != branch) break;
      for (int32_t k = 0; k < tape->count; k++) {
        const double *m = t.bounds->middle + (size_t)k * (ORDER + 1), *r = t.bounds->radius + (size_t)k * (ORDER + 1);
        wide sum = 0, bound = 0, part = (wide)s / R;
        for (int i = ORDER; i >= 0; i--) {
          sum = sum * s + (wide)m[i];
          bound = bound * s + (wide)r[i];
        }
        bound += (wide)t.bounds->disc[k] * powl(part, ORDER + 1) / (1 - part);
        if (!isfinite((double)bound) || isnan(t.values[k])) continue;
        wide off = fabsl(t.values[k] - sum), size = 1 + fabsl(t.values[k]);
        if (off > bound) thud_assert_less((double)(off - bound), (double)(WIDE_ERROR * size));
        looked++;
        tight += bound < 1e-9L * size;
      }
    }
    destroy(g, &t);
  }
  thud_assert_less(10000, looked);
  thud_assert_less(0.5 * (double)looked, (double)tight);
}

/* f(b) - f(a) = f'(X)(b - a): coefficient 1 taken anywhere on a piece. */
static void slopes_enclose_differences(void **state) {
  const thud_test_graph *g = *state;
  thud_test_maker maker = {.random = thud_random_seed(1303)};
  size_t looked = 0;
  for (int n = 0; n < TRIES; n++) {
    subject t;
    make(g, &maker, &t);
    size_t count = (size_t)t.program->tape->count;
    double from = thud_random_uniform(&maker.random, 0, 0.5),
           length = exp2(thud_random_uniform(&maker.random, -12, -2));
    double middle[TEST_VARIABLES][2], radius[TEST_VARIABLES][2];
    for (int v = 0; v < TEST_VARIABLES; v++) {
      double slope[DEGREE + 1] = {0};
      for (int k = 0; k < DEGREE; k++) slope[k] = (k + 1) * t.path[v][k + 1];
      expr_interval x = path_on(slope, from, from + length);
      middle[v][1] = expr_interval_middle(x);
      radius[v][1] = expr_interval_radius(x) + 1e-15;
    }
    plain_on(&t, from, from + length);
    thud_bounds_jet(t.bounds, t.work, 1, &middle[0][0], &radius[0][0], 2);
    wide *before = THUD_NEW_ARRAY(g->context, wide, count);
    assert_non_null(before);
    evaluate(&t, from);
    double branch = sides(&t);
    memcpy(before, t.values, count * sizeof *before);
    evaluate(&t, (wide)from + length);
    for (size_t k = 0; k < count && sides(&t) == branch; k++) {
      wide slope = (t.values[k] - before[k]) / length, m = (wide)t.bounds->middle[k * (ORDER + 1) + 1];
      wide r = (wide)t.bounds->radius[k * (ORDER + 1) + 1];
      if (!isfinite((double)r) || isnan(slope)) continue;
      wide allowed = WIDE_ERROR * (1 + fabsl(t.values[k])) / length;
      if (fabsl(slope - m) > r) thud_assert_less((double)(fabsl(slope - m) - r), (double)allowed);
      looked++;
    }
    thud_free(g->context, before);
    destroy(g, &t);
  }
  thud_assert_less(5000, looked);
}

/* What lies outside of a domain, or is not analytic there, has no bound; what is at its edge has none as a disc. */
static void outside_of_domains_nothing_is_known(void **state) {
  const thud_test_graph *g = *state;
  const struct {
    const char *text;
    double from, to;
    bool plain, disc;
  } cases[] = {
      {"sqrt(x)", -0.1, 1, false, false},    {"log(x)", 0, 1, false, false},      {"1/x", -1, 1, false, false},
      {"asin(x)", 0.5, 1.1, false, false},   {"tan(x)", 1, 2, false, false},      {"x^0.5", -1, 1, false, false},
      {"x^-2", -1, 1, false, false},         {"abs(x)", -1, 1, true, false},      {"sign(x)", -1, 1, true, false},
      {"min(x, 0)", -1, 1, true, false},     {"floor(x)", 0.5, 1.5, true, false}, {"hypot(x, 0)", -1, 1, true, false},
      {"exp(x)", -1, 1, true, true},         {"x^3", -1, 1, true, true},          {"tanh(x)", 20, 21, true, true},
      {"atan2(x, 0 - 1)", -1, 1, true, true}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    thud_expr_value value = thud_test_add(g, cases[c].text);
    thud_expr_program *program = thud_test_program(g, 1, &value);
    thud_expr_work *work = thud_test_work(g, program, 0);
    expr_bounds *bounds;
    assert_int_equal(thud_bounds_create(g->context, program, 2, &bounds), THUD_OK);
    const expr_interval variables[TEST_VARIABLES] = {{cases[c].from, cases[c].to}};
    const double disc[TEST_VARIABLES] = {0};
    thud_bounds_plain(bounds, work, variables);
    assert_int_equal(expr_interval_is_finite(bounds->values[bounds_output(bounds, 0)]), cases[c].plain);
    thud_bounds_disc(bounds, work, disc); /* the width of the interval is a disc already */
    assert_int_equal(isfinite(bounds->disc[bounds_output(bounds, 0)]),
                     cases[c].disc && strstr(cases[c].text, "atan2") == NULL);
    thud_bounds_destroy(bounds);
    thud_expr_work_destroy(work);
    thud_expr_program_destroy(program);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(values_lie_in_their_intervals, thud_test_graph_begin, thud_test_graph_end),
      cmocka_unit_test_setup_teardown(series_with_their_tails_enclose_the_values, thud_test_graph_begin,
                                      thud_test_graph_end),
      cmocka_unit_test_setup_teardown(slopes_enclose_differences, thud_test_graph_begin, thud_test_graph_end),
      cmocka_unit_test_setup_teardown(outside_of_domains_nothing_is_known, thud_test_graph_begin, thud_test_graph_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
