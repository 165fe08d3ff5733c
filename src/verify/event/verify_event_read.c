/* An event-driven record in memory: its tables, the rows made from them, and their structure. */
#include "verify/event/verify_event.h"

#include <math.h>
#include <string.h>

static const char *const kinds[VERIFY_EVENTS] = {"impact", "zeno", "close",  "open",      "graze",
                                                 "stick",  "slip", "switch", "percussion"};
static const char *const mode_names[VERIFY_MODES] = {"open", "lasting", "leaving", "undecided", "sticking", "sliding"};

static const char *const status_names[VERIFY_ARC_STATUSES] = {"open", "proved", "sampled", "assumed", "passage"};

/* Channels that records of earlier versions, and of other programs, do not have. */
static thud_error read_if_there(verify_event_rows *f, thud_record_reader *reader, thud_record_table table, size_t count,
                                const verify_channel *channels) {
  size_t index;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    if (thud_record_find_role(reader, table, channels[k].role, &index) == THUD_OK)
      error = thud_verify_read_channels(f->context, reader, table, 1, &channels[k], &f->checks[EVENT_STRUCTURE]);
  return error;
}

/* Records of earlier versions know no passages. */
static size_t count_statuses(const thud_record_reader *reader) {
  size_t index;
  if (thud_record_find_role(reader, THUD_RECORD_FRAMES, "proof", &index) != THUD_OK) return VERIFY_ARC_STATUSES;
  size_t labels = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, index)->label_count;
  return labels == VERIFY_ARC_PASSAGE ? labels : VERIFY_ARC_STATUSES;
}

static thud_error read_claims(verify_event_rows *f, thud_record_reader *reader) {
  verify_event_tables *tables = &f->tables;
  const verify_channel arcs[] = {{"proof", 1, &tables->status}, {"defect_bound", f->n, &tables->defect}};
  const verify_channel brackets[] = {{"t_low", 1, &tables->t_low}, {"t_high", 1, &tables->t_high}};
  thud_error error = read_if_there(f, reader, THUD_RECORD_FRAMES, 2, arcs);
  if (error == THUD_OK) error = read_if_there(f, reader, THUD_RECORD_EVENTS, 2, brackets);
  if (error == THUD_OK && tables->status != NULL)
    thud_verify_check_labels(reader, THUD_RECORD_FRAMES, "proof", count_statuses(reader), status_names,
                             &f->checks[EVENT_STRUCTURE]);
  return error;
}

static thud_error read_frames(verify_event_rows *f, thud_record_reader *reader) {
  verify_event_tables *tables = &f->tables;
  thud_verify_check *structure = &f->checks[EVENT_STRUCTURE];
  const verify_channel channels[] = {{"time", 1, &tables->t},
                                     {"end", 1, &tables->t_end},
                                     {"mode", f->m, &tables->mode},
                                     {"order", f->m, &tables->order},
                                     {"velocity_left", f->n, &tables->v_left},
                                     {"mode_left", f->m, &tables->mode_left},
                                     {"accumulation", 1, &tables->accumulation},
                                     {"ledger", VERIFY_LEDGER_WIDTH, &tables->ledger}};
  const verify_ragged_channel series[] = {{"position_series", f->n, &tables->q},
                                          {"reaction_series", f->m + f->s, &tables->reaction}};
  thud_error error = thud_verify_read_channels(f->context, reader, THUD_RECORD_FRAMES,
                                               sizeof channels / sizeof *channels, channels, structure);
  if (error == THUD_OK) error = thud_verify_read_ragged(f->context, reader, THUD_RECORD_FRAMES, 2, series, structure);
  if (error != THUD_OK) return error;
  for (size_t j = 0; j < tables->count; j++)
    if (verify_ragged_count(&tables->q, j) < 2 * f->n)
      thud_verify_fail(structure, NAN, j, "the frame has no position and velocity");
  return THUD_OK;
}

static thud_error read_events(verify_event_rows *f, thud_record_reader *reader) {
  verify_event_tables *tables = &f->tables;
  thud_verify_check *structure = &f->checks[EVENT_STRUCTURE];
  const verify_channel channels[] = {{"t_error", 1, &tables->t_error},
                                     {"order", 1, &tables->deepest},
                                     {"cosine", 1, &tables->cosine},
                                     {"tangential", 1, &tables->tangential},
                                     {"residual", 1, &tables->residual},
                                     {"begin", 1, &tables->zeno[VERIFY_ZENO_BEGIN]},
                                     {"duration", 1, &tables->zeno[VERIFY_ZENO_DURATION]},
                                     {"ratio", 1, &tables->zeno[VERIFY_ZENO_RATIO]},
                                     {"impacts", 1, &tables->zeno[VERIFY_ZENO_IMPACTS]},
                                     {"limit_error", 1, &tables->zeno[VERIFY_ZENO_ERROR]},
                                     {"ledger", VERIFY_LEDGER_WIDTH, &tables->event_ledger}};
  size_t group = f->m > 0;
  const verify_ragged_channel lists[] = {{"changed", group, &tables->changed},
                                         {"modes", 2 * group, &tables->modes},
                                         {"total_impulse", f->m + f->s > 0, &tables->total}};
  thud_error error = thud_verify_read_channels(f->context, reader, THUD_RECORD_EVENTS,
                                               sizeof channels / sizeof *channels, channels, structure);
  if (error == THUD_OK)
    error =
        thud_verify_read_ragged(f->context, reader, THUD_RECORD_EVENTS, sizeof lists / sizeof *lists, lists, structure);
  if (error == THUD_OK)
    error = thud_verify_events_read(f->context, reader, f->n, VERIFY_EVENTS, kinds, &tables->events, structure);
  if (error == THUD_OK && structure->status == THUD_VERIFY_PASSED)
    error = thud_verify_events_read_lists(f->system, reader, &tables->events, structure);
  return error;
}

/* Lists that belong together have the same number of entries. */
static void check_lists(verify_event_rows *f) {
  const verify_event_tables *tables = &f->tables;
  for (size_t e = 0; e < tables->events.count; e++) {
    bool limit = tables->events.kind[e] == VERIFY_EVENT_ZENO;
    size_t totals = limit ? verify_ragged_count(&tables->events.reactions, e) : 0;
    if (2 * verify_ragged_count(&tables->changed, e) != verify_ragged_count(&tables->modes, e) ||
        totals != verify_ragged_count(&tables->total, e))
      thud_verify_fail(&f->checks[EVENT_STRUCTURE], tables->events.t[e], SIZE_MAX,
                       "the lists of event %zu are not equally long, or of an accumulation where none ends", e);
  }
}

static void check_names(verify_event_rows *f, const thud_record_reader *reader) {
  const verify_system *system = f->system;
  thud_verify_check *structure = &f->checks[EVENT_STRUCTURE];
  const char *const *velocities = (const char *const *)system->velocities;
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "position_series", f->n, system->scene.names, structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "velocity_left", f->n, velocities, structure);
  if (f->m == 0) return;
  thud_verify_check_labels(reader, THUD_RECORD_FRAMES, "mode", VERIFY_MODES, mode_names, structure);
  thud_verify_check_labels(reader, THUD_RECORD_FRAMES, "mode_left", VERIFY_MODES, mode_names, structure);
  thud_verify_check_labels(reader, THUD_RECORD_EVENTS, "modes", VERIFY_MODES, mode_names, structure);
  size_t channel;
  if (thud_record_find_role(reader, THUD_RECORD_FRAMES, "mode", &channel) != THUD_OK) return;
  const thud_record_channel *mode = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, channel);
  for (size_t i = 0; i < f->m && i < mode->width; i++)
    if (strcmp(mode->components[i], system->constraints[i].name) != 0)
      thud_verify_fail(structure, NAN, SIZE_MAX, "constraint %zu is called '%s' in the record, '%s' in the scene", i,
                       mode->components[i], system->constraints[i].name);
}

/* Reads the channels; what is missing or misnamed fails `structure`. */
static thud_error event_tables_read(verify_event_rows *f, thud_record_reader *reader) {
  thud_record_info info = thud_record_reader_info(reader);
  thud_verify_check *structure = &f->checks[EVENT_STRUCTURE];
  f->tables.count = info.rows[THUD_RECORD_FRAMES];
  thud_verify_check_made_by(&info, "event-driven", f->system->scene.method, structure);
  if (f->tables.count == 0) thud_verify_fail(structure, NAN, SIZE_MAX, "the record has no frames");
  thud_error error = read_frames(f, reader);
  if (error == THUD_OK) error = read_events(f, reader);
  if (error == THUD_OK) error = read_claims(f, reader);
  if (error != THUD_OK || structure->status == THUD_VERIFY_FAILED) return error;
  check_names(f, reader);
  check_lists(f);
  return THUD_OK;
}

static void event_tables_free(verify_event_rows *f) {
  verify_event_tables *tables = &f->tables;
  double *arrays[] = {tables->t,       tables->t_end,      tables->accumulation, tables->v_left,       tables->mode,
                      tables->order,   tables->ledger,     tables->mode_left,    tables->cosine,       tables->t_error,
                      tables->deepest, tables->tangential, tables->residual,     tables->event_ledger, tables->status,
                      tables->defect,  tables->t_low,      tables->t_high};
  verify_ragged *lists[] = {&tables->q, &tables->reaction, &tables->changed, &tables->modes, &tables->total};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(f->context, arrays[k]);
  for (size_t k = 0; k < VERIFY_ZENO; k++) thud_free(f->context, tables->zeno[k]);
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) thud_verify_ragged_free(f->context, lists[k]);
  thud_verify_events_free(f->context, &tables->events);
}

/* ---- the rows of an event-driven record, made from its tables ---------------------------------------------------- */

/* Two points per coefficient: an interpolation that resolves products of the series. */
enum { POINTS_PER_COEFFICIENT = 2, LEAST_DEGREE = 2 };

static const size_t NO_EVENT = SIZE_MAX;

/* ---- room ---------------------------------------------------------------------------------------------------------
 */

/* Number of coefficients of the longest series. */
static size_t longest(const verify_ragged *series, size_t count, size_t group) {
  size_t most = 0;
  for (size_t j = 0; j < count && group > 0; j++) {
    size_t here = verify_ragged_count(series, j) / group;
    if (here > most) most = here;
  }
  return most;
}

/* Rows: one per frame, and one more for every further event of a frame. */
static void find_sizes(verify_event_rows *f) {
  const verify_event_tables *tables = &f->tables;
  size_t of_q = longest(&tables->q, tables->count, f->n);
  size_t of_r = longest(&tables->reaction, tables->count, f->m + f->s);
  f->degree = of_q > LEAST_DEGREE ? of_q - 1 : LEAST_DEGREE;
  f->force_degree = of_r > 0 ? of_r - 1 : 0;
  f->samples = POINTS_PER_COEFFICIENT * (f->degree + 1);
  f->count = tables->count;
  for (size_t e = 1; e < tables->events.count; e++) f->count += tables->events.frame[e] == tables->events.frame[e - 1];
}

static thud_error allocate_rows(verify_event_rows *f) {
  size_t n = f->n, m = f->m, s = f->s, points = f->samples, k = f->count;
  const struct {
    double **array;
    size_t count, width;
  } parts[] = {{&f->t, k, 1},
               {&f->t_end, k, 1},
               {&f->event, k, 1},
               {&f->t_error, k, 1},
               {&f->accumulation, k, 1},
               {&f->status, k, 1},
               {&f->t_low, k, 1},
               {&f->t_high, k, 1},
               {&f->stated, k, n},
               {&f->residual, k, 1},
               {&f->cosine, k, 1},
               {&f->tangential, k, 1},
               {&f->outcome, k, 1},
               {&f->frame, k, 1},
               {&f->q, k, (f->degree + 1) * n},
               {&f->reaction, k, (f->force_degree + 1) * (m + s)},
               {&f->v_left, k, n},
               {&f->impulse, k, m + s},
               {&f->zeno_impulse, k, m + s},
               {&f->mode, k, m},
               {&f->mode_left, k, m},
               {&f->order, k, m},
               {&f->involved, k, m},
               {&f->zeno, k, VERIFY_ZENO},
               {&f->ledger, k, VERIFY_LEDGER_WIDTH},
               {&f->q_size, n, 1},
               {&f->v_size, n, 1},
               {&f->arc_error, n, 1},
               {&f->gap_size, m, 1},
               {&f->slip_size, s, 1},
               {&f->state, n, 3},
               {&f->momentum, n, 1},
               {&f->work, n, 4},
               {&f->r, m + s, 1},
               {&f->shifted, 2 * s + n, 1},
               {&f->acting, m, 1},
               {&f->restitution, m, 1},
               {&f->gap_at, m, points},
               {&f->u_at, m, points},
               {&f->r_at, m, points},
               {&f->defect, points, 1},
               {&f->power, points, 1},
               {&f->loss, points, 1},
               {&f->coefficients, points, 1},
               {&f->root, m, 1},
               {&f->passage, 1, (m + 1) * (n + m) + n + m * n + m},
               {&f->load, n, 1},
               {&f->extra, f->system->law_count, 1},
               {&f->friction_at, f->system->law_count, points},
               {&f->friction_accuracy, f->system->law_count, 1}};
  size_t total = 0, size;
  for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
    if (!thud_size_multiply(parts[p].count, parts[p].width, &size) || size > SIZE_MAX - total)
      return THUD_ERROR_OVERFLOW;
    total += size;
  }
  f->memory = THUD_NEW_ARRAY(f->context, double, total);
  if (f->memory == NULL) return THUD_ERROR_MEMORY;
  double *next = f->memory;
  for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
    *parts[p].array = next;
    next += parts[p].count * parts[p].width;
  }
  return thud_verify_values_create(f->system, &f->at);
}

/* ---- events -------------------------------------------------------------------------------------------------------
 */

/* out[index] = value for the entries of event e; values NULL: 1. */
static void scatter(verify_event_rows *f, size_t k, size_t e, const verify_ragged *index, const verify_ragged *values,
                    size_t width, double *out) {
  const double *entries = verify_ragged_row(index, e);
  for (size_t i = 0; i < verify_ragged_count(index, e); i++) {
    if (entries[i] >= 0 && entries[i] < (double)width)
      out[(size_t)entries[i]] = values != NULL ? verify_ragged_row(values, e)[i] : 1;
    else
      thud_verify_fail(&f->checks[EVENT_STRUCTURE], f->t[k], (size_t)f->frame[k],
                       "event %zu names what the scene does not have", e);
  }
}

/* A figure that applies to this event; of others `none` says that there is nothing. */
static double figure(verify_event_rows *f, size_t k, bool applies, double value, bool none) {
  if (applies) return value;
  if (!none)
    thud_verify_fail(&f->checks[EVENT_STRUCTURE], f->t[k], (size_t)f->frame[k],
                     "a figure of impacts or limits at another event");
  return 0;
}

static void put_event(verify_event_rows *f, size_t k, size_t e) {
  const verify_event_tables *tables = &f->tables;
  const verify_events *events = &tables->events;
  bool impact = events->kind[e] == VERIFY_EVENT_IMPACT || events->kind[e] == VERIFY_EVENT_PERCUSSION;
  bool limit = events->kind[e] == VERIFY_EVENT_ZENO;
  size_t rows = f->m + f->s;
  f->event[k] = events->kind[e];
  f->t_error[k] = tables->t_error[e];
  if (tables->t_low != NULL && tables->t_high != NULL) {
    f->t_low[k] = tables->t_low[e];
    f->t_high[k] = tables->t_high[e];
  }
  f->cosine[k] = figure(f, k, impact, tables->cosine[e], isnan(tables->cosine[e]));
  f->tangential[k] = figure(f, k, impact, tables->tangential[e], tables->tangential[e] == -1);
  f->residual[k] = figure(f, k, impact, tables->residual[e], isnan(tables->residual[e]));
  for (size_t z = 0; z < VERIFY_ZENO; z++)
    f->zeno[k * VERIFY_ZENO + z] = figure(f, k, limit, tables->zeno[z][e], isnan(tables->zeno[z][e]));
  scatter(f, k, e, &events->constraints, NULL, f->m, f->involved + k * f->m);
  scatter(f, k, e, &events->reactions, &events->impulse, rows, f->impulse + k * rows);
  for (size_t i = 0; i < rows && limit; i++) f->zeno_impulse[k * rows + i] = NAN; /* where none is reported */
  if (limit) scatter(f, k, e, &events->reactions, &tables->total, rows, f->zeno_impulse + k * rows);
  memcpy(f->v_left + k * f->n, events->before + e * f->n, f->n * sizeof(double));
  memcpy(f->ledger + k * VERIFY_LEDGER_WIDTH, tables->event_ledger + e * VERIFY_LEDGER_WIDTH,
         VERIFY_LEDGER_WIDTH * sizeof(double));
}

/* Modes before and after event e, from those that stood before: the ones it lists change. */
static void put_modes(verify_event_rows *f, size_t k, size_t e) {
  const verify_ragged *changed = &f->tables.changed;
  const double *pairs = verify_ragged_row(&f->tables.modes, e);
  double *left = f->mode_left + k * f->m, *mode = f->mode + k * f->m;
  for (size_t i = 0; i < verify_ragged_count(changed, e); i++) {
    double entry = verify_ragged_row(changed, e)[i];
    if (!(entry >= 0 && entry < (double)f->m)) {
      thud_verify_fail(&f->checks[EVENT_STRUCTURE], f->t[k], (size_t)f->frame[k],
                       "event %zu names what the scene does not have", e);
      continue;
    }
    left[(size_t)entry] = pairs[2 * i];
    mode[(size_t)entry] = pairs[2 * i + 1];
  }
}

/* ---- rows ---------------------------------------------------------------------------------------------------------
 */

/* The arc of frame j. Between several events at one time a contact that leaves may have become open, without being
 * named by an event of its own. */
static void put_arc(verify_event_rows *f, size_t k, size_t j) {
  const verify_event_tables *tables = &f->tables;
  size_t rows = f->m + f->s;
  double *left = f->mode_left + k * f->m, *mode = f->mode + k * f->m;
  f->t_end[k] = tables->t_end[j];
  f->accumulation[k] = tables->accumulation[j];
  if (tables->status != NULL) f->status[k] = tables->status[j];
  if (tables->defect != NULL) memcpy(f->stated + k * f->n, tables->defect + j * f->n, f->n * sizeof(double));
  memcpy(f->q + k * (f->degree + 1) * f->n, verify_ragged_row(&tables->q, j),
         verify_ragged_count(&tables->q, j) * sizeof(double));
  memcpy(f->reaction + k * (f->force_degree + 1) * rows, verify_ragged_row(&tables->reaction, j),
         verify_ragged_count(&tables->reaction, j) * sizeof(double));
  for (size_t i = 0; i < f->m; i++) {
    double now = tables->mode[j * f->m + i];
    bool several = !verify_event_begins_frame(f, k);
    if (several && left[i] == mode[i] && mode[i] == VERIFY_MODE_LEAVING && now == VERIFY_MODE_OPEN) left[i] = now;
    mode[i] = now;
    f->order[k * f->m + i] = tables->order[j * f->m + i];
  }
}

/* Row k: event e of frame j (NO_EVENT: none), the last one with the frame's arc. */
static void put_row(verify_event_rows *f, size_t k, size_t j, size_t e, bool last) {
  const verify_event_tables *tables = &f->tables;
  size_t n = f->n, m = f->m;
  double *q = f->q + k * (f->degree + 1) * n;
  f->frame[k] = (double)j;
  f->t[k] = f->t_end[k] = tables->t[j];
  f->event[k] = VERIFY_EVENT_NONE;
  f->status[k] = f->t_low[k] = f->t_high[k] = NAN;
  for (size_t i = 0; i < n; i++) f->stated[k * n + i] = NAN;
  const double *modes = verify_event_begins_frame(f, k) ? tables->mode_left + j * m : f->mode + (k - 1) * m;
  for (size_t i = 0; i < m; i++) {
    f->mode_left[k * m + i] = f->mode[k * m + i] = modes[i];
    f->order[k * m + i] = -1;
  }
  memcpy(q, verify_ragged_row(&tables->q, j), n * sizeof(double));
  if (e == NO_EVENT) {
    memcpy(f->v_left + k * n, tables->v_left + j * n, n * sizeof(double));
    memcpy(f->ledger + k * VERIFY_LEDGER_WIDTH, tables->ledger + j * VERIFY_LEDGER_WIDTH,
           VERIFY_LEDGER_WIDTH * sizeof(double));
  } else {
    memcpy(q + n, tables->events.after + e * n, n * sizeof(double));
    put_event(f, k, e);
    put_modes(f, k, e);
  }
  if (last) put_arc(f, k, j);
}

static void put_rows(verify_event_rows *f) {
  const verify_events *events = &f->tables.events;
  size_t k = 0, e = 0;
  for (size_t j = 0; j < f->tables.count; j++) {
    size_t end = e;
    while (end < events->count && events->frame[end] == (double)j) end++;
    if (end == e) put_row(f, k++, j, NO_EVENT, true);
    for (; e < end; e++) put_row(f, k++, j, e, e + 1 == end);
  }
}

thud_error thud_verify_event_read(verify_event_rows *f, thud_record_reader *reader, bool *usable) {
  thud_verify_check *structure = &f->checks[EVENT_STRUCTURE];
  f->n = f->system->n;
  f->m = f->system->m;
  f->s = f->system->s;
  *usable = false;
  thud_error error = event_tables_read(f, reader);
  if (error != THUD_OK || structure->status == THUD_VERIFY_FAILED) return error;
  if (f->system->functions)
    error = thud_verify_problems_read(f->system, reader, THUD_RECORD_EVENTS, &f->problems, structure);
  if (error != THUD_OK || structure->status == THUD_VERIFY_FAILED) return error;
  find_sizes(f);
  error = allocate_rows(f);
  if (error != THUD_OK) return error;
  put_rows(f);
  *usable = structure->status == THUD_VERIFY_PASSED;
  return THUD_OK;
}

void thud_verify_event_free(verify_event_rows *f) {
  event_tables_free(f);
  thud_verify_proof_destroy(f->proof);
  thud_verify_problems_free(f->context, &f->problems);
  thud_free(f->context, f->memory);
  thud_verify_values_free(f->system, &f->at);
}

/* ---- structure of an event-driven record ------------------------------------------------------------------------- */

/* Structure of an event-driven record: numbers, times, codes, and what belongs to which event. */

static void fail(verify_event_rows *f, size_t k, const char *what) {
  thud_verify_fail(&f->checks[EVENT_STRUCTURE], f->t[k], k, "%s", what);
}

static bool all_zero(size_t count, const double *x) {
  for (size_t i = 0; i < count; i++)
    if (x[i] != 0) return false;
  return true;
}

static bool all_within(size_t count, const double *x, double low, double high) {
  for (size_t i = 0; i < count; i++)
    if (!(x[i] >= low && x[i] <= high)) return false;
  return true;
}

/* All that are resolved. */
static bool all_reactions_finite(const verify_event_rows *f, size_t k) {
  size_t rows = f->m + f->s, count = (f->force_degree + 1) * rows;
  const double *c = f->reaction + k * count;
  for (size_t j = 0; j < count; j++)
    if (!isfinite(c[j]) && (j >= rows || !thud_verify_event_is_unresolved(f, k, j))) return false;
  return true;
}

static void check_numbers(verify_event_rows *f, size_t k) {
  size_t n = f->n, rows = f->m + f->s;
  bool finite = isfinite(f->t[k]) && isfinite(f->t_end[k]) && isfinite(f->t_error[k]) && isfinite(f->residual[k]) &&
                isfinite(f->cosine[k]) && thud_verify_all_finite((f->degree + 1) * n, verify_event_q(f, k)) &&
                all_reactions_finite(f, k) && thud_verify_all_finite(n, f->v_left + k * n) &&
                thud_verify_all_finite(rows, f->impulse + k * rows) &&
                thud_verify_all_finite(VERIFY_ZENO, f->zeno + k * VERIFY_ZENO) &&
                thud_verify_all_finite(VERIFY_LEDGER_WIDTH, f->ledger + k * VERIFY_LEDGER_WIDTH);
  if (!finite) fail(f, k, "a number of this row is NaN or infinite");
  if (f->t_error[k] < 0) fail(f, k, "the error bound of a time is negative");
  if (f->residual[k] < 0) fail(f, k, "a residual is negative");
}

static void check_codes(verify_event_rows *f, size_t k) {
  size_t m = f->m;
  if (!all_within(1, f->event + k, VERIFY_EVENT_NONE, VERIFY_EVENTS - 1)) fail(f, k, "a code of no event");
  if (!all_within(m, f->mode + k * m, 0, VERIFY_MODES - 1) || !all_within(m, f->mode_left + k * m, 0, VERIFY_MODES - 1))
    fail(f, k, "a code of no mode");
  if (!all_within(m, f->order + k * m, -1, (double)f->degree)) fail(f, k, "an order beyond that of the series");
  if (!all_within(m, f->involved + k * m, 0, 1) || !all_within(1, f->accumulation + k, 0, 1) ||
      !all_within(1, f->tangential + k, 0, 1))
    fail(f, k, "a mark that is neither 0 nor 1");
  if (!isnan(f->status[k]) && !all_within(1, f->status + k, 0, VERIFY_ARC_STATUSES - 1))
    fail(f, k, "a code of no status of an arc");
}

/* The order of an event: that of its arc is compared with it; of others only the range is known. Totals of impulses
 * are in the rows only where they are claim. */
static void check_events(verify_event_rows *f) {
  for (size_t e = 0; e < f->tables.events.count; e++) {
    if (!thud_verify_all_finite(verify_ragged_count(&f->tables.total, e), verify_ragged_row(&f->tables.total, e)))
      thud_verify_fail(&f->checks[EVENT_STRUCTURE], f->tables.events.t[e], SIZE_MAX,
                       "a total impulse of event %zu is not finite", e);
    if (!all_within(1, f->tables.deepest + e, -1, (double)f->degree))
      thud_verify_fail(&f->checks[EVENT_STRUCTURE], f->tables.events.t[e], SIZE_MAX,
                       "the order of event %zu is beyond that of the series", e);
  }
}

static void check_times(verify_event_rows *f, size_t k) {
  if (f->t_end[k] < f->t[k]) fail(f, k, "the row ends before it begins");
  if (k > 0 && f->t[k] != f->t_end[k - 1])
    thud_verify_fail(&f->checks[EVENT_STRUCTURE], f->t[k], k, "the row begins at %.17g, the one before ends at %.17g",
                     f->t[k], f->t_end[k - 1]);
}

/* What only impacts, limits and arcs have. */
static void check_belongings(verify_event_rows *f, size_t k) {
  size_t n = f->n, rows = f->m + f->s;
  if (!verify_event_jumps(f, k) && f->event[k] != VERIFY_EVENT_SWITCH && !all_zero(rows, f->impulse + k * rows))
    fail(f, k, "an impulse without impact");
  const double *reaction = f->reaction + k * (f->force_degree + 1) * rows;
  if (f->accumulation[k] != 0 && !all_zero((f->force_degree + 1) * rows, reaction))
    fail(f, k, "the rest of an accumulation has a reaction");
  if (f->accumulation[k] != 0 && f->degree > 2 && !all_zero((f->degree - 2) * n, verify_event_q(f, k) + 3 * n))
    fail(f, k, "the rest of an accumulation is not a parabola");
  if (k == 0 && f->event[k] == VERIFY_EVENT_NONE && !thud_verify_same_numbers(f->m, f->mode, f->mode_left))
    thud_verify_fail(&f->checks[EVENT_MODES], f->t[k], k, "the modes before the start are not those of the first arc");
  if (f->accumulation[k] != 0 && !(k + 1 < f->count && f->event[k + 1] == VERIFY_EVENT_ZENO))
    fail(f, k, "the rest of an accumulation has no limit");
  if (verify_event_has_arc(f, k)) return;
  if (verify_event_ends_frame(f, k) && k + 1 < f->count) fail(f, k, "a frame without an arc before the end");
  if (f->accumulation[k] != 0) fail(f, k, "an accumulation without duration");
  if (!all_zero((f->degree - 1) * n, verify_event_q(f, k) + 2 * n) || !all_zero((f->force_degree + 1) * rows, reaction))
    fail(f, k, "a row without duration has coefficients of an arc");
}

/* All arcs have as many coefficients; the rest of an accumulation has no forces. */
static void check_lengths(verify_event_rows *f) {
  const verify_event_tables *tables = &f->tables;
  size_t q = (f->degree + 1) * f->n, r = (f->force_degree + 1) * (f->m + f->s);
  for (size_t j = 0; j < tables->count; j++) {
    bool arc = tables->t_end[j] > tables->t[j], rest = tables->accumulation[j] != 0;
    if (!arc || rest) continue;
    if (verify_ragged_count(&tables->q, j) != q || (r > 0 && verify_ragged_count(&tables->reaction, j) != r))
      thud_verify_fail(&f->checks[EVENT_STRUCTURE], tables->t[j], j, "the arc has not as many coefficients as others");
  }
}

void thud_verify_event_structure(verify_event_rows *f, bool good) {
  const verify_scene *scene = &f->system->scene;
  size_t last = f->count - 1, arcs = 0;
  for (size_t k = 0; k < f->count; k++) {
    check_numbers(f, k);
    check_codes(f, k);
    check_times(f, k);
    check_belongings(f, k);
    arcs += verify_event_has_arc(f, k);
  }
  check_events(f);
  check_lengths(f);
  if (f->t[0] != scene->start)
    thud_verify_fail(&f->checks[EVENT_STRUCTURE], f->t[0], 0, "the first row is at t = %.10g, the run starts at %.10g",
                     f->t[0], scene->start);
  if (good && (f->t[last] != scene->end || f->t_end[last] != scene->end))
    thud_verify_fail(&f->checks[EVENT_STRUCTURE], f->t[last], last,
                     "the last row is at t = %.10g, the run ends at %.10g", f->t[last], scene->end);
  if (f->checks[EVENT_STRUCTURE].status == THUD_VERIFY_PASSED)
    thud_verify_explain(&f->checks[EVENT_STRUCTURE], "%zu frames, %zu events, %zu arcs of degree %zu at most",
                        f->tables.count, f->tables.events.count, arcs, f->degree);
}
