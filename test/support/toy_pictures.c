#include "toy_pictures.h"

#include "scratch_folder.h"
#include "testing.h"

void thud_test_write_record(thud_context *context, const char *name, const char *resolved,
                            const thud_record_layout *layout, size_t frames, const thud_record_cell *frame_cells,
                            size_t events, const thud_record_cell *event_cells) {
  thud_record_options options = thud_record_options_default();
  options.overwrite = true;
  const thud_record_header header = {.title = "Toy", .kind = "toy", .resolved = resolved};
  thud_record_writer *writer;
  assert_int_equal(thud_record_create(context, thud_test_path(name), &options, &header, layout, &writer), THUD_OK);
  for (size_t k = 0; k < frames; k++)
    assert_int_equal(thud_record_append(writer, THUD_RECORD_FRAMES, frame_cells + k * layout->count[0]), THUD_OK);
  for (size_t k = 0; k < events; k++)
    assert_int_equal(thud_record_append(writer, THUD_RECORD_EVENTS, event_cells + k * layout->count[1]), THUD_OK);
  assert_int_equal(thud_record_close(writer, "good", NULL, NULL), THUD_OK);
}

thud_picture *thud_test_picture(thud_context *context, const char *name, thud_plot_choice choice) {
  const char *paths[] = {thud_test_path(name)};
  thud_picture *picture;
  assert_int_equal(thud_picture_create(context, 1, paths, &choice, &picture), THUD_OK);
  return picture;
}

const thud_plot_panel *thud_test_panel(const thud_picture *picture, size_t p, const char *label, const char *unit,
                                       size_t series) {
  const thud_plot_figure *figure = thud_picture_figure(picture);
  thud_assert_less(p, figure->panel_count);
  const thud_plot_panel *panel = &figure->panels[p];
  assert_string_equal(panel->y_label, label);
  assert_string_equal(panel->y_unit, unit);
  assert_int_equal(panel->series_count, series);
  return panel;
}

void thud_test_series(const thud_plot_panel *panel, size_t k, const char *label, thud_plot_style style, size_t count,
                      const double *points) {
  const thud_plot_series *series = &panel->series[k];
  assert_string_equal(series->label != NULL ? series->label : "", label);
  assert_int_equal(series->style, style);
  assert_int_equal(series->count, count);
  for (size_t i = 0; i < count; i++) {
    thud_assert_equal(series->x[i], points[2 * i]);
    thud_assert_equal(series->y[i], points[2 * i + 1]);
  }
}

size_t thud_test_jump_count(const thud_plot_series *series) {
  size_t jumps = 0;
  for (size_t i = 1; i < series->count; i++) jumps += series->x[i] == series->x[i - 1];
  return jumps;
}

void thud_test_refuse_picture(thud_context *context, const char *name, thud_plot_choice choice, thud_error error,
                              const char *piece) {
  const char *paths[] = {thud_test_path(name)};
  thud_picture *picture;
  assert_int_equal(thud_picture_create(context, 1, paths, &choice, &picture), error);
  thud_test_message_has(context, piece, NULL);
}
