/* Friction laws of event-driven motions: which can be followed, their thresholds and directions as power series.
 *
 * With two components the direction d = u_T/|u_T| of the slip is a series of its own. With u_T = s^(j+1) w, in the
 * frame of d(0) and what is across it, w = (alpha, beta), beta_0 = 0, and n = |w|: n_k = alpha_k + [ sum_{0<i<k}
 * (alpha_i alpha_{k-i} - n_i n_{k-i}) + (beta^2)_k ] / (2 n_0) d_k = (w_k - sum_{0<i<=k} n_i d_{k-i}) / n_0 which is
 * exact for straight slip (beta = 0). */
#include "model/factors.h"
#include "model/thresholds.h"
#include "motions/event/event.h"

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
    const char *wrong = thud_model_threshold_of(problem->system, k) != NULL
                            ? "its threshold is given by several reactions"
                            : thud_model_not_factored(problem->system, k);
    for (size_t f = 0; wrong == NULL && f < problem->law_count; f++) {
      const model_factor *factor = thud_model_factor(problem->system, f);
      if (factor->law == k && factor->set.kind == THUD_FACTOR_CURVED && thud_arc_is_series(arc))
        wrong =
            "its set is curved and no ellipse round 0, or couples more than two components, which needs arcs 'auto', "
            "'runge-kutta' or 'cvode'";
    }
    if (wrong != NULL)
      return thud_fail(problem->context, THUD_ERROR_UNSUPPORTED,
                       "[unsupported-method] the event-driven method cannot follow friction law '%s': %s; use a "
                       "time-stepping method",
                       def->name, wrong);
  }
  return THUD_OK;
}

double thud_event_largest_reach(const event_law *law) {
  double back = isfinite(law->reach[0]) ? law->reach[0] : 0, forth = isfinite(law->reach[1]) ? law->reach[1] : 0;
  return fmax(back, forth) > 0 ? fmax(back, forth) : 1;
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
  made.radius = thud_event_largest_reach(&made);
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

/* ---- what modes demand, and what ends them ------------------------------------------------------------------------- */

/* What the modes of friction laws demand, and what ends them.
 *
 * A law holds its force r_T in tau C, where -u_T is normal to tau C at r_T. With one component C is an interval, with
 * two a disc (also of an ellipse, in its frame) or a polygon with corners c_k, counter-clockwise; edge k from c_k to
 * c_{k+1} has the direction t_k and the outward normal n_k. A polygon's force
 *   sticks            u_T = 0,                 where tau n_k.c_k - n_k.r_T >= 0 for all edges,
 *   is at corner k    r_T = tau c_k,           where u_T.t_k >= 0 and -u_T.t_{k-1} >= 0,
 *   is on edge k      n_k.r_T = tau n_k.c_k    and t_k.u_T = 0, where -n_k.u_T >= 0 and
 *                                              tau t_k.c_{k+1} - t_k.r_T >= 0, t_k.r_T - tau t_k.c_k >= 0.
 * The force at a corner does not turn with the slip: it is constant up to the threshold, and leaves the corner where the
 * slip leaves its normal cone. */

static const double *corner(const sim_arc *arc, const event_law *law, int k) {
  const thud_set_factor *set = &thud_model_factor(arc->system, law->number)->set;
  if (law->curved) return set->outline->piece[(k + law->corners) % law->corners].centre;
  return set->corner + (ptrdiff_t)2 * ((k + law->corners) % law->corners);
}

void thud_event_corner(const sim_arc *arc, const event_law *law, int k, double *point) {
  memcpy(point, corner(arc, law, k), 2 * sizeof *point);
}

void thud_event_edge(const sim_arc *arc, const event_law *law, int k, event_edge *edge) {
  if (law->curved) {
    thud_event_outline_edge(arc->system, law, k, edge);
    return;
  }
  const double *a = corner(arc, law, k), *b = corner(arc, law, k + 1);
  double length = hypot(b[0] - a[0], b[1] - a[1]);
  for (size_t c = 0; c < 2; c++) edge->along[c] = (b[c] - a[c]) / length;
  edge->normal[0] = edge->along[1];
  edge->normal[1] = -edge->along[0];
  edge->offset = edge->normal[0] * a[0] + edge->normal[1] * a[1];
  edge->begin = edge->along[0] * a[0] + edge->along[1] * a[1];
  edge->end = edge->along[0] * b[0] + edge->along[1] * b[1];
}

int thud_event_face_against(const sim_arc *arc, const event_law *law, const double *slip, double small) {
  int best = 0;
  if (law->curved) return thud_event_outline_face_against(arc->system, law, slip, small);
  for (int k = 1; k < law->corners; k++) {
    const double *c = corner(arc, law, k), *b = corner(arc, law, best);
    if ((c[0] - b[0]) * slip[0] + (c[1] - b[1]) * slip[1] < 0) best = k;
  }
  event_edge behind, before;
  int last = (best + law->corners - 1) % law->corners;
  thud_event_edge(arc, law, best, &behind);
  thud_event_edge(arc, law, last, &before);
  if (behind.along[0] * slip[0] + behind.along[1] * slip[1] <= small) return 2 * best + 1;
  if (-before.along[0] * slip[0] - before.along[1] * slip[1] <= small) return 2 * last + 1;
  return 2 * best;
}

static event_measure measure(event_measure_kind kind, double sign, const double *along, double reach) {
  return (event_measure){.kind = kind, .along = {sign * along[0], sign * along[1]}, .reach = reach};
}

static event_measure measure_of_polygon(const sim_arc *arc, const event_law *law, int part) {
  event_edge edge;
  bool slides = law->state != LAW_STICK && law->state != LAW_EDGE;
  if (law->state == LAW_STICK && part < law->corners) {
    thud_event_edge(arc, law, part, &edge);
    return measure(MEASURE_MARGIN, -1, edge.normal, edge.offset);
  }
  if (slides && part < 2) {
    thud_event_edge(arc, law, law->face / 2 - part, &edge);
    return measure(MEASURE_SLIP, part == 0 ? 1 : -1, edge.along, 0);
  }
  if (law->state != LAW_EDGE || part > 2) return (event_measure){.kind = MEASURE_NONE};
  thud_event_edge(arc, law, law->face / 2, &edge);
  if (part == 0) return measure(MEASURE_SLIP, -1, edge.normal, 0);
  return part == 1 ? measure(MEASURE_MARGIN, -1, edge.along, edge.end)
                   : measure(MEASURE_MARGIN, 1, edge.along, -edge.begin);
}

/* At rest, or one piece for all normals. */
static event_measure measure_of_outline(const event_law *law, int part) {
  event_measure made = {.kind = MEASURE_NONE};
  if (law->state == LAW_STICK && part == 1) made.kind = MEASURE_GAUGE;
  if (law->state == LAW_STICK || part != 0) return made;
  made.kind = MEASURE_SLIP;
  memcpy(made.along, law->toward, sizeof made.along);
  return made;
}

event_measure thud_event_measure(const sim_arc *arc, const event_law *law, int part) {
  static const double one[2] = {1, 0};
  if (law->state == LAW_OFF) return (event_measure){.kind = MEASURE_NONE};
  if (law->curved && (law->state == LAW_STICK || law->corners == 0)) return measure_of_outline(law, part);
  if (law->corners > 0) return measure_of_polygon(arc, law, part);
  if (law->state != LAW_STICK)
    return part == 0 ? measure(MEASURE_SLIP, 1, law->along, 0) : (event_measure){.kind = MEASURE_NONE};
  if (law->directions == 2) return (event_measure){.kind = part == 1 ? MEASURE_DISC : MEASURE_NONE};
  if (part == 1 && isfinite(law->reach[1])) return measure(MEASURE_MARGIN, -1, one, law->reach[1]);
  return part == 2 && isfinite(law->reach[0]) ? measure(MEASURE_MARGIN, 1, one, law->reach[0])
                                              : (event_measure){.kind = MEASURE_NONE};
}

bool thud_event_slip_is_zero(const event_contacts *contacts, const event_law *law, int part) {
  int slip = contacts->slip[law->number], face = slip - 1;
  if (slip == 0) return true;
  /* at a corner, from slip that is still across one of its edges */
  if (law->corners == 0 || law->state == LAW_EDGE || face % 2 == 0) return false;
  return face / 2 == (law->face / 2 - part + law->corners) % law->corners;
}

double thud_event_inside(const sim_arc *arc, const event_law *law, const double *force, double normal) {
  event_law at_rest = *law;
  double least = INFINITY, mu = arc->jet[arc->jets.layout.friction + law->own] * normal;
  at_rest.state = LAW_STICK;
  if (law->curved) return mu - thud_event_gauge(arc->system, law, force);
  for (int part = 0; part < (law->corners > 3 ? law->corners : 3); part++) {
    event_measure m = thud_event_measure(arc, &at_rest, part);
    double value = INFINITY;
    if (m.kind == MEASURE_DISC) value = law->radius * mu - hypot(force[0], force[1]);
    if (m.kind == MEASURE_MARGIN)
      value = m.reach * mu + m.along[0] * force[0] + (law->directions == 2 ? m.along[1] * force[1] : 0);
    least = fmin(least, value);
  }
  return least;
}

/* ---- laws with outlines -------------------------------------------------------------------------------------------- */

/* Friction laws whose sets are given by their outlines (convex/outline.h): curved sets that are no ellipses round 0, and
 * sets that couple more than two components.
 *
 * Such a law slides on a piece of its outline: r_T = tau sigma(-u_T). On a corner and on an edge it is as a polygon's law
 * (event_law.c), whose faces are numbered in the same way. Pieces may join without an edge between them: then the
 * slip goes from one to the other, and the force with it, without a jump. The margin of sticking is tau - gauge(r_T),
 * which is no polynomial: it is looked at where it is computed, at points of the arc, and its roots are bracketed. */

/* Edges shorter than this, relative to the set, are places where two pieces join. */
#define NO_EDGE 1e-12

enum { PLACES = 64, BISECTIONS = 200 };

const thud_outline *thud_event_outline(const thud_system *system, const event_law *law) {
  return thud_model_factor(system, law->number)->set.outline;
}

bool thud_event_is_on_curve(const sim_arc *arc, const event_law *law) {
  if (!law->curved) return false;
  return law->corners == 0 || thud_event_outline(arc->system, law)->piece[law->face / 2].terms != 0;
}

bool thud_event_edge_is_real(const thud_system *system, const event_law *law, int k) {
  double normal[2], begin[2], end[2];
  if (!law->curved) return true;
  const thud_outline *outline = thud_event_outline(system, law);
  thud_outline_end(outline, k, normal, begin);
  thud_outline_begin(outline, k + 1, normal, end);
  return hypot(end[0] - begin[0], end[1] - begin[1]) > NO_EDGE * thud_outline_size(outline);
}

static int piece_of(const event_law *law) { return law->corners == 0 ? 0 : law->face / 2; }

static double length_of(size_t n, const double *x) {
  double sum = 0;
  for (size_t c = 0; c < n; c++) sum += x[c] * x[c];
  return sqrt(sum);
}

void thud_event_set_slip_along(const sim_arc *arc, event_law *law, const double *slip) {
  double speed = length_of(law->directions, slip), normal[THUD_MOST_SLIPS], point[THUD_MOST_SLIPS];
  for (size_t c = 0; c < law->directions; c++) {
    law->toward[c] = slip[c] / speed;
    normal[c] = -law->toward[c];
  }
  thud_outline_point(thud_event_outline(arc->system, law), piece_of(law), normal, point);
  for (size_t c = 0; c < law->directions; c++) law->along[c] = -point[c];
}

void thud_event_curve_slope(const sim_arc *arc, const event_law *law, const double *slip, const double *rate,
                            double *slope) {
  double normal[THUD_MOST_SLIPS], change[THUD_MOST_SLIPS];
  for (size_t c = 0; c < law->directions; c++) {
    normal[c] = -slip[c];
    change[c] = -rate[c];
  }
  thud_outline_slope(thud_event_outline(arc->system, law), piece_of(law), normal, change, slope);
}

/* Householder's reflection of e into the axis 0 has the others as its columns. */
void thud_event_across(size_t n, const double *e, size_t c, double *f) {
  double w[THUD_MOST_SLIPS], sum = 0, sign = e[0] < 0 ? -1 : 1;
  for (size_t i = 0; i < n; i++) {
    w[i] = e[i] + (i == 0 ? sign : 0);
    sum += w[i] * w[i];
  }
  for (size_t i = 0; i < n; i++) f[i] = (i == c ? 1 : 0) - 2 * w[i] * w[c] / sum;
}

/* ---- faces -------------------------------------------------------------------------------------------------------- */

void thud_event_outline_edge(const thud_system *system, const event_law *law, int k, event_edge *edge) {
  const thud_outline *outline = thud_event_outline(system, law);
  double next[2], begin[2], end[2];
  thud_outline_end(outline, k, edge->normal, begin);
  thud_outline_begin(outline, k + 1, next, end);
  edge->along[0] = -edge->normal[1];
  edge->along[1] = edge->normal[0];
  edge->offset = edge->normal[0] * begin[0] + edge->normal[1] * begin[1];
  edge->begin = edge->along[0] * begin[0] + edge->along[1] * begin[1];
  edge->end = edge->along[0] * end[0] + edge->along[1] * end[1];
}

/* The slip across an edge is opposite to its normal. */
static bool is_across(const thud_system *system, const event_law *law, int k, const double *slip, double small) {
  event_edge edge;
  thud_event_outline_edge(system, law, k, &edge);
  return fabs(edge.along[0] * slip[0] + edge.along[1] * slip[1]) <= small &&
         edge.normal[0] * slip[0] + edge.normal[1] * slip[1] < 0;
}

int thud_event_outline_face_against(const thud_system *system, const event_law *law, const double *slip, double small) {
  const double against[2] = {-slip[0], -slip[1]};
  int k = thud_outline_piece_of(thud_event_outline(system, law), against), last = (k + law->corners - 1) % law->corners;
  if (is_across(system, law, k, slip, small)) return 2 * k + 1;
  return is_across(system, law, last, slip, small) ? 2 * last + 1 : 2 * k;
}

int thud_event_face_of_force(const sim_arc *arc, const event_law *law, const double *force) {
  thud_crossing crossing;
  thud_outline_cross(thud_event_outline(arc->system, law), force, &crossing);
  return crossing.face;
}

/* ---- margins ------------------------------------------------------------------------------------------------------ */

double thud_event_gauge(const thud_system *system, const event_law *law, const double *force) {
  thud_crossing crossing;
  thud_outline_cross(thud_event_outline(system, law), force, &crossing);
  return crossing.gauge;
}

/* Largest x.d/S(d) over the normals d at a crossing: how fast the gauge grows along x. */
static double gauge_slope(const thud_outline *outline, const thud_crossing *at, const double *force, const double *x) {
  double most = -INFINITY;
  for (int which = 0; which < 2; which++) {
    double along = 0, support = 0;
    for (int c = 0; c < outline->n; c++) {
      along += at->normal[which][c] * x[c];
      support += at->normal[which][c] * force[c] / at->gauge;
    }
    most = fmax(most, along / support);
  }
  return most;
}

/* Coefficient k as far as the ones before are 0; beyond the first derivative the curvature would have part in it. */
double thud_event_gauge_margin(const sim_arc *arc, const event_law *law, int k) {
  const thud_outline *outline = thud_event_outline(arc->system, law);
  const double *force = arc->reaction + event_row_of(arc, law, 0), *next = force + (size_t)k * arc->rows;
  double tau = thud_event_threshold(arc, law, k, false);
  thud_crossing crossing;
  int first = 0;
  while (first < k && !(length_of(law->directions, force + (size_t)first * arc->rows) > 0)) first++;
  if (k > first + 1) return 0;
  thud_outline_cross(outline, force + (size_t)first * arc->rows, &crossing);
  if (k == first) return tau - crossing.gauge;
  return tau - gauge_slope(outline, &crossing, force + (size_t)first * arc->rows, next);
}

static double margin_at(const sim_arc *arc, const event_law *law, double s) {
  double force[THUD_MOST_SLIPS] = {0}, tau = 0;
  for (int k = arc->order; k >= 0; k--) {
    tau = tau * s + thud_event_threshold(arc, law, k, false);
    for (size_t c = 0; c < law->directions; c++)
      force[c] = force[c] * s + arc->reaction[(size_t)k * arc->rows + event_row_of(arc, law, c)];
  }
  return tau - thud_event_gauge(arc->system, law, force);
}

arc_root thud_event_sampled_root(const sim_arc *arc, const event_law *law, double h, double noise) {
  double low = 0, high = h;
  bool found = false;
  for (int k = 1; k <= PLACES && !found; k++) {
    high = h * k / PLACES;
    found = !(margin_at(arc, law, high) > -noise);
    if (!found) low = high;
  }
  if (!found) return (arc_root){.kind = ARC_ROOT_NONE};
  for (int k = 0; k < BISECTIONS && high - low > DBL_EPSILON * high; k++) {
    double middle = (low + high) / 2;
    if (margin_at(arc, law, middle) > 0)
      low = middle;
    else
      high = middle;
  }
  return (arc_root){.kind = low > 0 ? ARC_ROOT_SIMPLE : ARC_ROOT_START, .s = low, .low = low, .high = high};
}
