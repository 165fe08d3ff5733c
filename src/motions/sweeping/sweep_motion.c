/* Moreau's sweeping process -du in N_{C(t)}(u) as a motion: catching-up, its Yosida regularisation on the same partition,
 * and motions on halved partitions, which estimate errors and judge limits.
 * (J.J. Moreau, Evolution problem associated with a moving convex set in a Hilbert space, 1977; the step below is his
 * u_{i+1} = proj(u_i, C_{i+1}), with the right-limit rule for intervals that do not contain their left end.) */
#include "base/base.h"
#include "motions/motion.h"
#include "thud/sim.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Everything that changes along a run besides the arrays of the block; no pointers. */
typedef struct sweep_progress {
  size_t next;      /* interval to be done next */
  double last_time; /* time of the last projection */
  double scale;     /* largest |u|_M met so far */
  bool begun;       /* the start has been handed out */
  bool has_left;    /* the last interval began with the left limit of a jump, which is left_state: */
  bool atom;        /* the last step was a jump */
  double left_residual, left_variation;
  double step_residual;
  double variation_carry;      /* what the running sum of the variation has rounded away */
  double step_moved;           /* |u - u_prev|_M of the last step */
  thud_sweep_motion_info info; /* so far */
} sweep_progress;

/* Everything a step needs, allocated once: steps allocate nothing. */
typedef struct sweep_motion {
  thud_motion base;
  thud_sweep_problem problem; /* its pointers are borrowed */
  const thud_partition *partition;
  thud_sweep_options options;
  thud_sweep_method method;
  thud_index n;
  double *parameters;                   /* [parameter count] scratch of the moving set */
  double *probe;                        /* [n] scratch of the certificate */
  double *iterate, *drift, *base_point; /* [n] each with a feedback: u of the iteration before, f there, u_prev - h f */

  sweep_progress now;
  double *block; /* [block_count] the arrays of the state, one allocation: */
  size_t block_count;
  double *state;         /* [n] u */
  double *previous;      /* [n] u before the step */
  double *reaction;      /* [n] */
  double *left_state;    /* [n] */
  double *left_reaction; /* [n] density up to it */
  double *begin;         /* [n] u at the start, in the set */
} sweep_motion;

/* Nothing has ended the run so far. */
static bool is_running(const sweep_motion *sweep) { return sweep->now.info.status == THUD_MOTION_RUNNING; }

/* ---- options ----------------------------------------------------------------------------------------------------- */

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

/* ---- one interval ------------------------------------------------------------------------------------------------ */

static void note_residual(sweep_motion *sweep, double t) {
  if (sweep->now.step_residual <= sweep->now.info.worst_residual) return;
  sweep->now.info.worst_residual = sweep->now.step_residual;
  sweep->now.info.worst_residual_time = t;
}

/* An iterative projection of a point inside the set moves it by rounding. A move within the certified gap is not a
 * move: u
 * rests, and never creeps. The gap of a converged answer is pessimistic and grows with the numbers of the set; there
 * the move must be within the tolerance, too, or u would stay behind. */
static void rest_within_gap(sweep_motion *sweep, const thud_set_info *projection) {
  if (projection->exactness == THUD_EXACT || sweep->problem.feedback != NULL) return;
  const thud_metric *metric = sweep->problem.metric;
  double moved = thud_metric_distance(metric, sweep->n, sweep->state, sweep->previous), still = projection->gap;
  if (projection->converged)
    still = fmin(still, sweep->options.tolerance * thud_metric_norm(metric, sweep->n, sweep->previous));
  if (moved <= still) memcpy(sweep->state, sweep->previous, (size_t)sweep->n * sizeof(double));
}

/* Two projections onto a set round by no more than this part of the size of its numbers. */
static const double PROJECTION_ROUNDING = 64 * DBL_EPSILON;

/* Size of the set's numbers, as a length in the metric: what a gap is compared with when u itself is small. */
static double data_size(const sweep_motion *sweep) {
  double size = 0, low = 1, high = 1;
  for (size_t k = 0; k < thud_set_parameter_count(sweep->problem.set.set); k++)
    if (isfinite(sweep->parameters[k])) size = fmax(size, fabs(sweep->parameters[k]));
  if (sweep->problem.metric != NULL) thud_metric_bounds(sweep->problem.metric, &low, &high);
  return sqrt(high) * size;
}

/* The point that a step projects: u_prev, or u_prev - h f with a feedback. */
static const double *projected_point(const sweep_motion *sweep) {
  return sweep->problem.feedback != NULL ? sweep->base_point : sweep->previous;
}

/* |u - proj(u + 2 (u_prev - u))|_M: zero iff u is in C and u_prev - u is normal to C at u, whatever the factor 2; with
 * the factor 1 it would merely repeat the step (with a feedback u_prev - h f in place of u_prev). Allowed for is also the rounding that the numbers of the set bring in,
 * which may be much larger than u. */
static thud_error certify(sweep_motion *sweep, const thud_set_info *projection, double t) {
  const thud_metric *metric = sweep->problem.metric;
  const double *from = projected_point(sweep);
  for (thud_index i = 0; i < sweep->n; i++) sweep->probe[i] = sweep->state[i] + 2 * (from[i] - sweep->state[i]);
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
  return thud_fail(
      sweep->base.context, THUD_ERROR_NOT_CONVERGED,
      "[solver-limit] at t = %.15g the projection onto the %s has residual %.3g and gap %.3g, above the tolerance %.3g "
      "for |u| = %.3g; raise simulate.tolerance or simulate.max_iterations",
      t, thud_set_kind(sweep->problem.set.set), distance, gap, tolerance, sweep->now.scale);
}

/* ---- a set and a perturbation that depend on the state ----------------------------------------------------------- */

/* Iterates are the same when they differ by this part of the tolerance of the step. */
static const double SAME_ITERATE = 1e-3;
/* Differences below this part of |u| are rounding and say nothing of the ratio. */
static const double RATIO_ROUNDING = 1e-10;
enum {
  MOST_ITERATES = 2000, /* a factor of 0.98 takes 1e-15 of the way in so many */
  PATIENCE = 60         /* iterates after which the differences must have become smaller */
};

/* C(t, u) and u_prev - h f(t, u) for the iterate u. */
static thud_error follow_state(sweep_motion *sweep, double t, thud_side side, double elapsed, const double *u) {
  const thud_sweep_feedback *feedback = sweep->problem.feedback;
  size_t n = (size_t)sweep->n;
  thud_error error = THUD_OK;
  if (feedback->parameters != NULL) {
    error = feedback->parameters(feedback->user, t, side, u, sweep->parameters);
    if (error == THUD_OK) error = thud_set_set_parameters(sweep->problem.set.set, sweep->parameters);
  } else
    error = thud_moving_set_place(&sweep->problem.set, t, side, sweep->parameters);
  memset(sweep->drift, 0, n * sizeof(double));
  if (error == THUD_OK && feedback->perturbation != NULL && elapsed > 0)
    error = feedback->perturbation(feedback->user, t, side, u, sweep->drift);
  for (size_t i = 0; i < n && error == THUD_OK; i++) {
    if (!isfinite(sweep->drift[i]))
      return thud_fail(sweep->base.context, THUD_ERROR_NOT_FINITE, "the perturbation is %g at t = %.15g",
                       sweep->drift[i], t);
    sweep->base_point[i] = sweep->previous[i] - elapsed * sweep->drift[i];
  }
  return error == THUD_OK ? error : thud_fail_within(sweep->base.context, error, "at t = %.15g", t);
}

static thud_error fail_contraction(const sweep_motion *sweep, double t, double ratio) {
  return thud_fail(
      sweep->base.context, THUD_ERROR_NOT_CONVERGED,
      "[no-contraction] t = %.15g: the set and the perturbation follow the state so strongly that the step has "
      "no fixed point by iteration: successive iterates change their distance by the factor %.6g, and less "
      "than 1 is needed",
      t, ratio);
}

/* The ratio of a difference to the one before, where both are more than rounding. */
static void note_ratio(sweep_motion *sweep, double t, double change, double before) {
  double least =
      RATIO_ROUNDING * fmax(sweep->now.scale, thud_metric_norm(sweep->problem.metric, sweep->n, sweep->state));
  double ratio = change / before;
  if (!(change > least && before > least) || ratio <= sweep->now.info.contraction) return;
  sweep->now.info.contraction = ratio;
  sweep->now.info.contraction_time = t;
}

/* u = proj(C(t, u), u_prev - h f(t, u)) by iteration; C and u_prev - h f stay where the last iterate has put them. */
static thud_error iterate_step(sweep_motion *sweep, double t, thud_side side, double elapsed,
                               thud_set_info *projection) {
  const thud_metric *metric = sweep->problem.metric;
  size_t bytes = (size_t)sweep->n * sizeof(double);
  double before = NAN, early = NAN;
  for (int k = 0; k < MOST_ITERATES; k++) {
    memcpy(sweep->iterate, sweep->state, bytes);
    thud_error error = follow_state(sweep, t, side, elapsed, sweep->iterate);
    if (error == THUD_OK)
      error = thud_set_project(sweep->problem.set.set, metric, sweep->base_point, sweep->state, projection);
    if (error == THUD_ERROR_EMPTY_SET && k > 1 && sweep->now.info.contraction >= 1) /* they have gone too far apart */
      error = fail_contraction(sweep, t, sweep->now.info.contraction);
    if (error != THUD_OK) return error;
    sweep->now.info.projections += k == 0;
    double change = thud_metric_distance(metric, sweep->n, sweep->state, sweep->iterate);
    double scale = fmax(sweep->now.scale, thud_metric_norm(metric, sweep->n, sweep->state));
    if (!isfinite(change)) return fail_contraction(sweep, t, INFINITY);
    if (k > 0) note_ratio(sweep, t, change, before);
    if (change <= fmax(SAME_ITERATE * sweep->options.tolerance * scale, 2 * projection->gap)) {
      if (k == 0) memcpy(sweep->state, sweep->iterate, bytes); /* u rests, and does not creep by rounding */
      return follow_state(sweep, t, side, elapsed, sweep->state);
    }
    if (k == PATIENCE / 2) early = change;
    if (k == PATIENCE && !(change < early)) return fail_contraction(sweep, t, pow(change / early, 2.0 / PATIENCE));
    before = change;
  }
  return fail_contraction(sweep, t, sweep->now.info.contraction);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* Puts C at its place and finds p = proj(C, u); u before is kept in `previous`. */
static thud_error project(sweep_motion *sweep, double t, thud_side side, thud_set_info *projection) {
  memcpy(sweep->previous, sweep->state, (size_t)sweep->n * sizeof(double));
  if (sweep->problem.feedback != NULL) return iterate_step(sweep, t, side, t - sweep->now.last_time, projection);
  thud_error error = thud_moving_set_place(&sweep->problem.set, t, side, sweep->parameters);
  if (error != THUD_OK) return error;
  error = thud_set_project(sweep->problem.set.set, sweep->problem.metric, sweep->previous, sweep->state, projection);
  if (error != THUD_OK) return thud_fail_within(sweep->base.context, error, "projection at t = %.15g", t);
  sweep->now.info.projections++;
  return THUD_OK;
}

/* The reaction M (u - u_prev), or M (u - u_prev + h f) with a feedback, and the length of the move; a density when time has
 * passed since the last projection. */
static void account(sweep_motion *sweep, double elapsed) {
  const double *from = projected_point(sweep);
  for (thud_index i = 0; i < sweep->n; i++) sweep->probe[i] = sweep->state[i] - from[i];
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
static thud_error catch_up(sweep_motion *sweep, double t, thud_side side) {
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
static thud_error catch_up_left_limit(sweep_motion *sweep, double t) {
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
static void begin_in_set(sweep_motion *sweep) {
  sweep->now.info.initial_distance = sweep->now.step_moved;
  sweep->now.info.largest_move = sweep->now.info.extent = 0;
  memcpy(sweep->begin, sweep->state, (size_t)sweep->n * sizeof(double));
}

static thud_error catch_up_interval(sweep_motion *sweep, const thud_interval *interval) {
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
static thud_error relax_over_interval(sweep_motion *sweep, const thud_interval *interval) {
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

/* One interval; a finding about the problem becomes the status, and the context's message says it in words. */
static thud_error do_interval(sweep_motion *sweep) {
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

/* ---- what is handed out ------------------------------------------------------------------------------------------ */

static thud_error hand_over(sweep_motion *sweep, const thud_motion_sink *sink, const thud_sweep_frame *frame) {
  int answer = sink->frame(sink->user, frame);
  if (answer < 0) return THUD_ERROR_CALLBACK; /* the sink has said what it was */
  if (answer > 0) {
    sweep->now.info.status = THUD_MOTION_STOPPED;
    thud_fail(sweep->base.context, THUD_ERROR_INTERRUPTED, "interrupted at t = %.15g", sweep->now.info.time);
  }
  return THUD_OK;
}

/* The value at the present time or, after an interval without its left end, the right limit. */
static thud_side present_side(const sweep_motion *sweep) {
  bool open = sweep->method == THUD_SWEEP_CATCHING_UP && sweep->now.next > 0 &&
              !thud_partition_interval(sweep->partition, sweep->now.next - 1).left_closed;
  return open ? THUD_SIDE_RIGHT : THUD_SIDE_VALUE;
}

static thud_sweep_frame present_frame(const sweep_motion *sweep) {
  const sweep_progress *now = &sweep->now;
  return (thud_sweep_frame){.t = now->info.time,
                            .side = present_side(sweep),
                            .state = sweep->state,
                            .reaction = sweep->reaction,
                            .atom = now->atom,
                            .variation = now->info.variation,
                            .residual = now->step_residual};
}

static thud_error emit_present(sweep_motion *sweep, const thud_motion_sink *sink) {
  thud_sweep_frame frame = present_frame(sweep);
  return hand_over(sweep, sink, &frame);
}

/* The left limit before a jump, a frame of its own so that a reader can distinguish a jump from a steep slope. */
static thud_error emit_left_limit(sweep_motion *sweep, const thud_motion_sink *sink) {
  thud_sweep_frame frame = {.t = sweep->now.info.time,
                            .side = THUD_SIDE_LEFT,
                            .state = sweep->left_state,
                            .reaction = sweep->left_reaction,
                            .variation = sweep->now.left_variation,
                            .residual = sweep->now.left_residual};
  return hand_over(sweep, sink, &frame);
}

/* An initial state outside the set jumps onto it: its left limit is the state given. */
static thud_error emit_initial_state(sweep_motion *sweep, const thud_motion_sink *sink) {
  memset(sweep->probe, 0, (size_t)sweep->n * sizeof(double));
  thud_sweep_frame frame = {
      .t = sweep->now.info.time, .side = THUD_SIDE_LEFT, .state = sweep->problem.initial, .reaction = sweep->probe};
  return hand_over(sweep, sink, &frame);
}

/* Hands the frames of the interval just done to the sink, all of them also when it asks to stop. */
static thud_error emit(sweep_motion *sweep, const thud_motion_sink *sink) {
  if (sink->frame == NULL || !is_running(sweep)) return THUD_OK;
  const sweep_progress *now = &sweep->now;
  thud_interval interval = thud_partition_interval(sweep->partition, now->next - 1);
  if (sweep->method == THUD_SWEEP_REGULARISED)
    return interval.left == interval.right ? THUD_OK : emit_present(sweep, sink);
  thud_error error = THUD_OK;
  if (interval.left_closed && now->next == 1 && now->atom) error = emit_initial_state(sweep, sink);
  if (error == THUD_OK && interval.left_closed && now->has_left) error = emit_left_limit(sweep, sink);
  return error == THUD_OK ? emit_present(sweep, sink) : error;
}

/* The regularised motion is continuous and starts at the given state, which is a frame too. */
static thud_error emit_start(sweep_motion *sweep, const thud_motion_sink *sink) {
  bool begun = sweep->now.begun;
  sweep->now.begun = true;
  if (begun || sweep->method != THUD_SWEEP_REGULARISED || sink->frame == NULL) return THUD_OK;
  return emit_present(sweep, sink);
}

/* ---- the interface of motions ------------------------------------------------------------------------------------ */

static bool at_end(const sweep_motion *sweep) { return sweep->now.next >= thud_partition_count(sweep->partition); }

static thud_error step(thud_motion *motion, const thud_motion_sink *sink, thud_reached *reached) {
  sweep_motion *sweep = (sweep_motion *)motion;
  sweep_progress *now = &sweep->now;
  now->info.status = THUD_MOTION_RUNNING;
  thud_error error = emit_start(sweep, sink);
  if (error == THUD_OK && is_running(sweep) && !at_end(sweep)) {
    error = do_interval(sweep);
    if (error == THUD_OK) error = emit(sweep, sink);
  }
  if (is_running(sweep) && at_end(sweep)) now->info.status = THUD_MOTION_COMPLETED;
  *reached = (thud_reached){.status = now->info.status, .t = now->info.time};
  return error;
}

static void present(const thud_motion *motion, void *frame) {
  *(thud_sweep_frame *)frame = present_frame((const sweep_motion *)motion);
}

static void get_info(const thud_motion *motion, void *info) {
  *(thud_sweep_motion_info *)info = ((const sweep_motion *)motion)->now.info;
}

/* What must agree for a block to be restored, and the plain values. */
typedef struct state_header {
  char magic[8];
  size_t block_count, intervals;
  double start, end, tolerance, lambda;
  int method, max_iterations;
  sweep_progress now;
} state_header;

static state_header header_of(const sweep_motion *sweep) {
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

static size_t state_size(const thud_motion *motion) {
  return sizeof(state_header) + ((const sweep_motion *)motion)->block_count * sizeof(double);
}

static void save(const thud_motion *motion, void *state) {
  const sweep_motion *sweep = (const sweep_motion *)motion;
  state_header header = header_of(sweep);
  header.now = sweep->now;
  memcpy(state, &header, sizeof header);
  memcpy((char *)state + sizeof header, sweep->block, sweep->block_count * sizeof(double));
}

static const char *find_fault(const state_header *given) {
  const sweep_progress *now = &given->now;
  if (now->next > given->intervals) return "a number of intervals";
  if (!THUD_STATE_FLAG(now->begun) || !THUD_STATE_FLAG(now->has_left) || !THUD_STATE_FLAG(now->atom)) return "flags";
  if (!thud_state_has_status(now->info.status)) return "a status";
  bool timed = thud_state_has_time(now->last_time, given->start, given->end) &&
               thud_state_has_time(now->info.time, given->start, given->end);
  return timed ? NULL : "a time";
}

static thud_error restore(thud_motion *motion, const void *state, size_t size) {
  sweep_motion *sweep = (sweep_motion *)motion;
  state_header expected = header_of(sweep), given;
  if (size != state_size(motion))
    return thud_fail(motion->context, THUD_ERROR_FORMAT,
                     "[state-of-another-run] the saved state has %zu bytes, this run's has %zu", size,
                     state_size(motion));
  memcpy(&given, state, sizeof given);
  if (memcmp(&expected, &given, offsetof(state_header, now)) != 0)
    return thud_fail(
        motion->context, THUD_ERROR_FORMAT,
        "[state-of-another-run] the saved state belongs to another problem, partition or to other options");
  const char *fault = find_fault(&given);
  if (fault != NULL) return thud_motion_refuse_state(motion, fault);
  sweep->now = given.now;
  memcpy(sweep->block, (const char *)state + sizeof given, sweep->block_count * sizeof(double));
  return THUD_OK;
}

static void destroy(thud_motion *motion) {
  sweep_motion *sweep = (sweep_motion *)motion;
  thud_context *context = motion->context;
  thud_free(context, sweep->block);
  thud_free(context, sweep->probe);
  thud_free(context, sweep->iterate);
  thud_free(context, sweep->parameters);
  thud_free(context, sweep);
}

static const thud_motion_type sweep_type = {.name = "sweep",
                                            .frame_size = sizeof(thud_sweep_frame),
                                            .info_size = sizeof(thud_sweep_motion_info),
                                            .step = step,
                                            .present = present,
                                            .info = get_info,
                                            .state_size = state_size,
                                            .save = save,
                                            .restore = restore,
                                            .destroy = destroy};

THUD_MOTION_QUERIES(sweep, thud_sweep_frame, thud_sweep_motion_info, &sweep_type)

/* ---- life -------------------------------------------------------------------------------------------------------- */

static thud_error check_problem(thud_context *context, thud_sweep_method method, const thud_sweep_problem *problem) {
  if (problem == NULL || problem->set.set == NULL || problem->initial == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] a sweeping problem needs a set and an initial state");
  thud_index n = thud_set_dimension(problem->set.set);
  if (problem->metric != NULL && thud_metric_dimension(problem->metric) != n)
    return thud_fail(context, THUD_ERROR_DIMENSION, "the metric has dimension %d, the moving set %d",
                     (int)thud_metric_dimension(problem->metric), (int)n);
  const thud_regulated *parameters = problem->set.parameters;
  if (parameters != NULL && (size_t)parameters->dimension != thud_set_parameter_count(problem->set.set))
    return thud_fail(context, THUD_ERROR_DIMENSION,
                     "[callback] the moving set has %zu parameters, its function of time %d",
                     thud_set_parameter_count(problem->set.set), (int)parameters->dimension);
  if (problem->feedback != NULL && method != THUD_SWEEP_CATCHING_UP)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "sets and perturbations that depend on the state are for catching-up, not for the penalty");
  for (thud_index i = 0; i < n; i++)
    if (!isfinite(problem->initial[i]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "component %d of the initial state is %g", (int)i,
                       problem->initial[i]);
  return THUD_OK;
}

/* The arrays of the state are one block, so that a snapshot is a copy; probe and parameters are scratch. */
static thud_error allocate_states(sweep_motion *sweep) {
  thud_context *context = sweep->base.context;
  size_t n = (size_t)sweep->n, arrays = 6;
  if (!thud_size_multiply(n, arrays, &sweep->block_count))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "[state-of-another-run] a state of %zu components is too large", n);
  sweep->block = THUD_NEW_ARRAY(context, double, sweep->block_count);
  sweep->probe = THUD_NEW_ARRAY(context, double, n);
  sweep->parameters = THUD_NEW_ARRAY(context, double, thud_set_parameter_count(sweep->problem.set.set));
  if (sweep->block == NULL || sweep->probe == NULL || sweep->parameters == NULL) return THUD_ERROR_MEMORY;
  if (sweep->problem.feedback != NULL) {
    size_t scratch;
    if (!thud_size_multiply(n, 3, &scratch)) return THUD_ERROR_OVERFLOW;
    sweep->iterate = THUD_NEW_ARRAY(context, double, scratch);
    if (sweep->iterate == NULL) return THUD_ERROR_MEMORY;
    sweep->drift = sweep->iterate + n;
    sweep->base_point = sweep->drift + n;
  }
  double *next = sweep->block, **parts[] = {&sweep->state,      &sweep->previous,      &sweep->reaction,
                                            &sweep->left_state, &sweep->left_reaction, &sweep->begin};
  for (size_t k = 0; k < arrays; k++, next += n) *parts[k] = next;
  return THUD_OK;
}

static thud_error create(thud_context *context, thud_sweep_method method, const thud_sweep_problem *problem,
                         const thud_partition *partition, const thud_sweep_options *options, sweep_motion **sweep) {
  thud_sweep_options chosen;
  thud_error error = check_problem(context, method, problem);
  if (error == THUD_OK) error = thud_options_take(context, &sweep_table, options, &chosen);
  if (error == THUD_OK)
    error = thud_set_set_tolerance(problem->set.set, 1e-3 * chosen.tolerance, chosen.max_iterations);
  if (error != THUD_OK) return error;
  sweep_motion *made = THUD_NEW(context, sweep_motion);
  if (made == NULL) return THUD_ERROR_MEMORY;
  double start = thud_partition_interval(partition, 0).left;
  *made = (sweep_motion){.base = {.type = &sweep_type, .context = context},
                         .problem = *problem,
                         .partition = partition,
                         .options = chosen,
                         .method = method,
                         .n = thud_set_dimension(problem->set.set),
                         .now = {.last_time = start, .info = {.time = start, .worst_residual_time = start}}};
  error = allocate_states(made);
  if (error != THUD_OK) {
    destroy(&made->base);
    return error;
  }
  memcpy(made->state, problem->initial, (size_t)made->n * sizeof(double));
  memcpy(made->begin, problem->initial, (size_t)made->n * sizeof(double));
  thud_set_get_parameters(problem->set.set, made->parameters);
  *sweep = made;
  return THUD_OK;
}

thud_error thud_sweep_motion_create(thud_context *context, thud_sweep_method method, const thud_sweep_problem *problem,
                                    const thud_partition *partition, const thud_sweep_options *options,
                                    thud_motion **motion) {
  THUD_REQUIRE(context, context, problem, partition, motion);
  sweep_motion *made;
  thud_error error = create(context, method, problem, partition, options, &made);
  if (error == THUD_OK) *motion = &made->base;
  return error;
}

/* ---- halved partitions ------------------------------------------------------------------------------------------- */

/* Of the states just reached and, at a jump, of their left limits. */
static double distance_between(const sweep_motion *fine, const sweep_motion *coarse) {
  const thud_metric *metric = fine->problem.metric;
  double distance = thud_metric_distance(metric, fine->n, fine->state, coarse->state);
  if (!fine->now.has_left || !coarse->now.has_left) return distance;
  return fmax(distance, thud_metric_distance(metric, fine->n, fine->left_state, coarse->left_state));
}

/* The fine run does the halves of the coarse run's last interval. Catching-up states belong to the beginning of an
 * interval, regularised states to its end, hence the comparison after the first or after the last half. */
static thud_error follow(sweep_motion *fine, const sweep_motion *coarse, double *difference) {
  thud_interval whole = thud_partition_interval(coarse->partition, coarse->now.next - 1);
  bool compare_at_begin = fine->method == THUD_SWEEP_CATCHING_UP;
  bool first = true, last = false;
  while (!last) {
    thud_interval part = thud_partition_interval(fine->partition, fine->now.next);
    thud_error error = do_interval(fine);
    if (error != THUD_OK || !is_running(fine)) return error;
    last = part.right == whole.right && part.right_closed == whole.right_closed;
    if (compare_at_begin ? first : last) *difference = fmax(*difference, distance_between(fine, coarse));
    first = false;
  }
  return THUD_OK;
}

/* Both runs, interval by interval of the coarse one. A run that does not complete is an error: its own message stays.
 */
static thud_error run_pair(sweep_motion *coarse, sweep_motion *fine, const thud_motion_sink *watch,
                           double *difference) {
  thud_error error = THUD_OK;
  bool going = true;
  double largest = 0;
  coarse->now.info.status = fine->now.info.status = THUD_MOTION_RUNNING;
  while (going && coarse->now.next < thud_partition_count(coarse->partition)) {
    error = do_interval(coarse);
    if (error == THUD_OK) error = emit(coarse, watch);
    if (error == THUD_OK && is_running(coarse)) error = follow(fine, coarse, &largest);
    going = error == THUD_OK && is_running(coarse) && is_running(fine);
  }
  if (going) *difference = largest;
  if (going || error != THUD_OK) return error;
  return coarse->now.info.status == THUD_MOTION_STOPPED ? THUD_ERROR_INTERRUPTED : THUD_ERROR_NOT_CONVERGED;
}

/* Steps, variation and largest move of a run that has ended, and their extent. */
static void note_level(const sweep_motion *sweep, thud_limit_level *row, double *size) {
  const thud_sweep_motion_info *info = &sweep->now.info;
  *row = (thud_limit_level){
      .steps = info->steps, .variation = info->variation, .largest_move = info->largest_move, .distance = NAN};
  *size = thud_larger(*size, info->extent);
}

/* The pair of rows [0] and [1], the distance in the second. */
static thud_error compare_pair(thud_context *context, thud_sweep_method method, const thud_sweep_problem *problem,
                               const thud_partition *coarse_partition, const thud_partition *fine_partition,
                               const thud_sweep_options *options, const thud_motion_sink *watch, thud_limit_level *rows,
                               double *size) {
  sweep_motion *coarse = NULL, *fine = NULL;
  double difference = NAN, kept = rows[0].distance;
  thud_error error = create(context, method, problem, coarse_partition, options, &coarse);
  if (error == THUD_OK) error = create(context, method, problem, fine_partition, options, &fine);
  if (error == THUD_OK) error = run_pair(coarse, fine, watch, &difference);
  if (error == THUD_OK) {
    note_level(coarse, &rows[0], size);
    note_level(fine, &rows[1], size);
    rows[0].distance = kept;
    rows[1].distance = difference;
  }
  thud_motion_destroy(fine != NULL ? &fine->base : NULL);
  thud_motion_destroy(coarse != NULL ? &coarse->base : NULL);
  return error;
}

enum { MAX_LEVELS = 20 };
/* Distances below this part of the way that u goes are rounding of the projections. */
static const double rounding = 1e-10;

/* Runs on the partition and on `halvings` halvings of it, rows[halvings + 1]; intervals[halvings] (may be NULL) are the
 * sizes of the coarser partitions. */
static thud_error run_halvings(thud_context *context, thud_sweep_method method, const thud_sweep_problem *problem,
                               const thud_partition *partition, const thud_sweep_options *options, int halvings,
                               const thud_motion_sink *watch, size_t *intervals, thud_limit_level *rows, double *size) {
  const thud_motion_sink nobody = {0};
  const thud_partition *coarse = partition;
  thud_partition *owned = NULL, *fine = NULL;
  thud_error error = THUD_OK;
  rows[0].distance = NAN;
  for (int level = 0; level < halvings && error == THUD_OK; level++) {
    error = thud_partition_halve(context, coarse, &fine);
    if (error != THUD_OK) break;
    if (intervals != NULL) intervals[level] = thud_partition_count(coarse);
    error = compare_pair(context, method, problem, coarse, fine, options, watch != NULL ? watch : &nobody, &rows[level],
                         size);
    thud_partition_destroy(owned);
    coarse = owned = fine;
  }
  thud_partition_destroy(owned);
  return error;
}

static double extrapolation_order(int levels, const thud_sweep_refinement *rows) {
  double p = levels > 1 ? rows[1].order : 1;
  return p >= 0.25 && p <= 2.5 ? p : 1;
}

thud_error thud_sweep_refine(thud_context *context, thud_sweep_method method, const thud_sweep_problem *problem,
                             const thud_partition *partition, const thud_sweep_options *options, int levels,
                             const thud_motion_sink *watch, thud_sweep_refinement *rows, double *error_estimate) {
  THUD_REQUIRE(context, context, problem, partition, rows, error_estimate);
  if (levels < 1 || levels > MAX_LEVELS)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] a refinement study needs 1 to %d levels, not %d",
                     MAX_LEVELS, levels);
  thud_limit_level found[MAX_LEVELS + 1];
  size_t intervals[MAX_LEVELS];
  double size = 0;
  thud_error error = run_halvings(context, method, problem, partition, options, levels, watch, intervals, found, &size);
  if (error != THUD_OK) return error;
  for (int k = 0; k < levels; k++)
    rows[k] = (thud_sweep_refinement){.intervals = intervals[k],
                                      .difference = found[k + 1].distance,
                                      .order = k > 0 ? log2(found[k].distance / found[k + 1].distance) : NAN};
  *error_estimate = rows[0].difference / (1 - exp2(-extrapolation_order(levels, rows)));
  return THUD_OK;
}

thud_error thud_sweep_classify(thud_context *context, thud_sweep_method method, const thud_sweep_problem *problem,
                               const thud_partition *partition, const thud_sweep_options *options, int levels,
                               const thud_motion_sink *watch, thud_limit_level *rows, thud_limit_judgement *judgement) {
  THUD_REQUIRE(context, context, problem, partition, rows, judgement);
  if (levels < THUD_LIMIT_LEAST_LEVELS || levels > MAX_LEVELS)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] a judgement needs %d to %d levels, not %d",
                     (int)THUD_LIMIT_LEAST_LEVELS, MAX_LEVELS, levels);
  double size = 0;
  thud_error error = run_halvings(context, method, problem, partition, options, levels - 1, watch, NULL, rows, &size);
  bool incomplete = error == THUD_ERROR_NOT_CONVERGED;
  if (error == THUD_OK || incomplete) thud_limit_judge(incomplete ? 0 : levels, rows, rounding * size, judgement);
  return incomplete ? THUD_OK : error;
}
