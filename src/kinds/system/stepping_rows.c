/* Rows of a motion by time stepping: one per node; an event where velocities jump. */
#include "base/base.h"
#include "record/rows.h"

enum { T, STEP, Q, V_LEFT, V, V_AVERAGE, V_LIMIT, GAP, REACTION, ATOM, ACTING, RESIDUAL, LEDGER, CHANNELS };
enum {
  EVENT_T,
  EVENT_KIND,
  EVENT_CONSTRAINTS,
  EVENT_BEFORE,
  EVENT_AFTER,
  EVENT_REACTIONS,
  EVENT_IMPULSE,
  EVENT_CHANNELS
};

struct rows_work {
  double *atom, *acting; /* [m] */
  double ledger[ROWS_LEDGER];
  double kind;
  double *constraints; /* [m] */
  double *reactions;   /* [m+s] */
  double *impulse;     /* [m+s] */
};

static thud_error describe_frames(thud_rows *rows, const char *rate) {
  const thud_row_names *names = &rows->names;
  const char *const *v = names->velocities, *const *constraints = rows->constraints, *time = names->time_unit;
  size_t n = rows->n, m = rows->m, all = rows->m + rows->s;
  rows_channel frames[CHANNELS] = {
      [T] = thud_rows_time(rows, "time of the node"),
      [STEP] = thud_rows_fixed("step", "step", REAL, 1, NULL, time, POINT, "length of the step that ended here"),
      [Q] = thud_rows_fixed("q", "position", REAL, n, names->coordinates, names->unit, LINE, "coordinates"),
      [V_LEFT] =
          thud_rows_fixed("v_left", "velocity_left", REAL, n, v, rate, POINT, "velocities that the impact law saw"),
      [V] = thud_rows_fixed("v", "velocity", REAL, n, v, rate, LINE, "velocities, right limits"),
      [V_AVERAGE] = thud_rows_fixed("v_average", "velocity_average", REAL, n, v, rate, LINE, "(v + e v_left)/(1 + e)"),
      [V_LIMIT] = thud_rows_fixed("v_limit", "velocity_limit", REAL, n, v, rate, POINT,
                                  "left limits of the velocities: without the impacts and loads of the step"),
      [GAP] = thud_rows_fixed("gap", "gap", REAL, m, constraints, "", LINE, "gaps and equations at q"),
      [REACTION] = thud_rows_fixed("reaction", "reaction", REAL, all, rows->reactions, thud_rows_impulse_unit(rows),
                                   THUD_LOOK_IMPULSE, "impulses of the step"),
      [ATOM] = thud_rows_fixed("atom", "atom", SMALL, m, constraints, "", POINT, "1: the impulse is an impact"),
      [ACTING] = thud_rows_fixed("acting", "acting", SMALL, m, constraints, "", HOLD, "1: the constraint acts"),
      [RESIDUAL] = thud_rows_fixed("residual", "residual", REAL, 1, NULL, "", LINE, "of the step's velocity problem"),
      [LEDGER] = thud_rows_fixed("ledger", "ledger", REAL, ROWS_LEDGER, thud_rows_ledger_names(),
                                 thud_rows_energy_unit(rows), LINE, "where the energy went, since the start")};
  frames[Q].channel.state = frames[V].channel.state = true;
  frames[V].channel.left = "v_limit";
  frames[REACTION].channel.atom = m > 0 ? "atom" : NULL;
  return thud_rows_add(rows, &rows->frames, CHANNELS, frames, &rows->cell);
}

static thud_error describe_events(thud_rows *rows, const char *rate) {
  static const char *const kinds[] = {"impact"};
  const char *const *v = rows->names.velocities;
  size_t n = rows->n, m = rows->m, all = rows->m + rows->s;
  rows_channel events[EVENT_CHANNELS] = {
      [EVENT_T] = thud_rows_time(rows, "time of the node"),
      [EVENT_KIND] = thud_rows_kind(1, kinds),
      [EVENT_CONSTRAINTS] =
          thud_rows_list("constraints", "constraints", INDEX, m > 0, m, rows->constraints, NULL, "which are struck"),
      [EVENT_BEFORE] =
          thud_rows_fixed("before", "before", REAL, n, v, rate, LINE, "velocities that the impact law saw"),
      [EVENT_AFTER] = thud_rows_fixed("after", "after", REAL, n, v, rate, LINE, "velocities after the impact"),
      [EVENT_REACTIONS] =
          thud_rows_list("reactions", "index", INDEX, all > 0, all, rows->reactions, NULL, "components of the impulse"),
      [EVENT_IMPULSE] = thud_rows_list("impulse", "impulse", REAL, all > 0, 0, NULL, "reactions",
                                       "impulses of the struck constraints and of their friction")};
  events[EVENT_IMPULSE].channel.unit = thud_rows_impulse_unit(rows);
  return thud_rows_add(rows, &rows->events, EVENT_CHANNELS, events, &rows->event_cell);
}

static thud_error describe(thud_rows *rows) {
  const char *rate = thud_rows_velocity_unit(rows);
  thud_error error = rate != NULL ? describe_frames(rows, rate) : THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = thud_rows_add_posed(rows, &rows->frames);
  return error == THUD_OK ? describe_events(rows, rate) : error;
}

static thud_error prepare(thud_rows *rows) {
  struct rows_work *work = rows->work = thud_arena_alloc(rows->arena, 1, sizeof *work);
  if (work == NULL) return THUD_ERROR_MEMORY;
  work->atom = thud_rows_numbers(rows, rows->m);
  work->acting = thud_rows_numbers(rows, rows->m);
  work->constraints = thud_rows_numbers(rows, rows->m);
  work->reactions = thud_rows_numbers(rows, rows->m + rows->s);
  work->impulse = thud_rows_numbers(rows, rows->m + rows->s);
  bool made = work->atom != NULL && work->acting != NULL && work->constraints != NULL && work->reactions != NULL &&
              work->impulse != NULL;
  if (!made) return THUD_ERROR_MEMORY;
  thud_rows_set(&rows->frames, rows->cell, ATOM, work->atom, rows->m);
  thud_rows_set(&rows->frames, rows->cell, ACTING, work->acting, rows->m);
  thud_rows_set(&rows->frames, rows->cell, LEDGER, work->ledger, ROWS_LEDGER);
  thud_rows_set(&rows->events, rows->event_cell, EVENT_KIND, &work->kind, 1);
  return THUD_OK;
}

thud_error thud_rows_create_stepping(thud_context *context, const thud_system *system, const thud_row_names *names,
                                     thud_rows **rows) {
  THUD_REQUIRE(context, context, system, rows);
  thud_rows *made = NULL;
  if (rows == NULL || system == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "rows: a system and a place for the result are needed");
  thud_error error = thud_rows_create(context, system, (size_t)thud_system_dimension(system), names, 0, &made);
  if (error != THUD_OK) return error;
  error = describe(made);
  if (error == THUD_OK) error = prepare(made);
  if (error == THUD_OK)
    *rows = made;
  else
    thud_rows_destroy(made);
  return error;
}

static void set_frame(thud_rows *rows, const thud_stepping_frame *frame) {
  struct rows_work *work = rows->work;
  rows_table *table = &rows->frames;
  const size_t *cell = rows->cell;
  for (size_t i = 0; i < rows->m; i++) {
    work->atom[i] = frame->atom[i];
    work->acting[i] = frame->acting[i];
  }
  thud_rows_ledger_numbers(&frame->ledger, work->ledger);
  thud_rows_set(table, cell, T, &frame->t, 1);
  thud_rows_set(table, cell, STEP, &frame->step, 1);
  thud_rows_set(table, cell, Q, frame->q, rows->n);
  thud_rows_set(table, cell, V_LEFT, frame->v_left, rows->n);
  thud_rows_set(table, cell, V, frame->v, rows->n);
  thud_rows_set(table, cell, V_AVERAGE, frame->v_average, rows->n);
  thud_rows_set(table, cell, V_LIMIT, frame->v_limit, rows->n);
  thud_rows_set(table, cell, GAP, frame->gap, rows->m);
  thud_rows_set(table, cell, REACTION, frame->reaction, rows->m + rows->s);
  thud_rows_set(table, cell, RESIDUAL, &frame->residual, 1);
  thud_rows_set_posed(rows, table, frame->posed);
}

static int emit_event(thud_rows *rows, const thud_stepping_frame *frame) {
  struct rows_work *work = rows->work;
  rows_table *table = &rows->events;
  const size_t *cell = rows->event_cell;
  size_t struck = thud_rows_list_marked(rows, frame->atom, work->constraints);
  size_t parts = thud_rows_list_reactions(rows, frame->atom, work->reactions);
  for (size_t k = 0; k < parts; k++) work->impulse[k] = frame->reaction[(size_t)work->reactions[k]];
  thud_rows_set(table, cell, EVENT_T, &frame->t, 1);
  thud_rows_set(table, cell, EVENT_CONSTRAINTS, work->constraints, struck);
  thud_rows_set(table, cell, EVENT_BEFORE, frame->v_left, rows->n);
  thud_rows_set(table, cell, EVENT_AFTER, frame->v, rows->n);
  thud_rows_set(table, cell, EVENT_REACTIONS, work->reactions, parts);
  thud_rows_set(table, cell, EVENT_IMPULSE, work->impulse, parts);
  return thud_rows_emit_event(rows, frame->t);
}

int thud_rows_step(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  THUD_REQUIRE_OR(-1, user, frame);
  thud_rows *rows = user;
  int answer = frame->impact ? emit_event(rows, frame) : 0;
  if (answer != 0) return answer;
  set_frame(rows, frame);
  return thud_rows_emit_frame(rows, frame->t, frame->impact ? THUD_ROW_KEEP : 0);
}

int thud_rows_end_step(thud_rows *rows, const thud_stepping_frame *present) {
  THUD_REQUIRE_OR(-1, rows, present);
  set_frame(rows, present);
  return thud_rows_emit_frame(rows, present->t, THUD_ROW_AGAIN);
}
