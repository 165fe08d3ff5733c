/* The defect of the equations of motion on a piece of an arc. */
#include "verify/event/verify_event_proof.h"

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

verify_ball thud_verify_proof_series(const verify_event_rows *f, size_t c, int k, const verify_series *factors,
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
  return thud_verify_proof_series(f, c, k, factors, &size);
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
