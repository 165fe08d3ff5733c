/* States from which no motion goes on, because equations with dependent gradients contradict each other (docs/
 * verification.md). The checker looks at what it can decide without power series.
 *
 * Let l be a combination of equations that do not depend on time with l'A = 0, g = l'(g_1, ...), and B the bilinear form
 * of its second derivatives. A motion q(t) of the equations has g = 0 along it. Where B(v, .) = 0 at q and along the line
 * q + s v (at rest always) the third derivatives D3(v, v, .) and the fourth one D4(v, v, v, v) vanish as well, and what is
 * left of the fourth derivative of g by time is
 *
 *   3 B(a, a) = 0.
 *
 * a is unique, however many forces there are: the acceleration nearest to M^-1 F in the kinetic metric with A a = -gamma.
 * B comes from the curvature gamma(v) = B(v, v) that the scene's equations give: B(x, y) = (gamma(x + y) - gamma(x - y))/4. */
#include "verify/math/verify_dense.h"
#include "verify/system/verify_system_frames.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Gradients are dependent when no more than this is left of one, at length 1. */
#define DEPENDENT 1e-10
/* Accelerations and velocities of this part of those at hand are 0. */
#define NOTHING 1e-8
/* Contradictions of this part of their terms may be errors of a scheme. */
#define SLACK 0.05

typedef struct dependent_work {
  verify_frames *f;
  verify_values there;
  size_t count;                    /* independent equations */
  double *basis;                   /* [m x n] orthonormal, coordinates L^-1 a of the kinetic metric */
  double *mix;                     /* [m x m] of which unit gradients they are made */
  double *length;                  /* [m] of the gradients */
  double *weight;                  /* [m] l */
  double *gamma;                   /* [m] */
  double *a, *row, *moved, *speed; /* [n] */
} dependent_work;

static thud_error begin(verify_frames *f, dependent_work *w, double **numbers) {
  size_t n = f->n, m = f->m;
  *w = (dependent_work){.f = f};
  *numbers = THUD_NEW_ARRAY(f->context, double, m *n + m * m + 3 * m + 4 * n);
  if (*numbers == NULL) return THUD_ERROR_MEMORY;
  w->basis = *numbers;
  w->mix = w->basis + m * n;
  w->length = w->mix + m * m;
  w->weight = w->length + m;
  w->gamma = w->weight + m;
  w->a = w->gamma + m;
  w->row = w->a + n;
  w->moved = w->row + n;
  w->speed = w->moved + n;
  return thud_verify_values_create(f->system, &w->there);
}

static bool is_equation(const verify_frames *f, size_t i) { return f->system->constraints[i].kind == VERIFY_EQUATION; }

/* Contacts and friction may balance what nothing else does; equations may move with time. */
static bool is_out_of_reach(const verify_frames *f, size_t k) {
  for (size_t i = 0; i < f->m; i++) {
    if (!is_equation(f, i) && (f->acting[k * f->m + i] != 0 || f->here.gap[i] <= f->system->gap_tolerance)) return true;
    if (is_equation(f, i) && f->here.rate[i] != 0) return true;
  }
  return f->system->law_count > 0;
}

/* Removes row i from what the rows before it span; true: nothing is left, and l is in `weight`. */
static bool depends(dependent_work *w, size_t i) {
  const verify_frames *f = w->f;
  size_t n = f->n, m = f->m;
  double *left = w->basis + w->count * n, *mix = w->mix + w->count * m;
  thud_verify_cholesky_forward(n, f->here.factor, f->here.gradient + i * n, left);
  w->length[i] = thud_verify_norm(n, left);
  memset(mix, 0, m * sizeof *mix);
  mix[i] = 1;
  for (size_t c = 0; c < n && w->length[i] > 0; c++) left[c] /= w->length[i];
  for (int turn = 0; turn < 2; turn++)
    for (size_t b = 0; b < w->count; b++) {
      double part = thud_verify_dot(n, left, w->basis + b * n);
      for (size_t c = 0; c < n; c++) left[c] -= part * w->basis[b * n + c];
      for (size_t j = 0; j < m; j++) mix[j] -= part * w->mix[b * m + j];
    }
  double size = thud_verify_norm(n, left);
  if (size <= DEPENDENT) {
    memcpy(w->weight, mix, m * sizeof *mix);
    return true;
  }
  for (size_t c = 0; c < n; c++) left[c] /= size;
  for (size_t j = 0; j < m; j++) mix[j] /= size;
  w->count++;
  return false;
}

/* The acceleration; its length in the kinetic metric beside that of M^-1 F. */
static void find_acceleration(dependent_work *w, double *length, double *free_length) {
  const verify_frames *f = w->f;
  size_t n = f->n;
  thud_verify_cholesky_forward(n, f->here.factor, f->here.force, w->a); /* L' a */
  *free_length = thud_verify_norm(n, w->a);
  for (size_t b = 0; b < w->count; b++) {
    double wanted = 0;
    for (size_t j = 0; j < f->m; j++)
      if (w->mix[b * f->m + j] != 0) wanted -= w->mix[b * f->m + j] * f->here.curvature[j] / w->length[j];
    double part = thud_verify_dot(n, w->a, w->basis + b * n) - wanted;
    for (size_t c = 0; c < n; c++) w->a[c] -= part * w->basis[b * n + c];
  }
  *length = thud_verify_norm(n, w->a);
  thud_verify_cholesky_backward(n, f->here.factor, w->a);
}

/* l'gamma at the velocity x of configuration q; *size: its terms. False: it cannot be evaluated. */
static bool curvature_of(dependent_work *w, double t, const double *q, const double *x, double *sum, double *size) {
  const verify_frames *f = w->f;
  if (!thud_verify_system_at(f->system, t, q, x, &w->there)) return false;
  *sum = *size = 0;
  for (size_t j = 0; j < f->m; j++) {
    if (w->weight[j] == 0) continue;
    double term = w->weight[j] * w->there.curvature[j] / (w->length[j] > 0 ? w->length[j] : 1);
    *sum += term;
    *size += fabs(term);
  }
  return true;
}

/* B(v, e_c) = 0 for every c at q + s v, beside the terms. */
static bool line_is_free(dependent_work *w, double t, const double *q, const double *v, double s) {
  size_t n = w->f->n;
  double speed = thud_verify_norm(n, v);
  for (size_t c = 0; c < n; c++) w->moved[c] = q[c] + s * v[c];
  for (size_t c = 0; c < n; c++) {
    double value[2], size[2];
    for (int sign = 0; sign < 2; sign++) {
      memcpy(w->speed, v, n * sizeof *v);
      w->speed[c] += sign == 0 ? speed : -speed;
      if (!curvature_of(w, t, w->moved, w->speed, &value[sign], &size[sign])) return false;
    }
    if (fabs(value[0] - value[1]) > NOTHING * (size[0] + size[1])) return false;
  }
  return true;
}

/* Row i depends on others: whether that leaves a motion at frame k. */
static bool contradicts(dependent_work *w, size_t k, double t) {
  verify_frames *f = w->f;
  const double *q = f->q + k * f->n, *v = f->v + k * f->n;
  double length, free_length, sum, size, h = f->longest_step;
  double speed = sqrt(2 * thud_verify_kinetic(f->system, &f->here, v));
  find_acceleration(w, &length, &free_length);
  /* Without forces it is beside the velocity, which it changes within a step, that an acceleration is rounding. */
  if (!(length > NOTHING * (free_length + (h > 0 ? speed / h : 0)))) return false;
  memset(w->row, 0, f->n * sizeof(double));
  if (!curvature_of(w, t, q, w->row, &sum, &size) || size > 0) return false; /* it moves with time */
  bool rests = speed <= NOTHING * h * free_length;
  for (int place = -1; place <= 1 && !rests; place++)
    if (!line_is_free(w, t, q, v, place * h)) return false;
  return curvature_of(w, t, q, w->a, &sum, &size) && fabs(sum) > SLACK * size;
}

/* Frames from which the record goes on. */
static void check_frame(dependent_work *w, size_t k, thud_verify_check *check) {
  verify_frames *f = w->f;
  double t = thud_verify_data_jump_at(f->system, f->t[k]) ? thud_verify_data_after(f->system, f->t[k]) : f->t[k];
  if (!thud_verify_system_at(f->system, t, f->q + k * f->n, f->v + k * f->n, &f->here) || is_out_of_reach(f, k)) return;
  w->count = 0;
  for (size_t i = 0; i < f->m; i++)
    if (is_equation(f, i) && depends(w, i) && contradicts(w, k, t)) {
      thud_verify_fail(check, f->t[k], k,
                       "no motion goes on from here: equation '%s' depends on others and contradicts them, but the "
                       "record does",
                       f->system->constraints[i].name);
      return;
    }
}

thud_error thud_verify_frames_dependent(verify_frames *f, thud_verify_check *check) {
  bool any = false;
  for (size_t i = 0; i < f->m; i++) any = any || is_equation(f, i);
  if (!any || f->system->functions) return THUD_OK;
  dependent_work work;
  double *numbers;
  thud_error error = begin(f, &work, &numbers);
  for (size_t k = 0; k + 1 < f->count && error == THUD_OK; k++) check_frame(&work, k, check);
  thud_verify_values_free(f->system, &work.there);
  thud_free(f->context, numbers);
  return error;
}

/* ---- equations that follow from others ------------------------------------------------------------------------------
 *
 * A scheme that has drifted off equations of which one follows from others leaves that one out of its velocity problem:
 * beside the equations it is independent of them by the drift, and its velocity and its gap are what the others leave.
 * That it follows is asked at the foot, the nearest point in the kinetic metric at which the others hold: there it is
 * made of them to rounding, holds, and moves as they do. */

enum { FOOT_TURNS = 12 };

typedef struct foot_work {
  const verify_frames *f;
  const bool *open; /* [m] the rows that are asked about */
  double least;     /* rows of which less is left are not among the others: fewer of these prove less, never too much */
  verify_values there;
  size_t count;
  double *basis; /* [m x n] orthonormal, of the others */
  double *z;     /* [n] kinetic coordinates */
  double *foot;  /* [n] */
} foot_work;

static bool is_held(const verify_frames *f, size_t i) {
  verify_constraint_kind kind = f->system->constraints[i].kind;
  return kind == VERIFY_EQUATION || kind == VERIFY_ROLLING;
}

/* What is left of row i, at length 1, beside the others so far, after them in `basis`; *along: its part along z. */
static double rest_of_row(foot_work *w, size_t i, double *length, double *along) {
  size_t n = w->f->n;
  double *row = w->basis + w->count * n;
  thud_verify_cholesky_forward(n, w->there.factor, w->there.gradient + i * n, row);
  *length = thud_verify_norm(n, row);
  if (!(*length > 0)) *length = 1;
  for (size_t c = 0; c < n; c++) row[c] /= *length;
  *along = thud_verify_dot(n, row, w->z);
  for (int turn = 0; turn < 2; turn++)
    for (size_t b = 0; b < w->count; b++) {
      double part = thud_verify_dot(n, row, w->basis + b * n);
      for (size_t c = 0; c < n; c++) row[c] -= part * w->basis[b * n + c];
    }
  return thud_verify_norm(n, row);
}

/* The shortest z with row.z + level = 0 for the others; level: [m] their gaps, or rates. */
static void find_shortest(foot_work *w, const double *level, bool of_gaps) {
  const verify_frames *f = w->f;
  size_t n = f->n;
  w->count = 0;
  memset(w->z, 0, n * sizeof(double));
  for (size_t i = 0; i < f->m; i++) {
    if (!is_held(f, i) || w->open[i]) continue;
    double length, along, rest = rest_of_row(w, i, &length, &along), *row = w->basis + w->count * n;
    if (rest <= w->least) continue;
    bool free_of_gap = of_gaps && f->system->constraints[i].kind == VERIFY_ROLLING;
    double wanted = free_of_gap ? 0 : -level[i] / length;
    for (size_t c = 0; c < n; c++) {
      row[c] /= rest;
      w->z[c] += (wanted - along) / rest * row[c];
    }
    w->count++;
  }
}

/* Newton's method from q; *size: lengths of positions. */
static bool find_foot(foot_work *w, double t, const double *q, const double *v, double *size) {
  size_t n = w->f->n;
  double moved = INFINITY, way = 0;
  memcpy(w->foot, q, n * sizeof(double));
  for (int turn = 0; turn < FOOT_TURNS; turn++) {
    if (!thud_verify_system_at(w->f->system, t, w->foot, v, &w->there)) return false;
    *size = sqrt(2 * thud_verify_kinetic(w->f->system, &w->there, w->foot)) + way;
    if (moved <= DBL_EPSILON * *size) return true;
    find_shortest(w, w->there.gap, true);
    moved = thud_verify_norm(n, w->z);
    way += moved;
    thud_verify_cholesky_backward(n, w->there.factor, w->z);
    for (size_t c = 0; c < n; c++) w->foot[c] += w->z[c];
  }
  return moved <= DEPENDENT * *size;
}

/* By how much the equations may be violated because they were at the start, as a length. */
static double violated_at_start(const foot_work *w, double length) {
  double worst = 0;
  for (size_t j = 0; j < w->f->m; j++)
    if (is_equation(w->f, j)) worst = fmax(worst, fabs(w->f->gap[j]));
  return 2 * worst / length;
}

static bool rows_follow(foot_work *w, double t, const double *q, const double *v) {
  const verify_frames *f = w->f;
  double size;
  if (!find_foot(w, t, q, v, &size)) return false;
  find_shortest(w, w->there.rate, false);
  for (size_t i = 0; i < f->m; i++) {
    if (!w->open[i]) continue;
    double length, along, rest = rest_of_row(w, i, &length, &along), rate = w->there.rate[i] / length;
    double gap = is_equation(f, i) ? fabs(w->there.gap[i]) / length : 0;
    if (rest > DEPENDENT || gap > DEPENDENT * size + violated_at_start(w, length)) return false;
    if (fabs(along + rate) > DEPENDENT * (fabs(rate) + thud_verify_norm(f->n, w->z))) return false;
  }
  return true;
}

thud_error thud_verify_rows_follow(const verify_frames *f, double t, const double *q, const double *v, const bool *open,
                                   bool *follow) {
  static const double least[] = {1e-8, 1e-5, 1e-2};
  size_t n = f->n;
  foot_work w = {.f = f, .open = open};
  *follow = false;
  if (f->system->functions) return THUD_OK;
  w.basis = THUD_NEW_ARRAY(f->context, double, (f->m + 1) * n + 2 * n);
  if (w.basis == NULL) return THUD_ERROR_MEMORY;
  w.z = w.basis + (f->m + 1) * n;
  w.foot = w.z + n;
  thud_error error = thud_verify_values_create(f->system, &w.there);
  for (size_t k = 0; k < sizeof least / sizeof *least && error == THUD_OK && !*follow; k++) {
    w.least = least[k];
    *follow = rows_follow(&w, t, q, v);
  }
  thud_verify_values_free(f->system, &w.there);
  thud_free(f->context, w.basis);
  return error;
}
