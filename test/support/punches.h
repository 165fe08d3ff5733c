/* A punch on an elastic half-plane with everything that belongs to it, for the tests. Normalised: E' = 2, so that
 * displacements are (E'/2) times real ones. */
#ifndef THUD_TEST_PUNCHES_H
#define THUD_TEST_PUNCHES_H

#include "testing.h"
#include "thud/half_plane.h"

#include <stdlib.h>

typedef struct test_punch {
  thud_context *context;
  thud_index n;
  double *edges, *x, *gap;
  thud_half_plane *plane;
  thud_punch *punch;
  thud_punch_result result;
} test_punch;

static inline double test_coupling(double poisson) { return (1 - 2 * poisson) / (2 * (1 - poisson)); }

/* With the edges of the mesh that are in test->edges. */
static inline void test_punch_on_edges(test_punch *test, double modulus, double coupling, double friction,
                                       const thud_punch_profile *profile, double period) {
  thud_half_plane_material material = {.modulus = modulus, .coupling = coupling};
  thud_punch_options options = thud_punch_options_default();
  options.friction = friction;
  test->x = malloc((size_t)test->n * sizeof(double));
  test->gap = malloc((size_t)test->n * sizeof(double));
  assert_non_null(test->x);
  assert_non_null(test->gap);
  assert_int_equal(thud_half_plane_create(test->context, &material, test->n, test->edges, period, &test->plane),
                   THUD_OK);
  for (thud_index i = 0; i < test->n; i++) test->x[i] = thud_half_plane_middle(test->plane, i);
  assert_int_equal(thud_punch_profile_evaluate(test->context, profile, (size_t)test->n, test->x, test->gap), THUD_OK);
  assert_int_equal(thud_punch_create(test->plane, test->gap, &options, &test->punch), THUD_OK);
}

static inline void test_punch_begin(test_punch *test, thud_index n, thud_half_plane_mesh mesh, double half_width) {
  *test = (test_punch){.context = thud_test_context(1), .n = n};
  test->edges = malloc(((size_t)n + 1) * sizeof(double));
  assert_non_null(test->edges);
  assert_int_equal(thud_half_plane_fill_mesh(test->context, mesh, n, -half_width, half_width, test->edges), THUD_OK);
}

/* The flat punch |x| < 1 with E' = 2. */
static inline void test_punch_flat(test_punch *test, thud_index n, thud_half_plane_mesh mesh, double coupling,
                                   double friction) {
  static const thud_punch_profile flat = {.shape = THUD_PUNCH_FLAT};
  test_punch_begin(test, n, mesh, 1);
  test_punch_on_edges(test, 2, coupling, friction, &flat, 0);
}

static inline void test_punch_load(test_punch *test, double normal, double tangential) {
  assert_int_equal(thud_punch_load(test->punch, normal, tangential, NULL, &test->result), THUD_OK);
  assert_int_equal(test->result.status, THUD_PUNCH_SOLVED);
  thud_assert_at_most(test->result.force_error, 1e-11);
  thud_assert_at_most(test->result.law_error, 1e-10);
}

static inline void test_punch_end(test_punch *test) {
  thud_punch_destroy(test->punch);
  thud_half_plane_destroy(test->plane);
  free(test->edges);
  free(test->x);
  free(test->gap);
  thud_test_context_end(test->context);
}

#endif
