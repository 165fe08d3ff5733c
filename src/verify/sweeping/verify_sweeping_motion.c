#include "verify/sweeping/verify_sweeping_motion.h"
#include "verify/math/verify_dense.h"
#include "verify/math/verify_set_project.h"

#include <float.h>
#include <math.h>

/* Tolerance when neither the caller nor the scene asks for another. */
static const double DEFAULT_TOLERANCE = 1e-8;
/* Rounding errors of a few operations on the set's numbers. */
static const double ROUNDING = 64 * DBL_EPSILON;

enum { WORK_VECTORS = 8 };

thud_error thud_verify_motion_prepare(verify_motion *motion, double tolerance) {
  const verify_scene *scene = motion->scene;
  size_t n = motion->n;
  motion->tolerance = tolerance > 0 ? tolerance : fmax(DEFAULT_TOLERANCE, scene->tolerance);
  motion->scale = thud_verify_norm(n, scene->initial);
  for (size_t k = 0; k < motion->count; k++) {
    double length = thud_verify_norm(n, verify_state(motion, k));
    if (isfinite(length)) motion->scale = fmax(motion->scale, length);
  }
  if (!(motion->scale > 0)) motion->scale = 1;
  motion->numbers = THUD_NEW_ARRAY(motion->context, double, scene->value_count);
  motion->work = THUD_NEW_ARRAY(motion->context, double, WORK_VECTORS *n);
  return motion->numbers != NULL && motion->work != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_verify_motion_free(verify_motion *motion) {
  double *arrays[] = {motion->t,         motion->side,     motion->state,   motion->reaction, motion->atom,
                      motion->variation, motion->residual, motion->numbers, motion->work};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(motion->context, arrays[k]);
}

bool thud_verify_motion_place(verify_motion *motion, double t, thud_side side) {
  if (!thud_verify_scene_place(motion->scene, t, side, motion->numbers)) return false;
  motion->numbers_size = 0;
  for (size_t k = 0; k < motion->scene->value_count; k++)
    if (isfinite(motion->numbers[k])) motion->numbers_size = fmax(motion->numbers_size, fabs(motion->numbers[k]));
  return true;
}

/* An error of relative size tolerance in the metric's norm is at most sqrt(high/low) times that in the Euclidean. */
double thud_verify_position_tolerance(const verify_motion *motion) {
  const verify_scene *scene = motion->scene;
  return motion->tolerance * motion->scale * sqrt(scene->metric_high / scene->metric_low) +
         ROUNDING * fmax(motion->numbers_size, motion->scale);
}

thud_error thud_verify_member(verify_motion *motion, const double *u, double t, size_t frame,
                              thud_verify_check *check) {
  double violation, accuracy;
  thud_error error = thud_verify_violation(motion->context, &motion->scene->set, motion->numbers, u, motion->scale,
                                           &violation, &accuracy);
  if (error == THUD_OK) thud_verify_tally(check, violation, thud_verify_position_tolerance(motion), accuracy, t, frame);
  return error;
}

/* |u - proj(u + s w)| is 0 for exact data and any s > 0; errors e of u and f of w change it by at most 2 e + s f, and
 * f = tolerance * metric_high * scale when u has the tolerance in the metric's norm. Without an angle to be forgiven s
 * = 1 says it in the unit of the displacement; otherwise the shift s |w| = scale turns angles into distances, and is so
 * long that a point still short of the boundary meets it. A displacement below the tolerance has no direction. */
thud_error thud_verify_normal(verify_motion *motion, const double *u, double *w, double angle, double t, size_t frame,
                              thud_verify_check *check, double *residual) {
  size_t n = motion->n;
  double length = thud_verify_norm(n, w), position = thud_verify_position_tolerance(motion);
  double blur = position * motion->scene->metric_high;
  if (residual != NULL) *residual = 0;
  if (length <= blur) return THUD_OK;
  double s = angle > 0 ? motion->scale / length : 1, accuracy, *p = verify_work(motion, WORK_VECTORS - 1);
  for (size_t i = 0; i < n; i++) w[i] = u[i] + s * w[i];
  thud_error error =
      thud_verify_project(motion->context, &motion->scene->set, motion->numbers, w, motion->scale, p, &accuracy);
  if (error != THUD_OK) return error;
  double value = thud_verify_distance(n, u, p);
  thud_verify_tally(check, value, 2 * position + s * blur + angle * motion->scale, accuracy, t, frame);
  if (residual != NULL) *residual = fmax(0, value - accuracy);
  return THUD_OK;
}
