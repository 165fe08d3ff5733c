/* The friction of a contact as a product of discs: beside the normal component 0 an impulse has one part of one or two
 * components for each disc, K = { r_N >= 0, |r_p| <= mu_p r_N for every part p }, and De Saxce's shift is the sum of
 * the mu_p |u_p|. Which parts there are follows from the dimension and the friction of a problem; nobody else looks at
 * these two to find out. */
#ifndef THUD_SRC_CONTACT_DISCS_H
#define THUD_SRC_CONTACT_DISCS_H

#include "base/base.h"
#include "thud/contact.h"

/* Largest numbers of components and of discs per contact. */
enum { THUD_CONTACT_DIMENSION_MAX = 6, THUD_CONTACT_DISCS_MAX = 3 };

/* Which array of coefficients a disc has. */
typedef enum thud_coefficient {
  THUD_COEFFICIENT_SLIDING = 0,  /* mu */
  THUD_COEFFICIENT_ROLLING = 1,  /* mu_rolling */
  THUD_COEFFICIENT_SPINNING = 2, /* mu_spinning */
  THUD_COEFFICIENTS = 3
} thud_coefficient;

/* The parts of one kind of contact; their components follow each other without gaps. */
typedef struct thud_disc_layout {
  thud_index dimension;
  size_t count;                         /* discs, 0 to THUD_CONTACT_DISCS_MAX */
  size_t first[THUD_CONTACT_DISCS_MAX]; /* [count] component with which each part begins */
  size_t width[THUD_CONTACT_DISCS_MAX]; /* [count] its components, 1 or 2 */
  thud_coefficient coefficient[THUD_CONTACT_DISCS_MAX];
} thud_disc_layout;

/* All contacts of a problem. Arrays are borrowed. */
typedef struct thud_contact_discs {
  const thud_disc_layout *layout;           /* NULL: there are no such contacts */
  const double *mu[THUD_CONTACT_DISCS_MAX]; /* [contacts] for each disc; NULL: 0 (its laws replace the disc) */
  thud_set *const *laws;                    /* [contacts] as in the problem, or NULL */
} thud_contact_discs;

/* The layout of a kind of contact; NULL when there is none with this dimension and friction. */
THUD_FOR_IO const thud_disc_layout *thud_disc_layout_of(thud_index dimension, thud_contact_friction friction);
thud_contact_discs thud_contact_discs_of(const thud_contact_problem *problem);

/* True if a contact has one disc with one component; asked by the solvers in the plane and in space. */
static inline bool thud_disc_layout_is_plane(const thud_disc_layout *layout) {
  return layout->count == 1 && layout->width[0] == 1;
}
static inline bool thud_disc_layout_is_space(const thud_disc_layout *layout) {
  return layout->count == 1 && layout->width[0] == 2;
}

/* In front of functions of a layout in the innermost loops: inlined wherever they are called, so that a layout that is
 * a constant there (the two below) unrolls their loops. */
#define THUD_OF_LAYOUT static inline __attribute__((always_inline))
static const thud_disc_layout thud_plane_layout = {.dimension = 2, .count = 1, .first = {1}, .width = {1}};
static const thud_disc_layout thud_space_layout = {.dimension = 3, .count = 1, .first = {1}, .width = {2}};

/* mu[layout->count] of one contact. */
static inline void thud_contact_discs_at(const thud_contact_discs *discs, size_t contact, double *mu) {
  for (size_t p = 0; p < discs->layout->count; p++) mu[p] = discs->mu[p] != NULL ? discs->mu[p][contact] : 0;
}
static inline thud_set *thud_contact_discs_law(const thud_contact_discs *discs, size_t contact) {
  return discs->laws != NULL ? discs->laws[contact] : NULL;
}

/* ---- arrays of coefficients ---------------------------------------------------------------------------------------
 * Code that copies, checks, reads or writes coefficients loops over all of them: */

/* "mu", "mu_rolling", "mu_spinning". */
THUD_FOR_IO const char *thud_coefficient_name(thud_coefficient coefficient);
/* The problem's array. */
THUD_FOR_IO const double **thud_coefficient_of(thud_contact_problem *problem, thud_coefficient coefficient);
THUD_FOR_IO const double *thud_coefficient_in(const thud_contact_problem *problem, thud_coefficient coefficient);
/* True if contacts of this layout have the coefficient. */
THUD_FOR_IO bool thud_disc_layout_uses(const thud_disc_layout *layout, thud_coefficient coefficient);

#endif
