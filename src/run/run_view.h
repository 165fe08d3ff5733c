/* Shared by the views of the kinds of motion: reading a record at a moment and adding marks to a drawing. A view is one
 * file, view_<kind>.c; its function is the `draw` entry of the kind's table. */
#ifndef THUD_SRC_RUN_RUN_VIEW_H
#define THUD_SRC_RUN_RUN_VIEW_H

#include "base/base.h"
#include "scene/build.h"
#include "thud/drawing.h"
#include "thud/moment.h"

#include <stdint.h>

/* A drawing in the making. The first failure stays, and whatever follows it does nothing: a view asks for the error once,
 * at its end. Values that could not be read are NULL, to which every function below is indifferent. */
typedef struct thud_view {
  thud_context *context;
  thud_moment *moment;
  thud_record_reader *reader;
  thud_drawing *drawing;
  thud_arena *arena; /* of all arrays */
  double t;
  thud_side side; /* of the scene's data */
  size_t row;     /* the last one at or before the moment */
  size_t rows;    /* of the record */
  thud_error error;
} thud_view;

thud_view thud_view_begin(const thud_scene *scene, thud_moment *moment, thud_drawing *drawing);
/* Frees the arrays and gives the first failure. */
thud_error thud_view_end(thud_view *view);

/* [count] zeros; NULL after a failure. */
double *thud_view_array(thud_view *view, size_t count);
void thud_view_panel(thud_view *view, thud_drawing_panel panel);
/* The mark with these elements; none of them where numbers is NULL. */
void thud_view_mark(thud_view *view, thud_mark mark, size_t count, const double *numbers);
/* One arrow, or none where the vector is 0 or not known; foot and vector in the plane. */
void thud_view_arrow(thud_view *view, thud_mark mark, double x, double y, double dx, double dy);
/* A text that the drawing may keep: of at most 255 bytes. */
const char *thud_view_text(thud_view *view, const char *format, ...) THUD_PRINTF(2, 3);

/* ---- the record ------------------------------------------------------------------------------------------------------ */

/* Values of a channel at the moment, by its look; THUD_ERROR_FORMAT unless there are `width` of them. */
const double *thud_view_values(thud_view *view, const char *channel, size_t width);
/* Those of a row. */
const double *thud_view_row(thud_view *view, const char *channel, size_t width, size_t row);
/* Straight between the rows around the moment: of fields that the record gives at its rows only. */
const double *thud_view_straight(thud_view *view, const char *channel, size_t width);
/* True if the moment is the time of a row. */
bool thud_view_is_at_row(thud_view *view);
/* The rows at both ends of the step that the moment lies in, or that ends there; the same ones twice at the start. */
void thud_view_step(thud_view *view, size_t *before, size_t *after);
/* Two components of a channel (THUD_VIEW_TIME: the time) at rows up to the moment, about 250 at most, and at the moment
 * itself: where a point has been, as a line that grows. */
#define THUD_VIEW_TIME SIZE_MAX
const double *thud_view_trace(thud_view *view, const char *channel, size_t width, const size_t components[2],
                              size_t *count);
/* The least and the largest value of each component over the whole record, by about 250 rows: low[width], high[width]. */
void thud_view_range(thud_view *view, const char *channel, size_t width, double *low, double *high);

#endif
