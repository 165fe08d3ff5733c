#include "failing_allocator.h"
#include "plot/plot_layout.h"
#include "plot/path.h"
#include "plot/ticks.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cairo.h>

/* ---- ticks --------------------------------------------------------------------------------------------------- */

/* The number that a label shows: typographic minus, then digits. */
static double number_of(const char *label) {
  static const char minus[] = "−";
  bool negative = strncmp(label, minus, strlen(minus)) == 0;
  char *end;
  double value = strtod(negative ? label + strlen(minus) : label, &end);
  assert_int_equal(*end, '\0');
  return negative ? -value : value;
}

static void linear_ticks_are_round_even_and_say_what_they_mean(void **state) {
  (void)state;
  thud_random random = thud_random_seed(1);
  for (int round_number = 0; round_number < 20000; round_number++) {
    double centre = thud_random_normal(&random) * pow(10, thud_random_uniform(&random, -12, 12));
    double width = fabs(centre) * pow(10, thud_random_uniform(&random, -9, 6));
    double minimum = centre - width, maximum = centre + width * thud_random_uniform(&random, 0.1, 1);
    int most = 2 + (int)thud_random_below(&random, 10);
    thud_ticks ticks;
    thud_ticks_linear(minimum, maximum, most, &ticks);
    thud_assert_at_least(ticks.count, 1);
    thud_assert_at_most(ticks.count, (size_t)most);
    /* The next coarser step is at most 2.5 times larger, so there are not needlessly few. */
    if (most >= 8) thud_assert_at_least(ticks.count, 3);
    double step = ticks.count > 1 ? ticks.values[1] - ticks.values[0] : 0;
    for (size_t k = 0; k < ticks.count; k++) {
      double shown = number_of(ticks.labels[k]) * pow(10, ticks.exponent) + ticks.offset;
      thud_assert_at_least(ticks.values[k], minimum);
      thud_assert_at_most(ticks.values[k], maximum);
      thud_assert_near(shown, ticks.values[k], 4e-16 * fabs(ticks.values[k]) + 1e-9 * step);
      thud_assert_at_most(strlen(ticks.labels[k]), 16);
      if (k == 0) continue;
      /* Three roundings of numbers as large as the tick. */
      thud_assert_near(ticks.values[k] - ticks.values[k - 1], step, 1e-12 * step + 5e-16 * fabs(ticks.values[k]));
      assert_string_not_equal(ticks.labels[k], ticks.labels[k - 1]);
    }
    for (size_t k = 0; k < ticks.minor_count; k++) {
      thud_assert_at_least(ticks.minor[k], minimum);
      thud_assert_at_most(ticks.minor[k], maximum);
    }
  }
}

/* Multiples of a step that is smaller than the rounding of the values cannot be counted one by one. */
static void ranges_of_a_few_roundings_have_an_end(void **state) {
  (void)state;
  thud_random random = thud_random_seed(2);
  for (int round_number = 0; round_number < 2000; round_number++) {
    double minimum = thud_random_normal(&random) * pow(10, thud_random_uniform(&random, -12, 15)), maximum = minimum;
    for (int k = 1 + (int)thud_random_below(&random, 40); k > 0; k--) maximum = nextafter(maximum, INFINITY);
    thud_ticks ticks;
    thud_ticks_linear(minimum, maximum, 2 + (int)thud_random_below(&random, 10), &ticks);
    for (size_t k = 0; k < ticks.count; k++) {
      thud_assert_near(ticks.values[k], minimum, 41 * 2.3e-16 * fabs(minimum));
      if (k > 0) thud_assert_at_least(ticks.values[k], ticks.values[k - 1]);
    }
  }
}

static void tick_labels_of_known_ranges(void **state) {
  (void)state;
  thud_ticks ticks;
  char label[128];
  thud_ticks_linear(-0.05, 1.05, 6, &ticks);
  assert_int_equal(ticks.count, 6);
  assert_string_equal(ticks.labels[0], "0.0");
  assert_string_equal(ticks.labels[5], "1.0");
  thud_ticks_axis_label(&ticks, "height", "m", label, sizeof label);
  assert_string_equal(label, "height [m]");
  thud_ticks_linear(-2e-5, 3e-5, 6, &ticks);
  assert_string_equal(ticks.labels[0], "−2");
  thud_ticks_axis_label(&ticks, "gap", "m", label, sizeof label);
  assert_string_equal(label, "gap [10⁻⁵ m]");
  /* Leading digits that all values share go into the label of the axis, as a difference. */
  thud_ticks_linear(0.3 - 1.1e-8, 0.3 + 1.1e-8, 5, &ticks);
  thud_ticks_axis_label(&ticks, "x", NULL, label, sizeof label);
  assert_string_equal(label, "x − 0.3 [10⁻⁸]");
  assert_string_equal(ticks.labels[0], "−1.0");
  thud_ticks_linear(-1000.3 - 1.1e-4, -1000.3 + 1.1e-4, 5, &ticks);
  thud_ticks_axis_label(&ticks, "x", "", label, sizeof label);
  assert_string_equal(label, "x + 1000.3 [10⁻⁴]");
  thud_ticks_linear(0, 1, 5, &ticks);
  thud_ticks_axis_label(&ticks, NULL, NULL, label, sizeof label);
  assert_string_equal(label, "");
}

static void logarithmic_ticks_cover_every_range(void **state) {
  (void)state;
  thud_random random = thud_random_seed(2);
  for (int round_number = 0; round_number < 20000; round_number++) {
    double minimum = pow(10, thud_random_uniform(&random, -250, 250));
    double maximum = minimum * pow(10, pow(10, thud_random_uniform(&random, 0, 1.6)));
    int most = 3 + (int)thud_random_below(&random, 9);
    thud_ticks ticks;
    thud_ticks_log(minimum, maximum, most, &ticks);
    thud_assert_at_least(ticks.count, 1);
    thud_assert_at_most(ticks.count, (size_t)most + 1);
    for (size_t k = 0; k < ticks.count; k++) {
      thud_assert_at_least(ticks.values[k], minimum);
      thud_assert_at_most(ticks.values[k], maximum);
      if (k > 0) thud_assert_greater(ticks.values[k], ticks.values[k - 1]);
    }
  }
  thud_ticks ticks;
  thud_ticks_log(0.5e-3, 2, 6, &ticks);
  assert_int_equal(ticks.count, 4);
  assert_string_equal(ticks.labels[0], "10⁻³");
  assert_string_equal(ticks.labels[3], "10⁰");
}

/* ---- thinning ------------------------------------------------------------------------------------------------- */

static void thinning_keeps_extremes_and_few_points(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { N = 400000 };
  double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
  thud_random random = thud_random_seed(3);
  for (int k = 0; k < N; k++) {
    x[k] = k;
    y[k] = thud_random_normal(&random);
  }
  y[123456] = 50;
  y[234567] = -60;
  thud_plot_series series = {.count = N, .x = x, .y = y};
  thud_plot_axis x_axis = {.minimum = 0, .maximum = N, .from = 0, .to = 400};
  thud_plot_axis y_axis = {.minimum = -60, .maximum = 50, .from = 300, .to = 0};
  thud_plot_path path = {0};
  assert_int_equal(thud_plot_path_build(context, &series, &x_axis, &y_axis, 0.5, &path), THUD_OK);
  thud_assert_at_most(path.count, 4 * 801);
  thud_assert_greater(path.count, 800);
  double low = INFINITY, high = -INFINITY;
  for (size_t k = 0; k < path.count; k++) {
    low = fmin(low, path.points[k].y);
    high = fmax(high, path.points[k].y);
    thud_assert_equal(path.points[k].start, (k == 0));
    if (k > 0) thud_assert_greater(path.points[k].x, path.points[k - 1].x - 0.5);
  }
  thud_assert_equal(low, 0);
  thud_assert_equal(high, 300);
  thud_assert_equal(path.points[0].x, 0);
  thud_assert_nearer(path.points[path.count - 1].x, 400.0 * (N - 1) / N, 1e-10);
  /* Every column spans what its data span. */
  for (int column = 0; column < 800; column += 37) {
    double data_low = INFINITY, data_high = -INFINITY, kept_low = INFINITY, kept_high = -INFINITY;
    for (int k = 0; k < N; k++)
      if (floor(thud_plot_axis_place(&x_axis, x[k]) / 0.5) == column) {
        data_low = fmin(data_low, thud_plot_axis_place(&y_axis, y[k]));
        data_high = fmax(data_high, thud_plot_axis_place(&y_axis, y[k]));
      }
    for (size_t k = 0; k < path.count; k++)
      if (floor(path.points[k].x / 0.5) == column) {
        kept_low = fmin(kept_low, path.points[k].y);
        kept_high = fmax(kept_high, path.points[k].y);
      }
    thud_assert_equal(data_low, kept_low);
    thud_assert_equal(data_high, kept_high);
  }
  thud_plot_path_release(context, &path);
  free(x);
  free(y);
  thud_test_context_end(context);
}

/* A point left out is within the resolution of one looked at, and that one shares a square of this width with a point
 * kept: (1 + sqrt 2) resolutions at most. */
static void assert_near_path(const thud_plot_path *path, double x, double y, double resolution) {
  double nearest = INFINITY;
  for (size_t k = 0; k < path->count; k++) nearest = fmin(nearest, hypot(path->points[k].x - x, path->points[k].y - y));
  thud_assert_at_most(nearest, (1 + sqrt(2)) * resolution);
}

static void curves_that_turn_back_are_thinned_within_a_bound(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { N = 20000 };
  static double x[N], y[N];
  for (int k = 0; k < N; k++) {
    x[k] = 100 + 90 * cos(k * 1e-3);
    y[k] = 100 + 90 * sin(k * 1.3e-3);
  }
  thud_plot_series series = {.count = N, .x = x, .y = y, .no_jumps = true};
  thud_plot_axis axis = {.minimum = 0, .maximum = 200, .from = 0, .to = 200};
  thud_plot_path path = {0};
  assert_int_equal(thud_plot_path_build(context, &series, &axis, &axis, 0.5, &path), THUD_OK);
  thud_assert_less(path.count, N / 3);
  for (int k = 0; k < N; k += 7) assert_near_path(&path, x[k], y[k], 0.5);
  assert_near_path(&path, x[N - 1], y[N - 1], 0.5);
  thud_plot_path_release(context, &path);
  thud_test_context_end(context);
}

/* A limit cycle run through a thousand times costs little more than one turn, and nothing of it is missing. */
static void places_passed_before_are_not_drawn_again(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { TURN = 1000, N = 300 * TURN };
  double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
  for (int k = 0; k < N; k++) {
    double angle = k * (6.283185307179586 / TURN) * 1.0001;
    x[k] = 100 + 90 * cos(angle);
    y[k] = 100 + 90 * sin(angle);
  }
  thud_plot_series series = {.count = N, .x = x, .y = y, .no_jumps = true};
  thud_plot_axis axis = {.minimum = 0, .maximum = 200, .from = 0, .to = 200};
  thud_plot_path path = {0};
  assert_int_equal(thud_plot_path_build(context, &series, &axis, &axis, 0.5, &path), THUD_OK);
  thud_assert_less(path.count, 8 * TURN);
  for (int k = 0; k < N; k += 997) assert_near_path(&path, x[k], y[k], 0.5);
  thud_plot_path_release(context, &path);
  free(x);
  free(y);
  thud_test_context_end(context);
}

static void jumps_breaks_and_steps_shape_the_line(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double x[] = {0, 10, 10, 20, 30}, y[] = {0, 5, 15, 15, 20};
  const size_t breaks[] = {4};
  thud_plot_axis axis = {.minimum = 0, .maximum = 100, .from = 0, .to = 100};
  thud_plot_path path = {0};
  thud_plot_series series = {.count = 5, .x = x, .y = y, .break_count = 1, .breaks = breaks};
  assert_int_equal(thud_plot_path_build(context, &series, &axis, &axis, 0.25, &path), THUD_OK);
  assert_int_equal(path.count, 5);
  const bool starts[] = {true, false, true, false, true};
  for (size_t k = 0; k < 5; k++) assert_int_equal(path.points[k].start, starts[k]);
  assert_int_equal(path.jump_count, 1);
  thud_assert_equal(path.jumps[0].x, 10);
  thud_assert_equal(path.jumps[0].y_left, 5);
  thud_assert_equal(path.jumps[0].y_right, 15);
  series.no_jumps = true;
  assert_int_equal(thud_plot_path_build(context, &series, &axis, &axis, 0.25, &path), THUD_OK);
  assert_int_equal(path.jump_count, 0);
  assert_false(path.points[2].start);
  const double held_x[] = {0, 10, 20}, held_y[] = {1, 2, 3};
  thud_plot_series steps = {.count = 3, .x = held_x, .y = held_y, .style = THUD_PLOT_STEPS};
  assert_int_equal(thud_plot_path_build(context, &steps, &axis, &axis, 0.25, &path), THUD_OK);
  const double corners[][2] = {{0, 1}, {10, 1}, {10, 2}, {20, 2}, {20, 3}};
  assert_int_equal(path.count, 5);
  for (size_t k = 0; k < 5; k++) {
    thud_assert_equal(path.points[k].x, corners[k][0]);
    thud_assert_equal(path.points[k].y, corners[k][1]);
  }
  thud_plot_path_release(context, &path);
  thud_test_context_end(context);
}

/* ---- pictures -------------------------------------------------------------------------------------------------- */

enum { POINTS = 200 };

/* Two panels with every style, a jump, a rule. */
typedef struct sample {
  double t[POINTS], q[POINTS], v[POINTS];
  thud_plot_series series[5];
  thud_plot_rule rule;
  thud_plot_panel panels[2];
  thud_plot_figure figure;
} sample;

static void fill_sample(sample *s) {
  for (int k = 0; k < POINTS; k++) {
    s->t[k] = k * 0.01 + (k >= 100 ? -0.01 : 0);
    s->q[k] = sin(3 * s->t[k]);
    s->v[k] = k < 100 ? -s->t[k] : 1 - s->t[k] / 2;
  }
  for (int k = 0; k < 5; k++)
    s->series[k] = (thud_plot_series){.label = "q < 1 & more", .count = POINTS, .x = s->t, .y = s->q};
  s->series[1].label = "velocity";
  s->series[1].y = s->v;
  for (int k = 0; k < 5; k++) s->series[k].style = (thud_plot_style)k;
  s->series[1].style = THUD_PLOT_LINE;
  s->series[3].dash = THUD_PLOT_DASHED;
  s->rule = (thud_plot_rule){.vertical = true, .value = 0.5, .label = "impact"};
  s->panels[0] = (thud_plot_panel){.y_label = "angle θ", .y_unit = "rad", .series_count = 5, .series = s->series};
  s->panels[1] = (thud_plot_panel){.y_label = "residual", .y_log = true, .series_count = 1, .series = &s->series[0]};
  s->panels[0].rule_count = 1;
  s->panels[0].rules = &s->rule;
  s->panels[1] = s->panels[0];
  s->figure = (thud_plot_figure){.title = "Título", .x_label = "time", .x_unit = "s", .panel_count = 2};
  s->figure.panels = s->panels;
}

static char *read_whole(const char *path, size_t *count) {
  FILE *stream = fopen(path, "rb");
  assert_non_null(stream);
  fseek(stream, 0, SEEK_END);
  *count = (size_t)ftell(stream);
  rewind(stream);
  char *bytes = calloc(*count + 1, 1);
  assert_int_equal(fread(bytes, 1, *count, stream), *count);
  fclose(stream);
  return bytes;
}

static size_t occurrences(const char *text, const char *piece) {
  size_t count = 0;
  for (; (text = strstr(text, piece)) != NULL; text++) count++;
  return count;
}

static void svg_names_its_texts_and_stays_small(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { N = 500000 };
  sample s;
  fill_sample(&s);
  double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
  for (int k = 0; k < N; k++) {
    x[k] = k * 4e-6;
    y[k] = sin(k * 0.7);
  }
  s.series[0].count = N;
  s.series[0].x = x;
  s.series[0].y = y;
  assert_int_equal(thud_plot_write(context, &s.figure, NULL, thud_test_path("a.svg")), THUD_OK);
  size_t count;
  char *text = read_whole(thud_test_path("a.svg"), &count);
  assert_non_null(strstr(text, "<title>Título</title>"));
  assert_non_null(strstr(text, "x: time; y: angle θ (q &lt; 1 &amp; more, velocity, "));
  assert_non_null(strstr(text, ">angle θ [rad]</text>"));
  assert_non_null(strstr(text, ">q &lt; 1 &amp; more</text>"));
  /* Two panels of less than 460 pt, four points per quarter pt, each of them two numbers like -123.45. */
  thud_assert_less(count, 2 * 4 * 4 * 460 * 16 + 60000);
  assert_string_equal(text + count - 7, "</svg>\n");
  free(text);
  free(x);
  free(y);
  thud_test_context_end(context);
}

static void the_same_figure_gives_the_same_bytes(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  sample s;
  fill_sample(&s);
  static const char *const names[][2] = {{"a.svg", "b.svg"}, {"a.pdf", "b.pdf"}, {"a.png", "b.PNG"}};
  for (int k = 0; k < 3; k++) {
    size_t counts[2];
    char *bytes[2];
    for (int j = 0; j < 2; j++) {
      assert_int_equal(thud_plot_write(context, &s.figure, NULL, thud_test_path(names[k][j])), THUD_OK);
      bytes[j] = read_whole(thud_test_path(names[k][j]), &counts[j]);
    }
    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(bytes[0], bytes[1], counts[0]);
    if (k == 1) assert_memory_equal(bytes[0], "%PDF-", 5);
    free(bytes[0]);
    free(bytes[1]);
  }
  assert_int_equal(thud_test_folder_files(), 6);
  thud_test_context_end(context);
}

/* Share of the dots of a row or column band that are not white. */
static double inked(cairo_surface_t *image, int left, int top, int right, int bottom) {
  const unsigned char *data = cairo_image_surface_get_data(image);
  int stride = cairo_image_surface_get_stride(image), count = 0;
  for (int y = top; y < bottom; y++)
    for (int x = left; x < right; x++)
      count += (*(const uint32_t *)(const void *)(data + y * stride + 4 * x) & 0xffffff) != 0xffffff;
  return (double)count / ((right - left) * (bottom - top));
}

static void png_has_the_asked_size_and_nothing_touches_its_border(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  sample s;
  fill_sample(&s);
  static const double sizes[][4] = {{6.3, 4, 150, 9}, {3.4, 3, 300, 8}, {2, 2, 100, 6}, {10, 6, 72, 14}};
  for (int k = 0; k < 4; k++) {
    thud_plot_options options = thud_plot_options_default();
    options.overwrite = true;
    options.width = sizes[k][0];
    options.height = sizes[k][1];
    options.dpi = sizes[k][2];
    options.font_size = sizes[k][3];
    assert_int_equal(thud_plot_write(context, &s.figure, &options, thud_test_path("a.png")), THUD_OK);
    cairo_surface_t *image = cairo_image_surface_create_from_png(thud_test_path("a.png"));
    assert_int_equal(cairo_surface_status(image), CAIRO_STATUS_SUCCESS);
    int width = cairo_image_surface_get_width(image), height = cairo_image_surface_get_height(image);
    assert_int_equal(width, (int)lround(sizes[k][0] * sizes[k][2]));
    assert_int_equal(height, (int)lround(sizes[k][1] * sizes[k][2]));
    thud_assert_greater(inked(image, 0, 0, width, height), 0.02);
    thud_assert_equal(inked(image, 0, 0, width, 2), 0);
    thud_assert_equal(inked(image, 0, height - 2, width, height), 0);
    thud_assert_equal(inked(image, 0, 0, 2, height), 0);
    thud_assert_equal(inked(image, width - 2, 0, width, height), 0);
    cairo_surface_destroy(image);
  }
  thud_test_context_end(context);
}

static void equal_scales_make_circles_round(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double x[361], y[361];
  for (int k = 0; k <= 360; k++) {
    x[k] = 5 + cos(k * 3.14159265358979 / 180);
    y[k] = sin(k * 3.14159265358979 / 180);
  }
  thud_plot_series series = {.count = 361, .x = x, .y = y, .no_jumps = true};
  thud_plot_panel panel = {.series_count = 1, .series = &series};
  thud_plot_figure figure = {.panel_count = 1, .panels = &panel, .equal_aspect = true};
  thud_plot_options options = thud_plot_options_default();
  options.height = 2;
  assert_int_equal(thud_plot_write(context, &figure, &options, thud_test_path("a.png")), THUD_OK);
  cairo_surface_t *image = cairo_image_surface_create_from_png(thud_test_path("a.png"));
  const unsigned char *data = cairo_image_surface_get_data(image);
  int stride = cairo_image_surface_get_stride(image), left = 1 << 20, right = 0, top = 1 << 20, bottom = 0;
  for (int row = 0; row < cairo_image_surface_get_height(image); row++)
    for (int column = 0; column < cairo_image_surface_get_width(image); column++) {
      const unsigned char *dot = data + row * stride + 4 * column; /* blue, green, red */
      if (dot[0] < 150 || dot[2] > 30) continue;
      left = column < left ? column : left;
      right = column > right ? column : right;
      top = row < top ? row : top;
      bottom = row > bottom ? row : bottom;
    }
  thud_assert_greater(right - left, 100);
  thud_assert_at_most(abs((right - left) - (bottom - top)), 1);
  cairo_surface_destroy(image);
  thud_test_context_end(context);
}

/* White discs are open circles (the paper is white, too, in every picture). */
static size_t white_shapes(thud_context *context, size_t count, const double *x, const double *y) {
  thud_plot_series series = {.count = count, .x = x, .y = y};
  thud_plot_panel panel = {.series_count = 1, .series = &series};
  thud_plot_figure figure = {.panel_count = 1, .panels = &panel};
  thud_plot_options options = thud_plot_options_default();
  options.overwrite = true;
  assert_int_equal(thud_plot_write(context, &figure, &options, thud_test_path("a.svg")), THUD_OK);
  size_t bytes;
  char *text = read_whole(thud_test_path("a.svg"), &bytes);
  size_t shapes = occurrences(text, "fill=\"#ffffff\"");
  free(text);
  return shapes;
}

static void every_limit_that_is_not_the_value_is_an_open_circle(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double x[] = {0, 1, 1, 1, 2}, smooth[] = {0, 0, 0, 0, 3}, to_the_right[] = {0, 0, 1, 1, 3};
  const double beyond[] = {0, 0, 3, 2, 2}, between[] = {0, 0, 1, 2, 3}, tiny[] = {0, 0, 1e-9, 2e-9, 3};
  size_t none = white_shapes(context, 5, x, smooth);
  assert_int_equal(white_shapes(context, 5, x, to_the_right), none + 1);
  assert_int_equal(white_shapes(context, 5, x, beyond), none + 2);
  assert_int_equal(white_shapes(context, 5, x, between), none + 2);
  assert_int_equal(white_shapes(context, 5, x, tiny), none);
  thud_test_context_end(context);
}

static void odd_figures_are_drawn(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_plot_options options = thud_plot_options_default();
  options.overwrite = true;
  const double xs[][3] = {{0, 1, 2}, {1, 1, 1}, {-1e300, 0, 1e300}, {1, 1 + 1e-15, 1 + 2e-15}, {0, 1e-290, 2e-290}};
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) {
      thud_plot_series series = {.label = "", .count = 3, .x = xs[i], .y = xs[j], .style = (thud_plot_style)j};
      thud_plot_panel panel = {.series_count = 1, .series = &series};
      thud_plot_figure figure = {.panel_count = 1,
                                 .panels = &panel,
                                 .title = "A title that is far too long for it",
                                 .equal_aspect = j == 0 && i == 0};
      options.width = 1.5;
      assert_int_equal(thud_plot_write(context, &figure, &options, thud_test_path("a.svg")), THUD_OK);
    }
  const double h[] = {1, 0.1, 1e-2}, error[] = {1e-3, 1e-5, 1e-7};
  thud_plot_series series = {.label = "order", .count = 3, .x = h, .y = error, .style = THUD_PLOT_LINE_MARKERS};
  const thud_plot_slope slopes[] = {{2, 0}, {-0.5, 0}};
  thud_plot_panel panel = {.y_log = true, .series_count = 1, .series = &series, .slope_count = 2, .slopes = slopes};
  thud_plot_figure figure = {.panel_count = 1, .panels = &panel, .x_log = true};
  assert_int_equal(thud_plot_write(context, &figure, &options, thud_test_path("a.svg")), THUD_OK);
  panel.y_fixed = true;
  panel.y_minimum = 1e-4;
  panel.y_maximum = 1;
  assert_int_equal(thud_plot_write(context, &figure, &options, thud_test_path("a.svg")), THUD_OK);
  thud_test_context_end(context);
}

/* Two squares that share a side are one grey shape below the grid; the start of a curve is an open circle, its end a disc. */
static void areas_are_one_shape_and_ends_are_circles(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double x[] = {0, 1, 1, 0, 1, 2, 2, 1}, y[] = {0, 0, 1, 1, 0, 0, 1, 1};
  const size_t breaks[] = {4};
  const thud_plot_series series[] = {
      {.count = 2, .x = x, .y = y, .no_jumps = true},
      {.count = 8, .x = x, .y = y, .style = THUD_PLOT_AREA, .break_count = 1, .breaks = breaks},
      {.count = 1, .x = x, .y = y, .style = THUD_PLOT_MARKERS, .marker = THUD_PLOT_MARKER_OPEN, .colour = 2},
      {.count = 1, .x = x + 1, .y = y, .style = THUD_PLOT_MARKERS, .marker = THUD_PLOT_MARKER_FILLED, .colour = 3}};
  const thud_plot_panel panel = {.series_count = 4, .series = series};
  const thud_plot_figure figure = {.panel_count = 1, .panels = &panel};
  thud_plot_options options = thud_plot_options_default();
  options.overwrite = true;
  assert_int_equal(thud_plot_write(context, &figure, &options, thud_test_path("a.svg")), THUD_OK);
  size_t count;
  char *text = read_whole(thud_test_path("a.svg"), &count);
  const char *area = strstr(text, "<path fill=\"#dedede\""), *grid = strstr(text, "stroke=\"#dbdbdb\"");
  assert_non_null(area);
  assert_non_null(grid);
  assert_true(area < grid);
  char shape[200];
  assert_int_equal(sscanf(strstr(area, "d=\""), "d=\"%199[^\"]\"", shape), 1);
  assert_int_equal(occurrences(shape, "M"), 2);
  assert_int_equal(occurrences(shape, "z"), 2);
  assert_int_equal(occurrences(text, "fill=\"#dedede\""), 1);
  assert_int_equal(occurrences(text, "fill=\"#ffffff\" stroke=\"#d55e00\""), 1);
  assert_int_equal(occurrences(text, "fill=\"#009e73\""), 1);
  free(text);
  thud_test_context_end(context);
}

/* Beside its name a line shows itself; marks do not have one. */
static void legends_show_lines_as_lines(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const struct {
    thud_plot_style style;
    size_t lines;                                           /* the curve and its sample */
  } cases[] = {{THUD_PLOT_LINE, 2}, {THUD_PLOT_POINTS, 1}}; /* dots are lines of no length */
  thud_plot_options options = thud_plot_options_default();
  options.overwrite = true;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const double x[] = {0, 1, 2}, y[] = {0, 1, 4};
    thud_plot_series series[] = {{.label = "a", .count = 3, .x = x, .y = y, .style = cases[k].style},
                                 {.label = "b", .count = 3, .x = y, .y = x, .style = cases[k].style}};
    thud_plot_panel panel = {.series_count = 2, .series = series};
    thud_plot_figure figure = {.panel_count = 1, .panels = &panel};
    assert_int_equal(thud_plot_write(context, &figure, &options, thud_test_path("a.svg")), THUD_OK);
    size_t count;
    char *text = read_whole(thud_test_path("a.svg"), &count);
    thud_assert_equal(occurrences(text, "stroke=\"#0072b2\""), cases[k].lines);
    free(text);
  }
  thud_test_context_end(context);
}

/* The height that suits equal units depends on the extents alone, not on where the curve lies. */
static void places_do_not_change_the_height_of_equal_units(void **state) {
  (void)state;
  double expected = 0;
  for (int k = 0; k < 3; k++) {
    const double x[] = {-1 + 40.0 * k, 3 + 40.0 * k}, y[] = {-2.0 + 7 * k, 1.0 + 7 * k};
    thud_plot_series series = {.label = "", .count = 2, .x = x, .y = y};
    thud_plot_panel panel = {.series_count = 1, .series = &series};
    thud_plot_figure figure = {.panel_count = 1, .panels = &panel, .equal_aspect = true};
    double height = thud_plot_natural_height(&figure, 6);
    if (k == 0) expected = height;
    thud_assert_near(height, expected, 1e-12 * expected);
  }
  thud_assert_greater(expected, 6 * 0.5); /* 3/4 of the width, a little less for the axes */
  thud_assert_less(expected, 6 * 1.0);
}

/* x, y of the corners of the triangle that shows a slope: a line of its own width. False when there is none. */
static bool find_triangle(const char *text, double corner[6]) {
  const char *line = strstr(text, "stroke-width=\".8\""), *at = line != NULL ? strstr(line, "d=\"M") : NULL;
  char *end;
  if (at == NULL) return false;
  corner[0] = strtod(at + 4, &end);
  corner[1] = strtod(end, &end);
  for (int k = 2; k < 6; k += 2) { /* along both axes, or along one of them */
    char along = *end++;
    corner[k] = corner[k - 2] + (along != 'v' ? strtod(end, &end) : 0);
    corner[k + 1] = corner[k - 1] + (along != 'h' ? strtod(end, &end) : 0);
  }
  return *end == 'z';
}

/* Legs 1 : |order| below the data: the hypotenuse has the slope of the order, the right angle lies at its lower end. */
static void slopes_are_triangles_below_the_data(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_plot_options options = thud_plot_options_default();
  options.overwrite = true;
  const double orders[] = {2, 1, 0.5, -0.5, -1, -2};
  for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
    double x[] = {1, 10, 100}, y[3], corner[6] = {0};
    for (int i = 0; i < 3; i++) y[i] = pow(x[i], orders[k]);
    thud_plot_series series = {.label = "order", .count = 3, .x = x, .y = y, .style = THUD_PLOT_LINE};
    const thud_plot_slope slope = {orders[k], 0};
    thud_plot_panel panel = {.y_log = true, .series_count = 1, .series = &series, .slope_count = 1, .slopes = &slope};
    thud_plot_figure figure = {.panel_count = 1, .panels = &panel, .x_log = true};
    assert_int_equal(thud_plot_write(context, &figure, &options, thud_test_path("a.svg")), THUD_OK);
    size_t count;
    char *text = read_whole(thud_test_path("a.svg"), &count);
    assert_true(find_triangle(text, corner));
    thud_assert_less(corner[0], corner[2]);
    thud_assert_near(corner[4], orders[k] > 0 ? corner[2] : corner[0], 1e-9);
    thud_assert_near(corner[5], fmax(corner[1], corner[3]), 1e-9); /* downwards on paper */
    if (orders[k] > 0)
      thud_assert_less(corner[3], corner[1]);
    else
      thud_assert_greater(corner[3], corner[1]);
    free(text);
  }
  thud_test_context_end(context);
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

static void assert_refused(thud_context *context, const thud_plot_figure *figure, thud_error expected,
                           const char *piece) {
  assert_int_equal(thud_plot_write(context, figure, NULL, thud_test_path("bad.png")), expected);
  assert_non_null(strstr(thud_context_last_message(context), piece));
  assert_int_equal(thud_test_folder_files(), 0);
}

static void senseless_figures_are_refused_with_the_place(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  sample s;
  fill_sample(&s);
  s.v[17] = NAN;
  assert_refused(context, &s.figure, THUD_ERROR_NOT_FINITE,
                 "plot: panel 0, series 1 ('velocity'): y[17] is NaN; leave the point out and put a break there");
  s.v[17] = INFINITY;
  assert_refused(context, &s.figure, THUD_ERROR_NOT_FINITE,
                 "plot: panel 0, series 1 ('velocity'): y[17] is infinite; leave the point out and put a break there");
  s.v[17] = 1e305;
  assert_refused(context, &s.figure, THUD_ERROR_OVERFLOW, "y[17]");
  s.v[17] = 0;
  s.series[2].count = 0;
  assert_refused(context, &s.figure, THUD_ERROR_ARGUMENT, "plot: panel 0, series 2 ('q < 1 & more') has no points");
  s.series[2].count = POINTS;
  s.panels[1].y_log = true;
  assert_refused(context, &s.figure, THUD_ERROR_ARGUMENT,
                 "plot: panel 1, series 0 ('q < 1 & more'): y[0] = 0 cannot be shown on a logarithmic axis");
  s.panels[1].y_log = false;
  const size_t breaks[] = {5, 5};
  s.series[0].break_count = 2;
  s.series[0].breaks = breaks;
  assert_refused(context, &s.figure, THUD_ERROR_ARGUMENT,
                 "plot: panel 0, series 0 ('q < 1 & more'): break 1 is at point 5; breaks increase and lie in 1..199");
  s.series[0].breaks = NULL;
  assert_refused(context, &s.figure, THUD_ERROR_ARGUMENT,
                 "plot: panel 0, series 0 ('q < 1 & more'): its breaks are missing");
  s.series[0].break_count = 0;
  s.series[0].colour = 13;
  assert_refused(context, &s.figure, THUD_ERROR_ARGUMENT,
                 "plot: panel 0, series 0 ('q < 1 & more'): colour 13 is not in 0..12");
  s.series[0].colour = 0;
  s.series[0].style = (thud_plot_style)12;
  assert_refused(context, &s.figure, THUD_ERROR_ARGUMENT,
                 "plot: panel 0, series 0 ('q < 1 & more'): unknown style 12 or dash 0");
  s.series[0].style = THUD_PLOT_LINE;
  s.series[0].marker = (thud_plot_marker)6;
  assert_refused(context, &s.figure, THUD_ERROR_ARGUMENT, "plot: panel 0, series 0 ('q < 1 & more'): unknown marker 6");
  s.series[0].marker = THUD_PLOT_MARKER_BY_ORDER;
  const thud_plot_key keys[] = {{.label = "good"}, {.label = "bad", .colour = 13}};
  s.panels[0].key_count = 2;
  assert_refused(context, &s.figure, THUD_ERROR_ARGUMENT, "plot: panel 0: the lines of its legend are missing");
  s.panels[0].keys = keys;
  assert_refused(context, &s.figure, THUD_ERROR_ARGUMENT, "plot: panel 0: line 1 of its legend has an unknown style");
  s.panels[0].key_count = 0;
  const thud_plot_slope slope = {1, 0};
  s.panels[0].slope_count = 1;
  s.panels[0].slopes = &slope;
  for (int logarithmic = 0; logarithmic < 3; logarithmic++) { /* none, or one of the two */
    s.figure.x_log = logarithmic == 1;
    s.panels[0].y_log = logarithmic == 2;
    const double positive[] = {1, 2};
    const thud_plot_series alone = {.label = "", .count = 2, .x = positive, .y = positive};
    thud_plot_panel panel = s.panels[0];
    panel.series_count = 1;
    panel.series = &alone;
    panel.rule_count = 0;
    const thud_plot_figure figure = {.panel_count = 1, .panels = &panel, .x_log = s.figure.x_log};
    assert_refused(context, &figure, THUD_ERROR_ARGUMENT, "plot: panel 0: slopes need two logarithmic axes");
  }
  s.figure.x_log = s.panels[0].y_log = false;
  s.panels[0].slope_count = 0;
  s.rule.value = NAN;
  assert_refused(context, &s.figure, THUD_ERROR_ARGUMENT, "plot: panel 0: rule 0 cannot be at nan");
  s.rule.value = 0;
  s.panels[0].y_fixed = true;
  assert_refused(context, &s.figure, THUD_ERROR_ARGUMENT, "plot: panel 0: 0..0 is not a range for its y axis");
  s.panels[0].y_fixed = false;
  s.figure.equal_aspect = true;
  assert_refused(context, &s.figure, THUD_ERROR_ARGUMENT, "plot: equal scales need one panel without logarithmic axes");
  s.figure.equal_aspect = false;
  s.figure.title = "\xff\xfe";
  assert_refused(context, &s.figure, THUD_ERROR_ARGUMENT, "UTF-8");
  s.figure.title = NULL;
  s.panels[0].series_count = 0;
  assert_refused(context, &s.figure, THUD_ERROR_ARGUMENT, "plot: panel 0 has no series");
  s.figure.panel_count = 0;
  assert_refused(context, &s.figure, THUD_ERROR_ARGUMENT, "plot: the figure has no panels");
  thud_test_context_end(context);
}

static void impossible_files_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  sample s;
  fill_sample(&s);
  assert_int_equal(thud_plot_write(context, &s.figure, NULL, thud_test_path("a.gif")), THUD_ERROR_ARGUMENT);
  assert_non_null(strstr(thud_context_last_message(context), "a.gif: a picture's name ends in .png, .svg or .pdf"));
  assert_int_equal(thud_plot_write(context, &s.figure, NULL, thud_test_path("png")), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_plot_write(context, &s.figure, NULL, ""), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_plot_write(context, &s.figure, NULL, thud_test_path("none/a.png")), THUD_ERROR_FILE);
  assert_int_equal(mkdir(thud_test_path("folder.png"), 0700), 0);
  assert_int_equal(thud_plot_write(context, &s.figure, NULL, thud_test_path("folder.png")), THUD_ERROR_FILE);
  assert_int_equal(rmdir(thud_test_path("folder.png")), 0);
  thud_plot_options options = thud_plot_options_default();
  options.dpi = 2400;
  options.width = 100;
  assert_int_equal(thud_plot_write(context, &s.figure, &options, thud_test_path("a.png")), THUD_ERROR_OVERFLOW);
  options.dpi = -1;
  assert_int_equal(thud_plot_write(context, &s.figure, &options, thud_test_path("a.png")), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_test_folder_files(), 0);
  assert_int_equal(thud_plot_write(context, &s.figure, NULL, thud_test_path("a.svg")), THUD_OK);
  assert_int_equal(thud_plot_write(context, &s.figure, NULL, thud_test_path("a.svg")), THUD_ERROR_EXISTS);
  thud_test_context_end(context);
}

static thud_error draw_one(thud_context *context, void *user) {
  static sample s;
  fill_sample(&s);
  remove(thud_test_path(user));
  thud_error error = thud_plot_write(context, &s.figure, NULL, thud_test_path(user));
  assert_int_equal(thud_test_folder_files(), error == THUD_OK ? 1 : 0);
  return error;
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state) {
  (void)state;
  static char names[][8] = {"a.svg", "a.pdf", "a.png"};
  for (int k = 0; k < 3; k++) {
    thud_test_folder_empty();
    thud_assert_greater(thud_test_sweep_allocations(draw_one, names[k]), 5);
  }
}

/* fontconfig keeps patterns for the life of the process. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig"; }

#define TEST(name) cmocka_unit_test_setup_teardown(name, thud_test_folder_make, thud_test_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_ticks_are_round_even_and_say_what_they_mean),
      cmocka_unit_test(ranges_of_a_few_roundings_have_an_end),
      cmocka_unit_test(tick_labels_of_known_ranges),
      cmocka_unit_test(logarithmic_ticks_cover_every_range),
      cmocka_unit_test(thinning_keeps_extremes_and_few_points),
      cmocka_unit_test(curves_that_turn_back_are_thinned_within_a_bound),
      cmocka_unit_test(places_passed_before_are_not_drawn_again),
      cmocka_unit_test(slopes_are_triangles_below_the_data),
      cmocka_unit_test(places_do_not_change_the_height_of_equal_units),
      cmocka_unit_test(legends_show_lines_as_lines),
      cmocka_unit_test(jumps_breaks_and_steps_shape_the_line),
      TEST(svg_names_its_texts_and_stays_small),
      TEST(the_same_figure_gives_the_same_bytes),
      TEST(png_has_the_asked_size_and_nothing_touches_its_border),
      TEST(equal_scales_make_circles_round),
      TEST(every_limit_that_is_not_the_value_is_an_open_circle),
      TEST(areas_are_one_shape_and_ends_are_circles),
      TEST(odd_figures_are_drawn),
      TEST(senseless_figures_are_refused_with_the_place),
      TEST(impossible_files_are_refused),
      TEST(every_failing_allocation_is_reported_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
