/* Saved states of rigid bodies with joints: what only joints keep in them is restored, and refused where no motion has it. */
#include "body_scenes.h"

#include "motions/bodies/body_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BEFORE = 30, AFTER = 40 };

static body_motion *inside(thud_motion *motion) { return (body_motion *)motion; }

/* A door on two ball joints, one row of which depends on the others. */
static thud_motion *swing(body_scene *scene, thud_context *context) {
  *scene = body_scene_begin(context, false, 9.81, 0.3, 0);
  thud_body_def def = thud_body_def_default();
  def.pose.position.x = 0.5;
  def.velocity.y = 0.5;
  def.spin.z = 1;
  thud_body_id door = body_scene_place(scene, &def, body_scene_box(scene, 1, 0.04, 2), 1000);
  for (int k = 0; k < 2; k++) {
    thud_joint_def joint = thud_joint_def_default();
    joint.kind = THUD_JOINT_BALL;
    joint.a = door;
    assert_int_equal(thud_bodies_place_joint(scene->bodies, thud_vec3_make(0, 0, k == 0 ? 0.8 : -0.8), NULL, &joint),
                     THUD_OK);
    assert_int_equal(thud_bodies_add_joint(scene->bodies, &joint), THUD_OK);
  }
  thud_motion *motion = body_scene_motion(scene, 5e-3, BEFORE + AFTER, 0);
  for (int k = 0; k < BEFORE; k++) assert_int_equal(body_scene_step(motion, NULL), THUD_OK);
  return motion;
}

static void end(thud_motion *motion, body_scene *scene, thud_context *context) {
  thud_motion_destroy(motion);
  body_scene_end(scene);
  thud_test_context_end(context);
}

/* The rows left out and the rates before decide about the next steps: a new motion goes on as the old one does. */
static void a_restored_motion_goes_on_with_the_same_bits(void **state) {
  (void)state;
  thud_context *contexts[2];
  body_scene scenes[2];
  thud_motion *motions[2];
  for (int k = 0; k < 2; k++) {
    contexts[k] = thud_test_context(1);
    motions[k] = swing(&scenes[k], contexts[k]);
  }
  size_t size = thud_motion_state_size(motions[0]);
  void *saved = malloc(size);
  assert_non_null(saved);
  thud_motion_save(motions[0], saved);
  assert_int_equal(inside(motions[0])->state.out[0] | inside(motions[0])->state.out[1], 4); /* one of them: along z */
  for (int k = 0; k < AFTER; k++)
    for (int m = 0; m < 2; m++) assert_int_equal(body_scene_step(motions[m], NULL), THUD_OK);
  uint64_t hash = thud_body_motion_hash(motions[0]);
  assert_int_equal(thud_motion_restore(motions[1], saved, size), THUD_OK);
  for (int k = 0; k < AFTER; k++) assert_int_equal(body_scene_step(motions[1], NULL), THUD_OK);
  assert_true(thud_body_motion_hash(motions[1]) == hash);
  free(saved);
  for (int k = 0; k < 2; k++) end(motions[k], &scenes[k], contexts[k]);
}

/* The state with `count` bytes of the array `at` replaced is refused with that word, and changes nothing. */
static void refuse(thud_motion *motion, const void *at, const void *bytes, size_t count, const char *word) {
  size_t size = thud_motion_state_size(motion);
  unsigned char *saved = malloc(size);
  assert_non_null(saved);
  thud_motion_save(motion, saved);
  memcpy(saved + ((const unsigned char *)at - (const unsigned char *)inside(motion)->state.block), bytes, count);
  uint64_t hash = thud_body_motion_hash(motion);
  assert_int_equal(thud_motion_restore(motion, saved, size), THUD_ERROR_FORMAT);
  assert_non_null(strstr(thud_context_last_message(motion->context), word));
  assert_true(thud_body_motion_hash(motion) == hash);
  free(saved);
}

static void what_no_joint_has_is_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene;
  thud_motion *motion = swing(&scene, context);
  const body_state *now = &inside(motion)->state;
  const double wrong[] = {NAN, INFINITY, -1};
  for (size_t k = 0; k < 2; k++) refuse(motion, now->rate + 3, &wrong[k], sizeof *wrong, "rates of joints");
  for (size_t k = 0; k < 3; k++) refuse(motion, now->usual + 1, &wrong[k], sizeof *wrong, "rates of joints");
  for (unsigned bit = 3; bit < 8; bit++) { /* a ball joint has three rows */
    const unsigned char rows = (unsigned char)(1u << bit);
    refuse(motion, now->out + 1, &rows, 1, "rows of joints");
  }
  refuse(motion, now->jolted, "\2", 1, "flags of bodies");
  end(motion, &scene, context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_restored_motion_goes_on_with_the_same_bits),
                                     cmocka_unit_test(what_no_joint_has_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
