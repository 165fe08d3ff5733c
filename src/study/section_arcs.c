/* Sections of event-driven motions, evaluated on the polynomials of their arcs. */
#include "study/section.h"

#include <math.h>

enum {
  PIECES_PER_DEGREE = 4, /* an arc is as long as its series allows: what is smooth is like a polynomial of its degree on
                            it, and changes of sign are looked for in this many times as many pieces */
  MOST_HALVINGS = 200    /* of a piece with a change of sign; neighbouring numbers are reached long before */
};

/* A value of the section's expression below this, relative to the largest of the run so far, is 0 at the ends of an
 * arc: there it is known with the rounding of the motion, and a motion that leaves a zero has not passed through it. */
static const double ZERO = 1e-12;

/* The expression on the arc; the state there stays in q_mid and v_mid. */
static double where_at(section_run *run, const thud_event_arc *arc, double t) {
  thud_event_arc_evaluate(arc, run->scene->dimension, t, run->q_mid, run->v_mid);
  return section_evaluate(run, run->where, t, run->q_mid, run->v_mid);
}

static void add_on_arc(section_run *run, const thud_event_arc *arc, double t) {
  thud_event_arc_evaluate(arc, run->scene->dimension, t, run->q_mid, run->v_mid);
  section_add_point(run, t, run->q_mid, run->v_mid);
}

/* The expression is negative at a and not at b: bisection down to neighbouring numbers. */
static double find_passage(section_run *run, const thud_event_arc *arc, double a, double b) {
  for (int k = 0; k < MOST_HALVINGS; k++) {
    double middle = a + (b - a) / 2;
    if (middle <= a || middle >= b) break;
    if (where_at(run, arc, middle) < 0)
      a = middle;
    else
      b = middle;
  }
  return b;
}

static void look_for_zeros(section_run *run, const thud_event_arc *arc) {
  int pieces = PIECES_PER_DEGREE * (int)(arc->degree + 1);
  double h = arc->t1 - arc->t0, a = arc->t0, before = where_at(run, arc, a);
  if (!(h > 0)) return;
  run->where_size = fmax(run->where_size, fabs(before));
  if (fabs(before) <= ZERO * run->where_size) before = 0;
  for (int k = 1; k <= pieces; k++) {
    double b = k < pieces ? arc->t0 + h * k / pieces : arc->t1, now = where_at(run, arc, b);
    run->where_size = fmax(run->where_size, fabs(now));
    if (k == pieces && fabs(now) <= ZERO * run->where_size) now = 0;
    if (before < 0 && now >= 0) add_on_arc(run, arc, find_passage(run, arc, a, b));
    before = now;
    a = b;
  }
}

static void look_for_periods(section_run *run, const thud_event_arc *arc) {
  for (; run->next_period <= arc->t1; run->next_period += run->period)
    if (run->next_period > arc->t0) add_on_arc(run, arc, run->next_period);
}

int section_on_arc(void *user, const thud_event_arc *arc) {
  section_run *run = user;
  if (run->options->section == THUD_SECTION_ZEROS) look_for_zeros(run, arc);
  if (run->options->section == THUD_SECTION_PERIOD) look_for_periods(run, arc);
  return run->error == THUD_OK ? 0 : -1;
}

int section_on_event(void *user, const thud_event *event) {
  section_run *run = user;
  bool impact = run->options->section == THUD_SECTION_IMPACTS && event->kind == THUD_EVENT_IMPACT;
  if (impact && (run->constraint < 0 || event->impulse[run->constraint] != 0))
    section_add_point(run, event->t, event->q, event->v_before);
  return run->error == THUD_OK ? 0 : -1;
}
