/* Friction laws whose sets are given by their outlines (convex/outline.h): curved sets that are no ellipses round 0, and
 * sets that couple more than two components.
 *
 * Such a law slides on a piece of its outline: r_T = tau sigma(-u_T). On a corner and on an edge it is as a polygon's law
 * (event_measure.c), whose faces are numbered in the same way. Pieces may join without an edge between them: then the
 * slip goes from one to the other, and the force with it, without a jump. The margin of sticking is tau - gauge(r_T),
 * which is no polynomial: it is looked at where it is computed, at points of the arc, and its roots are bracketed. */
#include "motions/event/event.h"

#include "model/factors.h"

#include <float.h>

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
