/* Two-block sweeps in lanes of four contacts: against visits one by one, against the evaluation by contact, and bit for
 * bit against themselves without AVX2 and on more threads. */
#include "failing_allocator.h"
#include "random_joints.h"
#include "random_matrices.h"
#include "solve/exact_space_lanes.h"
#include "solve/sweep_chunks.h"
#include "solve/sweep_two_block.h"

#include <stdlib.h>

/* ---- random rigid bodies --------------------------------------------------------------------------------------- */

enum { BODIES = 40, CONTACTS = 90 };

typedef struct rigid_shape {
  size_t contacts;
  bool inertias;  /* full ones, else spheres */
  bool separate;  /* contact k has bodies 2k and 2k+1 for itself: one sweep solves all */
  bool held;      /* some bodies never move */
  double coupled; /* added to one entry of a Jacobian */
} rigid_shape;

typedef struct rigid {
  double inverse_mass[2 * CONTACTS * 36], velocity[2 * CONTACTS * 6];
  thud_index body_a[CONTACTS], body_b[CONTACTS];
  double jacobian_a[CONTACTS * 18], jacobian_b[CONTACTS * 18], mu[CONTACTS], w[CONTACTS * 3];
  thud_contact_problem problem;
} rigid;

static void add_body(thud_random *random, const rigid_shape *shape, double *inverse_mass) {
  double inertia[9] = {0};
  double heavy = exp(thud_random_normal(random));
  if (shape->held && thud_random_below(random, 6) == 0) return;
  inertia[0] = inertia[4] = inertia[8] = exp(thud_random_normal(random));
  if (shape->inertias) thud_test_random_spd(random, 3, 0.1, inertia);
  for (size_t i = 0; i < 3; i++) {
    inverse_mass[7 * i] = heavy;
    for (size_t j = 0; j < 3; j++) inverse_mass[6 * (3 + i) + 3 + j] = inertia[3 * i + j];
  }
}

/* sign [E, lever x e_i] */
static void write_jacobian(double sign, const double *E, const double *lever, double *J) {
  for (size_t i = 0; i < 3; i++) {
    const double *e = E + 3 * i;
    for (size_t j = 0; j < 3; j++) {
      size_t next = (j + 1) % 3, last = (j + 2) % 3;
      J[6 * i + j] = sign * e[j];
      J[6 * i + 3 + j] = sign * (lever[next] * e[last] - lever[last] * e[next]);
    }
  }
}

static void add_contact(thud_random *random, const rigid_shape *shape, size_t k, rigid *made) {
  static const double coefficients[] = {0, 0.3, 0.8, 1e6, 1e-3, 0.5};
  double E[9], lever[3];
  uint32_t bodies = shape->separate ? 2 * (uint32_t)shape->contacts : BODIES;
  size_t a = shape->separate ? 2 * k : thud_random_below(random, bodies);
  size_t b = shape->separate ? 2 * k + 1 : (a + 1 + thud_random_below(random, bodies - 1)) % bodies;
  made->body_a[k] = (thud_index)a;
  made->body_b[k] = thud_random_below(random, 5) == 0 ? -1 : (thud_index)b;
  thud_test_random_orthogonal(random, 3, E);
  thud_test_random_vector(random, 3, lever);
  write_jacobian(1, E, lever, made->jacobian_a + 18 * k);
  thud_test_random_vector(random, 3, lever);
  write_jacobian(-1, E, lever, made->jacobian_b + 18 * k);
  made->mu[k] = coefficients[thud_random_below(random, 6)];
  thud_test_random_vector(random, 3, made->w + 3 * k);
}

static const thud_contact_problem *make_rigid(thud_random *random, const rigid_shape *shape, rigid *made) {
  size_t bodies = shape->separate ? 2 * shape->contacts : BODIES;
  memset(made, 0, sizeof *made);
  for (size_t b = 0; b < bodies; b++) add_body(random, shape, made->inverse_mass + 36 * b);
  thud_test_random_vector(random, 6 * bodies, made->velocity);
  for (size_t k = 0; k < shape->contacts; k++) add_contact(random, shape, k, made);
  made->jacobian_a[18 * (shape->contacts / 2) + 3] += shape->coupled;
  made->problem = (thud_contact_problem){.form = THUD_FORM_TWO_BLOCK,
                                         .dimension = 3,
                                         .contacts = (thud_index)shape->contacts,
                                         .mu = made->mu,
                                         .two_block = {.bodies = (thud_index)bodies,
                                                       .block = 6,
                                                       .inverse_mass = made->inverse_mass,
                                                       .free_velocity = made->velocity,
                                                       .body_a = made->body_a,
                                                       .body_b = made->body_b,
                                                       .jacobian_a = made->jacobian_a,
                                                       .jacobian_b = made->jacobian_b,
                                                       .w = made->w}};
  return &made->problem;
}

/* ---- sweeps ---------------------------------------------------------------------------------------------------- */

typedef struct sweeping {
  thud_two_block_choice choice;
  bool as_given, symmetric; /* order of visits */
  double relaxation;        /* 0: 1 */
  int sweeps;
  const char *path; /* that must have been found, NULL: any */
} sweeping;

static thud_sweep_result run_sweeps(thud_two_block_sweep *sweep, const sweeping *how, double *r, double *l) {
  thud_gauss_seidel_options options = {.relaxation = how->relaxation > 0 ? how->relaxation : 1};
  thud_sweep_result result = {.unsolvable = -1};
  thud_two_block_sweep_load(sweep, r, l);
  for (int k = 0; k < how->sweeps; k++) {
    options.backward = how->symmetric && k % 2 == 0;
    result = thud_two_block_sweep_run(sweep, &options);
  }
  thud_two_block_sweep_store(sweep, r, l);
  return result;
}

/* Sweeps from r, and l where there are joints. */
static thud_sweep_result sweep_problem(thud_context *context, const thud_contact_problem *problem, const sweeping *how,
                                       double *r, double *l) {
  thud_two_block_sweep *sweep;
  assert_int_equal(thud_two_block_sweep_create(context, problem, &sweep), THUD_OK);
  thud_two_block_sweep_choose(sweep, &how->choice);
  assert_int_equal(thud_two_block_sweep_update(sweep, problem, !how->as_given), THUD_OK);
  if (how->path != NULL) assert_string_equal(thud_two_block_sweep_path(sweep), how->path);
  thud_sweep_result result = run_sweeps(sweep, how, r, l);
  thud_two_block_sweep_destroy(sweep);
  return result;
}

static const sweeping orders[] = {{.sweeps = 3},
                                  {.sweeps = 2, .as_given = true},
                                  {.sweeps = 3, .symmetric = true},
                                  {.sweeps = 3, .relaxation = 0.6},
                                  {.sweeps = 3, .relaxation = 1.4, .symmetric = true}};
enum { ORDERS = sizeof orders / sizeof *orders };

/* A few sweeps in lanes, with what Jacobians and masses allow and in general, are those of visits one by one up to
 * rounding errors, from a warm start, whatever the number of contacts. */
static void lanes_give_the_sweeps_of_visits_one_by_one(void **state) {
  (void)state;
  static rigid made;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(201);
  for (size_t round = 0; round < 120; round++) {
    rigid_shape shape = {.contacts = 1 + thud_random_below(&random, CONTACTS), .inertias = round % 2 == 1};
    shape.held = round % 3 == 0;
    const thud_contact_problem *problem = make_rigid(&random, &shape, &made);
    double start[3 * CONTACTS], expected[3 * CONTACTS], r[3 * CONTACTS];
    size_t size = 3 * shape.contacts;
    thud_test_random_vector(&random, size, start);
    sweeping how = orders[round % ORDERS];
    how.choice.one_by_one = true;
    how.path = "one by one";
    memcpy(expected, start, sizeof start);
    thud_sweep_result reference = sweep_problem(context, problem, &how, expected, NULL);
    for (int general = 0; general < 2; general++) {
      how.choice = (thud_two_block_choice){.general = general == 1};
      how.path = general ? "lanes" : shape.inertias ? "lanes of frames" : "lanes of spheres";
      memcpy(r, start, sizeof start);
      thud_sweep_result result = sweep_problem(context, problem, &how, r, NULL);
      double scale = thud_test_max(size, expected) + thud_test_max(size, start);
      thud_assert_at_most(thud_test_max_difference(size, r, expected), 1e-8 * scale);
      thud_assert_near(result.change, reference.change, 1e-7 * scale * scale);
      thud_assert_near(result.square, reference.square, 1e-7 * scale * scale);
    }
  }
  thud_test_context_end(context);
}

/* Two sweeps to g1 and g2, an extrapolation to x = g2 + beta (g2 - g1), one more sweep. The state is that of the impulses x:
 * loading them before the last sweep gives the same up to rounding errors. */
static void extrapolated_motions_belong_to_their_impulses(void **state) {
  (void)state;
  static rigid made;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(208);
  const thud_two_block_choice choices[] = {
      {.momentum = true}, {.momentum = true, .general = true}, {.momentum = true, .one_by_one = true}};
  const thud_gauss_seidel_options options = {.relaxation = 1};
  for (size_t round = 0; round < 60; round++) {
    rigid_shape shape = {.contacts = 1 + thud_random_below(&random, CONTACTS), .inertias = round % 2 == 1};
    const thud_contact_problem *problem = make_rigid(&random, &shape, &made);
    double g1[3 * CONTACTS], g2[3 * CONTACTS], x[3 * CONTACTS], found[3 * CONTACTS], expected[3 * CONTACTS];
    double beta = thud_random_uniform(&random, 0.1, 0.99);
    size_t size = 3 * shape.contacts;
    thud_two_block_sweep *sweep;
    for (size_t k = 0; k < shape.contacts; k++) made.mu[k] = fmin(made.mu[k], 1);
    assert_int_equal(thud_two_block_sweep_create(context, problem, &sweep), THUD_OK);
    thud_two_block_sweep_choose(sweep, &choices[round % 3]);
    assert_int_equal(thud_two_block_sweep_update(sweep, problem, true), THUD_OK);
    thud_test_random_vector(&random, size, g1);
    thud_two_block_sweep_load(sweep, g1, NULL);
    thud_two_block_sweep_run(sweep, &options);
    thud_two_block_sweep_store(sweep, g1, NULL);
    thud_two_block_sweep_extrapolate(sweep, 0);
    thud_two_block_sweep_run(sweep, &options);
    thud_two_block_sweep_store(sweep, g2, NULL);
    thud_two_block_sweep_extrapolate(sweep, beta);
    thud_two_block_sweep_store(sweep, x, NULL);
    for (size_t i = 0; i < size; i++) assert_true(x[i] == g2[i] + beta * (g2[i] - g1[i]));
    thud_two_block_sweep_run(sweep, &options);
    thud_two_block_sweep_store(sweep, found, NULL);
    thud_two_block_sweep_load(sweep, x, NULL);
    thud_two_block_sweep_run(sweep, &options);
    thud_two_block_sweep_store(sweep, expected, NULL);
    thud_assert_at_most(thud_test_max_difference(size, found, expected), 1e-8 * (1 + thud_test_max(size, x)));
    thud_two_block_sweep_destroy(sweep);
  }
  thud_test_context_end(context);
}

/* Where contacts share no body one sweep solves them all, whatever mode they are in: the evaluation by contact, which
 * reads the Jacobians as given, finds nothing left. */
static void one_sweep_solves_contacts_without_common_bodies(void **state) {
  (void)state;
  static rigid made;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(202);
  for (size_t round = 0; round < 400; round++) {
    rigid_shape shape = {.contacts = 1 + round % 13, .inertias = round % 2 == 1, .separate = true};
    if (round % 20 == 0) shape.contacts = CONTACTS;
    if (round % 5 == 0) shape.coupled = 0.3;
    const thud_contact_problem *problem = make_rigid(&random, &shape, &made);
    for (size_t k = 0; k < shape.contacts && round % 4 > 0; k++) made.mu[k] = fmin(made.mu[k], 1);
    sweeping how = {.sweeps = 1, .choice = {.plain = round % 3 == 0}};
    double r[3 * CONTACTS] = {0};
    thud_contact_residual residual;
    if (round % 2 == 0) thud_test_random_vector(&random, 3 * shape.contacts, r);
    thud_sweep_result result = sweep_problem(context, problem, &how, r, NULL);
    assert_int_equal(result.unsolvable, -1);
    assert_int_equal(thud_contact_evaluate(context, problem, r, NULL, NULL, NULL, &residual), THUD_OK);
    /* De Saxce's shift makes mu times the rounding errors of u_T an error of u_N */
    thud_assert_at_most(residual.residual, 1e-13 + 5e-15 * thud_test_max(shape.contacts, made.mu));
  }
  thud_test_context_end(context);
}

static void lanes_without_avx2_give_the_same_bits(void **state) {
  (void)state;
  static rigid made;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(203);
  for (size_t round = 0; round < 150; round++) {
    rigid_shape shape = {.contacts = 1 + thud_random_below(&random, CONTACTS), .inertias = round % 2 == 1};
    shape.held = round % 4 == 0;
    const thud_contact_problem *problem = make_rigid(&random, &shape, &made);
    sweeping how = orders[round / 3 % ORDERS];
    how.sweeps = 20;
    how.choice.general = round % 3 == 2;
    double first[3 * CONTACTS], second[3 * CONTACTS];
    thud_test_random_vector(&random, 3 * CONTACTS, first);
    memcpy(second, first, sizeof first);
    thud_sweep_result a = sweep_problem(context, problem, &how, first, NULL);
    how.choice.plain = true;
    thud_sweep_result b = sweep_problem(context, problem, &how, second, NULL);
    assert_memory_equal(first, second, sizeof first);
    assert_true(a.change == b.change && a.square == b.square && a.unsolvable == b.unsolvable);
  }
  thud_test_context_end(context);
}

static void lanes_give_the_same_bits_on_any_number_of_threads(void **state) {
  (void)state;
  thud_test_pile pile = {.nx = 13, .ny = 13, .nz = 13, .dimension = 3, .mu = 0.3, .mass_ratio = 2, .noise = 0.05};
  static const int threads[] = {1, 2, 4, 8};
  double *first = NULL;
  thud_sweep_result alone = {0};
  for (size_t t = 0; t < 4; t++) {
    thud_context *context = thud_test_context(threads[t]);
    thud_random random = thud_random_seed(204);
    thud_test_problem made;
    assert_int_equal(thud_test_pile_of_spheres(context, &random, &pile, &made), THUD_OK);
    size_t size = thud_contact_size(made.problem);
    double *r = thud_test_doubles(size);
    sweeping how = {.sweeps = 6, .symmetric = true, .path = "lanes of spheres"};
    thud_sweep_result result = sweep_problem(context, made.problem, &how, r, NULL);
    if (t == 0) {
      first = r;
      alone = result;
    } else {
      assert_memory_equal(r, first, size * sizeof(double));
      assert_true(result.change == alone.change && result.square == alone.square);
      free(r);
    }
    thud_test_problem_destroy(&made);
    thud_test_context_end(context);
  }
  free(first);
}

/* ---- what is a frame --------------------------------------------------------------------------------------------- */

/* Jacobians and masses that are nearly, but not, those of frames and levers or of rigid bodies are taken as they are. */
static void only_frames_and_rigid_bodies_are_taken_for_such(void **state) {
  (void)state;
  static rigid made;
  thud_context *context = thud_test_context(1);
  for (int fault = 0; fault < 7; fault++) {
    thud_random random = thud_random_seed(205);
    rigid_shape shape = {.contacts = 20, .inertias = true};
    const thud_contact_problem *problem = make_rigid(&random, &shape, &made);
    size_t k = 7, a = (size_t)made.body_a[k];
    made.body_b[k] = (thud_index)(a + 1) % BODIES;
    if (fault == 1) made.jacobian_a[18 * k + 4] += 1e-12;       /* no lever gives this row */
    if (fault == 2) made.jacobian_b[18 * k + 1] *= 1 + 1e-12;   /* another frame than that of a */
    if (fault == 3) made.inverse_mass[36 * a + 7] *= 1 + 1e-12; /* another mass along y */
    if (fault == 4) made.inverse_mass[36 * a + 4] = made.inverse_mass[36 * a + 24] = 1e-3; /* coupled with its spin */
    if (fault == 5) made.inverse_mass[36 * a + 1] = made.inverse_mass[36 * a + 6] = 1e-3;
    if (fault == 6) /* b turns the other way: a reflected lever */
      for (size_t i = 0; i < 3; i++) made.jacobian_b[18 * k + 6 * i + 3] *= -1;
    sweeping how = {.sweeps = 3, .path = fault == 0 ? "lanes of frames" : "lanes"};
    double expected[60] = {0}, r[60] = {0};
    sweep_problem(context, problem, &how, r, NULL);
    how = (sweeping){.sweeps = 3, .choice.one_by_one = true};
    sweep_problem(context, problem, &how, expected, NULL);
    thud_assert_at_most(thud_test_max_difference(60, r, expected), 1e-9 * thud_test_max(60, expected));
  }
  thud_test_context_end(context);
}

/* Frames, general Jacobians, spheres and everything one by one in turn, with other bodies at rest each time: nothing is
 * left of what was there before, and once all have been there nothing is allocated. */
static void update_forgets_the_bodies_and_groups_before(void **state) {
  (void)state;
  static rigid made;
  thud_context *context = thud_test_context(1);
  rigid_shape shapes[4] = {{.contacts = 50, .inertias = true, .held = true},
                           {.contacts = 50, .coupled = 0.1, .held = true},
                           {.contacts = 50, .held = true},
                           {.contacts = 50, .inertias = true, .held = true}};
  thud_two_block_sweep *sweep = NULL;
  uint64_t allocations = 0;
  for (size_t round = 0; round < 24; round++) {
    thud_random random = thud_random_seed(206 + round % 12); /* the same twice */
    const thud_contact_problem *problem = make_rigid(&random, &shapes[round % 4], &made);
    sweeping how = {.sweeps = 3, .choice.one_by_one = round % 4 == 3};
    double expected[150] = {0}, r[150] = {0};
    if (sweep == NULL) assert_int_equal(thud_two_block_sweep_create(context, problem, &sweep), THUD_OK);
    if (round == 12) allocations = thud_context_allocation_count(context);
    thud_two_block_sweep_choose(sweep, &how.choice);
    assert_int_equal(thud_two_block_sweep_update(sweep, problem, true), THUD_OK);
    run_sweeps(sweep, &how, r, NULL);
    if (round >= 12) assert_int_equal(thud_context_allocation_count(context), allocations);
    sweep_problem(context, problem, &how, expected, NULL);
    allocations = thud_context_allocation_count(context);
    assert_memory_equal(r, expected, sizeof r);
  }
  thud_two_block_sweep_destroy(sweep);
  thud_test_context_end(context);
}

static void joints_go_with_lanes(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (size_t round = 0; round < 12; round++) {
    thud_random random = thud_random_seed(220 + round);
    thud_test_shape shape = thud_test_shape_of(3, 21);
    thud_test_problem made;
    shape.block = round % 2 == 0 ? 6 : 3 + (thud_index)round / 4;
    assert_int_equal(thud_test_random_joints(context, &random, &shape, 9, false, &made), THUD_OK);
    size_t size = thud_contact_size(made.problem), rows = (size_t)made.problem->bilateral;
    double *r = thud_test_doubles(size), *expected = thud_test_doubles(size);
    double *l = thud_test_doubles(rows), *expected_l = thud_test_doubles(rows);
    sweeping how = {.sweeps = 3, .path = "lanes"};
    sweep_problem(context, made.problem, &how, r, l);
    how = (sweeping){.sweeps = 3, .choice.one_by_one = true};
    sweep_problem(context, made.problem, &how, expected, expected_l);
    thud_assert_at_most(thud_test_max_difference(size, r, expected), 1e-8 * thud_test_max(size, expected));
    thud_assert_at_most(thud_test_max_difference(rows, l, expected_l), 1e-8 * thud_test_max(rows, expected_l));
    free(r);
    free(expected);
    free(l);
    free(expected_l);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* ---- contacts that nothing solves --------------------------------------------------------------------------------- */

/* Contacts 3 and 5 press bodies that never move against the world: the one that is visited first is named, and their
 * impulses stay as they were. */
static void unsolvable_contacts_are_named_in_the_order_of_visits(void **state) {
  (void)state;
  static rigid made;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(240);
  rigid_shape shape = {.contacts = 11, .separate = true};
  const thud_contact_problem *problem = make_rigid(&random, &shape, &made);
  const size_t pressed[2] = {3, 5};
  for (size_t i = 0; i < 2; i++) {
    size_t k = pressed[i];
    memset(made.inverse_mass + 36 * 2 * k, 0, 36 * sizeof(double));
    made.body_b[k] = -1;
    memset(made.velocity + 12 * k, 0, 6 * sizeof(double));
    made.w[3 * k] = -1;
  }
  for (int variant = 0; variant < 4; variant++) {
    sweeping how = {
        .sweeps = 1, .as_given = true, .symmetric = variant / 2 == 1, .choice = {.plain = variant % 2 == 1}};
    double r[33] = {0};
    r[9] = 2;
    r[10] = 0.25;
    thud_index named = sweep_problem(context, problem, &how, r, NULL).unsolvable;
    assert_int_equal(named, how.symmetric ? 5 : 3); /* groups 0..3, 4..7 and 8..10 */
    assert_true(r[9] == 2 && r[10] == 0.25 && r[11] == 0);
  }
  made.w[9] = made.w[15] = 1; /* nothing presses any more */
  sweeping how = {.sweeps = 1};
  double r[33] = {0};
  r[9] = 2;
  assert_int_equal(sweep_problem(context, problem, &how, r, NULL).unsolvable, -1);
  assert_true(r[9] == 0);
  thud_test_context_end(context);
}

/* ---- the solver of one contact in lanes --------------------------------------------------------------------------- */

/* Old impulses, velocities and blocks of four contacts; c = k and s21 = s12 as the sweeps have them. */
static void random_lanes(thud_random *random, bool singular, thud_space_block *block, double (*u)[3], double (*r)[3]) {
  static const double coefficients[] = {0, 0.3, 0.8, 1e4};
  for (size_t lane = 0; lane < 4; lane++) {
    double W[9], B[3];
    thud_test_random_spd(random, 3, singular ? 0 : 0.01, W);
    thud_test_random_vector(random, 3, B);
    for (size_t i = 0; i < 9 && singular; i++) W[i] = B[i / 3] * B[i % 3];
    thud_space_prepare(W, coefficients[thud_random_below(random, 4)], &block[lane]);
    block[lane].s21 = block[lane].s12;
    thud_test_random_vector(random, 3, u[lane]);
    thud_test_random_vector(random, 3, r[lane]);
    if (thud_random_below(random, 3) == 0) r[lane][1] = r[lane][2] = 0;
  }
}

static thud_one_contact_mode solve_one(const thud_space_block *block, const double *u, double *r) {
  double t1 = u[1] - block->c1 * u[0], t2 = u[2] - block->c2 * u[0], along = -(t1 * r[1] + t2 * r[2]);
  thud_space_load load = {.h = u[0] * block->inverse_normal - r[0] - block->k1 * r[1] - block->k2 * r[2],
                          .b1 = t1 - block->s11 * r[1] - block->s12 * r[2],
                          .b2 = t2 - block->s21 * r[1] - block->s22 * r[2],
                          .alpha = along > 0 ? along / (r[1] * r[1] + r[2] * r[2]) : 0};
  return thud_space_solve(block, &load, r);
}

#define LANES_OF(field)                                                                                                \
  (thud_v4) { block[0].field, block[1].field, block[2].field, block[3].field }

/* Lane by lane the bits are those of the solver for one contact; few lanes are left to it. */
static void four_contacts_are_solved_as_one_by_one(void **state) {
  (void)state;
  thud_random random = thud_random_seed(250);
  size_t cold = 0, all = 0, modes[5] = {0};
  for (size_t round = 0; round < 20000; round += THUD_TEST_STRIDE(10)) {
    thud_space_block block[4];
    double u[4][3], r[4][3];
    bool singular = round % 50 == 0;
    random_lanes(&random, singular, block, u, r);
    const thud_space_lanes lanes = {.inverse_normal = LANES_OF(inverse_normal),
                                    .k1 = LANES_OF(k1),
                                    .k2 = LANES_OF(k2),
                                    .s11 = LANES_OF(s11),
                                    .s12 = LANES_OF(s12),
                                    .s22 = LANES_OF(s22),
                                    .mu = LANES_OF(mu)};
    thud_v4 velocity[3], impulse[3];
    for (size_t i = 0; i < 3; i++) {
      velocity[i] = (thud_v4){u[0][i], u[1][i], u[2][i], u[3][i]};
      impulse[i] = (thud_v4){r[0][i], r[1][i], r[2][i], r[3][i]};
    }
    thud_space_lanes_load load;
    thud_space_lanes_solve(&lanes, velocity, impulse, &load);
    for (size_t lane = 0; lane < 4; lane++) {
      thud_one_contact_mode mode = solve_one(&block[lane], u[lane], r[lane]);
      modes[mode]++;
      if (!singular) {
        all++;
        cold += (thud_m4_bits(load.cold) >> lane) & 1;
      }
      if ((thud_m4_bits(load.cold) >> lane & 1) != 0) continue;
      for (size_t i = 0; i < 3; i++) assert_true(impulse[i][lane] == r[lane][i]);
    }
  }
  for (size_t mode = THUD_MODE_OPEN; mode <= THUD_MODE_SLIP; mode++) thud_assert_greater(modes[mode], all / 20);
  thud_assert_less(cold, all / 5);
}

/* ---- chunks -------------------------------------------------------------------------------------------------------- */

typedef struct chunk_log {
  const thud_chunks *chunks;
  bool backward;
  int *done; /* [chunks] */
  bool early;
} chunk_log;

/* A chunk finds all chunks of the sets before its own done; those of its own set it must not look at. */
static void log_chunk(void *user, size_t chunk) {
  chunk_log *log = user;
  const size_t *start = log->chunks->start;
  size_t set = 0;
  while (start[set + 1] <= chunk) set++;
  size_t first = log->backward ? start[set + 1] : 0, end = log->backward ? log->chunks->count : start[set];
  for (size_t k = first; k < end; k++)
    if (log->done[k] != 1) log->early = true;
  log->done[chunk]++;
}

static void sets_follow_each_other_and_chunks_come_once(void **state) {
  (void)state;
  static const size_t start[] = {0, 1000, 1000, 1003, 2500, 2501, 2900};
  for (int threads = 1; threads <= 4; threads++) {
    thud_context *context = thud_test_context(threads);
    thud_chunks chunks = {0};
    assert_int_equal(thud_chunks_make(context, &chunks, 6, start, 10), THUD_OK);
    assert_int_equal(chunks.count, 100 + 1 + 150 + 1 + 1);
    assert_int_equal(chunks.first[chunks.count], 2900);
    assert_int_equal(chunks.first[chunks.count - 1], 2501); /* the last set is one chunk */
    for (int round = 0; round < 40; round++) {
      int done[253] = {0};
      chunk_log log = {.chunks = &chunks, .backward = round % 2 == 1, .done = done};
      thud_chunks_run(context, &chunks, log.backward, round % 4 < 2, log_chunk, &log);
      assert_false(log.early);
      for (size_t k = 0; k < chunks.count; k++) assert_int_equal(done[k], 1);
    }
    thud_chunks_free(context, &chunks);
    thud_test_context_end(context);
  }
}

/* ---- memory --------------------------------------------------------------------------------------------------------- */

/* In lanes with frames, then in general, then one by one. */
static thud_error make_and_update(thud_context *context, void *user) {
  rigid *made = user;
  const double kept = made->jacobian_a[0];
  thud_two_block_sweep *sweep = NULL;
  thud_error error = thud_two_block_sweep_create(context, &made->problem, &sweep);
  for (int k = 0; error == THUD_OK && k < 3; k++) {
    made->jacobian_a[0] = kept + (k == 1 ? 0.1 : 0);
    thud_two_block_sweep_choose(sweep, &(thud_two_block_choice){.one_by_one = k == 2});
    error = thud_two_block_sweep_update(sweep, &made->problem, true);
  }
  made->jacobian_a[0] = kept;
  thud_two_block_sweep_destroy(sweep);
  return error;
}

static void failing_allocations_are_reported(void **state) {
  (void)state;
  static rigid made;
  thud_random random = thud_random_seed(260);
  make_rigid(&random, &(rigid_shape){.contacts = 30, .inertias = true}, &made);
  thud_assert_at_least(thud_test_sweep_allocations(make_and_update, &made), 15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_give_the_sweeps_of_visits_one_by_one),
      cmocka_unit_test(extrapolated_motions_belong_to_their_impulses),
      cmocka_unit_test(one_sweep_solves_contacts_without_common_bodies),
      cmocka_unit_test(lanes_without_avx2_give_the_same_bits),
      cmocka_unit_test(lanes_give_the_same_bits_on_any_number_of_threads),
      cmocka_unit_test(only_frames_and_rigid_bodies_are_taken_for_such),
      cmocka_unit_test(update_forgets_the_bodies_and_groups_before),
      cmocka_unit_test(joints_go_with_lanes),
      cmocka_unit_test(unsolvable_contacts_are_named_in_the_order_of_visits),
      cmocka_unit_test(four_contacts_are_solved_as_one_by_one),
      cmocka_unit_test(sets_follow_each_other_and_chunks_come_once),
      cmocka_unit_test(failing_allocations_are_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
