/* Particles on a line with percussional friction (seed 004): reference cases F1, F3, degenerate decisions, moving
 * ground, contraction, the implicit scheme's identity and order. */
#include "testing.h"
#include "failing_allocator.h"
#include "thud/line_motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NODES = 4000, MOST = 4 };

typedef struct nodes {
  thud_index n;
  size_t count;
  double t[MOST_NODES], q[MOST_NODES][MOST], left[MOST_NODES][MOST], v[MOST_NODES][MOST];
  double reaction[MOST_NODES][MOST], bound[MOST_NODES][MOST], energy[MOST_NODES];
  thud_line_event event[MOST_NODES];
  int8_t mode[MOST_NODES][MOST];
} nodes;

static int keep_node(void *user, const thud_line_frame *frame) {
  nodes *kept = user;
  if (kept->count == MOST_NODES) return 0;
  size_t k = kept->count++, bytes = (size_t)kept->n * sizeof(double);
  kept->t[k] = frame->t;
  kept->event[k] = frame->event;
  memcpy(kept->q[k], frame->q, bytes);
  memcpy(kept->left[k], frame->v_left, bytes);
  memcpy(kept->v[k], frame->v, bytes);
  memcpy(kept->reaction[k], frame->reaction, bytes);
  memcpy(kept->bound[k], frame->bound, bytes);
  memcpy(kept->mode[k], frame->mode, (size_t)kept->n);
  kept->energy[k] = frame->ledger.kinetic + frame->ledger.potential;
  return 0;
}

static thud_line *make_line(thud_context *context, const thud_line_def *def) {
  thud_expr_scope *scope = NULL;
  thud_index slot;
  thud_line *line = NULL;
  assert_int_equal(thud_expr_scope_create(context, &scope), THUD_OK);
  assert_int_equal(thud_expr_scope_add_variable(scope, "t", &slot), THUD_OK);
  thud_error error = thud_line_create(context, scope, def, NULL, &line);
  if (error != THUD_OK) print_error("%s\n", thud_context_last_message(context));
  assert_int_equal(error, THUD_OK);
  thud_expr_scope_destroy(scope);
  return line;
}

static nodes kept;

static thud_line_info run(thud_context *context, const thud_line *line, thud_line_method method, int steps,
                          const double *q0, const double *u0, size_t outputs, const double *times) {
  thud_line_options options = thud_line_options_default();
  thud_line_info info;
  options.method = (int)method;
  options.steps = steps;
  kept = (nodes){.n = thud_line_dimension(line)};
  thud_error error =
      thud_line_run(context, line, &options, q0, u0, outputs, times, keep_node, &kept, NULL, NULL, &info);
  if (error != THUD_OK || info.status != THUD_LINE_COMPLETED) print_error("%s\n", thud_context_last_message(context));
  assert_int_equal(error, THUD_OK);
  assert_int_equal(info.status, THUD_LINE_COMPLETED);
  return info;
}

#define NEAR(a, b, tolerance)                                                                                          \
  do {                                                                                                                 \
    double near_a = (a), near_b = (b);                                                                                 \
    if (!(fabs(near_a - near_b) <= (tolerance))) print_error("%.17g is not %.17g\n", near_a, near_b);                  \
    assert_true(fabs(near_a - near_b) <= (tolerance));                                                                 \
  } while (0)

static const double one = 1, zero = 0;
static const char *const constant_one[] = {"1"};

static thud_line_def f1_definition(const thud_line_family *family) {
  return (thud_line_def){.n = 1,
                         .mass = &one,
                         .friction = &one,
                         .density = constant_one,
                         .start = 0,
                         .end = 1,
                         .family_count = 1,
                         .families = family};
}

static thud_line_family f1_family(int64_t keep) {
  return (thud_line_family){.index = "n",
                            .time = "1-2^(-n)",
                            .weight = "2^(-n-1)",
                            .tail = "2^(-n)",
                            .keep = keep,
                            .tolerance = 1e-15,
                            .has_limit = true,
                            .limit = 1};
}

/* ---- F1 ---------------------------------------------------------------------------------------------------------- */

static void f1_whole_family_stops_at_the_accumulation(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_line_family family = f1_family(-1);
  thud_line_def def = f1_definition(&family);
  thud_line *line = make_line(context, &def);
  thud_line_truncation cut = thud_line_get_truncation(line, 0);
  assert_true(cut.kept >= 49 && cut.tail <= 1e-15 && cut.velocity == cut.tail);
  const double u0 = 2;
  thud_line_info info = run(context, line, THUD_LINE_EVENT_DRIVEN, 1, &zero, &u0, 0, NULL);
  size_t last = kept.count - 1;
  NEAR(kept.v[last][0], 0, 1e-14);
  NEAR(kept.q[last][0], 5.0 / 6, 1e-14);
  assert_int_equal(kept.event[last], THUD_LINE_ACCUMULATION);
  assert_int_equal(info.percussions, cut.kept);
  NEAR(info.ledger.defect, 0, 1e-14);
  /* u+ = 1 + 2^{-n-1} - t on [t_n, t_{n+1}[ */
  int n = 0;
  for (size_t k = 0; k < kept.count && n < 40; k++) {
    if (kept.event[k] != THUD_LINE_PERCUSSION) continue;
    NEAR(kept.v[k][0], 1 + ldexp(1, -n - 1) - kept.t[k], 1e-14);
    n++;
  }
  assert_int_equal(n, 40);
  thud_line_destroy(line);
  thud_test_context_end(context);
}

static void f1_keeping_n_atoms_errs_by_the_tail(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int n = 1; n <= 20; n++) {
    thud_line_family family = f1_family(n);
    thud_line_def def = f1_definition(&family);
    thud_line *line = make_line(context, &def);
    thud_line_truncation cut = thud_line_get_truncation(line, 0);
    assert_int_equal(cut.kept, n);
    assert_true(cut.tail == ldexp(1, -n) && cut.velocity == cut.tail);
    const double u0 = 2;
    run(context, line, THUD_LINE_EVENT_DRIVEN, 1, &zero, &u0, 0, NULL);
    /* The exact velocity is 0 at 1; all that is missing is the tail. */
    NEAR(kept.v[kept.count - 1][0], ldexp(1, -n), 1e-15);
    thud_line_destroy(line);
    /* Lumped at the limit the missing impulse is there. */
    family.lump = true;
    line = make_line(context, &def);
    run(context, line, THUD_LINE_EVENT_DRIVEN, 1, &zero, &u0, 0, NULL);
    NEAR(kept.v[kept.count - 1][0], 0, 1e-15);
    assert_true(fabs(kept.q[kept.count - 1][0] - 5.0 / 6) <= ldexp(1, -2 * n));
    thud_line_destroy(line);
  }
  thud_test_context_end(context);
}

/* ---- F3 ---------------------------------------------------------------------------------------------------------- */

static thud_line *make_f3(thud_context *context, double end) {
  static const double stiffness = 4, viscosity = 0.2, friction = 0.5;
  static const thud_line_train train = {.first = 1, .period = 1, .weight = 0.3, .count = -1};
  thud_line_def def = {.n = 1,
                       .mass = &one,
                       .stiffness = &stiffness,
                       .viscosity = &viscosity,
                       .friction = &friction,
                       .density = constant_one,
                       .start = 0,
                       .end = end,
                       .train_count = 1,
                       .trains = &train};
  return make_line(context, &def);
}

static size_t find_event(thud_line_event event, int number) {
  for (size_t k = 0; k < kept.count; k++)
    if (kept.event[k] == event && number-- == 0) return k;
  fail_msg("no such event");
  return 0;
}

static void f3_has_its_listed_numbers(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_line *line = make_f3(context, 6);
  const double q0 = 2, outputs[] = {0.25, 5.5};
  thud_line_info info = run(context, line, THUD_LINE_EVENT_DRIVEN, 1, &q0, &zero, 2, outputs);
  size_t k = find_event(THUD_LINE_PERCUSSION, 0);
  NEAR(kept.t[k], 1, 0);
  NEAR(kept.q[k][0], -0.4998418489010, 1e-12);
  NEAR(kept.left[k][0], -3.0927647979904, 1e-12);
  NEAR(kept.v[k][0], -2.9427647979904, 1e-12);
  NEAR(kept.reaction[k][0], 0.15, 1e-15);
  k = find_event(THUD_LINE_STOP, 0);
  NEAR(kept.t[k], 1.5642747136275, 1e-12);
  NEAR(kept.q[k][0], -1.4127935494780, 1e-12);
  k = find_event(THUD_LINE_PERCUSSION, 1);
  NEAR(kept.q[k][0], -0.9668476941086, 1e-12);
  NEAR(kept.left[k][0], 1.8875951246292, 1e-12);
  NEAR(kept.v[k][0], 1.7375951246292, 1e-12);
  NEAR(kept.t[find_event(THUD_LINE_STOP, 1)], 3.1251151229818, 1e-12);
  NEAR(kept.t[find_event(THUD_LINE_STOP, 2)], 4.6904588890243, 1e-12);
  bool found = false;
  for (k = 0; k < kept.count; k++) {
    if (kept.t[k] != 5.5) continue;
    found = true;
    NEAR(kept.q[k][0], -0.1862643976193, 1e-12);
    NEAR(kept.v[k][0], 0.5690967062869, 1e-12);
  }
  assert_true(found);
  NEAR(info.ledger.defect, 0, 1e-12);
  assert_true(info.ledger.identity < 1e-14);
  thud_line_destroy(line);
  thud_test_context_end(context);
}

static void implicit_steps_converge_with_order_one(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_line *line = make_f3(context, 5.5);
  const double q0 = 2;
  double errors[4];
  for (int level = 0; level < 4; level++) {
    thud_line_info info = run(context, line, THUD_LINE_IMPLICIT, 1100 << level, &q0, &zero, 0, NULL);
    assert_true(info.ledger.identity < 1e-14);
    thud_line_options options = thud_line_options_default();
    options.method = THUD_LINE_IMPLICIT;
    options.steps = 1100 << level;
    double q, u;
    assert_int_equal(thud_line_run(context, line, &options, &q0, &zero, 0, NULL, NULL, NULL, &q, &u, &info), THUD_OK);
    errors[level] = hypot(q + 0.1862643976193, u - 0.5690967062869);
  }
  for (int level = 1; level < 4; level++) {
    double order = log2(errors[level - 1] / errors[level]);
    assert_true(order > 0.9 && order < 1.1);
  }
  thud_line_destroy(line);
  thud_test_context_end(context);
}

/* ---- decisions at higher order ----------------------------------------------------------------------------------- */

/* p = 1 + a t^m against gamma N = 1 from rest: slides with (u = a t^{m+1}/(m+1)) for a > 0, sticks for a < 0. */
static void degenerate_starts_are_decided_by_the_first_order_that_moves(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int m = 1; m <= 9; m++)
    for (int sign = -1; sign <= 1; sign += 2) {
      char force[40];
      snprintf(force, sizeof force, "1%+d*t^%d", sign, m);
      const char *forces[] = {force};
      thud_line_def def = {
          .n = 1, .mass = &one, .friction = &one, .density = constant_one, .force = forces, .start = 0, .end = 1};
      thud_line *line = make_line(context, &def);
      thud_line_info info = run(context, line, THUD_LINE_EVENT_DRIVEN, 1, &zero, &zero, 0, NULL);
      NEAR(kept.v[kept.count - 1][0], sign > 0 ? 1.0 / (m + 1) : 0, 1e-14);
      assert_int_equal(info.deciding_order, m);
      thud_line_destroy(line);
    }
  thud_test_context_end(context);
}

/* A load that never leaves the bound: sticking and sliding are one motion. */
static void a_load_on_the_bound_for_ever_is_undecided(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_line_def def = {
      .n = 1, .mass = &one, .friction = &one, .density = constant_one, .force = constant_one, .start = 0, .end = 1};
  thud_line *line = make_line(context, &def);
  thud_line_info info = run(context, line, THUD_LINE_EVENT_DRIVEN, 1, &zero, &zero, 0, NULL);
  assert_true(info.undecided > 0);
  assert_true(kept.v[kept.count - 1][0] == 0 && kept.q[kept.count - 1][0] == 0);
  thud_line_destroy(line);
  thud_test_context_end(context);
}

/* N = t, p = alpha t from rest (K6 with k = 0): slides with u = (alpha - 1) t^2/2 for alpha > 1. */
static void friction_that_grows_from_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const char *const density[] = {"t"}, *const strong[] = {"2*t"}, *const weak[] = {"t/2"};
  for (int k = 0; k < 2; k++) {
    thud_line_def def = {.n = 1,
                         .mass = &one,
                         .friction = &one,
                         .density = density,
                         .force = k == 0 ? strong : weak,
                         .start = 0,
                         .end = 1};
    thud_line *line = make_line(context, &def);
    run(context, line, THUD_LINE_EVENT_DRIVEN, 1, &zero, &zero, 0, NULL);
    NEAR(kept.v[kept.count - 1][0], k == 0 ? 0.5 : 0, 1e-15);
    thud_line_destroy(line);
  }
  thud_test_context_end(context);
}

/* ---- moving ground, jumps of the data ---------------------------------------------------------------------------- */

/* Stick-slip on a belt with w = 1: sticks until the spring k q = gamma N (q = 1/2 at t = 1/2), then slides. */
static void a_belt_carries_a_block_until_the_spring_wins(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const char *const belt[] = {"1"};
  static const double stiffness = 2;
  thud_line_def def = {.n = 1,
                       .mass = &one,
                       .stiffness = &stiffness,
                       .friction = &one,
                       .density = constant_one,
                       .transport = belt,
                       .start = 0,
                       .end = 3};
  thud_line *line = make_line(context, &def);
  thud_line_info info = run(context, line, THUD_LINE_EVENT_DRIVEN, 1, &zero, &one, 0, NULL);
  size_t k = find_event(THUD_LINE_SLIP, 0);
  NEAR(kept.t[k], 0.5, 1e-15);
  NEAR(kept.q[k][0], 0.5, 1e-15);
  /* q = 1/2 + sin(sqrt2 s)/sqrt2 until the velocity is that of the belt again: s = 2 pi/sqrt2 is beyond the end. */
  double s = 2.5;
  NEAR(kept.q[kept.count - 1][0], 0.5 + sin(sqrt(2) * s) / sqrt(2), 1e-13);
  NEAR(info.ledger.defect, 0, 1e-13);
  thud_line_destroy(line);
  thud_test_context_end(context);
}

/* The belt turns round at t = 1: the block is thrown into sliding; |u| falls by 1 per second to the belt's -1. */
static void a_belt_that_jumps_lets_the_block_slide(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const char *const belt[] = {"if(t < 1, 1, -1)"};
  thud_line_def def = {
      .n = 1, .mass = &one, .friction = &one, .density = constant_one, .transport = belt, .start = 0, .end = 4};
  thud_line *line = make_line(context, &def);
  run(context, line, THUD_LINE_EVENT_DRIVEN, 1, &zero, &one, 0, NULL);
  size_t k = find_event(THUD_LINE_STOP, 0);
  NEAR(kept.t[k], 3, 1e-14);
  NEAR(kept.q[k][0], 1, 1e-14);
  NEAR(kept.q[kept.count - 1][0], 0, 1e-14);
  thud_line_destroy(line);
  thud_test_context_end(context);
}

/* N = abs(sin(t)) and a force that switches: an event at every kink, none stepped over. u' = -|sin t| from u = 10. */
static void kinks_of_the_data_are_events(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const char *const density[] = {"abs(sin(t))"};
  thud_line_def def = {.n = 1, .mass = &one, .friction = &one, .density = density, .start = 0, .end = 10};
  thud_line *line = make_line(context, &def);
  const double u0 = 10;
  run(context, line, THUD_LINE_EVENT_DRIVEN, 1, &zero, &u0, 0, NULL);
  NEAR(kept.v[kept.count - 1][0], 10 - 6 - (1 + cos(10)), 1e-13);
  thud_line_destroy(line);
  thud_test_context_end(context);
}

/* ---- several particles ------------------------------------------------------------------------------------------- */

static void random_spd(thud_random *random, thud_index n, double shift, double *A) {
  double G[MOST * MOST];
  for (thud_index k = 0; k < n * n; k++) G[k] = thud_random_normal(random);
  for (thud_index i = 0; i < n; i++)
    for (thud_index j = 0; j < n; j++) {
      double sum = i == j ? shift : 0;
      for (thud_index k = 0; k < n; k++) sum += G[i * n + k] * G[j * n + k] / (double)n;
      A[i + j * n] = sum;
    }
}

typedef struct random_line {
  double mass[MOST * MOST], stiffness[MOST * MOST], viscosity[MOST * MOST], friction[MOST];
  thud_line *line;
} random_line;

static void make_random(thud_context *context, thud_random *random, thud_index n, random_line *made) {
  static const char *const density[] = {"1+sin(3*t)", "1", "t^2", "exp(-t)"};
  static const char *const force[] = {"cos(5*t)", "2*sin(t)", "if(t < 1.3, 1, -2)", "0"};
  static const char *const ground[] = {"0.3*sin(2*t)", "0", "0", "0.1"};
  thud_line_atom atoms[5];
  random_spd(random, n, 0.2, made->mass);
  random_spd(random, n, 0, made->stiffness);
  random_spd(random, n, 0, made->viscosity);
  for (thud_index i = 0; i < n; i++) made->friction[i] = thud_random_uniform(random, 0, 2);
  for (size_t k = 0; k < 5; k++)
    atoms[k] = (thud_line_atom){.t = thud_random_uniform(random, 0, 3), .weight = thud_random_uniform(random, 0.1, 1)};
  thud_line_def def = {.n = n,
                       .mass = made->mass,
                       .stiffness = made->stiffness,
                       .viscosity = made->viscosity,
                       .friction = made->friction,
                       .density = density,
                       .force = force,
                       .transport = ground,
                       .start = 0,
                       .end = 3,
                       .atom_count = 5,
                       .atoms = atoms};
  made->line = make_line(context, &def);
}

static double ground_velocity(thud_index i, double t) { return i == 0 ? 0.3 * sin(2 * t) : i == 3 ? 0.1 : 0; }

/* Friction law of every node and percussion, and the ledger, on random systems with coupled masses. */
static void random_systems_obey_the_friction_law(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(40);
  for (int trial = 0; trial < 60; trial++) {
    thud_index n = 1 + (thud_index)thud_random_below(&random, MOST);
    random_line made;
    make_random(context, &random, n, &made);
    double q0[MOST], u0[MOST];
    for (thud_index i = 0; i < n; i++) q0[i] = thud_random_normal(&random), u0[i] = thud_random_normal(&random);
    thud_line_info info = run(context, made.line, THUD_LINE_EVENT_DRIVEN, 1, q0, u0, 0, NULL);
    assert_true(info.ledger.identity < 1e-12);
    NEAR(info.ledger.defect, 0, 1e-11 * (1 + info.ledger.friction_loss));
    for (size_t k = 0; k < kept.count; k++)
      for (thud_index i = 0; i < n; i++) {
        assert_true(fabs(kept.reaction[k][i]) <= kept.bound[k][i] + 1e-12);
        double slip = kept.v[k][i] - ground_velocity(i, kept.t[k]);
        if (kept.event[k] != THUD_LINE_PERCUSSION || fabs(slip) < 1e-12) continue;
        NEAR(kept.reaction[k][i], slip > 0 ? -kept.bound[k][i] : kept.bound[k][i], 1e-12);
      }
    thud_line_destroy(made.line);
  }
  thud_test_context_end(context);
}

static double distance(const random_line *made, const double *q, const double *u, const double *p, const double *v) {
  double dq[MOST], du[MOST];
  for (thud_index i = 0; i < kept.n; i++) dq[i] = q[i] - p[i], du[i] = u[i] - v[i];
  return thud_line_kinetic_energy(made->line, du) + thud_line_potential_energy(made->line, dq);
}

/* Two motions with the same data: |Du|_M^2 + |Dq|_K^2 does not grow, for both methods. */
static void two_motions_come_no_further_apart(void **state) {
  (void)state;
  enum { TIMES = 60 };
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(41);
  double outputs[TIMES];
  for (int k = 0; k < TIMES; k++) outputs[k] = 3 * (k + 0.5) / TIMES;
  for (int trial = 0; trial < 60; trial++) {
    thud_index n = 1 + (thud_index)thud_random_below(&random, MOST);
    random_line made;
    make_random(context, &random, n, &made);
    for (int method = 0; method < 2; method++) {
      double q[2][TIMES + 1][MOST], v[2][TIMES + 1][MOST];
      size_t count = 0;
      for (int which = 0; which < 2; which++) {
        double q0[MOST], u0[MOST];
        for (thud_index i = 0; i < n; i++) q0[i] = thud_random_normal(&random), u0[i] = thud_random_normal(&random);
        run(context, made.line, (thud_line_method)method, TIMES, q0, u0, TIMES, outputs);
        count = 0;
        for (size_t k = 0; k < kept.count && count < TIMES; k++) {
          bool wanted = method == 1 ? kept.t[k] > 0 : kept.t[k] == outputs[count];
          if (!wanted) continue;
          memcpy(q[which][count], kept.q[k], sizeof q[which][count]);
          memcpy(v[which][count++], kept.v[k], sizeof v[which][0]);
        }
        assert_int_equal(count, TIMES);
      }
      double last = INFINITY;
      for (size_t k = 0; k < count; k++) {
        double apart = distance(&made, q[0][k], v[0][k], q[1][k], v[1][k]);
        assert_true(apart <= last * (1 + 1e-12) + 1e-14);
        last = apart;
      }
    }
    thud_line_destroy(made.line);
  }
  thud_test_context_end(context);
}

/* The stepping goes to the event-driven motion with order 1 on coupled systems too. */
static void both_roads_meet(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(42);
  for (int trial = 0; trial < 5; trial++) {
    random_line made;
    make_random(context, &random, 3, &made);
    const double q0[] = {1, -1, 0.5}, u0[] = {0, 2, -1};
    double q[2][3], u[2][3], errors[3];
    thud_line_options options = thud_line_options_default();
    thud_line_info info;
    assert_int_equal(thud_line_run(context, made.line, &options, q0, u0, 0, NULL, NULL, NULL, q[0], u[0], &info),
                     THUD_OK);
    options.method = THUD_LINE_IMPLICIT;
    for (int level = 0; level < 3; level++) {
      options.steps = 4000 << (2 * level);
      assert_int_equal(thud_line_run(context, made.line, &options, q0, u0, 0, NULL, NULL, NULL, q[1], u[1], &info),
                       THUD_OK);
      assert_true(info.ledger.identity < 1e-13);
      errors[level] = 0;
      for (int i = 0; i < 3; i++) errors[level] = hypot(errors[level], hypot(q[1][i] - q[0][i], u[1][i] - u[0][i]));
    }
    assert_true(errors[2] < 1e-2);
    double order = log2(errors[0] / errors[2]) / 4;
    if (!(order > 0.8 && order < 1.25)) print_error("order %g: %g %g %g\n", order, errors[0], errors[1], errors[2]);
    assert_true(order > 0.8 && order < 1.25);
    thud_line_destroy(made.line);
  }
  thud_test_context_end(context);
}

/* ---- refusals, interruption, memory ------------------------------------------------------------------------------ */

static thud_error try_line(thud_context *context, const thud_line_def *def, thud_line_place *place) {
  thud_expr_scope *scope = NULL;
  thud_index slot;
  thud_line *line = NULL;
  thud_error error = thud_expr_scope_create(context, &scope);
  if (error == THUD_OK) error = thud_expr_scope_add_variable(scope, "t", &slot);
  if (error == THUD_OK) error = thud_line_create(context, scope, def, place, &line);
  assert_true(error == THUD_OK || line == NULL);
  thud_line_destroy(line);
  thud_expr_scope_destroy(scope);
  return error;
}

static void bad_definitions_are_refused_with_their_place(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_line_place place;
  thud_line_family family = f1_family(-1);
  thud_line_def good = f1_definition(&family), def = good;
  assert_int_equal(try_line(context, &def, &place), THUD_OK);
  def.n = 0;
  assert_int_equal(try_line(context, &def, &place), THUD_ERROR_ARGUMENT);
  def = good;
  def.end = 0;
  assert_int_equal(try_line(context, &def, &place), THUD_ERROR_ARGUMENT);
  const double negative = -1, infinite = INFINITY;
  def = good;
  def.mass = &negative;
  assert_int_equal(try_line(context, &def, &place), THUD_ERROR_NOT_SPD);
  assert_int_equal(place.part, THUD_LINE_MASS);
  def.mass = &infinite;
  assert_int_equal(try_line(context, &def, &place), THUD_ERROR_NOT_FINITE);
  def = good;
  def.stiffness = &negative;
  assert_int_equal(try_line(context, &def, &place), THUD_ERROR_NOT_SPD);
  assert_int_equal(place.part, THUD_LINE_STIFFNESS);
  def = good;
  def.viscosity = &negative;
  assert_int_equal(try_line(context, &def, &place), THUD_ERROR_NOT_SPD);
  assert_int_equal(place.part, THUD_LINE_VISCOSITY);
  def = good;
  def.friction = &negative;
  assert_int_equal(try_line(context, &def, &place), THUD_ERROR_ARGUMENT);
  assert_int_equal(place.part, THUD_LINE_FRICTION);
  const char *const bad[] = {"1 + )"};
  def = good;
  def.force = bad;
  assert_int_equal(try_line(context, &def, &place), THUD_ERROR_SYNTAX);
  assert_true(place.part == THUD_LINE_FORCE && place.place.column == 5);
  def = good;
  thud_line_atom atom = {.t = 0.5, .weight = -1};
  def.atoms = &atom;
  def.atom_count = 1;
  assert_int_equal(try_line(context, &def, &place), THUD_ERROR_ARGUMENT);
  assert_int_equal(place.part, THUD_LINE_ATOM);
  family.tail = "0";
  assert_int_equal(try_line(context, &good, &place), THUD_OK); /* nothing is kept */
  family.keep = 3;
  assert_int_equal(try_line(context, &good, &place), THUD_ERROR_ARGUMENT);
  assert_int_equal(place.part, THUD_LINE_FAMILY_TAIL);
  family = f1_family(-1);
  family.lump = true;
  family.has_limit = false;
  assert_int_equal(try_line(context, &good, &place), THUD_ERROR_ARGUMENT);
  family.time = "sqrt(-1-n)";
  assert_int_equal(try_line(context, &good, &place), THUD_ERROR_NOT_FINITE);
  assert_int_equal(place.part, THUD_LINE_FAMILY_TIME);
  thud_test_context_end(context);
}

static int stop_at_once(void *user, const thud_line_frame *frame) {
  (void)frame;
  return *(int *)user;
}

static void runs_can_be_stopped_and_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_line *line = make_f3(context, 6);
  thud_line_options options = thud_line_options_default();
  thud_line_info info = {.steps = 77};
  int answer = 1;
  double q = 2, not_finite = NAN;
  const double backwards[] = {2, 1};
  for (int method = 0; method < 2; method++) {
    options.method = method;
    answer = 1;
    assert_int_equal(
        thud_line_run(context, line, &options, &q, &zero, 0, NULL, stop_at_once, &answer, NULL, NULL, &info), THUD_OK);
    assert_int_equal(info.status, THUD_LINE_INTERRUPTED);
    answer = -1;
    assert_int_equal(
        thud_line_run(context, line, &options, &q, &zero, 0, NULL, stop_at_once, &answer, NULL, NULL, &info),
        THUD_ERROR_CALLBACK);
  }
  assert_int_equal(thud_line_run(context, line, &options, &not_finite, &zero, 0, NULL, NULL, NULL, NULL, NULL, &info),
                   THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_line_run(context, line, &options, &q, &zero, 2, backwards, NULL, NULL, NULL, NULL, &info),
                   THUD_ERROR_ARGUMENT);
  options.order = 1;
  assert_int_equal(thud_line_run(context, line, &options, &q, &zero, 0, NULL, NULL, NULL, NULL, NULL, &info),
                   THUD_ERROR_ARGUMENT);
  options = thud_line_options_default();
  options.max_events = 2;
  assert_int_equal(thud_line_run(context, line, &options, &q, &zero, 0, NULL, NULL, NULL, NULL, NULL, &info), THUD_OK);
  assert_int_equal(info.status, THUD_LINE_TOO_MANY);
  thud_line_destroy(line);
  /* A density without a Taylor series, one that is not finite, one that becomes negative. */
  static const char *const densities[] = {"sqrt(t)", "1/t", "0.5-t"};
  for (size_t k = 0; k < 3; k++) {
    thud_line_def def = {.n = 1, .mass = &one, .friction = &one, .density = &densities[k], .start = 0, .end = 1};
    line = make_line(context, &def);
    assert_int_equal(thud_line_run(context, line, &options, &q, &one, 0, NULL, NULL, NULL, NULL, NULL, &info), THUD_OK);
    assert_int_equal(info.status, THUD_LINE_BAD_DATA);
    NEAR(info.time, k == 2 ? 0.5 : 0, 1e-10);
    thud_line_destroy(line);
  }
  thud_test_context_end(context);
}

static thud_error whole_run(thud_context *context, void *user) {
  const int *method = user;
  static const double mass[] = {2, 1, 1, 2};
  static const double friction[] = {1, 1};
  static const char *const density[] = {"abs(sin(t))", "1"};
  thud_line_family family = f1_family(5);
  thud_line_train train = {.first = 0, .period = 0.4, .weight = 1, .count = 2};
  thud_line_atom atom = {.t = 0.3, .weight = 1, .normal = friction};
  thud_line_def def = {.n = 2,
                       .mass = mass,
                       .friction = friction,
                       .density = density,
                       .start = 0,
                       .end = 1,
                       .atom_count = 1,
                       .atoms = &atom,
                       .train_count = 1,
                       .trains = &train,
                       .family_count = 1,
                       .families = &family};
  thud_expr_scope *scope = NULL;
  thud_index slot;
  thud_line *line = NULL;
  thud_line_options options = thud_line_options_default();
  const double q0[] = {0, 0}, u0[] = {1, -2};
  double q[] = {7, 7}, u[] = {7, 7};
  options.method = *method;
  options.steps = 10;
  thud_error error = thud_expr_scope_create(context, &scope);
  if (error == THUD_OK) error = thud_expr_scope_add_variable(scope, "t", &slot);
  if (error == THUD_OK) error = thud_line_create(context, scope, &def, NULL, &line);
  if (error == THUD_OK) error = thud_line_run(context, line, &options, q0, u0, 0, NULL, NULL, NULL, q, u, NULL);
  assert_true(error == THUD_OK || (q[0] == 7 && u[1] == 7));
  thud_line_destroy(line);
  thud_expr_scope_destroy(scope);
  return error;
}

static void failing_memory_leaves_nothing_behind(void **state) {
  (void)state;
  for (int method = 0; method < 2; method++) assert_true(thud_test_sweep_allocations(whole_run, &method) > 40);
}

/* The number of allocations does not depend on the length of the run. */
static void arcs_and_steps_allocate_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int method = 0; method < 2; method++) {
    uint64_t counts[2];
    for (int k = 0; k < 2; k++) {
      thud_line *line = make_f3(context, k == 0 ? 2 : 20);
      const double q0 = 2;
      uint64_t before = thud_context_allocation_count(context);
      run(context, line, (thud_line_method)method, k == 0 ? 10 : 1000, &q0, &zero, 0, NULL);
      counts[k] = thud_context_allocation_count(context) - before;
      thud_line_destroy(line);
    }
    assert_int_equal(counts[0], counts[1]);
  }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(f1_whole_family_stops_at_the_accumulation),
      cmocka_unit_test(f1_keeping_n_atoms_errs_by_the_tail),
      cmocka_unit_test(f3_has_its_listed_numbers),
      cmocka_unit_test(implicit_steps_converge_with_order_one),
      cmocka_unit_test(degenerate_starts_are_decided_by_the_first_order_that_moves),
      cmocka_unit_test(a_load_on_the_bound_for_ever_is_undecided),
      cmocka_unit_test(friction_that_grows_from_nothing),
      cmocka_unit_test(a_belt_carries_a_block_until_the_spring_wins),
      cmocka_unit_test(a_belt_that_jumps_lets_the_block_slide),
      cmocka_unit_test(kinks_of_the_data_are_events),
      cmocka_unit_test(random_systems_obey_the_friction_law),
      cmocka_unit_test(two_motions_come_no_further_apart),
      cmocka_unit_test(both_roads_meet),
      cmocka_unit_test(bad_definitions_are_refused_with_their_place),
      cmocka_unit_test(runs_can_be_stopped_and_refused),
      cmocka_unit_test(failing_memory_leaves_nothing_behind),
      cmocka_unit_test(arcs_and_steps_allocate_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
