/* Accumulations of impacts.
 *
 * Near the limit of an accumulation the motion is self-similar: from one cycle (one impact, or a few constraints hit in
 * turn) to the next durations, velocities, positions and impulses change by geometric sequences, up to terms of second
 * order in what is left. Their ratios are not the same: a ball that bounces on a floor has the ratio e for durations
 * and velocities and e^2 for heights; in the collapse of a ball between others the flights shrink much faster than the
 * velocities. So every quantity x has its own (Aitken): with dx its change over the last cycle and r = dx / (that
 * before),
 *   limit = x + dx r/(1 - r),
 * for the time with the durations of cycles as dx. The accumulation is followed impact by impact until what is left of
 * it is below an option, so that terms of second order do not count. The error is estimated by the limit that the cycle
 * before would have given, and by what is missing there until the contacts are closed and at rest; as long as it is
 * not small the next impacts are waited for. */
#include "sim/event/event.h"

#include <float.h>

static size_t place_of(const event_zeno *zeno, size_t back) { return (zeno->count - 1 - back) % ZENO_RING; }

void event_zeno_forget(thud_event_motion *motion) {
  event_zeno *zeno = &motion->zeno;
  zeno->count = 0;
  zeno->clock = zeno->flight = 0;
  zeno->refused = false;
  memset(zeno->total, 0, (motion->m + motion->s) * sizeof(double));
}

/* FNV-1a over the constraints that were struck. */
static uint64_t who_was_struck(const thud_event_motion *motion) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < motion->m; i++)
    if (motion->impulse[i] != 0 && !event_is_equation(motion, i)) hash = (hash ^ (i + 1)) * 1099511628211u;
  return hash;
}

/* The shortest period with which the last two cycles repeat each other; 0: none. */
static size_t period_of(const event_zeno *zeno) {
  for (size_t period = 1; period <= ZENO_PERIODS && 2 * period < zeno->count; period++) {
    bool repeats = true;
    for (size_t back = 0; back <= period; back++)
      repeats = repeats && zeno->who[place_of(zeno, back)] == zeno->who[place_of(zeno, back + period)];
    if (repeats) return period;
  }
  return 0;
}

static double cycle(const event_zeno *zeno, size_t period, size_t back) {
  double sum = 0;
  for (size_t k = 0; k < period; k++) sum += zeno->took[place_of(zeno, back + k)];
  return sum;
}

/* Length in the kinetic metric, with the masses of the arc that stands. */
static double kinetic_length(const thud_event_motion *motion, const double *x) {
  const double *mass = motion->arc->jet + motion->arc->jets.layout.mass;
  double sum = 0;
  for (size_t i = 0; i < motion->n; i++) sum += x[i] * motion_dot((thud_index)motion->n, mass + i * motion->n, x);
  return sqrt(fmax(sum, 0));
}

bool event_zeno_in_tail(const thud_event_motion *motion) {
  const event_zeno *zeno = &motion->zeno;
  size_t period = zeno->count > 2 ? period_of(zeno) : 0;
  if (period == 0) return false;
  double last = cycle(zeno, period, 0), run = motion->options.end - motion->options.start;
  return last < cycle(zeno, period, period) && last < (double)period * motion->options.fork_flight * run;
}

/* The impact that has just been is the next one of the sequence. */
static void note_impact(thud_event_motion *motion) {
  event_zeno *zeno = &motion->zeno;
  size_t n = motion->n, count = motion->m + motion->s;
  zeno->count++;
  size_t here = place_of(zeno, 0);
  zeno->took[here] = zeno->flight;
  zeno->flight = 0;
  zeno->who[here] = who_was_struck(motion);
  memcpy(zeno->q + here * n, motion->q, n * sizeof(double));
  memcpy(zeno->v + here * n, motion->v_before, n * sizeof(double));
  memcpy(zeno->impulse + here * count, motion->impulse, count * sizeof(double));
  for (size_t i = 0; i < count; i++) zeno->total[i] += motion->impulse[i];
}

void event_zeno_note(thud_event_motion *motion) {
  event_zeno *zeno = &motion->zeno;
  zeno->fastest = fmax(zeno->fastest, kinetic_length(motion, motion->v_before));
  if (zeno->count == 0) {
    event_zeno_forget(motion);
    zeno->begin = motion->t;
  }
  note_impact(motion);
  if (zeno->count <= 2) return;
  size_t period = period_of(zeno);
  bool shrinks = period > 0 && cycle(zeno, period, 0) < cycle(zeno, period, period);
  if (shrinks || (period == 0 && zeno->count <= (size_t)2 * ZENO_PERIODS)) return;
  /* This impact may begin an accumulation; those before it do not belong to one. */
  event_zeno_forget(motion);
  zeno->begin = motion->t;
  note_impact(motion);
}

typedef struct limit {
  size_t period;
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

/* Limits of the n sequences whose values at the impacts are x [ZENO_RING*n], into `at`; returns how far they are from
 * those of the cycle before, in the kinetic metric. */
static double limits_of(thud_event_motion *motion, const limit *found, const double *x, double *at) {
  const event_zeno *zeno = &motion->zeno;
  size_t n = motion->n, period = found->period;
  double *change = motion->saved;
  for (size_t i = 0; i < n; i++) {
    double now = x[place_of(zeno, 0) * n + i], before = x[place_of(zeno, period) * n + i];
    double earlier = x[place_of(zeno, 2 * period) * n + i], first = x[place_of(zeno, 3 * period) * n + i];
    at[i] = now + rest_of(before - earlier, now - before, found->ratio);
    change[i] = at[i] - (before + rest_of(earlier - first, before - earlier, found->ratio));
  }
  return kinetic_length(motion, change);
}

/* Velocities and distances (in the kinetic metric) as relative errors. */
static double relative_error(const thud_event_motion *motion, const limit *found, double velocity, double distance) {
  double speed = fmax(motion->zeno.fastest, DBL_MIN);
  return fmax(velocity / speed, distance / (speed * found->time));
}

/* The limit that the last cycles point to; false: they do not yet show one, or too much is left. */
static bool find_limit(const thud_event_motion *motion, limit *found) {
  const event_zeno *zeno = &motion->zeno;
  size_t period = zeno->count > 2 ? period_of(zeno) : 0;
  if (period == 0 || 3 * period >= zeno->count || zeno->refused) return false;
  double last = cycle(zeno, period, 0), before = cycle(zeno, period, period), first = cycle(zeno, period, 2 * period);
  double ratio = last / before, earlier = before / first;
  if (!(ratio < 1 && earlier < 1)) return false;
  double factor = ratio / (1 - ratio), left = last * factor;
  double time = fmax(fabs(motion->t), zeno->clock);
  if (left > motion->options.zeno_remaining * time) return false;
  double difference = fabs(factor - earlier / (1 - earlier));
  *found = (limit){
      .period = period, .ratio = ratio, .left = left, .time = time, .error = (last * difference) / time + DBL_EPSILON};
  return found->error <= motion->options.zeno_tolerance;
}

/* Rows that hold where the contacts in `struck` have come to rest. */
static void hold_rows(thud_event_motion *motion, const bool *struck) {
  for (size_t row = 0; row < motion->m + motion->s; row++)
    motion->hold[row] =
        row < motion->m && (event_is_equation(motion, row) || struck[row] || event_lasts(motion->mode[row]));
}

/* q and v at the limit, where the contacts are closed and at rest: what is missing until then is an error. */
static thud_error go_to_limit(thud_event_motion *motion, limit *found) {
  const event_zeno *zeno = &motion->zeno;
  size_t n = motion->n;
  double *q = motion->saved, *v = motion->saved + n;
  double distance = limits_of(motion, found, zeno->q, motion->q);
  double velocity = limits_of(motion, found, zeno->v, motion->v);
  motion->t = fmin(motion->t + found->left, motion->options.end);
  memcpy(q, motion->q, n * sizeof(double));
  memcpy(v, motion->v, n * sizeof(double));
  hold_rows(motion, motion->involved);
  thud_error error = thud_arc_begin(motion->arc, motion->t, motion->q, motion->v);
  if (error == THUD_OK) error = event_project_held(motion);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < n; i++) {
    q[i] -= motion->q[i];
    v[i] -= motion->v[i];
  }
  double beside = relative_error(motion, found, kinetic_length(motion, v), kinetic_length(motion, q));
  found->error += beside + relative_error(motion, found, velocity, distance);
  return THUD_OK;
}

/* Who takes part in the last cycle. */
static void mark_involved(thud_event_motion *motion, const limit *found) {
  const event_zeno *zeno = &motion->zeno;
  size_t count = motion->m + motion->s;
  for (size_t i = 0; i < motion->m; i++) {
    motion->involved[i] = false;
    for (size_t back = 0; back < found->period; back++)
      motion->involved[i] = motion->involved[i] ||
                            (!event_is_equation(motion, i) && zeno->impulse[place_of(zeno, back) * count + i] != 0);
    if (motion->involved[i]) motion->contact[i] = EVENT_REST;
  }
  for (size_t l = 0; l < motion->law_count; l++)
    if (motion->laws[l].constraint < 0 || motion->involved[motion->laws[l].constraint])
      motion->slip[l] = EVENT_SLIP_UNKNOWN;
}

/* The contacts that were struck must stay closed; otherwise this is no accumulation. */
static bool contacts_last(const thud_event_motion *motion) {
  for (size_t i = 0; i < motion->m; i++)
    if (motion->involved[i] && !event_lasts(motion->mode[i])) return false;
  return true;
}

/* The parabola that begins with the state after the last impact and ends at the limit. */
static thud_error emit_rest(thud_event_motion *motion, const thud_event_sink *sink, double t0, const double *q0,
                            const double *v0, bool *stop) {
  size_t n = motion->n, rows = motion->m + motion->s;
  double *q = motion->tail, left = motion->t - t0;
  for (size_t i = 0; i < n; i++) {
    q[i] = q0[i];
    q[n + i] = v0[i];
    q[2 * n + i] = left > 0 ? ((motion->q[i] - q0[i]) / left - v0[i]) / left : 0;
  }
  memset(q + 3 * n, 0, rows * sizeof(double));
  const thud_event_arc piece = {.t0 = t0,
                                .t1 = motion->t,
                                .degree = 2,
                                .q = q,
                                .reaction = q + 3 * n,
                                .mode = motion->mode_before,
                                .order = motion->order,
                                .after_event = true,
                                .accumulation = true,
                                .ledger = motion->info.ledger};
  motion->info.arcs++;
  return event_emit_arc(motion, sink, &piece, stop);
}

/* What the impacts that were left out give, and how much energy they take. */
static void book_limit(thud_event_motion *motion, const limit *found, double energy_before) {
  event_zeno *zeno = &motion->zeno;
  size_t count = motion->m + motion->s;
  motion->limit = true;
  motion->limit_ratio = found->ratio;
  motion->limit_error = found->error;
  motion->limit_impacts = zeno->count;
  motion->limit_duration = zeno->clock + found->left;
  for (size_t i = 0; i < count; i++) {
    double last = 0, before = 0;
    for (size_t back = 0; back < found->period; back++) {
      last += zeno->impulse[place_of(zeno, back) * count + i];
      before += zeno->impulse[place_of(zeno, back + found->period) * count + i];
    }
    motion->impulse[i] = rest_of(before, last, found->ratio);
    zeno->total[i] += motion->impulse[i];
  }
  motion->info.zeno_limits++;
  motion->small_limits++;
  motion->info.ledger.impact_loss += energy_before - motion->info.ledger.kinetic - motion->info.ledger.potential;
}

/* ---- impacts that time cannot tell apart ------------------------------------------------------------------------- */

/* The contacts that this impact has struck. */
static void mark_recent(thud_event_motion *motion) {
  for (size_t i = 0; i < motion->m; i++)
    motion->recent[i] = motion->recent[i] || (motion->involved[i] && !event_is_equation(motion, i));
}

/* Accumulations without a common ratio (in a corner those of two contacts come nested) shrink below the resolution of
 * the time, or the flights between limits below that of positions, where rounding keeps them up for ever. After
 * ZENO_UNRESOLVED impacts at one and the same time, or such limits, whatever velocities are left at the contacts struck
 * is taken away, provided that it (where positions do not resolve it: its energy) is nothing beside the motion. */
static bool is_unresolved(const thud_event_motion *motion, double *left) {
  const sim_arc *arc = motion->arc;
  double speed = fmax(motion->zeno.fastest, DBL_MIN);
  *left = 0;
  for (size_t i = 0; i < motion->m; i++)
    if (motion->recent[i])
      *left = fmax(*left, fabs(arc->jet[arc->jets.layout.velocity + i]) / event_unit(motion, i) / speed);
  double tolerance = motion->options.zeno_tolerance;
  return (motion->same_time >= ZENO_UNRESOLVED && *left <= tolerance) ||
         (motion->small_limits >= ZENO_UNRESOLVED && *left * *left <= tolerance);
}

/* The contacts struck come to rest here and now. */
static thud_error close_unresolved(thud_event_motion *motion, double left) {
  size_t rows = motion->m + motion->s;
  memcpy(motion->mode_before, motion->mode, motion->m * sizeof *motion->mode);
  memcpy(motion->v_before, motion->v, motion->n * sizeof *motion->v);
  hold_rows(motion, motion->recent);
  thud_error error = event_project_held(motion);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < motion->m; i++) {
    motion->involved[i] = motion->recent[i];
    if (motion->recent[i]) motion->contact[i] = EVENT_REST;
  }
  for (size_t l = 0; l < motion->law_count; l++)
    if (motion->laws[l].constraint < 0 || motion->recent[motion->laws[l].constraint])
      motion->slip[l] = EVENT_SLIP_UNKNOWN;
  motion->limit = true;
  motion->limit_ratio = 0;
  motion->limit_error = left;
  motion->limit_impacts = motion->zeno.count;
  motion->limit_duration = motion->zeno.clock;
  memset(motion->impulse, 0, rows * sizeof(double));
  motion->info.zeno_limits++;
  motion->jumped = false;
  motion->same_time = motion->small_limits = 0;
  motion->phase = EVENT_AT_LIMIT;
  return event_settle(motion);
}

thud_error event_zeno_try(thud_event_motion *motion, const thud_event_sink *sink, bool *stop) {
  limit found;
  size_t n = motion->n;
  double velocity;
  if (!motion->options.zeno) return THUD_OK;
  mark_recent(motion);
  if (is_unresolved(motion, &velocity)) return close_unresolved(motion, velocity);
  if (!find_limit(motion, &found)) return THUD_OK;
  double t0 = motion->t, *q0 = motion->tail + 3 * n + motion->m + motion->s, *v0 = q0 + n;
  if (t0 + found.left > motion->options.end + motion->options.zeno_remaining * fmax(fabs(t0), motion->zeno.clock))
    return THUD_OK;
  thud_error error = event_book_energy(motion);
  if (error != THUD_OK) return error;
  double energy = motion->info.ledger.kinetic + motion->info.ledger.potential;
  memcpy(q0, motion->q, n * sizeof(double));
  memcpy(v0, motion->v, n * sizeof(double));
  memcpy(motion->mode_before, motion->mode, motion->m * sizeof *motion->mode);
  mark_involved(motion, &found);
  error = go_to_limit(motion, &found);
  if (error != THUD_OK) return error;
  bool shown = found.error <= motion->options.zeno_tolerance;
  memcpy(motion->v_before, v0, n * sizeof(double));
  motion->jumped = false;
  if (shown) error = event_settle(motion);
  if (error != THUD_OK) return error;
  if (shown && contacts_last(motion) && !motion->jumped) {
    error = event_book_energy(motion);
    if (error != THUD_OK) return error;
    book_limit(motion, &found, energy);
    motion->phase = EVENT_AT_LIMIT;
    return emit_rest(motion, sink, t0, q0, v0, stop);
  }
  /* No accumulation, or not yet: on from the impact, whose series stands in what was kept. */
  error = event_go_back(motion, THUD_OK);
  mark_recent(motion);
  motion->zeno.refused = shown;
  motion->switched = false;
  motion->choice_count = 0; /* they were for the limit */
  motion->phase = EVENT_READY;
  return error;
}
