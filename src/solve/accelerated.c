/* Accelerated projected gradient: Nesterov's momentum with adaptive restart, as Mazhar, Heyn, Negrut and Tasora (ACM
 * Trans. Graph. 34, 2015) use it on contact problems, but for Coulomb's law itself.
 *
 * For a fixed shift s of De Saxce the problem is the convex program min x'Ax/2 + (q + s e_N).x over the cones:
 *   x+ = proj(y - (u(y) + s e_N)/L),   y+ = x+ + beta (x+ - x),
 * with L raised until (x+ - y)'A(x+ - y) <= L |x+ - y|^2. Velocities are affine in x, so that one product by A per step
 * gives those of x+ and y+. The shift belongs to the answer: s = shift(u) in the end, or the residual says so. It is
 * updated in one of three ways, the next one being taken up whenever a window of iterations has not brought enough:
 *   every step, at y       fast where friction is moderate
 *   loose fixed point      s is updated when the step has become shorter than its change
 *   tight fixed point      the same with the convex program solved five times better
 * Momentum starts anew when it points uphill (O'Donoghue and Candes, Found. Comput. Math. 15, 2015), in the last two
 * ways also when the step has become longer than at the start.
 *
 * With the shift following in every step the momentum is damped (momentum.h). On cubes of spheres the fixed points
 * converge by a factor of 0.95 per convex program, damped momentum in about N^(1/3) steps. */
#include "solve/first_order.h"
#include "solve/momentum.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { BACKTRACKS = 60, WINDOW = 200 };
static const double RAISE = 1.2;      /* of L, at least, where it proves too small */
static const double LOWER = 0.8;      /* of L at a restart: curvature is less where contacts are open */
static const int LONGER_AFTER = 20;   /* steps after a restart before the next one for being longer than at the start */
static const double ROUNDING = 1e-12; /* relative, of the two sides of the condition on L */

/* How the shift follows. */
typedef enum shift_rule { EVERY_STEP, LOOSE, TIGHT, SHIFT_RULES } shift_rule;
static const double LENGTH_TO_CHANGE[SHIFT_RULES] = {[LOOSE] = 1, [TIGHT] = 0.2};
/* Largest part of the residual that a window may leave for a rule to go on: damped momentum creeps on where a fixed point would have
 * to start over. */
static const double ENOUGH[SHIFT_RULES] = {[EVERY_STEP] = 0.9, [LOOSE] = 0.5, [TIGHT] = 0.5};

static const double FIRST_DAMPING = 0.02;

typedef struct accelerated {
  thud_first_order base;
  double *x, *next, *y;       /* [total] last iterate, the one being made, extrapolated point */
  double *u_x, *u_next, *u_y; /* [total] their velocities without shift */
  double *shift, *fresh;      /* [contacts, in room for total] */
} accelerated;

static thud_error create(thud_solver *solver) {
  static const size_t vectors[] = {offsetof(accelerated, x),      offsetof(accelerated, next),
                                   offsetof(accelerated, y),      offsetof(accelerated, u_x),
                                   offsetof(accelerated, u_next), offsetof(accelerated, u_y),
                                   offsetof(accelerated, shift),  offsetof(accelerated, fresh)};
  const thud_first_order_places places = {.count = sizeof vectors / sizeof *vectors, .offsets = vectors};
  return thud_first_order_create(solver, sizeof(accelerated), places);
}

/* ---- one iteration ----------------------------------------------------------------------------------------- */

typedef struct walk {
  double L;
  thud_momentum momentum;
  double length;       /* L |x+ - y| of this step, */
  double first_length; /* and at the last restart */
  int steps;           /* since then */
  shift_rule rule;
} walk;

static void swap(double **a, double **b) {
  double *kept = *a;
  *a = *b;
  *b = kept;
}

/* next = proj(y - (u_y + shift)/L) with L large enough, u_next. False when a projection fails. */
static bool find_next(accelerated *state, walk *at) {
  const thud_scaled_form *form = &state->base.form;
  double square = 0;
  for (int k = 0; k < BACKTRACKS; k++) {
    double step = 1 / at->L, curvature = 0;
    for (size_t i = 0; i < form->total; i++) state->next[i] = state->y[i] - step * state->u_y[i];
    for (size_t c = 0; c < form->contacts; c++) state->next[c * form->d] -= step * state->shift[c];
    if (!thud_scaled_form_project(form, state->next)) return false;
    thud_scaled_form_velocity(form, state->next, state->u_next);
    square = 0;
    for (size_t i = 0; i < form->total; i++) {
      double moved = state->next[i] - state->y[i];
      square += moved * moved;
      curvature += moved * (state->u_next[i] - state->u_y[i]);
    }
    if (!(curvature > at->L * square * (1 + ROUNDING))) break;
    at->L = fmax(RAISE * at->L, curvature / square);
  }
  at->length = at->L * sqrt(square);
  return true;
}

/* (y - x+).(x+ - x) > 0: the gradient at y points along the momentum. */
static bool is_uphill(const accelerated *state) {
  double along = 0;
  for (size_t i = 0; i < state->base.form.total; i++)
    along += (state->y[i] - state->next[i]) * (state->next[i] - state->x[i]);
  return along > 0;
}

/* True when the residual at x+ asks for a restart with more damping. */
static bool has_grown(const accelerated *state, int iteration, walk *at) {
  if (at->rule != EVERY_STEP || iteration % THUD_MOMENTUM_LOOK != 0) return false;
  double residual = thud_scaled_form_residual(&state->base.form, state->next, state->u_next);
  return thud_momentum_look(&at->momentum, THUD_MOMENTUM_LOOK, residual);
}

static bool restarts(const accelerated *state, const walk *at) {
  if (is_uphill(state)) return true;
  return at->rule != EVERY_STEP && at->steps > LONGER_AFTER && at->length > at->first_length;
}

/* x becomes x+, and y is extrapolated from both. */
static void move_on(accelerated *state, int iteration, walk *at) {
  double beta = 0;
  at->steps++;
  bool grown = has_grown(state, iteration, at);
  if (grown || restarts(state, at)) {
    thud_momentum_restart(&at->momentum);
    at->steps = 0;
    at->first_length = at->length;
    if (!grown) at->L *= LOWER;
  } else {
    beta = thud_momentum_next(&at->momentum, at->rule == EVERY_STEP);
  }
  for (size_t i = 0; i < state->base.form.total; i++) {
    state->y[i] = state->next[i] + beta * (state->next[i] - state->x[i]);
    state->u_y[i] = state->u_next[i] + beta * (state->u_next[i] - state->u_x[i]);
  }
  swap(&state->x, &state->next);
  swap(&state->u_x, &state->u_next);
}

static void follow_shift(accelerated *state, const walk *at) {
  const thud_scaled_form *form = &state->base.form;
  if (at->rule == EVERY_STEP) {
    thud_scaled_form_shift(form, state->u_y, state->shift);
    return;
  }
  double change = 0;
  thud_scaled_form_shift(form, state->u_x, state->fresh);
  for (size_t c = 0; c < form->contacts; c++)
    change += (state->fresh[c] - state->shift[c]) * (state->fresh[c] - state->shift[c]);
  if (at->length <= LENGTH_TO_CHANGE[at->rule] * sqrt(change)) swap(&state->shift, &state->fresh);
}

/* ---- solve ----------------------------------------------------------------------------------------------------- */

static bool start_iteration(thud_solver *solver) {
  accelerated *state = solver->state;
  const thud_scaled_form *form = &state->base.form;
  thud_scaled_form_load(form, solver->r, solver->l, state->x);
  if (!thud_scaled_form_project(form, state->x)) return false;
  thud_scaled_form_velocity(form, state->x, state->u_x);
  if (form->total > 0) memcpy(state->y, state->x, form->total * sizeof(double));
  if (form->total > 0) memcpy(state->u_y, state->u_x, form->total * sizeof(double));
  thud_scaled_form_shift(form, state->u_x, state->shift);
  return true;
}

static thud_error solve(thud_solver *solver) {
  accelerated *state = solver->state;
  walk at = {.L = state->base.curvature,
             .momentum = thud_momentum_begin(FIRST_DAMPING),
             .length = INFINITY,
             .first_length = INFINITY};
  thud_first_order_watch watch = thud_first_order_watch_begin(WINDOW);
  thud_error error = THUD_OK;
  bool fine = start_iteration(solver);
  while (fine && error == THUD_OK && thud_solver_goes_on(solver)) {
    fine = find_next(state, &at);
    if (!fine) break;
    solver->iterations++;
    move_on(state, solver->iterations, &at);
    follow_shift(state, &at);
    error = thud_first_order_watch_test(&watch, solver, &state->base.form, state->x, state->u_x, at.length);
    if (thud_first_order_watch_is_slow(&watch, ENOUGH[at.rule])) at.rule = (at.rule + 1) % SHIFT_RULES;
  }
  if (!fine) thud_first_order_fail(solver);
  thud_first_order_hand_over(solver, &state->base.form, state->x);
  return error;
}

const struct thud_solver_method thud_method_accelerated = {
    .name = "accelerated",
    .summary = "projected gradient with Nesterov's momentum and restart, shift by fixed point; cheap at low accuracy",
    .accepts = THUD_METHOD_ACCEPTS_ALL | THUD_ACCEPTS_OPERATOR,
    .native = THUD_ACCEPTS_LOCAL | THUD_ACCEPTS_TWO_BLOCK,
    .create = create,
    .update = thud_first_order_update,
    .solve = solve,
    .destroy = thud_first_order_destroy,
};
