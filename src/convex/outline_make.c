/* Outlines of sets: ellipses and polygons, and what translations, scalings, sums, regular images and preimages,
 * intersections and polars make of them.
 *
 *   sum            sigma(d) = sum of the sigma_i(d): pieces end where one of theirs does
 *   image by L     sigma(d) = L sigma_C(L'd), so that terms become L B L' and normals L^-T d
 *   intersection   the ray from 0 leaves it where it leaves the first of the sets; between two of them is a corner */
#include "convex/outline.h"
#include "convex/set.h"
#include "convex/shapes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define TWO_PI 6.283185307179586
/* Angles nearer to each other than this are one. */
#define SAME_ANGLE 1e-12
/* Normals where rays change from one set to another are known to about this. */
#define ROUNDED 1e-9
/* Relative distance within which a ray leaves two sets at the same place: the first set counts. */
#define SAME_PLACE 1e-12
/* The cone of normals of a piece is described by the two sides, so that it has to be less than a half-plane. */
#define WIDEST_PIECE 2.5
/* Where wide pieces are divided: no place of symmetry. */
#define DIVISION 0.4142
/* 0 is inside if the support function is at least this, relative to the set. */
#define INSIDE 1e-9

enum { RAYS = 1440, BISECTIONS = 100, MOST_OPERANDS = 32 };

static const char *const too_many = "its set has too many curved pieces and corners";
static const char *const unseen = "its set is known by projections only: no corners and no axes";
static const char *const flat = "its set has no inside";
static const char *const not_bounded = "its set is not bounded";

const char thud_outline_no_memory[] = "there is no memory for its outline";

static double angle_of(const double *x) { return atan2(x[1], x[0]); }

/* The angle that is `angle` up to turns, in [from, from + 2 pi[; what is just before it, by rounding, is `from`. */
static double after(double from, double angle) {
  double past = fmod(angle - from, TWO_PI);
  if (past < 0) past += TWO_PI;
  return past > TWO_PI - SAME_ANGLE ? from : from + past;
}

static bool add_piece(thud_outline *out, double from, double to, const double *centre, uint32_t terms) {
  if (out->pieces == THUD_MOST_PIECES) return false;
  thud_piece *made = &out->piece[out->pieces++];
  *made = (thud_piece){.from = from, .to = to, .terms = terms};
  memcpy(made->centre, centre, (size_t)out->n * sizeof *centre);
  return true;
}

/* B = A A', A row-major rows x columns, becomes a term; *number. */
static bool add_term(thud_outline *out, const double *A, int columns, int *number) {
  if (out->terms == THUD_MOST_TERMS) return false;
  double *B = out->term[ *number = out->terms++];
  for (int i = 0; i < out->n; i++)
    for (int j = 0; j < out->n; j++) {
      B[i * out->n + j] = 0;
      for (int k = 0; k < columns; k++) B[i * out->n + j] += A[i * columns + k] * A[j * columns + k];
    }
  return true;
}

/* ---- ellipses and polygons ---------------------------------------------------------------------------------------- */

static const char *outline_of_polygon(const thud_figure *shape, thud_outline *out) {
  double before = 0;
  if (shape->count < 2) return add_piece(out, 0, TWO_PI, shape->point, 0) ? NULL : too_many;
  for (int k = 0; k < shape->count; k++) {
    const double *last = shape->point + (ptrdiff_t)2 * ((k + shape->count - 1) % shape->count);
    const double *p = shape->point + (ptrdiff_t)2 * k, *next = shape->point + (ptrdiff_t)2 * ((k + 1) % shape->count);
    double from = atan2(last[0] - p[0], p[1] - last[1]), to = atan2(p[0] - next[0], next[1] - p[1]);
    from = k == 0 ? from : before;
    to = after(from, to);
    before = to;
    if (!add_piece(out, from, to, p, 0)) return too_many;
  }
  return NULL;
}

static const char *outline_of_shape(const thud_figure *shape, thud_outline *out) {
  int number;
  *out = (thud_outline){.n = 2};
  if (!shape->ellipse) return outline_of_polygon(shape, out);
  if (!(fabs(shape->map[0] * shape->map[3] - shape->map[1] * shape->map[2]) > 0)) return flat;
  add_term(out, shape->map, 2, &number);
  add_piece(out, 0, TWO_PI, shape->centre, 1u << number);
  return NULL;
}

/* { T : |T| <= mu (1 + a.T) }: T'(1 - mu^2 aa')T - 2 mu^2 a.T <= mu^2, with the eccentricity e = mu |a|. Along a the
 * half-axis is mu/(1 - e^2) and the centre mu^2 a/(1 - e^2), across it the half-axis is mu/sqrt(1 - e^2). */
static const char *outline_of_generalized(const thud_set *set, thud_outline *out) {
  const double *a = set->own, mu = set->children[0]->own[0];
  double length = hypot(a[0], a[1]), e = mu * length, rest = 1 - e * e;
  double x = length > 0 ? a[0] / length : 1, y = length > 0 ? a[1] / length : 0;
  if (!(rest > INSIDE)) return not_bounded;
  if (!(mu > 0)) return flat;
  double along = mu / rest, across = mu / sqrt(rest);
  const thud_figure shape = {.ellipse = true,
                             .centre = {mu * mu * a[0] / rest, mu * mu * a[1] / rest},
                             .map = {along * x, -across * y, along * y, across * x}};
  return outline_of_shape(&shape, out);
}

/* The polar of { c + A y }: c.d + |A'd| <= 1, that is d'(AA' - cc')d + 2 c.d <= 1: an ellipse when 0 is inside. */
static const char *outline_of_polar(thud_set *set, thud_outline *out) {
  thud_figure shape;
  const char *why = set->children[0]->n == 2 ? thud_figure_of(set->children[0], &shape) : unseen;
  if (why != NULL || !shape.ellipse) return why != NULL ? why : unseen;
  const double *A = shape.map, *c = shape.centre;
  double p = A[0] * A[0] + A[1] * A[1] - c[0] * c[0], q = A[0] * A[2] + A[1] * A[3] - c[0] * c[1];
  double r = A[2] * A[2] + A[3] * A[3] - c[1] * c[1], det = p * r - q * q;
  if (!(p > 0 && det > 0)) return not_bounded;
  /* centre -Q^-1 c, level 1 + c'Q^-1 c; map = sqrt(level) R^-T of Q = RR' */
  double x = (r * c[0] - q * c[1]) / det, y = (p * c[1] - q * c[0]) / det, level = sqrt(1 + c[0] * x + c[1] * y);
  double first = sqrt(p), second = q / first, third = sqrt(r - second * second);
  const thud_figure made = {
      .ellipse = true, .centre = {-x, -y}, .map = {level / first, -level * second / (first * third), 0, level / third}};
  return outline_of_shape(&made, out);
}

/* ---- moved ones --------------------------------------------------------------------------------------------------- */

static const char *outline_of(thud_set *set, thud_outline *out);

static void move(thud_outline *out, const double *offset) {
  for (int k = 0; k < out->pieces; k++)
    for (int i = 0; i < out->n; i++) out->piece[k].centre[i] += offset[i];
}

/* B <- L B L', row-major 2 x 2. */
static void map_term(const double *L, double *B) {
  double half[4];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) half[2 * i + j] = L[(ptrdiff_t)2 * i] * B[j] + L[2 * i + 1] * B[2 + j];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      B[2 * i + j] = half[(ptrdiff_t)2 * i] * L[(ptrdiff_t)2 * j] + half[2 * i + 1] * L[2 * j + 1];
}

/* The angle of L^-T d up to its length, d at this angle: (cofactors of L) d/det. */
static double map_angle(const double *L, double det, double angle) {
  double x = cos(angle), y = sin(angle), sign = det > 0 ? 1 : -1;
  return atan2(sign * (L[0] * y - L[1] * x), sign * (L[3] * x - L[2] * y));
}

/* x -> L x, L row-major and regular. */
static const char *map_outline(const double *L, thud_outline *out) {
  double det = L[0] * L[3] - L[1] * L[2], size = fabs(L[0] * L[3]) + fabs(L[1] * L[2]);
  if (!(fabs(det) > SAME_ANGLE * size)) return flat;
  const thud_outline old = *out;
  for (int t = 0; t < out->terms; t++) map_term(L, out->term[t]);
  for (int k = 0; k < out->pieces; k++) {
    const thud_piece *from = &old.piece[det > 0 ? k : out->pieces - 1 - k];
    thud_piece *to = &out->piece[k];
    *to = *from;
    for (int i = 0; i < 2; i++) to->centre[i] = L[(ptrdiff_t)2 * i] * from->centre[0] + L[2 * i + 1] * from->centre[1];
    double begin = map_angle(L, det, det > 0 ? from->from : from->to);
    double end = map_angle(L, det, det > 0 ? from->to : from->from);
    to->from = k == 0 ? begin : out->piece[k - 1].to;
    to->to = old.pieces == 1 ? to->from + TWO_PI : after(to->from, end);
  }
  return NULL;
}

/* ---- sums --------------------------------------------------------------------------------------------------------- */

/* The piece of an outline that has the normals behind this angle. */
static const thud_piece *piece_behind(const thud_outline *one, double angle) {
  for (int k = 0; k < one->pieces; k++) {
    double past = after(one->piece[k].from, angle) - one->piece[k].from;
    if (past < one->piece[k].to - one->piece[k].from - SAME_ANGLE) return &one->piece[k];
  }
  return &one->piece[0];
}

/* The first end of a piece of either behind this angle. */
static double next_end(const thud_outline *one, const thud_outline *other, double angle) {
  double first = angle + TWO_PI;
  for (int which = 0; which < 2; which++) {
    const thud_outline *of = which == 0 ? one : other;
    for (int k = 0; k < of->pieces && of->pieces > 1; k++) {
      double end = after(angle, of->piece[k].to);
      if (end > angle + SAME_ANGLE && end < first) first = end;
    }
  }
  return first;
}

static const char *add_outlines(const thud_outline *one, const thud_outline *other, thud_outline *out) {
  *out = (thud_outline){.n = 2, .terms = one->terms + other->terms};
  if (out->terms > THUD_MOST_TERMS) return too_many;
  memcpy(out->term, one->term, (size_t)one->terms * sizeof *one->term);
  memcpy(out->term[one->terms], other->term, (size_t)other->terms * sizeof *other->term);
  double begin = one->pieces > 1 ? one->piece[0].from : other->piece[0].from, angle = begin;
  while (angle < begin + TWO_PI - SAME_ANGLE) {
    double end = fmin(next_end(one, other, angle), begin + TWO_PI);
    const thud_piece *a = piece_behind(one, angle), *b = piece_behind(other, angle);
    const double centre[2] = {a->centre[0] + b->centre[0], a->centre[1] + b->centre[1]};
    if (begin + TWO_PI - end < SAME_ANGLE) end = begin + TWO_PI;
    if (!add_piece(out, angle, end, centre, a->terms | b->terms << one->terms)) return too_many;
    angle = end;
  }
  return NULL;
}

static const char *outline_of_sum(thud_set *set, thud_outline *out) {
  const char *why = outline_of(set->children[0], out);
  for (thud_index k = 1; k < set->child_count && why == NULL; k++) {
    thud_outline other;
    const thud_outline so_far = *out;
    why = outline_of(set->children[k], &other);
    if (why == NULL) why = add_outlines(&so_far, &other, out);
  }
  return why;
}

/* ---- intersections ------------------------------------------------------------------------------------------------ */

/* A set of an intersection: an outline, or a half-plane normal.x <= offset. */
typedef struct operand {
  bool half_plane;
  double normal[2], offset;
  thud_outline outline;
} operand;

typedef struct operands {
  int count;
  operand *item; /* [MOST_OPERANDS] */
} operands;

static const char *add_half_plane(operands *all, double x, double y, double offset) {
  double length = hypot(x, y);
  if (isinf(offset) || !(length > 0)) return NULL;
  if (all->count == MOST_OPERANDS) return too_many;
  all->item[all->count++] =
      (operand){.half_plane = true, .normal = {x / length, y / length}, .offset = offset / length};
  return NULL;
}

static const char *add_operand(thud_set *set, operands *all) {
  const double *own = set->own;
  const char *why = NULL;
  if (set->kind == &thud_class_half_space) return add_half_plane(all, own[0], own[1], own[2]);
  if (set->kind == &thud_class_box) {
    for (int c = 0; c < 2 && why == NULL; c++) why = add_half_plane(all, c == 0, c == 1, own[2 + c]);
    for (int c = 0; c < 2 && why == NULL; c++) why = add_half_plane(all, -(c == 0), -(c == 1), -own[c]);
    return why;
  }
  if (set->kind == &thud_class_polyhedron && set->equalities == 0) {
    for (thud_index k = 0; k < set->m && why == NULL; k++)
      why = add_half_plane(all, own[(ptrdiff_t)2 * k], own[(ptrdiff_t)2 * k + 1], own[(ptrdiff_t)2 * set->m + k]);
    return why;
  }
  if (all->count == MOST_OPERANDS) return too_many;
  operand *next = &all->item[all->count];
  next->half_plane = false;
  why = outline_of(set, &next->outline);
  if (why == NULL) all->count++;
  return why;
}

/* How far the ray at this angle goes in a set, and the normal where it leaves. */
static double reach_of(const operand *one, double angle, double *normal) {
  const double ray[2] = {cos(angle), sin(angle)};
  thud_crossing found;
  if (one->half_plane) {
    double along = one->normal[0] * ray[0] + one->normal[1] * ray[1];
    memcpy(normal, one->normal, sizeof one->normal);
    return along > 0 ? one->offset / along : INFINITY;
  }
  thud_outline_cross(&one->outline, ray, &found);
  memcpy(normal, found.normal[0], 2 * sizeof *normal);
  return 1 / found.gauge;
}

/* The set that the ray leaves first; `before` unless another one is clearly shorter. */
static int first_left(const operands *all, double angle, int before) {
  double normal[2], least = before >= 0 ? reach_of(&all->item[before], angle, normal) * (1 - SAME_PLACE) : INFINITY;
  int best = before;
  for (int k = 0; k < all->count; k++) {
    double reach = k == before ? INFINITY : reach_of(&all->item[k], angle, normal);
    if (!(reach < least)) continue;
    least = reach;
    best = k;
  }
  return best;
}

typedef struct builder {
  const operands *all;
  int first_term[MOST_OPERANDS];
  thud_outline *out;
} builder;

/* The pieces of operand k between two of its normals. */
static bool follow(const builder *made, int k, double begin, double end) {
  const operand *one = &made->all->item[k];
  if (one->half_plane) return true;
  const thud_outline *of = &one->outline;
  double angle = begin;
  while (angle < end - SAME_ANGLE) {
    const thud_piece *piece = piece_behind(of, angle);
    double stop = of->pieces == 1 ? end : fmin(end, next_end(of, of, angle));
    if (!add_piece(made->out, angle, stop, piece->centre, piece->terms << made->first_term[k])) return false;
    angle = stop;
  }
  return true;
}

/* The corner at which the ray changes from operand k to the next one; the angle of the normal behind it. */
static bool turn_corner(const builder *made, int k, int next, double angle, double normal_angle, double *behind) {
  double normal[2], reach = reach_of(&made->all->item[k], angle, normal);
  const double corner[2] = {reach * cos(angle), reach * sin(angle)};
  reach_of(&made->all->item[next], angle, normal);
  *behind = after(normal_angle, angle_of(normal));
  return *behind <= normal_angle + SAME_ANGLE || add_piece(made->out, normal_angle, *behind, corner, 0);
}

/* Where, in ]low, high], the ray leaves another set first than k. */
static double find_change(const operands *all, int k, double low, double high) {
  for (int step = 0; step < BISECTIONS; step++) {
    double middle = (low + high) / 2;
    if (first_left(all, middle, k) == k)
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* Where a walk round an intersection is: the ray, the set that it leaves, the angle of the normal there. */
typedef struct walk {
  double ray, angle;
  int at;
} walk;

/* On to the ray at which the next set takes over. */
static bool walk_to_change(const builder *made, walk *here, double change, int next) {
  double normal[2], behind;
  reach_of(&made->all->item[here->at], change, normal);
  double end = after(here->angle, angle_of(normal));
  if (!follow(made, here->at, here->angle, end) || !turn_corner(made, here->at, next, change, end, &behind))
    return false;
  *here = (walk){.ray = change, .angle = behind, .at = next};
  return true;
}

/* Round the intersection, from the first corner on. */
static const char *go_round(const builder *made, double start, int first) {
  double normal[2];
  reach_of(&made->all->item[first], start, normal);
  walk here = {.ray = start, .angle = angle_of(normal), .at = first};
  double begin = here.angle;
  for (int step = 1; step <= RAYS; step++) {
    double to = start + step * TWO_PI / RAYS;
    while (first_left(made->all, to, here.at) != here.at) {
      double change = find_change(made->all, here.at, here.ray, to);
      if (!walk_to_change(made, &here, change, first_left(made->all, change, here.at))) return too_many;
      if (here.angle > begin + 2 * TWO_PI) return unseen;
    }
    here.ray = to;
  }
  if (here.at != first && !walk_to_change(made, &here, start + TWO_PI, first)) return too_many;
  if (here.angle < begin + TWO_PI - ROUNDED && !follow(made, first, here.angle, begin + TWO_PI)) return too_many;
  made->out->piece[made->out->pieces - 1].to = begin + TWO_PI;
  return NULL;
}

/* Terms of all operands side by side. */
static const char *gather_terms(builder *made) {
  *made->out = (thud_outline){.n = 2};
  for (int k = 0; k < made->all->count; k++) {
    const thud_outline *of = &made->all->item[k].outline;
    made->first_term[k] = made->out->terms;
    if (made->all->item[k].half_plane) continue;
    if (made->out->terms + of->terms > THUD_MOST_TERMS) return too_many;
    memcpy(made->out->term[made->out->terms], of->term, (size_t)of->terms * sizeof *of->term);
    made->out->terms += of->terms;
  }
  return NULL;
}

static const char *intersect(const operands *all, thud_outline *out) {
  builder made = {.all = all, .out = out};
  const char *why = gather_terms(&made);
  if (why != NULL) return why;
  for (int k = 0; k < all->count; k++) {
    double normal[2];
    for (int ray = 0; ray < 8; ray++)
      if (!(reach_of(&all->item[k], ray * TWO_PI / 8, normal) > 0)) return "0 is not inside its set";
  }
  /* begin just behind a corner, if there is one */
  double start = 0;
  int k = first_left(all, 0, -1), other = k;
  for (int ray = 1; ray <= RAYS && other == k; ray++) {
    other = first_left(all, ray * TWO_PI / RAYS, k);
    if (other != k) start = find_change(all, k, (ray - 1) * TWO_PI / RAYS, ray * TWO_PI / RAYS);
  }
  if (k < 0) return not_bounded;
  if (other == k) {
    if (all->item[k].half_plane) return not_bounded;
    *out = all->item[k].outline;
    return NULL;
  }
  return go_round(&made, start, first_left(all, start, k));
}

/* The ends of a set of one component. */
static const char *ends_of(thud_set *set, double *lower, double *upper) {
  double up = 1, down = -1, point;
  thud_set_info info;
  if (thud_set_support_inside(set, &up, upper, &point, &info) != THUD_OK ||
      thud_set_support_inside(set, &down, lower, &point, &info) != THUD_OK)
    return unseen;
  *lower = -*lower;
  return NULL;
}

/* { x : L x in C }, L column-major with `rows` rows, of which those from `first` on belong to C: of a product all of its
 * parts. */
static const char *add_preimage(thud_set *set, const double *L, thud_index rows, thud_index first, operands *all) {
  const double *at = L + first, *next = at + rows;
  const char *why = NULL;
  if (set->n == 1) {
    double lower = 0, upper = 0;
    why = ends_of(set, &lower, &upper);
    if (why == NULL) why = add_half_plane(all, at[0], next[0], upper);
    return why != NULL ? why : add_half_plane(all, -at[0], -next[0], -lower);
  }
  if (set->kind == &thud_class_product) {
    for (thud_index k = 0; k < set->child_count && why == NULL; first += set->children[k]->n, k++)
      why = add_preimage(set->children[k], L, rows, first, all);
    return why;
  }
  double det = set->n == 2 ? at[0] * next[1] - at[1] * next[0] : 0;
  if (!(fabs(det) > 0) || all->count == MOST_OPERANDS) return unseen;
  operand *made = &all->item[all->count];
  made->half_plane = false;
  why = outline_of(set, &made->outline);
  if (why == NULL)
    why = map_outline((const double[4]){next[1] / det, -next[0] / det, -at[1] / det, at[0] / det}, &made->outline);
  if (why == NULL) all->count++;
  return why;
}

/* Intersections, and preimages of products, which are the intersections of the preimages of the parts. */
static const char *outline_of_intersection(thud_set *set, thud_outline *out) {
  operands all = {.item = THUD_NEW_ARRAY(set->context, operand, MOST_OPERANDS)};
  const char *why = all.item == NULL ? thud_outline_no_memory : NULL;
  bool preimage = set->kind == &thud_class_preimage;
  if (preimage && why == NULL) why = add_preimage(set->children[0], set->own, set->children[0]->n, 0, &all);
  for (thud_index k = 0; k < set->child_count && why == NULL && !preimage; k++)
    why = add_operand(set->children[k], &all);
  if (why == NULL) why = intersect(&all, out);
  thud_free(set->context, all.item);
  return why;
}

/* ---- all of the plane --------------------------------------------------------------------------------------------- */

static const char *smooth_terms(thud_set *set, const double *L, int columns, thud_outline *out);

/* The image of a set of one component. */
static const char *image_of_interval(thud_set *set, const double *L, thud_outline *out) {
  double lower = 0, upper = 0;
  const char *why = ends_of(set, &lower, &upper);
  if (why != NULL) return why;
  if (!isfinite(upper) || !isfinite(lower)) return not_bounded;
  const thud_figure shape = {.count = 2, .point = {lower * L[0], lower * L[1], upper * L[0], upper * L[1]}};
  return outline_of_shape(&shape, out);
}

/* The image by L, column-major 2 x n; of a product the sum of its parts' images. */
static const char *outline_of_image(thud_set *set, const double *L, thud_outline *out) {
  const char *why = NULL;
  if (set->n == 1) return image_of_interval(set, L, out);
  if (set->n == 2) {
    why = outline_of(set, out);
    return why != NULL ? why : map_outline((const double[4]){L[0], L[2], L[1], L[3]}, out);
  }
  if (set->kind != &thud_class_product) return unseen;
  for (thud_index k = 0; k < set->child_count && why == NULL; L += (ptrdiff_t)2 * set->children[k]->n, k++) {
    thud_outline other;
    const thud_outline so_far = *out;
    why = outline_of_image(set->children[k], L, k == 0 ? out : &other);
    if (why == NULL && k > 0) why = add_outlines(&so_far, &other, out);
  }
  return why;
}

static const char *outline_of(thud_set *set, thud_outline *out) {
  thud_figure shape;
  const thud_set_class *kind = set->kind;
  if (set->n != 2) return unseen;
  if (thud_figure_of(set, &shape) == NULL) return outline_of_shape(&shape, out);
  if (kind == &thud_class_sum) return outline_of_sum(set, out);
  if (kind == &thud_class_intersection) return outline_of_intersection(set, out);
  if (kind == &thud_class_image) return outline_of_image(set->children[0], set->own, out);
  if (kind == &thud_class_preimage) return outline_of_intersection(set, out);
  if (kind == &thud_class_polar) return outline_of_polar(set, out);
  if (kind == &thud_class_generalized_coulomb) return outline_of_generalized(set, out);
  if (kind != &thud_class_translation && kind != &thud_class_scaling) return unseen;
  const char *why = outline_of(set->children[0], out);
  if (why != NULL) return why;
  if (kind == &thud_class_translation) move(out, set->own);
  return kind == &thud_class_scaling ? map_outline((const double[4]){set->own[0], 0, 0, set->own[0]}, out) : NULL;
}

/* Pieces that are too wide are divided. */
static const char *divide(thud_outline *out) {
  for (int k = 0; k < out->pieces && out->pieces > 1; k++) {
    thud_piece *piece = &out->piece[k];
    if (piece->terms == 0 || piece->to - piece->from <= WIDEST_PIECE) continue;
    if (out->pieces == THUD_MOST_PIECES) return too_many;
    memmove(piece + 1, piece, (size_t)(out->pieces - k) * sizeof *piece);
    piece[0].to = piece[1].from = piece->from + DIVISION * (piece->to - piece->from);
    out->pieces++;
    k--;
  }
  return NULL;
}

/* ---- more dimensions ---------------------------------------------------------------------------------------------- */

/* A ball or an ellipsoid (x - c)'Q(x - c) <= 1 under L, row-major: a term with L R^-T, Q = RR'. */
static const char *smooth_leaf(const thud_set *set, const double *L, int columns, thud_outline *out) {
  double A[THUD_MOST_SLIPS * THUD_MOST_SLIPS];
  int number;
  if (columns > THUD_MOST_SLIPS) return "its set is made of a ball of too many components";
  for (int i = 0; i < out->n; i++) {
    double *row = A + (ptrdiff_t)i * columns;
    for (int j = 0; j < columns; j++) {
      row[j] = L[i * columns + j];
      out->piece[0].centre[i] += row[j] * set->own[j];
    }
    if (set->kind == &thud_class_ball)
      for (int j = 0; j < columns; j++) row[j] *= set->own[columns];
  }
  if (set->kind == &thud_class_ellipsoid) {
    double R[THUD_MOST_SLIPS * THUD_MOST_SLIPS];
    const double *Q = set->own + columns;
    for (int j = 0; j < columns; j++)
      for (int i = j; i < columns; i++) {
        double sum = Q[i + (ptrdiff_t)j * columns];
        for (int k = 0; k < j; k++) sum -= R[i * columns + k] * R[j * columns + k];
        R[i * columns + j] = i == j ? sqrt(sum) : sum / R[j * columns + j];
      }
    for (int i = 0; i < out->n; i++) /* row R' = row of L, from the last unknown on: A R' = L */
      for (int j = 0; j < columns; j++) {
        double sum = A[i * columns + j];
        for (int k = 0; k < j; k++) sum -= A[i * columns + k] * R[j * columns + k];
        A[i * columns + j] = sum / R[j * columns + j];
      }
  }
  if (!add_term(out, A, columns, &number)) return too_many;
  out->piece[0].terms |= 1u << number;
  return NULL;
}

/* The parts of a product, each under its columns of L. */
static const char *smooth_product(const thud_set *set, const double *L, int columns, thud_outline *out) {
  const char *why = NULL;
  int first = 0;
  for (thud_index k = 0; k < set->child_count && why == NULL; k++) {
    int width = (int)set->children[k]->n;
    double *part = THUD_NEW_ARRAY(set->context, double, out->n *width);
    if (part == NULL) return thud_outline_no_memory;
    for (int i = 0; i < out->n; i++)
      memcpy(part + (ptrdiff_t)i * width, L + (ptrdiff_t)i * columns + first, (size_t)width * sizeof *part);
    why = smooth_terms(set->children[k], part, width, out);
    thud_free(set->context, part);
    first += width;
  }
  return why;
}

static const char *smooth_image(const thud_set *set, const double *L, int columns, thud_outline *out) {
  int width = (int)set->children[0]->n;
  double *both = THUD_NEW_ARRAY(set->context, double, out->n *width);
  if (both == NULL) return thud_outline_no_memory;
  for (int i = 0; i < out->n; i++)
    for (int j = 0; j < width; j++)
      for (int k = 0; k < columns; k++)
        both[i * width + j] += L[i * columns + k] * set->own[(ptrdiff_t)j * columns + k];
  const char *why = smooth_terms(set->children[0], both, width, out);
  thud_free(set->context, both);
  return why;
}

static const char *smooth_scaling(const thud_set *set, const double *L, int columns, thud_outline *out) {
  size_t count = (size_t)out->n * (size_t)columns;
  double *scaled = THUD_NEW_ARRAY(set->context, double, count);
  if (scaled == NULL) return thud_outline_no_memory;
  for (size_t k = 0; k < count; k++) scaled[k] = set->own[0] * L[k];
  const char *why = smooth_terms(set->children[0], scaled, columns, out);
  thud_free(set->context, scaled);
  return why;
}

/* The image of the set under L, row-major n x columns, is added to an outline with one piece. */
static const char *smooth_terms(thud_set *set, const double *L, int columns, thud_outline *out) {
  const thud_set_class *kind = set->kind;
  const char *why = NULL;
  if (kind == &thud_class_ball || kind == &thud_class_ellipsoid) return smooth_leaf(set, L, columns, out);
  if (kind == &thud_class_product) return smooth_product(set, L, columns, out);
  if (kind == &thud_class_image) return smooth_image(set, L, columns, out);
  if (kind == &thud_class_scaling) return smooth_scaling(set, L, columns, out);
  if (kind == &thud_class_sum) {
    for (thud_index k = 0; k < set->child_count && why == NULL; k++)
      why = smooth_terms(set->children[k], L, columns, out);
    return why;
  }
  if (kind != &thud_class_translation)
    return out->n > 2 ? "its set couples more than two slip components and has corners, edges or flat sides" : unseen;
  for (int i = 0; i < out->n; i++)
    for (int k = 0; k < columns; k++) out->piece[0].centre[i] += L[i * columns + k] * set->own[k];
  return smooth_terms(set->children[0], L, columns, out);
}

static const char *smooth_outline(thud_set *set, thud_outline *out) {
  double identity[THUD_MOST_SLIPS * THUD_MOST_SLIPS] = {0};
  int n = (int)set->n;
  *out = (thud_outline){.n = n, .pieces = 1, .piece = {{.from = 0, .to = TWO_PI}}};
  if (n > THUD_MOST_SLIPS) return "its set couples more than six slip components";
  for (int i = 0; i < n; i++) identity[(ptrdiff_t)i * (n + 1)] = 1;
  return smooth_terms(set, identity, n, out);
}

/* ---- all ---------------------------------------------------------------------------------------------------------- */

/* True if 0 is inside: S(d) > 0 for all d. */
static bool has_inside(const thud_outline *out) {
  double size = thud_outline_size(out), point[THUD_MOST_SLIPS], d[THUD_MOST_SLIPS];
  for (int k = 0; k < (out->n == 2 ? 360 : 4096); k++) {
    double support = 0, length = 0;
    for (int i = 0; i < out->n; i++) {
      d[i] = out->n == 2 ? (i == 0 ? cos(k * TWO_PI / 360) : sin(k * TWO_PI / 360)) : sin(k * sqrt(2.0 + 3 * i) + i);
      length = hypot(length, d[i]);
    }
    thud_outline_point(out, out->n == 2 ? thud_outline_piece_of(out, d) : 0, d, point);
    for (int i = 0; i < out->n; i++) support += d[i] * point[i];
    if (!(support > INSIDE * size * length)) return false;
  }
  return true;
}

void thud_outline_ball(int n, thud_outline *outline) {
  *outline = (thud_outline){.n = n, .pieces = 1, .terms = 1, .piece = {{.from = 0, .to = TWO_PI, .terms = 1}}};
  for (int i = 0; i < n; i++) outline->term[0][(ptrdiff_t)i * (n + 1)] = 1;
}

const char *thud_outline_make(thud_set *set, thud_outline *outline) {
  const char *why = set->n == 2 ? outline_of(set, outline) : unseen;
  if (set->n > 2 || (why != NULL && set->n == 2)) {
    const char *other = smooth_outline(set, outline);
    if (other != NULL && (set->n > 2 || other != unseen)) return other;
    if (other == NULL) why = NULL;
  }
  if (why == NULL) why = divide(outline);
  if (why != NULL) return why;
  return has_inside(outline) ? NULL : "0 is not inside its set, or the set has no inside";
}
