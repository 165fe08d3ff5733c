/* Surfaces for drawing: closed, outward, and with the volume of the solid in the limit. */
#include "shape_checks.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static thud_shape_def def_of(thud_shape_kind kind) {
  static const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
  static const thud_index triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  static const double heights[] = {0, 1, 0, 1, 0, 1};
  thud_shape_def def = thud_shape_def_default(kind);
  def.radius = 0.5;
  def.half_length = 0.8;
  def.half[0] = 0.3;
  def.half[1] = 0.7;
  def.half[2] = 0.4;
  def.point_count = kind == THUD_SHAPE_SEGMENT ? 2 : kind == THUD_SHAPE_MESH ? 4 : 5;
  def.points = points;
  def.triangle_count = 4;
  def.triangles = triangles;
  def.columns = 3;
  def.rows = 2;
  def.spacing[0] = def.spacing[1] = 1;
  def.heights = heights;
  return def;
}

static thud_shape *create(thud_context *context, thud_shape_kind kind) {
  return thud_test_shape(context, def_of(kind));
}

static thud_shape_surface surface_of(thud_context *context, const thud_shape *shape, int segments) {
  thud_shape_surface surface;
  assert_int_equal(thud_shape_make_surface(context, shape, segments, 3, &surface), THUD_OK);
  return surface;
}

/* A mesh of the surface's triangles: closed and not inside out, or it could not be made. */
static double closed_volume(thud_context *context, const thud_shape_surface *surface) {
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_MESH);
  def.point_count = (thud_index)surface->point_count;
  def.points = surface->points;
  def.triangle_count = (thud_index)surface->triangle_count;
  def.triangles = surface->triangles;
  thud_shape *mesh = NULL;
  thud_error error = thud_shape_create(context, &def, &mesh);
  assert_string_equal(thud_context_last_message(context), "");
  assert_int_equal(error, THUD_OK);
  thud_shape_destroy(mesh);
  double volume = 0;
  for (size_t t = 0; t < surface->triangle_count; t++) {
    thud_vec3 v[3];
    for (int k = 0; k < 3; k++) v[k] = thud_vec3_load(surface->points + 3 * surface->triangles[3 * t + (size_t)k]);
    volume += thud_vec3_dot(v[0], thud_vec3_cross(v[1], v[2])) / 6;
  }
  return volume;
}

/* All points are on the shape: none is outside, and they reach as far as it does. */
static void check_points(const thud_shape *shape, const thud_shape_surface *surface) {
  double reach = 0;
  for (size_t i = 0; i < surface->point_count; i++) {
    thud_vec3 x = thud_vec3_load(surface->points + 3 * i);
    reach = fmax(reach, thud_vec3_norm(x));
    thud_vec3 d = {sin(1.0 + (double)i), cos(2.0 * (double)i), sin(3.0 * (double)i)};
    thud_assert_at_most(thud_vec3_dot(d, x), thud_vec3_dot(d, thud_shape_support(shape, d)) + 1e-15 * 4);
  }
  thud_assert_near(reach, thud_shape_radius(shape), 1e-15 * 4);
}

static void surfaces_of_solids_are_closed_and_approach_their_volume(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const thud_shape_kind kinds[] = {THUD_SHAPE_SPHERE, THUD_SHAPE_ELLIPSOID, THUD_SHAPE_CAPSULE, THUD_SHAPE_CYLINDER,
                                   THUD_SHAPE_CONE,   THUD_SHAPE_BOX,       THUD_SHAPE_HULL};
  for (int k = 0; k < 7; k++) {
    thud_shape *shape = create(context, kinds[k]);
    thud_mass_properties mass;
    assert_int_equal(thud_shape_mass(context, shape, 1, &mass), THUD_OK);
    double error[3];
    for (int level = 0; level < 3; level++) {
      thud_shape_surface surface = surface_of(context, shape, 32 << level);
      check_points(shape, &surface);
      error[level] = mass.mass - closed_volume(context, &surface);
      thud_shape_surface_free(context, &surface);
    }
    if (k >= 5) { /* flat faces: nothing is missing */
      thud_assert_near(error[0], 0, 1e-15);
    } else { /* chords: order 2 */
      thud_assert_near(error[0] / error[1], 4, 0.03);
      thud_assert_near(error[1] / error[2], 4, 0.01);
    }
    for (int segments = 3; segments < 12; segments++) { /* any number closes */
      thud_shape_surface surface = surface_of(context, shape, segments);
      thud_assert_greater(closed_volume(context, &surface), 0);
      thud_shape_surface_free(context, &surface);
    }
    thud_shape_destroy(shape);
  }
  thud_test_context_end(context);
}

static double outline_area(const thud_shape_surface *outline) {
  double area = 0;
  for (size_t i = 0; i < outline->point_count; i++) {
    const double *a = outline->points + 3 * i, *b = outline->points + 3 * ((i + 1) % outline->point_count);
    area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
  }
  return area;
}

static void outlines_run_around_their_shapes(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const thud_shape_kind kinds[] = {THUD_SHAPE_DISC, THUD_SHAPE_PLANAR_CAPSULE, THUD_SHAPE_RECTANGLE,
                                   THUD_SHAPE_POLYGON};
  for (int k = 0; k < 4; k++) {
    thud_shape *shape = create(context, kinds[k]);
    thud_mass_properties mass;
    assert_int_equal(thud_shape_mass(context, shape, 1, &mass), THUD_OK);
    double error[2];
    for (int level = 0; level < 2; level++) {
      thud_shape_surface outline = surface_of(context, shape, 64 << level);
      thud_assert_equal(outline.triangle_count, 0);
      check_points(shape, &outline);
      error[level] = mass.mass - outline_area(&outline);
      thud_shape_surface_free(context, &outline);
    }
    if (k >= 2)
      thud_assert_near(error[0], 0, 1e-15);
    else
      thud_assert_near(error[0] / error[1], 4, 0.01);
    thud_shape_destroy(shape);
  }
  thud_shape *segment = create(context, THUD_SHAPE_SEGMENT);
  thud_shape_surface outline = surface_of(context, segment, 8);
  thud_assert_equal(outline.point_count, 2);
  thud_shape_surface_free(context, &outline);
  thud_shape_destroy(segment);
  thud_test_context_end(context);
}

static void surfaces_without_volume_are_what_they_are(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const struct {
    thud_shape_kind kind;
    size_t points, triangles;
  } cases[] = {{THUD_SHAPE_PLANE, 4, 2},
               {THUD_SHAPE_HEIGHT_FIELD, 6, 4},
               {THUD_SHAPE_MESH, 4, 4},
               {THUD_SHAPE_HALF_PLANE, 4, 0}};
  for (int k = 0; k < 4; k++) {
    thud_shape *shape = create(context, cases[k].kind);
    thud_shape_surface surface = surface_of(context, shape, 8);
    thud_assert_equal(surface.point_count, cases[k].points);
    thud_assert_equal(surface.triangle_count, cases[k].triangles);
    if (cases[k].kind == THUD_SHAPE_HALF_PLANE) thud_assert_equal(outline_area(&surface), 18);
    for (size_t t = 0; t < surface.triangle_count && cases[k].kind != THUD_SHAPE_MESH; t++) { /* seen from above */
      thud_vec3 v[3];
      for (int c = 0; c < 3; c++) v[c] = thud_vec3_load(surface.points + 3 * surface.triangles[3 * t + (size_t)c]);
      thud_assert_greater(thud_vec3_cross(thud_vec3_subtract(v[1], v[0]), thud_vec3_subtract(v[2], v[0])).z, 0);
    }
    thud_shape_surface_free(context, &surface);
    thud_assert_equal(surface.point_count, 0);
    thud_shape_destroy(shape);
  }
  const thud_shape_kind particles[] = {THUD_SHAPE_SPHERE, THUD_SHAPE_DISC};
  for (int k = 0; k < 2; k++) {
    thud_shape_def def = thud_shape_def_default(particles[k]);
    thud_shape *shape = thud_test_shape(context, def);
    thud_shape_surface surface = surface_of(context, shape, 8);
    thud_assert_equal(surface.point_count, 1);
    thud_assert_equal(surface.triangle_count, 0);
    thud_shape_surface_free(context, &surface);
    thud_shape_destroy(shape);
  }
  thud_test_context_end(context);
}

static void what_cannot_be_drawn_is_named(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape *plane = create(context, THUD_SHAPE_PLANE);
  thud_shape_surface surface = {.point_count = 7};
  assert_int_equal(thud_shape_make_surface(context, plane, 2, 1, &surface), THUD_ERROR_ARGUMENT);
  assert_string_equal(thud_context_last_message(context), "surface of a shape: 2 segments; they are from 3 to 10000");
  assert_int_equal(thud_shape_make_surface(context, plane, 8, 0, &surface), THUD_ERROR_ARGUMENT);
  assert_string_equal(thud_context_last_message(context),
                      "surface of a shape: the extent is 0; it must be a finite number > 0");
  thud_assert_equal(surface.point_count, 7);
  thud_shape_destroy(plane);
  thud_test_context_end(context);
}

static void failing_allocations_leave_nothing(void **state) {
  (void)state;
  for (int k = 0; k < THUD_SHAPE_KINDS; k++) thud_assert_at_least(thud_test_sweep_shape(def_of((thud_shape_kind)k)), 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(surfaces_of_solids_are_closed_and_approach_their_volume),
      cmocka_unit_test(outlines_run_around_their_shapes),
      cmocka_unit_test(surfaces_without_volume_are_what_they_are),
      cmocka_unit_test(what_cannot_be_drawn_is_named),
      cmocka_unit_test(failing_allocations_leave_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
