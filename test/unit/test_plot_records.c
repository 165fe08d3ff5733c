/* Pictures of records that no kind of motion of the library has made: a channel of every look. */
#include "failing_allocator.h"
#include "scratch_folder.h"
#include "testing.h"
#include "toy_pictures.h"

#include <math.h>
#include <string.h>

/* ---- records ------------------------------------------------------------------------------------------------- */

enum { ROW_CHANNELS = 14, ROWS = 4, ROW_EVENT_CHANNELS = 4 };

/* Rows at 0, 1, 2, 3. At 2 everything jumps; at 1 x_left differs from x, but is not a mark there. */
static void write_rows(thud_context *context) {
  static const char *const ab[] = {"a", "b"}, *const modes[] = {"off", "on", "stuck"}, *const of_a[] = {"force[a]"};
  static const char *const pushes[] = {"p", "r", "r.t1"}, *const pairs[] = {"u", "w"},
                           *const kinds[] = {"bang", "turn"};
  static const char *const posts[] = {"left post", "right post"};
  const thud_record_type small = THUD_RECORD_SMALL, whole = THUD_RECORD_INTEGER;
  const thud_record_look point = THUD_LOOK_POINT;
  const thud_record_channel frames[ROW_CHANNELS] = {
      {.name = "t", .width = 1, .unit = "s", .role = "time"},
      {.name = "length", .width = 1, .unit = "s", .role = "step", .look = point},
      {.name = "x", .width = 2, .components = ab, .unit = "m", .left = "x_left", .atom = "hit", .state = true},
      {.name = "x_left", .width = 2, .components = ab, .look = point},
      {.name = "mode", .type = small, .width = 1, .look = THUD_LOOK_HOLD, .label_count = 3, .labels = modes},
      {.name = "force",
       .width = 1,
       .components = of_a,
       .unit = "N",
       .role = "reaction",
       .look = THUD_LOOK_DENSITY,
       .atom = "hit"},
      {.name = "push", .width = 3, .components = pushes, .unit = "N s", .look = THUD_LOOK_IMPULSE, .atom = "struck"},
      {.name = "struck", .type = small, .width = 2, .components = pushes, .look = point},
      {.name = "hit", .type = small, .width = 1, .look = point},
      {.name = "gauge", .width = 1, .unit = "bar", .look = point},
      {.name = "who", .type = whole, .label_count = 2, .labels = posts, .look = point},
      {.name = "load", .unit = "kg", .at = "who", .look = point},
      {.name = "pairs", .group = 2, .components = pairs, .look = point},
      {.name = "word", .type = THUD_RECORD_TEXT, .look = point}};
  const thud_record_channel events[ROW_EVENT_CHANNELS] = {
      {.name = "t", .width = 1, .role = "time"},
      {.name = "kind", .type = small, .width = 1, .role = "kind", .label_count = 2, .labels = kinds},
      {.name = "kick", .width = 1, .role = "impulse", .optional = true},
      {.name = "note", .type = THUD_RECORD_TEXT, .optional = true}};
  const thud_record_layout layout = {.count = {ROW_CHANNELS, ROW_EVENT_CHANNELS}, .channels = {frames, events}};
  const thud_record_cell cells[ROWS][ROW_CHANNELS] = {
      {NUMBERS(0), NUMBERS(0), NUMBERS(0, 5), NUMBERS(0, 5), NUMBERS(0), NUMBERS(0), NUMBERS(0, 0, 0), NUMBERS(0, 0),
       NUMBERS(0), NUMBERS(1), NOTHING, NOTHING, NOTHING, WORD("one")},
      {NUMBERS(1), NUMBERS(1), NUMBERS(1, 5), NUMBERS(9, 9), NUMBERS(1), NUMBERS(2), NUMBERS(3, 1, 0.5), NUMBERS(0, 0),
       NUMBERS(0), NUMBERS((double)NAN), NUMBERS(1), NUMBERS(7), NUMBERS(1, 2, 3, 4), WORD("two")},
      {NUMBERS(2), NUMBERS(1), NUMBERS(4, 5), NUMBERS(2, 6), NUMBERS(2), NUMBERS(10), NUMBERS(6, 8, 4), NUMBERS(0, 1),
       NUMBERS(1), NUMBERS(3), NUMBERS(0, 1), NUMBERS(8, 9), NOTHING, WORD("")},
      {NUMBERS(3), NUMBERS(2), NUMBERS(5, 5), NUMBERS(5, 5), NUMBERS(0), NUMBERS(4), NUMBERS(0, 2, 1), NUMBERS(0, 0),
       NUMBERS(0), NUMBERS(4), NOTHING, NOTHING, NUMBERS(5, 6), WORD("")}};
  const thud_record_cell event_cells[2][ROW_EVENT_CHANNELS] = {
      {NUMBERS(1.5), NUMBERS(1), NUMBERS((double)NAN), WORD("")}, {NUMBERS(2), NUMBERS(0), NUMBERS(3), WORD("loud")}};
  thud_test_write_record(context, "rows.h5", NULL, &layout, ROWS, cells[0], 2, event_cells[0]);
}

enum { ARC_CHANNELS = 6, ARCS = 4, ARC_EVENT_CHANNELS = 5 };

/* x = 1 - t^2 up to 1, then 2 s - s^2 with s = t - 1; y = t. At 1 there is an impulse. The arc from 2 to 3 stands in
 * for something else: its force is not known. The motion ends at 3. */
static void write_arcs(thud_context *context) {
  static const char *const xy[] = {"x", "y"}, *const rates[] = {"x'", "y'"}, *const walls[] = {"near", "far"};
  static const char *const kinds[] = {"impact", "limit", "turn"};
  const thud_record_look point = THUD_LOOK_POINT, series = THUD_LOOK_SERIES;
  const thud_record_channel frames[ARC_CHANNELS] = {
      {.name = "t", .width = 1, .unit = "s", .role = "time"},
      {.name = "until", .width = 1, .unit = "s", .role = "end", .look = point},
      {.name = "q", .group = 2, .components = xy, .unit = "m", .look = series, .left = "v_left", .state = true},
      {.name = "v_left", .width = 2, .components = rates, .unit = "m/s", .look = point},
      {.name = "force", .unit = "N", .role = "reaction_series", .look = series},
      {.name = "rest", .type = THUD_RECORD_SMALL, .width = 1, .role = "accumulation", .look = THUD_LOOK_HOLD}};
  const thud_record_channel events[ARC_EVENT_CHANNELS] = {
      {.name = "t", .width = 1, .role = "time"},
      {.name = "kind", .type = THUD_RECORD_SMALL, .width = 1, .role = "kind", .label_count = 3, .labels = kinds},
      {.name = "walls", .type = THUD_RECORD_INTEGER, .label_count = 2, .labels = walls, .role = "index"},
      {.name = "blow", .unit = "N s", .role = "impulse", .at = "walls"},
      {.name = "begin", .width = 1, .role = "begin", .optional = true}};
  const thud_record_layout layout = {.count = {ARC_CHANNELS, ARC_EVENT_CHANNELS}, .channels = {frames, events}};
  const thud_record_cell cells[ARCS][ARC_CHANNELS] = {
      {NUMBERS(0), NUMBERS(1), NUMBERS(1, 0, 0, 1, -1, 0), NUMBERS(0, 1), NUMBERS(2), NUMBERS(0)},
      {NUMBERS(1), NUMBERS(2), NUMBERS(0, 1, 2, 1, -1, 0), NUMBERS(-2, 1), NUMBERS(3, 1), NUMBERS(0)},
      {NUMBERS(2), NUMBERS(3), NUMBERS(1, 2, 0, 1), NUMBERS(0, 1), NUMBERS(77), NUMBERS(1)},
      {NUMBERS(3), NUMBERS(3), NUMBERS(1, 3, 0, 1), NUMBERS(0, 1), NOTHING, NUMBERS(0)}};
  const thud_record_cell event_cells[3][ARC_EVENT_CHANNELS] = {
      {NUMBERS(1), NUMBERS(0), NUMBERS(1), NUMBERS(4), NUMBERS((double)NAN)},
      {NUMBERS(1.1), NUMBERS(2), NOTHING, NOTHING, NUMBERS((double)NAN)},
      {NUMBERS(1.25), NUMBERS(1), NUMBERS(1), NUMBERS(0.25), NUMBERS(1)}};
  thud_test_write_record(context, "arcs.h5", NULL, &layout, ARCS, cells[0], 3, event_cells[0]);
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void state_reactions_and_impulses_are_drawn_by_themselves(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  write_rows(context);
  thud_picture *picture = thud_test_picture(context, "rows.h5", (thud_plot_choice){0});
  const thud_plot_figure *figure = thud_picture_figure(picture);
  assert_int_equal(figure->panel_count, 3);
  assert_string_equal(figure->title, "Toy");
  assert_string_equal(figure->x_unit, "s");
  const thud_plot_panel *x = thud_test_panel(picture, 0, "x", "m", 2);
  ASSERT_SERIES(x, 0, "a", THUD_PLOT_LINE, 0, 0, 1, 1, 2, 2, 2, 4, 3, 5);
  ASSERT_SERIES(x, 1, "b", THUD_PLOT_LINE, 0, 5, 1, 5, 2, 6, 2, 5, 3, 5);
  assert_false(x->series[0].no_jumps);
  const thud_plot_panel *force = thud_test_panel(picture, 1, "force", "N", 1);
  ASSERT_SERIES(force, 0, "a", THUD_PLOT_STEPS, 0, 2, 1, 0, 2, 4, 3, 4);
  const thud_plot_panel *impulse = thud_test_panel(picture, 2, "impulse", "N s", 1);
  ASSERT_SERIES(impulse, 0, "a", THUD_PLOT_STEMS, 2, 10);
  /* the event without impulse is marked, by its name in the first panel */
  assert_int_equal(x->rule_count, 1);
  assert_true(x->rules[0].vertical);
  thud_assert_equal(x->rules[0].value, 1.5);
  assert_string_equal(x->rules[0].label, "turn");
  assert_int_equal(force->rule_count, 1);
  assert_null(force->rules[0].label);
  thud_picture_destroy(picture);
  thud_test_context_end(context);
}

static void every_look_has_its_shape(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  write_rows(context);
  thud_picture *picture =
      thud_test_picture(context, "rows.h5", (thud_plot_choice){.panels = "mode,push,gauge,load,pairs,who,kind,kick"});
  const thud_plot_panel *mode = thud_test_panel(picture, 0, "mode", "", 1);
  ASSERT_SERIES(mode, 0, "mode", THUD_PLOT_STEPS, 0, 0, 1, 1, 2, 2, 3, 0);
  assert_true(mode->y_fixed);
  thud_assert_less(mode->y_minimum, 0);
  thud_assert_greater(mode->y_maximum, 2);
  assert_int_equal(mode->y_name_count, 3);
  assert_string_equal(mode->y_names[2], "stuck");
  const thud_plot_panel *push = thud_test_panel(picture, 1, "push", "N", 3); /* impulses over steps of 1, 1 and 2 */
  ASSERT_SERIES(push, 0, "p", THUD_PLOT_STEPS, 0, 3, 1, 6, 2, 0, 3, 0);
  ASSERT_SERIES(push, 1, "r", THUD_PLOT_STEPS, 0, 1, 1, 0, 2, 1, 3, 1);
  ASSERT_SERIES(push, 2, "r.t1", THUD_PLOT_STEPS, 0, 0.5, 1, 0, 2, 0.5, 3, 0.5);
  const thud_plot_panel *gauge = thud_test_panel(picture, 2, "gauge", "bar", 1);
  ASSERT_SERIES(gauge, 0, "gauge", THUD_PLOT_MARKERS, 0, 1, 2, 3, 3, 4);
  const thud_plot_panel *load = thud_test_panel(picture, 3, "load", "kg", 2);
  ASSERT_SERIES(load, 0, "left post", THUD_PLOT_MARKERS, 2, 8);
  ASSERT_SERIES(load, 1, "right post", THUD_PLOT_MARKERS, 1, 7, 2, 9);
  const thud_plot_panel *pairs = thud_test_panel(picture, 4, "pairs", "", 2);
  ASSERT_SERIES(pairs, 0, "u", THUD_PLOT_MARKERS, 1, 1, 1, 3, 3, 5);
  ASSERT_SERIES(pairs, 1, "w", THUD_PLOT_MARKERS, 1, 2, 1, 4, 3, 6);
  assert_string_equal(thud_test_panel(picture, 5, "who", "", 1)->y_names[1], "right post");
  ASSERT_SERIES(thud_test_panel(picture, 6, "kind", "", 1), 0, "kind", THUD_PLOT_MARKERS, 1.5, 1, 2, 0);
  ASSERT_SERIES(thud_test_panel(picture, 7, "kick", "", 1), 0, "kick", THUD_PLOT_MARKERS, 2, 3);
  assert_int_equal(thud_plot_write(context, thud_picture_figure(picture), NULL, thud_test_path("looks.svg")), THUD_OK);
  thud_picture_destroy(picture);
  thud_test_context_end(context);
}

static void check_arcs(const thud_picture *picture) {
  const thud_plot_panel *q = thud_test_panel(picture, 0, "q", "m", 2), *v = thud_test_panel(picture, 1, "v", "m/s", 2);
  const thud_plot_series *x = &q->series[0], *rate = &v->series[0];
  thud_assert_greater(x->count, 2000);
  assert_int_equal(thud_test_jump_count(x) + thud_test_jump_count(&q->series[1]) + thud_test_jump_count(&v->series[1]),
                   0);
  for (size_t i = 0; i < x->count; i++) {
    double t = x->x[i], s = t - 1, expected = t < 1 ? 1 - t * t : t < 2 ? 2 * s - s * s : 1;
    thud_assert_nearer(x->y[i], expected, 1e-14);
    thud_assert_nearer(q->series[1].y[i], t, 1e-14);
  }
  assert_int_equal(thud_test_jump_count(rate), 1);
  for (size_t i = 1; i < rate->count; i++) {
    double t = rate->x[i], limit = rate->x[i - 1] == t ? 2 : -2;
    thud_assert_nearer(rate->y[i], (t < 1 ? -2 * t : t == 1 ? limit : t < 2 ? 2 - 2 * (t - 1) : 0), 1e-14);
  }
  thud_assert_equal(x->x[x->count - 1], 3);
}

static void series_are_evaluated_and_their_slopes_are_a_panel(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  write_arcs(context);
  thud_picture *picture = thud_test_picture(context, "arcs.h5", (thud_plot_choice){.title = "Arcs"});
  assert_string_equal(thud_picture_figure(picture)->title, "Arcs");
  check_arcs(picture);
  /* 2, then 3 + s; what is not known stays as it was */
  const thud_plot_series *force = thud_test_panel(picture, 2, "force", "N", 1)->series;
  assert_int_equal(thud_test_jump_count(force), 1);
  for (size_t i = 1; i < force->count; i++) {
    double t = force->x[i], expected = t < 1 ? 2 : t < 2 ? 2 + t : 4;
    if (t != 1 || force->x[i - 1] == t) thud_assert_nearer(force->y[i], expected, 1e-14);
  }
  const thud_plot_panel *impulse = thud_test_panel(picture, 3, "impulse", "N s", 1);
  ASSERT_SERIES(impulse, 0, "far", THUD_PLOT_STEMS, 1, 4, 1.25, 0.25);
  assert_int_equal(impulse->series[0].colour, 2); /* the second wall */
  /* The impulse at 1 shows by itself; that of the limit is not what it is about. Names do not cross lines. */
  const thud_plot_panel *q = &thud_picture_figure(picture)->panels[0];
  assert_int_equal(q->rule_count, 2);
  assert_null(q->rules[0].label);
  assert_string_equal(q->rules[1].label, "limit");
  thud_picture_destroy(picture);
  thud_test_context_end(context);
}

static void planes_of_any_two_components_of_the_state(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  write_rows(context);
  write_arcs(context);
  thud_picture *picture = thud_test_picture(context, "arcs.h5", (thud_plot_choice){.phase = "x,x'"});
  const thud_plot_figure *figure = thud_picture_figure(picture);
  const thud_plot_panel *plane = thud_test_panel(picture, 0, "x'", "m/s", 4);
  assert_string_equal(figure->x_label, "x");
  assert_false(figure->equal_aspect);
  assert_int_equal(plane->series[0].break_count, 1);
  size_t jump = plane->series[0].breaks[0];
  thud_assert_equal(plane->series[0].y[jump - 1], -2);
  thud_assert_equal(plane->series[0].y[jump], 2);
  ASSERT_SERIES(plane, 1, "", THUD_PLOT_LINE, 0, -2, 0, 2);
  ASSERT_SERIES(plane, 2, "start", THUD_PLOT_MARKERS, 1, 0);
  ASSERT_SERIES(plane, 3, "end", THUD_PLOT_MARKERS, 1, 0);
  assert_int_equal(plane->series[2].marker, THUD_PLOT_MARKER_OPEN);
  assert_int_equal(plane->series[3].marker, THUD_PLOT_MARKER_FILLED);
  thud_picture_destroy(picture);
  picture = thud_test_picture(context, "rows.h5", (thud_plot_choice){.phase = "b,a"});
  plane = thud_test_panel(picture, 0, "a", "m", 4);
  assert_true(thud_picture_figure(picture)->equal_aspect);
  ASSERT_SERIES(plane, 0, "", THUD_PLOT_LINE, 5, 0, 5, 1, 6, 2, 5, 4, 5, 5);
  assert_int_equal(plane->series[0].breaks[0], 3);
  thud_picture_destroy(picture);
  thud_test_refuse_picture(context, "arcs.h5", (thud_plot_choice){.phase = "x,z"}, THUD_ERROR_NOT_FOUND,
                           "the state has no component 'z'; there are x, y, x', y'");
  thud_test_refuse_picture(context, "arcs.h5", (thud_plot_choice){.phase = "x"}, THUD_ERROR_ARGUMENT,
                           "a picture in a plane (--phase) needs two components, like x,y, not 'x'");
  thud_test_context_end(context);
}

static void components_are_chosen_and_keep_their_colours(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  write_arcs(context);
  thud_picture *picture =
      thud_test_picture(context, "arcs.h5", (thud_plot_choice){.panels = "q,force", .components = "y"});
  assert_string_equal(thud_test_panel(picture, 0, "q", "m", 1)->series[0].label, "y");
  assert_int_equal(thud_picture_figure(picture)->panels[0].series[0].colour, 2);
  thud_test_panel(picture, 1, "force", "N", 1);
  thud_picture_destroy(picture);
  thud_test_refuse_picture(context, "arcs.h5", (thud_plot_choice){.components = "z"}, THUD_ERROR_NOT_FOUND, "'z'");
  thud_test_context_end(context);
}

static void several_records_share_their_panels(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  write_rows(context);
  write_arcs(context);
  const char *paths[] = {thud_test_path("rows.h5"), thud_test_path("arcs.h5")};
  thud_picture *picture;
  assert_int_equal(thud_picture_create(context, 2, paths, NULL, &picture), THUD_OK);
  assert_int_equal(thud_picture_figure(picture)->panel_count, 5);
  thud_test_panel(picture, 0, "x", "m", 2);
  const thud_plot_panel *force = thud_test_panel(picture, 1, "force", "N", 2);
  assert_string_equal(force->series[0].label, "a, rows");
  assert_string_equal(force->series[1].label, "force, arcs");
  thud_test_panel(picture, 2, "impulse", "N s", 2);
  thud_test_panel(picture, 3, "q", "m", 2);
  assert_int_equal(force->rule_count, 0);
  thud_picture_destroy(picture);
  assert_int_equal(thud_plot_records(context, 2, paths, NULL, NULL, thud_test_path("both.png")), THUD_OK);
  thud_test_context_end(context);
}

/* A record without state and events: its first channels; equal times are a jump. */
static void records_without_a_state_show_their_first_channels(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const thud_record_channel frames[] = {{.name = "t", .width = 1, .role = "time"},
                                        {.name = "flag", .width = 1, .look = THUD_LOOK_POINT},
                                        {.name = "level", .width = 1, .left = "level_left"},
                                        {.name = "level_left", .width = 1, .look = THUD_LOOK_POINT}};
  const thud_record_layout layout = {.count = {4, 0}, .channels = {frames, NULL}};
  const thud_record_cell cells[3][4] = {{NUMBERS(0), NUMBERS(1), NUMBERS(1), NUMBERS(1)},
                                        {NUMBERS(1), NUMBERS(1), NUMBERS(3), NUMBERS(2)},
                                        {NUMBERS(2), NUMBERS(1), NUMBERS((double)INFINITY), NUMBERS(3)}};
  thud_test_write_record(context, "plain.h5", NULL, &layout, 3, cells[0], 0, NULL);
  thud_picture *picture = thud_test_picture(context, "plain.h5", (thud_plot_choice){0});
  assert_int_equal(thud_picture_figure(picture)->panel_count, 1);
  ASSERT_SERIES(thud_test_panel(picture, 0, "level", "", 1), 0, "level", THUD_PLOT_LINE, 0, 1, 1, 2, 1, 3, 2, 3);
  thud_picture_destroy(picture);
  thud_test_refuse_picture(context, "plain.h5", (thud_plot_choice){.panels = "impulse"}, THUD_ERROR_NOT_FOUND,
                           "record 'plain' has no panel 'impulse'; there are level, flag, level_left");
  thud_record_layout timeless = {.count = {1, 0}, .channels = {frames + 1, NULL}};
  thud_test_write_record(context, "timeless.h5", NULL, &timeless, 1, &cells[0][1], 0, NULL);
  thud_test_refuse_picture(context, "timeless.h5", (thud_plot_choice){0}, THUD_ERROR_FORMAT,
                           "timeless.h5: the record has no channel of times");
  thud_test_write_record(context, "empty.h5", NULL, &layout, 0, cells[0], 0, NULL);
  thud_test_refuse_picture(context, "empty.h5", (thud_plot_choice){0}, THUD_ERROR_FORMAT,
                           "empty.h5: the record holds no frames to draw");
  thud_test_context_end(context);
}

/* Equal values of two components with names, and of two records, are drawn side by side around the value. */
static void named_values_do_not_hide_each_other(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const char *const ab[] = {"a", "b"}, *const modes[] = {"off", "on"};
  const thud_record_channel frames[] = {{.name = "t", .width = 1, .role = "time"},
                                        {.name = "mode",
                                         .type = THUD_RECORD_SMALL,
                                         .width = 2,
                                         .components = ab,
                                         .look = THUD_LOOK_POINT,
                                         .label_count = 2,
                                         .labels = modes},
                                        {.name = "x", .width = 1}};
  const thud_record_layout layout = {.count = {3, 0}, .channels = {frames, NULL}};
  const thud_record_cell cells[2][3] = {{NUMBERS(0), NUMBERS(1, 1), NUMBERS(0)},
                                        {NUMBERS(1), NUMBERS(0, 1), NUMBERS(1)}};
  thud_test_write_record(context, "one.h5", NULL, &layout, 2, cells[0], 0, NULL);
  thud_test_write_record(context, "two.h5", NULL, &layout, 2, cells[0], 0, NULL);
  thud_picture *picture = thud_test_picture(context, "one.h5", (thud_plot_choice){.panels = "mode"});
  const thud_plot_series *series = thud_test_panel(picture, 0, "mode", "", 2)->series;
  thud_assert_near(series[0].y[0] + series[1].y[0], 2, 1e-15);
  thud_assert_greater(series[0].y[0], series[1].y[0]);
  thud_assert_less(series[0].y[0], 1.25);
  thud_picture_destroy(picture);
  const char *paths[] = {thud_test_path("one.h5"), thud_test_path("two.h5")};
  const thud_plot_choice both = {.panels = "mode,x"};
  assert_int_equal(thud_picture_create(context, 2, paths, &both, &picture), THUD_OK);
  series = thud_test_panel(picture, 0, "mode", "", 4)->series;
  for (int k = 1; k < 4; k++) thud_assert_less(series[k].y[0], series[k - 1].y[0]);
  series = thud_test_panel(picture, 1, "x", "", 2)->series;
  assert_int_equal(series[0].dash, THUD_PLOT_SOLID);
  assert_int_equal(series[1].dash, THUD_PLOT_DASHED);
  thud_picture_destroy(picture);
  thud_test_context_end(context);
}

static void what_cannot_be_drawn_is_refused_with_what_can(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  write_rows(context);
  thud_test_refuse_picture(
      context, "rows.h5", (thud_plot_choice){.panels = "x,word"}, THUD_ERROR_NOT_FOUND,
      "record 'rows' has no panel 'word'; there are x, force, impulse, length, x_left, mode, push, struck, "
      "hit, gauge, who, load, pairs, kind, kick");
  thud_test_refuse_picture(context, "rows.h5", (thud_plot_choice){.panels = "x,x,x,x,x,x,x,x,x"}, THUD_ERROR_ARGUMENT,
                           "at most 8 panels fit into one picture");
  thud_test_refuse_picture(context, "rows.h5", (thud_plot_choice){.panels = ""}, THUD_ERROR_NOT_FOUND,
                           "there is nothing to draw in");
  thud_test_refuse_picture(context, "missing.h5", (thud_plot_choice){0}, THUD_ERROR_FILE, "missing.h5");
  thud_test_context_end(context);
}

/* The curve of the arcs alone, or panels of both records. */
static thud_error make_one(thud_context *context, void *user) {
  const thud_plot_choice *choice = user;
  const char *paths[] = {thud_test_path("arcs.h5"), thud_test_path("rows.h5")};
  thud_picture *picture = NULL;
  thud_error error = thud_picture_create(context, choice->phase != NULL ? 1 : 2, paths, choice, &picture);
  if (error == THUD_OK) thud_picture_destroy(picture);
  return error;
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  write_rows(context);
  write_arcs(context);
  thud_test_context_end(context);
  thud_plot_choice panels = {.panels = "x,q,v,force,impulse,load", .title = "T"};
  thud_assert_greater(thud_test_sweep_allocations(make_one, &panels), 20);
  thud_plot_choice plane = {.phase = "y',x"};
  thud_assert_greater(thud_test_sweep_allocations(make_one, &plane), 20);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, thud_test_folder_make, thud_test_folder_remove)

/* fontconfig keeps patterns for the life of the process. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig"; }

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(state_reactions_and_impulses_are_drawn_by_themselves),
      TEST(every_look_has_its_shape),
      TEST(series_are_evaluated_and_their_slopes_are_a_panel),
      TEST(planes_of_any_two_components_of_the_state),
      TEST(components_are_chosen_and_keep_their_colours),
      TEST(several_records_share_their_panels),
      TEST(records_without_a_state_show_their_first_channels),
      TEST(named_values_do_not_hide_each_other),
      TEST(what_cannot_be_drawn_is_refused_with_what_can),
      TEST(every_failing_allocation_is_reported_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
