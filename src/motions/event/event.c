/* Event-driven motions: the rounds of a run, and the interface. */
#include "motions/event/event_stop.h"
#include "motions/event/event.h"

#include <stdio.h>

void thud_event_arc_evaluate(const thud_event_arc *arc, thud_index n, double t, double *q, double *v) {
  THUD_REQUIRE_OR(, arc, n == 0 || (arc->q && q));
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
  THUD_REQUIRE_OR(, arc, rows == 0 || (arc->reaction && reaction));
  double s = t - arc->t0;
  for (thud_index i = 0; i < rows; i++) {
    double x = 0;
    for (thud_index k = arc->force_degree; k >= 0; k--) x = x * s + arc->reaction[(size_t)k * (size_t)rows + (size_t)i];
    reaction[i] = x;
  }
}

/* ---- what is handed out ------------------------------------------------------------------------------------------ */

/* What the sink answers. */
static thud_error handle_sink_result(event_motion *motion, int answer) {
  if (answer < 0) {
    motion->run.sink_failed = true;
    return thud_fail(motion->problem.context, THUD_ERROR_CALLBACK, "t = %.10g: the sink reported a failure (%d)",
                     motion->state.t, answer);
  }
  if (answer > 0) motion->info.status = THUD_MOTION_STOPPED;
  return THUD_OK;
}

thud_error thud_event_emit_arc(event_motion *motion, const thud_motion_sink *sink, const thud_event_arc *arc) {
  motion->run.after_event = false;
  if (sink->frame == NULL || !(arc->t1 > arc->t0)) return THUD_OK;
  return handle_sink_result(motion, sink->frame(sink->user, arc));
}

/* Something that was kept closed without force has found out, or a reaction has faded away without a root. */
static bool mark_late_decisions(event_motion *motion) {
  bool late = false;
  for (size_t i = 0; i < motion->problem.m; i++) {
    bool decided =
        motion->modes.mode_before[i] == THUD_CONTACT_UNDECIDED && motion->modes.mode[i] != THUD_CONTACT_UNDECIDED;
    if (motion->run.begun && event_lasts(motion->modes.mode_before[i]) && !event_lasts(motion->modes.mode[i]))
      decided = true;
    motion->event.involved[i] = motion->event.involved[i] || decided;
    late = late || decided;
  }
  return late;
}

/* A switch may make what sticks slide, or the other way round; true: it has. */
static bool mark_changed_laws(event_motion *motion) {
  bool changed = false;
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    bool closed = event_lasts(motion->modes.law_mode_before[l]) && event_lasts(motion->modes.law_mode[l]);
    if (!closed || motion->modes.law_mode_before[l] == motion->modes.law_mode[l]) continue;
    motion->event.law_involved[l] = changed = true;
    if (motion->friction.laws[l].constraint >= 0) motion->event.involved[motion->friction.laws[l].constraint] = true;
  }
  return changed;
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
static thud_event_kind kind_of_event(const event_motion *motion) {
  static const int rank[] = {[THUD_EVENT_CLOSE] = 0, [THUD_EVENT_OPEN] = 1,   [THUD_EVENT_STICK] = 2,
                             [THUD_EVENT_SLIP] = 3,  [THUD_EVENT_SWITCH] = 4, [THUD_EVENT_GRAZE] = 5};
  thud_event_kind kind = motion->event.switched ? THUD_EVENT_SWITCH : THUD_EVENT_GRAZE;
  if (motion->zeno.limit.reached) return THUD_EVENT_ZENO;
  if (motion->event.loaded) return THUD_EVENT_PERCUSSION;
  if (motion->event.jumped) return THUD_EVENT_IMPACT;
  if (motion->event.crossed) return THUD_EVENT_SWITCH; /* velocities jump, whatever that does to contacts */
  for (size_t i = 0; i < motion->problem.m; i++) {
    if (!motion->event.involved[i]) continue;
    thud_event_kind change = change_of(motion->modes.mode_before[i], motion->modes.mode[i]);
    if (rank[change] < rank[kind]) kind = change;
  }
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    if (!motion->event.law_involved[l] || motion->friction.laws[l].constraint >= 0) continue;
    thud_event_kind change = change_of(motion->modes.law_mode_before[l], motion->modes.law_mode[l]);
    if (rank[change] < rank[kind]) kind = change;
  }
  return kind;
}

/* (from + s) - t without the rounding of from + s (TwoSum); t is next to it. */
static double offset_from(double t, double from, double s) {
  double sum = from + s, part = sum - from, lost = (from - (sum - part)) + (s - part);
  return (sum - t) + lost;
}

/* Limits of accumulations and loads are no roots of anything; what happens at a limit besides has none before it. Arcs
 * that are sampled have estimates only (t_error). */
static void set_bracket(event_motion *motion, thud_event *event) {
  event_happening *found = &motion->event;
  bool rootless = event->kind == THUD_EVENT_ZENO || event->kind == THUD_EVENT_PERCUSSION;
  if (rootless || motion->proofs.proof == NULL) found->low = found->high = (double)NAN;
  event->t_low = offset_from(event->t, found->from, found->low);
  event->t_high = offset_from(event->t, found->from, found->high);
}

/* Laws of the system, of which a factor is involved. */
static void gather_involved_laws(const event_problem *problem, const event_friction_laws *friction,
                                 event_happening *event) {
  memset(event->system_law_involved, 0, problem->law_count * sizeof *event->system_law_involved);
  for (size_t l = 0; l < problem->law_count; l++)
    if (event->law_involved[l]) event->system_law_involved[friction->laws[l].own] = true;
}

/* The expression that changes its branch, NULL: none, or not known. */
static const char *switched_text(const event_motion *motion) {
  const sim_arc *arc = motion->arc;
  thud_index which = motion->event.which_switch;
  if (!motion->event.switched || which < 0 || (size_t)which >= arc->switches) return NULL;
  return thud_model_text_name(motion->problem.system, thud_expr_program_switch(arc->jets.program, which).source);
}

static thud_error emit_event(event_motion *motion, const thud_motion_sink *sink) {
  const event_zeno *zeno = &motion->zeno;
  thud_event_motion_info *info = &motion->info;
  gather_involved_laws(&motion->problem, &motion->friction, &motion->event);
  thud_event event = {.kind = kind_of_event(motion),
                      .t = motion->state.t,
                      .t_error = motion->event.t_error,
                      .q = motion->state.q,
                      .v_before = motion->event.v_before,
                      .v_after = motion->state.v,
                      .impulse = motion->event.impulse,
                      .involved = motion->event.involved,
                      .involved_law = motion->event.system_law_involved,
                      .mode_before = motion->modes.mode_before,
                      .mode_after = motion->modes.mode,
                      .order = motion->modes.order,
                      .percussion = motion->event.percussion,
                      .tangential = motion->event.tangential,
                      .load = motion->loads.impulse,
                      .switched = switched_text(motion),
                      .total_impulse = zeno->total + zeno->limit.level * (motion->problem.m + motion->problem.s)};
  if (event.kind == THUD_EVENT_IMPACT && motion->problem.options.keep_posed) event.posed = &motion->collision.posed;
  if (zeno->limit.reached) {
    event.impacts = (thud_index)zeno->limit.impacts;
    event.ratio = zeno->limit.ratio;
    event.begin = zeno->limit.begin;
    event.duration = zeno->limit.duration;
    event.limit_error = zeno->limit.error;
  }
  set_bracket(motion, &event);
  thud_error error = thud_event_book_energy(motion);
  if (error != THUD_OK) return error;
  event.ledger = info->ledger;
  info->events++;
  info->grazes += event.kind == THUD_EVENT_GRAZE ? 1 : 0;
  info->switches += motion->event.switched ? 1 : 0;
  motion->run.after_event = true;
  if (sink->event == NULL) return THUD_OK;
  return handle_sink_result(motion, sink->event(sink->user, &event));
}

/* ---- rounds ------------------------------------------------------------------------------------------------------ */

thud_error thud_event_end_run(thud_event_motion_info *info, thud_motion_status status, thud_error error) {
  (void)error; /* the message is in the context */
  info->status = status;
  return THUD_OK;
}

/* What the failure of a round means for the run; false when it is a failure of the call itself. */
static bool status_of_error(thud_error error, thud_motion_status *status) {
  switch (error) {
  case THUD_ERROR_NOT_FINITE:
  case THUD_ERROR_ARGUMENT: /* of a law: restitution or friction out of its range */
  case THUD_ERROR_CALLBACK: *status = THUD_MOTION_BAD_DATA; return true;
  case THUD_ERROR_NOT_SPD: *status = THUD_MOTION_MASS; return true;
  case THUD_ERROR_UNQUALIFIED: *status = THUD_MOTION_UNQUALIFIED; return true;
  case THUD_ERROR_NOT_CONVERGED: *status = THUD_MOTION_NOT_CONVERGED; return true;
  case THUD_ERROR_UNSUPPORTED: *status = THUD_MOTION_KINK; return true;
  default: return false;
  }
}

/* Limits that make endless loops impossible. */
static void check_limits(event_motion *motion) {
  const thud_event_options *options = &motion->problem.options;
  thud_event_motion_info *info = &motion->info;
  const char *what = NULL, *hint = "";
  int limit = 0;
  if (motion->run.same_time > options->max_same_time) {
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
  if (motion->zeno.level[0].count >= ZENO_UNRESOLVED)
    hint = options->zeno ? "; impacts seem to accumulate here" : "; impacts accumulate here, which zeno: true closes";
  thud_event_end_run(info, THUD_MOTION_TOO_MANY,
                     thud_fail(motion->problem.context, THUD_ERROR_NOT_CONVERGED,
                               "[too-many-cases] t = %.10g: more than %d %s%s", motion->state.t, limit, what, hint));
}

static void check_undecided(const event_problem *problem, const event_present *state, thud_event_motion_info *info) {
  if (problem->options.on_undecided != THUD_UNDECIDED_STOP || info->undecided == 0) return;
  const char *name = thud_system_constraint(problem->system, info->undecided_constraint)->name;
  thud_event_end_run(
      info, THUD_MOTION_UNDECIDED,
      thud_fail(problem->context, THUD_ERROR_NOT_CONVERGED,
                "[undecided] t = %.10g: whether contact '%s' lasts is undecided to order %d: reaction and separation "
                "have only zero coefficients",
                state->t, name, info->undecided_order));
}

/* Violations beyond this, relative to |dg/dq| |q|, are not rounding. */
#define VIOLATED 1e-6

/* A contact that no order decides is kept closed without force, which holds it only if none is needed: at the end. */
static void check_undecided_gaps(event_motion *motion) {
  const event_problem *problem = &motion->problem;
  const sim_arc *arc = motion->arc;
  for (size_t i = 0; i < problem->m && motion->info.undecided > 0; i++) {
    double size = 0, gap = motion->state.values->gap[i];
    if (event_kind_of(problem, i) != THUD_CONSTRAINT_UNILATERAL || !(gap < 0)) continue;
    for (size_t c = 0; c < problem->n; c++)
      size += fabs(arc->jet[thud_arc_row(arc, i) + c]) * fmax(motion->scales.farthest, fabs(motion->state.q[c]));
    if (-gap <= VIOLATED * size) continue;
    thud_event_end_run(
        &motion->info, THUD_MOTION_UNDECIDED,
        thud_fail(
            problem->context, THUD_ERROR_NOT_CONVERGED,
            "[undecided] t = %.10g: the gap '%s' is %.6g: beside the largest forces its reaction was too small for a "
            "decision (decision_tolerance: %.3g), and without one it does not stay closed; choose a smaller "
            "tolerance, or units in which forces are alike",
            motion->state.t, thud_system_constraint(problem->system, (thud_index)i)->name, gap,
            problem->options.decision_tolerance));
    return;
  }
}

/* At the present time: what happens, and the series that follows. */
static thud_error settle_present_time(event_motion *motion, const thud_motion_sink *sink) {
  event_happening *event = &motion->event;
  thud_event_keep_state(motion);
  event->jumped = motion->zeno.limit.reached = event->tangential = event->loaded = event->crossed = false;
  motion->switches.pending = false;
  memset(event->impulse, 0, (motion->problem.m + motion->problem.s) * sizeof(double));
  thud_error error = thud_event_begin_next_arc(motion);
  if (error != THUD_OK) return thud_event_go_back_and_explain(motion, error);
  motion->forks.choice_count = 0;
  thud_event_note_right_accumulation(motion);
  if (!motion->run.begun) thud_event_widen_blow_up_limits(motion);
  bool collided = event->jumped && !event->tangential && !event->loaded;
  if (event->switched && motion->run.begun) mark_changed_laws(motion);
  if (collided) thud_event_zeno_add_impact(motion);
  if (event->loaded) {
    thud_event_zeno_forget(&motion->problem, &motion->zeno, ZENO_LEVELS - 1);
    motion->loads.next++;
  }
  event->any = event->any || event->jumped || mark_late_decisions(motion);
  /* a force that has reached the edge of its set between two arcs */
  if (motion->run.begun && motion->last.going_on && !event->any) event->any = mark_changed_laws(motion);
  motion->run.begun = true;
  motion->run.phase = collided ? EVENT_AFTER_JUMP : EVENT_READY;
  return event->any ? emit_event(motion, sink) : THUD_OK;
}

/* After a blow of this level: the limit of an accumulation, if it is one. */
static thud_error close_accumulation(event_motion *motion, const thud_motion_sink *sink, size_t level) {
  bool due = !motion->switches.pending && thud_event_zeno_is_due(motion, level);
  if (due) thud_event_keep_state(motion);
  motion->event.switched = false;
  motion->run.phase = EVENT_READY;
  thud_error error = due ? thud_event_zeno_close(motion, sink, level) : THUD_OK;
  if (error != THUD_OK && !motion->run.sink_failed) return thud_event_restore_kept(motion, error);
  motion->forks.choice_count = 0;
  return error;
}

static thud_error emit_limit(event_motion *motion, const thud_motion_sink *sink) {
  motion->run.phase = motion->zeno.limit.level + 1 < ZENO_LEVELS ? EVENT_AFTER_LIMIT : EVENT_READY;
  return emit_event(motion, sink);
}

/* The arc whose series is complete. */
static thud_error follow_next_arc(event_motion *motion, const thud_motion_sink *sink) {
  if (motion->zeno.limit.reached) thud_event_zeno_forget(&motion->problem, &motion->zeno, motion->zeno.limit.level);
  motion->zeno.limit.reached = false;
  if (motion->switches.pending || thud_event_load_is_due(&motion->problem, &motion->loads, motion->state.t)) {
    double t_error = motion->switches.pending ? motion->event.t_error : 0; /* of roots that are to come still */
    thud_event_stand_still(motion);
    motion->event.switched = motion->switches.pending;
    motion->event.t_error = t_error;
    return THUD_OK;
  }
  check_undecided(&motion->problem, &motion->state, &motion->info);
  check_limits(motion);
  return event_is_running(&motion->info) ? thud_event_follow_arc(motion, sink) : THUD_OK;
}

/* Nothing is left to come. */
static thud_error complete(event_motion *motion) {
  motion->info.status = THUD_MOTION_COMPLETED;
  thud_error error = thud_event_book_energy(motion);
  if (error == THUD_OK) check_undecided_gaps(motion);
  return error;
}

static thud_error next_phase(event_motion *motion, const thud_motion_sink *sink) {
  bool at_end = motion->state.t >= event_end(&motion->problem);
  thud_error error;
  switch (motion->run.phase) {
  case EVENT_AT_NODE:
    error = thud_event_check_blow_up(motion);
    if (error != THUD_OK || !event_is_running(&motion->info)) return error;
    return at_end && !motion->event.any ? complete(motion) : settle_present_time(motion, sink);
  case EVENT_AFTER_JUMP: return close_accumulation(motion, sink, 0);
  case EVENT_AFTER_LIMIT: return close_accumulation(motion, sink, motion->zeno.limit.level + 1);
  case EVENT_AT_LIMIT: return emit_limit(motion, sink);
  default:
    at_end = at_end && !motion->switches.pending &&
             !thud_event_load_is_due(&motion->problem, &motion->loads, motion->state.t);
    return at_end ? complete(motion) : follow_next_arc(motion, sink);
  }
}

/* The energies before anything has happened. */
static thud_error book_initial_energy(event_motion *motion) {
  thud_error error = thud_event_book_energy(motion);
  motion->scales.initial_energy = motion->info.ledger.kinetic + motion->info.ledger.potential;
  motion->info.ledger.defect = 0;
  return error;
}

/* Until one more arc has been followed, or the run ends. */
static thud_error follow_one_arc(event_motion *motion, const thud_motion_sink *sink) {
  size_t arcs = motion->info.arcs;
  thud_error error = motion->run.begun ? THUD_OK : book_initial_energy(motion);
  while (error == THUD_OK && event_is_running(&motion->info) && motion->info.arcs == arcs)
    error = next_phase(motion, sink);
  return error;
}

static thud_error step(thud_motion *base, const thud_motion_sink *sink, thud_reached *reached) {
  event_motion *motion = (event_motion *)base;
  thud_motion_status status;
  motion->info.status = motion->run.finding = THUD_MOTION_RUNNING;
  motion->run.sink_failed = false;
  thud_event_outcomes_clear(&motion->forks);
  thud_error error = follow_one_arc(motion, sink);
  if (error != THUD_OK && !motion->run.sink_failed && status_of_error(error, &status)) {
    motion->info.status = motion->run.finding != THUD_MOTION_RUNNING ? motion->run.finding : status;
    error = THUD_OK;
  }
  if (motion->info.status != THUD_MOTION_FORKED && motion->info.status != THUD_MOTION_INDETERMINATE)
    thud_event_outcomes_clear(&motion->forks);
  motion->info.time = motion->state.t;
  *reached = (thud_reached){.status = motion->info.status, .t = motion->state.t};
  return error;
}

void thud_event_stop_at(thud_motion *base, double t) { ((event_motion *)base)->problem.stop = t; }

/* ---- the interface ----------------------------------------------------------------------------------------------- */

static thud_event_frame frame_of(const event_motion *motion) {
  return (thud_event_frame){
      .t = motion->state.t, .q = motion->state.q, .v = motion->state.v, .ledger = motion->info.ledger};
}

static void present(const thud_motion *motion, void *frame) {
  *(thud_event_frame *)frame = frame_of((const event_motion *)motion);
}

static void get_info(const thud_motion *motion, void *info) {
  *(thud_event_motion_info *)info = ((const event_motion *)motion)->info;
}

const thud_motion_type thud_event_type = {.name = "event",
                                          .frame_size = sizeof(thud_event_frame),
                                          .info_size = sizeof(thud_event_motion_info),
                                          .step = step,
                                          .present = present,
                                          .info = get_info,
                                          .state_size = thud_event_state_size,
                                          .save = thud_event_save_state,
                                          .restore = thud_event_restore_state,
                                          .destroy = thud_event_destroy};

THUD_MOTION_QUERIES(event, thud_event_frame, thud_event_motion_info, &thud_event_type)
