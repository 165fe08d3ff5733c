/* Sides and discs: Newton's method on  t c.y - sum log(side) - sum log((radius y_N)^2 - |y_T|^2)  for growing t.
 * With the Newton step dy = basis dz the vector  s = -(1/t)(phi' + phi'' dy)  satisfies basis's = basis'c by the very
 * equation of dz, and lies in the dual cones once the step is short (Nesterov and Nemirovskii, Interior-Point
 * Polynomial Algorithms, 1994, section 2.2): that is tested, term by term, and then (c - s).origin is a bound.
 * The closest point has  t |z - target|^2 / 2  in place of t c.y, and  basis's = z + dz - target. */
#include "solve/cone_program.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

enum { OUTER_STEPS = 60, NEWTON_STEPS = 60, SEARCH_STEPS = 80 };
static const double FIRST_T = 1, T_GROWTH = 8, T_LARGEST = 1e15;
/* The term of the closest point keeps the Newton matrix regular: its path goes on until slacks, about 1/t, are next to
 * rounding. */
static const double NEAREST_T = 1e13, NEAREST_GAP = 1e-13;
/* Ends when value - bound is below this, in units of the largest impulse (relative for large values): what
 * the condition of the Newton matrix, about (1/gap)^2, leaves. */
static const double GAP = 1e-9;
/* Newton steps end when the square of the Newton decrement is below. */
static const double CENTRED = 1e-4;
/* Steps are shortened by SHRINK until inside and the derivative along them is at most FLAT of its size at the start. */
static const double SHRINK = 0.6, FLAT = 0.5;

typedef struct barrier_work {
  const thud_cone_program *program;
  const double *c, *target; /* [size]; [freedom], NULL: the linear function */
  double t;
  double *z, *best;         /* [freedom] iterate; its last centred predecessor */
  double *y, *dy, *trial;   /* [size] the relaxed point, the step, a trial */
  double *gradient, *s;     /* [size] phi', multipliers */
  double *curved;           /* [size*freedom] phi'' basis */
  double *hessian, *g, *dz; /* [freedom*freedom], [freedom], [freedom] */
} barrier_work;

static void relaxed_point(const barrier_work *w, const double *z, double *y) {
  thud_cone_program_point(w->program, z, y);
  for (thud_index i = 0; i < w->program->size; i++) y[i] += w->program->relaxation * w->program->inward[i];
}

static bool is_inside(const thud_cone_program *program, const double *y) {
  for (thud_index k = 0; k < program->side_count; k++)
    if (!(thud_cone_side_value(&program->sides[k], y) > 0)) return false;
  for (thud_index k = 0; k < program->disc_count; k++)
    if (!(thud_cone_disc_depth(&program->discs[k], y) > 0)) return false;
  return true;
}

/* ---- the barrier's terms ------------------------------------------------------------------------------------------
 */

/* (radius y_N)^2 - |y_T|^2 and its gradient in (y_N, y_T1, y_T2). */
static double disc_form(const thud_cone_disc *disc, const double *y, double slope[3]) {
  const double *tangent = y + disc->tangent;
  double reach = disc->radius * y[disc->normal], length = hypot(tangent[0], tangent[1]);
  slope[0] = 2 * disc->radius * reach;
  slope[1] = -2 * tangent[0];
  slope[2] = -2 * tangent[1];
  return (reach - length) * (reach + length);
}

static void add_side(const thud_cone_side *side, double factor, double *to) {
  to[side->first] += factor * side->a;
  if (side->second >= 0) to[side->second] += factor * side->b;
}

static void add_disc(const thud_cone_disc *disc, const double term[3], double *to) {
  to[disc->normal] += term[0];
  to[disc->tangent] += term[1];
  to[disc->tangent + 1] += term[2];
}

static void disc_gradient(const thud_cone_disc *disc, const double *y, double term[3]) {
  double slope[3], form = disc_form(disc, y, slope);
  for (int i = 0; i < 3; i++) term[i] = -slope[i] / form;
}

/* term = phi''_disc v */
static void disc_curvature(const thud_cone_disc *disc, const double *y, const double *v, double term[3]) {
  double slope[3], form = disc_form(disc, y, slope);
  double along[3] = {v[disc->normal], v[disc->tangent], v[disc->tangent + 1]};
  double product = (slope[0] * along[0] + slope[1] * along[1] + slope[2] * along[2]) / form;
  const double second[3] = {2 * disc->radius * disc->radius, -2, -2};
  for (int i = 0; i < 3; i++) term[i] = (product * slope[i] - second[i] * along[i]) / form;
}

static void barrier_gradient(const thud_cone_program *program, const double *y, double *gradient) {
  memset(gradient, 0, (size_t)program->size * sizeof *gradient);
  for (thud_index k = 0; k < program->side_count; k++)
    add_side(&program->sides[k], -1 / thud_cone_side_value(&program->sides[k], y), gradient);
  for (thud_index k = 0; k < program->disc_count; k++) {
    double term[3];
    disc_gradient(&program->discs[k], y, term);
    add_disc(&program->discs[k], term, gradient);
  }
}

static void barrier_curvature(const thud_cone_program *program, const double *y, const double *v, double *out) {
  memset(out, 0, (size_t)program->size * sizeof *out);
  for (thud_index k = 0; k < program->side_count; k++) {
    const thud_cone_side *side = &program->sides[k];
    double value = thud_cone_side_value(side, y);
    add_side(side, thud_cone_side_value(side, v) / (value * value), out);
  }
  for (thud_index k = 0; k < program->disc_count; k++) {
    double term[3];
    disc_curvature(&program->discs[k], y, v, term);
    add_disc(&program->discs[k], term, out);
  }
}

/* ---- one Newton step ----------------------------------------------------------------------------------------------
 */

/* dz, dy and the square of the Newton decrement; false when the matrix is not positive definite in floating point. */
static bool newton_step(barrier_work *w, double *decrement) {
  const thud_cone_program *program = w->program;
  thud_index n = program->size, p = program->freedom;
  barrier_gradient(program, w->y, w->gradient);
  for (thud_index i = 0; i < n; i++) w->s[i] = (w->c != NULL ? w->t * w->c[i] : 0) + w->gradient[i];
  thud_dense_multiply_vector(n, p, program->basis, true, -1, w->s, 0, w->g);
  for (thud_index j = 0; j < p && w->target != NULL; j++) w->g[j] -= w->t * (w->z[j] - w->target[j]);
  for (size_t j = 0; j < (size_t)p; j++)
    barrier_curvature(program, w->y, program->basis + j * (size_t)n, w->curved + j * (size_t)n);
  thud_dense_multiply(p, p, n, 1, program->basis, true, w->curved, false, 0, w->hessian);
  for (thud_index j = 0; j < p && w->target != NULL; j++) w->hessian[(size_t)j * ((size_t)p + 1)] += w->t;
  if (thud_dense_cholesky(program->context, p, w->hessian, NULL) != THUD_OK) return false;
  memcpy(w->dz, w->g, (size_t)p * sizeof(double));
  thud_dense_solve_lower(p, w->hessian, false, w->dz);
  thud_dense_solve_lower(p, w->hessian, true, w->dz);
  *decrement = 0;
  for (thud_index j = 0; j < p; j++) *decrement += w->g[j] * w->dz[j];
  thud_dense_multiply_vector(n, p, program->basis, false, 1, w->dz, 0, w->dy);
  return isfinite(*decrement) && *decrement >= 0;
}

/* Multipliers of the present step into w->s; false when one is outside its dual cone. */
static bool find_multipliers(barrier_work *w) {
  const thud_cone_program *program = w->program;
  memset(w->s, 0, (size_t)program->size * sizeof(double));
  for (thud_index k = 0; k < program->side_count; k++) {
    const thud_cone_side *side = &program->sides[k];
    double value = thud_cone_side_value(side, w->y);
    double multiplier = (1 - thud_cone_side_value(side, w->dy) / value) / (w->t * value);
    if (!(multiplier >= 0)) return false;
    add_side(side, multiplier, w->s);
  }
  for (thud_index k = 0; k < program->disc_count; k++) {
    const thud_cone_disc *disc = &program->discs[k];
    double first[3], second[3];
    disc_gradient(disc, w->y, first);
    disc_curvature(disc, w->y, w->dy, second);
    for (int i = 0; i < 3; i++) first[i] = -(first[i] + second[i]) / w->t;
    if (!(first[0] >= disc->radius * hypot(first[1], first[2]))) return false;
    add_disc(disc, first, w->s);
  }
  return true;
}

/* (c - s).origin, what basis'(c - s) misses 0 by being paid for with the reach. */
static double bound_of(barrier_work *w) {
  const thud_cone_program *program = w->program;
  if (!find_multipliers(w)) return -INFINITY;
  if (w->target != NULL) {
    for (thud_index j = 0; j < program->freedom; j++) w->g[j] = w->z[j] + w->dz[j];
    return thud_cone_program_nearest_bound(program, w->target, w->g, w->s);
  }
  double bound = 0, miss = 0;
  for (thud_index i = 0; i < program->size; i++) {
    w->s[i] = w->c[i] - w->s[i];
    bound += w->s[i] * program->origin[i];
  }
  for (thud_index j = 0; j < program->freedom; j++) {
    double sum = 0;
    for (thud_index i = 0; i < program->size; i++)
      sum += program->basis[(size_t)i + (size_t)j * (size_t)program->size] * w->s[i];
    miss = hypot(miss, sum);
  }
  return bound - miss * program->reach;
}

/* At y = w->y + length dy. */
static double derivative_along(barrier_work *w, double length, const double *y) {
  double sum = 0;
  barrier_gradient(w->program, y, w->gradient);
  for (thud_index i = 0; i < w->program->size; i++)
    sum += ((w->c != NULL ? w->t * w->c[i] : 0) + w->gradient[i]) * w->dy[i];
  for (thud_index j = 0; j < w->program->freedom && w->target != NULL; j++)
    sum += w->t * (w->z[j] + length * w->dz[j] - w->target[j]) * w->dz[j];
  return sum;
}

/* Moves z and y along the step; false when no length will do. */
static bool advance(barrier_work *w, double decrement) {
  const thud_cone_program *program = w->program;
  double length = 1;
  for (int k = 0; k < SEARCH_STEPS; k++, length *= SHRINK) {
    for (thud_index i = 0; i < program->size; i++) w->trial[i] = w->y[i] + length * w->dy[i];
    if (!is_inside(program, w->trial) || derivative_along(w, length, w->trial) > FLAT * decrement) continue;
    for (thud_index j = 0; j < program->freedom; j++) w->z[j] += length * w->dz[j];
    relaxed_point(w, w->z, w->y);
    return is_inside(program, w->y);
  }
  return false;
}

static double objective(const barrier_work *w) {
  double sum = 0;
  for (thud_index i = 0; i < w->program->size && w->c != NULL; i++)
    sum += w->c[i] * (w->y[i] - w->program->relaxation * w->program->inward[i]);
  for (thud_index j = 0; j < w->program->freedom && w->target != NULL; j++)
    sum += (w->z[j] - w->target[j]) * (w->z[j] - w->target[j]) / 2;
  return sum;
}

/* ---- the path ---------------------------------------------------------------------------------------------------- */

/* Newton steps at one t. *centred is false when rounding or the limit ended them. */
static thud_error centre(barrier_work *w, thud_cone_optimum *optimum, bool *centred) {
  *centred = false;
  for (int k = 0; k < NEWTON_STEPS; k++) {
    double decrement;
    thud_error error = thud_stop_ask(w->program->context, &w->program->stop, "uniqueness of the forces");
    if (error != THUD_OK) return error;
    if (!newton_step(w, &decrement)) return THUD_OK;
    optimum->bound = fmax(optimum->bound, bound_of(w));
    if (decrement <= CENTRED) {
      *centred = true;
      return THUD_OK;
    }
    if (!advance(w, decrement)) return THUD_OK;
  }
  return THUD_OK;
}

static thud_error follow(barrier_work *w, double enough, thud_cone_optimum *optimum) {
  bool centred = true;
  double last = w->target != NULL ? NEAREST_T : T_LARGEST, gap = w->target != NULL ? NEAREST_GAP : GAP;
  size_t bytes = (size_t)w->program->freedom * sizeof(double);
  relaxed_point(w, w->z, w->y);
  *optimum = (thud_cone_optimum){.value = objective(w), .bound = -INFINITY};
  memcpy(w->best, w->z, bytes);
  for (int k = 0; k < OUTER_STEPS && centred && w->t <= last; k++, w->t *= T_GROWTH) {
    thud_error error = centre(w, optimum, &centred);
    if (error != THUD_OK) return error;
    if (is_inside(w->program, w->y) && objective(w) < optimum->value) {
      optimum->value = objective(w);
      memcpy(w->best, w->z, bytes);
    }
    if (optimum->value - optimum->bound <= gap * fmax(1, fabs(optimum->value)) || optimum->value <= enough) break;
  }
  return THUD_OK;
}

thud_error thud_cone_program_barrier(const thud_cone_program *program, const double *c, const double *target,
                                     const double *start, double enough, double *z, thud_cone_optimum *optimum) {
  size_t n = (size_t)program->size, p = (size_t)program->freedom;
  double *memory = THUD_NEW_ARRAY(program->context, double, 5 * n + n * p + p * p + 4 * p);
  if (memory == NULL) return THUD_ERROR_MEMORY;
  barrier_work w = {.program = program, .c = c, .target = target, .t = FIRST_T, .y = memory};
  w.dy = w.y + n;
  w.trial = w.dy + n;
  w.gradient = w.trial + n;
  w.s = w.gradient + n;
  w.curved = w.s + n;
  w.hessian = w.curved + n * p;
  w.z = w.hessian + p * p;
  w.best = w.z + p;
  w.g = w.best + p;
  w.dz = w.g + p;
  memcpy(w.z, start, p * sizeof(double));
  thud_error error = follow(&w, enough, optimum);
  if (error == THUD_OK) memcpy(z, w.best, p * sizeof(double));
  thud_free(program->context, memory);
  return error;
}
