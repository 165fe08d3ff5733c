/* Newton on one contact: the constants, and the function of Alart and Curnier (Comput. Methods Appl. Mech. Engrg. 92,
 * 1991). With steps rho > 0 of each contact,
 *   F_N = r_N - (r_N - rho_N u_N)+,  F_T = r_T - proj_{D(mu p)}(r_T - rho_T u_T),  p = (r_N - rho_N u_N)+,
 * and the same for the other discs; the merit is that of F_N/rho_N, F_T/rho_T. Where F is linearised, each
 * contact is open (r = 0), or touches with each part sticking (u_T = 0) or sliding along e = x/|x|, x = r_T - rho_T u_T
 * (r_T.e = mu r_N, one equation across e). So the system has 0 rows for an open contact, 1 (plane) or 2 (space) for a
 * sliding one and all of them for a sticking one. */
#include "solve/newton.h"

#include <math.h>
#include <string.h>

static double inverse_or_one(double x) { return x > 0 ? 1 / x : 1; }

/* Largest eigenvalue of the symmetric part of the diagonal block of one part. */
static double largest_eigenvalue(size_t d, const double *W, size_t first, size_t width) {
  double a = W[first * d + first];
  if (width == 1) return a;
  double c = W[(first + 1) * d + first + 1], b = (W[first * d + first + 1] + W[(first + 1) * d + first]) / 2;
  double half = (a - c) / 2;
  return (a + c) / 2 + sqrt(half * half + b * b);
}

void thud_newton_law_set(const thud_disc_layout *layout, const double *W, const double *mu, double factor,
                         thud_newton_law *law) {
  size_t d = (size_t)layout->dimension;
  *law = (thud_newton_law){.layout = layout, .rho_normal = factor * inverse_or_one(W[0])};
  for (size_t p = 0; p < layout->count; p++) {
    law->mu[p] = mu[p];
    law->rho[p] = factor * inverse_or_one(largest_eigenvalue(d, W, layout->first[p], layout->width[p]));
  }
}

/* x = r_T - rho u_T of one part, and where it lies beside its disc. */
typedef struct part_state {
  double x[2], length, radius;
  bool sticks;
} part_state;

static inline part_state part_at(const thud_newton_law *law, size_t p, double pressed, const double *r,
                                 const double *u) {
  size_t first = law->layout->first[p];
  part_state s = {.radius = law->mu[p] * pressed};
  s.x[0] = r[first] - law->rho[p] * u[first];
  if (law->layout->width[p] == 2) s.x[1] = r[first + 1] - law->rho[p] * u[first + 1];
  double square = s.x[0] * s.x[0] + s.x[1] * s.x[1];
  s.sticks = s.radius > 0 && square <= s.radius * s.radius;
  s.length = s.sticks ? 0 : sqrt(square);
  return s;
}

static double merit(const thud_newton_law *law, const double *r, const double *u) {
  double predicted = r[0] - law->rho_normal * u[0], pressed = predicted > 0 ? predicted : 0;
  double normal = predicted > 0 ? u[0] : r[0] / law->rho_normal, sum = normal * normal;
  for (size_t p = 0; p < law->layout->count; p++) {
    part_state s = part_at(law, p, pressed, r, u);
    size_t first = law->layout->first[p];
    double ratio = s.sticks ? 1 : s.length > 0 ? s.radius / s.length : 0;
    for (size_t i = 0; i < law->layout->width[p]; i++) {
      double part = s.sticks ? u[first + i] : (r[first + i] - ratio * s.x[i]) / law->rho[p];
      sum += part * part;
    }
  }
  return sum;
}

void thud_newton_set_open(size_t d, const double *r, thud_newton_line *line) {
  line->unknowns = 0;
  line->plain_S = line->plain_P = line->moves = false;
  for (size_t i = 0; i < d; i++) {
    line->c[i] = -r[i];
    line->moves = line->moves || r[i] != 0;
  }
}

size_t thud_newton_add_unknown(size_t d, double rho, double b, thud_newton_line *line) {
  size_t m = (size_t)line->unknowns++;
  memset(line->S + m * d, 0, d * sizeof(double));
  memset(line->P + m * d, 0, d * sizeof(double));
  memset(line->D + m * d, 0, d * sizeof(double));
  line->rho[m] = rho;
  line->b[m] = b;
  return m;
}

static void add_sticking(const thud_newton_law *law, size_t d, size_t p, const double *u, thud_newton_line *line) {
  size_t first = law->layout->first[p];
  for (size_t i = first; i < first + law->layout->width[p]; i++) {
    size_t m = thud_newton_add_unknown(d, law->rho[p], u[i], line);
    line->S[m * d + i] = line->P[m * d + i] = 1;
  }
}

/* r_T.e = mu r_N along e (the unknown 0 is dr_N); across it F_T.t = r_t - ratio (r_t - rho u_t), linearised with the
 * ratio fixed: (1 - ratio)/rho y + ratio du_t = -r_t/rho. */
static void add_sliding(const thud_newton_law *law, size_t d, size_t p, const part_state *s, const double *r,
                        thud_newton_line *line) {
  size_t first = law->layout->first[p];
  double mu = law->mu[p], rho = law->rho[p];
  double e[2] = {s->length > 0 ? s->x[0] / s->length : 1, s->length > 0 ? s->x[1] / s->length : 0};
  if (law->layout->width[p] == 1) {
    line->S[first] = mu * e[0];
    line->c[first] = mu * e[0] * r[0] - r[first];
    line->moves = line->moves || line->c[first] != 0;
    return;
  }
  double excess = mu * r[0] - (e[0] * r[first] + e[1] * r[first + 1]);
  double ratio = s->length > 0 ? s->radius / s->length : 0, across = e[0] * r[first + 1] - e[1] * r[first];
  for (size_t i = 0; i < 2; i++) {
    line->S[first + i] = mu * e[i];
    line->c[first + i] = excess * e[i];
  }
  if (ratio == 0) { /* without friction: r_T = 0 */
    line->c[first] += across * e[1];
    line->c[first + 1] -= across * e[0];
  } else {
    size_t m = thud_newton_add_unknown(d, rho, across / rho, line);
    line->S[m * d + first] = -e[1];
    line->S[m * d + first + 1] = e[0];
    line->P[m * d + first] = -ratio * e[1];
    line->P[m * d + first + 1] = ratio * e[0];
    line->D[m * d + m] = (1 - ratio) / rho;
  }
  line->moves = line->moves || line->c[first] != 0 || line->c[first + 1] != 0;
}

static void linearise(const thud_newton_law *law, const double *r, const double *u, thud_newton_line *line) {
  size_t d = (size_t)law->layout->dimension;
  double predicted = r[0] - law->rho_normal * u[0];
  if (!(predicted > 0)) {
    thud_newton_set_open(d, r, line);
    return;
  }
  line->unknowns = 0;
  line->plain_S = line->plain_P = true;
  line->moves = false;
  memset(line->c, 0, d * sizeof(double));
  thud_newton_add_unknown(d, law->rho_normal, u[0], line);
  line->S[0] = line->P[0] = 1;
  for (size_t p = 0; p < law->layout->count; p++) {
    part_state s = part_at(law, p, predicted, r, u);
    if (s.sticks) {
      add_sticking(law, d, p, u, line);
    } else {
      add_sliding(law, d, p, &s, r, line);
      line->plain_S = line->plain_P = false;
    }
  }
}

const thud_newton_function thud_newton_alart_curnier = {.merit = merit, .linearise = linearise};
