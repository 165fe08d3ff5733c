/* The steps of the two methods for -du in N_{C(t)}(u): Moreau's catching-up algorithm, and the Yosida regularisation on
 * the same partition.
 * (J.J. Moreau, Evolution problem associated with a moving convex set in a Hilbert space, 1977; the step below is his
 * u_{i+1} = proj(u_i, C_{i+1}), with the right-limit rule for intervals that do not contain their left end.) */
#include "motions/sweeping/sweep.h"
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void note_residual(thud_sweep *sweep, double t) {
  if (sweep->now.step_residual <= sweep->now.info.worst_residual) return;
  sweep->now.info.worst_residual = sweep->now.step_residual;
  sweep->now.info.worst_residual_time = t;
}

/* An iterative projection of a point inside the set moves it by rounding. A move within the certified gap is not a
 * move: u
 * rests, and never creeps. The gap of a converged answer is pessimistic and grows with the numbers of the set; there
 * the move must be within the tolerance, too, or u would stay behind. */
static void rest_within_gap(thud_sweep *sweep, const thud_set_info *projection) {
  if (projection->exactness == THUD_EXACT) return;
  const thud_metric *metric = sweep->problem.metric;
  double moved = thud_metric_distance(metric, sweep->n, sweep->state, sweep->previous), still = projection->gap;
  if (projection->converged)
    still = fmin(still, sweep->options.tolerance * thud_metric_norm(metric, sweep->n, sweep->previous));
  if (moved <= still) memcpy(sweep->state, sweep->previous, (size_t)sweep->n * sizeof(double));
}

/* Two projections onto a set round by no more than this part of the size of its numbers. */
static const double PROJECTION_ROUNDING = 64 * DBL_EPSILON;

/* Size of the set's numbers, as a length in the metric: what a gap is compared with when u itself is small. */
static double data_size(const thud_sweep *sweep) {
  double size = 0, low = 1, high = 1;
  for (size_t k = 0; k < thud_set_parameter_count(sweep->problem.set.set); k++)
    if (isfinite(sweep->parameters[k])) size = fmax(size, fabs(sweep->parameters[k]));
  if (sweep->problem.metric != NULL) thud_metric_bounds(sweep->problem.metric, &low, &high);
  return sqrt(high) * size;
}

/* |u - proj(u + 2 (u_prev - u))|_M: zero iff u is in C and u_prev - u is normal to C at u, whatever the factor 2; with
 * the factor 1 it would merely repeat the step. Allowed for is also the rounding that the numbers of the set bring in,
 * which may be much larger than u. */
static thud_error certify(thud_sweep *sweep, const thud_set_info *projection, double t) {
  const thud_metric *metric = sweep->problem.metric;
  for (thud_index i = 0; i < sweep->n; i++)
    sweep->probe[i] = sweep->state[i] + 2 * (sweep->previous[i] - sweep->state[i]);
  thud_set_info probe;
  thud_error error = thud_set_project(sweep->problem.set.set, metric, sweep->probe, sweep->probe, &probe);
  if (error != THUD_OK) return error;
  double distance = thud_metric_distance(metric, sweep->n, sweep->probe, sweep->state);
  sweep->now.step_residual = distance;
  sweep->now.info.worst_gap = fmax(sweep->now.info.worst_gap, projection->gap);
  sweep->now.scale = fmax(sweep->now.scale, thud_metric_norm(metric, sweep->n, sweep->state));
  sweep->now.scale = fmax(sweep->now.scale, thud_metric_norm(metric, sweep->n, sweep->previous));
  note_residual(sweep, t);
  double tolerance = sweep->options.tolerance, gap = fmax(projection->gap, probe.gap);
  bool converged = projection->converged && probe.converged;
  double size = data_size(sweep), allowed = tolerance * sweep->now.scale + PROJECTION_ROUNDING * size;
  /* A gap is the square root of a duality gap: the latter is held against the tolerance. */
  bool proven = gap <= sqrt(tolerance) * fmax(sweep->now.scale, size);
  sweep->now.info.loose_projections += proven && !converged;
  if (!converged) allowed += 2 * projection->gap + probe.gap;
  if (proven && distance <= allowed) return THUD_OK;
  return thud_fail(sweep->context, THUD_ERROR_NOT_CONVERGED,
                   "at t = %.15g the projection onto the %s has residual %.3g and gap %.3g, above the tolerance %.3g "
                   "for |u| = %.3g; raise simulate.tolerance or simulate.max_iterations",
                   t, thud_set_kind(sweep->problem.set.set), distance, gap, tolerance, sweep->now.scale);
}

/* Puts C at its place and finds p = proj(C, u); u before is kept in `previous`. */
static thud_error project(thud_sweep *sweep, double t, thud_side side, thud_set_info *projection) {
  memcpy(sweep->previous, sweep->state, (size_t)sweep->n * sizeof(double));
  thud_error error = thud_moving_set_place(&sweep->problem.set, t, side, sweep->parameters);
  if (error != THUD_OK) return error;
  error = thud_set_project(sweep->problem.set.set, sweep->problem.metric, sweep->previous, sweep->state, projection);
  if (error != THUD_OK) return thud_fail_within(sweep->context, error, "projection at t = %.15g", t);
  sweep->now.info.projections++;
  return THUD_OK;
}

/* The move M (u - u_prev) and its length; a density when time has passed since the last projection. */
static void account(thud_sweep *sweep, double elapsed) {
  for (thud_index i = 0; i < sweep->n; i++) sweep->probe[i] = sweep->state[i] - sweep->previous[i];
  thud_metric_apply(sweep->problem.metric, sweep->n, sweep->probe, sweep->reaction);
  if (elapsed > 0)
    for (thud_index i = 0; i < sweep->n; i++) sweep->reaction[i] /= elapsed;
  sweep->now.step_moved = thud_metric_distance(sweep->problem.metric, sweep->n, sweep->state, sweep->previous);
  /* Compensated (Kahan): over millions of steps a plain sum would lose the digits that a checker looks at. */
  double out = thud_metric_distance(sweep->problem.metric, sweep->n, sweep->state, sweep->begin);
  sweep->now.info.extent = fmax(sweep->now.info.extent, out);
  sweep->now.info.largest_move = fmax(sweep->now.info.largest_move, sweep->now.step_moved);
  double term = sweep->now.step_moved - sweep->now.variation_carry, sum = sweep->now.info.variation + term;
  sweep->now.variation_carry = (sum - sweep->now.info.variation) - term;
  sweep->now.info.variation = sum;
}

/* One projection of the catching-up algorithm. The reaction is an impulse when no time has passed: at a jump of the
 * data after its left limit, and for an inadmissible initial state. */
static thud_error catch_up(thud_sweep *sweep, double t, thud_side side) {
  thud_set_info projection;
  thud_error error = project(sweep, t, side, &projection);
  if (error != THUD_OK) return error;
  rest_within_gap(sweep, &projection);
  error = certify(sweep, &projection, t);
  if (error != THUD_OK) return error;
  account(sweep, t - sweep->now.last_time);
  sweep->now.atom = !(t > sweep->now.last_time) && sweep->now.step_moved > 0;
  sweep->now.last_time = t;
  return THUD_OK;
}

/* Before a jump at t* the state catches up with C(t*-), as on an interval that ends there: otherwise the motion since
 * the last node would be taken for a part of the jump. */
static thud_error catch_up_left_limit(thud_sweep *sweep, double t) {
  thud_error error = catch_up(sweep, t, THUD_SIDE_LEFT);
  if (error != THUD_OK) return error;
  size_t bytes = (size_t)sweep->n * sizeof(double);
  memcpy(sweep->left_state, sweep->state, bytes);
  memcpy(sweep->left_reaction, sweep->reaction, bytes);
  sweep->now.left_residual = sweep->now.step_residual;
  sweep->now.left_variation = sweep->now.info.variation;
  sweep->now.has_left = true;
  return THUD_OK;
}

/* The projection of the initial state is no part of the motion. */
static void begin_in_set(thud_sweep *sweep) {
  sweep->now.info.initial_distance = sweep->now.step_moved;
  sweep->now.info.largest_move = sweep->now.info.extent = 0;
  memcpy(sweep->begin, sweep->state, (size_t)sweep->n * sizeof(double));
}

static thud_error catch_up_interval(thud_sweep *sweep, const thud_interval *interval) {
  const thud_regulated *data = sweep->problem.set.parameters;
  double t = interval->left;
  bool first = sweep->now.next == 0;
  bool jump = data != NULL && thud_regulated_jumps_at(data, t);
  sweep->now.has_left = false;
  thud_error error =
      jump && interval->left_closed && t > sweep->now.last_time ? catch_up_left_limit(sweep, t) : THUD_OK;
  if (error == THUD_OK) error = catch_up(sweep, t, interval->left_closed ? THUD_SIDE_VALUE : THUD_SIDE_RIGHT);
  if (error != THUD_OK) return error;
  if (first) begin_in_set(sweep);
  sweep->now.info.time = t;
  return THUD_OK;
}

/* The regularised motion is continuous: single points of time do nothing to it. */
static thud_error relax_over_interval(thud_sweep *sweep, const thud_interval *interval) {
  double h = interval->right - interval->left, t = interval->left + 0.5 * h;
  if (!(h > 0)) return THUD_OK;
  thud_set_info projection;
  thud_error error = project(sweep, t, THUD_SIDE_VALUE, &projection);
  if (error != THUD_OK) return error;
  sweep->now.step_residual = thud_metric_distance(sweep->problem.metric, sweep->n, sweep->previous, sweep->state);
  if (sweep->now.info.projections == 1) sweep->now.info.initial_distance = sweep->now.step_residual;
  note_residual(sweep, t);
  double left_over = exp(-h / sweep->options.lambda);
  for (thud_index i = 0; i < sweep->n; i++) sweep->state[i] += left_over * (sweep->previous[i] - sweep->state[i]);
  account(sweep, h);
  sweep->now.info.time = interval->right;
  return THUD_OK;
}

/* What the failure of a step means for the run; false when it is a failure of the call itself. */
static bool finding_of(thud_error error, thud_motion_status *status) {
  switch (error) {
  case THUD_ERROR_EMPTY_SET: *status = THUD_MOTION_EMPTY_SET; return true;
  case THUD_ERROR_NOT_CONVERGED: *status = THUD_MOTION_NOT_CONVERGED; return true;
  case THUD_ERROR_NOT_FINITE:
  case THUD_ERROR_CALLBACK:
  case THUD_ERROR_ARGUMENT:
  case THUD_ERROR_NOT_SPD:
  case THUD_ERROR_SINGULAR: *status = THUD_MOTION_BAD_DATA; return true;
  default: return false;
  }
}

thud_error thud_sweep_do_interval(thud_sweep *sweep) {
  thud_interval interval = thud_partition_interval(sweep->partition, sweep->now.next);
  thud_error error = sweep->method == THUD_SWEEP_CATCHING_UP ? catch_up_interval(sweep, &interval)
                                                             : relax_over_interval(sweep, &interval);
  if (error != THUD_OK) {
    memcpy(sweep->state, sweep->previous, (size_t)sweep->n * sizeof(double));
    return finding_of(error, &sweep->now.info.status) ? THUD_OK : error;
  }
  sweep->now.info.steps += interval.right > interval.left;
  sweep->now.next++;
  return THUD_OK;
}
