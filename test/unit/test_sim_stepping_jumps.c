/* Data that jump in time: steps end there, so that schemes keep their orders; energies, gaps, states of such runs. */
#include "failing_allocator.h"
#include "systems.h"
#include "run_motion.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { MOST_JUMPS = 64 };

/* x'' + x = f(t) from (1, 0), f constant between its jumps: turns about f. */
typedef struct pushed {
  const char *force;
  size_t jumps;
  double at[8], value[9];
} pushed;

static void pushed_exact(const pushed *push, double end, double *x, double *v) {
  double t = 0;
  *x = 1;
  *v = 0;
  for (size_t k = 0; k <= push->jumps; k++) {
    double next = k < push->jumps ? push->at[k] : end, d = next - t, y = *x - push->value[k], w = *v;
    *x = push->value[k] + y * cos(d) + w * sin(d);
    *v = w * cos(d) - y * sin(d);
    t = next;
  }
}

static const pushed pushes[] = {{"step(t - 0.31415)", 1, {0.31415}, {0, 1}},
                                {"if(t <= 1, 2, -1)", 1, {1}, {2, -1}}, /* at a node of every run */
                                {"step(sin(5*t))", 3, {PI / 5, 2 * PI / 5, 3 * PI / 5}, {1, 0, 1, 0}},
                                {"floor(2.5*t + 0.1) + sign(0.7 - t^2)",
                                 6,
                                 {0.36, 0.76, 0.83666002653407556, 1.16, 1.56, 1.96},
                                 {1, 2, 3, 1, 2, 3, 4}}};

static thud_system *pushed_system(thud_context *context, const char *force) {
  return thud_test_system_make(
      context, &(thud_test_system){
                   .coordinates = {"x"}, .kinetic_energy = "x'^2/2", .potential_energy = "x^2/2", .forces = {force}});
}

/* The times at which the steps end besides the equal ones. */
typedef struct nodes {
  double h, last, cut[MOST_JUMPS];
  size_t count, steps;
} nodes;

static int note_node(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  nodes *found = user;
  double place = frame->t / found->h;
  if (frame->t > 0) {
    thud_assert_nearer(frame->t - found->last, frame->step, 1e-15 * fabs(frame->t) + 1e-15);
    found->steps++;
  }
  if (fabs(place - round(place)) > 1e-9 && found->count < MOST_JUMPS) found->cut[found->count++] = frame->t;
  found->last = frame->t;
  return 0;
}

static void schemes_keep_their_orders_where_forces_jump(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const struct {
    thud_stepping_method method;
    double order;
  } schemes[] = {{THUD_STEPPING_MOREAU, 1},     {THUD_STEPPING_MABROUK, 1},      {THUD_STEPPING_MOREAU_JEAN, 2},
                 {THUD_STEPPING_STABILISED, 2}, {THUD_STEPPING_SECOND_ORDER, 2}, {THUD_STEPPING_IMPLICIT, 1}};
  for (size_t p = 0; p < sizeof pushes / sizeof *pushes; p++) {
    thud_system *system = pushed_system(context, pushes[p].force);
    double x, v, q0 = 1, v0 = 0, q, w;
    pushed_exact(&pushes[p], 2, &x, &v);
    for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++) {
      double previous = 0;
      for (int n = 8; n <= 11; n++) {
        thud_stepping_options options = thud_test_stepping_options(schemes[s].method, 2, 1 << n);
        thud_stepping_motion_info info = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, &q, &w);
        assert_int_equal(info.status, THUD_MOTION_COMPLETED);
        assert_int_equal(info.jumps, pushes[p].jumps);
        double error = hypot(q - x, w - v);
        /* Differences of the next order are a few h. */
        if (n > 8) thud_assert_nearer(log2(previous / error), schemes[s].order, 0.05);
        previous = error;
      }
    }
    thud_system_destroy(system);
  }
  thud_test_context_end(context);
}

static void steps_end_at_every_jump_and_are_counted(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double q0 = 1, v0 = 0;
  for (size_t p = 0; p < sizeof pushes / sizeof *pushes; p++) {
    thud_system *system = pushed_system(context, pushes[p].force);
    nodes found = {.h = 2. / 64};
    size_t between = 0;
    thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_SECOND_ORDER, 2, 64);
    thud_stepping_motion_info info =
        thud_test_stepping(context, system, &options, &q0, &v0, note_node, &found, NULL, NULL);
    for (size_t k = 0; k < pushes[p].jumps; k++) {
      double place = pushes[p].at[k] / found.h;
      if (place == round(place)) continue;
      thud_assert_nearer(found.cut[between], pushes[p].at[k], 2e-15);
      between++;
    }
    assert_int_equal(found.count, between);
    assert_int_equal(found.steps, 64 + between);
    assert_int_equal(info.steps, 64 + between);
    thud_system_destroy(system);
  }
  /* 31 jumps within each of ten steps: bounds of the argument separate them. */
  thud_system *system = pushed_system(context, "step(sin(1000*t))");
  thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_SECOND_ORDER, 1, 10);
  thud_stepping_motion_info info = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, NULL, NULL);
  assert_int_equal(info.jumps, (uint64_t)floor(1000 / PI));
  assert_int_equal(info.steps, 10 + (size_t)floor(1000 / PI));
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* Kinks and switches that depend on the state are no jumps of data in time. */
static void other_switches_cut_no_steps(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *forces[] = {"abs(t - 0.31)", "max(0, t - 0.31)", "step(x - 0.5)", "step(t - 0.31 - x')", "step(t + 1)"};
  double q0 = 1, v0 = 0;
  for (size_t k = 0; k < sizeof forces / sizeof *forces; k++) {
    thud_system *system = pushed_system(context, forces[k]);
    thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_SECOND_ORDER, 1, 50);
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, NULL, NULL);
    assert_int_equal(info.steps, 50);
    assert_int_equal(info.jumps, 0);
    thud_system_destroy(system);
  }
  thud_test_context_end(context);
}

/* x = -t^2/2 until t1, when gravity 1 becomes 3: V = g x jumps by -t1^2, and that is work. */
static void what_a_jump_of_the_potential_gives_is_work(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(
      context, &(thud_test_system){
                   .coordinates = {"x"}, .kinetic_energy = "x'^2/2", .potential_energy = "if(t < 0.4567, 1, 3)*x"});
  const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU_JEAN, THUD_STEPPING_SECOND_ORDER,
                                          THUD_STEPPING_IMPLICIT};
  double q0 = 0, v0 = 0, q, v, t1 = 0.4567;
  for (size_t k = 0; k < 3; k++) {
    thud_stepping_options options = thud_test_stepping_options(methods[k], 1, 100);
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, &q, &v);
    double h = methods[k] == THUD_STEPPING_IMPLICIT ? 0.01 : 0; /* x of the implicit scheme is off by t h/2 */
    thud_assert_nearer(v, -t1 - 3 * (1 - t1), 1e-13);
    thud_assert_nearer(info.ledger.work, -t1 * t1, 1e-13 + t1 * h);
    thud_assert_nearer(info.ledger.defect, 0, 1e-13);
    thud_assert_less(info.ledger.identity, 1e-14);
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static thud_system *walled_system(thud_context *context, const char *gap, thud_constraint_kind kind) {
  return thud_test_system_make(context,
                               &(thud_test_system){.coordinates = {"x"},
                                                   .kinetic_energy = "x'^2/2",
                                                   .forces = {"-1"},
                                                   .constraints = {{.name = "wall", .kind = kind, .source = gap}}});
}

/* A support that is taken away at t1 lets the body fall: x = -(t - t1)^2/2, with no impact before and one after. */
static void a_gap_may_jump_open(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = walled_system(context, "x + 0.02*step(t - 0.2345)", THUD_CONSTRAINT_UNILATERAL);
  const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU_JEAN, THUD_STEPPING_STABILISED,
                                          THUD_STEPPING_SECOND_ORDER};
  double q0 = 0, v0 = 0, q, v;
  for (size_t k = 0; k < 3; k++) {
    thud_stepping_options options = thud_test_stepping_options(methods[k], 0.4, 100);
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, &q, &v);
    assert_int_equal(info.impacts, 0);
    thud_assert_nearer(q, -0.5 * (0.4 - 0.2345) * (0.4 - 0.2345), 1e-13); /* constant force: exact */
    thud_assert_nearer(v, -(0.4 - 0.2345), 1e-13);
    options.end = 0.6;
    info = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, &q, NULL);
    assert_int_equal(info.impacts, 1);
    thud_assert_nearer(q, -0.02, 0.006 * 0.2); /* one step's way */
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static void a_gap_that_jumps_shut_and_an_equation_that_jumps_are_named(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const struct {
    const char *gap;
    thud_constraint_kind kind;
    const char *message;
  } cases[] = {{"x + 1 - 2*step(t - 0.315)", THUD_CONSTRAINT_UNILATERAL, "t = 0.315: the gap 'wall' jumps shut"},
               {"x - step(t - 0.315)", THUD_CONSTRAINT_BILATERAL, "t = 0.315: equation 'wall' jumps from"}};
  double q0 = 0, v0 = 0;
  for (size_t k = 0; k < 2; k++) {
    thud_system *system = walled_system(context, cases[k].gap, cases[k].kind);
    thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_MOREAU_JEAN, 1, 100);
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, NULL, NULL);
    assert_int_equal(info.status, THUD_MOTION_BAD_DATA);
    thud_assert_nearer(info.time, 0.31, 1e-12); /* the last node before */
    assert_non_null(strstr(thud_context_last_message(context), cases[k].message));
    thud_system_destroy(system);
  }
  thud_test_context_end(context);
}

/* Friction that a jump of the belt turns round: v = 1 until t1, then it is braked by mu g to the belt's -1. */
static void belts_and_coefficients_jump_with_the_step(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *slip = "x' - 1 + 2*step(t - 0.1234)";
  thud_system *system =
      thud_test_system_make(context, &(thud_test_system){.coordinates = {"x", "y"},
                                                         .kinetic_energy = "(x'^2 + y'^2)/2",
                                                         .potential_energy = "10*y",
                                                         .constraints = {{.name = "belt", .source = "y"}},
                                                         .friction = {{.name = "rub",
                                                                       .constraint = 0,
                                                                       .kind = THUD_FRICTION_DISC,
                                                                       .directions = 1,
                                                                       .slip = &slip,
                                                                       .mu = "0.2 + 0.3*step(t - 0.3456)"}}});
  const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU, THUD_STEPPING_MOREAU_JEAN, THUD_STEPPING_STABILISED,
                                          THUD_STEPPING_SECOND_ORDER};
  double q0[2] = {0, 0}, v0[2] = {1, 0}, v[2];
  for (size_t k = 0; k < 4; k++) {
    thud_stepping_options options = thud_test_stepping_options(methods[k], 0.5, 50);
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, q0, v0, NULL, NULL, NULL, v);
    thud_assert_nearer(v[0], 1 - 2 * (0.3456 - 0.1234) - 5 * (0.5 - 0.3456), 1e-12); /* constant: exact */
    assert_int_equal(info.impacts, 0);
    assert_int_equal(info.jumps, 2);
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static void controlled_steps_end_at_jumps(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (size_t p = 0; p < sizeof pushes / sizeof *pushes; p++) {
    thud_system *system = pushed_system(context, pushes[p].force);
    double x, v, q0 = 1, v0 = 0, q, w;
    pushed_exact(&pushes[p], 2, &x, &v);
    thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_SECOND_ORDER, 2, 0);
    options.tolerance = 1e-6;
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, &q, &w);
    assert_int_equal(info.jumps, pushes[p].jumps);
    thud_assert_equal(info.time, 2);
    thud_assert_less(hypot(q - x, w - v), 10 * options.tolerance);
    thud_system_destroy(system);
  }
  thud_test_context_end(context);
}

/* ---- state blocks and memory ---------------------------------------------------------------------------------------- */

static void a_motion_restored_at_any_node_gives_the_same_bits(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = pushed_system(context, "step(sin(5*t)) + floor(3*t)*x");
  double q0 = 1, v0 = 0;
  for (int controlled = 0; controlled <= 1; controlled++) {
    thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_MOREAU_JEAN, 2, controlled ? 0 : 40);
    if (controlled) options.tolerance = 1e-3;
    double end;
    thud_stepping_motion_info whole = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, &end, NULL),
                              now;
    for (size_t stop = 0; stop < whole.steps; stop++) {
      thud_motion *first, *second;
      assert_int_equal(thud_stepping_motion_create(context, system, &options, &q0, &v0, &first), THUD_OK);
      assert_int_equal(thud_stepping_motion_create(context, system, &options, &q0, &v0, &second), THUD_OK);
      for (size_t k = 0; k <= stop; k++) assert_int_equal(thud_motion_step(first, NULL, NULL), THUD_OK);
      size_t size = thud_motion_state_size(first);
      void *block = malloc(size);
      thud_motion_save(first, block);
      assert_int_equal(thud_motion_restore(second, block, size), THUD_OK);
      assert_int_equal(thud_test_run_motion(second, NULL, &now), THUD_OK);
      assert_int_equal(now.steps, whole.steps);
      assert_int_equal(now.jumps, whole.jumps);
      thud_assert_equal(thud_stepping_motion_present(second).q[0], end);
      free(block);
      thud_motion_destroy(first);
      thud_motion_destroy(second);
    }
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static thud_error make_and_step(thud_context *context, void *user) {
  (void)user;
  thud_expr_scope *scope = NULL;
  thud_system *system = NULL;
  thud_motion *motion = NULL;
  const char *coordinates[] = {"x"}, *forces[] = {"step(t - 0.3) + floor(t)"};
  const thud_expr_system_def def = {.n = 1, .coordinates = coordinates, .kinetic_energy = "x'^2/2", .forces = forces};
  double q0 = 0, v0 = 0;
  thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_MOREAU, 1, 4);
  thud_error error = thud_expr_scope_create(context, &scope);
  if (error == THUD_OK) error = thud_system_create_expressions(context, scope, &def, NULL, &system);
  if (error == THUD_OK) error = thud_stepping_motion_create(context, system, &options, &q0, &v0, &motion);
  if (error == THUD_OK) error = thud_motion_run(motion, NULL, NULL);
  thud_motion_destroy(motion);
  thud_system_destroy(system);
  thud_expr_scope_destroy(scope);
  return error;
}

static void memory_may_end_anywhere(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(make_and_step, NULL), 20);
}

/* A mass on a wall under f(t), from rest: how often, and first when, the data let impacts accumulate from the right. */
static void noted_accumulations(void **state) {
  (void)state;
  static const struct {
    const char *force;
    uint32_t count;
    double time;
  } cases[] = {{"0", 0, 0},
               {"-t^3", 0, 0},                          /* analytic: nothing to note, though u' = 0 at the start */
               {"-exp(-1/t^2)", 1, 0},                  /* smooth, without a power series at 0 */
               {"if(t < 0.5, 0, -1)", 0, 0},            /* presses from the break on */
               {"if(t < 0.5, 0, 0.5 - t)", 1, 0.5},     /* a break of the first derivative */
               {"if(t < 0.5, 0, (0.5 - t)^5)", 1, 0.5}, /* of the fifth */
               {"if(t < 0.5, -1, -2)", 0, 0}};          /* loaded on both sides */
  static const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU, THUD_STEPPING_MOREAU_JEAN,
                                                 THUD_STEPPING_SECOND_ORDER};
  thud_context *context = thud_test_context(1);
  const double q0 = 0, v0 = 0;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (size_t j = 0; j < sizeof methods / sizeof *methods; j++) {
      thud_system *system =
          thud_test_system_make(context, &(thud_test_system){.coordinates = {"q"},
                                                             .kinetic_energy = "q'^2/2",
                                                             .forces = {cases[k].force},
                                                             .constraints = {{.name = "wall", .source = "q"}}});
      thud_stepping_options options = thud_test_stepping_options(methods[j], 1, 10);
      thud_stepping_motion_info info = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, NULL, NULL);
      assert_int_equal(info.right_accumulations, cases[k].count);
      assert_int_equal(info.right_accumulation_constraint, cases[k].count > 0 ? 0 : -1);
      thud_assert_near(info.right_accumulation_time, cases[k].time, 1e-14);
      thud_system_destroy(system);
    }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(schemes_keep_their_orders_where_forces_jump),
      cmocka_unit_test(steps_end_at_every_jump_and_are_counted),
      cmocka_unit_test(other_switches_cut_no_steps),
      cmocka_unit_test(what_a_jump_of_the_potential_gives_is_work),
      cmocka_unit_test(a_gap_may_jump_open),
      cmocka_unit_test(a_gap_that_jumps_shut_and_an_equation_that_jumps_are_named),
      cmocka_unit_test(belts_and_coefficients_jump_with_the_step),
      cmocka_unit_test(controlled_steps_end_at_jumps),
      cmocka_unit_test(a_motion_restored_at_any_node_gives_the_same_bits),
      cmocka_unit_test(noted_accumulations),
      cmocka_unit_test(memory_may_end_anywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
