/* Groups of contacts with frames, four contacts at once (sweep_lanes.h); included beside sweep_lanes_kernel.h. */
#ifndef THUD_SRC_SOLVE_SWEEP_LANES_FILL_H
#define THUD_SRC_SOLVE_SWEEP_LANES_FILL_H

#include "solve/exact_space_lanes.h"
#include "solve/sweep_lanes.h"

/* k_i may differ from lever x e_i by this part of |lever|_1 max |e|: a few roundings of a product of a lever and a frame
 * that is orthonormal to a few roundings itself. */
#define FRAME_ROUNDING (32 * DBL_EPSILON)

/* One side of four contacts as the problem gives it; zeros where there is no body. */
typedef struct lane_side {
  thud_v4 J[18], v[6], f, L[6];
  thud_m4 moves;
} lane_side;

static const double lane_zeros[18];

THUD_IN_LANES void read_side(const thud_lanes *lanes, const thud_two_block *bodies, size_t at, size_t side,
                             lane_side *read) {
  const thud_lane_group *group = thud_lanes_group(lanes, at);
  const double *J[THUD_LANES], *v[THUD_LANES], *z[THUD_LANES], *inertia[THUD_LANES];
  thud_v4 last[4], line[4];
  for (size_t lane = 0; lane < THUD_LANES; lane++) {
    thud_index k = lanes->contact[at * THUD_LANES + lane];
    thud_index body = k < 0 ? -1 : side == 0 ? bodies->body_a[k] : bodies->body_b[k];
    size_t moving = (size_t)group->body[side][lane];
    J[lane] = body < 0 ? lane_zeros : (side == 0 ? bodies->jacobian_a : bodies->jacobian_b) + 18 * (size_t)k;
    v[lane] = body < 0 ? lane_zeros : bodies->free_velocity + 6 * (size_t)body;
    z[lane] = lanes->z + moving * THUD_SWEEP_STRIDE;
    inertia[lane] = lanes->kinematics == THUD_LANES_FRAMES ? lanes->inertia + moving * THUD_SWEEP_STRIDE : lane_zeros;
    read->moves[lane] = moving == lanes->bodies ? 0 : -1;
  }
  for (size_t i = 0; i < 16; i += 4) thud_v4_gather(J, i, read->J + i);
  thud_v4_gather(J, 14, last);
  read->J[16] = last[2];
  read->J[17] = last[3];
  thud_v4_gather(v, 0, read->v);
  thud_v4_gather(v, 2, last);
  read->v[4] = last[2];
  read->v[5] = last[3];
  thud_v4_gather(z, 4, line);
  read->f = line[2];
  thud_v4_gather(inertia, 0, read->L);
  thud_v4_gather(inertia, 2, last);
  read->L[4] = last[2];
  read->L[5] = last[3];
  if (lanes->kinematics == THUD_LANES_SPHERES) read->L[0] = read->L[2] = read->L[5] = line[3];
}

THUD_IN_LANES void cross(const thud_v4 *a, const thud_v4 *b, thud_v4 *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/* The levers of J = sign [E, K]: e_i x (lever x e_i) sums up to 2 lever over the rows of an orthonormal E. Returns where
 * that is not so: E is another one, or K is not of that kind. */
THUD_IN_LANES thud_m4 find_levers(const lane_side *side, double sign, const thud_v4 *E, thud_v4 *lever) {
  thud_v4 part[3], most = {0};
  thud_m4 wrong = {0};
  for (size_t j = 0; j < 3; j++) lever[j] = (thud_v4){0};
  for (size_t i = 0; i < 3; i++) {
    for (size_t j = 0; j < 3; j++) {
      thud_v4 size = thud_v4_abs(E[3 * i + j]);
      wrong |= ~thud_v4_equal(side->J[6 * i + j], sign * E[3 * i + j]);
      most = thud_v4_choose(thud_v4_above(size, most), size, most);
    }
    cross(E + 3 * i, side->J + 6 * i + 3, part);
    for (size_t j = 0; j < 3; j++) lever[j] += 0.5 * sign * part[j];
  }
  thud_v4 bound = FRAME_ROUNDING * (thud_v4_abs(lever[0]) + thud_v4_abs(lever[1]) + thud_v4_abs(lever[2])) * most;
  for (size_t i = 0; i < 3; i++) {
    cross(lever, E + 3 * i, part);
    for (size_t j = 0; j < 3; j++)
      wrong |= ~thud_v4_at_most(thud_v4_abs(sign * side->J[6 * i + 3 + j] - part[j]), bound);
  }
  return wrong;
}

/* W += J F F' J' (lower triangle by columns) and q += J v with F = [f 1, 0; 0, L]. */
THUD_IN_LANES void add_side(const lane_side *side, thud_v4 *W, thud_v4 *q) {
  static const size_t place[3][3] = {{0, 0, 0}, {1, 3, 0}, {2, 4, 5}};
  const thud_v4 *L = side->L;
  thud_v4 rows[3][6];
  for (size_t i = 0; i < 3; i++) {
    const thud_v4 *row = side->J + 6 * i, *K = row + 3;
    for (size_t j = 0; j < 3; j++) rows[i][j] = row[j] * side->f;
    rows[i][3] = K[0] * L[0] + K[1] * L[1] + K[2] * L[3];
    rows[i][4] = K[1] * L[2] + K[2] * L[4];
    rows[i][5] = K[2] * L[5];
    for (size_t j = 0; j < 6; j++) q[i] += row[j] * side->v[j];
    for (size_t j = 0; j <= i; j++) {
      thud_v4 sum = {0};
      for (size_t c = 0; c < 6; c++) sum += rows[i][c] * rows[j][c];
      W[place[i][j]] += sum;
    }
  }
}

THUD_IN_LANES void write_group(const thud_space_lanes *block, const thud_v4 *q, const thud_v4 *geometry,
                               thud_lane_group *group) {
  for (size_t i = 0; i < 3; i++) thud_v4_store(q[i], group->q[i]);
  thud_v4_store(block->inverse_normal, group->inverse_normal);
  thud_v4_store(block->k1, group->k1);
  thud_v4_store(block->k2, group->k2);
  thud_v4_store(block->s11, group->s11);
  thud_v4_store(block->s12, group->s12);
  thud_v4_store(block->s22, group->s22);
  thud_v4_store(block->mu, group->mu);
  for (size_t i = 0; i < 15; i++) thud_v4_store(geometry[i], group->geometry[i]);
}

/* False when a contact has no frame. */
THUD_IN_LANES bool fill_group(const thud_lanes *lanes, const thud_lane_source *source, size_t at) {
  const thud_v4 zero = {0};
  thud_v4 W[6] = {zero, zero, zero, zero, zero, zero}, q[3] = {zero, zero, zero}, mu = zero, geometry[15];
  lane_side a, b;
  for (size_t lane = 0; lane < THUD_LANES; lane++) {
    thud_index k = lanes->contact[at * THUD_LANES + lane];
    if (k < 0) continue;
    for (size_t i = 0; i < 3 && source->bodies->w != NULL; i++) q[i][lane] = source->bodies->w[3 * (size_t)k + i];
    if (source->mu != NULL) mu[lane] = source->mu[k];
  }
  read_side(lanes, source->bodies, at, 0, &a);
  read_side(lanes, source->bodies, at, 1, &b);
  /* E is that of a, unless only b moves; levers of bodies that do not move are nobody's */
  for (size_t i = 0; i < 9; i++) {
    size_t from = 6 * (i / 3) + i % 3;
    geometry[i] = thud_v4_choose(a.moves, a.J[from], thud_v4_choose(b.moves, -b.J[from], zero));
  }
  thud_m4 wrong = a.moves & find_levers(&a, 1, geometry, geometry + 9);
  wrong |= b.moves & find_levers(&b, -1, geometry, geometry + 12);
  for (size_t i = 0; i < 3; i++) {
    geometry[9 + i] = thud_v4_choose(a.moves, geometry[9 + i], zero);
    geometry[12 + i] = thud_v4_choose(b.moves, geometry[12 + i], zero);
  }
  add_side(&a, W, q);
  add_side(&b, W, q);
  thud_space_lanes block = thud_space_lanes_prepare(W, mu);
  write_group(&block, q, geometry, thud_lanes_group(lanes, at));
  return !thud_m4_any(wrong);
}

static bool fill_groups(const thud_lanes *lanes, const thud_lane_source *source, size_t first, size_t end) {
  for (size_t at = first; at < end; at++)
    if (!fill_group(lanes, source, at)) return false;
  return true;
}

#endif
