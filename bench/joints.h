/* Mechanisms for several engines: one description of bodies and joints, one interface of the engines, whoever wrote
 * them. SI units; gravity against y. Flat mechanisms lie in z = 0 and turn about z. No type of thud's library is used
 * here. */
#ifndef THUD_BENCH_JOINTS_H
#define THUD_BENCH_JOINTS_H

#include "bodies.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A body; its frame lies at the centre of mass along the principal axes. */
typedef struct bench_link {
  double mass, inertia[3];
  double radius, half; /* capsule along z, half its segment; radius 0: nothing to touch */
  bench_state start;
} bench_link;

enum bench_pin_kind { BENCH_PIN_BALL, BENCH_PIN_HINGE };

/* A joint of a with b. Bodies and joints are in the order of a tree: the first joint of a body a leads to b < a, others
 * close loops. Angles are those of a beside b about the axis, 0 at the start. */
typedef struct bench_pin {
  enum bench_pin_kind kind;
  int a, b;                 /* b -1: the world */
  double point[3], axis[3]; /* at the start, world */
  int limited;
  double limit[2];
} bench_pin;

typedef struct bench_mechanism {
  const char *name;
  int size;
  int flat;
  double gravity;
  int floor; /* the half-space y <= 0 */
  double friction;
  double end;    /* s */
  double settle; /* s; where motions are compared with a finer one of the same engine: until before the first impact */
  int count, pin_count;
  bench_link *links; /* [count] */
  bench_pin *pins;   /* [pin_count] */
} bench_mechanism;

/* "chain": `size` rods of together 1 m and 1 kg, level at the start. "loaded-chain": rods of 0.01 kg, 1 m, with 1000
 * times that at the end, 30 degrees from upright. "four-bars": `size` squares of hinged rods. "ragdoll": 13 bodies
 * with ball joints and limited hinges that falls on a floor. -1: no such mechanism or no memory. */
int bench_mechanism_make(bench_mechanism *mechanism, const char *name, int size);
void bench_mechanism_free(bench_mechanism *mechanism);

/* Places of all bodies at the end, x and y of each, of chains and four-bars by minimal coordinates; `error`: how much
 * half the steps change. -1: none is known. */
int bench_joints_reference(const bench_mechanism *mechanism, double (*places)[2], double *error);

/* A judge of states, of no engine. */
typedef struct bench_joints_verdict {
  double gap;    /* largest distance of the two points of a joint, m */
  double slip;   /* largest relative velocity of them, m/s */
  double beyond; /* most that an angle is beyond its limits, rad */
  double sunk;   /* deepest point below the floor, m */
  double energy; /* J */
} bench_joints_verdict;
void bench_joints_judge(const bench_mechanism *mechanism, const bench_state *states, bench_joints_verdict *verdict);
/* Compares judge and reference with closed and published values; how many differ, each is named on stderr. */
int bench_joints_judge_test(void);

typedef struct bench_joint_engine {
  const char *name, *note;
  void *(*create)(const bench_mechanism *mechanism, double step); /* NULL: failed */
  int (*step)(void *world);                                       /* 0: done */
  void (*states)(void *world, bench_state *states);
  void (*destroy)(void *world);
} bench_joint_engine;

/* The engines of a module, name NULL at the end. */
extern const bench_joint_engine bench_joint_engines[];
extern const bench_joint_engine bench_joint_thud_engines[];

#ifdef __cplusplus
}
#endif
#endif
