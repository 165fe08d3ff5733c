/* Where everything of a figure goes on paper. Lengths in pt, y downwards. */
#ifndef THUD_SRC_PLOT_LAYOUT_H
#define THUD_SRC_PLOT_LAYOUT_H

#include "plot/canvas.h"
#include "plot/path.h"
#include "plot/ticks.h"

enum { THUD_PLOT_TEXT = 512, THUD_PLOT_NOTE_LINES = 3, THUD_PLOT_TITLE_LINES = 3 };

typedef struct thud_plot_box {
  double left, top, right, bottom;
} thud_plot_box;

/* Where the lines of a legend go: column after column. */
typedef struct thud_plot_legend {
  size_t count;         /* of lines; 0: there is none */
  size_t shown;         /* less than count when there is no room: the last one then says how many are missing */
  size_t rows, columns; /* rows * columns >= shown */
  double font, row;     /* size of the letters; height of a row */
  double sample, label; /* widths of a sample and of the text beside it, which is cut when it is longer */
  thud_plot_box box;    /* outside of the data areas of all panels */
} thud_plot_legend;

typedef struct thud_plot_panel_layout {
  const thud_plot_panel *panel;
  thud_plot_box box; /* the data area */
  thud_plot_legend legend;
  thud_plot_axis x, y;
  thud_ticks y_ticks;
  int first_colour; /* palette index of the first series without a colour of its own */
} thud_plot_panel_layout;

typedef struct thud_plot_layout {
  thud_context *context;
  thud_canvas *canvas;
  cairo_t *cairo; /* of the canvas: path, pen, font */
  const thud_plot_figure *figure;
  double width, height;
  double font, small_font;    /* labels; ticks and legends */
  bool bare;                  /* no axes: a painter has the room below the title, but for a strip at the bottom */
  double resolution;          /* of the paper: half a dot of PNG, a quarter of a pt otherwise */
  double dot;                 /* of images, PNG or within other formats */
  double note_font, note_row; /* of the letters and lines of the note */
  size_t note_lines;
  char note[THUD_PLOT_NOTE_LINES][THUD_PLOT_TEXT];
  double title_row;   /* of the lines of a long title */
  size_t title_lines; /* of a title that does not fit on one line; at most 1: it is fitted */
  char title[THUD_PLOT_TITLE_LINES][THUD_PLOT_TEXT];
  thud_ticks x_ticks;
  thud_plot_panel_layout *panels; /* [panel_count] */
  thud_plot_path path;            /* work space of the series being drawn */
} thud_plot_layout;

/* Painter over a figure of one panel, with some room right of it. */
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

/* Height of panels with their axes in pt when the user leaves it open, without notes and legends. */
double thud_plot_natural_height(const thud_plot_figure *figure, double width);
/* Height of the whole figure; cairo, figure, width, font sizes and bare are given. */
double thud_plot_wanted_height(const thud_plot_layout *layout);

/* Between panels, and between a panel and a legend beside it. */
double thud_plot_gap(const thud_plot_layout *layout);
/* Fills ranges, ticks and boxes; context, cairo, figure, sizes and panels' memory are given. */
void thud_plot_lay_out(thud_plot_layout *layout);

/* text.c: text whose reference point is (x, y); along: 0 left, 0.5 centre, 1 right; up: share of the cap height below it. */
void thud_plot_set_font(const thud_plot_layout *layout, double size, bool bold);
double thud_plot_text_width(const thud_plot_layout *layout, const char *text);
void thud_plot_put_text(const thud_plot_layout *layout, const char *text, double x, double y, double along, double up);
/* Cuts the end of a text that is longer than the length, in the font that is set; fitted has THUD_PLOT_TEXT bytes. */
void thud_plot_cut_text(const thud_plot_layout *layout, const char *text, double length, char *fitted);
/* The same after lowering the font to the smallest that can be read. */
void thud_plot_fit_text(const thud_plot_layout *layout, const char *text, double size, bool bold, double length,
                        char *fitted);
/* Breaks a text between words into at most `most` lines of this length, the last of which may be cut; returns how many. */
size_t thud_plot_wrap_text(const thud_plot_layout *layout, const char *text, double length, size_t most,
                           char (*lines)[THUD_PLOT_TEXT]);
/* A heading in the middle between two places, in a font so small that it fits. */
/* Size of titles in sizes of the font. */
extern const double thud_plot_title_share;
void thud_plot_put_title(const thud_plot_layout *layout, const char *title, double left, double right, double y);

/* draw.c */
thud_error thud_plot_draw(thud_plot_layout *layout);
/* The frame with its ticks, again over what a painter has painted. */
void thud_plot_draw_frame(const thud_plot_layout *layout, const thud_plot_panel_layout *panel);
/* pen.c: colour number k of the palette, from 0 on. */
const double *thud_plot_colour(size_t k);

/* series.c: a series in its panel, and what stands for it in a legend. */
thud_error thud_plot_draw_series(thud_plot_layout *layout, const thud_plot_panel_layout *panel, size_t k);
/* How the series looks once colours, dashes and markers that were left open are chosen. */
thud_plot_key thud_plot_look(const thud_plot_panel_layout *panel, size_t series);
void thud_plot_draw_sample(const thud_plot_layout *layout, const thud_plot_key *look, double left, double right,
                           double y);

/* legend.c. Narrow figures have their legends above the panels, others right of them. */
bool thud_plot_legend_is_above(const thud_plot_layout *layout);
/* Everything but the place of the box, whose left and upper edges are 0: in a column, or in rows, for so much room. */
thud_plot_legend thud_plot_legend_fit(const thud_plot_layout *layout, const thud_plot_panel *panel, double width,
                                      double height);
thud_plot_legend thud_plot_legend_above(const thud_plot_layout *layout, const thud_plot_panel *panel, double width,
                                        double height);
void thud_plot_draw_legend(const thud_plot_layout *layout, const thud_plot_panel_layout *panel);

#endif
