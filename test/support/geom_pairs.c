#include "geom_pairs.h"
#include "testing.h"

#include <string.h>

/* Manifolds prefer faces and earlier references to axes that separate more by less than this, over the smaller reach. */
#define MANIFOLD_TOLERANCE 5e-8
/* Of the signed distance, over the smaller reach. */
#define TOLERANCE 1e-9
/* Contact points lie on the surfaces to this, over the smaller reach. */
#define SURFACE_TOLERANCE 1e-7

enum { POSES = 320, SHAPES = 8, SORTS = 8, ORACLE_STEPS = 400, ORACLE_DIRECTIONS = 400 };

/* ---- shapes and poses ------------------------------------------------------------------------------------------------- */

thud_shape *pair_shape(thud_context *context, thud_random *random, thud_shape_kind kind, double size) {
  thud_shape_def def = thud_shape_def_default(kind);
  double points[36];
  def.radius = size * thud_random_uniform(random, 0.25, 1);
  def.half_length = size * thud_random_uniform(random, 0.25, 1);
  for (int i = 0; i < 3; i++) def.half[i] = size * thud_random_uniform(random, 0.25, 1);
  def.points = points;
  def.point_count = 4 + (thud_index)thud_random_below(random, 9);
  for (thud_index i = 0; i < 3 * def.point_count; i++) points[i] = def.half[i % 3] * thud_random_uniform(random, -1, 1);
  thud_shape *shape = NULL;
  assert_int_equal(thud_shape_create(context, &def, &shape), THUD_OK);
  return shape;
}

static thud_vec3 random_vector(thud_random *random) {
  double x = thud_random_normal(random), y = thud_random_normal(random), z = thud_random_normal(random);
  return thud_vec3_make(x, y, z);
}

static thud_quat random_rotation(thud_random *random) {
  thud_vec3 v = random_vector(random);
  return thud_quat_normalise(thud_quat_make(thud_random_normal(random), v.x, v.y, v.z));
}

/* By multiples of a right angle, or of half of one, about the axes. */
static thud_quat right_rotation(thud_random *random, double angle) {
  thud_quat q = thud_quat_identity();
  for (int axis = 0; axis < 3; axis++) {
    double turn = angle * thud_random_below(random, 8);
    thud_vec3 about = thud_vec3_make(axis == 0 ? turn : 0, axis == 1 ? turn : 0, axis == 2 ? turn : 0);
    q = thud_quat_multiply(thud_quat_from_rotation_vector(about), q);
  }
  return thud_quat_normalise(q);
}

static double extent(const oracle_body *body) {
  double reach = thud_shape_radius(body->shape);
  return isfinite(reach) ? reach : 0;
}

/* Moves a along the normal of the distance until the gap is about the given one. */
static void bring_to_gap(oracle_body *a, const oracle_body *b, double gap) {
  for (int i = 0; i < 3; i++) {
    thud_touch closest;
    double now = thud_distance(a->shape, &a->pose, b->shape, &b->pose, &closest);
    a->pose.position = thud_vec3_add_scaled(a->pose.position, gap - now, closest.normal);
  }
}

static void place(thud_random *random, int sort, oracle_body *a, oracle_body *b) {
  const double right = 1.57079632679489661923;
  double reach = extent(a) + extent(b), size = extent(a);
  thud_vec3 direction = thud_vec3_make(1, 0, 0);
  thud_vec3_normalise(random_vector(random), &direction);
  a->pose.rotation = random_rotation(random);
  b->pose.rotation = random_rotation(random);
  b->pose.position = thud_vec3_make(0, 0, 0);
  double far = sort == 0 ? thud_random_uniform(random, 1, 2) : sort == 4 ? thud_random_uniform(random, 0, 0.5) : 1;
  if (sort == 5) { /* parallel axes */
    a->pose.rotation = b->pose.rotation;
    far = thud_random_uniform(random, 0.3, 1.2);
  } else if (sort == 6) { /* turned by half right angles: edges on edges, faces on faces */
    a->pose.rotation = right_rotation(random, 0.5 * right);
    b->pose.rotation = right_rotation(random, 0.5 * right);
    direction = thud_vec3_make(1.0 - thud_random_below(random, 3), 1.0 - thud_random_below(random, 3),
                               1.0 - thud_random_below(random, 3));
    far = 0.25 * (1 + thud_random_below(random, 4));
  } else if (sort == 7) { /* concentric, with any or the same axes */
    far = 0;
    if (thud_random_below(random, 2)) a->pose.rotation = right_rotation(random, right);
    if (thud_random_below(random, 2)) b->pose.rotation = right_rotation(random, right);
  }
  a->pose.position = thud_vec3_scale(far * reach, direction);
  if (sort == 1) bring_to_gap(a, b, size * thud_random_uniform(random, 0, 0.1));
  if (sort == 2) bring_to_gap(a, b, 0);
  if (sort == 3) bring_to_gap(a, b, -size * thud_random_uniform(random, 1e-6, 1e-2));
}

/* ---- the judge ----------------------------------------------------------------------------------------------------------- */

typedef struct judged {
  const oracle_body *a, *b;
  double size, tolerance;
  int pose;
} judged;

#define CLAIM(j, condition, number)                                                                                    \
  do {                                                                                                                 \
    if (!(condition))                                                                                                  \
      fail_msg("%s and %s, pose %d: not (%s): %.17g over the size",                                                    \
               thud_shape_kind_name(thud_shape_get_kind((j)->a->shape)),                                               \
               thud_shape_kind_name(thud_shape_get_kind((j)->b->shape)), (j)->pose, #condition, (number) / (j)->size); \
  } while (0)

/* The same but for the side of the normals, bit for bit. */
static bool mirrored(const thud_touch *one, const thud_touch *other) {
  thud_vec3 back = thud_vec3_negate(other->normal);
  return one->normal.x == back.x && one->normal.y == back.y && one->normal.z == back.z &&
         memcmp(&one->on_a, &other->on_b, sizeof one->on_a) == 0 &&
         memcmp(&one->on_b, &other->on_a, sizeof one->on_b) == 0 && one->gap == other->gap &&
         one->feature == other->feature;
}

/* Returns the error of the distance. */
static double judge_distance(const judged *j, const thud_touch *c) {
  const oracle_body *a = j->a, *b = j->b;
  double tolerance = j->tolerance * j->size;
  double along = oracle_separation(a, b, c->normal), between = thud_vec3_distance(c->on_a, c->on_b);
  double error = fabs(along - c->gap);
  CLAIM(j, fabs(thud_vec3_norm(c->normal) - 1) < 1e-13, thud_vec3_norm(c->normal));
  CLAIM(j, error <= tolerance, error);
  CLAIM(j, fabs(oracle_level(a, c->on_a)) <= SURFACE_TOLERANCE * j->size, oracle_level(a, c->on_a));
  CLAIM(j, fabs(oracle_level(b, c->on_b)) <= SURFACE_TOLERANCE * j->size, oracle_level(b, c->on_b));
  if (c->gap > 0) {
    /* points of both as near as a plane keeps them apart: no others are nearer */
    CLAIM(j, between - along <= tolerance, between - along);
    error = fmax(error, between - along);
    if (thud_shape_get_kind(b->shape) == THUD_SHAPE_PLANE) return error;
    oracle_interval interval = oracle_distance(a, b, ORACLE_STEPS);
    double outside = fmax(interval.lower - c->gap, c->gap - interval.upper);
    CLAIM(j, outside <= tolerance, outside);
    return fmax(error, outside);
  }
  double missed = oracle_largest_separation(a, b, ORACLE_DIRECTIONS) - c->gap;
  CLAIM(j, missed <= tolerance, missed);
  return fmax(error, missed);
}

static void judge_touch(const judged *j, const thud_touch *touch, double distance, double margin) {
  double along = oracle_separation(j->a, j->b, touch->normal), level_a = oracle_level(j->a, touch->on_a);
  double level_b = oracle_level(j->b, touch->on_b);
  thud_vec3 between = thud_vec3_subtract(touch->on_a, touch->on_b);
  CLAIM(j, touch->gap <= margin, touch->gap);
  CLAIM(j, touch->gap >= distance - MANIFOLD_TOLERANCE * j->size, touch->gap - distance);
  CLAIM(j, touch->gap >= along - MANIFOLD_TOLERANCE * j->size, touch->gap - along);
  CLAIM(j, along >= distance - MANIFOLD_TOLERANCE * j->size,
        along - distance); /* every normal separates by the distance */
  /* ends of capsules touch as balls: their points may be inside of the capsule */
  bool capsule_a = thud_shape_get_kind(j->a->shape) == THUD_SHAPE_CAPSULE;
  bool capsule_b = thud_shape_get_kind(j->b->shape) == THUD_SHAPE_CAPSULE;
  CLAIM(j, fabs(capsule_a ? fmax(level_a, 0) : level_a) <= SURFACE_TOLERANCE * j->size, level_a);
  CLAIM(j, fabs(capsule_b ? fmax(level_b, 0) : level_b) <= SURFACE_TOLERANCE * j->size, level_b);
  double apart = thud_vec3_dot(between, touch->normal) - touch->gap;
  CLAIM(j, fabs(apart) <= 1e-9 * j->size, apart);
}

static void judge_manifold(const judged *j, double distance, double margin) {
  const oracle_body *a = j->a, *b = j->b;
  thud_touch touches[THUD_MANIFOLD_MAX], others[THUD_MANIFOLD_MAX];
  size_t count, other_count;
  thud_collide(a->shape, &a->pose, b->shape, &b->pose, margin, THUD_MANIFOLD_MAX, touches, &count);
  thud_collide(b->shape, &b->pose, a->shape, &a->pose, margin, THUD_MANIFOLD_MAX, others, &other_count);
  CLAIM(j, count == other_count && count <= THUD_MANIFOLD_MAX, (double)count);
  CLAIM(j, count > 0 || distance > margin - MANIFOLD_TOLERANCE * j->size, distance);
  double least = INFINITY;
  for (size_t i = 0; i < count; i++) {
    judge_touch(j, &touches[i], distance, margin);
    CLAIM(j, mirrored(&touches[i], &others[i]), (double)i);
    least = fmin(least, touches[i].gap);
    for (size_t k = 0; k < i; k++) CLAIM(j, touches[k].feature != touches[i].feature, (double)touches[i].feature);
  }
  if (count > 0) CLAIM(j, fabs(least - distance) <= MANIFOLD_TOLERANCE * j->size, least - distance);
}

static double judge(const judged *j) {
  const oracle_body *a = j->a, *b = j->b;
  thud_touch closest, other;
  double distance = thud_distance(a->shape, &a->pose, b->shape, &b->pose, &closest);
  CLAIM(j, distance == closest.gap, distance - closest.gap);
  thud_distance(b->shape, &b->pose, a->shape, &a->pose, &other);
  CLAIM(j, mirrored(&closest, &other), other.gap);
  double error = judge_distance(j, &closest);
  judge_manifold(j, distance, 0.1 * j->size);
  judge_manifold(j, distance, 0);
  return error / j->size;
}

pair_verdict pair_judge(thud_context *context, thud_shape_kind kind_a, thud_shape_kind kind_b, int poses,
                        double tolerance) {
  static const double units[3] = {1, 1e-6, 1e6};
  thud_random random = thud_random_seed(1000 * (uint64_t)kind_a + (uint64_t)kind_b);
  pair_verdict verdict = {0, 0, 0};
  thud_shape *of_a[3][SHAPES], *of_b[3][SHAPES];
  for (int i = 0; i < SHAPES; i++)
    for (int u = 0; u < 3; u++) {
      of_a[u][i] = pair_shape(context, &random, kind_a, units[u]);
      of_b[u][i] = pair_shape(context, &random, kind_b, units[u]);
    }
  for (int i = 0; i < poses; i += THUD_TEST_STRIDE(20)) {
    int unit = i / SORTS % 4 == 3 ? 1 + i / SORTS % 2 : 0, offset = i / SORTS % 5 == 4;
    oracle_body a = {of_a[unit][thud_random_below(&random, SHAPES)], thud_pose_identity()};
    oracle_body b = {of_b[unit][thud_random_below(&random, SHAPES)], thud_pose_identity()};
    if (kind_a == kind_b && i / SORTS % 3 == 0) b.shape = a.shape; /* only the poses tell them apart */
    place(&random, i % SORTS, &a, &b);
    thud_vec3 far = thud_vec3_scale(offset ? 1e3 * units[unit] : 0, thud_vec3_make(0.6, -0.3, 0.7));
    a.pose.position = thud_vec3_add(a.pose.position, far);
    b.pose.position = thud_vec3_add(b.pose.position, far);
    judged j = {&a, &b, extent(&b) > 0 ? fmin(extent(&a), extent(&b)) : extent(&a), tolerance, i};
    verdict.worst = fmax(verdict.worst, judge(&j));
    verdict.overlapping += thud_distance(a.shape, &a.pose, b.shape, &b.pose, NULL) < 0;
    verdict.poses++;
  }
  for (int i = 0; i < SHAPES; i++)
    for (int u = 0; u < 3; u++) {
      thud_shape_destroy(of_a[u][i]);
      thud_shape_destroy(of_b[u][i]);
    }
  return verdict;
}

void pair_judge_each(thud_shape_kind kind, size_t count, const thud_shape_kind *others) {
  thud_context *context = thud_test_context(1);
  for (size_t i = 0; i < count; i++) {
    pair_verdict verdict = pair_judge(context, kind, others[i], POSES, TOLERANCE);
    print_message("%-9s %-9s %5d poses, %4d overlapping, worst error %.1e\n", thud_shape_kind_name(kind),
                  thud_shape_kind_name(others[i]), verdict.poses, verdict.overlapping, verdict.worst);
  }
  thud_test_context_end(context);
}
