#include "verify/math/verify_noise.h"
#include "verify/math/verify_enclosure.h"

#include <math.h>

/* Roundings that a number has gone through before it is in the record, in units in the last place. */
#define NUMBER_ULPS (4 * VERIFY_ULP)

static void widen(verify_interval *variable, double x, double size) {
  *variable = verify_around(x, NUMBER_ULPS * size);
}

/* Widths of the outputs first .. first + count - 1 of the program; at->v NULL: at velocity 0. */
static thud_error noise_of(const verify_system *system, const thud_expr_program *program, const verify_state_at *at,
                           size_t first, size_t count, double *noise) {
  size_t n = system->n;
  verify_enclosure *e = NULL;
  verify_interval *variables = NULL;
  thud_error error = thud_verify_enclosure_create(system->scene.context, program, 0, &e);
  for (size_t i = 0; i < count; i++) noise[i] = 0;
  if (error == THUD_OK) {
    variables = THUD_NEW_ARRAY(system->scene.context, verify_interval, 1 + 2 * n);
    if (variables == NULL) error = THUD_ERROR_MEMORY;
  }
  if (error == THUD_OK) {
    widen(&variables[system->scene.time_slot], at->t, fabs(at->t) + at->h);
    for (size_t i = 0; i < n; i++) {
      double v = at->v != NULL ? at->v[i] : 0;
      widen(&variables[system->slot_q[i]], at->q[i], fabs(at->q[i]) + at->h * fabs(v));
      widen(&variables[system->slot_v[i]], v, fabs(v));
    }
    thud_verify_enclose(e, variables);
    for (size_t i = 0; i < count; i++) {
      verify_interval x = e->values[verify_output(e, first + i)];
      if (verify_is_bounded(x)) noise[i] = 2 * thud_verify_interval_radius(x);
    }
  }
  thud_free(system->scene.context, variables);
  thud_verify_enclosure_destroy(e);
  return error;
}

thud_error thud_verify_force_noise(verify_system *system, const verify_state_at *at, const verify_values *values,
                                   double *noise) {
  return noise_of(system, system->program, at, (size_t)(values->force - values->out), system->n, noise);
}

thud_error thud_verify_gap_noise(verify_system *system, const verify_state_at *at, const verify_values *values,
                                 size_t i, double *noise) {
  return noise_of(system, system->program, at, (size_t)(values->gap - values->out) + i, 1, noise);
}

thud_error thud_verify_velocity_noise(const verify_system *system, const verify_state_at *at,
                                      const verify_values *values, size_t i, double *noise) {
  size_t n = system->n;
  double *part = THUD_NEW_ARRAY(system->scene.context, double, n), rate = 0;
  const verify_state_at still = {.t = at->t, .h = at->h, .q = at->q};
  *noise = 0;
  if (part == NULL) return THUD_ERROR_MEMORY;
  thud_error error = noise_of(system, system->program, at, (size_t)(values->gradient - values->out) + i * n, n, part);
  if (error == THUD_OK) error = noise_of(system, system->rate_program, &still, i, 1, &rate);
  for (size_t j = 0; j < n && error == THUD_OK; j++) *noise += part[j] * fabs(at->v[j]);
  *noise += rate;
  thud_free(system->scene.context, part);
  return error;
}
