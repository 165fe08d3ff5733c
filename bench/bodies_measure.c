/* Runs an engine in a child process; what it has measured so far lies in memory that both processes see. */
#include "bodies_measure.h"
#include "bodies_judge.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct sample {
  double seconds, contacts, overlap;
  bench_verdict verdict;
} sample;

/* What the child leaves behind; states of the scene follow it. */
typedef struct board {
  int first_steps; /* of the first run */
  int runs;
  double best; /* s per step */
  int has_parts;
  bench_parts parts;
  char message[BENCH_MESSAGE];
  sample first[BENCH_MOST_STEPS];
  double energy; /* at the start of the measured steps of the first run */
  bench_state settled[];
} board;

typedef struct child {
  const bench_job *job;
  const bench_engine *engine;
  board *board;
  void *world;
  bench_state *before, *after;
  double *scratch;
  bench_contact *contacts;
  size_t capacity;
} child;

static int fail(child *c, const char *what) {
  snprintf(c->board->message, sizeof c->board->message, "%s", what);
  return -1;
}

static int find_engine(child *c) {
  const bench_engine *engines = bench_thud_engines;
  if (c->job->module != NULL) {
    void *library = dlopen(c->job->module, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return fail(c, dlerror());
    engines = dlsym(library, "bench_engines");
    if (engines == NULL) return fail(c, "no table of engines");
  }
  for (; engines->name != NULL; engines++)
    if (strcmp(engines->name, c->job->engine) == 0) {
      c->engine = engines;
      return 0;
    }
  return fail(c, "no such engine");
}

static size_t read_contacts(child *c) {
  size_t count = c->engine->contacts(c->world, c->before, c->capacity, c->contacts);
  if (count <= c->capacity) return count;
  c->capacity = count + count / 4;
  c->contacts = realloc(c->contacts, c->capacity * sizeof *c->contacts);
  if (c->contacts == NULL) {
    fail(c, "out of memory");
    _exit(1);
  }
  return c->engine->contacts(c->world, c->before, c->capacity, c->contacts);
}

static void judge(child *c, sample *made) {
  const bench_scene *scene = c->job->scene;
  c->engine->states(c->world, c->after);
  size_t count = read_contacts(c);
  made->contacts = (double)count;
  bench_judge_step(scene, c->before, c->after, count, c->contacts, c->scratch, &made->verdict);
  made->overlap = bench_judge_overlap(scene, c->after);
}

static double energy_of(child *c) {
  bench_verdict verdict;
  bench_judge_step(c->job->scene, c->before, c->before, 0, NULL, c->scratch, &verdict);
  return verdict.energy;
}

static int settle(child *c, int first) {
  for (int k = 0; k < c->job->settle; k++)
    if (c->engine->step(c->world) != 0) return fail(c, "a step failed while it settled");
  if (!first) return 0;
  c->engine->states(c->world, c->before);
  c->board->energy = energy_of(c);
  memcpy(c->board->settled, c->before, c->job->scene->count * sizeof *c->before);
  return 0;
}

static void keep_parts(child *c, const bench_parts *begin, double steps) {
  bench_parts end;
  c->engine->parts(c->world, &end);
  c->board->has_parts = 1;
  c->board->parts = (bench_parts){.detect = (end.detect - begin->detect) / steps,
                                  .assemble = (end.assemble - begin->assemble) / steps,
                                  .solve = (end.solve - begin->solve) / steps,
                                  .project = (end.project - begin->project) / steps,
                                  .allocations = end.allocations - begin->allocations,
                                  .iterations = (end.iterations - begin->iterations) / steps};
}

static int run_steps(child *c, int run) {
  bench_parts begin = {0};
  double total = 0;
  int judged = run == 0 && c->job->judged;
  if (c->engine->parts != NULL) c->engine->parts(c->world, &begin);
  for (int k = 0; k < c->job->steps; k++) {
    if (judged) c->engine->states(c->world, c->before);
    double start = bench_processor_time();
    if (c->engine->step(c->world) != 0) return fail(c, "a step failed");
    double seconds = bench_processor_time() - start;
    total += seconds;
    if (run > 0) continue;
    c->board->first[k].seconds = seconds;
    if (judged) judge(c, &c->board->first[k]);
    c->board->first_steps = k + 1;
  }
  c->board->runs = run + 1;
  if (run > 0 && total >= c->board->best * c->job->steps) return 0;
  c->board->best = total / c->job->steps;
  if (c->engine->parts != NULL) keep_parts(c, &begin, c->job->steps);
  return 0;
}

/* Memory of the child ends with it. */
static int run_child(void *given) {
  child *c = given;
  size_t count = c->job->scene->count;
  if (find_engine(c) != 0) return -1;
  c->before = calloc(count, sizeof *c->before);
  c->after = calloc(count, sizeof *c->after);
  c->scratch = calloc(6 * count, sizeof *c->scratch);
  if (c->before == NULL || c->after == NULL || c->scratch == NULL) return fail(c, "out of memory");
  for (int run = 0; run < c->job->runs; run++) {
    c->world = c->engine->create(c->job->scene, c->job->rough);
    if (c->world == NULL) return fail(c, "could not be set up");
    if (settle(c, run == 0) != 0 || run_steps(c, run) != 0) return -1;
    c->engine->destroy(c->world);
  }
  return 0;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

static void fold_verdicts(const bench_job *job, const board *b, bench_outcome *outcome) {
  double residuals[BENCH_MOST_STEPS], stricts[BENCH_MOST_STEPS];
  const bench_scene *scene = job->scene;
  int n = b->first_steps;
  for (int k = 0; k < n; k++) {
    const sample *s = &b->first[k];
    residuals[k] = s->verdict.residual;
    stricts[k] = s->verdict.strict;
    outcome->residual_worst = fmax(outcome->residual_worst, s->verdict.residual);
    outcome->above += !(s->verdict.residual <= scene->tolerance);
    outcome->overlap = fmax(outcome->overlap, s->overlap);
    outcome->excess = fmax(outcome->excess, s->verdict.excess);
    outcome->momentum = fmax(outcome->momentum, s->verdict.momentum);
    outcome->speed += s->verdict.speed / n;
    outcome->contacts += s->contacts / n;
  }
  outcome->residual_median = median(residuals, n);
  outcome->strict_median = median(stricts, n);
  outcome->drift = (b->first[n - 1].verdict.energy - b->energy) / (n * scene->step) /
                   ((double)scene->count * scene->mass * scene->gravity * scene->half);
}

static void fold(const bench_job *job, const board *b, bench_outcome *outcome) {
  outcome->steps = b->first_steps;
  outcome->runs = b->runs;
  outcome->seconds = b->best;
  outcome->has_parts = b->has_parts;
  outcome->parts = b->parts;
  memcpy(outcome->message, b->message, sizeof outcome->message);
  if (b->first_steps == 0) return;
  if (b->runs == 0)
    for (int k = 0; k < b->first_steps; k++) outcome->seconds += b->first[k].seconds / b->first_steps;
  if (job->judged) fold_verdicts(job, b, outcome);
  if (job->settled != NULL) memcpy(job->settled, b->settled, job->scene->count * sizeof *b->settled);
}

int bench_measure(const bench_job *job, bench_outcome *outcome) {
  size_t size = sizeof(board) + job->scene->count * sizeof(bench_state);
  char message[BENCH_MESSAGE] = "";
  memset(outcome, 0, sizeof *outcome);
  board *shared = bench_shared_create(size);
  if (shared == NULL) return -1;
  child c = {.job = job, .board = shared};
  int how = bench_run_apart(run_child, &c, job->limit, message);
  fold(job, shared, outcome);
  if (how == 1)
    snprintf(outcome->message, sizeof outcome->message, "%d of %d steps within the limit of %.0f s", outcome->steps,
             job->steps, job->limit);
  else if (how != 0)
    memcpy(outcome->message, message, sizeof message);
  bench_shared_destroy(shared, size);
  return outcome->steps > 0 ? 0 : -1;
}
