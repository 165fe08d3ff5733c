#include "motions/quasistatic/quasistatic_modes.h"
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <string.h>

thud_error thud_mode_system_create(const elastic_structure *structure, mode_system *system) {
  size_t m = (size_t)structure->m;
  thud_context *context = structure->context;
  *system = (mode_system){.structure = structure,
                          .A = THUD_NEW_ARRAY(context, double, m *m),
                          .b = THUD_NEW_ARRAY(context, double, m),
                          .unknown = THUD_NEW_ARRAY(context, thud_index, m),
                          .order = THUD_NEW_ARRAY(context, thud_index, m)};
  bool made = system->A != NULL && system->b != NULL && system->unknown != NULL && system->order != NULL;
  return made ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_mode_system_destroy(mode_system *system) {
  if (system->structure == NULL) return;
  thud_context *context = system->structure->context;
  thud_free(context, system->A);
  thud_free(context, system->b);
  thud_free(context, system->unknown);
  thud_free(context, system->order);
}

/* Known components of u, and the list of the others. */
static thud_index place_unknowns(const mode_system *system, const thud_elastic_mode *modes, double *u) {
  const elastic_structure *structure = system->structure;
  thud_index count = 0, d = structure->d;
  for (thud_index i = 0; i < structure->c; i++) {
    thud_index N = i * d;
    u[N] = system->closed != NULL ? system->closed[i] : 0;
    if (d > 1) u[N + 1] = system->stuck != NULL ? system->stuck[N + 1] : 0;
    if (modes[i] == THUD_ELASTIC_OPEN) {
      u[N] = 0;
      system->unknown[count++] = N;
    }
    if (d > 1 && modes[i] != THUD_ELASTIC_STICK) {
      u[N + 1] = 0;
      system->unknown[count++] = N + 1;
    }
  }
  return count;
}

/* Row of the equation that belongs to a coordinate: that of K itself, for slipping contacts less s mu times the normal
 * one. */
static void fill_rows(const mode_system *system, const thud_elastic_mode *modes, thud_index count, const double *u,
                      double *scale) {
  const elastic_structure *structure = system->structure;
  size_t m = (size_t)structure->m;
  const double *K = structure->stiffness, *mu = structure->problem->mu;
  *scale = 0;
  for (thud_index row = 0; row < count; row++) {
    size_t i = (size_t)system->unknown[row];
    thud_index contact = system->unknown[row] / structure->d;
    double factor = thud_mode_slips(modes[contact]) ? thud_mode_sign(modes[contact]) * mu[contact] : 0;
    double right = system->f[i] - (factor != 0 ? factor * system->f[i - 1] : 0);
    for (size_t j = 0; j < m; j++)
      if (u[j] != 0) right -= (K[i + j * m] - (factor != 0 ? factor * K[i - 1 + j * m] : 0)) * u[j];
    system->b[row] = right;
    for (thud_index column = 0; column < count; column++) {
      size_t j = (size_t)system->unknown[column];
      double value = K[i + j * m] - (factor != 0 ? factor * K[i - 1 + j * m] : 0);
      system->A[row + column * count] = value;
      *scale = fmax(*scale, fabs(K[i + j * m]) + fabs(factor != 0 ? factor * K[i - 1 + j * m] : 0));
    }
  }
}

static void swap_rows(mode_system *system, thud_index n, thud_index a, thud_index b) {
  for (thud_index j = 0; j < n; j++) {
    double kept = system->A[a + j * n];
    system->A[a + j * n] = system->A[b + j * n];
    system->A[b + j * n] = kept;
  }
  double kept = system->b[a];
  system->b[a] = system->b[b];
  system->b[b] = kept;
}

static void swap_columns(mode_system *system, thud_index n, thud_index a, thud_index b) {
  for (thud_index i = 0; i < n; i++) {
    double kept = system->A[i + a * n];
    system->A[i + a * n] = system->A[i + b * n];
    system->A[i + b * n] = kept;
  }
  thud_index kept = system->order[a];
  system->order[a] = system->order[b];
  system->order[b] = kept;
}

/* Gauss with full pivoting, which shows the rank; returns it. Pivots below the rounding error of the entries are 0. */
static thud_index eliminate(mode_system *system, thud_index n, double scale) {
  double *A = system->A;
  system->softness = 1;
  for (thud_index k = 0; k < n; k++) system->order[k] = k;
  for (thud_index k = 0; k < n; k++) {
    thud_index row = k, column = k;
    for (thud_index j = k; j < n; j++)
      for (thud_index i = k; i < n; i++)
        if (fabs(A[i + j * n]) > fabs(A[row + column * n])) row = i, column = j;
    if (fabs(A[row + column * n]) <= 64 * n * DBL_EPSILON * scale) return k;
    system->softness = fmax(system->softness, scale / fabs(A[row + column * n]));
    swap_rows(system, n, k, row);
    swap_columns(system, n, k, column);
    for (thud_index i = k + 1; i < n; i++) {
      double factor = A[i + k * n] / A[k + k * n];
      if (factor == 0) continue;
      for (thud_index j = k + 1; j < n; j++) A[i + j * n] -= factor * A[k + j * n];
      system->b[i] -= factor * system->b[k];
      A[i + k * n] = 0;
    }
  }
  return n;
}

/* x of the first `rank` pivots with the others as given in x. */
static void substitute(const mode_system *system, thud_index n, thud_index rank, const double *right, double *x) {
  for (thud_index i = rank; i-- > 0;) {
    double sum = right != NULL ? right[i] : 0;
    for (thud_index j = i + 1; j < n; j++) sum -= system->A[i + j * n] * x[j];
    x[i] = sum / system->A[i + i * n];
  }
}

void thud_modes_reactions(const mode_system *system, const thud_elastic_mode *modes, const double *u, double *r) {
  const elastic_structure *structure = system->structure;
  thud_dense_multiply_vector(structure->m, structure->m, structure->stiffness, false, 1, u, 0, r);
  for (thud_index i = 0; i < structure->c; i++) {
    double *part = r + (ptrdiff_t)i * structure->d;
    for (thud_index k = 0; k < structure->d; k++)
      part[k] = modes[i] == THUD_ELASTIC_OPEN ? 0 : part[k] - system->f[i * structure->d + k];
    if (thud_mode_slips(modes[i])) part[1] = thud_mode_sign(modes[i]) * structure->problem->mu[i] * part[0];
  }
}

/* A motion that the system does not resist, of largest component 1. */
static void find_direction(const mode_system *system, thud_index n, thud_index rank, double *x, double *direction) {
  size_t m = (size_t)system->structure->m;
  memset(direction, 0, m * sizeof *direction);
  if (rank == n) return;
  memset(x, 0, m * sizeof *x);
  x[rank] = 1;
  substitute(system, n, rank, NULL, x);
  double largest = thud_norm_max(NULL, (size_t)n, x, NULL);
  for (thud_index k = 0; k < n; k++) direction[system->unknown[system->order[k]]] = x[k] / largest;
}

mode_answer thud_modes_solve(mode_system *system, const thud_elastic_mode *modes, double *u, double *r,
                             double *direction) {
  thud_index m = system->structure->m, n = place_unknowns(system, modes, u);
  double scale, load = 0, *x = r; /* r is free until the end */
  fill_rows(system, modes, n, u, &scale);
  for (thud_index i = 0; i < n; i++) load = fmax(load, fabs(system->b[i]));
  thud_index rank = eliminate(system, n, scale);
  if (direction != NULL) find_direction(system, n, rank, x, direction);
  for (thud_index i = rank; i < n; i++)
    if (fabs(system->b[i]) > 1e-11 * load) return MODES_NONE;
  memset(x, 0, (size_t)m * sizeof *x);
  substitute(system, n, rank, system->b, x);
  for (thud_index k = 0; k < n; k++) u[system->unknown[system->order[k]]] = x[k];
  thud_modes_reactions(system, modes, u, r);
  return rank < n ? MODES_SINGULAR : MODES_REGULAR;
}
