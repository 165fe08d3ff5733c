/* Polynomials of an arc about the centre of a piece of it, in x = (s - centre)/half in [-1, 1]. */
#ifndef THUD_SRC_VERIFY_EVENT_VERIFY_PROOF_PATH_H
#define THUD_SRC_VERIFY_EVENT_VERIFY_PROOF_PATH_H

#include "verify/math/verify_enclosure.h"

/* sum_k c[k stride] s^k, k = 0..degree */
typedef struct verify_polynomial {
  const double *c;
  size_t stride;
  int degree;
} verify_polynomial;

/* s in [centre - half, centre + half]; the centre is that of the piece but for a rounding of its time. */
typedef struct verify_piece {
  double from, to;
  double centre, half;
  double time, time_error; /* t0 + centre and what it may be wrong by */
} verify_piece;

verify_piece thud_verify_piece(double t0, double from, double to);
/* [0, to] about s = 0, where the coefficients are those of the record, without rounding: then x is in [0, 1]. */
verify_piece thud_verify_piece_from_start(double t0, double to);

/* The polynomial p about the centre; of positions v = p' and a = p'' too. A series has room for degree + 1 numbers. */
void thud_verify_path_shift(const verify_polynomial *p, const verify_piece *piece, verify_series *out);
void thud_verify_path_motion(const verify_polynomial *p, const verify_piece *piece, verify_series *q, verify_series *v,
                             verify_series *a);
void thud_verify_path_time(const verify_piece *piece, verify_series *out);
/* Coefficients 0..order that hold about every point of the piece; from_start: x is in [0, 1]. */
void thud_verify_path_widen(const verify_series *path, int order, bool from_start, verify_series *out);
/* Values on the whole piece, at its centre. */
verify_interval thud_verify_path_range(const verify_series *path, bool from_start);
verify_interval thud_verify_path_centre(const verify_series *path);

#endif
