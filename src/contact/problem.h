/* Shared by the files of contact. */
#ifndef THUD_SRC_CONTACT_PROBLEM_H
#define THUD_SRC_CONTACT_PROBLEM_H

#include "contact/discs.h"

/* Largest number of degrees of freedom per body of the two-block form. */
enum { THUD_CONTACT_BLOCK_MAX = 6 };

/* Largest number of bilateral rows of a joint. */
enum { THUD_CONTACT_JOINT_MAX = 6 };

/* Clones the laws of `original` into the owned problem. */
thud_error thud_owned_problem_copy_laws(thud_context *context, thud_owned_problem *owned,
                                        const thud_contact_problem *original);
/* Copies what does not depend on the form: dimension, counts, coefficients and laws. */
thud_error thud_owned_problem_copy_contacts(thud_context *context, thud_owned_problem *owned,
                                            const thud_contact_problem *original);

#endif
