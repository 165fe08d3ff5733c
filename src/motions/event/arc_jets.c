/* Arcs of systems made of expressions: power series from the jets of their program. */
#include "expr/program.h"
#include "motions/event/arc.h"
#include "motions/event/arc_polynomial.h"

#include <math.h>
#include <string.h>

/* What is not finite, in words of the expressions. */
static thud_error not_finite(const sim_arc *arc, int k, size_t output) {
  thud_expr_trouble trouble;
  if (!thud_expr_work_explain_jet(arc->work, (thud_index)output, k, &trouble))
    return thud_fail(arc->context, THUD_ERROR_NOT_FINITE,
                     "[no-power-series] t = %.10g: a coefficient of the series is not finite", arc->t0);
  bool force = output >= arc->jets.layout.force && output < arc->jets.layout.applied + arc->n;
  return thud_fail(arc->context, THUD_ERROR_NOT_FINITE,
                   "[no-power-series] t = %.10g: no power series (coefficient %d of %s is not finite): %s%s", arc->t0,
                   k, thud_model_text_name(arc->system, trouble.source), trouble.message,
                   force ? "; forces that are integrable in time need a time-stepping method" : "");
}

static void set_variables(sim_arc *arc, double t, const double *q, const double *v) {
  const model_jets *jets = &arc->jets;
  arc->variables[jets->slot_t] = t;
  for (size_t i = 0; i < arc->n; i++) {
    arc->variables[jets->slot_q[i]] = q[i];
    arc->variables[jets->slot_v[i]] = v[i];
  }
}

static thud_error evaluate(sim_arc *arc, double t, const double *q, const double *v, double *outputs) {
  set_variables(arc, t, q, v);
  thud_expr_work_evaluate(arc->work, arc->variables, outputs);
  return THUD_OK;
}

/* The gap that an output belongs to, and what is missing without it; false: the motion itself needs it. */
static bool belongs_to_gap(const sim_arc *arc, int k, size_t output, size_t *gap, arc_singularity *missing) {
  const model_jet_layout *at = &arc->jets.layout;
  *missing = k == 0 ? ARC_NO_GRADIENT : ARC_NO_CURVATURE;
  if (output >= at->gap && output < at->gap + arc->m) {
    *gap = output - at->gap;
    *missing = ARC_NO_GAP;
  } else if (output >= at->velocity && output < at->velocity + arc->m) {
    *gap = output - at->velocity;
  } else if (output >= at->gradient && output < at->gradient + arc->m * arc->n) {
    *gap = (output - at->gradient) / arc->n;
  } else if (output >= at->convective && output < at->convective + arc->m) {
    *gap = output - at->convective;
    *missing = ARC_NO_CURVATURE;
  } else {
    return false;
  }
  bool whole = *missing != ARC_NO_GAP || k > 0; /* a gap has a value */
  return whole && thud_system_constraint(arc->system, (thud_index)*gap)->kind == THUD_CONSTRAINT_UNILATERAL;
}

/* Gaps without series where they are not needed, because the contact is open or only struck, do not end the arc. */
static thud_error leave_out(sim_arc *arc, int k, size_t output) {
  size_t gap;
  arc_singularity missing;
  if (!belongs_to_gap(arc, k, output, &gap, &missing)) return not_finite(arc, k, output);
  arc->jet[(size_t)k * arc->jets.layout.count + output] = 0;
  arc->singular[gap] |= (unsigned char)missing;
  return THUD_OK;
}

/* Order k of everything that depends on t, q, v alone. */
static thud_error expand(sim_arc *arc, int k) {
  const model_jets *jets = &arc->jets;
  size_t n = arc->n, count = jets->layout.count;
  const double *q = arc->q + (size_t)k * n, *v = arc->v + (size_t)k * n;
  double *out = arc->jet + (size_t)k * count, sum = 0;
  set_variables(arc, k == 0 ? arc->t0 : k == 1, q, v);
  thud_error error = thud_expr_work_jet(arc->work, k, arc->variables, out);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < count; i++) sum += out[i] - out[i];
  if (k == 0 && arc->m > 0) memset(arc->singular, 0, arc->m);
  for (size_t i = 0; sum != 0 && i < count && error == THUD_OK; i++)
    if (!isfinite(out[i])) error = leave_out(arc, k, i);
  if (error != THUD_OK) return error;
  return arc->switches > 0 ? thud_expr_work_switch_jet(arc->work, k, arc->switch_jet + (size_t)k * arc->switches)
                           : THUD_OK;
}

size_t thud_arc_watched_count(const sim_arc *arc) {
  return arc->work != NULL ? (size_t)expr_watched_count(arc->work) : arc->switches;
}

size_t thud_arc_watched(const sim_arc *arc, size_t k) {
  return arc->work != NULL ? (size_t)expr_watched(arc->work, (int32_t)k) : k;
}

/* ---- the end of a series ----------------------------------------------------------------------------------------- */

static int larger(int a, int b) { return a > b ? a : b; }

/* The last coefficient up to `last` that is not 0; 0 if there is none. */
static int degree_of(const double *c, size_t stride, int last) {
  while (last > 0 && c[(size_t)last * stride] == 0) last--;
  return last;
}

/* The largest degree of `count` outputs. */
static int degree_of_outputs(const sim_arc *arc, const int *degrees, size_t first, size_t count) {
  int most = 0;
  for (size_t j = first; j < first + count; j++) most = larger(most, degrees[arc->jets.program->outputs[j]]);
  return most;
}

/* Degrees of all outputs, of M a, and of the products of gradients with a and with reactions. With friction only a
 * motion without forces of contacts is known to end: directions of slip are no polynomials. */
static int end_of_series(const sim_arc *arc, int k) {
  const model_jets *jets = &arc->jets;
  const model_jet_layout *at = &jets->layout;
  int *variables = arc->degrees, *degrees = arc->degrees + 1 + 2 * arc->n, most = 0, forces = -1;
  variables[jets->slot_t] = 1;
  for (size_t i = 0; i < arc->n; i++) {
    int degree = degree_of(arc->q + i, arc->n, k + 1);
    variables[jets->slot_q[i]] = degree;
    variables[jets->slot_v[i]] = larger(degree - 1, 0);
    most = larger(most, degree - 2);
  }
  for (size_t j = 0; j < (size_t)k * arc->rows; j++)
    if (arc->reaction[j] != 0) forces = (int)(j / arc->rows);
  if (forces >= 0 && arc->s > 0) return EXPR_ENDLESS;
  thud_expr_work_degrees(arc->work, variables, degrees);
  int gradients = larger(degree_of_outputs(arc, degrees, at->gradient, arc->m * arc->n),
                         degree_of_outputs(arc, degrees, at->slip, arc->s * arc->n));
  int end = larger(degree_of_outputs(arc, degrees, 0, at->count),
                   most + larger(gradients, degree_of_outputs(arc, degrees, at->mass, arc->n * arc->n)));
  if (forces >= 0) end = larger(end, gradients + forces);
  for (int32_t j = 0; j < expr_watched_count(arc->work); j++)
    end = larger(end, degrees[jets->program->switches[expr_watched(arc->work, j)].argument]);
  return end;
}

/* ---- step -------------------------------------------------------------------------------------------------------- */

enum { TAIL = 4 }; /* last coefficients that the step is taken from */

#define FALL (2 * 1.4426950408889634) /* log2(e^2) */

/* log2 of the step at which the last coefficients of the series are e^(-2k) of the largest early term:
 * |x_k| h^k <= e^(-2k) |x_j| h^j for some j <= last/2. With j = 0 this is h = rho/e^2, rho = (|x_0|/|x_k|)^(1/k).
 * least: [(last/2) + 1] what early coefficients count as at least. */
static double log_step_of(double *size, int last, const double *least) {
  double step = INFINITY;
  for (int j = 0; j <= last / 2; j++) size[j] = log2(fmax(size[j], least[j]));
  for (int k = last; k > last - TAIL; k--) {
    double best = -INFINITY, late = log2(size[k]);
    if (late == -INFINITY) continue;
    for (int j = 0; j <= last / 2; j++) best = fmax(best, (size[j] - late - FALL * k) / (k - j));
    if (best > -INFINITY) step = fmin(step, best);
  }
  return step;
}

/* Of a series, or of a vector of two neighbouring ones (a pair): whatever axes it is given in. `reach` is the motion of
 * its group, [last/2 + 1 + derivative] coefficients of which `factor` counts; NULL: none. */
typedef struct step_series {
  const double *x;
  size_t stride;
  int last;
  bool is_pair;
  const double *reach;
  size_t reach_stride;
  int derivative; /* the series is this derivative of a position */
  double factor;
} step_series;

static double log_step(const step_series *series) {
  double size[ARC_MAX_DEGREE + 3], least[ARC_MAX_DEGREE + 3] = {0};
  for (int k = 0; k <= series->last; k++) {
    const double *here = series->x + (size_t)k * series->stride;
    size[k] = series->is_pair ? hypot(here[0], here[1]) : fabs(here[0]);
  }
  for (int k = 0; series->reach != NULL && k <= series->last / 2; k++) {
    int j = k + series->derivative;
    double rate = j == 0 ? 0 : series->reach[(size_t)j * series->reach_stride] * series->factor;
    for (int d = 0; d < series->derivative; d++) rate *= j - d;
    least[k] = isfinite(rate) ? rate : 0;
  }
  return log_step_of(size, series->last, least);
}

/* The part of the motion of the groups that counts for each member, in the kinetic metric: sqrt(M_cc) |q_c,k|. */
static void find_reaches(const sim_arc *arc) {
  size_t n = arc->n;
  for (int k = 0; k <= arc->top + 2; k++) {
    double *reach = arc->reach + (size_t)k * n;
    for (size_t c = 0; c < n; c++) reach[c] = 0;
    for (size_t c = 0; c < n; c++) {
      double *of = &reach[arc->group[c]], mass = arc->jet[arc->jets.layout.mass + c * n + c];
      *of = fmax(*of, ARC_LENT * fabs(arc->q[(size_t)k * n + c]) * sqrt(mass));
    }
  }
}

/* The series of a row: its motion (derivative 0, 1) counts by the length of its gradient, its force (2) by the inverse. */
static step_series series_of_row(const sim_arc *arc, size_t row, const double *x, size_t stride, int derivative) {
  const double *gradient = arc->jet + thud_arc_row(arc, row);
  step_series made = {.x = x, .stride = stride, .last = arc->top, .derivative = derivative};
  size_t c = 0;
  while (c < arc->n && gradient[c] == 0) c++;
  if (c == arc->n) return made;
  made.reach = arc->reach + arc->group[c];
  made.reach_stride = arc->n;
  made.factor = derivative == 2 ? 1 / arc->own[row] : arc->own[row];
  return made;
}

/* Friction forces, and slip velocities where something slides. */
static double log_step_of_friction(const sim_arc *arc) {
  size_t count = arc->jets.layout.count;
  double step = INFINITY;
  for (size_t j = 0; j < arc->s; j++) {
    step_series force = series_of_row(arc, arc->m + j, arc->reaction + arc->m + j, arc->rows, 2);
    step_series slip = series_of_row(arc, arc->m + j, arc->jet + arc->jets.layout.slip_velocity + j, count, 1);
    force.is_pair = slip.is_pair = j + 1 < arc->s && arc->law[j + 1] == arc->law[j];
    step = fmin(step, log_step(&force));
    if (arc->slide[j]) step = fmin(step, log_step(&slip));
    if (force.is_pair) j++;
  }
  return step;
}

static double log_step_of_coordinate(const sim_arc *arc, size_t c) {
  const step_series series = {.x = arc->q + c,
                              .stride = arc->n,
                              .last = arc->top + 2,
                              .reach = arc->reach + arc->group[c],
                              .reach_stride = arc->n,
                              .factor = 1 / sqrt(arc->jet[arc->jets.layout.mass + c * arc->n + c])};
  return log_step(&series);
}

static double log_step_of_constraint(const sim_arc *arc, size_t i) {
  const model_jet_layout *at = &arc->jets.layout;
  thud_constraint_kind kind = thud_system_constraint(arc->system, (thud_index)i)->kind;
  step_series force = series_of_row(arc, i, arc->reaction + i, arc->rows, 2);
  double step = log_step(&force);
  if (kind != THUD_CONSTRAINT_UNILATERAL && kind != THUD_CONSTRAINT_VELOCITY_ONE_SIDED) return step;
  bool gap = kind == THUD_CONSTRAINT_UNILATERAL;
  step_series motion = series_of_row(arc, i, arc->jet + (gap ? at->gap : at->velocity) + i, at->count, gap ? 0 : 1);
  return fmin(step, log_step(&motion));
}

/* h = rho/e^2: the terms then fall by e^-2 each and what is cut off is e^(-2p) of them. Nothing in this depends on
 * units. Gaps, reactions and switches must converge as well, because events are read off them. */
static double step_of(const sim_arc *arc, double longest) {
  double step = INFINITY;
  if (arc->finite) return longest;
  find_reaches(arc);
  for (size_t i = 0; i < arc->n; i++) step = fmin(step, log_step_of_coordinate(arc, i));
  for (size_t i = 0; i < arc->m; i++) step = fmin(step, log_step_of_constraint(arc, i));
  step = fmin(step, log_step_of_friction(arc));
  for (int32_t j = 0; j < expr_watched_count(arc->work); j++) {
    const step_series argument = {
        .x = arc->switch_jet + expr_watched(arc->work, j), .stride = arc->switches, .last = arc->top};
    step = fmin(step, log_step(&argument));
  }
  return fmin(longest, exp2(step));
}

/* ---- groups of coordinates --------------------------------------------------------------------------------------- */

static int32_t leader_of(int32_t *parent, int32_t k) {
  while (parent[k] != k) k = parent[k] = parent[parent[k]];
  return k;
}

static void unite(int32_t *parent, int32_t a, int32_t b) { parent[leader_of(parent, a)] = leader_of(parent, b); }

/* Marks what the equations of motion need, and unites the factors of coordinate c with the coordinate. */
static void join_terms(const sim_arc *arc, size_t c, const bool *moves, bool *needed, int32_t *parent) {
  const thud_expr_program *program = arc->jets.program;
  const thud_expr *tape = program->tape;
  int32_t own = tape->count + (int32_t)c;
  for (size_t j = 0; j < 1 + arc->n + arc->rows; j++) {
    size_t row = j - 1 - arc->n;
    size_t output = j == 0        ? arc->jets.layout.force + c
                    : j <= arc->n ? arc->jets.layout.mass + c * arc->n + (j - 1)
                                  : thud_arc_row(arc, row) + c;
    int32_t value = program->outputs[output];
    if (value < tape->constant_count && tape->constants[value] == 0) continue;
    needed[value] = true;
    if (moves[value]) unite(parent, own, value);
    if (j > 0 && j <= arc->n) unite(parent, own, tape->count + (int32_t)(j - 1));
    if (j > arc->n) unite(parent, own, tape->count + (int32_t)(arc->n + row));
  }
}

/* Values that do not move couple nothing. */
static void find_moving(const sim_arc *arc, bool *moves) {
  const thud_expr *tape = arc->jets.program->tape;
  for (int32_t k = tape->constant_count; k < tape->count; k++) {
    const expr_instruction *i = &tape->code[k];
    moves[k] = k < tape->leaf_count && i->reference != arc->jets.slot_t;
    for (int j = 0; k >= tape->leaf_count && j < thud_expr_ops[i->op].arity; j++)
      moves[k] = moves[k] || moves[i->operand[j]];
  }
}

static void join_values(const sim_arc *arc, const bool *moves, bool *needed, int32_t *parent) {
  const thud_expr *tape = arc->jets.program->tape;
  for (size_t c = 0; c < arc->n; c++) join_terms(arc, c, moves, needed, parent);
  for (int32_t k = tape->count - 1; k >= tape->leaf_count; k--) {
    const expr_instruction *i = &tape->code[k];
    for (int j = 0; needed[k] && j < thud_expr_ops[i->op].arity; j++) {
      needed[i->operand[j]] = true;
      if (moves[i->operand[j]]) unite(parent, k, i->operand[j]);
    }
  }
  for (int32_t k = tape->constant_count; k < tape->leaf_count; k++)
    for (size_t c = 0; needed[k] && c < arc->n; c++)
      if (tape->code[k].reference == arc->jets.slot_q[c] || tape->code[k].reference == arc->jets.slot_v[c])
        unite(parent, k, tape->count + (int32_t)c);
}

/* Sets of values, coordinates and rows that the equations of motion connect. */
static thud_error find_groups(sim_arc *arc) {
  const thud_expr *tape = arc->jets.program->tape;
  size_t count = (size_t)tape->count + arc->n + arc->rows;
  int32_t *parent = THUD_NEW_ARRAY(arc->context, int32_t, count);
  bool *moves = THUD_NEW_ARRAY(arc->context, bool, count), *needed = THUD_NEW_ARRAY(arc->context, bool, count);
  thud_error error = parent != NULL && moves != NULL && needed != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    for (size_t k = 0; k < count; k++) parent[k] = (int32_t)k;
    find_moving(arc, moves);
    join_values(arc, moves, needed, parent);
    for (size_t c = 0; c < arc->n; c++) {
      arc->group[c] = 0;
      while (leader_of(parent, tape->count + arc->group[c]) != leader_of(parent, tape->count + (int32_t)c))
        arc->group[c]++;
    }
  }
  thud_free(arc->context, parent);
  thud_free(arc->context, moves);
  thud_free(arc->context, needed);
  return error;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void destroy(sim_arc *arc) {
  thud_expr_work_destroy(arc->work);
  thud_free(arc->context, arc->degrees);
  thud_free(arc->context, arc->reach);
}

thud_error thud_arc_create(thud_context *context, const thud_system *system, int order, sim_arc **arc) {
  static const arc_backend backend = {
      .expand = expand, .evaluate = evaluate, .step = step_of, .end = end_of_series, .destroy = destroy};
  sim_arc seed = {.context = context, .system = system, .backend = &backend, .order = order, .decide = order};
  thud_error error = thud_model_get_jets(system, context, &seed.jets);
  if (error == THUD_OK) error = thud_expr_work_create(context, seed.jets.program, order, &seed.work);
  if (error == THUD_OK) error = thud_expr_work_watch_time(seed.work, seed.jets.slot_t);
  if (error != THUD_OK) {
    thud_expr_work_destroy(seed.work);
    return error;
  }
  seed.degrees = THUD_NEW_ARRAY(context, int, 1 + 2 * system->n + (size_t)seed.jets.program->tape->count);
  seed.reach = THUD_NEW_ARRAY(context, double, ((size_t)order + 3) * system->n);
  if (seed.degrees == NULL || seed.reach == NULL) {
    destroy(&seed);
    return THUD_ERROR_MEMORY;
  }
  seed.switches = (size_t)thud_expr_program_switch_count(seed.jets.program);
  sim_arc *made;
  error = thud_arc_make(&seed, &made);
  if (error != THUD_OK) return error;
  error = find_groups(made);
  if (error == THUD_OK)
    *arc = made;
  else
    thud_arc_destroy(made);
  return error;
}
