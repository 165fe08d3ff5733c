/* The moving set of a motion in the plane of a curve: where it is at the first and at the last time that is drawn, as the
 * view of its kind draws it (thud/film.h). */
#include "plot/picture.h"
#include "run/run.h"
#include "thud/film.h"

#include <math.h>
#include <string.h>

enum { OUTLINE_COLOUR = 7 };

static bool has_axes(const thud_drawing *drawing, size_t panel, const char *const names[2]) {
  const thud_drawing_panel *about = thud_drawing_panel_at(drawing, panel);
  return about != NULL && about->x_label != NULL && about->y_label != NULL && strcmp(about->x_label, names[0]) == 0 &&
         strcmp(about->y_label, names[1]) == 0;
}

/* Edges of the set in the panel of these axes; the legend says the first one. */
static thud_error add_edges(thud_picture *picture, const thud_drawing *drawing, const char *const names[2],
                            const char *label, thud_plot_dash dash) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < thud_drawing_mark_count(drawing) && error == THUD_OK; k++) {
    size_t panel;
    const thud_mark *mark = thud_drawing_mark_at(drawing, k, &panel);
    bool edge = mark->kind == THUD_MARK_LINE && mark->paint == THUD_PAINT_SET && has_axes(drawing, panel, names);
    if (!edge || mark->count == 0) continue;
    plot_points points = thud_plot_points_begin(picture, mark->count);
    for (size_t i = 0; i < mark->count; i++)
      thud_plot_points_add(&points, mark->numbers[2 * i], mark->numbers[2 * i + 1]);
    error = thud_plot_points_end(
        &points, (thud_plot_series){.label = label, .dash = dash, .colour = OUTLINE_COLOUR, .no_jumps = true});
    label = "";
  }
  return error;
}

static bool are_equal(const thud_plot_series *a, const thud_plot_series *b) {
  return a->count == b->count && memcmp(a->x, b->x, a->count * sizeof(double)) == 0 &&
         memcmp(a->y, b->y, a->count * sizeof(double)) == 0;
}

/* A set that is where it was is drawn once. */
static thud_error add_film(thud_picture *picture, thud_film *film, const char *const names[2]) {
  const thud_drawing *drawing;
  size_t first = picture->series_count;
  thud_error error = thud_film_draw(film, 0, &drawing);
  if (error == THUD_OK) error = add_edges(picture, drawing, names, "set at the start", THUD_PLOT_DASHED);
  size_t last = picture->series_count;
  if (error == THUD_OK) error = thud_film_draw(film, thud_film_frame_count(film) - 1, &drawing);
  if (error == THUD_OK) error = add_edges(picture, drawing, names, "set at the end", THUD_PLOT_SOLID);
  bool pairs = error == THUD_OK && last > first && picture->series_count - last == last - first;
  for (size_t k = first; k < last && pairs; k++)
    pairs = are_equal(&picture->series[k], &picture->series[last + k - first]);
  if (!pairs) return error;
  picture->series_count = last;
  for (size_t k = first; k < last; k++) picture->series[k].dash = THUD_PLOT_SOLID;
  picture->series[first].label = "set";
  return THUD_OK;
}

/* A record whose scene cannot be built again (functions in C) is drawn without its set. */
thud_error thud_plot_add_set(thud_picture *picture, const plot_record *record, const char *const names[2]) {
  thud_scene *scene = NULL;
  thud_film *film = NULL;
  thud_film_options options = thud_film_options_default();
  options.most_frames = 2;
  if (picture->from > record->t[0]) options.start = picture->from;
  if (picture->to < thud_plot_last_time(record)) options.end = picture->to;
  const thud_kind *kind = thud_run_kind_named(thud_record_reader_info(record->reader).kind);
  if (kind == NULL || !kind->draws_set) return THUD_OK;
  thud_error error = thud_film_build_scene(picture->context, record->reader, &scene);
  if (error == THUD_OK) error = thud_film_create(record->reader, scene, &options, &film);
  if (error == THUD_OK) error = add_film(picture, film, names);
  thud_film_destroy(film);
  thud_scene_destroy(scene);
  return error == THUD_ERROR_UNSUPPORTED || error == THUD_ERROR_NOT_FOUND ? THUD_OK : error;
}
