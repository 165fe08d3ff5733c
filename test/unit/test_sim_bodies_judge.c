/* The residual that steps of bodies are judged by: it sees light bodies and slow islands, where the usual figure does not. */
#include "body_scenes.h"

#include "motions/bodies/body_motion.h"

static body_motion *inside(thud_motion *motion) { return (body_motion *)motion; }

/* A ball of 1 mg at rest on the floor and, far away, a block of 8 t that slides at 100 m/s; one step with h g = 0.05. */
static thud_motion *light_and_fast(body_scene *scene, thud_context *context) {
  *scene = body_scene_begin(context, false, 10, 0.3, 0);
  body_scene_floor(scene);
  thud_body_def def = thud_body_def_default();
  def.mass = 1e-6;
  def.pose.position.z = 0.001;
  body_scene_place(scene, &def, body_scene_sphere(scene, 0.001), 0);
  def = thud_body_def_default();
  def.pose.position = thud_vec3_make(50, 0, 1);
  def.velocity.x = 100;
  body_scene_place(scene, &def, body_scene_box(scene, 2, 2, 2), 1000);
  thud_motion *motion = body_scene_motion(scene, 5e-3, 1, 0);
  body_scene_run(motion);
  return motion;
}

/* Twice the right impulse throws the ball up although e = 0. */
static void a_light_body_with_twice_its_impulse_is_seen(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene;
  thud_motion *motion = light_and_fast(&scene, context);
  body_contacts *c = &inside(motion)->contacts;
  thud_index k = 0;
  while (k < c->count && c->body_a[k] != 1) k++;
  thud_assert_less(k, c->count);
  thud_index island = c->island[k], at = inside(motion)->problem.contact_start[island];
  assert_true(inside(motion)->problem.islands[island].solved);
  thud_assert_near(c->r[3 * k], 1e-6 * 0.05, 1e-14);
  c->r[3 * k] *= 2;
  inside(motion)->problem.r[3 * at] *= 2;
  c->u[3 * k] += 0.05;
  thud_bodies_judge_island(inside(motion), island);
  thud_assert_near(inside(motion)->problem.islands[island].residual, 1, 1e-6); /* as wrong as no impulse at all */
  assert_false(inside(motion)->problem.islands[island].solved);
  thud_assert_equal(inside(motion)->problem.islands[island].worst, k);
  thud_assert_less(thud_bodies_usual_residual(inside(motion)), 1e-8); /* |r - ...| = 1e-7 beside |q| of 200 m/s */
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* A box flies flat against a fixed plate without gravity and stops there (e = 0), or turns round (e = 1); or it touches the
 * plate from the start and does not move. In lengths of `size` metres: sums of squares neither vanish nor overflow. */
static void stop_without_gravity(double size, double speed, double e) {
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 0, 0.3, e);
  thud_body_def def = thud_body_def_default();
  def.role = THUD_BODY_FIXED;
  body_scene_place(&scene, &def, body_scene_box(&scene, 10 * size, 10 * size, size), 1);
  def = thud_body_def_default();
  def.pose.position.z = speed > 0 ? 1.3 * size : size;
  def.velocity.z = -speed * size;
  body_scene_place(&scene, &def, body_scene_box(&scene, size, size, size), 1);
  thud_motion *motion = body_scene_motion(&scene, 0.01, 100, 0);
  thud_body_motion_info info = body_scene_run(motion);
  thud_body_frame last = thud_body_motion_present(motion);
  thud_assert_equal(info.unsolved_islands, 0);
  thud_assert_at_most(info.worst_residual, 1e-8);
  /* what an impact leaves is its rounding: impulses of four corners, solved to 1e-8 */
  thud_assert_near(last.velocity[1].z, e * speed * size, 1e-8 * speed * size);
  if (!(speed > 0)) thud_assert_equal(last.usual_residual, 0);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

static void rest_without_gravity_has_a_residual(void **state) {
  (void)state;
  const double sizes[] = {1, 1e-3, 1e3, 1e-9, 1e12, 1e-12};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    for (int e = 0; e <= 1; e++) {
      stop_without_gravity(sizes[k], 1, e);
      stop_without_gravity(sizes[k], 0, e);
    }
  }
}

/* Impulses that the last step left behind are none where nothing is approached any more. */
static void old_impulses_are_dropped(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 0, 0.3, 0);
  body_scene_floor(&scene);
  thud_body_def def = thud_body_def_default();
  def.pose.position.z = 0.1;
  body_scene_place(&scene, &def, body_scene_sphere(&scene, 0.1), 1000);
  thud_motion *motion = body_scene_motion(&scene, 0.01, 100, 0);
  assert_int_equal(body_scene_step(motion, NULL), THUD_OK);
  thud_assert_equal(inside(motion)->state.now->carry_count, 1);
  inside(motion)->state.carry[0].impulse.z = 1e-9;
  thud_body_motion_info info = {0};
  assert_int_equal(body_scene_step(motion, &info), THUD_OK);
  thud_assert_equal(info.worst_residual, 0);
  thud_assert_equal(inside(motion)->contacts.r[0], 0);
  thud_assert_equal(thud_body_motion_present(motion).velocity[1].z, 0);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* A ball rolls on the floor beside a wall: what closes is g h on the floor, while |q| is the slip of 1 m/s at the wall, which
 * stays open. Islands share problems in units of what closes; in those of |q| the others would be asked for more. */
static void units_are_those_of_what_closes(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 10, 0.3, 0);
  thud_body_def def = thud_body_def_default();
  double h = 1e-4, velocity, mass;
  body_scene_floor(&scene);
  def.role = THUD_BODY_FIXED;
  def.pose.position = thud_vec3_make(0.2 + 1e-5, 0, 0.1);
  body_scene_place(&scene, &def, body_scene_box(&scene, 0.2, 0.2, 0.2), 1);
  def = thud_body_def_default();
  def.pose.position.z = 0.1;
  def.velocity.y = 1;
  def.spin.x = -10;
  body_scene_place(&scene, &def, body_scene_sphere(&scene, 0.1), 1000);
  thud_motion *motion = body_scene_motion(&scene, h, 3, 1e-4);
  body_scene_run(motion);
  const body_contacts *c = &inside(motion)->contacts;
  assert_int_equal(c->count, 2);
  thud_assert_near(fmax(c->threshold[0], c->threshold[1]), 1e-5 / h, 1e-6);
  thud_bodies_find_units(inside(motion), 0, &velocity, &mass);
  thud_assert_greater(velocity, 0.5 * 10 * h * (1 - 1e-6)); /* the power of 2 below g h */
  thud_assert_at_most(velocity, 10 * h * (1 + 1e-6));
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_light_body_with_twice_its_impulse_is_seen),
                                     cmocka_unit_test(rest_without_gravity_has_a_residual),
                                     cmocka_unit_test(old_impulses_are_dropped),
                                     cmocka_unit_test(units_are_those_of_what_closes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
