/* What a composed friction law looks like: the set D of forces that resist, in the planes of two driven velocities, the
 * force in it, and the velocity turned round, to which D is normal there.
 *
 * The boundary of D, or of its projection on a plane, is found by asking the laws: the answer to the velocity W = -d is the
 * force of D that goes furthest in the direction d (docs/composed-friction.md). Laws seldom change with time: what was found is
 * kept until one does. */
#include "run/run_view.h"
#include "kinds/friction/friction_scene.h"

#include <math.h>
#include <string.h>

enum { DIRECTIONS = 120, MOST_PLANES = 3 };

struct friction_outline {
  size_t key_count;
  double *key; /* [key_count] A, B and parameters of the laws that it holds for */
  bool known;
  size_t count[MOST_PLANES];
  double points[MOST_PLANES][2 * DIRECTIONS];
};

typedef struct friction_view {
  thud_view view;
  const friction_scene *laws;
  friction_outline *outline;
  const double *force, *velocity, *low, *high; /* [driven] */
} friction_view;

static const size_t planes[MOST_PLANES][2] = {{0, 1}, {0, 2}, {1, 2}};

static size_t plane_count(const friction_scene *laws) { return laws->driven < 2 ? 0 : laws->driven == 2 ? 1 : 3; }

/* ---- the outline ------------------------------------------------------------------------------------------------- */

thud_error thud_friction_outline_create(const friction_scene *laws, friction_outline **outline) {
  thud_context *context = laws->scene->context;
  friction_outline *made = THUD_NEW(context, friction_outline);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->key_count = laws->rows * (laws->driven + laws->internal) + laws->numbers.values.count;
  made->key = THUD_NEW_ARRAY(context, double, made->key_count);
  if (made->key == NULL) {
    thud_free(context, made);
    return THUD_ERROR_MEMORY;
  }
  *outline = made;
  return THUD_OK;
}

void thud_friction_outline_destroy(thud_context *context, friction_outline *outline) {
  if (outline == NULL) return;
  thud_free(context, outline->key);
  thud_free(context, outline);
}

/* Whether the laws, as they are placed now, are those of the outline; they are from now on. */
static bool is_known(friction_view *friction) {
  friction_outline *outline = friction->outline;
  const friction_scene *laws = friction->laws;
  const struct {
    const double *numbers;
    size_t count;
  } parts[] = {{laws->A, laws->rows * laws->driven},
               {laws->B, laws->rows * laws->internal},
               {laws->parameters, laws->numbers.values.count}};
  bool known = outline->known;
  double *key = outline->key;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    if (parts[k].count == 0) continue;
    known = known && memcmp(key, parts[k].numbers, parts[k].count * sizeof(double)) == 0;
    memcpy(key, parts[k].numbers, parts[k].count * sizeof(double));
    key += parts[k].count;
  }
  return known;
}

/* The force of D that goes furthest in the direction d = -W; false: there is no bound, or no answer. */
static bool furthest(const friction_view *friction, const double *W, thud_composition_answer *answer) {
  return thud_composition_solve(friction->laws->composition, W, answer) == THUD_OK && answer->admissible &&
         answer->info.converged;
}

/* The laws at the moment that is shown, in its configuration. */
static thud_error place(friction_view *friction, double *W) {
  const friction_scene *laws = friction->laws;
  if (laws->initial != NULL) {
    const double *q = thud_view_values(&friction->view, "configuration", laws->driven + laws->internal);
    if (q == NULL) return friction->view.error;
    thud_friction_scene_at(laws, q);
  }
  return thud_friction_scene_place(laws, friction->view.t, W);
}

static void trace_outline(friction_view *friction) {
  friction_outline *outline = friction->outline;
  thud_view *view = &friction->view;
  double *W = thud_view_array(view, friction->laws->driven);
  if (W == NULL) return;
  view->error = place(friction, W);
  if (view->error != THUD_OK || is_known(friction)) return;
  for (size_t p = 0; p < plane_count(friction->laws); p++) {
    outline->count[p] = 0;
    memset(W, 0, friction->laws->driven * sizeof(double));
    for (int k = 0; k < DIRECTIONS; k++) {
      thud_composition_answer answer;
      double angle = 2 * acos(-1.0) * (k + 0.5) / DIRECTIONS, *point = outline->points[p] + 2 * outline->count[p];
      W[planes[p][0]] = -cos(angle);
      W[planes[p][1]] = -sin(angle);
      if (!furthest(friction, W, &answer)) continue;
      for (int c = 0; c < 2; c++) point[c] = answer.force[planes[p][c]];
      outline->count[p]++;
    }
  }
  outline->known = true;
}

/* ---- panels ------------------------------------------------------------------------------------------------------ */

/* Where there are several answers: between which bounds they are. All of them have the same power W.G, so that in the plane
 * of all driven velocities they are a segment, a flat side of D. Known at rows only. */
static void draw_range(friction_view *friction, size_t a, size_t b) {
  thud_view *view = &friction->view;
  const double *low = friction->low, *high = friction->high, *W = friction->velocity;
  double width = hypot(high[a] - low[a], high[b] - low[b]);
  bool open = isfinite(width) && width > 1e-6 * hypot(friction->force[a], friction->force[b]);
  bool side = friction->laws->driven == 2 && (W[a] != 0 || W[b] != 0), falls = W[a] * W[b] > 0;
  const double box[10] = {low[a], low[b], high[a], low[b], high[a], high[b], low[a], high[b], low[a], low[b]};
  const double segment[4] = {low[a], falls ? high[b] : low[b], high[a], falls ? low[b] : high[b]};
  thud_view_mark(
      view,
      (thud_mark){.kind = THUD_MARK_LINE, .paint = THUD_PAINT_FORCE, .dashed = true, .label = "all forces that answer"},
      !open || !thud_view_is_at_row(view) ? 0
      : side                              ? 2
                                          : 5,
      side ? segment : box);
}

/* In the plane of all driven velocities it is seen to be normal. */
static const char *velocity_label(const friction_view *friction) {
  return friction->laws->driven <= 2 ? "the velocity turned round, normal to the set" : "the velocity turned round";
}

static void draw_force(friction_view *friction, size_t a, size_t b) {
  thud_view *view = &friction->view;
  const size_t components[2] = {a, b};
  size_t count;
  const double *trace = thud_view_trace(view, "force", friction->laws->driven, components, &count);
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_LINE, .paint = THUD_PAINT_TRACE, .label = "so far"}, count, trace);
  if (view->error != THUD_OK) return;
  const double line[4] = {0, 0, friction->force[a], friction->force[b]};
  bool known = isfinite(line[2] + line[3]);
  draw_range(friction, a, b);
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_LINE, .paint = THUD_PAINT_FORCE, .width = 1.3}, known ? 2 : 0,
                 line);
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_POINTS, .paint = THUD_PAINT_FORCE, .label = "force"}, known,
                 line + 2);
  thud_view_arrow(view, (thud_mark){.paint = THUD_PAINT_VELOCITY, .label = velocity_label(friction)}, line[2], line[3],
                  -friction->velocity[a], -friction->velocity[b]);
}

static void draw_plane(friction_view *friction, size_t p) {
  const friction_outline *outline = friction->outline;
  const friction_scene *laws = friction->laws;
  thud_view *view = &friction->view;
  size_t a = planes[p][0], b = planes[p][1], count = outline->count[p];
  bool whole = laws->driven == 2;
  thud_view_panel(view, (thud_drawing_panel){.title = whole ? "forces of friction" : "forces of friction, projected",
                                             .x_label = thud_view_text(view, "F_%s", laws->names[a]),
                                             .y_label = thud_view_text(view, "F_%s", laws->names[b]),
                                             .axes = true});
  const thud_mark area = {
      .kind = THUD_MARK_AREA, .paint = THUD_PAINT_SET, .filled = true, .opacity = 0.6, .label = "forces that resist"};
  thud_view_mark(view, area, count, outline->points[p]);
  double *edge = thud_view_array(view, 2 * count + 2);
  for (size_t k = 0; edge != NULL && count > 0 && k < 2 * count + 2; k++) edge[k] = outline->points[p][k % (2 * count)];
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_LINE, .paint = THUD_PAINT_SET}, count > 0 ? count + 1 : 0, edge);
  draw_force(friction, a, b);
}

/* One driven velocity: the interval of the forces as a bar. */
static void draw_interval(friction_view *friction) {
  thud_view *view = &friction->view;
  thud_composition_answer answer;
  double ends[2] = {0, 0}, W = 0;
  thud_view_panel(view, (thud_drawing_panel){.title = "forces of friction",
                                             .x_label = thud_view_text(view, "F_%s", friction->laws->names[0]),
                                             .stretched = true,
                                             .axes = true});
  if (view->error == THUD_OK) view->error = place(friction, &W);
  if (view->error != THUD_OK) return;
  for (int k = 0; k < 2; k++) {
    W = k == 0 ? 1 : -1;
    ends[k] = furthest(friction, &W, &answer) ? answer.force[0] : friction->force[0];
  }
  const double bar[8] = {ends[0], -1, ends[1], -1, ends[1], 1, ends[0], 1};
  const double zero[4] = {0, -1, 0, 1}, force[2] = {friction->force[0], 0};
  thud_view_mark(view,
                 (thud_mark){.kind = THUD_MARK_AREA,
                             .paint = THUD_PAINT_SET,
                             .filled = true,
                             .opacity = 0.6,
                             .label = "forces that resist"},
                 4, bar);
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_LINE, .paint = THUD_PAINT_GUIDE}, 2, zero);
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_POINTS, .paint = THUD_PAINT_FORCE, .label = "force"}, 1, force);
  thud_view_arrow(view, (thud_mark){.paint = THUD_PAINT_VELOCITY, .label = velocity_label(friction)}, force[0], 0,
                  -friction->velocity[0], 0);
}

thud_error thud_view_friction(const friction_scene *laws, friction_outline *outline, thud_moment *moment,
                              thud_drawing *drawing) {
  friction_view friction = {.view = thud_view_begin(laws->scene, moment, drawing), .laws = laws, .outline = outline};
  thud_view *view = &friction.view;
  size_t driven = laws->driven;
  friction.force = thud_view_values(view, "force", driven);
  friction.velocity = thud_view_values(view, "velocity", driven);
  friction.low = thud_view_values(view, "force-low", driven);
  friction.high = thud_view_values(view, "force-high", driven);
  if (driven == 1) {
    draw_interval(&friction);
  } else {
    trace_outline(&friction);
    for (size_t p = 0; p < plane_count(laws); p++) draw_plane(&friction, p);
  }
  return thud_view_end(view);
}
