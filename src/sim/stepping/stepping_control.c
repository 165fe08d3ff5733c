/* Step-size control: the local error of smooth motion by step doubling; impacts are crossed with the smallest step. */
#include "sim/stepping/stepping.h"

/* Usual constants of step control (Hairer, Norsett, Wanner, Solving ordinary differential equations I, II.4). */
#define SAFETY 0.9
#define LARGEST_GROWTH 4.0
#define LARGEST_CUT 0.1

void thud_stepping_keep(thud_stepping *motion) {
  memcpy(motion->saved, motion->block, motion->block_count * sizeof(double));
  motion->saved_now = motion->now;
}

void thud_stepping_go_back(thud_stepping *motion) {
  memcpy(motion->block, motion->saved, motion->block_count * sizeof(double));
  motion->now = motion->saved_now;
  for (thud_index i = 0; i < motion->m; i++) {
    motion->acting[i] = motion->flags[i] != 0;
    motion->atom[i] = motion->flags[motion->m + i] != 0;
  }
}

/* The smallest step: an impact may fall anywhere into it, so that it bounds the error of impact times. */
static double smallest_step(const thud_stepping *motion) {
  return motion->options.tolerance * (motion->options.end - motion->options.start);
}

/* Nothing was loaded, hit, opened, closed or was passed through since the node that is kept. */
static bool is_smooth(const thud_stepping *motion) {
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

/* Difference of the long step (compared) to the two short ones, relative to the size of the state. */
static double difference(const thud_stepping *motion) {
  double worst = 0, size_q = 0, size_v = 0, q = 0, v = 0;
  for (thud_index i = 0; i < motion->n; i++) {
    q = fmax(q, fabs(motion->q[i] - motion->compared[i]));
    v = fmax(v, fabs(motion->v[i] - motion->compared[motion->n + i]));
    size_q = fmax(size_q, fabs(motion->q[i]));
    size_v = fmax(size_v, fabs(motion->v[i]));
  }
  worst = fmax(q / fmax(size_q, 1), v / fmax(size_v, 1));
  return worst / (exp2(motion->scheme->order) - 1);
}

/* One long step, its result kept in `compared`, and back. *smooth is false when contacts changed or something hit. */
static thud_error try_long_step(thud_stepping *motion, double end, double h, bool *smooth) {
  thud_error error = thud_stepping_do_step(motion, end, h);
  *smooth = error == THUD_OK && is_smooth(motion);
  memcpy(motion->compared, motion->q, (size_t)motion->n * sizeof(double));
  memcpy(motion->compared + motion->n, motion->v, (size_t)motion->n * sizeof(double));
  thud_stepping_go_back(motion);
  return error;
}

/* Two halves. */
static thud_error do_halves(thud_stepping *motion, double t, double end, double h) {
  thud_error error = thud_stepping_do_step(motion, t + h / 2, h / 2);
  if (error != THUD_OK) return error;
  error = thud_stepping_do_step(motion, end, h / 2);
  motion->now.step = h;
  return error;
}

static double next_size(const thud_stepping *motion, double h, double error) {
  double goal = motion->options.tolerance * h; /* error per unit time */
  double factor = error > 0 ? SAFETY * pow(goal / error, 1.0 / motion->scheme->order) : LARGEST_GROWTH;
  return h * fmin(LARGEST_GROWTH, fmax(LARGEST_CUT, factor));
}

thud_error thud_stepping_controlled_step(thud_stepping *motion) {
  double t = motion->now.t, smallest = smallest_step(motion), wish = motion->now.next_step;
  double ahead = fmin(t + 1.5 * fmax(wish, smallest), motion->options.end); /* crumbs are less than half a step */
  double limit = thud_stepping_limit(motion, ahead), end = limit < ahead ? limit : motion->options.end;
  double h = fmin(wish, end - t);
  for (;;) {
    bool smallest_reached = h <= smallest, smooth;
    if (smallest_reached) h = fmin(smallest, end - t);
    if (end - t - h < smallest / 2) h = end - t; /* no crumb at the end */
    double to = h == end - t ? end : t + h;
    if (smallest_reached) {
      thud_error error = thud_stepping_do_step(motion, to, h);
      motion->now.next_step = 2 * h;
      return error;
    }
    thud_error error = try_long_step(motion, to, h, &smooth);
    if (error == THUD_OK && smooth) {
      error = do_halves(motion, t, to, h);
      double estimate = difference(motion);
      if (error == THUD_OK && is_smooth(motion) && estimate <= motion->options.tolerance * h) {
        motion->now.next_step = next_size(motion, h, estimate);
        return THUD_OK;
      }
      thud_stepping_go_back(motion);
      motion->saved_now.info.rejected_steps++;
      motion->now.info.rejected_steps++;
      h = error == THUD_OK && isfinite(estimate) ? fmin(next_size(motion, h, estimate), h / 2) : h / 4;
      continue;
    }
    motion->saved_now.info.rejected_steps++;
    motion->now.info.rejected_steps++;
    h /= 4; /* something happens within the step, or it cannot be evaluated there: come closer */
  }
}
