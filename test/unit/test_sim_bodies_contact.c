/* Motions of rigid bodies with contacts: what Signorini's and Coulomb's laws say, exactly. */
#include "body_scenes.h"
#include "failing_allocator.h"

#include <string.h>

static const double g = 9.81;

/* Gravity as it is in the frame of a plane inclined by the angle th. */
static body_scene on_incline(thud_context *context, double th, double mu) {
  body_scene scene = {.context = context};
  thud_bodies_options options = thud_bodies_options_default();
  options.gravity[0] = g * sin(th);
  options.gravity[2] = -g * cos(th);
  assert_int_equal(thud_bodies_create(context, &options, &scene.bodies), THUD_OK);
  thud_surface_law law = thud_surface_law_default();
  law.friction = mu;
  assert_int_equal(thud_bodies_add_material(scene.bodies, NULL, &law, &scene.material), THUD_OK);
  body_scene_floor(&scene);
  return scene;
}

/* tan th = 0.99 mu: the brick does not creep in 10 s. */
static void a_brick_on_an_incline_does_not_creep(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = on_incline(context, atan(0.99 * 0.5), 0.5);
  body_scene_add(&scene, body_scene_box(&scene, 0.2, 0.1, 0.05), 0, 0, 0.025);
  thud_motion *motion = body_scene_motion(&scene, 5e-3, 2000, 0);
  thud_body_motion_info info = body_scene_run(motion);
  thud_body_frame frame = thud_body_motion_present(motion);
  thud_assert_less(thud_vec3_distance(frame.pose[1].position, thud_vec3_make(0, 0, 0.025)), 1e-9);
  thud_assert_at_most(info.worst_residual, 1e-8);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* A sliding brick: x = v0 t - mu g t^2/2 until it stops at v0^2/(2 mu g), and it never leaves the floor. */
static void a_sliding_brick_does_not_hover(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, g, 0.5, 0);
  body_scene_floor(&scene);
  thud_body_def def = thud_body_def_default();
  def.pose.position.z = 0.025;
  def.velocity.x = 6;
  body_scene_place(&scene, &def, body_scene_box(&scene, 0.4, 0.2, 0.05), 1000);
  thud_motion *motion = body_scene_motion(&scene, 1e-3, 2000, 0);
  thud_body_motion_info info = {0};
  double highest = 0, lowest = 1;
  do {
    assert_int_equal(body_scene_step(motion, &info), THUD_OK);
    double z = thud_body_motion_present(motion).pose[1].position.z;
    highest = fmax(highest, z);
    lowest = fmin(lowest, z);
  } while (info.status == THUD_MOTION_RUNNING);
  /* a residual of 1e-8 in units of |q|, 12 m/s for four sliding corners, lets a step miss by 1.2e-10 m */
  thud_assert_near(highest, 0.025, 1e-9);
  thud_assert_near(lowest, 0.025, 1e-9);
  thud_body_frame frame = thud_body_motion_present(motion);
  double exact = 36 / (2 * 0.5 * g);
  thud_assert_near(frame.pose[1].position.x, exact, 2e-6); /* the last step of sliding: h^2 mu g */
  thud_assert_less(thud_vec3_norm(frame.velocity[1]), 1e-9);
  thud_assert_near(frame.ledger.friction_loss, 0.5 * 1000 * 0.4 * 0.2 * 0.05 * 36, 1e-9);
  thud_assert_near(frame.ledger.defect, 0, 1e-9);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* A ball set down sliding rolls with 5/7 of its speed. */
static void a_sliding_ball_ends_rolling(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, g, 0.2, 0);
  body_scene_floor(&scene);
  thud_body_def def = thud_body_def_default();
  def.pose.position.z = 0.1;
  def.velocity.x = 2;
  body_scene_place(&scene, &def, body_scene_sphere(&scene, 0.1), 1000);
  thud_motion *motion = body_scene_motion(&scene, 1e-3, 1000, 0);
  body_scene_run(motion);
  thud_body_frame frame = thud_body_motion_present(motion);
  thud_assert_near(frame.velocity[1].x, 10.0 / 7, 1e-9);
  thud_assert_near(frame.spin[1].y, 100.0 / 7, 1e-8);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* A heavy box on a light one, 1000 : 1. */
static void a_heavy_box_rests_on_a_light_one(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, g, 0.5, 0);
  body_scene_floor(&scene);
  thud_index box = body_scene_box(&scene, 1, 1, 1);
  thud_body_def def = thud_body_def_default();
  def.pose.position.z = 0.5;
  body_scene_place(&scene, &def, box, 1);
  def.pose.position.z = 1.5;
  body_scene_place(&scene, &def, box, 1000);
  thud_motion *motion = body_scene_motion(&scene, 5e-3, 1000, 0);
  body_scene_run(motion);
  thud_body_frame frame = thud_body_motion_present(motion);
  thud_assert_near(frame.pose[1].position.z, 0.5, 1e-9);
  thud_assert_near(frame.pose[2].position.z, 1.5, 1e-9);
  thud_assert_less(hypot(frame.pose[2].position.x, frame.pose[2].position.y), 1e-9);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* Newton's law of impact without gravity: u+ = -e u-, at the ball's own speed, and the energy lost is booked. */
static void a_ball_rebounds_with_its_restitution(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 0, 0.3, 0.8);
  body_scene_floor(&scene);
  thud_body_def def = thud_body_def_default();
  def.pose.position.z = 0.5;
  def.velocity.z = -3;
  body_scene_place(&scene, &def, body_scene_sphere(&scene, 0.1), 1000);
  thud_motion *motion = body_scene_motion(&scene, 1e-2, 50, 0);
  thud_body_motion_info info = body_scene_run(motion);
  thud_body_frame frame = thud_body_motion_present(motion);
  double mass = 1000 * 4.0 / 3 * acos(-1) * 1e-3;
  thud_assert_near(frame.velocity[1].z, 2.4, 1e-12);
  thud_assert_near(frame.ledger.impact_loss, 0.5 * mass * (9 - 5.76), 1e-10);
  thud_assert_equal(info.impacts, 1);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* One scene in m and kg, and in mm and mg: the same verdicts, residuals and motion. */
static thud_body_motion_info drop(thud_context *context, double length, double mass, double *height) {
  body_scene scene = body_scene_begin(context, false, g * length, 0.4, 0);
  body_scene_floor(&scene);
  thud_index box = body_scene_box(&scene, 0.01 * length, 0.02 * length, 0.03 * length);
  double density = 1000 * mass / (length * length * length);
  for (int k = 0; k < 4; k++) {
    thud_body_def def = thud_body_def_default();
    def.pose.position = thud_vec3_make(0.004 * k * length, 0.001 * k * length, (0.016 + 0.031 * k) * length);
    def.pose.rotation = thud_quat_from_rotation_vector(thud_vec3_make(0, 0, 0.3 * k));
    body_scene_place(&scene, &def, box, density);
  }
  thud_motion *motion = body_scene_motion(&scene, 2e-3, 400, 0);
  thud_body_motion_info info = body_scene_run(motion);
  for (int k = 0; k < 4; k++) height[k] = thud_body_motion_present(motion).pose[k + 1].position.z / length;
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  return info;
}

static void verdicts_do_not_depend_on_units(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double metres[4], millimetres[4], powers[4];
  thud_body_motion_info a = drop(context, 1, 1, metres), b = drop(context, 1000, 1e6, millimetres);
  thud_body_motion_info c = drop(context, 1024, 1048576, powers);
  thud_assert_at_most(a.worst_residual, 1e-8);
  thud_assert_at_most(b.worst_residual, 1e-8);
  thud_assert_equal(a.unsolved_islands + b.unsolved_islands, 0);
  thud_assert_equal(a.most_contacts, b.most_contacts);
  /* units that are powers of 2 change no digit */
  thud_assert_equal(a.worst_residual, c.worst_residual);
  for (int k = 0; k < 4; k++) {
    thud_assert_near(metres[k], millimetres[k], 1e-6);
    thud_assert_equal(metres[k], powers[k]);
  }
  thud_test_context_end(context);
}

/* A pile of boxes and balls, for runs that must agree. */
static thud_motion *pile(body_scene *scene, thud_index steps, bool plain) {
  body_scene_floor(scene);
  thud_index box = body_scene_box(scene, 0.2, 0.2, 0.2), ball = body_scene_sphere(scene, 0.1);
  for (int k = 0; k < 27; k++)
    body_scene_add(scene, k % 3 == 0 ? ball : box, 0.21 * (k % 3) + 0.01 * (k / 9), 0.21 * (k / 3 % 3),
                   0.12 + 0.22 * (k / 9));
  thud_body_motion_options options = thud_body_motion_options_default();
  thud_motion *motion = NULL;
  options.end = 5e-3 * steps;
  options.steps = steps;
  options.tolerance = 1e-6;
  options.solver.plain = plain;
  assert_int_equal(thud_body_motion_create(scene->context, scene->bodies, &options, &motion), THUD_OK);
  return motion;
}

static uint64_t hash_of_pile(int threads, thud_index resume_at, bool plain) {
  thud_context *context = thud_test_context(threads);
  body_scene scene = body_scene_begin(context, false, g, 0.5, 0.2);
  thud_motion *motion = pile(&scene, 120, plain);
  size_t size = thud_motion_state_size(motion);
  void *saved = test_malloc(size);
  for (thud_index k = 0; k < resume_at; k++) assert_int_equal(body_scene_step(motion, NULL), THUD_OK);
  thud_motion_save(motion, saved);
  if (resume_at > 0) {
    thud_motion_destroy(motion);
    body_scene_end(&scene);
    scene = body_scene_begin(context, false, g, 0.5, 0.2);
    motion = pile(&scene, 120, plain);
    assert_int_equal(thud_motion_restore(motion, saved, size), THUD_OK);
  }
  body_scene_run(motion);
  uint64_t hash = thud_body_motion_hash(motion);
  test_free(saved);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
  return hash;
}

static void motions_are_the_same_bits_on_threads_after_a_resume_and_without_vectors(void **state) {
  (void)state;
  uint64_t one = hash_of_pile(1, 0, false);
  assert_true(one == hash_of_pile(2, 0, false));
  assert_true(one == hash_of_pile(4, 0, false));
  assert_true(one == hash_of_pile(8, 0, false));
  assert_true(one == hash_of_pile(1, 37, false));
  assert_true(one == hash_of_pile(2, 80, false));
  assert_true(one == hash_of_pile(1, 0, true));
}

/* Twenty heaps of four boxes and a ball thrown at each, and a heap of more than 512 contacts: small islands on threads, a
 * large one by all of them. Restitution makes some of them gain, so that they are solved again. */
static uint64_t hash_of_heaps(int threads, thud_body_motion_info *info) {
  thud_context *context = thud_test_context(threads);
  body_scene scene = body_scene_begin(context, false, g, 0.6, 0.8);
  thud_index box = body_scene_box(&scene, 0.2, 0.2, 0.2), ball = body_scene_sphere(&scene, 0.1);
  body_scene_floor(&scene);
  for (int heap = 0; heap < 20; heap++) {
    double x = 2.0 * (heap % 10), y = 2.0 * (heap / 10);
    for (int k = 0; k < 4; k++) body_scene_add(&scene, box, x + 0.03 * (k % 2), y, 0.1 + 0.2 * k);
    thud_body_def def = thud_body_def_default();
    def.pose.position = thud_vec3_make(x - 0.5, y + 0.001 * heap, 0.5);
    def.velocity = thud_vec3_make(4, 0, 0.1 * heap);
    body_scene_place(&scene, &def, ball, 1000);
  }
  for (int k = 0; k < 4 * 4 * 4; k++) /* boxes beside and on each other: 64 contacts with the floor, 576 among them */
    body_scene_add(&scene, box, -4 + 0.2 * (k % 4), 0.2 * (k / 4 % 4), 0.1 + 0.2 * (k / 16));
  thud_motion *motion = body_scene_motion(&scene, 5e-3, THUD_UNDER_SANITIZER ? 5 : 12, 1e-6);
  *info = body_scene_run(motion);
  uint64_t hash = thud_body_motion_hash(motion);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
  return hash;
}

static void islands_are_the_same_bits_on_any_number_of_threads(void **state) {
  (void)state;
  thud_body_motion_info one, other;
  uint64_t hash = hash_of_heaps(1, &one);
  thud_assert_greater((double)one.most_contacts, 640 + 20 * 16);
  for (int threads = 2; threads <= 8; threads *= 2) {
    assert_true(hash == hash_of_heaps(threads, &other));
    assert_int_equal(one.impacts, other.impacts);
    assert_int_equal(one.reduced_restitutions, other.reduced_restitutions);
    assert_true(one.worst_residual == other.worst_residual);
  }
}

static void steps_allocate_nothing_once_there_is_room(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, g, 0.5, 0);
  thud_motion *motion = pile(&scene, 400, false);
  for (int k = 0; k < 300; k++) assert_int_equal(body_scene_step(motion, NULL), THUD_OK);
  uint64_t before = thud_context_allocation_count(context);
  for (int k = 0; k < 100; k++) assert_int_equal(body_scene_step(motion, NULL), THUD_OK);
  thud_assert_equal(thud_context_allocation_count(context), before);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

static void an_overlapping_start_is_refused_or_relaxed(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, g, 0.5, 0);
  body_scene_floor(&scene);
  thud_index ball = body_scene_sphere(&scene, 0.1);
  thud_body_def def = thud_body_def_default();
  def.name = "left";
  def.pose.position.z = 0.1;
  body_scene_place(&scene, &def, ball, 1000);
  def.name = "right";
  def.pose.position.x = 0.15;
  body_scene_place(&scene, &def, ball, 1000);
  thud_motion *motion = NULL;
  assert_int_equal(thud_body_motion_create(context, scene.bodies, NULL, &motion), THUD_ERROR_ARGUMENT);
  assert_null(motion);
  thud_test_message_has(context, "'left' and 'right' by 0.05", "relax", NULL);
  thud_body_motion_options options = thud_body_motion_options_default();
  options.relax = true;
  assert_int_equal(thud_body_motion_create(context, scene.bodies, &options, &motion), THUD_OK);
  thud_body_frame frame = thud_body_motion_present(motion);
  thud_assert_at_least(thud_vec3_distance(frame.pose[1].position, frame.pose[2].position), 0.2 - 2e-5);
  thud_assert_equal(thud_vec3_norm(frame.velocity[1]), 0);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* Two balls and a box; every call is checked by the sweep, not by an assertion. */
static thud_error add_body(thud_bodies *bodies, thud_index shape, double x, double z) {
  thud_body_def def = thud_body_def_default();
  thud_part_def part = thud_part_def_default();
  thud_body_id id;
  def.pose.position = thud_vec3_make(x, 0, z);
  part.shape = shape;
  part.density = 1000;
  thud_error error = thud_bodies_add(bodies, &def, &id);
  return error == THUD_OK ? thud_bodies_attach(bodies, id, &part) : error;
}

static thud_error build_and_step(thud_bodies *bodies, thud_context *context) {
  thud_shape_def shape = thud_shape_def_default(THUD_SHAPE_BOX);
  thud_index box = 0, ball = 0;
  shape.half[0] = shape.half[1] = shape.half[2] = 0.1;
  thud_error error = thud_bodies_add_shape(bodies, &shape, &box);
  shape = thud_shape_def_default(THUD_SHAPE_SPHERE);
  shape.radius = 0.1;
  if (error == THUD_OK) error = thud_bodies_add_shape(bodies, &shape, &ball);
  if (error == THUD_OK) error = add_body(bodies, box, 0, 0);
  if (error == THUD_OK) error = add_body(bodies, box, 0.01, 0.2);
  if (error == THUD_OK) error = add_body(bodies, ball, 0, 0.4);
  thud_body_motion_options options = thud_body_motion_options_default();
  options.impact_law = THUD_IMPACT_SEQUENTIAL;
  options.steps = 3;
  options.end = 0.03;
  thud_motion *motion = NULL;
  if (error == THUD_OK) error = thud_body_motion_create(context, bodies, &options, &motion);
  for (int k = 0; k < 3 && error == THUD_OK; k++) error = body_scene_step(motion, NULL);
  thud_motion_destroy(motion);
  return error;
}

static thud_error make_a_motion(thud_context *context, void *user) {
  (void)user;
  thud_bodies *bodies = NULL;
  thud_error error = thud_bodies_create(context, NULL, &bodies);
  if (error == THUD_OK) error = build_and_step(bodies, context);
  thud_bodies_destroy(bodies);
  return error;
}

static void failing_allocations_leave_nothing_behind(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(make_a_motion, NULL), 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_brick_on_an_incline_does_not_creep),
      cmocka_unit_test(a_sliding_brick_does_not_hover),
      cmocka_unit_test(a_sliding_ball_ends_rolling),
      cmocka_unit_test(a_heavy_box_rests_on_a_light_one),
      cmocka_unit_test(a_ball_rebounds_with_its_restitution),
      cmocka_unit_test(verdicts_do_not_depend_on_units),
      cmocka_unit_test(motions_are_the_same_bits_on_threads_after_a_resume_and_without_vectors),
      cmocka_unit_test(islands_are_the_same_bits_on_any_number_of_threads),
      cmocka_unit_test(steps_allocate_nothing_once_there_is_room),
      cmocka_unit_test(an_overlapping_start_is_refused_or_relaxed),
      cmocka_unit_test(failing_allocations_leave_nothing_behind)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
