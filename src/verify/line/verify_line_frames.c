/* Frames of a string or beam: times, obstacle, equilibrium, friction. */
#include "verify/line/verify_line.h"

#include <float.h>
#include <math.h>

static const double SAME_TIME = 1e-9; /* of a step */

const double *thud_verify_line_before(const verify_line_motion *m, size_t k) {
  if (m->stop[k] == 0) return m->line->initial;
  return k > 0 && m->stop[k] == m->stop[k - 1] + 1 ? m->u + (k - 1) * m->line->n : NULL;
}

/* ---- structure --------------------------------------------------------------------------------------------------------- */

static bool all_finite(size_t n, const double *x) {
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

static void check_numbers(const verify_line_motion *m, size_t k, thud_verify_check *check) {
  size_t n = m->line->n;
  bool finite = isfinite(m->t[k]) && all_finite(n, m->u + k * n) && all_finite(n, m->v + k * n) &&
                all_finite(n, m->s + k * n) && all_finite(n, m->r + k * n) && isfinite(m->variation[k]) &&
                all_finite(VERIFY_LINE_LEDGER, m->ledger + k * VERIFY_LINE_LEDGER);
  if (!finite) thud_verify_fail(check, m->t[k], k, "a number of this frame is NaN or infinite");
}

void thud_verify_line_structure(verify_line_motion *m, bool finished, thud_verify_check *check) {
  const verify_line *line = m->line;
  double slack = SAME_TIME * (line->scene.end - line->scene.start) / line->scene.steps;
  size_t next = 0, last = m->count - 1;
  for (size_t k = 0; k < m->count; k++) {
    check_numbers(m, k, check);
    while (next < line->stop_count &&
           !(fabs(line->stops[next].t - m->t[k]) <= slack && line->stops[next].side == m->side[k]))
      next++;
    if (next == line->stop_count) {
      thud_verify_fail(check, m->t[k], k, "this time and side belong to no step of the run, or come too late");
      return;
    }
    m->stop[k] = next++;
    if (m->complete && m->stop[k] != k) thud_verify_fail(check, m->t[k], k, "frames are missing before this one");
  }
  if (m->stop[0] != 0) thud_verify_fail(check, m->t[0], 0, "the first frame is not the start");
  if (finished && m->stop[last] + 1 != line->stop_count)
    thud_verify_fail(check, m->t[last], last, "the last frame is not the end, t = %.10g", line->scene.end);
  if (check->status == THUD_VERIFY_PASSED) thud_verify_explain(check, "%zu frames", m->count);
}

/* ---- ends, obstacle ------------------------------------------------------------------------------------------------------ */

static double value_at(const verify_line_motion *m, size_t k, size_t value) {
  const verify_scene *scene = &m->line->scene;
  return thud_verify_value_at(scene, &scene->values[value], m->t[k], verify_line_side(m, k));
}

static double size_of(size_t n, const double *x) {
  double size = 0;
  for (size_t i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
  return size;
}

void thud_verify_line_ends(const verify_line_motion *m, thud_verify_check *check) {
  size_t n = m->line->n;
  for (size_t k = 0; k < m->count; k++)
    for (size_t e = 0; e < 2; e++) {
      size_t at = k * n + (e == 0 ? 0 : n - 1);
      double v = value_at(m, k, VERIFY_LINE_V_LEFT + e), u = value_at(m, k, VERIFY_LINE_U_LEFT + e);
      thud_verify_tally(check, fabs(m->v[at] - v), 4 * DBL_EPSILON * fabs(v), 0, m->t[k], k);
      thud_verify_tally(check, fabs(m->u[at] - u), 4 * DBL_EPSILON * fabs(u), 0, m->t[k], k);
      if (m->s[at] != 0 || m->r[at] != 0) thud_verify_fail(check, m->t[k], k, "an end has a reaction");
    }
}

/* The height over the obstacle at node i; INFINITY: there is none. */
static double gap_at(const verify_line_motion *m, size_t k, size_t i, double lift) {
  return m->v[k * m->line->n + i] - (m->line->obstacle[i] + lift);
}

static double gap_rounding(const verify_line_motion *m, size_t k, double load) {
  const verify_line *line = m->line;
  return thud_verify_line_rounding(line, line->beam, line->stiffness, load, m->v + k * line->n).whole;
}

void thud_verify_line_gaps(const verify_line_motion *m, thud_verify_check *check) {
  size_t n = m->line->n;
  for (size_t k = 0; k < m->count; k++) {
    double lift = value_at(m, k, VERIFY_LINE_LIFT), load = 0;
    for (size_t i = 0; i < n; i++) load += m->s[k * n + i];
    double tolerance = gap_rounding(m, k, load);
    for (size_t i = 0; i < n; i++) {
      double gap = gap_at(m, k, i, lift);
      if (gap < INFINITY) thud_verify_tally(check, fmax(0, -gap), tolerance, 0, m->t[k], k);
    }
  }
}

/* s >= 0, and 0 where the line does not touch: there v is the obstacle but for the rounding of their sum. */
void thud_verify_line_law(const verify_line_motion *m, thud_verify_check *check) {
  const verify_line *line = m->line;
  for (size_t k = 0; k < m->count; k++) {
    double lift = value_at(m, k, VERIFY_LINE_LIFT);
    for (size_t i = 0; i < line->n; i++) {
      double s = m->s[k * line->n + i];
      if (!(s >= 0)) thud_verify_fail(check, m->t[k], k, "the obstacle pulls at node %zu", i);
      if (!(s > 0)) continue;
      double size = fabs(lift) + (isfinite(line->obstacle[i]) ? fabs(line->obstacle[i]) : 0);
      if (thud_verify_tally(check, fabs(gap_at(m, k, i, lift)), 4 * DBL_EPSILON * size, 0, m->t[k], k))
        thud_verify_explain(check, "node %zu is loaded and must touch", i);
    }
  }
}

/* ---- equilibrium ----------------------------------------------------------------------------------------------------------- */

/* The displacement w[n] of the record beside the one that loads and forces make: as a whole, and kink by kink. */
static void compare_shapes(verify_line_motion *m, size_t k, bool along, thud_verify_check *check) {
  const verify_line *line = m->line;
  bool bending = line->beam && !along;
  double stiffness = along ? line->extension : line->stiffness, *own = m->work;
  const double *w = (along ? m->u : m->v) + k * line->n, *forces = (along ? m->r : m->s) + k * line->n;
  const double ends[2] = {w[0], w[line->n - 1]};
  thud_verify_line_loads(line, along, m->t[k], verify_line_side(m, k), &m->cells);
  double load = m->cells.size;
  for (size_t i = 0; i < line->n; i++) load += fabs(forces[i]);
  thud_verify_line_shape(line, bending, stiffness, &m->cells, forces, ends, own);
  verify_line_rounding rounding = thud_verify_line_rounding(line, bending, stiffness, load, w);
  for (size_t i = 1; i + 1 < line->n; i++) {
    double left = line->x[i] - line->x[i - 1], right = line->x[i + 1] - line->x[i], off = w[i] - own[i];
    double kink = (w[i + 1] - own[i + 1] - off) / right - (off - w[i - 1] + own[i - 1]) / left;
    if (thud_verify_tally(check, fabs(off), rounding.whole, 0, m->t[k], k) ||
        thud_verify_tally(check, fabs(kink) * fmin(left, right),
                          rounding.kink + rounding.curve * fmin(left, right) * (left + right) / 2, 0, m->t[k], k))
      thud_verify_explain(check, "%s, node %zu", along ? "longitudinal" : "transverse", i);
  }
}

void thud_verify_line_equilibrium(verify_line_motion *m, thud_verify_check *check) {
  for (size_t k = 0; k < m->count; k++) {
    compare_shapes(m, k, false, check);
    compare_shapes(m, k, true, check);
  }
}

/* ---- friction ---------------------------------------------------------------------------------------------------------------- */

/* |r| <= mu s; r = -mu s sign(du) where the node moves beyond rounding, and du = 0 where r is less than its bound. */
static void check_slip(const verify_line_motion *m, size_t k, const double *before, double rounding,
                       thud_verify_check *check) {
  size_t n = m->line->n;
  for (size_t i = 1; i + 1 < n; i++) {
    double bound = m->line->mu * m->s[k * n + i], r = m->r[k * n + i], u = m->u[k * n + i];
    double tolerance = 4 * DBL_EPSILON * bound, moved = before != NULL ? u - before[i] : 0;
    thud_verify_tally(check, fmax(0, fabs(r) - bound), tolerance, 0, m->t[k], k);
    if (!(bound > 0) || before == NULL) continue;
    bool slips = fabs(moved) > rounding;
    if (slips && thud_verify_tally(check, fabs(r + copysign(bound, moved)), tolerance, 0, m->t[k], k))
      thud_verify_explain(check, "node %zu slips", i);
    if (!slips && fabs(r) < bound - tolerance &&
        thud_verify_tally(check, fabs(moved), 4 * DBL_EPSILON * fabs(u), 0, m->t[k], k))
      thud_verify_explain(check, "node %zu moves although it sticks", i);
  }
}

void thud_verify_line_friction(const verify_line_motion *m, thud_verify_check *check) {
  const verify_line *line = m->line;
  for (size_t k = 0; k < m->count; k++) {
    const double *before = thud_verify_line_before(m, k), *u = m->u + k * line->n;
    double size = before != NULL ? size_of(line->n, before) : 0, load = 0;
    for (size_t i = 0; i < line->n; i++) load += fabs(m->r[k * line->n + i]);
    double rounding = thud_verify_line_rounding(line, false, line->extension, load, u).whole;
    check_slip(m, k, before, rounding + 16 * DBL_EPSILON * size, check);
  }
}
