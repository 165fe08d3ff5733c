/* Accumulations of impacts, and points at which they may begin from the right. */
#include "motions/event/event.h"

#include <float.h>

/* ---- accumulations ------------------------------------------------------------------------------------------------- */

/* Near the limit of an accumulation the motion is self-similar: from one cycle (one impact, or a few constraints hit in
 * turn) to the next durations, velocities, positions and impulses change by geometric sequences, up to terms of second
 * order in what is left. Their ratios are not the same: a ball that bounces on a floor has the ratio e for durations
 * and velocities and e^2 for heights; in the collapse of a ball between others the flights shrink much faster than the
 * velocities. So every quantity x has its own (Aitken): with dx its change over the last cycle and r = dx / (that
 * before),
 *   limit = x + dx r/(1 - r),
 * for the time with the durations of cycles as dx. The accumulation is followed impact by impact until what is left of
 * it is below an option, so that terms of second order do not count. The error is estimated by the limit that the cycle
 * before would have given, and by what is missing there until the contacts are closed and at rest; as long as it is
 * not small the next impacts are waited for.
 *
 * Where contacts with restitution are struck in turn (a block that rocks and bounces at each corner) the limits of such
 * accumulations accumulate again. So there are levels: the blows of level 0 are impacts, those of level 1 the limits of
 * level 0 together with the impacts since the limit before. */

static size_t place_of(const event_zeno_level *level, size_t back) { return (level->count - 1 - back) % ZENO_RING; }

/* Where the arrays of a level keep blow number count-1-back, in units of their vectors. */
static size_t entry_of(const event_zeno *zeno, size_t level, size_t back) {
  return level * ZENO_RING + place_of(&zeno->level[level], back);
}

static void forget_level(const event_problem *problem, event_zeno *zeno, size_t level) {
  size_t rows = problem->m + problem->s;
  zeno->level[level].count = zeno->level[level].impacts = 0;
  zeno->level[level].clock = zeno->level[level].flight = 0;
  zeno->level[level].refused = false;
  memset(zeno->total + level * rows, 0, rows * sizeof(double));
  memset(zeno->pending + level * rows, 0, rows * sizeof(double));
}

void thud_event_zeno_forget(const event_problem *problem, event_zeno *zeno, size_t level) {
  for (size_t below = 0; below <= level; below++) forget_level(problem, zeno, below);
}

/* The largest impulse at a unilateral constraint, in units in which every gradient has length 1. */
static double strongest_of(const event_problem *problem, const sim_arc *arc, const double *impulse) {
  double strongest = 0;
  for (size_t i = 0; i < problem->m; i++)
    if (!event_is_equation(problem, i)) strongest = fmax(strongest, fabs(impulse[i]) * event_row_unit(arc, i));
  return strongest;
}

/* Whether constraint i has part in these impulses. A contact that takes part in the velocity problem and that nothing
 * strikes may be left with an impulse within the tolerance of the problem: that is not a blow. */
static bool is_struck(const event_problem *problem, const sim_arc *arc, const double *impulse, size_t i) {
  return !event_is_equation(problem, i) && impulse[i] != 0 &&
         fabs(impulse[i]) * event_row_unit(arc, i) >
             problem->options.residual_tolerance * strongest_of(problem, arc, impulse);
}

/* FNV-1a over the constraints that were struck. */
static uint64_t who_was_struck(const event_problem *problem, const sim_arc *arc, const double *impulse) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < problem->m; i++)
    if (is_struck(problem, arc, impulse, i)) hash = (hash ^ (i + 1)) * 1099511628211u;
  return hash;
}

/* The shortest period with which the last two cycles repeat each other; 0: none. */
static size_t period_of(const event_zeno_level *level) {
  for (size_t period = 1; period <= ZENO_PERIODS && 2 * period < level->count; period++) {
    bool repeats = true;
    for (size_t back = 0; back <= period; back++)
      repeats = repeats && level->who[place_of(level, back)] == level->who[place_of(level, back + period)];
    if (repeats) return period;
  }
  return 0;
}

static double cycle(const event_zeno_level *level, size_t period, size_t back) {
  double sum = 0;
  for (size_t k = 0; k < period; k++) sum += level->took[place_of(level, back + k)];
  return sum;
}

bool thud_event_zeno_in_tail(const event_problem *problem, const event_zeno *zeno) {
  const event_zeno_level *impacts = &zeno->level[0];
  size_t period = impacts->count > 2 ? period_of(impacts) : 0;
  if (period == 0) return false;
  double last = cycle(impacts, period, 0), run = problem->options.end - problem->options.start;
  return last < cycle(impacts, period, period) && last < (double)period * problem->options.fork_flight * run;
}

/* The blow that has just been, whose impulses are in `pending`, with this velocity, is the next one of its level. */
static void note_blow(event_motion *motion, size_t level, const double *v) {
  event_zeno *zeno = &motion->zeno;
  event_zeno_level *blows = &zeno->level[level];
  size_t n = motion->problem.n, rows = motion->problem.m + motion->problem.s;
  double *pending = zeno->pending + level * rows;
  blows->count++;
  size_t here = place_of(blows, 0), entry = entry_of(zeno, level, 0);
  blows->took[here] = blows->flight;
  blows->flight = 0;
  blows->who[here] = who_was_struck(&motion->problem, motion->arc, pending);
  memcpy(zeno->q + entry * n, motion->state.q, n * sizeof(double));
  memcpy(zeno->v + entry * n, v, n * sizeof(double));
  memcpy(zeno->impulse + entry * rows, pending, rows * sizeof(double));
  for (size_t i = 0; i < rows; i++) zeno->total[level * rows + i] += pending[i];
  memset(pending, 0, rows * sizeof(double));
}

/* A blow that may begin an accumulation: the impact itself, or the limit of what has accumulated one level below. */
static void begin_with_blow(event_motion *motion, size_t level, const double *v) {
  event_zeno *zeno = &motion->zeno;
  size_t rows = motion->problem.m + motion->problem.s;
  forget_level(&motion->problem, zeno, level);
  zeno->level[level].begin = level == 0 ? motion->state.t : zeno->level[level - 1].begin;
  zeno->level[level].impacts = level == 0 ? 1 : zeno->level[level - 1].impacts;
  memcpy(zeno->pending + level * rows, level == 0 ? motion->event.impulse : zeno->total + (level - 1) * rows,
         rows * sizeof(double));
  note_blow(motion, level, v);
}

/* One more blow of the level. */
static void add_blow(event_motion *motion, size_t level, const double *v) {
  event_zeno_level *blows = &motion->zeno.level[level];
  if (blows->count == 0) {
    begin_with_blow(motion, level, v);
    return;
  }
  note_blow(motion, level, v);
  if (blows->count <= 2) return;
  size_t period = period_of(blows);
  bool shrinks = period > 0 && cycle(blows, period, 0) < cycle(blows, period, period);
  if (shrinks || (period == 0 && blows->count <= (size_t)2 * ZENO_PERIODS)) return;
  begin_with_blow(motion, level, v); /* those before it do not belong to an accumulation */
  if (level == 0) motion->zeno.small_limits++;
}

/* The impulses of the present event belong to the blows of the levels from `level` on. */
static void add_impulses(event_motion *motion, size_t level) {
  size_t rows = motion->problem.m + motion->problem.s;
  for (; level < ZENO_LEVELS; level++)
    for (size_t i = 0; i < rows; i++) motion->zeno.pending[level * rows + i] += motion->event.impulse[i];
}

void thud_event_zeno_add_impact(event_motion *motion) {
  event_zeno *zeno = &motion->zeno;
  zeno->fastest = fmax(zeno->fastest, thud_arc_distance(motion->arc, motion->event.v_before, NULL));
  for (size_t level = 0; level < ZENO_LEVELS; level++) zeno->level[level].impacts++;
  add_impulses(motion, 0);
  add_blow(motion, 0, motion->event.v_before);
}

typedef struct limit {
  size_t level, period;
  double ratio; /* of the durations */
  double left;  /* time to the limit */
  double time;  /* what times count beside */
  double error; /* relative */
} limit;

/* What is still to come of a sequence whose last changes were `before` and `last`; what does not shrink is rounding, or
 * shows in the error. */
static double rest_of(double before, double last, double common_ratio) {
  double ratio = fabs(last) < fabs(before) ? last / before : common_ratio;
  return last * (ratio / (1 - ratio));
}

/* Limits of the n sequences whose values at the blows are x, into `at`; returns how far they are from
 * those of the cycle before, in the kinetic metric. */
static double limits_of(event_motion *motion, const limit *found, const double *x, double *at) {
  const event_zeno *zeno = &motion->zeno;
  size_t n = motion->problem.n, period = found->period, level = found->level;
  double *change = motion->state.saved;
  for (size_t i = 0; i < n; i++) {
    double now = x[entry_of(zeno, level, 0) * n + i], before = x[entry_of(zeno, level, period) * n + i];
    double earlier = x[entry_of(zeno, level, 2 * period) * n + i], first = x[entry_of(zeno, level, 3 * period) * n + i];
    at[i] = now + rest_of(before - earlier, now - before, found->ratio);
    change[i] = at[i] - (before + rest_of(earlier - first, before - earlier, found->ratio));
  }
  return thud_arc_distance(motion->arc, change, NULL);
}

/* Velocities and distances (in the kinetic metric) as relative errors. */
static double relative_error(const event_zeno *zeno, const limit *found, double velocity, double distance) {
  double speed = fmax(zeno->fastest, DBL_MIN);
  return fmax(velocity / speed, distance / (speed * found->time));
}

/* Flights inside a cycle of level 1 are as high as the square of its duration d, and positions are rounded: with d/T of
 * the time left, extrapolation is off by (d/T)^2/(1-r)^2 and the times by DBL_EPSILON/(d/T)/(1-r)^2. Nothing better than
 * the point where the two meet is to be had, however long one waits. */
static double accepted_error(const event_problem *problem, size_t level, double ratio) {
  double best = level == 0 ? 0 : 4 * pow(DBL_EPSILON, 2.0 / 3) / ((1 - ratio) * (1 - ratio));
  return fmax(problem->options.zeno_tolerance, best);
}

/* What may be left, relative: at level 1 what is left where the last cycle is as long as that point says. */
static double remaining_time(const event_problem *problem, size_t level, double ratio) {
  double best = level == 0 ? 0 : 4 * cbrt(DBL_EPSILON) / (1 - ratio);
  return fmax(problem->options.zeno_remaining, best);
}

/* The limit that the last cycles point to; false: they do not yet show one, or too much is left. */
static bool find_limit(const event_problem *problem, const event_present *state, const event_zeno *zeno, size_t level,
                       limit *found) {
  const event_zeno_level *blows = &zeno->level[level];
  size_t period = blows->count > 2 ? period_of(blows) : 0;
  if (period == 0 || 3 * period >= blows->count || blows->refused) return false;
  double last = cycle(blows, period, 0), before = cycle(blows, period, period);
  double first = cycle(blows, period, 2 * period), ratio = last / before, earlier = before / first;
  if (!(last > 0 && ratio < 1 && earlier < 1)) return false;
  double factor = ratio / (1 - ratio), left = last * factor;
  double time = fmax(fabs(state->t), blows->clock);
  double difference = fabs(factor - earlier / (1 - earlier));
  if (left > remaining_time(problem, level, ratio) * time) return false;
  *found = (limit){.level = level,
                   .period = period,
                   .ratio = ratio,
                   .left = left,
                   .time = time,
                   .error = (last * difference) / time + DBL_EPSILON};
  return found->error <= accepted_error(problem, level, ratio);
}

/* Rows that hold where the contacts in `struck` have come to rest. */
static void hold_rows(const event_problem *problem, const event_modes *modes, event_projection *projection,
                      const bool *struck) {
  for (size_t row = 0; row < problem->m + problem->s; row++)
    projection->hold[row] =
        row < problem->m && (event_is_equation(problem, row) || struck[row] || event_lasts(modes->mode[row]));
}

/* Slips at the limit are known as well as the limit is: what is within its accepted error has come to rest with the
 * contacts, and is held with them. The arc has been begun. */
static bool hold_resting_slips(event_motion *motion, double error) {
  const sim_arc *arc = motion->arc;
  double still = error * motion->zeno.fastest;
  bool any = false;
  for (size_t l = 0; l < motion->problem.law_count; l++) {
    const event_law *law = &motion->friction.laws[l];
    bool rests = motion->contacts.slip[l] == EVENT_SLIP_UNKNOWN;
    for (size_t c = 0; c < law->directions; c++)
      rests = rests && fabs(arc->jet[arc->jets.layout.slip_velocity + law->first + c]) <=
                           still * event_row_unit(arc, event_row_of(arc, law, c));
    if (!rests) continue;
    motion->contacts.slip[l] = 0;
    for (size_t c = 0; c < law->directions; c++) motion->projection.hold[event_row_of(arc, law, c)] = any = true;
  }
  return any;
}

/* The rows of the contacts `struck`, closed and at rest in q and v, which are known up to this error; the velocity was
 * `before`. */
static thud_error bring_to_rest(event_motion *motion, double error_of_limit, const bool *struck, const double *before) {
  const event_problem *problem = &motion->problem;
  hold_rows(problem, &motion->modes, &motion->projection, struck);
  for (size_t l = 0; l < problem->law_count; l++)
    if (motion->friction.laws[l].constraint < 0 || struck[motion->friction.laws[l].constraint])
      motion->contacts.slip[l] = EVENT_SLIP_UNKNOWN;
  for (size_t i = 0; i < problem->m; i++)
    if (struck[i]) motion->contacts.contact[i] = EVENT_REST;
  event_present *state = &motion->state;
  thud_error error = thud_event_project_held(motion);
  if (error == THUD_OK && hold_resting_slips(motion, error_of_limit)) error = thud_event_project_held(motion);
  if (error != THUD_OK || !thud_event_clear_rounding(motion->arc, before, state->v)) return error;
  return thud_arc_begin(motion->arc, state->t, state->q, state->v);
}

/* q and v at the limit, where the contacts are closed and at rest: what is missing until then is an error. */
static thud_error go_to_limit(event_motion *motion, limit *found) {
  event_present *state = &motion->state;
  const event_zeno *zeno = &motion->zeno;
  size_t n = motion->problem.n;
  double *q = state->saved, *v = state->saved + n;
  double distance = limits_of(motion, found, zeno->q, state->q);
  double velocity = limits_of(motion, found, zeno->v, state->v);
  state->t = fmin(state->t + found->left, thud_event_next_stop(&motion->problem, &motion->loads));
  memcpy(q, state->q, n * sizeof(double));
  memcpy(v, state->v, n * sizeof(double));
  thud_error error = thud_arc_begin(motion->arc, state->t, state->q, state->v);
  if (error == THUD_OK)
    error = bring_to_rest(motion, accepted_error(&motion->problem, found->level, found->ratio), motion->event.involved,
                          zeno->v + entry_of(zeno, found->level, 0) * n);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < n; i++) {
    q[i] -= state->q[i];
    v[i] -= state->v[i];
  }
  double beside =
      relative_error(zeno, found, thud_arc_distance(motion->arc, v, NULL), thud_arc_distance(motion->arc, q, NULL));
  found->error += beside + relative_error(zeno, found, velocity, distance);
  return THUD_OK;
}

/* Who takes part in the last cycle. */
static void mark_involved(event_motion *motion, const limit *found) {
  event_happening *event = &motion->event;
  const event_zeno *zeno = &motion->zeno;
  size_t rows = motion->problem.m + motion->problem.s;
  for (size_t i = 0; i < motion->problem.m; i++) {
    event->involved[i] = false;
    for (size_t back = 0; back < found->period; back++)
      event->involved[i] =
          event->involved[i] ||
          is_struck(&motion->problem, motion->arc, zeno->impulse + entry_of(zeno, found->level, back) * rows, i);
  }
}

/* The contacts that were struck must stay closed; otherwise this is not an accumulation. */
static bool contacts_last(const event_problem *problem, const event_happening *event, const event_modes *modes) {
  for (size_t i = 0; i < problem->m; i++)
    if (event->involved[i] && !event_lasts(modes->mode[i])) return false;
  return true;
}

/* The parabola that begins with the state after the last impact, where the ledger was `before`, and ends at the limit.
 */
static thud_error emit_rest(event_motion *motion, const thud_motion_sink *sink, double t0, const double *q0,
                            const double *v0, const thud_ledger *before) {
  size_t n = motion->problem.n, rows = motion->problem.m + motion->problem.s;
  double *q = motion->zeno.tail, left = motion->state.t - t0;
  for (size_t i = 0; i < n; i++) {
    q[i] = q0[i];
    q[n + i] = v0[i];
    q[2 * n + i] = left > 0 ? ((motion->state.q[i] - q0[i]) / left - v0[i]) / left : 0;
  }
  memset(q + 3 * n, 0, rows * sizeof(double));
  const thud_event_arc piece = {.t0 = t0,
                                .t1 = motion->state.t,
                                .degree = 2,
                                .q = q,
                                .reaction = q + 3 * n,
                                .mode = motion->modes.mode_before,
                                .order = motion->modes.order,
                                .after_event = true,
                                .accumulation = true,
                                .ledger = *before,
                                .proof = THUD_ARC_ASSUMED};
  motion->info.arcs++;
  motion->info.assumed_arcs++;
  return thud_event_emit_arc(motion, sink, &piece);
}

/* The limit is the one of the present time. */
static void set_limit(event_motion *motion, size_t level, double ratio, double error, double left) {
  const event_zeno_level *blows = &motion->zeno.level[level];
  motion->zeno.limit = (event_zeno_limit){.reached = true,
                                          .level = level,
                                          .begin = blows->begin,
                                          .ratio = ratio,
                                          .error = error,
                                          .duration = motion->state.t - blows->begin,
                                          .impacts = blows->impacts};
  if (level == 0) motion->zeno.limit.duration = blows->clock + left;
  motion->info.zeno_limits++;
}

/* What the blows that were left out give, and how much energy they take. The limit is a blow of the next level. */
static void book_limit(event_motion *motion, const limit *found, double energy_before) {
  event_zeno *zeno = &motion->zeno;
  size_t rows = motion->problem.m + motion->problem.s;
  /* Among hops lower than the rounding of positions that of the time in which they pass counts. */
  bool hidden = found->level == 0 && zeno->small_limits > 0;
  double error = hidden ? fmax(found->error, sqrt(EVENT_ROUNDING * DBL_EPSILON)) : found->error;
  set_limit(motion, found->level, found->ratio, error, found->left);
  for (size_t i = 0; i < rows; i++) {
    double last = 0, before = 0;
    for (size_t back = 0; back < found->period; back++) {
      last += zeno->impulse[entry_of(zeno, found->level, back) * rows + i];
      before += zeno->impulse[entry_of(zeno, found->level, back + found->period) * rows + i];
    }
    motion->event.impulse[i] = rest_of(before, last, found->ratio);
    zeno->total[found->level * rows + i] += motion->event.impulse[i];
  }
  zeno->small_limits++;
  motion->info.ledger.impact_loss += energy_before - motion->info.ledger.kinetic - motion->info.ledger.potential;
  for (size_t above = found->level + 1; above < ZENO_LEVELS; above++)
    zeno->level[above].flight += found->left, zeno->level[above].clock += found->left;
  add_impulses(motion, found->level + 1);
  if (found->level + 1 < ZENO_LEVELS) add_blow(motion, found->level + 1, motion->state.v);
}

/* ---- impacts that time cannot distinguish -------------------------------------------------------------------------
 * */

/* The contacts that this impact has struck. */
static void mark_recent(const event_problem *problem, const event_happening *event, event_zeno *zeno) {
  for (size_t i = 0; i < problem->m; i++)
    zeno->recent[i] = zeno->recent[i] || (event->involved[i] && !event_is_equation(problem, i));
}

/* Accumulations without a common ratio (in a corner those of two contacts come nested) shrink below the resolution of
 * the time, or the flights between limits below that of positions, where rounding keeps them up for ever. After
 * ZENO_UNRESOLVED impacts at one and the same time, or such limits, whatever velocities are left at the contacts struck
 * is taken away, provided that it (where positions do not resolve it: its energy) is nothing beside the motion. */
static bool is_unresolved(const event_motion *motion, double *left) {
  const sim_arc *arc = motion->arc;
  double speed = fmax(motion->zeno.fastest, DBL_MIN);
  *left = 0;
  for (size_t i = 0; i < motion->problem.m; i++)
    if (motion->zeno.recent[i])
      *left = fmax(*left, fabs(arc->jet[arc->jets.layout.velocity + i]) / event_row_unit(arc, i) / speed);
  double tolerance = motion->problem.options.zeno_tolerance;
  return (motion->run.same_time >= ZENO_UNRESOLVED && *left <= tolerance) ||
         (motion->zeno.small_limits >= ZENO_UNRESOLVED && *left * *left <= tolerance);
}

/* The contacts struck come to rest here and now, by the impulses that this takes. */
static thud_error close_unresolved(event_motion *motion, double left) {
  const event_problem *problem = &motion->problem;
  event_zeno *zeno = &motion->zeno;
  size_t rows = problem->m + problem->s;
  thud_ledger *ledger = &motion->info.ledger;
  thud_error error = thud_event_book_energy(motion);
  if (error != THUD_OK) return error;
  double energy = ledger->kinetic + ledger->potential;
  memcpy(motion->modes.mode_before, motion->modes.mode, problem->m * sizeof *motion->modes.mode);
  memcpy(motion->event.v_before, motion->state.v, problem->n * sizeof *motion->state.v);
  error = bring_to_rest(motion, fmax(problem->options.zeno_tolerance, left), zeno->recent, motion->event.v_before);
  if (error == THUD_OK) error = thud_event_book_energy(motion);
  if (error != THUD_OK) return error;
  ledger->impact_loss += energy - ledger->kinetic - ledger->potential;
  for (size_t i = 0; i < problem->m; i++) motion->event.involved[i] = zeno->recent[i];
  set_limit(motion, 0, 0, left, 0);
  thud_event_impulse_of_jump(motion, motion->event.v_before, motion->event.impulse);
  for (size_t i = 0; i < rows; i++) zeno->total[i] += motion->event.impulse[i];
  add_impulses(motion, 1);
  motion->event.jumped = false;
  motion->run.same_time = zeno->small_limits = 0;
  motion->run.phase = EVENT_AT_LIMIT;
  return thud_event_begin_next_arc(motion);
}

bool thud_event_zeno_is_due(event_motion *motion, size_t level) {
  limit found;
  double velocity;
  if (!motion->problem.options.zeno) return false;
  mark_recent(&motion->problem, &motion->event, &motion->zeno);
  return (level == 0 && is_unresolved(motion, &velocity)) ||
         find_limit(&motion->problem, &motion->state, &motion->zeno, level, &found);
}

thud_error thud_event_zeno_close(event_motion *motion, const thud_motion_sink *sink, size_t level) {
  const event_problem *problem = &motion->problem;
  limit found;
  size_t n = problem->n;
  double velocity;
  if (level == 0 && is_unresolved(motion, &velocity)) return close_unresolved(motion, velocity);
  if (!find_limit(problem, &motion->state, &motion->zeno, level, &found)) return THUD_OK;
  double t0 = motion->state.t, *q0 = motion->zeno.tail + 3 * n + problem->m + problem->s, *v0 = q0 + n;
  if (t0 + found.left > event_end(problem) + (level == 0 ? problem->options.zeno_remaining * found.time : 0))
    return THUD_OK;
  thud_error error = thud_event_book_energy(motion);
  if (error != THUD_OK) return error;
  const thud_ledger before = motion->info.ledger;
  memcpy(q0, motion->state.q, n * sizeof(double));
  memcpy(v0, motion->state.v, n * sizeof(double));
  memcpy(motion->modes.mode_before, motion->modes.mode, problem->m * sizeof *motion->modes.mode);
  mark_involved(motion, &found);
  error = go_to_limit(motion, &found);
  if (error != THUD_OK) return error;
  bool shown = found.error <= accepted_error(problem, level, found.ratio);
  memcpy(motion->event.v_before, v0, n * sizeof(double));
  motion->event.jumped = false;
  if (shown) error = thud_event_begin_next_arc(motion);
  if (error != THUD_OK) return error;
  if (shown && contacts_last(problem, &motion->event, &motion->modes) && !motion->event.jumped) {
    error = thud_event_book_energy(motion);
    if (error != THUD_OK) return error;
    book_limit(motion, &found, before.kinetic + before.potential);
    motion->run.phase = EVENT_AT_LIMIT;
    return emit_rest(motion, sink, t0, q0, v0, &before);
  }
  /* No accumulation, or not yet: on from the impact, whose series is in what was kept. */
  error = thud_event_restore_kept(motion, THUD_OK);
  mark_recent(problem, &motion->event, &motion->zeno);
  motion->zeno.level[level].refused = shown;
  motion->event.switched = false;
  motion->forks.choice_count = 0; /* they were for the limit */
  motion->run.phase = EVENT_READY;
  return error;
}

/* ---- right accumulations ------------------------------------------------------------------------------------------- */

/* Right accumulations: places where impacts may begin in infinitely many ways.
 *
 * Impacts cannot accumulate from the right where the data have a power series to the right (Ballard, ARMA 154, 2000):
 * the motion is then unique. Data that are piecewise or merely smooth can let them: an elastic contact at rest under a
 * force that is never negative has a second motion that bounces off (Bressan; Schatzman). What excludes it without
 * power series is a force that presses or lifts from the first instant on: order 0 has decided. A closed contact that
 * order 0 does not decide, at a break of the data or where they have no power series, is noted: the motion found is
 * one of possibly several. */

static bool is_closed_at_rest(const event_problem *problem, const event_contacts *contacts, const event_modes *modes,
                              size_t i) {
  return !event_is_equation(problem, i) && contacts->contact[i] == EVENT_REST && !modes->redundant[i];
}

static void note(const event_present *state, thud_event_motion_info *info, size_t i) {
  if (info->right_accumulations++ > 0) return;
  info->right_accumulation_time = state->t;
  info->right_accumulation_constraint = (thud_index)i;
}

/* An expression changes its branch here, or starts on the edge of one. */
static bool at_break(const event_motion *motion) {
  if (motion->event.switched) return true;
  for (size_t j = 0; j < motion->arc->switches && !motion->run.begun; j++)
    if (motion->switches.at_zero[j]) return true;
  return false;
}

void thud_event_note_right_accumulation(event_motion *motion) {
  if (motion->arc->switches == 0 || !at_break(motion)) return;
  for (size_t i = 0; i < motion->problem.m; i++) {
    if (!is_closed_at_rest(&motion->problem, &motion->contacts, &motion->modes, i) || motion->modes.order[i] == 0)
      continue;
    note(&motion->state, &motion->info, i);
    return;
  }
}

/* The contact at rest where the data have values but no power series; m: none. */
static size_t find_without_series(const event_motion *motion, thud_error error) {
  const sim_arc *arc = motion->arc;
  size_t i = error == THUD_ERROR_NOT_FINITE ? 0 : motion->problem.m;
  for (size_t k = 0; k < arc->jets.layout.count; k++)
    if (!isfinite(arc->jet[k])) return motion->problem.m;
  while (i < motion->problem.m && !is_closed_at_rest(&motion->problem, &motion->contacts, &motion->modes, i)) i++;
  return i;
}

thud_error thud_event_go_back_and_explain(event_motion *motion, thud_error error) {
  size_t i = find_without_series(motion, error);
  error = thud_event_restore_kept(motion, error);
  if (i == motion->problem.m) return error;
  note(&motion->state, &motion->info, i);
  return thud_fail_within(
      motion->problem.context, error,
      "contact '%s' is closed at rest where the data are smooth at most: impacts may begin there in "
      "infinitely many ways (right accumulation) and the motion is not determined; start after this "
      "time, in the state of the motion that is wanted",
      thud_system_constraint(motion->problem.system, (thud_index)i)->name);
}
