/* Random systems of formulas whose equations of motion can be asked in quadruple precision. */
#ifndef THUD_TEST_QUAD_SCENES_H
#define THUD_TEST_QUAD_SCENES_H

#include "quad_formulas.h"
#include "systems.h"
#include "thud/event.h"

enum { QUAD_GAPS = 3 };

typedef struct quad_scene {
  int n, m;
  double q0[QUAD_COORDINATES], v0[QUAD_COORDINATES];
  int mass[QUAD_COORDINATES][QUAD_COORDINATES]; /* nodes; symmetric, -1: 0 */
  int potential, force[QUAD_COORDINATES], gap[QUAD_GAPS];
  quad_pool pool;
  thud_test_system source; /* borrows the texts */
  char kinetic[2 * QUAD_TEXT], potential_text[QUAD_TEXT], force_text[QUAD_COORDINATES][QUAD_TEXT];
  char gap_text[QUAD_GAPS][QUAD_TEXT], restitution[QUAD_GAPS][32];
} quad_scene;

/* 1 to 3 coordinates, masses that are constant or depend on them, potentials and forces with sin, exp, tanh, pulses,
 * polynomials and quotients, 1 to 3 gaps that are open at the start, some of them narrow. */
void thud_quad_scene_make(thud_random *random, quad_scene *scene);
/* M a - F - sum r_i grad g_i at s after the start of the arc, [n], and the gaps there, [m]. */
void thud_quad_at(const quad_scene *scene, const thud_event_arc *arc, quad s, quad *defect, quad *gap);

#endif
