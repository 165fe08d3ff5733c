/* A trajectory from elsewhere for a `system` scene, on its way to be checked: rows of a table, or pieces whose
 * coordinates are expressions of time. */
#ifndef THUD_SRC_VERIFY_SYSTEM_VERIFY_SYSTEM_PATH_H
#define THUD_SRC_VERIFY_SYSTEM_VERIFY_SYSTEM_PATH_H

#include "verify/system/verify_system.h"

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

#endif
