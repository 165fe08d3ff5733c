/* Sweeps over contacts in space with the exact solver, four contacts of one colour at a time in the lanes of
 * lanes.h. Motions z are those of sweep_two_block.h. What a visit reads lies in groups of four contacts, field by
 * field. Two kinds of kinematics:
 *
 * frames: J_a = [E, K_a], J_b = -[E, K_b] with the rows e_i of a frame and k_i = lever x e_i, so that
 *   u = q + E (c_a - c_b),   c = velocity + spin x lever   at either body,
 *   p = E' dr acts on a: velocity by M^-1 p, spin by I^-1 (lever x p); on b the other way round,
 * where the factor of the inverse mass is F = [f 1, 0; 0, L]: velocity = f z_1..3, spin = L z_4..6. f and, where L = s 1
 * (spheres, cubes), s travel with z, else the six entries of L are kept beside it. 232 bytes per contact.
 *
 * general: G = J F as it is, 48 n + 112 bytes per contact with bodies of n degrees of freedom.
 *
 * Whether all contacts of a problem have frames is found out from its Jacobians (thud_lanes_update): levers are
 * computed from them, and the k_i made of these levers may differ from those given by rounding errors of the lever's
 * length only (FRAME_ROUNDING in sweep_lanes_fill.h). */
#ifndef THUD_SRC_SOLVE_SWEEP_LANES_H
#define THUD_SRC_SOLVE_SWEEP_LANES_H

#include "solve/sweep.h"

enum { THUD_LANES = 4 }; /* contacts per group */

typedef enum thud_lane_kinematics {
  THUD_LANES_SPHERES = 0, /* frames, every L = s 1 */
  THUD_LANES_FRAMES = 1,
  THUD_LANES_GENERAL = 2
} thud_lane_kinematics;

/* Four contacts; lanes without a contact have zeros everywhere and the body `bodies`, which never moves. */
typedef struct thud_lane_group {
  double r[3][THUD_LANES];
  thud_index body[2][THUD_LANES];
  double q[3][THUD_LANES];
  /* thud_space_lanes */
  double inverse_normal[THUD_LANES], k1[THUD_LANES], k2[THUD_LANES];
  double s11[THUD_LANES], s12[THUD_LANES], s22[THUD_LANES], mu[THUD_LANES];
  double geometry[][THUD_LANES]; /* E (9), lever_a (3), lever_b (3); or G_a, G_b (3n each) row by row */
} thud_lane_group;

typedef struct thud_lanes {
  thud_lane_kinematics kinematics;
  size_t n, bodies, groups;
  size_t stride; /* doubles per group */
  double *memory;
  size_t capacity;     /* of memory, in doubles */
  double *first;       /* the first group, aligned */
  thud_index *contact; /* [groups*THUD_LANES] -1: none */
  size_t contact_capacity;
  double *z;              /* [(bodies+1)*THUD_SWEEP_STRIDE] the sweep's, with f and s at its end */
  double *inertia;        /* [(bodies+1)*THUD_SWEEP_STRIDE] L00 L10 L11 L20 L21 L22, in inertia_memory */
  double *inertia_memory; /* NULL: has not been needed yet */
} thud_lanes;

/* The next multiple of 64 bytes, for which there must be room. */
double *thud_lanes_align(double *memory);

static inline thud_lane_group *thud_lanes_group(const thud_lanes *lanes, size_t group) {
  return (thud_lane_group *)(void *)(lanes->first + group * lanes->stride);
}

/* What groups with frames are made of. */
typedef struct thud_lane_source {
  const thud_two_block *bodies;
  const double *mu; /* [contacts], NULL: 0 */
} thud_lane_source;

/* The loops that there are twice. */
typedef struct thud_lanes_functions {
  /* Fills groups first..end-1 with frames, levers, W and q; r, bodies and the f, s and L of all bodies are there. False
   * when a contact has no frame. */
  bool (*fill)(const thud_lanes *lanes, const thud_lane_source *source, size_t first, size_t end);
  /* z += what follows from r in groups first..end-1. */
  void (*push)(const thud_lanes *lanes, size_t first, size_t end);
  /* Visits groups first..end-1, which are of one colour or follow each other in the overflow set; backwards when the
   * options say so. */
  void (*visit)(const thud_lanes *lanes, const thud_gauss_seidel_options *options, size_t first, size_t end,
                thud_sweep_result *result);
} thud_lanes_functions;

extern const thud_lanes_functions thud_lanes_plain, thud_lanes_avx2;

/* One lane by thud_space_solve. The load is that of the lane; r the new impulse. */
thud_one_contact_mode thud_lanes_solve_cold(const thud_lane_group *group, size_t lane, const double *load, double *r);

#endif
