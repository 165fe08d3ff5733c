/* thud/film.h: a recorded motion as drawings at successive times. Layer: run.
 *
 * The `draw` section of the scene that the record holds, and the `draw` entry of its kind (thud/kind.h), say what the motion
 * looks like. */
#ifndef THUD_FILM_H
#define THUD_FILM_H

#include "thud/drawing.h"
#include "thud/kind.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_film_options {
  size_t size;
  int most_frames;   /* about so many times, spread evenly, and both limits at events */
  double start, end; /* what lies between these; by default everything */
} thud_film_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_film_option_table(void);
THUD_OPTIONS_DEFAULT(thud_film_options, thud_film_option_table)

typedef struct thud_film thud_film;

/* The box around the drawn elements of a panel over the whole film, and the length of the longest vector of scaled arrows
 * per paint (0: none). */
typedef struct thud_film_room {
  double low[3], high[3];
  double longest[THUD_PAINTS];
} thud_film_room;

/* The reader is borrowed until the film is destroyed; the scene as well: that of the record, built
 * (thud_film_build_scene). options may be NULL. THUD_ERROR_NOT_FOUND: nothing is drawn for this record; the message says what
 * to do. */
THUD_API thud_error thud_film_create(thud_record_reader *reader, thud_scene *scene, const thud_film_options *options,
                                     thud_film **film);
THUD_API void thud_film_destroy(thud_film *film);
/* The scene that a record holds, as far as pictures need it: it has no motion, and thud_run_create refuses it. It borrows
 * names from the reader, which is destroyed after it. THUD_ERROR_UNSUPPORTED: the record holds none. */
THUD_API thud_error thud_film_build_scene(thud_context *context, thud_record_reader *reader, thud_scene **scene);

/* How many times are shown; where the motion jumps a time counts twice. */
THUD_API size_t thud_film_frame_count(const thud_film *film);
/* Time of a frame; *side (may be NULL) -1: limit from before, 1: limit from after, 0: nothing jumps. */
THUD_API double thud_film_time(const thud_film *film, size_t frame, int *side);
/* The drawing of a frame; borrowed until the next call. */
THUD_API thud_error thud_film_draw(thud_film *film, size_t frame, const thud_drawing **drawing);
/* Over all frames, which are drawn for it; rooms [panel_count of any frame's drawing]. */
THUD_API thud_error thud_film_measure(thud_film *film, size_t *panel_count, const thud_film_room **rooms);

#ifdef __cplusplus
}
#endif
#endif
