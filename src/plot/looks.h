/* Views of recorded motions, at single times or as films: bodies, and everything that is drawn by marks. */
#ifndef THUD_SRC_PLOT_LOOKS_H
#define THUD_SRC_PLOT_LOOKS_H

#include "thud/film.h"
#include "thud/plot.h"

/* A record, its scene, and what is asked for. */
typedef struct looks {
  thud_context *context;
  thud_record_reader *reader;
  thud_scene *scene;
  const char *title, *time_unit;
  const double *view; /* [2] */
  bool forces;
  bool film;            /* otherwise a picture of the times */
  size_t count;         /* times, or frames; 0: the last row */
  const double *times;  /* [count] of a picture */
  const double *window; /* [2] of a film; NULL: the whole record */
  double rate;          /* of a film; 0: by its time */
  const thud_plot_options *options;
  const char *path;
} looks;

/* Times of a film. */
typedef struct looks_times {
  double *times; /* [count], to be freed */
  double step;   /* between them */
  double delay;  /* how long each is shown, in s */
} looks_times;

/* Spread evenly over [start, end], the times of the record, as far as they are in the window. */
thud_error thud_looks_spread(const looks *shown, double start, double end, looks_times *spread);

/* looks_bodies.c, looks_drawing.c */
thud_error thud_looks_draw_bodies(const looks *shown);
thud_error thud_looks_draw_drawing(const looks *shown);

#endif
