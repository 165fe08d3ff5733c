/* Arcs of systems made of expressions: power series from the jets of their program. */
#include "expr/program.h"
#include "sim/event/arc.h"
#include "sim/event/arc_root.h"

#include <math.h>
#include <string.h>

/* What is not finite, in words of the expressions. */
static thud_error not_finite(const sim_arc *arc, int k, size_t output) {
  thud_expr_trouble trouble;
  if (!thud_expr_work_explain_jet(arc->work, (thud_index)output, k, &trouble))
    return thud_fail(arc->context, THUD_ERROR_NOT_FINITE, "t = %.10g: a coefficient of the series is not finite",
                     arc->t0);
  bool force = output >= arc->jets.layout.force && output < arc->jets.layout.applied + arc->n;
  return thud_fail(arc->context, THUD_ERROR_NOT_FINITE,
                   "t = %.10g: no power series (coefficient %d of %s is not finite): %s%s", arc->t0, k,
                   thud_model_text_name(arc->system, trouble.source), trouble.message,
                   force ? "; forces that are integrable in time need a time-stepping method" : "");
}

static void set_variables(sim_arc *arc, double t, const double *q, const double *v) {
  const model_jets *jets = &arc->jets;
  arc->variables[jets->slot_t] = t;
  for (size_t i = 0; i < arc->n; i++) {
    arc->variables[jets->slot_q[i]] = q[i];
    arc->variables[jets->slot_v[i]] = v[i];
  }
}

static thud_error evaluate(sim_arc *arc, double t, const double *q, const double *v, double *outputs) {
  set_variables(arc, t, q, v);
  thud_expr_work_evaluate(arc->work, arc->variables, outputs);
  return THUD_OK;
}

/* The gap that an output belongs to, and what is missing without it; false: the motion itself needs it. */
static bool belongs_to_gap(const sim_arc *arc, int k, size_t output, size_t *gap, arc_singularity *missing) {
  const model_jet_layout *at = &arc->jets.layout;
  *missing = k == 0 ? ARC_NO_GRADIENT : ARC_NO_CURVATURE;
  if (output >= at->gap && output < at->gap + arc->m) {
    *gap = output - at->gap;
    *missing = ARC_NO_GAP;
  } else if (output >= at->velocity && output < at->velocity + arc->m) {
    *gap = output - at->velocity;
  } else if (output >= at->gradient && output < at->gradient + arc->m * arc->n) {
    *gap = (output - at->gradient) / arc->n;
  } else if (output >= at->convective && output < at->convective + arc->m) {
    *gap = output - at->convective;
    *missing = ARC_NO_CURVATURE;
  } else {
    return false;
  }
  bool whole = *missing != ARC_NO_GAP || k > 0; /* a gap has a value */
  return whole && thud_system_constraint(arc->system, (thud_index)*gap)->kind == THUD_CONSTRAINT_UNILATERAL;
}

/* Gaps without series where they are not needed, because the contact is open or only struck, do not end the arc. */
static thud_error leave_out(sim_arc *arc, int k, size_t output) {
  size_t gap;
  arc_singularity missing;
  if (!belongs_to_gap(arc, k, output, &gap, &missing)) return not_finite(arc, k, output);
  arc->jet[(size_t)k * arc->jets.layout.count + output] = 0;
  arc->singular[gap] |= (unsigned char)missing;
  return THUD_OK;
}

/* Order k of everything that depends on t, q, v alone. */
static thud_error expand(sim_arc *arc, int k) {
  const model_jets *jets = &arc->jets;
  size_t n = arc->n, count = jets->layout.count;
  const double *q = arc->q + (size_t)k * n, *v = arc->v + (size_t)k * n;
  double *out = arc->jet + (size_t)k * count, sum = 0;
  set_variables(arc, k == 0 ? arc->t0 : k == 1, q, v);
  thud_error error = thud_expr_work_jet(arc->work, k, arc->variables, out);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < count; i++) sum += out[i] - out[i];
  if (k == 0 && arc->m > 0) memset(arc->singular, 0, arc->m);
  for (size_t i = 0; sum != 0 && i < count && error == THUD_OK; i++)
    if (!isfinite(out[i])) error = leave_out(arc, k, i);
  if (error != THUD_OK) return error;
  return arc->switches > 0 ? thud_expr_work_switch_jet(arc->work, k, arc->switch_jet + (size_t)k * arc->switches)
                           : THUD_OK;
}

/* ---- the end of a series ----------------------------------------------------------------------------------------- */

static int larger(int a, int b) { return a > b ? a : b; }

/* The last coefficient up to `last` that is not 0; 0 if there is none. */
static int degree_of(const double *c, size_t stride, int last) {
  while (last > 0 && c[(size_t)last * stride] == 0) last--;
  return last;
}

/* The largest degree of `count` outputs. */
static int degree_of_outputs(const sim_arc *arc, const int *degrees, size_t first, size_t count) {
  int most = 0;
  for (size_t j = first; j < first + count; j++) most = larger(most, degrees[arc->jets.program->outputs[j]]);
  return most;
}

/* Degrees of all outputs, of M a, and of the products of gradients with a and with reactions. With friction only a
 * motion without forces of contacts is known to end: directions of slip are no polynomials. */
static int end_of_series(const sim_arc *arc, int k) {
  const model_jets *jets = &arc->jets;
  const model_jet_layout *at = &jets->layout;
  int *variables = arc->degrees, *degrees = arc->degrees + 1 + 2 * arc->n, most = 0, forces = -1;
  variables[jets->slot_t] = 1;
  for (size_t i = 0; i < arc->n; i++) {
    int degree = degree_of(arc->q + i, arc->n, k + 1);
    variables[jets->slot_q[i]] = degree;
    variables[jets->slot_v[i]] = larger(degree - 1, 0);
    most = larger(most, degree - 2);
  }
  for (size_t j = 0; j < (size_t)k * arc->rows; j++)
    if (arc->reaction[j] != 0) forces = (int)(j / arc->rows);
  if (forces >= 0 && arc->s > 0) return EXPR_ENDLESS;
  thud_expr_work_degrees(arc->work, variables, degrees);
  int gradients = larger(degree_of_outputs(arc, degrees, at->gradient, arc->m * arc->n),
                         degree_of_outputs(arc, degrees, at->slip, arc->s * arc->n));
  int end = larger(degree_of_outputs(arc, degrees, 0, at->count),
                   most + larger(gradients, degree_of_outputs(arc, degrees, at->mass, arc->n * arc->n)));
  if (forces >= 0) end = larger(end, gradients + forces);
  for (size_t j = 0; j < arc->switches; j++) end = larger(end, degrees[jets->program->switches[j].argument]);
  return end;
}

/* ---- step -------------------------------------------------------------------------------------------------------- */

enum { TAIL = 4 }; /* last coefficients that the step is taken from */

#define FALL (2 * 1.4426950408889634) /* log2(e^2) */

/* log2 of the step at which the last coefficients of the series are e^(-2k) of the largest early term:
 * |x_k| h^k <= e^(-2k) |x_j| h^j for some j <= last/2. With j = 0 this is h = rho/e^2, rho = (|x_0|/|x_k|)^(1/k). */
static double log_step_of(double *size, int last) {
  double step = INFINITY;
  for (int k = 0; k <= last; k++) size[k] = k <= last / 2 || k > last - TAIL ? log2(size[k]) : 0;
  for (int k = last; k > last - TAIL; k--) {
    double best = -INFINITY;
    if (size[k] == -INFINITY) continue;
    for (int j = 0; j <= last / 2; j++) best = fmax(best, (size[j] - size[k] - FALL * k) / (k - j));
    if (best > -INFINITY) step = fmin(step, best);
  }
  return step;
}

/* Of a series, or of a vector of two neighbouring ones (a pair): whatever axes it is given in. */
static double log_step_of_vector(const double *x, size_t stride, int last, bool is_pair) {
  double size[ARC_MAX_DEGREE + 3];
  for (int k = 0; k <= last; k++) {
    const double *here = x + (size_t)k * stride;
    size[k] = is_pair ? hypot(here[0], here[1]) : fabs(here[0]);
  }
  return log_step_of(size, last);
}

static double log_step(const double *x, size_t stride, int last) { return log_step_of_vector(x, stride, last, false); }

/* Friction forces, and slip velocities where something slides. */
static double log_step_of_friction(const sim_arc *arc) {
  size_t count = arc->jets.layout.count;
  double step = INFINITY;
  for (size_t j = 0; j < arc->s; j++) {
    const double *force = arc->reaction + arc->m + j, *slip = arc->jet + arc->jets.layout.slip_velocity + j;
    bool pair = j + 1 < arc->s && arc->law[j + 1] == arc->law[j];
    step = fmin(step, log_step_of_vector(force, arc->rows, arc->top, pair));
    if (arc->slide[j]) step = fmin(step, log_step_of_vector(slip, count, arc->top, pair));
    if (pair) j++;
  }
  return step;
}

/* h = rho/e^2: the terms then fall by e^-2 each and what is cut off is e^(-2p) of them. Nothing in this depends on
 * units. Gaps, reactions and switches must converge as well, because events are read off them. */
static double step_of(const sim_arc *arc, double longest) {
  const model_jet_layout *at = &arc->jets.layout;
  size_t count = at->count;
  double step = INFINITY;
  if (arc->finite) return longest;
  for (size_t i = 0; i < arc->n; i++) step = fmin(step, log_step(arc->q + i, arc->n, arc->top + 2));
  for (size_t i = 0; i < arc->m; i++) {
    thud_constraint_kind kind = thud_system_constraint(arc->system, (thud_index)i)->kind;
    if (kind == THUD_CONSTRAINT_UNILATERAL) step = fmin(step, log_step(arc->jet + at->gap + i, count, arc->top));
    if (kind == THUD_CONSTRAINT_VELOCITY_ONE_SIDED)
      step = fmin(step, log_step(arc->jet + at->velocity + i, count, arc->top));
  }
  for (size_t i = 0; i < arc->m; i++) step = fmin(step, log_step(arc->reaction + i, arc->rows, arc->top));
  step = fmin(step, log_step_of_friction(arc));
  for (size_t j = 0; j < arc->switches; j++) step = fmin(step, log_step(arc->switch_jet + j, arc->switches, arc->top));
  return fmin(longest, exp2(step));
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void destroy(sim_arc *arc) {
  thud_expr_work_destroy(arc->work);
  thud_free(arc->context, arc->degrees);
}

thud_error thud_arc_create(thud_context *context, const thud_system *system, int order, sim_arc **arc) {
  static const arc_backend backend = {
      .expand = expand, .evaluate = evaluate, .step = step_of, .end = end_of_series, .destroy = destroy};
  sim_arc seed = {.context = context, .system = system, .backend = &backend, .order = order, .decide = order};
  thud_error error = thud_model_get_jets(system, context, &seed.jets);
  if (error == THUD_OK) error = thud_expr_work_create(context, seed.jets.program, order, &seed.work);
  if (error != THUD_OK) return error;
  seed.degrees = THUD_NEW_ARRAY(context, int, 1 + 2 * system->n + (size_t)seed.jets.program->tape->count);
  if (seed.degrees == NULL) {
    thud_expr_work_destroy(seed.work);
    return THUD_ERROR_MEMORY;
  }
  seed.switches = (size_t)thud_expr_program_switch_count(seed.jets.program);
  return thud_arc_make(&seed, arc);
}
