/* The state of a record at a number of times, as the page needs it for phase plots and for what is shown under the
 * pointer. */
#include "page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 24, WIDE = 512 };

/* Samples in the making: times, sides and columns. */
typedef struct state_table {
  page_record *record;
  thud_record_sampler *sampler;
  size_t width, shown; /* columns of the sampler, and those that are written */
  size_t time_count;
  double *times; /* [time_count] */
  size_t count, capacity;
  double *t, *side;     /* [capacity] */
  double *values;       /* [shown x capacity] column after column */
  double *left, *right; /* [width] */
  double *first;        /* [width] the state at the first time */
  double farthest, far; /* of a wide state: the largest distance from the first one, and when */
} state_table;

/* ---- which columns ----------------------------------------------------------------------------------------------------- */

/* The state; of thousands of bodies only the first channels, as many as are shown: samples of a record evaluate whole
 * channels. */
static thud_error create_sampler(state_table *table) {
  thud_record_reader *reader = table->record->reader;
  const thud_record_channel *channel;
  const char *names[MOST_COLUMNS];
  size_t count = 0, shown = 0, all = 0;
  for (size_t k = 0; (channel = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, k)) != NULL; k++) {
    if (!channel->state || channel->type == THUD_RECORD_TEXT) continue;
    size_t width = channel->width > 0 ? channel->width : channel->group;
    if (shown < MOST_COLUMNS && count < MOST_COLUMNS) names[count++] = channel->name; /* lists have no width */
    shown += width;
    all += width;
  }
  bool wide = all > WIDE;
  return thud_record_sampler_create(reader, wide ? count : 0, wide ? names : NULL, &table->sampler);
}

/* ---- which times ------------------------------------------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static size_t at_most(size_t count, size_t most) { return count < most ? count : most; }

/* Evenly `most` of the numbers of an array, the first and the last included. */
static void add_some(state_table *table, size_t count, const double *t, size_t most) {
  size_t taken = at_most(count, most);
  for (size_t k = 0; k < taken; k++) {
    double time = t[taken > 1 ? k * (count - 1) / (taken - 1) : 0];
    if (time >= table->record->start && time <= table->record->end) table->times[table->time_count++] = time;
  }
}

/* Rows, events, and where polynomials hold between the rows, times between. */
static thud_error choose_times(state_table *table) {
  const page_record *record = table->record;
  size_t most = (size_t)record->page->options.most_points;
  size_t rows = record->info.rows[THUD_RECORD_FRAMES], events = record->info.rows[THUD_RECORD_EVENTS];
  double *t_event = NULL;
  thud_error error = thud_page_read_role(record, THUD_RECORD_EVENTS, "time", &t_event);
  table->times = THUD_NEW_ARRAY(record->page->context, double, 3 * most + 2);
  if (error == THUD_OK && table->times == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    add_some(table, rows, record->t, most);
    if (t_event != NULL) add_some(table, events, t_event, most);
    for (size_t k = 0; record->stop != NULL && k < most; k++)
      table->times[table->time_count++] =
          record->start + (record->end - record->start) * (double)k / (double)(most - 1);
    qsort(table->times, table->time_count, sizeof *table->times, compare_times);
    size_t different = 0;
    for (size_t k = 0; k < table->time_count; k++)
      if (k == 0 || table->times[k] != table->times[different - 1]) table->times[different++] = table->times[k];
    table->time_count = different;
  }
  thud_free(record->page->context, t_event);
  return error;
}

/* ---- samples ----------------------------------------------------------------------------------------------------------- */

static thud_error allocate(state_table *table) {
  thud_context *context = table->record->page->context;
  table->width = thud_record_sampler_width(table->sampler);
  table->shown = at_most(table->width, MOST_COLUMNS);
  table->capacity = 2 * table->time_count;
  table->t = THUD_NEW_ARRAY(context, double, table->capacity);
  table->side = THUD_NEW_ARRAY(context, double, table->capacity);
  table->values = thud_alloc(context, table->capacity, (table->shown + 1) * sizeof(double));
  table->left = THUD_NEW_ARRAY(context, double, table->width);
  table->right = THUD_NEW_ARRAY(context, double, table->width);
  table->first = THUD_NEW_ARRAY(context, double, table->width);
  bool good = table->first != NULL && table->t != NULL && table->side != NULL && table->values != NULL &&
              table->left != NULL && table->right != NULL;
  return good ? THUD_OK : THUD_ERROR_MEMORY;
}

static void add_row(state_table *table, double t, double side, const double *values) {
  table->t[table->count] = t;
  table->side[table->count] = side;
  for (size_t c = 0; c < table->shown; c++) table->values[c * table->capacity + table->count] = values[c];
  table->count++;
}

/* False also when only a hidden column jumps. */
static bool differs(const state_table *table) {
  for (size_t c = 0; c < table->shown; c++)
    if (table->left[c] != table->right[c]) return true;
  return false;
}

/* Distance of a state from the first one; for states with more columns than are shown. */
static double far_from_start(const state_table *table) {
  double sum = 0;
  for (size_t c = 0; c < table->width; c++)
    if (isfinite(table->right[c]) && isfinite(table->first[c])) sum += fabs(table->right[c] - table->first[c]);
  return sum;
}

static void look_for_opening(state_table *table, double t) {
  if (table->width == table->shown) return;
  if (table->count == 1) memcpy(table->first, table->right, table->width * sizeof *table->first);
  double distance = far_from_start(table);
  if (!(distance > table->farthest)) return;
  table->farthest = distance;
  table->far = t;
}

static thud_error sample_all(state_table *table) {
  for (size_t k = 0; k < table->time_count; k++) {
    double t = table->times[k];
    bool jumps = false;
    thud_error error = thud_record_sample(table->sampler, &t, table->left, table->right, &jumps);
    if (error != THUD_OK) return error;
    if (table->count > 0 && table->t[table->count - 1] >= t) continue; /* within rounding of the time before */
    jumps = jumps && differs(table);
    if (jumps) add_row(table, t, -1, table->left);
    add_row(table, t, jumps ? 1 : 0, table->right);
    look_for_opening(table, t);
  }
  return THUD_OK;
}

/* ---- the moment at which the page opens ------------------------------------------------------------------------------ */

/* Size of the column's range; 0: it does not change. */
static double range_of(const state_table *table, size_t c) {
  double low = INFINITY, high = -INFINITY;
  for (size_t k = 0; k < table->count; k++) {
    double value = table->values[c * table->capacity + k];
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high > low ? high - low : 0;
}

/* Where no impulses say when most happens: the state that is farthest from the first one. What stands still does not
 * count; a wide state is compared while it is sampled (far_from_start). */
static void find_opening(const state_table *table) {
  double range[MOST_COLUMNS], farthest = 0;
  for (size_t c = 0; c < table->shown; c++) range[c] = range_of(table, c);
  for (size_t k = 0; k < table->count; k++) {
    double distance = 0;
    for (size_t c = 0; c < table->shown; c++) {
      const double *column = table->values + c * table->capacity;
      if (range[c] > 0 && isfinite(column[k]) && isfinite(column[0]))
        distance += fabs(column[k] - column[0]) / range[c];
    }
    if (!(distance > farthest)) continue;
    farthest = distance;
    table->record->opening = table->t[k];
  }
}

/* ---- writing ----------------------------------------------------------------------------------------------------------- */

static void write_columns(const state_table *table) {
  page_build *page = table->record->page;
  thud_json *json = &page->json;
  thud_json_key(json, "columns");
  thud_json_begin_array(json);
  for (size_t c = 0; c < table->shown; c++) {
    thud_record_column column = thud_record_sampler_column(table->sampler, c);
    thud_json_begin_object(json);
    thud_json_string_field(json, "name", column.component);
    thud_json_string_field(json, "unit", column.unit);
    thud_page_doubles(page, "values", table->count, table->values + c * table->capacity);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

/* Components of the whole state. */
static size_t state_size(const page_record *record) {
  const thud_record_channel *channel;
  size_t count = 0;
  for (size_t k = 0; (channel = thud_record_reader_channel(record->reader, THUD_RECORD_FRAMES, k)) != NULL; k++)
    if (channel->state) count += channel->width > 0 ? channel->width : 2 * channel->group;
  return count;
}

static void fill(state_table *table) {
  page_build *page = table->record->page;
  if (!thud_page_take(page, create_sampler(table)) || !thud_page_take(page, choose_times(table)) ||
      !thud_page_take(page, allocate(table)))
    return;
  if (!thud_page_take(page, sample_all(table)) || !isnan(table->record->opening)) return;
  if (table->width == table->shown)
    find_opening(table);
  else if (table->farthest > 0)
    table->record->opening = table->far;
}

void thud_page_write_state(page_record *record) {
  page_build *page = record->page;
  state_table table = {.record = record};
  bool any = record->info.rows[THUD_RECORD_FRAMES] > 0 && state_size(record) > 0;
  if (any) fill(&table);
  thud_json_key(&page->json, "state");
  thud_json_begin_object(&page->json);
  thud_page_doubles(page, "t", table.count, table.t);
  thud_page_doubles(page, "side", table.count, table.side);
  if (thud_page_state(page) == THUD_OK) write_columns(&table);
  thud_json_end_object(&page->json);
  if (any && state_size(record) > table.shown)
    thud_page_note(record, "the table of the state has %zu of its %zu components", table.shown, state_size(record));
  void *const arrays[] = {table.times, table.t, table.side, table.values, table.left, table.right, table.first};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(page->context, arrays[k]);
  thud_record_sampler_destroy(table.sampler);
}
