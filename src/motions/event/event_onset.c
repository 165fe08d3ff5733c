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
#include "linalg/dense.h"
#include "model/gradients.h"
#include "motions/event/event.h"

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

/* ---- contacts that let go together --------------------------------------------------------------------------------- */

/* Contacts that hold each other and let go together (a table that is pushed harder and harder).
 *
 * At the order a at which such contacts have a force but no slip yet, their force on the body is on its limit surface,
 * and the directions of their slips, taken one by one, are determined to the root of the rounding errors only. But they
 * are those of one motion: u_T,i = s^(j+1) S_i y, with one direction y(s) of the velocities that the rest allows, so
 *   r_T,i = -tau_i S_i y / |S_i y|,
 * where sum_i tau_i |S_i y| is the support function of what friction can resist, y(0) the normal of the limit surface:
 * the minimum of sum tau_i |S_i y| - F.y, which is 0. y(0) is found by the method of Gauss and Newton on u_T' = 0.
 *
 * Later orders are linear as for one contact (event_order.c), with (e, f) the directions of S_i y(0) and across it:
 *   (u_T,i x r_T,i)_{k-j} = 0      says f.u_T'_k, of rank r in y
 *   (r_T,i x S_i y)_{k-a} = 0      says f.S_i,0 y_{k-a} = g_i, linear in r_T,k
 * Of the first the r combinations in the range of B = (f.S_i,0) are taken; the other combinations of g must vanish.
 * Then y_{k-a} follows from B y = g. */

enum { JOINT_STARTS = 3, STEPS = 30, HALVINGS = 8, MOST_RATES = 2 * EVENT_MOST_ONSETS };

/* Slips this small beside their gradients have no direction. */
#define NO_SLIP 1e-6
/* Directions are determined when pivots of their equations are larger than this beside the largest. */
#define DETERMINED 1e-5
/* Slips that are left where sticking ends by steps that shrink, relative to the terms of the order. */
#define NEAR_LIMIT 1e-8
/* Columns of B that differ from combinations of others by less than this depend on them. */
#define DEPENDENT 1e-8
/* Accepted error of equations that follow from others, relative to the terms of the order; where slips are left; */
#define CONTRADICTION 1e-8
#define CONTRADICTION_NEAR_LIMIT 1e-6
/* and relative to what roundings of the first terms become. */
#define ROUNDINGS 1000

typedef struct letting_go {
  event_motion *motion;
  int k;
  double size;
  size_t count, free; /* laws, directions that move their slips */
  event_law *law[EVENT_MOST_ONSETS];
  double slip[MOST_RATES][MOST_RATES]; /* [2*count][free] S_i along the directions, in units of the gradients */
} letting_go;

/* Coefficient m of the gradient of a row, in orthonormal coordinates of the kinetic metric; in joint_gradient. */
static const double *gradient(const sim_arc *arc, const event_joint *joint, size_t row, int m) {
  thud_model_to_orthonormal(arc->n, arc->factor, thud_arc_jet(arc, m) + thud_arc_row(arc, row), joint->gradient);
  return joint->gradient;
}

/* (S y)_i of a row, without the part of y_i when `known`. */
static double along_direction(const sim_arc *arc, const event_joint *joint, size_t row, int i, bool known) {
  double sum = 0;
  for (int m = known ? 1 : 0; m <= i; m++)
    if (arc->varies[(size_t)m * arc->rows + row] || m == 0)
      sum += dot(arc->n, gradient(arc, joint, row, m), joint->y + (size_t)(i - m) * arc->n);
  return sum;
}

/* ---- the direction in which slip begins -------------------------------------------------------------------------- */

/* Orthonormal basis of the rows that hold, then of what the slips add to it. */
static void find_axes(letting_go *work) {
  event_motion *motion = work->motion;
  size_t count = 0;
  for (size_t a = 0; a < motion->equations.count; a++) {
    size_t row = (size_t)motion->equations.rows[a];
    bool holds = row < motion->problem.m;
    for (size_t l = 0; l < motion->problem.law_count && !holds; l++)
      holds = motion->friction.laws[l].state == LAW_STICK &&
              row >= event_row_of(motion->arc, &motion->friction.laws[l], 0) &&
              row < event_row_of(motion->arc, &motion->friction.laws[l], motion->friction.laws[l].directions);
    if (holds && thud_event_join_basis(motion->arc, &motion->equations, row, count))
      motion->joint.places[count++] = (int)row;
  }
  motion->joint.held = count;
  for (size_t r = 0; r < 2 * work->count; r++)
    if (thud_event_join_basis(motion->arc, &motion->equations, event_row_of(motion->arc, work->law[r / 2], r % 2),
                              count))
      count++;
  work->free = motion->joint.free = count - motion->joint.held;
  for (size_t r = 0; r < 2 * work->count; r++) {
    size_t row = event_row_of(motion->arc, work->law[r / 2], r % 2);
    const double *across = gradient(motion->arc, &motion->joint, row, 0);
    for (size_t f = 0; f < work->free; f++)
      work->slip[r][f] =
          dot(motion->problem.n, across, motion->equations.basis + (motion->joint.held + f) * motion->problem.n) /
          event_row_unit(motion->arc, event_row_of(motion->arc, work->law[r / 2], 0));
  }
}

/* u_T' of all contacts when their slips begin along y, in units of the order's terms; false: no forces. */
static bool rates_along(letting_go *work, const double *y, double *rate) {
  event_motion *motion = work->motion;
  for (size_t b = 0; b < work->count; b++) {
    double x = dot(work->free, work->slip[2 * b], y), z = dot(work->free, work->slip[2 * b + 1], y);
    if (!(hypot(x, z) > NO_SLIP)) return false;
    work->law[b]->along[0] = x / hypot(x, z);
    work->law[b]->along[1] = z / hypot(x, z);
  }
  if (!thud_event_solve_linear_order(motion, work->k, work->size)) return false;
  const double *reaction = motion->arc->reaction + (size_t)work->k * motion->arc->rows;
  for (size_t r = 0; r < 2 * work->count; r++) {
    size_t row = event_row_of(motion->arc, work->law[r / 2], r % 2);
    rate[r] = thud_event_separation_rate(motion->arc, &motion->equations, row, reaction) /
              (event_row_unit(motion->arc, row) * work->size);
    if (!isfinite(rate[r])) return false;
  }
  return true;
}

/* J'J + c yy' (J y = 0) and J'rate by differences; J'J is factorised. False: the direction is not determined. */
static bool normal_equations(letting_go *work, const double *y, const double *rate, double *matrix, double *right) {
  double jacobian[MOST_RATES][MOST_RATES], moved[MOST_RATES], there[MOST_RATES], pivot, trace = 0;
  size_t n = work->free, m = 2 * work->count;
  thud_index failed;
  for (size_t f = 0; f < n; f++) {
    memcpy(moved, y, n * sizeof *y);
    moved[f] += DIFFERENCE_STEP;
    if (!rates_along(work, moved, there)) return false;
    for (size_t r = 0; r < m; r++) jacobian[f][r] = (there[r] - rate[r]) / DIFFERENCE_STEP;
    right[f] = dot(m, jacobian[f], rate);
    trace += dot(m, jacobian[f], jacobian[f]);
  }
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++) matrix[a + b * n] = dot(m, jacobian[a], jacobian[b]) + trace * y[a] * y[b];
  if (!thud_cholesky_loops((thud_index)n, matrix, &failed, &pivot)) return false;
  double smallest = INFINITY;
  for (size_t a = 0; a < n; a++) smallest = fmin(smallest, matrix[a * (n + 1)]);
  return smallest > DETERMINED * sqrt(trace);
}

/* One step, shortened until the rates fall. */
static bool improve_direction(letting_go *work, double *y, double *rate) {
  double matrix[MOST_RATES * MOST_RATES], step[MOST_RATES], moved[MOST_RATES], there[MOST_RATES];
  size_t n = work->free, m = 2 * work->count;
  if (!normal_equations(work, y, rate, matrix, step)) return false;
  thud_dense_solve_lower((thud_index)n, matrix, false, step);
  thud_dense_solve_lower((thud_index)n, matrix, true, step);
  double factor = fmin(1, 1 / fmax(sqrt(dot(n, step, step)), 1e-300));
  for (int halving = 0; halving < HALVINGS; halving++, factor /= 2) {
    for (size_t f = 0; f < n; f++) moved[f] = y[f] - factor * step[f];
    thud_model_normalise(n, moved);
    if (!rates_along(work, moved, there) || !(dot(m, there, there) < dot(m, rate, rate))) continue;
    memcpy(y, moved, n * sizeof *y);
    memcpy(rate, there, m * sizeof *rate);
    return true;
  }
  return false;
}

/* From the slips without these frictions (in `rate`), or from anywhere. */
static void start_direction(const letting_go *work, const double *rate, thud_random *random, double *y) {
  for (size_t f = 0; f < work->free; f++) {
    y[f] = 0;
    for (size_t r = 0; r < 2 * work->count; r++) y[f] += work->slip[r][f] * rate[r];
    if (random != NULL) y[f] = thud_random_uniform(random, -1, 1);
  }
  thud_model_normalise(work->free, y);
}

/* y with u_T' = 0 of all contacts; the forces are those of it. */
static bool find_direction(letting_go *work, const double *free_rate, double *y) {
  thud_random random = thud_random_seed(1);
  double rate[MOST_RATES], matrix[MOST_RATES * MOST_RATES], right[MOST_RATES];
  const event_motion *motion = work->motion;
  double limit = motion->search.level == SEARCH_LIMIT ? NEAR_LIMIT : motion->problem.options.decision_tolerance;
  for (int start = 0; start < JOINT_STARTS; start++) {
    start_direction(work, free_rate, start == 0 ? NULL : &random, y);
    if (!rates_along(work, y, rate)) continue;
    for (int step = 0; step < STEPS && improve_direction(work, y, rate); step++) continue;
    if (sqrt(dot(2 * work->count, rate, rate)) > limit) continue;
    if (normal_equations(work, y, rate, matrix, right)) return rates_along(work, y, rate);
  }
  return false;
}

/* ---- the combinations -------------------------------------------------------------------------------------------- */

/* Orthonormal columns: a basis of the range of B, then of the rest; and the triangle with B = QR on chosen axes. */
static void split_range(letting_go *work) {
  event_motion *motion = work->motion;
  size_t count = work->count;
  double *q = motion->joint.mix, *r = motion->joint.mix + count * count;
  motion->joint.rank = 0;
  for (size_t f = 0; f < work->free && motion->joint.rank < count; f++) {
    double *next = q + motion->joint.rank * count, length;
    for (size_t b = 0; b < count; b++)
      next[b] = work->law[b]->along[0] * work->slip[2 * b + 1][f] - work->law[b]->along[1] * work->slip[2 * b][f];
    double *column = r + motion->joint.rank * count;
    memset(column, 0, count * sizeof *column);
    for (size_t c = 0; c < motion->joint.rank; c++) column[c] = dot(count, q + c * count, next);
    length = thud_model_complement(count, motion->joint.rank, q, next);
    if (length <= DEPENDENT) continue;
    column[motion->joint.rank] = length;
    thud_model_normalise(count, next);
    motion->joint.places[motion->problem.n + motion->joint.rank++] = (int)f;
  }
  size_t rank = motion->joint.rank;
  for (size_t b = 0; b < count && rank < count; b++) {
    double *next = q + rank * count;
    for (size_t c = 0; c < count; c++) next[c] = c == b;
    if (thud_model_complement(count, rank, q, next) < 0.5 / (double)count) continue;
    thud_model_normalise(count, next);
    rank++;
  }
}

bool thud_event_joint_begin(event_motion *motion, int k, double size, size_t count, event_law *const *laws) {
  event_joint *joint = &motion->joint;
  letting_go work = {.motion = motion, .k = k, .size = size, .count = count};
  double y[MOST_RATES], rate[MOST_RATES];
  memcpy(work.law, laws, count * sizeof *laws);
  find_axes(&work);
  for (size_t b = 0; b < count; b++) laws[b]->active = false;
  if (work.free < 2 || !thud_event_solve_linear_order(motion, k, size)) return false;
  const double *reaction = motion->arc->reaction + (size_t)k * motion->arc->rows;
  for (size_t r = 0; r < 2 * count; r++)
    rate[r] = thud_event_separation_rate(motion->arc, &motion->equations, event_row_of(motion->arc, laws[r / 2], r % 2),
                                         reaction);
  for (size_t b = 0; b < count; b++) laws[b]->active = true;
  if (!find_direction(&work, rate, y)) return false;
  memset(joint->y, 0, motion->problem.n * sizeof *y);
  for (size_t f = 0; f < work.free; f++)
    for (size_t i = 0; i < motion->problem.n; i++)
      joint->y[i] += y[f] * motion->equations.basis[(joint->held + f) * motion->problem.n + i];
  split_range(&work);
  joint->on = true;
  joint->order = k;
  return true;
}

/* ---- later orders ------------------------------------------------------------------------------------------------ */

/* The laws that have begun together; 0: they no longer go together. */
static size_t gather_joint_laws(const event_problem *problem, const event_friction_laws *friction, event_law **laws) {
  size_t count = 0;
  for (size_t l = 0; l < problem->law_count; l++) {
    event_law *law = &friction->laws[l];
    if (law->state != LAW_CRAWL && law->state != LAW_TURN) continue;
    if (law->state != (count == 0 ? law : laws[0])->state ||
        law->slip_order != (count == 0 ? law : laws[0])->slip_order)
      return 0;
    laws[count++] = law;
  }
  return count;
}

/* Coefficient i of r_T or S y of a law, along e (part 0) or across (part 1). */
static double part_of(const event_law *law, const double *x, int part) {
  return part == 0 ? law->along[0] * x[0] + law->along[1] * x[1] : law->along[0] * x[1] - law->along[1] * x[0];
}
static double force_part(const sim_arc *arc, const event_joint *joint, const event_law *law, int i, int part) {
  return part_of(law, arc->reaction + (size_t)(i + joint->order) * arc->rows + event_row_of(arc, law, 0), part);
}
static double slip_part(const sim_arc *arc, const event_joint *joint, const event_law *law, int i, int part,
                        bool known) {
  double x[2];
  for (size_t c = 0; c < 2; c++) x[c] = along_direction(arc, joint, event_row_of(arc, law, c), i, known);
  return part_of(law, x, part);
}

/* The part of y_i that the rows which hold say: (A y)_i = 0; into place i of the directions. */
static void hold_rows(event_motion *motion, int i) {
  const event_problem *problem = &motion->problem;
  double *y = motion->joint.y + (size_t)i * problem->n;
  memset(y, 0, problem->n * sizeof *y);
  for (size_t c = 0; c < motion->joint.held; c++) {
    const double *axis = motion->equations.basis + c * problem->n;
    size_t row = (size_t)motion->joint.places[c];
    double left = along_direction(motion->arc, &motion->joint, row, i, false),
           slope = dot(problem->n, gradient(motion->arc, &motion->joint, row, 0), axis);
    for (size_t j = 0; j < problem->n; j++) y[j] -= left / slope * axis[j];
  }
}

/* f.S_0 (y_i less what the rows that hold say) = factor (f.rho_i) + known, in units of the gradient. */
static void direction_equation(const sim_arc *arc, const event_joint *joint, const event_law *law, int i,
                               double *factor, double *known) {
  double tau = thud_event_threshold(arc, law, joint->order, false), sum = 0;
  double unit = event_row_unit(arc, event_row_of(arc, law, 0));
  for (int l = 1; l < i; l++)
    sum += force_part(arc, joint, law, l, 0) * slip_part(arc, joint, law, i - l, 1, false) -
           force_part(arc, joint, law, l, 1) * slip_part(arc, joint, law, i - l, 0, false);
  *factor = -slip_part(arc, joint, law, 0, 0, false) / (tau * unit);
  *known = (sum / tau - slip_part(arc, joint, law, i, 1, false)) / unit;
}

bool thud_event_joint_mix(event_motion *motion, int k) {
  const sim_arc *arc = motion->arc;
  event_equations *equations = &motion->equations;
  event_joint *joint = &motion->joint;
  event_law *laws[EVENT_MOST_ONSETS];
  size_t count = gather_joint_laws(&motion->problem, &motion->friction, laws), width = equations->count;
  double *own = joint->equations, largest = 0; /* the equations one by one: [count][width + 3] */
  if (count == 0) return false;
  hold_rows(motion, k - joint->order);
  for (size_t b = 0; b < count; b++) {
    double *row = own + b * (width + 3);
    size_t place = (size_t)equations->place[event_row_of(arc, laws[b], 1)];
    for (size_t a = 0; a < width; a++) row[a] = equations->matrix[place + a * width];
    row[width] = equations->right[place];
    direction_equation(arc, joint, laws[b], k - joint->order, &row[width + 1], &row[width + 2]);
    largest = fmax(largest, fabs(row[width + 1]) / event_row_unit(arc, event_row_of(arc, laws[b], 0)));
  }
  for (size_t c = 0; c < count; c++) {
    size_t place = (size_t)equations->place[event_row_of(arc, laws[c], 1)];
    const double *q = joint->mix + c * count;
    for (size_t a = 0; a < width; a++) equations->matrix[place + a * width] = 0;
    equations->right[place] = 0;
    for (size_t b = 0; b < count; b++) {
      const double *row = own + b * (width + 3), f[2] = {-laws[b]->along[1], laws[b]->along[0]};
      for (size_t a = 0; a < width && c < joint->rank; a++) equations->matrix[place + a * width] += q[b] * row[a];
      equations->right[place] += c < joint->rank ? q[b] * row[width] : -q[b] * row[width + 2] / largest;
      for (size_t d = 0; d < 2 && c >= joint->rank; d++) {
        size_t unknown = event_row_of(arc, laws[b], d);
        equations->matrix[place + (size_t)equations->place[unknown] * width] +=
            q[b] * row[width + 1] * f[d] / (largest * event_row_unit(arc, unknown));
      }
    }
  }
  return true;
}

/* What rounding of the first order's terms can have become at order k, with the time scale of all orders so far. */
static double rounding_at(const event_mode_search *search, const event_joint *joint, int k) {
  const double *size = search->order_size;
  int a = joint->order;
  double rate = 0;
  for (int r = a + 1; r <= k; r++) rate = fmax(rate, pow(size[r] / size[a], 1.0 / (r - a)));
  return ROUNDINGS * DBL_EPSILON * size[a] * pow(rate, k - a);
}

bool thud_event_joint_follow(event_motion *motion, int k, double size) {
  event_joint *joint = &motion->joint;
  event_law *laws[EVENT_MOST_ONSETS];
  size_t count = gather_joint_laws(&motion->problem, &motion->friction, laws), width = motion->equations.count;
  const double *q = joint->mix, *r = joint->mix + count * count, *own = joint->equations;
  double g[EVENT_MOST_ONSETS], eta[EVENT_MOST_ONSETS];
  int i = k - joint->order;
  double accepted = rounding_at(&motion->search, joint, k);
  accepted += (motion->search.level == SEARCH_LIMIT ? CONTRADICTION_NEAR_LIMIT : CONTRADICTION) * size;
  for (size_t b = 0; b < count; b++) {
    const double *row = own + b * (width + 3);
    if (fabs(dot(width, row, motion->equations.right) - row[width]) > accepted) return false;
    g[b] = row[width + 1] * force_part(motion->arc, joint, laws[b], i, 1) + row[width + 2];
  }
  double *y = joint->y + (size_t)i * motion->problem.n;
  for (size_t c = joint->rank; c-- > 0;) {
    eta[c] = dot(count, q + c * count, g);
    for (size_t d = c + 1; d < joint->rank; d++) eta[c] -= r[d * count + c] * eta[d];
    eta[c] /= r[c * count + c];
    const double *axis =
        motion->equations.basis + (joint->held + (size_t)joint->places[motion->problem.n + c]) * motion->problem.n;
    for (size_t j = 0; j < motion->problem.n; j++) y[j] += eta[c] * axis[j];
  }
  return true;
}
