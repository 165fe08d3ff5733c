/* The legend goes where it hides least of the data, or beside the panel. */
#include "plot/layout.h"

#include <math.h>

enum { CELL = 3 }; /* pt: the data's traces are counted on a grid of this width */

typedef struct coverage {
  size_t columns, rows;
  uint8_t *cells; /* [rows x columns] 1 where a line or marker passes */
  double left, top;
} coverage;

static void mark(coverage *c, double x, double y) {
  double column = floor((x - c->left) / CELL), row = floor((y - c->top) / CELL);
  if (column >= 0 && row >= 0 && column < (double)c->columns && row < (double)c->rows)
    c->cells[(size_t)row * c->columns + (size_t)column] = 1;
}

static void mark_segment(coverage *c, double x1, double y1, double x2, double y2) {
  /* Lines may leave the panel by any distance; what is inside is at most a diagonal long. */
  double reach = CELL * (double)(c->columns + c->rows), length = hypot(x2 - x1, y2 - y1);
  int steps = (int)fmin(1 + length / CELL, 64 * reach);
  for (int k = 0; k <= steps; k++) mark(c, x1 + (x2 - x1) * k / steps, y1 + (y2 - y1) * k / steps);
}

static void mark_path(coverage *c, const thud_plot_path *path) {
  for (size_t k = 0; k < path->count; k++) {
    const thud_plot_point *point = &path->points[k];
    if (point->start)
      mark(c, point->x, point->y);
    else
      mark_segment(c, path->points[k - 1].x, path->points[k - 1].y, point->x, point->y);
  }
  for (size_t k = 0; k < path->jump_count; k++)
    mark_segment(c, path->jumps[k].x, path->jumps[k].y_left, path->jumps[k].x, path->jumps[k].y_right);
}

static thud_error cover(thud_plot_layout *layout, const thud_plot_panel_layout *panel, coverage *c) {
  const thud_plot_box *box = &panel->box;
  *c = (coverage){.left = box->left, .top = box->top};
  c->columns = (size_t)ceil((box->right - box->left) / CELL) + 1;
  c->rows = (size_t)ceil((box->bottom - box->top) / CELL) + 1;
  c->cells = thud_alloc(layout->context, c->columns * c->rows, 1);
  if (c->cells == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < panel->panel->series_count; k++) {
    thud_error error =
        thud_plot_path_build(layout->context, &panel->panel->series[k], &panel->x, &panel->y, CELL, &layout->path);
    if (error != THUD_OK) return error;
    if (panel->panel->series[k].style == THUD_PLOT_STEMS)
      for (size_t j = 0; j < layout->path.count; j++)
        mark_segment(c, layout->path.points[j].x, layout->path.points[j].y, layout->path.points[j].x,
                     panel->y.log ? box->bottom : thud_plot_axis_place(&panel->y, 0));
    else
      mark_path(c, &layout->path);
  }
  return THUD_OK;
}

static size_t hidden(const coverage *c, const thud_plot_box *box) {
  size_t count = 0;
  for (size_t row = 0; row < c->rows; row++)
    for (size_t column = 0; column < c->columns; column++) {
      double x = c->left + ((double)column + 0.5) * CELL, y = c->top + ((double)row + 0.5) * CELL;
      bool inside = x > box->left - CELL && x < box->right + CELL && y > box->top - CELL && y < box->bottom + CELL;
      if (inside) count += c->cells[row * c->columns + column];
    }
  return count;
}

/* Corners first, then the middles of the sides. */
static thud_plot_box choose_place(const thud_plot_panel_layout *panel, const coverage *c, double width, double height,
                                  double gap) {
  static const double places[8][2] = {{1, 0}, {0, 0}, {1, 1}, {0, 1}, {0.5, 0}, {0.5, 1}, {1, 0.5}, {0, 0.5}};
  const thud_plot_box *box = &panel->box;
  thud_plot_box best = {0};
  size_t least = SIZE_MAX;
  for (int k = 0; k < 8; k++) {
    thud_plot_box place;
    place.left = box->left + gap + places[k][0] * (box->right - box->left - width - 2 * gap);
    place.top = box->top + gap + places[k][1] * (box->bottom - box->top - height - 2 * gap);
    place.right = place.left + width;
    place.bottom = place.top + height;
    size_t count = hidden(c, &place);
    if (count < least) {
      least = count;
      best = place;
    }
  }
  return best;
}

static bool has_label(const thud_plot_series *series) { return series->label != NULL && series->label[0] != '\0'; }

/* Measures of a legend, in pt. */
typedef struct legend_size {
  double sample, row, inner, width, height;
} legend_size;

static legend_size size_of(const thud_plot_layout *layout, const thud_plot_panel *panel) {
  double font = layout->small_font, widest = 0;
  legend_size size = {.sample = 2.4 * font, .row = 1.4 * font, .inner = 0.5 * font};
  size_t entries = 0;
  thud_plot_set_font(layout, font, false);
  for (size_t k = 0; k < panel->series_count; k++) {
    if (!has_label(&panel->series[k])) continue;
    entries++;
    widest = fmax(widest, thud_plot_text_width(layout, panel->series[k].label));
  }
  if (entries == 0) return size;
  size.width = size.sample + widest + 3 * size.inner;
  size.height = size.row * (double)entries + size.inner;
  return size;
}

double thud_plot_legend_width(const thud_plot_layout *layout, const thud_plot_panel *panel) {
  return size_of(layout, panel).width;
}

static void draw_at(const thud_plot_layout *layout, const thud_plot_panel_layout *panel, const legend_size *size,
                    const thud_plot_box *box) {
  cairo_t *cairo = layout->cairo;
  cairo_rectangle(cairo, box->left, box->top, box->right - box->left, box->bottom - box->top);
  cairo_set_source_rgba(cairo, 1, 1, 1, 0.88);
  cairo_fill_preserve(cairo);
  cairo_set_source_rgb(cairo, 0.75, 0.75, 0.75);
  cairo_set_line_width(cairo, 0.5);
  cairo_stroke(cairo);
  double left = box->left + size->inner, y = box->top + 0.5 * size->inner + 0.5 * size->row;
  for (size_t k = 0; k < panel->panel->series_count; k++) {
    if (!has_label(&panel->panel->series[k])) continue;
    thud_plot_draw_sample(layout, panel, k, left, left + size->sample, y);
    cairo_set_source_rgb(cairo, 0, 0, 0);
    thud_plot_put_text(layout, panel->panel->series[k].label, left + size->sample + size->inner, y, 0, 0.5);
    y += size->row;
  }
}

thud_error thud_plot_draw_legend(thud_plot_layout *layout, const thud_plot_panel_layout *panel) {
  legend_size size = size_of(layout, panel->panel);
  coverage c = {0};
  thud_plot_box box = {panel->box.right + thud_plot_gap(layout), panel->box.top, 0, 0};
  if (size.width == 0) return THUD_OK;
  thud_error error = layout->legend_beside ? THUD_OK : cover(layout, panel, &c);
  if (error == THUD_OK) {
    if (!layout->legend_beside) box = choose_place(panel, &c, size.width, size.height, 6);
    box.right = box.left + size.width;
    box.bottom = box.top + size.height;
    thud_plot_set_font(layout, layout->small_font, false);
    draw_at(layout, panel, &size, &box);
  }
  thud_free(layout->context, c.cells);
  return error;
}
