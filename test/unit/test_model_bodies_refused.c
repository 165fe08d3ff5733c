/* Models of rigid bodies: what is refused, by name and place, and what stays as it was. */
#include "body_models.h"
#include "failing_allocator.h"
#include "testing.h"
#include "thud/bodies.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is refused ---------------------------------------------------------------------------------------------- */

typedef void (*spoil_fn)(thud_body_def *def);
static int no_path(void *user, double t, thud_pose *pose, thud_vec3 *velocity, thud_vec3 *spin) {
  (void)user, (void)t, (void)pose, (void)velocity, (void)spin;
  return 0;
}
static int no_force(void *user, double t, const thud_body_state *state, thud_vec3 *force, thud_vec3 *torque) {
  (void)user, (void)t, (void)state, (void)force, (void)torque;
  return 0;
}
static void spoil_mass(thud_body_def *def) { def->mass = -1; }
static void spoil_mass_nan(thud_body_def *def) { def->mass = NAN; }
static void spoil_position(thud_body_def *def) { def->pose.position.y = INFINITY; }
static void spoil_norm(thud_body_def *def) { def->pose.rotation.w = 2; }
static void spoil_rotation(thud_body_def *def) { def->pose.rotation.x = NAN; }
static void spoil_zero_rotation(thud_body_def *def) { def->pose.rotation.w = 0; }
static void spoil_velocity(thud_body_def *def) { def->velocity.x = NAN; }
static void spoil_spin(thud_body_def *def) { def->spin.x = NAN; }
static void spoil_role(thud_body_def *def) { def->role = 3; }
static void spoil_path(thud_body_def *def) { def->role = THUD_BODY_KINEMATIC; }
static void spoil_dynamic_path(thud_body_def *def) { def->path = no_path; }
static void spoil_force(thud_body_def *def) { def->role = THUD_BODY_FIXED, def->force = no_force; }
static void spoil_fixed(thud_body_def *def) { def->role = THUD_BODY_FIXED, def->spin.z = 1; }
static void spoil_inertia(thud_body_def *def) { def->mass = 1, def->inertia = thud_mat3_diagonal(1, 1, 3); }
static void spoil_inertia_alone(thud_body_def *def) { def->inertia = thud_mat3_diagonal(1, 1, 1); }
static void spoil_inertia_nan(thud_body_def *def) { def->mass = 1, def->inertia.cx.y = NAN; }
static void spoil_centre(thud_body_def *def) { def->centre.x = NAN; }
static void spoil_gravity(thud_body_def *def) { def->gravity_scale = NAN; }
static void spoil_size(thud_body_def *def) { def->size = sizeof *def + 8; }
static void leave_plane(thud_body_def *def) { def->pose.position.z = 1; }
static void turn_out(thud_body_def *def) { def->pose.rotation = thud_quat_make(0.6, 0.8, 0, 0); }
static void fly_out(thud_body_def *def) { def->velocity.z = 1; }
static void spin_out(thud_body_def *def) { def->spin.x = 1; }
static void planar_inertia(thud_body_def *def) { def->mass = 1, def->inertia.cz.z = -1; }

static void bodies_that_cannot_be_are_refused_by_name(void **state) {
  (void)state;
  static const struct {
    spoil_fn spoil;
    bool planar;
    thud_error error;
    const char *piece;
  } cases[] = {{spoil_mass, false, THUD_ERROR_ARGUMENT, "body 'odd': mass -1 is negative"},
               {spoil_mass_nan, false, THUD_ERROR_NOT_FINITE, "body 'odd': mass"},
               {spoil_position, false, THUD_ERROR_NOT_FINITE, "body 'odd': position"},
               {spoil_norm, false, THUD_ERROR_ARGUMENT, "quaternion of norm 2"},
               {spoil_rotation, false, THUD_ERROR_NOT_FINITE, "body 'odd': rotation"},
               {spoil_zero_rotation, false, THUD_ERROR_ARGUMENT, "quaternion of norm 0"},
               {spoil_velocity, false, THUD_ERROR_NOT_FINITE, "body 'odd': velocity"},
               {spoil_spin, false, THUD_ERROR_NOT_FINITE, "body 'odd': spin"},
               {spoil_role, false, THUD_ERROR_ARGUMENT, "unknown role 3"},
               {spoil_path, false, THUD_ERROR_ARGUMENT, "has no path"},
               {spoil_dynamic_path, false, THUD_ERROR_ARGUMENT, "is not kinematic"},
               {spoil_force, false, THUD_ERROR_ARGUMENT, "no force moves it"},
               {spoil_fixed, false, THUD_ERROR_ARGUMENT, "is fixed and has a velocity or a spin"},
               {spoil_inertia, false, THUD_ERROR_ARGUMENT, "no body has the inertia that is given"},
               {spoil_inertia_alone, false, THUD_ERROR_ARGUMENT, "has an inertia and no mass"},
               {spoil_inertia_nan, false, THUD_ERROR_NOT_FINITE, "inertia is not finite"},
               {spoil_centre, false, THUD_ERROR_NOT_FINITE, "body 'odd': centre"},
               {spoil_gravity, false, THUD_ERROR_NOT_FINITE, "gravity_scale"},
               {spoil_size, false, THUD_ERROR_ARGUMENT, "this library knows"},
               {leave_plane, true, THUD_ERROR_ARGUMENT, "position (0, 0, 1) lies out of the plane"},
               {turn_out, true, THUD_ERROR_ARGUMENT, "turns out of the plane"},
               {fly_out, true, THUD_ERROR_ARGUMENT, "velocity (0, 0, 1) lies out of the plane"},
               {spin_out, true, THUD_ERROR_ARGUMENT, "spin (1, 0, 0) turns out of the plane"},
               {planar_inertia, true, THUD_ERROR_ARGUMENT, "inertia -1 about z is not positive"}};
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_bodies *bodies = begin(context, cases[k].planar);
    thud_body_def def = thud_body_def_default();
    thud_body_id id = {0, 0};
    def.name = "odd";
    cases[k].spoil(&def);
    assert_int_equal(thud_bodies_add(bodies, &def, &id), cases[k].error);
    thud_test_message_has(context, cases[k].piece, NULL);
    assert_int_equal(id.index1, 0);
    assert_int_equal(view_of(bodies).count, 0);
    thud_bodies_destroy(bodies);
  }
  thud_test_context_end(context);
}

/* What only the whole shows: the message names the body, and the model can be put right. */
static void bodies_without_a_mass_are_refused_by_name(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_bodies *bodies = begin(context, false);
  thud_index ball = add_sphere(bodies, THUD_SHAPE_SPHERE, 1), particle = add_sphere(bodies, THUD_SHAPE_SPHERE, 0);
  thud_bodies_view view = {.count = 77};
  thud_body_id id = add_named(bodies, "bare", THUD_BODY_DYNAMIC);
  assert_int_equal(thud_bodies_get(bodies, &view), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "body 'bare' has no parts and no mass", NULL);
  assert_int_equal(view.count, 77);
  attach(bodies, id, ball, 0, nowhere, nowhere);
  attach(bodies, id, particle, 1, nowhere, nowhere);
  assert_int_equal(thud_bodies_complete(bodies), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "body 'bare' has mass 0", NULL);
  attach(bodies, id, ball, 1, nowhere, nowhere);
  assert_int_equal(thud_bodies_complete(bodies), THUD_OK);
  thud_body_def def = thud_body_def_default();
  def.name = "off";
  def.mass = 1;
  def.centre = vector(0, 0.1, 0);
  id = add(bodies, &def);
  attach(bodies, id, ball, 1, nowhere, nowhere);
  assert_int_equal(thud_bodies_complete(bodies), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "body 'off'", "give the inertia, or leave the centre out", NULL);
  assert_int_equal(thud_bodies_remove(bodies, id), THUD_OK);
  def.name = "rod";
  def.inertia = thud_mat3_diagonal(1, 1, 0);
  id = add(bodies, &def);
  assert_int_equal(thud_bodies_complete(bodies), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "body 'rod'", "singular", NULL);
  assert_int_equal(thud_bodies_remove(bodies, id), THUD_OK);
  def.name = "pair", def.inertia = thud_mat3_diagonal(0, 0, 0), def.centre = nowhere;
  id = add(bodies, &def);
  attach(bodies, id, particle, 0, vector(1, 0, 0), nowhere);
  attach(bodies, id, particle, 0, vector(-1, 0, 0), nowhere);
  assert_int_equal(thud_bodies_complete(bodies), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "body 'pair' has particles at several places", NULL);
  assert_int_equal(thud_bodies_remove(bodies, id), THUD_OK);
  def.name = "dust", def.mass = 1e-310;
  id = add(bodies, &def);
  assert_int_equal(thud_bodies_complete(bodies), THUD_ERROR_NOT_FINITE);
  thud_test_message_has(context, "body 'dust'", "other units", NULL);
  assert_int_equal(thud_bodies_remove(bodies, id), THUD_OK);
  assert_int_equal(view_of(bodies).count, 1);
  thud_bodies_destroy(bodies);
  thud_test_context_end(context);
}

static void parts_that_do_not_fit_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_bodies *bodies = begin(context, false), *planar = begin(context, true);
  thud_index ball = add_sphere(bodies, THUD_SHAPE_SPHERE, 1), number = -7;
  thud_index floor = add_shape(bodies, thud_shape_def_default(THUD_SHAPE_PLANE));
  thud_shape_def disc = thud_shape_def_default(THUD_SHAPE_DISC), sphere = thud_shape_def_default(THUD_SHAPE_SPHERE);
  disc.radius = sphere.radius = 1;
  assert_int_equal(thud_bodies_add_shape(bodies, &disc, &number), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "of the plane, and the model is spatial", NULL);
  assert_int_equal(thud_bodies_add_shape(planar, &sphere, &number), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "of space, and the model is planar", NULL);
  thud_assert_equal(number, -7);
  thud_body_id moves = add_named(bodies, "moves", THUD_BODY_DYNAMIC),
               fixed = add_named(bodies, "fixed", THUD_BODY_FIXED);
  attach(bodies, fixed, floor, 0, nowhere, nowhere);
  thud_part_def part = thud_part_def_default();
  part.shape = floor;
  assert_int_equal(thud_bodies_attach(bodies, moves, &part), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "a part of body 'moves'", "surface", "make the body fixed", NULL);
  part.shape = 2;
  assert_int_equal(thud_bodies_attach(bodies, moves, &part), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "a part of body 'moves': its shape is 2; there are 2", NULL);
  part.shape = ball;
  part.material = 0;
  assert_int_equal(thud_bodies_attach(bodies, moves, &part), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "its material is 0; there are 0", NULL);
  part.material = -1;
  part.density = -2;
  assert_int_equal(thud_bodies_attach(bodies, moves, &part), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "density -2 is negative", NULL);
  part.density = INFINITY;
  assert_int_equal(thud_bodies_attach(bodies, moves, &part), THUD_ERROR_NOT_FINITE);
  part.density = 1;
  part.pose.rotation.w = 3;
  assert_int_equal(thud_bodies_attach(bodies, moves, &part), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_bodies_remove(bodies, moves), THUD_OK);
  part.pose.rotation.w = 1;
  assert_int_equal(thud_bodies_attach(bodies, moves, &part), THUD_ERROR_NOT_FOUND);
  assert_int_equal(view_of(bodies).part_count, 1);
  thud_bodies_destroy(bodies);
  thud_bodies_destroy(planar);
  thud_test_context_end(context);
}

static void laws_that_cannot_be_are_refused(void **state) {
  (void)state;
  thud_surface_law good = thud_surface_law_default(), bad[8];
  const char *pieces[] = {"friction -1 is negative", "restitution 1.5", "rolling",     "spinning",
                          "is no direction",         "friction_across", "restitution", "friction is not finite"};
  for (int k = 0; k < 8; k++) bad[k] = good;
  bad[0].friction = -1, bad[1].restitution = 1.5, bad[2].rolling = NAN, bad[3].spinning = -1;
  bad[4].friction_across = 0.5, bad[4].axis[0] = 0;
  bad[5].friction_across = NAN, bad[6].restitution = NAN, bad[7].friction = INFINITY;
  thud_context *context = thud_test_context(1);
  thud_bodies *bodies = begin(context, false), *planar = begin(context, true);
  thud_index number = -7;
  for (int k = 0; k < 8; k++) {
    assert_int_not_equal(thud_bodies_add_material(bodies, "glue", &bad[k], &number), THUD_OK);
    thud_test_message_has(context, "material 'glue'", pieces[k], NULL);
  }
  thud_surface_law spins = good, across = good;
  spins.spinning = across.friction_across = 0.1;
  assert_int_equal(thud_bodies_add_material(planar, "glue", &spins, &number), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "leave spinning friction 0", NULL);
  assert_int_equal(thud_bodies_add_material(planar, "glue", &across, &number), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "the plane has one tangent", NULL);
  thud_assert_equal(number, -7);
  assert_int_equal(thud_bodies_add_material(bodies, "a", &good, &number), THUD_OK);
  assert_int_equal(thud_bodies_set_pair(bodies, 0, 1, &good), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "materials 0 and 1; there are 1", NULL);
  assert_int_equal(thud_bodies_set_pair(bodies, 0, 0, &bad[0]), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "materials 'a' and 'a': friction -1", NULL);
  thud_assert_equal(thud_bodies_pair_law(bodies, 0, 0, NULL).friction, 0);
  thud_bodies_destroy(bodies);
  thud_bodies_destroy(planar);
  thud_test_context_end(context);
}

static void springs_that_cannot_be_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_bodies *bodies = begin(context, false);
  thud_spring_def good = thud_spring_def_default(), bad;
  good.a = add_named(bodies, "here", THUD_BODY_FIXED);
  good.b = add_named(bodies, "there", THUD_BODY_FIXED);
  good.name = "s";
  for (int k = 0; k < 3; k++) {
    bad = good;
    *(k == 0 ? &bad.length : k == 1 ? &bad.stiffness : &bad.damping) = -1;
    assert_int_equal(thud_bodies_add_spring(bodies, &bad), THUD_ERROR_ARGUMENT);
    thud_test_message_has(context, "spring 's'", "-1 is negative", NULL);
  }
  bad = good;
  bad.point_b.y = NAN;
  assert_int_equal(thud_bodies_add_spring(bodies, &bad), THUD_ERROR_NOT_FINITE);
  bad = good;
  bad.b = bad.a;
  assert_int_equal(thud_bodies_add_spring(bodies, &bad), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "spring 's': it connects body 'here' with itself", NULL);
  bad.a = (thud_body_id){0, 0};
  assert_int_equal(thud_bodies_add_spring(bodies, &bad), THUD_ERROR_NOT_FOUND);
  bad = good;
  assert_int_equal(thud_bodies_remove(bodies, good.b), THUD_OK);
  assert_int_equal(thud_bodies_add_spring(bodies, &bad), THUD_ERROR_NOT_FOUND);
  thud_test_message_has(context, "spring 's': the id of one of its ends names no body", NULL);
  assert_int_equal(view_of(bodies).spring_count, 0);
  thud_bodies_destroy(bodies);
  thud_test_context_end(context);
}

static void gravity_is_finite_and_in_the_plane(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_bodies_options options = thud_bodies_options_default();
  thud_bodies *bodies = NULL;
  options.planar = true;
  assert_int_equal(thud_bodies_create(context, &options, &bodies), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "points out of the plane", "(0, -9.81, 0)", NULL);
  options.gravity[1] = NAN;
  assert_int_equal(thud_bodies_create(context, &options, &bodies), THUD_ERROR_NOT_FINITE);
  options.size = 4;
  assert_int_equal(thud_bodies_create(context, &options, &bodies), THUD_ERROR_ARGUMENT);
  assert_null(bodies);
  assert_int_equal(thud_bodies_create(context, NULL, &bodies), THUD_OK);
  thud_assert_equal(view_of(bodies).gravity.z, -9.81);
  assert_int_equal(thud_bodies_create(context, NULL, NULL), THUD_ERROR_ARGUMENT);
  thud_bodies_destroy(bodies);
  thud_bodies_destroy(NULL);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_that_cannot_be_are_refused_by_name),
                                     cmocka_unit_test(bodies_without_a_mass_are_refused_by_name),
                                     cmocka_unit_test(parts_that_do_not_fit_are_refused),
                                     cmocka_unit_test(laws_that_cannot_be_are_refused),
                                     cmocka_unit_test(springs_that_cannot_be_are_refused),
                                     cmocka_unit_test(gravity_is_finite_and_in_the_plane)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
