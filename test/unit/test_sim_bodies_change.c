/* Changes of a running motion of rigid bodies: ids, states, impulses, forces, laws; closed forms and what is refused. */
#include "body_scenes.h"
#include "failing_allocator.h"

#include <stdlib.h>
#include <string.h>

static const double H = 0.01;

static void step(thud_motion *motion, int count) {
  for (int k = 0; k < count; k++) assert_int_equal(body_scene_step(motion, NULL), THUD_OK);
}

static thud_body_state state_of(const thud_motion *motion, thud_body_id id) {
  thud_body_state state;
  assert_int_equal(thud_body_motion_get_state(motion, id, &state), THUD_OK);
  return state;
}

static thud_body_def bar(void) {
  thud_body_def def = thud_body_def_default();
  def.mass = 2;
  def.inertia = thud_mat3_diagonal(0.1, 0.2, 0.25);
  def.pose.rotation = thud_quat_from_rotation_vector(thud_vec3_make(0.3, -0.5, 0.2));
  return def;
}

static void assert_message(const thud_context *context, const char *part) {
  if (strstr(thud_context_last_message(context), part) == NULL)
    fail_msg("'%s' does not stand in '%s'", part, thud_context_last_message(context));
}

/* m dv = P and dL = lever x P + M exactly; the ledger books dK. Tolerances: a few roundings of numbers around 10. */
static void an_impulse_changes_momenta_by_itself(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 0, 0, 0);
  thud_body_def def = bar();
  def.velocity = thud_vec3_make(1, 2, 3);
  def.spin = thud_vec3_make(0.5, -0.4, 0.3);
  thud_body_id id;
  assert_int_equal(thud_bodies_add(scene.bodies, &def, &id), THUD_OK);
  thud_motion *motion = body_scene_motion(&scene, H, 10, 0);
  step(motion, 3);
  thud_body_state before = state_of(motion, id);
  double kinetic = thud_body_motion_present(motion).ledger.kinetic;
  thud_body_push push = thud_body_push_default();
  push.force = thud_vec3_make(4, -6, 1);
  push.torque = thud_vec3_make(0.2, 0.1, -0.3);
  push.at_point = true;
  thud_vec3 lever = thud_vec3_make(0.3, 0.1, -0.2);
  push.point = thud_vec3_add(before.position, lever);
  assert_int_equal(thud_body_motion_apply_impulse(motion, id, &push), THUD_OK);
  thud_body_state after = state_of(motion, id);
  thud_assert_near(after.velocity.x - before.velocity.x, 2, 1e-14);
  thud_assert_near(after.velocity.y - before.velocity.y, -3, 1e-14);
  thud_mat3 R = thud_quat_to_matrix(before.rotation);
  thud_mat3 I = thud_mat3_multiply(R, thud_mat3_multiply(def.inertia, thud_mat3_transpose(R)));
  thud_vec3 change = thud_mat3_apply(I, thud_vec3_subtract(after.spin, before.spin));
  thud_vec3 moment = thud_vec3_add(push.torque, thud_vec3_cross(lever, push.force));
  thud_assert_near(thud_vec3_distance(change, moment), 0, 1e-14);
  thud_body_ledger ledger = thud_body_motion_present(motion).ledger;
  double expected =
      thud_vec3_dot(after.velocity, after.velocity) + 0.5 * thud_vec3_dot(after.spin, thud_mat3_apply(I, after.spin));
  thud_assert_near(ledger.kinetic, expected, 1e-13);
  thud_assert_near(ledger.work, expected - kinetic, 1e-13);
  step(motion, 7);
  thud_assert_near(thud_body_motion_present(motion).ledger.defect, 0, 1e-12);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* A force over one step gives h F/m once, a lasting one in every step until it is taken back. */
static void forces_act_for_one_step_or_until_taken_back(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 0, 0, 0);
  thud_body_def def = bar();
  thud_body_id id;
  assert_int_equal(thud_bodies_add(scene.bodies, &def, &id), THUD_OK);
  thud_motion *motion = body_scene_motion(&scene, H, 100, 0);
  thud_body_push push = thud_body_push_default();
  push.force = thud_vec3_make(6, 0, 0);
  assert_int_equal(thud_body_motion_apply_force(motion, id, &push), THUD_OK);
  assert_int_equal(thud_body_motion_apply_force(motion, id, &push), THUD_OK); /* both add up */
  step(motion, 5);
  thud_assert_near(state_of(motion, id).velocity.x, H * 12 / 2, 1e-16);
  push.lasting = true;
  assert_int_equal(thud_body_motion_apply_force(motion, id, &push), THUD_OK);
  step(motion, 20);
  assert_int_equal(thud_body_motion_release_forces(motion, id), THUD_OK);
  step(motion, 20);
  thud_assert_near(state_of(motion, id).velocity.x, H * 12 / 2 + 20 * H * 6 / 2, 1e-14);
  thud_body_ledger ledger = thud_body_motion_present(motion).ledger;
  thud_assert_near(ledger.work, ledger.kinetic, 1e-14);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* A constant force at a point of a disc in the plane, a distance a from its centre, is a pendulum in its field:
 * I th''= -a F sin th; the energy integral I w^2/2 = a F (cos th - cos th0) holds to second order in h. Two such forces
 * at opposite points cancel exactly in the sum of forces, and double the torque. */
static double pendulum_error(thud_context *context, thud_index steps) {
  body_scene scene = body_scene_begin(context, true, 0, 0, 0);
  thud_body_def def = thud_body_def_default();
  def.mass = 1;
  def.inertia = thud_mat3_diagonal(0, 0, 0.5);
  thud_body_id id;
  assert_int_equal(thud_bodies_add(scene.bodies, &def, &id), THUD_OK);
  thud_motion *motion = body_scene_motion(&scene, 1.0 / steps, steps, 0);
  for (int side = -1; side <= 1; side += 2) {
    thud_body_push push = thud_body_push_default();
    push.force = thud_vec3_make(0, 3 * side, 0);
    push.at_point = push.lasting = true;
    push.point = thud_vec3_make(0.4 * side, 0, 0);
    assert_int_equal(thud_body_motion_apply_force(motion, id, &push), THUD_OK);
  }
  step(motion, (int)steps);
  thud_body_state end = state_of(motion, id);
  assert_true(end.velocity.x == 0 && end.velocity.y == 0);
  double angle = 2 * atan2(end.rotation.z, end.rotation.w);
  /* torque 2 * 0.4 * 3 cos(angle): w^2/2 * I = 2.4 sin(angle) */
  double error = fabs(0.25 * end.spin.z * end.spin.z - 2.4 * sin(angle));
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  return error;
}

static void a_force_stays_at_its_point_of_a_turning_body(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double coarse = pendulum_error(context, 100), fine = pendulum_error(context, 200);
  thud_assert_less(fine, 1e-4);
  thud_assert_near(log2(coarse / fine), 2, 0.1);
  thud_test_context_end(context);
}

/* Ids: a removed body is refused by name, the others keep theirs, and bodies far away do not notice, bit by bit. */
static void a_removed_body_is_refused_by_name(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  uint64_t height[2];
  for (int removes = 0; removes < 2; removes++) {
    body_scene scene = body_scene_begin(context, false, 9.81, 0.4, 0.5);
    body_scene_floor(&scene);
    thud_index ball = body_scene_sphere(&scene, 0.1);
    thud_body_def def = thud_body_def_default();
    def.name = "left";
    def.pose.position = thud_vec3_make(-3, 0, 0.5);
    thud_body_id left = body_scene_place(&scene, &def, ball, 1000), right = body_scene_add(&scene, ball, 3, 0, 0.4);
    thud_motion *motion = body_scene_motion(&scene, H, 60, 0);
    step(motion, 10);
    assert_true(thud_body_motion_is_present(motion, left));
    if (removes) assert_int_equal(thud_body_motion_remove(motion, left), THUD_OK);
    assert_int_equal(thud_body_motion_is_present(motion, left), !removes);
    assert_true(thud_body_motion_is_present(motion, right));
    if (removes) {
      thud_body_state seen;
      assert_int_equal(thud_body_motion_get_state(motion, left, &seen), THUD_ERROR_NOT_FOUND);
      assert_message(context, "body 'left' was removed");
      assert_int_equal(thud_body_motion_remove(motion, left), THUD_ERROR_NOT_FOUND);
      assert_int_equal(thud_body_motion_add(motion, left, NULL), THUD_ERROR_NOT_FOUND);
      assert_message(context, "body 'left' was removed");
    }
    step(motion, 50);
    thud_body_frame frame = thud_body_motion_present(motion);
    assert_int_equal(frame.absent[1], removes);
    double z = state_of(motion, right).position.z;
    memcpy(&height[removes], &z, sizeof z);
    thud_assert_near(frame.ledger.defect, 0, 1e-10);
    thud_motion_destroy(motion);
    body_scene_end(&scene);
  }
  assert_true(height[0] == height[1]);
  thud_test_context_end(context);
}

/* A stack whose middle box is taken out falls; the energy that went with the box is booked. */
static void what_rested_on_a_removed_body_falls(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int sleeps = 0; sleeps < 2; sleeps++) {
    body_scene scene = body_scene_begin(context, false, 9.81, 0.5, 0);
    body_scene_floor(&scene);
    thud_index box = body_scene_box(&scene, 0.2, 0.2, 0.2);
    thud_body_id id[3];
    for (int k = 0; k < 3; k++) id[k] = body_scene_add(&scene, box, 0, 0, 0.1 + 0.2 * k);
    thud_body_motion_options options = thud_body_motion_options_default();
    options.end = 2;
    options.steps = 200;
    options.sleep = sleeps;
    options.sleep_speed = 1e-3;
    options.sleep_time = 0.2;
    thud_motion *motion;
    assert_int_equal(thud_body_motion_create(context, scene.bodies, &options, &motion), THUD_OK);
    step(motion, 50);
    thud_body_frame frame = thud_body_motion_present(motion);
    assert_int_equal(frame.asleep[3], sleeps);
    assert_int_equal(thud_body_motion_remove(motion, id[1]), THUD_OK);
    step(motion, 100);
    thud_assert_near(state_of(motion, id[2]).position.z, 0.3, 1e-4);
    thud_assert_near(state_of(motion, id[0]).position.z, 0.1, 1e-4);
    thud_motion_destroy(motion);
    body_scene_end(&scene);
  }
  thud_test_context_end(context);
}

/* Bodies that the model gets while the motion runs: absent until they are added. Those that leave the model take their
 * numbers with them; ids do not change. */
static void the_model_may_grow_and_shrink(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 9.81, 0.4, 0);
  body_scene_floor(&scene);
  thud_index ball = body_scene_sphere(&scene, 0.1);
  thud_body_id first = body_scene_add(&scene, ball, 0, 0, 0.1);
  thud_motion *motion = body_scene_motion(&scene, H, 200, 0);
  step(motion, 10);
  thud_body_id second = body_scene_add(&scene, ball, 1, 0, 0.5);
  assert_false(thud_body_motion_is_present(motion, second));
  step(motion, 10);
  assert_int_equal(thud_body_motion_present(motion).count, 3);
  thud_body_state fast = {.position = {1, 0, 2}, .rotation = thud_quat_identity(), .velocity = {0, 1, 0}};
  assert_int_equal(thud_body_motion_add(motion, second, &fast), THUD_OK);
  step(motion, 10);
  thud_body_state now = state_of(motion, second);
  thud_assert_near(now.position.y, 0.1, 1e-14);
  thud_assert_near(now.position.z, 2 - 0.5 * 9.81 * 0.01, 1e-14);
  assert_int_equal(thud_body_motion_add(motion, second, NULL), THUD_ERROR_ARGUMENT);
  /* the first one leaves the model */
  assert_int_equal(thud_bodies_remove(scene.bodies, first), THUD_OK);
  step(motion, 10);
  assert_int_equal(thud_body_motion_present(motion).count, 2);
  assert_int_equal(thud_bodies_number(scene.bodies, second), 1);
  thud_assert_near(state_of(motion, second).position.y, 0.2, 1e-14);
  thud_body_state seen;
  assert_int_equal(thud_body_motion_get_state(motion, first, &seen), THUD_ERROR_NOT_FOUND);
  /* its place in the table of ids is used again, with another generation */
  thud_body_id third = body_scene_add(&scene, ball, -1, 0, 0.1);
  assert_int_equal(third.index1, first.index1);
  assert_int_not_equal(third.generation, first.generation);
  assert_int_equal(thud_body_motion_add(motion, third, NULL), THUD_OK);
  assert_int_equal(thud_body_motion_get_state(motion, first, &seen), THUD_ERROR_NOT_FOUND);
  step(motion, 60);
  thud_body_frame frame = thud_body_motion_present(motion);
  thud_assert_near(frame.ledger.defect, 0, 1e-10);
  thud_assert_near(state_of(motion, third).position.z, 0.1, 1e-5);
  thud_body_id by_number = thud_bodies_id(scene.bodies, 2);
  assert_true(by_number.index1 == third.index1 && by_number.generation == third.generation);
  assert_int_equal(thud_bodies_id(scene.bodies, 3).index1, 0);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* A block slides with mu = 0.5, then its material is exchanged for one without friction, then the law of the pair gets
 * mu = 0.2: v' = -mu g each time, exactly up to the solver's tolerance. */
static void laws_can_be_switched(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 10, 0.5, 0);
  thud_surface_law smooth = thud_surface_law_default();
  thud_index ice;
  assert_int_equal(thud_bodies_add_material(scene.bodies, "ice", &smooth, &ice), THUD_OK);
  body_scene_floor(&scene);
  thud_body_def def = thud_body_def_default();
  def.pose.position = thud_vec3_make(0, 0, 0.05);
  def.velocity = thud_vec3_make(10, 0, 0);
  thud_body_id id = body_scene_place(&scene, &def, body_scene_box(&scene, 0.4, 0.4, 0.1), 1000);
  thud_motion *motion = body_scene_motion(&scene, H, 60, 1e-12);
  step(motion, 20);
  thud_assert_near(state_of(motion, id).velocity.x, 9, 1e-9);
  assert_int_equal(thud_body_motion_set_material(motion, id, 0, ice), THUD_OK);
  step(motion, 20);
  thud_assert_near(state_of(motion, id).velocity.x, 9, 1e-9);
  smooth.friction = 0.2;
  assert_int_equal(thud_body_motion_set_pair(motion, ice, scene.material, &smooth), THUD_OK);
  step(motion, 20);
  thud_assert_near(state_of(motion, id).velocity.x, 8.6, 1e-9);
  assert_int_equal(thud_body_motion_set_material(motion, id, -1, ice), THUD_ERROR_ARGUMENT); /* it has ended */
  assert_message(context, "has ended");
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

static void what_is_refused_changes_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 9.81, 0.4, 0);
  thud_body_id floor_id = body_scene_floor(&scene);
  thud_index ball = body_scene_sphere(&scene, 0.1);
  thud_body_id a = body_scene_add(&scene, ball, 0, 0, 0.1), b = body_scene_add(&scene, ball, 1, 0, 0.1);
  thud_motion *motion = body_scene_motion(&scene, H, 20, 0);
  step(motion, 5);
  uint64_t hash = thud_body_motion_hash(motion);
  thud_body_state at = state_of(motion, a);
  at.position.x = 0.9;
  assert_int_equal(thud_body_motion_set_state(motion, a, &at), THUD_ERROR_ARGUMENT);
  assert_message(context, "would overlap");
  at.position.x = NAN;
  assert_int_equal(thud_body_motion_set_state(motion, a, &at), THUD_ERROR_NOT_FINITE);
  at = state_of(motion, floor_id);
  assert_int_equal(thud_body_motion_set_state(motion, floor_id, &at), THUD_ERROR_ARGUMENT);
  assert_message(context, "is fixed");
  thud_body_push push = thud_body_push_default();
  assert_int_equal(thud_body_motion_apply_impulse(motion, floor_id, &push), THUD_ERROR_ARGUMENT);
  push.force.x = INFINITY;
  assert_int_equal(thud_body_motion_apply_force(motion, b, &push), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_body_motion_set_material(motion, a, 1, 0), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_body_motion_set_material(motion, a, 0, 7), THUD_ERROR_ARGUMENT);
  thud_surface_law law = thud_surface_law_default();
  law.rolling = 0.01;
  assert_int_equal(thud_body_motion_set_pair(motion, 0, 0, &law), THUD_ERROR_ARGUMENT);
  assert_message(context, "rolling");
  law.rolling = 0;
  law.restitution = 2;
  assert_int_equal(thud_body_motion_set_pair(motion, 0, 0, &law), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_body_motion_release_forces(motion, (thud_body_id){99, 1}), THUD_ERROR_NOT_FOUND);
  assert_true(thud_body_motion_hash(motion) == hash);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

static int refuse(void *user, const thud_body_change *change) {
  int *seen = user;
  seen[change->kind]++;
  return change->kind == THUD_BODY_CHANGE_REMOVE;
}

/* Whoever is told of changes may refuse them; and with them told, the model must stay as it was. */
static void changes_are_told_before_they_are_made(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 9.81, 0.4, 0);
  body_scene_floor(&scene);
  thud_index ball = body_scene_sphere(&scene, 0.1);
  thud_body_id a = body_scene_add(&scene, ball, 0, 0, 0.1);
  thud_motion *motion = body_scene_motion(&scene, H, 20, 0);
  int seen[THUD_BODY_CHANGES] = {0};
  assert_int_equal(thud_body_motion_set_changes(motion, refuse, NULL, seen), THUD_OK);
  assert_int_equal(thud_body_motion_remove(motion, a), THUD_ERROR_CALLBACK);
  assert_true(thud_body_motion_is_present(motion, a));
  thud_body_push push = thud_body_push_default();
  assert_int_equal(thud_body_motion_apply_force(motion, a, &push), THUD_OK);
  assert_int_equal(seen[THUD_BODY_CHANGE_REMOVE], 1);
  assert_int_equal(seen[THUD_BODY_CHANGE_FORCE], 1);
  step(motion, 1);
  body_scene_add(&scene, ball, 1, 0, 0.1);
  assert_int_equal(body_scene_step(motion, NULL), THUD_ERROR_ARGUMENT);
  assert_message(context, "recorded");
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* Forces, laws, materials and absent bodies are part of the state: bits after a restore are those without it. */
static void changes_survive_a_checkpoint(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 9.81, 0.4, 0.3);
  body_scene_floor(&scene);
  thud_index ball = body_scene_sphere(&scene, 0.1);
  thud_body_id id[3];
  thud_body_def def = thud_body_def_default();
  def.absent = true;
  for (int k = 0; k < 3; k++) {
    def.pose.position = thud_vec3_make(0.5 * k, 0, 0.3);
    id[k] = body_scene_place(&scene, &def, ball, 1000);
  }
  thud_motion *motion = body_scene_motion(&scene, H, 100, 0);
  assert_int_equal(thud_body_motion_add(motion, id[0], NULL), THUD_OK);
  assert_int_equal(thud_body_motion_add(motion, id[1], NULL), THUD_OK);
  thud_body_push push = thud_body_push_default();
  push.force = thud_vec3_make(3, 1, 0);
  push.lasting = true;
  assert_int_equal(thud_body_motion_apply_force(motion, id[0], &push), THUD_OK);
  thud_surface_law law = thud_surface_law_default();
  law.friction = 0.1;
  assert_int_equal(thud_body_motion_set_pair(motion, 0, 0, &law), THUD_OK);
  step(motion, 30);
  size_t size = thud_motion_state_size(motion);
  void *saved = malloc(size);
  assert_non_null(saved);
  thud_motion_save(motion, saved);
  step(motion, 40);
  uint64_t hash = thud_body_motion_hash(motion);
  assert_int_equal(thud_body_motion_remove(motion, id[1]), THUD_OK);
  assert_int_equal(thud_body_motion_add(motion, id[2], NULL), THUD_OK);
  step(motion, 10);
  assert_int_equal(thud_motion_restore(motion, saved, size), THUD_OK);
  assert_true(thud_body_motion_is_present(motion, id[1]));
  assert_false(thud_body_motion_is_present(motion, id[2]));
  step(motion, 40);
  assert_true(thud_body_motion_hash(motion) == hash);
  free(saved);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

static thud_error grow_once(thud_context *context, void *user) {
  (void)user;
  thud_bodies *bodies = NULL;
  thud_motion *motion = NULL;
  thud_body_motion_options options = thud_body_motion_options_default();
  thud_body_def def = bar();
  thud_body_id id;
  options.end = 1;
  options.steps = 10;
  thud_error error = thud_bodies_create(context, NULL, &bodies);
  if (error == THUD_OK) error = thud_bodies_add(bodies, &def, &id);
  if (error == THUD_OK) error = thud_body_motion_create(context, bodies, &options, &motion);
  if (error == THUD_OK) error = thud_bodies_add(bodies, &def, &id);
  if (error == THUD_OK) error = thud_body_motion_add(motion, id, NULL);
  if (error == THUD_OK) error = body_scene_step(motion, NULL);
  thud_motion_destroy(motion);
  thud_bodies_destroy(bodies);
  return error;
}

static void every_failing_allocation_is_survived(void **state) {
  (void)state;
  thud_assert_greater((double)thud_test_sweep_allocations(grow_once, NULL), 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_impulse_changes_momenta_by_itself),
      cmocka_unit_test(forces_act_for_one_step_or_until_taken_back),
      cmocka_unit_test(a_force_stays_at_its_point_of_a_turning_body),
      cmocka_unit_test(a_removed_body_is_refused_by_name),
      cmocka_unit_test(what_rested_on_a_removed_body_falls),
      cmocka_unit_test(the_model_may_grow_and_shrink),
      cmocka_unit_test(laws_can_be_switched),
      cmocka_unit_test(what_is_refused_changes_nothing),
      cmocka_unit_test(changes_are_told_before_they_are_made),
      cmocka_unit_test(changes_survive_a_checkpoint),
      cmocka_unit_test(every_failing_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
