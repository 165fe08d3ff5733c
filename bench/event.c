/* Event-driven motions beside Siconos' EventDriven with LsodarOSI where it is installed: a bouncing ball and a column
 * of masses, times and errors at the impacts against closed forms; then figures of thud's own. Processor time, least of
 * several runs; creating the systems and motions is not counted in either program. */
#include "sample_systems.h"
#include "siconos_motion.h"
#include "thud/event.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 200 };

typedef struct bench_case {
  const char *name;
  int impacts; /* that are compared; -1: all, to the end of the motion */
  bench_column column;
} bench_case;

static const bench_case cases[] = {
    {"ball, 20 impacts", 20, {.count = 1, .gravity = 9.81, .restitution = 0.8, .first = 1, .end = 10}},
    {"ball, 40 impacts", 40, {.count = 1, .gravity = 9.81, .restitution = 0.8, .first = 1, .end = 10}},
    /* Past the limit of its impacts at 4.06 s */
    {"ball, to 5 s", -1, {.count = 1, .gravity = 9.81, .restitution = 0.8, .first = 1, .end = 5}},
    {"two masses, 20 impacts",
     20,
     {.count = 2, .gravity = 9.81, .restitution = 0.9, .first = 0.3, .spread = 0.7, .end = 10}},
    {"five masses, 40 impacts",
     40,
     {.count = 5, .gravity = 9.81, .restitution = 0.9, .first = 0.3, .spread = 0.7, .end = 10}},
};

static void stop_on(thud_context *context, thud_error error) {
  if (error == THUD_OK) return;
  fprintf(stderr, "bench-event: %s\n", thud_context_last_message(context));
  exit(3);
}

/* What a run hands out. */
typedef struct noted {
  int limit, masses;
  const bench_column *column; /* NULL: another system */
  bench_column_impacts impacts;
  double rest;                         /* time of the last Zeno limit (s) */
  int beaks;                           /* impacts of constraint 0 */
  double beak_time[3], beak_height[3]; /* of the last three: s, and coordinate 0 */
} noted;

static int note_event(void *user, const void *handed) {
  const thud_event *event = handed;
  noted *note = user;
  bench_column_impacts *impacts = &note->impacts;
  if (event->kind == THUD_EVENT_ZENO) note->rest = event->t;
  if (event->kind != THUD_EVENT_IMPACT) return 0;
  if (event->impulse[0] > 0) {
    for (int k = 0; k < 2; k++) {
      note->beak_time[k] = note->beak_time[k + 1];
      note->beak_height[k] = note->beak_height[k + 1];
    }
    note->beak_time[2] = event->t;
    note->beak_height[2] = event->q[0];
    note->beaks++;
  }
  if (impacts->count == BENCH_MOST_IMPACTS) return 0;
  impacts->t[impacts->count] = event->t;
  for (int i = 0; i < note->masses; i++) impacts->v[impacts->count][i] = event->v_after[i];
  if (note->column != NULL) impacts->energy = bench_column_energy(note->column, event->q, event->v_after);
  return ++impacts->count == note->limit;
}

/* Least time of the runs (s); the last run's notes and info. */
static double measure(thud_context *context, const thud_system *system, double end, const double *q, const double *v,
                      int runs, noted *note, thud_event_motion_info *info) {
  thud_event_options options = thud_event_options_default();
  double least = HUGE_VAL;
  const int limit = note->limit;
  const bench_column *column = note->column;
  options.end = end;
  for (int run = 0; run < runs; run++) {
    thud_motion *motion;
    *note = (noted){.limit = limit, .column = column, .masses = thud_system_dimension(system)};
    const thud_motion_sink sink = {.event = note_event, .user = note};
    stop_on(context, thud_event_motion_create(context, system, &options, q, v, &motion));
    double cpu = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    stop_on(context, thud_motion_run(motion, &sink, NULL));
    cpu = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    *info = thud_event_motion_get_info(motion);
    if (cpu < least) least = cpu;
    thud_motion_destroy(motion);
    if (info->status == THUD_MOTION_COMPLETED || info->status == THUD_MOTION_STOPPED) continue;
    fprintf(stderr, "bench-event: %s\n", thud_context_last_message(context));
    exit(1);
  }
  return least;
}

/* Largest errors of times and velocities over the impacts that both have. */
static void print_errors(const bench_case *which, const bench_column_impacts *found) {
  bench_column_impacts exact;
  double time_error = 0, velocity_error = 0;
  bench_column_exact(&which->column, which->impacts, &exact);
  for (int k = 0; k < exact.count; k++) {
    if (k >= found->count) {
      printf("missing,missing,missing");
      return;
    }
    time_error = fmax(time_error, fabs(found->t[k] - exact.t[k]));
    for (int i = 0; i < which->column.count; i++)
      velocity_error = fmax(velocity_error, fabs(found->v[k][i] - exact.v[k][i]));
  }
  printf("%.1e,%.1e,%.1e", time_error, velocity_error, fabs(found->energy - exact.energy));
}

/* A ball of the height H rests after sqrt(2H/g) (1+e)/(1-e). */
static void print_rest(const bench_column *column, double rest) {
  double e = column->restitution, exact = sqrt(2 * column->first / column->gravity) * (1 + e) / (1 - e);
  printf("%.1e,,", fabs(rest - exact));
}

static void print_row(const bench_case *which, const char *program, double seconds, const bench_column_impacts *found,
                      double rest) {
  printf("\"%s\",%s,%d,%.1f,", which->name, program, found->count, 1e6 * seconds);
  if (which->impacts < 0)
    print_rest(&which->column, rest);
  else
    print_errors(which, found);
}

/* Every way of Siconos: masses as one system or as bodies, LSODAR's tolerance as it comes or loose. The least time;
 * 0 where it is not installed. */
static double measure_siconos(const bench_case *which) {
  double best = 0;
#ifdef THUD_WITH_SICONOS_KERNEL
  static const double tolerances[] = {0, 1e-8};
  for (int way = 0; way < 4; way++) {
    bool bodies = way % 2;
    double tolerance = tolerances[way / 2], least = HUGE_VAL;
    bench_column_impacts found;
    char name[64];
    if (bodies && which->column.count == 1) continue;
    for (int run = 0; run < RUNS; run++) {
      bench_motion_times times;
      int limit = which->impacts < 0 ? BENCH_MOST_IMPACTS : which->impacts;
      if (bench_siconos_events(&which->column, bodies, tolerance, limit, &found, &times) != 0) return best;
      least = fmin(least, times.cpu);
    }
    snprintf(name, sizeof name, "siconos%s%s", bodies ? " (bodies)" : "", tolerance > 0 ? " tolerance 1e-8" : "");
    print_row(which, name, least, &found, found.count > 0 ? found.t[found.count - 1] : 0);
    printf(",\n");
    if (best == 0 || least < best) best = least;
  }
#else
  (void)which;
#endif
  return best;
}

static void run_case(thud_context *context, const bench_case *which) {
  thud_system *system;
  thud_event_motion_info info;
  static noted note;
  double q[BENCH_MOST_MASSES], v[BENCH_MOST_MASSES] = {0}, siconos = measure_siconos(which);
  bench_column_start(&which->column, q);
  stop_on(context, bench_column_system(context, &which->column, false, &system));
  note = (noted){.limit = which->impacts, .column = &which->column};
  double seconds = measure(context, system, which->column.end, q, v, RUNS, &note, &info);
  print_row(which, "thud", seconds, &note.impacts, note.rest);
  if (siconos > 0)
    printf(",%.2f\n", siconos / seconds);
  else
    printf(",\n");
  fflush(stdout);
  thud_system_destroy(system);
}

/* C1 to t = 4 and a hundred cycles of the woodpecker. */
static void run_own(thud_context *context) {
  const double start = -1, rest = 0;
  const int cycles = 100;
  static noted note;
  thud_event_motion_info info;
  thud_system *system = thud_test_system_make(context, &thud_test_bouncing_particle);
  double seconds = measure(context, system, 4, &start, &rest, RUNS, &note, &info);
  printf("# C1 to t = 4: %.3f ms, %zu impacts, rest at 3 with error %.1e s, ledger's defect %.1e J\n", 1e3 * seconds,
         info.impacts, fabs(note.rest - 3), fabs(info.ledger.defect));
  thud_system_destroy(system);
  system = thud_test_system_make(context, &thud_test_woodpecker);
  seconds = measure(context, system, cycles * 0.146, thud_test_woodpecker_q, thud_test_woodpecker_v, 3, &note, &info);
  printf("# woodpecker, %d cycles: %.3f s, %zu events; period %.5f s, drop %.3f mm\n", cycles, seconds, info.events,
         (note.beak_time[2] - note.beak_time[0]) / 2, 500 * (note.beak_height[0] - note.beak_height[2]));
  thud_system_destroy(system);
}

int main(void) {
  thud_context *context;
  stop_on(NULL, thud_context_create(NULL, &context));
  printf("motion,program,impacts,cpu_microseconds,time_error,velocity_error,energy_error,ratio\n");
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) run_case(context, &cases[k]);
  run_own(context);
  thud_context_destroy(context);
  return 0;
}
