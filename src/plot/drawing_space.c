/* Panels in space: marks are cut into pieces, which are painted from the farthest to the nearest. */
#include "base/base.h"
#include "plot/drawing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
enum { BALL_TONES = 20 };
static const double ball_shade = 0.38;    /* how much darker the rim of a ball is */
static const double surface_shade = 0.35; /* and a surface along the light */

typedef enum piece_kind {
  PIECE_SEGMENT,
  PIECE_FACE,
  PIECE_VALUES,
  PIECE_BALL,
  PIECE_DOT,
  PIECE_ARROW,
  PIECE_TEXT
} piece_kind;

typedef struct piece {
  piece_kind kind;
  double depth; /* larger is nearer to the eye */
  size_t order; /* of pieces at the same depth */
  const thud_mark *mark;
  thud_vec2 at[3];  /* on paper */
  double values[3]; /* PIECE_VALUES; PIECE_BALL: the radius on paper */
  double shadow;
} piece;

typedef struct space {
  const drawn_panel *shown;
  const drawn_room *room;
  const thud_plot_layout *layout;
  const thud_mark *mark; /* the one that is cut */
  size_t count, capacity;
  piece *pieces;
  thud_error error;
} space;

/* ---- cutting ----------------------------------------------------------------------------------------------------------- */

static thud_vec3 seen(const space *made, const double *x) {
  return thud_drawn_project(made->shown->view, made->room, x);
}

static thud_vec2 on_paper(const space *made, thud_vec3 p) {
  const thud_plot_panel_layout *panel = &made->layout->panels[0];
  return thud_vec2_make(thud_plot_axis_place(&panel->x, p.x), thud_plot_axis_place(&panel->y, p.y));
}

static void put(space *made, piece added) {
  if (made->error != THUD_OK) return;
  made->error =
      thud_array_reserve(made->layout->context, &made->pieces, &made->capacity, made->count + 1, sizeof *made->pieces);
  if (made->error != THUD_OK) return;
  added.mark = made->mark;
  added.order = made->count;
  made->pieces[made->count++] = added;
}

static void put_at(space *made, piece_kind kind, thud_vec3 p) {
  put(made, (piece){.kind = kind, .depth = p.z, .at = {on_paper(made, p)}});
}

static void put_pair(space *made, piece_kind kind, thud_vec3 a, thud_vec3 b) {
  put(made, (piece){.kind = kind, .depth = 0.5 * (a.z + b.z), .at = {on_paper(made, a), on_paper(made, b)}});
}

static void cut_line(space *made, bool closed) {
  const thud_mark *mark = made->mark;
  size_t count = mark->count > 1 ? mark->count - !closed : 0;
  for (size_t k = 0; k < count; k++) {
    const double *a = mark->numbers + 3 * k, *b = mark->numbers + 3 * ((k + 1) % mark->count);
    if (thud_drawn_is_finite(3, a) && thud_drawn_is_finite(3, b))
      put_pair(made, PIECE_SEGMENT, seen(made, a), seen(made, b));
  }
}

/* Filled areas are fans about the mean of their corners: convex, or nearly so. */
static void cut_area(space *made) {
  const thud_mark *mark = made->mark;
  double centre[3] = {0, 0, 0};
  if (!thud_drawn_is_finite(3 * mark->count, mark->numbers)) return;
  for (size_t k = 0; k < 3 * mark->count; k++) centre[k % 3] += mark->numbers[k] / (double)mark->count;
  for (size_t k = 0; k < mark->count && mark->filled; k++) {
    const thud_vec3 a = seen(made, mark->numbers + 3 * k), b = seen(made, mark->numbers + 3 * ((k + 1) % mark->count));
    const thud_vec3 c = seen(made, centre);
    put(made, (piece){.kind = PIECE_FACE,
                      .depth = (a.z + b.z + c.z) / 3,
                      .at = {on_paper(made, a), on_paper(made, b), on_paper(made, c)}});
  }
  cut_line(made, true);
}

static void cut_ball(space *made, const double *x) {
  const thud_plot_panel_layout *panel = &made->layout->panels[0];
  thud_vec3 p = seen(made, x);
  double radius = fabs(x[3]) * (panel->x.to - panel->x.from) / (panel->x.maximum - panel->x.minimum);
  put(made, (piece){.kind = PIECE_BALL, .depth = p.z, .at = {on_paper(made, p)}, .values = {radius}});
}

/* The zigzag is one of the paper; its depth goes from one end to the other. */
static void cut_spring(space *made, const double *x) {
  const thud_vec3 from = seen(made, x), to = seen(made, x + 3);
  thud_vec2 corners[DRAWN_SPRING_POINTS];
  thud_drawn_spring(made->layout, on_paper(made, from), on_paper(made, to), corners);
  for (int k = 0; k + 1 < DRAWN_SPRING_POINTS; k++) {
    double along = (k + 0.5) / (DRAWN_SPRING_POINTS - 1);
    put(made,
        (piece){.kind = PIECE_SEGMENT, .depth = from.z + along * (to.z - from.z), .at = {corners[k], corners[k + 1]}});
  }
}

static void cut_arrow(space *made, const double *x) {
  double tip[3];
  if (thud_drawn_tip(made->room, made->mark, 3, x, tip)) put_pair(made, PIECE_ARROW, seen(made, x), seen(made, tip));
}

/* Light falls on both sides of a surface, from above and from the left. */
static double shadow_of(thud_vec3 a, thud_vec3 b, thud_vec3 c) {
  static const thud_vec3 light = {-0.35, 0.67, 0.65};
  thud_vec3 normal = {0, 0, 1};
  thud_vec3_normalise(thud_vec3_cross(thud_vec3_subtract(b, a), thud_vec3_subtract(c, a)), &normal);
  return surface_shade * (1 - fmin(1, fabs(thud_vec3_dot(normal, light))));
}

static void cut_surface(space *made) {
  const thud_mark *mark = made->mark;
  for (size_t t = 0; t < mark->triangle_count && mark->count > 0; t++) {
    piece added = {.kind = PIECE_VALUES};
    thud_vec3 p[3];
    bool good = true;
    for (size_t c = 0; c < 3; c++) {
      const double *x = mark->numbers + 4 * (size_t)mark->triangles[3 * t + c];
      good = good && thud_drawn_is_finite(4, x);
      p[c] = seen(made, x);
      added.at[c] = on_paper(made, p[c]);
      added.values[c] = x[3];
      added.depth += p[c].z / 3;
    }
    added.shadow = shadow_of(p[0], p[1], p[2]);
    if (good) put(made, added);
  }
}

static void cut_elements(space *made) {
  size_t width = thud_mark_width(made->mark->kind, 3);
  for (size_t k = 0; k < made->mark->count; k++) {
    const double *x = made->mark->numbers + k * width;
    if (!thud_drawn_is_finite(width, x)) continue;
    switch (made->mark->kind) {
    case THUD_MARK_POINTS: put_at(made, PIECE_DOT, seen(made, x)); break;
    case THUD_MARK_CIRCLE: cut_ball(made, x); break;
    case THUD_MARK_SPRING: cut_spring(made, x); break;
    case THUD_MARK_ARROW: cut_arrow(made, x); break;
    default: put_at(made, PIECE_TEXT, seen(made, x));
    }
  }
}

static void cut_mark(space *made) {
  switch (made->mark->kind) {
  case THUD_MARK_LINE: cut_line(made, false); break;
  case THUD_MARK_AREA: cut_area(made); break;
  case THUD_MARK_SURFACE: cut_surface(made); break;
  default: cut_elements(made);
  }
}

/* ---- painting ---------------------------------------------------------------------------------------------------------- */

static int by_depth(const void *a, const void *b) {
  const piece *p = a, *q = b;
  bool texts = (p->kind == PIECE_TEXT) != (q->kind == PIECE_TEXT); /* in front of everything */
  if (texts) return p->kind == PIECE_TEXT ? 1 : -1;
  if (p->depth != q->depth) return p->depth < q->depth ? -1 : 1;
  return p->order < q->order ? -1 : 1;
}

/* Discs within each other, lighter towards the light. */
static void paint_ball(const thud_plot_layout *layout, const drawn_pen *pen, const piece *ball) {
  cairo_t *cairo = layout->cairo;
  double r = ball->values[0];
  if (!(r > 0)) {
    thud_drawn_dot(layout, pen, ball->at[0].x, ball->at[0].y);
    return;
  }
  for (int k = 0; k < BALL_TONES; k++) {
    double part = (double)k / BALL_TONES, dark = 1 - ball_shade * (1 - part) * (1 - part);
    cairo_new_path(cairo);
    cairo_arc(cairo, ball->at[0].x - 0.3 * part * r, ball->at[0].y - 0.36 * part * r, r * (1 - 0.85 * part), 0, 2 * pi);
    cairo_set_source_rgba(cairo, dark * pen->inside[0], dark * pen->inside[1], dark * pen->inside[2], pen->opacity);
    thud_canvas_fill(layout->canvas);
  }
}

static void paint_face(const thud_plot_layout *layout, const drawn_pen *pen, const piece *face) {
  cairo_new_path(layout->cairo);
  for (int k = 0; k < 3; k++) cairo_line_to(layout->cairo, face->at[k].x, face->at[k].y);
  cairo_close_path(layout->cairo);
  cairo_set_source_rgba(layout->cairo, pen->inside[0], pen->inside[1], pen->inside[2], pen->opacity);
  thud_canvas_fill(layout->canvas);
}

static void paint_values(const space *made, const piece *face) {
  field_scale scale = thud_drawn_values(made->room);
  field_corner corners[3];
  scale.shadow = face->shadow;
  for (int k = 0; k < 3; k++) corners[k] = (field_corner){face->at[k].x, face->at[k].y, face->values[k]};
  thud_field_fill(made->layout, &scale, corners);
}

static void paint_piece(const space *made, const piece *shown) {
  const thud_plot_layout *layout = made->layout;
  const drawn_pen pen = thud_drawn_pen(shown->mark);
  bool face = shown->kind == PIECE_FACE || shown->kind == PIECE_VALUES;
  cairo_set_antialias(layout->cairo, face ? CAIRO_ANTIALIAS_NONE : CAIRO_ANTIALIAS_DEFAULT); /* no seams */
  switch (shown->kind) {
  case PIECE_SEGMENT:
    cairo_new_path(layout->cairo);
    cairo_move_to(layout->cairo, shown->at[0].x, shown->at[0].y);
    cairo_line_to(layout->cairo, shown->at[1].x, shown->at[1].y);
    thud_drawn_stroke(layout, &pen);
    break;
  case PIECE_FACE: paint_face(layout, &pen, shown); break;
  case PIECE_VALUES: paint_values(made, shown); break;
  case PIECE_BALL: paint_ball(layout, &pen, shown); break;
  case PIECE_DOT: thud_drawn_dot(layout, &pen, shown->at[0].x, shown->at[0].y); break;
  case PIECE_ARROW: thud_drawn_arrow(layout, &pen, shown->at[0], shown->at[1]); break;
  case PIECE_TEXT: thud_drawn_text(layout, shown->mark, &pen, shown->at[0].x, shown->at[0].y); break;
  }
}

/* ---- the panel --------------------------------------------------------------------------------------------------------- */

/* The floor of the room, pale behind everything. */
static void paint_floor(const space *made) {
  cairo_t *cairo = made->layout->cairo;
  const drawn_room *room = made->room;
  cairo_new_path(cairo);
  for (int k = 0; k < 4; k++) {
    const double corner[3] = {k == 1 || k == 2 ? room->high[0] : room->low[0], k >= 2 ? room->high[1] : room->low[1],
                              room->low[2]};
    thud_vec2 p = on_paper(made, seen(made, corner));
    cairo_line_to(cairo, p.x, p.y);
  }
  cairo_close_path(cairo);
  cairo_set_source_rgb(cairo, 0.96, 0.96, 0.96);
  thud_canvas_fill_preserve(made->layout->canvas);
  cairo_set_source_rgb(cairo, 0.85, 0.85, 0.85);
  cairo_set_line_width(cairo, 0.6);
  thud_canvas_stroke(made->layout->canvas);
}

/* Below the panel: directions, a length, and how heights are stretched. */
static void paint_scales(const space *made) {
  const thud_plot_layout *layout = made->layout;
  const thud_drawing_panel *panel = thud_drawing_panel_at(made->shown->drawing, made->shown->panel);
  const snapshot_scene scene = {.camera = made->shown->view->camera,
                                .length_unit = panel->x_unit != NULL ? panel->x_unit : ""};
  char text[THUD_PLOT_TEXT];
  thud_snapshot_paint_axes(&scene, layout);
  if (made->room->height_scale == 1) return;
  snprintf(text, sizeof text, "z × %.3g", made->room->height_scale);
  thud_plot_put_text(layout, text, 0.5 * layout->width, layout->height - 1.6 * layout->font - 3.5, 0.5, 0);
}

thud_error thud_drawn_paint_space(void *user, const thud_plot_layout *layout) {
  const drawn_panel *shown = user;
  space made = {.shown = shown, .room = &shown->view->rooms[shown->panel], .layout = layout};
  for (size_t k = 0; k < thud_drawing_mark_count(shown->drawing); k++) {
    size_t number = 0;
    made.mark = thud_drawing_mark_at(shown->drawing, k, &number);
    if (number == shown->panel) cut_mark(&made);
  }
  if (made.error == THUD_OK) {
    if (made.count > 0) qsort(made.pieces, made.count, sizeof *made.pieces, by_depth);
    paint_floor(&made);
    for (size_t k = 0; k < made.count; k++) paint_piece(&made, &made.pieces[k]);
    cairo_set_antialias(layout->cairo, CAIRO_ANTIALIAS_DEFAULT);
    paint_scales(&made);
    thud_drawn_paint_values(shown, layout);
  }
  thud_free(layout->context, made.pieces);
  return made.error;
}
