/* The judge judged: steps whose verdict is known in closed form. */
#include "bodies_judge.h"

#include <math.h>
#include <stdio.h>

static int differs(const char *what, double is, double should) {
  if (fabs(is - should) <= 1e-12 * fmax(1, fabs(should))) return 0;
  fprintf(stderr, "bench-bodies: the judge fails its test: %s is %.17g, should be %.17g\n", what, is, should);
  return 1;
}

/* A ball of 2 kg with I = 0.008 (radius 0.1) on the floor z = 0, mu = 0.5, h = 0.1, g = 10. */
static const bench_scene one_ball = {.name = "test",
                                     .shape = BENCH_BALL,
                                     .half = 0.1,
                                     .mass = 2,
                                     .inertia = 0.008,
                                     .friction = 0.5,
                                     .gravity = 10,
                                     .step = 0.1,
                                     .plane_count = 1,
                                     .planes = {{{0, 0, 1}, 0}},
                                     .count = 1};

static const bench_contact on_floor = {.a = 0, .b = -1, .normal = {0, 0, 1}, .arm_a = {0, 0, -0.1}};

static bench_verdict judge(const bench_state *before, const bench_state *after, const bench_contact *contact) {
  double scratch[6];
  bench_verdict verdict;
  bench_judge_step(&one_ball, before, after, 1, contact, scratch, &verdict);
  return verdict;
}

/* At rest the impulse is h m g: exact. Twice as much throws the ball up with 1 m/s: u_N = 1, r_N = 4, |q| = 1; W is
 * (3/m + 2 (0.1)^2/I)/3 = 4/3, r - u/W = 3.25 >= 0, so that F = u. */
static int test_rest(void) {
  bench_state still = {.position = {0, 0, 0.1}, .rotation = {1}}, up = still;
  bench_contact contact = on_floor;
  contact.impulse[2] = 2;
  bench_verdict right = judge(&still, &still, &contact);
  contact.impulse[2] = 4;
  up.velocity[2] = 1;
  bench_verdict thrown = judge(&still, &up, &contact);
  contact.bias = 1;
  bench_verdict granted = judge(&still, &up, &contact);
  contact.impulse[2] = 2;
  bench_verdict unexplained = judge(&still, &up, &contact);
  return differs("a resting ball", right.residual, 0) + differs("its momentum", right.momentum, 0) +
         differs("a thrown ball", thrown.residual, 1) + differs("its momentum", thrown.momentum, 0) +
         differs("a bias that was granted", granted.residual, 0) + differs("the same, strictly", granted.strict, 1) +
         differs("a velocity without an impulse", unexplained.momentum, 1) +
         differs("energy of the thrown ball", thrown.energy, 0.5 * 2 + 2 * 10 * 0.1);
}

/* Sliding along x at 3 m/s: friction takes mu h g = 0.5 m/s and spins the ball; impulse (-1, 0, 2). A tangential impulse
 * of 1.2 with the velocities that belong to it exceeds the cone by 0.2, a tenth of r_N: u = 0.9, W = 4/3, the point
 * (2, -1.2) - (0.45, 0.9)/W = (1.6625, -1.875) is projected to (2.08, -1.04), and |q|^2 = 10. */
static int test_slide(void) {
  bench_state before = {.position = {0, 0, 0.1}, .rotation = {1}, .velocity = {3}}, after = before;
  bench_contact contact = on_floor;
  contact.impulse[0] = -1, contact.impulse[2] = 2;
  after.velocity[0] = 2.5, after.spin[1] = 0.1 * 1 / 0.008;
  bench_verdict right = judge(&before, &after, &contact);
  contact.impulse[0] = -1.2;
  after.velocity[0] = 2.4, after.spin[1] = 0.12 / 0.008;
  bench_verdict beyond = judge(&before, &after, &contact);
  return differs("a sliding ball", right.residual, 0) + differs("its momentum", right.momentum, 0) +
         differs("its excess", right.excess, 0) + differs("an excess", beyond.excess, 0.1) +
         differs("momentum of the excess", beyond.momentum, 0) +
         differs("the residual of the excess", beyond.residual, 4. / 3 * sqrt(0.0032));
}

static double overlap(enum bench_shape shape, int planar, bench_state a, bench_state b) {
  bench_state states[2] = {a, b};
  bench_scene scene = {.shape = shape, .planar = planar, .half = 0.1, .count = 2, .start = states};
  return bench_judge_overlap(&scene, states);
}

static int test_overlap(void) {
  bench_state a = {.rotation = {1}}, b = {.position = {0.19, 0, 0}, .rotation = {1}};
  bench_state turned = {.position = {0.1 + 0.1 * sqrt(2) - 0.01},
                        .rotation = {cos(acos(-1) / 8), 0, 0, sin(acos(-1) / 8)}};
  bench_state low = {.position = {0, 0, 0.08}, .rotation = {1}};
  double s = sin(acos(-1) / 8), c = cos(acos(-1) / 8), reach = 0.2 * sqrt(2);
  /* two cubes, one turned by 45 degrees about y, the other about x, edge across edge: above each other along z */
  bench_state lower = {.rotation = {c, 0, s, 0}}, upper = {.position = {0, 0, reach - 0.01}, .rotation = {c, s, 0, 0}};
  return differs("overlap of balls", overlap(BENCH_BALL, 0, a, b), 0.01) +
         differs("of cubes", overlap(BENCH_CUBE, 0, a, b), 0.01) +
         differs("of a cube and an edge", overlap(BENCH_CUBE, 0, a, turned), 0.01) +
         differs("of crossed edges", overlap(BENCH_CUBE, 0, lower, upper), 0.01) +
         differs("of squares", overlap(BENCH_SQUARE, 1, a, turned), 0.01) +
         differs("of a ball and the floor", bench_judge_overlap(&one_ball, &low), 0.02) +
         differs("of cubes apart", overlap(BENCH_CUBE, 0, a, (bench_state){.position = {0.201}, .rotation = {1}}), 0);
}

int bench_judge_test(void) { return test_rest() + test_slide() + test_overlap(); }
