/* Modes of many contacts with friction at once. Combinations are too many to be tried, but the accelerations satisfy the
 * same law as velocities after an impact do: with a_free = M^-1 F, and gamma the part of u' without acceleration,
 *
 *   M (a - a_free) = sum A_i' r_i,   0 <= u_N' = A_N a + gamma_N  perp  r_N >= 0,   r_T in tau D, opposite to u_T',
 *
 * where the slip is 0; where it is not, r_T = -tau d is given by the reaction, which is found by iteration. What the
 * solution leaves clear is the only mode that is tried; contacts near an edge (no reaction and no separation, the
 * threshold reached and no slip) keep all their modes. The series then prove or refute the guess. */
#include "sim/event/event.h"

/* Forces and accelerations below this, relative to the largest, leave a mode open. */
#define UNCLEAR 1e-7
#define MOST_ITERATIONS 200
#define SETTLED 1e-13

/* The velocity problem of accelerations; values[] are those of the arc, with gamma in place of the rates. */
static thud_error pose(thud_event_motion *motion) {
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
    if (motion->contacts.slip[l] != 0) values->friction[motion->friction.laws[l].number] = 0;
  return THUD_OK;
}

/* a_free with the friction of what slides already, for these reactions. */
static void push_by_slides(const thud_event_motion *motion, const double *normal, double *a) {
  const sim_arc *arc = motion->arc;
  memcpy(a, arc->free, arc->n * sizeof *a);
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    const double *slip = arc->jet + arc->jets.layout.slip_velocity + law->first;
    if (motion->contacts.slip[l] == 0 || (law->unilateral && !motion->collision.acting[law->constraint])) continue;
    double force = law->constraint >= 0 ? fabs(normal[law->constraint]) : 1;
    double tau = event_friction_factor(arc, law, 0) * force, speed = law->directions == 2 ? hypot(slip[0], slip[1]) : 1;
    for (size_t c = 0; c < law->directions; c++) {
      double along = law->directions == 2 ? slip[c] / speed : motion->contacts.slip[l];
      const double *path = arc->response + event_row_of(arc, law, c) * arc->n;
      for (size_t i = 0; i < arc->n; i++) a[i] -= tau * along * path[i];
    }
  }
}

/* r and a of the whole problem. False: nothing was found. */
static bool solve(thud_event_motion *motion) {
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
static double rate_of(const thud_event_motion *motion, size_t row) {
  const sim_arc *arc = motion->arc;
  double sum = arc->jet[thud_arc_convective(arc, row)];
  return (sum + motion_dot((thud_index)arc->n, arc->jet + thud_arc_row(arc, row), motion->search.acceleration)) /
         event_row_unit(arc, row);
}

/* The mode of a law at rest whose contact is closed: whether it is clear that it sticks or slides, and where to. */
static event_guess guess_law(const thud_event_motion *motion, const event_law *law, double unclear) {
  const sim_arc *arc = motion->arc;
  const double *r = motion->search.reaction;
  double normal = law->constraint >= 0 ? fabs(r[law->constraint]) : 1, force = 0, rate = 0;
  double unit = event_row_unit(arc, event_row_of(arc, law, 0));
  if (motion->contacts.slip[law->number] != 0) return GUESS_SLIDES;
  for (size_t c = 0; c < law->directions; c++) {
    double own = r[event_row_of(arc, law, c)], u = rate_of(motion, event_row_of(arc, law, c));
    force = hypot(force, own * unit);
    rate = law->directions == 2 ? hypot(rate, u) : u;
  }
  if (force < event_friction_factor(arc, law, 0) * normal * unit - unclear) return GUESS_STICKS;
  if (fabs(rate) <= unclear) return GUESS_UNCLEAR;
  return law->directions == 2 ? GUESS_SLIDES : rate > 0 ? GUESS_FORTH : GUESS_BACK;
}

static event_guess guess_item(const thud_event_motion *motion, size_t item, double unclear) {
  const event_law *law = thud_event_law_of(&motion->problem, &motion->friction, item);
  if (item < motion->problem.m) {
    if (motion->search.reaction[item] * event_row_unit(motion->arc, item) <= unclear)
      return rate_of(motion, item) > unclear ? GUESS_OPEN : GUESS_UNCLEAR;
  } else if (law != NULL && law->constraint >= 0) {
    return GUESS_UNCLEAR; /* the sign of a bilateral reaction is part of the mode */
  }
  return law == NULL ? GUESS_CLOSED : guess_law(motion, law, unclear);
}

thud_error thud_event_guess_modes(thud_event_motion *motion) {
  event_mode_search *search = &motion->search;
  size_t rows = motion->arc->rows;
  double size = 0;
  thud_error error = thud_event_create_single(motion);
  if (error == THUD_OK) error = pose(motion);
  if (error != THUD_OK || !solve(motion)) return error;
  for (size_t i = 0; i < rows; i++)
    size = fmax(size, fabs(motion->search.reaction[i]) * event_row_unit(motion->arc, i));
  size = fmax(size, thud_arc_distance(motion->arc, motion->arc->free, NULL));
  for (size_t b = 0; b < search->item_count; b++) {
    size_t item = (size_t)search->items[b];
    search->guess[item] = (int)guess_item(motion, item, UNCLEAR * size);
  }
  return THUD_OK;
}
