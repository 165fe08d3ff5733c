/* Catching-up of a surface: at every node of the partition the obstacle problem, then one step of friction in the plane
 * under its reaction, booked in the ledger. */
#include "base/base.h"
#include "motions/line/line_catching_up.h"
#include "motions/surface/surface.h"

#include <math.h>
#include <string.h>

/* What changes, beside the arrays. No pointers: it is part of the state block. */
typedef struct surface_progress {
  double t, potential, stored_at_start;
  int32_t side;
  uint32_t unused; /* no padding in the block */
  uint64_t next;   /* interval of the partition */
  thud_line_ledger ledger;
  thud_surface_motion_info info;
} surface_progress;

struct thud_surface_motion {
  thud_context *context;
  thud_surface_problem problem;
  const thud_partition *partition;
  thud_surface *surface;
  thud_index n, plane; /* plane: 2 n, or 0 without stretch */
  surface_progress now;
  double *block; /* what the following lie in */
  size_t block_count;
  double *v, *s, *u, *r, *moved;
  double *work; /* likewise */
  thud_surface_data data;
  double *v_new, *s_new, *u_new, *r_new, *bound, *stress;
};

/* ---- making one ------------------------------------------------------------------------------------------------------------ */

static thud_error check_problem(thud_context *context, const thud_surface_problem *problem) {
  if (problem->surface == NULL || problem->data == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a motion needs a surface and a function that gives its data");
  if (!(problem->friction >= 0) || !isfinite(problem->friction))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "the coefficient of friction %g must be >= 0", problem->friction);
  if (problem->jump_count > 0 && problem->jumps == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%zu jumps of the data without their times", problem->jump_count);
  return THUD_OK;
}

typedef struct array_wanted {
  double **array;
  size_t count;
} array_wanted;

/* One block for several arrays. */
static double *share_out(thud_context *context, size_t count, const array_wanted *wanted, size_t *total) {
  *total = 0;
  for (size_t k = 0; k < count; k++) *total += wanted[k].count;
  double *block = THUD_NEW_ARRAY(context, double, *total), *next = block;
  for (size_t k = 0; k < count && block != NULL; next += wanted[k++].count) *wanted[k].array = next;
  return block;
}

static thud_error allocate(thud_surface_motion *m) {
  size_t n = (size_t)m->n, freedoms = (size_t)m->surface->freedoms, plane = (size_t)m->plane, total;
  const array_wanted state[] = {{&m->v, freedoms}, {&m->s, n}, {&m->u, plane}, {&m->r, plane}, {&m->moved, n}};
  const array_wanted work[] = {
      {&m->data.transverse, n},  {&m->data.psi, n},     {&m->data.held, n}, {&m->data.in_plane, plane},
      {&m->data.in_held, plane}, {&m->v_new, freedoms}, {&m->s_new, n},     {&m->u_new, plane},
      {&m->r_new, plane},        {&m->bound, n},        {&m->stress, plane}};
  m->block = share_out(m->context, sizeof state / sizeof *state, state, &m->block_count);
  m->work = share_out(m->context, sizeof work / sizeof *work, work, &total);
  return m->block != NULL && m->work != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_surface_motion_create(thud_context *context, const thud_surface_problem *problem,
                                      const thud_partition *partition, thud_surface_motion **motion) {
  THUD_REQUIRE(context, context, problem, partition, motion);
  thud_error error = check_problem(context, problem);
  if (error != THUD_OK) return error;
  thud_surface_motion *made = THUD_NEW(context, thud_surface_motion);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->problem = *problem;
  made->partition = partition;
  made->surface = problem->surface;
  made->n = problem->surface->n;
  made->plane = problem->surface->stretch > 0 ? 2 * made->n : 0;
  error = allocate(made);
  if (error != THUD_OK) {
    thud_surface_motion_destroy(made);
    return error;
  }
  made->now.t = made->now.info.time = thud_partition_interval(partition, 0).left;
  *motion = made;
  return THUD_OK;
}

void thud_surface_motion_destroy(thud_surface_motion *motion) {
  if (motion == NULL) return;
  thud_free(motion->context, motion->block);
  thud_free(motion->context, motion->work);
  thud_free(motion->context, motion);
}

/* ---- one step ---------------------------------------------------------------------------------------------------------------- */

static thud_error ask_data(thud_surface_motion *m, double t, thud_side side) {
  size_t n = (size_t)m->n * sizeof(double), plane = (size_t)m->plane * sizeof(double);
  memset(m->data.transverse, 0, n);
  memset(m->data.held, 0, n);
  memset(m->data.in_plane, 0, plane);
  memset(m->data.in_held, 0, plane);
  for (thud_index i = 0; i < m->n; i++) m->data.psi[i] = -INFINITY;
  if (m->problem.data(m->problem.user, t, side, &m->data) == 0) return THUD_OK;
  return thud_fail(m->context, THUD_ERROR_CALLBACK, "the data of the surface at t = %g failed", t);
}

/* The new energies: see thud_line_ledger. stress = K u+ holds f + r inside and the forces of the supports where u is held. */
static void book(thud_surface_motion *m) {
  thud_line_ledger *ledger = &m->now.ledger;
  const surface_matrix *plane = &m->surface->plane;
  double energy = 0, work = 0, friction = 0, quadratic = 0;
  for (thud_index k = 0; k < m->plane; k++) m->stress[k] = thud_surface_matrix_row(plane, k, m->u_new, NULL);
  for (thud_index k = 0; k < m->plane; k++) {
    double move = m->u_new[k] - m->u[k], force = m->data.in_plane[k];
    bool held = m->surface->in_held[k / 2] != 0;
    energy += m->stress[k] * m->u_new[k] / 2;
    work += (held ? m->stress[k] : force) * move;
    friction -= held ? 0 : m->r_new[k] * move;
    m->r[k] = move; /* replaced by the new reaction after this */
  }
  for (thud_index k = 0; k < m->plane; k++) quadratic += m->r[k] * thud_surface_matrix_row(plane, k, m->r, NULL) / 2;
  ledger->stored = energy - m->now.stored_at_start;
  ledger->work += work;
  ledger->friction += friction;
  ledger->quadratic += quadratic;
  ledger->defect = ledger->stored - (ledger->work - ledger->friction - ledger->quadratic);
}

static void accept(thud_surface_motion *m, double t, thud_side side) {
  size_t n = (size_t)m->n, plane = (size_t)m->plane;
  if (plane > 0) book(m);
  for (size_t i = 0; i < n && plane > 0; i++)
    m->moved[i] =
        m->surface->in_held[i] != 0 ? 0 : hypot(m->u_new[2 * i] - m->u[2 * i], m->u_new[2 * i + 1] - m->u[2 * i + 1]);
  m->now.info.steps++;
  m->now.t = m->now.info.time = t;
  m->now.side = side;
  m->now.potential = thud_surface_energy(m->surface, m->v_new) - thud_dot(m->context, n, m->data.transverse, m->v_new);
  memcpy(m->v, m->v_new, (size_t)m->surface->freedoms * sizeof(double));
  memcpy(m->s, m->s_new, n * sizeof(double));
  memcpy(m->u, m->u_new, plane * sizeof(double));
  memcpy(m->r, m->r_new, plane * sizeof(double));
}

static thud_error take_info(thud_surface_motion *m, double t, const thud_surface_info *info, const char *what) {
  m->now.info.solves += (size_t)info->iterations;
  m->now.info.residual = thud_larger(m->now.info.residual, info->residual);
  if (info->solved) return THUD_OK;
  return thud_fail(m->context, THUD_ERROR_NOT_CONVERGED, "t = %g: the %s did not settle, residual %g", t, what,
                   info->residual);
}

static thud_error hand_out(thud_surface_motion *m, const thud_surface_sink *sink) {
  if (sink == NULL || sink->frame == NULL) return THUD_OK;
  thud_surface_frame frame = thud_surface_motion_present(m);
  int answer = sink->frame(sink->user, &frame);
  if (answer < 0) return thud_fail(m->context, THUD_ERROR_CALLBACK, "the sink of frames failed at t = %g", frame.t);
  if (answer > 0) m->now.info.status = THUD_MOTION_STOPPED;
  return THUD_OK;
}

static thud_error catch_up(thud_surface_motion *m, double t, thud_side side, const thud_surface_sink *sink) {
  thud_surface_info info = {0};
  thud_error error = ask_data(m, t, side);
  if (error == THUD_OK)
    error = thud_surface_solve_obstacle(m->surface, m->data.transverse, m->data.psi, m->data.held, m->s, m->v_new,
                                        m->s_new, &info);
  if (error == THUD_OK) error = take_info(m, t, &info, "contact with the obstacle");
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < m->n; i++) m->bound[i] = m->problem.friction * m->s_new[i];
  if (m->plane > 0) {
    error = thud_surface_solve_friction(m->surface, m->data.in_plane, m->bound, m->data.in_held, m->u, m->u_new,
                                        m->r_new, &info);
    if (error == THUD_OK) error = take_info(m, t, &info, "friction");
    if (error != THUD_OK) return error;
  }
  accept(m, t, side);
  return hand_out(m, sink);
}

thud_error thud_surface_motion_step(thud_surface_motion *motion, const thud_surface_sink *sink,
                                    thud_surface_motion_info *info) {
  THUD_REQUIRE_OF(motion, motion->block);
  surface_progress *now = &motion->now;
  thud_error error = THUD_OK;
  if (now->info.status == THUD_MOTION_STOPPED) now->info.status = THUD_MOTION_RUNNING;
  if (now->info.status == THUD_MOTION_RUNNING && now->next < thud_partition_count(motion->partition)) {
    thud_interval interval = thud_partition_interval(motion->partition, now->next);
    bool closed = interval.left_closed;
    if (closed && interval.left > now->t &&
        thud_catching_up_jumps_at(motion->problem.jump_count, motion->problem.jumps, interval.left))
      error = catch_up(motion, interval.left, THUD_SIDE_LEFT, sink);
    if (error == THUD_OK) error = catch_up(motion, interval.left, closed ? THUD_SIDE_VALUE : THUD_SIDE_RIGHT, sink);
    if (error == THUD_OK) now->next++;
    error = thud_catching_up_fault(error, &now->info.status);
  }
  if (error != THUD_OK) return error;
  if (now->info.status == THUD_MOTION_RUNNING && now->next == thud_partition_count(motion->partition))
    now->info.status = THUD_MOTION_COMPLETED;
  if (info != NULL) *info = now->info;
  return THUD_OK;
}

thud_surface_frame thud_surface_motion_present(const thud_surface_motion *motion) {
  THUD_REQUIRE_OR((thud_surface_frame){0}, motion);
  bool plane = motion->plane > 0;
  return (thud_surface_frame){.t = motion->now.t,
                              .side = (thud_side)motion->now.side,
                              .v = motion->v,
                              .s = motion->s,
                              .u = plane ? motion->u : NULL,
                              .r = plane ? motion->r : NULL,
                              .moved = motion->moved,
                              .potential = motion->now.potential,
                              .ledger = motion->now.ledger};
}

thud_surface_motion_info thud_surface_motion_get_info(const thud_surface_motion *motion) {
  THUD_REQUIRE_OR((thud_surface_motion_info){0}, motion);
  return motion->now.info;
}

/* ---- the state block -------------------------------------------------------------------------------------------------------- */

size_t thud_surface_motion_state_size(const thud_surface_motion *motion) {
  THUD_REQUIRE_OR(0, motion);
  return sizeof motion->now + motion->block_count * sizeof(double);
}

void thud_surface_motion_save(const thud_surface_motion *motion, void *state) {
  THUD_REQUIRE_OR(, motion, motion->block, state);
  memcpy(state, &motion->now, sizeof motion->now);
  memcpy((char *)state + sizeof motion->now, motion->block, motion->block_count * sizeof(double));
}

thud_error thud_surface_motion_restore(thud_surface_motion *motion, const void *state, size_t size) {
  THUD_REQUIRE_OF(motion, motion->block, state);
  if (size != thud_surface_motion_state_size(motion))
    return thud_fail(motion->context, THUD_ERROR_FORMAT, "a state of %zu bytes is not of this surface, which has %zu",
                     size, thud_surface_motion_state_size(motion));
  memcpy(&motion->now, state, sizeof motion->now);
  memcpy(motion->block, (const char *)state + sizeof motion->now, motion->block_count * sizeof(double));
  return THUD_OK;
}
