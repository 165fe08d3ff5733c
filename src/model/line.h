/* Inside of a line of particles; included by model/line*.c only. */
#ifndef THUD_SRC_MODEL_LINE_H
#define THUD_SRC_MODEL_LINE_H

#include "base/base.h"
#include "thud/line.h"

typedef struct line_atom {
  double t, weight;
  double *bound; /* [n] */
} line_atom;

struct thud_line {
  thud_context *context;
  thud_index n;
  double *mass, *inverse_mass, *stiffness, *viscosity; /* [n*n] */
  double smallest_mass;                                /* eigenvalue */
  double *friction;                                    /* [n] */
  thud_expr_program *program;
  thud_index time_slot;
  double start, end;
  size_t atom_count, atom_capacity;
  line_atom *atoms;
  size_t family_count;
  thud_line_truncation *truncations; /* [family_count] */
  /* for reading atoms */
  thud_expr_work *work;
  double *variables; /* [variable count of the program] */
  double *outputs;   /* [3n] */
};

/* The atoms of the definition, sorted, those at the same time put together (line_atoms.c). */
thud_error line_read_atoms(thud_line *line, thud_expr_scope *scope, const thud_line_def *def, thud_line_place *place);

#endif
