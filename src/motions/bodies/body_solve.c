/* Step 3: impulses of every island.
 *
 * Islands do not feel each other, so each is solved in units of its own (velocities |q|, masses 1/W_NN, as powers of 2):
 * then neither a light nor a slow island hides behind a heavy or fast one in the residual of the solver. Small islands
 * share a problem, large ones have their own. The verdict is that of body_problem.c; an island above the tolerance is solved
 * again by itself and more sharply. */
#include "model/bodies_impact.h"
#include "motions/bodies/body_motion.h"
#include "solve/method.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  POOL_CONTACTS = 64,  /* islands share a problem of about this size */
  ALONE_CONTACTS = 16, /* from this size on an island has its own */
  MOST_ATTEMPTS = 4,   /* of one island, each sharper than the last */
  SMALL_CONTACTS = 64  /* below this size a fine tolerance is */
};
static const double FINE_TOLERANCE = 1e-6; /* below this value */
static const double FIRST_SHARPNESS = 1, SHARPER = 0.3;
static const double ROUNDING = 16 * DBL_EPSILON; /* no residual is asked to be less */
/* Of small problems with a fine tolerance a tenth of it is asked for: it costs next to nothing, since their impulses are handed on from
 * step to step, and what rests creeps ten times less. Where it would cost more than so many iterations, the tolerance will do. */
enum { MOST_AFTERWARDS = 50 };
static const double SMALL_SHARPNESS = 0.1;

typedef body_group island_group;

/* ---- velocities from impulses ------------------------------------------------------------------------------------------ */

/* What place `at` of the problem pushes: r as a force and a moment on body a. */
static void to_world(const body_motion *motion, thud_index k, const double *r, thud_vec3 *force, thud_vec3 *moment) {
  const body_contacts *c = &motion->contacts;
  const thud_mat3 *E = &c->frame[k];
  thud_index d = motion->problem.d;
  double most = fmax(c->mu[k], c->mu_across[k]);
  double s1 = most > 0 ? c->mu[k] / most : 1, s2 = most > 0 ? c->mu_across[k] / most : 1;
  *force = thud_vec3_add_scaled(thud_vec3_scale(r[0], E->cx), s1 * r[1], E->cy);
  *moment = (thud_vec3){0};
  if (motion->model.planar) {
    if (d == 3) moment->z = r[2];
    return;
  }
  *force = thud_vec3_add_scaled(*force, s2 * r[2], E->cz);
  if (d >= 5) *moment = thud_vec3_add_scaled(thud_vec3_scale(r[3], E->cy), r[4], E->cz);
  if (d == 4 || d == 6) *moment = thud_vec3_add_scaled(*moment, r[d - 1], E->cx);
}

static void push(body_motion *motion, thud_index body, thud_index k, double sign) {
  body_state *state = &motion->state;
  if (!motion->moves[body]) return;
  thud_vec3 force = motion->contacts.force[k], lever = thud_bodies_lever(motion, k, body);
  thud_vec3 torque = thud_vec3_add(motion->contacts.moment[k], thud_vec3_cross(lever, force));
  if (motion->implicit.soft[body]) {
    thud_vec3 v, w;
    thud_bodies_respond(motion, body, force, torque, &v, &w);
    state->velocity[body] = thud_vec3_add_scaled(state->velocity[body], sign, v);
    state->spin[body] = thud_vec3_add_scaled(state->spin[body], sign, w);
    return;
  }
  state->velocity[body] = thud_vec3_add_scaled(state->velocity[body], sign / motion->model.mass[body], force);
  state->spin[body] =
      thud_vec3_add_scaled(state->spin[body], sign, thud_mat3_apply(motion->inverse_inertia[body], torque));
}

void thud_bodies_move_island(body_motion *motion, thud_index s) {
  body_problem *p = &motion->problem;
  body_contacts *c = &motion->contacts;
  body_state *state = &motion->state;
  size_t d = (size_t)p->d;
  for (thud_index i = p->body_start[s]; i < p->body_start[s + 1]; i++) {
    state->velocity[p->body[i]] = motion->velocity_free[p->body[i]];
    state->spin[p->body[i]] = motion->spin_free[p->body[i]];
  }
  for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++) {
    thud_index k = p->order[at];
    memcpy(c->r + (size_t)k * d, p->r + (size_t)at * d, d * sizeof *c->r);
    to_world(motion, k, c->r + (size_t)k * d, &c->force[k], &c->moment[k]);
    push(motion, c->body_a[k], k, 1);
    push(motion, c->body_b[k], k, -1);
  }
  if (motion->laws.count > 0) thud_bodies_push_laws(motion, s);
  thud_bodies_relax_island(motion, s);
  if (motion->laws.count > 0) thud_bodies_see_laws(motion, s);
  for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++) {
    thud_index k = p->order[at];
    thud_bodies_relative_velocity(motion, k, false, state->velocity, state->spin, c->u + (size_t)k * d);
  }
}

/* ---- one group of islands in its own units ------------------------------------------------------------------------------- */

static double power_of_two(double x) {
  int exponent = 0;
  if (!(x > 0) || !isfinite(x)) return 1;
  frexp(x, &exponent);
  return exponent < -500 || exponent > 500 ? 1 : ldexp(1, exponent - 1);
}

/* The size of velocities that errors of an island are compared with: |q| of approached contacts, or what rounding is the
 * tolerance of. */
static double counted_scale(const body_motion *motion, thud_index s) {
  const thud_body_island *island = &motion->problem.islands[s];
  return fmax(island->scale, island->noise / motion->options.tolerance);
}

/* Units of an island: of velocities what counts, of masses the mean that its contacts feel. Where islands share a problem, |q| of
 * contacts that are far from closing would ask of all for more than rounding. A full W of a coupled island, which is alone,
 * takes |q|. */
void thud_bodies_find_units(const body_motion *motion, thud_index s, double *velocity, double *mass) {
  const body_problem *p = &motion->problem;
  const body_contacts *c = &motion->contacts;
  size_t d = (size_t)p->d;
  double sum = 0, size = 0;
  for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++) {
    thud_index k = p->order[at];
    const double *q = c->u_free + (size_t)k * d, *wander = c->wander + (size_t)k * d;
    double normal = q[0] + c->threshold[k];
    sum += normal * normal;
    for (size_t i = 1; i < d; i++) sum += (q[i] + wander[i]) * (q[i] + wander[i]);
    size += c->size[k];
  }
  double counted = thud_bodies_is_coupled(motion, s) ? 0 : counted_scale(motion, s);
  *velocity = power_of_two(counted > 0 ? counted : sqrt(sum));
  *mass = power_of_two((double)(p->contact_start[s + 1] - p->contact_start[s]) / size);
}

/* Bodies, contacts and impulses of island s in its own units, to the group's arrays. */
static void scale_island(body_motion *motion, thud_index s, thud_index body0, thud_index contact0) {
  body_problem *p = &motion->problem;
  size_t d = (size_t)p->d, n = (size_t)p->block;
  double velocity, mass;
  thud_bodies_find_units(motion, s, &velocity, &mass);
  for (thud_index i = p->body_start[s]; i < p->body_start[s + 1]; i++) {
    size_t from = (size_t)i, to = (size_t)(i - body0);
    for (size_t j = 0; j < n * n; j++) p->group_mass[to * n * n + j] = mass * p->inverse_mass[from * n * n + j];
    for (size_t j = 0; j < n; j++) p->group_velocity[to * n + j] = p->free_velocity[from * n + j] / velocity;
  }
  for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++) {
    size_t from = (size_t)at, to = (size_t)(at - contact0);
    p->group_a[to] = p->a[from] - body0;
    p->group_b[to] = p->b[from] < 0 ? -1 : p->b[from] - body0;
    for (size_t j = 0; j < d; j++) {
      p->group_w[to * d + j] = p->w[from * d + j] / velocity;
      p->group_r[to * d + j] = p->r[from * d + j] / (mass * velocity);
    }
  }
}

/* Impulses back to the units of the scene. */
void thud_bodies_unscale_island(body_motion *motion, thud_index s, thud_index contact0) {
  body_problem *p = &motion->problem;
  size_t d = (size_t)p->d;
  double velocity, mass;
  thud_bodies_find_units(motion, s, &velocity, &mass);
  for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++)
    for (size_t j = 0; j < d; j++)
      p->r[(size_t)at * d + j] = p->group_r[(size_t)(at - contact0) * d + j] * (mass * velocity);
}

static thud_contact_problem group_problem(body_motion *motion, island_group group) {
  body_problem *p = &motion->problem;
  size_t d = (size_t)p->d, n = (size_t)p->block;
  thud_index body0 = p->body_start[group.first], contact0 = p->contact_start[group.first];
  thud_contact_problem problem = p->view;
  for (thud_index s = group.first; s < group.end; s++) scale_island(motion, s, body0, contact0);
  problem.contacts = p->contact_start[group.end] - contact0;
  problem.mu += contact0;
  if (problem.mu_rolling != NULL) problem.mu_rolling += contact0;
  if (problem.mu_spinning != NULL) problem.mu_spinning += contact0;
  problem.two_block.bodies = p->body_start[group.end] - body0;
  problem.two_block.inverse_mass = p->group_mass;
  problem.two_block.free_velocity = p->group_velocity;
  problem.two_block.body_a = p->group_a;
  problem.two_block.body_b = p->group_b;
  problem.two_block.jacobian_a += (size_t)contact0 * d * n;
  problem.two_block.jacobian_b += (size_t)contact0 * d * n;
  problem.two_block.w = p->group_w;
  return problem;
}

/* Without an approached contact r = 0 is the answer, exactly: solvers stop at impulses that are small beside 1, which the
 * last step may have left behind. */
static bool is_approached(const body_motion *motion, thud_index s) {
  return motion->problem.islands[s].scale > 0 || thud_bodies_count_laws(motion, s) > 0;
}

/* The residual of the solver that corresponds to the tolerance: it is relative to |q| of all contacts of the group in the units of
 * their islands, that of an island to what counts there, and what is rounding does not count. */
static double tolerance_of_group(body_motion *motion, island_group group) {
  double least = INFINITY, sum = 0, velocity, mass;
  for (thud_index s = group.first; s < group.end; s++) {
    double all = thud_bodies_scale_island(motion, s);
    thud_bodies_find_units(motion, s, &velocity, &mass);
    sum += (all / velocity) * (all / velocity);
    if (all > 0 && is_approached(motion, s)) least = fmin(least, counted_scale(motion, s) / velocity);
  }
  double part = sum > 0 && isfinite(least) ? fmin(least / sqrt(sum), 1) : 1;
  return fmax(part * motion->options.tolerance, ROUNDING);
}

static void clear_impulses(body_motion *motion, thud_index s) {
  body_problem *p = &motion->problem;
  size_t d = (size_t)p->d;
  for (size_t j = (size_t)p->contact_start[s] * d; j < (size_t)p->contact_start[s + 1] * d; j++) p->r[j] = 0;
}

/* An island with the contact impulses as they are. */
thud_error thud_bodies_judge_impulses(body_motion *motion, thud_index s) {
  thud_bodies_move_island(motion, s);
  thud_error error = thud_bodies_settle_laws(motion, s);
  if (thud_bodies_count_laws(motion, s) > 0) thud_bodies_scale_island(motion, s);
  thud_bodies_judge_island(motion, s);
  if (motion->laws.unsettled != NULL) { /* no answer to compare */
    motion->problem.islands[s].solved = false;
    motion->problem.islands[s].residual = INFINITY;
  }
  return error;
}

/* The contacts of an island with laws are solved, and the laws with them up to the tolerance: what is left is taken away, after
 * which contacts answer for it. */
static thud_error take_laws(body_motion *motion, thud_index s) {
  double velocity, mass;
  thud_index contacts = motion->problem.contact_start[s + 1] - motion->problem.contact_start[s];
  thud_bodies_find_units(motion, s, &velocity, &mass);
  if (contacts > 0) {
    thud_bodies_unload_laws(motion, s, velocity, mass);
    thud_bodies_unscale_island(motion, s, motion->problem.contact_start[s]);
  }
  return thud_bodies_judge_impulses(motion, s);
}

/* What the solvers made of the islands of a group: p->r, v+ and residuals. */
static void take_answer(body_motion *motion, island_group group) {
  for (thud_index s = group.first; s < group.end; s++) {
    if (is_approached(motion, s))
      thud_bodies_unscale_island(motion, s, motion->problem.contact_start[group.first]);
    else
      clear_impulses(motion, s);
    thud_bodies_move_island(motion, s);
    thud_bodies_judge_island(motion, s);
  }
}

static bool is_small_and_fine(const body_motion *motion, island_group group) {
  const thud_index *start = motion->problem.contact_start;
  return start[group.end] - start[group.first] < SMALL_CONTACTS && motion->options.tolerance < FINE_TOLERANCE;
}

static thud_solver_options options_of_group(body_motion *motion, island_group group, double sharpness) {
  thud_solver_options options = motion->options.solver;
  if (is_small_and_fine(motion, group)) sharpness *= SMALL_SHARPNESS;
  options.tolerance = fmax(sharpness * tolerance_of_group(motion, group), ROUNDING);
  return options;
}

/* The solver's residual is another one than that of the islands: their verdict ends a solve, which then goes no further than it has
 * to. */
static bool is_enough(void *user, const double *r) {
  body_motion *motion = user;
  const thud_index *start = motion->problem.contact_start;
  island_group group = motion->judged;
  size_t size = (size_t)(start[group.end] - start[group.first]) * (size_t)motion->problem.d;
  bool solved = true;
  memcpy(motion->problem.group_r, r, size * sizeof *r);
  take_answer(motion, group);
  for (thud_index s = group.first; s < group.end; s++) solved = solved && motion->problem.islands[s].solved;
  return solved;
}

static bool has_judge(const body_motion *motion) { return motion->judged.end > motion->judged.first; }

/* Solves the problem with one solver, which is made when it is first needed, from p->group_r. */
thud_error thud_bodies_run_solver(body_motion *motion, const thud_contact_problem *problem, thud_solver **solver,
                                  const thud_solver_method *method, const thud_solver_options *options,
                                  thud_solver_info *info) {
  thud_error error = *solver == NULL ? thud_solver_create(motion->base.context, method, problem, options, solver)
                                     : thud_solver_update(*solver, problem);
  if (error != THUD_OK) return error;
  thud_solver_set_tolerance(*solver, options->tolerance);
  thud_solver_set_max_iterations(*solver, options->max_iterations);
  thud_solver_set_judge(*solver, has_judge(motion) ? is_enough : NULL, motion);
  error = thud_solver_solve(*solver, motion->problem.group_r, motion->problem.group_u, NULL, NULL, info);
  motion->state.now->iterations += error == THUD_OK ? info->iterations : 0;
  return error;
}

/* One solve of a group to `sharpness` times the tolerance; *solved: the solver says so. */
static thud_error solve_group(body_motion *motion, island_group group, double sharpness, bool *solved) {
  bool coupled = thud_bodies_is_coupled(motion, group.first), needed = false;
  thud_contact_problem problem;
  thud_solver_options options = options_of_group(motion, group, sharpness);
  thud_solver_info info = {.status = THUD_SOLVED, .method = "none"};
  for (thud_index s = group.first; s < group.end; s++) {
    needed = needed || (is_approached(motion, s) && motion->problem.islands[s].contacts > 0);
    if (!is_approached(motion, s)) clear_impulses(motion, s);
  }
  *solved = true;
  bool laws = thud_bodies_count_laws(motion, group.first) > 0; /* they are settled anew in every step */
  bool keeps = !laws && sharpness == FIRST_SHARPNESS && thud_bodies_keep_impulses(motion, group);
  if (keeps && !is_small_and_fine(motion, group)) {
    motion->method = info.method;
    return THUD_OK;
  }
  if (keeps && options.max_iterations > MOST_AFTERWARDS) options.max_iterations = MOST_AFTERWARDS;
  thud_error error = THUD_OK;
  thud_bodies_bound_laws(motion, group.first);
  if (coupled)
    error = thud_bodies_coupled_problem(motion, group.first, &problem);
  else
    problem = group_problem(motion, group);
  if (error != THUD_OK) return error;
  bool judged = !coupled && !laws && sharpness == FIRST_SHARPNESS && !is_small_and_fine(motion, group);
  if (judged) motion->judged = group;
  if (needed)
    error = thud_bodies_run_solver(motion, &problem, coupled ? &motion->coupled : &motion->solver,
                                   motion->options.method, &options, &info);
  motion->judged = (island_group){0, 0};
  if (error != THUD_OK) return error;
  motion->method = info.method;
  *solved = info.status == THUD_SOLVED;
  if (info.status == THUD_SOLVER_INFEASIBLE && group.end == group.first + 1) motion->infeasible = true;
  if (laws)
    error = take_laws(motion, group.first);
  else
    take_answer(motion, group);
  if (error != THUD_OK) return error;
  return info.status == THUD_SOLVER_INTERRUPTED ? THUD_ERROR_INTERRUPTED : THUD_OK;
}

static const char *const DIRECT[THUD_BODY_DIRECT] = {"newton", "fischer-burmeister", "interior-point"};

/* One direct method on an island that auto has not solved within its iterations, without a share of work to keep to. */
static thud_error solve_directly(body_motion *motion, thud_index s, size_t k) {
  island_group group = {s, s + 1};
  thud_contact_problem problem = group_problem(motion, group);
  thud_solver_options options = options_of_group(motion, group, FIRST_SHARPNESS);
  const thud_solver_method *method = thud_solver_method_find(DIRECT[k]);
  thud_solver_info info = {0};
  if (motion->options.method != NULL || !thud_solver_method_takes(method, &problem)) return THUD_OK;
  motion->judged = group;
  thud_error error = thud_bodies_run_solver(motion, &problem, &motion->direct[k], method, &options, &info);
  motion->judged = (island_group){0, 0};
  if (error != THUD_OK) return error;
  motion->method = info.method;
  take_answer(motion, group);
  return info.status == THUD_SOLVER_INTERRUPTED ? THUD_ERROR_INTERRUPTED : THUD_OK;
}

/* The impulses of an island that are kept, unless later ones are better. */
static thud_error keep_better(body_motion *motion, thud_index s, double before) {
  body_problem *p = &motion->problem;
  size_t d = (size_t)p->d, first = (size_t)p->contact_start[s] * d;
  size_t size = (size_t)(p->contact_start[s + 1] - p->contact_start[s]) * d;
  if (p->islands[s].residual <= before) {
    memcpy(p->kept, p->r + first, size * sizeof *p->kept);
    return THUD_OK;
  }
  memcpy(p->r + first, p->kept, size * sizeof *p->kept);
  return thud_bodies_judge_impulses(motion, s);
}

/* A coupled island: corrected by the motion's method, nearby where impulses are not unique and bounds of pins follow them, then by
 * direct methods. */
static thud_error insist_coupled(body_motion *motion, thud_index s) {
  const thud_body_island *island = &motion->problem.islands[s];
  static const double NEAR = 0.1;
  if (island->contacts == 0) {
    if (motion->laws.unsettled != NULL) thud_bodies_refuse_laws(motion, s);
    return THUD_OK;
  }
  thud_error error = thud_bodies_correct(motion, s, 0, motion->options.method, &motion->coupled);
  if (error == THUD_OK && !island->solved && thud_bodies_count_laws(motion, s) > 0)
    error = thud_bodies_correct(motion, s, NEAR, motion->options.method, &motion->coupled);
  for (size_t k = 0; k < THUD_BODY_DIRECT && error == THUD_OK && !island->solved; k++)
    if (motion->options.method == NULL)
      error = thud_bodies_correct(motion, s, 0, thud_solver_method_find(DIRECT[k]), &motion->coupled_direct[k]);
  if (error == THUD_OK && !island->solved && thud_bodies_count_laws(motion, s) > 0)
    error = thud_bodies_correct_pins(motion, s);
  if (error != THUD_OK || island->solved || motion->laws.unsettled == NULL) return error;
  thud_bodies_refuse_laws(motion, s);
  return THUD_OK;
}

/* An island above the tolerance: by itself and more sharply where the solver takes it for solved, else by direct methods;
 * the best answer stays. */
static thud_error insist(body_motion *motion, thud_index s, bool solved) {
  thud_body_island *island = &motion->problem.islands[s];
  double sharpness = FIRST_SHARPNESS;
  size_t direct = 0;
  if (motion->infeasible) return THUD_OK;
  if (thud_bodies_is_coupled(motion, s)) return insist_coupled(motion, s);
  thud_error error = keep_better(motion, s, island->residual);
  for (int k = 1; k < MOST_ATTEMPTS && !island->solved && !motion->infeasible && error == THUD_OK; k++) {
    double before = island->residual, wanted = 0.7 * motion->options.tolerance / before;
    if (solved) {
      sharpness *= isfinite(before) ? fmin(SHARPER, wanted) : SHARPER;
      error = solve_group(motion, (island_group){s, s + 1}, sharpness, &solved);
    } else if (direct < THUD_BODY_DIRECT)
      error = solve_directly(motion, s, direct++);
    if (error == THUD_OK) error = keep_better(motion, s, before);
  }
  return error;
}

/* Solves an island by itself until it is below the tolerance, or nothing helps. */
static thud_error solve_island(body_motion *motion, thud_index s, double sharpness) {
  bool solved = false;
  thud_error error = solve_group(motion, (island_group){s, s + 1}, sharpness, &solved);
  return error == THUD_OK && !motion->problem.islands[s].solved ? insist(motion, s, solved) : error;
}

thud_error thud_bodies_solve_island(body_motion *motion, thud_index s) {
  return solve_island(motion, s, FIRST_SHARPNESS);
}

island_group thud_bodies_next_group(const body_motion *motion, thud_index first) {
  const body_problem *p = &motion->problem;
  island_group group = {first, first + 1};
  thud_index contacts = p->islands[first].contacts;
  if (contacts >= ALONE_CONTACTS || thud_bodies_is_coupled(motion, first)) return group;
  while (group.end < p->island_count && p->islands[group.end].contacts < ALONE_CONTACTS && !p->held[group.end] &&
         !thud_bodies_is_coupled(motion, group.end) && contacts + p->islands[group.end].contacts <= POOL_CONTACTS)
    contacts += p->islands[group.end++].contacts;
  return group;
}

/* ---- energy --------------------------------------------------------------------------------------------------------------- */

/* Energy that the impulses of an island give to its motion: sum r.(u + u_minus)/2, which is what kinetic and potential energy
 * change by over the step (body_step.c). Not `strict`: the smaller of this and of sum r.(u + u_free)/2, what they give to
 * the free motion. */
static double energy_gain(const body_motion *motion, thud_index s, bool strict) {
  const body_problem *p = &motion->problem;
  const body_contacts *c = &motion->contacts;
  size_t d = (size_t)p->d;
  double of_free = 0, of_minus = 0;
  for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++) {
    size_t first = (size_t)p->order[at] * d;
    double part =
        thud_bodies_time_part(motion, p->order[at]); /* what forces do at contacts with a time, see body_swept.c */
    for (size_t i = first; i < first + d; i++) {
      double change = part * (c->u_free[i] - c->u_minus[i]);
      of_free += c->r[i] * (0.5 * (c->u[i] + c->u_free[i]) + change);
      of_minus += c->r[i] * (0.5 * (c->u[i] + c->u_minus[i]) + change);
    }
  }
  return strict ? of_minus : fmin(of_free, of_minus);
}

double thud_bodies_island_energy(const body_motion *motion, thud_index s) {
  const body_problem *p = &motion->problem;
  double sum = 0;
  for (thud_index i = p->body_start[s]; i < p->body_start[s + 1]; i++) {
    thud_index body = p->body[i];
    thud_vec3 v = motion->state.velocity_left[body];
    thud_vec3 w = thud_quat_rotate_inverse(motion->state.pose[body].rotation, motion->state.spin_left[body]);
    sum += 0.5 * motion->model.mass[body] * thud_vec3_dot(v, v) +
           0.5 * thud_vec3_dot(w, thud_mat3_apply(motion->model.inertia[body], w));
  }
  return sum;
}

static bool gains(const body_motion *motion, thud_index s, bool strict) {
  return energy_gain(motion, s, strict) > motion->options.energy_tolerance * thud_bodies_island_energy(motion, s);
}

/* Multiplies the restitutions of an island by `factor` and solves it again. */
static thud_error solve_with_factor(body_motion *motion, thud_index s, double factor) {
  body_problem *p = &motion->problem;
  body_contacts *c = &motion->contacts;
  size_t d = (size_t)p->d;
  for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++) {
    thud_index k = p->order[at];
    if (!(c->restitution[k] > 0)) continue;
    double threshold = thud_bodies_rebound(motion, k, factor);
    p->w[(size_t)at * d] += threshold - c->threshold[k];
    c->threshold[k] = threshold;
  }
  p->islands[s].restitution_factor = factor;
  return solve_island(motion, s, FIRST_SHARPNESS);
}

/* The largest factor on all e of the island that does not gain, by bisection to 2^-20. What is gained without restitution,
 * too, does not come from there: then only what impulses give to the free motion is asked about. */
static thud_error reduce_restitution(body_motion *motion, thud_index s) {
  enum { HALVINGS = 20 };
  double good = 0, bad = 1;
  thud_error error = solve_with_factor(motion, s, 0);
  bool strict = !gains(motion, s, true);
  if (error == THUD_OK && !strict) {
    error = solve_with_factor(motion, s, 1);
    if (error != THUD_OK || !gains(motion, s, false)) return error;
  }
  for (int k = 0; k < HALVINGS && error == THUD_OK; k++) {
    double factor = 0.5 * (good + bad);
    error = solve_with_factor(motion, s, factor);
    if (gains(motion, s, strict))
      bad = factor;
    else
      good = factor;
  }
  motion->state.now->info.reduced_restitutions++;
  return error == THUD_OK ? solve_with_factor(motion, s, good) : error;
}

/* True when restitution acts in the island. */
static bool rebounds(const body_motion *motion, thud_index s) {
  const body_problem *p = &motion->problem;
  for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++)
    if (motion->contacts.restitution[p->order[at]] > 0) return true;
  return false;
}

static thud_error refuse_gain(body_motion *motion, thud_index s, double energy) {
  const body_contacts *c = &motion->contacts;
  thud_index k = motion->problem.order[motion->problem.contact_start[s]];
  motion->state.now->info.status = THUD_MOTION_ENERGY;
  thud_fail(
      motion->base.context, THUD_ERROR_NOT_CONVERGED,
      "[energy-gain] restitution and friction create energy (%.3g) in the island of '%s' and '%s' at t = %g; simulate: "
      "{on_energy_gain: reduce_e} takes the largest restitution that does not",
      energy, motion->model.name[c->body_a[k]], motion->model.name[c->body_b[k]], motion->state.now->t);
  return THUD_OK;
}

/* The island once more, so sharply that the tolerance is not taken for a gain. */
static thud_error sharpen(body_motion *motion, thud_index s) {
  double sharpness = SHARPER * fmin(motion->options.energy_tolerance / motion->options.tolerance, 1);
  return sharpness > 0 ? solve_island(motion, s, sharpness) : THUD_OK;
}

static thud_error audit(body_motion *motion, thud_index s) {
  bool strict = motion->options.on_energy_gain == THUD_GAIN_REDUCE_E;
  if (motion->options.on_energy_gain == THUD_GAIN_ALLOW || !rebounds(motion, s) || !gains(motion, s, strict))
    return THUD_OK;
  thud_error error = sharpen(motion, s);
  if (error != THUD_OK || !gains(motion, s, strict)) return error;
  if (motion->options.on_energy_gain == THUD_GAIN_REDUCE_E) return reduce_restitution(motion, s);
  return refuse_gain(motion, s, energy_gain(motion, s, false));
}

/* An island that is struck, by a law of multiple impacts. Its residual is the law's own, and has a contact also where Newton's
 * finds no error in any of them. */
static thud_error strike(body_motion *motion, thud_index s) {
  thud_percussion_info info = {0};
  thud_body_island *island = &motion->problem.islands[s];
  thud_error error = thud_bodies_strike(motion, s, &info);
  if (error != THUD_OK) return error;
  thud_bodies_scale_island(motion, s);
  thud_bodies_move_island(motion, s);
  thud_bodies_judge_island(motion, s);
  island->residual = info.residual;
  if (island->worst < 0) island->worst = motion->problem.order[motion->problem.contact_start[s]];
  island->solved = info.status == THUD_SOLVED;
  motion->method = "impact law";
  if (info.restitution_factor < 1) motion->state.now->info.reduced_restitutions++;
  return info.refused ? refuse_gain(motion, s, energy_gain(motion, s, false)) : THUD_OK;
}

/* ---- the whole step ------------------------------------------------------------------------------------------------------- */

/* Sticks, slides or is open; sliding below rounding is none. */
static void find_states(body_motion *motion) {
  body_contacts *c = &motion->contacts;
  size_t d = (size_t)motion->problem.d, tangents = motion->model.planar ? 1 : 2;
  for (thud_index k = 0; k < c->count; k++) {
    const double *r = c->r + (size_t)k * d;
    double tangential = tangents == 1 ? fabs(r[1]) : hypot(r[1], r[2]);
    double most = fmax(c->mu[k], c->mu_across[k]) * r[0];
    c->state[k] = !(r[0] > 0)                      ? THUD_BODY_CONTACT_OPEN
                  : tangential < most * (1 - 1e-9) ? THUD_BODY_CONTACT_STICKS
                                                   : THUD_BODY_CONTACT_SLIDES;
  }
}

/* Bodies without contacts fall freely, those on paths follow them. */
static void fall_freely(body_motion *motion) {
  const body_problem *p = &motion->problem;
  for (thud_index i = 0; i < motion->model.count; i++)
    if (motion->model.role[i] == THUD_BODY_KINEMATIC || (motion->moves[i] && p->parent[i] < 0)) {
      motion->state.velocity[i] = motion->velocity_free[i];
      motion->state.spin[i] = motion->spin_free[i];
    }
}

/* One group does not know what became of the others: it is the same on any thread. */
thud_error thud_bodies_solve_group(body_motion *motion, island_group group) {
  const body_problem *p = &motion->problem;
  bool solved = false;
  motion->infeasible = false;
  thud_error error = solve_group(motion, group, FIRST_SHARPNESS, &solved);
  for (thud_index s = group.first; s < group.end && error == THUD_OK; s++) {
    if (!p->islands[s].solved) error = insist(motion, s, solved);
    if (error == THUD_OK) error = audit(motion, s);
  }
  return error;
}

/* Under another law than Newton's, where islands are struck or solved one by one. */
static thud_error solve_one_by_one(body_motion *motion) {
  thud_error error = THUD_OK;
  bool infeasible = false;
  for (thud_index s = 0; s < motion->problem.island_count && error == THUD_OK; s++) {
    if (motion->problem.held[s]) continue;
    if (thud_bodies_is_struck(motion, s))
      error = strike(motion, s);
    else
      error = thud_bodies_solve_group(motion, (island_group){s, s + 1});
    infeasible = infeasible || motion->infeasible;
  }
  motion->infeasible = infeasible;
  return error;
}

thud_error thud_bodies_solve(body_motion *motion) {
  motion->state.now->iterations = 0;
  motion->method = "none";
  motion->infeasible = false;
  fall_freely(motion);
  for (thud_index s = 0; s < motion->problem.island_count; s++) motion->problem.held[s] = false;
  thud_error error = motion->options.sleep ? thud_bodies_hold_sleepers(motion) : THUD_OK;
  if (error == THUD_OK) error = motion->impact != NULL ? solve_one_by_one(motion) : thud_bodies_solve_groups(motion);
  find_states(motion);
  return error;
}

/* ---- laws of multiple impacts other than Newton's -------------------------------------------------------------------- */

/* Islands in which something strikes are handed to the laws of model (model/bodies_impact.h) with a full W. */

enum { MOST_CONTACTS = 1000 }; /* W is full: 72 MB then */

thud_error thud_bodies_create_impact(body_motion *motion) {
  const thud_body_motion_options *options = &motion->options;
  static const char *const names[] = {"canonical", "newton", "sequential", "lzb"};
  if (options->impact_law == THUD_IMPACT_NEWTON) return THUD_OK;
  if (motion->problem.d > (motion->model.planar ? 2 : 3))
    return thud_fail(motion->base.context, THUD_ERROR_UNSUPPORTED,
                     "[unsupported-method] impact law '%s' has no rolling or spinning friction; take 'newton', or "
                     "materials without them",
                     names[options->impact_law]);
  for (thud_index k = 0; k < motion->model.joint_count; k++)
    if (motion->model.joints[k].law_count > 0)
      return thud_fail(motion->base.context, THUD_ERROR_UNSUPPORTED,
                       "[unsupported-method] impact law '%s' knows no limits, motors and friction of joints, as '%s' "
                       "has; take 'newton'",
                       names[options->impact_law], motion->model.joints[k].name);
  thud_percussion_options law = thud_percussion_options_default();
  law.law = options->impact_law;
  law.on_energy_gain = options->on_energy_gain;
  law.energy_tolerance = options->energy_tolerance;
  law.tolerance = options->tolerance;
  return thud_bodies_impact_create(motion->base.context, motion->problem.d, 16, &law, &motion->impact);
}

bool thud_bodies_is_struck(const body_motion *motion, thud_index s) {
  const body_problem *p = &motion->problem;
  if (motion->impact == NULL) return false;
  for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++)
    if (motion->contacts.impact[p->order[at]]) return true;
  return false;
}

/* B += J_i M^-1 J_j' of the rows of two contacts on one body; B is a block of W, whose rows are `rows` long. */
static void add_block(const body_problem *p, const double *Ji, const double *Jj, thud_index body, size_t rows,
                      double *B) {
  size_t d = (size_t)p->d, n = (size_t)p->block;
  const double *M = p->inverse_mass + (size_t)body * n * n;
  for (size_t i = 0; i < d; i++) {
    double row[6] = {0};
    for (size_t b = 0; b < n; b++)
      for (size_t a = 0; a < n; a++) row[b] += Ji[i * n + a] * M[b * n + a];
    for (size_t j = 0; j < d; j++)
      for (size_t b = 0; b < n; b++) B[i + j * rows] += row[b] * Jj[j * n + b];
  }
}

/* Full W of the contacts listed in impact_at[count]. */
static void assemble_matrix(body_motion *motion, size_t count) {
  const body_problem *p = &motion->problem;
  body_strike *k = &motion->strike;
  size_t d = (size_t)p->d, rows = count * d, step = d * (size_t)p->block;
  for (size_t i = 0; i < rows * rows; i++) k->W[i] = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++) {
      size_t x = (size_t)k->at[i], y = (size_t)k->at[j];
      const double *J[2][2] = {{p->jacobian_a + x * step, p->jacobian_b + x * step},
                               {p->jacobian_a + y * step, p->jacobian_b + y * step}};
      thud_index body[2][2] = {{p->a[x], p->b[x]}, {p->a[y], p->b[y]}};
      for (int m = 0; m < 2; m++)
        for (int n = 0; n < 2; n++)
          if (body[0][m] >= 0 && body[0][m] == body[1][n])
            add_block(p, J[0][m], J[1][n], body[0][m], rows, k->W + i * d + j * d * rows);
    }
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < i; j++)
      k->W[i + j * rows] = k->W[j + i * rows] = 0.5 * (k->W[i + j * rows] + k->W[j + i * rows]);
}

enum { STRIKE_ARRAYS = 7 };

static void list_arrays(body_strike *k, size_t d, body_array *list) {
  const body_array arrays[STRIKE_ARRAYS] = {{&k->at, sizeof(thud_index)},      {&k->mu, sizeof(double)},
                                            {&k->restitution, sizeof(double)}, {&k->u_minus, d * sizeof(double)},
                                            {&k->u_free, d * sizeof(double)},  {&k->r, d * sizeof(double)},
                                            {&k->u, d * sizeof(double)}};
  for (size_t i = 0; i < STRIKE_ARRAYS; i++) list[i] = arrays[i];
}

static thud_error reserve(body_motion *motion, size_t count) {
  body_strike *k = &motion->strike;
  body_array arrays[STRIKE_ARRAYS];
  size_t d = (size_t)motion->problem.d, rows = count * d;
  list_arrays(k, d, arrays);
  thud_error error = thud_array_reserve(motion->base.context, &k->W, &k->matrix_capacity, rows * rows, sizeof *k->W);
  return error == THUD_OK ? thud_bodies_grow(motion->base.context, STRIKE_ARRAYS, arrays, &k->capacity, count) : error;
}

void thud_bodies_free_impact(body_motion *motion) {
  body_array arrays[STRIKE_ARRAYS];
  list_arrays(&motion->strike, (size_t)motion->problem.d, arrays);
  thud_bodies_release(motion->base.context, STRIKE_ARRAYS, arrays);
  thud_free(motion->base.context, motion->strike.W);
  thud_bodies_impact_destroy(motion->impact);
}

/* The closed contacts of the island; those that are only near have no part in a blow. */
static size_t list_contacts(body_motion *motion, thud_index s) {
  const body_problem *p = &motion->problem;
  const body_contacts *c = &motion->contacts;
  body_strike *k = &motion->strike;
  size_t d = (size_t)p->d, count = 0;
  for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++) {
    thud_index contact = p->order[at];
    if (!c->closed[contact]) continue;
    for (size_t i = 0; i < d; i++) {
      k->u_minus[count * d + i] = c->u_minus[(size_t)contact * d + i];
      k->u_free[count * d + i] = c->u_free[(size_t)contact * d + i];
      k->r[count * d + i] = 0;
    }
    k->mu[count] = p->mu[at];
    k->restitution[count] = c->material_restitution[contact];
    k->at[count++] = at;
  }
  return count;
}

thud_error thud_bodies_full_matrix(body_motion *motion, thud_index s, double **W) {
  const body_problem *p = &motion->problem;
  body_strike *k = &motion->strike;
  thud_index first = p->contact_start[s], own = p->contact_start[s + 1] - first;
  thud_index contacts = own + thud_bodies_count_laws(motion, s);
  if (contacts > MOST_CONTACTS)
    return thud_fail(motion->base.context, THUD_ERROR_UNSUPPORTED,
                     "[unsupported-method] joints, stiff springs or dampers connect bodies of an island of %d contacts "
                     "and laws of joints: at most %d are possible",
                     (int)contacts, MOST_CONTACTS);
  thud_error error = reserve(motion, (size_t)contacts);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < own; i++) k->at[i] = first + i;
  for (thud_index i = own; i < contacts; i++)
    k->at[i] = motion->contacts.count + (thud_index)motion->laws.order[motion->laws.start[s] + (size_t)(i - own)];
  assemble_matrix(motion, (size_t)contacts);
  *W = k->W;
  return thud_bodies_couple_matrix(motion, (size_t)contacts, k->at, k->W);
}

thud_error thud_bodies_strike(body_motion *motion, thud_index s, thud_percussion_info *info) {
  body_problem *p = &motion->problem;
  body_strike *k = &motion->strike;
  size_t d = (size_t)p->d;
  if (p->islands[s].contacts > MOST_CONTACTS)
    return thud_fail(
        motion->base.context, THUD_ERROR_UNSUPPORTED,
        "[unsupported-method] an island of %d contacts is struck: impact laws other than newton take at most %d",
        (int)p->islands[s].contacts, MOST_CONTACTS);
  thud_error error = reserve(motion, (size_t)p->islands[s].contacts);
  if (error != THUD_OK) return error;
  size_t count = list_contacts(motion, s);
  assemble_matrix(motion, count);
  error = thud_bodies_couple_matrix(motion, count, k->at, k->W);
  if (error != THUD_OK) return error;
  thud_bodies_impact_data data = {.count = (thud_index)count,
                                  .W = k->W,
                                  .u_minus = k->u_minus,
                                  .u_free = k->u_free,
                                  .mu = k->mu,
                                  .restitution = k->restitution,
                                  .energy = thud_bodies_island_energy(motion, s)};
  error = thud_bodies_impact_solve(motion->impact, &data, k->r, k->u, info);
  if (error != THUD_OK) return error;
  for (size_t i = (size_t)p->contact_start[s] * d; i < (size_t)p->contact_start[s + 1] * d; i++) p->r[i] = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < d; j++) p->r[(size_t)k->at[i] * d + j] = k->r[i * d + j];
  p->islands[s].restitution_factor = info->restitution_factor;
  return THUD_OK;
}
