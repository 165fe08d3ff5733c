/* Jumps: where no continuous motion goes on, the state moves to another equilibrium at the same load.
 *
 * With E = U.KU/2 - F.U and the loss in friction on the straight way, sum mu r_N+ |du_T|, the net release
 *   E- - E+ - friction >= 0
 * is what is left for a motion in between. `dissipative` takes the equilibrium with the largest one. */
#include "base/base.h"
#include "motions/quasistatic/quasistatic_motion.h"
#include "thud/critical.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- equilibria at one load -------------------------------------------------------------------------------------- */

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
            held ? "[not-held] from t = %.15g on nothing holds the structure: the stiffness matrix is semidefinite, "
                   "and friction "
                   "does not balance the load any more"
                 : "[state-jumps] at t = %.15g the rate problem has no solution, and no other equilibrium at this load "
                   "was found",
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
            "[contradictory-constraints] at t = %.15g the rate problem has no solution: the state must jump. "
            "Equilibria at this load: %zu: %s%s. "
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

/* ---- jumps within an increment ----------------------------------------------------------------------------------- */

/* Jumps within an increment.
 *
 * An increment finds the equilibrium at the end of a step, however far away. Whether a continuous motion leads there is
 * asked of its parts: two states between which no contact changes its mode are joined by a straight line of equilibria,
 * since every law is linear or convex in one mode, and nothing jumps there. A part that is not joined is halved again and
 * again; what is left is a change of mode, or a jump when it moves further than its load explains. */

enum {
  HALVINGS = 52,     /* of the load, after which a distance that is left belongs to one load */
  DEPTH = 12,        /* halvings of a part that is not joined */
  MOST_PARTS = 200,  /* of one step */
  FEW = 5,           /* contacts up to which all equilibria are looked at when a step is suspicious */
  DIVIDED_UP_TO = 64 /* contact coordinates up to which steps are divided: those whose answers are polished */
};

/* What is looked at: the way of a step from (t, F), as shares of it. */
typedef struct jump_search {
  quasistatic_motion *motion;
  double t_start, t_end, explained;
  double share;  /* of `low` */
  double beyond; /* on the other side of the jump */
  size_t count;  /* parts */
  double parts[MOST_PARTS + HALVINGS];
} jump_search;

static double distance(const quasistatic_motion *motion, const elastic_state *a, const elastic_state *b) {
  double largest = 0;
  for (thud_index i = 0; i < motion->structure.m; i++) largest = fmax(largest, fabs(a->u[i] - b->u[i]));
  return largest;
}

/* The largest contact displacement that the change of the load causes when no contact changes: free, in all contact
 * coordinates. */
static thud_error explain(quasistatic_motion *motion, double *size) {
  const elastic_structure *structure = &motion->structure;
  for (thud_index i = 0; i < structure->n; i++) motion->force[i] = motion->F_end[i] - motion->state.F[i];
  thud_error error = thud_elastic_structure_solve(structure, motion->force, NULL, motion->product);
  if (error != THUD_OK) return error;
  thud_elastic_structure_see(structure, motion->product, motion->rate);
  *size = thud_norm_max(NULL, (size_t)structure->m, motion->rate, NULL);
  return THUD_OK;
}

thud_error thud_elastic_take_nearest(quasistatic_motion *motion, const elastic_state *from) {
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

static double time_of(const jump_search *search, double share) {
  return share == 1 ? search->t_end : search->t_start + share * (search->t_end - search->t_start);
}

/* motion->next: one increment from a state to the load at a share; *solved: there is an answer. */
static thud_error go_to(jump_search *search, const elastic_state *from, double share, bool nearest, bool *solved) {
  quasistatic_motion *motion = search->motion;
  thud_motion_status status;
  double *F = motion->force;
  for (thud_index i = 0; i < motion->structure.n; i++)
    F[i] = share == 1 ? motion->F_end[i] : motion->F_base[i] + share * (motion->F_end[i] - motion->F_base[i]);
  memcpy(motion->before, from->u, (size_t)motion->structure.m * sizeof *motion->before);
  motion->from = from;
  thud_error error = thud_elastic_increment(motion, time_of(search, share), F, motion->before, &status);
  motion->from = &motion->state; /* a solver may fail from one warm start and not from another */
  if (error == THUD_OK && status != THUD_MOTION_RUNNING && from != &motion->state)
    error = thud_elastic_increment(motion, time_of(search, share), motion->next.F, motion->before, &status);
  *solved = error == THUD_OK && status == THUD_MOTION_RUNNING;
  return *solved && nearest ? thud_elastic_take_nearest(motion, from) : error;
}

/* ---- joined states ----------------------------------------------------------------------------------------------- */

/* The values of contact i in the state `from` are those of the mode in which it arrives. In space directions of slip turn:
 * being at the limit is what is asked there. */
static bool is_joined(const quasistatic_motion *motion, const elastic_state *from, const elastic_state *to,
                      thud_index i) {
  thud_index d = motion->structure.d, N = i * d;
  const double *u = from->u + N, *r = from->r + N;
  double small_u = 10 * motion->options.tolerance * motion->now.scale_u,
         small_r = 10 * motion->options.tolerance * motion->now.scale_r;
  thud_elastic_mode mode = to->modes[i];
  if (mode == THUD_ELASTIC_OPEN) return r[0] <= small_r;
  if (motion->problem.gap[i] + u[0] > small_u) return false;
  if (mode == THUD_ELASTIC_STICK || d == 1) return true;
  double bound = motion->problem.mu[i] * r[0];
  if (d == 3) return hypot(r[1], r[2]) >= bound - small_r;
  return fabs(r[1] - thud_mode_sign(mode) * bound) <= small_r;
}

bool thud_elastic_joined(const quasistatic_motion *motion, const elastic_state *from, const elastic_state *to) {
  for (thud_index i = 0; i < motion->structure.c; i++)
    if (!is_joined(motion, from, to, i)) return false;
  return true;
}

/* Further than the load of this part of the step explains; what contact problems leave is no distance. */
static bool is_long(const jump_search *search, const elastic_state *from, double part) {
  const quasistatic_motion *motion = search->motion;
  double noise = part < 1 ? 1e3 * motion->options.tolerance * motion->now.scale_u : 0;
  return distance(motion, from, &motion->next) > motion->options.jump_factor * part * search->explained + noise;
}

/* ---- closing in -------------------------------------------------------------------------------------------------- */

static void pass(jump_search *search, double share) {
  thud_elastic_copy(search->motion, &search->motion->next, &search->motion->low);
  search->share = share;
  if (search->count < sizeof search->parts / sizeof *search->parts) search->parts[search->count++] = share;
}

/* Changes of the load that move less than this part of the displacements are not told apart: below what the tolerance lets
 * pass the state itself is an equilibrium beyond the jump; the closed form of one contact is exact to rounding. */
static double resolved_part(const quasistatic_motion *motion) {
  bool closed_form = motion->structure.c == 1 && motion->structure.stiffness != NULL && motion->structure.d < 3;
  return closed_form ? 4 * DBL_EPSILON : 100 * motion->options.tolerance;
}

/* Bisection between `low` and the share `high`, where motion->next is: `low` stays on this side of the jump, next on the
 * other. Without a jump `low` is somewhere between. */
static thud_error close_in(jump_search *search, double high, bool *jumps) {
  quasistatic_motion *motion = search->motion;
  double whole = distance(motion, &motion->low, &motion->next);
  bool solved;
  *jumps = true;
  for (int k = 0; k < HALVINGS; k++) {
    double middle = (search->share + high) / 2;
    thud_error error = go_to(search, &motion->low, middle, true, &solved);
    *jumps = solved;
    if (error != THUD_OK || !solved) return error;
    if (distance(motion, &motion->low, &motion->next) > 0.5 * whole)
      high = middle;
    else
      pass(search, middle);
    if (k < 3) continue;
    /* what is left to go on the other side, under the load of `high` */
    error = go_to(search, &motion->low, high, true, &solved);
    *jumps = error == THUD_OK && solved && distance(motion, &motion->low, &motion->next) > 0.25 * whole;
    search->beyond = high;
    if (!*jumps || (high - search->share) * search->explained <= resolved_part(motion) * motion->now.scale_u)
      return error;
  }
  return THUD_OK;
}

/* The part from `low` to the share `end`, which is long: *found, or `low` is at its end. */
static thud_error examine(jump_search *search, double end, bool *found, bool *solved) {
  quasistatic_motion *motion = search->motion;
  double share = search->share;
  size_t count = search->count;
  thud_elastic_copy(motion, &motion->low, &motion->kept);
  thud_error error = close_in(search, end, found);
  if (error != THUD_OK || *found) return error;
  thud_elastic_copy(motion, &motion->kept, &motion->low);
  search->share = share;
  search->count = count;
  error = go_to(search, &motion->low, end, true, solved);
  if (error == THUD_OK && *solved) pass(search, end);
  return error;
}

/* From the state to the end of the step in parts that are joined, or too short to halve them again. */
static thud_error walk(jump_search *search, bool *found) {
  quasistatic_motion *motion = search->motion;
  double width = 1, shortest = ldexp(1, -DEPTH);
  bool solved = true, divides = motion->structure.m <= DIVIDED_UP_TO;
  thud_error error = THUD_OK;
  thud_elastic_copy(motion, &motion->state, &motion->low);
  for (int k = 0; k < MOST_PARTS && search->share < 1 && !*found && solved && error == THUD_OK; k++) {
    double end = search->share + width;
    bool whole = width == 1; /* motion->next is there already */
    if (!whole) error = go_to(search, &motion->low, end, true, &solved);
    if (error != THUD_OK || !solved) break;
    bool joined = thud_elastic_joined(motion, &motion->low, &motion->next);
    if (!joined && divides && width > shortest) {
      width /= 2;
      continue;
    }
    if (!joined && is_long(search, &motion->low, width))
      error = examine(search, end, found, &solved);
    else
      pass(search, end);
    while (width < 1 && fmod(search->share, 2 * width) == 0) width *= 2;
  }
  return error;
}

/* ---- what is done there ------------------------------------------------------------------------------------------ */

/* Equilibria that cannot be enumerated: the one that the solver found beyond the jump. */
static thud_error jump_unlisted(quasistatic_motion *motion, const thud_motion_sink *sink) {
  motion->found.count = 0;
  if (isnan(motion->now.info.first_jump)) motion->now.info.first_jump = motion->now.t;
  if (motion->options.on_jump != THUD_JUMP_STOP) return thud_elastic_jump_to_next(motion, sink, NAN, NAN, NAN);
  motion->now.info.status = THUD_MOTION_NO_RATE;
  thud_fail(motion->base.context, THUD_ERROR_NOT_CONVERGED,
            "[state-jumps] at t = %.15g the state must jump: no continuous motion goes on (too many contacts to list "
            "the equilibria at "
            "this load). simulate.on_jump: dissipative goes on with the one that the solver finds",
            motion->now.t);
  return THUD_OK;
}

/* A run that stops at a jump has handed out the state in which it stops; at the time `last` it has done so already. */
static thud_error hand_out_stop(quasistatic_motion *motion, const thud_motion_sink *sink, double last,
                                thud_error error) {
  bool stops = motion->pending || motion->now.info.status != THUD_MOTION_RUNNING;
  return error == THUD_OK && stops && motion->now.t > last ? thud_elastic_hand_out(motion, THUD_SIDE_VALUE, sink)
                                                           : error;
}

/* One increment from the state to the jump has the answer of the many parts: its modes are then those of the way. */
static thud_error reaches_in_one(jump_search *search, bool *same) {
  quasistatic_motion *motion = search->motion;
  double near = motion->structure.d == 3 ? 0.5 * distance(motion, &motion->state, &motion->low) : 0;
  thud_error error = go_to(search, &motion->state, search->share, true, same);
  near = fmax(near, 1e3 * motion->options.tolerance * motion->now.scale_u);
  *same = error == THUD_OK && *same && distance(motion, &motion->low, &motion->next) <= near;
  if (*same) thud_elastic_copy(motion, &motion->next, &motion->low);
  return error;
}

/* Takes the state so near to `low` that one increment is right about the rest, with a frame after each part before: a
 * contact may have slipped and then stuck. */
static thud_error approach(jump_search *search, const thud_motion_sink *sink) {
  quasistatic_motion *motion = search->motion;
  thud_error error = THUD_OK;
  bool same = false, solved = true;
  for (size_t k = 0; k < search->count && error == THUD_OK && !same; k++) {
    error = reaches_in_one(search, &same);
    if (error != THUD_OK || same || search->parts[k] == search->share) break;
    error = go_to(search, &motion->state, search->parts[k], true, &solved);
    if (error != THUD_OK || !solved) return error;
    error = thud_elastic_accept(motion, &motion->next, time_of(search, search->parts[k]), ELASTIC_IMPLICIT, sink);
    motion->refined = true;
    if (error == THUD_OK) error = thud_elastic_hand_out(motion, THUD_SIDE_VALUE, sink);
    motion->refined = false;
  }
  return error;
}

/* The equilibrium beyond the jump, in motion->next, under the load of the state, at which the jump is recorded: solved for
 * from there. Where it exists only under the load beyond, its reactions are kept and the displacements follow from them; the
 * laws are then off by what the loads differ in, resolved_part. */
static thud_error settle_beyond(jump_search *search) {
  quasistatic_motion *motion = search->motion;
  size_t m = (size_t)motion->structure.m;
  bool solved = true;
  thud_motion_status status;
  double way = distance(motion, &motion->state, &motion->next), residual = motion->now.residual;
  elastic_state *beyond = &motion->kept;
  thud_elastic_copy(motion, &motion->next, beyond);
  memcpy(motion->before, motion->state.u, m * sizeof *motion->before);
  motion->from = beyond;
  thud_error error = thud_elastic_increment(motion, motion->now.t, motion->state.F, motion->before, &status);
  motion->from = &motion->state;
  solved = error == THUD_OK && status == THUD_MOTION_RUNNING;
  if (error != THUD_OK || (solved && distance(motion, beyond, &motion->next) <= 0.1 * way)) return error;
  motion->now.residual = residual;
  thud_elastic_copy(motion, beyond, &motion->next);
  memcpy(motion->next.F, motion->state.F, (size_t)motion->structure.n * sizeof *motion->next.F);
  error = thud_elastic_recover(motion, &motion->next);
  thud_elastic_structure_see(&motion->structure, motion->next.U, motion->next.u);
  return error;
}

static thud_error meet(jump_search *search, const thud_motion_sink *sink) {
  quasistatic_motion *motion = search->motion;
  const elastic_structure *structure = &motion->structure;
  bool listed = structure->stiffness != NULL &&
                (structure->d < 3 ? structure->c <= motion->options.enumerate_up_to : structure->c == 1),
       solved = true;
  thud_error error = approach(search, sink);
  double last = motion->now.t;
  if (error == THUD_OK)
    error = thud_elastic_accept(motion, &motion->low, time_of(search, search->share), ELASTIC_IMPLICIT, sink);
  if (error != THUD_OK || motion->now.info.status != THUD_MOTION_RUNNING) return error;
  if (!listed) {
    double here = motion->now.residual; /* both frames of the jump have the larger one */
    error = go_to(search, &motion->state, search->beyond, true, &solved);
    if (error == THUD_OK) error = settle_beyond(search);
    motion->now.residual = fmax(motion->now.residual, here);
    return error == THUD_OK ? hand_out_stop(motion, sink, last, jump_unlisted(motion, sink)) : error;
  }
  error = thud_elastic_structure_solve(structure, motion->state.F, NULL, motion->next.U);
  if (error != THUD_OK) return error;
  thud_elastic_structure_see(structure, motion->next.U, motion->free);
  thud_elastic_structure_condense(structure, motion->free, motion->f);
  return hand_out_stop(motion, sink, last, thud_elastic_meet_jump(motion, sink, motion->f));
}

/* Nothing jumps, but one increment goes elsewhere: to another equilibrium, which the continuous motion does not need. */
static thud_error keep_to_the_way(jump_search *search, const thud_motion_sink *sink) {
  quasistatic_motion *motion = search->motion;
  double apart = distance(motion, &motion->low, &motion->next);
  if (search->share < 1 || apart <= 0.5 * motion->options.jump_factor * search->explained) return THUD_OK;
  thud_error error = approach(search, sink);
  thud_elastic_copy(motion, &motion->low, &motion->next);
  return error;
}

thud_error thud_elastic_look_for_jump(quasistatic_motion *motion, const thud_motion_sink *sink, double t_end,
                                      bool *found) {
  jump_search search = {.motion = motion, .t_start = motion->now.t, .t_end = t_end};
  bool proved, solved;
  *found = false;
  thud_error error = thud_elastic_proved(motion, &proved);
  if (error != THUD_OK || proved || thud_elastic_joined(motion, &motion->state, &motion->next)) return error;
  error = explain(motion, &search.explained);
  bool is_far = error == THUD_OK && is_long(&search, &motion->state, 1);
  if (is_far) error = thud_elastic_take_nearest(motion, &motion->state);
  if (error != THUD_OK || (!is_far && motion->structure.m > DIVIDED_UP_TO)) return error;
  elastic_progress kept = motion->now;
  memcpy(motion->F_base, motion->state.F, (size_t)motion->structure.n * sizeof *motion->F_base);
  error = walk(&search, found);
  if (error == THUD_OK && *found) return meet(&search, sink);
  motion->now = kept;
  if (error == THUD_OK) error = go_to(&search, &motion->state, 1, is_far, &solved);
  return error == THUD_OK ? keep_to_the_way(&search, sink) : error;
}

/* ---- proofs that there are none ---------------------------------------------------------------------------------- */

/* Whether one rate solution is proved for every state and load: then nothing jumps or forks, and neither is looked for. */

/* Contacts whose combinations of modes are all looked at (milliseconds), and coordinates up to which a norm is found. */
enum { EXACT = 6, LARGEST = 600 };

static thud_error find(quasistatic_motion *motion, bool *proved) {
  const elastic_structure *structure = &motion->structure;
  thud_critical_options options = thud_critical_options_default();
  thud_critical *critical = NULL;
  double most = 0;
  *proved = false;
  for (thud_index i = 0; i < structure->c; i++) most = fmax(most, motion->problem.mu[i]);
  double *ratio = THUD_NEW_ARRAY(motion->base.context, double, structure->c);
  if (ratio == NULL) return THUD_ERROR_MEMORY;
  for (thud_index i = 0; i < structure->c; i++) ratio[i] = most > 0 ? motion->problem.mu[i] / most : 1;
  options.exact_contacts = EXACT;
  options.samples = 0;
  thud_error error = thud_critical_find(motion->base.context, structure->c, structure->d, structure->stiffness, ratio,
                                        &options, &critical);
  const thud_critical_row *rate = error == THUD_OK ? thud_critical_get(critical, THUD_CRITICAL_RATE) : NULL;
  *proved = rate != NULL && most < (1 - THUD_CRITICAL_MARGIN) * rate->low;
  thud_critical_destroy(critical);
  thud_free(motion->base.context, ratio);
  return error == THUD_ERROR_MEMORY ? error : THUD_OK; /* a matrix that rounding has made indefinite: not proved */
}

thud_error thud_elastic_proved(quasistatic_motion *motion, bool *proved) {
  const elastic_structure *structure = &motion->structure;
  thud_error error = THUD_OK;
  if (motion->proof == ELASTIC_PROOF_UNKNOWN) {
    bool found = false;
    if (structure->d > 1 && structure->stiffness != NULL && structure->shift == 0 && structure->m <= LARGEST)
      error = find(motion, &found);
    if (error != THUD_OK) return error;
    motion->proof = found ? ELASTIC_PROVED : ELASTIC_NOT_PROVED;
  }
  *proved = motion->now.info.proved = motion->proof == ELASTIC_PROVED;
  return THUD_OK;
}
