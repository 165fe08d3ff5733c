/* Orders of quantities: a measured order, what is refused, and failing allocations. */
#include "failing_allocator.h"
#include "testing.h"

#include "thud/study.h"

#include <math.h>
#include <string.h>

static const char scene[] = "thud: 1\n"
                            "string:\n"
                            "  nodes: 11\n"
                            "  tension: 1\n"
                            "  friction: 0.5\n"
                            "  obstacle: -0.1\n"
                            "  ends: {u_right: 0.4*t}\n"
                            "  loads: [{density: -20}]\n"
                            "simulate: {end: 1, steps: 2}\n";

static thud_error orders_of(thud_context *context, const char *text, const thud_orders_options *options,
                            thud_orders *study) {
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_text(context, "scene.yaml", text, strlen(text), &tree);
  if (error == THUD_OK) error = thud_study_orders(context, tree, options, study);
  thud_tree_destroy(tree);
  return error;
}

static thud_orders_options mesh_options(const char *const *quantities, size_t count) {
  thud_orders_options options = thud_orders_options_default();
  options.refined = THUD_REFINED_MESH;
  options.first_level = 0;
  options.last_level = 3;
  options.quantities = quantities;
  options.quantity_count = count;
  return options;
}

/* s = 20 over the contact, which begins at 0.1 = sqrt(2 h/q), and slip at 0.7: nodes of every mesh. */
static void a_string_on_a_floor_loses_with_order_two(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const char *const quantities[] = {"friction", "reaction/16", "loaded_nodes*0 + t"};
  const thud_orders_options options = mesh_options(quantities, 3);
  thud_orders study;
  assert_int_equal(orders_of(context, scene, &options, &study), THUD_OK);
  assert_int_equal(study.count, 4);
  assert_int_equal(study.quantity_count, 3);
  thud_assert_near(study.quantities[0].order, 2, 0.1);
  assert_true(isinf(study.quantities[1].order) && isinf(study.quantities[2].order));
  thud_assert_near(study.rows[0].values[1], 1, 1e-12);
  thud_assert_near(study.rows[3].values[2], 1, 0);
  thud_assert_near(study.quantities[1].error, 0, 0);
  double more = study.quantities[0].limit - study.rows[3].values[0];
  thud_assert_near(study.quantities[0].error, fabs(more), 1e-15);
  thud_assert_near(study.rows[1].differences[0], fabs(study.rows[2].values[0] - study.rows[1].values[0]), 1e-15);
  assert_true(isnan(study.rows[3].differences[0]));
  assert_int_equal(study.flags, 0);
  thud_orders_free(&study);
  thud_test_context_end(context);
}

static void what_cannot_be_refined_is_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const char *const unknown[] = {"nothing"};
  thud_orders study;
  thud_orders_options options = mesh_options(unknown, 1);
  assert_int_not_equal(orders_of(context, scene, &options, &study), THUD_OK);
  options = mesh_options(NULL, 1);
  assert_int_equal(orders_of(context, scene, &options, &study), THUD_ERROR_ARGUMENT);
  options = mesh_options(NULL, 0);
  options.last_level = 1;
  assert_int_not_equal(orders_of(context, scene, &options, &study), THUD_OK);
  options = mesh_options(NULL, 0);
  static const char words[] = "thud: 1\nstring: {nodes: [0, 1/2, 1], tension: 1}\nsimulate: {end: 1, steps: 1}\n";
  assert_int_equal(orders_of(context, words, &options, &study), THUD_ERROR_UNSUPPORTED);
  options = thud_orders_options_default();
  static const char long_steps[] = "thud: 1\nstring: {nodes: 3, tension: 1}\nsimulate: {end: 1, step: 0.1}\n";
  assert_int_equal(orders_of(context, long_steps, &options, &study), THUD_ERROR_UNSUPPORTED);
  thud_test_context_end(context);
}

static thud_error run_study(thud_context *own, void *user) {
  static const char *const quantities[] = {"friction + u(0.5)"};
  thud_orders_options options = mesh_options(quantities, 1);
  thud_orders study = {0};
  (void)user;
  options.last_level = 2;
  options.samples = 1;
  thud_error error = orders_of(own, scene, &options, &study);
  thud_orders_free(&study);
  return error;
}

static void failing_allocations_leave_nothing(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(run_study, NULL), 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_string_on_a_floor_loses_with_order_two),
                                     cmocka_unit_test(what_cannot_be_refined_is_refused),
                                     cmocka_unit_test(failing_allocations_leave_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
