/* The checker of percussions: good records pass, every tampered number is found by the check that is about it. */
#include "testing.h"
#include "failing_allocator.h"
#include "record_channels.h"
#include "record_copy.h"
#include "scratch_folder.h"
#include "thud/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODEL                                                                                                          \
  "thud: 1\n"                                                                                                          \
  "system:\n"                                                                                                          \
  "  coordinates: [a, b]\n"                                                                                            \
  "  mass: [[2, 1], [1, 2]]\n"                                                                                         \
  "  potential_energy: 2*a^2 - a*b + b^2\n"                                                                            \
  "  forces: {a: \"-0.2*a'\", b: \"cos(3*t) - 0.2*b'\"}\n"                                                             \
  "  friction:\n"                                                                                                      \
  "    - {name: on_a, slip: [\"a' - 0.2*sin(t)\"], threshold: 0.5}\n"                                                  \
  "    - {name: on_b, slip: [\"b'\"], threshold: 1 + sin(t)/2}\n"                                                      \
  "  percussions:\n"                                                                                                   \
  "    - {time: 0, weight: 0.1}\n"                                                                                     \
  "    - {time: 0.5, every: 0.5, weight: 0.3, threshold: {on_a: 0.5, on_b: 2}, impulse: {b: 0.2}}\n"                   \
  "    - {time: \"1.25 - 2^(-n-2)\", weight: \"2^(-n-4)\", tail: \"2^(-n-3)\", threshold: 0.7, limit: 1.25, "          \
  "truncation: 4, lump: true}\n"                                                                                       \
  "initial: {a: 1, b: 0, \"a'\": -1}\n"

static const char event_driven[] = MODEL "simulate: {method: event-driven, end: 2}\n";
static const char implicit[] = MODEL "simulate: {method: implicit, end: 2, steps: 100}\n";

/* Two contacts slide on each other's ground: each loses what its own friction takes. */
static const char sliding[] = "thud: 1\n"
                              "system:\n"
                              "  coordinates: [x, y, a, b]\n"
                              "  kinetic_energy: \"(x'^2 + y'^2)/2 + a'^2 + b'^2\"\n"
                              "  potential_energy: 9.81*y + 19.62*b + x^2\n"
                              "  constraints:\n"
                              "    - {name: one, gap: y, friction: {mu: 0.3, slip: [\"x'\"]}}\n"
                              "    - {name: two, gap: b, friction: {mu: 0.5, slip: [\"a' - x'\"]}}\n"
                              "initial: {x: 0, y: 0, \"x'\": 3, a: 0, b: 0, \"a'\": -1}\n"
                              "simulate: {method: implicit, end: 1, steps: 50}\n";

/* Three walls at once; the last two are at 45 degrees to each other and at right angles to the first. */
static const char corner[] = "thud: 1\n"
                             "system:\n"
                             "  coordinates: [x, y, z]\n"
                             "  kinetic_energy: \"(x'^2 + y'^2 + z'^2)/2\"\n"
                             "  constraints:\n"
                             "    - {name: floor, gap: z, restitution: 0.5}\n"
                             "    - {name: wall, gap: x}\n"
                             "    - {name: slope, gap: x + y}\n"
                             "initial: {x: 1, y: 1, z: 1, \"x'\": -1, \"y'\": -1, \"z'\": -1}\n"
                             "simulate: {method: event-driven, end: 2}\n";

static thud_verify_result verify(thud_context *context, const char *path) {
  thud_verify_result result;
  assert_int_equal(thud_verify_record(context, path, NULL, &result), THUD_OK);
  return result;
}

static thud_verify_status status_of(const thud_verify_result *result, const char *name) {
  for (size_t k = 0; k < result->check_count; k++)
    if (strcmp(result->checks[k].name, name) == 0) return result->checks[k].status;
  fail_msg("there is no check '%s'", name);
  return THUD_VERIFY_PASSED;
}

static void good_records_pass(void **state) {
  (void)state;
  const char *const scenes[] = {event_driven, implicit, sliding, corner};
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
    thud_context *context = thud_test_context(1);
    const char *path = thud_test_path("good.h5");
    record_copy_run(context, scenes[k], path);
    thud_verify_result result = verify(context, path);
    if (result.verdict != THUD_VERIFY_GOOD) print_error("%s\n", result.reason);
    assert_int_equal(result.verdict, THUD_VERIFY_GOOD);
    thud_test_context_end(context);
    thud_test_folder_empty();
  }
}

/* Stands for the event of the first percussion after the start, and its frame. */
enum { HIT = 1000000 };

typedef struct tampering {
  bool of_events; /* in the table of events, else of frames */
  const char *role;
  size_t row, component;
  double by;
  const char *check;
} tampering;

static size_t row_of_percussion(const record_channels *record, bool of_events) {
  for (size_t k = 0; k < record->events.rows; k++)
    if (*record_table_number(&record->events, "kind", k, 0) == 8 &&
        *record_table_number(&record->events, "t", k, 0) > 0)
      return of_events ? k : (size_t)*record_table_number(&record->events, "frame", k, 0);
  fail_msg("there is no percussion");
  return 0;
}

/* Copies the record with one number changed. */
static void tamper(thud_context *context, const char *from, const char *to, const tampering *what, double by) {
  record_channels record;
  record_channels_load(context, from, &record);
  size_t row = what->row == HIT ? row_of_percussion(&record, what->of_events) : what->row;
  *record_table_number(what->of_events ? &record.events : &record.frames, what->role, row, what->component) += by;
  record_channels_save(context, to, &record);
  record_channels_free(&record);
}

static void check_tampering(const char *scene, size_t count, const tampering *cases) {
  thud_context *context = thud_test_context(1);
  const char *good = thud_test_path("good.h5"), *bad = thud_test_path("bad.h5");
  record_copy_run(context, scene, good);
  for (size_t k = 0; k < count; k++) {
    for (int change = 0; change < 2; change++) { /* the copy alone passes this check */
      tamper(context, good, bad, &cases[k], change * cases[k].by);
      thud_verify_result result = verify(context, bad);
      thud_verify_status expected = change == 0 ? THUD_VERIFY_PASSED : THUD_VERIFY_FAILED;
      if (status_of(&result, cases[k].check) != expected)
        print_error("case %zu (%s): %s\n", k, cases[k].role, result.reason);
      assert_int_equal(status_of(&result, cases[k].check), expected);
      remove(bad);
    }
  }
  thud_test_context_end(context);
  thud_test_folder_empty();
}

static void tampered_numbers_are_found(void **state) {
  (void)state;
  static const tampering steps[] = {
      {false, "position", 0, 0, 1e-6, "initial"}, {false, "velocity_left", 0, 1, 1e-6, "initial"},
      {false, "velocity", 0, 0, 1e-5, "step"},    {false, "reaction", 0, 0, 1e-5, "step"},
      {false, "velocity", 30, 0, 1e-5, "step"},   {false, "velocity_left", 30, 1, 1e-5, "step"},
      {false, "reaction", 25, 1, 1e-5, "step"},   {false, "position", 30, 1, 1e-3, "step"},
      {false, "reaction", 25, 0, 1, "friction"},  {false, "ledger", 25, 0, 1e-5, "energy"},
      {false, "ledger", 25, 1, 1e-5, "energy"},   {false, "ledger", 25, 2, 1e-5, "energy"},
      {false, "ledger", 25, 4, -1, "energy"},     {false, "ledger", 25, 6, 1e-5, "energy"},
      {false, "step", 30, 0, 1, "structure"},     {false, "time", 0, 0, -1, "structure"},
      {false, "position", 50, 0, 1e300, "step"}};
  static const tampering events[] = {
      {true, "before", 0, 1, 1e-6, "initial"},    {true, "impulse", HIT, 0, 1e-5, "impacts"},
      {true, "impulse", HIT, 1, 1, "impacts"},    {true, "before", HIT, 1, 1e-5, "impacts"},
      {true, "after", HIT, 0, 1e-5, "events"},    {false, "position_series", HIT, 2, 1e-5, "impacts"},
      {true, "kind", HIT, 0, -8, "impacts"},      {true, "time", HIT, 0, 1e-9, "events"},
      {false, "time", HIT, 0, 1e-9, "structure"}, {true, "ledger", HIT, 2, 1e-5, "energy"},
      {true, "ledger", HIT, 3, 1e-5, "energy"},   {false, "ledger", HIT, 6, 1e-5, "events"}};
  check_tampering(implicit, sizeof steps / sizeof *steps, steps);
  check_tampering(event_driven, sizeof events / sizeof *events, events);
}

static thud_error check_good(thud_context *context, void *user) {
  thud_verify_result result;
  return thud_verify_record(context, user, NULL, &result);
}

static void failing_memory_leaves_nothing_behind(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  char path[512];
  strncpy(path, thud_test_path("swept.h5"), sizeof path - 1);
  path[sizeof path - 1] = '\0';
  record_copy_run(context, implicit, path);
  thud_test_context_end(context);
  thud_assert_greater(thud_test_sweep_allocations(check_good, path), 60);
  thud_test_folder_empty();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(good_records_pass),
      cmocka_unit_test(tampered_numbers_are_found),
      cmocka_unit_test(failing_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
