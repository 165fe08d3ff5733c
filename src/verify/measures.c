/* The numbers that a record keeps beside the states: reaction, variation, residual, summary. */
#include "verify/checks.h"
#include "verify/dense.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rounding errors of a few operations per component. */
static double rounding(const verify_motion *m) { return (64 + 4 * (double)m->n) * DBL_EPSILON; }

/* Increment of frame k: out = u_k - u_(k-1). */
static void increment(const verify_motion *m, size_t k, double *out) {
  const double *u = verify_state(m, k), *before = verify_state_before(m, k);
  for (size_t i = 0; i < m->n; i++) out[i] = u[i] - before[i];
}

void verify_check_reaction(verify_motion *m, thud_verify_check *check) {
  if (!m->complete) {
    verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "the record does not hold every step");
    return;
  }
  double *du = verify_work(m, 0), *covector = verify_work(m, 1);
  for (size_t k = 0; k < m->count; k++) {
    const double *reaction = m->reaction + k * m->n;
    double elapsed = k > 0 ? m->t[k] - m->t[k - 1] : 0, factor = m->atom[k] != 0 ? 1 : elapsed;
    increment(m, k, du);
    verify_scene_apply_metric(m->scene, du, covector);
    for (size_t i = 0; i < m->n; i++) covector[i] -= factor * reaction[i];
    double size = m->scene->metric_high * m->scale + factor * verify_norm(m->n, reaction);
    verify_tally(check, verify_norm(m->n, covector), rounding(m) * size, 0, m->t[k], k);
    /* Where no time has passed a density is nothing. */
    if (factor == 0) verify_tally(check, verify_norm(m->n, reaction), 0, 0, m->t[k], k);
  }
}

void verify_check_variation(verify_motion *m, thud_verify_check *check) {
  double *du = verify_work(m, 0), *scratch = verify_work(m, 1);
  for (size_t k = 0; k < m->count; k++) {
    double before = k > 0 ? m->variation[k - 1] : 0, grown = m->variation[k] - before;
    increment(m, k, du);
    double moved = verify_scene_metric_norm(m->scene, du, scratch);
    double tolerance = rounding(m) * (fabs(m->variation[k]) + sqrt(m->scene->metric_high) * m->scale);
    /* A record that leaves steps out knows less: the variation grows at least by the distance. */
    verify_tally(check, m->complete ? fabs(grown - moved) : fmax(0, moved - grown), tolerance, 0, m->t[k], k);
  }
  if (!m->complete && check->status == THUD_VERIFY_PASSED)
    verify_explain(check, "grows at least by the distances; the record does not hold every step");
}

/* ---- summary ---------------------------------------------------------------------------------------------------- */

static void compare_number(const thud_node *summary, const char *key, double expected, double tolerance,
                           thud_verify_check *check, const verify_motion *m) {
  const thud_node *node = summary != NULL ? thud_node_find(summary, key) : NULL;
  size_t last = m->count - 1;
  if (node == NULL || thud_node_get_kind(node) != THUD_NODE_NUMBER) {
    verify_fail(check, m->t[last], last, "the summary has no number '%s'", key);
    return;
  }
  double found = thud_node_number(node);
  if (verify_tally(check, fabs(found - expected), tolerance, 0, m->t[last], last) &&
      check->status == THUD_VERIFY_FAILED)
    verify_explain(check, "'%s' is %.17g in the summary, %.17g in the frames", key, found, expected);
}

static void compare_text(const thud_node *summary, const char *key, const char *expected, thud_verify_check *check) {
  const thud_node *node = thud_node_find(summary, key);
  bool same =
      node != NULL && thud_node_get_kind(node) == THUD_NODE_STRING && strcmp(thud_node_string(node), expected) == 0;
  if (!same)
    verify_fail(check, NAN, SIZE_MAX, "'%s' of the summary is not '%s', as elsewhere in the record", key, expected);
}

static void compare_summary(verify_motion *m, const thud_node *summary, const thud_record_info *info,
                            thud_verify_check *check) {
  size_t last = m->count - 1;
  const thud_node *state = thud_node_find(summary, "state"), *gap = thud_node_find(summary, "gap");
  if (gap != NULL && thud_node_get_kind(gap) == THUD_NODE_NUMBER) m->claimed_gap = thud_node_number(gap);
  compare_text(summary, "verdict", info->verdict, check);
  compare_text(summary, "method", info->method, check);
  compare_number(summary, "frames", (double)m->count, 0, check, m);
  compare_number(summary, "time", m->t[last], 0, check, m);
  for (size_t i = 0; i < m->n; i++) compare_number(state, m->scene->names[i], verify_state(m, last)[i], 0, check, m);
  compare_number(summary, "variation", m->variation[last], rounding(m) * fabs(m->variation[last]), check, m);
  /* The step at which a run failed has a residual but no frame. */
  if (!m->complete || strcmp(info->verdict, "good") != 0) return;
  double worst = 0;
  for (size_t k = 0; k < m->count; k++) worst = fmax(worst, m->residual[k]);
  compare_number(summary, "residual", worst, rounding(m) * worst, check, m);
}

thud_error verify_check_summary(verify_motion *m, const thud_record_info *info, thud_verify_check *check) {
  if (info->summary[0] == '\0') {
    verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "the record has no summary");
    return THUD_OK;
  }
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_text(m->context, "summary", info->summary, strlen(info->summary), &tree);
  if (error == THUD_ERROR_MEMORY) return error;
  if (error != THUD_OK || thud_node_get_kind(thud_tree_root(tree)) != THUD_NODE_MAP)
    verify_fail(check, NAN, SIZE_MAX, "the summary cannot be read: %s", thud_context_last_message(m->context));
  else
    compare_summary(m, thud_tree_root(tree), info, check);
  thud_tree_destroy(tree);
  return THUD_OK;
}
