/* Projected gradient, the simplest reference: r <- proj_K(r - rho D u~(r)), l <- l - rho D u_b, with u~ = u + shift n
 * (De Saxce) and D one positive number per contact and bilateral row (1 / its largest diagonal entry), which leaves the
 * projection as it is.
 *
 * Step (Khobotov's rule as in Solodov and Tseng, SIAM J. Control Optim. 34, 1996): with y the projected point, a step
 * is taken when rho |u~(y) - u~(r)|_D <= SHORT_ENOUGH |y - r|_{1/D}, shortened until it is, and lengthened after steps
 * that were shorter than needed. The first rho comes from the largest eigenvalue (power iteration). The plain step
 * converges for symmetric problems without friction; where a whole window of steps has not brought it nearer, the step
 * is corrected from then on with the velocity at y (extragradient), which also converges for monotone problems that are
 * not symmetric. With friction neither is guaranteed: the verdict is that of the residual. */
#include "solve/entries.h"
#include "solve/method.h"
#include "solve/projected_gradient_cone.h"

#include <math.h>
#include <string.h>

enum { POWER_STEPS = 20, SHORTENINGS = 40, WINDOW = 100 };
static const double SHORT_ENOUGH = 0.9, TOO_SHORT = 0.3, CHANGE = 1.5;

/* Vectors of size + rows numbers: impulses r and l, velocities u~ and u_b. */
typedef struct gradient {
  size_t size, rows;
  double *scale;    /* [size+rows] D */
  double *diagonal; /* [size+rows] of W and R */
  double *x, *y;    /* the iterate, the projected point */
  double *F, *F_y;  /* u~ at both */
  double first_rho; /* 1 / largest eigenvalue of D A */
} gradient;

static void destroy(thud_solver *solver) {
  gradient *state = solver->state;
  double *const arrays[] = {state->scale, state->diagonal, state->x, state->y, state->F, state->F_y};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(solver->context, arrays[k]);
  thud_free(solver->context, state);
  solver->state = NULL;
}

static thud_error create(thud_solver *solver) {
  gradient *state = THUD_NEW(solver->context, gradient);
  if (state == NULL) return THUD_ERROR_MEMORY;
  solver->state = state;
  state->size = solver->size;
  state->rows = solver->rows;
  double **const arrays[] = {&state->scale, &state->diagonal, &state->x, &state->y, &state->F, &state->F_y};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    *arrays[k] = THUD_NEW_ARRAY(solver->context, double, state->size + state->rows);
    if (*arrays[k] == NULL) {
      destroy(solver);
      return THUD_ERROR_MEMORY;
    }
  }
  return THUD_OK;
}

/* ---- the operator ---------------------------------------------------------------------------------------- */

/* y = A x, A = [W V; V' R]. */
static void multiply(thud_solver *solver, const double *x, double *y) {
  const thud_contact_problem *problem = solver->inner;
  size_t size = solver->size;
  thud_matrix_multiply_vector(solver->context, &problem->W, false, 1, x, 0, y);
  if (solver->rows == 0) return;
  thud_matrix_multiply_vector(solver->context, &problem->V, false, 1, x + size, 1, y);
  if (size == 0) memset(y, 0, solver->rows * sizeof *y); /* V may be none without contacts */
  thud_matrix_multiply_vector(solver->context, &problem->V, true, 1, x, 0, y + size);
  thud_matrix_multiply_vector(solver->context, &problem->R, false, 1, x + size, 1, y + size);
}

/* F = (u~, u_b) at x. */
static void evaluate(thud_solver *solver, const double *x, double *F) {
  const thud_contact_problem *problem = solver->inner;
  size_t size = solver->size, d = (size_t)problem->dimension;
  multiply(solver, x, F);
  for (size_t i = 0; i < size; i++) F[i] += problem->q[i];
  for (size_t i = 0; i < solver->rows; i++) F[size + i] += problem->s[i];
  thud_contact_discs discs = thud_contact_discs_of(problem);
  for (size_t k = 0; k < (size_t)problem->contacts; k++) {
    double *u = F + k * d;
    u[0] += thud_gradient_cone_shift(&discs, k, u);
  }
}

/* y = proj(x - rho D F). False when a law's projection fails. */
static bool step(const thud_solver *solver, double rho, const double *x, const double *F, double *y) {
  const gradient *state = solver->state;
  const thud_contact_problem *problem = solver->inner;
  for (size_t i = 0; i < state->size + state->rows; i++) y[i] = x[i] - rho * state->scale[i] * F[i];
  thud_contact_discs discs = thud_contact_discs_of(problem);
  return thud_gradient_cones_project(&discs, (size_t)problem->contacts, y);
}

/* |x - y|^2 in D (velocities) or in 1/D (impulses). */
static double distance_square(const gradient *state, const double *x, const double *y, bool velocities) {
  double sum = 0;
  for (size_t i = 0; i < state->size + state->rows; i++) {
    double difference = x[i] - y[i];
    sum += velocities ? state->scale[i] * difference * difference : difference * difference / state->scale[i];
  }
  return sum;
}

/* ---- update ----------------------------------------------------------------------------------------------- */

/* D: the same number for all components of a contact; where the diagonal vanishes, that of the largest entry at all. */
static void choose_scales(thud_solver *solver) {
  gradient *state = solver->state;
  size_t size = state->size, total = size + state->rows, d = (size_t)solver->inner->dimension;
  double largest = 0;
  thud_matrix_diagonal(&solver->inner->W, state->diagonal);
  if (state->rows > 0) thud_matrix_diagonal(&solver->inner->R, state->diagonal + size);
  for (size_t i = 0; i < total; i++) largest = fmax(largest, fabs(state->diagonal[i]));
  for (size_t i = 0; i < total; i += i < size ? d : 1) {
    size_t width = i < size ? d : 1;
    double own = 0;
    for (size_t k = 0; k < width; k++) own = fmax(own, state->diagonal[i + k]);
    double scale = own > 0 ? 1 / own : largest > 0 ? 1 / largest : 1;
    for (size_t k = 0; k < width; k++) state->scale[i + k] = scale;
  }
}

/* |D^1/2 A D^1/2| by power iteration, from a vector with components of all sizes. An estimate from below: the rule of
 * the step fixes it. */
static double largest_eigenvalue(thud_solver *solver) {
  gradient *state = solver->state;
  size_t total = state->size + state->rows;
  double value = 0;
  for (size_t i = 0; i < total; i++) state->x[i] = sqrt(state->scale[i]) * (1 + (double)(i % 7) / 7);
  for (int k = 0; k < POWER_STEPS; k++) {
    double before = 0, after = 0;
    multiply(solver, state->x, state->y);
    for (size_t i = 0; i < total; i++) {
      before += state->x[i] * state->x[i] / state->scale[i];
      after += state->y[i] * state->y[i] * state->scale[i];
    }
    if (!(before > 0 && after > 0)) return value;
    value = sqrt(after / before);
    for (size_t i = 0; i < total; i++) state->x[i] = state->scale[i] * state->y[i] / sqrt(after);
  }
  return value;
}

static thud_error update(thud_solver *solver) {
  gradient *state = solver->state;
  choose_scales(solver);
  double value = largest_eigenvalue(solver);
  state->first_rho = value > 0 ? 1 / value : 1;
  return THUD_OK;
}

/* ---- solve --------------------------------------------------------------------------------------------------- */

/* State of a solve between its steps. */
typedef struct walk {
  double rho;
  bool corrected;      /* extragradient from now on */
  double window_start; /* length of the first step of the window, over rho */
  int window;          /* steps made in it */
} walk;

/* Finds y and a rho short enough; returns |y - x| / rho, NaN when the laws or the numbers fail. */
static double find_point(thud_solver *solver, walk *at, double *ratio) {
  gradient *state = solver->state;
  double moved = NAN;
  for (int k = 0; k < SHORTENINGS; k++) {
    if (!step(solver, at->rho, state->x, state->F, state->y)) return NAN;
    evaluate(solver, state->y, state->F_y);
    moved = sqrt(distance_square(state, state->x, state->y, false));
    double turned = sqrt(distance_square(state, state->F, state->F_y, true));
    *ratio = moved > 0 ? at->rho * turned / moved : 0;
    if (!isfinite(moved) || *ratio <= SHORT_ENOUGH) break;
    at->rho *= fmin(1, 1 / *ratio) / CHANGE;
  }
  return moved / at->rho;
}

/* The iterate becomes y, or the corrected point. */
static bool move_on(thud_solver *solver, const walk *at) {
  gradient *state = solver->state;
  size_t bytes = (state->size + state->rows) * sizeof(double);
  if (at->corrected) {
    if (!step(solver, at->rho, state->x, state->F_y, state->x)) return false;
    evaluate(solver, state->x, state->F);
    return true;
  }
  if (bytes > 0) memcpy(state->x, state->y, bytes);
  if (bytes > 0) memcpy(state->F, state->F_y, bytes);
  return true;
}

static void watch_progress(walk *at, double length) {
  if (at->window == 0) at->window_start = length;
  if (++at->window < WINDOW) return;
  if (!(length < at->window_start)) at->corrected = true;
  at->window = 0;
}

static void hand_over(thud_solver *solver) {
  const gradient *state = solver->state;
  if (state->size > 0) memcpy(solver->r, state->x, state->size * sizeof(double));
  if (state->rows > 0) memcpy(solver->l, state->x + state->size, state->rows * sizeof(double));
}

static thud_error solve(thud_solver *solver) {
  gradient *state = solver->state;
  walk at = {.rho = state->first_rho};
  if (state->size > 0) memcpy(state->x, solver->r, state->size * sizeof(double));
  if (state->rows > 0) memcpy(state->x + state->size, solver->l, state->rows * sizeof(double));
  evaluate(solver, state->x, state->F);
  thud_error error = THUD_OK;
  while (error == THUD_OK && thud_solver_goes_on(solver)) {
    double ratio = 0, length = find_point(solver, &at, &ratio);
    if (!isfinite(length) || !move_on(solver, &at)) {
      thud_solver_break_down(solver, "the step after iteration %d cannot be computed", solver->iterations);
      break;
    }
    watch_progress(&at, length);
    if (ratio < TOO_SHORT) at.rho *= CHANGE;
    solver->iterations++;
    solver->contact_visits += (size_t)solver->inner->contacts;
    if (!thud_solver_test_is_due(solver)) continue;
    hand_over(solver);
    error = thud_solver_test(solver);
  }
  if (solver->tested_at != solver->iterations) hand_over(solver);
  return error;
}

const struct thud_solver_method thud_method_projected_gradient = {
    .name = "projected-gradient",
    .summary = "projected gradient with adapted step, the simplest reference; slow, takes everything",
    .accepts = THUD_METHOD_ACCEPTS_ALL | THUD_ACCEPTS_OPERATOR,
    .native = THUD_ACCEPTS_LOCAL,
    .create = create,
    .update = update,
    .solve = solve,
    .destroy = destroy,
};
