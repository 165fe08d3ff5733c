/* Pictures of records: opening them, and the figure as a whole. */
#include "base/base.h"
#include "base/json.h"
#include "plot/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ARENA_BLOCK = 1 << 16, LONGEST_TEXT = 80 };

const char *thud_plot_text(thud_picture *picture, const char *format, ...) {
  static const char dots[] = "…";
  va_list list;
  char *text = thud_arena_alloc(picture->arena, LONGEST_TEXT + sizeof dots, 1);
  if (text == NULL) return NULL;
  va_start(list, format);
  int length = vsnprintf(text, LONGEST_TEXT + 1, format, list);
  va_end(list);
  if (length <= LONGEST_TEXT) return text;
  size_t end = LONGEST_TEXT;
  while (end > 0 && ((unsigned char)text[end - 1] & 0xC0) == 0x80) end--; /* the last character may be cut */
  if (end > 0) end--;
  memcpy(text + end, dots, sizeof dots);
  return text;
}

thud_error thud_plot_note(thud_picture *picture, const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  int length = vsnprintf(NULL, 0, format, list);
  char *text = length >= 0 ? thud_arena_alloc(picture->arena, (size_t)length + 1, 1) : NULL;
  if (text != NULL) vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  va_end(list);
  if (text == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < picture->note_count; k++)
    if (strcmp(picture->notes[k], text) == 0) return THUD_OK;
  if (picture->note_count < PLOT_MOST_NOTES) picture->notes[picture->note_count++] = text;
  return THUD_OK;
}

bool thud_plot_next_item(const char **list, const char **item, size_t *length) {
  const char *p = *list + strspn(*list, " ,");
  size_t depth = 0, n = 0;
  for (; p[n] != '\0' && (p[n] != ',' || depth > 0); n++) {
    depth += p[n] == '(';
    depth -= p[n] == ')' && depth > 0;
  }
  *item = p;
  *list = p + n;
  while (n > 0 && p[n - 1] == ' ') n--;
  *length = n;
  return n > 0;
}

bool thud_plot_listed(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *p = list; *p != '\0';) {
    size_t word = strcspn(p, ",");
    if (word == length && strncmp(p, name, length) == 0) return true;
    p += word + (p[word] == ',');
  }
  return false;
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

/* A channel of one component, all rows; *values stays NULL when the table has none of that role. */
static thud_error read_role(const thud_picture *picture, const plot_record *record, thud_record_table table,
                            const char *role, double **values) {
  size_t channel, rows = thud_record_reader_info(record->reader).rows[table];
  if (thud_record_find_role(record->reader, table, role, &channel) != THUD_OK) return THUD_OK;
  if (thud_record_reader_channel(record->reader, table, channel)->width != 1) return THUD_OK;
  *values = THUD_NEW_ARRAY(picture->context, double, rows);
  if (*values == NULL) return THUD_ERROR_MEMORY;
  return thud_record_read(record->reader, table, channel, 0, rows, *values);
}

static bool has_series(const plot_record *record) {
  const thud_record_channel *channel;
  for (size_t k = 0; (channel = thud_record_reader_channel(record->reader, THUD_RECORD_FRAMES, k)) != NULL; k++)
    if (channel->look == THUD_LOOK_SERIES) return true;
  return false;
}

static const char *stem_of(thud_picture *picture, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path, *dot = strrchr(name, '.');
  size_t length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name); /* cb.branch-2.h5: cb.branch-2 */
  return thud_plot_text(picture, "%.*s", (int)length, name);
}

static thud_error read_roles(const thud_picture *picture, plot_record *record, const char *path) {
  const struct {
    thud_record_table table;
    const char *role;
    double **values;
  } all[] = {{THUD_RECORD_FRAMES, "time", &record->t},
             {THUD_RECORD_FRAMES, "end", &record->end},
             {THUD_RECORD_FRAMES, "step", &record->step},
             {THUD_RECORD_FRAMES, "accumulation", &record->stand_in},
             {THUD_RECORD_EVENTS, "time", &record->t_event},
             {THUD_RECORD_EVENTS, "kind", &record->kind_event},
             {THUD_RECORD_EVENTS, "begin", &record->begin_event},
             {THUD_RECORD_FRAMES, "side", &record->side}};
  thud_error error = THUD_OK;
  for (size_t k = 0; k < sizeof all / sizeof *all && error == THUD_OK; k++)
    error = read_role(picture, record, all[k].table, all[k].role, all[k].values);
  if (error == THUD_OK && record->t == NULL)
    error = thud_fail(picture->context, THUD_ERROR_FORMAT, "[unknown-channel] %s: the record has no channel of times",
                      path);
  size_t time;
  if (error == THUD_OK) error = thud_record_find_role(record->reader, THUD_RECORD_FRAMES, "time", &time);
  if (error != THUD_OK) return error;
  record->time_unit = thud_record_reader_channel(record->reader, THUD_RECORD_FRAMES, time)->unit;
  return THUD_OK;
}

static thud_error open_record(thud_picture *picture, const char *path, thud_record_reader *reader) {
  plot_record *record = &picture->records[picture->record_count];
  thud_error error = THUD_OK;
  record->reader = reader;
  record->borrowed = reader != NULL;
  if (!record->borrowed) error = thud_record_open(picture->context, path, &record->reader);
  if (error != THUD_OK) return error;
  picture->record_count++;
  record->stem = stem_of(picture, path);
  if (record->stem == NULL) return THUD_ERROR_MEMORY;
  thud_record_info info = thud_record_reader_info(record->reader);
  record->rows = info.rows[THUD_RECORD_FRAMES];
  record->events = info.rows[THUD_RECORD_EVENTS];
  if (record->rows == 0)
    return thud_fail(picture->context, THUD_ERROR_FORMAT, "[nothing-to-draw] %s: the record holds no frames to draw",
                     path);
  error = read_roles(picture, record, path);
  if (error == THUD_OK) error = thud_plot_list_sources(picture, record);
  return error == THUD_OK && has_series(record) ? thud_plot_choose_instants(picture, record) : error;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

void thud_picture_destroy(thud_picture *picture) {
  if (picture == NULL) return;
  for (size_t k = 0; k < picture->record_count; k++) {
    plot_record *record = &picture->records[k];
    thud_plot_scope_destroy(record->scope);
    if (!record->borrowed) thud_record_reader_destroy(record->reader);
    void *const arrays[] = {record->t,       record->end,        record->step,        record->stand_in,
                            record->t_event, record->kind_event, record->begin_event, record->instants,
                            record->sources, record->side};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) thud_free(picture->context, arrays[i]);
  }
  thud_arena_destroy(picture->arena);
  thud_free(picture->context, picture->series);
  thud_free(picture->context, picture);
}

/* Panels over time show a few components, of a string or beam its first nodes: one record of these is drawn as a line
 * unless channels or components are asked for. */
static bool is_line(const thud_picture *picture, const thud_plot_choice *choice) {
  return picture->record_count == 1 && choice->panels == NULL && choice->components == NULL && choice->phase == NULL &&
         choice->window == NULL && choice->logarithmic == NULL && choice->cone == NULL && choice->profile == NULL &&
         thud_plot_is_line(&picture->records[0]);
}

/* Windows, axes and differences, before anything is read. */
static thud_error take_choice(thud_picture *picture, size_t count, const thud_plot_choice *choice) {
  const double *window = choice->window;
  bool panels = choice->phase == NULL && choice->cone == NULL && choice->profile == NULL;
  picture->from = window != NULL && !isnan(window[0]) ? window[0] : -INFINITY;
  picture->to = window != NULL && !isnan(window[1]) ? window[1] : INFINITY;
  picture->logarithmic = choice->logarithmic;
  picture->difference = choice->difference;
  if (!(picture->from < picture->to))
    return thud_fail(picture->context, THUD_ERROR_ARGUMENT,
                     "[time-outside] a window (--from, --to) from %g to %g shows nothing", picture->from, picture->to);
  if (window != NULL && (choice->cone != NULL || choice->profile != NULL))
    return thud_fail(picture->context, THUD_ERROR_ARGUMENT,
                     "[usage] --from and --to go with panels over time and --phase");
  if (choice->difference && (!panels || count < 2))
    return thud_fail(picture->context, THUD_ERROR_ARGUMENT,
                     "[usage] --difference needs two records or more, and panels over time");
  return THUD_OK;
}

static thud_error add_all(thud_picture *picture, const thud_plot_choice *choice) {
  return choice->cone != NULL       ? thud_plot_add_cone(picture, choice->cone)
         : choice->profile != NULL  ? thud_plot_add_profile(picture, choice->profile, choice->times)
         : choice->phase != NULL    ? thud_plot_add_phase(picture, choice->phase)
         : is_line(picture, choice) ? thud_plot_add_line(picture, choice->times)
                                    : thud_plot_add_panels(picture, choice->panels, choice->components);
}

static thud_error add_title(thud_picture *picture, const thud_plot_choice *choice) {
  const char *own = thud_record_reader_info(picture->records[0].reader).title, *stem = picture->records[0].stem;
  thud_text text = thud_text_new(picture->context);
  if (choice->title != NULL)
    thud_text_print(&text, "%s", choice->title);
  else if (choice->difference)
    thud_text_print(&text, "%s%sdifference from %s", own, own[0] != '\0' ? ": " : "", stem);
  else
    thud_text_print(&text, "%s", own);
  size_t length = strlen(thud_text_chars(&text));
  char *copy = thud_arena_alloc(picture->arena, length + 1, 1);
  if (copy != NULL) memcpy(copy, thud_text_chars(&text), length + 1);
  thud_error error = copy != NULL ? text.error : THUD_ERROR_MEMORY;
  picture->figure.title = copy != NULL && (length > 0 || choice->title != NULL) ? copy : NULL;
  thud_text_free(&text);
  return error;
}

/* All notes below the picture. */
static thud_error add_note(thud_picture *picture) {
  size_t length = 1;
  for (size_t k = 0; k < picture->note_count; k++) length += strlen(picture->notes[k]) + 2;
  if (picture->note_count == 0) return THUD_OK;
  char *text = thud_arena_alloc(picture->arena, length, 1);
  if (text == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0, used = 0; k < picture->note_count; k++)
    used += (size_t)snprintf(text + used, length - used, "%s%s", k > 0 ? "; " : "", picture->notes[k]);
  picture->figure.note = text;
  return THUD_OK;
}

static thud_error fill(thud_picture *picture, size_t count, const char *const *paths, thud_record_reader *reader,
                       const thud_plot_choice *choice) {
  thud_error error = thud_arena_create(picture->context, ARENA_BLOCK, &picture->arena);
  if (error == THUD_OK) error = take_choice(picture, count, choice);
  if (error != THUD_OK) return error;
  picture->series = THUD_NEW_ARRAY(picture->context, thud_plot_series, PLOT_MOST_SERIES);
  if (picture->series == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = open_record(picture, paths[k], reader);
  if (error == THUD_OK && choice->times != NULL && choice->profile == NULL && !is_line(picture, choice))
    error = thud_fail(picture->context, THUD_ERROR_ARGUMENT,
                      "[usage] --at goes with --field and --profile; panels show all times");
  if (error == THUD_OK && choice->difference) error = thud_plot_unite_instants(picture);
  if (error == THUD_OK) error = add_all(picture, choice);
  if (error == THUD_OK) error = add_title(picture, choice);
  if (error == THUD_OK) error = add_note(picture);
  picture->figure.panels = picture->panels;
  picture->figure.panel_count = picture->panel_count;
  return error;
}

static thud_error make(thud_context *context, size_t count, const char *const *paths, thud_record_reader *reader,
                       const thud_plot_choice *choice, thud_picture **picture) {
  thud_picture *made = THUD_NEW(context, thud_picture);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  thud_error error = fill(made, count, paths, reader, choice);
  if (error == THUD_OK)
    *picture = made;
  else
    thud_picture_destroy(made);
  return error;
}

thud_error thud_picture_create(thud_context *context, size_t record_count, const char *const *records,
                               const thud_plot_choice *choice, thud_picture **picture) {
  THUD_REQUIRE(context, context, records, picture);
  const thud_plot_choice usual = {0};
  if (record_count == 0 || records == NULL || picture == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[usage] a picture needs records and a place for the result");
  if (record_count > THUD_PLOT_RECORDS)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[usage] at most %d records fit into one picture",
                     THUD_PLOT_RECORDS);
  return make(context, record_count, records, NULL, choice != NULL ? choice : &usual, picture);
}

thud_error thud_picture_create_open(thud_context *context, const char *path, thud_record_reader *reader,
                                    const thud_plot_choice *choice, thud_picture **picture) {
  return make(context, 1, &path, reader, choice, picture);
}

const thud_plot_figure *thud_picture_figure(const thud_picture *picture) {
  THUD_REQUIRE_OR(NULL, picture);
  return &picture->figure;
}

size_t thud_picture_note_count(const thud_picture *picture) {
  THUD_REQUIRE_OR(0, picture);
  return picture->note_count;
}

const char *thud_picture_note(const thud_picture *picture, size_t k) {
  THUD_REQUIRE_OR(NULL, picture);
  return k < picture->note_count ? picture->notes[k] : NULL;
}

thud_error thud_plot_records(thud_context *context, size_t record_count, const char *const *records,
                             const thud_plot_choice *choice, const thud_plot_options *options, const char *path) {
  THUD_REQUIRE(context, context, records, path);
  thud_picture *picture;
  thud_error error = thud_picture_create(context, record_count, records, choice, &picture);
  if (error != THUD_OK) return error;
  error = thud_plot_write(context, &picture->figure, options, path);
  thud_picture_destroy(picture);
  return error;
}
