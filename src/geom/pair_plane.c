/* Solids on a plane: the half-space z <= 0 of the plane's frame. */
#include "geom/manifold.h"

/* Gaps that differ by less than this fraction of the shape's reach count as equal. */
#define SAME_GAP 2e-8
/* A rim's lowest point is named beside its fixed points when it is deeper than them by this fraction of the radius. */
#define LOWER_THAN_FIXED 1e-9

/* The plane seen from the shape's frame: a point x of the shape has the gap normal.x - offset. */
typedef struct ground {
  const thud_pose *pose; /* of the shape */
  thud_vec3 normal, world_normal;
  double offset, margin;
} ground;

static ground ground_below(const thud_pose *pose, const thud_pose *plane, double margin) {
  thud_vec3 up = thud_quat_rotate(plane->rotation, thud_vec3_make(0, 0, 1));
  double height = thud_vec3_dot(up, thud_vec3_subtract(pose->position, plane->position));
  ground below = {pose, thud_quat_rotate_inverse(pose->rotation, up), up, -height, margin};
  return below;
}

/* One contact at a point of the shape's surface, when it is within the margin. */
static size_t touch_point(const ground *below, thud_vec3 x, uint32_t feature, thud_touch *touch) {
  double gap = thud_vec3_dot(below->normal, x) - below->offset;
  if (gap > below->margin) return 0;
  touch->normal = below->world_normal;
  touch->on_a = thud_pose_point(below->pose, x);
  touch->on_b = thud_vec3_add_scaled(touch->on_a, -gap, below->world_normal);
  touch->gap = gap;
  touch->feature = feature;
  return 1;
}

static size_t points_on_plane(const ground *below, size_t count, const thud_vec3 *points, double size,
                              thud_touch *touches) {
  size_t chosen[THUD_MANIFOLD_MAX], taken = 0;
  size_t found = thud_manifold_pick(count, points, below->normal, below->offset, below->margin, SAME_GAP * size,
                                    THUD_MANIFOLD_MAX, chosen);
  for (size_t i = 0; i < found; i++)
    taken += touch_point(below, points[chosen[i]], (uint32_t)chosen[i], &touches[taken]);
  return taken;
}

static size_t capsule_on_plane(const ground *below, const thud_shape *shape, thud_touch *touches) {
  thud_vec3 low = thud_vec3_scale(-shape->def.radius, below->normal);
  size_t taken = 0;
  for (uint32_t end = 0; end < 2; end++) {
    thud_vec3 tip = thud_vec3_make(0, 0, end == 0 ? -shape->def.half_length : shape->def.half_length);
    taken += touch_point(below, thud_vec3_add(tip, low), end, &touches[taken]);
  }
  return taken;
}

static size_t box_on_plane(const ground *below, const thud_shape *shape, thud_touch *touches) {
  const double *half = shape->def.half;
  thud_vec3 corners[8];
  for (size_t i = 0; i < 8; i++)
    corners[i] = thud_vec3_make(i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2]);
  return points_on_plane(below, 8, corners, shape->reach, touches);
}

/* ---- rims of cylinders and cones -------------------------------------------------------------------------------------- */

/* The lowest point of a circle around the axis at height z. */
static thud_vec3 lowest_of_rim(const ground *below, double radius, double z) {
  double across = sqrt(below->normal.x * below->normal.x + below->normal.y * below->normal.y);
  if (!(across > 0)) return thud_vec3_make(radius, 0, z);
  return thud_vec3_make(-radius * below->normal.x / across, -radius * below->normal.y / across, z);
}

enum { FIXED_POINTS = 4, LOWEST_OF_RIM = 4 };

/* A disc that faces the plane: four fixed points of its rim, and its lowest point in the place of the nearest of them when
 * it is deeper than all. */
static size_t disc_on_plane(const ground *below, double radius, double z, uint32_t rim, thud_touch *touches) {
  thud_vec3 lowest = lowest_of_rim(below, radius, z), points[FIXED_POINTS];
  uint32_t names[FIXED_POINTS];
  size_t nearest = 0, taken = 0;
  double deepest = INFINITY;
  for (uint32_t i = 0; i < FIXED_POINTS; i++) {
    static const double cosines[FIXED_POINTS] = {1, 0, -1, 0}, sines[FIXED_POINTS] = {0, 1, 0, -1};
    points[i] = thud_vec3_make(radius * cosines[i], radius * sines[i], z);
    names[i] = i;
    double gap = thud_vec3_dot(below->normal, points[i]) - below->offset;
    if (gap < deepest) deepest = gap;
    if (thud_vec3_distance(points[i], lowest) < thud_vec3_distance(points[nearest], lowest)) nearest = i;
  }
  if (thud_vec3_dot(below->normal, lowest) - below->offset < deepest - LOWER_THAN_FIXED * radius) {
    points[nearest] = lowest;
    names[nearest] = LOWEST_OF_RIM + rim;
  }
  for (size_t i = 0; i < FIXED_POINTS; i++) taken += touch_point(below, points[i], names[i], &touches[taken]);
  return taken;
}

/* A solid with a rim at -half_length and at half_length (a cone's tip: of radius 0). It stands on the end that faces the plane
 * by less than 45 degrees, or lies on the line from rim to rim. */
static size_t rims_on_plane(const ground *below, const double radii[2], double half_length, thud_touch *touches) {
  uint32_t down = below->normal.z > 0 ? 0 : 1;
  double ends[2] = {-half_length, half_length};
  if (fabs(below->normal.z) >= sqrt(0.5) && radii[down] > 0)
    return disc_on_plane(below, radii[down], ends[down], down, touches);
  size_t taken = 0;
  for (uint32_t rim = 0; rim < 2; rim++)
    taken += touch_point(below, lowest_of_rim(below, radii[rim], ends[rim]), LOWEST_OF_RIM + rim, &touches[taken]);
  return taken;
}

void thud_lowest_above_plane(const thud_shape *a, const thud_pose *pose_a, const thud_pose *plane, thud_touch *touch) {
  ground below = ground_below(pose_a, plane, INFINITY);
  touch_point(&below, thud_shape_support(a, thud_vec3_negate(below.normal)), 0, touch);
}

size_t thud_pair_solid_plane(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                             double margin, thud_touch *touches) {
  (void)b;
  ground below = ground_below(pose_a, pose_b, margin);
  if (-below.offset - a->reach > margin) return 0;
  switch (a->def.kind) {
  case THUD_SHAPE_CAPSULE: return capsule_on_plane(&below, a, touches);
  case THUD_SHAPE_BOX: return box_on_plane(&below, a, touches);
  case THUD_SHAPE_CYLINDER:
    return rims_on_plane(&below, (double[]){a->def.radius, a->def.radius}, a->def.half_length, touches);
  case THUD_SHAPE_CONE: return rims_on_plane(&below, (double[]){a->def.radius, 0}, a->def.half_length, touches);
  case THUD_SHAPE_HULL:
    return points_on_plane(&below, (size_t)a->polyhedron.vertex_count, a->polyhedron.vertices, a->reach, touches);
  default: return touch_point(&below, thud_shape_support(a, thud_vec3_negate(below.normal)), 0, touches);
  }
}
