/* Long runs: 1e7 steps of time stepping, 1e6 arcs of event-driven motion, 1e6 steps of rigid bodies, with and without a record.
 * Does the memory or the cost of a step grow? Prints a report in Markdown; exit code 1 when something grows or a run
 * does not end well.
 *
 * bench_soak [-s SCALE] [-d FOLDER] [NAME...]: SCALE times these lengths (default 1), records in FOLDER (default: the current one;
 * they are removed), only the runs whose names contain one of the words.
 *
 * Every run has a process of its own. Scenes are stationary (shaken, turned or without losses), so that equal
 * lengths of a run mean equal work. Costs are processor time, and of a tenth of the run the lower quartile of its parts counts:
 * other programs on the machine make parts slower, never faster. Their ratio is that of costs in units of a fixed piece of
 * arithmetic that is timed beside every part, because a whole tenth may fall into a busy time. */
#include "thud/io.h"
#include "thud/thud.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MARKS = 4, PARTS = 25, TRIES = 3, NAME = 600 };

/* Shares of a run after which memory is looked at. */
static const double marks[MARKS] = {0.01, 0.1, 0.5, 1};

/* What a good run may do: the library's blocks relative to those at a tenth of the run, the process relative to half of it (what
 * other libraries hold, HDF5 above all, settles later), each with an absolute allowance; costs relative to those of the first
 * tenth. Arrays keep the capacity of the largest problem so far, which may come late, and results keep the first thousand
 * events. */
static const double MEMORY_FACTOR = 1.05, COST_FACTOR = 1.2;
static const double BLOCK_ALLOWANCE = 262144, RESIDENT_ALLOWANCE = 1 << 20;

typedef struct soak_case {
  const char *name;
  const char *scene;    /* its time span, steps and record come from below */
  const char *simulate; /* %1$.17g is the end, %2$zu the number of steps */
  double length;        /* of time of one step; of arcs, on average */
  double count;         /* steps or arcs at scale 1 */
  bool record;
} soak_case;

#define BALL                                                                                                           \
  "thud: 1\nparameters: {g: 9.81, A: 0.01, w: 50, e: 0.5}\nsystem:\n  coordinates: [z]\n"                              \
  "  kinetic_energy: \"0.5*z'^2\"\n  forces: {z: -g}\n  constraints:\n"                                                \
  "    - {name: table, gap: z - A*sin(w*t), restitution: e}\ninitial: {z: 0.001, \"z'\": pi*g/w}\n"
#define FLIGHTS                                                                                                        \
  "thud: 1\nparameters: {g: 9.81, L: 1.37}\nsystem:\n  coordinates: [x, z]\n"                                          \
  "  kinetic_energy: \"0.5*(x'^2 + z'^2)\"\n  potential_energy: g*z\n  constraints:\n"                                 \
  "    - {name: floor, gap: z, restitution: 1}\n    - {name: left, gap: x, restitution: 1}\n"                          \
  "    - {name: right, gap: L - x, restitution: 1}\ninitial: {x: 0.3, z: 1, \"x'\": 1}\n"
#define TOWER                                                                                                          \
  "thud: 1\nmaterials:\n  wood: {friction: 0.5, density: 600}\nbodies:\n"                                              \
  "  - {name: floor, fixed: true, shape: plane, material: wood}\n"                                                     \
  "  - {generate: tower, name: cube, count: 5, body: {shape: {box: [0.1, 0.1, 0.1]}, material: wood}}\n"
#define DRUM                                                                                                           \
  "thud: 1\nplanar: true\nmaterials:\n  steel: {friction: 0.4}\n  grain: {friction: 0.5, density: 2000}\nbodies:\n"    \
  "  - {generate: drum, name: drum, radius: 0.5, segments: 12, angle: -pi/2*t, material: steel,\n"                     \
  "     grains: {count: 10, scale: [0.8, 1], body: {shape: {disc: 0.08}, material: grain}}}\n"
/* Joints through positions in which they are singular, over and over. */
#define LINKAGE                                                                                                        \
  "thud: 1\nplanar: true\nbodies:\n"                                                                                   \
  "  - {name: left, shape: {box: [0.04, 1]}, mass: 1, position: [0, 0.5], velocity: [0.5, 0], spin: -1, group: 1}\n"   \
  "  - {name: right, shape: {box: [0.04, 1]}, mass: 1, position: [1, 0.5], velocity: [0.5, 0], spin: -1, group: 1}\n"  \
  "  - {name: beam, shape: {box: [1, 0.04]}, mass: 1, position: [0.5, 1], velocity: [1, 0], group: 1}\n"               \
  "joints:\n"                                                                                                          \
  "  - {joint: hinge, a: left, at: [0, 0]}\n  - {joint: hinge, a: right, at: [1, 0]}\n"                                \
  "  - {joint: hinge, a: beam, b: left, at: [0, 1]}\n  - {joint: hinge, a: beam, b: right, at: [1, 1]}\n"
#define STEPS "simulate: {method: moreau-jean, end: %1$.17g, steps: %2$zu}\n"
#define ARCS                                                                                                           \
  "simulate: {method: event-driven, end: %1$.17g, max_events: 2000000}\n" /* default: 1e6, a little too few */
#define BODIES "simulate: {end: %1$.17g, steps: %2$zu}\n"

static const soak_case cases[] = {
    {"stepping", BALL, STEPS, 1e-4, 1e7, false},
    {"stepping, record", BALL, STEPS, 1e-4, 1e7, true},
    {"arcs", FLIGHTS, ARCS, 0.5445, 1e6, false},
    {"arcs, record", FLIGHTS, ARCS, 0.5445, 1e6, true},
    {"bodies, tower", TOWER, BODIES, 0.01, 1e6, false},
    {"bodies, tower, record", TOWER, BODIES, 0.01, 1e6, true},
    {"bodies, drum", DRUM, BODIES, 0.005, 1e6, false},
    {"bodies, drum, record", DRUM, BODIES, 0.005, 1e6, true},
    {"bodies, joints", LINKAGE, BODIES, 0.002, 1e6, false},
    {"bodies, joints, record", LINKAGE, BODIES, 0.002, 1e6, true},
};

/* What a run was like; the child hands it over as bytes. */
typedef struct soak_result {
  size_t steps, events;
  double seconds;                        /* of the processor */
  double blocks[MARKS], resident[MARKS]; /* bytes of the library's blocks, of the process */
  double file[MARKS];                    /* bytes of the record */
  double first, last;                    /* s per step, in the first and in the last tenth */
  double ratio;                          /* of the two, by the yardstick */
  bool good;
  char reason[300];
} soak_result;

/* ---- measuring ------------------------------------------------------------------------------------------------------- */

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* NaN where there is no /proc. */
static double resident_bytes(void) {
  unsigned long all = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL) return NAN;
  int read = fscanf(file, "%lu %lu", &all, &resident);
  fclose(file);
  return read == 2 ? (double)resident * (double)sysconf(_SC_PAGESIZE) : NAN;
}

static double file_bytes(const char *path) {
  struct stat found;
  return path != NULL && stat(path, &found) == 0 ? (double)found.st_size : 0;
}

/* An allocator that knows how much is in use. */
static void *count_bytes(void *user, void *ptr, size_t old_size, size_t new_size) {
  double *used = user;
  if (new_size == 0) {
    if (ptr != NULL) *used -= (double)old_size;
    free(ptr);
    return NULL;
  }
  void *block = realloc(ptr, new_size);
  if (block != NULL) *used += (double)new_size - (ptr != NULL ? (double)old_size : 0);
  return block;
}

/* Processor time of a fixed piece of arithmetic, s: what other programs leave of the processor at this moment. */
static double yardstick_seconds(void) {
  volatile double sink;
  double x = 0.5, begin = processor_seconds();
  for (int k = 0; k < 20000; k++) x = sin(x) + 1 / (1 + x * x);
  sink = x;
  (void)sink;
  return processor_seconds() - begin;
}

/* Costs of the parts of a tenth: s per step, and the same by the yardstick after the part. */
typedef struct soak_tenth {
  double seconds[PARTS], relative[PARTS];
  int count;
} soak_tenth;

static int compare_costs(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double lower_quartile(double *costs, int count) {
  if (count == 0) return NAN;
  qsort(costs, (size_t)count, sizeof *costs, compare_costs);
  return costs[count / 4];
}

/* The run while it goes. */
typedef struct soak_watch {
  thud_run_so_far so_far;
  double used; /* bytes */
  const char *record;
  soak_result *result;
  soak_tenth first, last;
  size_t marked, part, part_steps;
  double part_begin;
} soak_watch;

static void mark(soak_watch *watch) {
  watch->result->blocks[watch->marked] = watch->used;
  watch->result->resident[watch->marked] = resident_bytes();
  watch->result->file[watch->marked++] = file_bytes(watch->record);
}

/* At the end of part number `part` (from 1) of the 10 PARTS of the run. */
static void end_part(soak_watch *watch, size_t part) {
  double steps = (double)(watch->so_far.steps - watch->part_steps);
  double cost = (processor_seconds() - watch->part_begin) / steps;
  soak_tenth *tenth = part <= PARTS ? &watch->first : &watch->last;
  bool counts = part <= PARTS || part > 9 * PARTS;
  if (counts && steps > 0 && tenth->count < PARTS) {
    tenth->seconds[tenth->count] = cost;
    tenth->relative[tenth->count++] = cost / yardstick_seconds();
  }
  watch->part = part;
  watch->part_begin = processor_seconds();
  watch->part_steps = watch->so_far.steps;
}

/* The end of the run is marked by run_scene. */
static int watch_run(void *user, double t, double start, double end) {
  soak_watch *watch = user;
  double share = (t - start) / (end - start);
  while (watch->marked < MARKS - 1 && share >= marks[watch->marked]) mark(watch);
  size_t part = (size_t)(10 * PARTS * share);
  if (part > watch->part) end_part(watch, part);
  return 0;
}

/* ---- one run --------------------------------------------------------------------------------------------------------- */

static thud_error build_scene(thud_context *context, const soak_case *one, double scale, thud_scene **scene) {
  char text[2000];
  thud_tree *tree = NULL;
  double count = floor(one->count * scale), end = count * one->length;
  int used = snprintf(text, sizeof text, "%s", one->scene);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  used += snprintf(text + used, sizeof text - (size_t)used, one->simulate, end, (size_t)count);
#pragma GCC diagnostic pop
  used += snprintf(text + used, sizeof text - (size_t)used, "record: {every: %.17g, checkpoint_every: %.17g}\n",
                   end / 1000, end / 20);
  thud_error error = thud_tree_read_text(context, one->name, text, (size_t)used, &tree);
  if (error == THUD_OK) error = thud_scene_build(context, tree, scene);
  thud_tree_destroy(tree);
  return error;
}

static thud_error run_scene(thud_scene *scene, soak_watch *watch, thud_run_result *outcome) {
  thud_run_options options = thud_run_options_default();
  thud_run *run = NULL;
  bool going = true;
  options.record = watch->record;
  options.overwrite = true;
  options.progress = watch_run;
  options.progress_user = watch;
  options.so_far = &watch->so_far;
  double begin = watch->part_begin = processor_seconds();
  thud_error error = thud_run_create(scene, &options, &run);
  while (error == THUD_OK && going) error = thud_run_step(run, &going);
  while (watch->marked < MARKS) mark(watch);
  if (error == THUD_OK) error = thud_run_finish(run, outcome);
  watch->result->seconds = processor_seconds() - begin;
  watch->result->steps = watch->so_far.steps;
  watch->result->events = watch->so_far.events;
  watch->result->first = lower_quartile(watch->first.seconds, watch->first.count);
  watch->result->last = lower_quartile(watch->last.seconds, watch->last.count);
  watch->result->ratio = lower_quartile(watch->last.relative, watch->last.count) /
                         lower_quartile(watch->first.relative, watch->first.count);
  thud_run_destroy(run);
  return error;
}

/* record NULL: none. */
static void soak(const soak_case *one, double scale, const char *record, soak_result *result) {
  soak_watch watch = {.record = record, .result = result};
  thud_context_options options = thud_context_options_default();
  thud_context *context = NULL;
  thud_scene *scene = NULL;
  thud_run_result outcome = {0};
  options.allocator = count_bytes;
  options.allocator_user = &watch.used;
  *result = (soak_result){.first = NAN, .last = NAN, .reason = "no memory for a context"};
  if (thud_context_create(&options, &context) != THUD_OK) return;
  thud_error error = build_scene(context, one, scale, &scene);
  if (error == THUD_OK) error = run_scene(scene, &watch, &outcome);
  result->good = error == THUD_OK && outcome.verdict == THUD_VERDICT_GOOD;
  snprintf(result->reason, sizeof result->reason, "%s",
           error != THUD_OK ? thud_context_last_message(context) : outcome.reason);
  thud_run_result_free(context, &outcome);
  thud_scene_destroy(scene);
  thud_context_destroy(context);
}

/* In a process of its own, so that each run begins with the memory of a new one. */
static bool soak_apart(const soak_case *one, double scale, const char *record, soak_result *result) {
  int ends[2], status = 0;
  fflush(stdout);
  if (pipe(ends) != 0) return false;
  pid_t child = fork();
  if (child == 0) {
    soak(one, scale, record, result);
    _exit(write(ends[1], result, sizeof *result) == (ssize_t)sizeof *result ? 0 : 1);
  }
  close(ends[1]);
  bool whole = child > 0 && read(ends[0], result, sizeof *result) == (ssize_t)sizeof *result;
  close(ends[0]);
  if (child > 0) waitpid(child, &status, 0);
  return whole && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- report ---------------------------------------------------------------------------------------------------------- */

/* More than the size at an earlier mark allows? NaN (unknown) does not grow. */
static bool grows(const double sizes[MARKS], int since, double allowance) {
  return sizes[MARKS - 1] > MEMORY_FACTOR * sizes[since] + allowance;
}

static bool is_slower(const soak_result *result) { return result->good && !(result->ratio <= COST_FACTOR); }

static const char *judge(const soak_result *result) {
  if (!result->good) return result->reason;
  if (grows(result->blocks, 1, BLOCK_ALLOWANCE)) return "memory of the library grows";
  if (grows(result->resident, 2, RESIDENT_ALLOWANCE)) return "memory of the process grows";
  return is_slower(result) ? "steps become slower" : "good";
}

/* A run that becomes slower is made again, at most TRIES times: growth comes back, a busy machine may not. */
static void soak_case_apart(const soak_case *one, double scale, const char *record, soak_result *result) {
  bool again = true;
  for (int k = 0; again && k < TRIES; k++) {
    *result = (soak_result){.reason = "the process of the run ended early"};
    if (!soak_apart(one, scale, record, result)) result->good = false;
    again = is_slower(result);
    if (record != NULL) unlink(record);
  }
}

static void print_sizes(const double sizes[MARKS], double unit) {
  for (int k = 0; k < MARKS; k++) printf("%s%.4g", k == 0 ? " | " : " / ", sizes[k] / unit);
}

static bool report(const soak_case *one, const soak_result *result) {
  const char *verdict = judge(result);
  printf("| %s | %zu | %zu | %.1f", one->name, result->steps, result->events, result->seconds);
  print_sizes(result->blocks, 1024);
  print_sizes(result->resident, 1048576);
  print_sizes(result->file, 1048576);
  printf(" | %.4g | %.4g | %.3f | %s |\n", 1e6 * result->first, 1e6 * result->last, result->ratio, verdict);
  fflush(stdout);
  return strcmp(verdict, "good") == 0;
}

static bool is_wanted(const char *name, int count, char **words) {
  for (int k = 0; k < count; k++)
    if (strstr(name, words[k]) != NULL) return true;
  return count == 0;
}

int main(int count, char **arguments) {
  double scale = 1;
  const char *folder = ".";
  char path[NAME];
  int failed = 0;
  for (int option; (option = getopt(count, arguments, "s:d:")) != -1;) {
    if (option == 's') scale = strtod(optarg, NULL);
    if (option == 'd') folder = optarg;
    if (option == '?' || !(scale > 0)) {
      fprintf(stderr, "usage: bench_soak [-s SCALE] [-d FOLDER] [NAME...]\n");
      return 2;
    }
  }
  snprintf(path, sizeof path, "%s/soak-%ld.h5", folder, (long)getpid());
  printf(
      "# Soak of thud %s, scale %g\n\nSizes at 1, 10, 50 and 100 %% of the run; costs are processor time per step or "
      "arc, the lower quartile of %d parts of a tenth.\n\n",
      thud_version(), scale, PARTS);
  printf("| run | steps or arcs | events | s | library, KiB | process, MiB | record, MiB | first tenth, us | last "
         "tenth, us | "
         "ratio | verdict |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    soak_result result;
    if (!is_wanted(cases[k].name, count - optind, arguments + optind)) continue;
    soak_case_apart(&cases[k], scale, cases[k].record ? path : NULL, &result);
    failed += !report(&cases[k], &result);
  }
  printf("\nVerdict: %s\n", failed == 0 ? "nothing grows" : "something grows or does not end well");
  return failed > 0;
}
