/* Where everything of a figure goes on paper. Lengths in pt, y downwards. */
#ifndef THUD_SRC_PLOT_LAYOUT_H
#define THUD_SRC_PLOT_LAYOUT_H

#include "plot/path.h"
#include "plot/ticks.h"

#include <cairo.h>

enum { THUD_PLOT_TEXT = 512 };

typedef struct thud_plot_box {
  double left, top, right, bottom;
} thud_plot_box;

typedef struct thud_plot_panel_layout {
  const thud_plot_panel *panel;
  thud_plot_box box; /* the data area */
  thud_plot_axis x, y;
  thud_ticks y_ticks;
  int first_colour; /* palette index of the first series without a colour of its own */
} thud_plot_panel_layout;

typedef struct thud_plot_layout {
  thud_context *context;
  cairo_t *cairo;
  const thud_plot_figure *figure;
  double width, height;
  double font, small_font; /* labels; ticks and legends */
  bool legend_beside;      /* right of the panels */
  bool bare;               /* no axes: a painter has the room below the title, but for a strip at the bottom */
  double resolution;       /* of the paper: half a dot of PNG, a quarter of a pt otherwise */
  double dot;              /* of images, PNG or within other formats */
  thud_ticks x_ticks;
  thud_plot_panel_layout *panels; /* [panel_count] */
  thud_plot_path path;            /* work space of the series being drawn */
} thud_plot_layout;

/* What is painted over a figure of one panel, with some room right of it. */
typedef struct thud_plot_painter {
  thud_error (*paint)(void *user, const thud_plot_layout *layout);
  void *user;
  double margin; /* the room, in sizes of the font */
  bool bare;     /* as that of the layout */
} thud_plot_painter;

/* write.c: thud_plot_write with a painter, which may be NULL. */
thud_error thud_plot_write_painted(thud_context *context, const thud_plot_figure *figure,
                                   const thud_plot_painter *painter, const thud_plot_options *options,
                                   const char *path);

/* Several figures of equal size on one page, row by row. */
typedef struct thud_plot_cell {
  const thud_plot_figure *figure;
  const thud_plot_painter *painter; /* NULL: none */
} thud_plot_cell;

/* A page of cells, below a title and above a footer. */
typedef struct thud_plot_sheet {
  const char *title; /* NULL: none */
  size_t count;
  const thud_plot_cell *cells;     /* [count] */
  size_t columns;                  /* of cells; 0: chosen */
  const thud_plot_painter *footer; /* on a layout without a figure, as wide as the page; NULL: none */
  double footer_height;            /* in sizes of the font */
} thud_plot_sheet;

/* The height of the options is that of the page. */
thud_error thud_plot_write_sheet(thud_context *context, const thud_plot_sheet *sheet, const thud_plot_options *options,
                                 const char *path);
/* The page as an image of the options' resolution, to be destroyed by the caller. */
thud_error thud_plot_draw_sheet(thud_context *context, const thud_plot_sheet *sheet, const thud_plot_options *options,
                                cairo_surface_t **image);
/* Without a footer. title: above all of them; NULL: none. */
thud_error thud_plot_write_page(thud_context *context, const char *title, size_t count, const thud_plot_cell *cells,
                                const thud_plot_options *options, const char *path);

/* Height of the figure in pt when the user leaves it open. */
double thud_plot_natural_height(const thud_plot_figure *figure, double width);

/* Between panels, and between a panel and a legend beside it. */
double thud_plot_gap(const thud_plot_layout *layout);
/* Fills ranges, ticks and boxes; context, cairo, figure, sizes and panels' memory are given. */
void thud_plot_lay_out(thud_plot_layout *layout);

/* Text whose reference point is (x, y); along: 0 left, 0.5 centre, 1 right; up: share of the cap height below it. */
void thud_plot_set_font(const thud_plot_layout *layout, double size, bool bold);
double thud_plot_text_width(const thud_plot_layout *layout, const char *text);
void thud_plot_put_text(const thud_plot_layout *layout, const char *text, double x, double y, double along, double up);
/* A heading in the middle between two places, in a font so small that it fits. */
void thud_plot_put_title(const thud_plot_layout *layout, const char *title, double left, double right, double y);

/* draw.c, legend.c */
thud_error thud_plot_draw(thud_plot_layout *layout);
/* The frame with its ticks, again over what a painter has painted. */
void thud_plot_draw_frame(const thud_plot_layout *layout, const thud_plot_panel_layout *panel);
/* Colour number k of the palette, from 0 on. */
const double *thud_plot_colour(size_t k);
thud_error thud_plot_draw_legend(thud_plot_layout *layout, const thud_plot_panel_layout *panel);
/* Of the legend of the panel, in pt; 0: it has none. */
double thud_plot_legend_width(const thud_plot_layout *layout, const thud_plot_panel *panel);
void thud_plot_draw_sample(const thud_plot_layout *layout, const thud_plot_panel_layout *panel, size_t series,
                           double left, double right, double y);

#endif
