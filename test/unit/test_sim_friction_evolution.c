/* Composed friction laws with a configuration: the tractrix by functions in C, saved states, refusals, failing allocations. */
#include "failing_allocator.h"
#include "testing.h"
#include "thud/friction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 20 };

typedef struct dragged_link {
  thud_composition *composition;
  thud_motion *motion;
} dragged_link;

/* The slip of the free end: (x' - sin(th) th', cos(th) th'). */
static thud_error place_link(void *user, double t, const double *q, double *W) {
  const double A[2] = {1, 0}, B[2] = {-sin(q[1]), cos(q[1])};
  (void)t;
  W[0] = 1;
  return thud_composition_place(((dragged_link *)user)->composition, NULL, A, B);
}

static thud_error make(thud_context *context, dragged_link *link) {
  const double centre[2] = {0, 0}, initial[2] = {0, acos(-1.0) / 2};
  thud_set *law = NULL;
  *link = (dragged_link){0};
  thud_error error = thud_set_ball(context, 2, centre, 1, &law);
  if (error == THUD_OK) error = thud_composition_create(context, 1, 1, 1, &law, &link->composition);
  if (error != THUD_OK) {
    thud_set_destroy(law);
    return error;
  }
  const thud_friction_problem problem = {.composition = link->composition,
                                         .driven = 1,
                                         .internal = 1,
                                         .rows = 2,
                                         .user = link,
                                         .start = 0,
                                         .end = 2,
                                         .steps = STEPS,
                                         .initial = initial,
                                         .place_at = place_link};
  return thud_friction_motion_create(context, &problem, &link->motion);
}

static void destroy(dragged_link *link) {
  thud_motion_destroy(link->motion);
  thud_composition_destroy(link->composition);
}

static thud_error run_to(dragged_link *link, size_t rows) {
  const thud_motion_sink nobody = {0};
  thud_reached reached = {0};
  thud_error error = THUD_OK;
  for (size_t k = 0; k < rows && error == THUD_OK; k++) error = thud_motion_step(link->motion, &nobody, &reached);
  return error;
}

static void the_free_end_follows_the_tractrix(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  dragged_link link;
  assert_int_equal(make(context, &link), THUD_OK);
  for (size_t k = 0; k <= STEPS; k++) {
    assert_int_equal(run_to(&link, 1), THUD_OK);
    const thud_friction_frame frame = thud_friction_motion_present(link.motion);
    double th = frame.configuration[1];
    thud_assert_near(frame.configuration[0], frame.t, 1e-14);
    thud_assert_near(th, 2 * atan(exp(frame.t)), 5e-4); /* h^2/12 times th''' */
    thud_assert_near(frame.inner[0], sin(th), 1e-9);
    thud_assert_near(frame.dissipation, fabs(cos(th)), 1e-9);
  }
  const thud_friction_motion_info info = thud_friction_motion_get_info(link.motion);
  assert_int_equal(info.status, THUD_MOTION_COMPLETED);
  thud_assert_near(info.contraction, 0.05, 0.01); /* h/2 times cos(th) */
  destroy(&link);
  thud_test_context_end(context);
}

static void steps_from_a_saved_state_are_those_of_the_run(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  dragged_link whole, part;
  assert_int_equal(make(context, &whole), THUD_OK);
  assert_int_equal(make(context, &part), THUD_OK);
  assert_int_equal(run_to(&whole, 8), THUD_OK);
  size_t size = thud_motion_state_size(whole.motion);
  void *saved = malloc(size);
  thud_motion_save(whole.motion, saved);
  assert_int_equal(thud_motion_restore(part.motion, saved, size), THUD_OK);
  assert_int_equal(run_to(&whole, STEPS - 7), THUD_OK);
  assert_int_equal(run_to(&part, STEPS - 7), THUD_OK);
  const thud_friction_frame a = thud_friction_motion_present(whole.motion),
                            b = thud_friction_motion_present(part.motion);
  thud_assert_equal(a.t, b.t);
  assert_memory_equal(a.configuration, b.configuration, 2 * sizeof(double));
  assert_memory_equal(a.forces, b.forces, 2 * sizeof(double));
  ((double *)saved)[size / sizeof(double) - 1] = (double)NAN;
  assert_int_not_equal(thud_motion_restore(part.motion, saved, size), THUD_OK);
  assert_int_not_equal(thud_motion_restore(part.motion, saved, size - sizeof(double)), THUD_OK);
  free(saved);
  destroy(&whole);
  destroy(&part);
  thud_test_context_end(context);
}

static thud_error link_once(thud_context *context, void *user) {
  dragged_link link;
  (void)user;
  thud_error error = make(context, &link);
  if (error == THUD_OK) error = run_to(&link, 3);
  destroy(&link);
  return error;
}

static void every_failed_allocation_is_survived(void **state) {
  (void)state;
  thud_assert_at_least(thud_test_sweep_allocations(link_once, NULL), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_free_end_follows_the_tractrix),
                                     cmocka_unit_test(steps_from_a_saved_state_are_those_of_the_run),
                                     cmocka_unit_test(every_failed_allocation_is_survived)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
