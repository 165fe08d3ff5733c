/* Springs and dampers at coordinates of joints (docs/joints.md), by formulas of their own. With x the coordinate, s its derivative and
 * D = v+ - v over the step, the spring takes from its coordinate
 *   Q = h (k ((1 - a) (x_m - rest) + a (x_p - rest)) + c s v + theta c s D_paths) + (h^2 a k + h theta c) s D,
 * x_m at the midpoint, x_p where the bodies would be a step later. a and theta are those of springs between points. */
#include "verify/bodies/verify_bodies_joints.h"

#include <math.h>

static const double RESOLVED = 2, STIFF = 2.7, STIFF_DAMPER = 1.3; /* as in verify_bodies_implicit.c */

static bool has_spring(const verify_joint_law *law) { return law->stiffness > 0 || law->damping > 0; }

/* The size of the terms of which a coordinate is the difference. */
static double size_of(const verify_joint_law *law, const verify_joint_placed *p, const verify_joint_condition *x) {
  double places = x->angle ? 1 : thud_vec3_norm(p->P[0]) + thud_vec3_norm(p->P[1]) + p->lever;
  return fabs(x->value) + fabs(law->rest) + fabs(law->start) + places;
}

double thud_verify_joint_energy(const verify_bodies *bodies, const verify_body_state *state, double *size) {
  double sum = 0;
  for (size_t k = 0; k < bodies->joint_count; k++) {
    const verify_joint *joint = &bodies->joint[k];
    if (joint->law_count == 0 || !verify_joint_holds(bodies, joint)) continue;
    verify_joint_placed p = thud_verify_joint_place(joint, state);
    for (int c = 0; c < joint->law_count; c++) {
      const verify_joint_law *law = &joint->law[c];
      if (!(law->stiffness > 0)) continue;
      verify_joint_condition x = thud_verify_law_coordinate(bodies, joint, c, &p, law->seen);
      double stretch = x.value - law->rest, terms = size_of(law, &p, &x);
      sum += 0.5 * law->stiffness * stretch * stretch;
      *size += law->stiffness * terms * terms;
    }
  }
  return sum;
}

/* A spring in the step. */
typedef struct joint_spring {
  const verify_joint *joint;
  const verify_joint_law *law;
  size_t body[2], number; /* number of the law */
  int c;
  verify_joint_placed p;
  verify_joint_condition x;
} joint_spring;

static joint_spring look(const verify_body_step *step, size_t k, int c) {
  const verify_joint *joint = &step->bodies->joint[k];
  joint_spring s = {.joint = joint, .law = &joint->law[c], .body = {joint->a, joint->b}, .c = c};
  s.number = joint->first_law + (size_t)c;
  s.p = thud_verify_joint_place(joint, step->middle);
  s.x = thud_verify_law_coordinate(step->bodies, joint, c, &s.p, step->row->law[s.number].value);
  return s;
}

static thud_vec3 along(const joint_spring *s, int side) { return thud_vec3_load(s->x.rate + 6 * (size_t)side); }
static thud_vec3 about(const joint_spring *s, int side) { return thud_vec3_load(s->x.rate + 6 * (size_t)side + 3); }

/* The size of the terms of which a moment is the sum: that of a rack is 0 where its force meets the centre of mass. */
static double size_about(const joint_spring *s, int side) {
  return thud_vec3_norm(about(s, side)) + thud_vec3_norm(along(s, side)) * s->p.lever;
}

static bool moves(const verify_body_step *step, size_t body) { return body != SIZE_MAX && step->moves[body]; }
static bool is_driven(const verify_body_step *step, size_t body) {
  return body != SIZE_MAX && step->bodies->body[body].role == VERIFY_KINEMATIC;
}

static void count(verify_body_step *step, const joint_spring *s) {
  double h = step->row->step, factor = moves(step, s->body[0]) && moves(step, s->body[1]) ? 2 : 1;
  for (int side = 0; side < 2; side++) {
    size_t i = s->body[side];
    if (!moves(step, i)) continue;
    const verify_rigid *body = &step->bodies->body[i];
    thud_vec3 f = along(s, side), m = about(s, side);
    thud_mat3 R = thud_quat_to_matrix(step->middle[i].q);
    thud_mat3 inverse = thud_mat3_multiply(R, thud_mat3_multiply(body->inverse, thud_mat3_transpose(R)));
    double response = factor * (thud_vec3_dot(f, f) / body->mass + thud_vec3_dot(m, thud_mat3_apply(inverse, m)));
    step->implicit[i].kappa += h * h * s->law->stiffness * response;
    step->implicit[i].zeta += h * s->law->damping * response;
  }
}

/* The coordinate a step later, bodies on paths with their velocities after the step. */
static double find_later(const verify_body_step *step, const joint_spring *s) {
  verify_body_state kept[2];
  double h = step->row->step;
  for (int side = 0; side < 2; side++) {
    size_t i = s->body[side];
    if (i == SIZE_MAX) continue;
    verify_body_state *state = &step->middle[i];
    const verify_body_state *going = is_driven(step, i) ? &step->after[i] : state;
    kept[side] = *state;
    thud_vec3 v = going->v, w = going->w;
    state->x = thud_vec3_add_scaled(state->x, h, v);
    state->q = thud_quat_integrate(state->q, w, h);
  }
  verify_joint_placed p = thud_verify_joint_place(s->joint, step->middle);
  double later = thud_verify_law_coordinate(step->bodies, s->joint, s->c, &p, s->x.value).value;
  for (int side = 0; side < 2; side++)
    if (s->body[side] != SIZE_MAX) step->middle[s->body[side]] = kept[side];
  return later;
}

static double part_of_rate(const joint_spring *s, int side, thud_vec3 v, thud_vec3 w) {
  return thud_vec3_dot(along(s, side), v) + thud_vec3_dot(about(s, side), w);
}

static void add_link(verify_body_step *step, const joint_spring *s, double elastic, double damping, double speed) {
  verify_link *link = &step->link[step->link_count++];
  bool first = moves(step, s->body[0]), second = moves(step, s->body[1]);
  *link = (verify_link){.a = first ? s->body[0] : SIZE_MAX,
                        .b = second ? s->body[1] : SIZE_MAX,
                        .elastic = elastic,
                        .damping = damping,
                        .speed = speed,
                        .path = SIZE_MAX,
                        .law = s->number + 1};
  for (int i = 0; i < 6; i++) {
    if (first) link->s_a[i] = s->x.rate[i];
    if (second) link->s_b[i] = s->x.rate[6 + i];
  }
  for (int side = 0; side < 2; side++)
    if (is_driven(step, s->body[side])) {
      link->path = s->body[side];
      for (int i = 0; i < 6; i++) link->s_path[i] = s->x.rate[6 * side + i];
    }
}

static void add(verify_body_step *step, const joint_spring *s) {
  double h = step->row->step, kappa = 0, zeta = 0, rate = 0, change = 0, speed = 0;
  for (int side = 0; side < 2; side++) {
    size_t i = s->body[side];
    if (i == SIZE_MAX) continue;
    const verify_body_state *left = &step->middle[i], *after = &step->after[i];
    if (step->moves[i]) kappa = fmax(kappa, step->implicit[i].kappa), zeta = fmax(zeta, step->implicit[i].zeta);
    rate += part_of_rate(s, side, left->v, left->w);
    if (is_driven(step, i))
      change += part_of_rate(s, side, thud_vec3_subtract(after->v, left->v), thud_vec3_subtract(after->w, left->w));
    speed += thud_vec3_norm(along(s, side)) * (thud_vec3_norm(left->v) + thud_vec3_norm(after->v)) +
             thud_vec3_norm(about(s, side)) * (thud_vec3_norm(left->w) + thud_vec3_norm(after->w));
  }
  double k = s->law->stiffness, c = s->law->damping, theta = (1 + zeta) / (2 + zeta);
  double share = kappa > RESOLVED ? 1 - RESOLVED / kappa : 0, elastic = k * (s->x.value - s->law->rest);
  if (share > 0) elastic = (1 - share) * elastic + share * k * (find_later(step, s) - s->law->rest);
  double damping = c * (rate + theta * change),
         size = k * (size_of(s->law, &s->p, &s->x) + h * share * speed) + c * speed;
  for (int side = 0; side < 2; side++) {
    size_t i = s->body[side];
    if (i == SIZE_MAX) continue;
    step->elastic[i] = thud_vec3_add_scaled(step->elastic[i], -elastic, along(s, side));
    step->elastic_torque[i] = thud_vec3_add_scaled(step->elastic_torque[i], -elastic, about(s, side));
    step->applied[i] = thud_vec3_add_scaled(step->applied[i], -damping, along(s, side));
    step->applied_torque[i] = thud_vec3_add_scaled(step->applied_torque[i], -damping, about(s, side));
    if (step->moves[i] && (kappa > STIFF || zeta > STIFF_DAMPER))
      step->implicit[i].stiff = thud_vec3_add_scaled(step->implicit[i].stiff, -(elastic + damping), about(s, side));
    step->size[2 * i] += size * thud_vec3_norm(along(s, side));
    step->size[2 * i + 1] += size * size_about(s, side);
  }
  step->spring[2 * s->number] = -(elastic + damping);
  step->spring[2 * s->number + 1] = size;
  if (share > 0 || c > 0) add_link(step, s, h * h * share * k, h * theta * c, speed);
}

void thud_verify_joint_springs(verify_body_step *step, bool counting) {
  const verify_bodies *bodies = step->bodies;
  for (size_t k = 0; k < bodies->joint_count; k++)
    for (int c = 0; c < bodies->joint[k].law_count; c++) {
      const verify_joint *joint = &bodies->joint[k];
      size_t number = joint->first_law + (size_t)c;
      step->spring[2 * number] = step->spring[2 * number + 1] = 0;
      if (!has_spring(&joint->law[c]) || !verify_joint_holds(bodies, joint)) continue;
      joint_spring s = look(step, k, c);
      if (counting)
        count(step, &s);
      else
        add(step, &s);
    }
}

void thud_verify_joint_spring_forces(const verify_body_step *step, thud_verify_check *check) {
  const verify_bodies *bodies = step->bodies;
  const verify_body_row *row = step->row;
  for (size_t k = 0; k < bodies->joint_count; k++)
    for (int c = 0; c < bodies->joint[k].law_count; c++) {
      const verify_joint *joint = &bodies->joint[k];
      size_t number = joint->first_law + (size_t)c;
      double force = step->spring[2 * number], size = step->spring[2 * number + 1];
      for (size_t r = 0; r < step->link_count; r++) {
        const verify_link *link = &step->link[r];
        double weight = (link->elastic + link->damping) / row->step;
        if (link->law != number + 1) continue;
        force -= weight * thud_verify_link_change(step, link);
        size += weight * link->speed;
      }
      if (thud_verify_tally(check, fabs(row->law[number].spring - force), VERIFY_SUMS * size, 0, row->t, row->number))
        thud_verify_explain(check, "spring of '%s'", joint->name);
    }
}
