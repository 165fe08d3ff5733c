/* Points of a section of one motion of a sweep. */
#ifndef THUD_SRC_STUDY_SECTION_H
#define THUD_SRC_STUDY_SECTION_H

#include "scene/system.h"
#include "thud/study.h"

typedef struct point_list {
  size_t count, capacity;
  thud_sweep_point *items;
} point_list;

/* What a run keeps while it goes; everything belongs to its own context. */
typedef struct section_run {
  thud_context *context;
  const thud_sweep_study_options *options;
  const thud_scene *scene;
  size_t run;
  double value;
  thud_expr *quantity, *where; /* where: NULL for impacts and the end */
  double *variables;           /* [variables of the scope] */
  thud_index *q_slots, *v_slots;
  thud_index constraint; /* whose impacts count, -1: any */
  double period, next_period;
  /* Stepped motions: the node before. */
  bool begun;
  double t_before, where_before;
  double *q_before, *v_before, *q_mid, *v_mid; /* [n] */
  double where_size;                           /* event-driven motions: largest |where| so far */
  point_list points;
  thud_error error;
} section_run;

/* Of context, options, scene, run and value. To be released also on failure. */
thud_error section_prepare(section_run *run);
void section_release(section_run *run);

double section_evaluate(section_run *run, const thud_expr *expr, double t, const double *q, const double *v);
/* Nothing before options->after. What fails is run->error. */
void section_add_point(section_run *run, double t, const double *q, const double *v);

/* Sinks of motions; user is the section_run. */
int section_on_frame(void *user, const thud_motion_frame *frame);
int section_on_arc(void *user, const thud_event_arc *arc);
int section_on_event(void *user, const thud_event *event);

#endif
