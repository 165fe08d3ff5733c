/* Interior point method on second-order cones, with De Saxce's shift in its Newton system.
 *
 * With y = (mu r_N, r_T) and z = (u~_N / mu, u_T) at each contact, Coulomb's law is  L contains y perp z in L,
 * u = A x + q  and  u~_N = u_N + mu |u_T|: were the shift mu |u_T| a given number, this would be the optimality system
 * of a convex program (whose solutions hover over the ground where they slide, and are not Coulomb's). Here the shift
 * is a function of z like everything else, smoothed to mu sqrt(|u_T|^2 + eps^2), and linearised in each step; eps falls
 * with the gap y.z. (Continuation by the shift: Acary, Armand, Nguyen and Shpakovych, Second-order cone programming for
 * frictional contact mechanics using interior point algorithm, Optim. Methods Softw. 39, 2024.) Steps: Nesterov-Todd
 * scaling, predictor and corrector (interior_point_step.c). Whenever the gap has fallen enough, Newton steps on the
 * modes found so far are tried (interior_point_polish.c).
 *
 * The shift makes the problem neither convex nor monotone, so that a path can end nowhere. Then others are begun,
 * further inside the cones. Warm starts are not used: points on the boundary are not starts for interior ones.
 *
 * Where everything rests, u_T = 0 and with it the shift: the convex program without it has Coulomb's solution then, and a
 * symmetric matrix. Its path is the first one where the shift at the start is small. It ends well inside the cones, in
 * impulses that go on to hold what rests in later steps of a motion. */
#include "solve/interior_point.h"
#include "solve/first_order.h"
#include "solve/projected_gradient_cone.h"

#include <math.h>
#include <string.h>

/* Where the paths begin: normal impulses and shifted velocities in units of max |q|. */
typedef struct beginning {
  double impulse, velocity;
} beginning;
static const beginning beginnings[] = {{1, 1}, {10, 5}, {200, 100}, {0.1, 0.3}};
enum { BEGINNINGS = sizeof beginnings / sizeof *beginnings };

enum { PATH_STEPS = 80, PATIENCE = 15 }; /* steps of one path, and those in a row that need not halve the gap */
static const double PROGRESS = 0.5;
/* How much of the derivative of the shift the matrix has (thud_interior_step); the next one after a short step. */
static const double couplings[] = {0.9, 1, 0.8, 0.5, 0.95};
enum { COUPLINGS = sizeof couplings / sizeof *couplings };
static const double SHORT = 0.1;
static const double POLISH_GAP = 1e-3;   /* in units^2: when polishing is tried first, */
static const double POLISH_AGAIN = 0.01; /* and by what the gap has to fall until it is tried again */

/* The shift at the start, beside |q|, up to which the convex problem is tried; its residual has to halve in so many steps. */
static const double RESTS = 0.02;
enum { CONVEX_PATIENCE = 4 };
/* Its beginning near the impulses of the start, in units^2 and units, and what each step there has to leave at most. */
static const double NEAR_GAP = 1e-2, NEAR_INSIDE = 0.1, NEAR_PROGRESS = 0.25;
/* It is tried where all but so many contacts have r_T below this part of mu r_N. */
static const double NEAR_EDGE = 0.98, NEAR_OUTSIDE = 0.02;
/* What is solved is solved to this part of the tolerance, if so many steps reach it. */
static const double INSIDE = 1e-4;
enum { INSIDE_STEPS = 6 };

/* The same in the space of bodies, whose problems are large: another beginning is better than a long path (chosen on piles of
 * discs, judged on piles of balls). */
enum { SPACE_PATIENCE = 8 };
static const double SPACE_POLISH_GAP = 2e-3;

/* rho of polishing, beside a diagonal of A of about 1; the others at the end of a path. */
static const double polish_rhos[] = {1, 100, 0.01};
enum { POLISH_RHOS = sizeof polish_rhos / sizeof *polish_rhos };

/* ---- create, update, destroy ------------------------------------------------------------------------------ */

static void destroy(thud_solver *solver) {
  thud_interior_point *point = solver->state;
  thud_interior_system_destroy(&point->system);
  void *arrays[] = {point->cones, point->cone_start, point->blocks, point->memory};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(solver->context, arrays[k]);
  thud_free(solver->context, point);
  solver->state = NULL;
}

#define PLACE(name) offsetof(thud_interior_point, name)

static thud_error allocate_point(thud_context *context, const thud_contact_problem *problem,
                                 thud_interior_point *point) {
  size_t contacts = (size_t)problem->contacts, d = (size_t)problem->dimension, blocks = 0;
  size_t n = thud_contact_ndof(problem) + thud_contact_size(problem) + (size_t)problem->bilateral;
  static const size_t vectors[] = {PLACE(x),     PLACE(v),     PLACE(polished_x), PLACE(polished_v), PLACE(u),
                                   PLACE(fault), PLACE(slope), PLACE(bend),       PLACE(right),      PLACE(step)};
  const thud_first_order_places places = {.count = sizeof vectors / sizeof *vectors, .offsets = vectors};
  size_t discs = thud_disc_layout_of(problem->dimension, problem->friction)->count;
  size_t cones_per_contact = discs > 1 ? discs : 1;
  if (!thud_size_multiply(contacts, 2 * d * d, &blocks)) return THUD_ERROR_OVERFLOW;
  point->cones = THUD_NEW_ARRAY(context, thud_interior_cone, cones_per_contact * contacts);
  point->cone_start = THUD_NEW_ARRAY(context, size_t, contacts + 1);
  point->blocks = THUD_NEW_ARRAY(context, double, blocks);
  if (point->cones == NULL || point->cone_start == NULL || point->blocks == NULL) return THUD_ERROR_MEMORY;
  point->multipliers = point->blocks + blocks / 2;
  return thud_first_order_vectors(context, n, places, point, &point->memory);
}

static thud_error create(thud_solver *solver) {
  thud_interior_point *point = THUD_NEW(solver->context, thud_interior_point);
  if (point == NULL) return THUD_ERROR_MEMORY;
  solver->state = point;
  thud_error error = thud_interior_system_create(solver->context, solver->inner, &point->system);
  if (error == THUD_OK) error = allocate_point(solver->context, solver->inner, point);
  if (error != THUD_OK) destroy(solver);
  return error;
}

static void set_cones(thud_interior_point *point) {
  const thud_scaled_form *form = &point->system.form;
  const thud_disc_layout *layout = form->scaled.layout;
  size_t count = 0;
  for (size_t k = 0; k < form->contacts; k++) {
    double mu[THUD_CONTACT_DISCS_MAX];
    thud_contact_discs_at(&form->scaled, k, mu);
    point->cone_start[k] = count;
    for (size_t p = 0; p < layout->count; p++)
      if (mu[p] > 0)
        point->cones[count++] =
            (thud_interior_cone){.m = 1 + layout->width[p], .tangential = layout->first[p], .mu = mu[p]};
    if (count == point->cone_start[k]) point->cones[count++] = (thud_interior_cone){.m = 1, .mu = 1};
  }
  point->cone_start[form->contacts] = count;
}

static thud_contact_evaluator *evaluator_of(const thud_solver *solver) {
  return solver->inner == &solver->problem ? solver->judgement : solver->tests;
}

static thud_error update(thud_solver *solver) {
  thud_interior_point *point = solver->state;
  const thud_scaled_form *form = &point->system.form;
  thud_error error = thud_interior_system_update(&point->system, solver->inner);
  if (error != THUD_OK) return error;
  set_cones(point);
  const double *q = point->system.global ? thud_contact_evaluator_q(evaluator_of(solver)) : NULL;
  point->unit = 0;
  for (size_t i = 0; i < form->size; i++)
    point->unit = fmax(point->unit, fabs(q != NULL ? form->scale[i] * q[i] : form->q[i]));
  if (!(point->unit > 0)) point->unit = 1;
  return THUD_OK;
}

/* ---- solve --------------------------------------------------------------------------------------------------- */

/* In the global form v is that of the impulses. */
static thud_error start_at(thud_solver *solver, const beginning *at) {
  thud_interior_point *point = solver->state;
  const thud_scaled_form *form = &point->system.form;
  thud_contact_residual residual;
  thud_interior_point_centre(point, at->impulse, at->velocity);
  if (!point->system.global) return THUD_OK;
  thud_scaled_form_store(form, point->x, solver->r, solver->l);
  const double *l = form->rows > 0 ? solver->l : NULL;
  thud_contact_evaluator *evaluator = evaluator_of(solver);
  thud_error error = thud_contact_evaluator_evaluate(evaluator, solver->r, NULL, l, NULL, &residual);
  if (error == THUD_OK) memcpy(point->v, thud_contact_evaluator_v(evaluator), point->system.offset * sizeof(double));
  return error;
}

/* Follows one path until it is solved, or leads nowhere. */
static thud_error follow_path(thud_solver *solver, const beginning *at) {
  thud_interior_point *point = solver->state;
  thud_interior_step step = {.smoothing = INFINITY, .coupling = couplings[0]};
  bool in_space = point->system.in_space;
  int patience = in_space ? SPACE_PATIENCE : PATIENCE;
  double square = point->unit * point->unit, least = INFINITY;
  double polish_gap = (in_space ? SPACE_POLISH_GAP : POLISH_GAP) * square;
  thud_error error = start_at(solver, at);
  int coupling = 0;
  for (int k = 0, last = 0; k < PATH_STEPS && k - last < patience; k++) {
    if (error != THUD_OK || !thud_solver_goes_on(solver) || !thud_interior_point_step(point, &step)) break;
    solver->iterations++;
    thud_scaled_form_store(&point->system.form, point->x, solver->r, solver->l);
    error = thud_solver_test(solver);
    if (step.length < SHORT) step.coupling = couplings[++coupling % COUPLINGS];
    if (step.gap < PROGRESS * least) {
      least = step.gap;
      last = k;
    }
    if (error != THUD_OK || solver->stopped || !(step.gap < polish_gap)) continue;
    error = thud_interior_point_polish(solver, polish_rhos[0], solver->last_residual);
    polish_gap = POLISH_AGAIN * step.gap;
  }
  for (int k = 0; k < POLISH_RHOS && error == THUD_OK && !solver->stopped; k++)
    error = thud_interior_point_polish(solver, polish_rhos[k], INFINITY);
  return error;
}

/* |shift| of the velocities that were tested last, beside |q|. */
static bool rests(const thud_solver *solver) {
  const thud_scaled_form *form = &((const thud_interior_point *)solver->state)->system.form;
  double sum = 0;
  for (size_t k = 0; k < form->contacts; k++) {
    double shift = thud_gradient_cone_shift(&form->discs, k, solver->u + k * form->d);
    sum += shift * shift;
  }
  return sqrt(sum) <= RESTS * solver->best_found.scale;
}

/* One step of the convex path, tested. False when it could not be made. */
static bool step_convex(thud_solver *solver, thud_interior_step *step, thud_error *error) {
  thud_interior_point *point = solver->state;
  if (!thud_interior_point_step(point, step)) return false;
  solver->iterations++;
  thud_scaled_form_store(&point->system.form, point->x, solver->r, solver->l);
  *error = thud_solver_test(solver);
  return *error == THUD_OK;
}

/* Steps past the solution, which cost little beside those that later steps of a motion are spared; the last one stays only
 * if it has brought something. */
static thud_error go_inside(thud_solver *solver, thud_interior_step *step) {
  thud_interior_point *point = solver->state;
  size_t total = point->system.form.total;
  thud_error error = THUD_OK;
  for (int k = 0; k < INSIDE_STEPS && solver->last_residual > INSIDE * solver->options.tolerance; k++) {
    double before = solver->last_residual;
    memcpy(point->polished_x, point->x, total * sizeof *point->x);
    if (!step_convex(solver, step, &error) || solver->last_residual < PROGRESS * before) continue;
    if (solver->last_residual < before) break;
    thud_scaled_form_store(&point->system.form, point->polished_x, solver->r, solver->l);
    return thud_solver_test(solver);
  }
  return error;
}

/* Goes on while the residual falls to the part `progress` within `patience` steps: that of Coulomb's law, which the shift
 * keeps up where something slides. */
static thud_error follow_convex_path(thud_solver *solver, int patience, double progress) {
  thud_interior_step step = {.smoothing = INFINITY, .convex = true};
  double least = INFINITY;
  thud_error error = THUD_OK;
  for (int k = 0, last = 0; error == THUD_OK && k < PATH_STEPS && k - last < patience; k++) {
    if (!thud_solver_goes_on(solver) || !step_convex(solver, &step, &error)) break;
    if (!(solver->last_residual < progress * least)) continue;
    least = solver->last_residual;
    last = k;
  }
  bool solved = solver->stopped && solver->status == THUD_SOLVED;
  return error == THUD_OK && solved ? go_inside(solver, &step) : error;
}

/* Whether nearly all impulses in x are well inside of their cones. */
static bool is_inside(const thud_interior_point *point) {
  const thud_scaled_form *form = &point->system.form;
  size_t outside = 0;
  for (size_t k = 0; k < form->contacts; k++) {
    const double *r = point->x + k * form->d;
    bool inside = r[0] > 0;
    for (size_t p = point->cone_start[k]; p < point->cone_start[k + 1]; p++) {
      const thud_interior_cone *cone = &point->cones[p];
      double length = 0;
      for (size_t i = 0; i + 1 < cone->m; i++) length = hypot(length, r[cone->tangential + i]);
      inside = inside && length <= NEAR_EDGE * cone->mu * r[0];
    }
    outside += !inside;
  }
  return (double)outside <= NEAR_OUTSIDE * (double)form->contacts;
}

/* The convex problem: where an earlier step has left the impulses of the start well inside the cones a few steps from there
 * do. From the edges, where sweeps end, the path is longer than from the centre, and its end less accurate. */
static thud_error solve_convex(thud_solver *solver) {
  thud_interior_point *point = solver->state;
  thud_error error = THUD_OK;
  if (!point->system.global) {
    thud_scaled_form_load(&point->system.form, solver->r, solver->l, point->x);
    if (is_inside(point)) {
      thud_interior_point_begin_at(point, NEAR_GAP, NEAR_INSIDE);
      error = follow_convex_path(solver, 2, NEAR_PROGRESS);
    }
  }
  if (error != THUD_OK || solver->stopped) return error;
  error = start_at(solver, &beginnings[0]);
  return error == THUD_OK ? follow_convex_path(solver, CONVEX_PATIENCE, PROGRESS) : error;
}

static thud_error solve(thud_solver *solver) {
  thud_error error = rests(solver) ? solve_convex(solver) : THUD_OK;
  for (int k = 0; k < BEGINNINGS && error == THUD_OK && !solver->stopped; k++)
    error = follow_path(solver, &beginnings[k]);
  if (error == THUD_OK && thud_solver_goes_on(solver)) {
    solver->stopped = true;
    solver->status = THUD_SOLVER_STALLED;
  }
  return error;
}

const struct thud_solver_method thud_method_interior_point = {
    .name = "interior-point",
    .summary = "interior point on second-order cones with the shift of Coulomb's law in its Newton system",
    .accepts = (unsigned)THUD_METHOD_ACCEPTS_ALL & ~(unsigned)THUD_ACCEPTS_LAWS,
    .native = THUD_ACCEPTS_LOCAL | THUD_ACCEPTS_GLOBAL | THUD_ACCEPTS_TWO_BLOCK,
    .limit = thud_interior_system_limit,
    .create = create,
    .update = update,
    .solve = solve,
    .destroy = destroy,
};
