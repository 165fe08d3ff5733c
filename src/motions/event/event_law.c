/* Friction laws of event-driven motions: which can be followed, their thresholds and directions as power series.
 *
 * With two components the direction d = u_T/|u_T| of the slip is a series of its own. With u_T = s^(j+1) w, in the
 * frame of d(0) and what is across it, w = (alpha, beta), beta_0 = 0, and n = |w|: n_k = alpha_k + [ sum_{0<i<k}
 * (alpha_i alpha_{k-i} - n_i n_{k-i}) + (beta^2)_k ] / (2 n_0) d_k = (w_k - sum_{0<i<=k} n_i d_{k-i}) / n_0 which is
 * exact for straight slip (beta = 0). */
#include "motions/event/event.h"

#include "model/factors.h"

#include <float.h>

/* ---- which laws -------------------------------------------------------------------------------------------------- */

/* Whether every law is a product of laws that can be followed. */
static thud_error check_laws(const event_problem *problem, const sim_arc *arc) {
  for (size_t k = 0; k < (size_t)thud_system_friction_count(problem->system); k++) {
    const thud_friction_def *def = thud_system_friction(problem->system, (thud_index)k);
    if (def->kind == THUD_FRICTION_NONE)
      return thud_fail(problem->context, THUD_ERROR_ARGUMENT,
                       "friction law '%s' has no kind (THUD_FRICTION_NONE): set it, for instance to THUD_FRICTION_DISC",
                       def->name);
    const char *wrong = thud_model_not_factored(problem->system, k);
    for (size_t f = 0; wrong == NULL && f < problem->law_count; f++) {
      const model_factor *factor = thud_model_factor(problem->system, f);
      if (factor->law == k && factor->set.kind == THUD_FACTOR_CURVED && thud_arc_is_series(arc))
        wrong =
            "its set is curved and no ellipse round 0, or couples more than two components, which needs arcs 'auto', "
            "'runge-kutta' or 'cvode'";
    }
    if (wrong != NULL)
      return thud_fail(problem->context, THUD_ERROR_UNSUPPORTED,
                       "the event-driven method cannot follow friction law '%s': %s; use a time-stepping method",
                       def->name, wrong);
  }
  return THUD_OK;
}

static event_law law_of_factor(const event_problem *problem, size_t f) {
  const model_factor *factor = thud_model_factor(problem->system, f);
  const thud_friction_def *def = thud_system_friction(problem->system, (thud_index)factor->law);
  const thud_set_factor *set = &factor->set;
  event_law made = {.number = f,
                    .own = factor->law,
                    .constraint = def->constraint,
                    .first = factor->first,
                    .directions = (size_t)set->n,
                    .unilateral = def->constraint >= 0 &&
                                  event_kind_of(problem, (size_t)def->constraint) == THUD_CONSTRAINT_UNILATERAL,
                    .leads = true,
                    .radius = 1,
                    .sign = 1};
  if (set->kind == THUD_FACTOR_DISC) made.radius = set->radius;
  if (set->kind == THUD_FACTOR_POLYGON) made.corners = set->corners;
  made.curved = set->kind == THUD_FACTOR_CURVED;
  if (made.curved && set->outline->pieces > 1) made.corners = set->outline->pieces;
  if (set->kind != THUD_FACTOR_INTERVAL) return made;
  made.reach[0] = -set->lower;
  made.reach[1] = set->upper;
  made.radius = fmax(made.reach[0], made.reach[1]);
  return made;
}

thud_error thud_event_laws_create(event_problem *problem, sim_arc *arc, event_friction_laws *friction) {
  problem->law_count = thud_model_factor_count(problem->system);
  problem->measures = 3;
  thud_error error = check_laws(problem, arc);
  if (error != THUD_OK) return error;
  friction->laws = THUD_NEW_ARRAY(problem->context, event_law, problem->law_count);
  if (friction->laws == NULL) return THUD_ERROR_MEMORY;
  for (size_t l = 0; l < problem->law_count; l++) {
    event_law *law = &friction->laws[l];
    *law = law_of_factor(problem, l);
    for (size_t k = 0; k < l && law->constraint >= 0; k++)
      law->leads = law->leads && friction->laws[k].constraint != law->constraint;
    if (!law->curved && (size_t)law->corners > problem->measures) problem->measures = (size_t)law->corners;
    for (size_t c = 0; c < law->directions; c++) arc->law[law->first + c] = (thud_index)l;
  }
  return THUD_OK;
}

int thud_event_slip_sign(const sim_arc *arc, const event_law *law, const double *slip, const double *limit) {
  int sign = 0;
  for (size_t c = 0; c < law->directions; c++)
    if (fabs(slip[c]) > limit[c]) sign = law->directions == 1 && slip[c] < 0 ? -1 : 1;
  return sign != 0 && law->corners > 0 ? 1 + thud_event_face_against(arc, law, slip, fmax(limit[0], limit[1])) : sign;
}

/* ---- series ------------------------------------------------------------------------------------------------------ */

/* Coefficient k of reach mu |r_N|. */
static double scaled_threshold(const sim_arc *arc, const event_law *law, double reach, int k, bool known) {
  double sum = 0;
  size_t mu = arc->jets.layout.friction + law->own;
  if (law->constraint < 0) return reach * thud_arc_jet(arc, k)[mu];
  for (int l = known ? 1 : 0; l <= k; l++)
    sum += reach * thud_arc_jet(arc, l)[mu] * arc->reaction[(size_t)(k - l) * arc->rows + (size_t)law->constraint];
  return law->sign * sum;
}

double thud_event_threshold(const sim_arc *arc, const event_law *law, int k, bool known) {
  return scaled_threshold(arc, law, law->radius, k, known);
}

double thud_event_margin(const sim_arc *arc, const event_law *law, const event_measure *measure, int k) {
  const double *force = arc->reaction + event_row_of(arc, law, 0);
  double sum = 0;
  if (measure->kind == MEASURE_GAUGE) return thud_event_gauge_margin(arc, law, k);
  if (measure->kind == MEASURE_MARGIN) {
    for (size_t c = 0; c < law->directions; c++) sum += measure->along[c] * force[(size_t)k * arc->rows + c];
    return scaled_threshold(arc, law, measure->reach, k, false) + sum;
  }
  for (int j = 0; j <= k; j++) {
    const double *one = force + (size_t)j * arc->rows, *other = force + (size_t)(k - j) * arc->rows;
    sum += thud_event_threshold(arc, law, j, false) * thud_event_threshold(arc, law, k - j, false);
    sum -= one[0] * other[0] + one[1] * other[1];
  }
  return sum;
}

double thud_event_slip_along(const sim_arc *arc, const event_law *law, const double *along, int k) {
  const double *slip = thud_arc_jet(arc, k) + arc->jets.layout.slip_velocity + law->first;
  double sum = along[0] * slip[0];
  for (size_t c = 1; c < law->directions; c++) sum += along[c] * slip[c];
  return sum;
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
  alpha[i] = thud_event_slip_along(arc, law, law->along, k);
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
    if (law->directions == 2 && law->corners == 0 && !law->curved &&
        (law->state == LAW_SLIDE || law->state == LAW_TURN))
      follow_direction(arc, friction, law, k);
  }
}
