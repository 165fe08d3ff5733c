/* Small models of rigid bodies, made with assertions. */
#ifndef THUD_TEST_BODY_MODELS_H
#define THUD_TEST_BODY_MODELS_H

#include "failing_allocator.h"
#include "testing.h"
#include "thud/bodies.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- making models ------------------------------------------------------------------------------------------------ */

static inline thud_bodies *begin(thud_context *context, bool planar) {
  thud_bodies_options options = thud_bodies_options_default();
  options.planar = planar;
  if (planar) options.gravity[2] = 0;
  thud_bodies *bodies;
  assert_int_equal(thud_bodies_create(context, &options, &bodies), THUD_OK);
  return bodies;
}

static inline thud_index add_shape(thud_bodies *bodies, thud_shape_def def) {
  thud_index shape;
  assert_int_equal(thud_bodies_add_shape(bodies, &def, &shape), THUD_OK);
  return shape;
}

static inline thud_index add_sphere(thud_bodies *bodies, thud_shape_kind kind, double radius) {
  thud_shape_def def = thud_shape_def_default(kind);
  def.radius = radius;
  return add_shape(bodies, def);
}

static inline thud_index add_box(thud_bodies *bodies, thud_shape_kind kind, double x, double y, double z) {
  thud_shape_def def = thud_shape_def_default(kind);
  def.half[0] = x, def.half[1] = y, def.half[2] = z;
  return add_shape(bodies, def);
}

static inline thud_body_id add(thud_bodies *bodies, const thud_body_def *def) {
  thud_body_id id;
  assert_int_equal(thud_bodies_add(bodies, def, &id), THUD_OK);
  return id;
}

static inline thud_body_id add_named(thud_bodies *bodies, const char *name, int role) {
  thud_body_def def = thud_body_def_default();
  def.name = name;
  def.role = role;
  return add(bodies, &def);
}

static inline void attach(thud_bodies *bodies, thud_body_id id, thud_index shape, double density, thud_vec3 position,
                          thud_vec3 rotation) {
  thud_part_def def = thud_part_def_default();
  def.shape = shape;
  def.density = density;
  def.pose.position = position;
  def.pose.rotation = thud_quat_from_rotation_vector(rotation);
  assert_int_equal(thud_bodies_attach(bodies, id, &def), THUD_OK);
}

static inline thud_bodies_view view_of(thud_bodies *bodies) {
  thud_bodies_view view;
  thud_error error = thud_bodies_get(bodies, &view);
  assert_int_equal(error, THUD_OK);
  return view;
}

static inline thud_vec3 vector(double x, double y, double z) { return thud_vec3_make(x, y, z); }

static const thud_vec3 nowhere = {0, 0, 0};

static inline void assert_vector(thud_vec3 v, thud_vec3 expected, double tolerance) {
  thud_assert_near(v.x, expected.x, tolerance);
  thud_assert_near(v.y, expected.y, tolerance);
  thud_assert_near(v.z, expected.z, tolerance);
}

static inline void assert_matrix(thud_mat3 A, thud_mat3 expected, double tolerance) {
  assert_vector(A.cx, expected.cx, tolerance);
  assert_vector(A.cy, expected.cy, tolerance);
  assert_vector(A.cz, expected.cz, tolerance);
}

static const double PI = 3.14159265358979323846;

#endif
