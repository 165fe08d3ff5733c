/* The rows of an event-driven record, made from its tables. */
#include "verify/event/verify_event_proof.h"

#include <math.h>
#include <string.h>

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
      thud_verify_fail(&f->checks.structure, f->t[k], (size_t)f->frame[k],
                       "event %zu names what the scene does not have", e);
  }
}

/* A figure that applies to this event; of others `none` says that there is nothing. */
static double figure(verify_event_rows *f, size_t k, bool applies, double value, bool none) {
  if (applies) return value;
  if (!none)
    thud_verify_fail(&f->checks.structure, f->t[k], (size_t)f->frame[k],
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
      thud_verify_fail(&f->checks.structure, f->t[k], (size_t)f->frame[k],
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
  thud_verify_check *structure = &f->checks.structure;
  f->n = f->system->n;
  f->m = f->system->m;
  f->s = f->system->s;
  *usable = false;
  thud_error error = thud_verify_event_tables_read(f, reader);
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
  thud_verify_event_tables_free(f);
  thud_verify_proof_destroy(f->proof);
  thud_verify_problems_free(f->context, &f->problems);
  thud_free(f->context, f->memory);
  thud_verify_values_free(f->system, &f->at);
}
