/* Drawings (thud/drawing.h) on paper: what the painters of the plane and of space share. */
#ifndef THUD_SRC_PLOT_DRAWING_H
#define THUD_SRC_PLOT_DRAWING_H

#include "plot/field.h"
#include "plot/plot_layout.h"
#include "plot/snapshot.h"
#include "thud/film.h"

/* Extent of a panel over all drawings of a picture or a film. */
typedef struct drawn_room {
  double low[3], high[3]; /* around everything; in space the height is that before it is stretched */
  double size[3];         /* extents by which scaled arrows are measured: equal where the scales are */
  double longest[THUD_PAINTS];
  double low_value, high_value; /* of surfaces; low > high: there is none */
  double height_scale;          /* in space: heights are multiplied by it to be seen */
} drawn_room;

/* Settings that all drawings share. */
typedef struct drawn_view {
  thud_context *context;
  snapshot_camera camera; /* of panels in space */
  size_t panel_count;
  drawn_room *rooms; /* [panel_count] */
} drawn_view;

/* One panel of one drawing. */
typedef struct drawn_panel {
  const drawn_view *view;
  const thud_drawing *drawing;
  size_t panel;
} drawn_panel;

/* ---- rooms (drawing_room.c) ---- */

/* Begins with what the films measure (thud_film_measure); drawings are then added for what that leaves out: the tips of
 * arrows and the values of surfaces. Released also after a failure. */
void thud_drawn_view_begin(thud_context *context, const double angles[2], drawn_view *view);
thud_error thud_drawn_view_add_rooms(drawn_view *view, size_t panel_count, const thud_film_room *rooms);
/* After the rooms: sizes for arrows, scales of heights. The drawing tells what kind of panels there are. */
void thud_drawn_view_scale(drawn_view *view, const thud_drawing *drawing);
void thud_drawn_view_add(drawn_view *view, const thud_drawing *drawing);
void thud_drawn_view_end(drawn_view *view);
/* The corners of what the axes of a panel show; in space as the eye sees it. */
void thud_drawn_view_frame(const drawn_view *view, const thud_drawing *drawing, size_t panel, double x[2], double y[2]);
/* Where an arrow ends that begins at `foot` [d]; false: it has no direction, or is not finite. */
bool thud_drawn_tip(const drawn_room *room, const thud_mark *mark, int d, const double *numbers, double tip[3]);
/* The colours of the values of its surfaces. */
field_scale thud_drawn_values(const drawn_room *room);
/* As the eye sees a point of a panel in space, with stretched heights. */
thud_vec3 thud_drawn_project(const drawn_view *view, const drawn_room *room, const double x[3]);

/* ---- pens (drawing_pen.c) ---- */

/* Colours and width of a mark. */
typedef struct drawn_pen {
  double line[3], inside[3];
  double width; /* pt */
  double opacity;
  bool dashed, filled;
} drawn_pen;

drawn_pen thud_drawn_pen(const thud_mark *mark);
/* The current path, by the pen: filled where it is, then stroked. */
void thud_drawn_stroke(const thud_plot_layout *layout, const drawn_pen *pen);
void thud_drawn_finish(const thud_plot_layout *layout, const drawn_pen *pen);
/* On paper. */
void thud_drawn_dot(const thud_plot_layout *layout, const drawn_pen *pen, double x, double y);
void thud_drawn_arrow(const thud_plot_layout *layout, const drawn_pen *pen, thud_vec2 from, thud_vec2 to);
void thud_drawn_text(const thud_plot_layout *layout, const thud_mark *mark, const drawn_pen *pen, double x, double y);
enum { DRAWN_SPRING_POINTS = 20 };
/* The corners of a spring on paper between two places. */
void thud_drawn_spring(const thud_plot_layout *layout, thud_vec2 from, thud_vec2 to,
                       thud_vec2 corners[DRAWN_SPRING_POINTS]);
bool thud_drawn_is_finite(size_t count, const double *numbers);

/* ---- painters; user: a drawn_panel ---- */

thud_error thud_drawn_paint_plane(void *user, const thud_plot_layout *layout);
thud_error thud_drawn_paint_space(void *user, const thud_plot_layout *layout);
/* Right of a panel: the colours of its surfaces. */
void thud_drawn_paint_values(const drawn_panel *shown, const thud_plot_layout *layout);

/* ---- pages (drawing_page.c, drawing_legend.c) ---- */

/* A drawing and its time. */
typedef struct drawn_picture {
  const thud_drawing *drawing;
  double t;
} drawn_picture;

/* Heading above the drawings. */
typedef struct drawn_title {
  const char *title, *time_unit;
  double time_step; /* between the times of a film; 0: single times */
} drawn_title;

enum { DRAWN_LABELS = 16 };

/* The labels of the marks, each once, with the mark that has it first. */
typedef struct drawn_legend {
  size_t count;
  const thud_mark *marks[DRAWN_LABELS];
} drawn_legend;

/* All panels of some drawings, as a page. */
typedef struct drawn_sheet {
  thud_context *context;
  char heading[THUD_PLOT_TEXT];
  char (*titles)[THUD_PLOT_TEXT]; /* this and what follows: [cells] */
  double (*corners)[2][2];        /* x and y of the lower and the upper one */
  thud_plot_series *series;
  thud_plot_panel *panels;
  thud_plot_figure *figures;
  drawn_panel *shown;
  thud_plot_painter *painters;
  thud_plot_cell *cells;
  drawn_legend legend;
  thud_plot_painter footer;
  thud_plot_sheet sheet;
} drawn_sheet;

/* page_width in sizes of the font. Everything is borrowed; released also after a failure. */
thud_error thud_drawn_sheet_make(const drawn_view *view, size_t count, const drawn_picture *pictures,
                                 const drawn_title *title, double page_width, drawn_sheet *made);
void thud_drawn_sheet_release(drawn_sheet *made);

void thud_drawn_legend_find(const thud_drawing *drawing, drawn_legend *legend);
/* Height of the legend on a page of this width, both in sizes of the font. */
double thud_drawn_legend_height(const drawn_legend *legend, double page_width);
/* user: a drawn_legend. */
thud_error thud_drawn_paint_legend(void *user, const thud_plot_layout *layout);

#endif
