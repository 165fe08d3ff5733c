/* Snapshots of bodies: dots of the pictures are what the geometry says. */
#include "failing_allocator.h"
#include "image_dots.h"
#include "plot/raster.h"
#include "plot/snapshot.h"
#include "scratch_folder.h"
#include "testing.h"

#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- views made by hand ------------------------------------------------------------------------------------------------ */

enum { MOST = 8 };

/* Bodies of one part each, without a model. */
typedef struct toy {
  thud_context *context;
  bool planar;
  thud_index count;
  thud_shape *shapes[MOST];
  const thud_shape *const_shapes[MOST];
  thud_index numbers[MOST];
  unsigned char roles[MOST];
  thud_pose poses[MOST], origins[MOST];
} toy;

static void add(toy *made, thud_shape_def def, thud_body_role role, thud_pose pose) {
  thud_index k = made->count++;
  assert_int_equal(thud_shape_create(made->context, &def, &made->shapes[k]), THUD_OK);
  made->const_shapes[k] = made->shapes[k];
  made->numbers[k] = k;
  made->roles[k] = (unsigned char)role;
  made->poses[k] = pose;
  made->origins[k] = thud_pose_identity();
}

static thud_shape_def round_def(thud_shape_kind kind, double radius) {
  thud_shape_def def = thud_shape_def_default(kind);
  def.radius = radius;
  return def;
}

static thud_shape_def box_def(thud_shape_kind kind, double x, double y, double z) {
  thud_shape_def def = thud_shape_def_default(kind);
  def.half[0] = x;
  def.half[1] = y;
  def.half[2] = z;
  return def;
}

static thud_pose at(double x, double y, double z) {
  thud_pose pose = thud_pose_identity();
  pose.position = thud_vec3_make(x, y, z);
  return pose;
}

static void end(toy *made) {
  for (thud_index k = 0; k < made->count; k++) thud_shape_destroy(made->shapes[k]);
}

static snapshot_scene scene_of(const toy *made, size_t count, const body_row *rows) {
  snapshot_scene scene = {.context = made->context,
                          .count = count,
                          .rows = rows,
                          .title = "Toy",
                          .length_unit = "m",
                          .time_unit = "s",
                          .force_unit = "N",
                          .azimuth = -60,
                          .elevation = 25};
  scene.view = (thud_bodies_view){.planar = made->planar,
                                  .gravity = {0, made->planar ? -9.81 : 0, made->planar ? 0 : -9.81},
                                  .count = made->count,
                                  .role = made->roles,
                                  .part_count = made->count,
                                  .part_body = made->numbers,
                                  .part_shape = made->const_shapes,
                                  .part_shape_number = made->numbers,
                                  .part_pose = made->origins,
                                  .shape_count = made->count,
                                  .shapes = made->const_shapes};
  return scene;
}

static cairo_surface_t *draw(const snapshot_scene *scene, double width, double height) {
  thud_plot_options options = thud_plot_options_default();
  options.overwrite = true;
  options.width = width;
  options.height = height;
  options.dpi = 100;
  assert_int_equal(thud_snapshot_write(scene, &options, thud_test_path("a.png")), THUD_OK);
  cairo_surface_t *image = cairo_image_surface_create_from_png(thud_test_path("a.png"));
  assert_int_equal(cairo_surface_status(image), CAIRO_STATUS_SUCCESS);
  return image;
}

/* The box around the dots that are more red than blue (vermilion: body 1), and how many there are. */
typedef struct patch {
  int left, right, top, bottom, count;
} patch;

static patch find_red_between(cairo_surface_t *image, int first, int end_x) {
  patch found = {1 << 20, -1, 1 << 20, -1, 0};
  for (int y = 0; y < cairo_image_surface_get_height(image); y++)
    for (int x = first; x < end_x; x++) {
      int rgb[3];
      thud_test_dot(image, x, y, rgb);
      if (rgb[0] < rgb[2] + 40) continue;
      found.left = x < found.left ? x : found.left;
      found.right = x > found.right ? x : found.right;
      found.top = y < found.top ? y : found.top;
      found.bottom = y > found.bottom ? y : found.bottom;
      found.count++;
    }
  return found;
}

static patch find_red(cairo_surface_t *image) {
  return find_red_between(image, 0, cairo_image_surface_get_width(image));
}

/* ---- the depth buffer -------------------------------------------------------------------------------------------------- */

/* A ball of radius 1 and a triangle at w = 0.5 through it: nearest wins, depths and normals are those of the formula. */
static void the_nearest_surface_wins(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  raster image;
  const thud_vec3 corners[3] = {{-2, -2, 0.5}, {6, -2, 0.5}, {-2, 6, 0.5}}, away = {0, 0, -1};
  const thud_vec3 normals[3] = {away, away, away};
  assert_int_equal(thud_raster_begin(context, 40, 40, 2, -2, 2, 10, &image), THUD_OK);
  thud_raster_sphere(&image, RASTER_MOVING, 7, thud_vec3_make(0, 0, 0), 1);
  thud_raster_triangle(&image, RASTER_MOVING, 3, corners, normals);
  for (size_t row = 0; row < 80; row++)
    for (size_t column = 0; column < 80; column++) {
      double u = thud_raster_u(&image, column), v = thud_raster_v(&image, row), rest = 1 - u * u - v * v;
      const raster_sample *sample = &image.samples[RASTER_MOVING][row * 80 + column];
      bool ball = rest >= 0 && sqrt(rest) > 0.5;
      thud_vec3 normal = thud_raster_normal(sample->normal);
      assert_int_equal(sample->item, ball ? 7 : 3);
      thud_assert_near(sample->depth, ball ? sqrt(rest) : 0.5, 1e-6);
      thud_assert_near(normal.x, ball ? u : 0, 1.0 / 1022 + 1e-12); /* steps of 1/511 */
      thud_assert_near(normal.z, ball ? sqrt(rest) : 1, 1.0 / 1022 + 1e-12);
      assert_int_equal(image.samples[RASTER_STILL][row * 80 + column].item, RASTER_NOTHING);
      assert_ptr_equal(thud_raster_at(&image, RASTER_MOVING, u, v), sample);
    }
  assert_null(thud_raster_at(&image, RASTER_MOVING, 2.1, 0));
  thud_raster_end(&image);
  thud_test_context_end(context);
}

/* Normals of a cylinder: round around, with a crease between the side and the ends; of a box: those of its faces. */
static void normals_are_round_but_for_creases(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_CYLINDER);
  def.radius = 2;
  def.half_length = 1;
  thud_shape *shape = NULL;
  thud_shape_surface surface;
  double *normals = NULL;
  assert_int_equal(thud_shape_create(context, &def, &shape), THUD_OK);
  assert_int_equal(thud_shape_make_surface(context, shape, 32, 1, &surface), THUD_OK);
  thud_assert_greater(surface.triangle_count, 60);
  assert_int_equal(thud_snapshot_normals(context, &surface, false, &normals), THUD_OK);
  size_t sides = 0;
  for (size_t k = 0; k < 3 * surface.triangle_count; k++) {
    const double *p = surface.points + 3 * surface.triangles[k], *n = normals + 3 * k;
    bool side = fabs(n[2]) < 0.5;
    sides += side;
    thud_assert_near(n[0], side ? p[0] / 2 : 0, 0.06); /* not the mean over equal angles where triangles are halves */
    thud_assert_near(n[1], side ? p[1] / 2 : 0, 0.06);
    if (!side) thud_assert_near(n[2] * p[2], 1, 1e-12);
  }
  assert_int_equal(sides, 3 * 64);
  thud_free(context, normals);
  thud_shape_surface_free(context, &surface);
  thud_shape_destroy(shape);
  thud_test_context_end(context);
}

/* ---- pictures ---------------------------------------------------------------------------------------------------------- */

/* A vermilion ball in the middle of the picture of space, round, lit from above. */
static void a_ball_is_round_and_lit_from_above(void **state) {
  (void)state;
  toy made = {.context = thud_test_context(1)};
  add(&made, thud_shape_def_default(THUD_SHAPE_PLANE), THUD_BODY_FIXED, at(0, 0, -40));
  add(&made, round_def(THUD_SHAPE_SPHERE, 0.5), THUD_BODY_DYNAMIC, at(3, 4, 5));
  const body_row row = {.t = 1, .pose = made.poses};
  snapshot_scene scene = scene_of(&made, 1, &row);
  cairo_surface_t *image = draw(&scene, 4, 4);
  patch red = find_red(image);
  /* 288 pt less title and strip; 0.3 of the diagonal of the box around the ball on either side, and 4 % of all that */
  double room = 288 - 9 * (0.8 + 1.3 * 1.35) - 9 * 3.8, diameter = room / ((1 + 0.6 * sqrt(3)) * 1.08);
  thud_assert_near(red.right - red.left, diameter * 100 / 72, 2);
  thud_assert_at_most(abs((red.right - red.left) - (red.bottom - red.top)), 3);
  thud_assert_at_most(abs(red.left + red.right - 400), 4);
  double disc = 3.14159265358979 / 4 * (red.right - red.left) * (red.bottom - red.top);
  thud_assert_near(red.count / disc, 1, 0.05);
  int upper[3], lower[3], middle = (red.left + red.right) / 2, height = red.bottom - red.top;
  thud_test_dot(image, middle - 3, red.top + height / 5, upper);
  thud_test_dot(image, middle - 3, red.bottom - height / 10, lower);
  thud_assert_greater(upper[0], lower[0] + 40);
  cairo_surface_destroy(image);
  end(&made);
  thud_test_context_end(made.context);
}

/* Seen from above (elevation 90) an upright box is its top, from the front (azimuth -90) its side. */
static void the_view_turns_around_the_bodies(void **state) {
  (void)state;
  static const double views[3][4] = {{-90, 90, 0.4, 0.2}, {-90, 0, 0.4, 0.6}, {0, 0, 0.2, 0.6}};
  toy made = {.context = thud_test_context(1)};
  add(&made, box_def(THUD_SHAPE_BOX, 0.01, 0.01, 0.01), THUD_BODY_FIXED, at(0, 0, 0));
  add(&made, box_def(THUD_SHAPE_BOX, 0.2, 0.1, 0.3), THUD_BODY_DYNAMIC, at(0, 0, 0));
  const body_row row = {.pose = made.poses};
  snapshot_scene scene = scene_of(&made, 1, &row);
  for (int k = 0; k < 3; k++) {
    scene.azimuth = views[k][0];
    scene.elevation = views[k][1];
    cairo_surface_t *image = draw(&scene, 4, 4);
    patch red = find_red(image);
    double ratio = (double)(red.right - red.left + 1) / (red.bottom - red.top + 1);
    thud_assert_near(ratio / (views[k][2] / views[k][3]), 1, 0.03);
    thud_assert_near((double)red.count / ((red.right - red.left + 1) * (red.bottom - red.top + 1)), 1, 0.02);
    cairo_surface_destroy(image);
  }
  end(&made);
  thud_test_context_end(made.context);
}

/* A fixed wall in front of a ball does not hide it. */
static void what_stands_still_is_transparent_before_what_moves(void **state) {
  (void)state;
  toy made = {.context = thud_test_context(1)};
  add(&made, box_def(THUD_SHAPE_BOX, 1, 0.01, 1), THUD_BODY_FIXED, at(0, -1, 0));
  add(&made, round_def(THUD_SHAPE_SPHERE, 0.5), THUD_BODY_DYNAMIC, at(0, 0, 0));
  const body_row row = {.pose = made.poses};
  snapshot_scene scene = scene_of(&made, 1, &row);
  scene.azimuth = -90;
  scene.elevation = 0;
  cairo_surface_t *image = draw(&scene, 4, 4);
  patch behind = find_red(image);
  thud_assert_greater(behind.count, 5000);
  int covered[3], bare[3];
  thud_test_dot(image, (behind.left + behind.right) / 2 - 5, (behind.top + behind.bottom) / 2, covered);
  cairo_surface_destroy(image);
  scene.azimuth = 90; /* from the other side */
  image = draw(&scene, 4, 4);
  patch before = find_red(image);
  thud_assert_near((double)before.count / behind.count, 1, 0.02);
  thud_test_dot(image, (before.left + before.right) / 2 - 5, (before.top + before.bottom) / 2, bare);
  thud_assert_greater(bare[0] - bare[2], covered[0] - covered[2] + 20);
  cairo_surface_destroy(image);
  end(&made);
  thud_test_context_end(made.context);
}

/* In the plane: a disc of radius 1 and ground below, at the places of the axes; a red stroke where a force acts. */
static void bodies_of_the_plane_stand_on_their_ground(void **state) {
  (void)state;
  toy made = {.context = thud_test_context(1), .planar = true};
  add(&made, thud_shape_def_default(THUD_SHAPE_HALF_PLANE), THUD_BODY_FIXED, at(0, 0, 0));
  add(&made, round_def(THUD_SHAPE_DISC, 1), THUD_BODY_DYNAMIC, at(5, 1, 0));
  add(&made, box_def(THUD_SHAPE_RECTANGLE, 0.5, 0.5, 0), THUD_BODY_DYNAMIC, at(7, 0.5, 0));
  const body_contact contact = {.a = 1, .b = 0, .point = {5, 0, 0}, .normal = {0, 1, 0}, .impulse = {0, 0.1, 0}};
  body_row row = {.step = 0.01, .pose = made.poses};
  snapshot_scene scene = scene_of(&made, 1, &row);
  cairo_surface_t *image = draw(&scene, 5, 4);
  patch red = find_red(image);
  thud_assert_greater(red.right - red.left, 150);
  thud_assert_at_most(abs((red.right - red.left) - (red.bottom - red.top)), 1);
  int middle = (red.left + red.right) / 2, below[3], under[3];
  thud_test_dot(image, middle - 3, red.bottom + 8, below);
  for (int c = 0; c < 3; c++) thud_assert_near(below[c], 0.9 * 255, 2); /* ground */
  cairo_surface_destroy(image);
  row.contact_count = 1;
  row.contacts = &contact;
  scene.forces = true;
  image = draw(&scene, 5, 4);
  thud_test_dot(image, middle, red.bottom + 8, under);
  thud_assert_greater(under[0], under[2] + 100);
  cairo_surface_destroy(image);
  end(&made);
  thud_test_context_end(made.context);
}

/* Two times side by side show the same disc at the same scale, one diameter higher. */
static void times_share_one_scale(void **state) {
  (void)state;
  toy made = {.context = thud_test_context(1), .planar = true};
  add(&made, thud_shape_def_default(THUD_SHAPE_HALF_PLANE), THUD_BODY_FIXED, at(0, 0, 0));
  add(&made, round_def(THUD_SHAPE_DISC, 1), THUD_BODY_DYNAMIC, at(0, 1, 0));
  thud_pose later[2] = {made.poses[0], at(0, 3, 0)};
  const body_row rows[2] = {{.t = 0, .pose = made.poses}, {.t = 1, .pose = later}};
  snapshot_scene scene = scene_of(&made, 2, rows);
  cairo_surface_t *image = draw(&scene, 8, 4);
  patch first = find_red_between(image, 0, 400), second = find_red_between(image, 400, 800);
  int diameter = first.right - first.left;
  thud_assert_greater(diameter, 50);
  thud_assert_at_most(abs(second.right - second.left - diameter), 1);
  thud_assert_at_most(abs(second.left - first.left - 400), 1);
  thud_assert_at_most(abs(first.top - second.top - diameter), 2);
  cairo_surface_destroy(image);
  end(&made);
  thud_test_context_end(made.context);
}

/* Images within SVG and PDF, the same bytes each time, no larger than the picture's dots warrant. */
static void formats_have_an_image_within(void **state) {
  (void)state;
  toy made = {.context = thud_test_context(1)};
  add(&made, thud_shape_def_default(THUD_SHAPE_PLANE), THUD_BODY_FIXED, at(0, 0, 0));
  add(&made, round_def(THUD_SHAPE_SPHERE, 0.5), THUD_BODY_DYNAMIC, at(0, 0, 0.5));
  const body_row row = {.pose = made.poses};
  snapshot_scene scene = scene_of(&made, 1, &row);
  static const char *const names[2][2] = {{"a.svg", "b.svg"}, {"a.pdf", "b.pdf"}};
  for (int k = 0; k < 2; k++) {
    char *bytes[2];
    size_t counts[2];
    for (int i = 0; i < 2; i++) {
      thud_plot_options options = thud_plot_options_default();
      options.width = 3;
      assert_int_equal(thud_snapshot_write(&scene, &options, thud_test_path(names[k][i])), THUD_OK);
      FILE *file = fopen(thud_test_path(names[k][i]), "rb");
      assert_non_null(file);
      bytes[i] = calloc(1 << 20, 1);
      assert_non_null(bytes[i]);
      counts[i] = fread(bytes[i], 1, 1 << 20, file);
      fclose(file);
    }
    thud_assert_less(counts[0], 400000);
    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(bytes[0], bytes[1], counts[0]);
    if (k == 0) assert_non_null(strstr(bytes[0], "<image"));
    if (k == 0) assert_non_null(strstr(bytes[0], "<title>Toy, t = 0 s</title>"));
    free(bytes[0]);
    free(bytes[1]);
  }
  end(&made);
  thud_test_context_end(made.context);
}

/* ---- failing allocations ----------------------------------------------------------------------------------------------- */

static thud_error draw_small(thud_context *context, void *user) {
  toy made = *(const toy *)user;
  const body_row row = {.pose = made.poses};
  made.context = context;
  snapshot_scene scene = scene_of(&made, 1, &row);
  thud_plot_options options = thud_plot_options_default();
  options.overwrite = true;
  options.width = options.height = 1;
  options.dpi = 40;
  return thud_snapshot_write(&scene, &options, thud_test_path("small.png"));
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state) {
  (void)state;
  toy made = {.context = thud_test_context(1)};
  add(&made, thud_shape_def_default(THUD_SHAPE_PLANE), THUD_BODY_FIXED, at(0, 0, 0));
  add(&made, box_def(THUD_SHAPE_BOX, 0.2, 0.1, 0.3), THUD_BODY_DYNAMIC, at(0, 0, 0.3));
  thud_assert_greater(thud_test_sweep_allocations(draw_small, &made), 20);
  end(&made);
  thud_test_context_end(made.context);
}

/* fontconfig keeps patterns for the life of the process. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig"; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nearest_surface_wins),
      cmocka_unit_test(normals_are_round_but_for_creases),
      cmocka_unit_test(a_ball_is_round_and_lit_from_above),
      cmocka_unit_test(the_view_turns_around_the_bodies),
      cmocka_unit_test(what_stands_still_is_transparent_before_what_moves),
      cmocka_unit_test(bodies_of_the_plane_stand_on_their_ground),
      cmocka_unit_test(times_share_one_scale),
      cmocka_unit_test(formats_have_an_image_within),
      cmocka_unit_test(every_failing_allocation_is_reported_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
