/* Points of a section of one motion of a sweep. */
#ifndef THUD_SRC_STUDY_STUDY_SECTION_H
#define THUD_SRC_STUDY_STUDY_SECTION_H

#include "run/run_rows.h"
#include "scene/build.h"
#include "thud/kind.h"
#include "thud/study.h"

typedef struct point_list {
  size_t count, capacity;
  thud_sweep_point *items;
} point_list;

/* Impacts wait for the row at their time, which has the coordinates. */
typedef struct section_impacts {
  size_t before, component, impulse; /* channels of events */
  double kind;                       /* label of an impact */
  thud_index constraint;             /* whose impacts count, -1: any */
  double *waiting;                   /* [count * (1 + n)] time and velocities before */
  size_t count, capacity;
} section_impacts;

/* State of a run; everything belongs to its own context. */
typedef struct section_run {
  thud_context *context;
  const thud_sweep_study_options *options;
  const thud_scene *scene;
  size_t run;
  double value;
  thud_expr *quantity, *where; /* where: NULL for impacts and the end */
  double *variables;           /* [variables of the scope] */
  run_state state;             /* of the rows: coordinates, then velocities */
  thud_index *slots;           /* [state.count] variables of the scope */
  double *left, *right;        /* [state.count] limits at the present row */
  double *before;              /* [state.count] right limit at the row before */
  double *mid;                 /* [state.count] between rows */
  bool begun;                  /* there is a row before, at: */
  double t_before;
  double where_size;      /* largest |where| so far */
  section_impacts impact; /* of the events */
  double period, next_period;
  point_list points;
  thud_error error;
} section_run;

/* Prepares a run from context, options, scene, run and value. Release it also on failure. */
thud_error thud_section_prepare(section_run *run);
void thud_section_release(section_run *run);

/* The expression at a state. */
double thud_section_evaluate(section_run *run, const thud_expr *expr, double t, const double *state);
/* Nothing before options->after. What fails is run->error. */
void thud_section_add_point(section_run *run, double t, const double *state);

/* Rows of the motion; the section_run is the user. */
int thud_section_on_row(void *user, double t, unsigned flags, const thud_record_cell *cells);
int thud_section_on_event(void *user, double t, const thud_record_cell *cells);

/* sweep.c: the k-th value, and the scene of a text with the parameter at a value. */
double thud_sweep_value(const thud_sweep_study_options *options, size_t k);
thud_error thud_sweep_build(thud_context *context, const char *text, const char *parameter, double value,
                            thud_scene **scene);

#endif
