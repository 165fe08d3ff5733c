/* Recorded bodies: the rows that are asked for, with the bodies of the scene. */
#include "base/base.h"
#include "plot/looks.h"
#include "plot/snapshot.h"
#include "record/unit.h"

#include <string.h>

/* The record of the bodies, and copies of the rows that are drawn. */
typedef struct body_looks {
  const looks *shown;
  body_record record;
  size_t count;
  body_row *rows; /* [count] with arrays of their own */
} body_looks;

static void close_rows(body_looks *source) {
  thud_context *context = source->shown->context;
  for (size_t k = 0; k < source->count; k++) {
    thud_free(context, (void *)source->rows[k].pose);
    thud_free(context, (void *)source->rows[k].contacts);
    thud_free(context, (void *)source->rows[k].absent);
  }
  thud_free(context, source->rows);
  thud_body_record_close(&source->record);
}

/* Velocities are not drawn, and not kept. */
static thud_error keep_row(body_looks *source, size_t number) {
  thud_context *context = source->shown->context;
  size_t n = (size_t)source->record.view.count;
  body_row read;
  thud_error error = thud_body_record_read(&source->record, number, &read);
  if (error != THUD_OK) return error;
  thud_pose *pose = THUD_NEW_ARRAY(context, thud_pose, n);
  body_contact *contacts = THUD_NEW_ARRAY(context, body_contact, read.contact_count + 1);
  bool *absent = THUD_NEW_ARRAY(context, bool, n);
  source->rows[source->count++] = (body_row){.t = read.t,
                                             .step = read.step,
                                             .pose = pose,
                                             .contact_count = read.contact_count,
                                             .contacts = contacts,
                                             .absent = absent};
  if (pose == NULL || contacts == NULL || absent == NULL) return THUD_ERROR_MEMORY;
  memcpy(pose, read.pose, n * sizeof *pose);
  memcpy(absent, read.absent, n * sizeof *absent);
  if (read.contact_count > 0) memcpy(contacts, read.contacts, read.contact_count * sizeof *contacts);
  return THUD_OK;
}

/* Those nearest to the times; without times the last one. */
static thud_error keep_rows(body_looks *source, size_t count, const double *times) {
  thud_error error = THUD_OK;
  source->rows = THUD_NEW_ARRAY(source->shown->context, body_row, count > 0 ? count : 1);
  if (source->rows == NULL) return THUD_ERROR_MEMORY;
  if (count == 0) return keep_row(source, source->record.rows - 1);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    size_t row = 0;
    error = thud_body_record_find(&source->record, times[k], &row);
    if (error == THUD_OK) error = keep_row(source, row);
  }
  return error;
}

/* ---- units ------------------------------------------------------------------------------------------------------------- */

static const char *unit_of(const body_looks *source, size_t channel) {
  if (channel == SIZE_MAX) return "";
  return thud_record_reader_channel(source->shown->reader, THUD_RECORD_FRAMES, channel)->unit;
}

static thud_error draw(const body_looks *source, double step, double delay) {
  const looks *shown = source->shown;
  char force_unit[RECORD_UNIT]; /* impulses per time */
  thud_record_unit_per(unit_of(source, source->record.channels.impulse), shown->time_unit, sizeof force_unit,
                       force_unit);
  const snapshot_scene scene = {.context = shown->context,
                                .view = source->record.view,
                                .count = source->count,
                                .rows = source->rows,
                                .title = shown->title,
                                .length_unit = unit_of(source, source->record.channels.position),
                                .time_unit = shown->time_unit,
                                .force_unit = force_unit,
                                .forces = shown->forces,
                                .azimuth = shown->view[0],
                                .elevation = shown->view[1],
                                .time_step = step};
  return shown->film ? thud_snapshot_film(&scene, delay, shown->options, shown->path)
                     : thud_snapshot_write(&scene, shown->options, shown->path);
}

thud_error thud_looks_draw_bodies(const looks *shown) {
  body_looks source = {.shown = shown, .record = {.context = shown->context}};
  looks_times spread = {0};
  thud_error error = thud_body_record_open(shown->reader, shown->scene, &source.record);
  if (error == THUD_OK && shown->film)
    error = thud_looks_spread(shown, source.record.t[0], source.record.t[source.record.rows - 1], &spread);
  if (error == THUD_OK) error = keep_rows(&source, shown->count, shown->film ? spread.times : shown->times);
  if (error == THUD_OK) error = draw(&source, spread.step, spread.delay);
  thud_free(shown->context, spread.times);
  close_rows(&source);
  return error;
}
