/* `observe`, `until` and `when`: what is observed equals closed forms, runs end at roots, changes act where their conditions hold,
 * checkpoints keep all of it, the checker computes it again and finds what was changed. */
#include "failing_allocator.h"
#include "record_channels.h"
#include "record_copy.h"
#include "run/run.h"
#include "run/run_observe.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/run.h"
#include "verifying.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BALL                                                                                                           \
  "thud: 1\nplanar: true\ngravity: [0, -9.81]\nmaterials: {rubber: {friction: 0.2, restitution: 0.8}}\n"               \
  "bodies:\n"                                                                                                          \
  "  - {name: ground, fixed: true, shape: half_plane, material: rubber}\n"                                             \
  "  - {name: ball, shape: {disc: 0.1}, mass: 2, material: rubber, position: [0, 1.1], velocity: [1, 0]}\n"
#define SPRING                                                                                                         \
  "thud: 1\nparameters: {k: 4}\ndefinitions: {total: \"x'^2/2 + k*x^2/2\"}\n"                                          \
  "system: {coordinates: [x], kinetic_energy: \"x'^2/2\", potential_energy: k*x^2/2,\n"                                \
  "         constraints: [{name: wall, gap: x + 0.5, restitution: 1}]}\n"                                              \
  "initial: {x: 1}\n"

static char record_path[512];

static thud_scene *build(thud_context *context, const char *text) {
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  assert_int_equal(thud_tree_read_text(context, "scene.yaml", text, strlen(text), &tree), THUD_OK);
  if (thud_scene_build(context, tree, &scene) != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  thud_tree_destroy(tree);
  return scene;
}

/* The run of the scene with a record; to be freed. */
static thud_run_result run_to(thud_context *context, const char *text, const char *path) {
  thud_run_options options = thud_run_options_default();
  thud_run_result result = {0};
  thud_scene *scene = build(context, text);
  options.record = path;
  options.overwrite = true;
  if (thud_scene_run(scene, &options, &result) != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  thud_scene_destroy(scene);
  return result;
}

/* All values of a channel of fixed width; to be freed. */
static double *read_all(thud_record_reader *reader, const char *name, size_t *rows, size_t *width) {
  size_t k;
  if (thud_record_find_channel(reader, THUD_RECORD_FRAMES, name, &k) != THUD_OK) fail_msg("no channel '%s'", name);
  *rows = thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES];
  *width = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, k)->width;
  double *values = malloc(*rows * *width * sizeof(double) + 1);
  assert_int_equal(thud_record_read(reader, THUD_RECORD_FRAMES, k, 0, *rows, values), THUD_OK);
  return values;
}

static double last_of(thud_record_reader *reader, const char *name) {
  size_t rows, width;
  double *values = read_all(reader, name, &rows, &width), last = values[rows * width - 1];
  free(values);
  return last;
}

static void verify_good(thud_context *context, const char *path) {
  thud_verify_result checked = thud_test_verify(context, path);
  if (checked.verdict != THUD_VERIFY_GOOD) fail_msg("%s: %s", path, checked.reason);
  assert_int_equal(thud_test_check_of(&checked, "observed")->status, THUD_VERIFY_PASSED);
}

/* ---- what is observed -------------------------------------------------------------------------------------------------- */

/* Of a ball that is dropped from height 1: its energy is that of the ledger to the last bit, the first contact is within a step of
 * sqrt(2/g), forces on the ball carry its weight at rest, and the distance from the ground's origin is that of the coordinates. */
static void quantities_of_bodies_are_what_they_say(void **state) {
  (void)state;
  static const double h = 0.002, g = 9.81;
  thud_context *context = thud_test_context(1);
  thud_run_result result =
      run_to(context,
             BALL "observe:\n  energy: kinetic + potential\n  hit: {first_contact: [ground, ball]}\n"
                  "  low: {first: ball.y < 0.6}\n  apart: {distance: [ground, ball]}\n"
                  "  push: {contact_force: [ball, ground], unit: kp}\n  pushed: push.y\n"
                  "  same: {component: ball.x}\nsimulate: {end: 8, step: 0.002}\n",
             record_path);
  thud_record_reader *reader = NULL;
  assert_int_equal(thud_record_open(context, record_path, &reader), THUD_OK);
  size_t rows, nine, one, four;
  double *ledger = read_all(reader, "ledger", &rows, &nine), *energy = read_all(reader, "energy", &rows, &one);
  double *place = read_all(reader, "position", &rows, &four), *apart = read_all(reader, "apart", &rows, &one);
  double *same = read_all(reader, "same", &rows, &one);
  for (size_t k = 0; k < rows; k++) {
    assert_true(energy[k] == ledger[nine * k] + ledger[nine * k + 1]);
    assert_true(fabs(apart[k] - hypot(place[4 * k + 2], place[4 * k + 3])) <= 1e-15 * apart[k]);
    assert_true(same[k] == place[4 * k + 2]);
  }
  assert_true(fabs(last_of(reader, "hit") - sqrt(2 / g)) <= h);
  assert_true(fabs(last_of(reader, "low") - sqrt(1 / g)) <= h);
  assert_true(fabs(last_of(reader, "pushed") - 2 * g) <= 1e-9 * 2 * g);
  assert_true(last_of(reader, "push") == last_of(reader, "pushed"));
  assert_non_null(strstr(result.json, "\"pushed\": "));
  free(ledger), free(energy), free(place), free(apart), free(same);
  thud_record_reader_destroy(reader);
  thud_run_result_free(context, &result);
  verify_good(context, record_path);
  thud_test_context_end(context);
}

/* x = cos 2t meets the wall at -1/2 first at t = pi/3, and comes back from there with the speed sqrt 3: from event to event first
 * contact and end are exact to rounding, by time stepping to a step. */
static void first_contacts_and_ends_of_systems_are_exact(void **state) {
  (void)state;
  static const char scene[] =
      SPRING "observe: {energy: total, hit: {first_contact: wall}, push: force.wall}\nuntil: \"x'\"\n"
             "simulate: {method: event-driven, end: 5}\n";
  static const char stepped[] = SPRING "observe: {energy: total, hit: {first_contact: wall}, push: force.wall}\n"
                                       "until: \"x'\"\nsimulate: {method: moreau-jean, end: 5, steps: 5000}\n";
  static const char turned[] = SPRING "until: 0.2 - x\nsimulate: {method: event-driven, end: 5}\n";
  const double third = 4 * atan(1.0) / 3;
  thud_context *context = thud_test_context(1);
  thud_record_reader *reader = NULL;
  thud_run_result result = run_to(context, scene, record_path);
  thud_run_result_free(context, &result);
  assert_int_equal(thud_record_open(context, record_path, &reader), THUD_OK);
  assert_true(fabs(last_of(reader, "hit") - third) <= 1e-12 * third);
  assert_true(fabs(last_of(reader, "t") - third) <= 1e-12 * third);
  thud_record_reader_destroy(reader);
  verify_good(context, record_path);
  result = run_to(context, stepped, record_path);
  thud_run_result_free(context, &result);
  assert_int_equal(thud_record_open(context, record_path, &reader), THUD_OK);
  assert_true(fabs(last_of(reader, "hit") - third) <= 2e-3);
  assert_true(fabs(last_of(reader, "energy") - 2) <= 2e-2);
  thud_record_reader_destroy(reader);
  verify_good(context, record_path);
  result = run_to(context, turned, record_path);
  assert_non_null(strstr(result.reason, "until: 0.2 - x, at t = "));
  thud_run_result_free(context, &result);
  assert_int_equal(thud_record_open(context, record_path, &reader), THUD_OK);
  assert_true(fabs(last_of(reader, "t") - acos(0.2) / 2) <= 1e-12);
  thud_record_reader_destroy(reader);
  verify_good(context, record_path);
  thud_test_context_end(context);
}

/* On arcs what is observed is a series: between the rows x^2 is the square of x. What switches there is not recorded. */
static void observed_arcs_are_series(void **state) {
  (void)state;
  static const char scene[] =
      SPRING "observe: {square: x^2, kink: abs(x - 0.4)}\nsimulate: {method: event-driven, end: 1}\n";
  static const char *const names[] = {"square"};
  thud_context *context = thud_test_context(1);
  thud_record_reader *reader = NULL;
  thud_record_sampler *sampler = NULL;
  thud_run_result result = run_to(context, scene, record_path);
  assert_non_null(strstr(result.report, "[observed-switch]"));
  thud_run_result_free(context, &result);
  assert_int_equal(thud_record_open(context, record_path, &reader), THUD_OK);
  assert_int_equal(thud_record_sampler_create(reader, 1, names, &sampler), THUD_OK);
  for (int k = 1; k < 100; k++) {
    double t = 0.01 * k, left, right, x = cos(2 * t);
    bool jumps;
    assert_int_equal(thud_record_sample(sampler, &t, &left, &right, &jumps), THUD_OK);
    assert_true(fabs(right - x * x) <= 1e-12);
  }
  thud_record_sampler_destroy(sampler);
  thud_record_reader_destroy(reader);
  verify_good(context, record_path);
  thud_test_context_end(context);
}

/* ---- conditions ------------------------------------------------------------------------------------------------------------ */

typedef struct ending {
  const char *keys, *says;
  double t; /* of the end */
} ending;

/* A condition that holds at the start ends there, one that is never met says so, a node is the first one at which it holds. */
static void runs_end_where_conditions_hold(void **state) {
  (void)state;
  static const ending endings[] = {{"until: ball.y > 1\n", ", the start: the motion has not begun", 0},
                                   {"until: ball.y > 5\n", "'ball.y > 5' was not met", 2},
                                   {"until: ball.y - 5\n", "'ball.y - 5' was not met", 2},
                                   {"until: ball.y - 0.6\n", "the first node", 0.32},
                                   {"until: \"min(t > 0.5, ball.vy > 0)\"\n", "the first node", 0.505},
                                   {"parameters: {half: 0.5}\nuntil: t > half\n", "the first node", 0.505}};
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
    char text[2048];
    snprintf(text, sizeof text, "%s%ssimulate: {end: 2, step: 0.005}\n", BALL, endings[k].keys);
    thud_run_result result = run_to(context, text, record_path);
    thud_record_reader *reader = NULL;
    if (strstr(result.report, endings[k].says) == NULL) fail_msg("not '%s':\n%s", endings[k].says, result.report);
    assert_int_equal(result.verdict, THUD_VERDICT_GOOD);
    thud_run_result_free(context, &result);
    assert_int_equal(thud_record_open(context, record_path, &reader), THUD_OK);
    assert_true(fabs(last_of(reader, "t") - endings[k].t) <= 1e-12);
    thud_record_reader_destroy(reader);
    if (endings[k].t > 0) verify_good(context, record_path); /* of no step nothing can be asked */
  }
  thud_test_context_end(context);
}

/* A ball falls when the sledge has passed a mark, and is struck upwards when it has fallen by 1/2: 1/2 g t^2 = 1/2. */
static const char gate[] =
    "thud: 1\nplanar: true\ngravity: [0, -9.81]\nmaterials: {ice: {friction: 0, restitution: 0}}\n"
    "bodies:\n"
    "  - {name: ground, fixed: true, shape: half_plane, material: ice}\n"
    "  - {name: ball, shape: {disc: 0.1}, mass: 1, material: ice, position: [9, 2], absent: true}\n"
    "  - {name: sledge, shape: {box: [0.2, 0.2]}, mass: 1, material: ice, position: [0, 0.1], velocity: [2, 0]}\n"
    "changes:\n"
    "  - {when: sledge.x > 0.4999, do: add, body: ball}\n"
    "  - {when: ball.y < 1.5, do: impulse, body: ball, impulse: [0, 3]}\n"
    "observe: {opened: {first: sledge.x > 0.4999}, fell: {first: ball.y < 1.5}}\n"
    "until: \"min(ball.y < 1, ball.vy < 0)\"\n"
    "simulate: {end: 3, step: 0.001}\nrecord: {checkpoint_every: 0.1}\n";

static void changes_act_where_their_conditions_hold(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_record_reader *reader = NULL;
  thud_run_result result = run_to(context, gate, record_path);
  thud_run_result_free(context, &result);
  assert_int_equal(thud_record_open(context, record_path, &reader), THUD_OK);
  double opened = last_of(reader, "opened"), fell = last_of(reader, "fell"), up = 3 - sqrt(9.81);
  assert_true(fabs(opened - 0.25) <= 1e-12);
  assert_true(fabs(fell - opened - sqrt(1 / 9.81)) <= 1e-3);
  double end = (up + sqrt(up * up + 9.81)) / 9.81; /* from 1.5 to 1 with the speed up */
  assert_true(fabs(last_of(reader, "t") - fell - end) <= 1e-2);
  size_t events = thud_record_reader_info(reader).rows[THUD_RECORD_EVENTS], changes = 0;
  for (size_t k = 0; k < events; k++) {
    thud_record_cell t, kind;
    assert_int_equal(thud_record_read_cell(reader, THUD_RECORD_EVENTS, 0, k, &t), THUD_OK);
    double at = t.values[0];
    assert_int_equal(thud_record_read_cell(reader, THUD_RECORD_EVENTS, 1, k, &kind), THUD_OK);
    changes += (kind.values[0] == 5 && at == opened) || (kind.values[0] == 8 && at == fell);
  }
  assert_int_equal(changes, 2);
  thud_record_reader_destroy(reader);
  verify_good(context, record_path);
  thud_test_context_end(context);
}

/* x'' = 2 until x = 1/2 is passed, then -3: at the switch x' = sqrt 2, and from there on x = 1/2 + sqrt 2 s - 3/2 s^2; a second
 * switch at x < 0.2 gives 1. All schemes, and a run that goes on from a checkpoint, to the error of a step. */
#define SWITCHED                                                                                                       \
  "thud: 1\ndata:\n  drive: {when: [\"x > 0.5\", \"x < 0.2\"], pieces: [2, -3, 1]}\n"                                  \
  "system: {coordinates: [x], mass: [1], forces: {x: drive}}\ninitial: {x: 0}\n"                                       \
  "observe: {turned: {first: x > 0.5}, motor: drive}\n"

static void forces_of_systems_are_switched(void **state) {
  (void)state;
  static const char *const methods[] = {"moreau-jean", "moreau", "second-order", "stabilised"};
  static const double h = 1e-3;
  /* after the time s = (sqrt 2 + sqrt(2 + 6 (1/2 - 1/5)))/3 it is at 0.2 with x' = sqrt 2 - 3 s */
  double root = sqrt(2 + 6 * 0.3), s = (sqrt(2) + root) / 3, first = sqrt(0.5), rest = 3 - first - s;
  double expected = 0.2 - root * rest + rest * rest / 2;
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    char text[1024];
    thud_record_reader *reader = NULL;
    snprintf(text, sizeof text, "%ssimulate: {method: %s, end: 3, steps: 3000}\n", SWITCHED, methods[k]);
    thud_run_result result = run_to(context, text, record_path);
    thud_run_result_free(context, &result);
    assert_int_equal(thud_record_open(context, record_path, &reader), THUD_OK);
    assert_true(fabs(last_of(reader, "turned") - first) <= 2 * h);
    assert_true(last_of(reader, "motor") == 1);
    assert_true(fabs(last_of(reader, "q") - expected) <= 20 * h);
    thud_record_reader_destroy(reader);
    verify_good(context, record_path);
  }
  thud_test_context_end(context);
}

/* ---- checkpoints ----------------------------------------------------------------------------------------------------------- */

/* A run that is saved after any of its steps goes on with the same bits: the same number of steps to the same last state. */
static void saved_runs_go_on_with_the_same_bits(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const int at[] = {1, 100, 260, 500, 600}; /* before any of the runs has ended */
  static const char switched[] =
      SWITCHED "until: min(t > 2, x < 0.3)\nsimulate: {method: moreau-jean, end: 3, steps: 1000}\n";
  char first[2000] = "";
  for (size_t k = 0; k < 12; k++) {
    const char *scene_text = k < 6 ? gate : switched;
    size_t place = k % 6;
    thud_scene *scene = build(context, scene_text);
    thud_run_options options = thud_run_options_default();
    thud_run *run = NULL;
    bool going = true;
    assert_int_equal(thud_run_create(scene, &options, &run), THUD_OK);
    for (int step = 0; place > 0 && step < at[place - 1] && going; step++)
      assert_int_equal(thud_run_step(run, &going), THUD_OK);
    if (place > 0) {
      assert_true(going);
      size_t size = thud_run_block_size(run);
      unsigned char *block = malloc(size);
      thud_run_save_block(run, block);
      thud_run_destroy(run);
      assert_int_equal(thud_run_create(scene, &options, &run), THUD_OK);
      assert_int_equal(thud_run_take_block(run, block, size), THUD_OK);
      size_t seen = thud_observe_memory_size(scene->observe), samples = thud_run_samples_size(&run->samples);
      const double nothing = INFINITY;
      memcpy(block + size - samples - seen, &nothing, sizeof nothing);
      assert_int_equal(thud_run_take_block(run, block, size), THUD_ERROR_FORMAT);
      free(block);
    }
    thud_run_result result = {0};
    for (going = true; going;) assert_int_equal(thud_run_step(run, &going), THUD_OK);
    assert_int_equal(thud_run_finish(run, &result), THUD_OK);
    const char *found = strstr(result.json, "\"state\"");
    assert_non_null(found);
    int length = (int)strcspn(found, "}"); /* of the state alone */
    if (place == 0) snprintf(first, sizeof first, "%.*s", length, found);
    if (strncmp(first, found, strlen(first)) != 0) fail_msg("%s\nis not\n%.*s", first, length, found);
    thud_run_result_free(context, &result);
    thud_run_destroy(run);
    thud_scene_destroy(scene);
  }
  thud_test_context_end(context);
}

/* ---- mistakes -------------------------------------------------------------------------------------------------------------- */

typedef struct mistake {
  const char *keys, *says;
} mistake;

static void mistakes_are_named(void **state) {
  (void)state;
  static const mistake mistakes[] = {
      {"observe: {height: bal.y}\n", "no 'bal.y' (did you mean 'ball.y'?)"},
      {"observe: {height: \"2*ball.y + nothing.at.all\"}\n",
       "column 12: the rows of this motion have no 'nothing.at.all'"},
      {"observe: {energy: kinetik}\n", "did you mean 'kinetic'"},
      {"observe: {position: ball.y}\n", "'position' is the name of a number of the rows already"},
      {"observe: {kinetic: ball.y}\n", "'kinetic' is the name of a number of the rows already"},
      {"observe: {sin: ball.y}\n", "'sin' is the name of a parameter, a definition or a function already"},
      {"observe: {a.b: ball.y}\n", "'a.b' cannot be observed under this name"},
      {"observe: {\"it's\": ball.y}\n", "cannot be observed under this name"},
      {"observe: {hit: {first_contact: [ball, grund]}}\n", "there is no 'grund'; did you mean 'ground'?"},
      {"observe: {hit: {first_contact: ball}}\n", "that of two bodies: [a, b]"},
      {"observe: {hit: {contact_force: [ball]}}\n", "that of two bodies: [a, b]"},
      {"observe: {far: {distance: [ball, ground, ball]}}\n", "a distance is that of two bodies"},
      {"observe: {far: {distance: [ball, grund]}}\n", "no 'grund.x' (did you mean 'ground.x'?)"},
      {"observe: {far: {distance: [ball, ground], first: t > 1}}\n", "one of 'distance' and 'first'"},
      {"observe: {far: {unit: m}}\n",
       "one of value, component, distance, first, first_contact, contact_force is needed"},
      {"observe: {far: {distanse: [ball, ground]}}\n", "distance"},
      {"observe: {far: {component: ball.q}}\n", "no 'ball.q'"},
      {"observe: {push: {contact_force: [ball, ground]}}\nrecord: {contacts: false}\n",
       "write record: {contacts: true}"},
      {"until: ball.y == 1\n", "equality holds at no node"},
      {"until: ball.y <\n", "expected"},
      {"until: [1]\n", "expected"},
      {"observe: [1]\n", "expected a map"},
      {"changes: [{when: ball.q > 1, do: release, body: ball}]\n", "no 'ball.q'"},
      {"changes: [{when: ball.y > 1, at: 1, do: release, body: ball}]\n",
       "either 'at', a time, or 'when', a condition"},
  };
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
    char text[2048];
    thud_tree *tree = NULL;
    thud_scene *scene = NULL;
    snprintf(text, sizeof text, "%s%ssimulate: {end: 2, step: 0.005}\n", BALL, mistakes[k].keys);
    assert_int_equal(thud_tree_read_text(context, "scene.yaml", text, strlen(text), &tree), THUD_OK);
    if (thud_scene_build(context, tree, &scene) == THUD_OK) fail_msg("was taken: %s", mistakes[k].keys);
    const char *message = thud_context_last_message(context);
    if (strstr(message, mistakes[k].says) == NULL || strstr(message, "scene.yaml:") == NULL)
      fail_msg("not '%s': %s", mistakes[k].says, message);
    thud_tree_destroy(tree);
  }
  thud_test_context_end(context);
}

/* Data with conditions stand in forces of systems that are stepped, and nowhere else. */
static void conditions_of_data_are_refused_elsewhere(void **state) {
  (void)state;
  static const mistake mistakes[] = {
      {"system: {coordinates: [x], mass: [drive]}\ninitial: {x: 0}\nsimulate: {method: moreau-jean, end: 1, steps: "
       "10}\n",
       "'drive' has conditions: it may stand in 'forces'"},
      {"definitions: {m: 2 + drive}\nsystem: {coordinates: [x], mass: [m]}\ninitial: {x: 0}\n"
       "simulate: {method: moreau-jean, end: 1, steps: 10}\n",
       "'drive' has conditions: it may stand in 'forces'"},
      {"system: {coordinates: [x], mass: [1], forces: {x: drive}}\ninitial: {x: 0}\nsimulate: {method: event-driven, "
       "end: 1}\n",
       "stepped in time"},
      {"sweeping: {coordinates: [x], set: {ball: {centre: [drive], radius: 1}}}\ninitial: {x: 0}\n"
       "simulate: {end: 1, steps: 10}\n",
       "stepped in time"},
      {"system: {coordinates: [x], mass: [1], forces: {x: drive}}\ninitial: {y: 0}\n", "y"},
      {"system: {coordinates: [y], mass: [1], forces: {y: drive}}\ninitial: {y: 0}\n"
       "simulate: {method: moreau-jean, end: 1, steps: 10}\n",
       "/data/drive/when/0: column 1: the rows of this motion have no 'x'"}};
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
    char text[2048];
    thud_tree *tree = NULL;
    thud_scene *scene = NULL;
    snprintf(text, sizeof text, "thud: 1\ndata: {drive: {when: [x > 1], pieces: [1, 0]}}\n%s", mistakes[k].keys);
    assert_int_equal(thud_tree_read_text(context, "scene.yaml", text, strlen(text), &tree), THUD_OK);
    if (thud_scene_build(context, tree, &scene) == THUD_OK) fail_msg("was taken: %s", mistakes[k].keys);
    const char *message = thud_context_last_message(context);
    if (strstr(message, mistakes[k].says) == NULL) fail_msg("not '%s': %s", mistakes[k].says, message);
    thud_tree_destroy(tree);
  }
  thud_test_context_end(context);
}

static void names_of_systems_that_mean_several_numbers_are_refused(void **state) {
  (void)state;
  static const mistake mistakes[] = {{"observe: {push: wall}\n", "'wall' may be several numbers: write gap.wall or "},
                                     {"observe: {push: force.wal}\n", "no 'force.wal'"},
                                     {"observe: {hit: {first_contact: floor}}\n", "there is no 'floor'"},
                                     {"observe: {far: {contact_force: [a, b]}}\n", "have no contacts of bodies"}};
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
    char text[2048];
    thud_tree *tree = NULL;
    thud_scene *scene = NULL;
    snprintf(text, sizeof text, "%s%ssimulate: {method: moreau-jean, end: 2, step: 0.005}\n", SPRING, mistakes[k].keys);
    assert_int_equal(thud_tree_read_text(context, "scene.yaml", text, strlen(text), &tree), THUD_OK);
    if (thud_scene_build(context, tree, &scene) == THUD_OK) fail_msg("was taken: %s", mistakes[k].keys);
    const char *message = thud_context_last_message(context);
    if (strstr(message, mistakes[k].says) == NULL) fail_msg("not '%s': %s", mistakes[k].says, message);
    thud_tree_destroy(tree);
  }
  thud_test_context_end(context);
}

/* ---- tampering ------------------------------------------------------------------------------------------------------------- */

/* The record with one number changed, or without its last rows, sealed again: the check "observed" finds it. */
static void changed_observations_are_found(void **state) {
  (void)state;
  static const struct {
    const char *channel;
    size_t component;
  } changes[] = {{"opened", 0}, {"fell", 0}, {"high", 0}, {"push", 1}};
  static const char scene[] =
      BALL "observe: {high: ball.y, fell: {first: ball.y < 0.6}, opened: {first_contact: [ball, ground]},\n"
           "          push: {contact_force: [ball, ground]}}\n"
           "until: \"min(ball.vy < 0, t > 0.7)\"\nsimulate: {end: 2, step: 0.005}\n";
  thud_context *context = thud_test_context(1);
  record_copy_run(context, scene, record_path);
  for (size_t k = 0; k <= sizeof changes / sizeof *changes; k++) {
    record_channels record;
    record_channels_load(context, record_path, &record);
    if (k < sizeof changes / sizeof *changes) {
      double *cell = record_table_number(&record.frames, changes[k].channel, 60, changes[k].component);
      *cell = isnan(*cell) ? 1 : *cell * (1 + 1e-9) + 1e-9;
    } else {
      record.frames.rows--; /* the condition of `until` does not hold at the new end */
    }
    record_channels_save(context, record_path, &record);
    thud_verify_result checked = thud_test_verify(context, record_path);
    assert_int_equal(checked.verdict, THUD_VERIFY_BAD);
    if (k < sizeof changes / sizeof *changes)
      assert_int_equal(thud_test_check_of(&checked, "observed")->status, THUD_VERIFY_FAILED);
    record_channels_free(&record);
    record_copy_run(context, scene, record_path);
  }
  thud_test_context_end(context);
}

/* ---- memory ---------------------------------------------------------------------------------------------------------------- */

static thud_error observe_all(thud_context *context, void *user) {
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  thud_run_result result = {0};
  thud_run_options options = thud_run_options_default();
  const char *text = user;
  thud_error error = thud_tree_read_text(context, "scene.yaml", text, strlen(text), &tree);
  if (error == THUD_OK) error = thud_scene_build(context, tree, &scene);
  if (error == THUD_OK) error = thud_scene_run(scene, &options, &result);
  if (error == THUD_OK) thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  return error;
}

static void failing_allocations_leave_nothing(void **state) {
  (void)state;
  static char bodies[] =
      BALL "observe: {energy: kinetic, hit: {first_contact: [ball, ground]}, far: {distance: [ball, ground]},\n"
           "          push: {contact_force: [ball, ground]}, low: {first: energy > 1}, c: {component: ball.x}}\n"
           "until: t > 0.02\nsimulate: {end: 1, step: 0.01}\n";
  static char arcs[] = SPRING "observe: {energy: total, hit: {first_contact: wall}}\nuntil: t > 0.1\n"
                              "simulate: {method: event-driven, end: 1}\n";
  thud_test_sweep_some_allocations(observe_all, bodies, 200);
  thud_test_sweep_some_allocations(observe_all, arcs, 200);
}

static int make_folder(void **state) {
  int made = thud_test_folder_make(state);
  snprintf(record_path, sizeof record_path, "%s", thud_test_path("observed.h5"));
  return made;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quantities_of_bodies_are_what_they_say),
      cmocka_unit_test(first_contacts_and_ends_of_systems_are_exact),
      cmocka_unit_test(observed_arcs_are_series),
      cmocka_unit_test(runs_end_where_conditions_hold),
      cmocka_unit_test(changes_act_where_their_conditions_hold),
      cmocka_unit_test(forces_of_systems_are_switched),
      cmocka_unit_test(saved_runs_go_on_with_the_same_bits),
      cmocka_unit_test(mistakes_are_named),
      cmocka_unit_test(conditions_of_data_are_refused_elsewhere),
      cmocka_unit_test(names_of_systems_that_mean_several_numbers_are_refused),
      cmocka_unit_test(changed_observations_are_found),
      cmocka_unit_test(failing_allocations_leave_nothing),
  };
  return cmocka_run_group_tests(tests, make_folder, thud_test_folder_remove);
}
