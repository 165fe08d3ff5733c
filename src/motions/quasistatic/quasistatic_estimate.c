/* The error of increments, and steps that it divides.
 *
 * An increment between two states whose contacts do not change their modes is exact in the plane (search.c). Any other one
 * is compared with parts of it, from the same state under loads in between: halves, and where modes change within a part
 * halves of that, down to an eighth,
 *   e = max |U(one) - U(parts)|.
 * The method is of first order: where the widest part that is not exact itself is the share w of the increment, the parts are
 * off by w of what the increment is off by, which is e/(1 - w). The estimate of a motion is the sum of these.
 *
 * With `error_tolerance` a step is halved until it is exact, or what it can be off by is at most an eighth of what is left
 * of tolerance times the largest displacement so far: the sum stays below it, however many steps change modes. An increment
 * that changes modes is taken to be off by no more than it moves: a change of mode may hide from any e. */
#include "base/base.h"
#include "motions/quasistatic/quasistatic_motion.h"

#include <math.h>
#include <string.h>

/* Smallest part of an increment that it is compared with; part of what is left of the tolerance that one increment may use;
 * shortest part of an interval. */
static const double SMALLEST = 0.125, SHARE = 0.125, SHORTEST = 0x1p-30;

bool thud_elastic_has_estimate(const quasistatic_motion *motion) {
  bool path = motion->method != THUD_QUASISTATIC_EVENTS && motion->method != THUD_QUASISTATIC_STATIC;
  return path && motion->structure.d > 1 && (motion->options.coarse_above > 0 || motion->options.error_tolerance > 0);
}

/* The increment from a state to motion->next. In space directions of slip turn within it. */
static bool is_exact(const quasistatic_motion *motion, const elastic_state *from) {
  for (thud_index i = 0; i < motion->structure.c && motion->structure.d == 3; i++)
    if (thud_mode_slips(motion->next.modes[i])) return false;
  return thud_elastic_joined(motion, from, &motion->next);
}

static double difference(size_t n, const double *a, const double *b) {
  double largest = 0;
  for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(a[i] - b[i]));
  return largest;
}

/* One increment from a state, in motion->next; false: it has no answer. */
static thud_error increment_from(quasistatic_motion *motion, const elastic_state *from, double t, const double *F,
                                 bool *solved) {
  thud_motion_status status;
  memcpy(motion->before, from->u, (size_t)motion->structure.m * sizeof *motion->before);
  motion->from = from;
  thud_error error = thud_elastic_increment(motion, t, F, motion->before, &status);
  motion->from = &motion->state;
  *solved = error == THUD_OK && status == THUD_MOTION_RUNNING;
  bool nearest = *solved && motion->method == THUD_QUASISTATIC_INCREMENTS; /* as where jumps are looked for */
  return nearest ? thud_elastic_take_nearest(motion, from) : error;
}

/* From the state to the load of `low` at time t in parts, the last state in motion->next; *solved: all have an answer,
 * *widest: share of the widest one that is not exact. */
static thud_error walk_in_parts(quasistatic_motion *motion, double t, bool *solved, double *widest) {
  double share = 0, width = 0.5, begin = motion->now.t;
  elastic_state *here = &motion->kept;
  thud_error error = THUD_OK;
  thud_elastic_copy(motion, &motion->state, here);
  while (share < 1 && *solved && error == THUD_OK) {
    double end = share + width;
    for (thud_index i = 0; i < motion->structure.n; i++)
      motion->force[i] = motion->state.F[i] + end * (motion->low.F[i] - motion->state.F[i]);
    error = increment_from(motion, here, begin + end * (t - begin), end == 1 ? motion->low.F : motion->force, solved);
    if (error != THUD_OK || !*solved) break;
    if (width > SMALLEST && !thud_elastic_joined(motion, here, &motion->next)) {
      width /= 2;
      continue;
    }
    if (!is_exact(motion, here)) *widest = fmax(*widest, width);
    thud_elastic_copy(motion, &motion->next, here);
    share = end;
    while (width < 0.5 && fmod(share, 2 * width) == 0) width *= 2;
  }
  return error;
}

/* Displacements below this are what contact problems leave: of the displacements met, and of what the forces met would move. */
static double smallest_error(const quasistatic_motion *motion) {
  size_t m = (size_t)motion->structure.m;
  double soft = 0;
  for (size_t i = 0; i < m; i++) soft = fmax(soft, motion->structure.W[i + i * m]);
  return 1e3 * motion->options.tolerance * fmax(motion->now.scale_u, soft * motion->now.scale_r);
}

/* e/(1 - w) of the increment to motion->next at time t; where a part has no answer, what it moves. */
static thud_error estimate(quasistatic_motion *motion, double t, double *off) {
  size_t n = (size_t)motion->structure.n;
  bool solved = true, controlled = motion->options.error_tolerance > 0;
  double widest = 0;
  *off = 0;
  if (!thud_elastic_has_estimate(motion) || is_exact(motion, &motion->state)) return THUD_OK;
  double moved = difference(n, motion->next.U, motion->state.U);
  if (moved <= smallest_error(motion)) return THUD_OK; /* contacts that stick: what is left has modes by chance */
  if (controlled && !thud_elastic_joined(motion, &motion->state, &motion->next)) {
    *off = moved;
    return THUD_OK;
  }
  const elastic_progress now = motion->now;
  thud_elastic_copy(motion, &motion->next, &motion->low);
  thud_error error = walk_in_parts(motion, t, &solved, &widest);
  *off = solved ? difference(n, motion->next.U, motion->low.U) / (1 - widest) : moved;
  if (*off <= smallest_error(motion)) *off = 0;
  thud_elastic_copy(motion, &motion->low, &motion->next);
  motion->now = now;
  return error;
}

/* The load of the interval at time t, in F_end. */
static void place_load(quasistatic_motion *motion, double t, double t_end) {
  double share = (t - motion->now.left) / (t_end - motion->now.left);
  for (thud_index i = 0; i < motion->structure.n; i++)
    motion->F_end[i] =
        t == t_end ? motion->F_node[i] : motion->F_left[i] + share * (motion->F_node[i] - motion->F_left[i]);
}

static bool is_accurate(const quasistatic_motion *motion, double off) {
  const thud_quasistatic_motion_info *info = &motion->now.info;
  double size = fmax(info->largest_motion, difference((size_t)motion->structure.n, motion->next.U, motion->U_start));
  double left = motion->options.error_tolerance * size - info->error_estimate;
  return motion->options.error_tolerance == 0 || off <= SHARE * left;
}

/* Books the increment and hands it out when the interval is not at its end. */
static thud_error take(quasistatic_motion *motion, const thud_motion_sink *sink, double t, double off, bool ends) {
  thud_quasistatic_motion_info *info = &motion->now.info;
  thud_error error = thud_elastic_accept(motion, &motion->next, t, ELASTIC_IMPLICIT, sink);
  if (error != THUD_OK) return error;
  info->error_estimate += off;
  if (ends) return THUD_OK;
  motion->refined = true;
  error = thud_elastic_hand_out(motion, THUD_SIDE_VALUE, sink);
  motion->refined = false;
  return error;
}

thud_error thud_elastic_take_increments(quasistatic_motion *motion, const thud_motion_sink *sink, double t_end) {
  bool coulomb = motion->method == THUD_QUASISTATIC_INCREMENTS && motion->structure.d > 1;
  double t = t_end, least = SHORTEST * (t_end - motion->now.left), off;
  thud_error error = THUD_OK;
  memcpy(motion->F_node, motion->F_end, (size_t)motion->structure.n * sizeof *motion->F_node);
  while (error == THUD_OK && motion->now.t < t_end) {
    bool solved, jumped = false;
    place_load(motion, t, t_end);
    thud_motion_status status;
    memcpy(motion->before, motion->state.u, (size_t)motion->structure.m * sizeof *motion->before);
    error = thud_elastic_increment(motion, t, motion->F_end, motion->before, &status);
    solved = error == THUD_OK && status == THUD_MOTION_RUNNING;
    if (!solved) {
      motion->now.info.status = status;
      return error;
    }
    if (coulomb) error = thud_elastic_look_for_jump(motion, sink, t, &jumped);
    if (error != THUD_OK || motion->pending || motion->now.info.status != THUD_MOTION_RUNNING) return error;
    if (jumped) continue;
    double begin = motion->now.t;
    error = estimate(motion, t, &off);
    if (error == THUD_OK && !is_accurate(motion, off) && t - begin > least) {
      t = begin + (t - begin) / 2;
      continue;
    }
    if (error == THUD_OK) error = take(motion, sink, t, off, t == t_end);
    t = fmin(t_end, t + 2 * (t - begin));
  }
  return error;
}
