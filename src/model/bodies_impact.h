/* Impact laws for one island of rigid bodies that is given by numbers: the laws newton, canonical, sequential and lzb of
 * thud/model.h on u = W r + u_free.
 *
 * Contacts have d rows each: the normal, then d - 1 slip directions; impulses satisfy |r_T| <= mu r_N. Orthotropic friction
 * (mu_1, mu_2) comes to the same with mu = 1 and slip rows that are multiplied by mu_1 and mu_2. */
#ifndef THUD_SRC_MODEL_BODIES_IMPACT_H
#define THUD_SRC_MODEL_BODIES_IMPACT_H

#include "base/base.h"
#include "thud/model.h"

typedef struct thud_bodies_impact thud_bodies_impact;

typedef struct thud_bodies_impact_data {
  thud_index count;               /* contacts */
  const double *W;                /* [(count*d)^2] symmetric, full */
  const double *u_minus, *u_free; /* [count*d] before; after the forces of the step (at an impact the same) */
  const double *mu;               /* [count] >= 0 */
  const double *restitution;      /* [count] e in [0, 1] */
  double energy; /* kinetic, of the island: the largest of before and free; options.energy_tolerance is a part of it */
  double magnitude; /* largest u_free with every term by its size, for the rounding of velocities; 0: that of u_free */
} thud_bodies_impact_data;

/* dimension d: 1 (no friction), 2 or 3. capacity: contacts that need no allocation. options may be NULL. The law `table` is
 * THUD_ERROR_UNSUPPORTED: it maps velocities of one system. */
thud_error thud_bodies_impact_create(thud_context *context, thud_index dimension, thud_index capacity,
                                     const thud_percussion_options *options, thud_bodies_impact **impact);
void thud_bodies_impact_destroy(thud_bodies_impact *impact);
/* r[count*d] in: warm start, out: impulses; u_plus[count*d] = W r + u_free. info: status, residual (worst_constraint: its
 * contact), losses, gained, refused (r = 0 then, and all else is about that), restitution_factor, in_cone, impulse_admissible, worst_cosine (of
 * contacts), set_valued, collisions; its energies and work stay 0. Allocates only for more contacts than ever before, and
 * where thud_percussion_solve does. A law that does not take friction is THUD_ERROR_UNSUPPORTED with the contact. r and
 * u_plus are untouched on failure. */
thud_error thud_bodies_impact_solve(thud_bodies_impact *impact, const thud_bodies_impact_data *data, double *r,
                                    double *u_plus, thud_percussion_info *info);

#endif
