/* Solids on a plane: the half-space z <= 0 of the plane's frame. */
#include "geom/manifold.h"

/* Gaps that differ by less than this fraction of the shape's reach count as equal. */
#define SAME_GAP 2e-8
/* A rim's lowest point is named beside its fixed points when it is deeper than them by this fraction of the radius. */
#define LOWER_THAN_FIXED 1e-9

static thud_ground ground_below(const thud_pose *pose, const thud_pose *plane, double margin) {
  thud_vec3 up = thud_quat_rotate(plane->rotation, thud_vec3_make(0, 0, 1));
  double height = thud_vec3_dot(up, thud_vec3_subtract(pose->position, plane->position));
  thud_ground below = {pose, thud_quat_rotate_inverse(pose->rotation, up), up, -height, margin};
  return below;
}

size_t thud_ground_touch(const thud_ground *ground, thud_vec3 x, uint32_t feature, thud_touch *touch) {
  double gap = thud_vec3_dot(ground->normal, x) - ground->offset;
  if (gap > ground->margin) return 0;
  touch->normal = ground->world_normal;
  touch->on_a = thud_pose_point(ground->pose, x);
  touch->on_b = thud_vec3_add_scaled(touch->on_a, -gap, ground->world_normal);
  touch->gap = gap;
  touch->feature = feature;
  return gap <= ground->margin; /* not where it is no number */
}

size_t thud_ground_vertices(const thud_ground *ground, const thud_shape *shape, thud_touch *touches) {
  const thud_vec3 *points = shape->polyhedron.vertices;
  size_t chosen[THUD_MANIFOLD_MAX], taken = 0;
  size_t found = thud_manifold_pick((size_t)shape->polyhedron.vertex_count, points, ground->normal, ground->offset,
                                    ground->margin, SAME_GAP * shape->reach, THUD_MANIFOLD_MAX, chosen);
  for (size_t i = 0; i < found; i++)
    taken += thud_ground_touch(ground, points[chosen[i]], (uint32_t)chosen[i], &touches[taken]);
  return taken;
}

/* ---- rims of cylinders and cones -------------------------------------------------------------------------------------- */

/* The lowest point of a circle around the axis at height z. */
static thud_vec3 lowest_of_rim(const thud_ground *ground, double radius, double z) {
  double across = sqrt(ground->normal.x * ground->normal.x + ground->normal.y * ground->normal.y);
  if (!(across > 0)) return thud_vec3_make(radius, 0, z);
  return thud_vec3_make(-radius * ground->normal.x / across, -radius * ground->normal.y / across, z);
}

enum { FIXED_POINTS = 4, LOWEST_OF_RIM = 4 };

/* A disc that faces the plane: four fixed points of its rim, and its lowest point in the place of the nearest of them when
 * it is deeper than all. */
static size_t disc_on_plane(const thud_ground *ground, double radius, double z, uint32_t rim, thud_touch *touches) {
  thud_vec3 lowest = lowest_of_rim(ground, radius, z), points[FIXED_POINTS];
  uint32_t names[FIXED_POINTS];
  size_t nearest = 0, taken = 0;
  double deepest = INFINITY;
  for (uint32_t i = 0; i < FIXED_POINTS; i++) {
    static const double cosines[FIXED_POINTS] = {1, 0, -1, 0}, sines[FIXED_POINTS] = {0, 1, 0, -1};
    points[i] = thud_vec3_make(radius * cosines[i], radius * sines[i], z);
    names[i] = i;
    double gap = thud_vec3_dot(ground->normal, points[i]) - ground->offset;
    if (gap < deepest) deepest = gap;
    if (thud_vec3_distance(points[i], lowest) < thud_vec3_distance(points[nearest], lowest)) nearest = i;
  }
  if (thud_vec3_dot(ground->normal, lowest) - ground->offset < deepest - LOWER_THAN_FIXED * radius) {
    points[nearest] = lowest;
    names[nearest] = LOWEST_OF_RIM + rim;
  }
  for (size_t i = 0; i < FIXED_POINTS; i++) taken += thud_ground_touch(ground, points[i], names[i], &touches[taken]);
  return taken;
}

/* A solid with a rim at -half_length and at half_length (a cone's tip: of radius 0). It stands on the end that faces the plane
 * by less than 45 degrees, or lies on the line from rim to rim. */
size_t thud_ground_rims(const thud_ground *ground, const double radii[2], double half_length, thud_touch *touches) {
  uint32_t down = ground->normal.z > 0 ? 0 : 1;
  double ends[2] = {-half_length, half_length};
  if (fabs(ground->normal.z) >= sqrt(0.5) && radii[down] > 0)
    return disc_on_plane(ground, radii[down], ends[down], down, touches);
  size_t taken = 0;
  for (uint32_t rim = 0; rim < 2; rim++)
    taken +=
        thud_ground_touch(ground, lowest_of_rim(ground, radii[rim], ends[rim]), LOWEST_OF_RIM + rim, &touches[taken]);
  return taken;
}

void thud_lowest_above_plane(const thud_shape *a, const thud_pose *pose_a, const thud_pose *plane, thud_touch *touch) {
  thud_ground ground = ground_below(pose_a, plane, INFINITY);
  thud_ground_touch(&ground, a->class->support(a, thud_vec3_negate(ground.normal)), 0, touch);
}

size_t thud_pair_solid_plane(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                             double margin, thud_touch *touches) {
  (void)b;
  thud_ground ground = ground_below(pose_a, pose_b, margin);
  if (!(-ground.offset - a->reach <= margin)) return 0;
  if (a->class->on_plane != NULL) return a->class->on_plane(&ground, a, touches);
  return thud_ground_touch(&ground, a->class->support(a, thud_vec3_negate(ground.normal)), 0, touches);
}
