/* The bilateral rows of the two-block form. */
#ifndef THUD_SRC_CONTACT_JOINTS_H
#define THUD_SRC_CONTACT_JOINTS_H

#include "thud/contact.h"

/* V = J M^-1 G' (size x bilateral) and R = G M^-1 G' of a problem with joints, owned by the caller. The contacts of
 * body
 * b are touching[start[b]..start[b+1]-1]; bodies that do not move may be left out. */
thud_error thud_joint_coupling(thud_context *context, const thud_contact_problem *problem, const thud_index *start,
                               const thud_index *touching, thud_sparse *V, thud_sparse *R);

#endif
