/* Time stepping on random systems: what must hold whatever the masses, constraints and forces are. */
#include "systems.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4, M = 3, SYSTEMS = 40 };

/* ---- random linear systems: M v' = p - K q + reactions, gaps c + A q, slip S v ------------------------------------
 */

typedef struct linear {
  int n, m;
  bool friction;
  double mass[N * N], stiffness[N * N], load[N];
  double gradient[M * N], offset[M], slip[M * N], mu[M];
  double restitution;
  double q0[N], v0[N];
} linear;

static void times(int rows, int n, const double *A, const double *x, double *y) {
  for (int i = 0; i < rows; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++) y[i] += A[i * n + j] * x[j];
  }
}

static double dot(int n, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* x'Ay */
static double product(int n, const double *A, const double *x, const double *y) {
  double image[N];
  times(n, n, A, y, image);
  return dot(n, x, image);
}

static int give_potential(void *user, double t, const double *q, const double *v, double *out) {
  const linear *it = user;
  (void)t;
  (void)v;
  out[0] = product(it->n, it->stiffness, q, q) / 2 - dot(it->n, it->load, q);
  return 0;
}

static int give_potential_gradient(void *user, double t, const double *q, const double *v, double *out) {
  const linear *it = user;
  (void)t;
  (void)v;
  times(it->n, it->n, it->stiffness, q, out);
  for (int i = 0; i < it->n; i++) out[i] -= it->load[i];
  return 0;
}

static int give_gap(void *user, double t, const double *q, const double *v, double *out) {
  const linear *it = user;
  (void)t;
  (void)v;
  times(it->m, it->n, it->gradient, q, out);
  for (int i = 0; i < it->m; i++) out[i] += it->offset[i];
  return 0;
}

static int give_gradient(void *user, double t, const double *q, const double *v, double *out) {
  const linear *it = user;
  (void)t;
  (void)q;
  (void)v;
  memcpy(out, it->gradient, (size_t)(it->m * it->n) * sizeof *out);
  return 0;
}

static int give_slip(void *user, double t, const double *q, const double *v, double *out) {
  const linear *it = user;
  (void)t;
  (void)q;
  (void)v;
  memcpy(out, it->slip, (size_t)(it->m * it->n) * sizeof *out);
  return 0;
}

static int give_mu(void *user, double t, const double *q, const double *v, double *out) {
  const linear *it = user;
  (void)t;
  (void)q;
  (void)v;
  memcpy(out, it->mu, (size_t)it->m * sizeof *out);
  return 0;
}

static thud_system *make(thud_context *context, linear *it) {
  static const char *const names[N] = {"a", "b", "c", "d"};
  static const char *const walls[M] = {"wall0", "wall1", "wall2"};
  thud_constraint_def constraints[M];
  thud_friction_def laws[M];
  for (int i = 0; i < it->m; i++) {
    constraints[i] = (thud_constraint_def){.name = walls[i], .restitution = it->restitution};
    laws[i] = (thud_friction_def){.name = walls[i], .constraint = i, .kind = THUD_FRICTION_DISC, .directions = 1};
  }
  thud_system_def def = {.n = it->n,
                         .coordinates = names,
                         .mass = it->mass,
                         .m = it->m,
                         .constraints = constraints,
                         .laws = it->friction ? it->m : 0,
                         .friction = laws,
                         .functions = {.user = it,
                                       .potential = give_potential,
                                       .potential_gradient = give_potential_gradient,
                                       .constraint = give_gap,
                                       .gradient = give_gradient,
                                       .slip = it->friction ? give_slip : NULL,
                                       .friction = it->friction ? give_mu : NULL}};
  thud_system *system;
  if (thud_system_create(context, &def, &system) != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  return system;
}

/* B'B + I/2 */
static void random_spd(thud_random *random, int n, double *A) {
  double B[N * N];
  for (int i = 0; i < n * n; i++) B[i] = thud_random_uniform(random, -1, 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i * n + j] = i == j ? 0.5 : 0;
      for (int k = 0; k < n; k++) A[i * n + j] += B[k * n + i] * B[k * n + j];
    }
}

/* Some velocity opens every wall faster than its friction cone allows: velocity problems then have a solution whatever
 * the loads are (Acary and Cadoux); others may jam. Looked for among random directions. */
static bool cannot_jam(thud_random *random, const linear *it) {
  for (int k = 0; k < 200; k++) {
    double v[N] = {0}, worst = INFINITY;
    for (int i = 0; i < it->n; i++) v[i] = thud_random_uniform(random, -1, 1);
    for (int i = 0; i < it->m; i++)
      worst =
          fmin(worst, dot(it->n, it->gradient + i * it->n, v) - it->mu[i] * fabs(dot(it->n, it->slip + i * it->n, v)));
    if (worst > 0.05) return true;
  }
  return false;
}

/* Two to four coordinates, one to three walls that do not act at the start; forces that push against the first. */
static linear draw_linear(thud_random *random, bool friction) {
  linear it = {.friction = friction};
  it.n = 2 + (int)(thud_random_uniform(random, 0, 2.999));
  it.m = 1 + (int)(thud_random_uniform(random, 0, (it.n < M ? it.n : M) - 0.001));
  random_spd(random, it.n, it.mass);
  random_spd(random, it.n, it.stiffness);
  for (int i = 0; i < it.m * it.n; i++) {
    it.gradient[i] = thud_random_uniform(random, -1, 1);
    it.slip[i] = thud_random_uniform(random, -1, 1);
  }
  for (int i = 0; i < it.n; i++) {
    it.load[i] = thud_random_uniform(random, -1, 1) - 4 * it.gradient[i];
    it.q0[i] = thud_random_uniform(random, -0.5, 0.5);
    it.v0[i] = thud_random_uniform(random, -1, 1);
  }
  for (int i = 0; i < it.m; i++) {
    it.mu[i] = thud_random_uniform(random, 0, 0.8);
    it.offset[i] = 0.1 - dot(it.n, it.gradient + i * it.n, it.q0) + thud_random_uniform(random, 0, 0.3);
  }
  it.restitution = thud_random_uniform(random, 0, 1);
  return it;
}

static linear random_linear(thud_random *random, bool friction) {
  for (;;) {
    linear it = draw_linear(random, friction);
    if (!friction || cannot_jam(random, &it)) return it;
  }
}

static thud_stepping_motion_info run(thud_context *context, linear *it, const thud_stepping_options *options,
                                     thud_test_frame_fn frame, void *user, double *q, double *v) {
  thud_system *system = make(context, it);
  thud_stepping_motion_info info = thud_test_stepping(context, system, options, it->q0, it->v0, frame, user, q, v);
  if (info.status != THUD_MOTION_COMPLETED) fail_msg("%s", thud_context_last_message(context));
  thud_system_destroy(system);
  return info;
}

/* ---- energy --------------------------------------------------------------------------------------------------------
 */

/* The identity of every step closes to rounding; with theta = 1/2 and a quadratic potential the whole ledger does. */
static void the_ledger_closes_on_random_systems_by_every_scheme(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(11);
  for (int k = 0; k < SYSTEMS; k++) {
    linear it = random_linear(&random, k % 2 == 1);
    for (int method = THUD_STEPPING_MOREAU; method <= THUD_STEPPING_REGULARISED; method++) {
      if (it.friction && method == THUD_STEPPING_MABROUK) continue;
      linear same = it;
      if (method == THUD_STEPPING_REGULARISED) same.restitution = 0;
      thud_stepping_options options = thud_test_stepping_options((thud_stepping_method)method, 3, 600);
      thud_stepping_motion_info info = run(context, &same, &options, NULL, NULL, NULL, NULL);
      const thud_ledger *ledger = &info.ledger;
      thud_assert_less(ledger->identity, 1e-13);
      thud_assert_less(info.worst_residual, 1e-10);
      if (method == THUD_STEPPING_MOREAU_JEAN)
        thud_assert_less(fabs(ledger->defect), 1e-7); /* Newton's tolerance a step */
      thud_assert_equal(fabs(ledger->work), 0);       /* all forces come from the potential */
    }
  }
  thud_test_context_end(context);
}

typedef struct losses {
  double before;
  int drops;
} losses;

static int watch_losses(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  losses *seen = user;
  const thud_ledger *ledger = &frame->ledger;
  double now = ledger->impact_loss + ledger->friction_loss + ledger->contact_loss;
  if (now < seen->before - 1e-14 * (1 + ledger->kinetic)) seen->drops++;
  seen->before = now;
  return 0;
}

/* In Moreau's scheme contact impulses act on the velocity after the smooth kick: no step may create energy. */
static void contact_impulses_never_create_energy(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(12);
  int lost = 0;
  for (int k = 0; k < 2 * SYSTEMS; k++) {
    linear it = random_linear(&random, k % 2 == 1);
    losses seen = {0};
    thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_MOREAU, 3, 600);
    run(context, &it, &options, watch_losses, &seen, NULL, NULL);
    assert_int_equal(seen.drops, 0);
    lost += seen.before > 1e-3;
  }
  thud_assert_greater(lost, SYSTEMS);
  thud_test_context_end(context);
}

/* ---- Mabrouk's identity --------------------------------------------------------------------------------------------
 */

typedef struct mabrouk_check {
  const linear *it;
  int node;
  double h, v[N];
  double limit, growth; /* |v0| + (i+1) growth */
} mabrouk_check;

/* |v1|^2/2 - |v0|^2/2 = h p.z - (1-e)/(2(1+e)) |v1-v0|^2, z = (v1 + e v0)/(1+e); y = h p - M(v1-v0) has y.z = 0. */
static int check_mabrouk(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  mabrouk_check *check = user;
  const linear *it = check->it;
  int n = it->n;
  double e = it->restitution, z[N], change[N] = {0}, p[N], momentum[N], sum = 0;
  if (check->node > 0) {
    times(n, n, it->stiffness, frame->q, p);
    for (int i = 0; i < n; i++) {
      p[i] = it->load[i] - p[i];
      z[i] = (frame->v[i] + e * check->v[i]) / (1 + e);
      change[i] = frame->v[i] - check->v[i];
    }
    times(n, n, it->mass, change, momentum);
    for (int i = 0; i < n; i++) sum += (check->h * p[i] - momentum[i]) * z[i];
    double scale = 1 + product(n, it->mass, frame->v, frame->v) + product(n, it->mass, check->v, check->v);
    thud_assert_at_most(fabs(sum), 1e-13 * scale);
    double gain = (product(n, it->mass, frame->v, frame->v) - product(n, it->mass, check->v, check->v)) / 2;
    double right = check->h * dot(n, p, z) - (1 - e) / (2 * (1 + e)) * dot(n, change, momentum);
    thud_assert_near(gain, right, 1e-13 * scale);
    for (int i = 0; i < it->m; i++)
      if (frame->acting[i]) {
        thud_assert_at_least(dot(n, it->gradient + i * n, z), -1e-12 * scale);
        thud_assert_at_least(frame->reaction[i], 0);
      }
  }
  check->node++;
  memcpy(check->v, frame->v, (size_t)n * sizeof *check->v);
  double size = sqrt(product(n, it->mass, frame->v, frame->v));
  if (check->growth > 0) thud_assert_at_most(size, check->limit + check->node * check->growth + 1e-12);
  return 0;
}

/* |M^-1 p| in the kinetic metric, by conjugate gradients on the small matrix. */
static double kinetic_size_of_force(const linear *it) {
  int n = it->n;
  double x[N] = {0}, r[N], d[N], image[N];
  memcpy(r, it->load, sizeof r);
  memcpy(d, it->load, sizeof d);
  for (int k = 0; k < 4 * n && dot(n, r, r) > 0; k++) {
    double rr = dot(n, r, r);
    times(n, n, it->mass, d, image);
    double alpha = rr / dot(n, d, image);
    for (int i = 0; i < n; i++) {
      x[i] += alpha * d[i];
      r[i] -= alpha * image[i];
    }
    double beta = dot(n, r, r) / rr;
    for (int i = 0; i < n; i++) d[i] = r[i] + beta * d[i];
  }
  return sqrt(dot(n, it->load, x));
}

static void mabrouks_discrete_identity_and_bound_hold(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(13);
  for (int k = 0; k < 2 * SYSTEMS; k++) {
    linear it = random_linear(&random, false);
    bool constant = k % 2 == 0;
    if (constant) memset(it.stiffness, 0, sizeof it.stiffness);
    thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_MABROUK, 2, 400);
    mabrouk_check check = {.it = &it, .h = 2.0 / 400, .limit = sqrt(product(it.n, it.mass, it.v0, it.v0))};
    if (constant) check.growth = check.h * kinetic_size_of_force(&it);
    run(context, &it, &options, check_mabrouk, &check, NULL, NULL);
    assert_int_equal(check.node, 401);
  }
  thud_test_context_end(context);
}

/* ---- invariance ------------------------------------------------------------------------------------------------- */

static double distance(int n, const double *x, const double *y) {
  double worst = 0;
  for (int i = 0; i < n; i++) worst = fmax(worst, fabs(x[i] - y[i]));
  return worst;
}

/* A <- T'AT */
static void congruence(int n, const double *T, double *A) {
  double B[N * N];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      B[i * n + j] = 0;
      for (int k = 0; k < n; k++) B[i * n + j] += A[i * n + k] * T[k * n + j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i * n + j] = 0;
      for (int k = 0; k < n; k++) A[i * n + j] += T[k * n + i] * B[k * n + j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) A[i * n + j] = A[j * n + i];
}

/* rows[count*n] <- rows T */
static void rows_times(int count, int n, const double *T, double *rows) {
  for (int i = 0; i < count; i++) {
    double row[N];
    for (int j = 0; j < n; j++) {
      row[j] = 0;
      for (int k = 0; k < n; k++) row[j] += rows[i * n + k] * T[k * n + j];
    }
    memcpy(rows + i * n, row, (size_t)n * sizeof *row);
  }
}

/* The same system in coordinates z with q = T z; q0 and v0 are made from z0, w0 that are drawn here. */
static linear in_other_coordinates(thud_random *random, linear *it, double *T) {
  int n = it->n;
  linear other;
  random_spd(random, n, T);
  T[1] += 0.3;
  other = *it;
  memcpy(other.q0, it->q0, sizeof other.q0);
  times(n, n, T, other.q0, it->q0);
  times(n, n, T, other.v0, it->v0);
  for (int i = 0; i < it->m; i++) it->offset[i] = 0.2 - dot(n, it->gradient + i * n, it->q0);
  memcpy(other.offset, it->offset, sizeof other.offset);
  congruence(n, T, other.mass);
  congruence(n, T, other.stiffness);
  rows_times(it->m, n, T, other.gradient);
  rows_times(it->m, n, T, other.slip);
  rows_times(1, n, T, other.load);
  return other;
}

static void motions_do_not_depend_on_coordinates_or_scales_of_gaps(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(14);
  const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU, THUD_STEPPING_MOREAU_JEAN, THUD_STEPPING_STABILISED,
                                          THUD_STEPPING_SECOND_ORDER};
  size_t impacts = 0;
  for (int k = 0; k < SYSTEMS; k++) {
    linear it = random_linear(&random, k % 2 == 1), other, scaled;
    double T[N * N], q[N], v[N], z[N], w[N], from_z[N], from_w[N];
    other = in_other_coordinates(&random, &it, T);
    scaled = it;
    for (int i = 0; i < it.m; i++) {
      double factor = exp2(i == 0 ? 3 : -2); /* powers of two: no rounding */
      scaled.offset[i] *= factor;
      scaled.mu[i] *= factor; /* the normal impulse is divided by it */
      for (int j = 0; j < it.n; j++) scaled.gradient[i * it.n + j] *= factor;
    }
    for (size_t s = 0; s < sizeof methods / sizeof *methods; s++) {
      thud_stepping_options options = thud_test_stepping_options(methods[s], 0.8, 800);
      thud_stepping_motion_info info = run(context, &it, &options, NULL, NULL, q, v);
      run(context, &other, &options, NULL, NULL, z, w);
      times(it.n, it.n, T, z, from_z);
      times(it.n, it.n, T, w, from_w);
      impacts += info.impacts;
      thud_assert_less(distance(it.n, q, from_z), 1e-6);
      run(context, &scaled, &options, NULL, NULL, z, w);
      thud_assert_less(distance(it.n, q, z), 1e-6);
    }
  }
  thud_assert_greater(impacts, SYSTEMS);
  thud_test_context_end(context);
}

static int add_impulses(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  *(double *)user += frame->reaction[0];
  return 0;
}

/* The same set of positions by other functions: multipliers change, the motion does not (up to the step). */
static void other_functions_of_the_same_set_change_multipliers_only(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const char *const functions[] = {"sqrt(x^2+y^2) - 1", "x^2+y^2 - 1", "log(x^2+y^2)", "(x^2+y^2)^2 - 1"};
  const double q0[] = {1.5, -0.4}, v0[] = {-1, 0.3};
  const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU, THUD_STEPPING_MOREAU_JEAN, THUD_STEPPING_STABILISED,
                                          THUD_STEPPING_SECOND_ORDER};
  for (size_t s = 0; s < sizeof methods / sizeof *methods; s++) {
    double first[2], q[2], impulse = 0;
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
      thud_system *system = thud_test_system_make(
          context,
          &(thud_test_system){
              .coordinates = {"x", "y"},
              .kinetic_energy = "(x'^2+y'^2)/2",
              .potential_energy = "2*(x^2+y^2)",
              .constraints = {
                  {.name = "disc", .kind = THUD_CONSTRAINT_UNILATERAL, .source = functions[k], .restitution = "0.8"}}});
      thud_stepping_options options = thud_test_stepping_options(methods[s], 2, 8000);
      double sum = 0;
      thud_stepping_motion_info info =
          thud_test_stepping(context, system, &options, q0, v0, add_impulses, &sum, k == 0 ? first : q, NULL);
      thud_assert_greater(info.impacts, 2);
      if (k > 0) thud_assert_less(distance(2, first, q), 40 * 2.0 / 8000);
      if (k == 1) thud_assert_nearer(sum / impulse, 0.5, 0.01); /* |grad| = 2 on the circle */
      if (k == 0) impulse = sum;
      thud_system_destroy(system);
    }
  }
  thud_test_context_end(context);
}

/* Elastic motions run back when the velocity is turned round, up to the step. */
static void elastic_motions_retrace_their_way(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(15);
  size_t impacts = 0;
  const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU_JEAN, THUD_STEPPING_SECOND_ORDER};
  for (int k = 0; k < SYSTEMS; k++) {
    linear it = random_linear(&random, false);
    it.restitution = 1;
    it.m = 1; /* crossing two walls at once is discontinuous (case C11) */
    for (size_t s = 0; s < 2; s++) {
      linear back = it;
      double q[N];
      thud_stepping_options options = thud_test_stepping_options(methods[s], 2, 8000);
      impacts += run(context, &it, &options, NULL, NULL, back.q0, back.v0).impacts;
      for (int i = 0; i < it.n; i++) back.v0[i] = -back.v0[i];
      options.initial_tolerance = 1e-2; /* the turned state may lie within a step of the wall */
      run(context, &back, &options, NULL, NULL, q, NULL);
      thud_assert_less(distance(it.n, q, it.q0), 60 * 2.0 / 8000);
    }
  }
  thud_assert_greater(impacts, SYSTEMS);
  thud_test_context_end(context);
}

/* |q - q0| + |v| <= (|v0| + int l) exp(int (1 + l)) when |f| <= l (1 + |q - q0| + |v|), kinetic norms. */
typedef struct bound_check {
  const linear *it;
  double l, v0;
} bound_check;

static int check_bound(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  const bound_check *check = user;
  const linear *it = check->it;
  double away[N];
  for (int i = 0; i < it->n; i++) away[i] = frame->q[i] - it->q0[i];
  double size = sqrt(product(it->n, it->mass, away, away)) + sqrt(product(it->n, it->mass, frame->v, frame->v));
  thud_assert_at_most(size, (check->v0 + check->l * frame->t) * exp((1 + check->l) * frame->t) * (1 + 1e-2) + 1e-12);
  return 0;
}

static void motions_stay_within_the_global_bound(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(16);
  for (int k = 0; k < SYSTEMS; k++) {
    linear it = random_linear(&random, false);
    memset(it.stiffness, 0, sizeof it.stiffness);
    bound_check check = {&it, kinetic_size_of_force(&it), sqrt(product(it.n, it.mass, it.v0, it.v0))};
    for (int method = THUD_STEPPING_MOREAU; method <= THUD_STEPPING_SECOND_ORDER; method++) {
      thud_stepping_options options = thud_test_stepping_options((thud_stepping_method)method, 2, 800);
      run(context, &it, &options, check_bound, &check, NULL, NULL);
    }
  }
  thud_test_context_end(context);
}

/* ---- rest ----------------------------------------------------------------------------------------------------------
 */

/* A block that sticks on an incline, seen in horizontal and vertical coordinates, a million steps long. */
static void a_sticking_block_does_not_creep(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *slip[] = {"cos(0.5)*x' + sin(0.5)*y'"};
  thud_system *system = thud_test_system_make(
      context,
      &(thud_test_system){
          .coordinates = {"x", "y"},
          .kinetic_energy = "(x'^2+y'^2)/2",
          .forces = {NULL, "-9.81"},
          .constraints = {{.name = "plane", .source = "cos(0.5)*y - sin(0.5)*x"}},
          .friction = {
              {.name = "f", .constraint = 0, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = slip, .mu = "0.7"}}});
  const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU, THUD_STEPPING_MOREAU_JEAN, THUD_STEPPING_STABILISED};
  const double q0[] = {0, 0}, v0[] = {0, 0};
  for (size_t s = 0; s < 3; s++) {
    double q[2];
    thud_stepping_options options = thud_test_stepping_options(methods[s], 100, s == 0 ? 1000000 : 100000);
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, q0, v0, NULL, NULL, q, NULL);
    assert_int_equal(info.impacts, 0);
    thud_assert_less(hypot(q[0], q[1]), 1e-15);
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* A thousand kilograms on one. */
static void a_stack_with_a_heavy_top_stands(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system =
      thud_test_system_make(context, &(thud_test_system){.coordinates = {"a", "b", "c"},
                                                         .kinetic_energy = "(a'^2 + b'^2 + 1000*c'^2)/2",
                                                         .potential_energy = "9.81*(a + b + 1000*c)",
                                                         .constraints = {{.name = "floor", .source = "a"},
                                                                         {.name = "middle", .source = "b - a - 1"},
                                                                         {.name = "top", .source = "c - b - 1"}}});
  const double q0[] = {0, 1, 2}, v0[] = {0, 0, 0};
  for (int method = THUD_STEPPING_MOREAU; method <= THUD_STEPPING_SECOND_ORDER; method++) {
    double q[3];
    thud_stepping_options options = thud_test_stepping_options((thud_stepping_method)method, 10, 10000);
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, q0, v0, NULL, NULL, q, NULL);
    assert_int_equal(info.status, THUD_MOTION_COMPLETED);
    thud_assert_less(distance(3, q, q0), 3 * 9.81 * 1e-6); /* a few g h^2 */
    assert_int_equal(info.impacts, 0);
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* ---- the same bits ----------------------------------------------------------------------------------------------- */

typedef struct digest {
  uint64_t hash;
  int count, stop; /* stop: ends the run at this frame, 0: never */
} digest;

static void mix_in(digest *into, size_t count, const double *x) {
  for (size_t i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    into->hash = (into->hash ^ bits) * UINT64_C(1099511628211);
  }
}

static int hash_frame(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  digest *into = user;
  mix_in(into, 1, &frame->t);
  mix_in(into, 2, frame->q);
  mix_in(into, 2, frame->v);
  mix_in(into, 2, frame->reaction);
  mix_in(into, 1, &frame->ledger.impact_loss);
  into->count++;
  return into->count == into->stop;
}

static thud_motion *begin(thud_context *context, const thud_system *system, const linear *it,
                          thud_stepping_method method) {
  thud_stepping_options options = thud_test_stepping_options(method, 3, 600);
  thud_motion *motion;
  assert_int_equal(thud_stepping_motion_create(context, system, &options, it->q0, it->v0, &motion), THUD_OK);
  return motion;
}

/* Saved at random nodes and restored into a new motion, on contexts with one to four threads. */
static void bits_survive_threads_and_restoring_at_any_node(void **state) {
  (void)state;
  thud_random random = thud_random_seed(17);
  const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU, THUD_STEPPING_MOREAU_JEAN, THUD_STEPPING_STABILISED,
                                          THUD_STEPPING_SECOND_ORDER};
  for (int k = 0; k < SYSTEMS; k++) {
    linear it = random_linear(&random, k % 4 != 0);
    thud_stepping_method method = methods[k % 4];
    digest whole = {.hash = 1}, parts = {.hash = 1};
    thud_context *context = thud_test_context(1);
    thud_system *system = make(context, &it);
    thud_motion *motion = begin(context, system, &it, method);
    assert_int_equal(thud_motion_run(motion, &(thud_motion_sink){.frame = hash_frame, .user = &whole}, NULL), THUD_OK);
    thud_motion_destroy(motion);
    thud_system_destroy(system);
    thud_test_context_end(context);
    void *block = NULL;
    size_t size = 0;
    for (int threads = 1; threads <= 4; threads++) {
      context = thud_test_context(threads);
      system = make(context, &it);
      motion = begin(context, system, &it, method);
      if (block != NULL) assert_int_equal(thud_motion_restore(motion, block, size), THUD_OK);
      parts.stop = threads < 4 ? parts.count + 1 + (int)thud_random_below(&random, 200) : 0;
      assert_int_equal(thud_motion_run(motion, &(thud_motion_sink){.frame = hash_frame, .user = &parts}, NULL),
                       THUD_OK);
      size = thud_motion_state_size(motion);
      block = realloc(block, size);
      assert_non_null(block);
      thud_motion_save(motion, block);
      thud_motion_destroy(motion);
      thud_system_destroy(system);
      thud_test_context_end(context);
    }
    free(block);
    assert_int_equal(parts.count, 601);
    thud_assert_equal(parts.hash, whole.hash);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_ledger_closes_on_random_systems_by_every_scheme),
      cmocka_unit_test(contact_impulses_never_create_energy),
      cmocka_unit_test(mabrouks_discrete_identity_and_bound_hold),
      cmocka_unit_test(motions_do_not_depend_on_coordinates_or_scales_of_gaps),
      cmocka_unit_test(other_functions_of_the_same_set_change_multipliers_only),
      cmocka_unit_test(elastic_motions_retrace_their_way),
      cmocka_unit_test(motions_stay_within_the_global_bound),
      cmocka_unit_test(a_sticking_block_does_not_creep),
      cmocka_unit_test(a_stack_with_a_heavy_top_stands),
      cmocka_unit_test(bits_survive_threads_and_restoring_at_any_node),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
