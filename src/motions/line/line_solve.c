/* The two problems of a line: over an obstacle, and one step of friction. */
#include "base/base.h"
#include "motions/line/line.h"

#include <math.h>
#include <string.h>

/* ---- the obstacle --------------------------------------------------------------------------------------------------------- */

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
      return thud_fail(line->context, THUD_ERROR_ARGUMENT,
                       "the %s end is held at v = %g, below the obstacle at %g: no displacement is admissible",
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
    error = thud_kinks_solve(&line->transverse, given, line->work, line->reaction, &info);
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
    thud_error error = thud_kinks_solve(&line->transverse, given, line->work, line->reaction, &info);
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
    error = thud_kinks_solve_sides(&line->transverse, &given, line->reaction, &rounding);
    if (error == THUD_OK) touch_hull(line, line->reaction);
  } else if (any_loaded(line, s_before)) {
    touch_again(line, s_before);
  } else {
    error = touch_by_levels(line, &given, data->psi, &spent);
  }
  if (error != THUD_OK) return error;
  error = thud_kinks_solve(&line->transverse, &given, line->work, line->reaction, info);
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

/* ---- friction --------------------------------------------------------------------------------------------------------------- */

static thud_error check_friction(const thud_line *line, const double *forces, const double *bound, const double ends[2],
                                 const double *before) {
  for (thud_index i = 0; i < line->n; i++) {
    bool end = i == 0 || i == line->n - 1;
    if (!isfinite(forces[i]) || !isfinite(before[i]))
      return thud_fail(line->context, THUD_ERROR_NOT_FINITE, "force %g or displacement %g of node %td is not finite",
                       forces[i], before[i], (ptrdiff_t)i);
    if (!end && (!(bound[i] >= 0) || !isfinite(bound[i])))
      return thud_fail(line->context, THUD_ERROR_ARGUMENT, "the bound %g of friction at node %td must be >= 0",
                       bound[i], (ptrdiff_t)i);
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
  thud_line_find_slip(line, forces, bound, ends, before);
  const elastic_bounds given = {.f = forces, .kink = line->kink, .lower = line->lower, .upper = line->upper};
  error = thud_kinks_solve(&line->longitudinal, &given, line->work, line->reaction, &found);
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
