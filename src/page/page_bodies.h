/* Recorded bodies of a page: what all frames share, found in a first pass over the rows, and their motion. */
#ifndef THUD_SRC_PAGE_BODIES_H
#define THUD_SRC_PAGE_BODIES_H

#include "page/page.h"
#include "run/run_bodies.h"

typedef struct page_bodies {
  page_record *record;
  body_record rows;
  size_t count, frame_count;
  int dimension;
  size_t *frames;         /* [frame_count] numbers of the rows that are shown */
  double *t;              /* [frame_count] */
  thud_pose *first;       /* [count] poses of the first row shown */
  bool *moves;            /* [count] */
  size_t moving_count;    /* m */
  int32_t *moving;        /* [moving_count] numbers of bodies */
  double *radius;         /* [count] around the centre of mass; 0: endless */
  thud_bounds room;       /* of all rows */
  double low[3], high[3]; /* of the centres of mass of what moves */
  double step, turn_step; /* of positions; of quaternions or angles */
  size_t most_contacts;   /* kept of one frame */
  size_t dropped;         /* frames with more */
  size_t contact_count, contact_capacity;
  body_contact *contacts; /* [contact_count] of all frames; impulse: the force */
  int32_t *contact_ends;  /* [frame_count] */
  unsigned char *known;   /* [frame_count] 1: the contacts of the frame are recorded */
} page_bodies;

/* First pass: which rows, what moves, and where. Freed also after a failure. */
thud_error thud_page_bodies_survey(page_bodies *bodies, thud_scene *scene); /* bodies_survey.c */
void thud_page_bodies_free(page_bodies *bodies);
void thud_page_write_shapes(page_bodies *bodies); /* bodies_shapes.c */
void thud_page_write_motion(page_bodies *bodies); /* bodies_motion.c: second pass */
/* Those of a row that was read, as those of frame k. */
thud_error thud_page_keep_contacts(page_bodies *bodies, size_t k, const body_row *row); /* bodies_contacts.c */
void thud_page_write_contacts(page_bodies *bodies);

#endif
