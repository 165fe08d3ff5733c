#include "thud/small.h"
#include "random_matrices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

enum { TRIALS = 5000 };

static thud_vec3 random_vector(thud_random *random) {
  double x = thud_random_normal(random), y = thud_random_normal(random);
  return thud_vec3_make(x, y, thud_random_normal(random));
}

static thud_vec3 random_unit(thud_random *random) {
  thud_vec3 unit = {0, 0, 0};
  assert_true(thud_vec3_normalise(random_vector(random), &unit));
  return unit;
}

static thud_mat3 random_matrix(thud_random *random) {
  thud_vec3 x = random_vector(random), y = random_vector(random);
  return thud_mat3_columns(x, y, random_vector(random));
}

static thud_quat random_rotation(thud_random *random) {
  double w = thud_random_normal(random), x = thud_random_normal(random), y = thud_random_normal(random);
  return thud_quat_normalise(thud_quat_make(w, x, y, thud_random_normal(random)));
}

static double distance(thud_mat3 A, thud_mat3 B) {
  thud_mat3 D = thud_mat3_subtract(A, B);
  return sqrt(thud_vec3_dot(D.cx, D.cx) + thud_vec3_dot(D.cy, D.cy) + thud_vec3_dot(D.cz, D.cz));
}

/* A quaternion with |q|^2 = 1 + d gives |R'R - I| <= 4 sqrt(2) d, and normalising leaves d of about 3 eps. */
static void assert_rotation(thud_mat3 R) {
  thud_assert_less(distance(thud_mat3_multiply_transposed(R, R), thud_mat3_identity()), 5e-15);
  thud_assert_nearer(thud_mat3_determinant(R), 1, 5e-15);
}

static void plane_vectors_obey_their_identities(void **state) {
  (void)state;
  thud_random random = thud_random_seed(20);
  for (int trial = 0; trial < TRIALS; trial++) {
    thud_vec2 a = {thud_random_normal(&random), thud_random_normal(&random)};
    thud_vec2 b = {thud_random_normal(&random), thud_random_normal(&random)};
    double s = thud_random_normal(&random), dot = thud_vec2_dot(a, b), cross = thud_vec2_cross(a, b);
    double norms = thud_vec2_norm(a) * thud_vec2_norm(b);
    thud_assert_near(dot * dot + cross * cross, norms * norms, 1e-14 * norms * norms);
    thud_assert_equal(thud_vec2_dot(thud_vec2_perpendicular(a), b), cross);
    thud_vec2 sum = thud_vec2_add(a, thud_vec2_scale(s, b)), same = thud_vec2_add_scaled(a, s, b);
    thud_assert_equal(sum.x, same.x);
    thud_assert_equal(sum.y, same.y);
    thud_vec2 back = thud_vec2_subtract(sum, same);
    thud_assert_equal(back.x, 0);
    thud_assert_equal(back.y, 0);
  }
}

static void vectors_obey_their_identities(void **state) {
  (void)state;
  thud_random random = thud_random_seed(21);
  for (int trial = 0; trial < TRIALS; trial++) {
    thud_vec3 a = random_vector(&random), b = random_vector(&random), c = random_vector(&random);
    double s = thud_random_normal(&random), size = thud_vec3_norm(a) * thud_vec3_norm(b) * (1 + thud_vec3_norm(c));
    thud_vec3 ab = thud_vec3_cross(a, b);
    thud_assert_at_most(fabs(thud_vec3_dot(ab, a)), 1e-15 * size * thud_vec3_norm(a) + 1e-15 * size);
    /* Lagrange, and a x (b x c) = b(a.c) - c(a.b) */
    double dot = thud_vec3_dot(a, b), norms = thud_vec3_dot(a, a) * thud_vec3_dot(b, b);
    thud_assert_near(thud_vec3_dot(ab, ab) + dot * dot, norms, 2e-15 * norms);
    thud_vec3 left = thud_vec3_cross(a, thud_vec3_cross(b, c));
    thud_vec3 right =
        thud_vec3_subtract(thud_vec3_scale(thud_vec3_dot(a, c), b), thud_vec3_scale(thud_vec3_dot(a, b), c));
    thud_assert_at_most(thud_vec3_distance(left, right), 1e-14 * size);
    thud_assert_equal(thud_vec3_distance(thud_mat3_apply(thud_mat3_cross(a), b), ab), 0);
    thud_assert_equal(thud_vec3_distance(thud_vec3_add_scaled(a, s, b), thud_vec3_add(a, thud_vec3_scale(s, b))), 0);
    thud_vec3 zero = thud_vec3_add(a, thud_vec3_negate(a));
    thud_assert_equal(thud_vec3_norm(zero), 0);
    thud_assert_nearer(thud_vec3_norm(random_unit(&random)), 1, 4e-16);
  }
  thud_vec3 kept = {1, 2, 3};
  assert_false(thud_vec3_normalise(thud_vec3_make(0, 0, 0), &kept));
  assert_false(thud_vec3_normalise(thud_vec3_make(0, NAN, 0), &kept));
  assert_false(thud_vec3_normalise(thud_vec3_make(INFINITY, 0, 0), &kept));
  thud_assert_equal(kept.x, 1);
  thud_assert_equal(kept.y, 2);
  thud_assert_equal(kept.z, 3);
}

static void matrices_agree_with_plain_loops(void **state) {
  (void)state;
  thud_random random = thud_random_seed(22);
  for (int trial = 0; trial < TRIALS; trial++) {
    thud_mat3 A = random_matrix(&random), B = random_matrix(&random);
    thud_vec3 u = random_vector(&random), v = random_vector(&random);
    double a[9], x[3], y[3], b[9], product[9], expected[9];
    thud_mat3_store(A, a);
    thud_mat3_store(B, b);
    thud_vec3_store(v, x);
    thud_assert_equal(distance(thud_mat3_load(a), A), 0);
    thud_assert_equal(a[3], A.cy.x);
    thud_test_multiply(3, 3, a, false, x, y);
    thud_assert_less(thud_vec3_distance(thud_mat3_apply(A, v), thud_vec3_load(y)), 1e-14);
    thud_test_multiply(3, 3, a, true, x, y);
    thud_assert_less(thud_vec3_distance(thud_mat3_apply_transposed(A, v), thud_vec3_load(y)), 1e-14);
    thud_dense_multiply(3, 3, 3, 1, a, false, b, false, 0, expected);
    thud_mat3_store(thud_mat3_multiply(A, B), product);
    thud_assert_less(thud_test_max_difference(9, product, expected), 1e-14);
    thud_assert_less(distance(thud_mat3_multiply_transposed(A, B), thud_mat3_multiply(thud_mat3_transpose(A), B)),
                     1e-14);
    /* (u v')x = u (v.x); tr(u v') = u.v; det(AB) = det A det B; A + A - 2A = 0 */
    thud_mat3 outer = thud_mat3_outer(u, v);
    thud_assert_less(thud_vec3_distance(thud_mat3_apply(outer, u), thud_vec3_scale(thud_vec3_dot(v, u), u)), 1e-13);
    thud_assert_nearer(thud_mat3_trace(outer), thud_vec3_dot(u, v), 1e-14);
    double dA = thud_mat3_determinant(A), dB = thud_mat3_determinant(B);
    double size = thud_mat3_permanent_of_magnitudes(A) * thud_mat3_permanent_of_magnitudes(B);
    thud_assert_near(thud_mat3_determinant(thud_mat3_multiply(A, B)), dA * dB, 1e-13 * (1 + size));
    thud_assert_equal(distance(thud_mat3_add(A, A), thud_mat3_scale(2, A)), 0);
  }
}

static void inverses_invert(void **state) {
  (void)state;
  thud_random random = thud_random_seed(23);
  for (int trial = 0; trial < TRIALS; trial++) {
    thud_mat3 A = random_matrix(&random), inverse = thud_mat3_identity();
    assert_true(thud_mat3_inverse(A, &inverse));
    double condition = distance(A, thud_mat3_scale(0, A)) * distance(inverse, thud_mat3_scale(0, A));
    thud_assert_at_most(distance(thud_mat3_multiply(A, inverse), thud_mat3_identity()), 1e-15 * condition * condition);
    /* Scaling rows and columns by anything does not make it singular ... */
    thud_mat3 scaled = thud_mat3_multiply(thud_mat3_diagonal(1e-20, 1, 1e20),
                                          thud_mat3_multiply(A, thud_mat3_diagonal(1e15, 1e-15, 1)));
    assert_true(thud_mat3_inverse(scaled, &inverse));
    /* ... and a matrix of rank two is recognised in spite of rounding, *inverse untouched. */
    double s = thud_random_normal(&random), t = thud_random_normal(&random);
    A.cz = thud_vec3_add(thud_vec3_scale(s, A.cx), thud_vec3_scale(t, A.cy));
    thud_mat3 before = inverse;
    assert_false(thud_mat3_inverse(A, &inverse));
    assert_memory_equal(&before, &inverse, sizeof before);
  }
  thud_mat3 kept;
  assert_false(thud_mat3_inverse(thud_mat3_scale(0, thud_mat3_identity()), &kept));
  assert_false(thud_mat3_inverse(thud_mat3_diagonal(1, NAN, 1), &kept));
  assert_false(thud_mat3_inverse(thud_mat3_diagonal(1, INFINITY, 1), &kept));
}

static void symmetric_systems_are_solved(void **state) {
  (void)state;
  thud_random random = thud_random_seed(24);
  for (int trial = 0; trial < TRIALS; trial++) {
    double a[9];
    thud_test_random_spd(&random, 3, 0.1, a);
    double sign = trial % 2 == 0 ? 1 : -1; /* negative definite works as well */
    thud_mat3 A = thud_mat3_scale(sign, thud_mat3_load(a)), rubbish = A;
    thud_vec3 b = random_vector(&random), x, y;
    assert_true(thud_mat3_solve_symmetric(A, b, &x));
    double size = distance(A, thud_mat3_scale(0, A)) * thud_vec3_norm(x) + thud_vec3_norm(b);
    thud_assert_at_most(thud_vec3_distance(thud_mat3_apply(A, x), b), 1e-15 * size);
    rubbish.cy.x = rubbish.cz.x = rubbish.cz.y = NAN; /* the upper triangle is not read */
    assert_true(thud_mat3_solve_symmetric(rubbish, b, &y));
    assert_memory_equal(&x, &y, sizeof x);
  }
  thud_vec3 kept = {1, 2, 3}, b = {1, 1, 1};
  assert_false(thud_mat3_solve_symmetric(thud_mat3_diagonal(1, 0, 1), b, &kept));
  assert_false(thud_mat3_solve_symmetric(thud_mat3_diagonal(0, 1, 1), b, &kept));
  assert_false(thud_mat3_solve_symmetric(thud_mat3_outer(b, b), b, &kept));
  assert_false(thud_mat3_solve_symmetric(thud_mat3_diagonal(1, 1, NAN), b, &kept));
  thud_assert_equal(kept.x, 1);
  thud_assert_equal(kept.y, 2);
  thud_assert_equal(kept.z, 3);
}

static void frames_are_rotations_that_begin_with_the_normal(void **state) {
  (void)state;
  thud_random random = thud_random_seed(25);
  for (int trial = 0; trial < TRIALS; trial++) {
    thud_vec3 n = random_unit(&random);
    if (trial % 3 == 0) { /* close to the poles, where naive formulas lose digits */
      n = thud_vec3_make(n.x * 1e-9, n.y * 1e-9, copysign(1, n.z));
      assert_true(thud_vec3_normalise(n, &n));
    }
    thud_mat3 R = thud_mat3_frame(n);
    assert_rotation(R);
    thud_assert_equal(thud_vec3_distance(R.cx, n), 0);
    /* A small turn of n turns the frame as little, except across n.z = 0. */
    thud_vec3 near = thud_vec3_add_scaled(n, 1e-7, random_unit(&random));
    assert_true(thud_vec3_normalise(near, &near));
    if (near.z * n.z > 0) thud_assert_at_most(distance(thud_mat3_frame(near), R), 1e-6);
  }
  assert_rotation(thud_mat3_frame(thud_vec3_make(0, 0, -1)));
  assert_rotation(thud_mat3_frame(thud_vec3_make(0, 0, 1)));
  assert_rotation(thud_mat3_frame(thud_vec3_make(1, 0, 0)));
  assert_rotation(thud_mat3_frame(thud_vec3_make(0, -1, -0.0)));
}

static void quaternions_turn_as_their_matrices_do(void **state) {
  (void)state;
  thud_random random = thud_random_seed(26);
  for (int trial = 0; trial < TRIALS; trial++) {
    thud_quat p = random_rotation(&random), q = random_rotation(&random);
    thud_mat3 P = thud_quat_to_matrix(p), Q = thud_quat_to_matrix(q);
    thud_vec3 v = random_vector(&random);
    assert_rotation(P);
    thud_assert_less(thud_vec3_distance(thud_quat_rotate(p, v), thud_mat3_apply(P, v)), 1e-14);
    thud_assert_less(thud_vec3_distance(thud_quat_rotate_inverse(p, v), thud_mat3_apply_transposed(P, v)), 1e-14);
    thud_assert_less(distance(thud_quat_to_matrix(thud_quat_multiply(p, q)), thud_mat3_multiply(P, Q)), 1e-14);
    thud_quat one = thud_quat_multiply(p, thud_quat_conjugate(p));
    thud_assert_less(fabs(one.w - 1) + fabs(one.x) + fabs(one.y) + fabs(one.z), 2e-15);
  }
  thud_quat identity = thud_quat_normalise(thud_quat_make(0, 0, 0, 0));
  thud_assert_equal(identity.w, 1);
  thud_assert_equal(thud_quat_norm(identity), 1);
  thud_assert_equal(thud_quat_normalise(thud_quat_make(NAN, 0, 0, 0)).w, 1);
}

/* exp against Rodrigues' formula R = I + sin a [k] + (1 - cos a)[k]^2, over angles from 1e-12 to pi; log inverts. */
static void the_exponential_map_is_rodrigues_formula(void **state) {
  (void)state;
  thud_random random = thud_random_seed(27);
  for (int trial = 0; trial < TRIALS; trial++) {
    double angle =
        trial % 2 == 0 ? thud_random_uniform(&random, 0, 3.14) : pow(10, thud_random_uniform(&random, -12, 0));
    thud_vec3 axis = random_unit(&random), r = thud_vec3_scale(angle, axis);
    thud_quat q = thud_quat_from_rotation_vector(r);
    thud_assert_nearer(thud_quat_norm(q), 1, 1e-15);
    thud_mat3 K = thud_mat3_cross(axis), R = thud_mat3_identity();
    R = thud_mat3_add(R, thud_mat3_scale(sin(angle), K));
    R = thud_mat3_add(R, thud_mat3_scale(2 * sin(angle / 2) * sin(angle / 2), thud_mat3_multiply(K, K)));
    thud_assert_less(distance(thud_quat_to_matrix(q), R), 3e-15);
    thud_assert_at_most(thud_vec3_distance(thud_quat_to_rotation_vector(q), r), 1e-14 * angle);
    thud_quat minus = thud_quat_make(-q.w, -q.x, -q.y, -q.z);
    thud_assert_at_most(thud_vec3_distance(thud_quat_to_rotation_vector(minus), r), 1e-14 * angle);
  }
  thud_assert_equal(thud_quat_from_rotation_vector(thud_vec3_make(0, 0, 0)).w, 1);
  thud_assert_equal(thud_vec3_norm(thud_quat_to_rotation_vector(thud_quat_identity())), 0);
  double half_turn = thud_vec3_norm(thud_quat_to_rotation_vector(thud_quat_make(0, 0, 1, 0)));
  thud_assert_nearer(half_turn, acos(-1), 1e-15);
}

/* A constant spin: any number of steps gives the same end as one, and 1e5 steps keep the norm. */
static void integration_is_exact_for_constant_angular_velocity(void **state) {
  (void)state;
  thud_random random = thud_random_seed(28);
  thud_quat start = random_rotation(&random), many = start, body = start;
  thud_vec3 omega = {0.3, -1.1, 2.0};
  enum { STEPS = 100000 };
  for (int k = 0; k < STEPS; k++) {
    many = thud_quat_integrate(many, omega, 1e-4);
    body = thud_quat_integrate_body(body, thud_quat_rotate_inverse(body, omega), 1e-4);
  }
  thud_mat3 once = thud_quat_to_matrix(thud_quat_integrate(start, omega, STEPS * 1e-4));
  thud_assert_less(distance(thud_quat_to_matrix(many), once), 1e-11);
  thud_assert_less(distance(thud_quat_to_matrix(body), once), 1e-10);
  thud_assert_nearer(thud_quat_norm(many), 1, 4e-16);
  /* dR/dt = [omega] R */
  double h = 1e-6;
  thud_mat3 R = thud_quat_to_matrix(start), later = thud_quat_to_matrix(thud_quat_integrate(start, omega, h));
  thud_mat3 earlier = thud_quat_to_matrix(thud_quat_integrate(start, omega, -h));
  thud_mat3 rate = thud_mat3_scale(0.5 / h, thud_mat3_subtract(later, earlier));
  thud_assert_less(distance(rate, thud_mat3_multiply(thud_mat3_cross(omega), R)), 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plane_vectors_obey_their_identities),
      cmocka_unit_test(vectors_obey_their_identities),
      cmocka_unit_test(matrices_agree_with_plain_loops),
      cmocka_unit_test(inverses_invert),
      cmocka_unit_test(symmetric_systems_are_solved),
      cmocka_unit_test(frames_are_rotations_that_begin_with_the_normal),
      cmocka_unit_test(quaternions_turn_as_their_matrices_do),
      cmocka_unit_test(the_exponential_map_is_rodrigues_formula),
      cmocka_unit_test(integration_is_exact_for_constant_angular_velocity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
