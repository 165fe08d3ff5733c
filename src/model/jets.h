/* Taylor jets of a system made of expressions, for integrators that follow the motion as a power series.
 *
 * One program gives, along a path (t, q, v), everything that the equations of an arc need:
 *   M a = F + sum B_i' r_i,    u_i' = A_i a + gamma_i,    u_T' = S a + gamma_T
 * where u is the velocity of a constraint (dg/dt, or the form a.v + b itself) and gamma the part of u' without
 * acceleration. Slips are those in the frames of their laws (model/factors.h). All of it depends on t, q, v alone, so that order k of the outputs needs order k of t, q, v. */
#ifndef THUD_SRC_MODEL_JETS_H
#define THUD_SRC_MODEL_JETS_H

#include "model/system.h"

/* Places of the arrays among the outputs of the program; row-major. */
typedef struct model_jet_layout {
  size_t mass;            /* [n*n] */
  size_t force;           /* [n] F = f - dV/dq - c */
  size_t applied;         /* [n] f */
  size_t potential_rate;  /* [1] dV/dt at fixed q */
  size_t gap;             /* [m] 0 for velocity constraints */
  size_t velocity;        /* [m] u */
  size_t gradient;        /* [m*n] A */
  size_t convective;      /* [m] gamma */
  size_t slip;            /* [s*n] S */
  size_t slip_velocity;   /* [s] u_T */
  size_t slip_convective; /* [s] gamma_T */
  size_t friction;        /* [laws] mu or threshold */
  size_t potential;       /* [1] V where it may jump, 0 otherwise: its switches are those of the program */
  size_t count;
} model_jet_layout;

typedef struct model_jets {
  const thud_expr_program *program; /* borrowed from the system */
  model_jet_layout layout;
  thud_index slot_t;
  const thud_index *slot_q, *slot_v; /* [n] places in the variable vector of 1 + 2 n */
  bool may_jump, potential_jumps;    /* M or V contain operations that jump; V does */
} model_jets;

void thud_model_lay_out_jets(const thud_system *system, model_jet_layout *layout);
/* Whether the system is made of expressions; otherwise it is given by functions in C. */
bool thud_model_has_expressions(const thud_system *system);
/* THUD_ERROR_UNSUPPORTED, with the reason, when the system has no jets: made of callbacks, or of expressions with data
 * whose derivative is not known. */
thud_error thud_model_get_jets(const thud_system *system, thud_context *context, model_jets *jets);
/* What the text number k of the expressions is ("force of coordinate 'x'"), or "a derivative". */
const char *thud_model_text_name(const thud_system *system, thud_index text);

#endif
