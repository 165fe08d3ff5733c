/* A column of masses over a floor: the systems of the benchmarks of motions. */
#ifndef THUD_BENCH_COLUMN_H
#define THUD_BENCH_COLUMN_H

#include "thud/model.h"

#include <stdbool.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_MOST_MASSES = 16, BENCH_MOST_IMPACTS = 256 };

/* Masses 1 on a vertical line over a floor: q_1 >= 0, q_{i+1} - q_i >= 0, constant force on each. */
typedef struct bench_column {
  int count;            /* masses and constraints */
  double gravity;       /* m/s^2 */
  double restitution;   /* of every constraint */
  double first, spread; /* q_i(0) = first + spread i, i = 0 .. count-1 (m); all at rest */
  double end;           /* s */
  int steps;
} bench_column;

/* Times and velocities of impacts, in their order. */
typedef struct bench_column_impacts {
  int count;
  double t[BENCH_MOST_IMPACTS];                    /* s */
  double v[BENCH_MOST_IMPACTS][BENCH_MOST_MASSES]; /* after the impact */
  double energy;                                   /* kinetic + potential after the last one (J) */
} bench_column_impacts;

/* Processor or wall time. */
double bench_seconds(clockid_t clock);
/* Kinetic + potential energy (J). */
double bench_column_energy(const bench_column *column, const double *q, const double *v);
/* Where the masses start. */
void bench_column_start(const bench_column *column, double *q);
/* As a scene would give it: expressions and a kinetic energy. inelastic: restitution 0 instead of the column's. */
thud_error bench_column_system(thud_context *context, const bench_column *column, bool inelastic, thud_system **system);
/* The first `limit` impacts from their closed form in long double: all masses fall alike, so that gaps between them
 * change linearly and the lowest mass follows its parabola. One contact at a time: columns with multiple impacts among
 * the first `limit` are not for this. */
void bench_column_exact(const bench_column *column, int limit, bench_column_impacts *impacts);

#ifdef __cplusplus
}
#endif
#endif
