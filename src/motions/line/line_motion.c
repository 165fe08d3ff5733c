/* Catching-up of a line: at every node of the partition the obstacle problem, then one step of friction under its
 * reaction, booked in the ledger. */
#include "base/base.h"
#include "motions/line/line_catching_up.h"
#include "motions/line/line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What changes, beside the arrays. No pointers: it is part of the state block. */
typedef struct line_progress {
  double t;
  int32_t side;
  uint32_t unused; /* no padding in the block */
  uint64_t next;   /* interval of the partition */
  double stored_at_start, moved;
  thud_line_ledger ledger;
  thud_line_motion_info info;
} line_progress;

struct thud_line_motion {
  thud_context *context;
  thud_line_problem problem;
  const thud_partition *partition;
  thud_line *line;
  thud_index n, freedoms;
  line_progress now;
  double *block; /* [block_count] what v, s, u and r lie in */
  size_t block_count;
  double *v, *s, *u, *r;
  double *work; /* what the following lie in */
  thud_line_data data;
  double *bound, *u_new, *r_new, *v_new, *s_new, *stress; /* [n], v_new [freedoms] */
};

/* ---- making one ------------------------------------------------------------------------------------------------------------ */

static thud_error check_problem(thud_context *context, const thud_line_problem *problem) {
  if (problem->line == NULL || problem->data == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a motion needs a line and a function that gives its data");
  if (!(problem->friction >= 0) || !isfinite(problem->friction))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "the coefficient of friction %g must be >= 0", problem->friction);
  if (problem->jump_count > 0 && problem->jumps == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%zu jumps of the data without their times", problem->jump_count);
  for (thud_index i = 0; problem->initial != NULL && i < problem->line->n; i++)
    if (!isfinite(problem->initial[i]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "the initial u of node %td is not finite", (ptrdiff_t)i);
  return THUD_OK;
}

/* u.Ku/2 of the longitudinal displacement, by the strains of the cells (K_{i,i-1} = -k/h): nothing cancels. Ku in
 * stress. */
static double stored_energy(thud_line_motion *motion, const double *u) {
  const elastic_kinks *longitudinal = &motion->line->longitudinal;
  double sum = 0;
  thud_kinks_apply(longitudinal, u, motion->stress);
  for (thud_index i = 1; i < motion->n; i++) {
    double rise = u[i] - u[i - 1];
    sum -= longitudinal->K[i * (longitudinal->band + 1) + 1] * rise * rise;
  }
  return sum / 2;
}

static thud_error allocate(thud_line_motion *motion) {
  size_t n = (size_t)motion->n, freedoms = (size_t)motion->freedoms;
  motion->block_count = freedoms + 3 * n;
  motion->block = THUD_NEW_ARRAY(motion->context, double, motion->block_count);
  motion->work = THUD_NEW_ARRAY(motion->context, double, 2 * freedoms + 7 * n);
  if (motion->block == NULL || motion->work == NULL) return THUD_ERROR_MEMORY;
  motion->v = motion->block;
  motion->s = motion->v + freedoms;
  motion->u = motion->s + n;
  motion->r = motion->u + n;
  motion->data.transverse = motion->work;
  motion->v_new = motion->work + freedoms;
  motion->data.longitudinal = motion->v_new + freedoms;
  motion->data.psi = motion->data.longitudinal + n;
  motion->bound = motion->data.psi + n;
  motion->u_new = motion->bound + n;
  motion->r_new = motion->u_new + n;
  motion->s_new = motion->r_new + n;
  motion->stress = motion->s_new + n;
  return THUD_OK;
}

thud_error thud_line_motion_create(thud_context *context, const thud_line_problem *problem,
                                   const thud_partition *partition, thud_line_motion **motion) {
  THUD_REQUIRE(context, context, problem, partition, motion);
  thud_error error = check_problem(context, problem);
  if (error != THUD_OK) return error;
  thud_line_motion *made = THUD_NEW(context, thud_line_motion);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->problem = *problem;
  made->partition = partition;
  made->line = problem->line;
  made->n = problem->line->n;
  made->freedoms = thud_line_freedoms(problem->line, THUD_LINE_TRANSVERSE);
  error = allocate(made);
  if (error != THUD_OK) {
    thud_line_motion_destroy(made);
    return error;
  }
  if (problem->initial != NULL) memcpy(made->u, problem->initial, (size_t)made->n * sizeof *made->u);
  made->now.t = made->now.info.time = thud_partition_interval(partition, 0).left;
  made->now.stored_at_start = stored_energy(made, made->u);
  *motion = made;
  return THUD_OK;
}

void thud_line_motion_destroy(thud_line_motion *motion) {
  if (motion == NULL) return;
  thud_free(motion->context, motion->block);
  thud_free(motion->context, motion->work);
  thud_free(motion->context, motion);
}

/* ---- one step ---------------------------------------------------------------------------------------------------------------- */

static thud_error ask_data(thud_line_motion *motion, double t, thud_side side) {
  thud_line_data *data = &motion->data;
  memset(data->transverse, 0, (size_t)motion->freedoms * sizeof *data->transverse);
  memset(data->longitudinal, 0, (size_t)motion->n * sizeof *data->longitudinal);
  for (thud_index i = 0; i < motion->n; i++) data->psi[i] = -INFINITY;
  memset(data->v_ends, 0, sizeof data->v_ends);
  memset(data->u_ends, 0, sizeof data->u_ends);
  char before[80]; /* to know whether the function has left a message of its own */
  snprintf(before, sizeof before, "%s", thud_context_last_message(motion->context));
  if (motion->problem.data(motion->problem.user, t, side, data) == 0) return THUD_OK;
  if (strncmp(before, thud_context_last_message(motion->context), sizeof before - 1) != 0)
    return thud_fail_within(motion->context, THUD_ERROR_CALLBACK, "the data of the line at t = %g failed", t);
  return thud_fail(motion->context, THUD_ERROR_CALLBACK, "the data of the line at t = %g failed", t);
}

/* The new energies: see thud_line_ledger. stress = K u+ holds f + r inside and the forces of the supports at the ends. */
static void book(thud_line_motion *motion) {
  thud_line_ledger *ledger = &motion->now.ledger;
  thud_index last = motion->n - 1;
  double energy = stored_energy(motion, motion->u_new), work = 0, friction = 0;
  for (thud_index i = 0; i <= last; i++) {
    double move = motion->u_new[i] - motion->u[i];
    work += move * (i == 0 || i == last ? motion->stress[i] : motion->data.longitudinal[i]);
    if (i > 0 && i < last) friction += motion->bound[i] * fabs(move);
    motion->u[i] = move;
  }
  ledger->stored = energy - motion->now.stored_at_start;
  ledger->work += work;
  ledger->friction += friction;
  ledger->quadratic += stored_energy(motion, motion->u);
  ledger->defect = ledger->stored - (ledger->work - ledger->friction - ledger->quadratic);
}

static void accept(thud_line_motion *motion, double t, thud_side side) {
  line_progress *now = &motion->now;
  size_t bytes = (size_t)motion->n * sizeof(double);
  now->moved = thud_line_distance(motion->line, motion->u_new, motion->u);
  now->info.variation += now->moved;
  now->info.largest_move = thud_larger(now->info.largest_move, now->moved);
  now->info.steps++;
  now->t = now->info.time = t;
  now->side = side;
  book(motion);
  memcpy(motion->u, motion->u_new, bytes);
  memcpy(motion->r, motion->r_new, bytes);
  memcpy(motion->s, motion->s_new, bytes);
  memcpy(motion->v, motion->v_new, (size_t)motion->freedoms * sizeof(double));
}

static thud_error hand_out(thud_line_motion *motion, const thud_line_sink *sink) {
  if (sink == NULL || sink->frame == NULL) return THUD_OK;
  thud_line_frame frame = thud_line_motion_present(motion);
  int answer = sink->frame(sink->user, &frame);
  if (answer < 0)
    return thud_fail(motion->context, THUD_ERROR_CALLBACK, "the sink of frames failed at t = %g", frame.t);
  if (answer > 0) motion->now.info.status = THUD_MOTION_STOPPED;
  return THUD_OK;
}

static thud_error not_settled(thud_line_motion *motion, double t, const char *what) {
  return thud_fail(motion->context, THUD_ERROR_NOT_CONVERGED, "t = %g: the active set of the %s did not settle", t,
                   what);
}

static thud_error catch_up(thud_line_motion *motion, double t, thud_side side, const thud_line_sink *sink) {
  thud_line_info info;
  thud_line_data *data = &motion->data;
  thud_error error = ask_data(motion, t, side);
  if (error == THUD_OK)
    error = thud_line_obstacle_from(motion->line, data, motion->s, motion->v_new, motion->s_new, &info);
  if (error != THUD_OK) return error;
  if (!info.solved) return not_settled(motion, t, "obstacle");
  motion->now.info.solves += (size_t)info.solves;
  for (thud_index i = 0; i < motion->n; i++) motion->bound[i] = motion->problem.friction * motion->s_new[i];
  error = thud_line_solve_friction(motion->line, data->longitudinal, motion->bound, data->u_ends, motion->u,
                                   motion->u_new, motion->r_new, &info);
  if (error != THUD_OK) return error;
  if (!info.solved) return not_settled(motion, t, "friction");
  motion->now.info.solves += (size_t)info.solves;
  accept(motion, t, side);
  return hand_out(motion, sink);
}

thud_error thud_line_motion_step(thud_line_motion *motion, const thud_line_sink *sink, thud_line_motion_info *info) {
  THUD_REQUIRE_OF(motion, motion->block);
  line_progress *now = &motion->now;
  thud_error error = THUD_OK;
  if (now->info.status == THUD_MOTION_STOPPED) now->info.status = THUD_MOTION_RUNNING;
  if (now->info.status == THUD_MOTION_RUNNING && now->next < thud_partition_count(motion->partition)) {
    thud_interval interval = thud_partition_interval(motion->partition, now->next);
    bool from_left = interval.left_closed && interval.left > now->t &&
                     thud_catching_up_jumps_at(motion->problem.jump_count, motion->problem.jumps, interval.left);
    if (from_left) error = catch_up(motion, interval.left, THUD_SIDE_LEFT, sink);
    if (error == THUD_OK)
      error = catch_up(motion, interval.left, interval.left_closed ? THUD_SIDE_VALUE : THUD_SIDE_RIGHT, sink);
    if (error == THUD_OK) now->next++;
    error = thud_catching_up_fault(error, &now->info.status);
  }
  if (error != THUD_OK) return error;
  if (now->info.status == THUD_MOTION_RUNNING && now->next == thud_partition_count(motion->partition))
    now->info.status = THUD_MOTION_COMPLETED;
  if (info != NULL) *info = now->info;
  return THUD_OK;
}

thud_line_frame thud_line_motion_present(const thud_line_motion *motion) {
  THUD_REQUIRE_OR((thud_line_frame){0}, motion);
  return (thud_line_frame){.t = motion->now.t,
                           .side = (thud_side)motion->now.side,
                           .v = motion->v,
                           .s = motion->s,
                           .u = motion->u,
                           .r = motion->r,
                           .variation = motion->now.info.variation,
                           .moved = motion->now.moved,
                           .ledger = motion->now.ledger};
}

thud_line_motion_info thud_line_motion_get_info(const thud_line_motion *motion) {
  THUD_REQUIRE_OR((thud_line_motion_info){0}, motion);
  return motion->now.info;
}

/* ---- the state block -------------------------------------------------------------------------------------------------------- */

size_t thud_line_motion_state_size(const thud_line_motion *motion) {
  THUD_REQUIRE_OR(0, motion);
  return sizeof motion->now + motion->block_count * sizeof(double);
}

void thud_line_motion_save(const thud_line_motion *motion, void *state) {
  THUD_REQUIRE_OR(, motion, motion->block, state);
  memcpy(state, &motion->now, sizeof motion->now);
  memcpy((char *)state + sizeof motion->now, motion->block, motion->block_count * sizeof(double));
}

thud_error thud_line_motion_restore(thud_line_motion *motion, const void *state, size_t size) {
  THUD_REQUIRE_OF(motion, motion->block, state);
  if (size != thud_line_motion_state_size(motion))
    return thud_fail(motion->context, THUD_ERROR_FORMAT, "a state of %zu bytes is not of this line, which has %zu",
                     size, thud_line_motion_state_size(motion));
  memcpy(&motion->now, state, sizeof motion->now);
  memcpy(motion->block, (const char *)state + sizeof motion->now, motion->block_count * sizeof(double));
  return THUD_OK;
}
