/* What a membrane or plate looks like: its shape in space over the obstacle, with heights drawn larger than they are so that
 * they are seen, and its reaction on the mesh in the plane, with the nodes that touch, stick and slip. */
#include "kinds/surface/surface_scene.h"
#include "run/run_view.h"

#include <math.h>
#include <string.h>

enum { MOST_DOTS = 1500, MOST_ARROWS = 250 };
enum { APART, TOUCHES, SLIPS }; /* numbers of the channel `status` */
enum { REACTION, AREA, LOWEST, HIGHEST, FIGURES };

typedef struct surface_view {
  thud_view view;
  const surface_scene *built;
  thud_mesh_definition mesh;
  size_t n;
  const double *v, *s, *u, *r; /* [n], [n], [2n], [2n]; the last two NULL when nothing moves in the plane */
  const double *status;        /* [n] of the step that the moment lies in */
  double low, high, size;      /* range of v over the record, and how large the mesh is */
  double scale;                /* of heights */
} surface_view;

/* 1, 2 or 5 times a power of 10, about x. */
static double round_number(double x) {
  double power = pow(10, floor(log10(x))), digit = x / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

/* Heights take about a quarter of the mesh's size. */
static void find_scale(surface_view *surface) {
  double low[FIGURES], high[FIGURES], box[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  thud_view_range(&surface->view, "contact", FIGURES, low, high);
  if (surface->view.error != THUD_OK) return;
  surface->low = low[LOWEST];
  surface->high = high[HIGHEST];
  for (size_t k = 0; k < 2 * surface->n; k++) {
    box[k % 2] = fmin(box[k % 2], surface->mesh.xy[k]);
    box[2 + k % 2] = fmax(box[2 + k % 2], surface->mesh.xy[k]);
  }
  surface->size = hypot(box[2] - box[0], box[3] - box[1]);
  double range = surface->high - surface->low;
  surface->scale = range > 0 ? round_number(0.25 * surface->size / range) : 1;
  if (surface->scale > 0.4 && surface->scale < 1.5) surface->scale = 1;
}

static void begin(surface_view *surface) {
  thud_view *view = &surface->view;
  size_t before, after, n = surface->n;
  find_scale(surface);
  thud_view_step(view, &before, &after);
  surface->v = thud_view_straight(view, "v", n);
  surface->s = thud_view_straight(view, "s", n);
  surface->status = thud_view_row(view, "status", n, after);
  if (!surface->built->plane) return;
  surface->u = thud_view_straight(view, "u", 2 * n);
  surface->r = thud_view_straight(view, "r", 2 * n);
}

/* ---- in space -------------------------------------------------------------------------------------------------------- */

static thud_mark mesh_mark(const surface_view *surface, const char *label) {
  return (thud_mark){.kind = THUD_MARK_SURFACE,
                     .paint = THUD_PAINT_FIELD,
                     .label = label,
                     .triangle_count = (size_t)surface->mesh.triangles,
                     .triangles = surface->mesh.triangle};
}

/* Dots of the obstacle, no deeper than half the heights below the lowest v: it may go down without end. */
static void draw_obstacle(surface_view *surface) {
  thud_view *view = &surface->view;
  const surface_scene *built = surface->built;
  double lift = thud_scene_value_at(built->scene, &built->values.items[SURFACE_LIFT], view->t, view->side);
  double deepest = surface->low - 0.5 * fmax(surface->high - surface->low, 0.1 * surface->size);
  size_t stride = 1 + surface->n / MOST_DOTS, count = 0;
  double *dots = thud_view_array(view, 3 * surface->n), *obstacle = thud_view_array(view, surface->n);
  if (view->error == THUD_OK) view->error = thud_surface_scene_obstacle(built, view->t, view->side, obstacle);
  for (size_t i = 0; view->error == THUD_OK && i < surface->n; i++) {
    double height = obstacle[i] + lift;
    bool pin = isfinite(height) && !isfinite(obstacle[i > 0 ? i - 1 : i + 1]);
    if ((i % stride != 0 && !pin) || !(height >= deepest)) continue;
    const double dot[3] = {surface->mesh.xy[2 * i], surface->mesh.xy[2 * i + 1], surface->scale * height};
    memcpy(dots + 3 * count++, dot, sizeof dot);
  }
  thud_view_mark(
      view, (thud_mark){.kind = THUD_MARK_POINTS, .paint = THUD_PAINT_OBSTACLE, .opacity = 0.5, .label = "obstacle"},
      count, dots);
}

/* Point loads, on the nodes next to them. */
static void draw_points(surface_view *surface) {
  const surface_scene *built = surface->built;
  thud_view *view = &surface->view;
  double *dots = thud_view_array(view, 3 * built->point_count);
  for (size_t k = 0; dots != NULL && surface->v != NULL && k < built->point_count; k++) {
    double point[3], best = INFINITY;
    thud_surface_scene_point(built, k, view->t, view->side, point);
    memcpy(dots + 3 * k, point, 2 * sizeof *dots);
    for (size_t i = 0; i < surface->n; i++) {
      double distance = hypot(surface->mesh.xy[2 * i] - point[0], surface->mesh.xy[2 * i + 1] - point[1]);
      if (!(distance < best)) continue;
      best = distance;
      dots[3 * k + 2] = surface->scale * surface->v[i];
    }
  }
  thud_view_mark(view,
                 (thud_mark){.kind = THUD_MARK_POINTS, .paint = THUD_PAINT_FORCE, .width = 3, .label = "point load"},
                 surface->v != NULL ? built->point_count : 0, dots);
}

static void draw_shape(surface_view *surface) {
  thud_view *view = &surface->view;
  const char *name = thud_surface_sections[surface->built->kind];
  const char *title = surface->scale == 1 ? name : thud_view_text(view, "%s, deflection x %g", name, surface->scale);
  thud_view_panel(view, (thud_drawing_panel){.title = title, .space = true});
  draw_obstacle(surface);
  double *points = thud_view_array(view, 4 * surface->n);
  for (size_t i = 0; points != NULL && surface->v != NULL && i < surface->n; i++) {
    points[4 * i] = surface->mesh.xy[2 * i];
    points[4 * i + 1] = surface->mesh.xy[2 * i + 1];
    points[4 * i + 2] = surface->scale * surface->v[i];
    points[4 * i + 3] = surface->v[i];
  }
  thud_view_mark(view, mesh_mark(surface, "deflection v"), surface->n, points);
  if (surface->built->point_count > 0) draw_points(surface);
}

/* ---- in the plane ---------------------------------------------------------------------------------------------------- */

/* Where a node is: moved in the plane, if that is computed. */
static void place_of(const surface_view *surface, size_t i, double place[2]) {
  for (size_t c = 0; c < 2; c++)
    place[c] = surface->mesh.xy[2 * i + c] + (surface->u != NULL ? surface->u[2 * i + c] : 0);
}

static void draw_status(surface_view *surface, int status, thud_mark mark) {
  thud_view *view = &surface->view;
  size_t count = 0, stride = 1 + surface->n / MOST_DOTS;
  double *dots = thud_view_array(view, 2 * surface->n);
  for (size_t i = 0; dots != NULL && surface->status != NULL && i < surface->n; i++)
    if ((int)surface->status[i] == status && i % stride == 0) place_of(surface, i, dots + 2 * count++);
  mark.kind = THUD_MARK_POINTS;
  thud_view_mark(view, mark, count, dots);
}

/* Friction on nodes, thinned where there are many. */
static void draw_friction(surface_view *surface) {
  thud_view *view = &surface->view;
  size_t count = 0, stride = 1 + surface->n / MOST_ARROWS;
  double *arrows = thud_view_array(view, 4 * (surface->n / stride + 1));
  for (size_t i = 0; arrows != NULL && surface->r != NULL && i < surface->n; i += stride) {
    const double *r = surface->r + 2 * i;
    if (r[0] == 0 && r[1] == 0) continue;
    place_of(surface, i, arrows + 4 * count);
    memcpy(arrows + 4 * count++ + 2, r, 2 * sizeof(double));
  }
  thud_view_mark(view, (thud_mark){.kind = THUD_MARK_ARROW, .paint = THUD_PAINT_FORCE, .label = "friction"}, count,
                 arrows);
}

static void draw_reaction(surface_view *surface) {
  thud_view *view = &surface->view;
  const double *area = thud_surface_areas(surface->built->surface);
  thud_view_panel(view, (thud_drawing_panel){.title = "reaction", .x_label = "x", .y_label = "y", .axes = true});
  double *points = thud_view_array(view, 3 * surface->n);
  for (size_t i = 0; points != NULL && surface->s != NULL && i < surface->n; i++) {
    points[3 * i] = surface->mesh.xy[2 * i];
    points[3 * i + 1] = surface->mesh.xy[2 * i + 1];
    points[3 * i + 2] = surface->s[i] / area[i];
  }
  thud_view_mark(view, mesh_mark(surface, "s per area"), surface->n, points);
}

/* What the nodes do, where they have gone in the plane. */
static void draw_contact(surface_view *surface) {
  thud_view *view = &surface->view;
  thud_view_panel(view,
                  (thud_drawing_panel){.title = "contact", .x_label = "x + u_x", .y_label = "y + u_y", .axes = true});
  draw_status(surface, APART, (thud_mark){.paint = THUD_PAINT_GUIDE, .opacity = 0.4, .label = "apart"});
  draw_status(surface, TOUCHES, (thud_mark){.paint = THUD_PAINT_STICK, .label = "sticks"});
  draw_status(surface, SLIPS, (thud_mark){.paint = THUD_PAINT_SLIP, .label = "slips"});
  draw_friction(surface);
}

thud_error thud_view_surface(const surface_scene *built, thud_moment *moment, thud_drawing *drawing) {
  surface_view surface = {.view = thud_view_begin(built->scene, moment, drawing),
                          .built = built,
                          .mesh = thud_mesh_get(built->mesh),
                          .n = (size_t)built->n};
  begin(&surface);
  draw_shape(&surface);
  draw_reaction(&surface);
  if (built->plane) draw_contact(&surface);
  return thud_view_end(&surface.view);
}
