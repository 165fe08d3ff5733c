/* What a string or beam looks like: its shape over the obstacle with the loads, where it sticks and slips, points of it that
 * move along; below it the displacement along the line, and the reaction as a density and atoms. */
#include "kinds/line/line_scene.h"
#include "run/run_view.h"

#include <math.h>
#include <string.h>

enum { MOST_PLACES = 2000, TICKS = 24, LOAD_ARROWS = 9 };

typedef struct line_view {
  thud_view view;
  const line_scene *built;
  size_t n;
  const double *u, *v, *s, *r;    /* [n] */
  const double *before, *after;   /* [n] u at both ends of the step */
  double *psi;                    /* [n] the obstacle now */
  double ground_low, ground_high; /* its range over the run, without the lift */
  double v_low, v_high, reach;    /* over the record: range of v, largest |u| */
} line_view;

static double largest(size_t n, const double *w) {
  double most = 0;
  for (size_t i = 0; w != NULL && i < n; i++) most = fmax(most, fabs(w[i]));
  return most;
}

/* Nodes that are drawn: all, or of very fine lines every so many and the last one. */
static size_t stride_of(const line_view *line) { return 1 + line->n / MOST_PLACES; }
static size_t place_count(const line_view *line) { return (line->n - 2) / stride_of(line) + 2; }
static size_t place(const line_view *line, size_t k) {
  size_t i = k * stride_of(line);
  return i < line->n ? i : line->n - 1;
}

static bool has_obstacle(const line_view *line) { return line->built->has_obstacle; }

/* v at any place of the line: straight between the nodes. */
static double height_at(const line_view *line, double x) {
  const double *places = line->built->x;
  size_t i = 0;
  while (i + 2 < line->n && places[i + 1] < x) i++;
  double part = fmin(fmax((x - places[i]) / (places[i + 1] - places[i]), 0), 1);
  return (1 - part) * line->v[i] + part * line->v[i + 1];
}

/* 1, 2 or 5 times a power of 10, at most x. */
static double round_down(double x) {
  double power = pow(10, floor(log10(x))), digit = x / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

/* How much of u ticks are moved by: so that they go by less than a tenth of the line. */
static double tick_scale(const line_view *line) {
  double length = line->built->x[line->n - 1] - line->built->x[0];
  return line->reach > 0 ? fmin(round_down(0.1 * length / line->reach), 1) : 1;
}

/* The obstacle now, and its range: of one that moves at a few times of the run. */
static void place_obstacle(line_view *line, double lift) {
  enum { LOOKS = 33 };
  const line_scene *built = line->built;
  const scene_field *field = &built->obstacle_field;
  thud_view *view = &line->view;
  line->psi = thud_view_array(view, line->n);
  line->ground_low = INFINITY;
  line->ground_high = -INFINITY;
  if (view->error != THUD_OK || !has_obstacle(line)) return;
  int looks = field->moves ? LOOKS : 0;
  for (int k = 0; k <= looks && view->error == THUD_OK; k++) {
    double t = built->scene->start + (built->scene->end - built->scene->start) * k / (LOOKS - 1);
    bool now = k == looks;
    view->error = thud_line_scene_field(built, field, now ? view->t : t, now ? view->side : THUD_SIDE_VALUE, line->psi);
    for (size_t i = 0; i < line->n; i++) {
      line->ground_low = fmin(line->ground_low, line->psi[i]);
      line->ground_high = fmax(line->ground_high, line->psi[i]);
    }
  }
  for (size_t i = 0; i < line->n; i++) line->psi[i] += lift;
}

static void begin(line_view *line) {
  thud_view *view = &line->view;
  size_t n = line->n, first, last;
  double *low = thud_view_array(view, n), *high = thud_view_array(view, n);
  double lift = thud_scene_value_at(line->built->scene, &line->built->values.items[LINE_LIFT], view->t, view->side);
  line->u = thud_view_values(view, "u", n);
  line->v = thud_view_values(view, "v", n);
  line->s = thud_view_values(view, "s", n);
  line->r = thud_view_values(view, "r", n);
  thud_view_step(view, &first, &last);
  line->before = thud_view_row(view, "u", n, first);
  line->after = thud_view_row(view, "u", n, last);
  place_obstacle(line, lift);
  thud_view_range(view, "u", n, low, high);
  if (view->error == THUD_OK) line->reach = fmax(largest(n, low), largest(n, high));
  thud_view_range(view, "v", n, low, high);
  for (size_t i = 0; view->error == THUD_OK && i < n; i++) {
    line->v_low = fmin(line->v_low, low[i]);
    line->v_high = fmax(line->v_high, high[i]);
  }
}

/* ---- the shape ------------------------------------------------------------------------------------------------------- */

/* A height that loads and the ground take beside the line. */
static double margin_of(const line_view *line) {
  double low = fmin(line->v_low, line->ground_low), high = fmax(line->v_high, line->ground_high);
  return high > low ? 0.2 * (high - low) : 0.1 * (line->built->x[line->n - 1] - line->built->x[0]);
}

/* The ground from its surface down to a little below its lowest place. */
static void draw_obstacle(line_view *line) {
  thud_view *view = &line->view;
  size_t n = place_count(line);
  double *ground = thud_view_array(view, 2 * n + 4), bottom = INFINITY;
  bool any = has_obstacle(line);
  for (size_t k = 0; ground != NULL && any && k < n; k++) {
    ground[2 * k] = line->built->x[place(line, k)];
    ground[2 * k + 1] = line->psi[place(line, k)];
    bottom = fmin(bottom, ground[2 * k + 1]);
  }
  if (ground != NULL && any) {
    bottom -= 0.5 * margin_of(line);
    const double corners[4] = {ground[2 * n - 2], bottom, ground[0], bottom};
    memcpy(ground + 2 * n, corners, sizeof corners);
  }
  thud_view_mark(
      view,
      (thud_mark){
          .kind = THUD_MARK_AREA, .paint = THUD_PAINT_OBSTACLE, .filled = true, .opacity = 0.3, .label = "obstacle"},
      any ? n + 2 : 0, ground);
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_LINE, .paint = THUD_PAINT_OBSTACLE}, any ? n : 0, ground);
}

static void draw_curve(line_view *line, const double *y, thud_mark mark) {
  size_t n = place_count(line);
  double *points = thud_view_array(&line->view, 2 * n);
  for (size_t k = 0; points != NULL && y != NULL && k < n; k++) {
    points[2 * k] = line->built->x[place(line, k)];
    points[2 * k + 1] = y[place(line, k)];
  }
  mark.kind = THUD_MARK_LINE;
  thud_view_mark(&line->view, mark, n, points);
}

/* Loaded nodes that rest, or that have moved since the row before, at the heights y. */
static void draw_zone(line_view *line, const double *y, bool slips) {
  thud_view *view = &line->view;
  size_t count = 0;
  double *points = thud_view_array(view, 2 * place_count(line));
  double load = 1e-9 * largest(line->n, line->s), least = 1e-12 * largest(line->n, line->after);
  for (size_t k = 0; points != NULL && y != NULL && k < place_count(line); k++) {
    size_t i = place(line, k);
    if (!(line->s[i] > load) || (fabs(line->after[i] - line->before[i]) > least) != slips) continue;
    points[2 * count] = line->built->x[i];
    points[2 * count++ + 1] = y[i];
  }
  thud_view_mark(view,
                 (thud_mark){.kind = THUD_MARK_POINTS,
                             .paint = slips ? THUD_PAINT_SLIP : THUD_PAINT_STICK,
                             .label = slips             ? "slips"
                                      : line->reach > 0 ? "sticks"
                                                        : "touches"},
                 count, points);
}

static void draw_ticks(line_view *line, double scale) {
  thud_view *view = &line->view;
  double points[2 * (TICKS + 1)];
  size_t count = line->n - 1 < TICKS ? line->n - 1 : TICKS;
  if (view->error != THUD_OK) return;
  for (size_t k = 0; k <= count; k++) {
    size_t i = k * (line->n - 1) / count;
    points[2 * k] = line->built->x[i] + scale * line->u[i];
    points[2 * k + 1] = height_at(line, points[2 * k]);
  }
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_POINTS, .paint = THUD_PAINT_BODY, .label = "points of the line"},
                 count + 1, points);
}

/* ---- loads ----------------------------------------------------------------------------------------------------------- */

/* A force above the line (below it when it goes upwards), or along it. */
static void put_load(const line_view *line, const line_load *load, double x, double force, double *arrow) {
  bool across = load->direction == THUD_LINE_TRANSVERSE;
  double aside = across ? (force < 0 ? 1 : -1) * margin_of(line) : 0;
  const double numbers[4] = {x, height_at(line, x) + aside, across ? 0 : force, across ? force : 0};
  memcpy(arrow, numbers, sizeof numbers);
}

static void draw_load(line_view *line, const line_load *load) {
  const line_scene *built = line->built;
  thud_view *view = &line->view;
  double *density = thud_view_array(view, line->n);
  if (view->error == THUD_OK && load->density != NULL)
    view->error = thud_line_scene_field(built, &load->field, view->t, view->side, density);
  double arrows[4 * LOAD_ARROWS], first, force, left = built->x[0], length = built->x[line->n - 1] - left;
  if (view->error != THUD_OK) return;
  first = thud_scene_value_at(built->scene, &built->values.items[load->first], view->t, view->side);
  size_t count = load->density != NULL || load->width > 0 ? LOAD_ARROWS : 1;
  for (size_t k = 0; k < count; k++) {
    double part = ((double)k + 0.5) / (double)count;
    if (load->density != NULL) {
      size_t i = (size_t)(part * (double)(line->n - 1));
      put_load(line, load, built->x[i], first * density[i] * length / (double)count, arrows + 4 * k);
      continue;
    }
    force = thud_scene_value_at(built->scene, &built->values.items[load->first + 1], view->t, view->side);
    put_load(line, load, first + (part - 0.5) * load->width, force / (double)count, arrows + 4 * k);
  }
  for (size_t k = 0; k < 4 * count; k++)
    if (!isfinite(arrows[k])) count = 0;
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_ARROW, .paint = THUD_PAINT_FORCE, .label = "load"}, count, arrows);
}

static void draw_shape(line_view *line) {
  thud_view *view = &line->view;
  double scale = view->error == THUD_OK ? tick_scale(line) : 1;
  const char *title = line->built->kind == THUD_LINE_BEAM ? "beam" : "string";
  if (line->reach > 0 && scale != 1) title = thud_view_text(view, "%s (dots: u x %g)", title, scale);
  thud_view_panel(
      view, (thud_drawing_panel){.title = title, .x_label = "x", .y_label = "v", .axes = true, .stretched = true});
  draw_obstacle(line);
  draw_curve(line, line->v, (thud_mark){.paint = THUD_PAINT_BODY, .width = 1.3, .label = "v"});
  draw_zone(line, line->v, false);
  if (line->reach > 0) {
    draw_zone(line, line->v, true);
    draw_ticks(line, scale);
  }
  for (size_t k = 0; k < line->built->load_count; k++) draw_load(line, &line->built->loads[k]);
}

/* ---- along the line, and the reaction -------------------------------------------------------------------------------- */

static void draw_along(line_view *line) {
  thud_view_panel(
      &line->view,
      (thud_drawing_panel){
          .title = "displacement along it", .x_label = "x", .y_label = "u", .axes = true, .stretched = true});
  draw_curve(line, line->u, (thud_mark){.paint = THUD_PAINT_BODY, .width = 1.3, .label = "u"});
  draw_zone(line, line->u, false);
  draw_zone(line, line->u, true);
}

/* s as a density over x, whose area is its part of the force, and an arrow for each atom. */
static void draw_reaction(line_view *line) {
  thud_view *view = &line->view;
  size_t n = line->n, shown = place_count(line), count = 0;
  thud_view_panel(view,
                  (thud_drawing_panel){
                      .title = "reaction", .x_label = "x", .y_label = "s per length", .axes = true, .stretched = true});
  double *density = thud_view_array(view, n), *area = thud_view_array(view, 2 * shown + 4);
  thud_line_atom *atoms = view->error == THUD_OK ? thud_arena_alloc(view->arena, n, sizeof *atoms) : NULL;
  if (view->error == THUD_OK)
    view->error =
        atoms != NULL ? thud_line_measure(line->built->line, line->s, density, atoms, &count) : THUD_ERROR_MEMORY;
  double *arrows = thud_view_array(view, 4 * count);
  if (arrows == NULL) return;
  for (size_t k = 0; k < shown; k++) {
    area[2 * k] = line->built->x[place(line, k)];
    area[2 * k + 1] = density[place(line, k)];
  }
  area[2 * shown] = line->built->x[n - 1];
  area[2 * shown + 2] = line->built->x[0];
  for (size_t k = 0; k < count; k++) {
    arrows[4 * k] = atoms[k].x;
    arrows[4 * k + 3] = atoms[k].force;
  }
  const thud_mark field = {
      .kind = THUD_MARK_AREA, .paint = THUD_PAINT_FIELD, .filled = true, .opacity = 0.5, .label = "density of s"};
  thud_view_mark(view, field, shown + 2, area);
  for (size_t i = 0; i < n; i++) density[i] = line->s[i] > 0 ? density[i] * line->r[i] / line->s[i] : 0;
  if (line->built->problem.friction > 0)
    draw_curve(line, density, (thud_mark){.paint = THUD_PAINT_SLIP, .label = "friction per length"});
  thud_view_mark(view,
                 (thud_mark){.kind = THUD_MARK_ARROW, .paint = THUD_PAINT_FORCE, .width = 1.3, .label = "atom of s"},
                 count, arrows);
}

thud_error thud_view_line(const line_scene *built, thud_moment *moment, thud_drawing *drawing) {
  line_view line = {.view = thud_view_begin(built->scene, moment, drawing), .built = built, .n = (size_t)built->n};
  begin(&line);
  draw_shape(&line);
  if (line.reach > 0) draw_along(&line); /* over the whole record: the same at every moment */
  draw_reaction(&line);
  return thud_view_end(&line.view);
}
