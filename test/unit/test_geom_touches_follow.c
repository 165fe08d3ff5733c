/* Touches as a function of the pose: a small tilt or shift of one shape moves them a little, and none of them vanishes.
 *
 * Two poses that differ by d (a turn of d radians about the contact and a shift of d sizes) have touches T and T'. Each touch of T
 * at x with a gap g that is below the margin by what d can change must be in T', as a point or as a part of what the points
 * of T' span: there are weights w >= 0, sum w = 1, with
 *
 *   |x - sum w_i x'_i| <= e s,   sum w_i g'_i <= g + e s,   |n - n'_i| <= 10 e,   e = C d + floor,
 *
 * and the same the other way round. s is the smaller shape's reach. The weights come from the distance of a point to a
 * convex hull in the space of (place, gap), the hull drawn out upwards, since smaller gaps do no harm. C = 60 allows for the
 * places where edges cross at an angle; the floor is 1e-7 (lengths within 2e-8 are equal in the narrow phase) and 1e-5 on
 * smooth parts (directions of curved surfaces are known to the root of 1e-13, and lines cross at an angle). */
#include "testing.h"
#include "thud/thud.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

enum { TOUCHES = 32, MEMBERS = 2 * TOUCHES };

/* ---- a point and a convex hull ------------------------------------------------------------------------------------------- */

typedef struct few {
  int count;
  thud_vec3 point[4];
} few;

/* The point of the simplex nearest to the origin, of all its faces the nearest affine point inside; keeps what carries it. */
static thud_vec3 nearest_of_simplex(few *s) {
  thud_vec3 best = s->point[0];
  double least = INFINITY;
  few kept = *s;
  for (int set = 1; set < 1 << s->count; set++) {
    few face = {0};
    for (int i = 0; i < s->count; i++)
      if (set >> i & 1) face.point[face.count++] = s->point[i];
    thud_mat3 gram, inverse;
    double G[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, right[3] = {0}, w[3];
    for (int i = 1; i < face.count; i++) {
      thud_vec3 e = thud_vec3_subtract(face.point[i], face.point[0]);
      right[i - 1] = -thud_vec3_dot(e, face.point[0]);
      for (int j = 1; j < face.count; j++)
        G[i - 1][j - 1] = thud_vec3_dot(e, thud_vec3_subtract(face.point[j], face.point[0]));
    }
    gram = thud_mat3_columns(thud_vec3_load(G[0]), thud_vec3_load(G[1]), thud_vec3_load(G[2]));
    if (!thud_mat3_inverse(gram, &inverse)) continue;
    thud_vec3_store(thud_mat3_apply(inverse, thud_vec3_load(right)), w);
    thud_vec3 x = face.point[0];
    double first = 1;
    bool inside = true;
    for (int i = 1; i < face.count; i++) {
      first -= w[i - 1];
      inside = inside && w[i - 1] >= 0;
      x = thud_vec3_add_scaled(x, w[i - 1], thud_vec3_subtract(face.point[i], face.point[0]));
    }
    if (!inside || first < 0 || !(thud_vec3_norm(x) < least)) continue;
    least = thud_vec3_norm(x);
    best = x;
    kept = face;
  }
  *s = kept;
  return best;
}

/* Distance of the origin from the hull of the points (Gilbert, Johnson and Keerthi). */
static double distance_to_hull(size_t count, const thud_vec3 *points) {
  few s = {1, {points[0]}};
  thud_vec3 v = points[0];
  for (int step = 0; step < 200; step++) {
    size_t low = 0;
    for (size_t i = 1; i < count; i++)
      if (thud_vec3_dot(v, points[i]) < thud_vec3_dot(v, points[low])) low = i;
    double norm2 = thud_vec3_dot(v, v);
    if (norm2 - thud_vec3_dot(v, points[low]) <= 1e-14 * norm2 + 1e-22 || s.count == 4) break;
    s.point[s.count++] = points[low];
    thud_vec3 next = nearest_of_simplex(&s);
    if (!(thud_vec3_dot(next, next) < norm2)) break;
    v = next;
  }
  return thud_vec3_norm(v);
}

/* ---- shapes and the parts that face each other ------------------------------------------------------------------------------ */

/* How a shape is bounded in a direction: by a flat or smooth part, an edge (or the curve of a rim) or a corner. */
typedef enum part_kind { FLAT, SMOOTH, EDGE, CORNER } part_kind;

typedef struct part {
  part_kind kind;
  thud_vec3 direction; /* outward, in the shape's frame */
  thud_vec3 along;     /* of straight edges; 0 of others */
} part;

typedef struct subject {
  const char *name;
  thud_shape *shape;
  size_t part_count;
  part parts[12];
  bool planar;
  bool surface;     /* never above */
  bool rectangular; /* flat parts have four corners at right angles */
} subject;

static void add_part(subject *to, part_kind kind, double x, double y, double z, double ax, double ay, double az) {
  part made = {kind, thud_vec3_make(x, y, z), thud_vec3_make(ax, ay, az)};
  thud_vec3_normalise(made.direction, &made.direction);
  to->parts[to->part_count++] = made;
}

static void create(thud_context *context, const char *name, const thud_shape_def *def, subject *made) {
  *made = (subject){.name = name};
  assert_int_equal(thud_shape_create(context, def, &made->shape), THUD_OK);
}

static void box_parts(subject *to) {
  add_part(to, FLAT, 0, 0, -1, 0, 0, 0);
  add_part(to, FLAT, 1, 0, 0, 0, 0, 0);
  add_part(to, FLAT, 0, 1, 0, 0, 0, 0);
  add_part(to, EDGE, 1, 0, 1, 0, 1, 0);
  add_part(to, EDGE, 0, 1, 1, 1, 0, 0);
  add_part(to, CORNER, 1, -1, 1, 0, 0, 0);
}

static subject make_box(thud_context *context, const char *name, thud_shape_kind kind, double x, double y, double z) {
  subject made;
  thud_shape_def def = thud_shape_def_default(kind);
  double points[24];
  for (int i = 0; i < 8; i++)
    thud_vec3_store(thud_vec3_make(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z), points + 3 * i);
  def.half[0] = x;
  def.half[1] = y;
  def.half[2] = z;
  if (kind == THUD_SHAPE_HULL) {
    def.points = points;
    def.point_count = 8;
  }
  create(context, name, &def, &made);
  box_parts(&made);
  made.rectangular = true;
  return made;
}

static subject make_prism(thud_context *context, double s) {
  subject made;
  double points[36];
  for (int i = 0; i < 12; i++)
    thud_vec3_store(thud_vec3_make(s * cos(PI / 3 * i), s * sin(PI / 3 * i), i < 6 ? -0.5 * s : 0.5 * s),
                    points + 3 * i);
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_HULL);
  def.points = points;
  def.point_count = 12;
  create(context, "prism", &def, &made);
  add_part(&made, FLAT, 0, 0, 1, 0, 0, 0);
  add_part(&made, FLAT, cos(PI / 6), sin(PI / 6), 0, 0, 0, 0);
  add_part(&made, EDGE, 1, 0, 0, 0, 0, 1);
  return made;
}

static subject make_round(thud_context *context, const char *name, thud_shape_kind kind, double radius, double half) {
  subject made;
  thud_shape_def def = thud_shape_def_default(kind);
  def.radius = radius;
  def.half_length = half;
  def.half[0] = radius;
  def.half[1] = 0.7 * radius;
  def.half[2] = half;
  create(context, name, &def, &made);
  switch (kind) {
  case THUD_SHAPE_SPHERE: add_part(&made, SMOOTH, 0.3, 0.2, 1, 0, 0, 0); break;
  case THUD_SHAPE_ELLIPSOID:
    add_part(&made, SMOOTH, 0, 0, 1, 0, 0, 0);
    add_part(&made, SMOOTH, 1, 0, 0, 0, 0, 0);
    add_part(&made, SMOOTH, 0.5, 0.3, 1, 0, 0, 0);
    break;
  case THUD_SHAPE_CAPSULE:
    add_part(&made, SMOOTH, 1, 0, 0, 0, 0, 1);
    add_part(&made, SMOOTH, 0.3, 0.2, 1, 0, 0, 0);
    break;
  case THUD_SHAPE_CYLINDER:
    add_part(&made, FLAT, 0, 0, 1, 0, 0, 0);
    add_part(&made, SMOOTH, 1, 0, 0, 0, 0, 1);
    add_part(&made, EDGE, 0.6, 0, 1, 0, 0, 0);
    break;
  default: /* a cone */
    add_part(&made, FLAT, 0, 0, -1, 0, 0, 0);
    add_part(&made, SMOOTH, 2 * half, 0, radius, -radius, 0, 2 * half);
    add_part(&made, EDGE, 0.6, 0, -1, 0, 0, 0);
    add_part(&made, CORNER, 0, 0, 1, 0, 0, 0);
  }
  return made;
}

static subject make_plane(thud_context *context) {
  subject made;
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_PLANE);
  create(context, "plane", &def, &made);
  add_part(&made, FLAT, 0, 0, 1, 0, 0, 0);
  made.surface = true;
  return made;
}

static subject make_mesh(thud_context *context, double x, double y, double z) {
  subject made;
  static const thud_index triangles[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                           1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
  double points[24];
  for (int i = 0; i < 8; i++)
    thud_vec3_store(thud_vec3_make(i % 4 == 1 || i % 4 == 2 ? x : -x, i % 4 >= 2 ? y : -y, i >= 4 ? z : -z),
                    points + 3 * i);
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_MESH);
  def.points = points;
  def.point_count = 8;
  def.triangles = triangles;
  def.triangle_count = 12;
  create(context, "mesh", &def, &made);
  box_parts(&made);
  made.surface = true;
  return made;
}

/* A field of cells whose middle row is raised to a flat top; the ridge is convex on both sides. */
static subject make_field(thud_context *context, const char *name, double spacing, double rise) {
  subject made;
  double heights[49];
  for (int i = 0; i < 49; i++) heights[i] = i / 7 == 3 ? 0 : -rise;
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_HEIGHT_FIELD);
  def.columns = def.rows = 7;
  def.spacing[0] = def.spacing[1] = spacing;
  def.heights = heights;
  create(context, name, &def, &made);
  add_part(&made, rise > 0 ? EDGE : FLAT, 0, 0, 1, 1, 0, 0);
  made.surface = true;
  return made;
}

/* ---- poses ----------------------------------------------------------------------------------------------------------------- */

static thud_quat rotation_to(thud_vec3 from, thud_vec3 to) {
  thud_vec3 axis = thud_vec3_cross(from, to);
  double cosine = thud_vec3_dot(from, to);
  if (cosine < -1 + 1e-12) return thud_quat_from_rotation_vector(thud_vec3_scale(PI, thud_mat3_frame(from).cy));
  return thud_quat_normalise(thud_quat_make(1 + cosine, axis.x, axis.y, axis.z));
}

/* How far the shape reaches along z (planar shapes: y) when it is turned; sign -1: along the opposite direction. */
static double reach_along(const subject *one, thud_quat rotation, double sign) {
  thud_shape_kind kind = thud_shape_get_kind(one->shape);
  if (kind == THUD_SHAPE_PLANE || kind == THUD_SHAPE_HALF_PLANE || kind == THUD_SHAPE_HEIGHT_FIELD) return 0;
  thud_pose pose = {thud_vec3_make(0, 0, 0), rotation};
  thud_bounds box = thud_shape_bounds(one->shape, &pose, 0);
  if (one->planar) return sign > 0 ? box.high.y : -box.low.y;
  return sign > 0 ? box.high.z : -box.low.z;
}

typedef struct placed_pair {
  const subject *a, *b;
  thud_pose at_a, at_b;
  thud_vec3 up;
  double size, gap, margin;
  bool smooth;       /* a smooth part takes part */
  bool many_corners; /* flat parts whose common part may have more than four corners */
  bool rim;          /* one of them is round */
} placed_pair;

/* Whether the two parts have one normal, and one place or stretch where they touch, that small turns move a little: not where
 * corners or edges meet without crossing, where lines cross at a small angle, or where a line lies along the side of a cone, whose
 * curvature has no bound near the tip. */
static bool is_clear(const placed_pair *pair, const part *a, const part *b) {
  bool segments = thud_shape_get_kind(pair->a->shape) == THUD_SHAPE_SEGMENT &&
                  thud_shape_get_kind(pair->b->shape) == THUD_SHAPE_SEGMENT;
  if (segments) return a->kind == FLAT && b->kind == CORNER; /* without thickness they have no side */
  if (a->kind == FLAT || b->kind == FLAT) return true;
  thud_vec3 along_a = thud_quat_rotate(pair->at_a.rotation, a->along),
            along_b = thud_quat_rotate(pair->at_b.rotation, b->along);
  double length = thud_vec3_norm(along_a) * thud_vec3_norm(along_b);
  double sine = length > 0 ? thud_vec3_norm(thud_vec3_cross(along_a, along_b)) / length : 0;
  bool crosses = sine > 0.3, cones = thud_shape_get_kind(pair->a->shape) == THUD_SHAPE_CONE ||
                                     thud_shape_get_kind(pair->b->shape) == THUD_SHAPE_CONE;
  if (a->kind == SMOOTH || b->kind == SMOOTH) return length <= 0 || crosses || (sine < 1e-9 && !cones);
  return a->kind == EDGE && b->kind == EDGE && crosses;
}

static bool is_round(const subject *one) {
  thud_shape_kind kind = thud_shape_get_kind(one->shape);
  return kind == THUD_SHAPE_CYLINDER || kind == THUD_SHAPE_CONE;
}

static const double GAPS[] = {0, 0, 1e-9, 1e-6, 1e-4, 1e-3, -1e-9, -1e-6, -1e-4}, MARGINS[] = {1e-2, 1e-3, 1e-4};

/* a above b with the two parts towards each other, `gap` apart along the z axis (planar shapes: y). */
static bool place_pair(thud_random *random, const subject *a, const subject *b, placed_pair *pair) {
  const part *of_a = &a->parts[thud_random_below(random, (uint32_t)a->part_count)];
  const part *of_b = &b->parts[thud_random_below(random, (uint32_t)b->part_count)];
  double eighths = 0.25 * PI * thud_random_below(random, 8), any = thud_random_uniform(random, 0, 6);
  double yaw = a->planar ? 0 : thud_random_below(random, 2) ? eighths : any;
  *pair = (placed_pair){.a = a, .b = b};
  pair->up = a->planar ? thud_vec3_make(0, 1, 0) : thud_vec3_make(0, 0, 1);
  thud_quat spun = thud_quat_from_rotation_vector(thud_vec3_scale(yaw, pair->up));
  pair->at_a.rotation = thud_quat_multiply(spun, rotation_to(of_a->direction, thud_vec3_negate(pair->up)));
  pair->at_b.rotation = rotation_to(of_b->direction, pair->up);
  if (!is_clear(pair, of_a, of_b)) return false;
  bool square = a->rectangular && (b->rectangular || b->surface) && fabs(sin(2 * yaw)) < 1e-9;
  pair->smooth = of_a->kind == SMOOTH || of_b->kind == SMOOTH;
  pair->many_corners = !a->planar && of_a->kind == FLAT && of_b->kind == FLAT && !square;
  pair->rim = pair->many_corners && (is_round(a) || is_round(b));
  pair->size = fmin(thud_shape_radius(a->shape), thud_shape_radius(b->shape));
  pair->gap = pair->size * GAPS[thud_random_below(random, 9)];
  pair->margin = pair->size * MARGINS[thud_random_below(random, 3)];
  double aside = thud_random_below(random, 3) ? 0.7 * pair->size : 0;
  double x = thud_random_uniform(random, -aside, aside), y = thud_random_uniform(random, -aside, aside);
  thud_vec3 beside = a->planar ? thud_vec3_make(x, 0, 0) : thud_vec3_make(x, y, 0);
  pair->at_b.position = thud_vec3_scale(-reach_along(b, pair->at_b.rotation, 1), pair->up);
  pair->at_a.position = thud_vec3_add_scaled(beside, pair->gap + reach_along(a, pair->at_a.rotation, -1), pair->up);
  return true;
}

static thud_vec3 random_direction(thud_random *random, const placed_pair *pair, bool turn) {
  thud_vec3 made = {thud_random_normal(random), thud_random_normal(random), thud_random_normal(random)};
  bool level = thud_random_below(random, 2);
  if (pair->a->planar) made = turn ? thud_vec3_make(0, 0, made.z) : thud_vec3_make(made.x, made.y, 0);
  if (level && turn && !pair->a->planar) made.z = 0; /* tilts alone */
  thud_vec3_normalise(made, &made);
  return made;
}

/* Turned about the origin, where the contact is, and sometimes shifted. */
static thud_pose disturbed(thud_random *random, const placed_pair *pair, double d) {
  thud_vec3 turn = random_direction(random, pair, true), shift = random_direction(random, pair, false);
  if (thud_random_below(random, 2)) shift = thud_vec3_make(0, 0, 0);
  thud_pose by = {thud_vec3_scale(d * pair->size, shift), thud_quat_from_rotation_vector(thud_vec3_scale(d, turn))};
  return thud_pose_compose(&by, &pair->at_a);
}

/* ---- the property ---------------------------------------------------------------------------------------------------------- */

typedef struct touches_at {
  size_t count;
  thud_touch touch[TOUCHES];
} touches_at;

static void find_touches(const placed_pair *pair, const thud_pose *at_a, const thud_pose *view, touches_at *found) {
  thud_pose a = thud_pose_compose(view, at_a), b = thud_pose_compose(view, &pair->at_b);
  thud_collide(pair->a->shape, &a, pair->b->shape, &b, pair->margin, TOUCHES, found->touch, &found->count);
  assert_true(found->count <= TOUCHES);
}

static thud_vec3 middle_of(const thud_touch *touch) {
  return thud_vec3_scale(0.5, thud_vec3_add(touch->on_a, touch->on_b));
}

/* By how much a touch is not in what the others span, in sizes; INFINITY: none has its normal to `angle`. */
static double lost(const placed_pair *pair, const thud_touch *one, const touches_at *others, double room,
                   double angle) {
  thud_vec3 points[MEMBERS], n = one->normal, x = middle_of(one);
  thud_mat3 frame = thud_mat3_frame(n);
  size_t count = 0;
  for (size_t i = 0; i < others->count; i++) {
    const thud_touch *other = &others->touch[i];
    if (thud_vec3_distance(other->normal, n) > angle) continue;
    thud_vec3 d = thud_vec3_scale(1 / pair->size, thud_vec3_subtract(middle_of(other), x));
    double rise = (other->gap - one->gap) / pair->size - room;
    points[count++] = thud_vec3_make(thud_vec3_dot(frame.cy, d), thud_vec3_dot(frame.cz, d), rise);
    points[count++] = thud_vec3_make(thud_vec3_dot(frame.cy, d), thud_vec3_dot(frame.cz, d), rise + 10);
  }
  return count > 0 ? distance_to_hull(count, points) : INFINITY;
}

/* Area of the convex hull of touches, seen along the normal; those of `more`, which may be NULL, too. The edges of the hull are
 * the segments with nothing on their right; twice the area is the sum of their cross products. */
static double spanned_area(const touches_at *some, const touches_at *more, thud_vec3 normal) {
  double x[MEMBERS][2], sum = 0;
  size_t count = 0;
  thud_mat3 frame = thud_mat3_frame(normal);
  for (size_t i = 0; i < some->count + (more ? more->count : 0); i++) {
    thud_vec3 point = middle_of(i < some->count ? &some->touch[i] : &more->touch[i - some->count]);
    double u = thud_vec3_dot(frame.cy, point), v = thud_vec3_dot(frame.cz, point);
    bool again = false;
    for (size_t k = 0; k < count; k++) again = again || (x[k][0] == u && x[k][1] == v);
    if (again) continue;
    x[count][0] = u;
    x[count++][1] = v;
  }
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++) {
      bool edge = i != j;
      for (size_t k = 0; k < count && edge; k++) {
        double turn = (x[j][0] - x[i][0]) * (x[k][1] - x[i][1]) - (x[j][1] - x[i][1]) * (x[k][0] - x[i][0]);
        double ahead = (x[j][0] - x[i][0]) * (x[k][0] - x[j][0]) + (x[j][1] - x[i][1]) * (x[k][1] - x[j][1]);
        edge = turn > 0 || (turn == 0 && ahead <= 0);
      }
      if (edge) sum += (x[i][0] - x[0][0]) * (x[j][1] - x[0][1]) - (x[i][1] - x[0][1]) * (x[j][0] - x[0][0]);
    }
  return 0.5 * sum;
}

static double least_gap(const touches_at *some) {
  double least = INFINITY;
  for (size_t i = 0; i < some->count; i++) least = fmin(least, some->touch[i].gap);
  return least;
}

/* At most four points are kept of a face with more corners, and a tilt may choose others. These, beginning with the deepest, the
 * farthest from it and the widest on both sides, have a quarter of the area at least. */
static bool is_spanned(const placed_pair *pair, const touches_at *from, const touches_at *to, double allowed) {
  if (to->count < THUD_MANIFOLD_MAX || fabs(least_gap(from) - least_gap(to)) > allowed * pair->size) return false;
  thud_vec3 n = to->touch[0].normal;
  return spanned_area(to, NULL, n) >= 0.25 * spanned_area(to, from, n);
}

typedef struct tally {
  size_t poses, judged;
  double worst; /* how far a touch is from what the others span, over what is allowed */
} tally;

static const double FACTOR = 60;
/* Eight points of a rim stand for it: 1 - cos(pi/8) of the radius, which is at most the size. */
static const double RIM = 0.0762;
/* Parts that are steeper than this angle need not touch beside the closest points: they open by more than 0.1 of the way, and
 * smooth parts by x^2/2r at x. */
static const double LYING = 0.1;

static void judge_way(const placed_pair *pair, const touches_at *from, const touches_at *to, double d, tally *result) {
  double e = FACTOR * d + (pair->smooth ? 1e-5 : 1e-7), worst = 0, least = least_gap(from);
  for (size_t i = 0; i < from->count; i++) {
    if (from->touch[i].gap > pair->margin - e * pair->size) continue;
    double far = lost(pair, &from->touch[i], to, e, 10 * e);
    double open = (from->touch[i].gap - least) / pair->size;
    worst = fmax(worst, far - fmax(open / LYING, pair->smooth ? sqrt(2 * open) : 0));
  }
  double allowed = pair->rim ? e + RIM : e;
  result->judged++;
  if (worst > allowed && pair->many_corners && is_spanned(pair, from, to, e)) return;
  result->worst = fmax(result->worst, worst / allowed);
  if (worst > allowed)
    print_message("%s on %s: turned by %g a touch is lost by %g; gap %g, margin %g, size %g\n", pair->a->name,
                  pair->b->name, d, worst, pair->gap, pair->margin, pair->size);
}

/* Poses whose touches have another normal than the parts (beside each other, or deeper than a thin plate) do not count. */
static void judge(thud_random *random, const placed_pair *pair, tally *result) {
  touches_at level, tilted;
  thud_pose view = thud_pose_identity();
  if (thud_random_below(random, 2))
    view.rotation = thud_quat_from_rotation_vector(
        pair->a->planar
            ? thud_vec3_make(0, 0, thud_random_normal(random))
            : thud_vec3_make(thud_random_normal(random), thud_random_normal(random), thud_random_normal(random)));
  find_touches(pair, &pair->at_a, &view, &level);
  thud_vec3 up = thud_quat_rotate(view.rotation, pair->up);
  bool clear = level.count > 0;
  for (size_t i = 0; i < level.count; i++) clear = clear && thud_vec3_distance(level.touch[i].normal, up) < 1e-6;
  if (!clear) return;
  result->poses++;
  for (int k = -12; k <= -3; k++) {
    double d = pow(10, k);
    thud_pose other = disturbed(random, pair, d);
    find_touches(pair, &other, &view, &tilted);
    judge_way(pair, &level, &tilted, d, result);
    judge_way(pair, &tilted, &level, d, result);
  }
}

/* ---- all pairs --------------------------------------------------------------------------------------------------------------- */

enum { MOST_SUBJECTS = 16, POSES = 100 };

static size_t make_solids(thud_context *context, double s, subject *all) {
  size_t n = 0;
  all[n++] = make_round(context, "sphere", THUD_SHAPE_SPHERE, 0.5 * s, 0);
  all[n++] = make_round(context, "ellipsoid", THUD_SHAPE_ELLIPSOID, s, 0.5 * s);
  all[n++] = make_round(context, "capsule", THUD_SHAPE_CAPSULE, 0.3 * s, 0.8 * s);
  all[n++] = make_round(context, "cylinder", THUD_SHAPE_CYLINDER, 0.4 * s, 0.7 * s);
  all[n++] = make_round(context, "cone", THUD_SHAPE_CONE, 0.6 * s, 0.5 * s);
  all[n++] = make_box(context, "plank", THUD_SHAPE_BOX, 1.2 * s, 0.3 * s, 0.1 * s);
  all[n++] = make_box(context, "cube", THUD_SHAPE_BOX, 0.5 * s, 0.5 * s, 0.5 * s);
  all[n++] = make_box(context, "hull", THUD_SHAPE_HULL, 0.9 * s, 0.25 * s, 0.2 * s);
  all[n++] = make_prism(context, 0.7 * s);
  all[n++] = make_plane(context);
  all[n++] = make_mesh(context, s, 0.6 * s, 0.3 * s);
  all[n++] = make_field(context, "field", 0.6 * s, 0);
  all[n++] = make_field(context, "ridge", 0.65 * s, 0.1 * s);
  return n;
}

static subject make_planar(thud_context *context, const char *name, thud_shape_kind kind, double s) {
  subject made;
  thud_shape_def def = thud_shape_def_default(kind);
  double points[18], ends[6] = {-s, 0, 0, s, 0, 0};
  for (int i = 0; i < 6; i++)
    thud_vec3_store(thud_vec3_make(s * cos(PI / 3 * i), s * sin(PI / 3 * i), 0), points + 3 * i);
  def.radius = 0.3 * s;
  def.half_length = 0.8 * s;
  def.half[0] = 1.2 * s;
  def.half[1] = 0.3 * s;
  if (kind == THUD_SHAPE_POLYGON || kind == THUD_SHAPE_SEGMENT) {
    def.points = kind == THUD_SHAPE_POLYGON ? points : ends;
    def.point_count = kind == THUD_SHAPE_POLYGON ? 6 : 2;
  }
  create(context, name, &def, &made);
  made.planar = true;
  made.surface = kind == THUD_SHAPE_HALF_PLANE;
  bool round = kind == THUD_SHAPE_DISC || kind == THUD_SHAPE_PLANAR_CAPSULE;
  if (kind == THUD_SHAPE_DISC || kind == THUD_SHAPE_PLANAR_CAPSULE) add_part(&made, SMOOTH, 0.3, 1, 0, 0, 0, 0);
  if (kind == THUD_SHAPE_PLANAR_CAPSULE) add_part(&made, FLAT, 1, 0, 0, 0, 0, 0);
  if (kind == THUD_SHAPE_POLYGON) add_part(&made, FLAT, cos(PI / 6), sin(PI / 6), 0, 0, 0, 0);
  if (!round && kind != THUD_SHAPE_POLYGON) add_part(&made, FLAT, 0, 1, 0, 0, 0, 0);
  if (kind == THUD_SHAPE_RECTANGLE) add_part(&made, CORNER, 1, 1, 0, 0, 0, 0);
  if (kind == THUD_SHAPE_POLYGON || kind == THUD_SHAPE_SEGMENT) add_part(&made, CORNER, 1, 0.1, 0, 0, 0, 0);
  return made;
}

static size_t make_planars(thud_context *context, double s, subject *all) {
  size_t n = 0;
  all[n++] = make_planar(context, "disc", THUD_SHAPE_DISC, s);
  all[n++] = make_planar(context, "stadium", THUD_SHAPE_PLANAR_CAPSULE, s);
  all[n++] = make_planar(context, "rectangle", THUD_SHAPE_RECTANGLE, s);
  all[n++] = make_planar(context, "hexagon", THUD_SHAPE_POLYGON, 0.7 * s);
  all[n++] = make_planar(context, "segment", THUD_SHAPE_SEGMENT, s);
  all[n++] = make_planar(context, "half-plane", THUD_SHAPE_HALF_PLANE, s);
  return n;
}

static tally judge_pair(const subject *a, const subject *b, uint64_t seed) {
  thud_random random = thud_random_seed(seed);
  tally result = {0, 0, 0};
  for (int k = 0; k < POSES; k += THUD_TEST_STRIDE(5)) {
    placed_pair pair;
    if (place_pair(&random, a, b, &pair)) judge(&random, &pair, &result);
  }
  return result;
}

static void judge_all(size_t (*make)(thud_context *, double, subject *)) {
  thud_context *context = thud_test_context(1);
  static const double sizes[3] = {1, 1e-3, 1e3};
  subject all[3][MOST_SUBJECTS];
  size_t count = 0, judged = 0;
  double worst = 0;
  for (int scale = 0; scale < 3; scale++) count = make(context, sizes[scale], all[scale]);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count && !all[0][i].surface; j++) {
      tally sum = {0, 0, 0};
      for (size_t scale = 0; scale < 3; scale++) {
        tally one = judge_pair(&all[scale][i], &all[scale][j], 100 * i + j);
        sum.poses += one.poses;
        sum.judged += one.judged;
        sum.worst = fmax(sum.worst, one.worst);
      }
      print_message("%-9s on %-10s %4zu poses, %5zu judged, worst %.2g of what is allowed\n", all[0][i].name,
                    all[0][j].name, sum.poses, sum.judged, sum.worst);
      assert_true(sum.poses > 0);
      judged += sum.judged;
      worst = fmax(worst, sum.worst);
    }
  print_message("%zu pairs of poses judged\n", judged);
  thud_assert_at_most(worst, 1);
  for (size_t scale = 0; scale < 3; scale++)
    for (size_t i = 0; i < count; i++) thud_shape_destroy(all[scale][i].shape);
  thud_test_context_end(context);
}

static void touches_of_solids_follow_the_pose(void **state) {
  (void)state;
  judge_all(make_solids);
}

static void touches_of_planar_shapes_follow_the_pose(void **state) {
  (void)state;
  judge_all(make_planars);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(touches_of_solids_follow_the_pose),
      cmocka_unit_test(touches_of_planar_shapes_follow_the_pose),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
