/* What the checker understands of a `particles_on_line` scene, and the frames of its record. Matrices row by row. */
#ifndef THUD_SRC_VERIFY_LINE_H
#define THUD_SRC_VERIFY_LINE_H

#include "thud/record.h"
#include "verify/scene.h"
#include "verify/tally.h"

enum { VERIFY_LINE_NAME = 24 };

/* An atom: bound[n] = c gamma_i N_i. */
typedef struct verify_atom {
  double t;
  double *bound;
} verify_atom;

typedef struct verify_line {
  verify_scene scene;
  size_t n;
  bool implicit;
  char (*default_names)[VERIFY_LINE_NAME];             /* [n] */
  double *mass, *stiffness, *viscosity;                /* [n*n] */
  double inverse_norm, stiffness_norm, viscosity_norm; /* largest row sums of M^-1, K, V */
  double *friction, *q0, *v0;                          /* [n] */
  verify_value *density, *force, *transport;           /* [n] */
  size_t atom_count, atom_capacity;
  verify_atom *atoms; /* sorted */
} verify_line;

/* The tree must outlive it. */
thud_error verify_line_create(thud_context *context, const thud_tree *tree, verify_line **line);
void verify_line_destroy(verify_line *line);
/* Checks a record of a `particles_on_line` scene. */
thud_error verify_line_record(thud_context *context, thud_record_reader *reader, const thud_tree *tree,
                              double tolerance, thud_verify_result *result);
bool verify_is_line(const thud_tree *tree);

#endif
