// Box2D 2.4 (single precision), 8 velocity and 3 position iterations. Its polygons carry a skin of 10 mm: they are
// made smaller by it, and so are the walls, so that shapes agree; bodies still sink by its slop of 5 mm.
#include "bodies.h"

#include <box2d/box2d.h>

#include <cmath>
#include <memory>
#include <vector>

namespace {

constexpr int velocity_iterations = 8, position_iterations = 3;
constexpr float wall = 100; // m, half of the thickness and length of a wall

struct world {
  const bench_scene *scene;
  b2World dynamics;
  std::vector<b2Body *> bodies;
  explicit world(const bench_scene *given) : scene(given), dynamics(b2Vec2(0, -static_cast<float>(given->gravity))) {}
};

void set_number(b2BodyDef &def, int number) {
  def.userData.pointer = static_cast<uintptr_t>(static_cast<intptr_t>(number));
}
int number_of(const b2Fixture *fixture) {
  return static_cast<int>(static_cast<intptr_t>(const_cast<b2Fixture *>(fixture)->GetBody()->GetUserData().pointer));
}

void add_plane(world &w, int number) {
  const bench_plane &plane = w.scene->planes[number];
  float n[2] = {static_cast<float>(plane.normal[0]), static_cast<float>(plane.normal[1])};
  float depth = static_cast<float>(plane.offset) - b2_polygonRadius - wall;
  b2BodyDef def;
  def.position.Set(n[0] * depth, n[1] * depth);
  set_number(def, -1 - number);
  b2PolygonShape shape;
  shape.SetAsBox(wall, wall);
  b2Fixture *fixture = w.dynamics.CreateBody(&def)->CreateFixture(&shape, 0);
  fixture->SetFriction(static_cast<float>(w.scene->friction));
}

void add_body(world &w, int number) {
  const bench_state &state = w.scene->start[number];
  float half = static_cast<float>(w.scene->half);
  b2BodyDef def;
  def.type = b2_dynamicBody;
  def.position.Set(static_cast<float>(state.position[0]), static_cast<float>(state.position[1]));
  def.angle = static_cast<float>(2 * std::atan2(state.rotation[3], state.rotation[0]));
  def.linearVelocity.Set(static_cast<float>(state.velocity[0]), static_cast<float>(state.velocity[1]));
  def.angularVelocity = static_cast<float>(state.spin[2]);
  set_number(def, number);
  b2Body *body = w.dynamics.CreateBody(&def);
  b2PolygonShape square;
  b2CircleShape disc;
  square.SetAsBox(half - b2_polygonRadius, half - b2_polygonRadius);
  disc.m_radius = half;
  b2FixtureDef fixture;
  fixture.shape = w.scene->shape == BENCH_DISC ? static_cast<b2Shape *>(&disc) : &square;
  fixture.friction = static_cast<float>(w.scene->friction); // Box2D takes the geometric mean
  fixture.density = 1;
  body->CreateFixture(&fixture);
  b2MassData mass = {static_cast<float>(w.scene->mass), b2Vec2(0, 0), static_cast<float>(w.scene->inertia)};
  body->SetMassData(&mass);
  w.bodies.push_back(body);
}

void *create(const bench_scene *scene, int) {
  auto w = std::make_unique<world>(scene);
  w->dynamics.SetAllowSleeping(false);
  for (int i = 0; i < scene->plane_count; i++) add_plane(*w, i);
  for (size_t k = 0; k < scene->count; k++) add_body(*w, static_cast<int>(k));
  return w.release();
}

int step(void *world_) {
  world &w = *static_cast<world *>(world_);
  w.dynamics.Step(static_cast<float>(w.scene->step), velocity_iterations, position_iterations);
  return 0;
}

void states(void *world_, bench_state *to) {
  world &w = *static_cast<world *>(world_);
  for (size_t k = 0; k < w.bodies.size(); k++) {
    const b2Body *body = w.bodies[k];
    double angle = body->GetAngle();
    to[k] = bench_state{};
    to[k].position[0] = body->GetPosition().x, to[k].position[1] = body->GetPosition().y;
    to[k].rotation[0] = std::cos(angle / 2), to[k].rotation[3] = std::sin(angle / 2);
    to[k].velocity[0] = body->GetLinearVelocity().x, to[k].velocity[1] = body->GetLinearVelocity().y;
    to[k].spin[2] = body->GetAngularVelocity();
  }
}

// Where a body was when the step wrote down its contacts.
b2Transform pose_before(const b2Fixture *fixture, const bench_state *before) {
  int number = number_of(fixture);
  if (number < 0) return const_cast<b2Fixture *>(fixture)->GetBody()->GetTransform();
  const bench_state &state = before[number];
  b2Vec2 position(static_cast<float>(state.position[0]), static_cast<float>(state.position[1]));
  return b2Transform(position, b2Rot(static_cast<float>(2 * std::atan2(state.rotation[3], state.rotation[0]))));
}

bench_contact read(const b2Contact *touch, const b2WorldManifold &places, int k, const bench_state *before) {
  const b2ManifoldPoint &point = touch->GetManifold()->points[k];
  int a = number_of(touch->GetFixtureA()), b = number_of(touch->GetFixtureB());
  double sign = -1; // Box2D's normal leads from A to B, its impulse acts on B
  if (a < 0) std::swap(a, b), sign = 1;
  double n[2] = {places.normal.x, places.normal.y}, x[2] = {places.points[k].x, places.points[k].y};
  double t[2] = {n[1], -n[0]};
  bench_contact contact{};
  contact.a = a, contact.b = b;
  for (int i = 0; i < 2; i++) {
    contact.normal[i] = sign * n[i];
    contact.impulse[i] = sign * (point.normalImpulse * n[i] + point.tangentImpulse * t[i]);
    contact.arm_a[i] = x[i] - before[a].position[i];
    if (b >= 0) contact.arm_b[i] = x[i] - before[b].position[i];
  }
  return contact;
}

size_t contacts(void *world_, const bench_state *before, size_t capacity, bench_contact *to) {
  world &w = *static_cast<world *>(world_);
  size_t count = 0;
  for (const b2Contact *touch = w.dynamics.GetContactList(); touch != nullptr; touch = touch->GetNext()) {
    if (!touch->IsTouching()) continue;
    b2WorldManifold places;
    places.Initialize(touch->GetManifold(), pose_before(touch->GetFixtureA(), before),
                      const_cast<b2Contact *>(touch)->GetFixtureA()->GetShape()->m_radius,
                      pose_before(touch->GetFixtureB(), before),
                      const_cast<b2Contact *>(touch)->GetFixtureB()->GetShape()->m_radius);
    for (int k = 0; k < touch->GetManifold()->pointCount; k++, count++)
      if (count < capacity) to[count] = read(touch, places, k, before);
  }
  return count;
}

void destroy(void *world_) { delete static_cast<world *>(world_); }

} // namespace

const bench_engine bench_engines[] = {
    {"box2d", "2.4, float32, 8 and 3 iterations (default)", create, step, states, contacts, nullptr, destroy},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}};
