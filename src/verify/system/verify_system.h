/* What the checker understands of a `system` scene: read from the tree by its own code, derived and evaluated by its
 * own use of expressions (Lagrange's equations from the energies, gradients and rates of the constraints). */
#ifndef THUD_SRC_VERIFY_SYSTEM_VERIFY_SYSTEM_H
#define THUD_SRC_VERIFY_SYSTEM_VERIFY_SYSTEM_H

#include "verify/verify_channels.h"
#include "verify/verify_defaults.h"
#include "verify/verify_scene.h"

typedef enum verify_constraint_kind {
  VERIFY_UNILATERAL, /* g(q,t) >= 0 */
  VERIFY_EQUATION,   /* g(q,t) = 0 */
  VERIFY_ROLLING,    /* a.v + b = 0 */
  VERIFY_ONE_SIDED   /* a.v + b >= 0 */
} verify_constraint_kind;

typedef struct verify_constraint {
  const char *name;
  verify_constraint_kind kind;
  const char *source; /* gap, equation or form */
  bool is_phi;        /* the source is -gap */
  const char *restitution;
  bool knows_restitution; /* of systems without formulas: the constant one */
  double known_restitution;
} verify_constraint;

/* A friction law: r_T in (mu r_N) C of a constraint, or in (h threshold) C by itself. */
typedef struct verify_law {
  const char *name;
  size_t constraint; /* SIZE_MAX: none */
  size_t directions, first;
  const char *const *slip;         /* [directions] */
  const char *mu;                  /* or threshold */
  bool coupled;                    /* the threshold names reactions: `friction` of the values is 1, and it is */
  size_t threshold;                /* this output of the program of such thresholds, */
  thud_expr_value threshold_value; /* and this value of their graph */
  bool disc;                       /* C is the unit disc; otherwise: */
  bool firm;                       /* C is the whole space, or: */
  bool unknown;                    /* C is known to a C program only, or: */
  verify_set set;
} verify_law;

struct verify_frames;
struct verify_step;

/* A scheme of time stepping as the checker sees it: one row of thud_verify_schemes. */
typedef struct verify_scheme {
  const char *name;
  bool event_driven;   /* no scheme: rows are arcs, and nothing of what follows means anything */
  double theta;        /* how much of the velocity after the step moves the positions; NAN: the scene's theta */
  bool kicks_first;    /* v_left has the forces of the step in it already */
  bool begins_at_once; /* frame 0 has a velocity problem */
  bool posed_at_node;  /* the velocity problem is posed at the end of the step */
  bool implicit;       /* forces at the end of the step, which the velocity problem changes */
  bool backward;       /* everything at the end of the step, with losses of its own in the ledger */
  bool corrects;       /* positions, after the step; contacts that smooth forces close have no restitution */
  bool bends;          /* the law sees how normal velocities change along curved constraints */
  bool penalty; /* velocities and impulses are 1 - exp(-h/lambda) of those of the law, inelastic, without atoms */
  bool one_restitution; /* the first one-sided constraint's is everybody's */
  /* Impulses and values of the step that led to frame k > 0 (and to frame 0 where it begins at once). */
  bool (*rebuild)(const struct verify_frames *frames, size_t k, struct verify_step *step);
} verify_scheme;

enum { VERIFY_SCHEMES = 8 };
extern const verify_scheme thud_verify_schemes[VERIFY_SCHEMES]; /* verify_system_step.c */

typedef enum verify_impact_law {
  VERIFY_CANONICAL,
  VERIFY_NEWTON,
  VERIFY_SEQUENTIAL,
  VERIFY_LZB,
  VERIFY_TABLE
} verify_impact_law;

typedef enum verify_gain { VERIFY_REDUCE_E, VERIFY_REFUSE, VERIFY_ALLOW } verify_gain;

/* Everything at one state. One allocation: `out` and `rates` are what the two programs write. */
typedef struct verify_values {
  double *out, *rates;
  const double *mass;           /* [n x n] */
  const double *force;          /* [n] f - dV/dq - c */
  const double *applied;        /* [n] f */
  const double *gap;            /* [m] */
  const double *gradient;       /* [m x n] dg/dq, or the form's coefficients */
  const double *slip;           /* [s x n] */
  const double *friction;       /* [laws] */
  const double *restitution;    /* [m] */
  const double *potential;      /* [1] */
  const double *potential_rate; /* [1] dV/dt at fixed q */
  const double *curvature;      /* [m] d2g/dt2 along the velocity without acceleration */
  const double *table;          /* [n] the user's map of velocities at an impact; 0 without one */
  const double *rate;           /* [m] dg/dt, or the form at velocity 0 */
  const double *slip_rate;      /* [s] */
  double *factor;               /* [n x n] Cholesky factor of the mass */
  double *state;                /* [1 + 2 n] where they were evaluated */
} verify_values;

typedef struct verify_system {
  verify_scene scene; /* scope, data, times, names, sets; initial: the positions */
  thud_arena *texts;
  size_t n, m, s, law_count;
  char **velocities; /* [n] names */
  double *initial_v; /* [n] */
  verify_constraint *constraints;
  verify_law *laws;
  const char *kinetic, *potential;
  const char **mass, **forces, **table; /* [n x n], [n], [n]; entries may be NULL */
  bool series;                          /* event-driven: arcs are power series */
  bool functions;                       /* in a C program: the record holds their numbers, nothing can be evaluated */
  double *given_mass;                   /* [n x n] of such a system; NULL: it changes */
  const verify_scheme *scheme;
  verify_impact_law law;
  verify_gain on_gain;
  double step_tolerance; /* > 0: controlled steps */
  double theta, lambda, impact_velocity, gap_tolerance, residual_tolerance, zeno_tolerance, zeno_remaining,
      defect_tolerance, time_tolerance;
  thud_index *slot_q, *slot_v; /* [n] */
  thud_expr_program *program, *rate_program;
  thud_expr_work *work, *rate_work;
  /* For proofs along arcs: the outputs of `program` before `friction`, the gaps (NULL: no constraints) and mu of
   * the friction laws (NULL: none). */
  thud_expr_program *motion_program, *gap_program, *friction_program;
  thud_expr_scope
      *formulas;     /* verify_system_read.c: the scene's names with its data as formulas, NULL: it has no data */
  double *variables; /* [1 + 2 n] */
  /* Thresholds that name reactions (verify_system_thresholds.c); NULL: none does. */
  thud_expr_scope *reaction_scope;
  thud_expr_graph *reaction_graph;
  thud_expr_program *threshold_program;
  thud_expr_work *threshold_work;
  thud_index *slot_r;          /* [m] -1: no name for an expression */
  double *threshold_variables; /* of the program */
  double *threshold_outputs;   /* [laws] */
  size_t coupled_count;
  double *numbers; /* [scene.value_count] of the sets of the laws */
  bool constant_mass;
  size_t switch_count;       /* of program and rate_program; 0: nothing jumps */
  double *jump_arguments;    /* [2 switch_count] */
  bool *jumps_by_time;       /* [switch_count] the data jump where its argument, of t alone, changes its sign */
  verify_values jump_values; /* room for their evaluation; out NULL: none */
  /* Forces of the step at hand are their means over [mean_from, mean_from + mean_of], which are infinite at these ends;
   * mean_of 0: they are those of their times; < 0: none. */
  double mean_from, mean_of;
  bool takes_means; /* given forces are infinite at some time of the record */
  bool singular_from, singular_to;
  double *mean_sum;          /* [2 n] */
  verify_values mean_values; /* room; out NULL: no force can be infinite at a time */
  double *loads;             /* [load_count] rows of verify_system_loads.c, by time */
  size_t load_count, load_capacity;
} verify_system;

/* The tree must outlive the system. */
thud_error thud_verify_system_create(thud_context *context, const thud_tree *tree, verify_system **system);
void thud_verify_system_destroy(verify_system *system);

/* Adds coordinates, velocities and definitions to a scope. */
thud_error thud_verify_system_formulas(verify_system *system, const thud_node *root);
/* Derivatives and programs, once everything is read. */
thud_error thud_verify_system_compile(verify_system *system);
thud_error thud_verify_values_create(const verify_system *system, verify_values *values);
void thud_verify_values_free(const verify_system *system, verify_values *values);
/* False when a number is not finite or the mass is not positive definite. */
bool thud_verify_system_at(verify_system *system, double t, const double *q, const double *v, verify_values *values);

/* ---- thresholds that name reactions (verify_system_thresholds.c) ---- */

/* Whether the threshold of law k has to be read with the names of the reactions; it is. */
thud_error thud_verify_threshold_read(verify_system *system, size_t k);
thud_error thud_verify_threshold_compile(verify_system *system);
void thud_verify_threshold_free(verify_system *system);
/* kappa at the state of the values for these forces [m], times the scale: reaction i is scale reaction[i]. */
double thud_verify_threshold_at(const verify_system *system, const verify_values *values, const verify_law *law,
                                const double *reaction, double scale);
/* What friction of the law counts with: h kappa(p/h) for impulses p; at an impact (h = 0) what that tends to. */
double thud_verify_threshold_of_impulses(const verify_system *system, const verify_values *values,
                                         const verify_law *law, const double *impulse, double h);

/* ---- jumps of the data in time (verify_system_loads.c) ---- */

/* Finds the switches of time alone, once the programs are there. */
thud_error thud_verify_find_jumps(verify_system *system);
/* Whether the data jump at t, but for rounding; the times next to t with the data of its right and of its left side. */
bool thud_verify_data_jump_at(verify_system *system, double t);
double thud_verify_data_after(verify_system *system, double t);
double thud_verify_data_before(verify_system *system, double t);
/* Whether they jump inside of ]from, to[, as far as eight pieces show. */
bool thud_verify_data_jump_within(verify_system *system, double from, double to);

/* Whether given forces are infinite at t, on the side of the sign: steps end there, and take means (verify_system_loads.c). */
bool thud_verify_force_singular(verify_system *system, double t, double sign);
/* The means in the place of the forces in `values`; false: there are none. */
bool thud_verify_mean_forces(verify_system *system, const double *q, const double *v, verify_values *values);

/* ---- small formulas ---- */

/* out = M x; x'Mx/2 */
void thud_verify_apply_mass(const verify_system *system, const verify_values *values, const double *x, double *out);
double thud_verify_kinetic(const verify_system *system, const verify_values *values, const double *v);
/* Velocity of constraint i, of slip component k. */
double thud_verify_constraint_velocity(const verify_system *system, const verify_values *values, size_t i,
                                       const double *v);
double thud_verify_slip_velocity(const verify_system *system, const verify_values *values, size_t k, const double *v);
/* The row along which reaction i acts: gradient of constraint i, or slip row i - m. */
static inline const double *verify_reaction_row(const verify_system *system, const verify_values *values, size_t i) {
  return i < system->m ? values->gradient + i * system->n : values->slip + (i - system->m) * system->n;
}
/* Length of a momentum in the kinetic metric, sqrt(p'M^-1 p); scratch [n] = M^-1 p. */
double thud_verify_momentum_length(const verify_system *system, const verify_values *values, const double *momentum,
                                   double *scratch);
/* row M^-1 row' */
double thud_verify_response(const verify_system *system, const verify_values *values, const double *row,
                            double *scratch);
static inline bool verify_is_one_sided(verify_constraint_kind kind) {
  return kind == VERIFY_UNILATERAL || kind == VERIFY_ONE_SIDED;
}

/* y [directions] = the point of radius C next to x. accuracy as in thud_verify_project. */
thud_error thud_verify_law_project(const verify_system *system, const verify_law *law, double radius, const double *x,
                                   double *y, double *accuracy);

/* How far the forces r [directions] are from the friction law at velocity v, in units of momentum rates in the kinetic
 * metric: |r - proj(radius C, r - c u)|, c so that the fastest slip, of slip_size [s], shifts by the radius, but no more
 * than by the force and the normal reaction: with a large mu the rounding of a slip that is 0 would shift r out of its
 * reach. normal: the reaction, INFINITY for a law by itself. scratch [2 directions + n] */
thud_error thud_verify_friction_error(const verify_system *system, const verify_values *values, const verify_law *law,
                                      double radius, double normal, const double *r, const double *v,
                                      const double *slip_size, double *scratch, double *value, double *accuracy);

/* ---- records of systems whose functions are in a C program ------------------------------------------------------- */

/* Records of systems whose functions are in a C program: the scene describes the system without formulas, and the
 * record holds the numbers that the functions gave for every velocity problem. The checks of steps and impacts are
 * those of all records, with these numbers in the place of evaluated formulas. */

/* The rows of velocity problems: of all rows of a table. */
typedef struct verify_problems {
  verify_ragged mass;                        /* of events; groups of n x n */
  verify_ragged rows;                        /* reactions that take part */
  verify_ragged gradient, rate, coefficient; /* of each of them; groups of n, 1, 1 */
} verify_problems;

/* What frames of time stepping hold besides. */
typedef struct verify_posed {
  double *step;              /* [count] */
  double *mass, *node_mass;  /* [count x n x n]; NULL: constant */
  double *impulse, *applied; /* [count x n] */
  double *gap, *bend;        /* [count x m] */
  verify_problems problems;
} verify_posed;

/* verify_system_read.c: `system` of a scene with `functions: true`. */
bool thud_verify_has_functions(const thud_node *system);
thud_error thud_verify_functions_read(verify_system *system, const thud_node *node);

/* verify_system_values.c: channels of a table. What is missing, or names rows that do not exist, fails `structure`. */
thud_error thud_verify_problems_read(const verify_system *system, thud_record_reader *reader, thud_record_table table,
                                     verify_problems *problems, thud_verify_check *structure);
void thud_verify_problems_free(thud_context *context, verify_problems *problems);
thud_error thud_verify_posed_read(const verify_system *system, thud_record_reader *reader, verify_posed *posed,
                                  thud_verify_check *structure);
void thud_verify_posed_free(thud_context *context, verify_posed *posed);
/* The values of the velocity problem of row k, with this mass (NULL: the constant one); acting [m] (may be NULL) says
 * which constraints take part. False when a number is not finite, the mass not positive definite, or the restitution
 * not that of the scene. */
bool thud_verify_problem_values(const verify_system *system, const verify_problems *problems, size_t k,
                                const double *mass, double *acting, verify_values *values);
/* Mass and factor only; everything else is left as it is. */
bool thud_verify_take_mass(const verify_system *system, const double *mass, verify_values *values);

/* What nobody can check without the functions. */
void thud_verify_functions_name_unchecked(const verify_system *system, thud_verify_check *check);

/* ---- the percussions of a `system` scene, read by the checker's own code ----------------------------------------- */

/* Reads `percussions` once the coordinates are names of the scope. */
thud_error thud_verify_read_loads(verify_system *system, const thud_node *list);
void thud_verify_free_loads(verify_system *system);
/* Number of loads before t; `with` counts those at t, too. */
size_t thud_verify_loads_before(const verify_system *system, double t, bool with);
/* Sum of loads first..end-1: impulse [n], and by how much thresholds (friction [laws]) of laws by themselves are more
 * than their densities give, extra [laws]. */
void thud_verify_loads_sum(const verify_system *system, size_t first, size_t end, const double *friction,
                           double *impulse, double *extra);

/* Of the section `system`, for both kinds of its motions. */
extern const verify_default thud_verify_system_defaults[];

#endif
