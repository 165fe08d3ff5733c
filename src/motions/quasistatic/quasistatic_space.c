/* One contact in space: all of its rates and equilibria.
 *
 * With K = [[k_N, w'], [w, K_T]] (thud's signs) and r = K u - f. On the cone, r_T = mu r_N e with |e| = 1, slip with
 * u_T' = -g e keeps r on it when
 *   D g = -a,  D = e.K_T e - mu w.e,  a = e.f_T' - mu f_N',
 * and sticking is possible when a >= 0 (Ballard 1999, the rule of the plane in the direction e). A contact that touches
 * without load obeys Signorini and Coulomb with the rates in place of the values: the static problem below.
 *
 * Static problem: open u = K^-1 f; stick u = (-gap, before); slip u_N = -gap, u_T = before - l r_T with l > 0, so that
 *   r_T = (I + l K_T)^-1 P,  P = K_T before - f_T - gap w,   and mu r_N = |r_T|,  r_N = P_N - l w.r_T,
 *   P_N = -k_N gap + w.before - f_N.
 * In the eigenvectors of K_T, r_i = P_i / (1 + l k_i); |r_T|^2 = (mu r_N)^2 times the squares of the denominators is a
 * polynomial of degree 4 at most in l whose positive roots with r_N >= 0 are all slip solutions. */
#include "motions/quasistatic/quasistatic_solutions.h"
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- real roots of a polynomial --------------------------------------------------------------------------------------- */

enum { DEGREE = 4, STEPS = 200, POLISHING = 4 };

static double evaluate(int degree, const double *p, double x) {
  double sum = 0;
  for (int k = degree; k >= 0; k--) sum = sum * x + p[k];
  return sum;
}

static double bisect(int degree, const double *p, double low, double high) {
  bool rising = evaluate(degree, p, low) < 0;
  for (int k = 0; k < STEPS && high - low > 2 * DBL_EPSILON * high; k++) {
    double middle = low + (high - low) / 2;
    if ((evaluate(degree, p, middle) < 0) == rising)
      low = middle;
    else
      high = middle;
  }
  return low + (high - low) / 2;
}

/* All roots in [0, top], between the roots of the derivative; those at which p only touches 0 as well, to rounding.
 * roots[degree]; returns their number. */
static int real_roots(int degree, const double *p, double top, double *roots) {
  if (degree <= 0) return 0;
  double derivative[DEGREE], turning[DEGREE + 1];
  for (int k = 0; k < degree; k++) derivative[k] = (k + 1) * p[k + 1];
  int turns = real_roots(degree - 1, derivative, top, turning), count = 0;
  turning[turns] = top;
  double low = 0, at_low = evaluate(degree, p, 0);
  for (int k = 0; k <= turns; k++) {
    double high = turning[k], at_high = evaluate(degree, p, high), size = 0, power = 1;
    for (int i = 0; i <= degree; i++, power *= high) size += fabs(p[i]) * power;
    if (at_low != 0 && at_high != 0 && (at_low < 0) != (at_high < 0))
      roots[count++] = bisect(degree, p, low, high);
    else if (k < turns && fabs(at_high) <= 64 * DBL_EPSILON * size)
      roots[count++] = high;
    low = high, at_low = at_high;
    if (count == degree) break;
  }
  return count;
}

/* ---- the contact ------------------------------------------------------------------------------------------------------- */

typedef struct space_contact {
  double k_N, w[2], K_T[4];     /* K_T column-major */
  double values[2], vectors[4]; /* of K_T */
  double mu, gap;
} space_contact;

static space_contact read_contact(const elastic_structure *structure) {
  const double *K = structure->stiffness;
  space_contact contact = {.k_N = K[0],
                           .w = {K[1], K[2]},
                           .K_T = {K[4], K[5], K[7], K[8]},
                           .mu = structure->problem->mu[0],
                           .gap = structure->problem->gap[0]};
  double half = (K[4] - K[8]) / 2, mean = (K[4] + K[8]) / 2, radius = hypot(half, K[5]);
  double angle = radius > 0 ? atan2(K[5], half) / 2 : 0, cosine = cos(angle), sine = sin(angle);
  contact.values[0] = mean + radius, contact.values[1] = mean - radius;
  contact.vectors[0] = cosine, contact.vectors[1] = sine;
  contact.vectors[2] = -sine, contact.vectors[3] = cosine;
  return contact;
}

static void react(const elastic_structure *structure, const double *f, const double *u, double *r) {
  for (size_t i = 0; i < 3; i++) {
    r[i] = -f[i];
    for (size_t j = 0; j < 3; j++) r[i] += structure->stiffness[i + 3 * j] * u[j];
  }
}

static thud_error add(elastic_solutions *list, const elastic_question *question, const double *u, const double *r,
                      thud_elastic_mode mode, bool continuum) {
  return thud_solutions_add(list, question, u, r, &mode, continuum);
}

/* ---- the static problem --------------------------------------------------------------------------------------------------- */

/* Coefficients of a product of (1 + l a) and (1 + l b) to the powers 0 to 2 each: up to degree 4. */
static void multiply(const double *p, int degree, double a, double *product) {
  for (int k = 0; k <= degree + 1; k++) product[k] = (k <= degree ? p[k] : 0) + (k > 0 ? a * p[k - 1] : 0);
}

/* The slip equation |r_T|^2 = (mu r_N)^2, cleared of its denominators; returns the degree. */
static int slip_polynomial(const space_contact *contact, double P_N, const double *P, const double *w, double *p) {
  double a = contact->values[0], b = contact->values[1], one[1] = {1}, A[2], B[2], AB[3], A2[3], B2[3];
  multiply(one, 0, a, A);
  multiply(one, 0, b, B);
  multiply(A, 1, b, AB);
  multiply(A, 1, a, A2);
  multiply(B, 1, b, B2);
  /* N = P_N AB - l (w_1 P_1 B + w_2 P_2 A), so that r_N = N / AB */
  double N[3] = {P_N * AB[0], P_N * AB[1], P_N * AB[2]};
  for (int k = 0; k < 2; k++) N[k + 1] -= w[0] * P[0] * B[k] + w[1] * P[1] * A[k];
  memset(p, 0, (DEGREE + 1) * sizeof *p);
  for (int k = 0; k < 3; k++) p[k] -= P[0] * P[0] * B2[k] + P[1] * P[1] * A2[k];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) p[i + k] += contact->mu * contact->mu * N[i] * N[k];
  int degree = 4;
  while (degree > 0 && p[degree] == 0) degree--;
  return degree;
}

/* Newton's steps for |r_T| - mu r_N = 0: the polynomial has lost digits to its powers. */
static double polish(const space_contact *contact, double P_N, const double *P, const double *w, double l) {
  for (int k = 0; k < POLISHING; k++) {
    double square = 0, product = 0, normal = P_N, slope = 0;
    for (int i = 0; i < 2; i++) {
      double part = P[i] / (1 + l * contact->values[i]),
             rate = -contact->values[i] * part / (1 + l * contact->values[i]);
      square += part * part;
      product += part * rate;
      normal -= l * w[i] * part;
      slope -= w[i] * (part + l * rate);
    }
    double size = sqrt(square), derivative = product / size - contact->mu * slope;
    double next = l - (size - contact->mu * normal) / derivative;
    if (!(next > 0) || !(fabs(next - l) <= 1e-3 * l)) break;
    l = next;
  }
  return l;
}

/* Without friction the contact slides to where its tangential forces balance. */
static thud_error find_frictionless(const elastic_structure *structure, const elastic_question *question,
                                    elastic_solutions *list) {
  space_contact contact = read_contact(structure);
  double gap = question->rates ? 0 : contact.gap, right[2], u[3], r[3];
  for (int k = 0; k < 2; k++) right[k] = question->f[k + 1] + gap * contact.w[k];
  if (thud_dense_solve(structure->context, 2, contact.K_T, 1, right) != THUD_OK) return THUD_OK;
  u[0] = -gap, u[1] = right[0], u[2] = right[1];
  react(structure, question->f, u, r);
  r[1] = r[2] = 0;
  return r[0] >= 0 ? add(list, question, u, r, THUD_ELASTIC_SLIP, false) : THUD_OK;
}

/* u_T = before - l r_T and r for a root l of the polynomial; false when r_N < 0 beyond the margin of rounding. */
static bool place_slip(const elastic_structure *structure, const elastic_question *question,
                       const space_contact *contact, const double *P, double l, double margin, double *u, double *r) {
  double R[2] = {P[0] / (1 + l * contact->values[0]), P[1] / (1 + l * contact->values[1])};
  double gap = question->rates ? 0 : contact->gap;
  u[0] = -gap;
  for (int k = 0; k < 2; k++)
    u[k + 1] = (question->rates ? 0 : question->before[k + 1]) -
               l * (contact->vectors[k] * R[0] + contact->vectors[k + 2] * R[1]);
  react(structure, question->f, u, r);
  double size = hypot(r[1], r[2]);
  if (r[0] < 0 && r[0] >= -margin) { /* it is about to open */
    memset(r, 0, 3 * sizeof *r);
    return true;
  }
  if (!(r[0] >= 0) || !(fabs(size - contact->mu * r[0]) <= 1e-6 * (size + contact->mu * fabs(r[0])))) return false;
  if (size > 0) { /* on the cone to the last bit */
    r[1] *= contact->mu * r[0] / size;
    r[2] *= contact->mu * r[0] / size;
  }
  return true;
}

/* stick[3]: the reaction of sticking, (P_N, P), known up to a margin. */
static thud_error find_slips(const elastic_structure *structure, const elastic_question *question, const double *stick,
                             double margin, elastic_solutions *list) {
  space_contact contact = read_contact(structure);
  double P[2], w[2], p[DEGREE + 1], roots[DEGREE], u[3], r[3], P_N = stick[0];
  const double *full = stick + 1;
  for (int k = 0; k < 2; k++) {
    P[k] = contact.vectors[(ptrdiff_t)2 * k] * full[0] + contact.vectors[(ptrdiff_t)2 * k + 1] * full[1];
    w[k] = contact.vectors[(ptrdiff_t)2 * k] * contact.w[0] + contact.vectors[(ptrdiff_t)2 * k + 1] * contact.w[1];
  }
  int degree = slip_polynomial(&contact, P_N, P, w, p);
  /* Cauchy's bound of the roots; l is in units of 1/K_T. */
  double largest = 0;
  for (int k = 0; k < degree; k++) largest = fmax(largest, fabs(p[k] / p[degree]));
  int count = real_roots(degree, p, 1 + largest, roots);
  thud_error error = THUD_OK;
  for (int k = 0; k < count && error == THUD_OK; k++)
    if (roots[k] > 0 &&
        place_slip(structure, question, &contact, P, polish(&contact, P_N, P, w, roots[k]), margin, u, r))
      error = add(list, question, u, r, THUD_ELASTIC_SLIP, false);
  return error;
}

static thud_error find_static(const elastic_structure *structure, const elastic_question *question,
                              elastic_solutions *list) {
  double mu = structure->problem->mu[0], gap = question->rates ? 0 : structure->problem->gap[0], r[3];
  double stick[3] = {-gap, question->rates ? 0 : question->before[1], question->rates ? 0 : question->before[2]};
  react(structure, question->f, stick, r);
  elastic_scales scales = thud_solutions_scales(structure, question, stick, r);
  for (size_t k = 0; k < 9; k++) scales.r = fmax(scales.r, fabs(structure->stiffness[k] * stick[k / 3]));
  double margin = question->tolerance * scales.r;
  thud_error error = THUD_OK;
  list->found.combinations = 3;
  if (mu > 0 && hypot(r[1], r[2]) <= mu * r[0] + margin && r[0] >= -margin)
    error = add(list, question, stick, r, THUD_ELASTIC_STICK, false);
  if (error == THUD_OK)
    error = mu > 0 ? find_slips(structure, question, r, margin, list) : find_frictionless(structure, question, list);
  double open[3], zero[3] = {0, 0, 0};
  memcpy(open, question->f, sizeof open);
  if (error != THUD_OK || thud_dense_solve(structure->context, 3, structure->stiffness, 1, open) != THUD_OK)
    return error; /* K semidefinite: nothing holds an open contact */
  scales = thud_solutions_scales(structure, question, open, zero);
  return open[0] + gap >= -question->tolerance * scales.u ? add(list, question, open, zero, THUD_ELASTIC_OPEN, false)
                                                          : THUD_OK;
}

/* ---- rates ------------------------------------------------------------------------------------------------------------------ */

static thud_error find_at_limit(const elastic_structure *structure, const elastic_question *question,
                                elastic_solutions *list) {
  space_contact contact = read_contact(structure);
  double size = hypot(question->r[1], question->r[2]), e[2] = {question->r[1] / size, question->r[2] / size};
  const double *f = question->f;
  double a = e[0] * f[1] + e[1] * f[2] - contact.mu * f[0];
  double stiff =
      e[0] * (contact.K_T[0] * e[0] + contact.K_T[2] * e[1]) + e[1] * (contact.K_T[1] * e[0] + contact.K_T[3] * e[1]);
  double coupling = contact.mu * (contact.w[0] * e[0] + contact.w[1] * e[1]), D = stiff - coupling;
  double small = question->tolerance * (fabs(f[0]) * contact.mu + hypot(f[1], f[2]));
  bool degenerate = fabs(D) <= question->tolerance * (fabs(stiff) + fabs(coupling));
  double u[3] = {0, 0, 0}, r[3];
  thud_error error = THUD_OK;
  list->found.combinations = 2;
  react(structure, f, u, r);
  if (a >= -small) error = add(list, question, u, r, THUD_ELASTIC_STICK, degenerate && fabs(a) <= small);
  double g = degenerate ? 0 : -a / D;
  if (error != THUD_OK || !(g > 0) || fabs(a) <= small) return error;
  u[1] = -g * e[0], u[2] = -g * e[1];
  react(structure, f, u, r);
  return add(list, question, u, r, THUD_ELASTIC_SLIP, false);
}

thud_error thud_solutions_find_in_space(const elastic_question *question, elastic_solutions *list) {
  const elastic_structure *structure = list->structure;
  elastic_standing standing = question->rates ? question->standing[0] : STANDING_TOUCHING;
  double u[3] = {0, 0, 0}, r[3] = {0, 0, 0};
  if (standing == STANDING_TOUCHING) return find_static(structure, question, list);
  if (standing == STANDING_LIMIT || standing == STANDING_LIMIT_BACK) return find_at_limit(structure, question, list);
  list->found.combinations = 1;
  if (standing == STANDING_STUCK) {
    react(structure, question->f, u, r);
    return add(list, question, u, r, THUD_ELASTIC_STICK, false);
  }
  memcpy(u, question->f, sizeof u);
  thud_error error = thud_dense_solve(structure->context, 3, structure->stiffness, 1, u);
  return error == THUD_OK ? add(list, question, u, r, THUD_ELASTIC_OPEN, false) : THUD_OK;
}
