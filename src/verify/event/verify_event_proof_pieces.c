/* What is proved on a piece of an arc: the defect of the equations of motion, the coefficients of power series, gaps,
 * reactions. */
#include "verify/event/verify_event.h"

#include <string.h>

/* ---- terms --------------------------------------------------------------------------------------------------------
 */

static int32_t force_value(const verify_event_rows *f, size_t c) {
  return verify_output(f->proof->motion, (size_t)(f->at.force - f->at.out) + c);
}

/* The value that factor j, an acceleration or a reaction, is multiplied by in component c. */
static int32_t term_value(const verify_event_rows *f, size_t c, size_t j) {
  size_t n = f->n, row = j - n;
  size_t output = j < n        ? c * n + j
                  : row < f->m ? (size_t)(f->at.gradient - f->at.out) + row * n + c
                               : (size_t)(f->at.slip - f->at.out) + (row - f->m) * n + c;
  return verify_output(f->proof->motion, output);
}

static bool is_zero(const verify_series *s) { return s->last == 0 && s->middle[0] == 0 && s->radius[0] == 0; }

/* Component c of the defect from intervals; *size, *noise: sum of the sizes and of the radii of its terms. */
static verify_interval plain_defect(const verify_event_rows *f, size_t c, bool whole, double *size, double *noise) {
  const verify_proof *proof = f->proof;
  verify_interval sum = verify_negative(proof->motion->values[force_value(f, c)]);
  *size = verify_magnitude(sum);
  *noise = thud_verify_interval_radius(sum);
  for (size_t j = 0; j < f->n + proof->rows; j++) {
    const verify_series *factor = &proof->path[proof->slots + j];
    if (is_zero(factor)) continue;
    verify_interval x = whole ? thud_verify_path_range(factor, proof->from_start) : thud_verify_path_centre(factor);
    verify_interval term = thud_verify_interval_multiply(proof->motion->values[term_value(f, c, j)], x);
    *size += verify_magnitude(term);
    *noise += thud_verify_interval_radius(term) + VERIFY_ULP * verify_magnitude(term);
    sum = thud_verify_interval_add(sum, j < f->n ? term : verify_negative(term));
  }
  return sum;
}

/* Coefficient k of component c of the defect from series; factors: of the path or of the wide path. *sizes: sum of the
 * sizes of its terms. */
static verify_ball proof_series(const verify_event_rows *f, size_t c, int k, const verify_series *factors,
                                double *sizes) {
  const verify_proof *proof = f->proof;
  const verify_series *values = proof->motion->series;
  verify_ball sum = verify_coefficient(&values[force_value(f, c)], k);
  double size = fabs(sum.middle), terms = 2;
  sum.middle = -sum.middle;
  for (size_t j = 0; j < f->n + proof->rows; j++) {
    const verify_series *factor = &factors[proof->slots + j];
    if (is_zero(factor)) continue;
    verify_ball term = thud_verify_series_product(factor, &values[term_value(f, c, j)], k, 0, k);
    sum.middle += j < f->n ? term.middle : -term.middle;
    sum.radius += term.radius;
    size += fabs(term.middle);
    terms++;
  }
  sum.radius = sum.radius * (1 + terms * VERIFY_ULP) + terms * VERIFY_ULP * size;
  *sizes = size;
  return sum;
}

static verify_ball series_defect(const verify_event_rows *f, size_t c, int k, const verify_series *factors) {
  double size;
  return proof_series(f, c, k, factors, &size);
}

/* Rounding counts up to this many times the bound that the record states. */
#define MOST_NOISE 4.0

/* ---- pieces -------------------------------------------------------------------------------------------------------
 */

/* A bound that the record states may be attained: it is confirmed up to the rounding of the terms on the piece, as far as
 * that is not much more than the bound itself (a run takes fewer ulp for the functions of the C library). */
static double accepted(const verify_proof *proof, size_t c) {
  double most = VERIFY_DEFECT * proof->scale[c];
  if (proof->stated == NULL) return most;
  double stated = verify_most(proof->stated[c], proof->coarse ? VERIFY_COARSE * proof->scale[c] : 0);
  return fmin(most, stated + fmin(proof->noise[c], MOST_NOISE * stated));
}

static bool holds_plainly(verify_event_rows *f) {
  verify_proof *proof = f->proof;
  double size, noise;
  bool holds = true;
  thud_verify_proof_range(proof, true);
  thud_verify_enclose(proof->motion, proof->variables);
  for (size_t c = 0; c < f->n && holds; c++) {
    proof->sum[c] = verify_magnitude(plain_defect(f, c, true, &size, &noise));
    holds = proof->sum[c] <= accepted(proof, c);
  }
  return holds;
}

/* At the centre, beyond what is accepted and beyond the same part of the terms there, which may be larger than all that
 * came before; the worst component. */
static bool is_broken(verify_event_rows *f, const verify_piece *piece, verify_broken *broken) {
  verify_proof *proof = f->proof;
  double size, noise, worst = 1;
  for (size_t c = 0; c < f->n; c++) {
    verify_interval d = plain_defect(f, c, false, &size, &noise);
    proof->noise[c] = isfinite(noise) ? 2 * noise : 0; /* two evaluations may be at its two ends */
    double least = verify_sign(d) > 0 ? d.low : verify_sign(d) < 0 ? -d.high : 0;
    double limit = proof->stated != NULL ? accepted(proof, c) : verify_most(accepted(proof, c), VERIFY_DEFECT * size);
    if (!(least > worst * limit)) continue;
    worst = least / limit;
    *broken = (verify_broken){.index = c, .value = least, .t = piece->time};
  }
  return worst > 1;
}

/* sum_{k<K} |d_k(0)| + |d_K(X)|; *rounded: rounding alone is too much. */
static bool holds_by_series(verify_event_rows *f, bool *rounded) {
  verify_proof *proof = f->proof;
  int order = proof->order;
  thud_verify_expand(proof->motion, order - 1, proof->path);
  for (size_t c = 0; c < f->n; c++) {
    double radius = 0;
    proof->sum[c] = 0;
    for (int k = 0; k < order; k++) {
      verify_ball d = series_defect(f, c, k, proof->path);
      proof->sum[c] += fabs(d.middle) + d.radius;
      radius += d.radius;
    }
    *rounded = *rounded || radius > accepted(proof, c) / 4;
    if (!(proof->sum[c] <= accepted(proof, c))) return false;
  }
  for (size_t j = 0; j < proof->slots + f->n + proof->rows; j++)
    thud_verify_path_widen(&proof->path[j], order, proof->from_start, &proof->wide[j]);
  thud_verify_proof_range(proof, true);
  thud_verify_enclose(proof->motion, proof->variables);
  thud_verify_expand(proof->motion, order, proof->wide);
  for (size_t c = 0; c < f->n; c++) {
    verify_ball rest = series_defect(f, c, order, proof->wide);
    proof->sum[c] = (proof->sum[c] + fabs(rest.middle) + rest.radius) * (1 + 2 * order * VERIFY_ULP);
    if (!(proof->sum[c] <= accepted(proof, c))) return false;
  }
  return true;
}

/* A steep force magnifies the rounding of the position at a centre; at the beginning of the arc there is none. */
static bool holds_from_start(verify_event_rows *f, size_t k, double to) {
  verify_proof *proof = f->proof;
  verify_piece piece = thud_verify_piece_from_start(f->t[k], to);
  bool rounded = false;
  thud_verify_proof_place(f, k, &piece, true);
  proof->from_start = true;
  thud_verify_proof_range(proof, false);
  thud_verify_enclose(proof->motion, proof->variables);
  bool holds = holds_by_series(f, &rounded);
  proof->from_start = false;
  return holds;
}

static verify_finding keep_bounds(verify_event_rows *f) {
  verify_proof *proof = f->proof;
  for (size_t c = 0; c < f->n; c++) proof->bound[c] = verify_most(proof->bound[c], proof->sum[c]);
  return VERIFY_HOLDS;
}

verify_finding thud_verify_proof_defect(verify_event_rows *f, size_t k, const verify_piece *piece,
                                        verify_broken *broken) {
  verify_proof *proof = f->proof;
  memset(proof->noise, 0, f->n * sizeof *proof->noise);
  bool holds = holds_plainly(f), rounded = false;
  if (!holds) {
    thud_verify_proof_range(proof, false);
    thud_verify_enclose(proof->motion, proof->variables);
    if (is_broken(f, piece, broken)) return VERIFY_BROKEN;
    if (proof->stated != NULL) holds = holds_plainly(f); /* now with its rounding */
    if (holds) return keep_bounds(f);
    thud_verify_proof_range(proof, false);
    thud_verify_enclose(proof->motion, proof->variables);
    holds = holds_by_series(f, &rounded);
    if (!holds && rounded && piece->from == 0) holds = holds_from_start(f, k, piece->to);
  }
  return holds ? keep_bounds(f) : VERIFY_OPEN;
}

/* ---- scales -------------------------------------------------------------------------------------------------------
 */

/* Forces below this lose their digits. */
#define NO_FORCE 1e-280

/* Rounding at the ends and in the middle of an arc, in units of what must be accepted elsewhere on it. */
#define NOISE 16.0

/* With switches the very beginning belongs to no branch. */
#define INSIDE 0x1p-30

/* A component takes a part of those that it is coupled with, as masses compare them, and without any force so far of all
 * others. */
#define LENT 1e-3

static void lend_scales(verify_event_rows *f) {
  verify_proof *proof = f->proof;
  for (size_t c = 0; c < f->n; c++) {
    double lent = 0, mass = verify_centre(proof->motion->values[term_value(f, c, c)]);
    bool nothing = proof->scale[c] <= NO_FORCE;
    for (size_t j = 0; j < f->n; j++) {
      double other = verify_centre(proof->motion->values[term_value(f, j, j)]);
      bool lends = nothing || proof->coupled[j] == proof->coupled[c];
      if (lends && other > 0 && mass > 0) lent = fmax(lent, LENT * proof->scale[j] * sqrt(mass / other));
    }
    if (isfinite(lent)) proof->scale[c] = fmax(proof->scale[c], lent);
  }
}

/* ---- coordinates that the equations couple ------------------------------------------------------------------------
 */

static int32_t first_of(int32_t *set, int32_t k) {
  for (; set[k] != k; k = set[k]) set[k] = set[set[k]];
  return k;
}

static void couple_values(int32_t *set, int32_t a, int32_t b) { set[first_of(set, b)] = first_of(set, a); }

/* Which values of the tape contain a coordinate or a velocity. */
static void find_state(const verify_event_rows *f, bool *state) {
  const thud_expr *tape = f->proof->motion->program->tape;
  for (int32_t k = 0; k < tape->count; k++) {
    const expr_instruction *i = &tape->code[k];
    state[k] = i->op == EXPR_VARIABLE && i->reference != f->system->scene.time_slot;
    for (int j = 0; j < thud_expr_ops[i->op].arity; j++) state[k] = state[k] || state[i->operand[j]];
  }
}

/* Equation c with the values that are its factors, and with the equations that have the same acceleration or reaction.
 * Equations and rows are numbered behind the values. */
static void couple_equation(const verify_event_rows *f, size_t c, const bool *state, bool *used, int32_t *set) {
  const thud_expr *tape = f->proof->motion->program->tape;
  int32_t own = tape->count + (int32_t)c;
  for (size_t j = 0; j <= f->n + f->proof->rows; j++) {
    int32_t value = j == 0 ? force_value(f, c) : term_value(f, c, j - 1);
    if (tape->code[value].op == EXPR_CONSTANT && tape->constants[tape->code[value].reference] == 0) continue;
    used[value] = true;
    if (state[value]) couple_values(set, own, value);
    if (j > 0) couple_values(set, own, tape->count + (int32_t)(j - 1));
  }
}

static void couple_all(const verify_event_rows *f, const bool *state, bool *used, int32_t *set) {
  const thud_expr *tape = f->proof->motion->program->tape;
  for (size_t c = 0; c < f->n; c++) couple_equation(f, c, state, used, set);
  for (int32_t k = tape->count - 1; k >= 0; k--) {
    const expr_instruction *i = &tape->code[k];
    for (size_t c = 0; used[k] && i->op == EXPR_VARIABLE && c < f->n; c++)
      if (i->reference == f->system->slot_q[c] || i->reference == f->system->slot_v[c])
        couple_values(set, tape->count + (int32_t)c, k);
    for (int j = 0; used[k] && j < thud_expr_ops[i->op].arity; j++) {
      used[i->operand[j]] = true;
      if (state[i->operand[j]]) couple_values(set, k, i->operand[j]);
    }
  }
}

thud_error thud_verify_proof_couple(verify_event_rows *f) {
  verify_proof *proof = f->proof;
  int32_t values = proof->motion->program->tape->count;
  size_t count = (size_t)values + f->n + proof->rows;
  int32_t *set = THUD_NEW_ARRAY(f->context, int32_t, count);
  bool *state = THUD_NEW_ARRAY(f->context, bool, count), *used = THUD_NEW_ARRAY(f->context, bool, count);
  proof->coupled = THUD_NEW_ARRAY(f->context, int32_t, f->n);
  bool complete = set != NULL && state != NULL && used != NULL && proof->coupled != NULL;
  if (complete) {
    for (size_t k = 0; k < count; k++) set[k] = (int32_t)k;
    find_state(f, state);
    couple_all(f, state, used, set);
    for (size_t c = 0; c < f->n; c++) proof->coupled[c] = first_of(set, values + (int32_t)c);
  }
  thud_free(f->context, set);
  thud_free(f->context, state);
  thud_free(f->context, used);
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

/* The terms at s of the arc of row k. Rounding there widens the scales, sizes do not: a force that the arc meets on its
 * way must not excuse what is left of it. */
static void measure_terms(verify_event_rows *f, size_t k, double s, bool begins) {
  verify_proof *proof = f->proof;
  verify_piece point = thud_verify_piece(f->t[k], s, s);
  thud_verify_proof_place(f, k, &point, true);
  thud_verify_proof_range(proof, false);
  thud_verify_enclose(proof->motion, proof->variables);
  for (size_t c = 0; c < f->n; c++) {
    double size, noise;
    plain_defect(f, c, false, &size, &noise);
    if (begins) proof->size[c] = isfinite(size) ? size : 0;
    if (!isfinite(size) || !isfinite(noise)) continue;
    if (begins) proof->scale[c] = verify_most(proof->scale[c], verify_most(size, NO_FORCE));
    if (!proof->motion->open) proof->scale[c] = verify_most(proof->scale[c], NOISE * noise / VERIFY_DEFECT);
  }
}

void thud_verify_proof_widen(verify_event_rows *f, size_t k) {
  double h = f->t_end[k] - f->t[k], s = f->proof->motion->program->switch_count > 0 ? INSIDE * h : 0;
  measure_terms(f, k, h - s, false);
  measure_terms(f, k, h / 2, false);
  measure_terms(f, k, s, true);
  lend_scales(f);
}

double thud_verify_proof_accepted(verify_event_rows *f) {
  double sum = 0, part = fmin(VERIFY_DEFECT, f->tolerance), *unit = f->momentum;
  for (size_t c = 0; f->proof != NULL && c < f->n; c++) {
    for (size_t j = 0; j < f->n; j++) unit[j] = j == c;
    sum += part * f->proof->scale[c] * thud_verify_momentum_length(f->system, &f->at, unit, f->work);
  }
  return sum;
}

/* ---- the coefficients of an arc of power series, one by one ------------------------------------------------------ */

/* The coefficients of an arc of power series, one by one. Coefficient k of the defect
 *   M a - F - sum A_i' r_i
 * about the beginning of the arc is 0 for every k that the series has, whatever it contributes to the motion: it joins
 * coefficient k + 2 of the positions and coefficient k of the reactions with lower ones. Balls give it with the rounding
 * errors of evaluating it from the recorded numbers, and a run's own are of that size. */

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
      proof_series(f, c, j, f->proof->path, &size);
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
      verify_ball d = proof_series(f, c, j, proof->path, &size);
      double accepted = TIMES_ROUNDING * d.radius + PART_OF_TERMS * size + rounding / pow(length, j);
      known = isfinite(accepted);
      if (known && !(fabs(d.middle) <= accepted))
        thud_verify_fail(&f->checks[EVENT_PROOF], f->t[k], k,
                         "equation of '%s' on the arc from t = %.10g to %.10g: coefficient %d of (t - t0) leaves %.3g, "
                         "accepted are %.3g (in units of %.3g s)",
                         f->system->scene.names[c], f->t[k], f->t_end[k], j, fabs(d.middle), accepted, unit);
    }
  if (known)
    proof->by_coefficient++;
  else
    proof->not_by_coefficient++;
}

/* ---- the gaps on a piece of an arc ------------------------------------------------------------------------------- */

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

/* ---- reactions along a whole arc, by interval arithmetic --------------------------------------------------------- */

/* Reactions along a whole arc, by interval arithmetic: r_N >= 0 where a contact lasts, |r_T| <= mu r_N where it sticks.
 *
 * Reactions are polynomials of the record; about the centre of a piece their coefficients are known but for rounding.
 * Pieces are halved until the bounds suffice; a value at a centre that breaks its bound for certain is a failure. */

enum { MOST_PIECES = 400, MOST_DEPTH = 48 };

/* One of the bounds: what is to be >= -eta. */
typedef struct reaction_bound {
  size_t constraint;
  const verify_law *law; /* NULL: r_N */
  size_t number;         /* of the law */
  double eta;
} reaction_bound;

static verify_series *place_row(verify_event_rows *f, size_t k, const verify_piece *piece, size_t row) {
  verify_proof *proof = f->proof;
  verify_polynomial r = {.c = f->reaction + k * (f->force_degree + 1) * proof->rows + row,
                         .stride = proof->rows,
                         .degree = (int)f->force_degree};
  verify_series *out = &proof->path[proof->slots + f->n + row];
  thud_verify_path_shift(&r, piece, out);
  return out;
}

static verify_interval value_of(const verify_series *path, bool whole) {
  return whole ? thud_verify_path_range(path, false) : thud_verify_path_centre(path);
}

/* mu on the piece, or at its centre. */
static verify_interval friction_of(verify_event_rows *f, size_t number, bool whole) {
  verify_proof *proof = f->proof;
  thud_verify_proof_range(proof, whole);
  thud_verify_enclose(proof->friction, proof->variables);
  return proof->friction->values[verify_output(proof->friction, number)];
}

/* mu r_N + sign r_T with a mu that does not vary: one polynomial, so that what both have in common cancels. */
static verify_interval difference_of(const verify_series *normal, double mu, double sign, const verify_series *slip,
                                     verify_series *out, bool whole) {
  out->last = normal->last > slip->last ? normal->last : slip->last;
  for (int d = 0; d <= out->last; d++) {
    verify_ball n = verify_coefficient(normal, d), t = verify_coefficient(slip, d);
    out->middle[d] = mu * n.middle + sign * t.middle;
    double rounding = 2 * VERIFY_ULP * (fabs(mu * n.middle) + fabs(t.middle));
    out->radius[d] = (fabs(mu) * n.radius + t.radius) * (1 + 4 * VERIFY_ULP) + rounding + VERIFY_TINY;
  }
  return value_of(out, whole);
}

/* mu |r_N| - |r_T|; the series are placed. */
static verify_interval room_of(verify_event_rows *f, const reaction_bound *b, bool whole) {
  verify_proof *proof = f->proof;
  const verify_law *law = b->law;
  const verify_series *rows = proof->path + proof->slots + f->n, *slip = rows + f->m + law->first;
  verify_interval mu = friction_of(f, b->number, whole), size = {0, 0};
  bool one_sided = verify_is_one_sided(f->system->constraints[b->constraint].kind);
  if (law->directions == 1 && one_sided && verify_is_point(mu)) {
    verify_series *spare = proof->wide;
    verify_interval up = difference_of(&rows[b->constraint], mu.low, 1, slip, spare, whole);
    verify_interval down = difference_of(&rows[b->constraint], mu.low, -1, slip, spare, whole);
    return (verify_interval){verify_least(up.low, down.low), verify_least(up.high, down.high)};
  }
  for (size_t d = 0; d < law->directions; d++)
    size = thud_verify_interval_add(size, thud_verify_interval_square(value_of(&slip[d], whole)));
  verify_interval normal = value_of(&rows[b->constraint], whole);
  if (!one_sided) normal = thud_verify_interval_abs(normal);
  return thud_verify_interval_subtract(thud_verify_interval_multiply(mu, normal), thud_verify_interval_sqrt(size));
}

static verify_finding prove_piece(verify_event_rows *f, size_t k, const reaction_bound *b, const verify_piece *piece,
                                  verify_broken *broken) {
  verify_series *normal = place_row(f, k, piece, b->constraint);
  verify_interval all, centre;
  if (b->law == NULL) {
    all = value_of(normal, true);
    centre = value_of(normal, false);
  } else {
    thud_verify_proof_place(f, k, piece, false);
    for (size_t d = 0; d < b->law->directions; d++) place_row(f, k, piece, f->m + b->law->first + d);
    all = room_of(f, b, true);
    centre = room_of(f, b, false);
  }
  if (all.low >= -b->eta) return VERIFY_HOLDS;
  *broken = (verify_broken){.index = b->constraint, .value = centre.high, .t = piece->time};
  return centre.high < -b->eta ? VERIFY_BROKEN : VERIFY_OPEN;
}

/* The whole arc in halves, left to right, within the work limit. */
static verify_finding prove_bound(verify_event_rows *f, size_t k, const reaction_bound *b, verify_broken *broken) {
  double ends[MOST_DEPTH + 1], from = 0;
  int depth = 0;
  ends[0] = f->t_end[k] - f->t[k];
  for (int work = 0; work < MOST_PIECES; work++) {
    verify_piece piece = thud_verify_piece(f->t[k], from, ends[depth]);
    verify_finding finding = prove_piece(f, k, b, &piece, broken);
    if (finding == VERIFY_BROKEN) return finding;
    if (finding == VERIFY_HOLDS) {
      from = ends[depth];
      if (depth-- == 0) return VERIFY_HOLDS;
      continue;
    }
    double middle = from + (ends[depth] - from) / 2;
    if (depth == MOST_DEPTH || !(middle > from && middle < ends[depth])) return VERIFY_OPEN;
    ends[++depth] = middle;
  }
  return VERIFY_OPEN;
}

static void note(verify_event_rows *f, size_t k, verify_finding finding) {
  verify_proof *proof = f->proof;
  proof->enclosed += finding == VERIFY_HOLDS;
  if (finding == VERIFY_OPEN && proof->at_points++ == 0) proof->at_points_time = f->t[k];
}

bool thud_verify_proof_normal(verify_event_rows *f, size_t k, size_t i, double eta) {
  if (f->proof == NULL) return false;
  verify_broken broken = {.t = f->t[k]};
  const reaction_bound bound = {.constraint = i, .eta = eta};
  verify_finding finding = prove_bound(f, k, &bound, &broken);
  note(f, k, finding);
  if (finding == VERIFY_BROKEN)
    thud_verify_fail(&f->checks[EVENT_LAW], broken.t, k,
                     "the reaction of '%s' is %.6g on the arc from t = %.10g to %.10g", f->system->constraints[i].name,
                     broken.value, f->t[k], f->t_end[k]);
  return finding == VERIFY_HOLDS;
}

void thud_verify_proof_sticking(verify_event_rows *f, size_t k, size_t l, double eta) {
  const verify_law *law = &f->system->laws[l];
  if (f->proof == NULL || law->unknown || law->firm) return;
  verify_broken broken = {.t = f->t[k]};
  const reaction_bound bound = {.constraint = law->constraint, .law = law, .number = l, .eta = eta};
  verify_finding finding = law->disc ? prove_bound(f, k, &bound, &broken) : VERIFY_OPEN;
  note(f, k, finding);
  if (finding == VERIFY_BROKEN)
    thud_verify_fail(&f->checks[EVENT_FRICTION], broken.t, k,
                     "the force of '%s', which sticks, is more than friction allows by %.6g on the arc from t = %.10g "
                     "to %.10g",
                     law->name, -broken.value, f->t[k], f->t_end[k]);
}
