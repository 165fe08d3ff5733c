/* Rays and neighbours in a motion of rigid bodies, against asking every part. */
#include "body_scenes.h"

enum { BODIES = 300, ASKED = 200 };

static thud_vec3 random_vector(thud_random *random, double size) {
  return thud_vec3_make(thud_random_uniform(random, -size, size), thud_random_uniform(random, -size, size),
                        thud_random_uniform(random, -size, size));
}

/* Balls, boxes and capsules in space, far enough from each other not to overlap: one per cell of a grid. */
static thud_motion *scatter(body_scene *scene, thud_random *random) {
  thud_shape_def capsule = thud_shape_def_default(THUD_SHAPE_CAPSULE);
  capsule.radius = 0.15;
  capsule.half_length = 0.2;
  thud_index shapes[3] = {body_scene_sphere(scene, 0.3), body_scene_box(scene, 0.3, 0.4, 0.3),
                          body_scene_shape(scene, &capsule)};
  body_scene_floor(scene);
  for (int k = 0; k < BODIES; k++) {
    thud_body_def def = thud_body_def_default();
    def.pose.position = thud_vec3_make(k % 7 - 3, k / 7 % 7 - 3, k / 49 + 0.6);
    def.pose.rotation = thud_quat_from_rotation_vector(random_vector(random, 1.5));
    def.category = 1u << (k % 3);
    def.velocity = random_vector(random, 0.1);
    body_scene_place(scene, &def, shapes[k % 3], 1000);
  }
  return body_scene_motion(scene, 0.01, 10, 0);
}

static thud_pose part_pose(const thud_motion *motion, const thud_bodies_view *view, thud_index p) {
  thud_body_frame frame = thud_body_motion_present(motion);
  return thud_pose_compose(&frame.pose[view->part_body[p]], &view->part_pose[p]);
}

/* The same hits, bit by bit, in the order of their fractions; the closest one is the first. */
static void rays_meet_what_they_meet_part_by_part(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(11);
  body_scene scene = body_scene_begin(context, false, 9.81, 0.3, 0);
  thud_motion *motion = scatter(&scene, &random);
  thud_bodies_view view;
  int found = 0, nothing = 0;
  for (int round = 0; round < ASKED; round++) {
    if (round == ASKED / 2) assert_int_equal(body_scene_step(motion, NULL), THUD_OK);
    assert_int_equal(thud_bodies_get(scene.bodies, &view), THUD_OK);
    thud_ray ray = {random_vector(&random, 5), random_vector(&random, 9)};
    thud_body_query query = thud_body_query_default();
    query.mask = round % 2 == 0 ? UINT32_MAX : 1u << (round % 3);
    thud_body_hit hits[BODIES + 1], first = {0};
    size_t count = 0, expected = 0;
    bool met = false;
    assert_int_equal(thud_body_motion_cast_ray_all(motion, &ray, &query, BODIES + 1, hits, &count), THUD_OK);
    assert_int_equal(thud_body_motion_cast_ray(motion, &ray, &query, &first, &met), THUD_OK);
    for (thud_index p = 0; p < view.part_count; p++) {
      thud_pose pose = part_pose(motion, &view, p);
      thud_ray_hit hit;
      thud_index body = view.part_body[p];
      if ((view.def[body].category & query.mask) == 0) continue;
      if (!thud_shape_cast_ray(view.part_shape[p], &pose, &ray, &hit)) continue;
      size_t at = 0;
      while (at < count && hits[at].number != body) at++;
      assert_true(at < count);
      assert_true(hits[at].fraction == hit.fraction && hits[at].inside == hit.inside && hits[at].part == 0);
      assert_true(thud_vec3_distance(hits[at].normal, hit.normal) == 0);
      thud_body_id id = thud_bodies_id(scene.bodies, body);
      assert_true(hits[at].body.index1 == id.index1 && hits[at].body.generation == id.generation);
      expected++;
    }
    assert_int_equal(count, expected);
    assert_int_equal(met, count > 0);
    for (size_t k = 1; k < count; k++) thud_assert_at_most(hits[k - 1].fraction, hits[k].fraction);
    if (met) assert_int_equal(first.number, hits[0].number);
    found += met;
    nothing += !met;
  }
  thud_assert_greater(found, 40);
  thud_assert_greater(nothing, 5);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

static void neighbours_are_those_within_the_distance(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(12);
  body_scene scene = body_scene_begin(context, false, 9.81, 0.3, 0);
  thud_motion *motion = scatter(&scene, &random);
  thud_bodies_view view;
  assert_int_equal(thud_bodies_get(scene.bodies, &view), THUD_OK);
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_CONE);
  def.radius = 0.8;
  def.half_length = 0.6;
  thud_shape *cone;
  assert_int_equal(thud_shape_create(context, &def, &cone), THUD_OK);
  size_t most = 0;
  for (int round = 0; round < ASKED; round++) {
    thud_pose pose = {random_vector(&random, 3), thud_quat_from_rotation_vector(random_vector(&random, 2))};
    double within = round % 2 == 0 ? 0 : 0.4;
    thud_body_hit hits[BODIES + 1];
    size_t count = 0, expected = 0;
    assert_int_equal(thud_body_motion_find_near(motion, cone, &pose, within, NULL, BODIES + 1, hits, &count), THUD_OK);
    for (thud_index p = 0; p < view.part_count; p++) {
      thud_pose other = part_pose(motion, &view, p);
      double distance = thud_distance(cone, &pose, view.part_shape[p], &other, NULL);
      if (!(distance <= within)) continue;
      expected++;
      size_t at = 0;
      while (at < count && hits[at].number != view.part_body[p]) at++;
      assert_true(at < count && hits[at].distance == distance);
    }
    assert_int_equal(count, expected);
    most = count > most ? count : most;
  }
  thud_assert_greater((double)most, 10);
  thud_shape_destroy(cone);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* A box of 1 m around a ball of 0.1 m; absent and removed bodies are not found, nor is the one that is ignored. */
static void only_bodies_that_are_there_are_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 0, 0, 0);
  thud_index ball = body_scene_sphere(&scene, 0.1);
  thud_body_id a = body_scene_add(&scene, ball, 0, 0, 0), b = body_scene_add(&scene, ball, 1, 0, 0);
  thud_motion *motion = body_scene_motion(&scene, 0.01, 10, 0);
  const thud_ray ray = {{-1, 0, 0}, {4, 0, 0}};
  const thud_bounds box = {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}}, wrong = {{0, 0, 0}, {0, 1, 1}};
  thud_body_query query = thud_body_query_default();
  thud_body_hit hit;
  size_t count = 0;
  bool met = false;
  assert_int_equal(thud_body_motion_find_in_box(motion, &box, NULL, 1, &hit, &count), THUD_OK);
  assert_int_equal(count, 1);
  assert_int_equal(hit.body.index1, a.index1);
  thud_assert_near(hit.distance, -0.6, 1e-7);
  assert_int_equal(thud_body_motion_cast_ray(motion, &ray, NULL, &hit, &met), THUD_OK);
  assert_true(met && hit.body.index1 == a.index1);
  thud_assert_near(hit.fraction, 0.9 / 4, 1e-15);
  query.ignored = a;
  assert_int_equal(thud_body_motion_cast_ray(motion, &ray, &query, &hit, &met), THUD_OK);
  assert_true(met && hit.body.index1 == b.index1);
  assert_int_equal(thud_body_motion_remove(motion, a), THUD_OK);
  assert_int_equal(thud_body_motion_cast_ray(motion, &ray, NULL, &hit, &met), THUD_OK);
  assert_true(met && hit.body.index1 == b.index1);
  thud_body_state moved = {.position = {0, 0.2, 0}, .rotation = thud_quat_identity()};
  assert_int_equal(thud_body_motion_set_state(motion, b, &moved), THUD_OK);
  assert_int_equal(thud_body_motion_cast_ray(motion, &ray, NULL, &hit, &met), THUD_OK);
  assert_false(met);
  assert_int_equal(thud_body_motion_find_in_box(motion, &box, NULL, 0, NULL, &count), THUD_OK);
  assert_int_equal(count, 1);
  assert_int_equal(thud_body_motion_find_in_box(motion, &wrong, NULL, 0, NULL, &count), THUD_ERROR_ARGUMENT);
  const thud_ray endless = {{0, 0, 0}, {INFINITY, 0, 0}};
  assert_int_equal(thud_body_motion_cast_ray(motion, &endless, NULL, &hit, &met), THUD_ERROR_NOT_FINITE);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* Questions change nothing: the bits of a motion that is asked in every step are those of one that is not. */
static void questions_change_no_bits(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  uint64_t hash[2];
  for (int asks = 0; asks < 2; asks++) {
    thud_random random = thud_random_seed(11);
    body_scene scene = body_scene_begin(context, false, 9.81, 0.3, 0.2);
    thud_motion *motion = scatter(&scene, &random);
    for (int k = 0; k < 10; k++) {
      const thud_ray ray = {{-9, 0.1 * k, 1}, {18, 0, 0}};
      thud_body_hit hit;
      bool met;
      if (asks) assert_int_equal(thud_body_motion_cast_ray(motion, &ray, NULL, &hit, &met), THUD_OK);
      assert_int_equal(body_scene_step(motion, NULL), THUD_OK);
    }
    hash[asks] = thud_body_motion_hash(motion);
    thud_motion_destroy(motion);
    body_scene_end(&scene);
  }
  assert_true(hash[0] == hash[1]);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rays_meet_what_they_meet_part_by_part),
      cmocka_unit_test(neighbours_are_those_within_the_distance),
      cmocka_unit_test(only_bodies_that_are_there_are_found),
      cmocka_unit_test(questions_change_no_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
