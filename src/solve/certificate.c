/* See certificate.h. With W = B'B the admissible velocities are { W_NN x + V_N y + q_N >= 0, V_N' x + R y + s = 0 }:
 * the range of W_NN is that of all rows of W. The dual active set of pivot decides whether this polyhedron is empty. */
#include "solve/certificate.h"
#include "contact/discs.h"
#include "solve/entries.h"
#include "thud/pivot.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Contacts and bilateral rows at most: the work grows like their third power. */
enum { PROOF_MAX = 600 };
/* Every answer that the proof leaves room for has impulses this many times |q_N| / W_NN, with the smallest W_NN of the
 * contacts that the proof names: those of other contacts, say of a very light body, say nothing about its
 * impulses. */
static const double REACH = 1e6;
/* Multipliers below this part of the largest are left out before the check. */
static const double NEGLIGIBLE = 1e-13;

struct thud_certificate_finder {
  thud_context *context;
  size_t d, contacts, rows, size, n; /* n = contacts + rows */
  thud_polyhedron_projector *projector;
  double *W, *V, *R;      /* [size*size], [size*rows], [rows*rows] column-major */
  double *A, *b;          /* [n*n] row-major, bilateral rows first; [n] */
  double *scale;          /* [n] contacts, bilateral rows */
  double *l;              /* [n] multipliers: bilateral rows, contacts */
  double *point;          /* [n] */
  double *c, *rounding;   /* [size + rows] W' n l + V y, V' n l + R y, and bounds of their rounding errors */
  thud_index *named;      /* [contacts] */
  double *weight;         /* [contacts] */
  thud_index *named_rows; /* [rows] */
  double *row_weight;     /* [rows] */
};

bool thud_certificate_is_affordable(const thud_contact_problem *problem) {
  return problem->contacts > 0 && problem->contacts + problem->bilateral <= PROOF_MAX;
}

void thud_certificate_finder_destroy(thud_certificate_finder *finder) {
  if (finder == NULL) return;
  void *arrays[] = {finder->W,     finder->V,      finder->R,          finder->A,         finder->b,
                    finder->scale, finder->l,      finder->point,      finder->c,         finder->rounding,
                    finder->named, finder->weight, finder->named_rows, finder->row_weight};
  thud_polyhedron_projector_destroy(finder->projector);
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(finder->context, arrays[k]);
  thud_free(finder->context, finder);
}

thud_error thud_certificate_finder_create(thud_context *context, const thud_contact_problem *local,
                                          thud_certificate_finder **finder) {
  thud_certificate_finder *made = THUD_NEW(context, thud_certificate_finder);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->d = (size_t)local->dimension;
  made->contacts = (size_t)local->contacts;
  made->rows = (size_t)local->bilateral;
  made->size = made->d * made->contacts;
  made->n = made->contacts + made->rows;
  const struct {
    double **array;
    size_t count;
  } wanted[] = {{&made->W, made->size * made->size},
                {&made->V, made->size * made->rows},
                {&made->R, made->rows * made->rows},
                {&made->A, made->n * made->n},
                {&made->b, made->n},
                {&made->scale, made->n},
                {&made->l, made->n},
                {&made->point, made->n},
                {&made->c, made->size + made->rows},
                {&made->rounding, made->size + made->rows},
                {&made->weight, made->contacts},
                {&made->row_weight, made->rows}};
  bool complete = true;
  for (size_t k = 0; complete && k < sizeof wanted / sizeof *wanted; k++) {
    *wanted[k].array = THUD_NEW_ARRAY(context, double, wanted[k].count);
    complete = *wanted[k].array != NULL;
  }
  made->named = complete ? THUD_NEW_ARRAY(context, thud_index, made->contacts) : NULL;
  made->named_rows = complete ? THUD_NEW_ARRAY(context, thud_index, made->rows) : NULL;
  thud_error error =
      made->named == NULL || made->named_rows == NULL
          ? THUD_ERROR_MEMORY
          : thud_polyhedron_projector_create(context, (thud_index)made->n, (thud_index)made->n, &made->projector);
  if (error == THUD_OK)
    *finder = made;
  else
    thud_certificate_finder_destroy(made);
  return error;
}

/* ---- the polyhedron ---------------------------------------------------------------------------------------------- */

static void take_matrices(thud_certificate_finder *finder, const thud_contact_problem *local) {
  size_t size = finder->size, rows = finder->rows;
  memset(finder->W, 0, size * size * sizeof(double));
  thud_matrix_copy_dense(&local->W, size, finder->W);
  if (rows == 0) return;
  memset(finder->V, 0, size * rows * sizeof(double));
  memset(finder->R, 0, rows * rows * sizeof(double));
  thud_matrix_copy_dense(&local->V, size, finder->V);
  thud_matrix_copy_dense(&local->R, rows, finder->R);
}

static double unit_of(double diagonal) { return diagonal > 0 ? 1 / sqrt(diagonal) : 1; }

/* Rows of the polyhedron: V_N' x + R y = -s, then -(W_NN x + V_N y) <= q_N, in units that make the diagonals 1. */
static void fill_polyhedron(thud_certificate_finder *finder, const thud_contact_problem *local) {
  size_t d = finder->d, size = finder->size, contacts = finder->contacts, rows = finder->rows, n = finder->n;
  double *unit = finder->scale;
  for (size_t k = 0; k < contacts; k++) unit[k] = unit_of(finder->W[k * d * (size + 1)]);
  for (size_t i = 0; i < rows; i++) unit[contacts + i] = unit_of(finder->R[i * (rows + 1)]);
  for (size_t i = 0; i < rows; i++) {
    double *row = finder->A + i * n;
    for (size_t k = 0; k < contacts; k++) row[k] = unit[contacts + i] * unit[k] * finder->V[i * size + k * d];
    for (size_t j = 0; j < rows; j++)
      row[contacts + j] = unit[contacts + i] * unit[contacts + j] * finder->R[j * rows + i];
    finder->b[i] = -unit[contacts + i] * local->s[i];
  }
  for (size_t k = 0; k < contacts; k++) {
    double *row = finder->A + (rows + k) * n;
    for (size_t j = 0; j < contacts; j++) row[j] = -unit[k] * unit[j] * finder->W[j * d * size + k * d];
    for (size_t j = 0; j < rows; j++) row[contacts + j] = -unit[k] * unit[contacts + j] * finder->V[j * size + k * d];
    finder->b[rows + k] = unit[k] * local->q[k * d];
  }
}

/* ---- the check -----------------------------------------------------------------------------------------------------
 */

/* Multipliers in the problem's units, the largest of the contacts 1, negligible ones 0: contacts in weight, the others
 * (with the sign of the statement) stay in l[rows]. False when no contact has one. */
static bool take_multipliers(thud_certificate_finder *finder) {
  size_t rows = finder->rows, contacts = finder->contacts;
  double largest = 0;
  for (size_t k = 0; k < contacts; k++) {
    finder->weight[k] = fmax(finder->l[rows + k], 0) * finder->scale[k];
    largest = fmax(largest, finder->weight[k]);
  }
  if (!(largest > 0)) return false;
  for (size_t k = 0; k < contacts; k++) {
    finder->weight[k] /= largest;
    if (finder->weight[k] < NEGLIGIBLE) finder->weight[k] = 0;
  }
  for (size_t i = 0; i < rows; i++) {
    finder->l[i] *= -finder->scale[contacts + i] / largest;
    if (fabs(finder->l[i]) < NEGLIGIBLE) finder->l[i] = 0;
  }
  return true;
}

/* c = (W' n l + V y, V' n l + R y) with a bound of its rounding error. */
static void combine_rows(thud_certificate_finder *finder) {
  size_t d = finder->d, size = finder->size, rows = finder->rows;
  for (size_t j = 0; j < size + rows; j++) {
    double sum = 0, sum_size = 0;
    for (size_t k = 0; k < finder->contacts; k++) {
      double entry = j < size ? finder->W[j * size + k * d] : finder->V[(j - size) * size + k * d];
      sum += entry * finder->weight[k];
      sum_size += fabs(entry * finder->weight[k]);
    }
    for (size_t i = 0; i < rows; i++) {
      double entry = j < size ? finder->V[i * size + j] : finder->R[i * rows + j - size];
      sum += entry * finder->l[i];
      sum_size += fabs(entry * finder->l[i]);
    }
    finder->c[j] = sum;
    finder->rounding[j] = (double)finder->n * DBL_EPSILON * sum_size;
  }
}

/* Bound of the sum of |x_i| over a law's set. */
static double width_of_law(thud_set *law, size_t n) {
  double width = 0;
  for (size_t i = 0; i < 2 * n; i++) {
    double direction[2] = {0}, value;
    direction[i / 2] = i % 2 == 0 ? 1 : -1;
    if (thud_set_support(law, direction, &value, NULL, NULL) != THUD_OK) return INFINITY;
    width += fabs(value);
  }
  return width;
}

/* Largest c.r of a contact with r in its cone and r_N = 1; rounding counts against the proof. INFINITY where a law
 * cannot decide. */
static double pull_of_contact(const thud_certificate_finder *finder, const thud_contact_problem *local, size_t k) {
  const double *c = finder->c + k * finder->d, *rounding = finder->rounding + k * finder->d;
  double tangential = 0, error = rounding[0], reach = 0;
  for (size_t i = 1; i < finder->d; i++) error += rounding[i];
  if (local->laws != NULL && local->laws[k] != NULL) {
    if (thud_set_support(local->laws[k], c + 1, &tangential, NULL, NULL) != THUD_OK) return INFINITY;
    return fmax(c[0] + tangential + error * (1 + width_of_law(local->laws[k], finder->d - 1)), 0);
  }
  thud_contact_discs discs = thud_contact_discs_of(local);
  for (size_t p = 0; p < discs.layout->count; p++) {
    size_t first = discs.layout->first[p];
    double mu = discs.mu[p][k];
    tangential += mu * hypot(c[first], discs.layout->width[p] == 2 ? c[first + 1] : 0);
    reach += mu;
  }
  return fmax(c[0] + tangential + error * (1 + reach), 0);
}

/* Does value = l.q_N + y.s exclude answers within the tolerance too? Their l.u_N + y.u_b may be as low as
 * -tolerance |q| |(l, y)|: a contradiction that small is none. */
static bool exceeds_tolerance(const thud_certificate_finder *finder, const thud_contact_problem *local, double value,
                              double tolerance) {
  double scale = 0, length = 0;
  for (size_t i = 0; i < finder->size; i++) scale = hypot(scale, local->q[i]);
  for (size_t k = 0; k < finder->contacts; k++) length = hypot(length, finder->weight[k]);
  for (size_t i = 0; i < finder->rows; i++) {
    scale = hypot(scale, local->s[i]);
    length = hypot(length, finder->l[i]);
  }
  return -value > tolerance * scale * length;
}

/* Checks the proof that the multipliers give; count stays 0 when it is not enough. */
static void check_proof(thud_certificate_finder *finder, const thud_contact_problem *local, double tolerance,
                        thud_solver_certificate *certificate) {
  size_t d = finder->d, contacts = finder->contacts;
  double value = 0, value_size = 0, pull = 0, largest_q = 0, mobility = INFINITY;
  for (size_t k = 0; k < contacts; k++) {
    value += finder->weight[k] * local->q[k * d];
    value_size += fabs(finder->weight[k] * local->q[k * d]);
    largest_q = fmax(largest_q, fabs(local->q[k * d]));
    if (finder->weight[k] > 0) mobility = fmin(mobility, fabs(finder->W[k * d * (finder->size + 1)]));
  }
  for (size_t i = 0; i < finder->rows; i++) {
    value += finder->l[i] * local->s[i];
    value_size += fabs(finder->l[i] * local->s[i]);
    largest_q = fmax(largest_q, fabs(local->s[i]));
  }
  if (!(value < -(double)finder->n * DBL_EPSILON * value_size)) return;
  if (!exceeds_tolerance(finder, local, value, tolerance)) return;
  combine_rows(finder);
  for (size_t k = 0; k < contacts; k++) pull = fmax(pull, pull_of_contact(finder, local, k));
  for (size_t i = 0; i < finder->rows; i++)
    pull = fmax(pull, fabs(finder->c[finder->size + i]) + finder->rounding[finder->size + i]);
  double reach = pull > 0 ? -value / pull : INFINITY;
  double relative = pull > 0 ? reach * mobility / largest_q : INFINITY;
  if (!(relative >= REACH)) return;
  size_t count = 0;
  for (size_t k = 0; k < contacts; k++)
    if (finder->weight[k] > 0) {
      finder->named[count] = (thud_index)k;
      finder->weight[count++] = finder->weight[k];
    }
  size_t row_count = 0;
  for (size_t i = 0; i < finder->rows; i++)
    if (finder->l[i] != 0) {
      finder->named_rows[row_count] = (thud_index)i;
      finder->row_weight[row_count++] = finder->l[i];
    }
  *certificate = (thud_solver_certificate){.count = count,
                                           .row_count = row_count,
                                           .rows = finder->named_rows,
                                           .row_multipliers = finder->row_weight,
                                           .contacts = finder->named,
                                           .multipliers = finder->weight,
                                           .value = value,
                                           .reach = reach,
                                           .relative_reach = relative};
}

thud_error thud_certificate_find(thud_certificate_finder *finder, const thud_contact_problem *local, double tolerance,
                                 thud_solver_certificate *certificate) {
  thud_pivot_info info;
  *certificate = (thud_solver_certificate){0};
  take_matrices(finder, local);
  fill_polyhedron(finder, local);
  memset(finder->point, 0, finder->n * sizeof(double));
  thud_error error = thud_polyhedron_project(finder->projector, NULL, (thud_index)finder->n, (thud_index)finder->rows,
                                             finder->A, finder->b, finder->point, 0, finder->point, finder->l, &info);
  if (error != THUD_OK) return error;
  if (info.status == THUD_PIVOT_INFEASIBLE && take_multipliers(finder))
    check_proof(finder, local, tolerance, certificate);
  return THUD_OK;
}
