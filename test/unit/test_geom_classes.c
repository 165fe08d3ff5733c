/* Every row of the table of shapes against its own surface, whatever the rows are; and a shape that the table does not know, of
 * which the tests give no more than a build, a support function and a mass. */
#include "shape_checks.h"
#include "testing.h"

#include "geom/shape_class.h"
#include "thud/scene.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

/* ---- samples ---------------------------------------------------------------------------------------------------------- */

static const double cloud[] = {1.1,  0.2,  0,   0.3, 1.2, 0.1, -0.9, 0.4,  -0.2,
                               -0.2, -0.8, 0.3, 0.1, 0.2, 1.3, 0.2,  -0.1, -0.7};
static const double tetrahedron[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const thud_index corners[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static const double heights[] = {0.1, 0.4, -0.2, 0.3, 0, 0.2, -0.1, 0.5, 0.2, 0.1, 0.3, 0.4};

/* What any class takes: numbers that a class does not need are not read. */
static thud_shape_def sample_def(const thud_shape_class *class, thud_shape_kind kind) {
  thud_shape_def def = thud_shape_def_default(kind);
  def.radius = 0.7;
  def.half_length = 0.9;
  def.half[0] = 0.5;
  def.half[1] = 0.8;
  def.half[2] = 1.1;
  bool triangles = (class->needs & THUD_NEEDS_TRIANGLES) != 0;
  def.points = triangles ? tetrahedron : cloud;
  def.point_count = triangles                         ? 4
                    : class->scene.points_exactly > 0 ? class->scene.points_exactly
                                                      : (thud_index)(sizeof cloud / sizeof *cloud / 3);
  def.triangles = corners;
  def.triangle_count = 4;
  def.columns = 4;
  def.rows = 3;
  def.spacing[0] = 0.5;
  def.spacing[1] = 0.6;
  def.heights = heights;
  return def;
}

static thud_shape *sample_shape(thud_context *context, const thud_shape_class *class, thud_shape_kind kind) {
  thud_shape_def def = sample_def(class, kind);
  thud_shape *shape = NULL;
  assert_int_equal(thud_shape_create_of(context, class, &def, &shape), THUD_OK);
  return shape;
}

/* ---- a shape without a row: a disc around z with a ball around each of its points ---------------------------------------- */

static thud_error pill_build(thud_shape *shape) {
  shape->reach = shape->def.half_length + shape->def.radius;
  shape->thickness = 2 * shape->def.radius;
  return THUD_OK;
}

static thud_vec3 pill_support(const thud_shape *shape, thud_vec3 direction) {
  thud_vec3 unit = {0, 0, 0};
  thud_vec3_normalise(direction, &unit);
  return thud_vec3_add_scaled(thud_circle_support(shape->def.half_length, 0, direction), shape->def.radius, unit);
}

/* Discs of the radius R + r cos(angle) at z = r sin(angle): midpoints in the angle. */
static thud_mass_properties pill_mass(const thud_shape *shape) {
  enum { STEPS = 2000 };
  double R = shape->def.half_length, r = shape->def.radius, mass = 0, across = 0, about = 0;
  for (int k = 0; k < STEPS; k++) {
    double angle = THUD_TEST_PI * ((k + 0.5) / STEPS - 0.5), z = r * sin(angle), rho = R + r * cos(angle);
    double slice = THUD_TEST_PI * rho * rho * r * cos(angle) * THUD_TEST_PI / STEPS;
    mass += slice;
    about += slice * rho * rho / 2;
    across += slice * (rho * rho / 4 + z * z);
  }
  return (thud_mass_properties){mass, {0, 0, 0}, thud_mat3_diagonal(across, across, about)};
}

static const thud_shape_class pill_class = {
    .name = "pill",
    .scene = {.word = "pill", .notation = THUD_NOTED_MAP},
    .convex = true,
    .may_move = true,
    .curved = true,
    .pairs = THUD_PAIRS_SOLID,
    .needs = THUD_NEEDS_RADIUS | THUD_NEEDS_HALF_LENGTH,
    .build = pill_build,
    .support = pill_support,
    .mass = pill_mass,
};

/* Row k of the table, and behind its last one the pill. */
static const thud_shape_class *class_at(int k) {
  return k < THUD_SHAPE_KINDS ? thud_shape_class_of((thud_shape_kind)k) : &pill_class;
}
enum { CLASSES = THUD_SHAPE_KINDS + 1 };

/* ---- integrals over a surface ------------------------------------------------------------------------------------------- */

/* Moments of order 0, 1 and 2 of the solid inside triangles, or of the area inside an outline. */
typedef struct moments {
  double volume, first[3], second[3][3];
} moments;

/* A simplex between the origin and points[count], of that volume: second moments with the weights of a simplex. */
static void add_simplex(moments *sum, double volume, int count, const double *const *points) {
  double middle[3] = {0, 0, 0};
  for (int c = 0; c < count; c++)
    for (int i = 0; i < 3; i++) middle[i] += points[c][i];
  sum->volume += volume;
  for (int i = 0; i < 3; i++) {
    sum->first[i] += volume * middle[i] / (count + 1);
    for (int j = 0; j < 3; j++) {
      double products = middle[i] * middle[j];
      for (int c = 0; c < count; c++) products += points[c][i] * points[c][j];
      sum->second[i][j] += volume * products / ((count + 1) * (count + 2));
    }
  }
}

static moments integrate(const thud_shape_surface *surface) {
  moments sum = {0};
  const double *x = surface->points;
  for (size_t t = 0; t < surface->triangle_count; t++) {
    const thud_index *v = surface->triangles + 3 * t;
    const double *p[3] = {x + 3 * v[0], x + 3 * v[1], x + 3 * v[2]};
    thud_vec3 a = thud_vec3_load(p[0]), b = thud_vec3_load(p[1]), c = thud_vec3_load(p[2]);
    add_simplex(&sum, thud_vec3_dot(a, thud_vec3_cross(b, c)) / 6, 3, p);
  }
  for (size_t i = 0; surface->triangle_count == 0 && i < surface->point_count; i++) {
    const double *p[2] = {x + 3 * i, x + 3 * ((i + 1) % surface->point_count)};
    add_simplex(&sum, (p[0][0] * p[1][1] - p[0][1] * p[1][0]) / 2, 2, p);
  }
  return sum;
}

/* ---- the rows ---------------------------------------------------------------------------------------------------------- */

static void rows_have_names_and_what_their_pairs_need(void **state) {
  (void)state;
  for (int k = 0; k < CLASSES; k++) {
    const thud_shape_class *class = class_at(k);
    assert_non_null(class->name);
    assert_non_null(class->scene.word);
    assert_non_null(class->build);
    assert_true(class->convex == (class->support != NULL));
    assert_true(class->may_move == (class->mass != NULL));
    assert_true((class->pairs == THUD_PAIRS_PLANAR) == class->planar);
    assert_true((class->pairs == THUD_PAIRS_PLANAR) == (class->planar_core != NULL));
    assert_true((class->pairs == THUD_PAIRS_SURFACE) == (class->triangles != NULL));
    assert_true(class->curved || !class->smooth);
    assert_true(class->faceted || !class->by_faces);
    if (class->triangles != NULL) assert_non_null(class->extent);
    if (k >= THUD_SHAPE_KINDS) continue;
    thud_shape_kind found = THUD_SHAPE_KINDS;
    assert_true(thud_shape_kind_find(class->name, &found));
    assert_int_equal(found, k);
    for (int j = 0; j < k; j++) /* a word means one shape of the plane and one of space */
      assert_true(class_at(j)->planar != class->planar || strcmp(class_at(j)->scene.word, class->scene.word) != 0);
  }
  assert_null(thud_shape_class_of(THUD_SHAPE_KINDS));
}

/* No point of the surface is beyond the support, and the surface reaches it. */
static void check_support(const thud_shape *shape, const thud_shape_surface *surface, thud_random *random) {
  for (int trial = 0; trial < 50; trial++) {
    thud_vec3 d = thud_test_random_vec3(random);
    double most = -INFINITY, support = thud_vec3_dot(d, thud_shape_support(shape, d)), size = thud_vec3_norm(d);
    for (size_t i = 0; i < surface->point_count; i++)
      most = fmax(most, thud_vec3_dot(d, thud_vec3_load(surface->points + 3 * i)));
    thud_assert_at_most(most, support + 1e-14 * size);
    thud_assert_at_least(most, support - 1e-3 * size);
  }
}

static double along(thud_vec3 x, int k) { return k == 0 ? x.x : k == 1 ? x.y : x.z; }

/* Every point of the placed surface is in the bounds, and bounds of convex shapes are tight. */
static void check_bounds(const thud_shape *shape, const thud_shape_surface *surface, thud_random *random) {
  for (int trial = 0; trial < 10; trial++) {
    thud_pose pose = thud_test_random_pose(random);
    if (thud_shape_is_planar(shape)) pose = thud_test_planar_pose(pose.position.x, pose.position.y, pose.position.z);
    thud_bounds box = thud_shape_bounds(shape, &pose, 0.1), seen = {{INFINITY, INFINITY, INFINITY}, {0, 0, 0}};
    seen.high = thud_vec3_negate(seen.low);
    for (size_t i = 0; i < surface->point_count; i++) {
      thud_vec3 x = thud_pose_point(&pose, thud_vec3_load(surface->points + 3 * i));
      seen.low = thud_vec3_make(fmin(seen.low.x, x.x), fmin(seen.low.y, x.y), fmin(seen.low.z, x.z));
      seen.high = thud_vec3_make(fmax(seen.high.x, x.x), fmax(seen.high.y, x.y), fmax(seen.high.z, x.z));
    }
    for (int k = 0; k < 3; k++) {
      thud_assert_at_most(along(box.low, k), along(seen.low, k) - 0.1 + 1e-13);
      thud_assert_at_least(along(box.high, k), along(seen.high, k) + 0.1 - 1e-13);
      if (!thud_shape_get_class(shape)->convex) continue;
      thud_assert_near(along(box.low, k), along(seen.low, k) - 0.1, 2e-3);
      thud_assert_near(along(box.high, k), along(seen.high, k) + 0.1, 2e-3);
    }
  }
}

static void check_mass(thud_context *context, const thud_shape *shape, const thud_shape_surface *surface) {
  thud_mass_properties mass;
  moments sum = integrate(surface);
  assert_int_equal(thud_shape_mass(context, shape, 2, &mass), THUD_OK);
  double centre[3], trace = 0, near = 1e-3 * mass.mass;
  thud_vec3_store(mass.centre, centre);
  thud_assert_near(2 * sum.volume, mass.mass, near);
  for (int i = 0; i < 3; i++) {
    thud_assert_near(sum.first[i] / sum.volume, centre[i], 1e-3);
    trace += 2 * sum.second[i][i] - mass.mass * centre[i] * centre[i];
  }
  const thud_vec3 columns[3] = {mass.inertia.cx, mass.inertia.cy, mass.inertia.cz};
  for (int i = thud_shape_is_planar(shape) ? 2 : 0; i < 3; i++)
    for (int j = thud_shape_is_planar(shape) ? 2 : 0; j < 3; j++) {
      double about = 2 * sum.second[i][j] - mass.mass * centre[i] * centre[j];
      thud_assert_near(along(columns[j], i), (i == j ? trace : 0) - about, near);
    }
}

static void rows_agree_with_their_surfaces(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(7);
  for (int k = 0; k < CLASSES; k++) {
    const thud_shape_class *class = class_at(k);
    thud_shape *shape = sample_shape(context, class, (thud_shape_kind)k);
    thud_shape_surface surface;
    assert_int_equal(thud_shape_make_surface(context, shape, 200, 3, &surface), THUD_OK);
    thud_assert_at_least(surface.point_count, class->planar ? 2 : 3);
    assert_true(class->planar == (surface.triangle_count == 0));
    if (class->convex) check_support(shape, &surface, &random);
    check_bounds(shape, &surface, &random);
    if (class->may_move) check_mass(context, shape, &surface);
    thud_shape_surface_free(context, &surface);
    thud_shape_destroy(shape);
  }
  thud_test_context_end(context);
}

/* ---- scenes ------------------------------------------------------------------------------------------------------------- */

/* The value of the shape's entry, all numbers by a factor. */
static void write_value(const thud_shape_class *class, double factor, char *text, size_t size) {
  const thud_shape_parameter *parameter = class->scene.parameters;
  size_t used = 0;
  switch (class->scene.notation) {
  case THUD_NOTED_BARE: text[0] = '\0'; break;
  case THUD_NOTED_NUMBER: snprintf(text, size, "%g", 0.5 * factor); break;
  case THUD_NOTED_LIST:
    snprintf(text, size, class->planar ? "[%g, %g]" : "[%g, %g, %g]", factor, 2 * factor, 3 * factor);
    break;
  case THUD_NOTED_MAP:
    for (int k = 0; k < THUD_SHAPE_PARAMETERS && parameter[k].key != NULL; k++)
      used += (size_t)snprintf(text + used, size - used, "%s%s: %g", k == 0 ? "{" : ", ", parameter[k].key, factor);
    snprintf(text + used, size - used, "}");
    break;
  case THUD_NOTED_POINTS:
    snprintf(text, size,
             class->scene.points_exactly == 2 ? "[[0, 0], [%g, 1]]"
             : class->planar                  ? "[[0, 0], [%g, 0], [0, 1]]"
                                              : "[[0, 0, 0], [%g, 0, 0], [0, 1, 0], [0, 0, 1]]",
             factor);
    break;
  case THUD_NOTED_TRIANGLES:
    snprintf(text, size,
             "{vertices: [[0, 0, 0], [%g, 0, 0], [0, 1, 0], [0, 0, 1]], triangles: [[0, 2, 1], [0, 1, 3], "
             "[0, 3, 2], [1, 2, 3]]}",
             factor);
    break;
  case THUD_NOTED_HEIGHTS: snprintf(text, size, "{size: [%g, 1], heights: [[0, 1], [1, 0]]}", factor); break;
  }
}

static thud_error build_scene(thud_context *context, const thud_shape_class *class, const char *shape) {
  char text[1000];
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  snprintf(text, sizeof text,
           "thud: 1\n%s\nmaterials: {m: {density: 1}}\nbodies: [{name: b, %smaterial: m, shape: %s}]\n"
           "simulate: {end: 1, steps: 1}\n",
           class->planar ? "planar: true\ngravity: [0, -1]" : "gravity: [0, 0, -1]",
           class->may_move ? "" : "fixed: true, ", shape);
  thud_error error = thud_tree_read_text(context, "scene.yaml", text, strlen(text), &tree);
  if (error == THUD_OK) error = thud_scene_build(context, tree, &scene);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  return error;
}

static void scenes_read_every_row(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int k = 0; k < THUD_SHAPE_KINDS; k++) {
    const thud_shape_class *class = class_at(k);
    bool bare = class->scene.notation == THUD_NOTED_BARE;
    char value[300], entry[400];
    for (int sign = 1; sign >= -1; sign -= 2) {
      write_value(class, sign, value, sizeof value);
      snprintf(entry, sizeof entry, bare ? "%s" : "{%s: %s}", class->scene.word, value);
      thud_error error = build_scene(context, class, entry);
      if (error != THUD_OK && sign > 0) print_message("%s: %s\n", entry, thud_context_last_message(context));
      bool measured = class->scene.notation >= THUD_NOTED_NUMBER && class->scene.notation <= THUD_NOTED_MAP;
      if (sign > 0 || measured) assert_true((error == THUD_OK) == (sign > 0));
    }
    if (bare) continue;
    assert_int_equal(build_scene(context, class, class->scene.word), THUD_ERROR_SCHEMA); /* without its size */
  }
  thud_test_context_end(context);
}

/* ---- the pill among the others ------------------------------------------------------------------------------------------ */

static double support_along(const thud_shape *shape, const thud_pose *pose, thud_vec3 n) {
  thud_vec3 x = thud_shape_support(shape, thud_quat_rotate_inverse(pose->rotation, n));
  return thud_vec3_dot(n, thud_pose_point(pose, x));
}

/* min n.x over a - max n.y over b. */
static double separation(const thud_shape *a, const thud_pose *at_a, const thud_shape *b, const thud_pose *at_b,
                         thud_vec3 n) {
  return -support_along(a, at_a, thud_vec3_negate(n)) - support_along(b, at_b, n);
}

/* x is of the shape: no half-space that contains the shape leaves it out. */
static void check_inside(const thud_shape *shape, const thud_pose *pose, thud_vec3 x, thud_random *random) {
  for (int k = 0; k < 50; k++) {
    thud_vec3 n = thud_test_random_vec3(random);
    thud_assert_at_most(thud_vec3_dot(n, x), support_along(shape, pose, n) + 1e-6);
  }
}

/* The normal certifies the gap from below, the points do from above; of overlaps no direction separates better. */
static void check_distance(const thud_shape *a, const thud_pose *at_a, const thud_shape *b, const thud_pose *at_b,
                           thud_random *random) {
  thud_touch closest, touches[THUD_MANIFOLD_MAX];
  size_t count;
  double gap = thud_distance(a, at_a, b, at_b, &closest);
  thud_assert_near(separation(a, at_a, b, at_b, closest.normal), gap, 1e-6);
  thud_vec3 other = thud_vec3_add_scaled(closest.on_b, gap, closest.normal);
  thud_assert_at_most(thud_vec3_distance(closest.on_a, other), 1e-5);
  check_inside(a, at_a, closest.on_a, random);
  check_inside(b, at_b, closest.on_b, random);
  for (int k = 0; k < 200 && gap < 0; k++) {
    thud_vec3 n = {0, 0, 1};
    thud_vec3_normalise(thud_test_random_vec3(random), &n);
    thud_assert_at_most(separation(a, at_a, b, at_b, n), gap + 1e-6);
  }
  thud_collide(a, at_a, b, at_b, fmax(gap, 0) + 1e-3, THUD_MANIFOLD_MAX, touches, &count);
  thud_assert_at_least(count, 1);
  double least = INFINITY;
  for (size_t k = 0; k < count; k++) least = fmin(least, touches[k].gap);
  thud_assert_near(least, gap, 1e-6);
}

static void a_shape_of_no_row_touches_every_other(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  thud_shape *pill = sample_shape(context, &pill_class, THUD_SHAPE_KINDS);
  for (int k = 0; k < CLASSES; k++) {
    const thud_shape_class *class = class_at(k);
    thud_shape *other = sample_shape(context, class, (thud_shape_kind)k);
    for (int trial = 0; trial < 30; trial++) {
      thud_pose at = thud_test_random_pose(&random), here = thud_test_random_pose(&random);
      if (class->convex && !class->planar) {
        check_distance(pill, &at, other, &here, &random);
        check_distance(other, &here, pill, &at, &random);
      }
      if (class->pairs != THUD_PAIRS_PLANE) continue;
      thud_vec3 up = thud_quat_rotate(here.rotation, thud_vec3_make(0, 0, 1));
      double lowest = -support_along(pill, &at, thud_vec3_negate(up)) - thud_vec3_dot(up, here.position);
      thud_assert_near(thud_distance(pill, &at, other, &here, NULL), lowest, 1e-13);
    }
    thud_shape_destroy(other);
  }
  thud_shape_destroy(pill);
  thud_test_context_end(context);
}

/* Dropped on each surface: what is below its lowest point carries it. */
static void a_shape_of_no_row_lies_on_surfaces(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape *pill = sample_shape(context, &pill_class, THUD_SHAPE_KINDS);
  const double square[] = {-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0}, level[] = {0, 0, 0, 0};
  const thud_index halves[] = {0, 1, 2, 0, 2, 3};
  for (thud_shape_kind kind = 0; kind < THUD_SHAPE_KINDS; kind++) {
    if (thud_shape_class_of(kind)->triangles == NULL) continue;
    thud_shape_def def = thud_shape_def_default(kind);
    def.points = square;
    def.point_count = 4;
    def.triangles = halves;
    def.triangle_count = 2;
    def.open = true;
    def.columns = def.rows = 2;
    def.spacing[0] = def.spacing[1] = 10;
    def.heights = level;
    thud_shape *ground = thud_test_shape(context, def);
    thud_pose still = thud_pose_identity(), at = thud_pose_identity();
    at.position = thud_vec3_make(0.4, -0.3, 0.7 + 1e-3);
    thud_touch touch;
    thud_assert_near(thud_distance(pill, &at, ground, &still, &touch), 1e-3, 1e-12);
    thud_assert_near(touch.normal.z, 1, 1e-12);
    thud_shape_destroy(ground);
  }
  thud_shape_destroy(pill);
  thud_test_context_end(context);
}

static void rays_meet_a_shape_of_no_row(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  thud_shape *pill = sample_shape(context, &pill_class, THUD_SHAPE_KINDS);
  thud_pose still = thud_pose_identity();
  int met = 0;
  for (int trial = 0; trial < 300; trial++) {
    thud_vec3 from = thud_vec3_scale(3, thud_test_random_vec3(&random));
    thud_ray ray = {from, thud_vec3_subtract(thud_test_random_vec3(&random), from)};
    thud_ray_hit hit;
    if (!thud_shape_cast_ray(pill, &still, &ray, &hit) || hit.inside) continue;
    met++;
    /* on the surface, whose support plane there has the normal, and entered from outside */
    thud_assert_near(thud_vec3_dot(hit.normal, hit.point), support_along(pill, &still, hit.normal), 1e-6);
    check_inside(pill, &still, hit.point, &random);
    thud_assert_less(thud_vec3_dot(hit.normal, ray.way), 0);
  }
  thud_assert_greater(met, 100);
  thud_ray past = {{-3, 0, 0.8}, {6, 0, 0}}, inside = {{0.1, 0, 0}, {1, 0, 0}};
  thud_ray_hit hit;
  assert_false(thud_shape_cast_ray(pill, &still, &past, &hit)); /* above it by 0.1 */
  assert_true(thud_shape_cast_ray(pill, &still, &inside, &hit) && hit.inside);
  thud_shape_destroy(pill);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_have_names_and_what_their_pairs_need),
      cmocka_unit_test(rows_agree_with_their_surfaces),
      cmocka_unit_test(scenes_read_every_row),
      cmocka_unit_test(a_shape_of_no_row_touches_every_other),
      cmocka_unit_test(a_shape_of_no_row_lies_on_surfaces),
      cmocka_unit_test(rays_meet_a_shape_of_no_row),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
