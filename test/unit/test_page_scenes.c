/* Pages of motions that were run: films of drawings and recorded bodies, against closed forms. */
#include "page_reader.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/page.h"
#include "thud/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Free flight: time stepping is exact at its nodes but for the scheme's constant offset, so that the record is the
 * reference; what is drawn are expressions of its state. */
static const char flight[] = "thud: 1\n"
                             "title: Flight\n"
                             "system:\n"
                             "  coordinates: [x, z]\n"
                             "  kinetic_energy: 0.5*x'^2 + 0.5*z'^2\n"
                             "  potential_energy: 10*z\n"
                             "  constraints: [{name: floor, gap: z, restitution: 0.5}]\n"
                             "initial: {x: 0, z: 0.2, x': 2, z': 1}\n"
                             "simulate: {method: moreau-jean, end: 1, steps: 40}\n"
                             "draw:\n"
                             "  - line: {points: [[0, 0], [2, 0]], paint: obstacle}\n"
                             "  - circle: {at: [x, z], radius: 0.1, angle: -5*x}\n"
                             "  - arrow: {at: [x, z], vector: [x', z'], paint: velocity}\n"
                             "  - trace: {at: [x, z]}\n";

static const char fall[] =
    "thud: 1\n"
    "title: Fall\n"
    "gravity: [0, 0, -10]\n"
    "materials: {stone: {friction: 0.5, density: 1000}}\n"
    "bodies:\n"
    "  - {name: floor, fixed: true, shape: plane, material: stone}\n"
    "  - {name: ball, shape: {sphere: 0.1}, material: stone, position: [3, 1, 1], velocity: [1, 0, 0],"
    " spin: [0, 0, 3]}\n"
    "  - {name: crate, shape: {box: [0.4, 0.2, 0.1]}, material: stone, position: [0, 0, 0.05]}\n"
    "simulate: {end: 0.4, steps: 40}\n";

/* A door that is latched at 0.2 and let go at 0.3, a weight on a rope, and a gear, which holds no place. */
static const char held[] =
    "thud: 1\n"
    "title: Held\n"
    "gravity: [0, 0, -10]\n"
    "bodies:\n"
    "  - {name: door, shape: {box: [1, 0.1, 2]}, mass: 1, position: [0.5, 0, 0], group: 1}\n"
    "  - {name: weight, shape: {sphere: 0.1}, mass: 1, position: [3, 0, -1], group: 1}\n"
    "joints:\n"
    "  - {joint: gear, name: wheels, a: door, b: weight, at_a: [-0.5, 0, 0], at_b: [0, 0, 0], axis: [0, 0, 1],"
    " radius_a: 1, radius_b: 1}\n"
    "  - {joint: hinge, name: post, a: door, at: [0, 0, 0.5], axis: [0, 0, 1]}\n"
    "  - {joint: rope, name: rope, a: weight, at_b: [3, 0, 0], length: 1.5}\n"
    "  - {joint: ball, name: latch, a: door, at: [1, 0, 0], absent: true}\n"
    "changes:\n"
    "  - {at: 0.2, do: attach, joint: latch}\n"
    "  - {at: 0.3, do: detach, joint: latch}\n"
    "simulate: {end: 0.4, steps: 40}\n";

static void run_scene(thud_context *context, const char *text, const char *name) {
  thud_tree *tree;
  thud_scene *scene;
  thud_run_result result;
  thud_run_options options = thud_run_options_default();
  options.record = thud_test_path(name);
  options.overwrite = true;
  assert_int_equal(thud_tree_read_text(context, "scene", text, strlen(text), &tree), THUD_OK);
  if (thud_scene_build(context, tree, &scene) != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
}

static thud_error write_page(thud_context *context, const char *record, const char *page) {
  char source[512];
  snprintf(source, sizeof source, "%s", thud_test_path(record));
  const char *const records[] = {source};
  thud_page_options options = thud_page_options_default();
  options.overwrite = true;
  return thud_page_write(context, 1, records, NULL, &options, thud_test_path(page));
}

static page_reader page_of(thud_context *context, const char *text) {
  run_scene(context, text, "run.h5");
  if (write_page(context, "run.h5", "run.html") != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  return page_reader_open(context, thud_test_path("run.html"));
}

static double *numbers(const page_reader *page, const char *path, size_t *count) {
  return page_reader_numbers(page, page_reader_find(page, path), count);
}

/* ---- films ------------------------------------------------------------------------------------------------------------ */

/* The state at the time and side of a frame; both come from samples of the same record. */
static size_t sample_of(size_t count, const double *t, const double *side, double when, double which) {
  for (size_t k = 0; k < count; k++)
    if (t[k] == when && (side[k] == 0 || which == 0 ? side[k] >= 0 : side[k] == which)) return k;
  fail_msg("no sample at t = %g, side %g", when, which);
  return 0;
}

static void a_film_draws_the_state(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  page_reader page = page_of(context, flight);
  size_t frames, samples, n;
  double *t = numbers(&page, "records.0.film.t", &frames), *side = numbers(&page, "records.0.film.side", &n);
  double *when = numbers(&page, "records.0.state.t", &samples), *from = numbers(&page, "records.0.state.side", &n);
  double *x = numbers(&page, "records.0.state.columns.0.values", &n);
  double *z = numbers(&page, "records.0.state.columns.1.values", &n);
  double *vz = numbers(&page, "records.0.state.columns.3.values", &n);
  double *circle = numbers(&page, "records.0.film.marks.1.values", &n);
  assert_int_equal(n, 4 * frames);
  double *arrow = numbers(&page, "records.0.film.marks.2.values", &n);
  assert_int_equal(n, 4 * frames);
  thud_assert_greater(frames, 41); /* the impact has two limits */
  /* half of a step: 1/16384 of the panel (at most 2.2 wide), of a turn, and of the longest velocity */
  const double panel = 0.5 * 2.3 / 16384, turn = 0.5 * 6.3 / 16384, speed = 0.5 * 5 / 16384.0;
  for (size_t k = 0; k < frames; k++) {
    size_t at = sample_of(samples, when, from, t[k], side[k]);
    thud_assert_near(circle[4 * k], x[at], panel);
    thud_assert_near(circle[4 * k + 1], z[at], panel);
    thud_assert_near(circle[4 * k + 2], 0.1, panel);
    thud_assert_near(circle[4 * k + 3], -5 * x[at], turn);
    thud_assert_near(arrow[4 * k + 3], vz[at], speed);
  }
  assert_true(thud_node_bool(page_reader_find(&page, "records.0.film.marks.0.still")));
  assert_false(thud_node_bool(page_reader_find(&page, "records.0.film.marks.1.still")));
  double *ends = numbers(&page, "records.0.film.marks.3.ends", &n); /* the trace grows */
  assert_int_equal(n, frames);
  for (size_t k = 1; k < frames; k++)
    thud_assert_at_least(ends[k] - ends[k - 1], k > 1 ? ends[k - 1] - ends[k - 2] : 0);
  double *const arrays[] = {t, side, when, from, x, z, vz, circle, arrow, ends};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
  page_reader_close(&page);
  thud_test_context_end(context);
}

/* ---- bodies ----------------------------------------------------------------------------------------------------------- */

static void bodies_are_where_they_fall(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  page_reader page = page_of(context, fall);
  size_t frames, n;
  double *t = numbers(&page, "records.0.bodies.t", &frames), *moving = numbers(&page, "records.0.bodies.moving", &n);
  size_t m = n, ball = moving[0] == 1 ? 0 : SIZE_MAX;
  assert_int_equal(ball, 0);
  assert_int_equal(frames, 41);
  double *position = numbers(&page, "records.0.bodies.chunks.0.position", &n);
  assert_int_equal(n, 3 * m * frames);
  double *rotation = numbers(&page, "records.0.bodies.chunks.0.rotation", &n);
  const double step = 0.5 * 0.23 / 4096, turn = 0.5 / 32768; /* of the median radius */
  for (size_t k = 0; k < frames; k++) {
    const double *p = position + 3 * (k * m + ball), *q = rotation + 4 * (k * m + ball);
    thud_assert_near(p[0], 3 + t[k], step);
    thud_assert_near(p[1], 1, step);
    thud_assert_near(p[2], 1 - 5 * t[k] * t[k], step); /* the midpoint rule is exact for a parabola */
    thud_assert_near(q[0], cos(1.5 * t[k]), turn + 1e-6);
    thud_assert_near(q[3], sin(1.5 * t[k]), turn + 1e-6);
  }
  double *const arrays[] = {t, moving, position, rotation};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
  assert_string_equal(page_reader_text(&page, "records.0.bodies.shapes.0.kind"), "plane");
  assert_string_equal(page_reader_text(&page, "records.0.bodies.force_unit"), "N");
  page_reader_close(&page);
  thud_test_context_end(context);
}

static void assert_numbers(const page_reader *page, const char *path, size_t count, const double *expected) {
  char each[160];
  assert_int_equal(thud_node_count(page_reader_find(page, path)), count);
  for (size_t k = 0; k < count; k++) {
    snprintf(each, sizeof each, "%s.%zu", path, k);
    thud_assert_near(thud_node_number(page_reader_find(page, each)), expected[k], 1e-15);
  }
}

static void joints_are_where_they_hold(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  page_reader page = page_of(context, held);
  assert_int_equal(thud_node_count(page_reader_find(&page, "records.0.bodies.joints")), 3);
  assert_string_equal(page_reader_text(&page, "records.0.bodies.joints.0.kind"), "hinge");
  assert_numbers(&page, "records.0.bodies.joints.0.point_a", 3, (double[]){-0.5, 0, 0.5});
  assert_numbers(&page, "records.0.bodies.joints.0.point_b", 3, (double[]){0, 0, 0.5});
  assert_numbers(&page, "records.0.bodies.joints.0.axis", 3, (double[]){0, 0, 1});
  assert_numbers(&page, "records.0.bodies.joints.0.switches", 0, NULL);
  assert_string_equal(page_reader_text(&page, "records.0.bodies.joints.1.name"), "rope");
  assert_numbers(&page, "records.0.bodies.joints.1.point_b", 3, (double[]){3, 0, 0});
  thud_assert_near(thud_node_number(page_reader_find(&page, "records.0.bodies.joints.1.length")), 1.5, 1e-15);
  assert_true(thud_node_bool(page_reader_find(&page, "records.0.bodies.joints.2.absent")));
  assert_numbers(&page, "records.0.bodies.joints.2.switches", 2, (double[]){0.2, 0.3});
  page_reader_close(&page);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_film_draws_the_state),
      cmocka_unit_test(bodies_are_where_they_fall),
      cmocka_unit_test(joints_are_where_they_hold),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
