/* The gaps on a piece of an arc. */
#include "verify/event/verify_event_proof.h"

/* Does gap i have to be 0? Otherwise it may be open, but not negative. */
static bool is_held(const verify_event_rows *f, size_t k, size_t i) {
  int mode = verify_event_mode(f, k, i);
  bool closed = f->system->constraints[i].kind == VERIFY_EQUATION || verify_mode_lasts(mode);
  return (closed || mode == VERIFY_MODE_UNDECIDED) && f->accumulation[k] == 0;
}

static bool has_gap(const verify_event_rows *f, size_t i) {
  verify_constraint_kind kind = f->system->constraints[i].kind;
  return kind == VERIFY_UNILATERAL || kind == VERIFY_EQUATION;
}

static bool suffices(const verify_event_rows *f, size_t k, size_t i, double low, double high) {
  double eta = f->proof->eta[i] + f->proof->flight[i];
  return low >= -eta && (high <= eta || !is_held(f, k, i));
}

static bool hold_plainly(verify_event_rows *f, size_t k) {
  verify_proof *proof = f->proof;
  thud_verify_proof_range(proof, true);
  thud_verify_enclose(proof->gaps, proof->variables);
  for (size_t i = 0; i < f->m; i++) {
    verify_interval gap = proof->gaps->values[verify_output(proof->gaps, i)];
    if (has_gap(f, i) && !suffices(f, k, i, gap.low, gap.high)) return false;
  }
  return true;
}

static bool are_broken(verify_event_rows *f, size_t k, const verify_piece *piece, verify_broken *broken) {
  verify_proof *proof = f->proof;
  for (size_t i = 0; i < f->m; i++) {
    verify_interval gap = proof->gaps->values[verify_output(proof->gaps, i)];
    bool below = gap.high < -(proof->eta[i] + proof->flight[i]), above = is_held(f, k, i) && gap.low > proof->eta[i];
    if (!has_gap(f, i) || (!below && !above)) continue;
    *broken = (verify_broken){.index = i, .value = below ? gap.high : gap.low, .t = piece->time};
    return true;
  }
  return false;
}

/* sum_{k<K} g_k(0) x^k + g_K(X) x^K on [-1, 1]: bounds of the first part, of which even powers have one sign. */
static verify_interval range_of(const verify_series *g, int order) {
  double low = g->middle[0], high = low, radius = g->radius[0], size = fabs(low);
  for (int k = 1; k < order && k <= g->last; k++) {
    double c = g->middle[k];
    low -= k % 2 == 0 ? verify_most(-c, 0) : fabs(c);
    high += k % 2 == 0 ? verify_most(c, 0) : fabs(c);
    radius += g->radius[k];
    size += fabs(c);
  }
  radius += 4 * order * VERIFY_ULP * (size + radius);
  return verify_between(low - radius, high + radius);
}

static bool hold_by_series(verify_event_rows *f, size_t k) {
  verify_proof *proof = f->proof;
  int order = proof->gap_order;
  verify_interval *kept = proof->range;
  thud_verify_expand(proof->gaps, order - 1, proof->path);
  for (size_t i = 0; i < f->m; i++) {
    kept[i] = range_of(&proof->gaps->series[verify_output(proof->gaps, i)], order);
    if (has_gap(f, i) && !suffices(f, k, i, kept[i].low, kept[i].high)) return false;
  }
  for (size_t j = 0; j < proof->slots; j++) thud_verify_path_widen(&proof->path[j], order, false, &proof->wide[j]);
  thud_verify_proof_range(proof, true);
  thud_verify_enclose(proof->gaps, proof->variables);
  thud_verify_expand(proof->gaps, order, proof->wide);
  for (size_t i = 0; i < f->m; i++) {
    verify_ball rest = verify_coefficient(&proof->gaps->series[verify_output(proof->gaps, i)], order);
    double more = fabs(rest.middle) + rest.radius;
    verify_interval gap = thud_verify_interval_add(kept[i], verify_between(-more, more));
    if (has_gap(f, i) && !suffices(f, k, i, gap.low, gap.high)) return false;
  }
  return true;
}

verify_finding thud_verify_proof_gaps(verify_event_rows *f, size_t k, const verify_piece *piece,
                                      verify_broken *broken) {
  verify_proof *proof = f->proof;
  if (hold_plainly(f, k)) return VERIFY_HOLDS;
  thud_verify_proof_range(proof, false);
  thud_verify_enclose(proof->gaps, proof->variables);
  if (are_broken(f, k, piece, broken)) return VERIFY_BROKEN;
  return hold_by_series(f, k) ? VERIFY_HOLDS : VERIFY_OPEN;
}
