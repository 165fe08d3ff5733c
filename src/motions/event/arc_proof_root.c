/* Proofs along arcs: the first root of a function.
 *
 * [0, end] is covered by pieces from the left. A piece [a, b] is left behind when
 *   f > 0 on it (plain intervals), or
 *   f' > 0 on it and f(a) >= 0 as far as is known, or
 *   f' < 0 on it and f(b) > 0;
 * it holds the root when f' < 0 and f(b) < 0: there is one, and only one. Otherwise it is split, not in the middle: a
 * split in the middle of a round interval likes to fall on a root. A function that starts like s^m begins with a piece
 * on which coefficient m, taken anywhere on the piece, is positive: f = f_m(X) s^m > 0 there. */
#include "motions/event/arc_proof.h"
#include "motions/event/arc_polynomial.h"

#include <float.h>

enum { MOST_PIECES = 4000, NEWTON_STEPS = 200, SHORTENINGS = 60 }; /* 4^-60: flights of 1e-30 of a run */
#define SPLIT 0.4823

static expr_interval scaled(double factor, expr_interval x) {
  return factor == 1 ? x : thud_interval_multiply(expr_interval_point(factor), x);
}

/* What is looked at: a function of the tape, or on an arc whose series ends a polynomial. */
typedef struct searched {
  arc_proof *proof;
  const proof_function *f;
  int degree;                          /* -1: no polynomial */
  expr_interval c[ARC_MAX_DEGREE + 1]; /* [degree + 1] */
  double left;                         /* |what was left out of the polynomial| */
} searched;

/* ---- on an arc whose series ends --------------------------------------------------------------------------------- */

/* Coefficients that are known to be 0 are left out where what rounding made of them counts as 0 on [0, end]; otherwise
 * they may be anything from 0 to that. */
static void take_start(searched *x, double end) {
  int count = x->f->skip <= x->degree ? x->f->skip : x->degree + 1;
  double sum = 0;
  for (int k = count - 1; k >= 0; k--) sum = expr_up(expr_up(sum * end) + expr_interval_size(x->c[k]));
  x->left = sum <= x->f->eta ? sum : 0;
  for (int k = 0; k < count; k++)
    x->c[k] = sum <= x->f->eta ? expr_interval_point(0) : expr_interval_hull(x->c[k], expr_interval_point(0));
}

/* The coefficients of f; those of the tape are there. */
static void take_polynomial(searched *x, double end) {
  const proof_function *f = x->f;
  size_t stride = (size_t)x->proof->bounds->max_order + 1;
  x->degree = x->proof->last;
  for (int k = 0; k <= x->degree; k++) {
    expr_interval sum = expr_interval_point(0);
    for (size_t j = 0; j < f->count; j++) {
      size_t at = (size_t)f->value[j] * stride + (size_t)k;
      double middle = x->proof->bounds->middle[at], radius = x->proof->bounds->radius[at];
      expr_interval own = radius == 0 ? expr_interval_point(middle)
                                      : expr_interval_of(expr_down(middle - radius), expr_up(middle + radius));
      sum = expr_interval_add(sum, scaled(f->factor[j], own));
    }
    x->c[k] = sum;
  }
  take_start(x, end);
  while (x->degree > 0 && x->c[x->degree].low == 0 && x->c[x->degree].high == 0) x->degree--;
}

/* Coefficient `order` of the expansion about any point of [from, to], 0 <= from: sum_k C(k, order) c_k s^(k - order),
 * term by term; n terms: errors of n products, powers and sums each, and those of the binomials. */
static expr_interval polynomial_terms(const searched *x, int order, double from, double to) {
  double low = 0, high = 0, size = 0, a = 1, b = 1, binomial = 1;
  for (int k = order; k <= x->degree; k++) {
    double first = binomial * x->c[k].low, last = binomial * x->c[k].high;
    low += first * (first >= 0 ? a : b);
    high += last * (last >= 0 ? b : a);
    size += (first + last >= 0 ? last : -first) * b; /* the larger of both sizes */
    a *= from;
    b *= to;
    if (order > 0) binomial = order == 1 ? k + 1 : binomial * (k + 1) / (k + 1 - order);
  }
  int terms = x->degree - order + 1;
  if (terms <= 0) return expr_interval_point(0);
  if (terms == 1) return expr_interval_of(expr_down(low), expr_up(high));
  double error = (3 * terms + 2) * DBL_EPSILON * size + EXPR_UNDERFLOWS;
  return expr_interval_of(low - error, high + error);
}

/* With the mean value form, where it may say more of the sign. */
static expr_interval polynomial_on(const searched *x, int order, double from, double to) {
  expr_interval terms = polynomial_terms(x, order, from, to);
  if (from == to || x->degree - order < 1 || terms.low > 0 || terms.high < 0) return terms;
  double middle = from + (to - from) / 2, half = expr_up(fmax(to - middle, middle - from));
  expr_interval slope = polynomial_terms(x, order + 1, from, to), at = polynomial_terms(x, order, middle, middle);
  double way = expr_up((order + 1) * expr_interval_size(slope) * half);
  return expr_interval_of(fmax(terms.low, expr_down(at.low - way)), fmin(terms.high, expr_up(at.high + way)));
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

static expr_interval value_on(const searched *x, double from, double to) {
  const proof_function *f = x->f;
  if (x->degree >= 0) return polynomial_on(x, 0, from, to);
  const expr_interval *values = x->proof->bounds->values;
  thud_proof_plain(x->proof, from, to);
  expr_interval sum = scaled(f->factor[0], values[f->value[0]]);
  for (size_t k = 1; k < f->count; k++) sum = expr_interval_add(sum, scaled(f->factor[k], values[f->value[k]]));
  return sum;
}

/* Coefficient `order` anywhere on the piece; `fresh`: which the last plain pass was about. */
static expr_interval coefficient_on(const searched *x, int order, double from, double to, bool fresh) {
  const proof_function *f = x->f;
  arc_proof *proof = x->proof;
  size_t stride = (size_t)proof->bounds->max_order + 1;
  expr_interval sum = expr_interval_point(0);
  if (x->degree >= 0) return polynomial_on(x, order, from, to);
  if (!fresh) thud_proof_plain(proof, from, to);
  proof->expanded = false;
  thud_proof_load_slopes(proof, order, from, to);
  thud_bounds_jet(proof->bounds, proof->arc->work, order, proof->middle, proof->radius, (size_t)proof->order + 1);
  for (size_t k = 0; k < f->count; k++) {
    size_t at = (size_t)f->value[k] * stride + (size_t)order;
    double middle = proof->bounds->middle[at], radius = proof->bounds->radius[at];
    expr_interval own = isfinite(radius) ? expr_interval_of(expr_down(middle - radius), expr_up(middle + radius))
                                         : expr_interval_entire();
    sum = expr_interval_add(sum, scaled(f->factor[k], own));
  }
  return sum;
}

/* The smallest piece of time that can be told apart at s. */
static double resolution(double s) { return 4 * DBL_EPSILON * s; }

/* f falls on [a, b] from positive to negative: interval Newton, s - f(s)/f'(X), at the hint first, or halves, narrow the
 * bracket about the root as far as the rounding of f(s) allows. */
static proof_result narrow(const searched *x, expr_interval slope, double a, double b) {
  const expr_interval widest = slope;
  double low = a, high = b;
  for (int k = 0; k < NEWTON_STEPS && high - low > resolution(high); k++) {
    bool hinted = k == 0 && x->f->hint > low && x->f->hint < high;
    double s = hinted ? x->f->hint : low + (high - low) / 2, before = high - low;
    expr_interval value = value_on(x, s, s), way = thud_interval_divide(value, expr_interval_negate(slope));
    low = fmax(value.low > 0 ? s : low, expr_down(s + way.low));
    high = fmin(value.high < 0 ? s : high, expr_up(s + way.high));
    if (high - low > 0.7 * before) break;
    expr_interval own = coefficient_on(x, 1, low, high, false);
    if (own.high < 0) slope = own;
  }
  double off = x->left > 0 ? expr_up(x->left / -widest.high) : 0; /* what was left out moves the root by this */
  return (proof_result){
      .finding = PROOF_ROOT, .low = fmax(a, expr_down(low - off)), .high = fmin(b, expr_up(high + off))};
}

/* Pieces towards a root that is expected at the hint, as parts of it. A parabola between two roots grows up to the
 * middle; to the next place it stays away from 0; behind the last it is negative. */
#define RISING 0.45
#define AWAY 0.75
#define BEHIND 1.05

/* Products of what moves cancel in a polynomial, and less on the tape, whose factors are small themselves where they
 * vanish. */
static bool has_products(const searched *x) {
  for (size_t i = 0; i < x->proof->arc->n; i++)
    if (x->proof->degree[i] >= x->degree) return false;
  return true;
}

/* The bracket is then narrowed there once more. */
static proof_result narrow_products(const searched *x, expr_interval slope, proof_result root) {
  if (!has_products(x) || (x->left > 0 && x->f->skip > 1)) return root;
  const searched tape = {.proof = x->proof, .f = x->f, .degree = -1};
  proof_result better = narrow(&tape, slope, root.low, root.high);
  return better.low <= better.high ? better : root;
}

/* The first piece of a function that starts like s^skip; its length, 0: none was found. */
static double leave_start(const searched *x, double end) {
  double tau = x->f->hint > 0 ? fmin(RISING * x->f->hint, end) : end;
  for (int k = 0; k < SHORTENINGS; k++, tau *= 0.25)
    if (coefficient_on(x, x->f->skip, 0, tau, false).low > 0) return tau;
  return 0;
}

/* Where the piece that begins at `done` may end. */
static double farthest(const proof_function *f, double done, double end) {
  if (done < AWAY * f->hint) return fmin(AWAY * f->hint, end);
  return done < f->hint ? fmin(BEHIND * f->hint, end) : end;
}

typedef enum piece_finding { PIECE_BEHIND, PIECE_ROOT, PIECE_EDGE, PIECE_SPLIT } piece_finding;

static piece_finding look_at(const searched *x, double from, double to, double least, expr_interval *slope) {
  double low = value_on(x, from, to).low;
  if (low > 0 || low >= -least) return PIECE_BEHIND;
  *slope = coefficient_on(x, 1, from, to, true);
  if (slope->low > 0) return PIECE_BEHIND;
  if (!(slope->high < 0)) return PIECE_SPLIT;
  expr_interval last = value_on(x, to, to);
  if (last.low > 0 || last.low >= -least) return PIECE_BEHIND;
  return last.high < 0 ? PIECE_ROOT : PIECE_EDGE;
}

/* Where the signs cannot be seen any more the search goes on with what does not fall below -eta. */
static proof_result cover(const searched *x, double end) {
  const proof_function *f = x->f;
  double done = f->skip > 0 ? leave_start(x, end) : 0, piece = end, least = -DBL_TRUE_MIN;
  proof_result result = {.finding = PROOF_OPEN, .loose = (double)INFINITY};
  if (f->skip > 0 && done == 0) {
    result.loose = 0;
    least = f->eta;
  }
  for (int k = 0; k < MOST_PIECES && done < end; k++) {
    double to = fmin(done + piece, farthest(f, done, end));
    expr_interval slope = expr_interval_entire();
    piece_finding finding = look_at(x, done, to, least, &slope);
    if (finding == PIECE_ROOT) {
      proof_result root = narrow_products(x, slope, narrow(x, slope, done, to));
      root.loose = result.loose;
      return root;
    }
    if (finding == PIECE_EDGE && to == end) {
      result.finding = PROOF_EDGE;
      result.low = done;
      result.high = end;
      return result;
    }
    if (finding == PIECE_BEHIND) {
      done = to;
      piece *= 2;
      continue;
    }
    piece = (to - done) * SPLIT;
    if (to - done > resolution(to)) continue;
    if (least > 0) break;
    result.loose = done;
    least = f->eta;
    piece = end - done;
  }
  if (done < end) {
    double low = thud_arc_least_by_series(x->proof, f, end);
    if (low >= -f->eta) done = end;
    if (!(low > 0)) result.loose = 0;
  }
  result.finding = done < end ? PROOF_OPEN : PROOF_POSITIVE;
  result.low = done;
  result.high = end;
  return result;
}

proof_result thud_arc_prove_positive(arc_proof *proof, const proof_function *f, double end) {
  searched x;
  x.proof = proof;
  x.f = f;
  x.degree = -1;
  x.left = 0;
  if (!proof->arc->finite) return cover(&x, end);
  thud_arc_proof_expand(proof);
  take_polynomial(&x, end);
  proof_result found = cover(&x, end);
  bool clear = found.finding != PROOF_OPEN && found.loose > end;
  if (clear || !has_products(&x)) return found;
  x.degree = -1;
  x.left = 0;
  return cover(&x, end);
}

expr_interval thud_arc_enclose(arc_proof *proof, const proof_function *f, double from, double to) {
  const searched x = {.proof = proof, .f = f, .degree = -1};
  return value_on(&x, from, to);
}
