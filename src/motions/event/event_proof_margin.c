/* What is proved of the margins of sticking, tau - r_T, tau + r_T or tau^2 - |r_T|^2 with tau = mu r_N.
 *
 * The reactions are polynomials of the arc itself; the coefficient mu is known by its series, to the order of the arc,
 * and products are cut off there. With e the bound of |mu - its polynomial| (a Cauchy tail, expr/bounds.h)
 *   |tau - its polynomial| <= e |r_N| + sum_{i+j>order} |mu_i r_j| h^(i+j) = E,
 * which is that of reach mu r_N + along.r_T as well; of a disc
 *   |tau^2 - |r_T|^2 - its polynomial| <= (2 |tau| + E) E + what is cut off of the squares.
 * Coefficients of the margin below `skip` are known to be 0, so that no term e_i r_j s^(i+j) with i + j < skip is left:
 * divided by s^skip the others are largest at s = h. */
#include "motions/event/event.h"

#include "motions/event/arc_proof.h"

#include <float.h>

/* |c_k|, k = 0..order */
typedef struct margin_series {
  double c[ARC_MAX_DEGREE + 1];
} margin_series;

/* sum_{i+j>order} a_i b_j h^(i+j) */
static double cut_off(const margin_series *a, const margin_series *b, int order, double h) {
  double sum = 0;
  for (int k = 2 * order; k > order; k--) {
    double c = 0;
    for (int i = k - order; i <= order; i++) c += a->c[i] * b->c[k - i];
    sum = (sum + c) * (k > order + 1 ? h : 1);
  }
  return sum * pow(h, order + 1) * (1 + 1024 * DBL_EPSILON);
}

static double size_of(const margin_series *a, int order, double h) {
  double sum = 0;
  for (int k = order; k >= 0; k--) sum = sum * h + a->c[k];
  return sum * (1 + 256 * DBL_EPSILON);
}

static margin_series reaction_of(const sim_arc *arc, size_t row) {
  margin_series made = {{0}};
  for (int k = 0; k <= arc->order; k++) made.c[k] = fabs(arc->reaction[(size_t)k * arc->rows + row]);
  return made;
}

/* E, for tau = reach mu r_N */
static double threshold_error(event_motion *motion, const event_law *law, double reach, double h) {
  const sim_arc *arc = motion->arc;
  arc_proof *proof = motion->proofs.proof;
  size_t output = arc->jets.layout.friction + law->own, count = arc->jets.layout.count;
  int32_t value = bounds_output(proof->bounds, output);
  bool constant = value < proof->bounds->program->tape->constant_count;
  double error = constant ? 0 : thud_arc_series_error(proof, value, arc->jet + output, count, h);
  if (law->constraint < 0) return reach * error;
  margin_series force = reaction_of(arc, (size_t)law->constraint), mu = {{0}};
  for (int k = 0; k <= arc->order; k++) mu.c[k] = fabs(arc->jet[(size_t)k * count + output]);
  return reach * (error * size_of(&force, arc->order, h) + cut_off(&mu, &force, arc->order, h));
}

double thud_event_margin_error(event_motion *motion, const event_law *law, const event_measure *measure, int skip,
                               double h) {
  const sim_arc *arc = motion->arc;
  bool disc = measure->kind == MEASURE_DISC;
  double error = threshold_error(motion, law, disc ? law->radius : fabs(measure->reach), h), power = pow(h, skip);
  if (!disc || !isfinite(error)) return error / power;
  margin_series tau = {{0}};
  for (int k = 0; k <= arc->order; k++) tau.c[k] = fabs(thud_event_threshold(arc, law, k, false));
  error *= 2 * size_of(&tau, arc->order, h) + error;
  error += cut_off(&tau, &tau, arc->order, h);
  for (size_t c = 0; c < 2; c++) {
    margin_series force = reaction_of(arc, event_row_of(arc, law, c));
    error += cut_off(&force, &force, arc->order, h);
  }
  return error / power;
}
