/* Slip with two components that comes to rest, turning ever faster: the motion is followed until the slip would vanish
 * within the time tolerance, and what is left of it is taken away (docs/event-driven.md). The velocity jumps there, by
 * no more than forces do in that time, and only along the rows that hold: those of contacts that last, the slips of
 * contacts that stick and of the one that stops. */
#include "verify/math/verify_dense.h"
#include "verify/event/verify_event_rows.h"
#include "verify/math/verify_fit.h"

#include <math.h>
#include <string.h>

/* Has slip of this law, with several components, come to rest at row k? Laws by themselves have no modes. */
static bool stops(const verify_event_rows *f, size_t k, const verify_law *law) {
  if (law->directions < 2) return false;
  if (law->constraint == SIZE_MAX) return f->event[k] == VERIFY_EVENT_STICK || f->event[k] == VERIFY_EVENT_SLIP;
  size_t at = k * f->m + law->constraint;
  return f->involved[at] != 0 && f->mode_left[at] == VERIFY_MODE_SLIDING;
}

static bool any_stops(const verify_event_rows *f, size_t k) {
  for (size_t l = 0; l < f->system->law_count; l++)
    if (stops(f, k, &f->system->laws[l])) return true;
  return false;
}

static void add_column(const verify_event_rows *f, size_t row, double *columns, size_t *count) {
  thud_verify_cholesky_forward(f->n, f->at.factor, verify_reaction_row(f->system, &f->at, row),
                               columns + *count * f->n);
  ++*count;
}

/* L^-1 of the rows that hold, one after the other. */
static size_t gather(const verify_event_rows *f, size_t k, double *columns) {
  size_t count = 0;
  for (size_t i = 0; i < f->m; i++)
    if (verify_mode_lasts((int)f->mode_left[k * f->m + i])) add_column(f, i, columns, &count);
  for (size_t l = 0; l < f->system->law_count; l++) {
    const verify_law *law = &f->system->laws[l];
    bool sticks = law->constraint != SIZE_MAX && f->mode_left[k * f->m + law->constraint] == VERIFY_MODE_STICKING;
    for (size_t d = 0; d < law->directions && (sticks || stops(f, k, law)); d++)
      add_column(f, f->m + law->first + d, columns, &count);
  }
  return count;
}

/* Sizes of the forces at the end of the arc before, which f->at and f->r hold, in the kinetic metric. */
static double force_here(verify_event_rows *f) {
  double size = thud_verify_momentum_length(f->system, &f->at, f->at.force, f->work);
  for (size_t i = 0; i < f->m + f->s; i++)
    size += fabs(f->r[i]) *
            thud_verify_momentum_length(f->system, &f->at, verify_reaction_row(f->system, &f->at, i), f->work);
  return size;
}

/* taken = M^-1 of the part of M (v - v_left) along the rows that hold. */
static thud_error find_taken(verify_event_rows *f, size_t k, double *taken) {
  size_t n = f->n, rows = f->m + f->s;
  double *columns = THUD_NEW_ARRAY(f->context, double, rows *n + rows + n), *x = NULL, *b = NULL;
  bool *is_free = THUD_NEW_ARRAY(f->context, bool, rows);
  thud_error error = columns != NULL && is_free != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    x = columns + rows * n;
    b = x + rows;
    memset(is_free, 1, rows * sizeof(bool));
    for (size_t j = 0; j < n; j++) taken[j] = verify_event_v(f, k)[j] - f->v_left[k * n + j];
    thud_verify_apply_mass(f->system, &f->at, taken, b);
    thud_verify_cholesky_forward(n, f->at.factor, b, b);
    verify_fit fit = {.rows = n, .columns = gather(f, k, columns), .B = columns, .is_free = is_free, .b = b, .x = x};
    error = thud_verify_fit_solve(f->context, &fit);
    memset(taken, 0, n * sizeof(double));
    for (size_t c = 0; c < fit.columns && error == THUD_OK; c++)
      for (size_t j = 0; j < n; j++) taken[j] += columns[c * n + j] * x[c];
    thud_verify_cholesky_backward(n, f->at.factor, taken);
  }
  thud_free(f->context, columns);
  thud_free(f->context, is_free);
  return error;
}

thud_error thud_verify_event_stop(verify_event_rows *f, size_t k, double *taken) {
  memset(taken, 0, f->n * sizeof(double));
  if (k == 0 || !any_stops(f, k) || !thud_verify_event_place(f, k - 1, f->t_end[k - 1] - f->t[k - 1])) return THUD_OK;
  double late = fmin(f->t_error[k], f->system->time_tolerance * fabs(f->t[k]));
  double allowed = late * force_here(f) + VERIFY_ROUNDING * f->speed;
  thud_error error = find_taken(f, k, taken);
  double found = sqrt(2 * fmax(0, thud_verify_kinetic(f->system, &f->at, taken)));
  if (error == THUD_OK && thud_verify_tally(&f->checks.continuity, found, allowed, 0, f->t[k], k))
    thud_verify_explain(&f->checks.continuity, "slip that is taken away where it stops");
  return error;
}
