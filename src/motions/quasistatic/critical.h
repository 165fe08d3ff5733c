/* Inside of the critical coefficients (critical.c, critical_several.c): all rows work on K scaled to the largest eigenvalue 1
 * (friction coefficients do not change with the unit of stiffness). */
#ifndef THUD_SRC_MOTIONS_QUASISTATIC_CRITICAL_H
#define THUD_SRC_MOTIONS_QUASISTATIC_CRITICAL_H

#include "thud/critical.h"

typedef struct thud_critical_work {
  thud_context *context;
  thud_index contacts, components, size; /* n, d, m = n d */
  const double *K;                       /* [m*m] column-major, symmetric, largest eigenvalue 1 (or K = 0) */
  const double *ratio;                   /* [n] */
  double smallest;                       /* eigenvalue of K; 0 unless definite */
  bool definite;
  thud_critical_options options;
  signed char *modes; /* [THUD_CRITICAL_IDS*n] rooms of the rows, by id */
} thud_critical_work;

/* Index of component j (0: N) of contact i. */
static inline size_t thud_critical_index(const thud_critical_work *work, thud_index i, thud_index j) {
  return (size_t)i * (size_t)work->components + (size_t)j;
}
static inline double thud_critical_entry(const thud_critical_work *work, size_t row, size_t column) {
  return work->K[row + column * (size_t)work->size];
}
static inline signed char *thud_critical_modes(const thud_critical_work *work, thud_critical_id id) {
  return work->modes + (size_t)id * (size_t)work->contacts;
}
/* 2 or 3 components: K_T[(d-1)^2] and w[d-1] of the only contact. */
void thud_critical_one_contact(const thud_critical_work *work, double *K_T, double *w);

/* Each fills value, low, kind and where it is attained; id and texts are there already. Rows of a definite K only: */
thud_error thud_critical_rate_sufficient(const thud_critical_work *work, thud_critical_row *row);
thud_error thud_critical_contraction(const thud_critical_work *work, thud_critical_row *row);
thud_error thud_critical_rate_one(const thud_critical_work *work, thud_critical_row *row);
thud_error thud_critical_rate_plane(const thud_critical_work *work, thud_critical_row *row);
/* Of any K: */
thud_error thud_critical_wedging_one(const thud_critical_work *work, thud_critical_row *row);
thud_error thud_critical_wedging_several(const thud_critical_work *work, thud_critical_row *row);

const char *thud_critical_guarantee(thud_critical_id id);

#endif
