/* thud/elastic.h: elastic continua on obstacles with dry friction, loaded slowly. Layer: motions.
 *
 * Strings and beams ("lines") on x_0 < ... < x_{n-1}. Transverse displacement v over an obstacle psi:
 *   string  T v'' + g + s = 0,    beam (simply supported)  l v'''' - g - s = 0
 *   v >= psi,  s >= 0,  s (v - psi) = 0
 * Longitudinal displacement u with friction under the reaction s:
 *   k u'' + f + r = 0,  |r| <= mu s,  r opposite to the rate of u where it slips
 * The loads g, f and the reactions s, r are measures: densities and point forces. Strings and longitudinal displacements
 * are piecewise linear, beams piecewise cubic (Hermite); the obstacle acts on the nodes, and so do s and r, as forces.
 * In one dimension the displacements at the nodes are those of the continuum under the nodal reactions.
 * (P. Ballard: friction of strings and beams, catching-up in the energy norm.) */
#ifndef THUD_ELASTIC_H
#define THUD_ELASTIC_H

#include "thud/sim.h"
#include "thud/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a line, its loads and measures --------------------------------------------------------------------------------- */

typedef enum thud_line_kind { THUD_LINE_STRING = 0, THUD_LINE_BEAM = 1 } thud_line_kind;

typedef struct thud_line_definition {
  thud_line_kind kind;
  thud_index nodes; /* n >= 2 */
  const double *x;  /* [n] strictly increasing (length) */
  double stiffness; /* > 0: T of a string (force), l of a beam (force length^2) */
  double extension; /* > 0: k (force) */
} thud_line_definition;

typedef struct thud_line thud_line;

/* The definition is copied. A line has workspaces: one caller at a time. destroy(NULL) is allowed. */
THUD_API thud_error thud_line_create(thud_context *context, const thud_line_definition *definition, thud_line **line);
THUD_API void thud_line_destroy(thud_line *line);

/* Arrays of nodal forces and displacements have `freedoms` numbers: n in the longitudinal direction and for strings;
 * transversely for beams 2 n: force (displacement) and moment (slope) of node 0, then of node 1, ... */
typedef enum thud_line_direction { THUD_LINE_TRANSVERSE = 0, THUD_LINE_LONGITUDINAL = 1 } thud_line_direction;
THUD_API thud_index thud_line_freedoms(const thud_line *line, thud_line_direction direction);
/* Adds a point force at any x of the line to the nodal forces[freedoms], shared out by the shape functions. */
THUD_API thud_error thud_line_add_atom(const thud_line *line, thud_line_direction direction, double x, double force,
                                       double *forces);
/* The same for a density on [from, to], linear between its values at both ends; what lies beyond the line is dropped. */
THUD_API thud_error thud_line_add_density(const thud_line *line, thud_line_direction direction, double from, double to,
                                          double density_from, double density_to, double *forces);
/* H1 seminorm of the difference of two piecewise linear functions: sqrt(integral of (a' - b')^2). b may be NULL: 0. */
THUD_API double thud_line_distance(const thud_line *line, const double *a, const double *b);

typedef struct thud_line_atom {
  double x, force;
} thud_line_atom;

/* Nodal forces s[n] as a measure: density[n] (force per length at the nodes; 0 where none) and atoms[n] (room for n, in
 * order), *atom_count of them. Loaded neighbours, at least 3 of a string or 11 of a beam, are a zone of contact; fewer are
 * one atom at their centroid.
 *   Inside a zone a node with more than four times the median force per length of the nodes around it has an atom: a force
 * that does not shrink with its cell. The excess of the nodes beside it (1, of a beam 5) belongs to it.
 *   At both ends of a beam's zone, density rho, the force F and the moment M about b of the nodes beyond a place b a little
 * inside are those of an atom A at c and the density from c to b: A^2 = F^2 - 2 rho M, |b - c| = (F - A)/rho. Contact points
 * so near outside that only the mesh separates them from the zone belong to it: 2 (2 h + (24 F h^2/rho)^(1/3)), h the
 * cell. An atom of less than 4 rho h is none. */
THUD_API thud_error thud_line_measure(thud_line *line, const double *s, double *density, thud_line_atom *atoms,
                                      size_t *atom_count);

/* Where a field w[n] along the line jumps, such as the velocity under a moving load: the cells around the steepest one that
 * have at least half of its slope, when they carry half of the range of w, and more than 1e-9 of its largest value, on a tenth
 * of the line or less. *x: the centroid of the change, *size: the change. False: there is no such place. Catching-up spreads a
 * jump of the velocity over the way of the load during a step. */
THUD_API bool thud_line_find_front(const thud_line *line, const double *w, double *x, double *size);

/* ---- one problem ------------------------------------------------------------------------------------------------------ */

/* How an exact active set ended: a finite method, whose answer satisfies all conditions up to rounding. */
typedef struct thud_line_info {
  bool solved;       /* false: not within the bound of iterations; the last iterate is handed out */
  int solves;        /* banded systems */
  int descents;      /* of them one by one, after exchanges of whole sets did not settle */
  thud_index active; /* nodes in contact; nodes that stick (with a bound > 0) */
  THUD_RESERVED(4);
} thud_line_info;

/* The obstacle problem: v[freedoms] and s[n] from forces[freedoms], psi[n] (-INFINITY: no obstacle there) and the end
 * values v_left, v_right, which must not lie below the obstacle (THUD_ERROR_ARGUMENT). s is 0 at the ends. info may be
 * NULL. */
THUD_API thud_error thud_line_solve_obstacle(thud_line *line, const double *forces, const double *psi,
                                             const double ends[2], double *v, double *s, thud_line_info *info);
/* One step of friction: u = argmin of integral k u'^2/2 - forces.u + sum bound_j |u_j - before_j| over functions with the
 * end values ends[2]; r[n] the friction forces, |r| <= bound, at the ends 0. bound[n] >= 0 (those of the ends are not
 * read), usually mu s. info may be NULL. */
THUD_API thud_error thud_line_solve_friction(thud_line *line, const double *forces, const double *bound,
                                             const double ends[2], const double *before, double *u, double *r,
                                             thud_line_info *info);

/* ---- motions: catching-up ----------------------------------------------------------------------------------------------- */

/* Data at one time; the arrays belong to the motion. On entry forces and ends are 0 and psi is -INFINITY. */
typedef struct thud_line_data {
  double v_ends[2], u_ends[2];
  double *transverse;   /* [freedoms] g, for thud_line_add_atom and thud_line_add_density */
  double *longitudinal; /* [n] f */
  double *psi;          /* [n] */
} thud_line_data;

typedef struct thud_line_problem {
  thud_line *line;       /* borrowed */
  double friction;       /* mu >= 0 */
  const double *initial; /* [n] u before the start; NULL: 0 */
  /* Writes the data at t, or their one-sided limits. 0: good; others: give up. */
  int (*data)(void *user, double t, thud_side side, thud_line_data *data);
  void *user;
  size_t jump_count;
  const double *jumps; /* [jump_count] strictly increasing times at which the sides may differ; borrowed */
} thud_line_problem;

/* Energies of the motion along a line or in the plane of a surface since the start: stored = work - friction - quadratic
 * exactly (up to `defect`, rounding). With held values and loads that do not change it reads
 * E_i - E_{i+1} = sum mu s_j |Du_j| + Du.K Du / 2. */
typedef struct thud_elastic_ledger {
  double stored;    /* elastic energy of u - its value at the start */
  double work;      /* of the loads and of the supports, with their values after each step */
  double friction;  /* lost in slip: sum of mu s_j |Du_j| */
  double quadratic; /* sum of Du.K Du / 2: lost in jumps and by the steps; also where nothing ever slips */
  double defect;
} thud_elastic_ledger;

/* A line or a surface (thud/surface.h) with n nodes at the node of an interval of the partition: its left end. At a jump
 * of the data three frames share the time (LEFT, VALUE, RIGHT). Arrays are borrowed until the next call. */
typedef struct thud_elastic_frame {
  double t;
  thud_side side;
  const double *v;    /* [freedoms] */
  const double *s;    /* [n] */
  const double *u;    /* [n], of surfaces [2n]; NULL for surfaces without stretch, and so is r */
  const double *r;    /* likewise */
  const double *slid; /* surfaces: [n] |u - u before this step| at nodes that are not held, otherwise 0; lines: NULL */
  double variation;   /* lines: of u since the start, in the H1 seminorm; surfaces: 0 */
  double moved;       /* lines: by the step that ends here, likewise */
  double potential;   /* surfaces: elastic energy of v - forces.v; lines: 0 */
  thud_elastic_ledger ledger;
} thud_elastic_frame;

typedef struct thud_elastic_motion_info {
  thud_motion_status status; /* when it failed, thud_context_last_message() has the detail */
  double time;               /* reached */
  size_t steps;              /* steps of friction done */
  size_t solves;             /* linear systems; surfaces: iterations of all problems */
  double largest_move;       /* lines: the largest step of u in the H1 seminorm */
  double variation;          /* lines: of u, likewise */
  double residual;           /* surfaces: the worst (thud_surface_info) */
  THUD_RESERVED(8);
} thud_elastic_motion_info;

/* A motion of the family "line" (thud/motion.h). The problem is copied (what it points to is borrowed), the partition is
 * borrowed. Each step goes through an interval of the partition: catching-up with the data at its left end, from the
 * right when the interval is open there, and before that with their left limit where the data jump. Frames are
 * thud_elastic_frame; there are no events. */
THUD_API thud_error thud_line_motion_create(thud_context *context, const thud_line_problem *problem,
                                            const thud_partition *partition, thud_motion **motion);
/* The present state, and the findings so far. */
THUD_API thud_elastic_frame thud_line_motion_present(const thud_motion *motion);
THUD_API thud_elastic_motion_info thud_line_motion_get_info(const thud_motion *motion);

/* ---- what kind of solution there is --------------------------------------------------------------------------------------- */

/* Runs the problem on the given partitions (nested, levels >= 3 of them, each much finer than the one before: halved, or
 * with twice as many scales) and judges by rows[levels] (thud_limit_judge); distances are those of u at the nodes. The mesh
 * is that of the problem. */
THUD_API thud_error thud_line_classify(thud_context *context, const thud_line_problem *problem, int levels,
                                       const thud_partition *const *partitions, thud_limit_level *rows,
                                       thud_limit_judgement *judgement);

/* A problem on any nodes, for runs that refine the mesh and let nodes follow the contact. */
typedef struct thud_line_source {
  thud_line_kind kind;
  thud_index nodes; /* of the mesh that is refined */
  const double *x;  /* [nodes] borrowed */
  /* The problem on nodes[n], which holds until the next call. All are to have the same jumps. */
  thud_error (*build)(void *user, thud_index n, const double *x, thud_line_problem *problem);
  /* The obstacle at x, but for what is added to all of it. NULL: contact points of a beam stay on the mesh. */
  double (*obstacle)(void *user, double x);
  /* Where point loads press on a string, at most `most` places into x[]; how many. NULL: on the mesh. */
  size_t (*places)(void *user, double t, thud_side side, size_t most, double *x);
  void *user;
} thud_line_source;

/* Like thud_line_classify with the mesh refined, too: level k has the nodes of the source with 2^k cells for each of
 * them, at most 400 cells of a beam, whose condition grows with their fourth power, and 3200 of a string; a finer source is made
 * coarser first, as long as 100 cells are left. On every level the nodes beside a contact point of a beam, and beside a point
 * load on a string, move along with it: the variation does not depend on where the mesh happens to be. rows[].nodes says how many there
 * are. Distances are those of u at the nodes of the first level. */
THUD_API thud_error thud_line_classify_free(thud_context *context, const thud_line_source *source, int levels,
                                            const thud_partition *const *partitions, thud_limit_level *rows,
                                            thud_limit_judgement *judgement);

#ifdef __cplusplus
}
#endif
#endif
