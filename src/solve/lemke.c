/* Lemke's method for problems of dimension 1 and for planar friction: exact up to rounding where it ends well, without
 * regard for the warm start. Dense; bilateral rows are eliminated first, l = -R^-1 (V' r + s). Rows that depend on each
 * other (R symmetric, singular) take the l of least norm, which exists as long as the rows do not contradict each
 * other: V' r lies in the range of R when [W V; V' R] is positive semidefinite. */
#include "solve/entries.h"
#include "solve/lemke_lcp.h"
#include "solve/method.h"

#include <math.h>
#include <string.h>

/* Most unknowns n of the LCP: the method keeps about 6 n^2 numbers (200 MB) and needs 4 n^2 operations per pivot. And
 * most bilateral rows, which are eliminated at once. */
enum { ORDER_MAX = 2100 };
/* A ray proves that there is no solution when its normal impulses exclude all answers within so many data lengths. */
static const double CERTIFICATE_REACH = 1e6;
/* Eigenvalues of R below this part of the largest count as 0; rows agree when R X = [V', s] holds to this part of it.
 */
static const double RANK_CUT = 1e-11, AGREEMENT = 1e-9;

typedef struct lemke_state {
  thud_contact_lcp lcp;
  thud_lemke *lemke;       /* NULL without contacts */
  double *z, *w, *ray;     /* [order] */
  double *W, *q;           /* [size*size], [size] without the bilateral rows */
  double *V;               /* [size*rows] */
  double *R, *elimination; /* [rows*rows], [rows*(size+1)] R^-1 [V', s] */
  bool contradictory;      /* R is singular and R l + V' r + s = 0 has no solution: nothing was eliminated */
} lemke_state;

static thud_method_limit limit(const thud_contact_problem *problem) {
  bool friction = problem->dimension > 1;
  if (problem->bilateral > ORDER_MAX)
    return (thud_method_limit){.count = (size_t)problem->bilateral, .most = ORDER_MAX, .what = "bilateral rows"};
  return (thud_method_limit){.count = (size_t)problem->contacts,
                             .most = friction ? ORDER_MAX / 4 : ORDER_MAX,
                             .what = friction ? "contacts with friction" : "contacts without friction"};
}

static void destroy(thud_solver *solver) {
  lemke_state *state = solver->state;
  thud_context *context = solver->context;
  thud_contact_lcp_release(context, &state->lcp);
  thud_lemke_destroy(state->lemke);
  double *const arrays[] = {state->z, state->w, state->ray, state->W, state->q, state->V, state->R, state->elimination};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_free(context, state);
  solver->state = NULL;
}

static thud_error create(thud_solver *solver) {
  thud_context *context = solver->context;
  lemke_state *state = THUD_NEW(context, lemke_state);
  if (state == NULL) return THUD_ERROR_MEMORY;
  solver->state = state;
  size_t order = (size_t)thud_contact_lcp_order(solver->inner), size = solver->size, rows = solver->rows;
  state->z = THUD_NEW_ARRAY(context, double, order);
  state->w = THUD_NEW_ARRAY(context, double, order);
  state->ray = THUD_NEW_ARRAY(context, double, order);
  state->W = THUD_NEW_ARRAY(context, double, size *size);
  state->q = THUD_NEW_ARRAY(context, double, size);
  state->V = THUD_NEW_ARRAY(context, double, size *rows);
  state->R = THUD_NEW_ARRAY(context, double, rows *rows);
  state->elimination = THUD_NEW_ARRAY(context, double, rows *(size + 1));
  thud_error error = THUD_ERROR_MEMORY;
  if (state->z != NULL && state->w != NULL && state->ray != NULL && state->W != NULL && state->q != NULL &&
      state->V != NULL && state->R != NULL && state->elimination != NULL)
    error = thud_contact_lcp_allocate(context, solver->inner, &state->lcp);
  if (error == THUD_OK && order > 0) error = thud_lemke_create(context, (thud_index)order, &state->lemke);
  if (error != THUD_OK) destroy(solver);
  return error;
}

/* [V', s], rows x (size + 1). */
static void set_right_hand_sides(const thud_solver *solver, double *B) {
  const lemke_state *state = solver->state;
  size_t size = solver->size, rows = solver->rows;
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < size; j++) B[j * rows + i] = state->V[i * size + j];
    B[size * rows + i] = solver->inner->s[i];
  }
}

/* X = R^+ B by eigenvectors; work[rows*(rows + 1 + columns)]. */
static thud_error solve_least_norm(thud_solver *solver, thud_index columns, double *work) {
  lemke_state *state = solver->state;
  thud_index m = (thud_index)solver->rows;
  size_t rows = solver->rows, numbers = rows * (size_t)columns;
  double *vectors = work, *values = vectors + rows * rows, *parts = values + rows, largest = 0, worst = 0, size = 0;
  thud_error error = thud_dense_eigen_symmetric(solver->context, m, state->R, values, vectors);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < rows; i++) largest = fmax(largest, fabs(values[i]));
  set_right_hand_sides(solver, state->elimination);
  thud_dense_multiply(m, columns, m, 1, vectors, true, state->elimination, false, 0, parts);
  for (size_t k = 0; k < numbers; k++) {
    double value = values[k % rows];
    parts[k] = fabs(value) > RANK_CUT * largest ? parts[k] / value : 0;
  }
  thud_dense_multiply(m, columns, m, 1, vectors, false, parts, false, 0, state->elimination);
  set_right_hand_sides(solver, parts);
  for (size_t k = 0; k < numbers; k++) size = fmax(size, fabs(parts[k]));
  thud_dense_multiply(m, columns, m, -1, state->R, false, state->elimination, false, 1, parts);
  for (size_t k = 0; k < numbers; k++) worst = fmax(worst, fabs(parts[k]));
  state->contradictory = worst > AGREEMENT * size;
  return THUD_OK;
}

/* elimination = R^-1 [V', s], by R^+ where R is singular. */
static thud_error solve_bilateral(thud_solver *solver) {
  lemke_state *state = solver->state;
  size_t rows = solver->rows, columns = solver->size + 1;
  set_right_hand_sides(solver, state->elimination);
  thud_error error =
      thud_dense_solve(solver->context, (thud_index)rows, state->R, (thud_index)columns, state->elimination);
  if (error != THUD_ERROR_SINGULAR) return error;
  double *work = THUD_NEW_ARRAY(solver->context, double, rows *(rows + 1 + columns));
  if (work == NULL) return THUD_ERROR_MEMORY;
  error = solve_least_norm(solver, (thud_index)columns, work);
  thud_free(solver->context, work);
  return error;
}

/* W - V R^-1 V' and q - V R^-1 s in place. */
static thud_error eliminate_bilateral(thud_solver *solver) {
  lemke_state *state = solver->state;
  thud_index size = (thud_index)solver->size, rows = (thud_index)solver->rows;
  const double *X = state->elimination;
  thud_matrix_copy_dense(&solver->inner->V, solver->size, state->V);
  thud_matrix_copy_dense(&solver->inner->R, solver->rows, state->R);
  thud_error error = solve_bilateral(solver);
  if (error != THUD_OK) return error;
  thud_dense_multiply(size, size, rows, -1, state->V, false, X, false, 1, state->W);
  thud_dense_multiply_vector(size, rows, state->V, false, -1, X + solver->size * solver->rows, 1, state->q);
  return THUD_OK;
}

static thud_error update(thud_solver *solver) {
  lemke_state *state = solver->state;
  thud_error error = THUD_OK;
  thud_matrix_copy_dense(&solver->inner->W, solver->size, state->W);
  if (solver->size > 0) memcpy(state->q, solver->inner->q, solver->size * sizeof *state->q);
  state->contradictory = false;
  if (solver->rows > 0) error = eliminate_bilateral(solver);
  if (error != THUD_OK) return error;
  return thud_contact_lcp_set(solver->context, solver->inner, state->W, state->q, &state->lcp);
}

/* One more pivot; asks whether to go on. */
static int ask(void *user) {
  thud_solver *solver = user;
  solver->iterations++;
  return !thud_solver_goes_on(solver);
}

/* r and l of the solver from z. */
static void write_answer(thud_solver *solver) {
  lemke_state *state = solver->state;
  size_t size = solver->size, rows = solver->rows;
  thud_contact_lcp_impulses(&state->lcp, state->z, solver->r);
  for (size_t i = 0; i < rows; i++) solver->l[i] = -state->elimination[size * rows + i];
  thud_dense_multiply_vector((thud_index)rows, (thud_index)size, state->elimination, false, -1, solver->r, 1,
                             solver->l);
}

static thud_index largest_normal(const lemke_state *state) {
  thud_index best = 0;
  for (thud_index k = 1; k < state->lcp.contacts; k++)
    if (state->ray[k] > state->ray[best]) best = k;
  return best;
}

/* Does the ray y exclude answers within the tolerance too? Their y.u_N may be as low as -tolerance |q| |y|. */
static bool exceeds_tolerance(const thud_solver *solver) {
  const lemke_state *state = solver->state;
  size_t d = (size_t)solver->inner->dimension;
  double value = 0, length = 0, scale = 0;
  for (size_t k = 0; k < (size_t)solver->inner->contacts; k++) {
    value += state->q[k * d] * state->ray[k];
    length = hypot(length, state->ray[k]);
  }
  for (size_t i = 0; i < solver->size; i++) scale = hypot(scale, solver->inner->q[i]);
  for (size_t i = 0; i < solver->rows; i++) scale = hypot(scale, solver->inner->s[i]);
  return -value > solver->options.tolerance * scale * length;
}

static void report_ray(thud_solver *solver) {
  lemke_state *state = solver->state;
  double reach = thud_contact_lcp_excludes(&state->lcp, state->W, state->q, state->ray);
  if (reach >= CERTIFICATE_REACH && exceeds_tolerance(solver))
    thud_solver_find_infeasible(solver, "no impulses keep all contacts from approaching, contact %d above all (proved)",
                                (int)largest_normal(state));
  else
    thud_solver_break_down(solver, "the pivots ended on a ray after %d steps: no solution found, none excluded",
                           solver->iterations);
}

static thud_error solve(thud_solver *solver) {
  lemke_state *state = solver->state;
  if (state->contradictory) {
    thud_solver_break_down(solver, "R is singular and the bilateral rows contradict each other");
    return THUD_OK;
  }
  thud_pivot_info found = {.status = THUD_PIVOT_SOLVED};
  thud_error error = THUD_OK;
  if (!thud_solver_goes_on(solver)) return THUD_OK;
  if (state->lemke != NULL) {
    thud_lemke_task task = {.n = state->lcp.order, .M = state->lcp.M, .q = state->lcp.q, .stop = ask};
    task.max_pivots = solver->options.max_iterations;
    task.stop_user = solver;
    error = thud_lemke_solve(state->lemke, &task, state->z, state->w, state->ray, &found);
    solver->iterations = found.iterations;
  }
  if (error != THUD_OK) return error;
  write_answer(solver);
  error = thud_solver_test(solver);
  if (error != THUD_OK || solver->stopped) return error;
  if (found.status == THUD_PIVOT_RAY) {
    report_ray(solver);
  } else if (thud_solver_goes_on(solver)) { /* no limit was met: the last basis is too ill-conditioned */
    solver->stopped = true;
    solver->status = THUD_SOLVER_STALLED;
  }
  return THUD_OK;
}

const struct thud_solver_method thud_method_lemke = {
    .name = "lemke",
    .summary = "Lemke's pivoting method for LCP and planar friction (2100 and 525 contacts at most); exact to rounding",
    .accepts = THUD_ACCEPTS_LCP | THUD_ACCEPTS_2D | THUD_ACCEPTS_LAWS | THUD_ACCEPTS_BILATERAL | THUD_ACCEPTS_LOCAL |
               THUD_ACCEPTS_GLOBAL | THUD_ACCEPTS_TWO_BLOCK,
    .native = THUD_ACCEPTS_LOCAL,
    .direct = true,
    .limit = limit,
    .create = create,
    .update = update,
    .solve = solve,
    .destroy = destroy,
};
