/* Friction in systems with patterns: sparse and full matrices give the same motion, in the plane and in space, sticking,
 * sliding and struck, with equations, with laws by themselves; what sparse matrices are not for falls back to full ones
 * or is refused with a reason. */
#include "failing_allocator.h"
#include "motions/stepping/stepping.h"
#include "run_motion.h"
#include "testing.h"
#include "thud/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24, TEXT = 160 };

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

/* A tower of blocks that are pushed sideways: coordinates x_i, z_i (slip), y_i (height), gaps y_i - y_(i-1) - 1. */
typedef struct tower {
  thud_index blocks, directions, laws, m, n;
  char name[3 * MOST][16], gap[2 * MOST][TEXT], force[3 * MOST][TEXT], slip[2 * MOST][TEXT], mu[MOST][TEXT],
      kinetic[MOST * 3 * TEXT];
  const char *coordinates[3 * MOST], *forces[3 * MOST], *slips[2 * MOST];
  thud_expr_constraint_def constraints[2 * MOST];
  thud_expr_friction_def friction[MOST];
  double q[3 * MOST], v[3 * MOST];
} tower;

typedef struct tower_kind {
  thud_index directions; /* 1 in the plane, 2 in space */
  bool coupled;          /* x_i and y_i in the kinetic energy */
  bool rods;             /* equations: every fifth block is tied to the one below sideways, without friction */
  bool rails;            /* laws by themselves on every fourth block */
  bool struck;           /* begins with gaps and velocities */
  double push;           /* sideways, in units of the weight */
} tower_kind;

static void add_block(thud_random *random, const tower_kind *kind, tower *made, thud_index i) {
  thud_index d = kind->directions, first = i * (d + 1);
  double m = thud_random_uniform(random, 0.5, 2);
  static const char letters[] = "xzy";
  for (thud_index c = 0; c <= d; c++) {
    thud_index at = first + c;
    bool up = c == d;
    snprintf(made->name[at], sizeof made->name[at], "%c%d", up ? 'y' : letters[c], (int)i);
    snprintf(made->force[at], TEXT, up ? "%.17g" : "%.17g*sin(30*t + %d)", up ? -9.81 * m : kind->push * 9.81 * m,
             (int)(3 * i + c));
    made->coordinates[at] = made->name[at];
    made->forces[at] = made->force[at];
    made->q[at] = !up ? 0 : i == 0 ? 1 : made->q[at - d - 1] + 1;
    if (up && kind->struck) made->q[at] += thud_random_uniform(random, 0.0005, 0.003);
    made->v[at] = kind->struck ? thud_random_uniform(random, -0.4, 0.4) : 0;
    if (up && kind->struck) made->v[at] = -0.5;
  }
  size_t used = strlen(made->kinetic), room = sizeof made->kinetic;
  for (thud_index c = 0; c <= d; c++)
    used += (size_t)snprintf(made->kinetic + used, room - used, " + %.17g*%s'^2", m / 2, made->name[first + c]);
  if (kind->coupled)
    snprintf(made->kinetic + used, room - used, " + %.17g*%s'*%s'", 0.3 * m, made->name[first], made->name[first + d]);
}

static void add_contact(thud_random *random, const tower_kind *kind, tower *made, thud_index i) {
  thud_index d = kind->directions, first = i * (d + 1), below = first - (d + 1);
  if (i == 0)
    snprintf(made->gap[i], TEXT, "y0 - 1");
  else
    snprintf(made->gap[i], TEXT, "y%d - y%d - 1", (int)i, (int)i - 1);
  made->constraints[i] = (thud_expr_constraint_def){.name = made->name[first + d],
                                                    .kind = THUD_CONSTRAINT_UNILATERAL,
                                                    .source = made->gap[i],
                                                    .restitution = kind->struck ? "0.3" : NULL};
  if (kind->rods && i % 5 == 4) return; /* with both, only the sum of the forces would be determined */
  thud_index law = made->laws++;
  bool alone = kind->rails && i % 4 == 3; /* a rail beside the block instead of friction below it */
  for (thud_index c = 0; c < d; c++) {
    char *slip = made->slip[law * d + c];
    if (i == 0 || alone)
      snprintf(slip, TEXT, "%s'", made->name[first + c]);
    else
      snprintf(slip, TEXT, "%s' - %s'", made->name[first + c], made->name[below + c]);
    made->slips[law * d + c] = slip;
  }
  snprintf(made->mu[law], TEXT, "%.17g",
           alone ? thud_random_uniform(random, 0.5, 5) : thud_random_uniform(random, 0.1, 0.8));
  made->friction[law] = (thud_expr_friction_def){.name = made->name[first],
                                                 .constraint = alone ? -1 : i,
                                                 .kind = THUD_FRICTION_DISC,
                                                 .directions = d,
                                                 .slip = made->slips + law * d,
                                                 .mu = made->mu[law]};
}

static void make_tower(thud_random *random, thud_index blocks, const tower_kind *kind, tower *made) {
  memset(made, 0, sizeof *made);
  made->blocks = made->m = blocks;
  made->n = blocks * (kind->directions + 1);
  snprintf(made->kinetic, sizeof made->kinetic, "0");
  for (thud_index i = 0; i < blocks; i++) {
    add_block(random, kind, made, i);
    add_contact(random, kind, made, i);
  }
  for (thud_index i = 4; kind->rods && i < blocks; i += 5) {
    thud_index k = made->m++, first = i * (kind->directions + 1);
    snprintf(made->gap[k], TEXT, "x%d - x%d", (int)i, (int)i - 1);
    made->constraints[k] =
        (thud_expr_constraint_def){.name = "rod", .kind = THUD_CONSTRAINT_BILATERAL, .source = made->gap[k]};
    made->constraints[k].name = made->gap[k];
    made->v[first] = made->v[first - (kind->directions + 1)];
  }
}

static thud_error make_system(thud_context *context, const tower *made, thud_system **system) {
  thud_expr_scope *scope = NULL;
  const thud_expr_system_def def = {.n = made->n,
                                    .coordinates = made->coordinates,
                                    .kinetic_energy = made->kinetic,
                                    .forces = made->forces,
                                    .m = made->m,
                                    .constraints = made->constraints,
                                    .laws = made->laws,
                                    .friction = made->friction};
  thud_error error = thud_expr_scope_create(context, &scope);
  if (error == THUD_OK) error = thud_system_create_expressions(context, scope, &def, NULL, system);
  thud_expr_scope_destroy(scope);
  return error;
}

/* ---- the same motion ---------------------------------------------------------------------------------------------- */

typedef struct outcome {
  thud_stepping_motion_info info;
  double q[3 * MOST], v[3 * MOST], reaction[4 * MOST];
} outcome;

static outcome run(thud_context *context, const thud_system *system, const tower *made, int method,
                   motion_storage storage, thud_index steps) {
  thud_stepping_options options = thud_stepping_options_default();
  thud_motion *motion = NULL;
  outcome found = {0};
  options.method = method;
  options.end = 1e-3 * steps;
  options.steps = steps;
  options.percussion.tolerance = 1e-14;
  assert_ok(context, thud_stepping_motion_create_stored(context, system, &options, storage, made->q, made->v, &motion));
  if (storage != MOTION_AUTO)
    thud_assert_equal((((const stepping_motion *)motion)->values->sparse != NULL), (storage == MOTION_SPARSE));
  assert_ok(context, thud_test_run_motion(motion, NULL, &found.info));
  thud_stepping_frame frame = thud_stepping_motion_present(motion);
  memcpy(found.q, frame.q, (size_t)made->n * sizeof(double));
  memcpy(found.v, frame.v, (size_t)made->n * sizeof(double));
  memcpy(found.reaction, frame.reaction, (size_t)made->m * sizeof(double));
  thud_motion_destroy(motion);
  return found;
}

static double apart(thud_index n, const double *a, const double *b) {
  double worst = 0;
  for (thud_index i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] - b[i]));
  return worst;
}

/* To 1e-12 of 1 m, 1 m/s, 1 N s. Where the dense methods stop at a residual above 1e-12, what that may do to an answer
 * is added: W has conditions of 100 and more. */
static outcome compare(thud_context *context, const tower *made, int method, thud_index steps, int *sharp) {
  thud_system *system = NULL;
  assert_ok(context, make_system(context, made, &system));
  assert_true(thud_system_has_patterns(system));
  outcome full = run(context, system, made, method, MOTION_FULL, steps);
  outcome sparse = run(context, system, made, method, MOTION_SPARSE, steps);
  assert_int_equal(full.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(sparse.info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(full.info.impacts, sparse.info.impacts);
  double left = full.info.worst_residual, bound = left > 1e-12 ? 1e-12 + 100 * left : 1e-12;
  thud_assert_less(sparse.info.worst_residual, 2e-12);
  thud_assert_less(apart(made->n, full.q, sparse.q), bound);
  thud_assert_less(apart(made->n, full.v, sparse.v), bound);
  thud_assert_less(apart(made->m, full.reaction, sparse.reaction), bound);
  *sharp += bound == 1e-12;
  thud_assert_less(fabs(full.info.ledger.contact_loss - sparse.info.ledger.contact_loss), 1e-11);
  thud_assert_less(sparse.info.ledger.identity, 1e-12);
  thud_system_destroy(system);
  return sparse;
}

static void towers_move_alike(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(31);
  static const int methods[] = {THUD_STEPPING_MOREAU, THUD_STEPPING_MOREAU_JEAN, THUD_STEPPING_SECOND_ORDER};
  tower *made = malloc(sizeof *made);
  assert_non_null(made);
  double slid = 0;
  int sharp = 0;
  for (int k = 0; k < 24; k++) {
    const tower_kind kind = {.directions = 1 + k % 2,
                             .coupled = k % 3 == 1,
                             .rods = k % 4 >= 2,
                             .rails = k % 5 == 4,
                             .struck = k % 8 >= 4,
                             .push = k % 7 < 3 ? 0.05 : 0.6};
    make_tower(&random, 14 + k % 5, &kind, made);
    outcome found =
        compare(context, made, methods[k % 3], kind.struck ? 12 : 40, &sharp); /* impacts amplify rounding errors */
    slid += found.info.ledger.contact_loss;
  }
  thud_assert_greater(slid, 0.1);  /* some of them did */
  thud_assert_at_least(sharp, 20); /* of 24 */
  free(made);
}

/* All blocks stick: the tower carries its weight, and friction what the pushes above ask for. */
static void a_tower_at_rest_carries_its_weight(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(32);
  tower *made = malloc(sizeof *made);
  assert_non_null(made);
  const tower_kind kind = {.directions = 1, .push = 0.01};
  make_tower(&random, 20, &kind, made);
  thud_system *system = NULL;
  assert_ok(context, make_system(context, made, &system));
  outcome found = run(context, system, made, THUD_STEPPING_MOREAU, MOTION_AUTO, 10);
  double above = 0;
  for (thud_index i = made->blocks; i-- > 0;) {
    above += 1e-3 * -strtod(made->force[2 * i + 1], NULL);
    thud_assert_near(found.reaction[i], above, 1e-12 * above);
    thud_assert_at_most(fabs(found.v[2 * i]), 1e-14);
    thud_assert_at_most(fabs(found.v[2 * i + 1]), 1e-14);
  }
  thud_system_destroy(system);
  free(made);
}

/* ---- what is not sparse -------------------------------------------------------------------------------------------- */

static motion_storage chosen(thud_context *context, const tower *made, thud_error *refusal) {
  thud_system *system = NULL;
  thud_motion *motion = NULL;
  thud_stepping_options options = thud_stepping_options_default();
  options.steps = 10;
  options.end = 0.01;
  assert_ok(context, make_system(context, made, &system));
  *refusal = thud_stepping_motion_create_stored(context, system, &options, MOTION_SPARSE, made->q, made->v, &motion);
  thud_motion_destroy(motion);
  motion = NULL;
  assert_ok(context, thud_stepping_motion_create(context, system, &options, made->q, made->v, &motion));
  motion_storage storage = ((const stepping_motion *)motion)->values->sparse != NULL ? MOTION_SPARSE : MOTION_FULL;
  thud_motion_destroy(motion);
  thud_system_destroy(system);
  return storage;
}

static void other_laws_keep_full_matrices(void **state) {
  thud_context *context = *state;
  thud_random random = thud_random_seed(33);
  tower *made = malloc(sizeof *made);
  assert_non_null(made);
  thud_error refusal;
  const tower_kind kind = {.directions = 1, .rods = true};
  make_tower(&random, 13, &kind, made); /* 26 coordinates: just above the least number */
  assert_int_equal(chosen(context, made, &refusal), MOTION_SPARSE);
  assert_int_equal(refusal, THUD_OK);
  thud_index kept = made->friction[3].constraint;
  made->friction[3].constraint = made->friction[2].constraint;
  assert_int_equal(chosen(context, made, &refusal), MOTION_FULL);
  assert_int_equal(refusal, THUD_ERROR_UNSUPPORTED);
  assert_non_null(strstr(thud_context_last_message(context), "two friction laws at one constraint"));
  made->friction[3].constraint = 13; /* a rod */
  assert_int_equal(chosen(context, made, &refusal), MOTION_FULL);
  assert_int_equal(refusal, THUD_ERROR_UNSUPPORTED);
  made->friction[3].constraint = kept;
  free(made);
}

/* ---- memory ------------------------------------------------------------------------------------------------------- */

static thud_error create_and_run(thud_context *context, void *user) {
  const tower *made = user;
  thud_system *system = NULL;
  thud_motion *motion = NULL;
  thud_stepping_motion_info info;
  thud_stepping_options options = thud_stepping_options_default();
  options.method = THUD_STEPPING_MOREAU;
  options.end = 0.002;
  options.steps = 2;
  thud_error error = make_system(context, made, &system);
  if (error == THUD_OK)
    error = thud_stepping_motion_create_stored(context, system, &options, MOTION_SPARSE, made->q, made->v, &motion);
  if (error == THUD_OK) error = thud_test_run_motion(motion, NULL, &info);
  thud_motion_destroy(motion);
  thud_system_destroy(system);
  return error;
}

static void failed_allocations_are_survived(void **state) {
  (void)state;
  thud_random random = thud_random_seed(34);
  tower *made = malloc(sizeof *made);
  assert_non_null(made);
  const tower_kind kind = {.directions = 1, .rods = true, .rails = true, .push = 0.2};
  make_tower(&random, 13, &kind, made);
  thud_assert_greater(thud_test_sweep_allocations(create_and_run, made), 200);
  free(made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(towers_move_alike),
      cmocka_unit_test(a_tower_at_rest_carries_its_weight),
      cmocka_unit_test(other_laws_keep_full_matrices),
      cmocka_unit_test(failed_allocations_are_survived),
  };
  return cmocka_run_group_tests(tests, make_context, end_context);
}
