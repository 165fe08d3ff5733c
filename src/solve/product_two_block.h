/* Products with A = [W V; V' R] = B M^-1 B' of a two-block problem that are made body by body: with the rows B of all
 * contacts and joints, v = M^-1 (B' x) and y = B v. W is never formed; nothing of the problem is copied.
 *
 * Each body gathers the impulses of its contacts in their order, and each contact reads its two bodies: the same bits
 * on any number of threads. Vectors x[total] hold the impulses of the contacts, then those of the bilateral rows. */
#ifndef THUD_SRC_SOLVE_PRODUCT_TWO_BLOCK_H
#define THUD_SRC_SOLVE_PRODUCT_TWO_BLOCK_H

#include "base/base.h"
#include "thud/contact.h"

typedef struct thud_two_block_product thud_two_block_product;
/* Room for problems of the counts of this one. */
thud_error thud_two_block_product_create(thud_context *context, const thud_contact_problem *problem,
                                         thud_two_block_product **product);
/* Takes the problem's present numbers and pairs of bodies; arrays are borrowed. */
void thud_two_block_product_update(thud_two_block_product *product, const thud_contact_problem *problem);
void thud_two_block_product_destroy(thud_two_block_product *product);

/* y = A x; x and y do not overlap. */
void thud_two_block_product_apply(thud_two_block_product *product, const double *x, double *y);
/* The diagonal blocks W_kk[contacts*dimension*dimension], column-major. */
void thud_two_block_product_blocks(const thud_two_block_product *product, double *blocks);
/* The diagonal of A, [total]. */
void thud_two_block_product_diagonal(const thud_two_block_product *product, double *diagonal);
/* Velocities without impulses: B v^free + w, [total]. */
void thud_two_block_product_free_velocity(const thud_two_block_product *product, double *q);

#endif
