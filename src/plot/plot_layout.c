#include "plot/plot_layout.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Proportions of the page, in units of the font size where not said otherwise. */
static const double margin = 0.8;          /* outer margin */
static const double tick_gap = 0.45;       /* between axis and tick labels */
static const double line_height = 1.35;    /* of one line of text */
static const double panel_gap = 0.9;       /* between panels, and between a panel and a legend beside it */
static const double label_distance = 1.15; /* of labels of the y axis, in sizes of their letters */
static const double bare_strip = 3;        /* below a figure without axes */
static const double legend_gap = 0.4;      /* between a legend and the panel below it */
static const double legend_share = 0.32;   /* of the width of a figure, that a legend right of it takes at most */
static const double above_share = 0.35;    /* of the height of a panel, above it */
static const double least_panel = 1;       /* points, of a figure that is smaller than its margins */
static const double padding = 0.04;        /* of a data range, on both sides */
static const double slope_room = 0.1;      /* of a logarithmic range, below data that carry slope triangles */
static const double single_ratio = 0.64;   /* height / width of a figure with one panel */
static const double panel_ratio = 0.34;    /* height of each of several panels / width */

/* A range narrower than this share of its values is rounding noise, and drawn as a constant. */
static const double noise = 64 * DBL_EPSILON;
static const double narrowest = 1e-280; /* narrower ranges have no decimal steps in double */

/* ---- ranges ---------------------------------------------------------------------------------------------------- */

typedef struct range {
  double minimum, maximum;
} range;

static range widen(range r, double value) { return (range){fmin(r.minimum, value), fmax(r.maximum, value)}; }

static range range_of(size_t count, const double *values) {
  range r = {INFINITY, -INFINITY};
  for (size_t k = 0; k < count; k++) r = widen(r, values[k]);
  return r;
}

static range pad_linear(range r) {
  double size = fmax(fabs(r.minimum), fabs(r.maximum)), width = r.maximum - r.minimum;
  if (width <= fmax(noise * size, narrowest)) {
    double half = size > narrowest ? 0.1 * size : 1;
    return (range){r.minimum - half, r.maximum + half};
  }
  /* Halves first: the width of [-1e308, 1e308] is not a number. */
  double extra = padding * (0.5 * r.maximum - 0.5 * r.minimum) * 2;
  range wide = {r.minimum - extra, r.maximum + extra};
  return isfinite(wide.maximum - wide.minimum) ? wide : r;
}

static range pad_log(range r, double below) {
  double decades = log10(r.maximum / r.minimum);
  if (decades <= noise) return (range){r.minimum / 3, r.maximum * 3};
  return (range){r.minimum * pow(10, -(padding + below) * decades), r.maximum * pow(10, padding * decades)};
}

static bool has_stems(const thud_plot_panel *panel) {
  for (size_t k = 0; k < panel->series_count; k++)
    if (panel->series[k].style == THUD_PLOT_STEMS) return true;
  return false;
}

static range y_range(const thud_plot_panel *panel) {
  range r = {INFINITY, -INFINITY};
  if (panel->y_fixed) return (range){panel->y_minimum, panel->y_maximum};
  for (size_t k = 0; k < panel->series_count; k++) {
    if (panel->series[k].no_range) continue;
    range one = range_of(panel->series[k].count, panel->series[k].y);
    r = widen(widen(r, one.minimum), one.maximum);
  }
  for (size_t k = 0; k < panel->rule_count; k++)
    if (!panel->rules[k].vertical) r = widen(r, panel->rules[k].value);
  if (!panel->y_log && has_stems(panel)) r = widen(r, 0);
  return panel->y_log ? pad_log(r, panel->slope_count > 0 ? slope_room : 0) : pad_linear(r);
}

static range x_range(const thud_plot_figure *figure) {
  range r = {INFINITY, -INFINITY};
  if (figure->x_fixed) return (range){figure->x_minimum, figure->x_maximum};
  for (size_t p = 0; p < figure->panel_count; p++) {
    const thud_plot_panel *panel = &figure->panels[p];
    for (size_t k = 0; k < panel->series_count; k++) {
      if (panel->series[k].no_range) continue;
      range one = range_of(panel->series[k].count, panel->series[k].x);
      r = widen(widen(r, one.minimum), one.maximum);
    }
    for (size_t k = 0; k < panel->rule_count; k++)
      if (panel->rules[k].vertical) r = widen(r, panel->rules[k].value);
  }
  return figure->x_log ? pad_log(r, 0) : pad_linear(r);
}

double thud_plot_natural_height(const thud_plot_figure *figure, double width) {
  if (figure->panel_count > 1) return width * (0.12 + panel_ratio * (double)figure->panel_count);
  if (!figure->equal_aspect) return width * single_ratio;
  range x = x_range(figure), y = y_range(&figure->panels[0]);
  double ratio = (y.maximum - y.minimum) / (x.maximum - x.minimum);
  return width * fmin(1.25, fmax(0.4, ratio * 0.86 + 0.12));
}

/* ---- boxes and ticks --------------------------------------------------------------------------------------------- */

static void make_ticks(const thud_plot_axis *axis, int most, thud_ticks *ticks) {
  if (axis->log)
    thud_ticks_log(axis->minimum, axis->maximum, most, ticks);
  else
    thud_ticks_linear(axis->minimum, axis->maximum, most, ticks);
}

/* The finest ticks whose labels keep a distance of one font size from each other. */
static void make_x_ticks(thud_plot_layout *layout, const thud_plot_axis *axis) {
  for (int most = 11; most >= 2; most--) {
    make_ticks(axis, most, &layout->x_ticks);
    bool fits = true;
    double reach = -INFINITY;
    for (size_t k = 0; k < layout->x_ticks.count; k++) {
      double centre = thud_plot_axis_place(axis, layout->x_ticks.values[k]);
      double half = 0.5 * thud_plot_text_width(layout, layout->x_ticks.labels[k]);
      fits = fits && centre - half >= reach;
      reach = centre + half + layout->font;
    }
    if (fits) return;
  }
}

static double widest_y_label(const thud_plot_layout *layout) {
  double widest = 0;
  for (size_t p = 0; p < layout->figure->panel_count; p++) {
    const thud_ticks *ticks = &layout->panels[p].y_ticks;
    for (size_t k = 0; k < ticks->count; k++) widest = fmax(widest, thud_plot_text_width(layout, ticks->labels[k]));
  }
  return widest;
}

static double top_margin(const thud_plot_layout *layout) {
  const char *title = layout->figure->title;
  double more = layout->title_lines > 1 ? (double)(layout->title_lines - 1) * line_height : 0;
  return layout->font * (margin + (title != NULL && title[0] != '\0' ? 1.3 * line_height + more : 0));
}

static double bottom_margin(const thud_plot_layout *layout) {
  double below = (double)layout->note_lines * layout->note_row;
  if (layout->bare) return layout->font * (margin + bare_strip) + below;
  return layout->font * (margin + tick_gap + line_height) + layout->small_font + below;
}

/* The names of the whole numbers from 0 on that lie within the axis. */
static void name_ticks(const thud_plot_panel *panel, const thud_plot_axis *axis, thud_ticks *ticks) {
  *ticks = (thud_ticks){0};
  for (size_t k = 0; k < panel->y_name_count && ticks->count < THUD_TICKS_MOST; k++) {
    if (!((double)k >= axis->minimum && (double)k <= axis->maximum)) continue;
    ticks->values[ticks->count] = (double)k;
    snprintf(ticks->labels[ticks->count++], THUD_TICK_TEXT, "%s", panel->y_names[k]);
  }
}

static int most_y_ticks(const thud_plot_layout *layout, double height) {
  return (int)fmax(4, fmin(9, height / (2.2 * layout->font)));
}

/* Labels one above the other keep a distance. */
static bool are_apart(const thud_plot_layout *layout, const thud_plot_axis *axis, const thud_ticks *ticks) {
  for (size_t k = 1; k < ticks->count; k++) {
    double lower = thud_plot_axis_place(axis, ticks->values[k - 1]);
    if (fabs(thud_plot_axis_place(axis, ticks->values[k]) - lower) < label_distance * layout->small_font) return false;
  }
  return true;
}

/* Every second one of the names. */
static void thin_out(thud_ticks *ticks) {
  size_t kept = 0;
  for (size_t k = 0; k < ticks->count; k += 2, kept++) {
    ticks->values[kept] = ticks->values[k];
    memmove(ticks->labels[kept], ticks->labels[k], THUD_TICK_TEXT);
  }
  ticks->count = kept;
}

static void make_y_ticks(const thud_plot_layout *layout, thud_plot_panel_layout *panel) {
  thud_ticks *ticks = &panel->y_ticks;
  if (panel->panel->y_name_count > 0) {
    name_ticks(panel->panel, &panel->y, ticks);
    while (ticks->count > 1 && !are_apart(layout, &panel->y, ticks)) thin_out(ticks);
    return;
  }
  for (int most = most_y_ticks(layout, panel->box.bottom - panel->box.top); most >= 2; most--) {
    make_ticks(&panel->y, most, ticks);
    if (are_apart(layout, &panel->y, ticks)) return;
  }
}

/* Height of the legend above a panel in narrow figures. */
static double legend_above(thud_plot_layout *layout, size_t p) {
  thud_plot_panel_layout *panel = &layout->panels[p];
  panel->legend = (thud_plot_legend){0};
  if (layout->bare || !thud_plot_legend_is_above(layout)) return 0;
  double rows = layout->height - top_margin(layout) - bottom_margin(layout);
  double height = above_share * rows / (double)layout->figure->panel_count;
  panel->legend =
      thud_plot_legend_above(layout, &layout->figure->panels[p], layout->width - 2 * margin * layout->font, height);
  return panel->legend.count > 0 ? panel->legend.box.bottom + legend_gap * layout->font : 0;
}

static void set_panel_rows(thud_plot_layout *layout) {
  size_t count = layout->figure->panel_count;
  double top = top_margin(layout), gap = panel_gap * layout->font, above = 0;
  for (size_t p = 0; p < count; p++) above += legend_above(layout, p);
  double height = (layout->height - top - bottom_margin(layout) - gap * (double)(count - 1) - above) / (double)count;
  height = fmax(height, least_panel);
  for (size_t p = 0; p < count; p++) {
    thud_plot_panel_layout *panel = &layout->panels[p];
    panel->panel = &layout->figure->panels[p];
    if (panel->legend.count > 0) top += panel->legend.box.bottom + legend_gap * layout->font;
    panel->box.top = top;
    panel->box.bottom = top + height;
    top += height + gap;
    range r = y_range(panel->panel);
    panel->y = (thud_plot_axis){panel->panel->y_log, r.minimum, r.maximum, panel->box.bottom, panel->box.top};
    make_y_ticks(layout, panel);
  }
}

/* Legends right of the panels share a column, so that the axes stay aligned; returns what it takes of the width. */
static double set_legend_column(thud_plot_layout *layout) {
  double widest = 0;
  for (size_t p = 0; p < layout->figure->panel_count && !thud_plot_legend_is_above(layout); p++) {
    thud_plot_panel_layout *panel = &layout->panels[p];
    panel->legend =
        thud_plot_legend_fit(layout, panel->panel, legend_share * layout->width, panel->box.bottom - panel->box.top);
    widest = fmax(widest, panel->legend.box.right);
  }
  return widest > 0 ? widest + panel_gap * layout->font : 0;
}

static void move_legend(thud_plot_box *box, double left, double top) {
  box->right += left - box->left;
  box->bottom += top - box->top;
  box->left = left;
  box->top = top;
}

/* From the left edge of the panel on, or of the figure when it is longer. */
static void put_above(const thud_plot_layout *layout, thud_plot_panel_layout *panel) {
  thud_plot_box *box = &panel->legend.box;
  double outer = margin * layout->font, width = box->right - box->left;
  double left = fmin(panel->box.left, layout->width - outer - width);
  move_legend(box, fmax(outer, left), panel->box.top - legend_gap * layout->font - (box->bottom - box->top));
}

static void set_panel_columns(thud_plot_layout *layout) {
  double column = layout->bare ? 0 : set_legend_column(layout), gap = panel_gap * layout->font;
  double left = layout->font * (margin + line_height + tick_gap) + widest_y_label(layout);
  double right = layout->width - (column > 0 ? margin * layout->font + column : 1.6 * layout->font);
  if (layout->bare) {
    left = margin * layout->font;
    right = layout->width - margin * layout->font;
  }
  right = fmax(right, left + least_panel);
  range r = x_range(layout->figure);
  for (size_t p = 0; p < layout->figure->panel_count; p++) {
    thud_plot_panel_layout *panel = &layout->panels[p];
    panel->box.left = left;
    panel->box.right = right;
    panel->x = (thud_plot_axis){layout->figure->x_log, r.minimum, r.maximum, left, right};
    if (thud_plot_legend_is_above(layout))
      put_above(layout, panel);
    else
      move_legend(&panel->legend.box, right + gap, panel->box.top);
  }
}

/* Widens one of the two ranges until one unit is as long in both directions. */
static void make_equal(thud_plot_layout *layout) {
  thud_plot_panel_layout *panel = &layout->panels[0];
  double width = panel->box.right - panel->box.left, height = panel->box.bottom - panel->box.top;
  double x_size = panel->x.maximum - panel->x.minimum, y_size = panel->y.maximum - panel->y.minimum;
  double unit = fmin(width / x_size, height / y_size);
  double x_extra = 0.5 * (width / unit - x_size), y_extra = 0.5 * (height / unit - y_size);
  panel->x.minimum -= x_extra;
  panel->x.maximum += x_extra;
  panel->y.minimum -= y_extra;
  panel->y.maximum += y_extra;
  make_y_ticks(layout, panel);
}

double thud_plot_gap(const thud_plot_layout *layout) { return panel_gap * layout->font; }

static void set_note(thud_plot_layout *layout) {
  static const double smaller = 0.92; /* than ticks and legends */
  const char *note = layout->figure->note;
  layout->note_font = smaller * layout->small_font;
  layout->note_row = line_height * layout->note_font;
  thud_plot_set_font(layout, layout->note_font, false);
  layout->note_lines = note == NULL ? 0
                                    : thud_plot_wrap_text(layout, note, layout->width - 2 * layout->font,
                                                          THUD_PLOT_NOTE_LINES, layout->note);
}

/* Titles get smaller down to a limit; longer ones get more lines, so that none of their words is lost. */
static void set_title(thud_plot_layout *layout) {
  static const double smallest_share = 0.8, least_room = 2 * 72, most_height = 0.3; /* pt; of the figure's height */
  const char *title = layout->figure->title;
  double room = layout->width - 2 * layout->font;
  layout->title_lines = 0;
  layout->title_row = line_height * layout->font;
  if (title == NULL) return;
  thud_plot_set_font(layout, thud_plot_title_share * layout->font, true);
  double lines = layout->height > 0 ? floor(most_height * layout->height / layout->title_row) : THUD_PLOT_TITLE_LINES;
  if (smallest_share * thud_plot_text_width(layout, title) <= room || room < least_room || lines < 2) return;
  thud_plot_set_font(layout, layout->font, true);
  layout->title_lines =
      thud_plot_wrap_text(layout, title, room, (size_t)fmin(lines, THUD_PLOT_TITLE_LINES), layout->title);
}

void thud_plot_lay_out(thud_plot_layout *layout) {
  set_note(layout);
  set_title(layout);
  thud_plot_set_font(layout, layout->small_font, false);
  set_panel_rows(layout);
  set_panel_columns(layout);
  if (layout->figure->equal_aspect) make_equal(layout);
  make_x_ticks(layout, &layout->panels[0].x);
}

/* Legends beside a panel with equal units make it narrower, and so lower; those above it and notes make the figure higher. */
double thud_plot_wanted_height(const thud_plot_layout *layout) {
  const thud_plot_figure *figure = layout->figure;
  thud_plot_layout tried = *layout;
  double width = layout->width, more = 0;
  set_note(&tried);
  more += (double)tried.note_lines * tried.note_row;
  set_title(&tried);
  if (tried.title_lines > 1) more += (double)(tried.title_lines - 1) * tried.title_row;
  for (size_t p = 0; p < figure->panel_count && !layout->bare; p++) {
    if (thud_plot_legend_is_above(layout)) {
      double room = above_share * thud_plot_natural_height(figure, width);
      const thud_plot_legend legend =
          thud_plot_legend_above(layout, &figure->panels[p], width - 2 * margin * layout->font, room);
      if (legend.count > 0) more += legend.box.bottom + legend_gap * layout->font;
    } else if (figure->equal_aspect) {
      const thud_plot_legend legend =
          thud_plot_legend_fit(layout, &figure->panels[p], legend_share * layout->width, layout->width);
      if (legend.count > 0) width -= legend.box.right + panel_gap * layout->font;
    }
  }
  return thud_plot_natural_height(figure, width) + more;
}
