/* Jumps: where no continuous motion goes on, the state moves to another equilibrium at the same load.
 *
 * With E = U.KU/2 - F.U and the loss in friction on the straight way, sum mu r_N+ |du_T|, the net release
 *   E- - E+ - friction >= 0
 * is what is left for a motion in between. `dissipative` takes the equilibrium with the largest one. */
#include "base/base.h"
#include "motions/quasistatic/quasistatic_motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- equilibria at one load ------------------------------------------------------------------------------------------ */

static bool is_present(const quasistatic_motion *motion, const thud_quasistatic_solution *solution) {
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

thud_error thud_elastic_find_jumps(quasistatic_motion *motion, const double *f) {
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
void thud_elastic_describe(const quasistatic_motion *motion, const thud_quasistatic_solution *solution, char *text,
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
static void stop_without_equilibrium(quasistatic_motion *motion) {
  bool held = motion->structure.shift > 0;
  motion->now.info.status = held ? THUD_MOTION_NOT_HELD : THUD_MOTION_NO_RATE;
  thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED,
            held ? "from t = %.15g on nothing holds the structure: the stiffness matrix is semidefinite, and friction "
                   "does not balance the load any more"
                 : "at t = %.15g the rate problem has no solution, and no other equilibrium at this load was found",
            motion->now.t);
}

static void stop_here(quasistatic_motion *motion) {
  char list[900] = "", one[200];
  size_t used = 0;
  for (size_t k = 0; k < motion->found.count && k < 6 && used < sizeof list; k++) {
    thud_quasistatic_solution solution = thud_solutions_at(&motion->found, k);
    thud_elastic_describe(motion, &solution, one, sizeof one);
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? "; " : "", one);
  }
  motion->now.info.status = THUD_MOTION_NO_RATE;
  thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED,
            "at t = %.15g the rate problem has no solution: the state must jump. Equilibria at this load: %zu: %s%s. "
            "simulate.on_jump: dissipative or branches goes on",
            motion->now.t, motion->found.count, list, motion->found.count > 6 ? "; ..." : "");
}

thud_error thud_elastic_jump_to_next(quasistatic_motion *motion, const thud_motion_sink *sink, double release,
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

thud_error thud_elastic_jump_to(quasistatic_motion *motion, const thud_motion_sink *sink, size_t k) {
  const elastic_structure *structure = &motion->structure;
  thud_quasistatic_solution target = thud_solutions_at(&motion->found, k);
  elastic_state *next = &motion->next;
  memcpy(next->u, target.u, (size_t)structure->m * sizeof *target.u);
  memcpy(next->r, target.r, (size_t)structure->m * sizeof *target.r);
  memcpy(next->modes, target.modes, (size_t)structure->c * sizeof *target.modes);
  memcpy(next->F, motion->state.F, (size_t)structure->n * sizeof *next->F);
  return thud_elastic_jump_to_next(motion, sink, target.release, target.friction, (double)motion->found.count);
}

static size_t most_dissipative(const elastic_solutions *found) {
  size_t best = 0;
  for (size_t k = 1; k < found->count; k++)
    if (thud_solutions_at(found, k).release > thud_solutions_at(found, best).release) best = k;
  return best;
}

thud_error thud_elastic_meet_jump(quasistatic_motion *motion, const thud_motion_sink *sink, const double *f) {
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
