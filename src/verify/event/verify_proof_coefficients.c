/* The coefficients of an arc of power series, one by one. Coefficient k of the defect
 *   M a - F - sum A_i' r_i
 * about the beginning of the arc is 0 for every k that the series has, whatever it contributes to the motion: it joins
 * coefficient k + 2 of the positions and coefficient k of the reactions with lower ones. Balls give it with the rounding
 * errors of evaluating it from the recorded numbers, and a run's own are of that size. */
#include "verify/event/verify_event_proof.h"

/* Rounding of the run, in units of that of the checker, and relative to the sizes of the terms. */
#define TIMES_ROUNDING 64.0
#define PART_OF_TERMS 0x1p-30
/* What a coefficient contributes to the forces on the arc below this part of the largest contribution is rounding: near
 * the end of a slip, say, digits of high orders are lost one by one. */
#define PART_OF_FORCES 0x1p-47 /* some tens of roundings */

/* Time is counted in units 2^e in which no coefficient of the positions is above 1, so that those of every order have
 * sizes that doubles can multiply. */
static double unit_of(const verify_event_rows *f, size_t k, size_t count) {
  const double *q = verify_event_q(f, k);
  double least = (double)INFINITY;
  for (size_t d = 1; d < count; d++)
    for (size_t i = 0; i < f->n; i++)
      if (q[d * f->n + i] != 0) least = fmin(least, -log2(fabs(q[d * f->n + i])) / (double)d);
  return isfinite(least) ? exp2(floor(least)) : 1;
}

/* The highest order of the equations of motion of which the arc holds a number; -1: none. Behind it a series has ended. */
static int last_order(const verify_event_rows *f, size_t k, size_t count) {
  size_t rows = f->m + f->s;
  const double *q = verify_event_q(f, k), *r = f->reaction + k * (f->force_degree + 1) * rows;
  int last = -1;
  for (size_t d = 2; d < count; d++)
    for (size_t i = 0; i < f->n; i++)
      if (q[d * f->n + i] != 0) last = (int)d - 2;
  for (size_t d = 0; d + 2 < count && d <= f->force_degree; d++)
    for (size_t i = 0; i < rows; i++)
      if (r[d * rows + i] != 0 && (int)d > last) last = (int)d;
  return last;
}

/* Series of all values about the beginning of the arc, on the branches that it has inside. false: one is not known. */
static bool expand(verify_event_rows *f, size_t k, double unit, int order) {
  verify_proof *proof = f->proof;
  verify_piece start = thud_verify_piece_from_start(f->t[k], unit);
  thud_verify_proof_hold(f, k);
  thud_verify_proof_place(f, k, &start, true);
  proof->from_start = true;
  thud_verify_proof_range(proof, false);
  thud_verify_enclose(proof->motion, proof->variables);
  bool known = !proof->motion->open;
  thud_verify_expand(proof->motion, order, proof->path);
  proof->from_start = false;
  thud_verify_proof_free(f);
  return known;
}

/* The largest contribution of a term of any equation and order to the forces on the arc, `length` units long. */
static double largest_contribution(const verify_event_rows *f, int order, double length) {
  double largest = 0, size;
  for (size_t c = 0; c < f->n; c++)
    for (int j = 0; j <= order; j++) {
      thud_verify_proof_series(f, c, j, f->proof->path, &size);
      double contribution = size * pow(length, j);
      if (isfinite(contribution)) largest = fmax(largest, contribution);
    }
  return largest;
}

/* Sampled arcs are interpolated, not expanded. */
void thud_verify_proof_coefficients(verify_event_rows *f, size_t k) {
  verify_proof *proof = f->proof;
  size_t count = verify_ragged_count(&f->tables.q, (size_t)f->frame[k]) / f->n;
  int order = last_order(f, k, count);
  if (!f->system->series || f->status[k] == VERIFY_ARC_SAMPLED) return;
  double unit = unit_of(f, k, count);
  bool known = order < 0 || expand(f, k, unit, order);
  double length = (f->t_end[k] - f->t[k]) / unit;
  double rounding = known ? PART_OF_FORCES * largest_contribution(f, order, length) : 0;
  for (size_t c = 0; c < f->n && known; c++)
    for (int j = 0; j <= order && known; j++) {
      double size;
      verify_ball d = thud_verify_proof_series(f, c, j, proof->path, &size);
      double accepted = TIMES_ROUNDING * d.radius + PART_OF_TERMS * size + rounding / pow(length, j);
      known = isfinite(accepted);
      if (known && !(fabs(d.middle) <= accepted))
        thud_verify_fail(&f->checks.proof, f->t[k], k,
                         "equation of '%s' on the arc from t = %.10g to %.10g: coefficient %d of (t - t0) leaves %.3g, "
                         "accepted are %.3g (in units of %.3g s)",
                         f->system->scene.names[c], f->t[k], f->t_end[k], j, fabs(d.middle), accepted, unit);
    }
  if (known)
    proof->by_coefficient++;
  else
    proof->not_by_coefficient++;
}
