/* Catching-up of a surface: at every node of the partition the obstacle problem, then one step of friction in the plane
 * under its reaction, booked in the ledger. What surfaces share with lines is in elastic_motion.c. */
#include "base/base.h"
#include "motions/line/elastic_motion.h"
#include "motions/surface/surface.h"

#include <math.h>
#include <string.h>

typedef struct surface_motion {
  elastic_motion common; /* moving: 2 n, or 0 without stretch */
  thud_surface_problem problem;
  thud_surface *surface;
  thud_surface_data data; /* its arrays lie in common.work */
} surface_motion;

static const thud_motion_type surface_type = THUD_ELASTIC_TYPE("surface");

/* ---- one step ------------------------------------------------------------------------------------------------------- */

static thud_error ask_data(surface_motion *own, double t, thud_side side) {
  const elastic_motion *m = &own->common;
  size_t n = (size_t)m->n * sizeof(double), plane = (size_t)m->moving * sizeof(double);
  memset(own->data.transverse, 0, n);
  memset(own->data.held, 0, n);
  memset(own->data.in_plane, 0, plane);
  memset(own->data.in_held, 0, plane);
  for (thud_index i = 0; i < m->n; i++) own->data.psi[i] = -INFINITY;
  if (own->problem.data(own->problem.user, t, side, &own->data) == 0) return THUD_OK;
  return thud_fail(m->base.context, THUD_ERROR_CALLBACK, "the data of the surface at t = %g failed", t);
}

/* The new energies: see thud_elastic_ledger. stress = K u+ holds f + r inside and the forces of the supports where u is
 * held. r holds the move afterwards. */
static void book(surface_motion *own) {
  elastic_motion *m = &own->common;
  thud_elastic_ledger *ledger = &m->now.ledger;
  const surface_matrix *plane = &own->surface->plane;
  double energy = 0, work = 0, friction = 0, quadratic = 0;
  for (thud_index k = 0; k < m->moving; k++) m->stress[k] = thud_surface_matrix_row(plane, k, m->u_new, NULL);
  for (thud_index k = 0; k < m->moving; k++) {
    double move = m->u_new[k] - m->u[k], force = own->data.in_plane[k];
    bool held = own->surface->in_held[k / 2] != 0;
    energy += m->stress[k] * m->u_new[k] / 2;
    work += (held ? m->stress[k] : force) * move;
    friction -= held ? 0 : m->r_new[k] * move;
    m->r[k] = move;
  }
  for (thud_index k = 0; k < m->moving; k++) quadratic += m->r[k] * thud_surface_matrix_row(plane, k, m->r, NULL) / 2;
  ledger->stored = energy - m->now.stored_at_start;
  ledger->work += work;
  ledger->friction += friction;
  ledger->quadratic += quadratic;
  ledger->defect = ledger->stored - (ledger->work - ledger->friction - ledger->quadratic);
}

static void measure_slip(surface_motion *own) {
  elastic_motion *m = &own->common;
  const double *from = m->u, *to = m->u_new;
  for (size_t i = 0; i < (size_t)m->n; i++)
    m->slid[i] = own->surface->in_held[i] != 0 ? 0 : hypot(to[2 * i] - from[2 * i], to[2 * i + 1] - from[2 * i + 1]);
}

static thud_error take_info(elastic_motion *m, double t, const thud_surface_info *info, const char *what) {
  m->now.info.solves += (size_t)info->iterations;
  m->now.info.residual = thud_larger(m->now.info.residual, info->residual);
  if (info->solved) return THUD_OK;
  return thud_fail(m->base.context, THUD_ERROR_NOT_CONVERGED, "t = %g: the %s did not settle, residual %g", t, what,
                   info->residual);
}

static thud_error catch_up(elastic_motion *m, double t, thud_side side) {
  surface_motion *own = (surface_motion *)m;
  thud_surface *surface = own->surface;
  const thud_surface_data *data = &own->data;
  thud_surface_info info = {0};
  thud_error error = ask_data(own, t, side);
  if (error == THUD_OK)
    error =
        thud_surface_solve_obstacle(surface, data->transverse, data->psi, data->held, m->s, m->v_new, m->s_new, &info);
  if (error == THUD_OK) error = take_info(m, t, &info, "contact with the obstacle");
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < m->n; i++) m->bound[i] = m->friction * m->s_new[i];
  if (m->moving > 0) {
    error =
        thud_surface_solve_friction(surface, data->in_plane, m->bound, data->in_held, m->u, m->u_new, m->r_new, &info);
    if (error == THUD_OK) error = take_info(m, t, &info, "friction");
    if (error != THUD_OK) return error;
    book(own);
    measure_slip(own);
  }
  m->now.potential =
      thud_surface_energy(surface, m->v_new) - thud_dot(m->base.context, (size_t)m->n, data->transverse, m->v_new);
  return THUD_OK;
}

/* ---- the family ----------------------------------------------------------------------------------------------------- */

thud_error thud_surface_motion_create(thud_context *context, const thud_surface_problem *problem,
                                      const thud_partition *partition, thud_motion **motion) {
  THUD_REQUIRE(context, context, problem, partition, motion);
  thud_surface *surface = problem->surface;
  if (surface == NULL || problem->data == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a motion needs a surface and a function that gives its data");
  thud_error error = thud_elastic_check(context, problem->friction, problem->jump_count, problem->jumps);
  if (error != THUD_OK) return error;
  surface_motion *made = THUD_NEW(context, surface_motion);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->common = (elastic_motion){.base = {.type = &surface_type, .context = context},
                                  .partition = partition,
                                  .friction = problem->friction,
                                  .jump_count = problem->jump_count,
                                  .jumps = problem->jumps,
                                  .catch_up = catch_up,
                                  .n = surface->n,
                                  .freedoms = surface->freedoms,
                                  .moving = surface->stretch > 0 ? 2 * surface->n : 0};
  made->problem = *problem;
  made->surface = surface;
  size_t n = (size_t)surface->n, plane = (size_t)made->common.moving;
  thud_surface_data *data = &made->data;
  const elastic_array arrays[] = {
      {&data->transverse, n}, {&data->psi, n}, {&data->held, n}, {&data->in_plane, plane}, {&data->in_held, plane}};
  error = thud_elastic_begin(&made->common, true, sizeof arrays / sizeof *arrays, arrays);
  if (error == THUD_OK)
    *motion = &made->common.base;
  else
    thud_elastic_destroy(&made->common.base);
  return error;
}

thud_elastic_frame thud_surface_motion_present(const thud_motion *motion) {
  THUD_MOTION_OF_OR((thud_elastic_frame){0}, motion, &surface_type);
  thud_elastic_frame frame;
  thud_elastic_present(motion, &frame);
  return frame;
}

thud_elastic_motion_info thud_surface_motion_get_info(const thud_motion *motion) {
  THUD_MOTION_OF_OR((thud_elastic_motion_info){0}, motion, &surface_type);
  return ((const elastic_motion *)motion)->now.info;
}
