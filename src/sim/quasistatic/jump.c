/* Jumps: where no continuous motion goes on, the state moves to another equilibrium at the same load.
 *
 * With E = U.KU/2 - F.U and the loss in friction on the straight way, sum mu r_N+ |du_T|, the net release
 *   E- - E+ - friction >= 0
 * is what is left for a motion in between. `dissipative` takes the equilibrium with the largest one. */
#include "base/base.h"
#include "sim/quasistatic/motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- equilibria at one load ------------------------------------------------------------------------------------------ */

static bool is_present(const thud_quasistatic *motion, const thud_quasistatic_solution *solution) {
  size_t m = (size_t)motion->structure.m;
  double soft = 0; /* what the forces met would move, where nothing has moved yet */
  for (size_t i = 0; i < m; i++) soft = fmax(soft, motion->structure.W[i + i * m]);
  double small = 1e3 * motion->options.tolerance * fmax(motion->now.scale_u, soft * motion->now.scale_r);
  for (thud_index i = 0; i < motion->structure.m; i++)
    if (fabs(solution->u[i] - motion->state.u[i]) > small) return false;
  return true;
}

/* Moves the k-th solution to the end and forgets it. */
static void drop(elastic_solutions *found, size_t k) {
  size_t m2 = 2 * (size_t)found->structure->m, c = (size_t)found->structure->c, last = --found->count;
  if (k < last) {
    memmove(found->values + m2 * k, found->values + m2 * (k + 1), (last - k) * m2 * sizeof *found->values);
    memmove(found->modes + c * k, found->modes + c * (k + 1), (last - k) * c * sizeof *found->modes);
    memmove(found->figures + 4 * k, found->figures + 4 * (k + 1), (last - k) * 4 * sizeof *found->figures);
  }
}

thud_error thud_elastic_find_jumps(thud_quasistatic *motion, const double *f) {
  elastic_solutions *found = &motion->found;
  const elastic_question question = {.f = f,
                                     .before = motion->state.u,
                                     .r = motion->state.r,
                                     .tolerance = motion->options.tolerance,
                                     .most = motion->options.enumerate_up_to};
  thud_error error = thud_solutions_find(&question, &motion->system, found);
  motion->found_jump = true;
  if (error != THUD_OK) return error;
  thud_solutions_weigh(found, f, motion->state.u);
  for (size_t k = found->count; k-- > 0;) {
    thud_quasistatic_solution solution = thud_solutions_at(found, k);
    bool loose =
        solution.continuum && motion->structure.shift > 0; /* a motion that nothing resists is no place to be */
    if (is_present(motion, &solution) || solution.release < 0 || loose) drop(found, k);
  }
  return THUD_OK;
}

/* "open, stick: release 2.5, friction 0" */
void thud_elastic_describe(const thud_quasistatic *motion, const thud_quasistatic_solution *solution, char *text,
                           size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (thud_index i = 0; i < motion->structure.c && i < 8 && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "",
                             thud_elastic_mode_name(solution->modes[i]));
  if (used < size && motion->structure.c > 8) used += (size_t)snprintf(text + used, size - used, ", ...");
  if (used < size && !isnan(solution->release))
    snprintf(text + used, size - used, ": releases %.6g, of which friction takes %.6g",
             solution->release + solution->friction, solution->friction);
}

/* No equilibrium at all: of a semidefinite structure that is a motion that nothing holds. */
static void stop_without_equilibrium(thud_quasistatic *motion) {
  bool held = motion->structure.shift > 0;
  motion->now.info.status = held ? THUD_QUASISTATIC_NOT_HELD : THUD_QUASISTATIC_NO_RATE;
  thud_fail(motion->context, THUD_ERROR_NOT_CONVERGED,
            held ? "from t = %.15g on nothing holds the structure: the stiffness matrix is semidefinite, and friction "
                   "does not balance the load any more"
                 : "at t = %.15g the rate problem has no solution, and no other equilibrium at this load was found",
            motion->now.t);
}

static void stop_here(thud_quasistatic *motion) {
  char list[900] = "", one[200];
  size_t used = 0;
  for (size_t k = 0; k < motion->found.count && k < 6 && used < sizeof list; k++) {
    thud_quasistatic_solution solution = thud_solutions_at(&motion->found, k);
    thud_elastic_describe(motion, &solution, one, sizeof one);
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? "; " : "", one);
  }
  motion->now.info.status = THUD_QUASISTATIC_NO_RATE;
  thud_fail(motion->context, THUD_ERROR_NOT_CONVERGED,
            "at t = %.15g the rate problem has no solution: the state must jump. Equilibria at this load: %zu: %s%s. "
            "simulate.on_jump: dissipative or branches goes on",
            motion->now.t, motion->found.count, list, motion->found.count > 6 ? "; ..." : "");
}

/* To motion->next, whose F, u, r and modes are set. */
static thud_error jump_to_next(thud_quasistatic *motion, const thud_quasistatic_sink *sink, double release,
                               double friction, double solutions) {
  const elastic_structure *structure = &motion->structure;
  elastic_state *next = &motion->next;
  thud_quasistatic_event event = {.t = motion->now.t,
                                  .kind = THUD_QUASISTATIC_JUMP,
                                  .release = release,
                                  .friction = friction,
                                  .solutions = solutions,
                                  .contacts = motion->names};
  thud_error error = thud_elastic_recover(motion, next);
  if (error == THUD_OK) error = thud_elastic_hand_out(motion, THUD_SIDE_LEFT, sink);
  for (thud_index i = 0; i < structure->c; i++)
    for (thud_index j = 0; j < structure->d; j++)
      if (next->u[i * structure->d + j] != motion->state.u[i * structure->d + j]) {
        motion->names[event.contact_count++] = i;
        break;
      }
  if (error == THUD_OK) error = thud_elastic_send_event(motion, &event, sink);
  if (error == THUD_OK) error = thud_elastic_accept(motion, next, motion->now.t, ELASTIC_JUMP, sink);
  if (error != THUD_OK) return error;
  motion->now.info.jumps++;
  if (isnan(motion->now.info.first_jump)) motion->now.info.first_jump = motion->now.t;
  thud_elastic_stand(motion);
  return thud_elastic_hand_out(motion, THUD_SIDE_RIGHT, sink);
}

thud_error thud_elastic_jump_to(thud_quasistatic *motion, const thud_quasistatic_sink *sink, size_t k) {
  const elastic_structure *structure = &motion->structure;
  thud_quasistatic_solution target = thud_solutions_at(&motion->found, k);
  elastic_state *next = &motion->next;
  memcpy(next->u, target.u, (size_t)structure->m * sizeof *target.u);
  memcpy(next->r, target.r, (size_t)structure->m * sizeof *target.r);
  memcpy(next->modes, target.modes, (size_t)structure->c * sizeof *target.modes);
  memcpy(next->F, motion->state.F, (size_t)structure->n * sizeof *next->F);
  return jump_to_next(motion, sink, target.release, target.friction, (double)motion->found.count);
}

static size_t most_dissipative(const elastic_solutions *found) {
  size_t best = 0;
  for (size_t k = 1; k < found->count; k++)
    if (thud_solutions_at(found, k).release > thud_solutions_at(found, best).release) best = k;
  return best;
}

thud_error thud_elastic_meet_jump(thud_quasistatic *motion, const thud_quasistatic_sink *sink, const double *f) {
  thud_error error = thud_elastic_find_jumps(motion, f);
  if (error != THUD_OK) return error;
  if (isnan(motion->now.info.first_jump)) motion->now.info.first_jump = motion->now.t;
  if (motion->found.count == 0) {
    stop_without_equilibrium(motion);
    return THUD_OK;
  }
  if (motion->options.on_jump == THUD_JUMP_STOP) {
    stop_here(motion);
    return THUD_OK;
  }
  motion->pending = motion->options.on_jump == THUD_JUMP_BRANCHES && motion->follow && motion->found.count > 1;
  if (motion->pending) {
    motion->now.info.forks++;
    return THUD_OK;
  }
  return thud_elastic_jump_to(motion, sink, most_dissipative(&motion->found));
}

/* ---- jumps within an increment ----------------------------------------------------------------------------------------- */

/* Halvings of the load after which a distance that is left belongs to one load. */
enum { HALVINGS = 30 };

static double distance(const thud_quasistatic *motion, const elastic_state *a, const elastic_state *b) {
  double largest = 0;
  for (thud_index i = 0; i < motion->structure.m; i++) largest = fmax(largest, fabs(a->u[i] - b->u[i]));
  return largest;
}

/* The largest contact displacement that the change of the load causes when no contact changes: free, in all contact
 * coordinates. */
static thud_error explained(thud_quasistatic *motion, double *size) {
  const elastic_structure *structure = &motion->structure;
  for (thud_index i = 0; i < structure->n; i++) motion->force[i] = motion->next.F[i] - motion->state.F[i];
  double *U = motion->low.U;
  thud_error error = thud_elastic_structure_solve(structure, motion->force, NULL, U);
  if (error != THUD_OK) return error;
  thud_elastic_structure_see(structure, U, motion->rate);
  *size = thud_norm_max(NULL, (size_t)structure->m, motion->rate, NULL);
  return THUD_OK;
}

/* Contacts up to which all equilibria are looked at when a step is suspicious. */
enum { FEW = 5 };

/* Where there are several equilibria under the new load, a solver may find one that is far away although another one is
 * near: motion->next becomes the one nearest to `from`. */
static thud_error take_nearest(thud_quasistatic *motion, const elastic_state *from) {
  const elastic_structure *structure = &motion->structure;
  elastic_state *next = &motion->next;
  if (structure->stiffness == NULL || structure->d > 2 || structure->c > FEW || structure->c == 1) return THUD_OK;
  const elastic_question question = {
      .f = motion->f_end, .before = from->u, .r = from->r, .tolerance = motion->options.tolerance, .most = FEW};
  thud_error error = thud_solutions_find(&question, &motion->system, &motion->found);
  double best = distance(motion, from, next);
  bool nearer = false;
  for (size_t k = 0; k < motion->found.count && error == THUD_OK; k++) {
    thud_quasistatic_solution solution = thud_solutions_at(&motion->found, k);
    double way = 0;
    for (thud_index i = 0; i < structure->m; i++) way = fmax(way, fabs(solution.u[i] - from->u[i]));
    if (!(way < 0.99 * best)) continue;
    best = way;
    nearer = true;
    memcpy(next->u, solution.u, (size_t)structure->m * sizeof *next->u);
    memcpy(next->r, solution.r, (size_t)structure->m * sizeof *next->r);
    memcpy(next->modes, solution.modes, (size_t)structure->c * sizeof *next->modes);
  }
  return error == THUD_OK && nearer ? thud_elastic_recover(motion, next) : error;
}

/* Bisection: `low` stays on this side of the jump, next on the other. */
static thud_error close_in(thud_quasistatic *motion, double t_start, double t_end, double *share, bool *jumps) {
  const elastic_structure *structure = &motion->structure;
  double high = 1, whole = distance(motion, &motion->state, &motion->next);
  double *F = motion->force;
  thud_quasistatic_status status;
  *share = 0;
  *jumps = true;
  thud_elastic_copy(motion, &motion->state, &motion->low);
  for (int k = 0; k < HALVINGS; k++) {
    double middle = (*share + high) / 2;
    for (thud_index i = 0; i < structure->n; i++)
      F[i] = motion->state.F[i] + middle * (motion->F_end[i] - motion->state.F[i]);
    memcpy(motion->before, motion->low.u, (size_t)structure->m * sizeof *motion->before);
    thud_error error = thud_elastic_increment(motion, t_start + middle * (t_end - t_start), F, motion->before, &status);
    if (error == THUD_OK && status == THUD_QUASISTATIC_RUNNING) error = take_nearest(motion, &motion->low);
    if (error != THUD_OK || status != THUD_QUASISTATIC_RUNNING) {
      *jumps = false;
      return error;
    }
    if (distance(motion, &motion->low, &motion->next) > 0.5 * whole) {
      high = middle;
    } else {
      thud_elastic_copy(motion, &motion->next, &motion->low);
      *share = middle;
    }
    if (k < 3) continue;
    /* what is left to go on the other side, under the load of `high` */
    for (thud_index i = 0; i < structure->n; i++)
      F[i] = motion->state.F[i] + high * (motion->F_end[i] - motion->state.F[i]);
    memcpy(motion->before, motion->low.u, (size_t)structure->m * sizeof *motion->before);
    error = thud_elastic_increment(motion, t_start + high * (t_end - t_start), F, motion->before, &status);
    if (error == THUD_OK && status == THUD_QUASISTATIC_RUNNING) error = take_nearest(motion, &motion->low);
    *jumps = error == THUD_OK && status == THUD_QUASISTATIC_RUNNING &&
             distance(motion, &motion->low, &motion->next) > 0.25 * whole;
    if (!*jumps) return error;
  }
  return THUD_OK;
}

/* Equilibria that cannot be enumerated: the one that the solver found beyond the jump. */
static thud_error jump_unlisted(thud_quasistatic *motion, const thud_quasistatic_sink *sink) {
  motion->found.count = 0;
  if (isnan(motion->now.info.first_jump)) motion->now.info.first_jump = motion->now.t;
  if (motion->options.on_jump != THUD_JUMP_STOP) return jump_to_next(motion, sink, NAN, NAN, NAN);
  motion->now.info.status = THUD_QUASISTATIC_NO_RATE;
  thud_fail(
      motion->context, THUD_ERROR_NOT_CONVERGED,
      "at t = %.15g the state must jump: no continuous motion goes on (too many contacts to list the equilibria at "
      "this load). simulate.on_jump: dissipative goes on with the one that the solver finds",
      motion->now.t);
  return THUD_OK;
}

/* A run that stops at a jump has handed out the state in which it stops. */
static thud_error hand_out_stop(thud_quasistatic *motion, const thud_quasistatic_sink *sink, thud_error error) {
  bool stops = motion->pending || motion->now.info.status != THUD_QUASISTATIC_RUNNING;
  return error == THUD_OK && stops ? thud_elastic_hand_out(motion, THUD_SIDE_VALUE, sink) : error;
}

/* The state at the jump as one increment, so that its modes are those of the step that ends there. */
static thud_error reach_in_one(thud_quasistatic *motion, double t) {
  thud_quasistatic_status status;
  double near = 0.5 * distance(motion, &motion->state, &motion->low);
  memcpy(motion->before, motion->state.u, (size_t)motion->structure.m * sizeof *motion->before);
  thud_error error = thud_elastic_increment(motion, t, motion->low.F, motion->before, &status);
  if (error == THUD_OK && status == THUD_QUASISTATIC_RUNNING) error = take_nearest(motion, &motion->state);
  bool same = error == THUD_OK && status == THUD_QUASISTATIC_RUNNING &&
              distance(motion, &motion->low, &motion->next) <= near + 1e-3 * motion->now.scale_u;
  if (same) thud_elastic_copy(motion, &motion->next, &motion->low);
  return error;
}

thud_error thud_elastic_look_for_jump(thud_quasistatic *motion, const thud_quasistatic_sink *sink, double t_end,
                                      bool *found) {
  const elastic_structure *structure = &motion->structure;
  double size, share, t_start = motion->now.t, whole = distance(motion, &motion->state, &motion->next);
  *found = false;
  thud_error error = explained(motion, &size);
  if (error != THUD_OK || whole <= motion->options.jump_factor * size) return error;
  error = take_nearest(motion, &motion->state);
  if (error != THUD_OK || distance(motion, &motion->state, &motion->next) <= motion->options.jump_factor * size)
    return error;
  elastic_progress kept = motion->now;
  error = close_in(motion, t_start, t_end, &share, found);
  if (error != THUD_OK || !*found) {
    motion->now = kept;
    if (error != THUD_OK) return error;
    thud_quasistatic_status status;
    memcpy(motion->before, motion->state.u, (size_t)structure->m * sizeof *motion->before);
    error = thud_elastic_increment(motion, t_end, motion->F_end, motion->before, &status);
    return error == THUD_OK ? take_nearest(motion, &motion->state) : error;
  }
  bool listed = structure->stiffness != NULL &&
                (structure->d < 3 ? structure->c <= motion->options.enumerate_up_to : structure->c == 1);
  if (listed) error = reach_in_one(motion, t_start + share * (t_end - t_start));
  if (error != THUD_OK) return error;
  error = thud_elastic_accept(motion, &motion->low, t_start + share * (t_end - t_start), ELASTIC_IMPLICIT, sink);
  if (error != THUD_OK) return error;
  if (!listed) return hand_out_stop(motion, sink, jump_unlisted(motion, sink));
  error = thud_elastic_structure_solve(structure, motion->state.F, NULL, motion->next.U);
  if (error != THUD_OK) return error;
  thud_elastic_structure_see(structure, motion->next.U, motion->free);
  thud_elastic_structure_condense(structure, motion->free, motion->f);
  return hand_out_stop(motion, sink, thud_elastic_meet_jump(motion, sink, motion->f));
}
