/* What a punch on a half-plane looks like: the punch over the surface, both as deep as they are (the scales of x and of the
 * depth are their own), the forces on it, and below that pressure and traction over x with the zones of stick and slip.
 *
 * With the displacement u into the solid, gap = u - depth + g0 + tilt (x - pivot): the record's gap, depth and tilt give the
 * surface -u and the punch -(depth - g0 - tilt (x - pivot)). Tractions are constant in each element, so that the areas drawn
 * are the forces P and Q, unless the title says that they are cut. */
#include "drawing/singular.h"
#include "kinds/half_plane/half_plane_scene.h"
#include "run/run_view.h"

#include <math.h>

enum { BACKWARD, STICK, FORWARD, OPEN }; /* numbers of the channel `mode` */
enum { DEPTH, SHIFT, TILT };

typedef struct punch_view {
  thud_view view;
  const punch_scene *built;
  size_t n;
  const double *load, *motion, *gap, *pressure, *traction; /* at the moment */
  const double *mode;                                      /* [n] of the step that the moment lies in */
  double cut;                                              /* tractions beyond it are not shown; over the record */
  double deepest, highest;                                 /* range of what is drawn of the punch, over the record */
} punch_view;

/* Height of the punch over the surface at rest. */
static double punch_at(const punch_view *punch, size_t i) {
  const double *motion = punch->motion;
  return -(motion[DEPTH] - punch->built->gap[i] - motion[TILT] * (punch->built->x[i] - punch->built->drive.pivot));
}

/* Pressures at the ends of flat punches have no bound, and grow as the elements there shrink; peaks elsewhere are finite
 * and shown. Over the record, so that the scale stays. */
static void find_cut(punch_view *punch) {
  double *low = thud_view_array(&punch->view, punch->n), *high = thud_view_array(&punch->view, punch->n);
  thud_view_range(&punch->view, "pressure", punch->n, low, high);
  punch->cut = punch->view.error == THUD_OK ? thud_singular_bound(punch->n, punch->built->x, high) : INFINITY;
}

static void begin(punch_view *punch) {
  thud_view *view = &punch->view;
  double low[PUNCH_DRIVES] = {0}, high[PUNCH_DRIVES] = {0};
  size_t before, after;
  punch->load = thud_view_values(view, "load", PUNCH_DRIVES);
  punch->motion = thud_view_values(view, "motion", PUNCH_DRIVES);
  punch->gap = thud_view_values(view, "gap", punch->n);
  punch->pressure = thud_view_values(view, "pressure", punch->n);
  punch->traction = thud_view_values(view, "traction", punch->n);
  thud_view_step(view, &before, &after);
  punch->mode = thud_view_row(view, "mode", punch->n, after);
  thud_view_range(view, "load", PUNCH_DRIVES, low, high);
  find_cut(punch);
  thud_view_range(view, "motion", PUNCH_DRIVES, low, high);
  if (view->error != THUD_OK) return;
  punch->deepest = INFINITY;
  punch->highest = -INFINITY;
  for (size_t i = 0; i < punch->n; i++) {
    double arm = punch->built->x[i] - punch->built->drive.pivot, gap = punch->built->gap[i];
    double tilted[2] = {low[TILT] * arm, high[TILT] * arm};
    punch->deepest = fmin(punch->deepest, gap - high[DEPTH] + fmin(tilted[0], tilted[1]));
    punch->highest = fmax(punch->highest, gap - low[DEPTH] + fmax(tilted[0], tilted[1]));
  }
}

static double height_of(const punch_view *punch) {
  double range = punch->highest - punch->deepest, size = fmax(fabs(punch->highest), fabs(punch->deepest));
  return range > 0 ? range : size > 0 ? size : 1;
}

/* ---- the punch and the surface --------------------------------------------------------------------------------------- */

/* The area between n points of a curve and a level. */
static void draw_body(punch_view *punch, double (*curve)(const punch_view *, size_t), double level, thud_mark mark) {
  thud_view *view = &punch->view;
  size_t n = punch->n;
  double *points = thud_view_array(view, 2 * n + 4);
  if (points == NULL) return;
  for (size_t i = 0; i < n; i++) {
    points[2 * i] = punch->built->x[i];
    points[2 * i + 1] = curve(punch, i);
  }
  points[2 * n] = punch->built->x[n - 1];
  points[2 * n + 2] = punch->built->x[0];
  points[2 * n + 1] = points[2 * n + 3] = level;
  mark.kind = THUD_MARK_AREA;
  mark.filled = true;
  thud_view_mark(view, mark, n + 2, points);
  mark.label = NULL;
  mark.opacity = 0;
  mark.kind = THUD_MARK_LINE;
  thud_view_mark(view, mark, n, points);
}

static double surface_at(const punch_view *punch, size_t i) { return punch_at(punch, i) - punch->gap[i]; }

/* Elements in contact that stick, or slip, at the heights of a curve (NULL: at 0). */
static void draw_zone(punch_view *punch, bool slips, double (*curve)(const punch_view *, size_t)) {
  thud_view *view = &punch->view;
  size_t count = 0;
  double *points = thud_view_array(view, 2 * punch->n);
  for (size_t i = 0; points != NULL && punch->mode != NULL && i < punch->n; i++) {
    int mode = (int)punch->mode[i];
    if (mode == OPEN || (mode == STICK) == slips) continue;
    points[2 * count] = punch->built->x[i];
    points[2 * count++ + 1] = curve != NULL ? curve(punch, i) : 0;
  }
  thud_view_mark(view,
                 (thud_mark){.kind = THUD_MARK_POINTS,
                             .paint = slips ? THUD_PAINT_SLIP : THUD_PAINT_STICK,
                             .label = slips ? "slips" : "sticks"},
                 count, points);
}

static void draw_punch(punch_view *punch) {
  thud_view *view = &punch->view;
  double height = height_of(punch), top = punch->highest + 0.4 * height;
  double bottom = punch->deepest - 0.5 * height;
  thud_view_panel(view, (thud_drawing_panel){.title = "punch and surface",
                                             .x_label = "x",
                                             .y_label = "height over the surface at rest",
                                             .axes = true,
                                             .stretched = true});
  if (view->error != THUD_OK) return;
  draw_body(punch, surface_at, bottom, (thud_mark){.paint = THUD_PAINT_BODY, .opacity = 0.25, .label = "half-plane"});
  draw_body(punch, punch_at, top, (thud_mark){.paint = THUD_PAINT_OBSTACLE, .opacity = 0.3, .label = "punch"});
  draw_zone(punch, false, surface_at);
  draw_zone(punch, true, surface_at);
  /* two arrows: where the scales differ, one would show no direction */
  double x = punch->built->drive.pivot, y = punch->highest + 0.25 * height;
  thud_view_arrow(view, (thud_mark){.paint = THUD_PAINT_FORCE, .width = 1.3, .label = "force P on the punch"}, x, y, 0,
                  -punch->load[PUNCH_NORMAL]);
  thud_view_arrow(view, (thud_mark){.paint = THUD_PAINT_FORCE, .width = 1.3, .label = "force Q on the punch"}, x, y,
                  punch->load[PUNCH_TANGENTIAL], 0);
}

/* ---- tractions ------------------------------------------------------------------------------------------------------- */

/* A field that is constant in each element, as the steps over x times a factor, back to 0 at both ends: [2 n + 2]. */
static double *steps_of(punch_view *punch, const double *field, double factor) {
  const double *edges = punch->built->edges;
  size_t n = punch->n;
  double *points = thud_view_array(&punch->view, 4 * n + 4);
  for (size_t i = 0; points != NULL && field != NULL && i < n; i++) {
    double *step = points + 2 + 4 * i;
    step[0] = edges[i];
    step[2] = edges[i + 1];
    step[1] = step[3] = fmax(fmin(factor * field[i], punch->cut), -punch->cut);
  }
  if (points == NULL) return NULL;
  points[0] = edges[0];
  points[4 * n + 2] = edges[n];
  return points;
}

/* Whether something of this moment is cut: the cut is that of the whole motion. */
static bool is_cut(const punch_view *punch) {
  const double *fields[2] = {punch->pressure, punch->traction};
  for (size_t k = 0; k < 2; k++)
    for (size_t i = 0; fields[k] != NULL && i < punch->n; i++)
      if (fabs(fields[k][i]) > punch->cut) return true;
  return false;
}

static void draw_tractions(punch_view *punch) {
  thud_view *view = &punch->view;
  size_t count = 2 * punch->n + 2;
  double friction = punch->built->options.friction;
  const char *title = "pressure and traction";
  if (is_cut(punch)) title = thud_view_text(view, "%s, cut at %.3g (no bound at the ends)", title, punch->cut);
  thud_view_panel(view,
                  (thud_drawing_panel){
                      .title = title, .x_label = "x", .y_label = "force per area", .axes = true, .stretched = true});
  thud_view_mark(
      view,
      (thud_mark){
          .kind = THUD_MARK_AREA, .paint = THUD_PAINT_FIELD, .filled = true, .opacity = 0.4, .label = "pressure p"},
      count, steps_of(punch, punch->pressure, 1));
  thud_view_mark(
      view,
      (thud_mark){
          .kind = THUD_MARK_AREA, .paint = THUD_PAINT_FORCE, .filled = true, .opacity = 0.5, .label = "traction q"},
      count, steps_of(punch, punch->traction, 1));
  const thud_mark limit = {.kind = THUD_MARK_LINE, .paint = THUD_PAINT_GUIDE, .dashed = true, .label = "limit F p"};
  bool shown = friction > 0 && friction < 2;
  thud_view_mark(view, limit, shown ? count : 0, steps_of(punch, punch->pressure, friction));
  thud_view_mark(view, limit, shown ? count : 0, steps_of(punch, punch->pressure, -friction));
  draw_zone(punch, false, NULL);
  draw_zone(punch, true, NULL);
}

/* ---- inside ---------------------------------------------------------------------------------------------------------- */

/* Two triangles between each four middles of cells that are neighbours. */
static thud_index *triangles_of(punch_view *punch, size_t nx, size_t ny) {
  size_t next = 0;
  thud_index *corners = thud_arena_alloc(punch->view.arena, 6 * (nx - 1) * (ny - 1), sizeof *corners);
  for (size_t k = 0; corners != NULL && k < (nx - 1) * (ny - 1); k++) {
    thud_index corner = (thud_index)(k / (nx - 1) * nx + k % (nx - 1)), below = corner + (thud_index)nx;
    const thud_index both[6] = {below, below + 1, corner + 1, below, corner + 1, corner};
    for (int c = 0; c < 6; c++) corners[next++] = both[c];
  }
  if (corners == NULL) punch->view.error = THUD_ERROR_MEMORY;
  return corners;
}

/* The largest shear stress over the solid, the depth downwards. */
static void draw_inside(punch_view *punch) {
  thud_view *view = &punch->view;
  const punch_scene *built = punch->built;
  size_t nx = built->cells[0], ny = built->cells[1], count = built->inside_count;
  if (nx < 2 || ny < 2 || view->error != THUD_OK) return;
  thud_view_panel(view,
                  (thud_drawing_panel){.title = "largest shear inside", .x_label = "x", .y_label = "y", .axes = true});
  const double *tau = thud_view_values(view, "tau", count);
  double *points = thud_view_array(view, 3 * count);
  thud_index *corners = view->error == THUD_OK ? triangles_of(punch, nx, ny) : NULL;
  for (size_t k = 0; corners != NULL && tau != NULL && k < count; k++) {
    points[3 * k] = built->inside[2 * k];
    points[3 * k + 1] = -built->inside[2 * k + 1];
    points[3 * k + 2] = tau[k];
  }
  thud_view_mark(view,
                 (thud_mark){.kind = THUD_MARK_SURFACE,
                             .paint = THUD_PAINT_FIELD,
                             .label = "shear",
                             .triangle_count = 2 * (nx - 1) * (ny - 1),
                             .triangles = corners},
                 count, points);
}

thud_error thud_view_half_plane(const punch_scene *built, thud_moment *moment, thud_drawing *drawing) {
  punch_view punch = {.view = thud_view_begin(built->scene, moment, drawing), .built = built, .n = (size_t)built->n};
  begin(&punch);
  draw_punch(&punch);
  draw_tractions(&punch);
  draw_inside(&punch);
  return thud_view_end(&punch.view);
}
