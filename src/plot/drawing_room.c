/* Extents of panels: the box around everything that is drawn, lengths of arrows, values of surfaces. */
#include "plot/drawing.h"

#include <math.h>

static const double arrow_share = 0.16;  /* length of the longest arrow, of the size of the panel */
static const double height_share = 0.35; /* stretched heights in space, of the size of the panel */

void thud_drawn_view_begin(thud_context *context, const double angles[2], drawn_view *view) {
  const snapshot_scene eye = {.azimuth = angles[0], .elevation = angles[1]};
  *view = (drawn_view){.context = context, .camera = thud_snapshot_camera(&eye)};
}

void thud_drawn_view_end(drawn_view *view) { thud_free(view->context, view->rooms); }

/* ---- rooms of films ---------------------------------------------------------------------------------------------------- */

static thud_error make_rooms(drawn_view *view, size_t count) {
  view->rooms = THUD_NEW_ARRAY(view->context, drawn_room, count);
  if (view->rooms == NULL) return THUD_ERROR_MEMORY;
  view->panel_count = count;
  for (size_t p = 0; p < count; p++) {
    view->rooms[p].low_value = INFINITY;
    view->rooms[p].high_value = -INFINITY;
    for (int i = 0; i < 3; i++) {
      view->rooms[p].low[i] = INFINITY;
      view->rooms[p].high[i] = -INFINITY;
    }
  }
  return THUD_OK;
}

thud_error thud_drawn_view_add_rooms(drawn_view *view, size_t panel_count, const thud_film_room *rooms) {
  if (view->rooms == NULL) {
    thud_error error = make_rooms(view, panel_count);
    if (error != THUD_OK) return error;
  }
  for (size_t p = 0; p < panel_count && p < view->panel_count; p++) {
    drawn_room *room = &view->rooms[p];
    for (int i = 0; i < 3; i++) {
      room->low[i] = fmin(room->low[i], rooms[p].low[i]);
      room->high[i] = fmax(room->high[i], rooms[p].high[i]);
    }
    for (int k = 0; k < THUD_PAINTS; k++) room->longest[k] = fmax(room->longest[k], rooms[p].longest[k]);
  }
  return THUD_OK;
}

/* ---- scales ------------------------------------------------------------------------------------------------------------ */

static void scale_room(drawn_room *room, const thud_drawing_panel *panel) {
  int d = panel->space ? 3 : 2;
  double largest = 0;
  room->height_scale = 1;
  for (int i = 0; i < d; i++) {
    room->size[i] = room->high[i] - room->low[i];
    if (i < 2 || !panel->stretched) largest = fmax(largest, room->size[i]);
  }
  if (!(largest > 0)) largest = 1;
  if (panel->space && panel->stretched && room->size[2] > 0)
    room->height_scale = height_share * largest / room->size[2];
  for (int i = 0; i < 3; i++)
    if (!panel->stretched || panel->space || !(room->size[i] > 0)) room->size[i] = largest;
  if (panel->space) room->size[2] = largest / room->height_scale;
}

void thud_drawn_view_scale(drawn_view *view, const thud_drawing *drawing) {
  for (size_t p = 0; p < view->panel_count; p++) scale_room(&view->rooms[p], thud_drawing_panel_at(drawing, p));
}

/* The direction is that on paper, the length as its share of the longest vector. */
bool thud_drawn_tip(const drawn_room *room, const thud_mark *mark, int d, const double *numbers, double tip[3]) {
  double on_paper[3] = {0, 0, 0}, length = 0, seen = 0;
  if (!thud_drawn_is_finite(2 * (size_t)d, numbers)) return false;
  for (int i = 0; i < d; i++) {
    on_paper[i] = numbers[d + i] / room->size[i];
    length = hypot(length, numbers[d + i]);
    seen = hypot(seen, on_paper[i]);
  }
  if (!(length > 0)) return false;
  for (int i = 0; i < d; i++) tip[i] = numbers[i] + numbers[d + i];
  if (!thud_paint_is_scaled(mark->paint)) return true;
  double longest = room->longest[mark->paint], share = longest > 0 ? length / longest : 1;
  for (int i = 0; i < d; i++) tip[i] = numbers[i] + arrow_share * share * on_paper[i] / seen * room->size[i];
  return true;
}

/* ---- what films do not measure ----------------------------------------------------------------------------------------- */

static void add_arrows(drawn_room *room, const thud_mark *mark, int d) {
  double tip[3];
  for (size_t k = 0; k < mark->count; k++) {
    if (!thud_drawn_tip(room, mark, d, mark->numbers + 2 * (size_t)d * k, tip)) continue;
    for (int i = 0; i < d; i++) {
      room->low[i] = fmin(room->low[i], tip[i]);
      room->high[i] = fmax(room->high[i], tip[i]);
    }
  }
}

static void add_values(drawn_room *room, const thud_mark *mark, int d) {
  for (size_t k = 0; k < mark->count; k++) {
    double value = mark->numbers[((size_t)d + 1) * k + (size_t)d];
    if (!isfinite(value)) continue;
    room->low_value = fmin(room->low_value, value);
    room->high_value = fmax(room->high_value, value);
  }
}

void thud_drawn_view_add(drawn_view *view, const thud_drawing *drawing) {
  for (size_t k = 0; k < thud_drawing_mark_count(drawing); k++) {
    size_t panel = 0;
    const thud_mark *mark = thud_drawing_mark_at(drawing, k, &panel);
    if (panel >= view->panel_count) continue;
    int d = thud_drawing_panel_at(drawing, panel)->space ? 3 : 2;
    if (mark->kind == THUD_MARK_ARROW) add_arrows(&view->rooms[panel], mark, d);
    if (mark->kind == THUD_MARK_SURFACE) add_values(&view->rooms[panel], mark, d);
  }
}

field_scale thud_drawn_values(const drawn_room *room) {
  field_scale scale = {.low = room->low_value, .high = room->high_value};
  thud_field_widen(&scale);
  return scale;
}

/* ---- frames ------------------------------------------------------------------------------------------------------------ */

thud_vec3 thud_drawn_project(const drawn_view *view, const drawn_room *room, const double x[3]) {
  return thud_snapshot_project(&view->camera, thud_vec3_make(x[0], x[1], room->height_scale * x[2]));
}

void thud_drawn_view_frame(const drawn_view *view, const thud_drawing *drawing, size_t panel, double x[2],
                           double y[2]) {
  const drawn_room *room = &view->rooms[panel];
  if (!thud_drawing_panel_at(drawing, panel)->space) {
    for (int side = 0; side < 2; side++) {
      x[side] = side == 0 ? room->low[0] : room->high[0];
      y[side] = side == 0 ? room->low[1] : room->high[1];
    }
    return;
  }
  x[0] = y[0] = INFINITY;
  x[1] = y[1] = -INFINITY;
  for (unsigned corner = 0; corner < 8; corner++) {
    double at[3];
    for (unsigned i = 0; i < 3; i++) at[i] = (corner >> i & 1U) != 0 ? room->high[i] : room->low[i];
    thud_vec3 p = thud_drawn_project(view, room, at);
    x[0] = fmin(x[0], p.x);
    x[1] = fmax(x[1], p.x);
    y[0] = fmin(y[0], p.y);
    y[1] = fmax(y[1], p.y);
  }
}
