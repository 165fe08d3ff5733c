/* Round bodies whose point of contact wanders over their surface: steady rolling loses nothing, to second order. */
#include "body_scenes.h"

static const double g = 9.81, pi = 3.14159265358979323846;

/* ---- a disc that rolls on its rim around its own centre, which stays where it is -------------------------------------------- */

static const double radius = 0.1, half = 0.01, tilt = 0.3, density = 1000;

typedef struct rolled {
  double lost;       /* by contacts, relative to the energy above a disc that lies flat */
  double friction;   /* likewise, of friction alone */
  double tilt, away; /* errors at the end: rad, m */
  double turned;     /* of the axis about the vertical beyond whole turns, rad */
} rolled;

/* Moments about a diameter and the axis, of mass 1. */
static const double A = 0.1 * 0.1 / 4 + 0.01 * 0.01 / 3, C = 0.1 * 0.1 / 2;

/* Spin along the line from the centre to the contact, c = R e - b n; the axis n precesses about the vertical with Omega:
 * dL/dt = Omega z x L = c x m g z. */
static double precession(void) {
  double s = sin(tilt), c = cos(tilt);
  return sqrt(g * (radius * c - half * s) / (s * (A * c - C * half / radius * s)));
}

static rolled roll_disc(int steps_per_turn, int turns) {
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, g, 0.5, 0);
  body_scene_floor(&scene);
  thud_shape_def shape = thud_shape_def_default(THUD_SHAPE_CYLINDER);
  shape.radius = radius;
  shape.half_length = half;
  double s = sin(tilt), c = cos(tilt), k = -precession() * s / radius, period = 2 * pi / precession();
  thud_body_def def = thud_body_def_default();
  def.pose.position.z = radius * s + half * c;
  def.pose.rotation = thud_quat_from_rotation_vector(thud_vec3_make(0, tilt, 0));
  def.spin = thud_vec3_make(k * (radius * c - half * s), 0, -k * (radius * s + half * c));
  body_scene_place(&scene, &def, body_scene_shape(&scene, &shape), density);
  thud_motion *motion = body_scene_motion(&scene, period / steps_per_turn, steps_per_turn * turns, 0);
  body_scene_run(motion);
  thud_body_frame frame = thud_body_motion_present(motion);
  double mass = density * pi * radius * radius * 2 * half, energy = 1.5 * mass * g * radius * s;
  thud_vec3 axis = thud_quat_rotate(frame.pose[1].rotation, thud_vec3_make(0, 0, 1));
  rolled result = {.lost = (frame.ledger.friction_loss + frame.ledger.contact_loss + frame.ledger.impact_loss) / energy,
                   .friction = frame.ledger.friction_loss / energy,
                   .tilt = acos(axis.z) - tilt,
                   .away = hypot(frame.pose[1].position.x, frame.pose[1].position.y),
                   .turned = atan2(axis.y, axis.x)};
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
  return result;
}

static void a_disc_that_rolls_on_its_rim_keeps_rolling(void **state) {
  (void)state;
  rolled coarse = roll_disc(100, 5), fine = roll_disc(200, 5);
  thud_assert_less(fabs(coarse.friction), 1e-5); /* it sticks */
  thud_assert_less(fabs(fine.friction), 1e-5);
  thud_assert_less(fabs(coarse.lost), 5e-3); /* 0.53 without the bend */
  thud_assert_less(fabs(fine.lost), fabs(coarse.lost) / 3.5);
  thud_assert_less(coarse.away, 2e-3 * radius);
  thud_assert_less(fine.away, 1e-3 * radius);
  /* the gyroscopic torque does not feel the contact's impulses of the same step: first order */
  thud_assert_less(fabs(coarse.tilt), 0.02 * tilt);
  thud_assert_near(coarse.tilt / fine.tilt, 2, 0.4);
  thud_assert_less(fabs(fine.turned), 0.03); /* of 10 pi */
}

/* ---- an ellipsoid that rocks on its flat side ------------------------------------------------------------------------------ */

/* Semi-axes a, b, c; the bottom has the radius of curvature a^2/c, so that small oscillations without sliding have
 * omega^2 = m g (a^2/c - c)/(I + m c^2). */
static void rock(int steps, double *angle, double *lost) {
  const double a = 0.3, b = 0.2, c = 0.1, amplitude = 1e-3;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, g, 1, 0);
  body_scene_floor(&scene);
  thud_shape_def shape = thud_shape_def_default(THUD_SHAPE_ELLIPSOID);
  shape.half[0] = a;
  shape.half[1] = b;
  shape.half[2] = c;
  thud_body_def def = thud_body_def_default();
  def.pose.position.z = hypot(c * cos(amplitude), a * sin(amplitude));
  def.pose.rotation = thud_quat_from_rotation_vector(thud_vec3_make(0, amplitude, 0));
  body_scene_place(&scene, &def, body_scene_shape(&scene, &shape), 1000);
  double inertia = (a * a + c * c) / 5, omega = sqrt(g * (a * a / c - c) / (inertia + c * c));
  thud_motion *motion = body_scene_motion(&scene, 10 * 2 * pi / omega / steps, steps, 0);
  body_scene_run(motion);
  thud_body_frame frame = thud_body_motion_present(motion);
  thud_vec3 axis = thud_quat_rotate(frame.pose[1].rotation, thud_vec3_make(0, 0, 1));
  double energy = 4.0 / 3 * pi * a * b * c * 1000 * g * (a * a / c - c) * amplitude * amplitude / 2;
  *angle = axis.x / amplitude;
  *lost = (frame.ledger.friction_loss + frame.ledger.contact_loss + frame.ledger.impact_loss) / energy;
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

static void an_ellipsoid_rocks_with_its_own_frequency(void **state) {
  (void)state;
  double angle[2], lost[2];
  rock(1000, &angle[0], &lost[0]);
  rock(2000, &angle[1], &lost[1]);
  thud_assert_near(angle[0], 1, 1e-4); /* after ten periods */
  thud_assert_near(angle[1], 1, 1e-5);
  thud_assert_near(lost[0] / lost[1], 4, 0.2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_disc_that_rolls_on_its_rim_keeps_rolling),
      cmocka_unit_test(an_ellipsoid_rocks_with_its_own_frequency),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
