/* The polynomials of an arc as paths of the proofs. */
#ifndef THUD_SRC_MOTIONS_EVENT_ARC_PROOF_PATH_H
#define THUD_SRC_MOTIONS_EVENT_ARC_PROOF_PATH_H

#include "motions/event/arc_proof.h"

/* A polynomial sum c[k stride] s^k, k <= degree (-1: it is 0), or one of its derivatives. */
typedef struct proof_path {
  const double *c;
  size_t stride;
  int degree, derivative;
} proof_path;

bool thud_path_is_zero(const proof_path *path);
/* Coefficient k of the derivative, rounded: relative error 2^-52. */
double thud_path_coefficient(const proof_path *path, int k);
/* What it is on [from, to], 0 <= from <= to. */
expr_interval thud_path_enclose(const proof_path *path, double from, double to);
/* sum_{k>=1} |c_k| R^k */
double thud_path_reach(const proof_path *path, double R);

/* The variables on [from, to], and a plain pass with them. */
void thud_proof_plain(arc_proof *proof, double from, double to);
/* The jet at s = 0, if it is not there: slopes take its place. */
void thud_arc_proof_expand(arc_proof *proof);
/* Coefficients 1.. of the variables at s = 0, with the radius of their rounding. */
void thud_proof_load_coefficients(arc_proof *proof);
/* Coefficient 1 of the variables anywhere on [from, to], as balls; and 2, 3 up to `order`. */
void thud_proof_load_slopes(arc_proof *proof, int order, double from, double to);
void thud_proof_load_discs(arc_proof *proof, double R);

#endif
