/* What a solid looks like: the deformed mesh, coloured by the von Mises stress, with the obstacles; in the plane below that pressure and
 * friction over the contact, with the zones of stick and slip. Displacements are drawn larger than they are so that they are seen. */
#include "kinds/solid/solid_scene.h"
#include "run/run_view.h"

#include <math.h>
#include <string.h>

enum { OPEN, STICK }; /* numbers of the channel `mode`; others slip */
enum { DISPLACEMENT = 2, MOST_FIGURES = 7 };

typedef struct solid_picture {
  thud_view view;
  const solid_scene *built;
  size_t d, nodes;
  const double *u, *direct, *shear, *r, *mode; /* the last two NULL without contacts */
  double low[3], high[3], size, scale;
} solid_picture;

/* 1, 2 or 5 times a power of 10, at most x. */
static double round_down(double x) {
  double power = pow(10, floor(log10(x))), digit = x / power;
  return power * (digit < 2 ? 1 : digit < 5 ? 2 : 5);
}

/* The largest displacement of the record is seen as at least a thirtieth of the solid's size. */
static void find_scale(solid_picture *solid) {
  double low[MOST_FIGURES] = {0}, high[MOST_FIGURES] = {0};
  thud_view_range(&solid->view, "figures", 4 + solid->d, low, high);
  double seen = high[DISPLACEMENT] > 0 ? solid->size / 30 / high[DISPLACEMENT] : 1;
  solid->scale = seen > 1 ? round_down(seen) : 1;
}

static void begin(solid_picture *solid) {
  thud_view *view = &solid->view;
  size_t before, after, c = (size_t)solid->built->touch.contacts;
  for (size_t k = 0; k < 3; k++) solid->low[k] = INFINITY, solid->high[k] = -INFINITY;
  for (size_t i = 0; i < solid->d * solid->nodes; i++) {
    double x = solid->built->view.place[i];
    solid->low[i % solid->d] = fmin(solid->low[i % solid->d], x);
    solid->high[i % solid->d] = fmax(solid->high[i % solid->d], x);
  }
  for (size_t k = 0; k < solid->d; k++) solid->size = fmax(solid->size, solid->high[k] - solid->low[k]);
  find_scale(solid);
  solid->u = thud_view_straight(view, "u", solid->d * solid->nodes);
  solid->direct = thud_view_straight(view, "stress", 3 * solid->nodes);
  solid->shear = thud_view_straight(view, "shear", (solid->d == 2 ? 1 : 3) * solid->nodes);
  if (c == 0) return;
  thud_view_step(view, &before, &after);
  solid->r = thud_view_straight(view, "r", c * (size_t)solid->built->touch.dimension);
  solid->mode = thud_view_row(view, "mode", c, after);
}

static double mises_at(const solid_picture *solid, size_t i) {
  const double *s = solid->direct + 3 * i;
  double sum = 0, shear = 0;
  for (int k = 0; k < 3; k++) sum += (s[k] - s[(k + 1) % 3]) * (s[k] - s[(k + 1) % 3]) / 2;
  if (solid->d == 2) return sqrt(sum + 3 * solid->shear[i] * solid->shear[i]);
  for (size_t k = 0; k < 3; k++) shear += solid->shear[3 * i + k] * solid->shear[3 * i + k];
  return sqrt(sum + 3 * shear);
}

/* ---- obstacles --------------------------------------------------------------------------------------------------------- */

static void draw_plane(solid_picture *solid, const thud_solid_obstacle *obstacle) {
  thud_view *view = &solid->view;
  const double *n = obstacle->direction, *p = obstacle->point;
  double middle[3] = {0, 0, 0}, along = 0, square = 0, reach = 0.7 * solid->size;
  for (size_t k = 0; k < solid->d; k++) {
    middle[k] = (solid->low[k] + solid->high[k]) / 2;
    along += (middle[k] - p[k]) * n[k];
    square += n[k] * n[k];
  }
  for (size_t k = 0; k < solid->d; k++) middle[k] -= along / square * n[k];
  const thud_mark mark = {.paint = THUD_PAINT_OBSTACLE, .opacity = 0.6, .width = 2, .label = "obstacle"};
  if (solid->d == 2) {
    double x = n[1] / sqrt(square) * reach, y = -n[0] / sqrt(square) * reach;
    const double line[4] = {middle[0] - x, middle[1] - y, middle[0] + x, middle[1] + y};
    thud_mark drawn = mark;
    drawn.kind = THUD_MARK_LINE;
    thud_view_mark(view, drawn, 2, line);
    return;
  }
  int least = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0 : fabs(n[1]) <= fabs(n[2]) ? 1 : 2;
  double a[3], b[3], length = 0, corners[12];
  for (int k = 0; k < 3; k++) a[k] = (k == least) - n[least] * n[k] / square;
  for (int k = 0; k < 3; k++) length += a[k] * a[k];
  for (int k = 0; k < 3; k++) a[k] *= reach / sqrt(length);
  for (int k = 0; k < 3; k++) b[k] = (n[(k + 1) % 3] * a[(k + 2) % 3] - n[(k + 2) % 3] * a[(k + 1) % 3]) / sqrt(square);
  for (int c = 0; c < 4; c++)
    for (int k = 0; k < 3; k++)
      corners[3 * c + k] = middle[k] + (c == 0 || c == 3 ? -1 : 1) * a[k] + (c < 2 ? -1 : 1) * b[k];
  thud_mark drawn = mark;
  drawn.kind = THUD_MARK_AREA;
  drawn.filled = true;
  drawn.opacity = 0.25;
  thud_view_mark(view, drawn, 4, corners);
}

static void draw_obstacle(solid_picture *solid, const thud_solid_obstacle *obstacle) {
  if (obstacle->shape == THUD_OBSTACLE_PLANE) {
    draw_plane(solid, obstacle);
    return;
  }
  if (obstacle->shape != THUD_OBSTACLE_BALL) return;
  double numbers[5];
  memcpy(numbers, obstacle->point, solid->d * sizeof *numbers);
  numbers[solid->d] = fabs(obstacle->radius);
  numbers[solid->d + 1] = NAN;
  thud_view_mark(
      &solid->view,
      (thud_mark){.kind = THUD_MARK_CIRCLE, .paint = THUD_PAINT_OBSTACLE, .opacity = 0.6, .label = "obstacle"}, 1,
      numbers);
}

/* ---- the mesh ---------------------------------------------------------------------------------------------------------- */

/* Triangles in the plane, of second order in four parts. */
static thud_index *plane_triangles(solid_picture *solid, size_t *count) {
  static const int parts[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}}, whole[1][3] = {{0, 1, 2}};
  const thud_solid_mesh_definition *mesh = &solid->built->view;
  size_t pieces = mesh->order == 1 ? 1 : 4, corners = (size_t)thud_solid_mesh_corners(2, mesh->order);
  *count = pieces * (size_t)mesh->elements;
  thud_index *made = THUD_NEW_ARRAY(solid->view.context, thud_index, 3 * *count);
  for (size_t k = 0; made != NULL && k < *count; k++) {
    const int *part = pieces == 1 ? whole[0] : parts[k % pieces];
    for (size_t c = 0; c < 3; c++) made[3 * k + c] = mesh->element[corners * (k / pieces) + (size_t)part[c]];
  }
  return made;
}

static void draw_solid(solid_picture *solid) {
  thud_view *view = &solid->view;
  size_t d = solid->d, count = (size_t)solid->built->view.skins;
  const char *title = solid->scale == 1 ? "solid" : thud_view_text(view, "solid, displacements x %g", solid->scale);
  thud_view_panel(
      view, (thud_drawing_panel){.title = title, .x_label = "x", .y_label = "y", .axes = d == 2, .space = d == 3});
  for (thud_index k = 0; k < solid->built->obstacle_count; k++) draw_obstacle(solid, &solid->built->obstacles[k]);
  double *points = thud_view_array(view, (d + 1) * solid->nodes);
  thud_index *triangles = d == 2 ? plane_triangles(solid, &count) : NULL;
  if (d == 2 && triangles == NULL && view->error == THUD_OK) view->error = THUD_ERROR_MEMORY;
  for (size_t i = 0; view->error == THUD_OK && i < solid->nodes; i++) {
    for (size_t k = 0; k < d; k++)
      points[(d + 1) * i + k] = solid->built->view.place[d * i + k] + solid->scale * solid->u[d * i + k];
    points[(d + 1) * i + d] = mises_at(solid, i);
  }
  thud_view_mark(view,
                 (thud_mark){.kind = THUD_MARK_SURFACE,
                             .paint = THUD_PAINT_FIELD,
                             .label = "von Mises stress",
                             .triangle_count = count,
                             .triangles = d == 2 ? triangles : solid->built->view.skin},
                 solid->nodes, points);
  thud_free(view->context, triangles);
}

/* ---- the contact in the plane ---------------------------------------------------------------------------------------------- */

/* Contacts in the order of one coordinate. */
static void sort_contacts(const solid_picture *solid, size_t axis, size_t count, size_t *order) {
  const double *place = solid->built->view.place;
  const thud_index *corner = solid->built->touch.corner;
  for (size_t i = 0; i < count; i++) {
    size_t at = i;
    double x = place[2 * (size_t)corner[i] + axis];
    for (; at > 0 && place[2 * (size_t)corner[order[at - 1]] + axis] > x; at--) order[at] = order[at - 1];
    order[at] = i;
  }
}

static void draw_zone(solid_picture *solid, size_t axis, bool slips, thud_mark mark) {
  const thud_solid_contacts_view *touch = &solid->built->touch;
  size_t count = 0;
  double *points = thud_view_array(&solid->view, 2 * (size_t)touch->contacts);
  for (size_t i = 0; points != NULL && solid->mode != NULL && i < (size_t)touch->contacts; i++) {
    int mode = (int)solid->mode[i];
    if (mode == OPEN || (mode == STICK) == slips) continue;
    points[2 * count++] = solid->built->view.place[2 * (size_t)touch->corner[i] + axis];
  }
  mark.kind = THUD_MARK_POINTS;
  thud_view_mark(&solid->view, mark, count, points);
}

/* Part 0 or 1 of the reactions over their areas. */
static void draw_reaction(solid_picture *solid, size_t axis, const size_t *order, size_t part, thud_mark mark) {
  const thud_solid_contacts_view *touch = &solid->built->touch;
  size_t c = (size_t)touch->contacts, m = (size_t)touch->dimension;
  double *points = thud_view_array(&solid->view, 2 * c);
  for (size_t k = 0; points != NULL && solid->r != NULL && k < c; k++) {
    size_t i = order[k];
    points[2 * k] = solid->built->view.place[2 * (size_t)touch->corner[i] + axis];
    points[2 * k + 1] = solid->r[m * i + part] / touch->area[i];
  }
  mark.kind = THUD_MARK_LINE;
  thud_view_mark(&solid->view, mark, c, points);
}

static void draw_contact(solid_picture *solid) {
  thud_view *view = &solid->view;
  const thud_solid_contacts_view *touch = &solid->built->touch;
  size_t c = (size_t)touch->contacts;
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (size_t i = 0; i < 2 * c; i++) {
    double x = solid->built->view.place[2 * (size_t)touch->corner[i / 2] + i % 2];
    low[i % 2] = fmin(low[i % 2], x);
    high[i % 2] = fmax(high[i % 2], x);
  }
  size_t axis = high[1] - low[1] > high[0] - low[0] ? 1 : 0, *order = THUD_NEW_ARRAY(view->context, size_t, c);
  if (order == NULL) {
    view->error = view->error == THUD_OK ? THUD_ERROR_MEMORY : view->error;
    return;
  }
  sort_contacts(solid, axis, c, order);
  thud_view_panel(view, (thud_drawing_panel){.title = "contact",
                                             .x_label = axis == 0 ? "x" : "y",
                                             .y_label = "force per area",
                                             .axes = true,
                                             .stretched = true});
  draw_reaction(solid, axis, order, 0, (thud_mark){.paint = THUD_PAINT_FIELD, .width = 1.5, .label = "pressure"});
  if (touch->dimension > 1)
    draw_reaction(solid, axis, order, 1, (thud_mark){.paint = THUD_PAINT_FORCE, .width = 1.5, .label = "friction"});
  draw_zone(solid, axis, false,
            (thud_mark){.paint = THUD_PAINT_STICK, .label = touch->dimension > 1 ? "sticks" : "touches"});
  if (touch->dimension > 1) draw_zone(solid, axis, true, (thud_mark){.paint = THUD_PAINT_SLIP, .label = "slips"});
  thud_free(view->context, order);
}

thud_error thud_view_solid(const solid_scene *built, thud_moment *moment, thud_drawing *drawing) {
  solid_picture solid = {.view = thud_view_begin(built->scene, moment, drawing),
                         .built = built,
                         .d = (size_t)built->d,
                         .nodes = (size_t)built->view.nodes};
  begin(&solid);
  if (solid.view.error == THUD_OK) draw_solid(&solid);
  if (solid.view.error == THUD_OK && built->d == 2 && built->touch.contacts > 0) draw_contact(&solid);
  return thud_view_end(&solid.view);
}
