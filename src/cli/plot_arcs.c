/* Event-driven records at many times: their arcs are polynomials, which are evaluated here. */
#include "cli/plot_data.h"
#include "base/base.h"
#include "thud/event.h"

#include <math.h>
#include <string.h>

/* Samples over the whole run; an arc shorter than their distance gets its two ends. Events other than impacts are
 * marked when there are few. */
enum { SAMPLES = 2400, MOST_MARKS = 12 };

typedef enum sampled_channel {
  SAMPLED_Q,
  SAMPLED_V,
  SAMPLED_V_LEFT,
  SAMPLED_REACTION,
  SAMPLED_REACTION_LEFT,
  SAMPLED_IMPULSE,
  SAMPLED_ATOM,
  SAMPLED_COUNT
} sampled_channel;

struct plot_samples {
  size_t arcs;  /* rows of the record */
  size_t *row;  /* [rows] row of the record that a sample belongs to */
  bool *begins; /* [rows] it is the beginning of this row */
  thud_record_channel channels[SAMPLED_COUNT];
  double *values[SAMPLED_COUNT]; /* [rows*width] */
  size_t mark_count;
  thud_plot_rule marks[MOST_MARKS]; /* [mark_count] with their names */
  thud_plot_rule plain[MOST_MARKS]; /* [mark_count] without */
};

void plot_samples_free(thud_context *context, plot_samples *samples) {
  if (samples == NULL) return;
  for (size_t k = 0; k < SAMPLED_COUNT; k++) thud_free(context, samples->values[k]);
  thud_free(context, samples->row);
  thud_free(context, samples->begins);
  thud_free(context, samples);
}

bool plot_sample_begins(const plot_samples *samples, size_t k) { return samples->begins[k]; }

/* ---- the record -------------------------------------------------------------------------------------------------- */

/* The channels of the file that are needed; those of contacts may be missing. */
typedef struct arc_rows {
  plot_channel t, t_end, q, reaction, event, v_left, impulse, involved, accumulation;
} arc_rows;

static void free_rows(const plot_data *data, arc_rows *rows) {
  plot_channel *const all[] = {&rows->t,      &rows->t_end,   &rows->q,        &rows->reaction,    &rows->event,
                               &rows->v_left, &rows->impulse, &rows->involved, &rows->accumulation};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) plot_channel_free(data, all[k]);
}

static thud_error read_rows(const plot_data *data, const plot_record *record, arc_rows *rows) {
  const struct {
    const char *name;
    plot_channel *read;
    bool needed;
  } all[] = {{"t", &rows->t, true},
             {"t_end", &rows->t_end, true},
             {"q", &rows->q, true},
             {"event", &rows->event, true},
             {"v_left", &rows->v_left, true},
             {"accumulation", &rows->accumulation, true},
             {"reaction", &rows->reaction, false},
             {"impulse", &rows->impulse, false},
             {"involved", &rows->involved, false}};
  thud_error error = THUD_OK;
  for (size_t k = 0; k < sizeof all / sizeof *all && error == THUD_OK; k++) {
    size_t index;
    if (!all[k].needed && thud_record_find_channel(record->reader, all[k].name, &index) != THUD_OK) continue;
    error = plot_read_channel(data, record->reader, all[k].name, record->rows, all[k].read);
  }
  return error;
}

/* ---- sampling ---------------------------------------------------------------------------------------------------- */

static size_t samples_of(const arc_rows *rows, size_t row, double distance) {
  double length = rows->t_end.rows[row] - rows->t.rows[row];
  return length > distance ? (size_t)ceil(length / distance) : 1;
}

static void evaluate(const double *coefficients, size_t width, size_t count, double s, double *values, double *slopes) {
  const thud_event_arc series = {.degree = (thud_index)(width / count) - 1, .q = coefficients};
  thud_event_arc_evaluate(&series, (thud_index)count, s, values, slopes);
}

static size_t width_of(const plot_channel *read) { return read->rows != NULL ? read->channel->width : 0; }

/* State and forces of a row at t0 + s as sample k. */
static void put_sample(plot_samples *samples, const arc_rows *rows, size_t row, double s, size_t k) {
  size_t n = samples->channels[SAMPLED_V].width, forces = samples->channels[SAMPLED_REACTION].width;
  double **values = samples->values;
  size_t q = width_of(&rows->q), reaction = width_of(&rows->reaction);
  evaluate(rows->q.rows + row * q, q, n, s, values[SAMPLED_Q] + k * n, values[SAMPLED_V] + k * n);
  memcpy(values[SAMPLED_V_LEFT] + k * n, values[SAMPLED_V] + k * n, n * sizeof(double));
  samples->row[k] = row;
  if (forces == 0) return;
  double *force = values[SAMPLED_REACTION] + k * forces;
  evaluate(rows->reaction.rows + row * reaction, reaction, forces, s, force, NULL);
  memcpy(values[SAMPLED_REACTION_LEFT] + k * forces, force, forces * sizeof(double));
}

/* What happens where a row begins: limits from the left, impulses. A row without arc has no forces of its own. */
static void put_beginning(plot_samples *samples, const arc_rows *rows, size_t row, size_t k) {
  size_t n = samples->channels[SAMPLED_V].width, forces = samples->channels[SAMPLED_REACTION].width;
  size_t m = samples->channels[SAMPLED_ATOM].width, reaction = width_of(&rows->reaction);
  double **values = samples->values, event = rows->event.rows[row];
  bool jump = event == THUD_EVENT_IMPACT || event == THUD_EVENT_ZENO;
  samples->begins[k] = true;
  memcpy(values[SAMPLED_V_LEFT] + k * n, rows->v_left.rows + row * n, n * sizeof(double));
  if (row > 0 && forces > 0) {
    double *left = values[SAMPLED_REACTION_LEFT] + k * forces;
    evaluate(rows->reaction.rows + (row - 1) * reaction, reaction, forces, rows->t.rows[row] - rows->t.rows[row - 1],
             left, NULL);
    if (!(rows->t_end.rows[row - 1] > rows->t.rows[row - 1]) || rows->accumulation.rows[row - 1] != 0)
      memcpy(left, values[SAMPLED_REACTION] + (k - 1) * forces, forces * sizeof(double));
    if (!(rows->t_end.rows[row] > rows->t.rows[row]))
      memcpy(values[SAMPLED_REACTION] + k * forces, left, forces * sizeof(double));
  }
  if (!jump || m == 0) return;
  memcpy(values[SAMPLED_IMPULSE] + k * forces, rows->impulse.rows + row * forces, forces * sizeof(double));
  for (size_t i = 0; i < m; i++)
    values[SAMPLED_ATOM][k * m + i] =
        rows->involved.rows[row * m + i] != 0 || rows->impulse.rows[row * forces + i] != 0;
}

/* The arc that replaces the rest of an accumulation has no forces of the motion: those before it stay. */
static void hold_forces(plot_samples *samples, size_t k) {
  size_t forces = samples->channels[SAMPLED_REACTION].width;
  if (k == 0 || forces == 0) return;
  const double *before = samples->values[SAMPLED_REACTION] + (k - 1) * forces;
  memcpy(samples->values[SAMPLED_REACTION] + k * forces, before, forces * sizeof(double));
  memcpy(samples->values[SAMPLED_REACTION_LEFT] + k * forces, before, forces * sizeof(double));
}

static void sample_rows(plot_record *record, const arc_rows *rows, double distance) {
  plot_samples *samples = record->samples;
  size_t k = 0;
  for (size_t row = 0; row < samples->arcs; row++) {
    size_t count = samples_of(rows, row, distance);
    double t0 = rows->t.rows[row], length = rows->t_end.rows[row] - t0;
    bool last = row + 1 == samples->arcs && length > 0; /* of a run that was killed */
    for (size_t j = 0; j < count + last; j++, k++) {
      double s = length * (double)j / (double)count;
      record->t[k] = t0 + s;
      put_sample(samples, rows, row, s, k);
      if (j == 0) put_beginning(samples, rows, row, k);
      if (rows->accumulation.rows[row] != 0) hold_forces(samples, k);
    }
  }
}

/* ---- marks ------------------------------------------------------------------------------------------------------- */

/* The next event that is marked, after `row`; arcs: none. */
static size_t next_mark(const plot_samples *samples, const arc_rows *rows, size_t row) {
  do row++;
  while (row < samples->arcs && (rows->event.rows[row] < 0 || rows->event.rows[row] == THUD_EVENT_IMPACT));
  return row;
}

/* Lines at limits of accumulations and changes of modes; none when they are too many. A name that would cross the next
 * line is left out. */
static void mark_events(plot_samples *samples, const arc_rows *rows, double distance) {
  const double apart = 0.08 * SAMPLES * distance;
  for (size_t row = 0; row < samples->arcs; row++) {
    double event = rows->event.rows[row], t = rows->t.rows[row];
    if (event < 0 || event == THUD_EVENT_IMPACT) continue;
    if (samples->mark_count == MOST_MARKS) {
      samples->mark_count = 0;
      return;
    }
    thud_plot_rule *mark = &samples->marks[samples->mark_count];
    *mark = samples->plain[samples->mark_count++] = (thud_plot_rule){.vertical = true, .value = t};
    size_t next = next_mark(samples, rows, row);
    if (next < samples->arcs && rows->t.rows[next] < t + apart) continue;
    mark->label = thud_event_kind_name((thud_event_kind)(int)event);
  }
}

void plot_samples_mark(const plot_samples *samples, bool named, thud_plot_panel *panel) {
  panel->rules = named ? samples->marks : samples->plain;
  panel->rule_count = samples->mark_count;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Channels as those of time stepping; names and units are borrowed from the reader. */
static void describe(plot_samples *samples, const arc_rows *rows) {
  const thud_record_channel *q = rows->q.channel, *v = rows->v_left.channel, none = {0};
  const thud_record_channel *force = rows->reaction.rows != NULL ? rows->reaction.channel : &none;
  const thud_record_channel *impulse = rows->impulse.rows != NULL ? rows->impulse.channel : &none;
  const thud_record_channel *contact = rows->involved.rows != NULL ? rows->involved.channel : &none;
  size_t n = v->width, forces = impulse->width, m = contact->width;
  const thud_record_channel all[SAMPLED_COUNT] = {
      [SAMPLED_Q] = {.name = "q", .width = n, .components = q->components, .unit = q->unit},
      [SAMPLED_V] = {.name = "v", .width = n, .components = v->components, .unit = v->unit},
      [SAMPLED_V_LEFT] = {.name = "v_left", .width = n, .components = v->components, .unit = v->unit},
      [SAMPLED_REACTION] = {.name = "reaction", .width = forces, .components = force->components, .unit = force->unit},
      [SAMPLED_REACTION_LEFT] = {.name = "reaction_left", .width = forces, .components = force->components},
      [SAMPLED_IMPULSE] = {.name = "impulse",
                           .width = forces,
                           .components = impulse->components,
                           .unit = impulse->unit},
      [SAMPLED_ATOM] = {.name = "atom", .width = m, .components = contact->components}};
  memcpy(samples->channels, all, sizeof all);
}

static thud_error allocate(const plot_data *data, plot_samples *samples, size_t count) {
  for (size_t k = 0; k < SAMPLED_COUNT; k++) {
    size_t values;
    if (!thud_size_multiply(count, samples->channels[k].width, &values))
      return thud_fail(data->context, THUD_ERROR_OVERFLOW, "the motion is too large to be drawn");
    samples->values[k] = THUD_NEW_ARRAY(data->context, double, values);
    if (samples->values[k] == NULL) return THUD_ERROR_MEMORY;
  }
  samples->row = THUD_NEW_ARRAY(data->context, size_t, count);
  samples->begins = THUD_NEW_ARRAY(data->context, bool, count);
  return samples->row != NULL && samples->begins != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error sample(plot_data *data, plot_record *record, const arc_rows *rows) {
  plot_samples *samples = record->samples;
  size_t count = 1, last = record->rows - 1;
  double distance = (rows->t_end.rows[last] - rows->t.rows[0]) / SAMPLES;
  describe(samples, rows);
  samples->arcs = record->rows;
  for (size_t row = 0; row < samples->arcs; row++) count += samples_of(rows, row, distance);
  if (!(rows->t_end.rows[last] > rows->t.rows[last])) count--;
  thud_error error = allocate(data, samples, count);
  double *t = error == THUD_OK ? THUD_NEW_ARRAY(data->context, double, count) : NULL;
  if (t == NULL) return THUD_ERROR_MEMORY;
  thud_free(data->context, record->t);
  record->t = t;
  record->rows = count;
  sample_rows(record, rows, distance);
  mark_events(samples, rows, distance);
  return THUD_OK;
}

thud_error plot_sample_arcs(plot_data *data, plot_record *record) {
  size_t channel;
  arc_rows rows = {0};
  if (thud_record_find_role(record->reader, "position_series", &channel) != THUD_OK) return THUD_OK;
  record->samples = THUD_NEW(data->context, plot_samples);
  if (record->samples == NULL) return THUD_ERROR_MEMORY;
  thud_error error = read_rows(data, record, &rows);
  if (error == THUD_OK) error = sample(data, record, &rows);
  free_rows(data, &rows);
  return error;
}

/* A channel that is not sampled: its rows, each repeated for all samples of its arc. */
static thud_error read_repeated(const plot_data *data, const plot_record *record, const char *name,
                                plot_channel *read) {
  const plot_samples *samples = record->samples;
  plot_channel rows = {0};
  size_t index;
  if (thud_record_find_channel(record->reader, name, &index) != THUD_OK)
    return thud_fail(data->context, THUD_ERROR_NOT_FOUND,
                     "event-driven records have no panel '%s'; there are q, v, reaction, impulse, mode, order, ledger, "
                     "residual, cosine and t_error",
                     name);
  thud_error error = plot_read_channel(data, record->reader, name, samples->arcs, &rows);
  size_t width = error == THUD_OK ? rows.channel->width : 0;
  if (error == THUD_OK) read->rows = THUD_NEW_ARRAY(data->context, double, record->rows *width);
  if (error == THUD_OK && read->rows == NULL) error = THUD_ERROR_MEMORY;
  for (size_t k = 0; k < record->rows && error == THUD_OK; k++)
    memcpy(read->rows + k * width, rows.rows + samples->row[k] * width, width * sizeof(double));
  read->channel = rows.channel;
  plot_channel_free(data, &rows);
  return error;
}

thud_error plot_samples_read(const plot_data *data, const plot_record *record, const char *name, plot_channel *read) {
  const plot_samples *samples = record->samples;
  for (size_t k = 0; k < SAMPLED_COUNT; k++) {
    if (strcmp(samples->channels[k].name, name) != 0) continue;
    size_t count = record->rows * samples->channels[k].width;
    read->channel = &samples->channels[k];
    read->rows = THUD_NEW_ARRAY(data->context, double, count);
    if (read->rows == NULL) return THUD_ERROR_MEMORY;
    memcpy(read->rows, samples->values[k], count * sizeof(double));
    return THUD_OK;
  }
  return read_repeated(data, record, name, read);
}
