/* The inner loops of sweep_lanes.h, compiled twice: by sweep_lanes_plain.c and, with AVX2, by sweep_lanes_avx2.c. */
#ifndef THUD_SRC_SOLVE_SWEEP_LANES_KERNEL_H
#define THUD_SRC_SOLVE_SWEEP_LANES_KERNEL_H

#include "solve/exact_space_lanes.h"
#include "solve/sweep_lanes.h"

/* Groups between the visit under way and the one that memory is asked for: streams that the processor does not see by
 * itself, found by trial. */
enum { LANES_AHEAD = 4 };

/* The motion of the bodies of one side. */
typedef struct lane_bodies {
  thud_v4 z[THUD_SWEEP_STRIDE]; /* with frames: z, f, s */
  thud_v4 L[6];                 /* THUD_LANES_FRAMES */
} lane_bodies;

/* The lines of four bodies, side by side. */
THUD_IN_LANES void gather_lines(const double *lines, const thud_index *body, thud_v4 *x) {
  const double *const from[THUD_LANES] = {
      lines + (size_t)body[0] * THUD_SWEEP_STRIDE, lines + (size_t)body[1] * THUD_SWEEP_STRIDE,
      lines + (size_t)body[2] * THUD_SWEEP_STRIDE, lines + (size_t)body[3] * THUD_SWEEP_STRIDE};
  thud_v4_gather(from, 0, x);
  thud_v4_gather(from, 4, x + 4);
}

THUD_IN_LANES void gather(const thud_lanes *lanes, thud_lane_kinematics kinematics, const thud_index *body,
                          lane_bodies *bodies) {
  gather_lines(lanes->z, body, bodies->z);
  if (kinematics != THUD_LANES_FRAMES) return;
  thud_v4 lines[THUD_SWEEP_STRIDE];
  gather_lines(lanes->inertia, body, lines);
  for (size_t i = 0; i < 6; i++) bodies->L[i] = lines[i];
}

/* The body that never moves is not written: threads would meet there. */
THUD_IN_LANES void scatter(const thud_lanes *lanes, const thud_index *body, lane_bodies *bodies) {
  thud_v4_transpose(bodies->z);
  thud_v4_transpose(bodies->z + 4);
  for (size_t lane = 0; lane < THUD_LANES; lane++) {
    if ((size_t)body[lane] == lanes->bodies) continue;
    double *line = lanes->z + (size_t)body[lane] * THUD_SWEEP_STRIDE;
    thud_v4_store(bodies->z[lane], line);
    thud_v4_store(bodies->z[4 + lane], line + 4);
  }
}

/* ---- frames ---------------------------------------------------------------------------------------------------- */

/* c = velocity + spin x lever */
THUD_IN_LANES void point_velocity(thud_lane_kinematics kinematics, const lane_bodies *bodies,
                                  const double (*lever)[THUD_LANES], thud_v4 *c) {
  const thud_v4 *z = bodies->z, *L = bodies->L;
  thud_v4 l0 = thud_v4_load(lever[0]), l1 = thud_v4_load(lever[1]), l2 = thud_v4_load(lever[2]), w0, w1, w2;
  if (kinematics == THUD_LANES_SPHERES) {
    w0 = z[7] * z[3];
    w1 = z[7] * z[4];
    w2 = z[7] * z[5];
  } else {
    w0 = L[0] * z[3];
    w1 = L[1] * z[3] + L[2] * z[4];
    w2 = L[3] * z[3] + L[4] * z[4] + L[5] * z[5];
  }
  c[0] = z[6] * z[0] + (w1 * l2 - w2 * l1);
  c[1] = z[6] * z[1] + (w2 * l0 - w0 * l2);
  c[2] = z[6] * z[2] + (w0 * l1 - w1 * l0);
}

/* The impulse p at the end of the lever. */
THUD_IN_LANES void push_point(thud_lane_kinematics kinematics, const double (*lever)[THUD_LANES], const thud_v4 *p,
                              lane_bodies *bodies) {
  thud_v4 *z = bodies->z, *L = bodies->L;
  thud_v4 l0 = thud_v4_load(lever[0]), l1 = thud_v4_load(lever[1]), l2 = thud_v4_load(lever[2]);
  thud_v4 t0 = l1 * p[2] - l2 * p[1], t1 = l2 * p[0] - l0 * p[2], t2 = l0 * p[1] - l1 * p[0];
  for (size_t i = 0; i < 3; i++) z[i] += z[6] * p[i];
  if (kinematics == THUD_LANES_SPHERES) {
    z[3] += z[7] * t0;
    z[4] += z[7] * t1;
    z[5] += z[7] * t2;
  } else {
    z[3] += L[0] * t0 + L[1] * t1 + L[3] * t2;
    z[4] += L[2] * t1 + L[4] * t2;
    z[5] += L[5] * t2;
  }
}

/* ---- either kind ------------------------------------------------------------------------------------------------- */

THUD_IN_LANES void velocity(thud_lane_kinematics kinematics, size_t n, const thud_lane_group *group,
                            const lane_bodies *a, const lane_bodies *b, thud_v4 *u) {
  const double(*G)[THUD_LANES] = group->geometry;
  for (size_t i = 0; i < 3; i++) u[i] = thud_v4_load(group->q[i]);
  if (kinematics == THUD_LANES_GENERAL) {
    for (size_t i = 0; i < 3; i++) {
      thud_v4 sum_a = {0}, sum_b = {0};
      for (size_t j = 0; j < n; j++) {
        sum_a += thud_v4_load(G[i * n + j]) * a->z[j];
        sum_b += thud_v4_load(G[(3 + i) * n + j]) * b->z[j];
      }
      u[i] += sum_a + sum_b;
    }
    return;
  }
  thud_v4 at_a[3], at_b[3];
  point_velocity(kinematics, a, G + 9, at_a);
  point_velocity(kinematics, b, G + 12, at_b);
  for (size_t i = 0; i < 3; i++) at_a[i] -= at_b[i];
  for (size_t i = 0; i < 3; i++)
    u[i] +=
        thud_v4_load(G[3 * i]) * at_a[0] + thud_v4_load(G[3 * i + 1]) * at_a[1] + thud_v4_load(G[3 * i + 2]) * at_a[2];
}

THUD_IN_LANES void push(thud_lane_kinematics kinematics, size_t n, const thud_lane_group *group, const thud_v4 *dr,
                        lane_bodies *a, lane_bodies *b) {
  const double(*G)[THUD_LANES] = group->geometry;
  if (kinematics == THUD_LANES_GENERAL) {
    for (size_t i = 0; i < 3; i++)
      for (size_t j = 0; j < n; j++) {
        a->z[j] += thud_v4_load(G[i * n + j]) * dr[i];
        b->z[j] += thud_v4_load(G[(3 + i) * n + j]) * dr[i];
      }
    return;
  }
  thud_v4 p[3];
  for (size_t j = 0; j < 3; j++)
    p[j] = thud_v4_load(G[j]) * dr[0] + thud_v4_load(G[3 + j]) * dr[1] + thud_v4_load(G[6 + j]) * dr[2];
  push_point(kinematics, G + 9, p, a);
  for (size_t j = 0; j < 3; j++) p[j] = -p[j];
  push_point(kinematics, G + 12, p, b);
}

/* ---- visits ------------------------------------------------------------------------------------------------------ */

typedef struct lane_sums {
  thud_v4 change, square;
  thud_index unsolvable;
} lane_sums;

/* The lanes that the solver in lanes left over, one by one; returns those without a solution. */
static __attribute__((noinline)) unsigned solve_cold_lanes(const thud_lane_group *group,
                                                           const thud_space_lanes_load *load, double (*r)[THUD_LANES]) {
  unsigned none = 0, cold = thud_m4_bits(load->cold);
  for (size_t lane = 0; lane < THUD_LANES; lane++) {
    if ((cold >> lane & 1) == 0) continue;
    const double own[4] = {load->h[lane], load->b1[lane], load->b2[lane], load->alpha[lane]};
    double found[3] = {group->r[0][lane], group->r[1][lane], group->r[2][lane]};
    if (thud_lanes_solve_cold(group, lane, own, found) == THUD_MODE_NONE) none |= 1u << lane;
    for (size_t i = 0; i < 3; i++) r[i][lane] = found[i];
  }
  return none;
}

/* thud_sweep_relax in lanes. */
THUD_IN_LANES void relax(thud_v4 mu, double relaxation, const thud_v4 *old, thud_v4 *r) {
  const thud_v4 zero = {0};
  for (size_t i = 0; i < 3; i++) r[i] = old[i] + relaxation * (r[i] - old[i]);
  r[0] = thud_v4_choose(thud_v4_above(r[0], zero), r[0], zero);
  thud_v4 square = r[1] * r[1] + r[2] * r[2], radius = mu * r[0];
  thud_m4 outside = thud_v4_above(square, radius * radius);
  if (!thud_m4_any(outside)) return;
  thud_v4 ratio = radius / thud_v4_sqrt(square);
  r[1] = thud_v4_choose(outside, r[1] * ratio, r[1]);
  r[2] = thud_v4_choose(outside, r[2] * ratio, r[2]);
}

THUD_IN_LANES thud_space_lanes block_of(const thud_lane_group *group) {
  return (thud_space_lanes){.inverse_normal = thud_v4_load(group->inverse_normal),
                            .k1 = thud_v4_load(group->k1),
                            .k2 = thud_v4_load(group->k2),
                            .s11 = thud_v4_load(group->s11),
                            .s12 = thud_v4_load(group->s12),
                            .s22 = thud_v4_load(group->s22),
                            .mu = thud_v4_load(group->mu)};
}

THUD_IN_LANES void visit_group(const thud_lanes *lanes, thud_lane_kinematics kinematics, size_t n, double relaxation,
                               size_t at, lane_sums *sums) {
  thud_lane_group *group = thud_lanes_group(lanes, at);
  lane_bodies a, b;
  thud_v4 u[3], r[3], old[3], change[3];
  thud_space_lanes block = block_of(group);
  thud_space_lanes_load load;
  gather(lanes, kinematics, group->body[0], &a);
  gather(lanes, kinematics, group->body[1], &b);
  velocity(kinematics, n, group, &a, &b, u);
  for (size_t i = 0; i < 3; i++) r[i] = old[i] = thud_v4_load(group->r[i]);
  thud_space_lanes_solve(&block, u, r, &load);
  if (__builtin_expect(thud_m4_any(load.cold | load.none), 0)) {
    double all[3][THUD_LANES];
    for (size_t i = 0; i < 3; i++) thud_v4_store(r[i], all[i]);
    unsigned none = thud_m4_bits(load.none) | solve_cold_lanes(group, &load, all);
    for (size_t i = 0; i < 3; i++) r[i] = thud_v4_load(all[i]);
    for (size_t lane = 0; lane < THUD_LANES && sums->unsolvable < 0; lane++)
      if ((none >> lane & 1) != 0) sums->unsolvable = lanes->contact[at * THUD_LANES + lane];
  }
  if (relaxation != 1) relax(block.mu, relaxation, old, r);
  for (size_t i = 0; i < 3; i++) {
    change[i] = r[i] - old[i];
    thud_v4_store(r[i], group->r[i]);
    sums->change += change[i] * change[i];
    sums->square += r[i] * r[i];
  }
  push(kinematics, n, group, change, &a, &b);
  scatter(lanes, group->body[0], &a);
  scatter(lanes, group->body[1], &b);
}

/* Asks memory for a group that will be visited soon. */
THUD_IN_LANES void fetch_group(const thud_lanes *lanes, size_t at) {
  const char *group = (const char *)thud_lanes_group(lanes, at);
  for (size_t byte = 0; byte < lanes->stride * sizeof(double); byte += 64) __builtin_prefetch(group + byte, 0, 2);
}

THUD_IN_LANES void visit_range(const thud_lanes *lanes, thud_lane_kinematics kinematics, size_t n,
                               const thud_gauss_seidel_options *options, size_t first, size_t end,
                               thud_sweep_result *result) {
  lane_sums sums = {.unsolvable = -1};
  bool backward = options->backward;
  for (size_t k = first; k < end; k++) {
    if (end - k > LANES_AHEAD) fetch_group(lanes, backward ? first + end - 1 - k - LANES_AHEAD : k + LANES_AHEAD);
    visit_group(lanes, kinematics, n, options->relaxation, backward ? first + end - 1 - k : k, &sums);
  }
  result->change = (sums.change[0] + sums.change[1]) + (sums.change[2] + sums.change[3]);
  result->square = (sums.square[0] + sums.square[1]) + (sums.square[2] + sums.square[3]);
  result->unsolvable = sums.unsolvable;
}

THUD_IN_LANES void push_range(const thud_lanes *lanes, thud_lane_kinematics kinematics, size_t n, size_t first,
                              size_t end) {
  for (size_t k = first; k < end; k++) {
    const thud_lane_group *group = thud_lanes_group(lanes, k);
    const thud_v4 r[3] = {thud_v4_load(group->r[0]), thud_v4_load(group->r[1]), thud_v4_load(group->r[2])};
    lane_bodies a, b;
    gather(lanes, kinematics, group->body[0], &a);
    gather(lanes, kinematics, group->body[1], &b);
    push(kinematics, n, group, r, &a, &b);
    scatter(lanes, group->body[0], &a);
    scatter(lanes, group->body[1], &b);
  }
}

/* Constants where the loops above are inlined. */
static void visit_any(const thud_lanes *lanes, const thud_gauss_seidel_options *options, size_t first, size_t end,
                      thud_sweep_result *result) {
  if (lanes->kinematics == THUD_LANES_SPHERES)
    visit_range(lanes, THUD_LANES_SPHERES, 6, options, first, end, result);
  else if (lanes->kinematics == THUD_LANES_FRAMES)
    visit_range(lanes, THUD_LANES_FRAMES, 6, options, first, end, result);
  else if (lanes->n == 6)
    visit_range(lanes, THUD_LANES_GENERAL, 6, options, first, end, result);
  else
    visit_range(lanes, THUD_LANES_GENERAL, lanes->n, options, first, end, result);
}

static void push_any(const thud_lanes *lanes, size_t first, size_t end) {
  if (lanes->kinematics == THUD_LANES_SPHERES)
    push_range(lanes, THUD_LANES_SPHERES, 6, first, end);
  else if (lanes->kinematics == THUD_LANES_FRAMES)
    push_range(lanes, THUD_LANES_FRAMES, 6, first, end);
  else
    push_range(lanes, THUD_LANES_GENERAL, lanes->n, first, end);
}

#endif
