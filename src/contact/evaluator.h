/* Intermediate results of an evaluator, for other callers. */
#ifndef THUD_SRC_CONTACT_EVALUATOR_H
#define THUD_SRC_CONTACT_EVALUATOR_H

#include "contact/velocity.h"

/* The factor of M, M^-1 f and q among others; of the problem of the last update, which stays its owner. */
const thud_velocity_map *thud_contact_evaluator_map(const thud_contact_evaluator *evaluator);

/* thud_contact_to_local with the factor of M that an evaluator of the same problem has; NULL: a factor of its own.
 * THUD_MATRIX_OPERATOR, of a global problem with an evaluator: W by its products, which read problem and evaluator. */
thud_error thud_contact_to_local_by(thud_context *context, const thud_contact_problem *problem,
                                    const thud_contact_evaluator *evaluator, thud_matrix_storage storage,
                                    thud_owned_problem **local);

/* Velocities alone: u[size] = those of r and l, *bilateral as thud_contact_residual has it. */
thud_error thud_contact_evaluator_velocity(thud_contact_evaluator *evaluator, const double *r, const double *l,
                                           double *u, double *bilateral);

#endif
