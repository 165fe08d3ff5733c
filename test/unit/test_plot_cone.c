/* Pictures of quasi-static records: reactions within their cones, loops over the load. */
#include "scratch_folder.h"
#include "testing.h"
#include "thud/plot.h"
#include "thud/run.h"
#include "thud/tree.h"

#include <math.h>
#include <string.h>

static const char plane[] = "thud: 1\n"
                            "parameters: {mu: 0.5}\n"
                            "quasistatic:\n"
                            "  unknowns: [n, x]\n"
                            "  stiffness: [[1, 0.5], [0.5, 1]]\n"
                            "  load: {n: 2, x: 1.5*sin(2*pi*t)}\n"
                            "  contacts: [{name: foot, normal: -n, tangential: x, mu: mu}]\n"
                            "simulate: {method: event-driven, end: 2, steps: 200}\n";
static const char space[] = "thud: 1\n"
                            "quasistatic:\n"
                            "  unknowns: [n, x, y]\n"
                            "  stiffness: [[1, 0.2, 0], [0.2, 1, 0], [0, 0, 1]]\n"
                            "  load: {n: 2*sin(t), x: 2*cos(t), y: t}\n"
                            "  contacts: [{name: foot, normal: -n, tangential: [x, y], mu: 0.4}]\n"
                            "simulate: {end: 6, steps: 100}\n";

static void write_run(thud_context *context, const char *text, const char *name) {
  thud_tree *tree;
  thud_scene *scene;
  thud_run_result result = {0};
  thud_run_options options = thud_run_options_default();
  options.record = thud_test_path(name);
  options.overwrite = true;
  assert_int_equal(thud_tree_read_text(context, "scene.yaml", text, strlen(text), &tree), THUD_OK);
  assert_int_equal(thud_scene_build(context, tree, &scene), THUD_OK);
  assert_int_equal(thud_scene_run(scene, &options, &result), THUD_OK);
  assert_int_equal(result.verdict, THUD_VERDICT_GOOD);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
}

static thud_picture *picture_of(thud_context *context, const char *name, thud_plot_choice choice) {
  const char *paths[] = {thud_test_path(name)};
  thud_picture *picture;
  assert_int_equal(thud_picture_create(context, 1, paths, &choice, &picture), THUD_OK);
  return picture;
}

/* |r_T| <= mu r_N everywhere, and = somewhere: it slips both ways. */
static void a_path_in_the_plane_stays_between_its_lines(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  write_run(context, plane, "plane.h5");
  thud_picture *picture = picture_of(context, "plane.h5", (thud_plot_choice){.cone = "foot"});
  const thud_plot_figure *figure = thud_picture_figure(picture);
  const thud_plot_panel *panel = &figure->panels[0];
  assert_int_equal(figure->panel_count, 1);
  assert_string_equal(figure->x_label, "foot.n");
  assert_string_equal(panel->y_label, "foot.t");
  assert_int_equal(panel->series_count, 3); /* two lines, the path */
  for (size_t k = 0; k < 2; k++) {
    const thud_plot_series *line = &panel->series[k];
    assert_int_equal(line->count, 2);
    thud_assert_equal(line->x[0], 0);
    thud_assert_equal(line->y[0], 0);
    thud_assert_near(line->y[1] / line->x[1], k == 0 ? .5 : -.5, 1e-14);
    thud_assert_near(line->x[1], 1.05 * 2.2, 1e-12); /* r_N = F_N - w U_T, U_T from -.4 */
  }
  const thud_plot_series *path = &panel->series[2];
  double high = -INFINITY, low = INFINITY;
  for (size_t k = 0; k < path->count; k++) {
    high = fmax(high, path->y[k] - .5 * path->x[k]);
    low = fmin(low, path->y[k] + .5 * path->x[k]);
  }
  thud_assert_near(high, 0, 1e-12);
  thud_assert_near(low, 0, 1e-12);
  thud_picture_destroy(picture);
  thud_test_context_end(context);
}

/* In space the reaction over its bound is in the unit disc; the contact opens and closes: the path has pieces. */
static void a_path_in_space_stays_in_the_disc(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  write_run(context, space, "space.h5");
  thud_picture *picture = picture_of(context, "space.h5", (thud_plot_choice){.cone = "foot"});
  const thud_plot_figure *figure = thud_picture_figure(picture);
  const thud_plot_panel *panel = &figure->panels[0];
  assert_true(figure->equal_aspect);
  assert_int_equal(panel->series_count, 2);
  double largest = 0;
  for (size_t k = 0; k < panel->series[0].count; k++)
    thud_assert_near(hypot(panel->series[0].x[k], panel->series[0].y[k]), 1, 1e-15);
  for (size_t k = 0; k < panel->series[1].count; k++)
    largest = fmax(largest, hypot(panel->series[1].x[k], panel->series[1].y[k]));
  thud_assert_near(largest, 1, 1e-9);
  thud_assert_less(panel->series[1].count, 100); /* the open part is left out */
  thud_picture_destroy(picture);
  thud_test_context_end(context);
}

/* The loop that encloses the loss of a cycle, 2.0622222: the area is the integral of U_T dF_T. */
static void a_loop_over_the_load_has_the_area_of_the_loss(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  write_run(context, plane, "plane.h5");
  thud_picture *picture = picture_of(context, "plane.h5", (thud_plot_choice){.phase = "load.x,x"});
  const thud_plot_figure *figure = thud_picture_figure(picture);
  const thud_plot_series *path = &figure->panels[0].series[0];
  assert_string_equal(figure->x_label, "load.x");
  assert_string_equal(figure->panels[0].y_label, "x");
  double area = 0;
  size_t last = path->count - 1, first = last;
  while (first > 0 && !(fabs(path->x[first]) < 1e-12 && path->x[first - 1] < 0 && last - first > 10)) first--;
  for (size_t k = first; k < last; k++) area -= (path->y[k] + path->y[k + 1]) / 2 * (path->x[k + 1] - path->x[k]);
  thud_assert_greater(first, 0);
  thud_assert_near(fabs(area), 2.0622222, 1e-6);
  thud_picture_destroy(picture);
  thud_test_context_end(context);
}

static void what_has_no_cone_is_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  write_run(context, plane, "plane.h5");
  const char *paths[] = {thud_test_path("plane.h5")};
  thud_picture *picture;
  assert_int_equal(thud_picture_create(context, 1, paths, &(thud_plot_choice){.cone = "hand"}, &picture),
                   THUD_ERROR_NOT_FOUND);
  assert_non_null(strstr(thud_context_last_message(context), "no contact 'hand'"));
  assert_int_equal(thud_picture_create(context, 1, paths, &(thud_plot_choice){.phase = "load.z,x"}, &picture),
                   THUD_ERROR_NOT_FOUND);
  assert_non_null(strstr(thud_context_last_message(context), "'load.z'"));
  thud_test_context_end(context);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, thud_test_folder_make, thud_test_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_path_in_the_plane_stays_between_its_lines), TEST(a_path_in_space_stays_in_the_disc),
      TEST(a_loop_over_the_load_has_the_area_of_the_loss), TEST(what_has_no_cone_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
