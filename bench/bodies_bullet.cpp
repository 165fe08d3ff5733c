// Bullet in double precision: discrete dynamics with its sequential impulses, ten iterations. By default it has one
// direction of friction at a contact; "bullet-2" has two, as its manual recommends for piles. Boxes: Bullet's margin
// (0.04) lies inside the half extents, and its detector of two boxes uses the whole extents, so that shapes agree.
#include "bodies.h"

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

namespace {

struct world {
  const bench_scene *scene;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld dynamics{&dispatcher, &broadphase, &solver, &configuration};
  std::unique_ptr<btCollisionShape> shape;
  std::vector<std::unique_ptr<btCollisionShape>> planes;
  std::vector<std::unique_ptr<btRigidBody>> bodies; // those of the planes first

  ~world() {
    for (auto &body : bodies) dynamics.removeRigidBody(body.get());
  }
};

btVector3 vector(const double *x) { return btVector3(x[0], x[1], x[2]); }

void store(const btVector3 &x, double *to) {
  for (int i = 0; i < 3; i++) to[i] = x[i];
}

btRigidBody *add(world &w, btCollisionShape *shape, double mass, double inertia, int number) {
  btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, btVector3(inertia, inertia, inertia));
  info.m_friction = std::sqrt(w.scene->friction); // Bullet multiplies both
  info.m_restitution = 0;
  w.bodies.emplace_back(new btRigidBody(info));
  btRigidBody *body = w.bodies.back().get();
  body->setUserIndex(number);
  w.dynamics.addRigidBody(body);
  return body;
}

void add_body(world &w, int number) {
  const bench_state &state = w.scene->start[number];
  btRigidBody *body = add(w, w.shape.get(), w.scene->mass, w.scene->inertia, number);
  btTransform pose(btQuaternion(state.rotation[1], state.rotation[2], state.rotation[3], state.rotation[0]),
                   vector(state.position));
  body->setWorldTransform(pose);
  body->setInterpolationWorldTransform(pose);
  body->setLinearVelocity(vector(state.velocity));
  body->setAngularVelocity(vector(state.spin));
  body->setActivationState(DISABLE_DEACTIVATION);
  body->updateInertiaTensor();
}

void *create(const bench_scene *scene, int directions) {
  auto w = std::make_unique<world>();
  w->scene = scene;
  w->dynamics.setGravity(btVector3(0, 0, -scene->gravity));
  if (directions == 2) w->dynamics.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
  if (scene->shape == BENCH_BALL)
    w->shape.reset(new btSphereShape(scene->half));
  else
    w->shape.reset(new btBoxShape(btVector3(scene->half, scene->half, scene->half)));
  for (int i = 0; i < scene->plane_count; i++) {
    w->planes.emplace_back(new btStaticPlaneShape(vector(scene->planes[i].normal), scene->planes[i].offset));
    add(*w, w->planes.back().get(), 0, 0, -1 - i);
  }
  for (size_t k = 0; k < scene->count; k++) add_body(*w, static_cast<int>(k));
  return w.release();
}

void *create_one(const bench_scene *scene, int) { return create(scene, 1); }
void *create_two(const bench_scene *scene, int) { return create(scene, 2); }

int step(void *world_) {
  world &w = *static_cast<world *>(world_);
  return w.dynamics.stepSimulation(w.scene->step, 0) == 0; // 0 substeps: one step of just this length
}

void states(void *world_, bench_state *to) {
  world &w = *static_cast<world *>(world_);
  for (auto &body : w.bodies) {
    if (body->getUserIndex() < 0) continue;
    bench_state &state = to[body->getUserIndex()];
    btQuaternion q = body->getWorldTransform().getRotation();
    store(body->getWorldTransform().getOrigin(), state.position);
    state.rotation[0] = q.w(), state.rotation[1] = q.x(), state.rotation[2] = q.y(), state.rotation[3] = q.z();
    store(body->getLinearVelocity(), state.velocity);
    store(body->getAngularVelocity(), state.spin);
  }
}

// What btSequentialImpulseConstraintSolver::setupContactConstraint asks of the normal velocity.
double bias_of(const btContactSolverInfo &info, double distance, double h) {
  if (distance > 0) return -distance / h;
  bool split = info.m_splitImpulse && distance <= info.m_splitImpulsePenetrationThreshold;
  return split ? 0 : -distance * info.m_erp2 / h;
}

bench_contact read(const world &w, const btManifoldPoint &point, int a, int b, double sign, const bench_state *before) {
  bench_contact contact{};
  btVector3 impulse =
      point.m_normalWorldOnB * point.m_appliedImpulse + point.m_lateralFrictionDir1 * point.m_appliedImpulseLateral1;
  if (w.dynamics.getSolverInfo().m_solverMode & SOLVER_USE_2_FRICTION_DIRECTIONS)
    impulse += point.m_lateralFrictionDir2 * point.m_appliedImpulseLateral2;
  contact.a = a, contact.b = b;
  store(sign * point.m_normalWorldOnB, contact.normal);
  store(sign * impulse, contact.impulse);
  const btVector3 &on_a = sign > 0 ? point.m_positionWorldOnA : point.m_positionWorldOnB;
  const btVector3 &on_b = sign > 0 ? point.m_positionWorldOnB : point.m_positionWorldOnA;
  store(on_a - vector(before[a].position), contact.arm_a);
  if (b >= 0) store(on_b - vector(before[b].position), contact.arm_b);
  contact.bias = bias_of(const_cast<world &>(w).dynamics.getSolverInfo(), point.getDistance(), w.scene->step);
  return contact;
}

size_t contacts(void *world_, const bench_state *before, size_t capacity, bench_contact *to) {
  world &w = *static_cast<world *>(world_);
  size_t count = 0;
  for (int m = 0; m < w.dispatcher.getNumManifolds(); m++) {
    const btPersistentManifold *manifold = w.dispatcher.getManifoldByIndexInternal(m);
    int a = manifold->getBody0()->getUserIndex(), b = manifold->getBody1()->getUserIndex();
    double sign = 1;
    if (a < 0) std::swap(a, b), sign = -1;
    for (int k = 0; k < manifold->getNumContacts(); k++, count++)
      if (count < capacity) to[count] = read(w, manifold->getContactPoint(k), a, b, sign, before);
  }
  return count;
}

void destroy(void *world_) { delete static_cast<world *>(world_); }

} // namespace

const bench_engine bench_engines[] = {{"bullet", "float64, 10 iterations, one direction of friction (default)",
                                       create_one, step, states, contacts, nullptr, destroy},
                                      {"bullet-2", "float64, 10 iterations, two directions of friction", create_two,
                                       step, states, contacts, nullptr, destroy},
                                      {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}};
