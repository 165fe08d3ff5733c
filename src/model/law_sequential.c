/* Binary collisions one after the other: the constraint that approaches fastest (u_N in units of sqrt(W_NN), which does
 * not depend on how its gap is written; the first of several) collides alone with its own e and friction law, as if the
 * others were not there, until none approaches. An elastic row of equal balls passes the impact on: (0, .., 0, 1). */
#include "model/percussion.h"

#include <math.h>
#include <string.h>

/* Number of the block that collides next, -1: none approaches by more than the tolerance. */
static thud_index next_collision(const thud_percussion *p, double slowest) {
  thud_index next = -1;
  double fastest = 0;
  for (thud_index b = 0; b < p->problem.block_count; b++) {
    if (!p->blocks[b].has_normal) continue;
    thud_index i = p->blocks[b].first;
    double speed = -p->u[i] / sqrt(p->W[i * p->problem.rows + i]);
    if (p->u[i] >= -slowest || !(speed > fastest)) continue;
    fastest = speed;
    next = b;
  }
  return next;
}

/* What the impulse r[size] of one block gives, u the block's velocities before. */
static double energy_gain_of(const thud_percussion *p, const thud_velocity_block *block, const double *u,
                             const double *r) {
  double gain = 0;
  for (thud_index i = 0; i <= block->directions; i++) {
    double after = u[i];
    for (thud_index j = 0; j <= block->directions; j++)
      after += p->W[(block->first + i) * p->problem.rows + block->first + j] * r[j];
    gain += r[i] * (u[i] + after) / 2;
  }
  return gain;
}

static bool solve_alone(thud_percussion *p, const thud_velocity_block *block, double e, const double *u, double *load,
                        double *r) {
  size_t size = (size_t)block->directions + 1;
  memcpy(load, u, size * sizeof *load);
  load[0] = (1 + e) * u[0];
  memset(r, 0, size * sizeof *r);
  return thud_velocity_block_solve(p->solver, &p->problem, block, load, NULL, r);
}

enum { BISECTIONS = 50 };

/* One collision: r[size] its impulse. False when the block has no solution. */
static bool collide(thud_percussion *p, const thud_velocity_block *block, double largest_gain, double *load, double *r,
                    thud_percussion_info *info) {
  const double *u = p->u + block->first;
  double e = p->restitution[block->first];
  if (!solve_alone(p, block, e, u, load, r)) return false;
  if (energy_gain_of(p, block, u, r) <= largest_gain) return true;
  info->gained = true;
  if (p->options.on_energy_gain == THUD_GAIN_REFUSE) info->refused = true;
  if (p->options.on_energy_gain != THUD_GAIN_REDUCE_E) return true;
  double low = 0, high = 1;
  for (int k = 0; k < BISECTIONS; k++) {
    double factor = (low + high) / 2;
    if (!solve_alone(p, block, factor * e, u, load, r)) return false;
    *(energy_gain_of(p, block, u, r) > 0 ? &high : &low) = factor;
  }
  info->restitution_factor = fmin(info->restitution_factor, low);
  return solve_alone(p, block, low * e, u, load, r);
}

static void add_impulse(thud_percussion *p, const thud_velocity_block *block, const double *r) {
  for (thud_index k = 0; k <= block->directions; k++) {
    thud_index row = block->first + k;
    p->r[row] += r[k];
    for (thud_index i = 0; i < p->problem.rows; i++) p->u[i] += p->W[i * p->problem.rows + row] * r[k];
  }
}

thud_error thud_law_finish_inelastic(thud_percussion *p, thud_percussion_info *info) {
  bool is_needed = false;
  double tolerance = p->options.tolerance * thud_percussion_scale(p);
  for (thud_index b = 0; b < p->problem.block_count; b++)
    is_needed = is_needed || !p->blocks[b].has_normal || p->u[p->blocks[b].first] < -tolerance;
  if (!is_needed) {
    memcpy(p->load, p->u_free, (size_t)p->problem.rows * sizeof *p->load);
    return THUD_OK;
  }
  double *so_far = p->past;
  memcpy(so_far, p->r, (size_t)p->problem.rows * sizeof *so_far);
  memcpy(p->load, p->u, (size_t)p->problem.rows * sizeof *p->load);
  memset(p->r, 0, (size_t)p->problem.rows * sizeof *p->r);
  thud_error error = thud_percussion_velocity_problem(p, &info->status);
  for (thud_index i = 0; i < p->problem.rows; i++) p->r[i] += so_far[i];
  memcpy(p->load, p->u_free, (size_t)p->problem.rows * sizeof *p->load);
  return error;
}

static thud_error sequential(thud_percussion *p, const thud_velocity_data *data, thud_percussion_info *info) {
  size_t bytes = (size_t)p->problem.rows * sizeof(double);
  memcpy(p->load, p->u_free, bytes);
  memcpy(p->u, p->u_free, bytes);
  memset(p->r, 0, bytes);
  double slowest = p->options.tolerance * thud_percussion_scale(p);
  double energy = thud_velocity_energy(data, p->n, data->v_free);
  double *impulse = p->past, *load = p->past + p->row_capacity;
  thud_index b;
  while (info->collisions < p->options.max_collisions && (b = next_collision(p, slowest)) >= 0) {
    const thud_velocity_block *block = &p->blocks[b];
    if (!collide(p, block, p->options.energy_tolerance * energy, load, impulse, info)) {
      info->status = THUD_SOLVER_BREAKDOWN;
      break;
    }
    double target = load[0] - p->u[block->first]; /* e u_N-: u_N+ is exactly its negative */
    add_impulse(p, block, impulse);
    if (impulse[0] > 0) p->u[block->first] = -target;
    info->collisions++;
  }
  return thud_law_finish_inelastic(p, info);
}

const thud_law_map thud_law_sequential = {.name = "sequential", .sees_free_velocity = true, .apply = sequential};
