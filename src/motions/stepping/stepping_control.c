/* Step-size control: the local error of smooth motion by step doubling; impacts are crossed with the smallest step. */
#include "motions/stepping/stepping.h"

/* Usual constants of step control (Hairer, Norsett, Wanner, Solving ordinary differential equations I, II.4). */
#define SAFETY 0.9
#define LARGEST_GROWTH 4.0
#define LARGEST_CUT 0.1
/* Smooth steps may be this many times shorter than the smallest one where something happens; an error per unit time that
 * does not fall to this part of what it was is none of smooth motion. */
#define SMALLER 32
#define FALLING 0.8

void thud_stepping_keep(stepping_motion *motion) {
  memcpy(motion->saved, motion->block, motion->block_count * sizeof(double));
  motion->saved_now = motion->now;
}

void thud_stepping_go_back(stepping_motion *motion) {
  memcpy(motion->block, motion->saved, motion->block_count * sizeof(double));
  motion->now = motion->saved_now;
  for (thud_index i = 0; i < motion->m; i++) {
    motion->acting[i] = motion->flags[i] != 0;
    motion->atom[i] = motion->flags[motion->m + i] != 0;
  }
}

/* The smallest step: an impact may fall anywhere into it, so that it bounds the error of impact times. */
static double smallest_step(const stepping_motion *motion) {
  return motion->options.tolerance * (motion->options.end - motion->options.start);
}

/* Nothing was loaded, hit, opened, closed or was passed through since the node that is kept. */
static bool is_smooth(const stepping_motion *motion) {
  const double *flags = motion->saved + (motion->flags - motion->block);
  const double *gap = motion->saved + (motion->gap - motion->block);
  if (motion->now.impact) return false;
  if (thud_loads_before(motion->system, motion->saved_now.t, true) <
      thud_loads_before(motion->system, motion->now.t, true))
    return false;
  for (thud_index i = 0; i < motion->m; i++) {
    if ((flags[i] != 0) != motion->acting[i]) return false;
    bool one_sided = thud_system_constraint(motion->system, i)->kind == THUD_CONSTRAINT_UNILATERAL;
    if (one_sided && motion->gap[i] < 0 && gap[i] >= 0) return false;
  }
  return true;
}

/* Error of the two short steps, relative to the size of the state: with C h^p for a step their error is 2 C (h/2)^p, which
 * differs from that of the long step (compared) by 2^(p-1) - 1 times as much. */
static double difference(const stepping_motion *motion) {
  double worst = 0, size_q = 0, size_v = 0, q = 0, v = 0;
  for (thud_index i = 0; i < motion->n; i++) {
    q = fmax(q, fabs(motion->q[i] - motion->compared[i]));
    v = fmax(v, fabs(motion->v[i] - motion->compared[motion->n + i]));
    size_q = fmax(size_q, fabs(motion->q[i]));
    size_v = fmax(size_v, fabs(motion->v[i]));
  }
  worst = fmax(q / fmax(size_q, 1), v / fmax(size_v, 1));
  return worst / (exp2(motion->scheme->local_order - 1) - 1);
}

/* One long step, its result kept in `compared`, and back. *smooth is false when contacts changed or something hit. */
static thud_error try_long_step(stepping_motion *motion, double end, double h, bool *smooth) {
  thud_error error = thud_stepping_do_step(motion, end, h);
  *smooth = error == THUD_OK && is_smooth(motion);
  memcpy(motion->compared, motion->q, (size_t)motion->n * sizeof(double));
  memcpy(motion->compared + motion->n, motion->v, (size_t)motion->n * sizeof(double));
  thud_stepping_go_back(motion);
  return error;
}

/* Two halves. */
static thud_error do_halves(stepping_motion *motion, double t, double end, double h) {
  thud_error error = thud_stepping_do_step(motion, t + h / 2, h / 2);
  if (error != THUD_OK) return error;
  error = thud_stepping_do_step(motion, end, h / 2);
  motion->now.step = h;
  return error;
}

static double next_size(const stepping_motion *motion, double h, double error) {
  double goal = motion->options.tolerance * h; /* error per unit time */
  double factor = error > 0 ? SAFETY * pow(goal / error, 1.0 / motion->scheme->local_order) : LARGEST_GROWTH;
  return h * fmin(LARGEST_GROWTH, fmax(LARGEST_CUT, factor));
}

static void reject(stepping_motion *motion) {
  motion->saved_now.info.rejected_steps++;
  motion->now.info.rejected_steps++;
}

/* One step that is taken as it is: something happens within it, or shorter ones do not help. */
static thud_error take(stepping_motion *motion, double to, double h) {
  thud_error error = thud_stepping_do_step(motion, to, h);
  motion->now.next_step = 2 * h;
  return error;
}

/* Where something happens, steps come down to the smallest one. Below that, smooth steps go on for a while as long as
 * their error falls as it should: with h^2, so that per unit time it is half as much for half the step. */
thud_error thud_stepping_controlled_step(stepping_motion *motion) {
  double t = motion->now.t, smallest = smallest_step(motion), wish = motion->now.next_step, last = INFINITY;
  double ahead = fmin(t + 1.5 * fmax(wish, smallest), motion->options.end); /* crumbs are less than half a step */
  double limit = thud_stepping_limit(motion, ahead), end = limit < ahead ? limit : motion->options.end;
  double h = fmin(wish, end - t);
  for (;;) {
    if (end - t - h < fmin(h, smallest) / 2) h = end - t; /* no crumb at the end */
    double to = h == end - t ? end : t + h;
    bool small = h <= smallest, smooth;
    thud_error error = try_long_step(motion, to, h, &smooth);
    if (small && (error != THUD_OK || !smooth)) return take(motion, to, h);
    if (error != THUD_OK || !smooth) {
      reject(motion);
      h = fmax(h / 4, fmin(h / 2, smallest)); /* something happens, or it cannot be evaluated there: come closer */
      continue;
    }
    error = do_halves(motion, t, to, h);
    double estimate = difference(motion), rate = estimate / h;
    bool good = error == THUD_OK && is_smooth(motion);
    if (good && estimate <= motion->options.tolerance * h) {
      motion->now.next_step = next_size(motion, h, estimate);
      return THUD_OK;
    }
    thud_stepping_go_back(motion);
    if (small && (!good || !isfinite(estimate) || !(rate < FALLING * last) || h <= smallest / SMALLER))
      return take(motion, to, h);
    reject(motion);
    last = small ? rate : INFINITY;
    h = good && isfinite(estimate) ? fmin(next_size(motion, h, estimate), h / 2) : h / 4;
    if (small) h = fmax(h, smallest / SMALLER);
  }
}
