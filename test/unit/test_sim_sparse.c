/* Motions of systems with patterns: sparse and full matrices give the same motion, in every scheme, with diagonal and
 * other masses, with equations, with impacts; what sparse matrices are not for is refused with a reason. */
#include "counting_allocator.h"
#include "failing_allocator.h"
#include "motions/stepping/stepping.h"
#include "solve/row_solver.h"
#include "run_motion.h"
#include "testing.h"
#include "thud/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

static void assert_ok(thud_context *context, thud_error error) {
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(context));
}

static int make_context(void **state) {
  *state = thud_test_context(1);
  return 0;
}

static int end_context(void **state) {
  thud_test_context_end(*state);
  return 0;
}

/* A chain of n masses on a line over a floor: gaps q_0, q_i - q_{i-1} - length, springs to the neighbours with stiffness
 * k_i and damping, a consistent (tridiagonal) or lumped mass, and rods: equations q_i - q_{i-1} = length. */
typedef struct chain {
  thud_index n;
  bool consistent, springs;
  double m[MOST], k[MOST], length, restitution;
  bool rod[MOST];
  double mass[3 * MOST];
  thud_index mass_start[MOST + 1], mass_column[3 * MOST];
  thud_index gap_start[MOST + 1], gap_column[2 * MOST];
  thud_index none[MOST + 1];
  char names[MOST][8];
  const char *coordinates[MOST];
  thud_constraint_def constraints[MOST];
  double q[MOST], v[MOST];
} chain;

static double stretch(const chain *c, thud_index i, const double *q) { return q[i] - q[i - 1] - c->length; }

static int force(void *user, double t, const double *q, const double *v, double *out) {
  const chain *c = user;
  for (thud_index i = 0; i < c->n; i++) out[i] = -9.81 * c->m[i] + 0.1 * sin(3 * t + i);
  for (thud_index i = 1; c->springs && i < c->n; i++) {
    double pull = c->k[i] * stretch(c, i, q) + 0.05 * (v[i] - v[i - 1]);
    out[i] -= pull;
    out[i - 1] += pull;
  }
  return 0;
}

/* d force / d q on the pattern of a tridiagonal matrix, times `unit` instead of the stiffness where that is > 0. */
static void jacobian(const chain *c, double unit, double *out) {
  memset(out, 0, (size_t)c->mass_start[c->n] * sizeof *out);
  for (thud_index i = 1; c->springs && i < c->n; i++) {
    double k = unit > 0 ? unit : c->k[i];
    for (thud_index p = c->mass_start[i - 1]; p < c->mass_start[i + 1]; p++) {
      thud_index row = p < c->mass_start[i] ? i - 1 : i, column = c->mass_column[p];
      if (column == i - 1 || column == i) out[p] += row == column ? -k : k;
    }
  }
}

static int force_dq(void *user, double t, const double *q, const double *v, double *out) {
  (void)t, (void)q, (void)v;
  jacobian(user, 0, out);
  return 0;
}

static int force_dv(void *user, double t, const double *q, const double *v, double *out) {
  (void)t, (void)q, (void)v;
  jacobian(user, 0.05, out);
  return 0;
}

static int gaps(void *user, double t, const double *q, const double *v, double *out) {
  const chain *c = user;
  (void)t, (void)v;
  for (thud_index i = 0; i < c->n; i++) out[i] = i > 0 ? stretch(c, i, q) : q[0];
  return 0;
}

static int gradients(void *user, double t, const double *q, const double *v, double *out) {
  const chain *c = user;
  (void)t, (void)q, (void)v;
  for (thud_index p = 0; p < c->gap_start[c->n]; p++) out[p] = p % 2 == 0 ? 1 : -1;
  return 0;
}

/* rest: begins on the floor, closed; else it falls with random gaps and velocities. */
static void make_chain(thud_random *random, thud_index n, bool consistent, bool springs, bool rods, bool rest,
                       chain *c) {
  *c = (chain){.n = n, .consistent = consistent, .springs = springs, .length = 0.125}; /* gaps of 0 are exact */
  thud_index entries = 0;
  for (thud_index i = 0; i < n; i++) {
    bool rod = rods && i % 5 == 3;
    snprintf(c->names[i], sizeof c->names[i], "q%d", (int)i);
    c->coordinates[i] = c->names[i];
    c->m[i] = thud_random_uniform(random, 0.5, 2);
    c->k[i] = thud_random_uniform(random, 1, 50);
    c->constraints[i] = (thud_constraint_def){.name = c->names[i],
                                              .kind = rod ? THUD_CONSTRAINT_BILATERAL : THUD_CONSTRAINT_UNILATERAL,
                                              .restitution = rest || rod ? 0 : 0.4};
    for (thud_index j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; j++) {
      if (j != i && !consistent && !springs) continue;
      c->mass_column[entries] = j;
      c->mass[entries++] = j != i ? (consistent ? 0.2 : 0) : c->m[i];
    }
    c->mass_start[i + 1] = entries;
    c->gap_start[i + 1] = 2 * i + 1;
    c->gap_column[2 * i] = i;
    if (i > 0) c->gap_column[2 * i - 1] = i - 1;
    c->q[i] = rest ? c->length * i : (i > 0 ? c->q[i - 1] + c->length : 0);
    if (!rest && !rod) c->q[i] += thud_random_uniform(random, 0.001, 0.02);
    c->v[i] = rest ? 0 : rod ? c->v[i - 1] : thud_random_uniform(random, -1, 0.5);
  }
  for (thud_index i = 0; i < n; i++) c->rod[i] = c->constraints[i].kind == THUD_CONSTRAINT_BILATERAL;
}

static thud_error make_system(thud_context *context, chain *c, thud_system **system) {
  const thud_index *start = c->springs ? c->mass_start : c->none;
  const thud_system_patterns patterns = {.mass = {c->mass_start, c->mass_column},
                                         .gradient = {c->gap_start, c->gap_column},
                                         .force_dq = {start, c->mass_column},
                                         .force_dv = {start, c->mass_column}};
  thud_system_def def = {.n = c->n,
                         .coordinates = c->coordinates,
                         .mass = c->mass,
                         .patterns = &patterns,
                         .m = c->n,
                         .constraints = c->constraints,
                         .functions = {.user = c, .force = force, .constraint = gaps, .gradient = gradients}};
  if (c->springs) {
    def.functions.force_dq = force_dq;
    def.functions.force_dv = force_dv;
  }
  return thud_system_create(context, &def, system);
}

/* ---- the same motion ---------------------------------------------------------------------------------------------- */

typedef struct outcome {
  thud_stepping_motion_info info;
  double q[MOST], v[MOST], reaction[MOST];
} outcome;

static outcome run(thud_context *context, const thud_system *system, const chain *c, int method, int law,
                   motion_storage storage, thud_index steps) {
  thud_stepping_options options = thud_stepping_options_default();
  thud_motion *motion = NULL;
  outcome found = {0};
  options.method = method;
  options.end = 1e-3 * steps;
  options.steps = steps;
  options.percussion.law = law;
  assert_ok(context, thud_stepping_motion_create_stored(context, system, &options, storage, c->q, c->v, &motion));
  thud_assert_equal((((const stepping_motion *)motion)->values->sparse != NULL), (storage == MOTION_SPARSE));
  assert_ok(context, thud_test_run_motion(motion, NULL, &found.info));
  thud_stepping_frame frame = thud_stepping_motion_present(motion);
  memcpy(found.q, frame.q, (size_t)c->n * sizeof(double));
  memcpy(found.v, frame.v, (size_t)c->n * sizeof(double));
  memcpy(found.reaction, frame.reaction, (size_t)c->n * sizeof(double));
  thud_motion_destroy(motion);
  return found;
}

static double apart(thud_index n, const double *a, const double *b) {
  double worst = 0;
  for (thud_index i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] - b[i]));
  return worst;
}

/* Both storages to 1e-12 of the sizes at hand (1 m, 1 m/s; impulses of a step are of 1e-2 N s and more). */
static outcome compare_storages(thud_context *context, const thud_system *system, const chain *c, int method, int law,
                                thud_index steps) {
  outcome full = run(context, system, c, method, law, MOTION_FULL, steps);
  outcome sparse = run(context, system, c, method, law, MOTION_SPARSE, steps);
  thud_assert_equal(full.info.status, THUD_MOTION_COMPLETED);
  thud_assert_equal(sparse.info.status, THUD_MOTION_COMPLETED);
  thud_assert_equal(full.info.impacts, sparse.info.impacts);
  thud_assert_at_most(apart(c->n, full.q, sparse.q), 1e-12);
  thud_assert_at_most(apart(c->n, full.v, sparse.v), 1e-12);
  thud_assert_at_most(apart(c->n, full.reaction, sparse.reaction), 1e-12);
  thud_assert_near(full.info.ledger.kinetic, sparse.info.ledger.kinetic, 1e-12 * (1 + full.info.ledger.kinetic));
  thud_assert_near(full.info.ledger.impact_loss, sparse.info.ledger.impact_loss, 1e-11);
  thud_assert_near(full.info.ledger.contact_loss, sparse.info.ledger.contact_loss, 1e-11);
  thud_assert_at_most(sparse.info.ledger.identity, 1e-12);
  return sparse;
}

static void compare(thud_context *context, chain *c, int method, int law, thud_index steps) {
  thud_system *system = NULL;
  assert_ok(context, make_system(context, c, &system));
  compare_storages(context, system, c, method, law, steps);
  thud_system_destroy(system);
}

/* Lumped and consistent masses, with and without rods, falling and at rest. */
static void sparse_and_full_matrices_give_the_same_motion(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(11);
  static const int methods[] = {THUD_STEPPING_MOREAU, THUD_STEPPING_SECOND_ORDER, THUD_STEPPING_MOREAU_JEAN,
                                THUD_STEPPING_STABILISED, THUD_STEPPING_IMPLICIT};
  for (int k = 0; k < 8; k++)
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
      chain c;
      make_chain(&random, 12 + 5 * (k / 2), k % 2 == 1, false, k >= 4, k % 4 >= 2, &c);
      compare(context, &c, methods[m], THUD_IMPACT_NEWTON, 60);
    }
}

/* Springs and damping: the theta schemes solve in the metric of their Newton steps, explicit ones do not need it. */
static void implicit_forces_have_sparse_jacobians(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(12);
  static const int methods[] = {THUD_STEPPING_MOREAU, THUD_STEPPING_MOREAU_JEAN, THUD_STEPPING_IMPLICIT};
  for (int k = 0; k < 4; k++)
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
      chain c;
      make_chain(&random, 20, k % 2 == 1, true, false, k >= 2, &c);
      compare(context, &c, methods[m], THUD_IMPACT_CANONICAL, 40);
    }
}

/* A controlled step takes back what it has tried: nothing of the sparse problem stays behind. */
static void controlled_steps_are_taken_back(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(13);
  chain c;
  thud_system *system = NULL;
  double end[2][MOST];
  make_chain(&random, 16, false, false, false, false, &c);
  assert_ok(context, make_system(context, &c, &system));
  for (int k = 0; k < 2; k++) {
    thud_stepping_options options = thud_stepping_options_default();
    thud_motion *motion = NULL;
    thud_stepping_motion_info info;
    options.tolerance = 1e-4;
    options.steps = 0;
    options.end = 0.05;
    options.method = THUD_STEPPING_MOREAU;
    assert_ok(context, thud_stepping_motion_create_stored(context, system, &options,
                                                          k == 0 ? MOTION_FULL : MOTION_SPARSE, c.q, c.v, &motion));
    assert_ok(context, thud_test_run_motion(motion, NULL, &info));
    thud_assert_equal(info.status, THUD_MOTION_COMPLETED);
    memcpy(end[k], thud_stepping_motion_present(motion).q, (size_t)c.n * sizeof(double));
    thud_motion_destroy(motion);
  }
  thud_assert_at_most(apart(c.n, end[0], end[1]), 1e-12);
  thud_system_destroy(system);
}

/* ---- the closed form ---------------------------------------------------------------------------------------------- */

/* n balls at rest: contact i carries what lies above it, whatever n; the public call chooses sparse matrices. */
static void a_column_at_rest_carries_its_weight(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(14);
  chain c;
  thud_system *system = NULL;
  thud_motion *motion = NULL;
  thud_stepping_motion_info info;
  make_chain(&random, 60, false, false, false, true, &c);
  assert_ok(context, make_system(context, &c, &system));
  thud_stepping_options options = thud_stepping_options_default();
  options.method = THUD_STEPPING_MOREAU;
  options.end = 0.01;
  options.steps = 10;
  assert_ok(context, thud_stepping_motion_create(context, system, &options, c.q, c.v, &motion));
  assert_non_null(((const stepping_motion *)motion)->values->sparse);
  assert_ok(context, thud_test_run_motion(motion, NULL, &info));
  thud_stepping_frame frame = thud_stepping_motion_present(motion);
  double above = 0;
  for (thud_index i = c.n; i-- > 0;) {
    above += 1e-3 * (9.81 * c.m[i] - 0.1 * sin(0.03 + i));
    thud_assert_near(frame.reaction[i], above, 1e-12 * above);
    thud_assert_at_most(fabs(frame.v[i]), 1e-14);
  }
  thud_motion_destroy(motion);
  thud_system_destroy(system);
}

/* ---- the same chains by expressions -------------------------------------------------------------------------------- */

typedef struct texts {
  char kinetic[128 * MOST], force[MOST][320], gap[MOST][64];
  const char *forces[MOST];
  thud_expr_constraint_def constraints[MOST];
} texts;

static void write_force(const chain *c, thud_index i, char *text, size_t capacity) {
  int used = snprintf(text, capacity, "%.17g + 0.1*sin(3*t + %d)", -9.81 * c->m[i], (int)i);
  for (thud_index j = i; c->springs && j <= i + 1 && j < c->n; j++)
    if (j > 0)
      used += snprintf(text + used, capacity - (size_t)used, " %c (%.17g*(q%d - q%d - 0.125) + 0.05*(q%d' - q%d'))",
                       j == i ? '-' : '+', c->k[j], (int)j, (int)j - 1, (int)j, (int)j - 1);
}

static void write_texts(const chain *c, texts *made) {
  size_t used = 0;
  for (thud_index i = 0; i < c->n; i++) {
    used += (size_t)snprintf(made->kinetic + used, sizeof made->kinetic - used, "%s%.17g*q%d'^2", i > 0 ? " + " : "",
                             c->m[i] / 2, (int)i);
    if (c->consistent && i > 0)
      used +=
          (size_t)snprintf(made->kinetic + used, sizeof made->kinetic - used, " + 0.2*q%d'*q%d'", (int)i - 1, (int)i);
    write_force(c, i, made->force[i], sizeof made->force[i]);
    if (i > 0)
      snprintf(made->gap[i], sizeof made->gap[i], "q%d - q%d - 0.125", (int)i, (int)i - 1);
    else
      snprintf(made->gap[i], sizeof made->gap[i], "q0");
    made->forces[i] = made->force[i];
    made->constraints[i] = (thud_expr_constraint_def){.name = c->names[i],
                                                      .kind = c->constraints[i].kind,
                                                      .source = made->gap[i],
                                                      .restitution = c->constraints[i].restitution > 0 ? "0.4" : NULL};
  }
}

/* laws: 0, or 1 for a law of dry friction of the first mass. */
static thud_error make_by_texts(thud_context *context, const chain *c, thud_index laws, thud_expr_system_place *place,
                                thud_system **system) {
  static const char *const slip[] = {"q0'"};
  const thud_expr_friction_def law = {
      .name = "rail", .constraint = -1, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = slip, .mu = "0.5"};
  static texts made;
  thud_expr_scope *scope = NULL;
  write_texts(c, &made);
  const thud_expr_system_def def = {.n = c->n,
                                    .coordinates = c->coordinates,
                                    .kinetic_energy = made.kinetic,
                                    .forces = made.forces,
                                    .m = c->n,
                                    .constraints = made.constraints,
                                    .laws = laws,
                                    .friction = &law};
  thud_error error = thud_expr_scope_create(context, &scope);
  if (error == THUD_OK) error = thud_system_create_expressions(context, scope, &def, place, system);
  thud_expr_scope_destroy(scope);
  return error;
}

/* A column of 60 balls and a chain of 60 finite elements (consistent mass, springs): sparse and full matrices of the
 * texts, and the functions in C. */
static void systems_of_expressions_have_patterns(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(18);
  static const int methods[] = {THUD_STEPPING_MOREAU, THUD_STEPPING_MOREAU_JEAN, THUD_STEPPING_IMPLICIT};
  for (int k = 0; k < 4; k++) {
    chain c;
    thud_system *functions = NULL, *by_texts = NULL;
    make_chain(&random, 60, k % 2 == 1, k % 2 == 1, false, k >= 2, &c);
    assert_ok(context, make_system(context, &c, &functions));
    assert_ok(context, make_by_texts(context, &c, 0, NULL, &by_texts));
    assert_true(thud_system_has_patterns(by_texts));
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
      outcome written = compare_storages(context, by_texts, &c, methods[m], THUD_IMPACT_NEWTON, 60);
      outcome sparse = run(context, functions, &c, methods[m], THUD_IMPACT_NEWTON, MOTION_SPARSE, 60);
      thud_assert_equal(written.info.impacts, sparse.info.impacts);
      thud_assert_at_most(apart(c.n, written.q, sparse.q), 1e-12);
      thud_assert_at_most(apart(c.n, written.v, sparse.v), 1e-12);
      thud_assert_at_most(apart(c.n, written.reaction, sparse.reaction), 1e-12);
    }
    thud_system_destroy(functions);
    thud_system_destroy(by_texts);
  }
}

/* Who asks for full matrices gets them: those of the functions. */
static void expressions_with_patterns_have_full_matrices_too(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(19);
  chain c;
  thud_system *systems[2] = {NULL, NULL};
  thud_system_values *values[2] = {NULL, NULL};
  make_chain(&random, 30, true, true, false, false, &c);
  assert_ok(context, make_system(context, &c, &systems[0]));
  assert_ok(context, make_by_texts(context, &c, 0, NULL, &systems[1]));
  for (int k = 0; k < 2; k++) {
    assert_ok(context, thud_system_values_create(context, systems[k], &values[k]));
    assert_ok(context,
              thud_system_evaluate(systems[k], 0.5, c.q, c.v, THUD_AT_EVERYTHING | THUD_AT_JACOBIANS, values[k]));
    assert_ok(context, thud_system_check(systems[k], 0.5, c.q, c.v, 1e-6, NULL));
  }
  thud_index square = c.n * c.n;
  thud_assert_at_most(apart(square, values[0]->mass, values[1]->mass), 1e-15);
  thud_assert_equal(apart(square, values[0]->gradient, values[1]->gradient), 0);
  thud_assert_at_most(apart(square, values[0]->force_dq, values[1]->force_dq), 1e-13);
  thud_assert_at_most(apart(square, values[0]->force_dv, values[1]->force_dv), 1e-15);
  thud_assert_different(values[1]->mass[c.n], 0);
  thud_assert_greater(values[1]->force_dq[c.n], 1);
  for (int k = 0; k < 2; k++) {
    thud_system_values_destroy(context, values[k]);
    thud_system_destroy(systems[k]);
  }
}

/* Few coordinates: full matrices. A mass that is not positive definite is refused on creation, with or without
 * patterns. */
static void small_systems_have_no_patterns(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(20);
  for (thud_index n = 24; n <= 25; n++)
    for (thud_index laws = 0; laws < 2; laws++) {
      chain c;
      thud_system *system = NULL;
      thud_expr_system_place place;
      make_chain(&random, n, true, false, false, true, &c);
      assert_ok(context, make_by_texts(context, &c, laws, NULL, &system));
      thud_assert_equal(thud_system_has_patterns(system), (n == 25));
      thud_system_destroy(system);
      c.m[3] = -1;
      thud_assert_equal(make_by_texts(context, &c, laws, &place, &system), THUD_ERROR_NOT_SPD);
      thud_assert_equal(place.part, THUD_SOURCE_KINETIC);
      assert_non_null(strstr(thud_context_last_message(context), "q3"));
    }
}

/* ---- a large scene -------------------------------------------------------------------------------------------------- */

enum { BALLS = 2000 };

/* Balls of mass 1 at rest upon each other. */
static char *write_column(thud_index n) {
  size_t capacity = 200 * (size_t)n + 500, used = 0;
  char *text = malloc(capacity);
  assert_non_null(text);
#define WRITE(...) used += (size_t)snprintf(text + used, capacity - used, __VA_ARGS__)
  WRITE("thud: 1\nsystem:\n  coordinates: [x0");
  for (int i = 1; i < n; i++) WRITE(", x%d", i);
  WRITE("]\n  kinetic_energy: \"0");
  for (int i = 0; i < n; i++) WRITE(" + 0.5*x%d'^2", i);
  WRITE("\"\n  potential_energy: 8*(x0");
  for (int i = 1; i < n; i++) WRITE(" + x%d", i);
  WRITE(")\n  constraints:\n    - {name: floor, gap: x0}\n");
  for (int i = 1; i < n; i++) WRITE("    - {name: gap%d, gap: x%d - x%d - 1}\n", i, i, i - 1);
  WRITE("initial: {x0: 0");
  for (int i = 1; i < n; i++) WRITE(", x%d: %d", i, i);
  WRITE("}\nsimulate: {method: moreau-jean, end: 0.0625, steps: 4}\n");
#undef WRITE
  thud_assert_less(used, capacity);
  return text;
}

/* Contact i carries the n - i balls above it: an impulse of 8 (n - i) h in a step of h = 1/64, up to rounding: A M^-1 A'
 * has the condition 4 (2 n / pi)^2 = 6.5e6, and that times eps is 1.4e-9. Values with full matrices alone would have
 * seven of them (mass, factor, gradients, Jacobians, differences). */
static void a_scene_of_many_balls_needs_little_memory(void **state) {
  (void)state;
  thud_test_heap heap = {0};
  thud_context_options options = thud_context_options_default();
  options.allocator = thud_test_counting_allocator;
  options.allocator_user = &heap;
  thud_context *context = NULL;
  assert_int_equal(thud_context_create(&options, &context), THUD_OK);
  char *text = write_column(BALLS);
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  const double *q = NULL, *v = NULL;
  assert_ok(context, thud_tree_read_text(context, "scene", text, strlen(text), &tree));
  assert_ok(context, thud_scene_build(context, tree, &scene));
  free(text);
  thud_run_options run_options = thud_run_options_default();
  thud_run_result result = {0};
  assert_ok(context, thud_scene_run(scene, &run_options, &result));
  thud_assert_equal(result.verdict, THUD_VERDICT_GOOD);
  thud_run_result_free(context, &result);

  thud_stepping_options motion_options = thud_stepping_options_default();
  thud_motion *motion = NULL;
  thud_stepping_motion_info info;
  motion_options.method = THUD_STEPPING_MOREAU_JEAN;
  motion_options.end = 0.0625;
  motion_options.steps = 4;
  const thud_system *system = thud_scene_system(scene, &q, &v);
  assert_ok(context, thud_stepping_motion_create(context, system, &motion_options, q, v, &motion));
  assert_non_null(((const stepping_motion *)motion)->values->sparse);
  assert_ok(context, thud_test_run_motion(motion, NULL, &info));
  thud_stepping_frame frame = thud_stepping_motion_present(motion);
  for (thud_index i = 0; i < BALLS; i++) {
    double above = 8.0 * (BALLS - i) / 64;
    thud_assert_near(frame.reaction[i], above, 1e-10 * above);
    thud_assert_at_most(fabs(frame.v[i]), 1e-12);
  }
  thud_motion_destroy(motion);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  thud_context_destroy(context);
  thud_assert_equal(heap.live, 0);
  thud_assert_less(heap.most, 4 * sizeof(double) * BALLS * BALLS);
}

/* ---- the solver of rows ------------------------------------------------------------------------------------------- */

/* Random rows and loads against the conditions of the problem themselves; also where exchanges alone would take one
 * step per row: a column whose gaps part slowly and that is hit from below. */
static void solve_rows(thud_context *context, thud_random *random, thud_index n, bool consistent, bool wave) {
  chain c;
  thud_sparse_metric *metric = NULL;
  thud_row_solver *solver = NULL;
  double value[2 * MOST], load[MOST], z[MOST] = {0}, dv[MOST], u[MOST], scale = 0;
  thud_row_kind kind[MOST];
  bool dependent;
  thud_index failed;
  thud_solver_status status = THUD_SOLVER_LIMIT;
  make_chain(random, n, consistent, false, false, true, &c);
  const thud_index *start = c.mass_start, *column = c.mass_column;
  assert_ok(context, thud_sparse_metric_create(context, n, 1, &start, &column, &metric));
  memcpy(metric->value, c.mass, (size_t)start[n] * sizeof(double));
  assert_ok(context, thud_sparse_metric_factorise(metric, &failed));
  thud_row_matrix rows = {n, c.gap_start, c.gap_column};
  assert_ok(context, thud_row_solver_create(context, metric, &rows, &solver));
  gradients(&c, 0, c.q, c.v, value);
  thud_row_solver_update(solver, metric, value);
  for (thud_index i = 0; i < n; i++) {
    load[i] = wave ? (i == 0 ? -1.0 : 1e-3) : thud_random_uniform(random, -1, 1);
    kind[i] = !wave && i % 7 == 2 ? THUD_ROW_EQUATION : !wave && i % 7 == 5 ? THUD_ROW_ABSENT : THUD_ROW_ONE_SIDED;
  }
  assert_ok(context, thud_row_solver_solve(solver, kind, load, z, &dependent, &status));
  thud_assert_equal(status, THUD_SOLVED);
  assert_false(dependent);
  thud_row_solver_motion(solver, z, dv);
  thud_row_solver_rows(solver, dv, u);
  for (thud_index i = 0; i < n; i++) scale = fmax(scale, fabs(u[i]) + fabs(load[i]));
  for (thud_index i = 0; i < n; i++) {
    double after = u[i] + load[i], tolerance = 1e-12 * scale * n;
    if (kind[i] == THUD_ROW_ABSENT) thud_assert_equal(z[i], 0);
    if (kind[i] == THUD_ROW_EQUATION) thud_assert_at_most(fabs(after), tolerance);
    if (kind[i] == THUD_ROW_ONE_SIDED) {
      thud_assert_at_least(z[i], 0);
      thud_assert_at_least(after, -tolerance);
      thud_assert_at_most(fmin(z[i], fabs(after)), tolerance);
    }
  }
  thud_row_solver_destroy(solver);
  thud_sparse_metric_destroy(metric);
}

static void rows_satisfy_their_conditions(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(15);
  for (int k = 0; k < 40; k++) solve_rows(context, &random, 5 + k, k % 2 == 1, k % 4 >= 2);
}

/* ---- refusals ----------------------------------------------------------------------------------------------------- */

static void what_is_not_sparse_is_refused(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(16);
  chain c;
  thud_system *system = NULL;
  thud_motion *motion = NULL;
  thud_system_values *values = NULL;
  make_chain(&random, 30, true, false, false, true, &c);
  thud_index kept = c.mass_column[1];
  c.mass_column[1] = 2; /* no mirror image */
  thud_assert_equal(make_system(context, &c, &system), THUD_ERROR_ARGUMENT);
  assert_non_null(
      strstr(thud_context_last_message(context),
             "system: pattern of `mass`: row 0 ('q0') has an entry without its mirror image; the mass matrix "
             "is symmetric with a full diagonal"));
  c.mass_column[1] = kept;
  for (thud_index p = 0; p < 3; p++) { /* the entries of row 7 */
    static const char *const says[] = {"mass matrix entry ('q7', 'q6')", "mass matrix entry ('q7', 'q7')",
                                       "mass matrix entry ('q7', 'q8')"};
    double *entry = &c.mass[c.mass_start[7] + p], number = *entry;
    *entry = NAN;
    thud_assert_equal(make_system(context, &c, &system), THUD_ERROR_NOT_FINITE);
    thud_test_message_has(context, says[p], NULL);
    *entry = number;
  }
  c.mass[0] = -1;
  assert_ok(context, make_system(context, &c, &system));
  thud_assert_equal(thud_system_values_create_sparse(context, system, false, &values), THUD_ERROR_NOT_SPD);
  assert_non_null(strstr(thud_context_last_message(context),
                         "system: the mass matrix is not positive definite: pivot 0 (coordinate 'q0') is -1"));
  thud_system_destroy(system);
  c.mass[0] = c.m[0];
  assert_ok(context, make_system(context, &c, &system));
  thud_stepping_options options = thud_stepping_options_default();
  options.steps = 10;
  options.percussion.law = THUD_IMPACT_SEQUENTIAL;
  assert_true(thud_stepping_motion_create_stored(context, system, &options, MOTION_SPARSE, c.q, c.v, &motion) ==
              THUD_ERROR_UNSUPPORTED);
  assert_true(strstr(thud_context_last_message(context),
                     "velocity problem: sparse values do not go with an impact law other than newton and canonical") !=
              NULL);
  c.q[4] -= 0.01; /* penetrates */
  options.percussion.law = THUD_IMPACT_NEWTON;
  assert_true(thud_stepping_motion_create_stored(context, system, &options, MOTION_SPARSE, c.q, c.v, &motion) ==
              THUD_ERROR_ARGUMENT);
  assert_non_null(
      strstr(thud_context_last_message(context), "the initial state violates constraint 'q4' by 0.01 (gap < 0)"));
  thud_system_destroy(system);
}

/* ---- memory ------------------------------------------------------------------------------------------------------- */

static thud_error create_and_run(thud_context *context, void *user) {
  chain *c = user;
  thud_system *system = NULL;
  thud_motion *motion = NULL;
  thud_stepping_motion_info info;
  thud_stepping_options options = thud_stepping_options_default();
  options.method = THUD_STEPPING_MOREAU_JEAN;
  options.end = 0.01;
  options.steps = 3;
  thud_error error = make_system(context, c, &system);
  if (error == THUD_OK)
    error = thud_stepping_motion_create_stored(context, system, &options, MOTION_SPARSE, c->q, c->v, &motion);
  if (error == THUD_OK) error = thud_test_run_motion(motion, NULL, &info);
  thud_motion_destroy(motion);
  thud_system_destroy(system);
  return error;
}

static void failed_allocations_are_survived(void **state) {
  (void)state;
  thud_random random = thud_random_seed(17);
  chain c;
  for (int k = 0; k < 2; k++) {
    make_chain(&random, 8, k == 1, k == 1, true, true, &c);
    thud_assert_greater(thud_test_sweep_allocations(create_and_run, &c), 40);
  }
}

static thud_error create_by_texts(thud_context *context, void *user) {
  thud_system *system = NULL;
  thud_error error = make_by_texts(context, user, 0, NULL, &system);
  thud_system_destroy(system);
  return error;
}

static void failed_allocations_of_patterns_are_survived(void **state) {
  (void)state;
  thud_random random = thud_random_seed(21);
  chain c;
  make_chain(&random, 25, true, true, false, true, &c);
  thud_assert_greater(thud_test_sweep_allocations(create_by_texts, &c), 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sparse_and_full_matrices_give_the_same_motion),
      cmocka_unit_test(implicit_forces_have_sparse_jacobians),
      cmocka_unit_test(controlled_steps_are_taken_back),
      cmocka_unit_test(a_column_at_rest_carries_its_weight),
      cmocka_unit_test(rows_satisfy_their_conditions),
      cmocka_unit_test(what_is_not_sparse_is_refused),
      cmocka_unit_test(failed_allocations_are_survived),
      cmocka_unit_test(systems_of_expressions_have_patterns),
      cmocka_unit_test(expressions_with_patterns_have_full_matrices_too),
      cmocka_unit_test(small_systems_have_no_patterns),
      cmocka_unit_test(a_scene_of_many_balls_needs_little_memory),
      cmocka_unit_test(failed_allocations_of_patterns_are_survived),
  };
  return cmocka_run_group_tests(tests, make_context, end_context);
}
