/* One combination of modes of the closed contacts, in systems with Coulomb friction: its equations and conditions.
 *
 * Every combination of modes of the closed contacts (open; closed; sticking; sliding) turns the contacts into equations
 * (event_order.c), and so gives one power series of the motion. The combination is consistent when the conditions of
 * its modes hold on some interval ]0, s[, that is when the first coefficient that is not 0 is positive in
 *
 *   closed    r_N
 *   open      u_N'
 *   sticking  tau - r_T, tau + r_T, or tau^2 - |r_T|^2 with two components, tau = mu |r_N| or a force
 *   sliding   d u_T', where the slip velocity is 0 (d the direction)
 *
 * This is the recursion of Ballard and Basseville (M2AN 39, 2005) with all orders at once: acceleration level first,
 * and higher derivatives where that is degenerate. Modes that say the same in a degenerate case are counted once: open
 * and sliding need a coefficient that is positive. Friction laws by themselves and those of bilateral constraints are
 * items of a combination as contacts are; of a bilateral constraint the sign of its reaction belongs to the mode. */
#include "motions/event/event.h"

#include "model/factors.h"

#include <float.h>

event_law *thud_event_law_of(const event_problem *problem, const event_friction_laws *friction, size_t item) {
  if (item >= problem->m) return &friction->laws[item - problem->m];
  for (size_t l = 0; l < problem->law_count; l++)
    if (friction->laws[l].constraint == (thud_index)item) return &friction->laws[l];
  return NULL;
}

/* Whether a mode is the one that was guessed. */
static bool is_guessed(int option, int guess) {
  switch (guess) {
  case GUESS_OPEN: return option == EVENT_CHOICE_OPEN;
  case GUESS_STICKS: return option == EVENT_CHOICE_STICK;
  case GUESS_FORTH: return option == EVENT_CHOICE_FORTH;
  case GUESS_BACK: return option == EVENT_CHOICE_BACK;
  case GUESS_CLOSED:
  case GUESS_SLIDES: return option != EVENT_CHOICE_OPEN && option != EVENT_CHOICE_STICK;
  case GUESS_UNCLEAR: return true;
  default: return option == EVENT_CHOICE_FACE + guess - GUESS_FACE;
  }
}

/* The faces of a polygon on which the force may be when the slip begins, or goes on as it is. */
static int faces_of(const thud_system *system, const event_law *law, int slip, int *options) {
  int count = 0, face = slip - 1, last = 2 * law->corners;
  for (int k = 0; k < last && slip == 0; k++)
    if (k % 2 == 0 || thud_event_edge_is_real(system, law, k / 2)) options[count++] = EVENT_CHOICE_FACE + k;
  if (slip == 0) return count;
  if (face % 2 == 0 || thud_event_edge_is_real(system, law, face / 2)) options[count++] = EVENT_CHOICE_FACE + face;
  if (face % 2 == 0) return count; /* on its edge, or at its ends */
  options[count++] = EVENT_CHOICE_FACE + face - 1;
  options[count++] = EVENT_CHOICE_FACE + (face + 1) % last;
  return count;
}

int thud_event_options_of(const event_problem *problem, const event_friction_laws *friction,
                          const event_contacts *contacts, const event_mode_search *search, size_t item, int *options) {
  const event_law *law = thud_event_law_of(problem, friction, item);
  int count = 0;
  if (law == NULL) {
    options[count++] = EVENT_CHOICE_CLOSED;
  } else {
    int slip = contacts->slip[law->number];
    bool plane = law->directions == 1;
    if (slip == 0) options[count++] = EVENT_CHOICE_STICK;
    if (law->corners > 0) count += faces_of(problem->system, law, slip, options + count);
    if (slip >= 0 && law->corners == 0 && !(plane && isinf(law->reach[0])))
      options[count++] = plane ? EVENT_CHOICE_FORTH : EVENT_CHOICE_SLIDE;
    if (slip <= 0 && plane && !isinf(law->reach[1])) options[count++] = EVENT_CHOICE_BACK;
    int once = count;
    for (int k = 0; k < once && !law->unilateral && law->constraint >= 0; k++)
      options[count++] = options[k] | EVENT_CHOICE_NEGATIVE;
  }
  /* a further law without a force against its slip: only where the contact opens */
  if (item < problem->m || count == 0) options[count++] = EVENT_CHOICE_OPEN;
  if (!search->guessed) return count;
  int kept = 0;
  for (int k = 0; k < count; k++)
    if (is_guessed(options[k], search->guess[item])) options[kept++] = options[k];
  return kept > 0 ? kept : count;
}

/* ---- one combination --------------------------------------------------------------------------------------------- */

/* What the series computed with the choices starts from. */
static void apply_law(const sim_arc *arc, const event_contacts *contacts, event_law *law, int chosen) {
  size_t l = law->number;
  const double *slip = arc->jet + arc->jets.layout.slip_velocity + law->first;
  int mode = chosen & ~EVENT_CHOICE_NEGATIVE;
  law->sign = (chosen & EVENT_CHOICE_NEGATIVE) ? -1 : 1;
  law->slip_order = -1;
  law->active = false;
  law->state = mode == EVENT_CHOICE_OPEN ? LAW_OFF : mode == EVENT_CHOICE_STICK ? LAW_STICK : LAW_SLIDE;
  law->along[0] = mode == EVENT_CHOICE_BACK ? -1 : 1;
  law->along[1] = 0;
  if (law->directions == 1)
    law->radius = mode == EVENT_CHOICE_FORTH  ? law->reach[0]
                  : mode == EVENT_CHOICE_BACK ? law->reach[1]
                                              : thud_event_largest_reach(law);
  if (mode >= EVENT_CHOICE_FACE) {
    law->face = mode - EVENT_CHOICE_FACE;
    if (law->face % 2 == 1) law->state = LAW_EDGE;
    thud_event_corner(arc, law, law->face / 2, law->along);
    for (size_t c = 0; c < 2; c++) law->along[c] = -law->along[c];
  }
  bool curve = law->curved && law->state == LAW_SLIDE && thud_event_is_on_curve(arc, law);
  if (curve && contacts->slip[l] == 0) law->state = LAW_ONSET;
  if (curve && contacts->slip[l] != 0) thud_event_set_slip_along(arc, law, slip);
  if (mode != EVENT_CHOICE_SLIDE || law->curved) return;
  double speed = hypot(slip[0], slip[1]);
  if (contacts->slip[l] == 0) {
    law->state = LAW_ONSET;
  } else {
    law->along[0] = slip[0] / speed;
    law->along[1] = slip[1] / speed;
  }
}

/* The mode of an item: further laws of a contact that opens have none. */
static int choice_of(const event_motion *motion, size_t item) {
  const event_law *law = thud_event_law_of(&motion->problem, &motion->friction, item);
  bool follows = item >= motion->problem.m && law->unilateral;
  return follows && motion->search.chosen[law->constraint] == EVENT_CHOICE_OPEN ? EVENT_CHOICE_OPEN
                                                                                : motion->search.chosen[item];
}

bool thud_event_is_repeated(const event_motion *motion) {
  for (size_t b = 0; b < motion->search.item_count; b++) {
    size_t item = (size_t)motion->search.items[b];
    if (motion->search.digit[item] != 0 && motion->search.chosen[item] != choice_of(motion, item)) return true;
  }
  return false;
}

/* Rows that hold as equations, and what slides. */
static void apply_choices(event_motion *motion) {
  event_mode_search *search = &motion->search;
  for (size_t l = 0; l < motion->problem.law_count; l++) motion->friction.laws[l].state = LAW_OFF;
  for (size_t b = 0; b < search->item_count; b++) {
    size_t item = (size_t)search->items[b];
    event_law *law = thud_event_law_of(&motion->problem, &motion->friction, item);
    if (item < motion->problem.m)
      motion->modes.mode[item] = search->chosen[item] == EVENT_CHOICE_OPEN ? THUD_CONTACT_OPEN : THUD_CONTACT_LASTING;
    if (law != NULL) apply_law(motion->arc, &motion->contacts, law, choice_of(motion, item));
  }
  search->branch = search->chosen[event_choice_count(&motion->problem) - 1];
  search->branch_count = 1;
  thud_event_gather_rows(motion);
}

/* The size of the order's terms in units in which every gradient has length 1. */
static double size_of_order(const event_motion *motion, int k) {
  const sim_arc *arc = motion->arc;
  double size = thud_event_lent_size(motion);
  for (size_t i = 0; i < arc->rows; i++) {
    thud_index owner = i < motion->problem.m ? (thud_index)i : arc->owner[i - motion->problem.m];
    if (owner >= 0 && motion->contacts.contact[owner] == EVENT_AWAY) continue;
    if (arc->own[i] > 0) size = fmax(size, arc->size[i] / arc->own[i]);
    size = fmax(size, motion->last.reference[(size_t)k * arc->rows + i] * arc->own[i]);
    if (arc->own[i] > 0)
      size =
          fmax(size, arc->noise[(size_t)k * arc->rows + i] / arc->own[i] / motion->problem.options.decision_tolerance);
  }
  return size;
}

double thud_event_share_of_force(const event_motion *motion, size_t row) {
  const sim_arc *arc = motion->arc;
  if (row < motion->problem.m) return 1;
  const event_law *law = &motion->friction.laws[arc->law[row - motion->problem.m]];
  if (law->state <= LAW_STICK || law->constraint < 0) return 1;
  return 1 / fmax(1, fabs(event_friction_factor(arc, law, 0)));
}

/* The same with what the reactions add to it. */
static double size_with_reactions(const event_motion *motion, int k, double size) {
  const sim_arc *arc = motion->arc;
  const event_equations *equations = &motion->equations;
  const double *reaction = arc->reaction + (size_t)k * arc->rows;
  for (size_t a = 0; a < equations->count; a++) {
    size_t row = (size_t)equations->rows[a];
    size = fmax(size, fabs(reaction[row]) * event_row_unit(arc, row) * thud_event_share_of_force(motion, row));
  }
  return size;
}

/* A condition that waits for its first coefficient. False: it is negative. */
static bool condition_holds(double value, double limit, int k, int *decided) {
  if (*decided != EVENT_NOT_YET || fabs(value) <= limit) return true;
  *decided = k;
  return value > 0;
}

/* The rounding of a slip velocity, beside the terms that it is the sum of. */
static double rounding_of_slip(const sim_arc *arc, const event_law *law) {
  double size = 0;
  for (size_t c = 0; c < law->directions; c++) {
    const double *row = arc->jet + thud_arc_row(arc, event_row_of(arc, law, c));
    double rate = arc->jet[arc->jets.layout.slip_velocity + law->first + c];
    for (size_t i = 0; i < arc->n; i++) {
      size += fabs(row[i] * arc->v[i]);
      rate -= row[i] * arc->v[i];
    }
    size += fabs(rate);
  }
  return EVENT_ROUNDING * DBL_EPSILON * size;
}

/* What rounding leaves open of the direction of the slowest slip that turns: forces elsewhere follow it. */
static double blur_of_directions(const event_motion *motion) {
  const sim_arc *arc = motion->arc;
  double blur = 0;
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    double speed = 0;
    if (law->directions < 2 || law->corners > 0 || law->state != LAW_SLIDE) continue;
    for (size_t c = 0; c < law->directions; c++)
      speed = hypot(speed, arc->jet[arc->jets.layout.slip_velocity + law->first + c]);
    if (speed > 0) blur = fmax(blur, rounding_of_slip(arc, law) / speed);
  }
  return blur;
}

/* Error of coefficient k of a reaction at an event: the rounding of the order's terms, what differences leave open of them,
 * and what the coefficient above it makes of times that count as one. */
static double rounding_of_reaction(const event_motion *motion, size_t row, int k, double size) {
  const sim_arc *arc = motion->arc;
  double unit = event_row_unit(arc, row), error = EVENT_ROUNDING * DBL_EPSILON * size / unit;
  if (k <= arc->decide) error += arc->noise[(size_t)k * arc->rows + row] / (unit * unit);
  if (k == arc->order) return error;
  double slope = (k + 1) * motion->last.reference[(size_t)(k + 1) * arc->rows + row];
  double shift = fmax(EVENT_TIME_ROUNDING, motion->problem.options.time_tolerance) * fabs(motion->state.t);
  return error + shift * slope;
}

/* Error of coefficient k of the threshold reach mu r_N of a law: with a large mu it is far above that of r_T. */
static double rounding_of_threshold(const event_motion *motion, const event_law *law, double reach, int k,
                                    double size) {
  if (law->constraint < 0) return 0;
  return fabs(reach * event_friction_factor(motion->arc, law, 0)) *
         rounding_of_reaction(motion, (size_t)law->constraint, k, size);
}

/* The same of a margin, the threshold less the force. */
static double rounding_of_margin(const event_motion *motion, const event_law *law, const event_measure *measure, int k,
                                 double size) {
  double reach = measure->kind == MEASURE_MARGIN ? measure->reach : law->radius;
  double error = rounding_of_threshold(motion, law, reach, k, size);
  for (size_t c = 0; c < law->directions; c++)
    error += rounding_of_reaction(motion, event_row_of(motion->arc, law, c), k, size);
  return error;
}

/* A margin of a law, forces being in units of 1/length of its gradients. */
static bool margin_holds(const event_motion *motion, const event_law *law, int part, const event_measure *measure,
                         int k, double size) {
  const sim_arc *arc = motion->arc;
  const double *sizes = motion->search.order_size;
  double unit = event_row_unit(arc, event_row_of(arc, law, 0)), tolerance = motion->problem.options.decision_tolerance;
  for (size_t c = 1; c < law->directions; c++) unit = fmin(unit, event_row_unit(arc, event_row_of(arc, law, c)));
  double rounding = rounding_of_margin(motion, law, measure, k, size);
  if (measure->kind == MEASURE_DISC) {
    rounding = 0; /* of tau^2 - |r_T|^2, where |r_T| <= tau */
    for (int j = 0; j <= k; j++)
      rounding += 2 * rounding_of_margin(motion, law, measure, j, sizes[j]) * sizes[k - j] / unit;
    size = 0;
    for (int j = 0; j <= k; j++) size += sizes[j] * sizes[k - j] / unit;
    size = ldexp(size, 2 * k); /* the force may stay at the edge of its disc, and its errors grow with the order */
  }
  if (measure->kind >= MEASURE_DISC) tolerance = fmax(tolerance, blur_of_directions(motion));
  return condition_holds(thud_event_margin(arc, law, measure, k), fmax(tolerance * size / unit, rounding), k,
                         event_part_order(motion, law, part));
}

/* A slip that begins goes where its mode says. */
static bool slip_holds(const event_motion *motion, event_law *law, int part, const event_measure *measure, int k,
                       double size) {
  const sim_arc *arc = motion->arc;
  const double *reaction = arc->reaction + (size_t)k * arc->rows;
  size_t row = event_row_of(arc, law, 0);
  double unit = event_row_unit(arc, row), rate = 0;
  /* the force of a sliding law is its threshold, whose error goes on to the slip: u_T' = G_TT r_T */
  double limit = fmax(motion->problem.options.decision_tolerance * size * unit,
                      unit * unit * rounding_of_threshold(motion, law, law->radius, k, size));
  bool turns = law->directions >= 2 && law->corners == 0;
  if (!thud_event_slip_is_zero(&motion->contacts, law, part) || (turns && law->state != LAW_CRAWL)) return true;
  if (motion->joint.on && k == motion->joint.order && law->state == LAW_CRAWL) return true; /* no slip here */
  for (size_t c = 0; c < law->directions; c++)
    rate += measure->along[c] * thud_event_separation_rate(arc, &motion->equations, row + c, reaction);
  if (!condition_holds(rate, limit, k, event_part_order(motion, law, part))) return false;
  if (law->state == LAW_CRAWL && *event_part_order(motion, law, part) == k) {
    law->state = LAW_TURN;
    law->slip_order = k;
  }
  return true;
}

/* The face to which a slip turns that leaves the cone of a corner or piece on the side `part`. */
static int face_beside(const event_motion *motion, const event_law *law, int part) {
  int last = 2 * law->corners, step = part == 0 ? 1 : last - 1;
  bool real = thud_event_edge_is_real(motion->problem.system, law, law->face / 2 - part);
  return (law->face + (real ? step : 2 * step)) % last;
}

/* The mode of a law whose condition `part` is violated that has it as an equation, or the other way round. */
static int choice_instead(const event_motion *motion, const event_law *law, int part, event_measure_kind kind) {
  int last = 2 * law->corners, made = EVENT_CHOICE_STICK;
  bool rests = motion->contacts.slip[law->number] == 0;
  if (kind == MEASURE_DISC || kind == MEASURE_GAUGE) made = EVENT_CHOICE_SLIDE;
  if (kind == MEASURE_GAUGE && law->corners > 0)
    made = EVENT_CHOICE_FACE +
           thud_event_face_of_force(motion->arc, law, motion->arc->reaction + event_row_of(motion->arc, law, 0));
  if (kind == MEASURE_MARGIN && law->directions == 1) made = part == 1 ? EVENT_CHOICE_BACK : EVENT_CHOICE_FORTH;
  if (kind == MEASURE_MARGIN && law->corners > 0)
    made = EVENT_CHOICE_FACE + (law->state == LAW_STICK ? 2 * part + 1
                                : part == 1             ? (law->face + 1) % last
                                                        : law->face - 1);
  if (kind == MEASURE_SLIP && law->corners > 0 && law->state != LAW_EDGE)
    made = EVENT_CHOICE_FACE + face_beside(motion, law, part);
  else if (kind == MEASURE_SLIP && !rests)
    return EVENT_CHOICE_NONE;
  return law->sign < 0 ? made | EVENT_CHOICE_NEGATIVE : made;
}

/* The conditions of a friction law at order k. */
static bool law_is_consistent(event_motion *motion, event_law *law, int k, double size, int *instead) {
  const sim_arc *arc = motion->arc;
  const double *reaction = arc->reaction + (size_t)k * arc->rows;
  double limit = motion->problem.options.decision_tolerance * size;
  bool holds = true;
  if (!law->unilateral && law->constraint >= 0 &&
      !condition_holds(law->sign * reaction[law->constraint], limit / event_row_unit(arc, (size_t)law->constraint), k,
                       &motion->modes.law_order[law->number])) {
    *instead = motion->search.chosen[motion->problem.m + law->number] ^ EVENT_CHOICE_NEGATIVE;
    return false;
  }
  for (int part = 0; part < (int)motion->problem.measures && holds; part++) {
    const event_measure measure = thud_event_measure(arc, law, part);
    if (measure.kind == MEASURE_NONE) continue;
    holds = measure.kind == MEASURE_SLIP ? slip_holds(motion, law, part, &measure, k, size)
                                         : margin_holds(motion, law, part, &measure, k, size);
    if (!holds) *instead = choice_instead(motion, law, part, measure.kind);
  }
  return holds;
}

/* The first mode of an item that a guess does not restrict. */
static int first_option(const event_motion *motion, size_t item) {
  event_mode_search search = motion->search;
  int options[EVENT_MOST_CHOICES];
  search.guessed = false;
  thud_event_options_of(&motion->problem, &motion->friction, &motion->contacts, &search, item, options);
  return options[0];
}

/* Normal reactions below this are 0, and separations below the same by them. With a large mu a small reaction carries a
 * force that is not: it counts by the force, down to its own rounding. */
static double limit_of_reaction(const event_motion *motion, size_t item, const event_law *law, int k, double size) {
  const sim_arc *arc = motion->arc;
  double limit = motion->problem.options.decision_tolerance * size, plain = limit / event_row_unit(arc, item);
  if (law == NULL || law->constraint != (thud_index)item) return plain;
  double by_force = limit / event_row_unit(arc, event_row_of(arc, law, 0)) / fabs(event_friction_factor(arc, law, 0));
  return fmin(plain, fmax(by_force, rounding_of_reaction(motion, item, k, size)));
}

/* The conditions of an item at order k, reactions of the order being known; *instead: the mode of one that is violated.
 */
static bool item_is_consistent(event_motion *motion, size_t item, int k, double size, int *instead) {
  const sim_arc *arc = motion->arc;
  const double *reaction = arc->reaction + (size_t)k * arc->rows;
  event_law *law = thud_event_law_of(&motion->problem, &motion->friction, item);
  if (item < motion->problem.m) {
    double unit = event_row_unit(arc, item), limit = limit_of_reaction(motion, item, law, k, size);
    bool open = motion->search.chosen[item] == EVENT_CHOICE_OPEN;
    double value = open ? thud_event_separation_rate(arc, &motion->equations, item, reaction) : reaction[item];
    if (!condition_holds(value, open ? limit * unit * unit : limit, k, &motion->modes.order[item])) {
      *instead = open ? first_option(motion, item) : EVENT_CHOICE_OPEN;
      return false;
    }
    if (open) return true;
  } else if (law->unilateral && motion->search.chosen[item] == EVENT_CHOICE_OPEN) {
    return motion->search.chosen[law->constraint] == EVENT_CHOICE_OPEN;
  }
  return law == NULL || law_is_consistent(motion, law, k, size, instead);
}

/* Slip that has its direction from where two pieces of an outline join, and keeps it: both have the same force. */
static bool may_stay_between_pieces(const event_motion *motion, const event_law *law, int part) {
  return motion->contacts.slip[law->number] != 0 && law->state != LAW_EDGE &&
         !thud_event_edge_is_real(motion->problem.system, law, law->face / 2 - part);
}

/* Open contacts and (unless forces at the edges of cones are sought) slips from rest must have moved by the last order.
 */
static bool all_decided(const event_motion *motion) {
  if (motion->search.pivoted) return true; /* neither force nor separation, threshold and no slip: the law holds */
  for (size_t b = 0; b < motion->search.item_count; b++) {
    size_t item = (size_t)motion->search.items[b];
    const event_law *law = thud_event_law_of(&motion->problem, &motion->friction, item);
    if (motion->search.chosen[item] == EVENT_CHOICE_OPEN && motion->modes.order[item] == EVENT_NOT_YET) return false;
    if (law == NULL || law->state <= LAW_STICK || motion->search.level == SEARCH_EDGES) continue;
    for (int part = 0; part < (int)motion->problem.measures; part++)
      if (thud_event_measure(motion->arc, law, part).kind == MEASURE_SLIP &&
          thud_event_slip_is_zero(&motion->contacts, law, part) &&
          *event_part_order(motion, law, part) == EVENT_NOT_YET && !may_stay_between_pieces(motion, law, part))
        return false;
  }
  return true;
}

/* With two components slip comes to rest either straight, and then the root of its component along d(0) is exact, or
 * turning ever faster, where the steps of the series shrink with the time that is left. Slip that will be another one
 * within the time tolerance, |u_T|/|u_T'|, is taken as 0: that time bounds the error of the event. */
static bool slip_vanishes(event_motion *motion) {
  const sim_arc *arc = motion->arc;
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    bool turns = law->directions >= 2 && (law->curved ? thud_event_is_on_curve(arc, law) : law->corners == 0);
    if (!turns || law->state != LAW_SLIDE || motion->contacts.slip[l] == 0) continue;
    double speed = thud_event_slip_along(arc, law, law->curved ? law->toward : law->along, 0), size = 0;
    for (size_t c = 0; c < law->directions; c++)
      size = hypot(size, thud_event_separation_rate(arc, &motion->equations, event_row_of(arc, law, c), arc->reaction));
    double time = fmax(fabs(motion->state.t), motion->state.t - motion->problem.options.start);
    double least = motion->problem.options.time_tolerance * time * size;
    if (!thud_arc_is_series(arc)) least = fmax(least, rounding_of_slip(arc, law) / ARC_HIDDEN_ANGLE);
    if (!(speed <= least)) continue;
    motion->search.vanished = (int)l;
    motion->event.t_error = fmax(motion->event.t_error, speed / size);
    return true;
  }
  return false;
}

/* Conditions of all items at order k, up to the first that is violated; by pivots all of them. */
static bool items_are_consistent(event_motion *motion, int k, double size) {
  event_mode_search *search = &motion->search;
  bool all = true;
  for (size_t b = 0; b < search->item_count && (all || search->pivoting); b++) {
    size_t item = (size_t)search->items[b];
    int instead = EVENT_CHOICE_NONE;
    if (item_is_consistent(motion, item, k, size, &instead)) continue;
    all = false;
    if (search->pivoting && search->instead[item] == EVENT_CHOICE_NONE) search->instead[item] = instead;
  }
  return all;
}

/* Of laws that slide along outlines two orders are known. */
static bool slides_on_curve(const event_motion *motion) {
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    if (law->curved && law->state > LAW_STICK && law->state != LAW_EDGE && thud_event_is_on_curve(motion->arc, law))
      return true;
  }
  return false;
}

thud_error thud_event_try_choices(event_motion *motion, bool *consistent) {
  event_modes *modes = &motion->modes;
  event_mode_search *search = &motion->search;
  sim_arc *arc = motion->arc;
  thud_error error = THUD_OK;
  arc->top = arc->order;
  apply_choices(motion);
  *consistent = search->level >= SEARCH_CENTRAL || !thud_event_slip_is_held_fast(motion);
  for (size_t i = 0; i < motion->problem.m; i++) modes->order[i] = EVENT_NOT_YET;
  for (size_t l = 0; l < motion->problem.law_count; l++) modes->law_order[l] = EVENT_NOT_YET;
  for (size_t k = 0; k < motion->problem.law_count * motion->problem.measures; k++)
    modes->part_order[k] = EVENT_NOT_YET;
  bool solved = *consistent;
  for (int k = 0; k <= arc->decide && k <= arc->top && solved && (*consistent || search->pivoting) && error == THUD_OK;
       k++) {
    if (k > 0 && search->item_count == 0 && !thud_arc_is_series(arc)) break;
    if (k > 1 && slides_on_curve(motion)) break;
    error = thud_arc_open_order(arc, k);
    if (error == THUD_OK) error = thud_event_check_singular(motion);
    if (error != THUD_OK) break;
    thud_event_follow_slip_directions(&motion->problem, arc, &motion->friction, k);
    double size = search->order_size[k] = size_of_order(motion, k);
    solved = thud_event_solve_order(motion, k, size);
    size = search->order_size[k] = size_with_reactions(motion, k, size);
    *consistent = solved && items_are_consistent(motion, k, size) && *consistent;
    if (k == 0 && *consistent && slip_vanishes(motion)) *consistent = false;
    thud_event_close_order(motion, k);
  }
  *consistent = *consistent && error == THUD_OK && all_decided(motion);
  return error;
}
