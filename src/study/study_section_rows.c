/* Sections of motions of any kind, from their rows: on the series of a row, or between two rows, where states are
 * linear. */
#include "study/study_section.h"

#include <math.h>
#include <string.h>

enum {
  PIECES_PER_DEGREE = 4, /* an arc is as long as its series allows: what is smooth is like a polynomial of its degree on
                            it, and changes of sign are looked for in this many times as many pieces */
  MOST_HALVINGS = 200    /* of a piece with a change of sign; neighbouring numbers are reached long before */
};

/* A value of the section's expression below this, relative to the largest of the run so far, is 0 at the ends of a
 * stretch: there it is known with the rounding of the motion, and a motion that leaves a zero has not passed through
 * it. */
static const double ZERO = 1e-12;

/* A stretch of the motion without jumps. */
typedef struct stretch {
  double t0, t1;
  int pieces;
  const thud_record_cell *cells; /* series; NULL: linear from one state to the other */
  const double *from, *to;
} stretch;

/* The state stays in run->mid. */
static const double *state_at(section_run *run, const stretch *on, double t) {
  if (on->cells != NULL) {
    thud_run_state_at(&run->state, on->cells, t, run->mid);
    return run->mid;
  }
  double s = (t - on->t0) / (on->t1 - on->t0);
  for (size_t k = 0; k < run->state.count; k++) run->mid[k] = on->from[k] + s * (on->to[k] - on->from[k]);
  return run->mid;
}

static double where_at(section_run *run, const stretch *on, double t) {
  return thud_section_evaluate(run, run->where, t, state_at(run, on, t));
}

/* The expression is negative at a and not at b: bisection down to neighbouring numbers. */
static double find_passage(section_run *run, const stretch *on, double a, double b) {
  for (int k = 0; k < MOST_HALVINGS; k++) {
    double middle = a + (b - a) / 2;
    if (middle <= a || middle >= b) break;
    if (where_at(run, on, middle) < 0)
      a = middle;
    else
      b = middle;
  }
  return b;
}

static void look_for_zeros(section_run *run, const stretch *on) {
  double h = on->t1 - on->t0, a = on->t0, before = where_at(run, on, a);
  run->where_size = fmax(run->where_size, fabs(before));
  if (fabs(before) <= ZERO * run->where_size) before = 0;
  for (int k = 1; k <= on->pieces; k++) {
    double b = k < on->pieces ? on->t0 + h * k / on->pieces : on->t1, now = where_at(run, on, b);
    run->where_size = fmax(run->where_size, fabs(now));
    if (k == on->pieces && fabs(now) <= ZERO * run->where_size) now = 0;
    if (before < 0 && now >= 0) {
      double t = find_passage(run, on, a, b);
      thud_section_add_point(run, t, state_at(run, on, t));
    }
    before = now;
    a = b;
  }
}

static void look_for_periods(section_run *run, const stretch *on) {
  for (; run->next_period <= on->t1; run->next_period += run->period)
    if (run->next_period > on->t0) thud_section_add_point(run, run->next_period, state_at(run, on, run->next_period));
}

/* That of the row's series, or from the row before. At a row without a jump the motion arrives with its right limit:
 * the velocity that an impact law would have seen is, in some schemes, the one that the step began with. */
static stretch stretch_to(const section_run *run, double t, unsigned flags, const thud_record_cell *cells) {
  const run_state *state = &run->state;
  if (thud_run_state_has_series(state)) {
    size_t terms = cells[state->parts[0].channel].count / state->parts[0].width;
    return (stretch){
        .t0 = t, .t1 = cells[state->end].values[0], .pieces = PIECES_PER_DEGREE * (int)terms, .cells = cells};
  }
  const double *to = (flags & THUD_ROW_KEEP) != 0 ? run->left : run->right;
  return (stretch){.t0 = run->begun ? run->t_before : t, .t1 = t, .pieces = 1, .from = run->before, .to = to};
}

/* Impacts at the time of the row: its coordinates, the velocities before. */
static void add_impacts(section_run *run) {
  size_t n = run->state.count / 2;
  memcpy(run->mid, run->right, n * sizeof(double));
  for (size_t k = 0; k < run->impact.count; k++) {
    const double *one = run->impact.waiting + k * (1 + n);
    memcpy(run->mid + n, one + 1, n * sizeof(double));
    thud_section_add_point(run, one[0], run->mid);
  }
  run->impact.count = 0;
}

int thud_section_on_row(void *user, double t, unsigned flags, const thud_record_cell *cells) {
  section_run *run = user;
  if (run->options->section == THUD_SECTION_IMPACTS && run->impact.count == 0) return 0;
  thud_run_state_read(&run->state, cells, run->left, run->right);
  add_impacts(run);
  stretch on = stretch_to(run, t, flags, cells);
  if (run->options->section == THUD_SECTION_ZEROS && on.t1 > on.t0) look_for_zeros(run, &on);
  if (run->options->section == THUD_SECTION_PERIOD && on.t1 > on.t0) look_for_periods(run, &on);
  run->t_before = t;
  run->begun = true;
  memcpy(run->before, run->right, run->state.count * sizeof(double));
  return run->error == THUD_OK ? 0 : -1;
}

/* Is the constraint struck by the impact of this event? */
static bool is_struck(const section_impacts *impact, const thud_record_cell *cells) {
  if (impact->constraint < 0) return true;
  const thud_record_cell *component = &cells[impact->component], *impulse = &cells[impact->impulse];
  for (size_t k = 0; k < component->count; k++)
    if ((thud_index)component->values[k] == impact->constraint) return impulse->values[k] != 0;
  return false;
}

int thud_section_on_event(void *user, double t, const thud_record_cell *cells) {
  section_run *run = user;
  section_impacts *impact = &run->impact;
  bool is_impact = run->options->section == THUD_SECTION_IMPACTS && cells[1].values[0] == impact->kind;
  if (!is_impact || !is_struck(impact, cells)) return 0;
  size_t width = 1 + run->state.count / 2;
  run->error = thud_array_reserve(run->context, &impact->waiting, &impact->capacity, (impact->count + 1) * width,
                                  sizeof(double));
  if (run->error != THUD_OK) return -1;
  double *one = impact->waiting + impact->count++ * width;
  one[0] = t;
  memcpy(one + 1, cells[impact->before].values, (width - 1) * sizeof(double));
  return 0;
}
