/* What the checker understands of a scene: read from the tree by its own code, evaluated by its own code. */
#ifndef THUD_SRC_VERIFY_VERIFY_SCENE_H
#define THUD_SRC_VERIFY_VERIFY_SCENE_H

#include "base/base.h"
#include "thud/expr.h"
#include "thud/tree.h"

/* A number of the scene: a constant or an expression of time. */
typedef struct verify_value {
  thud_expr *expr; /* NULL: constant */
  double constant;
} verify_value;

typedef enum verify_kind {
  VERIFY_HALF_SPACE,
  VERIFY_BOX,
  VERIFY_BALL,
  VERIFY_ELLIPSOID,
  VERIFY_COULOMB_CONE,
  VERIFY_COULOMB_DUAL_CONE,
  VERIFY_POLYHEDRON, /* affine sets too: every row an equality */
  VERIFY_GRADIENTS,
  VERIFY_GENERATORS,
  VERIFY_HALF_LINE,
  VERIFY_SEGMENT,
  VERIFY_PRODUCT,
  VERIFY_SUM,
  VERIFY_INTERSECTION,
  VERIFY_TRANSLATION,
  VERIFY_SCALING,
  VERIFY_IMAGE,
  VERIFY_PREIMAGE,
  VERIFY_POLAR
} verify_kind;

/* A set of the scene. Its numbers are in one list for the whole scene from `first` on, in the order of the keys as
 * the schema names them, matrices row by row; the operands' numbers are theirs. */
typedef struct verify_set verify_set;
struct verify_set {
  verify_kind kind;
  size_t n;          /* dimension */
  size_t first;      /* of its numbers */
  size_t rows;       /* of its matrix, if it has one */
  size_t equalities; /* first rows of a polyhedron that hold with = */
  size_t operand_count;
  verify_set *operands; /* [operand_count] */
};

/* One entry of `data:`. */
typedef struct verify_data {
  const struct verify_scene *scene;
  size_t break_count;
  double *breaks;       /* [break_count] */
  verify_value *pieces; /* [break_count+1] */
  verify_value *at;     /* [break_count] values at the breaks, or NULL */
  bool left;            /* without `at`: the value at a break is the left limit */
  double *jumps;        /* [jump_count] breaks and jumps inside the pieces, sorted */
  size_t jump_count, jump_capacity;
  thud_regulated function;
} verify_data;

typedef struct verify_scene {
  thud_context *context;
  const char *method; /* borrowed from the tree, as the names */
  bool regularised;
  double start, end, steps, lambda, tolerance;
  double levels;       /* of `classify`, 0: none */
  double record_every; /* 0: every step */
  size_t n;
  const char **names;  /* [n] coordinates */
  double *initial;     /* [n] */
  double *metric;      /* [n] or [n x n], NULL: Euclidean */
  double *metric_root; /* Cholesky factor of a full metric */
  bool metric_full;
  double metric_low, metric_high; /* bounds of its eigenvalues */
  verify_set set;
  verify_value *values; /* [value_count] the sets' numbers */
  size_t value_count, value_capacity;
  double *jumps; /* [jump_count] times within [start, end] at which the set may jump, sorted, no repeats */
  size_t jump_count, jump_capacity;
  verify_data *data;
  size_t data_count;
  thud_expr_scope *scope;
  thud_index time_slot;
  /* of sweeping processes: */
  double *variables;          /* [1 + n] t and the state of expressions; NULL: t alone */
  thud_index *slots;          /* [n] of the coordinates in them, -1: none */
  verify_value *perturbation; /* [n] NULL: none */
  bool follows;               /* numbers of the set depend on the state */
  double *nodes;              /* [steps + 1] of an explicit partition, with start and end; NULL: equal steps */
  bool *points;               /* [steps + 1] nodes that are intervals of their own, and have two rows */
} verify_scene;

/* The tree must outlive the scene. */
thud_error thud_verify_scene_create(thud_context *context, const thud_tree *tree, verify_scene **scene);
void thud_verify_scene_destroy(verify_scene *scene);

/* The sets' numbers at t-, t or t+; numbers[value_count]. False when one of them is NaN or, where the scene does not
 * say null, infinite. */
bool thud_verify_scene_place(const verify_scene *scene, double t, thud_side side, double *numbers);
/* Does the set jump at t? (bit for bit) */
bool thud_verify_scene_jumps_at(const verify_scene *scene, double t);
/* out = M x */
void thud_verify_scene_apply_metric(const verify_scene *scene, const double *x, double *out);
/* out = M^-1 x */
void thud_verify_scene_solve_metric(const verify_scene *scene, const double *x, double *out);
double thud_verify_scene_metric_norm(const verify_scene *scene, const double *x, double *scratch);

/* Expressions are evaluated at this state, u[n], from now on. */
void thud_verify_scene_at_state(const verify_scene *scene, const double *u);
/* The last time of the partition (its nodes, or start + k (end-start)/steps, and jumps) before t, and whether it is a jump;
 * t itself when t <= start. */
double thud_verify_scene_time_before(const verify_scene *scene, double t, bool *is_jump);

/* ---- shared by the files that read scenes ---- */

/* The scope with t and the parameters. */
thud_error thud_verify_scene_open(verify_scene *scene, const thud_node *root);
/* Frees what the scene holds, not itself. */
void thud_verify_scene_free(verify_scene *scene);
thud_error thud_verify_read_parameters(verify_scene *scene, const thud_node *node);
/* start and end of `simulate`; the number of equal steps from `step` or `steps`. */
thud_error thud_verify_read_span(verify_scene *scene, const thud_node *simulate);
thud_error thud_verify_read_steps(verify_scene *scene, const thud_node *simulate);
thud_error thud_verify_read_thinning(verify_scene *scene, const thud_node *root);
thud_error thud_verify_read_names(verify_scene *scene, const thud_node *list);
/* A constant that may be missing: *value is then left as it is. */
thud_error thud_verify_read_optional(verify_scene *scene, const thud_node *map, const char *key, double *value);

thud_error thud_verify_read_value(verify_scene *scene, const thud_node *node, verify_value *value);
thud_error thud_verify_read_constant(verify_scene *scene, const thud_node *node, double *value);
double thud_verify_value_at(const verify_scene *scene, const verify_value *value, double t, thud_side side);
/* Adds the value's jumps within [from, to] to the list. */
thud_error thud_verify_value_jumps(verify_scene *scene, const verify_value *value, double from, double to,
                                   double **times, size_t *count, size_t *capacity);
/* How many of the sorted times are less than t. */
size_t thud_verify_times_before(const double *times, size_t count, double t);
/* Sorts and drops repeats. */
void thud_verify_sort_times(double *times, size_t *count);
/* The piece of data that holds from one time to another. */
bool thud_verify_data_piece(const thud_regulated *function, double from, double to, const thud_expr **expr,
                            double *constant);
thud_error thud_verify_read_data(verify_scene *scene, const thud_node *node);
void thud_verify_free_data(verify_scene *scene);
/* A copy of the tree in which families of `data` are written out as plain lists; *copy stays as it is when there are none. */
thud_error thud_verify_write_families(thud_context *context, const thud_tree *tree, thud_tree **copy);
/* n: dimension that the set must have, 0: any. */
thud_error thud_verify_read_set(verify_scene *scene, const thud_node *node, size_t n, verify_set *set);
void thud_verify_free_set(thud_context *context, verify_set *set);
/* The next number of the sets: a value, which is freed also on failure, or a node. */
thud_error thud_verify_add_value(verify_scene *scene, verify_value value);
thud_error thud_verify_add_number(verify_scene *scene, const thud_node *node);

#endif
