/* Snapshots of records: the rows that are asked for, with the bodies of the scene. */
#include "base/base.h"
#include "plot/snapshot.h"
#include "record/unit.h"

#include <string.h>

static const double usual_view[2] = {-60, 25}; /* degrees */

/* A record with its scene, and copies of the rows that are drawn. */
typedef struct snapshot_source {
  thud_context *context;
  thud_record_reader *reader;
  thud_tree *tree;
  thud_scene *scene;
  body_record record;
  size_t count;
  body_row rows[THUD_PLOT_SNAPSHOTS]; /* with arrays of their own */
} snapshot_source;

static thud_error open_source(snapshot_source *source, const char *path) {
  thud_context *context = source->context;
  thud_error error = thud_record_open(context, path, &source->reader);
  if (error != THUD_OK) return error;
  const char *text = thud_record_reader_info(source->reader).resolved;
  if (text[0] == '\0')
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "%s: this record holds no scene: the shapes of its bodies are not known", path);
  error = thud_tree_read_text(context, "scene of the record", text, strlen(text), &source->tree);
  if (error == THUD_OK) error = thud_scene_build(context, source->tree, &source->scene);
  if (error == THUD_OK) error = thud_body_record_open(source->reader, source->scene, &source->record);
  return error;
}

static void close_source(snapshot_source *source) {
  for (size_t k = 0; k < source->count; k++) {
    thud_free(source->context, (void *)source->rows[k].pose);
    thud_free(source->context, (void *)source->rows[k].contacts);
  }
  thud_body_record_close(&source->record);
  thud_scene_destroy(source->scene);
  thud_tree_destroy(source->tree);
  thud_record_reader_destroy(source->reader);
}

/* ---- rows -------------------------------------------------------------------------------------------------------------- */

/* Velocities are not drawn, and not kept. */
static thud_error keep_row(snapshot_source *source, size_t number) {
  size_t n = (size_t)source->record.view.count;
  body_row read;
  thud_error error = thud_body_record_read(&source->record, number, &read);
  if (error != THUD_OK) return error;
  thud_pose *pose = THUD_NEW_ARRAY(source->context, thud_pose, n);
  body_contact *contacts = THUD_NEW_ARRAY(source->context, body_contact, read.contact_count + 1);
  source->rows[source->count++] = (body_row){
      .t = read.t, .step = read.step, .pose = pose, .contact_count = read.contact_count, .contacts = contacts};
  if (pose == NULL || contacts == NULL) return THUD_ERROR_MEMORY;
  memcpy(pose, read.pose, n * sizeof *pose);
  if (read.contact_count > 0) memcpy(contacts, read.contacts, read.contact_count * sizeof *contacts);
  return THUD_OK;
}

static thud_error keep_rows(snapshot_source *source, const thud_snapshot_choice *choice) {
  if (choice->count == 0) return keep_row(source, source->record.rows - 1);
  if (choice->count > THUD_PLOT_SNAPSHOTS)
    return thud_fail(source->context, THUD_ERROR_ARGUMENT, "at most %d snapshots fit into one picture, not %zu",
                     THUD_PLOT_SNAPSHOTS, choice->count);
  if (choice->times == NULL) return thud_fail(source->context, THUD_ERROR_ARGUMENT, "times of snapshots are needed");
  thud_error error = THUD_OK;
  for (size_t k = 0; k < choice->count && error == THUD_OK; k++) {
    size_t row = 0;
    error = thud_body_record_find(&source->record, choice->times[k], &row);
    if (error == THUD_OK) error = keep_row(source, row);
  }
  return error;
}

/* ---- units ------------------------------------------------------------------------------------------------------------- */

static const char *unit_of(const snapshot_source *source, size_t channel) {
  if (channel == SIZE_MAX) return "";
  return thud_record_reader_channel(source->reader, THUD_RECORD_FRAMES, channel)->unit;
}

static thud_error draw(snapshot_source *source, const thud_snapshot_choice *choice, const thud_plot_options *options,
                       const char *path) {
  size_t time;
  thud_error error = thud_record_find_role(source->reader, THUD_RECORD_FRAMES, "time", &time);
  if (error != THUD_OK) return error;
  const double *view = choice->view != NULL ? choice->view : usual_view;
  if (!(view[0] >= -360 && view[0] <= 360 && view[1] >= -90 && view[1] <= 90))
    return thud_fail(source->context, THUD_ERROR_ARGUMENT,
                     "the eye is at an azimuth from -360 to 360 and an elevation from -90 to 90 degrees, not %g, %g",
                     view[0], view[1]);
  char force_unit[RECORD_UNIT]; /* impulses per time */
  thud_record_unit_per(unit_of(source, source->record.channels.impulse), unit_of(source, time), sizeof force_unit,
                       force_unit);
  const snapshot_scene scene = {.context = source->context,
                                .view = source->record.view,
                                .count = source->count,
                                .rows = source->rows,
                                .title = choice->title != NULL ? choice->title
                                                               : thud_record_reader_info(source->reader).title,
                                .length_unit = unit_of(source, source->record.channels.position),
                                .time_unit = unit_of(source, time),
                                .force_unit = force_unit,
                                .forces = choice->forces,
                                .azimuth = view[0],
                                .elevation = view[1]};
  return thud_snapshot_write(&scene, options, path);
}

thud_error thud_plot_snapshot(thud_context *context, const char *record, const thud_snapshot_choice *choice,
                              const thud_plot_options *options, const char *path) {
  THUD_REQUIRE(context, context, record, path);
  const thud_snapshot_choice usual = {0};
  if (choice == NULL) choice = &usual;
  snapshot_source *source = THUD_NEW(context, snapshot_source);
  if (source == NULL) return THUD_ERROR_MEMORY;
  source->context = source->record.context = context;
  thud_error error = open_source(source, record);
  if (error == THUD_OK) error = keep_rows(source, choice);
  if (error == THUD_OK) error = draw(source, choice, options, path);
  close_source(source);
  thud_free(context, source);
  return error;
}
