/* Surfaces s(q, t) = 0 across which the potential energy or the masses jump (a row with the event `switch`): the momentum
 * p = M v jumps along n = ds/dq alone, T + V changes by -l ds/dt where p+ = p- + l n, and the motion comes back only
 * where no velocity leads across. Arguments of the switches are differentiated by differences, and both sides are
 * evaluated at the row's own state by holding the switch. */
#include "verify/event_rows.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

/* Relative to sizes: how near a surface a row is, and steps of differences. */
#define NEAR 1e-9
#define STEP 1e-5

typedef struct surface {
  thud_index number; /* of the switch */
  int before, after; /* sides */
  double *normal;    /* [n] */
  double rate;       /* ds/dt at fixed q */
  double *momentum;  /* [n] p- */
  double *room;      /* [n] */
  double energy;     /* before */
} surface;

/* Argument of a switch at a place moved by x along coordinate i (i = n: along the time). */
static double argument_at(verify_event_rows *f, size_t k, thud_index number, size_t i, double x, double *arguments) {
  double *q = f->state;
  memcpy(q, verify_event_q(f, k), f->n * sizeof *q);
  if (i < f->n) q[i] += x;
  thud_verify_system_at(f->system, f->t[k] + (i == f->n ? x : 0), q, f->v_left + k * f->n, &f->at);
  thud_expr_work_switches(f->system->work, arguments);
  return arguments[number];
}

/* ds/dq and ds/dt; returns whether row k lies on the surface. */
static bool find_normal(verify_event_rows *f, size_t k, thud_index number, double *arguments, surface *found) {
  double value = argument_at(f, k, number, 0, 0, arguments), size = 0;
  for (size_t i = 0; i <= f->n; i++) {
    double scale = i < f->n ? f->q_size[i] : fmax(fabs(f->t[k]), f->t_end[f->count - 1] - f->t[0]);
    double step = STEP * (scale > 0 ? scale : 1);
    double slope =
        (argument_at(f, k, number, i, step, arguments) - argument_at(f, k, number, i, -step, arguments)) / (2 * step);
    *(i < f->n ? &found->normal[i] : &found->rate) = slope;
    size += fabs(slope) * scale;
  }
  return fabs(value) <= NEAR * size;
}

/* The one switch on whose surface row k lies; false: there is none, or there are several. */
static bool find_switch(verify_event_rows *f, size_t k, surface *found, double *arguments) {
  thud_index count = thud_expr_program_switch_count(f->system->program), hits = 0, number = 0;
  for (thud_index j = 0; j < count; j++)
    if (find_normal(f, k, j, arguments, found)) {
      hits++;
      number = j;
    }
  if (hits != 1) return false;
  find_normal(f, k, number, arguments, found);
  found->number = number;
  return true;
}

static double across(const verify_event_rows *f, const surface *s, const double *v) {
  double sum = s->rate;
  for (size_t i = 0; i < f->n; i++) sum += s->normal[i] * v[i];
  return sum;
}

/* f->at on one side of the surface. */
static bool place_on_side(verify_event_rows *f, size_t k, const surface *s, int side) {
  thud_error error = thud_expr_work_hold(f->system->work, s->number, side);
  bool known =
      error == THUD_OK && thud_verify_system_at(f->system, f->t[k], verify_event_q(f, k), f->v_left + k * f->n, &f->at);
  error = thud_expr_work_hold(f->system->work, s->number, 0);
  return known && error == THUD_OK;
}

static bool begin(verify_event_rows *f, size_t k, surface *s) {
  size_t switches = (size_t)thud_expr_program_switch_count(f->system->program);
  double *arguments = THUD_NEW_ARRAY(f->context, double, switches + 3 * f->n);
  if (arguments == NULL) return false;
  s->normal = arguments + switches;
  s->momentum = s->normal + f->n;
  s->room = s->momentum + f->n;
  bool known = find_switch(f, k, s, arguments);
  s->before = across(f, s, f->v_left + k * f->n) > 0 ? -1 : 1;
  s->after = across(f, s, verify_event_v(f, k)) > 0 ? 1 : -1;
  known = known && place_on_side(f, k, s, s->before);
  if (known) {
    thud_verify_apply_mass(f->system, &f->at, f->v_left + k * f->n, s->momentum);
    s->energy = thud_verify_kinetic(f->system, &f->at, f->v_left + k * f->n) + *f->at.potential;
  }
  if (known) return true;
  thud_free(f->context, arguments);
  return false;
}

static void end(verify_event_rows *f, surface *s) {
  thud_free(f->context, s->normal - (size_t)thud_expr_program_switch_count(f->system->program));
}

/* p+ - p- = l n: l, and in room what is left; f->at is that of the side after. */
static double multiplier_of(verify_event_rows *f, size_t k, surface *s) {
  double along = 0, square = 0;
  thud_verify_apply_mass(f->system, &f->at, verify_event_v(f, k), s->room);
  for (size_t i = 0; i < f->n; i++) {
    s->room[i] -= s->momentum[i];
    along += s->room[i] * s->normal[i];
    square += s->normal[i] * s->normal[i];
  }
  double l = square > 0 ? along / square : 0;
  for (size_t i = 0; i < f->n; i++) s->room[i] -= l * s->normal[i];
  return l;
}

/* b^2 - 4 a c of the velocities across that energy allows on the other side, where f->at is. */
static double room_to_cross(verify_event_rows *f, const surface *s) {
  double length = thud_verify_momentum_length(f->system, &f->at, s->normal, f->work), b = s->rate;
  for (size_t i = 0; i < f->n; i++) b += f->work[i] * s->momentum[i];
  double carried = thud_verify_momentum_length(f->system, &f->at, s->momentum, f->work);
  return b * b - 2 * length * length * (carried * carried / 2 + *f->at.potential - s->energy);
}

bool thud_verify_event_surface(verify_event_rows *f, size_t k) {
  thud_verify_check *check = &f->checks.continuity;
  surface s = {0};
  if (f->system->functions || f->event[k] != VERIFY_EVENT_SWITCH || !begin(f, k, &s)) return false;
  const double *plus = verify_event_v(f, k);
  double tolerance = fmax(f->tolerance, NEAR);
  bool known = place_on_side(f, k, &s, s.after);
  if (known) {
    double l = multiplier_of(f, k, &s), left = thud_verify_momentum_length(f->system, &f->at, s.room, f->work);
    double energy = thud_verify_kinetic(f->system, &f->at, plus) + *f->at.potential;
    if (thud_verify_tally(check, left, tolerance * f->speed, 0, f->t[k], k))
      thud_verify_explain(check, "momentum along the surface on which the data jump");
    if (thud_verify_tally(check, fabs(energy - s.energy + l * s.rate), tolerance * f->energy_size, 0, f->t[k], k))
      thud_verify_explain(check, "energy at the surface on which the data jump");
  }
  if (known && s.after == s.before && place_on_side(f, k, &s, -s.before) && room_to_cross(f, &s) > 0)
    thud_verify_fail(check, f->t[k], k, "the motion comes back from a surface that it can cross");
  end(f, &s);
  return known;
}

bool thud_verify_event_side(verify_event_rows *f, size_t k, double *work) {
  surface s = {0};
  *work = 0;
  if (f->system->functions || f->event[k] != VERIFY_EVENT_SWITCH || !begin(f, k, &s)) return false;
  bool known = place_on_side(f, k, &s, s.after);
  double flat = 0;
  for (size_t i = 0; i < f->n; i++) flat += fabs(s.normal[i]) * f->q_size[i];
  if (known && flat > 0) *work = -multiplier_of(f, k, &s) * s.rate;
  if (known && !(flat > 0))
    *work = thud_verify_kinetic(f->system, &f->at, verify_event_v(f, k)) + *f->at.potential - s.energy;
  end(f, &s);
  return known;
}
