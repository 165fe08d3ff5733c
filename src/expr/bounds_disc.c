/* The disc pass: how far every value can be from its value at s = 0 when s runs over a complex disc.
 *
 * Each operation has the bound sup |f(a + z) - f(a)| over |z| <= r, a real; the centre of the result is the middle of
 * its interval at s = 0, which contains f(a), so that half the width of the interval is added. Out of the domain of
 * analyticity the radius is infinite. All radii are enlarged by the rounding of their own computation. */
#include "expr/bounds.h"

#include "expr/apply.h"

typedef struct disc {
  double centre, radius;
} disc;

#define INFINITE ((double)INFINITY)

static double product_radius(disc a, disc b) {
  return fabs(a.centre) * b.radius + a.radius * (fabs(b.centre) + b.radius);
}

static double quotient_radius(disc a, disc b) {
  double least = fabs(b.centre) - b.radius;
  return least > 0 ? (a.radius + fabs(a.centre / b.centre) * b.radius) / least : INFINITE;
}

static disc product(disc a, disc b) { return (disc){a.centre * b.centre, product_radius(a, b)}; }
static disc sum(disc a, disc b) { return (disc){a.centre + b.centre, a.radius + b.radius}; }

static double log_radius(disc a) { return a.centre > a.radius ? -log1p(-a.radius / a.centre) : INFINITE; }
/* e^a (e^r - 1); where e^a has lost its digits, e^(a + r) */
static double exp_radius(disc a) {
  double at = exp(a.centre);
  return at > DBL_MIN ? at * expm1(a.radius) : exp(a.centre + a.radius) + DBL_TRUE_MIN;
}
static double sqrt_radius(disc a) {
  /* sqrt(a) - sqrt(a - r) without cancellation */
  return a.centre > a.radius ? a.radius / (sqrt(a.centre) + sqrt(a.centre - a.radius)) : INFINITE;
}

/* cosh r - 1 */
static double cosh_less_one(double r) {
  double half = sinh(r / 2);
  return 2 * half * half;
}

static double wave_radius(double own, double other, double r) {
  return fabs(other) * sinh(r) + fabs(own) * cosh_less_one(r);
}

/* tanh(a + z) - T = tanh z (1 - T^2)/(1 + T tanh z), |tanh z| <= tan |z|; and far from 0, where both are near the same
 * limit +-1: |tanh w -+ 1| <= 2/(e^(2 |Re w|) - 1). */
static double tanh_radius(disc a) {
  double size = fabs(tanh(a.centre)), cosine = 1 / cosh(a.centre), away = fabs(a.centre) - a.radius, bound = INFINITE;
  if (a.radius < 1.5) {
    double q = tan(a.radius), left = 1 - size * q;
    if (left > 0) bound = q * (cosine * cosine + DBL_MIN) / left;
  }
  if (away > 0) bound = fmin(bound, 2 / expm1(2 * away) + 2 / (exp(2 * fabs(a.centre)) + 1) + DBL_MIN);
  return bound;
}

/* |asin'| = 1/sqrt(|1 - z| |1 + z|) */
static double asin_radius(disc a) {
  double near = 1 - fabs(a.centre) - a.radius, far = 1 + fabs(a.centre) - a.radius;
  return near > 0 ? a.radius / sqrt(near * far) : INFINITE;
}

static double atan_radius(disc a) {
  double part = a.radius / sqrt(1 + a.centre * a.centre); /* distance of the branch points +-i */
  return part < 1 ? -log1p(-part) : INFINITE;
}

/* |d(x^p)| = |p| |x|^(p-1) |dx|; whole powers are binomials. */
static double power_radius(disc a, double p) {
  double size = fabs(a.centre);
  if (p == 0) return 0;
  if (p == floor(p) && p > 0) return a.radius == 0 ? 0 : p * pow(size + a.radius, p - 1) * a.radius;
  bool inside = p == floor(p) ? size > a.radius : a.centre > a.radius;
  if (!inside) return INFINITE;
  return fabs(p) * a.radius * pow(p >= 1 ? size + a.radius : size - a.radius, p - 1);
}

static double atan2_radius(disc y, disc x) {
  disc square = sum(product(x, x), product(y, y));
  double least = fabs(square.centre) - square.radius;
  if (!(least > 0)) return INFINITE;
  return ((fabs(x.centre) + x.radius) * y.radius + (fabs(y.centre) + y.radius) * x.radius) / least;
}

static double general_power_radius(disc a, disc p) {
  if (!(a.centre > a.radius)) return INFINITE;
  return exp_radius(product(p, (disc){log(a.centre), log_radius(a)}));
}

static double branch_radius(const expr_bounds *bounds, const thud_expr_work *held, const expr_instruction *i) {
  expr_branch branch = thud_bounds_branch(bounds, held, i);
  return branch.operand >= 0 ? bounds->disc[i->operand[branch.operand]] : INFINITE;
}

static double radius_of(const expr_bounds *bounds, const thud_expr_work *held, int32_t number) {
  const expr_instruction *i = &bounds->program->tape->code[number];
  const expr_interval *values = bounds->values;
  disc a = {expr_interval_middle(values[i->source[0]]), bounds->disc[i->source[0]]};
  disc b = {expr_interval_middle(values[i->source[1]]), bounds->disc[i->source[1]]};
  switch ((expr_op)i->op) {
  case EXPR_ADD:
  case EXPR_SUBTRACT: return a.radius + b.radius;
  case EXPR_NEGATE: return a.radius;
  case EXPR_MULTIPLY: return product_radius(a, b);
  case EXPR_DIVIDE: return quotient_radius(a, b);
  case EXPR_POWER:
    if (bounds->program->tape->code[i->operand[1]].op == EXPR_CONSTANT && b.radius == 0)
      return power_radius(a, b.centre);
    return general_power_radius(a, b);
  case EXPR_SIN: return wave_radius(sin(a.centre), cos(a.centre), a.radius);
  case EXPR_COS: return wave_radius(cos(a.centre), sin(a.centre), a.radius);
  case EXPR_SINH: return wave_radius(sinh(a.centre), cosh(a.centre), a.radius);
  case EXPR_COSH: return wave_radius(cosh(a.centre), sinh(a.centre), a.radius);
  case EXPR_TAN: {
    disc s = {sin(a.centre), wave_radius(sin(a.centre), cos(a.centre), a.radius)};
    disc c = {cos(a.centre), wave_radius(cos(a.centre), sin(a.centre), a.radius)};
    return quotient_radius(s, c);
  }
  case EXPR_TANH: return tanh_radius(a);
  case EXPR_ASIN:
  case EXPR_ACOS: return asin_radius(a);
  case EXPR_ATAN: return atan_radius(a);
  case EXPR_EXP: return exp_radius(a);
  case EXPR_LOG: return log_radius(a);
  case EXPR_SQRT: return sqrt_radius(a);
  case EXPR_HYPOT: return sqrt_radius(sum(product(a, a), product(b, b)));
  case EXPR_ATAN2: return atan2_radius(a, b);
  case EXPR_ABS:
  case EXPR_MIN:
  case EXPR_MAX:
  case EXPR_IF: return branch_radius(bounds, held, i);
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL:
  case EXPR_SIGN:
  case EXPR_STEP:
  case EXPR_FLOOR: return values[number].low == values[number].high ? 0 : INFINITE;
  case EXPR_CONSTANT:
  case EXPR_VARIABLE:
  case EXPR_FUNCTION:
  case EXPR_OP_COUNT: break;
  }
  return INFINITE;
}

/* sqrt(x) rests at 0 where x does: the only point at the edge of the domain that is fine. */
static bool rests_at_zero(const expr_bounds *bounds, int32_t number) {
  const expr_instruction *i = &bounds->program->tape->code[number];
  bool is_root = i->op == EXPR_SQRT || i->op == EXPR_HYPOT;
  for (int j = 0; is_root && j < thud_expr_ops[i->op].arity; j++) {
    expr_interval x = bounds->values[i->operand[j]];
    if (x.low != 0 || x.high != 0 || bounds->disc[i->operand[j]] != 0) return false;
  }
  return is_root;
}

/* The radius about the middle of the value at s = 0. */
static double widen(const expr_bounds *bounds, int32_t k, double r) {
  r = (r + expr_interval_radius(bounds->values[k])) * (1 + 2 * EXPR_LIBM_ROUNDING);
  return r >= 0 ? r : INFINITE; /* NaN: infinity times 0 */
}

double thud_bounds_disc_of_constant(const expr_bounds *bounds, int32_t number) { return widen(bounds, number, 0); }

void thud_bounds_disc(expr_bounds *bounds, const thud_expr_work *held, const double *radius) {
  const thud_expr *tape = bounds->program->tape;
  for (int32_t k = tape->constant_count; k < tape->leaf_count; k++)
    bounds->disc[k] = widen(bounds, k, radius[tape->code[k].reference]);
  for (int32_t at = 0, count = expr_live_count(held); at < count; at++) {
    int32_t k = expr_live_operation(held, at);
    bounds->disc[k] = widen(bounds, k, rests_at_zero(bounds, k) ? 0 : radius_of(bounds, held, k));
  }
}
