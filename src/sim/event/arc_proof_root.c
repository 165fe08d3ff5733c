/* Proofs along arcs: the first root of a function.
 *
 * [0, end] is covered by pieces from the left. A piece [a, b] is left behind when
 *   f > 0 on it (plain intervals), or
 *   f' > 0 on it and f(a) >= 0 as far as is known, or
 *   f' < 0 on it and f(b) > 0;
 * it holds the root when f' < 0 and f(b) < 0: there is one, and only one. Otherwise it is split, not in the middle: a
 * split in the middle of a round interval likes to fall on a root. A function that starts like s^m begins with a piece
 * on which coefficient m, taken anywhere on the piece, is positive: f = f_m(X) s^m > 0 there. */
#include "sim/event/arc_proof_path.h"

#include <float.h>

enum { MOST_PIECES = 4000, NEWTON_STEPS = 200, SHORTENINGS = 60 }; /* 4^-60: flights of 1e-30 of a run */
#define SPLIT 0.4823

static expr_interval scaled(double factor, expr_interval x) {
  return factor == 1 ? x : thud_interval_multiply(expr_interval_point(factor), x);
}

static expr_interval value_on(arc_proof *proof, const proof_function *f, double from, double to) {
  thud_proof_plain(proof, from, to);
  expr_interval sum = scaled(f->factor[0], proof->bounds->values[f->value[0]]);
  for (size_t k = 1; k < f->count; k++)
    sum = expr_interval_add(sum, scaled(f->factor[k], proof->bounds->values[f->value[k]]));
  return sum;
}

/* Coefficient `order` anywhere on the piece of the last plain pass. */
static expr_interval coefficient_on(arc_proof *proof, const proof_function *f, int order, double from, double to) {
  size_t stride = (size_t)proof->bounds->max_order + 1;
  expr_interval sum = expr_interval_point(0);
  thud_proof_load_slopes(proof, order, from, to);
  thud_bounds_jet(proof->bounds, proof->arc->work, order, proof->middle, proof->radius, (size_t)proof->order + 1);
  for (size_t k = 0; k < f->count; k++) {
    size_t at = (size_t)f->value[k] * stride + (size_t)order;
    double middle = proof->bounds->middle[at], radius = proof->bounds->radius[at];
    expr_interval x = isfinite(radius) ? expr_interval_of(expr_down(middle - radius), expr_up(middle + radius))
                                       : expr_interval_entire();
    sum = expr_interval_add(sum, scaled(f->factor[k], x));
  }
  return sum;
}

/* The smallest piece of time that can be told apart at s. */
static double resolution(double s) { return 4 * DBL_EPSILON * s; }

/* f falls on [a, b] from positive to negative: interval Newton, s - f(s)/f'(X), or halves, narrow the bracket about the
 * root as far as the rounding of f(s) allows. */
static proof_result narrow(arc_proof *proof, const proof_function *f, expr_interval slope, double a, double b) {
  double low = a, high = b;
  for (int k = 0; k < NEWTON_STEPS && high - low > resolution(high); k++) {
    double s = low + (high - low) / 2, before = high - low;
    expr_interval value = value_on(proof, f, s, s), way = thud_interval_divide(value, expr_interval_negate(slope));
    low = fmax(value.low > 0 ? s : low, expr_down(s + way.low));
    high = fmin(value.high < 0 ? s : high, expr_up(s + way.high));
    if (high - low > 0.7 * before) break;
    thud_proof_plain(proof, low, high);
    expr_interval own = coefficient_on(proof, f, 1, low, high);
    if (own.high < 0) slope = own;
  }
  return (proof_result){.finding = PROOF_ROOT, .low = low, .high = high};
}

/* The first piece of a function that starts like s^skip; its length, 0: none was found. */
static double leave_start(arc_proof *proof, const proof_function *f, double end) {
  double tau = end;
  for (int k = 0; k < SHORTENINGS; k++, tau *= 0.25) {
    thud_proof_plain(proof, 0, tau);
    if (coefficient_on(proof, f, f->skip, 0, tau).low > 0) return tau;
  }
  return 0;
}

typedef enum piece_finding { PIECE_BEHIND, PIECE_ROOT, PIECE_EDGE, PIECE_SPLIT } piece_finding;

static piece_finding look_at(arc_proof *proof, const proof_function *f, double from, double to, double least,
                             expr_interval *slope) {
  double low = value_on(proof, f, from, to).low;
  if (low > 0 || low >= -least) return PIECE_BEHIND;
  *slope = coefficient_on(proof, f, 1, from, to);
  if (slope->low > 0) return PIECE_BEHIND;
  if (!(slope->high < 0)) return PIECE_SPLIT;
  expr_interval last = value_on(proof, f, to, to);
  if (last.low > 0 || last.low >= -least) return PIECE_BEHIND;
  return last.high < 0 ? PIECE_ROOT : PIECE_EDGE;
}

/* Where the signs cannot be seen any more the search goes on with what does not fall below -eta. */
proof_result thud_arc_prove_positive(arc_proof *proof, const proof_function *f, double end) {
  double done = f->skip > 0 ? leave_start(proof, f, end) : 0, piece = end, least = -DBL_TRUE_MIN;
  proof_result result = {.finding = PROOF_OPEN, .loose = (double)INFINITY};
  if (f->skip > 0 && done == 0) {
    result.loose = 0;
    least = f->eta;
  }
  for (int k = 0; k < MOST_PIECES && done < end; k++) {
    double to = fmin(done + piece, end);
    expr_interval slope = expr_interval_entire();
    piece_finding finding = look_at(proof, f, done, to, least, &slope);
    if (finding == PIECE_ROOT) {
      proof_result root = narrow(proof, f, slope, done, to);
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
    double low = thud_arc_least_by_series(proof, f, end);
    if (low >= -f->eta) done = end;
    if (!(low > 0)) result.loose = 0;
  }
  result.finding = done < end ? PROOF_OPEN : PROOF_POSITIVE;
  result.low = done;
  result.high = end;
  return result;
}
