/* How slip with two components begins from rest.
 *
 * At the first order k at which a contact can have a force or slip, the two have the direction e in common:
 *   r_T,k = -tau_k e,   u_T'_k = lambda e,   lambda >= 0,   |e| = 1.
 * For given directions of all such contacts the rest is linear; the angles are the roots of f.u_T'_k = 0, f across e.
 * For one contact f.u_T' times the determinant is a trigonometric polynomial of degree 2 in the angle, whose (at most
 * 4) roots are isolated on a grid; for several contacts Newton's method starts from many directions. Each solution is
 * one way on: several are an indeterminacy (Painleve), numbered by `branch`.
 *
 * Laws with outlines have r_T,k = tau_k sigma(-e) instead: in the plane one piece after the other is tried as a mode of its
 * own, with the directions e of its normals; of n components n - 1 angles are unknown. */
#include "motions/event/event.h"

#include "linalg/dense.h"

#include <float.h>

enum { ANGLES = 72, MOST_ONSETS = EVENT_MOST_ONSETS, MOST_WAYS = 8, STARTS = 16, NEWTON_STEPS = 60, BISECTIONS = 60 };

#define TWO_PI 6.283185307179586
/* The angle is a root when what is left of the slip across is this small beside the terms of the order. */
#define ACROSS_TOLERANCE 1e-13
#define SAME_ANGLE 1e-4
#define DIFFERENCE_STEP 1e-7
/* Directions this far beyond the end of a piece of an outline are at its end. */
#define BEYOND_PIECE 1e-8
/* Pivots of the Jacobian smaller than this beside the largest are a fold. */
#define FOLD 1e-4

typedef struct onset {
  event_motion *motion;
  int k;
  double size;   /* of the order's terms */
  size_t count;  /* of laws */
  size_t angles; /* of all of them */
  event_law *law[MOST_ONSETS];
  size_t ways;
  double way[MOST_WAYS][MOST_ONSETS]; /* angles */
} onset;

/* ---- the functions ----------------------------------------------------------------------------------------------- */

static void slip_rate(const onset *found, const event_law *law, double *rate) {
  const sim_arc *arc = found->motion->arc;
  const double *reaction = arc->reaction + (size_t)found->k * arc->rows;
  for (size_t c = 0; c < law->directions; c++)
    rate[c] = thud_event_separation_rate(found->motion->arc, &found->motion->equations,
                                         event_row_of(found->motion->arc, law, c), reaction);
}

static double dot(size_t n, const double *x, const double *y) {
  double sum = 0;
  for (size_t c = 0; c < n; c++) sum += x[c] * y[c];
  return sum;
}

/* A reflection that takes the axes, where directions like to be, away from the poles of the angles. */
static void reflect(size_t n, double *x) {
  static const double w[THUD_MOST_SLIPS] = {0.62, -0.41, 0.37, 0.29, -0.33, 0.21};
  double factor = 2 * dot(n, w, x) / dot(n, w, w);
  for (size_t c = 0; c < n; c++) x[c] -= factor * w[c];
}

/* The direction of a slip with n components by n - 1 angles; across[n-1][n]: unit vectors along which it moves with each
 * of them. Two components: cos, sin. */
static void direction_of(size_t n, const double *angle, double *e, double (*across)[THUD_MOST_SLIPS]) {
  double sines = 1;
  memset(e, 0, n * sizeof *e);
  memset(across, 0, (n - 1) * sizeof *across);
  for (size_t c = 0; c + 1 < n; c++) {
    e[c] = sines * cos(angle[c]);
    for (size_t a = 0; a < c; a++) across[a][c] *= cos(angle[c]);
    across[c][c] = -sin(angle[c]);
    for (size_t d = c + 1; d < n; d++) across[c][d] = cos(angle[c]);
    for (size_t a = 0; a < c; a++)
      for (size_t d = c + 1; d < n; d++) across[a][d] *= sin(angle[c]);
    sines *= sin(angle[c]);
  }
  e[n - 1] = sines;
  if (n == 2) return;
  reflect(n, e);
  for (size_t a = 0; a + 1 < n; a++) reflect(n, across[a]);
}

/* The angles of a direction. */
static void angles_of(size_t n, const double *x, double *angle) {
  double e[THUD_MOST_SLIPS];
  memcpy(e, x, n * sizeof *e);
  if (n > 2) reflect(n, e);
  for (size_t c = 0; c + 2 < n; c++) angle[c] = atan2(sqrt(dot(n - c - 1, e + c + 1, e + c + 1)), e[c]);
  angle[n - 2] = atan2(e[n - 1], e[n - 2]);
}

/* The law's slip along e. */
static void set_direction(const onset *found, event_law *law, const double *e) {
  if (law->curved)
    thud_event_set_slip_along(found->motion->arc, law, e);
  else
    memcpy(law->along, e, law->directions * sizeof *e);
}

static const double *toward(const event_law *law) { return law->curved ? law->toward : law->along; }

/* f.u_T' of every contact, in units of the order's terms; false: no reactions. */
static bool slips_across(onset *found, const double *angle, double *value) {
  double across[MOST_ONSETS][THUD_MOST_SLIPS], e[THUD_MOST_SLIPS];
  size_t next = 0;
  for (size_t b = 0; b < found->count; next += found->law[b]->directions - 1, b++) {
    direction_of(found->law[b]->directions, angle + next, e, across + next);
    set_direction(found, found->law[b], e);
  }
  if (!thud_event_solve_linear_order(found->motion, found->k, found->size)) return false;
  next = 0;
  for (size_t b = 0; b < found->count; b++) {
    const event_law *law = found->law[b];
    double rate[THUD_MOST_SLIPS], unit = event_row_unit(found->motion->arc, event_row_of(found->motion->arc, law, 0));
    slip_rate(found, law, rate);
    for (size_t a = 0; a + 1 < law->directions; a++, next++) {
      if (law->directions == 2)
        value[next] = (toward(law)[0] * rate[1] - toward(law)[1] * rate[0]) / (unit * found->size);
      else
        value[next] = dot(law->directions, across[next], rate) / (unit * found->size);
      if (!isfinite(value[next])) return false;
    }
  }
  return true;
}

/* Whether the slip of a law with an outline is against the piece that it is to slide on. */
static bool is_against_piece(const onset *found, const event_law *law) {
  if (!law->curved || law->corners == 0) return true;
  const thud_piece *piece = &thud_event_outline(found->motion->problem.system, law)->piece[law->face / 2];
  double middle = (piece->from + piece->to) / 2, off = atan2(-law->toward[1], -law->toward[0]) - middle;
  return fabs(remainder(off, TWO_PI)) <= (piece->to - piece->from) / 2 + BEYOND_PIECE;
}

/* Keeps a solution whose slips go forth; the reactions are those of `slips_across`. */
static void keep_direction(onset *found, const double *angle, const double *value) {
  double limit = found->motion->problem.options.decision_tolerance;
  bool known = false;
  size_t next = 0;
  for (size_t b = 0; b < found->count; b++) {
    const event_law *law = found->law[b];
    double rate[THUD_MOST_SLIPS], unit = event_row_unit(found->motion->arc, event_row_of(found->motion->arc, law, 0));
    slip_rate(found, law, rate);
    for (size_t a = 0; a + 1 < law->directions; a++)
      if (fabs(value[next++]) > ACROSS_TOLERANCE) return;
    if (dot(law->directions, toward(law), rate) < -limit * unit * found->size) return;
    if (!is_against_piece(found, law)) return;
  }
  for (size_t w = 0; w < found->ways && !known; w++) {
    known = true;
    for (size_t b = 0; b < found->angles; b++)
      known = known && fabs(remainder(found->way[w][b] - angle[b], TWO_PI)) < SAME_ANGLE;
  }
  if (known || found->ways == MOST_WAYS) return;
  memcpy(found->way[found->ways++], angle, found->angles * sizeof *angle);
}

/* ---- one contact ------------------------------------------------------------------------------------------------- */

static void bisect(onset *found, double low, double high, double at_low) {
  double value = 0, middle = low;
  for (int k = 0; k < BISECTIONS; k++) {
    middle = (low + high) / 2;
    if (!slips_across(found, &middle, &value)) return;
    if (value == 0) break;
    if ((value > 0) == (at_low > 0))
      low = middle;
    else
      high = middle;
  }
  keep_direction(found, &middle, &value);
}

/* Number k of the angles that are looked at: all round, or those of a piece. */
static double angle_number(const onset *found, int k) {
  const event_law *law = found->law[0];
  if (!law->curved || law->corners == 0) return (k + 0.3819) * TWO_PI / ANGLES; /* off the axes */
  const thud_piece *piece = &thud_event_outline(found->motion->problem.system, law)->piece[law->face / 2];
  double from = piece->from - BEYOND_PIECE, to = piece->to + BEYOND_PIECE;
  return TWO_PI / 2 + from + k * (to - from) / ANGLES;
}

static void scan_angles(onset *found) {
  double before = 0, at = 0, angle = 0;
  bool has_before = false;
  for (int k = 0; k <= ANGLES; k++) {
    double last = angle;
    angle = angle_number(found, k);
    bool has = slips_across(found, &angle, &at);
    if (has && at == 0)
      keep_direction(found, &angle, &at);
    else if (has && has_before && (at > 0) != (before > 0))
      bisect(found, last, angle, before);
    before = at;
    has_before = has && at != 0;
  }
}

/* ---- several contacts -------------------------------------------------------------------------------------------- */

static double largest(size_t n, const double *x) {
  double most = 0;
  for (size_t b = 0; b < n; b++) most = fmax(most, fabs(x[b]));
  return most;
}

/* Jacobian by differences, factorised; false: there is none, or it is singular. */
static bool factorise(onset *found, const double *angle, const double *value, double *matrix, thud_index *pivots) {
  size_t n = found->angles;
  double moved[MOST_ONSETS], up[MOST_ONSETS];
  memcpy(moved, angle, n * sizeof *angle);
  for (size_t b = 0; b < n; b++) {
    moved[b] = angle[b] + DIFFERENCE_STEP;
    if (!slips_across(found, moved, up)) return false;
    moved[b] = angle[b];
    for (size_t a = 0; a < n; a++) matrix[a + b * n] = (up[a] - value[a]) / DIFFERENCE_STEP;
  }
  return thud_dense_lu((thud_index)n, matrix, pivots);
}

/* One step, shortened until the residual falls. */
static bool newton_step(onset *found, double *angle, double *value) {
  size_t n = found->angles;
  double matrix[MOST_ONSETS * MOST_ONSETS], step[MOST_ONSETS], moved[MOST_ONSETS], there[MOST_ONSETS];
  thud_index pivots[MOST_ONSETS];
  if (!factorise(found, angle, value, matrix, pivots)) return false;
  for (size_t b = 0; b < n; b++) step[b] = -value[b];
  thud_dense_lu_solve((thud_index)n, matrix, pivots, step);
  double factor = fmin(1, 1 / fmax(largest(n, step), DBL_MIN));
  for (int halving = 0; halving < 8; halving++, factor /= 2) {
    for (size_t b = 0; b < n; b++) moved[b] = angle[b] + factor * step[b];
    if (!slips_across(found, moved, there) || !(largest(n, there) < largest(n, value))) continue;
    memcpy(angle, moved, n * sizeof *angle);
    memcpy(value, there, n * sizeof *value);
    return true;
  }
  return false;
}

/* Where contacts of one body that hold each other let go together the map from the directions of their slips to the
 * force on the body has a fold (the force is on its limit surface): the directions are then determined to the root of
 * the rounding errors only, which is not enough to go on. */
static bool is_fold(onset *found, const double *angle, const double *value) {
  size_t n = found->angles;
  double matrix[MOST_ONSETS * MOST_ONSETS], smallest = INFINITY, most = 0;
  thud_index pivots[MOST_ONSETS];
  if (!factorise(found, angle, value, matrix, pivots)) return true;
  for (size_t b = 0; b < n; b++) {
    smallest = fmin(smallest, fabs(matrix[b * (n + 1)]));
    most = fmax(most, fabs(matrix[b * (n + 1)]));
  }
  return smallest < FOLD * most;
}

static void search_directions(onset *found) {
  thud_random random = thud_random_seed(1);
  double angle[MOST_ONSETS], value[MOST_ONSETS];
  for (int start = 0; start < STARTS; start++) {
    size_t next = 0;
    for (size_t b = 0; b < found->count; b++) { /* first those of the slip without these frictions */
      size_t angles = found->law[b]->directions - 1;
      double rate[THUD_MOST_SLIPS] = {0};
      if (start == 0) slip_rate(found, found->law[b], rate);
      if (start == 0) angles_of(found->law[b]->directions, rate, angle + next);
      for (size_t a = 0; a < angles && start > 0; a++) angle[next + a] = thud_random_uniform(&random, 0, TWO_PI);
      next += angles;
    }
    if (!slips_across(found, angle, value)) continue;
    for (int k = 0; k < NEWTON_STEPS && newton_step(found, angle, value); k++) continue;
    if (largest(found->angles, value) > ACROSS_TOLERANCE || is_fold(found, angle, value)) continue;
    if (slips_across(found, angle, value)) keep_direction(found, angle, value);
  }
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

/* Whether the contact has a force or slip at this order, and which. */
static void find_force_and_slip(const onset *found, const event_law *law, bool *force, bool *slip) {
  const event_motion *motion = found->motion;
  double rate[THUD_MOST_SLIPS], unit = event_row_unit(motion->arc, event_row_of(motion->arc, law, 0));
  double limit = motion->problem.options.decision_tolerance * found->size;
  slip_rate(found, law, rate);
  *force = fabs(thud_event_threshold(motion->arc, law, found->k, false)) > limit / unit;
  double speed = law->directions == 2 ? hypot(rate[0], rate[1]) : sqrt(dot(law->directions, rate, rate));
  *slip = speed > limit * unit;
}

static bool some_are_curved(const onset *found) {
  for (size_t b = 0; b < found->count; b++)
    if (found->law[b]->curved) return true;
  return false;
}

/* Contacts that have something at this order become active, until no more do. False: no reactions, or too many. */
static bool activate_contacts(onset *found) {
  event_motion *motion = found->motion;
  bool more = true;
  for (size_t l = 0; l < motion->problem.law_count; l++) motion->friction.laws[l].active = false;
  if (!thud_event_solve_linear_order(motion, found->k, found->size)) return false;
  while (more) {
    more = false;
    for (size_t l = 0; l < motion->problem.law_count; l++) {
      event_law *law = &motion->friction.laws[l];
      bool force, slip;
      if (law->state != LAW_ONSET || law->active) continue;
      find_force_and_slip(found, law, &force, &slip);
      if (!force && !slip) continue;
      if (found->angles + law->directions - 1 > MOST_ONSETS) return false;
      found->angles += law->directions - 1;
      found->law[found->count++] = law;
      more = true;
    }
    if (!more) return true;
    for (size_t b = 0; b < found->count; b++) found->law[b]->active = true;
    found->ways = 0;
    if (found->angles == 1)
      scan_angles(found);
    else
      search_directions(found);
    /* Contacts that hold each other have one direction in common. */
    if (found->ways == 0 && found->count > 1 && !some_are_curved(found) &&
        thud_event_joint_begin(motion, found->k, found->size, found->count, found->law)) {
      found->ways = 1;
      continue;
    }
    if (found->ways == 0) return false;
    double value[MOST_ONSETS];
    int way = motion->search.branch % (int)found->ways;
    if (!slips_across(found, found->way[way], value)) return false;
  }
  return true;
}

bool thud_event_solve_slip_onset(event_motion *motion, int k, double size) {
  onset found = {.motion = motion, .k = k, .size = size};
  if (!activate_contacts(&found)) return false;
  for (size_t b = 0; b < found.count; b++) {
    event_law *law = found.law[b];
    bool force, slip;
    find_force_and_slip(&found, law, &force, &slip);
    if (motion->joint.on && motion->joint.order == k) slip = false;
    if (force) law->force_order = k;
    if (slip) {
      law->slip_order = k;
      if (law->corners == 0) motion->modes.part_order[law->number * motion->problem.measures] = k;
    }
    law->state = force && slip ? LAW_TURN : force ? LAW_CRAWL : slip ? LAW_SLIDE : LAW_ONSET;
  }
  if (found.count > 0) {
    motion->search.branch_count *= (int)found.ways;
    motion->search.branch /= (int)found.ways;
    motion->equations.factored = false;
  }
  return true;
}
