/* Studies: distances of paths, orders of refinement, parity, sweeps against a closed form, failures. */
#include "failing_allocator.h"
#include "study/study_path.h"
#include "testing.h"
#include "thud/study.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static thud_tree *read_scene(thud_context *context, const char *text) {
  thud_tree *tree;
  if (thud_tree_read_text(context, "scene", text, strlen(text), &tree) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  return tree;
}

/* ---- distances -------------------------------------------------------------------------------------------------- */

/* Step function of value 0 before `at` and 1 after it, on [0, 1] with `steps` equal steps; q is its integral. */
static study_path step_function(thud_context *context, size_t steps, double at) {
  study_path path;
  assert_int_equal(thud_study_path_create(context, 1, steps + 1, &path), THUD_OK);
  for (size_t k = 0; k <= steps; k++) {
    double t = (double)k / (double)steps, q = fmax(0, t - at), after = t >= at,
           before = (double)k - 1 >= at * (double)steps;
    thud_study_path_add(&path, &(thud_stepping_frame){.t = t, .q = &q, .v_left = &before, .v = &after});
  }
  return path;
}

/* A jump of height 1 that comes d later: L1 distance d, sup of the integrals d, filled graphs d apart. */
static void shifted_jumps_are_as_far_apart_as_their_shift(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (size_t shift = 1; shift <= 16; shift *= 2) {
    double d = (double)shift / 64;
    study_path a = step_function(context, 64, 0.5), b = step_function(context, 64, 0.5 + d),
               fine = step_function(context, 256, 0.5 + d);
    thud_assert_nearer(thud_study_velocity_distance(&a, &b), d, 1e-14);
    thud_assert_nearer(thud_study_velocity_distance(&a, &fine), d, 1e-14);
    thud_assert_nearer(thud_study_position_distance(&a, &b), d, 1e-14);
    thud_assert_nearer(thud_study_graph_distance(&a, &b), d, 1e-14);
    thud_assert_nearer(thud_study_graph_distance(&b, &a), d, 1e-14);
    thud_assert_nearer(thud_study_graph_distance(&a, &fine), d, 1e-14);
    thud_assert_equal(thud_study_graph_distance(&a, &a), 0);
    thud_assert_equal(thud_study_velocity_distance(&a, &a), 0);
    thud_study_path_free(&a);
    thud_study_path_free(&b);
    thud_study_path_free(&fine);
  }
  thud_test_context_end(context);
}

/* From the vertex (0, 1) of a jump at 0 the nearest point of a jump at 1/4 is (1/4, 1), far from the first segment: what
 * lies in front of the list of lengths must not cut the search short. */
static void distances_read_their_own_numbers_only(void **state) {
  (void)state;
  enum { STEPS = 64 };
  thud_context *context = thud_test_context(1);
  study_path a = step_function(context, STEPS, 0), b = step_function(context, STEPS, 0.25);
  double guarded[2 * (STEPS + 1) + 2], *kept = b.length;
  memcpy(guarded + 1, b.length, 2 * (STEPS + 1) * sizeof *guarded);
  b.length = guarded + 1;
  for (int k = -1; k <= 1; k++) {
    guarded[0] = guarded[2 * (STEPS + 1) + 1] = k * 1e300;
    thud_assert_nearer(thud_study_graph_distance(&a, &b), 0.25, 1e-14);
    thud_assert_nearer(thud_study_graph_distance(&b, &a), 0.25, 1e-14);
  }
  b.length = kept;
  thud_study_path_free(&a);
  thud_study_path_free(&b);
  thud_test_context_end(context);
}

/* Random walks in the plane with jumps at some nodes, on [0, 1]. */
static study_path random_walk(thud_context *context, thud_random *random, size_t steps, double size) {
  study_path path;
  double v[2] = {0, 0}, left[2] = {0, 0}, q[2] = {0, 0};
  assert_int_equal(thud_study_path_create(context, 2, steps + 1, &path), THUD_OK);
  for (size_t k = 0; k <= steps; k++) {
    bool jumps = thud_random_uniform(random, 0, 1) < 0.1;
    for (size_t i = 0; i < 2; i++) {
      left[i] = v[i] + thud_random_uniform(random, -size, size) / (double)steps;
      v[i] = left[i] + (jumps ? thud_random_uniform(random, -size, size) : 0);
    }
    thud_study_path_add(&path, &(thud_stepping_frame){.t = (double)k / (double)steps, .q = q, .v_left = left, .v = v});
  }
  return path;
}

static void vertex(const study_path *path, size_t k, double *x) {
  x[0] = path->t[k / 2];
  memcpy(x + 1, (k % 2 == 0 ? path->v_left : path->v) + k / 2 * 2, 2 * sizeof(double));
}

/* The largest distance of a vertex of a to the nearest segment of b, over all pairs. */
static double all_pairs(const study_path *a, const study_path *b) {
  double worst = 0, x[3], from[3], to[3];
  for (size_t k = 0; k < 2 * a->count; k++) {
    double best = INFINITY;
    vertex(a, k, x);
    for (size_t j = 0; j + 1 < 2 * b->count; j++) {
      double along = 0, square = 0, sum = 0;
      vertex(b, j, from);
      vertex(b, j + 1, to);
      for (size_t i = 0; i < 3; i++) {
        along += (x[i] - from[i]) * (to[i] - from[i]);
        square += (to[i] - from[i]) * (to[i] - from[i]);
      }
      double s = square > 0 ? fmin(1, fmax(0, along / square)) : 0;
      for (size_t i = 0; i < 3; i++) sum += pow(from[i] + s * (to[i] - from[i]) - x[i], 2);
      best = fmin(best, sqrt(sum));
    }
    worst = fmax(worst, best);
  }
  return worst;
}

/* The search that leaves out what is too far away finds what the search over all pairs finds. */
static void graph_distances_are_those_over_all_pairs(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(6);
  for (int round = 0; round < 200; round++) {
    double size = pow(10, thud_random_uniform(&random, -2, 1));
    size_t steps = 1 + thud_random_below(&random, 60);
    study_path a = random_walk(context, &random, steps, size), b = random_walk(context, &random, 2 * steps, size);
    double expected = fmax(all_pairs(&a, &b), all_pairs(&b, &a));
    thud_assert_near(thud_study_graph_distance(&a, &b), expected, 1e-12 * (1 + expected));
    thud_assert_equal(thud_study_graph_distance(&a, &b), thud_study_graph_distance(&b, &a));
    thud_study_path_free(&a);
    thud_study_path_free(&b);
  }
  thud_test_context_end(context);
}

/* ---- refinement ---------------------------------------------------------------------------------------------------
 */

static const char bouncing[] = "thud: 1\n"
                               "system:\n"
                               "  coordinates: [q]\n"
                               "  kinetic_energy: \"0.5*q'^2\"\n"
                               "  forces: {q: 2}\n"
                               "  constraints: [{name: floor, phi: q, restitution: 0.5}]\n"
                               "initial: {q: -1}\n"
                               "simulate: {method: moreau, end: 4, steps: 100}\n";

/* C12 */
static const char parity[] = "thud: 1\n"
                             "system:\n"
                             "  coordinates: [x, y]\n"
                             "  kinetic_energy: \"0.5*(x'^2+y'^2)\"\n"
                             "  forces: {x: 4}\n"
                             "  constraints:\n"
                             "    - {name: a, phi: y, restitution: 1}\n"
                             "    - {name: b, phi: x+y, restitution: 1}\n"
                             "initial: {x: 0, y: -2, \"x'\": -2, \"y'\": 2}\n"
                             "simulate: {method: moreau, end: 3, steps: 100}\n";

static thud_error refine(thud_context *context, const char *scene, const char *method, int first, int last,
                         thud_study *study) {
  thud_tree *tree = read_scene(context, scene);
  if (method != NULL) assert_int_equal(thud_tree_set(tree, "simulate.method", method), THUD_OK);
  thud_study_options options = thud_study_options_default();
  options.first_level = first;
  options.last_level = last;
  thud_error error = thud_study_refine(context, tree, &options, study);
  thud_tree_destroy(tree);
  return error;
}

/* Nothing in the system depends on t: begun later it moves, and its errors are, as before. */
static void a_later_start_changes_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_study study[2];
  for (int k = 0; k < 2; k++) {
    thud_tree *tree = read_scene(context, bouncing);
    assert_int_equal(thud_tree_set(tree, "simulate.start", k == 0 ? "0" : "8"), THUD_OK);
    assert_int_equal(thud_tree_set(tree, "simulate.end", k == 0 ? "2" : "10"), THUD_OK);
    thud_study_options options = thud_study_options_default();
    options.first_level = 6;
    options.last_level = 9;
    assert_int_equal(thud_study_refine(context, tree, &options, &study[k]), THUD_OK);
    thud_tree_destroy(tree);
  }
  for (size_t i = 0; i < 4; i++) {
    const thud_study_row *early = &study[0].rows[i], *late = &study[1].rows[i];
    thud_assert_equal(late->step, exp2(1 - (double)(6 + i)));
    thud_assert_equal(late->step, early->step);
    assert_int_equal(late->impacts, early->impacts);
    thud_assert_near(late->penetration, early->penetration, 1e-12);
    if (i < 3) thud_assert_near(late->q_next, early->q_next, 1e-12);
  }
  for (int k = 0; k < 2; k++) thud_study_free(&study[k]);
  thud_test_context_end(context);
}

/* Case C1 converges with order 1 in the norms in which it may. */
static void the_zeno_ball_converges_with_order_one(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_study study;
  assert_int_equal(refine(context, bouncing, NULL, 8, 15, &study), THUD_OK);
  assert_int_equal(study.flags, 0);
  assert_int_equal(study.count, 8);
  thud_assert_nearer(study.q_order, 1, 0.1);
  thud_assert_nearer(study.v_order, 1, 0.1);
  thud_assert_nearer(study.graph_order, 1, 0.2);
  /* against the known sup error of 2.5 h at the finest level */
  double h = 4 * exp2(-15);
  thud_assert_greater(study.error_estimate, h / 4);
  thud_assert_less(study.error_estimate, 6 * h);
  for (size_t k = 0; k < study.count; k++) {
    const thud_study_row *row = &study.rows[k];
    assert_int_equal(row->steps, 1 << (8 + k));
    thud_assert_equal(row->step, 4 * exp2(-(double)(8 + k)));
    thud_assert_at_most(row->penetration, row->step);
    thud_assert_greater(row->impacts, 2);
    thud_assert_equal(isnan(row->q_next), (k + 1 == study.count));
    thud_assert_equal(isnan(row->q_second), (k + 2 >= study.count));
  }
  thud_study_free(&study);
  thud_test_context_end(context);
}

static void even_and_odd_refinements_of_case_c12_are_flagged(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_study study;
  assert_int_equal(refine(context, parity, NULL, 6, 12, &study), THUD_OK);
  assert_int_equal(study.flags, THUD_STUDY_PARITY);
  assert_non_null(
      strstr(study.message, "even and odd refinements converge to different motions: neighbouring levels stay"));
  assert_true(isnan(study.error_estimate));
  const thud_study_row *row = &study.rows[study.count - 3];
  thud_assert_nearer(row->q_next, hypot(4, 4), 0.1); /* (4,-4) and (8,-8) at the end */
  thud_assert_less(row->q_second, 0.1);
  thud_study_free(&study);
  assert_int_equal(refine(context, parity, "mabrouk", 6, 12, &study), THUD_OK);
  assert_int_equal(study.flags, 0);
  thud_study_free(&study);
  thud_test_context_end(context);
}

static int stop_half_way(void *user, double t, double start, double end) {
  (void)user;
  return (t - start) / (end - start) > 0.5;
}

static int stop_at_once(void *user, double t, double start, double end) {
  (void)user;
  (void)t;
  (void)start;
  (void)end;
  return 1;
}

static void refinements_that_cannot_be_made_say_why(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_study study = {.count = 77};
  assert_int_equal(refine(context, bouncing, NULL, 6, 7, &study), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "a study needs at least three levels, not 6 to 7", NULL);
  assert_int_equal(refine(context, bouncing, NULL, 0, 7, &study), THUD_ERROR_ARGUMENT);
  static const char sweeping[] = "thud: 1\n"
                                 "coordinates: [x]\n"
                                 "set: {interval: {low: [t], high: [t+1]}}\n"
                                 "initial: {x: 0}\n"
                                 "simulate: {end: 1}\n";
  assert_int_not_equal(refine(context, sweeping, NULL, 6, 9, &study), THUD_OK);
  thud_tree *tree = read_scene(context, bouncing);
  thud_study_options options = thud_study_options_default();
  options.progress = stop_half_way;
  assert_int_equal(thud_study_refine(context, tree, &options, &study), THUD_OK); /* what there is is kept */
  assert_int_equal(study.flags, THUD_STUDY_RUN_FAILED);
  assert_string_equal(study.message, "interrupted at level 12; the levels before are complete");
  assert_int_equal(study.count, 6);
  assert_true(study.rows[4].q_next > 0 && isnan(study.rows[5].q_next));
  thud_study_free(&study);
  options.progress = stop_at_once;
  study.count = 77;
  assert_int_equal(thud_study_refine(context, tree, &options, &study), THUD_ERROR_INTERRUPTED);
  assert_int_equal(study.count, 77); /* untouched */
  thud_tree_destroy(tree);
  static const char blow_up[] = "thud: 1\n"
                                "system:\n"
                                "  coordinates: [q]\n"
                                "  kinetic_energy: \"0.5*q'^2\"\n"
                                "  forces: {q: \"q'^2\"}\n"
                                "initial: {q: 0, \"q'\": 1}\n"
                                "simulate: {method: moreau, end: 3, steps: 100}\n";
  assert_int_equal(refine(context, blow_up, NULL, 8, 11, &study), THUD_OK);
  assert_int_equal(study.flags, THUD_STUDY_RUN_FAILED);
  assert_non_null(strstr(study.message, ": blow-up near t ="));
  thud_assert_equal(study.count, 1);
  assert_true(isnan(study.rows[0].q_next));
  assert_true(isnan(study.q_order));
  assert_true(isnan(study.error_estimate));
  thud_study_free(&study);
  thud_test_context_end(context);
}

static thud_error refine_once(thud_context *context, void *user) {
  thud_tree *tree = NULL;
  thud_study study = {.count = 77};
  (void)user;
  thud_study_options options = thud_study_options_default();
  options.first_level = 3;
  options.last_level = 5;
  thud_error error = thud_tree_read_text(context, "scene", bouncing, strlen(bouncing), &tree);
  if (error == THUD_OK) error = thud_study_refine(context, tree, &options, &study);
  if (error == THUD_OK)
    thud_study_free(&study);
  else
    assert_int_equal(study.count, 77);
  thud_tree_destroy(tree);
  return error;
}

/* ---- sweeps ---------------------------------------------------------------------------------------------------------
 */

static const char table[] = "thud: 1\n"
                            "parameters: {g: 9.81, A: 0.01, w: 35, e: 0.5}\n"
                            "system:\n"
                            "  coordinates: [z]\n"
                            "  kinetic_energy: \"0.5*z'^2\"\n"
                            "  forces: {z: -g}\n"
                            "  constraints: [{name: table, gap: z - A*sin(w*t), restitution: e}]\n"
                            "initial: {z: 0.001, \"z'\": pi*g/w}\n"
                            "simulate: {method: moreau-jean, end: 8, steps: 40000}\n";

static thud_sweep_study_options sweep_options(const char *quantity) {
  thud_sweep_study_options options = thud_sweep_study_options_default();
  options.parameter = "w";
  options.from = 33;
  options.to = 38;
  options.count = 6;
  options.where = "table";
  options.quantity = quantity;
  options.after = 6;
  return options;
}

/* One bounce per period of the table, stable for these w: the ball comes with -pi g/w at the phase
 * cos(w t) = pi g (1-e)/(A w^2 (1+e)). */
static void bounces_lie_on_the_orbit_of_period_one(void **state) {
  (void)state;
  thud_context *context = thud_test_context(2);
  thud_tree *tree = read_scene(context, table);
  double h = 8.0 / 40000;
  for (int what = 0; what <= 1; what++) {
    thud_sweep_study_options options = sweep_options(what == 0 ? "z'" : "cos(w*t)");
    thud_sweep_study study;
    assert_int_equal(thud_study_sweep(context, tree, &options, &study), THUD_OK);
    assert_int_equal(study.failed, 0);
    thud_assert_at_least(study.count, 6 * 10);
    for (size_t k = 0; k < study.count; k++) {
      const thud_sweep_point *point = &study.points[k];
      double w = point->value;
      thud_assert_nearer(w, (33 + (double)point->run), 1e-12);
      thud_assert_at_least(point->t, 6);
      double velocity = -PI * 9.81 / w, phase = PI * 9.81 * 0.5 / (0.01 * w * w * 1.5);
      if (what == 0)
        thud_assert_nearer(point->quantity, velocity, 3 * 9.81 * 2 * h);
      else
        thud_assert_nearer(point->quantity, phase, 4 * w * h);
    }
    thud_sweep_study_free(&study);
  }
  thud_tree_destroy(tree);
  thud_test_context_end(context);
}

static void sections_by_period_zeros_and_end_agree_with_the_orbit(void **state) {
  (void)state;
  thud_context *context = thud_test_context(2);
  thud_tree *tree = read_scene(context, table);
  thud_sweep_study_options options = sweep_options("z");
  options.count = 1;
  options.from = options.to = 35;
  options.section = THUD_SECTION_PERIOD;
  options.where = "2*pi/w";
  thud_sweep_study study;
  assert_int_equal(thud_study_sweep(context, tree, &options, &study), THUD_OK);
  size_t periods = study.count;
  thud_assert_equal(periods, (size_t)(8 * 35 / (2 * PI)) - (size_t)(6 * 35 / (2 * PI)));
  for (size_t k = 1; k < study.count; k++) {
    thud_assert_nearer(study.points[k].t - study.points[k - 1].t, 2 * PI / 35, 1e-9);
    thud_assert_nearer(study.points[k].quantity, study.points[0].quantity, 1e-3);
  }
  thud_sweep_study_free(&study);
  options.section = THUD_SECTION_ZEROS; /* the tops of the flights: half a period after the bounces */
  options.where = "-z'";
  assert_int_equal(thud_study_sweep(context, tree, &options, &study), THUD_OK);
  thud_assert_at_least(study.count + 1, periods);
  thud_assert_at_most(study.count, periods + 1);
  double cosine = PI * 9.81 * 0.5 / (0.01 * 35 * 35 * 1.5), flight = PI / 35;
  double top = 0.01 * sqrt(1 - cosine * cosine) + 9.81 * flight * flight / 2;
  for (size_t k = 0; k < study.count; k++) thud_assert_nearer(study.points[k].quantity, top, 2e-3);
  thud_sweep_study_free(&study);
  options.section = THUD_SECTION_END;
  options.where = NULL;
  assert_int_equal(thud_study_sweep(context, tree, &options, &study), THUD_OK);
  thud_assert_equal(study.count, 1);
  thud_assert_equal(study.points[0].t, 8);
  thud_sweep_study_free(&study);
  thud_tree_destroy(tree);
  thud_test_context_end(context);
}

static void sweeps_give_the_same_bits_on_any_number_of_threads(void **state) {
  (void)state;
  thud_sweep_study results[2];
  thud_context *contexts[2];
  thud_sweep_study_options options = sweep_options("z'");
  options.from = 38;
  options.to = 46; /* chaos shows every difference */
  options.count = 9;
  for (int k = 0; k < 2; k++) {
    contexts[k] = thud_test_context(k == 0 ? 1 : 4);
    thud_tree *tree = read_scene(contexts[k], table);
    assert_int_equal(thud_study_sweep(contexts[k], tree, &options, &results[k]), THUD_OK);
    thud_tree_destroy(tree);
  }
  assert_int_equal(results[0].count, results[1].count);
  for (size_t k = 0; k < results[0].count; k++) {
    const thud_sweep_point *a = &results[0].points[k], *b = &results[1].points[k];
    thud_assert_equal(a->run, b->run);
    thud_assert_equal(a->value, b->value);
    thud_assert_equal(a->t, b->t);
    thud_assert_equal(a->quantity, b->quantity);
  }
  for (int k = 0; k < 2; k++) {
    thud_sweep_study_free(&results[k]);
    thud_test_context_end(contexts[k]);
  }
}

static void sweeps_that_cannot_be_made_say_why(void **state) {
  (void)state;
  thud_context *context = thud_test_context(2);
  thud_tree *tree = read_scene(context, table);
  thud_sweep_study study = {.count = 77};
  thud_sweep_study_options options = sweep_options("z'");
  options.where = "ceiling";
  assert_int_equal(thud_study_sweep(context, tree, &options, &study), THUD_ERROR_NOT_FOUND);
  thud_test_message_has(context, "there is no constraint 'ceiling' whose impacts could be looked at", NULL);
  options = sweep_options("z' +");
  assert_int_not_equal(thud_study_sweep(context, tree, &options, &study), THUD_OK);
  thud_test_message_has(context, "the quantity 'z' +': column 5: expected a number, a name or '(', found the end",
                        NULL);
  options = sweep_options("z'");
  options.section = THUD_SECTION_ZEROS;
  options.where = "y";
  assert_int_not_equal(thud_study_sweep(context, tree, &options, &study), THUD_OK);
  thud_test_message_has(context, "the section 'y': column 1: unknown name 'y'", NULL);
  options.section = THUD_SECTION_PERIOD;
  options.where = "0*w";
  assert_int_equal(thud_study_sweep(context, tree, &options, &study), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "the period '0*w' is 0: it must be positive", NULL);
  options.where = NULL;
  assert_int_equal(thud_study_sweep(context, tree, &options, &study), THUD_ERROR_ARGUMENT);
  options = sweep_options("z'");
  options.parameter = "unknown";
  assert_int_not_equal(thud_study_sweep(context, tree, &options, &study), THUD_OK);
  thud_test_message_has(context, "--set unknown: there is no parameter 'unknown'", NULL);
  options = sweep_options("z'");
  options.count = 0;
  assert_int_equal(thud_study_sweep(context, tree, &options, &study), THUD_ERROR_ARGUMENT);
  options = sweep_options(NULL);
  assert_int_equal(thud_study_sweep(context, tree, &options, &study), THUD_ERROR_ARGUMENT);
  options = sweep_options("z'");
  options.count = 40;
  options.progress = stop_half_way;
  assert_int_equal(thud_tree_set(tree, "simulate.steps", "1000"), THUD_OK);
  assert_int_equal(study.count, 77); /* untouched */
  assert_int_equal(thud_study_sweep(context, tree, &options, &study), THUD_OK);
  assert_int_equal(study.failed, 16);
  assert_string_equal(study.message, "interrupted after 24 of 40 runs, whose points are kept");
  assert_true(study.count > 0 && study.points[study.count - 1].run < 24);
  thud_sweep_study_free(&study);
  thud_tree_destroy(tree);
  thud_test_context_end(context);
}

/* e > 1 is bad input; a division by zero on the way ends single runs, which are counted. */
static void runs_that_end_early_are_counted(void **state) {
  (void)state;
  thud_context *context = thud_test_context(2);
  static const char scene[] = "thud: 1\n"
                              "parameters: {c: 1}\n"
                              "system:\n"
                              "  coordinates: [q]\n"
                              "  kinetic_energy: \"0.5*q'^2\"\n"
                              "  forces: {q: 1/(c - t)}\n"
                              "initial: {q: 0}\n"
                              "simulate: {method: moreau, end: 1, steps: 8}\n";
  thud_tree *tree = read_scene(context, scene);
  thud_sweep_study_options options = sweep_options("q");
  options.parameter = "c";
  options.from = 0.5;
  options.to = 2;
  options.count = 4; /* 0.5 and 1 divide by zero at a node */
  options.section = THUD_SECTION_END;
  options.where = NULL;
  options.after = 0;
  thud_sweep_study study;
  assert_int_equal(thud_study_sweep(context, tree, &options, &study), THUD_OK);
  assert_int_equal(study.failed, 2);
  assert_non_null(strstr(study.message,
                         "c = 0.5: the run ended at t = 0.375: the force of 'q' is not integrable at t = "
                         "0.5: no impulse of it exists"));
  thud_sweep_study_free(&study);
  thud_tree_destroy(tree);
  thud_test_context_end(context);
}

static void refinement_survives_failing_allocations(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(refine_once, NULL), 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_read_their_own_numbers_only),
      cmocka_unit_test(shifted_jumps_are_as_far_apart_as_their_shift),
      cmocka_unit_test(graph_distances_are_those_over_all_pairs),
      cmocka_unit_test(the_zeno_ball_converges_with_order_one),
      cmocka_unit_test(a_later_start_changes_nothing),
      cmocka_unit_test(even_and_odd_refinements_of_case_c12_are_flagged),
      cmocka_unit_test(refinements_that_cannot_be_made_say_why),
      cmocka_unit_test(bounces_lie_on_the_orbit_of_period_one),
      cmocka_unit_test(sections_by_period_zeros_and_end_agree_with_the_orbit),
      cmocka_unit_test(sweeps_give_the_same_bits_on_any_number_of_threads),
      cmocka_unit_test(sweeps_that_cannot_be_made_say_why),
      cmocka_unit_test(runs_that_end_early_are_counted),
      cmocka_unit_test(refinement_survives_failing_allocations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
