/* thud/solid.h: linear elasticity on meshes, and its contact with rigid obstacles. Layer: motions.
 *
 *   -div sigma = f,   sigma = lambda tr(eps) I + 2 mu eps,   eps = (grad u + grad u')/2
 *   u given on some groups, sigma n = given tractions on others, contact with friction on others again
 * by elements of first and second order. Small displacements: all is written at the undeformed places. A solid is a stiffness
 * matrix K of the unknowns (components of u that are not given) and what is needed around it; with points of contact it is a
 * thud_quasistatic_problem, whose motions follow loads (thud/quasistatic.h).
 *
 * Integrals over elements are sums over fixed points, which are part of what is solved: 1 point in elements of first order; of
 * second order 3 in triangles (exact to degree 2) and 4 in tetrahedra (2); 6 in triangles of axisymmetric bodies (4). Body forces
 * and tractions are those of the shape functions between nodes, by 6 points in triangles, 14 in tetrahedra (5) and 3 in lines (5). */
#ifndef THUD_SOLID_H
#define THUD_SOLID_H

#include "thud/linalg.h"
#include "thud/mesh.h"
#include "thud/quasistatic.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum thud_solid_kinematics {
  THUD_SOLID_PLANE_STRAIN = 0, /* x, y; forces on the given thickness */
  THUD_SOLID_PLANE_STRESS = 1,
  THUD_SOLID_AXISYMMETRIC = 2, /* x is the radius, y the axis; forces on the whole circumference */
  THUD_SOLID_SPACE = 3
} thud_solid_kinematics;

typedef struct thud_solid_material {
  double young;   /* > 0 */
  double poisson; /* -1 < nu < 1/2 */
} thud_solid_material;

/* Arrays are borrowed for the call of create, the mesh as long as the solid lives. */
typedef struct thud_solid_definition {
  const thud_solid_mesh *mesh;
  thud_solid_kinematics kinematics;
  double thickness;                     /* of the plane kinematics, > 0 */
  const thud_solid_material *materials; /* [groups of the mesh] read for groups of elements */
  const unsigned char *held;            /* [dimension*nodes] 1: this component of u is given; NULL: none */
} thud_solid_definition;

typedef struct thud_solid thud_solid;

/* Assembles the stiffness. THUD_ERROR_ARGUMENT names the material, or the element and the place where it is inverted.
 * destroy(NULL) is allowed. */
THUD_API thud_error thud_solid_create(thud_context *context, const thud_solid_definition *definition,
                                      thud_solid **solid);
THUD_API void thud_solid_destroy(thud_solid *solid);

/* Borrowed from the solid. Component i of node k has the number dimension*k + i. */
typedef struct thud_solid_view {
  thud_index dimension, nodes, unknowns;
  const thud_sparse *K;        /* unknowns x unknowns */
  const thud_index *unknown;   /* [dimension*nodes] number of the unknown, -1: given */
  const thud_index *component; /* [unknowns] */
  double poisson;              /* the largest ratio of the materials of elements */
  double lower_memory;         /* bytes that K and its factor take at least: the entries of K four times */
} thud_solid_view;
THUD_API thud_solid_view thud_solid_get(const thud_solid *solid);

/* force[dimension*nodes] = K u of all components, u[dimension*nodes] likewise. */
THUD_API void thud_solid_apply(const thud_solid *solid, const double *u, double *force);
/* Adds what acts on the nodes, force[dimension*nodes]: of a force per volume in the elements of a group (-1: of all), of a force
 * per area on the sides of a group, of a pressure against their normals. Densities are given at the nodes: [dimension*nodes],
 * the pressure [nodes]. */
THUD_API thud_error thud_solid_add_body_force(const thud_solid *solid, thud_index group, const double *density,
                                              double *force);
THUD_API thud_error thud_solid_add_traction(const thud_solid *solid, thud_index group, const double *traction,
                                            double *force);
THUD_API thud_error thud_solid_add_pressure(const thud_solid *solid, thud_index group, const double *pressure,
                                            double *force);
/* stress[6*nodes] at the nodes: the means of what the elements around have there, weighted by their volumes. Components xx, yy, zz,
 * xy, yz, zx; of axisymmetric bodies x is the radius, y the axis, z around it. */
THUD_API thud_error thud_solid_stress(const thud_solid *solid, const double *u, double *stress);
/* A rigid motion that neither given components nor nodes with touched[node] = 1 (NULL: none) hold, of the first connected body
 * that has one: *node is one of its nodes (-1: every body is held), motion[6] the velocities along x, y, z and the turns around
 * them, as displacements of its rim; the largest is 1. */
THUD_API thud_error thud_solid_find_free(const thud_solid *solid, const unsigned char *touched, thud_index *node,
                                         double *motion);

/* ---- contact with rigid obstacles ----------------------------------------------------------------------------------- */

typedef enum thud_obstacle_shape {
  THUD_OBSTACLE_PLANE = 0, /* through `point` with the normal `direction`, the body on its side */
  THUD_OBSTACLE_BALL =
      1, /* around `point` with `radius`: a sphere, in the plane a circle; radius < 0: the body is inside */
  THUD_OBSTACLE_CYLINDER = 2, /* in space, around the line through `point` along `direction`; likewise */
  THUD_OBSTACLE_LEVEL = 3     /* value(place) > 0 outside: gap value/|gradient| along the gradient */
} thud_obstacle_shape;

/* gradient[dimension]; non-zero: not defined there. */
typedef int (*thud_obstacle_fn)(void *user, const double *place, double *value, double *gradient);

typedef struct thud_solid_obstacle {
  thud_index group; /* of sides that may touch it */
  thud_obstacle_shape shape;
  double point[3], direction[3], radius;
  thud_obstacle_fn level;
  void *user;
  double mu;
} thud_solid_obstacle;

/* Where a solid may touch: the corners of the sides, each with a share of the surface. Elements of first order touch at the
 * corner itself. Of second order the displacement is weighted by the hat function of the corner over the sides around, so that a
 * linear pressure is resolved exactly and no weight is negative. Gaps are weighted likewise. */
typedef struct thud_solid_contacts thud_solid_contacts;

/* friction: all coefficients are there, otherwise contacts have no tangential components. Components of contacts that are all
 * given get an unknown of their own which nothing loads, because their friction is carried by the support; points whose normal
 * displacement is given as well are left out. THUD_ERROR_ARGUMENT names the group and the place: sides inside the solid, places
 * without a normal, points that overlap at the start by more than `overlap`. */
THUD_API thud_error thud_solid_contacts_create(const thud_solid *solid, thud_index count,
                                               const thud_solid_obstacle *obstacles, bool friction, double overlap,
                                               thud_solid_contacts **contacts);
THUD_API void thud_solid_contacts_destroy(thud_solid_contacts *contacts);

/* Borrowed from the contacts. */
typedef struct thud_solid_contacts_view {
  thud_index contacts;        /* c */
  thud_index dimension;       /* d of each */
  thud_index unknowns;        /* those of the solid and the ones of held components behind them */
  const thud_sparse *K, *H;   /* for thud_quasistatic_problem */
  const double *gap, *mu;     /* [c] */
  const double *area;         /* [c] share of the surface */
  const thud_index *corner;   /* [c] node */
  const thud_index *obstacle; /* [c] number of the obstacle */
  const double *normal;       /* [dimension of the solid * c] at the corner */
} thud_solid_contacts_view;
THUD_API thud_solid_contacts_view thud_solid_contacts_get(const thud_solid_contacts *contacts);

#ifdef __cplusplus
}
#endif
#endif
