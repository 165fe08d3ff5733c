/* Rows of a motion by time stepping: one per node; an event where velocities jump. */
#include "record/rows.h"

enum { T, STEP, Q, V_LEFT, V, V_AVERAGE, GAP, REACTION, ATOM, ACTING, RESIDUAL, LEDGER, CHANNELS };
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

static thud_error describe(thud_rows *rows) {
  static const char *const kinds[] = {"impact"};
  const thud_row_names *names = &rows->names;
  const char *const *q = names->coordinates, *const *v = names->velocities, *unit = names->unit;
  const char *rate = rows_velocity_unit(rows), *time = names->time_unit;
  size_t n = rows->n, m = rows->m, all = rows->m + rows->s;
  const char *const *constraints = rows->constraints, *const *reactions = rows->reactions;
  const thud_record_type small = THUD_RECORD_SMALL, index = THUD_RECORD_INTEGER;
  if (rate == NULL) return THUD_ERROR_MEMORY;
  const rows_channel frames[CHANNELS] = {
      [T] = {{.name = "t", .width = 1, .unit = time, .role = "time", .description = "time of the node"}},
      [STEP] = {{.name = "step",
                 .width = 1,
                 .unit = time,
                 .role = "step",
                 .description = "length of the step that ended here",
                 .look = THUD_LOOK_POINT}},
      [Q] = {{.name = "q",
              .width = n,
              .components = q,
              .unit = unit,
              .role = "position",
              .description = "coordinates",
              .state = true}},
      [V_LEFT] = {{.name = "v_left",
                   .width = n,
                   .components = v,
                   .unit = rate,
                   .role = "velocity_left",
                   .description = "velocities that the impact law saw",
                   .look = THUD_LOOK_POINT}},
      [V] = {{.name = "v",
              .width = n,
              .components = v,
              .unit = rate,
              .role = "velocity",
              .description = "velocities, right limits",
              .left = "v_left",
              .state = true}},
      [V_AVERAGE] = {{.name = "v_average",
                      .width = n,
                      .components = v,
                      .unit = rate,
                      .role = "velocity_average",
                      .description = "(v + e v_left)/(1 + e)"}},
      [GAP] = {{.name = "gap",
                .width = m,
                .components = constraints,
                .role = "gap",
                .description = "gaps and equations at q"}},
      [REACTION] = {{.name = "reaction",
                     .width = all,
                     .components = reactions,
                     .unit = "N s",
                     .role = "reaction",
                     .description = "impulses of the step",
                     .look = THUD_LOOK_IMPULSE,
                     .atom = m > 0 ? "atom" : NULL}},
      [ATOM] = {{.name = "atom",
                 .type = small,
                 .width = m,
                 .components = constraints,
                 .role = "atom",
                 .description = "1: the impulse is an impact",
                 .look = THUD_LOOK_POINT}},
      [ACTING] = {{.name = "acting",
                   .type = small,
                   .width = m,
                   .components = constraints,
                   .role = "acting",
                   .description = "1: the constraint acts",
                   .look = THUD_LOOK_HOLD}},
      [RESIDUAL] =
          {{.name = "residual", .width = 1, .role = "residual", .description = "of the step's velocity problem"}},
      [LEDGER] = {{.name = "ledger",
                   .width = ROWS_LEDGER,
                   .components = rows_ledger_names(),
                   .unit = "J",
                   .role = "ledger",
                   .description = "where the energy went, since the start"}}};
  const rows_channel events[EVENT_CHANNELS] = {
      [EVENT_T] = {{.name = "t", .width = 1, .unit = time, .role = "time", .description = "time of the node"}},
      [EVENT_KIND] = {{.name = "kind",
                       .type = small,
                       .width = 1,
                       .role = "kind",
                       .label_count = sizeof kinds / sizeof *kinds,
                       .labels = kinds,
                       .description = "what happens"}},
      [EVENT_CONSTRAINTS] = {{.name = "constraints",
                              .type = index,
                              .role = "constraints",
                              .label_count = m,
                              .labels = constraints,
                              .description = "which are struck"},
                             .ragged = m > 0},
      [EVENT_BEFORE] = {{.name = "before",
                         .width = n,
                         .components = v,
                         .unit = rate,
                         .role = "before",
                         .description = "velocities that the impact law saw"}},
      [EVENT_AFTER] = {{.name = "after",
                        .width = n,
                        .components = v,
                        .unit = rate,
                        .role = "after",
                        .description = "velocities after the impact"}},
      [EVENT_REACTIONS] = {{.name = "reactions",
                            .type = index,
                            .role = "index",
                            .label_count = all,
                            .labels = reactions,
                            .description = "components of the impulse"},
                           .ragged = all > 0},
      [EVENT_IMPULSE] = {{.name = "impulse",
                          .unit = "N s",
                          .role = "impulse",
                          .at = "reactions",
                          .description = "impulses of the struck constraints and of their friction"},
                         .ragged = all > 0}};
  thud_error error = rows_add(rows, &rows->frames, CHANNELS, frames, &rows->cell);
  return error == THUD_OK ? rows_add(rows, &rows->events, EVENT_CHANNELS, events, &rows->event_cell) : error;
}

static thud_error prepare(thud_rows *rows) {
  struct rows_work *work = rows->work = thud_arena_alloc(rows->arena, 1, sizeof *work);
  if (work == NULL) return THUD_ERROR_MEMORY;
  work->atom = rows_numbers(rows, rows->m);
  work->acting = rows_numbers(rows, rows->m);
  work->constraints = rows_numbers(rows, rows->m);
  work->reactions = rows_numbers(rows, rows->m + rows->s);
  work->impulse = rows_numbers(rows, rows->m + rows->s);
  bool made = work->atom != NULL && work->acting != NULL && work->constraints != NULL && work->reactions != NULL &&
              work->impulse != NULL;
  if (!made) return THUD_ERROR_MEMORY;
  rows_set(&rows->frames, rows->cell, ATOM, work->atom, rows->m);
  rows_set(&rows->frames, rows->cell, ACTING, work->acting, rows->m);
  rows_set(&rows->frames, rows->cell, LEDGER, work->ledger, ROWS_LEDGER);
  rows_set(&rows->events, rows->event_cell, EVENT_KIND, &work->kind, 1);
  return THUD_OK;
}

thud_error thud_rows_create_stepping(thud_context *context, const thud_system *system, const thud_row_names *names,
                                     thud_rows **rows) {
  thud_rows *made = NULL;
  if (rows == NULL || system == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "rows: a system and a place for the result are needed");
  thud_error error = rows_create(context, system, (size_t)thud_system_dimension(system), names, 0, &made);
  if (error != THUD_OK) return error;
  error = describe(made);
  if (error == THUD_OK) error = prepare(made);
  if (error == THUD_OK)
    *rows = made;
  else
    thud_rows_destroy(made);
  return error;
}

static void set_frame(thud_rows *rows, const thud_motion_frame *frame) {
  struct rows_work *work = rows->work;
  rows_table *table = &rows->frames;
  const size_t *cell = rows->cell;
  for (size_t i = 0; i < rows->m; i++) {
    work->atom[i] = frame->atom[i];
    work->acting[i] = frame->acting[i];
  }
  rows_ledger_numbers(&frame->ledger, work->ledger);
  rows_set(table, cell, T, &frame->t, 1);
  rows_set(table, cell, STEP, &frame->step, 1);
  rows_set(table, cell, Q, frame->q, rows->n);
  rows_set(table, cell, V_LEFT, frame->v_left, rows->n);
  rows_set(table, cell, V, frame->v, rows->n);
  rows_set(table, cell, V_AVERAGE, frame->v_average, rows->n);
  rows_set(table, cell, GAP, frame->gap, rows->m);
  rows_set(table, cell, REACTION, frame->reaction, rows->m + rows->s);
  rows_set(table, cell, RESIDUAL, &frame->residual, 1);
}

static int emit_event(thud_rows *rows, const thud_motion_frame *frame) {
  struct rows_work *work = rows->work;
  rows_table *table = &rows->events;
  const size_t *cell = rows->event_cell;
  size_t struck = rows_list_marked(rows, frame->atom, work->constraints);
  size_t parts = rows_list_reactions(rows, frame->atom, work->reactions);
  for (size_t k = 0; k < parts; k++) work->impulse[k] = frame->reaction[(size_t)work->reactions[k]];
  rows_set(table, cell, EVENT_T, &frame->t, 1);
  rows_set(table, cell, EVENT_CONSTRAINTS, work->constraints, struck);
  rows_set(table, cell, EVENT_BEFORE, frame->v_left, rows->n);
  rows_set(table, cell, EVENT_AFTER, frame->v, rows->n);
  rows_set(table, cell, EVENT_REACTIONS, work->reactions, parts);
  rows_set(table, cell, EVENT_IMPULSE, work->impulse, parts);
  return rows_emit_event(rows, frame->t);
}

int thud_rows_step(void *user, const thud_motion_frame *frame) {
  thud_rows *rows = user;
  int answer = frame->impact ? emit_event(rows, frame) : 0;
  if (answer != 0) return answer;
  set_frame(rows, frame);
  return rows_emit_frame(rows, frame->t, frame->impact ? THUD_ROW_KEEP : 0);
}

int thud_rows_end_step(thud_rows *rows, const thud_motion_frame *present) {
  set_frame(rows, present);
  return rows_emit_frame(rows, present->t, THUD_ROW_AGAIN);
}
