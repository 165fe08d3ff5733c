/* The checker of particles on a line: good records pass, every tampered number is found by the check that is about it.
 */
#include "testing.h"
#include "failing_allocator.h"
#include "record_copy.h"
#include "scratch_folder.h"
#include "thud/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODEL                                                                                                          \
  "thud: 1\n"                                                                                                          \
  "particles_on_line:\n"                                                                                               \
  "  names: [a, b]\n"                                                                                                  \
  "  mass: [[2, 1], [1, 2]]\n"                                                                                         \
  "  stiffness: [[4, -1], [-1, 2]]\n"                                                                                  \
  "  viscosity: 0.2\n"                                                                                                 \
  "  friction: [0.5, 1]\n"                                                                                             \
  "  normal:\n"                                                                                                        \
  "    density: [1, \"1 + sin(t)/2\"]\n"                                                                               \
  "    atoms: [{time: 0, weight: 0.1}]\n"                                                                              \
  "    trains: [{start: 0.5, period: 0.5, weight: 0.3, value: [1, 2]}]\n"                                              \
  "    families: [{time: \"1.25 - 2^(-n-2)\", weight: \"2^(-n-4)\", tail: \"2^(-n-3)\", value: 1, limit: 1.25, "       \
  "truncation: 4, lump: true}]\n"                                                                                      \
  "  force: [0, \"cos(3*t)\"]\n"                                                                                       \
  "  transport: [\"0.2*sin(t)\", 0]\n"                                                                                 \
  "initial: {a: 1, b: 0, \"a'\": -1}\n"

static const char event_driven[] = MODEL "simulate: {method: event-driven, end: 2}\nrecord: {every: 0.01}\n";
static const char implicit[] = MODEL "simulate: {method: implicit, end: 2, steps: 100}\n";

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
  const char *const scenes[] = {event_driven, implicit};
  for (size_t k = 0; k < 2; k++) {
    thud_context *context = thud_test_context(1);
    const char *path = thud_test_path("good.h5");
    record_copy_run(context, scenes[k], path);
    thud_verify_result result = verify(context, path);
    if (result.verdict != THUD_VERIFY_GOOD) print_error("%s\n", result.reason);
    assert_int_equal(result.verdict, THUD_VERIFY_GOOD);
    assert_int_equal(result.check_count, 8);
    thud_test_context_end(context);
    thud_test_folder_empty();
  }
}

/* Copies the record with one number changed: role, row, component, by how much. */
static void tamper(thud_context *context, const char *from, const char *to, const char *role, size_t changed_row,
                   size_t component, double by) {
  thud_record_reader *reader = NULL;
  thud_record_writer *writer = NULL;
  assert_int_equal(thud_record_open(context, from, &reader), THUD_OK);
  thud_record_info info = thud_record_reader_info(reader);
  thud_record_channel channels[16];
  double *values[16];
  const double *rows[16];
  assert_true(info.channel_count <= 16 && changed_row < info.rows);
  for (size_t c = 0; c < info.channel_count; c++) {
    channels[c] = *thud_record_reader_channel(reader, c);
    values[c] = malloc(info.rows * channels[c].width * sizeof(double));
    assert_non_null(values[c]);
    assert_int_equal(thud_record_read(reader, c, 0, info.rows, values[c]), THUD_OK);
    if (strcmp(channels[c].role, role) == 0) values[c][changed_row * channels[c].width + component] += by;
  }
  thud_record_header header = {
      .title = info.title, .method = info.method, .scene = info.scene, .options = info.options};
  assert_int_equal(thud_record_create(context, to, NULL, &header, info.channel_count, channels, &writer), THUD_OK);
  for (size_t k = 0; k < info.rows; k++) {
    for (size_t c = 0; c < info.channel_count; c++) rows[c] = values[c] + k * channels[c].width;
    assert_int_equal(thud_record_append(writer, rows), THUD_OK);
  }
  assert_int_equal(thud_record_close(writer, info.verdict, info.reason, info.summary), THUD_OK);
  for (size_t c = 0; c < info.channel_count; c++) free(values[c]);
  thud_record_reader_destroy(reader);
}

static void tampered_numbers_are_found(void **state) {
  (void)state;
  static const struct {
    const char *role;
    size_t row, component;
    double by;
    const char *check;
  } cases[] = {{"position", 0, 0, 1e-6, "initial"},
               {"velocity_left", 0, 1, 1e-6, "initial"},
               {"velocity", 30, 0, 1e-5, "momentum"},
               {"velocity_left", 30, 1, 1e-5, "momentum"},
               {"reaction", 30, 1, 1e-5, "momentum"},
               {"position", 30, 1, 1e-3, "momentum"},
               {"reaction", 30, 0, 1, "friction"},
               {"bound", 30, 0, 1e-5, "friction"},
               {"mode", 30, 0, 1, "friction"},
               {"atom", 30, 0, 1, "percussions"},
               {"ledger", 30, 0, 1e-5, "energy"},
               {"ledger", 30, 1, 1e-5, "energy"},
               {"ledger", 30, 4, -1, "energy"},
               {"velocity", 1, 0, 1e-6, "momentum"},
               {"step", 30, 0, 1, "structure"},
               {"time", 0, 0, -1, "structure"},
               {"position", 50, 0, (double)NAN, "structure"}};
  const char *const scenes[] = {event_driven, implicit};
  for (size_t method = 0; method < 2; method++) {
    thud_context *context = thud_test_context(1);
    const char *good = thud_test_path("good.h5"), *bad = thud_test_path("bad.h5");
    record_copy_run(context, scenes[method], good);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
      if (method == 1 && strcmp(cases[k].role, "mode") == 0) continue; /* follows from the velocity there */
      tamper(context, good, bad, cases[k].role, cases[k].row, cases[k].component, cases[k].by);
      thud_verify_result result = verify(context, bad);
      if (status_of(&result, cases[k].check) != THUD_VERIFY_FAILED)
        print_error("method %zu, case %zu (%s): %s\n", method, k, cases[k].role, result.reason);
      assert_int_equal(status_of(&result, cases[k].check), THUD_VERIFY_FAILED);
      assert_int_equal(result.verdict, THUD_VERIFY_BAD);
      remove(bad);
    }
    thud_test_context_end(context);
    thud_test_folder_empty();
  }
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
  assert_true(thud_test_sweep_allocations(check_good, path) > 60);
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
