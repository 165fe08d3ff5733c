/* What sinks answer means the same for all families of motions (thud/motion.h): a stop loses nothing, a failure keeps the words
 * of the sink. */
#include "base/base.h"
#include "testing.h"
#include "thud/io.h"
#include "thud/kind.h"
#include "thud/thud.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One example of every family. */
static const struct {
  const char *family, *scene;
} families[] = {{"sweep", "jump.yaml"},
                {"stepping", "pendulum-with-wall.yaml"},
                {"event", "event-driven/bouncing-ball-to-rest.yaml"},
                {"quasistatic", "quasistatic/two-feet.yaml"},
                {"friction", "composed/slip-systems.yaml"},
                {"line", "elastic/string-on-floor.yaml"},
                {"surface", "elastic/membrane-dragged.yaml"},
                {"punch", "elastic/punch-cycle.yaml"},
                {"body", "bodies/ball-on-slope.yaml"}};
enum { FAMILIES = sizeof families / sizeof *families, MOST_CALLS = 100000 };

typedef struct listener {
  thud_context *context;
  bool stops;         /* always */
  size_t fails;       /* at this call, from 1; 0: never */
  const char *reason; /* left in the context then; NULL: nothing */
  size_t count;
  char calls[MOST_CALLS + 1]; /* "fffef": frames and events */
} listener;

static int listen(listener *heard, char what) {
  assert_true(heard->count < MOST_CALLS);
  heard->calls[heard->count++] = what;
  if (heard->count == heard->fails) {
    if (heard->reason != NULL) (void)thud_fail(heard->context, THUD_ERROR_FILE, "%s", heard->reason);
    return -3;
  }
  return heard->stops;
}

static int hear_frame(void *user, const void *frame) {
  (void)frame;
  return listen(user, 'f');
}

static int hear_event(void *user, const void *event) {
  (void)event;
  return listen(user, 'e');
}

static thud_scene *build_example(thud_context *context, const char *name) {
  const char *source = getenv("THUD_SOURCE_DIR");
  char path[512];
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  snprintf(path, sizeof path, "%s/examples/%s", source != NULL ? source : "../..", name);
  thud_error error = thud_tree_read_file(context, path, &tree);
  if (error == THUD_OK) error = thud_scene_build(context, tree, &scene);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  thud_tree_destroy(tree);
  return scene;
}

/* To the end, or to the first error. */
static thud_error listen_to(thud_motion *motion, listener *heard) {
  const thud_motion_sink sink = {.frame = hear_frame, .event = hear_event, .user = heard};
  thud_reached reached = {0};
  thud_error error = THUD_OK;
  while (error == THUD_OK && (reached.status == THUD_MOTION_RUNNING || reached.status == THUD_MOTION_STOPPED))
    error = thud_motion_step(motion, &sink, &reached);
  return error;
}

/* A listener to a new motion of family k. */
static thud_error hear_family(size_t k, listener *heard, char *message, size_t capacity) {
  thud_context *context = thud_test_context(1);
  thud_scene *scene = build_example(context, families[k].scene);
  thud_motion *motion = ((thud_kind_object *)thud_scene_motion(scene))->motion;
  assert_string_equal(thud_motion_family(motion), families[k].family);
  heard->context = context;
  thud_error error = listen_to(motion, heard);
  snprintf(message, capacity, "%s", thud_context_last_message(context));
  thud_scene_destroy(scene);
  thud_test_context_end(context);
  return error;
}

static void a_sink_that_stops_in_every_step_receives_everything(void **state) {
  (void)state;
  char message[256];
  for (size_t k = 0; k < FAMILIES; k++) {
    listener *whole = calloc(1, sizeof *whole), *stopped = calloc(1, sizeof *stopped);
    stopped->stops = true;
    assert_int_equal(hear_family(k, whole, message, sizeof message), THUD_OK);
    assert_int_equal(hear_family(k, stopped, message, sizeof message), THUD_OK);
    if (whole->count <= 4) fail_msg("%s: %zu calls are too few for this test", families[k].family, whole->count);
    if (strcmp(whole->calls, stopped->calls) != 0)
      fail_msg("%s: %zu calls without stops, %zu with them", families[k].family, whole->count, stopped->count);
    free(whole);
    free(stopped);
  }
}

/* At the first and at a later call. */
static void a_sink_that_fails_is_quoted_by_every_family(void **state) {
  (void)state;
  static const char reason[] = "no room is left on the device";
  char message[256];
  for (size_t k = 0; k < FAMILIES; k++)
    for (size_t call = 1; call <= 4; call += 3) {
      listener *heard = calloc(1, sizeof *heard);
      heard->fails = call;
      heard->reason = reason;
      assert_int_equal(hear_family(k, heard, message, sizeof message), THUD_ERROR_CALLBACK);
      assert_string_equal(message, reason);
      thud_assert_equal(heard->count, call); /* nothing more was handed out */
      heard->count = 0;
      heard->reason = NULL;
      assert_int_equal(hear_family(k, heard, message, sizeof message), THUD_ERROR_CALLBACK);
      assert_string_equal(message, heard->calls[call - 1] == 'f' ? "the function that receives frames failed (-3)"
                                                                 : "the function that receives events failed (-3)");
      free(heard);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_sink_that_stops_in_every_step_receives_everything),
                                     cmocka_unit_test(a_sink_that_fails_is_quoted_by_every_family)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
