/* The way through an interval of the partition: from change to change, or in increments whose error is estimated. */
#include "base/base.h"
#include "motions/quasistatic/quasistatic_motion.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Changes within one interval; more are an accumulation that does not end. */
enum { MOST_CHANGES = 10000 };

/* From change to change: in one or two components per contact the state is affine in the load while no contact changes
 * its mode, so that a load that is linear in time is followed exactly.
 *
 *   at a node or a change   all solutions of the rate problem: one goes on, several are a fork, none is a jump
 *   until the first of      a gap closes, a reaction reaches its cone or vanishes, the interval ends
 *   values                  from the linear system of the modes under the load reached: nothing drifts */

/* ---- standing ---------------------------------------------------------------------------------------------------- */

static elastic_standing standing_of(const quasistatic_motion *motion, thud_index i) {
  const elastic_structure *structure = &motion->structure;
  const double *u = motion->state.u + (ptrdiff_t)i * structure->d, *r = motion->state.r + (ptrdiff_t)i * structure->d;
  double small_u = 10 * motion->options.tolerance * motion->now.scale_u;
  double small_r = 10 * motion->options.tolerance * motion->now.scale_r;
  if (r[0] <= small_r) return motion->problem.gap[i] + u[0] > small_u ? STANDING_APART : STANDING_TOUCHING;
  if (structure->d == 1) return STANDING_STUCK;
  double mu = motion->problem.mu[i];
  if (structure->d == 3) return mu > 0 && hypot(r[1], r[2]) >= mu * r[0] - small_r ? STANDING_LIMIT : STANDING_STUCK;
  if (mu == 0 || r[1] >= mu * r[0] - small_r) return mu == 0 ? STANDING_STUCK : STANDING_LIMIT;
  return r[1] <= small_r - mu * r[0] ? STANDING_LIMIT_BACK : STANDING_STUCK;
}

void thud_elastic_stand(quasistatic_motion *motion) {
  for (thud_index i = 0; i < motion->structure.c; i++) motion->standing[i] = standing_of(motion, i);
}

/* ---- the next change --------------------------------------------------------------------------------------------- */

/* Share of the interval until a quantity that is x >= 0 and changes by `change` over all of it reaches 0. */
static double until_zero(double x, double change) { return change < 0 ? fmax(0, x) / -change : INFINITY; }

/* ... until a contact in its mode must change; u', r' are changes over the whole rest of the interval. */
static double until_change(const quasistatic_motion *motion, thud_index i, const double *du, const double *dr) {
  const elastic_structure *structure = &motion->structure;
  thud_index N = i * structure->d;
  const double *u = motion->state.u + N, *r = motion->state.r + N;
  elastic_standing standing = motion->standing[i];
  if (standing == STANDING_APART) return until_zero(motion->problem.gap[i] + u[0], du[N]);
  if (standing == STANDING_TOUCHING) return INFINITY;
  double when = until_zero(r[0], dr[N]);
  if (standing != STANDING_STUCK || structure->d == 1 || motion->problem.mu[i] == 0) return when;
  double mu = motion->problem.mu[i];
  when = fmin(when, until_zero(mu * r[0] - r[1], mu * dr[N] - dr[N + 1]));
  return fmin(when, until_zero(mu * r[0] + r[1], mu * dr[N] + dr[N + 1]));
}

/* Where contacts stand once they go on by the modes that were chosen: one that touches becomes apart, stuck or at its
 * limit, unless its rates vanish; one that sticks at its limit leaves it, unless it moves along it. */
static void leave(quasistatic_motion *motion, const thud_quasistatic_solution *rates) {
  const elastic_structure *structure = &motion->structure;
  size_t m = (size_t)structure->m;
  double small_u = motion->options.tolerance * thud_norm_max(NULL, m, rates->u, NULL);
  double small_r = motion->options.tolerance *
                   fmax(thud_norm_max(NULL, m, rates->r, NULL), thud_norm_max(NULL, m, motion->rate, NULL));
  for (thud_index i = 0; i < structure->c; i++) {
    thud_index N = i * structure->d;
    thud_elastic_mode mode = rates->modes[i];
    elastic_standing *standing = &motion->standing[i];
    double mu = structure->d > 1 ? motion->problem.mu[i] : 0;
    if (*standing == STANDING_TOUCHING && mode == THUD_ELASTIC_OPEN) {
      if (rates->u[N] > small_u) *standing = STANDING_APART;
    } else if (*standing == STANDING_TOUCHING) {
      if (rates->r[N] <= small_r) continue;
      *standing = STANDING_STUCK;
      if (thud_mode_slips(mode) && mu > 0)
        *standing = mode == THUD_ELASTIC_SLIP ? STANDING_LIMIT : STANDING_LIMIT_BACK;
      else if (structure->d == 2 && mu > 0 && fabs(rates->r[N + 1]) >= mu * rates->r[N] - small_r)
        *standing = rates->r[N + 1] > 0 ? STANDING_LIMIT : STANDING_LIMIT_BACK;
    } else if ((*standing == STANDING_LIMIT || *standing == STANDING_LIMIT_BACK) && mode == THUD_ELASTIC_STICK) {
      double s = *standing == STANDING_LIMIT ? 1 : -1;
      if (mu * rates->r[N] - s * rates->r[N + 1] > small_r) *standing = STANDING_STUCK;
    }
  }
}

/* Standing after a share of the interval: what has reached 0 up to rounding. */
static void arrive(quasistatic_motion *motion, double share, const double *du, const double *dr) {
  const elastic_structure *structure = &motion->structure;
  for (thud_index i = 0; i < structure->c; i++) {
    thud_index N = i * structure->d;
    if (until_change(motion, i, du, dr) > share * (1 + 1e-12)) continue;
    const double *r = motion->state.r + N;
    bool gone = until_zero(r[0], dr[N]) <= share * (1 + 1e-12);
    if (motion->standing[i] == STANDING_APART || gone)
      motion->standing[i] = STANDING_TOUCHING;
    else if (structure->d == 2)
      motion->standing[i] = r[1] + share * dr[N + 1] > 0 ? STANDING_LIMIT : STANDING_LIMIT_BACK;
  }
}

/* ---- one piece --------------------------------------------------------------------------------------------------- */

static bool same_modes(size_t c, const thud_elastic_mode *a, const thud_elastic_mode *b) {
  return memcmp(a, b, c * sizeof *a) == 0;
}

static thud_error report_fork(quasistatic_motion *motion, const thud_motion_sink *sink) {
  thud_quasistatic_motion_info *info = &motion->now.info;
  if (isnan(info->first_fork)) info->first_fork = motion->now.t;
  info->forks++;
  const thud_quasistatic_event event = {.t = motion->now.t,
                                        .kind = THUD_QUASISTATIC_FORK,
                                        .release = NAN,
                                        .friction = NAN,
                                        .solutions = (double)motion->found.count};
  return thud_elastic_send_event(motion, &event, sink);
}

/* More contacts have a choice than are enumerated: one solution, which is the only one where that is proved. */
static thud_error find_one_rate(quasistatic_motion *motion, const elastic_question *question) {
  thud_quasistatic_motion_info *info = &motion->now.info;
  bool proved = false;
  thud_error error = thud_solutions_find_one(question, &motion->system, motion->state.modes, &motion->found);
  if (error == THUD_OK) error = thud_elastic_proved(motion, &proved);
  if (error != THUD_OK) return error;
  if (motion->found.count == 0 && motion->found.mechanism && motion->structure.shift > 0) return THUD_OK;
  if (motion->found.count == 0)
    return thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED,
                     "[too-many-cases] at t = %.15g more than %d contacts have a choice of modes, and no "
                     "solution of the rate problem was "
                     "found among %zu combinations: there may be none, so that the state would have to jump; raise "
                     "simulate.enumerate_up_to, or use the method increments",
                     motion->now.t, motion->options.enumerate_up_to, motion->found.found.combinations);
  if (proved) return THUD_OK;
  if (info->unexamined_modes++ == 0) info->unexamined_modes_time = motion->now.t;
  info->examined = false;
  return THUD_OK;
}

/* The rate solution to go on with: the modes that lead here when they still solve it, otherwise the first. *chosen is
 * the number of solutions when the run stops here (a fork that is followed) or there is none. */
static thud_error choose_rate(quasistatic_motion *motion, const thud_motion_sink *sink, size_t *chosen) {
  elastic_solutions *found = &motion->found;
  const elastic_question question = {.rates = true,
                                     .standing = motion->standing,
                                     .f = motion->rate,
                                     .before = motion->state.u,
                                     .r = motion->state.r,
                                     .tolerance = motion->options.tolerance,
                                     .most = motion->options.enumerate_up_to};
  motion->found_jump = false;
  thud_error error = thud_solutions_find(&question, &motion->system, found);
  if (error == THUD_OK && !found->found.complete) error = find_one_rate(motion, &question);
  if (error != THUD_OK) return error;
  thud_quasistatic_motion_info *info = &motion->now.info;
  if (found->count > info->most_solutions) info->most_solutions = found->count;
  /* The outcome of a fork that was met here: the same solutions again, in their order. */
  size_t choice = motion->choice;
  motion->choice = 0;
  *chosen = choice - 1;
  if (choice > 0 && choice <= found->count) return THUD_OK;
  info->ambiguous += found->count > 1;
  *chosen = found->count;
  for (size_t k = 0; motion->now.moving && k < found->count && *chosen == found->count; k++)
    if (same_modes((size_t)motion->structure.c, thud_solutions_at(found, k).modes, motion->state.modes)) *chosen = k;
  if (*chosen < found->count || found->count == 0) return THUD_OK;
  if (found->count > 1) error = report_fork(motion, sink);
  motion->pending = found->count > 1 && motion->follow;
  if (!motion->pending) *chosen = 0;
  return error;
}

/* Load at a time within the interval, condensed into motion->f. */
static thud_error place_load(quasistatic_motion *motion, double t, double t_end) {
  const elastic_structure *structure = &motion->structure;
  elastic_state *next = &motion->next;
  double share = t_end > motion->now.left ? (t - motion->now.left) / (t_end - motion->now.left) : 1;
  for (thud_index i = 0; i < structure->n; i++)
    next->F[i] = t == t_end ? motion->F_end[i] : motion->F_left[i] + share * (motion->F_end[i] - motion->F_left[i]);
  thud_error error = thud_elastic_structure_solve(structure, next->F, NULL, next->U);
  if (error != THUD_OK) return error;
  thud_elastic_structure_see(structure, next->U, motion->free);
  thud_elastic_structure_condense(structure, motion->free, motion->f);
  return THUD_OK;
}

/* Values under the load that has been placed, from the modes alone. */
static thud_error place_state(quasistatic_motion *motion) {
  const elastic_structure *structure = &motion->structure;
  elastic_state *next = &motion->next;
  for (thud_index i = 0; i < structure->c; i++) motion->gap[i] = -motion->problem.gap[i];
  motion->system.f = motion->f;
  motion->system.closed = motion->gap;
  motion->system.stuck = motion->state.u;
  if (thud_modes_solve(&motion->system, next->modes, next->u, next->r, NULL) != MODES_REGULAR)
    return thud_fail(motion->base.context, THUD_ERROR_SINGULAR,
                     "[critical-friction] at t = %.15g the modes of the contacts do not determine the state: a "
                     "critical coefficient of "
                     "friction; use the method increments",
                     motion->now.t);
  return thud_elastic_recover(motion, next);
}

/* A reaction that falls to what the rounding of the load leaves has vanished: the system of the modes makes
 * eps |F| / softest pivot of it, which near a critical coefficient is no small number. */
static void arrive_by_rounding(quasistatic_motion *motion, const double *dr) {
  const elastic_structure *structure = &motion->structure;
  double small = 16 * DBL_EPSILON * motion->system.softness * motion->now.scale_r;
  for (thud_index i = 0; i < structure->c; i++) {
    thud_index N = i * structure->d;
    if (motion->next.modes[i] != THUD_ELASTIC_OPEN && motion->standing[i] != STANDING_TOUCHING && dr[N] < 0 &&
        motion->next.r[N] <= small)
      motion->standing[i] = STANDING_TOUCHING;
  }
}

/* A closed contact whose reaction vanishes is closed and open at once. Near a critical coefficient slip is soft, and its
 * system leaves a reaction of rounding over that softness; the system with the contact open leaves rounding in its gap.
 * The one that leaves less is taken. */
static thud_error place_release(quasistatic_motion *motion) {
  const elastic_structure *structure = &motion->structure;
  elastic_state *next = &motion->next, *other = &motion->kept;
  double left = 0, left_open = 0, scale_u = motion->now.scale_u;
  bool any = false;
  scale_u = fmax(scale_u, thud_norm_max(NULL, (size_t)structure->m, next->u, NULL));
  for (thud_index i = 0; i < structure->c; i++) {
    bool released = motion->standing[i] == STANDING_TOUCHING && next->modes[i] != THUD_ELASTIC_OPEN;
    other->modes[i] = released ? THUD_ELASTIC_OPEN : next->modes[i];
    any = any || released;
  }
  if (!any || thud_modes_solve(&motion->system, other->modes, other->u, other->r, NULL) != MODES_REGULAR)
    return THUD_OK;
  for (thud_index i = 0; i < structure->c; i++) {
    if (other->modes[i] == next->modes[i]) continue;
    thud_index N = i * structure->d;
    left = fmax(left, fabs(next->r[N]) / motion->now.scale_r);
    left_open = fmax(left_open, fabs(motion->problem.gap[i] + other->u[N]) / scale_u);
  }
  if (!(left_open < left)) return THUD_OK;
  memcpy(next->u, other->u, (size_t)structure->m * sizeof *next->u);
  memcpy(next->r, other->r, (size_t)structure->m * sizeof *next->r);
  return thud_elastic_recover(motion, next);
}

static thud_error go_on(quasistatic_motion *motion, const thud_motion_sink *sink, size_t chosen, double t_end) {
  const elastic_structure *structure = &motion->structure;
  const thud_quasistatic_solution rates = thud_solutions_at(&motion->found, chosen);
  double share = 1, now = motion->now.t;
  motion->now.moving = true;
  leave(motion, &rates);
  for (thud_index i = 0; i < structure->c; i++) share = fmin(share, until_change(motion, i, rates.u, rates.r));
  double t = share < 1 ? now + share * (t_end - now) : t_end;
  memcpy(motion->next.modes, rates.modes, (size_t)structure->c * sizeof *rates.modes);
  thud_error error = place_load(motion, t, t_end);
  if (error == THUD_OK) error = place_state(motion);
  if (error != THUD_OK) return error;
  arrive(motion, share, rates.u, rates.r);
  arrive_by_rounding(motion, rates.r);
  error = place_release(motion);
  if (error == THUD_OK) error = thud_elastic_accept(motion, &motion->next, t, ELASTIC_MEAN, sink);
  if (error == THUD_OK && share < 1) error = thud_elastic_hand_out(motion, THUD_SIDE_VALUE, sink);
  return error;
}

thud_error thud_elastic_follow(quasistatic_motion *motion, const thud_motion_sink *sink, double t_end) {
  const elastic_structure *structure = &motion->structure;
  thud_error error = THUD_OK;
  for (int k = 0; motion->now.t < t_end && error == THUD_OK; k++) {
    size_t chosen = 0;
    if (k == MOST_CHANGES)
      return thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED,
                       "[accumulation] more than %d changes of mode up to t = %.15g: they accumulate", MOST_CHANGES,
                       motion->now.t);
    /* the change of the condensed load over the rest of the interval */
    error = place_load(motion, t_end, t_end);
    if (error == THUD_OK) memcpy(motion->f_end, motion->f, (size_t)structure->m * sizeof *motion->f);
    if (error == THUD_OK) error = place_load(motion, motion->now.t, t_end);
    for (thud_index i = 0; i < structure->m; i++) motion->rate[i] = motion->f_end[i] - motion->f[i];
    if (error == THUD_OK) error = choose_rate(motion, sink, &chosen);
    if (error != THUD_OK || motion->pending) return error;
    if (motion->found.count == 0) {
      error = thud_elastic_meet_jump(motion, sink, motion->f);
      if (error != THUD_OK || motion->pending || motion->now.info.status != THUD_MOTION_RUNNING) return error;
      continue;
    }
    error = go_on(motion, sink, chosen, t_end);
  }
  return error;
}

/* ---- increments and their error ---------------------------------------------------------------------------------- */

/* The error of increments, and steps that it divides.
 *
 * An increment between two states whose contacts do not change their modes is exact in the plane (quasistatic_jump.c). Any other one
 * is compared with parts of it, from the same state under loads in between: halves, and where modes change within a part
 * halves of that, down to an eighth,
 *   e = max |U(one) - U(parts)|.
 * The method is of first order: where the widest part that is not exact itself is the share w of the increment, the parts are
 * off by w of what the increment is off by, which is e/(1 - w). The estimate of a motion is the sum of these.
 *
 * With `error_tolerance` a step is halved until it is exact, or what it can be off by is at most an eighth of what is left
 * of tolerance times the largest displacement so far: the sum stays below it, however many steps change modes. An increment
 * that changes modes is taken to be off by no more than it moves: a change of mode may hide from any e. */

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
static void load_between(quasistatic_motion *motion, double t, double t_end) {
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
    load_between(motion, t, t_end);
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
