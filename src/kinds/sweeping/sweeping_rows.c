/* Rows of a sweeping process: one per frame; an event where the state jumps. */
#include "base/base.h"
#include "record/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { T, SIDE, STATE, REACTION, ATOM, VARIATION, RESIDUAL, CHANNELS };
enum { EVENT_T, EVENT_KIND, EVENT_SIDE, EVENT_BEFORE, EVENT_AFTER, EVENT_IMPULSE, EVENT_CHANNELS };

/* What is remembered: whether there was a frame, the largest |u_i| so far, the time of the last left limit, then the
 * last frame itself: t, side, atom, variation, residual, state[n], reaction[n]. */
enum { ANY, SCALE, LEFT_TIME, LAST_T, LAST_SIDE, LAST_ATOM, LAST_VARIATION, LAST_RESIDUAL, LAST_STATE };

struct rows_work {
  double tolerance;
  double kind, side; /* of the event */
};

/* "reaction[x]" for the coordinate x. */
static const char *const *reaction_names(thud_rows *rows) {
  enum { ROOM = THUD_RECORD_NAME_LENGTH + 1 };
  const char **names = thud_arena_alloc(rows->arena, rows->n, sizeof *names);
  for (size_t k = 0; names != NULL && k < rows->n; k++) {
    char *text = thud_arena_alloc(rows->arena, ROOM, 1);
    if (text == NULL) return NULL;
    snprintf(text, ROOM, "reaction[%.*s]", ROOM - 11, rows->names.coordinates[k]);
    names[k] = text;
  }
  return names;
}

static thud_error describe_frames(thud_rows *rows, const char *const *reactions) {
  const char *const *u = rows->names.coordinates, *unit = rows->names.unit;
  size_t n = rows->n;
  rows_channel frames[CHANNELS] = {
      [T] = thud_rows_time(rows, "time of the frame"),
      [SIDE] = thud_rows_fixed("side", "side", SMALL, 1, NULL, "", POINT,
                               "-1 before a jump, 1 after it, 0 where there is none"),
      [STATE] = thud_rows_fixed("state", "state", REAL, n, u, unit, LINE, "u"),
      [REACTION] = thud_rows_fixed("reaction", "reaction", REAL, n, reactions, "", THUD_LOOK_DENSITY,
                                   "density on the interval that ends here, or the impulse where atom is 1"),
      [ATOM] = thud_rows_fixed("atom", "atom", SMALL, 1, NULL, "", POINT, "1: the reaction is a point mass at t"),
      [VARIATION] = thud_rows_fixed("variation", "variation", REAL, 1, NULL, unit, LINE,
                                    "total variation of u from the start, in the metric"),
      [RESIDUAL] = thud_rows_fixed("residual", "residual", REAL, 1, NULL, "", LINE,
                                   "normal-cone residual of the step's projection")};
  frames[STATE].channel.state = true;
  frames[REACTION].channel.atom = "atom";
  return thud_rows_add(rows, &rows->frames, CHANNELS, frames, &rows->cell);
}

static thud_error describe_events(thud_rows *rows) {
  static const char *const kinds[] = {"jump"}, *const sides[] = {"value", "right"};
  const char *const *u = rows->names.coordinates, *unit = rows->names.unit;
  size_t n = rows->n;
  rows_channel events[EVENT_CHANNELS] = {
      [EVENT_T] = thud_rows_time(rows, "time"),
      [EVENT_KIND] = thud_rows_kind(1, kinds),
      [EVENT_SIDE] = thud_rows_fixed("side", "side", SMALL, 1, NULL, "", LINE,
                                     "the jump leads to the value at t, or to the right limit"),
      [EVENT_BEFORE] = thud_rows_fixed("before", "before", REAL, n, u, unit, LINE, "u before the jump"),
      [EVENT_AFTER] = thud_rows_fixed("after", "after", REAL, n, u, unit, LINE, "u after it"),
      [EVENT_IMPULSE] = thud_rows_fixed("impulse", "impulse", REAL, n, u, "", LINE, "M (u+ - u-)")};
  events[EVENT_SIDE].channel.label_count = 2;
  events[EVENT_SIDE].channel.labels = sides;
  return thud_rows_add(rows, &rows->events, EVENT_CHANNELS, events, &rows->event_cell);
}

static thud_error describe(thud_rows *rows) {
  const char *const *reactions = reaction_names(rows);
  thud_error error = reactions != NULL ? describe_frames(rows, reactions) : THUD_ERROR_MEMORY;
  return error == THUD_OK ? describe_events(rows) : error;
}

thud_error thud_rows_create_sweeping(thud_context *context, thud_index dimension, double tolerance,
                                     const thud_row_names *names, thud_rows **rows) {
  THUD_REQUIRE(context, context, rows);
  thud_rows *made = NULL;
  if (rows == NULL || dimension <= 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "rows: a dimension and a place for the result are needed");
  size_t n = (size_t)dimension;
  thud_error error = thud_rows_create(context, NULL, n, names, LAST_STATE + 2 * n, &made);
  if (error != THUD_OK) return error;
  made->memory[LEFT_TIME] = NAN;
  made->work = thud_arena_alloc(made->arena, 1, sizeof *made->work);
  if (made->work == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    made->work->tolerance = tolerance;
    error = describe(made);
  }
  if (error == THUD_OK)
    *rows = made;
  else
    thud_rows_destroy(made);
  return error;
}

/* The remembered frame as a row. */
static void set_frame(thud_rows *rows) {
  double *memory = rows->memory;
  thud_rows_set(&rows->frames, rows->cell, T, &memory[LAST_T], 1);
  thud_rows_set(&rows->frames, rows->cell, SIDE, &memory[LAST_SIDE], 1);
  thud_rows_set(&rows->frames, rows->cell, STATE, &memory[LAST_STATE], rows->n);
  thud_rows_set(&rows->frames, rows->cell, REACTION, &memory[LAST_STATE + rows->n], rows->n);
  thud_rows_set(&rows->frames, rows->cell, ATOM, &memory[LAST_ATOM], 1);
  thud_rows_set(&rows->frames, rows->cell, VARIATION, &memory[LAST_VARIATION], 1);
  thud_rows_set(&rows->frames, rows->cell, RESIDUAL, &memory[LAST_RESIDUAL], 1);
}

/* An impulse that moves the state by more than rounding is an event; u before it is what is remembered. */
static bool is_event(thud_rows *rows, const thud_sweep_frame *frame) {
  double *memory = rows->memory, moved = 0;
  const double *before = memory + LAST_STATE;
  for (size_t i = 0; i < rows->n; i++) {
    moved = fmax(moved, fabs(frame->state[i] - before[i]));
    memory[SCALE] = fmax(memory[SCALE], fabs(frame->state[i]));
  }
  return frame->atom && moved > rows->work->tolerance * memory[SCALE];
}

static int emit_event(thud_rows *rows, const thud_sweep_frame *frame, const double *before) {
  struct rows_work *work = rows->work;
  work->side = frame->side == THUD_SIDE_RIGHT;
  thud_rows_set(&rows->events, rows->event_cell, EVENT_T, &frame->t, 1);
  thud_rows_set(&rows->events, rows->event_cell, EVENT_KIND, &work->kind, 1);
  thud_rows_set(&rows->events, rows->event_cell, EVENT_SIDE, &work->side, 1);
  thud_rows_set(&rows->events, rows->event_cell, EVENT_BEFORE, before, rows->n);
  thud_rows_set(&rows->events, rows->event_cell, EVENT_AFTER, frame->state, rows->n);
  thud_rows_set(&rows->events, rows->event_cell, EVENT_IMPULSE, frame->reaction, rows->n);
  return thud_rows_emit_event(rows, frame->t);
}

static void remember(thud_rows *rows, const thud_sweep_frame *frame) {
  double *memory = rows->memory;
  size_t bytes = rows->n * sizeof(double);
  memory[ANY] = 1;
  memory[LAST_T] = frame->t;
  memory[LAST_SIDE] = frame->side;
  memory[LAST_ATOM] = frame->atom;
  memory[LAST_VARIATION] = frame->variation;
  memory[LAST_RESIDUAL] = frame->residual;
  memcpy(memory + LAST_STATE, frame->state, bytes);
  memcpy(memory + LAST_STATE + rows->n, frame->reaction, bytes);
}

int thud_rows_sweep(void *user, const void *given) {
  THUD_REQUIRE_OR(-1, user, given);
  const thud_sweep_frame *frame = given;
  thud_rows *rows = user;
  double *memory = rows->memory;
  bool event = is_event(rows, frame);
  /* the value at a jump goes with its limits */
  bool jump = event || frame->side != THUD_SIDE_VALUE || frame->t == memory[LEFT_TIME];
  if (frame->side == THUD_SIDE_LEFT) memory[LEFT_TIME] = frame->t;
  int answer = 0;
  if (event) answer = emit_event(rows, frame, memory + LAST_STATE);
  remember(rows, frame);
  if (answer != 0) return answer;
  set_frame(rows);
  return thud_rows_emit_frame(rows, frame->t, jump ? THUD_ROW_KEEP : 0);
}

int thud_rows_end_sweep(thud_rows *rows) {
  THUD_REQUIRE_OR(-1, rows);
  if (rows->memory[ANY] == 0) return 0;
  set_frame(rows);
  return thud_rows_emit_frame(rows, rows->memory[LAST_T], THUD_ROW_AGAIN);
}
