/* Velocity problems against the closed forms of the founding texts. */
#include "still_system.h"
#include "testing.h"

#include <math.h>
#include <string.h>

static void assert_velocity(const thud_still *still, const double *expected, double tolerance) {
  for (thud_index k = 0; k < still->n; k++) thud_still_near(still->v[k], expected[k], tolerance);
}

static void assert_good(const thud_still *still) {
  assert_int_equal(still->info.status, THUD_SOLVED);
  thud_assert_at_most(still->info.residual, 1e-10);
  thud_assert_at_most(still->info.identity, 1e-13);
  assert_true(still->info.in_cone);
  assert_true(still->info.impulse_admissible);
}

/* ---- frictionless ---------------------------------------------------------------------------------------------- */

/* Case C4: q2 >= 0 and q1 cos th + q2 sin th <= 0, e = 0. */
static void a_particle_enters_moreaus_wedge(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int k = -6; k <= 6; k++) {
    double th = k * 0.25, w = 1.7, expected[2] = {0, 0};
    thud_still still;
    thud_still_init(&still, context, 2);
    thud_still_add(&still, (double[]){0, 1}, 0);
    thud_still_add(&still, (double[]){-cos(th), -sin(th)}, 0);
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    thud_still_impact(&still, (double[]){w, 0});
    if (th < 0) {
      expected[0] = w * sin(th) * sin(th);
      expected[1] = -w * sin(th) * cos(th);
    }
    assert_velocity(&still, expected, 4e-16 * w / cos(th)); /* condition of the two gradients: 1/cos th */
    assert_good(&still);
    thud_still_near(still.info.worst_cosine, fabs(sin(th)), 1e-15);
    assert_int_equal(still.info.cosine_first, 0);
    assert_int_equal(still.info.cosine_second, 1);
    thud_still_end(&still);
  }
  thud_test_context_end(context);
}

/* Case C7: phi = q.n, n = (.6,.8), v- = (1,1), e = 1/2. */
static void an_oblique_impact_keeps_the_tangential_velocity(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_still still;
  thud_still_init(&still, context, 2);
  thud_still_add(&still, (double[]){-.6, -.8}, .5);
  assert_int_equal(thud_still_begin(&still), THUD_OK);
  thud_still_impact(&still, (double[]){1, 1});
  assert_velocity(&still, (double[]){-.26, -.68}, 5e-16);
  assert_good(&still);
  thud_still_near(still.info.energy_before, 1, 1e-15);
  thud_still_near(still.info.energy_after, .265, 1e-15);
  thud_still_near(still.info.normal_loss, .735, 1e-15);
  thud_still_near(still.r[0], 1.5 * 1.4, 1e-15);
  thud_still_end(&still);
  thud_test_context_end(context);
}

/* Case C1: dyadic numbers go through one coordinate without a rounding error. */
static void one_coordinate_turns_round_exactly(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_still still;
  thud_still_init(&still, context, 1);
  still.mass[0] = 1;
  thud_still_add(&still, (double[]){-1}, .5);
  assert_int_equal(thud_still_begin(&still), THUD_OK);
  for (int k = 0; k < 30; k++) {
    double v = ldexp(1, 1 - k);
    thud_still_impact(&still, &v);
    thud_assert_equal(still.v[0], -v / 2);
    thud_assert_equal(still.r[0], 1.5 * v);
  }
  thud_still_end(&still);
  thud_test_context_end(context);
}

/* Case C10. */
static void the_canonical_law_spreads_the_impact_over_the_cradle(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int law = THUD_IMPACT_CANONICAL; law <= THUD_IMPACT_NEWTON; law++)
    for (thud_index n = 2; n <= 12; n++)
      for (int k = 0; k <= 4; k++) {
        double e = k / 4.0, v[THUD_STILL_N] = {1}, expected[THUD_STILL_N];
        thud_still still;
        thud_still_cradle(&still, context, n, e, law);
        assert_int_equal(thud_still_begin(&still), THUD_OK);
        thud_still_impact(&still, v);
        for (thud_index i = 0; i < n; i++) expected[i] = (1 + e) / (double)n - (i == 0 ? e : 0);
        assert_velocity(&still, expected, 1e-14);
        assert_good(&still);
        thud_still_near(still.info.worst_cosine, n > 2 ? .5 : 0, 1e-15);
        thud_still_end(&still);
      }
  thud_test_context_end(context);
}

static void the_sequential_law_passes_the_impact_through_the_cradle(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (thud_index n = 2; n <= 12; n++) {
    double v[THUD_STILL_N] = {1}, expected[THUD_STILL_N] = {0};
    thud_still still;
    thud_still_cradle(&still, context, n, 1, THUD_IMPACT_SEQUENTIAL);
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    thud_still_impact(&still, v);
    expected[n - 1] = 1;
    assert_velocity(&still, expected, 0);
    assert_good(&still);
    if (n > 2) assert_int_equal(still.info.collisions, n - 1);
    /* two balls arrive: two leave */
    if (n >= 4) {
      v[1] = 1;
      expected[n - 2] = 1;
      thud_still_impact(&still, v);
      assert_velocity(&still, expected, 0);
    }
    thud_still_end(&still);
  }
  thud_test_context_end(context);
}

/* Case C10's table of proposed answers, three balls. */
static void the_audit_accepts_and_rejects_proposed_answers(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_still still;
  thud_still_cradle(&still, context, 3, 1, THUD_IMPACT_CANONICAL);
  assert_int_equal(thud_still_begin(&still), THUD_OK);
  struct {
    double v[3];
    bool in_cone, impulse, gained;
  } cases[] = {{{0, .5, .5}, true, true, false},  {{-1. / 3, 2. / 3, 2. / 3}, true, true, false},
               {{0, 0, 1}, true, true, false},    {{-1, 1, 1}, true, true, true},
               {{.5, .5, 0}, false, true, false}, {{.5, .5, .5}, true, false, false},
               {{1, 0, 0}, false, true, false},   {{0, .25, .75}, true, true, false}};
  double v[3] = {1, 0, 0};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_percussion_info info;
    assert_int_equal(thud_percussion_audit(still.percussion, still.values, still.acting, v, cases[k].v, &info),
                     THUD_OK);
    assert_int_equal(info.in_cone, cases[k].in_cone);
    assert_int_equal(info.impulse_admissible, cases[k].impulse);
    assert_int_equal(info.gained, cases[k].gained);
    thud_still_near(info.energy_before, .5, 1e-15);
  }
  thud_still_end(&still);
  thud_test_context_end(context);
}

static void count_warnings(void *user, thud_log_level level, const char *message) {
  if (level == THUD_LOG_WARNING && strstr(message, "canonical") != NULL) ++*(int *)user;
}

/* One e for all: the largest, and a warning once. */
static void the_canonical_law_takes_the_largest_restitution(void **state) {
  (void)state;
  int warnings = 0;
  thud_context_options options = thud_context_options_default();
  options.logger = count_warnings;
  options.logger_user = &warnings;
  thud_context *context;
  assert_int_equal(thud_context_create(&options, &context), THUD_OK);
  thud_still still;
  thud_still_cradle(&still, context, 3, .5, THUD_IMPACT_CANONICAL);
  still.restitution[1] = 0;
  assert_int_equal(thud_still_begin(&still), THUD_OK);
  for (int k = 0; k < 3; k++) {
    thud_still_impact(&still, (double[]){1, 0, 0});
    assert_velocity(&still, (double[]){0, .5, .5}, 1e-15);
  }
  assert_int_equal(warnings, 1);
  thud_still_end(&still);
  thud_test_context_end(context);
}

/* ---- friction -------------------------------------------------------------------------------------------------- */

/* Case K7 and the percussion formula of Klarbring's system in space: founding signs (U_N <= 0) are -u_N here. */
static void a_percussion_in_space_slows_the_slip_down(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_still still;
  thud_still_init(&still, context, 3);
  thud_still_add(&still, (double[]){-1, 0, 0}, .5);
  thud_still_add_law(&still, 0, 2, (double[]){0, 1, 0, 0, 0, 1}, .2, NULL);
  assert_int_equal(thud_still_begin(&still), THUD_OK);
  thud_still_impact(&still, (double[]){1, .6, .8});
  assert_velocity(&still, (double[]){-.5, .42, .56}, 4e-16);
  thud_still_near(still.r[0], 1.5, 4e-16);
  thud_still_near(still.r_slip[0], -.18, 4e-16);
  thud_still_near(still.r_slip[1], -.24, 4e-16);
  assert_good(&still);
  thud_still_near(still.info.normal_loss + still.info.friction_loss, 1 - (.25 + .42 * .42 + .56 * .56) / 2, 1e-15);
  thud_still_end(&still);
  thud_test_context_end(context);
}

/* Case K1: the impacts at pi/2 (slip) and 3 pi/2 (stick, exactly). */
static void klarbrings_percussions_slip_and_then_stick(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_still still;
  thud_still_init(&still, context, 2);
  thud_still_add(&still, (double[]){-1, 0}, .5);
  thud_still_add_law(&still, 0, 1, (double[]){0, 1}, .5, NULL);
  assert_int_equal(thud_still_begin(&still), THUD_OK);
  thud_still_impact(&still, (double[]){1, 1});
  assert_velocity(&still, (double[]){-.5, .25}, 0);
  thud_still_near(still.r[0], 1.5, 0);
  thud_still_near(still.r_slip[0], -.75, 0);
  thud_still_impact(&still, (double[]){.5, -.25});
  assert_velocity(&still, (double[]){-.25, 0}, 0);
  thud_still_near(still.r[0], .75, 0);
  thud_still_near(still.r_slip[0], .25, 0);
  assert_good(&still);
  thud_still_end(&still);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_particle_enters_moreaus_wedge),
      cmocka_unit_test(an_oblique_impact_keeps_the_tangential_velocity),
      cmocka_unit_test(one_coordinate_turns_round_exactly),
      cmocka_unit_test(the_canonical_law_spreads_the_impact_over_the_cradle),
      cmocka_unit_test(the_canonical_law_takes_the_largest_restitution),
      cmocka_unit_test(the_sequential_law_passes_the_impact_through_the_cradle),
      cmocka_unit_test(the_audit_accepts_and_rejects_proposed_answers),
      cmocka_unit_test(a_percussion_in_space_slows_the_slip_down),
      cmocka_unit_test(klarbrings_percussions_slip_and_then_stick),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
