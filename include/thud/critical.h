/* thud/critical.h: critical friction coefficients of quasi-static Coulomb systems (docs/critical-friction.md).
 *
 *   K u = f + r,   gap0 + u_N >= 0,  r_N >= 0,  (gap0 + u_N) r_N = 0,   |r_T| <= mu r_N,  slip rate opposite to r_T,
 *
 * per contact, K symmetric in the coordinates of the contacts (N1, T1, N2, T2, ... in the plane; N1, T1, T1', N2, ... in
 * space). Coefficients may differ from contact to contact, mu_i = mu ratio_i with max ratio_i = 1: every value here is
 * about the common factor mu, the largest coefficient. Slip with the sign s: r_T = s mu_i r_N, u_T' = -s g, g > 0. */
#ifndef THUD_CRITICAL_H
#define THUD_CRITICAL_H

#include "thud/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum thud_critical_id {
  THUD_CRITICAL_STATIC = 0,      /* a static solution exists for every load */
  THUD_CRITICAL_EVOLUTION,       /* an evolution exists for every load history (absolutely continuous, from rest) */
  THUD_CRITICAL_RATE_SUFFICIENT, /* the rate problem has one solution, by a norm: lmin(K)/|K_N| */
  THUD_CRITICAL_RATE,            /* the rate problem has one solution at every state and load rate: the exact value */
  THUD_CRITICAL_CONTRACTION,     /* the static problem has one solution, and its fixed-point iteration contracts */
  THUD_CRITICAL_WEDGING,         /* no reactions that hold themselves without load */
  THUD_CRITICAL_IDS              /* how many there are */
} thud_critical_id;
/* "static-existence", "evolution-existence", "rate-sufficient", "rate", "contraction", "wedging"; "unknown" for others */
THUD_API const char *thud_critical_name(thud_critical_id id);

typedef enum thud_critical_kind {
  THUD_CRITICAL_EXACT = 0,      /* guaranteed below the value, lost at and above it */
  THUD_CRITICAL_SUFFICIENT = 1, /* guaranteed below the value, unknown above it */
  THUD_CRITICAL_SAMPLED = 2,    /* lost at and above the value, guaranteed below `low`, undecided between them */
  THUD_CRITICAL_UNKNOWN = 3     /* the value is not known (NaN, see the reason); guaranteed below `low` */
} thud_critical_kind;
/* "exact", "sufficient", "sampled", "unknown" */
THUD_API const char *thud_critical_kind_name(thud_critical_kind kind);

/* Mode of a contact where a coefficient is attained. */
typedef enum thud_critical_mode {
  THUD_CRITICAL_BACKWARD = -1, /* slips, r_T = -mu_i r_N */
  THUD_CRITICAL_STICK = 0,     /* closed, inside its cone or without load */
  THUD_CRITICAL_FORWARD = 1,   /* slips, r_T = mu_i r_N */
  THUD_CRITICAL_SLIP = 2,      /* slips, in space */
  THUD_CRITICAL_OPEN = 3
} thud_critical_mode;

typedef struct thud_critical_row {
  thud_critical_id id;
  thud_critical_kind kind;
  double value;             /* INFINITY: for every mu; 0: for none; NaN: unknown */
  double low;               /* below it the guarantee is proved; the value itself unless sampled or unknown */
  const char *guarantees;   /* what holds below, a static text without a full stop */
  const char *reason;       /* why the value is 0 or unknown, a static text; NULL otherwise */
  const signed char *modes; /* [contacts] of thud_critical_mode where the value is attained; NULL: not by modes */
  double direction[2];      /* one contact in space: unit e, r_T = mu r_N e, where the value is attained; else 0 */
  uint64_t examined;        /* combinations of modes that were looked at; 0: a closed form */
  bool vanishes_with_mesh;  /* options.continuum, and this coefficient tends to 0 as the mesh is refined */
  THUD_RESERVED(4);
} thud_critical_row;

typedef struct thud_critical {
  thud_index contacts, components;
  double smallest, largest; /* eigenvalues of K */
  bool definite;            /* smallest > tolerance * largest */
  size_t row_count;         /* THUD_CRITICAL_IDS in the order of the ids; 0 with one component: no friction */
  const thud_critical_row *rows;
} thud_critical;

typedef struct thud_critical_options {
  size_t size;
  double tolerance;   /* eigenvalues of K, and its asymmetry, up to this part of the largest count as 0 */
  int exact_contacts; /* all combinations of modes up to so many contacts (4^n for rates, 2^n for wedging) */
  int samples;        /* combinations beyond that, chosen at random with a fixed seed */
  bool continuum;     /* K comes from a discretised continuum: marks what vanishes with the mesh */
} thud_critical_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_critical_option_table(void);
THUD_OPTIONS_DEFAULT(thud_critical_options, thud_critical_option_table)

/* Largest number of rows of K. Coefficients above THUD_CRITICAL_LARGEST that are not closed forms count as INFINITY. */
enum { THUD_CRITICAL_MAX_SIZE = 3000 };
/* K is rounded: a mu within this part of a critical coefficient is not proved to be below it. */
#define THUD_CRITICAL_MARGIN 1e-10
#define THUD_CRITICAL_LARGEST 1e6

/* All rows for `contacts` >= 1 contacts of `components` 1, 2 (plane) or 3 (space) and K[m*m] column-major, m = contacts
 * * components. ratio[contacts] in [0, 1] with the largest 1; ratio and options may be NULL (all 1; defaults).
 * THUD_ERROR_ARGUMENT, THUD_ERROR_DIMENSION, THUD_ERROR_UNSUPPORTED: sizes and ratios; THUD_ERROR_NOT_FINITE;
 * THUD_ERROR_NOT_SPD: K is not symmetric (the entry is named) or has a negative eigenvalue (named). A semidefinite K is
 * allowed: coefficients that need a definite one are 0, with the reason. */
THUD_API thud_error thud_critical_find(thud_context *context, thud_index contacts, thud_index components,
                                       const double *K, const double *ratio, const thud_critical_options *options,
                                       thud_critical **critical);
/* NULL is allowed. */
THUD_API void thud_critical_destroy(thud_critical *critical);
/* The row of an id; NULL when there is none. */
THUD_API const thud_critical_row *thud_critical_get(const thud_critical *critical, thud_critical_id id);
/* One sentence about a row and a coefficient mu (NaN: none), without a full stop: "one rate solution for every load:
 * mu < 0.572364 (exact); mu = 0.3 is below". Writes at most size bytes with the final 0 and returns the length that it
 * would have in full; buffer may be NULL with size 0. */
THUD_API size_t thud_critical_describe(const thud_critical_row *row, double mu, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
