/* One arc, from the choice of its piece to the state, the contacts and the energy at its end. */
#include "motions/event/event.h"

#include "expr/program.h"
#include "model/factors.h"

#include <float.h>

/* ---- the state at the end of the arc ----------------------------------------------------------------------------- */

/* A gap that is not positive at the start of an arc: by its velocity. */
static event_contact contact_at_start(const sim_arc *arc, size_t i) {
  double u = thud_arc_jet(arc, 0)[arc->jets.layout.velocity + i];
  return u < 0 ? EVENT_HIT : u > 0 ? EVENT_PARTS : EVENT_REST;
}

static void set_contact_at_end(event_motion *motion, size_t i, double s) {
  event_contacts *contacts = &motion->contacts;
  const arc_root *root = &motion->piece.roots[i];
  bool held = event_lasts(motion->modes.mode[i]) || motion->modes.mode[i] == THUD_CONTACT_UNDECIDED;
  motion->event.involved[i] = root->kind != ARC_ROOT_NONE;
  if (!held && root->kind == ARC_ROOT_NONE)
    contacts->contact[i] = s > 0 ? EVENT_AWAY : contacts->contact[i];
  else if (held || root->kind == ARC_ROOT_TANGENT || event_kind_of(&motion->problem, i) != THUD_CONSTRAINT_UNILATERAL)
    contacts->contact[i] = EVENT_REST;
  else if (root->kind == ARC_ROOT_START)
    contacts->contact[i] = (int)contact_at_start(motion->arc, i);
  else
    contacts->contact[i] = EVENT_HIT;
}

/* The face that the slip of a polygon's law, which slides, is against at the end of the arc, as in contacts.slip. */
static int face_at_end(const event_motion *motion, const event_law *law, const arc_root *roots) {
  int edge = law->face / 2, last = 2 * law->corners;
  if (law->state == LAW_EDGE) return roots[0].kind != ARC_ROOT_NONE ? 0 : 1 + law->face;
  bool zero[2];
  for (int part = 0; part < 2; part++) {
    int skip = motion->modes.part_deflate[law->number * motion->problem.measures + (size_t)part];
    zero[part] = roots[part].kind != ARC_ROOT_NONE || skip > motion->arc->order;
  }
  if (zero[0] && zero[1]) return 0;
  if (zero[0]) return 1 + 2 * edge + 1;
  return zero[1] ? 1 + (2 * edge - 1 + last) % last : 1 + law->face;
}

/* What is known of slip velocities at the end of the arc. */
static void set_slips_at_end(event_motion *motion) {
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    const arc_root *roots = &motion->piece.roots[event_function_of(&motion->problem, l, 0)];
    bool involved = false;
    for (size_t part = 0; part < motion->problem.measures; part++)
      involved = involved || roots[part].kind != ARC_ROOT_NONE;
    motion->modes.law_mode_before[l] = motion->modes.law_mode[l];
    motion->event.law_involved[l] = involved;
    if (law->constraint >= 0) {
      bool turns = !law->unilateral && motion->piece.roots[law->constraint].kind != ARC_ROOT_NONE;
      bool before = law->unilateral || !law->leads;
      motion->event.involved[law->constraint] =
          (before && motion->event.involved[law->constraint]) || involved || turns;
    }
    if (motion->modes.law_mode[l] == THUD_CONTACT_STICKING)
      motion->contacts.slip[l] = 0;
    else if (motion->modes.law_mode[l] == THUD_CONTACT_SLIDING && law->corners > 0)
      motion->contacts.slip[l] = face_at_end(motion, law, roots);
    else if (motion->modes.law_mode[l] == THUD_CONTACT_SLIDING)
      motion->contacts.slip[l] = roots[0].kind != ARC_ROOT_NONE ? 0 : law->directions > 1 ? 1 : (int)law->along[0];
    else
      motion->contacts.slip[l] = EVENT_SLIP_UNKNOWN;
  }
}

/* Sizes that the reactions' coefficients would have at s if nothing cancelled. */
static void keep_reference(event_motion *motion, double s) {
  const sim_arc *arc = motion->arc;
  event_last_arc *last = &motion->last;
  size_t rows = arc->rows;
  int p = arc->top;
  memset(last->reference, 0, ((size_t)arc->order + 1) * rows * sizeof *last->reference);
  for (size_t i = 0; i < rows; i++) {
    double shifted[ARC_MAX_DEGREE + 1], sum = 0;
    for (int k = 0; k <= p; k++) sum += shifted[k] = fabs(arc->reaction[(size_t)k * rows + i]);
    if (sum == 0) continue;
    for (int level = 0; level < p; level++)
      for (int k = p - 1; k >= level; k--) shifted[k] += s * shifted[k + 1];
    double share = thud_event_share_of_force(motion, i);
    for (int k = 0; k <= p; k++) last->reference[(size_t)k * rows + i] = share * shifted[k];
  }
}

/* What the velocity at s is summed up of: the terms of its series, and what reactions gave, which may have cancelled
 * forces in the first of them. */
static void keep_velocity_terms(const sim_arc *arc, event_last_arc *last, double s) {
  for (size_t c = 0; c < arc->n; c++) {
    double sum = thud_event_size_on(arc->order + 1, arc->v + c, arc->n, s);
    for (size_t i = 0; i < arc->rows; i++) sum += s * fabs(arc->response[i * arc->n + c] * arc->reaction[i]);
    last->velocity_terms[c] = sum;
  }
}

static void set_switches_at_end(event_motion *motion, double s) {
  const sim_arc *arc = motion->arc;
  double c[ARC_MAX_DEGREE + 1];
  for (size_t j = 0; j < arc->switches; j++) {
    bool zero = motion->piece.roots[event_first_switch(&motion->problem) + j].kind != ARC_ROOT_NONE ||
                motion->switches.deflate[j] < 0;
    bool changes = motion->piece.roots[event_first_switch(&motion->problem) + j].kind != ARC_ROOT_NONE;
    if (changes && !motion->event.switched) motion->event.which_switch = (thud_index)j;
    motion->event.switched = motion->event.switched || changes;
    motion->switches.at_zero[j] = zero || (s == 0 && motion->switches.at_zero[j]);
  }
  if (motion->event.switched) keep_velocity_terms(arc, &motion->last, s);
  for (size_t i = 0; motion->event.switched && i < motion->problem.m; i++) {
    thud_arc_output(arc, arc->jets.layout.gap + i, c);
    motion->last.expected_gap[i] = thud_arc_polynomial(arc->order, c, s, NULL);
  }
}

/* ---- energy -------------------------------------------------------------------------------------------------------- */

/* The ledger of event-driven motions: work as the integral of a power series. */

/* Products of two series are kept whole: where the first terms vanish (a force t^18 that moves something from rest) the
 * work is in the terms beyond the order of the factors. All terms are taken at the end s of the piece, x_k s^k: near a
 * singularity coefficients are huge. */
enum { MOST_TERMS = ARC_MAX_DEGREE + 2 };

typedef struct ledger_series {
  int order;               /* of the factors */
  double unit[MOST_TERMS]; /* s^k */
  double power[2 * MOST_TERMS], loss[2 * MOST_TERMS];
} ledger_series;

/* sum += factor x y, x with stride and last + 1 terms, y of the terms y_k s^k. */
static void add_product(const ledger_series *series, const double *x, size_t stride, const double *y, int last,
                        double factor, double *sum) {
  for (int j = 0; j <= series->order; j++) {
    double term = factor * series->unit[j] * x[(size_t)j * stride];
    for (int k = 0; term != 0 && k <= last; k++) sum[j + k] += term * y[k];
  }
}

/* f.v + dV/dt: applied forces and a potential that changes. */
static void add_applied(const sim_arc *arc, ledger_series *series) {
  const model_jet_layout *at = &arc->jets.layout;
  double v[MOST_TERMS];
  for (int k = 0; k <= arc->top; k++) series->power[k] += series->unit[k] * thud_arc_jet(arc, k)[at->potential_rate];
  for (size_t c = 0; c < arc->n; c++) {
    for (int k = 0; k <= arc->top + 1; k++) v[k] = series->unit[k] * arc->v[(size_t)k * arc->n + c];
    add_product(series, arc->jet + at->applied + c, at->count, v, arc->top + 1, 1, series->power);
  }
}

/* Velocity along a row: sum of the gradient's jet times v. */
static void velocity_along(const sim_arc *arc, size_t row, const ledger_series *series, double *along) {
  for (int k = 0; k <= arc->top; k++) {
    along[k] = 0;
    for (int j = 0; j <= k; j++)
      along[k] += motion_dot((thud_index)arc->n, thud_arc_jet(arc, j) + thud_arc_row(arc, row),
                             arc->v + (size_t)(k - j) * arc->n);
    along[k] *= series->unit[k];
  }
}

/* What the reactions do: sum r (A v) over all rows, and of that what friction takes, -sum r_T u_T. */
static void add_reactions(const sim_arc *arc, ledger_series *series) {
  double along[MOST_TERMS];
  for (size_t row = 0; row < arc->rows; row++) {
    const double *reaction = arc->reaction + row;
    bool acts = false;
    for (int k = 0; k <= arc->top; k++) acts = acts || reaction[(size_t)k * arc->rows] != 0;
    if (!acts) continue;
    velocity_along(arc, row, series, along);
    add_product(series, reaction, arc->rows, along, arc->top, 1, series->power);
    if (row < arc->m) continue;
    thud_arc_output(arc, arc->jets.layout.slip_velocity + (row - arc->m), along);
    for (int k = 0; k <= arc->top; k++) along[k] *= series->unit[k];
    /* what is left is done by what moves beneath */
    add_product(series, reaction, arc->rows, along, arc->top, -1, series->power);
    add_product(series, reaction, arc->rows, along, arc->top, -1, series->loss);
  }
}

static double integral(int last, const double *terms, double s) {
  double sum = 0;
  for (int k = last; k >= 0; k--) sum += terms[k] / (k + 1);
  return sum * s;
}

/* |x| <= this on [0, s]. */
static double series_size(const ledger_series *series, const double *x, size_t stride, int last) {
  double sum = 0;
  for (int k = 0; k <= last; k++) sum += series->unit[k] * fabs(x[(size_t)k * stride]);
  return sum;
}

/* The power of forces and reactions if nothing cancelled, |F| |v| + |r| |A| |v|: the rounding of the work is relative to
 * that. Of a body at rest between loads and reactions all that moves is rounding, and so is its energy. */
static double gross_power(const sim_arc *arc, const ledger_series *series) {
  const model_jet_layout *at = &arc->jets.layout;
  double sum = 0;
  for (size_t c = 0; c < arc->n; c++) {
    double speed = series_size(series, arc->v + c, arc->n, arc->top + 1);
    if (speed == 0) continue;
    double force = series_size(series, arc->jet + at->force + c, at->count, arc->top);
    for (size_t i = 0; i < arc->rows; i++) {
      double reaction = series_size(series, arc->reaction + i, arc->rows, arc->top);
      if (reaction > 0)
        force += reaction * series_size(series, arc->jet + thud_arc_row(arc, i) + c, at->count, arc->top);
    }
    sum += force * speed;
  }
  return sum;
}

void thud_event_book_work(const sim_arc *arc, thud_event_motion_info *info, double s) {
  ledger_series series;
  series.order = arc->top;
  series.unit[0] = 1;
  memset(series.power, 0, (2 * (size_t)series.order + 2) * sizeof *series.power);
  memset(series.loss, 0, (2 * (size_t)series.order + 2) * sizeof *series.loss);
  for (int k = 1; k <= series.order + 1; k++) series.unit[k] = series.unit[k - 1] * s;
  add_applied(arc, &series);
  add_reactions(arc, &series);
  info->ledger.work += integral(2 * series.order + 1, series.power, s);
  info->ledger.friction_loss += integral(2 * series.order, series.loss, s);
  info->gross_work += s * gross_power(arc, &series);
}

/* Where the energies jump they are those of the side on which the switches are held, also on the surface itself. */
static thud_error take_energies_of_side(event_motion *motion) {
  const event_present *state = &motion->state;
  const sim_arc *arc = motion->arc;
  double *out = motion->surface.before, sum = 0;
  thud_error error = arc->backend->evaluate(motion->arc, state->t, state->q, state->v, out);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < arc->n; i++)
    sum += state->v[i] * motion_dot((thud_index)arc->n, out + arc->jets.layout.mass + i * arc->n, state->v);
  motion->info.ledger.kinetic = sum / 2;
  if (arc->jets.potential_jumps) motion->info.ledger.potential = out[arc->jets.layout.potential];
  return THUD_OK;
}

thud_error thud_event_book_energy(event_motion *motion) {
  event_present *state = &motion->state;
  thud_ledger *ledger = &motion->info.ledger;
  thud_error error = thud_system_evaluate(motion->problem.system, state->t, state->q, state->v,
                                          THUD_AT_MASS | THUD_AT_POTENTIAL | THUD_AT_CONSTRAINT, state->values);
  if (error != THUD_OK) return error;
  ledger->kinetic = thud_system_kinetic_energy(motion->problem.system, state->values, state->v);
  ledger->potential = state->values->potential;
  if (motion->arc->jets.may_jump) {
    error = take_energies_of_side(motion);
    if (error != THUD_OK) return error;
  }
  ledger->defect = ledger->kinetic + ledger->potential - motion->scales.initial_energy - ledger->work +
                   ledger->impact_loss + ledger->friction_loss;
  for (size_t i = 0; i < motion->problem.m; i++)
    if (event_kind_of(&motion->problem, i) == THUD_CONSTRAINT_UNILATERAL)
      motion->info.worst_gap = fmin(motion->info.worst_gap, state->values->gap[i]);
  if (isfinite(ledger->kinetic) && isfinite(ledger->defect)) return THUD_OK;
  motion->run.finding = THUD_MOTION_BLOW_UP;
  return thud_fail(motion->problem.context, THUD_ERROR_NOT_FINITE,
                   "[blow-up] blow-up at t = %.10g: the energy is too large for a number", state->t);
}

/* ---- one arc ----------------------------------------------------------------------------------------------------- */

thud_error thud_event_check_blow_up(event_motion *motion) {
  double position = 0, speed = 0;
  bool finite = true; /* fmax leaves NaN out */
  for (size_t i = 0; i < motion->problem.n; i++) {
    position = fmax(position, fabs(motion->state.q[i]));
    speed = fmax(speed, fabs(motion->state.v[i]));
    finite = finite && isfinite(motion->state.q[i]) && isfinite(motion->state.v[i]);
  }
  motion->scales.farthest = fmax(motion->scales.farthest, position);
  if (finite && position <= motion->scales.blow_up_q && speed <= motion->scales.blow_up_v) return THUD_OK;
  return thud_event_end_run(&motion->info, THUD_MOTION_BLOW_UP,
                            thud_fail(motion->problem.context, THUD_ERROR_NOT_FINITE,
                                      "[blow-up] blow-up near t = %.10g: |q| = %.3g, |v| = %.3g", motion->state.t,
                                      position, speed));
}

/* The reactions of the arc out of the frames of their laws; NaN: they are no polynomials. */
static const double *reactions_of(const event_motion *motion) {
  const sim_arc *arc = motion->arc;
  bool framed = thud_model_has_frames(arc->system);
  if (!framed && !event_is_passage(motion)) return arc->reaction;
  memcpy(motion->piece.handed, arc->reaction, ((size_t)arc->order + 1) * arc->rows * sizeof(double));
  for (int k = 0; k <= arc->order && framed; k++)
    thud_model_forces_out_of_frames(arc->system, motion->piece.handed + (size_t)k * arc->rows + arc->m);
  for (size_t i = 0; i < motion->problem.m && event_is_passage(motion); i++)
    if (motion->passage.unresolved[i]) motion->piece.handed[i] = (double)NAN;
  return motion->piece.handed;
}

static thud_error emit_arc(event_motion *motion, const thud_motion_sink *sink, double s, const thud_ledger *ledger) {
  const sim_arc *arc = motion->arc;
  const thud_event_arc piece = {.t0 = arc->t0,
                                .t1 = motion->state.t,
                                .degree = arc->order + 2,
                                .q = arc->q,
                                .force_degree = arc->order,
                                .reaction = reactions_of(motion),
                                .mode = motion->modes.mode,
                                .order = motion->modes.order,
                                .after_event = motion->run.after_event,
                                .ledger = *ledger,
                                .proof = event_is_passage(motion) ? (int)THUD_ARC_PASSAGE
                                                                  : (int)thud_event_proof_status(&motion->proofs),
                                .defect = motion->proofs.defect ? motion->proofs.stated : NULL};
  for (size_t level = 0; level < ZENO_LEVELS; level++) {
    motion->zeno.level[level].clock += s;
    motion->zeno.level[level].flight += s;
  }
  motion->info.arcs++;
  if (!event_is_passage(motion)) thud_event_book_proof(motion, s);
  return thud_event_emit_arc(motion, sink, &piece);
}

/* Whether some contact that closes at s has left further than positions are rounded. */
static bool flights_are_seen(const event_motion *motion, double s) {
  const sim_arc *arc = motion->arc;
  for (size_t i = 0; i < motion->problem.m; i++) {
    if (motion->piece.roots[i].kind == ARC_ROOT_NONE || event_lasts(motion->modes.mode[i])) continue;
    double size = 0;
    for (size_t c = 0; c < motion->problem.n; c++)
      size += fabs(arc->jet[thud_arc_row(arc, i) + c]) * motion->scales.farthest;
    if (fabs(arc->jet[arc->jets.layout.velocity + i]) * s > EVENT_ROUNDING * DBL_EPSILON * size) return true;
  }
  return false;
}

thud_error thud_event_follow_arc(event_motion *motion, const thud_motion_sink *sink) {
  const event_problem *problem = &motion->problem;
  event_present *state = &motion->state;
  event_last_arc *last = &motion->last;
  event_happening *event = &motion->event;
  double h, s = 0, stop = thud_event_next_stop(problem, &motion->loads), left = stop - state->t;
  const thud_ledger at_start = motion->info.ledger;
  thud_error error = thud_event_choose_piece(motion, &h, &s);
  if (error != THUD_OK || !event_is_running(&motion->info)) return error;
  event->switched = false;
  event->which_switch = -1;
  thud_event_keep_simultaneous(motion, s);
  if (!event->any) event->t_error = 0;
  bool due = s >= left && thud_event_load_is_due(problem, &motion->loads, stop);
  last->again = event->any && !due && thud_event_only_shared_forces(motion);
  event->any = event->any || due;
  if (last->again) event->t_error = s; /* steps shrink towards the time at which no force is left */
  thud_arc_state(motion->arc, s, state->q, state->v);
  memcpy(event->v_before, state->v, problem->n * sizeof(double));
  keep_reference(motion, s);
  memcpy(last->length_before, motion->arc->own, problem->m * sizeof(double));
  for (size_t i = 0; i < problem->m; i++) {
    motion->modes.mode_before[i] = motion->modes.mode[i];
    if (!event_is_equation(problem, i)) set_contact_at_end(motion, i, s);
  }
  set_slips_at_end(motion);
  set_switches_at_end(motion, s);
  last->going_on = !event->any;
  motion->run.same_time = event->any && state->t + s <= state->t ? motion->run.same_time + 1 : 0;
  if (last->again) {
    event->any = false;
    memset(event->involved, 0, problem->m * sizeof *event->involved);
    memset(event->law_involved, 0, problem->law_count * sizeof *event->law_involved);
  }
  if (event->any && flights_are_seen(motion, s)) motion->zeno.small_limits = 0;
  if (motion->run.same_time == 0 && motion->zeno.small_limits == 0)
    memset(motion->zeno.recent, 0, problem->m * sizeof *motion->zeno.recent);
  state->t = s >= left ? stop : state->t + s;
  motion->run.phase = EVENT_AT_NODE;
  if (event_is_passage(motion))
    thud_event_book_passage(motion);
  else
    thud_event_book_work(motion->arc, &motion->info, s);
  error = thud_event_book_energy(motion);
  if (error == THUD_OK) return emit_arc(motion, sink, s, &at_start);
  thud_arc_state(motion->arc, 0, state->q, state->v); /* data that fail at the end: nobody has seen the arc */
  state->t = motion->arc->t0;
  motion->info.ledger = at_start;
  return error;
}
