/* A trajectory from elsewhere for a `system` scene, on its way to be checked: rows of a table, or pieces whose
 * coordinates are expressions of time. */
#ifndef THUD_SRC_VERIFY_SYSTEM_VERIFY_SYSTEM_ARCS_H
#define THUD_SRC_VERIFY_SYSTEM_VERIFY_SYSTEM_ARCS_H

#include "verify/system/verify_system.h"
#include "verify/verify_result.h"

/* One entry of `pieces`: expressions of t and, in a family, of its index. */
typedef struct verify_piece {
  thud_expr *until;
  thud_expr_program *program; /* q, dq/dt, d2q/dt2 */
  thud_expr_work *work;
  thud_index index_slot; /* -1: no family */
} verify_piece;

/* The smooth motion between two times. Of a table: rows first .. last. */
typedef struct verify_arc {
  double from, to;
  size_t piece;
  double index;
  size_t first, last;
} verify_arc;

typedef struct verify_path {
  thud_context *context;
  const verify_system *system;
  size_t n;
  verify_arc *arcs;
  size_t arc_count, arc_capacity;
  /* pieces */
  verify_scene names; /* the scope of the expressions */
  verify_piece *pieces;
  size_t piece_count;
  double *variables, *out; /* out: [3 n] */
  /* rows of a table */
  size_t rows;
  double *t, *side, *q, *v; /* [rows], [rows x n] */
} verify_path;

/* Reads FILE.yaml, .yml or .json as pieces, anything else as a table. `scene` is the tree of the scene. */
thud_error thud_verify_path_read(verify_path *path, const thud_tree *scene, const char *file);
void thud_verify_path_free(verify_path *path);
static inline bool verify_path_is_table(const verify_path *path) { return path->t != NULL; }

/* Position, velocity and acceleration (may be NULL) of a path of pieces at a time of the arc; false: not finite. */
bool thud_verify_path_at(verify_path *path, const verify_arc *arc, double t, double *q, double *v, double *a);

/* ---- the exact statement of a motion, asked of a trajectory ------------------------------------------------------ */

/* The exact statement of a motion, asked of a trajectory: shared by the files that check it. */

typedef struct verify_path_checks {
  thud_verify_check structure, initial, position, velocity, constraints, motion, friction, impact, energy;
  const char *unit; /* rows or pieces, */
  size_t asked;     /* so many */
} verify_path_checks;

/* A trajectory with its scene, its sizes and room to work. */
typedef struct verify_flight {
  thud_context *context;
  verify_system *system;
  verify_path *path;
  size_t n, m, s;
  double tolerance;     /* relative */
  double row_tolerance; /* between rows of a table, relative */
  double resolved;      /* largest difference of two rules between rows, Simpson's and the trapezoidal one, relative */
  double samples;       /* times at which a piece is asked */
  double *gap_size;     /* [m] largest |gap| and |dg/dq| |q| */
  double *slip_size;    /* [s] largest slip velocity */
  double *q_size;       /* [n] largest |q| */
  double speed;         /* largest |v| in the kinetic metric */
  double force;         /* largest |M^-1 F| in the kinetic metric */
  verify_values at;
  double *memory;  /* owns what follows */
  double *work;    /* [12 n] */
  double *found;   /* [m+s] */
  double *shifted; /* [2 s + n] */
  double *kept;    /* [6 n] states of the caller of thud_verify_flight_reactions */
  double *ends;    /* [4 n] states at a join */
  double *columns; /* [(m+s) x n] L^-1 of the rows that may have reactions */
  double *x;       /* [m+s] */
  size_t *source;  /* [m+s] which row each column is: constraint i, or m + slip component */
  bool *is_free;   /* [m+s] */
  bool *closed;    /* [2 m], the second half is scratch */
  verify_path_checks checks;
} verify_flight;

/* What a state says about the constraints: at least that they are satisfied. f->at holds the state. */
void thud_verify_flight_constraints(verify_flight *f, double t, size_t row, const double *v);
/* f->at holds the state (t, q, v); momentum [n] is what reactions must make up for, M a - F or a multiple of it. scale:
 * size, in the kinetic metric, of the terms whose difference it is; `relative` the accepted part of it. Constraints
 * with f->closed may react. */
thud_error thud_verify_flight_reactions(verify_flight *f, double t, size_t row, const double *v, const double *momentum,
                                        double scale, double relative, double duration);
/* Marks in f->closed what lasts at the state f->at: gaps that are 0 and do not change, forms that are engaged. */
void thud_verify_flight_lasting(verify_flight *f, const double *v);
/* f->at holds (t, q, left): the jump from left to right. */
thud_error thud_verify_flight_impact(verify_flight *f, double t, size_t row, const double *left, const double *right);
double thud_verify_kinetic_length(const verify_flight *f, const verify_values *values, const double *momentum);

/* Everything between jumps of a table. */
thud_error thud_verify_flight_rows(verify_flight *f, const verify_arc *arc);

#endif
