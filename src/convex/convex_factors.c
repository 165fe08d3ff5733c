#include "convex/convex_factors.h"

#include "convex/set.h"
#include "convex/shapes.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Points nearer to each other than this, relative to the largest, are one corner; corners that stick out of the line of
 * their neighbours by less are none. */
#define SAME_POINT 1e-13

enum { MOST_POINTS = THUD_FIGURE_POINTS, MOST_ROWS = 4 * THUD_MOST_CORNERS };

static const char *const too_many = "its set is a polygon with more than 16 corners";
static const char *const unseen = "its set is known by projections only: no corners and no axes";

typedef thud_figure shape;

/* ---- hulls ------------------------------------------------------------------------------------------------------- */

static double cross(const double *o, const double *a, const double *b) {
  return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

static double size_of(const shape *s) {
  double size = 0;
  for (int k = 0; k < 2 * s->count; k++) size = fmax(size, fabs(s->point[k]));
  return size;
}

static bool is_before(const double *a, const double *b) { return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]); }

static void sort_points(shape *s) {
  for (int k = 1; k < s->count; k++)
    for (int j = k; j > 0 && is_before(s->point + (ptrdiff_t)2 * j, s->point + (ptrdiff_t)2 * (j - 1)); j--)
      for (int c = 0; c < 2; c++) {
        double kept = s->point[2 * j + c];
        s->point[2 * j + c] = s->point[2 * (j - 1) + c];
        s->point[2 * (j - 1) + c] = kept;
      }
}

/* Adds a point to one side of a hull that turns left, which begins at number `first` and now has `count` points. */
static int add_to_side(double *hull, int first, int count, const double *p, double size) {
  while (count > first && hypot(p[0] - hull[2 * count - 2], p[1] - hull[2 * count - 1]) <= SAME_POINT * size) {
    if (count - first == 1) return count;
    count--;
  }
  while (count - first >= 2) {
    const double *a = hull + (ptrdiff_t)2 * (count - 2), *b = hull + (ptrdiff_t)2 * (count - 1);
    if (cross(a, b, p) > SAME_POINT * size * hypot(p[0] - a[0], p[1] - a[1])) break;
    count--;
  }
  hull[(ptrdiff_t)2 * count] = p[0];
  hull[2 * count + 1] = p[1];
  return count + 1;
}

/* The corners of the hull of the points, counter-clockwise (Andrew's monotone chain). */
static void take_hull(shape *s) {
  double hull[2 * (2 * MOST_POINTS + 2)], size = size_of(s);
  int count = 0;
  if (s->count < 2) return;
  sort_points(s);
  for (int k = 0; k < s->count; k++) count = add_to_side(hull, 0, count, s->point + (ptrdiff_t)2 * k, size);
  int first = count - 1;
  for (int k = s->count - 2; k >= 0; k--) count = add_to_side(hull, first, count, s->point + (ptrdiff_t)2 * k, size);
  s->count = count - 1 > 0 ? count - 1 : 1;
  memcpy(s->point, hull, (size_t)s->count * 2 * sizeof *hull);
}

/* ---- rows a.x <= b ----------------------------------------------------------------------------------------------- */

typedef struct rows {
  int count;
  double row[MOST_ROWS][3]; /* a at length 1, b */
} rows;

static bool add_row(rows *all, double x, double y, double b) {
  double length = hypot(x, y);
  if (!(length > 0) || !isfinite(b)) return b >= 0 || isfinite(b);
  if (all->count == MOST_ROWS) return false;
  double *row = all->row[all->count++];
  row[0] = x / length;
  row[1] = y / length;
  row[2] = b / length;
  return true;
}

/* True if some direction is not bounded by the rows: one along an edge, then. */
static bool is_unbounded(const rows *all) {
  for (int k = 0; k < all->count; k++)
    for (int sign = -1; sign <= 1; sign += 2) {
      double x = -sign * all->row[k][1], y = sign * all->row[k][0];
      bool free = true;
      for (int j = 0; j < all->count && free; j++) free = all->row[j][0] * x + all->row[j][1] * y <= SAME_POINT;
      if (free) return true;
    }
  return all->count < 3;
}

/* The corners are where two rows meet within the others. */
static const char *points_of_rows(const rows *all, shape *out) {
  double size = 0;
  *out = (shape){.count = 0};
  if (is_unbounded(all)) return "its set is not bounded, or has no inside";
  for (int k = 0; k < all->count; k++) size = fmax(size, fabs(all->row[k][2]));
  for (int k = 0; k < all->count; k++)
    for (int j = 0; j < k; j++) {
      const double *a = all->row[k], *b = all->row[j];
      double det = a[0] * b[1] - a[1] * b[0];
      if (fabs(det) <= SAME_POINT) continue;
      double p[2] = {(a[2] * b[1] - a[1] * b[2]) / det, (a[0] * b[2] - a[2] * b[0]) / det};
      bool inside = true;
      for (int i = 0; i < all->count && inside; i++)
        inside = all->row[i][0] * p[0] + all->row[i][1] * p[1] - all->row[i][2] <=
                 64 * DBL_EPSILON * (size + hypot(p[0], p[1]));
      if (!inside) continue;
      if (out->count == MOST_POINTS) return too_many;
      memcpy(out->point + (ptrdiff_t)2 * out->count++, p, sizeof p);
    }
  take_hull(out);
  return NULL;
}

/* The edges of a polygon; NULL: they have been added. */
static const char *rows_of_polygon(const shape *s, rows *all) {
  for (int k = 0; k < s->count; k++) {
    const double *a = s->point + (ptrdiff_t)2 * k, *b = s->point + (ptrdiff_t)2 * ((k + 1) % s->count);
    double x = b[1] - a[1], y = a[0] - b[0];
    if (!add_row(all, x, y, x * a[0] + y * a[1])) return too_many;
  }
  return NULL;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static const char *shape_of(thud_set *set, shape *out);

static void apply_map(const double *map, const double *x, double *y) {
  double a = map[0] * x[0] + map[1] * x[1], b = map[2] * x[0] + map[3] * x[1];
  y[0] = a;
  y[1] = b;
}

/* x -> map x + offset */
static void move_shape(shape *s, const double *map, const double *offset) {
  for (int k = 0; k < s->count; k++) {
    apply_map(map, s->point + (ptrdiff_t)2 * k, s->point + (ptrdiff_t)2 * k);
    for (int c = 0; c < 2; c++) s->point[2 * k + c] += offset[c];
  }
  if (!s->ellipse) {
    take_hull(s);
    return;
  }
  double first[2] = {s->map[0], s->map[2]}, second[2] = {s->map[1], s->map[3]};
  apply_map(map, s->centre, s->centre);
  apply_map(map, first, first);
  apply_map(map, second, second);
  for (int c = 0; c < 2; c++) {
    s->centre[c] += offset[c];
    s->map[(ptrdiff_t)2 * c] = first[c];
    s->map[2 * c + 1] = second[c];
  }
}

static bool invert(const double *map, double *inverse) {
  double det = map[0] * map[3] - map[1] * map[2], size = fabs(map[0] * map[3]) + fabs(map[1] * map[2]);
  if (!(fabs(det) > SAME_POINT * size)) return false;
  const double made[4] = {map[3] / det, -map[1] / det, -map[2] / det, map[0] / det};
  memcpy(inverse, made, sizeof made);
  return true;
}

/* map = R^-T of Q = RR': |R'x| <= 1. */
static void shape_of_ellipsoid(const thud_set *set, shape *out) {
  const double *q = set->own + 2;
  double a = sqrt(q[0]), b = q[1] / a, c = sqrt(q[3] - b * b);
  *out = (shape){.ellipse = true, .centre = {set->own[0], set->own[1]}, .map = {1 / a, -b / (a * c), 0, 1 / c}};
}

/* The ends of a set of one component. */
static const char *interval_of(thud_set *set, double *lower, double *upper) {
  double up = 1, down = -1, point;
  thud_set_info info;
  if (thud_set_support_inside(set, &up, upper, &point, &info) != THUD_OK ||
      thud_set_support_inside(set, &down, lower, &point, &info) != THUD_OK || info.exactness != THUD_EXACT)
    return unseen;
  *lower = -*lower;
  return isfinite(*lower) && isfinite(*upper) ? NULL : "its set is not bounded";
}

/* The corners of a product of two intervals, or of a box. */
static const char *shape_of_product(thud_set *set, shape *out) {
  double lower[2], upper[2];
  if (set->child_count != 2) return unseen;
  for (int c = 0; c < 2; c++) {
    const char *why = interval_of(set->children[c], &lower[c], &upper[c]);
    if (why != NULL) return why;
  }
  *out = (shape){.count = 4, .point = {lower[0], lower[1], upper[0], lower[1], upper[0], upper[1], lower[0], upper[1]}};
  take_hull(out);
  return NULL;
}

static const char *shape_of_image(thud_set *set, shape *out) {
  const double *L = set->own, map[4] = {L[0], L[2], L[1], L[3]}, none[2] = {0, 0};
  thud_set *operand = set->children[0];
  if (operand->n == 1) {
    double lower, upper;
    const char *why = interval_of(operand, &lower, &upper);
    *out = (shape){.count = 2, .point = {L[0] * lower, L[1] * lower, L[0] * upper, L[1] * upper}};
    return why;
  }
  const char *why = operand->n == 2 ? shape_of(operand, out) : unseen;
  double inverse[4];
  if (why != NULL) return why;
  if (out->ellipse && !invert(map, inverse)) return "its set has no inside";
  move_shape(out, map, none);
  return NULL;
}

static const char *shape_of_preimage(thud_set *set, shape *out) {
  const double *L = set->own, map[4] = {L[0], L[2], L[1], L[3]}, none[2] = {0, 0};
  double inverse[4];
  if (set->children[0]->n != 2 || !invert(map, inverse)) return unseen;
  const char *why = shape_of(set->children[0], out);
  if (why == NULL) move_shape(out, inverse, none);
  return why;
}

/* Sums of polygons are the hull of the sums of their corners. */
static const char *shape_of_sum(thud_set *set, shape *out) {
  const char *why = shape_of(set->children[0], out);
  for (thud_index k = 1; k < set->child_count && why == NULL; k++) {
    shape other, sum = {.count = 0};
    why = shape_of(set->children[k], &other);
    if (why == NULL && (out->ellipse || other.ellipse)) why = "its set is a sum with a curved set";
    if (why == NULL && out->count * other.count > MOST_POINTS) why = too_many;
    for (int a = 0; a < out->count && why == NULL; a++)
      for (int b = 0; b < other.count; b++, sum.count++)
        for (int c = 0; c < 2; c++) sum.point[2 * sum.count + c] = out->point[2 * a + c] + other.point[2 * b + c];
    if (why != NULL) return why;
    take_hull(&sum);
    *out = sum;
  }
  return why;
}

static const char *add_rows_of(thud_set *set, rows *all) {
  const thud_set_class *kind = set->kind;
  const double *own = set->own;
  bool fits = true;
  if (kind == &thud_class_half_space) return add_row(all, own[0], own[1], own[2]) ? NULL : too_many;
  if (kind == &thud_class_box) {
    for (int c = 0; c < 2; c++) fits = fits && add_row(all, c == 0, c == 1, own[2 + c]);
    for (int c = 0; c < 2; c++) fits = fits && add_row(all, -(c == 0), -(c == 1), -own[c]);
    return fits ? NULL : too_many;
  }
  if (kind == &thud_class_polyhedron) {
    for (thud_index k = 0; k < set->m; k++)
      fits = fits && add_row(all, own[(ptrdiff_t)2 * k], own[(ptrdiff_t)2 * k + 1], own[(ptrdiff_t)2 * set->m + k]);
    return set->equalities > 0 ? "its set has no inside" : fits ? NULL : too_many;
  }
  shape other;
  const char *why = shape_of(set, &other);
  if (why != NULL) return why;
  return other.ellipse ? "its set is an intersection with a curved set" : rows_of_polygon(&other, all);
}

static const char *shape_of_rows(thud_set *set, shape *out) {
  rows all = {.count = 0};
  const char *why = NULL;
  if (set->kind == &thud_class_intersection)
    for (thud_index k = 0; k < set->child_count && why == NULL; k++) why = add_rows_of(set->children[k], &all);
  else
    why = add_rows_of(set, &all);
  return why != NULL ? why : points_of_rows(&all, out);
}

/* { y : p.y <= 1 for all corners p }; of an ellipse round 0 that with the inverse axes. */
static const char *shape_of_polar(thud_set *set, shape *out) {
  rows all = {.count = 0};
  double inverse[4];
  const char *why = set->n == 2 ? shape_of(set->children[0], out) : unseen;
  if (why != NULL) return why;
  if (out->ellipse) {
    if (out->centre[0] != 0 || out->centre[1] != 0 || !invert(out->map, inverse)) return unseen;
    const double turned[4] = {inverse[0], inverse[2], inverse[1], inverse[3]};
    memcpy(out->map, turned, sizeof turned);
    return NULL;
  }
  for (int k = 0; k < out->count; k++)
    if (!add_row(&all, out->point[(ptrdiff_t)2 * k], out->point[(ptrdiff_t)2 * k + 1], 1)) return too_many;
  return points_of_rows(&all, out);
}

/* A set of two components; NULL, or why it has no shape. */
static const char *shape_of(thud_set *set, shape *out) {
  const thud_set_class *kind = set->kind;
  const double *own = set->own, one[4] = {1, 0, 0, 1}, none[2] = {0, 0};
  const char *why = NULL;
  if (kind == &thud_class_ball)
    *out = (shape){.ellipse = true, .centre = {own[0], own[1]}, .map = {own[2], 0, 0, own[2]}};
  else if (kind == &thud_class_ellipsoid)
    shape_of_ellipsoid(set, out);
  else if (kind == &thud_class_segment)
    *out = (shape){.count = 2, .point = {own[0], own[1], own[2], own[3]}};
  else if (kind == &thud_class_product)
    why = shape_of_product(set, out);
  else if (kind == &thud_class_image)
    why = shape_of_image(set, out);
  else if (kind == &thud_class_preimage)
    why = shape_of_preimage(set, out);
  else if (kind == &thud_class_sum)
    why = shape_of_sum(set, out);
  else if (kind == &thud_class_polar)
    why = shape_of_polar(set, out);
  else if (kind == &thud_class_box || kind == &thud_class_polyhedron || kind == &thud_class_intersection)
    why = shape_of_rows(set, out);
  else if (kind == &thud_class_translation || kind == &thud_class_scaling)
    why = shape_of(set->children[0], out);
  else
    why = unseen;
  if (why != NULL) return why;
  if (kind == &thud_class_translation) move_shape(out, one, own);
  if (kind == &thud_class_scaling) move_shape(out, (const double[4]){own[0], 0, 0, own[0]}, none);
  return NULL;
}

const char *thud_figure_of(thud_set *set, thud_figure *out) { return shape_of(set, out); }

/* ---- factors ----------------------------------------------------------------------------------------------------- */

static const char *add_interval(double lower, double upper, thud_index first, thud_set_factor *made) {
  *made = (thud_set_factor){.kind = THUD_FACTOR_INTERVAL, .first = first, .n = 1, .lower = lower, .upper = upper};
  if (!isfinite(lower) || !isfinite(upper)) return "its set is not bounded";
  return lower < upper ? NULL : "its set has no inside";
}

/* A set that is none of the others, by its outline. */
static const char *add_curved(thud_set *set, thud_index first, thud_set_factor *made) {
  thud_outline *outline = THUD_NEW(set->context, thud_outline);
  *made = (thud_set_factor){.kind = THUD_FACTOR_CURVED, .first = first, .n = set->n, .outline = outline};
  if (outline == NULL) return thud_outline_no_memory;
  const char *why = thud_outline_make(set, outline);
  if (why != NULL) thud_set_factor_free(set->context, made);
  return why;
}

void thud_set_factor_free(thud_context *context, thud_set_factor *factor) {
  thud_free(context, factor->outline);
  factor->outline = NULL;
}

static const char *add_plane(thud_set *set, thud_index first, thud_set_factor *made) {
  shape found;
  double inverse[4];
  const char *why = shape_of(set, &found);
  bool aside = why == NULL && found.ellipse && (found.centre[0] != 0 || found.centre[1] != 0);
  if (why != NULL || aside) return add_curved(set, first, made);
  *made = (thud_set_factor){.first = first, .n = 2};
  if (found.ellipse) {
    bool round = found.map[1] == 0 && found.map[2] == 0 && found.map[0] == found.map[3];
    if (!invert(found.map, inverse)) return "its set has no inside";
    made->kind = round ? THUD_FACTOR_DISC : THUD_FACTOR_ELLIPSE;
    made->radius = found.map[0];
    memcpy(made->map, found.map, sizeof made->map);
    return NULL;
  }
  take_hull(&found);
  if (found.count < 3) return "its set has no inside";
  if (found.count > THUD_MOST_CORNERS) return too_many;
  made->kind = THUD_FACTOR_POLYGON;
  made->corners = found.count;
  memcpy(made->corner, found.point, (size_t)found.count * 2 * sizeof(double));
  return NULL;
}

static const char *add_factors(thud_set *set, thud_index first, thud_set_factor *factors, size_t *count) {
  const char *why = NULL;
  if (set->n == 1) {
    double lower = 0, upper = 0;
    why = interval_of(set, &lower, &upper);
    return why != NULL ? why : add_interval(lower, upper, first, &factors[(*count)++]);
  }
  if (set->kind == &thud_class_product) {
    for (thud_index k = 0; k < set->child_count && why == NULL; first += set->children[k]->n, k++)
      why = add_factors(set->children[k], first, factors, count);
    return why;
  }
  if (set->kind == &thud_class_box) {
    for (thud_index c = 0; c < set->n && why == NULL; c++)
      why = add_interval(set->own[c], set->own[set->n + c], first + c, &factors[(*count)++]);
    return why;
  }
  return set->n == 2 ? add_plane(set, first, &factors[(*count)++]) : add_curved(set, first, &factors[(*count)++]);
}

const char *thud_set_factorise(thud_set *set, thud_set_factor *factors, size_t *count) {
  *count = 0;
  const char *why = add_factors(set, 0, factors, count);
  for (size_t k = 0; why != NULL && k < *count; k++) thud_set_factor_free(set->context, &factors[k]);
  if (why != NULL) *count = 0;
  return why;
}
