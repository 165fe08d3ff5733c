/* Trajectories of systems: tables of exact motions pass, wrong ones fail in the check they violate; memory. */
#include "failing_allocator.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Case C1 until its third impact, and case K2 on its first slide. */
static const char particle[] = "{thud: 1, system: {coordinates: [q], kinetic_energy: \"0.5*q'^2\", forces: {q: 2},"
                               " constraints: [{name: floor, phi: q, restitution: 0.5}]}, initial: {q: -1},"
                               " simulate: {method: moreau, end: 2.5, steps: 10}}";
static const char klarbring[] =
    "{thud: 1, system: {coordinates: [n, s], kinetic_energy: \"0.5*(n'^2 + s'^2)\","
    " potential_energy: \"n^2 + n*s + s^2\", forces: {n: 3},"
    " constraints: [{name: wall, phi: n, friction: {mu: 1, slip: [\"s'\"]}}]}, initial: {n: 0, s: 0, \"s'\": 4},"
    " simulate: {method: moreau, end: 0.9, steps: 10}}";

static thud_verify_result verify_text(thud_context *context, const char *scene, const char *file, const char *text) {
  const char *path = thud_test_path(file);
  FILE *stream = fopen(path, "w");
  assert_non_null(stream);
  fputs(text, stream);
  assert_int_equal(fclose(stream), 0);
  thud_tree *tree = NULL;
  thud_verify_result result;
  assert_int_equal(thud_tree_read_text(context, "scene", scene, strlen(scene), &tree), THUD_OK);
  if (thud_verify_trajectory(context, tree, path, NULL, &result) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  thud_tree_destroy(tree);
  return result;
}

static void assert_fails(const thud_verify_result *result, const char *check) {
  bool failed = false;
  for (size_t k = 0; k < result->check_count; k++)
    failed = failed || (result->checks[k].status == THUD_VERIFY_FAILED && strcmp(result->checks[k].name, check) == 0);
  if (!failed || result->verdict != THUD_VERIFY_BAD) fail_msg("%s has not failed, but: %s", check, result->reason);
}

/* ---- tables --------------------------------------------------------------------------------------------------------
 */

typedef struct bounce_errors {
  double rebound; /* factor on the velocity after the first impact */
  double position, velocity, force, sink;
} bounce_errors;

/* q = t^2 - 1, then (t - 1)(t - 2), then (t - 2)(t - 2.5), with errors. */
static void write_bounces(bounce_errors wrong, char *text, size_t room) {
  static const double begins[] = {0, 1, 2, 2.5};
  size_t used = (size_t)snprintf(text, room, "t,side,q,q'\n");
  for (int arc = 0; arc < 3; arc++)
    for (int k = 0; k <= 20; k++) {
      double from = begins[arc], to = begins[arc + 1], t = from + (to - from) * k / 20, s = t - from;
      double a = 1 + (arc == 0 ? wrong.force : 0), v0 = arc == 0 ? 0 : -(to - from) * (arc == 1 ? wrong.rebound : 1);
      double q = (arc == 0 ? -1 : 0) + v0 * s + a * s * s, v = v0 + 2 * a * s;
      if (arc == 0 && k == 10) q += wrong.position;
      if (arc == 0 && k == 10) v += wrong.velocity;
      if (arc == 2) q += wrong.sink;
      const char *side = k == 0 && arc > 0 ? "+" : k == 20 && arc < 2 ? "-" : "";
      used += (size_t)snprintf(text + used, room - used, "%.17g,%s,%.17g,%.17g\n", t, side, q, v);
    }
}

static void tables_of_bounces_are_judged(void **state) {
  (void)state;
  static const struct {
    bounce_errors wrong;
    const char *check; /* NULL: good */
  } cases[] = {{{1, 0, 0, 0, 0}, NULL},          {{1.01, 0, 0, 0, 0}, "impact"},   {{0.99, 0, 0, 0, 0}, "impact"},
               {{1, 1e-3, 0, 0, 0}, "velocity"}, {{1, 0, 1e-2, 0, 0}, "velocity"}, {{1, 0, 0, 0.05, 0}, "position"},
               {{1, 0, 0, 0, 1e-5}, "position"}};
  thud_context *context = thud_test_context(1);
  char text[16384];
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    write_bounces(cases[k].wrong, text, sizeof text);
    thud_verify_result result = verify_text(context, particle, "bounces.csv", text);
    if (cases[k].check == NULL && result.verdict != THUD_VERIFY_GOOD) fail_msg("%s", result.reason);
    if (cases[k].check != NULL) assert_fails(&result, cases[k].check);
  }
  thud_test_context_end(context);
}

/* Rows of a slide with friction: mu = 1 as in the scene, or another. */
static void write_slide(double mu, char *text, size_t room) {
  size_t used = (size_t)snprintf(text, room, "t,n,s,n',s'\n");
  for (int k = 0; k <= 60; k++) {
    double t = 0.9 * k / 60; /* s'' = -2 s - mu (3 - s), from (0, 4) */
    double w = sqrt(2 - mu), centre = -3 * mu / (2 - mu);
    double s = centre * (1 - cos(w * t)) + 4 * sin(w * t) / w, v = centre * w * sin(w * t) + 4 * cos(w * t);
    used += (size_t)snprintf(text + used, room - used, "%.17g,0,%.17g,0,%.17g\n", t, s, v);
  }
}

static void tables_of_slides_are_judged_by_friction(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  char text[16384];
  write_slide(1, text, sizeof text);
  thud_verify_result result = verify_text(context, klarbring, "slide.csv", text);
  if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%s", result.reason);
  for (int k = 0; k < 2; k++) {
    write_slide(k == 0 ? 0.9 : 1.1, text, sizeof text);
    result = verify_text(context, klarbring, "slide.csv", text);
    assert_fails(&result, "friction");
  }
  thud_test_context_end(context);
}

/* Simpson through Hermite's cubic: what is left of a smooth motion falls with the fourth power of the rows' distance.
 */
static void what_is_left_between_rows_is_of_fourth_order(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *scene = "{thud: 1, system: {coordinates: [x], kinetic_energy: \"0.5*x'^2\", potential_energy: 0.5*x^2},"
                      " initial: {x: 1}, simulate: {method: moreau, end: 2, steps: 10}}";
  double left[2];
  for (int k = 0; k < 2; k++) {
    char text[16384];
    int rows = 10 << k;
    size_t used = (size_t)snprintf(text, sizeof text, "t,x,x'\n");
    for (int row = 0; row <= rows; row++) {
      double t = 2.0 * row / rows;
      used += (size_t)snprintf(text + used, sizeof text - used, "%.17g,%.17g,%.17g\n", t, cos(t), -sin(t));
    }
    thud_verify_result result = verify_text(context, scene, "smooth.csv", text);
    assert_int_equal(result.verdict, THUD_VERIFY_GOOD);
    for (size_t c = 0; c < result.check_count; c++)
      if (strcmp(result.checks[c].name, "motion") == 0) left[k] = result.checks[c].worst / result.checks[c].tolerance;
  }
  thud_assert_greater(left[0] / left[1], 12);
  thud_assert_less(left[0] / left[1], 20);
  thud_test_context_end(context);
}

/* x = 45.1 + 63.7 (t - 2) at times 1e-11 apart, as they are near the limit of an accumulation: the rows differ by less
 * than the last place of x can report, and so do velocities from them. An error of 1e-12 is more than that. */
static void rows_close_together_are_known_to_their_last_place(void **state) {
  (void)state;
  enum { ROWS = 64 };
  thud_context *context = thud_test_context(1);
  const char *scene =
      "{thud: 1, system: {coordinates: [x], kinetic_energy: \"0.5*x'^2\"}, initial: {x: 45.1, \"x'\": 63.7},"
      " simulate: {method: event-driven, start: 2, end: 2.00000000064}}";
  for (int wrong = 0; wrong < 2; wrong++) {
    char text[16384];
    size_t used = (size_t)snprintf(text, sizeof text, "t,x,x'\n");
    for (int row = 0; row <= ROWS; row++) {
      double t = row == ROWS ? 2.00000000064 : 2 + 1e-11 * row, x = 45.1 + 63.7 * (t - 2);
      if (wrong != 0 && row == ROWS / 2) x += 1e-12;
      used += (size_t)snprintf(text + used, sizeof text - used, "%.17g,%.17g,63.7\n", t, x);
    }
    thud_verify_result result = verify_text(context, scene, "close.csv", text);
    if (wrong == 0 && result.verdict != THUD_VERIFY_GOOD) fail_msg("%s", result.reason);
    if (wrong != 0) assert_fails(&result, "velocity");
  }
  thud_test_context_end(context);
}

/* ---- pieces ---------------------------------------------------------------------------------------------------------
 */

static void pieces_may_use_the_scenes_parameters_and_their_own(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_verify_result result = verify_text(context, particle, "pieces.yaml",
                                          "parameters: {a: 1}\n"
                                          "pieces:\n"
                                          "  - {until: 1, q: t^2 - a}\n"
                                          "  - {family: {index: n, from: 0, to: 1}, until: 3 - 2^(-n),"
                                          " q: (t - (3 - 2^(1-n)))*(t - (3 - 2^(-n)))}\n");
  if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%s", result.reason);
  result = verify_text(context, particle, "pieces.yaml", "pieces: [{until: 2.5, q: t^2 - 1}]");
  assert_fails(&result, "constraints");
  result = verify_text(context, particle, "pieces.yaml", "pieces: [{until: 1, q: t^2 - 1}]");
  assert_fails(&result, "structure");
  result = verify_text(context, particle, "pieces.yaml", "pieces: [{until: 2.5, q: -1 - log(1 - t)}]");
  assert_fails(&result, "structure");
  thud_test_context_end(context);
}

/* ---- memory ---------------------------------------------------------------------------------------------------------
 */

typedef struct sweep {
  const char *scene;
  char path[512];
} sweep;

static thud_error verify_once(thud_context *context, void *user) {
  const sweep *what = user;
  thud_tree *tree = NULL;
  thud_verify_result result;
  thud_error error = thud_tree_read_text(context, "scene", what->scene, strlen(what->scene), &tree);
  if (error == THUD_OK) error = thud_verify_trajectory(context, tree, what->path, NULL, &result);
  thud_tree_destroy(tree);
  return error;
}

static void no_memory_at_any_allocation_is_an_error_without_leak(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  char text[16384];
  write_slide(1, text, sizeof text);
  char *end = text; /* a few rows are enough */
  for (int lines = 0; lines < 5; lines++) end = strchr(end, '\n') + 1;
  *end = '\0';
  verify_text(context, klarbring, "few.csv", text);
  verify_text(context, particle, "few.yaml",
              "pieces: [{until: 1, q: t^2 - 1}, {family: {index: n, from: 0, to: 1}, until: 2 + n/2, q: 0}]");
  thud_test_context_end(context);
  sweep table = {.scene = klarbring}, pieces = {.scene = particle};
  snprintf(table.path, sizeof table.path, "%s", thud_test_path("few.csv"));
  snprintf(pieces.path, sizeof pieces.path, "%s", thud_test_path("few.yaml"));
  thud_assert_greater(thud_test_sweep_allocations(verify_once, &table), 50);
  thud_assert_greater(thud_test_sweep_allocations(verify_once, &pieces), 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(tables_of_bounces_are_judged, thud_test_folder_make, thud_test_folder_remove),
      cmocka_unit_test_setup_teardown(tables_of_slides_are_judged_by_friction, thud_test_folder_make,
                                      thud_test_folder_remove),
      cmocka_unit_test_setup_teardown(what_is_left_between_rows_is_of_fourth_order, thud_test_folder_make,
                                      thud_test_folder_remove),
      cmocka_unit_test_setup_teardown(rows_close_together_are_known_to_their_last_place, thud_test_folder_make,
                                      thud_test_folder_remove),
      cmocka_unit_test_setup_teardown(pieces_may_use_the_scenes_parameters_and_their_own, thud_test_folder_make,
                                      thud_test_folder_remove),
      cmocka_unit_test_setup_teardown(no_memory_at_any_allocation_is_an_error_without_leak, thud_test_folder_make,
                                      thud_test_folder_remove),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
