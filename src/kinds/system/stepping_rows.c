/* Rows of a motion by time stepping: one per node; an event where velocities jump. Of systems made by functions in C
 * rows also hold the numbers of each velocity problem, here and in event_rows.c. */
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

/* ---- the numbers of a velocity problem, for motions of both methods ------------------------------------------------- */

/* The numbers of a system's functions in a velocity problem, as channels: for records that are verified without the
 * functions. Rows of the problem are the reactions of the constraints that act and of their friction. */

enum {
  POSED_STEP,
  POSED_MASS,
  POSED_NODE_MASS,
  POSED_IMPULSE,
  POSED_APPLIED,
  POSED_GAP,
  POSED_BEND,
  POSED_ROWS,
  POSED_GRADIENT,
  POSED_RATE,
  POSED_COEFFICIENT,
  POSED_CHANNELS
};

static void describe_problem(const thud_rows *rows, bool event, rows_channel *channels) {
  static const char mass[] = "mass matrix of the velocity problem, row by row";
  size_t n = rows->n, all = rows->m + rows->s;
  channels[POSED_MASS] = event ? thud_rows_list("mass", "posed_mass", REAL, true, 0, NULL, NULL, mass)
                               : thud_rows_fixed("mass", "posed_mass", REAL, n * n, NULL, "", POINT, mass);
  channels[POSED_MASS].channel.group = event ? n * n : 0;
  channels[POSED_ROWS] = thud_rows_list("rows", "posed_rows", THUD_RECORD_INTEGER, all > 0, all, rows->reactions, NULL,
                                        "reactions that take part in the velocity problem");
  channels[POSED_GRADIENT] = thud_rows_list("gradient", "posed_gradient", REAL, all > 0, 0, NULL, "rows",
                                            "gradients of the rows, and slip rows");
  channels[POSED_GRADIENT].channel.group = n;
  channels[POSED_RATE] =
      thud_rows_list("rate", "posed_rate", REAL, all > 0, 0, NULL, "rows", "velocities of the rows at rest");
  channels[POSED_COEFFICIENT] = thud_rows_list("coefficient", "posed_coefficient", REAL, all > 0, 0, NULL, "rows",
                                               "restitution of constraints, mu or threshold of friction");
  for (size_t k = 0; k < POSED_CHANNELS; k++) channels[k].channel.optional = event;
}

static void describe_step(const thud_rows *rows, rows_channel *channels) {
  const char *const *q = rows->names.coordinates, *time = rows->names.time_unit;
  size_t n = rows->n;
  channels[POSED_STEP] = thud_rows_fixed("posed_step", "posed_step", REAL, 1, NULL, time, POINT,
                                         "length of the step of the velocity problem");
  channels[POSED_NODE_MASS] =
      thud_rows_fixed("node_mass", "node_mass", REAL, n * n, NULL, "", POINT, "mass matrix at the node, row by row");
  channels[POSED_IMPULSE] = thud_rows_fixed("smooth_impulse", "smooth_impulse", REAL, n, q, "", POINT,
                                            "impulse of all smooth forces in the step");
  channels[POSED_APPLIED] = thud_rows_fixed("applied_impulse", "applied_impulse", REAL, n, q, "", POINT,
                                            "impulse of the applied forces in the step");
  channels[POSED_GAP] = thud_rows_fixed("posed_gap", "posed_gap", REAL, rows->m, rows->constraints, "", POINT,
                                        "gaps where the velocity problem is posed");
  channels[POSED_BEND] = thud_rows_fixed("posed_bend", "posed_bend", REAL, rows->m, rows->constraints, "", POINT,
                                         "change of normal velocities within half of the step");
}

thud_error thud_rows_add_posed(thud_rows *rows, rows_table *table) {
  rows_channel channels[POSED_CHANNELS] = {0};
  rows_posed *posed = &rows->posed;
  size_t n = rows->n, all = rows->m + rows->s;
  if (!rows->names.functions) return THUD_OK;
  describe_problem(rows, table == &rows->events, channels);
  if (table == &rows->frames) describe_step(rows, channels);
  if (thud_system_has_constant_mass(rows->system)) channels[POSED_MASS] = channels[POSED_NODE_MASS] = (rows_channel){0};
  posed->rows = thud_rows_numbers(rows, all);
  posed->gradient = thud_rows_numbers(rows, all * n);
  posed->rate = thud_rows_numbers(rows, all);
  posed->coefficient = thud_rows_numbers(rows, all);
  if (posed->rows == NULL || posed->gradient == NULL || posed->rate == NULL || posed->coefficient == NULL)
    return THUD_ERROR_MEMORY;
  return thud_rows_add(rows, table, POSED_CHANNELS, channels, &posed->cell);
}

static void add_row(rows_posed *to, size_t n, size_t row, const double *gradient, double rate, double coefficient) {
  for (size_t j = 0; j < n; j++) to->gradient[to->count * n + j] = gradient[j];
  to->rows[to->count] = (double)row;
  to->rate[to->count] = rate;
  to->coefficient[to->count++] = coefficient;
}

/* The constraints that act, then the friction of those and of nobody. */
static void list_rows(thud_rows *rows, const thud_posed *posed) {
  rows_posed *to = &rows->posed;
  size_t n = rows->n, k = 0;
  to->count = 0;
  for (size_t i = 0; i < rows->m; i++)
    if (posed->acting[i] != 0) add_row(to, n, i, posed->gradient + i * n, posed->rate[i], posed->restitution[i]);
  for (thud_index l = 0; l < thud_system_friction_count(rows->system); l++) {
    const thud_friction_def *law = thud_system_friction(rows->system, l);
    bool acts = law->constraint < 0 ? *posed->step > 0 : posed->acting[law->constraint] != 0;
    for (thud_index d = 0; d < law->directions; d++, k++)
      if (acts) add_row(to, n, rows->m + k, posed->slip + k * n, posed->slip_rate[k], posed->friction[l]);
  }
}

void thud_rows_set_posed(thud_rows *rows, rows_table *table, const thud_posed *posed) {
  rows_posed *from = &rows->posed;
  size_t n = rows->n;
  if (!rows->names.functions) return;
  if (posed == NULL) { /* an event without a velocity problem */
    for (size_t k = 0; k < POSED_CHANNELS; k++) thud_rows_set(table, from->cell, k, from->rate, 0);
    return;
  }
  list_rows(rows, posed);
  thud_rows_set(table, from->cell, POSED_STEP, posed->step, 1);
  thud_rows_set(table, from->cell, POSED_MASS, posed->mass, n * n);
  thud_rows_set(table, from->cell, POSED_NODE_MASS, posed->node_mass, n * n);
  thud_rows_set(table, from->cell, POSED_IMPULSE, posed->impulse, n);
  thud_rows_set(table, from->cell, POSED_APPLIED, posed->applied, n);
  thud_rows_set(table, from->cell, POSED_GAP, posed->gap, rows->m);
  thud_rows_set(table, from->cell, POSED_BEND, posed->bend, rows->m);
  thud_rows_set(table, from->cell, POSED_ROWS, from->rows, from->count);
  thud_rows_set(table, from->cell, POSED_GRADIENT, from->gradient, from->count * n);
  thud_rows_set(table, from->cell, POSED_RATE, from->rate, from->count);
  thud_rows_set(table, from->cell, POSED_COEFFICIENT, from->coefficient, from->count);
}
