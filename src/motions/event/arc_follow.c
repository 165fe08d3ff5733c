/* Arcs whose modes are fixed: accelerations as a function of the state, the length of a step, and everything along it as
 * polynomials with their errors. */
#include "linalg/dense.h"
#include "motions/event/arc_functions.h"
#include "motions/event/arc_polynomial.h"
#include "motions/stepping/stepping.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- accelerations ------------------------------------------------------------------------------------------------- */

/* As a function of (t, q, v), with the held rows solved for their reactions. */

/* The point of an outline against a slip. */
static bool pull_by_outline(const arc_slide *slide, const double *slip, double *pull) {
  double normal[THUD_MOST_SLIPS];
  bool slips = false;
  for (size_t c = 0; c < slide->directions; c++) {
    normal[c] = -slip[c];
    slips = slips || slip[c] != 0;
  }
  if (slips) thud_outline_point(slide->outline, slide->piece, normal, pull);
  return slips;
}

/* Directions of the slips: pull = -d. From rest they are those known at the start until there is slip. */
static void set_pulls(const sim_arc *arc) {
  const sim_arc *stage = arc->functions->stage;
  const double *slip = stage->jet + stage->jets.layout.slip_velocity;
  for (size_t k = 0; k < arc->modes.slide_count; k++) {
    const arc_slide *slide = &arc->modes.slide[k];
    double *pull = arc->functions->pull + arc->m + slide->first;
    if (slide->outline != NULL && stage->t0 > arc->t0 && pull_by_outline(slide, slip + slide->first, pull)) continue;
    double speed = slide->directions == 2 && !slide->fixed && slide->outline == NULL
                       ? hypot(slip[slide->first], slip[slide->first + 1])
                       : 0;
    for (size_t c = 0; c < slide->directions; c++)
      pull[c] = stage->t0 > arc->t0 && speed > 0 ? -slip[slide->first + c] / speed : -slide->along[c];
  }
}

/* What a force along row `by` does to held row number a. */
static double held_by(const sim_arc *arc, size_t a, size_t by) {
  const sim_arc *stage = arc->functions->stage;
  const arc_mix *mix = &arc->modes.mix[a];
  size_t row = (size_t)arc->modes.held[a];
  double sum = mix->factor[0] * stage->delassus[row * stage->rows + by];
  return mix->pair ? sum + mix->factor[1] * stage->delassus[(row + 1) * stage->rows + by] : sum;
}

/* The same for held row number b. */
static double held_by_held(const sim_arc *arc, size_t a, size_t b) {
  const arc_mix *mix = &arc->modes.mix[b];
  size_t row = (size_t)arc->modes.held[b];
  double sum = mix->factor[0] * held_by(arc, a, row);
  return mix->pair ? sum + mix->factor[1] * held_by(arc, a, row + 1) : sum;
}

/* Length of its gradient. */
static double held_length(const sim_arc *arc, size_t a) {
  const sim_arc *stage = arc->functions->stage;
  return arc->modes.mix[a].pair ? sqrt(held_by_held(arc, a, a)) : stage->own[arc->modes.held[a]];
}

/* Adds to the equation of held row number a what a sliding law gives it: its part of the column of the normal reaction,
 * or of the right-hand side. */
static void add_slide(const sim_arc *arc, const arc_slide *slide, size_t a) {
  const struct arc_functions *functions = arc->functions;
  const sim_arc *stage = functions->stage;
  size_t count = arc->modes.held_count;
  double effect = 0, most = slide->radius * stage->jet[stage->jets.layout.friction + slide->law];
  double own = held_length(arc, a);
  for (size_t c = 0; c < slide->directions; c++) {
    size_t row = arc->m + slide->first + c;
    effect += held_by(arc, a, row) * functions->pull[row];
  }
  if (slide->constraint < 0) functions->row_values[a] -= effect * most / own;
  for (size_t b = 0; b < count; b++)
    if (arc->modes.held[b] == slide->constraint)
      functions->row_factor[a + b * count] += effect * most * slide->sign / (own * stage->own[slide->constraint]);
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

/* ---- rows that depend on others ---------------------------------------------------------------------------------- */

/* Number a of the held rows as a combination of rows of the start: G between two of them. */
static double start_product(const sim_arc *arc, size_t a, size_t b) {
  const arc_mix *mix = arc->modes.mix;
  double sum = 0;
  for (size_t i = 0; i < 2; i++)
    for (size_t j = 0; j < 2; j++) {
      double factor = mix[a].factor[i] * mix[b].factor[j];
      if (factor == 0) continue;
      sum += factor * arc->delassus[((size_t)arc->modes.held[a] + i) * arc->rows + (size_t)arc->modes.held[b] + j];
    }
  return sum;
}

/* Part `number` of a row, at length 1, in the directions of those taken before, which are rows of L: G_aS = l_a L_S'. Returns
 * what is left of its square. */
static double project_row(const sim_arc *arc, size_t a, size_t number) {
  const struct arc_functions *functions = arc->functions;
  size_t count = arc->modes.held_count;
  double *row = functions->basis + a * count, left = 1, own = sqrt(start_product(arc, a, a));
  for (size_t k = 0; k < number; k++) {
    size_t b = (size_t)functions->order[k];
    const double *other = functions->basis + b * count;
    double sum = start_product(arc, a, b) / (own * sqrt(start_product(arc, b, b)));
    for (size_t j = 0; j < k; j++) sum -= row[j] * other[j];
    row[k] = sum / other[k];
    left -= row[k] * row[k];
  }
  return left;
}

void thud_arc_choose_rows(const sim_arc *arc) {
  struct arc_functions *functions = arc->functions;
  size_t count = arc->modes.held_count, taken = 0, rest = count;
  for (size_t a = 0; a < count; a++) {
    double left = start_product(arc, a, a) > 0 ? project_row(arc, a, taken) : 0;
    functions->given[a] = arc->modes.mix[a].pair ? 0 : arc->reaction[arc->modes.held[a]];
    if (left > ARC_ROUNDING * DBL_EPSILON * (double)(taken + 1)) {
      functions->basis[a * count + taken] = sqrt(left);
      functions->order[taken++] = (thud_index)a;
    } else {
      functions->order[--rest] = (thud_index)a;
    }
  }
  functions->independent = taken;
}

/* A x = b, x: b, then x, with rows and columns at the size 1: those of sliding laws are mu times the others. scale: [n] room. */
static bool solve_scaled(size_t n, double *A, thud_index *pivots, double *scale, double *x) {
  for (size_t i = 0; i < n; i++) {
    double most = 0;
    for (size_t j = 0; j < n; j++) most = fmax(most, fabs(A[i + j * n]));
    if (!(most > 0)) return false;
    for (size_t j = 0; j < n; j++) A[i + j * n] /= most;
    x[i] /= most;
  }
  for (size_t j = 0; j < n; j++) {
    scale[j] = 0;
    for (size_t i = 0; i < n; i++) scale[j] = fmax(scale[j], fabs(A[i + j * n]));
    if (!(scale[j] > 0)) return false;
    for (size_t i = 0; i < n; i++) A[i + j * n] /= scale[j];
  }
  if (!thud_dense_lu((thud_index)n, A, pivots)) return false;
  thud_dense_lu_solve((thud_index)n, A, pivots, x);
  for (size_t j = 0; j < n; j++) x[j] /= scale[j];
  return true;
}

/* Reactions of dependent rows, A x = b with the rank of the independent ones: x = given + B z changes by as little as it may,
 * with the rows of the held gradients in B, G = B B'. The equations of the others follow from these. x: b, then x. */
static bool solve_dependent(const sim_arc *arc, double *x) {
  const struct arc_functions *functions = arc->functions;
  const double *A = functions->row_factor;
  size_t count = arc->modes.held_count, rank = functions->independent;
  double *B = functions->basis, *T = B + count * count, *z = T + count * count; /* B: row-major */
  for (size_t k = 0; k < count; k++) {
    size_t a = (size_t)functions->order[k];
    for (size_t j = 0; j < rank && (k >= rank || j <= k); j++) {
      size_t b = (size_t)functions->order[j];
      double sum = held_by_held(arc, a, b) / (held_length(arc, a) * held_length(arc, b));
      for (size_t i = 0; i < j; i++) sum -= B[a * count + i] * B[b * count + i];
      B[a * count + j] = k == j ? sqrt(fmax(0, sum)) : sum / B[b * count + j];
    }
    for (size_t j = k + 1; j < rank; j++) B[a * count + j] = 0;
  }
  for (size_t k = 0; k < rank; k++) {
    size_t a = (size_t)functions->order[k];
    z[k] = x[a];
    for (size_t b = 0; b < count; b++) z[k] -= A[a + b * count] * functions->given[b] * held_length(arc, b);
    for (size_t j = 0; j < rank; j++) {
      T[k + j * rank] = 0;
      for (size_t b = 0; b < count; b++) T[k + j * rank] += A[a + b * count] * B[b * count + j];
    }
  }
  if (!solve_scaled(rank, T, functions->pivots, z + count, z)) return false;
  for (size_t a = 0; a < count; a++) {
    x[a] = functions->given[a] * held_length(arc, a);
    for (size_t j = 0; j < rank; j++) x[a] += B[a * count + j] * z[j];
  }
  return true;
}

static bool solve_rows(const sim_arc *arc, double *x) {
  const struct arc_functions *functions = arc->functions;
  size_t count = arc->modes.held_count;
  if (functions->independent < count) return solve_dependent(arc, x);
  return solve_scaled(count, functions->row_factor, functions->pivots, functions->basis, x);
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
    const arc_mix *mix = &arc->modes.mix[a];
    double drift = stage->drift[held[a]];
    if (mix->pair) drift = mix->factor[0] * drift + mix->factor[1] * stage->drift[held[a] + 1];
    x[a] = -drift / held_length(arc, a);
    for (size_t b = 0; b < count; b++)
      factor[a + b * count] = held_by_held(arc, a, b) / (held_length(arc, a) * held_length(arc, b));
    for (size_t k = 0; k < arc->modes.slide_count; k++) add_slide(arc, &arc->modes.slide[k], a);
  }
  if (!solve_rows(arc, x))
    return thud_fail(stage->context, THUD_ERROR_UNQUALIFIED,
                     "[unqualified-point] t = %.10g: the gradients of the constraints that hold have become dependent",
                     stage->t0);
  for (size_t a = 0; a < count; a++)
    if (!arc->modes.mix[a].pair) stage->reaction[held[a]] = x[a] / stage->own[held[a]];
  set_tractions(arc);
  for (size_t a = 0; a < count; a++) /* along edges, beside what slides across them */
    for (int c = 0; c < 2 && arc->modes.mix[a].pair; c++)
      stage->reaction[held[a] + c] += arc->modes.mix[a].factor[c] * x[a] / held_length(arc, a);
  return THUD_OK;
}

/* Rounding errors of accelerations and reactions are taken back. Slip along edges is left as it is. The factor of the
 * reactions is not needed any more: its arrays serve the held rows. */
static void refine(const sim_arc *arc) {
  const struct arc_functions *functions = arc->functions;
  sim_arc *stage = functions->stage;
  arc_held held = {0, functions->pivots, functions->row_factor, functions->row_values};
  thud_index failed;
  double pivot;
  for (size_t k = 0; k < functions->independent; k++) {
    size_t a = (size_t)functions->order[k];
    if (!arc->modes.mix[a].pair) functions->pivots[held.count++] = arc->modes.held[a];
  }
  for (size_t a = 0; a < held.count; a++)
    for (size_t b = 0; b < held.count; b++)
      functions->row_factor[a + b * held.count] =
          stage->delassus[(size_t)held.rows[a] * stage->rows + (size_t)held.rows[b]];
  if (!thud_cholesky_loops((thud_index)held.count, functions->row_factor, &failed, &pivot)) held.count = 0;
  thud_arc_refine(stage, 0, &held);
}

/* y = (q, v); leaves everything of the state in the stage. */
thud_error thud_arc_slope(void *user, double s, const double *y, double *slope) {
  const sim_arc *arc = user;
  const struct arc_functions *functions = arc->functions;
  sim_arc *stage = functions->stage;
  size_t n = arc->n;
  thud_error error = thud_arc_begin(stage, arc->t0 + s, y, y + n);
  if (error == THUD_OK) error = thud_arc_open_order(stage, 0);
  if (error == THUD_OK) error = solve_reactions(arc);
  if (error != THUD_OK) return error;
  thud_arc_accelerate(stage, 0);
  refine(arc);
  thud_arc_close_order(stage, 0);
  memcpy(slope, y + n, n * sizeof *slope);
  memcpy(slope + n, stage->a, n * sizeof *slope);
  return THUD_OK;
}

/* ---- the length of a step ------------------------------------------------------------------------------------------ */

/* The length of the arcs of backends that follow: attempts that are shortened until their errors are accepted. */

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
  return thud_fail(arc->context, THUD_ERROR_NOT_CONVERGED,
                   "[step-vanishes] the step vanishes at t = %.10g: the motion has a singularity there, or the "
                   "functions jump or have a "
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

/* ---- polynomials through samples ----------------------------------------------------------------------------------- */

/* Everything along an arc as polynomials, and their errors.
 *
 * States at the nodes are given. What the functions say there is interpolated, and compared with the polynomials
 * between the nodes: what they differ by is known to the search for events as their error. */

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
