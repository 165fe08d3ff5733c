/* Proofs along recorded arcs: their life, their pieces, the polynomials about points of them, and what is said of them. */
#include "verify/event/verify_event.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

enum {
  LEAST_ORDER = 8, /* of Taylor's formula for the defect: that of the record's polynomials, between these */
  MOST_ORDER = 24,
  GAP_ORDER = 6,
  MOST_PIECES = 1200, /* work limit: of an arc */
  MOST_DEPTH = 48,
  FORCE_SAMPLES = 64
};

/* Gaps may be this far from where they must be, relative to the terms they are made of. */
#define GAP_ROUNDING 1e-11

/* How near an end of an arc that ends at a switch its branch is held on; how far the argument may then be beyond 0,
 * relative to its size in the middle of the arc. */
#define END_PART 0x1p-30
#define BEYOND_SWITCH 1e-6
#define TIME_ERRORS 8.0

/* ---- life ---------------------------------------------------------------------------------------------------------
 */

static thud_error create_series(verify_proof *proof, size_t width) {
  size_t series = proof->slots + proof->n + proof->rows, switches = (size_t)proof->motion->program->switch_count;
  if (proof->gaps != NULL && (size_t)proof->gaps->program->switch_count > switches)
    switches = (size_t)proof->gaps->program->switch_count;
  proof->variables = THUD_NEW_ARRAY(proof->context, verify_interval, proof->slots + proof->m);
  proof->path = THUD_NEW_ARRAY(proof->context, verify_series, 2 * series);
  proof->numbers =
      THUD_NEW_ARRAY(proof->context, double, 4 * series * width + 5 * proof->n + 2 * proof->m + switches + 1);
  if (proof->variables == NULL || proof->path == NULL || proof->numbers == NULL) return THUD_ERROR_MEMORY;
  proof->range = proof->variables + proof->slots;
  proof->wide = proof->path + series;
  double *next = proof->numbers;
  for (size_t k = 0; k < 2 * series; k++, next += 2 * width)
    proof->path[k] = (verify_series){.middle = next, .radius = next + width};
  proof->scale = next;
  proof->bound = proof->scale + proof->n;
  proof->sum = proof->bound + proof->n;
  proof->size = proof->sum + proof->n;
  proof->noise = proof->size + proof->n;
  proof->eta = proof->noise + proof->n;
  proof->flight = proof->eta + proof->m;
  proof->argument = proof->flight + proof->m;
  return THUD_OK;
}

static thud_error create_parts(const verify_event_rows *f, verify_proof *proof) {
  const verify_system *system = f->system;
  int degree = (int)f->degree;
  size_t width = (size_t)(degree > MOST_ORDER ? degree : MOST_ORDER) + 2;
  if (f->force_degree + 2 > width) width = f->force_degree + 2;
  proof->order = degree < LEAST_ORDER ? LEAST_ORDER : degree > MOST_ORDER ? MOST_ORDER : degree;
  proof->gap_order = GAP_ORDER;
  int room = degree > proof->order ? degree : proof->order; /* coefficients are asked to the last */
  thud_error error = thud_verify_enclosure_create(proof->context, system->motion_program, room, &proof->motion);
  if (error == THUD_OK && system->gap_program != NULL)
    error = thud_verify_enclosure_create(proof->context, system->gap_program, proof->gap_order, &proof->gaps);
  if (error == THUD_OK && system->friction_program != NULL)
    error = thud_verify_enclosure_create(proof->context, system->friction_program, 1, &proof->friction);
  return error == THUD_OK ? create_series(proof, width) : error;
}

/* Scales before the first arc: the forces on the initial state at times of the run, and what would move the state by
 * its own size within the run. */
static void begin_scales(verify_event_rows *f) {
  verify_system *system = f->system;
  double length = f->length;
  for (int k = 0; k <= FORCE_SAMPLES; k++) {
    double t = system->scene.start + length * k / FORCE_SAMPLES;
    if (!thud_verify_system_at(system, t, system->scene.initial, system->initial_v, &f->at)) continue;
    for (size_t c = 0; c < f->n; c++) {
      double own = fabs(system->scene.initial[c]) / length + fabs(system->initial_v[c]);
      double size = fmax(fabs(f->at.force[c]), fabs(f->at.mass[c * f->n + c]) * own / length);
      if (isfinite(size)) f->proof->scale[c] = fmax(f->proof->scale[c], size);
    }
  }
}

/* Sizes of the terms of the gaps at the beginnings, middles and ends of arcs: what their rounding is relative to, and
 * what the rounding of velocities moves them by in the time of the run. */
static void begin_gaps(verify_event_rows *f) {
  double *eta = f->proof->eta, *q = f->state, length = f->system->scene.end - f->system->scene.start;
  for (size_t k = 0; k < f->count; k++)
    for (int part = 0; part < 3; part++) {
      double s = (f->t_end[k] - f->t[k]) * part / 2, t = f->t[k] + s;
      thud_verify_event_state(f, k, s, q, q + f->n, q + 2 * f->n);
      if (!thud_verify_system_at(f->system, t, q, q + f->n, &f->at)) continue;
      for (size_t i = 0; i < f->m; i++) {
        double size = GAP_ROUNDING * (fabs(f->at.gap[i]) + fabs(f->at.rate[i] * t));
        for (size_t j = 0; j < f->n; j++)
          size += fabs(f->at.gradient[i * f->n + j]) *
                  (GAP_ROUNDING * fabs(q[j]) + VERIFY_ROUNDING * length * f->v_size[j] + length * f->arc_error[j]);
        eta[i] = fmax(eta[i], size);
      }
    }
  for (size_t i = 0; i < f->m; i++) eta[i] += fmax(0, f->system->gap_tolerance);
}

thud_error thud_verify_proof_create(verify_event_rows *f) {
  if (f->system->functions) {
    thud_verify_skip(&f->checks[EVENT_PROOF], THUD_VERIFY_NOT_CHECKED, "functions of a program have no formulas");
    return THUD_OK;
  }
  verify_proof *proof = THUD_NEW(f->context, verify_proof);
  if (proof == NULL) return THUD_ERROR_MEMORY;
  *proof = (verify_proof){
      .context = f->context, .n = f->n, .m = f->m, .rows = f->m + f->s, .slots = 1 + 2 * f->n, .order = 0};
  thud_error error = create_parts(f, proof);
  if (error != THUD_OK) {
    thud_verify_proof_destroy(proof);
    return error;
  }
  f->proof = proof;
  error = thud_verify_proof_couple(f);
  if (error != THUD_OK) return error;
  begin_gaps(f);
  begin_scales(f);
  return THUD_OK;
}

void thud_verify_proof_destroy(verify_proof *proof) {
  if (proof == NULL) return;
  thud_verify_enclosure_destroy(proof->motion);
  thud_verify_enclosure_destroy(proof->gaps);
  thud_verify_enclosure_destroy(proof->friction);
  thud_free(proof->context, proof->variables);
  thud_free(proof->context, proof->path);
  thud_free(proof->context, proof->coupled);
  thud_free(proof->context, proof->numbers);
  thud_free(proof->context, proof);
}

/* ---- a piece ------------------------------------------------------------------------------------------------------
 */

void thud_verify_proof_place(verify_event_rows *f, size_t k, const verify_piece *piece, bool reactions) {
  verify_proof *proof = f->proof;
  const verify_system *system = f->system;
  size_t rows = proof->rows;
  thud_verify_path_time(piece, &proof->path[system->scene.time_slot]);
  for (size_t i = 0; i < f->n; i++) {
    verify_polynomial q = {.c = verify_event_q(f, k) + i, .stride = f->n, .degree = (int)f->degree};
    thud_verify_path_motion(&q, piece, &proof->path[system->slot_q[i]], &proof->path[system->slot_v[i]],
                            &proof->path[proof->slots + i]);
  }
  for (size_t i = 0; i < rows && reactions; i++) {
    const double *c = f->reaction + k * (f->force_degree + 1) * rows + i;
    verify_polynomial r = {.c = c, .stride = rows, .degree = (int)f->force_degree};
    thud_verify_path_shift(&r, piece, &proof->path[proof->slots + f->n + i]);
  }
}

void thud_verify_proof_range(verify_proof *proof, bool whole) {
  for (size_t j = 0; j < proof->slots; j++)
    proof->variables[j] =
        whole ? thud_verify_path_range(&proof->path[j], proof->from_start) : thud_verify_path_centre(&proof->path[j]);
}

static verify_finding prove_piece(verify_event_rows *f, size_t k, bool gaps, const verify_piece *piece,
                                  verify_broken *broken) {
  thud_verify_proof_place(f, k, piece, !gaps);
  return gaps ? thud_verify_proof_gaps(f, k, piece, broken) : thud_verify_proof_defect(f, k, piece, broken);
}

/* ---- switches at the ends of arcs ---------------------------------------------------------------------------------
 */

static void free_switches(verify_enclosure *e) {
  if (e->program->switch_count > 0) memset(e->held, 0, (size_t)e->program->switch_count * sizeof *e->held);
}

static verify_interval argument(const verify_enclosure *e, thud_index j) {
  return e->values[e->program->switches[j].argument];
}

static void place_point(verify_event_rows *f, size_t k, verify_enclosure *e, double s) {
  verify_piece point = thud_verify_piece(f->t[k], s, s);
  thud_verify_proof_place(f, k, &point, false);
  thud_verify_proof_range(f->proof, false);
  thud_verify_enclose(e, f->proof->variables);
}

/* Switches that the pass did not meet decide nothing of it. */
static void hold_switches(verify_enclosure *e) {
  free_switches(e);
  for (int32_t n = 0; n < e->met_count; n++) e->held[e->met[n]] = (int8_t)verify_sign(argument(e, e->met[n]));
}

/* Sizes of the arguments in the middle of the arc. */
static void measure_switches(verify_event_rows *f, size_t k, verify_enclosure *e, double h) {
  place_point(f, k, e, h / 2);
  thud_verify_keep_variables(e);
  for (int32_t n = 0; n < e->met_count; n++) f->proof->argument[e->met[n]] = verify_magnitude(argument(e, e->met[n]));
}

/* What measure_switches found, or would have: near an end a pass may meet switches that it does not in the middle. */
static double size_of_argument(const verify_event_rows *f, const verify_enclosure *e, int32_t j) {
  if (!e->lazy || !thud_verify_is_of_leaves(e, j)) return f->proof->argument[j];
  return verify_magnitude(thud_verify_kept_argument(e, j));
}

/* Next to an end the branches are those of the inner edge, and no argument leaves its side by more than rounding. */
static verify_finding prove_end(verify_event_rows *f, size_t k, bool gaps, double from, double to, double inner,
                                verify_broken *broken) {
  verify_enclosure *e = gaps ? f->proof->gaps : f->proof->motion;
  verify_piece piece = thud_verify_piece(f->t[k], from, to);
  place_point(f, k, e, inner);
  hold_switches(e);
  verify_finding finding = prove_piece(f, k, gaps, &piece, broken);
  thud_verify_proof_range(f->proof, true);
  thud_verify_enclose(e, f->proof->variables);
  for (int32_t n = 0; n < e->met_count; n++) {
    int32_t j = e->met[n];
    verify_interval x = argument(e, j);
    double beyond = e->held[j] > 0 ? -x.low : e->held[j] < 0 ? x.high : 0;
    if (!(beyond <= BEYOND_SWITCH * size_of_argument(f, e, j))) finding = VERIFY_OPEN;
  }
  free_switches(e);
  return finding;
}

/* ---- arcs ---------------------------------------------------------------------------------------------------------
 */

/* [from, to] in halves, left to right, within the work limit. */
static verify_finding prove_pieces(verify_event_rows *f, size_t k, bool gaps, double from, double to,
                                   verify_broken *broken) {
  double ends[MOST_DEPTH + 1];
  int depth = 0;
  ends[0] = to;
  for (int work = 0; work < MOST_PIECES; work++) {
    verify_piece piece = thud_verify_piece(f->t[k], from, ends[depth]);
    verify_finding finding = prove_piece(f, k, gaps, &piece, broken);
    if (finding == VERIFY_BROKEN) return finding;
    if (finding == VERIFY_HOLDS) {
      from = ends[depth];
      if (depth-- == 0) return VERIFY_HOLDS;
      continue;
    }
    double middle = from + (ends[depth] - from) / 2;
    broken->t = f->t[k] + middle;
    if (depth == MOST_DEPTH || !(middle > from && middle < ends[depth])) return VERIFY_OPEN;
    ends[++depth] = middle;
  }
  return VERIFY_OPEN;
}

/* How far the time of a row may be from that of its switch: a part of the arc, rounding of the time, and what the
 * record says of it, as far as the scene lets it. */
static double end_part(const verify_event_rows *f, size_t row, double h) {
  double t = fabs(f->t[row]), length = f->system->scene.end - f->system->scene.start;
  double error = fmin(f->t_error[row], f->system->time_tolerance * fmax(t, length));
  return fmax(END_PART * h, TIME_ERRORS * fmax(DBL_EPSILON * (t + h), error));
}

void thud_verify_proof_hold(verify_event_rows *f, size_t k) {
  verify_enclosure *e = f->proof->motion;
  double h = f->t_end[k] - f->t[k];
  if (e->program->switch_count == 0) return;
  place_point(f, k, e, fmin(end_part(f, k, h), h / 2));
  hold_switches(e);
}

void thud_verify_proof_free(verify_event_rows *f) { free_switches(f->proof->motion); }

static verify_finding prove_arc(verify_event_rows *f, size_t k, bool gaps, verify_broken *broken) {
  verify_enclosure *e = gaps ? f->proof->gaps : f->proof->motion;
  double h = f->t_end[k] - f->t[k];
  if (e->program->switch_count == 0) return prove_pieces(f, k, gaps, 0, h, broken);
  measure_switches(f, k, e, h);
  double first = end_part(f, k, h), last = h - end_part(f, k + 1 < f->count ? k + 1 : k, h);
  if (!(first < last)) return prove_end(f, k, gaps, 0, h, h / 2, broken); /* too short to tell its ends apart */
  verify_finding finding = prove_end(f, k, gaps, 0, first, first, broken);
  if (finding == VERIFY_HOLDS) finding = prove_pieces(f, k, gaps, first, last, broken);
  if (finding == VERIFY_HOLDS) finding = prove_end(f, k, gaps, last, h, last, broken);
  return finding;
}

static void leave_open(verify_event_rows *f, size_t k, const verify_broken *broken, const char *what) {
  verify_proof *proof = f->proof;
  if (proof->unproved++ > 0) return;
  proof->unproved_time = broken->t;
  proof->unproved_begin = f->t[k];
  proof->unproved_end = f->t_end[k];
  snprintf(proof->unproved_what, sizeof proof->unproved_what, "%s", what);
}

static bool prove_gaps(verify_event_rows *f, size_t k) {
  verify_broken broken = {.t = f->t[k]};
  if (f->proof->gaps == NULL) return true;
  verify_finding finding = prove_arc(f, k, true, &broken);
  if (finding == VERIFY_BROKEN) {
    thud_verify_fail(&f->checks[EVENT_PROOF], broken.t, k, "gap of '%s' is %.6g on the arc from t = %.10g to %.10g",
                     f->system->constraints[broken.index].name, broken.value, f->t[k], f->t_end[k]);
  } else if (finding == VERIFY_OPEN) {
    leave_open(f, k, &broken, "gaps");
  }
  return finding == VERIFY_HOLDS;
}

/* Is something closed, so that small forces may decide what happens next? */
static bool forces_decide(const verify_event_rows *f, size_t k) {
  for (size_t i = 0; i < f->m; i++) {
    bool one_sided = verify_is_one_sided(f->system->constraints[i].kind);
    if (one_sided && verify_event_mode(f, k, i) != VERIFY_MODE_OPEN) return true;
  }
  return f->system->law_count > 0;
}

/* Bounds that are so large that they claim nothing. */
static bool is_too_coarse(const verify_event_rows *f, size_t k) {
  for (size_t c = 0; c < f->n; c++)
    if (f->stated[k * f->n + c] > VERIFY_STATED * f->proof->scale[c]) return true;
  return false;
}

static bool is_too_fine(const verify_event_rows *f, size_t k) {
  for (size_t c = 0; c < f->n; c++)
    if (!(f->stated[k * f->n + c] >= VERIFY_FINEST * f->proof->size[c])) return true;
  return false;
}

/* The bounds that the record states: they must be what this checker can confirm. */
static verify_finding confirm_stated(verify_event_rows *f, size_t k) {
  verify_proof *proof = f->proof;
  verify_broken broken = {.t = f->t[k]};
  proof->stated = f->stated + k * f->n;
  verify_finding finding = is_too_fine(f, k) ? VERIFY_OPEN : prove_arc(f, k, false, &broken);
  if (finding == VERIFY_OPEN && !is_too_fine(f, k) && forces_decide(f, k)) {
    memset(proof->bound, 0, f->n * sizeof *proof->bound);
    proof->coarse = true;
    finding = prove_arc(f, k, false, &broken);
    proof->coarse = false;
  }
  proof->stated = NULL;
  if (finding == VERIFY_BROKEN)
    thud_verify_fail(&f->checks[EVENT_PROOF], broken.t, k,
                     "the record states that at most %.3g is left of the equation of '%s' on the arc from t = %.10g to "
                     "%.10g: it is %.3g",
                     f->stated[k * f->n + broken.index], f->system->scene.names[broken.index], f->t[k], f->t_end[k],
                     broken.value);
  else if (finding == VERIFY_OPEN)
    thud_verify_fail(&f->checks[EVENT_PROOF], broken.t, k,
                     "the bounds that the record states of the equations of motion on the arc from t = %.10g to %.10g "
                     "cannot be confirmed",
                     f->t[k], f->t_end[k]);
  return finding;
}

static bool prove_defect(verify_event_rows *f, size_t k) {
  verify_proof *proof = f->proof;
  verify_broken broken = {.t = f->t[k]};
  bool stated = !isnan(f->stated[k * f->n]);
  memset(proof->bound, 0, f->n * sizeof *proof->bound);
  if (stated && is_too_coarse(f, k))
    thud_verify_fail(&f->checks[EVENT_PROOF], f->t[k], k,
                     "the bounds that the record states of the equations of motion on the arc from t = %.10g to %.10g "
                     "are more than %.3g of the forces",
                     f->t[k], f->t_end[k], VERIFY_STATED);
  verify_finding finding = stated ? confirm_stated(f, k) : VERIFY_OPEN;
  if (finding != VERIFY_HOLDS) {
    memset(proof->bound, 0, f->n * sizeof *proof->bound);
    finding = prove_arc(f, k, false, &broken);
  }
  if (finding == VERIFY_BROKEN) {
    thud_verify_fail(&f->checks[EVENT_PROOF], broken.t, k,
                     "equation of '%s' on the arc from t = %.10g to %.10g: a force of %.3g is left, accepted are %.3g",
                     f->system->scene.names[broken.index], f->t[k], f->t_end[k], broken.value,
                     VERIFY_DEFECT * proof->scale[broken.index]);
  } else if (finding == VERIFY_OPEN) {
    leave_open(f, k, &broken, "equations of motion");
  }
  if (finding != VERIFY_HOLDS) return false;
  double sum = 0;
  for (size_t c = 0; c < f->n; c++) {
    sum = hypot(sum, proof->bound[c]);
    thud_verify_tally(&f->checks[EVENT_PROOF], proof->bound[c] / proof->scale[c], VERIFY_DEFECT, 0, f->t[k], k);
  }
  proof->force += sum * (f->t_end[k] - f->t[k]);
  return true;
}

/* What the record says of the arc is possible: closed tails are assumed and nothing else is, what is proved has bounds,
 * and functions of a program are known where they were called. */
static void check_status(verify_event_rows *f, size_t k) {
  double status = f->status[k];
  if (isnan(status)) return;
  bool arc = verify_event_has_arc(f, k), any = false, all = true;
  bool good = (status == VERIFY_ARC_ASSUMED) == (f->accumulation[k] != 0);
  for (size_t c = 0; c < f->n; c++) {
    any = any || !isnan(f->stated[k * f->n + c]);
    all = all && f->stated[k * f->n + c] >= 0;
  }
  if (any && !all) good = false;
  if (status == VERIFY_ARC_PROVED && arc) good = good && all && !f->system->functions;
  if (status == VERIFY_ARC_ASSUMED || status == VERIFY_ARC_SAMPLED || status == VERIFY_ARC_PASSAGE || !arc)
    good = good && !any;
  if (!arc) good = good && status == VERIFY_ARC_PROVED; /* nothing is between its ends */
  if (!good)
    thud_verify_fail(&f->checks[EVENT_PROOF], f->t[k], k, "the arc cannot be what the record says of it (%s)",
                     status == VERIFY_ARC_PROVED    ? "proved"
                     : status == VERIFY_ARC_SAMPLED ? "sampled"
                     : status == VERIFY_ARC_ASSUMED ? "assumed"
                     : status == VERIFY_ARC_PASSAGE ? "passage"
                                                    : "open");
}

/* All values of `e` on [from, to] of the arc of row k. */
static void proof_enclose(verify_event_rows *f, size_t k, verify_enclosure *e, double from, double to) {
  verify_piece piece = thud_verify_piece(f->t[k], from, to);
  thud_verify_proof_place(f, k, &piece, false);
  thud_verify_proof_range(f->proof, true);
  thud_verify_enclose(e, f->proof->variables);
}

/* The arc that stands for the rest of an accumulation is a curve through its ends: the gaps that close at the limit are known to
 * the height of a flight, at most |u| h with the velocity u at its start. */
static void find_flights(verify_event_rows *f, size_t k) {
  double h = f->t_end[k] - f->t[k], *flight = f->proof->flight;
  for (size_t i = 0; i < f->m; i++) flight[i] = 0;
  if (f->accumulation[k] == 0 || k + 1 >= f->count || !thud_verify_event_place(f, k, 0)) return;
  for (size_t i = 0; i < f->m; i++)
    if (f->involved[(k + 1) * f->m + i] != 0 && f->system->constraints[i].kind == VERIFY_UNILATERAL)
      flight[i] = h * fabs(thud_verify_constraint_velocity(f->system, &f->at, i, f->state + f->n));
}

void thud_verify_proof_arc(verify_event_rows *f, size_t k) {
  check_status(f, k);
  if (f->proof == NULL || !verify_event_has_arc(f, k)) return;
  find_flights(f, k);
  f->proof->gaps_hold = prove_gaps(f, k);
  if (f->accumulation[k] != 0) return;      /* stands for infinitely many arcs */
  if (f->status[k] == VERIFY_ARC_PASSAGE) { /* judged at points: its reactions may be no polynomials */
    f->proof->passages++;
    thud_verify_event_check_passage(f, k);
    return;
  }
  thud_verify_proof_widen(f, k);
  bool defect = prove_defect(f, k);
  thud_verify_proof_coefficients(f, k);
  f->proof->proved += f->proof->gaps_hold && defect;
}

void thud_verify_proof_report(verify_event_rows *f) {
  const verify_proof *proof = f->proof;
  thud_verify_check *check = &f->checks[EVENT_PROOF];
  if (proof == NULL || check->status == THUD_VERIFY_FAILED) return;
  if (proof->proved + proof->unproved + proof->passages == 0)
    thud_verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "there are no arcs");
  else if (proof->unproved > 0)
    thud_verify_skip(check, THUD_VERIFY_NOT_CHECKED,
                     "not proved: %s at t = %.10g on the arc from t = %.10g to %.10g, %zu in all; %zu arcs proved",
                     proof->unproved_what, proof->unproved_time, proof->unproved_begin, proof->unproved_end,
                     proof->unproved, proof->proved);
  else
    thud_verify_explain(check, "%zu arc%s proved, force error over the run <= %.3g; coefficients of %zu%s",
                        proof->proved, thud_plural(proof->proved), proof->force, proof->by_coefficient,
                        proof->by_coefficient < proof->proved ? ", not checked: those of others below that" : "");
  if (proof->passages > 0 && check->status == THUD_VERIFY_PASSED) {
    char passed[96];
    snprintf(passed, sizeof passed, "%zu through dependences of equations judged at points", proof->passages);
    thud_verify_add(check, passed);
  }
  if (proof->at_points == 0 || check->status != THUD_VERIFY_PASSED) return;
  char text[128];
  snprintf(text, sizeof text, "%zu bounds of reactions enclosed, %zu judged at points (first at t = %.10g)",
           proof->enclosed, proof->at_points, proof->at_points_time);
  thud_verify_add(check, text);
}

/* ---- polynomials of arcs about points of them, with their rounding errors ---------------------------------------- */

#define UNIT 0x1p-53

/* a + b - sum without rounding, sum = fl(a + b) (Knuth's two-sum). */
static double rest_of_sum(double a, double b, double sum) {
  double b_part = sum - a, a_part = sum - b_part;
  return (a - a_part) + (b - b_part);
}

/* The centre is taken so that its time is a number: what depends on time by large factors then has no rounding of the
 * time to carry. Where times cannot resolve the piece its rounding is known. `half` reaches both ends and no further: a
 * difference of two numbers is rounded once. */
verify_piece thud_verify_piece(double t0, double from, double to) {
  double middle = from + (to - from) / 2, time = t0 + middle, centre = time - t0;
  verify_piece piece = {.from = from, .to = to, .time = time, .centre = centre};
  if (!(fabs(centre - middle) <= (to - from) / 8)) piece.centre = middle;
  piece.time_error = fabs(rest_of_sum(t0, piece.centre, time));
  piece.half = verify_most(to - piece.centre, piece.centre - from) * (1 + 8 * UNIT);
  if (from == to) piece.half = 0;
  return piece;
}

verify_piece thud_verify_piece_from_start(double t0, double to) {
  return (verify_piece){.to = to, .time = t0, .half = to};
}

static verify_series *zero(verify_series *out) {
  out->last = 0;
  out->middle[0] = out->radius[0] = 0;
  return out;
}

/* (k + d)!/k! */
static double falling(int k, int d) { return d == 0 ? 1 : d == 1 ? k + 1 : (k + 1.0) * (k + 2.0); }

static int trimmed(const verify_polynomial *p, int derivative) {
  int last = p->degree;
  while (last >= derivative && p->c[(size_t)last * p->stride] == 0) last--;
  return last - derivative;
}

/* Value of a derivative at the centre. Horner's rule y_k = fl(s y_(k+1) + c_k) is wrong by at most u (2 e_0 - |y_0|), to
 * first order, where e_k = |s| e_(k+1) + |y_k|, e_last = |y_last|/2 (Higham, Accuracy and stability of numerical
 * algorithms, section 5.1): near the beginning of an arc by one rounding of the value alone. Coefficients of derivatives
 * are rounded themselves. */
static void value_at(const verify_polynomial *p, int derivative, double s, verify_series *out) {
  int last = trimmed(p, derivative);
  double sum = 0, size = 0, running = 0;
  for (int k = last; k >= 0; k--) {
    double c = falling(k, derivative) * p->c[(size_t)(k + derivative) * p->stride];
    sum = sum * s + c;
    size = size * fabs(s) + fabs(c);
    running = k == last ? fabs(sum) / 2 : running * fabs(s) + fabs(sum);
  }
  zero(out)->middle[0] = sum;
  double rounding = 2 * running - fabs(sum) + (derivative > 0 ? 2 * size : 0);
  if (last > 0 && s != 0) out->radius[0] = UNIT * rounding * (1 + (8 * last + 32) * UNIT) + VERIFY_TINY;
}

/* Repeated Horner's rule: p(s + x) by synthetic division; the same with sizes bounds the terms that were added. */
static void shift(const verify_polynomial *p, int derivative, const verify_piece *piece, verify_series *out) {
  int last = trimmed(p, derivative);
  double *m = out->middle, *size = out->radius, s = piece->centre, power = 1;
  if (last <= 0) {
    value_at(p, derivative, s, out);
    return;
  }
  for (int k = 0; k <= last; k++) {
    m[k] = falling(k, derivative) * p->c[(size_t)(k + derivative) * p->stride];
    size[k] = fabs(m[k]);
  }
  for (int i = 0; i < last && s != 0; i++)
    for (int k = last - 1; k >= i; k--) {
      m[k] += s * m[k + 1];
      size[k] += fabs(s) * size[k + 1];
    }
  for (int k = 0; k <= last; k++, power *= piece->half) {
    m[k] *= power;
    out->radius[k] = (6 * last + 16) * UNIT * size[k] * power + VERIFY_TINY;
  }
  out->last = last;
}

/* out_k = half slope_(k-1)/k for k >= 1; out_0 is there. */
static void integrate(const verify_series *slope, double half, verify_series *out) {
  if (slope->last == 0 && slope->middle[0] == 0 && slope->radius[0] == 0) return;
  for (int k = 1; k <= slope->last + 1; k++) {
    double factor = half / k;
    out->middle[k] = factor * slope->middle[k - 1];
    out->radius[k] = factor * slope->radius[k - 1] * (1 + 8 * UNIT) + 4 * UNIT * fabs(out->middle[k]) + VERIFY_TINY;
  }
  out->last = slope->last + 1;
}

void thud_verify_path_shift(const verify_polynomial *p, const verify_piece *piece, verify_series *out) {
  shift(p, 0, piece, out);
}

void thud_verify_path_motion(const verify_polynomial *p, const verify_piece *piece, verify_series *q, verify_series *v,
                             verify_series *a) {
  shift(p, 2, piece, a);
  value_at(p, 1, piece->centre, v);
  value_at(p, 0, piece->centre, q);
  integrate(a, piece->half, v);
  integrate(v, piece->half, q);
}

void thud_verify_path_time(const verify_piece *piece, verify_series *out) {
  zero(out)->middle[0] = piece->time;
  out->radius[0] = piece->time_error;
  out->middle[1] = piece->half;
  out->radius[1] = 0;
  out->last = piece->half > 0;
}

/* About x coefficient k is sum_{j>=k} binomial(j, k) p_j x^(j-k). For |x| <= 1 the shift by 1 of the sizes bounds it; for
 * x in [0, 1] the terms of either sign do so by themselves: `out` first has the sum of the sizes and of the terms. */
void thud_verify_path_widen(const verify_series *path, int order, bool from_start, verify_series *out) {
  int last = path->last;
  double *size = out->radius, *sum = out->middle;
  for (int k = 0; k <= last; k++) {
    size[k] = fabs(path->middle[k]) + path->radius[k];
    sum[k] = path->middle[k];
  }
  for (int i = 0; i < last; i++)
    for (int k = last - 1; k >= i; k--) {
      size[k] += size[k + 1];
      sum[k] += sum[k + 1];
    }
  out->last = last < order ? last : order;
  for (int k = 0; k <= out->last; k++) {
    double rest = verify_most(size[k] - fabs(path->middle[k]), 0), rounding = (4 * last + 8) * UNIT * size[k];
    double moved = sum[k] - path->middle[k]; /* sum of the other terms at x = 1 */
    out->middle[k] = path->middle[k] + (from_start ? moved / 2 : 0);
    /* The radii of the other coefficients count in full: about s = 0 they are rounding of these coefficients. */
    double radii = (8 * last + 32) * UNIT * size[k] + 1e9 * VERIFY_TINY;
    out->radius[k] = (from_start ? rest / 2 + path->radius[k] + radii : rest) + rounding;
    if (k == last) {
      out->middle[k] = path->middle[k];
      out->radius[k] = path->radius[k];
    }
  }
}

verify_interval thud_verify_path_range(const verify_series *path, bool from_start) {
  double low = path->middle[0], high = low, radius = path->radius[0], size = fabs(low);
  for (int k = 1; k <= path->last; k++) {
    double c = path->middle[k];
    bool one_sign = from_start || k % 2 == 0;
    low -= one_sign ? verify_most(-c, 0) : fabs(c);
    high += one_sign ? verify_most(c, 0) : fabs(c);
    radius += path->radius[k];
    size += fabs(c);
  }
  radius += path->last > 0 ? (2 * path->last + 4) * UNIT * (size + radius) : 0;
  if (radius == 0) return verify_between(low, high);
  return verify_between(low - radius - fabs(low) * VERIFY_ULP, high + radius + fabs(high) * VERIFY_ULP);
}

verify_interval thud_verify_path_centre(const verify_series *path) {
  return path->radius[0] == 0 ? verify_point(path->middle[0]) : verify_around(path->middle[0], path->radius[0]);
}

/* ---- brackets of events ------------------------------------------------------------------------------------------ */

/* Brackets of events: the gaps that close there do so between their ends. */

/* Where nothing has a root: loads and limits of accumulations. */
static bool has_none(const verify_event_rows *f, size_t k) {
  return f->event[k] == VERIFY_EVENT_ZENO || f->event[k] == VERIFY_EVENT_PERCUSSION;
}

/* The bracket is one, about the time as well as t_error says; roots that are closer together than the scene's
 * time_tolerance are one event, and share it. */
static bool is_sensible(const verify_event_rows *f, size_t k) {
  double low = f->t_low[k], high = f->t_high[k], t = fabs(f->t[k]), h = k > 0 ? f->t[k] - f->t[k - 1] : 0;
  double most = f->t_error[k] + 2 * DBL_EPSILON * t, together = f->system->time_tolerance * fmax(t, h);
  if (has_none(f, k)) return isnan(low) && isnan(high);
  if (isnan(low) && isnan(high)) return true;
  return low <= high && -low <= most && high <= most + together;
}

/* Gap i on a few roundings about s of the arc of row k. */
static verify_interval gap_at(verify_event_rows *f, size_t k, size_t i, double s) {
  double blur = 2 * DBL_EPSILON * (fabs(f->t[k]) + fabs(s));
  proof_enclose(f, k, f->proof->gaps, s - blur, s + blur);
  return f->proof->gaps->values[verify_output(f->proof->gaps, i)];
}

/* Does gap i, open before, close at the event of row k without having been closed? */
static bool closes(const verify_event_rows *f, size_t k, size_t i) {
  int mode = (int)f->mode_left[k * f->m + i];
  bool impact = f->event[k] == VERIFY_EVENT_IMPACT || f->event[k] == VERIFY_EVENT_CLOSE;
  return impact && f->tangential[k] == 0 && f->involved[k * f->m + i] != 0 &&
         f->system->constraints[i].kind == VERIFY_UNILATERAL &&
         (mode == VERIFY_MODE_OPEN || mode == VERIFY_MODE_LEAVING);
}

void thud_verify_proof_bracket(verify_event_rows *f, size_t k) {
  if (f->event[k] == VERIFY_EVENT_NONE) return;
  if (!is_sensible(f, k)) {
    thud_verify_fail(&f->checks[EVENT_PROOF], f->t[k], k,
                     "the bracket of the event's time is none, or further from it than its t_error");
    return;
  }
  if (k == 0 || f->proof == NULL || isnan(f->t_low[k]) || !verify_event_has_arc(f, k - 1)) return;
  if (f->status[k - 1] != VERIFY_ARC_PROVED || f->proof->gaps == NULL) return;
  double h = f->t[k] - f->t[k - 1], low = h + f->t_low[k], high = h + f->t_high[k];
  for (size_t i = 0; i < f->m; i++) {
    if (!closes(f, k, i)) continue;
    double eta = f->t_low[k] == f->t_high[k] ? f->proof->eta[i] : 0; /* a point: within rounding */
    if (f->mode_left[k * f->m + i] == VERIFY_MODE_LEAVING)           /* began at 0, but for rounding */
      eta = fmax(eta, 2 * verify_magnitude(gap_at(f, k - 1, i, 0)));
    bool before = gap_at(f, k - 1, i, low).high<-eta, after = gap_at(f, k - 1, i, high).low> eta;
    if (before || after)
      thud_verify_fail(&f->checks[EVENT_PROOF], f->t[k], k, "the gap of '%s' closes %s the bracket of the event's time",
                       f->system->constraints[i].name, before ? "before" : "after");
  }
}
