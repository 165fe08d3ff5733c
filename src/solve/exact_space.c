#include "solve/exact_space.h"

/* A load counts as in the range of a singular S when what sticks out is below this part of its terms. */
static const double CONSISTENT = 1e-13;

void thud_space_prepare(const double *W, double mu, thud_space_block *block) {
  *block = (thud_space_block){.mu = mu};
  if (!(W[0] > 0)) return;
  block->inverse_normal = 1 / W[0];
  block->c1 = W[1] / W[0];
  block->c2 = W[2] / W[0];
  block->k1 = W[3] / W[0];
  block->k2 = W[6] / W[0];
  block->s11 = W[4] - W[1] * block->k1;
  block->s21 = W[5] - W[2] * block->k1;
  block->s12 = W[7] - W[1] * block->k2;
  block->s22 = W[8] - W[2] * block->k2;
  bool no1 = block->s11 <= THUD_SPACE_CANCELLED * fabs(W[4]), no2 = block->s22 <= THUD_SPACE_CANCELLED * fabs(W[8]);
  if (no1) block->s11 = 0;
  if (no2) block->s22 = 0;
  if (no1 || no2) block->s12 = block->s21 = 0;
  /* A determinant that is a rounding error of the elimination becomes 0. */
  double det = block->s11 * block->s22 - block->s12 * block->s21;
  if (det <= THUD_SPACE_CANCELLED * (fabs(W[4]) * block->s22 + fabs(W[8]) * block->s11)) {
    block->s12 = copysign(sqrt(block->s11 * block->s22), block->s12);
    block->s21 = block->s12;
  }
}

static double norm2(double x, double y) { return sqrt(x * x + y * y); }

/* How far along the null direction n of S the stick impulse goes so that it sits deepest in the cone: r_T = y + t n
 * with y orthogonal to n; the depth mu (r_N - t k.n) - sqrt(|y|^2 + t^2) is concave in t. */
static double deepest(const thud_space_block *block, double normal, double length, double n1, double n2) {
  double pull = -block->mu * (block->k1 * n1 + block->k2 * n2);
  if (fabs(pull) < 1) return pull * length / sqrt(1 - pull * pull);
  double gain = fabs(pull) - 1, lack = length - block->mu * normal;
  if (lack <= 0 || gain == 0) return 0;
  return copysign(lack / gain, pull);
}

thud_one_contact_mode thud_space_stick_singular(const thud_space_block *block, const thud_space_load *load, double *r) {
  double trace = block->s11 + block->s22;
  if (block->inverse_normal == 0) return THUD_MODE_NONE;
  /* S = trace v v' (v = 0 when S = 0); n is normal to v */
  double v1 = 0, v2 = 0, n1 = 0, n2 = 0;
  if (trace > 0) {
    bool first = block->s11 >= block->s22;
    double x = first ? block->s11 : block->s12, y = first ? block->s21 : block->s22;
    double length = norm2(x, y);
    v1 = x / length;
    v2 = y / length;
    n1 = -v2;
    n2 = v1;
  }
  double along = v1 * load->b1 + v2 * load->b2;
  double out = norm2(load->b1 - along * v1, load->b2 - along * v2);
  double scale = norm2(load->b1, load->b2) + norm2(block->c1, block->c2) * fabs(load->h) / block->inverse_normal;
  if (out <= CONSISTENT * scale) {
    double y = trace > 0 ? -along / trace : 0;
    double normal = -load->h - y * (block->k1 * v1 + block->k2 * v2);
    double t = deepest(block, normal, fabs(y), n1, n2);
    double y1 = y * v1 + t * n1, y2 = y * v2 + t * n2;
    normal = -load->h - block->k1 * y1 - block->k2 * y2;
    if (norm2(y1, y2) <= block->mu * normal * (1 + 8 * DBL_EPSILON)) {
      r[0] = normal;
      r[1] = y1;
      r[2] = y2;
      return THUD_MODE_STICK;
    }
  }
  return thud_space_slip_bracketed(block, load, r);
}

static void store(const thud_space_point *point, double *r) {
  r[0] = point->normal;
  r[1] = point->y1;
  r[2] = point->y2;
}

enum { BRACKET_STEPS = 400 };

/* An upper end with positive defect: |r_T| <= |b|/alpha for positive semidefinite S, and then r_N >= -h - |k||r_T|. */
static bool upper_end(const thud_space_block *block, const thud_space_load *load, double *hi) {
  double mu = block->mu;
  *hi = norm2(load->b1, load->b2) * (1 + mu * norm2(block->k1, block->k2)) / (-mu * load->h);
  for (int k = 0; k < 64 && isfinite(*hi); k++, *hi *= 4) {
    thud_space_point point = thud_space_at(block, load, *hi);
    if (point.defect >= 0 && point.det > 0) return true;
  }
  return false;
}

/* Where alpha is known to the last digit and rounding errors of r_T(alpha) still miss the cone, moves r_T along its
 * tangent: by far the largest part of those errors points there. */
static void settle(const thud_space_block *block, const thud_space_load *load, thud_space_point *point) {
  for (int k = 0; k < 3 && point->ascending; k++) {
    double length = norm2(point->y1, point->y2);
    double normal = -load->h - block->k1 * point->y1 - block->k2 * point->y2;
    double slope = -block->mu * (block->k1 * point->z1 + block->k2 * point->z2) -
                   (point->y1 * point->z1 + point->y2 * point->z2) / length;
    double step = (block->mu * normal - length) / slope;
    if (!isfinite(step)) break;
    point->y1 -= step * point->z1;
    point->y2 -= step * point->z2;
  }
  point->normal = thud_space_slip_normal(block, load->h, point->y1, point->y2);
}

/* Values of alpha below this are within the rounding errors of S: there is no such root. */
static double smallest_alpha(const thud_space_block *block, double hi, bool singular) {
  double trace = block->s11 + block->s22;
  double before = trace + (fabs(block->c1 * block->k1) + fabs(block->c2 * block->k2)) / block->inverse_normal;
  if (singular && before > 0) return 64 * DBL_EPSILON * before;
  return DBL_MIN + (trace > 0 ? trace : hi) * 1e-3 * DBL_EPSILON;
}

thud_one_contact_mode thud_space_slip_bracketed(const thud_space_block *block, const thud_space_load *load, double *r) {
  double lo = 0, hi;
  thud_space_point point = thud_space_at(block, load, 0);
  bool singular = !(point.det > THUD_SPACE_SINGULAR * block->s11 * block->s22);
  if (!singular && point.defect >= 0) {
    store(&point, r);
    return THUD_MODE_STICK;
  }
  if (!upper_end(block, load, &hi)) return THUD_MODE_NONE;
  double smallest = smallest_alpha(block, hi, singular);
  double alpha = load->alpha > 0 && load->alpha < hi ? load->alpha : hi;
  for (int k = 0; k < BRACKET_STEPS && hi >= smallest; k++) {
    point = thud_space_at(block, load, alpha);
    if (thud_space_is_last(&point) && thud_space_finish(block, load, &point, r)) return THUD_MODE_SLIP;
    if (point.defect == 0 || hi - lo <= 2 * DBL_EPSILON * hi) {
      settle(block, load, &point);
      store(&point, r);
      return THUD_MODE_SLIP;
    }
    if (point.defect > 0)
      hi = alpha;
    else
      lo = alpha;
    double next = alpha - point.step;
    /* the interval must shrink also when Newton creeps along one side */
    if (!point.ascending || !(next > lo && next < hi) || k % 8 == 7) next = lo > 0 ? sqrt(lo) * sqrt(hi) : 1e-3 * hi;
    alpha = next;
  }
  return THUD_MODE_NONE;
}

thud_one_contact_mode thud_one_space(const double *W, double mu, const double *q, double *r) {
  thud_space_block block;
  thud_space_prepare(W, mu, &block);
  if (block.inverse_normal == 0) { /* no impulse moves the contact apart */
    if (q[0] < 0) return THUD_MODE_NONE;
    r[0] = r[1] = r[2] = 0;
    return THUD_MODE_OPEN;
  }
  double square = r[1] * r[1] + r[2] * r[2];
  thud_space_load load = {
      .h = q[0] * block.inverse_normal, .b1 = q[1] - block.c1 * q[0], .b2 = q[2] - block.c2 * q[0], .alpha = 0};
  if (square > 0) {
    double s1 = block.s11 * r[1] + block.s12 * r[2] + load.b1, s2 = block.s21 * r[1] + block.s22 * r[2] + load.b2;
    load.alpha = fmax(0, -(s1 * r[1] + s2 * r[2]) / square);
  }
  return thud_space_solve(&block, &load, r);
}
