/* Siconos' Moreau-Jean scheme on a column of masses, when its kernel was found while configuring. */
#ifndef THUD_BENCH_SICONOS_MOTION_H
#define THUD_BENCH_SICONOS_MOTION_H

#ifdef __cplusplus
extern "C" {
#endif

/* Masses 1 on a vertical line over a floor: q_1 >= 0, q_{i+1} - q_i >= 0, constant force on each. */
typedef struct bench_column {
  int count;            /* masses and constraints */
  double gravity;       /* m/s^2 */
  double restitution;   /* of every constraint */
  double first, spread; /* q_i(0) = first + spread i, i = 0 .. count-1 (m); all at rest */
  double end;           /* s */
  int steps;
} bench_column;

typedef struct bench_motion_times {
  double cpu, wall;   /* s, of all steps */
  double penetration; /* at the end of the run: most negative gap */
  double energy;      /* kinetic + potential at the end (J) */
} bench_motion_times;

/* One run, nothing written out. bodies: every mass is a dynamical system of its own, as Siconos has it with bodies;
 * otherwise all are the coordinates of one. 0: done, -1: not built in or failed. */
int bench_siconos_column(const bench_column *column, int bodies, bench_motion_times *times);

#ifdef __cplusplus
}
#endif
#endif
