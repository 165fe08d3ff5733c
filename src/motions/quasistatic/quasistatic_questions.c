/* Quasi-static motion: outcomes of forks, and all rates and equilibria from the present state. */
#include "base/base.h"
#include "motions/motion.h"
#include "motions/quasistatic/quasistatic_motion.h"

thud_error thud_quasistatic_motion_follow_forks(thud_motion *base, bool follow, size_t max_outcomes) {
  THUD_MOTION_OF(base, &thud_quasistatic_type);
  quasistatic_motion *motion = (quasistatic_motion *)base;
  motion->follow = follow;
  if (max_outcomes > 0) motion->most_outcomes = max_outcomes;
  return THUD_OK;
}

size_t thud_quasistatic_motion_outcome_count(const thud_motion *motion) {
  THUD_MOTION_OF_OR(0, motion, &thud_quasistatic_type);
  const quasistatic_motion *own = (const quasistatic_motion *)motion;
  if (own->now.info.status != THUD_MOTION_FORKED) return 0;
  return own->most_outcomes > 0 && own->most_outcomes < own->found.count ? own->most_outcomes : own->found.count;
}

static thud_error check_outcome(const thud_motion *motion, size_t k) {
  size_t count = thud_quasistatic_motion_outcome_count(motion);
  if (k < count) return THUD_OK;
  return thud_fail(motion->context, THUD_ERROR_ARGUMENT, "there is no outcome %zu, there are %zu", k, count);
}

thud_error thud_quasistatic_motion_outcome(const thud_motion *motion, size_t k, thud_quasistatic_solution *outcome) {
  THUD_REQUIRE_OF(motion, outcome);
  THUD_MOTION_OF(motion, &thud_quasistatic_type);
  thud_error error = check_outcome(motion, k);
  if (error == THUD_OK) *outcome = thud_solutions_at(&((const quasistatic_motion *)motion)->found, k);
  return error;
}

thud_error thud_quasistatic_motion_choose(thud_motion *motion, size_t k) {
  THUD_MOTION_OF(motion, &thud_quasistatic_type);
  thud_error error = check_outcome(motion, k);
  if (error != THUD_OK) return error;
  ((quasistatic_motion *)motion)->now.moving = true;
  ((quasistatic_motion *)motion)->choice = k + 1;
  return THUD_OK;
}

static thud_error condense_load(quasistatic_motion *motion, const double *F) {
  const elastic_structure *structure = &motion->structure;
  thud_error error = thud_elastic_structure_solve(structure, F, NULL, motion->next.U);
  if (error != THUD_OK || structure->stiffness == NULL) return error;
  thud_elastic_structure_see(structure, motion->next.U, motion->free);
  thud_elastic_structure_condense(structure, motion->free, motion->f);
  return THUD_OK;
}

static thud_error answer(quasistatic_motion *motion, const elastic_question *question,
                         thud_quasistatic_solution_fn found, void *user, thud_quasistatic_count *count) {
  thud_error error = thud_solutions_find(question, &motion->system, &motion->found);
  if (error != THUD_OK) return error;
  if (!question->rates) thud_solutions_weigh(&motion->found, question->f, motion->state.u);
  for (size_t k = 0; found != NULL && k < motion->found.count; k++) {
    thud_quasistatic_solution solution = thud_solutions_at(&motion->found, k);
    if (found(user, &solution) != 0) break;
  }
  if (count != NULL) *count = motion->found.found;
  return THUD_OK;
}

thud_error thud_quasistatic_motion_rates(thud_motion *base, const double *rate, thud_quasistatic_solution_fn found,
                                         void *user, thud_quasistatic_count *count) {
  THUD_REQUIRE_OF(base, rate);
  THUD_MOTION_OF(base, &thud_quasistatic_type);
  quasistatic_motion *motion = (quasistatic_motion *)base;
  thud_error error = condense_load(motion, rate);
  if (motion->method != THUD_QUASISTATIC_EVENTS) thud_elastic_stand(motion);
  const elastic_question question = {.rates = true,
                                     .standing = motion->standing,
                                     .f = motion->f,
                                     .before = motion->state.u,
                                     .r = motion->state.r,
                                     .tolerance = motion->options.tolerance,
                                     .most = motion->options.enumerate_up_to};
  return error == THUD_OK ? answer(motion, &question, found, user, count) : error;
}

thud_error thud_quasistatic_motion_equilibria(thud_motion *base, const double *F, thud_quasistatic_solution_fn found,
                                              void *user, thud_quasistatic_count *count) {
  THUD_REQUIRE_OF(base, F);
  THUD_MOTION_OF(base, &thud_quasistatic_type);
  quasistatic_motion *motion = (quasistatic_motion *)base;
  thud_error error = condense_load(motion, F);
  const elastic_question question = {.f = motion->f,
                                     .before = motion->state.u,
                                     .r = motion->state.r,
                                     .tolerance = motion->options.tolerance,
                                     .most = motion->options.enumerate_up_to};
  return error == THUD_OK ? answer(motion, &question, found, user, count) : error;
}

const double *thud_quasistatic_motion_stiffness(const thud_motion *motion) {
  THUD_MOTION_OF_OR(NULL, motion, &thud_quasistatic_type);
  return ((const quasistatic_motion *)motion)->structure.stiffness;
}
