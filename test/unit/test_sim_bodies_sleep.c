/* Sleep: islands at rest are held by impulses that are judged in every step, and wake within the step that touches them. */
#include "body_scenes.h"

#include "motions/bodies/body_motion.h"

#include <math.h>
#include <stdlib.h>

static body_motion *inside(thud_motion *motion) { return (body_motion *)motion; }

static const double g = 9.81;

typedef struct seen {
  int sleeps, wakes;
  double wake_time; /* of the first */
} seen;

static int watch(void *user, const void *handed) {
  seen *saw = user;
  const thud_body_event *event = handed;
  if (event->kind == THUD_BODY_EVENT_SLEEP) saw->sleeps++;
  if (event->kind == THUD_BODY_EVENT_WAKE && saw->wakes++ == 0) saw->wake_time = event->t;
  return 0;
}

static thud_motion *start(body_scene *scene, double h, thud_index steps, bool sleep) {
  thud_body_motion_options options = thud_body_motion_options_default();
  options.sleep = sleep;
  options.steps = steps;
  options.end = h * (double)steps;
  thud_motion *motion = NULL;
  assert_int_equal(thud_body_motion_create(scene->context, scene->bodies, &options, &motion), THUD_OK);
  return motion;
}

static void finish(thud_motion *motion, body_scene *scene) {
  thud_context *context = scene->context;
  thud_motion_destroy(motion);
  body_scene_end(scene);
  thud_test_context_end(context);
}

/* saw may be NULL. */
static void make_steps(thud_motion *motion, int count, seen *saw) {
  const thud_motion_sink sink = {.event = saw != NULL ? watch : NULL, .user = saw};
  for (int k = 0; k < count; k++) assert_int_equal(body_scene_step_to(motion, &sink), THUD_OK);
}

static void run_to_end(thud_motion *motion, seen *saw) {
  const thud_motion_sink sink = {.event = saw != NULL ? watch : NULL, .user = saw};
  thud_reached reached;
  assert_int_equal(thud_motion_run(motion, &sink, &reached), THUD_OK);
  assert_int_equal(reached.status, THUD_MOTION_COMPLETED);
}

/* ---- struck ---------------------------------------------------------------------------------------------------------------- */

/* A row of three boxes on a floor without friction, which sleep, and a fast one that arrives at t = 1. */
static body_scene row_and_bullet(double e) {
  body_scene scene = body_scene_begin(thud_test_context(1), false, g, 0, e);
  body_scene_floor(&scene);
  thud_index box = body_scene_box(&scene, 0.2, 0.2, 0.2);
  for (int k = 0; k < 3; k++) body_scene_add(&scene, box, 0.2 * k, 0, 0.1);
  thud_body_def def = thud_body_def_default();
  def.pose.position = thud_vec3_make(-3.2, 0, 0.1);
  def.velocity.x = 3;
  body_scene_place(&scene, &def, box, 4000);
  return scene;
}

/* The floor pushes along z only: the momentum along x changes by rounding of each of the pushes, 2^-52 of it at most, of
 * which a step has 16 at 4 faces. */
static void what_strikes_sleepers_keeps_momentum(void **state) {
  (void)state;
  for (int bouncy = 0; bouncy <= 1; bouncy++) {
    body_scene scene = row_and_bullet(0.5 * bouncy);
    seen saw = {0};
    thud_motion *motion = start(&scene, 0.005, 300, true);
    const thud_bodies_view *model = &inside(motion)->model;
    double given = model->mass[4] * 3;
    for (int k = 0; k < 300; k++) {
      make_steps(motion, 1, &saw);
      thud_body_frame now = thud_body_motion_present(motion);
      double momentum = 0;
      for (thud_index i = 1; i < now.count; i++) momentum += model->mass[i] * now.velocity[i].x;
      thud_assert_near(momentum, given, 16 * (k + 1) * 0x1p-52 * given);
    }
    assert_int_equal(saw.sleeps, 3);
    assert_int_equal(saw.wakes, 3);
    thud_assert_near(saw.wake_time, 1, 2 * 0.005);
    thud_assert_greater(thud_body_motion_present(motion).velocity[3].x, 1);
    finish(motion, &scene);
  }
}

/* ---- held ------------------------------------------------------------------------------------------------------------------ */

/* A stack of three: impulses of sleepers are recorded in every step, carry what is above, and are judged. */
static void sleepers_are_held_by_their_impulses(void **state) {
  (void)state;
  const double h = 0.005;
  body_scene scene = body_scene_begin(thud_test_context(1), false, g, 0.5, 0);
  body_scene_floor(&scene);
  thud_index box = body_scene_box(&scene, 0.2, 0.2, 0.2);
  for (int k = 0; k < 3; k++) body_scene_add(&scene, box, 0.01 * k, 0, 0.1 + 0.2 * k);
  thud_motion *motion = start(&scene, h, 200, true);
  make_steps(motion, 150, NULL);
  thud_body_frame before = thud_body_motion_present(motion);
  thud_pose poses[4];
  for (int i = 0; i < 4; i++) poses[i] = before.pose[i];
  make_steps(motion, 50, NULL);
  thud_body_frame now = thud_body_motion_present(motion);
  for (int i = 1; i < 4; i++) {
    assert_true(now.asleep[i]);
    assert_memory_equal(&poses[i], &now.pose[i], sizeof poses[i]);
    thud_assert_equal(thud_vec3_norm(now.velocity[i]), 0);
  }
  double weight = h * inside(motion)->model.mass[1] * g, scale = inside(motion)->problem.islands[0].scale;
  thud_assert_at_most(now.residual, 1e-8);
  thud_assert_greater(scale, 0);
  thud_vec3 sum = {0};
  for (thud_index k = 0; k < now.contacts->count; k++)
    if (now.contacts->body_b[k] == 0) sum = thud_vec3_add(sum, now.contacts->force[k]);
  thud_assert_near(sum.z, 3 * weight, 3 * inside(motion)->model.mass[1] * 1e-8 * scale);
  thud_assert_near(sum.x, 0, 3 * inside(motion)->model.mass[1] * 1e-8 * scale);
  finish(motion, &scene);
}

/* A ball on a slope of 1e-4 rolls with 5/7 g sin(slope) = 7e-4 m/s^2 from rest: slower than sleep_speed for more than
 * sleep_time, and it does not sleep. */
static void what_speeds_up_does_not_sleep(void **state) {
  (void)state;
  const double slope = 1e-4, end = 3;
  body_scene scene = body_scene_begin(thud_test_context(1), false, g, 0.5, 0);
  thud_shape_def plane = thud_shape_def_default(THUD_SHAPE_PLANE);
  thud_body_def def = thud_body_def_default();
  def.role = THUD_BODY_FIXED;
  def.pose.rotation = thud_quat_from_rotation_vector(thud_vec3_make(0, slope, 0));
  body_scene_place(&scene, &def, body_scene_shape(&scene, &plane), 1);
  def = thud_body_def_default();
  def.pose.position = thud_vec3_make(0.1 * sin(slope), 0, 0.1 * cos(slope));
  body_scene_place(&scene, &def, body_scene_sphere(&scene, 0.1), 1000);
  seen saw = {0};
  thud_motion *motion = start(&scene, 0.005, 600, true);
  run_to_end(motion, &saw);
  assert_int_equal(saw.sleeps, 0);
  double way = thud_body_motion_present(motion).pose[1].position.x - 0.1 * sin(slope);
  double wanted = 0.5 * 5.0 / 7 * g * sin(slope) * end * end * cos(slope);
  thud_assert_near(way, wanted, 1e-6 * wanted);
  finish(motion, &scene);
}

/* ---- the same motion as without sleep -------------------------------------------------------------------------------------- */

typedef struct drive {
  double from, along, up; /* from this time on with these accelerations */
} drive;

static int follow(void *user, double t, thud_pose *pose, thud_vec3 *velocity, thud_vec3 *spin) {
  const drive *d = user;
  double s = fmax(t - d->from, 0);
  pose->position = thud_vec3_make(0.5 * d->along * s * s, 0, 0.5 * d->up * s * s - 0.05);
  *velocity = thud_vec3_make(d->along * s, 0, d->up * s);
  *spin = (thud_vec3){0};
  return 0;
}

static int push(void *user, double t, const thud_body_state *now, thud_vec3 *force, thud_vec3 *torque) {
  const drive *d = user;
  (void)now;
  (void)torque;
  *force = thud_vec3_make(t > d->from ? d->along : 0, 0, 0);
  return 0;
}

/* A table that begins to move, or stays; a tower on it, of which a body is pushed, or not; a ball that rolls against it. */
static body_scene random_scene(uint64_t seed, drive *table, drive *force) {
  thud_random random = thud_random_seed(seed);
  body_scene scene = body_scene_begin(thud_test_context(1), false, g, thud_random_uniform(&random, 0.3, 0.8), 0);
  bool moves = thud_random_below(&random, 2) == 0, pushed = thud_random_below(&random, 2) == 0;
  bool rolls = !moves && !pushed;
  *table = (drive){1, moves ? thud_random_uniform(&random, -6, 6) : 0, moves ? thud_random_uniform(&random, -4, 1) : 0};
  *force = (drive){thud_random_uniform(&random, 0.8, 1.2), pushed ? thud_random_uniform(&random, -40, 40) : 0, 0};
  thud_body_def def = thud_body_def_default();
  def.role = THUD_BODY_KINEMATIC;
  def.path = follow;
  def.path_user = table;
  body_scene_place(&scene, &def, body_scene_box(&scene, 12, 12, 0.1), 1);
  int count = 1 + (int)thud_random_below(&random, 3);
  for (int k = 0; k < count; k++) {
    def = thud_body_def_default();
    def.pose.position = thud_vec3_make(thud_random_uniform(&random, -0.01, 0.01), 0, 0.1 + 0.2 * k);
    if (k == count - 1) {
      def.force = push;
      def.force_user = force;
    }
    body_scene_place(&scene, &def, body_scene_box(&scene, 0.3, 0.3, 0.2), 1000);
  }
  if (!rolls) return scene;
  def = thud_body_def_default();
  def.pose.position = thud_vec3_make(-3, 0, 0.1);
  def.velocity.x = thud_random_uniform(&random, 2, 4);
  def.spin.y = def.velocity.x / 0.1;
  body_scene_place(&scene, &def, body_scene_sphere(&scene, 0.1), 1000);
  return scene;
}

/* What falls asleep loses a speed below sleep_speed, 1e-3 m/s: over 2 s places differ by 2e-3 m at most, as long as motions
 * are not chaotic. */
static void sleep_does_not_change_motions(void **state) {
  (void)state;
  enum { SCENES = 24 };
  int sleeps = 0, wakes = 0;
  for (uint64_t seed = 0; seed < SCENES; seed++) {
    thud_motion *motions[2];
    body_scene scenes[2];
    drive tables[2], forces[2];
    seen saw = {0};
    for (int k = 0; k < 2; k++) {
      scenes[k] = random_scene(seed, &tables[k], &forces[k]);
      motions[k] = start(&scenes[k], 0.005, 400, k == 1);
      run_to_end(motions[k], k == 1 ? &saw : NULL);
    }
    for (thud_index i = 0; i < inside(motions[0])->model.count; i++) {
      thud_body_frame awake = thud_body_motion_present(motions[0]), slept = thud_body_motion_present(motions[1]);
      thud_assert_at_most(thud_vec3_distance(awake.pose[i].position, slept.pose[i].position), 2e-3);
      thud_assert_at_most(thud_vec3_distance(awake.velocity[i], slept.velocity[i]), 2e-3);
    }
    sleeps += saw.sleeps;
    wakes += saw.wakes;
    for (int k = 0; k < 2; k++) finish(motions[k], &scenes[k]);
  }
  thud_assert_at_least(sleeps, SCENES); /* a tower in every scene */
  thud_assert_at_least(wakes, SCENES / 2);
}

/* ---- bits ------------------------------------------------------------------------------------------------------------------ */

static void sleepers_have_the_same_bits_after_a_resume(void **state) {
  (void)state;
  body_scene scene = row_and_bullet(0), other = row_and_bullet(0);
  thud_motion *whole = start(&scene, 0.005, 300, true);
  make_steps(whole, 150, NULL);
  assert_true(thud_body_motion_present(whole).asleep[1]);
  thud_motion *part = start(&other, 0.005, 300, true);
  size_t size = thud_motion_state_size(whole);
  void *saved = malloc(size);
  thud_motion_save(whole, saved);
  assert_int_equal(thud_motion_restore(part, saved, size), THUD_OK);
  for (int k = 0; k < 150; k++) {
    make_steps(whole, 1, NULL);
    make_steps(part, 1, NULL);
    thud_assert_equal(thud_body_motion_hash(whole), thud_body_motion_hash(part));
  }
  assert_false(thud_body_motion_present(part).asleep[1]);
  free(saved);
  finish(whole, &scene);
  finish(part, &other);
}

static uint64_t hash_on(int threads) {
  thud_context *context = thud_test_context(threads);
  body_scene scene = body_scene_begin(context, false, g, 0.5, 0);
  body_scene_floor(&scene);
  thud_index box = body_scene_box(&scene, 0.2, 0.2, 0.2);
  for (int k = 0; k < 12; k++)
    for (int j = 0; j < 3; j++) body_scene_add(&scene, box, 0.5 * k, 0, 0.1 + 0.2 * j);
  thud_body_def def = thud_body_def_default();
  def.pose.position = thud_vec3_make(2.2, 0, 4);
  body_scene_place(&scene, &def, body_scene_sphere(&scene, 0.2), 4000);
  seen saw = {0};
  thud_motion *motion = start(&scene, 0.005, 240, true);
  run_to_end(motion, &saw);
  thud_assert_at_least(saw.wakes, 3);
  thud_assert_at_most(saw.wakes, 20); /* the others sleep on */
  uint64_t hash = thud_body_motion_hash(motion);
  finish(motion, &scene);
  return hash;
}

static void sleepers_have_the_same_bits_on_threads(void **state) {
  (void)state;
  thud_assert_equal(hash_on(1), hash_on(4));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_strikes_sleepers_keeps_momentum),
                                     cmocka_unit_test(sleepers_are_held_by_their_impulses),
                                     cmocka_unit_test(what_speeds_up_does_not_sleep),
                                     cmocka_unit_test(sleep_does_not_change_motions),
                                     cmocka_unit_test(sleepers_have_the_same_bits_after_a_resume),
                                     cmocka_unit_test(sleepers_have_the_same_bits_on_threads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
