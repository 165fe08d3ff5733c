/* The benchmark of contact solvers: what its files share. contact.c holds the main program. Tables, measuring, thud's
 * methods and pictures are those of `thud compare` (src/study/study_compare.h); here are further problems, Siconos' solvers,
 * and processes of their own for all solvers. */
#ifndef THUD_BENCH_CONTACT_H
#define THUD_BENCH_CONTACT_H

#include "study/study_compare.h"

/* Ends the program when a call that has to work has failed. */
void bench_stop_on(thud_context *context, thud_error error);
/* calloc that ends the program when there is no memory. */
void *bench_alloc(size_t count, size_t size);

/* ---- problems (contact_problems.c) -------------------------------------------------------------------------- */

typedef struct bench_problem {
  char *name;
  const char *part; /* "chosen" or "held-back", NULL: neither */
  const thud_contact_problem *problem;
  bool other_form_above; /* of the problem before it in the list: Siconos, which sees the local form of both, runs once
                          */
  thud_problem_file *file; /* one of these two owns the problem */
  thud_owned_problem *made;
} bench_problem;

typedef struct bench_problems {
  size_t count, capacity;
  bench_problem *list; /* [count] */
} bench_problems;

/* The file, or every problem file of the folder in the order of their names; files that cannot be read are named and
 * left out. */
void bench_problems_of_path(thud_context *context, const char *path, bench_problems *problems);
/* Walls and pyramids of boxes with four contacts on each face, in the two-block form and in the local form. */
void bench_problems_of_boxes(thud_context *context, bool quick, bench_problems *problems);
/* Generated families (contact_families.c): those that constants are chosen on, or those held back. */
void bench_problems_of_families(thud_context *context, bool held_back, bool quick, bench_problems *problems);
/* An empty row with this name. */
bench_problem *bench_problems_add(bench_problems *problems, const char *name);
void bench_problems_destroy(bench_problems *problems);

/* ---- solvers --------------------------------------------------------------------------------------------------- */

enum { BENCH_SOLVERS = 256 }; /* room for the solvers of one problem */

/* Siconos' solvers that take the problem are put behind the `count` of the list; the new count. */
size_t bench_siconos_solvers(const thud_contact_problem *problem, compare_solver *list, size_t count);
/* False when Siconos was not there while configuring. */
bool bench_siconos_is_there(void);

/* ---- measuring (contact_measure.c) --------------------------------------------------------------------------- */

/* From now on this (child) process has that much processor time before it is ended; 0: as much as it likes. */
void bench_guard(double seconds);
/* Measures the solver in a process of its own. */
void bench_measure(const compare_solver *solver, const compare_job *job, thud_compare_result *result);

/* ---- rows that were measured before (contact_reuse.c) ----------------------------------------------------------- */

/* Adds what the table in the file says about Siconos' solvers (those among solvers[count]) on the last problem of the
 * table. */
void bench_table_reuse(thud_compare *table, const char *path, const compare_solver *solvers, size_t count);
/* Adds what the last problem but one in the table says about Siconos' solvers to the last one. */
void bench_table_repeat(thud_compare *table);

#endif
