/* The start of an arc: sides of the switches of expressions, impact, series.
 *
 * A switch whose argument is 0 here (an event, or the initial state) may go on to either side. Each combination of
 * sides is tried: one is consistent when, on the series computed with it, every such argument really goes to its side.
 */
#include "sim/event/event.h"

#include <float.h>

/* Velocities of a row below this are 0 where a branch changes: beside its terms, or by the rounding of v. */
static double small_velocity(const thud_event_motion *motion, size_t row, double u) {
  const double *gradient = motion->arc->jet + thud_arc_row(motion->arc, row);
  double size = 0, rounding = 0, rate = u;
  for (size_t c = 0; c < motion->n; c++) {
    size += fabs(gradient[c] * motion->v[c]);
    rounding += fabs(gradient[c]) * motion->velocity_terms[c];
    rate -= gradient[c] * motion->v[c];
  }
  return motion->options.decision_tolerance * (size + fabs(rate)) + EVENT_ROUNDING * DBL_EPSILON * rounding;
}

/* Slip that was known may have changed with a branch (a belt whose speed jumps). */
static void renew_slips(thud_event_motion *motion) {
  const sim_arc *arc = motion->arc;
  for (size_t l = 0; l < motion->law_count; l++) {
    const event_law *law = &motion->laws[l];
    const double *slip = arc->jet + arc->jets.layout.slip_velocity + law->first;
    double limit[2];
    for (size_t c = 0; c < law->directions; c++)
      limit[c] = small_velocity(motion, event_row_of(motion, law, c), slip[c]);
    if (motion->slip[l] != event_slip_sign(law, slip, limit)) motion->slip[l] = EVENT_SLIP_UNKNOWN;
  }
}

/* Contacts at rest whose gradient may have changed with a branch. */
static thud_error renew_contacts(thud_event_motion *motion) {
  const sim_arc *arc = motion->arc;
  const double *jet = arc->jet;
  for (size_t i = 0; i < motion->m; i++) {
    double u = jet[arc->jets.layout.velocity + i], limit = small_velocity(motion, i, u), distance = 0, jump = 0;
    for (size_t c = 0; c < motion->n; c++)
      distance += fabs(jet[arc->jets.layout.gradient + i * motion->n + c]) * motion->farthest;
    if (event_kind_of(motion, i) <= THUD_CONSTRAINT_BILATERAL)
      jump = fabs(jet[arc->jets.layout.gap + i] - motion->expected_gap[i]);
    if (jump > motion->options.decision_tolerance * distance)
      return thud_fail(motion->context, THUD_ERROR_UNSUPPORTED,
                       "t = %.10g: constraint '%s' jumps by %.6g where an expression changes its branch; a gap must be "
                       "continuous",
                       motion->t, thud_system_constraint(motion->system, (thud_index)i)->name, jump);
    if (motion->contact[i] != EVENT_REST) continue;
    if (event_is_equation(motion, i))
      motion->contact[i] = fabs(u) > limit ? EVENT_HIT : EVENT_REST;
    else
      motion->contact[i] = u < -limit ? EVENT_HIT : u > limit ? EVENT_PARTS : EVENT_REST;
  }
  return THUD_OK;
}

/* Slip velocities of contacts that were not closed before. */
static void find_slips(thud_event_motion *motion) {
  const sim_arc *arc = motion->arc;
  for (size_t l = 0; l < motion->law_count; l++) {
    const event_law *law = &motion->laws[l];
    double limit[2];
    if (motion->slip[l] != EVENT_SLIP_UNKNOWN) continue;
    for (size_t c = 0; c < law->directions; c++) {
      const double *row = arc->jet + thud_arc_row(arc, event_row_of(motion, law, c));
      double size = 0, rate = arc->jet[arc->jets.layout.slip_velocity + law->first + c];
      for (size_t i = 0; i < motion->n; i++) {
        size += fabs(row[i] * motion->v[i]);
        rate -= row[i] * motion->v[i];
      }
      limit[c] = motion->begun ? motion->options.decision_tolerance * size
                               : EVENT_ROUNDING * DBL_EPSILON * (size + fabs(rate));
    }
    motion->slip[l] = event_slip_sign(law, arc->jet + arc->jets.layout.slip_velocity + law->first, limit);
  }
}

/* Gaps that close must have a direction in which they do. */
static thud_error check_gradients(const thud_event_motion *motion) {
  for (size_t i = 0; i < motion->m && motion->begun; i++) {
    bool closes = motion->involved[i] && !event_lasts(motion->mode_before[i]) && motion->contact[i] != EVENT_AWAY;
    if (!closes || event_kind_of(motion, i) != THUD_CONSTRAINT_UNILATERAL) continue;
    if (motion->arc->own[i] > EVENT_NO_GRADIENT * motion->length_before[i]) continue;
    return thud_fail(
        motion->context, THUD_ERROR_UNQUALIFIED,
        "t = %.10g: the gradient of constraint '%s' is 0 where its gap closes: no reaction can act; write the "
        "gap so that it is not (y instead of y^3)",
        motion->t, thud_system_constraint(motion->system, (thud_index)i)->name);
  }
  return THUD_OK;
}

/* With the switches held as they are: begin, impact if something hits, series. */
static thud_error settle_once(thud_event_motion *motion) {
  sim_arc *arc = motion->arc;
  bool hits = false;
  motion->choice_cursor = 0;
  thud_error error = thud_arc_begin(arc, motion->t, motion->q, motion->v);
  if (error == THUD_OK) error = check_gradients(motion);
  if (error == THUD_OK && motion->switched) error = renew_contacts(motion);
  if (error == THUD_OK && motion->switched) renew_slips(motion);
  if (error == THUD_OK) error = event_project(motion);
  if (error != THUD_OK) return error;
  find_slips(motion);
  for (size_t i = 0; i < motion->m; i++) hits = hits || motion->contact[i] == EVENT_HIT;
  if (hits) {
    error = event_impact(motion);
    if (error == THUD_OK) error = thud_arc_begin(arc, motion->t, motion->q, motion->v);
    if (error == THUD_OK) error = event_rest_after_impact(motion);
  }
  if (error != THUD_OK) return error;
  error = event_decide(motion);
  if (motion->finding != THUD_EVENT_INCONSISTENT || motion->options.painleve != THUD_PAINLEVE_IMPACT) return error;
  motion->finding = THUD_EVENT_COMPLETED;
  error = event_tangential_impact(motion);
  if (error == THUD_OK) error = thud_arc_begin(arc, motion->t, motion->q, motion->v);
  return error == THUD_OK ? event_decide(motion) : error;
}

/* Sign of the first coefficient, after number 0, that counts beside the others within the step; *place is its number,
 * -1 when all are 0. */
static int first_sign(const thud_event_motion *motion, size_t j, double h, int *place) {
  const sim_arc *arc = motion->arc;
  double largest = 0, power = h;
  *place = -1;
  for (int k = 1; k <= arc->order; k++, power *= h)
    largest = fmax(largest, fabs(arc->switch_jet[(size_t)k * arc->switches + j]) * power);
  power = h;
  for (int k = 1; k <= arc->order; k++, power *= h) {
    double c = arc->switch_jet[(size_t)k * arc->switches + j];
    if (!(fabs(c) * power > motion->options.decision_tolerance * largest)) continue;
    *place = k;
    return c > 0 ? 1 : -1;
  }
  return 1; /* rests at 0: the side of step(0) = 1 */
}

static bool sides_are_consistent(thud_event_motion *motion) {
  double h = thud_arc_step(motion->arc, motion->options.end - motion->t);
  bool consistent = true;
  for (size_t j = 0; j < motion->arc->switches; j++) {
    motion->switch_deflate[j] = 0;
    if (!motion->at_zero[j]) continue;
    consistent = first_sign(motion, j, h, &motion->switch_deflate[j]) == motion->held[j] && consistent;
  }
  return consistent;
}

thud_error event_hold_switches(thud_event_motion *motion) {
  thud_error error = THUD_OK;
  for (size_t j = 0; j < motion->arc->switches && error == THUD_OK; j++)
    error = thud_expr_work_hold(motion->arc->work, (thud_index)j, motion->held[j]);
  return error;
}

/* The sides at the very start, as far as the arguments show them. */
static thud_error first_sides(thud_event_motion *motion) {
  thud_error error = thud_arc_begin(motion->arc, motion->t, motion->q, motion->v);
  for (size_t j = 0; j < motion->arc->switches && error == THUD_OK; j++) {
    double argument = motion->arc->switch_jet[j];
    motion->at_zero[j] = argument == 0;
    motion->held[j] = argument < 0 ? -1 : 1;
  }
  return error;
}

/* What a trial changes. */
typedef struct trial {
  thud_event_info info;
  bool jumped, tangential;
} trial;

static void save(const thud_event_motion *motion, trial *kept) {
  *kept = (trial){motion->info, motion->jumped, motion->tangential};
  memcpy(motion->saved, motion->v, motion->n * sizeof(double));
  memcpy(motion->saved + motion->n, motion->q, motion->n * sizeof(double));
  memcpy(motion->kept_slip, motion->slip, motion->law_count * sizeof *motion->slip);
  for (size_t i = 0; i < motion->m; i++) motion->kept_contact[i] = motion->contact[i];
}

static void restore(thud_event_motion *motion, const trial *kept) {
  motion->info = kept->info;
  motion->jumped = kept->jumped;
  motion->tangential = kept->tangential;
  memcpy(motion->v, motion->saved, motion->n * sizeof(double));
  memcpy(motion->q, motion->saved + motion->n, motion->n * sizeof(double));
  memcpy(motion->slip, motion->kept_slip, motion->law_count * sizeof *motion->slip);
  for (size_t i = 0; i < motion->m; i++) motion->contact[i] = motion->kept_contact[i];
}

static void choose_sides(thud_event_motion *motion, size_t count, const size_t *zero, const int *preferred,
                         unsigned choice) {
  for (size_t b = 0; b < count; b++) motion->held[zero[b]] = (choice >> b & 1u) ? -preferred[b] : preferred[b];
}

static thud_error no_way_on(thud_event_motion *motion, size_t j, int found) {
  thud_expr_switch place = thud_expr_program_switch(motion->arc->jets.program, (thud_index)j);
  return thud_fail(
      motion->context, THUD_ERROR_UNSUPPORTED, "t = %.10g: %s where '%s' in the %s changes its branch (column %d): %s",
      motion->t, found == 0 ? "no branch goes on consistently" : "several branches go on consistently", place.operation,
      thud_model_text_name(motion->system, place.source), (int)place.place.column,
      found == 0 ? "the motion would have to stay on the switch (write dry friction as a friction law, a gap with a "
                   "corner as two constraints)"
                 : "the motion is not unique");
}

static thud_error try_sides(thud_event_motion *motion, size_t count, const size_t *zero) {
  int preferred[EVENT_MAX_ZERO_SWITCHES], found = 0;
  unsigned good = 0;
  trial kept;
  thud_error error = THUD_OK;
  /* A crossing goes to the other side, as a rule. */
  for (size_t b = 0; b < count; b++) preferred[b] = motion->switched ? -motion->held[zero[b]] : motion->held[zero[b]];
  save(motion, &kept);
  for (unsigned choice = 0; choice < 1u << count && error == THUD_OK; choice++) {
    restore(motion, &kept);
    choose_sides(motion, count, zero, preferred, choice);
    error = event_hold_switches(motion);
    if (error == THUD_OK) error = settle_once(motion);
    if (error != THUD_OK || !sides_are_consistent(motion)) continue;
    if (found++ == 0) good = choice;
  }
  if (error != THUD_OK) return error;
  if (found != 1) return no_way_on(motion, zero[0], found);
  restore(motion, &kept);
  choose_sides(motion, count, zero, preferred, good);
  error = event_hold_switches(motion);
  if (error == THUD_OK) error = settle_once(motion);
  if (error == THUD_OK) sides_are_consistent(motion);
  return error;
}

thud_error event_settle(thud_event_motion *motion) {
  size_t zero[EVENT_MAX_ZERO_SWITCHES], count = 0;
  thud_error error = motion->begun || motion->arc->switches == 0 ? THUD_OK : first_sides(motion);
  for (size_t j = 0; j < motion->arc->switches && error == THUD_OK; j++) {
    if (!motion->at_zero[j]) continue;
    if (count == EVENT_MAX_ZERO_SWITCHES)
      return thud_fail(motion->context, THUD_ERROR_UNSUPPORTED,
                       "t = %.10g: more than %d expressions change their branches at once", motion->t,
                       EVENT_MAX_ZERO_SWITCHES);
    zero[count++] = j;
  }
  if (error != THUD_OK) return error;
  if (count > 0) return try_sides(motion, count, zero);
  error = event_hold_switches(motion);
  if (error == THUD_OK) error = settle_once(motion);
  if (error == THUD_OK) sides_are_consistent(motion);
  return error;
}
