/* Whether one rate solution is proved for every state and load: then nothing jumps or forks, and neither is looked for. */
#include "base/base.h"
#include "motions/quasistatic/quasistatic_motion.h"
#include "thud/critical.h"

#include <math.h>

/* Contacts whose combinations of modes are all looked at (milliseconds), and coordinates up to which a norm is found. */
enum { EXACT = 6, LARGEST = 600 };

static thud_error find(quasistatic_motion *motion, bool *proved) {
  const elastic_structure *structure = &motion->structure;
  thud_critical_options options = thud_critical_options_default();
  thud_critical *critical = NULL;
  double most = 0;
  *proved = false;
  for (thud_index i = 0; i < structure->c; i++) most = fmax(most, motion->problem.mu[i]);
  double *ratio = THUD_NEW_ARRAY(motion->base.context, double, structure->c);
  if (ratio == NULL) return THUD_ERROR_MEMORY;
  for (thud_index i = 0; i < structure->c; i++) ratio[i] = most > 0 ? motion->problem.mu[i] / most : 1;
  options.exact_contacts = EXACT;
  options.samples = 0;
  thud_error error = thud_critical_find(motion->base.context, structure->c, structure->d, structure->stiffness, ratio,
                                        &options, &critical);
  const thud_critical_row *rate = error == THUD_OK ? thud_critical_get(critical, THUD_CRITICAL_RATE) : NULL;
  *proved = rate != NULL && most < (1 - THUD_CRITICAL_MARGIN) * rate->low;
  thud_critical_destroy(critical);
  thud_free(motion->base.context, ratio);
  return error == THUD_ERROR_MEMORY ? error : THUD_OK; /* a matrix that rounding has made indefinite: not proved */
}

thud_error thud_elastic_proved(quasistatic_motion *motion, bool *proved) {
  const elastic_structure *structure = &motion->structure;
  thud_error error = THUD_OK;
  if (motion->proof == ELASTIC_PROOF_UNKNOWN) {
    bool found = false;
    if (structure->d > 1 && structure->stiffness != NULL && structure->shift == 0 && structure->m <= LARGEST)
      error = find(motion, &found);
    if (error != THUD_OK) return error;
    motion->proof = found ? ELASTIC_PROVED : ELASTIC_NOT_PROVED;
  }
  *proved = motion->now.info.proved = motion->proof == ELASTIC_PROVED;
  return THUD_OK;
}
