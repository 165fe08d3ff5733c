/* Piles of rigid bodies for several engines: one description of the scene, one interface of the engines, whoever wrote
 * them. Bodies are balls, cubes, discs and squares, whose inertia is the same about every axis, and planes that bound
 * the scene. SI units. In the plane everything has z = 0 and turns about z. No type of thud's library is used here. */
#ifndef THUD_BENCH_BODIES_H
#define THUD_BENCH_BODIES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum bench_shape { BENCH_BALL, BENCH_CUBE, BENCH_DISC, BENCH_SQUARE };

typedef struct bench_state {
  double position[3];
  double rotation[4]; /* unit quaternion w x y z; in the plane w = cos(angle/2), z = sin(angle/2) */
  double velocity[3], spin[3];
} bench_state;

/* A half-space n.x <= offset that nothing moves; n is a unit vector. */
typedef struct bench_plane {
  double normal[3], offset;
} bench_plane;

enum { BENCH_MOST_PLANES = 5 };

typedef struct bench_scene {
  const char *name;
  int planar;
  enum bench_shape shape; /* of all bodies */
  double half;            /* radius, or half an edge */
  double mass, inertia;   /* of one body */
  double friction;        /* e = 0 */
  double gravity;         /* against z, in the plane against y */
  double step, tolerance; /* of those engines that have one */
  int plane_count;
  bench_plane planes[BENCH_MOST_PLANES];
  size_t count;
  bench_state *start; /* [count] */
} bench_scene;

/* "balls", "cubes", "discs", "squares": count bodies on a loose jittered grid in a box of planes without a lid;
 * "pyramid": squares on a floor, `count` in the lowest row. touching: no gaps and no jitter. 0: done, -1: no such
 * scene or no memory. */
int bench_scene_make(bench_scene *scene, const char *name, size_t count, int touching);
void bench_scene_free(bench_scene *scene);

/* What an engine did at a contact in one step. Arms lead from the centres of mass to the point at which the engine let
 * the impulse act, in the configuration that its velocity equation was written for. */
typedef struct bench_contact {
  int32_t a, b;     /* b < 0: plane number -1 - b */
  double normal[3]; /* from b to a */
  double arm_a[3], arm_b[3];
  double impulse[3]; /* on a, N s */
  double bias; /* m/s: the engine's law is 0 <= u_N - bias perp r_N >= 0. > 0: pushes overlapping bodies apart; < 0:
                        lets a gap close, -gap/h */
} bench_contact;

/* Processor seconds since the start, and what else only some engines tell. */
typedef struct bench_parts {
  double detect, assemble, solve, project; /* s */
  size_t allocations;
  double iterations; /* all */
} bench_parts;

typedef struct bench_engine {
  const char *name, *note;
  /* NULL: failed. rough: hardly any iterations (engines that can). */
  void *(*create)(const bench_scene *scene, int rough);
  int (*step)(void *world); /* 0: done */
  void (*states)(void *world, bench_state *states);
  /* Of the last step; `before` the states before it. How many there are; the first `capacity` are written. */
  size_t (*contacts)(void *world, const bench_state *before, size_t capacity, bench_contact *contacts);
  void (*parts)(void *world, bench_parts *parts); /* NULL: the engine does not say */
  void (*destroy)(void *world);
} bench_engine;

/* The engines of a module, name NULL at the end; modules are loaded at run time, each in a process of its own, since
 * Siconos and this benchmark need two builds of Bullet that have the same symbols. */
extern const bench_engine bench_engines[];
extern const bench_engine bench_thud_engines[];

#ifdef __cplusplus
}
#endif
#endif
