/* thud/rows.h: what the motions of sim hand out, as rows of tables. Layer: record.
 *
 * A thud_rows turns the frames, arcs and events of one motion into rows: cells in the order of its layout's channels.
 * Where they go is the business of a sink: a record (thud_record_row_sink), the driver of runs (thud/run.h) or a user's
 * functions. A motion of C functions is recorded by thud_scene_create_system (thud/run.h), or by hand:
 *
 *   thud_rows_create_stepping(context, system, NULL, &rows);
 *   thud_record_create(context, "ball.h5", NULL, &header, thud_rows_layout(rows), &writer);
 *   thud_rows_set_sink(rows, thud_record_row_sink(writer));
 *   thud_motion_run(motion, &(thud_motion_sink){.frame = thud_rows_step, .user = rows}, NULL);
 *   thud_record_close(writer, "good", NULL, NULL); */
#ifndef THUD_ROWS_H
#define THUD_ROWS_H

#include "thud/body_motion.h"
#include "thud/event.h"
#include "thud/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of a frame row. */
enum {
  THUD_ROW_KEEP = 1, /* shows something that must not be thinned out: a jump, an arc */
  THUD_ROW_AGAIN = 2 /* the row that was handed out last, once more: the end of the motion */
};

/* 0: go on; > 0: stop in good order; < 0: fail. Cells are borrowed for the duration of the call. Either function may be
 * NULL. */
typedef struct thud_row_sink {
  int (*frame)(void *user, double t, unsigned flags, const thud_record_cell *cells);
  int (*event)(void *user, double t, const thud_record_cell *cells);
  void *user;
  size_t (*recorded)(void *user); /* frames that have been recorded so far; NULL: all that were handed out */
} thud_row_sink;

/* Appends every row to the record, which must have been made with the layout of the rows. It borrows the writer. */
THUD_API thud_row_sink thud_record_row_sink(thud_record_writer *writer);

/* Names and units of what moves, and what rows hold; everything may be NULL. */
typedef struct thud_row_names {
  const char *const *coordinates; /* [n]; NULL: those of the system, or state[0] ... */
  const char *const *velocities;  /* [n]; NULL: the coordinates with a ' */
  const char *unit;               /* of all coordinates; NULL: "" */
  const char *time_unit;          /* NULL: "s" */
  bool functions; /* rows hold the numbers of the system's functions too (thud_posed), so that a record can be verified
                     without them: for motions with options.keep_posed */
} thud_row_names;

typedef struct thud_rows thud_rows;

/* names may be NULL; everything is copied but the system. tolerance: moves of the state below this, relative to the
 * largest |u| so far, are rounding and no event. */
THUD_API thud_error thud_rows_create_sweeping(thud_context *context, thud_index dimension, double tolerance,
                                              const thud_row_names *names, thud_rows **rows);
THUD_API thud_error thud_rows_create_stepping(thud_context *context, const thud_system *system,
                                              const thud_row_names *names, thud_rows **rows);
THUD_API thud_error thud_rows_create_event(thud_context *context, const thud_system *system,
                                           const thud_row_names *names, thud_rows **rows);
THUD_API void thud_rows_destroy(thud_rows *rows);
/* Borrowed from the rows. */
THUD_API const thud_record_layout *thud_rows_layout(const thud_rows *rows);
THUD_API void thud_rows_set_sink(thud_rows *rows, thud_row_sink sink);

/* Functions for the sinks of the motions, with the rows as their user pointer. */
THUD_API int thud_rows_sweep(void *rows, const void *frame); /* thud_sweep_frame */
THUD_API int thud_rows_step(void *rows, const void *frame);  /* thud_stepping_frame */
THUD_API int thud_rows_arc(void *rows, const void *arc);     /* thud_event_arc */
THUD_API int thud_rows_event(void *rows, const void *event); /* thud_event */
/* The last node again, or the last row of an event-driven motion: its state. */
THUD_API int thud_rows_end_step(thud_rows *rows, const thud_stepping_frame *present);
THUD_API int thud_rows_end_sweep(thud_rows *rows);
THUD_API int thud_rows_end_event(thud_rows *rows, const thud_event_frame *present);

/* ---- rigid bodies ---- */

/* Units made of those of length, mass and time: "m/s", "rad/s", "N s", "N m s", "J" of m, kg and s, otherwise
 * "mg mm/s", "mg mm^2/s", "mg mm^2/s^2". */
typedef struct thud_body_units {
  char length[64], mass[64], time[64];
  char velocity[64], spin[64], impulse[64], moment[64], energy[64];
} thud_body_units;
THUD_API thud_body_units thud_body_units_make(const char *length, const char *mass, const char *time);

typedef struct thud_body_row_options {
  thud_body_units units;
  bool contacts; /* every row has its contacts; otherwise whole ones alone */
  size_t
      whole_every; /* every so many recorded rows one is whole, beginning with the first; 0: none is. Runs of scenes have some
                         whole steps besides (docs/record-format.md) */
} thud_body_row_options;

/* m, kg, s; every row whole. */
THUD_API thud_body_row_options thud_body_row_options_default(void);
/* The model is borrowed; options may be NULL. */
THUD_API thud_error thud_rows_create_bodies(thud_context *context, thud_bodies *bodies,
                                            const thud_body_row_options *options, thud_rows **rows);
/* For a thud_motion_sink, with the rows as its user pointer: a thud_body_frame, a thud_body_event. */
THUD_API int thud_rows_body_step(void *rows, const void *frame);
THUD_API int thud_rows_body_event(void *rows, const void *event);
/* For thud_body_motion_set_changes: changes are events of kinds of their own, at the time of the node before the next row. */
THUD_API int thud_rows_body_change(void *rows, const thud_body_change *change);
/* The last node again. */
THUD_API int thud_rows_end_body_step(thud_rows *rows, const thud_body_frame *present);

/* State of the rows between two calls, without pointers: part of a checkpoint. */
THUD_API size_t thud_rows_state_size(const thud_rows *rows);
THUD_API void thud_rows_save(const thud_rows *rows, void *state);
THUD_API void thud_rows_restore(thud_rows *rows, const void *state);

#ifdef __cplusplus
}
#endif
#endif
