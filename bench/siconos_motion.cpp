// Siconos' TimeStepping with MoreauJeanOSI(1/2) and its EventDriven with LsodarOSI, both with LCP solvers: the examples
// of its own manual, for a column of masses.
#include "siconos_motion.h"

#include <SiconosKernel.hpp>

#include <algorithm>
#include <exception>
#include <limits>
#include <vector>

namespace {

using bodies = std::vector<SP::LagrangianLinearTIDS>;

SP::LagrangianLinearTIDS make_body(const bench_column &column, unsigned count, unsigned first) {
  SP::SiconosVector q(new SiconosVector(count)), v(new SiconosVector(count)), force(new SiconosVector(count));
  SP::SiconosMatrix mass(new SimpleMatrix(count, count));
  mass->eye();
  v->zero();
  for (unsigned i = 0; i < count; i++) {
    (*q)(i) = column.first + column.spread * (first + i);
    (*force)(i) = -column.gravity;
  }
  SP::LagrangianLinearTIDS body(new LagrangianLinearTIDS(q, v, mass));
  body->setFExtPtr(force);
  return body;
}

bodies make_bodies(const bench_column &column, bool separate) {
  bodies made;
  unsigned count = static_cast<unsigned>(column.count);
  if (!separate) made.push_back(make_body(column, count, 0));
  for (unsigned i = 0; separate && i < count; i++) made.push_back(make_body(column, 1, i));
  return made;
}

/* q_i - q_{i-1} >= 0 (q_0 >= 0 for the first). */
void add_contact(NonSmoothDynamicalSystem &system, const bench_column &column, const bodies &masses, unsigned i) {
  bool separate = masses.size() > 1 || column.count == 1;
  unsigned width = !separate ? static_cast<unsigned>(column.count) : i == 0 ? 1 : 2;
  SP::SimpleMatrix H(new SimpleMatrix(1, width));
  H->zero();
  (*H)(0, separate ? width - 1 : i) = 1;
  if (i > 0) (*H)(0, separate ? 0 : i - 1) = -1;
  SP::Relation relation(new LagrangianLinearTIR(H));
  SP::NonSmoothLaw law(new NewtonImpactNSL(column.restitution));
  SP::Interaction contact(new Interaction(law, relation));
  if (!separate)
    system.link(contact, masses[0]);
  else if (i == 0)
    system.link(contact, masses[0]);
  else
    system.link(contact, masses[i - 1], masses[i]);
}

double position(const bodies &masses, unsigned i) {
  return masses.size() > 1 ? (*masses[i]->q())(0) : (*masses[0]->q())(i);
}

double velocity(const bodies &masses, unsigned i) {
  return masses.size() > 1 ? (*masses[i]->velocity())(0) : (*masses[0]->velocity())(i);
}

SP::NonSmoothDynamicalSystem make_system(const bench_column &column, const bodies &masses) {
  SP::NonSmoothDynamicalSystem system(new NonSmoothDynamicalSystem(0, column.end));
  for (auto &body : masses) system->insertDynamicalSystem(body);
  for (unsigned i = 0; i < static_cast<unsigned>(column.count); i++) add_contact(*system, column, masses, i);
  return system;
}

/* State at the end of a run. */
void look(const bench_column &column, const bodies &masses, bench_motion_times &times) {
  times.penetration = times.energy = 0;
  for (unsigned i = 0; i < static_cast<unsigned>(column.count); i++) {
    double q = position(masses, i), v = velocity(masses, i);
    times.penetration = std::max(times.penetration, (i > 0 ? position(masses, i - 1) : 0) - q);
    times.energy += v * v / 2 + column.gravity * q;
  }
}

void run(const bench_column &column, bool separate, bench_motion_times &times) {
  bodies masses = make_bodies(column, separate);
  SP::NonSmoothDynamicalSystem system = make_system(column, masses);
  SP::MoreauJeanOSI scheme(new MoreauJeanOSI(0.5));
  SP::TimeDiscretisation nodes(new TimeDiscretisation(0, column.end / column.steps));
  SP::OneStepNSProblem problem(new LCP());
  SP::TimeStepping stepping(new TimeStepping(system, nodes, scheme, problem));
  stepping->initialize();
  double cpu = bench_seconds(CLOCK_PROCESS_CPUTIME_ID), wall = bench_seconds(CLOCK_MONOTONIC);
  for (int k = 0; k < column.steps && stepping->hasNextEvent(); k++) {
    stepping->computeOneStep();
    stepping->nextStep();
  }
  times.cpu = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  times.wall = bench_seconds(CLOCK_MONOTONIC) - wall;
  look(column, masses, times);
}

/* A shared library's tolerance for "closed" is a static of the class: every run sets it to the value that it starts
 * with. */
constexpr double closed_tolerance = 1e4 * std::numeric_limits<double>::epsilon();
constexpr int nonsmooth_event = 2;

void run_events(const bench_column &column, bool separate, double tolerance, int limit, bench_column_impacts &impacts,
                bench_motion_times &times) {
  bodies masses = make_bodies(column, separate);
  SP::NonSmoothDynamicalSystem system = make_system(column, masses);
  SP::LsodarOSI scheme(new LsodarOSI());
  SP::TimeDiscretisation nodes(new TimeDiscretisation(0, column.end));
  SP::EventDriven driven(new EventDriven(system, nodes));
  driven->insertIntegrator(scheme);
  driven->insertNonSmoothProblem(SP::OneStepNSProblem(new LCP()), SICONOS_OSNSP_ED_IMPACT);
  driven->insertNonSmoothProblem(SP::OneStepNSProblem(new LCP()), SICONOS_OSNSP_ED_SMOOTH_ACC);
  driven->initialize();
  if (tolerance > 0) scheme->setTol(1, tolerance, tolerance);
  driven->setToleranceED(std::max(closed_tolerance, tolerance * 10));
  impacts.count = 0;
  double cpu = bench_seconds(CLOCK_PROCESS_CPUTIME_ID), wall = bench_seconds(CLOCK_MONOTONIC);
  while (impacts.count < limit && driven->startingTime() < column.end && driven->hasNextEvent()) {
    driven->advanceToEvent();
    bool impact = driven->eventsManager()->nextEvent()->getType() == nonsmooth_event;
    driven->processEvents();
    if (!impact) continue;
    impacts.t[impacts.count] = driven->startingTime();
    for (unsigned i = 0; i < static_cast<unsigned>(column.count); i++)
      impacts.v[impacts.count][i] = velocity(masses, i);
    impacts.count++;
  }
  times.cpu = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  times.wall = bench_seconds(CLOCK_MONOTONIC) - wall;
  look(column, masses, times);
  impacts.energy = times.energy;
}

} // namespace

int bench_siconos_column(const bench_column *column, int separate, bench_motion_times *times) {
  try {
    run(*column, separate != 0, *times);
    return 0;
  } catch (const std::exception &) {
    return -1;
  }
}

int bench_siconos_events(const bench_column *column, int bodies, double tolerance, int limit,
                         bench_column_impacts *impacts, bench_motion_times *times) {
  try {
    run_events(*column, bodies != 0, tolerance, limit, *impacts, *times);
    return 0;
  } catch (const std::exception &) {
    return -1;
  }
}
