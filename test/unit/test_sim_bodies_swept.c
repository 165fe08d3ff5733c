/* Times of contact: impacts act where bodies meet, keep both momenta, gain no energy; fast bodies do not pass through others. */
#include "body_scenes.h"

#include "motions/bodies/body_motion.h"

#include <math.h>

static body_motion *inside(thud_motion *motion) { return (body_motion *)motion; }

static const double g = 9.81;

static thud_motion *start(body_scene *scene, double h, thud_index steps) {
  return body_scene_motion(scene, h, steps, 0);
}

static void finish(thud_motion *motion, body_scene *scene) {
  thud_context *context = scene->context;
  thud_motion_destroy(motion);
  body_scene_end(scene);
  thud_test_context_end(context);
}

/* ---- two balls ------------------------------------------------------------------------------------------------------------- */

typedef struct ball {
  double radius, mass, inertia;
  thud_vec3 x, v, w;
} ball;

static ball random_ball(thud_random *random, double x, double speed) {
  double r = thud_random_uniform(random, 0.08, 0.15), mass = 1000 * 4.0 / 3 * 3.14159265358979323846 * r * r * r;
  return (ball){
      .radius = r,
      .mass = mass,
      .inertia = 0.4 * mass * r * r,
      .x = thud_vec3_make(x, thud_random_uniform(random, -0.06, 0.06), thud_random_uniform(random, -0.06, 0.06)),
      .v = thud_vec3_make(speed, thud_random_uniform(random, -0.2, 0.2), thud_random_uniform(random, -0.2, 0.2)),
      .w = thud_vec3_make(thud_random_uniform(random, -9, 9), thud_random_uniform(random, -9, 9),
                          thud_random_uniform(random, -9, 9))};
}

/* Two balls in free flight for a time, with the impact of Newton's restitution and Coulomb's friction when they meet: as the
 * mobility of spheres is the same in all tangential directions, slip does not change its direction. */
static void collide(ball *a, ball *b, double e, double mu, double time) {
  thud_vec3 d = thud_vec3_subtract(a->x, b->x), v = thud_vec3_subtract(a->v, b->v);
  double A = thud_vec3_dot(v, v), B = thud_vec3_dot(d, v), R = a->radius + b->radius;
  double root = B * B - A * (thud_vec3_dot(d, d) - R * R);
  double t = root > 0 && B < 0 ? (-B - sqrt(root)) / A : time;
  if (t > time) t = time;
  a->x = thud_vec3_add_scaled(a->x, t, a->v);
  b->x = thud_vec3_add_scaled(b->x, t, b->v);
  if (t < time) {
    thud_vec3 n = thud_vec3_scale(1 / R, thud_vec3_subtract(a->x, b->x));
    thud_vec3 la = thud_vec3_scale(-a->radius, n), lb = thud_vec3_scale(b->radius, n);
    thud_vec3 u = thud_vec3_subtract(thud_vec3_add(a->v, thud_vec3_cross(a->w, la)),
                                     thud_vec3_add(b->v, thud_vec3_cross(b->w, lb)));
    double un = thud_vec3_dot(u, n), W = 1 / a->mass + 1 / b->mass, rn = -(1 + e) * un / W;
    thud_vec3 slip = thud_vec3_add_scaled(u, -un, n);
    W += a->radius * a->radius / a->inertia + b->radius * b->radius / b->inertia;
    double rt = fmin(thud_vec3_norm(slip) / W, mu * rn) / thud_vec3_norm(slip);
    thud_vec3 r = thud_vec3_add_scaled(thud_vec3_scale(rn, n), -rt, slip);
    a->v = thud_vec3_add_scaled(a->v, 1 / a->mass, r);
    b->v = thud_vec3_add_scaled(b->v, -1 / b->mass, r);
    a->w = thud_vec3_add_scaled(a->w, 1 / a->inertia, thud_vec3_cross(la, r));
    b->w = thud_vec3_add_scaled(b->w, -1 / b->inertia, thud_vec3_cross(lb, r));
  }
  a->x = thud_vec3_add_scaled(a->x, time - t, a->v);
  b->x = thud_vec3_add_scaled(b->x, time - t, b->v);
}

static void place_ball(body_scene *scene, const ball *b) {
  thud_body_def def = thud_body_def_default();
  def.pose.position = b->x;
  def.velocity = b->v;
  def.spin = b->w;
  body_scene_place(scene, &def, body_scene_sphere(scene, b->radius), 1000);
}

/* Oblique impacts of spinning balls in free flight end where the closed form does, whatever the step: up to the residual
 * 1e-8 of the impulses where friction makes the problem one of iterations. */
static void oblique_impacts_have_their_closed_form(void **state) {
  (void)state;
  thud_random random = thud_random_seed(1);
  int met = 0;
  for (int k = 0; k < 100; k++) {
    double e = thud_random_uniform(&random, 0.05, 1), mu = k % 4 == 0 ? 0 : thud_random_uniform(&random, 0, 1);
    ball a = random_ball(&random, -0.5, 3), b = random_ball(&random, 0.5, -1), from[2] = {a, b};
    body_scene scene = body_scene_begin(thud_test_context(1), false, 0, mu, e);
    place_ball(&scene, &a);
    place_ball(&scene, &b);
    thud_motion *motion = start(&scene, k % 2 == 0 ? 1e-3 : 1e-2, k % 2 == 0 ? 400 : 40);
    thud_body_motion_info info = body_scene_run(motion);
    thud_body_frame last = thud_body_motion_present(motion);
    collide(&a, &b, e, mu, 0.4);
    const ball *wanted[2] = {&a, &b};
    for (int i = 0; i < 2; i++) {
      thud_assert_at_most(thud_vec3_distance(last.pose[i].position, wanted[i]->x), 1e-8);
      thud_assert_at_most(thud_vec3_distance(last.velocity[i], wanted[i]->v), 1e-8);
      thud_assert_at_most(thud_vec3_distance(last.spin[i], wanted[i]->w), 1e-6);
    }
    thud_vec3 L = {0}, L0 = {0};
    double size = 0;
    for (int i = 0; i < 2; i++) {
      thud_vec3 orbit = thud_vec3_cross(last.pose[i].position, last.velocity[i]);
      L = thud_vec3_add(L, thud_vec3_add_scaled(thud_vec3_scale(from[i].mass, orbit), from[i].inertia, last.spin[i]));
      orbit = thud_vec3_cross(from[i].x, from[i].v);
      L0 = thud_vec3_add(L0, thud_vec3_add_scaled(thud_vec3_scale(from[i].mass, orbit), from[i].inertia, from[i].w));
      size += from[i].mass * 3 + from[i].inertia * 20;
    }
    thud_assert_at_most(thud_vec3_distance(L, L0), 400 * 0x1p-50 * size); /* rounding of 400 steps */
    thud_assert_equal(info.projections, 0);
    met += info.impacts > 0;
    finish(motion, &scene);
  }
  thud_assert_at_least(met, 80);
}

/* ---- energy ------------------------------------------------------------------------------------------------------------------ */

/* An elastic ball under gravity: E = K + V is kept by every impact, and no apex is above the start, up to rounding. */
static void elastic_balls_do_not_rise_above_their_start(void **state) {
  (void)state;
  const double steps[] = {1e-3, 3e-3, 1e-2, 2.1e-2};
  for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
    body_scene scene = body_scene_begin(thud_test_context(1), false, g, 0.3, 1);
    body_scene_floor(&scene);
    body_scene_add(&scene, body_scene_sphere(&scene, 0.1), 0, 0, 1.1);
    thud_motion *motion = start(&scene, steps[k], (thud_index)(20 / steps[k]));
    double highest = 0, energy = inside(motion)->state.now->initial_energy;
    while (inside(motion)->state.now->info.status == THUD_MOTION_RUNNING) {
      assert_int_equal(body_scene_step(motion, NULL), THUD_OK);
      thud_body_frame now = thud_body_motion_present(motion);
      highest = fmax(highest, now.pose[1].position.z);
      thud_assert_near(now.ledger.kinetic + now.ledger.potential, energy, 1e-11 * energy);
    }
    thud_assert_at_most(highest, 1.1 * (1 + 1e-11));
    thud_assert_at_least((double)inside(motion)->state.now->info.impacts, 15); /* 2 sqrt(2/g) = 0.903 s between them */
    finish(motion, &scene);
  }
}

/* Balls without friction and with e = 1 in a box of walls, with gravity or without: energy never grows. */
static void crowds_of_elastic_balls_gain_no_energy(void **state) {
  (void)state;
  for (int heavy = 0; heavy <= 1; heavy++) {
    thud_random random = thud_random_seed(7);
    body_scene scene = body_scene_begin(thud_test_context(1), false, heavy * g, 0, 1);
    const double walls[6][6] = {{-0.55, 0, 0, 0.1, 2, 2}, {0.55, 0, 0, 0.1, 2, 2},  {0, -0.55, 0, 2, 0.1, 2},
                                {0, 0.55, 0, 2, 0.1, 2},  {0, 0, -0.55, 2, 2, 0.1}, {0, 0, 0.55, 2, 2, 0.1}};
    for (int k = 0; k < 6; k++) {
      thud_body_def def = thud_body_def_default();
      def.role = THUD_BODY_FIXED;
      def.pose.position = thud_vec3_load(walls[k]);
      body_scene_place(&scene, &def, body_scene_box(&scene, walls[k][3], walls[k][4], walls[k][5]), 1);
    }
    for (int i = 0; i < 27; i++) {
      thud_body_def def = thud_body_def_default();
      def.pose.position = thud_vec3_make(0.3 * (i % 3 - 1), 0.3 * (i / 3 % 3 - 1), 0.3 * (i / 9 - 1));
      def.velocity = thud_vec3_make(thud_random_uniform(&random, -3, 3), thud_random_uniform(&random, -3, 3),
                                    thud_random_uniform(&random, -3, 3));
      body_scene_place(&scene, &def, body_scene_sphere(&scene, 0.1), 1000);
    }
    thud_motion *motion = start(&scene, 2e-3, 500);
    double kinetic = inside(motion)->state.now->ledger.kinetic, most = inside(motion)->state.now->initial_energy;
    for (int k = 0; k < 500; k++) {
      assert_int_equal(body_scene_step(motion, NULL), THUD_OK);
      thud_body_frame now = thud_body_motion_present(motion);
      /* what the audit of energy lets pass, 1e-9 of the island's in each of the steps */
      thud_assert_at_most(now.ledger.kinetic + now.ledger.potential, most + 1e-9 * kinetic);
      most = fmin(most, now.ledger.kinetic + now.ledger.potential);
    }
    thud_assert_at_least((double)inside(motion)->state.now->info.impacts, 300);
    thud_assert_at_most(inside(motion)->state.now->ledger.lift, 1e-9 * kinetic);
    finish(motion, &scene);
  }
}

/* ---- fast bodies --------------------------------------------------------------------------------------------------------------- */

/* A ball of 2 cm against a plate of 1 cm at any phase of the step: it turns round at the plate's face, at its time. */
static void bullets_rebound_from_thin_plates(void **state) {
  (void)state;
  thud_random random = thud_random_seed(3);
  for (int k = 0; k < 60; k++) {
    bool planar = k % 3 == 0;
    double e = k % 2 == 0 ? 0.5 : 1, from = thud_random_uniform(&random, 0.6, 1.4);
    body_scene scene = body_scene_begin(thud_test_context(1), planar, 0, 0.3, e);
    thud_body_def def = thud_body_def_default();
    def.role = THUD_BODY_FIXED;
    body_scene_place(&scene, &def, planar ? body_scene_box(&scene, 1, 0.01, 0) : body_scene_box(&scene, 1, 1, 0.01), 1);
    def = thud_body_def_default();
    thud_vec3 up = planar ? thud_vec3_make(0, 1, 0) : thud_vec3_make(0, 0, 1);
    def.pose.position = thud_vec3_scale(from, up);
    def.velocity = thud_vec3_scale(-100, up);
    thud_shape_def disc = thud_shape_def_default(THUD_SHAPE_DISC);
    disc.radius = 0.02;
    body_scene_place(&scene, &def, planar ? body_scene_shape(&scene, &disc) : body_scene_sphere(&scene, 0.02), 1000);
    thud_motion *motion = start(&scene, 0.005, 8);
    body_scene_run(motion);
    thud_body_frame last = thud_body_motion_present(motion);
    double t = (from - 0.025) / 100, wanted = 0.025 + 100 * e * (0.04 - t);
    thud_assert_near(thud_vec3_dot(last.pose[1].position, up), wanted, 1e-6);
    thud_assert_near(thud_vec3_dot(last.velocity[1], up), 100 * e, 1e-6);
    finish(motion, &scene);
  }
}

/* The tip of a rod that turns by 1.5 rad in a step, and a plate on a path, meet a ball at rest: it is hit. */
static int dash(void *user, double t, thud_pose *pose, thud_vec3 *velocity, thud_vec3 *spin) {
  (void)user;
  pose->position = thud_vec3_make(0, 0, 80 * t - 1.03);
  *velocity = thud_vec3_make(0, 0, 80);
  *spin = (thud_vec3){0};
  return 0;
}

static void swept_balls_are_hit(void **state) {
  (void)state;
  for (int k = 0; k < 12; k++) {
    bool rod = k % 2 == 0;
    body_scene scene = body_scene_begin(thud_test_context(1), false, 0, 0.3, k % 4 < 2 ? 0 : 0.6);
    thud_body_def def = thud_body_def_default();
    if (rod) {
      thud_shape_def capsule = thud_shape_def_default(THUD_SHAPE_CAPSULE);
      capsule.radius = 0.01;
      capsule.half_length = 0.5;
      def.spin = thud_vec3_make(300, 0, 0);
      body_scene_place(&scene, &def, body_scene_shape(&scene, &capsule), 8000);
    } else {
      def.role = THUD_BODY_KINEMATIC;
      def.path = dash;
      body_scene_place(&scene, &def, body_scene_box(&scene, 1, 1, 0.01), 1);
    }
    def = thud_body_def_default();
    double angle = 0.3 + 0.4 * k;
    if (rod) def.pose.position = thud_vec3_make(0, 0.45 * sin(angle), 0.45 * cos(angle));
    body_scene_place(&scene, &def, body_scene_sphere(&scene, 0.02), 1000);
    thud_motion *motion = start(&scene, 0.005, 8);
    thud_body_motion_info info = body_scene_run(motion);
    thud_assert_at_least((double)info.impacts, 1);
    thud_assert_greater(thud_vec3_norm(thud_body_motion_present(motion).velocity[1]), rod ? 30 : 79);
    finish(motion, &scene);
  }
}

/* Without `continuous` the bullet passes: where no midpoint sees the two, where one sees them beyond their middles, and through
 * a plate that another body drives it against; each time it is said, once. */
static void what_passes_is_said(void **state) {
  (void)state;
  for (int k = 0; k < 20; k++) {
    body_scene scene = body_scene_begin(thud_test_context(1), false, 0, 0.3, 0.5);
    thud_body_def def = thud_body_def_default();
    def.role = THUD_BODY_FIXED;
    body_scene_place(&scene, &def, body_scene_box(&scene, 1, 1, 0.01), 1);
    def = thud_body_def_default();
    def.pose.position.z = 0.7 + 0.025 * k;
    def.velocity.z = -100;
    body_scene_place(&scene, &def, body_scene_sphere(&scene, 0.02), 1000);
    thud_body_motion_options options = thud_body_motion_options_default();
    options.continuous = false;
    options.end = 0.04;
    options.steps = 8;
    thud_motion *motion = NULL;
    assert_int_equal(thud_body_motion_create(scene.context, scene.bodies, &options, &motion), THUD_OK);
    thud_body_motion_info info = body_scene_run(motion);
    bool passed = thud_body_motion_present(motion).velocity[1].z < 0;
    thud_assert_equal(info.passings, passed ? 1 : 0);
    if (passed) {
      thud_assert_equal(info.passing_a + info.passing_b, 1);
      thud_assert_near(info.passing_time, (def.pose.position.z - 0.025) / 100, 0.0051 + 0.0005);
    }
    finish(motion, &scene);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(oblique_impacts_have_their_closed_form),
                                     cmocka_unit_test(elastic_balls_do_not_rise_above_their_start),
                                     cmocka_unit_test(crowds_of_elastic_balls_gain_no_energy),
                                     cmocka_unit_test(bullets_rebound_from_thin_plates),
                                     cmocka_unit_test(swept_balls_are_hit),
                                     cmocka_unit_test(what_passes_is_said)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
