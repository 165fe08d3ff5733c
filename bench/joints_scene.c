#include "joints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int reserve(bench_mechanism *m, int count, int pin_count) {
  m->links = calloc((size_t)count, sizeof *m->links);
  m->pins = calloc((size_t)pin_count, sizeof *m->pins);
  if (m->links != NULL && m->pins != NULL) return 0;
  bench_mechanism_free(m);
  return -1;
}

void bench_mechanism_free(bench_mechanism *m) {
  free(m->links);
  free(m->pins);
  memset(m, 0, sizeof *m);
}

/* A thin rod in the plane from (x, y), at an angle from level; its frame's x along it. */
static bench_link *add_rod(bench_mechanism *m, double x, double y, double angle, double length, double mass) {
  bench_link *rod = &m->links[m->count++];
  double across = mass * length * length / 12;
  rod->mass = mass;
  rod->inertia[0] = 0.01 * across, rod->inertia[1] = rod->inertia[2] = across;
  rod->start.position[0] = x + 0.5 * length * cos(angle), rod->start.position[1] = y + 0.5 * length * sin(angle);
  rod->start.rotation[0] = cos(0.5 * angle), rod->start.rotation[3] = sin(0.5 * angle);
  return rod;
}

static void add_hinge(bench_mechanism *m, int a, int b, double x, double y) {
  m->pins[m->pin_count++] = (bench_pin){.kind = BENCH_PIN_HINGE, .a = a, .b = b, .point = {x, y, 0}, .axis = {0, 0, 1}};
}

static void add_chain(bench_mechanism *m, double angle, double mass) {
  double length = 1.0 / m->size, c = cos(angle), s = sin(angle);
  int n = m->size;
  for (int i = 0; i < n; i++) {
    add_rod(m, i * length * c, i * length * s, angle, length, mass);
    add_hinge(m, i, i - 1, i * length * c, i * length * s);
  }
}

static int make_chain(bench_mechanism *m) {
  if (reserve(m, m->size, m->size) != 0) return -1;
  m->flat = 1, m->end = 0.4;
  add_chain(m, 0, 1.0 / m->size);
  return 0;
}

static int make_loaded_chain(bench_mechanism *m) {
  const double down = -atan(1) * 4 / 3, mass = 0.01, load = 10, inertia = 0.0125;
  if (reserve(m, m->size + 1, m->size + 1) != 0) return -1;
  m->flat = 1, m->end = 0.5;
  add_chain(m, down, mass);
  bench_link *weight = &m->links[m->count++];
  *weight = (bench_link){.mass = load, .inertia = {inertia, inertia, inertia}};
  weight->start.position[0] = cos(down), weight->start.position[1] = sin(down);
  weight->start.rotation[0] = 1;
  add_hinge(m, m->count - 1, m->count - 2, cos(down), sin(down));
  return 0;
}

/* N-four-bar of the IFToMM benchmarks (A02): uprights hinged to the ground at distances of 1, level rods on them; rods of 1 m
 * and 1 kg, pushed at 1 m/s at the top. Uprights come first, then each level rod with its two hinges. */
static int make_four_bars(bench_mechanism *m) {
  const double upright = 2 * atan(1);
  int n = m->size;
  if (reserve(m, 2 * n + 1, 3 * n + 1) != 0) return -1;
  m->flat = 1, m->end = 2;
  for (int i = 0; i <= n; i++) {
    bench_link *post = add_rod(m, i, 0, upright, 1, 1);
    post->start.velocity[0] = 0.5, post->start.spin[2] = -1;
    add_hinge(m, i, -1, i, 0);
  }
  for (int i = 0; i < n; i++) {
    bench_link *beam = add_rod(m, i, 1, 0, 1, 1);
    beam->start.velocity[0] = 1;
    add_hinge(m, n + 1 + i, i, i, 1);
    add_hinge(m, n + 1 + i, i + 1, i + 1, 1);
  }
  return 0;
}

/* ---- a doll -------------------------------------------------------------------------------------------------------------- */

/* A capsule from one end of its segment to the other, upright or level across (x). */
typedef struct bone {
  double centre[3]; /* from the middle of the hips */
  double half, radius, mass;
  int forward; /* along x instead of y */
  int parent;
  double joint[3];
  int hinge; /* about z */
  double limit[2];
} bone;

static const bone bones[] = {
    {{0, 0, 0}, 0.06, 0.11, 11, 0, -1, {0}, 0, {0}},
    {{0, 0.34, 0}, 0.13, 0.12, 22, 0, 0, {0, 0.14, 0}, 0, {0}},
    {{0, 0.72, 0}, 0.05, 0.09, 5, 0, 1, {0, 0.58, 0}, 0, {0}},
    {{0, 0.36, 0.2}, 0.12, 0.045, 2, 0, 1, {0, 0.5, 0.2}, 0, {0}},
    {{0, 0.08, 0.2}, 0.12, 0.04, 1.5, 0, 3, {0, 0.22, 0.2}, 1, {0, 2.4}},
    {{0, 0.36, -0.2}, 0.12, 0.045, 2, 0, 1, {0, 0.5, -0.2}, 0, {0}},
    {{0, 0.08, -0.2}, 0.12, 0.04, 1.5, 0, 5, {0, 0.22, -0.2}, 1, {0, 2.4}},
    {{0, -0.32, 0.1}, 0.17, 0.07, 8, 0, 0, {0, -0.1, 0.1}, 0, {0}},
    {{0, -0.74, 0.1}, 0.16, 0.05, 3.5, 0, 7, {0, -0.54, 0.1}, 1, {-2.4, 0}},
    {{0.05, -0.97, 0.1}, 0.08, 0.04, 1, 1, 8, {0, -0.95, 0.1}, 1, {-0.5, 0.5}},
    {{0, -0.32, -0.1}, 0.17, 0.07, 8, 0, 0, {0, -0.1, -0.1}, 0, {0}},
    {{0, -0.74, -0.1}, 0.16, 0.05, 3.5, 0, 10, {0, -0.54, -0.1}, 1, {-2.4, 0}},
    {{0.05, -0.97, -0.1}, 0.08, 0.04, 1, 1, 11, {0, -0.95, -0.1}, 1, {-0.5, 0.5}},
};
enum { BONES = sizeof bones / sizeof *bones };

/* Inertia as of a cylinder as long as the capsule; z along it. */
static void set_bone(bench_link *link, const bone *b, const double *spin, double height) {
  double length = 2 * (b->half + b->radius), q = sqrt(0.5);
  *link = (bench_link){.mass = b->mass, .radius = b->radius, .half = b->half};
  link->inertia[0] = link->inertia[1] = b->mass * (3 * b->radius * b->radius + length * length) / 12;
  link->inertia[2] = 0.5 * b->mass * b->radius * b->radius;
  memcpy(link->start.position, b->centre, sizeof b->centre);
  link->start.position[1] += height;
  link->start.rotation[0] = q, link->start.rotation[b->forward ? 2 : 1] = b->forward ? q : -q; /* z to x, z to y */
  memcpy(link->start.spin, spin, sizeof link->start.spin);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    link->start.velocity[i] = spin[j] * b->centre[k] - spin[k] * b->centre[j];
  }
}

static int make_ragdoll(bench_mechanism *m) {
  const double spin[3] = {0.7, 1.1, -1.6}, height = 2.1;
  if (reserve(m, BONES, BONES) != 0) return -1;
  m->end = 3, m->settle = 0.4, m->floor = 1, m->friction = 0.5;
  for (int i = 0; i < BONES; i++) {
    const bone *b = &bones[i];
    set_bone(&m->links[m->count++], b, spin, height);
    if (b->parent < 0) continue;
    m->pins[m->pin_count++] = (bench_pin){.kind = b->hinge ? BENCH_PIN_HINGE : BENCH_PIN_BALL,
                                          .a = i,
                                          .b = b->parent,
                                          .point = {b->joint[0], b->joint[1] + height, b->joint[2]},
                                          .axis = {0, 0, 1},
                                          .limited = b->hinge,
                                          .limit = {b->limit[0], b->limit[1]}};
  }
  return 0;
}

int bench_mechanism_make(bench_mechanism *m, const char *name, int size) {
  static const struct {
    const char *name;
    int (*make)(bench_mechanism *m);
  } makers[] = {{"chain", make_chain},
                {"loaded-chain", make_loaded_chain},
                {"four-bars", make_four_bars},
                {"ragdoll", make_ragdoll}};
  for (size_t k = 0; k < sizeof makers / sizeof *makers; k++)
    if (strcmp(makers[k].name, name) == 0) {
      *m = (bench_mechanism){.name = makers[k].name, .size = size, .gravity = 9.81};
      return makers[k].make(m);
    }
  return -1;
}
