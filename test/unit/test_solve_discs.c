/* Contacts of several discs (spinning, rolling, both, rolling in the plane) by every method that takes them: closed
 * forms of a sphere and of a disc, random problems in every form against the laws written out, limits without rolling
 * and spinning friction, refusals. */
#include "random_matrices.h"
#include "random_problems.h"
#include "testing.h"
#include "thud/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { D = 6 };

/* The new kinds, as thud_test_shape_of wants them. */
static const thud_index kinds[] = {4, 6, THUD_TEST_PLANE_ROLLING};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const thud_solver_method *automatic(void) { return thud_solver_method_find("auto"); }

static thud_solver_info solve(thud_context *context, const thud_solver_method *method,
                              const thud_contact_problem *problem, double tolerance, double *r, double *u) {
  thud_solver_options options = thud_solver_options_default();
  thud_solver_info info;
  thud_solver *solver;
  double l[8] = {0};
  options.tolerance = tolerance;
  options.max_iterations = 20000;
  assert_in_range(problem->bilateral, 0, 8);
  memset(r, 0, thud_contact_size(problem) * sizeof(double));
  if (thud_solver_create(context, method, problem, &options, &solver) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  assert_int_equal(thud_solver_solve(solver, r, u, NULL, problem->bilateral > 0 ? l : NULL, &info), THUD_OK);
  if (info.status != THUD_SOLVED || !(info.residual.residual <= tolerance))
    fail_msg("%s on %s: residual %g after %d iterations", thud_solver_method_name(method),
             thud_contact_kind_name(problem), info.residual.residual, info.iterations);
  thud_solver_destroy(solver);
  return info;
}

/* ---- the laws, written out ---------------------------------------------------------------------------------- */

static double length(thud_index n, const double *x) { return n == 1 ? fabs(x[0]) : hypot(x[0], x[1]); }

/* How much (r_p, u_p) fails |r_p| <= bound and bound u_p + |u_p| r_p = 0 (maximal dissipation). */
static double disc_defect(thud_index n, double bound, const double *r, const double *u) {
  double worst = fmax(0, length(n, r) - bound), speed = length(n, u);
  for (thud_index i = 0; i < n; i++) worst = fmax(worst, fabs(bound * u[i] + speed * r[i]));
  return worst;
}

/* The worst defect of all contacts: Signorini's law and those of the parts, by the table of thud/contact.h. */
static double law_defect(const thud_contact_problem *problem, const double *r, const double *u) {
  thud_index d = problem->dimension, plane = problem->friction == THUD_FRICTION_PLANE_ROLLING;
  double worst = 0;
  for (thud_index c = 0; c < problem->contacts; c++, r += d, u += d) {
    double bound = problem->mu[c] * r[0];
    worst = fmax(worst, fmax(fmax(-r[0], -u[0]), fabs(r[0] * u[0])));
    worst = fmax(worst, disc_defect(plane ? 1 : 2, bound, r + 1, u + 1));
    if (plane) worst = fmax(worst, disc_defect(1, problem->mu_rolling[c] * r[0], r + 2, u + 2));
    if (d >= 5) worst = fmax(worst, disc_defect(2, problem->mu_rolling[c] * r[0], r + 3, u + 3));
    if (d == 4 || d == 6) worst = fmax(worst, disc_defect(1, problem->mu_spinning[c] * r[0], r + d - 1, u + d - 1));
  }
  return worst;
}

/* ---- a sphere on a plane ------------------------------------------------------------------------------------- */

/* Mass m, radius R, inertia 2/5 m R^2; rows N, T1, T2, S at the point below the centre. */
typedef struct sphere {
  double m, R, inertia, mu, mu_spinning;
  double inverse[36], free[6], rows[24];
  thud_index a, b;
} sphere;

static thud_contact_problem sphere_problem(sphere *s) {
  const double rows[24] = {0, 0, 1, 0,    0, 0, 1, 0, 0, 0, -s->R, 0, /* N, T1: v + omega x (0, 0, -R) */
                           0, 1, 0, s->R, 0, 0, 0, 0, 0, 0, 0,     1};
  memcpy(s->rows, rows, sizeof rows);
  memset(s->inverse, 0, sizeof s->inverse);
  for (size_t i = 0; i < 6; i++) s->inverse[7 * i] = 1 / (i < 3 ? s->m : s->inertia);
  s->a = 0;
  s->b = -1;
  thud_contact_problem problem = {
      .form = THUD_FORM_TWO_BLOCK, .dimension = 4, .contacts = 1, .mu = &s->mu, .mu_spinning = &s->mu_spinning};
  problem.two_block = (thud_two_block){.bodies = 1,
                                       .block = 6,
                                       .inverse_mass = s->inverse,
                                       .free_velocity = s->free,
                                       .body_a = &s->a,
                                       .body_b = &s->b,
                                       .jacobian_a = s->rows};
  return problem;
}

/* r_N = -m v_z; sliding sees 1/m + R^2/I = 7/(2 m), spinning 1/I, and neither sees the other. */
static void sphere_answer(const sphere *s, double *r, double *u) {
  double slip[2] = {s->free[0] - s->R * s->free[4], s->free[1] + s->R * s->free[3]}, speed = hypot(slip[0], slip[1]);
  double mobility = 1 / s->m + s->R * s->R / s->inertia, spin = s->free[5];
  r[0] = -s->m * s->free[2];
  u[0] = 0;
  double held = speed / mobility, sliding = fmin(held, s->mu * r[0]);
  for (int i = 0; i < 2; i++) {
    r[1 + i] = speed > 0 ? -sliding * slip[i] / speed : 0;
    u[1 + i] = slip[i] + mobility * r[1 + i];
  }
  r[3] = -copysign(fmin(fabs(spin) * s->inertia, s->mu_spinning * r[0]), spin);
  u[3] = spin + r[3] / s->inertia;
}

static sphere random_sphere(thud_random *random) {
  sphere s = {.m = thud_random_uniform(random, 0.5, 2), .R = thud_random_uniform(random, 0.3, 1)};
  s.inertia = 0.4 * s.m * s.R * s.R;
  s.mu = thud_random_uniform(random, 0.1, 0.8);
  s.mu_spinning = thud_random_uniform(random, 0.02, 0.2);
  for (int i = 0; i < 6; i++) s.free[i] = 0.5 * thud_random_normal(random);
  s.free[2] = -thud_random_uniform(random, 0.2, 1);
  return s;
}

static void spheres_spin_and_slide_independently(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  int modes[4] = {0};
  for (int trial = 0; trial < 60; trial++) {
    sphere s = random_sphere(&random);
    thud_contact_problem two_block = sphere_problem(&s);
    thud_owned_problem *local = NULL, *global = NULL;
    double expected[4], velocity[4], r[4], u[4];
    sphere_answer(&s, expected, velocity);
    modes[(fabs(velocity[3]) > 1e-9 ? 1 : 0) + (hypot(velocity[1], velocity[2]) > 1e-9 ? 2 : 0)]++;
    assert_int_equal(thud_contact_to_local(context, &two_block, THUD_MATRIX_DENSE, &local), THUD_OK);
    assert_int_equal(thud_contact_to_global(context, &two_block, &global), THUD_OK);
    const thud_contact_problem *forms[] = {&two_block, thud_owned_problem_view(local), thud_owned_problem_view(global)};
    for (size_t f = 0; f < 3; f++)
      for (size_t m = 0; m < thud_solver_method_count(); m++) {
        if (!thud_solver_method_takes(thud_solver_method_at(m), forms[f])) continue;
        solve(context, thud_solver_method_at(m), forms[f], 1e-11, r, u);
        thud_assert_at_most(thud_test_max_difference(4, r, expected), 1e-8);
        thud_assert_at_most(thud_test_max_difference(4, u, velocity), 1e-8);
      }
    thud_owned_problem_destroy(local);
    thud_owned_problem_destroy(global);
  }
  for (int k = 0; k < 4; k++) thud_assert_at_least(modes[k], 4); /* each of stopped, spinning, sliding, both */
  thud_test_context_end(context);
}

/* Spun about the normal on a plane, steps of length h: omega falls by mu_s m g h / I in each until it stops, and stays. */
static void a_spinning_sphere_slows_down_and_stops(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double g = 9.81, h = 0.01, spin = 5;
  sphere s = {.m = 1.5, .R = 0.5, .inertia = 0.15, .mu = 0.4, .mu_spinning = 0.02};
  double omega = spin, braking = s.mu_spinning * s.m * g * h / s.inertia, r[4], u[4];
  int steps = (int)ceil(spin / braking);
  assert_in_range(steps, 20, 300);
  for (int k = 1; k <= steps + 5; k++) {
    memset(s.free, 0, sizeof s.free);
    s.free[2] = -g * h;
    s.free[5] = omega;
    thud_contact_problem problem = sphere_problem(&s);
    solve(context, automatic(), &problem, 1e-12, r, u);
    double expected = fmax(0, spin - k * braking);
    thud_assert_near(u[3], expected, 1e-9);
    thud_assert_near(r[3], (expected - omega) * s.inertia, 1e-9);
    thud_assert_at_most(hypot(r[1], r[2]), 1e-10);
    omega = u[3];
  }
  thud_assert_at_most(fabs(omega), 1e-9);
  thud_test_context_end(context);
}

/* ---- a disc in the plane --------------------------------------------------------------------------------------- */

/* (x, y, angle), mass m, inertia m R^2/2, rows N, T = v_x + R omega, R = omega: W_TT = 3/m, W_TR = R/I, W_RR = 1/I. With
 * r_N = -m v_y known the parts have the box |r_T| <= a, |r_R| <= b: each is at a bound or has u = 0. */
static void disc_answer(double m, double R, const double *v, double mu, double mu_rolling, double *r, double *u) {
  double I = 0.5 * m * R * R, W[2][2] = {{1 / m + R * R / I, R / I}, {R / I, 1 / I}};
  double q[2] = {v[0] + R * v[2], v[2]}, bound[2];
  r[0] = -m * v[1];
  u[0] = 0;
  bound[0] = mu * r[0];
  bound[1] = mu_rolling * r[0];
  for (int mode = 0; mode < 9; mode++) { /* of each part: -1, 0 (u = 0), 1 */
    int sign[2] = {mode % 3 - 1, mode / 3 - 1};
    double x[2] = {sign[0] * bound[0], sign[1] * bound[1]}, det = W[0][0] * W[1][1] - W[0][1] * W[1][0];
    if (sign[0] == 0 && sign[1] == 0) {
      x[0] = -(W[1][1] * q[0] - W[0][1] * q[1]) / det;
      x[1] = -(W[0][0] * q[1] - W[1][0] * q[0]) / det;
    } else {
      for (int i = 0; i < 2; i++)
        if (sign[i] == 0) x[i] = -(q[i] + W[i][1 - i] * x[1 - i]) / W[i][i];
    }
    bool good = true;
    for (int i = 0; i < 2; i++) {
      double w = q[i] + W[i][0] * x[0] + W[i][1] * x[1];
      good = good && (sign[i] == 0 ? fabs(x[i]) <= bound[i] : sign[i] * w <= 0);
      r[1 + i] = x[i];
      u[1 + i] = sign[i] == 0 ? 0 : w;
    }
    if (good) return;
  }
  fail_msg("no mode fits");
}

static void a_disc_in_the_plane_sticks_rolls_and_slips(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(2);
  int modes[4] = {0};
  for (int trial = 0; trial < 80; trial++) {
    double m = thud_random_uniform(&random, 0.5, 2), R = thud_random_uniform(&random, 0.3, 1);
    double mu = thud_random_uniform(&random, 0.1, 0.8), mu_rolling = thud_random_uniform(&random, 0.01, 0.2);
    double v[3], expected[3], velocity[3], r[3], u[3];
    const double inverse[9] = {1 / m, 0, 0, 0, 1 / m, 0, 0, 0, 2 / (m * R * R)}, rows[9] = {0, 1, 0, 1, 0, R, 0, 0, 1};
    const thud_index a = 0, b = -1;
    for (int i = 0; i < 3; i++) v[i] = 0.3 * thud_random_normal(&random);
    v[1] = -thud_random_uniform(&random, 0.2, 1);
    disc_answer(m, R, v, mu, mu_rolling, expected, velocity);
    modes[(fabs(velocity[1]) > 1e-9 ? 1 : 0) + (fabs(velocity[2]) > 1e-9 ? 2 : 0)]++;
    thud_contact_problem problem = {.form = THUD_FORM_TWO_BLOCK,
                                    .dimension = 3,
                                    .contacts = 1,
                                    .mu = &mu,
                                    .mu_rolling = &mu_rolling,
                                    .friction = THUD_FRICTION_PLANE_ROLLING};
    problem.two_block = (thud_two_block){.bodies = 1,
                                         .block = 3,
                                         .inverse_mass = inverse,
                                         .free_velocity = v,
                                         .body_a = &a,
                                         .body_b = &b,
                                         .jacobian_a = rows};
    for (size_t k = 0; k < thud_solver_method_count(); k++) {
      if (!thud_solver_method_takes(thud_solver_method_at(k), &problem)) continue;
      solve(context, thud_solver_method_at(k), &problem, 1e-11, r, u);
      thud_assert_at_most(thud_test_max_difference(3, r, expected), 1e-8);
      thud_assert_at_most(thud_test_max_difference(3, u, velocity), 1e-8);
    }
  }
  for (int k = 0; k < 4; k++) thud_assert_at_least(modes[k], 4); /* stopped, slipping, rolling, both */
  thud_test_context_end(context);
}

/* ---- random problems --------------------------------------------------------------------------------------------- */

enum { FORMS = 6 };

static thud_error build(thud_context *context, int form, thud_index kind, thud_index contacts, uint64_t seed,
                        thud_test_problem *made) {
  thud_random random = thud_random_seed(seed);
  thud_test_shape shape = thud_test_shape_of(kind, contacts);
  switch (form) {
  case 0: return thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, made);
  case 1: return thud_test_random_local(context, &random, &shape, THUD_MATRIX_SPARSE, made);
  case 2: return thud_test_random_local(context, &random, &shape, THUD_MATRIX_BLOCKS, made);
  case 3: return thud_test_random_two_block(context, &random, &shape, made);
  case 4: return thud_test_random_rigid_global(context, &random, &shape, made);
  default: return thud_test_flexible_global(context, &random, &shape, 6 * contacts + 8, 2, 0, made);
  }
}

static void random_problems_are_solved_in_every_form(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  int solved = 0;
  for (size_t k = 0; k < KINDS; k++)
    for (int form = 0; form < FORMS; form++)
      for (thud_index contacts = 2; contacts <= 8; contacts += 3) {
        thud_test_problem made;
        double r[8 * D], u[8 * D];
        assert_int_equal(build(context, form, kinds[k], contacts, 10 * (uint64_t)form + (uint64_t)contacts, &made),
                         THUD_OK);
        for (size_t m = 0; m < thud_solver_method_count(); m++) {
          const thud_solver_method *method = thud_solver_method_at(m);
          if (!thud_solver_method_takes(method, made.problem)) continue;
          double tolerance = method == automatic() ? 1e-8 : 1e-6;
          thud_solver_info info = solve(context, method, made.problem, tolerance, r, u);
          /* |r - proj(r - u~)| <= tolerance scale: every inequality fails by that at most, products times sizes */
          size_t size = thud_contact_size(made.problem);
          double sizes = 1 + thud_test_max(size, r) + thud_test_max(size, u);
          thud_assert_at_most(law_defect(made.problem, r, u), 4 * tolerance * info.residual.scale * sizes);
          solved++;
        }
        thud_test_problem_destroy(&made);
      }
  print_message("%d answers\n", solved);
  thud_assert_at_least(solved, KINDS * FORMS * 3 * 9);
  thud_test_context_end(context);
}

/* y = W x of a dense W. */
typedef struct dense_product {
  size_t n;
  const double *W;
} dense_product;

static void apply(void *user, const double *x, double *y) {
  const dense_product *product = user;
  memset(y, 0, product->n * sizeof *y);
  for (size_t j = 0; j < product->n; j++)
    for (size_t i = 0; i < product->n; i++) y[i] += product->W[j * product->n + i] * x[j];
}

static void problems_known_by_products_are_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < KINDS; k++) {
    thud_test_problem made;
    double r[6 * D], u[6 * D], blocks[6 * D * D];
    assert_int_equal(build(context, 0, kinds[k], 6, 5, &made), THUD_OK);
    size_t d = (size_t)made.problem->dimension, n = 6 * d;
    dense_product product = {n, made.problem->W.dense};
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < d; i++) blocks[j * d + i] = product.W[j * n + j / d * d + i];
    thud_contact_problem problem = *made.problem;
    problem.W = (thud_matrix){.storage = THUD_MATRIX_OPERATOR, .rows = (thud_index)n, .columns = (thud_index)n};
    problem.W.products = (thud_operator){apply, &product, (thud_index)d, blocks};
    for (size_t m = 0; m < thud_solver_method_count(); m++)
      if (thud_solver_method_takes(thud_solver_method_at(m), &problem)) {
        solve(context, thud_solver_method_at(m), &problem, 1e-7, r, u);
        thud_assert_at_most(law_defect(&problem, r, u), 1e-5);
      }
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

static void piles_of_spheres_are_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (thud_index dimension = 4; dimension <= 6; dimension += 2) {
    thud_random random = thud_random_seed(3);
    thud_test_pile pile = {.nx = 3,
                           .ny = 3,
                           .nz = 3,
                           .dimension = dimension,
                           .mu = 0.3,
                           .mu_rolling = 0.05,
                           .mass_ratio = 1,
                           .noise = 0.05,
                           .mu_spinning = 0.03};
    thud_test_problem made;
    assert_int_equal(thud_test_pile_of_spheres(context, &random, &pile, &made), THUD_OK);
    size_t size = thud_contact_size(made.problem);
    double *r = thud_test_doubles(size), *u = thud_test_doubles(size);
    for (size_t m = 0; m < thud_solver_method_count(); m++)
      if (thud_solver_method_takes(thud_solver_method_at(m), made.problem)) {
        bool precise = thud_solver_method_at(m) == automatic();
        thud_solver_info info = solve(context, thud_solver_method_at(m), made.problem, precise ? 1e-8 : 1e-4, r, u);
        thud_assert_at_least(info.residual.dissipation, -1e-6);
      }
    free(r);
    free(u);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* ---- limits -------------------------------------------------------------------------------------------------------- */

/* The problem without the components from `kept` on of every contact; W and q are filled. */
static thud_contact_problem without_parts(const thud_contact_problem *problem, thud_index kept, double *W, double *q) {
  size_t d = (size_t)problem->dimension, n = (size_t)kept, contacts = (size_t)problem->contacts;
  size_t size = d * contacts, small = n * contacts;
  for (size_t j = 0; j < small; j++) {
    q[j] = problem->q[j / n * d + j % n];
    for (size_t i = 0; i < small; i++)
      W[j * small + i] = problem->W.dense[(j / n * d + j % n) * size + i / n * d + i % n];
  }
  return thud_test_dense_problem(kept, problem->contacts, W, q, problem->mu);
}

/* mu_rolling = mu_spinning = 0: these impulses vanish, the others are those of the problem without these components. */
static void without_their_friction_the_new_components_do_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double zeros[5] = {0};
  for (size_t k = 0; k < KINDS; k++)
    for (uint64_t seed = 0; seed < 10; seed++) {
      thud_test_problem made;
      double r[5 * D], u[5 * D], plain[15], plain_u[15], W[225], q[15];
      assert_int_equal(build(context, 0, kinds[k], 5, 100 + seed, &made), THUD_OK);
      thud_contact_problem problem = *made.problem;
      thud_index kept = kinds[k] == THUD_TEST_PLANE_ROLLING ? 2 : 3;
      thud_contact_problem smaller = without_parts(&problem, kept, W, q);
      double mu[5]; /* small: the answer is unique */
      for (int c = 0; c < 5; c++) mu[c] = 0.3 * problem.mu[c];
      problem.mu = smaller.mu = mu;
      if (problem.mu_rolling != NULL) problem.mu_rolling = zeros;
      if (problem.mu_spinning != NULL) problem.mu_spinning = zeros;
      solve(context, automatic(), &smaller, 1e-12, plain, plain_u);
      for (size_t m = 0; m < thud_solver_method_count(); m++) {
        const thud_solver_method *method = thud_solver_method_at(m);
        if (!thud_solver_method_takes(method, &problem)) continue;
        bool precise = method == automatic();
        solve(context, method, &problem, precise ? 1e-12 : 1e-8, r, u);
        for (thud_index i = 0; i < 5 * problem.dimension; i++) {
          thud_index c = i / problem.dimension, component = i % problem.dimension;
          thud_assert_near(r[i], component < kept ? plain[c * kept + component] : 0, precise ? 1e-9 : 1e-5);
        }
      }
      thud_test_problem_destroy(&made);
    }
  thud_test_context_end(context);
}

/* ---- the shift, certificates, refusals ------------------------------------------------------------------------------ */

static void shift_is_the_sum_over_the_discs(void **state) {
  (void)state;
  const double mu = 0.5, mu_rolling = 0.25, mu_spinning = 0.125, u[6] = {7, 3, -4, 6, 8, -2};
  thud_contact_problem problem = {
      .dimension = 6, .contacts = 1, .mu = &mu, .mu_rolling = &mu_rolling, .mu_spinning = &mu_spinning};
  double shift = 0;
  assert_int_equal(thud_contact_shift(&problem, 0, u, &shift), THUD_OK);
  thud_assert_near(shift, 0.5 * 5 + 0.25 * 10 + 0.125 * 2, 1e-15);
  problem.mu_rolling = NULL;
  problem.dimension = 4;
  assert_int_equal(thud_contact_shift(&problem, 0, u, &shift), THUD_OK);
  thud_assert_near(shift, 0.5 * 5 + 0.125 * 6, 1e-15);
  problem.mu_spinning = NULL;
  problem.mu_rolling = &mu_rolling;
  problem.dimension = 3;
  problem.friction = THUD_FRICTION_PLANE_ROLLING;
  assert_int_equal(thud_contact_shift(&problem, 0, u, &shift), THUD_OK);
  thud_assert_near(shift, 0.5 * 3 + 0.25 * 4, 1e-15);
}

/* Nothing that the contact can do opens it: W_N. = 0. */
static void problems_without_solution_are_proved_to_have_none(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < KINDS; k++) {
    thud_test_shape shape = thud_test_shape_of(kinds[k], 1);
    size_t d = (size_t)shape.dimension;
    double W[D * D] = {0}, q[D] = {-1, 0.5}, r[D] = {0}, u[D];
    const double mu = 0.4;
    for (size_t i = 1; i < d; i++) W[i * (d + 1)] = 1;
    thud_contact_problem problem = thud_test_dense_problem(shape.dimension, 1, W, q, &mu);
    problem.friction = shape.friction;
    if (d == 6 || d == 3) problem.mu_rolling = &mu;
    if (d != 3) problem.mu_spinning = &mu;
    thud_solver *solver;
    thud_solver_info info;
    assert_int_equal(thud_solver_create(context, automatic(), &problem, NULL, &solver), THUD_OK);
    assert_int_equal(thud_solver_solve(solver, r, u, NULL, NULL, &info), THUD_OK);
    assert_int_equal(info.status, THUD_SOLVER_INFEASIBLE);
    assert_int_equal(info.certificate.count, 1);
    thud_solver_destroy(solver);
  }
  thud_test_context_end(context);
}

static void what_cannot_be_done_is_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const thud_solver_method *lemke = thud_solver_method_find("lemke");
  for (size_t k = 0; k < KINDS; k++) {
    thud_test_problem made;
    thud_solver *solver = NULL;
    double r[3 * D], u[3 * D];
    assert_int_equal(build(context, 0, kinds[k], 3, 1, &made), THUD_OK);
    assert_false(thud_solver_method_takes(lemke, made.problem));
    assert_int_equal(thud_solver_create(context, lemke, made.problem, NULL, &solver), THUD_ERROR_UNSUPPORTED);
    thud_test_message_has(context, "lemke", NULL);
    assert_int_equal(thud_contact_enumerate(context, made.problem, 1e-9, NULL, NULL, NULL), THUD_ERROR_UNSUPPORTED);
    thud_test_message_has(context, thud_contact_kind_name(made.problem), NULL);
    thud_solver_info info;
    assert_int_equal(thud_solver_create(context, automatic(), made.problem, NULL, &solver), THUD_OK);
    memset(r, 0, sizeof r);
    assert_int_equal(thud_solver_solve(solver, r, u, NULL, NULL, &info), THUD_OK);
    assert_int_equal(info.status, THUD_SOLVED);
    for (size_t i = 0; i < info.attempt_count; i++) assert_string_not_equal(info.attempts[i].method, "lemke");
    thud_solver_destroy(solver);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* 3 components mean two things: a solver made for one does not take the other. */
static void solvers_do_not_change_from_space_to_the_plane(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_test_problem space, plane;
  thud_solver *solver;
  assert_int_equal(build(context, 0, 3, 3, 1, &space), THUD_OK);
  assert_int_equal(build(context, 0, THUD_TEST_PLANE_ROLLING, 3, 1, &plane), THUD_OK);
  for (size_t m = 0; m < thud_solver_method_count(); m++) {
    if (!thud_solver_method_takes(thud_solver_method_at(m), plane.problem)) continue;
    assert_int_equal(thud_solver_create(context, thud_solver_method_at(m), space.problem, NULL, &solver), THUD_OK);
    assert_int_equal(thud_solver_update(solver, plane.problem), THUD_ERROR_DIMENSION);
    thud_test_message_has(context, "3D friction", "2D rolling friction", NULL);
    thud_solver_destroy(solver);
  }
  thud_test_problem_destroy(&space);
  thud_test_problem_destroy(&plane);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spheres_spin_and_slide_independently),
      cmocka_unit_test(a_spinning_sphere_slows_down_and_stops),
      cmocka_unit_test(a_disc_in_the_plane_sticks_rolls_and_slips),
      cmocka_unit_test(random_problems_are_solved_in_every_form),
      cmocka_unit_test(problems_known_by_products_are_solved),
      cmocka_unit_test(piles_of_spheres_are_solved),
      cmocka_unit_test(without_their_friction_the_new_components_do_nothing),
      cmocka_unit_test(shift_is_the_sum_over_the_discs),
      cmocka_unit_test(problems_without_solution_are_proved_to_have_none),
      cmocka_unit_test(what_cannot_be_done_is_refused),
      cmocka_unit_test(solvers_do_not_change_from_space_to_the_plane),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
