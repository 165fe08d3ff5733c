/* The residual that steps of bodies are judged by: it sees light bodies and slow islands, where the usual figure does not. */
#include "body_scenes.h"

#include "sim/bodies/bodies.h"

/* A ball of 1 mg at rest on the floor and, far away, a block of 8 t that slides at 100 m/s; one step with h g = 0.05. */
static thud_body_motion *light_and_fast(body_scene *scene, thud_context *context) {
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
  thud_body_motion *motion = body_scene_motion(scene, 5e-3, 1, 0);
  body_scene_run(motion);
  return motion;
}

/* Twice the right impulse throws the ball up although e = 0. */
static void a_light_body_with_twice_its_impulse_is_seen(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene;
  thud_body_motion *motion = light_and_fast(&scene, context);
  body_contacts *c = &motion->contacts;
  thud_index k = 0;
  while (k < c->count && c->body_a[k] != 1) k++;
  thud_assert_less(k, c->count);
  thud_index island = c->island[k], at = motion->problem.contact_start[island];
  assert_true(motion->problem.islands[island].solved);
  thud_assert_near(c->r[3 * k], 1e-6 * 0.05, 1e-14);
  c->r[3 * k] *= 2;
  motion->problem.r[3 * at] *= 2;
  c->u[3 * k] += 0.05;
  thud_bodies_judge_island(motion, island);
  thud_assert_near(motion->problem.islands[island].residual, 1, 1e-6); /* as wrong as no impulse at all */
  assert_false(motion->problem.islands[island].solved);
  thud_assert_equal(motion->problem.islands[island].worst, k);
  thud_assert_less(thud_bodies_usual_residual(motion), 1e-8); /* |r - ...| = 1e-7 beside |q| of 200 m/s */
  thud_body_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_light_body_with_twice_its_impulse_is_seen)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
