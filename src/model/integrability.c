/* Are velocity forms the derivatives of equations? Frobenius' theorem (Ballard 2010, Theorem 19).
 *
 * In z = (q, t) a form a(z).v + b(z) = 0 is alpha = (a, b). The velocities that all forms and equations allow make a space
 * E(z) at each z. It is that of surfaces, of the levels of functions, if and only if
 *
 *   d alpha_i(X, Y) = sum_jk (d alpha_ik/dz_j - d alpha_ij/dz_k) X_j Y_k = 0    for all X, Y in E and all i.
 *
 * The derivatives are differences of order 4. One place at which it is not 0, whatever the spacing, decides that no functions
 * exist; that it is 0 at all places looked at is evidence. With equations only places on them count: the start alone is looked
 * at. */
#include "model/gradients.h"
#include "model/system.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

enum { PLACES = 16, MOST_COORDINATES = 64 };

/* Differences: step beside the size of the place. d alpha on E, relative to the derivatives, below which it counts as 0. */
#define SPACING 1e-3
#define ZERO 1e-7

typedef struct frobenius {
  const thud_system *system;
  thud_system_values *values;
  size_t n, N, rows, count; /* N = n + 1; rows that hold; dimension of E */
  double *z, *moved;        /* [N] */
  double *still;            /* [n] velocity 0 */
  const double *start;      /* [n] the first place */
  double *unit;             /* [rows*N] then E: [N*N] orthonormal, the rows first */
  double *slope;            /* [m*N*N] d alpha_ik/dz_j at (i*N + j)*N + k */
  double *form;             /* [m*N] */
  double *coarse;           /* [m] d alpha by differences of twice the spacing */
} frobenius;

static bool is_equation(const thud_system *system, size_t i) {
  thud_constraint_kind kind = system->constraints[i].kind;
  return kind == THUD_CONSTRAINT_BILATERAL || kind == THUD_CONSTRAINT_VELOCITY;
}

/* All forms at a place; false: they have no values there. */
static bool forms_at(frobenius *f, const double *z, double *form) {
  thud_error error = thud_system_evaluate(f->system, z[f->n], z, f->still, THUD_AT_GRADIENT, f->values);
  for (size_t i = 0; i < f->system->m && error == THUD_OK; i++) {
    memcpy(form + i * f->N, f->values->gradient + i * f->n, f->n * sizeof *form);
    form[i * f->N + f->n] = f->values->rate[i];
  }
  return error == THUD_OK;
}

/* (-f(2h) + 8 f(h) - 8 f(-h) + f(-2h)) / 12h */
static bool find_slopes(frobenius *f, double spacing) {
  static const double offset[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
  size_t m = f->system->m, N = f->N;
  memset(f->slope, 0, m * N * N * sizeof *f->slope);
  for (size_t j = 0; j < N; j++) {
    double h = spacing * (1 + fabs(f->z[j]));
    for (int p = 0; p < 4; p++) {
      memcpy(f->moved, f->z, N * sizeof *f->moved);
      f->moved[j] += offset[p] * h;
      if (!forms_at(f, f->moved, f->form)) return false;
      for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < N; k++) f->slope[(i * N + j) * N + k] += weight[p] * f->form[i * N + k] / (12 * h);
    }
  }
  return forms_at(f, f->z, f->form);
}

/* An orthonormal basis of E behind the one of the rows. */
static void find_space(frobenius *f) {
  size_t rank = 0, N = f->N;
  for (size_t i = 0; i < f->system->m; i++) {
    double *next = f->unit + rank * N;
    if (!is_equation(f->system, i) || rank == N) continue;
    memcpy(next, f->form + i * N, N * sizeof *next);
    if (!(thud_model_normalise(N, next) > 0)) continue;
    if (thud_model_complement(N, rank, f->unit, next) <= MODEL_RANK_TOLERANCE) continue;
    thud_model_normalise(N, next);
    rank++;
  }
  f->rows = f->count = rank;
  for (size_t j = 0; j < N && f->count < N; j++) {
    double *next = f->unit + f->count * N;
    memset(next, 0, N * sizeof *next);
    next[j] = 1;
    if (thud_model_complement(N, f->count, f->unit, next) <= 1 / (2 * sqrt((double)N))) continue;
    thud_model_normalise(N, next);
    f->count++;
  }
}

/* The largest |d alpha_i(X, Y)| of the basis, relative to the largest derivative. */
static double curl_of(const frobenius *f, size_t i) {
  const double *slope = f->slope + i * f->N * f->N;
  double size = 0, most = 0;
  for (size_t k = 0; k < f->N * f->N; k++) size = fmax(size, fabs(slope[k]));
  for (size_t a = f->rows; a < f->count; a++)
    for (size_t b = f->rows; b < a; b++) {
      double sum = 0;
      for (size_t j = 0; j < f->N; j++)
        for (size_t k = 0; k < f->N; k++)
          sum += (slope[j * f->N + k] - slope[k * f->N + j]) * f->unit[a * f->N + j] * f->unit[b * f->N + k];
      most = fmax(most, fabs(sum));
    }
  return size > 0 ? most / size : 0;
}

/* A place counts when halving the spacing leaves no doubt: d alpha is 0 to ZERO, or changes by less than a tenth of itself. */
static void look(frobenius *f, const double *q, double t, thud_integrability *found) {
  size_t m = f->system->m;
  double worst = 0, most = 0;
  thud_index form = -1;
  memcpy(f->z, q, f->n * sizeof *q);
  f->z[f->n] = t;
  if (!find_slopes(f, SPACING)) return;
  find_space(f);
  for (size_t i = 0; i < m; i++) f->coarse[i] = curl_of(f, i);
  if (!find_slopes(f, SPACING / 2)) return;
  for (size_t i = 0; i < m; i++) {
    if (f->system->constraints[i].kind != THUD_CONSTRAINT_VELOCITY) continue;
    double curl = curl_of(f, i);
    worst = fmax(worst, curl);
    bool sure = curl > ZERO && fabs(curl - f->coarse[i]) < curl / 10;
    if (curl > ZERO && !sure) return; /* the forms are too steep here */
    if (!sure || curl <= most) continue;
    most = curl;
    form = (thud_index)i;
  }
  found->places++;
  found->worst = fmax(found->worst, worst);
  if (form < 0 || !found->integrable) return;
  found->integrable = false;
  found->form = form;
  found->curl = most;
  found->at_start = found->places == 1 && memcmp(q, f->start, f->n * sizeof *q) == 0;
}

static thud_error begin(thud_context *context, const thud_system *system, frobenius *f, double **numbers) {
  size_t n = system->n, N = n + 1, m = system->m;
  size_t sizes[] = {N, N, n, N * N + N, m * N * N, m * N, m};
  double **parts[] = {&f->z, &f->moved, &f->still, &f->unit, &f->slope, &f->form, &f->coarse}, *next;
  size_t total = 0;
  *f = (frobenius){.system = system, .n = n, .N = N};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) total += sizes[k];
  next = *numbers = THUD_NEW_ARRAY(context, double, total);
  if (next == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; next += sizes[k], k++) *parts[k] = next;
  return thud_system_values_create(context, system, &f->values);
}

thud_error thud_model_integrability(thud_context *context, const thud_system *system, double t, const double *q,
                                    thud_integrability *found) {
  frobenius f;
  double *numbers = NULL, place[MOST_COORDINATES];
  bool equations = false;
  *found = (thud_integrability){.form = -1, .integrable = true};
  for (size_t i = 0; i < system->m; i++) {
    found->forms += system->constraints[i].kind == THUD_CONSTRAINT_VELOCITY ? 1 : 0;
    equations = equations || system->constraints[i].kind == THUD_CONSTRAINT_BILATERAL;
  }
  if (found->forms == 0 || system->n > MOST_COORDINATES) return THUD_OK;
  thud_random random = thud_random_seed(19);
  thud_error error = begin(context, system, &f, &numbers);
  f.start = q;
  if (error == THUD_OK) look(&f, q, t, found);
  for (int k = 0; k < PLACES && error == THUD_OK && !equations; k++) {
    for (size_t i = 0; i < system->n; i++) place[i] = q[i] + thud_random_uniform(&random, -1, 1) * (1 + fabs(q[i])) / 2;
    look(&f, place, t + thud_random_uniform(&random, 0, 1), found);
  }
  if (error == THUD_OK) thud_system_values_destroy(context, f.values);
  thud_free(context, numbers);
  return error;
}
