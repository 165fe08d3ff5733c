/* A saved run whose bytes were changed: whatever stands in one of its words, it is refused with a sentence or the run that
 * goes on from it is defined. Every kind of motion, restored and stepped; the sanitizers watch. */
#include "run/run.h"

#include "scratch_folder.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a word is changed to: as an integer, as half of a number (NaN, infinity, huge), as bytes that are flags. */
static const uint32_t patterns[] = {0,           1,           2,           0xffffffffu, 0x7fffffffu,
                                    0x80000000u, 0x7ff80000u, 0x7ff00000u, 0x7fefffffu, 0x01010101u};
enum {
  PATTERNS = sizeof patterns / sizeof *patterns,
  CHANCES = 3,
  WAYS = PATTERNS + CHANCES,
  STEPS = 4,
  ENDS = 100,
  ENDS_STRIDE = 31
};

/* A scene of the examples, its settings, and after how many steps it is saved. */
typedef struct saved_case {
  const char *file, *key, *value;
  int steps, stride; /* about one change in `stride` is made, more at the ends of long blocks */
} saved_case;

typedef struct saved_run {
  thud_context *context;
  thud_scene *scene;
  thud_run_options options;
  double times[3];
  unsigned char *block, *changed;
  size_t size;
  size_t refused, gone; /* changes that were refused; that a run went on with */
} saved_run;

static void read_scene(thud_context *context, const saved_case *c, thud_scene **scene) {
  char path[512];
  thud_tree *tree = NULL;
  snprintf(path, sizeof path, "%s/examples/%s", getenv("THUD_SOURCE_DIR"), c->file);
  assert_int_equal(thud_tree_read_file(context, path, &tree), THUD_OK);
  if (c->key != NULL) assert_int_equal(thud_tree_set(tree, c->key, c->value), THUD_OK);
  assert_int_equal(thud_scene_build(context, tree, scene), THUD_OK);
  thud_tree_destroy(tree);
}

static void save_run(const saved_case *c, saved_run *saved) {
  thud_run *run = NULL;
  bool going = true;
  *saved = (saved_run){.context = thud_test_context(1), .options = thud_run_options_default()};
  read_scene(saved->context, c, &saved->scene);
  for (int k = 0; k < 3; k++)
    saved->times[k] = saved->scene->start + (saved->scene->end - saved->scene->start) * (0.1 + 0.4 * k);
  saved->options.sample_count = 3;
  saved->options.sample_times = saved->times;
  assert_int_equal(thud_run_create(saved->scene, &saved->options, &run), THUD_OK);
  for (int k = 0; k < c->steps && going; k++) assert_int_equal(thud_run_step(run, &going), THUD_OK);
  saved->size = thud_run_block_size(run);
  saved->block = malloc(saved->size);
  saved->changed = malloc(saved->size);
  assert_non_null(saved->block);
  assert_non_null(saved->changed);
  thud_run_save_block(run, saved->block);
  thud_run_destroy(run);
}

static void forget_run(saved_run *saved) {
  free(saved->block);
  free(saved->changed);
  thud_scene_destroy(saved->scene);
  thud_test_context_end(saved->context);
}

/* Goes on from the changed block for some steps, to a report. Errors of the run are defined; a refusal says why. */
static void go_on(saved_run *saved) {
  thud_run *run = NULL;
  thud_run_result result = {0};
  bool going = true;
  assert_int_equal(thud_run_create(saved->scene, &saved->options, &run), THUD_OK);
  thud_error error = thud_run_take_block(run, saved->changed, saved->size);
  if (error == THUD_OK) {
    saved->gone++;
    for (int k = 0; k < STEPS && going && error == THUD_OK; k++) error = thud_run_step(run, &going);
    if (error == THUD_OK) error = thud_run_finish(run, &result);
    thud_run_result_free(saved->context, &result);
  } else {
    saved->refused++;
    const char *message = thud_context_last_message(saved->context);
    static const char *const others[] = {"other sample times", "reached by steps of", "a longer run cannot go on"};
    bool other = false; /* the state of a run with other settings */
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) other = other || strstr(message, others[k]) != NULL;
    assert_true(other || error == THUD_ERROR_FORMAT);
    thud_assert_greater(strlen(message), 20);
  }
  thud_run_destroy(run);
}

#ifndef GO_ON
#define GO_ON(saved, word, way) go_on(saved)
#endif

/* The numbers of motions and runs stand at both ends of a block; between them are arrays, of which fewer words are
 * changed. */
static bool is_chosen(const saved_case *c, size_t words, size_t w, thud_random *random) {
  int stride = c->stride;
  if (stride > ENDS_STRIDE && (w < ENDS || w + ENDS >= words)) stride = ENDS_STRIDE;
  int one_in = stride * thud_test_share(4) * THUD_TEST_STRIDE(2) / 4;
  return one_in <= 1 || thud_random_below(random, (uint32_t)one_in) == 0;
}

static void change_words(const saved_case *c, saved_run *saved) {
  thud_random random = thud_random_seed(31);
  size_t words = saved->size / 4;
  for (size_t w = 0; w < words; w++)
    for (int way = 0; way < WAYS; way++) {
      if (!is_chosen(c, words, w, &random)) continue;
      uint32_t value = way < PATTERNS ? patterns[way] : (uint32_t)thud_random_bits(&random);
      memcpy(saved->changed, saved->block, saved->size);
      memcpy(saved->changed + 4 * w, &value, 4);
      GO_ON(saved, w, way);
    }
}

static const saved_case cases[] = {
    {"play.yaml", NULL, NULL, 5, 3},
    {"dynamics/bouncing-particle.yaml", NULL, NULL, 5, 5},
    {"brick-on-incline.yaml", NULL, NULL, 5, 5},
    {"event-driven/bouncing-ball-to-rest.yaml", NULL, NULL, 5, 25},
    {"event-driven/rocking-block-to-rest.yaml", NULL, NULL, 5, 301},
    {"event-driven/hexagonal-friction.yaml", NULL, NULL, 5, 301},
    {"event-driven/stepped-potential.yaml", NULL, NULL, 2, 25},
    {"event-driven/bouncing-ball-to-rest.yaml", "simulate.arcs", "runge-kutta", 5, 25},
    {"dynamics/percussion.yaml", "simulate.method", "event-driven", 2, 101},
    {"quasistatic/cycle.yaml", NULL, NULL, 5, 5},
    {"quasistatic/three-ways.yaml", NULL, NULL, 1, 5},
    {"quasistatic/history.yaml", NULL, NULL, 5, 25},
    {"quasistatic/lift-off.yaml", NULL, NULL, 5, 5},
    {"composed/rope.yaml", NULL, NULL, 5, 5},
    {"composed/table-push.yaml", NULL, NULL, 5, 5},
    {"elastic/string-on-floor.yaml", NULL, NULL, 5, 9001},
    {"elastic/beam-on-floor.yaml", NULL, NULL, 5, 3001},
    {"elastic/membrane-on-floor.yaml", NULL, NULL, 3, 2999},
    {"elastic/plate-over-pin.yaml", NULL, NULL, 3, 2999},
    {"elastic/punch-rocking.yaml", NULL, NULL, 3, 701},
    {"bodies/cradle.yaml", NULL, NULL, 5, 101},
    {"bodies/slip-to-roll.yaml", NULL, NULL, 5, 101},
    {"bodies/sliding-brick.yaml", "simulate.sleep", "true", 5, 101},
    {"joints/two-hinge-door.yaml", NULL, NULL, 5, 101},
    {"joints/slider-crank.yaml", NULL, NULL, 5, 101},
    {"joints/gear-clutch.yaml", NULL, NULL, 105, 101},
    {"friction/struck-oscillator-steps.yaml", NULL, NULL, 5, 31},
};

static bool has_checkpoint(thud_context *context, const char *path) {
  thud_record_reader *reader;
  thud_record_resumption found = {0};
  assert_int_equal(thud_record_open(context, path, &reader), THUD_OK);
  thud_error error = thud_record_read_checkpoint(reader, &found);
  thud_record_resumption_free(context, &found);
  thud_record_reader_destroy(reader);
  return error == THUD_OK;
}

/* A scene that asks for no checkpoints gets them by processor time; the rows stay the same, and the run can go on. */
static void long_runs_keep_checkpoints(void **state) {
  (void)state;
  const saved_case c = {.file = "play.yaml"};
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("kept.h5");
  thud_scene *scene = NULL;
  read_scene(context, &c, &scene);
  for (int seconds = 0; seconds < 2; seconds++) {
    thud_run_options options = thud_run_options_default();
    thud_run *run = NULL;
    options.record = path;
    options.overwrite = true;
    assert_int_equal(thud_run_create(scene, &options, &run), THUD_OK);
    thud_assert_equal(run->clock.every, 60);
    run->clock.every = seconds == 0 ? 0 : 60; /* at every step, and not within this test */
    for (int k = 0; k < 20; k++) assert_int_equal(thud_run_step(run, NULL), THUD_OK);
    size_t recorded = run->counters.recorded;
    thud_run_destroy(run); /* as a kill leaves it */
    assert_true(has_checkpoint(context, path) == (seconds == 0));
    if (seconds > 0) continue;
    options.resume = true;
    assert_int_equal(thud_run_create(scene, &options, &run), THUD_OK);
    thud_assert_equal(run->counters.recorded, recorded);
    thud_run_destroy(run);
  }
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

static void changed_states_are_refused_or_go_on(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    saved_run saved;
    save_run(&cases[k], &saved);
    change_words(&cases[k], &saved);
    print_message("%s: %zu bytes, %zu changes refused, %zu went on\n", cases[k].file, saved.size, saved.refused,
                  saved.gone);
    thud_assert_greater(saved.refused, 0);
    forget_run(&saved);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(changed_states_are_refused_or_go_on),
                                     cmocka_unit_test(long_runs_keep_checkpoints)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
