/* Bodies that ride, roll and slide on bodies whose paths turn. */
#include "body_scenes.h"

static const double g = 9.81, pi = 3.14159265358979323846;

/* A carrier: its frame turns about an axis by a given angle and goes along a given curve. */
typedef struct carrier {
  thud_vec3 axis;          /* a unit vector */
  double steady, swing;    /* angle = steady t + swing (1 - cos 2t) */
  thud_vec3 arc, straight; /* position = arc (1 - cos t) + straight t */
  double orbit;            /* beside it: the frame is this far from the axis of the turn, along x */
  bool planar;
} carrier;

static int follow(void *user, double t, thud_pose *pose, thud_vec3 *velocity, thud_vec3 *spin) {
  const carrier *c = user;
  thud_vec3 offset = thud_vec3_make(c->orbit, 0, 0);
  pose->rotation =
      thud_quat_from_rotation_vector(thud_vec3_scale(c->steady * t + c->swing * (1 - cos(2 * t)), c->axis));
  *spin = thud_vec3_scale(c->steady + 2 * c->swing * sin(2 * t), c->axis);
  thud_vec3 turned = thud_quat_rotate(pose->rotation, offset);
  pose->position = thud_vec3_add(thud_vec3_add_scaled(turned, 1 - cos(t), c->arc), thud_vec3_scale(t, c->straight));
  *velocity = thud_vec3_add(thud_vec3_cross(*spin, turned), thud_vec3_add_scaled(c->straight, sin(t), c->arc));
  return 0;
}

/* Where the point that is at x at the time 0 is carried to. */
static thud_vec3 carry(const carrier *c, double t, thud_vec3 x) {
  thud_pose pose;
  thud_vec3 velocity, spin;
  follow((void *)c, t, &pose, &velocity, &spin);
  x.x -= c->orbit;
  return thud_vec3_add(pose.position, thud_quat_rotate(pose.rotation, x));
}

static thud_index ground(body_scene *scene, carrier *c) {
  thud_body_def def = thud_body_def_default();
  thud_shape_def plane = thud_shape_def_default(c->planar ? THUD_SHAPE_HALF_PLANE : THUD_SHAPE_PLANE);
  def.role = THUD_BODY_KINEMATIC;
  def.path = follow;
  def.path_user = c;
  body_scene_place(scene, &def, body_scene_shape(scene, &plane), 0);
  return 0;
}

/* How far a brick that friction holds is from its place at the end. */
static double ride(carrier c, thud_vec3 x, double end, thud_index steps, thud_body_ledger *ledger) {
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, c.planar, g, 0.9, 0);
  thud_pose pose;
  thud_vec3 velocity, spin;
  ground(&scene, &c);
  follow(&c, 0, &pose, &velocity, &spin);
  thud_body_def def = thud_body_def_default();
  def.pose.position = x;
  def.velocity = thud_vec3_add(velocity, thud_vec3_cross(spin, thud_vec3_subtract(x, pose.position)));
  def.spin = spin;
  body_scene_place(&scene, &def, body_scene_box(&scene, 0.1, 0.1, 0.1), 1000);
  thud_motion *motion = body_scene_motion(&scene, end / steps, steps, 1e-11);
  body_scene_run(motion);
  thud_body_frame last = thud_body_motion_present(motion);
  double away = thud_vec3_distance(last.pose[1].position, carry(&c, end, x));
  *ledger = last.ledger;
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
  return away;
}

/* A brick on a turntable, with steps of a = w h/2 in half angles. The start is a tangent of half a step: the angle lags by
 * a - atan(a) = a^3/3. From then on nothing changes, in any number of turns, whatever point of the table its path names. */
static void a_brick_on_a_turntable_does_not_creep(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    carrier table = {.axis = {0, 0, 1}, .steady = 2, .orbit = 3 * k};
    thud_vec3 x = {0.5, 0, 0.05};
    thud_body_ledger ledger;
    double a = 2 * pi / 100 / 2, once = ride(table, x, pi, 100, &ledger), later = ride(table, x, 5 * pi, 500, &ledger);
    thud_assert_near(once, 0.5 * a * a * a / 3, 0.5 * a * a * a * a);
    thud_assert_near(later, once, 1e-8); /* 500 steps of tolerance 1e-11 in velocities of 1 m/s */
    thud_assert_near(ledger.friction_loss, 0, 1e-6);
    thud_assert_near(ledger.defect, 0, 1e-12);
    double fine = ride(table, x, pi, 200, &ledger);
    thud_assert_near(once / fine, 8, 0.2);
  }
}

/* Carriers that speed up, tilt and go along curves: the midpoint rule of their velocities, order 2. */
static void what_rides_on_any_turning_path_stays_to_second_order(void **state) {
  (void)state;
  const carrier carriers[] = {
      {.axis = {0, 0, 1}, .steady = 1, .swing = 0.2},
      {.axis = {0, 0, 1}, .steady = 1, .swing = 0.1, .arc = {0.3, 0.1, 0.02}, .straight = {-0.1, 0.2, 0}},
      {.axis = {0.6, 0.8, 0}, .swing = 0.1},
      {.axis = {0.6, 0, 0.8}, .swing = 0.1, .arc = {0, 0.2, 0.1}, .orbit = 0.3},
      {.axis = {0, 0, 1}, .swing = 0.1, .arc = {0.1, 0.05, 0}, .planar = true}};
  for (size_t k = 0; k < sizeof carriers / sizeof *carriers; k++) {
    thud_vec3 x = {0.4, carriers[k].planar ? 0.05 : 0.1, carriers[k].planar ? 0 : 0.05};
    thud_body_ledger ledger;
    double coarse = ride(carriers[k], x, 5, 500, &ledger), fine = ride(carriers[k], x, 5, 1000, &ledger);
    thud_assert_less(coarse, 5e-5);
    thud_assert_greater(coarse / fine, 3.3);
    thud_assert_less(fabs(ledger.friction_loss), 1e-4);
  }
}

/* A ball that rolls on a turntable moves on a circle at 2/7 of its speed: v' = (2/7) w z x v. */
static double roll(thud_index steps) {
  const double w = 3, radius = 0.1, x0 = 0.5, v0 = 0.6, k = 2 * w / 7, end = 4;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, g, 0.9, 0);
  carrier table = {.axis = {0, 0, 1}, .steady = w};
  ground(&scene, &table);
  thud_body_def def = thud_body_def_default();
  def.pose.position = thud_vec3_make(x0, 0, radius);
  def.velocity.x = v0;
  def.spin = thud_vec3_make(w * x0 / radius, v0 / radius, 0);
  body_scene_place(&scene, &def, body_scene_sphere(&scene, radius), 1000);
  thud_motion *motion = body_scene_motion(&scene, end / steps, steps, 0);
  body_scene_run(motion);
  thud_vec3 last = thud_body_motion_present(motion).pose[1].position;
  thud_vec3 there = {x0 + v0 * sin(k * end) / k, v0 * (1 - cos(k * end)) / k, radius};
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
  return thud_vec3_distance(last, there);
}

static void a_ball_rolls_around_on_a_turntable(void **state) {
  (void)state;
  double coarse = roll(200), fine = roll(400);
  thud_assert_less(coarse, 5e-3);
  thud_assert_near(coarse / fine, 4, 0.4);
}

/* A particle that slides on a turntable: x'' = -mu g s/|s|, s = x' - w z x x. Runge and Kutta's method for comparison. */
static void accelerate(double mu, double w, const double *y, double *rate) {
  double sx = y[2] + w * y[1], sy = y[3] - w * y[0], s = hypot(sx, sy);
  rate[0] = y[2];
  rate[1] = y[3];
  rate[2] = -mu * g * sx / s;
  rate[3] = -mu * g * sy / s;
}

static void slide_exactly(double mu, double w, double end, double *y) {
  enum { STEPS = 2000 };
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  double h = end / STEPS;
  for (int n = 0; n < STEPS; n++) {
    double rate[4] = {0}, sum[4] = {0}, point[4];
    for (int stage = 0; stage < 4; stage++) {
      for (int i = 0; i < 4; i++) point[i] = y[i] + h * at[stage] * rate[i];
      accelerate(mu, w, point, rate);
      for (int i = 0; i < 4; i++) sum[i] += weight[stage] * rate[i] * h / 6;
    }
    for (int i = 0; i < 4; i++) y[i] += sum[i];
  }
}

static double slide(thud_index steps) {
  const double w = 2, mu = 0.1, end = 2;
  double y[4] = {0.5, 0, 0.3, 0.1};
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, g, mu, 0);
  carrier table = {.axis = {0, 0, 1}, .steady = w};
  ground(&scene, &table);
  thud_body_def def = thud_body_def_default();
  thud_shape_def particle = thud_shape_def_default(THUD_SHAPE_SPHERE);
  particle.radius = 0;
  def.mass = 1;
  def.pose.position.x = y[0];
  def.velocity = thud_vec3_make(y[2], y[3], 0);
  body_scene_place(&scene, &def, body_scene_shape(&scene, &particle), 0);
  thud_motion *motion = body_scene_motion(&scene, end / steps, steps, 0);
  body_scene_run(motion);
  thud_vec3 last = thud_body_motion_present(motion).pose[1].position;
  slide_exactly(mu, w, end, y);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
  return hypot(last.x - y[0], last.y - y[1]);
}

static void friction_opposes_the_slip_on_a_turntable(void **state) {
  (void)state;
  double coarse = slide(100), fine = slide(200);
  thud_assert_less(coarse, 1e-3);
  thud_assert_greater(coarse / fine, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_brick_on_a_turntable_does_not_creep),
                                     cmocka_unit_test(what_rides_on_any_turning_path_stays_to_second_order),
                                     cmocka_unit_test(a_ball_rolls_around_on_a_turntable),
                                     cmocka_unit_test(friction_opposes_the_slip_on_a_turntable)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
