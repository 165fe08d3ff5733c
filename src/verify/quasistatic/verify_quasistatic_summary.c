/* The summary of a recorded quasi-static motion: the same as its frames and events. */
#include "verify/verify_notes.h"
#include "verify/quasistatic/verify_quasistatic.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

static void compare_summary(const quasi_summary *s, const char *verdict) {
  static const char *const figures[] = {
      "steps",    "solves",        "changes",         "jumps",        "load_jumps",       "first_jump",
      "forks",    "ambiguous",     "most_solutions",  "examined",     "unexamined_modes", "held_by_contacts",
      "residual", "residual_time", "most_iterations", "cycles",       "uniqueness",       "contraction",
      "cycle",    "cycle_advance", "cycle_loss",      "cycle_factor", "error_estimate",   "largest_motion"};
  static const char *const ledger[] = {"stored", "work", "friction", "quadratic", "normal", "defect"};
  const verify_quasi_motion *m = s->m;
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
  compare_error(s, verdict);
  compare_cycles(s);
}

thud_error thud_verify_quasi_summary(const verify_quasi_motion *m, thud_record_reader *reader,
                                     thud_verify_check *check) {
  const thud_record_info info = thud_record_reader_info(reader);
  thud_tree *tree;
  thud_error error = thud_verify_summary_open(m->context, reader, check, &tree);
  if (error == THUD_OK && tree != NULL) {
    const quasi_summary s = {.m = m,
                             .map = thud_tree_root(tree),
                             .check = check,
                             .good = thud_verify_ran_to_end(&info),
                             .last = m->count - 1};
    compare_summary(&s, info.verdict);
  }
  thud_tree_destroy(tree);
  return error;
}
