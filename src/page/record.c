/* One record of a page. */
#include "page/page.h"
#include "run/run.h"
#include "thud/film.h"

#include <math.h>
#include <string.h>

void thud_page_note(page_record *record, const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  int length = vsnprintf(NULL, 0, format, list);
  char *text = length >= 0 ? thud_alloc(record->page->context, (size_t)length + 1, 1) : NULL;
  if (text != NULL) vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  va_end(list);
  thud_page_take(record->page, text != NULL ? THUD_OK : THUD_ERROR_MEMORY);
  for (char *p = text; p != NULL && *p != '\0'; p++)
    if (*p == '\n') *p = ' ';
  if (text != NULL) thud_text_print(&record->notes, "%s\n", text);
  thud_free(record->page->context, text);
}

thud_error thud_page_read_role(const page_record *record, thud_record_table table, const char *role, double **values) {
  size_t channel, rows = record->info.rows[table];
  if (thud_record_find_role(record->reader, table, role, &channel) != THUD_OK) return THUD_OK;
  if (thud_record_reader_channel(record->reader, table, channel)->width != 1) return THUD_OK;
  double *read = THUD_NEW_ARRAY(record->page->context, double, rows);
  if (read == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_record_read(record->reader, table, channel, 0, rows, read);
  if (error == THUD_OK)
    *values = read;
  else
    thud_free(record->page->context, read);
  return error;
}

/* ---- opening ------------------------------------------------------------------------------------------------------------- */

/* runs/cb.branch-2.h5: cb.branch-2 */
static char *stem_of(thud_context *context, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path, *dot = strrchr(name, '.');
  return thud_strndup(context, name, dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name));
}

/* Times of the rows, and from when to when the record goes. */
static thud_error read_times(page_record *record) {
  size_t rows = record->info.rows[THUD_RECORD_FRAMES], time;
  thud_error error = thud_page_read_role(record, THUD_RECORD_FRAMES, "time", &record->t);
  if (error == THUD_OK && record->t == NULL)
    error = thud_fail(record->page->context, THUD_ERROR_FORMAT, "%s: the record has no channel of times", record->path);
  if (error == THUD_OK) error = thud_page_read_role(record, THUD_RECORD_FRAMES, "end", &record->stop);
  if (error == THUD_OK) error = thud_record_find_role(record->reader, THUD_RECORD_FRAMES, "time", &time);
  if (error != THUD_OK) return error;
  record->time_unit = thud_record_reader_channel(record->reader, THUD_RECORD_FRAMES, time)->unit;
  if (rows == 0) return THUD_OK;
  record->start = record->t[0];
  record->end = record->stop != NULL ? record->stop[rows - 1] : record->t[rows - 1];
  if (!isfinite(record->start) || !isfinite(record->end) || record->end < record->start)
    return thud_fail(record->page->context, THUD_ERROR_FORMAT, "%s: the record is damaged: it goes from %g to %g",
                     record->path, record->start, record->end);
  return THUD_OK;
}

static thud_error open_record(page_record *record) {
  thud_context *context = record->page->context;
  thud_error error = thud_record_open(context, record->path, &record->reader);
  if (error != THUD_OK) return error;
  record->info = thud_record_reader_info(record->reader);
  record->name = stem_of(context, record->path);
  if (record->name == NULL) return THUD_ERROR_MEMORY;
  return read_times(record);
}

static void close_record(page_record *record) {
  thud_context *context = record->page->context;
  thud_text_free(&record->notes);
  thud_free(context, record->t);
  thud_free(context, record->stop);
  thud_free(context, (char *)record->name);
  thud_record_reader_destroy(record->reader);
}

/* ---- parts --------------------------------------------------------------------------------------------------------------- */

/* The result of the run, but for its long lists (state and samples of thousands of bodies, events), which the page has in
 * other places. */
static void write_summary(page_record *record) {
  enum { LONGEST = 10000 };
  page_build *page = record->page;
  const char *p = record->info.summary, *member;
  thud_text kept = thud_text_new(page->context);
  size_t length, left_out = 0, count = 0;
  bool known = thud_page_is_json(p);
  while (known && thud_page_next_member(&p, &member, &length)) {
    if (length > LONGEST) {
      left_out++;
      continue;
    }
    thud_text_print(&kept, count++ == 0 ? "{" : ", ");
    thud_text_append(&kept, member, length);
  }
  thud_text_print(&kept, count > 0 ? "}" : "null");
  thud_json_key(&page->json, "summary");
  thud_json_raw(&page->json, thud_text_chars(&kept));
  thud_page_take(page, kept.error);
  thud_text_free(&kept);
  if (!record->info.finished)
    thud_page_note(record, "the run has not ended: the record holds what was written before it was looked at");
  else if (!known)
    thud_page_note(record, "the record has no summary of the run");
  if (left_out > 0)
    thud_page_note(record, "the figures of the run are shown without %zu long list%s", left_out, thud_plural(left_out));
}

static void write_header(page_record *record) {
  thud_json *json = &record->page->json;
  const thud_record_info *info = &record->info;
  thud_json_string_field(json, "name", record->name);
  thud_json_string_field(json, "title", info->title);
  thud_json_string_field(json, "kind", info->kind);
  thud_json_string_field(json, "method", info->method);
  thud_json_string_field(json, "verdict", info->verdict);
  thud_json_string_field(json, "reason", info->reason);
  thud_json_key(json, "finished");
  thud_json_bool(json, info->finished);
  thud_json_string_field(json, "scene", info->source[0] != '\0' ? info->source : info->scene);
  write_summary(record);
  thud_json_key(json, "span");
  thud_json_begin_flat_array(json);
  thud_json_number(json, record->start);
  thud_json_number(json, record->end);
  thud_json_end_array(json);
  thud_json_string_field(json, "time_unit", record->time_unit);
}

/* Where the motion was, if its scene can be built again; that it cannot be is no reason to show nothing. */
static void write_picture(page_record *record) {
  page_build *page = record->page;
  thud_scene *built = NULL;
  size_t rows = record->info.rows[THUD_RECORD_FRAMES];
  thud_error error = rows > 0 ? THUD_OK : THUD_ERROR_UNSUPPORTED;
  if (error == THUD_OK && record->scene == NULL) error = thud_film_build_scene(page->context, record->reader, &built);
  thud_scene *scene = record->scene != NULL ? record->scene : built;
  bool bodies = error == THUD_OK && scene->kind->bodies != NULL;
  if (error == THUD_ERROR_MEMORY || error == THUD_ERROR_INTERRUPTED)
    thud_page_take(page, error);
  else if (rows == 0)
    thud_page_note(record, "the record has no frames");
  else if (error != THUD_OK)
    thud_page_note(record, "no moving picture: %s", thud_context_last_message(page->context));
  if (bodies) {
    thud_json_key(&page->json, "film");
    thud_json_null(&page->json);
    thud_page_write_bodies(record, scene);
  } else {
    thud_page_write_film(record, scene);
    thud_json_key(&page->json, "bodies");
    thud_json_null(&page->json);
  }
  thud_scene_destroy(built);
}

static void write_notes(const page_record *record) {
  page_build *page = record->page;
  thud_json_key(&page->json, "notes");
  thud_json_begin_array(&page->json);
  thud_page_take(page, record->notes.error);
  for (const char *line = thud_text_chars(&record->notes); *line != '\0';) {
    size_t length = strcspn(line, "\n");
    char *note = thud_strndup(page->context, line, length);
    if (thud_page_take(page, note != NULL ? THUD_OK : THUD_ERROR_MEMORY)) thud_json_string(&page->json, note);
    thud_free(page->context, note);
    line += length + (line[length] == '\n');
  }
  thud_json_end_array(&page->json);
}

void thud_page_write_record(page_build *page, const char *path, thud_scene *scene) {
  void (*const parts[])(page_record *) = {thud_page_write_panels, thud_page_write_events, thud_page_write_warnings,
                                          thud_page_write_proofs, thud_page_write_state,  write_picture};
  page_record record = {
      .page = page, .path = path, .scene = scene, .notes = thud_text_new(page->context), .opening = NAN};
  if (thud_page_take(page, open_record(&record))) {
    thud_json_begin_object(&page->json);
    write_header(&record);
    for (size_t k = 0; k < sizeof parts / sizeof *parts && thud_page_state(page) == THUD_OK; k++) parts[k](&record);
    thud_json_number_field(&page->json, "opens", isnan(record.opening) ? record.start : record.opening);
    write_notes(&record);
    thud_json_end_object(&page->json);
    thud_page_take(page, thud_page_blocks_cut(&page->blocks));
  }
  close_record(&record);
}
