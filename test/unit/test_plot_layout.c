/* Where everything of a figure goes: legends beside the data, labels that keep their distance, notes. */
#include "plot/pen.h"
#include "testing.h"
#include "thud/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PANELS = 6, MOST_SERIES = 40, MOST_LABEL = 90 };

/* A figure with random numbers of panels, series and letters. */
typedef struct sample {
  double x[2], y[2];
  char labels[MOST_PANELS][MOST_SERIES][MOST_LABEL];
  thud_plot_series series[MOST_PANELS][MOST_SERIES];
  thud_plot_panel panels[MOST_PANELS];
  thud_plot_figure figure;
  thud_plot_panel_layout layouts[MOST_PANELS];
} sample;

static void fill_sample(sample *s, thud_random *random) {
  *s = (sample){.x = {0, 1}, .y = {0.1, 1000}};
  s->figure = (thud_plot_figure){.title = "title", .x_label = "x", .panels = s->panels};
  s->figure.panel_count = 1 + thud_random_below(random, MOST_PANELS);
  for (size_t p = 0; p < s->figure.panel_count; p++) {
    size_t count = 1 + thud_random_below(random, 1 + thud_random_below(random, MOST_SERIES));
    s->panels[p] = (thud_plot_panel){.y_label = "y", .series_count = count, .series = s->series[p]};
    s->panels[p].y_log = thud_random_below(random, 2) == 1;
    for (size_t k = 0; k < count; k++) {
      size_t letters = thud_random_below(random, 1 + thud_random_below(random, MOST_LABEL));
      memset(s->labels[p][k], 'm', letters);
      s->series[p][k] = (thud_plot_series){.label = s->labels[p][k], .count = 2, .x = s->x, .y = s->y};
    }
  }
}

/* Letters are measured as in pictures. */
static cairo_t *make_cairo(void) {
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cairo = cairo_create(surface);
  cairo_surface_destroy(surface);
  cairo_font_options_t *fonts = cairo_font_options_create();
  cairo_font_options_set_hint_metrics(fonts, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(cairo, fonts);
  cairo_font_options_destroy(fonts);
  return cairo;
}

static thud_plot_layout lay_out(cairo_t *cairo, const thud_plot_figure *figure, thud_plot_panel_layout *panels,
                                double width, double height) {
  thud_plot_layout layout = {.cairo = cairo,
                             .figure = figure,
                             .width = width,
                             .height = height > 0 ? height : thud_plot_natural_height(figure, width),
                             .font = 9,
                             .small_font = 8,
                             .resolution = 0.25,
                             .panels = panels};
  thud_plot_lay_out(&layout);
  return layout;
}

static bool overlap(const thud_plot_box *a, const thud_plot_box *b) {
  return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static void legends_never_touch_the_data(void **state) {
  (void)state;
  static sample s;
  cairo_t *cairo = make_cairo();
  thud_random random = thud_random_seed(41);
  size_t above = 0, cut = 0;
  for (int round = 0; round < 400; round++) {
    fill_sample(&s, &random);
    thud_plot_layout layout = lay_out(cairo, &s.figure, s.layouts, thud_random_uniform(&random, 130, 700), 0);
    above += thud_plot_legend_is_above(&layout);
    for (size_t p = 0; p < s.figure.panel_count; p++) {
      const thud_plot_legend *legend = &s.layouts[p].legend;
      const thud_plot_box *data = &s.layouts[p].box;
      thud_assert_greater(data->right - data->left, 0.3 * layout.width - 30);
      thud_assert_greater(data->bottom - data->top, 10);
      thud_assert_equal(data->left, s.layouts[0].box.left); /* axes are aligned */
      thud_assert_equal(data->right, s.layouts[0].box.right);
      if (legend->count == 0) continue;
      thud_assert_at_least(legend->rows * legend->columns, legend->shown);
      thud_assert_at_least(legend->font, 0.75 * layout.small_font);
      cut += legend->shown < legend->count;
      thud_assert_at_least(legend->box.left, 0);
      thud_assert_at_least(legend->box.top, 0);
      thud_assert_at_most(legend->box.right, layout.width);
      thud_assert_at_most(legend->box.bottom, layout.height);
      for (size_t j = 0; j < s.figure.panel_count; j++) {
        assert_false(overlap(&legend->box, &s.layouts[j].box));
        if (j != p && s.layouts[j].legend.count > 0) assert_false(overlap(&legend->box, &s.layouts[j].legend.box));
      }
    }
  }
  thud_assert_greater(above, 40);
  thud_assert_greater(cut, 10);
  cairo_destroy(cairo);
}

/* One for every series with a label, unless its axis says the same. */
static void legends_have_a_line_for_every_label(void **state) {
  (void)state;
  const double x[2] = {0, 1};
  thud_plot_series series[3] = {{.label = "a", .count = 2, .x = x, .y = x},
                                {.label = "", .count = 2, .x = x, .y = x},
                                {.label = "c", .count = 2, .x = x, .y = x}};
  const thud_plot_key keys[4] = {{.label = "methods", .heading = true}, {.label = "a"}, {.label = "b"}, {.label = "c"}};
  thud_plot_panel panel = {.y_label = "q", .series_count = 3, .series = series};
  const thud_plot_figure figure = {.panel_count = 1, .panels = &panel};
  thud_plot_panel_layout place;
  cairo_t *cairo = make_cairo();
  lay_out(cairo, &figure, &place, 450, 0);
  assert_int_equal(place.legend.count, 2);
  assert_int_equal(place.legend.columns, 1);
  thud_assert_equal(place.legend.font, 8);
  panel.key_count = 4;
  panel.keys = keys;
  lay_out(cairo, &figure, &place, 450, 0);
  assert_int_equal(place.legend.count, 4);
  panel.key_count = 0;
  panel.series_count = 1;
  lay_out(cairo, &figure, &place, 450, 0);
  assert_int_equal(place.legend.count, 1);
  double with = place.box.right;
  panel.y_label = "a";
  lay_out(cairo, &figure, &place, 450, 0);
  assert_int_equal(place.legend.count, 0);
  thud_assert_greater(place.box.right, with + 20);
  cairo_destroy(cairo);
}

/* Forty-eight series of one panel: twelve colours, then the same ones dashed, dotted and dash-dotted. */
static void many_series_look_different(void **state) {
  (void)state;
  enum { COUNT = 4 * THUD_PLOT_COLOURS };
  static thud_plot_series series[COUNT];
  const thud_plot_panel panel = {.series_count = COUNT, .series = series};
  const thud_plot_panel_layout layout = {.panel = &panel};
  for (size_t a = 0; a < COUNT; a++)
    for (size_t b = 0; b < a; b++) {
      thud_plot_key one = thud_plot_look(&layout, a), two = thud_plot_look(&layout, b);
      assert_true(one.colour != two.colour || one.dash != two.dash);
    }
  for (size_t a = 0; a < THUD_PLOT_COLOURS; a++)
    for (size_t b = 0; b < a; b++) {
      double distance = 0;
      for (int c = 0; c < 3; c++) distance += fabs(thud_plot_colour(a)[c] - thud_plot_colour(b)[c]);
      thud_assert_greater(distance, 0.3);
    }
}

/* Numbers beside an axis have room above each other, those below it beside each other. */
static void labels_of_ticks_keep_their_distance(void **state) {
  (void)state;
  cairo_t *cairo = make_cairo();
  thud_random random = thud_random_seed(43);
  for (int round = 0; round < 2000; round++) {
    double low = pow(10, thud_random_uniform(&random, -9, 9));
    double high = low * (1 + pow(10, thud_random_uniform(&random, -9, 9)));
    const double values[2] = {low, high};
    const thud_plot_series series = {.count = 2, .x = values, .y = values};
    const thud_plot_panel panel = {.series_count = 1, .series = &series, .y_log = thud_random_below(&random, 2) == 1};
    const thud_plot_figure figure = {.panel_count = 1, .panels = &panel, .x_log = thud_random_below(&random, 2) == 1};
    thud_plot_panel_layout place;
    const thud_plot_layout layout =
        lay_out(cairo, &figure, &place, thud_random_uniform(&random, 150, 500), thud_random_uniform(&random, 80, 300));
    const thud_ticks *x = &layout.x_ticks, *y = &place.y_ticks;
    thud_assert_at_least(y->count, 1);
    for (size_t k = 1; k < y->count; k++)
      thud_assert_at_least(
          thud_plot_axis_place(&place.y, y->values[k - 1]) - thud_plot_axis_place(&place.y, y->values[k]), 8);
    thud_plot_set_font(&layout, layout.small_font, false);
    double reach = -INFINITY;
    thud_assert_at_least(x->count, 1);
    for (size_t k = 0; k < x->count && layout.width > 250; k++) {
      double half = 0.5 * thud_plot_text_width(&layout, x->labels[k]);
      double centre = thud_plot_axis_place(&place.x, x->values[k]);
      thud_assert_greater(centre - half, reach);
      reach = centre + half + 2;
    }
  }
  cairo_destroy(cairo);
}

/* Every word of the note in its order, on lines that fit; a note without end is cut. */
static void notes_are_broken_between_words(void **state) {
  (void)state;
  const double x[2] = {0, 1};
  const thud_plot_series series = {.count = 2, .x = x, .y = x};
  const thud_plot_panel panel = {.series_count = 1, .series = &series};
  thud_plot_figure figure = {.panel_count = 1, .panels = &panel};
  thud_plot_panel_layout place;
  char joined[4 * THUD_PLOT_TEXT] = "";
  cairo_t *cairo = make_cairo();
  double without = lay_out(cairo, &figure, &place, 300, 200).height - place.box.bottom;
  figure.note = "components 9 to 40 of q are left out; 3 values that are not positive are left out of the residual";
  thud_plot_layout layout = lay_out(cairo, &figure, &place, 300, 200);
  thud_assert_near(layout.height - place.box.bottom, without + (double)layout.note_lines * layout.note_row, 1e-9);
  assert_int_equal(layout.note_lines, 2);
  thud_plot_set_font(&layout, layout.note_font, false);
  for (size_t k = 0; k < layout.note_lines; k++) {
    snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%s", k > 0 ? " " : "", layout.note[k]);
    thud_assert_at_most(thud_plot_text_width(&layout, layout.note[k]), layout.width - 2 * layout.font);
  }
  assert_string_equal(joined, figure.note);
  static char endless[4000];
  for (size_t k = 0; k + 1 < sizeof endless; k++) endless[k] = k % 7 == 6 ? ' ' : 'w';
  figure.note = endless;
  layout = lay_out(cairo, &figure, &place, 300, 200);
  assert_int_equal(layout.note_lines, THUD_PLOT_NOTE_LINES);
  const char *last = layout.note[THUD_PLOT_NOTE_LINES - 1];
  assert_string_equal(last + strlen(last) - strlen("…"), "…");
  figure.note = "";
  assert_int_equal(lay_out(cairo, &figure, &place, 300, 200).note_lines, 0);
  cairo_destroy(cairo);
}

/* What is too long loses its end, never half a letter. */
static void long_texts_end_in_an_ellipsis(void **state) {
  (void)state;
  cairo_t *cairo = make_cairo();
  const thud_plot_layout layout = {.cairo = cairo, .font = 9, .small_font = 8};
  char text[700] = "", fitted[THUD_PLOT_TEXT];
  while (strlen(text) < 600) strcat(text, "äθ");
  thud_plot_set_font(&layout, 8, false);
  for (double length = 5; length < 6000; length *= 1.7) {
    thud_plot_cut_text(&layout, text, length, fitted);
    size_t kept = strlen(fitted) - strlen("…");
    assert_string_equal(fitted + kept, "…");
    assert_memory_equal(fitted, text, kept);
    assert_int_equal(kept % 2, 0); /* letters of two bytes */
    if (kept > 0) thud_assert_at_most(thud_plot_text_width(&layout, fitted), length);
  }
  thud_plot_cut_text(&layout, "short", 1000, fitted);
  assert_string_equal(fitted, "short");
  assert_int_equal(cairo_status(cairo), CAIRO_STATUS_SUCCESS);
  cairo_destroy(cairo);
}

/* Series without a range do not widen the axes, and fixed axes are as given. */
static void ranges_are_those_of_the_data_or_as_given(void **state) {
  (void)state;
  const double x[2] = {0, 1}, far[2] = {-100, 100};
  thud_plot_series series[2] = {{.count = 2, .x = x, .y = x}, {.count = 2, .x = far, .y = far, .no_range = true}};
  const thud_plot_panel panel = {.series_count = 2, .series = series};
  thud_plot_figure figure = {.panel_count = 1, .panels = &panel};
  thud_plot_panel_layout place;
  cairo_t *cairo = make_cairo();
  lay_out(cairo, &figure, &place, 300, 200);
  thud_assert_near(place.x.minimum, -0.04, 1e-12);
  thud_assert_near(place.y.maximum, 1.04, 1e-12);
  series[1].no_range = false;
  lay_out(cairo, &figure, &place, 300, 200);
  thud_assert_near(place.x.minimum, -108, 1e-9);
  figure.x_fixed = true;
  figure.x_minimum = 0.25;
  figure.x_maximum = 0.5;
  lay_out(cairo, &figure, &place, 300, 200);
  thud_assert_equal(place.x.minimum, 0.25);
  thud_assert_equal(place.x.maximum, 0.5);
  cairo_destroy(cairo);
}

/* A figure makes room for what stands beside and below its panels. */
static void heights_follow_legends_and_notes(void **state) {
  (void)state;
  const double x[2] = {0, 1};
  thud_plot_series series = {.count = 2, .x = x, .y = x};
  const thud_plot_panel panel = {.series_count = 1, .series = &series};
  thud_plot_figure figure = {.panel_count = 1, .panels = &panel};
  cairo_t *cairo = make_cairo();
  thud_plot_layout wide = {.cairo = cairo, .figure = &figure, .width = 450, .font = 9, .small_font = 8};
  thud_plot_layout narrow = wide;
  narrow.width = 200;
  double plain = thud_plot_wanted_height(&wide), low = thud_plot_wanted_height(&narrow);
  thud_assert_equal(plain, thud_plot_natural_height(&figure, 450));
  series.label = "a name";
  thud_assert_equal(thud_plot_wanted_height(&wide), plain); /* at its side */
  thud_assert_greater(thud_plot_wanted_height(&narrow), low + 8);
  thud_assert_less(thud_plot_wanted_height(&narrow), low + 20);
  figure.note = "a note";
  thud_assert_greater(thud_plot_wanted_height(&wide), plain + 7);
  figure.note = NULL;
  figure.equal_aspect = true;
  double beside = thud_plot_wanted_height(&wide);
  series.label = NULL;
  thud_assert_greater(thud_plot_wanted_height(&wide), beside + 20); /* a narrower square is lower */
  cairo_destroy(cairo);
}

/* Margins and labels alone are larger: ticks are chosen from ranges that must stay finite and of the right sign. */
static void figures_smaller_than_their_margins_have_panels(void **state) {
  (void)state;
  double x[2] = {0, 1}, y[2] = {0.1, 1000};
  thud_plot_series series = {.label = "a name", .count = 2, .x = x, .y = y};
  const thud_plot_panel panel = {.y_label = "y", .series_count = 1, .series = &series};
  thud_plot_figure figure = {.title = "title", .panel_count = 1, .panels = &panel};
  cairo_t *cairo = make_cairo();
  for (int equal = 0; equal < 2; equal++)
    for (double size = 100; size > 0.5; size /= 2) {
      thud_plot_panel_layout made;
      figure.equal_aspect = equal == 1;
      const thud_plot_layout layout = lay_out(cairo, &figure, &made, size, size);
      thud_assert_at_least(made.box.right - made.box.left, 1);
      thud_assert_at_least(made.box.bottom - made.box.top, 1);
      thud_assert_greater(made.x.maximum, made.x.minimum);
      thud_assert_greater(made.y.maximum, made.y.minimum);
      thud_assert_at_most(made.y.minimum, 0.1);
      thud_assert_at_least(made.y.maximum, 1000);
      thud_assert_at_most((double)layout.x_ticks.count, 12);
    }
  cairo_destroy(cairo);
}

/* fontconfig keeps patterns for the life of the process. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig"; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(legends_never_touch_the_data),
      cmocka_unit_test(legends_have_a_line_for_every_label),
      cmocka_unit_test(many_series_look_different),
      cmocka_unit_test(labels_of_ticks_keep_their_distance),
      cmocka_unit_test(notes_are_broken_between_words),
      cmocka_unit_test(long_texts_end_in_an_ellipsis),
      cmocka_unit_test(heights_follow_legends_and_notes),
      cmocka_unit_test(ranges_are_those_of_the_data_or_as_given),
      cmocka_unit_test(figures_smaller_than_their_margins_have_panels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
