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
#include "motions/event/event.h"

#include "model/factors.h"

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
  if (part == 1) return measure(MEASURE_MARGIN, -1, one, law->reach[1]);
  return part == 2 ? measure(MEASURE_MARGIN, 1, one, law->reach[0]) : (event_measure){.kind = MEASURE_NONE};
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
