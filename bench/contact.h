/* The benchmark of contact solvers: what its files share. contact.c holds the main program. */
#ifndef THUD_BENCH_CONTACT_H
#define THUD_BENCH_CONTACT_H

#include "thud/problem.h"
#include "thud/solve.h"

/* Ends the program when a call that has to work has failed. */
void bench_stop_on(thud_context *context, thud_error error);
/* malloc and calloc that end the program when there is no memory. */
void *bench_alloc(size_t count, size_t size);

/* ---- problems (contact_problems.c) -------------------------------------------------------------------------- */

typedef struct bench_problem {
  char *name;
  const thud_contact_problem *problem;
  bool other_form_above; /* of the problem before it in the list: Siconos, which sees the local form of both, runs once
                          */
  bool trivial;          /* r = 0 solves it: left out of means and profiles */
  thud_problem_file *file; /* one of these two owns the problem */
  thud_owned_problem *made;
} bench_problem;

typedef struct bench_problems {
  size_t count, capacity;
  bench_problem *list; /* [count] */
} bench_problems;

/* Every problem file of the folder, in the order of their names; files that cannot be read are named and left out. */
void bench_problems_of_folder(thud_context *context, const char *folder, bench_problems *problems);
void bench_problems_of_file(thud_context *context, const char *path, bench_problems *problems);
/* Walls and pyramids of boxes with four contacts on each face, in the two-block form and in the local form. */
void bench_problems_of_boxes(thud_context *context, bool quick, bench_problems *problems);
/* Generated families (contact_families.c): those that constants are chosen on, or those held back. */
void bench_problems_of_families(thud_context *context, bool held_back, bool quick, bench_problems *problems);
/* An empty row with this name; r = 0 solves the problem. */
bench_problem *bench_problems_add(bench_problems *problems, const char *name);
bool bench_is_trivial(thud_context *context, const thud_contact_problem *problem);
void bench_problems_destroy(bench_problems *problems);

/* ---- solvers --------------------------------------------------------------------------------------------------- */

typedef struct bench_limits {
  double seconds; /* processor time of one run */
  double budget;  /* seconds spent on repeating it */
  int runs;       /* most runs of which the least time is taken */
  double contest; /* s: slower runs are made twice only, since nothing hangs on their digits */
} bench_limits;

/* What is to be measured. */
typedef struct bench_job {
  thud_context *context;
  const thud_contact_problem *problem;
  double tolerance; /* on thud's residual */
  bench_limits limits;
} bench_job;

typedef struct bench_answer {
  double *r, *l; /* [size], [bilateral] */
} bench_answer;

/* One run of a solver from r = 0. */
typedef struct bench_run {
  double seconds;       /* update + solve; Siconos: its driver, with the reduction of a global problem */
  double first_seconds; /* create + solve; NAN: not measured */
  int iterations;
  char note[96]; /* of the solver on itself; no comma */
} bench_run;

typedef struct bench_solver bench_solver;
struct bench_solver {
  char name[64];
  const char *family; /* what profiles lump together */
  bool siconos;
  const void *row; /* of the table it comes from */
  int variant;
  /* One run that stops at `own_tolerance` by the solver's own measure; the answer arrives as zeros. *state is NULL at
   * the first call and belongs to the solver. False when the solver cannot take the problem. */
  bool (*run)(const bench_solver *solver, const bench_job *job, double own_tolerance, void **state,
              bench_answer *answer, bench_run *run);
};

enum { BENCH_SOLVERS = 256 }; /* room for the solvers of one problem */

/* The solvers that take the problem are put behind the `count` of the list; the new count. */
size_t bench_thud_solvers(const thud_contact_problem *problem, bench_solver *list, size_t count);
size_t bench_siconos_solvers(const thud_contact_problem *problem, bench_solver *list, size_t count);
/* False when Siconos was not there while configuring. */
bool bench_siconos_is_there(void);

/* ---- measuring (contact_measure.c) --------------------------------------------------------------------------- */

typedef enum bench_status {
  BENCH_SOLVED,
  BENCH_UNSOLVED, /* ended above the tolerance */
  BENCH_TIME,     /* did not end in time */
  BENCH_CRASHED,  /* took its process with it */
  BENCH_REFUSED
} bench_status;

typedef struct bench_result {
  bench_status status;
  double residual; /* thud's independent one, of the answer of the run below; NAN: no answer */
  bench_run run;   /* with the least times of all runs */
} bench_result;

/* Processor seconds of this thread, the only one of the solvers: what counts on a machine that others use too. */
double bench_cpu_seconds(void);
/* From now on this (child) process has that much processor time before it is ended; 0: as much as it likes. */
void bench_guard(double seconds);
/* Runs the solver in a process of its own: tightens its own tolerance until thud's residual is small enough, and
 * repeats that run. */
void bench_measure(const bench_solver *solver, const bench_job *job, bench_result *result);

/* ---- results (contact_report.c, contact_profile.c) ----------------------------------------------------------- */

typedef struct bench_row {
  const bench_problem *problem;
  bench_solver solver;
  bench_result result;
} bench_row;

typedef struct bench_table {
  const char *set, *tolerance; /* as they are in the names of files */
  bool reused;                 /* Siconos' rows come from an earlier run */
  size_t count, capacity;
  bench_row *rows; /* [count] problem by problem */
} bench_table;

enum { BENCH_FLOOR_MICROSECONDS = 10 }; /* shorter times count as this */

void bench_table_add(bench_table *table, const bench_problem *problem, const bench_solver *solver,
                     const bench_result *result);
/* Adds what FOLDER/SET-TOLERANCE.csv says about Siconos' solvers (those among solvers[count]) on the problem. */
void bench_table_reuse(bench_table *table, const char *folder, const bench_problem *problem,
                       const bench_solver *solvers, size_t count);
/* Adds what the last problem but this one in the table says about Siconos' solvers. */
void bench_table_repeat(bench_table *table, const bench_problem *problem);
/* "solved", ... as tables say it. */
const char *bench_status_word(bench_status status);
/* FOLDER/SET-TOLERANCE.csv: every row. */
void bench_table_write_csv(const bench_table *table, const char *folder);
/* FOLDER/SET-TOLERANCE.md, and the same to standard output: per problem the best of Siconos and auto. */
void bench_table_write_summary(const bench_table *table, const char *folder);
/* FOLDER/SET-profile-TOLERANCE.png: performance profiles after Dolan and More. */
void bench_table_draw_profile(thud_context *context, const bench_table *table, const char *folder);
/* Time that counts, INFINITY when unsolved. */
double bench_row_seconds(const bench_row *row);
/* The row of auto, or of the fastest of Siconos' or thud's solvers, among rows[from..to); NULL: none solved it. */
const bench_row *bench_row_of_auto(const bench_table *table, size_t from, size_t to);
const bench_row *bench_row_of_best(const bench_table *table, size_t from, size_t to, bool siconos);
/* End of the rows about the problem of rows[from]. */
size_t bench_table_end_of_problem(const bench_table *table, size_t from);
/* FOLDER/SET-<infix>TOLERANCE<suffix>, to be freed. */
char *bench_table_path(const bench_table *table, const char *folder, const char *infix, const char *suffix);

#endif
