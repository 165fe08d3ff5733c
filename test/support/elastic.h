/* Small quasi-static problems for tests: K and loads as the founding texts write them (U_N <= 0, R_N <= 0), order
 * N1, T1, N2, T2, ...; the normal rows of H turn them into thud's signs. */
#ifndef THUD_TEST_ELASTIC_H
#define THUD_TEST_ELASTIC_H

#include "thud/quasistatic.h"

enum { ELASTIC_MOST = 8 };

/* F(t)[n] of a test. */
typedef void (*elastic_load_fn)(double t, double *F);

typedef struct elastic_case {
  int contacts, dimension;
  double K[ELASTIC_MOST * ELASTIC_MOST]; /* symmetric */
  double mu, gap;
  elastic_load_fn load;
  const double *initial; /* [n] U, or NULL */
  double end;
  int steps;
  thud_quasistatic_method method;
  thud_quasistatic_options options; /* size 0: the defaults */
  size_t jump_count;
  double jumps[4];
} elastic_case;

/* The case with everything it borrows. */
typedef struct elastic_made {
  thud_context *context;
  elastic_case given;
  thud_index start[ELASTIC_MOST + 1], row[ELASTIC_MOST];
  double value[ELASTIC_MOST], gap[ELASTIC_MOST], mu[ELASTIC_MOST];
  thud_regulated load;
  thud_partition *partition;
  thud_quasistatic_problem problem;
  thud_motion *motion;
} elastic_made;

/* Makes the motion; on failure nothing is left. */
thud_error elastic_make(thud_context *context, const elastic_case *given, elastic_made *made);
void elastic_end(elastic_made *made);
/* Steps until it ends; the last info. */
thud_quasistatic_motion_info elastic_run(elastic_made *made);
/* One step, and the figures after it. */
thud_error elastic_step(elastic_made *made, thud_quasistatic_motion_info *info);

#endif
