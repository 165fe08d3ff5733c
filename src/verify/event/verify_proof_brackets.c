/* Brackets of events: the gaps that close there do so between their ends. */
#include "verify/event/verify_event_proof.h"

#include <float.h>

/* Where nothing has a root: loads and limits of accumulations. */
static bool has_none(const verify_event_rows *f, size_t k) {
  return f->event[k] == VERIFY_EVENT_ZENO || f->event[k] == VERIFY_EVENT_PERCUSSION;
}

/* The bracket is one, about the time as well as t_error says; roots that are closer together than the scene's
 * time_tolerance are one event, and share it. */
static bool is_sensible(const verify_event_rows *f, size_t k) {
  double low = f->t_low[k], high = f->t_high[k], t = fabs(f->t[k]), h = k > 0 ? f->t[k] - f->t[k - 1] : 0;
  double most = f->t_error[k] + 2 * DBL_EPSILON * t, together = f->system->time_tolerance * fmax(t, h);
  if (has_none(f, k)) return isnan(low) && isnan(high);
  if (isnan(low) && isnan(high)) return true;
  return low <= high && -low <= most && high <= most + together;
}

/* Gap i on a few roundings about s of the arc of row k. */
static verify_interval gap_at(verify_event_rows *f, size_t k, size_t i, double s) {
  double blur = 2 * DBL_EPSILON * (fabs(f->t[k]) + fabs(s));
  thud_verify_proof_enclose(f, k, f->proof->gaps, s - blur, s + blur);
  return f->proof->gaps->values[verify_output(f->proof->gaps, i)];
}

/* Does gap i, open before, close at the event of row k without having been closed? */
static bool closes(const verify_event_rows *f, size_t k, size_t i) {
  int mode = (int)f->mode_left[k * f->m + i];
  bool impact = f->event[k] == VERIFY_EVENT_IMPACT || f->event[k] == VERIFY_EVENT_CLOSE;
  return impact && f->tangential[k] == 0 && f->involved[k * f->m + i] != 0 &&
         f->system->constraints[i].kind == VERIFY_UNILATERAL &&
         (mode == VERIFY_MODE_OPEN || mode == VERIFY_MODE_LEAVING);
}

void thud_verify_proof_bracket(verify_event_rows *f, size_t k) {
  if (f->event[k] == VERIFY_EVENT_NONE) return;
  if (!is_sensible(f, k)) {
    thud_verify_fail(&f->checks.proof, f->t[k], k,
                     "the bracket of the event's time is none, or further from it than its t_error");
    return;
  }
  if (k == 0 || f->proof == NULL || isnan(f->t_low[k]) || !verify_event_has_arc(f, k - 1)) return;
  if (f->status[k - 1] != VERIFY_ARC_PROVED || f->proof->gaps == NULL) return;
  double h = f->t[k] - f->t[k - 1], low = h + f->t_low[k], high = h + f->t_high[k];
  for (size_t i = 0; i < f->m; i++) {
    if (!closes(f, k, i)) continue;
    double eta = f->t_low[k] == f->t_high[k] ? f->proof->eta[i] : 0; /* a point: within rounding */
    if (f->mode_left[k * f->m + i] == VERIFY_MODE_LEAVING)           /* began at 0, but for rounding */
      eta = fmax(eta, 2 * verify_magnitude(gap_at(f, k - 1, i, 0)));
    bool before = gap_at(f, k - 1, i, low).high<-eta, after = gap_at(f, k - 1, i, high).low> eta;
    if (before || after)
      thud_verify_fail(&f->checks.proof, f->t[k], k, "the gap of '%s' closes %s the bracket of the event's time",
                       f->system->constraints[i].name, before ? "before" : "after");
  }
}
