/* Piles of rigid bodies: thud beside game engines and Siconos, every one in a process of its own and judged by code that
 * is of none of them. Table in Markdown on standard output and, with -o, in a file.
 *   bench_bodies [-q] [-s SCENES] [-e ENGINES] [-n SIZES] [-k RUNS] [-m SETTLE] [-c STEPS] [-l SECONDS] [-o FILE] */
#include "bodies_judge.h"
#include "bodies_measure.h"

#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SIZES = 8, MOST_ROWS = 256, PATH = 1024 };

/* What can be run. from_state: too slow to settle by itself, starts where the first engine's (thud's) pile has
 * settled, few steps. */
typedef struct contender {
  const char *name, *module, *package;
  int planar, from_state;
} contender;

static const contender contenders[] = {
    {"thud", NULL, NULL, 0, 0},
    {"thud", NULL, NULL, 1, 0},
    {"bullet", "bullet", "libbullet-dev", 0, 0},
    {"bullet-2", "bullet", "libbullet-dev", 0, 0},
    {"ode", "ode", "libode-dev", 0, 0},
    {"siconos", "siconos", "libsiconos-mechanics-dev", 0, 1},
    {"siconos-as-is", "siconos", "libsiconos-mechanics-dev", 0, 1},
    {"box2d", "box2d", "libbox2d-dev", 1, 0},
    {"chipmunk", "chipmunk", "libchipmunk-dev", 1, 0},
};
enum { CONTENDERS = sizeof contenders / sizeof *contenders };

typedef struct settings {
  const char *scenes, *engines, *output;
  size_t sizes[MOST_SIZES];
  int size_count, runs, settle, steps, slow_steps;
  size_t slow_most; /* bodies, for those that start from thud's state */
  double limit;     /* processor seconds of one contender on one scene */
  char folder[PATH];
} settings;

typedef struct row {
  const char *scene;
  size_t count;
  const contender *who;
  int done;
  bench_outcome outcome;
} row;

typedef struct table {
  row rows[MOST_ROWS];
  int count;
} table;

/* Is the name one of the words? NULL: every name is. */
static int is_chosen(const char *words, const char *name) {
  size_t length = strlen(name);
  if (words == NULL) return 1;
  for (const char *at = words; (at = strstr(at, name)) != NULL; at += length)
    if ((at == words || at[-1] == ',') && (at[length] == ',' || at[length] == 0)) return 1;
  return 0;
}

static int is_absent(const settings *s, const contender *who, char *module) {
  module[0] = 0;
  if (who->module == NULL) return 0;
  snprintf(module, PATH + 64, "%s/bench_bodies_%s.so", s->folder, who->module);
  return access(module, R_OK) != 0;
}

static void say(const row *r) {
  const bench_outcome *o = &r->outcome;
  if (!r->done)
    fprintf(stderr, "%s %zu %s: %s\n", r->scene, r->count, r->who->name, o->message);
  else
    fprintf(stderr, "%s %zu %s: %.3f ms, residual %.2g\n", r->scene, r->count, r->who->name, 1e3 * o->seconds,
            o->residual_median);
}

/* One contender on one scene; `donor` where the first engine's pile has settled, when it is given. */
static void run_one(const settings *s, const bench_scene *scene, const contender *who, bench_state *donor, int *given,
                    table *t) {
  char module[PATH + 64];
  if (who->planar != scene->planar || !is_chosen(s->engines, who->name) || t->count == MOST_ROWS) return;
  row *r = &t->rows[t->count++];
  *r = (row){.scene = scene->name, .count = scene->count, .who = who};
  bench_scene settled = *scene;
  bench_job job = {.engine = who->name,
                   .scene = scene,
                   .settle = s->settle,
                   .steps = s->steps,
                   .runs = s->runs,
                   .judged = 1,
                   .limit = s->limit};
  if (who->from_state) {
    settled.start = donor;
    job.scene = &settled, job.settle = 0, job.steps = s->slow_steps, job.runs = 1;
  } else if (!*given)
    job.settled = donor;
  if (is_absent(s, who, module))
    snprintf(r->outcome.message, BENCH_MESSAGE, "not built (Debian: %s)", who->package);
  else if (who->from_state && scene->count > s->slow_most)
    snprintf(r->outcome.message, BENCH_MESSAGE, "left out: too slow");
  else if (who->from_state && !*given)
    snprintf(r->outcome.message, BENCH_MESSAGE, "left out: no pile to start from");
  else {
    job.module = module[0] != 0 ? module : NULL;
    r->done = bench_measure(&job, &r->outcome) == 0;
    if (job.settled != NULL && r->done) *given = 1;
  }
  say(r);
}

static void run_scene(const settings *s, const char *name, size_t count, table *t) {
  bench_scene scene;
  int given = 0;
  if (bench_scene_make(&scene, name, count, 0) != 0) {
    fprintf(stderr, "bench-bodies: no scene %s of %zu\n", name, count);
    exit(1);
  }
  bench_state *donor = calloc(scene.count, sizeof *donor);
  for (int k = 0; donor != NULL && k < CONTENDERS; k++) run_one(s, &scene, &contenders[k], donor, &given, t);
  free(donor);
  bench_scene_free(&scene);
}

/* ---- tables ---------------------------------------------------------------------------------------------------------- */

static const row *row_of_thud(const table *t, const row *r) {
  for (int k = 0; k < t->count; k++) {
    const row *other = &t->rows[k];
    if (other->who->module == NULL && other->done && other->count == r->count && strcmp(other->scene, r->scene) == 0)
      return other;
  }
  return NULL;
}

static void print_engines(FILE *f, const table *t) {
  fprintf(
      f,
      "| scene | bodies | engine | ms per step | thud / it | contacts | residual median | worst | without push | steps "
      "above | overlap mm | cone excess | momentum | energy / s | rms mm/s | |\n");
  fprintf(f, "|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|\n");
  for (int k = 0; k < t->count; k++) {
    const row *r = &t->rows[k], *thud = row_of_thud(t, r);
    const bench_outcome *o = &r->outcome;
    fprintf(f, "| %s | %zu | %s | ", r->scene, r->count, r->who->name);
    if (!r->done) {
      fprintf(f, " | | | | | | | | | | | | %s |\n", o->message);
      continue;
    }
    fprintf(f, "%.3g | ", 1e3 * o->seconds);
    if (thud != NULL && thud != r) fprintf(f, "%.2f", thud->outcome.seconds / o->seconds);
    fprintf(f, " | %.0f | %.1e | %.1e | %.1e | %d of %d | %.2g | %.1e | %.0e | %+.1e | %.2g | %s |\n", o->contacts,
            o->residual_median, o->residual_worst, o->strict_median, o->above, o->steps, 1e3 * o->overlap, o->excess,
            o->momentum, o->drift, 1e3 * o->speed, o->message);
  }
}

/* Slope of log t over log N by least squares; 0: fewer than two sizes. */
static double exponent(int count, const double *sizes, const double *seconds) {
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  if (count < 2) return 0;
  for (int k = 0; k < count; k++) mean_x += log(sizes[k]) / count, mean_y += log(seconds[k]) / count;
  for (int k = 0; k < count; k++) {
    double x = log(sizes[k]) - mean_x;
    xx += x * x;
    xy += x * (log(seconds[k]) - mean_y);
  }
  return xy / xx;
}

static void print_exponents(FILE *f, const table *t) {
  fprintf(f, "\n| scene | engine | exponent of ms ~ N^p |\n|-|-|-|\n");
  for (int k = 0; k < t->count; k++) {
    const row *r = &t->rows[k];
    double sizes[MOST_SIZES], seconds[MOST_SIZES];
    int count = 0, first = 1;
    for (int j = 0; j < t->count && count < MOST_SIZES; j++) {
      const row *other = &t->rows[j];
      if (other->who != r->who || strcmp(other->scene, r->scene) != 0) continue;
      if (j < k) first = 0;
      if (other->done) sizes[count] = (double)other->count, seconds[count++] = other->outcome.seconds;
    }
    if (first && count > 1) fprintf(f, "| %s | %s | %.2f |\n", r->scene, r->who->name, exponent(count, sizes, seconds));
  }
}

static void print_parts(FILE *f, const table *t) {
  fprintf(
      f,
      "\n| scene | bodies | detect ms | assemble | solve | project | rest | iterations | allocations in all steps |\n");
  fprintf(f, "|-|-|-|-|-|-|-|-|-|\n");
  for (int k = 0; k < t->count; k++) {
    const row *r = &t->rows[k];
    const bench_parts *p = &r->outcome.parts;
    if (!r->done || !r->outcome.has_parts) continue;
    double rest = r->outcome.seconds - p->detect - p->assemble - p->solve - p->project;
    fprintf(f, "| %s | %zu | %.3g | %.3g | %.3g | %.3g | %.3g | %.1f | %zu |\n", r->scene, r->count, 1e3 * p->detect,
            1e3 * p->assemble, 1e3 * p->solve, 1e3 * p->project, 1e3 * rest, p->iterations, p->allocations);
  }
}

/* One size of the growth; s of detection, assembly and one sweep, 0: failed. Setting up and testing count as a sweep. */
static double grow(FILE *f, const char *name, size_t count) {
  bench_scene scene;
  bench_outcome o;
  const bench_parts *p = &o.parts;
  double sum = 0;
  if (bench_scene_make(&scene, name, count, 1) != 0) exit(1);
  bench_job job = {.engine = "thud", .scene = &scene, .settle = 5, .steps = 10, .runs = 3, .rough = 1};
  if (bench_measure(&job, &o) == 0 && o.has_parts) {
    sum = p->detect + p->assemble + p->solve / (1 + p->iterations);
    fprintf(f, "| %s | %zu | %.3g | %.3g | %.3g | %.3g | %.3g | %.3g | %.1f |\n", name, count, 1e3 * sum,
            1e3 * p->detect, 1e3 * p->assemble, 1e3 * p->solve, 1e3 * p->project, 1e3 * o.seconds, p->iterations);
  } else
    fprintf(f, "| %s | %zu | %s |\n", name, count, o.message);
  bench_scene_free(&scene);
  return sum;
}

/* Detection, assembly and one sweep on bodies that all touch: how it grows. */
static void run_growth(FILE *f) {
  static const size_t sizes[] = {1000, 3000, 10000, 30000};
  static const char *const scenes[] = {"balls", "cubes"};
  enum { SIZES = sizeof sizes / sizeof *sizes };
  fprintf(f, "\n| growth, touching | bodies | detect + assemble + solve / (1 + sweeps) ms | detect | assemble | solve "
             "| project | step | "
             "sweeps |\n|-|-|-|-|-|-|-|-|-|\n");
  for (int which = 0; which < 2; which++) {
    double n[SIZES], seconds[SIZES];
    int count = 0;
    for (int k = 0; k < SIZES; k++) {
      double sum = grow(f, scenes[which], sizes[k]);
      if (sum > 0) n[count] = (double)sizes[k], seconds[count++] = sum;
    }
    fprintf(f, "| %s | exponent | %.3f | | | | | | |\n", scenes[which], exponent(count, n, seconds));
  }
}

/* ---- rows: the same steps at other tolerances, the same time in shorter steps ------------------------------------------ */

static void print_rows_of(FILE *f, const char *name, size_t count, double tolerance, double step, int settle,
                          int steps) {
  bench_scene scene;
  bench_outcome o;
  if (bench_scene_make(&scene, name, count, 0) != 0) exit(1);
  scene.tolerance = tolerance, scene.step = step;
  bench_job job = {
      .engine = "thud", .scene = &scene, .settle = settle, .steps = steps, .runs = 2, .judged = 1, .limit = 120};
  if (bench_measure(&job, &o) == 0)
    fprintf(f, "| %s | %zu | %.0e | %.2e | %d .. %d | %.3g | %.3g | %.1f | %.1e | %d |\n", name, scene.count, tolerance,
            step, settle, settle + o.steps - 1, 1e3 * o.seconds, 1e3 * o.parts.solve, o.parts.iterations,
            o.residual_worst, o.above);
  else
    fprintf(f, "| %s | %zu | %.0e | %.2e | %s |\n", name, scene.count, tolerance, step, o.message);
  bench_scene_free(&scene);
}

/* At rest tighter tolerances may cost little more, shorter steps nothing. */
static void run_rows(FILE *f) {
  static const struct {
    const char *name;
    size_t count;
  } scenes[] = {{"pyramid", 30}, {"balls", 100}, {"discs", 100}};
  fprintf(f, "\n| rows | bodies | tolerance | h | steps | ms per step | solve | iterations | worst residual | above |\n"
             "|-|-|-|-|-|-|-|-|-|-|\n");
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
    for (double tolerance = 1e-2; tolerance > 0.5e-8; tolerance /= 10)
      print_rows_of(f, scenes[k].name, scenes[k].count, tolerance, 5e-3, 100, 40);
    for (int halvings = 1; halvings <= 4; halvings++)
      print_rows_of(f, scenes[k].name, scenes[k].count, 1e-4, ldexp(5e-3, -halvings), 100 << halvings, 40 << halvings);
  }
}

static void print_head(FILE *f, const settings *s) {
  char line[256], model[256] = "";
  FILE *information = fopen("/proc/cpuinfo", "r");
  while (information != NULL && fgets(line, sizeof line, information) != NULL)
    if (sscanf(line, "model name : %255[^\n]", model) == 1) break;
  if (information != NULL) fclose(information);
  fprintf(
      f,
      "Piles of rigid bodies (bench/README.md, `make bench-bodies`): h = 5 ms, mu = 0.5, e = 0, thud's tolerance 1e-4, "
      "no sleeping. %s, one core of a machine with other work. Processor time of a step after %g s of settling, mean "
      "of "
      "%d steps, least of %d runs.\n\n",
      model, 5e-3 * s->settle, s->steps, s->runs);
}

/* ---- command line ------------------------------------------------------------------------------------------------------ */

static void read_sizes(settings *s, const char *text) {
  char *end;
  for (s->size_count = 0; s->size_count < MOST_SIZES && *text != 0; text = *end == ',' ? end + 1 : end) {
    s->sizes[s->size_count++] = (size_t)strtoul(text, &end, 10);
    if (end == text) break;
  }
}

static settings read_settings(int count, char **words) {
  settings s = {.sizes = {100, 1000, 10000},
                .size_count = 3,
                .runs = 3,
                .settle = 200,
                .steps = 200,
                .slow_steps = 10,
                .slow_most = 1000,
                .limit = 600};
  int option;
  while ((option = getopt(count, words, "qs:e:n:k:m:c:l:o:")) != -1) switch (option) {
    case 'q': s.size_count = 2, s.runs = 1, s.settle = 100, s.steps = 100, s.limit = 60, s.slow_most = 100; break;
    case 's': s.scenes = optarg; break;
    case 'e': s.engines = optarg; break;
    case 'n': read_sizes(&s, optarg); break;
    case 'k': s.runs = atoi(optarg); break;
    case 'm': s.settle = atoi(optarg); break;
    case 'c': s.steps = atoi(optarg); break;
    case 'l': s.limit = atof(optarg); break;
    case 'o': s.output = optarg; break;
    default: exit(2);
    }
  if (s.steps < 1 || s.steps > BENCH_MOST_STEPS || s.runs < 1 || s.settle < 0 || optind < count) {
    fprintf(stderr, "bench-bodies: see bench/README.md for the options\n");
    exit(2);
  }
  return s;
}

static void find_folder(settings *s) {
  char path[PATH];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length < 0) exit(1);
  path[length] = 0;
  snprintf(s->folder, sizeof s->folder, "%s", dirname(path));
}

static void run_all(const settings *s, table *t) {
  static const char *const piles[] = {"balls", "cubes", "discs", "squares"};
  for (int which = 0; which < 4; which++)
    for (int k = 0; k < s->size_count && is_chosen(s->scenes, piles[which]); k++)
      run_scene(s, piles[which], s->sizes[k], t);
  if (is_chosen(s->scenes, "pyramid")) run_scene(s, "pyramid", 100, t);
}

int main(int count, char **words) {
  static table t;
  settings s = read_settings(count, words);
  find_folder(&s);
  if (bench_judge_test() != 0) return 1;
  run_all(&s, &t);
  FILE *f = s.output != NULL ? fopen(s.output, "w") : stdout;
  if (f == NULL) {
    fprintf(stderr, "bench-bodies: cannot write %s\n", s.output);
    return 1;
  }
  print_head(f, &s);
  if (t.count > 0) {
    print_engines(f, &t);
    print_exponents(f, &t);
    print_parts(f, &t);
  }
  if (is_chosen(s.scenes, "growth") && is_chosen(s.engines, "thud")) run_growth(f);
  if (s.scenes != NULL && is_chosen(s.scenes, "rows")) run_rows(f);
  if (f != stdout) fclose(f);
  return 0;
}
