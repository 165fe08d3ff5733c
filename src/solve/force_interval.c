/* The interval of a contact's normal impulse over S: two convex programs, and one on the rays of S where S is not
 * proved to be bounded. */
#include "solve/force_set.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

/* A ray along which r'_N grows by at least this part of the sum of all normal components counts as one. */
static const double RAY_GROWTH = 1e-6;

typedef struct interval_work {
  double *c;          /* [n+1] objective */
  double *low, *high; /* [n+1] points of S, high a ray where has_ray */
  double *z;          /* [freedom] */
  bool has_ray;
} interval_work;

static thud_error make_work(thud_force_set *set, interval_work *work) {
  size_t n = (size_t)set->coordinates + 1;
  work->c = THUD_NEW_ARRAY(set->context, double, n);
  work->low = THUD_NEW_ARRAY(set->context, double, n);
  work->high = THUD_NEW_ARRAY(set->context, double, n);
  work->z = THUD_NEW_ARRAY(set->context, double, set->info.freedom);
  bool made = work->c != NULL && work->low != NULL && work->high != NULL && work->z != NULL;
  return made ? THUD_OK : THUD_ERROR_MEMORY;
}

static void release_work(thud_force_set *set, interval_work *work) {
  thud_free(set->context, work->c);
  thud_free(set->context, work->low);
  thud_free(set->context, work->high);
  thud_free(set->context, work->z);
}

/* ---- rays --------------------------------------------------------------------------------------------------------
 * The rays of S are d = basis z in the cones. With the sum of their normal components at most 1 they form a set like S
 * itself, around 0. */

static thud_error find_ray(thud_force_set *set, const thud_face *face, interval_work *work, double *growth) {
  thud_force_set rays = *set;
  size_t n = (size_t)set->coordinates;
  rays.origin = THUD_NEW_ARRAY(set->context, double, n + 1);
  rays.centre = THUD_NEW_ARRAY(set->context, double, set->info.freedom);
  thud_error error = THUD_ERROR_MEMORY;
  if (rays.origin != NULL && rays.centre != NULL) {
    thud_cone_optimum optimum;
    rays.origin[n] = 1;
    rays.has_centre = false;
    rays.program.origin = rays.origin;
    rays.program.relaxation = 0;
    rays.program.reach = set->program.reach / set->room;
    memset(work->c, 0, (n + 1) * sizeof(double));
    work->c[face->first] = -1;
    error = thud_force_set_minimise(&rays, work->c, work->z, &optimum);
    if (error == THUD_OK) {
      *growth = -optimum.value;
      thud_cone_program_point(&rays.program, work->z, work->high);
    }
  }
  thud_free(set->context, rays.origin);
  thud_free(set->context, rays.centre);
  return error;
}

/* ---- ends -------------------------------------------------------------------------------------------------------- */

/* sign 1: the least, sign -1: the largest y_0 of the face, attained at point[n+1]. */
static thud_error find_end(thud_force_set *set, const thud_face *face, double sign, interval_work *work, double *inner,
                           double *outer, double *point) {
  thud_cone_optimum optimum;
  memset(work->c, 0, ((size_t)set->coordinates + 1) * sizeof(double));
  work->c[face->first] = sign;
  thud_error error = thud_force_set_minimise(set, work->c, work->z, &optimum);
  if (error != THUD_OK) return error;
  *inner = sign * optimum.value * face->length;
  *outer = sign * optimum.bound * face->length;
  thud_cone_program_point(&set->program, work->z, point);
  return THUD_OK;
}

static thud_error find_interval(thud_force_set *set, const thud_face *face, interval_work *work,
                                thud_force_interval *interval) {
  double growth = 0;
  thud_error error = thud_force_set_bound(set);
  if (error == THUD_OK) error = find_end(set, face, 1, work, &interval->low, &interval->low_outer, work->low);
  interval->low_outer = fmax(0, interval->low_outer);
  interval->low = fmax(interval->low, interval->low_outer);
  interval->limited = !set->is_bounded;
  if (error == THUD_OK && interval->limited) error = find_ray(set, face, work, &growth);
  if (error != THUD_OK) return error;
  work->has_ray = growth > RAY_GROWTH;
  if (!work->has_ray) return find_end(set, face, -1, work, &interval->high, &interval->high_outer, work->high);
  interval->high = interval->high_outer = INFINITY;
  return THUD_OK;
}

/* Hands out the impulses of both ends; of a ray the sum of the normal components becomes 1. */
static void hand_out(const thud_force_set *set, const interval_work *work, double *lowest, double *highest) {
  double sum = 0;
  size_t d = (size_t)set->dimension;
  if (lowest != NULL) thud_force_set_impulses(set, work->low, lowest);
  if (highest == NULL) return;
  thud_force_set_impulses(set, work->high, highest);
  for (size_t k = 0; k < (size_t)set->contacts; k++) sum += highest[k * d];
  for (size_t i = 0; i < d * (size_t)set->contacts && work->has_ray; i++) highest[i] /= sum;
}

/* Intervals known without a program: r'_N is one number, or the answer is too inaccurate to bound it. */
static bool is_plain(const thud_force_set *set, const thud_face *face, thud_force_interval *interval) {
  double value = face->first < 0 ? 0 : set->origin[face->first] * face->length;
  interval->low = interval->high = interval->low_outer = interval->high_outer = value;
  if (face->first < 0) return true;
  if (!(set->info.moved > set->options.impulse_tolerance)) return set->info.freedom == 0;
  interval->low_outer = 0;
  interval->high_outer = INFINITY;
  interval->limited = true;
  return true;
}

thud_error thud_force_set_interval(thud_force_set *set, thud_index contact, thud_force_interval *interval,
                                   double *lowest, double *highest) {
  THUD_REQUIRE_OF(set, interval);
  if (contact < 0 || contact >= set->contacts)
    return thud_fail(set->context, THUD_ERROR_ARGUMENT, "interval of contact %d: there are %d contacts, counted from 0",
                     (int)contact, (int)set->contacts);
  if (set->has_general && set->info.freedom > 0)
    return thud_fail(set->context, THUD_ERROR_UNSUPPORTED,
                     "intervals of forces are not known for general laws in space");
  const thud_face *face = &set->faces[contact];
  thud_force_interval found = {.contact = contact};
  interval_work work = {.c = NULL};
  thud_error error = make_work(set, &work);
  if (error == THUD_OK) {
    memcpy(work.low, set->origin, ((size_t)set->coordinates + 1) * sizeof(double));
    memcpy(work.high, set->origin, ((size_t)set->coordinates + 1) * sizeof(double));
    if (!is_plain(set, face, &found)) error = find_interval(set, face, &work, &found);
  }
  if (error == THUD_OK) {
    hand_out(set, &work, lowest, highest);
    *interval = found;
  }
  release_work(set, &work);
  return error;
}
