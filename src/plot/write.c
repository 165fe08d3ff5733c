/* Pictures as files: the figure is drawn into memory by cairo, then written in one go. */
#include "base/base.h"
#include "plot/check.h"
#include "plot/layout.h"
#include "record/output.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const double points_per_inch = 72;
static const double largest_picture = 32767; /* dots, cairo's limit */

#define OFFSET(field) offsetof(thud_plot_options, field)

static const thud_option_key plot_keys[] = {
    {"overwrite", THUD_OPTION_BOOL, OFFSET(overwrite), 0, 0, 1, false, NULL, "1", "replace an existing picture"},
    {"width", THUD_OPTION_REAL, OFFSET(width), 6.3, 1, 100, false, NULL, "in", "width of the picture"},
    {"height", THUD_OPTION_REAL, OFFSET(height), 0, 0, 100, false, NULL, "in", "height; 0: from the number of panels"},
    {"font_size", THUD_OPTION_REAL, OFFSET(font_size), 9, 4, 72, false, NULL, "pt", "size of labels"},
    {"dpi", THUD_OPTION_REAL, OFFSET(dpi), 200, 36, 2400, false, NULL, "1/in", "resolution of PNG"},
    {"legend_beside", THUD_OPTION_BOOL, OFFSET(legend_beside), 0, 0, 1, false, NULL, "1",
     "legends right of the panels instead of within them"},
};

static const thud_option_table plot_table = {.name = "plot",
                                             .struct_size = sizeof(thud_plot_options),
                                             .keys = plot_keys,
                                             .count = sizeof plot_keys / sizeof *plot_keys};

const thud_option_table *thud_plot_option_table(void) { return &plot_table; }

/* ---- formats ------------------------------------------------------------------------------------------------ */

typedef enum format { FORMAT_PNG, FORMAT_SVG, FORMAT_PDF } format;

static thud_error choose_format(thud_context *context, const char *path, format *chosen) {
  static const char *const suffixes[] = {".png", ".svg", ".pdf"};
  if (path == NULL || path[0] == '\0')
    return thud_fail(context, THUD_ERROR_ARGUMENT, "plot: the name of the picture is empty");
  const char *dot = strrchr(path, '.');
  for (int k = 0; k < 3; k++)
    if (dot != NULL && strcasecmp(dot, suffixes[k]) == 0) {
      *chosen = (format)k;
      return THUD_OK;
    }
  return thud_fail(context, THUD_ERROR_ARGUMENT, "%s: a picture's name ends in .png, .svg or .pdf", path);
}

/* ---- the file in memory --------------------------------------------------------------------------------------- */

typedef struct memory_file {
  thud_context *context;
  size_t count, capacity;
  char *bytes;
  bool failed;
} memory_file;

static cairo_status_t append_bytes(void *user, const unsigned char *bytes, unsigned count) {
  memory_file *file = user;
  if (file->failed ||
      thud_array_reserve(file->context, (void **)&file->bytes, &file->capacity, file->count + count, 1) != THUD_OK) {
    file->failed = true;
    return CAIRO_STATUS_WRITE_ERROR;
  }
  memcpy(file->bytes + file->count, bytes, count);
  file->count += count;
  return CAIRO_STATUS_SUCCESS;
}

static void append_text(memory_file *file, const char *text) {
  append_bytes(file, (const unsigned char *)text, (unsigned)strlen(text));
}

static void append_escaped(memory_file *file, const char *text) {
  for (; text != NULL && *text != '\0'; text++) {
    char one[2] = {*text, '\0'};
    append_text(file, *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : *text == '&' ? "&amp;" : one);
  }
}

/* ---- SVG: texts for people who cannot see, and names that do not depend on earlier pictures --------------------- */

static void append_description(memory_file *file, const thud_plot_figure *figure) {
  append_text(file, "<title>");
  append_escaped(file, figure->title);
  append_text(file, "</title>\n<desc>x: ");
  append_escaped(file, figure->x_label);
  for (size_t p = 0; p < figure->panel_count; p++) {
    append_text(file, "; y: ");
    append_escaped(file, figure->panels[p].y_label);
    for (size_t k = 0; k < figure->panels[p].series_count; k++) {
      append_text(file, k == 0 ? " (" : ", ");
      append_escaped(file, figure->panels[p].series[k].label);
    }
    append_text(file, ")");
  }
  append_text(file, "</desc>\n");
}

/* cairo calls its groups surface17, with a number that counts all surfaces of the process. */
static size_t skip_surface_number(const char *text) {
  static const char name[] = "surface";
  size_t length = sizeof name - 1;
  if (strncmp(text, name, length) != 0 || !isdigit((unsigned char)text[length])) return 0;
  while (isdigit((unsigned char)text[length])) length++;
  return length;
}

static thud_error polish_svg(const thud_plot_figure *figure, memory_file *file) {
  memory_file polished = {.context = file->context};
  append_bytes(file, (const unsigned char *)"", 1); /* a final 0 for the string functions */
  const char *start = file->failed ? NULL : strstr(file->bytes, "<svg");
  const char *end = start != NULL ? strchr(start, '>') : NULL;
  if (end != NULL) {
    append_bytes(&polished, (const unsigned char *)file->bytes, (unsigned)(end + 1 - file->bytes));
    append_text(&polished, "\n");
    append_description(&polished, figure);
    for (const char *text = end + 1; *text != '\0';) {
      size_t skipped = skip_surface_number(text);
      append_text(&polished, skipped > 0 ? "figure" : (char[2]){*text, '\0'});
      text += skipped > 0 ? skipped : 1;
    }
  }
  thud_free(file->context, file->bytes);
  *file = polished;
  if (file->failed) return THUD_ERROR_MEMORY;
  return end != NULL ? THUD_OK : thud_fail(file->context, THUD_ERROR_INTERNAL, "plot: cairo wrote no SVG");
}

/* ---- drawing ------------------------------------------------------------------------------------------------------
 */

static cairo_surface_t *make_surface(format kind, double width, double height, double scale, memory_file *file) {
  if (kind == FORMAT_PNG)
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)lround(width * scale), (int)lround(height * scale));
  if (kind == FORMAT_SVG) return cairo_svg_surface_create_for_stream(append_bytes, file, width, height);
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(append_bytes, file, width, height);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, ""); /* the same figure, the same bytes */
  return surface;
}

static thud_error check_cairo(thud_context *context, cairo_status_t status, const memory_file *file) {
  if (status == CAIRO_STATUS_SUCCESS && !file->failed) return THUD_OK;
  if (file->failed) return THUD_ERROR_MEMORY;
  if (status == CAIRO_STATUS_NO_MEMORY)
    return thud_fail(context, THUD_ERROR_MEMORY, "plot: cairo has not enough memory for the picture");
  if (status == CAIRO_STATUS_INVALID_STRING)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "plot: a title, label or unit is not valid UTF-8");
  return thud_fail(context, THUD_ERROR_INTERNAL, "plot: cairo: %s", cairo_status_to_string(status));
}

/* Letters are placed by their true widths, so that every format has the same layout. */
static void set_font_options(cairo_t *cairo) {
  cairo_font_options_t *fonts = cairo_font_options_create();
  cairo_font_options_set_hint_metrics(fonts, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(fonts, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias(fonts, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(cairo, fonts);
  cairo_font_options_destroy(fonts);
}

static thud_error draw_on(cairo_surface_t *surface, double scale, const memory_file *file,
                          const thud_plot_painter *painter, thud_plot_layout *layout) {
  layout->cairo = cairo_create(surface);
  cairo_scale(layout->cairo, scale, scale);
  set_font_options(layout->cairo);
  thud_plot_lay_out(layout);
  thud_error error = thud_plot_draw(layout);
  if (error == THUD_OK && painter != NULL) painter->paint(painter->user, layout);
  thud_plot_path_release(layout->context, &layout->path);
  cairo_show_page(layout->cairo);
  cairo_status_t status = cairo_status(layout->cairo);
  cairo_destroy(layout->cairo);
  return error != THUD_OK ? error : check_cairo(layout->context, status, file);
}

static thud_error render(thud_context *context, const thud_plot_figure *figure, const thud_plot_options *options,
                         const thud_plot_painter *painter, format kind, memory_file *file) {
  double margin = painter != NULL ? painter->margin * options->font_size : 0;
  double width = options->width * points_per_inch;
  double height =
      options->height > 0 ? options->height * points_per_inch : thud_plot_natural_height(figure, width - margin);
  double scale = kind == FORMAT_PNG ? options->dpi / points_per_inch : 1;
  if (width * scale > largest_picture || height * scale > largest_picture)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "plot: %.0f x %.0f dots are too many; lower the resolution",
                     width * scale, height * scale);
  thud_plot_layout layout = {.context = context, .figure = figure, .width = width - margin, .height = height};
  layout.font = options->font_size;
  layout.legend_beside = options->legend_beside;
  layout.small_font = 0.89 * options->font_size;
  layout.resolution = kind == FORMAT_PNG ? 0.5 / scale : 0.25;
  layout.panels = THUD_NEW_ARRAY(context, thud_plot_panel_layout, figure->panel_count);
  if (layout.panels == NULL) return THUD_ERROR_MEMORY;
  cairo_surface_t *surface = make_surface(kind, width, height, scale, file);
  thud_error error = draw_on(surface, scale, file, painter, &layout);
  if (error == THUD_OK && kind == FORMAT_PNG)
    error = check_cairo(context, cairo_surface_write_to_png_stream(surface, append_bytes, file), file);
  cairo_surface_finish(surface);
  if (error == THUD_OK) error = check_cairo(context, cairo_surface_status(surface), file);
  cairo_surface_destroy(surface);
  thud_free(context, layout.panels);
  return error == THUD_OK && kind == FORMAT_SVG ? polish_svg(figure, file) : error;
}

enum { WORKING_MEBIBYTES = 48 }; /* settings and caches of the fonts, the picture */

thud_error thud_plot_write_painted(thud_context *context, const thud_plot_figure *figure,
                                   const thud_plot_painter *painter, const thud_plot_options *options,
                                   const char *path) {
  thud_plot_options chosen;
  format kind = FORMAT_PNG;
  thud_error error = thud_options_take(context, &plot_table, options, &chosen);
  if (error == THUD_OK) error = choose_format(context, path, &kind);
  if (error == THUD_OK) error = thud_plot_check(context, figure);
  if (error == THUD_OK) error = thud_need_memory(context, "cairo with fontconfig", WORKING_MEBIBYTES);
  if (error != THUD_OK) return error;
  memory_file file = {.context = context};
  error = render(context, figure, &chosen, painter, kind, &file);
  if (error == THUD_OK) error = thud_output_write(context, path, chosen.overwrite, file.bytes, file.count);
  thud_free(context, file.bytes);
  return error;
}

thud_error thud_plot_write(thud_context *context, const thud_plot_figure *figure, const thud_plot_options *options,
                           const char *path) {
  THUD_REQUIRE(context, context, figure, path);
  return thud_plot_write_painted(context, figure, NULL, options, path);
}
