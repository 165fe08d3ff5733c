/* thud's motion of rigid bodies behind the common interface: flat mechanisms in the plane, and once as mechanisms in
 * space. */
#include "joints.h"

#include "thud/body_motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_STEPS = 1000000 };

typedef struct world {
  const bench_mechanism *mechanism;
  thud_context *context;
  thud_bodies *bodies;
  thud_motion *motion;
  thud_body_id *ids; /* [count] */
  thud_index material;
  bool planar;
} world;

static thud_quat quat_of(const double *q) { return thud_quat_make(q[0], q[1], q[2], q[3]); }

static thud_error add_part(world *w, thud_body_id id, const thud_shape_def *shape, thud_quat rotation) {
  thud_part_def part = thud_part_def_default();
  part.material = w->material;
  part.pose.rotation = rotation;
  thud_error error = thud_bodies_add_shape(w->bodies, shape, &part.shape);
  return error == THUD_OK ? thud_bodies_attach(w->bodies, id, &part) : error;
}

static thud_error add_link(world *w, const bench_link *link, thud_body_id *id) {
  thud_body_def def = thud_body_def_default();
  thud_shape_def shape = thud_shape_def_default(THUD_SHAPE_CAPSULE);
  def.pose.position = thud_vec3_load(link->start.position);
  def.pose.rotation = quat_of(link->start.rotation);
  def.velocity = thud_vec3_load(link->start.velocity);
  def.spin = thud_vec3_load(link->start.spin);
  def.mass = link->mass;
  def.inertia = thud_mat3_diagonal(link->inertia[0], link->inertia[1], link->inertia[2]);
  def.group = 0;
  thud_error error = thud_bodies_add(w->bodies, &def, id);
  if (error != THUD_OK || link->radius == 0) return error;
  shape.radius = link->radius;
  shape.half_length = link->half;
  return add_part(w, *id, &shape, thud_quat_identity());
}

static thud_error add_pin(world *w, const bench_pin *pin) {
  thud_joint_def def = thud_joint_def_default();
  thud_vec3 axis = thud_vec3_load(pin->axis);
  def.kind = pin->kind == BENCH_PIN_HINGE ? THUD_JOINT_HINGE : THUD_JOINT_BALL;
  def.a = w->ids[pin->a];
  if (pin->b >= 0) def.b = w->ids[pin->b];
  thud_error error = thud_bodies_place_joint(w->bodies, thud_vec3_load(pin->point), w->planar ? NULL : &axis, &def);
  if (error != THUD_OK) return error;
  for (int k = 0; k < 2 && pin->limited; k++) def.law[0].limited[k] = true, def.law[0].limit[k] = pin->limit[k];
  return thud_bodies_add_joint(w->bodies, &def);
}

static thud_error add_floor(world *w) {
  thud_body_def def = thud_body_def_default();
  thud_shape_def shape = thud_shape_def_default(THUD_SHAPE_PLANE);
  thud_body_id id;
  def.role = THUD_BODY_FIXED;
  thud_error error = thud_bodies_add(w->bodies, &def, &id);
  return error == THUD_OK ? add_part(w, id, &shape, thud_quat_make(sqrt(0.5), -sqrt(0.5), 0, 0)) : error; /* z to y */
}

static thud_error fill(world *w) {
  const bench_mechanism *m = w->mechanism;
  thud_bodies_options options = thud_bodies_options_default();
  thud_surface_law law = thud_surface_law_default();
  thud_error error;
  options.planar = w->planar;
  options.gravity[0] = options.gravity[2] = 0;
  options.gravity[1] = -m->gravity;
  law.friction = m->friction;
  if ((error = thud_bodies_create(w->context, &options, &w->bodies)) != THUD_OK ||
      (error = thud_bodies_add_material(w->bodies, "skin", &law, &w->material)) != THUD_OK)
    return error;
  for (int i = 0; i < m->count && error == THUD_OK; i++) error = add_link(w, &m->links[i], &w->ids[i]);
  for (int k = 0; k < m->pin_count && error == THUD_OK; k++) error = add_pin(w, &m->pins[k]);
  return error == THUD_OK && m->floor ? add_floor(w) : error;
}

static void destroy(void *given) {
  world *w = given;
  thud_motion_destroy(w->motion);
  thud_bodies_destroy(w->bodies);
  thud_context_destroy(w->context);
  free(w->ids);
  free(w);
}

static void *create_either(const bench_mechanism *mechanism, double step, bool planar) {
  world *w = calloc(1, sizeof *w);
  thud_body_motion_options options = thud_body_motion_options_default();
  if (w == NULL) return NULL;
  w->mechanism = mechanism, w->planar = planar;
  w->ids = calloc((size_t)mechanism->count, sizeof *w->ids);
  options.steps = MOST_STEPS;
  options.end = step * MOST_STEPS;
  options.sleep = false;
  if (w->ids != NULL && thud_context_create(NULL, &w->context) == THUD_OK && fill(w) == THUD_OK &&
      thud_body_motion_create(w->context, w->bodies, &options, &w->motion) == THUD_OK &&
      thud_motion_step(w->motion, NULL, NULL) == THUD_OK) /* the start */
    return w;
  fprintf(stderr, "bench-joints: thud: %s\n", thud_context_last_message(w->context));
  destroy(w);
  return NULL;
}

static void *create(const bench_mechanism *m, double step) { return create_either(m, step, m->flat); }
static void *create_in_space(const bench_mechanism *m, double step) { return create_either(m, step, false); }

static int step(void *given) {
  world *w = given;
  if (thud_motion_step(w->motion, NULL, NULL) == THUD_OK &&
      thud_body_motion_get_info(w->motion).status == THUD_MOTION_RUNNING)
    return 0;
  fprintf(stderr, "bench-joints: thud: %s\n", thud_context_last_message(w->context));
  return -1;
}

static void states(void *given, bench_state *to) {
  world *w = given;
  thud_body_frame frame = thud_body_motion_present(w->motion);
  for (int i = 0; i < w->mechanism->count; i++) {
    thud_quat q = frame.pose[i].rotation;
    thud_vec3_store(frame.pose[i].position, to[i].position);
    to[i].rotation[0] = q.w, to[i].rotation[1] = q.x, to[i].rotation[2] = q.y, to[i].rotation[3] = q.z;
    thud_vec3_store(frame.velocity[i], to[i].velocity);
    thud_vec3_store(frame.spin[i], to[i].spin);
  }
}

const bench_joint_engine bench_joint_thud_engines[] = {
    {"thud", "midpoint rule, one factorisation", create, step, states, destroy},
    {"thud-space", "the same, flat mechanisms in space", create_in_space, step, states, destroy},
    {.name = NULL}};
