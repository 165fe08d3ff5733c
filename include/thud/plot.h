/* thud/plot.h: line plots for print: PNG, SVG and PDF.
 *
 * A figure is a column of panels that share the x axis. Jumps are drawn as jumps: two successive points at the same x
 * (left and right limit) become a dotted connector with an open and a closed circle. Large series are thinned to what
 * can be seen, extremes included. The same figure gives the same bytes.
 * Texts are UTF-8 and are printed as they are ("m/s²", "θ"). */
#ifndef THUD_PLOT_H
#define THUD_PLOT_H

#include "thud/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum thud_plot_style {
  THUD_PLOT_LINE = 0,
  THUD_PLOT_STEPS = 1, /* every value holds until the next x */
  THUD_PLOT_MARKERS = 2,
  THUD_PLOT_LINE_MARKERS = 3,
  THUD_PLOT_STEMS = 4, /* vertical strokes from 0: atoms of a measure */
  THUD_PLOT_POINTS = 5 /* small dots, none left out: sections, bifurcation diagrams */
} thud_plot_style;

typedef enum thud_plot_dash { THUD_PLOT_SOLID = 0, THUD_PLOT_DASHED = 1, THUD_PLOT_DOTTED = 2 } thud_plot_dash;

#define THUD_PLOT_COLOURS 8 /* Okabe and Ito's palette, in the order blue, vermilion, green, ... */

typedef struct thud_plot_series {
  const char *label;   /* NULL or "": not in the legend */
  size_t count;        /* >= 1 */
  const double *x, *y; /* [count] finite; positive on logarithmic axes */
  thud_plot_style style;
  thud_plot_dash dash;
  int colour;           /* 0: the next one of the palette; 1..THUD_PLOT_COLOURS: that one */
  bool no_jumps;        /* points at the same x are ordinary points (curves in a plane) */
  size_t break_count;   /* the line is interrupted in front of these points */
  const size_t *breaks; /* [break_count] increasing, in 1..count-1 */
} thud_plot_series;

/* Triangle with legs 1 and |order| in a doubly logarithmic panel, below the data (order > 0). */
typedef struct thud_plot_slope {
  double order;
  size_t series; /* the series it stands beside */
} thud_plot_slope;

/* Straight line across the panel. */
typedef struct thud_plot_rule {
  bool vertical;
  double value;
  const char *label; /* NULL: none */
} thud_plot_rule;

typedef struct thud_plot_panel {
  const char *y_label, *y_unit; /* NULL: none */
  bool y_log;
  bool y_fixed; /* y_minimum .. y_maximum instead of the range of the data */
  double y_minimum, y_maximum;
  size_t y_name_count; /* > 0: the values 0, 1, ... have names, which are the labels of the axis */
  const char *const *y_names;
  size_t series_count; /* >= 1 */
  const thud_plot_series *series;
  size_t slope_count;
  const thud_plot_slope *slopes;
  size_t rule_count;
  const thud_plot_rule *rules;
} thud_plot_panel;

typedef struct thud_plot_figure {
  const char *title;            /* NULL: none */
  const char *x_label, *x_unit; /* NULL: none */
  bool x_log;
  bool equal_aspect;  /* one unit of x is as long as one of y; one panel, no logarithmic axis */
  size_t panel_count; /* >= 1 */
  const thud_plot_panel *panels;
} thud_plot_figure;

typedef struct thud_plot_options {
  size_t size;
  bool overwrite;
  double width;     /* in */
  double height;    /* in; 0: chosen from the number of panels */
  double font_size; /* pt, of labels; tick labels and legends are a little smaller */
  double dpi;       /* of PNG */
} thud_plot_options;

THUD_API const thud_option_table *thud_plot_option_table(void);
THUD_API thud_plot_options thud_plot_options_default(void);

/* Writes the figure; the suffix .png, .svg or .pdf decides the format. The file appears complete or not at all.
 * options may be NULL. */
THUD_API thud_error thud_plot_write(thud_context *context, const thud_plot_figure *figure,
                                    const thud_plot_options *options, const char *path);

#ifdef __cplusplus
}
#endif
#endif
