/* Laws of multiple impacts other than Newton's: islands in which something strikes are handed to the laws of model
 * (model/bodies_impact.h) with a full W. */
#include "motions/bodies/body_motion.h"
#include "model/bodies_impact.h"

#include <math.h>

enum { MOST_CONTACTS = 1000 }; /* W is full: 72 MB then */

thud_error thud_bodies_create_impact(body_motion *motion) {
  const thud_body_motion_options *options = &motion->options;
  static const char *const names[] = {"canonical", "newton", "sequential", "lzb"};
  if (options->impact_law == THUD_IMPACT_NEWTON) return THUD_OK;
  if (motion->problem.d > (motion->model.planar ? 2 : 3))
    return thud_fail(motion->base.context, THUD_ERROR_UNSUPPORTED,
                     "impact law '%s' has no rolling or spinning friction; take 'newton', or materials without them",
                     names[options->impact_law]);
  thud_percussion_options law = thud_percussion_options_default();
  law.law = options->impact_law;
  law.on_energy_gain = options->on_energy_gain;
  law.energy_tolerance = options->energy_tolerance;
  law.tolerance = options->tolerance;
  return thud_bodies_impact_create(motion->base.context, motion->problem.d, 16, &law, &motion->impact);
}

bool thud_bodies_is_struck(const body_motion *motion, thud_index s) {
  const body_problem *p = &motion->problem;
  if (motion->impact == NULL) return false;
  for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++)
    if (motion->contacts.impact[p->order[at]]) return true;
  return false;
}

/* B += J_i M^-1 J_j' of the rows of two contacts on one body; B is a block of W, whose rows are `rows` long. */
static void add_block(const body_problem *p, const double *Ji, const double *Jj, thud_index body, size_t rows,
                      double *B) {
  size_t d = (size_t)p->d, n = (size_t)p->block;
  const double *M = p->inverse_mass + (size_t)body * n * n;
  for (size_t i = 0; i < d; i++) {
    double row[6] = {0};
    for (size_t b = 0; b < n; b++)
      for (size_t a = 0; a < n; a++) row[b] += Ji[i * n + a] * M[b * n + a];
    for (size_t j = 0; j < d; j++)
      for (size_t b = 0; b < n; b++) B[i + j * rows] += row[b] * Jj[j * n + b];
  }
}

/* Full W of the contacts listed in impact_at[count]. */
static void assemble_matrix(body_motion *motion, size_t count) {
  const body_problem *p = &motion->problem;
  body_strike *k = &motion->strike;
  size_t d = (size_t)p->d, rows = count * d, step = d * (size_t)p->block;
  for (size_t i = 0; i < rows * rows; i++) k->W[i] = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++) {
      size_t x = (size_t)k->at[i], y = (size_t)k->at[j];
      const double *J[2][2] = {{p->jacobian_a + x * step, p->jacobian_b + x * step},
                               {p->jacobian_a + y * step, p->jacobian_b + y * step}};
      thud_index body[2][2] = {{p->a[x], p->b[x]}, {p->a[y], p->b[y]}};
      for (int m = 0; m < 2; m++)
        for (int n = 0; n < 2; n++)
          if (body[0][m] >= 0 && body[0][m] == body[1][n])
            add_block(p, J[0][m], J[1][n], body[0][m], rows, k->W + i * d + j * d * rows);
    }
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < i; j++)
      k->W[i + j * rows] = k->W[j + i * rows] = 0.5 * (k->W[i + j * rows] + k->W[j + i * rows]);
}

enum { STRIKE_ARRAYS = 7 };

static void list_arrays(body_strike *k, size_t d, body_array *list) {
  const body_array arrays[STRIKE_ARRAYS] = {{&k->at, sizeof(thud_index)},      {&k->mu, sizeof(double)},
                                            {&k->restitution, sizeof(double)}, {&k->u_minus, d * sizeof(double)},
                                            {&k->u_free, d * sizeof(double)},  {&k->r, d * sizeof(double)},
                                            {&k->u, d * sizeof(double)}};
  for (size_t i = 0; i < STRIKE_ARRAYS; i++) list[i] = arrays[i];
}

static thud_error reserve(body_motion *motion, size_t count) {
  body_strike *k = &motion->strike;
  body_array arrays[STRIKE_ARRAYS];
  size_t d = (size_t)motion->problem.d, rows = count * d;
  list_arrays(k, d, arrays);
  thud_error error = thud_array_reserve(motion->base.context, &k->W, &k->matrix_capacity, rows * rows, sizeof *k->W);
  return error == THUD_OK ? thud_bodies_grow(motion->base.context, STRIKE_ARRAYS, arrays, &k->capacity, count) : error;
}

void thud_bodies_free_impact(body_motion *motion) {
  body_array arrays[STRIKE_ARRAYS];
  list_arrays(&motion->strike, (size_t)motion->problem.d, arrays);
  thud_bodies_release(motion->base.context, STRIKE_ARRAYS, arrays);
  thud_free(motion->base.context, motion->strike.W);
  thud_bodies_impact_destroy(motion->impact);
}

/* The closed contacts of the island; those that are only near have no part in a blow. */
static size_t list_contacts(body_motion *motion, thud_index s) {
  const body_problem *p = &motion->problem;
  const body_contacts *c = &motion->contacts;
  body_strike *k = &motion->strike;
  size_t d = (size_t)p->d, count = 0;
  for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++) {
    thud_index contact = p->order[at];
    if (!c->closed[contact]) continue;
    for (size_t i = 0; i < d; i++) {
      k->u_minus[count * d + i] = c->u_minus[(size_t)contact * d + i];
      k->u_free[count * d + i] = c->u_free[(size_t)contact * d + i];
      k->r[count * d + i] = 0;
    }
    k->mu[count] = p->mu[at];
    k->restitution[count] = c->material_restitution[contact];
    k->at[count++] = at;
  }
  return count;
}

thud_error thud_bodies_full_matrix(body_motion *motion, thud_index s, double **W) {
  const body_problem *p = &motion->problem;
  body_strike *k = &motion->strike;
  thud_index first = p->contact_start[s], contacts = p->contact_start[s + 1] - first;
  if (contacts > MOST_CONTACTS)
    return thud_fail(motion->base.context, THUD_ERROR_UNSUPPORTED,
                     "stiff springs or dampers connect bodies of an island of %d contacts: at most %d are possible",
                     (int)contacts, MOST_CONTACTS);
  thud_error error = reserve(motion, (size_t)contacts);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < contacts; i++) k->at[i] = first + i;
  assemble_matrix(motion, (size_t)contacts);
  *W = k->W;
  return thud_bodies_couple_matrix(motion, (size_t)contacts, k->at, k->W);
}

thud_error thud_bodies_strike(body_motion *motion, thud_index s, thud_percussion_info *info) {
  body_problem *p = &motion->problem;
  body_strike *k = &motion->strike;
  size_t d = (size_t)p->d;
  if (p->islands[s].contacts > MOST_CONTACTS)
    return thud_fail(motion->base.context, THUD_ERROR_UNSUPPORTED,
                     "an island of %d contacts is struck: impact laws other than newton take at most %d",
                     (int)p->islands[s].contacts, MOST_CONTACTS);
  thud_error error = reserve(motion, (size_t)p->islands[s].contacts);
  if (error != THUD_OK) return error;
  size_t count = list_contacts(motion, s);
  assemble_matrix(motion, count);
  error = thud_bodies_couple_matrix(motion, count, k->at, k->W);
  if (error != THUD_OK) return error;
  thud_bodies_impact_data data = {.count = (thud_index)count,
                                  .W = k->W,
                                  .u_minus = k->u_minus,
                                  .u_free = k->u_free,
                                  .mu = k->mu,
                                  .restitution = k->restitution,
                                  .energy = thud_bodies_island_energy(motion, s)};
  error = thud_bodies_impact_solve(motion->impact, &data, k->r, k->u, info);
  if (error != THUD_OK) return error;
  for (size_t i = (size_t)p->contact_start[s] * d; i < (size_t)p->contact_start[s + 1] * d; i++) p->r[i] = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < d; j++) p->r[(size_t)k->at[i] * d + j] = k->r[i * d + j];
  p->islands[s].restitution_factor = info->restitution_factor;
  return THUD_OK;
}
