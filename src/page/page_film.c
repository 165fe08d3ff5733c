/* The moving picture of a record: its film (thud/film.h) as arrays over all frames, one per mark. */
#include "page/page.h"
#include "page/film_marks.h"

#include <string.h>

/* ---- panels ------------------------------------------------------------------------------------------------------------ */

static void write_corner(thud_json *json, const char *key, int dimension, const double *corner) {
  thud_json_key(json, key);
  thud_json_begin_flat_array(json);
  for (int i = 0; i < dimension; i++) thud_json_number(json, corner[i]);
  thud_json_end_array(json);
}

static void write_longest(thud_json *json, const thud_film_room *room) {
  thud_json_key(json, "longest");
  thud_json_begin_object(json);
  for (int paint = 0; paint < THUD_PAINTS; paint++)
    if (room->longest[paint] > 0)
      thud_json_number_field(json, thud_paint_name((thud_paint)paint), room->longest[paint]);
  thud_json_end_object(json);
}

static void write_flag(thud_json *json, const char *key, bool value) {
  thud_json_key(json, key);
  thud_json_bool(json, value);
}

static void write_panel(thud_json *json, const thud_drawing_panel *panel, const thud_film_room *room) {
  thud_json_begin_object(json);
  thud_json_string_field(json, "title", panel->title);
  thud_json_string_field(json, "x_label", panel->x_label);
  thud_json_string_field(json, "y_label", panel->y_label);
  thud_json_string_field(json, "x_unit", panel->x_unit);
  thud_json_string_field(json, "y_unit", panel->y_unit);
  write_flag(json, "axes", panel->axes);
  write_flag(json, "stretched", panel->stretched);
  write_flag(json, "space", panel->space);
  write_corner(json, "low", panel->space ? 3 : 2, room->low);
  write_corner(json, "high", panel->space ? 3 : 2, room->high);
  write_longest(json, room);
  thud_json_end_object(json);
}

/* The panels are the same at every time: those of the last drawing. */
static void write_panels(page_film *film) {
  page_build *page = film->record->page;
  const thud_drawing *drawing = NULL;
  if (!thud_page_take(page, thud_film_draw(film->film, 0, &drawing))) return;
  thud_json_key(&page->json, "panels");
  thud_json_begin_array(&page->json);
  for (size_t k = 0; k < film->room_count; k++)
    write_panel(&page->json, thud_drawing_panel_at(drawing, k), &film->rooms[k]);
  thud_json_end_array(&page->json);
}

/* ---- marks ------------------------------------------------------------------------------------------------------------- */

static void write_look(thud_json *json, const page_mark *mark) {
  thud_json_string_field(json, "kind", thud_mark_kind_name(mark->look.kind));
  thud_json_integer_field(json, "panel", (int64_t)mark->panel);
  thud_json_string_field(json, "paint", thud_paint_name(mark->look.paint));
  thud_json_integer_field(json, "colour", mark->look.colour);
  thud_json_number_field(json, "width", mark->look.width > 0 ? mark->look.width : 1);
  write_flag(json, "filled", mark->look.filled);
  write_flag(json, "dashed", mark->look.dashed);
  thud_json_number_field(json, "opacity", mark->look.opacity > 0 ? mark->look.opacity : 1);
  thud_json_string_field(json, "label", mark->look.label);
  thud_json_string_field(json, "text", mark->look.text);
  thud_json_string_field(json, "value_unit", mark->look.value_unit);
  thud_json_integer_field(json, "size", (int64_t)mark->size);
  write_flag(json, "still", mark->still);
}

/* How exactly the numbers of an element are kept. */
enum { STEPS = 16384 };

static double positive(double step) { return step > 0 && step <= DBL_MAX ? step : 1.0 / STEPS; }

/* Coordinates by the size of the panel, each axis by its own where they have scales of their own. */
static double coordinate_step(const page_film *film, const page_mark *mark, int axis) {
  const thud_film_room *room = &film->rooms[mark->panel];
  double size = room->high[axis] - room->low[axis];
  for (int i = 0; i < mark->dimension && !mark->stretched; i++)
    if (room->high[i] - room->low[i] > size) size = room->high[i] - room->low[i];
  return positive(size / STEPS);
}

/* The grid of number j of an element. */
static void choose_grid(const page_film *film, const page_mark *mark, int j, double *step, double *low) {
  const thud_film_room *room = &film->rooms[mark->panel];
  int d = mark->dimension;
  const double turn = 6.283185307179586 / STEPS;
  *low = 0;
  *step = coordinate_step(film, mark, j < d ? j : j < 2 * d ? j - d : 0);
  if (j < d)
    *low = room->low[j];
  else if (mark->look.kind == THUD_MARK_CIRCLE || mark->look.kind == THUD_MARK_BOX)
    *step = j == (mark->look.kind == THUD_MARK_BOX ? 4 : 3) && d == 2 ? turn : coordinate_step(film, mark, 0);
  else if (mark->look.kind == THUD_MARK_SPRING)
    *low = room->low[j - d];
  else if (mark->look.kind == THUD_MARK_ARROW && room->longest[mark->look.paint] > 0)
    *step = positive(room->longest[mark->look.paint] / STEPS);
  else if (mark->look.kind == THUD_MARK_SURFACE) {
    *low = mark->low;
    *step = positive((mark->high - mark->low) / STEPS);
  }
}

static void write_values(const page_film *film, const page_mark *mark) {
  page_build *page = film->record->page;
  double step[PAGE_MARK_SIZE], low[PAGE_MARK_SIZE];
  if (mark->still) { /* once for all frames: there is no need to save */
    thud_page_floats(page, "values", mark->value_count, mark->values);
    return;
  }
  for (int j = 0; j < (int)mark->size; j++) choose_grid(film, mark, j, &step[j], &low[j]);
  size_t columns = mark->steady ? mark->first_count * mark->size : mark->size;
  size_t rows = columns > 0 ? mark->value_count / columns : 0;
  thud_page_quantised(page, "values", rows, columns, mark->values, (page_grid){mark->size, step, low});
}

static void write_mark(const page_film *film, const page_mark *mark) {
  page_build *page = film->record->page;
  thud_json *json = &page->json;
  thud_json_begin_object(json);
  write_look(json, mark);
  if (mark->steady)
    thud_json_integer_field(json, "count", (int64_t)mark->first_count);
  else
    thud_page_indices(page, "ends", film->frame_count, mark->ends);
  write_values(film, mark);
  if (mark->look.kind == THUD_MARK_SURFACE) {
    thud_page_indices(page, "triangles", 3 * mark->look.triangle_count, mark->triangles);
    thud_json_number_field(json, "low", mark->low);
    thud_json_number_field(json, "high", mark->high);
  }
  thud_json_end_object(json);
}

/* ---- the whole --------------------------------------------------------------------------------------------------------- */

static void write_times(const page_film *film) {
  page_build *page = film->record->page;
  double *t = THUD_NEW_ARRAY(page->context, double, film->frame_count);
  int32_t *side = THUD_NEW_ARRAY(page->context, int32_t, film->frame_count);
  if (thud_page_take(page, t != NULL && side != NULL ? THUD_OK : THUD_ERROR_MEMORY)) {
    for (size_t k = 0; k < film->frame_count; k++) {
      int from = 0;
      t[k] = thud_film_time(film->film, k, &from);
      side[k] = from;
    }
    thud_page_doubles(page, "t", film->frame_count, t);
    thud_page_indices(page, "side", film->frame_count, side);
  }
  thud_free(page->context, t);
  thud_free(page->context, side);
}

static void write_film(page_film *film) {
  page_build *page = film->record->page;
  if (!thud_page_take(page, thud_page_blocks_cut(&page->blocks))) return;
  thud_json_begin_object(&page->json);
  write_times(film);
  write_panels(film);
  thud_json_key(&page->json, "marks");
  thud_json_begin_array(&page->json);
  for (size_t k = 0; k < film->mark_count && thud_page_state(page) == THUD_OK; k++) write_mark(film, &film->marks[k]);
  thud_json_end_array(&page->json);
  thud_json_end_object(&page->json);
}

void thud_page_write_film(page_record *record, thud_scene *scene) {
  page_build *page = record->page;
  page_film film = {.record = record, .scene = scene};
  thud_error error = scene != NULL ? thud_page_film_gather(&film) : THUD_ERROR_NOT_FOUND;
  thud_json_key(&page->json, "film");
  if (error == THUD_OK) {
    write_film(&film);
  } else if (error == THUD_ERROR_MEMORY || error == THUD_ERROR_INTERRUPTED) {
    thud_page_take(page, error);
  } else {
    thud_json_null(&page->json);
    if (scene != NULL) thud_page_note(record, "no moving picture: %s", thud_context_last_message(page->context));
  }
  thud_page_film_free(&film);
}
