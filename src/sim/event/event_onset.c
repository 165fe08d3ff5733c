/* How slip with two components begins from rest.
 *
 * At the first order k at which a contact can have a force or slip, the two have the direction e in common:
 *   r_T,k = -tau_k e,   u_T'_k = lambda e,   lambda >= 0,   |e| = 1.
 * For given directions of all such contacts the rest is linear; the angles are the roots of f.u_T'_k = 0, f across e.
 * For one contact f.u_T' times the determinant is a trigonometric polynomial of degree 2 in the angle, whose (at most
 * 4) roots are isolated on a grid; for several contacts Newton's method starts from many directions. Each solution is
 * one way on: several are an indeterminacy (Painleve), numbered by `branch`. */
#include "sim/event/event.h"

#include "linalg/dense.h"

#include <float.h>

enum { ANGLES = 72, MOST_ONSETS = EVENT_MOST_ONSETS, MOST_WAYS = 8, STARTS = 16, NEWTON_STEPS = 60, BISECTIONS = 60 };

#define TWO_PI 6.283185307179586
/* The angle is a root when what is left of the slip across is this small beside the terms of the order. */
#define ACROSS_TOLERANCE 1e-13
#define SAME_ANGLE 1e-4
#define DIFFERENCE_STEP 1e-7
/* Pivots of the Jacobian smaller than this beside the largest are a fold. */
#define FOLD 1e-4

typedef struct onset {
  thud_event_motion *motion;
  int k;
  double size; /* of the order's terms */
  size_t count;
  event_law *law[MOST_ONSETS];
  size_t ways;
  double way[MOST_WAYS][MOST_ONSETS]; /* angles */
} onset;

/* ---- the functions ----------------------------------------------------------------------------------------------- */

static void slip_rate(const onset *found, const event_law *law, double *rate) {
  const sim_arc *arc = found->motion->arc;
  const double *reaction = arc->reaction + (size_t)found->k * arc->rows;
  for (size_t c = 0; c < 2; c++)
    rate[c] = thud_event_separation_rate(found->motion->arc, &found->motion->equations,
                                         event_row_of(found->motion->arc, law, c), reaction);
}

/* f.u_T' of every contact, in units of the order's terms; false: no reactions. */
static bool slips_across(onset *found, const double *angle, double *value) {
  for (size_t b = 0; b < found->count; b++) {
    found->law[b]->along[0] = cos(angle[b]);
    found->law[b]->along[1] = sin(angle[b]);
  }
  if (!thud_event_solve_linear_order(found->motion, found->k, found->size)) return false;
  for (size_t b = 0; b < found->count; b++) {
    const event_law *law = found->law[b];
    double rate[2], unit = event_row_unit(found->motion->arc, event_row_of(found->motion->arc, law, 0));
    slip_rate(found, law, rate);
    value[b] = (law->along[0] * rate[1] - law->along[1] * rate[0]) / (unit * found->size);
    if (!isfinite(value[b])) return false;
  }
  return true;
}

/* Keeps a solution whose slips go forth; the reactions are those of `slips_across`. */
static void keep_direction(onset *found, const double *angle, const double *value) {
  double limit = found->motion->problem.options.decision_tolerance;
  bool known = false;
  for (size_t b = 0; b < found->count; b++) {
    const event_law *law = found->law[b];
    double rate[2], unit = event_row_unit(found->motion->arc, event_row_of(found->motion->arc, law, 0));
    slip_rate(found, law, rate);
    if (fabs(value[b]) > ACROSS_TOLERANCE) return;
    if (law->along[0] * rate[0] + law->along[1] * rate[1] < -limit * unit * found->size) return;
  }
  for (size_t w = 0; w < found->ways && !known; w++) {
    known = true;
    for (size_t b = 0; b < found->count; b++)
      known = known && fabs(remainder(found->way[w][b] - angle[b], TWO_PI)) < SAME_ANGLE;
  }
  if (known || found->ways == MOST_WAYS) return;
  memcpy(found->way[found->ways++], angle, found->count * sizeof *angle);
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

static void scan_angles(onset *found) {
  double before = 0, at = 0, angle = 0;
  bool has_before = false;
  for (int k = 0; k <= ANGLES; k++) {
    double last = angle;
    angle = (k + 0.3819) * TWO_PI / ANGLES; /* off the axes */
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
  size_t n = found->count;
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
  size_t n = found->count;
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
  size_t n = found->count;
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
    for (size_t b = 0; b < found->count; b++) { /* first those of the slip without these frictions */
      double rate[2] = {0, 0};
      if (start == 0) slip_rate(found, found->law[b], rate);
      angle[b] = start == 0 ? atan2(rate[1], rate[0]) : thud_random_uniform(&random, 0, TWO_PI);
    }
    if (!slips_across(found, angle, value)) continue;
    for (int k = 0; k < NEWTON_STEPS && newton_step(found, angle, value); k++) continue;
    if (largest(found->count, value) > ACROSS_TOLERANCE || is_fold(found, angle, value)) continue;
    if (slips_across(found, angle, value)) keep_direction(found, angle, value);
  }
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

/* Whether the contact has a force or slip at this order, and which. */
static void find_force_and_slip(const onset *found, const event_law *law, bool *force, bool *slip) {
  const thud_event_motion *motion = found->motion;
  double rate[2], unit = event_row_unit(motion->arc, event_row_of(motion->arc, law, 0));
  double limit = motion->problem.options.decision_tolerance * found->size;
  slip_rate(found, law, rate);
  *force = fabs(thud_event_threshold(motion->arc, law, found->k, false)) > limit / unit;
  *slip = hypot(rate[0], rate[1]) > limit * unit;
}

/* Contacts that have something at this order become active, until no more do. False: no reactions, or too many. */
static bool activate_contacts(onset *found) {
  thud_event_motion *motion = found->motion;
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
      if (found->count == MOST_ONSETS) return false;
      found->law[found->count++] = law;
      more = true;
    }
    if (!more) return true;
    for (size_t b = 0; b < found->count; b++) found->law[b]->active = true;
    found->ways = 0;
    if (found->count == 1)
      scan_angles(found);
    else
      search_directions(found);
    /* Contacts that hold each other have one direction in common. */
    if (found->ways == 0 && found->count > 1 &&
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

bool thud_event_solve_slip_onset(thud_event_motion *motion, int k, double size) {
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
      motion->modes.part_order[law->number * motion->problem.measures] = k;
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
