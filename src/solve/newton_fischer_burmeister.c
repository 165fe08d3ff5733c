/* Newton on one contact: the function of Fischer and Burmeister in the Jordan algebra of the second-order cone
 * L = { x_0 >= |x_T| } (Fukushima, Luo and Tseng, SIAM J. Optim. 12, 2001), with the product
 * x o y = (x.y, x_0 y_T + y_0 x_T):
 *
 *   phi(x, y) = x + y - z,  z = (x o x + y o y)^(1/2),     phi(x, y) = 0  iff  x in L, y in L, x.y = 0.
 *
 * The change of variables that makes Coulomb's cone and its dual the same L, in velocity units, mu > 0:
 *   x = (r_N, r_T/mu)/rho_N,   y = (u_N + mu |u_T|, mu u_T).
 * Without friction F is the scalar phi of r_N/rho_N and u_N, and r_T/rho_N.
 *
 * Several discs: the cone is an intersection, which is not symmetric. There F is the scalar phi of r_N/rho_N and u_N,
 * and for each part (T, R, S) the tangential components of phi(x, y) with
 *   x = (mu r_N, r_T)/rho_T,   y = (|u_T|, u_T).
 * They vanish, for x_0 >= 0, exactly where x is in L and r_T is opposite to u_T with |r_T| = mu r_N, or u_T = 0: with
 * phi = (c, 0), z o z = x o x + y o y gives (y_0 - c) x_T + (x_0 - c) y_T = 0, so that x_T and y_T are parallel (both
 * factors 0 would mean |x_T|^2 + x_0^2 <= 0), and on one line phi is the difference of the scalar phi(x_0 + x_1, y_0 +
 * y_1) and phi(x_0 - x_1, y_0 - y_1), one of which has y_0 -+ y_1 = 0.
 *
 * Derivatives: 1 - L_z^-1 L_x and 1 - L_z^-1 L_y with L_x y = x o y. Where z is on the boundary of the cone, phi has a
 * kink; taken is the limit of (x o x + y o y + eps^2 e)^(1/2), eps -> 0, which lies in Clarke's generalized Jacobian.
 * The same with |u_T| at u_T = 0, whose derivative is taken as 0. */
#include "solve/newton.h"

#include <math.h>
#include <string.h>

enum { CONE_MAX = 3 };

/* ---- phi on one cone --------------------------------------------------------------------------------------- */

/* z = s1 (1, -w)/2 + s2 (1, w)/2 with |w| = 1, s1 <= s2. */
typedef struct spectrum {
  double w[CONE_MAX - 1];
  double s1, s2;
} spectrum;

/* |x_T - x_0 w|^2: summed over x and y this is the smaller eigenvalue of x o x + y o y, without cancellation. */
static double off_ray(size_t n, const double *x, const double *w) {
  double sum = 0;
  for (size_t i = 1; i < n; i++) sum += (x[i] - x[0] * w[i - 1]) * (x[i] - x[0] * w[i - 1]);
  return sum;
}

static spectrum spectrum_of(size_t n, const double *x, const double *y) {
  spectrum z = {.w = {1, 0}};
  double sum = x[0] * x[0] + y[0] * y[0], vector[CONE_MAX - 1] = {0}, square = 0;
  for (size_t i = 1; i < n; i++) {
    sum += x[i] * x[i] + y[i] * y[i];
    vector[i - 1] = 2 * (x[0] * x[i] + y[0] * y[i]);
    square += vector[i - 1] * vector[i - 1];
  }
  double length = sqrt(square);
  if (length > 0)
    for (size_t i = 0; i < CONE_MAX - 1; i++) z.w[i] = vector[i] / length;
  z.s2 = sqrt(sum + length);
  z.s1 = n == 1 ? z.s2 : sqrt(off_ray(n, x, z.w) + off_ray(n, y, z.w));
  return z;
}

static void phi_of(size_t n, const double *x, const double *y, const spectrum *z, double *phi) {
  phi[0] = x[0] + y[0] - (z->s1 + z->s2) / 2;
  for (size_t i = 1; i < n; i++) phi[i] = x[i] + y[i] - (z->s2 - z->s1) / 2 * z->w[i - 1];
}

/* A = 1 - L_z^-1 L_x (n x n, column-major). L_z has the eigenvectors (1, -w), (1, w) and, in space, (0, t) with t
 * across w; the row (1, -w)' L_x = (-p.w, p), p = x_T - x_0 w, is at most s1 long. */
static void derivative(size_t n, const double *x, const spectrum *z, double *A) {
  double minus[CONE_MAX] = {0}, plus[CONE_MAX] = {x[0]}, across[CONE_MAX] = {0};
  const double left_minus[CONE_MAX] = {1, -z->w[0], -z->w[1]}, left_plus[CONE_MAX] = {1, z->w[0], z->w[1]};
  const double left_across[CONE_MAX] = {0, -z->w[1], z->w[0]};
  for (size_t i = 1; i < n; i++) {
    minus[i] = x[i] - x[0] * z->w[i - 1];
    minus[0] -= minus[i] * z->w[i - 1];
    plus[i] = x[i] + x[0] * z->w[i - 1];
    plus[0] += x[i] * z->w[i - 1];
    across[i] = x[0] * left_across[i];
    across[0] += x[i] * left_across[i];
  }
  double by_minus = z->s1 > 0 && n > 1 ? 0.5 / z->s1 : 0, by_plus = z->s2 > 0 ? (n > 1 ? 0.5 : 1) / z->s2 : 0;
  double by_across = z->s2 > 0 && n > 2 ? 2 / (z->s1 + z->s2) : 0;
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++)
      A[j * n + i] = (i == j) - by_minus * left_minus[i] * minus[j] - by_plus * left_plus[i] * plus[j] -
                     by_across * left_across[i] * across[j];
}

/* ---- phi on the parts of a contact ------------------------------------------------------------------------------- */

/* One cone of a contact: which components of r and u it sees, and how. */
typedef struct cone {
  size_t n;                         /* 1 + components from `first` on; 1: the normal alone */
  size_t first;                     /* of the tangential components */
  double x_normal, x_tangent;       /* x = (x_normal r_N, x_tangent r_T) */
  double y_normal, y_tangent, slip; /* y = (y_normal u_N + slip |u_T|, y_tangent u_T) */
} cone;

typedef struct cone_state {
  double x[CONE_MAX], y[CONE_MAX], direction[CONE_MAX - 1]; /* u_T/|u_T|, 0 at 0 */
  spectrum z;
  double phi[CONE_MAX];
} cone_state;

static cone_state state_at(const cone *c, const double *r, const double *u) {
  cone_state s = {.x = {c->x_normal * r[0]}, .y = {c->y_normal * u[0]}};
  double square = 0;
  for (size_t i = 1; i < c->n; i++) {
    double slip = u[c->first + i - 1];
    s.x[i] = c->x_tangent * r[c->first + i - 1];
    s.y[i] = c->y_tangent * slip;
    square += slip * slip;
  }
  double speed = sqrt(square);
  s.y[0] += c->slip * speed;
  for (size_t i = 1; speed > 0 && i < c->n; i++) s.direction[i - 1] = u[c->first + i - 1] / speed;
  s.z = spectrum_of(c->n, s.x, s.y);
  phi_of(c->n, s.x, s.y, &s.z, s.phi);
  return s;
}

static cone normal_alone(const thud_newton_law *law) {
  return (cone){.n = 1, .x_normal = 1 / law->rho_normal, .y_normal = 1};
}

static cone coulomb(const thud_newton_law *law) {
  double mu = law->mu[0], unit = 1 / law->rho_normal;
  return (cone){.n = 1 + law->layout->width[0],
                .first = 1,
                .x_normal = unit,
                .x_tangent = unit / mu,
                .y_normal = 1,
                .y_tangent = mu,
                .slip = mu};
}

static cone one_part(const thud_newton_law *law, size_t p) {
  double unit = 1 / law->rho[p];
  return (cone){.n = 1 + law->layout->width[p],
                .first = law->layout->first[p],
                .x_normal = law->mu[p] * unit,
                .x_tangent = unit,
                .y_tangent = 1,
                .slip = 1};
}

/* The cones of a contact: F has all components of phi on the first, the tangential ones on the others. */
typedef struct cone_list {
  size_t count;
  cone cones[1 + THUD_CONTACT_DISCS_MAX];
} cone_list;

static cone_list cones_of(const thud_newton_law *law) {
  cone_list list = {.count = 1};
  if (law->layout->count == 1) {
    list.cones[0] = law->mu[0] > 0 ? coulomb(law) : normal_alone(law);
    return list;
  }
  list.cones[0] = normal_alone(law);
  for (size_t p = 0; p < law->layout->count; p++)
    if (law->mu[p] > 0) list.cones[list.count++] = one_part(law, p);
  return list;
}

/* ---- the law -------------------------------------------------------------------------------------------------- */

/* Parts without friction: F = r_T/rho_N. */
static bool is_free(const thud_newton_law *law, size_t p) { return !(law->mu[p] > 0); }

static double merit(const thud_newton_law *law, const double *r, const double *u) {
  cone_list list = cones_of(law);
  double sum = 0;
  for (size_t k = 0; k < list.count; k++) {
    cone_state s = state_at(&list.cones[k], r, u);
    for (size_t i = k > 0; i < list.cones[k].n; i++) sum += s.phi[i] * s.phi[i];
  }
  for (size_t p = 0; p < law->layout->count; p++)
    for (size_t i = 0; is_free(law, p) && i < law->layout->width[p]; i++) {
      double part = r[law->layout->first[p] + i] / law->rho_normal;
      sum += part * part;
    }
  return sum;
}

/* Row m of the contact, which is component i of phi on a cone: A dx + B dy = -phi, with dx from dr and dy from du. */
static void put_row(const cone *c, const cone_state *s, size_t d, size_t i, const double *A, const double *B, size_t m,
                    thud_newton_line *line) {
  double *P = line->P + m * d;
  line->D[m] = A[i] * c->x_normal;
  P[0] = B[i] * c->y_normal;
  for (size_t j = 1; j < c->n; j++) {
    size_t at = c->first + j - 1;
    line->D[at * d + m] = A[j * c->n + i] * c->x_tangent;
    P[at] = B[i] * c->slip * s->direction[j - 1] + B[j * c->n + i] * c->y_tangent;
  }
  line->b[m] = s->phi[i];
}

static void begin_line(const thud_newton_law *law, size_t d, const double *r, thud_newton_line *line) {
  line->unknowns = 0;
  line->plain_S = true;
  line->plain_P = line->moves = false;
  memset(line->c, 0, d * sizeof(double));
  for (size_t i = 0; i < d; i++) {
    size_t m = thud_newton_add_unknown(d, law->rho_normal, r[i] / law->rho_normal, line);
    line->S[m * d + m] = 1;
  }
}

static void linearise(const thud_newton_law *law, const double *r, const double *u, thud_newton_line *line) {
  size_t d = (size_t)law->layout->dimension;
  cone_list list = cones_of(law);
  begin_line(law, d, r, line);
  for (size_t k = 0; k < list.count; k++) {
    const cone *c = &list.cones[k];
    cone_state s = state_at(c, r, u);
    double A[CONE_MAX * CONE_MAX], B[CONE_MAX * CONE_MAX];
    derivative(c->n, s.x, &s.z, A);
    derivative(c->n, s.y, &s.z, B);
    for (size_t i = k > 0; i < c->n; i++) put_row(c, &s, d, i, A, B, i == 0 ? 0 : c->first + i - 1, line);
  }
  for (size_t p = 0; p < law->layout->count; p++)
    for (size_t i = law->layout->first[p]; is_free(law, p) && i < law->layout->first[p] + law->layout->width[p]; i++)
      line->D[i * d + i] = 1 / law->rho_normal;
}

/* Where the derivative B by y is this small, y dominates x. Then F = A x + B y, since phi is homogeneous, and the
 * equation A dx + B dy = -F says x + dx = 0 up to B (y + dy), a term of second order in x. Open contacts thus leave the
 * linear system, at the price of steps that are Newton's only up to that term. */
static const double OPEN = 1e-2;

static bool is_open(const thud_newton_law *law, const double *r, const double *u) {
  cone_list list = cones_of(law);
  cone_state s = state_at(&list.cones[0], r, u);
  double B[CONE_MAX * CONE_MAX], largest = 0;
  derivative(list.cones[0].n, s.y, &s.z, B);
  for (size_t i = 0; i < list.cones[0].n * list.cones[0].n; i++) largest = fmax(largest, fabs(B[i]));
  return largest <= OPEN;
}

const thud_newton_function thud_newton_fischer_burmeister = {
    .merit = merit, .linearise = linearise, .is_open = is_open};
