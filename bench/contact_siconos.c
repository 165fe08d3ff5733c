/* Siconos' solvers as solvers of the benchmark, each in the configurations that win somewhere. */
#include "contact.h"

#ifdef THUD_WITH_SICONOS

#include "siconos_matrix.h"

#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/GlobalFrictionContactProblem.h>
#include <siconos/numerics/GlobalRollingFrictionContactProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsVerbose.h>
#include <siconos/numerics/RollingFrictionContactProblem.h>
#include <siconos/numerics/SolverOptions.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table --------------------------------------------------------------------------------------------------- */

enum { PLANE = 1, SPACE = 2, ROLLING = 4 };                          /* kinds of problems */
enum { DENSE = 1, SPARSE = 2, BLOCKS = 4 };                          /* storages of W, or of M and H */
enum { GLOBAL_ONLY = 1 };                                            /* flags */
enum { SWEEPS = 1000000, NEWTON_STEPS = 2000, OUTER_STEPS = 10000 }; /* the time limit comes first */
enum { LARGEST_STRIDED = 300 }; /* size of W up to which NSGS tries dense storage */
enum { LARGEST_DENSE = 5000 };  /* size of W up to which dense storage is tried */

enum {
  ERRORS = SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION,
  EVERY = SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION_FREQUENCY,
  FREEZE = SICONOS_FRICTION_3D_NSGS_FREEZING_CONTACT,
  FULL = SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL,
  LIGHT_ONLY = SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT,
  LIGHT = SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT_WITH_FULL_FINAL,
  ADAPTIVE = SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_ADAPTIVE,
  RHO = SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY,
  BALANCED = SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_RESIDUAL_BALANCING
};

typedef struct setting {
  int index, value; /* of iparam; index 0: none */
} setting;

typedef struct siconos_row {
  const char *name, *family;
  int kinds, storages, flags;
  int id, inner; /* inner 0: the solver's own choice */
  int iterations;
  setting settings[3];
} siconos_row;

/* clang-format off: one row per line */
#define ROW(name, family, kind, storages, flags, id, inner, steps, ...)                                                \
  {                                                                                                                    \
    name, family, kind, storages, flags, SICONOS_##id, inner, steps, { __VA_ARGS__ }                                   \
  }
#define NSGS_3D(name, local, ...)                                                                                      \
  ROW("NSGS-" name, "NSGS", SPACE, BLOCKS | DENSE, 0, FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_##local,        \
      SWEEPS, __VA_ARGS__)
#define NSGS_2D(name, ...) ROW(name, "NSGS", PLANE, BLOCKS | DENSE, 0, FRICTION_2D_NSGS, 0, SWEEPS, __VA_ARGS__)
#define NSGS_5D(name, local, ...)                                                                                      \
  ROW(name, "NSGS", ROLLING, BLOCKS | DENSE, 0, ROLLING_FRICTION_3D_NSGS,                                              \
      SICONOS_ROLLING_FRICTION_3D_ONECONTACT_##local, SWEEPS, __VA_ARGS__)
#define LOCAL_3D(id, family, storages, steps) ROW(#id, family, SPACE, storages, 0, FRICTION_3D_##id, 0, steps, {0})
#define GLOBAL_3D(id, family, storages, steps)                                                                         \
  ROW("G-" #id, family, SPACE, storages, GLOBAL_ONLY, GLOBAL_FRICTION_3D_##id, 0, steps, {0})
#define FULL_EVERY(n)                                                                                                  \
  {ERRORS, FULL}, { EVERY, n }

/* The fast ones first: how long the others may take depends on the best so far. */
static const siconos_row rows[] = {
    NSGS_3D("QUARTIC-full10", QUARTIC, FULL_EVERY(10)),
    NSGS_3D("PC-full10", ProjectionOnCone, FULL_EVERY(10)),
    NSGS_3D("NSN-full10", NSN, FULL_EVERY(10)),
    NSGS_3D("HYBRID-full10", NSN_GP_HYBRID, FULL_EVERY(10)),
    NSGS_3D("PLI-full10", ProjectionOnConeWithLocalIteration, FULL_EVERY(10)),
    NSGS_3D("PD-full10", ProjectionOnConeWithDiagonalization, FULL_EVERY(10)),
    NSGS_3D("QUARTIC-full1", QUARTIC, FULL_EVERY(1)),
    NSGS_3D("PC-full1", ProjectionOnCone, FULL_EVERY(1)),
    NSGS_3D("NSN-full1", NSN, FULL_EVERY(1)),
    NSGS_3D("PLI-full1", ProjectionOnConeWithLocalIteration, FULL_EVERY(1)),
    NSGS_3D("PC-light", ProjectionOnCone, {ERRORS, LIGHT}),
    NSGS_3D("NSN-light", NSN, {ERRORS, LIGHT}),
    NSGS_3D("QUARTIC-light", QUARTIC, {ERRORS, LIGHT}),
    NSGS_3D("HYBRID-adaptive", NSN_GP_HYBRID, {ERRORS, ADAPTIVE}, {EVERY, 1}),
    NSGS_3D("HYBRID-full10-freeze", NSN_GP_HYBRID, FULL_EVERY(10), {FREEZE, 10}),
    NSGS_3D("PC-full10-freeze", ProjectionOnCone, FULL_EVERY(10), {FREEZE, 10}),
    NSGS_3D("QUARTIC-full10-freeze", QUARTIC, FULL_EVERY(10), {FREEZE, 10}),
    NSGS_3D("NSN-light-freeze", NSN, {ERRORS, LIGHT}, {FREEZE, 10}),
    NSGS_3D("QUARTIC-light-freeze", QUARTIC, {ERRORS, LIGHT}, {FREEZE, 10}),
    LOCAL_3D(NSGSV, "NSGS", DENSE | BLOCKS, SWEEPS),
    LOCAL_3D(PROX, "PROX", DENSE | SPARSE, OUTER_STEPS),
    ROW("PROX-NSGS", "PROX", SPACE, DENSE | BLOCKS, 0, FRICTION_3D_PROX, SICONOS_FRICTION_3D_NSGS, OUTER_STEPS, {0}),
    LOCAL_3D(NSN_AC, "Newton", DENSE | SPARSE, NEWTON_STEPS),
    LOCAL_3D(NSN_AC_TEST, "Newton", DENSE | SPARSE, NEWTON_STEPS),
    LOCAL_3D(NSN_FB, "Newton", DENSE | SPARSE, NEWTON_STEPS),
    LOCAL_3D(NSN_NM, "Newton", DENSE | SPARSE, NEWTON_STEPS),
    LOCAL_3D(ADMM, "ADMM", DENSE | SPARSE, SWEEPS),
    ROW("ADMM-balanced", "ADMM", SPACE, DENSE | SPARSE, 0, FRICTION_3D_ADMM, 0, SWEEPS, {RHO, BALANCED}),
    LOCAL_3D(VI_EG, "fixed points", DENSE | BLOCKS, SWEEPS),
    LOCAL_3D(VI_FPP, "fixed points", DENSE | BLOCKS, SWEEPS),
    LOCAL_3D(EG, "fixed points", DENSE | BLOCKS, SWEEPS),
    LOCAL_3D(FPP, "fixed points", DENSE | BLOCKS, SWEEPS),
    LOCAL_3D(DSFP, "fixed points", DENSE | BLOCKS, SWEEPS),
    LOCAL_3D(HP, "fixed points", DENSE | BLOCKS, SWEEPS),
    LOCAL_3D(TFP, "others", DENSE | BLOCKS, OUTER_STEPS),
    LOCAL_3D(PFP, "others", DENSE | BLOCKS, OUTER_STEPS),
    LOCAL_3D(ACLMFP, "others", DENSE | BLOCKS, OUTER_STEPS),
    LOCAL_3D(SOCLCP, "others", DENSE | BLOCKS, OUTER_STEPS),

    NSGS_2D("NSGS", {0}), /* its blocks never stop on the full test */
    NSGS_2D("NSGS-light", {ERRORS, LIGHT_ONLY}),
    NSGS_2D("NSGS-freeze10", {FREEZE, 10}),
    NSGS_2D("NSGS-freeze30", {FREEZE, 30}),
    NSGS_2D("NSGS-light-freeze10", {ERRORS, LIGHT_ONLY}, {FREEZE, 10}),
    ROW("CPG", "fixed points", PLANE, DENSE, 0, FRICTION_2D_CPG, 0, SWEEPS, {0}),
    ROW("LEMKE", "others", PLANE, DENSE, 0, FRICTION_2D_LEMKE, 0, SWEEPS, {0}),
    ROW("ENUM", "others", PLANE, DENSE, 0, FRICTION_2D_ENUM, 0, SWEEPS, {0}),

    NSGS_5D("R-NSGS-PC", ProjectionOnCone, {0}),
    NSGS_5D("R-NSGS-PLI", ProjectionOnConeWithLocalIteration, {0}),
    NSGS_5D("R-NSGS-PC-full10", ProjectionOnCone, FULL_EVERY(10)),
    NSGS_5D("R-NSGS-PLI-full10", ProjectionOnConeWithLocalIteration, FULL_EVERY(10)),
    ROW("R-ADMM", "ADMM", ROLLING, DENSE | SPARSE, 0, ROLLING_FRICTION_3D_ADMM, 0, SWEEPS, {0}),

    GLOBAL_3D(NSGS, "NSGS", SPARSE | DENSE, SWEEPS),
    GLOBAL_3D(NSGS_WR, "NSGS", SPARSE | DENSE, SWEEPS),
    GLOBAL_3D(NSGSV_WR, "NSGS", SPARSE | DENSE, SWEEPS),
    GLOBAL_3D(PROX_WR, "PROX", SPARSE | DENSE, OUTER_STEPS),
    GLOBAL_3D(DSFP_WR, "fixed points", SPARSE | DENSE, SWEEPS),
    GLOBAL_3D(TFP_WR, "others", SPARSE | DENSE, OUTER_STEPS),
    GLOBAL_3D(NSN_AC_WR, "Newton", SPARSE | DENSE, NEWTON_STEPS),
    GLOBAL_3D(NSN_AC, "Newton", SPARSE, NEWTON_STEPS),
    GLOBAL_3D(ADMM, "ADMM", SPARSE | DENSE, SWEEPS),
    GLOBAL_3D(ADMM_WR, "ADMM", SPARSE | DENSE, SWEEPS),
    GLOBAL_3D(VI_EG, "fixed points", SPARSE, SWEEPS),
    GLOBAL_3D(VI_FPP, "fixed points", SPARSE, SWEEPS),
    GLOBAL_3D(ACLMFP, "others", SPARSE, OUTER_STEPS),
    GLOBAL_3D(IPM, "others", SPARSE, OUTER_STEPS),
    ROW("GR-NSGS_WR", "NSGS", ROLLING, SPARSE | DENSE, GLOBAL_ONLY, GLOBAL_ROLLING_FRICTION_3D_NSGS_WR, 0, SWEEPS, {0}),
};
/* clang-format on */

bool bench_siconos_is_there(void) { return true; }

static int kind_of(const thud_contact_problem *problem) {
  return problem->dimension == 2 ? PLANE : problem->dimension == 3 ? SPACE : problem->dimension == 5 ? ROLLING : 0;
}

static bool has_laws(const thud_contact_problem *problem) {
  for (thud_index k = 0; problem->laws != NULL && k < problem->contacts; k++)
    if (problem->laws[k] != NULL) return true;
  return false;
}

/* ---- one run ----------------------------------------------------------------------------------------------------- */

/* A problem as Siconos takes it: one pointer is set, and beside a global one what it was reduced to. */
typedef struct siconos_problem {
  FrictionContactProblem *local;
  RollingFrictionContactProblem *rolling;
  GlobalFrictionContactProblem *global;
  GlobalRollingFrictionContactProblem *global_rolling;
} siconos_problem;

/* Kept between the runs of one solver: thud's side of the conversion. */
typedef struct siconos_state {
  const thud_contact_problem *problem; /* in the storage wanted */
  thud_owned_problem *owned;           /* NULL: the problem as given */
  NM_types storage;
} siconos_state;

static NM_types storage_of(int bit) { return bit == DENSE ? NM_DENSE : bit == SPARSE ? NM_SPARSE : NM_SPARSE_BLOCK; }

static siconos_state *begin(const compare_job *job, int storage) {
  siconos_state *state = bench_alloc(1, sizeof *state);
  *state = (siconos_state){.problem = job->problem, .storage = storage_of(storage)};
  if (job->problem->form == THUD_FORM_GLOBAL) return state;
  bench_stop_on(job->context,
                thud_contact_to_local(job->context, job->problem,
                                      storage == BLOCKS ? THUD_MATRIX_BLOCKS : THUD_MATRIX_SPARSE, &state->owned));
  state->problem = thud_owned_problem_view(state->owned);
  return state;
}

static siconos_problem convert_local(const siconos_state *state) {
  const thud_contact_problem *problem = state->problem;
  size_t size = thud_contact_size(problem), contacts = (size_t)problem->contacts;
  NumericsMatrix *W = bench_siconos_matrix(&problem->W, state->storage);
  double *q = bench_siconos_vector(problem->q, size), *mu = bench_siconos_vector(problem->mu, contacts);
  siconos_problem made = {0};
  if (problem->dimension == 5)
    made.rolling = rollingFrictionContactProblem_new_with_data(5, (int)contacts, W, q, mu,
                                                               bench_siconos_vector(problem->mu_rolling, contacts));
  else
    made.local = frictionContactProblem_new_with_data((int)problem->dimension, (int)contacts, W, q, mu);
  return made;
}

static siconos_problem convert_global(const siconos_state *state) {
  const thud_contact_problem *problem = state->problem;
  size_t size = thud_contact_size(problem), contacts = (size_t)problem->contacts;
  NumericsMatrix *M = bench_siconos_matrix(&problem->M, state->storage);
  NumericsMatrix *H = bench_siconos_matrix(&problem->H, state->storage);
  double *f = bench_siconos_vector(problem->f, thud_contact_ndof(problem));
  double *b = bench_siconos_vector(problem->w, size), *mu = bench_siconos_vector(problem->mu, contacts);
  siconos_problem made = {0};
  if (problem->dimension == 5) {
    GlobalRollingFrictionContactProblem *rolling = globalRollingFrictionContactProblem_new();
    *rolling = (GlobalRollingFrictionContactProblem){.dimension = 5,
                                                     .numberOfContacts = (int)contacts,
                                                     .M = M,
                                                     .H = H,
                                                     .q = f,
                                                     .b = b,
                                                     .mu = mu,
                                                     .mu_r = bench_siconos_vector(problem->mu_rolling, contacts)};
    made.global_rolling = rolling;
  } else {
    GlobalFrictionContactProblem *global = globalFrictionContactProblem_new();
    *global = (GlobalFrictionContactProblem){.dimension = (int)problem->dimension,
                                             .numberOfContacts = (int)contacts,
                                             .M = M,
                                             .H = H,
                                             .q = f,
                                             .b = b,
                                             .mu = mu};
    made.global = global;
  }
  return made;
}

static void end(siconos_problem *problem) {
  if (problem->local != NULL) frictionContactProblem_free(problem->local);
  if (problem->rolling != NULL) rollingFrictionContactProblem_free(problem->rolling);
  if (problem->global != NULL) globalFrictionContact_free(problem->global);
  if (problem->global_rolling != NULL) globalRollingFrictionContactProblem_free(problem->global_rolling);
}

static SolverOptions *options_of(const siconos_row *row, double tolerance) {
  SolverOptions *options = solver_options_create(row->id);
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = row->iterations;
  if (row->inner != 0) solver_options_update_internal(options, 0, row->inner);
  for (int k = 0; k < 3 && row->settings[k].index != 0; k++)
    options->iparam[row->settings[k].index] = row->settings[k].value;
  return options;
}

/* Siconos' reduction of a global problem to the local one; what its plane solvers read is dense. */
static void reduce(siconos_problem *problem, int dimension) {
  if (problem->global_rolling != NULL)
    problem->rolling = globalRollingFrictionContact_reformulation_RollingFrictionContact(problem->global_rolling);
  if (problem->global == NULL) return;
  problem->local = globalFrictionContact_reformulation_FrictionContact(problem->global);
  if (dimension == 2 && problem->local->M->storageType == NM_SPARSE) {
    NumericsMatrix *dense = NM_create(NM_DENSE, problem->local->M->size0, problem->local->M->size1);
    NM_to_dense(problem->local->M, dense);
    problem->local->M = dense;
  }
}

static void drive(const siconos_problem *problem, int dimension, double *r, double *u, double *v,
                  SolverOptions *options) {
  if (problem->rolling != NULL)
    rolling_fc3d_driver(problem->rolling, r, u, options);
  else if (problem->local != NULL && dimension == 2)
    fc2d_driver(problem->local, r, u, options);
  else if (problem->local != NULL)
    fc3d_driver(problem->local, r, u, options);
  else if (problem->global != NULL)
    gfc3d_driver(problem->global, r, u, v, options);
  else
    g_rolling_fc3d_driver(problem->global_rolling, r, u, v, options);
}

static thud_error run_siconos(const compare_solver *solver, const compare_job *job, double own_tolerance, void **kept,
                              compare_answer *answer, thud_compare_result *run) {
  const siconos_row *row = solver->row;
  if (*kept == NULL) {
    numerics_set_verbose(0);
    *kept = begin(job, solver->variant);
  }
  const siconos_state *state = *kept;
  bool is_global = job->problem->form == THUD_FORM_GLOBAL;
  int dimension = (int)job->problem->dimension;
  siconos_problem problem = is_global ? convert_global(state) : convert_local(state);
  double *u = bench_siconos_vector(NULL, thud_contact_size(job->problem));
  double *v = bench_siconos_vector(NULL, thud_contact_ndof(job->problem));
  SolverOptions *options = options_of(row, own_tolerance);
  snprintf(run->note, sizeof run->note, "own tolerance %.1e", own_tolerance);
  bench_guard(job->max_seconds);
  double started = thud_compare_cpu_seconds();
  if (is_global && !(row->flags & GLOBAL_ONLY)) reduce(&problem, dimension);
  drive(&problem, dimension, answer->r, u, v, options);
  run->seconds = thud_compare_cpu_seconds() - started;
  bench_guard(0);
  run->iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
  solver_options_delete(options);
  end(&problem);
  free(u);
  free(v);
  run->status = THUD_COMPARE_SOLVED; /* by its own measure */
  return THUD_OK;
}

/* Dense rows of W are read with long strides by NSGS: worth a try on small problems only. Siconos' reduction is far
 * faster on dense M and H as long as they fit. */
static bool takes(const siconos_row *row, int storage, const thud_contact_problem *problem) {
  bool is_global = problem->form == THUD_FORM_GLOBAL;
  size_t size = thud_contact_size(problem);
  if (!(row->kinds & kind_of(problem)) || (!is_global && (row->flags & GLOBAL_ONLY))) return false;
  if (is_global && !(row->flags & GLOBAL_ONLY))
    return storage == (thud_contact_ndof(problem) <= LARGEST_DENSE ? DENSE : SPARSE);
  if (!(row->storages & storage)) return false;
  bool strided = (row->storages & BLOCKS) && strcmp(row->family, "NSGS") == 0;
  return storage != DENSE || size <= (strided ? LARGEST_STRIDED : LARGEST_DENSE);
}

size_t bench_siconos_solvers(const thud_contact_problem *problem, compare_solver *list, size_t count) {
  static const struct {
    int bit;
    const char *suffix;
  } storages[] = {{BLOCKS, "sbm"}, {DENSE, "dense"}, {SPARSE, "sparse"}};
  if (problem->bilateral > 0 || has_laws(problem) || problem->contacts == 0) return count;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    for (size_t s = 0; s < 3 && count < BENCH_SOLVERS; s++) {
      if (!takes(&rows[k], storages[s].bit, problem)) continue;
      list[count] = (compare_solver){
          .family = rows[k].family, .other = true, .row = &rows[k], .variant = storages[s].bit, .run = run_siconos};
      bool reduced = problem->form == THUD_FORM_GLOBAL && !(rows[k].flags & GLOBAL_ONLY);
      snprintf(list[count++].name, sizeof list->name, "siconos-%s%s-%s", reduced ? "reduce-" : "", rows[k].name,
               storages[s].suffix);
    }
  return count;
}

#else

bool bench_siconos_is_there(void) { return false; }

size_t bench_siconos_solvers(const thud_contact_problem *problem, compare_solver *list, size_t count) {
  (void)problem;
  (void)list;
  return count;
}

#endif
