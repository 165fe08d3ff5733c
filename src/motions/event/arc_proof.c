/* Proofs along arcs: the defect, and the polynomials of arcs that all proofs enclose. */
#include "motions/event/arc_polynomial.h"
#include "motions/event/arc_proof.h"

#include <float.h>
#include <string.h>

/* ---- life -------------------------------------------------------------------------------------------------------- */

enum { MORE_ORDERS = 4 }; /* K = order + 4: what lies beyond is small already */

static thud_error create_arrays(arc_proof *proof) {
  size_t n = proof->arc->n, series = (size_t)proof->order + 1, slots = proof->slots;
  proof->variables = THUD_NEW_ARRAY(proof->context, expr_interval, slots);
  proof->degree = THUD_NEW_ARRAY(proof->context, int, n + proof->arc->rows);
  proof->numbers = THUD_NEW_ARRAY(proof->context, double, 2 * slots * series + slots + n * series + 4 * n);
  if (proof->variables == NULL || proof->degree == NULL || proof->numbers == NULL) return THUD_ERROR_MEMORY;
  proof->middle = proof->numbers;
  proof->radius = proof->middle + slots * series;
  proof->disc = proof->radius + slots * series;
  proof->coefficient = proof->disc + slots;
  proof->scale = proof->coefficient + n * series;
  proof->bound = proof->scale + n;
  proof->unit = proof->bound + n;
  proof->noise = proof->unit + n;
  return THUD_OK;
}

thud_error thud_arc_proof_create(const sim_arc *arc, double wanted, arc_proof **proof) {
  arc_proof *made = THUD_NEW(arc->context, arc_proof);
  if (made == NULL) return THUD_ERROR_MEMORY;
  *made = (arc_proof){.context = arc->context,
                      .arc = arc,
                      .order = arc->order + MORE_ORDERS,
                      .wanted = wanted,
                      .slots = 1 + 2 * arc->n};
  thud_error error = create_arrays(made);
  if (error == THUD_OK) error = thud_bounds_create(made->context, arc->jets.program, made->order, &made->bounds);
  if (error != THUD_OK) {
    thud_arc_proof_destroy(made);
    return error;
  }
  *proof = made;
  return THUD_OK;
}

void thud_arc_proof_destroy(arc_proof *proof) {
  if (proof == NULL) return;
  thud_bounds_destroy(proof->bounds);
  thud_free(proof->context, proof->variables);
  thud_free(proof->context, proof->degree);
  thud_free(proof->context, proof->numbers);
  thud_free(proof->context, proof);
}

/* ---- the terms of the equations ------------------------------------------------------------------------------------ */

/* Number of factors a_j, r_i of component c of the equations, and of each the value that it is multiplied by. */
static size_t term_count(const sim_arc *arc) { return arc->n + arc->rows; }

static int32_t term_value(const arc_proof *proof, size_t c, size_t j) {
  const sim_arc *arc = proof->arc;
  size_t output = j < arc->n ? arc->jets.layout.mass + c * arc->n + j : thud_arc_row(arc, j - arc->n) + c;
  return bounds_output(proof->bounds, output);
}

static int32_t force_value(const arc_proof *proof, size_t c) {
  return bounds_output(proof->bounds, proof->arc->jets.layout.force + c);
}

/* The polynomial of factor j: a_j = q_j'' or the reaction of a row; with the sign of its term. */
static proof_path factor_path(const arc_proof *proof, size_t j, double *sign) {
  const sim_arc *arc = proof->arc;
  *sign = j < arc->n ? 1 : -1;
  if (j < arc->n) return (proof_path){.c = arc->q + j, .stride = arc->n, .degree = proof->degree[j], .derivative = 2};
  return (proof_path){.c = arc->reaction + (j - arc->n), .stride = arc->rows, .degree = proof->degree[j]};
}

/* ---- plain ------------------------------------------------------------------------------------------------------- */

/* d_c over the piece of the last plain pass. */
static expr_interval defect_on(const arc_proof *proof, size_t c, double from, double to) {
  const sim_arc *arc = proof->arc;
  const expr_interval *values = proof->bounds->values;
  expr_interval sum = expr_interval_negate(values[force_value(proof, c)]);
  for (size_t j = 0; j < term_count(arc); j++) {
    double sign;
    proof_path path = factor_path(proof, j, &sign);
    if (thud_path_is_zero(&path)) continue;
    expr_interval x = thud_path_enclose(&path, from, to);
    expr_interval term = thud_interval_multiply(values[term_value(proof, c, j)], x);
    sum = sign > 0 ? expr_interval_add(sum, term) : expr_interval_subtract(sum, term);
  }
  return sum;
}

static bool holds_plainly(arc_proof *proof, double from, double to) {
  thud_proof_plain(proof, from, to);
  for (size_t c = 0; c < proof->arc->n; c++) {
    double size = expr_interval_size(defect_on(proof, c, from, to));
    if (!(size <= proof->wanted * proof->unit[c])) return false;
    proof->bound[c] = fmax(proof->bound[c], size);
  }
  return true;
}

/* ---- scales ------------------------------------------------------------------------------------------------------ */

/* Forces this small lose their digits: they count as none. */
#define FORCE_UNDERFLOW (DBL_MIN / DBL_EPSILON)

/* sum |c_k| h^k */
static double size_of_series(const double *c, size_t stride, int degree, double h) {
  double sum = 0;
  for (int k = degree; k >= 0; k--) sum = sum * h + fabs(c[(size_t)k * stride]);
  return sum;
}

double thud_arc_size_on_step(const arc_proof *proof, size_t c, double h) {
  const sim_arc *arc = proof->arc;
  const model_jet_layout *at = &arc->jets.layout;
  double sum = size_of_series(arc->jet + at->force + c, at->count, arc->top, h);
  for (size_t j = 0; j < term_count(arc); j++) {
    bool mass = j < arc->n;
    if (proof->degree[j] < (mass ? 2 : 0) || bounds_is_nothing(proof->bounds, term_value(proof, c, j))) continue;
    size_t value = mass ? at->mass + c * arc->n + j : thud_arc_row(arc, j - arc->n) + c;
    const double *factor = mass ? arc->a + j : arc->reaction + (j - arc->n);
    sum += size_of_series(arc->jet + value, at->count, arc->top, h) *
           size_of_series(factor, mass ? arc->n : arc->rows, arc->top, h);
  }
  return sum;
}

/* Where forces decide: part of the largest forces of the run. */
#define LEAST_UNIT 1e-12

/* The sum of the sizes of the terms of component c at s, where the last plain pass was, and that of their rounding. */
static void measure_terms(const arc_proof *proof, size_t c, double s, double *size, double *noise) {
  const expr_interval *values = proof->bounds->values;
  expr_interval force = values[force_value(proof, c)];
  *size = expr_interval_size(force);
  *noise = expr_interval_radius(force);
  for (size_t j = 0; j < term_count(proof->arc); j++) {
    double sign;
    proof_path path = factor_path(proof, j, &sign);
    expr_interval value = values[term_value(proof, c, j)];
    if (thud_path_is_zero(&path) || (value.low == 0 && value.high == 0)) continue;
    expr_interval x = thud_path_enclose(&path, s, s);
    expr_interval term = thud_interval_multiply(value, x);
    *size += expr_interval_size(term);
    *noise += expr_interval_radius(term) + DBL_EPSILON * expr_interval_size(term);
  }
}

void thud_arc_noise_at(arc_proof *proof, double s, double *noise) {
  double size;
  thud_proof_plain(proof, s, s);
  for (size_t c = 0; c < proof->arc->n; c++) measure_terms(proof, c, s, &size, &noise[c]);
}

/* The most that others lend component c: those that it is coupled with, or all as long as it has had no force. sizes:
 * [n] of their terms. */
static double lent_size(const arc_proof *proof, size_t c, const double *sizes, bool by_all) {
  const sim_arc *arc = proof->arc;
  const expr_interval *values = proof->bounds->values;
  double lent = 0, mass = expr_interval_size(values[term_value(proof, c, c)]);
  for (size_t j = 0; j < arc->n; j++) {
    if (j == c || !(by_all || arc->group[j] == arc->group[c])) continue;
    double other = expr_interval_size(values[term_value(proof, j, j)]);
    if (other > 0) lent = fmax(lent, ARC_LENT * sizes[j] * sqrt(mass / other));
  }
  return isfinite(lent) ? lent : 0;
}

/* Where forces decide, the defect counts beside the terms of this arc alone, but not beside less than LEAST_UNIT of the
 * largest ones of the run (forces may all begin with 0), nor less than what is lent. bound: room. */
static void set_units_of_arc(arc_proof *proof, double h) {
  double *own = proof->bound;
  for (size_t c = 0; c < proof->arc->n; c++) own[c] = fmax(proof->unit[c], thud_arc_size_on_step(proof, c, h));
  for (size_t c = 0; c < proof->arc->n; c++) {
    double size = fmax(fmax(own[c], LEAST_UNIT * proof->scale[c]), lent_size(proof, c, own, false));
    proof->unit[c] = fmin(size, proof->scale[c]);
  }
}

/* The largest sum of the sizes of the terms so far; what is rounding alone at s = 0 can be proved. Where forces decide
 * it is that of this arc. */
static void widen_scales(arc_proof *proof, double h, bool forces_decide) {
  const sim_arc *arc = proof->arc;
  for (size_t c = 0; c < arc->n; c++) {
    double size, noise;
    measure_terms(proof, c, 0, &size, &noise);
    proof->noise[c] = 4 * noise;
    size = fmax(size, fmax(proof->noise[c] / proof->wanted, FORCE_UNDERFLOW));
    proof->unit[c] = isfinite(size) ? size : (double)INFINITY;
    if (isfinite(size)) proof->scale[c] = fmax(proof->scale[c], size);
  }
  for (size_t c = 0; c < arc->n; c++) {
    bool nothing = proof->scale[c] <= FORCE_UNDERFLOW;
    proof->scale[c] = fmax(proof->scale[c], lent_size(proof, c, proof->scale, nothing));
    if (!forces_decide) proof->unit[c] = proof->scale[c];
  }
  if (forces_decide) set_units_of_arc(proof, h);
}

/* The last coefficient that is not 0, -1: none. */
static int degree_of(const double *c, size_t stride, int last) {
  while (last >= 0 && c[(size_t)last * stride] == 0) last--;
  return last;
}

void thud_arc_proof_begin(arc_proof *proof, double h, bool forces_decide) {
  const sim_arc *arc = proof->arc;
  proof->expanded = false;
  proof->last = arc->finite ? arc->top : proof->order;
  for (size_t i = 0; i < arc->n; i++) proof->degree[i] = degree_of(arc->q + i, arc->n, arc->top + 2);
  for (size_t i = 0; i < arc->rows; i++) proof->degree[arc->n + i] = degree_of(arc->reaction + i, arc->rows, arc->top);
  thud_proof_plain(proof, 0, 0);
  widen_scales(proof, h, forces_decide);
}

/* ---- jet and tail ------------------------------------------------------------------------------------------------ */

/* A coefficient of the defect while its terms are added up. */
typedef struct term_sum {
  double middle, radius, size;
  int count;
} term_sum;

static void add_terms(const arc_proof *proof, const proof_path *path, double sign, int32_t number, term_sum *sums) {
  size_t row = (size_t)number * ((size_t)proof->bounds->max_order + 1);
  const double *value = proof->bounds->middle + row, *radius = proof->bounds->radius + row;
  int last = path->degree - path->derivative;
  for (int i = 0; i <= last && i <= proof->last; i++) {
    double x = thud_path_coefficient(path, i);
    for (int k = i; k <= proof->last; k++) {
      double term = x * value[k - i];
      sums[k].middle += sign * term;
      sums[k].size += fabs(term);
      sums[k].radius += fabs(x) * radius[k - i];
      sums[k].count++;
    }
  }
}

/* |d_k| of component c: sum_j (value_j path_j)_k - force_k, as balls. */
static void expand_component(arc_proof *proof, size_t c) {
  const sim_arc *arc = proof->arc;
  size_t row = (size_t)force_value(proof, c) * ((size_t)proof->bounds->max_order + 1);
  const double *force = proof->bounds->middle + row, *force_radius = proof->bounds->radius + row;
  double *out = proof->coefficient + c * ((size_t)proof->order + 1);
  term_sum sums[ARC_MAX_DEGREE + MORE_ORDERS + 1];
  for (int k = 0; k <= proof->last; k++) sums[k] = (term_sum){-force[k], force_radius[k], fabs(force[k]), 1};
  for (size_t j = 0; j < term_count(arc); j++) {
    double sign;
    proof_path path = factor_path(proof, j, &sign);
    if (thud_path_is_zero(&path) || bounds_is_nothing(proof->bounds, term_value(proof, c, j))) continue;
    add_terms(proof, &path, sign, term_value(proof, c, j), sums);
  }
  for (int k = 0; k <= proof->last; k++) {
    double bound = fabs(sums[k].middle) + sums[k].radius + (sums[k].count + 4) * DBL_EPSILON * sums[k].size;
    out[k] = bound >= 0 ? bound * (1 + 8 * DBL_EPSILON) : (double)INFINITY;
  }
}

void thud_arc_proof_expand(arc_proof *proof) {
  if (proof->expanded) return;
  thud_proof_plain(proof, 0, 0);
  thud_proof_load_coefficients(proof);
  thud_bounds_jet(proof->bounds, proof->arc->work, proof->last, proof->middle, proof->radius, (size_t)proof->order + 1);
  for (size_t c = 0; c < proof->arc->n; c++) expand_component(proof, c);
  proof->expanded = true;
}

/* How far d_c can be from d_c(0) on the disc of radius R. */
static double disc_of_defect(const arc_proof *proof, size_t c, double R) {
  const sim_arc *arc = proof->arc;
  const expr_interval *values = proof->bounds->values;
  double sum = proof->bounds->disc[force_value(proof, c)];
  for (size_t j = 0; j < term_count(arc); j++) {
    double sign;
    proof_path path = factor_path(proof, j, &sign);
    if (thud_path_is_zero(&path) || bounds_is_nothing(proof->bounds, term_value(proof, c, j))) continue;
    double centre = fabs(thud_path_coefficient(&path, 0)), reach = thud_path_reach(&path, R);
    int32_t value = term_value(proof, c, j);
    double other = proof->bounds->disc[value];
    sum += expr_interval_size(values[value]) * reach + other * (centre + reach);
  }
  return sum * (1 + EXPR_LIBM_ROUNDING);
}

/* The bound of |d_c| on [0, h] from the coefficients and, with the disc |s| <= R, their tail. */
static double series_bound(const arc_proof *proof, size_t c, double h, double tail) {
  const double *d = proof->coefficient + c * ((size_t)proof->order + 1);
  double sum = 0;
  for (int k = proof->last; k >= 0; k--) sum = sum * h + d[k];
  return sum * (1 + 64 * DBL_EPSILON) + tail;
}

/* The bounds of the components into `bound`, the largest in units of what is wanted; factor of the discs' radii in the
 * tails, 0: the series ends. */
static double worst_bound(arc_proof *proof, double h, double R, double factor) {
  double worst = 0;
  for (size_t c = 0; c < proof->arc->n; c++) {
    double tail = factor > 0 ? disc_of_defect(proof, c, R) * factor : 0;
    double bound = series_bound(proof, c, h, isnan(tail) ? (double)INFINITY : tail);
    proof->bound[c] = bound;
    worst = fmax(worst, isnan(bound) ? (double)INFINITY : bound / (proof->wanted * proof->unit[c]));
  }
  return worst;
}

/* The same with the disc R = ratio h. */
static double bound_with(arc_proof *proof, double h, double ratio) {
  double R = ratio * h, part = 1 / ratio;
  thud_proof_load_discs(proof, R);
  thud_bounds_disc(proof->bounds, proof->arc->work, proof->disc);
  return worst_bound(proof, h, R, pow(part, proof->last + 1) / (1 - part) * (1 + EXPR_LIBM_ROUNDING));
}

/* The first of some discs that proves what is asked for, or the best of them. Always in the same order: what an arc is
 * proved to be does not depend on the arcs before it. */
static double best_bound(arc_proof *proof, double h, double asked) {
  static const double ratios[] = {4.5, 6, 3, 2, 1.4, 9};
  double best = (double)INFINITY;
  for (size_t k = 0; best > asked && k < sizeof ratios / sizeof *ratios; k++)
    best = fmin(best, bound_with(proof, h, ratios[k]));
  return best;
}

/* ---- shortening -------------------------------------------------------------------------------------------------- */

enum { PIECE_DEPTH = 10, ATTEMPTS = 60 };
#define SPLIT 0.4823

/* The part from the left that plain intervals prove, by bisection. */
static double prove_prefix(arc_proof *proof, double h) {
  double done = 0, piece = h;
  memset(proof->bound, 0, proof->arc->n * sizeof *proof->bound);
  for (int depth = 0; depth <= PIECE_DEPTH && done < h;) {
    double end = fmin(done + piece, h);
    if (holds_plainly(proof, done, end)) {
      done = end;
    } else {
      piece *= SPLIT;
      depth++;
    }
  }
  return done;
}

/* A longer part than [0, h] that plain intervals prove; 0: none was found. */
static double longer_plainly(arc_proof *proof, double h, double longest) {
  for (double next = longest; next > 2 * h; next *= SPLIT) {
    memset(proof->bound, 0, proof->arc->n * sizeof *proof->bound);
    if (holds_plainly(proof, 0, next)) return next;
  }
  return 0;
}

/* Longer parts than this are worth a pass. */
#define LEAST_GROWTH 1.4

/* How much longer a part may become until the terms that the series has cut off are of the size `asked`. */
static double room_for(const arc_proof *proof, double h, double asked) {
  int first = proof->arc->order + 1;
  double worst = 0;
  for (size_t c = 0; c < proof->arc->n; c++) {
    const double *d = proof->coefficient + c * ((size_t)proof->order + 1);
    double sum = 0;
    for (int k = proof->last; k >= first; k--) sum = sum * h + d[k];
    worst = fmax(worst, sum * pow(h, first) / (proof->wanted * proof->unit[c]));
  }
  return pow(asked / worst, 1.0 / first);
}

/* Where the present forces are small the bound on [0, h] may be far below the rounding of the largest ones: a longer part
 * on which it is not above that; 0: none was found. */
static double longer_by_series(arc_proof *proof, double h, double longest) {
  const double asked = EXPR_LIBM_ROUNDING / proof->wanted;
  double growth = fmin(room_for(proof, h, asked), longest / h);
  for (; growth > LEAST_GROWTH; growth = pow(growth, 0.75))
    if (best_bound(proof, growth * h, asked) <= asked) return fmin(growth * h, longest);
  return 0;
}

/* The jet, and the values at s = 0 that discs are about. */
static void begin_series(arc_proof *proof) {
  thud_arc_proof_expand(proof);
  if (!proof->arc->finite) thud_proof_plain(proof, 0, 0);
}

/* The bound on [0, h] by the series. */
static double bound_of_series(arc_proof *proof, double h) {
  return proof->arc->finite ? worst_bound(proof, h, 0, 0) : best_bound(proof, h, 1);
}

static bool prove_plainly(arc_proof *proof, double h) {
  memset(proof->bound, 0, proof->arc->n * sizeof *proof->bound);
  return !proof->arc->finite && holds_plainly(proof, 0, h);
}

/* [0, h] is proved. A longer part, or what there is, whose bounds are then found again. */
static double prove_longer(arc_proof *proof, double h, double longest, bool plainly) {
  if (proof->arc->finite || !(longest > LEAST_GROWTH * h)) return h;
  double longer = plainly ? longer_plainly(proof, h, longest) : 0;
  if (longer > 0) return longer;
  begin_series(proof);
  longer = longer_by_series(proof, h, longest);
  if (longer > 0) return longer;
  if (plainly)
    prove_plainly(proof, h);
  else
    bound_of_series(proof, h);
  return h;
}

/* The order of the term of the bound that matters most, in the component with the largest bound: that of a coefficient,
 * such as the rounding of a large one, or of the tail. */
static int order_of_bound(const arc_proof *proof, double h) {
  size_t worst = 0;
  for (size_t c = 1; c < proof->arc->n; c++)
    if (proof->bound[c] / proof->unit[c] > proof->bound[worst] / proof->unit[worst]) worst = c;
  const double *d = proof->coefficient + worst * ((size_t)proof->order + 1);
  double power = 1, most = 0, sum = d[0];
  int order = proof->last + 1;
  for (int k = 1; k <= proof->last; k++) {
    power *= h;
    sum += d[k] * power;
    if (!(d[k] * power > most)) continue;
    most = d[k] * power;
    order = k;
  }
  return most > proof->bound[worst] - sum ? order : proof->last + 1;
}

/* By how much a part is shortened whose bound is so many times what is wanted. The tail holds for the disc that was tried:
 * its part is not believed beyond a tenth. */
static double shortening(const arc_proof *proof, double h, double bound) {
  int order = order_of_bound(proof, h);
  double factor = fmin(0.93 * pow(1 / bound, 1.0 / order), 0.9);
  return order <= proof->last ? factor : fmax(factor, 0.1);
}

double thud_arc_prove_defect(arc_proof *proof, double h, double longest) {
  for (int k = 0; k < ATTEMPTS && h > 0; k++) {
    if (prove_plainly(proof, h)) return k == 0 ? prove_longer(proof, h, longest, true) : h;
    begin_series(proof);
    double bound = bound_of_series(proof, h);
    if (bound <= 1) return k == 0 ? prove_longer(proof, h, longest, false) : h;
    if (bound < 1e6 / proof->wanted) {
      h *= shortening(proof, h, bound);
      continue;
    }
    double prefix = prove_prefix(proof, h);
    if (prefix > 0) return prefix;
    h /= 16;
  }
  return 0;
}

double thud_arc_proved_defect(const arc_proof *proof, double *force) {
  double worst = 0, sum = 0;
  for (size_t c = 0; c < proof->arc->n; c++) {
    worst = fmax(worst, proof->bound[c] / proof->scale[c]);
    sum += proof->bound[c] * proof->bound[c];
  }
  *force = sqrt(sum);
  return worst;
}

double thud_arc_least_by_series(arc_proof *proof, const proof_function *f, double end) {
  const double ratio = 4.5, part = 1 / ratio;
  size_t stride = (size_t)proof->bounds->max_order + 1;
  double sum = 0, disc = 0;
  proof->expanded = false; /* slopes have taken its place */
  thud_arc_proof_expand(proof);
  if (!proof->arc->finite) {
    thud_proof_load_discs(proof, ratio * end);
    thud_bounds_disc(proof->bounds, proof->arc->work, proof->disc);
  }
  for (int k = proof->last; k >= 0; k--) {
    double middle = 0, radius = 0;
    for (size_t j = 0; j < f->count; j++) {
      size_t at = (size_t)f->value[j] * stride + (size_t)k;
      middle += f->factor[j] * proof->bounds->middle[at];
      radius += fabs(f->factor[j]) * (proof->bounds->radius[at] + DBL_EPSILON * fabs(proof->bounds->middle[at]));
    }
    double low = expr_down(middle - radius);
    sum = expr_down(sum * end) + (k == 0 ? low : fmin(low, 0));
  }
  for (size_t j = 0; j < f->count && !proof->arc->finite; j++)
    disc += fabs(f->factor[j]) * proof->bounds->disc[f->value[j]];
  double tail = disc * pow(part, proof->last + 1) / (1 - part) * (1 + EXPR_LIBM_ROUNDING);
  double least = expr_down(expr_down(sum) - tail);
  return isnan(least) ? -(double)INFINITY : least;
}

double thud_arc_series_error(arc_proof *proof, int32_t value, const double *c, size_t stride, double end) {
  const double ratio = 4.5, part = 1 / ratio;
  size_t row = (size_t)value * ((size_t)proof->bounds->max_order + 1);
  double sum = 0;
  proof->expanded = false;
  thud_arc_proof_expand(proof);
  if (!proof->arc->finite) {
    thud_proof_load_discs(proof, ratio * end);
    thud_bounds_disc(proof->bounds, proof->arc->work, proof->disc);
  }
  for (int k = proof->last; k >= 0; k--) {
    double middle = proof->bounds->middle[row + (size_t)k], known = k <= proof->arc->order ? c[(size_t)k * stride] : 0;
    sum = sum * end + fabs(middle - known) + proof->bounds->radius[row + (size_t)k] + DBL_EPSILON * fabs(middle);
  }
  double tail = proof->arc->finite ? 0 : proof->bounds->disc[value] * pow(part, proof->last + 1) / (1 - part);
  double error = (sum + tail) * (1 + 64 * DBL_EPSILON + EXPR_LIBM_ROUNDING);
  return error >= 0 ? error : (double)INFINITY;
}

/* ---- polynomials of arcs ------------------------------------------------------------------------------------------- */

/* Polynomials of arcs: enclosures on pieces, coefficients with their rounding, reach on complex discs. */

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
