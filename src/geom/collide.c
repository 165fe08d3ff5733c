/* Which function handles which pair of shapes. */
#include "geom/collide.h"
#include "geom/planar.h"
#include "geom/separate.h"
#include "geom/triangles.h"

#include <limits.h>

/* ---- one order of every pair ------------------------------------------------------------------------------------------- */

/* Negative: a comes first. Sizes decide before poses, so that a pair keeps its order from step to step. */
static int compare_numbers(double a, double b) { return (a > b) - (a < b); }

static int compare_sizes(const thud_shape *a, const thud_shape *b) {
  const double of_a[] = {a->reach,       a->thickness,   a->def.radius,  a->def.half_length,
                         a->def.half[0], a->def.half[1], a->def.half[2], (double)a->polyhedron.vertex_count};
  const double of_b[] = {b->reach,       b->thickness,   b->def.radius,  b->def.half_length,
                         b->def.half[0], b->def.half[1], b->def.half[2], (double)b->polyhedron.vertex_count};
  int order = 0;
  for (size_t i = 0; order == 0 && i < sizeof of_a / sizeof *of_a; i++) order = compare_numbers(of_a[i], of_b[i]);
  if (order == 0) order = compare_numbers(a->def.point_count, b->def.point_count);
  for (thud_index i = 0; order == 0 && i < 3 * a->def.point_count; i++)
    order = compare_numbers(a->def.points[i], b->def.points[i]);
  return order;
}

/* Equal shapes: along a direction to which differences of positions in scenes (multiples of few lengths along axes or
 * diagonals) are not orthogonal, so that noise does not change the order of neighbours. */
static int compare_poses(const thud_pose *a, const thud_pose *b) {
  thud_vec3 d = thud_vec3_subtract(a->position, b->position);
  int order = compare_numbers(0.57735 * d.x + 0.46327 * d.y + 0.67251 * d.z, 0);
  const double of_a[] = {a->position.x, a->position.y, a->position.z, a->rotation.w,
                         a->rotation.x, a->rotation.y, a->rotation.z};
  const double of_b[] = {b->position.x, b->position.y, b->position.z, b->rotation.w,
                         b->rotation.x, b->rotation.y, b->rotation.z};
  for (size_t i = 0; order == 0 && i < sizeof of_a / sizeof *of_a; i++) order = compare_numbers(of_a[i], of_b[i]);
  return order;
}

/* Balls, then solids by their kinds, then planes. */
static int rank_of(const thud_shape *shape) {
  return shape->class->pairs == THUD_PAIRS_BALL    ? -1
         : shape->class->pairs == THUD_PAIRS_PLANE ? INT_MAX
                                                   : (int)shape->def.kind;
}

static bool must_swap(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b) {
  int order = compare_numbers(rank_of(a), rank_of(b));
  if (order == 0) order = compare_sizes(a, b);
  if (order == 0) order = compare_poses(pose_a, pose_b);
  return order > 0;
}

static void turn_around(size_t count, thud_touch *touches) {
  for (size_t i = 0; i < count; i++) {
    thud_vec3 on_a = touches[i].on_a;
    touches[i].on_a = touches[i].on_b;
    touches[i].on_b = on_a;
    touches[i].normal = thud_vec3_negate(touches[i].normal);
  }
}

/* ---- solids -------------------------------------------------------------------------------------------------------------- */

enum { SOLID_CLASSES = THUD_PAIRS_PLANE + 1 };

#define ON_PLANE thud_pair_solid_plane
#define BALL_ON thud_pair_sphere_solid
#define SOLIDS thud_pair_solid_solid
/* Rows and columns: balls, capsules, boxes, solids, planes; the entries that the order of ranks leaves out are NULL, and so
 * are two planes, which do not meet in points. */
static const thud_pair_fn pairs[SOLID_CLASSES][SOLID_CLASSES] = {
    {thud_pair_sphere_sphere, BALL_ON, BALL_ON, BALL_ON, BALL_ON},
    {NULL, thud_pair_capsule_capsule, SOLIDS, SOLIDS, ON_PLANE},
    {NULL, SOLIDS, thud_pair_box_box, SOLIDS, ON_PLANE},
    {NULL, SOLIDS, SOLIDS, SOLIDS, ON_PLANE},
    {NULL, NULL, NULL, NULL, NULL},
};

size_t thud_convex_collide(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                           double margin, thud_touch *touches) {
  thud_pair_class of_a = a->class->pairs, of_b = b->class->pairs;
  if (!must_swap(a, pose_a, b, pose_b)) return pairs[of_a][of_b](a, pose_a, b, pose_b, margin, touches);
  size_t count = pairs[of_b][of_a](b, pose_b, a, pose_a, margin, touches);
  turn_around(count, touches);
  return count;
}

/* ---- signed distance ----------------------------------------------------------------------------------------------------- */

/* Distance of two solids where a comes before b in the order of the pairs. */
static double distance_in_order(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b,
                                const thud_pose *pose_b, thud_touch *closest) {
  thud_pair_class of_a = a->class->pairs, of_b = b->class->pairs;
  closest->feature = 0;
  if (of_a == THUD_PAIRS_BALL && of_b == THUD_PAIRS_BALL) {
    thud_balls_touch(a->def.radius, pose_a->position, b->def.radius, pose_b->position, closest);
  } else if (of_a == THUD_PAIRS_BALL) {
    thud_pair_sphere_solid(a, pose_a, b, pose_b, INFINITY, closest);
  } else if (of_b == THUD_PAIRS_PLANE) {
    thud_lowest_above_plane(a, pose_a, pose_b, closest);
  } else if (of_a == THUD_PAIRS_CAPSULE && of_b == THUD_PAIRS_CAPSULE) {
    thud_closest_of_capsules(a, pose_a, b, pose_b, closest);
  } else {
    thud_vec3 origin = pose_a->position;
    thud_placed placed_a = thud_place(a, pose_a, origin), placed_b = thud_place(b, pose_b, origin);
    thud_separation best = thud_separate(&placed_a, &placed_b, INFINITY);
    *closest =
        (thud_touch){best.normal, thud_vec3_add(origin, best.on_a), thud_vec3_add(origin, best.on_b), best.gap, 0};
  }
  return closest->gap;
}

double thud_convex_distance(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                            thud_touch *closest) {
  if (!must_swap(a, pose_a, b, pose_b)) return distance_in_order(a, pose_a, b, pose_b, closest);
  distance_in_order(b, pose_b, a, pose_a, closest);
  turn_around(1, closest);
  return closest->gap;
}

/* ---- any two shapes -------------------------------------------------------------------------------------------------------- */

static bool is_surface(const thud_shape *shape) { return shape->class->pairs == THUD_PAIRS_SURFACE; }

/* A surface and a solid; normals from b to a. */
static size_t surface_collide(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b,
                              const thud_pose *pose_b, double margin, size_t capacity, thud_touch *touches) {
  if (is_surface(b)) return thud_triangles_collide(b, pose_b, a, pose_a, margin, capacity, touches);
  size_t count = thud_triangles_collide(a, pose_a, b, pose_b, margin, capacity, touches);
  turn_around(count < capacity ? count : capacity, touches);
  return count;
}

/* Which shapes meet at all: shapes of the plane with each other; surfaces with solids that have a support; solids and
 * planes. */
typedef enum meeting { MEET_NEVER, MEET_PLANAR, MEET_SURFACE, MEET_SOLIDS } meeting;

static meeting meeting_of(const thud_shape *a, const thud_shape *b) {
  if (a->class->planar != b->class->planar) return MEET_NEVER;
  if (a->class->planar) return MEET_PLANAR;
  if (is_surface(a)) return b->class->convex ? MEET_SURFACE : MEET_NEVER;
  if (is_surface(b)) return a->class->convex ? MEET_SURFACE : MEET_NEVER;
  return a->class->convex || b->class->convex ? MEET_SOLIDS : MEET_NEVER;
}

void thud_collide(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                  double margin, size_t capacity, thud_touch *touches, size_t *count) {
  THUD_REQUIRE_OR(, a, pose_a, b, pose_b, count, touches || capacity == 0);
  thud_touch found[THUD_MANIFOLD_MAX];
  *count = 0;
  switch (meeting_of(a, b)) {
  case MEET_NEVER: return;
  case MEET_SURFACE: *count = surface_collide(a, pose_a, b, pose_b, margin, capacity, touches); return;
  case MEET_PLANAR: *count = thud_planar_collide(a, pose_a, b, pose_b, margin, found); break;
  case MEET_SOLIDS: *count = thud_convex_collide(a, pose_a, b, pose_b, margin, found); break;
  }
  for (size_t i = 0; i < *count && i < capacity; i++) touches[i] = found[i];
}

/* The least gap of the contacts within a margin that is widened until there are some. */
static double surface_distance(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b,
                               const thud_pose *pose_b, thud_touch *closest) {
  thud_touch touches[THUD_SURFACE_TOUCHES];
  double reach = a->reach + b->reach, least = thud_larger(a->thickness, b->thickness);
  double most = thud_vec3_distance(pose_a->position, pose_b->position) + reach;
  size_t count = 0;
  for (double margin = least; count == 0 && margin < 4 * most; margin *= 4)
    count = surface_collide(a, pose_a, b, pose_b, margin, THUD_SURFACE_TOUCHES, touches);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || touches[i].gap < closest->gap) *closest = touches[i];
  return closest->gap;
}

double thud_distance(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                     thud_touch *closest) {
  THUD_REQUIRE_OR(NAN, a, pose_a, b, pose_b);
  thud_touch found = {.gap = INFINITY};
  switch (meeting_of(a, b)) {
  case MEET_NEVER: break;
  case MEET_PLANAR: thud_planar_distance(a, pose_a, b, pose_b, &found); break;
  case MEET_SURFACE: surface_distance(a, pose_a, b, pose_b, &found); break;
  case MEET_SOLIDS: thud_convex_distance(a, pose_a, b, pose_b, &found); break;
  }
  if (closest) *closest = found;
  return found.gap;
}
