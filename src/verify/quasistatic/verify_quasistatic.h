/* What the checker understands of a `quasistatic` scene, and a motion of one in memory.
 *
 *   K U = F(t) + H r,  u = H' U,  gap = gap0 + u_N,  0 <= gap perp r_N >= 0,  |r_T| <= bound, opposite to the slip
 * with bound = mu r_N, or the scene's threshold. */
#ifndef THUD_SRC_VERIFY_QUASISTATIC_VERIFY_QUASISTATIC_H
#define THUD_SRC_VERIFY_QUASISTATIC_VERIFY_QUASISTATIC_H

#include "verify/system/verify_system_frames.h"
#include "verify/verify_scene.h"
#include "verify/verify_record.h"

/* ---- sparse rows --------------------------------------------------------------------------------------------------- */

typedef struct verify_entry {
  size_t row, column;
  double value;
} verify_entry;

/* Entries in any order while a matrix is read; of one place they add up. */
typedef struct verify_entries {
  size_t count, capacity;
  verify_entry *items;
} verify_entries;

typedef struct verify_rows {
  size_t count;
  size_t *starts; /* [count + 1] */
  verify_entry *entries;
} verify_rows;

/* Row i times x; its terms in absolute value. */
double thud_verify_row_dot(const verify_rows *rows, size_t i, const double *x);
double thud_verify_row_size(const verify_rows *rows, size_t i, const double *x);

/* ---- the scene ------------------------------------------------------------------------------------------------------ */

typedef enum verify_quasi_method {
  VERIFY_QUASI_INCREMENTS,
  VERIFY_QUASI_EVENTS,
  VERIFY_QUASI_STATIC,
  VERIFY_QUASI_THRESHOLD,
  VERIFY_QUASI_FIXED_POINT
} verify_quasi_method;

typedef struct verify_quasi {
  verify_scene scene; /* times, names of the unknowns, data; its values are the loads, then the thresholds */
  verify_quasi_method method;
  size_t n, c, d, m;          /* unknowns, contacts, components of a contact, d*c */
  verify_rows K;              /* n rows */
  verify_rows H;              /* m rows: u = H U; n, then t or t1, t2 of every contact */
  verify_rows H_columns;      /* n rows: the transpose */
  double *gap, *mu;           /* [c] */
  size_t load_count, *loaded; /* [load_count] unknown that the value acts on */
  bool has_initial;           /* scene.initial [n]; else 0, and the motion begins with an increment from there */
  double period;              /* 0: none */
  double coarse_above;    /* part of the motion above which an estimated error makes a run coarse; 0: none is made */
  double error_tolerance; /* > 0: steps are divided for it */
  double enumerate_up_to; /* contacts with a choice whose modes are all looked at */
  const char **contacts;  /* [c] names */
  char **reactions;       /* [m] "foot.n", ... */
  char **made_names;      /* [n] of unknowns without names, or NULL */
  bool definite;          /* K is positive definite, as far as its size lets the checker look */
  bool semidefinite;      /* it is not, beyond rounding; neither: rounding decides */
  double *unit;           /* [n] 1/sqrt(K_ii): displacements in these units, and forces in their inverses, can be
                                  compared, whatever units the scene has for them */
  double contact_unit;    /* the same of contact displacements, the largest one */
  double rounding;        /* relative error of U = K^-1 (F + H r) in these units, condition included */
  size_t node_count;
  double *nodes;   /* [node_count] start, ..., end with the jumps of the load */
  double *largest; /* [node_count] largest load of the nodes up to this one */
} verify_quasi;

thud_error thud_verify_quasi_create(thud_context *context, const thud_tree *tree, verify_quasi **quasi);
void thud_verify_quasi_destroy(verify_quasi *quasi);
/* F[n] at t. */
void thud_verify_quasi_load(const verify_quasi *quasi, double t, thud_side side, double *F);
/* Bound of |r_T| at contact i. */
double thud_verify_quasi_bound(const verify_quasi *quasi, size_t i, double t, double r_normal);
/* Number of the node at t but for rounding; otherwise false, and *node is the first one after t. */
bool thud_verify_quasi_node(const verify_quasi *quasi, double t, size_t *node);

/* ---- a motion ------------------------------------------------------------------------------------------------------- */

/* How a frame came about. */
typedef enum verify_quasi_way {
  VERIFY_WAY_START,
  VERIFY_WAY_STEP, /* from the frame before, one increment or one piece */
  VERIFY_WAY_SAME, /* the frame before once more: the left limit at a jump */
  VERIFY_WAY_JUMP, /* of the state, under one load */
  VERIFY_WAY_LOAD, /* of the load */
  VERIFY_WAY_FAR   /* steps between were left out */
} verify_quasi_way;

enum { VERIFY_QUASI_LEDGER = 6 };
enum { VERIFY_MODE_OPEN, VERIFY_MODE_STICK, VERIFY_MODE_SLIP, VERIFY_MODE_SLIP_BACK, VERIFY_MODE_COUNT };
enum {
  VERIFY_QUASI_CLOSE,
  VERIFY_QUASI_OPEN,
  VERIFY_QUASI_STICK,
  VERIFY_QUASI_SLIP,
  VERIFY_QUASI_JUMP,
  VERIFY_QUASI_LOAD,
  VERIFY_QUASI_FORK,
  VERIFY_QUASI_EVENT_COUNT
};

typedef struct verify_quasi_motion {
  thud_context *context;
  const verify_quasi *quasi;
  bool complete; /* every step is there */
  bool pieces;   /* between frames everything is affine: both ends obey the law of the way between them */
  size_t count;
  double *t, *side;      /* [count] */
  double *U, *r;         /* [count x n], [count x m] */
  double *gap, *mode;    /* [count x c]; NULL for a trajectory, and so are the next three */
  double *load;          /* [count x n] */
  double *ledger;        /* [count x VERIFY_QUASI_LEDGER] */
  double *residual;      /* [count] */
  double *F, *u;         /* [count x n], [count x m] the checker's own */
  verify_quasi_way *way; /* [count] */
  double *u_start;       /* [m] of the scene's initial state, or 0 */
  double *work;          /* [4 n] */
  double tolerance;      /* relative, of laws */
  double direction;      /* of trajectories: part of the forces by which friction may miss the direction of a way */
  double size_u, size_r; /* largest displacement and force of contacts, and what loads amount to there */
  double size_U;         /* largest displacement of the unknowns, in their units */
  verify_events events;
  double *release, *friction, *solutions; /* [events.count] */
} verify_quasi_motion;

static inline const double *verify_quasi_U(const verify_quasi_motion *m, size_t k) { return m->U + k * m->quasi->n; }
static inline const double *verify_quasi_F(const verify_quasi_motion *m, size_t k) { return m->F + k * m->quasi->n; }
static inline const double *verify_quasi_u(const verify_quasi_motion *m, size_t k) { return m->u + k * m->quasi->m; }
static inline const double *verify_quasi_r(const verify_quasi_motion *m, size_t k) { return m->r + k * m->quasi->m; }
/* Number of the first event that is shown by frame k or a later one. */
size_t thud_verify_quasi_first_event(const verify_quasi_motion *m, size_t k);

/* verify_quasistatic_laws.c: what is there once t, side, U and r are. */
thud_error thud_verify_quasi_prepare(verify_quasi_motion *m, double tolerance);
void thud_verify_quasi_motion_free(verify_quasi_motion *m);
/* Times, sides and ways of records; the loads of all frames, and jumps only where they may be. */
void thud_verify_quasi_structure(verify_quasi_motion *m, bool finished, thud_verify_check *check);
/* Two loads [n] at t are one, but for rounding; the factor widens or narrows what counts as that. */
bool thud_verify_quasi_same_load(const verify_quasi *quasi, double t, const double *a, const double *b, double factor);
/* The largest displacement and force, once the loads are there. */
void thud_verify_quasi_sizes(verify_quasi_motion *m);
void thud_verify_quasi_loads(verify_quasi_motion *m, thud_verify_check *jumps);
/* The loads that the record claims are those of the scene. */
void thud_verify_quasi_claimed_loads(const verify_quasi_motion *m, thud_verify_check *check);
void thud_verify_quasi_initial(const verify_quasi_motion *m, thud_verify_check *check);
void thud_verify_quasi_equilibrium(const verify_quasi_motion *m, thud_verify_check *check);
void thud_verify_quasi_gaps(const verify_quasi_motion *m, thud_verify_check *check);

/* verify_quasistatic_laws.c */
void thud_verify_quasi_law(const verify_quasi_motion *m, thud_verify_check *check);
void thud_verify_quasi_friction(const verify_quasi_motion *m, thud_verify_check *check);
void thud_verify_quasi_modes(const verify_quasi_motion *m, thud_verify_check *check);

/* verify_quasistatic_laws.c */
void thud_verify_quasi_energy(const verify_quasi_motion *m, thud_verify_check *check);
/* The jump that leads to frame k needs no energy. */
void thud_verify_quasi_release(const verify_quasi_motion *m, size_t k, thud_verify_check *check);
void thud_verify_quasi_jumps(const verify_quasi_motion *m, thud_verify_check *check);

/* verify_quasistatic_record.c, verify_quasistatic_trajectory.c */
thud_error thud_verify_quasi_trajectory(thud_context *context, const thud_tree *tree, const char *path,
                                        const thud_verify_options *options, thud_verify_result *result);

#endif
