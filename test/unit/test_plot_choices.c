/* What pictures of records show of a scene: units, windows, logarithms, expressions, differences, obstacles, ledgers, and
 * the words about what is left out. */
#include "failing_allocator.h"
#include "scratch_folder.h"
#include "testing.h"
#include "toy_pictures.h"

#include <math.h>
#include <string.h>

/* ---- records ------------------------------------------------------------------------------------------------------ */

static const char scene[] =
    "{thud: 1, title: Toy, units: {x: m, th: rad, t: s}, parameters: {k: 3}, definitions: {sum: x + k*th, two: 2},"
    " data: {}, simulate: {start: 0, end: 3}, system: {coordinates: [x, th], constraints: ["
    "{name: pillar, gap: (x - 1)^2 + (th - 2)^2 - 0.25}, {name: far, gap: x + s}, {name: line, equation: x - th}]}}";

enum { CHANNELS = 7, EVENT_CHANNELS = 2 };

/* Rows at 0, 1, 2, 3: x = t + shift, th = t^2, x' = 1 but -1 from 2 on, th' = 2 t. At 2 there is an impact that takes 5 of
 * the kinetic energy. */
static void write_motion(thud_context *context, const char *name, double shift, double last) {
  static const char *const q[] = {"x", "th"}, *const v[] = {"x'", "th'"}, *const kinds[] = {"impact", "turn"};
  static const char *const ledger[] = {"kinetic", "work", "impact_loss", "identity"};
  const thud_record_channel frames[CHANNELS] = {
      {.name = "t", .width = 1, .unit = "s", .role = "time"},
      {.name = "q", .width = 2, .components = q, .role = "position", .state = true},
      {.name = "v_left", .width = 2, .components = v, .role = "velocity_left", .look = THUD_LOOK_POINT},
      {.name = "v", .width = 2, .components = v, .role = "velocity", .left = "v_left", .state = true},
      {.name = "mode", .width = 1, .look = THUD_LOOK_HOLD},
      {.name = "residual", .width = 1, .role = "residual", .look = THUD_LOOK_POINT},
      {.name = "ledger", .width = 4, .components = ledger, .role = "ledger"}};
  const thud_record_channel events[EVENT_CHANNELS] = {
      {.name = "t", .width = 1, .role = "time"},
      {.name = "kind", .type = THUD_RECORD_SMALL, .width = 1, .role = "kind", .label_count = 2, .labels = kinds}};
  const thud_record_layout layout = {.count = {CHANNELS, EVENT_CHANNELS}, .channels = {frames, events}};
  const thud_record_cell cells[][CHANNELS] = {
      {NUMBERS(0), NUMBERS(shift, 0), NUMBERS(1, 0), NUMBERS(1, 0), NUMBERS(0), NUMBERS(0), NUMBERS(1, 0, 0, 0)},
      {NUMBERS(1), NUMBERS(1 + shift, 1), NUMBERS(1, 2), NUMBERS(1, 2), NUMBERS(1), NUMBERS(1e-9),
       NUMBERS(3, 2, 0, 1e-16)},
      {NUMBERS(2), NUMBERS(2 + shift, 4), NUMBERS(1, 4), NUMBERS(-1, 4), NUMBERS(0), NUMBERS(1e-12),
       NUMBERS(1, 5, 5, 1e-16)},
      {NUMBERS(last), NUMBERS(last + shift, last * last), NUMBERS(-1, 2 * last), NUMBERS(-1, 2 * last), NUMBERS(0),
       NUMBERS(0), NUMBERS(4, 8, 5, 1e-16)}};
  const thud_record_cell event_cells[][EVENT_CHANNELS] = {{NUMBERS(2), NUMBERS(0)}};
  thud_test_write_record(context, name, scene, &layout, 4, cells[0], 1, event_cells[0]);
}

static const char flight[] = "{thud: 1, title: Toy, parameters: {g: 2}, simulate: {start: 0, end: 2},"
                             " system: {coordinates: [z], mass: [[1]], potential_energy: g*z}}";

/* A ball under gravity 2 from the height 1: z = 1 - t^2, an impact at 1 with restitution 1/2, then z = s - s^2, s = t - 1. */
static void write_flight(thud_context *context, const char *resolved) {
  static const char *const z[] = {"z"}, *const rate[] = {"z'"}, *const kinds[] = {"impact"};
  static const char *const entries[] = {"kinetic",       "potential",    "work",        "impact_loss",
                                        "friction_loss", "contact_loss", "scheme_loss", "defect"};
  const thud_record_channel frames[] = {
      {.name = "t", .width = 1, .unit = "s", .role = "time"},
      {.name = "t_end", .width = 1, .unit = "s", .role = "end", .look = THUD_LOOK_POINT},
      {.name = "q",
       .group = 1,
       .components = z,
       .unit = "m",
       .look = THUD_LOOK_SERIES,
       .left = "v_left",
       .state = true},
      {.name = "v_left", .width = 1, .components = rate, .unit = "m/s", .look = THUD_LOOK_POINT},
      {.name = "ledger", .width = 8, .components = entries, .unit = "J", .role = "ledger"}};
  const thud_record_channel events[] = {
      {.name = "t", .width = 1, .role = "time"},
      {.name = "kind", .type = THUD_RECORD_SMALL, .width = 1, .role = "kind", .label_count = 1, .labels = kinds}};
  const thud_record_layout layout = {.count = {5, 2}, .channels = {frames, events}};
  const thud_record_cell cells[][5] = {
      {NUMBERS(0), NUMBERS(1), NUMBERS(1, 0, -1), NUMBERS(0), NUMBERS(0, 2, 0, 0, 0, 0, 0, 0)},
      {NUMBERS(1), NUMBERS(2), NUMBERS(0, 1, -1), NUMBERS(-2), NUMBERS(0.5, 0, 0, 1.5, 0, 0, 0, 0)},
      {NUMBERS(2), NUMBERS(2), NUMBERS(0, -1), NUMBERS(-1), NUMBERS(0.5, 0, 0, 1.5, 0, 0, 0, 0)}};
  const thud_record_cell event_cells[][2] = {{NUMBERS(1), NUMBERS(0)}};
  thud_test_write_record(context, "flight.h5", resolved, &layout, 3, cells[0], 1, event_cells[0]);
}

/* Thirty components, the first of which is not known. */
static void write_many(thud_context *context) {
  const thud_record_channel frames[] = {{.name = "t", .width = 1, .unit = "s", .role = "time"},
                                        {.name = "many", .width = 30, .state = true}};
  const thud_record_layout layout = {.count = {2}, .channels = {frames}};
  double values[30];
  for (int k = 0; k < 30; k++) values[k] = k > 0 ? k : (double)NAN;
  const thud_record_cell cells[] = {
      NUMBERS(0), {.values = values, .count = 30}, NUMBERS(1), {.values = values, .count = 30}};
  thud_test_write_record(context, "many.h5", NULL, &layout, 2, cells, 0, NULL);
}

static thud_context *start(void) {
  thud_context *context = thud_test_context(1);
  write_motion(context, "a.h5", 0, 3);
  return context;
}

/* ---- units, windows, axes -------------------------------------------------------------------------------------------- */

static void components_of_different_units_share_no_axis(void **state) {
  (void)state;
  thud_context *context = start();
  thud_picture *picture = thud_test_picture(context, "a.h5", (thud_plot_choice){0});
  assert_int_equal(thud_picture_figure(picture)->panel_count, 4);
  ASSERT_SERIES(thud_test_panel(picture, 0, "q", "m", 1), 0, "x", THUD_PLOT_LINE, 0, 0, 1, 1, 2, 2, 3, 3);
  ASSERT_SERIES(thud_test_panel(picture, 1, "q", "rad", 1), 0, "th", THUD_PLOT_LINE, 0, 0, 1, 1, 2, 4, 3, 9);
  ASSERT_SERIES(thud_test_panel(picture, 2, "v", "m/s", 1), 0, "x'", THUD_PLOT_LINE, 0, 1, 1, 1, 2, 1, 2, -1, 3, -1);
  assert_int_equal(thud_test_panel(picture, 3, "v", "rad/s", 1)->series[0].colour, 2);
  thud_picture_destroy(picture);
  thud_test_context_end(context);
}

static void a_window_cuts_lines_at_its_borders(void **state) {
  (void)state;
  thud_context *context = start();
  const double window[] = {0.5, 2}, late[] = {2, (double)NAN}, empty[] = {2, 1}, outside[] = {7, 8};
  thud_picture *picture =
      thud_test_picture(context, "a.h5", (thud_plot_choice){.panels = "q,v,mode", .window = window});
  const thud_plot_figure *figure = thud_picture_figure(picture);
  assert_true(figure->x_fixed);
  thud_assert_equal(figure->x_minimum, 0.5);
  thud_assert_equal(figure->x_maximum, 2);
  ASSERT_SERIES(thud_test_panel(picture, 0, "q", "m", 1), 0, "x", THUD_PLOT_LINE, 0.5, 0.5, 1, 1, 2, 2);
  ASSERT_SERIES(thud_test_panel(picture, 2, "v", "m/s", 1), 0, "x'", THUD_PLOT_LINE, 0.5, 1, 1, 1, 2, 1, 2, -1);
  ASSERT_SERIES(thud_test_panel(picture, 4, "mode", "", 1), 0, "mode", THUD_PLOT_STEPS, 0.5, 0, 1, 1, 2, 0);
  thud_picture_destroy(picture);
  /* the limit from before the first border is outside */
  picture = thud_test_picture(context, "a.h5", (thud_plot_choice){.panels = "v", .window = late});
  ASSERT_SERIES(thud_test_panel(picture, 0, "v", "m/s", 1), 0, "x'", THUD_PLOT_LINE, 2, -1, 3, -1);
  thud_picture_destroy(picture);
  picture = thud_test_picture(context, "a.h5", (thud_plot_choice){.phase = "x,x'", .window = window});
  ASSERT_SERIES(thud_test_panel(picture, 0, "x'", "m/s", 4), 0, "", THUD_PLOT_LINE, 0.5, 1, 1, 1, 2, 1, 2, -1);
  thud_picture_destroy(picture);
  thud_test_refuse_picture(context, "a.h5", (thud_plot_choice){.window = empty}, THUD_ERROR_ARGUMENT,
                           "a window (--from, --to) from 2 to 1 shows nothing");
  thud_test_refuse_picture(context, "a.h5", (thud_plot_choice){.window = outside}, THUD_ERROR_NOT_FOUND,
                           "there is nothing to draw in a within the window");
  thud_test_context_end(context);
}

static void residuals_have_logarithmic_axes_and_zeros_a_note(void **state) {
  (void)state;
  thud_context *context = start();
  thud_picture *picture = thud_test_picture(context, "a.h5", (thud_plot_choice){.panels = "residual,q"});
  const thud_plot_panel *residual = thud_test_panel(picture, 0, "residual", "", 1);
  assert_true(residual->y_log);
  assert_false(thud_picture_figure(picture)->panels[1].y_log);
  ASSERT_SERIES(residual, 0, "residual", THUD_PLOT_MARKERS, 1, 1e-9, 2, 1e-12);
  assert_int_equal(thud_picture_note_count(picture), 1);
  assert_string_equal(thud_picture_note(picture, 0), "residual: 2 left out (0 or negative)");
  assert_string_equal(thud_picture_figure(picture)->note, thud_picture_note(picture, 0));
  assert_null(thud_picture_note(picture, 1));
  thud_picture_destroy(picture);
  picture = thud_test_picture(context, "a.h5", (thud_plot_choice){.panels = "residual", .logarithmic = "-"});
  assert_false(thud_picture_figure(picture)->panels[0].y_log);
  assert_int_equal(thud_picture_note_count(picture), 0);
  thud_picture_destroy(picture);
  /* names of panels come before the axes */
  picture = thud_test_picture(context, "a.h5", (thud_plot_choice){.panels = "x,th", .logarithmic = "x"});
  assert_true(thud_picture_figure(picture)->panels[0].y_log);
  assert_false(thud_picture_figure(picture)->panels[1].y_log);
  assert_false(thud_picture_figure(picture)->x_log);
  thud_picture_destroy(picture);
  picture = thud_test_picture(context, "a.h5", (thud_plot_choice){.panels = "th", .logarithmic = "x,y"});
  ASSERT_SERIES(thud_test_panel(picture, 0, "th", "rad", 1), 0, "", THUD_PLOT_LINE, 1, 1, 2, 4, 3, 9);
  assert_true(thud_picture_figure(picture)->x_log);
  assert_int_equal(thud_plot_write(context, thud_picture_figure(picture), NULL, thud_test_path("log.svg")), THUD_OK);
  thud_picture_destroy(picture);
  thud_test_context_end(context);
}

/* ---- expressions ------------------------------------------------------------------------------------------------------ */

static void expressions_have_both_limits_at_jumps(void **state) {
  (void)state;
  thud_context *context = start();
  thud_picture *picture = thud_test_picture(
      context, "a.h5", (thud_plot_choice){.panels = "sum, max(x, two), x + k*x',k*t + step(t - 1), impact_loss"});
  ASSERT_SERIES(thud_test_panel(picture, 0, "sum", "", 1), 0, "", THUD_PLOT_LINE, 0, 0, 1, 4, 2, 14, 3, 30);
  ASSERT_SERIES(thud_test_panel(picture, 1, "max(x, two)", "", 1), 0, "", THUD_PLOT_LINE, 0, 2, 1, 2, 2, 2, 3, 3);
  ASSERT_SERIES(thud_test_panel(picture, 2, "x + k*x'", "", 1), 0, "", THUD_PLOT_LINE, 0, 3, 1, 4, 2, 5, 2, -1, 3, 0);
  ASSERT_SERIES(thud_test_panel(picture, 3, "k*t + step(t - 1)", "", 1), 0, "", THUD_PLOT_LINE, 0, 0, 1, 3, 1, 4, 2, 7,
                3, 10);
  ASSERT_SERIES(thud_test_panel(picture, 4, "impact_loss", "", 1), 0, "", THUD_PLOT_LINE, 0, 0, 1, 0, 2, 0, 2, 5, 3, 5);
  thud_picture_destroy(picture);
  picture = thud_test_picture(context, "a.h5", (thud_plot_choice){.phase = "x - th, min(x', 0)"});
  assert_string_equal(thud_picture_figure(picture)->x_label, "x - th");
  ASSERT_SERIES(thud_test_panel(picture, 0, "min(x', 0)", "", 4), 0, "", THUD_PLOT_LINE, 0, 0, 0, 0, -2, 0, -2, -1, -6,
                -1);
  thud_picture_destroy(picture);
  thud_test_refuse_picture(context, "a.h5", (thud_plot_choice){.panels = "x + nothing"}, THUD_ERROR_NOT_FOUND,
                           "'x + nothing' of record 'a'");
  thud_test_refuse_picture(context, "a.h5", (thud_plot_choice){.panels = "x +"}, THUD_ERROR_NOT_FOUND, "'x +'");
  thud_test_refuse_picture(context, "a.h5", (thud_plot_choice){.panels = "nothing"}, THUD_ERROR_NOT_FOUND,
                           "record 'a' has no panel 'nothing'; there are q, v, v_left, mode, residual, ledger, kind");
  thud_test_refuse_picture(context, "a.h5", (thud_plot_choice){.phase = "x,sqrt("}, THUD_ERROR_NOT_FOUND, "'sqrt('");
  thud_test_context_end(context);
}

/* ---- differences -------------------------------------------------------------------------------------------------------- */

/* b is 0.25 higher and ends at 2.5, where a is at 2.5 too; its th is straight from (2, 4) to (2.5, 6.25), that of a from
 * (2, 4) to (3, 9). */
static void differences_are_taken_at_the_times_of_both(void **state) {
  (void)state;
  thud_context *context = start();
  write_motion(context, "b.h5", 0.25, 2.5);
  const char *paths[] = {thud_test_path("a.h5"), thud_test_path("b.h5")};
  thud_plot_choice choice = {.difference = true};
  thud_picture *picture;
  assert_int_equal(thud_picture_create(context, 2, paths, &choice, &picture), THUD_OK);
  assert_string_equal(thud_picture_figure(picture)->title, "Toy: difference from a");
  assert_int_equal(thud_picture_figure(picture)->panel_count, 4);
  ASSERT_SERIES(thud_test_panel(picture, 0, "difference of q", "m", 1), 0, "x, b \xe2\x88\x92 a", THUD_PLOT_LINE, 0,
                0.25, 1, 0.25, 2, 0.25, 2.5, 0.25);
  ASSERT_SERIES(thud_test_panel(picture, 1, "difference of q", "rad", 1), 0, "th, b \xe2\x88\x92 a", THUD_PLOT_LINE, 0,
                0, 1, 0, 2, 0, 2.5, -0.25);
  thud_picture_destroy(picture);
  choice = (thud_plot_choice){.difference = true, .panels = "th,x - x'", .logarithmic = "y"};
  assert_int_equal(thud_picture_create(context, 2, paths, &choice, &picture), THUD_OK);
  ASSERT_SERIES(thud_test_panel(picture, 0, "|difference of th|", "rad", 1), 0, "b \xe2\x88\x92 a", THUD_PLOT_LINE, 2.5,
                0.25);
  const thud_plot_series *series = thud_test_panel(picture, 1, "|difference of x - x'|", "", 1)->series;
  assert_int_equal(thud_test_jump_count(series), 0); /* both jump by the same */
  for (size_t k = 0; k < series->count; k++) thud_assert_nearer(series->y[k], 0.25, 1e-15);
  assert_string_equal(thud_picture_note(picture, 0), "th: 3 left out (0 or negative)");
  thud_picture_destroy(picture);
  choice = (thud_plot_choice){.difference = true, .phase = "x,th"};
  assert_int_equal(thud_picture_create(context, 2, paths, &choice, &picture), THUD_ERROR_ARGUMENT);
  thud_test_refuse_picture(context, "a.h5", (thud_plot_choice){.difference = true}, THUD_ERROR_ARGUMENT,
                           "--difference needs two records");
  thud_test_context_end(context);
}

/* ---- obstacles ------------------------------------------------------------------------------------------------------------ */

/* Sum of the polygons, which are counter-clockwise and do not overlap. */
static double area_of(const thud_plot_series *series) {
  double sum = 0;
  for (size_t b = 0; b <= series->break_count; b++) {
    size_t first = b > 0 ? series->breaks[b - 1] : 0,
           last = b < series->break_count ? series->breaks[b] : series->count;
    for (size_t k = first; k < last; k++) {
      size_t next = k + 1 < last ? k + 1 : first;
      sum += 0.5 * (series->x[k] * series->y[next] - series->x[next] * series->y[k]);
    }
  }
  return sum;
}

/* The pillar is a disc of radius 1/2 about (1, 2); `far` depends on more than the plane, `line` is an equation. */
static void what_constraints_forbid_is_shaded(void **state) {
  (void)state;
  thud_context *context = start();
  thud_picture *picture = thud_test_picture(context, "a.h5", (thud_plot_choice){.phase = "x,th"});
  const thud_plot_panel *plane = thud_test_panel(picture, 0, "th", "rad", 6);
  const thud_plot_series *shade = &plane->series[3], *circle = &plane->series[4], *line = &plane->series[5];
  assert_int_equal(shade->style, THUD_PLOT_AREA);
  assert_string_equal(shade->label, "forbidden");
  assert_true(shade->no_range && circle->no_range && line->no_range);
  thud_assert_nearer(area_of(shade), acos(-1) / 4, 1e-3);
  assert_int_equal(circle->break_count, 0); /* one line, closed */
  thud_assert_equal(circle->x[0], circle->x[circle->count - 1]);
  thud_assert_equal(circle->y[0], circle->y[circle->count - 1]);
  for (size_t k = 0; k < circle->count; k++) /* chords between the zeros of secants: second order in the cells' size */
    thud_assert_nearer(hypot(circle->x[k] - 1, circle->y[k] - 2), 0.5, 2e-3);
  assert_string_equal(line->label, "line");
  assert_int_equal(line->break_count, 0);
  for (size_t k = 0; k < line->count; k++) thud_assert_nearer(line->x[k], line->y[k], 1e-12);
  assert_int_equal(thud_plot_write(context, thud_picture_figure(picture), NULL, thud_test_path("plane.svg")), THUD_OK);
  thud_picture_destroy(picture);
  thud_test_context_end(context);
}

/* ---- ledgers, notes ----------------------------------------------------------------------------------------------------------- */

static void ledgers_jump_at_impacts(void **state) {
  (void)state;
  thud_context *context = start();
  thud_picture *picture = thud_test_picture(context, "a.h5", (thud_plot_choice){.panels = "ledger"});
  const thud_plot_panel *ledger = thud_test_panel(picture, 0, "ledger", "J", 3);
  ASSERT_SERIES(ledger, 0, "kinetic", THUD_PLOT_LINE, 0, 1, 1, 3, 2, 6, 2, 1, 3, 4);
  ASSERT_SERIES(ledger, 1, "work", THUD_PLOT_LINE, 0, 0, 1, 2, 2, 5, 3, 8);
  ASSERT_SERIES(ledger, 2, "impact_loss", THUD_PLOT_LINE, 0, 0, 1, 0, 2, 0, 2, 5, 3, 5);
  ASSERT_SERIES(thud_test_panel(picture, 1, "ledger", "", 1), 0, "identity", THUD_PLOT_LINE, 0, 0, 1, 1e-16, 2, 1e-16,
                3, 1e-16);
  thud_picture_destroy(picture);
  thud_test_context_end(context);
}

/* By the energies of the scene, given by a mass; without a scene straight from row to row. */
static void ledgers_follow_the_arcs(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  write_flight(context, flight);
  thud_picture *picture = thud_test_picture(context, "flight.h5", (thud_plot_choice){.panels = "ledger"});
  const thud_plot_panel *ledger = thud_test_panel(picture, 0, "ledger", "J", 8);
  for (int c = 0; c < 4; c++) {
    const thud_plot_series *series = &ledger->series[c];
    assert_int_equal(thud_test_jump_count(series), c == 0 || c == 3);
    thud_assert_greater(series->count, 2000);
    for (size_t i = 0; i < series->count; i++) {
      double t = series->x[i], s = t - 1;
      bool first = t < 1 || (t == 1 && series->x[i + 1] == 1 && (c == 0 || c == 3));
      const double kinetic = first ? 2 * t * t : 0.5 * (1 - 2 * s) * (1 - 2 * s);
      const double expected[] = {kinetic, t < 1 ? 2 - 2 * t * t : 2 * (s - s * s), 0, first ? 0 : 1.5};
      thud_assert_nearer(series->y[i], expected[c], 1e-13);
    }
  }
  thud_picture_destroy(picture);
  write_flight(context, NULL);
  picture = thud_test_picture(context, "flight.h5", (thud_plot_choice){.panels = "ledger"});
  ledger = thud_test_panel(picture, 0, "ledger", "J", 8);
  ASSERT_SERIES(ledger, 0, "kinetic", THUD_PLOT_LINE_MARKERS, 0, 0, 1, 2, 1, 0.5, 2, 0.5);
  thud_picture_destroy(picture);
  thud_test_context_end(context);
}

static void nothing_is_left_out_without_a_word(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  write_many(context);
  thud_picture *picture = thud_test_picture(context, "many.h5", (thud_plot_choice){0});
  thud_test_panel(picture, 0, "many", "", 7); /* the first of the eight is not known */
  assert_int_equal(thud_picture_note_count(picture), 2);
  assert_string_equal(thud_picture_note(picture, 0), "many: 22 more components (--components)");
  assert_string_equal(thud_picture_note(picture, 1), "many: values that are not known (NaN) are left out");
  thud_picture_destroy(picture);
  const char *ten = "many[1],many[2],many[3],many[4],many[5],many[6],many[7],many[8],many[9],many[20]";
  picture = thud_test_picture(context, "many.h5", (thud_plot_choice){.components = ten});
  const thud_plot_series *series = thud_test_panel(picture, 0, "many", "", 10)->series;
  for (int a = 0; a < 10; a++)
    for (int b = 0; b < a; b++) assert_true(series[a].colour != series[b].colour || series[a].dash != series[b].dash);
  assert_int_equal(thud_picture_note_count(picture), 0);
  thud_picture_destroy(picture);
  thud_test_context_end(context);
}

/* One record in a plane, two for differences; arcs have a title of their own. */
static thud_error make_one(thud_context *context, void *user) {
  const thud_plot_choice *choice = user;
  const char *paths[] = {thud_test_path(choice->title != NULL ? "flight.h5" : "a.h5"), thud_test_path("b.h5")};
  thud_picture *picture = NULL;
  thud_error error = thud_picture_create(context, choice->difference ? 2 : 1, paths, choice, &picture);
  if (error == THUD_OK) thud_picture_destroy(picture);
  return error;
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state) {
  (void)state;
  thud_context *context = start();
  write_motion(context, "b.h5", 0.25, 2.5);
  write_flight(context, flight);
  thud_test_context_end(context);
  const double window[] = {0.5, 2.5};
  thud_plot_choice choices[] = {{.phase = "x,th"},
                                {.panels = "ledger,sum + x',residual", .window = window},
                                {.panels = "ledger", .title = "Flight"},
                                {.difference = true, .panels = "q,x - x'"}};
  for (int k = 0; k < 4; k++) thud_assert_greater(thud_test_sweep_allocations(make_one, &choices[k]), 20);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, thud_test_folder_make, thud_test_folder_remove)

/* fontconfig keeps patterns for the life of the process. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig"; }

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(components_of_different_units_share_no_axis),
      TEST(a_window_cuts_lines_at_its_borders),
      TEST(residuals_have_logarithmic_axes_and_zeros_a_note),
      TEST(expressions_have_both_limits_at_jumps),
      TEST(differences_are_taken_at_the_times_of_both),
      TEST(what_constraints_forbid_is_shaded),
      TEST(ledgers_jump_at_impacts),
      TEST(ledgers_follow_the_arcs),
      TEST(nothing_is_left_out_without_a_word),
      TEST(every_failing_allocation_is_reported_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
