/* From impulses to velocities: u = W r + V l + q in the three forms, W formed in none of them. */
#include "contact/velocity.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

/* Smallest denominator of the relative residual of the equation of motion. */
static const double load_floor = 2.3e-16;

thud_error thud_velocity_map_create(thud_context *context, const thud_contact_problem *problem,
                                    thud_velocity_map *map) {
  size_t size = thud_contact_size(problem), ndof = thud_contact_ndof(problem), bilateral = (size_t)problem->bilateral;
  thud_velocity_map made = {.problem = problem};
  made.load = THUD_NEW_ARRAY(context, double, 3 * ndof);
  made.u = THUD_NEW_ARRAY(context, double, 2 * size);
  made.u_b = THUD_NEW_ARRAY(context, double, 2 * bilateral);
  if (made.load == NULL || made.u == NULL || made.u_b == NULL) {
    thud_velocity_map_destroy(context, &made);
    return THUD_ERROR_MEMORY;
  }
  made.v = made.load + ndof;
  made.free = made.v + ndof;
  made.q = made.u + size;
  made.s = made.u_b + bilateral;
  *map = made;
  return THUD_OK;
}

void thud_velocity_map_destroy(thud_context *context, thud_velocity_map *map) {
  thud_mass_destroy(map->mass);
  thud_free(context, map->load);
  thud_free(context, map->u);
  thud_free(context, map->u_b);
}

static void copy_or_zero(const double *from, size_t count, double *to) {
  if (count == 0) return;
  if (from != NULL)
    memcpy(to, from, count * sizeof *to);
  else
    memset(to, 0, count * sizeof *to);
}

/* ---- two blocks ----------------------------------------------------------------------------------------- */

/* y[block] += J' r, J row-major dimension x block. */
static void add_impulse(thud_index dimension, thud_index block, const double *J, const double *r, double *y) {
  for (thud_index i = 0; i < dimension; i++)
    for (thud_index j = 0; j < block; j++) y[j] += J[(size_t)i * (size_t)block + (size_t)j] * r[i];
}

/* u[dimension] += J v */
static void add_velocity(thud_index dimension, thud_index block, const double *J, const double *v, double *u) {
  for (thud_index i = 0; i < dimension; i++) {
    double sum = 0;
    for (thud_index j = 0; j < block; j++) sum += J[(size_t)i * (size_t)block + (size_t)j] * v[j];
    u[i] += sum;
  }
}

/* u = J v + w */
static void two_block_velocity(const thud_contact_problem *problem, const double *v, double *u) {
  const thud_two_block *two = &problem->two_block;
  size_t dimension = (size_t)problem->dimension, block = (size_t)two->block;
  copy_or_zero(two->w, thud_contact_size(problem), u);
  for (size_t c = 0; c < (size_t)problem->contacts; c++) {
    size_t place = c * dimension * block;
    add_velocity(problem->dimension, two->block, two->jacobian_a + place, v + (size_t)two->body_a[c] * block,
                 u + c * dimension);
    if (two->body_b[c] >= 0)
      add_velocity(problem->dimension, two->block, two->jacobian_b + place, v + (size_t)two->body_b[c] * block,
                   u + c * dimension);
  }
}

/* u_b = G v + b */
static void joint_velocity(const thud_contact_problem *problem, const double *v, double *u_b) {
  const thud_two_block *two = &problem->two_block;
  size_t block = (size_t)two->block;
  copy_or_zero(two->joint_w, (size_t)problem->bilateral, u_b);
  for (thud_index j = 0; j < two->joints; j++) {
    thud_index first = two->joint_start[j], rows = two->joint_start[j + 1] - first;
    size_t place = (size_t)first * block;
    add_velocity(rows, two->block, two->joint_jacobian_a + place, v + (size_t)two->joint_a[j] * block, u_b + first);
    if (two->joint_b[j] >= 0)
      add_velocity(rows, two->block, two->joint_jacobian_b + place, v + (size_t)two->joint_b[j] * block, u_b + first);
  }
}

/* load += G' l */
static void add_joint_impulses(const thud_contact_problem *problem, const double *l, double *load) {
  const thud_two_block *two = &problem->two_block;
  size_t block = (size_t)two->block;
  for (thud_index j = 0; j < two->joints; j++) {
    thud_index first = two->joint_start[j], rows = two->joint_start[j + 1] - first;
    size_t place = (size_t)first * block;
    add_impulse(rows, two->block, two->joint_jacobian_a + place, l + first, load + (size_t)two->joint_a[j] * block);
    if (two->joint_b[j] >= 0)
      add_impulse(rows, two->block, two->joint_jacobian_b + place, l + first, load + (size_t)two->joint_b[j] * block);
  }
}

/* v = v^free + M^-1 (J' r + G' l) */
static void two_block_motion(thud_velocity_map *map, const double *r, const double *l) {
  const thud_contact_problem *problem = map->problem;
  const thud_two_block *two = &problem->two_block;
  size_t dimension = (size_t)problem->dimension, block = (size_t)two->block;
  memset(map->load, 0, thud_contact_ndof(problem) * sizeof *map->load);
  for (size_t c = 0; c < (size_t)problem->contacts; c++) {
    size_t place = c * dimension * block;
    add_impulse(problem->dimension, two->block, two->jacobian_a + place, r + c * dimension,
                map->load + (size_t)two->body_a[c] * block);
    if (two->body_b[c] >= 0)
      add_impulse(problem->dimension, two->block, two->jacobian_b + place, r + c * dimension,
                  map->load + (size_t)two->body_b[c] * block);
  }
  add_joint_impulses(problem, l, map->load);
  copy_or_zero(two->free_velocity, thud_contact_ndof(problem), map->v);
  for (size_t b = 0; b < (size_t)two->bodies; b++)
    add_velocity(two->block, two->block, two->inverse_mass + b * block * block, map->load + b * block,
                 map->v + b * block);
}

/* ---- global ----------------------------------------------------------------------------------------------- */

/* u = H' v + w, u_b = G' v + b */
static void global_velocity(thud_context *context, const thud_contact_problem *problem, const double *v, double *u,
                            double *u_b) {
  copy_or_zero(problem->w, thud_contact_size(problem), u);
  if (problem->contacts > 0) thud_matrix_multiply_vector(context, &problem->H, true, 1, v, 1, u);
  copy_or_zero(problem->b, (size_t)problem->bilateral, u_b);
  if (problem->bilateral > 0) thud_matrix_multiply_vector(context, &problem->G, true, 1, v, 1, u_b);
}

/* load = H r + G l, motion and its residual. */
static thud_error global_motion(thud_context *context, thud_velocity_map *map, const double *r, const double *v,
                                const double *l, double *dynamics) {
  const thud_contact_problem *problem = map->problem;
  size_t ndof = thud_contact_ndof(problem);
  memset(map->load, 0, ndof * sizeof *map->load);
  if (problem->contacts > 0) thud_matrix_multiply_vector(context, &problem->H, false, 1, r, 0, map->load);
  if (problem->bilateral > 0) thud_matrix_multiply_vector(context, &problem->G, false, 1, l, 1, map->load);
  double size = fmax(thud_norm2(context, ndof, map->load), thud_norm2(context, ndof, problem->f));
  for (size_t i = 0; i < ndof; i++) map->load[i] += problem->f[i];
  if (v != NULL) {
    memcpy(map->v, v, ndof * sizeof *v);
  } else {
    thud_error error = thud_mass_solve(map->mass, map->load, map->v);
    if (error != THUD_OK) return error;
  }
  thud_matrix_multiply_vector(context, &problem->M, false, -1, map->v, 1, map->load);
  *dynamics = thud_norm2(context, ndof, map->load) / fmax(size, load_floor);
  return THUD_OK;
}

/* ---- all forms -------------------------------------------------------------------------------------------- */

static thud_error global_update(thud_context *context, const thud_contact_problem *problem, thud_velocity_map *map) {
  thud_mass *mass = NULL;
  thud_error error = thud_mass_create(context, &problem->M, &mass);
  if (error != THUD_OK) return error;
  error = thud_mass_solve(mass, problem->f, map->free);
  if (error != THUD_OK) {
    thud_mass_destroy(mass);
    return error;
  }
  thud_mass_destroy(map->mass);
  map->mass = mass;
  global_velocity(context, problem, map->free, map->q, map->s);
  return THUD_OK;
}

thud_error thud_velocity_map_update(thud_context *context, const thud_contact_problem *problem,
                                    thud_velocity_map *map) {
  thud_error error = THUD_OK;
  switch (problem->form) {
  case THUD_FORM_GLOBAL: error = global_update(context, problem, map); break;
  case THUD_FORM_TWO_BLOCK:
    two_block_velocity(problem, problem->two_block.free_velocity, map->q);
    joint_velocity(problem, problem->two_block.free_velocity, map->s);
    break;
  default:
    copy_or_zero(problem->q, thud_contact_size(problem), map->q);
    copy_or_zero(problem->s, (size_t)problem->bilateral, map->s);
    break;
  }
  if (error == THUD_OK) map->problem = problem;
  return error;
}

static void local_velocity(thud_context *context, thud_velocity_map *map, const double *r, const double *l) {
  const thud_contact_problem *problem = map->problem;
  size_t size = thud_contact_size(problem);
  bool products = problem->W.storage == THUD_MATRIX_OPERATOR; /* which cannot be added to q */
  memcpy(map->u, map->q, size * sizeof *map->u);
  memcpy(map->u_b, map->s, (size_t)problem->bilateral * sizeof *map->u_b);
  if (problem->contacts > 0) thud_matrix_multiply_vector(context, &problem->W, false, 1, r, products ? 0 : 1, map->u);
  for (size_t i = 0; products && i < size; i++) map->u[i] += map->q[i];
  if (problem->bilateral == 0) return;
  thud_matrix_multiply_vector(context, &problem->R, false, 1, l, 1, map->u_b);
  if (problem->contacts == 0) return;
  thud_matrix_multiply_vector(context, &problem->V, false, 1, l, 1, map->u);
  thud_matrix_multiply_vector(context, &problem->V, true, 1, r, 1, map->u_b);
}

static bool all_zero(size_t n, const double *x) {
  for (size_t i = 0; i < n; i++)
    if (x[i] != 0) return false;
  return true;
}

/* Without impulses nothing is to be multiplied: the usual start of a solver. */
static bool apply_nothing(thud_velocity_map *map, const double *r, const double *l) {
  const thud_contact_problem *problem = map->problem;
  size_t size = thud_contact_size(problem), bilateral = (size_t)problem->bilateral;
  if (problem->form == THUD_FORM_GLOBAL || !all_zero(size, r) || !all_zero(bilateral, l)) return false;
  copy_or_zero(map->q, size, map->u);
  copy_or_zero(map->s, bilateral, map->u_b);
  if (problem->form == THUD_FORM_TWO_BLOCK)
    copy_or_zero(problem->two_block.free_velocity, thud_contact_ndof(problem), map->v);
  return true;
}

thud_error thud_velocity_map_apply(thud_context *context, thud_velocity_map *map, const double *r, const double *v,
                                   const double *l, double *dynamics) {
  *dynamics = 0;
  if (apply_nothing(map, r, l)) return THUD_OK;
  if (map->problem->form == THUD_FORM_LOCAL) {
    local_velocity(context, map, r, l);
    return THUD_OK;
  }
  if (map->problem->form == THUD_FORM_TWO_BLOCK) {
    two_block_motion(map, r, l);
    two_block_velocity(map->problem, map->v, map->u);
    joint_velocity(map->problem, map->v, map->u_b);
    return THUD_OK;
  }
  thud_error error = global_motion(context, map, r, v, l, dynamics);
  if (error == THUD_OK) global_velocity(context, map->problem, map->v, map->u, map->u_b);
  return error;
}
