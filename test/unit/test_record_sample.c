/* Values of records at any time, by the looks of their channels, and their CSV. */
#include "events.h"
#include "failing_allocator.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static thud_record_writer *create(thud_context *context, size_t count, const thud_record_channel *channels,
                                  const thud_record_layout *events) {
  thud_record_options options = thud_record_options_default();
  options.overwrite = true;
  options.chunk_rows = 7;
  const thud_record_layout layout = {
      .count = {count, events != NULL ? events->count[THUD_RECORD_EVENTS] : 0},
      .channels = {channels, events != NULL ? events->channels[THUD_RECORD_EVENTS] : NULL}};
  thud_record_writer *writer = NULL;
  if (thud_record_create(context, thud_test_path("a.h5"), &options, NULL, &layout, &writer) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  return writer;
}

static thud_record_reader *reopen(thud_context *context, thud_record_writer *writer) {
  thud_record_reader *reader = NULL;
  assert_int_equal(thud_record_close(writer, "good", NULL, NULL), THUD_OK);
  assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_OK);
  return reader;
}

static thud_record_sampler *sampler_of(thud_record_reader *reader, size_t count, const char *const *names) {
  thud_record_sampler *sampler = NULL;
  assert_int_equal(thud_record_sampler_create(reader, count, names, &sampler), THUD_OK);
  return sampler;
}

static void assert_same(double value, double expected) {
  if (isnan(expected))
    assert_true(isnan(value));
  else
    thud_test_assert_near(value, expected, 1e-13 * (1 + fabs(expected)));
}

/* One column at one time. */
static void assert_limits(thud_record_sampler *sampler, double t, double left, double right) {
  double got[2][8], time = t;
  bool jumps;
  thud_assert_at_most(thud_record_sampler_width(sampler), 8);
  assert_int_equal(thud_record_sample(sampler, &time, got[0], got[1], &jumps), THUD_OK);
  assert_same(got[0][0], left);
  assert_same(got[1][0], right);
  thud_assert_equal(jumps, !(left == right || (isnan(left) && isnan(right))));
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

static const char *const constraints[2] = {"floor", "wall"};
static const char *const forces[3] = {"floor", "wall", "wall.t1"};
static const char *const modes[2] = {"open", "closed"};

enum { NODE_CHANNELS = 11, NODES = 6 };
static const thud_record_channel nodes[NODE_CHANNELS] = {
    {.name = "t", .width = 1, .unit = "s", .role = "time"},
    {.name = "step", .width = 1, .unit = "s", .role = "step", .look = THUD_LOOK_POINT},
    {.name = "q", .width = 1, .unit = "m", .role = "position", .state = true},
    {.name = "v_left", .width = 1, .unit = "m/s", .role = "velocity_left", .look = THUD_LOOK_POINT},
    {.name = "v", .width = 1, .unit = "m/s", .role = "velocity", .left = "v_left", .state = true},
    {.name = "reaction",
     .width = 3,
     .components = forces,
     .unit = "N s",
     .role = "reaction",
     .look = THUD_LOOK_IMPULSE,
     .atom = "atom"},
    {.name = "atom", .type = THUD_RECORD_SMALL, .width = 2, .components = constraints, .look = THUD_LOOK_POINT},
    {.name = "mode", .type = THUD_RECORD_SMALL, .width = 1, .look = THUD_LOOK_HOLD, .label_count = 2, .labels = modes},
    {.name = "flux", .width = 1, .look = THUD_LOOK_DENSITY},
    {.name = "word", .type = THUD_RECORD_TEXT, .look = THUD_LOOK_POINT},
    {.name = "list", .look = THUD_LOOK_POINT}};
static const thud_record_channel event_channels[1] = {{.name = "t", .width = 1, .role = "time"}};
static const thud_record_layout node_events = {.count = {0, 1}, .channels = {NULL, event_channels}};

/* t, step, q, v_left, v, floor, wall, wall.t1, atom of floor and wall, mode, flux; the impulses are those of a last
 * step of 0.25 when the rows are further apart. Nodes 3 and 4 share a time. */
static const double numbers[NODES][12] = {
    {0, 0, 1, -1, -1, 0, 0, 0, 0, 0, 0, 0},       {1, 0.25, 0, -1, 2, 0.5, 3, 4, 0, 1, 1, 5},
    {2, 0.25, 2, 1, 1, 1, 0.25, 0.5, 0, 0, 1, 6}, {3, 0.25, 3, 1, 1, 2, 0, 0, 0, 0, 0, 7},
    {3, 0.25, 5, -2, -3, 9, 9, 9, 1, 1, 1, 8},    {4, 0.25, 2, -4, -4, 1, 1, 1, 0, 0, 0, 9}};

static thud_record_reader *make_nodes(thud_context *context) {
  thud_record_writer *writer = create(context, NODE_CHANNELS, nodes, &node_events);
  for (size_t k = 0; k < NODES; k++) {
    const double *n = numbers[k];
    const thud_record_cell cells[NODE_CHANNELS] = {
        {.values = n, .count = 1},     {.values = n + 1, .count = 1},  {.values = n + 2, .count = 1},
        {.values = n + 3, .count = 1}, {.values = n + 4, .count = 1},  {.values = n + 5, .count = 3},
        {.values = n + 8, .count = 2}, {.values = n + 10, .count = 1}, {.values = n + 11, .count = 1},
        {.text = "w", .count = 1},     {.values = n, .count = k}};
    assert_int_equal(thud_record_append(writer, THUD_RECORD_FRAMES, cells), THUD_OK);
  }
  const double times[3] = {1, (double)NAN, 3};
  for (size_t k = 0; k < 3; k++) {
    const thud_record_cell cell = {.values = &times[k], .count = 1};
    assert_int_equal(thud_record_append(writer, THUD_RECORD_EVENTS, &cell), THUD_OK);
  }
  return reopen(context, writer);
}

static void nodes_are_joined_by_their_looks(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double t, left, right;
  } cases[] = {
      {"q", 0, 1, 1},        {"q", 0.25, 0.75, 0.75}, {"q", 3, 3, 5},          {"q", 3.5, 3.5, 3.5},
      {"q", 4, 2, 2},        {"v", 0.5, -1, -1},      {"v", 1, -1, 2},         {"v", 1.5, 1.5, 1.5},
      {"v", 3, 1, -3},       {"v", 3.5, -3.5, -3.5},  {"mode", 0, 0, 0},       {"mode", 0.5, 0, 0},
      {"mode", 1, 0, 1},     {"mode", 2.5, 1, 1},     {"mode", 3, 1, 1},       {"mode", 4, 1, 0},
      {"flux", 0, 5, 5},     {"flux", 0.5, 5, 5},     {"flux", 1, 5, 6},       {"flux", 3, 7, 9},
      {"flux", 3.5, 9, 9},   {"flux", 4, 9, 9},       {"reaction", 0.5, 2, 2}, {"reaction", 2, 4, 8},
      {"reaction", 3, 8, 4}, {"step", 0.5, NAN, NAN}, {"step", 1, 0.25, 0.25}, {"v_left", 3, 1, -2},
  };
  thud_context *context = thud_test_context(1);
  thud_record_reader *reader = make_nodes(context);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const char *name = cases[k].name;
    thud_record_sampler *sampler = sampler_of(reader, 1, &name);
    if (strcmp(name, "reaction") != 0) assert_limits(sampler, cases[k].t, cases[k].left, cases[k].right);
    double left[3], right[3], t = cases[k].t;
    bool jumps;
    assert_int_equal(thud_record_sample(sampler, &t, left, right, &jumps), THUD_OK);
    assert_same(left[0], cases[k].left);
    assert_same(right[0], cases[k].right);
    thud_record_sampler_destroy(sampler);
  }
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

/* Node 1: the wall's impulse and that of its friction are jumps, not forces. */
static void impulses_become_forces_except_where_they_are_jumps(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_record_reader *reader = make_nodes(context);
  const char *name = "reaction";
  thud_record_sampler *sampler = sampler_of(reader, 1, &name);
  double left[3], right[3], t = 1;
  bool jumps;
  assert_int_equal(thud_record_sample(sampler, &t, left, right, &jumps), THUD_OK);
  const double before[3] = {2, 0, 0}, after[3] = {4, 1, 2};
  for (size_t k = 0; k < 3; k++) {
    assert_same(left[k], before[k]);
    assert_same(right[k], after[k]);
  }
  assert_true(jumps);
  thud_record_column column = thud_record_sampler_column(sampler, 2);
  assert_string_equal(column.unit, "N");
  assert_string_equal(column.component, "wall.t1");
  assert_string_equal(column.channel->name, "reaction");
  assert_null(thud_record_sampler_column(sampler, 3).channel);
  thud_record_sampler_destroy(sampler);
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

/* A single mark is about all components; two marks of other names are about none of three. */
static void marks_are_about_their_components(void **state) {
  (void)state;
  static const char *const others[2] = {"roof", "door"};
  for (size_t width = 1; width <= 2; width++) {
    thud_context *context = thud_test_context(1);
    const thud_record_channel channels[] = {
        {.name = "t", .width = 1, .role = "time"},
        {.name = "force", .width = 3, .components = forces, .look = THUD_LOOK_DENSITY, .atom = "atom"},
        {.name = "atom", .width = width, .components = width == 2 ? others : NULL, .look = THUD_LOOK_POINT}};
    thud_record_writer *writer = create(context, 3, channels, NULL);
    for (int k = 0; k < 3; k++) {
      const double t = k, values[3] = {1 + k, 2 + k, 3 + k}, marks[2] = {k == 1, k == 1};
      const thud_record_cell cells[3] = {
          {.values = &t, .count = 1}, {.values = values, .count = 3}, {.values = marks, .count = width}};
      assert_int_equal(thud_record_append(writer, THUD_RECORD_FRAMES, cells), THUD_OK);
    }
    thud_record_reader *reader = reopen(context, writer);
    const char *name = "force";
    thud_record_sampler *sampler = sampler_of(reader, 1, &name);
    for (int k = 0; k < 2; k++) { /* within the interval that ends at row k + 1 */
      double left[3], right[3], t = k + 0.5;
      bool jumps;
      assert_int_equal(thud_record_sample(sampler, &t, left, right, &jumps), THUD_OK);
      for (int c = 0; c < 3; c++) assert_same(right[c], width == 1 && k == 0 ? 0 : 2 + k + c);
    }
    thud_record_sampler_destroy(sampler);
    thud_record_reader_destroy(reader);
    thud_test_context_end(context);
    thud_test_folder_empty();
  }
}

static void what_cannot_be_sampled_is_refused(void **state) {
  (void)state;
  static const char *const bad[] = {"word", "list", "nobody", "t", ""};
  thud_context *context = thud_test_context(1);
  thud_record_reader *reader = make_nodes(context);
  thud_record_sampler *sampler = NULL;
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    assert_int_equal(thud_record_sampler_create(reader, 1, &bad[k], &sampler), THUD_ERROR_NOT_FOUND);
    thud_test_message_has(context, bad[k], "there are: step, q, v_left, v, reaction", NULL);
    assert_null(sampler);
  }
  sampler = sampler_of(reader, 0, NULL);
  double left[2], right[2], start, end;
  bool jumps;
  thud_record_sampler_span(sampler, &start, &end);
  thud_assert_equal(start, 0);
  thud_assert_equal(end, 4);
  const double outside[] = {-1e-9, 4.0001, (double)NAN};
  for (size_t k = 0; k < 3; k++) {
    double t = outside[k];
    assert_int_equal(thud_record_sample(sampler, &t, left, right, &jumps), THUD_ERROR_ARGUMENT);
  }
  thud_record_sampler_destroy(sampler);
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

/* ---- many rows: any order of the times gives the same ------------------------------------------------------------ */

static void any_order_of_times_gives_the_same(void **state) {
  (void)state;
  enum { ROWS = 3000, ASKED = 4000 };
  static const thud_record_channel channels[2] = {{.name = "t", .width = 1, .role = "time"},
                                                  {.name = "x", .width = 1, .state = true}};
  thud_context *context = thud_test_context(1);
  thud_record_writer *writer = create(context, 2, channels, NULL);
  double t[ROWS], x[ROWS];
  thud_random random = thud_random_seed(4);
  for (size_t k = 0; k < ROWS; k++) {
    t[k] = k == 0 ? 0 : t[k - 1] + (thud_random_below(&random, 4) == 0 ? 0 : thud_random_uniform(&random, 0.1, 1));
    x[k] = thud_random_normal(&random);
    const thud_record_cell cells[2] = {{.values = &t[k], .count = 1}, {.values = &x[k], .count = 1}};
    assert_int_equal(thud_record_append(writer, THUD_RECORD_FRAMES, cells), THUD_OK);
  }
  thud_record_reader *reader = reopen(context, writer);
  thud_record_sampler *sampler = sampler_of(reader, 0, NULL);
  for (size_t k = 0; k < ASKED; k++) {
    double asked = k < 3 * ROWS / 4 ? t[k] : thud_random_uniform(&random, 0, t[ROWS - 1]);
    size_t first = 0, last;
    while (t[first] < asked) first++;
    for (last = first; last + 1 < ROWS && t[last + 1] == asked;) last++;
    if (t[first] == asked)
      assert_limits(sampler, asked, x[first], x[last]);
    else {
      double part = (asked - t[first - 1]) / (t[first] - t[first - 1]),
             value = x[first - 1] + part * (x[first] - x[first - 1]);
      assert_limits(sampler, asked, value, value);
    }
  }
  thud_record_sampler_destroy(sampler);
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

/* ---- arcs -------------------------------------------------------------------------------------------------------- */

static const char *const coordinates[2] = {"x", "y"}, *const velocities[2] = {"x'", "y'"};
enum { ARC_CHANNELS = 5 };
static const thud_record_channel arcs[ARC_CHANNELS] = {
    {.name = "t", .width = 1, .unit = "s", .role = "time"},
    {.name = "t_end", .width = 1, .unit = "s", .role = "end", .look = THUD_LOOK_POINT},
    {.name = "v_left", .width = 2, .components = velocities, .unit = "m/s", .look = THUD_LOOK_POINT},
    {.name = "q",
     .components = coordinates,
     .unit = "m",
     .look = THUD_LOOK_SERIES,
     .left = "v_left",
     .group = 2,
     .state = true},
    {.name = "reaction", .unit = "N", .look = THUD_LOOK_SERIES}};

static void append_arc(thud_record_writer *writer, const double span[2], const double *left, size_t powers,
                       const double *q, size_t count, const double *force) {
  const thud_record_cell cells[ARC_CHANNELS] = {{.values = span, .count = 1},
                                                {.values = span + 1, .count = 1},
                                                {.values = left, .count = 2},
                                                {.values = q, .count = 2 * powers},
                                                {.values = force, .count = count}};
  assert_int_equal(thud_record_append(writer, THUD_RECORD_FRAMES, cells), THUD_OK);
}

/* x = 1 - s^2 up to its impact at 1 with half of its velocity, then a gap in what is known, y = t throughout. */
static thud_record_reader *make_arcs(thud_context *context) {
  thud_record_writer *writer = create(context, ARC_CHANNELS, arcs, &node_events);
  const double spans[3][2] = {{0, 1}, {1, 1.5}, {1.75, 2}};
  const double left[3][2] = {{0, 1}, {-2, 1}, {0, 1}};
  const double first[6] = {1, 0, 0, 1, -1, 0}, second[8] = {0, 1, 1, 1, -1, 0, 0.5, 0}, third[4] = {0.25, 1.75, 0, 1};
  const double force[2] = {3, 1};
  append_arc(writer, spans[0], left[0], 3, first, 2, force);
  append_arc(writer, spans[1], left[1], 4, second, 0, NULL);
  append_arc(writer, spans[2], left[2], 2, third, 1, force);
  const double t = 1;
  const thud_record_cell cell = {.values = &t, .count = 1};
  assert_int_equal(thud_record_append(writer, THUD_RECORD_EVENTS, &cell), THUD_OK);
  return reopen(context, writer);
}

static void arcs_are_polynomials_with_derivatives(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_record_reader *reader = make_arcs(context);
  thud_record_sampler *sampler = sampler_of(reader, 0, NULL);
  static const char *const names[4] = {"x", "y", "x'", "y'"}, *const units[4] = {"m", "m", "m/s", "m/s"};
  assert_int_equal(thud_record_sampler_width(sampler), 4);
  for (size_t k = 0; k < 4; k++) {
    assert_string_equal(thud_record_sampler_column(sampler, k).component, names[k]);
    assert_string_equal(thud_record_sampler_column(sampler, k).unit, units[k]);
    thud_assert_equal(thud_record_sampler_column(sampler, k).derivative, (k >= 2));
  }
  const double cases[][9] = {{0, 1, 0, 0, 1, 1, 0, 0, 1},
                             {0.5, 0.75, 0.5, -1, 1, 0.75, 0.5, -1, 1},
                             {1, 0, 1, -2, 1, 0, 1, 1, 1},
                             {1.5, 0.3125, 1.5, 0.375, 1, 0.3125, 1.5, 0.375, 1},
                             {1.6, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
                             {1.75, 0.25, 1.75, 0, 1, 0.25, 1.75, 0, 1},
                             {2, 0.25, 2, 0, 1, 0.25, 2, 0, 1}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    double t = cases[k][0] * (1 + 4e-16), limits[8];
    bool jumps;
    if (t > 2) t = 2;
    assert_int_equal(thud_record_sample(sampler, &t, limits, limits + 4, &jumps), THUD_OK);
    for (size_t i = 0; i < 8; i++) assert_same(limits[i], cases[k][1 + i]);
    thud_assert_equal(jumps, (k == 2));
    if (k == 2) thud_assert_equal(t, 1); /* within rounding: the time of the row */
  }
  thud_record_sampler_destroy(sampler);
  const char *v = "v", *force = "reaction";
  sampler = sampler_of(reader, 1, &v);
  assert_int_equal(thud_record_sampler_width(sampler), 2);
  assert_limits(sampler, 1, -2, 1);
  thud_record_sampler_destroy(sampler);
  sampler = sampler_of(reader, 1, &force);
  assert_limits(sampler, 0, 3, 3);
  assert_limits(sampler, 0.5, 3.5, 3.5);
  assert_limits(sampler, 1, 4, NAN);
  assert_limits(sampler, 1.2, NAN, NAN);
  assert_limits(sampler, 2, 3, 3);
  thud_record_sampler_destroy(sampler);
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

static void assert_csv(thud_record_reader *reader, const thud_record_times *times, const char *expected) {
  char text[4096] = "";
  FILE *stream = fmemopen(text, sizeof text, "w");
  assert_non_null(stream);
  assert_int_equal(thud_record_write_motion_csv(reader, NULL, times, stream), THUD_OK);
  fclose(stream);
  assert_string_equal(text, expected);
}

static void motions_are_written_at_asked_times_and_at_events(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_record_reader *reader = make_nodes(context);
  assert_csv(reader, &(thud_record_times){.every = 2},
             "t [s],side,q [m],v [m/s]\n"
             "0,,1,-1\n"
             "1,-,0,-1\n1,+,0,2\n"
             "2,,2,1\n"
             "3,-,3,1\n3,+,5,-3\n"
             "4,,2,-4\n");
  const double at[3] = {1, 0.5, 0.5};
  const char *const names[2] = {"mode", "reaction"};
  assert_csv(reader, &(thud_record_times){.count = 3, .times = at, .name_count = 2, .names = names},
             "t [s],side,mode,reaction[floor] [N],reaction[wall] [N],reaction[wall.t1] [N]\n"
             "0.5,,open,2,0,0\n"
             "1,-,open,2,0,0\n1,+,closed,4,1,2\n");
  thud_record_reader_destroy(reader);
  reader = make_arcs(context);
  assert_csv(reader, &(thud_record_times){.every = 2},
             "t [s],side,x [m],y [m],x' [m/s],y' [m/s]\n"
             "0,,1,0,0,1\n"
             "1,-,0,1,-2,1\n1,+,0,1,1,1\n"
             "2,,0.25,2,0,1\n");
  const double outside = 3;
  assert_int_equal(thud_record_export_motion_csv(reader, NULL, &(thud_record_times){.count = 1, .times = &outside},
                                                 thud_test_path("no.csv")),
                   THUD_ERROR_ARGUMENT);
  assert_int_equal(
      thud_record_export_motion_csv(reader, NULL, &(thud_record_times){.every = 1e-12}, thud_test_path("no.csv")),
      THUD_ERROR_ARGUMENT);
  thud_record_reader_destroy(reader);
  assert_int_equal(thud_test_folder_files(), 1);
  thud_test_context_end(context);
}

static thud_error export_again(thud_context *context, void *user) {
  thud_record_reader *reader = NULL;
  thud_error error = thud_record_open(context, user, &reader);
  if (error != THUD_OK) return error;
  thud_record_csv_options options = thud_record_csv_options_default();
  options.overwrite = true;
  error = thud_record_export_motion_csv(reader, &options, &(thud_record_times){.every = 0.3}, thud_test_path("a.csv"));
  thud_record_reader_destroy(reader);
  return error;
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state) {
  (void)state;
  char path[4096];
  snprintf(path, sizeof path, "%s", thud_test_path("a.h5"));
  thud_context *context = thud_test_context(1);
  thud_record_reader_destroy(make_arcs(context));
  thud_test_context_end(context);
  thud_assert_greater(thud_test_sweep_allocations(export_again, path), 30);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, thud_test_folder_make, thud_test_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(nodes_are_joined_by_their_looks),
      TEST(impulses_become_forces_except_where_they_are_jumps),
      TEST(marks_are_about_their_components),
      TEST(what_cannot_be_sampled_is_refused),
      TEST(any_order_of_times_gives_the_same),
      TEST(arcs_are_polynomials_with_derivatives),
      TEST(motions_are_written_at_asked_times_and_at_events),
      TEST(every_failing_allocation_is_reported_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
