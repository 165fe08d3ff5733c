/* Polynomials of arcs: enclosures on pieces, coefficients with their rounding, reach on complex discs. */
#include "motions/event/arc_proof_path.h"

#include <float.h>

bool thud_path_is_zero(const proof_path *path) { return path->degree < path->derivative; }

/* (k + derivative)!/k!: exact for the derivatives that are used. */
static double falling(int k, int derivative) {
  double product = 1;
  for (int j = 1; j <= derivative; j++) product *= k + j;
  return product;
}

double thud_path_coefficient(const proof_path *path, int k) {
  int from = k + path->derivative;
  return from <= path->degree ? falling(k, path->derivative) * path->c[(size_t)from * path->stride] : 0;
}

/* The last coefficient of the derivative, -1: none. */
static int last_of(const proof_path *path) {
  return path->degree >= path->derivative ? path->degree - path->derivative : -1;
}

/* Term by term: on [from, to] with from >= 0 the powers grow. n terms: errors of n products, powers and sums each. */
static expr_interval enclose_terms(const proof_path *path, double from, double to) {
  double low = 0, high = 0, size = 0, a = 1, b = 1;
  int last = last_of(path);
  for (int k = 0; k <= last; k++) {
    double c = thud_path_coefficient(path, k);
    low += c >= 0 ? c * a : c * b;
    high += c >= 0 ? c * b : c * a;
    size += fabs(c) * b;
    a *= from;
    b *= to;
  }
  double error = (last + 2) * DBL_EPSILON * size + EXPR_UNDERFLOWS;
  return last < 0 ? expr_interval_point(0) : expr_interval_of(low - error, high + error);
}

/* The value at a point by Horner's rule with its rounding error. */
static expr_interval enclose_point(const proof_path *path, double s) {
  double sum = 0, size = 0;
  int last = last_of(path);
  if (last < 0) return expr_interval_point(0);
  if (last == 0 || s == 0) {
    double c = thud_path_coefficient(path, 0);
    double error = path->derivative > 1 ? DBL_EPSILON * fabs(c) : 0;
    return expr_interval_of(c - error, c + error);
  }
  for (int k = last; k >= 0; k--) {
    double c = thud_path_coefficient(path, k);
    sum = sum * s + c;
    size = size * s + fabs(c);
  }
  double error = (last + 1) * DBL_EPSILON * size + EXPR_UNDERFLOWS;
  return expr_interval_of(sum - error, sum + error);
}

/* Mean value form: p(m) + p'([from, to]) (s - m), where it says more than the terms. */
expr_interval thud_path_enclose(const proof_path *path, double from, double to) {
  if (from == to) return enclose_point(path, from);
  expr_interval terms = enclose_terms(path, from, to);
  if (last_of(path) < 1) return terms;
  double middle = from + (to - from) / 2, half = expr_up(fmax(to - middle, middle - from));
  proof_path slope = *path;
  slope.derivative++;
  double way = expr_up(expr_interval_size(enclose_terms(&slope, from, to)) * half);
  expr_interval at = enclose_point(path, middle);
  expr_interval mean = expr_interval_of(expr_down(at.low - way), expr_up(at.high + way));
  return expr_interval_of(fmax(terms.low, mean.low), fmin(terms.high, mean.high));
}

double thud_path_reach(const proof_path *path, double R) {
  double sum = 0;
  int last = last_of(path);
  for (int k = last; k >= 1; k--) sum = (sum + fabs(thud_path_coefficient(path, k))) * R;
  return sum * (1 + (2 * last + 8) * DBL_EPSILON) + DBL_TRUE_MIN;
}

/* ---- the variables of the program -------------------------------------------------------------------------------- */

static proof_path position_path(const arc_proof *proof, size_t i, int derivative) {
  const sim_arc *arc = proof->arc;
  return (proof_path){.c = arc->q + i, .stride = arc->n, .degree = proof->degree[i], .derivative = derivative};
}

void thud_proof_plain(arc_proof *proof, double from, double to) {
  const sim_arc *arc = proof->arc;
  const model_jets *jets = &arc->jets;
  expr_interval time = {from, to};
  proof->variables[jets->slot_t] = expr_interval_add(expr_interval_point(arc->t0), time);
  for (size_t i = 0; i < arc->n; i++) {
    proof_path q = position_path(proof, i, 0), v = position_path(proof, i, 1);
    proof->variables[jets->slot_q[i]] = thud_path_enclose(&q, from, to);
    proof->variables[jets->slot_v[i]] = thud_path_enclose(&v, from, to);
  }
  thud_bounds_plain(proof->bounds, arc->work, proof->variables);
}

void thud_proof_load_coefficients(arc_proof *proof) {
  const sim_arc *arc = proof->arc;
  const model_jets *jets = &arc->jets;
  size_t stride = (size_t)proof->order + 1;
  for (int k = 1; k <= proof->last; k++) {
    size_t t = (size_t)jets->slot_t * stride + (size_t)k;
    proof->middle[t] = k == 1;
    proof->radius[t] = 0;
    for (size_t i = 0; i < arc->n; i++) {
      proof_path q = position_path(proof, i, 0), v = position_path(proof, i, 1);
      size_t at_q = (size_t)jets->slot_q[i] * stride + (size_t)k, at_v = (size_t)jets->slot_v[i] * stride + (size_t)k;
      proof->middle[at_q] = thud_path_coefficient(&q, k);
      proof->radius[at_q] = 0;
      proof->middle[at_v] = thud_path_coefficient(&v, k);
      proof->radius[at_v] = DBL_EPSILON * fabs(proof->middle[at_v]);
    }
  }
}

static void put_ball(arc_proof *proof, size_t place, expr_interval x, double divisor) {
  proof->middle[place] = expr_interval_middle(x) / divisor;
  proof->radius[place] =
      (expr_interval_radius(x) + DBL_EPSILON * expr_interval_size(x)) / divisor * (1 + 4 * DBL_EPSILON);
}

void thud_proof_load_slopes(arc_proof *proof, int order, double from, double to) {
  const sim_arc *arc = proof->arc;
  const model_jets *jets = &arc->jets;
  size_t stride = (size_t)proof->order + 1;
  double factorial = 1;
  for (int k = 1; k <= order; k++) {
    factorial *= k;
    put_ball(proof, (size_t)jets->slot_t * stride + (size_t)k, expr_interval_point(k == 1), 1);
    proof->radius[(size_t)jets->slot_t * stride + (size_t)k] = 0;
    for (size_t i = 0; i < arc->n; i++) {
      proof_path q = position_path(proof, i, k), v = position_path(proof, i, k + 1);
      put_ball(proof, (size_t)jets->slot_q[i] * stride + (size_t)k, thud_path_enclose(&q, from, to), factorial);
      put_ball(proof, (size_t)jets->slot_v[i] * stride + (size_t)k, thud_path_enclose(&v, from, to), factorial);
    }
  }
}

void thud_proof_load_discs(arc_proof *proof, double R) {
  const sim_arc *arc = proof->arc;
  const model_jets *jets = &arc->jets;
  proof->disc[jets->slot_t] = expr_up(R);
  for (size_t i = 0; i < arc->n; i++) {
    proof_path q = position_path(proof, i, 0), v = position_path(proof, i, 1);
    proof->disc[jets->slot_q[i]] = thud_path_reach(&q, R);
    proof->disc[jets->slot_v[i]] = thud_path_reach(&v, R);
  }
}
