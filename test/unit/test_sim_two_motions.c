/* Ballard's example in space: two quasi-static motions under one load, for any mu > 0. The load has infinitely many cycles
 * towards t = 0, each beta times the one before; e = .8, mu = 1, the last 61 of them.
 *   b  sticks for ever: U = 0
 *   a  slips twice per cycle: U_T(beta^-m) = (c beta^-m, 0), R_T = 0 there
 * Any implicit grid from U = 0 returns b; seeded on a, on grids that contain the phases of the load, a. */
#include "testing.h"

#include "thud/quasistatic.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { CYCLES = 61, PHASES = 6, NODES = CYCLES * PHASES + 1 };
static const double E = .8, MU = 1;

typedef struct constants {
  double c, h, beta, g;
} constants;

static constants find_constants(void) {
  double ep = MU * E, sg = sqrt(1 - ep * ep);
  constants made = {
      .c = ep / (1 - ep * ep), .h = .5 * sqrt((4 - ep * ep) / (1 - ep * ep)), .beta = 1 + (1 - sg) / sqrt(4 - ep * ep)};
  made.g = (1 - sg) / (made.beta * sg);
  return made;
}

/* S, F_T1, F_T2 at the nodes; linear in between. */
typedef struct history {
  size_t cycles;
  double t[NODES], F[NODES][3];
} history;

static void make_history(size_t cycles, history *load) {
  const constants k = find_constants();
  const double G[5][2] = {{0, 1}, {0, k.g}, {-k.c / 2, -1 - k.h}, {(1 - k.beta) * k.c / k.beta, -k.g}, {k.c / 2, k.h}};
  size_t node = 0;
  load->cycles = cycles;
  load->t[0] = pow(k.beta, -(double)cycles);
  load->F[0][0] = load->t[0], load->F[0][1] = k.c * load->t[0], load->F[0][2] = 0;
  for (size_t m = cycles; m-- > 0;) {
    double from = pow(k.beta, -(double)m - 1), S = pow(k.beta, -(double)m), turn = from * (k.beta + 1) / 2;
    double f[2] = {k.c * from, 0};
    load->t[++node] = turn;
    load->F[node][0] = S, load->F[node][1] = f[0], load->F[node][2] = 0;
    for (int phase = 0; phase < 5; phase++) {
      for (int i = 0; i < 2; i++) f[i] -= S * G[phase][i];
      load->t[++node] = phase < 4 ? turn + (S - turn) * (phase + 1) / 5 : S;
      load->F[node][0] = S, load->F[node][1] = f[0], load->F[node][2] = f[1];
    }
  }
}

/* F_N = S/mu + e F_T1. */
static int evaluate(void *user, double t, thud_side side, double *F) {
  const history *load = user;
  size_t k = 0, last = load->cycles * PHASES;
  (void)side;
  while (k + 1 < last && t >= load->t[k + 1]) k++;
  double x = fmin(1, fmax(0, (t - load->t[k]) / (load->t[k + 1] - load->t[k]))), value[3];
  for (int i = 0; i < 3; i++) value[i] = (1 - x) * load->F[k][i] + x * load->F[k + 1][i];
  F[0] = value[0] / MU + E * value[1], F[1] = value[1], F[2] = value[2];
  return 0;
}

/* Runs from the seed with `parts` steps per phase; U and r at t = 1. */
static void run(thud_context *context, size_t cycles, const double *seed, size_t parts, double *U, double *r) {
  static history load;
  static thud_interval intervals[NODES * 4];
  static const double K[9] = {1, .8, 0, .8, 1, 0, 0, 0, 1}, gap[1] = {0};
  static thud_index start[4] = {0, 1, 2, 3}, row[3] = {0, 1, 2};
  static double value[3] = {-1, 1, 1};
  make_history(cycles, &load);
  size_t count = 0;
  for (size_t k = 0; k < cycles * PHASES; k++)
    for (size_t j = 0; j < parts; j++) {
      double length = load.t[k + 1] - load.t[k];
      intervals[count] =
          (thud_interval){.left = j == 0 ? load.t[k] : intervals[count - 1].right,
                          .right = j + 1 < parts ? load.t[k] + length * (double)(j + 1) / (double)parts : load.t[k + 1],
                          .left_closed = true};
      count++;
    }
  intervals[count - 1].right_closed = true;
  const thud_regulated F = {.dimension = 3, .evaluate = evaluate, .user = &load};
  const thud_quasistatic_problem problem = {
      .unknowns = 3,
      .contacts = 1,
      .dimension = 3,
      .K = {.storage = THUD_MATRIX_DENSE, .rows = 3, .columns = 3, .dense = K},
      .H = {.rows = 3, .columns = 3, .column_start = start, .row = row, .value = value},
      .gap = gap,
      .mu = &MU,
      .load = &F,
      .initial = seed};
  thud_partition *partition;
  thud_motion *motion;
  assert_int_equal(thud_partition_create(context, count, intervals, &partition), THUD_OK);
  assert_int_equal(
      thud_quasistatic_motion_create(context, THUD_QUASISTATIC_INCREMENTS, &problem, partition, NULL, &motion),
      THUD_OK);
  thud_reached reached;
  assert_int_equal(thud_motion_run(motion, NULL, &reached), THUD_OK);
  assert_int_equal(reached.status, THUD_MOTION_COMPLETED);
  thud_quasistatic_frame end = thud_quasistatic_motion_present(motion);
  memcpy(U, end.U, 3 * sizeof *U);
  memcpy(r, end.r, 3 * sizeof *r);
  thud_motion_destroy(motion);
  thud_partition_destroy(partition);
}

static void the_constants_are_those_of_the_text(void **state) {
  (void)state;
  const constants k = find_constants();
  thud_assert_near(k.beta, 1.2182178902, 1e-10);
  thud_assert_near(k.c, 20. / 9, 1e-14);
  thud_assert_near(k.h, 1.5275252317, 1e-10);
  thud_assert_near(k.g, .5472474768, 1e-10);
}

static void without_a_seed_it_sticks(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double U[3], r[3];
  const double zero[3] = {0};
  for (size_t parts = 1; parts <= 3; parts += 2) {
    run(context, CYCLES, zero, parts, U, r);
    for (int i = 0; i < 3; i++) thud_assert_near(U[i], 0, 1e-12);
    thud_assert_near(r[0], 25. / 9, 1e-12);
    thud_assert_near(r[1], -20. / 9, 1e-12);
    thud_assert_near(r[2], 0, 1e-12);
  }
  thud_test_context_end(context);
}

/* The difference of the two at t = 1 is c, whenever the seed was. */
static void seeded_it_slips_twice_in_every_cycle(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const constants k = find_constants();
  const size_t seeds[] = {1, 2, 7, 20, 40, CYCLES};
  for (size_t s = 0; s < sizeof seeds / sizeof *seeds; s++)
    for (size_t parts = 1; parts <= 3; parts += 2) {
      double U[3], r[3];
      const double seed[3] = {0, k.c * pow(k.beta, -(double)seeds[s]), 0};
      run(context, seeds[s], seed, parts, U, r);
      thud_assert_near(U[0], 0, 1e-10);
      thud_assert_near(U[1], 20. / 9, 1e-10);
      thud_assert_near(U[2], 0, 1e-10);
      thud_assert_near(r[0], 1, 1e-10);
      thud_assert_near(hypot(r[1], r[2]), 0, 1e-10);
    }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_constants_are_those_of_the_text),
                                     cmocka_unit_test(without_a_seed_it_sticks),
                                     cmocka_unit_test(seeded_it_slips_twice_in_every_cycle)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
