/* The summary of a recorded sweeping process: the same as its frames. */
#include "verify/verify_channels.h"
#include "verify/sweeping/verify_sweeping_checks.h"
#include "verify/verify_limit.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double rounding(const verify_motion *m) { return (64 + 4 * (double)m->n) * DBL_EPSILON; }

typedef struct sweep_summary {
  const verify_motion *m;
  const thud_node *map;
  bool good; /* the run has ended well: the step at which one failed has a residual but no frame */
  thud_verify_check *check;
  size_t last;
  double steps; /* that the summary claims */
} sweep_summary;

static void compare(const sweep_summary *s, const char *key, double value, double tolerance) {
  thud_verify_note_number(s->map, key, value, tolerance, s->m->t[s->last], s->last, s->check);
}

/* Compares values, not bits: projections turn 0 into -0, which is no motion and no frame of its own. */
static bool is_initial_state(const verify_motion *m, size_t k) {
  for (size_t i = 0; i < m->n; i++)
    if (verify_state(m, k)[i] != m->scene->initial[i]) return false;
  return true;
}

/* An interval of the partition that has a length is a step; the projections besides are those at the start and at
 * jumps of the data. Without jumps the scene has all these numbers. */
static void compare_counts(const sweep_summary *s) {
  const verify_motion *m = s->m;
  double steps = m->scene->steps, moved = 0, projections = 0;
  bool outside = !is_initial_state(m, 0);
  for (size_t k = 1; k < m->count; k++) {
    moved += m->t[k] > m->t[k - 1];
    outside = outside || (m->t[k] == m->t[0] && !is_initial_state(m, k));
  }
  if (!s->good || (!m->complete && thud_verify_note_missing(s->map, "steps"))) return;
  if (m->complete) compare(s, "steps", moved, 0);
  if (m->scene->jump_count == 0) compare(s, "steps", steps, 0);
  if (!thud_verify_note_find(s->map, "projections", &projections) || projections < s->steps)
    thud_verify_fail(s->check, m->t[s->last], s->last, "'projections' is less than one per step");
  if (m->scene->regularised)
    compare(s, "projections", s->steps, 0);
  else if (m->complete)
    compare(s, "projections", (double)m->count - (outside ? 1 : 0), 0);
  else if (m->scene->jump_count == 0)
    compare(s, "projections", s->steps + 1, 0);
}

/* The largest residual and its time, in the middle of a step for the regularised method. */
static void compare_residual(const sweep_summary *s) {
  const verify_motion *m = s->m;
  double worst = 0, t = m->t[0];
  for (size_t k = 0; k < m->count; k++) {
    if (!(m->residual[k] > worst)) continue;
    worst = m->residual[k];
    t = m->scene->regularised && k > 0 ? m->t[k - 1] + (m->t[k] - m->t[k - 1]) / 2 : m->t[k];
  }
  if (!m->complete || !s->good) return;
  compare(s, "residual", worst, rounding(m) * worst);
  compare(s, "residual_time", t, rounding(m) * fmax(fabs(m->scene->start), fabs(m->scene->end)));
}

/* How far the initial state is from the set: as far as the first projection moves it. */
static void compare_distance(const sweep_summary *s) {
  const verify_motion *m = s->m;
  size_t first = 0;
  double *d = verify_work(m, 0);
  while (first + 1 < m->count && m->t[first + 1] == m->t[0] && m->side[first + 1] <= 0) first++;
  for (size_t i = 0; i < m->n; i++) d[i] = verify_state(m, first)[i] - m->scene->initial[i];
  double moved = thud_verify_scene_metric_norm(m->scene, d, verify_work(m, 1));
  if (m->scene->regularised || !s->good) return;
  compare(s, "initial_distance", moved,
          sqrt(m->scene->metric_high) * (thud_verify_position_tolerance(m) + rounding(m) * m->scale));
}

/* ---- refinements ---------------------------------------------------------------------------------------------------
 */

/* Every level halves the intervals; the orders and the estimate follow from the differences. The differences are those
 * of motions that are not in the record. */
static void compare_levels(const sweep_summary *s, const thud_node *levels, size_t count) {
  double intervals = 0, difference = 0, before = 0, before_intervals = 0, first = 0, order = 1;
  size_t last = s->last;
  for (size_t k = 0; k < count; k++, before = difference, before_intervals = intervals) {
    const thud_node *level = thud_node_item(levels, k);
    if (!thud_verify_note_find(level, "intervals", &intervals) ||
        !thud_verify_note_find(level, "difference", &difference)) {
      thud_verify_fail(s->check, s->m->t[last], last, "refinement %zu is not described", k);
      return;
    }
    bool known = s->m->scene->jump_count == 0, halved = k == 0 || intervals == 2 * before_intervals - 1;
    if (!halved || intervals < s->steps + 1 || (k == 0 && known && intervals != s->steps + 1) || difference < 0)
      thud_verify_fail(s->check, s->m->t[last], last, "refinement %zu does not halve the intervals", k);
    double expected = log2(before / difference);
    if (k > 0 && isfinite(expected))
      thud_verify_note_number(level, "order", expected, 1e-12 * (1 + fabs(expected)), s->m->t[last], last, s->check);
    if (k == 0) first = difference;
    if (k == 1 && expected >= 0.25 && expected <= 2.5) order = expected;
  }
  double estimate = first / (1 - exp2(-order));
  compare(s, "error_estimate", estimate, 1e-12 * estimate);
}

static void compare_refinements(const sweep_summary *s) {
  const thud_node *levels = thud_node_find(s->map, "refinement");
  size_t count = levels != NULL && thud_node_get_kind(levels) == THUD_NODE_SEQUENCE ? thud_node_count(levels) : 0;
  double estimate;
  if (count > 0)
    compare_levels(s, levels, count);
  else if (thud_verify_note_find(s->map, "error_estimate", &estimate))
    thud_verify_fail(s->check, NAN, SIZE_MAX, "there is an estimate of the error and no refinement");
}

/* The first level is the run; the class follows from all of them. */
static void check_levels(const sweep_summary *s, thud_verify_check *refinement) {
  const verify_motion *m = s->m;
  double extent = 0, *d = verify_work(m, 0);
  for (size_t k = 0; k < m->count; k++) {
    for (size_t i = 0; i < m->n; i++) d[i] = verify_state(m, k)[i] - verify_state(m, 0)[i];
    extent = fmax(extent, thud_verify_scene_metric_norm(m->scene, d, verify_work(m, 1)));
  }
  if (!thud_verify_limit(s->map, "levels", m->scene->levels, 1e-10 * extent, refinement)) return;
  const thud_node *own = thud_node_item(thud_node_find(s->map, "levels"), 0);
  double variation = m->variation[s->last];
  if (m->scene->jump_count == 0)
    thud_verify_note_number(own, "steps", m->scene->steps, 0, m->t[s->last], s->last, refinement);
  thud_verify_note_number(own, "variation", variation, rounding(m) * fabs(variation), m->t[s->last], s->last,
                          refinement);
  if (refinement->status == THUD_VERIFY_PASSED)
    thud_verify_skip(
        refinement, THUD_VERIFY_NOT_CHECKED,
        "the first of %g levels is this run, and the class follows from all; the finer runs are not in the "
        "record",
        m->scene->levels);
}

static void compare_summary(verify_motion *m, const thud_node *map, const thud_record_info *info,
                            thud_verify_check *check, thud_verify_check *refinement) {
  static const char *const figures[] = {
      "steps",      "projections",      "variation",        "residual",    "residual_time",
      "gap",        "initial_distance", "error_estimate",   "refinement",  "retraction_by",
      "retraction", "retraction_low",   "mesh_retraction",  "error_bound", "class",
      "levels",     "approach",         "approach_scatter", "growth",      "growth_scatter",
      "shrinking",  "shrinking_scatter"};
  size_t last = m->count - 1;
  double t = m->t[last], variation = m->variation[last];
  sweep_summary s = {.m = m, .map = map, .good = thud_verify_ran_to_end(info), .check = check, .last = last};
  thud_verify_summary_keys(map, sizeof figures / sizeof *figures, figures, check);
  thud_verify_note_find(map, "gap", &m->claimed_gap);
  thud_verify_note_find(map, "steps", &s.steps);
  compare(&s, "time", t, 0);
  thud_verify_note_numbers(thud_node_find(map, "state"), m->n, m->scene->names, verify_state(m, last), t, last, check);
  compare(&s, "variation", variation, rounding(m) * fabs(variation));
  compare_counts(&s);
  compare_residual(&s);
  compare_distance(&s);
  compare_refinements(&s);
  check_levels(&s, refinement);
}

thud_error thud_verify_check_summary(verify_motion *m, thud_record_reader *reader, thud_verify_check *check,
                                     thud_verify_check *refinement) {
  const thud_record_info info = thud_record_reader_info(reader);
  thud_tree *tree;
  thud_error error = thud_verify_summary_open(m->context, reader, check, &tree);
  if (error == THUD_OK && tree != NULL)
    compare_summary(m, thud_tree_root(tree), &info, check, refinement);
  else if (error == THUD_OK)
    thud_verify_skip(refinement, THUD_VERIFY_NOT_APPLICABLE, "no summary");
  thud_tree_destroy(tree);
  return error;
}
