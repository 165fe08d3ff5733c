/* Events of a quasi-static motion: they report the same as the modes of its frames. */
#include "verify/quasistatic/verify_quasistatic.h"

#include <math.h>
#include <string.h>

static const char *const kinds[] = {"close", "open", "stick", "slip", "jump", "load jump", "fork"};

thud_error thud_verify_quasi_read_events(verify_quasi_motion *m, thud_record_reader *reader, thud_verify_check *check) {
  thud_error error = thud_verify_events_read(m->context, reader, 0, VERIFY_QUASI_EVENT_COUNT, kinds, &m->events, check);
  const verify_channel channels[] = {
      {"release", 1, &m->release}, {"friction", 1, &m->friction}, {"solutions", 1, &m->solutions}};
  const verify_ragged_channel lists[] = {{"contacts", 1, &m->events.constraints}};
  if (error == THUD_OK) error = thud_verify_read_channels(m->context, reader, THUD_RECORD_EVENTS, 3, channels, check);
  if (error == THUD_OK) error = thud_verify_read_ragged(m->context, reader, THUD_RECORD_EVENTS, 1, lists, check);
  thud_verify_check_labels(reader, THUD_RECORD_EVENTS, "contacts", m->quasi->c, m->quasi->contacts, check);
  return error;
}

/* What a contact does when its mode changes; -1: nothing. */
static int change_of(double before, double after) {
  if (before == after) return -1;
  if (before == VERIFY_MODE_OPEN) return VERIFY_QUASI_CLOSE;
  if (after == VERIFY_MODE_OPEN) return VERIFY_QUASI_OPEN;
  return after == VERIFY_MODE_STICK ? VERIFY_QUASI_STICK : VERIFY_QUASI_SLIP;
}

static bool is_change(double kind) { return kind <= VERIFY_QUASI_SLIP; }

static const double *mode_at(const verify_quasi_motion *m, size_t k) { return m->mode + k * m->quasi->c; }

/* Events are in the order of their kinds, each with the contacts that it happens to, in their order. */
static void compare_changes(const verify_quasi_motion *m, size_t k, size_t first, size_t end,
                            thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  double t = m->pieces && m->way[k] == VERIFY_WAY_STEP ? m->t[k - 1] : m->t[k];
  bool changes = m->way[k] == VERIFY_WAY_STEP || m->way[k] == VERIFY_WAY_LOAD;
  size_t e = first;
  for (int kind = VERIFY_QUASI_CLOSE; kind <= VERIFY_QUASI_SLIP; kind++) {
    size_t listed = 0;
    while (e < end && !is_change(m->events.kind[e])) e++;
    bool there = e < end && m->events.kind[e] == kind;
    for (size_t i = 0; i < q->c; i++) {
      if (!changes || change_of(mode_at(m, k - 1)[i], mode_at(m, k)[i]) != kind) continue;
      bool named = there && listed < verify_ragged_count(&m->events.constraints, e) &&
                   verify_ragged_row(&m->events.constraints, e)[listed] == (double)i;
      if (!named) thud_verify_fail(check, m->t[k], k, "'%s' of contact '%s' is missing", kinds[kind], q->contacts[i]);
      listed++;
    }
    if (!there) continue;
    if (listed == 0 || listed != verify_ragged_count(&m->events.constraints, e))
      thud_verify_fail(check, m->t[k], k, "event %zu lists contacts whose mode does not change so", e);
    if (m->events.t[e] != t) thud_verify_fail(check, m->t[k], k, "event %zu is at t = %.17g", e, m->events.t[e]);
    e++;
  }
  while (e < end && !is_change(m->events.kind[e])) e++;
  if (e < end) thud_verify_fail(check, m->t[k], k, "event %zu does not belong to this frame", e);
}

/* Steps were left out: the last thing that happened to a contact leaves it in the mode that it has. */
static void compare_last(const verify_quasi_motion *m, size_t k, size_t first, size_t end, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  for (size_t i = 0; i < q->c; i++) {
    int last = -1;
    double mode = mode_at(m, k)[i];
    for (size_t e = first; e < end; e++)
      for (size_t j = 0; is_change(m->events.kind[e]) && j < verify_ragged_count(&m->events.constraints, e); j++)
        if (verify_ragged_row(&m->events.constraints, e)[j] == (double)i) last = (int)m->events.kind[e];
    bool open = mode == VERIFY_MODE_OPEN, stick = mode == VERIFY_MODE_STICK;
    bool fits = last == -1                   ? mode == mode_at(m, k - 1)[i]
                : last == VERIFY_QUASI_OPEN  ? open
                : last == VERIFY_QUASI_CLOSE ? !open
                : last == VERIFY_QUASI_STICK ? stick
                                             : !open && !stick;
    if (!fits)
      thud_verify_fail(check, m->t[k], k, "the events of contact '%s' do not lead to its mode", q->contacts[i]);
  }
}

/* Forks: on pieces only, where a way begins, with several solutions. Other events have no such figures. */
static void check_figures(const verify_quasi_motion *m, size_t e, thud_verify_check *check) {
  double t = m->events.t[e], kind = m->events.kind[e];
  size_t k = (size_t)m->events.frame[e], listed = verify_ragged_count(&m->events.constraints, e);
  bool jump = kind == VERIFY_QUASI_JUMP, fork = kind == VERIFY_QUASI_FORK;
  if (!jump && (!isnan(m->release[e]) || !isnan(m->friction[e])))
    thud_verify_fail(check, t, k, "event %zu is no jump of the state and releases energy", e);
  if (!jump && !fork && !isnan(m->solutions[e]))
    thud_verify_fail(check, t, k, "event %zu cannot have several solutions", e);
  if (fork && (!m->pieces || !(m->solutions[e] >= 2) || m->solutions[e] != floor(m->solutions[e]) || listed > 0))
    thud_verify_fail(check, t, k, "a fork with %g solutions", m->solutions[e]);
  if (fork && k > 0 && m->way[k] == VERIFY_WAY_STEP && t != m->t[k - 1])
    thud_verify_fail(check, t, k, "the fork is not where the piece begins");
  if ((jump || kind == VERIFY_QUASI_LOAD) && t != m->t[k])
    thud_verify_fail(check, t, k, "the jump of this frame is at t = %.17g", t);
  if (k > 0 && !(t >= m->t[k - 1] && t <= m->t[k]))
    thud_verify_fail(check, t, k, "event %zu lies not between its frame and the one before", e);
}

/* A jump names the contacts whose displacement it changes. */
static void check_moved(const verify_quasi_motion *m, size_t e, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  size_t k = (size_t)m->events.frame[e], next = 0, count = verify_ragged_count(&m->events.constraints, e);
  if (m->events.kind[e] == VERIFY_QUASI_LOAD && count > 0)
    thud_verify_fail(check, m->t[k], k, "a jump of the load names contacts");
  if (m->events.kind[e] != VERIFY_QUASI_JUMP || k == 0) return;
  const double *list = verify_ragged_row(&m->events.constraints, e);
  for (size_t i = 0; i < q->c; i++) {
    double moved = 0;
    for (size_t j = i * q->d; j < (i + 1) * q->d; j++)
      moved = fmax(moved, fabs(verify_quasi_u(m, k)[j] - verify_quasi_u(m, k - 1)[j]));
    bool named = next < count && list[next] == (double)i;
    next += named;
    if (!named && moved > m->tolerance * m->size_u)
      thud_verify_fail(check, m->t[k], k, "the jump moves '%s' by %.3g and does not name it", q->contacts[i], moved);
  }
  if (next < count) thud_verify_fail(check, m->t[k], k, "the contacts of the jump are not in order");
}

void thud_verify_quasi_events(const verify_quasi_motion *m, thud_verify_check *check) {
  for (size_t e = 0; e < m->events.count; e++) {
    check_figures(m, e, check);
    check_moved(m, e, check);
  }
  for (size_t k = 0; k < m->count; k++) {
    size_t first = thud_verify_quasi_first_event(m, k), end = thud_verify_quasi_first_event(m, k + 1);
    if (k == 0 && end > first) thud_verify_fail(check, m->t[0], 0, "the first frame has events");
    if (k == 0) continue;
    if (m->way[k] == VERIFY_WAY_SAME && !thud_verify_same_numbers(m->quasi->c, mode_at(m, k), mode_at(m, k - 1)))
      thud_verify_fail(check, m->t[k], k, "the modes change while nothing happens");
    if (m->way[k] == VERIFY_WAY_FAR)
      compare_last(m, k, first, end, check);
    else
      compare_changes(m, k, first, end, check);
  }
  if (check->status == THUD_VERIFY_PASSED) thud_verify_explain(check, "%zu events", m->events.count);
}
