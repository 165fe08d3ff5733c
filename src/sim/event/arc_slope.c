/* The right-hand side of arcs whose modes are fixed: accelerations as a function of (t, q, v), with the held rows
 * solved for their reactions. */
#include "sim/event/arc_functions.h"

#include "linalg/dense.h"

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
  if (count > 0 && !thud_dense_lu((thud_index)count, factor, functions->pivots))
    return thud_fail(stage->context, THUD_ERROR_UNQUALIFIED,
                     "t = %.10g: the gradients of the constraints that hold have become dependent", stage->t0);
  if (count > 0) thud_dense_lu_solve((thud_index)count, factor, functions->pivots, x);
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
  for (size_t a = 0; a < arc->modes.held_count; a++)
    if (!arc->modes.mix[a].pair) functions->pivots[held.count++] = arc->modes.held[a];
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
