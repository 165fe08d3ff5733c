/* The laws of one velocity problem: what reactions make of v_left, at a fixed configuration. Shared by the steps of
 * time stepping and by impacts.
 *
 * Velocities of constraints and slips are measured in kinetic units, u/sqrt(a M^-1 a'), so that nothing depends on how
 * a gap is scaled; the tolerance is relative to the largest of them that takes part. */
#ifndef THUD_SRC_VERIFY_SYSTEM_VERIFY_SYSTEM_PERCUSSION_H
#define THUD_SRC_VERIFY_SYSTEM_VERIFY_SYSTEM_PERCUSSION_H

#include "verify/system/verify_system.h"
#include "verify/verify_tally.h"

typedef struct verify_percussion {
  thud_context *context;
  const verify_system *system;
  const verify_values *at;   /* the configuration, seen with v_left */
  const double *q;           /* [n] where that is; NULL: not known */
  const double *v_left;      /* [n] what the law sees */
  const double *v_plus;      /* [n] what it answers */
  const double *reaction;    /* [m+s] impulses */
  const double *acting;      /* [m] not 0: may react */
  const double *restitution; /* [m] in effect */
  const double *bend;        /* [m] added to the velocities of constraints; NULL: 0 */
  const bool *left_out;      /* [m] equations that follow from others, which the problem leaves out; NULL: none */
  bool any_outcome;          /* not only that of the law: asked is what the axioms of impacts say */
  bool implicit;             /* the velocity without reactions is that of a step with forces at its end */
  double h;                  /* length of the step, 0 at an impact */
  const double *extra;       /* [laws] impulses by percussions beyond h times the threshold; NULL: 0 */
  double tolerance;          /* relative */
  double size;               /* kinetic size of the velocities */
  double t;                  /* for the report */
  size_t row;
  double *work; /* [4 n] */
} verify_percussion;

/* Gradient of constraint i, or slip row i - m; the velocity along it; row M^-1 row'; sum of |terms| of the velocity. */
const double *thud_verify_percussion_row(const verify_percussion *p, size_t i);
double thud_verify_percussion_velocity(const verify_percussion *p, size_t i, const double *v);
double thud_verify_percussion_response(const verify_percussion *p, size_t i);
double thud_verify_percussion_terms(const verify_percussion *p, size_t i, const double *v);
static inline bool verify_percussion_acts(const verify_percussion *p, size_t i) { return p->acting[i] != 0; }

/* Sets p->size. */
void thud_verify_percussion_measure(verify_percussion *p);
/* What `on_energy_gain: reduce_e` has multiplied all e by, read off the strongest impulse; 1: nothing. */
double thud_verify_percussion_factor(const verify_percussion *p);
/* Acting constraints: signs and complementarity of reactions and velocities with e times the factor; others: no
 * reaction. */
thud_error thud_verify_percussion_normal(const verify_percussion *p, double factor, thud_verify_check *check);
/* Kinetic size of the violation of a friction law, whose set is multiplied by the radius. scratch [2 x directions] */
thud_error thud_verify_percussion_law_error(const verify_percussion *p, const verify_law *law, double radius,
                                            double *scratch, double *value, double *accuracy);
/* What may be left of it: a part of the velocities, and the rounding of the set. */
double thud_verify_percussion_law_tolerance(const verify_percussion *p, const verify_law *law, double radius);
/* What the law's set is multiplied by; friction: mu or the threshold. */
double thud_verify_percussion_radius(const verify_percussion *p, const verify_law *law, double friction);
/* No energy is created, unless the scene allows it, and e was reduced by no more than that asks for. */
void thud_verify_percussion_gain(const verify_percussion *p, double factor, thud_verify_check *check);

#endif
