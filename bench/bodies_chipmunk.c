/* Chipmunk 7, ten iterations (its default). Its slop of 0.1 is meant for pixels: 1 mm here. Contacts that touch again
 * inherit an old impulse that is not applied, so that impulses read from it leave a momentum defect in piles of discs. */
#include "bodies.h"

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>

#include <math.h>
#include <stdlib.h>

static const double wall = 100, slop = 1e-3; /* m; half of the thickness and length of a wall */

typedef struct world {
  const bench_scene *scene;
  cpSpace *space;
  cpBody **bodies;
  cpShape **shapes; /* those of the planes first */
} world;

static void keep(world *w, size_t number, cpShape *shape) {
  cpShapeSetFriction(shape, sqrt(w->scene->friction)); /* Chipmunk multiplies both */
  w->shapes[number] = cpSpaceAddShape(w->space, shape);
}

static void add_plane(world *w, int number) {
  const bench_plane *plane = &w->scene->planes[number];
  cpVect centre = cpvmult(cpv(plane->normal[0], plane->normal[1]), plane->offset - wall);
  cpBB box = cpBBNewForExtents(centre, wall, wall);
  cpShape *shape = cpBoxShapeNew2(cpSpaceGetStaticBody(w->space), box, 0);
  cpShapeSetUserData(shape, (void *)(intptr_t)(-1 - number));
  keep(w, (size_t)number, shape);
}

static void add_body(world *w, size_t number) {
  const bench_scene *scene = w->scene;
  const bench_state *state = &scene->start[number];
  cpBody *body = cpSpaceAddBody(w->space, cpBodyNew(scene->mass, scene->inertia));
  cpShape *shape = scene->shape == BENCH_DISC ? cpCircleShapeNew(body, scene->half, cpvzero)
                                              : cpBoxShapeNew(body, 2 * scene->half, 2 * scene->half, 0);
  cpBodySetPosition(body, cpv(state->position[0], state->position[1]));
  cpBodySetAngle(body, 2 * atan2(state->rotation[3], state->rotation[0]));
  cpBodySetVelocity(body, cpv(state->velocity[0], state->velocity[1]));
  cpBodySetAngularVelocity(body, state->spin[2]);
  cpShapeSetUserData(shape, (void *)(intptr_t)number);
  keep(w, (size_t)scene->plane_count + number, shape);
  w->bodies[number] = body;
}

static void destroy(void *given) {
  world *w = given;
  size_t planes = (size_t)w->scene->plane_count;
  for (size_t k = 0; w->space != NULL && k < w->scene->count + planes; k++) {
    cpSpaceRemoveShape(w->space, w->shapes[k]);
    cpShapeFree(w->shapes[k]);
    if (k < planes) continue;
    cpSpaceRemoveBody(w->space, w->bodies[k - planes]);
    cpBodyFree(w->bodies[k - planes]);
  }
  if (w->space != NULL) cpSpaceFree(w->space);
  free(w->shapes);
  free(w->bodies);
  free(w);
}

static void *create(const bench_scene *scene, int rough) {
  world *w = calloc(1, sizeof *w);
  (void)rough;
  if (w == NULL) return NULL;
  w->scene = scene;
  w->bodies = calloc(scene->count, sizeof(cpBody *));
  w->shapes = calloc(scene->count + (size_t)scene->plane_count, sizeof(cpShape *));
  if (w->bodies == NULL || w->shapes == NULL) {
    destroy(w);
    return NULL;
  }
  w->space = cpSpaceNew();
  cpSpaceSetGravity(w->space, cpv(0, -scene->gravity));
  cpSpaceSetCollisionSlop(w->space, slop);
  for (int i = 0; i < scene->plane_count; i++) add_plane(w, i);
  for (size_t k = 0; k < scene->count; k++) add_body(w, k);
  return w;
}

static int step(void *given) {
  world *w = given;
  cpSpaceStep(w->space, w->scene->step);
  return 0;
}

static void states(void *given, bench_state *to) {
  world *w = given;
  for (size_t k = 0; k < w->scene->count; k++) {
    cpVect x = cpBodyGetPosition(w->bodies[k]), v = cpBodyGetVelocity(w->bodies[k]);
    double angle = cpBodyGetAngle(w->bodies[k]);
    to[k] = (bench_state){.position = {x.x, x.y},
                          .rotation = {cos(angle / 2), 0, 0, sin(angle / 2)},
                          .velocity = {v.x, v.y},
                          .spin = {0, 0, cpBodyGetAngularVelocity(w->bodies[k])}};
  }
}

/* Chipmunk's normal leads from its body a to its body b, and its impulse acts on b. */
static bench_contact read_contact(const cpArbiter *pair, const struct cpContact *touch) {
  int a = (int)(intptr_t)cpShapeGetUserData(pair->a), b = (int)(intptr_t)cpShapeGetUserData(pair->b);
  cpVect n = pair->n, impulse = cpvadd(cpvmult(n, touch->jnAcc), cpvmult(cpvperp(n), touch->jtAcc));
  cpVect arms[2] = {touch->r1, touch->r2};
  int swap = a < 0;
  double sign = swap ? 1 : -1;
  return (bench_contact){.a = swap ? b : a,
                         .b = swap ? a : b,
                         .normal = {sign * n.x, sign * n.y},
                         .impulse = {sign * impulse.x, sign * impulse.y},
                         .arm_a = {arms[swap].x, arms[swap].y},
                         .arm_b = {arms[!swap].x, arms[!swap].y}};
}

static size_t contacts(void *given, const bench_state *before, size_t capacity, bench_contact *to) {
  world *w = given;
  size_t count = 0;
  (void)before;
  for (int k = 0; k < w->space->arbiters->num; k++) {
    const cpArbiter *pair = w->space->arbiters->arr[k];
    for (int i = 0; i < pair->count; i++, count++)
      if (count < capacity) to[count] = read_contact(pair, &pair->contacts[i]);
  }
  return count;
}

const bench_engine bench_engines[] = {
    {"chipmunk", "7, 10 iterations (default), slop 1 mm", create, step, states, contacts, NULL, destroy},
    {.name = NULL}};
