/* thud's motion of rigid bodies behind the common interface. */
#include "bodies.h"

#include "thud/body_motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_STEPS = 1000000 };

typedef struct world {
  const bench_scene *scene;
  thud_context *context;
  thud_bodies *bodies;
  thud_motion *motion;
  thud_body_motion_info info;
  double iterations;
} world;

static const thud_shape_kind kinds[] = {
    [BENCH_BALL] = THUD_SHAPE_SPHERE,
    [BENCH_CUBE] = THUD_SHAPE_BOX,
    [BENCH_DISC] = THUD_SHAPE_DISC,
    [BENCH_SQUARE] = THUD_SHAPE_RECTANGLE,
};

/* The shortest turn that takes the axis (z, in the plane y) to the unit vector n, which is not its opposite: scenes have
 * no lid. */
static thud_quat turn_to(thud_vec3 axis, thud_vec3 n) {
  thud_vec3 across = thud_vec3_cross(axis, n);
  return thud_quat_normalise(thud_quat_make(1 + thud_vec3_dot(axis, n), across.x, across.y, across.z));
}

static thud_error add_plane(world *w, const bench_plane *plane, thud_index shape, thud_index material) {
  thud_body_def def = thud_body_def_default();
  thud_part_def part = thud_part_def_default();
  thud_vec3 n = thud_vec3_load(plane->normal);
  thud_body_id id;
  def.role = THUD_BODY_FIXED;
  def.pose.position = thud_vec3_scale(plane->offset, n);
  def.pose.rotation = turn_to(thud_vec3_make(0, w->scene->planar, !w->scene->planar), n);
  part.shape = shape;
  part.material = material;
  thud_error error = thud_bodies_add(w->bodies, &def, &id);
  return error == THUD_OK ? thud_bodies_attach(w->bodies, id, &part) : error;
}

static thud_error add_body(world *w, const bench_state *state, thud_index shape, thud_index material) {
  thud_body_def def = thud_body_def_default();
  thud_part_def part = thud_part_def_default();
  double I = w->scene->inertia;
  thud_body_id id;
  def.pose.position = thud_vec3_load(state->position);
  def.pose.rotation = thud_quat_make(state->rotation[0], state->rotation[1], state->rotation[2], state->rotation[3]);
  def.velocity = thud_vec3_load(state->velocity);
  def.spin = thud_vec3_load(state->spin);
  def.mass = w->scene->mass;
  def.inertia = thud_mat3_diagonal(I, I, I);
  part.shape = shape;
  part.material = material;
  thud_error error = thud_bodies_add(w->bodies, &def, &id);
  return error == THUD_OK ? thud_bodies_attach(w->bodies, id, &part) : error;
}

static thud_error fill(world *w) {
  const bench_scene *scene = w->scene;
  thud_bodies_options options = thud_bodies_options_default();
  thud_shape_def bound = thud_shape_def_default(scene->planar ? THUD_SHAPE_HALF_PLANE : THUD_SHAPE_PLANE);
  thud_shape_def grain = thud_shape_def_default(kinds[scene->shape]);
  thud_surface_law law = thud_surface_law_default();
  thud_index bound_number, grain_number, material;
  thud_error error;
  options.planar = scene->planar;
  options.gravity[scene->planar ? 2 : 1] = 0;
  options.gravity[scene->planar ? 1 : 2] = -scene->gravity;
  grain.radius = scene->half;
  for (int i = 0; i < 3; i++) grain.half[i] = scene->half;
  law.friction = scene->friction;
  if ((error = thud_bodies_create(w->context, &options, &w->bodies)) != THUD_OK ||
      (error = thud_bodies_add_shape(w->bodies, &bound, &bound_number)) != THUD_OK ||
      (error = thud_bodies_add_shape(w->bodies, &grain, &grain_number)) != THUD_OK ||
      (error = thud_bodies_add_material(w->bodies, "grain", &law, &material)) != THUD_OK)
    return error;
  for (int i = 0; i < scene->plane_count && error == THUD_OK; i++)
    error = add_plane(w, &scene->planes[i], bound_number, material);
  for (size_t k = 0; k < scene->count && error == THUD_OK; k++)
    error = add_body(w, &scene->start[k], grain_number, material);
  return error;
}

static void destroy(void *given) {
  world *w = given;
  thud_motion_destroy(w->motion);
  thud_bodies_destroy(w->bodies);
  thud_context_destroy(w->context);
  free(w);
}

static void *create(const bench_scene *scene, int rough) {
  world *w = calloc(1, sizeof *w);
  thud_body_motion_options options = thud_body_motion_options_default();
  if (w == NULL) return NULL;
  w->scene = scene;
  options.steps = MOST_STEPS;
  options.end = scene->step * MOST_STEPS;
  options.tolerance = rough ? 0.9 : scene->tolerance; /* which a few sweeps keep */
  options.sleep = false;
  if (rough) options.penetration = 1; /* nothing is moved apart after sweeps that solve nothing */
  if (thud_context_create(NULL, &w->context) == THUD_OK && fill(w) == THUD_OK &&
      thud_body_motion_create(w->context, w->bodies, &options, &w->motion) == THUD_OK &&
      thud_motion_step(w->motion, NULL, NULL) == THUD_OK) /* the start */
    return w;
  fprintf(stderr, "bench-bodies: thud: %s\n", thud_context_last_message(w->context));
  destroy(w);
  return NULL;
}

static int step(void *given) {
  world *w = given;
  thud_error error = thud_motion_step(w->motion, NULL, NULL);
  w->info = thud_body_motion_get_info(w->motion);
  w->iterations += thud_body_motion_present(w->motion).iterations;
  if (error == THUD_OK && w->info.status == THUD_MOTION_RUNNING) return 0;
  fprintf(stderr, "bench-bodies: thud: %s\n", thud_context_last_message(w->context));
  return -1;
}

static void states(void *given, bench_state *to) {
  world *w = given;
  thud_body_frame frame = thud_body_motion_present(w->motion);
  for (size_t k = 0; k < w->scene->count; k++) {
    size_t i = k + (size_t)w->scene->plane_count;
    thud_quat q = frame.pose[i].rotation;
    thud_vec3_store(frame.pose[i].position, to[k].position);
    to[k].rotation[0] = q.w, to[k].rotation[1] = q.x, to[k].rotation[2] = q.y, to[k].rotation[3] = q.z;
    thud_vec3_store(frame.velocity[i], to[k].velocity);
    thud_vec3_store(frame.spin[i], to[k].spin);
  }
}

/* From the centre of a body half a step after `before`, to the point. */
static void arm_to(const world *w, const bench_state *before, thud_vec3 point, double *arm) {
  thud_vec3 centre =
      thud_vec3_add_scaled(thud_vec3_load(before->position), 0.5 * w->scene->step, thud_vec3_load(before->velocity));
  thud_vec3_store(thud_vec3_subtract(point, centre), arm);
}

static bench_contact read_contact(const world *w, const thud_body_contacts *all, size_t k, const bench_state *before) {
  thud_index planes = w->scene->plane_count;
  int a = (int)(all->body_a[k] - planes), b = (int)(all->body_b[k] - planes);
  double sign = a < 0 ? -1 : 1;
  bench_contact contact = {.a = a < 0 ? b : a, .b = a < 0 ? a : b, .bias = fmin(0, -all->gap[k] / w->scene->step)};
  thud_vec3_store(thud_vec3_scale(sign, all->normal[k]), contact.normal);
  thud_vec3_store(thud_vec3_scale(sign, all->force[k]), contact.impulse);
  arm_to(w, &before[contact.a], all->point[k], contact.arm_a);
  if (contact.b >= 0) arm_to(w, &before[contact.b], all->point[k], contact.arm_b);
  return contact;
}

static size_t contacts(void *given, const bench_state *before, size_t capacity, bench_contact *to) {
  world *w = given;
  const thud_body_contacts *all = thud_body_motion_present(w->motion).contacts;
  size_t count = (size_t)all->count;
  for (size_t k = 0; k < count && k < capacity; k++) to[k] = read_contact(w, all, k, before);
  return count;
}

static void parts(void *given, bench_parts *to) {
  const world *w = given;
  *to = (bench_parts){.detect = w->info.detect_seconds,
                      .assemble = w->info.assemble_seconds + w->info.free_seconds,
                      .solve = w->info.solve_seconds,
                      .project = w->info.project_seconds,
                      .allocations = (size_t)thud_context_allocation_count(w->context),
                      .iterations = w->iterations};
}

const bench_engine bench_thud_engines[] = {
    {"thud", "tolerance 1e-4 at every step, exact cone", create, step, states, contacts, parts, destroy},
    {.name = NULL}};
