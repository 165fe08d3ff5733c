/* thud/small.h: 2- and 3-vectors, 3x3 matrices and quaternions, by value and inline.
 *
 * Conventions: right-handed; matrices are kept by columns; a quaternion q = w + xi + yj + zk of norm 1 turns body
 * vectors into world vectors by v -> q v q*, and products compose from right to left like matrices. Norms square
 * plainly: entries beyond about 1e+-150 overflow or vanish. */
#ifndef THUD_SMALL_H
#define THUD_SMALL_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 2-vectors ---------------------------------------------------------------------------------- */

typedef struct thud_vec2 {
  double x, y;
} thud_vec2;

static inline thud_vec2 thud_vec2_make(double x, double y) {
  thud_vec2 v = {x, y};
  return v;
}
static inline thud_vec2 thud_vec2_add(thud_vec2 a, thud_vec2 b) { return thud_vec2_make(a.x + b.x, a.y + b.y); }
static inline thud_vec2 thud_vec2_subtract(thud_vec2 a, thud_vec2 b) { return thud_vec2_make(a.x - b.x, a.y - b.y); }
static inline thud_vec2 thud_vec2_scale(double s, thud_vec2 a) { return thud_vec2_make(s * a.x, s * a.y); }
/* a + s b */
static inline thud_vec2 thud_vec2_add_scaled(thud_vec2 a, double s, thud_vec2 b) {
  return thud_vec2_make(a.x + s * b.x, a.y + s * b.y);
}
static inline double thud_vec2_dot(thud_vec2 a, thud_vec2 b) { return a.x * b.x + a.y * b.y; }
/* Third component of the cross product. */
static inline double thud_vec2_cross(thud_vec2 a, thud_vec2 b) { return a.x * b.y - a.y * b.x; }
/* a turned by +90 degrees. */
static inline thud_vec2 thud_vec2_perpendicular(thud_vec2 a) { return thud_vec2_make(-a.y, a.x); }
static inline double thud_vec2_norm(thud_vec2 a) { return sqrt(thud_vec2_dot(a, a)); }

/* ---- 3-vectors ---------------------------------------------------------------------------------- */

typedef struct thud_vec3 {
  double x, y, z;
} thud_vec3;

static inline thud_vec3 thud_vec3_make(double x, double y, double z) {
  thud_vec3 v = {x, y, z};
  return v;
}
static inline thud_vec3 thud_vec3_load(const double *a) { return thud_vec3_make(a[0], a[1], a[2]); }
static inline void thud_vec3_store(thud_vec3 v, double *a) {
  a[0] = v.x;
  a[1] = v.y;
  a[2] = v.z;
}
static inline thud_vec3 thud_vec3_add(thud_vec3 a, thud_vec3 b) {
  return thud_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline thud_vec3 thud_vec3_subtract(thud_vec3 a, thud_vec3 b) {
  return thud_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline thud_vec3 thud_vec3_scale(double s, thud_vec3 a) { return thud_vec3_make(s * a.x, s * a.y, s * a.z); }
static inline thud_vec3 thud_vec3_negate(thud_vec3 a) { return thud_vec3_make(-a.x, -a.y, -a.z); }
/* a + s b */
static inline thud_vec3 thud_vec3_add_scaled(thud_vec3 a, double s, thud_vec3 b) {
  return thud_vec3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
static inline double thud_vec3_dot(thud_vec3 a, thud_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline thud_vec3 thud_vec3_cross(thud_vec3 a, thud_vec3 b) {
  return thud_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double thud_vec3_norm(thud_vec3 a) { return sqrt(thud_vec3_dot(a, a)); }
static inline double thud_vec3_distance(thud_vec3 a, thud_vec3 b) { return thud_vec3_norm(thud_vec3_subtract(a, b)); }
/* *unit = a/|a|; false, and *unit untouched, when |a| is 0 or not finite. */
static inline bool thud_vec3_normalise(thud_vec3 a, thud_vec3 *unit) {
  double norm = thud_vec3_norm(a);
  if (!(norm > 0) || norm > DBL_MAX) return false;
  *unit = thud_vec3_make(a.x / norm, a.y / norm, a.z / norm);
  return true;
}

/* ---- 3x3 matrices ------------------------------------------------------------------------------- */

typedef struct thud_mat3 {
  thud_vec3 cx, cy, cz; /* the columns */
} thud_mat3;

static inline thud_mat3 thud_mat3_columns(thud_vec3 cx, thud_vec3 cy, thud_vec3 cz) {
  thud_mat3 A = {cx, cy, cz};
  return A;
}
static inline thud_mat3 thud_mat3_diagonal(double x, double y, double z) {
  return thud_mat3_columns(thud_vec3_make(x, 0, 0), thud_vec3_make(0, y, 0), thud_vec3_make(0, 0, z));
}
static inline thud_mat3 thud_mat3_identity(void) { return thud_mat3_diagonal(1, 1, 1); }
/* From and to nine doubles, column-major. */
static inline thud_mat3 thud_mat3_load(const double *a) {
  return thud_mat3_columns(thud_vec3_load(a), thud_vec3_load(a + 3), thud_vec3_load(a + 6));
}
static inline void thud_mat3_store(thud_mat3 A, double *a) {
  thud_vec3_store(A.cx, a);
  thud_vec3_store(A.cy, a + 3);
  thud_vec3_store(A.cz, a + 6);
}
static inline thud_mat3 thud_mat3_add(thud_mat3 A, thud_mat3 B) {
  return thud_mat3_columns(thud_vec3_add(A.cx, B.cx), thud_vec3_add(A.cy, B.cy), thud_vec3_add(A.cz, B.cz));
}
static inline thud_mat3 thud_mat3_subtract(thud_mat3 A, thud_mat3 B) {
  return thud_mat3_columns(thud_vec3_subtract(A.cx, B.cx), thud_vec3_subtract(A.cy, B.cy),
                           thud_vec3_subtract(A.cz, B.cz));
}
static inline thud_mat3 thud_mat3_scale(double s, thud_mat3 A) {
  return thud_mat3_columns(thud_vec3_scale(s, A.cx), thud_vec3_scale(s, A.cy), thud_vec3_scale(s, A.cz));
}
static inline thud_mat3 thud_mat3_transpose(thud_mat3 A) {
  return thud_mat3_columns(thud_vec3_make(A.cx.x, A.cy.x, A.cz.x), thud_vec3_make(A.cx.y, A.cy.y, A.cz.y),
                           thud_vec3_make(A.cx.z, A.cy.z, A.cz.z));
}
/* A v */
static inline thud_vec3 thud_mat3_apply(thud_mat3 A, thud_vec3 v) {
  return thud_vec3_make(A.cx.x * v.x + A.cy.x * v.y + A.cz.x * v.z, A.cx.y * v.x + A.cy.y * v.y + A.cz.y * v.z,
                        A.cx.z * v.x + A.cy.z * v.y + A.cz.z * v.z);
}
/* A' v */
static inline thud_vec3 thud_mat3_apply_transposed(thud_mat3 A, thud_vec3 v) {
  return thud_vec3_make(thud_vec3_dot(A.cx, v), thud_vec3_dot(A.cy, v), thud_vec3_dot(A.cz, v));
}
/* A B */
static inline thud_mat3 thud_mat3_multiply(thud_mat3 A, thud_mat3 B) {
  return thud_mat3_columns(thud_mat3_apply(A, B.cx), thud_mat3_apply(A, B.cy), thud_mat3_apply(A, B.cz));
}
/* A' B */
static inline thud_mat3 thud_mat3_multiply_transposed(thud_mat3 A, thud_mat3 B) {
  return thud_mat3_columns(thud_mat3_apply_transposed(A, B.cx), thud_mat3_apply_transposed(A, B.cy),
                           thud_mat3_apply_transposed(A, B.cz));
}
/* a b' */
static inline thud_mat3 thud_mat3_outer(thud_vec3 a, thud_vec3 b) {
  return thud_mat3_columns(thud_vec3_scale(b.x, a), thud_vec3_scale(b.y, a), thud_vec3_scale(b.z, a));
}
/* The matrix of b -> a x b. */
static inline thud_mat3 thud_mat3_cross(thud_vec3 a) {
  return thud_mat3_columns(thud_vec3_make(0, a.z, -a.y), thud_vec3_make(-a.z, 0, a.x), thud_vec3_make(a.y, -a.x, 0));
}
static inline double thud_mat3_trace(thud_mat3 A) { return A.cx.x + A.cy.y + A.cz.z; }
static inline double thud_mat3_determinant(thud_mat3 A) { return thud_vec3_dot(A.cx, thud_vec3_cross(A.cy, A.cz)); }
/* The determinant's formula with every sign plus and every entry by its magnitude: the determinant's rounding error is
 * at most about 5 DBL_EPSILON times this, and like the determinant it scales with every row and every column. */
static inline double thud_mat3_permanent_of_magnitudes(thud_mat3 A) {
  thud_vec3 a = thud_vec3_make(fabs(A.cx.x), fabs(A.cx.y), fabs(A.cx.z));
  thud_vec3 b = thud_vec3_make(fabs(A.cy.x), fabs(A.cy.y), fabs(A.cy.z));
  thud_vec3 c = thud_vec3_make(fabs(A.cz.x), fabs(A.cz.y), fabs(A.cz.z));
  return a.x * (b.y * c.z + b.z * c.y) + a.y * (b.z * c.x + b.x * c.z) + a.z * (b.x * c.y + b.y * c.x);
}

/* A matrix counts as singular when its determinant is below this many units of its own rounding error. */
#define THUD_MAT3_SINGULAR (8 * DBL_EPSILON)

/* *inverse = A^-1; false, and *inverse untouched, when A is singular to working precision (or not finite). The test
 * does not depend on how rows and columns are scaled. */
static inline bool thud_mat3_inverse(thud_mat3 A, thud_mat3 *inverse) {
  thud_vec3 yz = thud_vec3_cross(A.cy, A.cz), zx = thud_vec3_cross(A.cz, A.cx), xy = thud_vec3_cross(A.cx, A.cy);
  double determinant = thud_vec3_dot(A.cx, yz);
  if (!(fabs(determinant) > THUD_MAT3_SINGULAR * thud_mat3_permanent_of_magnitudes(A))) return false;
  *inverse = thud_mat3_scale(1 / determinant, thud_mat3_transpose(thud_mat3_columns(yz, zx, xy)));
  return true;
}

/* Solves A x = b for a symmetric A (lower triangle read) by A = LDL' without pivoting: meant for definite matrices.
 * False, and *x untouched, when a pivot is 0 or not finite. */
static inline bool thud_mat3_solve_symmetric(thud_mat3 A, thud_vec3 b, thud_vec3 *x) {
  double d0 = A.cx.x;
  double l10 = A.cx.y / d0, l20 = A.cx.z / d0;
  double d1 = A.cy.y - l10 * A.cx.y;
  double l21 = (A.cy.z - l20 * A.cx.y) / d1;
  double d2 = A.cz.z - l20 * A.cx.z - l21 * l21 * d1;
  if (!(fabs(d0) > 0 && fabs(d1) > 0 && fabs(d2) > 0 && fabs(d0) + fabs(d1) + fabs(d2) <= DBL_MAX)) return false;
  double y1 = b.y - l10 * b.x, y2 = b.z - l20 * b.x - l21 * y1;
  double x2 = y2 / d2, x1 = y1 / d1 - l21 * x2;
  *x = thud_vec3_make(b.x / d0 - l10 * x1 - l20 * x2, x1, x2);
  return true;
}

/* Contact frame of a unit normal: columns n, t1, t2, a rotation matrix. Duff et al., "Building an orthonormal basis,
 * revisited", JCGT 6(1), 2017: no branch, no square root, smooth except where n.z changes its sign. */
static inline thud_mat3 thud_mat3_frame(thud_vec3 n) {
  double sign = copysign(1, n.z);
  double a = -1 / (sign + n.z), b = n.x * n.y * a;
  return thud_mat3_columns(n, thud_vec3_make(1 + sign * n.x * n.x * a, sign * b, -sign * n.x),
                           thud_vec3_make(b, sign + n.y * n.y * a, -n.y));
}

/* ---- quaternions -------------------------------------------------------------------------------- */

typedef struct thud_quat {
  double w, x, y, z; /* scalar part first */
} thud_quat;

static inline thud_quat thud_quat_make(double w, double x, double y, double z) {
  thud_quat q = {w, x, y, z};
  return q;
}
static inline thud_quat thud_quat_identity(void) { return thud_quat_make(1, 0, 0, 0); }
/* p q: first q, then p. */
static inline thud_quat thud_quat_multiply(thud_quat p, thud_quat q) {
  return thud_quat_make(p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                        p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w);
}
static inline thud_quat thud_quat_conjugate(thud_quat q) { return thud_quat_make(q.w, -q.x, -q.y, -q.z); }
static inline double thud_quat_norm(thud_quat q) { return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z); }
/* q/|q|; the identity when |q| is 0 or not finite. */
static inline thud_quat thud_quat_normalise(thud_quat q) {
  double norm = thud_quat_norm(q);
  if (!(norm > 0) || norm > DBL_MAX) return thud_quat_identity();
  return thud_quat_make(q.w / norm, q.x / norm, q.y / norm, q.z / norm);
}
/* q v q* for |q| = 1: v + 2w(u x v) + 2u x (u x v), u the vector part. */
static inline thud_vec3 thud_quat_rotate(thud_quat q, thud_vec3 v) {
  thud_vec3 u = thud_vec3_make(q.x, q.y, q.z);
  thud_vec3 t = thud_vec3_scale(2, thud_vec3_cross(u, v));
  return thud_vec3_add(thud_vec3_add_scaled(v, q.w, t), thud_vec3_cross(u, t));
}
static inline thud_vec3 thud_quat_rotate_inverse(thud_quat q, thud_vec3 v) {
  return thud_quat_rotate(thud_quat_conjugate(q), v);
}
/* The rotation matrix of a quaternion of norm 1. */
static inline thud_mat3 thud_quat_to_matrix(thud_quat q) {
  double xx = 2 * q.x * q.x, yy = 2 * q.y * q.y, zz = 2 * q.z * q.z;
  double xy = 2 * q.x * q.y, yz = 2 * q.y * q.z, zx = 2 * q.z * q.x;
  double wx = 2 * q.w * q.x, wy = 2 * q.w * q.y, wz = 2 * q.w * q.z;
  return thud_mat3_columns(thud_vec3_make(1 - (yy + zz), xy + wz, zx - wy),
                           thud_vec3_make(xy - wz, 1 - (xx + zz), yz + wx),
                           thud_vec3_make(zx + wy, yz - wx, 1 - (xx + yy)));
}
/* exp: the rotation by |r| radians about r. */
static inline thud_quat thud_quat_from_rotation_vector(thud_vec3 r) {
  double angle2 = thud_vec3_dot(r, r), s;
  if (angle2 < 1e-6) /* sin(a/2)/a by its series: the first term left out is a^6/645120 */
    s = 0.5 - angle2 * (1.0 / 48 - angle2 * (1.0 / 3840));
  else
    s = sin(0.5 * sqrt(angle2)) / sqrt(angle2);
  return thud_quat_make(cos(0.5 * sqrt(angle2)), s * r.x, s * r.y, s * r.z);
}
/* log: the rotation vector of length at most pi of a quaternion of norm 1 (q and -q are the same rotation). */
static inline thud_vec3 thud_quat_to_rotation_vector(thud_quat q) {
  thud_vec3 u = thud_vec3_make(q.x, q.y, q.z);
  double sine = thud_vec3_norm(u);
  double w = fabs(q.w), sign = copysign(1, q.w);
  double s = sine < 1e-8 * w ? 2 / w : 2 * atan2(sine, w) / sine; /* atan(t)/t = 1 - t^2/3: 3e-17 away at the switch */
  return thud_vec3_scale(sign * s, u);
}
/* exp(h omega) q: exact for an angular velocity omega (world frame, rad/s) that is constant over h seconds. The result
 * is normalised, so that rounding does not pile up over many steps. */
static inline thud_quat thud_quat_integrate(thud_quat q, thud_vec3 omega, double h) {
  return thud_quat_normalise(thud_quat_multiply(thud_quat_from_rotation_vector(thud_vec3_scale(h, omega)), q));
}
/* q exp(h omega): the same for an angular velocity given in the body frame. */
static inline thud_quat thud_quat_integrate_body(thud_quat q, thud_vec3 omega, double h) {
  return thud_quat_normalise(thud_quat_multiply(q, thud_quat_from_rotation_vector(thud_vec3_scale(h, omega))));
}

#ifdef __cplusplus
}
#endif
#endif
