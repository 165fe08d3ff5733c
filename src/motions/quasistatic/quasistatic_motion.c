/* A quasi-static run from its initial state to its end: options, life, one step, ledger, the state block. */
#include "base/base.h"
#include "motions/motion.h"
#include "motions/quasistatic/quasistatic_motion.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

static const char *const jump_names[] = {"stop", "dissipative", "branches", NULL};

static const thud_option_key keys[] = {
    {.name = "tolerance",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(thud_quasistatic_options, tolerance),
     .default_value = 1e-10,
     .minimum = 0,
     .maximum = 1e-2,
     .minimum_open = true,
     .unit = "1",
     .help = "residual of the contact problems, and what counts as touching and as the limit of sticking, relative"},
    {.name = "max_iterations",
     .type = THUD_OPTION_INT,
     .offset = offsetof(thud_quasistatic_options, max_iterations),
     .default_value = 10000,
     .minimum = 1,
     .maximum = INFINITY,
     .unit = "1",
     .help = "iteration limit of a contact problem, and of the fixed point of the bounds of friction"},
    {.name = "on_jump",
     .type = THUD_OPTION_CHOICE,
     .offset = offsetof(thud_quasistatic_options, on_jump),
     .default_value = THUD_JUMP_STOP,
     .choices = jump_names,
     .help = "where no continuous motion goes on: stop, dissipative (the equilibrium that releases most), branches"},
    {.name = "enumerate_up_to",
     .type = THUD_OPTION_INT,
     .offset = offsetof(thud_quasistatic_options, enumerate_up_to),
     .default_value = 8,
     .minimum = 1,
     .maximum = 12,
     .unit = "1",
     .help = "contacts with a choice whose mode combinations are all looked at"},
    {.name = "jump_factor",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(thud_quasistatic_options, jump_factor),
     .default_value = 1,
     .minimum = 1,
     .maximum = DBL_MAX,
     .unit = "1",
     .help = "increments that move further than this many times what their load explains are searched for jumps"},
    {.name = "error_tolerance",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(thud_quasistatic_options, error_tolerance),
     .default_value = 0,
     .minimum = 0,
     .maximum = 1,
     .unit = "1",
     .help = "steps of increments are divided until their error is estimated below this part of the largest "
             "displacement; 0: they are not"},
    {.name = "coarse_above",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(thud_quasistatic_options, coarse_above),
     .default_value = 0.1,
     .minimum = 0,
     .maximum = DBL_MAX,
     .unit = "1",
     .help =
         "the verdict is coarse when the error of increments is estimated above this part of the largest displacement; "
         "0: no estimate"},
};

static const thud_option_table table = {.name = "quasi-static motion",
                                        .struct_size = sizeof(thud_quasistatic_options),
                                        .keys = keys,
                                        .count = sizeof keys / sizeof *keys};

const thud_option_table *thud_quasistatic_option_table(void) { return &table; }

const char *thud_elastic_mode_name(thud_elastic_mode mode) {
  static const char *const names[] = {"open", "stick", "slip+", "slip-"};
  return (unsigned)mode < sizeof names / sizeof *names ? names[mode] : "";
}

const char *thud_quasistatic_event_name(thud_quasistatic_event_kind kind) {
  static const char *const names[] = {"close", "open", "stick", "slip", "jump", "load jump", "fork"};
  return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "";
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static thud_error allocate_state(quasistatic_motion *motion) {
  thud_context *context = motion->base.context;
  size_t n = (size_t)motion->structure.n, m = (size_t)motion->structure.m, c = (size_t)motion->structure.c;
  motion->block_count = 4 * n + 4 * m;
  motion->block = THUD_NEW_ARRAY(context, double, motion->block_count);
  motion->state.modes = THUD_NEW_ARRAY(context, thud_elastic_mode, c);
  motion->standing = THUD_NEW_ARRAY(context, elastic_standing, c);
  if (motion->block == NULL || motion->state.modes == NULL || motion->standing == NULL) return THUD_ERROR_MEMORY;
  double *next = motion->block, **large[] = {&motion->state.U, &motion->state.F, &motion->U_start, &motion->F_left};
  double **small[] = {&motion->state.u, &motion->state.r, &motion->u_start, &motion->r_start};
  for (size_t k = 0; k < 4; k++, next += n) *large[k] = next;
  for (size_t k = 0; k < 4; k++, next += m) *small[k] = next;
  return THUD_OK;
}

static thud_error allocate_scratch(quasistatic_motion *motion) {
  thud_context *context = motion->base.context;
  size_t n = (size_t)motion->structure.n, m = (size_t)motion->structure.m, c = (size_t)motion->structure.c;
  double **large[] = {&motion->next.U, &motion->next.F, &motion->low.U,  &motion->low.F,
                      &motion->kept.U, &motion->kept.F, &motion->F_base, &motion->F_end,
                      &motion->F_node, &motion->force,  &motion->product};
  double **small[] = {&motion->next.u, &motion->next.r, &motion->low.u,  &motion->low.r, &motion->kept.u,
                      &motion->kept.r, &motion->q,      &motion->free,   &motion->f,     &motion->f_end,
                      &motion->rate,   &motion->before, &motion->iterate};
  enum { LARGE = sizeof large / sizeof *large, SMALL = sizeof small / sizeof *small };
  motion->scratch = THUD_NEW_ARRAY(context, double, LARGE *n + SMALL * m);
  motion->gap = THUD_NEW_ARRAY(context, double, c);
  motion->names = THUD_NEW_ARRAY(context, thud_index, c);
  motion->next.modes = THUD_NEW_ARRAY(context, thud_elastic_mode, c);
  motion->low.modes = THUD_NEW_ARRAY(context, thud_elastic_mode, c);
  motion->kept.modes = THUD_NEW_ARRAY(context, thud_elastic_mode, c);
  motion->from = &motion->state;
  if (motion->scratch == NULL || motion->gap == NULL || motion->names == NULL || motion->next.modes == NULL ||
      motion->low.modes == NULL || motion->kept.modes == NULL)
    return THUD_ERROR_MEMORY;
  double *next = motion->scratch;
  for (size_t k = 0; k < LARGE; k++, next += n) *large[k] = next;
  for (size_t k = 0; k < SMALL; k++, next += m) *small[k] = next;
  return THUD_OK;
}

void thud_elastic_copy(const quasistatic_motion *motion, const elastic_state *from, elastic_state *to) {
  size_t n = (size_t)motion->structure.n, m = (size_t)motion->structure.m, c = (size_t)motion->structure.c;
  if (from == to) return;
  memcpy(to->U, from->U, n * sizeof *to->U);
  memcpy(to->F, from->F, n * sizeof *to->F);
  memcpy(to->u, from->u, m * sizeof *to->u);
  memcpy(to->r, from->r, m * sizeof *to->r);
  memcpy(to->modes, from->modes, c * sizeof *to->modes);
}

/* ---- what is handed out ------------------------------------------------------------------------------------------ */

static thud_error answer_of(quasistatic_motion *motion, int answer) {
  if (answer < 0) return THUD_ERROR_CALLBACK; /* the sink has said what it was */
  if (answer > 0 && motion->now.info.status == THUD_MOTION_RUNNING) {
    motion->now.info.status = THUD_MOTION_STOPPED;
    thud_fail(motion->base.context, THUD_ERROR_INTERRUPTED, "interrupted at t = %.15g", motion->now.t);
  }
  return THUD_OK;
}

static thud_quasistatic_frame present_frame(const quasistatic_motion *motion) {
  const elastic_state *state = &motion->state;
  for (thud_index i = 0; i < motion->structure.c; i++)
    motion->gap[i] = motion->problem.gap[i] + state->u[(ptrdiff_t)i * motion->structure.d];
  return (thud_quasistatic_frame){.t = motion->now.t,
                                  .side = (thud_side)motion->now.side,
                                  .refined = motion->refined,
                                  .U = state->U,
                                  .F = state->F,
                                  .u = state->u,
                                  .r = state->r,
                                  .gap = motion->gap,
                                  .modes = state->modes,
                                  .residual = motion->now.residual,
                                  .ledger = motion->now.ledger};
}

thud_error thud_elastic_hand_out(quasistatic_motion *motion, thud_side side, const thud_motion_sink *sink) {
  motion->now.side = side;
  if (sink->frame == NULL) return THUD_OK;
  const thud_quasistatic_frame frame = present_frame(motion);
  return answer_of(motion, sink->frame(sink->user, &frame));
}

thud_error thud_elastic_send_event(quasistatic_motion *motion, const thud_quasistatic_event *event,
                                   const thud_motion_sink *sink) {
  if (sink->event == NULL) return THUD_OK;
  return answer_of(motion, sink->event(sink->user, event));
}

static void note_motion(quasistatic_motion *motion) {
  for (thud_index i = 0; i < motion->structure.n; i++)
    motion->now.info.largest_motion =
        fmax(motion->now.info.largest_motion, fabs(motion->state.U[i] - motion->U_start[i]));
}

/* ---- going to the next state ------------------------------------------------------------------------------------- */

static bool changes_to(thud_quasistatic_event_kind kind, thud_elastic_mode before, thud_elastic_mode after) {
  bool was_open = before == THUD_ELASTIC_OPEN, is_open = after == THUD_ELASTIC_OPEN;
  if (before == after) return false;
  switch (kind) {
  case THUD_QUASISTATIC_CLOSE: return was_open;
  case THUD_QUASISTATIC_OPEN: return is_open;
  case THUD_QUASISTATIC_STICK: return !was_open && after == THUD_ELASTIC_STICK;
  default: return !was_open && thud_mode_slips(after);
  }
}

static thud_error report_changes(quasistatic_motion *motion, const elastic_state *to, double t,
                                 const thud_motion_sink *sink) {
  thud_error error = THUD_OK;
  for (int kind = THUD_QUASISTATIC_CLOSE; kind <= THUD_QUASISTATIC_SLIP && error == THUD_OK; kind++) {
    thud_quasistatic_event event = {.t = t,
                                    .kind = (thud_quasistatic_event_kind)kind,
                                    .contacts = motion->names,
                                    .release = NAN,
                                    .friction = NAN,
                                    .solutions = NAN};
    for (thud_index i = 0; i < motion->structure.c; i++)
      if (changes_to(event.kind, motion->state.modes[i], to->modes[i])) motion->names[event.contact_count++] = i;
    motion->now.info.changes += event.contact_count;
    if (event.contact_count > 0) error = thud_elastic_send_event(motion, &event, sink);
  }
  return error;
}

/* The balance of the ledger, thud_quasistatic_ledger. */
static void book(quasistatic_motion *motion, const elastic_state *to, elastic_rule rule) {
  const elastic_structure *structure = &motion->structure;
  bool fresh = motion->method == THUD_QUASISTATIC_STATIC; /* one increment from the start */
  const double *U = fresh ? motion->U_start : motion->state.U, *u = fresh ? motion->u_start : motion->state.u;
  thud_quasistatic_ledger *ledger = &motion->now.ledger;
  double *change = motion->force, *force = motion->product;
  double stored = 0, quadratic = 0, work = 0, friction = 0, normal = 0, part = rule == ELASTIC_MEAN ? 0.5 : 1;
  if (fresh) *ledger = (thud_quasistatic_ledger){0};
  for (thud_index i = 0; i < structure->n; i++) change[i] = to->U[i] - U[i];
  thud_elastic_structure_apply(structure, change, force);
  for (thud_index i = 0; i < structure->n; i++) {
    stored += (to->U[i] + U[i]) * force[i] / 2;
    quadratic += change[i] * force[i] / 2;
    work += (part * to->F[i] + (1 - part) * motion->state.F[i]) * change[i];
  }
  for (thud_index i = 0; i < structure->m; i++) {
    double flow = (part * to->r[i] + (1 - part) * motion->state.r[i]) * (to->u[i] - u[i]);
    if (i % structure->d == 0)
      normal += flow;
    else
      friction -= flow;
  }
  ledger->stored += stored;
  ledger->work += work;
  ledger->friction += friction;
  ledger->quadratic += rule == ELASTIC_MEAN ? 0 : quadratic;
  ledger->normal += normal;
  ledger->defect = ledger->stored - (ledger->work - ledger->friction - ledger->quadratic + ledger->normal);
}

static bool is_finite(const quasistatic_motion *motion, const elastic_state *state) {
  const thud_quasistatic_ledger *ledger = &motion->now.ledger;
  double sum = ledger->defect;
  for (thud_index i = 0; i < motion->structure.n; i++) sum += 0 * state->U[i];
  for (thud_index i = 0; i < motion->structure.m; i++) sum += 0 * state->r[i];
  return isfinite(sum) && isfinite(ledger->stored) && isfinite(ledger->work);
}

thud_error thud_elastic_accept(quasistatic_motion *motion, const elastic_state *to, double t, elastic_rule rule,
                               const thud_motion_sink *sink) {
  thud_error error = THUD_OK;
  const thud_quasistatic_ledger before = motion->now.ledger;
  book(motion, to, rule);
  if (!is_finite(motion, to)) {
    double defect = motion->now.ledger.defect;
    motion->now.ledger = before;
    return thud_fail(motion->base.context, THUD_ERROR_NOT_FINITE,
                     "[blow-up] at t = %.15g the %s: loads or displacements are too large for their products", t,
                     isfinite(defect) ? "state is not finite" : "energies are not finite");
  }
  if (rule != ELASTIC_JUMP) error = report_changes(motion, to, rule == ELASTIC_MEAN ? motion->now.t : t, sink);
  thud_elastic_copy(motion, to, &motion->state);
  motion->now.t = motion->now.info.time = t;
  note_motion(motion);
  for (thud_index i = 0; i < motion->structure.m; i++) {
    motion->now.scale_u = fmax(motion->now.scale_u, fabs(to->u[i]));
    motion->now.scale_r = fmax(motion->now.scale_r, fabs(to->r[i]));
  }
  if (motion->now.residual > motion->now.info.worst_residual) {
    motion->now.info.worst_residual = motion->now.residual;
    motion->now.info.worst_residual_time = t;
  }
  return error;
}

/* The load at a time; what is not finite is named by its unknown. */
static thud_error evaluate_load(const quasistatic_motion *motion, double t, thud_side side, double *F) {
  static const char *const sides[] = {"before", "at", "after"};
  char text[160];
  thud_error error = thud_regulated_evaluate(motion->base.context, motion->problem.load, t, side, F);
  for (thud_index i = 0; i < motion->structure.n && error == THUD_ERROR_NOT_FINITE; i++)
    if (!isfinite(F[i]))
      return thud_fail(motion->base.context, error, "the load of %s is %g %s t = %.15g",
                       thud_elastic_unknown(&motion->structure, i, text), F[i], sides[(int)side + 1], t);
  return error;
}

/* ---- the start --------------------------------------------------------------------------------------------------- */

static thud_error refuse_initial(const quasistatic_motion *motion, thud_index contact, const char *what, double value) {
  char text[160];
  return thud_fail(motion->base.context, THUD_ERROR_ARGUMENT,
                   "[start-violates] the initial state is not possible: %s %s %.6g",
                   thud_elastic_contact(&motion->problem, contact, text), what, value);
}

/* A given state must be an equilibrium with reactions that the contacts can have. */
static const double INITIAL_TOLERANCE = 1e-8;

static thud_error check_initial(quasistatic_motion *motion) {
  const elastic_structure *structure = &motion->structure;
  elastic_state *state = &motion->state;
  double *force = motion->force, scale_f = 0, scale_u = motion->now.scale_u, scale_r = motion->now.scale_r;
  char text[160];
  thud_elastic_structure_apply(structure, state->U, force);
  for (thud_index i = 0; i < structure->n; i++) {
    scale_f = fmax(scale_f, fmax(fabs(force[i]), fabs(state->F[i])));
    force[i] -= state->F[i];
  }
  thud_sparse_multiply_vector(&motion->problem.H, false, -1, state->r, 1, force);
  for (thud_index i = 0; i < structure->n; i++)
    if (fabs(force[i]) > INITIAL_TOLERANCE * scale_f)
      return thud_fail(motion->base.context, THUD_ERROR_ARGUMENT,
                       "[start-violates] the initial state is no equilibrium: the force at %s is off by %.6g, and no "
                       "contact acts there",
                       thud_elastic_unknown(structure, i, text), force[i]);
  for (thud_index i = 0; i < structure->c; i++) {
    double *u = state->u + (ptrdiff_t)i * structure->d, *r = state->r + (ptrdiff_t)i * structure->d,
           gap = motion->problem.gap[i] + u[0];
    double size = structure->d > 1 ? hypot(r[1], structure->d == 3 ? r[2] : 0) : 0;
    double mu = structure->d > 1 ? motion->problem.mu[i] : 0, small = INITIAL_TOLERANCE * scale_r;
    if (gap < -INITIAL_TOLERANCE * scale_u) return refuse_initial(motion, i, "has a negative gap,", gap);
    if (r[0] < -small) return refuse_initial(motion, i, "would have to pull: its normal reaction would be", r[0]);
    if (gap > INITIAL_TOLERANCE * scale_u && fmax(fabs(r[0]), size) > small)
      return refuse_initial(motion, i, "is open and would need a reaction of", fmax(fabs(r[0]), size));
    if (size > mu * r[0] + small)
      return refuse_initial(motion, i, "would need more friction than mu r_N, too much by", size - mu * r[0]);
    bool open = gap > INITIAL_TOLERANCE * scale_u;
    for (thud_index k = 0; k < structure->d && open; k++) r[k] = 0;
    state->modes[i] = open ? THUD_ELASTIC_OPEN : THUD_ELASTIC_STICK;
  }
  return THUD_OK;
}

static thud_error take_initial(quasistatic_motion *motion) {
  const elastic_structure *structure = &motion->structure;
  elastic_state *state = &motion->state;
  size_t n = (size_t)structure->n, m = (size_t)structure->m;
  if (structure->stiffness == NULL)
    return thud_fail(motion->base.context, THUD_ERROR_UNSUPPORTED,
                     "[unsupported-method] rows of the contacts depend on each other, so that an initial state does "
                     "not determine the reactions; "
                     "leave 'initial' out");
  memcpy(state->U, motion->problem.initial, n * sizeof *state->U);
  for (size_t i = 0; i < n; i++)
    if (!isfinite(state->U[i]))
      return thud_fail(motion->base.context, THUD_ERROR_NOT_FINITE, "component %zu of the initial state is %g", i + 1,
                       state->U[i]);
  thud_elastic_structure_see(structure, state->U, state->u);
  thud_error error = thud_elastic_structure_solve(structure, state->F, NULL, motion->next.U);
  if (error != THUD_OK) return error;
  thud_elastic_structure_see(structure, motion->next.U, motion->free);
  thud_elastic_structure_condense(structure, motion->free, motion->f);
  thud_dense_multiply_vector(structure->m, structure->m, structure->stiffness, false, 1, state->u, 0, state->r);
  for (size_t i = 0; i < m; i++) state->r[i] -= motion->f[i];
  motion->now.scale_u = fmax(motion->now.scale_u, thud_norm_max(NULL, m, state->u, NULL));
  motion->now.scale_r = fmax(thud_norm_max(NULL, m, state->r, NULL), thud_norm_max(NULL, m, motion->f, NULL));
  return check_initial(motion);
}

static thud_error start(quasistatic_motion *motion, double t) {
  const elastic_structure *structure = &motion->structure;
  elastic_progress *now = &motion->now;
  *now = (elastic_progress){.t = t, .left = t};
  now->info = (thud_quasistatic_motion_info){.time = t,
                                             .first_fork = NAN,
                                             .first_jump = NAN,
                                             .unexamined_modes_time = NAN,
                                             .worst_residual_time = t,
                                             .worst_contraction = NAN,
                                             .error_estimate = thud_elastic_has_estimate(motion) ? 0 : NAN,
                                             .examined = motion->method == THUD_QUASISTATIC_EVENTS || structure->c <= 1,
                                             .held_by_contacts = structure->semidefinite};
  for (thud_index i = 0; i < structure->c; i++) now->scale_u = fmax(now->scale_u, fabs(motion->problem.gap[i]));
  thud_error error = evaluate_load(motion, t, THUD_SIDE_VALUE, motion->state.F);
  if (error != THUD_OK) return error;
  if (motion->problem.initial != NULL) {
    error = take_initial(motion);
    memcpy(motion->U_start, motion->state.U, (size_t)structure->n * sizeof *motion->U_start);
  } else {
    thud_motion_status status;
    for (thud_index i = 0; i < structure->c; i++)
      motion->state.modes[i] = motion->problem.gap[i] > 0 ? THUD_ELASTIC_OPEN : THUD_ELASTIC_STICK;
    error = thud_elastic_increment(motion, t, motion->state.F, motion->u_start, &status);
    if (error == THUD_OK && status != THUD_MOTION_RUNNING) error = THUD_ERROR_NOT_CONVERGED;
    if (error == THUD_OK) thud_elastic_copy(motion, &motion->next, &motion->state);
  }
  if (error != THUD_OK) return error;
  thud_elastic_structure_see(structure, motion->U_start, motion->u_start);
  now->residual = 0;
  note_motion(motion);
  thud_elastic_stand(motion);
  return THUD_OK;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static thud_error check_method(const quasistatic_motion *motion) {
  const elastic_structure *structure = &motion->structure;
  if (structure->c == 0 && motion->method != THUD_QUASISTATIC_INCREMENTS && motion->method != THUD_QUASISTATIC_STATIC)
    return thud_fail(motion->base.context, THUD_ERROR_UNSUPPORTED,
                     "[unsupported-method] a structure without contacts has the methods increments and static");
  if (motion->method == THUD_QUASISTATIC_THRESHOLD && motion->problem.threshold == NULL)
    return thud_fail(motion->base.context, THUD_ERROR_ARGUMENT,
                     "[unsupported-method] the method threshold needs bounds of friction");
  if (motion->method != THUD_QUASISTATIC_EVENTS) return THUD_OK;
  if (structure->d == 3)
    return thud_fail(motion->base.context, THUD_ERROR_UNSUPPORTED,
                     "[unsupported-method] contacts in space are not followed from event to event: slip directions "
                     "turn; use the method "
                     "increments");
  if (structure->stiffness == NULL)
    return thud_fail(motion->base.context, THUD_ERROR_UNSUPPORTED,
                     "[unsupported-method] rows of the contacts depend on each other: their reactions are not "
                     "determined; use the method "
                     "increments");
  return THUD_OK;
}

/* ---- one interval ------------------------------------------------------------------------------------------------ */

/* Loads at one time that differ by less than this part of the largest load so far are the same: pieces of data that meet
 * but for rounding, and what contact problems, which are solved to about this, do not resolve. The difference goes with the
 * next step. */
static const double SAME_LOAD = 1e-10;

static bool is_same_load(quasistatic_motion *motion, const double *F) {
  double difference = 0;
  for (thud_index i = 0; i < motion->structure.n; i++) {
    difference = fmax(difference, fabs(F[i] - motion->state.F[i]));
    motion->now.scale_F = fmax(motion->now.scale_F, fmax(fabs(F[i]), fabs(motion->state.F[i])));
  }
  return difference <= SAME_LOAD * motion->now.scale_F;
}

/* A jump of the load is an increment of its own, with frames on both sides. */
static thud_error take_load(quasistatic_motion *motion, const thud_motion_sink *sink, const double *F) {
  if (is_same_load(motion, F)) return THUD_OK;
  thud_quasistatic_motion_info *info = &motion->now.info;
  const double *before = motion->method == THUD_QUASISTATIC_STATIC ? motion->u_start : motion->state.u;
  thud_motion_status status;
  memcpy(motion->before, before, (size_t)motion->structure.m * sizeof *before);
  thud_error error = thud_elastic_increment(motion, motion->now.t, F, motion->before, &status);
  if (error != THUD_OK || status != THUD_MOTION_RUNNING) {
    info->status = status;
    return error;
  }
  const thud_quasistatic_event event = {
      .t = motion->now.t, .kind = THUD_QUASISTATIC_LOAD, .release = NAN, .friction = NAN, .solutions = NAN};
  error = thud_elastic_hand_out(motion, THUD_SIDE_LEFT, sink);
  if (error == THUD_OK) error = thud_elastic_send_event(motion, &event, sink);
  if (error == THUD_OK) error = thud_elastic_accept(motion, &motion->next, motion->now.t, ELASTIC_IMPLICIT, sink);
  if (error != THUD_OK) return error;
  info->jumps++;
  info->load_jumps++;
  thud_elastic_stand(motion);
  return thud_elastic_hand_out(motion, THUD_SIDE_RIGHT, sink);
}

static thud_error count_static(quasistatic_motion *motion) {
  const elastic_structure *structure = &motion->structure;
  bool listed = structure->c > 1 && structure->d < 3 && structure->stiffness != NULL &&
                structure->c <= motion->options.enumerate_up_to;
  if (structure->c <= 1) return THUD_OK;
  motion->now.info.examined = listed;
  if (!listed) return THUD_OK;
  const elastic_question question = {.f = motion->f_end,
                                     .before = motion->u_start,
                                     .r = motion->state.r,
                                     .tolerance = motion->options.tolerance,
                                     .most = motion->options.enumerate_up_to};
  thud_error error = thud_solutions_find(&question, &motion->system, &motion->found);
  thud_quasistatic_motion_info *info = &motion->now.info;
  info->ambiguous += motion->found.count > 1;
  if (motion->found.count > info->most_solutions) info->most_solutions = motion->found.count;
  return error;
}

/* Static: one increment from the start. */
static thud_error take_static(quasistatic_motion *motion, const thud_motion_sink *sink, double t_end) {
  thud_motion_status status;
  memcpy(motion->before, motion->u_start, (size_t)motion->structure.m * sizeof *motion->before);
  thud_error error = thud_elastic_increment(motion, t_end, motion->F_end, motion->before, &status);
  if (error != THUD_OK || status != THUD_MOTION_RUNNING) {
    motion->now.info.status = status;
    return error;
  }
  error = count_static(motion);
  return error == THUD_OK ? thud_elastic_accept(motion, &motion->next, t_end, ELASTIC_IMPLICIT, sink) : error;
}

static thud_error take_interval(quasistatic_motion *motion, const thud_motion_sink *sink, double t_end) {
  switch (motion->method) {
  case THUD_QUASISTATIC_EVENTS: return thud_elastic_follow(motion, sink, t_end);
  case THUD_QUASISTATIC_STATIC: return take_static(motion, sink, t_end);
  default: return thud_elastic_take_increments(motion, sink, t_end);
  }
}

/* The load at the beginning (after a jump, the right limit) and at the end (its left limit). */
static thud_error enter(quasistatic_motion *motion, const thud_motion_sink *sink, thud_interval interval) {
  bool point = interval.left == interval.right;
  thud_error error =
      evaluate_load(motion, interval.left, interval.left_closed ? THUD_SIDE_VALUE : THUD_SIDE_RIGHT, motion->F_end);
  if (error == THUD_OK) error = take_load(motion, sink, motion->F_end);
  if (error != THUD_OK || point || motion->now.info.status != THUD_MOTION_RUNNING) return error;
  motion->now.left = interval.left;
  motion->now.inside = true;
  memcpy(motion->F_left, motion->state.F, (size_t)motion->structure.n * sizeof *motion->F_left);
  return THUD_OK;
}

static thud_error advance(quasistatic_motion *motion, const thud_motion_sink *sink) {
  thud_interval interval = thud_partition_interval(motion->partition, motion->now.next);
  thud_quasistatic_motion_info *info = &motion->now.info;
  thud_error error = THUD_OK;
  if (!motion->now.inside) error = enter(motion, sink, interval);
  if (error != THUD_OK || info->status != THUD_MOTION_RUNNING) return error;
  if (interval.left < interval.right) {
    error = evaluate_load(motion, interval.right, THUD_SIDE_LEFT, motion->F_end);
    if (error != THUD_OK) return error;
    error = take_interval(motion, sink, interval.right);
    if (error != THUD_OK || motion->pending || info->status != THUD_MOTION_RUNNING) return error;
    info->steps++;
    error = thud_elastic_hand_out(motion, THUD_SIDE_VALUE, sink);
  }
  motion->now.inside = false;
  motion->now.next++;
  return error;
}

/* What the data did wrong is a finding of the run, not a failed call. */
static thud_error find_fault(quasistatic_motion *motion, thud_error error) {
  if (error == THUD_ERROR_NOT_FINITE) {
    motion->now.info.status = THUD_MOTION_BAD_DATA;
    return THUD_OK;
  }
  if (error == THUD_ERROR_NOT_CONVERGED || error == THUD_ERROR_SINGULAR || error == THUD_ERROR_UNSUPPORTED) {
    motion->now.info.status = THUD_MOTION_NOT_CONVERGED;
    return THUD_OK;
  }
  return error;
}

static thud_error step(thud_motion *base, const thud_motion_sink *sink, thud_reached *reached) {
  quasistatic_motion *motion = (quasistatic_motion *)base;
  elastic_progress *now = &motion->now;
  thud_error error = THUD_OK;
  motion->pending = false;
  if (now->info.status == THUD_MOTION_FORKED || now->info.status == THUD_MOTION_STOPPED)
    now->info.status = THUD_MOTION_RUNNING;
  if (!now->begun) {
    now->begun = true;
    error = thud_elastic_hand_out(motion, THUD_SIDE_VALUE, sink);
  } else if (now->info.status == THUD_MOTION_RUNNING) {
    size_t choice = motion->choice;
    if (motion->found_jump) motion->choice = 0;
    if (choice > 0 && motion->found_jump) error = find_fault(motion, thud_elastic_jump_to(motion, sink, choice - 1));
    if (error == THUD_OK) error = find_fault(motion, advance(motion, sink));
  }
  if (error != THUD_OK) return error;
  if (motion->pending) now->info.status = THUD_MOTION_FORKED;
  if (now->info.status == THUD_MOTION_RUNNING && now->next == thud_partition_count(motion->partition))
    now->info.status = THUD_MOTION_COMPLETED;
  *reached = (thud_reached){.status = now->info.status, .t = now->info.time};
  return THUD_OK;
}

/* ---- the interface of motions ------------------------------------------------------------------------------------ */

static void present(const thud_motion *base, void *frame) {
  *(thud_quasistatic_frame *)frame = present_frame((const quasistatic_motion *)base);
}

static void get_info(const thud_motion *base, void *info) {
  const quasistatic_motion *motion = (const quasistatic_motion *)base;
  thud_quasistatic_motion_info *given = info;
  *given = motion->now.info;
  given->linear_seconds = motion->linear_seconds;
  given->contact_seconds = motion->contact_seconds;
}

static size_t state_size(const thud_motion *base) {
  const quasistatic_motion *motion = (const quasistatic_motion *)base;
  size_t c = (size_t)motion->structure.c;
  return sizeof motion->now + motion->block_count * sizeof(double) +
         c * (sizeof *motion->state.modes + sizeof *motion->standing);
}

static void save(const thud_motion *base, void *state) {
  const quasistatic_motion *motion = (const quasistatic_motion *)base;
  char *next = state;
  size_t c = (size_t)motion->structure.c, bytes = motion->block_count * sizeof(double);
  memcpy(next, &motion->now, sizeof motion->now);
  memcpy(next += sizeof motion->now, motion->block, bytes);
  memcpy(next += bytes, motion->state.modes, c * sizeof *motion->state.modes);
  memcpy(next + c * sizeof *motion->state.modes, motion->standing, c * sizeof *motion->standing);
}

static const char *find_fault_of_progress(const quasistatic_motion *motion, const elastic_progress *now) {
  size_t count = thud_partition_count(motion->partition);
  const bool *const flags[] = {
      &now->begun, &now->inside, &now->moving, &now->info.examined, &now->info.held_by_contacts, &now->info.proved};
  const double numbers[] = {now->residual, now->scale_u, now->scale_r, now->scale_F};
  double start = thud_partition_interval(motion->partition, 0).left;
  double end = thud_partition_interval(motion->partition, count - 1).right;
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
    if (!thud_state_has_flags(flags[k], 1)) return "flags";
  if (now->next > count || (now->inside && now->next == count)) return "a number of intervals";
  if (!thud_state_has_status(now->info.status)) return "a status";
  if (now->side < THUD_SIDE_LEFT || now->side > THUD_SIDE_RIGHT) return "a side";
  if (!thud_state_is_finite(sizeof numbers / sizeof *numbers, numbers)) return "scales";
  bool timed = thud_state_has_time(now->t, start, end) && thud_state_has_time(now->info.time, start, end) &&
               (!now->inside || thud_state_has_time(now->left, start, end));
  return timed ? NULL : "a time";
}

/* The arrays, which follow the progress in the block. */
static const char *find_fault_of_arrays(const quasistatic_motion *motion, const char *next) {
  size_t c = (size_t)motion->structure.c;
  if (!thud_state_is_finite(motion->block_count, next)) return "displacements or forces";
  next += motion->block_count * sizeof(double);
  if (!thud_state_has_range(c, next, THUD_ELASTIC_OPEN, THUD_ELASTIC_SLIP_BACK)) return "modes of contacts";
  next += c * sizeof *motion->state.modes;
  return thud_state_has_range(c, next, STANDING_APART, STANDING_LIMIT_BACK) ? NULL : "contacts";
}

static thud_error restore(thud_motion *base, const void *state, size_t size) {
  quasistatic_motion *motion = (quasistatic_motion *)base;
  if (size != state_size(base))
    return thud_fail(base->context, THUD_ERROR_FORMAT,
                     "[state-of-another-run] a state of %zu bytes is not of this problem, which has %zu", size,
                     state_size(base));
  const char *next = state;
  size_t c = (size_t)motion->structure.c, bytes = motion->block_count * sizeof(double);
  elastic_progress given;
  memcpy(&given, next, sizeof given);
  const char *fault = find_fault_of_progress(motion, &given);
  if (fault == NULL) fault = find_fault_of_arrays(motion, next + sizeof given);
  if (fault != NULL) return thud_motion_refuse_state(base, fault);
  motion->now = given;
  memcpy(motion->block, next += sizeof motion->now, bytes);
  memcpy(motion->state.modes, next += bytes, c * sizeof *motion->state.modes);
  memcpy(motion->standing, next + c * sizeof *motion->state.modes, c * sizeof *motion->standing);
  motion->pending = false;
  motion->choice = 0;
  return THUD_OK;
}

static void destroy(thud_motion *base) {
  quasistatic_motion *motion = (quasistatic_motion *)base;
  thud_context *context = base->context;
  thud_solver_destroy(motion->solver);
  thud_velocity_solver_destroy(motion->bounded);
  thud_free(context, motion->scaled_W);
  thud_free(context, motion->scaled_q);
  thud_free(context, motion->blocks);
  thud_free(context, motion->threshold);
  thud_solutions_destroy(&motion->found);
  thud_mode_system_destroy(&motion->system);
  thud_elastic_structure_destroy(&motion->structure);
  thud_free(context, motion->block);
  thud_free(context, motion->state.modes);
  thud_free(context, motion->standing);
  thud_free(context, motion->scratch);
  thud_free(context, motion->gap);
  thud_free(context, motion->names);
  thud_free(context, motion->next.modes);
  thud_free(context, motion->low.modes);
  thud_free(context, motion->kept.modes);
  thud_free(context, motion);
}

const thud_motion_type thud_quasistatic_type = {.name = "quasistatic",
                                                .frame_size = sizeof(thud_quasistatic_frame),
                                                .info_size = sizeof(thud_quasistatic_motion_info),
                                                .step = step,
                                                .present = present,
                                                .info = get_info,
                                                .state_size = state_size,
                                                .save = save,
                                                .restore = restore,
                                                .destroy = destroy};

thud_error thud_quasistatic_motion_create(thud_context *context, thud_quasistatic_method method,
                                          const thud_quasistatic_problem *problem, const thud_partition *partition,
                                          const thud_quasistatic_options *options, thud_motion **motion) {
  THUD_REQUIRE(context, context, problem, partition, motion);
  THUD_REQUIRE(context, problem->gap, problem->dimension == 1 || problem->mu, problem->load, problem->H.column_start);
  thud_quasistatic_options chosen;
  thud_error error = thud_options_take(context, &table, options, &chosen);
  if (error != THUD_OK) return error;
  quasistatic_motion *made = THUD_NEW(context, quasistatic_motion);
  if (made == NULL) return THUD_ERROR_MEMORY;
  *made = (quasistatic_motion){.base = {.type = &thud_quasistatic_type, .context = context},
                               .method = method,
                               .problem = *problem,
                               .partition = partition,
                               .options = chosen};
  error = thud_elastic_structure_create(context, &made->problem, &made->structure);
  if (error == THUD_OK) error = check_method(made);
  made->found.structure = &made->structure;
  if (error == THUD_OK) error = thud_mode_system_create(&made->structure, &made->system);
  if (error == THUD_OK) error = allocate_state(made);
  if (error == THUD_OK) error = allocate_scratch(made);
  if (error == THUD_OK) error = thud_elastic_increment_create(made);
  if (error == THUD_OK) error = start(made, thud_partition_interval(partition, 0).left);
  if (error == THUD_OK)
    *motion = &made->base;
  else
    destroy(&made->base);
  return error;
}

THUD_MOTION_QUERIES(quasistatic, thud_quasistatic_frame, thud_quasistatic_motion_info, &thud_quasistatic_type)
