/* M^-1 of the global form: one factor, any number of solves. */
#ifndef THUD_SRC_CONTACT_MASS_H
#define THUD_SRC_CONTACT_MASS_H

#include "thud/contact.h"

typedef struct thud_mass thud_mass;

/* By blocks where M consists of bodies of at most 6 degrees of freedom. Else, symmetric M: sparse Cholesky, LDL' when M
 * is not positive definite. Otherwise the factor of the symmetric part with iterative refinement against M, which
 * converges when the skew part is small; failing that the dense inverse, up to THUD_MASS_DENSE_MAX degrees of freedom.
 * Borrows M. */
enum { THUD_MASS_DENSE_MAX = 2048 };
thud_error thud_mass_create(thud_context *context, const thud_matrix *M, thud_mass **mass);
void thud_mass_destroy(thud_mass *mass);
/* x = M^-1 b; x and b do not overlap. Allocates nothing. */
thud_error thud_mass_solve(thud_mass *mass, const double *b, double *x);
/* The same for up to THUD_MASS_MANY right-hand sides one after the other, together where that is faster. work[2*n*count]
 * is scratch. */
enum { THUD_MASS_MANY = 16 };
thud_error thud_mass_solve_many(thud_mass *mass, size_t count, const double *b, double *x, double *work);

#endif
