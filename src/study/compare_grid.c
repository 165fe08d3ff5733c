/* Tables that read well as plain text and as Markdown. */
#include "study/study_compare.h"

#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

compare_grid thud_compare_grid_new(thud_context *context) { return (compare_grid){.text = thud_text_new(context)}; }

/* A name of a file may hold line ends, which would end the row, and orders to the terminal. */
static void hide_controls(char *cell) {
  for (char *at = cell; *at != '\0'; at++)
    if ((unsigned char)*at < ' ' || *at == 0x7f) *at = '?';
}

void thud_compare_grid_add(compare_grid *grid, const char *format, ...) {
  char cell[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(cell, sizeof cell, format, arguments);
  va_end(arguments);
  hide_controls(cell);
  thud_text_append(&grid->text, cell, strlen(cell) + 1);
  grid->cells++;
}

void thud_compare_grid_end_row(compare_grid *grid) {
  if (!grid->first_done) grid->columns = grid->cells;
  grid->first_done = true;
  while (grid->cells % grid->columns != 0) thud_compare_grid_add(grid, "%s", "");
}

/* Characters of UTF-8 on paper; a bar, which ends a cell of Markdown, takes a backslash in front of it. */
static size_t width_of(const char *cell) {
  size_t width = 0;
  for (const char *at = cell; *at != '\0'; at++)
    width += ((unsigned char)*at & 0xC0) != 0x80 ? (*at == '|' ? 2U : 1U) : 0U;
  return width;
}

static void print_cell(const char *cell, size_t width, thud_text *text) {
  thud_text_append(text, " ", 1);
  for (const char *at = cell; *at != '\0'; at++) {
    if (*at == '|') thud_text_append(text, "\\", 1);
    thud_text_append(text, at, 1);
  }
  for (size_t k = width_of(cell); k <= width; k++) thud_text_append(text, " ", 1);
  thud_text_append(text, "|", 1);
}

static void print_rule(size_t columns, const size_t *widths, thud_text *text) {
  thud_text_append(text, "|", 1);
  for (size_t c = 0; c < columns; c++) {
    thud_text_append(text, " ", 1);
    for (size_t k = 0; k < widths[c]; k++) thud_text_append(text, "-", 1);
    thud_text_append(text, " |", 2);
  }
  thud_text_append(text, "\n", 1);
}

static void print_rows(const compare_grid *grid, size_t *widths, thud_text *text) {
  const char *cells = thud_text_chars(&grid->text), *at = cells;
  for (size_t k = 0; k < grid->cells; k++, at += strlen(at) + 1) {
    size_t *width = &widths[k % grid->columns], own = width_of(at);
    if (own > *width) *width = own;
  }
  at = cells;
  for (size_t k = 0; k < grid->cells; k++, at += strlen(at) + 1) {
    size_t column = k % grid->columns;
    if (column == 0) thud_text_append(text, "|", 1);
    print_cell(at, widths[column], text);
    if (column + 1 < grid->columns) continue;
    thud_text_append(text, "\n", 1);
    if (k + 1 == grid->columns) print_rule(grid->columns, widths, text);
  }
}

void thud_compare_grid_print(compare_grid *grid, thud_text *text) {
  size_t *widths = grid->columns > 0 ? THUD_NEW_ARRAY(text->context, size_t, grid->columns) : NULL;
  if (grid->text.error != THUD_OK && text->error == THUD_OK) text->error = grid->text.error;
  if (grid->columns > 0 && widths == NULL && text->error == THUD_OK) text->error = THUD_ERROR_MEMORY;
  for (size_t c = 0; widths != NULL && c < grid->columns; c++) widths[c] = 3;
  if (widths != NULL && text->error == THUD_OK) print_rows(grid, widths, text);
  thud_free(text->context, widths);
  thud_text_free(&grid->text);
}

const char *thud_compare_number_text(double value, int digits, char text[COMPARE_NUMBER]) {
  if (isnan(value))
    snprintf(text, COMPARE_NUMBER, "-");
  else
    thud_format_digits(value, digits, text, COMPARE_NUMBER);
  return text;
}

const char *thud_compare_time_text(double seconds, char text[COMPARE_NUMBER]) {
  static const struct {
    double below, factor;
    const char *unit;
  } units[] = {{1e-3, 1e6, " us"}, {1, 1e3, " ms"}, {INFINITY, 1, " s"}};
  size_t k = 0;
  if (isnan(seconds)) return thud_compare_number_text(seconds, 3, text);
  while (k < 2 && seconds >= units[k].below) k++;
  thud_compare_number_text(units[k].factor * seconds, 3, text);
  strncat(text, units[k].unit, COMPARE_NUMBER - strlen(text) - 1);
  return text;
}
