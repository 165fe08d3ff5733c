/* Exact Coulomb contact in space, one contact, inline because it is the inner loop of every sweep.
 *
 * Eliminating r_N by u_N = 0 leaves, with S = W_TT - W_TN W_NT / W_NN and b = q_T - W_TN q_N / W_NN,
 *   u_T = S r_T + b,   r_N = -h - k.r_T,   h = q_N / W_NN,  k = W_NT / W_NN.
 * Open: h >= 0. Stick: S r_T = -b inside the disc |r_T| <= mu r_N. Slip: u_T = -alpha r_T with alpha > 0, so that
 *   r_T(alpha) = -(S + alpha I)^-1 b   and   |r_T(alpha)| = mu r_N(alpha):
 * squared and cleared of denominators this is a polynomial of degree 4 in alpha (Bonnefon and Daviet 2011). Instead of
 * the polynomial, which is badly conditioned, the ratio
 *   g(alpha) = mu r_N(alpha) / |r_T(alpha)| - 1
 * is brought to 0 by a safeguarded Newton iteration: g is affine for large alpha and nearly so elsewhere (as in trust
 * regions, More and Sorensen 1983). When stick is outside of the disc g(0) < 0, and g > 0 for large alpha because h <
 * 0: a root is always there when S is regular, and every root is a solution (r_N = |r_T| / mu >= 0). */
#ifndef THUD_SRC_SOLVE_EXACT_SPACE_H
#define THUD_SRC_SOLVE_EXACT_SPACE_H

#include "solve/one_contact.h"

#include <float.h>
#include <math.h>

/* A 3x3 block prepared for the exact solver; mu travels with it. One cache line and a quarter. */
typedef struct thud_space_block {
  double inverse_normal;     /* 1/W_NN, 0 when W_NN <= 0: no normal impulse has any effect */
  double k1, k2;             /* W_NT / W_NN */
  double c1, c2;             /* W_TN / W_NN */
  double s11, s12, s21, s22; /* S; entries that are rounding errors of W_TT are set to 0 */
  double mu;
} thud_space_block;

/* The reduced unknowns of one solve. */
typedef struct thud_space_load {
  double h, b1, b2; /* h = q_N/W_NN; b */
  double alpha;     /* guess of the slip parameter, >= 0 */
} thud_space_load;

void thud_space_prepare(const double *W, double mu, thud_space_block *block);

/* Cold parts: S singular; Newton that leaves its bracket. */
thud_one_contact_mode thud_space_stick_singular(const thud_space_block *block, const thud_space_load *load, double *r);
thud_one_contact_mode thud_space_slip_bracketed(const thud_space_block *block, const thud_space_load *load, double *r);

/* A diagonal entry of S below this part of W_TT's is a rounding error of the elimination. */
#define THUD_SPACE_CANCELLED (8 * DBL_EPSILON)
/* Determinants below this part of s11*s22 count as 0: nothing but rounding errors of W is left in them. */
#define THUD_SPACE_SINGULAR (64 * DBL_EPSILON)
/* Below this part, differences lose so many digits that Cramer's rule gives way to elimination. */
#define THUD_SPACE_CANCELS 1e-2
/* Newton's last correction, relative: the error after it is of the order of its square. */
#define THUD_SPACE_LAST_STEP 1e-7
/* Largest relative difference of |r_T|^2 and (mu r_N)^2 after it. */
#define THUD_SPACE_ON_CONE 1e-13
/* mu (1 + |k|) above which r_N follows from the cone. */
#define THUD_SPACE_COUPLED 4
/* Newton steps before the bracketing search takes over. */
#define THUD_SPACE_FAST_STEPS 8

/* y = -(S + alpha I)^-1 b: by Cramer's rule with inverse = 1/det, by elimination (which keeps u_T small whatever the
 * condition number) when the determinant cancels. */
static inline void thud_space_tangential(const thud_space_block *block, double alpha, double b1, double b2, double det,
                                         double inverse, double *y1, double *y2) {
  double d11 = block->s11 + alpha, d22 = block->s22 + alpha;
  *y1 = (block->s12 * b2 - d22 * b1) * inverse;
  *y2 = (block->s21 * b1 - d11 * b2) * inverse;
  if (det >= THUD_SPACE_CANCELS * d11 * d22) return;
  if (d11 >= d22) {
    double factor = block->s21 / d11;
    *y2 = (factor * b1 - b2) / (d22 - factor * block->s12);
    *y1 = -(b1 + block->s12 * *y2) / d11;
  } else {
    double factor = block->s12 / d22;
    *y1 = (factor * b2 - b1) / (d11 - factor * block->s21);
    *y2 = -(b2 + block->s21 * *y1) / d22;
  }
}

/* r_N of a slipping contact. Where mu or the coupling k is large, u_N = 0 determines r_N only up to a rounding error
 * that the cone would feel; the cone then determines it, and u_N hardly feels that. */
static inline double thud_space_slip_normal(const thud_space_block *block, double h, double y1, double y2) {
  if (block->mu * (1 + fabs(block->k1) + fabs(block->k2)) > THUD_SPACE_COUPLED)
    return sqrt(y1 * y1 + y2 * y2) / block->mu;
  return -h - block->k1 * y1 - block->k2 * y2;
}

/* One evaluation at alpha: r_T, r_N, the defect p = mu r_N - |r_T| and Newton's step for g. */
typedef struct thud_space_point {
  double y1, y2, normal, defect, step;
  double z1, z2;     /* dr_T/dalpha = -(S + alpha I)^-1 r_T */
  double det, trace; /* of S + alpha I; det/trace is below its smallest eigenvalue, and at least half of it */
  bool ascending;    /* g' > 0: the step means something */
} thud_space_point;

static inline thud_space_point thud_space_at(const thud_space_block *block, const thud_space_load *load, double alpha) {
  thud_space_point point;
  double d11 = block->s11 + alpha, d22 = block->s22 + alpha;
  point.det = d11 * d22 - block->s12 * block->s21;
  point.trace = d11 + d22;
  double inverse = 1 / point.det;
  thud_space_tangential(block, alpha, load->b1, load->b2, point.det, inverse, &point.y1, &point.y2);
  double square = point.y1 * point.y1 + point.y2 * point.y2;
  double length = sqrt(square);
  point.normal = -load->h - block->k1 * point.y1 - block->k2 * point.y2;
  point.defect = block->mu * point.normal - length;
  point.z1 = (block->s12 * point.y2 - d22 * point.y1) * inverse;
  point.z2 = (block->s21 * point.y1 - d11 * point.y2) * inverse;
  double slope = -block->k1 * point.z1 - block->k2 * point.z2; /* of r_N */
  double derivative = block->mu * (slope * square - point.normal * (point.y1 * point.z1 + point.y2 * point.z2));
  point.ascending = derivative > 0;
  point.step = square * point.defect / derivative;
  return point;
}

/* Ends the search by moving r_T along its tangent z, which meets the cone better than a new solve with another alpha
 * would where S is badly conditioned: the error in u_T = -alpha r_T is of the order of step^2. False, and r untouched,
 * when the cone is missed all the same (near a double root). */
static inline bool thud_space_finish(const thud_space_block *block, const thud_space_load *load,
                                     const thud_space_point *point, double *r) {
  double y1 = point->y1 - point->step * point->z1, y2 = point->y2 - point->step * point->z2;
  double reach = block->mu * (-load->h - block->k1 * y1 - block->k2 * y2), square = y1 * y1 + y2 * y2;
  if (!(fabs(square - reach * reach) <= THUD_SPACE_ON_CONE * square && reach >= 0)) return false;
  r[0] = thud_space_slip_normal(block, load->h, y1, y2);
  r[1] = y1;
  r[2] = y2;
  return true;
}

static inline bool thud_space_is_last(const thud_space_point *point) {
  return point->ascending && fabs(point->step) * point->trace <= THUD_SPACE_LAST_STEP * point->det;
}

static inline thud_one_contact_mode thud_space_slip(const thud_space_block *block, const thud_space_load *load,
                                                    double *r) {
  double alpha = load->alpha;
  for (int k = 0; k < THUD_SPACE_FAST_STEPS; k++) {
    thud_space_point point = thud_space_at(block, load, alpha);
    alpha -= point.step;
    if (!point.ascending || !(alpha > 0)) break;
    if (!thud_space_is_last(&point)) continue;
    if (!thud_space_finish(block, load, &point, r)) break;
    return THUD_MODE_SLIP;
  }
  return thud_space_slip_bracketed(block, load, r);
}

/* r[3] is written, except when the mode is NONE. */
static inline thud_one_contact_mode thud_space_solve(const thud_space_block *block, const thud_space_load *load,
                                                     double *r) {
  if (load->h >= 0) {
    r[0] = r[1] = r[2] = 0;
    return THUD_MODE_OPEN;
  }
  if (block->mu == 0) {
    r[0] = -load->h;
    r[1] = r[2] = 0;
    return THUD_MODE_SLIP;
  }
  double product = block->s11 * block->s22;
  double det = product - block->s12 * block->s21;
  if (!(det > THUD_SPACE_SINGULAR * product)) return thud_space_stick_singular(block, load, r);
  /* det * (r_N, r_T) of stick, so that slipping contacts need no division here */
  double a1 = block->s12 * load->b2 - block->s22 * load->b1, a2 = block->s21 * load->b1 - block->s11 * load->b2;
  double reach = block->mu * (-load->h * det - block->k1 * a1 - block->k2 * a2);
  if (!(reach >= 0 && a1 * a1 + a2 * a2 <= reach * reach)) return thud_space_slip(block, load, r);
  thud_space_tangential(block, 0, load->b1, load->b2, det, 1 / det, &r[1], &r[2]);
  r[0] = -load->h - block->k1 * r[1] - block->k2 * r[2];
  double limit = block->mu * r[0] * (1 + 8 * DBL_EPSILON); /* the refined impulse must not leave the disc */
  if (r[1] * r[1] + r[2] * r[2] > limit * limit) return thud_space_slip(block, load, r);
  return THUD_MODE_STICK;
}

#endif
