/* Judge and reference share no code with any engine. Reference: minimal coordinates, joint forces of the chain from one
 * block-tridiagonal system, classical Runge-Kutta. */
#include "joints.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- judge --------------------------------------------------------------------------------------------------------------- */

/* v + 2 q_v x (q_v x v + w v), q = (w, q_v) a unit quaternion. */
static void rotate(const double *q, const double *v, double *to) {
  double u[3];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    u[i] = q[1 + j] * v[k] - q[1 + k] * v[j] + q[0] * v[i];
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    to[i] = v[i] + 2 * (q[1 + j] * u[k] - q[1 + k] * u[j]);
  }
}

static void conjugate(const double *q, double *to) {
  to[0] = q[0];
  for (int i = 1; i < 4; i++) to[i] = -q[i];
}

static void multiply(const double *p, const double *q, double *to) {
  double r[4] = {
      p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
      p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
  memcpy(to, r, sizeof r);
}

/* Where the joint's point of a body is now, and how fast. */
static void follow(const bench_link *link, const bench_state *now, const double *point, double *place,
                   double *velocity) {
  double back[4], arm[3], local[3], turned[3];
  conjugate(link->start.rotation, back);
  for (int i = 0; i < 3; i++) arm[i] = point[i] - link->start.position[i];
  rotate(back, arm, local);
  rotate(now->rotation, local, turned);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    place[i] = now->position[i] + turned[i];
    velocity[i] = now->velocity[i] + now->spin[j] * turned[k] - now->spin[k] * turned[j];
  }
}

/* What a body has turned since the start, in the world's axes of the start: R_0^-1 R in the frame, taken to the world. */
static void turn_of(const bench_link *link, const bench_state *now, double *turn) {
  double back[4], r[4];
  conjugate(link->start.rotation, back);
  multiply(now->rotation, back, r); /* R R_0^-1: acts on the world's axes of the start */
  memcpy(turn, r, sizeof r);
}

/* Angle of a beside b about the axis. */
static double angle_of(const bench_mechanism *m, const bench_pin *pin, const bench_state *states) {
  double a[4], b[4] = {1, 0, 0, 0}, back[4], relative[4];
  turn_of(&m->links[pin->a], &states[pin->a], a);
  if (pin->b >= 0) turn_of(&m->links[pin->b], &states[pin->b], b);
  conjugate(b, back);
  multiply(back, a, relative);
  double along = 0;
  for (int i = 0; i < 3; i++) along += relative[1 + i] * pin->axis[i];
  return 2 * atan(along / relative[0]);
}

static void judge_pin(const bench_mechanism *m, const bench_pin *pin, const bench_state *states,
                      bench_joints_verdict *to) {
  double place_a[3], place_b[3], velocity_a[3], velocity_b[3] = {0}, gap = 0, slip = 0;
  follow(&m->links[pin->a], &states[pin->a], pin->point, place_a, velocity_a);
  if (pin->b >= 0)
    follow(&m->links[pin->b], &states[pin->b], pin->point, place_b, velocity_b);
  else
    memcpy(place_b, pin->point, sizeof place_b);
  for (int i = 0; i < 3; i++) {
    gap += (place_a[i] - place_b[i]) * (place_a[i] - place_b[i]);
    slip += (velocity_a[i] - velocity_b[i]) * (velocity_a[i] - velocity_b[i]);
  }
  to->gap = fmax(to->gap, sqrt(gap));
  to->slip = fmax(to->slip, sqrt(slip));
  if (!pin->limited) return;
  double angle = angle_of(m, pin, states);
  to->beyond = fmax(to->beyond, fmax(angle - pin->limit[1], pin->limit[0] - angle));
}

static void judge_link(const bench_mechanism *m, const bench_link *link, const bench_state *now,
                       bench_joints_verdict *to) {
  const double z[3] = {0, 0, 1};
  double back[4], w[3], axis[3];
  conjugate(now->rotation, back);
  rotate(back, now->spin, w);
  for (int i = 0; i < 3; i++)
    to->energy += 0.5 * (link->mass * now->velocity[i] * now->velocity[i] + link->inertia[i] * w[i] * w[i]);
  to->energy += link->mass * m->gravity * now->position[1];
  if (!m->floor || link->radius == 0) return;
  rotate(now->rotation, z, axis);
  to->sunk = fmax(to->sunk, link->radius + link->half * fabs(axis[1]) - now->position[1]);
}

void bench_joints_judge(const bench_mechanism *m, const bench_state *states, bench_joints_verdict *to) {
  memset(to, 0, sizeof *to);
  for (int i = 0; i < m->count; i++) judge_link(m, &m->links[i], &states[i], to);
  for (int k = 0; k < m->pin_count; k++) judge_pin(m, &m->pins[k], states, to);
}

/* ---- reference ----------------------------------------------------------------------------------------------------------- */

/* A chain from the origin: angles from down, then rates, [2 n]. u = (sin, -cos) along a rod, t = (cos, sin) across. With F_i the
 * force on rod i at its upper joint, m a_i = m g + F_i - F_i+1 and I alpha_i = -(l/2) t_i . (F_i + F_i+1); that the ends of
 * neighbours have one acceleration is a symmetric block-tridiagonal system of 2 x 2 blocks in F. */
typedef struct chain {
  int count, joints; /* joints: one more with a load */
  double length, mass, load, gravity;
  double *diagonal, *below, *force; /* [joints*4], [joints*4], [joints*2] */
} chain;

/* to += factor t t^T + shift 1, row-major 2 x 2 */
static void add_block(double *to, double shift, double factor, const double *t) {
  to[0] += shift + factor * t[0] * t[0], to[1] += factor * t[0] * t[1];
  to[2] += factor * t[0] * t[1], to[3] += shift + factor * t[1] * t[1];
}

static void write_equations(const chain *c, const double *state) {
  int n = c->count;
  double k = 3 / c->mass, half = 0.5 * c->length;
  memset(c->diagonal, 0, (size_t)c->joints * 4 * sizeof(double));
  memset(c->below, 0, (size_t)c->joints * 4 * sizeof(double));
  memset(c->force, 0, (size_t)c->joints * 2 * sizeof(double));
  c->force[1] = c->gravity;
  for (int i = 0; i < n; i++) {
    double t[2] = {cos(state[i]), sin(state[i])}, w = state[n + i] * state[n + i];
    double pull[2] = {half * w * t[1], -half * w * t[0]};
    add_block(&c->diagonal[4 * i], 1 / c->mass, k, t);
    for (int x = 0; x < 2; x++) c->force[2 * i + x] -= pull[x];
    if (i + 1 == c->joints) break;
    add_block(&c->diagonal[4 * (i + 1)], 1 / c->mass, k, t);
    add_block(&c->below[4 * (i + 1)], -1 / c->mass, k, t);
    for (int x = 0; x < 2; x++) c->force[2 * (i + 1) + x] -= pull[x];
  }
  if (c->load > 0) add_block(&c->diagonal[4 * n], 1 / c->load, 0, (double[2]){0, 0});
}

/* Block elimination; the matrix is positive definite. */
static void solve_forces(const chain *c) {
  for (int i = 0; i < c->joints; i++) {
    double *d = &c->diagonal[4 * i], *f = &c->force[2 * i];
    if (i > 0) {
      const double *b = &c->below[4 * i], *inverse = d - 4, *g = f - 2;
      double p[4];
      for (int r = 0; r < 2; r++)
        for (int s = 0; s < 2; s++) p[2 * r + s] = b[2 * r] * inverse[s] + b[2 * r + 1] * inverse[2 + s];
      for (int r = 0; r < 2; r++) {
        for (int s = 0; s < 2; s++) d[2 * r + s] -= p[2 * r] * b[2 * s] + p[2 * r + 1] * b[2 * s + 1];
        f[r] -= p[2 * r] * g[0] + p[2 * r + 1] * g[1];
      }
    }
    double det = d[0] * d[3] - d[1] * d[2], keep = d[0];
    d[0] = d[3] / det, d[3] = keep / det, d[1] /= -det, d[2] /= -det;
  }
  for (int i = c->joints - 1; i >= 0; i--) {
    const double *d = &c->diagonal[4 * i];
    double *f = &c->force[2 * i], r[2] = {f[0], f[1]};
    if (i + 1 < c->joints)
      for (int x = 0; x < 2; x++) r[x] -= c->below[4 * (i + 1) + x] * f[2] + c->below[4 * (i + 1) + 2 + x] * f[3];
    f[0] = d[0] * r[0] + d[1] * r[1], f[1] = d[2] * r[0] + d[3] * r[1];
  }
}

static void chain_rates(void *given, const double *state, double *rates) {
  const chain *c = given;
  int n = c->count;
  write_equations(c, state);
  solve_forces(c);
  for (int i = 0; i < n; i++) {
    double t[2] = {cos(state[i]), sin(state[i])}, sum = 0;
    for (int x = 0; x < 2; x++) sum += t[x] * (c->force[2 * i + x] + (i + 1 < c->joints ? c->force[2 * i + 2 + x] : 0));
    rates[i] = state[n + i];
    rates[n + i] = -6 / (c->mass * c->length) * sum;
  }
}

/* N-four-bar: ((N+1)/3 + N) th'' = ((N+1)/2 + N) g sin th, th from upright. */
static void squares_rates(void *given, const double *state, double *rates) {
  const bench_mechanism *m = given;
  double n = m->size;
  rates[0] = state[1];
  rates[1] = ((n + 1) / 2 + n) / ((n + 1) / 3 + n) * m->gravity * sin(state[0]);
}

static void integrate(void (*f)(void *given, const double *state, double *rates), void *given, int count, double end,
                      int steps, double *state, double *work) {
  double h = end / steps, *at = work, *k = work + count, *sum = work + 2 * count;
  static const double node[] = {0.5, 0.5, 1, 0}, weight[] = {1, 2, 2, 1};
  for (int s = 0; s < steps; s++) {
    memcpy(at, state, (size_t)count * sizeof *at);
    memset(sum, 0, (size_t)count * sizeof *sum);
    for (int stage = 0; stage < 4; stage++) {
      f(given, at, k);
      for (int i = 0; i < count; i++) {
        sum[i] += weight[stage] * k[i];
        at[i] = state[i] + h * node[stage] * k[i];
      }
    }
    for (int i = 0; i < count; i++) state[i] += h / 6 * sum[i];
  }
}

static void place_chain(const bench_mechanism *m, const chain *c, const double *state, double (*places)[2]) {
  double x = 0, y = 0, half = 0.5 * c->length;
  for (int i = 0; i < c->count; i++) {
    places[i][0] = x + half * sin(state[i]), places[i][1] = y - half * cos(state[i]);
    x += 2 * half * sin(state[i]), y -= 2 * half * cos(state[i]);
  }
  if (m->count > c->count) places[c->count][0] = x, places[c->count][1] = y;
}

static int solve_chain(const bench_mechanism *m, int steps, double (*places)[2]) {
  int n = m->size, loaded = m->count > n;
  chain c = {.count = n,
             .joints = n + loaded,
             .length = 1.0 / n,
             .mass = m->links[0].mass,
             .load = loaded ? m->links[n].mass : 0,
             .gravity = m->gravity};
  double *memory = calloc((size_t)(8 * n + 10 * c.joints), sizeof *memory), *state = memory;
  if (memory == NULL) return -1;
  c.diagonal = memory + 8 * n, c.below = c.diagonal + 4 * c.joints, c.force = c.below + 4 * c.joints;
  for (int i = 0; i < n; i++) state[i] = atan2(m->links[0].start.position[0], -m->links[0].start.position[1]);
  integrate(chain_rates, &c, 2 * n, m->end, steps, state, memory + 2 * n);
  place_chain(m, &c, state, places);
  free(memory);
  return 0;
}

static int solve_squares(const bench_mechanism *m, int steps, double (*places)[2]) {
  double state[2] = {0, 1}, work[6];
  bench_mechanism copy = *m;
  integrate(squares_rates, &copy, 2, m->end, steps, state, work);
  for (int i = 0; i <= m->size; i++) places[i][0] = i + 0.5 * sin(state[0]), places[i][1] = 0.5 * cos(state[0]);
  for (int i = 0; i < m->size; i++)
    places[m->size + 1 + i][0] = i + 0.5 + sin(state[0]), places[m->size + 1 + i][1] = cos(state[0]);
  return 0;
}

int bench_joints_reference(const bench_mechanism *m, double (*places)[2], double *error) {
  int (*solve)(const bench_mechanism *, int, double(*)[2]) = strstr(m->name, "chain") != NULL    ? solve_chain
                                                             : strcmp(m->name, "four-bars") == 0 ? solve_squares
                                                                                                 : NULL;
  int steps = (int)ceil(m->end / 4e-5);
  double(*coarse)[2] = calloc((size_t)m->count, sizeof *coarse);
  *error = 0;
  if (solve == NULL || coarse == NULL || solve(m, steps, coarse) != 0 || solve(m, 2 * steps, places) != 0)
    return free(coarse), -1;
  for (int i = 0; i < m->count; i++)
    *error = fmax(*error, hypot(places[i][0] - coarse[i][0], places[i][1] - coarse[i][1]));
  free(coarse);
  return 0;
}

/* ---- test ---------------------------------------------------------------------------------------------------------------- */

static int differs(const char *what, double is, double expected, double tolerance) {
  if (fabs(is - expected) <= tolerance) return 0;
  fprintf(stderr, "bench-joints: %s is %.10g instead of %.10g\n", what, is, expected);
  return 1;
}

/* Tip of twenty level rods after 0.25 s, and the angle of two squares after 10 s (elliptic functions), to the digits that are
 * published. */
static int test_reference(void) {
  bench_mechanism m;
  double places[20][2], error, x = 0, y = 0;
  int wrong = 0;
  if (bench_mechanism_make(&m, "chain", 20) != 0) return 1;
  m.end = 0.25;
  wrong += bench_joints_reference(&m, places, &error) != 0;
  for (int i = 0; i < 20; i++) x = 2 * places[i][0] - x, y = 2 * places[i][1] - y;
  wrong += differs("x of the chain's tip", x, 0.87731475, 1e-8) + differs("y of it", y, -0.30656324, 1e-8);
  bench_mechanism_free(&m);
  if (bench_mechanism_make(&m, "four-bars", 2) != 0) return 1;
  m.end = 10;
  wrong += bench_joints_reference(&m, places, &error) != 0;
  wrong += differs("x of a post", places[0][0], 0.5 * sin(31.75059719), 1e-8);
  bench_mechanism_free(&m);
  return wrong;
}

/* One knee of the doll bent by -0.3 about its axis, and its foot taken 3 mm away. */
static int test_judge(void) {
  bench_mechanism m;
  bench_joints_verdict v;
  bench_state states[13];
  int wrong = 0;
  if (bench_mechanism_make(&m, "ragdoll", 13) != 0) return 1;
  for (int i = 0; i < m.count; i++) states[i] = m.links[i].start;
  bench_joints_judge(&m, states, &v);
  wrong += differs("gap at the start", v.gap, 0, 1e-15) + differs("slip at the start", v.slip, 0, 1e-14) +
           differs("angle at the start", v.beyond, 0, 1e-15);
  double bend[4] = {cos(0.4), 0, 0, sin(0.4)}, turned[4];
  multiply(bend, states[9].rotation, turned);
  memcpy(states[9].rotation, turned,
         sizeof turned); /* 0.8 with a limit at 0.5, about its centre instead of the ankle */
  bench_joints_judge(&m, states, &v);
  wrong += differs("angle beyond a limit", v.beyond, 0.3, 1e-12);
  wrong += differs("gap of a turned foot", v.gap, 2 * sin(0.4) * hypot(0.05, 0.02), 1e-12);
  states[9] = m.links[9].start;
  states[9].position[1] = 0.03;
  bench_joints_judge(&m, states, &v);
  wrong += differs("depth below the floor", v.sunk, 0.01, 1e-15);
  bench_mechanism_free(&m);
  return wrong;
}

int bench_joints_judge_test(void) { return test_reference() + test_judge(); }
