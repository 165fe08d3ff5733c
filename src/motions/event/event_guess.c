/* Modes of many contacts with friction at once. Combinations are too many to be tried, but the accelerations satisfy the
 * same law as velocities after an impact do: with a_free = M^-1 F, and gamma the part of u' without acceleration,
 *
 *   M (a - a_free) = sum A_i' r_i,   0 <= u_N' = A_N a + gamma_N  perp  r_N >= 0,   r_T in tau D, opposite to u_T',
 *
 * where the slip is 0; where it is not, r_T = -tau d is given by the reaction, which is found by iteration. What the
 * solution leaves clear is the only mode that is tried; contacts near an edge (no reaction and no separation, the
 * threshold reached and no slip) keep all their modes. The series then prove or refute the guess. */
#include "motions/event/event.h"

#include "model/factors.h"

/* Forces and accelerations below this, relative to the largest, leave a mode open. */
#define UNCLEAR 1e-7
#define MOST_ITERATIONS 200
#define SETTLED 1e-13
/* Cosines of normal and slip rows below this are rounding. */
#define UNCOUPLED 1e-14

/* The velocity problem of accelerations; values[] are those of the arc, with gamma in place of the rates. */
static thud_error pose(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  const sim_arc *arc = motion->arc;
  const model_jet_layout *at = &arc->jets.layout;
  thud_system_values *values = motion->state.values;
  thud_error error = thud_arc_open_order(motion->arc, 0);
  if (error == THUD_OK) error = thud_event_take_values_of_arc(problem, arc, &motion->state);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < problem->m; i++) {
    values->rate[i] = arc->jet[at->convective + i];
    values->restitution[i] = 0;
    motion->collision.acting[i] = event_is_equation(problem, i) || motion->contacts.contact[i] == EVENT_REST;
  }
  for (size_t j = 0; j < problem->s; j++) values->slip_rate[j] = arc->jet[at->slip_convective + j];
  for (size_t l = 0; l < problem->law_count; l++)
    if (motion->contacts.slip[l] != 0) values->friction[motion->friction.laws[l].own] = 0;
  return THUD_OK;
}

/* The point of a law's set against its slip. */
static void push_against(const event_motion *motion, const event_law *law, const double *slip, double *point) {
  int sign = motion->contacts.slip[law->number];
  event_law on_face = *law;
  on_face.face = sign - 1;
  if (law->curved && thud_event_is_on_curve(motion->arc, &on_face)) {
    thud_event_set_slip_along(motion->arc, &on_face, slip);
    for (size_t c = 0; c < law->directions; c++) point[c] = -on_face.along[c];
  } else if (law->corners > 0) {
    thud_event_corner(motion->arc, law, (sign - 1) / 2, point);
  } else if (law->directions == 2) {
    double speed = hypot(slip[0], slip[1]);
    for (size_t c = 0; c < 2; c++) point[c] = -law->radius * slip[c] / speed;
  } else {
    point[0] = sign > 0 ? -law->reach[0] : law->reach[1];
  }
}

/* a_free with the friction of what slides already, for these reactions. */
static void push_by_slides(const event_motion *motion, const double *normal, double *a) {
  const sim_arc *arc = motion->arc;
  memcpy(a, arc->free, arc->n * sizeof *a);
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    const double *slip = arc->jet + arc->jets.layout.slip_velocity + law->first;
    if (motion->contacts.slip[l] == 0 || (law->unilateral && !motion->collision.acting[law->constraint])) continue;
    double force = law->constraint >= 0 ? fabs(normal[law->constraint]) : 1, against[THUD_MOST_SLIPS];
    double tau = arc->jet[arc->jets.layout.friction + law->own] * force;
    push_against(motion, law, slip, against);
    for (size_t c = 0; c < law->directions; c++) {
      double along = -against[c];
      const double *path = arc->response + event_row_of(arc, law, c) * arc->n;
      for (size_t i = 0; i < arc->n; i++) a[i] -= tau * along * path[i];
    }
  }
}

/* r and a of the whole problem. False: nothing was found. */
static bool solve(event_motion *motion) {
  size_t m = motion->problem.m, rows = m + motion->problem.s;
  double *reaction = motion->search.reaction, *a = motion->search.acceleration, *before = reaction + rows;
  thud_percussion_info info;
  memset(reaction, 0, rows * sizeof *reaction);
  for (int k = 0; k < MOST_ITERATIONS; k++) {
    double change = 0, size = 0;
    memcpy(before, reaction, rows * sizeof *before);
    push_by_slides(motion, reaction, a);
    if (thud_percussion_solve(motion->collision.single, motion->state.values, motion->collision.acting, 1, a, a,
                              reaction, reaction + m, a, &info) != THUD_OK ||
        info.status != THUD_SOLVED)
      return false;
    for (size_t i = 0; i < rows; i++) {
      change = fmax(change, fabs(reaction[i] - before[i]) * event_row_unit(motion->arc, i));
      size = fmax(size, fabs(reaction[i]) * event_row_unit(motion->arc, i));
    }
    if (change <= SETTLED * size) return true;
  }
  return false;
}

/* u' of a row, in units of its gradient. */
static double rate_of(const event_motion *motion, size_t row) {
  const sim_arc *arc = motion->arc;
  double sum = arc->jet[thud_arc_convective(arc, row)];
  return (sum + motion_dot((thud_index)arc->n, arc->jet + thud_arc_row(arc, row), motion->search.acceleration)) /
         event_row_unit(arc, row);
}

/* Whether another factor of the same law slides: its friction was not part of the problem. */
static bool goes_with_a_slide(const event_motion *motion, const event_law *law) {
  for (size_t l = 0; l < motion->problem.law_count; l++)
    if (motion->friction.laws[l].own == law->own && motion->contacts.slip[l] != 0) return true;
  return false;
}

/* The mode of a law at rest whose contact is closed: whether it is clear that it sticks or slides, and where to. */
static int guess_law(const event_motion *motion, const event_law *law, double unclear) {
  const sim_arc *arc = motion->arc;
  const double *r = motion->search.reaction;
  double normal = law->constraint >= 0 ? fabs(r[law->constraint]) : 1, rate[THUD_MOST_SLIPS] = {0};
  double unit = event_row_unit(arc, event_row_of(arc, law, 0)), unclear_rates[THUD_MOST_SLIPS];
  int slip = motion->contacts.slip[law->number];
  for (size_t c = 0; c < THUD_MOST_SLIPS; c++) unclear_rates[c] = unclear;
  if (slip != 0) return law->corners > 0 && slip % 2 == 0 ? GUESS_UNCLEAR : GUESS_SLIDES;
  if (goes_with_a_slide(motion, law)) return GUESS_UNCLEAR;
  if (thud_event_inside(arc, law, r + event_row_of(arc, law, 0), normal) * unit > unclear) return GUESS_STICKS;
  for (size_t c = 0; c < law->directions; c++)
    rate[c] = rate_of(motion, event_row_of(arc, law, c)) * event_row_unit(arc, event_row_of(arc, law, c)) / unit;
  int where = thud_event_slip_sign(arc, law, rate, unclear_rates);
  if (where == 0) return GUESS_UNCLEAR;
  if (law->corners > 0) return (int)GUESS_FACE + where - 1;
  return law->directions > 1 ? GUESS_SLIDES : where > 0 ? GUESS_FORTH : GUESS_BACK;
}

static int guess_item(const event_motion *motion, size_t item, double unclear) {
  const event_law *law = thud_event_law_of(&motion->problem, &motion->friction, item);
  if (item < motion->problem.m) {
    if (motion->search.reaction[item] * event_row_unit(motion->arc, item) <= unclear)
      return rate_of(motion, item) > unclear ? GUESS_OPEN : GUESS_UNCLEAR;
  } else if (law != NULL && law->constraint >= 0) {
    return GUESS_UNCLEAR; /* the sign of a bilateral reaction is part of the mode */
  }
  return law == NULL ? GUESS_CLOSED : guess_law(motion, law, unclear);
}

/* Whether a row may have a force: equations, closed contacts at rest, laws of those or by themselves. */
static bool may_act(const event_motion *motion, size_t row) {
  const event_problem *problem = &motion->problem;
  thud_index i = row < problem->m ? (thud_index)row : motion->arc->owner[row - problem->m];
  return i < 0 || event_is_equation(problem, (size_t)i) || motion->contacts.contact[i] == EVENT_REST;
}

/* Normal forces that friction does not move (G_NT = 0) are the unique solution of their own complementarity problem when
 * G_NN is positive definite; with them the thresholds are given, and the accelerations minimise a strictly convex
 * function. The same matrix acts at every order of the series, so that the motion is the only one. */
bool thud_event_motion_is_unique(event_motion *motion) {
  const sim_arc *arc = motion->arc;
  size_t m = motion->problem.m, count = 0;
  for (size_t i = 0; i < m; i++) {
    if (!may_act(motion, i)) continue;
    for (size_t j = m; j < arc->rows; j++)
      if (may_act(motion, j) && fabs(arc->delassus[i * arc->rows + j]) > UNCOUPLED * arc->own[i] * arc->own[j])
        return false;
    if (!thud_event_join_basis(arc, &motion->equations, i, count)) return false;
    count++;
  }
  return true;
}

thud_error thud_event_guess_modes(event_motion *motion) {
  event_mode_search *search = &motion->search;
  size_t rows = motion->arc->rows;
  double size = 0;
  thud_error error = thud_event_create_single(motion);
  if (error == THUD_OK) error = pose(motion);
  if (error != THUD_OK || !solve(motion)) return error;
  thud_model_forces_into_frames(motion->problem.system, motion->search.reaction + motion->problem.m);
  for (size_t i = 0; i < rows; i++)
    size = fmax(size, fabs(motion->search.reaction[i]) * event_row_unit(motion->arc, i));
  size = fmax(size, thud_arc_distance(motion->arc, motion->arc->free, NULL));
  search->unclear = UNCLEAR * size;
  for (size_t b = 0; b < search->item_count; b++) {
    size_t item = (size_t)search->items[b];
    search->guess[item] = guess_item(motion, item, search->unclear);
  }
  return THUD_OK;
}
