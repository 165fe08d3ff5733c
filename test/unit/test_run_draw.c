/* `draw` of scenes: marks at times of a record against the formulas of the motion, and what is refused. */
#include "failing_allocator.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/film.h"
#include "thud/run.h"

#include <stdio.h>
#include <string.h>

/* Falls from 1 with g = 2: strikes at t = 1 with -2, leaves with 1, strikes at t = 2. */
#define BALL                                                                                                           \
  "thud: 1\n"                                                                                                          \
  "parameters: {r: 0.25, load: 2}\n"                                                                                   \
  "data: {push: {breaks: [0.5], pieces: [1, 3]}}\n"                                                                    \
  "definitions: {top: z + 2*r}\n"                                                                                      \
  "system:\n"                                                                                                          \
  "  coordinates: [z]\n"                                                                                               \
  "  mass: [1]\n"                                                                                                      \
  "  potential_energy: load*z\n"                                                                                       \
  "  constraints: [{name: floor, gap: z, restitution: 0.5}]\n"                                                         \
  "initial: {z: 1}\n"                                                                                                  \
  "simulate: {method: event-driven, end: 1.75}\n"

static const char ball_scene[] =
    BALL "draw:\n"
         "  - line: {points: [[-1, 0], [1, 0], null, [2, 0]], paint: obstacle, width: 2*r, label: floor}\n"
         "  - circle: {at: [push, z + r], radius: r, angle: t}\n"
         "  - arrow: {at: [0, top], vector: [0, z']}\n"
         "  - trace: {at: [t, z], colour: 3, dashed: true}\n"
         "  - curve: {x: s, y: s^2 + z, for: s, from: -r, to: 3*r, segments: 4}\n"
         "  - box: {at: [0, z], size: [r, 1], when: z < 0.5, opacity: 0.5, filled: false}\n"
         "  - panel: {title: phase, axes: true, stretched: true, x_label: z, y_unit: m/s}\n"
         "  - points: {at: [z, z']}\n"
         "  - text: {at: [0, 0], text: rest}\n"
         "  - curve: {x: cos(s), y: sin(s), for: s, from: 0, to: 2*pi, filled: true}\n";

typedef struct drawn {
  thud_context *context;
  thud_record_reader *reader;
  thud_scene *scene;
  thud_film *film;
} drawn;

static thud_error build(thud_context *context, const char *text, thud_scene **scene) {
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_text(context, "scene", text, strlen(text), &tree);
  if (error == THUD_OK) error = thud_scene_build(context, tree, scene);
  thud_tree_destroy(tree);
  return error;
}

static void record(thud_context *context, const char *text, const char *path) {
  thud_scene *scene = NULL;
  thud_run_result result = {0};
  thud_run_options options = thud_run_options_default();
  options.record = path;
  options.overwrite = true;
  if (build(context, text, &scene) != THUD_OK || thud_scene_run(scene, &options, &result) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
}

static thud_error open_film(thud_context *context, const char *path, int frames, drawn *made) {
  thud_film_options options = thud_film_options_default();
  options.most_frames = frames;
  made->context = context;
  thud_error error = thud_record_open(context, path, &made->reader);
  if (error == THUD_OK) error = thud_film_build_scene(context, made->reader, &made->scene);
  return error == THUD_OK ? thud_film_create(made->reader, made->scene, &options, &made->film) : error;
}

static void close_film(drawn *made) {
  thud_film_destroy(made->film);
  thud_scene_destroy(made->scene);
  thud_record_reader_destroy(made->reader);
}

static drawn draw(const char *text, int frames) {
  drawn made = {0};
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("drawn.h5");
  record(context, text, path);
  if (open_film(context, path, frames, &made) != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  return made;
}

static void end(drawn *made) {
  close_film(made);
  thud_test_context_end(made->context);
}

static const thud_drawing *frame_of(drawn *made, size_t frame) {
  const thud_drawing *drawing = NULL;
  if (thud_film_draw(made->film, frame, &drawing) != THUD_OK) fail_msg("%s", thud_context_last_message(made->context));
  return drawing;
}

static const double *numbers_of(const thud_drawing *drawing, size_t mark, thud_mark_kind kind, size_t count) {
  const thud_mark *found = thud_drawing_mark_at(drawing, mark, NULL);
  assert_int_equal(found->kind, kind);
  thud_assert_equal(found->count, count);
  return found->numbers;
}

/* Height and velocity of the flights; side matters at the impact only. */
static void fly(double t, int side, double *z, double *v) {
  bool after = t > 1 || (t == 1 && side >= 0);
  double s = t - 1;
  *z = after ? s - s * s : 1 - t * t;
  *v = after ? 1 - 2 * s : -2 * t;
}

static void check_trace(const thud_mark *trace, double t) {
  double z, v, last = -1;
  thud_assert_greater(trace->count, 0);
  thud_assert_equal(trace->colour, 3);
  assert_true(trace->dashed);
  for (size_t k = 0; k < trace->count; k++) {
    fly(trace->numbers[2 * k], 1, &z, &v);
    thud_assert_near(trace->numbers[2 * k + 1], z, 1e-12);
    thud_assert_at_least(trace->numbers[2 * k], last);
    last = trace->numbers[2 * k];
  }
  thud_assert_equal(last, t);
  thud_assert_at_least((double)trace->count, 200 * t);
}

static void check_ball(drawn *made, size_t frame) {
  int side;
  double z, v, t = thud_film_time(made->film, frame, &side);
  const thud_drawing *drawing = frame_of(made, frame);
  const double r = 0.25, *numbers;
  fly(t, side, &z, &v);
  const double circle[] = {t < 0.5 || (t == 0.5 && side < 0) ? 1 : 3, z + r, r, t}, arrow[] = {0, z + 2 * r, 0, v};
  numbers = numbers_of(drawing, 1, THUD_MARK_CIRCLE, 1);
  for (size_t k = 0; k < 4; k++) thud_assert_near(numbers[k], circle[k], 1e-12);
  numbers = numbers_of(drawing, 2, THUD_MARK_ARROW, 1);
  for (size_t k = 0; k < 4; k++) thud_assert_near(numbers[k], arrow[k], 1e-12);
  check_trace(thud_drawing_mark_at(drawing, 3, NULL), t);
  numbers = numbers_of(drawing, 4, THUD_MARK_LINE, 5);
  for (size_t k = 0; k < 5; k++) {
    double s = r * ((double)k - 1);
    thud_assert_near(numbers[2 * k], s, 1e-15);
    thud_assert_near(numbers[2 * k + 1], s * s + z, 1e-12);
  }
  if (fabs(z - 0.5) > 1e-9) numbers_of(drawing, 5, THUD_MARK_BOX, z < 0.5);
  numbers = numbers_of(drawing, 6, THUD_MARK_POINTS, 1);
  thud_assert_near(numbers[0], z, 1e-12);
  thud_assert_near(numbers[1], v, 1e-12);
}

static void marks_follow_the_record(void **state) {
  (void)state;
  drawn made = draw(ball_scene, 141);
  size_t frames = thud_film_frame_count(made.film), before = 0;
  for (size_t k = 0; k < frames; k++) {
    int side;
    double t = thud_film_time(made.film, k, &side);
    before += t == 1 && side < 0;
    check_ball(&made, k);
  }
  thud_assert_equal(before, 1);                           /* the impact has both limits */
  for (size_t k = frames; k-- > 0;) check_ball(&made, k); /* in any order */
  end(&made);
}

static void looks_are_those_of_the_scene(void **state) {
  (void)state;
  drawn made = draw(ball_scene, 10);
  const thud_drawing *drawing = frame_of(&made, 0);
  size_t panel;
  thud_assert_equal(thud_drawing_panel_count(drawing), 2);
  thud_assert_equal(thud_drawing_mark_count(drawing), 9);
  const thud_drawing_panel *phase = thud_drawing_panel_at(drawing, 1);
  assert_string_equal(phase->title, "phase");
  assert_string_equal(phase->x_label, "z");
  assert_string_equal(phase->y_unit, "m/s");
  assert_true(phase->axes);
  assert_true(phase->stretched);
  const thud_mark *line = thud_drawing_mark_at(drawing, 0, &panel);
  thud_assert_equal(panel, 0);
  assert_int_equal(line->paint, THUD_PAINT_OBSTACLE);
  thud_assert_equal(line->count, 4);
  assert_true(isnan(line->numbers[4]));
  thud_assert_near(line->numbers[6], 2, 0);
  thud_assert_near(line->width, 0.5, 0);
  assert_string_equal(line->label, "floor");
  assert_int_equal(thud_drawing_mark_at(drawing, 1, NULL)->paint, THUD_PAINT_BODY);
  assert_true(thud_drawing_mark_at(drawing, 1, NULL)->filled);
  assert_int_equal(thud_drawing_mark_at(drawing, 2, NULL)->paint, THUD_PAINT_VELOCITY);
  assert_int_equal(thud_drawing_mark_at(drawing, 3, NULL)->paint, THUD_PAINT_TRACE);
  assert_false(thud_drawing_mark_at(drawing, 5, NULL)->filled);
  thud_assert_near(thud_drawing_mark_at(drawing, 5, NULL)->opacity, 0.5, 0);
  assert_string_equal(thud_drawing_mark_at(drawing, 7, &panel)->text, "rest");
  thud_assert_equal(panel, 1);
  numbers_of(drawing, 8, THUD_MARK_AREA, 61); /* a filled curve */
  end(&made);
}

/* A block of mass 2 on a slope of 30 degrees that friction holds: normal m g cos, friction m g sin. */
#define BLOCK                                                                                                          \
  "thud: 1\n"                                                                                                          \
  "system:\n"                                                                                                          \
  "  coordinates: [x, y]\n"                                                                                            \
  "  mass: [2, 2]\n"                                                                                                   \
  "  forces: {x: 10, y: -10*sqrt(3)}\n"                                                                                \
  "  constraints: [{name: slope, gap: y, restitution: 0, friction: {mu: 0.8, slip: [x']}}]\n"                          \
  "initial: {x: 0, y: 0}\n"

static void check_forces(const char *text) {
  drawn made = draw(text, 10);
  const thud_drawing *drawing = frame_of(&made, thud_film_frame_count(made.film) - 1);
  const double *one = numbers_of(drawing, 0, THUD_MARK_ARROW, 1), *both = numbers_of(drawing, 1, THUD_MARK_ARROW, 1);
  const double normal = 10 * sqrt(3), expected[2][4] = {{0, 0, 0, 0.5 * normal}, {1, 0, -10, normal}};
  for (size_t k = 0; k < 4; k++) {
    thud_assert_near(one[k], expected[0][k], 1e-9);
    thud_assert_near(both[k], expected[1][k], 1e-9);
  }
  assert_int_equal(thud_drawing_mark_at(drawing, 0, NULL)->paint, THUD_PAINT_FORCE);
  end(&made);
}

static void reactions_are_densities(void **state) {
  (void)state;
#define FORCES                                                                                                         \
  "draw:\n"                                                                                                            \
  "  - arrow: {at: [x, y], force: slope, along: [0, 0.5]}\n"                                                           \
  "  - arrow: {at: [1, 0], force: {slope: [0, 1], slope.t1: [1, 0]}}\n"
  check_forces(BLOCK "simulate: {method: moreau-jean, end: 1, steps: 50}\n" FORCES);
  check_forces(BLOCK "simulate: {method: event-driven, end: 1}\n" FORCES);
#undef FORCES
}

/* ---- other kinds ------------------------------------------------------------------------------------------------------- */

/* The wall u >= wall(t) drags the point from 0 on; at t = 1 both jump by 1. Three numbers: space. */
static void sweeping_processes_have_their_coordinates(void **state) {
  (void)state;
  drawn made = draw("thud: 1\n"
                    "data: {wall: {breaks: [1], pieces: [t, t + 1]}}\n"
                    "sweeping:\n"
                    "  coordinates: [u, w]\n"
                    "  set: {box: {lower: [wall, -1], upper: [5, 1]}}\n"
                    "initial: {u: 0, w: 0.5}\n"
                    "simulate: {method: catching-up, end: 2, steps: 20}\n"
                    "draw:\n"
                    "  - points: {at: [[u, w, 0], [wall, 0, t]]}\n"
                    "  - circle: {at: [u, w, t], radius: 1}\n"
                    "  - trace: {at: [u, 0, 0]}\n",
                    20);
  size_t frames = thud_film_frame_count(made.film);
  for (size_t k = 0; k < frames; k++) {
    int side;
    double t = thud_film_time(made.film, k, &side), wall = t < 1 || (t == 1 && side < 0) ? t : t + 1;
    const thud_drawing *drawing = frame_of(&made, k);
    const double *points = numbers_of(drawing, 0, THUD_MARK_POINTS, 2);
    const double expected[6] = {wall, 0.5, 0, wall, 0, t};
    for (size_t i = 0; i < 6; i++) thud_assert_near(points[i], expected[i], 1e-12);
    numbers_of(drawing, 1, THUD_MARK_CIRCLE, 1);
    assert_true(thud_drawing_panel_at(drawing, 0)->space);
    const thud_mark *trace = thud_drawing_mark_at(drawing, 2, NULL);
    thud_assert_near(trace->numbers[3 * (trace->count - 1)], wall, 1e-12);
    for (size_t i = 0; i < trace->count; i++) /* nothing between the limits of the jump */
      assert_true(trace->numbers[3 * i] < 1 + 1e-12 || trace->numbers[3 * i] > 2 - 1e-12);
  }
  end(&made);
}

/* A spring of stiffness 4 pushed by 2 t against friction 0.5 of the pressure 2: u = (2 t - 1)/4, the force at its limit. */
static void quasistatic_scenes_have_unknowns_and_reactions(void **state) {
  (void)state;
  drawn made = draw("thud: 1\n"
                    "quasistatic:\n"
                    "  unknowns: [u, v]\n"
                    "  stiffness: [[4, 0], [0, 1]]\n"
                    "  load: {u: 2*t, v: -2}\n"
                    "  contacts: [{name: foot, normal: v, tangential: u, mu: 0.5}]\n"
                    "initial: {u: 0, v: 0}\nsimulate: {method: event-driven, end: 2, steps: 40}\n"
                    "draw:\n"
                    "  - arrow: {at: [u, v], force: {foot.n: [0, 1], foot.t: [1, 0]}}\n",
                    50);
  const double *arrow = numbers_of(frame_of(&made, thud_film_frame_count(made.film) - 1), 0, THUD_MARK_ARROW, 1);
  const double expected[4] = {0.75, 0, -1, 2};
  for (size_t i = 0; i < 4; i++) thud_assert_near(arrow[i], expected[i], 1e-9);
  end(&made);
}

/* ---- what is refused ------------------------------------------------------------------------------------------------- */

static void wrong_entries_are_refused_where_they_are(void **state) {
  (void)state;
  static const struct {
    const char *entry, *message;
  } wrong[] = {
      {"- cirle: {at: [0, z], radius: r}", "scene:13:5: /draw/0/cirle: unknown key 'cirle' (did you mean 'circle'?)"},
      {"- circle: {at: [0, z]}", "scene:13:13: /draw/0/circle: the key 'radius' is missing; add 'radius: ...'"},
      {"- circle: {at: [0, z], radius: r, fill: true}",
       "scene:13:37: /draw/0/circle/fill: unknown key 'fill' (did you mean 'filled'?)"},
      {"- {points: {at: [0, z]}, line: {points: [[0, 0], [1, 0]]}}",
       "scene:13:5: /draw/0: an entry is one mark, as in '- circle: {...}'; here are 2"},
      {"- circle: {at: [0, zz], radius: r}",
       "scene:13:22: /draw/0/circle/at/1: column 1: unknown name 'zz' (did you mean 'z''?)"},
      {"- circle: {at: [0], radius: r}",
       "scene:13:18: /draw/0/circle/at: a point is [x, y] in the plane or [x, y, z] in "
       "space: 2 or 3 numbers, not 1"},
      {"- points: {at: [[0, 0], [1, 0, 0]]}", "scene:13:27: /draw/0/points/at/1: 2 numbers are needed here, not 3: the "
                                              "first mark of this panel is in the plane"},
      {"- box: {at: [0, 0, 0], size: [1, 1]}",
       "scene:13:15: /draw/0/box/at: a box is drawn in the plane only: give 2 numbers"},
      {"- circle: {at: [0, 0, 0], radius: 1, angle: z}",
       "scene:13:47: /draw/0/circle/angle: a sphere has no angle; it belongs to circles in the plane"},
      {"- line: {points: [[0, 0]]}", "scene:13:11: /draw/0/line: 'line' needs at least 2 points"},
      {"- line: {points: []}", "scene:13:11: /draw/0/line: 'line' needs at least 2 points"},
      {"- area: {points: []}", "scene:13:11: /draw/0/area: 'area' needs at least 3 points"},
      {"- arrow: {at: [0, 0]}",
       "scene:13:12: /draw/0/arrow: an arrow has either 'vector: [..]' or 'force: NAME' with the "
       "name of a reaction"},
      {"- arrow: {at: [0, 0], force: flor, along: [0, 1]}",
       "scene:13:32: /draw/0/arrow/force: 'flor' is none of floor (did you mean 'floor'?)"},
      {"- arrow: {at: [0, 0], force: floor}",
       "scene:13:12: /draw/0/arrow: the key 'along' is missing; add 'along: ...'"},
      {"- arrow: {at: [0, 0], force: {flor: [0, 1]}}",
       "scene:13:33: /draw/0/arrow/force/flor: unknown key 'flor' (did you mean 'floor'?)"},
      {"- arrow: {at: [0, 0], vector: [0, 1], along: [0, 1]}",
       "scene:13:48: /draw/0/arrow/along: 'along' is the direction of 'force: NAME'"},
      {"- points: {at: [0, z], paint: red}",
       "scene:13:33: /draw/0/points/paint: 'red' is none of body, obstacle, force, velocity, set, trace, stick, slip, "
       "guide, normal, field"},
      {"- points: {at: [0, z], colour: 9}",
       "scene:13:34: /draw/0/points/colour: expected a whole number from 0 to 8, got the number 9"},
      {"- points: {at: [0, z], opacity: 2}",
       "scene:13:35: /draw/0/points/opacity: a number above 0 and at most 1 is needed here, not 2"},
      {"- curve: {x: s, y: z, for: z, from: 0, to: 1}",
       "scene:13:30: /draw/0/curve/for: 'z' is a variable already; choose another name"},
      {"- curve: {x: s, y: z, for: s, from: s, to: 1}", "scene:13:39: /draw/0/curve/from: column 1: unknown name 's'"},
      {"- curve: {x: s, y: 0, for: s, from: 0, to: 1, segments: 0}",
       "scene:13:59: /draw/0/curve/segments: expected a whole number from 1 to 100000, got the number 0"},
      {"- text: {at: [0, 0], text: 3}", "scene:13:30: /draw/0/text/text: expected a string, got the number 3"},
      {"- panel: {name: phase}", "scene:13:13: /draw/0/panel/name: unknown key 'name'"},
  };
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    char text[2000];
    thud_scene *scene = NULL;
    snprintf(text, sizeof text, BALL "draw:\n  %s\n", wrong[k].entry);
    assert_int_not_equal(build(context, text, &scene), THUD_OK);
    assert_null(scene);
    assert_string_equal(thud_context_last_message(context), wrong[k].message);
  }
  thud_test_context_end(context);
}

static void a_record_without_marks_has_no_film(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  drawn made = {0};
  record(context, BALL, thud_test_path("plain.h5"));
  assert_int_equal(open_film(context, thud_test_path("plain.h5"), 10, &made), THUD_ERROR_NOT_FOUND);
  close_film(&made);
  thud_test_context_end(context);
}

/* ---- what it does not do ------------------------------------------------------------------------------------------------ */

/* Every number of the frames, one after the other. */
static size_t read_all(thud_context *context, const char *path, double *values, size_t room) {
  thud_record_reader *reader = NULL;
  size_t count = 0;
  assert_int_equal(thud_record_open(context, path, &reader), THUD_OK);
  thud_record_info info = thud_record_reader_info(reader);
  for (size_t c = 0; c < info.channel_count[THUD_RECORD_FRAMES]; c++)
    for (size_t row = 0; row < info.rows[THUD_RECORD_FRAMES]; row++) {
      thud_record_cell cell;
      assert_int_equal(thud_record_read_cell(reader, THUD_RECORD_FRAMES, c, row, &cell), THUD_OK);
      for (size_t i = 0; i < cell.count && cell.values != NULL && count < room; i++) values[count++] = cell.values[i];
    }
  thud_record_reader_destroy(reader);
  return count;
}

static void drawing_does_not_change_the_motion(void **state) {
  (void)state;
  enum { ROOM = 10000 };
  static double with[ROOM], without[ROOM];
  thud_context *context = thud_test_context(1);
  record(context, BALL, thud_test_path("without.h5"));
  record(context, ball_scene, thud_test_path("with.h5"));
  size_t count = read_all(context, thud_test_path("without.h5"), without, ROOM);
  thud_assert_greater(count, 50);
  thud_assert_equal(read_all(context, thud_test_path("with.h5"), with, ROOM), count);
  assert_memory_equal(with, without, count * sizeof(double));
  thud_test_context_end(context);
}

static thud_error build_one(thud_context *context, void *user) {
  thud_scene *scene = NULL;
  thud_error error = build(context, user, &scene);
  thud_scene_destroy(scene);
  return error;
}

static thud_error draw_one(thud_context *context, void *user) {
  drawn made = {0};
  const thud_drawing *drawing = NULL;
  thud_error error = open_film(context, user, 3, &made);
  if (error == THUD_OK) error = thud_film_draw(made.film, 2, &drawing);
  close_film(&made);
  return error;
}

static void failing_allocations_leave_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  char path[512];
  snprintf(path, sizeof path, "%s", thud_test_path("swept.h5"));
  record(context,
         "thud: 1\n"
         "sweeping: {coordinates: [u], set: {box: {lower: [t], upper: [5]}}}\n"
         "initial: {u: 0}\n"
         "simulate: {method: catching-up, end: 2, steps: 2}\n"
         "draw: [{trace: {at: [u, 0]}}, {curve: {x: s, y: u, for: s, from: 0, to: 1}}]\n",
         path);
  thud_test_context_end(context);
  thud_assert_greater(thud_test_sweep_allocations(build_one, (void *)(uintptr_t)ball_scene), 300);
  thud_assert_greater(thud_test_sweep_allocations(draw_one, path), 100);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, thud_test_folder_make, thud_test_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(marks_follow_the_record),
                                     TEST(looks_are_those_of_the_scene),
                                     TEST(reactions_are_densities),
                                     TEST(sweeping_processes_have_their_coordinates),
                                     TEST(quasistatic_scenes_have_unknowns_and_reactions),
                                     TEST(wrong_entries_are_refused_where_they_are),
                                     TEST(a_record_without_marks_has_no_film),
                                     TEST(drawing_does_not_change_the_motion),
                                     TEST(failing_allocations_leave_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
