/* How wrong a step is (see thud/body_motion.h). */
#include "motions/bodies/body_motion.h"

#include <float.h>
#include <math.h>

/* r - proj_K(r - rho u~), times 1/rho: a velocity; into map[d]. v[d]: u with the threshold in its normal component. */
static void natural_map(const body_motion *motion, thud_index at, double rho, const double *v, double *map) {
  const body_problem *p = &motion->problem;
  size_t d = (size_t)p->d;
  const double *r = p->r + (size_t)at * d;
  double shift = 0;
  thud_contact_shift(&p->view, at, v, &shift);
  for (size_t i = 0; i < d; i++) map[i] = r[i] - rho * (v[i] + (i == 0 ? shift : 0));
  thud_contact_project_cone(&p->view, at, map, map);
  for (size_t i = 0; i < d; i++) map[i] = (r[i] - map[i]) / rho;
}

/* u_N + w_N, u_T + wander, ... of place `at`. */
static void law_velocity(const body_motion *motion, thud_index at, const double *of, double *v) {
  thud_index k = motion->problem.order[at];
  size_t d = (size_t)motion->problem.d;
  for (size_t i = 0; i < d; i++) v[i] = of[(size_t)k * d + i] + motion->contacts.wander[(size_t)k * d + i];
  v[0] += motion->contacts.threshold[k];
}

static double sum_of_squares(size_t n, const double *x) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}

/* Squares below this have lost digits: velocities of less than 1e-138 in any unit are none. */
static const double LEAST_SQUARE = DBL_MIN / (DBL_EPSILON * DBL_EPSILON);

/* A speed of the bodies at the contact, by sizes: what its velocities are rounded against. */
static double speed_at(const body_motion *motion, thud_index k) {
  const body_contacts *c = &motion->contacts;
  thud_index bodies[2] = {c->body_a[k], c->body_b[k]};
  double speed = c->threshold[k];
  for (int side = 0; side < 2; side++) {
    thud_index i = bodies[side];
    double lever = thud_vec3_distance(c->point[k], motion->state.pose[i].position);
    speed += thud_vec3_norm(motion->velocity_free[i]) + thud_vec3_norm(motion->spin_free[i]) * lever;
  }
  return speed;
}

double thud_bodies_scale_island(body_motion *motion, thud_index s) {
  body_problem *p = &motion->problem;
  size_t d = (size_t)p->d;
  double all = 0, approached = 0, noise = 0, v[6];
  for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++) {
    law_velocity(motion, at, motion->contacts.u_free, v);
    double part = sum_of_squares(d, v), speed = speed_at(motion, p->order[at]);
    all += part;
    approached += v[0] < 0 ? part : 0;
    noise += speed * speed;
  }
  p->islands[s].scale = approached > LEAST_SQUARE ? sqrt(approached) : 0;
  p->islands[s].noise = THUD_SPEED_ROUNDING * sqrt(noise);
  return sqrt(all);
}

void thud_bodies_judge_island(body_motion *motion, thud_index s) {
  body_problem *p = &motion->problem;
  const body_contacts *c = &motion->contacts;
  thud_body_island *island = &p->islands[s];
  size_t d = (size_t)p->d;
  double error = 0, worst = 0, v[6];
  island->worst = -1;
  for (thud_index at = p->contact_start[s]; at < p->contact_start[s + 1]; at++) {
    thud_index k = p->order[at];
    law_velocity(motion, at, c->u, v);
    natural_map(motion, at, 1 / c->size[k], v, p->map);
    double part = sum_of_squares(d, p->map);
    error += part;
    if (part > worst) {
      worst = part;
      island->worst = k;
    }
  }
  /* where nothing is approached the answer is r = 0 exactly, and any error is too large */
  double counted = error > LEAST_SQUARE ? fmax(sqrt(error) - island->noise, 0) : 0;
  island->residual = counted > 0 ? counted / island->scale : 0;
  if (!(error <= DBL_MAX)) island->residual = INFINITY;
  island->solved = island->residual <= motion->options.tolerance;
}

/* The field's usual figure: rho = 1, all contacts together, in units of |q|. */
double thud_bodies_usual_residual(body_motion *motion) {
  body_problem *p = &motion->problem;
  const body_contacts *c = &motion->contacts;
  size_t d = (size_t)p->d;
  double error = 0, scale = 0, v[6];
  for (thud_index at = 0; at < c->count; at++) {
    law_velocity(motion, at, c->u_free, v);
    scale += sum_of_squares(d, v);
    law_velocity(motion, at, c->u, v);
    natural_map(motion, at, 1, v, p->map);
    error += sum_of_squares(d, p->map);
  }
  return sqrt(error) / (sqrt(scale) > 2.3e-16 ? sqrt(scale) : 1);
}
