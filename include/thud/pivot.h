/* thud/pivot.h: exact finite methods on polyhedra: projections by active sets, qualification, LCP by Lemke and by
 * enumeration. "Finite" means: in exact arithmetic the answer is reached in finitely many steps; in floating point the
 * info says how well its optimality conditions hold. */
#ifndef THUD_PIVOT_H
#define THUD_PIVOT_H

#include "thud/linalg.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Qualification of a finite set of gradients a_1..a_m (Mangasarian-Fromovitz). */
typedef enum thud_qualification {
  THUD_QUALIFIED = 0,      /* linearly independent */
  THUD_RANK_DEFICIENT = 1, /* dependent, yet some v has all a_i.v < 0: multipliers not unique, the projection is */
  THUD_UNQUALIFIED = 2     /* positively dependent: sum l_i a_i = 0 with l >= 0, l != 0 */
} thud_qualification;

typedef struct thud_qualification_info {
  thud_qualification qualification;
  thud_index rank; /* numerical rank of the rows, each scaled to norm 1 in the dual metric */
  double margin;   /* max over |v| <= 1 of min_i -a_i.v (rows scaled to norm 1), the distance of their convex hull from
                      0; UNQUALIFIED iff <= tolerance; INFINITY without rows */
  THUD_RESERVED(4);
} thud_qualification_info;

/* Rows a_i of A (row-major m x n). metric may be NULL (Euclidean). When not NULL, certificate[m] receives l >= 0 with
 * sum l_i = 1 and sum l_i a_i/|a_i| = 0 (to rounding) for an UNQUALIFIED set (the constraints to name are those with
 * l_i > 0; weights below the tolerance are left out), and zeros otherwise. Zero rows are unqualified by themselves.
 * tolerance in ]0, 1[ is relative (1e-10 is usual). THUD_ERROR_NOT_CONVERGED when the margin could not be found. */
THUD_API thud_error thud_qualification_test(thud_context *context, const thud_metric *metric, thud_index m,
                                            thud_index n, const double *A, double tolerance,
                                            thud_qualification_info *info, double *certificate);

typedef enum thud_pivot_status {
  THUD_PIVOT_SOLVED = 0,
  THUD_PIVOT_INFEASIBLE = 1, /* certificate in the multipliers: l >= 0 on inequalities, A'l = 0, l.b < 0 */
  THUD_PIVOT_LIMIT = 2,      /* iteration limit: best point so far */
  THUD_PIVOT_RAY = 3         /* Lemke ended on a ray */
} thud_pivot_status;

typedef struct thud_pivot_info {
  thud_pivot_status status;
  thud_index iterations;
  thud_index active;       /* constraints with a positive multiplier, equalities included */
  double primal_violation; /* max_i (a_i.y - b_i)+ / |a_i| (|a_i| in the dual metric: a distance) */
  double dual_violation;   /* max_i (-l_i)+ |a_i| over inequalities */
  double complementarity;  /* max_i |l_i (a_i.y - b_i)| */
  double stationarity;     /* |M(y - x) + A'l| in the dual metric */
  THUD_RESERVED(4);
} thud_pivot_info;

/* A reusable solver for: minimise 1/2 |y - x|^2_M over { a_i.y = b_i (i < equalities), a_i.y <= b_i (others) }.
 * Goldfarb and Idnani's dual active set method (Math. Prog. 27, 1983) on M = LL': starts at the unconstrained
 * minimum x, needs no feasible point, copes with dependent gradients, and proves infeasibility.
 * The workspace (m_max n + min(n, m_max) n numbers) is allocated by create for up to m_max >= 0 rows: project allocates
 * nothing. Rescaling a row changes nothing but its multiplier. */
typedef struct thud_polyhedron_projector thud_polyhedron_projector;

/* A projector in R^n for up to m_max rows; destroy(NULL) is allowed. */
THUD_API thud_error thud_polyhedron_projector_create(thud_context *context, thud_index n, thud_index m_max,
                                                     thud_polyhedron_projector **projector);
THUD_API void thud_polyhedron_projector_destroy(thud_polyhedron_projector *projector);
/* A row-major m x n, b[m], x[n] -> y[n] and, when not NULL, multipliers[m] with M(x - y) = A' multipliers.
 * y may alias x; metric (Euclidean) and info may be NULL. Violations are removed down to rounding where the active
 * gradients allow it; status
 * is SOLVED when none is left above tolerance * max(1, |b_i|/|a_i|, |x|) (tolerance in [0, 1[; 0 asks for rounding),
 * LIMIT otherwise. A violation within that bound whose gradient is within 1e-5 of the span of the active ones is left.
 * An empty polyhedron is not an error: status INFEASIBLE, y = x, and the multipliers are the Farkas certificate scaled
 * to max |l_i| |a_i| = 1, info.stationarity its |A'l|. It is believed only when it excludes, beyond rounding, every
 * point within 1000 data lengths max(|x|, |b_i|/|a_i|) of x. A zero row says 0 <= b_i (or 0 = b_i), exactly; when that
 * is false it is the certificate, with l_i = +-1. */
THUD_API thud_error thud_polyhedron_project(thud_polyhedron_projector *projector, const thud_metric *metric,
                                            thud_index m, thud_index equalities, const double *A, const double *b,
                                            const double *x, double tolerance, double *y, double *multipliers,
                                            thud_pivot_info *info);

/* Moreau's two cones: V = { v : a_i.v <= 0 }, N = { sum l_i M^-1 a_i, l >= 0 }, polar to each other in the metric.
 * v = v_V + v_N with v_V = proj_V v, v_N = proj_N v, orthogonal in the metric; v_N = M^-1 A' multipliers.
 * Any of metric (Euclidean), v_V, v_N, multipliers, info may be NULL. */
THUD_API thud_error thud_two_cones(thud_polyhedron_projector *projector, const thud_metric *metric, thud_index m,
                                   const double *A, const double *v, double tolerance, double *v_V, double *v_N,
                                   double *multipliers, thud_pivot_info *info);

/* Projection onto the cone generated by the rows g_i of G (row-major k x n): y = sum l_i g_i, l >= 0.
 * Non-negative least squares by active set (the two cones in Euclidean coordinates); k >= 0; y may alias x;
 * metric (Euclidean), coefficients[k] and info may be NULL. info.primal_violation is max_i (g_i, x - y)_M+ / |g_i|. */
THUD_API thud_error thud_generated_cone_project(thud_context *context, const thud_metric *metric, thud_index k,
                                                thud_index n, const double *G, const double *x, double tolerance,
                                                double *y, double *coefficients, thud_pivot_info *info);

/* LCP: w = M z + q, 0 <= z perp w >= 0; M dense column-major n x n. Lemke's method, ties of the ratio test broken
 * lexicographically, after equilibration of rows and columns. status SOLVED: z_i = 0 or w_i = 0 hold exactly and
 * info.stationarity is max |w - Mz - q|; RAY: no solution was found (there is none for copositive-plus M, for instance
 * positive semidefinite M); LIMIT: max_pivots (>= 1; ends are usually reached within a few n) or a final basis too
 * ill-conditioned. Without a solution z is the last vertex and w = Mz + q may be negative. In info primal_violation is
 * max (-w_i)+, active counts z_i > 0. info may be NULL. */
THUD_API thud_error thud_lcp_lemke(thud_context *context, thud_index n, const double *M, const double *q,
                                   thud_index max_pivots, double *z, double *w, thud_pivot_info *info);

/* The same with memory that is kept: create makes room for up to `capacity` unknowns (about 5 capacity^2 numbers),
 * solve allocates nothing. */
typedef struct thud_lemke thud_lemke;
typedef int (*thud_lemke_stop_fn)(void *user);
typedef struct thud_lemke_task {
  thud_index n;            /* 1..capacity */
  const double *M, *q;     /* [n*n] column-major, [n] */
  thud_index max_pivots;   /* >= 1 */
  thud_lemke_stop_fn stop; /* NULL, or asked before every pivot: anything but 0 ends with status LIMIT */
  void *stop_user;
} thud_lemke_task;

/* Room for problems of up to `capacity` (>= 1) unknowns; destroy(NULL) is allowed. */
THUD_API thud_error thud_lemke_create(thud_context *context, thud_index capacity, thud_lemke **lemke);
THUD_API void thud_lemke_destroy(thud_lemke *lemke);
/* ray[n] (may be NULL): after status RAY the direction y >= 0, max y_i = 1, in which z goes without end along the last
 * ray, zeros otherwise. Where M'y <= 0 and q.y < 0 hold for it (they do for copositive-plus M), y proves that no z >= 0
 * has Mz + q >= 0: 0 <= y.(Mz + q) = (M'y).z + q.y < 0 would follow. */
THUD_API thud_error thud_lemke_solve(thud_lemke *lemke, const thud_lemke_task *task, double *z, double *w, double *ray,
                                     thud_pivot_info *info);

/* Every solution of the LCP, by the 2^n complementary bases (n <= 20, otherwise THUD_ERROR_UNSUPPORTED). Calls
 * found(user, z, w, unique) for each basis that gives a solution, without repeats (to `tolerance` in ]0, 1[, relative);
 * unique is false when the point is one of a continuum: a singular basis gives the point of least norm (in equilibrated
 * units) of its whole polyhedron of solutions, and regular bases may give other points of it. found returns non-zero to
 * stop, and may be NULL to count only. *count (may be NULL) receives the number of calls.
 * THUD_ERROR_NOT_CONVERGED when a singular basis is undecided at this tolerance. */
typedef int (*thud_lcp_found_fn)(void *user, const double *z, const double *w, bool unique);
THUD_API thud_error thud_lcp_enumerate(thud_context *context, thud_index n, const double *M, const double *q,
                                       double tolerance, thud_lcp_found_fn found, void *user, size_t *count);
/* The same; stop is asked before every basis; stop, found and count may be NULL. */
THUD_API thud_error thud_lcp_enumerate_until(thud_context *context, thud_index n, const double *M, const double *q,
                                             double tolerance, const thud_stop *stop, thud_lcp_found_fn found,
                                             void *user, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
