#include "page/film_marks.h"

#include <math.h>
#include <string.h>

/* Numbers of all marks in all frames together: beyond it the film gets fewer frames. */
static const double most_numbers = 8e6;

/* ---- marks ------------------------------------------------------------------------------------------------------------- */

static thud_error copy_text(thud_context *context, const char **text) {
  if (*text == NULL) return THUD_OK;
  *text = thud_strdup(context, *text);
  return *text != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error copy_triangles(thud_context *context, page_mark *mark, const thud_index *triangles) {
  size_t count = 3 * mark->look.triangle_count;
  mark->triangles = THUD_NEW_ARRAY(context, int32_t, count);
  if (mark->triangles == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count; k++) mark->triangles[k] = (int32_t)triangles[k];
  return THUD_OK;
}

/* Takes kind, label and sizes of a mark from the first frame. */
static thud_error begin_mark(page_film *film, const thud_drawing *drawing, size_t k) {
  thud_context *context = film->record->page->context;
  page_mark *mark = &film->marks[k];
  const thud_mark *drawn = thud_drawing_mark_at(drawing, k, &mark->panel);
  const thud_drawing_panel *panel = thud_drawing_panel_at(drawing, mark->panel);
  const char *label = drawn->label, *text = drawn->text, *unit = drawn->value_unit;
  mark->dimension = panel->space ? 3 : 2;
  mark->stretched = panel->stretched;
  mark->size = thud_mark_width(drawn->kind, mark->dimension);
  mark->still = mark->steady = true;
  mark->first_count = drawn->count;
  mark->low = INFINITY;
  mark->high = -INFINITY;
  thud_error error = copy_text(context, &label);
  mark->look.label = error == THUD_OK ? label : NULL;
  if (error == THUD_OK) error = copy_text(context, &text);
  mark->look.text = error == THUD_OK ? text : NULL;
  if (error == THUD_OK) error = copy_text(context, &unit);
  mark->look.value_unit = error == THUD_OK ? unit : NULL;
  mark->look.kind = drawn->kind;
  mark->look.paint = drawn->paint;
  mark->look.colour = drawn->colour;
  mark->look.width = drawn->width;
  mark->look.filled = drawn->filled;
  mark->look.dashed = drawn->dashed;
  mark->look.opacity = drawn->opacity;
  mark->look.triangle_count = drawn->triangle_count;
  if (error == THUD_OK) error = copy_triangles(context, mark, drawn->triangles);
  if (error != THUD_OK) return error;
  mark->ends = THUD_NEW_ARRAY(context, int32_t, film->frame_count);
  return mark->ends != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error append(page_film *film, page_mark *mark, size_t count, const double *numbers) {
  thud_error error = thud_array_reserve(film->record->page->context, &mark->values, &mark->capacity,
                                        mark->value_count + count, sizeof(double));
  if (error != THUD_OK) return error;
  if (count > 0) memcpy(mark->values + mark->value_count, numbers, count * sizeof(double));
  mark->value_count += count;
  return THUD_OK;
}

/* A mark that has stood still up to now moves: what was kept once is needed for every frame so far. */
static thud_error spread(page_film *film, page_mark *mark, size_t frames) {
  size_t count = mark->first_count * mark->size;
  thud_error error = THUD_OK;
  mark->still = false;
  for (size_t k = 1; k < frames && error == THUD_OK; k++) {
    error = thud_array_reserve(film->record->page->context, &mark->values, &mark->capacity, mark->value_count + count,
                               sizeof(double));
    if (error == THUD_OK) error = append(film, mark, count, mark->values);
  }
  return error;
}

static void widen_values(page_mark *mark, const thud_mark *drawn) {
  size_t last = mark->size - 1;
  for (size_t k = 0; k < drawn->count; k++) {
    double value = drawn->numbers[k * mark->size + last];
    if (!isfinite(value)) continue;
    if (value < mark->low) mark->low = value;
    if (value > mark->high) mark->high = value;
  }
}

static thud_error add_to_mark(page_film *film, page_mark *mark, size_t frame, const thud_mark *drawn) {
  size_t count = drawn->count * mark->size;
  if (drawn->kind != mark->look.kind || drawn->triangle_count != mark->look.triangle_count ||
      drawn->count > INT32_MAX / 2 - (size_t)(frame > 0 ? mark->ends[frame - 1] : 0))
    return thud_fail(film->record->page->context, THUD_ERROR_INTERNAL,
                     "the marks of a drawing are not those of the first");
  mark->ends[frame] = (int32_t)((frame > 0 ? (size_t)mark->ends[frame - 1] : 0) + drawn->count);
  if (drawn->kind == THUD_MARK_SURFACE) widen_values(mark, drawn);
  bool same = drawn->count == mark->first_count;
  if (!same) mark->steady = false;
  if (frame > 0 && mark->still) {
    if (same && (count == 0 || memcmp(mark->values, drawn->numbers, count * sizeof(double)) == 0)) return THUD_OK;
    thud_error error = spread(film, mark, frame);
    if (error != THUD_OK) return error;
  }
  return append(film, mark, count, drawn->numbers);
}

/* ---- films ------------------------------------------------------------------------------------------------------------- */

static thud_error add_frame(page_film *film, size_t frame) {
  thud_context *context = film->record->page->context;
  const thud_drawing *drawing;
  thud_error error = thud_film_draw(film->film, frame, &drawing);
  if (error != THUD_OK) return error;
  size_t count = thud_drawing_mark_count(drawing);
  if (frame == 0) {
    film->marks = THUD_NEW_ARRAY(context, page_mark, count);
    if (film->marks == NULL) return THUD_ERROR_MEMORY;
    film->mark_count = count;
  }
  if (count != film->mark_count)
    return thud_fail(context, THUD_ERROR_INTERNAL, "the drawing at t = %g has %zu marks, the first one %zu",
                     thud_film_time(film->film, frame, NULL), count, film->mark_count);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    if (frame == 0) error = begin_mark(film, drawing, k);
    if (error == THUD_OK) error = add_to_mark(film, &film->marks[k], frame, thud_drawing_mark_at(drawing, k, NULL));
  }
  return error;
}

static thud_error count_numbers(page_film *film, size_t frame, double *numbers) {
  const thud_drawing *drawing;
  thud_error error = thud_film_draw(film->film, frame, &drawing);
  *numbers = 0;
  for (size_t k = 0; error == THUD_OK && k < thud_drawing_mark_count(drawing); k++) {
    size_t panel;
    const thud_mark *mark = thud_drawing_mark_at(drawing, k, &panel);
    bool space = thud_drawing_panel_at(drawing, panel)->space;
    *numbers += (double)(mark->count * thud_mark_width(mark->kind, space ? 3 : 2));
  }
  return error;
}

/* A film of large meshes has as many frames as fit into a page. */
static thud_error create_film(page_film *film) {
  page_record *record = film->record;
  thud_film_options options = thud_film_options_default();
  double first = 0, last = 0;
  options.most_frames = record->page->options.most_frames;
  thud_error error = thud_film_create(record->reader, film->scene, &options, &film->film);
  if (error == THUD_OK) error = count_numbers(film, 0, &first);
  if (error == THUD_OK) error = count_numbers(film, thud_film_frame_count(film->film) - 1, &last);
  if (error != THUD_OK) return error;
  double frames = most_numbers / fmax(fmax(first, last), 1);
  if (frames >= (double)thud_film_frame_count(film->film)) return THUD_OK;
  thud_film_destroy(film->film);
  film->film = NULL;
  /* events have frames of their own, up to as many again, and both limits */
  options.most_frames = (int)fmax(frames / 4, 2);
  thud_page_note(record, "the moving picture has about %d times: more would be too large", options.most_frames);
  return thud_film_create(record->reader, film->scene, &options, &film->film);
}

thud_error thud_page_film_gather(page_film *film) {
  thud_error error = create_film(film);
  if (error == THUD_OK) error = thud_film_measure(film->film, &film->room_count, &film->rooms);
  if (error != THUD_OK) return error;
  film->frame_count = thud_film_frame_count(film->film);
  for (size_t k = 0; k < film->frame_count && error == THUD_OK; k++) error = add_frame(film, k);
  return error;
}

void thud_page_film_free(page_film *film) {
  thud_context *context = film->record->page->context;
  for (size_t k = 0; k < film->mark_count; k++) {
    const page_mark *mark = &film->marks[k];
    void *const arrays[] = {mark->values,
                            mark->ends,
                            mark->triangles,
                            (char *)mark->look.label,
                            (char *)mark->look.text,
                            (char *)mark->look.value_unit};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) thud_free(context, arrays[i]);
  }
  thud_free(context, film->marks);
  thud_film_destroy(film->film);
}
