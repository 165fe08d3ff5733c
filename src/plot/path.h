/* From data to what can be seen: series as points on paper, thinned. */
#ifndef THUD_SRC_PLOT_PATH_H
#define THUD_SRC_PLOT_PATH_H

#include "thud/plot.h"

/* An axis maps [minimum, maximum] to [from, to] on paper (pt). */
typedef struct thud_plot_axis {
  bool log;
  double minimum, maximum;
  double from, to;
} thud_plot_axis;

double thud_plot_axis_place(const thud_plot_axis *axis, double value);

typedef struct thud_plot_point {
  double x, y; /* pt */
  bool start;  /* no line from the point before */
} thud_plot_point;

typedef struct thud_plot_jump {
  double x, y_left, y_right; /* pt */
} thud_plot_jump;

/* Zeroed before use; arrays are kept between series. */
typedef struct thud_plot_path {
  size_t count, capacity;
  thud_plot_point *points;
  size_t jump_count, jump_capacity;
  thud_plot_jump *jumps;
} thud_plot_path;

/* The line of a series (steps become corners) with its jumps. `resolution`: what may be merged (pt). Where x does not
 * decrease, first, lowest, highest and last point of every column of that width are kept, so at most 4 points per
 * column; other curves keep a point whenever it is further than the resolution from the last one kept, and leave out
 * short pieces between places where the curve has been before (a limit cycle is drawn once). */
thud_error thud_plot_path_build(thud_context *context, const thud_plot_series *series, const thud_plot_axis *x_axis,
                                const thud_plot_axis *y_axis, double resolution, thud_plot_path *path);
void thud_plot_path_release(thud_context *context, thud_plot_path *path);

#endif
