/* Velocity problems (thud/velocity.h): what they say, and how wrong an answer is. */
#include "thud/velocity.h"
#include "base/base.h"
#include "convex/set.h"

#include <math.h>
#include <string.h>

/* ---- validation ------------------------------------------------------------------------------------------------ */

static const char *check_coupling(const thud_velocity_problem *problem, const thud_velocity_block *block) {
  const thud_velocity_coupling *coupling = block->coupling;
  if (block->has_normal || block->tied_row >= 0 || block->tied_bilateral >= 0) return "its threshold has two sources";
  if (coupling->threshold == NULL || (coupling->count > 0 && coupling->impulse == NULL))
    return "the function of its threshold, or the room for it, is missing";
  for (thud_index j = 0; j < coupling->count; j++)
    if (coupling->row[j] >= problem->rows || coupling->equation[j] >= problem->equations.count)
      return "a reaction of its threshold does not exist";
  return NULL;
}

static thud_error check_block(thud_context *context, const thud_velocity_problem *problem, thud_index b,
                              thud_index first) {
  const thud_velocity_block *block = &problem->blocks[b];
  const char *wrong = NULL;
  bool has_law = block->law >= 0;
  if (block->first != first)
    wrong = "its first row does not follow the block before";
  else if (block->law >= problem->law_count)
    wrong = "there is no such law";
  else if (!has_law && !block->has_normal)
    wrong = "it has neither a normal row nor a law";
  else if (block->directions != (has_law ? problem->laws[block->law].directions : 0))
    wrong = "its slip rows are not those of its law";
  else if (!(block->friction_bound >= 0) || !isfinite(block->friction_bound))
    wrong = "its friction_bound must be a number >= 0";
  else if (block->tied_row >= problem->rows || block->tied_bilateral >= problem->equations.count)
    wrong = "the row of its threshold does not exist";
  else if (block->has_normal && (block->tied_row >= 0 || block->tied_bilateral >= 0))
    wrong = "with a normal row of its own no other can give its threshold";
  else if (block->coupling != NULL)
    wrong = check_coupling(problem, block);
  if (wrong == NULL) return THUD_OK;
  return thud_fail(context, THUD_ERROR_ARGUMENT, "velocity problem: block %d: %s", (int)b, wrong);
}

static thud_error check_numbers(thud_context *context, const thud_velocity_problem *problem) {
  thud_index rows = problem->rows;
  for (thud_index i = 0; i < rows; i++) {
    bool finite = isfinite(problem->load[i]) && isfinite(problem->u_free[i]);
    for (thud_index j = 0; j < rows; j++) finite = finite && isfinite(problem->W.dense[i * rows + j]);
    if (!finite)
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "velocity problem: the data of row %d are not finite", (int)i);
    if (problem->W.dense[i * rows + i] < 0)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "velocity problem: W[%d,%d] is negative", (int)i, (int)i);
  }
  return THUD_OK;
}

thud_error thud_velocity_validate(thud_context *context, const thud_velocity_problem *problem) {
  THUD_REQUIRE(context, context, problem);
  thud_index row = 0;
  thud_error error = THUD_OK;
  for (thud_index b = 0; b < problem->block_count && error == THUD_OK; b++) {
    error = check_block(context, problem, b, row);
    row += problem->blocks[b].directions + (problem->blocks[b].has_normal ? 1 : 0);
  }
  if (error != THUD_OK) return error;
  if (row != problem->rows)
    return thud_fail(context, THUD_ERROR_DIMENSION, "velocity problem: its blocks have %d rows, not %d", (int)row,
                     (int)problem->rows);
  if (problem->W.storage != THUD_MATRIX_DENSE || problem->W.rows != row || problem->W.columns != row)
    return thud_fail(context, THUD_ERROR_DIMENSION, "velocity problem: W must be dense with %d rows and columns",
                     (int)row);
  return check_numbers(context, problem);
}

/* ---- velocities, impulses of equations, thresholds --------------------------------------------------------------- */

double thud_velocity_diagonal(const thud_velocity_problem *problem, thud_index i) {
  THUD_REQUIRE_OR(NAN, problem);
  return problem->diagonal != NULL ? problem->diagonal[i] : problem->W.dense[(ptrdiff_t)i * problem->rows + i];
}

void thud_velocity_apply(const thud_velocity_problem *problem, const double *r, double *u) {
  THUD_REQUIRE_OR(, problem, problem->rows == 0 || (r && u));
  thud_index rows = problem->rows;
  for (thud_index i = 0; i < rows; i++) {
    double sum = problem->load[i];
    const double *row = problem->W.dense + (ptrdiff_t)i * rows;
    for (thud_index j = 0; j < rows; j++) sum += row[j] * r[j];
    u[i] = sum;
  }
}

void thud_velocity_equation_impulses(const thud_velocity_problem *problem, const double *r, double *l) {
  THUD_REQUIRE_OR(, problem, problem->equations.count == 0 || (r && l));
  const thud_velocity_equations *equations = &problem->equations;
  thud_index count = equations->count, rows = problem->rows;
  for (thud_index b = count; b-- > 0;) { /* from the last column of the triangle to the first */
    l[b] = 0;
    thud_index j = equations->basis_of[b];
    if (j < 0) continue;
    double rest = equations->offset[j];
    for (thud_index i = 0; i < rows; i++) rest -= equations->along[j * rows + i] * r[i];
    for (thud_index c = b + 1; c < count; c++)
      if (equations->basis_of[c] >= 0) rest -= equations->triangle[c * count + j] * l[c];
    l[b] = rest / equations->triangle[b * count + j];
  }
}

/* work[equations.count] */
static double coupled_threshold(const thud_velocity_problem *problem, const thud_velocity_coupling *coupling,
                                const double *r, double *work) {
  if (problem->equations.count > 0) thud_velocity_equation_impulses(problem, r, work);
  for (thud_index j = 0; j < coupling->count; j++) {
    thud_index row = coupling->row[j], equation = coupling->equation[j];
    coupling->impulse[j] = row >= 0 ? r[row] : equation >= 0 ? work[equation] : 0;
  }
  return coupling->threshold(coupling->user, coupling->impulse);
}

double thud_velocity_threshold(const thud_velocity_problem *problem, const thud_velocity_block *block, const double *r,
                               double *work) {
  THUD_REQUIRE_OR(NAN, problem, block, r);
  if (block->has_normal) return block->friction_bound * r[block->first];
  if (block->tied_row >= 0) return block->friction_bound * r[block->tied_row];
  if (block->coupling != NULL) return block->friction_bound * coupled_threshold(problem, block->coupling, r, work);
  if (block->tied_bilateral < 0) return block->friction_bound;
  thud_velocity_equation_impulses(problem, r, work);
  return block->friction_bound * fabs(work[block->tied_bilateral]);
}

/* ---- how wrong ------------------------------------------------------------------------------------------------- */

double thud_velocity_scale(const thud_velocity_problem *problem, double tolerance) {
  THUD_REQUIRE_OR(NAN, problem);
  double scale = THUD_VELOCITY_ROUNDING * problem->magnitude / tolerance;
  for (thud_index i = 0; i < problem->rows; i++)
    scale = thud_larger(scale, thud_larger(fabs(problem->u_free[i]), fabs(problem->load[i])));
  return scale > 0 ? scale : 1;
}

static void project_on_disc(thud_index d, double radius, const double *x, double *y) {
  double square = 0;
  for (thud_index k = 0; k < d; k++) square += x[k] * x[k];
  double size = sqrt(square), factor = size > radius ? radius / size : 1;
  for (thud_index k = 0; k < d; k++) y[k] = factor * x[k];
}

/* y = Euclidean projection of x onto radius C; work[directions]. */
static void project(const thud_velocity_law *law, double radius, const double *x, double *work, double *y) {
  thud_index d = law->directions;
  if (law->is_whole) {
    for (thud_index k = 0; k < d; k++) y[k] = radius > 0 ? x[k] : 0;
    return;
  }
  if (law->set == NULL) {
    project_on_disc(d, radius, x, y);
    return;
  }
  for (thud_index k = 0; k < d; k++) work[k] = radius > 0 ? x[k] / radius : 0;
  thud_metric_view euclidean = thud_view_euclidean(d);
  thud_set_info info;
  if (radius > 0 && thud_set_project_view(law->set, &euclidean, work, y, &info) != THUD_OK) radius = 0;
  for (thud_index k = 0; k < d; k++) y[k] = radius > 0 ? radius * y[k] : 0;
}

static double slip_map(const thud_velocity_problem *problem, const thud_velocity_block *block, const double *r,
                       const double *u, double *work) {
  thud_index d = block->directions, first = block->first + (block->has_normal ? 1 : 0);
  double radius = thud_velocity_threshold(problem, block, r, work + (ptrdiff_t)3 * d);
  double trace = 0, *x = work, *y = work + d, square = 0;
  for (thud_index k = first; k < first + d; k++) trace += thud_velocity_diagonal(problem, k);
  double inverse = trace > 0 ? trace : 1; /* 1/rho: the map is taken back to units of velocity */
  for (thud_index k = 0; k < d; k++) x[k] = r[first + k] - u[first + k] / inverse;
  project(&problem->laws[block->law], thud_larger(radius, 0), x, work + (ptrdiff_t)2 * d, y);
  for (thud_index k = 0; k < d; k++) square += (r[first + k] - y[k]) * (r[first + k] - y[k]);
  return inverse * sqrt(square);
}

static double normal_map(const thud_velocity_problem *problem, thud_index i, double r, double u) {
  double W = thud_velocity_diagonal(problem, i);
  return W > 0 ? fabs(W * r - thud_larger(W * r - u, 0)) : thud_larger(-u, 0);
}

double thud_velocity_natural_map(const thud_velocity_problem *problem, const double *r, const double *u, double *work,
                                 thud_index *worst) {
  THUD_REQUIRE_OR(NAN, problem, problem->rows == 0 || (r && u && work));
  double most = 0;
  thud_index where = -1;
  for (thud_index b = 0; b < problem->block_count; b++) {
    const thud_velocity_block *block = &problem->blocks[b];
    double wrong = block->has_normal ? normal_map(problem, block->first, r[block->first], u[block->first]) : 0;
    if (block->directions > 0) wrong = thud_larger(wrong, slip_map(problem, block, r, u, work));
    if (wrong <= most) continue;
    most = wrong;
    where = b;
  }
  if (worst != NULL) *worst = where;
  return most;
}
