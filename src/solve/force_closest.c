/* The point of S closest to a start: the projection in the metric  sum over the contacts of weight_k |r_k|^2.
 *
 * With r = L y (thud_face) and y = origin + basis z the distance is |D z + e|, D = w L basis and e = w (L origin - start),
 * w the roots of the weights, and D'D = C C' turns it into |x - x^|^2 + const with x = C'z, x^ = -C^-1 D'e: a point of the
 * cone program with basis C^-T closest to x^. The closest point is no further from x^ than the answer, x = 0: |x| <= 2 |x^|
 * there, which is the reach that bounds need, also where S has no end. */
#include "solve/force_set.h"
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct closest_work {
  const double *start, *weights;
  double unit;            /* of impulses: the largest component of the answer */
  size_t size;            /* components of r */
  double *D;              /* [size*freedom] */
  double *C;              /* [freedom*freedom] lower triangle */
  double *basis;          /* [(n+1)*freedom] basis C^-T */
  double *y, *e;          /* [n+1], [size] */
  double *target, *x, *z; /* [freedom] */
} closest_work;

static thud_error check(const thud_force_set *set, const closest_work *work) {
  thud_context *context = set->context;
  if (set->has_general && set->info.freedom > 0)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED, "the closest forces are not known for general laws in space");
  for (size_t i = 0; work->start != NULL && i < work->size; i++)
    if (!isfinite(work->start[i]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "closest forces: start[%zu] is %g", i, work->start[i]);
  for (thud_index k = 0; work->weights != NULL && k < set->contacts; k++)
    if (!(work->weights[k] > 0 && isfinite(work->weights[k])))
      return thud_fail(context, THUD_ERROR_ARGUMENT, "closest forces: weight %d is %g; weights are positive numbers",
                       (int)k, work->weights[k]);
  return THUD_OK;
}

static thud_error make_work(const thud_force_set *set, closest_work *work) {
  thud_context *context = set->context;
  size_t n = (size_t)set->coordinates + 1, p = (size_t)set->info.freedom;
  work->D = THUD_NEW_ARRAY(context, double, work->size *p);
  work->C = THUD_NEW_ARRAY(context, double, p *p);
  work->basis = THUD_NEW_ARRAY(context, double, n *p);
  work->y = THUD_NEW_ARRAY(context, double, n);
  work->e = THUD_NEW_ARRAY(context, double, work->size);
  work->target = THUD_NEW_ARRAY(context, double, p);
  work->x = THUD_NEW_ARRAY(context, double, p);
  work->z = THUD_NEW_ARRAY(context, double, p);
  bool made = work->D != NULL && work->C != NULL && work->basis != NULL && work->y != NULL && work->e != NULL &&
              work->target != NULL && work->x != NULL && work->z != NULL;
  return made ? THUD_OK : THUD_ERROR_MEMORY;
}

static void release_work(const thud_force_set *set, closest_work *work) {
  double *const arrays[] = {work->D, work->C, work->basis, work->y, work->e, work->target, work->x, work->z};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(set->context, arrays[k]);
}

/* Components of impulses in the metric. */
static void weigh(const thud_force_set *set, const closest_work *work, double *r) {
  size_t d = (size_t)set->dimension;
  for (size_t i = 0; i < work->size; i++) r[i] *= (work->weights != NULL ? sqrt(work->weights[i / d]) : 1) / work->unit;
}

/* e at the point y. */
static double distance_of(const thud_force_set *set, const closest_work *work, const double *y, double *e) {
  double sum = 0;
  thud_force_set_impulses(set, y, e);
  for (size_t i = 0; work->start != NULL && i < work->size; i++) e[i] -= work->start[i];
  weigh(set, work, e);
  for (size_t i = 0; i < work->size; i++) sum = hypot(sum, e[i]);
  return sum;
}

/* D, C, the basis C^-T and the target. */
static thud_error state_program(const thud_force_set *set, closest_work *work) {
  thud_index p = set->info.freedom;
  size_t n = (size_t)set->coordinates + 1;
  for (size_t j = 0; j < (size_t)p; j++) {
    double *column = work->D + j * work->size;
    thud_force_set_impulses(set, set->basis + j * n, column);
    weigh(set, work, column);
  }
  distance_of(set, work, set->origin, work->e);
  thud_dense_multiply(p, p, (thud_index)work->size, 1, work->D, true, work->D, false, 0, work->C);
  thud_error error = thud_dense_cholesky(set->context, p, work->C, NULL);
  if (error != THUD_OK) return thud_fail_within(set->context, error, "closest forces");
  thud_dense_multiply_vector((thud_index)work->size, p, work->D, true, -1, work->e, 0, work->target);
  thud_dense_solve_lower(p, work->C, false, work->target);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < (size_t)p; j++) work->x[j] = set->basis[j * n + i];
    thud_dense_solve_lower(p, work->C, false, work->x);
    for (size_t j = 0; j < (size_t)p; j++) work->basis[j * n + i] = work->x[j];
  }
  return THUD_OK;
}

/* x = C'z */
static void enter_metric(const closest_work *work, size_t p, const double *z, double *x) {
  for (size_t j = 0; j < p; j++) {
    x[j] = 0;
    for (size_t i = j; i < p; i++) x[j] += work->C[j * p + i] * z[i];
  }
}

/* The program in x: without the side that limits the sum of normal impulses, whose place is the last. */
static thud_cone_program program_of(const thud_force_set *set, const closest_work *work) {
  thud_cone_program program = set->program;
  program.basis = work->basis;
  program.side_count--;
  program.reach = 0;
  for (thud_index j = 0; j < program.freedom; j++) program.reach = hypot(program.reach, work->target[j]);
  program.reach *= 2;
  return program;
}

/* The closest point z of S into work->z. Terms of the bound are up to reach^2: their rounding counts against it. */
static thud_error find_point(thud_force_set *set, closest_work *work, thud_cone_optimum *optimum) {
  size_t p = (size_t)set->info.freedom;
  thud_error error = set->program.disc_count > 0 ? thud_force_set_find_centre(set) : THUD_OK;
  if (error == THUD_OK) error = state_program(set, work);
  if (error != THUD_OK) return error;
  thud_cone_program program = program_of(set, work);
  enter_metric(work, p, set->centre, work->z);
  error = thud_cone_program_nearest(&program, work->target, work->z, work->x, optimum);
  if (error == THUD_OK && program.relaxation > 0 && program.disc_count > 0) { /* back towards the answer, into S */
    memset(work->z, 0, p * sizeof *work->z);
    error = thud_cone_program_pull(&program, work->z, work->x, work->x);
  }
  if (error != THUD_OK) return error;
  double value = 0;
  for (size_t j = 0; j < p; j++) value += (work->x[j] - work->target[j]) * (work->x[j] - work->target[j]) / 2;
  optimum->value = value;
  optimum->bound -= (double)(program.size + program.freedom) * DBL_EPSILON * program.reach * program.reach;
  memcpy(work->z, work->x, p * sizeof *work->z);
  thud_dense_solve_lower((thud_index)p, work->C, true, work->z);
  return THUD_OK;
}

/* Components of impulses are measured in that of the answer, or of the start where it is 0. */
static double unit_of(const thud_force_set *set, const closest_work *work) {
  double unit = 0;
  thud_force_set_impulses(set, set->origin, work->e);
  for (size_t i = 0; i < work->size; i++) unit = fmax(unit, fabs(work->e[i]));
  for (size_t i = 0; i < work->size && !(unit > 0) && work->start != NULL; i++) unit = fmax(unit, fabs(work->start[i]));
  return unit > 0 ? unit : 1;
}

static thud_error find_closest(thud_force_set *set, closest_work *work, thud_force_closest *found) {
  thud_cone_optimum optimum = {0};
  bool is_known = !(set->info.moved > set->options.impulse_tolerance);
  thud_error error = make_work(set, work);
  if (error != THUD_OK) return error;
  work->unit = unit_of(set, work);
  if (is_known && set->info.freedom > 0) error = find_point(set, work, &optimum);
  if (error != THUD_OK) return error;
  thud_cone_program_point(&set->program, work->z, work->y);
  found->distance = distance_of(set, work, work->y, work->e) * work->unit;
  found->error = is_known ? sqrt(2 * fmax(0, optimum.value - optimum.bound)) * work->unit : (double)INFINITY;
  return THUD_OK;
}

thud_error thud_force_set_closest(thud_force_set *set, const double *start, const double *weights, double *r,
                                  thud_force_closest *closest) {
  THUD_REQUIRE_OF(set, r || set->contacts == 0, closest);
  closest_work work = {.start = start, .weights = weights, .size = (size_t)set->dimension * (size_t)set->contacts};
  thud_force_closest found = {0};
  thud_error error = check(set, &work);
  if (error == THUD_OK) error = find_closest(set, &work, &found);
  if (error == THUD_OK) {
    thud_force_set_impulses(set, work.y, r);
    *closest = found;
  }
  release_work(set, &work);
  return error;
}
