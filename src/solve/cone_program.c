/* Small convex programs: what their two methods share, and a point deep in the set. */
#include "solve/cone_program.h"
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Rounding that is forgiven when a point is tested for lying in the cones, part of the coordinates involved. */
static const double CONE_ROUNDING = 1e-14;
/* A depth from which the search for a deep point may end, in units of the largest impulse. */
static const double DEEP_ENOUGH = 1e-2;
enum { PULL_STEPS = 60 };

double thud_cone_side_value(const thud_cone_side *side, const double *y) {
  return side->a * y[side->first] + (side->second >= 0 ? side->b * y[side->second] : 0);
}

double thud_cone_disc_depth(const thud_cone_disc *disc, const double *y) {
  return disc->radius * y[disc->normal] - hypot(y[disc->tangent], y[disc->tangent + 1]);
}

void thud_cone_program_point(const thud_cone_program *program, const double *z, double *y) {
  if (program->size > 0) memcpy(y, program->origin, (size_t)program->size * sizeof *y);
  if (program->freedom > 0)
    thud_dense_multiply_vector(program->size, program->freedom, program->basis, false, 1, z, 1, y);
}

thud_error thud_cone_program_minimise(const thud_cone_program *program, const double *c, const double *start,
                                      double enough, double *z, thud_cone_optimum *optimum) {
  double constant = 0, size = 0, slope = 0;
  for (thud_index i = 0; i < program->size; i++) {
    constant += c[i] * program->origin[i];
    size += fabs(c[i]);
  }
  double *g = THUD_NEW_ARRAY(program->context, double, program->freedom);
  if (g == NULL) return THUD_ERROR_MEMORY;
  thud_dense_multiply_vector(program->size, program->freedom, program->basis, true, 1, c, 0, g);
  for (thud_index j = 0; j < program->freedom; j++) slope = fmax(slope, fabs(g[j]));
  thud_error error = THUD_OK;
  if (slope <= (double)program->size * DBL_EPSILON * size) { /* c is constant on the set */
    if (program->freedom > 0) memset(z, 0, (size_t)program->freedom * sizeof *z);
    *optimum = (thud_cone_optimum){.value = constant, .bound = constant};
  } else if (program->disc_count == 0) {
    error = thud_cone_program_linear(program, c, g, enough, z, optimum);
  } else {
    error = thud_cone_program_barrier(program, c, NULL, start, enough, z, optimum);
  }
  thud_free(program->context, g);
  return error;
}

/* ---- the closest point ------------------------------------------------------------------------------------------- */

double thud_cone_program_nearest_bound(const thud_cone_program *program, const double *target, const double *x,
                                       const double *s) {
  double bound = 0, miss = 0;
  for (thud_index i = 0; i < program->size; i++) bound -= s[i] * program->origin[i];
  for (thud_index j = 0; j < program->freedom; j++) {
    const double *column = program->basis + (size_t)j * (size_t)program->size;
    double slope = x[j] - target[j], sum = slope;
    for (thud_index i = 0; i < program->size; i++) sum -= column[i] * s[i];
    bound += slope * (slope / 2 - x[j]);
    miss = hypot(miss, sum);
  }
  return bound - miss * program->reach;
}

thud_error thud_cone_program_nearest(const thud_cone_program *program, const double *target, const double *start,
                                     double *z, thud_cone_optimum *optimum) {
  if (program->disc_count == 0) return thud_cone_program_project(program, target, z, optimum);
  thud_error error = thud_cone_program_barrier(program, NULL, target, start, -INFINITY, z, optimum);
  return error == THUD_OK ? thud_cone_program_polish(program, target, z, optimum) : error;
}

/* ---- points inside ---------------------------------------------------------------------------------------------- */

bool thud_cone_program_holds(const thud_cone_program *program, const double *y) {
  for (thud_index k = 0; k < program->side_count; k++) {
    const thud_cone_side *side = &program->sides[k];
    double size = fabs(side->a * y[side->first]) + (side->second >= 0 ? fabs(side->b * y[side->second]) : 0);
    if (thud_cone_side_value(side, y) < -CONE_ROUNDING * fmax(size, 1)) return false;
  }
  for (thud_index k = 0; k < program->disc_count; k++) {
    const thud_cone_disc *disc = &program->discs[k];
    double size = fmax(1, disc->radius * fabs(y[disc->normal]));
    if (thud_cone_disc_depth(disc, y) < -CONE_ROUNDING * size) return false;
  }
  return true;
}

thud_error thud_cone_program_pull(const thud_cone_program *program, const double *from, const double *to, double *z) {
  thud_index p = program->freedom;
  double *point = THUD_NEW_ARRAY(program->context, double, p);
  double *y = THUD_NEW_ARRAY(program->context, double, program->size);
  thud_error error = THUD_ERROR_MEMORY;
  if (point != NULL && y != NULL) {
    double inside = 0, outside = 2; /* the first trial is 1, the end itself */
    for (int step = 0; step < PULL_STEPS && inside < 1; step++) {
      double t = (inside + outside) / 2;
      for (thud_index j = 0; j < p; j++) point[j] = from[j] + t * (to[j] - from[j]);
      thud_cone_program_point(program, point, y);
      if (thud_cone_program_holds(program, y))
        inside = t;
      else
        outside = t;
    }
    for (thud_index j = 0; j < p; j++) z[j] = from[j] + inside * (to[j] - from[j]);
    error = THUD_OK;
  }
  thud_free(program->context, point);
  thud_free(program->context, y);
  return error;
}

/* ---- the deepest point --------------------------------------------------------------------------------------------
 * maximise t over y - t inward in the cones, t <= 1: one coordinate more, 1 - t >= 0, and one degree of freedom more.
 */

typedef struct depth_program {
  thud_cone_program program;
  double *basis, *origin, *inward, *c, *start, *z;
  thud_cone_side *sides;
} depth_program;

static thud_error allocate_depth(const thud_cone_program *given, depth_program *deep) {
  size_t n = (size_t)given->size + 1, p = (size_t)given->freedom + 1;
  deep->basis = THUD_NEW_ARRAY(given->context, double, n *p);
  deep->origin = THUD_NEW_ARRAY(given->context, double, n);
  deep->inward = THUD_NEW_ARRAY(given->context, double, n);
  deep->c = THUD_NEW_ARRAY(given->context, double, n);
  deep->start = THUD_NEW_ARRAY(given->context, double, p);
  deep->z = THUD_NEW_ARRAY(given->context, double, p);
  deep->sides = THUD_NEW_ARRAY(given->context, thud_cone_side, given->side_count + 1);
  bool made = deep->basis != NULL && deep->origin != NULL && deep->inward != NULL && deep->c != NULL &&
              deep->start != NULL && deep->z != NULL && deep->sides != NULL;
  return made ? THUD_OK : THUD_ERROR_MEMORY;
}

static void release_depth(thud_context *context, depth_program *deep) {
  void *const blocks[] = {deep->basis, deep->origin, deep->inward, deep->c, deep->start, deep->z, deep->sides};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) thud_free(context, blocks[k]);
}

static void fill_depth(const thud_cone_program *given, depth_program *deep) {
  size_t n = (size_t)given->size, p = (size_t)given->freedom;
  for (size_t j = 0; j < p; j++) memcpy(deep->basis + j * (n + 1), given->basis + j * n, n * sizeof(double));
  for (size_t i = 0; i < n; i++) deep->basis[p * (n + 1) + i] = -given->inward[i];
  deep->basis[p * (n + 1) + n] = -1;
  memcpy(deep->origin, given->origin, n * sizeof(double));
  deep->origin[n] = 1;
  deep->c[n] = 1;
  deep->start[p] = -1;
  if (given->side_count > 0) memcpy(deep->sides, given->sides, (size_t)given->side_count * sizeof *deep->sides);
  deep->sides[given->side_count] = (thud_cone_side){.first = given->size, .second = -1, .a = 1};
  deep->program = *given;
  deep->program.size++;
  deep->program.freedom++;
  deep->program.basis = deep->basis;
  deep->program.origin = deep->origin;
  deep->program.inward = deep->inward;
  deep->program.relaxation = 0;
  deep->program.side_count++;
  deep->program.sides = deep->sides;
}

thud_error thud_cone_program_centre(const thud_cone_program *program, double *z, double *depth) {
  depth_program deep = {.basis = NULL};
  thud_cone_optimum optimum;
  thud_error error = allocate_depth(program, &deep);
  if (error == THUD_OK) {
    fill_depth(program, &deep);
    error = thud_cone_program_minimise(&deep.program, deep.c, deep.start, 1 - DEEP_ENOUGH, deep.z, &optimum);
  }
  if (error == THUD_OK) {
    if (program->freedom > 0) memcpy(z, deep.z, (size_t)program->freedom * sizeof *z);
    *depth = 1 - optimum.value;
  }
  release_depth(program->context, &deep);
  return error;
}
