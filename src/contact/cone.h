/* One contact's cone K, its projection, the shift of De Saxce and the excess of an impulse. */
#ifndef THUD_SRC_CONTACT_CONE_H
#define THUD_SRC_CONTACT_CONE_H

#include "contact/discs.h"

/* The law of one contact. */
typedef struct thud_contact_cone {
  const thud_disc_layout *layout;
  double mu[THUD_CONTACT_DISCS_MAX]; /* [layout->count]; not read when there is a law */
  thud_set *law;                     /* C, or NULL: the discs */
} thud_contact_cone;

static inline thud_contact_cone thud_contact_cone_of(const thud_contact_discs *discs, size_t contact) {
  thud_contact_cone cone = {.layout = discs->layout, .law = thud_contact_discs_law(discs, contact)};
  thud_contact_discs_at(discs, contact, cone.mu);
  return cone;
}
/* y = proj_K x; y may alias x. */
thud_error thud_cone_project(const thud_contact_cone *cone, const double *x, double *y);
/* u~_N - u_N >= 0. */
thud_error thud_cone_shift(const thud_contact_cone *cone, const double *u, double *shift);
/* part[dimension] = r - proj_K(r - u~), the natural map of one contact (LCP: min(r, u)), and how much r leaves K, 0
 * inside: the largest of -r_N and |r_p| - mu_p r_N of the discs p; with a law, the distance of r_T to r_N C. */
thud_error thud_cone_judge(const thud_contact_discs *discs, size_t contact, const double *r, const double *u,
                           double *part, double *excess);

#endif
