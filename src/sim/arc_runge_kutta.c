/* Arcs of systems given by functions in C: one step of DOP853, then polynomials.
 *
 * With the modes fixed the accelerations are a function of (t, q, v): the held rows are solved for their reactions at
 * every stage. The dense output of the step gives states at the nodes of the interpolation. Two sweeps follow: the
 * accelerations there become a polynomial, which is integrated from the start of the arc (Picard's iteration; each
 * sweep gains an order of the step), so that q, v, a and the reactions are the derivatives of one polynomial. In the
 * second all outputs are taken as well. Between the nodes they are compared with their polynomials: what they differ by
 * is known to the search for events as their error, and a step in which it is too large is shortened. */
#include "sim/arc_functions.h"
#include "sim/arc_root.h"

#include "linalg/dense.h"
#include "sim/motion.h"

#include <float.h>

/* Accepted errors between the nodes in units of the tolerance: of what is integrated or located, and of forces, whose
 * events are where they vanish. */
#define LOCATED 10.0
#define FORCES 1000.0
/* Errors this small, in units of eps times the terms of a number, are rounding. */
#define ROUNDING 64.0
/* Steps below this beside the longest one have vanished. */
#define VANISHED 1e-13
/* At the end of a run the last step is longer than what is left, if that is less than this beside the others:
 * polynomials on nothing have no coefficients. */
#define SHORTEST 1e-3
/* Change of the step from one to the next, and after a failure. */
#define SAFETY 0.9
#define LARGEST_GROWTH 5.0
#define LEAST_CUT 0.7
#define LARGEST_CUT 0.2

static double kinetic_norm(const sim_arc *arc, const double *x) { return thud_arc_distance(arc, x, NULL); }

/* ---- the right-hand side ----------------------------------------------------------------------------------------- */

/* Directions of the slips: pull = -d. From rest they are those known at the start until there is slip. */
static void set_pulls(const sim_arc *arc) {
  const sim_arc *stage = arc->functions->stage;
  const double *slip = stage->jet + stage->jets.layout.slip_velocity;
  for (size_t k = 0; k < arc->modes.slide_count; k++) {
    const arc_slide *slide = &arc->modes.slide[k];
    double *pull = arc->functions->pull + arc->m + slide->first;
    double speed = slide->directions == 2 ? hypot(slip[slide->first], slip[slide->first + 1]) : 0;
    for (size_t c = 0; c < slide->directions; c++)
      pull[c] = stage->t0 > arc->t0 && speed > 0 ? -slip[slide->first + c] / speed : -slide->along[c];
  }
}

/* Adds to the equation of row i what a sliding law gives it: its part of the column of the normal reaction, or of the
 * right-hand side. */
static void add_slide(const sim_arc *arc, const arc_slide *slide, size_t i, size_t a) {
  const struct arc_functions *functions = arc->functions;
  const sim_arc *stage = functions->stage;
  size_t count = arc->modes.held_count;
  double effect = 0, most = slide->radius * stage->jet[stage->jets.layout.friction + slide->law];
  for (size_t c = 0; c < slide->directions; c++) {
    size_t row = arc->m + slide->first + c;
    effect += stage->delassus[i * stage->rows + row] * functions->pull[row];
  }
  if (slide->constraint < 0) functions->row_values[a] -= effect * most / stage->own[i];
  for (size_t b = 0; b < count; b++)
    if (arc->modes.held[b] == slide->constraint)
      functions->row_factor[a + b * count] +=
          effect * most * slide->sign / (stage->own[i] * stage->own[slide->constraint]);
}

/* Reactions of the components that slide, those of the held rows being known. */
static void set_tractions(const sim_arc *arc) {
  sim_arc *stage = arc->functions->stage;
  for (size_t k = 0; k < arc->modes.slide_count; k++) {
    const arc_slide *slide = &arc->modes.slide[k];
    double most = slide->radius * stage->jet[stage->jets.layout.friction + slide->law];
    if (slide->constraint >= 0) most *= slide->sign * stage->reaction[slide->constraint];
    for (size_t c = 0; c < slide->directions; c++) {
      size_t row = arc->m + slide->first + c;
      stage->reaction[row] = most * arc->functions->pull[row];
    }
  }
}

/* Reactions of order 0: u' = 0 of the held rows, every row and column in units of its gradient's length. */
static thud_error solve_reactions(const sim_arc *arc) {
  const struct arc_functions *functions = arc->functions;
  sim_arc *stage = functions->stage;
  const thud_index *held = arc->modes.held;
  size_t count = arc->modes.held_count;
  double *factor = functions->row_factor, *x = functions->row_values;
  memset(stage->reaction, 0, stage->rows * sizeof(double));
  set_pulls(arc);
  for (size_t a = 0; a < count; a++) {
    size_t i = (size_t)held[a];
    x[a] = -stage->drift[i] / stage->own[i];
    for (size_t b = 0; b < count; b++)
      factor[a + b * count] =
          stage->delassus[i * stage->rows + (size_t)held[b]] / (stage->own[i] * stage->own[held[b]]);
    for (size_t k = 0; k < arc->modes.slide_count; k++) add_slide(arc, &arc->modes.slide[k], i, a);
  }
  if (count > 0 && !thud_dense_lu((thud_index)count, factor, functions->pivots))
    return thud_fail(stage->context, THUD_ERROR_UNQUALIFIED,
                     "t = %.10g: the gradients of the constraints that hold have become dependent", stage->t0);
  if (count > 0) thud_dense_lu_solve((thud_index)count, factor, functions->pivots, x);
  for (size_t a = 0; a < count; a++) stage->reaction[held[a]] = x[a] / stage->own[held[a]];
  set_tractions(arc);
  return THUD_OK;
}

/* y = (q, v); leaves everything of the state in the stage. */
static thud_error right_side(void *user, double s, const double *y, double *slope) {
  const sim_arc *arc = user;
  const struct arc_functions *functions = arc->functions;
  sim_arc *stage = functions->stage;
  size_t n = arc->n;
  thud_error error = thud_arc_begin(stage, arc->t0 + s, y, y + n);
  if (error == THUD_OK) error = thud_arc_open_order(stage, 0);
  if (error == THUD_OK) error = solve_reactions(arc);
  if (error != THUD_OK) return error;
  thud_arc_close_order(stage, 0);
  memcpy(slope, y + n, n * sizeof *slope);
  memcpy(slope + n, stage->a, n * sizeof *slope);
  return THUD_OK;
}

/* ---- polynomials ------------------------------------------------------------------------------------------------- */

static size_t width_of(const sim_arc *arc) { return arc->jets.layout.count + arc->rows + arc->n; }

/* Polynomial number `column` of the samples, whose first `known` coefficients are there; distance[ARC_CHECKS], may be
 * NULL: how far it is from the values between the nodes. */
static void fit(const sim_arc *arc, double h, size_t column, int known, double *to, size_t stride, double *distance) {
  const struct arc_functions *functions = arc->functions;
  const double *samples = functions->samples + column;
  double c[ARC_FUNCTIONS_ORDER + 1] = {0}, power = 1;
  for (int k = 0; k < known; k++, power *= h) c[k] = to[(size_t)k * stride] * power;
  thud_arc_interpolate(&functions->interpolation, known, samples, width_of(arc), c);
  for (int k = known; k <= arc->order; k++, power *= h) to[(size_t)k * stride] = c[k] / power;
  for (size_t check = 0; distance != NULL && check < ARC_CHECKS; check++) {
    size_t place = ARC_NODES + check;
    distance[check] = fabs(thud_arc_polynomial(arc->order, c, functions->interpolation.place[place], NULL) -
                           samples[place * width_of(arc)]);
  }
}

/* a from the samples; v and q as its integrals. */
static void integrate(sim_arc *arc, double h) {
  size_t n = arc->n, column = arc->jets.layout.count + arc->rows;
  for (size_t i = 0; i < n; i++) {
    fit(arc, h, column + i, 1, arc->a + i, n, NULL);
    for (int k = 0; k <= arc->order; k++) {
      double v = arc->a[(size_t)k * n + i] / (k + 1);
      arc->v[(size_t)(k + 1) * n + i] = v;
      arc->q[(size_t)(k + 2) * n + i] = v / (k + 2);
    }
  }
}

/* The right-hand side at the states of the first `count` samples. */
static thud_error take_samples(sim_arc *arc, double h, size_t count, bool working) {
  struct arc_functions *functions = arc->functions;
  const sim_arc *stage = functions->stage;
  size_t n = arc->n, outputs = arc->jets.layout.count;
  thud_error error = THUD_OK;
  stage->functions->working = working;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    double *sample = functions->samples + k * width_of(arc);
    error = right_side(arc, functions->interpolation.place[k] * h, functions->states + k * 2 * n, functions->estimate);
    if (error != THUD_OK) break;
    memcpy(sample, stage->jet, outputs * sizeof *sample);
    memcpy(sample + outputs, stage->reaction, arc->rows * sizeof *sample);
    memcpy(sample + outputs + arc->rows, stage->a, n * sizeof *sample);
  }
  stage->functions->working = false;
  return error;
}

/* Both sweeps. */
static thud_error sweep(sim_arc *arc, double h) {
  struct arc_functions *functions = arc->functions;
  size_t n = arc->n;
  for (size_t k = 0; k < ARC_NODES; k++)
    thud_dop853_at(&functions->method, functions->interpolation.place[k], functions->states + k * 2 * n);
  thud_error error = take_samples(arc, h, ARC_NODES, false);
  if (error != THUD_OK) return error;
  integrate(arc, h);
  for (size_t k = 0; k < ARC_SAMPLES; k++) {
    double *state = functions->states + k * 2 * n;
    thud_arc_state(arc, functions->interpolation.place[k] * h, state, state + n);
  }
  error = take_samples(arc, h, ARC_SAMPLES, true);
  if (error == THUD_OK) integrate(arc, h);
  return error;
}

/* u' of a row at the start. */
static double separation(const sim_arc *arc, size_t row) {
  const double *gradient = arc->jet + thud_arc_row(arc, row);
  return arc->jet[thud_arc_convective(arc, row)] + motion_dot((thud_index)arc->n, gradient, arc->a);
}

/* How many coefficients of a polynomial are known at the start; they are put there: gaps have g, u, u'/2, velocities u,
 * u', everything else its value. */
static int set_known(const sim_arc *arc, size_t column, double *to, size_t stride) {
  const model_jet_layout *at = &arc->jets.layout;
  if (column >= at->velocity && column < at->velocity + arc->m) {
    to[stride] = separation(arc, column - at->velocity);
    return 2;
  }
  if (column >= at->slip_velocity && column < at->slip_velocity + arc->s) {
    to[stride] = separation(arc, arc->m + column - at->slip_velocity);
    return 2;
  }
  if (column < at->gap || column >= at->gap + arc->m) return 1;
  size_t i = column - at->gap;
  if (thud_system_constraint(arc->system, (thud_index)i)->kind >= THUD_CONSTRAINT_VELOCITY) return 1;
  to[stride] = arc->jet[at->velocity + i];
  to[2 * stride] = separation(arc, i) / 2;
  return 3;
}

/* Outputs and reactions become polynomials. */
static void fit_all(sim_arc *arc, double h) {
  struct arc_functions *functions = arc->functions;
  size_t count = arc->jets.layout.count, wide = count + arc->rows;
  double distance[ARC_CHECKS];
  for (size_t column = 0; column < wide; column++) {
    double *to = column < count ? arc->jet + column : arc->reaction + (column - count);
    size_t stride = column < count ? count : arc->rows;
    fit(arc, h, column, set_known(arc, column, to, stride), to, stride, distance);
    for (size_t check = 0; check < ARC_CHECKS; check++) functions->error[check * wide + column] = distance[check];
  }
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/* What errors of v, q and a are measured by, in the kinetic metric. */
typedef struct scales {
  double q, v, a;
} scales;

/* Accelerations count with the forces and reactions that they are the sum of: what cancels leaves rounding errors. */
static double force_scale(const sim_arc *stage) {
  double sum = kinetic_norm(stage, stage->free);
  for (size_t row = 0; row < stage->rows; row++) sum += fabs(stage->reaction[row]) * stage->own[row];
  return sum;
}

static scales scales_of(const sim_arc *arc, double h) {
  const struct arc_functions *functions = arc->functions;
  const dop853 *method = &functions->method;
  size_t n = arc->n;
  scales found = {.a = fmax(functions->forces, force_scale(functions->stage))};
  found.v = fmax(fmax(functions->control->speed, kinetic_norm(arc, method->start + n)),
                 fmax(kinetic_norm(arc, method->end + n), h * found.a));
  found.q = fmax(kinetic_norm(arc, method->start), h * found.v);
  return found;
}

/* x/limit, where nothing has no error. */
static double beside(double x, double limit) { return x == 0 ? 0 : x / limit; }

/* The error of the step by the embedded methods, in units of the tolerance. */
static double embedded_error(const sim_arc *arc, double h, const scales *by) {
  const struct arc_functions *functions = arc->functions;
  size_t n = arc->n;
  double *fifth = functions->estimate, *third = fifth + 2 * n;
  thud_dop853_errors(&functions->method, h, fifth, third);
  double five = hypot(beside(kinetic_norm(arc, fifth), by->q), beside(kinetic_norm(arc, fifth + n), by->v));
  double three = hypot(beside(kinetic_norm(arc, third), by->q), beside(kinetic_norm(arc, third + n), by->v));
  return thud_dop853_combine(five, three) / functions->tolerance;
}

/* What the second sweep has changed at the end of the step, in units of the tolerance. */
static double sweep_error(const sim_arc *arc, double h, const scales *by) {
  const struct arc_functions *functions = arc->functions;
  size_t n = arc->n;
  const double *before = functions->states + (size_t)(ARC_NODES - 1) * 2 * n;
  double *change = functions->estimate;
  thud_arc_state(arc, h, change, change + n);
  for (size_t i = 0; i < 2 * n; i++) change[i] -= before[i];
  return hypot(beside(kinetic_norm(arc, change), by->q), beside(kinetic_norm(arc, change + n), by->v)) /
         functions->tolerance;
}

/* Largest |value| of a column of the samples. */
static double largest_of(const sim_arc *arc, size_t column) {
  double largest = 0;
  for (size_t k = 0; k < ARC_SAMPLES; k++)
    largest = fmax(largest, fabs(arc->functions->samples[k * width_of(arc) + column]));
  return largest;
}

/* The error of a polynomial between the nodes. */
static double distance_of(const sim_arc *arc, size_t column) {
  const struct arc_functions *functions = arc->functions;
  size_t wide = arc->jets.layout.count + arc->rows;
  double distance = 0;
  for (size_t check = 0; check < ARC_CHECKS; check++)
    distance = fmax(distance, functions->error[check * wide + column]);
  return distance;
}

static bool is_held(const sim_arc *arc, size_t row) {
  for (size_t a = 0; a < arc->modes.held_count; a++)
    if (arc->modes.held[a] == (thud_index)row) return true;
  return false;
}

/* The error of the gap of a row, of velocity constraints and slips that of their velocity, in units of what is
 * accepted. Rounding: of their terms, and of t. */
static double place_error(const sim_arc *arc, size_t row, double h, const scales *by) {
  const model_jet_layout *at = &arc->jets.layout;
  const struct arc_functions *functions = arc->functions;
  const double *gradient = arc->jet + thud_arc_row(arc, row);
  size_t velocity = row < arc->m ? at->velocity + row : at->slip_velocity + (row - arc->m);
  double tolerance = LOCATED * functions->tolerance, rounding = ROUNDING * DBL_EPSILON, t = fabs(arc->t0) + h;
  double speed = fmax(largest_of(arc, velocity), arc->own[row] * by->v), terms = functions->speed[row] * t;
  double rate = functions->speed[row] + fabs(arc->jet[thud_arc_convective(arc, row)]) * t;
  if (row >= arc->m || thud_system_constraint(arc->system, (thud_index)row)->kind >= THUD_CONSTRAINT_VELOCITY)
    return beside(distance_of(arc, velocity), fmax(tolerance * speed, rounding * rate));
  for (size_t i = 0; i < arc->n; i++) terms += fabs(gradient[i] * arc->q[i]);
  return beside(distance_of(arc, at->gap + row),
                fmax(tolerance * fmax(largest_of(arc, at->gap + row), h * speed), rounding * terms));
}

/* The error of the reaction of a row. */
static double reaction_error(const sim_arc *arc, size_t row, const scales *by) {
  double own = arc->own[row];
  size_t reaction = arc->jets.layout.count + row;
  if (!(own > 0)) return 0;
  double accepted = FORCES * arc->functions->tolerance * fmax(largest_of(arc, reaction), by->a / own);
  return beside(distance_of(arc, reaction), fmax(accepted, arc->noise[row] / (own * own)));
}

/* What held rows have drifted by: their velocities at the end, in units of what is accepted. */
static double drift_error(const sim_arc *arc, const scales *by) {
  const struct arc_functions *functions = arc->functions;
  const double *end = functions->samples + (size_t)(ARC_NODES - 1) * width_of(arc);
  const model_jet_layout *at = &arc->jets.layout;
  double worst = 0;
  for (size_t a = 0; a < arc->modes.held_count; a++) {
    size_t row = (size_t)arc->modes.held[a];
    double u = end[row < arc->m ? at->velocity + row : at->slip_velocity + (row - arc->m)];
    double limit = FORCES * functions->tolerance * fmax(arc->own[row] * by->v, functions->speed[row]);
    worst = fmax(worst, beside(fabs(u), limit));
  }
  return worst;
}

static double fit_error(const sim_arc *arc, double h, const scales *by) {
  const struct arc_functions *functions = arc->functions;
  const model_jet_layout *at = &arc->jets.layout;
  double worst = 0;
  for (size_t row = 0; row < arc->rows; row++) {
    worst = fmax(worst, reaction_error(arc, row, by));
    if (!is_held(arc, row)) worst = fmax(worst, place_error(arc, row, h, by));
  }
  for (size_t k = 0; k < arc->system->laws; k++)
    worst = fmax(worst, beside(distance_of(arc, at->friction + k),
                               FORCES * functions->tolerance * largest_of(arc, at->friction + k)));
  return worst;
}

/* ---- the step ---------------------------------------------------------------------------------------------------- */

/* *worst: errors in units of what is accepted; *drifts: held rows do not hold, because of gamma. */
static thud_error try_step(sim_arc *arc, double h, double *worst, bool *drifts) {
  struct arc_functions *functions = arc->functions;
  *drifts = false;
  thud_error error = thud_dop853_step(&functions->method, h, right_side, arc);
  if (error != THUD_OK) return error;
  scales by = scales_of(arc, h);
  *worst = embedded_error(arc, h, &by);
  if (!(*worst <= 1)) return THUD_OK;
  error = thud_dop853_make_dense(&functions->method, h, right_side, arc);
  if (error == THUD_OK) error = sweep(arc, h);
  if (error != THUD_OK) return error;
  fit_all(arc, h);
  *worst = fmax(*worst, fmax(sweep_error(arc, h, &by), fit_error(arc, h, &by)));
  *drifts = drift_error(arc, &by) > 1;
  for (size_t i = 0; i < arc->m; i++) functions->blur[i] = functions->tolerance * arc->own[i] * by.q;
  return THUD_OK;
}

/* Factor of the step from its errors, which are of order 8. */
static double factor_of(double worst, double least, double most) {
  return isfinite(worst) ? fmin(fmax(SAFETY * pow(worst, -1.0 / 8), least), most) : least;
}

/* No polynomial: accelerations stay as they are. */
static void clear_orders(sim_arc *arc) {
  size_t p = (size_t)arc->order;
  memset(arc->jet + arc->jets.layout.count, 0, p * arc->jets.layout.count * sizeof(double));
  memset(arc->reaction + arc->rows, 0, p * arc->rows * sizeof(double));
  memset(arc->a + arc->n, 0, p * arc->n * sizeof(double));
  memset(arc->v + 2 * arc->n, 0, p * arc->n * sizeof(double));
  memset(arc->q + 3 * arc->n, 0, p * arc->n * sizeof(double));
}

/* Slopes at the start, and with them the accelerations and reactions there. */
static thud_error begin_step(sim_arc *arc) {
  struct arc_functions *functions = arc->functions;
  sim_arc *stage = functions->stage;
  dop853 *method = &functions->method;
  size_t n = arc->n;
  stage->functions->convective = arc->modes.held_count > 0;
  stage->functions->working = false;
  memcpy(method->start, arc->q, n * sizeof(double));
  memcpy(method->start + n, arc->v, n * sizeof(double));
  thud_error error = right_side(arc, 0, method->start, method->slope);
  if (error != THUD_OK) return error;
  clear_orders(arc);
  functions->forces = force_scale(stage);
  memcpy(arc->a, stage->a, n * sizeof(double));
  memcpy(arc->reaction, stage->reaction, arc->rows * sizeof(double));
  for (size_t i = 0; i < n; i++) {
    arc->v[n + i] = arc->a[i];
    arc->q[2 * n + i] = arc->a[i] / 2;
  }
  return THUD_OK;
}

/* Before anything has moved forces that come up with time give the scale: beside itself nothing is small. */
static void look_ahead(sim_arc *arc) {
  struct arc_functions *functions = arc->functions;
  if (functions->control->speed > 0) return;
  if (right_side(arc, functions->longest, functions->method.start, functions->estimate) == THUD_OK)
    functions->forces = fmax(functions->forces, force_scale(functions->stage));
}

static thud_error step_vanished(const sim_arc *arc, thud_error error) {
  if (error != THUD_OK) return thud_fail_within(arc->context, error, "the step vanishes at t = %.10g", arc->t0);
  return thud_fail(
      arc->context, THUD_ERROR_NOT_CONVERGED,
      "the step vanishes at t = %.10g: the motion has a singularity there, or the functions jump or have a "
      "kink",
      arc->t0);
}

thud_error thud_arc_functions_follow(sim_arc *arc, double longest) {
  struct arc_functions *functions = arc->functions;
  arc_control *control = functions->control;
  thud_error error = begin_step(arc);
  double h = fmin(control->pace, functions->longest), worst = 0, most = LARGEST_GROWTH;
  bool drifts;
  if (error != THUD_OK || !(longest > 0)) return error;
  look_ahead(arc);
  h = fmin(h, fmax(longest, SHORTEST * h));
  for (;;) {
    error = try_step(arc, h, &worst, &drifts);
    if (error == THUD_OK && drifts && thud_arc_functions_closer(functions)) {
      error = begin_step(arc);
      if (error != THUD_OK) return error;
      continue;
    }
    if (error != THUD_OK && !thud_arc_functions_may_retry(functions->stage, error)) return error;
    if (error == THUD_OK && worst <= 1) break;
    h *= error == THUD_OK ? factor_of(worst, LARGEST_CUT, LEAST_CUT) : LARGEST_CUT;
    most = 1;
    if (!(h > VANISHED * functions->longest && arc->t0 + h > arc->t0)) return step_vanished(arc, error);
  }
  control->length = h;
  /* A step that was cut at the end of the run says little of the next one. */
  double next = fmin(h * factor_of(worst, LARGEST_CUT, most), functions->longest);
  control->pace = h < longest ? next : fmax(next, control->pace);
  control->speed = fmax(control->speed, kinetic_norm(arc, functions->method.end + arc->n));
  return THUD_OK;
}
