/* The scenes that all engines get. */
#include "bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PYRAMID = 100 }; /* not a shape */

static const double radius = 0.1, density = 1000, clearance = 0.01;

/* A small generator of its own (splitmix64): the same scene on every machine. */
static double between(uint64_t *seed, double low, double high) {
  uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void set_mass(bench_scene *scene) {
  double r = radius, edge = 2 * radius;
  switch (scene->shape) {
  case BENCH_BALL:
    scene->mass = density * 4 / 3 * acos(-1) * r * r * r;
    scene->inertia = 0.4 * scene->mass * r * r;
    break;
  case BENCH_CUBE:
    scene->mass = density * edge * edge * edge;
    scene->inertia = scene->mass * edge * edge / 6;
    break;
  case BENCH_DISC:
    scene->mass = density * acos(-1) * r * r;
    scene->inertia = 0.5 * scene->mass * r * r;
    break;
  case BENCH_SQUARE:
    scene->mass = density * edge * edge;
    scene->inertia = scene->mass * edge * edge / 6;
    break;
  }
}

static void add_plane(bench_scene *scene, int axis, double sign, double offset) {
  bench_plane *plane = &scene->planes[scene->plane_count++];
  memset(plane, 0, sizeof *plane);
  plane->normal[axis] = sign;
  plane->offset = offset;
}

/* Turned about the upright axis (in the plane: about z). */
static void turn(bench_state *state, double angle) {
  state->rotation[0] = cos(angle / 2);
  state->rotation[3] = sin(angle / 2);
}

/* side x side columns (in the plane side columns) inside walls; a clearance between all. Cubes and squares are turned by so
 * little that they stay apart. */
static void fill_grid(bench_scene *scene, int touching) {
  int flat = scene->planar, up = flat ? 1 : 2;
  size_t side = (size_t)ceil((flat ? sqrt : cbrt)((double)scene->count) - 1e-9), k = 0;
  int angular = scene->shape == BENCH_CUBE || scene->shape == BENCH_SQUARE;
  double gap = touching ? 0 : clearance, pitch = 2 * radius + gap, wall = 0.5 * (double)side * pitch;
  double jitter = touching ? 0 : 0.3 * gap, angle = touching || !angular ? 0 : 0.15 * gap / radius;
  uint64_t seed = 18;
  for (size_t i = 0; i < scene->count; i++) {
    bench_state *state = &scene->start[i];
    size_t cell[3] = {k % side, flat ? 0 : k / side % side, flat ? k / side : k / (side * side)};
    for (int axis = 0; axis < up; axis++)
      state->position[axis] = ((double)cell[axis] + 0.5) * pitch - wall + between(&seed, -jitter, jitter);
    state->position[up] = radius + gap / 2 + (double)cell[2] * pitch;
    turn(state, between(&seed, -angle, angle));
    k++;
  }
  add_plane(scene, up, 1, 0);
  for (int axis = 0; axis < up; axis++) add_plane(scene, axis, 1, -wall), add_plane(scene, axis, -1, -wall);
}

/* Rows that touch the ones below; an eighth of an edge between neighbours. */
static void fill_pyramid(bench_scene *scene, size_t base) {
  double pitch = 2.25 * radius;
  size_t i = 0;
  for (size_t row = 0; row < base; row++)
    for (size_t k = 0; k < base - row; k++, i++) {
      scene->start[i].position[0] = pitch * ((double)k - 0.5 * (double)(base - row - 1));
      scene->start[i].position[1] = radius * (2 * (double)row + 1);
      turn(&scene->start[i], 0);
    }
  add_plane(scene, 1, 1, 0);
}

int bench_scene_make(bench_scene *scene, const char *name, size_t count, int touching) {
  static const struct {
    const char *name;
    int shape;
  } known[] = {{"balls", BENCH_BALL},
               {"cubes", BENCH_CUBE},
               {"discs", BENCH_DISC},
               {"squares", BENCH_SQUARE},
               {"pyramid", PYRAMID}};
  size_t which = 0;
  while (which < 5 && strcmp(known[which].name, name) != 0) which++;
  if (which == 5) return -1;
  int pyramid = known[which].shape == PYRAMID;
  *scene = (bench_scene){.name = known[which].name,
                         .shape = pyramid ? BENCH_SQUARE : (enum bench_shape)known[which].shape,
                         .planar = which >= 2,
                         .half = radius,
                         .friction = 0.5,
                         .gravity = 9.81,
                         .step = 5e-3,
                         .tolerance = 1e-4,
                         .count = pyramid ? count * (count + 1) / 2 : count};
  set_mass(scene);
  scene->start = calloc(scene->count, sizeof *scene->start);
  if (scene->start == NULL) return -1;
  if (pyramid)
    fill_pyramid(scene, count);
  else
    fill_grid(scene, touching);
  return 0;
}

void bench_scene_free(bench_scene *scene) {
  free(scene->start);
  scene->start = NULL;
}
