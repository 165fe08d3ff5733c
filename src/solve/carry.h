/* Impulses carried from one problem to the next by the caller's contact ids. */
#ifndef THUD_SRC_SOLVE_CARRY_H
#define THUD_SRC_SOLVE_CARRY_H

#include "thud/contact.h"

/* An id and the contact that has it. */
typedef struct thud_carry_entry {
  uint64_t id;
  thud_index contact;
} thud_carry_entry;

/* Zeroed: nothing is known. */
typedef struct thud_carry {
  size_t count, d;                     /* contacts and components of `r` */
  double *r;                           /* [count*d] impulses of the last problem, */
  thud_carry_entry *entries;           /* [count] and its ids in increasing order */
  thud_carry_entry *fresh, *scratch;   /* [contacts] of the problem that comes */
  double *fresh_r;                     /* [contacts*d] */
  size_t r_capacity, fresh_r_capacity; /* elements */
  size_t entry_capacity, fresh_capacity, scratch_capacity;
} thud_carry;

thud_error thud_carry_reserve(thud_context *context, thud_carry *carry, size_t contacts, size_t d);
/* Sorts the ids of a new problem; refuses one that two contacts have, naming both. What is carried stays untouched. */
thud_error thud_carry_prepare(thud_context *context, thud_carry *carry, size_t contacts, size_t d, const uint64_t *ids);
/* Takes over what was prepared: impulses go to the contacts with the same ids, the others begin with 0. */
void thud_carry_apply(thud_carry *carry, size_t contacts, size_t d);
/* The answer of the problem whose ids were last applied; nothing when there are none. */
void thud_carry_store(thud_carry *carry, const double *r);
void thud_carry_free(thud_context *context, thud_carry *carry);

#endif
