/* thud/convex.h: closed convex sets of R^n: projection, support function, distance, normal cone, in the Euclidean
 * metric or in a given SPD metric; combinators; moving sets.
 *
 * A set is a tree. Leaves are the sets below; combinators consume their operands (on success the operand handles belong
 * to the new set and must not be used or destroyed any more; on failure nothing changes). The numbers of a tree
 * (centres, radii, matrices ...) form one flat parameter vector, in the order given at each constructor and depth
 * first, so that a set can be moved without being rebuilt: thud_set_get_parameters / thud_set_set_parameters.
 * Everything that a query needs is allocated at creation: queries and parameter changes allocate nothing. A set is used
 * by one thread at a time (thud_set_clone for another).
 *
 * Exact or iterative: each set says for each query whether it is computed by a finite or scalar-root method
 * (THUD_EXACT: accurate to rounding) or by an iteration (THUD_ITERATIVE: the answer carries a certified gap). */
#ifndef THUD_CONVEX_H
#define THUD_CONVEX_H

#include "thud/pivot.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_set thud_set;

typedef enum thud_exactness {
  THUD_EXACT = 0,      /* finite method, closed form or safeguarded scalar root: accurate to rounding */
  THUD_ITERATIVE = 1,  /* iteration with a certified gap */
  THUD_UNAVAILABLE = 2 /* the query returns THUD_ERROR_UNSUPPORTED */
} thud_exactness;

typedef struct thud_set_abilities {
  thud_exactness projection;          /* Euclidean */
  thud_exactness projection_diagonal; /* diagonal metric */
  thud_exactness projection_metric;   /* any SPD metric */
  thud_exactness support;
  bool is_cone;       /* with apex 0 for the present parameters' structure (kind, not accident) */
  bool is_polyhedral; /* emptiness is decided, projections are exact */
  bool is_bounded;    /* support function finite everywhere: by kind, and a box by its bounds */
} thud_set_abilities;

/* How good an answer is. The gap comes from duality and is, for projections, the square root of a duality gap: with the
 * default tolerance it is about 1e-6 of the lengths involved, while the error itself is mostly near 1e-12. */
typedef struct thud_set_info {
  thud_exactness exactness;
  bool converged;        /* false: iteration limit, gap says how far */
  thud_index iterations; /* 0 for closed forms */
  double gap;            /* certified bound on |y - proj x|_M (projection) or on the value's error (support);
                            0 for exact methods that ended as they should */
  THUD_RESERVED(4);
} thud_set_info;

/* ---- leaves ----------------------------------------------------------------------------------------
 * Infinite bounds are allowed where noted; NaN never. Parameters of each are in the order of the arguments. */

/* { x : normal.x <= offset }, normal != 0. Parameters: normal[n], offset. */
THUD_API thud_error thud_set_half_space(thud_context *context, thud_index n, const double *normal, double offset,
                                        thud_set **set);
/* { lower <= x <= upper }, componentwise, bounds may be infinite; lower > upper is THUD_ERROR_EMPTY_SET.
 * Parameters: lower[n], upper[n]. The interval is the box with n = 1. */
THUD_API thud_error thud_set_box(thud_context *context, thud_index n, const double *lower, const double *upper,
                                 thud_set **set);
THUD_API thud_error thud_set_interval(thud_context *context, double lower, double upper, thud_set **set);
/* Euclidean ball, radius >= 0 (THUD_ERROR_EMPTY_SET otherwise). Parameters: centre[n], radius. */
THUD_API thud_error thud_set_ball(thud_context *context, thud_index n, const double *centre, double radius,
                                  thud_set **set);
/* { (x - c)' Q (x - c) <= 1 }, Q SPD column-major. Parameters: centre[n], Q[n*n]. */
THUD_API thud_error thud_set_ellipsoid(thud_context *context, thud_index n, const double *centre, const double *Q,
                                       thud_set **set);
/* Coulomb's cone { |x_T| <= mu x_N, x_N >= 0 }, x = (x_N, x_T), mu >= 0 (0: the half-line along the normal), n >= 2.
 * Parameters: mu. */
THUD_API thud_error thud_set_coulomb_cone(thud_context *context, thud_index n, double mu, thud_set **set);
/* Its (positive) dual { mu |x_T| <= x_N }: x.y >= 0 for all y of Coulomb's cone. Parameters: mu. */
THUD_API thud_error thud_set_coulomb_dual_cone(thud_context *context, thud_index n, double mu, thud_set **set);
/* Coulomb's law of a contact whose normal reaction is 1 + a.x, a the coupling[n]: { x : |x| <= mu |1 + a.x| }, n >= 1,
 * mu >= 0. Convex if and only if mu |a| <= 1 (unbounded at equality); what is not convex is THUD_ERROR_ARGUMENT and says
 * so, also when the set is moved. thud_system_friction_convexity has the coupling of a system. Parameters: coupling[n],
 * mu. */
THUD_API thud_error thud_set_generalized_coulomb(thud_context *context, thud_index n, const double *coupling, double mu,
                                                 thud_set **set);
/* { a_i.x = b_i (i < equalities), a_i.x <= b_i (others) }, A row-major m x n, m >= 0. An empty polyhedron is
 * THUD_ERROR_EMPTY_SET and the message names the rows of the Farkas certificate. Parameters: A[m*n], b[m]. */
THUD_API thud_error thud_set_polyhedron(thud_context *context, thud_index n, thud_index m, thud_index equalities,
                                        const double *A, const double *b, thud_set **set);
/* { x : a_i.x <= 0 }, rows of A the gradients. Parameters: A[m*n]. */
THUD_API thud_error thud_set_cone_of_gradients(thud_context *context, thud_index n, thud_index m, const double *A,
                                               thud_set **set);
/* { sum l_i g_i, l >= 0 }, rows of G the generators. Parameters: G[k*n]. */
THUD_API thud_error thud_set_cone_of_generators(thud_context *context, thud_index n, thud_index k, const double *G,
                                                thud_set **set);
/* { x : a_i.x = b_i }; dependent rows are allowed when consistent. Parameters: A[m*n], b[m]. */
THUD_API thud_error thud_set_affine(thud_context *context, thud_index n, thud_index m, const double *A, const double *b,
                                    thud_set **set);
/* { origin + s direction, s >= 0 }. Parameters: origin[n], direction[n] (direction != 0). */
THUD_API thud_error thud_set_half_line(thud_context *context, thud_index n, const double *origin,
                                       const double *direction, thud_set **set);
/* The segment between two points, which may coincide. Parameters: first[n], second[n]. */
THUD_API thud_error thud_set_segment(thud_context *context, thud_index n, const double *first, const double *second,
                                     thud_set **set);

/* ---- combinators (operands are consumed on success) ------------------------------------------------- */

/* Cartesian product in the order given, count >= 1. Parameters: the operands'. */
THUD_API thud_error thud_set_product(thud_context *context, thud_index count, thud_set *const *operands,
                                     thud_set **set);
/* offset + C. Parameters: offset[n], then the operand's. */
THUD_API thud_error thud_set_translation(thud_context *context, const double *offset, thud_set *operand,
                                         thud_set **set);
/* factor C, factor >= 0 (0 C is the closed limit: the recession cone of C; {0} for bounded sets; THUD_ERROR_UNSUPPORTED
 * when the operand contains the polar of a set that is neither a cone nor polyhedral). Parameters: factor, then the
 * operand's. */
THUD_API thud_error thud_set_scaling(thud_context *context, double factor, thud_set *operand, thud_set **set);
/* C1 + ... + Ck (closure). Parameters: the operands'. */
THUD_API thud_error thud_set_sum(thud_context *context, thud_index count, thud_set *const *operands, thud_set **set);
/* { L x : x in C } (closure), L column-major rows x n. Parameters: L[rows*n], then the operand's. */
THUD_API thud_error thud_set_linear_image(thud_context *context, thud_index rows, const double *L, thud_set *operand,
                                          thud_set **set);
/* { x : L x in C }, L column-major (dimension of C) x n. Parameters: L, then the operand's. */
THUD_API thud_error thud_set_linear_preimage(thud_context *context, thud_index n, const double *L, thud_set *operand,
                                             thud_set **set);
/* Intersection, count >= 1. Empty intersections of polyhedral sets are THUD_ERROR_EMPTY_SET; others are found out by
 * the projection, which then does not converge. Parameters: the operands'. */
THUD_API thud_error thud_set_intersection(thud_context *context, thud_index count, thud_set *const *operands,
                                          thud_set **set);
/* Polar { y : x.y <= 1 for all x of C } of a set that contains 0 (THUD_ERROR_ARGUMENT otherwise); for a cone the polar
 * cone { y : x.y <= 0 }. Parameters: the operand's. */
THUD_API thud_error thud_set_polar(thud_context *context, thud_set *operand, thud_set **set);

/* ---- life ------------------------------------------------------------------------------------------- */

/* Frees the set with its operands; NULL is allowed. A clone has copies of everything. The dimension is that of the
 * space. */
THUD_API void thud_set_destroy(thud_set *set);
THUD_API thud_error thud_set_clone(thud_context *context, const thud_set *set, thud_set **clone);
THUD_API thud_index thud_set_dimension(const thud_set *set);
/* "ball", "product", ... for messages. */
THUD_API const char *thud_set_kind(const thud_set *set);
THUD_API thud_set_abilities thud_set_get_abilities(const thud_set *set);
THUD_API size_t thud_set_parameter_count(const thud_set *set);
THUD_API void thud_set_get_parameters(const thud_set *set, double *parameters);
/* Checks as the constructors do; on failure the set keeps its old parameters. */
THUD_API thud_error thud_set_set_parameters(thud_set *set, const double *parameters);
/* Stopping rule of iterative queries: optimality residual relative to the lengths and forces involved (default 1e-12;
 * the square of the gap is of its order; more than 1e-4 counts as 1e-4, because looser gaps could not be certified) and
 * iteration limit (default 100000). Also for the operands. */
THUD_API thud_error thud_set_set_tolerance(thud_set *set, double tolerance, thud_index max_iterations);

/* ---- queries ------------------------------------------------------------------------------------------ */

/* y = argmin { |z - x|_M : z in C }; metric may be NULL (Euclidean), info may be NULL, y may alias x.
 * A residual above the tolerance is not an error: info->converged is false. THUD_ERROR_EMPTY_SET when the set was found
 * to be empty. */
THUD_API thud_error thud_set_project(thud_set *set, const thud_metric *metric, const double *x, double *y,
                                     thud_set_info *info);
/* value = sup { d.x : x in C }, +INFINITY when unbounded; point[n] (may be NULL) a maximiser when the value is
 * finite and attained; info may be NULL. */
THUD_API thud_error thud_set_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info);
/* Distance of x to C in the metric: 0 inside. metric (Euclidean) and info may be NULL. */
THUD_API thud_error thud_set_distance(thud_set *set, const thud_metric *metric, const double *x, double *distance,
                                      thud_set_info *info);
/* How far the covector w is from the normal cone of C at x: |x - proj(x + M^-1 w)|_M, 0 iff x in C and w in N_C(x).
 * (The normal cone is a cone of covectors { w : w.(z - x) <= 0 for all z in C }: it does not depend on the metric,
 * only the size of the residual does.) metric (Euclidean) and info may be NULL. */
THUD_API thud_error thud_set_normal_cone_residual(thud_set *set, const thud_metric *metric, const double *x,
                                                  const double *w, double *residual, thud_set_info *info);

/* ---- moving sets ---------------------------------------------------------------------------------------- */

/* C(t): a set whose whole parameter vector is a regulated function of time. Borrows both. */
typedef struct thud_moving_set {
  thud_set *set;
  const thud_regulated *parameters; /* dimension = thud_set_parameter_count(set); NULL: the set does not move */
} thud_moving_set;

/* Puts the set at C(t-), C(t) or C(t+). scratch[parameter_count] may be NULL when the set does not move. */
THUD_API thud_error thud_moving_set_place(const thud_moving_set *moving, double t, thud_side side, double *scratch);

/* ---- composed friction laws (docs/composed-friction.md) ------------------------------------------------- */

/* Elements with friction laws -s_k in N_{C_k}(F_k), C_k a closed convex set that contains 0, whose slip velocities
 * s = A W + B u are linear in driven velocities W and internal velocities u. The internal ones are free, B'F = 0, and the
 * resistance to the driven ones is G = A'F. They are eliminated: -W in N_D(G), D = { A'F : F in C_1 x ... x C_k, B'F =
 * 0 }, and u is such that the dissipation is least (Moreau 1977). */
typedef struct thud_composition thud_composition;

/* The arrays belong to the composition and hold until its next call. */
typedef struct thud_composition_answer {
  bool admissible;        /* false: no forces of the laws resist W, which is impossible, and nothing else holds */
  double dissipation;     /* gamma(W) = min over u of sum sup { -s_k.F : F in C_k } = -W.G; INFINITY: not admissible */
  double gap;             /* difference between this and the value from below, -W.G */
  const double *force;    /* [driven] G, one of them where there are several: thud_composition_ranges */
  const double *velocity; /* [internal] u, likewise */
  const double *slip;     /* [rows] s */
  const double *forces;   /* [rows] F */
  thud_set_info info;     /* converged: the residual is at most 1e-9 */
  double residual; /* what is left of the conditions, in parts of the size of each law and of the terms of each sum */
  /* Scales of the components of G and u, in any units: [driven] the laws behind G_j, and [internal]
   * the power of the laws that u_j moves, divided by their force against it. */
  const double *force_scale, *velocity_scale;
  THUD_RESERVED(1);
} thud_composition_answer;

/* count >= 1 laws, whose dimensions add up to the number of rows; driven >= 1, internal >= 0. Takes the laws over on
 * success. A law without 0 is THUD_ERROR_ARGUMENT, unless it is a single force:
 * a load, that may leave no forces in equilibrium (THUD_ERROR_EMPTY_SET). A and B are 0 until the composition is placed. NULL may be
 * destroyed. */
THUD_API thud_error thud_composition_create(thud_context *context, thud_index driven, thud_index internal,
                                            thud_index count, thud_set *const *laws, thud_composition **composition);
THUD_API void thud_composition_destroy(thud_composition *composition);
/* Gives A[rows*driven] and B[rows*internal] (row-major; B may be NULL without internal velocities) and, unless they are
 * NULL, the parameters of the laws one after the other. On failure everything stays as it was. */
THUD_API thud_error thud_composition_place(thud_composition *composition, const double *parameters, const double *A,
                                           const double *B);
/* Force, dissipation and internal velocities for W[driven]. */
THUD_API thud_error thud_composition_solve(thud_composition *composition, const double *W,
                                           thud_composition_answer *answer);
/* After an admissible answer: between which bounds each component of G and u lies over all answers for the same W
 * (several G where -W is normal to a flat part of D, several u where the minimum of the dissipation is flat). Infinite
 * where there is no bound; NaN where it is not known: with laws that are neither polyhedral nor balls nor ellipsoids,
 * and u at rest. velocity_low and velocity_high may be NULL without internal velocities. */
THUD_API thud_error thud_composition_ranges(thud_composition *composition, double *force_low, double *force_high,
                                            double *velocity_low, double *velocity_high);

#ifdef __cplusplus
}
#endif
#endif
