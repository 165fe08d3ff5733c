#include "siconos_nsgs.h"

#ifdef THUD_WITH_SICONOS

#include "siconos_matrix.h"

#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsVerbose.h>
#include <siconos/numerics/SolverOptions.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

double bench_siconos_nsgs(const thud_contact_problem *problem, bench_siconos_local local, int sweeps, double *r) {
  size_t size = thud_contact_size(problem), contacts = (size_t)problem->contacts;
  double *q = bench_siconos_vector(problem->q, size), *mu = bench_siconos_vector(problem->mu, contacts);
  double *u = bench_siconos_vector(NULL, size);
  memset(r, 0, size * sizeof *r);
  numerics_set_verbose(0);
  NumericsMatrix *W = bench_siconos_matrix(&problem->W, NM_SPARSE_BLOCK);
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
