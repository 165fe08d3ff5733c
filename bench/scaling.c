/* How the cost of a step grows with the size of a system whose matrices are sparse: a column of n balls on a floor,
 * given by C functions with patterns. CSV on standard output:
 *
 *   rest  the balls rest on each other; cold: the first step, nothing is known; warm: the mean of the later ones
 *   turn  the same with gradients that change from step to step, so that every step assembles and factorizes anew
 *   fall  the column falls as a whole with a small gap below each ball and hits the floor; cold: the most expensive
 *         step, warm: the mean
 *
 * and at the end, as comments, the exponents p of time ~ n^p fitted to the rows of each case. */
#include "column.h"
#include "thud/thud.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_SIZES = 8, STEPS = 200 };

/* ---- the system ---------------------------------------------------------------------------------------------------
 * */

typedef struct column {
  thud_index n;
  char (*names)[16];
  const char **coordinates;
  thud_constraint_def *constraints;
  double *mass;
  thud_index *identity;      /* [n+1] 0, 1, .. */
  thud_index *start, *touch; /* pattern of the gaps */
  thud_index *nothing;       /* [n+1] zeros */
  double *q, *v;
  bool turns; /* gaps are measured in a unit that changes with time */
} column;

static const double GRAVITY = 9.81;

static int force(void *user, double t, const double *q, const double *v, double *out) {
  const column *c = user;
  (void)t, (void)q, (void)v;
  for (thud_index i = 0; i < c->n; i++) out[i] = -GRAVITY;
  return 0;
}

static int gap(void *user, double t, const double *q, const double *v, double *out) {
  const column *c = user;
  (void)v;
  double unit = c->turns ? 1 + t : 1;
  for (thud_index i = 0; i < c->n; i++) out[i] = unit * (i > 0 ? q[i] - q[i - 1] : q[0]);
  return 0;
}

/* Entries of the pattern: 1 of the first gap, -1, 1 of the others. */
static int gradient(void *user, double t, const double *q, const double *v, double *out) {
  const column *c = user;
  (void)q, (void)v;
  double unit = c->turns ? 1 + t : 1;
  out[0] = unit;
  for (thud_index i = 1; i < c->n; i++) {
    out[2 * i - 1] = -unit;
    out[2 * i] = unit;
  }
  return 0;
}

static void *room(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (memory != NULL) return memory;
  fputs("scaling: out of memory\n", stderr);
  exit(1);
}

static column make_column(thud_index n) {
  size_t count = (size_t)n;
  column c = {.n = n,
              .names = room(count, 16),
              .coordinates = room(count, sizeof(char *)),
              .constraints = room(count, sizeof(thud_constraint_def)),
              .mass = room(count, sizeof(double)),
              .identity = room(count + 1, sizeof(thud_index)),
              .start = room(count + 1, sizeof(thud_index)),
              .touch = room(2 * count, sizeof(thud_index)),
              .nothing = room(count + 1, sizeof(thud_index)),
              .q = room(count, sizeof(double)),
              .v = room(count, sizeof(double))};
  for (thud_index i = 0; i < n; i++) {
    snprintf(c.names[i], sizeof c.names[i], "q%d", (int)i);
    c.coordinates[i] = c.names[i];
    c.constraints[i] = (thud_constraint_def){.name = c.names[i]};
    c.mass[i] = 1;
    c.identity[i + 1] = i + 1;
    c.start[i + 1] = 2 * i + 1;
    c.touch[2 * i] = i;
    if (i > 0) c.touch[2 * i - 1] = i - 1;
  }
  return c;
}

static void free_column(column *c) {
  free(c->names);
  free(c->coordinates);
  free(c->constraints);
  free(c->mass);
  free(c->identity);
  free(c->start);
  free(c->touch);
  free(c->nothing);
  free(c->q);
  free(c->v);
}

static thud_error make_system(thud_context *context, column *c, thud_system **system) {
  const thud_system_patterns patterns = {.mass = {c->identity, c->identity},
                                         .gradient = {c->start, c->touch},
                                         .force_dq = {c->nothing, c->touch},
                                         .force_dv = {c->nothing, c->touch}};
  thud_system_def def = {.n = c->n,
                         .coordinates = c->coordinates,
                         .mass = c->mass,
                         .patterns = &patterns,
                         .m = c->n,
                         .constraints = c->constraints,
                         .functions = {.user = c, .force = force, .constraint = gap, .gradient = gradient}};
  return thud_system_create(context, &def, system);
}

/* ---- measurement --------------------------------------------------------------------------------------------------
 * */

typedef struct times {
  double setup, cold, warm; /* s */
  double residual, identity;
  size_t impacts;
} times;

static void check(thud_context *context, thud_error error) {
  if (error == THUD_OK) return;
  fprintf(stderr, "scaling: %s\n", thud_context_last_message(context));
  exit(1);
}

static times run(thud_context *context, thud_index n, bool falling, bool turns) {
  double begin = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
  column c = make_column(n);
  c.turns = turns;
  times found = {0};
  thud_system *system;
  thud_motion *motion;
  thud_stepping_motion_info info;
  for (thud_index i = 0; falling && i < n; i++) {
    c.q[i] = 0.01 + 1e-5 * i;
    c.v[i] = -1;
  }
  check(context, make_system(context, &c, &system));
  thud_stepping_options options = thud_stepping_options_default();
  options.method = THUD_STEPPING_MOREAU;
  options.end = falling ? 0.1 : 1e-3 * STEPS;
  options.steps = STEPS;
  check(context, thud_stepping_motion_create(context, system, &options, c.q, c.v, &motion));
  check(context, thud_motion_step(motion, NULL, NULL)); /* node 0 */
  found.setup = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
  double total = 0;
  for (int k = 0; k < STEPS; k++) {
    begin = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    check(context, thud_motion_step(motion, NULL, NULL));
    double time = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
    if (k == 0 || (falling && time > found.cold)) found.cold = time;
    if (k > 0 || falling) total += time;
  }
  found.warm = total / (falling ? STEPS : STEPS - 1);
  info = thud_stepping_motion_get_info(motion);
  found.residual = info.worst_residual;
  found.identity = info.ledger.identity;
  found.impacts = info.impacts;
  if (info.status != THUD_MOTION_COMPLETED) fprintf(stderr, "scaling: %s\n", thud_context_last_message(context));
  thud_motion_destroy(motion);
  thud_system_destroy(system);
  free_column(&c);
  return found;
}

/* p of y ~ x^p by least squares of the logarithms. */
static double exponent(int count, const double *x, const double *y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int k = 0; k < count; k++) {
    double a = log(x[k]), b = log(y[k]);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

static void measure(thud_context *context, const char *name, bool falling, bool turns) {
  static const thud_index sizes[] = {100, 200, 400, 800, 1600, 3200, 5000};
  enum { COUNT = sizeof sizes / sizeof *sizes };
  double n[MOST_SIZES], cold[MOST_SIZES], warm[MOST_SIZES];
  for (int k = 0; k < COUNT; k++) {
    times t = run(context, sizes[k], falling, turns);
    n[k] = sizes[k], cold[k] = t.cold, warm[k] = t.warm;
    printf("%s,%d,%.3f,%.4f,%.4f,%.2e,%.2e,%zu\n", name, (int)sizes[k], 1e3 * t.setup, 1e3 * t.cold, 1e3 * t.warm,
           t.residual, t.identity, t.impacts);
    fflush(stdout);
  }
  printf("# %s: cold ~ n^%.2f, warm ~ n^%.2f\n", name, exponent(COUNT, n, cold), exponent(COUNT, n, warm));
}

int main(void) {
  thud_context *context;
  if (thud_context_create(NULL, &context) != THUD_OK) return 1;
  puts("case,n,setup_ms,cold_ms,warm_ms,residual,identity,impacts");
  measure(context, "rest", false, false);
  measure(context, "turn", false, true);
  measure(context, "fall", true, false);
  thud_context_destroy(context);
  return 0;
}
