/* A recorded string or beam: from its file to a list of checks. Frames, atoms of the reaction, ledger, summary. */
#include "verify/line/verify_line.h"
#include "verify/verify_channels.h"
#include "verify/verify_summary.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The checks in their order. */
enum { STRUCTURE, ENDS, GAP, LAW, EQUILIBRIUM, FRICTION, VARIATION, ENERGY, EVENTS, SUMMARY, REFINEMENT, FINISHED };

/* ---- frames of a string or beam ---------------------------------------------------------------------------------- */

/* Frames of a string or beam: times, obstacle, equilibrium, friction. */

static const double SAME_TIME = 1e-9; /* of a step */

static const double *line_before(const verify_line_motion *m, size_t k) {
  if (m->stop[k] == 0) return m->line->initial;
  return k > 0 && m->stop[k] == m->stop[k - 1] + 1 ? m->u + (k - 1) * m->line->n : NULL;
}

/* ---- structure --------------------------------------------------------------------------------------------------------- */

static void check_numbers(const verify_line_motion *m, size_t k, thud_verify_check *check) {
  size_t n = m->line->n;
  bool finite = isfinite(m->t[k]) && thud_verify_all_finite(n, m->u + k * n) &&
                thud_verify_all_finite(n, m->v + k * n) && thud_verify_all_finite(n, m->s + k * n) &&
                thud_verify_all_finite(n, m->r + k * n) && isfinite(m->variation[k]) &&
                thud_verify_all_finite(VERIFY_LINE_LEDGER, m->ledger + k * VERIFY_LINE_LEDGER);
  if (!finite) thud_verify_fail(check, m->t[k], k, "a number of this frame is NaN or infinite");
}

static void line_structure(verify_line_motion *m, bool finished, thud_verify_check *check) {
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

static void line_ends(const verify_line_motion *m, thud_verify_check *check) {
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

/* The obstacle at node i without its lift; -INFINITY: there is none. */
static double obstacle_at(const verify_line_motion *m, size_t k, size_t i) {
  const verify_line *line = m->line;
  if (!line->rests) return -(double)INFINITY;
  return thud_verify_line_field(line, &line->obstacle, i, m->t[k], verify_line_side(m, k));
}

/* The height over the obstacle at node i; INFINITY: there is none. */
static double gap_at(const verify_line_motion *m, size_t k, size_t i, double lift) {
  return m->v[k * m->line->n + i] - (obstacle_at(m, k, i) + lift);
}

static double gap_rounding(const verify_line_motion *m, size_t k, double load) {
  const verify_line *line = m->line;
  return thud_verify_line_rounding(line, line->beam, line->stiffness, load, m->v + k * line->n).whole;
}

static void line_gaps(const verify_line_motion *m, thud_verify_check *check) {
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
static void line_law(const verify_line_motion *m, thud_verify_check *check) {
  const verify_line *line = m->line;
  for (size_t k = 0; k < m->count; k++) {
    double lift = value_at(m, k, VERIFY_LINE_LIFT);
    for (size_t i = 0; i < line->n; i++) {
      double s = m->s[k * line->n + i];
      if (!(s >= 0)) thud_verify_fail(check, m->t[k], k, "the obstacle pulls at node %zu", i);
      if (!(s > 0)) continue;
      double size = fabs(lift) + (line->rests ? fabs(obstacle_at(m, k, i)) : 0);
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

static void line_equilibrium(verify_line_motion *m, thud_verify_check *check) {
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

static void line_friction(const verify_line_motion *m, thud_verify_check *check) {
  const verify_line *line = m->line;
  for (size_t k = 0; k < m->count; k++) {
    const double *before = line_before(m, k), *u = m->u + k * line->n;
    double size = before != NULL ? size_of(line->n, before) : 0, load = 0;
    for (size_t i = 0; i < line->n; i++) load += fabs(m->r[k * line->n + i]);
    double rounding = thud_verify_line_rounding(line, false, line->extension, load, u).whole;
    check_slip(m, k, before, rounding + 16 * DBL_EPSILON * size, check);
  }
}

/* ---- the reaction of an obstacle as a measure -------------------------------------------------------------------- */

/* The reaction of an obstacle as a measure: the checker's own way to the atoms, by the rule of thud/elastic.h. Zones are
 * listed first, each with the nodes that belong to it, then every zone gives its atoms. */

typedef struct atom_finder {
  const verify_line *line;
  const double *s;
  double least;
  size_t ends; /* nodes at an end of a zone: 1, of beams 5 */
  double *atoms;
  size_t count;
} atom_finder;

static double cell(const atom_finder *f, size_t i) {
  const double *x = f->line->x;
  size_t n = f->line->n;
  return ((i + 1 < n ? x[i + 1] : x[i]) - (i > 0 ? x[i - 1] : x[i])) / 2;
}

static bool loaded(const atom_finder *f, size_t i) { return f->s[i] > f->least; }
static double per_length(const atom_finder *f, size_t i) { return f->s[i] / cell(f, i); }

/* The value with as many below as above it, from..to, by counting. */
static double middle_value(const atom_finder *f, size_t from, size_t to) {
  size_t count = to - from + 1;
  double low = NAN, high = NAN;
  for (size_t i = from; i <= to; i++) {
    size_t below = 0, same = 0;
    for (size_t j = from; j <= to; j++) {
      below += per_length(f, j) < per_length(f, i);
      same += per_length(f, j) == per_length(f, i);
    }
    if (below <= (count - 1) / 2 && (count - 1) / 2 < below + same) low = per_length(f, i);
    if (below <= count / 2 && count / 2 < below + same) high = per_length(f, i);
  }
  return (low + high) / 2;
}

static void put(atom_finder *f, double x, double force) {
  f->atoms[2 * f->count] = x;
  f->atoms[2 * f->count++ + 1] = force;
}

/* Last of the loaded neighbours that begin with i. */
static size_t end_of(const atom_finder *f, size_t i) {
  while (i + 1 < f->line->n && loaded(f, i + 1)) i++;
  return i;
}

static bool is_zone(const atom_finder *f, size_t first, size_t last) { return last - first >= 2 * f->ends; }

static void put_point(atom_finder *f, size_t first, size_t last) {
  double force = 0, moment = 0;
  for (size_t i = first; i <= last; i++) {
    force += f->s[i];
    moment += f->s[i] * (f->line->x[i] - f->line->x[first]);
  }
  put(f, f->line->x[first] + moment / force, force);
}

/* ---- inside zones -------------------------------------------------------------------------------------------------------- */

static double around(const atom_finder *f, size_t first, size_t last, size_t i) {
  size_t reach = 3 * f->ends;
  return middle_value(f, i > first + reach ? i - reach : first, i + reach < last ? i + reach : last);
}

static bool stands_out(const atom_finder *f, size_t first, size_t last, size_t i, double density) {
  if (i > first && per_length(f, i - 1) > per_length(f, i)) return false;
  if (i < last && per_length(f, i + 1) >= per_length(f, i)) return false;
  return per_length(f, i) > 4 * density;
}

static void put_peaks(atom_finder *f, size_t first, size_t last, size_t from, size_t to) {
  for (size_t i = from; i <= to; i++) {
    if (i > first && per_length(f, i - 1) > per_length(f, i)) continue; /* no peak: no need to look around */
    double density = around(f, first, last, i), force = 0, moment = 0;
    if (!stands_out(f, first, last, i, density)) continue;
    size_t begin = i > from + f->ends ? i - f->ends : from, end = i;
    for (size_t j = i; j <= to && j <= end + 2 * f->ends; j++)
      if (stands_out(f, first, last, j, density)) end = j;
    end = end + f->ends < to ? end + f->ends : to;
    for (size_t j = begin; j <= end; j++) {
      double excess = f->s[j] - density * cell(f, j);
      force += excess;
      moment += excess * (f->line->x[j] - f->line->x[i]);
    }
    if (force > 0) put(f, f->line->x[i] + moment / force, force);
    i = end;
  }
}

/* ---- where a beam leaves ---------------------------------------------------------------------------------------------------- */

typedef struct zone_end {
  size_t far; /* the outermost node that belongs to it */
  double x, force;
} zone_end;

static double reach_of(const atom_finder *f, size_t node, double force, double rho) {
  double h = cell(f, node);
  return 2 * (2 * h + cbrt(24 * force * h * h / rho));
}

/* Contact points to the left of `first`, not beyond `taken` nodes, as far as they belong to the zone. */
static size_t far_left(const atom_finder *f, size_t first, size_t taken, double rho) {
  size_t far = first;
  double sum = 0;
  for (size_t i = first; i-- > taken;) {
    if (!loaded(f, i)) continue;
    size_t right = i;
    while (i > taken && loaded(f, i - 1)) i--;
    if (is_zone(f, i, right)) break;
    for (size_t j = i; j <= right; j++) sum += f->s[j];
    if (f->line->x[first] - f->line->x[right] > reach_of(f, i, sum, rho)) break;
    far = i;
  }
  return far;
}

static size_t far_right(const atom_finder *f, size_t last, double rho) {
  size_t far = last;
  double sum = 0;
  for (size_t i = last + 1; i < f->line->n; i++) {
    if (!loaded(f, i)) continue;
    size_t left = i;
    i = end_of(f, i);
    if (is_zone(f, left, i)) break;
    for (size_t j = left; j <= i; j++) sum += f->s[j];
    if (f->line->x[left] - f->line->x[last] > reach_of(f, i, sum, rho)) break;
    far = i;
  }
  return far;
}

/* The nodes from..to, beyond the place b, as an atom and the density rho: force and moment about b are the same. */
static void settle(const atom_finder *f, size_t from, size_t to, double b, double rho, double outwards, zone_end *end) {
  double force = 0, moment = 0;
  for (size_t i = from; i <= to; i++) {
    force += f->s[i];
    moment += f->s[i] * fabs(f->line->x[i] - b);
  }
  double square = force * force - 2 * rho * moment;
  end->force = square > 0 ? sqrt(square) : 0;
  if (!(end->force > 4 * rho * cell(f, end->far))) end->force = 0;
  end->x = b + outwards * (force - end->force) / rho;
}

static zone_end left_end(const atom_finder *f, size_t first, size_t last, size_t taken) {
  size_t inner = first + f->ends;
  double rho = middle_value(f, inner, inner + f->ends < last ? inner + f->ends : last);
  zone_end end = {.far = far_left(f, first, taken, rho)};
  settle(f, end.far, inner - 1, (f->line->x[inner] + f->line->x[inner - 1]) / 2, rho, -1, &end);
  return end;
}

static zone_end right_end(const atom_finder *f, size_t first, size_t last) {
  size_t inner = last - f->ends;
  double rho = middle_value(f, inner > first + f->ends ? inner - f->ends : first, inner);
  zone_end end = {.far = far_right(f, last, rho)};
  settle(f, inner + 1, end.far, (f->line->x[inner] + f->line->x[inner + 1]) / 2, rho, 1, &end);
  return end;
}

/* Returns the last node of the zone and its ends. */
static size_t put_zone(atom_finder *f, size_t first, size_t last, size_t taken) {
  if (!f->line->beam) {
    put_peaks(f, first, last, first, last);
    return last;
  }
  zone_end left = left_end(f, first, last, taken), right = right_end(f, first, last);
  while (f->count > 0 && f->atoms[2 * f->count - 2] >= f->line->x[left.far]) f->count--;
  if (left.force > 0) put(f, left.x, left.force);
  put_peaks(f, first, last, first + f->ends, last - f->ends);
  if (right.force > 0) put(f, right.x, right.force);
  return right.far;
}

/* The reaction s[n] as a measure; atoms[2 * n] places and forces. Returns how many. */
static size_t line_atoms(const verify_line *line, const double *s, double *atoms) {
  atom_finder f = {.line = line, .s = s, .ends = line->beam ? 5 : 1, .atoms = atoms};
  size_t taken = 0;
  for (size_t i = 0; i < line->n; i++) f.least = fmax(f.least, 1e-9 * s[i]);
  for (size_t i = 0; i < line->n; i++) {
    if (!loaded(&f, i)) continue;
    size_t last = end_of(&f, i);
    if (is_zone(&f, i, last)) {
      last = put_zone(&f, i, last, taken);
      taken = last + 1;
    } else {
      put_point(&f, i, last);
    }
    i = last;
  }
  return f.count;
}

/* ---- the ledger, the variation and the events of a string or beam, from its frames ------------------------------- */

enum { BOOK_STORED, BOOK_WORK, BOOK_FRICTION, BOOK_QUADRATIC, BOOK_DEFECT };

/* integral of k w'^2, with the size of its terms. */
static double energy(const verify_line *line, const double *a, const double *b, double *size) {
  double sum = 0;
  for (size_t c = 0; c + 1 < line->n; c++) {
    double h = line->x[c + 1] - line->x[c], rise = a[c + 1] - a[c] - (b != NULL ? b[c + 1] - b[c] : 0);
    double most = fabs(a[c + 1]) + fabs(a[c]) + (b != NULL ? fabs(b[c + 1]) + fabs(b[c]) : 0);
    sum += rise * rise / h;
    *size += (most + fabs(rise)) * fabs(rise) / h;
  }
  return line->extension * sum;
}

/* ---- variation --------------------------------------------------------------------------------------------------------- */

static void line_variation(verify_line_motion *m, thud_verify_check *check) {
  const verify_line *line = m->line;
  for (size_t k = 0; k < m->count; k++) {
    const double *u = m->u + k * line->n, *before = line_before(m, k);
    const double *from = before != NULL ? before : k > 0 ? m->u + (k - 1) * line->n : line->initial;
    double size = 0, grown = m->variation[k] - (k > 0 ? m->variation[k - 1] : 0);
    double moved = sqrt(energy(line, u, from, &size) / line->extension), past = 16 * DBL_EPSILON * m->variation[k];
    /* Of the root of a small difference of large numbers as much is left as of their squares. */
    double most = 0;
    for (size_t c = 0; c + 1 < line->n; c++)
      most += (fabs(u[c]) + fabs(from[c])) * (fabs(u[c]) + fabs(from[c])) / (line->x[c + 1] - line->x[c]);
    double tolerance = past + 16 * DBL_EPSILON * sqrt(most) + (double)line->n * DBL_EPSILON * moved;
    m->moved[k] = before != NULL ? moved : NAN;
    double off =
        before != NULL ? fabs(grown - moved) : fmax(0, moved - grown); /* steps between are longer than the whole */
    thud_verify_tally(check, off, tolerance, 0, m->t[k], k);
  }
}

/* ---- ledger ------------------------------------------------------------------------------------------------------------ */

typedef struct line_account {
  double entry[4], size[4];
} line_account;

/* Work of the loads, integral f du, without the shares of the ends, and of the forces on the ends in the new state. */
static void book_work(verify_line_motion *m, const double *u, const double *before, line_account *account) {
  const verify_line *line = m->line;
  size_t last = line->n - 2;
  double sum = 0, size = 0;
  for (size_t c = 0; c <= last; c++) {
    double h = line->x[c + 1] - line->x[c], a = u[c] - before[c], b = u[c + 1] - before[c + 1];
    double right = m->cells.G[c][0] - m->cells.G[c][1] / h, left = m->cells.G[c][1] / h, pull;
    pull = line->extension * (u[c + 1] - u[c]) / h;
    if (c == 0) left = -pull;
    if (c == last) right = pull;
    sum += left * a + right * b;
    size += fabs(left) * (fabs(u[c]) + fabs(before[c])) + fabs(right) * (fabs(u[c + 1]) + fabs(before[c + 1]));
    if (c == 0 || c == last) size += line->extension * (fabs(u[c]) + fabs(u[c + 1])) / h * fmax(fabs(a), fabs(b));
  }
  account->entry[BOOK_WORK] = sum;
  account->size[BOOK_WORK] = size;
}

static line_account account_of(verify_line_motion *m, size_t k, const double *before) {
  const verify_line *line = m->line;
  const double *u = m->u + k * line->n, *s = m->s + k * line->n;
  line_account account = {0};
  double sizes[3] = {0};
  account.entry[BOOK_STORED] = (energy(line, u, NULL, &sizes[0]) - energy(line, line->initial, NULL, &sizes[1])) / 2;
  account.entry[BOOK_QUADRATIC] = energy(line, u, before, &sizes[2]) / 2;
  account.size[BOOK_STORED] = line->extension * (sizes[0] + sizes[1]);
  account.size[BOOK_QUADRATIC] = line->extension * sizes[2];
  for (size_t i = 1; i + 1 < line->n; i++) {
    account.entry[BOOK_FRICTION] += line->mu * s[i] * fabs(u[i] - before[i]);
    account.size[BOOK_FRICTION] += line->mu * s[i] * (fabs(u[i]) + fabs(before[i]));
  }
  thud_verify_line_loads(line, true, m->t[k], verify_line_side(m, k), &m->cells);
  book_work(m, u, before, &account);
  return account;
}

static void compare_entry(const verify_line_motion *m, size_t k, int entry, double off, double tolerance,
                          thud_verify_check *check) {
  static const char *const entries[] = {"stored", "work", "friction", "quadratic", "defect"};
  if (thud_verify_tally(check, fabs(off), tolerance, 0, m->t[k], k)) thud_verify_explain(check, "'%s'", entries[entry]);
}

static void line_energy(verify_line_motion *m, thud_verify_check *check) {
  static const double nothing[VERIFY_LINE_LEDGER] = {0};
  double rounding = 8 * DBL_EPSILON * ((double)m->line->n + 16);
  for (size_t k = 0; k < m->count; k++) {
    const double *before = line_before(m, k), *now = m->ledger + k * VERIFY_LINE_LEDGER;
    const double *then = k > 0 ? now - VERIFY_LINE_LEDGER : nothing;
    double sum = fabs(now[BOOK_STORED]) + fabs(now[BOOK_WORK]) + now[BOOK_FRICTION] + now[BOOK_QUADRATIC];
    double defect = now[BOOK_STORED] - (now[BOOK_WORK] - now[BOOK_FRICTION] - now[BOOK_QUADRATIC]);
    compare_entry(m, k, BOOK_DEFECT, now[BOOK_DEFECT] - defect, 8 * DBL_EPSILON * sum, check);
    if (before == NULL) continue;
    const line_account account = account_of(m, k, before);
    compare_entry(m, k, BOOK_STORED, now[BOOK_STORED] - account.entry[BOOK_STORED],
                  rounding * account.size[BOOK_STORED], check);
    for (int e = BOOK_WORK; e <= BOOK_QUADRATIC; e++) {
      double grown = now[e] - then[e], past = 4 * DBL_EPSILON * (fabs(now[e]) + fabs(then[e]));
      compare_entry(m, k, e, grown - account.entry[e], rounding * account.size[e] + past, check);
    }
  }
}

/* ---- events -------------------------------------------------------------------------------------------------------------- */

/* A jump of u where the data jump has an event, with its size; nothing else has one. */
static void line_events(const verify_line_motion *m, thud_verify_check *check) {
  size_t e = 0;
  for (size_t k = 0; k < m->count; k++) {
    bool may = m->side[k] >= 0 && thud_verify_scene_jumps_at(&m->line->scene, m->t[k]);
    double grown = m->variation[k] - (k > 0 ? m->variation[k - 1] : 0);
    double tolerance = 16 * DBL_EPSILON * m->variation[k] + (double)m->line->n * DBL_EPSILON * fmax(0, m->moved[k]);
    if (e < m->events.count && m->events.frame[e] == (double)k) {
      if (!may || m->events.t[e] != m->t[k])
        thud_verify_fail(check, m->t[k], k, "event %zu is of no jump of the data", e);
      thud_verify_tally(check, fabs(m->event_moved[e] - grown), tolerance, 0, m->t[k], k);
      if (!(m->event_moved[e] > 0)) thud_verify_fail(check, m->t[k], k, "event %zu is of no jump", e);
      e++;
    } else if (may && grown > tolerance) {
      thud_verify_fail(check, m->t[k], k, "u jumps without an event");
    }
  }
  if (e != m->events.count) thud_verify_fail(check, NAN, SIZE_MAX, "event %zu belongs to no jump", e);
  if (check->status == THUD_VERIFY_PASSED) thud_verify_explain(check, "%zu of them", e);
}

/* ---- the summary of a recorded string or beam -------------------------------------------------------------------- */

/* The summary of a recorded string or beam: the same as its frames. */

typedef struct line_summary {
  const verify_line_motion *m;
  const thud_node *map;
  thud_verify_check *check, *refinement;
  size_t last;
} line_summary;

static void compare_figure(const line_summary *s, const char *key, double value, double tolerance) {
  thud_verify_note_number(s->map, key, value, tolerance, s->m->t[s->last], s->last, s->check);
}

/* ---- the reaction -------------------------------------------------------------------------------------------------------- */

static void compare_atoms(const line_summary *s, size_t count, const double *atoms) {
  const thud_node *list = thud_node_find(s->map, "atoms");
  double length = s->m->line->x[s->m->line->n - 1] - s->m->line->x[0], t = s->m->t[s->last];
  if (list == NULL || thud_node_get_kind(list) != THUD_NODE_SEQUENCE || thud_node_count(list) != count) {
    thud_verify_fail(s->check, t, s->last, "'atoms' are not the %zu of the last frame", count);
    return;
  }
  for (size_t k = 0; k < count; k++) {
    const thud_node *atom = thud_node_item(list, k);
    double x = atoms[2 * k], force = atoms[2 * k + 1];
    thud_verify_note_number(atom, "x", x, 1e-11 * length, t, s->last, s->check);
    thud_verify_note_number(atom, "force", force, 1e-11 * force, t, s->last, s->check);
  }
}

static thud_error compare_reaction(const line_summary *s) {
  const verify_line *line = s->m->line;
  const double *forces = s->m->s + s->last * line->n;
  double total = 0, loaded = 0, *atoms = THUD_NEW_ARRAY(s->m->context, double, 2 * line->n);
  if (atoms == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < line->n; i++) {
    total += forces[i];
    loaded += forces[i] > 0;
  }
  compare_figure(s, "reaction", total, (double)line->n * DBL_EPSILON * total);
  compare_figure(s, "loaded_nodes", loaded, 0);
  compare_atoms(s, line_atoms(line, forces, atoms), atoms);
  thud_free(s->m->context, atoms);
  return THUD_OK;
}

/* ---- the judgement ---------------------------------------------------------------------------------------------------------- */

/* The runs of the levels are not in the record: their numbers can only agree with what was concluded. */
static void check_levels(const line_summary *s) {
  double levels = s->m->line->levels, size = 0;
  for (size_t k = 0; k < s->m->count * s->m->line->n; k++) size = fmax(size, fabs(s->m->u[k]));
  bool judged = thud_verify_limit(s->map, "refinement", levels, 1e-7 * size, s->refinement);
  if (judged && s->refinement->status == THUD_VERIFY_PASSED)
    thud_verify_skip(s->refinement, THUD_VERIFY_NOT_CHECKED,
                     "the class follows from %g levels; their runs are not in the record", levels);
}

/* ---- all of it ---------------------------------------------------------------------------------------------------------------- */

static thud_error compare_summary(verify_record *record, void *motion, const thud_node *summary,
                                  thud_verify_check *check) {
  static const char *const figures[] = {
      "steps",          "variation", "largest_move",     "defect",   "reaction",         "loaded_nodes",
      "atoms",          "class",     "refinement",       "approach", "approach_scatter", "growth",
      "growth_scatter", "shrinking", "shrinking_scatter"};
  static const char *const ledger[] = {"stored", "work", "friction", "quadratic", "defect"};
  const verify_line_motion *m = motion;
  const line_summary made = {.m = m,
                             .map = summary,
                             .check = check,
                             .refinement = &record->checks[REFINEMENT],
                             .last = m->count - 1},
                     *s = &made;
  const verify_line *line = m->line;
  size_t last = s->last, n = line->n;
  const thud_node *state = thud_node_find(s->map, "state");
  const double *fields[VERIFY_LINE_FIELDS] = {m->u, m->v, m->s, m->r}, *book = m->ledger + last * VERIFY_LINE_LEDGER;
  double largest = 0, rounding = 0;
  thud_verify_summary_keys(s->map, sizeof figures / sizeof *figures, figures, s->check);
  compare_figure(s, "time", m->t[last], 0);
  compare_figure(s, "steps", (double)m->stop[last] + 1, 0);
  compare_figure(s, "variation", m->variation[last], 0);
  compare_figure(s, "defect", book[VERIFY_LINE_LEDGER - 1], 0);
  for (size_t k = 0; k < VERIFY_LINE_FIELDS; k++)
    thud_verify_note_numbers(state, n, (const char *const *)line->names + k * n, fields[k] + last * n, m->t[last], last,
                             s->check);
  thud_verify_note_numbers(thud_node_find(s->map, "ledger"), VERIFY_LINE_LEDGER, ledger, book, m->t[last], last,
                           s->check);
  for (size_t k = 0; k < m->count; k++) largest = fmax(largest, m->moved[k]);
  for (size_t k = 0; k < n; k++) rounding = fmax(rounding, fabs(m->u[last * n + k]));
  if (m->complete) compare_figure(s, "largest_move", largest, 1e-12 * largest + 4 * DBL_EPSILON * rounding);
  check_levels(s);
  return compare_reaction(s);
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static thud_error read_frames(verify_line_motion *m, thud_record_reader *reader, thud_verify_check *structure) {
  static const char *const ledger[] = {"stored", "work", "friction", "quadratic", "defect"};
  static const char *const roles[] = {"state", "transverse", "pressure", "reaction"};
  const verify_line *line = m->line;
  thud_record_info info = thud_record_reader_info(reader);
  m->count = info.rows[THUD_RECORD_FRAMES];
  m->complete = line->scene.record_every == 0;
  const verify_channel channels[] = {{"time", 1, &m->t},
                                     {"side", 1, &m->side},
                                     {"state", line->n, &m->u},
                                     {"transverse", line->n, &m->v},
                                     {"pressure", line->n, &m->s},
                                     {"reaction", line->n, &m->r},
                                     {"variation", 1, &m->variation},
                                     {"ledger", VERIFY_LINE_LEDGER, &m->ledger}};
  thud_error error = thud_verify_read_channels(m->context, reader, THUD_RECORD_FRAMES,
                                               sizeof channels / sizeof *channels, channels, structure);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < VERIFY_LINE_FIELDS; k++)
    thud_verify_check_components(reader, THUD_RECORD_FRAMES, roles[k], line->n,
                                 (const char *const *)line->names + k * line->n, structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "ledger", VERIFY_LINE_LEDGER, ledger, structure);
  thud_verify_check_made_by(&info, line->beam ? "beam" : "string", line->scene.method, structure);
  if (m->count == 0) thud_verify_fail(structure, NAN, SIZE_MAX, "the record has no frames");
  return THUD_OK;
}

static thud_error read_events(verify_line_motion *m, thud_record_reader *reader, thud_verify_check *structure) {
  static const char *const kinds[] = {"jump"};
  const verify_channel channels[] = {{"moved", 1, &m->event_moved}};
  thud_error error = thud_verify_events_read(m->context, reader, 0, 1, kinds, &m->events, structure);
  return error == THUD_OK ? thud_verify_read_channels(m->context, reader, THUD_RECORD_EVENTS, 1, channels, structure)
                          : error;
}

static thud_error make_room(verify_line_motion *m) {
  m->stop = THUD_NEW_ARRAY(m->context, size_t, m->count);
  m->moved = THUD_NEW_ARRAY(m->context, double, m->count);
  m->work = THUD_NEW_ARRAY(m->context, double, m->line->n);
  m->cells.G = THUD_NEW_ARRAY(m->context, verify_line_sums, m->line->n);
  return m->stop != NULL && m->moved != NULL && m->work != NULL && m->cells.G != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static void motion_free(verify_line_motion *m) {
  void *arrays[] = {m->t,      m->side, m->u,     m->v,    m->s,       m->r,          m->variation,
                    m->ledger, m->stop, m->moved, m->work, m->cells.G, m->event_moved};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(m->context, arrays[k]);
  thud_verify_events_free(m->context, &m->events);
}

static thud_error check_motion(verify_line_motion *m, verify_record *record) {
  thud_verify_check *checks = record->checks;
  bool compared = false;
  thud_error error = make_room(m);
  if (error != THUD_OK) return error;
  line_structure(m, thud_verify_ran_to_end(&record->info), &checks[STRUCTURE]);
  if (checks[STRUCTURE].status == THUD_VERIFY_FAILED) return THUD_OK;
  line_ends(m, &checks[ENDS]);
  line_gaps(m, &checks[GAP]);
  line_law(m, &checks[LAW]);
  line_equilibrium(m, &checks[EQUILIBRIUM]);
  line_friction(m, &checks[FRICTION]);
  line_variation(m, &checks[VARIATION]);
  line_energy(m, &checks[ENERGY]);
  line_events(m, &checks[EVENTS]);
  error = thud_verify_check_summary(record, m, &compared);
  if (!compared) thud_verify_skip(&checks[REFINEMENT], THUD_VERIFY_NOT_APPLICABLE, "no judgement");
  return error;
}

static thud_error read_string(const verify_record *record, void *scene) {
  return thud_verify_line_create(record->context, record->tree, false, scene);
}

static thud_error read_beam(const verify_record *record, void *scene) {
  return thud_verify_line_create(record->context, record->tree, true, scene);
}

static thud_error check(verify_record *record, void *scene) {
  thud_verify_check *checks = record->checks;
  verify_line_motion motion = {.context = record->context, .line = *(verify_line **)scene};
  thud_error error = read_frames(&motion, record->reader, &checks[STRUCTURE]);
  if (error == THUD_OK) error = read_events(&motion, record->reader, &checks[STRUCTURE]);
  if (error == THUD_OK && checks[STRUCTURE].status != THUD_VERIFY_FAILED) error = check_motion(&motion, record);
  motion_free(&motion);
  return error;
}

static void release_scene(void *scene) { thud_verify_line_destroy(*(verify_line **)scene); }

static const char *const names_of_checks[] = {[STRUCTURE] = "structure",
                                              [ENDS] = "ends",
                                              [GAP] = "gap",
                                              [LAW] = "law",
                                              [EQUILIBRIUM] = "equilibrium",
                                              [FRICTION] = "friction",
                                              [VARIATION] = "variation",
                                              [ENERGY] = "energy",
                                              [EVENTS] = "events",
                                              [SUMMARY] = "summary",
                                              [REFINEMENT] = "refinement",
                                              [FINISHED] = "finished",
                                              [FINISHED + 1] = NULL};

/* Defaults of its scenes: written after docs/scene-format.md, not after the tables of src. */
static const verify_default string_defaults[] = {{"/string/length", "1", "*", NULL},
                                                 {"/string/extension", "1", "*", NULL},
                                                 {"/string/friction", "0", "*", NULL},
                                                 {"/string/lift", "0", "*", NULL},
                                                 {"/string/ends", "{}", NULL, NULL},
                                                 {"/string/ends/v_left", "0", "*", NULL},
                                                 {"/string/ends/v_right", "0", "*", NULL},
                                                 {"/string/ends/u_left", "0", "*", NULL},
                                                 {"/string/ends/u_right", "0", "*", NULL},
                                                 {"/string/loads/*/direction", "transverse", "*", NULL},
                                                 {"/string/loads/*/factor", "1", "*", "density"},
                                                 {"/string/loads/*/width", "0", "*", "!density"},
                                                 {"/simulate/classify", "0", "*", NULL},
                                                 {NULL, NULL, NULL, NULL}};

const verify_record_kind thud_verify_string_kind = {.name = "string",
                                                    .section = "string",
                                                    .checks = names_of_checks,
                                                    .defaults = {string_defaults},
                                                    .size = sizeof(verify_line *),
                                                    .read = read_string,
                                                    .check = check,
                                                    .release = release_scene,
                                                    .compare = compare_summary};

static const verify_default beam_defaults[] = {{"/beam/length", "1", "*", NULL},
                                               {"/beam/extension", "1", "*", NULL},
                                               {"/beam/friction", "0", "*", NULL},
                                               {"/beam/lift", "0", "*", NULL},
                                               {"/beam/ends", "{}", NULL, NULL},
                                               {"/beam/ends/v_left", "0", "*", NULL},
                                               {"/beam/ends/v_right", "0", "*", NULL},
                                               {"/beam/ends/u_left", "0", "*", NULL},
                                               {"/beam/ends/u_right", "0", "*", NULL},
                                               {"/beam/loads/*/direction", "transverse", "*", NULL},
                                               {"/beam/loads/*/factor", "1", "*", "density"},
                                               {"/beam/loads/*/width", "0", "*", "!density"},
                                               {"/simulate/classify", "0", "*", NULL},
                                               {NULL, NULL, NULL, NULL}};

const verify_record_kind thud_verify_beam_kind = {.name = "beam",
                                                  .section = "beam",
                                                  .checks = names_of_checks,
                                                  .defaults = {beam_defaults},
                                                  .size = sizeof(verify_line *),
                                                  .read = read_beam,
                                                  .check = check,
                                                  .release = release_scene,
                                                  .compare = compare_summary};
