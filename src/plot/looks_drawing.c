/* Motions that are drawn by marks: films of one time each side by side, or the frames of one film. */
#include "base/base.h"
#include "plot/drawing.h"
#include "plot/film.h"
#include "plot/looks.h"

/* The width of the page in sizes of the font, for the legend. */
static thud_error page_width(const looks *shown, double *width) {
  thud_plot_options chosen;
  thud_error error = thud_options_take(shown->context, thud_plot_option_table(), shown->options, &chosen);
  if (error == THUD_OK) *width = 72 * chosen.width / chosen.font_size;
  return error;
}

/* The times that the record knows about. */
static thud_error find_span(const looks *shown, double *start, double *end) {
  thud_record_sampler *sampler = NULL;
  thud_error error = thud_record_sampler_create(shown->reader, 0, NULL, &sampler);
  if (error == THUD_OK) thud_record_sampler_span(sampler, start, end);
  thud_record_sampler_destroy(sampler);
  return error;
}

/* Rooms as the film measures them, then what it leaves out. */
static thud_error add_film(drawn_view *view, thud_film *film) {
  size_t panels;
  const thud_film_room *rooms;
  thud_error error = thud_film_measure(film, &panels, &rooms);
  return error == THUD_OK ? thud_drawn_view_add_rooms(view, panels, rooms) : error;
}

/* ---- pictures ---------------------------------------------------------------------------------------------------------- */

/* A film of each time. */
typedef struct stills {
  size_t count;
  thud_film *films[THUD_PLOT_SNAPSHOTS];
  drawn_picture pictures[THUD_PLOT_SNAPSHOTS];
} stills;

static thud_error open_still(const looks *shown, double t, drawn_view *view, stills *made) {
  thud_film_options options = thud_film_options_default();
  options.start = options.end = t;
  thud_error error = thud_film_create(shown->reader, shown->scene, &options, &made->films[made->count]);
  if (error != THUD_OK) return error;
  thud_film *film = made->films[made->count++];
  return add_film(view, film);
}

static thud_error open_stills(const looks *shown, drawn_view *view, stills *made) {
  double start = 0, end = 0;
  thud_error error = find_span(shown, &start, &end);
  size_t count = shown->count > 0 ? shown->count : 1;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    double t = shown->count > 0 ? shown->times[k] : end;
    if (!(t >= start && t <= end))
      return thud_fail(shown->context, THUD_ERROR_ARGUMENT,
                       "[time-outside] the record goes from %g to %g: there is nothing at %g", start, end, t);
    error = open_still(shown, t, view, made);
  }
  return error;
}

/* The last frame of each film is the time with what comes from it. */
static thud_error draw_stills(drawn_view *view, stills *made) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < made->count && error == THUD_OK; k++) {
    size_t last = thud_film_frame_count(made->films[k]) - 1;
    made->pictures[k].t = thud_film_time(made->films[k], last, NULL);
    error = thud_film_draw(made->films[k], last, &made->pictures[k].drawing);
    if (error == THUD_OK && k == 0) thud_drawn_view_scale(view, made->pictures[0].drawing);
  }
  for (size_t k = 0; k < made->count && error == THUD_OK; k++) thud_drawn_view_add(view, made->pictures[k].drawing);
  return error;
}

static thud_error write_stills(const looks *shown, drawn_view *view) {
  stills made = {0};
  drawn_sheet page = {.context = shown->context};
  const drawn_title title = {.title = shown->title, .time_unit = shown->time_unit};
  double width = 0;
  thud_error error = page_width(shown, &width);
  if (error == THUD_OK) error = open_stills(shown, view, &made);
  if (error == THUD_OK) error = draw_stills(view, &made);
  if (error == THUD_OK) error = thud_drawn_sheet_make(view, made.count, made.pictures, &title, width, &page);
  if (error == THUD_OK) error = thud_plot_write_sheet(shown->context, &page.sheet, shown->options, shown->path);
  thud_drawn_sheet_release(&page);
  for (size_t k = 0; k < made.count; k++) thud_film_destroy(made.films[k]);
  return error;
}

/* ---- films ------------------------------------------------------------------------------------------------------------- */

typedef struct moving {
  const looks *shown;
  drawn_view *view;
  thud_film *film;
  looks_times spread;
  size_t at; /* frame of the film that was shown last */
  double width;
  drawn_sheet page;
} moving;

/* The last frame of the film that is not after the time, but for rounding; from both limits at a jump the later one. */
static size_t find_frame(moving *made, double t) {
  size_t count = thud_film_frame_count(made->film);
  double late = t + 1e-9 * made->spread.step;
  while (made->at + 1 < count && thud_film_time(made->film, made->at + 1, NULL) <= late) made->at++;
  return made->at;
}

static thud_error show(void *user, size_t frame, const thud_plot_sheet **sheet) {
  moving *made = user;
  drawn_picture picture = {.t = made->spread.times[frame]};
  const drawn_title title = {
      .title = made->shown->title, .time_unit = made->shown->time_unit, .time_step = made->spread.step};
  thud_error error = thud_film_draw(made->film, find_frame(made, picture.t), &picture.drawing);
  thud_drawn_sheet_release(&made->page);
  made->page = (drawn_sheet){.context = made->shown->context};
  if (error == THUD_OK) error = thud_drawn_sheet_make(made->view, 1, &picture, &title, made->width, &made->page);
  *sheet = &made->page.sheet;
  return error;
}

/* The room of all frames; every drawing is made once more for the tips of arrows and the values of surfaces. */
static thud_error measure_all(moving *made) {
  const thud_drawing *drawing;
  thud_error error = add_film(made->view, made->film);
  for (size_t k = 0; k < thud_film_frame_count(made->film) && error == THUD_OK; k++) {
    error = thud_film_draw(made->film, k, &drawing);
    if (error == THUD_OK && k == 0) thud_drawn_view_scale(made->view, drawing);
    if (error == THUD_OK) thud_drawn_view_add(made->view, drawing);
  }
  return error;
}

static thud_error open_film(moving *made) {
  const looks *shown = made->shown;
  double start = 0, end = 0;
  thud_film_options options = thud_film_options_default();
  thud_error error = find_span(shown, &start, &end);
  if (error == THUD_OK) error = thud_looks_spread(shown, start, end, &made->spread);
  if (error == THUD_OK) error = page_width(shown, &made->width);
  if (error != THUD_OK) return error;
  options.most_frames = (int)shown->count;
  options.start = made->spread.times[0];
  options.end = made->spread.times[shown->count - 1];
  error = thud_film_create(shown->reader, shown->scene, &options, &made->film);
  return error == THUD_OK ? measure_all(made) : error;
}

static thud_error write_film(const looks *shown, drawn_view *view) {
  moving made = {.shown = shown, .view = view, .page = {.context = shown->context}};
  thud_error error = open_film(&made);
  const plot_frames frames = {.count = shown->count, .show = show, .user = &made, .delay = made.spread.delay};
  if (error == THUD_OK) error = thud_plot_write_frames(shown->context, &frames, shown->options, shown->path);
  thud_drawn_sheet_release(&made.page);
  thud_film_destroy(made.film);
  thud_free(shown->context, made.spread.times);
  return error;
}

thud_error thud_looks_draw_drawing(const looks *shown) {
  drawn_view view;
  thud_drawn_view_begin(shown->context, shown->view, &view);
  thud_error error = shown->film ? write_film(shown, &view) : write_stills(shown, &view);
  thud_drawn_view_end(&view);
  return error;
}
