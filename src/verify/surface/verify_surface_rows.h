/* Rows of a recorded membrane or plate. */
#ifndef THUD_SRC_VERIFY_SURFACE_VERIFY_SURFACE_ROWS_H
#define THUD_SRC_VERIFY_SURFACE_VERIFY_SURFACE_ROWS_H

#include "verify/surface/verify_surface.h"

enum {
  SURFACE_STRUCTURE,
  SURFACE_SUPPORTS,
  SURFACE_GAP,
  SURFACE_REACTION,
  SURFACE_COMPLEMENTARITY,
  SURFACE_EQUILIBRIUM,
  SURFACE_PLANE,
  SURFACE_FRICTION,
  SURFACE_SLIP,
  SURFACE_ENERGIES,
  SURFACE_FIGURES,
  SURFACE_EVENTS,
  SURFACE_SUMMARY,
  SURFACE_FINISHED,
  SURFACE_CHECKS
};

typedef struct surface_rows {
  thud_context *context;
  const verify_surface *surface;
  size_t count, n;
  bool complete; /* no row was left out */
  double tolerance;
  double *t, *side, *figures, *v, *s, *status, *potential, *slopes, *u, *r, *ledger; /* as in the record */
  double *forces, *sizes, *loads; /* workspaces; loads also of the row before */
} surface_rows;

/* surface_rows.c: all checks of row k. */
void thud_verify_surface_row(surface_rows *m, size_t k, thud_verify_check *checks);

/* What the reaction of row k consists of. */
typedef struct surface_measure {
  double atoms, rim, rim_error;
  double narrow; /* part of the rim where the contact is too narrow to tell its line force from its density */
  size_t loaded, atom_count;
} surface_measure;
thud_error thud_verify_surface_measure(const surface_rows *m, size_t k, surface_measure *found);
/* surface_rim.c: rim, rim_error and narrow of a plate; forces: s without atoms. */
thud_error thud_verify_surface_rim(const surface_rows *m, const double *s, double forces, surface_measure *found);

#endif
