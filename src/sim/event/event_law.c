/* Friction laws of event-driven motions: which can be followed, their thresholds and directions as power series.
 *
 * With two components the direction d = u_T/|u_T| of the slip is a series of its own. With u_T = s^(j+1) w, in the
 * frame of d(0) and what is across it, w = (alpha, beta), beta_0 = 0, and n = |w|: n_k = alpha_k + [ sum_{0<i<k}
 * (alpha_i alpha_{k-i} - n_i n_{k-i}) + (beta^2)_k ] / (2 n_0) d_k = (w_k - sum_{0<i<=k} n_i d_{k-i}) / n_0 which is
 * exact for straight slip (beta = 0). */
#include "sim/event/event.h"

#include "thud/convex.h"

#include <float.h>
#include <string.h>

/* ---- which laws -------------------------------------------------------------------------------------------------- */

/* The radius of the set of a law: 1 of a disc; of a ball round 0, and with one component of an interval [-a, a]; 0: it
 * is none of them. */
static double radius_of(const thud_friction_def *law) {
  double numbers[3];
  if (law->kind != THUD_FRICTION_SET) return 1;
  size_t n = (size_t)law->directions, count = thud_set_parameter_count(law->set);
  if (n > 2 || count > sizeof numbers / sizeof *numbers) return 0;
  thud_set_get_parameters(law->set, numbers);
  if (strcmp(thud_set_kind(law->set), "ball") == 0)
    return numbers[0] == 0 && (n == 1 || numbers[1] == 0) ? numbers[n] : 0;
  return n == 1 && strcmp(thud_set_kind(law->set), "box") == 0 && numbers[0] == -numbers[1] ? numbers[1] : 0;
}

static const char *why_not(const event_problem *problem, thud_index k) {
  const thud_friction_def *law = thud_system_friction(problem->system, k);
  if (law->kind == THUD_FRICTION_NONE || !(radius_of(law) > 0)) return "its set is not a disc round 0";
  if (law->directions > 2) return "it has more than two slip components";
  for (thud_index l = 0; l < k && law->constraint >= 0; l++)
    if (thud_system_friction(problem->system, l)->constraint == law->constraint)
      return "its constraint has another law";
  return NULL;
}

thud_error thud_event_laws_create(const event_problem *problem, event_friction_laws *friction) {
  size_t first = 0;
  friction->laws = THUD_NEW_ARRAY(problem->context, event_law, problem->law_count);
  if (friction->laws == NULL) return THUD_ERROR_MEMORY;
  for (size_t l = 0; l < problem->law_count; l++) {
    const thud_friction_def *def = thud_system_friction(problem->system, (thud_index)l);
    const char *wrong = why_not(problem, (thud_index)l);
    if (def->kind == THUD_FRICTION_NONE)
      return thud_fail(problem->context, THUD_ERROR_ARGUMENT,
                       "friction law '%s' has no kind (THUD_FRICTION_NONE): set it, for instance to THUD_FRICTION_DISC",
                       def->name);
    if (wrong != NULL)
      return thud_fail(problem->context, THUD_ERROR_UNSUPPORTED,
                       "the event-driven method cannot follow friction law '%s': %s; use a time-stepping method",
                       def->name, wrong);
    friction->laws[l] =
        (event_law){.number = l,
                    .constraint = def->constraint,
                    .first = first,
                    .directions = (size_t)def->directions,
                    .unilateral = def->constraint >= 0 &&
                                  event_kind_of(problem, (size_t)def->constraint) == THUD_CONSTRAINT_UNILATERAL,
                    .radius = radius_of(def),
                    .sign = 1};
    first += (size_t)def->directions;
  }
  return THUD_OK;
}

int thud_event_slip_sign(const event_law *law, const double *slip, const double *limit) {
  int sign = 0;
  for (size_t c = 0; c < law->directions; c++)
    if (fabs(slip[c]) > limit[c]) sign = law->directions == 1 && slip[c] < 0 ? -1 : 1;
  return sign;
}

/* ---- series ------------------------------------------------------------------------------------------------------ */

double thud_event_threshold(const sim_arc *arc, const event_law *law, int k, bool known) {
  double sum = 0;
  if (law->constraint < 0) return event_friction_factor(arc, law, k);
  for (int l = known ? 1 : 0; l <= k; l++)
    sum += event_friction_factor(arc, law, l) * arc->reaction[(size_t)(k - l) * arc->rows + (size_t)law->constraint];
  return law->sign * sum;
}

double thud_event_margin(const sim_arc *arc, const event_law *law, int part, int k) {
  const double *force = arc->reaction + event_row_of(arc, law, 0);
  if (law->directions == 1)
    return thud_event_threshold(arc, law, k, false) - (part == 1 ? 1 : -1) * force[(size_t)k * arc->rows];
  double sum = 0;
  for (int j = 0; j <= k; j++) {
    const double *one = force + (size_t)j * arc->rows, *other = force + (size_t)(k - j) * arc->rows;
    sum += thud_event_threshold(arc, law, j, false) * thud_event_threshold(arc, law, k - j, false);
    sum -= one[0] * other[0] + one[1] * other[1];
  }
  return sum;
}

double thud_event_slip_along(const sim_arc *arc, const event_law *law, int k) {
  const double *slip = thud_arc_jet(arc, k) + arc->jets.layout.slip_velocity + law->first;
  return law->directions == 1 ? law->along[0] * slip[0] : law->along[0] * slip[0] + law->along[1] * slip[1];
}

/* Coefficient k of the slip velocity across d(0); what is a rounding error of its terms is 0, so that straight slip
 * stays straight. The terms: S_j v_{k-j} of both components, and what the reactions give to it. */
static double slip_across(const sim_arc *arc, const event_law *law, int k) {
  const double *slip = thud_arc_jet(arc, k) + arc->jets.layout.slip_velocity + law->first;
  double across = law->along[0] * slip[1] - law->along[1] * slip[0], size = fabs(slip[0]) + fabs(slip[1]);
  for (size_t c = 0; c < 2; c++)
    for (int j = 0; j <= k; j++) {
      const double *row = thud_arc_jet(arc, j) + thud_arc_row(arc, event_row_of(arc, law, c));
      for (size_t i = 0; i < arc->n; i++) size += fabs(row[i] * arc->v[(size_t)(k - j) * arc->n + i]);
    }
  for (size_t c = 0; k > 0 && c < 2; c++)
    for (size_t i = 0; i < arc->rows; i++)
      size += fabs(arc->delassus[event_row_of(arc, law, c) * arc->rows + i] *
                   arc->reaction[(size_t)(k - 1) * arc->rows + i]) /
              k;
  return fabs(across) <= EVENT_STRAIGHT * DBL_EPSILON * size ? 0 : across;
}

static void follow_direction(const sim_arc *arc, const event_friction_laws *friction, event_law *law, int k) {
  double *alpha = event_slip_series(arc, friction, law, 0), *beta = event_slip_series(arc, friction, law, 1),
         *n = event_slip_series(arc, friction, law, 2);
  double *along = event_slip_series(arc, friction, law, 3), *across = event_slip_series(arc, friction, law, 4);
  int i = k - law->slip_order - 1;
  if (i < 0) return;
  alpha[i] = thud_event_slip_along(arc, law, k);
  beta[i] = i == 0 ? 0 : slip_across(arc, law, k);
  double sum = 0;
  for (int l = 1; l < i; l++) sum += alpha[l] * alpha[i - l] + beta[l] * beta[i - l] - n[l] * n[i - l];
  n[i] = i == 0 ? alpha[0] : alpha[i] + sum / (2 * n[0]);
  along[i] = alpha[i] - (i == 0 ? 0 : n[i]);
  across[i] = beta[i];
  for (int l = 1; l < i; l++) {
    along[i] -= n[l] * along[i - l];
    across[i] -= n[l] * across[i - l];
  }
  along[i] /= n[0];
  across[i] /= n[0];
}

void thud_event_follow_slip_directions(const event_problem *problem, const sim_arc *arc, event_friction_laws *friction,
                                       int k) {
  for (size_t l = 0; l < problem->law_count; l++) {
    event_law *law = &friction->laws[l];
    if (law->directions == 2 && (law->state == LAW_SLIDE || law->state == LAW_TURN))
      follow_direction(arc, friction, law, k);
  }
}
