/* Where a study of a scene with `until` ends: all levels are compared up to one time, where the motion of the scene as it is
 * ends. */
#include "study/study_until.h"
#include "base/base.h"

#include <stdio.h>

/* Puts the time of the condition in the place of simulate.end. */
static thud_error set_end(thud_context *context, thud_tree *tree, const thud_node *until) {
  const thud_node *met = thud_node_find(until, "met"), *t = thud_node_find(until, "t");
  const thud_node *simulate = thud_node_find(thud_tree_root(tree), "simulate");
  const thud_node *start = simulate != NULL ? thud_node_find(simulate, "start") : NULL;
  bool starts = start != NULL && thud_node_get_kind(start) == THUD_NODE_NUMBER;
  char number[40];
  if (met == NULL || !thud_node_bool(met) || t == NULL || thud_node_get_kind(t) != THUD_NODE_NUMBER) return THUD_OK;
  if (thud_node_number(t) <= (starts ? thud_node_number(start) : 0))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-study] the condition of `until` holds at the start: there is no "
                     "motion to compare");
  snprintf(number, sizeof number, "%.17g", thud_node_number(t));
  return thud_tree_set(tree, "simulate.end", number);
}

thud_error thud_study_set_end(thud_context *context, thud_tree *tree, thud_run_progress_fn progress, void *user) {
  study_outcome outcome;
  if (thud_node_find(thud_tree_root(tree), "until") == NULL) return THUD_OK;
  thud_error error = thud_outcome_run(context, tree, 0, NULL, progress, user, &outcome);
  if (error != THUD_OK) return error;
  const thud_node *until = thud_node_find(thud_tree_root(outcome.summary), "until");
  if (until != NULL) error = set_end(context, tree, until);
  thud_outcome_free(&outcome);
  return error;
}
