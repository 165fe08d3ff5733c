/* Events and summary of an event-driven record: they report the same as its frames. */
#include "verify/event/verify_event_rows.h"

#include <math.h>
#include <string.h>

/* ---- events ---------------------------------------------------------------------------------------------------------
 */

static void fail(verify_event_rows *f, size_t k, const char *what) {
  thud_verify_fail(&f->checks.events, f->t[k], k, "the %s of the event is not that of its frame", what);
}

/* The modes that event e of row k lists are those of the constraints that are involved or change, in their order; the
 * first event of a frame begins with the modes before it, the last one ends with those of the arc. Joins of rows take
 * care of what is in between. */
static void compare_modes(verify_event_rows *f, size_t k, size_t e) {
  const verify_ragged *changed = &f->tables.changed;
  const double *pairs = verify_ragged_row(&f->tables.modes, e), *before = f->mode_left + k * f->m;
  const double *left = f->tables.mode_left + (size_t)f->frame[k] * f->m;
  size_t next = 0, count = verify_ragged_count(changed, e);
  bool begins = verify_event_begins_frame(f, k), same = true;
  for (size_t i = 0; i < f->m; i++) {
    double after = f->mode[k * f->m + i];
    bool listed = next < count && verify_ragged_row(changed, e)[next] == (double)i;
    same = same && listed == (f->involved[k * f->m + i] != 0 || before[i] != after);
    if (!listed) continue;
    same = same && pairs[2 * next + 1] == after && (!begins || pairs[2 * next] == left[i]);
    next++;
  }
  if (!same || next != count) fail(f, k, "list of modes");
}

/* Slip that goes on in another direction: every sliding contact of the event slid before. */
static bool turns_round(const verify_event_rows *f, size_t k) {
  bool any = false;
  for (size_t i = 0; i < f->m; i++) {
    if (f->involved[k * f->m + i] == 0 || verify_event_mode(f, k, i) != VERIFY_MODE_SLIDING) continue;
    if (f->mode_left[k * f->m + i] != VERIFY_MODE_SLIDING) return false;
    any = true;
  }
  return f->event[k] == VERIFY_EVENT_SLIP && any;
}

static bool is_name(const char *name, const char *text, size_t length) {
  return strlen(name) == length && strncmp(name, text, length) == 0;
}

/* A note that says in which expression something switches names what the scene has. */
static bool names_the_scene(const verify_system *system, const thud_record_cell *cell) {
  const char *begin = memchr(cell->text, '\'', cell->count);
  if (begin == NULL) return true; /* the potential energy, a derivative */
  size_t left = cell->count - (size_t)(++begin - cell->text);
  const char *end = memchr(begin, '\'', left);
  if (end == NULL) return false;
  size_t length = (size_t)(end - begin);
  for (size_t i = 0; i < system->n; i++)
    if (is_name(system->scene.names[i], begin, length)) return true;
  for (size_t i = 0; i < system->m; i++)
    if (is_name(system->constraints[i].name, begin, length)) return true;
  for (size_t l = 0; l < system->law_count; l++)
    if (is_name(system->laws[l].name, begin, length)) return true;
  return false;
}

static thud_error compare_note(verify_event_rows *f, thud_record_reader *reader, size_t k, size_t e) {
  const char *expected = f->tangential[k] != 0 ? "without collision" : turns_round(f, k) ? "turns round" : "";
  thud_record_cell cell;
  size_t channel;
  if (thud_record_find_channel(reader, THUD_RECORD_EVENTS, "note", &channel) != THUD_OK ||
      thud_record_reader_channel(reader, THUD_RECORD_EVENTS, channel)->type != THUD_RECORD_TEXT) {
    thud_verify_fail(&f->checks.events, NAN, SIZE_MAX, "the events have no notes");
    return THUD_OK;
  }
  thud_error error = thud_record_read_cell(reader, THUD_RECORD_EVENTS, channel, e, &cell);
  if (error == THUD_OK && f->event[k] == VERIFY_EVENT_SWITCH && cell.count > 0) {
    if (!names_the_scene(f->system, &cell)) fail(f, k, "note");
    return THUD_OK;
  }
  if (error == THUD_OK && (cell.count != strlen(expected) || strncmp(cell.text, expected, cell.count) != 0))
    fail(f, k, "note");
  return error;
}

/* The deepest order that decided a mode. */
static double deepest_order(const verify_event_rows *f, size_t k) {
  double deepest = -1;
  for (size_t i = 0; i < f->m; i++) deepest = fmax(deepest, f->order[k * f->m + i]);
  return deepest;
}

/* Event e, which made row k; numbers to the last bit. */
static thud_error check_event(verify_event_rows *f, thud_record_reader *reader, size_t k, size_t e) {
  const verify_event_tables *tables = &f->tables;
  size_t j = (size_t)f->frame[k];
  bool jumps = verify_event_jumps(f, k) || verify_event_pushes(f, k);
  const verify_claim claim = {.system = f->system,
                              .own_laws = f->event[k] == VERIFY_EVENT_PERCUSSION,
                              .marks = f->involved + k * f->m,
                              .all_impulses = true,
                              .impulse = jumps ? f->impulse + k * (f->m + f->s) : NULL,
                              .t = f->t[k],
                              .frame = k};
  thud_verify_event_compare(&claim, &tables->events, e, &f->checks.events);
  compare_modes(f, k, e);
  if (verify_event_begins_frame(f, k) &&
      !thud_verify_same_numbers(f->n, tables->events.before + e * f->n, tables->v_left + j * f->n))
    fail(f, k, "velocity before");
  if (verify_event_ends_frame(f, k)) {
    if (!thud_verify_same_numbers(f->n, tables->events.after + e * f->n, verify_event_v(f, k)))
      fail(f, k, "velocity after");
    if (!thud_verify_same_numbers(VERIFY_LEDGER_WIDTH, tables->event_ledger + e * VERIFY_LEDGER_WIDTH,
                                  tables->ledger + j * VERIFY_LEDGER_WIDTH))
      fail(f, k, "ledger");
    if (tables->deepest[e] != deepest_order(f, k)) fail(f, k, "order");
  }
  return compare_note(f, reader, k, e);
}

thud_error thud_verify_event_notes(verify_event_rows *f, thud_record_reader *reader) {
  size_t e = 0;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < f->count && error == THUD_OK; k++)
    if (f->event[k] != VERIFY_EVENT_NONE) error = check_event(f, reader, k, e++);
  if (f->checks.events.status == THUD_VERIFY_PASSED) thud_verify_explain(&f->checks.events, "%zu events", e);
  return error;
}
