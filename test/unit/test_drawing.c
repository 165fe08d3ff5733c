/* Drawings: what is added comes back, what is wrong is refused. */
#include "failing_allocator.h"
#include "testing.h"
#include "thud/drawing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static thud_context *context;

static int open_context(void **state) {
  (void)state;
  return thud_context_create(NULL, &context) == THUD_OK ? 0 : 1;
}

static int close_context(void **state) {
  (void)state;
  thud_context_destroy(context);
  return 0;
}

static void names_and_widths_are_told_apart(void **state) {
  (void)state;
  for (int k = 0; k < THUD_MARK_KINDS; k++)
    for (int j = 0; j < k; j++)
      assert_string_not_equal(thud_mark_kind_name((thud_mark_kind)k), thud_mark_kind_name((thud_mark_kind)j));
  for (int k = 0; k < THUD_PAINTS; k++)
    for (int j = 0; j < k; j++) assert_string_not_equal(thud_paint_name((thud_paint)k), thud_paint_name((thud_paint)j));
  assert_null(thud_paint_name(THUD_PAINTS));
  assert_null(thud_mark_kind_name(THUD_MARK_KINDS));
  assert_int_equal(thud_mark_width(THUD_MARK_LINE, 2), 2);
  assert_int_equal(thud_mark_width(THUD_MARK_ARROW, 3), 6);
  assert_int_equal(thud_mark_width(THUD_MARK_BOX, 3), 0);
  assert_int_equal(thud_mark_width(THUD_MARK_LINE, 4), 0);
}

/* Random marks are the same when they are read back, and nothing is left of the caller's arrays. */
static void marks_come_back(void **state) {
  (void)state;
  thud_random random = thud_random_seed(19);
  thud_drawing *drawing;
  assert_int_equal(thud_drawing_create(context, &drawing), THUD_OK);
  for (int round = 0; round < 3; round++) {
    double sent[40][12], label_of[40];
    thud_drawing_clear(drawing);
    for (int k = 0; k < 40; k++) {
      char label[16];
      if (k % 10 == 0) {
        const thud_drawing_panel panel = {.title = k == 0 ? "first" : "other", .x_unit = "m", .stretched = k == 10};
        assert_int_equal(thud_drawing_add_panel(drawing, &panel), THUD_OK);
      }
      thud_mark mark = {.kind = (thud_mark_kind)(k % THUD_MARK_SURFACE), .paint = (thud_paint)(k % THUD_PAINTS)};
      size_t width = thud_mark_width(mark.kind, 2), count = 12 / width;
      for (size_t i = 0; i < 12; i++) sent[k][i] = thud_random_uniform(&random, -1, 1);
      double numbers[12];
      memcpy(numbers, sent[k], sizeof numbers);
      snprintf(label, sizeof label, "mark %d", k);
      label_of[k] = k;
      mark.label = label;
      mark.count = count;
      mark.numbers = numbers;
      assert_int_equal(thud_drawing_add(drawing, &mark), THUD_OK);
      memset(numbers, 0, sizeof numbers);
      memset(label, 0, sizeof label);
    }
    assert_int_equal(thud_drawing_panel_count(drawing), 4);
    assert_int_equal(thud_drawing_mark_count(drawing), 40);
    for (size_t k = 0; k < 40; k++) {
      size_t panel = 99, width;
      char label[16];
      const thud_mark *mark = thud_drawing_mark_at(drawing, k, &panel);
      assert_int_equal(panel, k / 10);
      width = thud_mark_width(mark->kind, 2);
      assert_memory_equal(mark->numbers, sent[k], mark->count * width * sizeof(double));
      snprintf(label, sizeof label, "mark %.0f", label_of[k]);
      assert_string_equal(mark->label, label);
    }
    assert_string_equal(thud_drawing_panel_at(drawing, 0)->title, "first");
    assert_true(thud_drawing_panel_at(drawing, 1)->stretched);
    assert_null(thud_drawing_panel_at(drawing, 4));
    assert_null(thud_drawing_mark_at(drawing, 40, NULL));
  }
  thud_drawing_destroy(drawing);
}

static void what_is_wrong_is_refused(void **state) {
  (void)state;
  const double numbers[8] = {0};
  const thud_index beyond[3] = {0, 1, 2}, below[3] = {0, 1, -1};
  const thud_mark wrong[] = {
      {.kind = THUD_MARK_KINDS, .count = 1, .numbers = numbers},
      {.kind = THUD_MARK_LINE, .paint = THUD_PAINTS, .count = 1, .numbers = numbers},
      {.kind = THUD_MARK_LINE, .count = 1},
      {.kind = THUD_MARK_SURFACE, .count = 2, .numbers = numbers, .triangle_count = 1, .triangles = beyond},
      {.kind = THUD_MARK_SURFACE, .count = 2, .numbers = numbers, .triangle_count = 1, .triangles = below},
      {.kind = THUD_MARK_SURFACE, .count = 2, .numbers = numbers, .triangle_count = 1},
  };
  thud_drawing *drawing;
  assert_int_equal(thud_drawing_create(context, &drawing), THUD_OK);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
    assert_int_equal(thud_drawing_add(drawing, &wrong[k]), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_drawing_mark_count(drawing), 0);
  const thud_drawing_panel space = {.space = true};
  const thud_mark box = {.kind = THUD_MARK_BOX, .count = 1, .numbers = numbers};
  assert_int_equal(thud_drawing_add(drawing, &box), THUD_OK);
  assert_int_equal(thud_drawing_add_panel(drawing, &space), THUD_OK);
  assert_int_equal(thud_drawing_add(drawing, &box), THUD_ERROR_ARGUMENT);
  thud_drawing_destroy(drawing);
}

static thud_error draw_something(thud_context *failing, void *user) {
  (void)user;
  const double numbers[8] = {0};
  const thud_drawing_panel panel = {.title = "t", .y_label = "y"};
  const thud_mark mark = {.kind = THUD_MARK_LINE, .label = "l", .count = 4, .numbers = numbers};
  thud_drawing *drawing;
  thud_error error = thud_drawing_create(failing, &drawing);
  if (error != THUD_OK) return error;
  error = thud_drawing_add_panel(drawing, &panel);
  for (int k = 0; k < 600 && error == THUD_OK; k++) error = thud_drawing_add(drawing, &mark);
  thud_drawing_destroy(drawing);
  return error;
}

static void allocations_may_fail(void **state) {
  (void)state;
  assert_true(thud_test_sweep_allocations(draw_something, NULL) > 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_and_widths_are_told_apart),
      cmocka_unit_test(marks_come_back),
      cmocka_unit_test(what_is_wrong_is_refused),
      cmocka_unit_test(allocations_may_fail),
  };
  return cmocka_run_group_tests(tests, open_context, close_context);
}
