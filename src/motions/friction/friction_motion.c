/* Composed friction laws as a motion: each row is the answer of the laws at its time. Without a configuration there is no
 * history: the state is the number of the row and what was found so far. With one, q' = (W, u) is integrated by the
 * trapezoidal rule. */
#include "base/base.h"
#include "motions/motion.h"
#include "thud/friction.h"

#include <math.h>
#include <string.h>

/* An answer is one of several when its range is wider than this part of what its component is large or small beside. */
static const double several_width = 1e-6;

/* Everything that changes, without pointers. */
typedef struct friction_state {
  double next; /* number of the row that comes next */
  double t, dissipation, gap;
  double largest, largest_t; /* dissipation */
  double events[THUD_FRICTION_EVENT_KINDS];
  double contraction;
} friction_state;

typedef struct friction_motion {
  thud_motion base;
  thud_friction_problem problem;
  thud_motion_status status; /* of the last step */
  friction_state state;
  double *block;                                     /* all arrays: */
  double *velocity, *force, *force_low, *force_high; /* [driven] */
  double *inner, *inner_low, *inner_high;            /* [internal] */
  double *force_scale, *inner_scale;                 /* [driven], [internal] */
  double *slip, *forces;                             /* [rows] */
  double *configuration, *rate;                      /* [driven + internal] q and q' of the last row, */
  double *start, *start_rate, *guess;                /* those of the row before, and the rate of the iterate */
} friction_motion;

static size_t coordinates_of(const friction_motion *motion) {
  return motion->problem.initial != NULL ? motion->problem.driven + motion->problem.internal : 0;
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static void keep_answer(friction_motion *motion, const thud_composition_answer *answer) {
  const thud_friction_problem *problem = &motion->problem;
  friction_state *state = &motion->state;
  state->dissipation = answer->dissipation;
  state->gap = answer->gap;
  memcpy(motion->force, answer->force, problem->driven * sizeof(double));
  memcpy(motion->force_scale, answer->force_scale, problem->driven * sizeof(double));
  if (problem->internal > 0) {
    memcpy(motion->inner, answer->velocity, problem->internal * sizeof(double));
    memcpy(motion->inner_scale, answer->velocity_scale, problem->internal * sizeof(double));
  }
  memcpy(motion->slip, answer->slip, problem->rows * sizeof(double));
  memcpy(motion->forces, answer->forces, problem->rows * sizeof(double));
}

/* Fills everything of a row at t. Where there is no answer, the status is one of failure and the context's message says
 * more. */
static thud_error answer_at(friction_motion *motion, double t, thud_motion_status *status) {
  const thud_friction_problem *problem = &motion->problem;
  thud_context *context = motion->base.context;
  thud_composition_answer answer;
  thud_error error = problem->initial != NULL
                         ? problem->place_at(problem->user, t, motion->configuration, motion->velocity)
                         : problem->place(problem->user, t, motion->velocity);
  if (error == THUD_OK) error = thud_composition_solve(problem->composition, motion->velocity, &answer);
  if (error == THUD_ERROR_EMPTY_SET) {
    *status = THUD_MOTION_FAILED;
    return THUD_OK; /* the message is that of the laws */
  }
  if (error != THUD_OK) return error;
  motion->state.t = t;
  *status = THUD_MOTION_RUNNING;
  if (!answer.admissible) {
    *status = THUD_MOTION_FAILED;
    (void)thud_fail(context, THUD_ERROR_UNSUPPORTED,
                    "[velocity-forbidden] t = %.15g: the laws forbid this velocity: no force of theirs could resist it",
                    t);
    return THUD_OK;
  }
  if (!answer.info.converged) {
    *status = THUD_MOTION_NOT_CONVERGED;
    (void)thud_fail(context, THUD_ERROR_NOT_CONVERGED,
                    "[solver-limit] t = %.15g: after %d steps the laws hold to %.3g of their sizes only", t,
                    (int)answer.info.iterations, answer.residual);
    return THUD_OK;
  }
  keep_answer(motion, &answer);
  return THUD_OK;
}

static void note_largest(friction_state *state) {
  if (!(state->dissipation > state->largest)) return;
  state->largest = state->dissipation;
  state->largest_t = state->t;
}

static thud_error find_ranges(friction_motion *motion) {
  return thud_composition_ranges(motion->problem.composition, motion->force_low, motion->force_high, motion->inner_low,
                                 motion->inner_high);
}

/* ---- the configuration ------------------------------------------------------------------------------------------- */

/* Iterates are the same when they differ by this part of their size or of their way in the step; changes below the second part are
 * rounding and say nothing of the ratio. */
static const double same_configuration = 1e-11, ratio_rounding = 1e-8;
enum { MOST_ITERATES = 300 };

static void gather_rate(const friction_motion *motion, double *rate) {
  memcpy(rate, motion->velocity, motion->problem.driven * sizeof(double));
  if (motion->problem.internal > 0)
    memcpy(rate + motion->problem.driven, motion->inner, motion->problem.internal * sizeof(double));
}

/* The largest change of a coordinate by another rate, in parts of what it is large or small beside: its value, its way in
 * the step, and the way that the laws would call large. */
static double change_of(const friction_motion *motion, double h, const double *rate, const double *other) {
  double largest = 0;
  for (size_t j = 0; j < coordinates_of(motion); j++) {
    double internal = j >= motion->problem.driven ? motion->inner_scale[j - motion->problem.driven] : 0;
    double size = fmax(fabs(motion->start[j]), h * fmax(internal, fmax(fabs(rate[j]), fabs(other[j]))));
    if (size > 0) largest = fmax(largest, 0.5 * h * fabs(rate[j] - other[j]) / size);
  }
  return largest;
}

static thud_error fail_step(const friction_motion *motion, double t, double ratio, thud_motion_status *status) {
  *status = THUD_MOTION_NOT_CONVERGED;
  (void)thud_fail(
      motion->base.context, THUD_ERROR_NOT_CONVERGED,
      "[no-contraction] t = %.15g: the velocities follow the configuration so strongly that the step has no fixed "
      "point by iteration: successive iterates change their distance by the factor %.6g, and less than 1 is needed; "
      "take shorter steps",
      t, ratio);
  return THUD_OK;
}

/* q = q_before + h/2 (q'_before + q'), q' = (W, u) the answer of the laws in q at t: iterated from q' = q'_before. */
static thud_error integrate_to(friction_motion *motion, double t, double h, thud_motion_status *status) {
  size_t count = coordinates_of(motion), bytes = count * sizeof(double);
  double before = INFINITY, worst = 0;
  memcpy(motion->start, motion->configuration, bytes);
  memcpy(motion->start_rate, motion->rate, bytes);
  for (int k = 0; k < MOST_ITERATES; k++) {
    memcpy(motion->guess, motion->rate, bytes);
    for (size_t j = 0; j < count; j++)
      motion->configuration[j] = motion->start[j] + 0.5 * h * (motion->start_rate[j] + motion->guess[j]);
    thud_error error = answer_at(motion, t, status);
    if (error != THUD_OK || thud_motion_has_failed(*status)) return error;
    gather_rate(motion, motion->rate);
    double change = change_of(motion, h, motion->rate, motion->guess);
    if (k > 0 && fmin(change, before) > ratio_rounding) worst = fmax(worst, change / before);
    if (change <= same_configuration) {
      motion->state.contraction = fmax(motion->state.contraction, worst);
      return THUD_OK;
    }
    before = change;
  }
  return fail_step(motion, t, worst, status);
}

/* Everything of the row at t, h after the one before; h = 0: the first one. */
static thud_error make_row(friction_motion *motion, double t, double h, thud_motion_status *status) {
  bool evolves = motion->problem.initial != NULL;
  thud_error error = evolves && h > 0 ? integrate_to(motion, t, h, status) : answer_at(motion, t, status);
  if (error != THUD_OK || thud_motion_has_failed(*status)) return error;
  if (evolves && !(h > 0)) gather_rate(motion, motion->rate);
  note_largest(&motion->state);
  return find_ranges(motion);
}

static bool is_open(double low, double high, double scale) {
  return isinf(low) || isinf(high) || high - low > several_width * fmax(scale, fmax(fabs(low), fabs(high)));
}

/* One event for every component of which there are several values. */
static int hand_out_ranges(friction_motion *motion, const thud_motion_sink *sink, thud_friction_event_kind kind,
                           size_t count, const double *low, const double *high, const double *scale) {
  int answer = 0;
  for (size_t k = 0; k < count && answer >= 0; k++) {
    if (!is_open(low[k], high[k], scale[k])) continue;
    const thud_friction_event event = {
        .t = motion->state.t, .kind = kind, .component = k, .low = low[k], .high = high[k]};
    motion->state.events[kind]++;
    int wish = sink->event != NULL ? sink->event(sink->user, &event) : 0;
    if (wish != 0) answer = wish;
  }
  return answer;
}

static thud_friction_frame present_frame(const friction_motion *motion) {
  return (thud_friction_frame){.t = motion->state.t,
                               .velocity = motion->velocity,
                               .force = motion->force,
                               .force_low = motion->force_low,
                               .force_high = motion->force_high,
                               .inner = motion->inner,
                               .inner_low = motion->inner_low,
                               .inner_high = motion->inner_high,
                               .slip = motion->slip,
                               .forces = motion->forces,
                               .dissipation = motion->state.dissipation,
                               .gap = motion->state.gap,
                               .configuration = motion->problem.initial != NULL ? motion->configuration : NULL};
}

/* The events of a row and then the row: < 0 as soon as the sink fails, > 0 when it has asked to stop. */
static int hand_out(friction_motion *motion, const thud_motion_sink *sink) {
  const thud_friction_frame frame = present_frame(motion);
  int forces = hand_out_ranges(motion, sink, THUD_FRICTION_SEVERAL_FORCES, motion->problem.driven, motion->force_low,
                               motion->force_high, motion->force_scale);
  if (forces < 0) return forces;
  int inner = hand_out_ranges(motion, sink, THUD_FRICTION_SEVERAL_VELOCITIES, motion->problem.internal,
                              motion->inner_low, motion->inner_high, motion->inner_scale);
  if (inner < 0) return inner;
  int row = sink->frame != NULL ? sink->frame(sink->user, &frame) : 0;
  return row != 0 ? row : forces > 0 || inner > 0;
}

/* ---- the interface of motions ------------------------------------------------------------------------------------ */

static double row_time(const thud_friction_problem *problem, double k) {
  double steps = (double)problem->steps;
  return k < steps ? problem->start + k / steps * (problem->end - problem->start) : problem->end;
}

static thud_error step(thud_motion *base, const thud_motion_sink *sink, thud_reached *reached) {
  friction_motion *motion = (friction_motion *)base;
  friction_state *state = &motion->state;
  if (state->next > (double)motion->problem.steps) { /* all rows were handed out */
    motion->status = THUD_MOTION_COMPLETED;
    *reached = (thud_reached){.status = motion->status, .t = state->t};
    return THUD_OK;
  }
  double gap = state->gap;
  state->gap = 0; /* the row has its own */
  double t = row_time(&motion->problem, state->next), h = state->next > 0 ? t - state->t : 0;
  thud_error error = make_row(motion, t, h, &motion->status);
  if (error != THUD_OK) return error;
  *reached = (thud_reached){.status = motion->status, .t = state->t};
  if (motion->status == THUD_MOTION_FAILED)
    reached->what = strcmp(thud_context_last_code(motion->base.context), "velocity-forbidden") == 0
                        ? "impossible velocity"
                        : "no equilibrium";
  if (thud_motion_has_failed(motion->status)) return THUD_OK;
  int answer = hand_out(motion, sink);
  state->gap = fmax(gap, state->gap);
  if (state->next >= (double)motion->problem.steps) motion->status = THUD_MOTION_COMPLETED;
  state->next++;
  if (answer > 0) motion->status = THUD_MOTION_STOPPED;
  reached->status = motion->status;
  return answer < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

static void present(const thud_motion *base, void *frame) {
  *(thud_friction_frame *)frame = present_frame((const friction_motion *)base);
}

static void get_info(const thud_motion *base, void *info) {
  const friction_motion *motion = (const friction_motion *)base;
  const friction_state *state = &motion->state;
  thud_friction_motion_info *given = info;
  *given = (thud_friction_motion_info){.status = motion->status,
                                       .time = state->t,
                                       .rows = (size_t)state->next,
                                       .dissipation = state->dissipation,
                                       .gap = state->gap,
                                       .largest_dissipation = state->largest,
                                       .contraction = state->contraction,
                                       .largest_dissipation_time = state->largest_t};
  for (int k = 0; k < THUD_FRICTION_EVENT_KINDS; k++) given->events[k] = (size_t)state->events[k];
}

/* The configuration and its rate behind the plain values. */
static size_t state_size(const thud_motion *base) {
  return sizeof(friction_state) + 2 * coordinates_of((const friction_motion *)base) * sizeof(double);
}

static void save(const thud_motion *base, void *state) {
  const friction_motion *motion = (const friction_motion *)base;
  size_t bytes = coordinates_of(motion) * sizeof(double);
  memcpy(state, &motion->state, sizeof(friction_state));
  if (bytes == 0) return;
  memcpy((char *)state + sizeof(friction_state), motion->configuration, bytes);
  memcpy((char *)state + sizeof(friction_state) + bytes, motion->rate, bytes);
}

static const char *find_fault(const thud_friction_problem *problem, const friction_state *given) {
  double last = (double)problem->steps + 1;
  if (!(given->next >= 0 && given->next <= last) || given->next != floor(given->next)) return "a number of rows";
  for (int k = 0; k < THUD_FRICTION_EVENT_KINDS; k++)
    if (!(given->events[k] >= 0 && given->events[k] <= 9e15)) return "numbers of events";
  return thud_state_has_time(given->t, problem->start, problem->end) ? NULL : "a time";
}

/* The row of the state is found again, at its configuration if it has one. */
static thud_error restore(thud_motion *base, const void *state, size_t size) {
  friction_motion *motion = (friction_motion *)base;
  size_t bytes = coordinates_of(motion) * sizeof(double);
  if (size != state_size(base))
    return thud_fail(base->context, THUD_ERROR_FORMAT,
                     "[state-of-another-run] a state of %zu bytes is not one of friction laws", size);
  friction_state given;
  memcpy(&given, state, sizeof given);
  const char *fault = find_fault(&motion->problem, &given);
  if (fault != NULL) return thud_motion_refuse_state(base, fault);
  const double *arrays = (const double *)(const void *)((const char *)state + sizeof(friction_state));
  for (size_t j = 0; j < 2 * coordinates_of(motion); j++) {
    double number;
    memcpy(&number, arrays + j, sizeof number);
    if (!isfinite(number)) return thud_motion_refuse_state(base, "numbers");
  }
  motion->state = given;
  motion->status = THUD_MOTION_RUNNING;
  if (bytes > 0) memcpy(motion->configuration, arrays, bytes);
  if (bytes > 0) memcpy(motion->rate, (const char *)(const void *)arrays + bytes, bytes);
  if (motion->state.next == 0) return THUD_OK;
  friction_state kept = motion->state;
  thud_motion_status status;
  thud_error error = make_row(motion, kept.t, 0, &status);
  motion->state = kept;
  return error;
}

static void destroy(thud_motion *base) {
  thud_free(base->context, ((friction_motion *)base)->block);
  thud_free(base->context, base);
}

static const thud_motion_type friction_type = {.name = "friction",
                                               .frame_size = sizeof(thud_friction_frame),
                                               .info_size = sizeof(thud_friction_motion_info),
                                               .step = step,
                                               .present = present,
                                               .info = get_info,
                                               .state_size = state_size,
                                               .save = save,
                                               .restore = restore,
                                               .destroy = destroy};

static thud_error allocate(friction_motion *motion) {
  const thud_friction_problem *problem = &motion->problem;
  double **driven[] = {&motion->velocity, &motion->force, &motion->force_low, &motion->force_high,
                       &motion->force_scale};
  double **internal[] = {&motion->inner, &motion->inner_low, &motion->inner_high, &motion->inner_scale};
  double **evolving[] = {&motion->configuration, &motion->rate, &motion->start, &motion->start_rate, &motion->guess};
  enum {
    DRIVEN = sizeof driven / sizeof *driven,
    INTERNAL = sizeof internal / sizeof *internal,
    EVOLVING = sizeof evolving / sizeof *evolving
  };
  size_t coordinates = coordinates_of(motion);
  motion->block = THUD_NEW_ARRAY(motion->base.context, double,
                                 DRIVEN * problem->driven + INTERNAL * problem->internal + EVOLVING * coordinates +
                                     2 * problem->rows);
  if (motion->block == NULL) return THUD_ERROR_MEMORY;
  double *next = motion->block;
  for (size_t k = 0; k < DRIVEN; k++, next += problem->driven) *driven[k] = next;
  for (size_t k = 0; k < INTERNAL; k++, next += problem->internal) *internal[k] = next;
  for (size_t k = 0; k < EVOLVING; k++, next += coordinates) *evolving[k] = next;
  motion->slip = next;
  motion->forces = next + problem->rows;
  if (coordinates > 0) memcpy(motion->configuration, problem->initial, coordinates * sizeof(double));
  return THUD_OK;
}

thud_error thud_friction_motion_create(thud_context *context, const thud_friction_problem *problem,
                                       thud_motion **motion) {
  THUD_REQUIRE(context, context, problem, motion);
  THUD_REQUIRE(context, problem->composition, problem->initial != NULL || problem->place != NULL,
               problem->initial == NULL || problem->place_at != NULL);
  if (problem->driven > INT32_MAX || problem->internal > INT32_MAX || problem->rows > INT32_MAX)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "friction: there are too many velocities");
  if (problem->driven == 0 || problem->steps == 0 || !(problem->start < problem->end))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] friction: velocities, steps and a span of time are needed");
  friction_motion *made = THUD_NEW(context, friction_motion);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->base = (thud_motion){.type = &friction_type, .context = context};
  made->problem = *problem;
  made->state.t = problem->start;
  thud_error error = allocate(made);
  if (error == THUD_OK)
    *motion = &made->base;
  else
    destroy(&made->base);
  return error;
}

THUD_MOTION_QUERIES(friction, thud_friction_frame, thud_friction_motion_info, &friction_type)
