/* Inside of the sweeps over bodies of at most 6 degrees of freedom.
 *
 * With a factor F of each inverse mass, M^-1 = F F', and G = J F, the motion is kept as z (v = v_free + F z):
 *   u = q + G_a z_a + G_b z_b,   q = J v_free + w,   an impulse dr changes z_a by G_a' dr and z_b by G_b' dr,
 * so that no mass is read in the sweep where G is kept. Contacts are visited in one of two ways: in lanes
 * (sweep_lanes.h), or one by one (sweep_visits.c), which takes every kind of contact. */
#ifndef THUD_SRC_SOLVE_SWEEP_TWO_BLOCK_H
#define THUD_SRC_SOLVE_SWEEP_TWO_BLOCK_H

#include "solve/sweep.h"
#include "solve/sweep_chunks.h"
#include "solve/sweep_lanes.h"

/* Contacts visited one by one; everything by visit. */
typedef struct thud_visits {
  size_t capacity;           /* contacts that there is room for, 0: none yet */
  double *G;                 /* [contacts*2*d*n] G_a, G_b row-major */
  double *q, *r;             /* [contacts*d] */
  double *W;                 /* [contacts*d*d] diagonal blocks */
  thud_index *body;          /* [2*contacts] */
  thud_one_contact *contact; /* [contacts] */
  double *mu;                /* [contacts*discs] */
} thud_visits;

struct thud_two_block_sweep {
  thud_context *context;
  size_t d, n, contacts, bodies;
  thud_contact_discs discs; /* of the problem */
  bool laws;                /* there are general ones: their sets serve one thread at a time */
  thud_two_block_choice choice;
  bool in_lanes;
  thud_index *order; /* [contacts] contact of each visit */
  thud_index
      *body; /* [2*contacts] first all a, then all b, in the order given; -1: the world, or a body that never moves */
  /* by body */
  double *F;            /* [bodies*n*n] row-major */
  bool *moves;          /* [bodies] F is not zero; where a contact or joint touches the body */
  double *z, *z_memory; /* [(bodies+1)*THUD_SWEEP_STRIDE] aligned to 64 bytes */
  /* colours */
  uint64_t *used;     /* [bodies] scratch */
  thud_index *colour; /* [contacts] scratch */
  thud_index *sorted; /* [contacts] scratch */
  thud_index start[THUD_COLOURS_MAX + 2], colours;
  thud_visits visits;
  thud_lanes lanes;
  thud_chunks chunks;         /* of visits, or of groups of lanes */
  thud_sweep_result *partial; /* [chunks] */
  size_t partial_capacity;
  thud_joint_sweep *joints; /* NULL: there are none */
  double *past;             /* the state after the last sweep: impulses as they lie in the sweep, then z */
  size_t past_capacity;
  /* of the sweep under way */
  const thud_gauss_seidel_options *options;
};

/* G_a = J_a F_a, then G_b (row-major d x n), and q = J v_free + w of contact k. */
void thud_two_block_project(const thud_two_block_sweep *sweep, const thud_two_block *bodies, size_t k, double *G,
                            double *q);
/* W = G_a G_a' + G_b G_b' (column-major d x d); G_b follows G_a. */
void thud_two_block_diagonal(size_t d, size_t n, const double *G, double *W);

/* ---- one by one ---------------------------------------------------------------------------------------------- */

thud_error thud_visits_update(thud_two_block_sweep *sweep, const thud_contact_problem *problem);
void thud_visits_free(thud_context *context, thud_visits *visits);
void thud_visits_load(thud_two_block_sweep *sweep, const double *r);
void thud_visits_store(const thud_two_block_sweep *sweep, double *r);
void thud_visits_run(const thud_two_block_sweep *sweep, size_t first, size_t end, thud_sweep_result *result);

/* ---- momentum ------------------------------------------------------------------------------------------------ */

/* Room for the past, at the end of an update. */
thud_error thud_sweep_past_reserve(thud_two_block_sweep *sweep);

/* ---- in lanes -------------------------------------------------------------------------------------------------- */

/* The groups of the colours in order: start[colours+2] as for contacts. The problem is one in space without laws. */
thud_error thud_lanes_update(thud_two_block_sweep *sweep, const thud_contact_problem *problem, size_t *start);
void thud_lanes_free(thud_context *context, thud_lanes *lanes);
void thud_lanes_load(thud_two_block_sweep *sweep, const double *r);
void thud_lanes_store(const thud_lanes *lanes, double *r);
void thud_lanes_run(const thud_two_block_sweep *sweep, size_t first, size_t end, thud_sweep_result *result);

#endif
