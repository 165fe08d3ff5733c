// Simbody: trees in generalised coordinates, loops closed by two point-in-plane constraints with projection; contacts of
// Hunt and Crossley and elastic stops. Integrators: Runge-Kutta-Merson and semi-explicit Euler with fixed steps.
#include "joints.h"

#include <Simbody.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

using namespace SimTK;

namespace {

// Young's modulus over (1 - nu^2) of the contact, N/m^2, such that the doll sinks in by about a millimetre; dissipation, s/m.
const double stiffness = 1e7, dissipation = 2, slip_speed = 0.01;
const double stop_stiffness = 1e4, stop_dissipation = 0.5;
const double constraint_tolerance = 1e-8;

struct World {
  const bench_mechanism *mechanism;
  double step, time = 0;
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  GeneralContactSubsystem contacts{system};
  std::vector<MobilizedBody> bodies;
  MobilizedBody &body(int number) { return bodies[static_cast<size_t>(number)]; }
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<TimeStepper> stepper;
};

Vec3 vector_of(const double *v) { return Vec3(v[0], v[1], v[2]); }

Transform start_of(const bench_link &link) {
  const double *q = link.start.rotation;
  return Transform(Rotation(Quaternion(q[0], q[1], q[2], q[3])), vector_of(link.start.position));
}

const bench_pin *joint_of(const bench_mechanism &m, int body) {
  for (int k = 0; k < m.pin_count; k++)
    if (m.pins[k].a == body) return &m.pins[k];
  return nullptr;
}

// Both ends of a capsule, each in a set of its own with the floor: bodies of the mechanism do not touch each other.
void touch_floor(World &w, MobilizedBody &body, const bench_link &link) {
  double mu = w.mechanism->friction;
  for (int end = -1; end <= 1; end += 2) {
    ContactSetIndex set = w.contacts.createContactSet();
    w.contacts.addBody(set, body, ContactGeometry::Sphere(link.radius), Transform(Vec3(0, 0, end * link.half)));
    w.contacts.addBody(set, w.matter.Ground(), ContactGeometry::HalfSpace(),
                       Transform(Rotation(-0.5 * Pi, ZAxis), Vec3(0))); // its inside is at x > 0
    HuntCrossleyForce force(w.forces, w.contacts, set);
    for (int k = 0; k < 2; k++)
      force.setBodyParameters(ContactSurfaceIndex(k), stiffness, dissipation, mu, mu, 0);
    force.setTransitionVelocity(slip_speed);
  }
}

// Frames of the joint in parent and body coincide at the start; z is the axis.
void add_link(World &w, int number) {
  const bench_mechanism &m = *w.mechanism;
  const bench_link &link = m.links[number];
  const bench_pin *pin = joint_of(m, number);
  Body::Rigid body(MassProperties(link.mass, Vec3(0), Inertia(vector_of(link.inertia))));
  if (pin == nullptr) {
    w.bodies.push_back(MobilizedBody::Free(w.matter.Ground(), Transform(), body, Transform()));
  } else {
    MobilizedBody parent = pin->b >= 0 ? w.body(pin->b) : MobilizedBody(w.matter.Ground());
    Transform joint(Rotation(UnitVec3(vector_of(pin->axis)), ZAxis), vector_of(pin->point));
    Transform of_parent = pin->b >= 0 ? start_of(m.links[pin->b]) : Transform();
    Transform in_parent = ~of_parent * joint, in_body = ~start_of(link) * joint;
    if (pin->kind == BENCH_PIN_HINGE)
      w.bodies.push_back(MobilizedBody::Pin(parent, in_parent, body, in_body));
    else
      w.bodies.push_back(MobilizedBody::Ball(parent, in_parent, body, in_body));
  }
  if (pin != nullptr && pin->limited)
    Force::MobilityLinearStop(w.forces, w.bodies.back(), MobilizerQIndex(0), stop_stiffness, stop_dissipation,
                              pin->limit[0], pin->limit[1]);
  if (m.floor && link.radius > 0) touch_floor(w, w.bodies.back(), link);
}

void close_loop(World &w, const bench_pin &pin) {
  const bench_mechanism &m = *w.mechanism;
  Transform a = start_of(m.links[pin.a]), b = start_of(m.links[pin.b]);
  Vec3 follower = ~a * vector_of(pin.point), place = ~b * vector_of(pin.point);
  for (int i = 0; i < 2; i++) {
    UnitVec3 normal = ~b.R() * UnitVec3(CoordinateAxis(i));
    Constraint::PointInPlane(w.body(pin.b), normal, dot(normal, place), w.body(pin.a), follower);
  }
}

void set_start(World &w, State &state) {
  const bench_mechanism &m = *w.mechanism;
  for (int i = 0; i < m.count; i++)
    if (joint_of(m, i) == nullptr) w.body(i).setQToFitTransform(state, start_of(m.links[i]));
  w.system.realize(state, Stage::Position);
  for (int i = 0; i < m.count; i++) {
    const bench_pin *pin = joint_of(m, i);
    const bench_state &start = m.links[i].start;
    Vec3 spin = vector_of(start.spin);
    if (pin == nullptr) {
      w.body(i).setUToFitVelocity(state, SpatialVec(spin, vector_of(start.velocity)));
      continue;
    }
    Rotation joint(UnitVec3(vector_of(pin->axis)), ZAxis);
    if (pin->b >= 0) spin -= vector_of(m.links[pin->b].start.spin);
    w.body(i).setUToFitAngularVelocity(state, ~joint * spin);
  }
}

void *create_with(const bench_mechanism *mechanism, double step, bool merson) {
  try {
    auto w = std::make_unique<World>();
    w->mechanism = mechanism, w->step = step;
    Force::Gravity(w->forces, w->matter, Vec3(0, -mechanism->gravity, 0));
    for (int i = 0; i < mechanism->count; i++) add_link(*w, i);
    for (int k = 0; k < mechanism->pin_count; k++)
      if (&mechanism->pins[k] != joint_of(*mechanism, mechanism->pins[k].a)) close_loop(*w, mechanism->pins[k]);
    State state = w->system.realizeTopology();
    w->system.realizeModel(state);
    set_start(*w, state);
    if (merson)
      w->integrator = std::make_unique<RungeKuttaMersonIntegrator>(w->system);
    else
      w->integrator = std::make_unique<SemiExplicitEulerIntegrator>(w->system, step);
    if (merson) w->integrator->setFixedStepSize(step);
    w->integrator->setConstraintTolerance(constraint_tolerance);
    w->integrator->setAllowInterpolation(false);
    w->stepper = std::make_unique<TimeStepper>(w->system, *w->integrator);
    w->stepper->initialize(state);
    return w.release();
  } catch (const std::exception &error) {
    std::fprintf(stderr, "bench-joints: simbody: %s\n", error.what());
    return nullptr;
  }
}
void *create_merson(const bench_mechanism *m, double step) { return create_with(m, step, true); }
void *create_euler(const bench_mechanism *m, double step) { return create_with(m, step, false); }

int step(void *given) {
  World &w = *static_cast<World *>(given);
  try {
    w.time += w.step;
    w.stepper->stepTo(w.time);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "bench-joints: simbody: %s\n", error.what());
    return -1;
  }
}

void states(void *given, bench_state *to) {
  World &w = *static_cast<World *>(given);
  const State &state = w.stepper->getState();
  w.system.realize(state, Stage::Velocity);
  for (int i = 0; i < w.mechanism->count; i++) {
    const Transform &pose = w.body(i).getBodyTransform(state);
    const SpatialVec &velocity = w.body(i).getBodyVelocity(state);
    const Quaternion turn = pose.R().convertRotationToQuaternion();
    for (int k = 0; k < 4; k++) to[i].rotation[k] = turn[k];
    for (int k = 0; k < 3; k++) {
      to[i].position[k] = pose.p()[k];
      to[i].spin[k] = velocity[0][k];
      to[i].velocity[k] = velocity[1][k];
    }
  }
}

void destroy(void *given) { delete static_cast<World *>(given); }

} // namespace

extern "C" const bench_joint_engine bench_joint_engines[] = {
    {"simbody", "Runge-Kutta-Merson, fixed steps", create_merson, step, states, destroy},
    {"simbody-euler", "semi-explicit Euler", create_euler, step, states, destroy},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}};
