/* Catching-up of lines and surfaces: at every node of the partition the obstacle problem, then one step of friction under
 * its reaction, booked in the ledger. First what both families share, then the steps of lines; those of surfaces are in
 * surface_motion.c. */
#include "base/base.h"
#include "motions/line/elastic_motion.h"
#include "motions/line/elastic_line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- making one -------------------------------------------------------------------------------------------------- */

thud_error thud_elastic_check(thud_context *context, double friction, size_t jump_count, const double *jumps) {
  if (!(friction >= 0) || !isfinite(friction))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[no-power-series] the coefficient of friction %g must be >= 0",
                     friction);
  if (jump_count > 0 && jumps == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%zu jumps of the data without their times", jump_count);
  return THUD_OK;
}

/* One block for several arrays; NULL: there is no memory. */
static double *share_out(thud_context *context, size_t count, const elastic_array *wanted, size_t *total) {
  *total = 0;
  for (size_t k = 0; k < count; k++) *total += wanted[k].count;
  double *block = THUD_NEW_ARRAY(context, double, *total), *next = block;
  for (size_t k = 0; k < count && block != NULL; next += wanted[k++].count) *wanted[k].array = next;
  return block;
}

thud_error thud_elastic_begin(elastic_motion *motion, bool keeps_slid, size_t data_count, const elastic_array *data) {
  enum { OWN = 6, MOST_DATA = 8 };
  size_t n = (size_t)motion->n, freedoms = (size_t)motion->freedoms, moving = (size_t)motion->moving, total;
  const elastic_array state[] = {
      {&motion->v, freedoms}, {&motion->s, n}, {&motion->u, moving}, {&motion->r, moving}, {&motion->slid, n}};
  elastic_array work[OWN + MOST_DATA] = {{&motion->v_new, freedoms}, {&motion->s_new, n}, {&motion->u_new, moving},
                                         {&motion->r_new, moving},   {&motion->bound, n}, {&motion->stress, moving}};
  memcpy(work + OWN, data, data_count * sizeof *data);
  thud_context *context = motion->base.context;
  motion->block = share_out(context, sizeof state / sizeof *state - !keeps_slid, state, &motion->block_count);
  motion->work = share_out(context, OWN + data_count, work, &total);
  if (motion->block == NULL || motion->work == NULL) return THUD_ERROR_MEMORY;
  motion->now.t = motion->now.info.time = thud_partition_interval(motion->partition, 0).left;
  return THUD_OK;
}

void thud_elastic_destroy(thud_motion *motion) {
  elastic_motion *own = (elastic_motion *)motion;
  thud_free(motion->context, own->block);
  thud_free(motion->context, own->work);
  thud_free(motion->context, own);
}

/* ---- one step ---------------------------------------------------------------------------------------------------- */

bool thud_elastic_jumps_at(size_t count, const double *jumps, double t) {
  for (size_t k = 0; k < count; k++)
    if (jumps[k] == t) return true;
  return false;
}

thud_error thud_elastic_fault(thud_error error, thud_motion_status *status) {
  switch (error) {
  case THUD_ERROR_NOT_CONVERGED: *status = THUD_MOTION_NOT_CONVERGED; return THUD_OK;
  case THUD_ERROR_NOT_FINITE:
  case THUD_ERROR_ARGUMENT:
  case THUD_ERROR_NOT_SPD: *status = THUD_MOTION_BAD_DATA; return THUD_OK;
  default: return error;
  }
}

static void accept(elastic_motion *motion, double t, thud_side side) {
  size_t moving = (size_t)motion->moving;
  motion->now.info.steps++;
  motion->now.t = motion->now.info.time = t;
  motion->now.side = side;
  memcpy(motion->v, motion->v_new, (size_t)motion->freedoms * sizeof *motion->v);
  memcpy(motion->s, motion->s_new, (size_t)motion->n * sizeof *motion->s);
  memcpy(motion->u, motion->u_new, moving * sizeof *motion->u);
  memcpy(motion->r, motion->r_new, moving * sizeof *motion->r);
}

/* One state, handed out. */
static thud_error visit(elastic_motion *motion, double t, thud_side side, const thud_motion_sink *sink) {
  thud_error error = motion->catch_up(motion, t, side);
  if (error != THUD_OK) return error;
  accept(motion, t, side);
  if (sink->frame == NULL) return THUD_OK;
  thud_elastic_frame frame;
  thud_elastic_present(&motion->base, &frame);
  int answer = sink->frame(sink->user, &frame);
  if (answer < 0)
    return thud_fail(motion->base.context, THUD_ERROR_CALLBACK, "the sink of frames failed at t = %g", frame.t);
  if (answer > 0) motion->now.info.status = THUD_MOTION_STOPPED;
  return THUD_OK;
}

thud_error thud_elastic_step(thud_motion *motion, const thud_motion_sink *sink, thud_reached *reached) {
  elastic_motion *own = (elastic_motion *)motion;
  elastic_progress *now = &own->now;
  size_t count = thud_partition_count(own->partition);
  thud_error error = THUD_OK;
  if (now->info.status == THUD_MOTION_STOPPED) now->info.status = THUD_MOTION_RUNNING;
  if (now->info.status == THUD_MOTION_RUNNING && now->next < count) {
    thud_interval interval = thud_partition_interval(own->partition, now->next);
    size_t before = now->info.steps;
    if (interval.left_closed && interval.left > now->t &&
        thud_elastic_jumps_at(own->jump_count, own->jumps, interval.left))
      error = visit(own, interval.left, THUD_SIDE_LEFT, sink);
    if (error == THUD_OK)
      error = visit(own, interval.left, interval.left_closed ? THUD_SIDE_VALUE : THUD_SIDE_RIGHT, sink);
    if (now->info.steps > before && now->side != THUD_SIDE_LEFT) now->next++; /* also when the sink failed then */
    error = thud_elastic_fault(error, &now->info.status);
  }
  if (error != THUD_OK) return error;
  if (now->info.status == THUD_MOTION_RUNNING && now->next == count) now->info.status = THUD_MOTION_COMPLETED;
  *reached = (thud_reached){.status = now->info.status, .t = now->info.time};
  return THUD_OK;
}

thud_elastic_message thud_elastic_keep_message(const thud_context *context) {
  thud_elastic_message kept;
  snprintf(kept.text, sizeof kept.text, "%s", thud_context_last_message(context));
  return kept;
}

thud_error thud_elastic_data_failed(thud_context *context, const thud_elastic_message *before, const char *noun,
                                    double t) {
  if (strncmp(before->text, thud_context_last_message(context), sizeof before->text - 1) != 0)
    return thud_fail_within(context, THUD_ERROR_CALLBACK, "the data of the %s at t = %g failed", noun, t);
  return thud_fail(context, THUD_ERROR_CALLBACK, "the data of the %s at t = %g failed", noun, t);
}

/* ---- what is known of it ----------------------------------------------------------------------------------------- */

void thud_elastic_present(const thud_motion *motion, void *frame) {
  const elastic_motion *own = (const elastic_motion *)motion;
  *(thud_elastic_frame *)frame = (thud_elastic_frame){.t = own->now.t,
                                                      .side = (thud_side)own->now.side,
                                                      .v = own->v,
                                                      .s = own->s,
                                                      .u = own->moving > 0 ? own->u : NULL,
                                                      .r = own->moving > 0 ? own->r : NULL,
                                                      .slid = own->slid,
                                                      .variation = own->now.info.variation,
                                                      .moved = own->now.moved,
                                                      .potential = own->now.potential,
                                                      .ledger = own->now.ledger};
}

void thud_elastic_info(const thud_motion *motion, void *info) {
  *(thud_elastic_motion_info *)info = ((const elastic_motion *)motion)->now.info;
}

size_t thud_elastic_state_size(const thud_motion *motion) {
  return sizeof(elastic_progress) + ((const elastic_motion *)motion)->block_count * sizeof(double);
}

void thud_elastic_save(const thud_motion *motion, void *state) {
  const elastic_motion *own = (const elastic_motion *)motion;
  memcpy(state, &own->now, sizeof own->now);
  memcpy((char *)state + sizeof own->now, own->block, own->block_count * sizeof *own->block);
}

static const char *find_fault(const elastic_motion *own, const elastic_progress *now, const char *numbers) {
  size_t count = thud_partition_count(own->partition);
  if (now->next > count) return "a number of intervals";
  if (now->side < THUD_SIDE_LEFT || now->side > THUD_SIDE_RIGHT) return "a side";
  if (!thud_state_has_status(now->info.status)) return "a status";
  double start = thud_partition_interval(own->partition, 0).left;
  double end = thud_partition_interval(own->partition, count - 1).right;
  if (now->info.steps > 0 && !thud_state_has_time(now->t, start, end)) return "a time";
  return thud_state_is_finite(own->block_count, numbers) ? NULL : "displacements or forces";
}

thud_error thud_elastic_restore(thud_motion *motion, const void *state, size_t size) {
  elastic_motion *own = (elastic_motion *)motion;
  if (size != thud_elastic_state_size(motion))
    return thud_fail(motion->context, THUD_ERROR_FORMAT,
                     "[state-of-another-run] a state of %zu bytes is not of this %s, which has %zu", size,
                     motion->type->name, thud_elastic_state_size(motion));
  elastic_progress given;
  memcpy(&given, state, sizeof given);
  const char *fault = find_fault(own, &given, (const char *)state + sizeof given);
  if (fault != NULL) return thud_motion_refuse_state(motion, fault);
  own->now = given;
  memcpy(own->block, (const char *)state + sizeof own->now, own->block_count * sizeof *own->block);
  return THUD_OK;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

typedef struct line_motion {
  elastic_motion common;
  thud_line_problem problem;
  thud_line *line;
  thud_line_data data; /* its arrays lie in common.work */
} line_motion;

static const thud_motion_type line_type = THUD_ELASTIC_TYPE("line");

static thud_error check_problem(thud_context *context, const thud_line_problem *problem) {
  if (problem->line == NULL || problem->data == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] a motion needs a line and a function that gives its data");
  thud_error error = thud_elastic_check(context, problem->friction, problem->jump_count, problem->jumps);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; problem->initial != NULL && i < problem->line->n; i++)
    if (!isfinite(problem->initial[i]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "the initial u of node %td is not finite", (ptrdiff_t)i);
  return THUD_OK;
}

static thud_error ask_data(line_motion *own, double t, thud_side side) {
  thud_line_data *data = &own->data;
  thud_context *context = own->common.base.context;
  memset(data->transverse, 0, (size_t)own->common.freedoms * sizeof *data->transverse);
  memset(data->longitudinal, 0, (size_t)own->common.n * sizeof *data->longitudinal);
  for (thud_index i = 0; i < own->common.n; i++) data->psi[i] = -INFINITY;
  memset(data->v_ends, 0, sizeof data->v_ends);
  memset(data->u_ends, 0, sizeof data->u_ends);
  thud_elastic_message before = thud_elastic_keep_message(context);
  if (own->problem.data(own->problem.user, t, side, data) == 0) return THUD_OK;
  return thud_elastic_data_failed(context, &before, "line", t);
}

/* u.Ku/2 of the longitudinal displacement, by the strains of the cells (K_{i,i-1} = -k/h): nothing cancels. Ku in
 * stress. */
static double stored_energy(line_motion *own, const double *u) {
  const elastic_kinks *longitudinal = &own->line->longitudinal;
  double sum = 0;
  thud_kinks_apply(longitudinal, u, own->common.stress);
  for (thud_index i = 1; i < own->common.n; i++) {
    double rise = u[i] - u[i - 1];
    sum -= longitudinal->K[i * (longitudinal->band + 1) + 1] * rise * rise;
  }
  return sum / 2;
}

/* The new energies: see thud_elastic_ledger. stress = K u+ holds f + r inside and the forces of the supports at the ends.
 * u holds the move afterwards. */
static void book(line_motion *own) {
  elastic_motion *motion = &own->common;
  thud_elastic_ledger *ledger = &motion->now.ledger;
  thud_index last = motion->n - 1;
  double energy = stored_energy(own, motion->u_new), work = 0, friction = 0;
  for (thud_index i = 0; i <= last; i++) {
    double move = motion->u_new[i] - motion->u[i];
    work += move * (i == 0 || i == last ? motion->stress[i] : own->data.longitudinal[i]);
    if (i > 0 && i < last) friction += motion->bound[i] * fabs(move);
    motion->u[i] = move;
  }
  ledger->stored = energy - motion->now.stored_at_start;
  ledger->work += work;
  ledger->friction += friction;
  ledger->quadratic += stored_energy(own, motion->u);
  ledger->defect = ledger->stored - (ledger->work - ledger->friction - ledger->quadratic);
}

static thud_error not_settled(const line_motion *own, double t, const char *what) {
  return thud_fail(own->common.base.context, THUD_ERROR_NOT_CONVERGED,
                   "[solver-limit] t = %g: the active set of the %s did not settle", t, what);
}

static thud_error catch_up(elastic_motion *motion, double t, thud_side side) {
  line_motion *own = (line_motion *)motion;
  thud_line_info info;
  thud_line_data *data = &own->data;
  elastic_progress *now = &motion->now;
  thud_error error = ask_data(own, t, side);
  if (error == THUD_OK)
    error = thud_line_obstacle_from(own->line, data, motion->s, motion->v_new, motion->s_new, &info);
  if (error != THUD_OK) return error;
  if (!info.solved) return not_settled(own, t, "obstacle");
  now->info.solves += (size_t)info.solves;
  for (thud_index i = 0; i < motion->n; i++) motion->bound[i] = motion->friction * motion->s_new[i];
  error = thud_line_solve_friction(own->line, data->longitudinal, motion->bound, data->u_ends, motion->u, motion->u_new,
                                   motion->r_new, &info);
  if (error != THUD_OK) return error;
  if (!info.solved) return not_settled(own, t, "friction");
  now->info.solves += (size_t)info.solves;
  now->moved = thud_line_distance(own->line, motion->u_new, motion->u);
  now->info.variation += now->moved;
  now->info.largest_move = thud_larger(now->info.largest_move, now->moved);
  book(own);
  return THUD_OK;
}

thud_error thud_line_motion_create(thud_context *context, const thud_line_problem *problem,
                                   const thud_partition *partition, thud_motion **motion) {
  THUD_REQUIRE(context, context, problem, partition, motion);
  thud_error error = check_problem(context, problem);
  if (error != THUD_OK) return error;
  line_motion *made = THUD_NEW(context, line_motion);
  if (made == NULL) return THUD_ERROR_MEMORY;
  size_t n = (size_t)problem->line->n;
  thud_index freedoms = thud_line_freedoms(problem->line, THUD_LINE_TRANSVERSE);
  made->common = (elastic_motion){.base = {.type = &line_type, .context = context},
                                  .partition = partition,
                                  .friction = problem->friction,
                                  .jump_count = problem->jump_count,
                                  .jumps = problem->jumps,
                                  .catch_up = catch_up,
                                  .n = problem->line->n,
                                  .freedoms = freedoms,
                                  .moving = problem->line->n};
  made->problem = *problem;
  made->line = problem->line;
  const elastic_array data[] = {
      {&made->data.transverse, (size_t)freedoms}, {&made->data.longitudinal, n}, {&made->data.psi, n}};
  error = thud_elastic_begin(&made->common, false, sizeof data / sizeof *data, data);
  if (error != THUD_OK) {
    thud_elastic_destroy(&made->common.base);
    return error;
  }
  if (problem->initial != NULL) memcpy(made->common.u, problem->initial, n * sizeof *made->common.u);
  made->common.now.stored_at_start = stored_energy(made, made->common.u);
  *motion = &made->common.base;
  return THUD_OK;
}

THUD_MOTION_QUERIES(line, thud_elastic_frame, thud_elastic_motion_info, &line_type)
