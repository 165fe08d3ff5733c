// Siconos' mechanics: Moreau-Jean with theta = 1/2, Bullet's detection (single precision), NSGS at 1e-4 with at most 1000
// sweeps, keeping its impulses from step to step. Its frames of contact are not orthogonal where the normal is tilted and
// its largest component is along z; "siconos" has them repaired, "siconos-as-is" does not. No margins (its default of 0.1
// is as large as half a cube); cubes get their manifolds by perturbed detection (its default), balls, which touch in one
// point, do without. Its spins are those of the body's frame: turned into the world before and after a step they differ
// from what the impulses say by about 1e-3 of a step's weight.
#include "bodies.h"

#include <BulletR.hpp>
#include <RigidBodyDS.hpp>
#include <SiconosBulletCollisionManager.hpp>
#include <SiconosCollision.hpp>
#include <SiconosContactor.hpp>
#include <SiconosKernel.hpp>
#include <SiconosShape.hpp>
#include <SolverOptions.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <vector>

namespace {

constexpr int most_sweeps = 1000;
constexpr double a_long_time = 1e3; // s

// Remembers where it let its impulse act, and makes its frame orthonormal.
class relation : public BulletR {
public:
  bool repaired = true;
  double arm[2][3] = {};

  void computeJachqT(Interaction &interaction, SP::BlockVector q0) override {
    BulletR::computeJachqT(interaction, q0);
    for (unsigned k = 0; k < q0->numberOfBlocks(); k++)
      for (unsigned i = 0; i < 3; i++) arm[k][i] = (*_Pc1)(i) - (*q0->vector(k))(i);
    if (repaired) repair();
  }

private:
  // Rows are n, t1, t2 = n x t1, each times what depends on the bodies alone: with c = n.t1 and s = |t1 - c n| the rows of
  // the orthonormal frame are (t1 - c n)/s and t2/s.
  void repair() {
    SimpleMatrix &J = *_jachqT;
    double c = 0;
    for (unsigned j = 0; j < 3; j++) c += J(0, j) * J(1, j);
    double s = std::sqrt(1 - c * c);
    for (unsigned j = 0; j < J.size(1); j++) {
      J(1, j) = (J(1, j) - c * J(0, j)) / s;
      J(2, j) /= s;
    }
  }
};

class manager : public SiconosBulletCollisionManager {
public:
  bool repaired = true;
  explicit manager(const SiconosBulletOptions &options) : SiconosBulletCollisionManager(options) {}

protected:
  SP::BulletR makeBulletR(SP::RigidBodyDS, SP::SiconosShape, SP::RigidBodyDS, SP::SiconosShape,
                          const btManifoldPoint &) override {
    auto made = std::make_shared<relation>();
    made->repaired = repaired;
    return made;
  }
};

struct world {
  const bench_scene *scene;
  SP::NonSmoothDynamicalSystem system;
  SP::TimeStepping simulation;
  std::shared_ptr<manager> collisions;
  std::vector<SP::RigidBodyDS> bodies;
  std::map<size_t, int> number_of; // Siconos' number of a body -> ours
  bool started = false;
};

SP::SiconosVector vector(std::initializer_list<double> values) {
  SP::SiconosVector made(new SiconosVector(static_cast<unsigned>(values.size())));
  unsigned i = 0;
  for (double value : values) (*made)(i++) = value;
  return made;
}

// v' = q* v q with the quaternion w x y z: into the frame of the body (sign -1) or out of it.
void turn(const double *q, double sign, const double *v, double *to) {
  double x = sign * q[1], y = sign * q[2], z = sign * q[3], w = q[0];
  double t[3] = {2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])};
  to[0] = v[0] + w * t[0] + y * t[2] - z * t[1];
  to[1] = v[1] + w * t[1] + z * t[0] - x * t[2];
  to[2] = v[2] + w * t[2] + x * t[1] - y * t[0];
}

void add_body(world &w, const SP::SiconosShape &shape, int number) {
  const bench_scene &scene = *w.scene;
  const bench_state &s = scene.start[number];
  double spin[3];
  turn(s.rotation, -1, s.spin, spin);
  SP::SiconosVector q =
      vector({s.position[0], s.position[1], s.position[2], s.rotation[0], s.rotation[1], s.rotation[2], s.rotation[3]});
  SP::SiconosVector v = vector({s.velocity[0], s.velocity[1], s.velocity[2], spin[0], spin[1], spin[2]});
  SP::SimpleMatrix inertia(new SimpleMatrix(3, 3));
  inertia->eye();
  *inertia *= scene.inertia;
  SP::RigidBodyDS body(new RigidBodyDS(q, v, scene.mass, inertia));
  SP::SiconosContactorSet set(new SiconosContactorSet());
  set->append(SP::SiconosContactor(new SiconosContactor(shape)));
  body->setUseContactorInertia(false);
  body->setContactors(set);
  body->setFExtPtr(vector({0, 0, -scene.mass * scene.gravity}));
  w.system->insertDynamicalSystem(body);
  w.number_of[body->number()] = number;
  w.bodies.push_back(body);
}

// Siconos' plane is z <= 0; turned so that z becomes the normal.
void add_plane(world &w, const bench_plane &plane) {
  const double *n = plane.normal;
  double c = 1 + n[2], size = std::sqrt(c * c + n[0] * n[0] + n[1] * n[1]);
  SP::SiconosShape shape(new SiconosPlane());
  SP::SiconosContactorSet set(new SiconosContactorSet());
  shape->setInsideMargin(0);
  shape->setOutsideMargin(0);
  set->append(SP::SiconosContactor(new SiconosContactor(shape)));
  w.collisions->insertStaticContactorSet(set, vector({n[0] * plane.offset, n[1] * plane.offset, n[2] * plane.offset,
                                                      c / size, -n[1] / size, n[0] / size, 0}));
}

SP::OneStepNSProblem make_problem(const bench_scene &scene) {
  SP::FrictionContact problem(new FrictionContact(3, SICONOS_FRICTION_3D_NSGS));
  problem->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] = most_sweeps;
  problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = scene.tolerance;
  problem->setMaxSize(static_cast<int>(64 * scene.count + 1000));
  problem->setMStorageType(NM_SPARSE_BLOCK);
  problem->setNumericsVerboseMode(false);
  problem->setKeepLambdaAndYState(true);
  return problem;
}

void *create(const bench_scene *scene, bool repaired) {
  auto w = std::make_unique<world>();
  w->scene = scene;
  w->system.reset(new NonSmoothDynamicalSystem(0, a_long_time));
  SP::SiconosShape shape;
  if (scene->shape == BENCH_BALL)
    shape.reset(new SiconosSphere(static_cast<float>(scene->half)));
  else
    shape.reset(new SiconosBox(2 * scene->half, 2 * scene->half, 2 * scene->half));
  shape->setInsideMargin(0);
  shape->setOutsideMargin(0);
  for (size_t k = 0; k < scene->count; k++) add_body(*w, shape, static_cast<int>(k));
  SP::TimeDiscretisation nodes(new TimeDiscretisation(0, scene->step));
  w->simulation.reset(new TimeStepping(w->system, nodes));
  w->simulation->insertIntegrator(SP::OneStepIntegrator(new MoreauJeanOSI(0.5)));
  w->simulation->insertNonSmoothProblem(make_problem(*scene));
  w->simulation->setNewtonOptions(SICONOS_TS_LINEAR);
  SiconosBulletOptions options;
  if (scene->shape == BENCH_BALL) options.perturbationIterations = options.minimumPointsPerturbationThreshold = 0;
  w->collisions = std::make_shared<manager>(options);
  w->collisions->repaired = repaired;
  w->collisions->useEqualityConstraints(false);
  w->simulation->insertInteractionManager(w->collisions);
  for (int i = 0; i < scene->plane_count; i++) add_plane(*w, scene->planes[i]);
  w->collisions->insertNonSmoothLaw(SP::NonSmoothLaw(new NewtonImpactFrictionNSL(0, 0, scene->friction, 3)), 0, 0);
  return w.release();
}

void *create_guarded(const bench_scene *scene, bool repaired) {
  try {
    return create(scene, repaired);
  } catch (...) {
    Siconos::exception::process();
    return nullptr;
  }
}

void *create_repaired(const bench_scene *scene, int) { return create_guarded(scene, true); }
void *create_as_is(const bench_scene *scene, int) { return create_guarded(scene, false); }

int step(void *world_) {
  world &w = *static_cast<world *>(world_);
  try {
    if (w.started) w.simulation->nextStep(); // forgets the impulses of the step before
    w.started = true;
    if (!w.simulation->hasNextEvent()) return -1;
    w.simulation->computeOneStep();
  } catch (...) {
    Siconos::exception::process();
    return -1;
  }
  return 0;
}

void states(void *world_, bench_state *to) {
  world &w = *static_cast<world *>(world_);
  for (size_t k = 0; k < w.bodies.size(); k++) {
    const SiconosVector &q = *w.bodies[k]->q(), &v = *w.bodies[k]->twist();
    double spin[3];
    for (unsigned i = 0; i < 3; i++) to[k].position[i] = q(i), to[k].velocity[i] = v(i), spin[i] = v(3 + i);
    for (unsigned i = 0; i < 4; i++) to[k].rotation[i] = q(3 + i);
    turn(to[k].rotation, 1, spin, to[k].spin);
  }
}

// Rows of the matrix lead from the second body to the first; the impulse on the first is their sum.
bench_contact read(const relation &made, Interaction &interaction, int a, int b) {
  bench_contact contact{};
  const SimpleMatrix &J = *made.jachqT();
  const SiconosVector &r = *interaction.lambda(1);
  contact.a = a, contact.b = b;
  for (unsigned j = 0; j < 3; j++) {
    contact.normal[j] = J(0, j);
    for (unsigned i = 0; i < 3; i++) contact.impulse[j] += r(i) * J(i, j);
    contact.arm_a[j] = made.arm[0][j];
    if (b >= 0) contact.arm_b[j] = made.arm[1][j];
  }
  return contact;
}

size_t contacts(void *world_, const bench_state *, size_t capacity, bench_contact *to) {
  world &w = *static_cast<world *>(world_);
  SP::InteractionsGraph graph = w.simulation->indexSet(1);
  size_t count = 0;
  InteractionsGraph::VIterator at, end;
  for (std::tie(at, end) = graph->vertices(); at != end; ++at) {
    SP::Interaction interaction = graph->bundle(*at);
    auto made = std::dynamic_pointer_cast<relation>(interaction->relation());
    if (!made) continue;
    SP::DynamicalSystem first = graph->properties(*at).source, second = graph->properties(*at).target;
    int a = w.number_of.at(first->number());
    int b = second == first ? -1 : w.number_of.at(second->number());
    if (count < capacity) to[count] = read(*made, *interaction, a, b);
    count++;
  }
  return count;
}

void destroy(void *world_) { delete static_cast<world *>(world_); }

} // namespace

const bench_engine bench_engines[] = {{"siconos", "Moreau-Jean, NSGS 1e-4, at most 1000 sweeps, frames repaired",
                                       create_repaired, step, states, contacts, nullptr, destroy},
                                      {"siconos-as-is", "the same with its own frames of contact", create_as_is, step,
                                       states, contacts, nullptr, destroy},
                                      {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}};
