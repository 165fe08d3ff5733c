/* Inside of a convex set: a tree node with one const class (the set's kind), its own numbers and its operands. */
#ifndef THUD_SRC_CONVEX_SET_H
#define THUD_SRC_CONVEX_SET_H

#include "thud/convex.h"
#include "base/base.h"
#include "convex/view.h"

typedef struct thud_lift thud_lift;
typedef struct thud_lift_size thud_lift_size;
typedef struct thud_expression thud_expression;
typedef struct thud_lift_solution thud_lift_solution;
typedef struct thud_polyhedral thud_polyhedral;
typedef struct thud_splitting thud_splitting;
typedef struct thud_settled thud_settled;

/* How many numbers a part of the parameters has, in terms of the node's shape. */
typedef enum thud_part_size {
  THUD_PART_NONE = 0,
  THUD_PART_ONE,    /* 1 */
  THUD_PART_N,      /* n */
  THUD_PART_NN,     /* n*n */
  THUD_PART_M,      /* m */
  THUD_PART_MN,     /* m*n: rows of length n */
  THUD_PART_OPERAND /* n times the dimension of the only operand */
} thud_part_size;

typedef struct thud_set_part {
  const char *name;
  thud_part_size size;
  bool may_be_infinite;
} thud_set_part;

enum { THUD_SET_PARTS = 2 };

/* One kind of set. Functions may assume: own parameters are finite (unless may_be_infinite), y does not alias x,
 * info is not NULL and starts as { THUD_EXACT, true, 0, 0 }, the operands are up to date. */
typedef struct thud_set_class {
  const char *kind;
  thud_set_part parts[THUD_SET_PARTS];
  /* Doubles of class workspace for the node's shape; NULL: none. False when the size does not fit. */
  bool (*work_size)(const thud_set *set, size_t *count);
  /* Allocates engines that depend on the shape; what it made is freed with the node. NULL: nothing to do. */
  thud_error (*prepare)(thud_set *set);
  /* Checks the own parameters and recomputes what is derived from them and from the operands. Must depend on nothing
   * else, so that moving a set and rebuilding it give the same bits. NULL: nothing to do. */
  thud_error (*refresh)(thud_set *set);
  thud_set_abilities (*abilities)(const thud_set *set);
  thud_error (*project)(thud_set *set, const thud_metric_view *metric, const double *x, double *y, thud_set_info *info);
  /* value and point (never NULL here; meaningful only when the value is finite). */
  thud_error (*support)(thud_set *set, const double *d, double *value, double *point, thud_set_info *info);
  /* How the set enters a lifted description (lift.h); NULL: as a block, through its own projection. */
  void (*lift_size)(const thud_set *set, thud_lift_size *size);
  void (*lift)(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor);
} thud_set_class;

struct thud_set {
  const thud_set_class *kind;
  thud_context *context;
  thud_index n;             /* dimension */
  thud_index m, equalities; /* rows or generators, and how many of the rows are equations (else 0) */
  thud_index child_count;
  thud_set **children;    /* [child_count] owned */
  size_t own_count;       /* parameters of this node */
  size_t parameter_count; /* of the tree below and including this node */
  double *own;            /* [own_count] */
  double *saved;          /* [parameter_count] what set_parameters restores on failure */
  double *query;          /* [4n] scratch of the public queries */
  double *work;           /* class workspace */
  size_t work_count;
  bool recession;   /* true: stands for its recession cone (inside a scaling by 0) */
  double tolerance; /* of iterative queries, relative */
  thud_index max_iterations;
  thud_polyhedral *polyhedral; /* exact engine of polyhedral nodes, or NULL */
  thud_splitting *splitting;   /* iterative engine of other combinators, or NULL */
  thud_settled *settled;       /* exact projections of a set that keeps its parameters, or NULL */
  thud_lift *operand_lift;     /* polar: the operand's lifted description, or NULL */
  bool is_regular;             /* image and preimage: the matrix is square and well conditioned */
};

/* Relative tolerance of decisions about polyhedra: feasibility of a row, rank, a recession direction. */
#define THUD_POLYHEDRAL_TOLERANCE 1e-13
#define THUD_RECESSION_TOLERANCE 1e-11

/* Makes a node and takes the operands over; own[] are its parameters. On failure the operands stay the caller's. */
typedef struct thud_set_shape {
  thud_index n, m, equalities;
  thud_index child_count;
  thud_set *const *children;
} thud_set_shape;
thud_error thud_set_make(thud_context *context, const thud_set_class *kind, const thud_set_shape *shape,
                         const double *own, thud_set **set);
/* The same for parameters given in up to two pieces, in the order of the class's parts. */
thud_error thud_set_make_from(thud_context *context, const thud_set_class *kind, const thud_set_shape *shape,
                              const double *first, const double *second, thud_set **set);

/* THUD_OK, or the error for a dimension or count below the minimum / a missing array. */
thud_error thud_check_at_least(thud_context *context, const char *kind, const char *name, thud_index value,
                               thud_index minimum);
/* A leaf: dimension n at least minimum, arrays and the place of the result present. */
thud_error thud_check_leaf(thud_context *context, const char *kind, thud_index n, thud_index minimum,
                           const double *first, const double *second, const void *result);
thud_error thud_check_operands(thud_context *context, const char *kind, thud_index count, thud_set *const *operands,
                               const void *result);

/* settled.c: the set will keep its parameters for long. Projections in the plane, and onto one ball or ellipsoid cut by
 * polyhedra, become exact, until a parameter changes; others stay as they are. */
thud_error thud_set_settle(thud_set *set);

/* Projection and support of an operand with a fresh info. */
thud_error thud_set_project_view(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                 thud_set_info *info);
thud_error thud_set_support_inside(thud_set *set, const double *d, double *value, double *point, thud_set_info *info);
/* Switches a tree between itself and its recession cone, and refreshes what depends on it. */
thud_error thud_set_mark_recession(thud_set *set, bool recession);
thud_exactness thud_worse(thud_exactness a, thud_exactness b);
/* Joins what an operand's answer says into the answer made from it: worst exactness, sum of iterations; the gap is
 * left to the caller. */
void thud_info_join(thud_set_info *info, const thud_set_info *operand);

/* A bounded set's recession cone is { 0 }. */
thud_error thud_project_to_origin(thud_set *set, double *y);

extern const thud_set_class thud_class_box, thud_class_half_space, thud_class_ball, thud_class_ellipsoid,
    thud_class_coulomb, thud_class_coulomb_dual, thud_class_polyhedron, thud_class_gradients, thud_class_generators,
    thud_class_affine, thud_class_half_line, thud_class_segment, thud_class_product, thud_class_translation,
    thud_class_scaling, thud_class_sum, thud_class_image, thud_class_preimage, thud_class_intersection,
    thud_class_polar, thud_class_generalized_coulomb;

#endif
