/* Inside of Lagrangian systems.
 *
 * What a system can be asked for is a list of arrays (mass, force, gap ...), each with a shape in the sizes n, m, s,
 * laws and a THUD_AT_ part that it belongs to. A *source* fills arrays: the user's callbacks (callbacks.c) or compiled
 * expressions (expressions.c). system_evaluate.c does what is the same for both: choice of arrays, checks of what came back,
 * factor of the mass matrix, sum of the forces. */
#ifndef THUD_SRC_MODEL_SYSTEM_H
#define THUD_SRC_MODEL_SYSTEM_H

#include "base/base.h"
#include "model/loads.h"

/* The arrays, in the order in which they are filled. */
typedef enum model_array {
  MODEL_MASS,               /* [n*n] */
  MODEL_INERTIA,            /* [n] c(q,v) */
  MODEL_APPLIED,            /* [n] f(t,q,v) */
  MODEL_POTENTIAL,          /* [1] */
  MODEL_POTENTIAL_GRADIENT, /* [n] */
  MODEL_GAP,                /* [m] */
  MODEL_GRADIENT,           /* [m*n] */
  MODEL_RATE,               /* [m] */
  MODEL_SLIP,               /* [s*n] */
  MODEL_SLIP_RATE,          /* [s] */
  MODEL_FRICTION,           /* [laws] */
  MODEL_RESTITUTION,        /* [m] */
  MODEL_FORCE_DQ,           /* [n*n] */
  MODEL_FORCE_DV,           /* [n*n] */
  MODEL_ARRAYS
} model_array;

/* Bit of an array in the masks below. */
#define MODEL_BIT(array) (1u << (array))

/* Systems with more coordinates keep the entries of their matrices alone, where these have few. */
enum { MODEL_SPARSE_FROM = 24 };

/* Bits of THUD_AT_. */
enum { MODEL_PARTS = 8 };

typedef struct model_state model_state;

/* Entries of a matrix that has few of them; start NULL: all. Owned by the system. */
typedef struct model_pattern {
  thud_index *start, *column;
} model_pattern;

/* Where the numbers come from. All calls are const in the system: scratch lives in the state. */
typedef struct model_source {
  void (*destroy)(thud_system *system);
  /* Scratch for one state, NULL when none is needed; and its end. */
  thud_error (*create_scratch)(const thud_system *system, thud_context *context, void **scratch);
  void (*destroy_scratch)(thud_context *context, void *scratch);
  /* Fills the arrays of the mask (a subset of system->variable) of the state. On failure the message is complete. */
  thud_error (*fill)(const thud_system *system, model_state *state, unsigned arrays, double t, const double *q,
                     const double *v);
  /* NULL, or what the source itself has to say against a state (findings are errors with a complete message). */
  thud_error (*check_state)(const thud_system *system, model_state *state, double t, const double *q);
  /* Writes to `text` why entry `index` of the array, filled last, is not finite; NULL: nothing to add. */
  void (*explain)(const thud_system *system, model_state *state, model_array array, size_t index, char *text,
                  size_t capacity);
} model_source;

struct thud_system {
  thud_context *context;
  size_t n, m, laws, s;
  char **coordinates;               /* [n] */
  thud_constraint_def *constraints; /* [m] names are owned */
  thud_friction_def *friction;      /* [laws] names and sets are owned */
  bool allow_any_restitution;
  bool constant_mass;
  bool potential_moves;                /* the potential energy may depend on t */
  double *constant[MODEL_ARRAYS];      /* what a new state starts with, NULL: zero; restitution, a constant mass ... */
  double *mass_factor;                 /* [n*n] of a constant mass, else zero; NULL when the mass has a pattern */
  model_pattern pattern[MODEL_ARRAYS]; /* of the matrices; what the source fills are the entries of the pattern */
  bool has_patterns;
  unsigned variable; /* arrays that the source fills; the others keep what a new state has */
  unsigned short arrays_of_parts[1u << MODEL_PARTS]; /* of those, the ones that a mask of THUD_AT_ parts asks for */
  const model_source *source;
  thud_model_fn function[MODEL_ARRAYS]; /* callbacks: NULL: identically zero */
  void *user;
  struct model_expressions *expressions;
  struct model_replaced *replaced; /* formulas, and functions in the place of some */
  model_loads loads;
  struct model_factors *factors;       /* model/factors.h */
  struct model_thresholds *thresholds; /* model/thresholds.h; NULL: none depends on reactions */
};

/* What thud_system_values_create really makes: the values that users see, and the rest. */
struct model_state {
  thud_system_values values; /* first, so that a pointer to the values is one to the state */
  thud_context *context;     /* messages of evaluations go here: one per thread */
  const thud_system *system;
  double *array[MODEL_ARRAYS]; /* as the source fills them */
  size_t size[MODEL_ARRAYS];
  double *full[MODEL_ARRAYS];          /* the same with all entries; sparse values: NULL where there is a pattern */
  thud_system_sparse sparse;           /* of sparse values */
  thud_index *mass_place;              /* [entries] of the mass's pattern among those of sparse.mass */
  struct thud_sparse_metric *implicit; /* room for the metric of implicit schemes, NULL: none */
  double *numbers;                     /* the block in which the arrays lie */
  double *q, *v;                       /* [n] displaced states for differences */
  double *plus, *minus;                /* [max(n*n, m)] for differences */
  void *scratch;                       /* of the source */
  struct model_threshold_scratch *thresholds; /* NULL: none depends on reactions */
};

/* Whether the potential energy does work by itself, dV/dt. */
static inline bool thud_model_potential_moves(const thud_system *system) { return system->potential_moves; }
/* Whether gradients or rates of constraints may change along a motion. */
static inline bool thud_model_constraints_bend(const thud_system *system) {
  return (system->variable & (MODEL_BIT(MODEL_GRADIENT) | MODEL_BIT(MODEL_RATE))) != 0;
}
/* Whether the array is known: filled by the source, or constant. */
static inline bool thud_model_gives(const thud_system *system, model_array array) {
  return (system->variable & MODEL_BIT(array)) != 0 || system->constant[array] != NULL;
}
/* Numbers that the source gives for an array: the entries of its pattern, if it has one. */
size_t thud_model_array_size(const thud_system *system, model_array array);
/* The same with every entry of a matrix; its rows. */
size_t thud_model_full_size(const thud_system *system, model_array array);
size_t thud_model_row_count(const thud_system *system, model_array array);
/* Which entry of the full array entry `index` of the source's is. */
size_t thud_model_full_index(const thud_system *system, model_array array, size_t index);
/* Entry (i, j) of a matrix in the source's numbers; 0 where the pattern has none. */
THUD_FOR_IO double thud_model_number(const thud_system *system, model_array array, const double *numbers, size_t i,
                                     size_t j);
/* Copies the pattern; rows of increasing columns are checked. */
thud_error thud_model_set_pattern(thud_system *system, model_array array, const thud_pattern *pattern);
/* Patterns of a definition, whose counts are checked. */
thud_error thud_model_copy_patterns(const thud_system_def *def, thud_system *system);
/* Jacobians whose pattern has no entries are known. */
thud_error thud_model_note_no_jacobians(thud_system *system);
/* All entries of the arrays in the mask from those of their patterns. */
void thud_model_scatter(const thud_system *system, model_state *state, unsigned arrays);
/* The mass of a state into its sparse matrix, and the factor. */
thud_error thud_model_factorise_sparse(const thud_system *system, model_state *state);
/* What sparse values have: row lists, matrices; and their end. */
thud_error thud_model_begin_sparse(const thud_system *system, bool jacobians, model_state *state);
void thud_model_end_sparse(model_state *state);
/* "force of coordinate 'x'", "gradient of constraint 'floor' by 'x'" ... */
void thud_model_describe(const thud_system *system, model_array array, size_t index, char *text, size_t capacity);
/* " at t = 1, x = 2, x' = 3" (the first coordinates of many). */
void thud_model_describe_state(const thud_system *system, double t, const double *q, const double *v, char *text,
                               size_t capacity);
/* Names, kinds, sizes, sets. */
thud_error thud_model_check_definition(thud_context *context, const thud_system_def *def);
/* THUD_ERROR_OVERFLOW where full matrices would be needed and are too large. */
thud_error thud_model_check_size(thud_context *context, const thud_system_def *def);
/* An empty system with the definition's sizes and copies of its names, laws and constant mass. */
thud_error thud_model_create_bare(thud_context *context, const thud_system_def *def, thud_system **system);
/* M_ij and M_ji may differ by this much, relative to the larger of the two and of sqrt(M_ii M_jj); the mean is taken.
 */
#define MODEL_SYMMETRY_TOLERANCE 1e-12
/* Symmetry (made exact), then M = LL' with L row-major lower. THUD_ERROR_NOT_SPD names the entries or the coordinate.
 */
thud_error thud_model_factorise(const thud_system *system, thud_context *context, double *mass, double *factor);
/* force = f - dV/dq - c from the arrays. */
void thud_model_sum_forces(model_state *state);
/* Those Jacobians of the force that the source does not give, by central differences; leaves displaced forces behind.
 */
thud_error thud_model_difference_jacobians(const thud_system *system, model_state *state, double t, const double *q,
                                           const double *v);
/* Fills the arrays of the mask and checks that they are finite; no sums, no factor. */
thud_error thud_model_fill(const thud_system *system, model_state *state, unsigned arrays, double t, const double *q,
                           const double *v);

extern const model_source thud_model_callbacks;
/* Says which arrays the source fills. */
void thud_model_set_variable(thud_system *system, unsigned arrays);
/* Gives new states something else than zero to start with; numbers are copied. */
thud_error thud_model_set_constant(thud_system *system, model_array array, const double *numbers);
/* Makes the user's functions the source of the system. */
void thud_model_adopt_functions(const thud_system_functions *functions, thud_system *system);

/* ---- replaced.c ---- */

/* A system of expressions in which functions give some of the numbers. On success `formulas` belongs to it. */
THUD_FOR_IO thud_error thud_model_replace(thud_system *formulas, size_t count, const thud_system_replacement *items,
                                          thud_system **system);

/* ---- integrability.c ---- */

/* What Frobenius' condition says of the velocity forms of a system, together with its equations. */
typedef struct thud_integrability {
  int forms, places; /* how many forms there are; places at which it was evaluated: 0: none, nothing is known */
  bool integrable;   /* it holds at all places; false: it is violated: */
  bool at_start;     /* at the start already */
  thud_index form;   /* by this constraint, */
  double curl;       /* by so much, relative to the derivatives of the form */
  double worst;      /* over all places */
} thud_integrability;

/* At (t, q), and, without equations, at places around it. Nothing is found of systems with more than 64 coordinates. */
THUD_FOR_IO thud_error thud_model_integrability(thud_context *context, const thud_system *system, double t,
                                                const double *q, thud_integrability *found);

/* ---- friction_frame.c ---- */

/* What the translations of a body show of a contact with friction. */
typedef struct thud_model_frame {
  double scale;         /* |gradient of the gap| / |row of the slip|; NaN: as expected, or it cannot be seen */
  double expected;      /* what the scene says of it */
  double cosine;        /* largest |cosine| between them, 0: tangential */
  thud_index direction; /* the slip that it belongs to */
} thud_model_frame;

/* Compares gap and slips of a law where its contact closes, as near to (t,q) as Newton's method finds it; `scales` writes
 * what the ratios of all laws should be to room[laws]. Nothing is found of systems with a mass that changes or with more than 48 coordinates. Functions
 * that cannot be evaluated are no error here. */
THUD_FOR_IO thud_error thud_model_friction_frame(thud_context *context, const thud_system *system, thud_index law,
                                                 double t, const double *q, const double *v, thud_model_fn scales,
                                                 void *user, double *room, thud_model_frame *found);
/* Whether the slip of a frame is tangential, or nothing speaks against it. */
THUD_FOR_IO bool thud_model_frame_tangential(const thud_model_frame *found);

#endif
