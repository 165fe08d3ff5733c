/* Islands whose bodies springs, joints or their laws connect: their local problem has a full W.
 *
 * Contacts and laws are one problem, in which laws stand as contacts (body_law_solve.c); then laws are settled exactly. What
 * contacts miss after that is corrected from the rates u that the present impulses r give, with q = u - W r: it has what W errs by
 * and what bounds of pins have changed by. Turns of two kinds alternate, and each begins at the best impulses so far:
 *   together   contacts and laws once more, where bounds change or laws change their sides
 *   contacts   for W' = W_cc - W_cl W_ll^-1 W_lc, which leaves out the laws that are inside of their intervals: if no law changes its
 *              side, only the residual of the solver stays */
#include "motions/bodies/body_motion.h"
#include "solve/method.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_TURNS = 40, IN_VAIN = 6 };
/* Of the tolerance, in the first turn and from turn to turn. */
static const double SHARPNESS = 0.1, SHARPER = 0.3;
static const double ROUNDING = 16 * DBL_EPSILON;

/* Friction of the contacts of an island, with room for that of its laws. */
static void copy_friction(body_motion *motion, thud_index s, thud_index laws, thud_contact_problem *problem) {
  body_problem *p = &motion->problem;
  thud_index first = p->contact_start[s], contacts = p->contact_start[s + 1] - first, count = contacts + laws;
  const double *from[] = {p->mu, p->view.mu_rolling, p->view.mu_spinning};
  const double **to[] = {&problem->mu, &problem->mu_rolling, &problem->mu_spinning};
  for (size_t k = 0; k < sizeof to / sizeof *to; k++) {
    double *copy = p->group_mu + k * (size_t)count;
    if (from[k] == NULL) continue;
    for (thud_index i = 0; i < count; i++) copy[i] = i < contacts ? from[k][first + i] : 0;
    *to[k] = copy;
  }
}

/* Island s, springs, joints or laws of which connect bodies, with a full W in its own units; q to p->group_w. Laws follow the
 * contacts. */
thud_error thud_bodies_coupled_problem(body_motion *motion, thud_index s, thud_contact_problem *problem) {
  body_problem *p = &motion->problem;
  const body_contacts *c = &motion->contacts;
  thud_index first = p->contact_start[s], contacts = p->contact_start[s + 1] - first;
  size_t d = (size_t)p->d, rows = (size_t)contacts * d;
  double velocity, mass, *W = NULL;
  thud_index laws = thud_bodies_count_laws(motion, s);
  size_t all = rows + (size_t)laws * d;
  thud_error error = thud_bodies_full_matrix(motion, s, &W);
  if (error == THUD_OK) error = thud_bodies_keep_law_matrix(motion, s, W, all);
  if (error != THUD_OK) return error;
  thud_bodies_find_units(motion, s, &velocity, &mass);
  for (size_t i = 0; i < all * all; i++) W[i] *= mass;
  for (size_t i = 0; i < rows; i++) {
    size_t k = (size_t)p->order[(size_t)first + i / d], j = k * d + i % d;
    double load = i % d == 0 ? c->threshold[k] : c->wander[j];
    p->group_w[i] = (c->u_free[j] + load) / velocity;
    p->group_r[i] = p->r[(size_t)first * d + i] / (mass * velocity);
  }
  *problem = p->view;
  copy_friction(motion, s, laws, problem);
  thud_bodies_load_laws(motion, s, all, velocity, mass, W, p->group_mu);
  problem->form = THUD_FORM_LOCAL;
  problem->contacts = contacts + laws;
  problem->W =
      (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = (thud_index)all, .columns = (thud_index)all, .dense = W};
  problem->q = p->group_w;
  return THUD_OK;
}

/* ---- corrections --------------------------------------------------------------------------------------------------------- */

/* q = u - W r from rates u in p->group_w and impulses in p->group_r, with a part `near` of the diagonals of `kept` rows added to W: the
 * answer is the same where r is it, and otherwise nearer to r. */
static void find_q(body_problem *p, size_t rows, size_t kept, double near, double *W) {
  for (size_t i = 0; i < kept; i++) W[i + i * rows] *= 1 + near;
  for (size_t k = 0; k < rows; k++)
    for (size_t i = 0; i < rows; i++) p->group_w[i] -= W[i + k * rows] * p->group_r[k];
}

static void put_rates(body_motion *motion, thud_index s, size_t rows, double velocity) {
  body_problem *p = &motion->problem;
  const body_contacts *c = &motion->contacts;
  size_t d = (size_t)p->d, first = (size_t)p->contact_start[s];
  for (size_t i = 0; i < rows; i++) {
    size_t j = (size_t)p->order[first + i / d] * d + i % d;
    p->group_w[i] = (c->u[j] + (i % d == 0 ? c->threshold[j / d] : c->wander[j])) / velocity;
  }
}

/* Contacts and laws at the present impulses. */
static thud_error whole_problem(body_motion *motion, thud_index s, double velocity, double near,
                                thud_contact_problem *problem) {
  size_t d = (size_t)motion->problem.d, all;
  thud_index contacts = motion->problem.islands[s].contacts;
  thud_error error = thud_bodies_coupled_problem(motion, s, problem);
  if (error != THUD_OK) return error;
  all = (size_t)problem->contacts * d;
  put_rates(motion, s, (size_t)contacts * d, velocity);
  thud_bodies_put_law_rates(motion, s, all, velocity);
  find_q(&motion->problem, all, (size_t)contacts * d, near, motion->strike.W);
  return THUD_OK;
}

/* W' and q of the contacts. */
static thud_error reduced_problem(body_motion *motion, thud_index s, double velocity, double mass, double near,
                                  thud_contact_problem *problem) {
  body_problem *p = &motion->problem;
  thud_index first = p->contact_start[s], contacts = p->contact_start[s + 1] - first;
  size_t d = (size_t)p->d, rows = (size_t)contacts * d, all = rows + (size_t)thud_bodies_count_laws(motion, s) * d;
  double *W = NULL;
  thud_error error = thud_bodies_full_matrix(motion, s, &W);
  if (error != THUD_OK) return error;
  thud_bodies_take_out_laws(motion, s, W, all);
  for (size_t j = 0; j < rows; j++) memmove(W + j * rows, W + j * all, rows * sizeof *W);
  for (size_t i = 0; i < rows * rows; i++) W[i] *= mass;
  for (size_t i = 0; i < rows; i++) p->group_r[i] = p->r[(size_t)first * d + i] / (mass * velocity);
  put_rates(motion, s, rows, velocity);
  find_q(p, rows, rows, near, W);
  *problem = p->view;
  copy_friction(motion, s, 0, problem);
  problem->form = THUD_FORM_LOCAL;
  problem->contacts = contacts;
  problem->W =
      (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = (thud_index)rows, .columns = (thud_index)rows, .dense = W};
  problem->q = p->group_w;
  return THUD_OK;
}

/* The solver's tolerance, which is relative to |q|. */
static double tolerance_of(const body_motion *motion, thud_index s, double velocity, size_t rows, double sharpness) {
  const body_problem *p = &motion->problem;
  const thud_body_island *island = &p->islands[s];
  double size = sqrt(body_dot(rows, p->group_w, p->group_w)), tolerance = motion->options.tolerance;
  double wanted = sharpness * fmax(tolerance * island->scale, island->noise) / velocity;
  return fmax(size > 0 ? fmin(wanted / size, tolerance) : tolerance, ROUNDING);
}

static thud_error turn(body_motion *motion, thud_index s, const thud_solver_method *method, thud_solver **solver,
                       bool together, double near, double sharpness) {
  body_problem *p = &motion->problem;
  thud_contact_problem problem;
  thud_solver_info info = {0};
  thud_solver_options options = motion->options.solver;
  double velocity, mass;
  thud_bodies_find_units(motion, s, &velocity, &mass);
  thud_error error = together ? whole_problem(motion, s, velocity, near, &problem)
                              : reduced_problem(motion, s, velocity, mass, near, &problem);
  if (error != THUD_OK || (method != NULL && !thud_solver_method_takes(method, &problem))) return error;
  options.tolerance = tolerance_of(motion, s, velocity, (size_t)problem.contacts * (size_t)p->d, sharpness);
  error = thud_bodies_run_solver(motion, &problem, solver, method, &options, &info);
  if (error != THUD_OK) return error;
  motion->method = info.method;
  if (info.status == THUD_SOLVER_INTERRUPTED) return THUD_ERROR_INTERRUPTED;
  if (together) thud_bodies_unload_laws(motion, s, velocity, mass);
  thud_bodies_unscale_island(motion, s, p->contact_start[s]);
  return thud_bodies_judge_impulses(motion, s);
}

/* Notes the impulses of the island where they are better than the best ones so far, p->kept. */
static bool is_better(body_motion *motion, thud_index s, double *best) {
  body_problem *p = &motion->problem;
  size_t d = (size_t)p->d, first = (size_t)p->contact_start[s] * d, end = (size_t)p->contact_start[s + 1] * d;
  if (!(p->islands[s].residual < *best)) return false;
  *best = p->islands[s].residual;
  memcpy(p->kept, p->r + first, (end - first) * sizeof *p->kept);
  return true;
}

/* The impulses plus a part of the way to the best ones. */
static thud_error go_back(body_motion *motion, thud_index s, double part) {
  body_problem *p = &motion->problem;
  size_t d = (size_t)p->d, first = (size_t)p->contact_start[s] * d, end = (size_t)p->contact_start[s + 1] * d;
  for (size_t i = first; i < end; i++)
    p->r[i] = part < 1 ? p->r[i] + part * (p->kept[i - first] - p->r[i]) : p->kept[i - first];
  return thud_bodies_judge_impulses(motion, s);
}

/* Turns alternate. Where one together is in vain, contacts alone are tried from the best impulses, since they stay nearer to them where
 * impulses are not unique; where that is in vain too, the turn together has gone too far, as where a pin presses back on what
 * presses it: the next one begins half-way. */
thud_error thud_bodies_correct(body_motion *motion, thud_index s, double near, const thud_solver_method *method,
                               thud_solver **solver) {
  const thud_body_island *island = &motion->problem.islands[s];
  bool laws = thud_bodies_count_laws(motion, s) > 0, together = laws, alone_fails = false;
  double best = INFINITY, sharpness = SHARPNESS;
  int vain = 0;
  thud_error error = THUD_OK;
  is_better(motion, s, &best);
  for (int k = 0; k < MOST_TURNS && vain < IN_VAIN && !island->solved && error == THUD_OK; k++) {
    error = turn(motion, s, method, solver, together, near, sharpness);
    sharpness *= SHARPER;
    if (error != THUD_OK) return error;
    bool better = is_better(motion, s, &best), half = together && alone_fails;
    vain = better ? 0 : vain + 1;
    alone_fails = !better && (alone_fails || !together);
    if (!better) error = go_back(motion, s, half ? 0.5 : 1);
    if (error == THUD_OK) is_better(motion, s, &best);
    together = laws && (alone_fails || !together);
  }
  return error == THUD_OK && island->residual > best ? go_back(motion, s, 1) : error;
}

/* ---- thick pins ---------------------------------------------------------------------------------------------------------- */

/* Where bounds of pins and contacts do not agree in turns, bounds are searched between which both are solved. */
typedef struct between {
  double *best; /* [rows] impulses of the contacts that are best with bounds that follow the forces */
  double residual;
  bool found;      /* the last ones obey all laws with bounds that follow the forces */
  int corrections; /* of contacts and laws, so far */
} between;

/* A correction is a solve of the whole island: a search that needs more of them does not converge. */
enum { MOST_CORRECTIONS = 40 };

/* From here on bounds that a search proposes are tried. */
static const double NEARLY = 1e-4;

static void note_best(body_motion *motion, thud_index s, between *x) {
  const body_problem *p = &motion->problem;
  size_t d = (size_t)p->d, first = (size_t)p->contact_start[s] * d, end = (size_t)p->contact_start[s + 1] * d;
  if (motion->laws.unsettled != NULL || !(p->islands[s].residual < x->residual)) return;
  x->residual = p->islands[s].residual;
  memcpy(x->best, p->r + first, (end - first) * sizeof *x->best);
}

/* Contacts and laws with the present bounds; then, where these nearly agree with the forces, whether all laws hold. */
static thud_error answer_between(body_motion *motion, thud_index s, void *user, double changed, bool *done) {
  thud_error error = THUD_OK;
  between *x = user;
  if (changed < INFINITY) {
    if (changed > NEARLY) return THUD_OK;
    error = thud_bodies_judge_impulses(motion, s);
    if (error == THUD_OK) note_best(motion, s, x);
    *done = x->found = motion->problem.islands[s].solved;
    return error;
  }
  *done = x->corrections++ == MOST_CORRECTIONS;
  if (*done) return THUD_OK;
  motion->laws.keeps_bounds = true;
  error = thud_bodies_judge_impulses(motion, s);
  if (error == THUD_OK && !motion->problem.islands[s].solved)
    error = thud_bodies_correct(motion, s, 0, motion->options.method, &motion->coupled);
  motion->laws.keeps_bounds = false;
  return error;
}

thud_error thud_bodies_correct_pins(body_motion *motion, thud_index s) {
  body_problem *p = &motion->problem;
  size_t d = (size_t)p->d, first = (size_t)p->contact_start[s] * d, end = (size_t)p->contact_start[s + 1] * d;
  between x = {.best = THUD_NEW_ARRAY(motion->base.context, double, end - first), .residual = INFINITY};
  if (x.best == NULL) return THUD_ERROR_MEMORY;
  memcpy(x.best, p->r + first, (end - first) * sizeof *x.best);
  note_best(motion, s, &x);
  thud_error error = thud_bodies_search_pins(motion, s, answer_between, &x);
  motion->laws.keeps_bounds = false;
  if (error == THUD_OK && !x.found) {
    memcpy(p->r + first, x.best, (end - first) * sizeof *x.best);
    error = thud_bodies_judge_impulses(motion, s);
  }
  thud_free(motion->base.context, x.best);
  return error;
}
