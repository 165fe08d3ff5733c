/* Simplices of first and second order: shape functions and rules of integration, for lines (dimension 1), triangles (2) and
 * tetrahedra (3). Points are given by their barycentric coordinates. */
#ifndef THUD_SRC_MESH_ELEMENT_H
#define THUD_SRC_MESH_ELEMENT_H

#include "thud/base.h"

enum { ELEMENT_MOST = 10 }; /* nodes */

/* Corners at the ends of the edge on which node `dimension + 1 + k` lies, in Gmsh's order. */
extern const int thud_element_middle[4][6][2];
/* Corners of side k of a triangle or tetrahedron, seen from outside anticlockwise. */
extern const int thud_element_side[4][4][3];

static inline int element_corners(int dimension, int order) {
  static const int second[] = {1, 3, 6, 10};
  return order == 1 ? dimension + 1 : second[dimension];
}

/* Number of the node in the middle of the edge between two corners. */
int thud_element_between(int dimension, int a, int b);

/* N[corners] at a point. */
void thud_element_values(int dimension, int order, const double *barycentric, double *N);
/* d N_k / d xi_j with xi_j the barycentric coordinate j+1: slopes[dimension*k + j]. */
void thud_element_slopes(int dimension, int order, const double *barycentric, double *slopes);

/* Points and weights, which sum to 1: to be multiplied by the size of the simplex, |det J| / dimension!. */
typedef struct element_rule {
  int count;
  const double (*point)[4]; /* barycentric */
  const double *weight;
} element_rule;

/* Exact for polynomials of this degree: lines 5; triangles 1, 2, 4; tetrahedra 1, 2, 5 (the next one that there is). */
element_rule thud_element_rule(int dimension, int degree);

/* Jacobian J[dimension*i + j] = d x_i / d xi_j of an element with places x[dimension*k + i], and its determinant. */
double thud_element_jacobian(int dimension, int corners, const double *slopes, const double *x, double *J);

#endif
