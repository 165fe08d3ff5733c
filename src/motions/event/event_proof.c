/* What is proved of the arcs of an event-driven motion: the defect of the equations along each of them, and that the
 * event functions have no root before the one that ends it. */
#include "motions/event/arc_proof.h"
#include "motions/event/event.h"

#include <float.h>

/* Defects up to this are accepted, relative to the terms of the equations; 1e-14 is what doubles can carry. */
#define WANTED_DEFECT 1e-12
#define LEAST_DEFECT 1e-13
/* Bounds of single arcs are handed out no finer than this, relative to the terms: so another program can
 * confirm them, which has roundings of its own. */
#define STATED_DEFECT 2.5e-13
#define STATED_NOISE 8.0  /* nor finer than this many times their rounding */
#define STATED_MOST 1e-10 /* but for both reasons not coarser than this beside the scale */

thud_error thud_event_proofs_create(event_motion *motion) {
  const sim_arc *arc = motion->arc;
  if (arc->work == NULL) return THUD_OK;
  double wanted = fmax(LEAST_DEFECT, fmin(WANTED_DEFECT, motion->problem.options.defect_tolerance));
  thud_error error = thud_arc_proof_create(arc, wanted, &motion->proofs.proof);
  if (error == THUD_OK) motion->proofs.proof->scale = motion->proofs.scale;
  return error;
}

enum { SCALE_SAMPLES = 64 };

/* Scales before the first arc, in the units of the scene: the forces on the initial state at times of the run, and what
 * would move the state by its own size within the run. A force that comes later is then not small beside nothing. */
void thud_event_proofs_begin(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  const model_jet_layout *at = &motion->arc->jets.layout;
  double length = problem->options.end - problem->options.start, *out = motion->piece.outputs;
  motion->event.from = motion->event.low = motion->event.high = (double)NAN;
  if (motion->proofs.proof == NULL) return;
  for (int k = 0; k <= SCALE_SAMPLES; k++) {
    double t = problem->options.start + length * k / SCALE_SAMPLES;
    if (motion->arc->backend->evaluate(motion->arc, t, motion->state.q, motion->state.v, out) != THUD_OK) continue;
    for (size_t c = 0; c < problem->n; c++) {
      double size = fabs(out[at->force + c]), mass = fabs(out[at->mass + c * problem->n + c]);
      size = fmax(size, mass * (fabs(motion->state.q[c]) / length + fabs(motion->state.v[c])) / length);
      if (isfinite(size)) motion->proofs.scale[c] = fmax(motion->proofs.scale[c], size);
    }
  }
}

/* Whether what happens next may be decided by a force, however small: contacts are closed at the start, or friction. */
static bool forces_decide(const event_motion *motion) {
  for (size_t i = 0; i < motion->problem.m; i++)
    if (motion->modes.mode[i] != THUD_CONTACT_OPEN && !event_is_equation(&motion->problem, i)) return true;
  return motion->problem.law_count > 0;
}

/* The bounds of the present arc as they are handed out; h: on which its series holds. */
static void state_bounds(event_proofs *proofs, size_t n, double h) {
  thud_arc_noise_at(proofs->proof, h / 2, proofs->stated);
  proofs->rounding = 0;
  for (size_t c = 0; c < n; c++) {
    double own = thud_arc_size_on_step(proofs->proof, c, h), size = fmax(proofs->proof->unit[c], own);
    proofs->rounding = hypot(proofs->rounding, EVENT_ROUNDING * DBL_EPSILON * own + proofs->proof->noise[c]);
    double noise = isfinite(proofs->stated[c]) ? STATED_NOISE * proofs->stated[c] : 0;
    double finest = fmin(fmax(STATED_DEFECT * size, noise), STATED_MOST * proofs->proof->scale[c]);
    proofs->stated[c] = fmax(proofs->proof->bound[c], finest);
  }
}

double thud_event_prove_step(event_motion *motion, double h, double longest) {
  event_proofs *proofs = &motion->proofs;
  proofs->defect = false;
  proofs->open = SIZE_MAX;
  proofs->series = h;
  if (proofs->proof == NULL) return h;
  bool decide = forces_decide(motion);
  if (decide) longest = h; /* reactions and margins of sticking are read off their series */
  thud_arc_proof_begin(proofs->proof, h, decide);
  double proved = thud_arc_prove_defect(proofs->proof, h, longest);
  if (!(motion->state.t + proved > motion->state.t)) return h;
  proofs->defect = true;
  proofs->bound = thud_arc_proved_defect(proofs->proof, &proofs->force);
  state_bounds(proofs, motion->problem.n, fmin(h, proved));
  return proved;
}

/* ---- event functions --------------------------------------------------------------------------------------------- */

static proof_function value_function(const event_motion *motion, size_t output, int skip) {
  return (proof_function){
      .count = 1, .value = {bounds_output(motion->proofs.proof->bounds, output)}, .factor = {1}, .skip = skip};
}

/* An enclosed event function as the proofs see it. */
static void function_of(const event_motion *motion, size_t f, proof_function *function) {
  const event_problem *problem = &motion->problem;
  const model_jet_layout *at = &motion->arc->jets.layout;
  size_t first_switch = event_first_switch(problem);
  if (f < problem->m) {
    bool gap = event_kind_of(problem, f) == THUD_CONSTRAINT_UNILATERAL;
    *function = value_function(motion, (gap ? at->gap : at->velocity) + f, motion->modes.deflate[f]);
    return;
  }
  if (f >= first_switch) {
    size_t j = f - first_switch;
    *function = (proof_function){.count = 1,
                                 .value = {bounds_switch(motion->proofs.proof->bounds, j)},
                                 .factor = {motion->switches.held[j]},
                                 .skip = motion->switches.deflate[j]};
    return;
  }
  const event_law *law = &motion->friction.laws[event_function_law(problem, f)];
  const event_measure measure = thud_event_measure(motion->arc, law, event_function_part(problem, f));
  *function = value_function(motion, at->slip_velocity + law->first, motion->modes.part_deflate[f - problem->m]);
  function->factor[0] = measure.along[0];
  if (law->directions == 2) {
    function->count = 2;
    function->value[1] = bounds_output(motion->proofs.proof->bounds, at->slip_velocity + law->first + 1);
    function->factor[1] = measure.along[1];
  }
}

bool thud_event_is_enclosed(const event_motion *motion, size_t f) {
  const event_problem *problem = &motion->problem;
  if (motion->proofs.proof == NULL) return false;
  if (f < problem->m) return !event_lasts(motion->modes.mode[f]) && !event_is_equation(problem, f);
  if (f >= event_first_switch(problem)) return true;
  const event_law *law = &motion->friction.laws[event_function_law(problem, f)];
  return thud_event_measure(motion->arc, law, event_function_part(problem, f)).kind == MEASURE_SLIP;
}

/* Numbers this small lose their digits: a gap below is closed. */
#define GAP_UNDERFLOW (DBL_MIN / DBL_EPSILON)

/* What the rounding of q and of the time leaves of a gap. */
static double rounding_of(const event_motion *motion, size_t f) {
  const sim_arc *arc = motion->arc;
  if (f >= motion->problem.m || event_kind_of(&motion->problem, f) != THUD_CONSTRAINT_UNILATERAL) return 0;
  double size = fabs(arc->jet[arc->jets.layout.velocity + f]) * fabs(arc->t0);
  for (size_t c = 0; c < arc->n; c++)
    size += fabs(arc->jet[thud_arc_row(arc, f) + c]) * (motion->scales.farthest + fabs(arc->v[c] * arc->t0));
  return fmax(EVENT_ROUNDING * DBL_EPSILON * size, GAP_UNDERFLOW);
}

/* The root in its bracket. The series may know more of it: it has been divided by its zeros. */
static double place_of_root(proof_result found, const arc_root *by_series) {
  double width = found.high - found.low, s = by_series->s;
  bool near = by_series->kind == ARC_ROOT_SIMPLE && s > found.low - width && s < found.high + width;
  return near ? fmin(fmax(s, found.low), found.high) : found.low + width / 2;
}

/* How far a gap is below 0 at the end of what is proved of it. */
static void note_gap(event_motion *motion, size_t f, const proof_function *function, const proof_result *found) {
  event_proofs *proofs = &motion->proofs;
  if (f >= motion->problem.m || event_kind_of(&motion->problem, f) != THUD_CONSTRAINT_UNILATERAL) return;
  /* of a function that starts at 0 what rounding makes of that is left out */
  if (found->loose <= found->high || function->skip > 0) proofs->below = fmax(proofs->below, function->eta);
  if (found->finding != PROOF_ROOT && found->finding != PROOF_EDGE) return;
  proofs->below = fmax(proofs->below, -thud_arc_enclose(proofs->proof, function, found->high, found->high).low);
}

/* Something that is 0 within rounding, at the start or where it touches: proved is that it is not positive there beyond
 * rounding, that it is positive before, and not below -eta where it touches. */
static void prove_graze(event_motion *motion, size_t f, const proof_function *function, const arc_root *root) {
  event_proofs *proofs = &motion->proofs;
  if (root->kind == ARC_ROOT_START) {
    expr_interval first = thud_arc_enclose(proofs->proof, function, 0, 0);
    proofs->grazes = proofs->grazes || !(first.low <= function->eta);
    return;
  }
  proof_result found = thud_arc_prove_positive(proofs->proof, function, root->high);
  bool holds = found.finding == PROOF_POSITIVE && found.loose >= root->low;
  if (holds) note_gap(motion, f, function, &found);
  proofs->grazes = proofs->grazes || !holds;
}

/* The function falls on the last piece and is 0 within rounding at its end: there, and not before, is its root. Whether
 * it is before or behind the end is rounding. */
static void keep_edge(const proof_result *found, arc_root *root) {
  if (root->kind != ARC_ROOT_SIMPLE) return;
  double first = fmin(found->low, found->loose);
  root->s = fmin(fmax(root->s, first), found->high);
  root->low = fmin(fmax(root->low, first), root->s);
  root->high = fmax(root->high, root->s);
}

void thud_event_prove_root(event_motion *motion, size_t f, double end, arc_root *root) {
  proof_function function;
  event_proofs *proofs = &motion->proofs;
  function_of(motion, f, &function);
  function.eta = rounding_of(motion, f);
  if (root->kind == ARC_ROOT_START || root->kind == ARC_ROOT_TANGENT) {
    prove_graze(motion, f, &function, root);
    return;
  }
  if (root->kind == ARC_ROOT_SIMPLE && root->s < end) function.hint = root->s;
  proof_result found = thud_arc_prove_positive(proofs->proof, &function, end);
  bool simple = root->kind == ARC_ROOT_SIMPLE;
  note_gap(motion, f, &function, &found);
  if (found.finding == PROOF_EDGE) {
    keep_edge(&found, root);
  } else if (found.finding != PROOF_OPEN && simple && root->s >= found.loose && root->s <= found.high) {
    proofs->grazes = true; /* hidden by rounding: the series' */
  } else if (found.finding == PROOF_POSITIVE) {
    root->kind = ARC_ROOT_NONE;
  } else if (found.finding == PROOF_ROOT) {
    *root = (arc_root){.kind = ARC_ROOT_SIMPLE, .s = place_of_root(found, root), .low = found.low, .high = found.high};
  } else {
    proofs->roots = false;
    proofs->open = f;
  }
}

/* ---- books ------------------------------------------------------------------------------------------------------- */

void thud_event_begin_roots(event_proofs *proofs) {
  proofs->roots = proofs->margins = true;
  proofs->grazes = false;
  proofs->below = 0;
}

thud_arc_status thud_event_proof_status(const event_proofs *proofs) {
  if (proofs->proof == NULL) return THUD_ARC_SAMPLED;
  bool all = proofs->defect && proofs->roots && proofs->margins && !proofs->grazes;
  return all ? THUD_ARC_PROVED : THUD_ARC_OPEN;
}

/* The largest component of M v. */
static double momentum_of(size_t n, const double *mass, const double *v) {
  double largest = 0;
  for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(motion_dot((thud_index)n, mass + i * n, v)));
  return largest;
}

/* Whether something accelerates. */
static bool moves(const sim_arc *arc) {
  for (size_t i = 0; i < arc->n * ((size_t)arc->top + 1); i++)
    if (arc->a[i] != 0) return true;
  return false;
}

void thud_event_book_proof(event_motion *motion, double s) {
  const event_proofs *proofs = &motion->proofs;
  thud_event_motion_info *info = &motion->info;
  if (proofs->proof == NULL) {
    info->sampled_arcs++;
    return;
  }
  if (!proofs->defect && info->unproved_defects++ == 0) info->unproved_defect_time = motion->arc->t0;
  if (!proofs->roots && info->unproved_roots++ == 0) {
    info->unproved_root_time = motion->arc->t0;
    info->unproved_root_constraint = proofs->open < motion->problem.m ? (thud_index)proofs->open : -1;
  }
  if (proofs->grazes && info->unproved_grazes++ == 0) info->unproved_graze_time = motion->state.t;
  if (!proofs->margins && info->unproved_margins++ == 0) info->unproved_margin_time = motion->arc->t0;
  if (!proofs->defect) return;
  info->proved_defect = fmax(info->proved_defect, proofs->bound);
  info->proved_force += proofs->force * s;
  const sim_arc *arc = motion->arc;
  double momentum = momentum_of(arc->n, arc->jet + arc->jets.layout.mass, arc->v);
  bool beyond = proofs->force > proofs->rounding;
  if (beyond && (momentum > 0 || moves(motion->arc))) info->moving_force += proofs->force * s;
  momentum = fmax(momentum, momentum_of(arc->n, motion->state.values->mass, motion->event.v_before));
  info->largest_momentum = fmax(info->largest_momentum, momentum);
  if (thud_event_proof_status(proofs) != THUD_ARC_PROVED) return;
  info->proved_arcs++;
  info->proved_gap = fmax(info->proved_gap, proofs->below);
}

/* ---- margins of sticking ------------------------------------------------------------------------------------------- */

/* What is proved of the margins of sticking, tau - r_T, tau + r_T or tau^2 - |r_T|^2 with tau = mu r_N.
 *
 * The reactions are polynomials of the arc itself; the coefficient mu is known by its series, to the order of the arc,
 * and products are cut off there. With e the bound of |mu - its polynomial| (a Cauchy tail, expr/bounds.h)
 *   |tau - its polynomial| <= e |r_N| + sum_{i+j>order} |mu_i r_j| h^(i+j) = E,
 * which is that of reach mu r_N + along.r_T as well; of a disc
 *   |tau^2 - |r_T|^2 - its polynomial| <= (2 |tau| + E) E + what is cut off of the squares.
 * Coefficients of the margin below `skip` are known to be 0, so that no term e_i r_j s^(i+j) with i + j < skip is left:
 * divided by s^skip the others are largest at s = h. */

/* |c_k|, k = 0..order */
typedef struct margin_series {
  double c[ARC_MAX_DEGREE + 1];
} margin_series;

/* sum_{i+j>order} a_i b_j h^(i+j) */
static double cut_off(const margin_series *a, const margin_series *b, int order, double h) {
  double sum = 0;
  for (int k = 2 * order; k > order; k--) {
    double c = 0;
    for (int i = k - order; i <= order; i++) c += a->c[i] * b->c[k - i];
    sum = (sum + c) * (k > order + 1 ? h : 1);
  }
  return sum * pow(h, order + 1) * (1 + 1024 * DBL_EPSILON);
}

static double size_of(const margin_series *a, int order, double h) {
  double sum = 0;
  for (int k = order; k >= 0; k--) sum = sum * h + a->c[k];
  return sum * (1 + 256 * DBL_EPSILON);
}

static margin_series reaction_of(const sim_arc *arc, size_t row) {
  margin_series made = {{0}};
  for (int k = 0; k <= arc->order; k++) made.c[k] = fabs(arc->reaction[(size_t)k * arc->rows + row]);
  return made;
}

/* E, for tau = reach mu r_N */
static double threshold_error(event_motion *motion, const event_law *law, double reach, double h) {
  const sim_arc *arc = motion->arc;
  arc_proof *proof = motion->proofs.proof;
  size_t output = arc->jets.layout.friction + law->own, count = arc->jets.layout.count;
  int32_t value = bounds_output(proof->bounds, output);
  bool constant = value < proof->bounds->program->tape->constant_count;
  double error = constant ? 0 : thud_arc_series_error(proof, value, arc->jet + output, count, h);
  if (law->constraint < 0) return reach * error;
  margin_series force = reaction_of(arc, (size_t)law->constraint), mu = {{0}};
  for (int k = 0; k <= arc->order; k++) mu.c[k] = fabs(arc->jet[(size_t)k * count + output]);
  return reach * (error * size_of(&force, arc->order, h) + cut_off(&mu, &force, arc->order, h));
}

double thud_event_margin_error(event_motion *motion, const event_law *law, const event_measure *measure, int skip,
                               double h) {
  const sim_arc *arc = motion->arc;
  bool disc = measure->kind == MEASURE_DISC;
  double error = threshold_error(motion, law, disc ? law->radius : fabs(measure->reach), h), power = pow(h, skip);
  if (!disc || !isfinite(error)) return error / power;
  margin_series tau = {{0}};
  for (int k = 0; k <= arc->order; k++) tau.c[k] = fabs(thud_event_threshold(arc, law, k, false));
  error *= 2 * size_of(&tau, arc->order, h) + error;
  error += cut_off(&tau, &tau, arc->order, h);
  for (size_t c = 0; c < 2; c++) {
    margin_series force = reaction_of(arc, event_row_of(arc, law, c));
    error += cut_off(&force, &force, arc->order, h);
  }
  return error / power;
}
