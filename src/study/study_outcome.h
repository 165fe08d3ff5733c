/* One run of a scene without a record, and numbers of its summary: what studies of any kind of motion compare. */
#ifndef THUD_SRC_STUDY_STUDY_OUTCOME_H
#define THUD_SRC_STUDY_STUDY_OUTCOME_H

#include "thud/run.h"

typedef struct study_outcome {
  thud_context *context;
  thud_scene *scene;
  thud_tree *summary; /* the result as thud_run_result.json has it */
  bool good;          /* the verdict; otherwise message has the reason */
  double time;        /* reached */
  size_t names;       /* of quantities that the scope of the scene has got so far */
  char message[512];
} study_outcome;

/* Builds the scene and runs it, with the state at these times among the summary. A verdict that is not good is no error. */
thud_error thud_outcome_run(thud_context *context, const thud_tree *tree, size_t times, const double *at,
                            thud_run_progress_fn progress, void *user, study_outcome *outcome);
void thud_outcome_free(study_outcome *outcome);
/* An expression over numbers of the summary: components of the state (`u(0.5)`, `stick_left`), entries of the ledger
 * (`friction`, or `ledger.friction`), figures (`reaction`, `atoms.0.x`), and parameters of the scene. NaN where one of them has
 * no value in this run. */
thud_error thud_outcome_evaluate(study_outcome *outcome, const char *quantity, double *value);
/* The states of the summary: of sample k, or with k = `samples` that at the end. NULL: there is none. */
const thud_node *thud_outcome_state(const study_outcome *outcome, size_t k, size_t samples);

#endif
