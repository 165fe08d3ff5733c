/* Bilateral rows that contradict each other. With B = [V; R'] (local form), G (global form) or M^-1 G (two-block form)
 * multipliers y with B y = 0 and y.s < 0 prove that no answer has u_b = 0:
 *   local      0 = y.u_b = (V y).r + (R' y).l + y.s,
 *   global     0 = y.u_b = (G y).v + y.b                            (s = b here),
 *   two-block  0 = y.u_b = (M^-1 G y).(J' r + G l) + y.s,           s = G' v^free + b.
 * The y with the largest value beside |y|, each row in units of its column of B, is the projection of -s onto the null
 * space of B (QR with column pivoting of B'); it is believed only after the check on the problem's own numbers. */
#include "solve/certificate.h"
#include "linalg/dense.h"
#include "solve/entries.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Largest B that is looked at: some 1e9 operations. */
enum { ROWS_MAX = 1000, ENTRIES_MAX = 1 << 20 };
/* Pivots up to this part of the largest count as 0. */
static const double RANK_TOLERANCE = 1e-11;
/* Multipliers below this part of the largest are left out before the check: those of rows that agree but for the
 * rounding of s. */
static const double NEGLIGIBLE = 1e-11;
/* Every answer that the proof leaves room for has impulses (velocities) this many times |s| over the smallest column of
 * B that it names. */
static const double REACH = 1e6;

typedef struct row_system {
  size_t rows, height;
  double *B;    /* [height*rows] column-major */
  double *s;    /* [rows] */
  double *unit; /* [rows] 1 / |column of B|, 1 where it vanishes */
  double *y;    /* [rows] */
} row_system;

static size_t height_of(const thud_contact_problem *problem) {
  return problem->form == THUD_FORM_LOCAL ? thud_contact_size(problem) + (size_t)problem->bilateral
                                          : thud_contact_ndof(problem);
}

/* ---- B and s ------------------------------------------------------------------------------------------------------ */

static void state_local(const thud_contact_problem *problem, row_system *system) {
  size_t rows = system->rows, height = system->height, size = height - rows;
  double *R = system->B + size; /* R' in its place */
  thud_matrix_copy_dense(&problem->V, height, system->B);
  thud_matrix_copy_dense(&problem->R, height, R);
  for (size_t j = 0; j < rows; j++)
    for (size_t i = 0; i < j; i++) {
      double above = R[j * height + i];
      R[j * height + i] = R[i * height + j];
      R[i * height + j] = above;
    }
  memcpy(system->s, problem->s, rows * sizeof *system->s);
}

/* M_i^-1 G' of one body of row i, and its part of G' v^free. */
static void add_body(const thud_two_block *bodies, thud_index body, const double *jacobian, double *column, double *s) {
  size_t block = (size_t)bodies->block, first = (size_t)body * block;
  const double *inverse = bodies->inverse_mass + first * block;
  for (size_t m = 0; m < block; m++) {
    *s += jacobian[m] * bodies->free_velocity[first + m];
    for (size_t i = 0; i < block; i++) column[first + i] += inverse[m * block + i] * jacobian[m];
  }
}

static void state_two_block(const thud_contact_problem *problem, row_system *system) {
  const thud_two_block *bodies = &problem->two_block;
  size_t block = (size_t)bodies->block;
  for (thud_index j = 0; j < bodies->joints; j++)
    for (size_t i = (size_t)bodies->joint_start[j]; i < (size_t)bodies->joint_start[j + 1]; i++) {
      double *column = system->B + i * system->height, *s = &system->s[i];
      *s = bodies->joint_w != NULL ? bodies->joint_w[i] : 0;
      add_body(bodies, bodies->joint_a[j], bodies->joint_jacobian_a + i * block, column, s);
      if (bodies->joint_b[j] >= 0)
        add_body(bodies, bodies->joint_b[j], bodies->joint_jacobian_b + i * block, column, s);
    }
}

static void state_system(const thud_contact_problem *problem, row_system *system) {
  switch (problem->form) {
  case THUD_FORM_LOCAL: state_local(problem, system); break;
  case THUD_FORM_GLOBAL:
    thud_matrix_copy_dense(&problem->G, system->height, system->B);
    for (size_t i = 0; i < system->rows; i++) system->s[i] = problem->b != NULL ? problem->b[i] : 0;
    break;
  case THUD_FORM_TWO_BLOCK: state_two_block(problem, system); break;
  }
  for (size_t i = 0; i < system->rows; i++) {
    double sum = 0;
    for (size_t m = 0; m < system->height; m++) sum = hypot(sum, system->B[i * system->height + m]);
    system->unit[i] = sum > 0 ? 1 / sum : 1;
  }
}

/* ---- multipliers ---------------------------------------------------------------------------------------------------- */

/* y = -unit N N' unit s, N[rows*(rows-rank)] an orthonormal basis of the null space of B unit; the largest becomes 1. */
static bool project_load(row_system *system, thud_index rank, const double *Q) {
  size_t rows = system->rows;
  double largest = 0;
  memset(system->y, 0, rows * sizeof *system->y);
  for (size_t k = (size_t)rank; k < rows; k++) {
    const double *column = Q + k * rows;
    double along = 0;
    for (size_t i = 0; i < rows; i++) along += column[i] * system->unit[i] * system->s[i];
    for (size_t i = 0; i < rows; i++) system->y[i] -= along * column[i] * system->unit[i];
  }
  for (size_t i = 0; i < rows; i++) largest = fmax(largest, fabs(system->y[i]));
  for (size_t i = 0; i < rows && largest > 0; i++) {
    system->y[i] /= largest;
    if (fabs(system->y[i]) < NEGLIGIBLE) system->y[i] = 0;
  }
  return largest > 0;
}

static thud_error find_multipliers(thud_context *context, row_system *system, bool *found) {
  size_t rows = system->rows, height = system->height;
  double *transposed = THUD_NEW_ARRAY(context, double, rows *height), *Q = THUD_NEW_ARRAY(context, double, rows *rows);
  thud_error error = transposed != NULL && Q != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  thud_range_split split;
  if (error == THUD_OK) {
    for (size_t i = 0; i < rows; i++)
      for (size_t m = 0; m < height; m++) transposed[m * rows + i] = system->unit[i] * system->B[i * height + m];
    error =
        thud_dense_split_range(context, (thud_index)rows, (thud_index)height, transposed, RANK_TOLERANCE, Q, &split);
  }
  if (error == THUD_OK) *found = project_load(system, split.rank, Q);
  thud_free(context, transposed);
  thud_free(context, Q);
  return error;
}

/* Largest |B y|, rounding counted against the proof. */
static double largest_pull(const row_system *system) {
  double largest = 0;
  for (size_t m = 0; m < system->height; m++) {
    double sum = 0, size = 0;
    for (size_t i = 0; i < system->rows; i++) {
      double term = system->B[i * system->height + m] * system->y[i];
      sum += term;
      size += fabs(term);
    }
    largest = fmax(largest, fabs(sum) + (double)system->rows * DBL_EPSILON * size);
  }
  return largest;
}

/* Checks the proof that the multipliers give: value, reach and relative_reach; false when it is not enough. least: |value| / |y| of
 * rows that hold within the tolerance. */
static bool check_proof(const row_system *system, double least, thud_solver_certificate *proof) {
  double value = 0, size = 0, length = 0, largest = 0, column = INFINITY;
  for (size_t i = 0; i < system->rows; i++) {
    value += system->y[i] * system->s[i];
    size += fabs(system->y[i] * system->s[i]);
    length = hypot(length, system->y[i]);
    largest = fmax(largest, fabs(system->s[i]));
    if (system->y[i] != 0) column = fmin(column, 1 / system->unit[i]);
  }
  if (!(value < -(double)system->rows * DBL_EPSILON * size) || !(-value > least * length)) return false;
  double pull = largest_pull(system);
  proof->value = value;
  proof->reach = pull > 0 ? -value / pull : INFINITY;
  proof->relative_reach = pull > 0 ? proof->reach * column / largest : INFINITY;
  return proof->relative_reach >= REACH;
}

/* ---- the finding ----------------------------------------------------------------------------------------------------- */

static thud_error keep_rows(thud_solver *solver, const row_system *system, thud_solver_certificate *proof) {
  if (solver->proof_rows == NULL) solver->proof_rows = THUD_NEW_ARRAY(solver->context, thud_index, system->rows);
  if (solver->proof_multipliers == NULL)
    solver->proof_multipliers = THUD_NEW_ARRAY(solver->context, double, system->rows);
  if (solver->proof_rows == NULL || solver->proof_multipliers == NULL) return THUD_ERROR_MEMORY;
  proof->rows = solver->proof_rows;
  proof->row_multipliers = solver->proof_multipliers;
  for (size_t i = 0; i < system->rows; i++)
    if (system->y[i] != 0) {
      solver->proof_rows[proof->row_count] = (thud_index)i;
      solver->proof_multipliers[proof->row_count++] = system->y[i];
    }
  return THUD_OK;
}

static thud_error look_for_proof(thud_solver *solver, double least, thud_solver_certificate *proof) {
  thud_context *context = solver->context;
  row_system system = {.rows = solver->rows, .height = height_of(&solver->problem)};
  size_t rows = system.rows;
  bool found = false;
  system.B = THUD_NEW_ARRAY(context, double, system.height *rows);
  system.s = THUD_NEW_ARRAY(context, double, 3 * rows);
  thud_error error = system.B != NULL && system.s != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    system.unit = system.s + rows;
    system.y = system.unit + rows;
    state_system(&solver->problem, &system);
    error = find_multipliers(context, &system, &found);
  }
  if (error == THUD_OK && found && check_proof(&system, least, proof)) error = keep_rows(solver, &system, proof);
  thud_free(context, system.B);
  thud_free(context, system.s);
  return error;
}

static void name_rows(thud_solver *solver) {
  const thud_solver_certificate *proof = &solver->certificate;
  thud_solver_say(solver, "bilateral row%s", proof->row_count > 1 ? "s" : "");
  for (size_t k = 0; k < proof->row_count && k < THUD_SOLVER_WORST; k++)
    thud_solver_say(solver, "%s %d (weight %.3g)", k > 0 ? "," : "", (int)proof->rows[k], proof->row_multipliers[k]);
  if (proof->row_count > THUD_SOLVER_WORST)
    thud_solver_say(solver, " and %zu more", proof->row_count - THUD_SOLVER_WORST);
}

static void describe_proof(thud_solver *solver) {
  const thud_solver_certificate *proof = &solver->certificate;
  solver->why[0] = '\0';
  thud_solver_say(solver, "no velocity is admissible (proved): ");
  name_rows(solver);
  if (proof->row_count > 1)
    thud_solver_say(solver,
                    " contradict each other: no impulse changes the weighted sum of their velocities, which is %.3g",
                    proof->value);
  else
    thud_solver_say(solver, " is out of reach: no impulse changes its velocity, which is %.3g", proof->value);
}

thud_error thud_certificate_blame_rows(thud_solver *solver, const thud_contact_residual *residual) {
  thud_solver_certificate proof = {0};
  size_t rows = solver->rows, entries;
  bool gave_up = solver->status == THUD_SOLVER_STALLED || solver->status == THUD_SOLVER_BREAKDOWN;
  const thud_solver_certificate *known = &solver->certificate;
  if (solver->status == THUD_SOLVER_INFEASIBLE && known->count > 0 && known->row_count > 0) {
    thud_solver_say(solver, "; with ");
    name_rows(solver);
  }
  if (!gave_up || rows == 0 || rows > ROWS_MAX || residual->bilateral <= solver->options.tolerance) return THUD_OK;
  if (!thud_size_multiply(rows, height_of(&solver->problem), &entries) || entries > ENTRIES_MAX) return THUD_OK;
  thud_error error = look_for_proof(solver, solver->options.tolerance * residual->scale, &proof);
  if (error == THUD_ERROR_MEMORY || proof.row_count == 0) return error == THUD_ERROR_MEMORY ? error : THUD_OK;
  solver->certificate = proof;
  solver->status = THUD_SOLVER_INFEASIBLE;
  describe_proof(solver);
  return THUD_OK;
}
