/* The marks of a film over all its frames. */
#ifndef THUD_SRC_PAGE_FILM_MARKS_H
#define THUD_SRC_PAGE_FILM_MARKS_H

#include "page/page.h"
#include "thud/film.h"

#include <float.h>

enum { PAGE_MARK_SIZE = 8 }; /* room for the numbers of an element */

typedef struct page_mark {
  thud_mark look; /* as in the first frame; texts are copies, numbers are not kept */
  size_t panel, size;
  int dimension;
  bool stretched; /* its panel is */
  bool still;     /* the same numbers in all frames so far */
  bool steady;    /* the same count in all frames so far */
  size_t first_count;
  size_t value_count, capacity;
  double *values;     /* [value_count] frame after frame; of a still one those of the first */
  int32_t *ends;      /* [frames] elements up to and with each */
  int32_t *triangles; /* [3*look.triangle_count] */
  double low, high;   /* of the values of a surface */
} page_mark;

typedef struct page_film {
  page_record *record;
  thud_scene *scene;
  thud_film *film;
  size_t frame_count, mark_count, room_count;
  page_mark *marks;            /* [mark_count] */
  const thud_film_room *rooms; /* [room_count] */
} page_film;

/* Draws all frames and keeps their numbers. Nothing of the page is written. Freed also after a failure. */
thud_error thud_page_film_gather(page_film *film);
void thud_page_film_free(page_film *film);

#endif
