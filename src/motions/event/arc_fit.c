/* Everything along an arc as polynomials, and their errors.
 *
 * States at the nodes are given. What the functions say there is interpolated, and compared with the polynomials
 * between the nodes: what they differ by is known to the search for events as their error. */
#include "motions/event/arc_functions.h"
#include "motions/event/arc_root.h"

#include "motions/stepping/stepping.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Errors this small, in units of eps times the terms of a number, are rounding. */
#define ROUNDING 64.0

/* ---- polynomials ------------------------------------------------------------------------------------------------- */

size_t thud_arc_width(const sim_arc *arc) { return arc->jets.layout.count + arc->rows + arc->n; }

void thud_arc_fit(const sim_arc *arc, double h, size_t column, int known, double *to, size_t stride, double *distance) {
  const struct arc_functions *functions = arc->functions;
  const double *samples = functions->samples + column;
  double c[ARC_FUNCTIONS_ORDER + 1] = {0}, power = 1;
  for (int k = 0; k < known; k++, power *= h) c[k] = to[(size_t)k * stride] * power;
  thud_arc_interpolate(&functions->interpolation, known, samples, thud_arc_width(arc), c);
  for (int k = known; k <= arc->order; k++, power *= h) to[(size_t)k * stride] = c[k] / power;
  for (size_t check = 0; distance != NULL && check < ARC_CHECKS; check++) {
    size_t place = ARC_NODES + check;
    distance[check] = fabs(thud_arc_polynomial(arc->order, c, functions->interpolation.place[place], NULL) -
                           samples[place * thud_arc_width(arc)]);
  }
}

void thud_arc_integrate(sim_arc *arc) {
  size_t n = arc->n;
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k <= arc->order; k++) {
      double v = arc->a[(size_t)k * n + i] / (k + 1);
      arc->v[(size_t)(k + 1) * n + i] = v;
      arc->q[(size_t)(k + 2) * n + i] = v / (k + 2);
    }
}

static thud_error take_samples(sim_arc *arc, double h, size_t count, bool working) {
  struct arc_functions *functions = arc->functions;
  const sim_arc *stage = functions->stage;
  size_t n = arc->n, outputs = arc->jets.layout.count;
  thud_error error = THUD_OK;
  stage->functions->working = working;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    double *sample = functions->samples + k * thud_arc_width(arc);
    error =
        thud_arc_slope(arc, functions->interpolation.place[k] * h, functions->states + k * 2 * n, functions->estimate);
    if (error != THUD_OK) break;
    memcpy(sample, stage->jet, outputs * sizeof *sample);
    memcpy(sample + outputs, stage->reaction, arc->rows * sizeof *sample);
    memcpy(sample + outputs + arc->rows, stage->a, n * sizeof *sample);
  }
  stage->functions->working = false;
  return error;
}

thud_error thud_arc_sample_nodes(sim_arc *arc, double h) { return take_samples(arc, h, ARC_NODES, false); }

void thud_arc_take_states(const sim_arc *arc, double h, size_t count) {
  const struct arc_functions *functions = arc->functions;
  for (size_t k = 0; k < count; k++) {
    double *state = functions->states + k * 2 * arc->n;
    thud_arc_state(arc, functions->interpolation.place[k] * h, state, state + arc->n);
  }
}

thud_error thud_arc_sample_all(sim_arc *arc, double h) {
  thud_arc_take_states(arc, h, ARC_SAMPLES);
  return take_samples(arc, h, ARC_SAMPLES, true);
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

static void fit_all(sim_arc *arc, double h) {
  struct arc_functions *functions = arc->functions;
  size_t count = arc->jets.layout.count, wide = count + arc->rows;
  double distance[ARC_CHECKS];
  for (size_t column = 0; column < wide; column++) {
    double *to = column < count ? arc->jet + column : arc->reaction + (column - count);
    size_t stride = column < count ? count : arc->rows;
    thud_arc_fit(arc, h, column, set_known(arc, column, to, stride), to, stride, distance);
    for (size_t check = 0; check < ARC_CHECKS; check++) functions->error[check * wide + column] = distance[check];
  }
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/* Accelerations count with the forces and reactions that they are the sum of: what cancels leaves rounding errors. */
double thud_arc_force_scale(const sim_arc *stage) {
  double sum = thud_arc_norm(stage, stage->free);
  for (size_t row = 0; row < stage->rows; row++) sum += fabs(stage->reaction[row]) * stage->own[row];
  return sum;
}

arc_scales thud_arc_scales_of(const sim_arc *arc, double h) {
  const struct arc_functions *functions = arc->functions;
  const dop853 *method = &functions->method;
  size_t n = arc->n;
  arc_scales found = {.a = fmax(functions->forces, thud_arc_force_scale(functions->stage))};
  found.v = fmax(fmax(functions->control->speed, thud_arc_norm(arc, method->start + n)),
                 fmax(thud_arc_norm(arc, method->end + n), h * found.a));
  found.q = fmax(thud_arc_norm(arc, method->start), h * found.v);
  return found;
}

double thud_arc_end_error(const sim_arc *arc, double h, const double *end, const arc_scales *by) {
  const struct arc_functions *functions = arc->functions;
  size_t n = arc->n;
  double *change = functions->estimate;
  thud_arc_state(arc, h, change, change + n);
  for (size_t i = 0; i < 2 * n; i++) change[i] -= end[i];
  return hypot(thud_arc_beside(thud_arc_norm(arc, change), by->q),
               thud_arc_beside(thud_arc_norm(arc, change + n), by->v)) /
         functions->tolerance;
}

/* Largest |value| of a column of the samples. */
static double largest_of(const sim_arc *arc, size_t column) {
  double largest = 0;
  for (size_t k = 0; k < ARC_SAMPLES; k++)
    largest = fmax(largest, fabs(arc->functions->samples[k * thud_arc_width(arc) + column]));
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
    if (arc->modes.held[a] == (thud_index)row && !arc->modes.mix[a].pair) return true;
  return false;
}

/* The error of the gap of a row, of velocity constraints and slips that of their velocity, in units of what is
 * accepted. Rounding: of their terms, and of t. */
static double place_error(const sim_arc *arc, size_t row, double h, const arc_scales *by) {
  const model_jet_layout *at = &arc->jets.layout;
  const struct arc_functions *functions = arc->functions;
  const double *gradient = arc->jet + thud_arc_row(arc, row);
  size_t velocity = row < arc->m ? at->velocity + row : at->slip_velocity + (row - arc->m);
  double tolerance = ARC_LOCATED * functions->tolerance, rounding = ROUNDING * DBL_EPSILON, t = fabs(arc->t0) + h;
  double speed = fmax(largest_of(arc, velocity), arc->own[row] * by->v), terms = functions->speed[row] * t;
  double rate = functions->speed[row] + fabs(arc->jet[thud_arc_convective(arc, row)]) * t;
  if (row >= arc->m || thud_system_constraint(arc->system, (thud_index)row)->kind >= THUD_CONSTRAINT_VELOCITY)
    return thud_arc_beside(distance_of(arc, velocity), fmax(tolerance * speed, rounding * rate));
  for (size_t i = 0; i < arc->n; i++) terms += fabs(gradient[i] * arc->q[i]);
  return thud_arc_beside(distance_of(arc, at->gap + row),
                         fmax(tolerance * fmax(largest_of(arc, at->gap + row), h * speed), rounding * terms));
}

/* What rounding, and the differences of the convective terms, leave open of the reaction that holds a row. */
static double noise_of_row(const sim_arc *arc, size_t row) {
  double own = arc->own[row], rounding = ROUNDING * DBL_EPSILON * arc->functions->stage->size[row];
  return own > 0 ? (arc->noise[row] + rounding) / (own * own) : 0;
}

/* The same of any reaction: the force of a law that slides is mu times its normal reaction, and so is its error. */
static double noise_of_reaction(const sim_arc *arc, size_t row) {
  double noise = noise_of_row(arc, row);
  for (size_t k = 0; k < arc->modes.slide_count; k++) {
    const arc_slide *slide = &arc->modes.slide[k];
    size_t first = arc->m + slide->first;
    if (slide->constraint < 0 || row < first || row >= first + slide->directions) continue;
    double mu = slide->radius * arc->jet[arc->jets.layout.friction + slide->law];
    noise = fmax(noise, fabs(mu) * noise_of_row(arc, (size_t)slide->constraint));
  }
  return noise;
}

/* Accepted error of the reaction of a row. */
static double accepted_force(const sim_arc *arc, size_t row, const arc_scales *by) {
  double largest = fmax(largest_of(arc, arc->jets.layout.count + row), by->a / arc->own[row]);
  return fmax(ARC_FORCES * arc->functions->tolerance * largest, noise_of_reaction(arc, row));
}

/* The error of the reaction of a row. */
static double reaction_error(const sim_arc *arc, size_t row, const arc_scales *by) {
  if (!(arc->own[row] > 0)) return 0;
  return thud_arc_beside(distance_of(arc, arc->jets.layout.count + row), accepted_force(arc, row, by));
}

static double length_of(size_t count, const double *x) {
  double length = 0;
  for (size_t c = 0; c < count; c++) length = hypot(length, x[c]);
  return length;
}

/* A slip that turns, and does not begin on the arc. */
static bool has_turning_slip(const sim_arc *arc, const arc_slide *slide) {
  return thud_arc_slide_turns(slide) &&
         length_of(slide->directions, arc->jet + arc->jets.layout.slip_velocity + slide->first) > 0;
}

/* The direction of such a slip is known to the rounding of its velocity beside it, and the force turns by that angle: its
 * size stays, up to the square of the angle. */
static double turning_error(const sim_arc *arc, const arc_slide *slide, double h, const arc_scales *by) {
  const struct arc_functions *functions = arc->functions;
  size_t row = arc->m + slide->first, count = slide->directions, column = arc->jets.layout.count + row;
  double terms = 0, worst = 0, accepted = 0, off[THUD_MOST_SLIPS], c[ARC_FUNCTIONS_ORDER + 1];
  for (size_t k = 0; k < count; k++) {
    terms = fmax(terms, functions->speed[row + k]);
    if (arc->own[row + k] > 0) accepted = fmax(accepted, accepted_force(arc, row + k, by));
  }
  for (size_t check = ARC_NODES; check < ARC_SAMPLES; check++) {
    const double *sample = functions->samples + check * thud_arc_width(arc), *force = sample + column;
    double slip = length_of(count, sample + arc->jets.layout.slip_velocity + slide->first), along = 0;
    double size = length_of(count, force), angle = fmin(1, ROUNDING * DBL_EPSILON * terms / slip);
    for (size_t k = 0; k < count; k++) {
      for (int j = 0; j <= arc->order; j++) c[j] = arc->reaction[(size_t)j * arc->rows + row + k];
      off[k] = thud_arc_polynomial(arc->order, c, functions->interpolation.place[check] * h, NULL) - force[k];
      if (size > 0) along += off[k] * force[k] / size;
    }
    worst = fmax(worst, thud_arc_beside(fabs(along), accepted + angle * angle * size));
    worst = fmax(worst, thud_arc_beside(length_of(count, off), accepted + angle * size));
  }
  return worst;
}

/* The number of the slide with a slip that turns whose component a row is; slide_count: none. */
static size_t turning_slide(const sim_arc *arc, size_t row) {
  size_t k = 0;
  for (; k < arc->modes.slide_count; k++) {
    const arc_slide *slide = &arc->modes.slide[k];
    size_t first = arc->m + slide->first;
    if (row >= first && row < first + slide->directions && has_turning_slip(arc, slide)) break;
  }
  return k;
}

/* What held rows have drifted by: their velocities at the end, in units of what is accepted. */
static double drift_error(const sim_arc *arc, const arc_scales *by) {
  const struct arc_functions *functions = arc->functions;
  const double *end = functions->samples + (size_t)(ARC_NODES - 1) * thud_arc_width(arc);
  const model_jet_layout *at = &arc->jets.layout;
  double worst = 0;
  for (size_t a = 0; a < arc->modes.held_count; a++) {
    size_t row = (size_t)arc->modes.held[a],
           place = row < arc->m ? at->velocity + row : at->slip_velocity + (row - arc->m);
    const arc_mix *mix = &arc->modes.mix[a];
    double u = mix->pair ? mix->factor[0] * end[place] + mix->factor[1] * end[place + 1] : end[place];
    double limit = ARC_FORCES * functions->tolerance * fmax(arc->own[row] * by->v, functions->speed[row]);
    worst = fmax(worst, thud_arc_beside(fabs(u), limit));
  }
  return worst;
}

static double fit_error(const sim_arc *arc, double h, const arc_scales *by) {
  const struct arc_functions *functions = arc->functions;
  const model_jet_layout *at = &arc->jets.layout;
  double worst = 0;
  for (size_t row = 0; row < arc->rows; row++) {
    if (turning_slide(arc, row) == arc->modes.slide_count) worst = fmax(worst, reaction_error(arc, row, by));
    if (!is_held(arc, row)) worst = fmax(worst, place_error(arc, row, h, by));
  }
  for (size_t k = 0; k < arc->modes.slide_count; k++)
    if (has_turning_slip(arc, &arc->modes.slide[k]))
      worst = fmax(worst, turning_error(arc, &arc->modes.slide[k], h, by));
  for (size_t k = 0; k < arc->system->laws; k++)
    worst = fmax(worst, thud_arc_beside(distance_of(arc, at->friction + k),
                                        ARC_FORCES * functions->tolerance * largest_of(arc, at->friction + k)));
  return worst;
}

double thud_arc_judge(sim_arc *arc, double h, const arc_scales *by, bool *drifts) {
  const struct arc_functions *functions = arc->functions;
  fit_all(arc, h);
  *drifts = drift_error(arc, by) > 1;
  for (size_t i = 0; i < arc->m; i++) functions->blur[i] = functions->tolerance * arc->own[i] * by->q;
  return fit_error(arc, h, by);
}
