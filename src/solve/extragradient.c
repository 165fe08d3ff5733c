/* Extragradient on the variational inequality x in K, F(x).(k - x) >= 0 for all k in K, F = u~: velocities with De
 * Saxce's shift. Unlike a gradient method it does not need the matrix to be symmetric.
 *   y  = proj(x - rho F(x))             rho short enough that rho |F(x) - F(y)| <= SHORT_ENOUGH |x - y|
 *   x+ = proj(x - step rho F(y))
 * Korpelevich (1976) has step = 1, Khobotov (1987) the rule for rho. The longer step of He and Liao (J. Optim. Theory
 * Appl. 112, 2002), step = LENGTHEN (x - y).d / |d|^2 with d = (x - y) - rho (F(x) - F(y)), needs no other product and
 * halves the number of iterations. Convergence is proved for monotone F; with friction F is not quite that, and the
 * verdict is the residual's. */
#include "solve/first_order.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { BACKTRACKS = 60 };
static const double SHORT_ENOUGH = 0.9, TOO_SHORT = 0.4; /* of the ratio in the rule for rho */
static const double SHORTEN = 2.0 / 3, GROW = 1.5;       /* of rho */
static const double LENGTHEN = 1.9;                      /* < 2 */

typedef struct extragradient {
  thud_first_order base;
  double *x, *y;     /* [total] iterate, predicted point */
  double *F_x, *F_y; /* [total] u~ there */
  double *u;         /* [total] u at x */
  double *shift;     /* [contacts, in room for total] */
} extragradient;

static thud_error create(thud_solver *solver) {
  static const size_t vectors[] = {offsetof(extragradient, x),   offsetof(extragradient, y),
                                   offsetof(extragradient, F_x), offsetof(extragradient, F_y),
                                   offsetof(extragradient, u),   offsetof(extragradient, shift)};
  const thud_first_order_places places = {.count = sizeof vectors / sizeof *vectors, .offsets = vectors};
  return thud_first_order_create(solver, sizeof(extragradient), places);
}

/* u and F = u + shift e_N at x. */
static void evaluate(extragradient *state, const double *x, double *u, double *F) {
  const thud_scaled_form *form = &state->base.form;
  thud_scaled_form_velocity(form, x, u);
  thud_scaled_form_shift(form, u, state->shift);
  if (form->total > 0 && F != u) memcpy(F, u, form->total * sizeof(double));
  for (size_t c = 0; c < form->contacts; c++) F[c * form->d] += state->shift[c];
}

/* The products of x - y and F(x) - F(y) that the rules for rho and the step are made of. */
typedef struct differences {
  double moved, turned, along; /* |x - y|^2, |F(x) - F(y)|^2, (x - y).(F(x) - F(y)) */
} differences;

static differences compare(const extragradient *state) {
  differences found = {0};
  for (size_t i = 0; i < state->base.form.total; i++) {
    double moved = state->x[i] - state->y[i], turned = state->F_x[i] - state->F_y[i];
    found.moved += moved * moved;
    found.turned += turned * turned;
    found.along += moved * turned;
  }
  return found;
}

/* y, F(y) and a rho that is short enough. False when a projection fails. */
static bool predict(extragradient *state, double *rho, double *ratio, differences *found) {
  const thud_scaled_form *form = &state->base.form;
  for (int k = 0; k < BACKTRACKS; k++) {
    for (size_t i = 0; i < form->total; i++) state->y[i] = state->x[i] - *rho * state->F_x[i];
    if (!thud_scaled_form_project(form, state->y)) return false;
    evaluate(state, state->y, state->F_y, state->F_y);
    *found = compare(state);
    *ratio = found->moved > 0 ? *rho * sqrt(found->turned / found->moved) : 0;
    if (!(*ratio > SHORT_ENOUGH)) break;
    *rho *= SHORTEN * fmin(1, 1 / *ratio);
  }
  return true;
}

/* x+ from F(y). */
static bool correct(extragradient *state, double rho, const differences *found) {
  double square = found->moved - 2 * rho * found->along + rho * rho * found->turned;
  double step = square > 0 ? LENGTHEN * (found->moved - rho * found->along) / square : 1;
  for (size_t i = 0; i < state->base.form.total; i++) state->x[i] -= step * rho * state->F_y[i];
  if (!thud_scaled_form_project(&state->base.form, state->x)) return false;
  evaluate(state, state->x, state->u, state->F_x);
  return true;
}

static bool start_iteration(thud_solver *solver) {
  extragradient *state = solver->state;
  thud_scaled_form_load(&state->base.form, solver->r, solver->l, state->x);
  if (!thud_scaled_form_project(&state->base.form, state->x)) return false;
  evaluate(state, state->x, state->u, state->F_x);
  return true;
}

static thud_error solve(thud_solver *solver) {
  extragradient *state = solver->state;
  double rho = 1 / state->base.curvature, ratio = 0;
  thud_first_order_watch watch = thud_first_order_watch_begin(0);
  differences found = {0};
  thud_error error = THUD_OK;
  bool fine = start_iteration(solver);
  while (fine && error == THUD_OK && thud_solver_goes_on(solver)) {
    fine = predict(state, &rho, &ratio, &found) && correct(state, rho, &found);
    if (!fine) break;
    solver->iterations++;
    error = thud_first_order_watch_test(&watch, solver, &state->base.form, state->x, state->u, sqrt(found.moved) / rho);
    if (ratio < TOO_SHORT) rho *= GROW;
  }
  if (!fine) thud_first_order_fail(solver);
  thud_first_order_hand_over(solver, &state->base.form, state->x);
  return error;
}

const struct thud_solver_method thud_method_extragradient = {
    .name = "extragradient",
    .summary =
        "extragradient with adapted step on the variational inequality; also for matrices that are not symmetric",
    .accepts = THUD_METHOD_ACCEPTS_ALL | THUD_ACCEPTS_OPERATOR,
    .native = THUD_ACCEPTS_LOCAL | THUD_ACCEPTS_TWO_BLOCK,
    .create = create,
    .update = thud_first_order_update,
    .solve = solve,
    .destroy = thud_first_order_destroy,
};
