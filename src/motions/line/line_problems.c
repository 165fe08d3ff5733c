/* The two problems of a line, the obstacle and a step of friction, by exact active sets: exchanges of whole sets
 * (primal-dual active set, monotone for M-matrices such as a string's), and when these do not settle a descent from face
 * to face, which is finite because the objective falls strictly. Good sets to begin with are found beforehand: the convex
 * hull or coarser obstacles for the contact, one pass over the cells for the slip. */
#include "base/base.h"
#include "motions/line/elastic_line.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounding of one row of K v, relative to the sum of its terms. */
static const double row_rounding = 32 * DBL_EPSILON;
enum { PATIENCE = 10 }; /* exchanges in a row that do not reduce the number of violations */

thud_error thud_kinks_create(thud_context *context, thud_index n, thud_index band, elastic_kinks *kinks) {
  size_t count = (size_t)n, entries;
  if (!thud_size_multiply(count, (size_t)band + 1, &entries))
    return thud_fail(context, THUD_ERROR_MEMORY, "a banded matrix of %zu rows is too large", count);
  *kinks = (elastic_kinks){.context = context, .n = n, .band = band};
  kinks->K = THUD_NEW_ARRAY(context, double, entries);
  kinks->factor = THUD_NEW_ARRAY(context, double, entries);
  kinks->rhs = THUD_NEW_ARRAY(context, double, count);
  kinks->move = THUD_NEW_ARRAY(context, double, count);
  kinks->at = THUD_NEW_ARRAY(context, double, count);
  kinks->side = THUD_NEW_ARRAY(context, signed char, count);
  kinks->breaks = THUD_NEW_ARRAY(context, elastic_break, count);
  if (kinks->K != NULL && kinks->factor != NULL && kinks->rhs != NULL && kinks->move != NULL && kinks->at != NULL &&
      kinks->side != NULL && kinks->breaks != NULL)
    return THUD_OK;
  thud_kinks_destroy(kinks);
  return THUD_ERROR_MEMORY;
}

void thud_kinks_destroy(elastic_kinks *kinks) {
  if (kinks->context == NULL) return;
  thud_free(kinks->context, kinks->K);
  thud_free(kinks->context, kinks->factor);
  thud_free(kinks->context, kinks->rhs);
  thud_free(kinks->context, kinks->move);
  thud_free(kinks->context, kinks->at);
  thud_free(kinks->context, kinks->side);
  thud_free(kinks->context, kinks->breaks);
  *kinks = (elastic_kinks){0};
}

/* ---- the banded matrix ------------------------------------------------------------------------------------------- */

static double entry(const elastic_kinks *kinks, thud_index i, thud_index j) {
  return i >= j ? kinks->K[i * (kinks->band + 1) + i - j] : kinks->K[j * (kinks->band + 1) + j - i];
}

static thud_index first_of(const elastic_kinks *kinks, thud_index i) { return i > kinks->band ? i - kinks->band : 0; }
static thud_index last_of(const elastic_kinks *kinks, thud_index i) {
  return i + kinks->band < kinks->n ? i + kinks->band : kinks->n - 1;
}

/* Row i of K times x; *size is the sum of the absolute terms. */
static double row_times(const elastic_kinks *kinks, thud_index i, const double *x, double *size) {
  double sum = 0;
  *size = 0;
  for (thud_index j = first_of(kinks, i); j <= last_of(kinks, i); j++) {
    double term = entry(kinks, i, j) * x[j];
    sum += term;
    *size += fabs(term);
  }
  return sum;
}

void thud_kinks_apply(const elastic_kinks *kinks, const double *x, double *y) {
  double size;
  for (thud_index i = 0; i < kinks->n; i++) y[i] = row_times(kinks, i, x, &size);
}

/* L D L' of K with the rows and columns at kinks replaced by those of the identity. */
static thud_error factorize(elastic_kinks *kinks) {
  thud_index width = kinks->band + 1;
  for (thud_index i = 0; i < kinks->n; i++) {
    bool fixed = kinks->side[i] == KINK_AT;
    double pivot = fixed ? 1 : entry(kinks, i, i);
    for (thud_index j = first_of(kinks, i); j < i; j++) {
      double sum = fixed || kinks->side[j] == KINK_AT ? 0 : entry(kinks, i, j);
      for (thud_index k = first_of(kinks, i); k < j; k++)
        if (k >= first_of(kinks, j))
          sum -= kinks->factor[(ptrdiff_t)i * width + i - k] * kinks->factor[(ptrdiff_t)k * width] *
                 kinks->factor[(ptrdiff_t)j * width + j - k];
      double lower = sum / kinks->factor[(ptrdiff_t)j * width];
      kinks->factor[i * width + i - j] = lower;
      pivot -= lower * lower * kinks->factor[(ptrdiff_t)j * width];
    }
    if (!(pivot > 0))
      return thud_fail(kinks->context, THUD_ERROR_NOT_SPD,
                       "[out-of-range] the stiffness is not positive at row %td: the cells differ too much in length",
                       (ptrdiff_t)i);
    kinks->factor[(ptrdiff_t)i * width] = pivot;
  }
  return THUD_OK;
}

static void back_substitute(const elastic_kinks *kinks, double *x) {
  thud_index width = kinks->band + 1;
  for (thud_index i = 0; i < kinks->n; i++)
    for (thud_index j = first_of(kinks, i); j < i; j++) x[i] -= kinks->factor[i * width + i - j] * x[j];
  for (thud_index i = 0; i < kinks->n; i++) x[i] /= kinks->factor[(ptrdiff_t)i * width];
  for (thud_index i = kinks->n; i-- > 0;)
    for (thud_index j = first_of(kinks, i); j < i; j++) x[j] -= kinks->factor[i * width + i - j] * x[i];
}

/* The reaction on a side. */
static double reaction_of(const elastic_kinks *kinks, const elastic_bounds *given, thud_index i) {
  return kinks->side[i] == KINK_ABOVE ? given->lower[i] : given->upper[i];
}

/* rhs = f + rho - K v in the rows off kinks, 0 in the others. */
static void residual(elastic_kinks *kinks, const elastic_bounds *given, const double *v) {
  double size;
  for (thud_index i = 0; i < kinks->n; i++)
    kinks->rhs[i] =
        kinks->side[i] == KINK_AT ? 0 : given->f[i] + reaction_of(kinks, given, i) - row_times(kinks, i, v, &size);
}

static thud_error solve_sides(elastic_kinks *kinks, const elastic_bounds *given, double *v, double *error_bound) {
  thud_error error = factorize(kinks);
  if (error != THUD_OK) return error;
  double correction = 0, size = 0;
  for (thud_index i = 0; i < kinks->n; i++) v[i] = kinks->side[i] == KINK_AT ? given->kink[i] : 0;
  /* The second solve refines; its correction is what rounding did to the first. */
  for (int pass = 0; pass < 2; pass++) {
    residual(kinks, given, v);
    back_substitute(kinks, kinks->rhs);
    correction = 0;
    for (thud_index i = 0; i < kinks->n; i++) {
      v[i] += kinks->rhs[i];
      correction = thud_larger(correction, fabs(kinks->rhs[i]));
      size = thud_larger(size, fabs(v[i]));
    }
  }
  *error_bound = kinks->rounding = 4 * correction + row_rounding * size;
  return THUD_OK;
}

/* ---- violations -------------------------------------------------------------------------------------------------- */

/* Reaction at a kink and by how much it leaves its bounds: > 0 above upper, < 0 below lower, 0 within rounding. */
static double reaction_excess(const elastic_kinks *kinks, const elastic_bounds *given, thud_index i, const double *v,
                              double *rho) {
  double size, sum = row_times(kinks, i, v, &size) - given->f[i];
  double tolerance = row_rounding * (size + fabs(given->f[i]));
  *rho = sum;
  if (sum > given->upper[i] + tolerance) return sum - given->upper[i];
  if (sum < given->lower[i] - tolerance) return sum - given->lower[i];
  return 0;
}

static bool is_kinked(const elastic_bounds *given, thud_index i) { return given->lower[i] < given->upper[i]; }

/* The side on which unknown i belongs after a solve, with the same meaning as elastic_kinks.side. */
static signed char side_wanted(const elastic_kinks *kinks, const elastic_bounds *given, thud_index i, const double *v,
                               double tolerance) {
  double rho, above = v[i] - given->kink[i];
  if (!is_kinked(given, i)) return KINK_ABOVE;
  if (kinks->side[i] == KINK_ABOVE) return above < -tolerance ? KINK_AT : KINK_ABOVE;
  if (kinks->side[i] == KINK_BELOW) return above > tolerance ? KINK_AT : KINK_BELOW;
  double excess = reaction_excess(kinks, given, i, v, &rho);
  return (signed char)(excess > 0 ? KINK_BELOW : excess < 0 ? KINK_ABOVE : KINK_AT);
}

/* Exchanges all violations; returns how many there were. */
static thud_index exchange(elastic_kinks *kinks, const elastic_bounds *given, const double *v, double tolerance) {
  thud_index violations = 0;
  for (thud_index i = 0; i < kinks->n; i++) {
    signed char wanted = side_wanted(kinks, given, i, v, tolerance);
    violations += wanted != kinks->side[i];
    kinks->side[i] = wanted;
  }
  return violations;
}

/* ---- descent ----------------------------------------------------------------------------------------------------- */

/* Sides and an admissible point near v. */
static void begin_descent(elastic_kinks *kinks, const elastic_bounds *given, const double *v, double tolerance) {
  for (thud_index i = 0; i < kinks->n; i++) {
    double above = v[i] - given->kink[i];
    kinks->at[i] = v[i];
    if (!is_kinked(given, i)) continue;
    bool up = above > tolerance && isfinite(given->lower[i]), down = above < -tolerance && isfinite(given->upper[i]);
    kinks->side[i] = (signed char)(up ? KINK_ABOVE : down ? KINK_BELOW : KINK_AT);
    if (!up && !down) kinks->at[i] = given->kink[i];
  }
}

static int compare_breaks(const void *a, const void *b) {
  const elastic_break *p = a, *q = b;
  if (p->t != q->t) return p->t < q->t ? -1 : 1;
  return (p->i > q->i) - (p->i < q->i);
}

/* The kinks that are crossed on the way from kinks->at to v, in their order. */
static size_t find_breaks(elastic_kinks *kinks, const elastic_bounds *given, const double *v) {
  size_t count = 0;
  for (thud_index i = 0; i < kinks->n; i++) {
    if (kinks->side[i] == KINK_AT || !is_kinked(given, i)) continue;
    double before = kinks->side[i] * (kinks->at[i] - given->kink[i]), after = kinks->side[i] * (v[i] - given->kink[i]);
    if (!(after < 0)) continue;
    kinks->breaks[count++] = (elastic_break){.t = before <= 0 ? 0 : before / (before - after), .i = i};
  }
  qsort(kinks->breaks, count, sizeof *kinks->breaks, compare_breaks);
  return count;
}

/* Minimum of the objective on the way to v: its slope is -(1-t) move.K move plus the jumps at the kinks crossed. Returns
 * true when v itself was reached without crossing any. */
static bool search_line(elastic_kinks *kinks, const elastic_bounds *given, const double *v) {
  size_t count = find_breaks(kinks, given, v), k = 0;
  double curvature = 0, jumps = 0, size, t = 1;
  for (thud_index i = 0; i < kinks->n; i++) kinks->move[i] = v[i] - kinks->at[i];
  for (thud_index i = 0; i < kinks->n; i++) curvature += kinks->move[i] * row_times(kinks, i, kinks->move, &size);
  thud_index stopped = -1;
  for (; k < count && stopped < 0; k++) {
    thud_index i = kinks->breaks[k].i;
    double slope = -(1 - kinks->breaks[k].t) * curvature + jumps;
    if (slope >= 0) break;
    jumps += (given->upper[i] - given->lower[i]) * fabs(kinks->move[i]);
    t = kinks->breaks[k].t;
    if (-(1 - t) * curvature + jumps >= 0)
      stopped = i;
    else
      kinks->side[i] = (signed char)-kinks->side[i];
  }
  if (stopped < 0) t = count == 0 ? 1 : 1 - jumps / curvature;
  for (thud_index i = 0; i < kinks->n; i++) kinks->at[i] += t * kinks->move[i];
  if (stopped >= 0) kinks->side[stopped] = KINK_AT, kinks->at[stopped] = given->kink[stopped];
  return count == 0;
}

/* Lets go the kink whose reaction leaves its bounds furthest; false: none does. */
static bool release_worst(elastic_kinks *kinks, const elastic_bounds *given, const double *v) {
  double worst = 0, rho;
  thud_index where = -1;
  for (thud_index i = 0; i < kinks->n; i++) {
    if (kinks->side[i] != KINK_AT) continue;
    double excess = reaction_excess(kinks, given, i, v, &rho);
    if (fabs(excess) > fabs(worst)) worst = excess, where = i;
  }
  if (where < 0) return false;
  kinks->side[where] = (signed char)(worst > 0 ? KINK_BELOW : KINK_ABOVE);
  return true;
}

static thud_error descend(elastic_kinks *kinks, const elastic_bounds *given, double *v, double tolerance,
                          thud_line_info *info) {
  thud_error error = THUD_OK;
  long most = 100 + 20 * (long)kinks->n;
  begin_descent(kinks, given, v, tolerance);
  for (long k = 0; k < most && error == THUD_OK && !info->solved; k++) {
    error = solve_sides(kinks, given, v, &tolerance);
    info->solves++;
    info->descents++;
    if (error == THUD_OK && search_line(kinks, given, v)) info->solved = !release_worst(kinks, given, v);
  }
  return error;
}

/* ---- from exchanges to descent ----------------------------------------------------------------------------------- */

static thud_error solve_kinks(elastic_kinks *kinks, const elastic_bounds *given, double *v, double *rho,
                              thud_line_info *info) {
  thud_index best = kinks->n + 1;
  double tolerance = 0;
  thud_error error = THUD_OK;
  *info = (thud_line_info){0};
  for (thud_index i = 0; i < kinks->n; i++)
    if (!is_kinked(given, i)) kinks->side[i] = KINK_ABOVE;
  for (int waited = 0; waited <= PATIENCE && error == THUD_OK && !info->solved; waited++) {
    error = solve_sides(kinks, given, v, &tolerance);
    if (error != THUD_OK) return error;
    info->solves++;
    thud_index violations = exchange(kinks, given, v, tolerance);
    info->solved = violations == 0;
    if (violations < best) best = violations, waited = 0;
  }
  if (!info->solved) error = descend(kinks, given, v, tolerance, info);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < kinks->n; i++) {
    if (kinks->side[i] == KINK_AT)
      (void)reaction_excess(kinks, given, i, v, &rho[i]);
    else
      rho[i] = reaction_of(kinks, given, i);
    rho[i] = fmax(given->lower[i], fmin(given->upper[i], rho[i]));
  }
  return THUD_OK;
}

/* ---- which nodes slip -------------------------------------------------------------------------------------------- */

/* Which nodes slip in a step of friction is found in one pass over the chain of cells.
 *
 * In terms of the tensions N_c of the cells the step is a projection,
 *   min sum (h_c/2k) (N_c - a_c)^2,   |N_c - N_{c+1} - f_j| <= b_j at the node j between cells c and c+1,
 * a_c: the tension of the displacements before with the new end values. Dynamic programming over the cells: F_c(N), the least
 * sum of the cells up to c that ends with N_c = N, is convex and piecewise quadratic; F_{c+1} is F_c cut open at its minimum
 * z_c, moved apart by 2 b_j, plus a square. The slope of F_c is kept as two stacks of breaks, left and right of z_c, whose
 * places move with their stack. Backwards, N_c is z_c or the nearest tension that N_{c+1} allows: there the node slips. */

typedef struct slip_stack {
  elastic_slip_break *items;
  thud_index count;
  double moved; /* of all places */
} slip_stack;

typedef struct slip_chain {
  slip_stack left, right;
  double z;     /* the minimum of F */
  double curve; /* second derivative of F there */
} slip_chain;

static void push(slip_stack *stack, double place, double more) {
  stack->items[stack->count++] = (elastic_slip_break){.place = place - stack->moved, .more = more};
}

/* F becomes min of F over [N + f - b, N + f + b]. */
static void cut_open(slip_chain *chain, double f, double b) {
  if (b > 0) {
    push(&chain->left, chain->z, chain->curve);
    push(&chain->right, chain->z, chain->curve);
    chain->curve = 0;
  }
  chain->left.moved -= f + b;
  chain->right.moved -= f - b;
  chain->z -= f;
}

/* While z lies beyond the next break of `from`, that break changes its stack; toward: -1 for the left one. */
static void cross(slip_chain *chain, slip_stack *from, slip_stack *to, double toward) {
  while (from->count > 0) {
    const elastic_slip_break next = from->items[from->count - 1];
    double place = next.place + from->moved;
    if (toward * (chain->z - place) <= 0) return;
    double slope = chain->curve * (place - chain->z);
    from->count--;
    push(to, place, -next.more);
    chain->curve += next.more;
    chain->z = place - slope / chain->curve;
  }
}

/* F gets w (N - a)^2/2 more. */
static void add_square(slip_chain *chain, double w, double a) {
  chain->z = (chain->curve * chain->z + w * a) / (chain->curve + w);
  chain->curve += w;
  cross(chain, &chain->left, &chain->right, -1);
  cross(chain, &chain->right, &chain->left, 1);
}

static void find_slip(thud_line *line, const double *f, const double *bound, const double ends[2],
                      const double *before) {
  thud_index cells = line->n - 1;
  double *z = line->work, N = 0;
  slip_chain chain = {.left = {.items = line->slip}, .right = {.items = line->slip + 2 * (ptrdiff_t)line->n}};
  for (thud_index c = 0; c < cells; c++) {
    double from = c == 0 ? ends[0] : before[c], to = c + 1 == cells ? ends[1] : before[c + 1];
    double w = (line->x[c + 1] - line->x[c]) / line->extension;
    if (c > 0) cut_open(&chain, f[c], bound[c]);
    add_square(&chain, w, (to - from) / w);
    z[c] = chain.z;
  }
  N = z[cells - 1];
  for (thud_index c = cells - 1; c-- > 0;) {
    double b = bound[c + 1], low = N + f[c + 1] - b, high = N + f[c + 1] + b;
    N = z[c] <= low ? low : z[c] >= high ? high : z[c];
    line->longitudinal.side[c + 1] = (signed char)(N == low ? KINK_ABOVE : N == high ? KINK_BELOW : KINK_AT);
  }
}

/* The two problems of a line: over an obstacle, and one step of friction. */

/* ---- the obstacle problem ---------------------------------------------------------------------------------------- */

/* An end lies on the obstacle rather than below it when it is this close, relative to both. */
static const double end_tolerance = 1e-12;

static thud_error check_obstacle(const thud_line *line, const double *forces, const double *psi, const double ends[2]) {
  for (thud_index i = 0; i < line->n * line->per_node; i++)
    if (!isfinite(forces[i]))
      return thud_fail(line->context, THUD_ERROR_NOT_FINITE, "transverse force %td is not finite", (ptrdiff_t)i);
  for (thud_index i = 0; i < line->n; i++)
    if (!(psi[i] < INFINITY))
      return thud_fail(line->context, THUD_ERROR_NOT_FINITE,
                       "the obstacle at node %td is not a number (-infinity: no obstacle)", (ptrdiff_t)i);
  for (int e = 0; e < 2; e++) {
    double below = psi[e == 0 ? 0 : line->n - 1];
    if (!isfinite(ends[e])) return thud_fail(line->context, THUD_ERROR_NOT_FINITE, "an end value of v is not finite");
    if (ends[e] < below - end_tolerance * (fabs(below) + fabs(ends[e])))
      return thud_fail(
          line->context, THUD_ERROR_ARGUMENT,
          "[obstacle-above-edge] the %s end is held at v = %g, below the obstacle at %g: no displacement is admissible",
          e == 0 ? "left" : "right", ends[e], below);
  }
  return THUD_OK;
}

/* Node i of a line: given at the ends, v >= psi inside, free where there is no obstacle. */
static void pose_obstacle(thud_line *line, const double *psi, const double ends[2]) {
  for (thud_index i = 0; i < line->n; i++) {
    thud_index at = i * line->per_node;
    bool end = i == 0 || i == line->n - 1;
    line->kink[at] = end ? ends[i != 0] : isfinite(psi[i]) ? psi[i] : 0;
    line->lower[at] = end ? -INFINITY : 0;
    line->upper[at] = end || isfinite(psi[i]) ? INFINITY : 0;
    line->transverse.side[at] = end ? KINK_AT : KINK_ABOVE;
    if (line->per_node == 1) continue;
    line->kink[at + 1] = line->lower[at + 1] = line->upper[at + 1] = 0;
    line->transverse.side[at + 1] = KINK_ABOVE;
  }
}

/* A string over an obstacle is the free string w plus the least concave function above psi - w that vanishes at the ends:
 * the corners of that upper hull are the nodes with s > 0. One pass over the nodes. */
static void touch_hull(thud_line *line, const double *w) {
  thud_index count = 0;
  for (thud_index i = 0; i < line->n; i++) {
    bool end = i == 0 || i == line->n - 1;
    if (!end && !(line->upper[i] > 0)) continue;
    double height = end ? 0 : line->kink[i] - w[i];
    for (; count >= 2; count--) {
      thud_index a = line->chain[count - 2], b = line->chain[count - 1];
      double from_a = (height - line->work[a]) * (line->x[b] - line->x[a]);
      if (from_a < (line->work[b] - line->work[a]) * (line->x[i] - line->x[a])) break;
    }
    line->work[i] = height;
    line->chain[count++] = i;
  }
  for (thud_index k = 0; k < count; k++) line->transverse.side[line->chain[k]] = KINK_AT;
}

static bool any_loaded(const thud_line *line, const double *s) {
  for (thud_index i = 0; s != NULL && i < line->n; i++)
    if (s[i] > 0) return true;
  return false;
}

/* A beam begins with the nodes that touched before. */
static void touch_again(thud_line *line, const double *s_before) {
  for (thud_index i = 0; i < line->n; i++) {
    thud_index at = i * line->per_node;
    if (line->upper[at] > 0 && s_before[i] > 0) line->transverse.side[at] = KINK_AT;
  }
}

/* The obstacle acts on every stride-th node only; begins with those of twice the stride that touch, and with the nodes between
 * two such neighbours. */
static void pose_some(thud_line *line, const double *psi, thud_index stride) {
  signed char *side = line->transverse.side;
  for (thud_index i = 1; i + 1 < line->n; i++) {
    thud_index at = 2 * i, step = 2 * stride;
    bool acts = isfinite(psi[i]) && i % stride == 0;
    line->upper[at] = acts ? INFINITY : 0;
    if (!acts || i % step == 0) continue;
    bool before = i > stride && side[at - step] == KINK_AT,
         after = i + stride < line->n - 1 && side[at + step] == KINK_AT;
    side[at] = (signed char)(before && after ? KINK_AT : KINK_ABOVE);
  }
}

/* A beam that touched nowhere: the problem with the obstacle on ever more nodes, each begun with the contacts of the one
 * before, until only every node is left. A whole set from nowhere would have to be found one by one. */
static thud_error touch_by_levels(thud_line *line, const elastic_bounds *given, const double *psi,
                                  thud_line_info *spent) {
  enum { COARSEST = 16 };
  thud_index stride = 1;
  thud_error error = THUD_OK;
  while (line->n / stride > COARSEST) stride *= 2;
  for (; stride > 1 && error == THUD_OK; stride /= 2) {
    thud_line_info info;
    pose_some(line, psi, stride);
    error = solve_kinks(&line->transverse, given, line->work, line->reaction, &info);
    if (error != THUD_OK) break;
    spent->solves += info.solves;
    spent->descents += info.descents;
  }
  pose_some(line, psi, 1);
  return error;
}

/* Takes all nodes for touching that are less than `height` above the obstacle; returns how many do not count as such yet. */
static thud_index touch_below(thud_line *line, double height) {
  elastic_kinks *kinks = &line->transverse;
  thud_index count = 0;
  for (thud_index i = 1; i + 1 < line->n; i++) {
    thud_index at = 2 * i;
    if (kinks->side[at] == KINK_AT || !(line->upper[at] > 0) || !(line->work[at] - line->kink[at] < height)) continue;
    kinks->side[at] = KINK_AT;
    count++;
  }
  return count;
}

/* Where a beam lies on its obstacle, rounding alone says of many nodes that they do not touch, for a force that would be
 * felt hardly moves them. All of them are taken for touching, once, and those that would be pulled let go again; then, a few
 * times, those that are below the obstacle by what rounding allows. */
static thud_error touch_within_rounding(thud_line *line, const elastic_bounds *given, thud_line_info *spent) {
  enum { MOST_TIMES = 12 };
  double height = line->transverse.rounding;
  for (int k = 0; k < MOST_TIMES && touch_below(line, height) > 0; k++) {
    thud_line_info info;
    thud_error error = solve_kinks(&line->transverse, given, line->work, line->reaction, &info);
    if (error != THUD_OK) return error;
    info.solves += spent->solves;
    info.descents += spent->descents;
    *spent = info;
    height = 0;
  }
  return THUD_OK;
}

thud_error thud_line_obstacle_from(thud_line *line, const thud_line_data *data, const double *s_before, double *v,
                                   double *s, thud_line_info *info) {
  double rounding;
  thud_line_info spent = {0};
  thud_error error = check_obstacle(line, data->transverse, data->psi, data->v_ends);
  if (error != THUD_OK) return error;
  pose_obstacle(line, data->psi, data->v_ends);
  const elastic_bounds given = {.f = data->transverse, .kink = line->kink, .lower = line->lower, .upper = line->upper};
  if (line->kind == THUD_LINE_STRING) {
    error = solve_sides(&line->transverse, &given, line->reaction, &rounding);
    if (error == THUD_OK) touch_hull(line, line->reaction);
  } else if (any_loaded(line, s_before)) {
    touch_again(line, s_before);
  } else {
    error = touch_by_levels(line, &given, data->psi, &spent);
  }
  if (error != THUD_OK) return error;
  error = solve_kinks(&line->transverse, &given, line->work, line->reaction, info);
  if (error == THUD_OK && line->kind == THUD_LINE_BEAM && info->solved)
    error = touch_within_rounding(line, &given, info);
  if (error != THUD_OK) return error;
  info->solves += spent.solves;
  info->descents += spent.descents;
  memcpy(v, line->work, (size_t)(line->n * line->per_node) * sizeof *v);
  for (thud_index i = 0; i < line->n; i++) {
    bool end = i == 0 || i == line->n - 1;
    s[i] = end ? 0 : line->reaction[(ptrdiff_t)i * line->per_node];
    info->active += !end && line->transverse.side[(ptrdiff_t)i * line->per_node] == KINK_AT;
  }
  return THUD_OK;
}

thud_error thud_line_solve_obstacle(thud_line *line, const double *forces, const double *psi, const double ends[2],
                                    double *v, double *s, thud_line_info *info) {
  THUD_REQUIRE_OF(line, line->x, forces, psi, ends, v, s);
  const thud_line_data data = {
      .v_ends = {ends[0], ends[1]}, .transverse = (double *)forces, .psi = (double *)psi}; /* only read */
  thud_line_info found;
  thud_error error = thud_line_obstacle_from(line, &data, NULL, v, s, &found);
  if (error == THUD_OK && info != NULL) *info = found;
  return error;
}

/* ---- a step of friction ------------------------------------------------------------------------------------------ */

static thud_error check_friction(const thud_line *line, const double *forces, const double *bound, const double ends[2],
                                 const double *before) {
  for (thud_index i = 0; i < line->n; i++) {
    bool end = i == 0 || i == line->n - 1;
    if (!isfinite(forces[i]) || !isfinite(before[i]))
      return thud_fail(line->context, THUD_ERROR_NOT_FINITE, "force %g or displacement %g of node %td is not finite",
                       forces[i], before[i], (ptrdiff_t)i);
    if (!end && (!(bound[i] >= 0) || !isfinite(bound[i])))
      return thud_fail(line->context, THUD_ERROR_ARGUMENT,
                       "[out-of-range] the bound %g of friction at node %td must be >= 0", bound[i], (ptrdiff_t)i);
  }
  if (!isfinite(ends[0]) || !isfinite(ends[1]))
    return thud_fail(line->context, THUD_ERROR_NOT_FINITE, "an end value of u is not finite");
  return THUD_OK;
}

static void pose_friction(thud_line *line, const double *bound, const double ends[2], const double *before) {
  for (thud_index i = 0; i < line->n; i++) {
    bool end = i == 0 || i == line->n - 1;
    line->kink[i] = end ? ends[i != 0] : before[i];
    line->upper[i] = end ? INFINITY : bound[i];
    line->lower[i] = -line->upper[i];
    line->longitudinal.side[i] = KINK_AT;
  }
}

thud_error thud_line_solve_friction(thud_line *line, const double *forces, const double *bound, const double ends[2],
                                    const double *before, double *u, double *r, thud_line_info *info) {
  THUD_REQUIRE_OF(line, line->x, forces, bound, ends, before, u, r);
  thud_line_info found;
  thud_error error = check_friction(line, forces, bound, ends, before);
  if (error != THUD_OK) return error;
  pose_friction(line, bound, ends, before);
  find_slip(line, forces, bound, ends, before);
  const elastic_bounds given = {.f = forces, .kink = line->kink, .lower = line->lower, .upper = line->upper};
  error = solve_kinks(&line->longitudinal, &given, line->work, line->reaction, &found);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < line->n; i++) {
    bool end = i == 0 || i == line->n - 1;
    found.active += !end && bound[i] > 0 && line->longitudinal.side[i] == KINK_AT;
    u[i] = line->work[i];
    r[i] = end ? 0 : line->reaction[i];
  }
  if (info != NULL) *info = found;
  return THUD_OK;
}
