/* Pictures and films of recorded motions: what is asked for, and which painters do it. */
#include "plot/looks.h"
#include "base/base.h"
#include "run/run.h"

#include <math.h>

static const double usual_view[2] = {-60, 25}; /* degrees */
enum { USUAL_FRAMES = 100, MOST_FRAMES = 10000 };
static const double most_rate = 50, longest_film = 60; /* frames per s; s */

/* ---- times of films ---------------------------------------------------------------------------------------------------- */

static double delay_of(const looks *shown, double duration) {
  double frames = (double)shown->count;
  if (shown->rate > 0) return 1 / shown->rate;
  return fmax(1 / most_rate, fmin(longest_film, duration) / (frames - 1));
}

thud_error thud_looks_spread(const looks *shown, double start, double end, looks_times *spread) {
  double low = start, high = end, last = (double)(shown->count - 1);
  *spread = (looks_times){0};
  if (shown->window != NULL) {
    low = fmax(low, shown->window[0]);
    high = fmin(high, shown->window[1]);
  }
  if (!(low <= high))
    return thud_fail(shown->context, THUD_ERROR_ARGUMENT,
                     "[time-outside] the record goes from %g to %g, the film from %g to %g", start, end,
                     shown->window[0], shown->window[1]);
  spread->times = THUD_NEW_ARRAY(shown->context, double, shown->count);
  if (spread->times == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < shown->count; k++) {
    double share = (double)k / last;
    spread->times[k] = (1 - share) * low + share * high;
  }
  spread->step = (high - low) / last;
  spread->delay = delay_of(shown, high - low);
  return THUD_OK;
}

/* ---- records ----------------------------------------------------------------------------------------------------------- */

static thud_error check_view(const looks *shown) {
  const double *view = shown->view;
  if (view[0] >= -360 && view[0] <= 360 && view[1] >= -90 && view[1] <= 90) return THUD_OK;
  return thud_fail(
      shown->context, THUD_ERROR_ARGUMENT,
      "[usage] the eye is at an azimuth from -360 to 360 and an elevation from -90 to 90 degrees, not %g, %g", view[0],
      view[1]);
}

static thud_error draw(looks *shown, const char *record) {
  size_t time;
  thud_error error = thud_record_open(shown->context, record, &shown->reader);
  if (error == THUD_OK) error = thud_film_build_scene(shown->context, shown->reader, &shown->scene);
  if (error != THUD_OK) return error;
  error = thud_record_find_role(shown->reader, THUD_RECORD_FRAMES, "time", &time);
  if (error == THUD_OK) error = check_view(shown);
  if (error != THUD_OK) return error;
  shown->time_unit = thud_record_reader_channel(shown->reader, THUD_RECORD_FRAMES, time)->unit;
  if (shown->title == NULL) shown->title = thud_record_reader_info(shown->reader).title;
  return shown->scene->kind->bodies != NULL ? thud_looks_draw_bodies(shown) : thud_looks_draw_drawing(shown);
}

static thud_error draw_record(looks *shown, const char *record) {
  thud_error error = draw(shown, record);
  thud_scene_destroy(shown->scene);
  thud_record_reader_destroy(shown->reader);
  return error;
}

thud_error thud_plot_snapshot(thud_context *context, const char *record, const thud_snapshot_choice *choice,
                              const thud_plot_options *options, const char *path) {
  THUD_REQUIRE(context, context, record, path);
  const thud_snapshot_choice usual = {0};
  if (choice == NULL) choice = &usual;
  if (choice->count > THUD_PLOT_SNAPSHOTS)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[usage] at most %d snapshots fit into one picture, not %zu",
                     THUD_PLOT_SNAPSHOTS, choice->count);
  if (choice->count > 0 && choice->times == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[usage] times of snapshots are needed");
  looks shown = {.context = context,
                 .title = choice->title,
                 .view = choice->view != NULL ? choice->view : usual_view,
                 .forces = choice->forces,
                 .count = choice->count,
                 .times = choice->times,
                 .options = options,
                 .path = path};
  return draw_record(&shown, record);
}

thud_error thud_plot_film(thud_context *context, const char *record, const thud_plot_film_choice *choice,
                          const thud_plot_options *options, const char *path) {
  THUD_REQUIRE(context, context, record, path);
  const thud_plot_film_choice usual = {0};
  if (choice == NULL) choice = &usual;
  int frames = choice->frames != 0 ? choice->frames : USUAL_FRAMES;
  if (frames < 2 || frames > MOST_FRAMES)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[usage] a film has 2 to %d frames, not %d", MOST_FRAMES, frames);
  if (!(choice->rate >= 0 && isfinite(choice->rate)))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[usage] a film shows a positive number of frames per second, not %g", choice->rate);
  looks shown = {.context = context,
                 .title = choice->title,
                 .view = choice->view != NULL ? choice->view : usual_view,
                 .forces = choice->forces,
                 .film = true,
                 .count = (size_t)frames,
                 .window = choice->window,
                 .rate = choice->rate,
                 .options = options,
                 .path = path};
  return draw_record(&shown, record);
}
