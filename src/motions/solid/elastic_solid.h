/* Solids inside: the elements (solid_elements.c), the matrix (elastic_solid.c), what holds bodies (solid_bodies.c), contacts
 * (solid_contact.c). */
#ifndef THUD_SRC_MOTIONS_SOLID_ELASTIC_SOLID_H
#define THUD_SRC_MOTIONS_SOLID_ELASTIC_SOLID_H

#include "mesh/element.h"
#include "thud/solid.h"

struct thud_solid {
  thud_context *context;
  const thud_solid_mesh *mesh; /* borrowed */
  thud_solid_definition given; /* arrays of it are not kept */
  thud_solid_mesh_definition view;
  int d, order, corners, side_corners;
  double *lambda, *shear; /* [groups] Lame's constants; of plane stress lambda is that of the plane */
  double *poisson;        /* [groups] */
  unsigned char *held;    /* [d*nodes] */
  thud_index unknowns, *unknown, *component;
  thud_sparse all, K; /* of all components, of the unknowns */
};

/* One point of integration of an element or a side. */
typedef struct solid_point {
  double N[ELEMENT_MOST], slope[3 * ELEMENT_MOST]; /* slope[d*k + i] = d N_k / d x_i; of sides not set */
  double size;                                     /* weight times volume, or area */
  double x[3], normal[3];                          /* place; of sides the outward unit normal */
} solid_point;

/* Places x[d*corners] of an element's nodes, s. of a side. */
const thud_index *thud_solid_gather(const thud_solid *solid, thud_index element, double *x);
const thud_index *thud_solid_gather_side(const thud_solid *solid, thud_index side, double *x);
/* Point q of a rule in an element with these places; false: it is inverted there. */
bool thud_solid_at(const thud_solid *solid, const element_rule *rule, int q, const double *x, solid_point *point);
/* The same at barycentric coordinates. */
bool thud_solid_at_place(const thud_solid *solid, const double *barycentric, double weight, const double *x,
                         solid_point *point);
void thud_solid_at_side(const thud_solid *solid, const element_rule *rule, int q, const double *x, solid_point *point);
/* K[(d*corners)^2] of an element by columns; false: it is inverted at a point, whose place goes to where[d]. */
bool thud_solid_element_stiffness(const thud_solid *solid, thud_index element, double *K, double *where);

#endif
