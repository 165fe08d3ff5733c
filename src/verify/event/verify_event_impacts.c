/* Jumps of an event-driven record: impacts by the scene's law or from recorded numbers, limits of accumulations, outcomes that
 * a run with branches took. */
#include "verify/event/verify_event.h"
#include "verify/math/verify_dense.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How much later than by its velocity alone a contact may close. */
static const double LATE = 2;
/* Rounding of a gap that is a sum of few terms, of which each was rounded a few times: 16 units in the last place. */
static const double GAP_ROUNDING = 0x1p-48;

/* |M (v+ - v-) - A'p - other| in the kinetic metric, and the size of its terms. other [n]: momentum, may be NULL. */
static double momentum_error(verify_event_rows *f, size_t k, const double *plus, const double *other, double *size) {
  size_t n = f->n;
  const double *p = f->impulse + k * (f->m + f->s), *left = f->v_left + k * n;
  double *momentum = f->momentum, *change = f->work;
  for (size_t j = 0; j < n; j++) change[j] = plus[j] - left[j];
  thud_verify_apply_mass(f->system, &f->at, change, momentum);
  *size =
      sqrt(2 * thud_verify_kinetic(f->system, &f->at, plus)) + sqrt(2 * thud_verify_kinetic(f->system, &f->at, left));
  for (size_t i = 0; i < f->m + f->s; i++) {
    double response = thud_verify_response(f->system, &f->at, verify_reaction_row(f->system, &f->at, i), f->work);
    *size += fabs(p[i]) * sqrt(fmax(0, response));
    for (size_t j = 0; j < n; j++) momentum[j] -= verify_reaction_row(f->system, &f->at, i)[j] * p[i];
  }
  for (size_t j = 0; j < n && other != NULL; j++) momentum[j] -= other[j];
  return thud_verify_momentum_length(f->system, &f->at, momentum, f->work);
}

/* ---- percussions ---------------------------------------------------------------------------------------------------
 */

void thud_verify_event_load(verify_event_rows *f, size_t k) {
  bool acts = f->event[k] == VERIFY_EVENT_PERCUSSION;
  size_t first = thud_verify_loads_before(f->system, f->t[k], false),
         end = thud_verify_loads_before(f->system, f->t[k], acts);
  thud_verify_loads_sum(f->system, first, end, f->at.friction, f->load, f->extra);
}

void thud_verify_event_percussions(verify_event_rows *f) {
  double reached = f->t_end[f->count - 1];
  size_t seen = 0, until = thud_verify_loads_before(f->system, reached, true);
  for (size_t k = 0; k < f->count; k++) {
    if (f->event[k] != VERIFY_EVENT_PERCUSSION) continue;
    size_t first = thud_verify_loads_before(f->system, f->t[k], false);
    if (first == thud_verify_loads_before(f->system, f->t[k], true))
      thud_verify_fail(&f->checks[EVENT_IMPACTS], f->t[k], k, "the scene has no percussion at this time");
    else if (first != seen)
      thud_verify_fail(&f->checks[EVENT_IMPACTS], f->t[k], k,
                       "%zu percussions of the scene come before this one, %zu are reported", first, seen);
    seen++;
  }
  if (seen != until)
    thud_verify_fail(&f->checks[EVENT_IMPACTS], reached, f->count - 1,
                     "the scene has %zu percussions until here, %zu are reported", until, seen);
}

/* ---- impacts --------------------------------------------------------------------------------------------------------
 */

/* Does an impact with constraint i follow row k until t, or the limit of such? At the same time as well: it may take
 * less than the time can resolve. */
static bool is_hit_until(const verify_event_rows *f, size_t k, size_t i, double t) {
  for (size_t later = k + 1; later < f->count && f->t[later] <= t; later++)
    if ((verify_event_is_struck(f, later) || f->event[later] == VERIFY_EVENT_ZENO) &&
        f->involved[later * f->m + i] != 0)
      return true;
  return false;
}

/* Does row k lead at the same time to a limit that brings constraint i to rest? The record has the position there. */
static bool is_closed_at_once(const verify_event_rows *f, size_t k, size_t i) {
  size_t next = k + 1;
  return next < f->count && f->event[next] == VERIFY_EVENT_ZENO && f->t[next] == f->t[k] &&
         f->zeno[next * VERIFY_ZENO + VERIFY_ZENO_RATIO] == 0 && f->involved[next * f->m + i] != 0;
}

/* A contact that is said to be open and to have no part in the impact, though its gap is within the tolerance of the
 * motion: it is, when it goes away, when the gap is more than rounding errors of its own terms, or when it is hit as
 * much later as it takes to close what is left. Within rounding errors nobody knows, if they take longer to cross than
 * what makes two roots one event: so slow is only what has nearly come to rest. */
static bool is_open_yet(const verify_event_rows *f, size_t k, size_t i) {
  double gap = f->at.gap[i], noise = fabs(gap) + fabs(f->at.rate[i] * f->t[k]);
  bool said = f->involved[k * f->m + i] == 0 && f->impulse[k * (f->m + f->s) + i] == 0 &&
              verify_event_mode(f, k, i) == VERIFY_MODE_OPEN;
  if (!said) return false;
  for (size_t j = 0; j < f->n; j++) noise += fabs(f->at.gradient[i * f->n + j] * verify_event_q(f, k)[j]);
  noise *= GAP_ROUNDING;
  double closing = -thud_verify_constraint_velocity(f->system, &f->at, i, verify_event_v(f, k));
  if (closing <= 0 && thud_verify_constraint_velocity(f->system, &f->at, i, f->v_left + k * f->n) >= 0) return true;
  if (gap > noise) return true;
  double left = thud_verify_constraint_velocity(f->system, &f->at, i, f->v_left + k * f->n);
  double one_event = f->system->time_tolerance * fmax(fabs(f->t[k]), f->t_end[f->count - 1] - f->t[0]);
  if (closing > 0 && is_closed_at_once(f, k, i)) return true;
  if (gap >= -noise && noise > one_event * fmax(fabs(left), fabs(closing))) return true;
  return gap >= -noise && closing > 0 && is_hit_until(f, k, i, f->t[k] + LATE * (gap + noise) / closing);
}

/* Which constraints may have an impulse, and their e: of the canonical law the largest one. */
static void find_acting(verify_event_rows *f, size_t k) {
  const verify_system *system = f->system;
  double largest = 0;
  for (size_t i = 0; i < f->m; i++) {
    bool unilateral = system->constraints[i].kind == VERIFY_UNILATERAL;
    if (!system->functions)
      f->acting[i] = !unilateral || (f->at.gap[i] <= f->tolerance * f->gap_size[i] && !is_open_yet(f, k, i));
    f->restitution[i] = f->at.restitution[i];
    if (unilateral && f->acting[i] != 0) largest = fmax(largest, f->restitution[i]);
  }
  for (size_t i = 0; i < f->m && system->law == VERIFY_CANONICAL; i++)
    if (system->constraints[i].kind == VERIFY_UNILATERAL) f->restitution[i] = largest;
}

static thud_error check_friction(verify_event_rows *f, const verify_percussion *p) {
  const verify_system *system = f->system;
  thud_error error = THUD_OK;
  for (size_t l = 0; l < system->law_count && error == THUD_OK; l++) {
    const verify_law *law = &system->laws[l];
    double value = 0, accuracy = 0, radius = thud_verify_percussion_radius(p, law, f->at.friction[l]);
    error = thud_verify_percussion_law_error(p, law, radius, f->shifted, &value, &accuracy);
    if (error == THUD_OK &&
        thud_verify_tally(&f->checks[EVENT_IMPACTS], value, thud_verify_percussion_law_tolerance(p, law, radius),
                          accuracy, p->t, p->row) &&
        f->checks[EVENT_IMPACTS].status != THUD_VERIFY_NOT_CHECKABLE)
      thud_verify_explain(&f->checks[EVENT_IMPACTS], "friction law '%s'", law->name);
  }
  return error;
}

/* What is left of an equation beside the others, relative, below which it depends on them. */
#define EQUATION_RANK 1e-10

/* x without its parts along the orthonormal rows of the basis, twice against rounding; its length. */
static double complement(size_t n, size_t count, const double *basis, double *x) {
  for (int pass = 0; pass < 2; pass++)
    for (size_t b = 0; b < count; b++) {
      double part = thud_verify_dot(n, basis + b * n, x);
      for (size_t c = 0; c < n; c++) x[c] -= part * basis[b * n + c];
    }
  return thud_verify_norm(n, x);
}

/* The gradients of what acts, L^-1 a at length 1: an orthonormal basis of the equations, then the one-sided constraints
 * within what the equations leave free. Number of both in *equations and *contacts. */
static void unit_gradients(verify_event_rows *f, double *rows, size_t *equations, size_t *contacts) {
  *equations = *contacts = 0;
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < f->m; i++) {
      bool one_sided = verify_is_one_sided(f->system->constraints[i].kind);
      if (f->acting[i] == 0 || one_sided != (pass == 1)) continue;
      double *row = rows + (*equations + *contacts) * f->n;
      thud_verify_cholesky_forward(f->n, f->at.factor, f->at.gradient + i * f->n, row);
      double whole = thud_verify_norm(f->n, row), left = complement(f->n, *equations, rows, row);
      if (!(left > EQUATION_RANK * whole)) continue;
      for (size_t c = 0; c < f->n; c++) row[c] /= left;
      *(one_sided ? contacts : equations) += 1;
    }
}

/* Largest kinetic cosine of two one-sided constraints that act, in the motions that the equations allow. */
static thud_error check_cosine(verify_event_rows *f, size_t k) {
  size_t equations, contacts;
  double largest = 0, *rows = THUD_NEW_ARRAY(f->context, double, f->m * f->n + 1);
  if (rows == NULL) return THUD_ERROR_MEMORY;
  unit_gradients(f, rows, &equations, &contacts);
  const double *first = rows + equations * f->n;
  for (size_t i = 0; i < contacts; i++)
    for (size_t j = 0; j < i; j++)
      largest = fmax(largest, fabs(thud_verify_dot(f->n, first + i * f->n, first + j * f->n)));
  thud_free(f->context, rows);
  if (thud_verify_tally(&f->checks[EVENT_IMPACTS], fabs(fabs(f->cosine[k]) - largest), f->tolerance, 0, f->t[k], k))
    thud_verify_explain(&f->checks[EVENT_IMPACTS], "kinetic cosine");
  return THUD_OK;
}

/* Something approaches at a collision, or an equation moves on with another velocity, and nothing at an impact without
 * one. */
static void check_collision(verify_event_rows *f, const verify_percussion *p) {
  double approach = -INFINITY, left = 0;
  for (size_t i = 0; i < f->m; i++) {
    double response = thud_verify_percussion_response(p, i);
    if (!verify_percussion_acts(p, i) || !(response > 0)) continue;
    double u = thud_verify_percussion_velocity(p, i, p->v_left) / sqrt(response);
    if (verify_is_one_sided(f->system->constraints[i].kind))
      approach = fmax(approach, -u);
    else
      left = fmax(left, fabs(u));
  }
  if (f->tangential[p->row] == 0) {
    if (!(approach > 0) && !(left > p->tolerance * p->size))
      thud_verify_fail(&f->checks[EVENT_IMPACTS], p->t, p->row, "an impact at which nothing approaches");
  } else if (thud_verify_tally(&f->checks[EVENT_IMPACTS], fmax(0, approach), p->tolerance * p->size, 0, p->t, p->row)) {
    thud_verify_explain(&f->checks[EVENT_IMPACTS], "approach at an impact without collision");
  }
}

static bool has_impulse(const verify_event_rows *f, size_t k) {
  for (size_t i = 0; i < f->m + f->s; i++)
    if (f->impulse[k * (f->m + f->s) + i] != 0) return true;
  return false;
}

/* Another outcome than that of the law: possible where several contacts are struck, or one without collision. */
static bool forks(const verify_event_rows *f, size_t k) {
  size_t struck = 0;
  for (size_t i = 0; i < f->m; i++) struck += f->acting[i] != 0 && verify_is_one_sided(f->system->constraints[i].kind);
  return f->outcome[k] != 0 && (struck > 1 || f->tangential[k] != 0);
}

thud_error thud_verify_event_impact(verify_event_rows *f, size_t k) {
  thud_verify_check *check = &f->checks[EVENT_IMPACTS];
  size_t n = f->n;
  const double *plus = verify_event_v(f, k);
  double size;
  bool known = f->system->functions
                   ? thud_verify_event_take(f, k)
                   : thud_verify_system_at(f->system, f->t[k], verify_event_q(f, k), f->v_left + k * n, &f->at);
  if (!known) {
    thud_verify_fail(check, f->t[k], k, "the system cannot be evaluated here");
    return THUD_OK;
  }
  bool loaded = f->event[k] == VERIFY_EVENT_PERCUSSION;
  thud_verify_event_load(f, k);
  if (!loaded && !has_impulse(f, k)) thud_verify_fail(check, f->t[k], k, "an impact without impulse");
  double error_of_momentum = momentum_error(f, k, plus, f->load, &size);
  if (thud_verify_tally(check, error_of_momentum, f->tolerance * size, 0, f->t[k], k))
    thud_verify_explain(check, "balance of momentum");
  find_acting(f, k);
  thud_error error = check_cosine(f, k);
  if (error != THUD_OK) return error;
  verify_percussion p = {.context = f->context,
                         .system = f->system,
                         .at = &f->at,
                         .q = verify_event_q(f, k),
                         .v_left = f->v_left + k * n,
                         .v_plus = plus,
                         .reaction = f->impulse + k * (f->m + f->s),
                         .acting = f->acting,
                         .restitution = f->restitution,
                         .extra = f->extra,
                         .any_outcome = forks(f, k),
                         .tolerance = fmax(f->tolerance, 10 * f->system->residual_tolerance),
                         .t = f->t[k],
                         .row = k,
                         .work = f->work};
  thud_verify_percussion_measure(&p);
  if (!loaded) check_collision(f, &p);
  double factor = thud_verify_percussion_factor(&p);
  error = thud_verify_percussion_normal(&p, factor, check);
  thud_verify_percussion_gain(&p, factor, check);
  return error == THUD_OK ? check_friction(f, &p) : error;
}

/* ---- accumulations --------------------------------------------------------------------------------------------------
 */

enum { MOST_PERIODS = 4 };
/* Rounding errors of a time that was found on an arc, in units in the last place. */
static const double TIME_NOISE = 16;

/* The accumulation that ends in row k. Its blows are impacts or, where it contains limits of others, these limits, each
 * with the impacts since the one before. */
typedef struct accumulation {
  const verify_event_rows *f;
  size_t k;
  size_t first; /* row of its first impact */
  size_t count; /* of blows */
  int blow;     /* kind of the events that are its blows */
  double ratio;
} accumulation;

/* The row of blow number `back`, where 0 is the last one; SIZE_MAX: there are not so many. */
static size_t blow_row(const accumulation *a, size_t back) {
  size_t row = a->k;
  for (size_t seen = 0; row > a->first;) {
    row--;
    if (a->f->event[row] == a->blow && seen++ == back) return row;
  }
  return SIZE_MAX;
}

/* Finds the first of so many impacts before row k, and what the blows are; false: there are not so many. */
static bool find_blows(accumulation *a, size_t impacts) {
  const verify_event_rows *f = a->f;
  size_t row = a->k, limits = 0;
  for (size_t seen = 0; seen < impacts; seen += f->event[row] == VERIFY_EVENT_IMPACT) {
    if (row == 0) return false;
    row--;
    limits += f->event[row] == VERIFY_EVENT_ZENO;
  }
  a->first = row;
  a->blow = limits > 0 ? VERIFY_EVENT_ZENO : VERIFY_EVENT_IMPACT;
  a->count = limits > 0 ? limits : impacts;
  return true;
}

static bool is_nested(const accumulation *a) { return a->blow == VERIFY_EVENT_ZENO; }

/* Impulse of constraint or slip i in blow `back`: of its row, and in a limit of the rows since the one before. */
static double blow_impulse(const accumulation *a, size_t back, size_t i) {
  const verify_event_rows *f = a->f;
  size_t rows = f->m + f->s, row = blow_row(a, back);
  size_t before = back + 1 < a->count ? blow_row(a, back + 1) + 1 : a->first;
  double sum = f->impulse[row * rows + i];
  while (is_nested(a) && row-- > before) sum += f->impulse[row * rows + i];
  return sum;
}

static double cycle(const accumulation *a, size_t period, size_t back) {
  return a->f->t[blow_row(a, back)] - a->f->t[blow_row(a, back + period)];
}

/* How far the ratio of successive cycles is from the one claim, and what can be asked: cycles follow a geometric law up
 * to what their ratios still change; times are rounded, and so was the last cycle, which gave the ratio. */
static void find_misfit(const accumulation *a, size_t period, double *value, double *tolerance) {
  double rounding = is_nested(a) ? pow(DBL_EPSILON, 2.0 / 3) : TIME_NOISE * DBL_EPSILON; /* see accepted_limit_error */
  double noise = rounding * fabs(a->f->t[a->k]), best = INFINITY, claim = noise / cycle(a, period, 0);
  double found = 0;
  *value = *tolerance = INFINITY;
  for (size_t back = 0; back + 3 * period < a->count; back++) {
    double last = cycle(a, period, back), before = cycle(a, period, back + period);
    double ratio = last / before, earlier = before / cycle(a, period, back + 2 * period);
    if (!(last > 0 && ratio < 1 && earlier < 1)) continue;
    double allowed = 10 * fabs(ratio - earlier) / (1 - a->ratio) + noise / last + a->f->tolerance;
    if (fabs(ratio - found) > allowed + best) break; /* before, the cycles followed another law */
    if (!(allowed < best)) continue;
    found = ratio;
    best = allowed;
    *value = fabs(ratio - a->ratio);
    *tolerance = allowed + claim;
  }
  if (best == INFINITY) *tolerance = 0;
}

/* Whether contact i is struck in a blow: what the velocity problem may leave is not a blow. */
static bool is_struck(const accumulation *a, size_t back, size_t i) {
  double strongest = 0;
  for (size_t c = 0; c < a->f->m; c++) strongest = fmax(strongest, fabs(blow_impulse(a, back, c)));
  return fabs(blow_impulse(a, back, i)) > a->f->system->residual_tolerance * strongest;
}

/* Whether the same contacts are struck in two blows. */
static bool strike_the_same(const accumulation *a, size_t back, size_t other) {
  for (size_t i = 0; i < a->f->m; i++) {
    verify_constraint_kind kind = a->f->system->constraints[i].kind;
    bool equation = kind == VERIFY_EQUATION || kind == VERIFY_ROLLING;
    if (!equation && is_struck(a, back, i) != is_struck(a, other, i)) return false;
  }
  return true;
}

/* The number of blows of a cycle: the smallest with which the contacts that are struck repeat themselves. */
static size_t period_of(const accumulation *a) {
  for (size_t period = 1; period <= MOST_PERIODS && 2 * period < a->count; period++) {
    bool repeats = true;
    for (size_t back = 0; back <= period && repeats; back++) repeats = strike_the_same(a, back, back + period);
    if (repeats) return period;
  }
  return 1;
}

static size_t check_ratio(verify_event_rows *f, const accumulation *a) {
  size_t period = period_of(a);
  double value, tolerance, span = f->t[a->k] - f->t[a->first];
  if (!(span > TIME_NOISE * DBL_EPSILON * fabs(f->t[a->k]))) return period; /* closer than the time can resolve */
  find_misfit(a, period, &value, &tolerance);
  if (thud_verify_tally(&f->checks[EVENT_ZENO], value, tolerance, 0, f->t[a->k], a->k))
    thud_verify_explain(&f->checks[EVENT_ZENO], "ratio of the cycles");
  return period;
}

/* What was left of a geometric series whose last terms were these; one that does not shrink has the common ratio. */
static double what_was_left(const accumulation *a, double before, double last) {
  double ratio = fabs(last) < fabs(before) ? last / before : a->ratio;
  return last * ratio / (1 - ratio);
}

/* What was left out continues the last cycles, each component with its own ratio; the total is the sum of everything.
 */
static void check_total(verify_event_rows *f, const accumulation *a, size_t period) {
  size_t rows = f->m + f->s;
  double size = 0;
  for (size_t i = 0; i < rows; i++)
    if (!isnan(f->zeno_impulse[a->k * rows + i])) size += fabs(f->zeno_impulse[a->k * rows + i]);
  for (size_t i = 0; i < rows; i++) {
    double sum = f->impulse[a->k * rows + i], last = 0, before = 0;
    double response = thud_verify_response(f->system, &f->at, verify_reaction_row(f->system, &f->at, i), f->work);
    double allowed = f->tolerance * size + (response > 0 ? VERIFY_ROUNDING * f->speed / sqrt(response) : 0);
    for (size_t row = a->first; row < a->k; row++) sum += f->impulse[row * rows + i];
    for (size_t back = 0; back < period; back++) {
      last += blow_impulse(a, back, i);
      before += blow_impulse(a, back + period, i);
    }
    double claim = f->zeno_impulse[a->k * rows + i]; /* NaN: of constraints that have no part in the limit */
    double rounded = f->tolerance * size;            /* the total is a sum, whatever its terms are */
    if (!isnan(claim) && thud_verify_tally(&f->checks[EVENT_ZENO], fabs(claim - sum), rounded, 0, f->t[a->k], a->k))
      thud_verify_explain(&f->checks[EVENT_ZENO], "total impulse, component %zu", i);
    if (a->ratio == 0) continue; /* see check_closing */
    double left = fabs(f->impulse[a->k * rows + i] - what_was_left(a, before, last));
    if (thud_verify_tally(&f->checks[EVENT_ZENO], left, allowed, 0, f->t[a->k], a->k))
      thud_verify_explain(&f->checks[EVENT_ZENO], "impulse that was left, component %zu", i);
  }
}

/* Flights that are lower than the rounding of positions are not seen: with accelerations a and positions q their
 * velocities are up to sqrt(2 a eps |q|), all in the kinetic metric. */
static double unseen_speed(verify_event_rows *f, size_t k) {
  double acceleration = thud_verify_momentum_length(f->system, &f->at, f->at.force, f->work);
  double position = sqrt(2 * thud_verify_kinetic(f->system, &f->at, verify_event_q(f, k)));
  return sqrt(2 * acceleration * DBL_EPSILON * position);
}

/* Accumulations this short, relative, are of hops that the rounding of positions hides, and they are known to this. */
#define SHORT_HOPS 1e-5
static const double SHORTEST_TIME = 1.2e-7; /* sqrt(64 units in the last place of 1) */

/* The same of gaps whose positions were moved by several impacts. */
static const double HIDDEN = 4 * GAP_ROUNDING;

/* Does the accumulation end among hops that the rounding of positions hides? In the time of its last two blows its
 * contacts then move by no more than the rounding of their gaps, and no ratio says how it goes on. */
static bool is_hidden(verify_event_rows *f, const accumulation *a) {
  size_t k = a->k, seen = 0, row = k;
  if (a->ratio != 0 || f->system->functions) return false;
  while (row > 0 && seen < 2) seen += f->event[--row] == VERIFY_EVENT_IMPACT;
  if (!thud_verify_system_at(f->system, f->t[k], verify_event_q(f, k), f->v_left + k * f->n, &f->at)) return false;
  for (size_t i = 0; i < f->m; i++) {
    if (f->involved[k * f->m + i] == 0) continue;
    double size = fabs(f->at.rate[i] * f->t[k]);
    double u = thud_verify_constraint_velocity(f->system, &f->at, i, f->v_left + k * f->n);
    for (size_t j = 0; j < f->n; j++) size += fabs(f->at.gradient[i * f->n + j]) * f->q_size[j];
    if (!(fabs(u) * (f->t[k] - f->t[row]) <= HIDDEN * size)) return false;
  }
  return seen == 2;
}

/* What can be asked of the error of a limit: positions are rounded, and the flights inside the cycles of a nested
 * accumulation are as high as the square of their durations; velocities of flights that are not seen, relative. */
static double accepted_limit_error(verify_event_rows *f, const accumulation *a) {
  double nested = is_nested(a) ? 4 * pow(DBL_EPSILON, 2.0 / 3) / ((1 - a->ratio) * (1 - a->ratio)) : 0;
  double unseen = !f->system->functions && f->speed > 0 ? unseen_speed(f, a->k) / f->speed : 0;
  double t = f->t[a->k], duration = f->zeno[a->k * VERIFY_ZENO + VERIFY_ZENO_DURATION];
  double hops = duration <= SHORT_HOPS * fabs(t) ? SHORTEST_TIME : 0;    /* heights go with the square of the time */
  double hidden = is_hidden(f, a) ? sqrt(f->system->zeno_tolerance) : 0; /* their energy is nothing beside the motion */
  return fmax(fmax(f->tolerance, f->system->zeno_tolerance), fmax(nested, hidden)) + fmax(unseen, hops);
}

static void check_limit_time(verify_event_rows *f, const accumulation *a, size_t period) {
  const double *zeno = f->zeno + a->k * VERIFY_ZENO;
  double t = f->t[a->k], size = fmax(fabs(t), zeno[VERIFY_ZENO_DURATION]), accepted = accepted_limit_error(f, a);
  if (thud_verify_tally(&f->checks[EVENT_ZENO], zeno[VERIFY_ZENO_ERROR], accepted, 0, t, a->k))
    thud_verify_explain(&f->checks[EVENT_ZENO], "error of the limit");
  if (zeno[VERIFY_ZENO_ERROR] < 0)
    thud_verify_fail(&f->checks[EVENT_ZENO], t, a->k, "the error of the limit is negative");
  if (thud_verify_tally(&f->checks[EVENT_ZENO], fabs(zeno[VERIFY_ZENO_BEGIN] + zeno[VERIFY_ZENO_DURATION] - t),
                        f->tolerance * size, 0, t, a->k))
    thud_verify_explain(&f->checks[EVENT_ZENO], "begin and duration do not lead to the limit");
  if (f->t[a->first] != zeno[VERIFY_ZENO_BEGIN])
    thud_verify_fail(&f->checks[EVENT_ZENO], t, a->k, "the first of %g impacts is at t = %.17g, not %.17g",
                     zeno[VERIFY_ZENO_IMPACTS], f->t[a->first], zeno[VERIFY_ZENO_BEGIN]);
  double left = t - f->t[blow_row(a, 0)], short_enough = fmax(f->tolerance, f->system->zeno_remaining);
  if (!is_nested(a) && thud_verify_tally(&f->checks[EVENT_ZENO], left, short_enough * size, 0, t, a->k))
    thud_verify_explain(&f->checks[EVENT_ZENO], "time that was left when the accumulation was closed");
  if (a->ratio == 0) return;
  double limit = f->t[blow_row(a, 0)] + cycle(a, period, 0) * a->ratio / (1 - a->ratio);
  if (thud_verify_tally(&f->checks[EVENT_ZENO], fabs(limit - t), f->tolerance * size, 0, t, a->k))
    thud_verify_explain(&f->checks[EVENT_ZENO], "time of the limit");
}

/* Reactions of the contacts that last beside the accumulation which ends in row k, as they were on its last flight;
 * everything else in f->r is 0. */
static void find_lasting(verify_event_rows *f, size_t k) {
  size_t flight = k;
  while (flight > 0 && (f->accumulation[flight - 1] != 0 || !verify_event_has_arc(f, flight - 1))) flight--;
  bool known = flight > 0 && thud_verify_event_place(f, flight - 1, f->t_end[flight - 1] - f->t[flight - 1]);
  for (size_t i = 0; i < f->m; i++)
    if (!known || f->involved[k * f->m + i] != 0 || !verify_mode_lasts(verify_event_mode(f, flight - 1, i)))
      f->r[i] = 0;
  for (size_t l = 0; l < f->system->law_count; l++) {
    const verify_law *law = &f->system->laws[l];
    bool acts = known && (law->constraint == SIZE_MAX || f->r[law->constraint] != 0);
    for (size_t d = 0; d < law->directions && !acts; d++) f->r[f->m + law->first + d] = 0;
  }
}

/* The velocity at the limit: what forces, the contacts that last meanwhile and the impulses that were left make of the
 * one before. Where several are struck in turn they also last between blows, with forces that are not in the record: as
 * large as the others, by which the balance may be off. */
static void check_limit_velocity(verify_event_rows *f, const accumulation *a, size_t period) {
  size_t k = a->k;
  double size, h = k > 0 && f->accumulation[k - 1] != 0 ? f->t_end[k - 1] - f->t[k - 1] : 0, *other = f->state;
  find_lasting(f, k);
  if (!thud_verify_system_at(f->system, f->t[k], verify_event_q(f, k), f->v_left + k * f->n, &f->at)) {
    thud_verify_fail(&f->checks[EVENT_ZENO], f->t[k], k, "the system cannot be evaluated here");
    return;
  }
  for (size_t j = 0; j < f->n; j++) other[j] = h * f->at.force[j];
  double unknown = unseen_speed(f, k);
  if (is_nested(a) || period > 1) unknown += thud_verify_momentum_length(f->system, &f->at, other, f->work);
  for (size_t i = 0; i < f->m + f->s; i++)
    for (size_t j = 0; j < f->n; j++) other[j] += h * f->r[i] * verify_reaction_row(f->system, &f->at, i)[j];
  double value = momentum_error(f, k, verify_event_v(f, k), other, &size);
  if (thud_verify_tally(&f->checks[EVENT_ZENO], value,
                        fmax(f->tolerance, f->system->zeno_tolerance) * f->speed + unknown, 0, f->t[k], k))
    thud_verify_explain(&f->checks[EVENT_ZENO], "balance of momentum at the limit");
}

/* Impacts that follow each other faster than time or positions resolve are closed by the impulses that bring their
 * contacts to rest: these push, and friction keeps to its set. (The balance of momentum says how large they are.) What
 * is slower than the flights that are not seen may be of either sign. */
static thud_error check_closing(verify_event_rows *f, const accumulation *a) {
  const verify_system *system = f->system;
  const double *p = f->impulse + a->k * (f->m + f->s);
  double t = f->t[a->k], allowed = fmax(f->tolerance, system->zeno_tolerance) * f->speed + unseen_speed(f, a->k);
  for (size_t i = 0; i < f->m; i++) {
    double response = thud_verify_response(system, &f->at, verify_reaction_row(system, &f->at, i), f->work);
    bool acts = f->involved[a->k * f->m + i] != 0, pushes = verify_is_one_sided(system->constraints[i].kind);
    double value = acts && pushes                                                ? fmax(0, -p[i])
                   : pushes && !verify_mode_lasts(verify_event_mode(f, a->k, i)) ? fabs(p[i])
                                                                                 : 0;
    if (thud_verify_tally(&f->checks[EVENT_ZENO], value * sqrt(fmax(0, response)), allowed, 0, t, a->k))
      thud_verify_explain(&f->checks[EVENT_ZENO], "impulse of '%s' at the limit", system->constraints[i].name);
  }
  thud_error error = THUD_OK;
  for (size_t l = 0; l < system->law_count && error == THUD_OK; l++) {
    const verify_law *law = &system->laws[l];
    double accuracy = 0, trace = 0, *y = f->shifted;
    if (law->unknown || law->constraint == SIZE_MAX) continue;
    for (size_t d = 0; d < law->directions; d++)
      trace +=
          thud_verify_response(system, &f->at, verify_reaction_row(system, &f->at, f->m + law->first + d), f->work);
    const double *r = p + f->m + law->first;
    error = thud_verify_law_project(system, law, f->at.friction[l] * fabs(p[law->constraint]), r, y, &accuracy);
    double value = sqrt(trace) * thud_verify_distance(law->directions, r, y);
    if (error == THUD_OK && thud_verify_tally(&f->checks[EVENT_ZENO], value, allowed, accuracy * sqrt(trace), t, a->k))
      thud_verify_explain(&f->checks[EVENT_ZENO], "friction '%s' at the limit", law->name);
  }
  return error;
}

/* A limit with a ratio needs a force that brings the contact back; one that is closed by impulses may rest without. */
static bool stays_closed(const verify_event_rows *f, size_t k, size_t i, double ratio) {
  int mode = verify_event_mode(f, k, i);
  return verify_mode_lasts(mode) || (ratio == 0 && mode == VERIFY_MODE_UNDECIDED);
}

thud_error thud_verify_event_zeno(verify_event_rows *f, size_t k) {
  const double *zeno = f->zeno + k * VERIFY_ZENO;
  double impacts = zeno[VERIFY_ZENO_IMPACTS], ratio = zeno[VERIFY_ZENO_RATIO];
  accumulation a = {.f = f, .k = k, .ratio = ratio};
  bool sound = impacts >= 1 && impacts == floor(impacts) && impacts <= (double)k && ratio >= 0 && ratio < 1;
  if (!sound || !find_blows(&a, (size_t)impacts)) {
    thud_verify_fail(&f->checks[EVENT_ZENO], f->t[k], k,
                     "%g impacts with the ratio %g are not an accumulation of this record", impacts, ratio);
    return THUD_OK;
  }
  size_t period = ratio > 0 ? check_ratio(f, &a) : 0;
  check_total(f, &a, period);
  check_limit_time(f, &a, period);
  if (!f->system->functions) check_limit_velocity(f, &a, period);
  thud_error error = f->system->functions || ratio > 0 ? THUD_OK : check_closing(f, &a);
  for (size_t i = 0; i < f->m; i++)
    if (f->involved[k * f->m + i] != 0 && !stays_closed(f, k, i, ratio))
      thud_verify_fail(&f->checks[EVENT_ZENO], f->t[k], k, "'%s' does not stay closed at the limit of its impacts",
                       f->system->constraints[i].name);
  return error;
}

/* ---- event-driven records of systems without formulas ------------------------------------------------------------ */

/* Event-driven records of systems without formulas: impacts from the recorded numbers, reactions on arcs. */

/* Number of row k's event; rows are asked one after the other. */
static size_t event_of(verify_event_rows *f, size_t k) {
  if (k < f->cursor_row) f->cursor_row = f->cursor_event = 0;
  for (; f->cursor_row < k; f->cursor_row++) f->cursor_event += f->event[f->cursor_row] != VERIFY_EVENT_NONE;
  return f->cursor_event;
}

const double *thud_verify_event_mass(verify_event_rows *f, size_t k) {
  if (f->system->given_mass != NULL) return f->system->given_mass;
  if (f->event[k] != VERIFY_EVENT_IMPACT) return NULL;
  size_t e = event_of(f, k);
  return verify_ragged_count(&f->problems.mass, e) == f->n * f->n ? verify_ragged_row(&f->problems.mass, e) : NULL;
}

bool thud_verify_event_take(verify_event_rows *f, size_t k) {
  const double *mass = thud_verify_event_mass(f, k);
  if (mass == NULL || !thud_verify_problem_values(f->system, &f->problems, event_of(f, k), mass, f->acting, &f->at))
    return false;
  for (size_t i = 0; i < f->m; i++) {
    bool one_sided = verify_is_one_sided(f->system->constraints[i].kind);
    /* Equations always act; what is struck takes part. */
    if (f->acting[i] == 0 && (!one_sided || f->impulse[k * (f->m + f->s) + i] != 0)) return false;
  }
  return true;
}

/* ---- reactions --------------------------------------------------------------------------------------------------- */

static double reaction_at(const verify_event_rows *f, size_t k, size_t i, double s) {
  size_t rows = f->m + f->s;
  const double *c = f->reaction + k * (f->force_degree + 1) * rows;
  double sum = 0;
  for (size_t d = f->force_degree + 1; d-- > 0;) sum = sum * s + c[d * rows + i];
  return sum;
}

static double largest_reaction(const verify_event_rows *f) {
  double largest = 0;
  for (size_t k = 0; k < f->count; k++)
    for (size_t i = 0; i < f->m + f->s && verify_event_has_arc(f, k); i++)
      largest = fmax(largest, fabs(reaction_at(f, k, i, 0)));
  return largest;
}

static const char *constraint_of(const verify_event_rows *f, size_t i) {
  return i < f->m ? f->system->constraints[i].name : "friction";
}

/* Open contacts press with nothing, closed ones do not pull; friction needs its contact. */
static void check_reaction(verify_event_rows *f, size_t k, size_t i, bool open, bool one_sided, double size) {
  double h = f->t_end[k] - f->t[k];
  for (size_t j = 0; j <= f->samples; j++) {
    double r = reaction_at(f, k, i, h * (double)j / (double)f->samples), wrong = open ? fabs(r) : one_sided ? -r : 0;
    if (thud_verify_tally(&f->checks[EVENT_LAW], fmax(0, wrong), open ? 0 : f->tolerance * size, 0, f->t[k], k))
      thud_verify_explain(&f->checks[EVENT_LAW],
                          open ? "reaction of '%s', which is open" : "sign of the reaction of '%s'",
                          constraint_of(f, i));
  }
}

void thud_verify_event_reactions(verify_event_rows *f, size_t k) {
  const verify_system *system = f->system;
  if (k == 0) f->force = largest_reaction(f);
  if (!verify_event_has_arc(f, k) || f->accumulation[k] != 0) return;
  double size = f->force;
  for (size_t i = 0; i < f->m; i++) {
    bool one_sided = verify_is_one_sided(system->constraints[i].kind);
    check_reaction(f, k, i, one_sided && verify_event_mode(f, k, i) == VERIFY_MODE_OPEN, one_sided, size);
  }
  for (size_t l = 0; l < system->law_count; l++) {
    const verify_law *law = &system->laws[l];
    bool open = law->constraint != SIZE_MAX && verify_event_mode(f, k, law->constraint) == VERIFY_MODE_OPEN;
    for (size_t d = 0; d < law->directions; d++) check_reaction(f, k, f->m + law->first + d, open, false, size);
  }
}

void thud_verify_event_leave_out(verify_event_rows *f) {
  static const char why[] = "the functions are in a program";
  thud_verify_skip(&f->checks[EVENT_MOTION], THUD_VERIFY_NOT_CHECKED, "equations of motion on arcs: %s", why);
  thud_verify_skip(&f->checks[EVENT_GAP], THUD_VERIFY_NOT_CHECKED, "gaps and equations on arcs: %s", why);
  thud_verify_skip(&f->checks[EVENT_FRICTION], THUD_VERIFY_NOT_CHECKED, "slips and thresholds on arcs: %s", why);
}

/* ---- records of `thud run --branch` ------------------------------------------------------------------------------ */

/* Records of `thud run --branch`: at a fork, reported by a warning, another outcome than that of the scene's law may
 * have
 * been taken. Of such an impact is asked what holds of any outcome: nothing approaches afterwards, impulses lie in
 * their cones, no energy is created. */

/* Forks that the report names. */
enum { NAMED = 3 };

/* Reads `word` and the number after it; NULL: they are not there. */
static const char *read_number(const char *text, const char *word, size_t *number) {
  size_t length = strlen(word);
  if (strncmp(text, word, length) != 0) return NULL;
  char *rest;
  errno = 0;
  *number = strtoul(text + length, &rest, 10);
  return rest == text + length || errno != 0 ? NULL : rest;
}

/* Which outcome, counted from 1, the warning ("outcome 2 of 3 ...") names; 0: it names none. */
static size_t outcome_of(const thud_record_note *note, size_t *of) {
  size_t outcome = 0;
  if (strcmp(note->kind, "fork") != 0) return 0;
  const char *rest = read_number(note->text, "outcome ", &outcome);
  if (rest == NULL || read_number(rest, " of ", of) == NULL) return 0;
  return outcome <= *of ? outcome : 0;
}

static void mark(verify_event_rows *f, double t, size_t outcome) {
  for (size_t k = 0; k < f->count; k++)
    if (f->t[k] == t && f->event[k] == VERIFY_EVENT_IMPACT) f->outcome[k] = (double)outcome;
}

thud_error thud_verify_event_forks(verify_event_rows *f, thud_record_reader *reader, char *text, size_t room) {
  thud_record_info info = thud_record_reader_info(reader);
  size_t named = 0, used = 0;
  thud_error error = THUD_OK;
  text[0] = '\0';
  for (size_t k = 0; k < info.rows[THUD_RECORD_WARNINGS] && error == THUD_OK; k++) {
    thud_record_note note;
    error = thud_record_read_note(reader, THUD_RECORD_WARNINGS, k, &note);
    size_t of = 0, outcome = error == THUD_OK ? outcome_of(&note, &of) : 0;
    if (outcome < 2) continue; /* the first one is that of the law */
    mark(f, note.t, outcome);
    if (named++ >= NAMED || used >= room) continue;
    used += (size_t)snprintf(text + used, room - used, "%s outcome %zu of %zu at t = %.10g",
                             named > 1 ? "," : "branch:", outcome, of, note.t);
  }
  if (named > NAMED && used < room) snprintf(text + used, room - used, " and %zu more", named - NAMED);
  return error;
}
