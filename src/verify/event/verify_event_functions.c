/* Event-driven records of systems without formulas: impacts from the recorded numbers, reactions on arcs. */
#include "verify/event/verify_event_rows.h"

#include <math.h>

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
    if (thud_verify_tally(&f->checks.law, fmax(0, wrong), open ? 0 : f->tolerance * size, 0, f->t[k], k))
      thud_verify_explain(&f->checks.law, open ? "reaction of '%s', which is open" : "sign of the reaction of '%s'",
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
  static const char why[] = "the functions are in a C program";
  thud_verify_skip(&f->checks.motion, THUD_VERIFY_NOT_CHECKED, "equations of motion on arcs: %s", why);
  thud_verify_skip(&f->checks.gap, THUD_VERIFY_NOT_CHECKED, "gaps and equations on arcs: %s", why);
  thud_verify_skip(&f->checks.friction, THUD_VERIFY_NOT_CHECKED, "slips and thresholds on arcs: %s", why);
}
