/* Pairs of the plane against an oracle of its own: the signed distance of two convex cores is that of the origin from
 * their Minkowski difference, here the convex hull of all differences of vertices, in long double. */
#include "geom/planar.h"
#include "planar_shapes.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

/* ---- shapes and poses ------------------------------------------------------------------------------------------------- */

typedef enum form { PARTICLE, DISC, CAPSULE, RECTANGLE, POLYGON, SEGMENT, HALF_PLANE, FORMS } form;
static const char *const form_names[FORMS] = {"particle", "disc",    "capsule",   "rectangle",
                                              "polygon",  "segment", "half-plane"};

static thud_shape *make_random(thud_context *context, thud_random *random, form kind) {
  static const thud_shape_kind kinds[FORMS] = {THUD_SHAPE_DISC,      THUD_SHAPE_DISC,    THUD_SHAPE_PLANAR_CAPSULE,
                                               THUD_SHAPE_RECTANGLE, THUD_SHAPE_POLYGON, THUD_SHAPE_SEGMENT,
                                               THUD_SHAPE_HALF_PLANE};
  double points[3 * THUD_TEST_CORNERS] = {0}, size = pow(10, thud_random_uniform(random, -1, 1));
  thud_shape_def def = thud_shape_def_default(kinds[kind]);
  def.radius = kind == PARTICLE ? 0 : size * thud_random_uniform(random, 0.05, 1);
  def.half_length = size * thud_random_uniform(random, 0.05, 1);
  def.half[0] = size * thud_random_uniform(random, 0.1, 1);
  def.half[1] = size * thud_random_uniform(random, 0.1, 1);
  def.point_count = kind == SEGMENT ? 2 : 4 + (thud_index)thud_random_below(random, THUD_TEST_CORNERS - 3);
  def.points = points;
  if (kind == POLYGON && thud_random_below(random, 3) == 0)
    return thud_test_regular(context, 3 + (int)thud_random_below(random, THUD_TEST_CORNERS - 2), size, 0);
  for (thud_index i = 0; i < def.point_count; i++)
    for (int axis = 0; axis < 2; axis++) points[3 * i + axis] = size * thud_random_uniform(random, -1, 1);
  return thud_test_shape(context, def);
}

/* ---- oracle ----------------------------------------------------------------------------------------------------------- */

typedef struct point {
  long double x, y;
} point;

static point minus(point a, point b) { return (point){a.x - b.x, a.y - b.y}; }
static long double dot(point a, point b) { return a.x * b.x + a.y * b.y; }
static long double cross(point a, point b) { return a.x * b.y - a.y * b.x; }
static long double norm(point a) { return sqrtl(dot(a, a)); }

/* A placed core; half-planes have a vertex on their border and the normal. */
typedef struct outline {
  int count;
  point vertices[THUD_TEST_CORNERS];
  point normal;
  long double radius;
  thud_shape_kind kind;
} outline;

static point place(const thud_pose *pose, double x, double y) {
  long double w = pose->rotation.w, z = pose->rotation.z, c = w * w - z * z, s = 2 * w * z, n = w * w + z * z;
  return (point){pose->position.x + (c * x - s * y) / n, pose->position.y + (s * x + c * y) / n};
}

static outline outline_of(const thud_shape *shape, const thud_pose *pose) {
  thud_shape_def def = thud_shape_get_def(shape);
  outline made = {.count = 1, .kind = def.kind};
  const double h[2] = {def.half[0], def.half[1]};
  made.vertices[0] = place(pose, 0, 0);
  if (def.kind == THUD_SHAPE_DISC || def.kind == THUD_SHAPE_PLANAR_CAPSULE) made.radius = def.radius;
  if (def.kind == THUD_SHAPE_HALF_PLANE) made.normal = minus(place(pose, 0, 1), made.vertices[0]);
  if (def.kind == THUD_SHAPE_PLANAR_CAPSULE) {
    made.count = 2;
    made.vertices[0] = place(pose, 0, def.half_length);
    made.vertices[1] = place(pose, 0, -def.half_length);
  } else if (def.kind == THUD_SHAPE_RECTANGLE) {
    made.count = 4;
    for (int k = 0; k < 4; k++) made.vertices[k] = place(pose, k % 2 == 0 ? h[0] : -h[0], k / 2 == 0 ? h[1] : -h[1]);
  } else if (def.kind == THUD_SHAPE_POLYGON || def.kind == THUD_SHAPE_SEGMENT) {
    made.count = (int)def.point_count;
    for (int k = 0; k < made.count; k++) made.vertices[k] = place(pose, def.points[3 * k], def.points[3 * k + 1]);
  }
  return made;
}

static int compare_points(const void *left, const void *right) {
  const point *a = left, *b = right;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  return (a->y > b->y) - (a->y < b->y);
}

enum { DIFFERENCES = THUD_TEST_CORNERS * THUD_TEST_CORNERS };

/* Hull of points, counter-clockwise: the lower chain, then the upper one. */
static int wrap(point *points, int count, point *hull) {
  qsort(points, (size_t)count, sizeof *points, compare_points);
  int size = 0;
  for (int pass = 0; pass < 2; pass++) {
    int floor_size = size + 1;
    for (int i = 0; i < count; i++) {
      point next = points[pass == 0 ? i : count - 1 - i];
      while (size > floor_size && cross(minus(hull[size - 1], hull[size - 2]), minus(next, hull[size - 2])) <= 0)
        size--;
      hull[size++] = next;
    }
    size--; /* the first of the other chain */
  }
  return size > 0 ? size : 1;
}

static long double origin_to_segment(point a, point b) {
  point edge = minus(b, a);
  long double t = dot(edge, edge) > 0 ? -dot(a, edge) / dot(edge, edge) : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return norm((point){a.x + t * edge.x, a.y + t * edge.y});
}

/* Signed distance of the cores from all differences. Inside: least distance from an edge whose direction is open. */
typedef struct opening {
  bool restricted;
  point towards; /* directions of A against B are open but for the opposite one */
} opening;

static long double hull_distance(const outline *a, const outline *b, opening open) {
  point differences[DIFFERENCES], hull[2 * DIFFERENCES + 2];
  int count = 0;
  for (int i = 0; i < a->count; i++)
    for (int k = 0; k < b->count; k++) differences[count++] = minus(a->vertices[i], b->vertices[k]);
  int size = wrap(differences, count, hull);
  long double outside = size == 1 ? norm(hull[0]) : INFINITY, inside = INFINITY;
  bool contained = size >= 3;
  for (int k = 0; k < size; k++) {
    point from = hull[k], to = hull[(k + 1) % size], edge = minus(to, from);
    long double length = norm(edge), depth;
    outside = fminl(outside, origin_to_segment(from, to));
    if (!(length > 0)) continue;
    depth = cross(from, edge) / length; /* of the origin to the left of the edge */
    if (depth < 0) contained = false;
    point inward = {-edge.y / length, edge.x / length};
    if (!open.restricted || dot(inward, open.towards) > -1 + 1e-9L) inside = fminl(inside, depth);
  }
  return contained ? -inside : outside;
}

/* The side of a crossed segment on which the other core's mean is. */
static opening opening_of(const outline *a, const outline *b) {
  bool first = a->kind == THUD_SHAPE_SEGMENT, second = b->kind == THUD_SHAPE_SEGMENT;
  if (first == second) return (opening){false, {0, 0}};
  const outline *segment = first ? a : b, *other = first ? b : a;
  point mean = {0, 0}, along = minus(segment->vertices[1], segment->vertices[0]);
  for (int k = 0; k < other->count; k++) {
    mean.x += other->vertices[k].x / other->count;
    mean.y += other->vertices[k].y / other->count;
  }
  point normal = {-along.y / norm(along), along.x / norm(along)};
  long double sign = dot(normal, minus(mean, segment->vertices[0])) < 0 ? -1 : 1;
  if (first) sign = -sign; /* A moves against the direction in which the other is pushed */
  return (opening){true, {sign * normal.x, sign * normal.y}};
}

/* Least height of the outline of A above that of B along a direction; cores only. */
static long double height_along(const outline *a, const outline *b, point direction) {
  long double least = INFINITY;
  for (int i = 0; i < a->count; i++)
    for (int k = 0; k < b->count; k++) least = fminl(least, dot(direction, minus(a->vertices[i], b->vertices[k])));
  return least;
}

static long double oracle(const outline *a, const outline *b) {
  long double radii = a->radius + b->radius;
  if (b->kind == THUD_SHAPE_HALF_PLANE) return height_along(a, b, b->normal) - radii;
  if (a->kind == THUD_SHAPE_HALF_PLANE) return height_along(b, a, a->normal) - radii;
  return hull_distance(a, b, opening_of(a, b)) - radii;
}

/* ---- what must hold of one pose ------------------------------------------------------------------------------------------ */

/* Signed distance of a world point from a placed shape. */
static long double from_shape(const outline *shape, thud_vec3 x) {
  outline dot_shape = {.count = 1, .kind = THUD_SHAPE_DISC};
  dot_shape.vertices[0] = (point){x.x, x.y};
  if (shape->kind == THUD_SHAPE_HALF_PLANE) return oracle(&dot_shape, shape);
  return hull_distance(&dot_shape, shape, (opening){false, {0, 0}}) - shape->radius;
}

typedef struct worst_errors {
  long poses, apart, overlapping, pairs_of_touches;
  double gap, normal, points, manifold; /* worst errors relative to the size of the pose */
} worst_errors;

static void keep_larger(double *worst, long double error) {
  if (!(fabsl(error) <= *worst)) *worst = (double)fabsl(error);
}

/* The mirror of a touch: as if A and B had been exchanged. */
static void assert_mirrored(const thud_touch *touch, const thud_touch *other) {
  assert_true(touch->gap == other->gap && touch->feature == (other->feature << 16 | other->feature >> 16));
  assert_true(touch->normal.x == -other->normal.x && touch->normal.y == -other->normal.y);
  assert_true(touch->on_a.x == other->on_b.x && touch->on_a.y == other->on_b.y);
  assert_true(touch->on_b.x == other->on_a.x && touch->on_b.y == other->on_a.y);
}

typedef struct scene {
  const thud_shape *a, *b;
  thud_pose pose_a, pose_b;
} scene;

/* Equal shapes in one place: nothing tells A from B. */
static bool same_everything(const scene *s) {
  thud_shape_def a = thud_shape_get_def(s->a), b = thud_shape_get_def(s->b);
  bool points = a.kind == THUD_SHAPE_DISC && b.kind == THUD_SHAPE_DISC && a.radius == b.radius;
  bool same_turn = s->pose_a.rotation.w == s->pose_b.rotation.w && s->pose_a.rotation.z == s->pose_b.rotation.z;
  return (points || (s->a == s->b && same_turn)) && s->pose_a.position.x == s->pose_b.position.x &&
         s->pose_a.position.y == s->pose_b.position.y;
}

static void check_distance(const scene *s, const outline *a, const outline *b, double size, worst_errors *tally) {
  thud_touch touch, mirror;
  double gap = thud_planar_distance(s->a, &s->pose_a, s->b, &s->pose_b, &touch);
  assert_true(gap == touch.gap && touch.on_a.z == 0 && touch.normal.z == 0);
  thud_planar_distance(s->b, &s->pose_b, s->a, &s->pose_a, &mirror);
  if (!same_everything(s)) assert_mirrored(&touch, &mirror);
  keep_larger(&tally->gap, (gap - oracle(a, b)) / size);
  point n = {touch.normal.x, touch.normal.y};
  keep_larger(&tally->normal, norm(n) - 1);
  /* the normal is one along which the shapes are apart by the gap */
  long double along = height_along(a, b, n);
  if (a->kind == THUD_SHAPE_HALF_PLANE) along = -dot(n, a->normal) * height_along(b, a, a->normal);
  if (b->kind == THUD_SHAPE_HALF_PLANE) along = dot(n, b->normal) * height_along(a, b, b->normal);
  keep_larger(&tally->normal, (along - a->radius - b->radius - gap) / size);
  thud_vec3 between = thud_vec3_subtract(touch.on_a, touch.on_b);
  keep_larger(&tally->points, thud_vec3_norm(thud_vec3_add_scaled(between, -gap, touch.normal)) / size);
  bool crossed = opening_of(a, b).restricted && gap + (double)(a->radius + b->radius) <= 0;
  if (crossed) return; /* its points may lie beyond the segment */
  keep_larger(&tally->points, from_shape(a, touch.on_a) / size);
  keep_larger(&tally->points, from_shape(b, touch.on_b) / size);
}

/* Both points of a touch lie on the borders of shapes without radius. */
static void check_borders(const scene *s, const thud_touch *touch, double size, worst_errors *tally) {
  outline a = outline_of(s->a, &s->pose_a), b = outline_of(s->b, &s->pose_b);
  if (a.radius + b.radius > 0 || opening_of(&a, &b).restricted) return;
  keep_larger(&tally->manifold, from_shape(&a, touch->on_a) / size);
  keep_larger(&tally->manifold, from_shape(&b, touch->on_b) / size);
}

static void check_touches(const scene *s, double margin, double gap, double size, worst_errors *tally) {
  thud_touch touches[THUD_MANIFOLD_MAX], mirrors[THUD_MANIFOLD_MAX];
  size_t count = thud_planar_collide(s->a, &s->pose_a, s->b, &s->pose_b, margin, touches);
  size_t mirrored = thud_planar_collide(s->b, &s->pose_b, s->a, &s->pose_a, margin, mirrors);
  thud_assert_equal(count, mirrored);
  thud_assert_at_most(count, 2);
  thud_shape_def a = thud_shape_get_def(s->a), b = thud_shape_get_def(s->b);
  bool particles = a.kind == THUD_SHAPE_DISC && b.kind == THUD_SHAPE_DISC && a.radius + b.radius == 0;
  if (gap > margin || particles) {
    thud_assert_equal(count, 0);
    return;
  }
  thud_assert_greater(count, 0);
  double least = INFINITY;
  for (size_t k = 0; k < count; k++) {
    const thud_touch *touch = &touches[k];
    if (!same_everything(s)) assert_mirrored(touch, &mirrors[k]);
    thud_assert_at_most(touch->gap, margin);
    least = fmin(least, touch->gap);
    check_borders(s, touch, size, tally);
    thud_vec3 between = thud_vec3_subtract(touch->on_a, touch->on_b);
    keep_larger(&tally->manifold, thud_vec3_norm(thud_vec3_add_scaled(between, -touch->gap, touch->normal)) / size);
    keep_larger(&tally->manifold, thud_vec3_distance(touch->normal, touches[0].normal));
  }
  keep_larger(&tally->manifold, (least - gap) / size);
  if (count == 2) thud_assert_different(touches[0].feature, touches[1].feature);
  if (count == 2) tally->pairs_of_touches++;
}

/* ---- random poses ----------------------------------------------------------------------------------------------------- */

static double reach_of(const thud_shape *shape) {
  double reach = thud_shape_radius(shape);
  return reach > 0 && reach < INFINITY ? reach : 1;
}

/* Angles that make edges parallel in half of the cases. */
static double random_angle(thud_random *random) {
  switch (thud_random_below(random, 4)) {
  case 0: return 0;
  case 1: return 0.5 * THUD_TEST_PI * thud_random_below(random, 4);
  default: return thud_random_uniform(random, -4, 4);
  }
}

static void shift_a(scene *s, double distance, thud_vec3 direction) {
  s->pose_a.position = thud_vec3_add_scaled(s->pose_a.position, distance, direction);
}

/* Random, then moved along the normal until the gap is about what is wanted. */
static void random_scene(thud_random *random, long round, scene *s) {
  double width = reach_of(s->a) + reach_of(s->b), far = round % 7 == 0 ? 1e3 * width : 0;
  double spread = width * (round % 2 == 0 ? 1.3 : 0.4);
  s->pose_b = thud_test_planar_pose(far, -far, random_angle(random));
  s->pose_a = thud_test_planar_pose(far + thud_random_uniform(random, -spread, spread),
                                    -far + thud_random_uniform(random, -spread, spread), random_angle(random));
  if (round % 11 == 0) s->pose_a.rotation = s->pose_b.rotation;
  if (round % 13 == 0) s->pose_a.position.x = s->pose_b.position.x;
  if (round % 17 == 0) s->pose_a.position = s->pose_b.position;
  static const double gaps[] = {0, -1e-12, 1e-12, -1e-9, 1e-9, -1e-6, 1e-6, -1e-2, 1e-2, 0.1};
  if (round % 3 != 0) return;
  thud_touch touch;
  double gap = thud_planar_distance(s->a, &s->pose_a, s->b, &s->pose_b, &touch);
  shift_a(s, width * gaps[round / 3 % 10] - gap, touch.normal);
}

static void check_pair(thud_context *context, form kind_a, form kind_b, worst_errors *tally) {
  thud_random random = thud_random_seed(100 + (uint64_t)(kind_a * FORMS + kind_b));
  for (long round = 0; round < 2000; round += THUD_TEST_STRIDE(7)) {
    thud_shape *a = make_random(context, &random, kind_a), *b = make_random(context, &random, kind_b);
    scene s = {.a = a, .b = b};
    if (round % 5 == 0 && kind_a == kind_b) s.b = a;
    random_scene(&random, round, &s);
    outline of_a = outline_of(s.a, &s.pose_a), of_b = outline_of(s.b, &s.pose_b);
    double size = reach_of(s.a) + reach_of(s.b) + thud_vec3_distance(s.pose_a.position, s.pose_b.position);
    if (round % 7 == 0) size += 1e-3 * thud_vec3_norm(s.pose_b.position); /* positions are rounded to 1e3 of these */
    check_distance(&s, &of_a, &of_b, size, tally);
    double gap = thud_planar_distance(s.a, &s.pose_a, s.b, &s.pose_b, NULL);
    check_touches(&s, fabs(gap) * (round % 2 == 0 ? 1 : 0.5), gap, size, tally);
    tally->poses++;
    tally->apart += gap > 0;
    tally->overlapping += gap < 0;
    thud_shape_destroy(a);
    thud_shape_destroy(b);
  }
}

static void every_pair_agrees_with_the_minkowski_difference(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  print_message("| pair | poses | apart | overlapping | 2 points | gap | normal | points | manifold |\n");
  for (int a = 0; a < FORMS; a++)
    for (int b = a; b < FORMS; b++) {
      if (a == HALF_PLANE && b == HALF_PLANE) continue;
      worst_errors tally = {0};
      check_pair(context, (form)a, (form)b, &tally);
      print_message("| %s, %s | %ld | %ld | %ld | %ld | %.1e | %.1e | %.1e | %.1e |\n", form_names[a], form_names[b],
                    tally.poses, tally.apart, tally.overlapping, tally.pairs_of_touches, tally.gap, tally.normal,
                    tally.points, tally.manifold);
      thud_assert_at_most(tally.gap, 1e-12);
      thud_assert_at_most(tally.normal, 1e-12);
      thud_assert_at_most(tally.points, 1e-12);
      thud_assert_at_most(tally.manifold, 1e-12);
    }
  thud_test_context_end(context);
}

/* ---- a second oracle: all directions --------------------------------------------------------------------------------------- */

/* How far A is above B along the direction of an angle, by the support functions of the shapes with their radii. */
static long double height_at(const outline *a, const outline *b, long double angle) {
  return height_along(a, b, (point){cosl(angle), sinl(angle)}) - a->radius - b->radius;
}

/* Golden sections: the largest height between two angles that enclose one maximum. */
static long double refine(const outline *a, const outline *b, long double low, long double high) {
  const long double golden = (sqrtl(5) - 1) / 2;
  long double left = high - golden * (high - low), right = low + golden * (high - low);
  long double at_left = height_at(a, b, left), at_right = height_at(a, b, right);
  for (int k = 0; k < 80; k++) {
    if (at_left > at_right) {
      high = right, right = left, at_right = at_left;
      left = high - golden * (high - low), at_left = height_at(a, b, left);
    } else {
      low = left, left = right, at_left = at_right;
      right = low + golden * (high - low), at_right = height_at(a, b, right);
    }
  }
  return fmaxl(at_left, at_right);
}

/* Dense, then refined around every local maximum: for convex shapes this is the signed distance, apart or overlapping. */
static long double best_height(const outline *a, const outline *b) {
  enum { ANGLES = 360 };
  long double heights[ANGLES], best = -INFINITY, step = 2 * acosl(-1) / ANGLES;
  for (int k = 0; k < ANGLES; k++) best = fmaxl(best, heights[k] = height_at(a, b, k * step));
  long double sampled = best, size = a->radius + b->radius;
  for (int k = 0; k < a->count * b->count; k++)
    size = fmaxl(size, norm(minus(a->vertices[k % a->count], b->vertices[k / a->count])));
  for (int k = 0; k < ANGLES; k++) {
    bool peak = heights[k] >= heights[(k + ANGLES - 1) % ANGLES] && heights[k] >= heights[(k + 1) % ANGLES];
    if (peak && heights[k] + step * size >= sampled) best = fmaxl(best, refine(a, b, (k - 1) * step, (k + 1) * step));
  }
  return best;
}

static void no_direction_is_better(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int kind_a = PARTICLE; kind_a <= POLYGON; kind_a++)
    for (int kind_b = kind_a; kind_b <= POLYGON; kind_b++) {
      thud_random random = thud_random_seed(500 + (uint64_t)(kind_a * FORMS + kind_b));
      double worst = 0;
      for (long round = 0; round < 100; round += THUD_TEST_STRIDE(9)) {
        thud_shape *a = make_random(context, &random, (form)kind_a), *b = make_random(context, &random, (form)kind_b);
        scene s = {.a = a, .b = b};
        random_scene(&random, round, &s);
        outline of_a = outline_of(a, &s.pose_a), of_b = outline_of(b, &s.pose_b);
        double gap = thud_planar_distance(a, &s.pose_a, b, &s.pose_b, NULL);
        double size = reach_of(a) + reach_of(b) + thud_vec3_distance(s.pose_a.position, s.pose_b.position);
        keep_larger(&worst, (gap - best_height(&of_a, &of_b)) / size);
        thud_shape_destroy(a);
        thud_shape_destroy(b);
      }
      print_message("| %s, %s | %.1e |\n", form_names[kind_a], form_names[kind_b], worst);
      thud_assert_at_most(worst, 1e-12);
    }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_pair_agrees_with_the_minkowski_difference),
      cmocka_unit_test(no_direction_is_better),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
