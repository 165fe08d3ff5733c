/* A record at one time: one sampler per channel that was asked for, so that nobody pays for the others. */
#include "base/base.h"
#include "record/reader.h"
#include "thud/moment.h"

#include <math.h>
#include <string.h>

/* A channel that somebody has asked for. */
typedef struct moment_entry {
  char *name;
  thud_record_sampler *sampler; /* NULL: a list */
  size_t channel;               /* of a list */
  size_t count;
  double *left, *right; /* [count] of samplers */
  const double *values; /* at the moment */
  bool fresh;           /* values are those of the moment */
} moment_entry;

struct thud_moment {
  thud_context *context;
  thud_record_reader *reader;
  size_t rows;
  double *times; /* [rows] */
  double t;
  int side;
  size_t row;
  size_t entry_count, entry_capacity;
  moment_entry *entries;
};

static thud_error read_times(thud_moment *moment) {
  size_t time;
  thud_error error = thud_record_find_role(moment->reader, THUD_RECORD_FRAMES, "time", &time);
  moment->rows = thud_record_reader_info(moment->reader).rows[THUD_RECORD_FRAMES];
  if (error != THUD_OK || moment->rows == 0 ||
      thud_record_reader_channel(moment->reader, THUD_RECORD_FRAMES, time)->width != 1)
    return thud_fail(moment->context, THUD_ERROR_UNSUPPORTED, "the record has no frames at times");
  moment->times = THUD_NEW_ARRAY(moment->context, double, moment->rows);
  if (moment->times == NULL) return THUD_ERROR_MEMORY;
  return thud_record_read(moment->reader, THUD_RECORD_FRAMES, time, 0, moment->rows, moment->times);
}

thud_error thud_moment_create(thud_record_reader *reader, thud_moment **moment) {
  THUD_REQUIRE(reader != NULL ? thud_record_reader_context(reader) : NULL, reader, moment);
  thud_context *context = thud_record_reader_context(reader);
  thud_moment *made = THUD_NEW(context, thud_moment);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->reader = reader;
  thud_error error = read_times(made);
  if (error == THUD_OK) {
    made->t = made->times[0];
    *moment = made;
  } else {
    thud_moment_destroy(made);
  }
  return error;
}

void thud_moment_destroy(thud_moment *moment) {
  if (moment == NULL) return;
  for (size_t k = 0; k < moment->entry_count; k++) {
    moment_entry *entry = &moment->entries[k];
    thud_record_sampler_destroy(entry->sampler);
    thud_free(moment->context, entry->name);
    thud_free(moment->context, entry->left);
    thud_free(moment->context, entry->right);
  }
  thud_free(moment->context, moment->entries);
  thud_free(moment->context, moment->times);
  thud_free(moment->context, moment);
}

/* ---- the time -------------------------------------------------------------------------------------------------------- */

/* The last row whose time is less than t, or equal to it unless `before`; the first one when there is none. */
static size_t find_row(const thud_moment *moment, double t, bool before) {
  size_t low = 0, high = moment->rows; /* rows below low qualify, from high on none does */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (moment->times[middle] < t || (!before && moment->times[middle] <= t))
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? low - 1 : 0;
}

thud_error thud_moment_set(thud_moment *moment, double t, int side) {
  THUD_REQUIRE(moment != NULL ? moment->context : NULL, moment);
  if (!(t >= moment->times[0]))
    return thud_fail(moment->context, THUD_ERROR_ARGUMENT,
                     "[time-outside] the time %g lies before the record, which begins at %g", t, moment->times[0]);
  moment->t = t;
  moment->side = side;
  moment->row = find_row(moment, t, side < 0);
  for (size_t k = 0; k < moment->entry_count; k++) moment->entries[k].fresh = false;
  return THUD_OK;
}

double thud_moment_time(const thud_moment *moment) {
  THUD_REQUIRE_OR(0, moment);
  return moment->t;
}

int thud_moment_side(const thud_moment *moment) {
  THUD_REQUIRE_OR(0, moment);
  return moment->side;
}

size_t thud_moment_row(const thud_moment *moment) {
  THUD_REQUIRE_OR(0, moment);
  return moment->row;
}

thud_record_reader *thud_moment_reader(const thud_moment *moment) {
  THUD_REQUIRE_OR(NULL, moment);
  return moment->reader;
}

/* ---- channels -------------------------------------------------------------------------------------------------------- */

static bool is_list(const thud_record_channel *channel) {
  return channel->width == 0 && channel->look != THUD_LOOK_SERIES && channel->type != THUD_RECORD_TEXT;
}

static thud_error open_entry(thud_moment *moment, const char *name, moment_entry *entry) {
  size_t channel;
  bool known = thud_record_find_channel(moment->reader, THUD_RECORD_FRAMES, name, &channel) == THUD_OK;
  entry->name = thud_strdup(moment->context, name);
  if (entry->name == NULL) return THUD_ERROR_MEMORY;
  if (known && is_list(thud_record_reader_channel(moment->reader, THUD_RECORD_FRAMES, channel))) {
    entry->channel = channel;
    return THUD_OK;
  }
  thud_error error = thud_record_sampler_create(moment->reader, 1, &name, &entry->sampler);
  if (error != THUD_OK) return error;
  entry->count = thud_record_sampler_width(entry->sampler);
  entry->left = THUD_NEW_ARRAY(moment->context, double, entry->count);
  entry->right = THUD_NEW_ARRAY(moment->context, double, entry->count);
  return entry->left != NULL && entry->right != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error find_entry(thud_moment *moment, const char *name, moment_entry **found) {
  for (size_t k = 0; k < moment->entry_count; k++)
    if (strcmp(moment->entries[k].name, name) == 0) {
      *found = &moment->entries[k];
      return THUD_OK;
    }
  thud_error error = thud_array_reserve(moment->context, &moment->entries, &moment->entry_capacity,
                                        moment->entry_count + 1, sizeof *moment->entries);
  if (error != THUD_OK) return error;
  moment_entry *entry = &moment->entries[moment->entry_count];
  *entry = (moment_entry){0};
  error = open_entry(moment, name, entry);
  if (error == THUD_OK) {
    moment->entry_count++;
    *found = entry;
    return THUD_OK;
  }
  thud_record_sampler_destroy(entry->sampler);
  thud_free(moment->context, entry->name);
  thud_free(moment->context, entry->left);
  thud_free(moment->context, entry->right);
  return error;
}

/* Nothing is known behind the end of the record: what is not, a force that is a series, is the limit from before. */
static thud_error sample(thud_moment *moment, moment_entry *entry) {
  double t = moment->t;
  bool jumps;
  thud_error error = thud_record_sample(entry->sampler, &t, entry->left, entry->right, &jumps);
  if (error != THUD_OK || t < moment->times[moment->rows - 1]) return error;
  for (size_t i = 0; i < entry->count; i++)
    if (isnan(entry->right[i])) entry->right[i] = entry->left[i];
  return THUD_OK;
}

static thud_error refresh(thud_moment *moment, moment_entry *entry) {
  if (entry->sampler != NULL) {
    entry->values = moment->side < 0 ? entry->left : entry->right;
    return sample(moment, entry);
  }
  thud_record_cell cell;
  thud_error error = thud_record_read_cell(moment->reader, THUD_RECORD_FRAMES, entry->channel, moment->row, &cell);
  if (error != THUD_OK) return error;
  entry->values = cell.values;
  entry->count = cell.count;
  return THUD_OK;
}

thud_error thud_moment_values(thud_moment *moment, const char *name, const double **values, size_t *count) {
  THUD_REQUIRE_OF(moment, name, values, count);
  moment_entry *entry = NULL;
  thud_error error = find_entry(moment, name, &entry);
  if (error == THUD_OK && !entry->fresh) error = refresh(moment, entry);
  if (error != THUD_OK) return error;
  entry->fresh = true;
  *values = entry->values;
  *count = entry->count;
  return THUD_OK;
}
