#include "convex/outline.h"

#include "linalg/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define TWO_PI 6.283185307179586
/* Points nearer to a corner than this, relative to the set, are the corner. */
#define AT_CORNER 1e-10
/* Rounding of angles. */
#define ROUNDED_TURN 1e-12

enum { BISECTIONS = 200, NEWTON_STEPS = 100, HALVINGS = 40 };

static double dot(int n, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

static void apply(const thud_outline *outline, int term, const double *x, double *y) {
  for (int i = 0; i < outline->n; i++) y[i] = dot(outline->n, outline->term[term] + (ptrdiff_t)i * outline->n, x);
}

static bool has_term(const thud_piece *piece, int term) { return (piece->terms >> term & 1u) != 0; }

void thud_outline_point(const thud_outline *outline, int k, const double *d, double *point) {
  const thud_piece *piece = &outline->piece[k];
  double image[THUD_MOST_SLIPS];
  memcpy(point, piece->centre, (size_t)outline->n * sizeof *point);
  for (int t = 0; t < outline->terms; t++) {
    if (!has_term(piece, t)) continue;
    apply(outline, t, d, image);
    double square = dot(outline->n, d, image);
    for (int i = 0; i < outline->n && square > 0; i++) point[i] += image[i] / sqrt(square);
  }
}

/* d/dx B d / s, s = sqrt(d'B d): (B x - B d (d'B x)/s^2)/s. */
void thud_outline_slope(const thud_outline *outline, int k, const double *d, const double *x, double *slope) {
  const thud_piece *piece = &outline->piece[k];
  double image[THUD_MOST_SLIPS], moved[THUD_MOST_SLIPS];
  memset(slope, 0, (size_t)outline->n * sizeof *slope);
  for (int t = 0; t < outline->terms; t++) {
    if (!has_term(piece, t)) continue;
    apply(outline, t, d, image);
    apply(outline, t, x, moved);
    double square = dot(outline->n, d, image), along = dot(outline->n, d, moved);
    for (int i = 0; i < outline->n && square > 0; i++)
      slope[i] += (moved[i] - image[i] * along / square) / sqrt(square);
  }
}

/* ---- the plane ---------------------------------------------------------------------------------------------------- */

static double cross(const double *x, const double *y) { return x[0] * y[1] - x[1] * y[0]; }

/* Angle from x to y, counter-clockwise, in [0, 2 pi[. */
static double turn(const double *x, const double *y) {
  double angle = atan2(cross(x, y), x[0] * y[0] + x[1] * y[1]);
  return angle < 0 ? angle + TWO_PI : angle;
}

static int wrap(const thud_outline *outline, int k) {
  return (k % outline->pieces + outline->pieces) % outline->pieces;
}

static void point_at(const thud_outline *outline, int k, double angle, double *normal, double *point) {
  normal[0] = cos(angle);
  normal[1] = sin(angle);
  thud_outline_point(outline, k, normal, point);
}

void thud_outline_begin(const thud_outline *outline, int k, double *normal, double *point) {
  k = wrap(outline, k);
  point_at(outline, k, outline->piece[k].from, normal, point);
}

void thud_outline_end(const thud_outline *outline, int k, double *normal, double *point) {
  k = wrap(outline, k);
  point_at(outline, k, outline->piece[k].to, normal, point);
}

int thud_outline_piece_of(const thud_outline *outline, const double *d) {
  double angle = atan2(d[1], d[0]);
  for (int k = 0; k < outline->pieces; k++) {
    double past = fmod(angle - outline->piece[k].from, TWO_PI);
    if (past < 0) past += TWO_PI;
    if (past <= outline->piece[k].to - outline->piece[k].from) return k;
  }
  return 0;
}

double thud_outline_size(const thud_outline *outline) {
  double size = 0, normal[2], point[THUD_MOST_SLIPS];
  for (int k = 0; k < outline->pieces; k++)
    for (int c = 0; c < 2 * outline->n; c++) {
      double d[THUD_MOST_SLIPS] = {0};
      d[c / 2] = c % 2 == 0 ? 1 : -1;
      if (outline->n == 2 && c < 2)
        point_at(outline, k, c == 0 ? outline->piece[k].from : outline->piece[k].to, normal, point);
      else if (outline->n == 2)
        continue;
      else
        thud_outline_point(outline, k, d, point);
      for (int i = 0; i < outline->n; i++) size = fmax(size, fabs(point[i]));
    }
  return size;
}

/* The ray through x on piece k, which is passed counter-clockwise round 0. */
static bool crosses_piece(const thud_outline *outline, int k, const double *x, thud_crossing *found) {
  const thud_piece *piece = &outline->piece[k];
  double low = piece->from, high = piece->to, begin[2], end[2], point[2], normal[2];
  point_at(outline, k, low, normal, begin);
  point_at(outline, k, high, normal, end);
  double whole = turn(begin, end), wanted = turn(begin, x);
  if (outline->pieces == 1) whole = TWO_PI;
  if (wanted > TWO_PI - ROUNDED_TURN) wanted = 0;
  if (piece->terms == 0 || wanted > whole + ROUNDED_TURN) return false;
  for (int step = 0; step < BISECTIONS && high - low > DBL_EPSILON * (fabs(low) + fabs(high)); step++) {
    double middle = (low + high) / 2;
    point_at(outline, k, middle, normal, point);
    double here = turn(begin, point);
    /* just before the begin, by rounding, is the begin */
    bool behind = middle - piece->from < 1e-3 && here > TWO_PI - 0.1;
    if (!behind && here > wanted)
      high = middle;
    else
      low = middle;
  }
  point_at(outline, k, (low + high) / 2, normal, point);
  found->gauge = hypot(x[0], x[1]) / hypot(point[0], point[1]);
  found->face = 2 * k;
  for (int c = 0; c < 2; c++) found->normal[0][c] = found->normal[1][c] = normal[c];
  return true;
}

static bool crosses_edge(const thud_outline *outline, int k, const double *x, thud_crossing *found) {
  double begin[2], end[2], normal[2], next[2];
  thud_outline_end(outline, k, normal, begin);
  thud_outline_begin(outline, k + 1, next, end);
  if (!(cross(begin, end) > 0) || cross(begin, x) < 0 || cross(x, end) < 0) return false;
  double offset = dot(2, normal, begin);
  found->gauge = dot(2, normal, x) / offset;
  found->face = 2 * k + 1;
  for (int c = 0; c < 2; c++) found->normal[0][c] = found->normal[1][c] = normal[c];
  return found->gauge > 0;
}

/* A ray to a corner has both normals of its ends. */
static bool crosses_corner(const thud_outline *outline, int k, const double *x, double size, thud_crossing *found) {
  const double *corner = outline->piece[k].centre;
  double length = hypot(corner[0], corner[1]), gauge = hypot(x[0], x[1]) / length, point[2];
  if (outline->piece[k].terms != 0 ||
      hypot(x[0] - gauge * corner[0], x[1] - gauge * corner[1]) > AT_CORNER * size * gauge)
    return false;
  found->gauge = gauge;
  found->face = 2 * k;
  thud_outline_begin(outline, k, found->normal[0], point);
  thud_outline_end(outline, k, found->normal[1], point);
  return true;
}

static void cross_in_plane(const thud_outline *outline, const double *x, thud_crossing *found) {
  double size = thud_outline_size(outline);
  for (int k = 0; k < outline->pieces; k++)
    if (crosses_corner(outline, k, x, size, found)) return;
  for (int k = 0; k < outline->pieces; k++)
    if (crosses_piece(outline, k, x, found) || crosses_edge(outline, k, x, found)) return;
}

/* ---- more dimensions ---------------------------------------------------------------------------------------------- */

/* S(d)^2/2 - x.d, whose least value is where S(d) sigma(d) = x: S is the gauge there. Its gradient is minus `left`. */
static double value_at(const thud_outline *outline, const double *x, const double *d, double *point, double *left) {
  double rest[THUD_MOST_SLIPS];
  thud_outline_point(outline, 0, d, point);
  double support = dot(outline->n, d, point);
  for (int i = 0; i < outline->n; i++) rest[i] = x[i] - support * point[i];
  *left = sqrt(dot(outline->n, rest, rest));
  return support * support / 2 - dot(outline->n, x, d);
}

/* One step of Newton's method; false: none leads down. Near the end rounding hides the value, but not the gradient. */
static bool step_down(const thud_outline *outline, const double *x, double *d) {
  int n = outline->n;
  double point[THUD_MOST_SLIPS], matrix[THUD_MOST_SLIPS * THUD_MOST_SLIPS], step[THUD_MOST_SLIPS],
      moved[THUD_MOST_SLIPS], left, rest;
  thud_index pivots[THUD_MOST_SLIPS];
  double value = value_at(outline, x, d, point, &left), support = dot(n, d, point), factor = 1;
  for (int j = 0; j < n; j++) {
    double unit[THUD_MOST_SLIPS] = {0};
    unit[j] = 1;
    thud_outline_slope(outline, 0, d, unit, moved);
    for (int i = 0; i < n; i++) matrix[i + j * n] = point[i] * point[j] + support * moved[i];
    step[j] = x[j] - support * point[j];
  }
  if (!thud_dense_lu(n, matrix, pivots)) return false;
  thud_dense_lu_solve(n, matrix, pivots, step);
  for (int halving = 0; halving < HALVINGS; halving++, factor /= 2) {
    double there[THUD_MOST_SLIPS];
    for (int i = 0; i < n; i++) moved[i] = d[i] + factor * step[i];
    double next = value_at(outline, x, moved, there, &rest);
    if (!(next < value) && !(halving == 0 && rest < left / 2)) continue;
    memcpy(d, moved, (size_t)n * sizeof *d);
    return rest > 0;
  }
  return false;
}

static void cross_in_space(const thud_outline *outline, const double *x, thud_crossing *found) {
  int n = outline->n;
  double d[THUD_MOST_SLIPS], point[THUD_MOST_SLIPS], length = sqrt(dot(n, x, x));
  for (int i = 0; i < n; i++) d[i] = x[i] / length;
  thud_outline_point(outline, 0, d, point);
  double support = dot(n, d, point);
  for (int i = 0; i < n; i++) d[i] *= dot(n, x, d) / (support * support);
  for (int k = 0; k < NEWTON_STEPS && step_down(outline, x, d); k++) continue;
  thud_outline_point(outline, 0, d, point);
  found->gauge = dot(n, x, x) / dot(n, point, x); /* x = gauge point */
  found->face = 0;
  double size = sqrt(dot(n, d, d));
  for (int i = 0; i < n; i++) found->normal[0][i] = found->normal[1][i] = d[i] / size;
}

void thud_outline_cross(const thud_outline *outline, const double *x, thud_crossing *crossing) {
  *crossing = (thud_crossing){.gauge = 0};
  if (!(dot(outline->n, x, x) > 0)) return;
  crossing->gauge = NAN;
  if (outline->n == 2)
    cross_in_plane(outline, x, crossing);
  else
    cross_in_space(outline, x, crossing);
}
