/* Contact problems for tests, examples and benchmarks: random ones with a known answer, and small mechanical families.
 * All are deterministic functions of their arguments. No cmocka here: benchmarks use it too. */
#ifndef THUD_TEST_RANDOM_PROBLEMS_H
#define THUD_TEST_RANDOM_PROBLEMS_H

#include "thud/contact.h"

/* A problem and, where one is known, an exact answer. Every array lives with `owned`. */
typedef struct thud_test_problem {
  thud_owned_problem *owned;
  const thud_contact_problem *problem;
  double *r, *u; /* [size], NULL: no answer is known (or there is none) */
  double *v;     /* [ndof] global form with an answer, else NULL */
  double *l;     /* [bilateral] the same */
} thud_test_problem;

void thud_test_problem_destroy(thud_test_problem *made);
/* A local problem with dense W that borrows its arrays. */
thud_contact_problem thud_test_dense_problem(thud_index dimension, thud_index contacts, const double *W,
                                             const double *q, const double *mu);

typedef enum thud_test_law { THUD_TEST_DISC, THUD_TEST_ELLIPSE, THUD_TEST_POLYGON, THUD_TEST_MIXED_LAWS } thud_test_law;

/* What a random problem looks like. Contacts touch random pairs of bodies with random Jacobians; the answer is chosen
 * first (open, sticking, sliding and borderline contacts in turn) and w (q) made to fit it. */
typedef struct thud_test_shape {
  thud_index dimension, contacts; /* dimension 1 to 6 */
  thud_index bodies;              /* of `block` degrees of freedom: fewer than dimension*contacts/block: W singular */
  thud_index block;               /* 1..6 */
  thud_test_law law;              /* where thud_test_takes_laws */
  bool frictionless;              /* mu = 0 everywhere */
  thud_contact_friction friction;
} thud_test_shape;

/* Every kind of contact: 1 to 6 are dimensions, THUD_TEST_PLANE_ROLLING is 3 components in the plane with rolling. */
enum { THUD_TEST_PLANE_ROLLING = 103, THUD_TEST_DIMENSIONS = 7 };
extern const thud_index thud_test_dimensions[THUD_TEST_DIMENSIONS];
/* The kind of a problem, one of the above. */
thud_index thud_test_dimension_of(const thud_contact_problem *problem);
bool thud_test_takes_laws(const thud_test_shape *shape);

/* Enough bodies for a W of full rank; the dimension is one of thud_test_dimensions. */
thud_test_shape thud_test_shape_of(thud_index dimension, thud_index contacts);

thud_error thud_test_random_two_block(thud_context *context, thud_random *random, const thud_test_shape *shape,
                                      thud_test_problem *made);
/* The local form of the same, in the given storage. */
thud_error thud_test_random_local(thud_context *context, thud_random *random, const thud_test_shape *shape,
                                  thud_matrix_storage storage, thud_test_problem *made);
/* The global form of the same. */
thud_error thud_test_random_rigid_global(thud_context *context, thud_random *random, const thud_test_shape *shape,
                                         thud_test_problem *made);
/* Global form of an elastic bar's implicit step: M tridiagonal SPD (ndof x ndof), contacts that touch four neighbouring
 * degrees of freedom each, `bilateral` rows. skew != 0 adds that much of a skew matrix (gyroscopic terms) to M. */
thud_error thud_test_flexible_global(thud_context *context, thud_random *random, const thud_test_shape *shape,
                                     thud_index ndof, thud_index bilateral, double skew, thud_test_problem *made);

/* ---- linear complementarity ------------------------------------------------------------------------------- */

/* A P-matrix that is not symmetric (one solution for every q), with that solution. */
thud_error thud_test_lcp_p_matrix(thud_context *context, thud_random *random, thud_index n, thud_test_problem *made);
/* `pairs` uncoupled copies of u = [1 2; 2 1] r - (1, 1), whose solutions are r = (1,0), (0,1), (1/3,1/3): 3^pairs
 * solutions; the known answer is (1,0) throughout. */
thud_error thud_test_lcp_several(thud_context *context, thud_index pairs, thud_test_problem *made);
/* A random SPD matrix beside a last row u = 0 r - 1: no solution. */
thud_error thud_test_lcp_infeasible(thud_context *context, thud_random *random, thud_index n, thud_test_problem *made);

/* ---- mechanics ---------------------------------------------------------------------------------------------- */

typedef struct thud_test_pile {
  thud_index nx, ny, nz; /* bodies of the lattice along x, y and upwards */
  thud_index dimension;  /* 1, 3, 4, 5 or 6 */
  double mu, mu_rolling;
  double mass_ratio; /* top layer to bottom layer, geometric in between */
  double noise;      /* standard deviation of random velocities added to the fall g h = 0.0981 m/s */
  double mu_spinning;
} thud_test_pile;

/* Spheres of radius 1/2 on a cubic lattice, each touching its neighbours and the lowest layer the ground: two-block,
 * block = 6. */
thud_error thud_test_pile_of_spheres(thud_context *context, thud_random *random, const thud_test_pile *pile,
                                     thud_test_problem *made);
/* nz unit cubes on top of each other on the ground, four contacts under each (forces are indeterminate); nx and ny are
 * not read. */
thud_error thud_test_stack_of_boxes(thud_context *context, thud_random *random, const thud_test_pile *pile,
                                    thud_test_problem *made);
/* Unit cubes on a cubic lattice, four contacts on every face that two of them share and under the lowest layer: the
 * rank of W is far below its size and the forces are indeterminate. */
thud_error thud_test_wall_of_boxes(thud_context *context, thud_random *random, const thud_test_pile *pile,
                                   thud_test_problem *made);
/* nx unit cubes side by side on the ground (not touching), nx - 1 on them, each on two halves, and so on up to one:
 * four contacts under every cube of the lowest layer, eight under every other. ny, nz and mass_ratio are not read. */
thud_error thud_test_pyramid_of_boxes(thud_context *context, thud_random *random, const thud_test_pile *pile,
                                      thud_test_problem *made);
/* One 2D contact of a rod of mass 1 and length 2 that touches the ground with its end, at the angle theta to it:
 * W = [1 + 3 cos^2, -3 sin cos; ., 1 + 3 sin^2], q = (q_N, q_T). Painleve's paradox needs mu > 4/3. */
thud_error thud_test_painleve_rod(thud_context *context, double theta, double mu, double q_N, double q_T,
                                  thud_test_problem *made);
/* Klarbring's two-degree system with coupling: W = [1, w; w, 1], |w| < 1, q = (q_N, q_T). */
thud_error thud_test_klarbring(thud_context *context, double w, double mu, double q_N, double q_T,
                               thud_test_problem *made);

#endif
