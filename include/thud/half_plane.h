/* thud/half_plane.h: the elastic half-plane (plane strain) under a rigid punch with friction (docs/half-plane.md).
 *
 * Pressure p >= 0 and shear traction q on the surface displace it by u (into the solid) and v (along x),
 *
 *   (E'/2) u = -(1/pi) log|x| * p + (gamma/2) sgn * q,     (E'/2) v = -(1/pi) log|x| * q - (gamma/2) sgn * p,
 *
 * E' = E/(1 - nu^2), gamma = (1 - 2 nu)/(2 (1 - nu)), * the convolution along x. A punch with the profile g0 >= 0 (gap
 * before loading), loaded by the forces P (into the solid) and Q (along x) and kept from turning, moves by depth and
 * shift, both unknown:
 *
 *   gap = u - depth + g0 >= 0,  p >= 0,  gap p = 0,     slip = v + shift - v_old,  |q| <= F p,  q = -F p sgn(slip).
 *
 * Displacements of a half-plane are known up to constants: depth and shift belong to the logarithm of lengths in the
 * units of the mesh. Tractions are constant in each element, the laws hold in the middle of each element. */
#ifndef THUD_HALF_PLANE_H
#define THUD_HALF_PLANE_H

#include "thud/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- materials ---------------------------------------------------------------------------------------- */

/* Material of the half-plane, as its surface feels it. */
typedef struct thud_half_plane_material {
  double modulus;  /* E' > 0 */
  double coupling; /* gamma, in ]-1, 1[; Dundurs' beta for two elastic bodies */
} thud_half_plane_material;

/* E' and gamma of one elastic body, young > 0 and poisson in ]-1, 1/2]. context may be NULL (no message). */
THUD_API thud_error thud_half_plane_material_of(thud_context *context, double young, double poisson,
                                                thud_half_plane_material *material);
/* Two elastic bodies against each other, 1/E' = sum (1-nu^2)/E, coupling = Dundurs' beta, positive when the first body
 * is the softer one. context may be NULL (no message). */
THUD_API thud_error thud_half_plane_material_of_pair(thud_context *context, double young1, double poisson1,
                                                     double young2, double poisson2,
                                                     thud_half_plane_material *material);

/* ---- the surface -------------------------------------------------------------------------------------- */

typedef enum thud_half_plane_mesh {
  THUD_HALF_PLANE_UNIFORM = 0, /* equal elements: products by FFT */
  THUD_HALF_PLANE_GRADED = 1   /* edges middle - half-width cos(pi j/n): elements shrink as squares towards both ends */
} thud_half_plane_mesh;

/* Fills edges[elements+1] from left to right. Needs left < right and elements >= 1. context may be NULL (no message). */
THUD_API thud_error thud_half_plane_fill_mesh(thud_context *context, thud_half_plane_mesh mesh, thud_index elements,
                                              double left, double right, double *edges);

/* Graded meshes side by side: piece k has elements[k] >= 1 from ends[k] to ends[k+1]; edges[1 + sum of elements]. For
 * meshes that are fine where a first solution has its edges of stick. context may be NULL (no message). On failure the
 * content of edges is undefined. */
THUD_API thud_error thud_half_plane_fill_pieces(thud_context *context, size_t pieces, const double *ends,
                                                const thud_index *elements, double *edges);

/* The loaded part of the surface with its matrix, constant once made. */
typedef struct thud_half_plane thud_half_plane;

/* Most elements of a mesh that is not uniform (its matrix is dense). */
enum { THUD_HALF_PLANE_DENSE_MAX = 8192 };

/* edges[elements+1] strictly increasing, elements >= 2. period 0: one punch; otherwise everything repeats with this
 * period, which is at least the length of the mesh. THUD_ERROR_ARGUMENT, THUD_ERROR_NOT_FINITE name the entry;
 * THUD_ERROR_OVERFLOW: too many elements. */
THUD_API thud_error thud_half_plane_create(thud_context *context, const thud_half_plane_material *material,
                                           thud_index elements, const double *edges, double period,
                                           thud_half_plane **plane);
/* NULL is allowed. */
THUD_API void thud_half_plane_destroy(thud_half_plane *plane);
/* True if all elements are equal, so that products take O(n log n). */
THUD_API bool thud_half_plane_is_uniform(const thud_half_plane *plane);
/* Middle of an element; NaN outside the range. */
THUD_API double thud_half_plane_middle(const thud_half_plane *plane, thud_index element);
/* u[elements] and v[elements] in the middles for the tractions p[elements], q[elements] (v, q: see above). By FFT on
 * uniform meshes. Not by two threads at once. */
THUD_API thud_error thud_half_plane_displace(thud_half_plane *plane, const double *p, const double *q, double *u,
                                             double *v);

/* Stress (tension positive) and displacement at a point inside; y is the depth, u_y points into the solid. Displacements are
 * those of one elastic body with the material of the plane, against the surface at the distance of the datum. */
typedef struct thud_half_plane_inside {
  double s_xx, s_yy, s_xy, u_x, u_y;
} thud_half_plane_inside;

/* At the points[2*count] (x and depth > 0) under the tractions p[elements], q[elements]; datum > 0: as in thud_punch_drive.
 * THUD_ERROR_UNSUPPORTED: with a period. */
THUD_API thud_error thud_half_plane_get_inside(const thud_half_plane *plane, const double *p, const double *q,
                                               double datum, size_t count, const double *points,
                                               thud_half_plane_inside *inside);

/* ---- the punch ---------------------------------------------------------------------------------------- */

typedef enum thud_punch_shape {
  THUD_PUNCH_FLAT = 0,
  THUD_PUNCH_WEDGE = 1,    /* slope |x - centre| */
  THUD_PUNCH_PARABOLA = 2, /* (x - centre)^2 / (2 radius) */
  THUD_PUNCH_WAVE = 3,     /* amplitude (1 - cos(2 pi (x - centre)/wavelength)) */
  THUD_PUNCH_TABLE = 4     /* straight lines between the points of a table */
} thud_punch_shape;

typedef struct thud_punch_profile {
  thud_punch_shape shape;
  double centre;
  double size;       /* slope, radius or amplitude, > 0 */
  double wavelength; /* of a wave, > 0 */
  size_t points;     /* of a table, at least 2 */
  const double *x;   /* [points] strictly increasing, covering the middles that are asked for; borrowed */
  const double *gap; /* [points] height above the surface before loading; borrowed */
  THUD_RESERVED(4);
} thud_punch_profile;

/* gap[count] of the profile at x[count]. context may be NULL (no message). */
THUD_API thud_error thud_punch_profile_evaluate(thud_context *context, const thud_punch_profile *profile, size_t count,
                                                const double *x, double *gap);

/* State of an element. */
typedef enum thud_punch_state {
  THUD_PUNCH_BACKWARD = -1, /* slips with q = -F p, slip >= 0 */
  THUD_PUNCH_STICK = 0,
  THUD_PUNCH_FORWARD = 1, /* slips with q = F p, slip <= 0 */
  THUD_PUNCH_OPEN = 2
} thud_punch_state;

typedef enum thud_punch_status {
  THUD_PUNCH_SOLVED = 0,
  THUD_PUNCH_NO_EQUILIBRIUM = 1, /* |Q| > F P: the punch slides away under any tractions; nothing has changed */
  THUD_PUNCH_NOT_CONVERGED = 2,  /* the states went on changing; the numbers are those of the last sweep */
  THUD_PUNCH_LIFTED = 3          /* nothing touches: P = 0, or a given depth above the surface */
} thud_punch_status;
/* "solved", "no-equilibrium", "not-converged", "lifted"; "unknown" for others */
THUD_API const char *thud_punch_status_name(thud_punch_status status);

typedef struct thud_punch_options {
  size_t size;
  double friction;     /* F >= 0 */
  double tolerance;    /* violations up to this part of the largest displacement or force count as none */
  int sweeps;          /* most linear systems of one load */
  int dense_elements;  /* uniform meshes with more elements in contact are solved by iteration with FFT */
  double linear_error; /* relative residual of that iteration */
} thud_punch_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_punch_option_table(void);
THUD_OPTIONS_DEFAULT(thud_punch_options, thud_punch_option_table)

/* An interval; left > right: empty, both NaN. */
typedef struct thud_punch_zone {
  double left, right;
} thud_punch_zone;

/* The answer to one load; the arrays [elements] belong to the punch and change with the next load. */
typedef struct thud_punch_result {
  thud_punch_status status;
  int sweeps;                            /* linear systems that were solved */
  double normal, tangential;             /* P, Q */
  double depth, shift;                   /* shift with every element slipping: the last one before sliding */
  const double *pressure;                /* p */
  const double *traction;                /* q */
  const double *gap;                     /* 0 in contact */
  const double *displacement;            /* v + shift: of the surface relative to the punch */
  const double *slip;                    /* displacement minus that of the last accepted load (or 0) */
  const signed char *state;              /* of thud_punch_state */
  thud_punch_zone contact;               /* outermost edges, interpolated within elements */
  thud_punch_zone stick;                 /* the longest interval that sticks, edges interpolated within elements */
  thud_index contact_zones, stick_zones; /* how many intervals */
  double law_error;                      /* largest violation left, relative (contact and friction laws) */
  double force_error;                    /* |sum of tractions - (P, Q)| / P, of the given forces */
  double tilt, moment;                   /* of the punch, and of the pressure about the pivot */
  THUD_RESERVED(2);
} thud_punch_result;

typedef struct thud_punch thud_punch;

/* gap[elements] is the profile in the middles of the elements (finite, copied); the plane is borrowed; options may be
 * NULL (defaults). */
THUD_API thud_error thud_punch_create(thud_half_plane *plane, const double *gap, const thud_punch_options *options,
                                      thud_punch **punch);
/* NULL is allowed. */
THUD_API void thud_punch_destroy(thud_punch *punch);
/* Equilibrium under P > 0 and Q, with friction on the displacement since the last accepted load: on a new punch that is
 * the static law, loads in steps give the incremental one. guess[elements] of thud_punch_state may be NULL: the contact
 * without friction, sticking. THUD_ERROR_ARGUMENT, THUD_ERROR_NOT_FINITE: the load or the guess. */
THUD_API thud_error thud_punch_load(thud_punch *punch, double normal, double tangential, const signed char *guess,
                                    thud_punch_result *result);
/* Drive of the punch: in each direction a force or a displacement. The gap grows by tilt (x - pivot); the moment of
 * the pressure is the integral of p (x - pivot). Depth and shift are counted with log|x/datum|: against the surface at
 * that distance. */
typedef struct thud_punch_drive {
  bool depth_given;  /* normal is the depth, else P */
  bool shift_given;  /* tangential is the shift, else Q */
  bool moment_given; /* rotation is the moment, else the tilt; needs P */
  double normal, tangential, rotation;
  double pivot;
  double datum; /* 0: one unit of length; with a given depth or shift more than half the half-width of the mesh, so that
                   a deeper punch presses harder */
  THUD_RESERVED(4);
} thud_punch_drive;

/* As thud_punch_load for any drive. P < 0, |Q| > F P and a moment that no pressure has: no-equilibrium; P = 0 or a
 * given depth above the surface: lifted. guess may be NULL. */
THUD_API thud_error thud_punch_move(thud_punch *punch, const thud_punch_drive *drive, const signed char *guess,
                                    thud_punch_result *result);
/* Makes the solution the old displacement of the next load. Without this call loads are static. */
THUD_API thud_error thud_punch_accept(thud_punch *punch);
/* The displacement that slip is counted from: old[elements], or NULL: 0. */
THUD_API thud_error thud_punch_set_reference(thud_punch *punch, const double *old);

/* Solutions of one load that a search from many starts comes upon. Whether a load of the continuum has several is open; of a mesh
 * what is found is what there is at least. */
enum { THUD_PUNCH_MOST_SOLUTIONS = 16 };
typedef struct thud_punch_solution {
  size_t starts; /* that led to it */
  double normal, tangential, depth, shift;
  thud_punch_zone contact, stick;
  THUD_RESERVED(4);
} thud_punch_solution;
typedef struct thud_punch_solutions {
  size_t count, starts, failed; /* distinct solutions; starts in all; starts from which nothing came */
  bool cut;                     /* there were more than THUD_PUNCH_MOST_SOLUTIONS */
  thud_punch_solution items[THUD_PUNCH_MOST_SOLUTIONS]; /* [count] in the order in which they were found */
  THUD_RESERVED(4);
} thud_punch_solutions;
/* From first[elements] (of thud_punch_state; NULL: the usual start) and from as many other states as `starts` says, drawn by a
 * generator with a fixed seed. Solutions whose tractions differ by less than 1e-6 of P are one. The punch is left with the
 * solution from `first`, if that is given. */
THUD_API thud_error thud_punch_find_solutions(thud_punch *punch, const thud_punch_drive *drive,
                                              const signed char *first, size_t starts, thud_punch_solutions *solutions);

/* p ~ coefficient d^exponent at the distance d from an end of the contact. */
typedef struct thud_punch_edge {
  double exponent, coefficient;
  double misfit;       /* root mean square of the logarithm */
  thud_index elements; /* that were used */
  THUD_RESERVED(2);
} thud_punch_edge;

/* Fits log p = log coefficient + exponent log d + c d to the elements within `part` of the contact's length (0 < part
 * <= 1/2) from its left (side < 0) or right end, without the four nearest. THUD_ERROR_NOT_FOUND: fewer than 4 elements,
 * or no load has been solved. */
THUD_API thud_error thud_punch_fit_edge(thud_punch *punch, int side, double part, thud_punch_edge *edge);

/* How the pressure behaves at an end of the contact, by theory. With al = atan(coupling F)/pi, s the sign of q in the
 * elements that slip there and side -1 (left) or 1: p ~ coefficient d^exponent with
 *   exponent = s side al - 1/2 at an end of the punch, s side al + 1/2 where the contact ends freely.
 * Where the elements stick up to the end: p + iq ~ C d^(-1/2 - i side oscillation) (1/2 where it ends freely) with
 * oscillation = ln((1 + coupling)/(1 - coupling))/(2 pi), coefficient = |C|. */
typedef struct thud_punch_edge_law {
  double exponent, oscillation;
  double coefficient, error; /* fitted to the elements with the state of the last one; NaN: they are too few */
  thud_index elements;       /* with that state, one after the other from the end on */
  thud_index used;           /* of them by the fit */
  signed char state;         /* of them: thud_punch_state */
  bool sharp;                /* an end of the punch */
  THUD_RESERVED(4);
} thud_punch_edge_law;
/* side: -1 or 1, otherwise THUD_ERROR_ARGUMENT. THUD_ERROR_NOT_FOUND: no load has been solved, nothing touches, or the
 * contact has no end (everything touches in every period). */
THUD_API thud_error thud_punch_get_edge_law(thud_punch *punch, int side, thud_punch_edge_law *law);

/* ---- motions: one load after the other ------------------------------------------------------------------------ */

typedef enum thud_punch_method {
  THUD_PUNCH_FRICTIONLESS = 0, /* each load by itself; goes with friction 0 */
  THUD_PUNCH_STATIC = 1,       /* friction on the displacement itself, each load by itself: loads that grew together */
  THUD_PUNCH_INCREMENTAL = 2,  /* friction on the displacement since the load before */
  THUD_PUNCH_ROLLING = 3       /* as that, while the surface passes through the contact, `roll` elements per step */
} thud_punch_method;

/* State of the contact as a whole. */
typedef enum thud_punch_regime {
  THUD_PUNCH_REGIME_LIFTED = 0,
  THUD_PUNCH_REGIME_STICKS = 1,
  THUD_PUNCH_REGIME_PARTIAL = 2, /* some elements stick, others slip */
  THUD_PUNCH_REGIME_SLIDES = 3
} thud_punch_regime;

typedef struct thud_punch_problem {
  thud_punch *punch;   /* borrowed; its reference is overwritten (thud_punch_set_reference) */
  const double *edges; /* [elements+1] those of its half-plane; borrowed */
  thud_punch_method method;
  thud_index roll;        /* rolling: elements per step, not 0, negative: to the left; needs equal elements */
  double start, end;      /* start <= end */
  thud_index steps;       /* >= 1, all of one length; the loads are those at their ends: steps + 1 of them */
  thud_punch_drive given; /* what is given in each direction, pivot and datum */
  /* Writes normal, tangential and rotation at t into the drive, which is a copy of `given`. 0: good; others: give up. */
  int (*drive)(void *user, double t, thud_punch_drive *drive);
  void *user;
  THUD_RESERVED(4);
} thud_punch_problem;

/* Energies since the start, incremental loads only (otherwise 0): stored = work - friction - normal - defect. */
typedef struct thud_punch_ledger {
  double stored;   /* elastic energy */
  double work;     /* of the forces and the moment on the punch */
  double friction; /* lost in slip */
  double normal;   /* lost where elements come into contact or leave it */
  double defect;   /* of meshes with different elements; rounding for equal ones */
} thud_punch_ledger;

/* The answer to one load. Arrays [elements] are borrowed until the next step. */
typedef struct thud_punch_frame {
  double t;
  thud_punch_regime regime;
  double load[3];                 /* P, Q, moment */
  double motion[3];               /* depth, shift, tilt */
  thud_punch_zone contact, stick; /* the longest stick zone; an empty zone is one point */
  thud_punch_ledger ledger;
  double creep; /* rolling: shift per rolled distance in the last step */
  const double *pressure, *traction, *gap, *displacement, *slip; /* as in thud_punch_result */
  const signed char *state;
} thud_punch_frame;

/* The regime changed; handed out before the frame of the load that changed it. */
typedef struct thud_punch_event {
  double t;
  thud_punch_regime regime, before;
} thud_punch_event;

typedef struct thud_punch_motion_info {
  thud_motion_status status;
  double time;             /* of the last load */
  size_t loads;            /* that were solved; 0: there is no frame yet */
  size_t systems;          /* linear ones */
  double law_error;        /* the largest so far */
  double largest_pressure; /* likewise */
  THUD_RESERVED(8);
} thud_punch_motion_info;

/* A motion of the family "punch" (thud/motion.h), whose steps solve one load each. The problem is copied. FAILED: no
 * equilibrium. */
THUD_API thud_error thud_punch_motion_create(thud_context *context, const thud_punch_problem *problem,
                                             thud_motion **motion);
/* The last load, and the findings so far. */
THUD_API thud_punch_frame thud_punch_motion_present(const thud_motion *motion);
THUD_API thud_punch_motion_info thud_punch_motion_get_info(const thud_motion *motion);

#ifdef __cplusplus
}
#endif
#endif
