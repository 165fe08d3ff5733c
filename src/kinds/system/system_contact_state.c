/* Sticking and sliding. While the coefficient of friction does not change, friction is compared with its threshold,
 * which is sharp. A coefficient that varies (with the velocity, say) was taken by the step somewhere between its ends,
 * so that its threshold is not known: then the slip velocity decides. In a step that sticks, it vanishes where the step
 * took the slip directions: at its ends it is then at most as large as these make it differ. */
#include "kinds/system/system_contact_state.h"

#include <math.h>
#include <string.h>

/* Friction within this of its threshold, and coefficients within this of each other, relatively, are equal. */
#define AT_THRESHOLD 1e-9
/* A slip velocity below this, relative to the largest terms that it has been the sum of, is 0: residuals of the step's
 * velocity problem, and rounding. */
#define NO_SLIP 1e-9

thud_error thud_study_judge_create(thud_context *context, const thud_system *system, thud_index lone_law,
                                   study_judge *judge) {
  size_t laws = (size_t)thud_system_friction_count(system);
  *judge = (study_judge){.context = context, .system = system, .lone_law = lone_law};
  if (laws == 0) return THUD_OK;
  thud_error error = thud_system_values_create(context, system, &judge->now);
  if (error == THUD_OK) error = thud_system_values_create(context, system, &judge->before);
  judge->slip_size = THUD_NEW_ARRAY(context, double, laws);
  return error == THUD_OK && judge->slip_size == NULL ? THUD_ERROR_MEMORY : error;
}

void thud_study_judge_free(study_judge *judge) {
  if (judge->context == NULL) return;
  thud_system_values_destroy(judge->context, judge->now);
  thud_system_values_destroy(judge->context, judge->before);
  thud_free(judge->context, judge->slip_size);
  *judge = (study_judge){0};
}

static double length_of(size_t count, const double *x) {
  double sum = 0;
  for (size_t k = 0; k < count; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

/* Of slip component `row`; *size grows to the largest term. */
static double slip_velocity(const thud_system_values *values, size_t row, size_t n, const double *v, double *size) {
  double sum = values->slip_rate[row];
  *size = thud_larger(*size, fabs(sum));
  for (size_t j = 0; j < n; j++) {
    double term = values->slip[row * n + j] * v[j];
    *size = thud_larger(*size, fabs(term));
    sum += term;
  }
  return sum;
}

/* Whether the velocity does not slip, with the directions of one of the step's ends or some between them. */
static bool slips_not(study_judge *judge, thud_index k, size_t first, size_t n, const double *v) {
  size_t count = (size_t)thud_system_friction(judge->system, k)->directions;
  double here = 0, differs = 0, *size = &judge->slip_size[k];
  for (size_t row = first; row < first + count; row++) {
    double now = slip_velocity(judge->now, row, n, v, size);
    double difference = now - slip_velocity(judge->before, row, n, v, size);
    here += now * now;
    differs += difference * difference;
  }
  return sqrt(here) <= sqrt(differs) + NO_SLIP * *size;
}

static study_contact_state sliding_state(const thud_friction_def *law, const double *friction) {
  if (law->directions > 1) return STUDY_SLIDING;
  return friction[0] > 0 ? STUDY_SLIDING_UP : STUDY_SLIDING_DOWN;
}

/* By the friction of law k and the largest normal reaction, both impulses of the step, or by the slip velocity. */
static study_contact_state state_of(study_judge *judge, const thud_stepping_frame *frame, thud_index k, size_t first,
                                    double normal, size_t n) {
  const thud_friction_def *law = thud_system_friction(judge->system, k);
  size_t m = (size_t)thud_system_constraint_count(judge->system);
  const double *friction = frame->reaction + m + first;
  if (law->kind == THUD_FRICTION_SET) return STUDY_CLOSED; /* the threshold is not a number */
  double now = judge->now->friction[k], before = judge->before->friction[k];
  bool stopped = slips_not(judge, k, first, n, frame->v);
  bool sticks = fabs(now - before) <= AT_THRESHOLD * fabs(now)
                    ? length_of((size_t)law->directions, friction) < (1 - AT_THRESHOLD) * now * normal
                    : stopped;
  return sticks ? STUDY_STICKING : sliding_state(law, friction);
}

thud_error thud_study_judge_states(study_judge *judge, const study_path *path, const thud_stepping_frame *frame,
                                   unsigned char *states) {
  const thud_system *system = judge->system;
  size_t m = path->m, first = 0;
  memset(states, STUDY_OPEN, m + 1);
  for (size_t i = 0; i < m; i++) states[i] = frame->reaction[i] != 0 ? STUDY_CLOSED : STUDY_OPEN;
  if (judge->now == NULL) return THUD_OK;
  thud_system_values *before = judge->now;
  judge->now = judge->before;
  judge->before = before;
  thud_error error = thud_system_evaluate(system, frame->t, frame->q, frame->v, THUD_AT_FRICTION, judge->now);
  if (path->count == 0) { /* no step has been made */
    memset(judge->slip_size, 0, (size_t)thud_system_friction_count(system) * sizeof(double));
    return error;
  }
  for (thud_index k = 0; k < thud_system_friction_count(system) && error == THUD_OK; k++) {
    const thud_friction_def *law = thud_system_friction(system, k);
    size_t i = law->constraint >= 0 ? (size_t)law->constraint : m;
    double normal = i < m ? fabs(frame->reaction[i]) : frame->step;
    if (judge->now->friction[k] * normal > 0 && (i < m || k == judge->lone_law))
      states[i] = (unsigned char)state_of(judge, frame, k, first, normal, path->n);
    first += (size_t)law->directions;
  }
  return error;
}
