/* The piece of an arc up to its first event.
 *
 * Event functions are polynomials that are positive until something happens: gaps of open constraints (velocities of
 * open one-sided velocity constraints), reactions of lasting contacts, arguments of switches on their sides. Where a
 * function starts at 0 by what is known (a contact that parts, a reaction that has just come up at order k) its first
 * coefficients are left out and the polynomial is divided by the power of s: its root at the start cannot disturb. */
#include "motions/event/event.h"

#include "expr/program.h"
#include "model/factors.h"

#include <float.h>

/* ---- event functions --------------------------------------------------------------------------------------------- */

/* The sign with which the reaction of an equation enters its friction; 0: it has none. */
static double friction_sign(const event_problem *problem, const event_friction_laws *friction, size_t i) {
  for (size_t l = 0; l < problem->law_count; l++)
    if (friction->laws[l].constraint == (thud_index)i) return friction->laws[l].sign;
  return 0;
}

/* Coefficients from number `skip` on of the event function of constraint i; false: nothing can happen. */
static bool constraint_function(const event_motion *motion, size_t i, double *c, int *degree) {
  const sim_arc *arc = motion->arc;
  const model_jet_layout *at = &arc->jets.layout;
  double all[ARC_MAX_DEGREE + 1];
  int skip = motion->modes.deflate[i];
  double sign = event_is_equation(&motion->problem, i) ? friction_sign(&motion->problem, &motion->friction, i) : 1;
  if (sign == 0 || motion->modes.mode[i] == THUD_CONTACT_UNDECIDED || motion->modes.redundant[i] || skip > arc->order)
    return false;
  if (event_lasts(motion->modes.mode[i]))
    for (int k = 0; k <= arc->order; k++) all[k] = sign * arc->reaction[(size_t)k * arc->rows + i];
  else
    thud_arc_output(
        arc, (event_kind_of(&motion->problem, i) == THUD_CONSTRAINT_UNILATERAL ? at->gap : at->velocity) + i, all);
  *degree = arc->order - skip;
  memcpy(c, all + skip, (size_t)(*degree + 1) * sizeof *c);
  return true;
}

/* Function `part` of friction law l: slip velocities that a mode needs, margins of sticking. */
static bool slip_function(const event_motion *motion, size_t l, int part, double *c, int *degree, int *skip) {
  const sim_arc *arc = motion->arc;
  const event_law *law = &motion->friction.laws[l];
  const event_measure measure = thud_event_measure(arc, law, part);
  int mode = motion->modes.law_mode[l];
  bool sticks = mode == THUD_CONTACT_STICKING && law->state == LAW_STICK;
  if (measure.kind == MEASURE_NONE || (mode != THUD_CONTACT_SLIDING && !sticks)) return false;
  *skip = motion->modes.part_deflate[l * motion->problem.measures + (size_t)part];
  if (*skip > arc->order) return false;
  *degree = arc->order - *skip;
  if (measure.kind == MEASURE_GAUGE) return true; /* no polynomial: see is_sampled */
  for (int k = *skip; k <= arc->order; k++)
    c[k - *skip] = measure.kind == MEASURE_SLIP ? thud_event_slip_along(arc, law, measure.along, k)
                                                : thud_event_margin(arc, law, &measure, k);
  return true;
}

/* What event function f, of a law, is. */
static event_measure measure_of(const event_motion *motion, size_t f) {
  const event_law *law = &motion->friction.laws[event_function_law(&motion->problem, f)];
  return thud_event_measure(motion->arc, law, event_function_part(&motion->problem, f));
}

static bool is_margin(const event_motion *motion, size_t f) {
  return f >= motion->problem.m && f < event_first_switch(&motion->problem) &&
         measure_of(motion, f).kind > MEASURE_SLIP;
}

static bool switch_function(const sim_arc *arc, const event_switches *switches, size_t j, double *c, int *degree) {
  int skip = switches->deflate[j];
  if (skip < 0 || skip > arc->order) return false;
  *degree = arc->order - skip;
  for (int k = 0; k <= *degree; k++) c[k] = switches->held[j] * arc->switch_jet[(size_t)(k + skip) * arc->switches + j];
  return true;
}

double thud_event_size_on(int degree, const double *c, size_t stride, double h) {
  double sum = 0;
  for (int k = degree; k >= 0; k--) sum = sum * h + fabs(c[(size_t)k * stride]);
  return sum;
}

/* Bounds of margins by proof may be this part of their terms. */
#define MARGIN_NOISE 1e-9

/* The error of a margin from those of its parts. */
static double margin_error(const sim_arc *arc, const event_law *law, const event_measure *measure, int skip, double h) {
  size_t count = arc->jets.layout.count, mu = arc->jets.layout.friction + law->own;
  double reach = measure->kind == MEASURE_DISC ? law->radius : fabs(measure->reach);
  double error = reach * arc->backend->error(arc, mu, 1, skip, h);
  double most = reach * thud_event_size_on(arc->order, arc->jet + mu, count, h);
  if (law->constraint >= 0) {
    size_t normal = (size_t)law->constraint;
    double force = thud_event_size_on(arc->order, arc->reaction + normal, arc->rows, h);
    error = error * force + most * arc->backend->error(arc, count + normal, 1, skip, h);
    most *= force;
  }
  for (size_t c = 0; c < law->directions; c++)
    error += arc->backend->error(arc, count + event_row_of(arc, law, c), 1, skip, h);
  return measure->kind == MEASURE_DISC ? 2 * most * error : error;
}

/* The same of a series, by proof: a bound that would hide the margin is not taken, and the arc is not proved. */
static double margin_noise(event_motion *motion, size_t f, int degree, const double *c, int skip, double h,
                           double guess) {
  if (motion->proofs.proof == NULL) return guess;
  const event_law *law = &motion->friction.laws[event_function_law(&motion->problem, f)];
  const event_measure measure = measure_of(motion, f);
  double bound = thud_event_margin_error(motion, law, &measure, skip, h);
  if (bound <= MARGIN_NOISE * thud_event_size_on(degree, c, 1, h)) return fmax(guess, bound);
  motion->proofs.margins = false;
  return guess;
}

/* What an event function is wrong by on [0, h]: of a series the last term stands for what was cut off;
 * a single one is not a measure of that. */
static double error_of(event_motion *motion, size_t f, int degree, const double *c, int skip, double h) {
  const sim_arc *arc = motion->arc;
  const model_jet_layout *at = &arc->jets.layout;
  double error = 0;
  if (thud_arc_is_series(arc)) {
    error = degree > 0 ? fabs(c[degree]) * pow(h, degree) : 0;
    return is_margin(motion, f) ? margin_noise(motion, f, degree, c, skip, h, error) : error;
  }
  if (f < motion->problem.m) {
    if (event_lasts(motion->modes.mode[f])) return arc->backend->error(arc, at->count + f, 1, skip, h);
    if (event_kind_of(&motion->problem, f) == THUD_CONSTRAINT_UNILATERAL)
      return arc->backend->error(arc, at->gap + f, 3, skip, h);
    return arc->backend->error(arc, at->velocity + f, 2, skip, h);
  }
  const event_law *law = &motion->friction.laws[event_function_law(&motion->problem, f)];
  const event_measure measure = measure_of(motion, f);
  if (measure.kind != MEASURE_SLIP) return margin_error(arc, law, &measure, skip, h);
  for (size_t part = 0; part < law->directions; part++)
    error += arc->backend->error(arc, at->slip_velocity + law->first + part, 2, skip, h);
  return error;
}

/* The first coefficient must be seen beside the rounding of the others: *h is shortened until it is. A function that
 * starts at 0 has been divided by a power of s; another one may be small at the start of a long step. */
static arc_root first_root(event_motion *motion, size_t f, int degree, const double *c, int skip, double *h) {
  bool positive = skip > 0 || (c[0] > 0 && thud_arc_is_series(motion->arc));
  arc_root root = thud_arc_first_root(degree, c, *h, error_of(motion, f, degree, c, skip, *h));
  while (positive && root.kind == ARC_ROOT_START && *h > 0) {
    *h /= 4;
    root = thud_arc_first_root(degree, c, *h, error_of(motion, f, degree, c, skip, *h));
  }
  return root;
}

/* ---- the first of them ------------------------------------------------------------------------------------------- */

/* Times closer to s than this are the same; the arc ends there. */
static double simultaneity(const event_problem *problem, const event_present *state, double s) {
  return problem->options.time_tolerance * fmax(fabs(state->t + s), s);
}

/* Event function number f (event.h), and how many of its coefficients were left out. */
static bool event_function(const event_motion *motion, size_t f, double *c, int *degree, int *skip) {
  size_t first_switch = event_first_switch(&motion->problem);
  if (f < motion->problem.m) {
    *skip = motion->modes.deflate[f];
    return constraint_function(motion, f, c, degree);
  }
  if (f < first_switch)
    return slip_function(motion, event_function_law(&motion->problem, f), event_function_part(&motion->problem, f), c,
                         degree, skip);
  *skip = motion->switches.deflate[f - first_switch];
  return switch_function(motion->arc, &motion->switches, f - first_switch, c, degree);
}

/* Event functions are looked at as far as VIEW times the time in which they can change by their own size,
 * (c_0/c_k)^(1/k): where a series is finite (free flight) its step is as long as the run, and beside the terms at such
 * an end what is near would be rounding. Arcs without events become longer by about this factor each. The time itself
 * is resolved to its rounding only. */
#define VIEW 64
#define SHORTEST_VIEW (1024 * DBL_EPSILON) /* relative to |t| */

static double visible_part(const event_motion *motion, int degree, const double *c, double step) {
  double power = 1, longest = step;
  for (int k = 1; k <= degree && c[0] != 0; k++) {
    power *= longest / VIEW;
    if (!(fabs(c[k]) * power > fabs(c[0]))) continue;
    power = fabs(c[0] / c[k]);
    longest = VIEW * pow(power, 1.0 / k);
  }
  return fmin(step, fmax(longest, SHORTEST_VIEW * fabs(motion->state.t)));
}

/* Margins by the outline of a set are known by their values alone. */
static bool is_sampled(const event_motion *motion, size_t f) {
  return is_margin(motion, f) && measure_of(motion, f).kind == MEASURE_GAUGE;
}

/* Values within the errors of the forces count as positive. */
static arc_root sampled_root(const event_motion *motion, size_t f, double end) {
  const sim_arc *arc = motion->arc;
  const event_law *law = &motion->friction.laws[event_function_law(&motion->problem, f)];
  double tau = 0;
  for (int k = arc->order; k >= 0; k--) tau = tau * end + fabs(thud_event_threshold(arc, law, k, false));
  return thud_event_sampled_root(arc, law, end, motion->problem.options.decision_tolerance * tau);
}

/* The step as far as all event functions can be seen; those that are enclosed by intervals are seen anyway. */
static double visible_step(const event_motion *motion, double step) {
  double c[ARC_MAX_DEGREE + 1];
  for (size_t f = 0; f < event_function_count(&motion->problem, motion->arc); f++) {
    int degree, skip;
    if (thud_event_is_enclosed(motion, f) || is_sampled(motion, f) || !event_function(motion, f, c, &degree, &skip))
      continue;
    step = visible_part(motion, degree, c, step);
  }
  return step;
}

/* Event function f on [0, *end], which is shortened where rounding hides its start. */
static arc_root root_of(event_motion *motion, size_t f, int degree, const double *c, int skip, double *end) {
  if (!thud_event_is_enclosed(motion, f)) return first_root(motion, f, degree, c, skip, end);
  double seen = visible_part(motion, degree, c, fmin(*end, motion->proofs.series)), asked = seen;
  bool series = f >= motion->problem.m || (motion->arc->singular[f] & ARC_NO_GAP) == 0;
  arc_root root = {.kind = ARC_ROOT_NONE};
  if (series) root = first_root(motion, f, degree, c, skip, &seen);
  if (seen < asked) *end = seen;
  thud_event_prove_root(motion, f, *end, &root);
  return root;
}

/* Rounding of the difference of a time and a break. */
#define BREAK_ROUNDING (4 * DBL_EPSILON)

/* Whether event function f is the argument t - b or b - t of a switch, and the break b lies outside [t0, t0 + end]: the
 * function is then positive there without a further look, since it is positive at both ends. Data may have thousands of
 * breaks, of which an arc meets one. */
static bool is_far_break(const event_motion *motion, size_t f, double end) {
  const sim_arc *arc = motion->arc;
  size_t first = event_first_switch(&motion->problem);
  if (f < first || arc->work == NULL || motion->switches.deflate[f - first] != 0) return false;
  const thud_expr *tape = arc->jets.program->tape;
  const expr_instruction *argument = &tape->code[arc->jets.program->switches[f - first].argument];
  if (argument->op != EXPR_SUBTRACT) return false;
  const expr_instruction *a = &tape->code[argument->operand[0]], *b = &tape->code[argument->operand[1]];
  bool forward = a->op == EXPR_VARIABLE && a->reference == arc->jets.slot_t && b->op == EXPR_CONSTANT;
  bool backward = b->op == EXPR_VARIABLE && b->reference == arc->jets.slot_t && a->op == EXPR_CONSTANT;
  if (!forward && !backward) return false;
  double at = tape->constants[forward ? b->reference : a->reference];
  double sign = forward ? motion->switches.held[f - first] : -motion->switches.held[f - first];
  double margin = BREAK_ROUNDING * (fabs(arc->t0) + end + fabs(at));
  return sign * (arc->t0 - at) > margin && sign * (arc->t0 + end - at) > margin;
}

/* Roots of all event functions up to the first one and what counts as the same time; *h: the end of the arc. Switches come
 * first: behind theirs the other functions are not those of the motion, and may not even be defined (|x|^1.6). */
static bool find_first_event(event_motion *motion, double *h) {
  double c[ARC_MAX_DEGREE + 1], first = INFINITY, length = *h;
  size_t count = event_function_count(&motion->problem, motion->arc), others = event_first_switch(&motion->problem);
  size_t watched = thud_arc_watched_count(motion->arc);
  for (size_t f = 0; f < count; f++) motion->piece.roots[f].kind = ARC_ROOT_NONE;
  for (size_t k = 0; k < watched + others; k++) {
    size_t f = k < watched ? others + thud_arc_watched(motion->arc, k) : k - watched;
    int degree, skip;
    if (!event_function(motion, f, c, &degree, &skip)) continue;
    double end = fmin(length, first + simultaneity(&motion->problem, &motion->state, first)), asked = end;
    if (is_far_break(motion, f, end)) continue;
    motion->piece.roots[f] =
        is_sampled(motion, f) ? sampled_root(motion, f, end) : root_of(motion, f, degree, c, skip, &end);
    if (end < asked) length = end; /* the arc was shortened */
    if (motion->piece.roots[f].kind != ARC_ROOT_NONE) first = fmin(first, motion->piece.roots[f].s);
  }
  *h = fmin(first, length);
  return first <= length;
}

/* Whether nothing but rounding is left of a slip at s. */
static bool curved_slip_vanishes(const event_motion *motion, const event_law *law, double s) {
  double c[ARC_MAX_DEGREE + 1], size = 0, left = 0;
  for (size_t part = 0; part < law->directions; part++) {
    thud_arc_output(motion->arc, motion->arc->jets.layout.slip_velocity + law->first + part, c);
    left = hypot(left, thud_arc_polynomial(motion->arc->order, c, s, NULL));
    for (int k = 0; k <= motion->arc->order; k++) size = fmax(size, fabs(c[k]) * pow(s, k));
  }
  return left <= motion->problem.options.decision_tolerance * size;
}

/* Whether slip with two components really vanishes where its component along d(0) does; if it only turned away, the
 * root is dropped. */
static bool slips_vanish(const event_motion *motion, double s) {
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    const arc_root *root = &motion->piece.roots[event_function_of(&motion->problem, l, 0)];
    double c[ARC_MAX_DEGREE + 1], size = 0, across[2] = {-law->along[1], law->along[0]}, left = 0;
    if (law->curved && law->corners == 0 && root->kind != ARC_ROOT_NONE && root->kind != ARC_ROOT_START &&
        !curved_slip_vanishes(motion, law, s))
      return false;
    if (law->directions != 2 || law->corners > 0 || law->curved || root->kind == ARC_ROOT_NONE ||
        root->kind == ARC_ROOT_START)
      continue;
    for (size_t part = 0; part < 2; part++) {
      thud_arc_output(motion->arc, motion->arc->jets.layout.slip_velocity + law->first + part, c);
      left += across[part] * thud_arc_polynomial(motion->arc->order, c, s, NULL);
      for (int k = 0; k <= motion->arc->order; k++) size = fmax(size, fabs(c[k]) * pow(s, k));
    }
    if (fabs(left) > motion->problem.options.decision_tolerance * size) return false;
  }
  return true;
}

/* Fills `roots` only with what happens at the time s of the event. */
void thud_event_keep_simultaneous(event_motion *motion, double s) {
  event_happening *event = &motion->event;
  event->t_error = DBL_EPSILON * fabs(motion->state.t + s);
  event->from = motion->state.t;
  event->low = event->high = (double)NAN;
  for (size_t f = 0; f < event_function_count(&motion->problem, motion->arc); f++) {
    arc_root *root = &motion->piece.roots[f];
    if (root->kind == ARC_ROOT_NONE) continue;
    if (root->s > s + simultaneity(&motion->problem, &motion->state, s))
      root->kind = ARC_ROOT_NONE;
    else {
      event->t_error = fmax(event->t_error, root->high - root->low);
      event->low = fmin(event->low, root->low);
      event->high = fmax(event->high, root->high);
    }
  }
}

/* Whether all that happens is that forces which are not unique reach the edges of their cones. */
bool thud_event_only_shared_forces(const event_motion *motion) {
  for (size_t f = 0; f < event_function_count(&motion->problem, motion->arc); f++) {
    if (motion->piece.roots[f].kind == ARC_ROOT_NONE) continue;
    bool reaction = f < motion->problem.m && event_lasts(motion->modes.mode[f]);
    if (!reaction && !is_margin(motion, f)) return false;
  }
  return motion->equations.shared;
}

/* ---- defect ------------------------------------------------------------------------------------------------------ */

static double series_at(const double *c, size_t stride, int degree, double s, double *size) {
  double sum = 0;
  *size = 0;
  for (int k = degree; k >= 0; k--) {
    sum = sum * s + c[(size_t)k * stride];
    *size = *size * s + fabs(c[(size_t)k * stride]);
  }
  return sum;
}

/* Forces this small lose their digits: they count as none. */
#define FORCE_UNDERFLOW (DBL_MIN / DBL_EPSILON)

/* A force that changes by more than this part of itself within the rounding of the time is not followed any more. */
#define HIDDEN_CHANGE 1e-8

/* What the rounding of the time t0 + s can do to force c, which is `force` there: |dF/dt| times a few units in its last
 * place; and that of the state, where the backend knows it. Where the series of a force that is faster than time
 * diverges, it would excuse any defect. */
static double rounding_of_force(const sim_arc *arc, size_t c, double s, double force) {
  double slope = 0, first = thud_arc_jet(arc, 0)[arc->jets.layout.force + c];
  for (int k = arc->order; k > 0; k--) slope = slope * s + k * fabs(thud_arc_jet(arc, k)[arc->jets.layout.force + c]);
  double change = 4 * DBL_EPSILON * fabs(arc->t0 + s) * slope;
  if (thud_arc_is_series(arc)) return fmin(change, HIDDEN_CHANGE * (fabs(first) + fabs(force)));
  return change + arc->backend->rounding(arc, c);
}

/* Accelerations and reactions at s, and their sizes if nothing cancelled, into `sampled`. */
static void sample_arc(const sim_arc *arc, event_piece *piece, double s) {
  size_t n = arc->n, count = n + arc->rows;
  for (size_t j = 0; j < count; j++)
    piece->sampled[j] = j < n
                            ? series_at(arc->a + j, n, arc->order, s, &piece->sampled[count + j])
                            : series_at(arc->reaction + (j - n), arc->rows, arc->order, s, &piece->sampled[count + j]);
}

/* (M a - F - A'r)_c from what was sampled; *sizes: the sum of the sizes of its terms. */
static double sum_of_terms(const event_motion *motion, size_t c, double *sizes) {
  const sim_arc *arc = motion->arc;
  const model_jet_layout *at = &arc->jets.layout;
  size_t n = motion->problem.n, count = n + arc->rows;
  const double *x = motion->piece.sampled, *size = motion->piece.sampled + count, *out = motion->piece.outputs;
  double sum = -out[at->force + c];
  *sizes = fabs(sum);
  for (size_t j = 0; j < count; j++) {
    if (size[j] == 0) continue;
    double factor = j < n ? out[at->mass + c * n + j] : -out[thud_arc_row(arc, j - n) + c];
    sum += factor * x[j];
    *sizes += fabs(factor) * size[j];
  }
  return sum;
}

/* What counts as terms of component c because it is coupled with others. */
static double lent_terms(const event_motion *motion, size_t c) {
  const sim_arc *arc = motion->arc;
  const double *mass = motion->piece.outputs + arc->jets.layout.mass;
  double lent = 0, sizes;
  for (size_t j = 0; j < arc->n; j++) {
    if (arc->group[j] != arc->group[c] || !(mass[j * arc->n + j] > 0)) continue;
    sum_of_terms(motion, j, &sizes);
    lent = fmax(lent, ARC_LENT * sizes * sqrt(mass[c * arc->n + c] / mass[j * arc->n + j]));
  }
  return lent;
}

/* |M a - F - A'r| at s relative to its terms, the worst component above the tolerance (0: none). */
static double defect_at(event_motion *motion, double s) {
  sim_arc *arc = motion->arc;
  const model_jet_layout *at = &arc->jets.layout;
  size_t n = motion->problem.n;
  double *q = motion->state.saved, *v = motion->state.saved + n, *out = motion->piece.outputs, worst = 0;
  double tolerance = motion->problem.options.defect_tolerance;
  thud_arc_state(arc, s, q, v);
  if (arc->backend->evaluate(arc, arc->t0 + s, q, v, out) != THUD_OK) return INFINITY;
  sample_arc(arc, &motion->piece, s);
  for (size_t c = 0; c < n; c++) {
    double sizes, sum = sum_of_terms(motion, c, &sizes);
    double accepted = tolerance * sizes + FORCE_UNDERFLOW;
    if (!(fabs(sum) <= accepted) && !(fabs(sum) <= accepted + rounding_of_force(arc, c, s, out[at->force + c])) &&
        !(fabs(sum) <= tolerance * lent_terms(motion, c)))
      worst = fmax(worst, sizes > 0 ? fabs(sum) / sizes : 1);
    if (isnan(sum)) return INFINITY;
  }
  return worst;
}

thud_motion_status thud_event_status_of_vanished_step(const event_problem *problem, const event_present *state,
                                                      const event_scales *scales) {
  double speed = 0;
  for (size_t i = 0; i < problem->n; i++) speed = fmax(speed, fabs(state->v[i]));
  return speed * problem->options.blow_up > scales->blow_up_v * sqrt(problem->options.blow_up)
             ? THUD_MOTION_BLOW_UP
             : THUD_MOTION_STEP_TOO_SMALL;
}

/* A force that changes by more than this part of itself within the rounding of the time is the reason. */
#define TOO_FAST 1e-4

/* The force that changes fastest beside itself where the step vanishes; n: none is too fast. */
static size_t fastest_force(const event_motion *motion) {
  const sim_arc *arc = motion->arc;
  size_t force = arc->jets.layout.force, found = arc->n;
  double most = TOO_FAST;
  for (size_t c = 0; c < arc->n; c++) {
    double change = 4 * DBL_EPSILON * fabs(arc->t0) * fabs(thud_arc_jet(arc, 1)[force + c]);
    double part = change / fabs(thud_arc_jet(arc, 0)[force + c]);
    if (!(part > most)) continue;
    most = part;
    found = c;
  }
  return found;
}

static thud_error step_vanishes(event_motion *motion) {
  thud_motion_status status = thud_event_status_of_vanished_step(&motion->problem, &motion->state, &motion->scales);
  size_t fast = fastest_force(motion);
  if (status != THUD_MOTION_BLOW_UP && fast < motion->problem.n)
    return thud_event_end_run(
        &motion->info, status,
        thud_fail(motion->problem.context, THUD_ERROR_NOT_CONVERGED,
                  "[step-vanishes] the step vanishes at t = %.15g, where the force of coordinate '%s' is singular or "
                  "changes faster than "
                  "time resolves (it is %.3g there); forces that are integrable in time need a time-stepping method",
                  motion->state.t, motion->problem.system->coordinates[fast],
                  thud_arc_jet(motion->arc, 0)[motion->arc->jets.layout.force + fast]));
  return thud_event_end_run(
      &motion->info, status,
      thud_fail(motion->problem.context, THUD_ERROR_NOT_CONVERGED,
                status == THUD_MOTION_BLOW_UP
                    ? "[blow-up] blow-up near t = %.10g: the step vanishes while velocities grow"
                    : "[step-vanishes] the step of the power series vanishes at t = %.10g: the motion has a "
                      "singularity there, or a force changes faster than time resolves",
                motion->state.t));
}

enum { DEFECT_POINTS = 4 };

/* Whether the equations hold along the whole piece [0, s]. Its end alone says nothing of a force whose terms all vanish
 * and that comes and goes in between, such as exp(1/(x(x - 1))). */
static bool holds_along(event_motion *motion, double s) {
  for (int k = DEFECT_POINTS; k > 0; k--)
    if (defect_at(motion, s * k / DEFECT_POINTS) > 0) return false;
  return true;
}

/* Arcs end this part before friction vanishes for good: what sticks there must not be asked how it goes on. */
#define SHORT_OF_ZERO 1e-9

/* Just before the first s in [0, h] behind which the polynomial is negative, beyond rounding; h: there is none. Zeros at the
 * start, where it may rise from 0, are divided out; they are known to the rounding of the time, `shift`. */
static double stays_positive(int degree, const double *c, double h, double shift) {
  for (int skip = 0; skip <= degree; skip++) {
    double noise = degree > skip ? fabs(c[degree]) * pow(h, degree - skip) : 0;
    double slack = DBL_EPSILON * thud_event_size_on(degree - skip, c + skip, 1, h);
    if (skip < degree) slack += shift * fabs(c[skip + 1]);
    if (fabs(c[skip]) <= slack) continue;
    arc_root root = thud_arc_first_root(degree - skip, c + skip, h, noise);
    if (root.kind == ARC_ROOT_NONE || root.kind == ARC_ROOT_TANGENT) return h;
    if (root.kind == ARC_ROOT_SIMPLE) return root.s * (1 - SHORT_OF_ZERO);
    if (c[skip] < 0) return 0;
  }
  return h;
}

/* Whether a switch is passed at s: behind it the series are not those of the motion. A threshold |sin t| is not negative
 * behind its kinks. */
static bool passes_a_switch(event_motion *motion, double s) {
  double c[ARC_MAX_DEGREE + 1];
  size_t count = event_function_count(&motion->problem, motion->arc);
  for (size_t f = event_first_switch(&motion->problem); f < count; f++) {
    int degree, skip;
    if (event_function(motion, f, c, &degree, &skip) && thud_arc_polynomial(degree, c, s, NULL) < 0) return true;
  }
  return false;
}

/* Coefficients and thresholds of friction that acts are at least 0: arcs end where one of them becomes negative, and where one
 * is about to the motion has no law to follow. */
static thud_error follow_friction(event_motion *motion, double *h) {
  const sim_arc *arc = motion->arc;
  double c[ARC_MAX_DEGREE + 1];
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    size_t own = motion->friction.laws[l].own;
    int mode = motion->modes.law_mode[l];
    char what[256];
    if (mode != THUD_CONTACT_SLIDING && mode != THUD_CONTACT_STICKING) continue;
    thud_arc_output(arc, arc->jets.layout.friction + own, c);
    double until = stays_positive(arc->order, c, *h, EVENT_TIME_ROUNDING * fabs(motion->state.t));
    if (until < *h && until > 0 && passes_a_switch(motion, until * (1 + 4 * SHORT_OF_ZERO))) continue;
    if (until < *h && until <= 10 * SHORT_OF_ZERO * fabs(motion->state.t)) {
      thud_model_describe(arc->system, MODEL_FRICTION, own, what, sizeof what);
      return thud_fail(motion->problem.context, THUD_ERROR_ARGUMENT,
                       "[out-of-range] system: the %s becomes negative at t = %.8g; it must be >= 0", what,
                       motion->state.t + until);
    }
    *h = until;
  }
  return THUD_OK;
}

/* A gap without power series that intervals do not tell apart from 0: nothing else knows it. */
static bool hides_a_gap(const event_motion *motion) {
  const event_proofs *proofs = &motion->proofs;
  return proofs->proof != NULL && !proofs->roots && proofs->open < motion->problem.m &&
         (motion->arc->singular[proofs->open] & ARC_NO_GAP) != 0;
}

static thud_error fail_hidden(const event_motion *motion) {
  return thud_fail(motion->problem.context, THUD_ERROR_UNSUPPORTED,
                   "[no-power-series] t = %.10g: gap '%s' is only of class C^{1,b} here: it has no power series, and "
                   "intervals do not tell it "
                   "apart from 0; use a time-stepping method",
                   motion->state.t,
                   thud_system_constraint(motion->problem.system, (thud_index)motion->proofs.open)->name);
}

/* Nothing happens on the way through a point that is not qualified: the arc ends before it does. */
static thud_error take_passage(event_motion *motion, double *h, double *s) {
  thud_event_begin_roots(&motion->proofs);
  motion->proofs.defect = false;
  for (size_t f = 0; f < event_function_count(&motion->problem, motion->arc); f++)
    motion->piece.roots[f].kind = ARC_ROOT_NONE;
  *h = *s = motion->passage.length;
  motion->event.any = false;
  return THUD_OK;
}

/* The step and the first event on it; the step is halved until the equations hold on the piece up to there. */
thud_error thud_event_choose_piece(event_motion *motion, double *h, double *s) {
  double left = thud_event_next_stop(&motion->problem, &motion->loads) - motion->state.t;
  double longest = motion->problem.options.max_step;
  if (event_is_passage(motion)) return take_passage(motion, h, s);
  if (longest > 0) left = fmin(left, longest);
  *h = visible_step(motion, thud_event_prove_step(motion, thud_arc_step(motion->arc, left), left));
  bool proved = motion->proofs.defect;
  thud_error error = follow_friction(motion, h);
  if (error != THUD_OK) return error;
  while (motion->state.t + *h > motion->state.t) {
    *s = *h;
    if (!proved && defect_at(motion, *h) > 0) {
      *h /= 2;
      continue;
    }
    thud_event_begin_roots(&motion->proofs);
    motion->event.any = find_first_event(motion, s);
    if (hides_a_gap(motion)) return fail_hidden(motion);
    if ((!motion->event.any || slips_vanish(motion, *s)) && (proved || holds_along(motion, *s))) return THUD_OK;
    *h = *s / 2;
  }
  return step_vanishes(motion);
}
