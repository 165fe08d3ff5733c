/* The obstacle problem by an exact active set. Whole sets are exchanged (primal-dual active set; monotone for membranes on
 * meshes without obtuse angles); when that does not reduce the number of violations for a while, only the last violation
 * is, which is finite for every positive definite matrix (Murty), until their number has fallen (Judice and Pires). */
#include "base/base.h"
#include "motions/surface/surface.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double row_rounding = 64 * DBL_EPSILON;
enum { PATIENCE = 10, MOST_SINGLE = 100000 };

typedef struct active {
  thud_surface *surface;
  const double *forces, *psi;
  double *v, *s;
  double tolerance; /* of displacements: what the last refinement still changed */
} active;

/* v with the set as it is: held values stay, nodes in contact are on the obstacle. */
static thud_error solve_set(active *a) {
  thud_surface *surface = a->surface;
  surface_matrix *matrix = &surface->transverse;
  thud_error error = thud_surface_matrix_fix(matrix, surface->fixed, NULL);
  double change = 0, size = 0;
  for (int pass = 0; pass < 2 && error == THUD_OK; pass++) {
    for (thud_index i = 0; i < surface->freedoms; i++) {
      double force = i < surface->n ? a->forces[i] : 0;
      matrix->rhs[i] = surface->fixed[i] != 0 ? 0 : force - thud_surface_matrix_row(matrix, i, a->v, NULL);
    }
    error = thud_surface_matrix_solve(matrix, matrix->rhs, matrix->rhs);
    change = size = 0;
    for (thud_index i = 0; i < surface->freedoms && error == THUD_OK; i++) {
      a->v[i] += matrix->rhs[i];
      if (i >= surface->n) continue;
      change = thud_larger(change, fabs(matrix->rhs[i]));
      size = thud_larger(size, fabs(a->v[i]));
    }
  }
  a->tolerance = 4 * change + row_rounding * size;
  return error;
}

/* Does node i belong into the other set? */
static bool violates(const active *a, thud_index i) {
  const thud_surface *surface = a->surface;
  if (surface->held[i] != 0 || !(a->psi[i] > -INFINITY)) return false;
  if (surface->fixed[i] == 0) return a->v[i] < a->psi[i] - a->tolerance;
  double size, s = thud_surface_matrix_row(&surface->transverse, i, a->v, &size) - a->forces[i];
  return s < -row_rounding * (size + fabs(a->forces[i]));
}

static void exchange(active *a, thud_index i) {
  unsigned char *fixed = &a->surface->fixed[i];
  *fixed = *fixed == 0;
  if (*fixed != 0) a->v[i] = a->psi[i];
}

/* Exchanges the violations, or the last of them only; returns how many there were. */
static thud_index exchange_all(active *a, bool single) {
  thud_index violations = 0, last = -1;
  unsigned char *wrong = (unsigned char *)a->surface->work; /* found before any is exchanged */
  for (thud_index i = 0; i < a->surface->n; i++) {
    wrong[i] = violates(a, i);
    violations += wrong[i];
    if (wrong[i] != 0) last = i;
  }
  for (thud_index i = 0; i < a->surface->n && !single; i++)
    if (wrong[i] != 0) exchange(a, i);
  if (single && last >= 0) exchange(a, last);
  return violations;
}

static void begin(active *a, const double *s_before) {
  thud_surface *surface = a->surface;
  memcpy(surface->fixed, surface->held, (size_t)surface->freedoms);
  for (thud_index i = 0; i < surface->n && s_before != NULL; i++)
    if (surface->held[i] == 0 && s_before[i] > 0 && a->psi[i] > -INFINITY) exchange(a, i);
}

static void finish(active *a, thud_surface_info *info) {
  thud_surface *surface = a->surface;
  double worst = 0, largest = 0, size;
  for (thud_index i = 0; i < surface->freedoms; i++) {
    double force = i < surface->n ? a->forces[i] : 0;
    double sum = thud_surface_matrix_row(&surface->transverse, i, a->v, &size) - force;
    largest = thud_larger(largest, size + fabs(force));
    if (surface->fixed[i] == 0) worst = thud_larger(worst, fabs(sum));
    if (i >= surface->n) continue;
    bool touches = surface->held[i] == 0 && surface->fixed[i] != 0;
    a->s[i] = touches ? thud_larger(sum, 0) : 0;
    info->active += touches;
    if (touches) a->v[i] = a->psi[i];
  }
  info->residual = largest > 0 ? worst / largest : 0;
}

thud_error thud_surface_active_set(thud_surface *surface, const double *forces, const double *psi,
                                   const double *s_before, double *v, double *s, thud_surface_info *info) {
  active a = {.surface = surface, .forces = forces, .psi = psi, .v = v, .s = s};
  thud_index best = surface->n + 1;
  thud_error error = THUD_OK;
  begin(&a, s_before);
  for (int waited = 0; error == THUD_OK && !info->solved && info->single < MOST_SINGLE; waited++) {
    error = solve_set(&a);
    info->iterations++;
    bool single = waited > PATIENCE;
    if (error != THUD_OK) break;
    thud_index violations = exchange_all(&a, single);
    info->single += single;
    info->solved = violations == 0;
    if (violations < best) best = violations, waited = 0;
  }
  if (error == THUD_OK) finish(&a, info);
  return error;
}
