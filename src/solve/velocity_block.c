/* Velocity problems: one block alone, that is one contact with its friction law or one law by itself.
 *
 * With the normal impulse fixed the slip impulses minimise x'W_TT x/2 + b.x over R C (maximal dissipation), which is
 * the projection of -W_TT^-1 b onto R C in the metric W_TT. The normal impulse r_N is then a root of
 *   f(r_N) = W_NN r_N + q_N + W_NT x(r_N),   x(r_N) the minimiser for b = q_T + W_TN r_N and R = mu r_N:
 * f is continuous, f(0) = q_N < 0 where there is contact, and f grows without end: with c the minimiser of
 * x'W_TT x/2 + W_NT x over mu C, f(r_N)/r_N -> W_NN + W_NT c >= (1,c)'W(1,c) >= 0, since c'W_TT c + W_NT c <= 0 (0 is
 * in C). A bracketing search therefore always finds a solution. Discs of one and two directions have exact solvers. */
#include "convex/set.h"
#include "solve/one_contact.h"
#include "solve/solve_velocity.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Parts of the scratch behind that of the natural map. */
static double *part_of_work(thud_velocity_solver *solver, int part) {
  return solver->work + (ptrdiff_t)part * solver->rows + solver->equations;
}

/* ---- slip impulses at a fixed radius --------------------------------------------------------------------------- */

/* A singular W_TT gets this part of its trace added, about the impulses of the last visit (a proximal step): the sweeps
 * around it converge to a solution of the problem itself. */
static const double PROXIMAL_PART = 1e-2;

/* x minimises x'Ax/2 + b.x over radius C, A = W_TT[d*d]; x holds the last known answer. */
static void solve_law_by_set(thud_velocity_solver *solver, const thud_velocity_law *law, double *A, double *b,
                             double radius, double *x) {
  thud_index d = law->directions;
  double *factor = solver->square, *target = part_of_work(solver, 3), *answer = target + d;
  thud_metric_view metric;
  if (thud_view_of_matrix(solver->context, d, A, factor, &metric) != THUD_OK) {
    double trace = 0;
    for (thud_index k = 0; k < d; k++) trace += A[k * d + k];
    double part = trace > 0 ? PROXIMAL_PART * trace : 1;
    for (thud_index k = 0; k < d; k++) {
      A[k * d + k] += part;
      b[k] -= part * x[k];
    }
    if (thud_view_of_matrix(solver->context, d, A, factor, &metric) != THUD_OK) return;
  }
  for (thud_index k = 0; k < d; k++) target[k] = -b[k] / radius;
  thud_view_solve(&metric, target, target);
  thud_set_info info;
  if (thud_set_project_view(law->set, &metric, target, answer, &info) != THUD_OK) return;
  for (thud_index k = 0; k < d; k++) x[k] = radius * answer[k];
}

/* The disc of two directions is Coulomb's with a normal impulse that nothing else moves: W_NN = 1, q_N = -radius. */
static void solve_law_by_disc(const double *A, const double *b, double radius, double *x) {
  double W[9] = {1, 0, 0, 0, A[0], A[1], 0, A[2], A[3]}, q[3] = {-radius, b[0], b[1]}, r[3] = {radius, x[0], x[1]};
  if (thud_one_space(W, 1, q, r) == THUD_MODE_NONE) return;
  x[0] = r[1];
  x[1] = r[2];
}

/* A x = -b; x stays as it is where A is singular. A is overwritten. */
static bool solve_whole(thud_velocity_solver *solver, thud_index d, double *A, const double *b, double *x) {
  double *target = part_of_work(solver, 3);
  thud_metric_view metric;
  if (thud_view_of_matrix(solver->context, d, A, solver->square, &metric) != THUD_OK) return false;
  for (thud_index k = 0; k < d; k++) target[k] = -b[k];
  thud_view_solve(&metric, target, x);
  return true;
}

static double clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

/* b is overwritten. */
static void solve_law(thud_velocity_solver *solver, const thud_velocity_law *law, double *A, double *b, double radius,
                      double *x) {
  thud_index d = law->directions;
  if (!(radius > 0)) {
    memset(x, 0, (size_t)d * sizeof *x);
  } else if (law->is_whole) {
    solve_whole(solver, d, A, b, x);
  } else if (law->set != NULL) {
    solve_law_by_set(solver, law, A, b, radius, x);
  } else if (d == 1) {
    if (A[0] > 0)
      x[0] = clamp(-b[0] / A[0], -radius, radius);
    else
      x[0] = b[0] == 0 ? 0 : copysign(radius, -b[0]);
  } else {
    solve_law_by_disc(A, b, radius, x);
  }
}

/* ---- normal and slip together ---------------------------------------------------------------------------------- */

/* Scratch of the search: what f needs. */
typedef struct normal_search {
  thud_velocity_solver *solver;
  const thud_velocity_problem *problem;
  const thud_velocity_block *block;
  const double *q;
  double *A, *b, *x; /* [d*d] copy, [d], [d] */
} normal_search;

static const double *block_row(const thud_velocity_problem *problem, const thud_velocity_block *block, thud_index k) {
  return problem->W.dense + (ptrdiff_t)(block->first + k) * problem->rows + block->first;
}

/* Loads A and b of the slip rows behind the `skip` normal rows. */
static void load_slip(const thud_velocity_problem *problem, const thud_velocity_block *block, const double *q,
                      double normal, double *A, double *b) {
  thud_index d = block->directions, skip = block->has_normal ? 1 : 0;
  for (thud_index k = 0; k < d; k++) {
    const double *row = block_row(problem, block, k + skip);
    b[k] = q[k + skip] + (skip > 0 ? row[0] * normal : 0);
    for (thud_index j = 0; j < d; j++) A[j * d + k] = row[j + skip];
  }
}

/* f(r_N) of the head comment; s->x becomes x(r_N). */
static double normal_velocity(normal_search *s, double normal) {
  const thud_velocity_block *block = s->block;
  load_slip(s->problem, block, s->q, normal, s->A, s->b);
  solve_law(s->solver, &s->problem->laws[block->law], s->A, s->b, block->friction_bound * normal, s->x);
  const double *row = block_row(s->problem, block, 0);
  double f = row[0] * normal + s->q[0];
  for (thud_index k = 0; k < block->directions; k++) f += row[k + 1] * s->x[k];
  return f;
}

enum { SEARCH_STEPS = 200 };

/* Root of f between low (f < 0) and high (f >= 0): false position with Illinois' halving, bisection every fourth
 * step. */
static double search_root(normal_search *s, double low, double f_low, double high, double f_high) {
  double normal = high, f = f_high;
  int side = 0;
  for (int k = 0; k < SEARCH_STEPS && f != 0 && high - low > DBL_EPSILON * high; k++) {
    normal = k % 4 == 3 ? (low + high) / 2 : high - f_high * ((high - low) / (f_high - f_low));
    if (!(normal > low && normal < high)) normal = (low + high) / 2;
    if (!(normal > low && normal < high)) break;
    f = normal_velocity(s, normal);
    if (f < 0) {
      low = normal;
      f_low = f;
      if (side == -1) f_high /= 2;
      side = -1;
    } else {
      high = normal;
      f_high = f;
      if (side == 1) f_low /= 2;
      side = 1;
    }
  }
  return normal;
}

/* Any law with a normal impulse. r[1+d] in: warm start. */
static bool solve_with_normal(thud_velocity_solver *solver, const thud_velocity_problem *problem,
                              const thud_velocity_block *block, const double *q, double *r) {
  thud_index d = block->directions;
  const double *row = block_row(problem, block, 0);
  if (q[0] >= 0) {
    memset(r, 0, (size_t)(d + 1) * sizeof *r);
    return true;
  }
  if (!(row[0] > 0)) return false;
  normal_search s = {.solver = solver,
                     .problem = problem,
                     .block = block,
                     .q = q,
                     .x = r + 1,
                     .b = part_of_work(solver, 5),
                     .A = solver->square + (ptrdiff_t)d * d};
  double high = -q[0] / row[0], f_high = normal_velocity(&s, high), low = 0, f_low = q[0];
  for (int k = 0; f_high < 0; k++) {
    if (k == SEARCH_STEPS || !isfinite(high)) return false;
    low = high;
    f_low = f_high;
    high *= 2;
    f_high = normal_velocity(&s, high);
  }
  r[0] = search_root(&s, low, f_low, high, f_high);
  normal_velocity(&s, r[0]);
  return true;
}

/* A firm law: nothing without approach (q_N >= 0), otherwise u_N = 0, u_T = 0. False: r_N would not be positive then, and
 * there is no answer. */
static bool solve_firm(thud_velocity_solver *solver, const thud_velocity_problem *problem,
                       const thud_velocity_block *block, const double *q, double *r) {
  thud_index d = block->directions;
  const double *row = block_row(problem, block, 0);
  double *b = part_of_work(solver, 5), *A = solver->square + (ptrdiff_t)d * d, *x = r + 1,
         *unit = part_of_work(solver, 4);
  double left = row[0], load = q[0];
  r[0] = 0;
  load_slip(problem, block, q, 0, A, b); /* x = -A^-1 q_T without a normal impulse */
  bool solved = solve_whole(solver, d, A, b, x);
  for (thud_index k = 0; solved && k < d; k++) load += row[k + 1] * x[k];
  for (thud_index k = 0; k < d; k++) b[k] = row[k + 1]; /* and -A^-1 W_TN of a unit one */
  load_slip(problem, block, q, 0, A, unit);
  for (thud_index k = 0; k < d; k++) unit[k] = 0;
  if (solved) solved = solve_whole(solver, d, A, b, unit);
  for (thud_index k = 0; solved && k < d; k++) left += row[k + 1] * unit[k];
  bool presses = solved && q[0] < 0 && load < 0 && left > 0;
  if (presses) r[0] = -load / left;
  for (thud_index k = 0; k < d; k++) x[k] = presses ? x[k] + unit[k] * r[0] : 0;
  return presses || q[0] >= 0;
}

static bool solve_coulomb(const thud_velocity_problem *problem, const thud_velocity_block *block, const double *q,
                          double *r) {
  thud_index d = 1 + block->directions;
  double W[9];
  for (thud_index k = 0; k < d; k++)
    for (thud_index j = 0; j < d; j++) W[j * d + k] = block_row(problem, block, k)[j];
  thud_one_contact_mode mode =
      d == 2 ? thud_one_plane(W, block->friction_bound, q, r) : thud_one_space(W, block->friction_bound, q, r);
  return mode != THUD_MODE_NONE;
}

bool thud_velocity_block_solve(thud_velocity_solver *solver, const thud_velocity_problem *problem,
                               const thud_velocity_block *block, const double *q, const double *all, double *r) {
  if (!block->has_normal) {
    thud_index d = block->directions;
    double *b = part_of_work(solver, 5), *A = solver->square + (ptrdiff_t)d * d;
    load_slip(problem, block, q, 0, A, b);
    double radius = thud_velocity_threshold(problem, block, all, solver->work);
    solve_law(solver, &problem->laws[block->law], A, b, radius, r);
    return true;
  }
  if (block->directions == 0) return thud_one_normal(block_row(problem, block, 0)[0], q[0], r) != THUD_MODE_NONE;
  if (problem->laws[block->law].is_whole) return solve_firm(solver, problem, block, q, r);
  if (problem->laws[block->law].set == NULL) return solve_coulomb(problem, block, q, r);
  return solve_with_normal(solver, problem, block, q, r);
}
