/* Legend of a drawing: labels of its marks below it, and the colours of values beside it. */
#include "plot/drawing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* In sizes of the font. */
static const double sample_width = 1.9, sample_gap = 0.5, entry_gap = 1.6, line_height = 1.55, below = 0.5;
static const double letter = 0.6; /* width of a letter in the mean */

/* ---- labels ------------------------------------------------------------------------------------------------------------ */

void thud_drawn_legend_find(const thud_drawing *drawing, drawn_legend *legend) {
  *legend = (drawn_legend){0};
  for (size_t k = 0; k < thud_drawing_mark_count(drawing) && legend->count < DRAWN_LABELS; k++) {
    const thud_mark *mark = thud_drawing_mark_at(drawing, k, NULL);
    bool known = mark->label == NULL || mark->label[0] == '\0' || mark->kind == THUD_MARK_SURFACE;
    for (size_t i = 0; i < legend->count && !known; i++) known = strcmp(mark->label, legend->marks[i]->label) == 0;
    if (!known) legend->marks[legend->count++] = mark;
  }
}

/* Bytes that begin a character of UTF-8. */
static double letters_of(const char *text) {
  double count = 0;
  for (; *text != '\0'; text++) count += ((unsigned char)*text & 0xc0) != 0x80;
  return count;
}

double thud_drawn_legend_height(const drawn_legend *legend, double page_width) {
  double lines = 1, used = 0;
  if (legend->count == 0) return 0;
  for (size_t k = 0; k < legend->count; k++) {
    double width = sample_width + sample_gap + entry_gap + letter * letters_of(legend->marks[k]->label);
    if (used > 0 && used + width > page_width - entry_gap) {
      lines++;
      used = 0;
    }
    used += width;
  }
  return lines * line_height + below;
}

/* ---- on paper ---------------------------------------------------------------------------------------------------------- */

static void paint_sample(const thud_plot_layout *layout, const thud_mark *mark, double x, double y) {
  const drawn_pen pen = thud_drawn_pen(mark);
  double width = sample_width * layout->font, half = 0.36 * layout->font;
  bool solid = mark->kind == THUD_MARK_CIRCLE || mark->kind == THUD_MARK_BOX || mark->kind == THUD_MARK_AREA;
  cairo_new_path(layout->cairo);
  if (mark->kind == THUD_MARK_POINTS) {
    thud_drawn_dot(layout, &pen, x + 0.5 * width, y);
  } else if (mark->kind == THUD_MARK_ARROW) {
    thud_drawn_arrow(layout, &pen, thud_vec2_make(x, y), thud_vec2_make(x + width, y));
  } else if (solid) {
    cairo_rectangle(layout->cairo, x + 0.5 * width - 1.6 * half, y - half, 3.2 * half, 2 * half);
    thud_drawn_finish(layout, &pen);
  } else {
    cairo_move_to(layout->cairo, x, y);
    cairo_line_to(layout->cairo, x + width, y);
    thud_drawn_stroke(layout, &pen);
  }
}

static double entry_width(const thud_plot_layout *layout, const char *label) {
  return (sample_width + sample_gap) * layout->font + thud_plot_text_width(layout, label);
}

/* How many entries from `first` on fit into a line, and how wide they are. */
static size_t fill_line(const drawn_legend *legend, const thud_plot_layout *layout, size_t first, double *width) {
  size_t end = first;
  *width = 0;
  for (; end < legend->count; end++) {
    double more = entry_width(layout, legend->marks[end]->label) + (end > first ? entry_gap * layout->font : 0);
    if (end > first && *width + more > layout->width - entry_gap * layout->font) break;
    *width += more;
  }
  return end;
}

thud_error thud_drawn_paint_legend(void *user, const thud_plot_layout *layout) {
  const drawn_legend *legend = user;
  double y = 0.5 * line_height * layout->font, width;
  thud_plot_set_font(layout, layout->small_font, false);
  for (size_t first = 0; first < legend->count; y += line_height * layout->font) {
    size_t end = fill_line(legend, layout, first, &width);
    double x = fmax(0.5 * entry_gap * layout->font, 0.5 * (layout->width - width));
    for (; first < end; first++) {
      paint_sample(layout, legend->marks[first], x, y);
      cairo_set_source_rgb(layout->cairo, 0.2, 0.2, 0.2);
      thud_plot_put_text(layout, legend->marks[first]->label, x + (sample_width + sample_gap) * layout->font, y, 0,
                         0.5);
      x += entry_width(layout, legend->marks[first]->label) + entry_gap * layout->font;
    }
  }
  return THUD_OK;
}

/* ---- values ------------------------------------------------------------------------------------------------------------ */

/* The first surface of the panel; NULL: there is none. */
static const thud_mark *find_surface(const drawn_panel *shown) {
  for (size_t k = 0; k < thud_drawing_mark_count(shown->drawing); k++) {
    size_t panel = 0;
    const thud_mark *mark = thud_drawing_mark_at(shown->drawing, k, &panel);
    if (panel == shown->panel && mark->kind == THUD_MARK_SURFACE) return mark;
  }
  return NULL;
}

void thud_drawn_paint_values(const drawn_panel *shown, const thud_plot_layout *layout) {
  const drawn_room *room = &shown->view->rooms[shown->panel];
  const thud_mark *mark = find_surface(shown);
  const thud_plot_box *box = &layout->panels[0].box;
  char name[THUD_PLOT_TEXT];
  if (mark == NULL || !(room->low_value <= room->high_value)) return;
  const field_scale scale = thud_drawn_values(room);
  bool has_unit = mark->value_unit != NULL && mark->value_unit[0] != '\0';
  snprintf(name, sizeof name, "%s%s%s%s", mark->label != NULL ? mark->label : "", has_unit ? " [" : "",
           has_unit ? mark->value_unit : "", has_unit ? "]" : "");
  thud_plot_box bar = *box; /* with room for the name above it */
  bar.top += 1.5 * layout->font;
  thud_field_paint_scale(layout, &scale, name, box->right + 1.2 * layout->font, &bar);
}
