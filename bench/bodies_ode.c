/* ODE's quick step, twenty iterations (its default). Friction is a box whose sides follow the normal force
 * (dContactApprox1). */
#include "bodies.h"

#include <ode/ode.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIR_CONTACTS = 8 };
static const double feedback_room = 8; /* contacts per body */

/* One contact joint of the step. */
typedef struct joint {
  dJointFeedback feedback;
  dContactGeom place;
  int a, b;
} joint;

typedef struct world {
  const bench_scene *scene;
  dWorldID dynamics;
  dSpaceID space;
  dJointGroupID joints;
  dBodyID *bodies;
  joint *made;
  size_t made_count, made_room;
} world;

static void set_user(dGeomID geom, int number) { dGeomSetData(geom, (void *)(intptr_t)number); }
static int user(dGeomID geom) { return (int)(intptr_t)dGeomGetData(geom); }

static void add_body(world *w, size_t number) {
  const bench_scene *scene = w->scene;
  const bench_state *state = &scene->start[number];
  double edge = 2 * scene->half;
  dBodyID body = w->bodies[number] = dBodyCreate(w->dynamics);
  dGeomID geom =
      scene->shape == BENCH_BALL ? dCreateSphere(w->space, scene->half) : dCreateBox(w->space, edge, edge, edge);
  dMass mass;
  dMassSetParameters(&mass, scene->mass, 0, 0, 0, scene->inertia, scene->inertia, scene->inertia, 0, 0, 0);
  dBodySetMass(body, &mass);
  dBodySetPosition(body, state->position[0], state->position[1], state->position[2]);
  dBodySetQuaternion(body, state->rotation);
  dBodySetLinearVel(body, state->velocity[0], state->velocity[1], state->velocity[2]);
  dBodySetAngularVel(body, state->spin[0], state->spin[1], state->spin[2]);
  dGeomSetBody(geom, body);
  set_user(geom, (int)number);
}

static void destroy(void *given) {
  world *w = given;
  if (w->joints != NULL) dJointGroupDestroy(w->joints);
  if (w->space != NULL) dSpaceDestroy(w->space);
  if (w->dynamics != NULL) dWorldDestroy(w->dynamics);
  free(w->bodies);
  free(w->made);
  free(w);
}

static void *create(const bench_scene *scene, int rough) {
  world *w = calloc(1, sizeof *w);
  (void)rough;
  if (w == NULL || dInitODE2(0) == 0) return free(w), NULL;
  w->scene = scene;
  w->made_room = (size_t)(feedback_room * (double)scene->count) + 64;
  w->bodies = calloc(scene->count, sizeof *w->bodies);
  w->made = calloc(w->made_room, sizeof *w->made);
  if (w->bodies == NULL || w->made == NULL) return destroy(w), NULL;
  w->dynamics = dWorldCreate();
  w->space = dHashSpaceCreate(0);
  w->joints = dJointGroupCreate(0);
  dWorldSetGravity(w->dynamics, 0, 0, -scene->gravity);
  for (int i = 0; i < scene->plane_count; i++) {
    const bench_plane *p = &scene->planes[i];
    set_user(dCreatePlane(w->space, p->normal[0], p->normal[1], p->normal[2], p->offset), -1 - i);
  }
  for (size_t k = 0; k < scene->count; k++) add_body(w, k);
  return w;
}

/* Contact joints of a pair that is near; those without room for their feedback act all the same. */
static void near(void *given, dGeomID one, dGeomID two) {
  world *w = given;
  dContactGeom places[PAIR_CONTACTS];
  if (user(one) < 0 && user(two) < 0) return;
  int count = dCollide(one, two, PAIR_CONTACTS, places, sizeof *places);
  for (int k = 0; k < count; k++) {
    dContact contact;
    memset(&contact, 0, sizeof contact);
    contact.surface.mode = dContactApprox1;
    contact.surface.mu = w->scene->friction;
    contact.geom = places[k];
    dJointID id = dJointCreateContact(w->dynamics, w->joints, &contact);
    dJointAttach(id, dGeomGetBody(one), dGeomGetBody(two));
    if (w->made_count == w->made_room) continue;
    joint *made = &w->made[w->made_count++];
    *made = (joint){.place = places[k], .a = user(one), .b = user(two)};
    dJointSetFeedback(id, &made->feedback);
  }
}

static int step(void *given) {
  world *w = given;
  w->made_count = 0;
  dSpaceCollide(w->space, w, near);
  int done = dWorldQuickStep(w->dynamics, w->scene->step);
  dJointGroupEmpty(w->joints);
  return !done;
}

static void states(void *given, bench_state *to) {
  world *w = given;
  for (size_t k = 0; k < w->scene->count; k++) {
    memcpy(to[k].position, dBodyGetPosition(w->bodies[k]), sizeof to[k].position);
    memcpy(to[k].rotation, dBodyGetQuaternion(w->bodies[k]), sizeof to[k].rotation);
    memcpy(to[k].velocity, dBodyGetLinearVel(w->bodies[k]), sizeof to[k].velocity);
    memcpy(to[k].spin, dBodyGetAngularVel(w->bodies[k]), sizeof to[k].spin);
  }
}

/* ODE's normal leads into its first body; feedback f1 is the force on the first body, f2 on the second. */
static bench_contact read_contact(const world *w, const joint *made, const bench_state *before) {
  double h = w->scene->step;
  int swap = made->a < 0;
  bench_contact contact = {.a = swap ? made->b : made->a, .b = swap ? made->a : made->b};
  const dReal *force = swap ? made->feedback.f2 : made->feedback.f1;
  for (int i = 0; i < 3; i++) {
    contact.normal[i] = (swap ? -1 : 1) * made->place.normal[i];
    contact.impulse[i] = h * force[i];
    contact.arm_a[i] = made->place.pos[i] - before[contact.a].position[i];
    if (contact.b >= 0) contact.arm_b[i] = made->place.pos[i] - before[contact.b].position[i];
  }
  contact.bias = dWorldGetERP(w->dynamics) / h * fmax(0, made->place.depth);
  return contact;
}

static size_t contacts(void *given, const bench_state *before, size_t capacity, bench_contact *to) {
  world *w = given;
  for (size_t k = 0; k < w->made_count && k < capacity; k++) to[k] = read_contact(w, &w->made[k], before);
  return w->made_count;
}

const bench_engine bench_engines[] = {
    {"ode", "quick step, 20 iterations (default)", create, step, states, contacts, NULL, destroy}, {.name = NULL}};
