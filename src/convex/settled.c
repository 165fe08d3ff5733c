/* Exact projections onto sets whose queries iterate, for sets that keep their parameters (friction laws): what they need is
 * made once, by thud_set_settle, and dropped when a parameter changes.
 *
 * In the plane the set has an outline (outline.h). For x outside and a metric M the projection y has the normal d that
 * maximises
 *
 *   e(d) = (d.x - S(d)) / |d|_M^-1,   S(d) = d.sigma(d) the support function,
 *
 * which is the distance: e is quasiconcave where it is positive (a concave function over a norm), and its slope along
 * the angle of d has the sign of
 *
 *   s = (d'.(x - sigma)) (d.M^-1 d) - (d.(x - sigma)) (d'.M^-1 d),   d' = d turned by a right angle.
 *
 * From the place where the ray to x leaves the set the boundary is followed uphill, piece by piece: within a corner the
 * corner is the answer, on an edge s is linear, on a curved piece s has one root, found by bisection.
 *
 * In any dimension the intersection of one ball or ellipsoid |y - c|_Q <= r with a polyhedron P has the multiplier l of the
 * former: y(l) minimises |y - x|^2_M + l |y - c|^2_Q over P, a projection onto P in the metric M + l Q, and |y(l) - c|_Q
 * does not increase with l (the derivative of a concave dual function is one half of |y(l) - c|^2_Q - r^2). */
#include "convex/settled.h"

#include "convex/outline.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct thud_settled {
  thud_context *context;
  thud_outline *outline; /* owned; or */
  thud_set *flat;        /* owned: the polyhedron */
  const thud_set *round; /* an operand of the set */
  double *work;          /* [2*n*n + 3*n] */
};

void thud_settled_destroy(thud_settled *settled) {
  if (settled == NULL) return;
  thud_free(settled->context, settled->outline);
  thud_set_destroy(settled->flat);
  thud_free(settled->context, settled->work);
  thud_free(settled->context, settled);
}

/* ---- outlines ---------------------------------------------------------------------------------------------------- */

/* One projection in the plane. */
typedef struct plane_search {
  const thud_outline *outline;
  const thud_metric_view *metric;
  const double *x;
  double way; /* 1: counter-clockwise, -1 */
} plane_search;

/* s of the head comment; *height has the sign of e. */
static double slope_at(const plane_search *p, const double *d, const double *sigma, double *height) {
  double turned[2] = {-d[1], d[0]}, back[2], off[2] = {p->x[0] - sigma[0], p->x[1] - sigma[1]};
  thud_view_solve(p->metric, d, back);
  *height = d[0] * off[0] + d[1] * off[1];
  return (turned[0] * off[0] + turned[1] * off[1]) * (d[0] * back[0] + d[1] * back[1]) -
         *height * (turned[0] * back[0] + turned[1] * back[1]);
}

/* The top of e is behind, seen in the way of the search. */
static bool is_past(const plane_search *p, const double *d, const double *sigma) {
  double height, slope = slope_at(p, d, sigma, &height);
  return !(height > 0) || p->way * slope <= 0;
}

static void point_of_angle(const plane_search *p, int piece, double angle, double *d, double *point) {
  d[0] = cos(angle);
  d[1] = sin(angle);
  thud_outline_point(p->outline, piece, d, point);
}

/* Where the way of the search leaves piece k, or e has ceased to be positive: half a turn after `from`. */
static double last_angle(const plane_search *p, int k, double from) {
  static const double half_turn = 3.141592653589793;
  const thud_piece *piece = &p->outline->piece[k];
  return p->way > 0 ? fmin(piece->to, from + half_turn) : fmax(piece->from, from - half_turn);
}

/* The top lies on the piece between two angles. */
static void search_piece(const plane_search *p, int k, double from, double to, double *y) {
  double d[2];
  for (double middle = (from + to) / 2; middle != from && middle != to; middle = (from + to) / 2) {
    point_of_angle(p, k, middle, d, y);
    *(is_past(p, d, y) ? &to : &from) = middle;
  }
  point_of_angle(p, k, from, d, y);
}

/* The top has the normal of the edge from a to b in the way of the search, where s changes its sign. */
static void search_edge(const plane_search *p, const double *d, const double *a, const double *b, double *y) {
  double height, s_a = slope_at(p, d, a, &height), s_b = slope_at(p, d, b, &height);
  double part = s_a == s_b ? 0 : s_a / (s_a - s_b);
  part = fmin(fmax(part, 0), 1);
  for (int i = 0; i < 2; i++) y[i] = a[i] + part * (b[i] - a[i]);
}

/* The end of piece k at which the way of the search enters it. */
static void enter_piece(const plane_search *p, int k, double *d, double *point) {
  if (p->way > 0)
    thud_outline_begin(p->outline, k, d, point);
  else
    thud_outline_end(p->outline, k, d, point);
}

/* Uphill from the angle `from` on piece k. */
static void follow(const plane_search *p, int k, double from, double *y) {
  int count = p->outline->pieces;
  double d[2], a[2], b[2], next[2];
  for (int step = 0; step <= count; step++) {
    double to = last_angle(p, k, from);
    point_of_angle(p, k, to, d, a);
    if (is_past(p, d, a)) { /* within the piece */
      search_piece(p, k, from, to, y);
      return;
    }
    int other = (k + (p->way > 0 ? 1 : count - 1)) % count;
    enter_piece(p, other, next, b);
    if (is_past(p, d, b)) {
      search_edge(p, d, a, b, y);
      return;
    }
    k = other;
    from = p->way > 0 ? p->outline->piece[k].from : p->outline->piece[k].to;
  }
  memcpy(y, a, sizeof a);
}

/* From an edge, in the way that goes uphill: the edge itself first. */
static void follow_from_edge(plane_search *p, int k, double *y) {
  int next = (k + 1) % p->outline->pieces;
  double d[2], a[2], b[2], other[2];
  thud_outline_end(p->outline, k, d, a);
  thud_outline_begin(p->outline, next, other, b);
  p->way = 1;
  if (!is_past(p, d, b)) {
    follow(p, next, p->outline->piece[next].from, y);
    return;
  }
  p->way = -1;
  if (!is_past(p, d, a))
    follow(p, k, p->outline->piece[k].to, y);
  else
    search_edge(p, d, a, b, y);
}

/* The angle of d as one of the piece. */
static double angle_on(const thud_piece *piece, const double *d) {
  static const double whole_turn = 6.283185307179586;
  double past = fmod(atan2(d[1], d[0]) - piece->from, whole_turn);
  if (past < 0) past += whole_turn;
  if (past > piece->to - piece->from)
    past = past - (piece->to - piece->from) < whole_turn - past ? piece->to - piece->from : 0;
  return piece->from + past;
}

static void project_by_outline(const thud_outline *outline, const thud_metric_view *metric, const double *x,
                               double *y) {
  thud_crossing crossing;
  plane_search p = {.outline = outline, .metric = metric, .x = x};
  memcpy(y, x, 2 * sizeof *y);
  thud_outline_cross(outline, x, &crossing);
  if (!(crossing.gauge > 1)) return;
  int k = crossing.face / 2;
  if (crossing.face % 2 == 1) {
    follow_from_edge(&p, k, y);
    return;
  }
  double from = angle_on(&outline->piece[k], crossing.normal[0]), d[2], point[2], height;
  point_of_angle(&p, k, from, d, point);
  p.way = slope_at(&p, d, point, &height) >= 0 ? 1 : -1;
  follow(&p, k, from, y);
}

/* ---- a ball or ellipsoid and a polyhedron -------------------------------------------------------------------------- */

enum { DOUBLINGS = 2100, ROOT_STEPS = 200 };

static bool is_round(const thud_set *set) {
  return set->kind == &thud_class_ball || set->kind == &thud_class_ellipsoid;
}

/* Q_ij of the round operand. */
static double quadric_entry(const thud_set *round, thud_index i, thud_index j) {
  return round->kind == &thud_class_ball ? (i == j ? 1 : 0) : round->own[round->n + j * round->n + i];
}

static double radius_of(const thud_set *round) { return round->kind == &thud_class_ball ? round->own[round->n] : 1; }

/* y(l); *excess = |y(l) - c|_Q - r. */
static thud_error place_of_multiplier(const thud_settled *settled, const thud_metric_view *metric, const double *x,
                                      double l, double *y, double *excess) {
  const thud_set *round = settled->round;
  thud_index n = round->n;
  double *H = settled->work, *L = H + (size_t)n * (size_t)n, *right = L + (size_t)n * (size_t)n, square = 0;
  thud_metric_view view;
  thud_set_info info;
  thud_view_apply(metric, x, right);
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = 0; i < n; i++) {
      double q = quadric_entry(round, i, j);
      H[j * n + i] = thud_view_entry(metric, i, j) + l * q;
      right[i] += l * q * round->own[j];
    }
  thud_error error = thud_view_of_matrix(settled->context, n, H, L, &view);
  if (error != THUD_OK) return error;
  thud_view_solve(&view, right, right);
  error = thud_set_project_view(settled->flat, &view, l > 0 ? right : x, y, &info);
  if (error != THUD_OK) return error;
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = 0; i < n; i++)
      square += (y[i] - round->own[i]) * quadric_entry(round, i, j) * (y[j] - round->own[j]);
  *excess = sqrt(fmax(square, 0)) - radius_of(round);
  return THUD_OK;
}

/* Root of the excess between low (> 0) and high (<= 0): false position with Illinois' halving, bisection every fourth
 * step; y becomes that of the last multiplier at which nothing is outside. */
static thud_error search_multiplier(const thud_settled *settled, const thud_metric_view *metric, const double *x,
                                    double low, double f_low, double high, double f_high, double *y,
                                    thud_set_info *info) {
  double f, tolerance = 2 * DBL_EPSILON * radius_of(settled->round), last = high;
  int side = 0;
  thud_error error = THUD_OK;
  for (int k = 0; k < ROOT_STEPS && error == THUD_OK && high - low > DBL_EPSILON * high; k++) {
    double l = k % 4 == 3 ? (low + high) / 2 : high - f_high * ((high - low) / (f_high - f_low));
    if (!(l > low && l < high)) l = (low + high) / 2;
    if (!(l > low && l < high)) break;
    error = place_of_multiplier(settled, metric, x, l, y, &f);
    last = l;
    info->iterations++;
    if (error == THUD_OK && fabs(f) <= tolerance) return THUD_OK;
    if (f > 0) {
      low = l;
      f_low = f;
      if (side == 1) f_high /= 2;
      side = 1;
    } else {
      high = l;
      f_high = f;
      if (side == -1) f_low /= 2;
      side = -1;
    }
  }
  return error == THUD_OK && last != high ? place_of_multiplier(settled, metric, x, high, y, &f) : error;
}

static thud_error project_by_multiplier(const thud_settled *settled, const thud_metric_view *metric, const double *x,
                                        double *y, thud_set_info *info) {
  double low = 0, f_low, high, f_high;
  thud_error error = place_of_multiplier(settled, metric, x, 0, y, &f_low);
  if (error != THUD_OK || f_low <= 0) return error;
  high = 0;
  for (thud_index i = 0; i < settled->round->n; i++) high = fmax(high, thud_view_entry(metric, i, i));
  error = place_of_multiplier(settled, metric, x, high, y, &f_high);
  for (int k = 0; error == THUD_OK && f_high > 0; k++) {
    if (k == DOUBLINGS || !isfinite(2 * high)) { /* the polyhedron does not reach the ball */
      info->converged = false;
      info->gap = f_high;
      return THUD_OK;
    }
    low = high;
    f_low = f_high;
    high *= 2;
    error = place_of_multiplier(settled, metric, x, high, y, &f_high);
  }
  return error == THUD_OK ? search_multiplier(settled, metric, x, low, f_low, high, f_high, y, info) : error;
}

/* ---- life ---------------------------------------------------------------------------------------------------------- */

/* The operands of an intersection but the round one, cloned into one polyhedron; NULL where there is none. */
static thud_error make_flat(thud_settled *settled, const thud_set *set) {
  thud_index count = 0;
  thud_set **parts = THUD_NEW_ARRAY(settled->context, thud_set *, set->child_count);
  thud_error error = parts != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (thud_index c = 0; c < set->child_count && error == THUD_OK; c++)
    if (set->children[c] != settled->round) error = thud_set_clone(settled->context, set->children[c], &parts[count++]);
  if (error == THUD_OK) error = thud_set_intersection(settled->context, count, parts, &settled->flat);
  for (thud_index c = 0; error != THUD_OK && parts != NULL && c < count; c++) thud_set_destroy(parts[c]);
  thud_free(settled->context, parts);
  return error;
}

/* True for an intersection of one round set and polyhedra; *round. */
static bool is_cut(const thud_set *set, const thud_set **round) {
  thud_index count = 0;
  for (thud_index c = 0; c < set->child_count; c++) {
    if (is_round(set->children[c])) {
      *round = set->children[c];
      count++;
    } else if (!thud_set_get_abilities(set->children[c]).is_polyhedral) {
      return false;
    }
  }
  return set->kind == &thud_class_intersection && count == 1 && set->child_count > 1;
}

static thud_error settle_cut(thud_set *set, thud_settled *settled) {
  size_t n = (size_t)set->n;
  if (!is_cut(set, &settled->round)) return THUD_OK;
  settled->work = THUD_NEW_ARRAY(set->context, double, 2 * n * n + 3 * n);
  if (settled->work == NULL) return THUD_ERROR_MEMORY;
  thud_error error = make_flat(settled, set);
  if (error != THUD_OK || thud_set_get_abilities(settled->flat).projection_metric == THUD_EXACT) return error;
  thud_set_destroy(settled->flat);
  settled->flat = NULL;
  return THUD_OK;
}

static thud_error settle_plane(thud_set *set, thud_settled *settled) {
  settled->outline = THUD_NEW(set->context, thud_outline);
  if (settled->outline == NULL) return THUD_ERROR_MEMORY;
  const char *why = thud_outline_make(set, settled->outline);
  if (why == NULL) return THUD_OK;
  thud_free(set->context, settled->outline);
  settled->outline = NULL;
  return why == thud_outline_no_memory ? THUD_ERROR_MEMORY : THUD_OK;
}

thud_error thud_set_settle(thud_set *set) {
  thud_error error = THUD_OK;
  if (set->settled != NULL || thud_set_get_abilities(set).projection_metric == THUD_EXACT) return THUD_OK;
  thud_settled *settled = THUD_NEW(set->context, thud_settled);
  if (settled == NULL) return THUD_ERROR_MEMORY;
  *settled = (thud_settled){.context = set->context};
  error = settle_cut(set, settled);
  if (error == THUD_OK && settled->flat == NULL && set->n == 2) error = settle_plane(set, settled);
  if (error == THUD_OK && (settled->flat != NULL || settled->outline != NULL)) {
    set->settled = settled;
    return THUD_OK;
  }
  thud_settled_destroy(settled);
  for (thud_index c = 0; c < set->child_count && error == THUD_OK; c++) error = thud_set_settle(set->children[c]);
  return error;
}

thud_error thud_settled_project(const thud_settled *settled, const thud_metric_view *metric, const double *x, double *y,
                                thud_set_info *info) {
  if (settled->flat != NULL) return project_by_multiplier(settled, metric, x, y, info);
  project_by_outline(settled->outline, metric, x, y);
  return THUD_OK;
}
