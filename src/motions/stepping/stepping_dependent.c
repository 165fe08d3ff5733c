/* Equations whose gradients are dependent at a node: points that are not qualified. Where the equations contradict each
 * other at a higher order (event_redundant.c) no motion goes on from there, although a scheme with drift finds
 * velocities: it leaves the equations, and is held by them beside the point.
 *
 * With unit gradients e_i in the kinetic metric, w_i is what is left of e_i beside e_1 .. e_{i-1}. w_i = 0 at a node is a
 * dependence; w_i that has turned round since the node before has passed through 0 in between. Lengths are those of the
 * largest gradient so far, so that a gradient that vanishes is a dependence, too. */
#include "motions/stepping/stepping.h"

#include "linalg/dense.h"
#include "model/diagnose.h"
#include "model/gradients.h"
#include "motions/event/event_probe.h"

#include <float.h>

/* Gradients that turn by more than a right angle within a step have passed 0 if less than this was left of them; more is a
 * step that does not follow the motion. */
#define NEARLY_DEPENDENT 0.5
/* Weights of gradients in one that depends on them; smaller ones are those of rows that take no part. */
#define TAKES_PART 1e-6
/* Contradictions of this part of their terms may be errors of the scheme: its nodes satisfy the equations up to its drift.
 * Where no motion goes on, squares of accelerations that nothing balances contradict, which are their terms. */
#define SLACK 0.05
/* Velocities of this part of those met so far are rounding. */
#define ROUNDING (64 * DBL_EPSILON)
/* Rows of which less than this is left beside those before them, at the largest length 1, are looked at. */
#define LOOKED_AT 0.1
/* A row that depends on others at as many nodes of a motion follows from them; a step of this part of the positions moves. */
#define FOLLOWED 2
#define MOVES 1e-8
/* A gap at the foot of this part of the positions is rounding of the other equations, times what they are made of. */
#define HOLDS 1e-12
/* Up to so many coordinates and equations every dependent node is followed to higher orders; larger systems where the
 * rank changes or the data jump, because the series costs more than the step. */
enum { SMALL_SYSTEM = 32 };

size_t thud_stepping_dependent_room(const thud_system *system, bool sparse) {
  size_t n = system->n, equations = 0;
  for (size_t i = 0; i < system->m; i++) equations += thud_model_is_equation(system, i) ? 1 : 0;
  if (sparse || n > MODEL_DENSE_DIAGNOSIS || equations > MODEL_DENSE_DIAGNOSIS) return 0;
  return equations;
}

/* e_i over the largest length so far, into row; false: it is 0 there. */
static void take_row(stepping_motion *motion, size_t equation, thud_index i, double *row) {
  size_t n = (size_t)motion->n;
  thud_model_to_orthonormal(n, motion->values->mass_factor, motion->values->gradient + (size_t)i * n, row);
  double length = sqrt(motion_dot(motion->n, row, row));
  motion->longest[equation] = thud_larger(motion->longest[equation], length);
  for (size_t c = 0; c < n && motion->longest[equation] > 0; c++) row[c] /= motion->longest[equation];
}

/* The bits of the equations that make up e_i: G c = e.e_i, G the Gram matrix of those before it that are independent. */
static uint64_t family_of(const stepping_motion *motion, size_t count, const thud_index *rows, const double *units,
                          const double *unit, thud_index i, double *gram, double *weight) {
  size_t n = (size_t)motion->n;
  thud_index failed;
  double pivot;
  uint64_t bits = i < 64 ? UINT64_C(1) << i : 0;
  for (size_t a = 0; a < count; a++) {
    weight[a] = motion_dot(motion->n, units + a * n, unit);
    for (size_t b = 0; b < count; b++) gram[a + b * count] = motion_dot(motion->n, units + a * n, units + b * n);
  }
  if (!thud_cholesky_loops((thud_index)count, gram, &failed, &pivot)) return bits;
  thud_dense_solve_lower((thud_index)count, gram, false, weight);
  thud_dense_solve_lower((thud_index)count, gram, true, weight);
  for (size_t a = 0; a < count; a++)
    if (fabs(weight[a]) > TAKES_PART && rows[a] < 64) bits |= UINT64_C(1) << rows[a];
  return bits;
}

static void note(stepping_motion *motion, uint64_t family) {
  thud_stepping_motion_info *info = &motion->now.info;
  if (info->unqualified == 0) info->unqualified_time = motion->now.t;
  info->unqualified |= family;
}

/* Room for the rows of a node. */
typedef struct node_rows {
  size_t count;          /* independent ones */
  size_t dependent;      /* others */
  thud_index *rows;      /* [equations] */
  double *units, *basis; /* [equations*n] of the independent ones */
  double *gram;          /* [equations^2] */
  double *weight;        /* [equations] */
  double *length;        /* [equations] of the gradients that the units are made of */
  thud_index
      parted; /* the first row that has followed from others while the system moved, and does no more; -1: none */
} node_rows;

static node_rows rows_of_room(const stepping_motion *motion) {
  size_t n = (size_t)motion->n, equations = motion->equations;
  double *units = motion->row_room, *gram = units + 2 * equations * n;
  return (node_rows){.rows = motion->family,
                     .units = units,
                     .basis = units + equations * n,
                     .gram = gram,
                     .weight = gram + equations * equations,
                     .length = gram + equations * equations + equations,
                     .parted = -1};
}

/* The step that led here was more than rounding: at rest a dependence at one place lasts. */
static bool moves(const stepping_motion *motion) {
  double size = sqrt(fabs(thud_values_product(motion->values, motion->n, motion->q, motion->q)));
  double speed = sqrt(fabs(thud_values_product(motion->values, motion->n, motion->v, motion->v)));
  return motion->now.node > 0 && motion->now.step * speed > MOVES * size;
}

/* Row number `equation`: w_i against that of the node before. */
static void look_at_row(stepping_motion *motion, size_t equation, thud_index i, node_rows *work) {
  size_t n = (size_t)motion->n;
  double *unit = work->units + work->count * n, *left = work->basis + work->count * n;
  double *before = motion->left_before + equation * n;
  take_row(motion, equation, i, unit);
  memcpy(left, unit, n * sizeof *left);
  double length = thud_model_complement(n, work->count, work->basis, left);
  double length_before = sqrt(motion_dot(motion->n, before, before)), turned = motion_dot(motion->n, before, left);
  bool depends = length <= MODEL_RANK_TOLERANCE || motion->left_out[i],
       depended = length_before <= MODEL_RANK_TOLERANCE;
  bool first = motion->now.node == 0;
  bool passed =
      !first && turned < 0 && length < NEARLY_DEPENDENT && length_before < NEARLY_DEPENDENT && !depends && !depended;
  if (passed || (depends && !first && !depended))
    note(motion, family_of(motion, work->count, work->rows, work->units, unit, i, work->gram, work->weight));
  if (!first && depends != depended) motion->now.rank_changed = true;
  memcpy(before, left, n * sizeof *left);
  if (depends && moves(motion)) motion->followed[equation]++;
  if (!depends && length > LOOKED_AT) motion->followed[equation] = 0;
  if (!depends && motion->followed[equation] >= FOLLOWED && work->parted < 0) work->parted = i;
  if (depends) {
    memset(before, 0, n * sizeof *before);
    work->dependent++;
    return;
  }
  thud_model_normalise(n, left);
  work->rows[work->count++] = i;
}

/* The state without what rounding has left of velocities beside those that the forces of the steps have been. */
static void clear_rounding(const stepping_motion *motion, double *v) {
  double speed = sqrt(2 * motion->now.energy_scale);
  for (thud_index c = 0; c < motion->n; c++) {
    double mass = motion->values->mass[(size_t)c * ((size_t)motion->n + 1)];
    bool rounding = sqrt(mass) * fabs(motion->v[c]) <= ROUNDING * speed;
    v[c] = motion->now.node > 0 && rounding ? 0 : motion->v[c];
  }
}

static thud_error follow_orders(stepping_motion *motion) {
  thud_error error = THUD_OK;
  if (motion->probe == NULL) error = thud_event_probe_create(motion->base.context, motion->system, &motion->probe);
  if (error != THUD_OK || motion->probe == NULL) return error;
  for (thud_index i = 0; i < motion->m; i++) {
    bool carries = motion->now.node > 0 && motion->flags[i] != 0 && motion->reaction[i] != 0;
    bool closed = motion->now.node == 0 && motion->gap[i] <= motion->options.gap_tolerance;
    motion->acting[i] = carries || closed;
  }
  clear_rounding(motion, motion->work);
  error = thud_event_probe(motion->probe, motion->now.t, motion->q, motion->work, motion->acting,
                           motion->now.node > 0 ? SLACK : 0, motion->now.node > 0 ? motion->now.step : 0);
  for (thud_index i = 0; i < motion->m; i++) motion->acting[i] = motion->flags[i] != 0;
  return error;
}

thud_error thud_stepping_look_for_contradiction(stepping_motion *motion) {
  for (thud_index i = 0; i < motion->m; i++) motion->gap[i] = motion->values->gap[i];
  return follow_orders(motion);
}

/* ---- equations that follow from others ------------------------------------------------------------------------------
 *
 * Equations of which some follow from others (x - y^2 and (x - y^2) exp(y); the closed chains of Bricard) are dependent
 * wherever they hold, and independent by a curvature times the drift where a scheme has left them: solved together they
 * would hold directions that no equation holds, by forces divided by that drift. No tolerance of the rank at the place
 * itself distinguishes this from equations that are nearly dependent. The foot does: the nearest point, in the kinetic
 * metric, at which the other equations hold. A row that depends on them there to rounding, and holds there with the same
 * rate, follows from them, and is left out of the velocity problem; any other is not. */

/* Rows of which less than this is left are dependent where they are (percussion_assemble.c). */
#define LEFT_TO_PERCUSSION 1e-12
enum { PROJECTIONS = 12 };

static const unsigned of_rows = THUD_AT_MASS | THUD_AT_CONSTRAINT | THUD_AT_GRADIENT;

/* Row i over the largest length so far, which is returned (1 for a row that has always been 0). */
static double unit_of(const stepping_motion *motion, size_t equation, thud_index i, double *unit) {
  size_t n = (size_t)motion->n;
  thud_model_to_orthonormal(n, motion->values->mass_factor, motion->values->gradient + (size_t)i * n, unit);
  double length = thud_larger(motion->longest[equation], sqrt(motion_dot(motion->n, unit, unit)));
  if (!(length > 0)) length = 1;
  for (size_t c = 0; c < n; c++) unit[c] /= length;
  return length;
}

static bool has_position(const stepping_motion *motion, thud_index i) {
  return thud_system_constraint(motion->system, i)->kind == THUD_CONSTRAINT_BILATERAL;
}

/* The rows of the values that are not left out, and that are independent; their gaps in `weight`. first: rows of which
 * little is left are left out. Returns the number of these. */
static size_t take_kept(stepping_motion *motion, bool first, node_rows *work) {
  size_t n = (size_t)motion->n, equation = 0, suspects = 0;
  work->count = 0;
  for (thud_index i = 0; i < motion->m; i++) {
    if (!thud_model_is_equation(motion->system, (size_t)i)) continue;
    size_t number = equation++;
    if (motion->left_out[i]) continue;
    double *unit = work->units + work->count * n, *left = work->basis + work->count * n;
    double length = unit_of(motion, number, i, unit);
    memcpy(left, unit, n * sizeof *left);
    double rest = thud_model_complement(n, work->count, work->basis, left);
    motion->left_out[i] = first && rest <= LOOKED_AT && rest > LEFT_TO_PERCUSSION;
    suspects += motion->left_out[i] ? 1 : 0;
    if (motion->left_out[i] || rest <= MODEL_RANK_TOLERANCE) continue;
    thud_model_normalise(n, left);
    work->length[work->count] = length;
    work->weight[work->count] = has_position(motion, i) ? -motion->values->gap[i] / length : 0;
    work->rows[work->count++] = i;
  }
  return suspects;
}

/* x becomes G^-1 x, G the Gram matrix of the kept rows. */
static bool solve_gram(const stepping_motion *motion, node_rows *work, double *x) {
  size_t n = (size_t)motion->n, count = work->count;
  thud_index failed;
  double pivot;
  for (size_t a = 0; a < count; a++)
    for (size_t b = 0; b < count; b++)
      work->gram[a + b * count] = motion_dot(motion->n, work->units + a * n, work->units + b * n);
  if (!thud_cholesky_loops((thud_index)count, work->gram, &failed, &pivot)) return false;
  thud_dense_solve_lower((thud_index)count, work->gram, false, x);
  thud_dense_solve_lower((thud_index)count, work->gram, true, x);
  return true;
}

/* |x| in the kinetic metric of the values. */
static double kinetic_length(const stepping_motion *motion, const double *x) {
  return sqrt(fabs(thud_values_product(motion->values, motion->n, x, x)));
}

/* Newton's method on the kept rows from q to motion->foot: moves M^-1 A'c with A M^-1 A' c = -g. *size: lengths that
 * positions have there. False: it does not arrive. The values and rows are those of the foot. */
static bool find_foot(stepping_motion *motion, double t, const double *q, const double *v, node_rows *work,
                      double *size) {
  size_t n = (size_t)motion->n;
  double *move = motion->foot + n, moved = INFINITY, way = 0;
  memcpy(motion->foot, q, n * sizeof *q);
  for (int turn = 0; turn < PROJECTIONS; turn++) {
    if (thud_stepping_evaluate(motion, t, motion->foot, v, of_rows) != THUD_OK) return false;
    take_kept(motion, false, work);
    *size = kinetic_length(motion, motion->foot) + way;
    if (moved <= DBL_EPSILON * *size) return true;
    if (!solve_gram(motion, work, work->weight)) return false;
    memset(move, 0, n * sizeof *move);
    for (size_t a = 0; a < work->count; a++)
      for (size_t c = 0; c < n; c++) move[c] += work->weight[a] * work->units[a * n + c];
    moved = sqrt(motion_dot(motion->n, move, move));
    way += moved;
    thud_factor_backward(motion->n, motion->values->mass_factor, move);
    for (size_t c = 0; c < n; c++) motion->foot[c] += move[c];
  }
  return moved <= MODEL_RANK_TOLERANCE * *size;
}

/* Length in kinetic units by which equations have been violated since the start, which they are allowed to go on with. */
static double violation_of_start(const stepping_motion *motion) {
  size_t equation = 0;
  double worst = 0;
  for (thud_index i = 0; i < motion->m; i++) {
    if (!thud_model_is_equation(motion->system, (size_t)i)) continue;
    double length = motion->longest[equation++];
    if (length > 0 && has_position(motion, i)) worst = thud_larger(worst, motion->at_start[i] / length);
  }
  return worst;
}

/* Row i follows from the kept rows at the foot: nothing is left of it, it holds, and its rate is made of theirs. */
static bool follows_from_kept(const stepping_motion *motion, size_t equation, thud_index i, double size,
                              node_rows *work) {
  size_t n = (size_t)motion->n;
  double *unit = work->units + work->count * n, *left = work->basis + work->count * n;
  double length = unit_of(motion, equation, i, unit), rate = motion->values->rate[i] / length, terms = fabs(rate);
  memcpy(left, unit, n * sizeof *left);
  if (thud_model_complement(n, work->count, work->basis, left) > MODEL_RANK_TOLERANCE) return false;
  for (size_t a = 0; a < work->count; a++) work->weight[a] = motion_dot(motion->n, work->units + a * n, unit);
  if (!solve_gram(motion, work, work->weight)) return false;
  for (size_t a = 0; a < work->count; a++) {
    double part = work->weight[a] * motion->values->rate[work->rows[a]] / work->length[a];
    rate -= part;
    terms += fabs(part);
  }
  double gap = has_position(motion, i) ? fabs(motion->values->gap[i]) / length : 0;
  double allowed = MODEL_RANK_TOLERANCE * size + 2 * violation_of_start(motion);
  return gap <= allowed && fabs(rate) <= MODEL_RANK_TOLERANCE * terms;
}

/* The first row left out that does not follow from the kept ones; -1: all follow. Taking rows back in their order leaves
 * the last ones of each family out, so that the choice does not change along a motion. */
static thud_index first_to_keep(stepping_motion *motion, double size, node_rows *work) {
  size_t equation = 0;
  for (thud_index i = 0; i < motion->m; i++) {
    if (!thud_model_is_equation(motion->system, (size_t)i)) continue;
    size_t number = equation++;
    if (motion->left_out[i] && !follows_from_kept(motion, number, i, size, work)) return i;
  }
  return -1;
}

thud_error thud_stepping_leave_out(stepping_motion *motion, double t, const double *q, const double *v) {
  if (motion->equations == 0) return THUD_OK;
  node_rows work = rows_of_room(motion);
  memset(motion->left_out, 0, (size_t)motion->m * sizeof *motion->left_out);
  thud_error error = thud_stepping_evaluate(motion, t, q, v, THUD_AT_MASS | THUD_AT_GRADIENT);
  if (error != THUD_OK) return error;
  size_t suspects = take_kept(motion, true, &work);
  if (suspects == 0) return THUD_OK;
  for (double size; suspects > 0; suspects--) {
    if (!find_foot(motion, t, q, v, &work, &size)) {
      memset(motion->left_out, 0, (size_t)motion->m * sizeof *motion->left_out);
      break;
    }
    thud_index kept = first_to_keep(motion, size, &work);
    if (kept < 0) break;
    motion->left_out[kept] = false;
  }
  return thud_stepping_evaluate(motion, t, q, v, of_rows);
}

/* A row that followed from the others, and is independent of them now, holds no more where they do: no motion goes on, though
 * a scheme whose drift leaves it room would stop without a word. */
static thud_error look_at_parted(stepping_motion *motion, node_rows *work) {
  size_t equation = 0;
  double size;
  thud_index wrong = -1;
  if (work->parted < 0) return THUD_OK;
  for (thud_index i = 0; i < motion->m; i++)
    if (thud_model_is_equation(motion->system, (size_t)i) && motion->followed[equation++] >= FOLLOWED)
      motion->left_out[i] = true;
  if (find_foot(motion, motion->now.t, motion->q, motion->v, work, &size)) {
    double allowed = HOLDS * size + 2 * violation_of_start(motion);
    equation = 0;
    for (thud_index i = 0; i < motion->m && wrong < 0; i++) {
      if (!thud_model_is_equation(motion->system, (size_t)i)) continue;
      size_t number = equation++;
      if (!motion->left_out[i] || !has_position(motion, i)) continue;
      double length = unit_of(motion, number, i, motion->foot + motion->n);
      if (fabs(motion->values->gap[i]) > allowed * length) wrong = i;
    }
  }
  if (wrong >= 0)
    return thud_fail(motion->base.context, THUD_ERROR_UNQUALIFIED,
                     "[contradictory-constraints] no solution: equation '%s' followed from the others up to here, and "
                     "contradicts them from here on",
                     thud_system_constraint(motion->system, wrong)->name);
  return thud_stepping_evaluate(motion, motion->now.t, motion->q, motion->v, of_rows);
}

static thud_error look_at_rows(stepping_motion *motion) {
  size_t n = (size_t)motion->n, equations = motion->equations, equation = 0;
  node_rows work = rows_of_room(motion);
  motion->now.rank_changed = false;
  for (thud_index i = 0; i < motion->m; i++)
    if (thud_model_is_equation(motion->system, (size_t)i)) look_at_row(motion, equation++, i, &work);
  thud_error error = look_at_parted(motion, &work);
  if (error != THUD_OK) return error;
  bool small = n + equations <= SMALL_SYSTEM, first = motion->now.node == 0;
  bool dependent = work.dependent > 0 || (first && motion->starts_dependent);
  if (!dependent || motion->now.impact) return THUD_OK;
  return first || small || motion->now.rank_changed || motion->now.at_jump ? follow_orders(motion) : THUD_OK;
}

thud_error thud_stepping_look_at_equations(stepping_motion *motion) {
  if (motion->equations == 0) return THUD_OK;
  thud_error error = thud_stepping_leave_out(motion, motion->now.t, motion->q, motion->v);
  return error == THUD_OK ? look_at_rows(motion) : error;
}
