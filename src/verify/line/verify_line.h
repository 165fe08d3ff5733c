/* Strings and beams over obstacles with friction: the checker's reading of scenes and records.
 *
 * Nothing is assembled here: displacements are integrated from the left end to the right one under the loads and the
 * recorded reactions (verify_line_read.c), which is exact in one dimension, and compared with those in the record. */
#ifndef THUD_SRC_VERIFY_LINE_VERIFY_LINE_H
#define THUD_SRC_VERIFY_LINE_VERIFY_LINE_H

#include "thud/record.h"
#include "verify/system/verify_system_frames.h"
#include "verify/verify_scene.h"
#include "verify/verify_record.h"

enum { VERIFY_LINE_LEDGER = 5, VERIFY_LINE_FIELDS = 4 };
enum { VERIFY_LINE_V_LEFT, VERIFY_LINE_V_RIGHT, VERIFY_LINE_U_LEFT, VERIFY_LINE_U_RIGHT, VERIFY_LINE_LIFT };

typedef struct verify_line_load {
  bool along;   /* longitudinal */
  size_t first; /* of its values: place and force, or the factor of the density */
  double width; /* of a point force; 0: an atom */
  bool spread;  /* a density instead of a point force */
  verify_value density;
} verify_line_load;

/* Time and side of a frame that the run hands out. */
typedef struct verify_line_stop {
  double t, side;
} verify_line_stop;

typedef struct verify_line {
  verify_scene scene; /* its values: ends, lift, those of the loads */
  bool beam;
  size_t n;
  double *x, *initial; /* [n] */
  bool rests;          /* there is an obstacle: */
  verify_value obstacle;
  double stiffness, extension, mu;
  size_t load_count;
  verify_line_load *loads;
  double levels; /* of the judgement, 0: none */
  char **names;  /* [VERIFY_LINE_FIELDS * n] "u(0.25)", ... */
  size_t stop_count;
  verify_line_stop *stops;
} verify_line;

thud_error thud_verify_line_create(thud_context *context, const thud_tree *tree, bool beam, verify_line **line);
void thud_verify_line_destroy(verify_line *line);

/* A function of place and time at node i. */
double thud_verify_line_field(const verify_line *line, const verify_value *field, size_t i, double t, thud_side side);

/* ---- shapes ---------------------------------------------------------------------------------------------------------- */

/* Loads of one direction by cells: sums of force times y^m/m!, m = 0..3, y the distance to the right end of the cell. */
typedef double verify_line_sums[4];
typedef struct verify_line_cells {
  verify_line_sums *G; /* [n-1] */
  double size;         /* sum of all |forces| */
} verify_line_cells;

void thud_verify_line_loads(const verify_line *line, bool along, double t, thud_side side, verify_line_cells *cells);
/* w[n]: the displacement under the cells' loads and forces[n] on the nodes, with these values at the ends. Of a string
 * (bending false) under this tension, or a supported beam. */
void thud_verify_line_shape(const verify_line *line, bool bending, double stiffness, const verify_line_cells *cells,
                            const double *forces, const double ends[2], double *w);

/* ---- a motion -------------------------------------------------------------------------------------------------------- */

typedef struct verify_line_motion {
  thud_context *context;
  const verify_line *line;
  size_t count;
  double *t, *side;        /* [count] */
  double *u, *v, *s, *r;   /* [count x n] */
  double *variation;       /* [count] */
  double *ledger;          /* [count x VERIFY_LINE_LEDGER] */
  bool complete;           /* every step is there */
  size_t *stop;            /* [count] number of the frame among all that the run hands out */
  verify_line_cells cells; /* room */
  double *work;            /* [n] */
  double *moved;           /* [count] H1 seminorm of the step to the frame; NaN: unknown */
  verify_events events;
  double *event_moved; /* [events.count] */
} verify_line_motion;

static inline thud_side verify_line_side(const verify_line_motion *m, size_t k) {
  return m->side[k] < 0 ? THUD_SIDE_LEFT : m->side[k] > 0 ? THUD_SIDE_RIGHT : THUD_SIDE_VALUE;
}
/* Rounding of the displacement w[n] of the run, of a kink of it at one node, and (beams) of its curvature. */
typedef struct verify_line_rounding {
  double whole, kink, curve;
} verify_line_rounding;
verify_line_rounding thud_verify_line_rounding(const verify_line *line, bool bending, double stiffness, double load,
                                               const double *w);

#endif
