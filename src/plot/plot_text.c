/* Texts of figures: measured by cairo in every format, so that all of them have the same layout. */
#include "plot/plot_layout.h"
#include "plot/pen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double smallest = 6; /* pt, that can be read */

void thud_plot_set_font(const thud_plot_layout *layout, double size, bool bold) {
  cairo_select_font_face(layout->cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(layout->cairo, size);
}

double thud_plot_text_width(const thud_plot_layout *layout, const char *text) {
  cairo_text_extents_t extents;
  cairo_text_extents(layout->cairo, text, &extents);
  return extents.x_advance;
}

void thud_plot_put_text(const thud_plot_layout *layout, const char *text, double x, double y, double along, double up) {
  cairo_text_extents_t capital;
  cairo_text_extents(layout->cairo, "0", &capital);
  cairo_move_to(layout->cairo, x, y + up * capital.height);
  thud_canvas_text(layout->canvas, text, along);
}

void thud_plot_cut_text(const thud_plot_layout *layout, const char *text, double length, char *fitted) {
  static const char ellipsis[] = "…";
  snprintf(fitted, THUD_PLOT_TEXT - sizeof ellipsis, "%s", text);
  size_t kept = strlen(fitted);
  while (kept > 0 && text[kept] != '\0' && ((unsigned char)text[kept] & 0xc0) == 0x80) kept--; /* no half letters */
  if (text[kept] != '\0') memcpy(fitted + kept, ellipsis, sizeof ellipsis);
  while (kept > 0 && thud_plot_text_width(layout, fitted) > length) {
    do kept--;
    while (kept > 0 && ((unsigned char)fitted[kept] & 0xc0) == 0x80);
    memcpy(fitted + kept, ellipsis, sizeof ellipsis);
  }
}

void thud_plot_fit_text(const thud_plot_layout *layout, const char *text, double size, bool bold, double length,
                        char *fitted) {
  thud_plot_set_font(layout, size, bold);
  double width = thud_plot_text_width(layout, text);
  if (width > length) thud_plot_set_font(layout, fmin(size, fmax(smallest, size * length / width)), bold);
  thud_plot_cut_text(layout, text, length, fitted);
}

/* How many bytes of the text go on a line: whole words, at least one. */
static size_t words_within(const thud_plot_layout *layout, const char *text, double length) {
  char line[THUD_PLOT_TEXT];
  size_t kept = 0;
  for (size_t end = 0; text[end] != '\0' && end < sizeof line - 4;) {
    while (text[end] == ' ') end++;
    while (text[end] != ' ' && text[end] != '\0') end++;
    if (end >= sizeof line - 4) break;
    memcpy(line, text, end);
    line[end] = '\0';
    if (kept > 0 && thud_plot_text_width(layout, line) > length) break;
    kept = end;
  }
  return kept > 0 ? kept : strlen(text);
}

size_t thud_plot_wrap_text(const thud_plot_layout *layout, const char *text, double length, size_t most,
                           char (*lines)[THUD_PLOT_TEXT]) {
  size_t count = 0;
  while (*text == ' ') text++;
  while (*text != '\0' && count < most) {
    size_t used = count + 1 < most ? words_within(layout, text, length) : strlen(text);
    char line[THUD_PLOT_TEXT];
    snprintf(line, sizeof line, "%.*s", (int)used, text);
    thud_plot_cut_text(layout, used < sizeof line - 4 ? line : text, length, lines[count++]);
    for (text += used; *text == ' ';) text++;
  }
  return count;
}

const double thud_plot_title_share = 1.1;

void thud_plot_put_title(const thud_plot_layout *layout, const char *title, double left, double right, double y) {
  char fitted[THUD_PLOT_TEXT];
  thud_pen_gray(layout, 0);
  thud_plot_fit_text(layout, title, thud_plot_title_share * layout->font, true, right - left, fitted);
  thud_plot_put_text(layout, fitted, 0.5 * (left + right), y, 0.5, 0);
}
