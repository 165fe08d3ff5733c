/* Arcs of systems given by functions in C: one step of DOP853, then polynomials.
 *
 * The dense output of the step gives states at the nodes of the interpolation. Two sweeps follow: the accelerations
 * there become a polynomial, which is integrated from the start of the arc (Picard's iteration; each sweep gains an
 * order of the step), so that q, v, a and the reactions are the derivatives of one polynomial. In the second all
 * outputs are taken as well. */
#include "motions/event/arc_functions.h"

#include <math.h>

/* a from the samples; v and q as its integrals. */
static void fit_motion(sim_arc *arc, double h) {
  size_t column = arc->jets.layout.count + arc->rows;
  for (size_t i = 0; i < arc->n; i++) thud_arc_fit(arc, h, column + i, 1, arc->a + i, arc->n, NULL);
  thud_arc_integrate(arc);
}

/* Both sweeps. */
static thud_error sweep(sim_arc *arc, double h) {
  struct arc_functions *functions = arc->functions;
  for (size_t k = 0; k < ARC_NODES; k++)
    thud_dop853_at(&functions->method, functions->interpolation.place[k], functions->states + k * 2 * arc->n);
  thud_error error = thud_arc_sample_nodes(arc, h);
  if (error != THUD_OK) return error;
  fit_motion(arc, h);
  error = thud_arc_sample_all(arc, h);
  if (error == THUD_OK) fit_motion(arc, h);
  return error;
}

/* The error of the step by the embedded methods, in units of the tolerance. */
static double embedded_error(const sim_arc *arc, double h, const arc_scales *by) {
  const struct arc_functions *functions = arc->functions;
  size_t n = arc->n;
  double *fifth = functions->estimate, *third = fifth + 2 * n;
  thud_dop853_errors(&functions->method, h, fifth, third);
  double five =
      hypot(thud_arc_beside(thud_arc_norm(arc, fifth), by->q), thud_arc_beside(thud_arc_norm(arc, fifth + n), by->v));
  double three =
      hypot(thud_arc_beside(thud_arc_norm(arc, third), by->q), thud_arc_beside(thud_arc_norm(arc, third + n), by->v));
  return thud_dop853_combine(five, three) / functions->tolerance;
}

/* Far too long a step of a stiff system ends at velocities beside which no error is large. */
#define RUN_AWAY 100.0

static bool runs_away(const sim_arc *arc, double h, const arc_scales *by) {
  const struct arc_functions *functions = arc->functions;
  double before = fmax(functions->control->speed, thud_arc_norm(arc, functions->method.start + arc->n));
  double expected = fmax(before, h * functions->forces);
  return !(by->v <= RUN_AWAY * expected) && expected > 0;
}

thud_error thud_arc_runge_kutta(sim_arc *arc, double h, double *worst, bool *drifts) {
  struct arc_functions *functions = arc->functions;
  *drifts = false;
  thud_error error = thud_dop853_step(&functions->method, h, thud_arc_slope, arc);
  if (error != THUD_OK) return error;
  arc_scales by = thud_arc_scales_of(arc, h);
  *worst = runs_away(arc, h, &by) ? INFINITY : embedded_error(arc, h, &by);
  if (!(*worst <= 1)) return THUD_OK;
  error = thud_dop853_make_dense(&functions->method, h, thud_arc_slope, arc);
  if (error == THUD_OK) error = sweep(arc, h);
  if (error != THUD_OK) return error;
  /* The second sweep has changed the end by what the first one still had to gain. */
  const double *before = functions->states + (size_t)(ARC_NODES - 1) * 2 * arc->n;
  *worst = fmax(*worst, fmax(thud_arc_end_error(arc, h, before, &by), thud_arc_judge(arc, h, &by, drifts)));
  return THUD_OK;
}
