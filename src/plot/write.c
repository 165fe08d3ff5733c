/* Pictures as files: the figure is drawn into memory, then written in one go. */
#include "base/base.h"
#include "plot/plot_check.h"
#include "plot/plot_layout.h"
#include "plot/png_mark.h"
#include "plot/svg.h"
#include "record/output.h"

#include <cairo-pdf.h>
#include <math.h>
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
  return thud_fail(context, THUD_ERROR_ARGUMENT, "[file-ending] %s: a picture's name ends in .png, .svg or .pdf", path);
}

/* ---- drawing ------------------------------------------------------------------------------------------------------
 */

static cairo_status_t append_bytes(void *file, const unsigned char *bytes, unsigned count) {
  thud_text *text = file;
  thud_text_append(text, (const char *)bytes, count);
  return text->error == THUD_OK ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* The same, with the mark of the program behind signature and IHDR of a PNG. */
static cairo_status_t append_png(void *file, const unsigned char *bytes, unsigned count) {
  thud_text *text = file;
  size_t before = text->length, missing = before < PNG_HEAD ? PNG_HEAD - before : 0;
  if (missing == 0 || count < missing) return append_bytes(file, bytes, count);
  thud_text_append(text, (const char *)bytes, missing);
  thud_png_mark mark = thud_png_make_mark();
  thud_text_append(text, (const char *)mark.bytes, mark.count);
  return append_bytes(file, bytes + missing, count - (unsigned)missing);
}

static cairo_surface_t *make_surface(format kind, double width, double height, double scale, thud_text *file) {
  if (kind == FORMAT_PNG)
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)lround(width * scale), (int)lround(height * scale));
  if (kind == FORMAT_SVG) return cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1); /* it only measures */
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(append_bytes, file, width, height);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, ""); /* the same figure, the same bytes */
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "thud " THUD_VERSION);
  return surface;
}

static thud_error check_cairo(thud_context *context, cairo_status_t status, const thud_text *file) {
  if (file->error != THUD_OK) return file->error;
  if (status == CAIRO_STATUS_SUCCESS) return THUD_OK;
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

/* A page in the making: cells in rows, below a title. Lengths in pt. */
typedef struct page {
  thud_context *context;
  const thud_plot_options *options;
  format kind;
  const char *title;
  size_t count, columns;
  const thud_plot_cell *cells;            /* [count] */
  const thud_plot_painter *footer;        /* NULL: none */
  double width, height, heading, footing; /* of the whole; what the title and the footer take of it */
  double cell_width, cell_height;
  double scale;   /* dots per pt */
  cairo_t *ruler; /* measures text before the page has a size */
} page;

static double margin_of(const page *made, size_t k) {
  const thud_plot_painter *painter = made->cells[k].painter;
  return painter != NULL ? painter->margin * made->options->font_size : 0;
}

/* The layout of a cell, without its panels. */
static thud_plot_layout cell_layout(const page *made, size_t k, double width, thud_canvas *canvas) {
  const thud_plot_options *options = made->options;
  const thud_plot_cell *cell = &made->cells[k];
  return (thud_plot_layout){.context = made->context,
                            .canvas = canvas,
                            .cairo = canvas->cairo,
                            .figure = cell->figure,
                            .width = width - margin_of(made, k),
                            .height = made->cell_height,
                            .font = options->font_size,
                            .small_font = 0.89 * options->font_size,
                            .bare = cell->painter != NULL && cell->painter->bare,
                            .resolution = made->kind == FORMAT_PNG ? 0.5 / made->scale : 0.25,
                            .dot = points_per_inch / options->dpi};
}

/* How high the cells want to be, in so many columns. */
static double wanted_height(const page *made, size_t columns) {
  thud_canvas ruler = thud_canvas_on_cairo(made->ruler);
  double width = made->width / (double)columns, height = 0;
  for (size_t k = 0; k < made->count; k++) {
    const thud_plot_layout layout = cell_layout(made, k, width, &ruler);
    height = fmax(height, thud_plot_wanted_height(&layout));
  }
  return height;
}

static size_t rows_for(const page *made, size_t columns) { return (made->count + columns - 1) / columns; }

/* So many that the page is neither high nor wide, with few empty cells. */
static size_t choose_columns(const page *made) {
  static const double usual_ratio = 0.85, empty_cell = 0.4;
  size_t best = 1;
  double least = INFINITY;
  for (size_t columns = 1; columns <= made->count && columns <= 3; columns++) {
    size_t rows = rows_for(made, columns);
    double ratio = (double)rows * wanted_height(made, columns) / made->width;
    double cost = fabs(log(ratio / usual_ratio)) + empty_cell * (double)(rows * columns - made->count);
    if (!(cost < least)) continue;
    best = columns;
    least = cost;
  }
  return best;
}

static cairo_t *make_ruler(void) {
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cairo = cairo_create(surface);
  cairo_surface_destroy(surface);
  set_font_options(cairo);
  return cairo;
}

static thud_error lay_out_page(page *made) {
  static const double line = 1.8; /* of the title, in sizes of the font */
  const thud_plot_options *options = made->options;
  made->ruler = make_ruler();
  made->heading = made->title != NULL && made->title[0] != '\0' ? line * options->font_size : 0;
  made->width = options->width * points_per_inch;
  if (made->columns == 0) made->columns = choose_columns(made);
  size_t rows = rows_for(made, made->columns);
  made->cell_width = made->width / (double)made->columns;
  made->cell_height = wanted_height(made, made->columns);
  cairo_destroy(made->ruler);
  made->ruler = NULL;
  made->height = options->height > 0 ? options->height * points_per_inch
                                     : (double)rows * made->cell_height + made->heading + made->footing;
  made->cell_height = (made->height - made->heading - made->footing) / (double)rows;
  made->scale = made->kind == FORMAT_PNG ? options->dpi / points_per_inch : 1;
  if (made->width * made->scale <= largest_picture && made->height * made->scale <= largest_picture) return THUD_OK;
  return thud_fail(made->context, THUD_ERROR_OVERFLOW, "plot: %.0f x %.0f dots are too many; lower the resolution",
                   made->width * made->scale, made->height * made->scale);
}

static thud_error draw_cell(const page *made, size_t k, thud_canvas *canvas) {
  const thud_plot_painter *painter = made->cells[k].painter;
  thud_plot_layout layout = cell_layout(made, k, made->cell_width, canvas);
  layout.panels = THUD_NEW_ARRAY(made->context, thud_plot_panel_layout, layout.figure->panel_count);
  if (layout.panels == NULL) return THUD_ERROR_MEMORY;
  if (made->count > 1) thud_canvas_group(canvas, "picture", k, layout.figure->title);
  thud_canvas_save(canvas);
  size_t row = k / made->columns, column = k % made->columns;
  cairo_translate(canvas->cairo, (double)column * made->cell_width, made->heading + (double)row * made->cell_height);
  if (made->count > 1) {
    cairo_rectangle(canvas->cairo, 0, 0, made->cell_width, made->cell_height);
    thud_canvas_clip(canvas);
  }
  thud_plot_lay_out(&layout);
  thud_error error = thud_plot_draw(&layout);
  if (error == THUD_OK && painter != NULL) error = painter->paint(painter->user, &layout);
  thud_plot_path_release(made->context, &layout.path);
  thud_free(made->context, layout.panels);
  thud_canvas_restore(canvas);
  if (made->count > 1) thud_canvas_end_group(canvas);
  return error;
}

static void draw_paper(const page *made, thud_canvas *canvas) {
  cairo_set_source_rgb(canvas->cairo, 1, 1, 1);
  cairo_rectangle(canvas->cairo, 0, 0, made->width + 1, made->height + 1); /* also of the last dot what is beyond */
  thud_canvas_fill(canvas);
}

static thud_error draw_footer(const page *made, thud_canvas *canvas) {
  thud_plot_layout layout = cell_layout(made, 0, made->cell_width, canvas);
  layout.figure = NULL;
  layout.width = made->width;
  layout.height = made->footing;
  thud_canvas_save(canvas);
  cairo_translate(canvas->cairo, 0, made->height - made->footing);
  thud_error error = made->footer->paint(made->footer->user, &layout);
  thud_canvas_restore(canvas);
  return error;
}

static thud_error draw_cells(const page *made, thud_canvas *canvas) {
  thud_error error = THUD_OK;
  draw_paper(made, canvas);
  if (made->heading > 0) {
    const thud_plot_layout layout = cell_layout(made, 0, made->cell_width, canvas);
    thud_plot_put_title(&layout, made->title, layout.font, made->width - layout.font,
                        made->heading - 0.3 * layout.font);
  }
  for (size_t k = 0; k < made->count && error == THUD_OK; k++) error = draw_cell(made, k, canvas);
  if (error == THUD_OK && made->footing > 0) error = draw_footer(made, canvas);
  return error;
}

/* In words what is in the picture, for people who cannot see it. */
static void describe(const thud_plot_figure *figure, thud_text *text) {
  thud_text_print(text, "x: %s", figure->x_label != NULL ? figure->x_label : "");
  for (size_t p = 0; p < figure->panel_count; p++) {
    const thud_plot_panel *panel = &figure->panels[p];
    size_t named = 0;
    thud_text_print(text, "; y: %s", panel->y_label != NULL ? panel->y_label : "");
    for (size_t k = 0; k < panel->series_count; k++)
      if (panel->series[k].label != NULL && panel->series[k].label[0] != '\0')
        thud_text_print(text, "%s%s", named++ == 0 ? " (" : ", ", panel->series[k].label);
    if (named > 0) thud_text_print(text, ")");
  }
  if (figure->note != NULL && figure->note[0] != '\0') thud_text_print(text, ". %s", figure->note);
}

static thud_error draw_svg(const page *made, cairo_t *cairo, thud_text *file) {
  thud_svg svg;
  thud_text description = thud_text_new(made->context);
  describe(made->cells[0].figure, &description);
  thud_error error = description.error;
  if (error == THUD_OK) {
    const char *title = made->heading > 0 ? made->title : made->cells[0].figure->title;
    thud_svg_begin(&svg, cairo, file, made->width, made->height, title, thud_text_chars(&description));
    error = draw_cells(made, &svg.canvas);
    thud_svg_end(&svg);
  }
  thud_text_free(&description);
  return error;
}

static thud_error draw_on(const page *made, cairo_surface_t *surface, thud_text *file) {
  cairo_t *cairo = cairo_create(surface);
  thud_canvas canvas = thud_canvas_on_cairo(cairo);
  cairo_scale(cairo, made->scale, made->scale);
  set_font_options(cairo);
  thud_error error = made->kind == FORMAT_SVG ? draw_svg(made, cairo, file) : draw_cells(made, &canvas);
  cairo_show_page(cairo);
  cairo_status_t status = cairo_status(cairo);
  cairo_destroy(cairo);
  return error != THUD_OK ? error : check_cairo(made->context, status, file);
}

static thud_error render(page *made, thud_text *file) {
  thud_error error = lay_out_page(made);
  if (error != THUD_OK) return error;
  cairo_surface_t *surface = make_surface(made->kind, made->width, made->height, made->scale, file);
  error = draw_on(made, surface, file);
  if (error == THUD_OK && made->kind == FORMAT_PNG)
    error = check_cairo(made->context, cairo_surface_write_to_png_stream(surface, append_png, file), file);
  cairo_surface_finish(surface);
  if (error == THUD_OK) error = check_cairo(made->context, cairo_surface_status(surface), file);
  cairo_surface_destroy(surface);
  return error;
}

enum { WORKING_MEBIBYTES = 48 }; /* settings and caches of the fonts, the picture */

/* Options (copied to *chosen), figures and memory; *made is all but laid out. */
static thud_error begin_page(thud_context *context, const thud_plot_sheet *sheet, const thud_plot_options *options,
                             thud_plot_options *chosen, page *made) {
  *made = (page){.context = context,
                 .options = chosen,
                 .title = sheet->title,
                 .count = sheet->count,
                 .columns = sheet->columns,
                 .cells = sheet->cells,
                 .footer = sheet->footer};
  thud_error error = thud_options_take(context, &plot_table, options, chosen);
  for (size_t k = 0; k < sheet->count && error == THUD_OK; k++)
    error = thud_plot_check(context, sheet->cells[k].figure);
  if (error == THUD_OK) error = thud_need_memory(context, "cairo with fontconfig", WORKING_MEBIBYTES);
  if (error == THUD_OK && sheet->footer != NULL) made->footing = sheet->footer_height * chosen->font_size;
  return error;
}

thud_error thud_plot_write_sheet(thud_context *context, const thud_plot_sheet *sheet, const thud_plot_options *options,
                                 const char *path) {
  thud_plot_options chosen;
  page made;
  format kind = FORMAT_PNG;
  thud_error error = begin_page(context, sheet, options, &chosen, &made);
  if (error == THUD_OK) error = choose_format(context, path, &kind);
  if (error != THUD_OK) return error;
  made.kind = kind;
  thud_text file = thud_text_new(context);
  error = render(&made, &file);
  if (error == THUD_OK) error = thud_output_write(context, path, chosen.overwrite, file.data, file.length);
  thud_text_free(&file);
  return error;
}

thud_error thud_plot_draw_sheet(thud_context *context, const thud_plot_sheet *sheet, const thud_plot_options *options,
                                cairo_surface_t **image) {
  thud_plot_options chosen;
  page made;
  thud_text none = thud_text_new(context); /* nothing is written */
  thud_error error = begin_page(context, sheet, options, &chosen, &made);
  if (error == THUD_OK) error = lay_out_page(&made);
  if (error != THUD_OK) return error;
  cairo_surface_t *surface = make_surface(FORMAT_PNG, made.width, made.height, made.scale, NULL);
  error = draw_on(&made, surface, &none);
  if (error == THUD_OK) error = check_cairo(context, cairo_surface_status(surface), &none);
  if (error == THUD_OK)
    *image = surface;
  else
    cairo_surface_destroy(surface);
  return error;
}

thud_error thud_plot_write_page(thud_context *context, const char *title, size_t count, const thud_plot_cell *cells,
                                const thud_plot_options *options, const char *path) {
  const thud_plot_sheet sheet = {.title = title, .count = count, .cells = cells};
  return thud_plot_write_sheet(context, &sheet, options, path);
}

thud_error thud_plot_write_painted(thud_context *context, const thud_plot_figure *figure,
                                   const thud_plot_painter *painter, const thud_plot_options *options,
                                   const char *path) {
  const thud_plot_cell cell = {figure, painter};
  return thud_plot_write_page(context, NULL, 1, &cell, options, path);
}

thud_error thud_plot_write(thud_context *context, const thud_plot_figure *figure, const thud_plot_options *options,
                           const char *path) {
  THUD_REQUIRE(context, context, figure, path);
  return thud_plot_write_painted(context, figure, NULL, options, path);
}
