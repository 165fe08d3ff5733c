#define THUD_CANVAS_IMPLEMENTATION
#include "plot/svg.h"
#include "record/base64.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- numbers and texts --------------------------------------------------------------------------------------------- */

static const double digits_kept = 100;    /* coordinates are multiples of 1/100 pt */
static const double largest_place = 1e12; /* beyond this there are no whole numbers of them to speak of */

static long long rounded(double value) {
  return llround(digits_kept * fmin(largest_place, fmax(-largest_place, value)));
}

enum { NUMBER_TEXT = 32 };

/* 1234 as "12.34", 50 as ".5"; a blank in front where the number would run into the one before. */
static const char *write_number(long long hundredths, bool apart, char text[NUMBER_TEXT]) {
  long long size = hundredths < 0 ? -hundredths : hundredths;
  const char *sign = hundredths < 0 ? "-" : apart ? " " : "";
  if (size % 100 == 0)
    snprintf(text, NUMBER_TEXT, "%s%lld", sign, size / 100);
  else if (size % 10 == 0)
    snprintf(text, NUMBER_TEXT, "%s%.0lld.%lld", sign, size / 100, size % 100 / 10);
  else
    snprintf(text, NUMBER_TEXT, "%s%.0lld.%02lld", sign, size / 100, size % 100);
  return text;
}

static void put_number(thud_text *out, long long hundredths, bool apart) {
  char text[NUMBER_TEXT];
  write_number(hundredths, apart, text);
  thud_text_append(out, text, strlen(text));
}

static void put_attribute(thud_text *out, const char *name, double value) {
  thud_text_print(out, " %s=\"", name);
  put_number(out, rounded(value), false);
  thud_text_print(out, "\"");
}

void thud_svg_escape(thud_text *out, const char *text) {
  for (const char *p = text != NULL ? text : ""; *p != '\0';) {
    size_t length = thud_utf8_length((const unsigned char *)p);
    unsigned char c = (unsigned char)*p;
    bool not_a_character = length == 3 && c == 0xef && p[1] == '\xbf' && (unsigned char)p[2] >= 0xbe; /* U+FFFE, FFFF */
    if (length == 0 || not_a_character || (c < ' ' && strchr("\t\n\r", *p) == NULL))
      thud_text_print(out, "\xef\xbf\xbd");
    else if (c < ' ')
      thud_text_print(out, " ");
    else if (strchr("<>&\"", *p) != NULL)
      thud_text_print(out, "%s", c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : "&quot;");
    else
      thud_text_append(out, p, length);
    p += length > 0 ? length : 1;
  }
}

static void clear(thud_text *text) {
  text->length = 0;
  if (text->data != NULL) text->data[0] = '\0';
}

/* ---- paths ----------------------------------------------------------------------------------------------------------- */

typedef struct place {
  long long x, y;
} place;

static place place_of(cairo_t *cairo, const cairo_path_data_t *data) {
  double x = data->point.x, y = data->point.y;
  cairo_user_to_device(cairo, &x, &y);
  return (place){rounded(x), rounded(y)};
}

static void put_line(thud_text *out, place from, place to) {
  long long x = to.x - from.x, y = to.y - from.y;
  thud_text_print(out, "%s", y == 0 ? "h" : x == 0 ? "v" : "l");
  if (x != 0 || y == 0) put_number(out, x, false);
  if (y != 0) put_number(out, y, x != 0);
}

static void put_curve(cairo_t *cairo, thud_text *out, place from, const cairo_path_data_t *data) {
  thud_text_print(out, "c");
  for (int k = 1; k <= 3; k++) {
    place at = place_of(cairo, data + k);
    put_number(out, at.x - from.x, k > 1);
    put_number(out, at.y - from.y, true);
  }
}

/* The path of the cairo context, which is forgotten unless it is kept: places where lines start as they are, the others
 * from place to place, so that numbers are short. */
static void take_path(thud_svg *svg, bool keep) {
  cairo_t *cairo = svg->canvas.cairo;
  cairo_path_t *path = cairo_copy_path(cairo);
  place now = {0, 0}, start = {0, 0};
  thud_text *out = &svg->path;
  clear(out);
  for (int k = 0; k < path->num_data; k += path->data[k].header.length) {
    const cairo_path_data_t *data = &path->data[k];
    cairo_path_data_type_t type = data->header.type;
    bool unused = type == CAIRO_PATH_MOVE_TO && (k + data->header.length >= path->num_data ||
                                                 data[data->header.length].header.type == CAIRO_PATH_MOVE_TO);
    if (unused) continue; /* cairo moves after closing a path */
    if (type == CAIRO_PATH_CLOSE_PATH) {
      thud_text_print(out, "z");
      now = start;
      continue;
    }
    place to = place_of(cairo, data + data->header.length - 1);
    if (type == CAIRO_PATH_MOVE_TO) {
      thud_text_print(out, "M");
      put_number(out, to.x, false);
      put_number(out, to.y, true);
      start = to;
    } else if (type == CAIRO_PATH_LINE_TO) {
      put_line(out, now, to);
    } else {
      put_curve(cairo, out, now, data);
    }
    now = to;
  }
  cairo_path_destroy(path);
  if (!keep) cairo_new_path(cairo);
  if (out->error != THUD_OK && svg->out->error == THUD_OK) svg->out->error = out->error;
}

/* ---- styles ---------------------------------------------------------------------------------------------------------- */

/* fill="#0072b2", with the opacity when it is not 1. */
static void write_colour(cairo_t *cairo, const char *property, char *text, size_t capacity) {
  double red = 0, green = 0, blue = 0, alpha = 1;
  cairo_pattern_get_rgba(cairo_get_source(cairo), &red, &green, &blue, &alpha);
  int used = snprintf(text, capacity, " %s=\"#%02x%02x%02x\"", property, (unsigned)lround(255 * red),
                      (unsigned)lround(255 * green), (unsigned)lround(255 * blue));
  if (alpha < 1)
    snprintf(text + used, capacity - (size_t)used, " %s-opacity=\"%s%03ld\"", property, alpha > 0 ? "." : "0.",
             lround(1000 * alpha));
}

static double scale_of(cairo_t *cairo) {
  cairo_matrix_t matrix;
  cairo_get_matrix(cairo, &matrix);
  return sqrt(fabs(matrix.xx * matrix.yy - matrix.xy * matrix.yx));
}

/* "" for lines without dashes. */
static void write_dashes(cairo_t *cairo, double scale, char *text, size_t capacity) {
  enum { MOST = 4 };
  double dashes[MOST];
  char number[NUMBER_TEXT];
  int count = cairo_get_dash_count(cairo);
  text[0] = '\0';
  if (count == 0 || count > MOST) return;
  cairo_get_dash(cairo, dashes, NULL);
  size_t used = (size_t)snprintf(text, capacity, " stroke-dasharray=\"");
  for (int k = 0; k < count; k++)
    used +=
        (size_t)snprintf(text + used, capacity - used, "%s", write_number(rounded(scale * dashes[k]), k > 0, number));
  snprintf(text + used, capacity - used, "\"");
}

static void write_stroke(cairo_t *cairo, char *text, size_t capacity) {
  char colour[80], width[NUMBER_TEXT], dashes[24 + 4 * NUMBER_TEXT];
  double scale = scale_of(cairo);
  write_colour(cairo, "stroke", colour, sizeof colour);
  write_dashes(cairo, scale, dashes, sizeof dashes);
  write_number(rounded(scale * cairo_get_line_width(cairo)), false, width);
  snprintf(text, capacity, "%s stroke-width=\"%s\"%s%s%s", colour, width,
           cairo_get_line_cap(cairo) == CAIRO_LINE_CAP_ROUND ? " stroke-linecap=\"round\"" : "",
           cairo_get_line_join(cairo) == CAIRO_LINE_JOIN_ROUND ? " stroke-linejoin=\"round\"" : "", dashes);
}

/* ---- shapes ---------------------------------------------------------------------------------------------------------- */

static void write_held(thud_svg *svg) {
  if (svg->held_style[0] != '\0' && svg->held.length > 0)
    thud_text_print(svg->out, "<path%s d=\"%s\"/>\n", svg->held_style, thud_text_chars(&svg->held));
  svg->held_style[0] = '\0';
  clear(&svg->held);
  svg->held_is_kept = false;
}

static void hold(thud_svg *svg, const char *style) {
  snprintf(svg->held_style, sizeof svg->held_style, "%s", style);
  clear(&svg->held);
  thud_text_append(&svg->held, thud_text_chars(&svg->path), svg->path.length);
  if (svg->held.error != THUD_OK && svg->out->error == THUD_OK) svg->out->error = svg->held.error;
}

/* Lines of one style become one element, the outline of a filled shape becomes part of it. */
static void stroke(thud_canvas *canvas) {
  thud_svg *svg = (thud_svg *)(void *)canvas;
  char style[THUD_SVG_STYLE / 2];
  take_path(svg, false);
  write_stroke(canvas->cairo, style, sizeof style);
  if (svg->held_is_kept && strcmp(thud_text_chars(&svg->held), thud_text_chars(&svg->path)) == 0) {
    size_t used = strlen(svg->held_style);
    snprintf(svg->held_style + used, sizeof svg->held_style - used, "%s", style);
    write_held(svg);
  } else if (strcmp(style, svg->held_style) == 0 && strstr(style, "opacity") == NULL) {
    thud_text_append(&svg->held, thud_text_chars(&svg->path), svg->path.length);
  } else {
    write_held(svg);
    hold(svg, style);
  }
}

static void fill(thud_canvas *canvas, bool keep) {
  thud_svg *svg = (thud_svg *)(void *)canvas;
  char style[120];
  write_colour(canvas->cairo, "fill", style, sizeof style);
  if (cairo_get_antialias(canvas->cairo) == CAIRO_ANTIALIAS_NONE) /* neighbours without seams */
    snprintf(style + strlen(style), sizeof style - strlen(style), " shape-rendering=\"crispEdges\"");
  write_held(svg);
  take_path(svg, keep);
  hold(svg, style);
  if (keep)
    svg->held_is_kept = true;
  else
    write_held(svg);
}

/* ---- states, clips, groups --------------------------------------------------------------------------------------------- */

static void save(thud_canvas *canvas) {
  thud_svg *svg = (thud_svg *)(void *)canvas;
  cairo_save(canvas->cairo);
  if (svg->depth + 1 >= THUD_SVG_LEVELS) {
    svg->out->error = thud_fail(svg->out->context, THUD_ERROR_INTERNAL, "plot: more than %d states are saved at once",
                                THUD_SVG_LEVELS);
    return;
  }
  svg->clips_open[++svg->depth] = 0;
}

static void restore(thud_canvas *canvas) {
  thud_svg *svg = (thud_svg *)(void *)canvas;
  cairo_restore(canvas->cairo);
  if (svg->depth == 0) return;
  if (svg->clips_open[svg->depth] > 0) write_held(svg);
  for (int k = 0; k < svg->clips_open[svg->depth]; k++) thud_text_print(svg->out, "</g>\n");
  svg->depth--;
}

/* The number of the clip path; a new one is written. Of those that are used again the last few are known. */
static size_t number_of_clip(thud_svg *svg, const char *path) {
  size_t first = svg->clip_count > THUD_SVG_CLIPS ? svg->clip_count - THUD_SVG_CLIPS : 0, number = svg->clip_count;
  for (size_t k = first; k < svg->clip_count; k++)
    if (strcmp(svg->clips[k % THUD_SVG_CLIPS], path) == 0) return k;
  thud_text_print(svg->out, "<clipPath id=\"clip-%08x-%zu\"><path d=\"%s\"/></clipPath>\n", (unsigned)svg->tag, number,
                  path);
  snprintf(svg->clips[number % THUD_SVG_CLIPS], THUD_SVG_CLIP_TEXT, "%s",
           strlen(path) < THUD_SVG_CLIP_TEXT ? path : "");
  svg->clip_count++;
  return number;
}

static void clip(thud_canvas *canvas) {
  thud_svg *svg = (thud_svg *)(void *)canvas;
  write_held(svg);
  take_path(svg, false);
  size_t number = number_of_clip(svg, thud_text_chars(&svg->path));
  thud_text_print(svg->out, "<g clip-path=\"url(#clip-%08x-%zu)\">\n", (unsigned)svg->tag, number);
  svg->clips_open[svg->depth]++;
}

static void group(thud_canvas *canvas, const char *name, size_t number, const char *title) {
  thud_svg *svg = (thud_svg *)(void *)canvas;
  write_held(svg);
  if (name == NULL) {
    if (svg->group_depth == 0) return;
    svg->id[svg->id_length[--svg->group_depth]] = '\0';
    thud_text_print(svg->out, "</g>\n");
    return;
  }
  if (svg->group_depth == THUD_SVG_LEVELS) {
    svg->out->error =
        thud_fail(svg->out->context, THUD_ERROR_INTERNAL, "plot: more than %d groups are nested", THUD_SVG_LEVELS);
    return;
  }
  size_t used = strlen(svg->id);
  svg->id_length[svg->group_depth++] = used;
  snprintf(svg->id + used, sizeof svg->id - used, "%s%s-%zu", used > 0 ? "-" : "", name, number);
  thud_text_print(svg->out, "<g id=\"%s\">\n", svg->id);
  if (title == NULL || title[0] == '\0') return;
  thud_text_print(svg->out, "<title>");
  thud_svg_escape(svg->out, title);
  thud_text_print(svg->out, "</title>\n");
}

/* ---- texts and images -------------------------------------------------------------------------------------------------- */

static void put_text(thud_canvas *canvas, const char *text, double along) {
  static const double degree = 3.14159265358979323846 / 180;
  thud_svg *svg = (thud_svg *)(void *)canvas;
  cairo_t *cairo = canvas->cairo;
  cairo_matrix_t font, matrix;
  double x, y;
  char colour[80];
  if (text[0] == '\0') return;
  write_held(svg);
  cairo_get_current_point(cairo, &x, &y);
  cairo_user_to_device(cairo, &x, &y);
  cairo_get_font_matrix(cairo, &font);
  cairo_get_matrix(cairo, &matrix);
  write_colour(cairo, "fill", colour, sizeof colour);
  thud_text_print(svg->out, "<text");
  put_attribute(svg->out, "x", x);
  put_attribute(svg->out, "y", y);
  put_attribute(svg->out, "font-size", font.xx * scale_of(cairo));
  if (cairo_toy_font_face_get_weight(cairo_get_font_face(cairo)) == CAIRO_FONT_WEIGHT_BOLD)
    thud_text_print(svg->out, " font-weight=\"bold\"");
  if (along > 0) thud_text_print(svg->out, " text-anchor=\"%s\"", along < 1 ? "middle" : "end");
  if (matrix.yx != 0) {
    thud_text_print(svg->out, " transform=\"rotate(");
    put_number(svg->out, rounded(atan2(matrix.yx, matrix.xx) / degree), false);
    put_number(svg->out, rounded(x), true);
    put_number(svg->out, rounded(y), true);
    thud_text_print(svg->out, ")\"");
  }
  thud_text_print(svg->out, "%s>", colour);
  thud_svg_escape(svg->out, text);
  thud_text_print(svg->out, "</text>\n");
  cairo_new_path(cairo);
}

static void put_letters(void *out, const char letters[4]) { thud_text_append(out, letters, 4); }

static cairo_status_t encode(void *user, const unsigned char *bytes, unsigned count) {
  thud_base64_add(user, bytes, count);
  return CAIRO_STATUS_SUCCESS;
}

static void put_image(thud_canvas *canvas, cairo_surface_t *image, double left, double top, double dot) {
  thud_svg *svg = (thud_svg *)(void *)canvas;
  thud_base64 encoder = {.put = put_letters, .user = svg->out};
  double scale = scale_of(canvas->cairo);
  write_held(svg);
  cairo_user_to_device(canvas->cairo, &left, &top);
  thud_text_print(svg->out, "<image preserveAspectRatio=\"none\"");
  put_attribute(svg->out, "x", left);
  put_attribute(svg->out, "y", top);
  put_attribute(svg->out, "width", scale * dot * cairo_image_surface_get_width(image));
  put_attribute(svg->out, "height", scale * dot * cairo_image_surface_get_height(image));
  thud_text_print(svg->out, " xlink:href=\"data:image/png;base64,");
  cairo_status_t status = cairo_surface_write_to_png_stream(image, encode, &encoder);
  thud_base64_end(&encoder);
  thud_text_print(svg->out, "\"/>\n");
  if (status != CAIRO_STATUS_SUCCESS && svg->out->error == THUD_OK)
    svg->out->error = thud_fail(svg->out->context, THUD_ERROR_MEMORY, "plot: not enough memory for an image in SVG");
}

/* ---- the picture --------------------------------------------------------------------------------------------------------- */

static const thud_canvas_class svg_class = {stroke, fill, clip, save, restore, put_text, put_image, group};

/* FNV-1a, 32 bits (Fowler, Noll and Vo). */
static uint32_t hash(uint32_t before, const char *text) {
  for (; text != NULL && *text != '\0'; text++) before = (before ^ (unsigned char)*text) * 16777619u;
  return before;
}

void thud_svg_begin(thud_svg *svg, cairo_t *cairo, thud_text *out, double width, double height, const char *title,
                    const char *description) {
  *svg = (thud_svg){.canvas = {&svg_class, cairo},
                    .out = out,
                    .tag = hash(hash(2166136261u, title), description),
                    .path = thud_text_new(out->context),
                    .held = thud_text_new(out->context)};
  thud_text_print(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
                       "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\" role=\"img\" width=\"");
  put_number(out, rounded(width), false);
  thud_text_print(out, "pt\" height=\"");
  put_number(out, rounded(height), false);
  thud_text_print(out, "pt\" viewBox=\"0 0");
  put_number(out, rounded(width), true);
  put_number(out, rounded(height), true);
  thud_text_print(out, "\" font-family=\"'DejaVu Sans', Verdana, sans-serif\" fill=\"none\">\n<title>");
  thud_svg_escape(out, title);
  thud_text_print(out, "</title>\n<desc>");
  thud_svg_escape(out, description);
  thud_text_print(out, "</desc>\n<metadata>thud %s</metadata>\n", thud_version());
}

void thud_svg_end(thud_svg *svg) {
  write_held(svg);
  thud_text_print(svg->out, "</svg>\n");
  thud_text_free(&svg->path);
  thud_text_free(&svg->held);
}
