/* The right-hand side of arcs whose modes are fixed: accelerations as a function of (t, q, v), with the held rows
 * solved for their reactions. */
#include "motions/event/arc_functions.h"

#include "linalg/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The point of an outline against a slip. */
static bool pull_by_outline(const arc_slide *slide, const double *slip, double *pull) {
  double normal[THUD_MOST_SLIPS];
  bool slips = false;
  for (size_t c = 0; c < slide->directions; c++) {
    normal[c] = -slip[c];
    slips = slips || slip[c] != 0;
  }
  if (slips) thud_outline_point(slide->outline, slide->piece, normal, pull);
  return slips;
}

/* Directions of the slips: pull = -d. From rest they are those known at the start until there is slip. */
static void set_pulls(const sim_arc *arc) {
  const sim_arc *stage = arc->functions->stage;
  const double *slip = stage->jet + stage->jets.layout.slip_velocity;
  for (size_t k = 0; k < arc->modes.slide_count; k++) {
    const arc_slide *slide = &arc->modes.slide[k];
    double *pull = arc->functions->pull + arc->m + slide->first;
    if (slide->outline != NULL && stage->t0 > arc->t0 && pull_by_outline(slide, slip + slide->first, pull)) continue;
    double speed = slide->directions == 2 && !slide->fixed && slide->outline == NULL
                       ? hypot(slip[slide->first], slip[slide->first + 1])
                       : 0;
    for (size_t c = 0; c < slide->directions; c++)
      pull[c] = stage->t0 > arc->t0 && speed > 0 ? -slip[slide->first + c] / speed : -slide->along[c];
  }
}

/* What a force along row `by` does to held row number a. */
static double held_by(const sim_arc *arc, size_t a, size_t by) {
  const sim_arc *stage = arc->functions->stage;
  const arc_mix *mix = &arc->modes.mix[a];
  size_t row = (size_t)arc->modes.held[a];
  double sum = mix->factor[0] * stage->delassus[row * stage->rows + by];
  return mix->pair ? sum + mix->factor[1] * stage->delassus[(row + 1) * stage->rows + by] : sum;
}

/* The same for held row number b. */
static double held_by_held(const sim_arc *arc, size_t a, size_t b) {
  const arc_mix *mix = &arc->modes.mix[b];
  size_t row = (size_t)arc->modes.held[b];
  double sum = mix->factor[0] * held_by(arc, a, row);
  return mix->pair ? sum + mix->factor[1] * held_by(arc, a, row + 1) : sum;
}

/* Length of its gradient. */
static double held_length(const sim_arc *arc, size_t a) {
  const sim_arc *stage = arc->functions->stage;
  return arc->modes.mix[a].pair ? sqrt(held_by_held(arc, a, a)) : stage->own[arc->modes.held[a]];
}

/* Adds to the equation of held row number a what a sliding law gives it: its part of the column of the normal reaction,
 * or of the right-hand side. */
static void add_slide(const sim_arc *arc, const arc_slide *slide, size_t a) {
  const struct arc_functions *functions = arc->functions;
  const sim_arc *stage = functions->stage;
  size_t count = arc->modes.held_count;
  double effect = 0, most = slide->radius * stage->jet[stage->jets.layout.friction + slide->law];
  double own = held_length(arc, a);
  for (size_t c = 0; c < slide->directions; c++) {
    size_t row = arc->m + slide->first + c;
    effect += held_by(arc, a, row) * functions->pull[row];
  }
  if (slide->constraint < 0) functions->row_values[a] -= effect * most / own;
  for (size_t b = 0; b < count; b++)
    if (arc->modes.held[b] == slide->constraint)
      functions->row_factor[a + b * count] += effect * most * slide->sign / (own * stage->own[slide->constraint]);
}

/* Reactions of the components that slide, those of the held rows being known. */
static void set_tractions(const sim_arc *arc) {
  sim_arc *stage = arc->functions->stage;
  for (size_t k = 0; k < arc->modes.slide_count; k++) {
    const arc_slide *slide = &arc->modes.slide[k];
    double most = slide->radius * stage->jet[stage->jets.layout.friction + slide->law];
    if (slide->constraint >= 0) most *= slide->sign * stage->reaction[slide->constraint];
    for (size_t c = 0; c < slide->directions; c++) {
      size_t row = arc->m + slide->first + c;
      stage->reaction[row] = most * arc->functions->pull[row];
    }
  }
}

/* ---- rows that depend on others ---------------------------------------------------------------------------------- */

/* Number a of the held rows as a combination of rows of the start: G between two of them. */
static double start_product(const sim_arc *arc, size_t a, size_t b) {
  const arc_mix *mix = arc->modes.mix;
  double sum = 0;
  for (size_t i = 0; i < 2; i++)
    for (size_t j = 0; j < 2; j++) {
      double factor = mix[a].factor[i] * mix[b].factor[j];
      if (factor == 0) continue;
      sum += factor * arc->delassus[((size_t)arc->modes.held[a] + i) * arc->rows + (size_t)arc->modes.held[b] + j];
    }
  return sum;
}

/* Part `number` of a row, at length 1, in the directions of those taken before, which are rows of L: G_aS = l_a L_S'. Returns
 * what is left of its square. */
static double project_row(const sim_arc *arc, size_t a, size_t number) {
  const struct arc_functions *functions = arc->functions;
  size_t count = arc->modes.held_count;
  double *row = functions->basis + a * count, left = 1, own = sqrt(start_product(arc, a, a));
  for (size_t k = 0; k < number; k++) {
    size_t b = (size_t)functions->order[k];
    const double *other = functions->basis + b * count;
    double sum = start_product(arc, a, b) / (own * sqrt(start_product(arc, b, b)));
    for (size_t j = 0; j < k; j++) sum -= row[j] * other[j];
    row[k] = sum / other[k];
    left -= row[k] * row[k];
  }
  return left;
}

void thud_arc_choose_rows(const sim_arc *arc) {
  struct arc_functions *functions = arc->functions;
  size_t count = arc->modes.held_count, taken = 0, rest = count;
  for (size_t a = 0; a < count; a++) {
    double left = start_product(arc, a, a) > 0 ? project_row(arc, a, taken) : 0;
    functions->given[a] = arc->modes.mix[a].pair ? 0 : arc->reaction[arc->modes.held[a]];
    if (left > ARC_ROUNDING * DBL_EPSILON * (double)(taken + 1)) {
      functions->basis[a * count + taken] = sqrt(left);
      functions->order[taken++] = (thud_index)a;
    } else {
      functions->order[--rest] = (thud_index)a;
    }
  }
  functions->independent = taken;
}

/* A x = b, x: b, then x, with rows and columns at the size 1: those of sliding laws are mu times the others. scale: [n] room. */
static bool solve_scaled(size_t n, double *A, thud_index *pivots, double *scale, double *x) {
  for (size_t i = 0; i < n; i++) {
    double most = 0;
    for (size_t j = 0; j < n; j++) most = fmax(most, fabs(A[i + j * n]));
    if (!(most > 0)) return false;
    for (size_t j = 0; j < n; j++) A[i + j * n] /= most;
    x[i] /= most;
  }
  for (size_t j = 0; j < n; j++) {
    scale[j] = 0;
    for (size_t i = 0; i < n; i++) scale[j] = fmax(scale[j], fabs(A[i + j * n]));
    if (!(scale[j] > 0)) return false;
    for (size_t i = 0; i < n; i++) A[i + j * n] /= scale[j];
  }
  if (!thud_dense_lu((thud_index)n, A, pivots)) return false;
  thud_dense_lu_solve((thud_index)n, A, pivots, x);
  for (size_t j = 0; j < n; j++) x[j] /= scale[j];
  return true;
}

/* Reactions of dependent rows, A x = b with the rank of the independent ones: x = given + B z changes by as little as it may,
 * with the rows of the held gradients in B, G = B B'. The equations of the others follow from these. x: b, then x. */
static bool solve_dependent(const sim_arc *arc, double *x) {
  const struct arc_functions *functions = arc->functions;
  const double *A = functions->row_factor;
  size_t count = arc->modes.held_count, rank = functions->independent;
  double *B = functions->basis, *T = B + count * count, *z = T + count * count; /* B: row-major */
  for (size_t k = 0; k < count; k++) {
    size_t a = (size_t)functions->order[k];
    for (size_t j = 0; j < rank && (k >= rank || j <= k); j++) {
      size_t b = (size_t)functions->order[j];
      double sum = held_by_held(arc, a, b) / (held_length(arc, a) * held_length(arc, b));
      for (size_t i = 0; i < j; i++) sum -= B[a * count + i] * B[b * count + i];
      B[a * count + j] = k == j ? sqrt(fmax(0, sum)) : sum / B[b * count + j];
    }
    for (size_t j = k + 1; j < rank; j++) B[a * count + j] = 0;
  }
  for (size_t k = 0; k < rank; k++) {
    size_t a = (size_t)functions->order[k];
    z[k] = x[a];
    for (size_t b = 0; b < count; b++) z[k] -= A[a + b * count] * functions->given[b] * held_length(arc, b);
    for (size_t j = 0; j < rank; j++) {
      T[k + j * rank] = 0;
      for (size_t b = 0; b < count; b++) T[k + j * rank] += A[a + b * count] * B[b * count + j];
    }
  }
  if (!solve_scaled(rank, T, functions->pivots, z + count, z)) return false;
  for (size_t a = 0; a < count; a++) {
    x[a] = functions->given[a] * held_length(arc, a);
    for (size_t j = 0; j < rank; j++) x[a] += B[a * count + j] * z[j];
  }
  return true;
}

static bool solve_rows(const sim_arc *arc, double *x) {
  const struct arc_functions *functions = arc->functions;
  size_t count = arc->modes.held_count;
  if (functions->independent < count) return solve_dependent(arc, x);
  return solve_scaled(count, functions->row_factor, functions->pivots, functions->basis, x);
}

/* Reactions of order 0: u' = 0 of the held rows, every row and column in units of its gradient's length. */
static thud_error solve_reactions(const sim_arc *arc) {
  const struct arc_functions *functions = arc->functions;
  sim_arc *stage = functions->stage;
  const thud_index *held = arc->modes.held;
  size_t count = arc->modes.held_count;
  double *factor = functions->row_factor, *x = functions->row_values;
  memset(stage->reaction, 0, stage->rows * sizeof(double));
  set_pulls(arc);
  for (size_t a = 0; a < count; a++) {
    const arc_mix *mix = &arc->modes.mix[a];
    double drift = stage->drift[held[a]];
    if (mix->pair) drift = mix->factor[0] * drift + mix->factor[1] * stage->drift[held[a] + 1];
    x[a] = -drift / held_length(arc, a);
    for (size_t b = 0; b < count; b++)
      factor[a + b * count] = held_by_held(arc, a, b) / (held_length(arc, a) * held_length(arc, b));
    for (size_t k = 0; k < arc->modes.slide_count; k++) add_slide(arc, &arc->modes.slide[k], a);
  }
  if (!solve_rows(arc, x))
    return thud_fail(stage->context, THUD_ERROR_UNQUALIFIED,
                     "t = %.10g: the gradients of the constraints that hold have become dependent", stage->t0);
  for (size_t a = 0; a < count; a++)
    if (!arc->modes.mix[a].pair) stage->reaction[held[a]] = x[a] / stage->own[held[a]];
  set_tractions(arc);
  for (size_t a = 0; a < count; a++) /* along edges, beside what slides across them */
    for (int c = 0; c < 2 && arc->modes.mix[a].pair; c++)
      stage->reaction[held[a] + c] += arc->modes.mix[a].factor[c] * x[a] / held_length(arc, a);
  return THUD_OK;
}

/* Rounding errors of accelerations and reactions are taken back. Slip along edges is left as it is. The factor of the
 * reactions is not needed any more: its arrays serve the held rows. */
static void refine(const sim_arc *arc) {
  const struct arc_functions *functions = arc->functions;
  sim_arc *stage = functions->stage;
  arc_held held = {0, functions->pivots, functions->row_factor, functions->row_values};
  thud_index failed;
  double pivot;
  for (size_t k = 0; k < functions->independent; k++) {
    size_t a = (size_t)functions->order[k];
    if (!arc->modes.mix[a].pair) functions->pivots[held.count++] = arc->modes.held[a];
  }
  for (size_t a = 0; a < held.count; a++)
    for (size_t b = 0; b < held.count; b++)
      functions->row_factor[a + b * held.count] =
          stage->delassus[(size_t)held.rows[a] * stage->rows + (size_t)held.rows[b]];
  if (!thud_cholesky_loops((thud_index)held.count, functions->row_factor, &failed, &pivot)) held.count = 0;
  thud_arc_refine(stage, 0, &held);
}

/* y = (q, v); leaves everything of the state in the stage. */
thud_error thud_arc_slope(void *user, double s, const double *y, double *slope) {
  const sim_arc *arc = user;
  const struct arc_functions *functions = arc->functions;
  sim_arc *stage = functions->stage;
  size_t n = arc->n;
  thud_error error = thud_arc_begin(stage, arc->t0 + s, y, y + n);
  if (error == THUD_OK) error = thud_arc_open_order(stage, 0);
  if (error == THUD_OK) error = solve_reactions(arc);
  if (error != THUD_OK) return error;
  thud_arc_accelerate(stage, 0);
  refine(arc);
  thud_arc_close_order(stage, 0);
  memcpy(slope, y + n, n * sizeof *slope);
  memcpy(slope + n, stage->a, n * sizeof *slope);
  return THUD_OK;
}
