/* What a motion shows: the node reached, figures, the contact problem; and which bodies a ray meets or are near a shape. The
 * boxes of all parts are held in a tree that is made once per node, when something is first asked. */
#include "geom/broad_phase.h"
#include "motions/bodies/body_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is shown ------------------------------------------------------------------------------------------------------- */

static void show_contacts(const body_motion *motion, thud_body_contacts *shown) {
  const body_contacts *c = &motion->contacts;
  *shown = (thud_body_contacts){.count = c->count,
                                .dimension = motion->problem.d,
                                .body_a = c->body_a,
                                .body_b = c->body_b,
                                .part_a = c->part_a,
                                .part_b = c->part_b,
                                .feature = c->feature,
                                .normal = c->normal,
                                .frame = c->frame,
                                .point = c->point,
                                .gap = c->gap,
                                .mu = c->mu,
                                .mu_across = c->mu_across,
                                .restitution = c->restitution,
                                .rolling = c->rolling,
                                .spinning = c->spinning,
                                .r = c->r,
                                .u_minus = c->u_minus,
                                .u = c->u,
                                .force = c->force,
                                .moment = motion->problem.d > (motion->model.planar ? 2 : 3) ? c->moment : NULL,
                                .island = c->island,
                                .state = c->state,
                                .ahead = c->ahead};
}

void thud_bodies_present(const thud_motion *motion, void *frame) {
  const body_motion *own = (const body_motion *)motion;
  const body_state *state = &own->state;
  const body_scalars *now = state->now;
  show_contacts(own, &((body_motion *)own)->shown); /* a view of the own's own arrays */
  *(thud_body_frame *)frame = (thud_body_frame){.t = now->t,
                                                .step = now->step,
                                                .count = own->model.count,
                                                .pose = state->pose,
                                                .velocity = state->velocity,
                                                .spin = state->spin,
                                                .velocity_left = state->velocity_left,
                                                .spin_left = state->spin_left,
                                                .lift = state->lift,
                                                .turn = state->turn,
                                                .asleep = state->asleep,
                                                .contacts = &own->shown,
                                                .island_count = own->problem.with_contacts,
                                                .islands = own->problem.islands,
                                                .residual = now->residual,
                                                .usual_residual = now->usual_residual,
                                                .worst_contact = own->worst_contact,
                                                .penetration = now->penetration,
                                                .penetration_a = now->penetration_a,
                                                .penetration_b = now->penetration_b,
                                                .iterations = now->iterations,
                                                .method = own->method,
                                                .ledger = now->ledger,
                                                .absent = state->absent,
                                                .joint_count = own->model.joint_count,
                                                .joint_force = own->joints.force,
                                                .joint_moment = own->joints.moment,
                                                .joint_answer_force = own->joints.answer_force,
                                                .joint_answer_moment = own->joints.answer_moment,
                                                .joint_gap = now->joint_gap,
                                                .joint_coordinates = own->laws.shown};
}

void thud_bodies_info(const thud_motion *motion, void *info) {
  const body_motion *own = (const body_motion *)motion;
  thud_body_motion_info *shown = info;
  *shown = own->state.now->info;
  shown->free_seconds = own->spent.free;
  shown->detect_seconds = own->spent.detect;
  shown->assemble_seconds = own->spent.assemble;
  shown->solve_seconds = own->spent.solve;
  shown->project_seconds = own->spent.project;
}

THUD_MOTION_QUERIES(body, thud_body_frame, thud_body_motion_info, &thud_body_motion_type)

thud_error thud_body_motion_problem(const thud_motion *motion, const thud_contact_problem **problem, const double **r) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion, problem, r);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  const body_motion *own = (const body_motion *)motion;
  if (own->contacts.count == 0)
    return thud_fail(own->base.context, THUD_ERROR_NOT_FOUND, "the last step had no contacts");
  for (thud_index s = 0; s < own->problem.with_contacts; s++)
    if (thud_bodies_is_coupled(own, s))
      return thud_fail(
          own->base.context, THUD_ERROR_UNSUPPORTED,
          "[unsupported-method] stiff springs or dampers connect bodies in the last step: it has no two-block form");
  *problem = &own->problem.view;
  *r = own->problem.r;
  return THUD_OK;
}

thud_pose thud_body_motion_frame_pose(const thud_motion *motion, thud_index body) {
  THUD_MOTION_OF_OR(thud_pose_identity(), motion, &thud_body_motion_type);
  const body_motion *own = (const body_motion *)motion;
  if (thud_bodies_follow_model((body_motion *)own) != THUD_OK || body < 0 || body >= own->model.count)
    return thud_pose_identity();
  thud_pose pose = own->state.pose[body];
  thud_vec3 centre = thud_quat_rotate(pose.rotation, own->model.centre[body]);
  pose.position = thud_vec3_subtract(pose.position, centre);
  return pose;
}

/* ---- rays and neighbours ---------------------------------------------------------------------------------------- */

/* The tree of the placed parts. */
static thud_error hold_parts(body_motion *motion) {
  thud_error error = thud_bodies_follow_model(motion);
  if (error == THUD_OK && motion->held == NULL) error = thud_broad_phase_create(motion->base.context, &motion->held);
  if (error != THUD_OK || motion->is_held) return error;
  thud_bodies_place_parts(motion);
  for (thud_index p = 0; p < motion->model.part_count; p++) motion->boxes[p] = thud_bodies_part_box(motion, p, 0);
  error = thud_broad_phase_hold(motion->held, motion->model.part_count, motion->boxes);
  motion->is_held = error == THUD_OK;
  return error;
}

static thud_error take_query(const body_motion *motion, const thud_body_query *given, thud_body_query *query) {
  *query = thud_body_query_default();
  return given == NULL ? THUD_OK : thud_bodies_take_def(motion->base.context, "query", given, sizeof *query, query);
}

/* A query and its results so far. */
typedef struct asking {
  body_motion *motion;
  thud_body_query query;
  const thud_ray *ray;
  const thud_shape *shape; /* NULL: a ray */
  const thud_pose *pose;
  double limit; /* of the ray's fraction, or of the distance */
  bool closest; /* only the first one */
  size_t count, capacity;
  thud_body_hit *hits;
  thud_error error;
} asking;

static bool is_asked(const asking *a, thud_index part) {
  const thud_bodies_view *model = &a->motion->model;
  thud_index body = model->part_body[part];
  const thud_body_def *def = &model->def[body];
  const thud_body_id *id = &a->motion->ids[body], *ignored = &a->query.ignored;
  if ((a->query.category & def->mask) == 0 || (def->category & a->query.mask) == 0) return false;
  return ignored->index1 != id->index1 || ignored->generation != id->generation;
}

static thud_body_hit hit_of(const asking *a, thud_index part) {
  const thud_bodies_view *model = &a->motion->model;
  thud_index body = model->part_body[part];
  return (thud_body_hit){.body = a->motion->ids[body], .number = body, .part = part - model->part_start[body]};
}

static bool precedes(const thud_body_hit *x, const thud_body_hit *y) {
  if (x->fraction != y->fraction) return x->fraction < y->fraction;
  if (x->distance != y->distance) return x->distance < y->distance;
  return x->number != y->number ? x->number < y->number : x->part < y->part;
}

static void keep(asking *a, const thud_body_hit *hit) {
  if (a->closest && a->count == 1) {
    if (precedes(hit, &a->hits[0])) a->hits[0] = *hit;
    return;
  }
  a->error = thud_array_reserve(a->motion->base.context, &a->hits, &a->capacity, a->count + 1, sizeof *a->hits);
  if (a->error == THUD_OK) a->hits[a->count++] = *hit;
}

static void cast_at_part(void *user, thud_index part) {
  asking *a = user;
  thud_ray_hit met;
  if (a->error != THUD_OK || !is_asked(a, part)) return;
  if (!thud_shape_cast_ray(a->motion->model.part_shape[part], &a->motion->part_pose[part], a->ray, &met)) return;
  thud_body_hit hit = hit_of(a, part);
  hit.fraction = met.fraction;
  hit.point = met.point;
  hit.normal = met.normal;
  hit.inside = met.inside;
  keep(a, &hit);
  if (a->closest) a->limit = fmin(a->limit, met.fraction);
}

static void measure_part(void *user, thud_index part) {
  asking *a = user;
  thud_touch touch;
  memset(&touch, 0, sizeof touch);
  if (a->error != THUD_OK || !is_asked(a, part)) return;
  double distance =
      thud_distance(a->shape, a->pose, a->motion->model.part_shape[part], &a->motion->part_pose[part], &touch);
  if (!(distance <= a->limit)) return;
  thud_body_hit hit = hit_of(a, part);
  hit.distance = distance;
  hit.point = touch.on_b;
  hit.normal = touch.normal;
  hit.inside = distance < 0;
  keep(a, &hit);
}

static int by_order(const void *x, const void *y) { return precedes(x, y) ? -1 : precedes(y, x); }

/* Hands the hits out in their order. */
static thud_error finish(asking *a, size_t capacity, thud_body_hit *hits, size_t *count) {
  if (a->error == THUD_OK) {
    if (a->count > 1) qsort(a->hits, a->count, sizeof *a->hits, by_order);
    for (size_t k = 0; k < a->count && k < capacity; k++) hits[k] = a->hits[k];
    *count = a->count;
  }
  thud_free(a->motion->base.context, a->hits);
  return a->error;
}

static thud_error cast(body_motion *motion, const thud_ray *ray, const thud_body_query *query, bool closest,
                       size_t capacity, thud_body_hit *hits, size_t *count) {
  asking a = {.motion = motion, .ray = ray, .limit = 1, .closest = closest};
  double size = thud_vec3_norm(ray->origin) + thud_vec3_norm(ray->way);
  if (!isfinite(size)) return thud_fail(motion->base.context, THUD_ERROR_NOT_FINITE, "the ray is not finite");
  a.error = take_query(motion, query, &a.query);
  if (a.error == THUD_OK) a.error = hold_parts(motion);
  if (a.error == THUD_OK) thud_broad_phase_meet_ray(motion->held, ray, &a.limit, cast_at_part, &a);
  return finish(&a, capacity, hits, count);
}

thud_error thud_body_motion_cast_ray(thud_motion *motion, const thud_ray *ray, const thud_body_query *query,
                                     thud_body_hit *hit, bool *met) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion, ray, hit, met);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  size_t count = 0;
  thud_error error = cast(own, ray, query, true, 1, hit, &count);
  if (error == THUD_OK) *met = count > 0;
  return error;
}

thud_error thud_body_motion_cast_ray_all(thud_motion *motion, const thud_ray *ray, const thud_body_query *query,
                                         size_t capacity, thud_body_hit *hits, size_t *count) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion, ray, capacity == 0 || hits, count);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  return cast(own, ray, query, false, capacity, hits, count);
}

thud_error thud_body_motion_find_near(thud_motion *motion, const thud_shape *shape, const thud_pose *pose,
                                      double distance, const thud_body_query *query, size_t capacity,
                                      thud_body_hit *hits, size_t *count) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion, shape, pose, capacity == 0 || hits, count);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  asking a = {.motion = own, .shape = shape, .pose = pose, .limit = distance};
  if (!(distance >= 0) || !isfinite(distance))
    return thud_fail(own->base.context, THUD_ERROR_ARGUMENT,
                     "[not-finite] the distance %g is not a number of at least 0", distance);
  if (thud_shape_is_planar(shape) != own->model.planar || !thud_shape_may_move(shape))
    return thud_fail(
        own->base.context, THUD_ERROR_ARGUMENT,
        "[out-of-range] the shape of the question must be convex and bounded, and of the %s as the bodies are",
        own->model.planar ? "plane" : "space");
  a.error = take_query(own, query, &a.query);
  if (a.error == THUD_OK) a.error = hold_parts(own);
  if (a.error == THUD_OK) {
    thud_bounds box = thud_shape_bounds(shape, pose, distance);
    thud_broad_phase_meet_box(own->held, &box, measure_part, &a);
  }
  return finish(&a, capacity, hits, count);
}

thud_error thud_body_motion_find_in_box(thud_motion *motion, const thud_bounds *box, const thud_body_query *query,
                                        size_t capacity, thud_body_hit *hits, size_t *count) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion, box, capacity == 0 || hits, count);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  bool planar = own->model.planar;
  thud_shape_def def = thud_shape_def_default(planar ? THUD_SHAPE_RECTANGLE : THUD_SHAPE_BOX);
  thud_pose pose = thud_pose_identity();
  thud_vec3 half = thud_vec3_scale(0.5, thud_vec3_subtract(box->high, box->low));
  thud_shape *shape;
  pose.position = thud_vec3_add(box->low, half);
  if (planar) pose.position.z = 0;
  thud_vec3_store(half, def.half);
  thud_error error = thud_shape_create(own->base.context, &def, &shape);
  if (error != THUD_OK) return thud_fail_within(own->base.context, error, "the box of the question");
  error = thud_body_motion_find_near(motion, shape, &pose, 0, query, capacity, hits, count);
  thud_shape_destroy(shape);
  return error;
}
