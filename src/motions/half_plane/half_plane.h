/* The surface of an elastic half-plane inside: lengths are scaled so that the mesh is [-1, 1], where the logarithmic
 * form is positive (it is for half-widths below 2), and tractions are replaced by the forces of elements. */
#ifndef THUD_SRC_MOTIONS_HALF_PLANE_HALF_PLANE_H
#define THUD_SRC_MOTIONS_HALF_PLANE_HALF_PLANE_H

#include "linalg/fft.h"
#include "thud/half_plane.h"

struct thud_half_plane {
  thud_context *context;
  thud_half_plane_material material;
  thud_index n;
  double origin, length; /* x = origin + length * scaled */
  double period;         /* scaled; 0: none */
  double *edge;          /* [n+1] scaled */
  double *middle;        /* [n] scaled */
  double *width;         /* [n] scaled */
  bool uniform;
  /* Not uniform: normal[n*n], displacement in the middle of i by a unit force spread over j, symmetric only for equal
   * elements; cross: sgn/2 needs no storage. */
  double *normal;
  /* Uniform: normal_row[d] and cross_row[d] for i - j = d >= 0 (even and odd in d), their transforms on a circle of
   * thud_fft_size(fft) points, and room for products. */
  double *normal_row, *cross_row;
  thud_fft *fft;
  double *normal_spectrum, *cross_spectrum; /* real and imaginary parts: the kernels are even and odd */
  double *line, *spectrum_p, *spectrum_q;
};

/* Entries for unit forces: -(1/pi) times the mean of log|x_i - t| over element j, and sgn(x_i - x_j)/2. */
double thud_half_plane_normal(const thud_half_plane *plane, thud_index i, thud_index j);
double thud_half_plane_cross(const thud_half_plane *plane, thud_index i, thud_index j);
/* By formula, whatever is stored. */
double thud_half_plane_normal_entry(const thud_half_plane *plane, thud_index i, thud_index j);
double thud_half_plane_cross_entry(const thud_half_plane *plane, thud_index i, thud_index j);

/* Scaled displacements u = N f + coupling C t, v = N t - coupling C f of the element forces f, t. */
void thud_half_plane_product(thud_half_plane *plane, const double *f, const double *t, double *u, double *v);
/* The tables of a uniform mesh. */
thud_error thud_half_plane_prepare_circle(thud_half_plane *plane);
void thud_half_plane_product_circle(thud_half_plane *plane, const double *f, const double *t, double *u, double *v);
/* About N^-1 x on a uniform mesh: with the inverse of the circulant matrix that N is a part of. */
void thud_half_plane_unproduct(thud_half_plane *plane, const double *x, double *out);

#endif
