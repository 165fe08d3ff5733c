/* One engine on one scene, in a process of its own: time, and the judge's word on every step. */
#ifndef THUD_BENCH_BODIES_MEASURE_H
#define THUD_BENCH_BODIES_MEASURE_H

#include "apart.h"
#include "bodies.h"

enum { BENCH_MOST_STEPS = 1000 };

typedef struct bench_job {
  const char *module; /* a shared object with bench_engines, NULL: thud's */
  const char *engine;
  const bench_scene *scene;
  int settle, steps, runs;
  int judged; /* 0: time only */
  int rough;
  double limit;         /* processor seconds of all runs; 0: none */
  bench_state *settled; /* [scene->count] where the measured steps began; NULL: not wanted */
} bench_job;

/* Numbers over the steps of the first run, times of the best run. */
typedef struct bench_outcome {
  int steps;      /* that were made; fewer than wanted: `message` says why */
  int runs;       /* that were finished */
  double seconds; /* of a step: mean of the run in which it is least, processor time */
  double contacts;
  double residual_median, residual_worst, strict_median;
  double overlap;  /* worst, m */
  double excess;   /* worst */
  double momentum; /* worst */
  double drift;    /* of the energy in one second, in units of (mass of all) g half */
  double speed;    /* mean, m/s */
  int above;       /* steps with a residual above the scene's tolerance */
  int has_parts;
  bench_parts parts; /* of one step of the best run: seconds; allocations of all measured steps of that run */
  char message[BENCH_MESSAGE];
} bench_outcome;

/* 0: there are numbers; -1: not even one step, and `message` says why. */
int bench_measure(const bench_job *job, bench_outcome *outcome);

#endif
