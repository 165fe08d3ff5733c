/* Legends stand beside the data, never on them: in a column right of the panels, which is as wide as the widest needs, or,
 * in narrow figures, in rows above each panel. Long names are cut; many lines become smaller, then several columns. */
#include "plot/pen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double narrow = 3.6 * 72;     /* pt: figures below this width have no room at the side */
static const double smallest_share = 0.75; /* of the font, for many lines */
/* In sizes of the letters. */
static const double sample_width = 2.4, row_height = 1.4, inner = 0.5, between_columns = 1.2, shortest_label = 5;

bool thud_plot_legend_is_above(const thud_plot_layout *layout) { return layout->width < narrow; }

/* ---- lines --------------------------------------------------------------------------------------------------------- */

static bool has_text(const char *text) { return text != NULL && text[0] != '\0'; }

/* A panel whose only curve is what its axis says needs no legend. */
static bool says_nothing(const thud_plot_panel *panel) {
  return panel->series_count == 1 && panel->y_label != NULL && has_text(panel->series[0].label) &&
         strcmp(panel->series[0].label, panel->y_label) == 0;
}

/* The next line from *at on, which goes behind it; false: there is none. */
static bool next_line(const thud_plot_panel_layout *panel, size_t *at, thud_plot_key *line) {
  const thud_plot_panel *from = panel->panel;
  if (from->key_count > 0) {
    if (*at == from->key_count) return false;
    *line = from->keys[(*at)++];
    return true;
  }
  while (*at < from->series_count && !has_text(from->series[*at].label)) ++*at;
  if (*at == from->series_count || says_nothing(from)) return false;
  *line = thud_plot_look(panel, (*at)++);
  return true;
}

/* Headings have the place of their samples, too. */
static double widest_label(const thud_plot_layout *layout, const thud_plot_panel_layout *panel, double font,
                           size_t *count) {
  thud_plot_key line;
  double widest = 0;
  *count = 0;
  thud_plot_set_font(layout, font, false);
  for (size_t at = 0; next_line(panel, &at, &line); ++*count) {
    double width = has_text(line.label) ? thud_plot_text_width(layout, line.label) : 0;
    widest = fmax(widest, line.heading ? width - (sample_width + inner) * font : width);
  }
  return widest;
}

/* ---- sizes --------------------------------------------------------------------------------------------------------- */

static void set_font(thud_plot_legend *legend, double font, double widest) {
  legend->font = font;
  legend->row = row_height * font;
  legend->sample = sample_width * font;
  legend->label = widest;
}

/* Width of a column and its distance from the next one. */
static double column_width(const thud_plot_legend *legend) {
  return legend->sample + legend->label + (inner + between_columns) * legend->font;
}

static size_t rows_within(const thud_plot_legend *legend, double height) {
  return (size_t)fmax(1, floor(height / legend->row + 1e-9));
}

static void set_columns(thud_plot_legend *legend, size_t columns) {
  legend->columns = columns;
  legend->rows = (legend->shown + columns - 1) / columns;
}

/* As many columns as are needed for the height; false when they are too wide. */
static bool fits(thud_plot_legend *legend, double width, double height) {
  size_t rows = rows_within(legend, height);
  set_columns(legend, (legend->count + rows - 1) / rows);
  return (double)legend->columns * column_width(legend) - between_columns * legend->font <= width;
}

/* Names are cut so that the columns fit; what is still too much is counted in the last line. */
static void squeeze(thud_plot_legend *legend, double width, double height) {
  size_t rows = rows_within(legend, height), columns = (legend->count + rows - 1) / rows;
  double fixed = column_width(legend) - legend->label, least = fixed + shortest_label * legend->font;
  size_t most = (size_t)fmax(1, floor((width + between_columns * legend->font) / least));
  if (columns > most) columns = most;
  if (legend->shown > rows * columns) legend->shown = rows * columns;
  double room = (width + between_columns * legend->font) / (double)columns - fixed;
  legend->label = fmax(0, fmin(legend->label, room));
  set_columns(legend, columns);
}

static void set_box(thud_plot_legend *legend) {
  legend->box.right = (double)legend->columns * column_width(legend) - between_columns * legend->font;
  legend->box.bottom = (double)legend->rows * legend->row;
}

thud_plot_legend thud_plot_legend_fit(const thud_plot_layout *layout, const thud_plot_panel *panel, double width,
                                      double height) {
  const thud_plot_panel_layout shown = {.panel = panel};
  double usual = layout->small_font;
  thud_plot_legend legend = {0};
  double widest = widest_label(layout, &shown, usual, &legend.count);
  legend.shown = legend.count;
  if (legend.count == 0) return legend;
  set_font(&legend, usual, widest);
  bool enough_rows = rows_within(&legend, height) >= legend.count;
  if (enough_rows || !fits(&legend, width, height)) {
    double share = enough_rows ? 1 : fmax(smallest_share, height / (row_height * usual * (double)legend.count));
    set_font(&legend, share * usual, share * widest);
    if (!fits(&legend, width, height)) squeeze(&legend, width, height);
  }
  set_box(&legend);
  return legend;
}

/* Rows over the whole width, as many columns as there is room for. */
thud_plot_legend thud_plot_legend_above(const thud_plot_layout *layout, const thud_plot_panel *panel, double width,
                                        double height) {
  const thud_plot_panel_layout shown = {.panel = panel};
  thud_plot_legend legend = {0};
  double widest = widest_label(layout, &shown, layout->small_font, &legend.count);
  legend.shown = legend.count;
  if (legend.count == 0) return legend;
  set_font(&legend, layout->small_font, widest);
  double room = width + between_columns * legend.font;
  size_t columns = (size_t)fmax(1, floor(room / column_width(&legend)));
  set_columns(&legend, columns < legend.count ? columns : legend.count);
  if (legend.rows > rows_within(&legend, height) || column_width(&legend) > room) squeeze(&legend, width, height);
  set_box(&legend);
  return legend;
}

/* ---- drawing ------------------------------------------------------------------------------------------------------- */

static void draw_line(const thud_plot_layout *layout, const thud_plot_legend *legend, const thud_plot_key *line,
                      double left, double y) {
  char fitted[THUD_PLOT_TEXT];
  double gap = inner * legend->font, text = left + (line->heading ? 0 : legend->sample + gap);
  double length = legend->label + (line->heading ? legend->sample + gap : 0);
  if (!line->heading) thud_plot_draw_sample(layout, line, left, left + legend->sample, y);
  thud_pen_gray(layout, line->heading ? 0.35 : 0);
  thud_plot_set_font(layout, legend->font, false);
  thud_plot_cut_text(layout, line->label != NULL ? line->label : "", length + 0.01, fitted);
  thud_plot_put_text(layout, fitted, text, y, 0, 0.5);
}

void thud_plot_draw_legend(const thud_plot_layout *layout, const thud_plot_panel_layout *panel) {
  const thud_plot_legend *legend = &panel->legend;
  thud_plot_key line;
  char more[48];
  if (legend->count == 0) return;
  thud_canvas_group(layout->canvas, "legend", 0, NULL);
  for (size_t at = 0, k = 0; k < legend->shown && next_line(panel, &at, &line); k++) {
    size_t column = k / legend->rows, row = k % legend->rows;
    double left = legend->box.left + (double)column * column_width(legend);
    double y = legend->box.top + ((double)row + 0.5) * legend->row;
    if (k + 1 == legend->shown && legend->shown < legend->count) {
      snprintf(more, sizeof more, "… %zu more", legend->count - k);
      line = (thud_plot_key){.label = more, .heading = true};
    }
    draw_line(layout, legend, &line, left, y);
  }
  thud_canvas_end_group(layout->canvas);
}
