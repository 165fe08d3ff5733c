/* Making owned problems piece by piece: what conversions (contact) and file readers (record) build on. */
#ifndef THUD_SRC_CONTACT_OWNED_H
#define THUD_SRC_CONTACT_OWNED_H

#include "thud/contact.h"

/* An empty problem (form local, no contacts) that owns nothing yet. */
thud_error thud_owned_problem_create(thud_context *context, thud_owned_problem **owned);
/* Zeroed memory that lives and dies with the problem; NULL on failure (message set). */
void *thud_owned_problem_alloc(thud_owned_problem *owned, size_t count, size_t size);
/* The problem to be filled in with arrays from thud_owned_problem_alloc. */
thud_contact_problem *thud_owned_problem_edit(thud_owned_problem *owned);
/* Hands a convex set over; it is destroyed with the problem. */
thud_error thud_owned_problem_adopt_set(thud_owned_problem *owned, thud_set *set);

#endif
