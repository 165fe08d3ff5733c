/* Fields on meshes in colours. */
#include "base/base.h"
#include "plot/layout.h"
#include "run/surface_fields.h"
#include "thud/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A scale from dark blue over green to yellow whose lightness grows evenly (viridis, nine of its colours). */
static const double scale_colours[9][3] = {{.267, .005, .329}, {.279, .175, .483}, {.230, .322, .546},
                                           {.173, .448, .558}, {.128, .567, .551}, {.158, .684, .502},
                                           {.369, .789, .383}, {.678, .864, .190}, {.993, .906, .144}};
/* Of nodes that are apart, touching, slipping. */
static const double status_colours[3][3] = {{.88, .88, .88}, {.0, .447, .698}, {.835, .369, .0}};
static const char *const status_names[3] = {"apart", "touching", "slipping"};
static const double smallest_side = 3; /* pt: triangles are cut until their colours are even */
enum { MOST_CUTS = 5, BAR_TICKS = 7 };

typedef struct field_picture {
  const thud_mesh_definition *mesh;
  const double *values; /* [nodes] */
  double low, high;
  bool status;
  const char *label;
} field_picture;

static void use_colour(cairo_t *cairo, const field_picture *field, double value) {
  double part = field->high > field->low ? (value - field->low) / (field->high - field->low) : 0.5, rgb[3];
  double at = 8 * fmin(1, fmax(0, part));
  int k = (int)fmin(7, floor(at));
  for (int c = 0; c < 3; c++) rgb[c] = scale_colours[k][c] + (at - k) * (scale_colours[k + 1][c] - scale_colours[k][c]);
  if (field->status) memcpy(rgb, status_colours[(int)fmin(2, fmax(0, round(value)))], sizeof rgb);
  cairo_set_source_rgb(cairo, rgb[0], rgb[1], rgb[2]);
}

/* Corners x, y, value on paper. */
typedef struct corner {
  double x, y, value;
} corner;

static corner middle(corner a, corner b) { return (corner){(a.x + b.x) / 2, (a.y + b.y) / 2, (a.value + b.value) / 2}; }

static double side(corner a, corner b) { return hypot(a.x - b.x, a.y - b.y); }

static void fill_triangle(const thud_plot_layout *layout, const field_picture *field, corner a, corner b, corner c,
                          int cuts) {
  bool small = fmax(side(a, b), fmax(side(b, c), side(c, a))) < smallest_side;
  if (small || cuts == 0 || (a.value == b.value && b.value == c.value)) {
    use_colour(layout->cairo, field, (a.value + b.value + c.value) / 3);
    cairo_move_to(layout->cairo, a.x, a.y);
    cairo_line_to(layout->cairo, b.x, b.y);
    cairo_line_to(layout->cairo, c.x, c.y);
    cairo_close_path(layout->cairo);
    thud_canvas_fill(layout->canvas);
    return;
  }
  corner ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
  fill_triangle(layout, field, a, ab, ca, cuts - 1);
  fill_triangle(layout, field, ab, b, bc, cuts - 1);
  fill_triangle(layout, field, ca, bc, c, cuts - 1);
  fill_triangle(layout, field, ab, bc, ca, cuts - 1);
}

/* The cell of a node, for values that are not numbers: from each triangle the part that is nearest to the corner. */
static void fill_cells(const thud_plot_layout *layout, const field_picture *field, const corner p[3]) {
  double x = (p[0].x + p[1].x + p[2].x) / 3, y = (p[0].y + p[1].y + p[2].y) / 3;
  for (int k = 0; k < 3; k++) {
    corner next = middle(p[k], p[(k + 1) % 3]), last = middle(p[k], p[(k + 2) % 3]);
    use_colour(layout->cairo, field, p[k].value);
    cairo_move_to(layout->cairo, p[k].x, p[k].y);
    cairo_line_to(layout->cairo, next.x, next.y);
    cairo_line_to(layout->cairo, x, y);
    cairo_line_to(layout->cairo, last.x, last.y);
    cairo_close_path(layout->cairo);
    thud_canvas_fill(layout->canvas);
  }
}

static void paint_mesh(const field_picture *field, const thud_plot_layout *layout) {
  const thud_plot_panel_layout *panel = &layout->panels[0];
  const thud_mesh_definition *mesh = field->mesh;
  cairo_set_antialias(layout->cairo, CAIRO_ANTIALIAS_NONE); /* no seams between triangles */
  for (thud_index t = 0; t < mesh->triangles; t++) {
    corner p[3];
    for (int c = 0; c < 3; c++) {
      thud_index i = mesh->triangle[3 * (ptrdiff_t)t + c];
      p[c] = (corner){thud_plot_axis_place(&panel->x, mesh->xy[2 * (ptrdiff_t)i]),
                      thud_plot_axis_place(&panel->y, mesh->xy[2 * (ptrdiff_t)i + 1]), field->values[i]};
    }
    if (field->status)
      fill_cells(layout, field, p);
    else
      fill_triangle(layout, field, p[0], p[1], p[2], MOST_CUTS);
  }
  cairo_set_antialias(layout->cairo, CAIRO_ANTIALIAS_DEFAULT);
}

/* ---- the scale ------------------------------------------------------------------------------------------------------ */

static void paint_names(const field_picture *field, const thud_plot_layout *layout, double left, double top) {
  double size = layout->font;
  thud_plot_set_font(layout, layout->small_font, false);
  for (int k = 0; k < 3; k++) {
    double y = top + 1.6 * size * k;
    use_colour(layout->cairo, field, k);
    cairo_rectangle(layout->cairo, left, y, size, size);
    thud_canvas_fill(layout->canvas);
    cairo_set_source_rgb(layout->cairo, 0.2, 0.2, 0.2);
    thud_plot_put_text(layout, status_names[k], left + 1.5 * size, y + size / 2, 0, 0.5);
  }
}

static void paint_scale(const field_picture *field, const thud_plot_layout *layout, double left,
                        const thud_plot_box *box) {
  enum { STRIPES = 200 };
  cairo_t *cairo = layout->cairo;
  double width = layout->font, height = box->bottom - box->top;
  thud_ticks ticks;
  char label[THUD_PLOT_TEXT];
  cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE);
  for (int k = 0; k < STRIPES; k++) {
    use_colour(cairo, field, field->low + (field->high - field->low) * (k + 0.5) / STRIPES);
    cairo_rectangle(cairo, left, box->bottom - height * (k + 1) / STRIPES, width, height / STRIPES + 0.5);
    thud_canvas_fill(layout->canvas);
  }
  cairo_set_antialias(cairo, CAIRO_ANTIALIAS_DEFAULT);
  cairo_set_source_rgb(cairo, 0.2, 0.2, 0.2);
  cairo_set_line_width(cairo, 0.6);
  cairo_rectangle(cairo, left, box->top, width, height);
  thud_canvas_stroke(layout->canvas);
  thud_ticks_linear(field->low, field->high, BAR_TICKS, &ticks);
  thud_plot_set_font(layout, layout->small_font, false);
  for (size_t k = 0; k < ticks.count; k++) {
    double y = box->bottom - height * (ticks.values[k] - field->low) / (field->high - field->low);
    cairo_move_to(cairo, left + width, y);
    cairo_line_to(cairo, left + 1.3 * width, y);
    thud_canvas_stroke(layout->canvas);
    thud_plot_put_text(layout, ticks.labels[k], left + 1.6 * width, y, 0, 0.5);
  }
  thud_ticks_axis_label(&ticks, field->label, NULL, label, sizeof label);
  thud_plot_set_font(layout, layout->font, false);
  thud_plot_put_text(layout, label, left, box->top - 0.6 * layout->font, 0, 0);
}

static thud_error paint(void *user, const thud_plot_layout *layout) {
  const field_picture *field = user;
  const thud_plot_box *box = &layout->panels[0].box;
  double left = box->right + 1.2 * layout->font;
  paint_mesh(field, layout);
  if (field->status)
    paint_names(field, layout, left, box->top + layout->font);
  else
    paint_scale(field, layout, left, box);
  return THUD_OK;
}

/* ---- the figure -------------------------------------------------------------------------------------------------------- */

static void find_range(field_picture *field) {
  field->low = field->high = field->values[0];
  for (thud_index i = 0; i < field->mesh->nodes; i++) {
    field->low = fmin(field->low, field->values[i]);
    field->high = fmax(field->high, field->values[i]);
  }
  if (field->high > field->low) return;
  double width = field->low != 0 ? 0.5 * fabs(field->low) : 1; /* one value everywhere */
  field->low -= width;
  field->high += width;
}

/* The last row at or before a time; NaN: the last one. */
static thud_error find_row(const surface_fields *fields, double at, size_t *row) {
  const double *t = fields->t;
  size_t last = fields->rows - 1;
  *row = isnan(at) ? last : 0;
  if (isnan(at)) return THUD_OK;
  if (!(at >= t[0] && at <= t[last]))
    return thud_fail(fields->context, THUD_ERROR_ARGUMENT, "the time (--at) is a number from %g to %g, not %g", t[0],
                     t[last], at);
  while (*row < last && t[*row + 1] <= at) ++*row;
  return THUD_OK;
}

/* What the colours mean: vectors are shown by their lengths, forces per area. */
static const char *label_of(const char *field) {
  if (strcmp(field, "u") == 0) return "|u|";
  return strcmp(field, "r") == 0 ? "|r| per area" : field;
}

/* The corners of the box around the mesh give the axes their ranges. */
static thud_error write_figure(surface_fields *fields, const field_picture *field, const char *title, double t,
                               const thud_plot_options *options, const char *path) {
  double x[2] = {INFINITY, -INFINITY}, y[2] = {INFINITY, -INFINITY};
  char text[THUD_PLOT_TEXT];
  for (size_t i = 0; i < fields->n; i++) {
    x[0] = fmin(x[0], field->mesh->xy[2 * i]);
    x[1] = fmax(x[1], field->mesh->xy[2 * i]);
    y[0] = fmin(y[0], field->mesh->xy[2 * i + 1]);
    y[1] = fmax(y[1], field->mesh->xy[2 * i + 1]);
  }
  snprintf(text, sizeof text, "%s%st = %.6g", title, title[0] != '\0' ? ", " : "", t);
  static const size_t apart[] = {1};
  const thud_plot_series corners = {
      .count = 2, .x = x, .y = y, .no_jumps = true, .break_count = 1, .breaks = apart}; /* nothing is drawn */
  const thud_plot_panel panel = {.y_label = "y", .series_count = 1, .series = &corners};
  const thud_plot_figure figure = {
      .title = text, .x_label = "x", .equal_aspect = true, .panel_count = 1, .panels = &panel};
  const thud_plot_painter painter = {.paint = paint, .user = (void *)field, .margin = 8};
  return thud_plot_write_painted(fields->context, &figure, &painter, options, path);
}

thud_error thud_plot_field(thud_context *context, const char *record, const thud_field_choice *choice,
                           const thud_plot_options *options, const char *path) {
  THUD_REQUIRE(context, context, record, path);
  const thud_field_choice usual = {.at = NAN};
  if (choice == NULL) choice = &usual;
  const char *name = choice->field != NULL ? choice->field : "v";
  surface_fields fields;
  double *values = NULL;
  thud_error error = thud_surface_fields_open(context, record, &fields);
  if (error == THUD_OK) {
    values = THUD_NEW_ARRAY(context, double, fields.n);
    if (values == NULL) error = THUD_ERROR_MEMORY;
  }
  size_t row = 0;
  if (error == THUD_OK) error = find_row(&fields, choice->at, &row);
  if (error == THUD_OK) error = thud_surface_fields_read(&fields, name, row, values);
  if (error == THUD_OK) {
    const thud_mesh_definition mesh = thud_mesh_get(fields.mesh);
    field_picture field = {
        .mesh = &mesh, .values = values, .status = strcmp(name, "status") == 0, .label = label_of(name)};
    find_range(&field);
    const char *title = choice->title != NULL ? choice->title : thud_record_reader_info(fields.reader).title;
    error = write_figure(&fields, &field, title, fields.t[row], options, path);
  }
  thud_free(context, values);
  thud_surface_fields_close(&fields);
  return error;
}
