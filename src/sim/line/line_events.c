/* The event-driven method: from arc to arc. At each event the data are read to its right, the atom there acts, and the
 * modes are decided anew. */
#include "sim/event/arc_root.h"
#include "sim/line/line.h"

#include <math.h>
#include <string.h>

static const double together = 1e-13; /* events nearer than this, relative to the time, are one */
enum { PATIENCE = 100 };              /* arcs in a row that do not advance the time */

typedef struct line_pending {
  bool any, stop; /* stops or starts wait to be told, at the present time */
  bool *particle; /* [n] */
  int8_t *before; /* [n] modes of the arc before */
} line_pending;

/* ---- the first event of an arc ----------------------------------------------------------------------------------- */

_Static_assert((int)LINE_MAX_ORDER <= (int)ARC_MAX_DEGREE, "the search for roots must take every arc");

/* The smallest x in [0, 1] with p(x) <= 0, up to rounding; 2 when there is none. */
static double first_root(int degree, const double *coefficients) {
  arc_root root = thud_arc_first_root(degree, coefficients, 1, 0);
  return root.kind == ARC_ROOT_NONE ? 2 : root.kind == ARC_ROOT_START ? 0 : root.s;
}

/* factor * column i + second * other column i, from coefficient `zeros` on, in units of the arc's length. */
static double find_root(const line_arc *arc, int degree, int zeros, double factor, const double *c, double second,
                        const double *other, thud_index stride, thud_index i) {
  double scaled[LINE_MAX_ORDER + 3], power = 1;
  if (zeros > degree) return 2;
  for (int k = 0; k <= degree; k++, power *= arc->length) {
    size_t at = (size_t)k * (size_t)stride + (size_t)i;
    if (k >= zeros) scaled[k - zeros] = power * (factor * c[at] + (other != NULL ? second * other[at] : 0));
  }
  return first_root(degree - zeros, scaled);
}

/* Where the normal reaction becomes negative by more than rounding: a zero that it only touches is no event. The margin
 * is ten times what the next arc, which begins there, takes for rounding. */
static double find_negative(const line_motion *motion, const line_arc *arc, thud_index i) {
  double scaled[LINE_MAX_ORDER + 3], power = 1, largest = 0;
  for (int k = 0; k <= arc->order; k++, power *= arc->length) {
    double coefficient = arc->g[(size_t)k * (size_t)motion->n + (size_t)i];
    scaled[k] = power * coefficient;
    largest = fmax(largest, fabs(coefficient));
  }
  scaled[0] += 10 * motion->options->decision * largest;
  return first_root(arc->order, scaled);
}

/* roots[0..n-1] relative velocities, [n..3n-1] bounds of stuck particles, [3n..4n-1] normal reactions, then switches.
 */
static double find_first(const line_motion *motion, line_arc *arc) {
  thud_index n = motion->n;
  double first = 2;
  for (thud_index i = 0; i < n; i++) {
    const line_particle *particle = &arc->particles[i];
    bool slides = particle->mode != 0 && !particle->free, sticks = particle->mode == 0 && !particle->free;
    int degree = arc->order;
    arc->roots[i] =
        !slides ? 2
                : find_root(arc, degree, particle->slide_order, particle->mode, arc->u, -particle->mode, arc->w, n, i);
    arc->roots[n + i] = !sticks ? 2 : find_root(arc, degree - 1, particle->low_order, 1, arc->r, 1, arc->g, n, i);
    arc->roots[2 * n + i] = !sticks ? 2 : find_root(arc, degree - 1, particle->high_order, -1, arc->r, 1, arc->g, n, i);
    arc->roots[3 * n + i] = arc->without_friction[i] ? 2 : find_negative(motion, arc, i);
  }
  for (thud_index j = 0; j < arc->switch_count; j++)
    arc->roots[4 * n + j] =
        find_root(arc, arc->order, arc->switch_orders[j], arc->signs[j], arc->switches, 0, NULL, arc->switch_count, j);
  for (thud_index k = 0; k < 4 * n + arc->switch_count; k++) first = fmin(first, arc->roots[k]);
  return first;
}

/* ---- moving along an arc ----------------------------------------------------------------------------------------- */

static void ledger_at(line_motion *motion, const line_arc *arc, double before, double s, const double *q,
                      const double *v, thud_line_ledger *ledger) {
  int degree = 2 * (arc->order - 1);
  line_energies energies = {.work = line_arc_integral(degree, arc->power[0], 1, 0, s),
                            .friction = line_arc_integral(degree, arc->power[1], 1, 0, s),
                            .viscous = line_arc_integral(degree, arc->power[2], 1, 0, s)};
  line_account(motion, before, &energies, q, v, ledger);
}

/* State at s and impulses between `from` and s. */
static void move_to(line_motion *motion, const line_arc *arc, double from, double s, double *q, double *v) {
  thud_index n = motion->n;
  for (thud_index i = 0; i < n; i++) {
    q[i] = line_arc_value(arc->order, arc->q, n, i, s);
    v[i] = line_arc_value(arc->order, arc->u, n, i, s);
    motion->reaction[i] += line_arc_integral(arc->order - 1, arc->r, n, i, s) -
                           (from > 0 ? line_arc_integral(arc->order - 1, arc->r, n, i, from) : 0);
    motion->bound[i] += line_arc_integral(arc->order - 1, arc->g, n, i, s) -
                        (from > 0 ? line_arc_integral(arc->order - 1, arc->g, n, i, from) : 0);
  }
}

/* The nodes that were asked for inside the arc; *from is the last of them. */
static thud_error hand_out_inside(line_motion *motion, const line_arc *arc, double before, double end, double *from) {
  thud_error error = THUD_OK;
  const thud_line_ledger base = motion->info.ledger;
  for (thud_index i = 0; i < motion->n; i++) motion->involved[i] = true;
  while (motion->next_output < motion->output_count && motion->outputs[motion->next_output] <= motion->t)
    motion->next_output++;
  for (; motion->next_output < motion->output_count && error == THUD_OK && !motion->stopped; motion->next_output++) {
    double t = motion->outputs[motion->next_output], s = t - motion->t;
    if (t >= end) break;
    move_to(motion, arc, *from, s, motion->q, motion->v);
    motion->info.ledger = base;
    ledger_at(motion, arc, before, s, motion->q, motion->v, &motion->info.ledger);
    error = line_hand_out(motion, t, THUD_LINE_PLAIN, false, motion->q, motion->v, motion->v);
    *from = s;
  }
  double identity = motion->info.ledger.identity;
  if (error == THUD_OK && !motion->stopped) {
    motion->info.ledger = base;
    motion->info.ledger.identity = identity;
  }
  return error;
}

static thud_error go_to(line_motion *motion, const line_arc *arc, double s, double end) {
  double before = motion->info.ledger.kinetic + motion->info.ledger.potential, from = 0;
  thud_error error = hand_out_inside(motion, arc, before, end, &from);
  if (error != THUD_OK || motion->stopped) return error;
  move_to(motion, arc, from, s, motion->q, motion->v);
  ledger_at(motion, arc, before, s, motion->q, motion->v, &motion->info.ledger);
  motion->t = end;
  motion->info.steps++;
  return THUD_OK;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* What happens at the root `first`, and what cannot be told apart from it. */
static void mark_events(const line_motion *motion, line_arc *arc, double first, double s, line_pending *pending) {
  thud_index n = motion->n;
  double reach = first + together * fmax(1, fabs(motion->t)) / arc->length;
  bool breaks = false; /* data may jump: what was stuck may start */
  for (thud_index j = 0; j < arc->switch_count; j++) {
    arc->switch_at_zero[j] = arc->roots[4 * n + j] <= reach;
    breaks = breaks || arc->switch_at_zero[j];
  }
  for (thud_index i = 0; i < n; i++) {
    line_particle *particle = &arc->particles[i];
    bool stops = arc->roots[i] <= reach;
    bool starts = arc->roots[n + i] <= reach || arc->roots[2 * n + i] <= reach || (breaks && particle->mode == 0);
    pending->particle[i] = stops || starts;
    pending->any = pending->any || stops || starts;
    pending->stop = pending->stop || stops;
    pending->before[i] = particle->mode;
    if (!stops) continue;
    particle->at_rest = true;
    motion->v[i] = line_arc_value(arc->order, arc->w, n, i, s);
  }
}

static double next_limit(const line_motion *motion) {
  double next = INFINITY;
  for (size_t k = 0; k < thud_line_family_count(motion->line); k++) {
    thud_line_truncation family = thud_line_get_truncation(motion->line, k);
    if (family.has_limit && family.limit > motion->t) next = fmin(next, family.limit);
  }
  return next;
}

static double next_atom_time(const line_motion *motion) {
  if (motion->next_atom >= thud_line_percussion_count(motion->line)) return INFINITY;
  return thud_line_get_percussion(motion->line, motion->next_atom).t;
}

/* One arc, or a part of it: to the next atom, event, or as far as the series reach. */
static thud_error advance(line_motion *motion, line_arc *arc, line_pending *pending) {
  double stop = fmin(fmin(next_atom_time(motion), next_limit(motion)), thud_line_end(motion->line));
  line_arc_measure(motion, arc, stop - motion->t);
  bool whole = arc->length == stop - motion->t;
  double first = find_first(motion, arc);
  double s = first <= 1 ? first * arc->length : arc->length;
  double end = whole && (first > 1 || motion->t + s >= stop) ? stop : motion->t + s;
  thud_error error = go_to(motion, arc, s, end);
  if (error != THUD_OK || motion->stopped) return error;
  for (thud_index i = 0; i < motion->n; i++) arc->particles[i].at_rest = arc->particles[i].mode == 0;
  *pending = (line_pending){.particle = pending->particle, .before = pending->before};
  memset(arc->switch_at_zero, 0, (size_t)arc->switch_count * sizeof(bool));
  if (first <= 1) mark_events(motion, arc, first, s, pending);
  memcpy(motion->v_left, motion->v, (size_t)motion->n * sizeof(double));
  return THUD_OK;
}

/* ---- nodes at an event ------------------------------------------------------------------------------------------- */

static thud_error hand_out_here(line_motion *motion, thud_line_event event) {
  return line_hand_out(motion, motion->t, event, event == THUD_LINE_PERCUSSION, motion->q, motion->v_left, motion->v);
}

static thud_error hand_out_plain(line_motion *motion) {
  for (thud_index i = 0; i < motion->n; i++) motion->involved[i] = true;
  return hand_out_here(motion, THUD_LINE_PLAIN);
}

/* Stops, and starts where the decision is that something slides; a stuck particle that went on sticking is no event. */
static thud_error tell_pending(line_motion *motion, line_pending *pending) {
  bool any = false;
  for (thud_index i = 0; i < motion->n; i++) {
    motion->involved[i] = pending->particle[i] && (pending->before[i] != 0 || motion->modes[i] != 0);
    any = any || motion->involved[i];
  }
  thud_line_event event = !pending->any || !any ? THUD_LINE_PLAIN : pending->stop ? THUD_LINE_STOP : THUD_LINE_SLIP;
  pending->any = false;
  return event == THUD_LINE_PLAIN ? hand_out_plain(motion) : hand_out_here(motion, event);
}

static thud_error tell_limits(line_motion *motion) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < thud_line_family_count(motion->line) && error == THUD_OK && !motion->stopped; k++) {
    thud_line_truncation family = thud_line_get_truncation(motion->line, k);
    if (!family.has_limit || family.limit != motion->t) continue;
    motion->family = k;
    for (thud_index i = 0; i < motion->n; i++) motion->involved[i] = true;
    memcpy(motion->v_left, motion->v, (size_t)motion->n * sizeof(double));
    error = hand_out_here(motion, THUD_LINE_ACCUMULATION);
  }
  return error;
}

/* The node that the arc has led to, the atom there, and the modes from here on. */
static thud_error arrive(line_motion *motion, line_arc *arc, line_pending *pending) {
  bool struck = next_atom_time(motion) <= motion->t, last = motion->t >= thud_line_end(motion->line);
  thud_error error = THUD_OK;
  if (struck) error = hand_out_plain(motion);
  if (error != THUD_OK || motion->stopped) return error;
  if (!last || struck) error = line_arc_read_data(motion, arc);
  if (error != THUD_OK) return error;
  /* The motion up to here is good, whatever comes after. */
  if (motion->info.status != THUD_LINE_COMPLETED) return struck ? THUD_OK : hand_out_plain(motion);
  if (struck) {
    thud_line_percussion atom = thud_line_get_percussion(motion->line, motion->next_atom++);
    error = line_strike(motion, &atom, arc->w);
    for (thud_index i = 0; i < motion->n && error == THUD_OK; i++) {
      motion->involved[i] = true;
      arc->particles[i].at_rest = motion->side[i] == 0 || motion->v[i] == arc->w[i];
    }
  }
  if (error == THUD_OK && (!last || struck)) error = line_arc_decide(motion, arc);
  if (error != THUD_OK || motion->info.status != THUD_LINE_COMPLETED) return error;
  if (struck) error = hand_out_here(motion, THUD_LINE_PERCUSSION);
  if (error == THUD_OK && !motion->stopped && (!struck || pending->any)) error = tell_pending(motion, pending);
  return error == THUD_OK && !motion->stopped ? tell_limits(motion) : error;
}

static void check_progress(line_motion *motion, double before, int *idle) {
  *idle = motion->t - before > 4 * DBL_EPSILON * fabs(motion->t) ? 0 : *idle + 1;
  if (*idle > PATIENCE) {
    thud_fail(motion->context, THUD_ERROR_NOT_CONVERGED, "more than %d events at t = %.17g", PATIENCE, motion->t);
    line_find(motion, THUD_LINE_STALLED);
  } else if (motion->info.stops + motion->info.slips > (size_t)motion->options->max_events) {
    thud_fail(motion->context, THUD_ERROR_NOT_CONVERGED, "more than max_events = %d stops and starts",
              motion->options->max_events);
    line_find(motion, THUD_LINE_TOO_MANY);
  }
}

static thud_error run_arcs(line_motion *motion, line_arc *arc, line_pending *pending) {
  int idle = 0;
  thud_error error = arrive(motion, arc, pending);
  while (error == THUD_OK && motion->info.status == THUD_LINE_COMPLETED && motion->t < thud_line_end(motion->line)) {
    double before = motion->t;
    error = advance(motion, arc, pending);
    if (error == THUD_OK && !motion->stopped) error = arrive(motion, arc, pending);
    if (error == THUD_OK) check_progress(motion, before, &idle);
  }
  return error;
}

thud_error line_run_event_driven(line_motion *motion) {
  line_arc arc;
  thud_error error = line_arc_create(motion, &arc);
  line_pending pending = {.particle = THUD_NEW_ARRAY(motion->context, bool, motion->n),
                          .before = THUD_NEW_ARRAY(motion->context, int8_t, motion->n)};
  if (pending.particle == NULL || pending.before == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = run_arcs(motion, &arc, &pending);
  thud_free(motion->context, pending.particle);
  thud_free(motion->context, pending.before);
  line_arc_free(motion, &arc);
  return error;
}
