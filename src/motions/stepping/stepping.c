/* A motion from its initial state to its end: life, checks at the start, the loop over the nodes, the state block. */
#include "base/base.h"
#include "motions/stepping/stepping.h"
#include "thud/event.h"

#include <float.h>
#include <stdio.h>

/* ---- life
 * ------------------------------------------------------------------------------------------------------------ */

/* Carves the state block and the scratch; both are one allocation each, so that a snapshot is a copy. */
static thud_error allocate_state(stepping_motion *motion) {
  thud_context *context = motion->base.context;
  size_t n = (size_t)motion->n, m = (size_t)motion->m, s = (size_t)motion->s;
  size_t laws = (size_t)thud_system_friction_count(motion->system);
  size_t posed = motion->options.keep_posed ? thud_sim_posed_count(motion->system) : 0;
  size_t equations = thud_stepping_dependent_room(motion->system, motion->values->sparse != NULL);
  motion->equations = equations;
  motion->block_count = 8 * n + m + (m + s) + 8 * m + posed + equations * (n + 2);
  motion->block = THUD_NEW_ARRAY(context, double, motion->block_count);
  motion->saved = THUD_NEW_ARRAY(context, double, motion->block_count);
  size_t square = motion->values->sparse == NULL ? n * n : 0, means = motion->jumps != NULL ? 6 * n : 0;
  motion->scratch = THUD_NEW_ARRAY(context, double,
                                   12 * n + (m + s) + (2 * m + laws) + 2 * square + 3 * laws + m +
                                       equations * (2 * n + equations + 2) + 2 * n + means);
  motion->acting = THUD_NEW_ARRAY(context, bool, m);
  motion->atom = THUD_NEW_ARRAY(context, bool, m);
  motion->family = THUD_NEW_ARRAY(context, thud_index, equations);
  motion->left_out = THUD_NEW_ARRAY(context, bool, m);
  if (motion->block == NULL || motion->saved == NULL || motion->scratch == NULL || motion->acting == NULL ||
      motion->atom == NULL || motion->family == NULL || motion->left_out == NULL)
    return THUD_ERROR_MEMORY;
  thud_percussion_leave_out(motion->percussion, equations > 0 ? motion->left_out : NULL);
  double *next = motion->block;
  double **state[] = {&motion->q, &motion->v, &motion->v_left, &motion->v_average};
  for (size_t k = 0; k < 4; k++, next += n) *state[k] = next;
  motion->gap = next;
  motion->reaction = motion->gap + m;
  motion->flags = motion->reaction + m + s;
  motion->u_after = motion->flags + 2 * m;
  next = motion->u_after + m;
  double **box[] = {&motion->low, &motion->high, &motion->before, &motion->v_limit};
  for (size_t k = 0; k < 4; k++, next += n) *box[k] = next;
  double **gaps[] = {&motion->violated, &motion->open, &motion->near, &motion->carried, &motion->at_start};
  for (size_t k = 0; k < 5; k++, next += m) *gaps[k] = next;
  motion->longest = next;
  motion->left_before = next + equations;
  motion->followed = motion->left_before + equations * n;
  next += equations * (n + 2);
  if (posed > 0) thud_sim_posed_place(motion->system, next, &motion->posed);
  next = motion->scratch;
  double **vectors[] = {&motion->v_free,  &motion->v_old, &motion->impulse,
                        &motion->applied, &motion->work,  &motion->middle};
  for (size_t k = 0; k < 6; k++, next += n) *vectors[k] = next;
  motion->start_force = next;
  motion->compared = next + 2 * n;
  motion->weights = motion->compared + 2 * n;
  motion->kept = motion->weights + m + s;
  motion->mass = motion->kept + 2 * m + laws;
  motion->load = motion->mass + 2 * square;
  motion->load_velocity = motion->load + n;
  motion->load_bound = motion->load_velocity + n;
  motion->load_share = motion->load_bound + laws;
  motion->density = motion->load_share + laws;
  motion->bend = motion->density + laws;
  motion->row_room = motion->bend + m;
  motion->foot = motion->row_room + equations * (2 * n + equations + 2);
  motion->mean = motion->foot + 2 * n;
  return THUD_OK;
}

static thud_error check_options(thud_context *context, const thud_stepping_options *options) {
  if (!(options->end > options->start))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-span] the end (%g) must lie after the start (%g)",
                     options->end, options->start);
  if ((options->steps > 0) == (options->tolerance > 0))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[contradictory-keys] give either a number of equal steps or a tolerance for controlled ones");
  return THUD_OK;
}

/* Percussions that raise the thresholds of friction laws are atoms, which a penalty does not have. */
static thud_error check_loads(const stepping_motion *motion) {
  thud_loads loads = thud_system_loads(motion->system);
  for (size_t k = 0; k < loads.count && motion->scheme->is_penalty; k++)
    if (loads.items[k].bound != NULL || loads.items[k].share != NULL)
      return thud_fail(motion->base.context, THUD_ERROR_UNSUPPORTED,
                       "[unsupported-method] the regularised method takes no percussions of thresholds (t = %.10g): "
                       "use implicit, moreau-jean "
                       "or event-driven",
                       loads.items[k].t);
  return THUD_OK;
}

/* Schemes for frictionless systems, or with one coefficient of restitution, say so. */
static thud_error check_scheme(stepping_motion *motion) {
  thud_context *context = motion->base.context;
  const thud_scheme *scheme = motion->scheme;
  const char *name = thud_stepping_method_name((thud_stepping_method)motion->options.method);
  thud_error error = check_loads(motion);
  if (error != THUD_OK) return error;
  if (!scheme->takes_friction && thud_system_friction_count(motion->system) > 0)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "[unsupported-method] the method %s knows no friction (law '%s'): use moreau-jean, moreau, "
                     "second-order, stabilised or "
                     "implicit",
                     name, thud_system_friction(motion->system, 0)->name);
  if (!scheme->needs_one_restitution) return THUD_OK;
  if (motion->projection != motion->percussion)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "[unsupported-method] the method %s is made of projections and takes no other impact law: use "
                     "newton or canonical",
                     name);
  const char *equation = NULL; /* -e v would leave it */
  bool first = true;
  for (thud_index i = 0; i < motion->m; i++) {
    const thud_constraint_def *constraint = thud_system_constraint(motion->system, i);
    if (constraint->kind != THUD_CONSTRAINT_UNILATERAL) {
      equation = constraint->name;
      continue;
    }
    double e = motion->values->restitution[i];
    if (scheme->is_penalty && e != 0)
      return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                       "[unsupported-method] the regularised method is inelastic, but constraint '%s' has restitution "
                       "%g: set it to 0",
                       constraint->name, e);
    if (!first && e != motion->e)
      return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                       "[unsupported-method] the method %s needs one restitution for all constraints, but '%s' has %g "
                       "where others have %g",
                       name, constraint->name, e, motion->e);
    motion->e = e;
    first = false;
  }
  if (scheme->leaves_equations && equation != NULL && motion->e > 0)
    return thud_fail(
        context, THUD_ERROR_UNSUPPORTED,
        "[unsupported-method] the method %s keeps '%s' only without restitution (here %g): use another method", name,
        equation, motion->e);
  return THUD_OK;
}

static double size_of(thud_index n, const double *x) {
  double size = 0;
  for (thud_index i = 0; i < n; i++) size = thud_larger(size, fabs(x[i]));
  return size;
}

static thud_error fail_unqualified(stepping_motion *motion, const thud_system_diagnosis *found) {
  char names[256] = "";
  size_t used = 0;
  for (thud_index k = 0; k < found->dependent_count && used < sizeof names; k++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", k > 0 ? ", " : "",
                             thud_system_constraint(motion->system, found->dependent[k])->name);
  if (found->dependent_count == 1 && found->vanishing > 0)
    return thud_fail(motion->base.context, THUD_ERROR_UNQUALIFIED,
                     "[unqualified-point] the gradient of constraint '%s', which acts at the start, vanishes (rank %d "
                     "of %d): the point is "
                     "not qualified, and no reaction can keep the gap from closing",
                     names, (int)found->rank, (int)found->active_count);
  thud_error error = thud_stepping_look_for_contradiction(motion);
  if (error != THUD_OK) return error;
  return thud_fail(motion->base.context, THUD_ERROR_UNQUALIFIED,
                   "[no-admissible-velocity] no velocity opens all constraints that act at the start: the gradients of "
                   "%s are positively "
                   "dependent",
                   names);
}

/* Penetration, open equations, velocities against equations, positively dependent constraints: input errors. */
static thud_error judge_start(stepping_motion *motion, thud_index *dependent) {
  thud_context *context = motion->base.context;
  const thud_stepping_options *options = &motion->options;
  thud_system_diagnosis found = {.dependent = dependent};
  thud_error error = thud_system_diagnose(context, motion->system, options->start, motion->q, motion->v,
                                          options->gap_tolerance, &found);
  if (error != THUD_OK) return error;
  const thud_constraint_def *constraint =
      found.worst_gap_constraint >= 0 ? thud_system_constraint(motion->system, found.worst_gap_constraint) : NULL;
  if (constraint != NULL && fabs(found.worst_gap) > options->initial_tolerance)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[start-violates] the initial state violates constraint '%s' by %.6g (%s)", constraint->name,
                     fabs(found.worst_gap),
                     constraint->kind == THUD_CONSTRAINT_UNILATERAL ? "gap < 0" : "equation not 0");
  motion->starts_dependent = found.equation_rank >= 0 && found.equation_rank < found.equation_count;
  if (!found.qualified) return fail_unqualified(motion, &found);
  constraint = found.worst_velocity_constraint >= 0
                   ? thud_system_constraint(motion->system, found.worst_velocity_constraint)
                   : NULL;
  if (constraint != NULL && constraint->kind != THUD_CONSTRAINT_UNILATERAL &&
      fabs(found.worst_velocity) > options->initial_tolerance)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[start-violates] the initial velocity violates constraint '%s' by %.6g", constraint->name,
                     fabs(found.worst_velocity));
  return THUD_OK;
}

static thud_error check_start(stepping_motion *motion) {
  thud_index *dependent = THUD_NEW_ARRAY(motion->base.context, thud_index, motion->m);
  thud_error error = dependent != NULL ? judge_start(motion, dependent) : THUD_ERROR_MEMORY;
  thud_free(motion->base.context, dependent);
  return error;
}

static thud_error fail_violated(const stepping_motion *motion, thud_index i, const char *what, double by,
                                const char *how) {
  return thud_fail(motion->base.context, THUD_ERROR_ARGUMENT,
                   "[start-violates] the initial %s violates constraint '%s' by %.6g%s", what,
                   thud_system_constraint(motion->system, i)->name, fabs(by), how);
}

#define OPENED 1e-4

/* Whether some velocity keeps the equations and opens all gaps that act: the smallest one with dg.v >= 1 is asked for,
 * as the answer of a velocity problem with rates of -1. */
static thud_error check_qualified(stepping_motion *motion) {
  thud_system_values *values = motion->values;
  double *rest = motion->v_free, *kept = motion->kept, *impulses = motion->weights;
  thud_percussion_info found;
  memset(rest, 0, (size_t)motion->n * sizeof(double));
  for (thud_index i = 0; i < motion->m; i++) {
    thud_constraint_kind kind = thud_system_constraint(motion->system, i)->kind;
    bool equation = kind == THUD_CONSTRAINT_BILATERAL || kind == THUD_CONSTRAINT_VELOCITY;
    kept[i] = values->rate[i];
    values->rate[i] = equation ? 0 : -1;
    impulses[i] = 0;
    motion->acting[i] = kind != THUD_CONSTRAINT_UNILATERAL || values->gap[i] <= motion->options.gap_tolerance;
  }
  thud_error error = thud_percussion_solve(motion->projection, values, motion->acting, 0, rest, rest, impulses,
                                           impulses + motion->m, motion->work, &found);
  memcpy(values->rate, kept, (size_t)motion->m * sizeof(double));
  memset(motion->acting, 0, (size_t)motion->m * sizeof *motion->acting);
  if (error != THUD_OK) return error;
  if (found.residual <= OPENED) return THUD_OK; /* a velocity that opens them by 1 - OPENED and more opens them */
  const thud_constraint_def *worst = thud_system_constraint(motion->system, found.worst_constraint);
  return thud_fail(motion->base.context, THUD_ERROR_UNQUALIFIED,
                   "[no-admissible-velocity] no velocity opens all constraints that act at the start (worst: %s)",
                   worst != NULL ? worst->name : "none");
}

/* judge_start with sparse values, whose diagnosis would need full matrices. */
static thud_error judge_sparse_start(stepping_motion *motion) {
  const thud_system_values *values = motion->values;
  const thud_stepping_options *options = &motion->options;
  for (thud_index i = 0; i < motion->m; i++) {
    thud_constraint_kind kind = thud_system_constraint(motion->system, i)->kind;
    double gap = values->gap[i], u = thud_row_dot(thud_gradient_row(values, motion->n, i), motion->v) + values->rate[i];
    if (kind == THUD_CONSTRAINT_UNILATERAL) {
      if (-gap > options->initial_tolerance) return fail_violated(motion, i, "state", gap, " (gap < 0)");
      continue;
    }
    if (kind == THUD_CONSTRAINT_BILATERAL && fabs(gap) > options->initial_tolerance)
      return fail_violated(motion, i, "state", gap, " (equation not 0)");
    double violation = kind == THUD_CONSTRAINT_VELOCITY_ONE_SIDED ? -u : fabs(u);
    if (violation > options->initial_tolerance) return fail_violated(motion, i, "velocity", u, "");
  }
  return check_qualified(motion);
}

/* Newton's and the canonical law with e = 0 are projections; the others are maps of their own. */
static thud_error create_projection(stepping_motion *motion) {
  thud_percussion_options options = motion->options.percussion;
  motion->projection = motion->percussion;
  if (options.law == THUD_IMPACT_NEWTON || options.law == THUD_IMPACT_CANONICAL) return THUD_OK;
  options.law = THUD_IMPACT_NEWTON;
  motion->projection = NULL;
  thud_error error = thud_percussion_create(motion->base.context, motion->system, &options, &motion->projection);
  if (error == THUD_OK && motion->equations > 0) thud_percussion_leave_out(motion->projection, motion->left_out);
  return error;
}

/* Usual sizes of the run, in the units of the scene: those of the start, and what velocity and acceleration of the start
 * give over the run, or those where the data jump. */
void thud_stepping_set_blow_up(stepping_motion *motion) {
  motion_progress *now = &motion->now;
  double length = motion->options.end - motion->options.start, *a = motion->work;
  memcpy(a, motion->values->force, (size_t)motion->n * sizeof(double));
  thud_values_solve_mass(motion->values, motion->n, a);
  double speed = thud_larger(size_of(motion->n, motion->v), length * size_of(motion->n, a));
  double way = thud_larger(size_of(motion->n, motion->q), length * speed);
  now->blow_up_v = thud_larger(now->blow_up_v, motion->options.blow_up * speed);
  now->blow_up_q = thud_larger(now->blow_up_q, motion->options.blow_up * way);
}

static thud_error start(stepping_motion *motion, const double *q0, const double *v0) {
  thud_context *context = motion->base.context;
  for (thud_index i = 0; i < motion->n; i++)
    if (!isfinite(q0[i]) || !isfinite(v0[i]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "the initial %s of '%s' is %g",
                       isfinite(q0[i]) ? "velocity" : "position", thud_system_coordinate(motion->system, i),
                       isfinite(q0[i]) ? v0[i] : q0[i]);
  size_t bytes = (size_t)motion->n * sizeof(double);
  memcpy(motion->q, q0, bytes);
  memcpy(motion->v, v0, bytes);
  memcpy(motion->v_left, v0, bytes);
  memcpy(motion->v_average, v0, bytes);
  memcpy(motion->v_limit, v0, bytes);
  thud_stepping_find_singular(motion);
  double side = motion->now.at_jump ? thud_stepping_side(motion, motion->options.start) : 0;
  thud_error error =
      thud_system_evaluate(motion->system, motion->options.start + side, q0, v0, THUD_AT_EVERYTHING, motion->values);
  if (error == THUD_OK) error = check_scheme(motion);
  if (error != THUD_OK) return error;
  thud_stepping_set_blow_up(motion);
  return motion->values->sparse != NULL ? judge_sparse_start(motion) : check_start(motion);
}

/* Full matrices of larger systems would be too much memory. */
static thud_error check_full(const stepping_motion *motion, const char *reason) {
  if (motion->n <= THUD_METRIC_DENSE_MAX) return THUD_OK;
  return thud_fail(
      motion->base.context, THUD_ERROR_UNSUPPORTED,
      "[unsupported-method] %d coordinates: motions with %s keep full matrices and have at most %d; leave that out",
      (int)motion->n, reason, THUD_METRIC_DENSE_MAX);
}

static thud_error choose_storage(stepping_motion *motion, motion_storage *storage) {
  const thud_stepping_options *options = &motion->options;
  const char *wrong = thud_percussion_not_sparse(motion->system, &options->percussion);
  if (options->keep_posed) wrong = "frames with the numbers of the functions";
  bool sparse =
      *storage == MOTION_SPARSE || (*storage == MOTION_AUTO && motion->n > MODEL_SPARSE_FROM && wrong == NULL);
  sparse = sparse && thud_system_has_patterns(motion->system);
  *storage = sparse ? MOTION_SPARSE : MOTION_FULL;
  return sparse ? THUD_OK : check_full(motion, wrong);
}

static thud_error create_full(stepping_motion *motion) {
  thud_error error = thud_system_values_create(motion->base.context, motion->system, &motion->values);
  if (error != THUD_OK) return error;
  return thud_percussion_create(motion->base.context, motion->system, &motion->options.percussion, &motion->percussion);
}

/* Values and the solver of their velocity problems. Friction in a metric that couples many coordinates (implicit forces
 * of springs) needs full matrices, which is known when the metric is there. */
static thud_error create_parts(stepping_motion *motion, motion_storage storage) {
  thud_context *context = motion->base.context;
  const thud_percussion_options *options = &motion->options.percussion;
  bool may_change = storage == MOTION_AUTO;
  thud_error error = choose_storage(motion, &storage);
  if (error != THUD_OK) return error;
  if (storage == MOTION_FULL) return create_full(motion);
  error = thud_system_values_create_sparse(context, motion->system, motion->scheme->implicit_forces, &motion->values);
  if (error != THUD_OK) return error;
  error = thud_percussion_create_sparse(context, motion->system, options, motion->values, &motion->percussion);
  if (error != THUD_ERROR_UNSUPPORTED || !may_change) return error;
  thud_system_values_destroy(context, motion->values);
  motion->values = NULL;
  error = check_full(motion, "friction and a metric of many coupled coordinates");
  return error == THUD_OK ? create_full(motion) : error;
}

static const thud_motion_type stepping_type;

static void destroy(thud_motion *base) {
  stepping_motion *motion = (stepping_motion *)base;
  thud_context *context = motion->base.context;
  if (motion->projection != motion->percussion) thud_percussion_destroy(motion->projection);
  thud_percussion_destroy(motion->percussion);
  thud_model_jumps_destroy(motion->jumps);
  thud_system_values_destroy(context, motion->values);
  thud_free(context, motion->block);
  thud_free(context, motion->saved);
  thud_free(context, motion->scratch);
  thud_free(context, motion->acting);
  thud_free(context, motion->atom);
  thud_free(context, motion->family);
  thud_free(context, motion->left_out);
  thud_motion_destroy(motion->probe);
  thud_free(context, motion);
}

thud_error thud_stepping_motion_create_stored(thud_context *context, const thud_system *system,
                                              const thud_stepping_options *options, motion_storage storage,
                                              const double *q0, const double *v0, thud_motion **motion) {
  thud_stepping_options chosen;
  thud_error error = thud_options_take(context, thud_stepping_option_table(), options, &chosen);
  if (error == THUD_OK) error = check_options(context, &chosen);
  if (error != THUD_OK) return error;
  stepping_motion *made = THUD_NEW(context, stepping_motion);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->base = (thud_motion){.type = &stepping_type, .context = context};
  made->system = system;
  made->options = chosen;
  made->options.percussion.tolerance = chosen.residual_tolerance;
  made->scheme = thud_stepping_scheme_of(chosen.method);
  made->n = thud_system_dimension(system);
  made->m = thud_system_constraint_count(system);
  made->s = thud_system_slip_count(system);
  made->now = (motion_progress){.t = chosen.start,
                                .next_step = (chosen.end - chosen.start) / 1000,
                                .worst_gap_constraint = -1,
                                .creep = -1,
                                .info = {.time = chosen.start,
                                         .worst_gap_constraint = -1,
                                         .cosine_first = -1,
                                         .cosine_second = -1,
                                         .right_accumulation_constraint = -1}};
  made->jump = made->data_to = INFINITY;
  made->data_from = -INFINITY;
  made->stretch = 1;
  error = create_parts(made, storage);
  if (error == THUD_OK) error = thud_model_jumps_create(context, system, &made->jumps);
  if (error == THUD_OK) thud_stepping_begin_sides(made);
  if (error == THUD_OK) error = allocate_state(made);
  if (error == THUD_OK) error = create_projection(made);
  if (error == THUD_OK) error = start(made, q0, v0);
  if (error == THUD_OK)
    *motion = &made->base;
  else
    destroy(&made->base);
  return error;
}

thud_error thud_stepping_motion_create(thud_context *context, const thud_system *system,
                                       const thud_stepping_options *options, const double *q0, const double *v0,
                                       thud_motion **motion) {
  THUD_REQUIRE(context, context, system, options, q0, v0, motion);
  return thud_stepping_motion_create_stored(context, system, options, MOTION_AUTO, q0, v0, motion);
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static thud_stepping_frame frame_of(const stepping_motion *motion) {
  const motion_progress *now = &motion->now;
  return (thud_stepping_frame){.t = now->t,
                               .step = now->step,
                               .q = motion->q,
                               .v_left = motion->v_left,
                               .v = motion->v,
                               .v_average = motion->v_average,
                               .gap = motion->gap,
                               .reaction = motion->reaction,
                               .atom = motion->atom,
                               .acting = motion->acting,
                               .impact = now->impact,
                               .residual = now->residual,
                               .worst_gap = now->worst_gap,
                               .worst_gap_constraint = now->worst_gap_constraint,
                               .percussion = now->percussion,
                               .ledger = now->info.ledger,
                               .posed = motion->options.keep_posed ? &motion->posed : NULL,
                               .v_limit = motion->v_limit};
}

/* Node 0: energies and gaps, loads at the start; Mabrouk's scheme changes the velocity. */
static thud_error begin_run(stepping_motion *motion) {
  const thud_stepping_options *options = &motion->options;
  motion_progress *now = &motion->now;
  const unsigned parts = THUD_AT_MASS | THUD_AT_CONSTRAINT | THUD_AT_GRADIENT | THUD_AT_POTENTIAL;
  if (now->at_jump) motion->data_from = now->t + thud_stepping_side(motion, now->t);
  thud_error error = thud_stepping_evaluate(motion, now->t, motion->q, motion->v, parts);
  if (error != THUD_OK) return error;
  error = thud_stepping_choose_acting(motion, now->t, motion->q, motion->v, 0);
  if (error != THUD_OK) return error;
  thud_stepping_keep_normal_velocities(motion); /* a velocity into a closed contact is an impact of the first step */
  double kinetic = thud_system_kinetic_energy(motion->system, motion->values, motion->v);
  now->initial_energy = kinetic + motion->values->potential;
  now->energy_scale = kinetic;
  now->begun = true;
  thud_stepping_note_start(motion);
  error = thud_stepping_load_start(motion);
  if (error != THUD_OK) return error;
  if (motion->scheme->begin == NULL) return thud_stepping_close_node(motion, now->t, 0, 0);
  double h = options->steps > 0 ? (options->end - options->start) / options->steps : now->next_step;
  /* a force that is infinite at the start acts from the first step on */
  return motion->scheme->begin(motion, now->t, now->at_jump && thud_stepping_is_singular(motion, now->t, 1) ? 0 : h);
}

/* One of equal steps, or the part of it up to the next jump of the data. */
static thud_error equal_step(stepping_motion *motion) {
  const thud_stepping_options *options = &motion->options;
  motion_progress *now = &motion->now;
  size_t grid = now->grid + 1, steps = (size_t)options->steps;
  double length = options->end - options->start;
  double t = grid == steps ? options->end : options->start + length * ((double)grid / (double)steps);
  double limit = motion->jumps != NULL ? thud_stepping_limit(motion, t) : t;
  bool arrives = limit == t;
  double h = arrives && !now->between ? length / (double)steps : limit - now->t;
  thud_error error = thud_stepping_do_step(motion, limit, h);
  if (error != THUD_OK) return error;
  now->between = !arrives;
  if (arrives) now->grid = grid;
  return THUD_OK;
}

static thud_error next_node(stepping_motion *motion) {
  const thud_stepping_options *options = &motion->options;
  motion_progress *now = &motion->now;
  thud_error error = thud_stepping_look_at_equations(motion);
  if (error != THUD_OK) return error;
  error = options->steps > 0 ? equal_step(motion) : thud_stepping_controlled_step(motion);
  if (error != THUD_OK) return error;
  now->node++;
  now->info.steps++;
  now->info.time = now->t;
  return THUD_OK;
}

/* What the failure of a step means for the run; false when it is a failure of the call itself. The arguments of a step
 * are the motion's own: THUD_ERROR_ARGUMENT is a coefficient out of its range at the state (mu < 0, e > 1). */
static bool finding_of(thud_error error, thud_motion_status *status) {
  switch (error) {
  case THUD_ERROR_ARGUMENT:
  case THUD_ERROR_NOT_FINITE:
  case THUD_ERROR_CALLBACK: *status = THUD_MOTION_BAD_DATA; return true;
  case THUD_ERROR_NOT_SPD: *status = THUD_MOTION_MASS; return true;
  case THUD_ERROR_UNQUALIFIED: *status = THUD_MOTION_UNQUALIFIED; return true;
  case THUD_ERROR_NOT_CONVERGED: *status = THUD_MOTION_NOT_CONVERGED; return true;
  default: return false;
  }
}

/* A step that cannot be made where the velocities have become large and grow fast is the blow-up itself. */
#define FAST_GROWTH 1.2
#define LARGE_SPEED 100

static bool is_blowing_up(const stepping_motion *motion) {
  const motion_progress *now = &motion->now;
  double usual = motion->now.blow_up_v / motion->options.blow_up; /* of the run */
  return now->speed > LARGE_SPEED * (usual > 0 ? usual : 1) && now->speed > FAST_GROWTH * now->speed_before;
}

static void tell_blow_up(stepping_motion *motion) {
  motion_progress *now = &motion->now;
  now->info.status = THUD_MOTION_BLOW_UP;
  thud_fail(motion->base.context, THUD_ERROR_NOT_FINITE, "[blow-up] blow-up near t = %.10g: |q| = %.3g, |v| = %.3g",
            now->t, size_of(motion->n, motion->q), now->speed);
}

/* The step identity holds to rounding whatever the data; where it does not, impulses are huge because acting
 * constraints are dependent or nearly so, and the velocities are not to be trusted. */
#define IDENTITY_ACCEPTED 1e-8

static bool is_unbalanced(stepping_motion *motion) {
  motion_progress *now = &motion->now;
  if (!(now->info.ledger.identity > IDENTITY_ACCEPTED)) return false;
  now->info.status = THUD_MOTION_NOT_CONVERGED;
  thud_fail(
      motion->base.context, THUD_ERROR_NOT_CONVERGED,
      "[energy-gain] the impulses at t = %.10g do not balance the kinetic energy (relative %.3g): %s; see `thud check`",
      now->t, now->info.ledger.identity,
      motion->m > 0 ? "acting constraints are dependent or nearly so" : "the mass matrix is nearly singular");
  return true;
}

/* A body that is held: its motion is rounding of what its forces would give over the run. */
#define HELD 1e-9

static bool is_held(const stepping_motion *motion, double q, double v) {
  double length = motion->options.end - motion->options.start, *a = motion->work;
  memcpy(a, motion->values->force, (size_t)motion->n * sizeof(double));
  thud_values_solve_mass(motion->values, motion->n, a);
  double speed = HELD * length * size_of(motion->n, a);
  return v <= speed && q <= length * speed;
}

/* Beyond the usual sizes energy that nobody has given is a blow-up at once; what comes from a tiny start by itself
 * (an unstable equilibrium, a force that begins later) may go on to sizes that are large by themselves. */
static bool is_too_large(const stepping_motion *motion) {
  double q = size_of(motion->n, motion->q), v = motion->now.speed, limit = motion->options.blow_up;
  if (q <= motion->now.blow_up_q && v <= motion->now.blow_up_v) return false;
  if (is_held(motion, q, v)) return false;
  bool explained =
      motion->now.info.ledger.kinetic <= 2 * thud_stepping_energy_exchanged(motion) + DBL_MIN / DBL_EPSILON;
  return !explained || !(q <= thud_larger(limit, motion->now.blow_up_q)) ||
         !(v <= thud_larger(limit, motion->now.blow_up_v));
}

/* A blow-up ends a run after the step has been made. */
static bool ends_badly(stepping_motion *motion) {
  motion_progress *now = &motion->now;
  now->speed_before = now->speed;
  now->speed = size_of(motion->n, motion->v);
  if (is_too_large(motion)) {
    tell_blow_up(motion);
    return true;
  }
  return is_unbalanced(motion);
}

static bool at_end(const stepping_motion *motion) {
  const thud_stepping_options *options = &motion->options;
  return options->steps > 0 ? motion->now.grid >= (size_t)options->steps : motion->now.t >= options->end;
}

/* After a step that failed: what was handed out stays the state. */
static thud_error give_up(stepping_motion *motion, thud_error error) {
  thud_motion_status status;
  bool gained = thud_percussion_only_gains(&motion->now.percussion);
  thud_stepping_go_back(motion);
  if (!finding_of(error, &status)) return error;
  if (error == THUD_ERROR_CALLBACK && gained) status = THUD_MOTION_ENERGY;
  motion->now.info.status = status;
  if (is_blowing_up(motion)) tell_blow_up(motion);
  return THUD_OK;
}

/* Node 0, or the next one. */
static thud_error make_node(stepping_motion *motion) {
  bool first = !motion->now.begun;
  thud_stepping_keep(motion);
  thud_error error = first ? begin_run(motion) : next_node(motion);
  if (error != THUD_OK) return give_up(motion, error);
  if (!first && ends_badly(motion)) return THUD_OK;
  if (at_end(motion)) motion->now.info.status = THUD_MOTION_COMPLETED;
  return THUD_OK;
}

/* Hands the node over. */
static thud_error emit(stepping_motion *motion, const thud_motion_sink *sink) {
  thud_stepping_frame node = frame_of(motion);
  int wish = sink->frame(sink->user, &node);
  if (wish > 0) motion->now.info.status = THUD_MOTION_STOPPED;
  return wish < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

static thud_error step(thud_motion *base, const thud_motion_sink *sink, thud_reached *reached) {
  stepping_motion *motion = (stepping_motion *)base;
  const motion_progress *now = &motion->now;
  bool begun = now->begun, over = begun && at_end(motion);
  size_t node = now->node;
  motion->now.info.status = over ? THUD_MOTION_COMPLETED : THUD_MOTION_RUNNING;
  thud_error error = over ? THUD_OK : make_node(motion);
  bool made = now->begun != begun || now->node != node;
  if (error == THUD_OK && made && sink->frame != NULL) error = emit(motion, sink);
  *reached = (thud_reached){.status = now->info.status, .t = now->info.time};
  return error;
}

static void present(const thud_motion *motion, void *frame) {
  *(thud_stepping_frame *)frame = frame_of((const stepping_motion *)motion);
}

static void get_info(const thud_motion *motion, void *info) {
  *(thud_stepping_motion_info *)info = ((const stepping_motion *)motion)->now.info;
}

/* ---- the state block --------------------------------------------------------------------------------------------- */

/* What must agree for a block to be restored. */
typedef struct state_header {
  char magic[8];
  size_t block_count;
  thud_index n, m, s;
  int method;
  thud_index steps;
  double start, end, tolerance, theta, lambda;
  motion_progress now;
} state_header;

static state_header header_of(const stepping_motion *motion) {
  const thud_stepping_options *options = &motion->options;
  state_header header;
  memset(&header, 0, sizeof header);
  memcpy(header.magic, "thudmot2", sizeof header.magic);
  header.block_count = motion->block_count;
  header.n = motion->n;
  header.m = motion->m;
  header.s = motion->s;
  header.method = options->method;
  header.steps = options->steps;
  header.start = options->start;
  header.end = options->end;
  header.tolerance = options->tolerance;
  header.theta = options->theta;
  header.lambda = options->lambda;
  return header;
}

static size_t state_size(const thud_motion *motion) {
  return sizeof(state_header) + ((const stepping_motion *)motion)->block_count * sizeof(double);
}

static void save(const thud_motion *base, void *state) {
  const stepping_motion *motion = (const stepping_motion *)base;
  state_header header = header_of(motion);
  header.now = motion->now;
  memcpy(state, &header, sizeof header);
  memcpy((char *)state + sizeof header, motion->block, motion->block_count * sizeof(double));
}

/* The same steps, only more of them. */
static bool is_longer(const state_header *given, const state_header *expected) {
  if (given->steps <= 0 || expected->steps <= given->steps || given->start != expected->start) return false;
  double step = (given->end - given->start) / given->steps, other = (expected->end - expected->start) / expected->steps;
  return fabs(step - other) <= 4 * DBL_EPSILON * step;
}

static const char *find_fault(const stepping_motion *motion, const state_header *given) {
  const motion_progress *now = &given->now;
  const thud_stepping_motion_info *info = &now->info;
  const bool *const flags[] = {&now->between, &now->at_jump, &now->begun, &now->impact, &now->rank_changed};
  const thud_index constraints[] = {now->creep,         now->worst_gap_constraint, info->worst_gap_constraint,
                                    info->cosine_first, info->cosine_second,       info->right_accumulation_constraint};
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
    if (!thud_state_has_flags(flags[k], 1)) return "flags";
  for (size_t k = 0; k < sizeof constraints / sizeof *constraints; k++)
    if (!thud_state_has_index(constraints[k], motion->m)) return "a constraint";
  if (!thud_percussion_info_fits(&now->percussion, motion->m, thud_system_friction_count(motion->system)))
    return "a velocity problem";
  if (!thud_state_has_status(info->status)) return "a status";
  if (given->steps > 0 && now->grid > (size_t)given->steps) return "a number of steps";
  bool timed = thud_state_has_time(now->t, given->start, given->end) &&
               thud_state_has_time(info->time, given->start, given->end);
  if (!timed) return "a time";
  return thud_state_is_finite(1, &now->next_step) ? NULL : "a step";
}

static thud_error restore(thud_motion *base, const void *state, size_t size) {
  stepping_motion *motion = (stepping_motion *)base;
  state_header expected = header_of(motion), given;
  if (size != state_size(base))
    return thud_fail(motion->base.context, THUD_ERROR_FORMAT,
                     "[state-of-another-run] the saved state has %zu bytes, this motion's has %zu", size,
                     state_size(base));
  memcpy(&given, state, sizeof given);
  expected.now = given.now;
  if (memcmp(expected.magic, given.magic, sizeof given.magic) != 0 || expected.method != given.method ||
      expected.n != given.n || expected.m != given.m || expected.s != given.s || expected.start != given.start ||
      ((expected.steps != given.steps || expected.end != given.end) && !is_longer(&given, &expected)) ||
      expected.tolerance != given.tolerance || expected.theta != given.theta || expected.lambda != given.lambda)
    return thud_fail(motion->base.context, THUD_ERROR_FORMAT,
                     "[state-of-another-run] the saved state belongs to another system or to other options");
  const char *fault = find_fault(motion, &given);
  if (fault != NULL) return thud_motion_refuse_state(base, fault);
  motion->now = given.now;
  if (!at_end(motion) && given.now.info.status == THUD_MOTION_COMPLETED) motion->now.info.status = THUD_MOTION_RUNNING;
  memcpy(motion->block, (const char *)state + sizeof given, motion->block_count * sizeof(double));
  for (thud_index i = 0; i < motion->m; i++) {
    motion->acting[i] = motion->flags[i] != 0;
    motion->atom[i] = motion->flags[motion->m + i] != 0;
  }
  return THUD_OK;
}

/* ---- the interface ----------------------------------------------------------------------------------------------- */

static const thud_motion_type stepping_type = {.name = "stepping",
                                               .frame_size = sizeof(thud_stepping_frame),
                                               .info_size = sizeof(thud_stepping_motion_info),
                                               .step = step,
                                               .present = present,
                                               .info = get_info,
                                               .state_size = state_size,
                                               .save = save,
                                               .restore = restore,
                                               .destroy = destroy};

THUD_MOTION_QUERIES(stepping, thud_stepping_frame, thud_stepping_motion_info, &stepping_type)

thud_error thud_stepping_motion_judge(thud_motion *motion, double allowed, thud_stepping_quality *quality) {
  THUD_MOTION_OF(motion, &stepping_type);
  THUD_REQUIRE(motion->context, quality);
  return thud_stepping_judge((stepping_motion *)motion, allowed, quality);
}
