/* Records of rigid bodies as a whole: good ones pass, and failing memory leaves nothing behind. */
#include "testing.h"
#include "failing_allocator.h"
#include "record_copy.h"
#include "scratch_folder.h"
#include "thud/verify.h"

#include <string.h>

static const char scene[] =
    "thud: 1\n"
    "parameters: {depth: 0.05}\n"
    "materials: {stone: {friction: 0.5, density: 2600}, wood: {friction: [0.4, 0.2], axis: [1, 0, 0], density: 600}}\n"
    "pairs:\n"
    "  - {materials: [wood, stone], friction: 0.6, restitution: 0.1}\n"
    "bodies:\n"
    "  - {name: table, path: {position: [\"0.01*sin(20*t)\", 0, -depth], axis: [0, 0, 1], angle: 0.5*t}, shape: {box: "
    "[1, 1, 0.1]}, material: stone}\n"
    "  - {name: hill, fixed: true, position: [3, 0, 0], shape: {height_field: {size: [2, 2], heights: [[0, 0.1], [0, "
    "0]]}}, material: stone}\n"
    "  - {name: pyramid, shape: {hull: [[0.1, 0, 0], [-0.1, 0.1, 0], [-0.1, -0.1, 0], [0, 0, 0.15]]}, material: wood, "
    "position: [0, 0, 0.01]}\n"
    "  - {name: rocket, shape: {sphere: 0.1}, material: stone, position: [3, 0, 0.3], force: [0, 0, 10*t], torque: "
    "[0, 0, \"0.1*x'\"]}\n"
    "springs:\n"
    "  - {name: s, a: rocket, b: pyramid, length: 3, stiffness: 10, damping: 0.1}\n"
    "simulate: {end: 0.03, step: 0.01}\n";

static void a_good_record_passes(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_verify_result result;
  const char *path = thud_test_path("good.h5");
  record_copy_run(context, scene, path);
  assert_int_equal(thud_verify_record(context, path, NULL, &result), THUD_OK);
  assert_string_equal(result.reason, "");
  assert_int_equal(result.verdict, THUD_VERIFY_GOOD);
  thud_test_context_end(context);
  thud_test_folder_empty();
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
  record_copy_run(context, scene, path);
  thud_test_context_end(context);
  thud_assert_greater(thud_test_sweep_allocations(check_good, path), 60);
  thud_test_folder_empty();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_good_record_passes),
      cmocka_unit_test(failing_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
