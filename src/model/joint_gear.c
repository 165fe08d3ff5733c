/* Gear: radius_a alpha_a + radius_b alpha_b = 0, of the angles of both bodies about their own axes u against a direction e
 * that they share. Rates of both do not change when everything turns, so that carriers may turn.
 *
 * Parallel axes: e = d = P_b - P_a; with d' its rate, and for either body with spin w
 *   dalpha/dt = (w.(u |d|^2 - d (u.d)) - (u x d).d') / (|d|^2 - (u.d)^2).
 * Wheels of these radii then have the same velocity where they touch. Other axes: e = u_a x u_b, and with c = u_a.u_b
 *   dalpha_a/dt = (w_a - w_b).(u_a - c u_b) / (1 - c^2), and the same the other way round. */
#include "model/joint.h"

/* Axes whose sine is smaller are parallel. */
static const double PARALLEL = 1e-3;

typedef struct wheels {
  thud_vec3 u[2], y[2], e; /* axes, directions that turn with the bodies */
  bool parallel;
} wheels;

static wheels wheels_of(const thud_joint_place *place) {
  wheels w = {.u = {place->planar ? place->A.cz : place->A.cx, place->planar ? place->B.cz : place->B.cx},
              .y = {place->planar ? place->A.cx : place->A.cy, place->planar ? place->B.cx : place->B.cy}};
  w.e = thud_vec3_cross(w.u[0], w.u[1]);
  w.parallel = thud_vec3_norm(w.e) < PARALLEL;
  if (w.parallel) w.e = thud_vec3_subtract(place->point_b, place->point_a);
  return w;
}

static void turn_against_line(const thud_joint_place *place, const wheels *w, int side, thud_joint_row *q) {
  thud_vec3 u = w->u[side], d = w->e, across = thud_vec3_cross(u, d);
  double along = thud_vec3_dot(u, d), size = thud_vec3_dot(d, d) - along * along;
  thud_vec3 own = thud_vec3_scale(
      1 / size, thud_vec3_subtract(thud_vec3_scale(along * along + size, u), thud_vec3_scale(along, d)));
  q->force = q->force_a = thud_vec3_scale(-1 / size, across);
  q->about_a = thud_vec3_cross(thud_vec3_subtract(place->point_a, place->centre_a), q->force);
  q->about_b = thud_vec3_cross(thud_vec3_subtract(place->point_b, place->centre_b), q->force);
  if (side == 0)
    q->about_a = thud_vec3_subtract(q->about_a, own);
  else
    q->about_b = thud_vec3_add(q->about_b, own);
}

static void turn_against_normal(const wheels *w, int side, thud_joint_row *q) {
  double cosine = thud_vec3_dot(w->u[0], w->u[1]);
  thud_vec3 about = thud_vec3_add_scaled(w->u[side], -cosine, w->u[1 - side]);
  about = thud_vec3_scale((side == 0 ? -1 : 1) / thud_vec3_dot(w->e, w->e), about);
  q->about_a = q->about_b = about;
}

static void coordinates(const thud_joint_place *place, thud_joint_row q[2]) {
  wheels w = wheels_of(place);
  for (int side = 0; side < 2; side++) {
    q[side] = (thud_joint_row){.value = thud_joint_angle(w.u[side], w.e, w.y[side]), .is_angle = true};
    if (w.parallel)
      turn_against_line(place, &w, side, &q[side]);
    else
      turn_against_normal(&w, side, &q[side]);
  }
}

static size_t rows(const thud_joint_place *place, thud_joint_row row[THUD_JOINT_ROWS]) {
  thud_joint_row q[2];
  coordinates(place, q);
  row[0] = thud_joint_couple(place, q, place->joint->radius_a, place->joint->radius_b);
  return 1;
}

static const char *fault(const thud_joint_place *place) {
  wheels w = wheels_of(place);
  thud_vec3 across = thud_vec3_cross(w.u[0], w.e);
  if (thud_vec3_norm(across) > 1e-9 * (thud_vec3_norm(place->point_a) + thud_vec3_norm(place->point_b))) return NULL;
  return "the axes of both wheels are the same line, against which nothing turns; give 'at_a' and 'at_b' on two axes";
}

const thud_joint_class thud_joint_gear = {.name = "gear",
                                          .in_plane = true,
                                          .has_axis = true,
                                          .has_ends = true,
                                          .free_count = 1,
                                          .free = {THUD_COORDINATE_OPENING},
                                          .rows = rows,
                                          .coordinates = coordinates,
                                          .fault = fault};
