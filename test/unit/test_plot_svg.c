/* SVG of thud's own: what is written for paths, texts, groups, clips and images. */
#include "failing_allocator.h"
#include "plot/pen.h"
#include "plot/svg.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct picture {
  thud_context *context;
  cairo_t *cairo;
  thud_text text;
  thud_svg svg;
} picture;

static void begin(picture *made, const char *title, const char *description) {
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
  made->cairo = cairo_create(surface);
  cairo_surface_destroy(surface);
  made->text = thud_text_new(made->context);
  thud_svg_begin(&made->svg, made->cairo, &made->text, 100, 50.5, title, description);
}

/* What has been written since the description. */
static const char *end(picture *made) {
  thud_svg_end(&made->svg);
  assert_int_equal(made->text.error, THUD_OK);
  assert_int_equal(cairo_status(made->cairo), CAIRO_STATUS_SUCCESS);
  return strstr(thud_text_chars(&made->text), "</metadata>\n") + strlen("</metadata>\n");
}

static void release(picture *made) {
  cairo_destroy(made->cairo);
  thud_text_free(&made->text);
}

static void lines_of_one_style_are_one_element(void **state) {
  (void)state;
  picture made = {.context = thud_test_context(1)};
  begin(&made, "t", "d");
  thud_canvas *canvas = &made.svg.canvas;
  cairo_set_source_rgb(made.cairo, 0, 0.5, 1);
  cairo_set_line_width(made.cairo, 1.5);
  for (int k = 0; k < 2; k++) {
    cairo_move_to(made.cairo, 1.25, 10 * k);
    cairo_line_to(made.cairo, 3.5, 10 * k);       /* across */
    cairo_line_to(made.cairo, 3.5, 10 * k - 0.5); /* upwards */
    cairo_line_to(made.cairo, 3, 10 * k + 1);
    thud_canvas_stroke(canvas);
  }
  const double dashes[2] = {5, 2.5};
  cairo_set_dash(made.cairo, dashes, 2, 0);
  cairo_rectangle(made.cairo, 0, 0, 10, 20);
  thud_canvas_stroke(canvas);
  assert_string_equal(end(&made), "<path stroke=\"#0080ff\" stroke-width=\"1.5\" "
                                  "d=\"M1.25 0h2.25v-.5l-.5 1.5M1.25 10h2.25v-.5l-.5 1.5\"/>\n"
                                  "<path stroke=\"#0080ff\" stroke-width=\"1.5\" stroke-dasharray=\"5 2.5\" "
                                  "d=\"M0 0h10v20h-10z\"/>\n</svg>\n");
  release(&made);
  thud_test_context_end(made.context);
}

static void outlines_join_what_they_surround(void **state) {
  (void)state;
  picture made = {.context = thud_test_context(1)};
  begin(&made, NULL, NULL);
  thud_canvas *canvas = &made.svg.canvas;
  cairo_rectangle(made.cairo, 1, 2, 3, 4);
  cairo_set_source_rgba(made.cairo, 1, 1, 1, 0.25);
  thud_canvas_fill_preserve(canvas);
  cairo_set_source_rgb(made.cairo, 0, 0, 0);
  cairo_set_line_width(made.cairo, 2);
  thud_canvas_stroke(canvas);
  cairo_rectangle(made.cairo, 0, 0, 1, 1);
  cairo_set_antialias(made.cairo, CAIRO_ANTIALIAS_NONE);
  thud_canvas_fill(canvas);
  assert_string_equal(end(&made),
                      "<path fill=\"#ffffff\" fill-opacity=\".250\" stroke=\"#000000\" stroke-width=\"2\" "
                      "d=\"M1 2h3v4h-3z\"/>\n"
                      "<path fill=\"#000000\" shape-rendering=\"crispEdges\" d=\"M0 0h1v1h-1z\"/>\n</svg>\n");
  release(&made);
  thud_test_context_end(made.context);
}

/* Groups have ids made of those around them; equal clips are written once; restoring closes them. */
static void groups_and_clips_are_nested(void **state) {
  (void)state;
  picture made = {.context = thud_test_context(1)};
  begin(&made, "t", "d");
  thud_canvas *canvas = &made.svg.canvas;
  thud_canvas_group(canvas, "panel", 1, "a < b");
  for (size_t k = 0; k < 2; k++) {
    thud_canvas_group(canvas, "series", k, NULL);
    thud_canvas_save(canvas);
    cairo_rectangle(made.cairo, 0, 0, 5, 5);
    thud_canvas_clip(canvas);
    cairo_translate(made.cairo, 1, 1);
    cairo_rectangle(made.cairo, 0, 0, 1, 1);
    thud_canvas_fill(canvas);
    thud_canvas_restore(canvas);
    thud_canvas_end_group(canvas);
  }
  thud_canvas_end_group(canvas);
  const char *text = end(&made);
  char clip[40], expected[900];
  assert_int_equal(sscanf(strstr(text, "<clipPath id=\""), "<clipPath id=\"%39[^\"]\"", clip), 1);
  snprintf(expected, sizeof expected,
           "<g id=\"panel-1\">\n<title>a &lt; b</title>\n<g id=\"panel-1-series-0\">\n"
           "<clipPath id=\"%s\"><path d=\"M0 0h5v5h-5z\"/></clipPath>\n<g clip-path=\"url(#%s)\">\n"
           "<path fill=\"#000000\" d=\"M1 1h1v1h-1z\"/>\n</g>\n</g>\n<g id=\"panel-1-series-1\">\n"
           "<g clip-path=\"url(#%s)\">\n<path fill=\"#000000\" d=\"M1 1h1v1h-1z\"/>\n</g>\n</g>\n</g>\n</svg>\n",
           clip, clip, clip);
  assert_string_equal(text, expected);
  release(&made);
  thud_test_context_end(made.context);
}

/* Two pictures on one page do not share the names of their clips. */
static void clips_of_other_pictures_have_other_names(void **state) {
  (void)state;
  picture made[2] = {{.context = thud_test_context(1)}, {.context = made[0].context}};
  for (int k = 0; k < 2; k++) {
    begin(&made[k], k == 0 ? "one" : "two", "d");
    cairo_rectangle(made[k].cairo, 0, 0, 5, 5);
    thud_canvas_save(&made[k].svg.canvas);
    thud_canvas_clip(&made[k].svg.canvas);
    thud_canvas_restore(&made[k].svg.canvas);
  }
  assert_string_not_equal(end(&made[0]), end(&made[1]));
  release(&made[0]);
  release(&made[1]);
  thud_test_context_end(made[0].context);
}

static void texts_are_texts(void **state) {
  (void)state;
  picture made = {.context = thud_test_context(1)};
  begin(&made, "t", "d");
  thud_canvas *canvas = &made.svg.canvas;
  cairo_select_font_face(made.cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
  cairo_set_font_size(made.cairo, 8.01);
  cairo_move_to(made.cairo, 10, 20);
  thud_canvas_text(canvas, "m/s² <b>", 0.5);
  cairo_select_font_face(made.cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  thud_canvas_save(canvas);
  cairo_translate(made.cairo, 30, 40);
  cairo_rotate(made.cairo, -1.5707963267948966);
  cairo_set_source_rgb(made.cairo, 1, 0, 0);
  cairo_move_to(made.cairo, 0, 2);
  thud_canvas_text(canvas, "up", 1);
  thud_canvas_restore(canvas);
  cairo_move_to(made.cairo, 0, 0);
  thud_canvas_text(canvas, "", 0);
  assert_string_equal(end(&made),
                      "<text x=\"10\" y=\"20\" font-size=\"8.01\" font-weight=\"bold\" text-anchor=\"middle\" "
                      "fill=\"#000000\">m/s² &lt;b&gt;</text>\n"
                      "<text x=\"32\" y=\"40\" font-size=\"8.01\" text-anchor=\"end\" transform=\"rotate(-90 32 40)\" "
                      "fill=\"#ff0000\">up</text>\n</svg>\n");
  release(&made);
  thud_test_context_end(made.context);
}

static void whatever_is_written_is_xml(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_text text = thud_text_new(context);
  thud_svg_escape(&text, "a<b>&\"c\" \x01\n\xff\xc3é\xef\xbf\xbf\xed\xa0\x80");
  assert_string_equal(thud_text_chars(&text),
                      "a&lt;b&gt;&amp;&quot;c&quot; \uFFFD \uFFFD\uFFFDé\uFFFD\uFFFD\uFFFD\uFFFD");
  thud_svg_escape(&text, NULL);
  thud_text_free(&text);
  thud_test_context_end(context);
}

/* The eight bytes that PNG begins with, 137 80 78 71 13 10 26 10, in base64 up to the last one. */
static void images_are_embedded(void **state) {
  (void)state;
  picture made = {.context = thud_test_context(1)};
  begin(&made, "t", "d");
  cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 4, 2);
  thud_canvas_image(&made.svg.canvas, image, 1, 2, 0.5);
  cairo_surface_destroy(image);
  const char *expected = "<image preserveAspectRatio=\"none\" x=\"1\" y=\"2\" width=\"2\" height=\"1\" "
                         "xlink:href=\"data:image/png;base64,iVBORw0KGg";
  const char *text = end(&made);
  assert_memory_equal(text, expected, strlen(expected));
  const char *data = strstr(text, "base64,") + strlen("base64,");
  size_t letters = strspn(data, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=");
  assert_int_equal(letters % 4, 0);
  assert_int_equal(strncmp(data + letters, "\"/>\n</svg>\n", 11), 0);
  release(&made);
  thud_test_context_end(made.context);
}

/* Numbers never run into each other, and no locale changes them. */
static void numbers_are_short_and_exact_to_a_hundredth(void **state) {
  (void)state;
  picture made = {.context = thud_test_context(1)};
  thud_random random = thud_random_seed(47);
  begin(&made, "t", "d");
  enum { POINTS = 500 };
  double x[POINTS], y[POINTS];
  for (int k = 0; k < POINTS; k++) {
    x[k] = thud_random_uniform(&random, -3, 400);
    y[k] = k % 5 == 0 && k > 0 ? y[k - 1] : thud_random_uniform(&random, -3, 400);
    cairo_line_to(made.cairo, x[k], y[k]);
  }
  thud_canvas_stroke(&made.svg.canvas);
  const char *text = strstr(end(&made), "d=\"M") + 4;
  char *next;
  double at[2] = {strtod(text, &next), 0};
  at[1] = strtod(next, &next);
  for (int k = 0; k < POINTS; k++) {
    if (k > 0) {
      char along = *next++;
      if (along != 'v') at[0] += strtod(next, &next);
      if (along != 'h') at[1] += strtod(next, &next);
    }
    /* half a hundredth, and half of cairo's unit of 1/256 */
    thud_assert_near(at[0], x[k], 0.005 + 0.5 / 256 + 1e-9);
    thud_assert_near(at[1], y[k], 0.005 + 0.5 / 256 + 1e-9);
  }
  assert_int_equal(*next, '"');
  release(&made);
  thud_test_context_end(made.context);
}

static thud_error draw_something(thud_context *context, void *user) {
  (void)user;
  picture made = {.context = context};
  begin(&made, "title", "description");
  thud_canvas_group(&made.svg.canvas, "panel", 0, "p");
  cairo_rectangle(made.cairo, 0, 0, 3, 3);
  thud_canvas_fill_preserve(&made.svg.canvas);
  thud_canvas_stroke(&made.svg.canvas);
  cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 40, 40);
  thud_canvas_image(&made.svg.canvas, image, 1, 2, 0.5);
  cairo_surface_destroy(image);
  thud_canvas_end_group(&made.svg.canvas);
  thud_svg_end(&made.svg);
  thud_error error = made.text.error;
  release(&made);
  return error;
}

static void failing_allocations_are_reported(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(draw_something, NULL), 3);
}

/* fontconfig keeps patterns for the life of the process. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig"; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_of_one_style_are_one_element),
      cmocka_unit_test(outlines_join_what_they_surround),
      cmocka_unit_test(groups_and_clips_are_nested),
      cmocka_unit_test(clips_of_other_pictures_have_other_names),
      cmocka_unit_test(texts_are_texts),
      cmocka_unit_test(whatever_is_written_is_xml),
      cmocka_unit_test(images_are_embedded),
      cmocka_unit_test(numbers_are_short_and_exact_to_a_hundredth),
      cmocka_unit_test(failing_allocations_are_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
