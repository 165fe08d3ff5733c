/* thud/model.h: mechanical systems with finitely many degrees of freedom: what moves, under which forces, constraints
 * and laws. A system is constant data; states live with the integrator.
 *
 *   M(q) dv = [f(t,q,v) - dV/dq - c(q,v)] dt + sum over constraints of their reactions,
 *   c_i = sum_jk (dM_ij/dq_k - 1/2 dM_jk/dq_i) v_j v_k      (the Christoffel terms of the kinetic energy v'M(q)v/2)
 *
 * Constraints, signs as everywhere in thud: gap g(q,t) >= 0, reaction r >= 0 along +dg/dq; u_N = dg/dq.v + dg/dt. A
 * frictional constraint has slip velocities u_T = S(q,t) v + s(q,t) of 1 or more components. */
#ifndef THUD_MODEL_H
#define THUD_MODEL_H

#include "thud/expr.h"
#include "thud/solve.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what a system is made of ----------------------------------------------------------------------------------- */

typedef enum thud_constraint_kind {
  THUD_CONSTRAINT_UNILATERAL = 0,        /* g(q,t) >= 0 */
  THUD_CONSTRAINT_BILATERAL = 1,         /* g(q,t) = 0 */
  THUD_CONSTRAINT_VELOCITY = 2,          /* a(q,t).v + b(q,t) = 0, not integrable in general */
  THUD_CONSTRAINT_VELOCITY_ONE_SIDED = 3 /* a(q,t).v + b(q,t) >= 0 at all times (a freewheel) */
} thud_constraint_kind;

typedef enum thud_friction_kind {
  THUD_FRICTION_NONE = 0,
  THUD_FRICTION_DISC = 1, /* Coulomb: |r_T| <= mu r_N */
  THUD_FRICTION_SET = 2, /* r_T in r_N mu C: ellipse, polygon, pre-image ... any bounded convex set C that contains 0 */
  THUD_FRICTION_FIRM =
      3 /* of a unilateral constraint: u_T = 0 and any r_T while r_N > 0, r_T = 0 otherwise: rolling while in
                            contact, the limit of Coulomb's law for large mu */
} thud_friction_kind;

/* A friction law: of a unilateral constraint (threshold: mu times its normal reaction) or, when `constraint` is -1, by
 * itself (threshold: a force, `friction` of the functions below; joint friction, brakes, generalized laws). A law of a
 * bilateral constraint uses the size of its reaction. */
typedef struct thud_friction_def {
  const char *name;
  thud_index constraint; /* number of the constraint, -1: none */
  thud_friction_kind kind;
  thud_index directions; /* components of the slip velocity, >= 1 */
  const thud_set *set;   /* SET: C, dimension = directions; cloned */
} thud_friction_def;

typedef struct thud_constraint_def {
  const char *name;
  thud_constraint_kind kind;
  double restitution; /* in [0,1] unless the system allows more; read when functions.restitution is NULL */
} thud_constraint_def;

/* 0: ok; > 0: cannot be evaluated here (a shorter step may help); < 0: abort. Everything must be finite on return. */
typedef int (*thud_model_fn)(void *user, double t, const double *q, const double *v, double *out);

/* NULL: identically zero (mass: the constant matrix of the definition). Row-major. s = all slip components together,
 * in the order of the friction laws. */
typedef struct thud_system_functions {
  void *user;
  thud_model_fn mass;               /* out[n*n] symmetric positive definite */
  thud_model_fn inertia;            /* out[n] the Christoffel terms c(q,v) */
  thud_model_fn force;              /* out[n] applied forces f(t,q,v), without those of the potential */
  thud_model_fn potential;          /* out[1] V(q,t) */
  thud_model_fn potential_gradient; /* out[n] dV/dq */
  thud_model_fn constraint;         /* out[m] g(q,t); 0 for velocity constraints */
  thud_model_fn gradient;           /* out[m*n] dg/dq or a(q,t) */
  thud_model_fn rate;               /* out[m] dg/dt or b(q,t) */
  thud_model_fn slip;               /* out[s*n] S(q,t) */
  thud_model_fn slip_rate;          /* out[s] s(q,t) */
  thud_model_fn friction;           /* out[laws] mu, or the threshold force of a law by itself; >= 0 */
  thud_model_fn restitution;        /* out[m] e(q, v-) */
  /* The force's Jacobians, for implicit and higher-order schemes; NULL: differences are taken. */
  thud_model_fn force_dq, force_dv; /* out[n*n] of f - dV/dq - c */
} thud_system_functions;

/* Impulsive loads. Forces may have atoms P delta(t), and so may the measure dnu = dt + sum c delta(t) of the friction
 * laws by themselves, whose reactions are r dnu with r in threshold C: at an atom
 *   M (v+ - v-) = P + S' R + reactions of the contacts,   R in (bound + share threshold(t, q, v-)) C,
 * -u_T+ normal to that set at R. The velocity at the start of a motion is a left one: what is loaded there acts. */
typedef struct thud_load {
  double t, weight;      /* s; c of nu, for reports */
  const double *impulse; /* [n] P (N s); NULL: 0 */
  const double *bound;   /* [laws] c times the threshold that is given for the atom (N s); NULL: 0 */
  const double *share;   /* [laws] c where none is given: the law's own threshold counts; NULL: 0 */
} thud_load;

/* Truncation of a family of infinitely many loads. */
typedef struct thud_load_family {
  int64_t kept;
  double weight;             /* of the atoms that act, a lumped tail included */
  double tail, impulse_tail; /* bounds of the weights and of the lengths of the impulses (N s) that were left out */
  double tolerance;          /* accepted tails */
  double velocity;           /* bound of the velocity's jump that is missing: (|S' threshold| tail + impulse_tail) /
                                smallest eigenvalue of M; NaN: mass, slip or thresholds depend on the state */
  bool has_limit, lumped;
  bool limit_outside; /* of the run: nothing acts there */
  double limit;       /* time at which they accumulate */
} thud_load_family;

typedef struct thud_loads {
  size_t count;
  const thud_load *items; /* [count]; of a system: by increasing time, those at the same time are one */
  size_t family_count;
  const thud_load_family *families; /* [family_count] what is to be reported of them */
} thud_loads;

enum { THUD_MAX_LOADS = 1000000 };

/* Where the entries of a matrix may differ from 0, by rows: columns increase within a row. start NULL: all of them. */
typedef struct thud_pattern {
  const thud_index *start;  /* [rows+1], start[0] = 0 */
  const thud_index *column; /* [start[rows]] */
} thud_pattern;

/* The matrices of a system with few entries: whoever gives or reads one of them gives or reads the entries of the
 * pattern, in its order, and nothing else. */
typedef struct thud_system_patterns {
  thud_pattern mass;               /* n x n, symmetric with a full diagonal */
  thud_pattern gradient;           /* m x n */
  thud_pattern slip;               /* s x n */
  thud_pattern force_dq, force_dv; /* n x n; without entries: the forces do not depend on the state */
} thud_system_patterns;

typedef struct thud_system_def {
  thud_index n;                           /* coordinates */
  const char *const *coordinates;         /* [n] names */
  const double *mass;                     /* [n*n] constant mass matrix; NULL when functions.mass is given */
  const thud_system_patterns *patterns;   /* NULL: all matrices are full; else mass, gradient and slip have patterns,
                                             and `mass` and the functions write entries of patterns */
  thud_index m;                           /* constraints */
  const thud_constraint_def *constraints; /* [m] */
  thud_index laws;                        /* friction laws */
  const thud_friction_def *friction;      /* [laws] */
  bool allow_any_restitution;             /* e outside [0,1] for demonstrations */
  thud_loads loads;                       /* in any order */
  thud_system_functions functions;
} thud_system_def;

typedef struct thud_system thud_system;

/* Everything is copied but functions.user. Errors name the coordinate, constraint or law. */
THUD_API thud_error thud_system_create(thud_context *context, const thud_system_def *def, thud_system **system);
THUD_API void thud_system_destroy(thud_system *system);

/* The system of expressions, as scenes describe it. Sources are in the names of `scope`, to which the caller has added
 * the parameters and named sub-expressions; create adds t, the coordinates and their velocities (x') unless they are
 * there already (no other variables may be). All derivatives are exact: M = d2T/dv2, c, dV/dq, dg/dq, dg/dt, slip rows
 * and the Jacobians of the force; abs, min, max and if follow the active branch. Refused, with the place: a kinetic
 * energy that is not a quadratic form in the velocities or depends on t, gaps and potentials with velocities, velocity
 * forms and slip velocities that are not affine in them. */
typedef struct thud_expr_constraint_def {
  const char *name;
  thud_constraint_kind kind;
  const char *source;      /* gap, equation or velocity form (in x', affine) */
  bool is_phi;             /* the source is phi = -gap */
  const char *restitution; /* NULL: 0 */
} thud_expr_constraint_def;
typedef struct thud_expr_friction_def {
  const char *name;
  thud_index constraint;
  thud_friction_kind kind;
  thud_index directions;
  const char *const *slip; /* [directions] affine in the velocities */
  const char *mu;          /* or threshold */
  const thud_set *set;
} thud_expr_friction_def;
/* A load, a train of them (period > 0) or a family (index != NULL), by expressions of the scope's parameters and of t,
 * which is the time of the atom, and of a family also of its index. Families have as many atoms as are needed for tails
 * of at most `tolerance`. */
typedef struct thud_expr_load_def {
  const char *time; /* constant, of a train the first one; of a family a function of the index */
  double period;
  int64_t count; /* of a train; -1: until the end */
  const char *index;
  int64_t first;                /* value of the index */
  const char *weight;           /* c > 0; NULL: 0 */
  const char *const *impulse;   /* [n], NULL entries: 0; NULL: none */
  const char *const *threshold; /* [laws], NULL entries: the law's own there; NULL: all of them */
  const char *tail;             /* bound of the weights from the index on; needed with weights */
  const char *impulse_tail;     /* the same of the lengths of the impulses; needed with impulses */
  int64_t keep;                 /* atoms kept; -1: by the tolerance */
  double tolerance;
  bool has_limit, lump; /* lump: the tail is the exact weight of what is left and acts at the limit */
  double limit;         /* an event of its own, also with nothing to act */
} thud_expr_load_def;

typedef struct thud_expr_system_def {
  thud_index n;
  const char *const *coordinates;
  const char *kinetic_energy;   /* quadratic in the velocities; NULL: mass below */
  const char *const *mass;      /* [n*n] */
  const char *potential_energy; /* NULL: 0 */
  const char *const *forces;    /* [n], NULL entries: 0 */
  thud_index m;
  const thud_expr_constraint_def *constraints;
  thud_index laws;
  const thud_expr_friction_def *friction;
  bool allow_any_restitution;
  thud_index load_count;
  const thud_expr_load_def *loads;
  double start, end; /* loads outside are left out */
} thud_expr_system_def;
/* Which source an error is in, for messages with places in a scene. */
typedef enum thud_source_part {
  THUD_SOURCE_NONE = 0,
  THUD_SOURCE_KINETIC = 1,
  THUD_SOURCE_MASS = 2,
  THUD_SOURCE_POTENTIAL = 3,
  THUD_SOURCE_FORCE = 4,
  THUD_SOURCE_CONSTRAINT = 5,
  THUD_SOURCE_RESTITUTION = 6,
  THUD_SOURCE_SLIP = 7,
  THUD_SOURCE_MU = 8,
  THUD_SOURCE_LOAD = 9, /* the whole of it */
  THUD_SOURCE_LOAD_TIME = 10,
  THUD_SOURCE_LOAD_WEIGHT = 11,
  THUD_SOURCE_LOAD_TAIL = 12,
  THUD_SOURCE_LOAD_IMPULSE_TAIL = 13,
  THUD_SOURCE_LOAD_IMPULSE = 14,
  THUD_SOURCE_LOAD_THRESHOLD = 15
} thud_source_part;
typedef struct thud_expr_system_place {
  thud_source_part part;
  thud_index index, second; /* entry of mass or force; constraint; law and its direction; load and its entry */
  thud_expr_place place;
} thud_expr_system_place;
THUD_API thud_error thud_system_create_expressions(thud_context *context, thud_expr_scope *scope,
                                                   const thud_expr_system_def *def, thud_expr_system_place *place,
                                                   thud_system **system);

/* ---- functions in the place of formulas ----------------------------------------------------------------------------
 */

/* Arrays of a system; n coordinates, m constraints, s slip components, row-major. */
typedef enum thud_system_array {
  THUD_ARRAY_MASS = 0,               /* [n*n] */
  THUD_ARRAY_INERTIA = 1,            /* [n] Christoffel terms c(q,v) */
  THUD_ARRAY_FORCE = 2,              /* [n] f(t,q,v) */
  THUD_ARRAY_POTENTIAL = 3,          /* [1] V(q,t) */
  THUD_ARRAY_POTENTIAL_GRADIENT = 4, /* [n] */
  THUD_ARRAY_GAP = 5,                /* [m] */
  THUD_ARRAY_GRADIENT = 6,           /* [m*n] */
  THUD_ARRAY_RATE = 7,               /* [m] */
  THUD_ARRAY_SLIP = 8,               /* [s*n] */
  THUD_ARRAY_SLIP_RATE = 9,          /* [s] */
  THUD_ARRAY_FRICTION = 10,          /* [laws] */
  THUD_ARRAY_RESTITUTION = 11,       /* [m] */
  THUD_ARRAY_FORCE_DQ = 12,          /* [n*n] of f - dV/dq - c */
  THUD_ARRAY_FORCE_DV = 13           /* [n*n] */
} thud_system_array;

/* Entries of an array that a function gives. State and answer go through arrays of the caller, which stay where they are:
 * languages that wrap memory in objects do it once. Everything but `number` and `numbers` is the caller's memory and
 * outlives the system. Jacobians that are not replaced themselves are differenced where a force, the inertia or the
 * gradient of the potential is. */
typedef struct thud_system_replacement {
  int array;                  /* thud_system_array */
  thud_index first, count;    /* entries first .. first+count-1 */
  double *q, *v;              /* [n] hold the state during a call; several replacements may share them */
  double (*number)(double t); /* gives the one entry; NaN: refuses, which is THUD_ERROR_CALLBACK. Or NULL, and */
  int (*numbers)(double t);   /* writes all of them to `out`; 0: good, otherwise refuses */
  double *out;                /* [count] */
} thud_system_replacement;

/* Borrowed from the system. */
THUD_API thud_index thud_system_dimension(const thud_system *system);
THUD_API thud_index thud_system_constraint_count(const thud_system *system);
THUD_API thud_index thud_system_friction_count(const thud_system *system);
THUD_API thud_index thud_system_slip_count(const thud_system *system); /* s */
THUD_API const char *thud_system_coordinate(const thud_system *system, thud_index i);
THUD_API const thud_constraint_def *thud_system_constraint(const thud_system *system, thud_index i);
THUD_API const thud_friction_def *thud_system_friction(const thud_system *system, thud_index k);
THUD_API bool thud_system_has_constant_mass(const thud_system *system);
THUD_API bool thud_system_has_patterns(const thud_system *system);
THUD_API thud_loads thud_system_loads(const thud_system *system);
/* Loads by expressions that are written down and do nothing: how many lie outside the run (single ones, members of
 * families, trains altogether), and how many have the impulse 0 and no weight. Either may be NULL. */
THUD_API void thud_system_idle_loads(const thud_system *system, size_t *outside, size_t *empty);

/* ---- the system at one state ---------------------------------------------------------------------------------------
 */

enum {
  THUD_AT_MASS = 1,       /* mass, mass_factor */
  THUD_AT_FORCE = 2,      /* force */
  THUD_AT_CONSTRAINT = 4, /* gap only */
  THUD_AT_GRADIENT = 8,   /* gradient, rate */
  THUD_AT_FRICTION = 16,  /* slip, slip_rate, friction */
  THUD_AT_RESTITUTION = 32,
  THUD_AT_POTENTIAL = 64,
  THUD_AT_EVERYTHING = 127, /* all above */
  THUD_AT_JACOBIANS = 128   /* force_dq, force_dv: exact where the functions give them, else by differences */
};

/* Rows of a matrix that has a pattern. */
typedef struct thud_row_list {
  thud_index count;
  const thud_index *start, *column; /* of the pattern */
  double *value;                    /* [start[count]] */
} thud_row_list;

/* Sparse values in place of the full matrices. */
typedef struct thud_system_sparse {
  struct thud_sparse_metric *mass; /* with its factor */
  thud_row_list gradient, slip, force_dq, force_dv;
} thud_system_sparse;

/* Arrays belong to the values; one per integrator (the system itself is constant and may be shared by threads that have
 * their own values). */
typedef struct thud_system_values {
  double *mass;               /* [n*n] */
  double *mass_factor;        /* [n*n] lower Cholesky factor, row-major */
  double *force;              /* [n] f - dV/dq - c */
  double *applied;            /* [n] f alone (what does work besides the potential) */
  double *gap;                /* [m] */
  double *gradient;           /* [m*n] */
  double *rate;               /* [m] */
  double *slip;               /* [s*n] */
  double *slip_rate;          /* [s] */
  double *friction;           /* [laws] */
  double *restitution;        /* [m] */
  double *force_dq;           /* [n*n] */
  double *force_dv;           /* [n*n] */
  thud_system_sparse *sparse; /* NULL, or where the matrices are; mass, mass_factor, gradient, slip, force_dq and
                                 force_dv are NULL then */
  double potential;
  int callback_status; /* what the callback returned that ended the last evaluation with THUD_ERROR_CALLBACK, else 0 */
} thud_system_values;

/* Room for the numbers of one system; destroyed with the same context, NULL is allowed. THUD_ERROR_UNSUPPORTED above
 * THUD_METRIC_DENSE_MAX coordinates. */
THUD_API thud_error thud_system_values_create(thud_context *context, const thud_system *system,
                                              thud_system_values **values);
/* The same without full matrices, for systems that have patterns (THUD_ERROR_UNSUPPORTED otherwise): memory and the
 * time
 * of an evaluation grow with the number of entries. jacobians: force_dq and force_dv will be asked for. */
THUD_API thud_error thud_system_values_create_sparse(thud_context *context, const thud_system *system, bool jacobians,
                                                     thud_system_values **values);
THUD_API void thud_system_values_destroy(thud_context *context, thud_system_values *values);
/* Fills the parts asked for. THUD_ERROR_NOT_FINITE (message: which function of which coordinate or constraint, and for
 * expressions which operation at which column), THUD_ERROR_NOT_SPD when M(q) is not positive
 * definite (which pivot) or not symmetric, THUD_ERROR_ARGUMENT when mu < 0 or e is not allowed, THUD_ERROR_CALLBACK;
 * what a run makes of it is its finding. On failure the parts asked for are undefined. Messages go to the context of
 * the values. Allocates nothing. */
THUD_API thud_error thud_system_evaluate(const thud_system *system, double t, const double *q, const double *v,
                                         unsigned parts, thud_system_values *values);
/* Kinetic energy v'Mv/2 with the mass of the values. */
THUD_API double thud_system_kinetic_energy(const thud_system *system, const thud_system_values *values,
                                           const double *v);

/* Compares the derivatives that a user wrote in C with central differences of the values at (t,q,v): gradient, rate,
 * potential_gradient, inertia, force_dq, force_dv. The worst entry is named in the context's message when it is above
 * the tolerance (relative to the size of the row), THUD_ERROR_ARGUMENT then. worst may be NULL. */
THUD_API thud_error thud_system_check(const thud_system *system, double t, const double *q, const double *v,
                                      double tolerance, double *worst);

/* ---- diagnosis ----------------------------------------------------------------------------------------------------
 */

/* Gradients are compared at length 1 in the kinetic metric: scaling a constraint changes nothing. "Acting": unilateral
 * constraints with gap <= gap_tolerance, all others always. Equations: bilateral and velocity constraints. */
typedef struct thud_system_diagnosis {
  thud_index active_count; /* acting constraints, of which */
  thud_index equation_count;
  thud_index rank; /* of the gradients of the acting constraints, to 1e-10; -1: not computed */
  thud_index equation_rank;
  double condition; /* of the Gram matrix (the kinetic cosines) of the acting gradients, infinity when rank < count */
  bool qualified;   /* Mangasarian-Fromovitz: some velocity keeps the equations and opens all acting gaps. When false
                       `dependent` lists a positively dependent family of unilateral constraints and the equations that
                       it needs; when true and equation_rank < equation_count, a dependent family of equations */
  thud_index dependent_count;
  thud_index *dependent; /* [m] caller's room, set before the call, or NULL */
  double mass_condition;
  double worst_gap; /* the gap < 0 or value of an equation that violates its constraint most; 0 and -1: none does */
  thud_index worst_gap_constraint;
  double worst_velocity; /* the same for the velocity: u < 0 of acting one-sided constraints, u of equations */
  thud_index worst_velocity_constraint;
  double worst_cosine; /* largest |kinetic cosine| between two acting one-sided gradients (0: orthogonal), and which
                          (-1: fewer than two) */
  thud_index cosine_first, cosine_second;
  /* With more than 128 coordinates or acting constraints the numbers come from a sparse iteration where that settles the
   * rank: then they are lower bounds. */
  bool condition_is_bound, mass_condition_is_bound;
  /* NULL, or why rank, equation_rank (-1), condition (NaN) and `dependent` (empty) were not computed: of systems with
   * patterns and more than 512 coordinates or acting constraints whose gradients are dependent, or cannot be compared
   * without full matrices. `qualified` is known all the same. */
  const char *not_computed;
  uint64_t vanishing; /* 1 + the number of the first acting constraint whose gradient is 0 up to the rounding of q; 0:
                         none. Such gradients count as 0 in the rank */
  THUD_RESERVED(2);
} thud_system_diagnosis;

/* gap_tolerance >= 0 is absolute, in the unit of the gaps. What is found is not an error: M(q) that is not positive
 * definite and functions that cannot be evaluated are. diagnosis->dependent is read. */
THUD_API thud_error thud_system_diagnose(thud_context *context, const thud_system *system, double t, const double *q,
                                         const double *v, double gap_tolerance, thud_system_diagnosis *diagnosis);

/* ---- velocity problems: impacts and steps -------------------------------------------------------------------------
 *
 * At a fixed configuration:  M (v+ - v_free) = sum dg_i' r_i + S' r_T + G' l  with, for the acting constraints,
 *   unilateral   0 <= u_N+ + e u_N-  perp  r_N >= 0     (u_N- from v_minus; canonical law: one e, see below)
 *   bilateral    u_+ = 0 (+ e u_-  where a shock is asked for: e = 0)
 *   friction     r_T in r_N mu C (or step*threshold C), -u_T+ normal to that set at r_T.
 * An impact is the case v_free = v_minus, step = 0. */

typedef enum thud_impact_law {
  THUD_IMPACT_CANONICAL =
      0, /* v+ = prox(V,v-) - e prox(N,v-), one e (the largest of the acting ones, warned when they differ) */
  THUD_IMPACT_NEWTON = 1, /* e per constraint, complementarity: the default, equal to CANONICAL when all e are equal */
  THUD_IMPACT_SEQUENTIAL = 2, /* binary collisions one after the other until none approaches */
  THUD_IMPACT_LZB = 3,        /* energetic law with distributed stiffness for chains (Liu, Zhao, Brogliato) */
  THUD_IMPACT_TABLE = 4       /* the user's map */
} thud_impact_law;

typedef enum thud_energy_gain { THUD_GAIN_REDUCE_E = 0, THUD_GAIN_REFUSE = 1, THUD_GAIN_ALLOW = 2 } thud_energy_gain;

/* A law's outcome is judged by what its reactions give, at the velocities that the constraints see:
 * sum r.(u+ + u-)/2, and with a step also sum r.(u+ + u_free)/2: it gains when both are positive. REDUCE_E takes the
 * largest factor on all e (TABLE: on the distance from the inelastic answer) that does not. */
typedef struct thud_percussion_options {
  size_t size;
  int law;                 /* thud_impact_law */
  int on_energy_gain;      /* thud_energy_gain */
  double tolerance;        /* of the velocity problem's residual, relative */
  double energy_tolerance; /* relative to the kinetic energy before: more is a gain */
  double lzb_stiffness_ratio,
      lzb_exponent;                 /* of the LZB law: ratio of successive contact stiffnesses (1), exponent (1.5) */
  int max_collisions;               /* of the sequential law */
  const thud_solver_method *method; /* solves every velocity problem (THUD_ERROR_UNSUPPORTED where it does not take
                                       one); NULL: closed forms and what thud_velocity_solver_create does by itself */
  thud_solver_options solver;       /* of registered methods; its tolerance is not read: `tolerance` is */
  thud_model_fn table;              /* THUD_IMPACT_TABLE: called with v = v-, writes v+ */
  void *table_user;
  THUD_RESERVED(4);
} thud_percussion_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_percussion_option_table(void);
THUD_OPTIONS_DEFAULT(thud_percussion_options, thud_percussion_option_table)

typedef struct thud_percussion_info {
  thud_solver_status status; /* INFEASIBLE: no velocity satisfies the acting constraints (unqualified) */
  double residual; /* natural map of the whole velocity problem at v+, in units of its largest given velocity */
  thud_index worst_constraint;        /* where the residual is, -1: nowhere, or at a friction law by itself: */
  thud_index worst_law;               /* this one, -1: none */
  double energy_before, energy_after; /* kinetic, of v_minus and v+ */
  /* energy_after - energy_before = applied_work + moving_work - normal_loss - friction_loss, to rounding (`identity`,
   * relative to the sum of their sizes) */
  double normal_loss, friction_loss; /* -sum r_N (u_N+ + u_N-)/2 (bilateral included), -sum r_T.(u_T+ + u_T-)/2 */
  double applied_work;               /* (v_free - v_minus)'M(v+ + v_minus)/2: h f.(v+ + v-)/2, 0 at an impact */
  double moving_work;                /* -sum r dg/dt: what moving constraints do */
  double identity;
  bool gained;  /* the law as given would have created energy: witness is v_minus */
  bool refused; /* the options refuse that (or the table's answer): v+ = v_free, impulses 0; gained, the flags below and
                   energy_after are those of the refused answer */
  double restitution_factor;        /* 1, or what e was multiplied by to gain nothing */
  bool in_cone, impulse_admissible; /* axioms (a) F in V, (b) F - v- in -N: the audit's findings */
  double worst_cosine; /* kinetic cosine among the acting unilateral gradients; cosine_* the pair, -1: fewer than two */
  thud_index cosine_first, cosine_second;
  bool set_valued; /* forces are not unique at this configuration (rank loss) */
  int collisions;  /* sequential */
  /* Thresholds that reactions give: how much the largest change of a friction force changes them at most, so that less
   * than 1 makes the answer the only one beside which the reactions do not jump; 0: there are none */
  double contraction;
  THUD_RESERVED(3);
} thud_percussion_info;

typedef struct thud_percussion thud_percussion;

/* Solves the velocity problems of one system, which is borrowed; options may be NULL: the defaults. Everything is
 * allocated here. */
THUD_API thud_error thud_percussion_create(thud_context *context, const thud_system *system,
                                           const thud_percussion_options *options, thud_percussion **percussion);
THUD_API void thud_percussion_destroy(thud_percussion *percussion);
/* The state that the table is called with (t = 0, q = NULL otherwise); q is borrowed until the next call. */
THUD_API void thud_percussion_place(thud_percussion *percussion, double t, const double *q);
/* Method that solved the last velocity problem: "sweeps", "lemke", ...; "none": nothing had to be solved. */
THUD_API const char *thud_percussion_method(const thud_percussion *percussion);
/* values: mass, gradient, rate, slip, friction, restitution at the configuration. acting[m]: which constraints act
 * (bilateral and velocity constraints always do and are not looked up). step: h for laws with a threshold force, 0 at
 * an impact (such laws then have no part). r_normal[m], r_slip[s] in: warm start, out: impulses (0 for what does not
 * act). v_plus may alias v_free. Allocates nothing; only where a method is named, or sweeps over several
 * frictional contacts do not reach the tolerance, is a solver of the registry made (one per shape, kept) and given the
 * numbers. info may be NULL. */
THUD_API thud_error thud_percussion_solve(thud_percussion *percussion, const thud_system_values *values,
                                          const bool *acting, double step, const double *v_minus, const double *v_free,
                                          double *r_normal, double *r_slip, double *v_plus, thud_percussion_info *info);
/* Audit of any map's outcome: axioms (a), (b), (c) for v+ proposed for v-, at an active set. Fills in_cone,
 * impulse_admissible, energies, gained. */
THUD_API thud_error thud_percussion_audit(thud_percussion *percussion, const thud_system_values *values,
                                          const bool *acting, const double *v_minus, const double *v_plus,
                                          thud_percussion_info *info);

/* ---- generalized friction -------------------------------------------------------------------------------------------
 */

/* Coulomb friction at a contact that stays closed, written as a set of generalized forces (Ballard 2002, Ex. 13): is
 * { R_T : R_T in mu |a.R_T + R_N| C } convex? For the disc: mu |a| <= 1. The other equations of the system are kept,
 * other unilateral constraints are taken as open, mu is taken at velocity 0. */
typedef struct thud_friction_convexity {
  bool convex;
  double coupling;   /* a: change of the normal reaction by a unit tangential one; several directions: |a|, or the
                        largest |a.c| over the set C */
  double largest_mu; /* 1/|a|, infinity for a = 0 */
} thud_friction_convexity;
THUD_API thud_error thud_system_friction_convexity(thud_context *context, const thud_system *system, thud_index law,
                                                   double t, const double *q, thud_friction_convexity *result);

#ifdef __cplusplus
}
#endif
#endif
