/* ADMM: the linear system and the cones take turns (Boyd et al. 2011; on contact problems Acary and Bremond, and
 * Tasora, Mangoni, Benatti and Garziera, Int. J. Numer. Methods Eng. 122, 2021). With w the scaled multiplier of x = z,
 *   x = argmin x'Ax/2 + (q + s e_N).x + rho |x - (z - w)|^2/2      one solve with the kept factor (admm_system.h)
 *   z = proj_K(x + w),   w = w + x - z
 * and De Saxce's shift s renewed from the velocities of x; z is the answer. Three manners, the next one being taken up
 * whenever a window of iterations has not halved the residual:
 *   momentum on (z, w) (Goldstein, O'Donoghue, Setzer and Baraniuk, SIAM J. Imaging Sci. 7, 2014), given up for a step
 *   whenever |(z, w) - extrapolated (z, w)| has grown; the shift follows in each iteration
 *   over-relaxed steps instead of momentum: x replaced by RELAXATION x + (1 - RELAXATION) z_before
 *   momentum again, and a damped fixed point on the shift, for problems where the shift would go round in circles
 * Balancing: rho follows the ratio of |x - z| to rho |z - z_before| (He, Yang and Wang 2000), at intervals that
 * double and at most FACTORS times, for each change is a new factor. */
#include "solve/admm_system.h"
#include "solve/first_order.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { WINDOW = 200, FACTORS = 12, FIRST_BALANCE = 20 };
static const double FIRST_RHO = 0.3; /* the diagonal of A is 1 */
static const double RELAXATION = 1.6;
static const double ENOUGH = 0.5;   /* what a window must leave of the residual */
static const double ACCURACY = 0.1; /* of a linear system that is solved by iteration, in lengths of the last step */
static const double NEAR = 0.2, DAMPING = 0.5; /* step / change of the shift at which it is renewed, part taken */
static const double ASTRAY = 1.5;              /* residual over the best one */
static const double UNBALANCED = 4;            /* ratio of rho wanted to rho that is worth a factor */
static const double LARGEST_CHANGE = 10;       /* of rho at once */

typedef struct admm {
  thud_admm_system system;
  bool definite; /* the last factor exists */
  double *memory;
  double *x, *u;               /* [total] of the linear system */
  double *z, *w;               /* [total] in the cones; multiplier */
  double *z_before, *w_before; /* [total] of the last iteration */
  double *z_from, *w_from;     /* [total] extrapolated: where the iteration starts */
  double *target;              /* [total] */
  double *shift, *fresh;       /* [contacts, in room for total] in use, of the last velocities */
} admm;

static void destroy(thud_solver *solver) {
  admm *state = solver->state;
  thud_admm_system_destroy(&state->system);
  thud_free(solver->context, state->memory);
  thud_free(solver->context, state);
  solver->state = NULL;
}

static thud_error create(thud_solver *solver) {
  admm *state = THUD_NEW(solver->context, admm);
  if (state == NULL) return THUD_ERROR_MEMORY;
  solver->state = state;
  static const size_t vectors[] = {offsetof(admm, x),      offsetof(admm, u),        offsetof(admm, z),
                                   offsetof(admm, w),      offsetof(admm, z_before), offsetof(admm, w_before),
                                   offsetof(admm, z_from), offsetof(admm, w_from),   offsetof(admm, target),
                                   offsetof(admm, shift),  offsetof(admm, fresh)};
  const thud_first_order_places places = {.count = sizeof vectors / sizeof *vectors, .offsets = vectors};
  thud_error error = thud_admm_system_create(solver->context, solver->inner, &state->system);
  if (error == THUD_OK)
    error = thud_first_order_vectors(solver->context, state->system.form.total, places, state, &state->memory);
  if (error != THUD_OK) destroy(solver);
  return error;
}

/* A matrix that is not positive definite is not a failure of the call: `solve` breaks down. */
static thud_error factorize(admm *state, double rho) {
  thud_error error = thud_admm_system_factorize(&state->system, rho);
  state->definite = error != THUD_ERROR_NOT_SPD;
  return state->definite ? error : THUD_OK;
}

static thud_error update(thud_solver *solver) {
  admm *state = solver->state;
  thud_error error = thud_admm_system_update(&state->system, solver->inner);
  if (error == THUD_OK) error = factorize(state, FIRST_RHO);
  return error;
}

/* ---- one iteration ------------------------------------------------------------------------------------------ */

/* The next one is taken up when a window of iterations has brought no progress. */
typedef enum manner { MOMENTUM, RELAXED, FIXED_POINT, MANNERS } manner;

typedef struct walk {
  manner manner;
  double momentum;          /* t of Nesterov's sequence */
  double change;            /* |z - z_from|^2 + |w - w_from|^2 of the last iteration */
  double primal, dual;      /* |x - z|, rho |z - z_from| */
  int factors;              /* still allowed */
  int balanced_at, balance; /* iteration of the last look at rho, iterations to the next */
} walk;

/* x, z and w from z_from and w_from. False when a projection fails. */
static bool iterate(admm *state, const walk *at, thud_error *error) {
  const thud_scaled_form *form = &state->system.form;
  double keep = at->manner == RELAXED ? RELAXATION : 1;
  for (size_t i = 0; i < form->total; i++) state->target[i] = state->z_from[i] - state->w_from[i];
  state->system.accuracy = ACCURACY * (state->system.rho * at->primal + at->dual);
  *error = thud_admm_system_solve(&state->system, state->target, state->shift, state->x, state->u);
  if (*error != THUD_OK) return true;
  for (size_t i = 0; i < form->total; i++) {
    state->w[i] = keep * state->x[i] + (1 - keep) * state->z_from[i] + state->w_from[i];
    state->z[i] = state->w[i];
  }
  if (!thud_scaled_form_project(form, state->z)) return false;
  for (size_t i = 0; i < form->total; i++) state->w[i] -= state->z[i];
  return true;
}

/* The shift of the last velocities: in each iteration, or, damped, once the iteration for a fixed one has got near. */
static void follow_shift(admm *state, const walk *at) {
  const thud_scaled_form *form = &state->system.form;
  double change = 0;
  if (at->manner != FIXED_POINT) {
    thud_scaled_form_shift(form, state->u, state->shift);
    return;
  }
  thud_scaled_form_shift(form, state->u, state->fresh);
  for (size_t c = 0; c < form->contacts; c++)
    change += (state->fresh[c] - state->shift[c]) * (state->fresh[c] - state->shift[c]);
  if (at->primal + at->dual > NEAR * sqrt(change)) return;
  for (size_t c = 0; c < form->contacts; c++) state->shift[c] += DAMPING * (state->fresh[c] - state->shift[c]);
}

/* The lengths that momentum and balancing go by; returns |(z, w) - (z_from, w_from)|^2. */
static double measure(const admm *state, walk *at) {
  double primal = 0, dual = 0, multiplier = 0;
  for (size_t i = 0; i < state->system.form.total; i++) {
    double gap = state->x[i] - state->z[i], moved = state->z[i] - state->z_from[i];
    double turned = state->w[i] - state->w_from[i];
    primal += gap * gap;
    dual += moved * moved;
    multiplier += turned * turned;
  }
  at->primal = sqrt(primal);
  at->dual = state->system.rho * sqrt(dual);
  return dual + multiplier;
}

static void extrapolate(admm *state, walk *at) {
  double change = measure(state, at), beta = 0;
  if (at->manner == RELAXED || !(change < at->change)) {
    at->momentum = 1;
  } else {
    double grown = (1 + sqrt(1 + 4 * at->momentum * at->momentum)) / 2;
    beta = (at->momentum - 1) / grown;
    at->momentum = grown;
  }
  at->change = change;
  for (size_t i = 0; i < state->system.form.total; i++) {
    state->z_from[i] = state->z[i] + beta * (state->z[i] - state->z_before[i]);
    state->w_from[i] = state->w[i] + beta * (state->w[i] - state->w_before[i]);
    state->z_before[i] = state->z[i];
    state->w_before[i] = state->w[i];
  }
}

/* Another rho when the two lengths are far apart; rho w, the impulse of the constraint, stays. */
static thud_error balance(admm *state, int iteration, walk *at) {
  if (at->factors == 0 || iteration - at->balanced_at < at->balance) return THUD_OK;
  at->balanced_at = iteration;
  double wanted = at->dual > 0 ? sqrt(at->primal / at->dual) : LARGEST_CHANGE;
  if (at->primal == 0 || (wanted < UNBALANCED && wanted > 1 / UNBALANCED)) return THUD_OK;
  double factor = fmin(fmax(wanted, 1 / LARGEST_CHANGE), LARGEST_CHANGE);
  at->factors--;
  at->balance *= 2;
  at->momentum = 1;
  at->change = INFINITY;
  for (size_t i = 0; i < state->system.form.total; i++) {
    state->w_before[i] /= factor;
    state->w_from[i] = state->w_before[i];
    state->z_from[i] = state->z_before[i];
  }
  return factorize(state, state->system.rho * factor);
}

/* ---- solve ------------------------------------------------------------------------------------------------------- */

/* The shift and the multiplier -u~/rho that belong to the velocities at z: a solution is a fixed point. (With no shift
 * to begin with, the convex program can be one without a solution.) */
static thud_error first_multiplier(thud_solver *solver, const double *r, const double *l) {
  admm *state = solver->state;
  const thud_scaled_form *form = &state->system.form;
  thud_contact_residual residual;
  thud_contact_evaluator *evaluator = solver->tests != NULL ? solver->tests : solver->judgement;
  thud_error error =
      thud_contact_evaluator_evaluate(evaluator, r, NULL, form->rows > 0 ? l : NULL, state->u, &residual);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < form->size; i++) state->u[i] *= form->scale[i];
  thud_scaled_form_shift(form, state->u, state->shift);
  memset(state->w, 0, form->total * sizeof(double));
  for (size_t i = 0; i < form->size; i++) state->w[i] = -state->u[i] / FIRST_RHO;
  for (size_t c = 0; c < form->contacts; c++) state->w[c * form->d] -= state->shift[c] / FIRST_RHO;
  memcpy(state->w_from, state->w, form->total * sizeof(double));
  memcpy(state->w_before, state->w, form->total * sizeof(double));
  return THUD_OK;
}

/* z from the impulses given, and the same rho whatever was before. */
static thud_error start_walk(thud_solver *solver, const double *r, const double *l, walk *at, bool *fine) {
  admm *state = solver->state;
  const thud_scaled_form *form = &state->system.form;
  *at = (walk){.manner = at->manner,
               .momentum = 1,
               .change = INFINITY,
               .factors = FACTORS,
               .balanced_at = solver->iterations,
               .balance = FIRST_BALANCE};
  if (form->total == 0) return THUD_OK;
  thud_scaled_form_load(form, r, l, state->z);
  *fine = thud_scaled_form_project(form, state->z);
  memcpy(state->z_from, state->z, form->total * sizeof(double));
  memcpy(state->z_before, state->z, form->total * sizeof(double));
  thud_admm_system_begin(&state->system);
  thud_error error = first_multiplier(solver, r, l);
  if (error == THUD_OK && state->system.rho != FIRST_RHO) error = factorize(state, FIRST_RHO);
  return error;
}

/* The next manner. A walk that has gone astray (further from a solution than it once was) is taken back to the best
 * iterate. */
static thud_error change_manner(thud_solver *solver, walk *at, bool *fine) {
  at->manner = (at->manner + 1) % MANNERS;
  if (!(solver->last_residual > ASTRAY * solver->best_residual)) return THUD_OK;
  return start_walk(solver, solver->best_r, solver->best_l, at, fine);
}

static thud_error solve(thud_solver *solver) {
  admm *state = solver->state;
  walk at = {.manner = MOMENTUM};
  thud_first_order_watch watch = thud_first_order_watch_begin(WINDOW);
  bool fine = true;
  thud_error error = start_walk(solver, solver->r, solver->l, &at, &fine);
  while (fine && error == THUD_OK && state->definite && thud_solver_goes_on(solver)) {
    fine = iterate(state, &at, &error);
    if (!fine || error != THUD_OK) break;
    extrapolate(state, &at);
    follow_shift(state, &at);
    solver->iterations++;
    error = thud_first_order_watch_test(&watch, solver, &state->system.form, state->z, NULL, at.primal + at.dual);
    if (error == THUD_OK) error = balance(state, solver->iterations, &at);
    if (error == THUD_OK && thud_first_order_watch_is_slow(&watch, ENOUGH)) error = change_manner(solver, &at, &fine);
  }
  if (error == THUD_ERROR_NOT_FINITE) { /* iterates that overflowed are a finding, not a failure of the call */
    thud_solver_break_down(solver, "numbers overflow after iteration %d", solver->iterations);
    return THUD_OK;
  }
  if (!fine) thud_first_order_fail(solver);
  if (error == THUD_OK && fine) thud_first_order_hand_over(solver, &state->system.form, state->z);
  if (error == THUD_OK && !state->definite && !solver->stopped)
    thud_solver_break_down(
        solver,
        "the matrix is not positive definite with rho = %g on its diagonal (which is 1): other methods "
        "do not need that",
        state->system.rho);
  return error;
}

const struct thud_solver_method thud_method_admm = {
    .name = "admm",
    .summary = "ADMM with a kept factor, momentum and residual balancing; global and two-block forms without forming W",
    .accepts = THUD_METHOD_ACCEPTS_ALL,
    .native = THUD_ACCEPTS_LOCAL | THUD_ACCEPTS_GLOBAL | THUD_ACCEPTS_TWO_BLOCK,
    .create = create,
    .update = update,
    .solve = solve,
    .destroy = destroy,
};
