/* Structure of an event-driven record: numbers, times, codes, and what belongs to which event. */
#include "verify/event/verify_event_rows.h"

#include <math.h>

static void fail(verify_event_rows *f, size_t k, const char *what) {
  thud_verify_fail(&f->checks.structure, f->t[k], k, "%s", what);
}

static bool all_finite(size_t count, const double *x) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

static bool all_zero(size_t count, const double *x) {
  for (size_t i = 0; i < count; i++)
    if (x[i] != 0) return false;
  return true;
}

static bool all_within(size_t count, const double *x, double low, double high) {
  for (size_t i = 0; i < count; i++)
    if (!(x[i] >= low && x[i] <= high)) return false;
  return true;
}

/* All that are resolved. */
static bool all_reactions_finite(const verify_event_rows *f, size_t k) {
  size_t rows = f->m + f->s, count = (f->force_degree + 1) * rows;
  const double *c = f->reaction + k * count;
  for (size_t j = 0; j < count; j++)
    if (!isfinite(c[j]) && (j >= rows || !thud_verify_event_is_unresolved(f, k, j))) return false;
  return true;
}

static void check_numbers(verify_event_rows *f, size_t k) {
  size_t n = f->n, rows = f->m + f->s;
  bool finite = isfinite(f->t[k]) && isfinite(f->t_end[k]) && isfinite(f->t_error[k]) && isfinite(f->residual[k]) &&
                isfinite(f->cosine[k]) && all_finite((f->degree + 1) * n, verify_event_q(f, k)) &&
                all_reactions_finite(f, k) && all_finite(n, f->v_left + k * n) &&
                all_finite(rows, f->impulse + k * rows) && all_finite(VERIFY_ZENO, f->zeno + k * VERIFY_ZENO) &&
                all_finite(VERIFY_LEDGER_WIDTH, f->ledger + k * VERIFY_LEDGER_WIDTH);
  if (!finite) fail(f, k, "a number of this row is NaN or infinite");
  if (f->t_error[k] < 0) fail(f, k, "the error bound of a time is negative");
  if (f->residual[k] < 0) fail(f, k, "a residual is negative");
}

static void check_codes(verify_event_rows *f, size_t k) {
  size_t m = f->m;
  if (!all_within(1, f->event + k, VERIFY_EVENT_NONE, VERIFY_EVENTS - 1)) fail(f, k, "a code of no event");
  if (!all_within(m, f->mode + k * m, 0, VERIFY_MODES - 1) || !all_within(m, f->mode_left + k * m, 0, VERIFY_MODES - 1))
    fail(f, k, "a code of no mode");
  if (!all_within(m, f->order + k * m, -1, (double)f->degree)) fail(f, k, "an order beyond that of the series");
  if (!all_within(m, f->involved + k * m, 0, 1) || !all_within(1, f->accumulation + k, 0, 1) ||
      !all_within(1, f->tangential + k, 0, 1))
    fail(f, k, "a mark that is neither 0 nor 1");
  if (!isnan(f->status[k]) && !all_within(1, f->status + k, 0, VERIFY_ARC_STATUSES - 1))
    fail(f, k, "a code of no status of an arc");
}

/* The order of an event: that of its arc is compared with it; of others only the range is known. Totals of impulses
 * are in the rows only where they are claim. */
static void check_events(verify_event_rows *f) {
  for (size_t e = 0; e < f->tables.events.count; e++) {
    if (!all_finite(verify_ragged_count(&f->tables.total, e), verify_ragged_row(&f->tables.total, e)))
      thud_verify_fail(&f->checks.structure, f->tables.events.t[e], SIZE_MAX,
                       "a total impulse of event %zu is not finite", e);
    if (!all_within(1, f->tables.deepest + e, -1, (double)f->degree))
      thud_verify_fail(&f->checks.structure, f->tables.events.t[e], SIZE_MAX,
                       "the order of event %zu is beyond that of the series", e);
  }
}

static void check_times(verify_event_rows *f, size_t k) {
  if (f->t_end[k] < f->t[k]) fail(f, k, "the row ends before it begins");
  if (k > 0 && f->t[k] != f->t_end[k - 1])
    thud_verify_fail(&f->checks.structure, f->t[k], k, "the row begins at %.17g, the one before ends at %.17g", f->t[k],
                     f->t_end[k - 1]);
}

/* What only impacts, limits and arcs have. */
static void check_belongings(verify_event_rows *f, size_t k) {
  size_t n = f->n, rows = f->m + f->s;
  if (!verify_event_jumps(f, k) && f->event[k] != VERIFY_EVENT_SWITCH && !all_zero(rows, f->impulse + k * rows))
    fail(f, k, "an impulse without impact");
  const double *reaction = f->reaction + k * (f->force_degree + 1) * rows;
  if (f->accumulation[k] != 0 && !all_zero((f->force_degree + 1) * rows, reaction))
    fail(f, k, "the rest of an accumulation has a reaction");
  if (f->accumulation[k] != 0 && f->degree > 2 && !all_zero((f->degree - 2) * n, verify_event_q(f, k) + 3 * n))
    fail(f, k, "the rest of an accumulation is not a parabola");
  if (k == 0 && f->event[k] == VERIFY_EVENT_NONE && !thud_verify_same_numbers(f->m, f->mode, f->mode_left))
    thud_verify_fail(&f->checks.modes, f->t[k], k, "the modes before the start are not those of the first arc");
  if (f->accumulation[k] != 0 && !(k + 1 < f->count && f->event[k + 1] == VERIFY_EVENT_ZENO))
    fail(f, k, "the rest of an accumulation has no limit");
  if (verify_event_has_arc(f, k)) return;
  if (verify_event_ends_frame(f, k) && k + 1 < f->count) fail(f, k, "a frame without an arc before the end");
  if (f->accumulation[k] != 0) fail(f, k, "an accumulation without duration");
  if (!all_zero((f->degree - 1) * n, verify_event_q(f, k) + 2 * n) || !all_zero((f->force_degree + 1) * rows, reaction))
    fail(f, k, "a row without duration has coefficients of an arc");
}

/* All arcs have as many coefficients; the rest of an accumulation has no forces. */
static void check_lengths(verify_event_rows *f) {
  const verify_event_tables *tables = &f->tables;
  size_t q = (f->degree + 1) * f->n, r = (f->force_degree + 1) * (f->m + f->s);
  for (size_t j = 0; j < tables->count; j++) {
    bool arc = tables->t_end[j] > tables->t[j], rest = tables->accumulation[j] != 0;
    if (!arc || rest) continue;
    if (verify_ragged_count(&tables->q, j) != q || (r > 0 && verify_ragged_count(&tables->reaction, j) != r))
      thud_verify_fail(&f->checks.structure, tables->t[j], j, "the arc has not as many coefficients as others");
  }
}

void thud_verify_event_structure(verify_event_rows *f, bool good) {
  const verify_scene *scene = &f->system->scene;
  size_t last = f->count - 1, arcs = 0;
  for (size_t k = 0; k < f->count; k++) {
    check_numbers(f, k);
    check_codes(f, k);
    check_times(f, k);
    check_belongings(f, k);
    arcs += verify_event_has_arc(f, k);
  }
  check_events(f);
  check_lengths(f);
  if (f->t[0] != scene->start)
    thud_verify_fail(&f->checks.structure, f->t[0], 0, "the first row is at t = %.10g, the run starts at %.10g",
                     f->t[0], scene->start);
  if (good && (f->t[last] != scene->end || f->t_end[last] != scene->end))
    thud_verify_fail(&f->checks.structure, f->t[last], last, "the last row is at t = %.10g, the run ends at %.10g",
                     f->t[last], scene->end);
  if (f->checks.structure.status == THUD_VERIFY_PASSED)
    thud_verify_explain(&f->checks.structure, "%zu frames, %zu events, %zu arcs of degree %zu at most", f->tables.count,
                        f->tables.events.count, arcs, f->degree);
}
