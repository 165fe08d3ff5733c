/* Proofs of the checker: enclosures hold, and a record that missed what happens between two events is rejected. */
#include "event_rows.h"
#include "failing_allocator.h"
#include "random_expressions.h"
#include "scratch_folder.h"
#include "testing.h"
#include "verify/event/verify_event.h"
#include "verifying.h"

#include <stdio.h>
#include <string.h>

enum { OPEN = 0, LASTING = 1, NOTHING = -1, KINETIC = 0, WIDTHS = 10, SCENE_TEXT = 1024 };

/* ---- intervals ----------------------------------------------------------------------------------------------------
 */

typedef struct known_function {
  verify_interval (*enclose)(verify_interval);
  long double (*exact)(long double);
  double low, high; /* where it is asked */
} known_function;

static long double square(long double x) { return x * x; }
static long double tanh_slope(long double x) { return 1 / (coshl(x) * coshl(x)); }
static long double cube(long double x) { return x * x * x; }
static long double inverse_square(long double x) { return 1 / (x * x); }
static long double power_of_two_thirds(long double x) { return powl(x, 0.666015625L); }
static verify_interval enclose_cube(verify_interval x) { return thud_verify_interval_whole_power(x, 3); }
static verify_interval enclose_inverse(verify_interval x) { return thud_verify_interval_whole_power(x, -2); }
static verify_interval enclose_power(verify_interval x) {
  return thud_verify_interval_power(x, verify_point(0.666015625));
}

static const known_function functions[] = {{thud_verify_interval_square, square, -3, 3},
                                           {thud_verify_interval_sqrt, sqrtl, 0, 9},
                                           {thud_verify_interval_abs, fabsl, -3, 3},
                                           {thud_verify_interval_exp, expl, -30, 30},
                                           {thud_verify_interval_log, logl, 1e-9, 50},
                                           {thud_verify_interval_sin, sinl, -20, 20},
                                           {thud_verify_interval_cos, cosl, -20, 20},
                                           {thud_verify_interval_tan, tanl, -1.5, 1.5},
                                           {thud_verify_interval_asin, asinl, -1, 1},
                                           {thud_verify_interval_acos, acosl, -1, 1},
                                           {thud_verify_interval_atan, atanl, -40, 40},
                                           {thud_verify_interval_sinh, sinhl, -20, 20},
                                           {thud_verify_interval_cosh, coshl, -20, 20},
                                           {thud_verify_interval_tanh, tanhl, -25, 25},
                                           {thud_verify_interval_tanh_slope, tanh_slope, -25, 25},
                                           {thud_verify_interval_tanh_slope, tanh_slope, -2000, 2000},
                                           {enclose_cube, cube, -4, 4},
                                           {enclose_inverse, inverse_square, 0.01, 4},
                                           {enclose_power, power_of_two_thirds, 0, 9}};

static void assert_contains(verify_interval y, long double value, size_t which, double x) {
  if (!((long double)y.low <= value && value <= (long double)y.high))
    fail_msg("function %zu at %.17g: %.20Lg is not in [%.20g, %.20g]", which, x, value, y.low, y.high);
}

/* Points that are 0 to 1 apart, of every size down to 1e-15, against 64 bits of mantissa. */
static void functions_lie_in_their_intervals(void **state) {
  (void)state;
  thud_random random = thud_random_seed(7);
  for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
    const known_function *f = &functions[k];
    for (int trial = 0; trial < 3000; trial++) {
      double a = thud_random_uniform(&random, f->low, f->high), width = pow(10, thud_random_uniform(&random, -15, 0.5));
      double b = fmin(a + width, f->high), x = thud_random_uniform(&random, a, b);
      verify_interval y = f->enclose((verify_interval){a, b}), point = f->enclose(verify_point(x));
      assert_contains(y, f->exact((long double)x), k, x);
      assert_contains(y, f->exact((long double)a), k, a);
      assert_contains(y, f->exact((long double)b), k, b);
      assert_contains(point, f->exact((long double)x), k, x);
      thud_assert_at_most(point.high - point.low, 1e-13 * verify_magnitude(point) + 2 * VERIFY_TINY);
    }
  }
}

static void arithmetic_lies_in_its_intervals(void **state) {
  (void)state;
  thud_random random = thud_random_seed(8);
  for (int trial = 0; trial < 20000; trial++) {
    double a = thud_random_uniform(&random, -2, 2), b = thud_random_uniform(&random, -2, 2),
           width = pow(10, thud_random_uniform(&random, -16, 0.3));
    verify_interval x = {a, a + width}, y = {b, b + width};
    double p = thud_random_uniform(&random, x.low, x.high), q = thud_random_uniform(&random, y.low, y.high);
    long double lp = p, lq = q;
    assert_contains(thud_verify_interval_add(x, y), lp + lq, 0, p);
    assert_contains(thud_verify_interval_subtract(x, y), lp - lq, 1, p);
    assert_contains(thud_verify_interval_multiply(x, y), lp * lq, 2, p);
    assert_contains(thud_verify_interval_divide(x, y), lp / lq, 3, p);
    assert_contains(thud_verify_interval_atan2(x, y), atan2l(lp, lq), 4, p);
    if (p > 0 && x.low > 0) assert_contains(thud_verify_interval_power(x, y), powl(lp, lq), 5, p);
  }
}

/* ---- paths and series ---------------------------------------------------------------------------------------------
 */

enum { DEGREE = 9, ORDER = 10, ROOM = 16, POINTS = 21 };

static long double polynomial_at(const double *c, int degree, int derivative, long double s) {
  long double sum = 0;
  for (int k = degree; k >= derivative; k--) {
    long double factor = 1;
    for (int j = 0; j < derivative; j++) factor *= k - j;
    sum = sum * s + factor * c[k];
  }
  return sum;
}

static verify_series series_in(double *room) { return (verify_series){.middle = room, .radius = room + ROOM}; }

/* |p(x) - sum p_k x^k| <= sum of the radii. */
static void assert_is_path(const verify_series *path, long double x, long double value) {
  long double sum = 0, radius = 0;
  for (int k = path->last; k >= 0; k--) sum = sum * x + (long double)path->middle[k];
  for (int k = 0; k <= path->last; k++) radius += (long double)path->radius[k];
  verify_interval range = thud_verify_path_range(path, false);
  thud_assert_at_most(fabsl(sum - value), radius + 1e-19L * fabsl(value));
  thud_assert_at_least(value, (long double)range.low);
  thud_assert_at_most(value, (long double)range.high);
}

static void pieces_of_arcs_are_those_arcs(void **state) {
  (void)state;
  thud_random random = thud_random_seed(9);
  for (int trial = 0; trial < 2000; trial++) {
    double c[DEGREE + 1], room[6][2 * ROOM], t0 = thud_random_uniform(&random, -5, 1000),
                                             from = thud_random_uniform(&random, 0, 1);
    double to = from + pow(10, thud_random_uniform(&random, -9, 0));
    for (int k = 0; k <= DEGREE; k++) c[k] = thud_random_uniform(&random, -1, 1);
    verify_polynomial p = {.c = c, .stride = 1, .degree = DEGREE};
    verify_piece piece = thud_verify_piece(t0, from, to);
    verify_series q = series_in(room[0]), v = series_in(room[1]), a = series_in(room[2]), t = series_in(room[3]);
    verify_series same = series_in(room[4]), wide = series_in(room[5]);
    thud_assert_at_most(piece.centre - piece.half, from);
    thud_assert_at_least(piece.centre + piece.half, to);
    thud_verify_path_motion(&p, &piece, &q, &v, &a);
    thud_verify_path_shift(&p, &piece, &same);
    thud_verify_path_time(&piece, &t);
    for (int j = 0; j < POINTS; j++) {
      long double x = -1 + 2.0L * j / (POINTS - 1),
                  centre = piece.time_error == 0 ? (long double)piece.time - t0 : piece.centre;
      long double s = centre + x * (long double)piece.half;
      assert_is_path(&q, x, polynomial_at(c, DEGREE, 0, s));
      assert_is_path(&same, x, polynomial_at(c, DEGREE, 0, s));
      assert_is_path(&v, x, polynomial_at(c, DEGREE, 1, s));
      assert_is_path(&a, x, polynomial_at(c, DEGREE, 2, s));
      /* coefficient 2 about every point: half^2 p''/2 */
      thud_verify_path_widen(&q, 4, false, &wide);
      long double second = polynomial_at(c, DEGREE, 2, s) * piece.half * piece.half / 2;
      thud_assert_at_most(fabsl(second - (long double)wide.middle[2]), (long double)wide.radius[2]);
    }
  }
}

/* About the beginning, on one side. */
static void first_pieces_of_arcs_are_those_arcs(void **state) {
  (void)state;
  thud_random random = thud_random_seed(11);
  for (int trial = 0; trial < 2000; trial++) {
    double c[DEGREE + 1], room[4][2 * ROOM], to = pow(10, thud_random_uniform(&random, -9, 0.3));
    for (int k = 0; k <= DEGREE; k++) c[k] = thud_random_uniform(&random, -1, 1);
    verify_polynomial p = {.c = c, .stride = 1, .degree = DEGREE};
    verify_piece piece = thud_verify_piece_from_start(3, to);
    verify_series q = series_in(room[0]), v = series_in(room[1]), a = series_in(room[2]), wide = series_in(room[3]);
    thud_verify_path_motion(&p, &piece, &q, &v, &a);
    thud_verify_path_widen(&q, 4, true, &wide);
    verify_interval range = thud_verify_path_range(&v, true);
    thud_assert_equal(q.middle[0], c[0]);
    thud_assert_equal(q.radius[0], 0);
    for (int j = 0; j < POINTS; j++) {
      long double s = (long double)to * j / (POINTS - 1), scale = (long double)to * to;
      long double second = polynomial_at(c, DEGREE, 2, s) * scale / 2, speed = polynomial_at(c, DEGREE, 1, s);
      thud_assert_at_most(fabsl(second - (long double)wide.middle[2]), (long double)wide.radius[2]);
      thud_assert_at_most(fabsl(polynomial_at(c, DEGREE, 0, s) - (long double)wide.middle[0]),
                          (long double)wide.radius[0]);
      thud_assert_at_least(speed, (long double)range.low);
      thud_assert_at_most(speed, (long double)range.high);
    }
  }
}

typedef struct path_of_four {
  double room[2][TEST_VARIABLES][2 * ROOM];
  verify_series path[TEST_VARIABLES], wide[TEST_VARIABLES];
  verify_interval whole[TEST_VARIABLES], centre[TEST_VARIABLES];
} path_of_four;

/* Cubics through the point. */
static void make_path(thud_random *random, const double *point, double size, path_of_four *p) {
  for (int i = 0; i < TEST_VARIABLES; i++) {
    p->path[i] = series_in(p->room[0][i]);
    p->wide[i] = series_in(p->room[1][i]);
    for (int k = 0; k <= 3; k++) {
      p->path[i].middle[k] = k == 0 ? point[i] : thud_random_uniform(random, -1, 1) * size;
      p->path[i].radius[k] = 0;
    }
    p->path[i].last = 3;
    thud_verify_path_widen(&p->path[i], ORDER, false, &p->wide[i]);
    p->whole[i] = thud_verify_path_range(&p->path[i], false);
    p->centre[i] = thud_verify_path_centre(&p->path[i]);
  }
}

static double path_value(const verify_series *path, double x) {
  double sum = 0;
  for (int k = path->last; k >= 0; k--) sum = sum * x + path->middle[k];
  return sum;
}

/* Taylor's formula with its rest, and the plain interval, at points of the path. Returns the rest. */
static double check_program(verify_enclosure *e, thud_expr_work *work, const path_of_four *p, const char *text) {
  double coefficient[ORDER], radius = 0, rest;
  int32_t output = verify_output(e, 0);
  thud_verify_enclose(e, p->centre);
  thud_verify_expand(e, ORDER - 1, p->path);
  for (int k = 0; k < ORDER; k++) {
    verify_ball c = verify_coefficient(&e->series[output], k);
    coefficient[k] = c.middle;
    radius += c.radius;
  }
  thud_verify_enclose(e, p->whole);
  verify_interval range = e->values[output];
  thud_verify_expand(e, ORDER, p->wide);
  verify_ball last = verify_coefficient(&e->series[output], ORDER);
  rest = fabs(last.middle) + last.radius;
  for (int j = 0; j < POINTS; j++) {
    double x = -1 + 2.0 * j / (POINTS - 1), variables[TEST_VARIABLES], value, sum = 0;
    for (int i = 0; i < TEST_VARIABLES; i++) variables[i] = path_value(&p->path[i], x);
    thud_expr_work_evaluate(work, variables, &value);
    for (int k = ORDER - 1; k >= 0; k--) sum = sum * x + coefficient[k];
    double slack = 1e-11 * (1 + fabs(value)); /* of the value itself, which is computed in doubles */
    if (value < range.low - slack || value > range.high + slack)
      fail_msg("%s: %.17g is not in [%.17g, %.17g]", text, value, range.low, range.high);
    if (fabs(value - sum) > radius + rest + slack)
      fail_msg("%s: %.17g, Taylor %.17g +- %.3g", text, value, sum, radius + rest);
  }
  return rest + radius;
}

static void random_expressions_lie_in_their_enclosures(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_expr_scope *scope = thud_test_scope(context);
  thud_test_maker maker = {.random = thud_random_seed(10)};
  static thud_test_piece piece;
  static path_of_four path;
  int sharp = 0, trials = 1500;
  for (int trial = 0; trial < trials; trial++) {
    for (int i = 0; i < TEST_VARIABLES; i++) maker.point[i] = thud_random_uniform(&maker.random, 0.3, 0.8);
    thud_test_random_expression(&maker, 1 + trial % 6, &piece);
    const char *source = piece.text;
    thud_expr_program *program;
    thud_expr_work *work;
    verify_enclosure *e;
    assert_int_equal(thud_expr_program_compile(context, scope, 1, &source, NULL, NULL, &program), THUD_OK);
    assert_int_equal(thud_expr_work_create(context, program, 0, &work), THUD_OK);
    assert_int_equal(thud_verify_enclosure_create(context, program, ORDER, &e), THUD_OK);
    e->lazy = trial % 2 == 1; /* however few its switches are */
    make_path(&maker.random, maker.point, pow(10, thud_random_uniform(&maker.random, -6, -1)), &path);
    sharp += check_program(e, work, &path, piece.text) < 1e-6;
    thud_verify_enclosure_destroy(e);
    thud_expr_work_destroy(work);
    thud_expr_program_destroy(program);
  }
  thud_assert_greater(sharp, trials / 2); /* bounds that say nothing would pass everything above */
  thud_expr_scope_destroy(scope);
  thud_test_context_end(context);
}

/* Pieces first .. last of a function of x with breaks at 1, 2, ..., halved at each break as data are. */
static size_t write_halves(char *text, int first, int last) {
  if (first == last) return (size_t)sprintf(text, "(%d + %d*x*sin(y))", first % 7, first % 5);
  int middle = first + (last - first + 1) / 2;
  size_t length = (size_t)sprintf(text, "if(x < %d, ", middle);
  length += write_halves(text + length, first, middle - 1);
  length += (size_t)sprintf(text + length, ", ");
  length += write_halves(text + length, middle, last);
  return length + (size_t)sprintf(text + length, ")");
}

/* The same interval by a pass over what is needed as by one over everything. */
static void assert_same_value(verify_enclosure *e, verify_enclosure *whole, double low, double high) {
  verify_interval variables[TEST_VARIABLES] = {{low, high}, {0.25, 0.5}, {0, 0}, {0, 0}};
  thud_verify_enclose(e, variables);
  thud_verify_enclose(whole, variables);
  verify_interval found = e->values[verify_output(e, 0)], expected = whole->values[verify_output(whole, 0)];
  assert_true(found.low == expected.low && found.high == expected.high);
}

/* Work is counted in operations: of 2^p pieces a path of p decisions and branches, with the arguments of the switches, and
 * one piece (4); two pieces, and the ends of two paths, where the interval contains a break. */
static void only_pieces_that_are_met_are_enclosed(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_expr_scope *scope = thud_test_scope(context);
  for (int p = 5; p <= 11; p += 3) {
    int pieces = 1 << p;
    char *text = THUD_NEW_ARRAY(context, char, (size_t)pieces * 64);
    assert_non_null(text);
    write_halves(text, 0, pieces - 1);
    const char *source = text;
    thud_expr_program *program;
    verify_enclosure *e, *whole;
    assert_int_equal(thud_expr_program_compile(context, scope, 1, &source, NULL, NULL, &program), THUD_OK);
    assert_int_equal(thud_verify_enclosure_create(context, program, 1, &e), THUD_OK);
    assert_int_equal(thud_verify_enclosure_create(context, program, 1, &whole), THUD_OK);
    whole->lazy = false;
    for (int piece = 1; piece < pieces; piece += 1 + pieces / 9) {
      assert_same_value(e, whole, piece + 0.25, piece + 0.5);
      assert_false(e->open);
      assert_in_range(e->needed_count, 3 * p, 3 * p + 4);
      assert_int_equal(e->met_count, p);
      assert_same_value(e, whole, piece - 0.25, piece + 0.25);
      assert_true(e->open);
      assert_in_range(e->needed_count, 3 * p, 2 * (3 * p + 4));
    }
    assert_int_equal(whole->needed_count, program->tape->count - program->tape->leaf_count);
    thud_verify_enclosure_destroy(e);
    thud_verify_enclosure_destroy(whole);
    thud_expr_program_destroy(program);
    thud_free(context, text);
  }
  thud_expr_scope_destroy(scope);
  thud_test_context_end(context);
}

/* ---- records that missed something --------------------------------------------------------------------------------
 */

static double width_of(int k) { return pow(10, 4.0 * k / (WIDTHS - 1)); }

/* Verifies a motion of one arc on [0, 10] from x = 0 with velocity 1 along a straight line, y = 0. */
static thud_verify_result verify_line(thud_context *context, const char *scene, size_t n, double mode,
                                      double reaction) {
  const event_system system = {.scene = scene, .n = n, .coordinates = {"x", "y"}, .constraint = "bump"};
  event_row rows[2] = {{.t_end = 10, .mode = mode, .mode_left = mode, .order = mode == LASTING ? 0 : -1}};
  rows[0].event = NOTHING;
  rows[0].q[n] = 1;
  rows[0].v_left[0] = 1;
  rows[0].reaction[0] = reaction;
  rows[0].ledger[KINETIC] = 0.5;
  rows[1] = rows[0];
  rows[1].t = 10;
  rows[1].order = -1;
  rows[1].q[0] = 10;
  const char *path = thud_test_path("line.h5");
  event_rows_write(context, path, &system, 2, rows);
  return thud_test_verify(context, path);
}

/* The proof has failed where the feature is, and names who. */
static void assert_rejected(const thud_verify_result *result, const char *who, double place, double width) {
  const thud_verify_check *proof = thud_test_check_of(result, "proof");
  if (proof->status != THUD_VERIFY_FAILED) fail_msg("width 1/%g at %g: %s", width, place, proof->detail);
  assert_int_equal(result->verdict, THUD_VERIFY_BAD);
  assert_non_null(strstr(proof->detail, who));
  assert_non_null(strstr(proof->detail, "the arc from t = 0 to 10"));
  thud_assert_near(proof->t, place, 6 / width);
}

static void assert_proved(const thud_verify_result *result) {
  const thud_verify_check *proof = thud_test_check_of(result, "proof");
  if (result->verdict != THUD_VERIFY_GOOD) fail_msg("%s", result->reason);
  if (proof->status != THUD_VERIFY_PASSED) fail_msg("%s", proof->detail);
  assert_non_null(strstr(proof->detail, "1 arc proved"));
  thud_assert_at_most(proof->worst, 1e-11);
}

static const double places[] = {5, 3.7123, 8.0001};
enum { PLACES = 3 };

static void bumps_in_the_gap_are_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  char scene[SCENE_TEXT];
  for (int k = 0; k < WIDTHS * PLACES; k++) {
    double w = width_of(k / PLACES), place = places[k % PLACES];
    for (int height = 0; height < 2; height++) {
      snprintf(
          scene, sizeof scene,
          "{thud: 1, system: {coordinates: [x], kinetic_energy: \"0.5*x'^2\", constraints: [{name: bump, gap: \"1 -"
          " %g*exp(-((x - %.17g)*%.17g)^2)\"}]}, initial: {x: 0, \"x'\": 1}, simulate: {method: event-driven,"
          " end: 10}}",
          height == 0 ? 2 : 0.999, place, w);
      thud_verify_result result = verify_line(context, scene, 1, OPEN, 0);
      if (height == 0)
        assert_rejected(&result, "'bump'", place, w);
      else
        assert_proved(&result);
    }
  }
  thud_test_context_end(context);
}

static void pulses_of_the_force_are_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  char scene[SCENE_TEXT];
  for (int k = 0; k < WIDTHS * PLACES; k++) {
    double w = width_of(k / PLACES), place = places[k % PLACES];
    for (int strong = 0; strong < 2; strong++) {
      snprintf(scene, sizeof scene,
               "{thud: 1, system: {coordinates: [x], kinetic_energy: \"0.5*x'^2\", forces: {x: \"%s*exp(-((t -"
               " %.17g)*%.17g)^2)\"}, constraints: [{name: bump, gap: 1 + x^2}]}, initial: {x: 0, \"x'\": 1}, simulate:"
               " {method: event-driven, end: 10}}",
               strong == 1 ? "1" : "1e-14", place, w);
      thud_verify_result result = verify_line(context, scene, 1, OPEN, 0);
      if (strong == 1)
        assert_rejected(&result, "'x'", place, w);
      else
        assert_proved(&result);
    }
  }
  thud_test_context_end(context);
}

/* A block slides along y = 0 under its weight: the floor has a bump, or a hammer strikes it. */
static void what_happens_to_lasting_contacts_is_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  char scene[SCENE_TEXT];
  for (int k = 0; k < WIDTHS * PLACES; k++) {
    double w = width_of(k / PLACES), place = places[k % PLACES];
    for (int which = 0; which < 3; which++) {
      snprintf(
          scene, sizeof scene,
          "{thud: 1, system: {coordinates: [x, y], kinetic_energy: \"0.5*(x'^2 + y'^2)\", potential_energy: \"10*y\","
          " forces: {y: \"%s*exp(-((t - %.17g)*%.17g)^2)\"}, constraints: [{name: bump, gap: \"y - %s*exp(-((x -"
          " %.17g)*%.17g)^2)\"}]}, initial: {x: 0, y: 0, \"x'\": 1}, simulate: {method: event-driven, end: 10}}",
          which == 1 ? "-1" : "0", place, w, which == 2 ? "0.1" : "0", place, w);
      thud_verify_result result = verify_line(context, scene, 2, LASTING, 10);
      if (which == 0)
        assert_proved(&result);
      else
        assert_rejected(&result, which == 1 ? "'y'" : "'bump'", place, w * (which == 1 ? 1 : 0.7));
    }
  }
  thud_test_context_end(context);
}

/* Data are formulas for the proof: a piece of 1e-3 that the polynomial does not have. */
static void pieces_of_data_are_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  char scene[SCENE_TEXT];
  for (int k = 0; k < 4; k++) {
    double from = 3.7123, to = from + pow(10, -1 - k);
    snprintf(
        scene, sizeof scene,
        "{thud: 1, data: {f: {breaks: [%.17g, %.17g], pieces: [0, t, 0]}}, system: {coordinates: [x],"
        " kinetic_energy: \"0.5*x'^2\", forces: {x: f}, constraints: [{name: bump, gap: 1 + x^2}]}, initial: {x: 0,"
        " \"x'\": 1}, simulate: {method: event-driven, end: 10}}",
        from, to);
    thud_verify_result result = verify_line(context, scene, 1, OPEN, 0);
    assert_rejected(&result, "'x'", from, 6 / (to - from));
  }
  thud_test_context_end(context);
}

/* Beyond the work limit nothing is claimed, in neither direction: the force has no bound near x = 5 - 1e-13, which the
 * motion is not told to avoid. */
static void what_cannot_be_enclosed_is_not_proved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *scene =
      "{thud: 1, system: {coordinates: [x], kinetic_energy: \"0.5*x'^2\", forces: {x:"
      " \"1e-300/(abs(x - 5.3) + 1e-320)\"}, constraints: [{name: bump, gap: 1 + x^2}]}, initial: {x: 0,"
      " \"x'\": 1}, simulate: {method: event-driven, end: 10}}";
  thud_verify_result result = verify_line(context, scene, 1, OPEN, 0);
  const thud_verify_check *proof = thud_test_check_of(&result, "proof");
  assert_int_equal(proof->status, THUD_VERIFY_NOT_CHECKED);
  assert_non_null(strstr(proof->detail, "not proved: equations of motion at t = 5.3"));
  assert_int_equal(result.verdict, THUD_VERIFY_GOOD);
  thud_test_context_end(context);
}

static thud_error verify_once(thud_context *context, void *user) {
  thud_verify_result result;
  return thud_verify_record(context, user, NULL, &result);
}

static void no_memory_at_any_allocation_is_an_error_without_leak(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  char path[512];
  verify_line(context,
              "{thud: 1, data: {f: {breaks: [5], pieces: [0, 1e-20*t]}}, definitions: {g: 2*f}, system: {coordinates:"
              " [x], kinetic_energy: \"0.5*x'^2\", forces: {x: g}, constraints: [{name: bump, gap: 1 + x^2}]}, initial:"
              " {x: 0, \"x'\": 1}, simulate: {method: event-driven, end: 10}}",
              1, OPEN, 0);
  snprintf(path, sizeof path, "%s", thud_test_path("line.h5"));
  thud_test_context_end(context);
  thud_assert_greater(thud_test_sweep_allocations(verify_once, path), 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(functions_lie_in_their_intervals),
                                     cmocka_unit_test(arithmetic_lies_in_its_intervals),
                                     cmocka_unit_test(pieces_of_arcs_are_those_arcs),
                                     cmocka_unit_test(first_pieces_of_arcs_are_those_arcs),
                                     cmocka_unit_test(random_expressions_lie_in_their_enclosures),
                                     cmocka_unit_test(only_pieces_that_are_met_are_enclosed),
                                     cmocka_unit_test(bumps_in_the_gap_are_found),
                                     cmocka_unit_test(pulses_of_the_force_are_found),
                                     cmocka_unit_test(what_happens_to_lasting_contacts_is_found),
                                     cmocka_unit_test(pieces_of_data_are_found),
                                     cmocka_unit_test(what_cannot_be_enclosed_is_not_proved),
                                     cmocka_unit_test(no_memory_at_any_allocation_is_an_error_without_leak)};
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
