/* The lowest point of an ellipsoid, a cylinder or a cone wanders over its surface while it rolls on a plane: what the law asks
 * for there, to second order (thud/body_motion.h), from the lowest points at the midpoint and a step later at the
 * velocities before the step. */
#include "verify/bodies/verify_bodies.h"

#include <float.h>
#include <math.h>

static bool wanders(const verify_shape *shape) {
  return shape->kind == VERIFY_SHAPE_ELLIPSOID || shape->kind == VERIFY_SHAPE_CYLINDER ||
         shape->kind == VERIFY_SHAPE_CONE;
}

static verify_body_state ahead(const verify_body_state *state, double h) {
  verify_body_state next = *state;
  next.x = thud_vec3_add_scaled(state->x, h, state->v);
  next.q = thud_quat_integrate(state->q, state->w, h);
  return next;
}

static verify_place place_of(const verify_part *part, const verify_body_state *state) {
  thud_mat3 R = thud_quat_to_matrix(state->q);
  verify_place place = {thud_vec3_add(state->x, thud_mat3_apply(R, part->place.x0)),
                        thud_mat3_multiply(R, part->place.R)};
  return place;
}

/* The lowest point of the part of a contact above the plane, its bodies being in these states. */
static thud_vec3 lowest(const verify_bodies *bodies, const verify_body_contact *c, const verify_body_state *a,
                        const verify_body_state *b, double *gap) {
  const verify_part *part = &bodies->part[c->part_a], *plane = &bodies->part[c->part_b];
  verify_place place = place_of(part, a), ground = place_of(plane, b);
  thud_vec3 up = ground.R.cz;
  thud_vec3 point = thud_verify_core_support(&bodies->shape[part->shape], &place, thud_vec3_negate(up));
  *gap = thud_vec3_dot(up, thud_vec3_subtract(point, ground.x0));
  return point;
}

static thud_vec3 slip(const verify_body_state *a, const verify_body_state *b, thud_vec3 point) {
  return thud_vec3_subtract(verify_velocity_at(a, point), verify_velocity_at(b, point));
}

verify_bend thud_verify_body_bend(const verify_body_step *step, size_t k, double closed, double tie) {
  const verify_body_contact *c = &step->row->contact[k];
  const verify_bodies *bodies = step->bodies;
  verify_drive drive = thud_verify_body_drive(step, c);
  verify_body_state ground = step->middle[c->b];
  if (drive.carries) ground.v = ground.w = (thud_vec3){0}; /* seen from there */
  const verify_body_state *a = &drive.seen, *b = &ground;
  double h = step->row->step, least = 0, next_gap = 0;
  size_t surely = 0, possibly = 0;
  bool timed = false;
  verify_bend found = {.kind = VERIFY_BEND_NONE};
  if (!bodies->options.predicted || c->e > 0 ||
      bodies->shape[bodies->part[c->part_b].shape].kind != VERIFY_SHAPE_PLANE ||
      !wanders(&bodies->shape[bodies->part[c->part_a].shape]))
    return found;
  lowest(bodies, c, a, b, &least);
  double noise = 16 * DBL_EPSILON * (thud_vec3_norm(c->point) + thud_vec3_norm(a->x) + thud_vec3_norm(b->x));
  double shaken = noise + (step->blur[c->a] + step->blur[c->b]) * thud_vec3_distance(c->point, a->x);
  double unsure = tie * closed + shaken; /* bodies that were turned apart were somewhere near there */
  for (size_t i = 0; i < step->row->contact_count; i++) {
    const verify_body_contact *other = &step->row->contact[i];
    if (other->part_a != c->part_a || other->part_b != c->part_b) continue;
    if (other->ahead != 0) { /* its gap at the midpoint is not in the row */
      timed = true;
      continue;
    }
    surely += other->gap <= least + closed - unsure;
    possibly += other->gap <= least + closed + unsure;
  }
  if (surely > 1 || possibly == 0 || c->gap > least + closed + unsure) return found;
  bool certain = !timed && surely == 1 && possibly == 1 && c->gap <= least + closed - unsure;
  verify_body_state next_a = ahead(a, h), next_b = bodies->body[c->b].role == VERIFY_FIXED ? *b : ahead(b, h);
  thud_vec3 next = lowest(bodies, c, &next_a, &next_b, &next_gap);
  found.kind = certain ? VERIFY_BEND_CERTAIN : VERIFY_BEND_POSSIBLE;
  found.gap = next_gap - c->gap - h * thud_vec3_dot(c->normal, slip(a, b, c->point));
  found.wander = thud_vec3_scale(0.5, thud_vec3_subtract(slip(&next_a, &next_b, next), slip(a, b, c->point)));
  found.blur = shaken / h;
  return found;
}
