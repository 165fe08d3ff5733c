/* Steps per second of Lagrangian motions: a bouncing ball and a column of ten masses with ten unilateral constraints,
 * by every scheme, beside Siconos' Moreau-Jean where it is installed. Nothing is written out while a motion runs.
 *   bench_motion [SYSTEM [METHOD]]: one of them only, for a profiler; a METHOD leaves Siconos out. */
#include "siconos_motion.h"
#include "thud/stepping.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 5 };

typedef struct bench_case {
  const char *name;
  bench_column column;
} bench_case;

static const bench_case cases[] = {
    /* C2-like: Zeno after 8.6 s, at rest on the floor then */
    {"ball", {.count = 1, .gravity = 9.81, .restitution = 0.9, .first = 1, .end = 10, .steps = 200000}},
    /* falls, collides with its neighbours and the floor, stands after about 1 s with all contacts closed */
    {"chain",
     {.count = 10, .gravity = 9.81, .restitution = 0.5, .first = 0.1, .spread = 0.1, .end = 2, .steps = 20000}},
    /* all contacts closed from the first step on */
    {"resting-chain", {.count = 10, .gravity = 9.81, .end = 1, .steps = 10000}},
};

static void stop_on(thud_context *context, thud_error error) {
  if (error == THUD_OK) return;
  fprintf(stderr, "bench-motion: %s\n", thud_context_last_message(context));
  exit(3);
}

typedef struct measured {
  double cpu, wall; /* least of the runs (s) */
  thud_stepping_motion_info info;
} measured;

static void run_once(thud_context *context, const thud_system *system, const bench_column *column, int method,
                     measured *best) {
  double q[BENCH_MOST_MASSES], v[BENCH_MOST_MASSES] = {0};
  thud_stepping_options options = thud_stepping_options_default();
  thud_motion *motion;
  options.method = method;
  options.end = column->end;
  options.steps = (thud_index)column->steps;
  bench_column_start(column, q);
  stop_on(context, thud_stepping_motion_create(context, system, &options, q, v, &motion));
  double cpu = bench_seconds(CLOCK_PROCESS_CPUTIME_ID), wall = bench_seconds(CLOCK_MONOTONIC);
  stop_on(context, thud_motion_run(motion, NULL, NULL));
  best->info = thud_stepping_motion_get_info(motion);
  cpu = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  wall = bench_seconds(CLOCK_MONOTONIC) - wall;
  if (cpu < best->cpu) best->cpu = cpu;
  if (wall < best->wall) best->wall = wall;
  thud_motion_destroy(motion);
  if (best->info.status == THUD_MOTION_COMPLETED) return;
  fprintf(stderr, "bench-motion: %s\n", thud_context_last_message(context));
  exit(1);
}

static measured measure(thud_context *context, const bench_column *column, int method) {
  measured best = {.cpu = 1e300, .wall = 1e300};
  thud_system *system;
  stop_on(context, bench_column_system(context, column, method == THUD_STEPPING_REGULARISED, &system));
  for (int run = 0; run < RUNS; run++) run_once(context, system, column, method, &best);
  thud_system_destroy(system);
  return best;
}

/* The better of Siconos' two ways to have the masses; 0 where it is not installed. */
static double measure_siconos(const bench_case *which) {
  double best = 0;
#ifdef THUD_WITH_SICONOS_KERNEL
  for (int bodies = 0; bodies <= (which->column.count > 1); bodies++) {
    bench_motion_times least = {.cpu = 1e300, .wall = 1e300};
    for (int run = 0; run < RUNS; run++) {
      bench_motion_times times;
      if (bench_siconos_column(&which->column, bodies, &times) != 0) return best;
      if (times.wall > least.wall) times.wall = least.wall;
      if (times.cpu < least.cpu) least = times;
      least.wall = times.wall;
    }
    double rate = which->column.steps / least.cpu;
    printf("%s,siconos,moreau-jean%s,%d,%.4g,%.4g,,,%.3g,,,%.6g,\n", which->name, bodies ? " (bodies)" : "",
           which->column.steps, rate, which->column.steps / least.wall, least.penetration, least.energy);
    fflush(stdout);
    if (rate > best) best = rate;
  }
#else
  (void)which;
#endif
  return best;
}

static bool is_chosen(const char *wish, const char *name) { return wish == NULL || strcmp(wish, name) == 0; }

static void run_case(thud_context *context, const bench_case *which, const char *only) {
  const bench_column *column = &which->column;
  double siconos = only == NULL ? measure_siconos(which) : 0;
  for (int method = THUD_STEPPING_MOREAU; method <= THUD_STEPPING_REGULARISED; method++) {
    if (!is_chosen(only, thud_stepping_method_name((thud_stepping_method)method))) continue;
    measured best = measure(context, column, method);
    const thud_stepping_motion_info *info = &best.info;
    double rate = column->steps / best.cpu;
    printf("%s,thud,%s,%d,%.4g,%.4g,%zu,%.2g,%.3g,%.2g,%.6g,%.6g,", which->name,
           thud_stepping_method_name((thud_stepping_method)method), column->steps, rate, column->steps / best.wall,
           info->impacts, info->worst_residual, 0 - info->worst_gap, info->ledger.identity, info->ledger.defect,
           info->ledger.kinetic - info->ledger.work);
    if (siconos > 0) printf("%.1f", rate / siconos);
    printf("\n");
    fflush(stdout);
  }
}

int main(int count, char **words) {
  thud_context *context;
  stop_on(NULL, thud_context_create(NULL, &context));
  printf("system,program,method,steps,steps_per_cpu_second,steps_per_second,impacts,residual,penetration,identity,"
         "defect,energy,ratio\n");
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    if (is_chosen(count > 1 ? words[1] : NULL, cases[k].name))
      run_case(context, &cases[k], count > 2 ? words[2] : NULL);
  thud_context_destroy(context);
  return 0;
}
