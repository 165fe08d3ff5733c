#include "column.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

double bench_seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_column_energy(const bench_column *column, const double *q, const double *v) {
  double energy = 0;
  for (int i = 0; i < column->count; i++) energy += v[i] * v[i] / 2 + column->gravity * q[i];
  return energy;
}

void bench_column_start(const bench_column *column, double *q) {
  for (int i = 0; i < column->count; i++) q[i] = column->first + column->spread * i;
}

thud_error bench_column_system(thud_context *context, const bench_column *column, bool inelastic,
                               thud_system **system) {
  char names[BENCH_MOST_MASSES][8], gaps[BENCH_MOST_MASSES][24], force[32], restitution[32], energy[512] = "0.5*(";
  const char *coordinates[BENCH_MOST_MASSES], *forces[BENCH_MOST_MASSES];
  thud_expr_constraint_def constraints[BENCH_MOST_MASSES];
  size_t count = (size_t)column->count, used = 5;
  snprintf(force, sizeof force, "%.17g", -column->gravity);
  snprintf(restitution, sizeof restitution, "%.17g", inelastic ? 0.0 : column->restitution);
  for (size_t i = 0; i < count; i++) {
    snprintf(names[i], sizeof names[i], "q%zu", i);
    if (i == 0)
      snprintf(gaps[i], sizeof gaps[i], "q0");
    else
      snprintf(gaps[i], sizeof gaps[i], "q%zu - q%zu", i, i - 1);
    used += (size_t)snprintf(energy + used, sizeof energy - used, "%sq%zu'^2", i > 0 ? " + " : "", i);
    coordinates[i] = names[i];
    forces[i] = force;
    constraints[i] = (thud_expr_constraint_def){
        .name = names[i], .kind = THUD_CONSTRAINT_UNILATERAL, .source = gaps[i], .restitution = restitution};
  }
  snprintf(energy + used, sizeof energy - used, ")");
  thud_expr_system_def def = {.n = column->count,
                              .coordinates = coordinates,
                              .kinetic_energy = energy,
                              .forces = forces,
                              .m = column->count,
                              .constraints = constraints};
  thud_expr_scope *scope;
  thud_error error = thud_expr_scope_create(context, &scope);
  if (error != THUD_OK) return error;
  error = thud_system_create_expressions(context, scope, &def, NULL, system);
  thud_expr_scope_destroy(scope);
  return error;
}

/* Time until contact i closes: gap q_i - q_{i-1} linear in time, q_0 a parabola; infinity: it does not. */
static long double time_to_contact(const bench_column *column, const long double *q, const long double *v, int i) {
  if (i == 0) return (v[0] + sqrtl(v[0] * v[0] + 2 * (long double)column->gravity * q[0])) / column->gravity;
  return v[i] < v[i - 1] ? (q[i] - q[i - 1]) / (v[i - 1] - v[i]) : HUGE_VALL;
}

void bench_column_exact(const bench_column *column, int limit, bench_column_impacts *impacts) {
  long double q[BENCH_MOST_MASSES], v[BENCH_MOST_MASSES] = {0}, t = 0, g = column->gravity;
  for (int i = 0; i < column->count; i++) q[i] = (long double)(column->first + column->spread * i);
  for (impacts->count = 0; impacts->count < limit; impacts->count++) {
    int struck = 0;
    long double step = time_to_contact(column, q, v, 0);
    for (int i = 1; i < column->count; i++)
      if (time_to_contact(column, q, v, i) < step) step = time_to_contact(column, q, v, struck = i);
    t += step;
    for (int i = 0; i < column->count; i++) {
      q[i] += step * (v[i] - g * step / 2);
      v[i] -= g * step;
    }
    /* Newton's law between equal masses; the gap is 0 exactly. */
    long double approach = struck > 0 ? v[struck] - v[struck - 1] : v[0];
    long double jump = -(1 + (long double)column->restitution) * approach / (struck > 0 ? 2 : 1);
    v[struck] += jump;
    if (struck > 0) v[struck - 1] -= jump;
    q[struck] = struck > 0 ? q[struck - 1] : 0;
    impacts->t[impacts->count] = (double)t;
    impacts->energy = 0;
    for (int i = 0; i < column->count; i++) {
      impacts->v[impacts->count][i] = (double)v[i];
      impacts->energy += (double)(v[i] * v[i] / 2 + g * q[i]);
    }
  }
}
