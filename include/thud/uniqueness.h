/* thud/uniqueness.h: are the impulses of a solved contact problem unique, and if not, between which bounds do the
 * normal ones lie, and which are closest to given ones?
 *
 * Looked at are the solutions that share the velocity found. They form a convex set: with the linear part A of the
 * problem ([W V; V' R] in the local form, [H G] in the global one, M^-1 J' in the two-block form)
 *   S = { r' : A (r', l') = A (r, l) for some l',  r'_k in F_k },   F_k = the part of K_k orthogonal to u~_k:
 *   open        u_N > 0              F = {0}
 *   sliding     u_N = 0, u_T != 0    F = the ray of (1, -mu u_T/|u_T|)
 *   sticking    u = 0                F = K
 * (rolling, spinning: the discs of T, R and S each slide or stick; a law in the plane: its end or the whole interval).
 * Solutions with another velocity, which friction allows, are not in it: thud_contact_enumerate finds those of small
 * problems.
 * Borderline velocities count as 0, which makes F and with it S larger: what is called unique is unique. */
#ifndef THUD_UNIQUENESS_H
#define THUD_UNIQUENESS_H

#include "thud/contact.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_force_set_options {
  size_t size;
  double velocity_tolerance; /* velocities up to this part of max(|u|, |q|) (largest entries) count as 0 */
  double impulse_tolerance;  /* largest part of max |r| by which r may have to be moved into the F_k */
  double rank_tolerance;     /* pivots of A up to this part of the largest count as 0 (columns scaled per contact) */
  double width_tolerance;    /* S up to this part of max |r| wide counts as one point */
  double largest;            /* sums of the normal impulses beyond so many times max |r| are not followed */
  int max_programs;          /* convex programs that the extents of S (see the verdict) may take at most; UNDECIDED when
                                they would take more */
  thud_stop stop;            /* asked before every step of the convex programs, and while the set is made */
} thud_force_set_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_force_set_option_table(void);
THUD_OPTIONS_DEFAULT(thud_force_set_options, thud_force_set_option_table)

/* Largest number of coordinates of the F_k together, and of entries of A, for which S is made. */
enum { THUD_FORCE_SET_MAX_COORDINATES = 4000, THUD_FORCE_SET_MAX_ENTRIES = 1 << 24 };

typedef enum thud_uniqueness {
  THUD_FORCES_UNIQUE = 0,     /* S is one point */
  THUD_FORCES_NOT_UNIQUE = 1, /* two points of S are known */
  THUD_FORCES_UNDECIDED = 2   /* neither: the figures say how far it got */
} thud_uniqueness;

typedef struct thud_uniqueness_info {
  thud_uniqueness verdict;
  thud_index open, sliding, sticking; /* contacts */
  thud_index coordinates;             /* of the F_k together */
  thud_index freedom; /* dimension of the directions in which r may change: 0 proves uniqueness by rank alone */
  double smallest_pivot, largest_dropped; /* relative pivots on both sides of the rank decision; 0 without any */
  double moved;                           /* largest change of r on its way into the F_k, part of max |r| */
  thud_index moved_contact; /* where; -1: nowhere. moved > impulse_tolerance: the answer is too inaccurate, UNDECIDED */
  double width;             /* known extent of S along the directions tried, part of max |r|; a lower bound */
  double width_outer;       /* proved bound of the extent of S along them; INFINITY: none was needed or found */
  THUD_RESERVED(4);
} thud_uniqueness_info;

/* S of one problem and one answer. */
typedef struct thud_force_set thud_force_set;

/* r[size] and its velocities u[size]; options may be NULL. Everything needed is copied: problem, r and u may go.
 * THUD_ERROR_UNSUPPORTED when it is too large. */
THUD_API thud_error thud_force_set_create(thud_context *context, const thud_contact_problem *problem, const double *r,
                                          const double *u, const thud_force_set_options *options, thud_force_set **set);
THUD_API void thud_force_set_destroy(thud_force_set *set);
/* General laws in space (dimension 3) are found to be unique by rank only; otherwise the finding is UNDECIDED. */
THUD_API thud_error thud_force_set_uniqueness(thud_force_set *set, thud_uniqueness_info *info);

/* The interval of r'_N of one contact over S. [low, high] is attained by points of S (an inner interval), [low_outer,
 * high_outer] is proved to contain every point of S by feasible points of the dual programs, up to rounding. They agree
 * to rounding where F_k are polyhedral (dimension 1 and 2) and to about 1e-8 of max |r| otherwise, as a rule. */
typedef struct thud_force_interval {
  thud_index contact;
  double low, high;             /* impulse unit; high is INFINITY when S contains a ray along which r'_N grows */
  double low_outer, high_outer; /* 0 and INFINITY where nothing better is proved */
  bool limited; /* the outer interval is that of the points within options.largest: S is not proved to be bounded */
} thud_force_interval;

/* lowest[size], highest[size] (may be NULL): impulses in S with r'_N = low and high; where high is INFINITY highest is
 * the ray, a direction d with r + s d in S for every s >= 0, the sum of its normal components 1. */
THUD_API thud_error thud_force_set_interval(thud_force_set *set, thud_index contact, thud_force_interval *interval,
                                            double *lowest, double *highest);

/* The impulses of S closest to a start: the projection onto S in the metric  |r|^2 = sum over the contacts of weight_k
 * |r_k|^2,  |r_k|^2 the sum of the squares of all components of a contact. With weights that are compliances it is what
 * elastic contacts would choose, whose energy is least. */
typedef struct thud_force_closest {
  double distance; /* |r' - start|; impulse unit times the unit of the roots of the weights */
  double error;    /* proved: the exact projection is at most this far from r' in the metric. It is the root
                      of a gap of energies and so about the root of rounding at best; the true error is much smaller as
                      a rule. INFINITY: r' is the answer, which is too inaccurate (thud_uniqueness_info.moved) */
  THUD_RESERVED(4);
} thud_force_closest;

/* start[size] (NULL: 0, which asks for the least impulses), weights[contacts] > 0 (NULL: 1). r[size] receives the
 * impulses; it may be start. THUD_ERROR_UNSUPPORTED for general laws in space whose forces are not unique by rank. */
THUD_API thud_error thud_force_set_closest(thud_force_set *set, const double *start, const double *weights, double *r,
                                           thud_force_closest *closest);

#ifdef __cplusplus
}
#endif
#endif
