/* A sweeping run from its initial state to its end: options, life, one step, the state block, the loops over it. */
#include "motions/sweeping/sweep.h"
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
     .help = "regularised: relaxation time of the penalty (Yosida parameter)"},
};

static const thud_option_table sweep_table = {.name = "sweeping process",
                                              .struct_size = sizeof(thud_sweep_options),
                                              .keys = sweep_keys,
                                              .count = sizeof sweep_keys / sizeof *sweep_keys};

const thud_option_table *thud_sweep_option_table(void) { return &sweep_table; }

/* ---- life -------------------------------------------------------------------------------------------------------- */

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

/* The arrays of the state are one block, so that a snapshot is a copy; probe and parameters are scratch. */
static thud_error allocate_states(thud_sweep *sweep) {
  thud_context *context = sweep->context;
  size_t n = (size_t)sweep->n, arrays = 6;
  if (!thud_size_multiply(n, arrays, &sweep->block_count))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "a state of %zu components is too large", n);
  sweep->block = THUD_NEW_ARRAY(context, double, sweep->block_count);
  sweep->probe = THUD_NEW_ARRAY(context, double, n);
  sweep->parameters = THUD_NEW_ARRAY(context, double, thud_set_parameter_count(sweep->problem.set.set));
  if (sweep->block == NULL || sweep->probe == NULL || sweep->parameters == NULL) return THUD_ERROR_MEMORY;
  double *next = sweep->block, **parts[] = {&sweep->state,      &sweep->previous,      &sweep->reaction,
                                            &sweep->left_state, &sweep->left_reaction, &sweep->begin};
  for (size_t k = 0; k < arrays; k++, next += n) *parts[k] = next;
  return THUD_OK;
}

thud_error thud_sweep_create(thud_context *context, thud_sweep_method method, const thud_sweep_problem *problem,
                             const thud_partition *partition, const thud_sweep_options *options, thud_sweep **sweep) {
  THUD_REQUIRE(context, context, problem, partition, sweep);
  thud_sweep_options chosen;
  thud_error error = check_problem(context, problem);
  if (error == THUD_OK) error = thud_options_take(context, &sweep_table, options, &chosen);
  if (error == THUD_OK)
    error = thud_set_set_tolerance(problem->set.set, 1e-3 * chosen.tolerance, chosen.max_iterations);
  if (error != THUD_OK) return error;
  thud_sweep *made = THUD_NEW(context, thud_sweep);
  if (made == NULL) return THUD_ERROR_MEMORY;
  double start = thud_partition_interval(partition, 0).left;
  *made = (thud_sweep){.context = context,
                       .problem = *problem,
                       .partition = partition,
                       .options = chosen,
                       .method = method,
                       .n = thud_set_dimension(problem->set.set),
                       .now = {.last_time = start, .info = {.time = start, .worst_residual_time = start}}};
  error = allocate_states(made);
  if (error != THUD_OK) {
    thud_sweep_destroy(made);
    return error;
  }
  memcpy(made->state, problem->initial, (size_t)made->n * sizeof(double));
  memcpy(made->begin, problem->initial, (size_t)made->n * sizeof(double));
  thud_set_get_parameters(problem->set.set, made->parameters);
  *sweep = made;
  return THUD_OK;
}

void thud_sweep_destroy(thud_sweep *sweep) {
  if (sweep == NULL) return;
  thud_free(sweep->context, sweep->block);
  thud_free(sweep->context, sweep->probe);
  thud_free(sweep->context, sweep->parameters);
  thud_free(sweep->context, sweep);
}

/* ---- what is handed out ------------------------------------------------------------------------------------------ */

static thud_error hand_over(thud_sweep *sweep, const thud_sink *sink, const thud_frame *frame) {
  int answer = sink->frame(sink->user, frame);
  if (answer < 0) return THUD_ERROR_CALLBACK; /* the sink has said what it was */
  if (answer > 0) {
    sweep->now.info.status = THUD_MOTION_STOPPED;
    thud_fail(sweep->context, THUD_ERROR_INTERRUPTED, "interrupted at t = %.15g", sweep->now.info.time);
  }
  return THUD_OK;
}

/* The value at the present time or, after an interval without its left end, the right limit. */
static thud_side present_side(const thud_sweep *sweep) {
  bool open = sweep->method == THUD_SWEEP_CATCHING_UP && sweep->now.next > 0 &&
              !thud_partition_interval(sweep->partition, sweep->now.next - 1).left_closed;
  return open ? THUD_SIDE_RIGHT : THUD_SIDE_VALUE;
}

thud_frame thud_sweep_present(const thud_sweep *sweep) {
  THUD_REQUIRE_OR((thud_frame){0}, sweep);
  const sweep_progress *now = &sweep->now;
  return (thud_frame){.t = now->info.time,
                      .side = present_side(sweep),
                      .state = sweep->state,
                      .reaction = sweep->reaction,
                      .atom = now->atom,
                      .variation = now->info.variation,
                      .residual = now->step_residual};
}

static thud_error emit_present(thud_sweep *sweep, const thud_sink *sink) {
  thud_frame frame = thud_sweep_present(sweep);
  return hand_over(sweep, sink, &frame);
}

/* The left limit before a jump, a frame of its own so that a reader can distinguish a jump from a steep slope. */
static thud_error emit_left_limit(thud_sweep *sweep, const thud_sink *sink) {
  thud_frame frame = {.t = sweep->now.info.time,
                      .side = THUD_SIDE_LEFT,
                      .state = sweep->left_state,
                      .reaction = sweep->left_reaction,
                      .variation = sweep->now.left_variation,
                      .residual = sweep->now.left_residual};
  return hand_over(sweep, sink, &frame);
}

/* An initial state outside the set jumps onto it: its left limit is the state given. */
static thud_error emit_initial_state(thud_sweep *sweep, const thud_sink *sink) {
  memset(sweep->probe, 0, (size_t)sweep->n * sizeof(double));
  thud_frame frame = {
      .t = sweep->now.info.time, .side = THUD_SIDE_LEFT, .state = sweep->problem.initial, .reaction = sweep->probe};
  return hand_over(sweep, sink, &frame);
}

thud_error thud_sweep_emit(thud_sweep *sweep, const thud_sink *sink) {
  if (sink == NULL || sink->frame == NULL || !sweep_is_running(sweep)) return THUD_OK;
  const sweep_progress *now = &sweep->now;
  thud_interval interval = thud_partition_interval(sweep->partition, now->next - 1);
  if (sweep->method == THUD_SWEEP_REGULARISED)
    return interval.left == interval.right ? THUD_OK : emit_present(sweep, sink);
  thud_error error = THUD_OK;
  if (interval.left_closed && now->next == 1 && now->atom) error = emit_initial_state(sweep, sink);
  if (error == THUD_OK && sweep_is_running(sweep) && interval.left_closed && now->has_left)
    error = emit_left_limit(sweep, sink);
  return error == THUD_OK && sweep_is_running(sweep) ? emit_present(sweep, sink) : error;
}

/* The regularised motion is continuous and starts at the given state, which is a frame too. */
static thud_error emit_start(thud_sweep *sweep, const thud_sink *sink) {
  bool begun = sweep->now.begun;
  sweep->now.begun = true;
  if (begun || sweep->method != THUD_SWEEP_REGULARISED || sink == NULL || sink->frame == NULL) return THUD_OK;
  return emit_present(sweep, sink);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static bool at_end(const thud_sweep *sweep) { return sweep->now.next >= thud_partition_count(sweep->partition); }

thud_error thud_sweep_step(thud_sweep *sweep, const thud_sink *sink, thud_sweep_info *info) {
  THUD_REQUIRE(sweep != NULL ? sweep->context : NULL, sweep);
  sweep_progress *now = &sweep->now;
  now->info.status = THUD_MOTION_RUNNING;
  thud_error error = emit_start(sweep, sink);
  if (error == THUD_OK && sweep_is_running(sweep) && !at_end(sweep)) {
    error = thud_sweep_do_interval(sweep);
    if (error == THUD_OK) error = thud_sweep_emit(sweep, sink);
  }
  if (sweep_is_running(sweep) && at_end(sweep)) now->info.status = THUD_MOTION_COMPLETED;
  if (error == THUD_OK && info != NULL) *info = now->info;
  return error;
}

static thud_error run(thud_context *context, thud_sweep_method method, const thud_sweep_problem *problem,
                      const thud_partition *partition, const thud_sweep_options *options, const thud_sink *sink,
                      double *final, thud_sweep_info *info) {
  thud_sweep *sweep;
  thud_error error = thud_sweep_create(context, method, problem, partition, options, &sweep);
  if (error != THUD_OK) return error;
  do error = thud_sweep_step(sweep, sink, NULL);
  while (error == THUD_OK && sweep_is_running(sweep));
  if (error == THUD_OK && final != NULL) memcpy(final, sweep->state, (size_t)sweep->n * sizeof(double));
  if (error == THUD_OK && info != NULL) *info = sweep->now.info;
  thud_sweep_destroy(sweep);
  return error;
}

thud_error thud_sweep_catching_up(thud_context *context, const thud_sweep_problem *problem,
                                  const thud_partition *partition, const thud_sweep_options *options,
                                  const thud_sink *sink, double *final, thud_sweep_info *info) {
  THUD_REQUIRE(context, context, problem, partition, options);
  return run(context, THUD_SWEEP_CATCHING_UP, problem, partition, options, sink, final, info);
}

thud_error thud_sweep_regularised(thud_context *context, const thud_sweep_problem *problem,
                                  const thud_partition *partition, const thud_sweep_options *options,
                                  const thud_sink *sink, double *final, thud_sweep_info *info) {
  THUD_REQUIRE(context, context, problem, partition, options);
  return run(context, THUD_SWEEP_REGULARISED, problem, partition, options, sink, final, info);
}

/* ---- the state block --------------------------------------------------------------------------------------------- */

/* What must agree for a block to be restored, and the plain values. */
typedef struct state_header {
  char magic[8];
  size_t block_count, intervals;
  double start, end, tolerance, lambda;
  int method, max_iterations;
  sweep_progress now;
} state_header;

static state_header header_of(const thud_sweep *sweep) {
  size_t count = thud_partition_count(sweep->partition);
  state_header header;
  memset(&header, 0, sizeof header);
  memcpy(header.magic, "thudswp1", sizeof header.magic);
  header.block_count = sweep->block_count;
  header.intervals = count;
  header.start = thud_partition_interval(sweep->partition, 0).left;
  header.end = thud_partition_interval(sweep->partition, count - 1).right;
  header.tolerance = sweep->options.tolerance;
  header.lambda = sweep->options.lambda;
  header.method = (int)sweep->method;
  header.max_iterations = sweep->options.max_iterations;
  return header;
}

size_t thud_sweep_state_size(const thud_sweep *sweep) {
  THUD_REQUIRE_OR(0, sweep);
  return sizeof(state_header) + sweep->block_count * sizeof(double);
}

void thud_sweep_save(const thud_sweep *sweep, void *state) {
  THUD_REQUIRE_OR(, sweep, state);
  state_header header = header_of(sweep);
  header.now = sweep->now;
  memcpy(state, &header, sizeof header);
  memcpy((char *)state + sizeof header, sweep->block, sweep->block_count * sizeof(double));
}

thud_error thud_sweep_restore(thud_sweep *sweep, const void *state, size_t size) {
  THUD_REQUIRE_OF(sweep, state);
  state_header expected = header_of(sweep), given;
  if (size != thud_sweep_state_size(sweep))
    return thud_fail(sweep->context, THUD_ERROR_FORMAT, "the saved state has %zu bytes, this run's has %zu", size,
                     thud_sweep_state_size(sweep));
  memcpy(&given, state, sizeof given);
  if (memcmp(&expected, &given, offsetof(state_header, now)) != 0)
    return thud_fail(sweep->context, THUD_ERROR_FORMAT,
                     "the saved state belongs to another problem, partition or to other options");
  sweep->now = given.now;
  memcpy(sweep->block, (const char *)state + sizeof given, sweep->block_count * sizeof(double));
  return THUD_OK;
}
