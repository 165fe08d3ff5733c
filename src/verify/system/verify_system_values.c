/* A system at one state: Lagrange's equations and the constraints, from expressions or from the recorded numbers of functions. */
#include "verify/math/verify_dense.h"
#include "verify/math/verify_set_project.h"
#include "verify/system/verify_system.h"

#include <math.h>
#include <string.h>

/* ---- building ---------------------------------------------------------------------------------------------------- */

typedef struct builder {
  verify_system *system;
  thud_expr_graph *graph;
  thud_expr_value *outputs, *rates; /* in the order of verify_values */
  thud_expr_value *velocity;        /* [n] */
  thud_expr_value *momentum;        /* [n] dT/dv */
  thud_expr_value *scratch;         /* [n] */
  thud_expr_value one, minus, zero;
} builder;

/* Where the arrays of verify_values begin in the programs' outputs. */
typedef struct layout {
  size_t mass, force, applied, gap, gradient, slip, friction, restitution, potential, potential_rate, curvature, table,
      count;
} layout;

static layout layout_of(const verify_system *system) {
  size_t n = system->n, m = system->m, s = system->s;
  layout at = {0};
  at.force = n * n;
  at.applied = at.force + n;
  at.gap = at.applied + n;
  at.gradient = at.gap + m;
  at.slip = at.gradient + m * n;
  at.friction = at.slip + s * n;
  at.restitution = at.friction + system->law_count;
  at.potential = at.restitution + m;
  at.potential_rate = at.potential + 1;
  at.curvature = at.potential_rate + 1;
  at.table = at.curvature + m;
  at.count = at.table + n;
  return at;
}

/* NULL stands for 0. */
static thud_error add_source(builder *b, const char *source, thud_expr_value *value) {
  *value = b->zero;
  return source != NULL ? thud_expr_graph_add(b->graph, source, NULL, value) : THUD_OK;
}

static thud_error add_sum(builder *b, thud_expr_value x, thud_expr_value sign, thud_expr_value y,
                          thud_expr_value *sum) {
  const thud_expr_value factors[] = {b->one, sign}, terms[] = {x, y};
  return thud_expr_graph_add_dot(b->graph, 2, factors, terms, sum);
}

/* T, from the text or as v'Mv/2. */
static thud_error add_kinetic(builder *b, thud_expr_value *kinetic) {
  const verify_system *system = b->system;
  if (system->mass == NULL) return add_source(b, system->kinetic, kinetic);
  thud_index n = (thud_index)system->n;
  thud_expr_value half = 0, twice = 0;
  thud_error error = thud_expr_graph_add_constant(b->graph, 0.5, &half);
  for (thud_index i = 0; i < n && error == THUD_OK; i++) {
    for (thud_index j = 0; j < n && error == THUD_OK; j++)
      error = add_source(b, system->mass[i * n + j], &b->scratch[j]);
    if (error == THUD_OK) error = thud_expr_graph_add_dot(b->graph, n, b->scratch, b->velocity, &b->momentum[i]);
  }
  if (error == THUD_OK) error = thud_expr_graph_add_dot(b->graph, n, b->momentum, b->velocity, &twice);
  return error == THUD_OK ? thud_expr_graph_add_dot(b->graph, 1, &half, &twice, kinetic) : error;
}

/* M_ij = dp_i/dv_j; force_i = f_i - dV/dq_i - (sum_k dp_i/dq_k v_k - dT/dq_i). */
static thud_error build_dynamics(builder *b, const layout *at) {
  const verify_system *system = b->system;
  thud_index n = (thud_index)system->n;
  thud_expr_value kinetic = 0, *potential = b->outputs + at->potential, *force = b->outputs + at->force;
  thud_error error = add_kinetic(b, &kinetic);
  if (error == THUD_OK) error = add_source(b, system->potential, potential);
  if (error == THUD_OK)
    error = thud_expr_graph_add_gradient(b->graph, *potential, 1, &system->scene.time_slot,
                                         b->outputs + at->potential_rate);
  if (error == THUD_OK) error = thud_expr_graph_add_gradient(b->graph, kinetic, n, system->slot_v, b->momentum);
  if (error == THUD_OK) error = add_sum(b, kinetic, b->minus, *potential, &kinetic); /* now T - V */
  if (error == THUD_OK) error = thud_expr_graph_add_gradient(b->graph, kinetic, n, system->slot_q, force);
  for (thud_index i = 0; i < n && error == THUD_OK; i++) {
    thud_expr_value rate = 0, *applied = b->outputs + at->applied + i;
    error = add_source(b, system->forces[i], applied);
    if (error == THUD_OK)
      error = thud_expr_graph_add_gradient(b->graph, b->momentum[i], n, system->slot_v,
                                           b->outputs + at->mass + (ptrdiff_t)i * n);
    if (error == THUD_OK)
      error = thud_expr_graph_add_rate(b->graph, b->momentum[i], n, system->slot_q, b->velocity, &rate);
    if (error == THUD_OK) error = add_sum(b, force[i], b->minus, rate, &force[i]);
    if (error == THUD_OK) error = add_sum(b, force[i], b->one, *applied, &force[i]);
  }
  return error;
}

/* Gradient, rate and second rate of a gap or an equation. */
static thud_error build_position_constraint(builder *b, const layout *at, size_t i, thud_expr_value gap) {
  const verify_system *system = b->system;
  thud_index n = (thud_index)system->n;
  thud_expr_value *gradient = b->outputs + at->gradient + i * system->n, speed = 0, along_q = 0, along_t = 0;
  const thud_index *time = &system->scene.time_slot;
  thud_error error = thud_expr_graph_add_gradient(b->graph, gap, n, system->slot_q, gradient);
  if (error == THUD_OK) error = thud_expr_graph_add_gradient(b->graph, gap, 1, time, &b->rates[i]);
  if (error == THUD_OK) error = thud_expr_graph_add_dot(b->graph, n, gradient, b->velocity, &speed);
  if (error == THUD_OK) error = add_sum(b, speed, b->one, b->rates[i], &speed);
  if (error == THUD_OK) error = thud_expr_graph_add_rate(b->graph, speed, n, system->slot_q, b->velocity, &along_q);
  if (error == THUD_OK) error = thud_expr_graph_add_gradient(b->graph, speed, 1, time, &along_t);
  return error == THUD_OK ? add_sum(b, along_q, b->one, along_t, b->outputs + at->curvature + i) : error;
}

static thud_error build_constraint(builder *b, const layout *at, size_t i) {
  const verify_system *system = b->system;
  const verify_constraint *constraint = &system->constraints[i];
  thud_expr_value value = 0;
  thud_error error = add_source(b, constraint->source, &value);
  if (error == THUD_OK && constraint->is_phi) error = thud_expr_graph_add_dot(b->graph, 1, &value, &b->minus, &value);
  if (error == THUD_OK) error = add_source(b, constraint->restitution, b->outputs + at->restitution + i);
  if (error != THUD_OK) return error;
  if (constraint->kind == VERIFY_UNILATERAL || constraint->kind == VERIFY_EQUATION) {
    b->outputs[at->gap + i] = value;
    return build_position_constraint(b, at, i, value);
  }
  b->rates[i] = value; /* evaluated at velocity 0 */
  return thud_expr_graph_add_gradient(b->graph, value, (thud_index)system->n, system->slot_v,
                                      b->outputs + at->gradient + i * system->n);
}

static thud_error build_law(builder *b, const layout *at, size_t k) {
  const verify_system *system = b->system;
  const verify_law *law = &system->laws[k];
  thud_error error = add_source(b, law->mu, b->outputs + at->friction + k);
  if (error != THUD_OK && error != THUD_ERROR_MEMORY && law->constraint == SIZE_MAX && system->m > 0) {
    b->outputs[at->friction + k] = b->one;
    error = thud_verify_threshold_read(b->system, k);
  }
  for (size_t d = 0; d < law->directions && error == THUD_OK; d++) {
    thud_expr_value *rate = b->rates + system->m + law->first + d;
    error = add_source(b, law->slip[d], rate);
    if (error == THUD_OK)
      error = thud_expr_graph_add_gradient(b->graph, *rate, (thud_index)system->n, system->slot_v,
                                           b->outputs + at->slip + (law->first + d) * system->n);
  }
  return error;
}

static thud_error build_outputs(builder *b, const layout *at) {
  const verify_system *system = b->system;
  thud_error error = thud_expr_graph_add_constant(b->graph, 0, &b->zero);
  if (error == THUD_OK) error = thud_expr_graph_add_constant(b->graph, 1, &b->one);
  if (error == THUD_OK) error = thud_expr_graph_add_constant(b->graph, -1, &b->minus);
  for (size_t i = 0; i < at->count; i++) b->outputs[i] = b->zero;
  for (size_t i = 0; i < system->m + system->s; i++) b->rates[i] = b->zero;
  for (size_t i = 0; i < system->n && error == THUD_OK; i++)
    error = thud_expr_graph_add_variable(b->graph, system->slot_v[i], &b->velocity[i]);
  if (error == THUD_OK) error = build_dynamics(b, at);
  for (size_t i = 0; i < system->m && error == THUD_OK; i++) error = build_constraint(b, at, i);
  for (size_t k = 0; k < system->law_count && error == THUD_OK; k++) error = build_law(b, at, k);
  for (size_t i = 0; system->table != NULL && i < system->n && error == THUD_OK; i++) {
    b->outputs[at->table + i] = b->velocity[i];
    if (system->table[i] != NULL) error = add_source(b, system->table[i], b->outputs + at->table + i);
  }
  return error;
}

static thud_error make_programs(builder *b, const layout *at) {
  verify_system *system = b->system;
  thud_context *context = system->scene.context;
  thud_index rates = (thud_index)(system->m + system->s);
  thud_error error = thud_expr_program_create(b->graph, (thud_index)at->count, b->outputs, &system->program);
  if (error == THUD_OK) error = thud_expr_work_create(context, system->program, 0, &system->work);
  if (error == THUD_OK && rates > 0) error = thud_expr_program_create(b->graph, rates, b->rates, &system->rate_program);
  if (error == THUD_OK && rates > 0)
    error = thud_expr_work_create(context, system->rate_program, 0, &system->rate_work);
  return error;
}

/* The graph once more, with the data as formulas. */
static thud_error build_formulas(builder *b, const layout *at) {
  thud_expr_graph_destroy(b->graph);
  b->graph = NULL;
  thud_error error = thud_expr_graph_create(b->system->scene.context, b->system->formulas, &b->graph);
  return error == THUD_OK ? build_outputs(b, at) : error;
}

/* For proofs along arcs; data are formulas there. */
static thud_error make_proof_programs(builder *b, const layout *at) {
  verify_system *system = b->system;
  thud_error error = system->formulas != NULL ? build_formulas(b, at) : THUD_OK;
  if (error == THUD_OK)
    error = thud_expr_program_create(b->graph, (thud_index)at->friction, b->outputs, &system->motion_program);
  if (error == THUD_OK && system->m > 0)
    error = thud_expr_program_create(b->graph, (thud_index)system->m, b->outputs + at->gap, &system->gap_program);
  if (error == THUD_OK && system->law_count > 0)
    error = thud_expr_program_create(b->graph, (thud_index)system->law_count, b->outputs + at->friction,
                                     &system->friction_program);
  return error;
}

thud_error thud_verify_system_compile(verify_system *system) {
  layout at = layout_of(system);
  builder b = {.system = system};
  thud_arena *arena = system->texts;
  b.outputs = thud_arena_alloc(arena, at.count, sizeof *b.outputs);
  b.rates = thud_arena_alloc(arena, system->m + system->s + 1, sizeof *b.rates);
  b.velocity = thud_arena_alloc(arena, 3 * system->n, sizeof *b.velocity);
  system->variables = thud_arena_alloc(arena, 1 + 2 * system->n, sizeof(double));
  if (b.outputs == NULL || b.rates == NULL || b.velocity == NULL || system->variables == NULL) return THUD_ERROR_MEMORY;
  b.momentum = b.velocity + system->n;
  b.scratch = b.momentum + system->n;
  thud_error error = thud_expr_graph_create(system->scene.context, system->scene.scope, &b.graph);
  if (error == THUD_OK) error = build_outputs(&b, &at);
  if (error == THUD_ERROR_UNSUPPORTED && system->formulas != NULL) error = build_formulas(&b, &at); /* derivatives */
  if (error == THUD_OK) error = make_programs(&b, &at);
  if (error == THUD_OK) error = thud_verify_threshold_compile(system);
  double number;
  system->constant_mass = true;
  for (size_t k = 0; k < system->n * system->n && error == THUD_OK; k++)
    system->constant_mass =
        system->constant_mass && thud_expr_graph_is_constant(b.graph, b.outputs[at.mass + k], &number);
  if (error == THUD_OK && system->scheme->event_driven) error = make_proof_programs(&b, &at);
  thud_expr_graph_destroy(b.graph);
  return error;
}

/* ---- evaluation ----------------------------------------------------------------------------------------------------
 */

thud_error thud_verify_values_create(const verify_system *system, verify_values *values) {
  layout at = layout_of(system);
  size_t rates = system->m + system->s;
  double *memory =
      THUD_NEW_ARRAY(system->scene.context, double, at.count + rates + system->n * system->n + 1 + 2 * system->n);
  if (memory == NULL) return THUD_ERROR_MEMORY;
  *values = (verify_values){.out = memory,
                            .rates = memory + at.count,
                            .mass = memory + at.mass,
                            .force = memory + at.force,
                            .applied = memory + at.applied,
                            .gap = memory + at.gap,
                            .gradient = memory + at.gradient,
                            .slip = memory + at.slip,
                            .friction = memory + at.friction,
                            .restitution = memory + at.restitution,
                            .potential = memory + at.potential,
                            .potential_rate = memory + at.potential_rate,
                            .curvature = memory + at.curvature,
                            .table = memory + at.table,
                            .rate = memory + at.count,
                            .slip_rate = memory + at.count + system->m,
                            .factor = memory + at.count + rates,
                            .state = memory + at.count + rates + system->n * system->n};
  return THUD_OK;
}

void thud_verify_values_free(const verify_system *system, verify_values *values) {
  thud_free(system->scene.context, values->out);
  values->out = NULL;
}

bool thud_verify_system_at(verify_system *system, double t, const double *q, const double *v, verify_values *values) {
  if (system->functions) return false; /* they are known where the run has called them, nowhere else */
  layout at = layout_of(system);
  size_t n = system->n, rates = system->m + system->s;
  system->variables[system->scene.time_slot] = t;
  for (size_t i = 0; i < n; i++) {
    system->variables[system->slot_q[i]] = q[i];
    system->variables[system->slot_v[i]] = v[i];
  }
  memcpy(values->state, system->variables, (1 + 2 * n) * sizeof(double));
  thud_expr_work_evaluate(system->work, system->variables, values->out);
  for (size_t i = 0; i < n; i++) system->variables[system->slot_v[i]] = 0;
  if (rates > 0) thud_expr_work_evaluate(system->rate_work, system->variables, values->rates);
  bool finite = true;
  /* A user's impact law, last among the outputs, is asked at impacts only: elsewhere it may be anything. */
  /* Gaps of class C^1 (y - |x|^1.6) have no curvature where open contacts fly over: what needs it, contacts that last, is
   * refused by runs and fails the equations of motion. */
  for (size_t i = 0; i < system->m; i++)
    if (!isfinite(values->out[at.curvature + i]) && system->constraints[i].kind == VERIFY_UNILATERAL)
      values->out[at.curvature + i] = 0;
  for (size_t k = 0; k < at.table; k++) finite = finite && isfinite(values->out[k]);
  for (size_t k = 0; k < rates; k++) finite = finite && isfinite(values->rates[k]);
  memcpy(values->factor, values->mass, n * n * sizeof(double));
  if (!finite || !thud_verify_cholesky(n, values->factor)) return false;
  return system->mean_of == 0 || thud_verify_mean_forces(system, q, v, values);
}

/* ---- small formulas ------------------------------------------------------------------------------------------------
 */

void thud_verify_apply_mass(const verify_system *system, const verify_values *values, const double *x, double *out) {
  for (size_t i = 0; i < system->n; i++) out[i] = thud_verify_dot(system->n, values->mass + i * system->n, x);
}

double thud_verify_kinetic(const verify_system *system, const verify_values *values, const double *v) {
  double sum = 0;
  for (size_t i = 0; i < system->n; i++) sum += v[i] * thud_verify_dot(system->n, values->mass + i * system->n, v);
  return sum / 2;
}

double thud_verify_constraint_velocity(const verify_system *system, const verify_values *values, size_t i,
                                       const double *v) {
  return thud_verify_dot(system->n, values->gradient + i * system->n, v) + values->rate[i];
}

double thud_verify_slip_velocity(const verify_system *system, const verify_values *values, size_t k, const double *v) {
  return thud_verify_dot(system->n, values->slip + k * system->n, v) + values->slip_rate[k];
}

double thud_verify_response(const verify_system *system, const verify_values *values, const double *row,
                            double *scratch) {
  memcpy(scratch, row, system->n * sizeof(double));
  thud_verify_cholesky_solve(system->n, values->factor, scratch);
  return thud_verify_dot(system->n, row, scratch);
}

double thud_verify_momentum_length(const verify_system *system, const verify_values *values, const double *momentum,
                                   double *scratch) {
  return sqrt(fmax(0, thud_verify_response(system, values, momentum, scratch)));
}

thud_error thud_verify_law_project(const verify_system *system, const verify_law *law, double radius, const double *x,
                                   double *y, double *accuracy) {
  size_t d = law->directions;
  *accuracy = 0;
  if (!(radius > 0)) {
    memset(y, 0, d * sizeof *y);
    return THUD_OK;
  }
  if (law->firm) {
    memcpy(y, x, d * sizeof *y);
    return THUD_OK;
  }
  if (law->disc) {
    double size = thud_verify_norm(d, x), factor = size > radius ? radius / size : 1;
    for (size_t k = 0; k < d; k++) y[k] = factor * x[k];
    return THUD_OK;
  }
  thud_context *context = system->scene.context;
  double *scaled = THUD_NEW_ARRAY(context, double, d);
  if (scaled == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < d; k++) scaled[k] = x[k] / radius;
  double size = fmax(1, thud_verify_norm(d, scaled));
  thud_error error = thud_verify_project(context, &law->set, system->numbers, scaled, size, y, accuracy);
  for (size_t k = 0; k < d && error == THUD_OK; k++) y[k] *= radius;
  *accuracy *= radius;
  thud_free(context, scaled);
  return error;
}

thud_error thud_verify_friction_error(const verify_system *system, const verify_values *values, const verify_law *law,
                                      double radius, double normal, const double *r, const double *v,
                                      const double *slip_size, double *scratch, double *value, double *accuracy) {
  size_t d = law->directions, n = system->n;
  double *shifted = scratch, *y = scratch + d, *work = scratch + 2 * d, trace = 0, fastest = 0;
  double shift = fmin(radius, thud_verify_norm(d, r) + normal);
  for (size_t k = 0; k < d; k++) {
    double response = thud_verify_response(system, values, values->slip + (law->first + k) * n, work);
    trace += response > 0 ? response : 1;
    fastest = fmax(fastest, slip_size[law->first + k]);
  }
  for (size_t k = 0; k < d; k++) {
    double u = thud_verify_slip_velocity(system, values, law->first + k, v);
    shifted[k] = r[k] - (fastest > 0 ? u * shift / fastest : 0);
  }
  thud_error error = thud_verify_law_project(system, law, radius, shifted, y, accuracy);
  *value = sqrt(trace) * thud_verify_distance(d, r, y);
  *accuracy *= sqrt(trace);
  return error;
}

/* ---- the recorded numbers of a system's functions, in the place of evaluated formulas ---------------------------- */

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Rows are reactions of the scene, in ascending order. */
static void check_rows(const verify_system *system, const verify_problems *problems, size_t count,
                       thud_verify_check *structure) {
  double all = (double)(system->m + system->s);
  for (size_t k = 0; k < count; k++) {
    const double *rows = verify_ragged_row(&problems->rows, k);
    size_t length = verify_ragged_count(&problems->rows, k);
    double last = -1;
    bool fits = verify_ragged_count(&problems->gradient, k) == length * system->n &&
                verify_ragged_count(&problems->rate, k) == length &&
                verify_ragged_count(&problems->coefficient, k) == length;
    for (size_t j = 0; j < length; last = rows[j++]) fits = fits && rows[j] > last && rows[j] < all;
    if (!fits) thud_verify_fail(structure, NAN, k, "the rows of a velocity problem are not those of the scene");
  }
}

thud_error thud_verify_problems_read(const verify_system *system, thud_record_reader *reader, thud_record_table table,
                                     verify_problems *problems, thud_verify_check *structure) {
  size_t n = system->n, any = system->m + system->s > 0;
  bool events = table == THUD_RECORD_EVENTS && system->given_mass == NULL;
  /* Channels of events are found by their names. */
  bool by_name = table == THUD_RECORD_EVENTS;
  const verify_ragged_channel channels[] = {
      {by_name ? "mass" : "posed_mass", events ? n * n : 0, &problems->mass},
      {by_name ? "rows" : "posed_rows", any, &problems->rows},
      {by_name ? "gradient" : "posed_gradient", any * n, &problems->gradient},
      {by_name ? "rate" : "posed_rate", any, &problems->rate},
      {by_name ? "coefficient" : "posed_coefficient", any, &problems->coefficient}};
  thud_context *context = system->scene.context;
  thud_error error =
      thud_verify_read_ragged(context, reader, table, sizeof channels / sizeof *channels, channels, structure);
  if (error == THUD_OK && structure->status == THUD_VERIFY_PASSED)
    check_rows(system, problems, thud_record_reader_info(reader).rows[table], structure);
  return error;
}

void thud_verify_problems_free(thud_context *context, verify_problems *problems) {
  verify_ragged *all[] = {&problems->mass, &problems->rows, &problems->gradient, &problems->rate,
                          &problems->coefficient};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) thud_verify_ragged_free(context, all[k]);
}

thud_error thud_verify_posed_read(const verify_system *system, thud_record_reader *reader, verify_posed *posed,
                                  thud_verify_check *structure) {
  size_t n = system->n, mass = system->given_mass == NULL ? n * n : 0;
  const verify_channel channels[] = {{"posed_step", 1, &posed->step},         {"posed_mass", mass, &posed->mass},
                                     {"node_mass", mass, &posed->node_mass},  {"smooth_impulse", n, &posed->impulse},
                                     {"applied_impulse", n, &posed->applied}, {"posed_gap", system->m, &posed->gap},
                                     {"posed_bend", system->m, &posed->bend}};
  thud_error error = thud_verify_read_channels(system->scene.context, reader, THUD_RECORD_FRAMES,
                                               sizeof channels / sizeof *channels, channels, structure);
  if (error != THUD_OK) return error;
  return thud_verify_problems_read(system, reader, THUD_RECORD_FRAMES, &posed->problems, structure);
}

void thud_verify_posed_free(thud_context *context, verify_posed *posed) {
  double *arrays[] = {posed->step,    posed->mass, posed->node_mass, posed->impulse,
                      posed->applied, posed->gap,  posed->bend};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_verify_problems_free(context, &posed->problems);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* The block that a part of the values lies in. */
static double *part_of(const verify_values *values, const double *part) { return values->out + (part - values->out); }

bool thud_verify_take_mass(const verify_system *system, const double *mass, verify_values *values) {
  size_t n = system->n;
  double *own = part_of(values, values->mass);
  memcpy(own, mass != NULL ? mass : system->given_mass, n * n * sizeof(double));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      if (!isfinite(own[i * n + j]) || fabs(own[i * n + j] - own[j * n + i]) > 1e-12 * fabs(own[i * n + i]))
        return false;
  memcpy(values->factor, own, n * n * sizeof(double));
  return thud_verify_cholesky(n, values->factor);
}

static void clear_rows(const verify_system *system, const verify_values *values) {
  memset(part_of(values, values->gradient), 0, system->m * system->n * sizeof(double));
  memset(part_of(values, values->slip), 0, system->s * system->n * sizeof(double));
  memset(part_of(values, values->friction), 0, system->law_count * sizeof(double));
  memset(part_of(values, values->restitution), 0, system->m * sizeof(double));
  memset(values->rates, 0, (system->m + system->s) * sizeof(double));
}

static size_t law_of(const verify_system *system, size_t slip) {
  size_t k = 0;
  while (slip >= system->laws[k].first + system->laws[k].directions) k++;
  return k;
}

/* mu is one number for all directions of a law. */
static bool take_slip(const verify_system *system, size_t slip, double mu, const verify_values *values) {
  size_t law = law_of(system, slip);
  double *friction = part_of(values, values->friction);
  bool same = slip == system->laws[law].first || friction[law] == mu;
  friction[law] = mu;
  return same && mu >= 0;
}

static bool take_constraint(const verify_system *system, size_t i, double e, double *acting,
                            const verify_values *values) {
  const verify_constraint *constraint = &system->constraints[i];
  part_of(values, values->restitution)[i] = e;
  if (acting != NULL) acting[i] = 1;
  /* Regularised motions are inelastic whatever the scene says. */
  return !constraint->knows_restitution || e == constraint->known_restitution || system->scheme->penalty;
}

bool thud_verify_problem_values(const verify_system *system, const verify_problems *problems, size_t k,
                                const double *mass, double *acting, verify_values *values) {
  size_t n = system->n, m = system->m, count = verify_ragged_count(&problems->rows, k);
  const double *rows = verify_ragged_row(&problems->rows, k), *gradient = verify_ragged_row(&problems->gradient, k);
  const double *rate = verify_ragged_row(&problems->rate, k);
  const double *coefficient = verify_ragged_row(&problems->coefficient, k);
  bool good = thud_verify_take_mass(system, mass, values);
  clear_rows(system, values);
  if (acting != NULL) memset(acting, 0, m * sizeof(double));
  for (size_t j = 0; j < count; j++) {
    size_t row = (size_t)rows[j];
    double *to = row < m ? part_of(values, values->gradient) + row * n : part_of(values, values->slip) + (row - m) * n;
    memcpy(to, gradient + j * n, n * sizeof(double));
    for (size_t i = 0; i < n; i++) good = good && isfinite(to[i]);
    values->rates[row] = rate[j];
    good = good && isfinite(rate[j]) && isfinite(coefficient[j]);
    good = (row < m ? take_constraint(system, row, coefficient[j], acting, values)
                    : take_slip(system, row - m, coefficient[j], values)) &&
           good;
  }
  return good;
}
