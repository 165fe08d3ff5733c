#include "siconos_nsgs.h"

#ifdef THUD_WITH_SICONOS

#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/NumericsVerbose.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* W as Siconos keeps it; the blocks stay where they are. */
static SparseBlockStructuredMatrix *blocks_of(const thud_bsr *W) {
  size_t rows = (size_t)W->block_rows, blocks = (size_t)W->row_start[rows];
  SparseBlockStructuredMatrix *matrix = SBM_new();
  matrix->nbblocks = (unsigned)blocks;
  matrix->blocknumber0 = matrix->blocknumber1 = (unsigned)rows;
  matrix->filled1 = rows + 1;
  matrix->filled2 = blocks;
  matrix->block = malloc(blocks * sizeof *matrix->block);
  matrix->blocksize0 = malloc(rows * sizeof *matrix->blocksize0);
  matrix->blocksize1 = malloc(rows * sizeof *matrix->blocksize1);
  matrix->index1_data = malloc((rows + 1) * sizeof *matrix->index1_data);
  matrix->index2_data = malloc(blocks * sizeof *matrix->index2_data);
  for (size_t k = 0; k < rows; k++) matrix->blocksize0[k] = matrix->blocksize1[k] = (unsigned)(3 * (k + 1));
  for (size_t k = 0; k <= rows; k++) matrix->index1_data[k] = (size_t)W->row_start[k];
  for (size_t k = 0; k < blocks; k++) {
    matrix->index2_data[k] = (size_t)W->block_column[k];
    matrix->block[k] = malloc(9 * sizeof(double));
    memcpy(matrix->block[k], W->values + 9 * k, 9 * sizeof(double));
  }
  return matrix;
}

double bench_siconos_nsgs(const thud_contact_problem *problem, bench_siconos_local local, int sweeps, double *r) {
  size_t size = thud_contact_size(problem), contacts = (size_t)problem->contacts;
  double *q = malloc(size * sizeof *q), *mu = malloc(contacts * sizeof *mu), *u = calloc(size, sizeof *u);
  memcpy(q, problem->q, size * sizeof *q);
  memcpy(mu, problem->mu, contacts * sizeof *mu);
  memset(r, 0, size * sizeof *r);
  numerics_set_verbose(0);
  NumericsMatrix *W = NM_new_SBM((int)size, (int)size, blocks_of(&problem->W.blocks));
  FrictionContactProblem *friction = frictionContactProblem_new_with_data(3, (int)contacts, W, q, mu);
  SolverOptions *options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = sweeps;
  options->dparam[SICONOS_DPARAM_TOL] = 1e-300; /* every sweep is made */
  solver_options_update_internal(options, 0,
                                 local == BENCH_SICONOS_NEWTON ? SICONOS_FRICTION_3D_ONECONTACT_NSN
                                                               : SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnCone);
  clock_t started = clock();
  fc3d_driver(friction, r, u, options);
  double spent = (double)(clock() - started) / CLOCKS_PER_SEC;
  bool all = options->iparam[SICONOS_IPARAM_ITER_DONE] == sweeps;
  solver_options_delete(options);
  frictionContactProblem_free(friction); /* with W, q and mu */
  free(u);
  return all ? spent : -1;
}

#else

double bench_siconos_nsgs(const thud_contact_problem *problem, bench_siconos_local local, int sweeps, double *r) {
  (void)problem;
  (void)local;
  (void)sweeps;
  (void)r;
  return -1;
}

#endif
