/* The exact solver of exact_space.h for four contacts at once, with symmetric blocks: open, sliding without friction,
 * sticking, and sliding where Newton's iteration runs smoothly. The lanes that need anything else (S singular or nearly
 * so, steps that leave the bracket, a cone missed) are named to the caller, who hands them to thud_space_solve one by
 * one. Lane by lane the formulas and their order are those of exact_space.h, and so are the bits. */
#ifndef THUD_SRC_SOLVE_EXACT_SPACE_LANES_H
#define THUD_SRC_SOLVE_EXACT_SPACE_LANES_H

#include "solve/exact_space.h"
#include "solve/lanes.h"

/* thud_space_block with c = k and s21 = s12, in lanes. */
typedef struct thud_space_lanes {
  thud_v4 inverse_normal, k1, k2, s11, s12, s22, mu;
} thud_space_lanes;

/* thud_space_load in lanes, and which lanes are not solved. */
typedef struct thud_space_lanes_load {
  thud_v4 h, b1, b2, alpha;
  thud_m4 none; /* W_NN = 0 and something presses: r is left as it was */
  thud_m4 cold; /* to be solved by thud_space_solve; what r holds there means nothing */
} thud_space_lanes_load;

/* thud_space_prepare for symmetric W = [W0 . .; W1 W3 .; W2 W4 W5]. */
THUD_IN_LANES thud_space_lanes thud_space_lanes_prepare(const thud_v4 *W, thud_v4 mu) {
  const thud_v4 zero = {0}, cancelled = thud_v4_all(THUD_SPACE_CANCELLED);
  const thud_m4 live = thud_v4_above(W[0], zero);
  thud_v4 inverse = 1 / W[0], k1 = W[1] / W[0], k2 = W[2] / W[0];
  thud_v4 s11 = W[3] - W[1] * k1, s12 = W[4] - W[1] * k2, s22 = W[5] - W[2] * k2;
  thud_v4 first = thud_v4_abs(W[3]), second = thud_v4_abs(W[5]);
  thud_m4 no1 = thud_v4_at_most(s11, cancelled * first), no2 = thud_v4_at_most(s22, cancelled * second);
  s11 = thud_v4_choose(no1, zero, s11);
  s22 = thud_v4_choose(no2, zero, s22);
  s12 = thud_v4_choose(no1 | no2, zero, s12);
  thud_m4 flat = thud_v4_at_most(s11 * s22 - s12 * s12, cancelled * (first * s22 + second * s11));
  if (thud_m4_any(flat)) {
    thud_v4 root = thud_v4_sqrt(s11 * s22);
    root = (thud_v4)((thud_m4)root | ((thud_m4)s12 ^ (thud_m4)thud_v4_abs(s12))); /* with the sign of s12 */
    s12 = thud_v4_choose(flat, root, s12);
  }
  return (thud_space_lanes){.inverse_normal = thud_v4_choose(live, inverse, zero),
                            .k1 = thud_v4_choose(live, k1, zero),
                            .k2 = thud_v4_choose(live, k2, zero),
                            .s11 = thud_v4_choose(live, s11, zero),
                            .s12 = thud_v4_choose(live, s12, zero),
                            .s22 = thud_v4_choose(live, s22, zero),
                            .mu = mu};
}

/* Where r_N of a sliding contact follows from the cone: thud_space_slip_normal. */
THUD_IN_LANES thud_v4 thud_space_lanes_slip_normal(const thud_space_lanes *block, thud_v4 h, thud_v4 y1, thud_v4 y2) {
  thud_v4 normal = -h - block->k1 * y1 - block->k2 * y2;
  thud_m4 coupled =
      thud_v4_above(block->mu * (1 + thud_v4_abs(block->k1) + thud_v4_abs(block->k2)), thud_v4_all(THUD_SPACE_COUPLED));
  if (!thud_m4_any(coupled)) return normal;
  return thud_v4_choose(coupled, thud_v4_sqrt(y1 * y1 + y2 * y2) / block->mu, normal);
}

/* thud_space_slip for the lanes of `pending`; those that do not get through become cold. */
THUD_IN_LANES void thud_space_lanes_slip(const thud_space_lanes *block, thud_space_lanes_load *load, thud_m4 pending,
                                         thud_v4 *r) {
  const thud_v4 zero = {0};
  thud_v4 alpha = load->alpha;
  for (int k = 0; k < THUD_SPACE_FAST_STEPS && thud_m4_any(pending); k++) {
    thud_v4 d11 = block->s11 + alpha, d22 = block->s22 + alpha;
    thud_v4 det = d11 * d22 - block->s12 * block->s12, trace = d11 + d22, inverse = 1 / det;
    thud_m4 kept = thud_v4_at_least(det, THUD_SPACE_CANCELS * d11 * d22);
    thud_v4 y1 = (block->s12 * load->b2 - d22 * load->b1) * inverse;
    thud_v4 y2 = (block->s12 * load->b1 - d11 * load->b2) * inverse;
    thud_v4 square = y1 * y1 + y2 * y2;
    thud_v4 normal = -load->h - block->k1 * y1 - block->k2 * y2;
    thud_v4 defect = block->mu * normal - thud_v4_sqrt(square);
    thud_v4 z1 = (block->s12 * y2 - d22 * y1) * inverse, z2 = (block->s12 * y1 - d11 * y2) * inverse;
    thud_v4 slope = -block->k1 * z1 - block->k2 * z2;
    thud_v4 derivative = block->mu * (slope * square - normal * (y1 * z1 + y2 * z2));
    thud_v4 step = square * defect / derivative;
    alpha -= step;
    kept &= thud_v4_above(derivative, zero) & thud_v4_above(alpha, zero);
    thud_m4 last = pending & kept & thud_v4_at_most(thud_v4_abs(step) * trace, THUD_SPACE_LAST_STEP * det);
    thud_m4 failed = pending & ~kept;
    if (thud_m4_any(last)) {
      y1 -= step * z1;
      y2 -= step * z2;
      thud_v4 reach = block->mu * (-load->h - block->k1 * y1 - block->k2 * y2);
      square = y1 * y1 + y2 * y2;
      thud_m4 on_cone = thud_v4_at_most(thud_v4_abs(square - reach * reach), THUD_SPACE_ON_CONE * square) &
                        thud_v4_at_least(reach, zero);
      thud_m4 done = last & on_cone;
      r[0] = thud_v4_choose(done, thud_space_lanes_slip_normal(block, load->h, y1, y2), r[0]);
      r[1] = thud_v4_choose(done, y1, r[1]);
      r[2] = thud_v4_choose(done, y2, r[2]);
      failed |= last & ~on_cone;
    }
    load->cold |= failed;
    pending &= ~(last | failed);
  }
  load->cold |= pending;
}

/* From the velocities u under the old impulses r to the new ones. */
THUD_IN_LANES void thud_space_lanes_solve(const thud_space_lanes *block, const thud_v4 *u, thud_v4 *r,
                                          thud_space_lanes_load *load) {
  const thud_v4 zero = {0}, old[3] = {r[0], r[1], r[2]};
  const thud_v4 k1 = block->k1, k2 = block->k2, s11 = block->s11, s12 = block->s12, s22 = block->s22, mu = block->mu;
  thud_v4 t1 = u[1] - k1 * u[0], t2 = u[2] - k2 * u[0];
  thud_v4 h = u[0] * block->inverse_normal - r[0] - k1 * r[1] - k2 * r[2];
  thud_v4 b1 = t1 - s11 * r[1] - s12 * r[2], b2 = t2 - s12 * r[1] - s22 * r[2];
  thud_m4 dead = thud_v4_equal(block->inverse_normal, zero), pressed = thud_v4_below(u[0], zero);
  thud_m4 none = dead & pressed, open = (dead & ~pressed) | (~dead & thud_v4_at_least(h, zero)), live = ~(dead | open);
  thud_m4 smooth = live & thud_v4_equal(mu, zero), rough = live & ~smooth;
  load->h = h;
  load->b1 = b1;
  load->b2 = b2;
  load->none = none;
  /* det * (r_N, r_T) of stick */
  thud_v4 product = s11 * s22, det = product - s12 * s12;
  thud_v4 a1 = s12 * b2 - s22 * b1, a2 = s12 * b1 - s11 * b2;
  thud_v4 reach = mu * (-h * det - k1 * a1 - k2 * a2);
  load->cold = rough & ~(thud_v4_above(det, THUD_SPACE_SINGULAR * product) &
                         thud_v4_at_least(det, THUD_SPACE_CANCELS * product));
  rough &= ~load->cold;
  thud_m4 stick = rough & thud_v4_at_least(reach, zero) & thud_v4_at_most(a1 * a1 + a2 * a2, reach * reach);
  r[0] = thud_v4_choose(smooth, -h, thud_v4_choose(none, old[0], zero));
  r[1] = thud_v4_choose(none, old[1], zero);
  r[2] = thud_v4_choose(none, old[2], zero);
  if (thud_m4_any(stick)) {
    thud_v4 inverse = 1 / det, y1 = a1 * inverse, y2 = a2 * inverse, normal = -h - k1 * y1 - k2 * y2;
    thud_v4 limit = mu * normal * (1 + 8 * DBL_EPSILON); /* the refined impulse must not leave the disc */
    stick &= ~thud_v4_above(y1 * y1 + y2 * y2, limit * limit);
    r[0] = thud_v4_choose(stick, normal, r[0]);
    r[1] = thud_v4_choose(stick, y1, r[1]);
    r[2] = thud_v4_choose(stick, y2, r[2]);
  }
  thud_m4 slip = rough & ~stick;
  load->alpha = zero;
  if (!thud_m4_any(slip | load->cold)) return;
  thud_v4 along = -(t1 * old[1] + t2 * old[2]);
  load->alpha = thud_v4_choose(thud_v4_above(along, zero), along / (old[1] * old[1] + old[2] * old[2]), zero);
  thud_space_lanes_slip(block, load, slip, r);
}

#endif
