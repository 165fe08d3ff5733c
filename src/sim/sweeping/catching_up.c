/* Moreau's catching-up algorithm for -du in N_{C(t)}(u), and the Yosida regularisation on the same partition.
 * (J.J. Moreau, Evolution problem associated with a moving convex set in a Hilbert space, 1977; the step below is his
 * u_{i+1} = proj(u_i, C_{i+1}), with the right-limit rule for intervals that do not contain their left end.) */
#include "sim/sweeping/sweep.h"
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

static const thud_option_key sweep_keys[] = {
    {.name = "tolerance",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(thud_sweep_options, tolerance),
     .default_value = 1e-9,
     .minimum = 0,
     .maximum = 1,
     .minimum_open = true,
     .unit = "1",
     .help = "accepted residual of a step, relative to the largest |u| met so far"},
    {.name = "max_iterations",
     .type = THUD_OPTION_INT,
     .offset = offsetof(thud_sweep_options, max_iterations),
     .default_value = 100000,
     .minimum = 1,
     .maximum = INFINITY,
     .unit = "1",
     .help = "iteration limit of one projection, for sets that are projected on iteratively"},
    {.name = "lambda",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(thud_sweep_options, lambda),
     .default_value = 1e-3,
     .minimum = 0,
     .maximum = DBL_MAX,
     .minimum_open = true,
     .unit = "s",
     .help = "Yosida parameter of the regularised method: relaxation time of the penalty"},
};

static const thud_option_table sweep_table = {.name = "sweeping process",
                                              .struct_size = sizeof(thud_sweep_options),
                                              .keys = sweep_keys,
                                              .count = sizeof sweep_keys / sizeof *sweep_keys};

const thud_option_table *thud_sweep_option_table(void) { return &sweep_table; }

thud_sweep_options thud_sweep_options_default(void) {
  thud_sweep_options options;
  thud_options_set_defaults(&sweep_table, &options);
  return options;
}

static thud_error check_problem(thud_context *context, const thud_sweep_problem *problem) {
  if (problem == NULL || problem->set.set == NULL || problem->initial == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a sweeping problem needs a set and an initial state");
  thud_index n = thud_set_dimension(problem->set.set);
  if (problem->metric != NULL && thud_metric_dimension(problem->metric) != n)
    return thud_fail(context, THUD_ERROR_DIMENSION, "the metric has dimension %d, the moving set %d",
                     (int)thud_metric_dimension(problem->metric), (int)n);
  const thud_regulated *parameters = problem->set.parameters;
  if (parameters != NULL && (size_t)parameters->dimension != thud_set_parameter_count(problem->set.set))
    return thud_fail(context, THUD_ERROR_DIMENSION, "the moving set has %zu parameters, its function of time %d",
                     thud_set_parameter_count(problem->set.set), (int)parameters->dimension);
  for (thud_index i = 0; i < n; i++)
    if (!isfinite(problem->initial[i]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "component %d of the initial state is %g", (int)i,
                       problem->initial[i]);
  return THUD_OK;
}

thud_error sweep_run_create(thud_context *context, thud_sweep_method method, const thud_sweep_problem *problem,
                            const thud_partition *partition, const thud_sweep_options *options, sweep_run *run) {
  if (partition == NULL || options == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a sweeping run needs a partition and options");
  thud_error error = check_problem(context, problem);
  if (error == THUD_OK) error = thud_options_check(context, &sweep_table, options);
  if (error == THUD_OK)
    error = thud_set_set_tolerance(problem->set.set, 1e-3 * options->tolerance, options->max_iterations);
  if (error != THUD_OK) return error;

  thud_index n = thud_set_dimension(problem->set.set);
  double start = thud_partition_interval(partition, 0).left;
  *run = (sweep_run){.context = context,
                     .problem = problem,
                     .partition = partition,
                     .options = *options,
                     .method = method,
                     .n = n,
                     .last_time = start,
                     .info = {.time = start, .worst_residual_time = start}};
  run->parameters = THUD_NEW_ARRAY(context, double, thud_set_parameter_count(problem->set.set));
  run->state = THUD_NEW_ARRAY(context, double, n);
  run->previous = THUD_NEW_ARRAY(context, double, n);
  run->probe = THUD_NEW_ARRAY(context, double, n);
  run->reaction = THUD_NEW_ARRAY(context, double, n);
  run->left_state = THUD_NEW_ARRAY(context, double, n);
  run->left_reaction = THUD_NEW_ARRAY(context, double, n);
  if (run->parameters == NULL || run->state == NULL || run->previous == NULL || run->probe == NULL ||
      run->reaction == NULL || run->left_state == NULL || run->left_reaction == NULL) {
    sweep_run_destroy(run);
    return THUD_ERROR_MEMORY;
  }
  memcpy(run->state, problem->initial, (size_t)n * sizeof(double));
  thud_set_get_parameters(problem->set.set, run->parameters);
  return THUD_OK;
}

void sweep_run_destroy(sweep_run *run) {
  thud_free(run->context, run->parameters);
  thud_free(run->context, run->state);
  thud_free(run->context, run->previous);
  thud_free(run->context, run->probe);
  thud_free(run->context, run->reaction);
  thud_free(run->context, run->left_state);
  thud_free(run->context, run->left_reaction);
}

/* Findings about the problem become the run's status; anything else (memory, internal) fails the call. */
static bool run_ends(sweep_run *run, thud_error error) {
  switch (error) {
  case THUD_ERROR_EMPTY_SET: run->info.status = THUD_RUN_EMPTY_SET; break;
  case THUD_ERROR_NOT_CONVERGED: run->info.status = THUD_RUN_NOT_CONVERGED; break;
  case THUD_ERROR_NOT_FINITE:
  case THUD_ERROR_CALLBACK:
  case THUD_ERROR_ARGUMENT:
  case THUD_ERROR_NOT_SPD:
  case THUD_ERROR_SINGULAR: run->info.status = THUD_RUN_BAD_DATA; break;
  default: run->error = error;
  }
  return false;
}

static void note_residual(sweep_run *run, double t) {
  if (run->step_residual <= run->info.worst_residual) return;
  run->info.worst_residual = run->step_residual;
  run->info.worst_residual_time = t;
}

/* An iterative projection of a point inside the set moves it by rounding. A move within the certified gap is no move: u
 * rests, and never creeps. The gap of a converged answer is pessimistic and grows with the numbers of the set; there
 * the move must be within the tolerance, too, or u would stay behind. */
static void rest_within_gap(sweep_run *run, const thud_set_info *projection) {
  if (projection->exactness == THUD_EXACT) return;
  const thud_metric *metric = run->problem->metric;
  double moved = thud_metric_distance(metric, run->n, run->state, run->previous), still = projection->gap;
  if (projection->converged)
    still = fmin(still, run->options.tolerance * thud_metric_norm(metric, run->n, run->previous));
  if (moved <= still) memcpy(run->state, run->previous, (size_t)run->n * sizeof(double));
}

/* Two projections onto a set round by no more than this part of the size of its numbers. */
static const double PROJECTION_ROUNDING = 64 * DBL_EPSILON;

/* Size of the set's numbers, as a length in the metric: what a gap is compared with when u itself is small. */
static double data_size(const sweep_run *run) {
  double size = 0, low = 1, high = 1;
  for (size_t k = 0; k < thud_set_parameter_count(run->problem->set.set); k++)
    if (isfinite(run->parameters[k])) size = fmax(size, fabs(run->parameters[k]));
  if (run->problem->metric != NULL) thud_metric_bounds(run->problem->metric, &low, &high);
  return sqrt(high) * size;
}

/* |u - proj(u + 2 (u_prev - u))|_M: zero iff u is in C and u_prev - u is normal to C at u, whatever the factor 2; with
 * the factor 1 it would merely repeat the step. Allowed for is also the rounding that the numbers of the set bring in,
 * which may be much larger than u. */
static thud_error certify(sweep_run *run, const thud_set_info *projection, double t) {
  const thud_metric *metric = run->problem->metric;
  for (thud_index i = 0; i < run->n; i++) run->probe[i] = run->state[i] + 2 * (run->previous[i] - run->state[i]);
  thud_set_info probe;
  thud_error error = thud_set_project(run->problem->set.set, metric, run->probe, run->probe, &probe);
  if (error != THUD_OK) return error;
  double distance = thud_metric_distance(metric, run->n, run->probe, run->state);
  run->step_residual = distance;
  run->info.worst_gap = fmax(run->info.worst_gap, projection->gap);
  run->scale = fmax(run->scale, thud_metric_norm(metric, run->n, run->state));
  run->scale = fmax(run->scale, thud_metric_norm(metric, run->n, run->previous));
  note_residual(run, t);
  double tolerance = run->options.tolerance, gap = fmax(projection->gap, probe.gap);
  bool converged = projection->converged && probe.converged;
  double size = data_size(run), allowed = tolerance * run->scale + PROJECTION_ROUNDING * size;
  /* A gap is the square root of a duality gap: the latter is held against the tolerance. */
  bool proven = gap <= sqrt(tolerance) * fmax(run->scale, size);
  run->info.loose_projections += proven && !converged;
  if (!converged) allowed += 2 * projection->gap + probe.gap;
  if (proven && distance <= allowed) return THUD_OK;
  return thud_fail(run->context, THUD_ERROR_NOT_CONVERGED,
                   "at t = %.15g the projection onto the %s has residual %.3g and gap %.3g, above the tolerance %.3g "
                   "for |u| = %.3g; raise simulate.tolerance or simulate.max_iterations",
                   t, thud_set_kind(run->problem->set.set), distance, gap, tolerance, run->scale);
}

/* Puts C at its place and finds p = proj(C, u); u before is kept in `previous`. */
static thud_error project(sweep_run *run, double t, thud_side side, thud_set_info *projection) {
  memcpy(run->previous, run->state, (size_t)run->n * sizeof(double));
  thud_error error = thud_moving_set_place(&run->problem->set, t, side, run->parameters);
  if (error != THUD_OK) return error;
  error = thud_set_project(run->problem->set.set, run->problem->metric, run->previous, run->state, projection);
  if (error != THUD_OK) return thud_fail_within(run->context, error, "projection at t = %.15g", t);
  run->info.projections++;
  return THUD_OK;
}

/* The move M (u - u_prev) and its length; a density when time has passed since the last projection. */
static void account(sweep_run *run, double elapsed) {
  for (thud_index i = 0; i < run->n; i++) run->probe[i] = run->state[i] - run->previous[i];
  thud_metric_apply(run->problem->metric, run->n, run->probe, run->reaction);
  if (elapsed > 0)
    for (thud_index i = 0; i < run->n; i++) run->reaction[i] /= elapsed;
  run->step_moved = thud_metric_distance(run->problem->metric, run->n, run->state, run->previous);
  /* Compensated (Kahan): over millions of steps a plain sum would lose the digits that a checker looks at. */
  double term = run->step_moved - run->variation_carry, sum = run->info.variation + term;
  run->variation_carry = (sum - run->info.variation) - term;
  run->info.variation = sum;
}

/* One projection of the catching-up algorithm. The reaction is an impulse when no time has passed: at a jump of the
 * data after its left limit, and for an inadmissible initial state. */
static thud_error catch_up(sweep_run *run, double t, thud_side side) {
  thud_set_info projection;
  thud_error error = project(run, t, side, &projection);
  if (error != THUD_OK) return error;
  rest_within_gap(run, &projection);
  error = certify(run, &projection, t);
  if (error != THUD_OK) return error;
  account(run, t - run->last_time);
  run->atom = !(t > run->last_time) && run->step_moved > 0;
  run->last_time = t;
  return THUD_OK;
}

/* Before a jump at t* the state catches up with C(t*-), as on an interval that ends there: otherwise the motion since
 * the last node would be taken for a part of the jump. */
static thud_error catch_up_left_limit(sweep_run *run, double t) {
  thud_error error = catch_up(run, t, THUD_SIDE_LEFT);
  if (error != THUD_OK) return error;
  size_t bytes = (size_t)run->n * sizeof(double);
  memcpy(run->left_state, run->state, bytes);
  memcpy(run->left_reaction, run->reaction, bytes);
  run->left_residual = run->step_residual;
  run->left_variation = run->info.variation;
  run->has_left = true;
  return THUD_OK;
}

static thud_error catch_up_interval(sweep_run *run, const thud_interval *interval) {
  const thud_regulated *data = run->problem->set.parameters;
  double t = interval->left;
  bool first = run->next == 0;
  bool jump = data != NULL && thud_regulated_jumps_at(data, t);
  run->has_left = false;
  thud_error error = jump && interval->left_closed && t > run->last_time ? catch_up_left_limit(run, t) : THUD_OK;
  if (error == THUD_OK) error = catch_up(run, t, interval->left_closed ? THUD_SIDE_VALUE : THUD_SIDE_RIGHT);
  if (error != THUD_OK) return error;
  if (first) run->info.initial_distance = run->step_moved;
  run->info.time = t;
  return THUD_OK;
}

/* The regularised motion is continuous: single points of time do nothing to it. */
static thud_error relax_over_interval(sweep_run *run, const thud_interval *interval) {
  double h = interval->right - interval->left, t = interval->left + 0.5 * h;
  if (!(h > 0)) return THUD_OK;
  thud_set_info projection;
  thud_error error = project(run, t, THUD_SIDE_VALUE, &projection);
  if (error != THUD_OK) return error;
  run->step_residual = thud_metric_distance(run->problem->metric, run->n, run->previous, run->state);
  if (run->info.projections == 1) run->info.initial_distance = run->step_residual;
  note_residual(run, t);
  double left_over = exp(-h / run->options.lambda);
  for (thud_index i = 0; i < run->n; i++) run->state[i] += left_over * (run->previous[i] - run->state[i]);
  account(run, h);
  run->info.time = interval->right;
  return THUD_OK;
}

bool sweep_run_step(sweep_run *run) {
  thud_interval interval = thud_partition_interval(run->partition, run->next);
  thud_error error =
      run->method == THUD_SWEEP_CATCHING_UP ? catch_up_interval(run, &interval) : relax_over_interval(run, &interval);
  if (error != THUD_OK) {
    memcpy(run->state, run->previous, (size_t)run->n * sizeof(double));
    return run_ends(run, error);
  }
  run->info.steps += interval.right > interval.left;
  run->next++;
  return true;
}

static bool hand_over(sweep_run *run, const thud_sink *sink, const thud_frame *frame) {
  int answer = sink->frame(sink->user, frame);
  if (answer == 0) return true;
  if (answer > 0) {
    run->info.status = THUD_RUN_INTERRUPTED;
    thud_fail(run->context, THUD_ERROR_INTERRUPTED, "interrupted at t = %.15g", run->info.time);
  } else {
    run->error = THUD_ERROR_CALLBACK; /* the sink has said what it was */
  }
  return false;
}

/* State and reaction after the step just done. */
static bool emit_state(sweep_run *run, const thud_sink *sink, thud_side side) {
  thud_frame frame = {.t = run->info.time,
                      .side = side,
                      .state = run->state,
                      .reaction = run->reaction,
                      .atom = run->atom,
                      .variation = run->info.variation,
                      .residual = run->step_residual};
  return hand_over(run, sink, &frame);
}

/* The left limit before a jump, a frame of its own so that a reader can tell a jump from a steep slope. */
static bool emit_left_limit(sweep_run *run, const thud_sink *sink) {
  thud_frame frame = {.t = run->info.time,
                      .side = THUD_SIDE_LEFT,
                      .state = run->left_state,
                      .reaction = run->left_reaction,
                      .variation = run->left_variation,
                      .residual = run->left_residual};
  return hand_over(run, sink, &frame);
}

/* An initial state outside the set jumps onto it: its left limit is the state given. */
static bool emit_initial_state(sweep_run *run, const thud_sink *sink) {
  memset(run->probe, 0, (size_t)run->n * sizeof(double));
  thud_frame frame = {
      .t = run->info.time, .side = THUD_SIDE_LEFT, .state = run->problem->initial, .reaction = run->probe};
  return hand_over(run, sink, &frame);
}

bool sweep_run_emit(sweep_run *run, const thud_sink *sink) {
  if (sink == NULL || sink->frame == NULL) return true;
  thud_interval interval = thud_partition_interval(run->partition, run->next - 1);
  if (run->method == THUD_SWEEP_REGULARISED)
    return interval.left == interval.right || emit_state(run, sink, THUD_SIDE_VALUE);
  if (!interval.left_closed) return emit_state(run, sink, THUD_SIDE_RIGHT);
  if (run->next == 1 && run->atom && !emit_initial_state(run, sink)) return false;
  if (run->has_left && !emit_left_limit(run, sink)) return false;
  return emit_state(run, sink, THUD_SIDE_VALUE);
}

/* The regularised motion is continuous and starts at the given state, which is a frame too. */
static bool emit_start(sweep_run *run, const thud_sink *sink) {
  if (run->method != THUD_SWEEP_REGULARISED || sink == NULL || sink->frame == NULL) return true;
  return emit_state(run, sink, THUD_SIDE_VALUE);
}

static thud_error sweep(thud_context *context, thud_sweep_method method, const thud_sweep_problem *problem,
                        const thud_partition *partition, const thud_sweep_options *options, const thud_sink *sink,
                        double *final, thud_sweep_info *info) {
  sweep_run run;
  thud_error error = sweep_run_create(context, method, problem, partition, options, &run);
  if (error != THUD_OK) return error;
  size_t count = thud_partition_count(partition);
  bool going = emit_start(&run, sink);
  while (going && run.next < count) going = sweep_run_step(&run) && sweep_run_emit(&run, sink);
  if (run.error == THUD_OK) {
    if (final != NULL) memcpy(final, run.state, (size_t)run.n * sizeof(double));
    if (info != NULL) *info = run.info;
  }
  sweep_run_destroy(&run);
  return run.error;
}

thud_error thud_sweep_catching_up(thud_context *context, const thud_sweep_problem *problem,
                                  const thud_partition *partition, const thud_sweep_options *options,
                                  const thud_sink *sink, double *final, thud_sweep_info *info) {
  return sweep(context, THUD_SWEEP_CATCHING_UP, problem, partition, options, sink, final, info);
}

thud_error thud_sweep_regularised(thud_context *context, const thud_sweep_problem *problem,
                                  const thud_partition *partition, const thud_sweep_options *options,
                                  const thud_sink *sink, double *final, thud_sweep_info *info) {
  return sweep(context, THUD_SWEEP_REGULARISED, problem, partition, options, sink, final, info);
}
