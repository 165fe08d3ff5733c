/* Fields on meshes in colours. */
#include "base/base.h"
#include "plot/field.h"
#include "plot/field_read.h"
#include "thud/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Colours of nodes that are apart, touching, slipping. */
static const double status_colours[3][3] = {{.88, .88, .88}, {.0, .447, .698}, {.835, .369, .0}};
static const char *const status_names[3] = {"apart", "touching", "slipping"};

typedef struct field_picture {
  const thud_vtk_mesh *mesh; /* triangles */
  const double *values;      /* [nodes] */
  field_scale scale;
  bool status;
  const char *label;
} field_picture;

static void use_status(cairo_t *cairo, double value) {
  const double *rgb = status_colours[(int)fmin(2, fmax(0, round(value)))];
  cairo_set_source_rgb(cairo, rgb[0], rgb[1], rgb[2]);
}

/* The cell of a node, for values that are not numbers: from each triangle the part that is nearest to the corner. */
static void fill_cells(const thud_plot_layout *layout, const field_corner p[3]) {
  cairo_t *cairo = layout->cairo;
  double x = (p[0].x + p[1].x + p[2].x) / 3, y = (p[0].y + p[1].y + p[2].y) / 3;
  for (int k = 0; k < 3; k++) {
    field_corner next = thud_field_middle(p[k], p[(k + 1) % 3]), last = thud_field_middle(p[k], p[(k + 2) % 3]);
    use_status(cairo, p[k].value);
    cairo_move_to(cairo, p[k].x, p[k].y);
    cairo_line_to(cairo, next.x, next.y);
    cairo_line_to(cairo, x, y);
    cairo_line_to(cairo, last.x, last.y);
    cairo_close_path(cairo);
    thud_canvas_fill(layout->canvas);
  }
}

static void paint_mesh(const field_picture *field, const thud_plot_layout *layout) {
  const thud_plot_panel_layout *panel = &layout->panels[0];
  const thud_vtk_mesh *mesh = field->mesh;
  cairo_set_antialias(layout->cairo, CAIRO_ANTIALIAS_NONE); /* no seams between triangles */
  for (size_t t = 0; t < mesh->cells; t++) {
    field_corner p[3];
    for (int c = 0; c < 3; c++) {
      size_t i = mesh->corners[3 * t + (size_t)c];
      p[c] = (field_corner){thud_plot_axis_place(&panel->x, mesh->places[3 * i]),
                            thud_plot_axis_place(&panel->y, mesh->places[3 * i + 1]), field->values[i]};
    }
    if (field->status)
      fill_cells(layout, p);
    else
      thud_field_fill(layout, &field->scale, p);
  }
  cairo_set_antialias(layout->cairo, CAIRO_ANTIALIAS_DEFAULT);
}

/* ---- the scale ------------------------------------------------------------------------------------------------------ */

static void paint_names(const thud_plot_layout *layout, double left, double top) {
  double size = layout->font;
  thud_plot_set_font(layout, layout->small_font, false);
  for (int k = 0; k < 3; k++) {
    double y = top + 1.6 * size * k;
    use_status(layout->cairo, k);
    cairo_rectangle(layout->cairo, left, y, size, size);
    thud_canvas_fill(layout->canvas);
    cairo_set_source_rgb(layout->cairo, 0.2, 0.2, 0.2);
    thud_plot_put_text(layout, status_names[k], left + 1.5 * size, y + size / 2, 0, 0.5);
  }
}

static thud_error paint(void *user, const thud_plot_layout *layout) {
  const field_picture *field = user;
  const thud_plot_box *box = &layout->panels[0].box;
  double left = box->right + 1.2 * layout->font;
  paint_mesh(field, layout);
  if (field->status)
    paint_names(layout, left, box->top + layout->font);
  else
    thud_field_paint_scale(layout, &field->scale, field->label, left, box);
  return THUD_OK;
}

/* ---- the figure -------------------------------------------------------------------------------------------------------- */

static void find_range(field_picture *field) {
  field->scale.low = field->scale.high = field->values[0];
  for (size_t i = 0; i < field->mesh->points; i++) {
    field->scale.low = fmin(field->scale.low, field->values[i]);
    field->scale.high = fmax(field->scale.high, field->values[i]);
  }
  thud_field_widen(&field->scale);
}

/* The last row at or before a time; NaN: the last one. */
static thud_error find_row(const plot_fields *fields, double at, size_t *row) {
  const double *t = fields->t;
  size_t last = fields->rows - 1;
  *row = isnan(at) ? last : 0;
  if (isnan(at)) return THUD_OK;
  if (!(at >= t[0] && at <= t[last]))
    return thud_fail(fields->context, THUD_ERROR_ARGUMENT,
                     "[time-outside] the time (--at) is a number from %g to %g, not %g", t[0], t[last], at);
  while (*row < last && t[*row + 1] <= at) ++*row;
  return THUD_OK;
}

/* Label of the colours: vectors are shown by their lengths, forces per area. */
static const char *label_of(const char *field) {
  if (strcmp(field, "u") == 0) return "|u|";
  return strcmp(field, "r") == 0 ? "|r| per area" : field;
}

/* The corners of the box around the mesh give the axes their ranges. */
static thud_error write_figure(plot_fields *fields, const field_picture *field, const char *title, double t,
                               const thud_plot_options *options, const char *path) {
  double x[2] = {INFINITY, -INFINITY}, y[2] = {INFINITY, -INFINITY};
  char text[THUD_PLOT_TEXT];
  for (size_t i = 0; i < fields->n; i++) {
    x[0] = fmin(x[0], field->mesh->places[3 * i]);
    x[1] = fmax(x[1], field->mesh->places[3 * i]);
    y[0] = fmin(y[0], field->mesh->places[3 * i + 1]);
    y[1] = fmax(y[1], field->mesh->places[3 * i + 1]);
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
  plot_fields fields;
  double *values = NULL;
  thud_error error = thud_plot_fields_open(context, record, &fields);
  if (error == THUD_OK) {
    values = THUD_NEW_ARRAY(context, double, fields.n);
    if (values == NULL) error = THUD_ERROR_MEMORY;
  }
  size_t row = 0;
  if (error == THUD_OK) error = find_row(&fields, choice->at, &row);
  if (error == THUD_OK) error = thud_plot_fields_read(&fields, name, row, values);
  if (error == THUD_OK) {
    field_picture field = {
        .mesh = &fields.mesh, .values = values, .status = strcmp(name, "status") == 0, .label = label_of(name)};
    find_range(&field);
    const char *title = choice->title != NULL ? choice->title : thud_record_reader_info(fields.reader).title;
    error = write_figure(&fields, &field, title, fields.t[row], options, path);
  }
  thud_free(context, values);
  thud_plot_fields_close(&fields);
  return error;
}
