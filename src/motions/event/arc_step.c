/* The length of the arcs of backends that follow: attempts that are shortened until their errors are accepted. */
#include "motions/event/arc_functions.h"

#include <math.h>
#include <string.h>

/* Steps below this beside the longest one have vanished. Steps that time does not resolve, t0 + h = t0, have so before; at
 * t0 = 0 a slip with a very large mu ends within |u_T|/(mu a). */
#define VANISHED 1e-60
/* At the end of a run the last step is longer than what is left, if that is less than this beside the others:
 * polynomials on nothing have no coefficients. */
#define SHORTEST 1e-3
/* Change of the step from one to the next, and after a failure. */
#define SAFETY 0.9
#define LARGEST_GROWTH 5.0
#define LEAST_CUT 0.7
#define LARGEST_CUT 0.2

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
  thud_arc_choose_rows(arc);
  thud_error error = thud_arc_slope(arc, 0, method->start, method->slope);
  if (error != THUD_OK) return error;
  memcpy(functions->second, arc->a + n, n * sizeof(double));
  clear_orders(arc);
  functions->forces = thud_arc_force_scale(stage);
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
  if (thud_arc_slope(arc, functions->longest, functions->method.start, functions->estimate) == THUD_OK)
    functions->forces = fmax(functions->forces, thud_arc_force_scale(functions->stage));
}

static thud_error step_vanished(const sim_arc *arc, thud_error error) {
  if (error != THUD_OK) return thud_fail_within(arc->context, error, "the step vanishes at t = %.10g", arc->t0);
  return thud_fail(
      arc->context, THUD_ERROR_NOT_CONVERGED,
      "the step vanishes at t = %.10g: the motion has a singularity there, or the functions jump or have a "
      "kink",
      arc->t0);
}

static bool some_slip_turns(const sim_arc *arc) {
  for (size_t k = 0; k < arc->modes.slide_count; k++)
    if (thud_arc_slide_turns(&arc->modes.slide[k])) return true;
  return false;
}

/* Slip that turns while it is slow is followed by collocation, where the other method needs steps that are this much
 * shorter than the one before. *h: from there on down to `shortest`; *worst > 1: no step was found. */
#define SLOW_SLIP 1e-2

static thud_error collocate(sim_arc *arc, double shortest, double *h, double *worst) {
  thud_error error = THUD_OK;
  bool drifts;
  for (*worst = INFINITY; *h > shortest; *h *= LARGEST_CUT) {
    error = thud_arc_by_collocation(arc, *h, worst, &drifts);
    if (error != THUD_OK && !thud_arc_functions_may_retry(arc->functions->stage, error)) return error;
    if (error == THUD_OK && *worst <= 1 && !drifts) return THUD_OK;
    *worst = INFINITY;
  }
  return THUD_OK;
}

/* The pace of the arc before an event says nothing of the one behind it: sliding with a large mu is stiff, the flight that
 * follows is not, and on short steps a gap that opens like s^3 is below the rounding of positions. */
thud_error thud_arc_functions_follow(sim_arc *arc, double longest, bool anew) {
  struct arc_functions *functions = arc->functions;
  arc_control *control = functions->control;
  thud_error error = begin_step(arc);
  double h = anew ? functions->longest : fmin(control->pace, functions->longest), worst = 0, most = LARGEST_GROWTH;
  bool drifts;
  if (error != THUD_OK || !(longest > 0)) return error;
  look_ahead(arc);
  /* speeds behind the event of a step are not those of the motion */
  control->speed = fmax(control->speed, thud_arc_norm(arc, functions->method.start + arc->n));
  h = fmin(h, fmax(longest, SHORTEST * h));
  double first = h;
  bool slow = functions->collocation != NULL && some_slip_turns(arc);
  for (;;) {
    error = functions->attempt(arc, h, &worst, &drifts);
    if (error == THUD_OK && drifts && thud_arc_functions_closer(functions)) {
      error = begin_step(arc);
      if (error != THUD_OK) return error;
      continue;
    }
    if (error != THUD_OK && !thud_arc_functions_may_retry(functions->stage, error)) return error;
    if (error == THUD_OK && worst <= 1) break;
    h *= error == THUD_OK ? factor_of(worst, LARGEST_CUT, LEAST_CUT) : LARGEST_CUT;
    most = 1;
    if (slow && h < SLOW_SLIP * first) {
      double collocated = first;
      slow = false;
      error = collocate(arc, h, &collocated, &worst);
      if (error != THUD_OK) return error;
      if (worst <= 1) {
        h = collocated;
        break;
      }
    }
    if (!(h > VANISHED * functions->longest && arc->t0 + h > arc->t0)) return step_vanished(arc, error);
  }
  control->length = h;
  /* A step that was cut at the end of the run says little of the next one. */
  double next = fmin(h * factor_of(worst, LARGEST_CUT, most), functions->longest);
  control->pace = h < longest ? next : fmax(next, control->pace);
  return THUD_OK;
}
