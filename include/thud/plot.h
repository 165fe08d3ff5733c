/* thud/plot.h: line plots for print: PNG, SVG and PDF.
 *
 * A figure is a column of panels that share the x axis, with their legends beside them (above them where the figure is
 * narrow), never on the data. Jumps are drawn as jumps: two successive points at the same x
 * (left and right limit) become a dotted connector with an open and a closed circle. Large series are thinned to what
 * can be seen, extremes included. The same figure gives the same bytes. Text in SVG is text (DejaVu Sans, or what there is),
 * with groups for panels and series and a description of the picture.
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
  THUD_PLOT_STEMS = 4,  /* vertical strokes from 0: atoms of a measure */
  THUD_PLOT_POINTS = 5, /* small dots, none left out: sections, bifurcation diagrams */
  THUD_PLOT_AREA = 6    /* closed polygons, one after each break, filled pale grey all at once: forbidden regions */
} thud_plot_style;

typedef enum thud_plot_dash {
  THUD_PLOT_SOLID = 0,
  THUD_PLOT_DASHED = 1,
  THUD_PLOT_DOTTED = 2,
  THUD_PLOT_DASH_DOT = 3,
  THUD_PLOT_LONG_DASHED = 4,
  THUD_PLOT_SHORT_DASHED = 5,
  THUD_PLOT_DASH_DOT_DOT = 6,
  THUD_PLOT_SPARSE = 7 /* dots far from each other */
} thud_plot_dash;

/* Marker at the points of styles with markers. */
typedef enum thud_plot_marker {
  THUD_PLOT_MARKER_BY_ORDER = 0, /* told apart by shape, in the order of the series */
  THUD_PLOT_MARKER_OPEN = 1,     /* circle: where something starts */
  THUD_PLOT_MARKER_FILLED = 2,   /* disc: where it ends */
  THUD_PLOT_MARKER_SQUARE = 3,
  THUD_PLOT_MARKER_TRIANGLE = 4,
  THUD_PLOT_MARKER_DIAMOND = 5
} thud_plot_marker;

/* Okabe and Ito's palette in the order blue, vermilion, green, purple, orange, sky blue, black, yellow, then indigo, wine,
 * olive and dark red. Further series of a panel get the same colours with dashed, dotted and dash-dotted lines. */
#define THUD_PLOT_COLOURS 12

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
  thud_plot_marker marker;
  bool no_range; /* drawn as far as it lies within the panel, whose ranges are those of the other series */
} thud_plot_series;

/* Triangle with legs 1 and |order| in a doubly logarithmic panel, below the data (order > 0). */
typedef struct thud_plot_slope {
  double order;
  size_t series; /* the series it is beside */
} thud_plot_slope;

/* Straight line across the panel. */
typedef struct thud_plot_rule {
  bool vertical;
  double value;
  const char *label; /* NULL: none */
} thud_plot_rule;

/* A line of a legend that is made by hand: two properties of many curves, each explained once. */
typedef struct thud_plot_key {
  const char *label;
  bool heading; /* of those that follow: without a sample */
  thud_plot_style style;
  thud_plot_dash dash;
  int colour; /* 1..THUD_PLOT_COLOURS; 0: grey, where the colour says something else */
  thud_plot_marker marker;
} thud_plot_key;

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
  size_t key_count; /* > 0: the legend has these lines instead of one for every series with a label */
  const thud_plot_key *keys;
} thud_plot_panel;

typedef struct thud_plot_figure {
  const char *title;            /* NULL: none */
  const char *x_label, *x_unit; /* NULL: none */
  bool x_log;
  bool equal_aspect;  /* one unit of x is as long as one of y; one panel, no logarithmic axis */
  size_t panel_count; /* >= 1 */
  const thud_plot_panel *panels;
  bool x_fixed; /* x_minimum .. x_maximum instead of the range of the data */
  double x_minimum, x_maximum;
  const char *note; /* small and grey below the picture: what was left out; NULL: none */
} thud_plot_figure;

typedef struct thud_plot_options {
  size_t size;
  bool overwrite;
  double width;     /* in */
  double height;    /* in; 0: chosen from the number of panels */
  double font_size; /* pt, of labels; tick labels and legends are a little smaller */
  double dpi;       /* of PNG */
} thud_plot_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_plot_option_table(void);
THUD_OPTIONS_DEFAULT(thud_plot_options, thud_plot_option_table)

/* Writes the figure; the suffix .png, .svg or .pdf decides the format. The file appears complete or not at all.
 * options may be NULL. */
THUD_API thud_error thud_plot_write(thud_context *context, const thud_plot_figure *figure,
                                    const thud_plot_options *options, const char *path);

/* ---- pictures of records ------------------------------------------------------------------------------------------
 */

#define THUD_PLOT_RECORDS 8    /* records that fit into one picture */
#define THUD_PLOT_PANELS 8     /* and panels */
#define THUD_PLOT_COMPONENTS 8 /* components of a channel that are drawn unless others are asked for */

/* Choice of what is drawn; everything may be NULL. */
typedef struct thud_plot_choice {
  const char *panels;     /* "A,B,...": channels, components or expressions (below); NULL: the state, reactions and
                             impulses. One panel each, or one for every unit that the components have */
  const char *components; /* "X,Y,...": only these; NULL: the first eight, of more those that do not stand
                             still, spread over the places of a field. Channels that are not part of the state and have none of them are drawn whole */
  const char *phase;      /* "X,Y": the curve of two components in their plane instead of panels: of the state, of any
                             channel as "channel.component", or expressions. Where constraints forbid part of the plane of
                             two coordinates it is shaded */
  const char *title;      /* NULL: that of the first record */
  const char *cone;     /* name of a contact of quasi-static records: the path of its reaction within its friction cone
                             (in space: divided by mu r_N, within the unit disc) instead of panels */
  const char *profile;  /* "A,B,...": channels whose components are named by places, p(0.25), over these places instead
                              of time, one panel each; contact and stick zones are marked. "line": a string or beam
                              over its length, v and u at the times, the reaction at the last one as a density and
                              atoms, and over all times where it sticks and slips and where its velocity jumps */
  const char *times;    /* "T,...": of the profiles; NULL: the last row */
  const double *window; /* [2] only what happens from the first to the second time; NaN: from the start, up to the end;
                           NULL: everything */
  const char *logarithmic; /* "x,y,PANEL,...": logarithmic axes: x, y of all panels, y of panels by their names, which
                              come before the axes x and y; "-": none. NULL: residuals */
  bool difference;         /* every further record minus the first one, at the times of both, instead of the records */
} thud_plot_choice;

/* A figure made from records of any kind of motion, by the descriptions of their channels alone (thud/record.h). A
 * panel is a channel of the frames, drawn by its look; `left` and `atom` say where it jumps. There are also:
 *   - the slopes of a series that has a `left` channel, by the name of that channel without "_left" (v for v_left);
 *   - "impulse": the atoms of the first channel that is a measure (DENSITY, IMPULSE), or else the events' channel of
 *     role "impulse", as stems;
 *   - the channels of the events, at their times.
 * Events that give no impulse are marked by lines with the names of their kinds when a single record has a few.
 *
 * Expressions (thud/expr.h) are made of t, the parameters, definitions and data of the scene, and the components of the
 * frames' channels by their names, those of the state first; they are evaluated at the record's times, with both limits
 * where something jumps. */
typedef struct thud_picture thud_picture;

/* The records are read whole; choice may be NULL. THUD_ERROR_NOT_FOUND when a record has no such panel or component:
 * the message lists those that it has. */
THUD_API thud_error thud_picture_create(thud_context *context, size_t record_count, const char *const *records,
                                        const thud_plot_choice *choice, thud_picture **picture);
/* Borrowed from the picture. */
THUD_API const thud_plot_figure *thud_picture_figure(const thud_picture *picture);
/* Notes on omissions, one sentence each: components, events, values that an axis cannot show. Borrowed from the picture;
 * NULL beyond the last one. */
THUD_API size_t thud_picture_note_count(const thud_picture *picture);
THUD_API const char *thud_picture_note(const thud_picture *picture, size_t k);
THUD_API void thud_picture_destroy(thud_picture *picture);
/* All at once: the figure of these records, written to a file. choice and options may be NULL. */
THUD_API thud_error thud_plot_records(thud_context *context, size_t record_count, const char *const *records,
                                      const thud_plot_choice *choice, const thud_plot_options *options,
                                      const char *path);

/* ---- fields ---------------------------------------------------------------------------------------------------------
 */

typedef struct thud_field_choice {
  const char *field; /* "v", "pressure" (reaction per area), "status", "u" or "r" (their magnitudes); NULL: "v" */
  double at;         /* the last row at or before this time; NaN: the last row */
  const char *title; /* NULL: that of the record */
  THUD_RESERVED(4);
} thud_field_choice;

/* A field on the mesh of a recorded membrane or plate, in colours with their scale; choice and options may be NULL.
 * THUD_ERROR_NOT_FOUND when the record has no such field: the message lists those that it has. */
THUD_API thud_error thud_plot_field(thud_context *context, const char *record, const thud_field_choice *choice,
                                    const thud_plot_options *options, const char *path);

/* ---- what a motion looks like ---------------------------------------------------------------------------------------
 */

#define THUD_PLOT_SNAPSHOTS 9 /* that fit into one picture */

typedef struct thud_snapshot_choice {
  size_t count;        /* of times, at most THUD_PLOT_SNAPSHOTS; 0: the last row */
  const double *times; /* [count] of bodies each stands for the row nearest to it */
  bool forces;         /* of bodies: draw contact forces, as far as they are recorded */
  const double
      *view; /* [2] in space: azimuth about the vertical axis and elevation of the eye, degrees; NULL: -60, 25 */
  const char *title; /* NULL: that of the record */
  THUD_RESERVED(4);
} thud_snapshot_choice;

/* A recorded motion at several times, side by side at the same scale. Bodies: in the plane their outlines with axes, in
 * space their surfaces, shaded, seen from far away. The frame fits those that move by forces; planes are pale and fade away,
 * and what stands still is transparent in front of what moves. In SVG and PDF bodies of space are an image of the asked
 * resolution. Other motions: the drawing that their kind and the `draw` section of their scene give (thud/film.h), with all
 * its panels. choice and options may be NULL. THUD_ERROR_NOT_FOUND when nothing says what the motion looks like. */
THUD_API thud_error thud_plot_snapshot(thud_context *context, const char *record, const thud_snapshot_choice *choice,
                                       const thud_plot_options *options, const char *path);

typedef struct thud_plot_film_choice {
  int frames;  /* at least 2; 0: 100 */
  double rate; /* frames per second; 0: the film lasts as long as the motion, one unit of time as a second, but at
                           most a minute and with at most 50 frames per second */
  const double *window; /* [2] first and last time; NaN, or NULL: those of the record */
  bool forces;          /* as in snapshots */
  const double *view;   /* [2] as in snapshots; NULL: -60, 25 */
  const char *title;    /* NULL: that of the record */
  THUD_RESERVED(4);
} thud_plot_film_choice;

/* A recorded motion as a film, an animated PNG that begins again for ever; browsers show it, other programs its first
 * frame. What is seen is that of thud_plot_snapshot, at evenly spread times, with the room of the whole film. Colours are
 * those of a palette of 255. choice and options may be NULL. path ends in .png. */
THUD_API thud_error thud_plot_film(thud_context *context, const char *record, const thud_plot_film_choice *choice,
                                   const thud_plot_options *options, const char *path);

#ifdef __cplusplus
}
#endif
#endif
