/* Laws between rigid bodies: multiple impacts, rolling, spinning and orthotropic friction, energy and fast bodies. */
#include "body_scenes.h"

static const double g = 9.81;

/* ---- Newton's cradle (case C10) ------------------------------------------------------------------------------------- */

static void strike_cradle(int law, int n, double e, double *v) {
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 0, 0, e);
  thud_index ball = body_scene_sphere(&scene, 0.5);
  for (int k = 0; k < n; k++) {
    thud_body_def def = thud_body_def_default();
    def.pose.position.x = k;
    def.velocity.x = k == 0 ? 1 : 0;
    body_scene_place(&scene, &def, ball, 1);
  }
  thud_body_motion_options options = thud_body_motion_options_default();
  options.impact_law = law;
  options.steps = 1;
  options.end = 1e-6;
  thud_motion *motion = NULL;
  assert_int_equal(thud_body_motion_create(context, scene.bodies, &options, &motion), THUD_OK);
  body_scene_run(motion);
  for (int k = 0; k < n; k++) v[k] = thud_body_motion_present(motion).velocity[k].x;
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

static void the_cradle_follows_the_law_of_impact(void **state) {
  (void)state;
  double v[5];
  for (int law = THUD_IMPACT_CANONICAL; law <= THUD_IMPACT_NEWTON; law++) {
    for (int n = 3; n <= 5; n += 2) {
      strike_cradle(law, n, 1, v);
      thud_assert_near(v[0], 2.0 / n - 1, 1e-8);
      for (int k = 1; k < n; k++) thud_assert_near(v[k], 2.0 / n, 1e-8);
    }
    strike_cradle(law, 3, 0.5, v);
    thud_assert_near(v[0], 0, 1e-8);
    thud_assert_near(v[1], 0.5, 1e-8);
    thud_assert_near(v[2], 0.5, 1e-8);
  }
  strike_cradle(THUD_IMPACT_SEQUENTIAL, 5, 1, v);
  for (int k = 0; k < 5; k++) thud_assert_near(v[k], k == 4, 1e-9);
}

/* ---- friction ----------------------------------------------------------------------------------------------------------- */

/* A body of one shape on a floor with this law. */
static thud_motion *on_floor(body_scene *scene, thud_context *context, const thud_surface_law *law,
                             const thud_shape_def *shape, const thud_body_def *def, double h, thud_index steps) {
  *scene = body_scene_begin(context, false, g, 0, 0);
  assert_int_equal(thud_bodies_set_pair(scene->bodies, scene->material, scene->material, law), THUD_OK);
  body_scene_floor(scene);
  body_scene_place(scene, def, body_scene_shape(scene, shape), 1000);
  return body_scene_motion(scene, h, steps, 0);
}

/* A rolling ball slows down by 5/7 of rolling g/R (balance of forces and moments with a = R alpha). */
static void rolling_friction_slows_a_ball(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_surface_law law = thud_surface_law_default();
  law.friction = 0.5;
  law.rolling = 0.002;
  thud_shape_def ball = thud_shape_def_default(THUD_SHAPE_SPHERE);
  ball.radius = 0.1;
  thud_body_def def = thud_body_def_default();
  def.pose.position.z = 0.1;
  def.velocity.x = 1;
  def.spin.y = 10;
  body_scene scene;
  thud_motion *motion = on_floor(&scene, context, &law, &ball, &def, 1e-3, 1000);
  body_scene_run(motion);
  double slowed = 5.0 / 7 * 0.002 * g / 0.1;
  thud_assert_near(thud_body_motion_present(motion).velocity[1].x, 1 - slowed, 1e-8);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* A ball that spins about the vertical loses spinning m g / I of its spin per second, and then stands still. */
static void spinning_friction_stops_a_ball(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_surface_law law = thud_surface_law_default();
  law.friction = 0.5;
  law.spinning = 0.001;
  thud_shape_def ball = thud_shape_def_default(THUD_SHAPE_SPHERE);
  ball.radius = 0.1;
  thud_body_def def = thud_body_def_default();
  def.pose.position.z = 0.1;
  def.spin.z = 5;
  body_scene scene;
  thud_motion *motion = on_floor(&scene, context, &law, &ball, &def, 1e-3, 3000);
  double rate = 0.001 * g / (0.4 * 0.01);
  for (int k = 0; k < 1000; k++) assert_int_equal(body_scene_step(motion, NULL), THUD_OK);
  thud_assert_near(thud_body_motion_present(motion).spin[1].z, 5 - rate, 1e-8);
  body_scene_run(motion);
  thud_assert_near(thud_body_motion_present(motion).spin[1].z, 0, 1e-9);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* A particle on a floor that is rougher along x than along y: at every step the friction is the point of the ellipse where
 * its outward normal is against the velocity, f = -N (mu1^2 u_x, mu2^2 u_y) / |(mu1 u_x, mu2 u_y)|. Its path bends; the
 * reference solves x'' = f(x') with steps a hundred times as fine. */
static void orthotropic_friction_bends_the_path(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_surface_law law = thud_surface_law_default();
  law.friction = 0.4;
  law.friction_across = 0.1;
  thud_body_def def = thud_body_def_default();
  def.mass = 2;
  def.velocity = thud_vec3_make(1, 1, 0);
  thud_shape_def point = thud_shape_def_default(THUD_SHAPE_SPHERE);
  body_scene scene;
  thud_motion *motion = on_floor(&scene, context, &law, &point, &def, 1e-3, 200);
  body_scene_run(motion);
  double x = 0, y = 0, u = 1, v = 1, dt = 1e-5;
  for (int k = 0; k < 20000; k++) {
    double size = hypot(0.4 * u, 0.1 * v);
    u -= dt * g * 0.16 * u / size;
    v -= dt * g * 0.01 * v / size;
    x += dt * u;
    y += dt * v;
  }
  thud_body_frame frame = thud_body_motion_present(motion);
  thud_assert_near(frame.pose[1].position.x, x, 1e-3);
  thud_assert_near(frame.pose[1].position.y, y, 1e-3);
  thud_assert_near(frame.velocity[1].x, u, 2e-3);
  thud_assert_near(frame.velocity[1].y, v, 2e-3);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* ---- energy --------------------------------------------------------------------------------------------------------------- */

/* A slender rod falls on its end at 45 degrees (e = 0.9, mu = 0.4): Newton's law with Coulomb's gains energy there
 * (0.50 -> 0.63, the conventions' example). Returns the energy after the impact in units of that before. */
static double strike_rod(int on_gain, thud_body_motion_info *info) {
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, true, 0, 0.4, 0.9);
  body_scene_floor(&scene);
  thud_shape_def rod = thud_shape_def_default(THUD_SHAPE_RECTANGLE);
  rod.half[0] = 1;
  rod.half[1] = 1e-6;
  thud_body_def def = thud_body_def_default();
  def.mass = 1;
  def.inertia = thud_mat3_diagonal(0, 0, 1.0 / 3);
  def.pose.position.y = sqrt(0.5) + 1e-3;
  def.pose.rotation = thud_quat_from_rotation_vector(thud_vec3_make(0, 0, atan(1)));
  def.velocity = thud_vec3_make(0, -1, 0);
  body_scene_place(&scene, &def, body_scene_shape(&scene, &rod), 0);
  thud_body_motion_options options = thud_body_motion_options_default();
  options.on_energy_gain = on_gain;
  options.steps = 20;
  options.end = 0.002;
  thud_motion *motion = NULL;
  assert_int_equal(thud_body_motion_create(context, scene.bodies, &options, &motion), THUD_OK);
  do {
    assert_int_equal(body_scene_step(motion, info), THUD_OK);
  } while (info->status == THUD_MOTION_RUNNING);
  double energy = thud_body_motion_present(motion).ledger.kinetic / 0.5;
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
  return energy;
}

static void no_impact_creates_energy(void **state) {
  (void)state;
  thud_body_motion_info info = {0};
  double allowed = strike_rod(THUD_GAIN_ALLOW, &info);
  double reduced = strike_rod(THUD_GAIN_REDUCE_E, &info);
  thud_assert_at_most(reduced, 1 + 1e-9);
  thud_assert_at_most(reduced, allowed + 1e-9);
  if (allowed > 1) {
    thud_assert_equal(info.reduced_restitutions, 1);
    thud_assert_near(reduced, 1, 1e-5); /* the largest e that does not gain */
    strike_rod(THUD_GAIN_REFUSE, &info);
    assert_int_equal(info.status, THUD_MOTION_ENERGY);
  }
}

/* ---- fast bodies -------------------------------------------------------------------------------------------------------- */

/* A bullet of 1 cm at 300 m/s and a wall of 1 mm: 30 cm per step. Where does it end? */
static double shoot(double e, bool continuous) {
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 0, 0.3, e);
  thud_body_def def = thud_body_def_default();
  def.role = THUD_BODY_FIXED;
  body_scene_place(&scene, &def, body_scene_box(&scene, 0.001, 2, 2), 0);
  def = thud_body_def_default();
  def.pose.position = thud_vec3_make(-1.0, 0.1, 0.2);
  def.velocity.x = 300;
  body_scene_place(&scene, &def, body_scene_sphere(&scene, 0.005), 8000);
  thud_body_motion_options options = thud_body_motion_options_default();
  options.continuous = continuous;
  options.steps = 10;
  options.end = 0.01;
  thud_motion *motion = NULL;
  assert_int_equal(thud_body_motion_create(context, scene.bodies, &options, &motion), THUD_OK);
  body_scene_run(motion);
  double x = thud_body_motion_present(motion).pose[1].position.x;
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
  return x;
}

static void a_bullet_does_not_tunnel(void **state) {
  (void)state;
  thud_assert_less(shoot(0.5, true), 0);
  thud_assert_less(shoot(0, true), 0);
  thud_assert_greater(shoot(0.5, false), 1); /* what the option is for */
}

/* ---- paths ---------------------------------------------------------------------------------------------------------------- */

/* Shaken with half of g, along z or x. */
static int shake(void *user, double t, thud_pose *pose, thud_vec3 *velocity, thud_vec3 *spin) {
  bool up = *(const bool *)user;
  *pose = thud_pose_identity();
  *(up ? &pose->position.z : &pose->position.x) = 0.01 * sin(22 * t);
  *(up ? &velocity->z : &velocity->x) = 0.22 * cos(22 * t);
  *spin = thud_vec3_make(0, 0, 0);
  return 0;
}

/* A box that rides on it: what its contacts take away, and how far it ends from its place. */
static thud_body_ledger ride(bool up, thud_index steps, double *away) {
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, g, 0.9, 0);
  thud_body_def def = thud_body_def_default();
  def.role = THUD_BODY_KINEMATIC;
  def.path = shake;
  def.path_user = &up;
  body_scene_place(&scene, &def, body_scene_box(&scene, 1, 1, 0.1), 0);
  def = thud_body_def_default();
  def.pose.position.z = 0.1;
  *(up ? &def.velocity.z : &def.velocity.x) = 0.22;
  body_scene_place(&scene, &def, body_scene_box(&scene, 0.1, 0.1, 0.1), 1000);
  thud_motion *motion = body_scene_motion(&scene, 3.0 / steps, steps, 0);
  body_scene_run(motion);
  thud_body_frame last = thud_body_motion_present(motion);
  thud_vec3 place = thud_vec3_add(last.pose[0].position, thud_vec3_make(0, 0, 0.1));
  thud_body_ledger ledger = last.ledger;
  *away = thud_vec3_distance(last.pose[1].position, place);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
  return ledger;
}

/* v+ holds from one midpoint to the next and is that of the path at the node between them: order 2, and what sticks loses
 * nothing. */
static void what_rides_on_a_path_stays_on_it(void **state) {
  (void)state;
  double coarse, fine;
  thud_body_ledger along = ride(false, 750, &coarse);
  thud_assert_near(along.friction_loss, 0, 1e-9);
  thud_assert_near(along.contact_loss, 0, 1e-9);
  thud_assert_less(coarse, 1e-4);
  ride(false, 1500, &fine);
  thud_assert_greater(coarse / fine, 3);
  double loss = ride(true, 750, &coarse).contact_loss;
  thud_assert_less(loss, 1e-4); /* landing at the start, of order h^2 */
  thud_assert_greater(loss / ride(true, 1500, &fine).contact_loss, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_cradle_follows_the_law_of_impact),
                                     cmocka_unit_test(rolling_friction_slows_a_ball),
                                     cmocka_unit_test(spinning_friction_stops_a_ball),
                                     cmocka_unit_test(orthotropic_friction_bends_the_path),
                                     cmocka_unit_test(no_impact_creates_energy),
                                     cmocka_unit_test(a_bullet_does_not_tunnel),
                                     cmocka_unit_test(what_rides_on_a_path_stays_on_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
