/* Equations whose gradients are dependent at a node: points that are not qualified. Where the equations contradict each
 * other at a higher order (event_redundant.c) no motion goes on from there, although a scheme with drift finds
 * velocities: it leaves the equations, and is held by them beside the point.
 *
 * With unit gradients e_i in the kinetic metric, w_i is what is left of e_i beside e_1 .. e_{i-1}. w_i = 0 at a node is a
 * dependence; w_i that has turned round since the node before has passed through 0 in between. Lengths are those of the
 * largest gradient so far, so that a gradient that vanishes is a dependence, too. */
#include "sim/stepping/stepping.h"

#include "linalg/dense.h"
#include "model/diagnose.h"
#include "model/gradients.h"
#include "sim/event/probe.h"

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
static void take_row(thud_stepping *motion, size_t equation, thud_index i, double *row) {
  size_t n = (size_t)motion->n;
  thud_model_to_orthonormal(n, motion->values->mass_factor, motion->values->gradient + (size_t)i * n, row);
  double length = sqrt(motion_dot(motion->n, row, row));
  motion->longest[equation] = thud_larger(motion->longest[equation], length);
  for (size_t c = 0; c < n && motion->longest[equation] > 0; c++) row[c] /= motion->longest[equation];
}

/* The bits of the equations that make up e_i: G c = e.e_i, G the Gram matrix of those before it that are independent. */
static uint64_t family_of(const thud_stepping *motion, size_t count, const thud_index *rows, const double *units,
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

static void note(thud_stepping *motion, uint64_t family) {
  thud_stepping_info *info = &motion->now.info;
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
} node_rows;

/* Row number `equation`: w_i against that of the node before. */
static void look_at_row(thud_stepping *motion, size_t equation, thud_index i, node_rows *work) {
  size_t n = (size_t)motion->n;
  double *unit = work->units + work->count * n, *left = work->basis + work->count * n;
  double *before = motion->left_before + equation * n;
  take_row(motion, equation, i, unit);
  memcpy(left, unit, n * sizeof *left);
  double length = thud_model_complement(n, work->count, work->basis, left);
  double length_before = sqrt(motion_dot(motion->n, before, before)), turned = motion_dot(motion->n, before, left);
  bool depends = length <= MODEL_RANK_TOLERANCE, depended = length_before <= MODEL_RANK_TOLERANCE;
  bool first = motion->now.node == 0;
  bool passed =
      !first && turned < 0 && length < NEARLY_DEPENDENT && length_before < NEARLY_DEPENDENT && !depends && !depended;
  if (passed || (depends && !first && !depended))
    note(motion, family_of(motion, work->count, work->rows, work->units, unit, i, work->gram, work->weight));
  if (!first && depends != depended) motion->now.rank_changed = true;
  memcpy(before, left, n * sizeof *left);
  if (depends) {
    memset(before, 0, n * sizeof *before);
    work->dependent++;
    return;
  }
  thud_model_normalise(n, left);
  work->rows[work->count++] = i;
}

/* The state without what rounding has left of velocities beside those that the forces of the steps have been. */
static void clear_rounding(const thud_stepping *motion, double *v) {
  double speed = sqrt(2 * motion->now.energy_scale);
  for (thud_index c = 0; c < motion->n; c++) {
    double mass = motion->values->mass[(size_t)c * ((size_t)motion->n + 1)];
    bool rounding = sqrt(mass) * fabs(motion->v[c]) <= ROUNDING * speed;
    v[c] = motion->now.node > 0 && rounding ? 0 : motion->v[c];
  }
}

static thud_error follow_orders(thud_stepping *motion) {
  thud_error error = THUD_OK;
  if (motion->probe == NULL) error = thud_event_probe_create(motion->context, motion->system, &motion->probe);
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

thud_error thud_stepping_look_for_contradiction(thud_stepping *motion) {
  for (thud_index i = 0; i < motion->m; i++) motion->gap[i] = motion->values->gap[i];
  return follow_orders(motion);
}

/* ---- equations that are independent beside the motion only ---------------------------------------------------------- */

enum { PROJECTIONS = 8 };

/* Rows at motion->middle, whose gradients and gaps are evaluated there: how many are independent. */
static thud_error count_rows(thud_stepping *motion, node_rows *work) {
  size_t n = (size_t)motion->n, equation = 0;
  const unsigned parts = THUD_AT_MASS | THUD_AT_CONSTRAINT | THUD_AT_GRADIENT;
  thud_error error = thud_stepping_evaluate(motion, motion->now.t, motion->middle, motion->v, parts);
  work->count = 0;
  for (thud_index i = 0; i < motion->m && error == THUD_OK; i++) {
    if (!thud_model_is_equation(motion->system, (size_t)i)) continue;
    double *unit = work->units + work->count * n, *left = work->basis + work->count * n;
    double longest = motion->longest[equation++];
    thud_model_to_orthonormal(n, motion->values->mass_factor, motion->values->gradient + (size_t)i * n, unit);
    for (size_t c = 0; c < n && longest > 0; c++) unit[c] /= longest;
    memcpy(left, unit, n * sizeof *left);
    if (thud_model_complement(n, work->count, work->basis, left) <= MODEL_RANK_TOLERANCE) continue;
    thud_model_normalise(n, left);
    work->rows[work->count++] = i;
  }
  return error;
}

/* The nearest point of the first `rank` equations, by Newton's method from motion->middle: its move is M^-1 A' c with
 * A M^-1 A' c = -g. False: there is none. */
static bool project_middle(thud_stepping *motion, size_t rank, node_rows *work, double *force) {
  size_t n = (size_t)motion->n;
  thud_index failed;
  double pivot;
  for (int turn = 0; turn < PROJECTIONS; turn++) {
    if (count_rows(motion, work) != THUD_OK || work->count < rank) return false;
    for (size_t a = 0; a < rank; a++) {
      const double *gradient = motion->values->gradient + (size_t)work->rows[a] * n;
      thud_model_to_orthonormal(n, motion->values->mass_factor, gradient, work->units + a * n);
      bool position = thud_system_constraint(motion->system, work->rows[a])->kind == THUD_CONSTRAINT_BILATERAL;
      work->weight[a] = position ? -motion->values->gap[work->rows[a]] : 0;
    }
    for (size_t a = 0; a < rank; a++)
      for (size_t b = 0; b < rank; b++)
        work->gram[a + b * rank] = motion_dot(motion->n, work->units + a * n, work->units + b * n);
    if (!thud_cholesky_loops((thud_index)rank, work->gram, &failed, &pivot)) return false;
    thud_dense_solve_lower((thud_index)rank, work->gram, false, work->weight);
    thud_dense_solve_lower((thud_index)rank, work->gram, true, work->weight);
    memset(force, 0, n * sizeof *force);
    for (size_t a = 0; a < rank; a++)
      for (size_t c = 0; c < n; c++)
        force[c] += work->weight[a] * motion->values->gradient[(size_t)work->rows[a] * n + c];
    motion_solve_mass(motion->n, motion->values->mass_factor, force);
    for (size_t c = 0; c < n; c++) motion->middle[c] += force[c];
  }
  return true;
}

/* Equations of which `rank` are independent wherever they hold (x - y^2 and (x - y^2) exp(y)) have more independent
 * gradients where a scheme has drifted off them: it holds more directions than the equations do, and the motion stops.
 * motion->middle: where the next velocity problem sees them. What cannot be evaluated beside the node is no finding. */
static bool would_lock(thud_stepping *motion, size_t rank, node_rows *work) {
  if (rank == 0 || count_rows(motion, work) != THUD_OK || work->count <= rank) return false;
  return project_middle(motion, rank, work, motion->work) && count_rows(motion, work) == THUD_OK && work->count <= rank;
}

/* rank: of the node before or of this one, whichever is smaller. A node that has drifted off the equations shows it itself,
 * one that satisfies them (stabilised) where its velocity leads. */
static thud_error look_for_locking(thud_stepping *motion, size_t rank, node_rows *work) {
  double way = work->count > rank ? 0 : motion->now.step;
  for (thud_index c = 0; c < motion->n; c++) motion->middle[c] = motion->q[c] + way * motion->v[c];
  bool locks = would_lock(motion, rank, work);
  if (!locks)
    return thud_stepping_evaluate(motion, motion->now.t, motion->q, motion->v,
                                  THUD_AT_MASS | THUD_AT_CONSTRAINT | THUD_AT_GRADIENT);
  return thud_fail(
      motion->context, THUD_ERROR_NOT_CONVERGED,
      "the gradients of equations are dependent wherever these hold, and independent where the steps have left "
      "them: the method would hold directions that no equation holds; leave out an equation that follows from "
      "others, or use event-driven");
}

static thud_error look_at_rows(thud_stepping *motion, double *room) {
  size_t n = (size_t)motion->n, equations = motion->equations, equation = 0, rank_before = 0;
  node_rows work = {.rows = motion->family,
                    .units = room,
                    .basis = room + equations * n,
                    .gram = room + 2 * equations * n,
                    .weight = room + 2 * equations * n + equations * equations};
  motion->now.rank_changed = false;
  for (size_t k = 0; k < equations; k++) {
    const double *before = motion->left_before + k * n;
    rank_before += motion_dot(motion->n, before, before) > 0 ? 1 : 0;
  }
  for (thud_index i = 0; i < motion->m; i++)
    if (thud_model_is_equation(motion->system, (size_t)i)) look_at_row(motion, equation++, i, &work);
  bool small = n + equations <= SMALL_SYSTEM, first = motion->now.node == 0;
  bool dependent = work.dependent > 0 || (first && motion->starts_dependent);
  size_t rank = work.count < rank_before ? work.count : rank_before;
  if (!first && small && rank < equations && !motion->now.impact) {
    thud_error error = look_for_locking(motion, rank, &work);
    if (error != THUD_OK) return error;
  }
  if (!dependent || motion->now.impact) return THUD_OK;
  return first || small || motion->now.rank_changed || motion->now.at_jump ? follow_orders(motion) : THUD_OK;
}

thud_error thud_stepping_look_at_equations(thud_stepping *motion) {
  if (motion->equations == 0) return THUD_OK;
  thud_error error =
      thud_stepping_evaluate(motion, motion->now.t, motion->q, motion->v, THUD_AT_MASS | THUD_AT_GRADIENT);
  return error == THUD_OK ? look_at_rows(motion, motion->row_room) : error;
}
