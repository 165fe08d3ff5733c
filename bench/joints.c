/* Mechanisms: thud beside MuJoCo, Simbody and ODE, every one in a process of its own and judged by code that is of none of
 * them. Rows as CSV on standard output; with -o, tables in Markdown.
 *   bench_joints [-q] [-s SCENES] [-e ENGINES] [-k RUNS] [-l SECONDS] [-n HALVINGS] [-o FILE] */
#define _DEFAULT_SOURCE 1
#include "apart.h"
#include "joints.h"

#include <dlfcn.h>
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINKS = 256, MOST_ROWS = 1024, MOST_HALVINGS = 9, PATH = 1024 };

static const struct {
  const char *name, *module, *package;
} contenders[] = {
    {"thud", NULL, NULL},
    {"thud-space", NULL, NULL},
    {"mujoco", "mujoco", "libmujoco-dev"},
    {"mujoco-rk4", "mujoco", "libmujoco-dev"},
    {"simbody", "simbody", "libsimbody-dev"},
    {"simbody-euler", "simbody", "libsimbody-dev"},
    {"ode", "ode", "libode-dev"},
    {"ode-quick", "ode", "libode-dev"},
};
enum { CONTENDERS = sizeof contenders / sizeof *contenders };

static const struct {
  const char *name;
  int size;
} scenes[] = {{"chain", 5},          {"chain", 20},    {"chain", 80},     {"loaded-chain", 80},
              {"loaded-chain", 100}, {"four-bars", 2}, {"four-bars", 20}, {"ragdoll", 13}};
enum { SCENES = sizeof scenes / sizeof *scenes };

static const double first_step = 8e-3; /* s; halved again and again */

typedef struct settings {
  const char *scenes, *engines, *output;
  int runs, halvings;
  double limit; /* processor seconds of one row */
  char folder[PATH];
} settings;

/* What a child leaves behind. */
typedef struct board {
  int steps;                      /* judged ones */
  double best;                    /* s per step, 0: none */
  double gap, slip, beyond, sunk; /* worst */
  double energy;                  /* largest change, with a floor largest gain, J */
  double places[MOST_LINKS][3];   /* at the time at which motions are compared */
  char message[BENCH_MESSAGE];
} board;

typedef struct job {
  const settings *s;
  const bench_mechanism *mechanism;
  int who, steps, compared; /* compared: after so many steps */
  double step;
  board *board;
} job;

typedef struct row {
  const char *scene;
  int size, who, halving, done;
  double step, end, scale; /* scale: weight times the length of 1 m, J */
  double error;            /* m, of places; negative: unknown */
  board result;
} row;

/* ---- one run --------------------------------------------------------------------------------------------------------- */

static int fail(job *j, const char *what) {
  snprintf(j->board->message, sizeof j->board->message, "%s", what);
  return -1;
}

static const bench_joint_engine *find_engine(job *j) {
  const bench_joint_engine *engines = bench_joint_thud_engines;
  if (contenders[j->who].module != NULL) {
    char path[PATH + 64];
    snprintf(path, sizeof path, "%s/bench_joints_%s.so", j->s->folder, contenders[j->who].module);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return fail(j, dlerror()), NULL;
    engines = dlsym(library, "bench_joint_engines");
  }
  for (; engines != NULL && engines->name != NULL; engines++)
    if (strcmp(engines->name, contenders[j->who].name) == 0) return engines;
  return fail(j, "no such engine"), NULL;
}

/* Energy is kept, or lost at the floor: then every gain counts. */
static void keep_energy(job *j, double energy, double *least, double *most) {
  if (j->mechanism->floor) {
    j->board->energy = fmax(j->board->energy, energy - *least);
    *least = fmin(*least, energy);
    return;
  }
  *least = fmin(*least, energy), *most = fmax(*most, energy);
  j->board->energy = *most - *least;
}

static int run_judged(job *j, const bench_joint_engine *engine, void *world, bench_state *states) {
  const bench_mechanism *m = j->mechanism;
  board *b = j->board;
  bench_joints_verdict v;
  double least, most;
  engine->states(world, states);
  bench_joints_judge(m, states, &v);
  least = most = v.energy;
  for (int k = 1; k <= j->steps; k++) {
    if (engine->step(world) != 0) return fail(j, "a step failed");
    engine->states(world, states);
    bench_joints_judge(m, states, &v);
    if (!isfinite(v.gap + v.slip + v.energy)) return fail(j, "it blew up");
    b->gap = fmax(b->gap, v.gap), b->slip = fmax(b->slip, v.slip);
    b->beyond = fmax(b->beyond, v.beyond), b->sunk = fmax(b->sunk, v.sunk);
    keep_energy(j, v.energy, &least, &most);
    b->steps = k;
    for (int i = 0; k == j->compared && i < m->count; i++)
      memcpy(b->places[i], states[i].position, sizeof b->places[i]);
  }
  return 0;
}

static int run_timed(job *j, const bench_joint_engine *engine, void *world) {
  double start = bench_processor_time();
  for (int k = 0; k < j->steps; k++)
    if (engine->step(world) != 0) return fail(j, "a step failed");
  double seconds = (bench_processor_time() - start) / j->steps;
  if (j->board->best == 0 || seconds < j->board->best) j->board->best = seconds;
  return 0;
}

static int run_child(void *given) {
  job *j = given;
  const bench_joint_engine *engine = find_engine(j);
  bench_state *states = calloc((size_t)j->mechanism->count, sizeof *states);
  if (engine == NULL || states == NULL) return -1;
  for (int run = 0; run <= j->s->runs; run++) {
    void *world = engine->create(j->mechanism, j->step);
    if (world == NULL) return fail(j, "could not be set up");
    if ((run == 0 ? run_judged(j, engine, world, states) : run_timed(j, engine, world)) != 0) return -1;
    engine->destroy(world);
  }
  free(states);
  return 0;
}

static void run_row(const settings *s, const bench_mechanism *m, row *r) {
  board *shared = bench_shared_create(sizeof *shared);
  if (shared == NULL) exit(1);
  job j = {.s = s, .mechanism = m, .who = r->who, .step = r->step, .board = shared};
  j.steps = (int)lround(m->end / r->step);
  j.compared = (int)lround((m->settle > 0 ? m->settle : m->end) / r->step);
  int how = bench_run_apart(run_child, &j, s->limit, shared->message);
  r->result = *shared;
  r->done = how >= 0 && shared->steps >= j.compared && shared->best > 0;
  if (r->done) r->result.message[0] = 0;
  bench_shared_destroy(shared, sizeof *shared);
}

/* ---- one mechanism ------------------------------------------------------------------------------------------------------- */

/* The rows of one engine on one mechanism follow each other, the coarsest step first. */
static row *rows_of(row *rows, int count, const row *like, int *many) {
  int first = 0;
  while (first < count && (rows[first].who != like->who || rows[first].size != like->size ||
                           strcmp(rows[first].scene, like->scene) != 0))
    first++;
  for (*many = 0; first + *many < count && rows[first + *many].who == like->who &&
                  rows[first + *many].size == like->size && strcmp(rows[first + *many].scene, like->scene) == 0;)
    ++*many;
  return rows + first;
}

static double distance(const bench_mechanism *m, const board *b, double (*flat)[2], double (*places)[3]) {
  double worst = 0;
  for (int i = 0; i < m->count; i++) {
    double sum = 0;
    for (int x = 0; x < 3; x++) {
      double away = b->places[i][x] - (places != NULL ? places[i][x] : x < 2 ? flat[i][x] : 0);
      sum += away * away;
    }
    worst = fmax(worst, sqrt(sum));
  }
  return worst;
}

/* Without a reference: against the finest step of the same engine, which is itself not judged. */
static void judge_own(const bench_mechanism *m, row *rows, int count) {
  row *finest = &rows[count - 1];
  for (int k = 0; k < count; k++)
    rows[k].error =
        rows[k].done && finest->done && k + 1 < count ? distance(m, &rows[k].result, NULL, finest->result.places) : -1;
}

static int is_chosen(const char *words, const char *name) {
  size_t length = strlen(name);
  if (words == NULL) return 1;
  for (const char *at = words; (at = strstr(at, name)) != NULL; at += length)
    if ((at == words || at[-1] == ',') && (at[length] == ',' || at[length] == 0)) return 1;
  return 0;
}

static int is_missing(const settings *s, int who) {
  char path[PATH + 64];
  if (contenders[who].module == NULL) return 0;
  snprintf(path, sizeof path, "%s/bench_joints_%s.so", s->folder, contenders[who].module);
  return access(path, R_OK) != 0;
}

static double weight_of(const bench_mechanism *m) {
  double sum = 0;
  for (int i = 0; i < m->count; i++) sum += m->links[i].mass * m->gravity;
  return sum;
}

static int run_contender(const settings *s, const bench_mechanism *m, double (*flat)[2], int who, row *rows) {
  int count = s->halvings + 1;
  for (int k = 0; k < count; k++) {
    row *r = &rows[k];
    *r = (row){
        .scene = m->name, .size = m->size, .who = who, .halving = k, .step = ldexp(first_step, -k), .end = m->end};
    r->scale = weight_of(m);
    run_row(s, m, r);
    r->error = r->done && flat != NULL ? distance(m, &r->result, flat, NULL) : -1;
    fprintf(stderr, "%s %d %s h=%.3g ms: %s %.3g us, error %.2g m\n", m->name, m->size, contenders[who].name,
            1e3 * r->step, r->result.message, 1e6 * r->result.best, r->error);
  }
  if (flat == NULL) judge_own(m, rows, count);
  return count;
}

static int run_scene(const settings *s, int which, row *rows) {
  static double places[MOST_LINKS][2];
  bench_mechanism m;
  double uncertainty;
  int count = 0;
  if (bench_mechanism_make(&m, scenes[which].name, scenes[which].size) != 0 || m.count > MOST_LINKS) exit(1);
  int known = bench_joints_reference(&m, places, &uncertainty) == 0;
  if (known) fprintf(stderr, "%s %d: reference to %.1e m\n", m.name, m.size, uncertainty);
  for (int who = 0; who < CONTENDERS; who++) {
    if (!is_chosen(s->engines, contenders[who].name)) continue;
    if (!m.flat && strcmp(contenders[who].name, "thud-space") == 0) continue;
    if (is_missing(s, who))
      fprintf(stderr, "%s: not built (Debian: %s)\n", contenders[who].name, contenders[who].package);
    else
      count += run_contender(s, &m, known ? places : NULL, who, rows + count);
  }
  bench_mechanism_free(&m);
  return count;
}

/* ---- tables ---------------------------------------------------------------------------------------------------------- */

/* thud's row with the same step. */
static const row *thud_of(const row *rows, int count, const row *r) {
  for (int k = 0; k < count; k++)
    if (rows[k].who == 0 && rows[k].halving == r->halving && rows[k].size == r->size &&
        strcmp(rows[k].scene, r->scene) == 0)
      return rows[k].done ? &rows[k] : NULL;
  return NULL;
}

static void print_number(double value) {
  if (value >= 0) printf("%.3e", value);
  putchar(',');
}

static void print_rows(const row *rows, int count) {
  for (int k = 0; k < count; k++) {
    const row *r = &rows[k], *thud = thud_of(rows, count, r);
    const board *b = &r->result;
    printf("%s,%d,%s,%.4e,", r->scene, r->size, contenders[r->who].name, r->step);
    print_number(r->done ? 1e6 * b->best : -1);
    print_number(r->done && thud != NULL ? thud->result.best / b->best : -1);
    print_number(r->done ? b->gap : -1);
    print_number(r->done ? b->slip : -1);
    print_number(r->done ? b->beyond : -1);
    print_number(r->done ? b->sunk : -1);
    print_number(r->done ? b->energy / r->scale : -1);
    print_number(r->error);
    puts(b->message);
  }
  fflush(stdout);
}

/* The coarsest step from which on all errors are at most the given one; NULL: none. */
static const row *reaches(const row *rows, int count, double error) {
  const row *found = NULL;
  for (int k = count - 1; k >= 0; k--) {
    if (rows[k].error < 0 && k + 1 == count) continue; /* what the others are compared with */
    if (!(rows[k].error >= 0 && rows[k].error <= error)) break;
    found = &rows[k];
  }
  return found;
}

static void print_reached(FILE *f, const row *rows, int count, double error) {
  const row *r = reaches(rows, count, error);
  if (r == NULL)
    fprintf(f, " not reached |");
  else
    fprintf(f, " %.3g (%.3g) |", 1e3 * r->result.best / r->step, 1e3 * r->step);
}

static void print_tables(FILE *f, row *rows, int count) {
  fprintf(f,
          "| mechanism | engine | us per step | thud / it | gap m | energy | error m | ms per second for 1e-3 m (step "
          "ms) | for 1e-5 m |\n|-|-|-|-|-|-|-|-|-|\n");
  for (int k = 0; k < count; k++) {
    int many;
    row *own = rows_of(rows, count, &rows[k], &many), *r = &rows[k];
    if (r->halving != 3) continue;
    const row *thud = thud_of(rows, count, r);
    fprintf(f, "| %s %d | %s |", r->scene, r->size, contenders[r->who].name);
    if (!r->done) {
      fprintf(f, " %s | | | | |", r->result.message);
    } else {
      fprintf(f, " %.3g |", 1e6 * r->result.best);
      if (thud != NULL) fprintf(f, " %.2f", thud->result.best / r->result.best);
      fprintf(f, " | %.1e | %.1e | %.1e |", r->result.gap, r->result.energy / r->scale, r->error);
    }
    print_reached(f, own, many, 1e-3);
    print_reached(f, own, many, 1e-5);
    fputc('\n', f);
  }
}

/* ---- command line ------------------------------------------------------------------------------------------------------ */

static settings read_settings(int count, char **words) {
  settings s = {.runs = 3, .halvings = 5, .limit = 120};
  char path[PATH];
  int option;
  while ((option = getopt(count, words, "qs:e:k:l:n:o:")) != -1) switch (option) {
    case 'q': s.runs = 1, s.halvings = 3, s.limit = 20; break;
    case 's': s.scenes = optarg; break;
    case 'e': s.engines = optarg; break;
    case 'k': s.runs = atoi(optarg); break;
    case 'l': s.limit = atof(optarg); break;
    case 'n': s.halvings = atoi(optarg); break;
    case 'o': s.output = optarg; break;
    default: exit(2);
    }
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (s.runs < 1 || s.halvings < 3 || s.halvings > MOST_HALVINGS || optind < count || length < 0) {
    fprintf(stderr, "bench-joints: see bench/README.md for the options\n");
    exit(2);
  }
  path[length] = 0;
  snprintf(s.folder, sizeof s.folder, "%s", dirname(path));
  return s;
}

int main(int count, char **words) {
  static row rows[MOST_ROWS];
  int made = 0;
  settings s = read_settings(count, words);
  if (bench_joints_judge_test() != 0) return 1;
  puts("scene,size,engine,step_s,us_per_step,thud_over_it,gap_m,slip_m_s,beyond_rad,sunk_m,energy_error,error_m,note");
  for (int k = 0; k < SCENES; k++) {
    if (!is_chosen(s.scenes, scenes[k].name)) continue;
    int more = run_scene(&s, k, rows + made);
    print_rows(rows + made, more);
    made += more;
  }
  FILE *f = s.output != NULL ? fopen(s.output, "w") : NULL;
  if (s.output != NULL && f == NULL) {
    fprintf(stderr, "bench-joints: cannot write %s\n", s.output);
    return 1;
  }
  if (f != NULL) print_tables(f, rows, made), fclose(f);
  return 0;
}
