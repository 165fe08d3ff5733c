/* A scene's `draw` at a moment of its record. */
#include "record/csv.h"
#include "run/run_draw.h"
#include "run/run.h"

#include <math.h>
#include <string.h>

/* ---- numbers of expressions ---------------------------------------------------------------------------------------- */

static thud_error place_part(scene_draw *draw, thud_moment *moment, const draw_part *part) {
  const double *values = NULL;
  size_t count = 0;
  thud_error error = thud_moment_values(moment, part->name, &values, &count);
  for (size_t i = 0; i < part->width && error == THUD_OK; i++)
    if (part->slots[i] >= 0) draw->variables[part->slots[i]] = i < count ? values[i] : NAN;
  return error;
}

thud_error thud_draw_place(scene_draw *draw, thud_moment *moment) {
  thud_error error = THUD_OK;
  draw->variables[DRAW_TIME] = thud_moment_time(moment);
  for (size_t p = 0; p < draw->names.part_count && error == THUD_OK; p++)
    if (draw->names.parts[p].used) error = place_part(draw, moment, &draw->names.parts[p]);
  return error;
}

/* Data that jump have the limit of the moment's side, as the state has. */
static double evaluate(const scene_draw *draw, const scene_value *value, int side) {
  if (value->expr == NULL) return value->constant;
  return thud_expr_evaluate_side(value->expr, draw->variables, DRAW_TIME, side < 0 ? THUD_SIDE_LEFT : THUD_SIDE_RIGHT);
}

void thud_draw_evaluate(const scene_draw *draw, const scene_values *values, int side, double *out) {
  for (size_t k = 0; k < values->count; k++) out[k] = evaluate(draw, &values->items[k], side);
}

thud_error thud_draw_reserve(scene_draw *draw, size_t count) {
  return thud_array_reserve(draw->context, &draw->numbers, &draw->room, count, sizeof(double));
}

/* ---- marks ------------------------------------------------------------------------------------------------------------ */

/* A moment of the section. */
typedef struct draw_now {
  scene_draw *draw;
  double t;
  int side;
  size_t reaction_count;
  const double *reactions; /* [reaction_count]; NULL: nothing shows them */
} draw_now;

/* Numbers of the mark's elements into draw->numbers; gives how many numbers there are. */
typedef thud_error (*draw_form_fn)(const draw_now *now, const draw_mark *mark, size_t *count);

static thud_error put_elements(const draw_now *now, const draw_mark *mark, size_t *count) {
  *count = mark->numbers.count;
  thud_error error = thud_draw_reserve(now->draw, *count);
  if (error == THUD_OK) thud_draw_evaluate(now->draw, &mark->numbers, now->side, now->draw->numbers);
  return error;
}

/* Foot, then sum over the reactions of their density times direction. */
static thud_error put_reaction(const draw_now *now, const draw_mark *mark, size_t *count) {
  size_t d = mark->numbers.count;
  *count = 2 * d;
  thud_error error = thud_draw_reserve(now->draw, *count);
  if (error != THUD_OK) return error;
  double *numbers = now->draw->numbers;
  thud_draw_evaluate(now->draw, &mark->numbers, now->side, numbers);
  memset(numbers + d, 0, d * sizeof *numbers);
  for (size_t k = 0; k < mark->force_count; k++) {
    double size = mark->forces[k] < now->reaction_count ? now->reactions[mark->forces[k]] : NAN;
    for (size_t i = 0; i < d; i++)
      numbers[d + i] += size * evaluate(now->draw, &mark->directions.items[k * d + i], now->side);
  }
  return THUD_OK;
}

static thud_error put_curve(const draw_now *now, const draw_mark *mark, size_t *count) {
  size_t d = mark->numbers.count;
  double begin = evaluate(now->draw, &mark->begin, now->side), end = evaluate(now->draw, &mark->end, now->side);
  *count = (mark->segments + 1) * d;
  thud_error error = thud_draw_reserve(now->draw, *count);
  for (size_t k = 0; k <= mark->segments && error == THUD_OK; k++) {
    double part = (double)k / (double)mark->segments;
    now->draw->variables[mark->running] = (1 - part) * begin + part * end;
    thud_draw_evaluate(now->draw, &mark->numbers, now->side, now->draw->numbers + k * d);
  }
  return error;
}

/* Writes the past points, then the present one. */
static thud_error put_trace(const draw_now *now, const draw_mark *mark, size_t *count) {
  size_t d = mark->numbers.count, past = thud_draw_past_count(&mark->trace, now->t, now->side);
  *count = (past + 1) * d;
  thud_error error = thud_draw_reserve(now->draw, *count);
  if (error != THUD_OK) return error;
  if (past > 0) memcpy(now->draw->numbers, mark->trace.points, past * d * sizeof(double));
  thud_draw_evaluate(now->draw, &mark->numbers, now->side, now->draw->numbers + past * d);
  return THUD_OK;
}

static const draw_form_fn forms[] = {
    [DRAW_ELEMENTS] = put_elements, [DRAW_REACTION] = put_reaction, [DRAW_CURVE] = put_curve, [DRAW_TRACE] = put_trace};

static thud_error draw_mark_now(const draw_now *now, const draw_mark *mark, thud_drawing *drawing) {
  thud_mark made = mark->look;
  double there = mark->conditional ? evaluate(now->draw, &mark->when, now->side) : 1;
  size_t count = 0;
  thud_error error = there != 0 && !isnan(there) ? forms[mark->form](now, mark, &count) : THUD_OK;
  if (error != THUD_OK) return error;
  made.count = count / thud_mark_width(made.kind, (int)thud_draw_dimension(now->draw, mark));
  made.numbers = now->draw->numbers;
  return thud_drawing_add(drawing, &made);
}

/* ---- the section --------------------------------------------------------------------------------------------------------- */

static thud_error draw_panels(const draw_now *now, thud_drawing *drawing) {
  const scene_draw *draw = now->draw;
  thud_error error = THUD_OK;
  for (size_t p = 0, m = 0; p < draw->panel_count && error == THUD_OK; p++) {
    error = thud_drawing_add_panel(drawing, &draw->panels[p].about);
    for (; m < draw->mark_count && draw->marks[m].panel == p && error == THUD_OK; m++)
      error = draw_mark_now(now, &draw->marks[m], drawing);
  }
  return error;
}

static thud_error draw_section(scene_draw *draw, thud_moment *moment, thud_drawing *drawing) {
  draw_now now = {.draw = draw, .t = thud_moment_time(moment), .side = thud_moment_side(moment)};
  bool reactions = false;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < draw->mark_count && error == THUD_OK; k++) {
    if (draw->marks[k].form == DRAW_TRACE) error = thud_draw_remember(draw, &draw->marks[k], moment);
    reactions = reactions || draw->marks[k].form == DRAW_REACTION;
  }
  if (error == THUD_OK) error = thud_draw_place(draw, moment);
  if (error == THUD_OK && reactions)
    error = thud_moment_values(moment, draw->names.reaction, &now.reactions, &now.reaction_count);
  return error == THUD_OK ? draw_panels(&now, drawing) : error;
}

thud_error thud_scene_draw(const thud_scene *scene, thud_moment *moment, thud_drawing *drawing) {
  const thud_kind *kind = scene->kind;
  thud_error error = scene->draw != NULL ? draw_section(scene->draw, moment, drawing) : THUD_OK;
  if (error != THUD_OK || kind->draw == NULL) return error;
  thud_run_forget_message(scene->context);
  return thud_run_explain(scene->context, kind, "draw", kind->draw(scene->motion, moment, drawing));
}

void thud_scene_draw_forget(const thud_scene *scene) {
  for (size_t k = 0; scene->draw != NULL && k < scene->draw->mark_count; k++) scene->draw->marks[k].trace.reader = NULL;
}

/* ---- where a point of `draw` has been ---------------------------------------------------------------------------- */

/* Where a point of `draw` has been: sampled once over the whole record, at times spread evenly and at events, so that
 * corners of paths are where they are. Of a long list of events every k-th time is taken. */

enum { TRACE_EVEN = 400, TRACE_MOST = 1500 };

static thud_error add_point(scene_draw *draw, draw_mark *mark, double t, const double *point) {
  draw_trace *trace = &mark->trace;
  size_t d = mark->numbers.count;
  const double *last = trace->count > 0 ? trace->points + (trace->count - 1) * d : NULL;
  if (last != NULL && memcmp(last, point, d * sizeof *point) == 0) return THUD_OK;
  thud_error error =
      thud_array_reserve(draw->context, &trace->times, &trace->capacity, trace->count + 1, sizeof *trace->times);
  if (error == THUD_OK)
    error =
        thud_array_reserve(draw->context, &trace->points, &trace->room, (trace->count + 1) * d, sizeof *trace->points);
  if (error != THUD_OK) return error;
  trace->times[trace->count] = t;
  memcpy(trace->points + trace->count++ * d, point, d * sizeof *point);
  return THUD_OK;
}

/* Both limits: a path that jumps goes straight from one to the other. */
static thud_error add_time(scene_draw *draw, draw_mark *mark, thud_moment *moment, double t) {
  thud_error error = THUD_OK;
  for (int side = -1; side <= 1 && error == THUD_OK; side += 2) {
    double point[3];
    error = thud_moment_set(moment, t, side);
    if (error == THUD_OK) error = thud_draw_place(draw, moment);
    if (error != THUD_OK) return error;
    thud_draw_evaluate(draw, &mark->numbers, side, point);
    error = add_point(draw, mark, t, point);
  }
  return error;
}

static thud_error find_span(thud_record_reader *reader, double *start, double *end) {
  thud_record_sampler *sampler = NULL;
  thud_error error = thud_record_sampler_create(reader, 0, NULL, &sampler);
  if (error == THUD_OK) thud_record_sampler_span(sampler, start, end);
  thud_record_sampler_destroy(sampler);
  return error;
}

thud_error thud_draw_remember(scene_draw *draw, draw_mark *mark, const thud_moment *moment) {
  thud_record_reader *reader = thud_moment_reader(moment);
  if (mark->trace.reader == reader) return THUD_OK;
  double start = 0, end = 0, *times = NULL;
  size_t count = 0;
  thud_moment *past = NULL;
  mark->trace.count = 0;
  thud_error error = find_span(reader, &start, &end);
  const thud_record_times asked = {.every = end > start ? (end - start) / TRACE_EVEN : 0};
  if (error == THUD_OK) error = thud_csv_gather_times(reader, &asked, start, end, &times, &count);
  if (error == THUD_OK) error = thud_moment_create(reader, &past);
  size_t stride = count / TRACE_MOST + 1;
  for (size_t k = 0; k < count && error == THUD_OK; k += stride) error = add_time(draw, mark, past, times[k]);
  thud_moment_destroy(past);
  thud_free(draw->context, times);
  if (error == THUD_OK) mark->trace.reader = reader;
  return error;
}

size_t thud_draw_past_count(const draw_trace *trace, double t, int side) {
  size_t low = 0, high = trace->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (side < 0 ? trace->times[middle] < t : trace->times[middle] <= t)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
