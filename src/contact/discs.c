#include "contact/discs.h"

/* N, and the parts in the order of the components. */
static const thud_disc_layout layouts[] = {
    {.dimension = 1},
    {.dimension = 2, .count = 1, .first = {1}, .width = {1}, .coefficient = {THUD_COEFFICIENT_SLIDING}},
    {.dimension = 3, .count = 1, .first = {1}, .width = {2}, .coefficient = {THUD_COEFFICIENT_SLIDING}},
    {.dimension = 4,
     .count = 2,
     .first = {1, 3},
     .width = {2, 1},
     .coefficient = {THUD_COEFFICIENT_SLIDING, THUD_COEFFICIENT_SPINNING}},
    {.dimension = 5,
     .count = 2,
     .first = {1, 3},
     .width = {2, 2},
     .coefficient = {THUD_COEFFICIENT_SLIDING, THUD_COEFFICIENT_ROLLING}},
    {.dimension = 6,
     .count = 3,
     .first = {1, 3, 5},
     .width = {2, 2, 1},
     .coefficient = {THUD_COEFFICIENT_SLIDING, THUD_COEFFICIENT_ROLLING, THUD_COEFFICIENT_SPINNING}},
};

static const thud_disc_layout plane_rolling = {.dimension = 3,
                                               .count = 2,
                                               .first = {1, 2},
                                               .width = {1, 1},
                                               .coefficient = {THUD_COEFFICIENT_SLIDING, THUD_COEFFICIENT_ROLLING}};

const thud_disc_layout *thud_disc_layout_of(thud_index dimension, thud_contact_friction friction) {
  if (friction == THUD_FRICTION_PLANE_ROLLING) return dimension == plane_rolling.dimension ? &plane_rolling : NULL;
  if (friction != THUD_FRICTION_BY_DIMENSION) return NULL;
  return dimension >= 1 && dimension <= THUD_CONTACT_DIMENSION_MAX ? &layouts[dimension - 1] : NULL;
}

thud_contact_discs thud_contact_discs_of(const thud_contact_problem *problem) {
  thud_contact_discs discs = {.layout = thud_disc_layout_of(problem->dimension, problem->friction),
                              .laws = problem->laws};
  for (size_t p = 0; discs.layout != NULL && p < discs.layout->count; p++)
    discs.mu[p] = thud_coefficient_in(problem, discs.layout->coefficient[p]);
  return discs;
}

const char *thud_coefficient_name(thud_coefficient coefficient) {
  static const char *const names[THUD_COEFFICIENTS] = {"mu", "mu_rolling", "mu_spinning"};
  return names[coefficient];
}

const double **thud_coefficient_of(thud_contact_problem *problem, thud_coefficient coefficient) {
  switch (coefficient) {
  case THUD_COEFFICIENT_ROLLING: return &problem->mu_rolling;
  case THUD_COEFFICIENT_SPINNING: return &problem->mu_spinning;
  default: return &problem->mu;
  }
}

const double *thud_coefficient_in(const thud_contact_problem *problem, thud_coefficient coefficient) {
  switch (coefficient) {
  case THUD_COEFFICIENT_ROLLING: return problem->mu_rolling;
  case THUD_COEFFICIENT_SPINNING: return problem->mu_spinning;
  default: return problem->mu;
  }
}

bool thud_disc_layout_uses(const thud_disc_layout *layout, thud_coefficient coefficient) {
  for (size_t p = 0; p < layout->count; p++)
    if (layout->coefficient[p] == coefficient) return true;
  return false;
}
