/* What a sweeping process looks like: the moving set C(t), the point that it drags, where that has been, and the reaction.
 *
 * Coordinates are shown in pairs, each in the plane of its own: the projection of C on it, by the support function h,
 *   { (x_a, x_b) } = intersection of { d.x <= h(d) },  d in the plane of a and b,
 * so that the point lies in what is drawn. A coordinate that is left over is shown over the time. */
#include "kinds/sweeping/sweeping_scene.h"
#include "run/run_view.h"

#include <math.h>
#include <string.h>

enum { DIRECTIONS = 180, SIDE_POINTS = 40, MOST_PAIRS = 4, TIMES = 240 };
enum { MOST_CORNERS = 4 * SIDE_POINTS + DIRECTIONS + 16 };

/* Of sets whose support is found by iteration: a gap of about 1e-4 of their size, which is not seen. */
static const double seen_tolerance = 1e-8;
enum { MOST_ITERATIONS = 10000 };

typedef struct sweeping_view {
  thud_view view;
  const sweeping_scene *built;
  const thud_scene *scene;
  size_t n;
  thud_set *set;                  /* a copy: the motion keeps its own */
  double *parameters;             /* of the set */
  double *direction, *point;      /* [n] */
  double *low, *high;             /* [n] a box around the motion; sets without bounds end there */
  const double *state, *reaction; /* [n] */
} sweeping_view;

/* ---- convex polygons --------------------------------------------------------------------------------------------- */

typedef struct polygon {
  size_t count;
  double points[2 * MOST_CORNERS];
} polygon;

static void add_corner(polygon *p, double x, double y) {
  if (p->count == MOST_CORNERS) return;
  p->points[2 * p->count] = x;
  p->points[2 * p->count + 1] = y;
  p->count++;
}

/* What of it has normal.x <= offset (Sutherland and Hodgman 1974). */
static void cut(polygon *p, double nx, double ny, double offset) {
  polygon old = *p;
  p->count = 0;
  for (size_t k = 0; k < old.count; k++) {
    const double *a = old.points + 2 * k, *b = old.points + 2 * ((k + 1) % old.count);
    double over_a = nx * a[0] + ny * a[1] - offset, over_b = nx * b[0] + ny * b[1] - offset;
    if (over_a <= 0) add_corner(p, a[0], a[1]);
    if ((over_a < 0 && over_b > 0) || (over_a > 0 && over_b < 0)) {
      double part = over_a / (over_a - over_b);
      add_corner(p, a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]));
    }
  }
}

static void cut_to_box(const sweeping_view *sweep, size_t a, size_t b, polygon *p) {
  cut(p, 1, 0, sweep->high[a]);
  cut(p, -1, 0, -sweep->low[a]);
  cut(p, 0, 1, sweep->high[b]);
  cut(p, 0, -1, -sweep->low[b]);
}

/* ---- outlines ---------------------------------------------------------------------------------------------------- */

/* h(d) for d in the plane of a and b, and the point there; infinite where the set has no bound, or none is known. */
static double support(sweeping_view *sweep, size_t a, size_t b, double angle) {
  double value = INFINITY;
  memset(sweep->direction, 0, sweep->n * sizeof(double));
  sweep->direction[b] = sin(angle);
  sweep->direction[a] = cos(angle);
  thud_error error = thud_set_support(sweep->set, sweep->direction, &value, sweep->point, NULL);
  return error == THUD_OK ? value : INFINITY;
}

static double angle_of(int k) { return 2 * acos(-1.0) * k / DIRECTIONS; }

/* Corners where the support is attained; false: the set has no bounds. */
static bool outline_bounded(sweeping_view *sweep, size_t a, size_t b, polygon *p) {
  p->count = 0;
  for (int k = 0; k < DIRECTIONS; k++) {
    if (!isfinite(support(sweep, a, b, angle_of(k)))) return false;
    add_corner(p, sweep->point[a], sweep->point[b]);
  }
  return true;
}

/* A set of the plane without bounds: what the points around a box twice as large are projected to, within the box. */
static void outline_projected(sweeping_view *sweep, polygon *p) {
  const double *low = sweep->low, *high = sweep->high;
  double x[2], y[2], middle[2] = {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])};
  static const double corner[5][2] = {{1, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  p->count = 0;
  for (int side = 0; side < 4; side++)
    for (int k = 0; k < SIDE_POINTS; k++) {
      for (int c = 0; c < 2; c++) {
        double part = (double)k / SIDE_POINTS;
        x[c] = middle[c] + ((1 - part) * corner[side][c] + part * corner[side + 1][c]) * (high[c] - low[c]);
      }
      if (thud_set_project(sweep->set, NULL, x, y, NULL) == THUD_OK) add_corner(p, y[0], y[1]);
    }
  cut_to_box(sweep, 0, 1, p);
}

/* The same of a projection: the box, cut in the directions in which there are bounds. */
static void outline_cut(sweeping_view *sweep, size_t a, size_t b, polygon *p) {
  const double *low = sweep->low, *high = sweep->high;
  p->count = 0;
  add_corner(p, low[a], low[b]);
  add_corner(p, high[a], low[b]);
  add_corner(p, high[a], high[b]);
  add_corner(p, low[a], high[b]);
  for (int k = 0; k < DIRECTIONS; k++) {
    double value = support(sweep, a, b, angle_of(k));
    if (isfinite(value)) cut(p, cos(angle_of(k)), sin(angle_of(k)), value);
  }
}

static void find_outline(sweeping_view *sweep, size_t a, size_t b, polygon *p) {
  if (outline_bounded(sweep, a, b, p)) return;
  if (sweep->n == 2)
    outline_projected(sweep, p);
  else
    outline_cut(sweep, a, b, p);
}

/* ---- the set and the box ----------------------------------------------------------------------------------------- */

/* At the state that is shown. */
static void place(sweeping_view *sweep, double t, thud_side side) {
  if (sweep->view.error == THUD_OK) thud_sweeping_at_state(sweep->built, sweep->state);
  thud_moving_set moving = thud_sweeping_scene_set(sweep->built);
  moving.set = sweep->set;
  if (sweep->view.error == THUD_OK) sweep->view.error = thud_moving_set_place(&moving, t, side, sweep->parameters);
}

static void make_box(sweeping_view *sweep) {
  double widest = 0, largest = 0;
  thud_view_range(&sweep->view, "state", sweep->n, sweep->low, sweep->high);
  for (size_t i = 0; sweep->view.error == THUD_OK && i < sweep->n; i++) {
    widest = fmax(widest, sweep->high[i] - sweep->low[i]);
    largest = fmax(largest, fmax(fabs(sweep->low[i]), fabs(sweep->high[i])));
  }
  double margin = widest > 0 ? 0.6 * widest : largest > 0 ? 0.6 * largest : 1;
  for (size_t i = 0; sweep->view.error == THUD_OK && i < sweep->n; i++) {
    sweep->low[i] -= margin;
    sweep->high[i] += margin;
  }
}

static void begin(sweeping_view *sweep) {
  thud_view *view = &sweep->view;
  sweep->parameters = thud_view_array(view, thud_set_parameter_count(sweep->built->set));
  sweep->direction = thud_view_array(view, sweep->n);
  sweep->point = thud_view_array(view, sweep->n);
  sweep->low = thud_view_array(view, sweep->n);
  sweep->high = thud_view_array(view, sweep->n);
  if (view->error == THUD_OK) view->error = thud_set_clone(view->context, sweep->built->set, &sweep->set);
  if (view->error == THUD_OK) view->error = thud_set_set_tolerance(sweep->set, seen_tolerance, MOST_ITERATIONS);
  sweep->state = thud_view_values(view, "state", sweep->n);
  place(sweep, view->t, view->side);
  make_box(sweep);
  sweep->reaction = thud_view_values(view, "reaction", sweep->n);
}

/* ---- panels ------------------------------------------------------------------------------------------------------ */

/* An arrow from the limit before to the one after each jump up to now. */
static void draw_jumps(sweeping_view *sweep, size_t a, size_t b) {
  enum { MOST = 200 };
  thud_view *view = &sweep->view;
  size_t rows = thud_record_reader_info(view->reader).rows[THUD_RECORD_EVENTS], count = 0, before, after;
  thud_error known = thud_record_find_channel(view->reader, THUD_RECORD_EVENTS, "before", &before);
  if (known == THUD_OK) known = thud_record_find_channel(view->reader, THUD_RECORD_EVENTS, "after", &after);
  double *arrows = thud_view_array(view, 4 * (rows < MOST ? rows : MOST));
  for (size_t k = 0; known == THUD_OK && arrows != NULL && k < rows && count < MOST; k++) {
    thud_record_cell time, from, to;
    view->error = thud_record_read_cell(view->reader, THUD_RECORD_EVENTS, 0, k, &time);
    if (view->error != THUD_OK || time.values[0] > view->t) break;
    if (time.values[0] == view->t && view->side == THUD_SIDE_LEFT) break;
    view->error = thud_record_read_cell(view->reader, THUD_RECORD_EVENTS, before, k, &from);
    if (view->error == THUD_OK) view->error = thud_record_read_cell(view->reader, THUD_RECORD_EVENTS, after, k, &to);
    if (view->error != THUD_OK || from.count != sweep->n || to.count != sweep->n) break;
    const double arrow[4] = {from.values[a], from.values[b], to.values[a] - from.values[a],
                             to.values[b] - from.values[b]};
    memcpy(arrows + 4 * count++, arrow, sizeof arrow);
  }
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_ARROW, .paint = THUD_PAINT_TRACE, .dashed = true, .label = "jump"},
                 count, arrows);
}

static void draw_point(sweeping_view *sweep, size_t a, size_t b) {
  thud_view *view = &sweep->view;
  const size_t components[2] = {a, b};
  size_t count;
  const double *trace = thud_view_trace(view, "state", sweep->n, components, &count);
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_LINE, .paint = THUD_PAINT_TRACE, .label = "where it has been"},
                 count, trace);
  draw_jumps(sweep, a, b);
  if (view->error != THUD_OK) return;
  const double point[2] = {sweep->state[a], sweep->state[b]};
  thud_view_arrow(view, (thud_mark){.paint = THUD_PAINT_FORCE, .label = "reaction (density)"}, point[0], point[1],
                  sweep->reaction[a], sweep->reaction[b]);
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_POINTS, .paint = THUD_PAINT_BODY, .label = "u"}, 1, point);
}

/* Filled and with its edge, which is all that is seen of segments and lines. */
static void draw_area(thud_view *view, const char *label, size_t count, double *points) {
  const thud_mark area = {
      .kind = THUD_MARK_AREA, .paint = THUD_PAINT_SET, .filled = true, .opacity = 0.6, .label = label};
  thud_view_mark(view, area, count, points);
  double *edge = thud_view_array(view, 2 * count + 2);
  for (size_t k = 0; edge != NULL && count > 0 && k < 2 * count + 2; k++) edge[k] = points[k % (2 * count)];
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_LINE, .paint = THUD_PAINT_SET}, count > 0 ? count + 1 : 0, edge);
}

static void draw_pair(sweeping_view *sweep, size_t a, size_t b) {
  const thud_scene *scene = sweep->scene;
  thud_view *view = &sweep->view;
  polygon outline = {0};
  thud_view_panel(view, (thud_drawing_panel){.title = sweep->n > 2 ? "projection of the moving set" : "moving set",
                                             .x_label = scene->coordinates[a],
                                             .x_unit = scene->units[a],
                                             .y_label = scene->coordinates[b],
                                             .y_unit = scene->units[b],
                                             .axes = true});
  if (view->error == THUD_OK) find_outline(sweep, a, b, &outline);
  draw_area(view, "C(t)", outline.count, outline.points);
  draw_point(sweep, a, b);
}

/* The interval of a coordinate; where it has no bound, up to the box. */
static void interval(sweeping_view *sweep, size_t a, double ends[2]) {
  double up = support(sweep, a, a, 0), down = support(sweep, a, a, acos(-1.0));
  ends[1] = isfinite(up) ? up : sweep->high[a];
  ends[0] = isfinite(down) ? -down : sweep->low[a];
}

/* Both ends of the interval at a time. */
static void add_time(sweeping_view *sweep, size_t a, double t, thud_side side, polygon *low, polygon *high) {
  double ends[2];
  place(sweep, t, side);
  if (sweep->view.error != THUD_OK) return;
  interval(sweep, a, ends);
  add_corner(low, t, ends[0]);
  add_corner(high, t, ends[1]);
}

/* C over all times as a strip: the lower ends, then the upper ones backwards. */
static void find_strip(sweeping_view *sweep, size_t a, polygon *low, polygon *high) {
  const thud_scene *scene = sweep->scene;
  const scene_times *found = &sweep->built->numbers.jumps;
  size_t jump = 0, jumps = found->count < TIMES / 4 ? found->count : 0;
  const int steps = TIMES / 2;
  for (int k = 0; k <= steps; k++) {
    double t = scene->start + (scene->end - scene->start) * k / steps;
    for (; jump < jumps && found->items[jump] <= t; jump++) {
      add_time(sweep, a, found->items[jump], THUD_SIDE_LEFT, low, high);
      add_time(sweep, a, found->items[jump], THUD_SIDE_RIGHT, low, high);
    }
    add_time(sweep, a, t, k == TIMES / 2 ? THUD_SIDE_VALUE : THUD_SIDE_RIGHT, low, high);
  }
}

/* A coordinate alone: the strip, in it a bar that is the set now, and the point. */
static void draw_over_time(sweeping_view *sweep, size_t a) {
  thud_view *view = &sweep->view;
  polygon low = {0}, high = {0};
  double now[2] = {0, 0};
  size_t count = 0;
  thud_view_panel(view, (thud_drawing_panel){.title = "moving set over the time",
                                             .x_label = "t",
                                             .x_unit = sweep->scene->time_unit,
                                             .y_label = sweep->scene->coordinates[a],
                                             .y_unit = sweep->scene->units[a],
                                             .stretched = true,
                                             .axes = true});
  if (view->error == THUD_OK) interval(sweep, a, now);
  if (!sweep->built->set_follows) find_strip(sweep, a, &low, &high); /* at other times it is another one */
  double *strip = thud_view_array(view, 2 * (low.count + high.count));
  if (strip == NULL) return;
  memcpy(strip, low.points, 2 * low.count * sizeof(double));
  for (size_t k = 0; k < high.count; k++)
    memcpy(strip + 2 * (low.count + k), high.points + 2 * (high.count - 1 - k), 2 * sizeof(double));
  draw_area(view, "C at all times", low.count + high.count, strip);
  const double bar[4] = {view->t, now[0], view->t, now[1]}, point[2] = {view->t, sweep->state[a]};
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_LINE, .paint = THUD_PAINT_SET, .width = 4, .label = "C(t)"}, 2,
                 bar);
  const double *trace = thud_view_trace(view, "state", sweep->n, (const size_t[]){THUD_VIEW_TIME, a}, &count);
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_LINE, .paint = THUD_PAINT_TRACE, .label = "where it has been"},
                 count, trace);
  thud_view_arrow(view, (thud_mark){.paint = THUD_PAINT_FORCE, .label = "reaction (density)"}, point[0], point[1], 0,
                  sweep->reaction[a]);
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_POINTS, .paint = THUD_PAINT_BODY, .label = "u"}, 1, point);
}

thud_error thud_view_sweeping(const sweeping_scene *built, thud_moment *moment, thud_drawing *drawing) {
  const thud_scene *scene = built->scene;
  sweeping_view sweep = {
      .view = thud_view_begin(scene, moment, drawing), .built = built, .scene = scene, .n = (size_t)scene->dimension};
  begin(&sweep);
  size_t pairs = sweep.n / 2 < MOST_PAIRS ? sweep.n / 2 : MOST_PAIRS;
  for (size_t k = 0; k < pairs && sweep.view.error == THUD_OK; k++) draw_pair(&sweep, 2 * k, 2 * k + 1);
  if (sweep.n % 2 == 1 && pairs < MOST_PAIRS && sweep.view.error == THUD_OK) draw_over_time(&sweep, sweep.n - 1);
  thud_set_destroy(sweep.set);
  return thud_view_end(&sweep.view);
}
