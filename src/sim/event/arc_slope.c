/* The right-hand side of arcs whose modes are fixed: accelerations as a function of (t, q, v), with the held rows
 * solved for their reactions. */
#include "sim/event/arc_functions.h"

#include "linalg/dense.h"

#include <math.h>
#include <string.h>

/* Directions of the slips: pull = -d. From rest they are those known at the start until there is slip. */
static void set_pulls(const sim_arc *arc) {
  const sim_arc *stage = arc->functions->stage;
  const double *slip = stage->jet + stage->jets.layout.slip_velocity;
  for (size_t k = 0; k < arc->modes.slide_count; k++) {
    const arc_slide *slide = &arc->modes.slide[k];
    double *pull = arc->functions->pull + arc->m + slide->first;
    double speed = slide->directions == 2 && !slide->fixed ? hypot(slip[slide->first], slip[slide->first + 1]) : 0;
    for (size_t c = 0; c < slide->directions; c++)
      pull[c] = stage->t0 > arc->t0 && speed > 0 ? -slip[slide->first + c] / speed : -slide->along[c];
  }
}

/* Adds to the equation of row i what a sliding law gives it: its part of the column of the normal reaction, or of the
 * right-hand side. */
static void add_slide(const sim_arc *arc, const arc_slide *slide, size_t i, size_t a) {
  const struct arc_functions *functions = arc->functions;
  const sim_arc *stage = functions->stage;
  size_t count = arc->modes.held_count;
  double effect = 0, most = slide->radius * stage->jet[stage->jets.layout.friction + slide->law];
  for (size_t c = 0; c < slide->directions; c++) {
    size_t row = arc->m + slide->first + c;
    effect += stage->delassus[i * stage->rows + row] * functions->pull[row];
  }
  if (slide->constraint < 0) functions->row_values[a] -= effect * most / stage->own[i];
  for (size_t b = 0; b < count; b++)
    if (arc->modes.held[b] == slide->constraint)
      functions->row_factor[a + b * count] +=
          effect * most * slide->sign / (stage->own[i] * stage->own[slide->constraint]);
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
    size_t i = (size_t)held[a];
    x[a] = -stage->drift[i] / stage->own[i];
    for (size_t b = 0; b < count; b++)
      factor[a + b * count] =
          stage->delassus[i * stage->rows + (size_t)held[b]] / (stage->own[i] * stage->own[held[b]]);
    for (size_t k = 0; k < arc->modes.slide_count; k++) add_slide(arc, &arc->modes.slide[k], i, a);
  }
  if (count > 0 && !thud_dense_lu((thud_index)count, factor, functions->pivots))
    return thud_fail(stage->context, THUD_ERROR_UNQUALIFIED,
                     "t = %.10g: the gradients of the constraints that hold have become dependent", stage->t0);
  if (count > 0) thud_dense_lu_solve((thud_index)count, factor, functions->pivots, x);
  for (size_t a = 0; a < count; a++) stage->reaction[held[a]] = x[a] / stage->own[held[a]];
  set_tractions(arc);
  return THUD_OK;
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
  thud_arc_close_order(stage, 0);
  memcpy(slope, y + n, n * sizeof *slope);
  memcpy(slope + n, stage->a, n * sizeof *slope);
  return THUD_OK;
}
