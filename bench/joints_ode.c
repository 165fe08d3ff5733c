/* ODE's two steps: of one matrix (dWorldStep), and iterated (quick step, 20 iterations); softness of joints and contacts at
 * their defaults. */
#include "joints.h"

#include <ode/ode.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIR_CONTACTS = 4 };

typedef struct world {
  const bench_mechanism *mechanism;
  double step;
  dWorldID dynamics;
  dSpaceID space;
  dJointGroupID contacts;
  dBodyID *bodies;
} world;

static void add_link(world *w, int number) {
  const bench_link *link = &w->mechanism->links[number];
  dBodyID body = w->bodies[number] = dBodyCreate(w->dynamics);
  dMass mass;
  dMassSetParameters(&mass, link->mass, 0, 0, 0, link->inertia[0], link->inertia[1], link->inertia[2], 0, 0, 0);
  dBodySetMass(body, &mass);
  dBodySetPosition(body, link->start.position[0], link->start.position[1], link->start.position[2]);
  dBodySetQuaternion(body, link->start.rotation);
  dBodySetLinearVel(body, link->start.velocity[0], link->start.velocity[1], link->start.velocity[2]);
  dBodySetAngularVel(body, link->start.spin[0], link->start.spin[1], link->start.spin[2]);
  if (link->radius > 0) dGeomSetBody(dCreateCapsule(w->space, link->radius, 2 * link->half), body);
}

static void add_pin(world *w, const bench_pin *pin) {
  int hinge = pin->kind == BENCH_PIN_HINGE;
  dJointID id = hinge ? dJointCreateHinge(w->dynamics, 0) : dJointCreateBall(w->dynamics, 0);
  dJointAttach(id, w->bodies[pin->a], pin->b >= 0 ? w->bodies[pin->b] : 0);
  if (!hinge) {
    dJointSetBallAnchor(id, pin->point[0], pin->point[1], pin->point[2]);
    return;
  }
  dJointSetHingeAnchor(id, pin->point[0], pin->point[1], pin->point[2]);
  dJointSetHingeAxis(id, pin->axis[0], pin->axis[1], pin->axis[2]);
  if (!pin->limited) return;
  dJointSetHingeParam(id, dParamLoStop, pin->limit[0]);
  dJointSetHingeParam(id, dParamHiStop, pin->limit[1]);
}

static void destroy(void *given) {
  world *w = given;
  if (w->contacts != NULL) dJointGroupDestroy(w->contacts);
  if (w->space != NULL) dSpaceDestroy(w->space);
  if (w->dynamics != NULL) dWorldDestroy(w->dynamics);
  free(w->bodies);
  free(w);
}

static void *create(const bench_mechanism *mechanism, double step) {
  world *w = calloc(1, sizeof *w);
  if (w == NULL || dInitODE2(0) == 0) return free(w), NULL;
  w->mechanism = mechanism, w->step = step;
  w->bodies = calloc((size_t)mechanism->count, sizeof *w->bodies);
  if (w->bodies == NULL) return destroy(w), NULL;
  w->dynamics = dWorldCreate();
  w->space = dHashSpaceCreate(0);
  w->contacts = dJointGroupCreate(0);
  dWorldSetGravity(w->dynamics, 0, -mechanism->gravity, 0);
  if (mechanism->floor) dCreatePlane(w->space, 0, 1, 0, 0);
  for (int i = 0; i < mechanism->count; i++) add_link(w, i);
  for (int k = 0; k < mechanism->pin_count; k++) add_pin(w, &mechanism->pins[k]);
  return w;
}

/* Bodies of one mechanism do not touch each other. */
static void near(void *given, dGeomID one, dGeomID two) {
  world *w = given;
  dContactGeom places[PAIR_CONTACTS];
  if (dGeomGetBody(one) != 0 && dGeomGetBody(two) != 0) return;
  int count = dCollide(one, two, PAIR_CONTACTS, places, sizeof *places);
  for (int k = 0; k < count; k++) {
    dContact contact;
    memset(&contact, 0, sizeof contact);
    contact.surface.mode = dContactApprox1;
    contact.surface.mu = w->mechanism->friction;
    contact.geom = places[k];
    dJointAttach(dJointCreateContact(w->dynamics, w->contacts, &contact), dGeomGetBody(one), dGeomGetBody(two));
  }
}

static int step_by(world *w, int (*advance)(dWorldID, dReal)) {
  if (w->mechanism->floor) dSpaceCollide(w->space, w, near);
  int done = advance(w->dynamics, w->step);
  dJointGroupEmpty(w->contacts);
  return !done;
}
static int step_whole(void *given) { return step_by(given, dWorldStep); }
static int step_quick(void *given) { return step_by(given, dWorldQuickStep); }

static void states(void *given, bench_state *to) {
  world *w = given;
  for (int i = 0; i < w->mechanism->count; i++) {
    memcpy(to[i].position, dBodyGetPosition(w->bodies[i]), sizeof to[i].position);
    memcpy(to[i].rotation, dBodyGetQuaternion(w->bodies[i]), sizeof to[i].rotation);
    memcpy(to[i].velocity, dBodyGetLinearVel(w->bodies[i]), sizeof to[i].velocity);
    memcpy(to[i].spin, dBodyGetAngularVel(w->bodies[i]), sizeof to[i].spin);
  }
}

const bench_joint_engine bench_joint_engines[] = {
    {"ode", "dWorldStep, defaults", create, step_whole, states, destroy},
    {"ode-quick", "quick step, 20 iterations (default)", create, step_quick, states, destroy},
    {.name = NULL}};
