/* Semismooth Newton for one contact with discs; and one projected step. */
#include "solve/one_contact.h"

#include <math.h>
#include <string.h>

enum { DIMENSION_MAX = THUD_CONTACT_DIMENSION_MAX, NEWTON_STEPS = 30, HALVINGS = 12 };
/* |F| relative to |r| + rho |q|. */
static const double NEWTON_TOLERANCE = 1e-14;
/* ... at which a step that no longer lowers |F| ends the iteration well. */
static const double NEWTON_FLOOR = 1e-12;

/* Contact with its steps rho. */
typedef struct newton_contact {
  size_t d;
  const thud_disc_layout *layout;
  double rho_normal, rho[THUD_CONTACT_DISCS_MAX];
  const double *W, *q, *mu;
} newton_contact;

/* Largest eigenvalue of a symmetric block of 1 or 2 rows from its entries; 0 for a block that vanishes. */
static double largest_eigenvalue(const newton_contact *contact, size_t first, size_t width) {
  const double *W = contact->W;
  size_t d = contact->d;
  double a = W[first * d + first];
  if (width == 1) return fmax(a, 0);
  double c = W[(first + 1) * d + first + 1], b = (W[first * d + first + 1] + W[(first + 1) * d + first]) / 2;
  double mean = (a + c) / 2, half = (a - c) / 2;
  return fmax(mean + sqrt(half * half + b * b), 0);
}

static double inverse_or_one(double x) { return x > 0 ? 1 / x : 1; }

static void describe(const thud_one_contact *contact, const double *q, newton_contact *out) {
  const thud_disc_layout *layout = contact->layout;
  *out = (newton_contact){.d = (size_t)layout->dimension, .layout = layout, .W = contact->W, .q = q, .mu = contact->mu};
  out->rho_normal = inverse_or_one(contact->W[0]);
  for (size_t p = 0; p < layout->count; p++)
    out->rho[p] = inverse_or_one(largest_eigenvalue(out, layout->first[p], layout->width[p]));
}

static void velocity(const newton_contact *contact, const double *r, double *u) {
  size_t d = contact->d;
  for (size_t i = 0; i < d; i++) u[i] = contact->q[i];
  for (size_t j = 0; j < d; j++)
    for (size_t i = 0; i < d; i++) u[i] += contact->W[j * d + i] * r[j];
}

/* F[d], and its generalised Jacobian J[d*d] (column-major) when J is not NULL. Returns |F|. */
static double residual(const newton_contact *contact, const double *r, double *F, double *J) {
  size_t d = contact->d;
  const double *W = contact->W;
  double u[DIMENSION_MAX] = {0}, push[DIMENSION_MAX] = {0}; /* push: gradient of the predicted normal impulse */
  velocity(contact, r, u);
  double predicted = r[0] - contact->rho_normal * u[0];
  double pressed = fmax(predicted, 0);
  F[0] = r[0] - pressed;
  if (predicted > 0)
    for (size_t j = 0; j < d; j++) push[j] = (j == 0 ? 1 : 0) - contact->rho_normal * W[j * d];
  for (size_t j = 0; J != NULL && j < d; j++) J[j * d] = (j == 0 ? 1 : 0) - push[j];
  double sum = F[0] * F[0];
  for (size_t p = 0; p < contact->layout->count; p++) {
    size_t first = contact->layout->first[p], width = contact->layout->width[p];
    double rho = contact->rho[p], radius = contact->mu[p] * pressed, x[2] = {0, 0};
    for (size_t i = 0; i < width; i++) x[i] = r[first + i] - rho * u[first + i];
    double length = sqrt(x[0] * x[0] + x[1] * x[1]);
    bool inside = length <= radius;
    double unit[2] = {length > 0 ? x[0] / length : 0, length > 0 ? x[1] / length : 0};
    double ratio = inside ? 1 : radius / length;
    for (size_t i = 0; i < width; i++) {
      F[first + i] = r[first + i] - ratio * x[i];
      sum += F[first + i] * F[first + i];
    }
    for (size_t j = 0; J != NULL && j < d; j++) {
      double g[2] = {0, 0}; /* column j of the gradient of x */
      for (size_t i = 0; i < width; i++) g[i] = (j == first + i ? 1 : 0) - rho * W[j * d + first + i];
      double along = unit[0] * g[0] + unit[1] * g[1];
      for (size_t i = 0; i < width; i++) {
        double moved = inside ? g[i] : unit[i] * contact->mu[p] * push[j] + ratio * (g[i] - along * unit[i]);
        J[j * d + first + i] = (j == first + i ? 1 : 0) - moved;
      }
    }
  }
  return sqrt(sum);
}

/* x = -J^-1 F by elimination with partial pivoting; false when J is singular. J is destroyed. */
static bool newton_direction(size_t d, double *J, const double *F, double *x) {
  for (size_t i = 0; i < d; i++) x[i] = -F[i];
  for (size_t k = 0; k < d; k++) {
    size_t pivot = k;
    for (size_t i = k + 1; i < d; i++)
      if (fabs(J[k * d + i]) > fabs(J[k * d + pivot])) pivot = i;
    if (!(fabs(J[k * d + pivot]) > 0)) return false;
    for (size_t j = 0; j < d && pivot != k; j++) {
      double t = J[j * d + k];
      J[j * d + k] = J[j * d + pivot];
      J[j * d + pivot] = t;
    }
    double t = x[k];
    x[k] = x[pivot];
    x[pivot] = t;
    for (size_t i = k + 1; i < d; i++) {
      double factor = J[k * d + i] / J[k * d + k];
      for (size_t j = k + 1; j < d; j++) J[j * d + i] -= factor * J[j * d + k];
      x[i] -= factor * x[k];
    }
  }
  for (size_t k = d; k-- > 0;) {
    for (size_t j = k + 1; j < d; j++) x[k] -= J[j * d + k] * x[j];
    x[k] /= J[k * d + k];
  }
  return true;
}

/* The longest of the steps 1, 1/2, 1/4, ... along x that lowers |F|; false when none does. */
static bool line_search(const newton_contact *contact, const double *x, double *r, double *norm) {
  double tried[DIMENSION_MAX], F[DIMENSION_MAX], t = 1;
  for (int k = 0; k < HALVINGS; k++, t /= 2) {
    for (size_t i = 0; i < contact->d; i++) tried[i] = r[i] + t * x[i];
    double reached = residual(contact, tried, F, NULL);
    if (reached < *norm * (1 - 1e-4 * t)) {
      memcpy(r, tried, contact->d * sizeof(double));
      *norm = reached;
      return true;
    }
  }
  return false;
}

static double magnitude(const newton_contact *contact, const double *r) {
  double load = 0, impulse = 0, rho = contact->rho_normal;
  for (size_t p = 0; p < contact->layout->count; p++) rho = fmax(rho, contact->rho[p]);
  for (size_t i = 0; i < contact->d; i++) {
    load = fmax(load, fabs(contact->q[i]));
    impulse = fmax(impulse, fabs(r[i]));
  }
  return impulse + rho * load;
}

bool thud_one_newton(const thud_one_contact *one, const double *q, double *r) {
  newton_contact contact;
  describe(one, q, &contact);
  double trial[DIMENSION_MAX], F[DIMENSION_MAX], J[DIMENSION_MAX * DIMENSION_MAX], x[DIMENSION_MAX];
  memcpy(trial, r, contact.d * sizeof(double));
  bool converged = false;
  for (int k = 0; k < NEWTON_STEPS && !converged; k++) {
    double norm = residual(&contact, trial, F, J);
    if (norm <= NEWTON_TOLERANCE * magnitude(&contact, trial)) {
      converged = true;
    } else if (!newton_direction(contact.d, J, F, x) || !line_search(&contact, x, trial, &norm)) {
      converged = norm <= NEWTON_FLOOR * magnitude(&contact, trial);
      break;
    }
  }
  if (converged) memcpy(r, trial, contact.d * sizeof(double));
  return converged;
}

void thud_one_projection(const thud_one_contact *contact, const double *q, double *r) {
  const thud_disc_layout *layout = contact->layout;
  size_t d = (size_t)layout->dimension;
  double u[DIMENSION_MAX] = {0}, trace = 0;
  for (size_t i = 0; i < d; i++) {
    u[i] = q[i];
    trace += contact->W[i * d + i];
  }
  for (size_t j = 0; j < d; j++)
    for (size_t i = 0; i < d; i++) u[i] += contact->W[j * d + i] * r[j];
  double rho = inverse_or_one(trace); /* the trace bounds every eigenvalue of a positive semidefinite block */
  r[0] = fmax(r[0] - rho * u[0], 0);
  for (size_t p = 0; p < layout->count; p++) {
    size_t first = layout->first[p];
    bool pair = layout->width[p] == 2;
    double x = r[first] - rho * u[first], y = pair ? r[first + 1] - rho * u[first + 1] : 0;
    double square = x * x + y * y, radius = contact->mu[p] * r[0];
    double ratio = square <= radius * radius ? 1 : radius / sqrt(square);
    r[first] = ratio * x;
    if (pair) r[first + 1] = ratio * y;
  }
}
