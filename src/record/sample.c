/* Values of a record at any time: its frames, evaluated by the looks of their channels. */
#include "base/base.h"
#include "record/record_names.h"
#include "record/reader.h"
#include "record/unit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  TIMES_AT_ONCE = 256,
  SLOTS = 4 /* rows of a channel that are kept: neighbours never push each other out */
};

static const double time_rounding = 16 * DBL_EPSILON; /* a time this close to that of a row, relative, is the row's */
static const double jump_rounding = 64 * DBL_EPSILON; /* limits this close, beside their channel's largest, are equal */

/* One cell of a channel. */
typedef struct sample_slot {
  size_t row; /* SIZE_MAX: empty */
  double *values;
  size_t count, capacity;
} sample_slot;

typedef struct sample_source {
  sample_slot slots[SLOTS];
} sample_source;

/* Columns that come from one channel: its values or its derivative. */
typedef struct sample_group {
  size_t channel, left, atom; /* SIZE_MAX: none */
  const thud_record_channel *about;
  bool derivative;
  size_t offset, count; /* columns */
  char unit[RECORD_UNIT];
} sample_group;

/* Where a time lies among the rows: behind `before`; rows first .. last have this time when `at`, otherwise first is
 * the next row (or there is none). */
typedef struct sample_place {
  double t;
  size_t before; /* SIZE_MAX: none */
  size_t first, last;
  bool at;
} sample_place;

struct thud_record_sampler {
  thud_context *context;
  thud_record_reader *reader;
  size_t rows, channel_count, time, end, step; /* channels by role; SIZE_MAX: none */
  sample_source *sources;                      /* [channel_count] */
  size_t group_count, width;
  sample_group *groups; /* [group_count] */
  const char **units;   /* [width] of the columns */
  double times[TIMES_AT_ONCE];
  double start, stop;
  size_t first_time, cursor; /* the row of times[0], SIZE_MAX: none; a row near the time asked for last */
};

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static thud_error fetch(thud_record_sampler *s, size_t channel, size_t row, const sample_slot **found) {
  sample_slot *slot = &s->sources[channel].slots[row % SLOTS];
  *found = slot;
  if (slot->row == row) return THUD_OK;
  thud_record_cell cell;
  thud_error error = thud_record_read_cell(s->reader, THUD_RECORD_FRAMES, channel, row, &cell);
  if (error != THUD_OK) return error;
  if (cell.count > slot->capacity || slot->values == NULL) {
    double *room = THUD_NEW_ARRAY(s->context, double, cell.count + 1);
    if (room == NULL) return THUD_ERROR_MEMORY;
    thud_free(s->context, slot->values);
    slot->values = room;
    slot->capacity = cell.count;
  }
  if (cell.count > 0) memcpy(slot->values, cell.values, cell.count * sizeof(double));
  slot->count = cell.count;
  slot->row = row;
  return THUD_OK;
}

static thud_error time_of(thud_record_sampler *s, size_t row, double *t) {
  if (s->first_time == SIZE_MAX || row < s->first_time || row - s->first_time >= TIMES_AT_ONCE) {
    size_t first = row - row % TIMES_AT_ONCE, left = s->rows - first;
    s->first_time = SIZE_MAX;
    thud_error error = thud_record_read(s->reader, THUD_RECORD_FRAMES, s->time, first,
                                        left < TIMES_AT_ONCE ? left : TIMES_AT_ONCE, s->times);
    if (error != THUD_OK) return error;
    s->first_time = first;
  }
  *t = s->times[row - s->first_time];
  return THUD_OK;
}

/* The first row whose time is not less than t, from the cursor on by steps that double, then by halving: times that are
 * asked for in their order need no more than the rows beside them. */
static thud_error lower_bound(thud_record_sampler *s, double t, size_t *found) {
  size_t low = 0, high = s->rows;
  double time = 0;
  thud_error error = time_of(s, s->cursor, &time);
  if (error == THUD_OK && !(time < t)) high = s->cursor;
  if (error == THUD_OK && time < t) {
    low = s->cursor + 1;
    for (size_t step = 1; low < s->rows && error == THUD_OK; step *= 2) {
      size_t probe = step < s->rows - low ? low + step - 1 : s->rows - 1;
      error = time_of(s, probe, &time);
      if (error != THUD_OK) break;
      if (!(time < t)) {
        high = probe;
        break;
      }
      low = probe + 1;
    }
  }
  while (low < high && error == THUD_OK) {
    size_t middle = low + (high - low) / 2;
    error = time_of(s, middle, &time);
    if (time < t)
      low = middle + 1;
    else
      high = middle;
  }
  *found = low;
  return error;
}

static thud_error find_place(thud_record_sampler *s, double t, sample_place *place) {
  double tolerance = time_rounding * fabs(t), time = 0;
  size_t first = 0;
  thud_error error = lower_bound(s, t - tolerance, &first);
  *place = (sample_place){.t = t, .before = first > 0 ? first - 1 : SIZE_MAX, .first = first, .last = first};
  if (error != THUD_OK) return error;
  s->cursor = first > 0 ? first - 1 : 0;
  if (first == s->rows) return THUD_OK;
  error = time_of(s, first, &time);
  place->at = error == THUD_OK && time <= t + tolerance;
  if (place->at) place->t = time;
  while (place->at && place->last + 1 < s->rows) {
    error = time_of(s, place->last + 1, &time);
    if (error != THUD_OK || !(time <= t + tolerance)) break;
    place->last++;
  }
  return error;
}

/* ---- looks ------------------------------------------------------------------------------------------------------- */

/* Values stay NaN where the look of a channel does not define them. */
static void put_unknown(size_t count, double *to) {
  for (size_t i = 0; i < count; i++) to[i] = NAN;
}

static thud_error put_row(thud_record_sampler *s, size_t channel, size_t row, size_t count, double *to) {
  const sample_slot *slot;
  thud_error error = fetch(s, channel, row, &slot);
  if (error != THUD_OK) return error;
  if (slot->count == count)
    memcpy(to, slot->values, count * sizeof(double));
  else
    put_unknown(count, to);
  return THUD_OK;
}

/* Straight between the row before and the limit from before at the next row. */
static thud_error look_line(thud_record_sampler *s, const sample_group *g, const sample_place *p, double *left,
                            double *right) {
  size_t limits = g->left != SIZE_MAX ? g->left : g->channel;
  thud_error error = THUD_OK;
  if (p->at) {
    error = put_row(s, limits, p->first, g->count, left);
    return error == THUD_OK ? put_row(s, g->channel, p->last, g->count, right) : error;
  }
  if (p->before == SIZE_MAX || p->first == s->rows) return THUD_OK;
  double t0 = 0, t1 = 0;
  error = time_of(s, p->before, &t0);
  if (error == THUD_OK) error = time_of(s, p->first, &t1);
  if (error == THUD_OK) error = put_row(s, g->channel, p->before, g->count, left);
  if (error == THUD_OK) error = put_row(s, limits, p->first, g->count, right);
  double part = (p->t - t0) / (t1 - t0);
  for (size_t i = 0; i < g->count && error == THUD_OK; i++) left[i] = right[i] = left[i] + part * (right[i] - left[i]);
  return error;
}

static thud_error look_hold(thud_record_sampler *s, const sample_group *g, const sample_place *p, double *left,
                            double *right) {
  size_t row = p->at ? p->last : p->before;
  if (row == SIZE_MAX) return THUD_OK;
  thud_error error = put_row(s, g->channel, row, g->count, right);
  if (error != THUD_OK) return error;
  if (p->at && g->left != SIZE_MAX) return put_row(s, g->left, p->first, g->count, left);
  return put_row(s, g->channel, p->at && p->before != SIZE_MAX ? p->before : row, g->count, left);
}

static thud_error look_point(thud_record_sampler *s, const sample_group *g, const sample_place *p, double *left,
                             double *right) {
  if (!p->at) return THUD_OK;
  thud_error error = put_row(s, g->left != SIZE_MAX ? g->left : g->channel, p->first, g->count, left);
  return error == THUD_OK ? put_row(s, g->channel, p->last, g->count, right) : error;
}

/* The atom's component that marks a component: the one of the same name, or of its owner ("floor" of "floor.t1"), or
 * the only one; SIZE_MAX: none. */
static size_t mark_of(const thud_record_channel *atoms, const char *component) {
  size_t owner = strcspn(component, "."), found = atoms->width == 1 ? 0 : SIZE_MAX;
  for (size_t i = 0; i < atoms->width; i++) {
    const char *name = atoms->components[i];
    if (strcmp(name, component) == 0) return i;
    if (strlen(name) == owner && strncmp(name, component, owner) == 0) found = i;
  }
  return found;
}

/* Components whose value is a jump have no density. */
static thud_error clear_atoms(thud_record_sampler *s, const sample_group *g, size_t row, double *values) {
  const sample_slot *marks;
  if (g->atom == SIZE_MAX) return THUD_OK;
  const thud_record_channel *atoms = thud_record_reader_channel(s->reader, THUD_RECORD_FRAMES, g->atom);
  thud_error error = fetch(s, g->atom, row, &marks);
  for (size_t c = 0; c < g->count && error == THUD_OK; c++) {
    size_t mark = atoms->width == g->count ? c : mark_of(atoms, g->about->components[c]);
    if (mark < marks->count && marks->values[mark] != 0) values[c] = 0;
  }
  return error;
}

static thud_error step_of(thud_record_sampler *s, size_t row, double *step) {
  if (s->step != SIZE_MAX) return put_row(s, s->step, row, 1, step);
  double t0 = 0, t1 = 0;
  thud_error error = row > 0 ? time_of(s, row - 1, &t0) : time_of(s, row, &t0);
  if (error == THUD_OK) error = time_of(s, row, &t1);
  *step = t1 - t0;
  return error;
}

/* Density over the time since the row before. */
static thud_error density(thud_record_sampler *s, const sample_group *g, size_t row, double *values) {
  thud_error error = put_row(s, g->channel, row, g->count, values);
  if (error == THUD_OK && g->about->look == THUD_LOOK_IMPULSE) {
    double step = 0;
    error = step_of(s, row, &step);
    for (size_t c = 0; c < g->count; c++) values[c] = step > 0 ? values[c] / step : 0;
  }
  return error == THUD_OK ? clear_atoms(s, g, row, values) : error;
}

/* At the start and at the end there is one side only. */
static thud_error look_density(thud_record_sampler *s, const sample_group *g, const sample_place *p, double *left,
                               double *right) {
  size_t ended = p->first, next = p->at ? p->last + 1 : p->first;
  if (p->at && p->before == SIZE_MAX && next < s->rows) ended = next;
  if (next >= s->rows) next = ended;
  if (ended >= s->rows) return THUD_OK;
  thud_error error = density(s, g, ended, left);
  return error == THUD_OK ? density(s, g, next, right) : error;
}

/* The polynomial of a row, or its derivative, at t; left unknown when it has no coefficients or ends before. */
static thud_error put_series(thud_record_sampler *s, const sample_group *g, size_t row, double t, double *to) {
  const sample_slot *slot;
  double t0 = 0, end = INFINITY;
  thud_error error = time_of(s, row, &t0);
  if (error == THUD_OK && s->end != SIZE_MAX) error = put_row(s, s->end, row, 1, &end);
  if (error != THUD_OK || t > end + time_rounding * fabs(end)) return error;
  error = fetch(s, g->channel, row, &slot);
  if (error != THUD_OK || slot->count < g->count) return error;
  size_t powers = slot->count / g->count;
  for (size_t i = 0; i < g->count; i++) {
    double value = 0;
    for (size_t k = powers; k-- > (g->derivative ? 1 : 0);)
      value = value * (t - t0) + slot->values[k * g->count + i] * (g->derivative ? (double)k : 1);
    to[i] = value;
  }
  return THUD_OK;
}

/* A series with a channel of left limits has those of its derivative: the quantity itself does not jump. */
static thud_error look_series(thud_record_sampler *s, const sample_group *g, const sample_place *p, double *left,
                              double *right) {
  size_t row = p->at ? p->last : p->before;
  if (row == SIZE_MAX) return THUD_OK;
  thud_error error = put_series(s, g, row, p->t, right);
  if (error != THUD_OK) return error;
  bool known = g->left != SIZE_MAX, start = p->before == SIZE_MAX;
  if (p->at && known && g->derivative) return put_row(s, g->left, p->first, g->count, left);
  if (p->at && !known && !start) return put_series(s, g, p->before, p->t, left);
  memcpy(left, right, g->count * sizeof(double));
  return THUD_OK;
}

static thud_error look_at(thud_record_sampler *s, const sample_group *g, const sample_place *p, double *left,
                          double *right) {
  switch (g->about->look) {
  case THUD_LOOK_LINE: return look_line(s, g, p, left, right);
  case THUD_LOOK_HOLD: return look_hold(s, g, p, left, right);
  case THUD_LOOK_DENSITY:
  case THUD_LOOK_IMPULSE: return look_density(s, g, p, left, right);
  case THUD_LOOK_SERIES: return look_series(s, g, p, left, right);
  case THUD_LOOK_POINT: return look_point(s, g, p, left, right);
  }
  return thud_fail(s->context, THUD_ERROR_INTERNAL, "record: a channel with an unknown look");
}

static bool differ(size_t count, const double *left, const double *right) {
  double size = 0;
  for (size_t i = 0; i < count; i++) {
    if (isnan(left[i]) != isnan(right[i])) return true;
    size = fmax(size, fmax(fabs(left[i]), fabs(right[i])));
  }
  for (size_t i = 0; i < count; i++)
    if (fabs(left[i] - right[i]) > jump_rounding * size) return true;
  return false;
}

thud_error thud_record_sample(thud_record_sampler *sampler, double *t, double *left, double *right, bool *jumps) {
  THUD_REQUIRE_OF(sampler, t, left, right, jumps);
  sample_place place;
  if (!(*t >= sampler->start && *t <= sampler->stop))
    return thud_fail(sampler->context, THUD_ERROR_ARGUMENT,
                     "[time-outside] the time %g lies outside the record, from %g to %g", *t, sampler->start,
                     sampler->stop);
  thud_error error = find_place(sampler, *t, &place);
  *t = place.t;
  *jumps = false;
  put_unknown(sampler->width, left);
  put_unknown(sampler->width, right);
  for (size_t k = 0; k < sampler->group_count && error == THUD_OK; k++) {
    const sample_group *g = &sampler->groups[k];
    error = look_at(sampler, g, &place, left + g->offset, right + g->offset);
    if (error == THUD_OK && differ(g->count, left + g->offset, right + g->offset)) *jumps = true;
  }
  return error;
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static size_t find_role(const thud_record_reader *reader, const char *role) {
  for (size_t k = 0;; k++) {
    const thud_record_channel *channel = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, k);
    if (channel == NULL) return SIZE_MAX;
    if (strcmp(channel->role, role) == 0) return k;
  }
}

static size_t find_name(const thud_record_reader *reader, const char *name) {
  for (size_t k = 0; name != NULL; k++) {
    const thud_record_channel *channel = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, k);
    if (channel == NULL) return SIZE_MAX;
    if (strcmp(channel->name, name) == 0) return k;
  }
  return SIZE_MAX;
}

static bool can_be_sampled(const thud_record_channel *channel) {
  return channel->type != THUD_RECORD_TEXT && (channel->width > 0 || channel->look == THUD_LOOK_SERIES);
}

void thud_record_name_derivative(const thud_record_channel *series, char name[THUD_RECORD_NAME_LENGTH + 2]) {
  static const char ending[] = "_left";
  size_t length = strlen(series->left), tail = sizeof ending - 1;
  if (length > tail && strcmp(series->left + length - tail, ending) == 0)
    snprintf(name, THUD_RECORD_NAME_LENGTH + 2, "%.*s", (int)(length - tail), series->left);
  else
    snprintf(name, THUD_RECORD_NAME_LENGTH + 2, "%s'", series->name);
}

/* Left limits of another width than the channel itself are of no use: a record that was tampered with. */
static size_t find_left(const thud_record_sampler *s, const thud_record_channel *channel) {
  size_t left = find_name(s->reader, channel->left);
  const thud_record_channel *about = thud_record_reader_channel(s->reader, THUD_RECORD_FRAMES, left);
  return about != NULL && about->width == thud_record_component_count(channel) ? left : SIZE_MAX;
}

static size_t find_atom(const thud_record_sampler *s, const thud_record_channel *channel) {
  size_t atom = find_name(s->reader, channel->atom);
  const thud_record_channel *about = thud_record_reader_channel(s->reader, THUD_RECORD_FRAMES, atom);
  return about != NULL && about->width > 0 ? atom : SIZE_MAX;
}

/* Impulses become densities. */
static void put_unit(const thud_record_sampler *s, sample_group *g) {
  const char *time = thud_record_reader_channel(s->reader, THUD_RECORD_FRAMES, s->time)->unit;
  const char *unit =
      g->derivative ? thud_record_reader_channel(s->reader, THUD_RECORD_FRAMES, g->left)->unit : g->about->unit;
  thud_record_unit_per(unit, g->about->look == THUD_LOOK_IMPULSE ? time : "", sizeof g->unit, g->unit);
}

static void add_group(thud_record_sampler *s, size_t channel, bool derivative) {
  const thud_record_channel *about = thud_record_reader_channel(s->reader, THUD_RECORD_FRAMES, channel);
  sample_group *g = &s->groups[s->group_count++];
  *g = (sample_group){.channel = channel,
                      .left = find_left(s, about),
                      .atom = find_atom(s, about),
                      .about = about,
                      .derivative = derivative,
                      .offset = s->width,
                      .count = thud_record_component_count(about)};
  s->width += g->count;
  put_unit(s, g);
}

static bool has_derivative(const thud_record_sampler *s, const thud_record_channel *channel) {
  return channel->look == THUD_LOOK_SERIES && find_left(s, channel) != SIZE_MAX;
}

/* A channel of this name, or the series whose derivative has it. */
static thud_error add_named(thud_record_sampler *s, const char *name) {
  char listed[512] = "", derivative[THUD_RECORD_NAME_LENGTH + 2];
  size_t used = 0;
  for (size_t k = 0; k < s->channel_count; k++) {
    const thud_record_channel *channel = thud_record_reader_channel(s->reader, THUD_RECORD_FRAMES, k);
    if (k == s->time || strcmp(channel->role, "side") == 0 || !can_be_sampled(channel)) continue;
    if (strcmp(channel->name, name) == 0) {
      add_group(s, k, false);
      return THUD_OK;
    }
    derivative[0] = '\0';
    if (has_derivative(s, channel)) thud_record_name_derivative(channel, derivative);
    if (strcmp(derivative, name) == 0 && name[0] != '\0') {
      add_group(s, k, true);
      return THUD_OK;
    }
    if (used < sizeof listed)
      used += (size_t)snprintf(listed + used, sizeof listed - used, "%s%s%s%s", used > 0 ? ", " : "", channel->name,
                               derivative[0] != '\0' ? ", " : "", derivative);
  }
  return thud_fail(s->context, THUD_ERROR_NOT_FOUND,
                   "[unknown-channel] the record has no values of '%s' at any time; there are: %s", name, listed);
}

/* The state: of series also their derivatives, behind all values. */
static thud_error add_state(thud_record_sampler *s) {
  for (int derivative = 0; derivative < 2; derivative++)
    for (size_t k = 0; k < s->channel_count; k++) {
      const thud_record_channel *channel = thud_record_reader_channel(s->reader, THUD_RECORD_FRAMES, k);
      if (channel->state && can_be_sampled(channel) && (!derivative || has_derivative(s, channel)))
        add_group(s, k, derivative);
    }
  if (s->group_count > 0) return THUD_OK;
  return thud_fail(
      s->context, THUD_ERROR_UNSUPPORTED,
      "[unknown-channel] no channel of the record is marked as its state: name the channels that are wanted");
}

static thud_error find_roles(thud_record_sampler *s) {
  s->time = find_role(s->reader, "time");
  s->end = find_role(s->reader, "end");
  s->step = find_role(s->reader, "step");
  size_t *const all[] = {&s->time, &s->end, &s->step};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const thud_record_channel *channel = thud_record_reader_channel(s->reader, THUD_RECORD_FRAMES, *all[k]);
    if (channel != NULL && channel->width != 1) *all[k] = SIZE_MAX;
  }
  if (s->time == SIZE_MAX || s->rows == 0)
    return thud_fail(s->context, THUD_ERROR_UNSUPPORTED, "the record has no frames at times: it cannot be sampled");
  return THUD_OK;
}

static thud_error find_span(thud_record_sampler *s) {
  thud_error error = time_of(s, s->rows - 1, &s->stop);
  if (error == THUD_OK && s->end != SIZE_MAX) {
    double end = s->stop;
    error = put_row(s, s->end, s->rows - 1, 1, &end);
    s->stop = fmax(s->stop, end);
  }
  return error == THUD_OK ? time_of(s, 0, &s->start) : error;
}

/* Units of the columns, here rather than when they are asked for: memory may be missing. Other failures leave "". */
static thud_error find_units(thud_record_sampler *s) {
  s->units = THUD_NEW_ARRAY(s->context, const char *, s->width);
  if (s->units == NULL && s->width > 0) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < s->group_count; k++) {
    const sample_group *g = &s->groups[k];
    for (size_t c = 0; c < g->count; c++) {
      const char **unit = &s->units[g->offset + c];
      *unit = g->unit;
      if (g->unit[0] != '\0') continue;
      thud_error error =
          thud_record_component_unit(s->reader, THUD_RECORD_FRAMES, g->derivative ? g->left : g->channel, c, unit);
      if (error == THUD_ERROR_MEMORY) return error;
    }
  }
  return THUD_OK;
}

static thud_error make(thud_record_sampler *s, size_t name_count, const char *const *names) {
  thud_record_info info = thud_record_reader_info(s->reader);
  s->rows = info.rows[THUD_RECORD_FRAMES];
  s->channel_count = info.channel_count[THUD_RECORD_FRAMES];
  s->first_time = SIZE_MAX;
  s->sources = THUD_NEW_ARRAY(s->context, sample_source, s->channel_count);
  s->groups = THUD_NEW_ARRAY(s->context, sample_group, name_count > 0 ? name_count : 2 * s->channel_count);
  if (s->sources == NULL || s->groups == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < s->channel_count; k++)
    for (size_t i = 0; i < SLOTS; i++) s->sources[k].slots[i].row = SIZE_MAX;
  thud_error error = find_roles(s);
  if (error == THUD_OK) error = find_span(s);
  for (size_t k = 0; k < name_count && error == THUD_OK; k++) error = add_named(s, names[k]);
  if (error == THUD_OK && name_count == 0) error = add_state(s);
  return error == THUD_OK ? find_units(s) : error;
}

thud_error thud_record_sampler_create(thud_record_reader *reader, size_t name_count, const char *const *names,
                                      thud_record_sampler **sampler) {
  THUD_REQUIRE_OF(reader, name_count == 0 || names, sampler);
  thud_context *context = thud_record_reader_context(reader);
  if (sampler == NULL || (name_count > 0 && names == NULL))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "record: the sampler and the names of its channels are needed");
  thud_record_sampler *made = THUD_NEW(context, thud_record_sampler);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->reader = reader;
  thud_error error = make(made, name_count, names);
  if (error == THUD_OK)
    *sampler = made;
  else
    thud_record_sampler_destroy(made);
  return error;
}

void thud_record_sampler_destroy(thud_record_sampler *sampler) {
  if (sampler == NULL) return;
  for (size_t k = 0; sampler->sources != NULL && k < sampler->channel_count; k++)
    for (size_t i = 0; i < SLOTS; i++) thud_free(sampler->context, sampler->sources[k].slots[i].values);
  thud_free(sampler->context, sampler->sources);
  thud_free(sampler->context, sampler->groups);
  thud_free(sampler->context, (void *)sampler->units);
  thud_free(sampler->context, sampler);
}

size_t thud_record_sampler_width(const thud_record_sampler *sampler) {
  THUD_REQUIRE_OR(0, sampler);
  return sampler->width;
}

void thud_record_sampler_span(const thud_record_sampler *sampler, double *start, double *end) {
  THUD_REQUIRE_OR(, sampler, start, end);
  *start = sampler->start;
  *end = sampler->stop;
}

thud_record_column thud_record_sampler_column(const thud_record_sampler *sampler, size_t index) {
  THUD_REQUIRE_OR((thud_record_column){0}, sampler);
  size_t k = 0;
  while (k < sampler->group_count && index >= sampler->groups[k].offset + sampler->groups[k].count) k++;
  if (k == sampler->group_count) return (thud_record_column){0};
  const sample_group *g = &sampler->groups[k];
  size_t place = g->derivative ? g->left : g->channel, component = index - g->offset;
  const thud_record_channel *named = thud_record_reader_channel(sampler->reader, THUD_RECORD_FRAMES, place);
  return (thud_record_column){.channel = g->about,
                              .component = named->components[component],
                              .unit = sampler->units[index],
                              .derivative = g->derivative};
}
