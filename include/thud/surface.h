/* thud/surface.h: membranes and plates over obstacles with dry friction in their plane, loaded slowly. Layer: motions.
 *
 * On a plane domain, transverse displacement v over an obstacle psi:
 *   membrane  -T laplace v = g + s,     plate  D laplace^2 v = g + s
 *   v >= psi,  s >= 0,  s (v - psi) = 0
 * In-plane displacement u = (u_x, u_y) of plane stress with friction under the reaction s:
 *   div sigma(u) + f + r = 0,  |r| <= mu s,  r opposite to the rate of u where it slips
 * Membranes and u are piecewise linear on the triangles (P1), plates are Morley's: quadratic with the displacement at the
 * nodes and the normal slope at the midpoints of the edges. The obstacle acts on the nodes, and so do loads, s and r, as
 * forces. */
#ifndef THUD_SURFACE_H
#define THUD_SURFACE_H

#include "thud/elastic.h"
#include "thud/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a surface -------------------------------------------------------------------------------------------------------- */

typedef enum thud_surface_kind { THUD_SURFACE_MEMBRANE = 0, THUD_SURFACE_PLATE = 1 } thud_surface_kind;

/* Support of a group of edges. */
typedef enum thud_support {
  THUD_SUPPORT_FREE = 0,
  THUD_SUPPORT_HELD = 1,   /* v is given (a plate is simply supported there) */
  THUD_SUPPORT_CLAMPED = 2 /* v is given, and the normal slope of a plate is 0 */
} thud_support;

typedef enum thud_surface_method {
  THUD_SURFACE_AUTO = 0,       /* multigrid for membranes on large rectangles that can be coarsened */
  THUD_SURFACE_ACTIVE_SET = 1, /* exact: exchanges of sets with sparse Cholesky factors, any mesh */
  THUD_SURFACE_MULTIGRID = 2   /* membranes on rectangles: truncated multigrid with nested iteration */
} thud_surface_method;

typedef struct thud_surface_definition {
  thud_surface_kind kind;
  const thud_mesh *mesh;        /* borrowed: it must outlive the surface */
  double stiffness;             /* > 0: T of a membrane (force per length), D of a plate (force times length) */
  double plate_poisson;         /* of a plate, from 0 to 0.5: matters at free and held edges only */
  double stretch;               /* E times thickness (force per length); 0: no displacement in the plane */
  double poisson;               /* in the plane, from 0 to 0.5 */
  const thud_support *supports; /* [groups of the mesh] of v */
  const thud_support *in_plane; /* [groups] of u: free or held; NULL: all free */
  thud_surface_method method;
} thud_surface_definition;

typedef struct thud_surface thud_surface;

/* At least three nodes that are not on one line (membranes: one node) must be held or an edge clamped, and likewise in the
 * plane two nodes: otherwise THUD_ERROR_NOT_SPD. A surface has workspaces: one caller at a time. destroy(NULL) is allowed.
 */
THUD_API thud_error thud_surface_create(thud_context *context, const thud_surface_definition *definition,
                                        thud_surface **surface);
THUD_API void thud_surface_destroy(thud_surface *surface);
/* Nodes n; transverse freedoms: n, for plates followed by the normal slope of each edge (in the order of their ends, lower
 * first; the normal is the direction from the lower end to the higher one, turned clockwise). */
THUD_API thud_index thud_surface_nodes(const thud_surface *surface);
THUD_API thud_index thud_surface_freedoms(const thud_surface *surface);
/* [n] a third of the triangles around each node. */
THUD_API const double *thud_surface_areas(const thud_surface *surface);
/* True if v, or u, of a node is given. */
THUD_API bool thud_surface_is_held(const thud_surface *surface, bool in_plane, thud_index node);
/* Adds a density that is linear on each triangle, density[n] at the nodes, to forces[n]. */
THUD_API thud_error thud_surface_add_density(const thud_surface *surface, const double *density, double *forces);
/* The elastic energy of v[freedoms]. */
THUD_API double thud_surface_energy(thud_surface *surface, const double *v);
/* True if the obstacle problem is solved by multigrid. */
THUD_API bool thud_surface_uses_multigrid(const thud_surface *surface);

/* Reaction s[n] as a measure. density[n]: force per area. A node whose neighbours carry no force is an atom (a contact
 * point). The rim is the line force along the edge of the contact zones, which plates have, and membranes where the
 * obstacle has a kink there: plates by the balance of force and moment across the rim (error of order 2 in the cell),
 * membranes by what the nodes at the edge carry beyond the density inside. Sums of forces. */
typedef struct thud_surface_measure {
  double total, atoms, rim, inside; /* total = atoms + rim + inside */
  double area;                      /* of the loaded nodes */
  thud_index loaded, atom_count;
  double rim_error; /* estimate; NaN: the contact is too narrow for the mesh to tell rim and inside apart, and all of it
                       is in rim */
  THUD_RESERVED(3);
} thud_surface_measure;
THUD_API thud_error thud_surface_get_measure(const thud_surface *surface, const double *s, double *density,
                                             thud_surface_measure *measure);

/* ---- one problem ------------------------------------------------------------------------------------------------------ */

typedef struct thud_surface_info {
  bool solved;
  int iterations;    /* factorizations, or cycles on the finest mesh */
  int single;        /* of them with one exchange only */
  thud_index active; /* nodes in contact; nodes that stick (with a bound > 0) */
  double residual;   /* largest force out of balance, relative to the largest terms of the balance */
  double work;       /* visits of unknowns by sweeps of multigrid, per unknown */
  THUD_RESERVED(4);
} thud_surface_info;

/* The obstacle problem: v[freedoms] and s[n] from forces[n], psi[n] (-INFINITY: no obstacle there) and the values held[n]
 * of held nodes (others are not read), which must not lie below the obstacle (THUD_ERROR_ARGUMENT). s_before[n] (NULL:
 * none): nodes with s_before > 0 are the first guess. info may be NULL. s is 0 at held nodes. */
THUD_API thud_error thud_surface_solve_obstacle(thud_surface *surface, const double *forces, const double *psi,
                                                const double *held, const double *s_before, double *v, double *s,
                                                thud_surface_info *info);
/* One step of friction: u[2n] = argmin of the energy - forces.u + sum bound_j |u_j - before_j| with the held values
 * held[2n]; r[2n] the friction forces, |r_j| <= bound_j[n], 0 at held nodes. info may be NULL. THUD_ERROR_ARGUMENT when
 * the surface has no stretch. */
THUD_API thud_error thud_surface_solve_friction(thud_surface *surface, const double *forces, const double *bound,
                                                const double *held, const double *before, double *u, double *r,
                                                thud_surface_info *info);

/* ---- motions: catching-up ----------------------------------------------------------------------------------------------- */

/* Data at one time; the arrays belong to the motion. On entry everything is 0 and psi -INFINITY. */
typedef struct thud_surface_data {
  double *transverse; /* [n] forces */
  double *psi;        /* [n] */
  double *held;       /* [n] v of held nodes */
  double *in_plane;   /* [2n] forces, as the next only with stretch > 0 */
  double *in_held;    /* [2n] u of held nodes */
} thud_surface_data;

typedef struct thud_surface_problem {
  thud_surface *surface;                                                      /* borrowed */
  double friction;                                                            /* mu >= 0 */
  int (*data)(void *user, double t, thud_side side, thud_surface_data *data); /* 0: good; others: give up */
  void *user;
  size_t jump_count;
  const double *jumps; /* [jump_count] strictly increasing times at which the sides may differ; borrowed */
} thud_surface_problem;

/* A motion of the family "surface" (thud/motion.h), as those of lines (thud_line_motion_create). u begins with 0. Frames
 * are thud_elastic_frame. */
THUD_API thud_error thud_surface_motion_create(thud_context *context, const thud_surface_problem *problem,
                                               const thud_partition *partition, thud_motion **motion);
/* The present state, and the findings so far. */
THUD_API thud_elastic_frame thud_surface_motion_present(const thud_motion *motion);
THUD_API thud_elastic_motion_info thud_surface_motion_get_info(const thud_motion *motion);

#ifdef __cplusplus
}
#endif
#endif
