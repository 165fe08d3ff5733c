/* Half-spaces only: z <- the projection of z - length g/|g| onto the polyhedron. Proximal steps on a linear program end
 * after finitely many at an optimum (Rockafellar, SIAM J. Control 14, 1976, section 3), each projection is finite, and
 * at a fixed point the multipliers of the projection are those of the program. */
#include "solve/cone_program.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

enum { STEPS = 200 };
/* Violations that the projection may leave, part of the lengths involved. */
static const double PROJECTION_TOLERANCE = 1e-12;
/* A step shorter than this is none; lengths are in units of the largest impulse. */
static const double FIXED = 1e-11;
static const double FIRST_LENGTH = 4, GROWTH = 4;

typedef struct linear_work {
  const thud_cone_program *program;
  thud_polyhedron_projector *projector;
  double *A, *b;     /* [sides*freedom] row-major, [sides]: A z <= b */
  double *x, *y, *l; /* [freedom], [freedom], [sides] */
  double constant;   /* c.origin */
  double slope;      /* |g| */
  const double *g;
} linear_work;

static void state_rows(linear_work *w) {
  const thud_cone_program *program = w->program;
  size_t n = (size_t)program->size, p = (size_t)program->freedom;
  for (size_t k = 0; k < (size_t)program->side_count; k++) {
    const thud_cone_side *side = &program->sides[k];
    for (size_t j = 0; j < p; j++) w->A[k * p + j] = -thud_cone_side_value(side, program->basis + j * n);
    w->b[k] = fmax(0, thud_cone_side_value(side, program->origin));
  }
}

static thud_error allocate(const thud_cone_program *program, linear_work *w) {
  thud_context *context = program->context;
  thud_index p = program->freedom, m = program->side_count;
  w->A = THUD_NEW_ARRAY(context, double, (size_t)m *(size_t)p);
  w->b = THUD_NEW_ARRAY(context, double, m);
  w->x = THUD_NEW_ARRAY(context, double, p);
  w->y = THUD_NEW_ARRAY(context, double, p);
  w->l = THUD_NEW_ARRAY(context, double, m);
  bool made = w->A != NULL && w->b != NULL && w->x != NULL && w->y != NULL && w->l != NULL;
  return made ? thud_polyhedron_projector_create(context, p, m, &w->projector) : THUD_ERROR_MEMORY;
}

static void release(const thud_cone_program *program, linear_work *w) {
  thud_polyhedron_projector_destroy(w->projector);
  double *const arrays[] = {w->A, w->b, w->x, w->y, w->l};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(program->context, arrays[k]);
}

/* Bound from the multipliers l of the projection of x - (length/|g|) g: s = |g|/length l, and what is left of
 * basis'(c - s), |g|/length (x - y), is paid for with the reach. */
static double bound_of(const linear_work *w, double length, double moved) {
  double factor = w->slope / length, paid = 0;
  for (thud_index k = 0; k < w->program->side_count; k++) paid += fmax(0, w->l[k]) * w->b[k];
  return w->constant - factor * (paid + moved * w->program->reach);
}

static thud_error iterate(linear_work *w, double enough, thud_cone_optimum *optimum) {
  const thud_cone_program *program = w->program;
  thud_index p = program->freedom;
  double length = FIRST_LENGTH;
  *optimum = (thud_cone_optimum){.value = w->constant, .bound = -INFINITY};
  for (int step = 0; step < STEPS; step++) {
    thud_error error = thud_stop_ask(program->context, &program->stop, "uniqueness of the forces");
    if (error != THUD_OK) return error;
    thud_pivot_info info;
    for (thud_index j = 0; j < p; j++) w->y[j] = w->x[j] - length * w->g[j] / w->slope;
    error = thud_polyhedron_project(w->projector, NULL, program->side_count, 0, w->A, w->b, w->y, PROJECTION_TOLERANCE,
                                    w->y, w->l, &info);
    if (error != THUD_OK) return error;
    if (info.status != THUD_PIVOT_SOLVED) return THUD_OK; /* nothing is proved beyond what is known */
    double moved = 0, value = w->constant;
    for (thud_index j = 0; j < p; j++) {
      moved += (w->y[j] - w->x[j]) * (w->y[j] - w->x[j]);
      value += w->g[j] * w->y[j];
    }
    moved = sqrt(moved);
    memcpy(w->x, w->y, (size_t)p * sizeof(double));
    optimum->value = value;
    optimum->bound = fmax(optimum->bound, bound_of(w, length, moved));
    if (moved <= FIXED * fmax(1, length) || value <= enough) return THUD_OK;
    length = fmin(GROWTH * length, program->reach);
  }
  return THUD_OK;
}

thud_error thud_cone_program_linear(const thud_cone_program *program, const double *c, const double *g, double enough,
                                    double *z, thud_cone_optimum *optimum) {
  thud_index p = program->freedom;
  linear_work w = {.program = program, .g = g};
  for (thud_index i = 0; i < program->size; i++) w.constant += c[i] * program->origin[i];
  for (thud_index j = 0; j < p; j++) w.slope = hypot(w.slope, g[j]);
  thud_error error = allocate(program, &w);
  if (error == THUD_OK) {
    state_rows(&w);
    error = iterate(&w, enough, optimum);
  }
  if (error == THUD_OK) memcpy(z, w.x, (size_t)p * sizeof *z);
  release(program, &w);
  return error;
}

/* ---- the closest point ------------------------------------------------------------------------------------------- */

/* Lower bound proved by the multipliers l of the rows: s = the sum of l_k times side k. */
static thud_error bound_distance(const linear_work *w, const double *target, thud_cone_optimum *optimum) {
  const thud_cone_program *program = w->program;
  double *s = THUD_NEW_ARRAY(program->context, double, program->size);
  if (s == NULL) return THUD_ERROR_MEMORY;
  optimum->value = 0;
  for (thud_index j = 0; j < program->freedom; j++) optimum->value += (w->y[j] - target[j]) * (w->y[j] - target[j]) / 2;
  for (thud_index k = 0; k < program->side_count; k++) {
    const thud_cone_side *side = &program->sides[k];
    s[side->first] += fmax(0, w->l[k]) * side->a;
    if (side->second >= 0) s[side->second] += fmax(0, w->l[k]) * side->b;
  }
  optimum->bound = thud_cone_program_nearest_bound(program, target, w->y, s);
  thud_free(program->context, s);
  return THUD_OK;
}

thud_error thud_cone_program_project(const thud_cone_program *program, const double *target, double *z,
                                     thud_cone_optimum *optimum) {
  linear_work w = {.program = program};
  thud_pivot_info info;
  thud_error error = thud_stop_ask(program->context, &program->stop, "closest forces");
  if (error == THUD_OK) error = allocate(program, &w);
  if (error == THUD_OK) {
    state_rows(&w);
    error = thud_polyhedron_project(w.projector, NULL, program->side_count, 0, w.A, w.b, target, PROJECTION_TOLERANCE,
                                    w.y, w.l, &info);
  }
  if (error == THUD_OK && info.status != THUD_PIVOT_SOLVED) { /* the origin is a point of the set */
    memset(w.y, 0, (size_t)program->freedom * sizeof *w.y);
    memset(w.l, 0, (size_t)program->side_count * sizeof *w.l);
  }
  if (error == THUD_OK) error = bound_distance(&w, target, optimum);
  if (error == THUD_OK) memcpy(z, w.y, (size_t)program->freedom * sizeof *z);
  release(program, &w);
  return error;
}
