/* Steps of Newton's method: regularised direction, nonmonotone line search, and what to change when neither helps. */
#include "solve/newton.h"

#include <math.h>

/* Line search: halvings at most, and the decrease of the merit that a step of length t must bring (relative, times t).
 */
enum { HALVINGS = 6 };
static const double DECREASE = 1e-3;

/* The shift, relative to the diagonal of W: lowered after full steps, raised after short or refused ones, which it
 * also makes shorter (Levenberg's rule; with W rank-deficient a small shift picks the nearest of many solutions). */
static const double SHIFT_FIRST = 1e-3, SHIFT_LEAST = 1e-8, SHIFT_MOST = 1, SHIFT_FACTOR = 10;
static const double SHORT_STEP = 0.2;

/* rho is multiplied when PATIENCE steps have not brought the watched figure below GAIN times what it was; back to its
 * first value after RHO_MOST. */
enum { PATIENCE = 15 };
static const double GAIN = 0.5, RHO_FACTOR = 10, RHO_MOST = 1e4;

void thud_newton_search_begin(thud_newton_search *search) {
  *search = (thud_newton_search){.shift = SHIFT_FIRST, .rho = 1, .watched = INFINITY};
}

void thud_newton_search_forget(thud_newton_search *search) { search->kept = search->next = 0; }

void thud_newton_search_end(thud_newton *newton, thud_newton_search *search) {
  if (search->rho != 1) thud_newton_scale_steps(newton, 1);
  search->rho = 1;
}

bool thud_newton_search_watch(thud_newton *newton, thud_newton_search *search, double figure) {
  if (figure < GAIN * search->watched) {
    search->watched = figure;
    search->patience = 0;
  } else if (++search->patience >= PATIENCE) {
    search->rho = search->rho >= RHO_MOST ? 1 : search->rho * RHO_FACTOR;
    thud_newton_scale_steps(newton, search->rho);
    search->shift = SHIFT_FIRST;
    search->watched = figure;
    search->patience = 0;
    thud_newton_search_forget(search);
    return true;
  }
  return false;
}

static void remember(thud_newton_search *search, double merit) {
  search->recent[search->next] = merit;
  search->next = (search->next + 1) % THUD_NEWTON_WINDOW;
  if (search->kept < THUD_NEWTON_WINDOW) search->kept++;
}

/* The largest merit of the last iterates (Grippo, Lampariello and Lucidi, SIAM J. Numer. Anal. 23, 1986). */
static double largest_recent(const thud_newton_search *search) {
  double largest = 0;
  for (int k = 0; k < search->kept; k++) largest = fmax(largest, search->recent[k]);
  return largest;
}

/* The first of t = 1, 1/2, 1/4, ... that lowers the merit enough; 0: none does. */
static double line_search(thud_newton *newton, const thud_newton_search *search, const double *r, double *merit) {
  double bound = largest_recent(search), t = 1;
  for (int k = 0; k < HALVINGS; k++, t /= 2) {
    *merit = thud_newton_merit_along(newton, t, r);
    if (*merit <= (1 - DECREASE * t) * bound) return t;
  }
  return 0;
}

bool thud_newton_step(thud_newton *newton, thud_newton_search *search, double *r, double *l) {
  double reached = INFINITY, t = 0;
  search->merit = thud_newton_evaluate(newton, r, l);
  if (search->kept == 0) remember(search, search->merit);
  if (thud_newton_direction(newton, search->shift, r)) t = line_search(newton, search, r, &reached);
  if (t < SHORT_STEP)
    search->shift = fmin(search->shift * SHIFT_FACTOR, SHIFT_MOST);
  else if (t == 1)
    search->shift = fmax(search->shift / SHIFT_FACTOR, SHIFT_LEAST);
  if (t == 0) return false;
  for (size_t i = 0; i < newton->size; i++) r[i] += t * newton->dr[i];
  for (size_t i = 0; i < newton->rows; i++) l[i] += t * newton->dl[i];
  search->merit = reached;
  remember(search, reached);
  return true;
}
