/* Films: which times are shown, and the drawing of each. */
#include "base/base.h"
#include "record/reader.h"
#include "run/run_draw.h"
#include "scene/build.h"
#include "thud/film.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct film_frame {
  double t;
  int side;
} film_frame;

struct thud_film {
  thud_context *context;
  thud_record_reader *reader;
  thud_scene *scene;
  thud_film_options options;
  thud_moment *moment;
  thud_drawing *drawing;
  double start, end;
  size_t count, capacity;
  film_frame *frames;
  size_t room_count; /* 0: not measured yet */
  thud_film_room *rooms;
};

#define OFFSET(field) offsetof(thud_film_options, field)

static const thud_option_key film_keys[] = {
    {"most_frames", THUD_OPTION_INT, OFFSET(most_frames), 500, 2, 100000, false, NULL, "1", "times that are shown"},
    {"start", THUD_OPTION_REAL, OFFSET(start), -DBL_MAX, -DBL_MAX, DBL_MAX, false, NULL, "s", "first time"},
    {"end", THUD_OPTION_REAL, OFFSET(end), DBL_MAX, -DBL_MAX, DBL_MAX, false, NULL, "s", "last time"},
};

static const thud_option_table film_table = {.name = "film",
                                             .struct_size = sizeof(thud_film_options),
                                             .keys = film_keys,
                                             .count = sizeof film_keys / sizeof *film_keys};

const thud_option_table *thud_film_option_table(void) { return &film_table; }

/* ---- times ----------------------------------------------------------------------------------------------------------- */

/* Times in the making: those wanted, later sorted and freed of doubles. */
typedef struct film_times {
  thud_context *context;
  size_t count, capacity;
  double *items;
  double low, high;
  thud_error error;
} film_times;

static void want(film_times *times, double t) {
  if (times->error != THUD_OK || !(t >= times->low && t <= times->high)) return;
  times->error = thud_array_reserve(times->context, &times->items, &times->capacity, times->count + 1, sizeof(double));
  if (times->error == THUD_OK) times->items[times->count++] = t;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Every row while they are few and nothing is known between them but straight lines; otherwise evenly spread times. */
static thud_error want_rows(thud_film *film, film_times *times) {
  size_t rows = thud_record_reader_info(film->reader).rows[THUD_RECORD_FRAMES], time, end;
  size_t most = (size_t)film->options.most_frames;
  bool arcs = thud_record_find_role(film->reader, THUD_RECORD_FRAMES, "end", &end) == THUD_OK;
  thud_error error = thud_record_find_role(film->reader, THUD_RECORD_FRAMES, "time", &time);
  if (error != THUD_OK || arcs || rows > most) {
    for (size_t k = 0; k < most; k++)
      want(times, film->start + (film->end - film->start) * ((double)k / (double)(most - 1)));
    return error;
  }
  for (size_t k = 0; k < rows && error == THUD_OK; k++) {
    double t;
    error = thud_record_read(film->reader, THUD_RECORD_FRAMES, time, k, 1, &t);
    if (error == THUD_OK) want(times, t);
  }
  return error;
}

/* Events, evenly left out where there are too many. */
static thud_error want_events(thud_film *film, film_times *times) {
  size_t rows = thud_record_reader_info(film->reader).rows[THUD_RECORD_EVENTS], time;
  size_t most = (size_t)film->options.most_frames, skip = rows / most + 1;
  if (rows == 0 || thud_record_find_role(film->reader, THUD_RECORD_EVENTS, "time", &time) != THUD_OK) return THUD_OK;
  if (thud_record_reader_channel(film->reader, THUD_RECORD_EVENTS, time)->width != 1) return THUD_OK;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < rows && error == THUD_OK; k += skip) {
    double t;
    error = thud_record_read(film->reader, THUD_RECORD_EVENTS, time, k, 1, &t);
    if (error == THUD_OK) want(times, t);
  }
  return error;
}

static thud_error add_frame(thud_film *film, double t, int side) {
  thud_error error =
      thud_array_reserve(film->context, &film->frames, &film->capacity, film->count + 1, sizeof *film->frames);
  if (error == THUD_OK) film->frames[film->count++] = (film_frame){t, side};
  return error;
}

/* One frame per time, two where the state jumps. */
static thud_error split_times(thud_film *film, const film_times *times, thud_record_sampler *sampler) {
  size_t width = thud_record_sampler_width(sampler);
  double *limits = THUD_NEW_ARRAY(film->context, double, 2 * width);
  if (limits == NULL) return THUD_ERROR_MEMORY;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < times->count && error == THUD_OK; k++) {
    double t = times->items[k];
    bool jumps = false;
    error = thud_record_sample(sampler, &t, limits, limits + width, &jumps);
    if (error != THUD_OK || (film->count > 0 && !(t > film->frames[film->count - 1].t))) continue;
    bool inside = t > film->start && t < film->end;
    if (jumps && t > film->start) error = add_frame(film, t, -1);
    if (error == THUD_OK) error = add_frame(film, t, jumps && inside ? 1 : 0);
  }
  thud_free(film->context, limits);
  return error;
}

static thud_error choose_times(thud_film *film) {
  thud_record_sampler *sampler = NULL;
  thud_error error = thud_record_sampler_create(film->reader, 0, NULL, &sampler);
  film_times times = {.context = film->context};
  if (error == THUD_OK) {
    thud_record_sampler_span(sampler, &film->start, &film->end);
    times.low = film->start = fmax(film->start, film->options.start);
    times.high = film->end = fmin(film->end, film->options.end);
    if (!(times.low <= times.high))
      error = thud_fail(film->context, THUD_ERROR_ARGUMENT, "[time-outside] the record has nothing between %g and %g",
                        film->options.start, film->options.end);
  }
  if (error == THUD_OK) error = want_rows(film, &times);
  if (error == THUD_OK) error = want_events(film, &times);
  want(&times, film->start);
  want(&times, film->end);
  if (error == THUD_OK) error = times.error;
  if (error == THUD_OK) {
    qsort(times.items, times.count, sizeof(double), by_size);
    error = split_times(film, &times, sampler);
  }
  thud_free(film->context, times.items);
  thud_record_sampler_destroy(sampler);
  return error;
}

/* ---- life ------------------------------------------------------------------------------------------------------------ */

static thud_error prepare(thud_film *film) {
  const thud_drawing *first;
  thud_scene_draw_forget(film->scene);
  thud_error error = thud_drawing_create(film->context, &film->drawing);
  if (error == THUD_OK) error = thud_moment_create(film->reader, &film->moment);
  if (error == THUD_OK) error = choose_times(film);
  if (error == THUD_OK) error = thud_film_draw(film, 0, &first);
  if (error != THUD_OK || thud_drawing_mark_count(film->drawing) > 0) return error;
  return thud_fail(film->context, THUD_ERROR_NOT_FOUND,
                   "[nothing-to-draw] nothing says what this motion looks like: give the scene a 'draw' section");
}

thud_error thud_film_create(thud_record_reader *reader, thud_scene *scene, const thud_film_options *options,
                            thud_film **film) {
  THUD_REQUIRE(reader != NULL ? thud_record_reader_context(reader) : NULL, reader, scene, film);
  thud_context *context = thud_record_reader_context(reader);
  thud_film *made = THUD_NEW(context, thud_film);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->reader = reader;
  made->scene = scene;
  thud_error error = thud_options_take(context, &film_table, options, &made->options);
  if (error == THUD_OK) error = prepare(made);
  if (error == THUD_OK)
    *film = made;
  else
    thud_film_destroy(made);
  return error;
}

void thud_film_destroy(thud_film *film) {
  if (film == NULL) return;
  thud_moment_destroy(film->moment);
  thud_drawing_destroy(film->drawing);
  thud_free(film->context, film->frames);
  thud_free(film->context, film->rooms);
  thud_free(film->context, film);
}

size_t thud_film_frame_count(const thud_film *film) {
  THUD_REQUIRE_OR(0, film);
  return film->count;
}

double thud_film_time(const thud_film *film, size_t frame, int *side) {
  THUD_REQUIRE_OR(NAN, film, frame < film->count);
  if (side != NULL) *side = film->frames[frame].side;
  return film->frames[frame].t;
}

thud_error thud_film_draw(thud_film *film, size_t frame, const thud_drawing **drawing) {
  THUD_REQUIRE_OF(film, drawing);
  if (frame >= film->count)
    return thud_fail(film->context, THUD_ERROR_ARGUMENT, "the film has %zu frames, there is no number %zu", film->count,
                     frame);
  thud_drawing_clear(film->drawing);
  thud_error error = thud_moment_set(film->moment, film->frames[frame].t, film->frames[frame].side);
  if (error == THUD_OK) error = thud_scene_draw(film->scene, film->moment, film->drawing);
  if (error == THUD_OK) *drawing = film->drawing;
  return error;
}

/* ---- rooms ----------------------------------------------------------------------------------------------------------- */

static void widen(thud_film_room *room, int d, const double *x, double margin) {
  for (int i = 0; i < d; i++)
    if (!isfinite(x[i] + margin)) return;
  for (int i = 0; i < d; i++) {
    room->low[i] = fmin(room->low[i], x[i] - margin);
    room->high[i] = fmax(room->high[i], x[i] + margin);
  }
}

static double length_of(int d, const double *x) { return d == 3 ? hypot(hypot(x[0], x[1]), x[2]) : hypot(x[0], x[1]); }

/* A spring's or an arrow's two ends. Arrows that are scaled to be seen count by their length alone. */
static void widen_by_pair(thud_film_room *room, int d, const thud_mark *mark, const double *x) {
  widen(room, d, x, 0);
  if (mark->kind == THUD_MARK_SPRING) {
    widen(room, d, x + d, 0);
  } else if (thud_paint_is_scaled(mark->paint)) {
    double length = length_of(d, x + d);
    if (isfinite(length)) room->longest[mark->paint] = fmax(room->longest[mark->paint], length);
  } else {
    double tip[3] = {0};
    for (int i = 0; i < d; i++) tip[i] = x[i] + x[d + i];
    widen(room, d, tip, 0);
  }
}

/* x, y, width, height, angle: two opposite corners of the upright box around it. */
static void widen_by_box(thud_film_room *room, const double *x) {
  double c = fabs(cos(x[4])), s = fabs(sin(x[4]));
  double half[2] = {0.5 * (fabs(x[2]) * c + fabs(x[3]) * s), 0.5 * (fabs(x[2]) * s + fabs(x[3]) * c)};
  widen(room, 2, (const double[2]){x[0] - half[0], x[1] - half[1]}, 0);
  widen(room, 2, (const double[2]){x[0] + half[0], x[1] + half[1]}, 0);
}

static void widen_by_mark(thud_film_room *room, int d, const thud_mark *mark) {
  size_t width = thud_mark_width(mark->kind, d);
  for (size_t k = 0; k < mark->count; k++) {
    const double *x = mark->numbers + k * width;
    switch (mark->kind) {
    case THUD_MARK_CIRCLE: widen(room, d, x, fabs(x[d])); break;
    case THUD_MARK_BOX: widen_by_box(room, x); break;
    case THUD_MARK_SPRING:
    case THUD_MARK_ARROW: widen_by_pair(room, d, mark, x); break;
    default: widen(room, d, x, 0);
    }
  }
}

static thud_error measure_frame(thud_film *film, size_t frame) {
  const thud_drawing *drawing;
  thud_error error = thud_film_draw(film, frame, &drawing);
  size_t panel = 0, marks = error == THUD_OK ? thud_drawing_mark_count(drawing) : 0;
  for (size_t k = 0; k < marks; k++) {
    const thud_mark *mark = thud_drawing_mark_at(drawing, k, &panel);
    if (panel >= film->room_count)
      return thud_fail(film->context, THUD_ERROR_INTERNAL, "a drawing has more panels at t = %g than at the start",
                       film->frames[frame].t);
    widen_by_mark(&film->rooms[panel], thud_drawing_panel_at(drawing, panel)->space ? 3 : 2, mark);
  }
  return error;
}

static thud_error make_rooms(thud_film *film) {
  const thud_drawing *drawing;
  thud_error error = thud_film_draw(film, 0, &drawing);
  if (error != THUD_OK) return error;
  film->room_count = thud_drawing_panel_count(drawing);
  film->rooms = THUD_NEW_ARRAY(film->context, thud_film_room, film->room_count);
  if (film->rooms == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < film->room_count; k++)
    for (int i = 0; i < 3; i++) {
      film->rooms[k].low[i] = INFINITY;
      film->rooms[k].high[i] = -INFINITY;
    }
  for (size_t k = 0; k < film->count && error == THUD_OK; k++) error = measure_frame(film, k);
  return error;
}

/* Rooms of panels in which nothing is drawn are unit boxes. */
thud_error thud_film_measure(thud_film *film, size_t *panel_count, const thud_film_room **rooms) {
  THUD_REQUIRE_OF(film, panel_count, rooms);
  thud_error error = film->rooms != NULL ? THUD_OK : make_rooms(film);
  if (error != THUD_OK) {
    thud_free(film->context, film->rooms);
    film->rooms = NULL;
    return error;
  }
  for (size_t k = 0; k < film->room_count; k++)
    for (int i = 0; i < 3; i++)
      if (!(film->rooms[k].low[i] <= film->rooms[k].high[i])) {
        film->rooms[k].low[i] = 0;
        film->rooms[k].high[i] = i < 2;
      }
  *panel_count = film->room_count;
  *rooms = film->rooms;
  return THUD_OK;
}
