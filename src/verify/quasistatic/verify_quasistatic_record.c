/* A recorded quasi-static motion: from its file to a list of checks, with events and summary. */
#include "verify/quasistatic/verify_quasistatic.h"
#include "verify/verify_channels.h"
#include "verify/verify_summary.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- events of a quasi-static motion ----------------------------------------------------------------------------- */

/* Events of a quasi-static motion: they report the same as the modes of its frames. */

static const char *const kinds[] = {"close", "open", "stick", "slip", "jump", "load jump", "fork"};

static thud_error quasi_read_events(verify_quasi_motion *m, thud_record_reader *reader, thud_verify_check *check) {
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

static void quasi_events(const verify_quasi_motion *m, thud_verify_check *check) {
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

/* ---- the summary of a recorded quasi-static motion --------------------------------------------------------------- */

/* The summary of a recorded quasi-static motion: the same as its frames and events. */

/* Changes below this part of the largest displacement, and losses below this part of all, count as 0 over a cycle. */
static const double SETTLED = 1e-9;

typedef struct quasi_summary {
  const verify_quasi_motion *m;
  const thud_node *map;
  thud_verify_check *check;
  bool good; /* the run went to its end */
  size_t last;
} quasi_summary;

static void compare(const quasi_summary *s, const char *key, double value, double tolerance) {
  thud_verify_note_number(s->map, key, value, tolerance, s->m->t[s->last], s->last, s->check);
}

/* A figure that may be null: then nothing of the kind has happened. */
static void compare_optional(const quasi_summary *s, const char *key, double value) {
  const thud_node *node = thud_node_find(s->map, key);
  bool none = node != NULL && thud_node_get_kind(node) == THUD_NODE_NULL;
  if (isnan(value) != none)
    thud_verify_fail(s->check, s->m->t[s->last], s->last, "'%s' is %s", key, none ? "null" : "not null");
  if (!isnan(value) && !none) compare(s, key, value, 0);
}

static void at_least(const quasi_summary *s, const char *key, double least) {
  double value;
  if (!thud_verify_note_find(s->map, key, &value) || !(value >= least) || value != floor(value))
    thud_verify_fail(s->check, s->m->t[s->last], s->last, "'%s' is less than %g, or no whole number", key, least);
}

static void compare_flag(const quasi_summary *s, const char *key, bool value) {
  const thud_node *node = thud_node_find(s->map, key);
  if (node == NULL || thud_node_get_kind(node) != THUD_NODE_BOOL || thud_node_bool(node) != value)
    thud_verify_fail(s->check, NAN, SIZE_MAX, "'%s' is not %s", key, value ? "true" : "false");
}

/* ---- counts ---------------------------------------------------------------------------------------------------------- */

typedef struct event_counts {
  double changes, jumps, loads, forks, most, first_jump;
} event_counts;

static event_counts count_events(const verify_quasi_motion *m) {
  event_counts counts = {.first_jump = NAN};
  for (size_t e = 0; e < m->events.count; e++) {
    double kind = m->events.kind[e];
    bool jump = kind == VERIFY_QUASI_JUMP;
    if (kind <= VERIFY_QUASI_SLIP) counts.changes += (double)verify_ragged_count(&m->events.constraints, e);
    if (jump && isnan(counts.first_jump)) counts.first_jump = m->events.t[e];
    counts.jumps += jump;
    counts.loads += kind == VERIFY_QUASI_LOAD;
    counts.forks += kind == VERIFY_QUASI_FORK;
    if (kind == VERIFY_QUASI_FORK) counts.most = fmax(counts.most, m->solutions[e]);
  }
  return counts;
}

/* Numbers of solutions that were found where no fork is reported are the run's; they do not contradict each other. Of a
 * branch that jumped to a chosen equilibrium the fork is no event. */
static void compare_solutions(const quasi_summary *s, const event_counts *counts) {
  verify_quasi_method method = s->m->quasi->method;
  double ambiguous = 0, most = 0, forks = 0, t = s->m->t[s->last];
  bool branch = thud_node_find(s->map, "path") != NULL;
  at_least(s, "forks", counts->forks);
  thud_verify_note_find(s->map, "forks", &forks);
  if (forks > counts->forks + (branch ? counts->jumps : 0))
    thud_verify_fail(s->check, t, s->last, "'forks' counts more than the forks of the motion");
  if (thud_verify_note_missing(s->map, "ambiguous") && thud_verify_note_missing(s->map, "most_solutions")) return;
  at_least(s, "ambiguous", counts->forks);
  at_least(s, "most_solutions", counts->most);
  thud_verify_note_find(s->map, "ambiguous", &ambiguous);
  thud_verify_note_find(s->map, "most_solutions", &most);
  if ((ambiguous > 0) != (most > 1))
    thud_verify_fail(s->check, t, s->last, "up to %g solutions, several of them %g times", most, ambiguous);
  bool looked = method != VERIFY_QUASI_THRESHOLD && method != VERIFY_QUASI_FIXED_POINT;
  if (!looked && most > 0) thud_verify_fail(s->check, t, s->last, "this method looks for no other solutions");
}

/* Pieces: the modes of up to enumerate_up_to contacts are all looked at, those of more at some times not. */
static void compare_examined(const quasi_summary *s) {
  const verify_quasi *q = s->m->quasi;
  bool pieces = q->method == VERIFY_QUASI_EVENTS, few = (double)q->c <= q->enumerate_up_to;
  double count = 0;
  at_least(s, "unexamined_modes", 0);
  thud_verify_note_find(s->map, "unexamined_modes", &count);
  if (count > 0 && (!pieces || few))
    thud_verify_fail(s->check, NAN, SIZE_MAX, "'unexamined_modes' is %g, and all combinations are looked at", count);
  if ((count > 0) != thud_verify_note_warns(s->map, "unexamined-modes"))
    thud_verify_fail(s->check, NAN, SIZE_MAX, "'unexamined_modes' is %g, the warnings say otherwise", count);
  if (pieces || q->c == 1) compare_flag(s, "examined", count == 0);
}

static void compare_counts(const quasi_summary *s) {
  const verify_quasi_motion *m = s->m;
  const verify_quasi *q = m->quasi;
  event_counts counts = count_events(m);
  size_t node;
  bool at_node = thud_verify_quasi_node(q, m->t[s->last], &node), pieces = q->method == VERIFY_QUASI_EVENTS;
  double steps = (double)(at_node || node == 0 ? node : node - 1), first = q->has_initial ? 0 : 1;
  double told_steps;
  /* a run that stops at the end of a step, where the state must jump, may not have completed it */
  bool stopped = !s->good && at_node && thud_verify_note_find(s->map, "steps", &told_steps) && told_steps == steps - 1;
  if (!stopped) compare(s, "steps", steps, 0);
  compare(s, "changes", counts.changes, 0);
  compare(s, "jumps", counts.jumps + counts.loads, 0);
  compare(s, "load_jumps", counts.loads, 0);
  compare_solutions(s, &counts);
  /* Searches for jumps, fixed points and proximal points solve more. */
  bool once = q->method == VERIFY_QUASI_STATIC || q->method == VERIFY_QUASI_THRESHOLD;
  bool told = !thud_verify_note_missing(s->map, "solves"); /* by earlier versions: only the run knows */
  if (told && pieces && s->good)
    compare(s, "solves", counts.loads + first, 0);
  else if (told && once && q->definite && s->good)
    compare(s, "solves", steps + counts.loads + first, 0);
  else if (told)
    at_least(s, "solves", s->good ? steps + counts.loads + first : 0);
  if (s->good) compare_optional(s, "first_jump", counts.first_jump);
  compare_examined(s);
  if (q->rounding < 1e-10 || q->semidefinite) compare_flag(s, "held_by_contacts", !q->definite);
}

/* A proof of one rate solution is not repeated; forks and jumps of the state would contradict it. */
static void compare_uniqueness(const quasi_summary *s) {
  const verify_quasi *q = s->m->quasi;
  const thud_node *node = thud_node_find(s->map, "uniqueness"), *examined = thud_node_find(s->map, "examined");
  if ((q->d == 1 || q->method == VERIFY_QUASI_THRESHOLD) && node == NULL) return;
  const char *text = node != NULL && thud_node_get_kind(node) == THUD_NODE_STRING ? thud_node_string(node) : "";
  bool all = examined != NULL && thud_node_get_kind(examined) == THUD_NODE_BOOL && thud_node_bool(examined);
  event_counts counts = count_events(s->m);
  bool fits = strcmp(text, "proved") == 0 ? counts.forks + counts.jumps == 0
                                          : strcmp(text, all ? "examined" : "not examined") == 0;
  if (!fits) thud_verify_fail(s->check, NAN, SIZE_MAX, "'uniqueness' cannot be '%s' here", text);
}

static void compare_residual(const quasi_summary *s) {
  const verify_quasi_motion *m = s->m;
  double worst = 0, t = m->t[0];
  /* on pieces equilibria are solved for at the start and where the load jumps */
  bool pieces = m->quasi->method == VERIFY_QUASI_EVENTS;
  bool solved = !pieces || !m->quasi->has_initial || count_events(m).loads > 0;
  for (size_t k = 0; k < m->count; k++)
    if (m->residual[k] > worst) worst = m->residual[k], t = m->t[k];
  if (!m->complete || !s->good) return;
  compare_optional(s, "residual", solved ? worst : NAN);
  compare(s, "residual_time", t, 0);
}

/* The largest displacement from the start, and the error that increments estimate: by it they are good or coarse. Records of
 * earlier versions have neither. */
static void compare_error(const quasi_summary *s, const char *verdict) {
  const verify_quasi_motion *m = s->m;
  const verify_quasi *q = m->quasi;
  double largest = 0, claimed, error = NAN;
  if (thud_verify_note_missing(s->map, "error_estimate") && thud_verify_note_missing(s->map, "largest_motion")) return;
  for (size_t k = 0; k < m->count * q->n; k++) largest = fmax(largest, fabs(m->U[k] - q->scene.initial[k % q->n]));
  if (m->complete) compare(s, "largest_motion", largest, 4 * DBL_EPSILON * largest);
  if (!thud_verify_note_find(s->map, "largest_motion", &claimed) || !(claimed >= largest * (1 - 4 * DBL_EPSILON)))
    thud_verify_fail(s->check, m->t[s->last], s->last, "'largest_motion' is less than %g", largest);
  bool path = q->method != VERIFY_QUASI_EVENTS && q->method != VERIFY_QUASI_STATIC;
  bool made = path && q->d > 1 && (q->coarse_above > 0 || q->error_tolerance > 0);
  const thud_node *node = thud_node_find(s->map, "error_estimate");
  bool none = node != NULL && thud_node_get_kind(node) == THUD_NODE_NULL;
  if (made == none) thud_verify_fail(s->check, NAN, SIZE_MAX, "'error_estimate' is %s", none ? "null" : "not null");
  if (!made || none || !thud_verify_note_find(s->map, "error_estimate", &error)) return;
  if (!(error >= 0)) thud_verify_fail(s->check, NAN, SIZE_MAX, "'error_estimate' is negative");
  bool coarse = q->coarse_above > 0 && error > q->coarse_above * claimed;
  if (s->good && coarse != (strcmp(verdict, "coarse") == 0))
    thud_verify_fail(s->check, NAN, SIZE_MAX, "the error %g beside a motion of %g does not make the run '%s'", error,
                     claimed, verdict);
}

/* ---- cycles ------------------------------------------------------------------------------------------------------------ */

enum { ENDS = 4 };

typedef struct cycle_ends {
  double cycles;      /* that have ended */
  size_t frame[ENDS]; /* at the ends of the last ones, the last first */
  size_t found;
} cycle_ends;

/* The frame at the end of every cycle, after its jumps. */
static cycle_ends find_ends(const verify_quasi_motion *m) {
  const verify_quasi *q = m->quasi;
  cycle_ends ends = {.cycles = -1};
  for (size_t k = 0; k < m->count; k++) {
    double cycles = (m->t[k] - q->scene.start) / q->period, whole = round(cycles);
    if (fabs(cycles - whole) > SETTLED * fmax(1, whole) || m->side[k] < 0) continue;
    if (whole > ends.cycles) {
      memmove(ends.frame + 1, ends.frame, (ENDS - 1) * sizeof *ends.frame);
      ends.found++;
    }
    ends.frame[0] = k;
    ends.cycles = whole;
  }
  return ends;
}

static double moved_between(const verify_quasi_motion *m, size_t a, size_t b) {
  double largest = 0;
  for (size_t i = 0; i < m->quasi->n; i++)
    largest = fmax(largest, fabs(verify_quasi_U(m, a)[i] - verify_quasi_U(m, b)[i]));
  return largest;
}

static double change_of_change(const verify_quasi_motion *m, const size_t *frame) {
  double largest = 0;
  for (size_t i = 0; i < m->quasi->n; i++) {
    const double *a = verify_quasi_U(m, frame[0]), *b = verify_quasi_U(m, frame[1]), *c = verify_quasi_U(m, frame[2]);
    largest = fmax(largest, fabs(a[i] - 2 * b[i] + c[i]));
  }
  return largest;
}

static void compare_cycles(const quasi_summary *s) {
  const verify_quasi_motion *m = s->m;
  if (m->quasi->period == 0 || !m->complete || !s->good) return;
  cycle_ends ends = find_ends(m);
  const thud_node *node = thud_node_find(s->map, "cycle");
  const char *text = node != NULL && thud_node_get_kind(node) == THUD_NODE_STRING ? thud_node_string(node) : "";
  compare(s, "cycles", ends.cycles, 0);
  if (ends.cycles < 3 || ends.found < ENDS) {
    if (strcmp(text, "too few") != 0) thud_verify_fail(s->check, NAN, SIZE_MAX, "'cycle' is not 'too few'");
    return;
  }
  double size = 0, total = m->ledger[ends.frame[0] * VERIFY_QUASI_LEDGER + 2];
  double loss = total - m->ledger[ends.frame[1] * VERIFY_QUASI_LEDGER + 2];
  for (size_t k = 0; k < m->count * m->quasi->n; k++) size = fmax(size, fabs(m->U[k]));
  double advance = moved_between(m, ends.frame[0], ends.frame[1]),
         before = moved_between(m, ends.frame[1], ends.frame[2]);
  bool repeats = advance <= SETTLED * size, lossless = fabs(loss) <= SETTLED * fmax(fabs(total), fabs(loss));
  const thud_node *held = thud_node_find(s->map, "held_by_contacts"); /* a definite K lets nothing advance for ever */
  bool semidefinite = held != NULL && thud_node_get_kind(held) == THUD_NODE_BOOL && thud_node_bool(held);
  bool ratchets = !repeats && semidefinite && change_of_change(m, ends.frame) <= SETTLED * size;
  const char *what = ratchets ? "ratchetting" : !repeats ? "transient" : lossless ? "shakedown" : "limit cycle";
  if (strcmp(text, what) != 0) thud_verify_fail(s->check, NAN, SIZE_MAX, "'cycle' is '%s', not '%s'", text, what);
  compare(s, "cycle_advance", advance, 4 * DBL_EPSILON * advance);
  compare(s, "cycle_loss", loss, 4 * DBL_EPSILON * fabs(total));
  if (!repeats && !ratchets) compare(s, "cycle_factor", advance / before, 1e-12 * advance / before);
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------ */

static thud_error compare_summary(verify_record *record, void *motion, const thud_node *summary,
                                  thud_verify_check *check) {
  static const char *const figures[] = {
      "steps",    "solves",        "changes",         "jumps",        "load_jumps",       "first_jump",
      "forks",    "ambiguous",     "most_solutions",  "examined",     "unexamined_modes", "held_by_contacts",
      "residual", "residual_time", "most_iterations", "cycles",       "uniqueness",       "contraction",
      "cycle",    "cycle_advance", "cycle_loss",      "cycle_factor", "error_estimate",   "largest_motion"};
  static const char *const ledger[] = {"stored", "work", "friction", "quadratic", "normal", "defect"};
  const verify_quasi_motion *m = motion;
  const quasi_summary made = {.m = m,
                              .map = summary,
                              .check = check,
                              .good = thud_verify_ran_to_end(&record->info),
                              .last = m->count - 1},
                      *s = &made;
  const verify_quasi *q = m->quasi;
  size_t last = s->last;
  double t = m->t[last];
  const thud_node *state = thud_node_find(s->map, "state");
  thud_verify_summary_keys(s->map, sizeof figures / sizeof *figures, figures, s->check);
  compare(s, "time", t, 0);
  thud_verify_note_numbers(state, q->n, q->scene.names, verify_quasi_U(m, last), t, last, s->check);
  thud_verify_note_numbers(state, q->m, (const char *const *)q->reactions, verify_quasi_r(m, last), t, last, s->check);
  thud_verify_note_numbers(thud_node_find(s->map, "ledger"), VERIFY_QUASI_LEDGER, ledger,
                           m->ledger + last * VERIFY_QUASI_LEDGER, t, last, s->check);
  compare_counts(s);
  compare_uniqueness(s);
  compare_residual(s);
  compare_error(s, record->info.verdict);
  compare_cycles(s);
  return THUD_OK;
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

enum { STRUCTURE, INITIAL, EQUILIBRIUM, GAP, LAW, FRICTION, MODES, JUMPS, ENERGY, RESIDUAL, EVENTS, SUMMARY, FINISHED };
static thud_error read_frames(verify_quasi_motion *m, thud_record_reader *reader, thud_verify_check *structure) {
  static const char *const modes[] = {"open", "stick", "slip+", "slip-"};
  static const char *const ledger[] = {"stored", "work", "friction", "quadratic", "normal", "defect"};
  const verify_quasi *q = m->quasi;
  thud_record_info info = thud_record_reader_info(reader);
  m->count = info.rows[THUD_RECORD_FRAMES];
  m->complete = q->scene.record_every == 0;
  m->pieces = q->method == VERIFY_QUASI_EVENTS;
  const verify_channel channels[] = {{"time", 1, &m->t},           {"side", 1, &m->side},
                                     {"state", q->n, &m->U},       {"reaction", q->m, &m->r},
                                     {"load", q->n, &m->load},     {"gap", q->c, &m->gap},
                                     {"mode", q->c, &m->mode},     {"ledger", VERIFY_QUASI_LEDGER, &m->ledger},
                                     {"residual", 1, &m->residual}};
  thud_error error = thud_verify_read_channels(m->context, reader, THUD_RECORD_FRAMES,
                                               sizeof channels / sizeof *channels, channels, structure);
  if (error != THUD_OK) return error;
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "state", q->n, q->scene.names, structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "reaction", q->m, (const char *const *)q->reactions,
                               structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "load", q->n, q->scene.names, structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "gap", q->c, q->contacts, structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "mode", q->c, q->contacts, structure);
  thud_verify_check_components(reader, THUD_RECORD_FRAMES, "ledger", VERIFY_QUASI_LEDGER, ledger, structure);
  thud_verify_check_labels(reader, THUD_RECORD_FRAMES, "mode", VERIFY_MODE_COUNT, modes, structure);
  thud_verify_check_made_by(&info, "quasistatic", q->scene.method, structure);
  if (m->count == 0) thud_verify_fail(structure, NAN, SIZE_MAX, "the record has no frames");
  return THUD_OK;
}

/* Pieces have none; where the load jumps, contact problems are solved there, too. */
static void check_residuals(const verify_quasi_motion *m, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  bool solved = !m->pieces;
  for (size_t k = 0; k < m->count; k++) solved = solved || m->way[k] == VERIFY_WAY_LOAD;
  double tolerance = solved ? fmax(m->tolerance, q->scene.tolerance) : 0;
  for (size_t k = 0; k < m->count; k++) thud_verify_tally(check, fabs(m->residual[k]), tolerance, 0, m->t[k], k);
}

/* The left limit at a jump is the frame before once more. */
static void check_same(const verify_quasi_motion *m, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  for (size_t k = 1; k < m->count; k++)
    if (m->way[k] == VERIFY_WAY_SAME &&
        !(thud_verify_same_numbers(q->n, verify_quasi_U(m, k), verify_quasi_U(m, k - 1)) &&
          thud_verify_same_numbers(q->m, verify_quasi_r(m, k), verify_quasi_r(m, k - 1)) &&
          thud_verify_same_numbers(q->c, m->gap + k * q->c, m->gap + (k - 1) * q->c)))
      thud_verify_fail(check, m->t[k], k, "the left limit is not the frame before");
}

static thud_error check_motion(verify_quasi_motion *m, verify_record *record) {
  thud_verify_check *checks = record->checks;
  thud_verify_quasi_structure(m, thud_verify_ran_to_end(&record->info), &checks[STRUCTURE]);
  if (checks[STRUCTURE].status == THUD_VERIFY_FAILED) return THUD_OK;
  check_same(m, &checks[STRUCTURE]);
  thud_verify_quasi_loads(m, &checks[JUMPS]);
  thud_verify_quasi_initial(m, &checks[INITIAL]);
  thud_verify_quasi_claimed_loads(m, &checks[EQUILIBRIUM]);
  thud_verify_quasi_equilibrium(m, &checks[EQUILIBRIUM]);
  thud_verify_quasi_gaps(m, &checks[GAP]);
  thud_verify_quasi_law(m, &checks[LAW]);
  thud_verify_quasi_friction(m, &checks[FRICTION]);
  thud_verify_quasi_modes(m, &checks[MODES]);
  thud_verify_quasi_jumps(m, &checks[JUMPS]);
  thud_verify_quasi_energy(m, &checks[ENERGY]);
  check_residuals(m, &checks[RESIDUAL]);
  quasi_events(m, &checks[EVENTS]);
  return thud_verify_check_summary(record, m, NULL);
}

static thud_error read_scene(const verify_record *record, void *scene) {
  return thud_verify_quasi_create(record->context, record->tree, scene);
}

static thud_error check(verify_record *record, void *scene) {
  thud_verify_check *checks = record->checks;
  verify_quasi_motion motion = {.context = record->context, .quasi = *(verify_quasi **)scene};
  thud_error error = read_frames(&motion, record->reader, &checks[STRUCTURE]);
  if (error == THUD_OK) error = quasi_read_events(&motion, record->reader, &checks[STRUCTURE]);
  if (error == THUD_OK && checks[STRUCTURE].status != THUD_VERIFY_FAILED) {
    error = thud_verify_quasi_prepare(&motion, record->options->tolerance);
    if (error == THUD_OK) error = check_motion(&motion, record);
  }
  thud_verify_quasi_motion_free(&motion);
  return error;
}

static void release_scene(void *scene) { thud_verify_quasi_destroy(*(verify_quasi **)scene); }

static const char *const names_of_checks[] = {[STRUCTURE] = "structure",
                                              [INITIAL] = "initial",
                                              [EQUILIBRIUM] = "equilibrium",
                                              [GAP] = "gap",
                                              [LAW] = "law",
                                              [FRICTION] = "friction",
                                              [MODES] = "modes",
                                              [JUMPS] = "jumps",
                                              [ENERGY] = "energy",
                                              [RESIDUAL] = "residual",
                                              [EVENTS] = "events",
                                              [SUMMARY] = "summary",
                                              [FINISHED] = "finished",
                                              [FINISHED + 1] = NULL};

/* Defaults of its scenes: written after docs/scene-format.md, not after the tables of src. */
static const verify_default defaults[] = {
    {"/quasistatic/continuum", "false", NULL, NULL}, {"/quasistatic/contacts/*/name", "contact#1", NULL, NULL},
    {"/quasistatic/contacts/*/gap", "0", "*", NULL}, {"/simulate/method", "increments", "*", NULL},
    {"/simulate/tolerance", "1e-10", "*", NULL},     {"/simulate/max_iterations", "10000", NULL, NULL},
    {"/simulate/on_jump", "stop", NULL, NULL},       {"/simulate/enumerate_up_to", "8", "event-driven", NULL},
    {"/simulate/jump_factor", "1", NULL, NULL},      {"/simulate/error_tolerance", "0", NULL, NULL},
    {"/simulate/coarse_above", "0.1", NULL, NULL},   {NULL, NULL, NULL, NULL}};

const verify_record_kind thud_verify_quasi_kind = {.name = "quasistatic",
                                                   .section = "quasistatic",
                                                   .checks = names_of_checks,
                                                   .defaults = {defaults},
                                                   .size = sizeof(verify_quasi *),
                                                   .read = read_scene,
                                                   .check = check,
                                                   .release = release_scene,
                                                   .compare = compare_summary,
                                                   .trajectory = thud_verify_quasi_trajectory};
