/* Drawings on paper: dots of the pictures are what the formulas say. */
#include "failing_allocator.h"
#include "image_dots.h"
#include "plot/drawing.h"
#include "testing.h"

#include <cairo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double from_front[2] = {-90, 0}; /* x to the right, z upwards */

/* ---- drawings made by hand --------------------------------------------------------------------------------------------- */

static thud_drawing *begin(thud_context *context, thud_drawing_panel panel) {
  thud_drawing *drawing = NULL;
  assert_int_equal(thud_drawing_create(context, &drawing), THUD_OK);
  assert_int_equal(thud_drawing_add_panel(drawing, &panel), THUD_OK);
  return drawing;
}

static void add(thud_drawing *drawing, thud_mark mark) { assert_int_equal(thud_drawing_add(drawing, &mark), THUD_OK); }

/* A page of one drawing whose panels show [low, high]; longest vectors of forces are 2 long. */
typedef struct toy {
  drawn_view view;
  drawn_sheet page;
  thud_film_room rooms[2];
} toy;

static thud_error make(toy *made, const thud_drawing *drawing, const double angles[2], const double low[3],
                       const double high[3]) {
  const drawn_picture picture = {.drawing = drawing, .t = 0.25};
  const drawn_title title = {.title = "Toy", .time_unit = "s"};
  thud_context *context = made->view.context;
  size_t panels = thud_drawing_panel_count(drawing);
  for (size_t p = 0; p < panels; p++) {
    made->rooms[p] = (thud_film_room){.longest = {[THUD_PAINT_FORCE] = 2}};
    memcpy(made->rooms[p].low, low, sizeof made->rooms[p].low);
    memcpy(made->rooms[p].high, high, sizeof made->rooms[p].high);
  }
  made->page = (drawn_sheet){.context = context};
  thud_drawn_view_begin(context, angles, &made->view);
  thud_error error = thud_drawn_view_add_rooms(&made->view, panels, made->rooms);
  if (error != THUD_OK) return error;
  thud_drawn_view_scale(&made->view, drawing);
  thud_drawn_view_add(&made->view, drawing);
  return thud_drawn_sheet_make(&made->view, 1, &picture, &title, 50, &made->page);
}

static void release(toy *made) {
  thud_drawn_sheet_release(&made->page);
  thud_drawn_view_end(&made->view);
}

/* ---- images ------------------------------------------------------------------------------------------------------------ */

enum { DPI = 100 };

static cairo_surface_t *draw(thud_context *context, const thud_drawing *drawing, const double angles[2],
                             const double low[3], const double high[3]) {
  toy made = {.view = {.context = context}};
  cairo_surface_t *image = NULL;
  thud_plot_options options = thud_plot_options_default();
  options.width = options.height = 4;
  options.dpi = DPI;
  assert_int_equal(make(&made, drawing, angles, low, high), THUD_OK);
  assert_int_equal(thud_plot_draw_sheet(context, &made.page.sheet, &options, &image), THUD_OK);
  cairo_surface_flush(image);
  release(&made);
  return image;
}

/* The box around the dots that are red (palette 2, vermilion; paint of forces) or blue, and their number and middle. */
typedef struct patch {
  int left, right, top, bottom, count;
  double x, y;
} patch;

typedef bool (*is_part_fn)(const int rgb[3]);
static bool is_red(const int rgb[3]) { return rgb[0] > rgb[2] + 40; }
static bool is_blue(const int rgb[3]) { return rgb[2] > rgb[0] + 40; }

static patch find(cairo_surface_t *image, is_part_fn is_part) {
  patch found = {.left = 1 << 20, .top = 1 << 20, .right = -1, .bottom = -1};
  for (int y = 0; y < cairo_image_surface_get_height(image); y++)
    for (int x = 0; x < cairo_image_surface_get_width(image); x++) {
      int rgb[3];
      thud_test_dot(image, x, y, rgb);
      if (!is_part(rgb)) continue;
      if (x < found.left) found.left = x;
      if (x > found.right) found.right = x;
      if (y < found.top) found.top = y;
      found.bottom = y;
      found.count++;
      found.x += x + 0.5;
      found.y += y + 0.5;
    }
  if (found.count > 0) found.x /= found.count, found.y /= found.count;
  return found;
}

static double width_of(patch p) { return p.right - p.left + 1; }
static double height_of(patch p) { return p.bottom - p.top + 1; }

/* ---- marks ------------------------------------------------------------------------------------------------------------- */

static const double low[3] = {-2, -2, -2}, high[3] = {2, 2, 2};

/* Two small red boxes whose middles are at (-1.5, 0.5) and (1.5, 0.5), from -1.55 to 1.55. */
static void add_ruler(thud_drawing *drawing) {
  static const double boxes[10] = {-1.5, 0.5, 0.1, 0.1, 0, 1.5, 0.5, 0.1, 0.1, 0};
  add(drawing,
      (thud_mark){.kind = THUD_MARK_BOX, .colour = 2, .width = 0.1, .filled = true, .count = 2, .numbers = boxes});
}

/* Dots per length by the ruler. */
static double unit_of(patch ruler) { return width_of(ruler) / 3.1; }

static void a_circle_covers_its_area_around_its_centre(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_drawing *drawing = begin(context, (thud_drawing_panel){.x_unit = "m"});
  const double circle[8] = {0, 0.5, 1, NAN, NAN, 0, 1, 0}; /* the second one has no place */
  add_ruler(drawing);
  add(drawing,
      (thud_mark){.kind = THUD_MARK_CIRCLE, .colour = 1, .width = 0.1, .filled = true, .count = 2, .numbers = circle});
  cairo_surface_t *image = draw(context, drawing, from_front, low, high);
  patch red = find(image, is_red), blue = find(image, is_blue);
  double unit = unit_of(red);
  thud_assert_greater(unit, 40);
  assert_true(fabs(width_of(blue) - 2 * unit) <= 3 && fabs(height_of(blue) - 2 * unit) <= 3);
  assert_true(fabs(blue.count - pi * unit * unit) < 0.03 * pi * unit * unit);
  assert_true(fabs(blue.x - red.x) < 1 && fabs(blue.y - red.y) < 1);
  cairo_surface_destroy(image);
  thud_drawing_destroy(drawing);
  thud_test_context_end(context);
}

/* How much darker the dots from the centre outwards are than those on the other side: the radius at the angle. */
static void a_circle_shows_how_it_has_turned(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int quarter = 0; quarter < 4; quarter++) {
    thud_drawing *drawing = begin(context, (thud_drawing_panel){.x_unit = "m"});
    const double circle[4] = {0, 0, 1.5, 0.5 * pi * quarter};
    add(drawing, (thud_mark){.kind = THUD_MARK_CIRCLE, .colour = 1, .filled = true, .count = 1, .numbers = circle});
    cairo_surface_t *image = draw(context, drawing, from_front, low, high);
    patch blue = find(image, is_blue);
    int step = (int)(0.25 * width_of(blue)), marked[3], other[3];
    int u = quarter == 0 ? step : quarter == 2 ? -step : 0, v = quarter == 1 ? -step : quarter == 3 ? step : 0;
    int x = (int)floor(0.5 * (blue.left + blue.right)), y = (int)floor(0.5 * (blue.top + blue.bottom));
    thud_test_dot(image, x + u, y + v, marked);
    thud_test_dot(image, x - u, y - v, other);
    assert_true(marked[0] + 40 < other[0]);
    cairo_surface_destroy(image);
    thud_drawing_destroy(drawing);
  }
  thud_test_context_end(context);
}

/* Length on paper of a horizontal arrow, in lengths of the panel. */
static double arrow_length(thud_context *context, thud_paint paint, double vector) {
  thud_drawing *drawing = begin(context, (thud_drawing_panel){.x_unit = "m"});
  const double arrow[4] = {-1, -1, vector, 0};
  add_ruler(drawing);
  add(drawing, (thud_mark){.kind = THUD_MARK_ARROW, .paint = paint, .colour = 1, .count = 1, .numbers = arrow});
  cairo_surface_t *image = draw(context, drawing, from_front, low, high);
  double length = width_of(find(image, is_blue)) / unit_of(find(image, is_red));
  cairo_surface_destroy(image);
  thud_drawing_destroy(drawing);
  return length;
}

static void forces_are_as_long_as_their_share_of_the_longest(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double whole = arrow_length(context, THUD_PAINT_FORCE, 2), half = arrow_length(context, THUD_PAINT_FORCE, 1);
  assert_true(fabs(whole - 0.16 * 4) < 0.05); /* of the size of the panel */
  assert_true(fabs(half - 0.5 * whole) < 0.05);
  assert_true(fabs(arrow_length(context, THUD_PAINT_BODY, 1.5) - 1.5) < 0.05); /* as long as it is */
  thud_test_context_end(context);
}

/* Tips of arrows belong to the room, also where x and y have other scales. */
static void tips_of_arrows_are_measured(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_drawing *drawing = begin(context, (thud_drawing_panel){.axes = true, .stretched = true});
  const double arrow[4] = {0, 100, 0, 2}, lowest[3] = {0, 0, 0}, highest[3] = {1, 100, 0};
  toy made = {.view = {.context = context}};
  add(drawing, (thud_mark){.kind = THUD_MARK_ARROW, .paint = THUD_PAINT_FORCE, .count = 1, .numbers = arrow});
  assert_int_equal(make(&made, drawing, from_front, lowest, highest), THUD_OK);
  assert_true(fabs(made.view.rooms[0].high[1] - 116) < 1e-9);
  assert_true(made.view.rooms[0].high[0] == 1 && made.view.rooms[0].low[1] == 0);
  release(&made);
  thud_drawing_destroy(drawing);
  thud_test_context_end(context);
}

static void lines_are_interrupted_where_a_point_is_missing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_drawing *drawing = begin(context, (thud_drawing_panel){.x_unit = "m"});
  const double line[10] = {-1, 0, -0.5, 0, NAN, 0, 0.5, 0, 1, 0};
  add_ruler(drawing);
  add(drawing, (thud_mark){.kind = THUD_MARK_LINE, .colour = 1, .width = 3, .count = 5, .numbers = line});
  cairo_surface_t *image = draw(context, drawing, from_front, low, high);
  patch blue = find(image, is_blue);
  double unit = unit_of(find(image, is_red));
  int middle[3];
  assert_true(fabs(width_of(blue) - 2 * unit) <= 2);
  assert_true(fabs(blue.count - unit * height_of(blue)) < 0.1 * unit * height_of(blue)); /* half of the way */
  thud_test_dot(image, (int)blue.x, (int)blue.y, middle);
  assert_true(middle[0] == 255 && middle[1] == 255 && middle[2] == 255);
  cairo_surface_destroy(image);
  thud_drawing_destroy(drawing);
  thud_test_context_end(context);
}

/* ---- surfaces ---------------------------------------------------------------------------------------------------------- */

static double lightness(const int rgb[3]) { return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]; }

/* A square whose values grow with x: the colours grow lighter from left to right, from the first to the last of the scale.
 */
static void colours_of_surfaces_follow_their_values(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_drawing *drawing = begin(context, (thud_drawing_panel){.axes = false});
  const double corners[12] = {-2, -2, -7, 2, -2, 5, 2, 2, 5, -2, 2, -7};
  const thud_index triangles[6] = {0, 1, 2, 0, 2, 3};
  add(drawing, (thud_mark){.kind = THUD_MARK_SURFACE,
                           .count = 4,
                           .numbers = corners,
                           .triangle_count = 2,
                           .triangles = triangles,
                           .value_unit = "Pa"});
  cairo_surface_t *image = draw(context, drawing, from_front, low, high);
  int y = cairo_image_surface_get_height(image) / 2, count = 0;
  double last = -1;
  for (int x = 0; x < cairo_image_surface_get_width(image); x++) {
    int rgb[3];
    thud_test_dot(image, x, y, rgb);
    bool coloured = abs(rgb[0] - rgb[2]) > 12 || abs(rgb[1] - rgb[0]) > 12;
    if (!coloured && count > 0) break; /* the right side of the square; the bar stands behind it */
    if (!coloured) continue;
    assert_true(lightness(rgb) >= last - 1.5); /* triangles of one colour each */
    if (last < 0) assert_true(lightness(rgb) < 40);
    last = lightness(rgb);
    count++;
  }
  assert_true(count > 150 && last > 200);
  cairo_surface_destroy(image);
  thud_drawing_destroy(drawing);
  thud_test_context_end(context);
}

static void a_single_value_has_a_colour_in_the_middle(void **state) {
  (void)state;
  const drawn_room room = {.low_value = 3, .high_value = 3};
  const field_scale scale = thud_drawn_values(&room);
  double middle[3], expected[3];
  thud_field_colour(&scale, 3, middle);
  thud_field_colour(&(field_scale){.low = 0, .high = 1}, 0.5, expected);
  for (int c = 0; c < 3; c++) assert_true(fabs(middle[c] - expected[c]) < 1e-12);
}

/* ---- space ------------------------------------------------------------------------------------------------------------- */

/* From the front the ball at y = -1 is before that at y = 1, whatever their order. */
static void what_is_near_hides_what_is_far(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int order = 0; order < 2; order++) {
    thud_drawing *drawing = begin(context, (thud_drawing_panel){.space = true, .x_unit = "m"});
    const double balls[2][4] = {{0, -1, 0, 0.6}, {0, 1, 0, 1.2}}; /* the near one is smaller */
    for (int k = 0; k < 2; k++) {
      int ball = order == 0 ? k : 1 - k;
      add(drawing, (thud_mark){.kind = THUD_MARK_CIRCLE, .colour = 1 + ball, .count = 1, .numbers = balls[ball]});
    }
    cairo_surface_t *image = draw(context, drawing, from_front, low, high);
    patch red = find(image, is_red), blue = find(image, is_blue);
    assert_true(fabs(width_of(red) / width_of(blue) - 2) < 0.05);
    assert_true(fabs((red.left + red.right) / 2.0 - (blue.left + blue.right) / 2.0) <= 1);
    assert_true(red.count < 0.8 * pi / 4 * width_of(red) * width_of(red)); /* a ring is left of it */
    cairo_surface_destroy(image);
    thud_drawing_destroy(drawing);
  }
  thud_test_context_end(context);
}

/* Flat surfaces with heights of 0.01 become as high as the picture needs, round what is not stretched stays. */
static void heights_are_stretched_where_that_is_asked_for(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double flat_low[3] = {0, 0, 0}, flat_high[3] = {2, 1, 0.01};
  for (int stretched = 0; stretched < 2; stretched++) {
    thud_drawing *drawing = begin(context, (thud_drawing_panel){.space = true, .stretched = stretched == 1});
    toy made = {.view = {.context = context}};
    double x[2], y[2];
    assert_int_equal(make(&made, drawing, from_front, flat_low, flat_high), THUD_OK);
    thud_drawn_view_frame(&made.view, drawing, 0, x, y);
    assert_true(fabs(x[1] - x[0] - 2) < 1e-12);
    assert_true(fabs(y[1] - y[0] - (stretched == 1 ? 0.35 * 2 : 0.01)) < 1e-12);
    release(&made);
    thud_drawing_destroy(drawing);
  }
  thud_test_context_end(context);
}

/* ---- pages ------------------------------------------------------------------------------------------------------------- */

/* Every mark, in the plane and in space. */
static thud_drawing *everything(thud_context *context) {
  thud_drawing *drawing =
      begin(context, (thud_drawing_panel){.title = "plane", .axes = true, .x_label = "x", .x_unit = "m"});
  static const double points[4] = {-1, -1, 1, 1}, circle[4] = {0, 0, 0.5, 1}, box[5] = {1, 0, 0.5, 0.3, 0.4};
  static const double pair[4] = {-1.5, 1, 1, 0.2}, corners[9] = {-1, -1.5, 0, 0, -1.5, 1, 0, -1, 2};
  static const double space[12] = {-1, -1, 0, 1, 1, 0.5, 0.5, 0.2, 0.4, 1, 0, 0},
                      mesh[12] = {0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 2};
  static const thud_index triangle[3] = {0, 1, 2};
  add(drawing, (thud_mark){.kind = THUD_MARK_POINTS, .label = "points", .count = 2, .numbers = points});
  add(drawing,
      (thud_mark){
          .kind = THUD_MARK_LINE, .paint = THUD_PAINT_OBSTACLE, .label = "wall", .count = 2, .numbers = points});
  add(drawing,
      (thud_mark){.kind = THUD_MARK_AREA, .paint = THUD_PAINT_SET, .filled = true, .count = 2, .numbers = points});
  add(drawing, (thud_mark){.kind = THUD_MARK_CIRCLE, .filled = true, .label = "ball", .count = 1, .numbers = circle});
  add(drawing, (thud_mark){.kind = THUD_MARK_BOX, .dashed = true, .label = "ball", .count = 1, .numbers = box});
  add(drawing, (thud_mark){.kind = THUD_MARK_SPRING, .paint = THUD_PAINT_GUIDE, .count = 1, .numbers = pair});
  add(drawing,
      (thud_mark){.kind = THUD_MARK_ARROW, .paint = THUD_PAINT_FORCE, .label = "force", .count = 1, .numbers = pair});
  add(drawing, (thud_mark){.kind = THUD_MARK_TEXT, .text = "here", .count = 1, .numbers = points});
  add(drawing,
      (thud_mark){
          .kind = THUD_MARK_SURFACE, .count = 3, .numbers = corners, .triangle_count = 1, .triangles = triangle});
  const thud_drawing_panel other = {.title = "space", .space = true, .x_unit = "m"};
  assert_int_equal(thud_drawing_add_panel(drawing, &other), THUD_OK);
  add(drawing, (thud_mark){.kind = THUD_MARK_LINE, .count = 3, .numbers = space});
  add(drawing, (thud_mark){.kind = THUD_MARK_AREA, .filled = true, .count = 3, .numbers = space});
  add(drawing, (thud_mark){.kind = THUD_MARK_CIRCLE, .filled = true, .count = 1, .numbers = space});
  add(drawing, (thud_mark){.kind = THUD_MARK_SPRING, .count = 1, .numbers = space});
  add(drawing, (thud_mark){.kind = THUD_MARK_ARROW, .paint = THUD_PAINT_VELOCITY, .count = 1, .numbers = space});
  add(drawing, (thud_mark){.kind = THUD_MARK_TEXT, .text = "there", .count = 1, .numbers = space});
  add(drawing,
      (thud_mark){.kind = THUD_MARK_SURFACE, .count = 3, .numbers = mesh, .triangle_count = 1, .triangles = triangle});
  return drawing;
}

/* Labels stand in the legend once each; panels have their titles, the page that of the record with the time. */
static void pages_have_titles_and_a_legend(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_drawing *drawing = everything(context);
  toy made = {.view = {.context = context}};
  assert_int_equal(make(&made, drawing, from_front, low, high), THUD_OK);
  assert_int_equal(made.page.sheet.count, 2);
  assert_string_equal(made.page.heading, "Toy, t = 0.25 s");
  assert_string_equal(made.page.figures[1].title, "space");
  assert_int_equal(made.page.legend.count, 4);
  assert_string_equal(made.page.legend.marks[2]->label, "ball");
  assert_true(made.page.sheet.footer_height > 1 &&
              thud_drawn_legend_height(&made.page.legend, 12) > made.page.sheet.footer_height);
  release(&made);
  thud_drawing_destroy(drawing);
  thud_test_context_end(context);
}

static bool is_dark(const int rgb[3]) { return rgb[0] < 60 && rgb[1] < 60 && rgb[2] < 60; }

/* A single panel leaves the heading above it and the legend below it as they are: 1.8 and 1.55 + 0.5 sizes of the font. */
static void a_single_panel_has_its_heading_and_legend(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_drawing *drawing = begin(context, (thud_drawing_panel){.stretched = true});
  const double place[2] = {0, 0};
  add(drawing, (thud_mark){.kind = THUD_MARK_POINTS, .colour = 7, .label = "here", .count = 1, .numbers = place});
  cairo_surface_t *image = draw(context, drawing, from_front, low, high);
  patch dark = find(image, is_dark);
  double line = 9.0 * DPI / 72, height = cairo_image_surface_get_height(image);
  assert_true(dark.top < 1.8 * line);
  assert_true(dark.bottom > height - 2.05 * line);
  cairo_surface_destroy(image);
  thud_drawing_destroy(drawing);
  thud_test_context_end(context);
}

static thud_error draw_everything(thud_context *context, void *user) {
  toy made = {.view = {.context = context}};
  cairo_surface_t *image = NULL;
  thud_plot_options options = thud_plot_options_default();
  options.width = options.height = 1;
  options.dpi = 40;
  thud_error error = make(&made, user, from_front, low, high);
  if (error == THUD_OK) error = thud_plot_draw_sheet(context, &made.page.sheet, &options, &image);
  if (image != NULL) cairo_surface_destroy(image);
  release(&made);
  return error;
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_drawing *drawing = everything(context);
  thud_assert_greater(thud_test_sweep_allocations(draw_everything, drawing), 10);
  thud_drawing_destroy(drawing);
  thud_test_context_end(context);
}

/* fontconfig keeps patterns for the life of the process. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig"; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_circle_covers_its_area_around_its_centre),
      cmocka_unit_test(a_circle_shows_how_it_has_turned),
      cmocka_unit_test(forces_are_as_long_as_their_share_of_the_longest),
      cmocka_unit_test(tips_of_arrows_are_measured),
      cmocka_unit_test(lines_are_interrupted_where_a_point_is_missing),
      cmocka_unit_test(colours_of_surfaces_follow_their_values),
      cmocka_unit_test(a_single_value_has_a_colour_in_the_middle),
      cmocka_unit_test(what_is_near_hides_what_is_far),
      cmocka_unit_test(heights_are_stretched_where_that_is_asked_for),
      cmocka_unit_test(pages_have_titles_and_a_legend),
      cmocka_unit_test(a_single_panel_has_its_heading_and_legend),
      cmocka_unit_test(every_failing_allocation_is_reported_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
