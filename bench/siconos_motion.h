/* Siconos' Moreau-Jean and event-driven schemes on a column of masses, when its kernel was found while configuring. */
#ifndef THUD_BENCH_SICONOS_MOTION_H
#define THUD_BENCH_SICONOS_MOTION_H

#include "column.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_motion_times {
  double cpu, wall;   /* s, of all steps */
  double penetration; /* at the end of the run: most negative gap */
  double energy;      /* kinetic + potential at the end (J) */
} bench_motion_times;

/* One run, nothing written out. bodies: every mass is a dynamical system of its own, as Siconos has it with bodies;
 * otherwise all are the coordinates of one. 0: done, -1: not built in or failed. */
int bench_siconos_column(const bench_column *column, int bodies, bench_motion_times *times);

/* EventDriven with LsodarOSI until `limit` impacts or column->end. tolerance: of LSODAR, relative and absolute; 0: as
 * Siconos has it (2e-15 and 2e-14). steps is not read. 0: done, -1: failed. */
int bench_siconos_events(const bench_column *column, int bodies, double tolerance, int limit,
                         bench_column_impacts *impacts, bench_motion_times *times);

#ifdef __cplusplus
}
#endif
#endif
