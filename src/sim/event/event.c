/* Event-driven motions: life, checks at the start, the rounds of a run. */
#include "sim/event/event.h"

#include <stdio.h>

/* ---- life -------------------------------------------------------------------------------------------------------- */

typedef struct part {
  void *pointer; /* address of the pointer to the array */
  size_t size;
} part;

/* Lays arrays of one type out in one block that the first pointer owns. */
#define LAY_OUT(context, type, owner, total, parts)                                                                    \
  do {                                                                                                                 \
    for (size_t k = 0; k < sizeof(parts) / sizeof *(parts); k++) (total) += (parts)[k].size;                           \
    (owner) = THUD_NEW_ARRAY(context, type, total);                                                                    \
    if ((owner) == NULL) return THUD_ERROR_MEMORY;                                                                     \
    type *next = (owner);                                                                                              \
    for (size_t k = 0; k < sizeof(parts) / sizeof *(parts); next += (parts)[k].size, k++)                              \
      *(type **)(parts)[k].pointer = next;                                                                             \
  } while (0)

static thud_error allocate(thud_event_motion *motion) {
  thud_context *context = motion->context;
  size_t n = motion->n, m = motion->m, s = motion->s, p = (size_t)motion->arc->order;
  size_t switches = motion->arc->switches, laws = motion->law_count;
  const part doubles[] = {{&motion->q, n},
                          {&motion->v, n},
                          {&motion->v_before, n},
                          {&motion->v_struck, n},
                          {&motion->strike, m + s},
                          {&motion->impulse, m + s},
                          {&motion->reference, (p + 1) * (m + s)},
                          {&motion->outputs, motion->arc->jets.layout.count},
                          {&motion->sampled, 2 * (n + m + s)},
                          {&motion->row_factor, (m + s) * (m + s)},
                          {&motion->row_scale, m + s},
                          {&motion->course, 5 * laws * (p + 1)},
                          {&motion->central, event_central_room(m + s)},
                          {&motion->joint_y, (p + 1) * n},
                          {&motion->joint_gradient, n},
                          {&motion->joint_mix, 2 * laws * laws},
                          {&motion->joint_equations, laws * (m + s + 3)},
                          {&motion->row_matrix, (m + s) * (m + s)},
                          {&motion->coupling, m * m},
                          {&motion->lcp, m * m},
                          {&motion->lcp_q, m},
                          {&motion->lcp_z, m},
                          {&motion->lcp_w, m},
                          {&motion->row_drift, m + s},
                          {&motion->basis, (m + s + 1) * n},
                          {&motion->paths, (m + s) * n},
                          {&motion->saved, 2 * n},
                          {&motion->expected_gap, m},
                          {&motion->velocity_terms, n},
                          {&motion->length_before, m},
                          {&motion->order_size, p + 1},
                          {&motion->tail, 5 * n + m + s},
                          {&motion->zeno.q, ZENO_RING * n},
                          {&motion->zeno.v, ZENO_RING * n},
                          {&motion->zeno.impulse, ZENO_RING * (m + s)},
                          {&motion->zeno.total, m + s}};
  const part integers[] = {{&motion->mode, m},
                           {&motion->mode_before, m},
                           {&motion->order, m},
                           {&motion->contact, m},
                           {&motion->kept_contact, m},
                           {&motion->deflate, m},
                           {&motion->slip, laws},
                           {&motion->kept_slip, laws},
                           {&motion->slip_order, laws},
                           {&motion->slip_deflate, laws},
                           {&motion->margin_order, 2 * laws},
                           {&motion->margin_deflate, 2 * laws},
                           {&motion->chosen, m + laws + 1},
                           {&motion->digit, m + laws},
                           {&motion->law_mode, laws},
                           {&motion->law_mode_before, laws},
                           {&motion->law_order, laws},
                           {&motion->place, m + s},
                           {&motion->joint_places, n + laws},
                           {&motion->held, switches},
                           {&motion->switch_deflate, switches}};
  const part indices[] = {
      {&motion->rows, m + s}, {&motion->items, m + laws}, {&motion->pending, m}, {&motion->pivots, m + s}};
  const part flags[] = {{&motion->involved, m},       {&motion->acting, m},         {&motion->redundant, m},
                        {&motion->alone, m},          {&motion->recent, m},         {&motion->hold, m + s},
                        {&motion->at_zero, switches}, {&motion->law_involved, laws}};
  LAY_OUT(context, double, motion->numbers, motion->number_count, doubles);
  LAY_OUT(context, int, motion->integers, motion->integer_count, integers);
  LAY_OUT(context, thud_index, motion->indices, motion->index_count, indices);
  LAY_OUT(context, bool, motion->flags, motion->flag_count, flags);
  motion->roots = THUD_NEW_ARRAY(context, arc_root, m + 3 * laws + switches);
  motion->kept = THUD_NEW_ARRAY(context, char, thud_event_motion_state_size(motion));
  return motion->roots != NULL && motion->kept != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error check_options(thud_context *context, const thud_event_options *options) {
  thud_error error = thud_options_check(context, thud_event_option_table(), options);
  if (error == THUD_OK) error = thud_options_check(context, thud_percussion_option_table(), &options->percussion);
  if (error != THUD_OK) return error;
  if (!(options->end > options->start))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "the end (%g) must lie after the start (%g)", options->end,
                     options->start);
  if (options->order != 0 && options->order < 4)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "the order of the power series is %d; it must be 4..60, or 0",
                     options->order);
  return THUD_OK;
}

/* 1 - ln(tolerance)/2: with h = rho/e^2 what is cut off is e^(-2 order) (Jorba and Zou 2005). */
static int order_of(const thud_event_options *options) {
  if (options->order > 0) return options->order;
  return (int)fmin(fmax(ceil(1 - log(options->tolerance) / 2), 4), 60);
}

/* For contacts that are struck one at a time. */
static thud_error create_single(thud_event_motion *motion) {
  thud_percussion_options options = motion->options.percussion;
  options.law = THUD_IMPACT_NEWTON;
  return thud_percussion_create(motion->context, motion->system, &options, &motion->single);
}

/* Functions are known only where they are called: without a limit a run has at least so many arcs. */
#define ARCS_OF_FUNCTIONS 100.0

/* Whether the arcs asked for can be those of this system. Without power series a change of branch cannot be found. */
static thud_error check_arcs(const thud_event_motion *motion) {
  int arcs = motion->options.arcs;
  bool expressions = thud_model_has_expressions(motion->system);
  model_jets jets;
  if (arcs == THUD_ARCS_SERIES && !expressions)
    return thud_fail(motion->context, THUD_ERROR_UNSUPPORTED,
                     "arcs 'series': a system given by functions in C has no power series; use 'auto'");
  if (arcs < THUD_ARCS_RUNGE_KUTTA || !expressions) return THUD_OK;
  thud_error error = thud_model_get_jets(motion->system, motion->context, &jets);
  if (error != THUD_OK || thud_expr_program_switch_count(jets.program) == 0) return error;
  return thud_fail(motion->context, THUD_ERROR_UNSUPPORTED,
                   "arcs 'runge-kutta' and 'cvode': the system's expressions change their branch (abs, min, if ...), "
                   "which is found on power series only; use 'series'");
}

static thud_error create_arc(thud_event_motion *motion) {
  const thud_event_options *options = &motion->options;
  thud_error error = check_arcs(motion);
  if (error != THUD_OK) return error;
  if (options->arcs < THUD_ARCS_RUNGE_KUTTA && thud_model_has_expressions(motion->system))
    return thud_arc_create(motion->context, motion->system, order_of(options), &motion->arc);
  double longest = options->max_step > 0 ? options->max_step : (options->end - options->start) / ARCS_OF_FUNCTIONS;
  return thud_arc_create_functions(motion->context, motion->system, options->arcs == THUD_ARCS_CVODE,
                                   options->tolerance, longest, &motion->arc);
}

static thud_error create_parts(thud_event_motion *motion) {
  thud_context *context = motion->context;
  const thud_system *system = motion->system;
  thud_error error = create_arc(motion);
  if (error == THUD_OK) error = event_laws_create(motion);
  if (error == THUD_OK) error = allocate(motion);
  if (error == THUD_OK) error = thud_system_values_create(context, system, &motion->values);
  if (error == THUD_OK)
    error = thud_percussion_create(context, system, &motion->options.percussion, &motion->percussion);
  if (error == THUD_OK && motion->options.fork) error = create_single(motion);
  if (error == THUD_OK && motion->m > 1) error = thud_lemke_create(context, (thud_index)motion->m, &motion->lemke);
  return error;
}

thud_error thud_event_motion_create(thud_context *context, const thud_system *system, const thud_event_options *options,
                                    const double *q0, const double *v0, thud_event_motion **motion) {
  if (system == NULL || options == NULL || q0 == NULL || v0 == NULL || motion == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a motion needs a system, options and an initial state");
  thud_error error = check_options(context, options);
  if (error != THUD_OK) return error;
  thud_event_motion *made = THUD_NEW(context, thud_event_motion);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->system = system;
  made->options = *options;
  made->options.percussion.tolerance = options->residual_tolerance;
  made->n = (size_t)thud_system_dimension(system);
  made->m = (size_t)thud_system_constraint_count(system);
  made->s = (size_t)thud_system_slip_count(system);
  made->law_count = (size_t)thud_system_friction_count(system);
  made->t = options->start;
  made->after_event = true;
  made->info = (thud_event_info){.time = options->start,
                                 .undecided_constraint = -1,
                                 .right_accumulation_constraint = -1,
                                 .moved_constraint = -1,
                                 .indeterminate_constraint = -1,
                                 .cosine_first = -1,
                                 .cosine_second = -1};
  error = create_parts(made);
  if (error == THUD_OK) made->info.order = made->arc->order;
  if (error == THUD_OK) error = event_start(made, q0, v0);
  if (error != THUD_OK) {
    thud_event_motion_destroy(made);
    return error;
  }
  *motion = made;
  return THUD_OK;
}

void thud_event_motion_destroy(thud_event_motion *motion) {
  if (motion == NULL) return;
  thud_context *context = motion->context;
  thud_lemke_destroy(motion->lemke);
  thud_percussion_destroy(motion->percussion);
  thud_percussion_destroy(motion->single);
  thud_system_values_destroy(context, motion->values);
  thud_free(context, motion->laws);
  thud_arc_destroy(motion->arc);
  thud_free(context, motion->numbers);
  thud_free(context, motion->integers);
  thud_free(context, motion->indices);
  thud_free(context, motion->flags);
  thud_free(context, motion->roots);
  thud_free(context, motion->kept);
  event_outcomes_destroy(motion);
  thud_free(context, motion);
}

int thud_event_motion_order(const thud_event_motion *motion) { return motion->info.order; }

void thud_event_motion_present(const thud_event_motion *motion, double *t, const double **q, const double **v) {
  *t = motion->t;
  *q = motion->q;
  *v = motion->v;
}

void thud_event_arc_evaluate(const thud_event_arc *arc, thud_index n, double t, double *q, double *v) {
  double s = t - arc->t0;
  for (thud_index i = 0; i < n; i++) {
    double x = 0, y = 0;
    for (thud_index k = arc->degree; k >= 0; k--) {
      y = y * s + x;
      x = x * s + arc->q[(size_t)k * (size_t)n + (size_t)i];
    }
    q[i] = x;
    if (v != NULL) v[i] = y;
  }
}

void thud_event_arc_evaluate_reactions(const thud_event_arc *arc, thud_index rows, double t, double *reaction) {
  double s = t - arc->t0;
  for (thud_index i = 0; i < rows; i++) {
    double x = 0;
    for (thud_index k = arc->force_degree; k >= 0; k--) x = x * s + arc->reaction[(size_t)k * (size_t)rows + (size_t)i];
    reaction[i] = x;
  }
}

/* ---- what is handed out ------------------------------------------------------------------------------------------ */

/* What the sink answers. */
static thud_error heed(thud_event_motion *motion, int wish, bool *stop) {
  if (wish < 0) {
    motion->sink_failed = true;
    return thud_fail(motion->context, THUD_ERROR_CALLBACK, "t = %.10g: the sink reported a failure (%d)", motion->t,
                     wish);
  }
  if (wish > 0) {
    motion->info.status = THUD_EVENT_INTERRUPTED;
    *stop = true;
  }
  return THUD_OK;
}

thud_error event_emit_arc(thud_event_motion *motion, const thud_event_sink *sink, const thud_event_arc *arc,
                          bool *stop) {
  motion->after_event = false;
  if (sink == NULL || sink->arc == NULL || !(arc->t1 > arc->t0)) return THUD_OK;
  return heed(motion, sink->arc(sink->user, arc), stop);
}

/* Something that was kept closed without force has found out, or a reaction has faded away without a root. */
static bool decided_late(thud_event_motion *motion) {
  bool late = false;
  for (size_t i = 0; i < motion->m; i++) {
    bool decided = motion->mode_before[i] == THUD_CONTACT_UNDECIDED && motion->mode[i] != THUD_CONTACT_UNDECIDED;
    if (motion->begun && event_lasts(motion->mode_before[i]) && !event_lasts(motion->mode[i])) decided = true;
    motion->involved[i] = motion->involved[i] || decided;
    late = late || decided;
  }
  return late;
}

/* A switch may make what sticks slide, or the other way round. */
static void mark_changes(thud_event_motion *motion) {
  for (size_t l = 0; l < motion->law_count; l++) {
    bool closed = event_lasts(motion->law_mode_before[l]) && event_lasts(motion->law_mode[l]);
    if (!closed || motion->law_mode_before[l] == motion->law_mode[l]) continue;
    motion->law_involved[l] = true;
    if (motion->laws[l].constraint >= 0) motion->involved[motion->laws[l].constraint] = true;
  }
}

/* What one involved constraint does, when velocities do not jump. */
static thud_event_kind change_of(int before, int after) {
  bool lasts = event_lasts(after), lasted = event_lasts(before);
  if (lasts && !lasted) return THUD_EVENT_CLOSE;
  if (!lasts && (lasted || before == THUD_CONTACT_UNDECIDED)) return THUD_EVENT_OPEN;
  if (before == THUD_CONTACT_SLIDING && after == THUD_CONTACT_STICKING) return THUD_EVENT_STICK;
  if (lasted && after == THUD_CONTACT_SLIDING) return THUD_EVENT_SLIP;
  return THUD_EVENT_GRAZE;
}

/* Grazes and switches come last: anything else that happens gives the event its name. */
static thud_event_kind kind_of(const thud_event_motion *motion) {
  static const int rank[] = {[THUD_EVENT_CLOSE] = 0, [THUD_EVENT_OPEN] = 1,   [THUD_EVENT_STICK] = 2,
                             [THUD_EVENT_SLIP] = 3,  [THUD_EVENT_SWITCH] = 4, [THUD_EVENT_GRAZE] = 5};
  thud_event_kind kind = motion->switched ? THUD_EVENT_SWITCH : THUD_EVENT_GRAZE;
  if (motion->limit) return THUD_EVENT_ZENO;
  if (motion->jumped) return THUD_EVENT_IMPACT;
  for (size_t i = 0; i < motion->m; i++) {
    if (!motion->involved[i]) continue;
    thud_event_kind change = change_of(motion->mode_before[i], motion->mode[i]);
    if (rank[change] < rank[kind]) kind = change;
  }
  for (size_t l = 0; l < motion->law_count; l++) {
    if (!motion->law_involved[l] || motion->laws[l].constraint >= 0) continue;
    thud_event_kind change = change_of(motion->law_mode_before[l], motion->law_mode[l]);
    if (rank[change] < rank[kind]) kind = change;
  }
  return kind;
}

static thud_error emit_event(thud_event_motion *motion, const thud_event_sink *sink, bool *stop) {
  thud_event_info *info = &motion->info;
  thud_event event = {.kind = kind_of(motion),
                      .t = motion->t,
                      .t_error = motion->t_error,
                      .q = motion->q,
                      .v_before = motion->v_before,
                      .v_after = motion->v,
                      .impulse = motion->impulse,
                      .involved = motion->involved,
                      .involved_law = motion->law_involved,
                      .mode_before = motion->mode_before,
                      .mode_after = motion->mode,
                      .order = motion->order,
                      .percussion = motion->percussion_info,
                      .tangential = motion->tangential,
                      .total_impulse = motion->zeno.total};
  if (motion->limit) {
    event.impacts = (thud_index)motion->limit_impacts;
    event.ratio = motion->limit_ratio;
    event.begin = motion->zeno.begin;
    event.duration = motion->limit_duration;
    event.limit_error = motion->limit_error;
  }
  thud_error error = event_book_energy(motion);
  if (error != THUD_OK) return error;
  event.ledger = info->ledger;
  info->events++;
  info->grazes += event.kind == THUD_EVENT_GRAZE ? 1 : 0;
  info->switches += motion->switched ? 1 : 0;
  motion->after_event = true;
  if (sink == NULL || sink->event == NULL) return THUD_OK;
  return heed(motion, sink->event(sink->user, &event), stop);
}

/* ---- rounds ------------------------------------------------------------------------------------------------------ */

thud_error event_find_status(thud_event_motion *motion, thud_event_status status, thud_error error) {
  (void)error; /* the message is in the context */
  motion->info.status = status;
  return THUD_OK;
}

/* What the failure of a round means for the run; false when it is a failure of the call itself. */
static bool finding_of(thud_error error, thud_event_status *status) {
  switch (error) {
  case THUD_ERROR_NOT_FINITE:
  case THUD_ERROR_ARGUMENT: /* of a law: restitution or friction out of its range */
  case THUD_ERROR_CALLBACK: *status = THUD_EVENT_BAD_DATA; return true;
  case THUD_ERROR_NOT_SPD: *status = THUD_EVENT_MASS; return true;
  case THUD_ERROR_UNQUALIFIED: *status = THUD_EVENT_UNQUALIFIED; return true;
  case THUD_ERROR_NOT_CONVERGED: *status = THUD_EVENT_NOT_CONVERGED; return true;
  case THUD_ERROR_UNSUPPORTED: *status = THUD_EVENT_KINK; return true;
  default: return false;
  }
}

/* Limits that make endless loops impossible. */
static void check_limits(thud_event_motion *motion) {
  const thud_event_options *options = &motion->options;
  const thud_event_info *info = &motion->info;
  const char *what = NULL, *hint = "";
  int limit = 0;
  if (motion->same_time > options->max_same_time) {
    what = "events one after the other at the same time (max_same_time)";
    limit = options->max_same_time;
  } else if (info->events >= (size_t)options->max_events) {
    what = "events (max_events)";
    limit = options->max_events;
  } else if (info->arcs >= (size_t)options->max_steps) {
    what = "steps";
    limit = options->max_steps;
  }
  if (what == NULL) return;
  if (motion->zeno.count >= ZENO_UNRESOLVED)
    hint = options->zeno ? "; impacts seem to accumulate here" : "; impacts accumulate here, which zeno: true closes";
  event_find_status(motion, THUD_EVENT_TOO_MANY,
                    thud_fail(motion->context, THUD_ERROR_NOT_CONVERGED, "t = %.10g: more than %d %s%s", motion->t,
                              limit, what, hint));
}

static void check_undecided(thud_event_motion *motion) {
  if (motion->options.on_undecided != THUD_UNDECIDED_STOP || motion->info.undecided == 0) return;
  const char *name = thud_system_constraint(motion->system, motion->info.undecided_constraint)->name;
  event_find_status(motion, THUD_EVENT_UNDECIDED,
                    thud_fail(motion->context, THUD_ERROR_NOT_CONVERGED,
                              "t = %.10g: whether contact '%s' lasts is undecided to order %d: reaction and separation "
                              "have only zero coefficients",
                              motion->t, name, motion->info.undecided_order));
}

/* At the present time: what happens, and the series that follows. */
static thud_error settle(thud_event_motion *motion, const thud_event_sink *sink, bool *stop) {
  event_keep(motion);
  motion->jumped = motion->limit = motion->tangential = false;
  memset(motion->impulse, 0, (motion->m + motion->s) * sizeof(double));
  thud_error error = event_settle(motion);
  if (error != THUD_OK) return event_give_up(motion, error);
  motion->choice_count = 0;
  event_note_right_accumulation(motion);
  if (!motion->begun) event_widen_limits(motion);
  bool collided = motion->jumped && !motion->tangential;
  if (motion->switched && motion->begun) mark_changes(motion);
  if (collided) event_zeno_note(motion);
  motion->any_event = motion->any_event || motion->jumped || decided_late(motion);
  motion->begun = true;
  motion->phase = collided ? EVENT_AFTER_JUMP : EVENT_READY;
  return motion->any_event ? emit_event(motion, sink, stop) : THUD_OK;
}

/* After an impact: the limit of an accumulation, if it is one. */
static thud_error close_accumulation(thud_event_motion *motion, const thud_event_sink *sink, bool *stop) {
  event_keep(motion);
  motion->switched = false;
  motion->phase = EVENT_READY;
  thud_error error = event_zeno_try(motion, sink, stop);
  if (error != THUD_OK && !motion->sink_failed) return event_go_back(motion, error);
  motion->choice_count = 0;
  return error;
}

static thud_error emit_limit(thud_event_motion *motion, const thud_event_sink *sink, bool *stop) {
  motion->phase = EVENT_READY;
  return emit_event(motion, sink, stop);
}

/* The arc whose series stands. */
static thud_error go_on(thud_event_motion *motion, const thud_event_sink *sink, bool *stop) {
  if (motion->limit) event_zeno_forget(motion);
  motion->limit = false;
  check_undecided(motion);
  check_limits(motion);
  return motion->info.status == THUD_EVENT_COMPLETED ? event_advance(motion, sink, stop) : THUD_OK;
}

static thud_error next_phase(thud_event_motion *motion, const thud_event_sink *sink, bool *ended, bool *stop) {
  bool at_end = motion->t >= motion->options.end;
  thud_error error;
  switch (motion->phase) {
  case EVENT_AT_NODE:
    error = event_check_size(motion);
    if (error != THUD_OK || motion->info.status != THUD_EVENT_COMPLETED) return error;
    *ended = at_end && !motion->any_event;
    return *ended ? THUD_OK : settle(motion, sink, stop);
  case EVENT_AFTER_JUMP: return close_accumulation(motion, sink, stop);
  case EVENT_AT_LIMIT: return emit_limit(motion, sink, stop);
  default: *ended = at_end; return at_end ? THUD_OK : go_on(motion, sink, stop);
  }
}

static thud_error rounds(thud_event_motion *motion, const thud_event_sink *sink) {
  bool stop = false, ended = false;
  thud_error error = motion->begun ? THUD_OK : event_book_energy(motion);
  if (!motion->begun) {
    motion->initial_energy = motion->info.ledger.kinetic + motion->info.ledger.potential;
    motion->info.ledger.defect = 0;
  }
  while (error == THUD_OK && !stop && !ended && motion->info.status == THUD_EVENT_COMPLETED)
    error = next_phase(motion, sink, &ended, &stop);
  if (error == THUD_OK && motion->info.status == THUD_EVENT_COMPLETED) error = event_book_energy(motion);
  return error;
}

thud_error thud_event_motion_run(thud_event_motion *motion, const thud_event_sink *sink, thud_event_info *info) {
  if (motion == NULL) return THUD_ERROR_ARGUMENT;
  thud_event_status status;
  motion->info.status = THUD_EVENT_COMPLETED;
  motion->sink_failed = false;
  motion->finding = THUD_EVENT_COMPLETED;
  event_outcomes_clear(motion);
  thud_error error = rounds(motion, sink);
  if (error != THUD_OK && !motion->sink_failed && finding_of(error, &status)) {
    motion->info.status = motion->finding != THUD_EVENT_COMPLETED ? motion->finding : status;
    error = THUD_OK;
  }
  if (motion->info.status != THUD_EVENT_FORK && motion->info.status != THUD_EVENT_INDETERMINATE)
    event_outcomes_clear(motion);
  motion->info.time = motion->t;
  if (error == THUD_OK && info != NULL) *info = motion->info;
  return error;
}
