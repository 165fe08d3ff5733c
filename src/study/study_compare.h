/* Solvers of contact problems against each other: what the files compare*.c share, and what a benchmark adds solvers of
 * others by. */
#ifndef THUD_SRC_STUDY_COMPARE_H
#define THUD_SRC_STUDY_COMPARE_H

#include "base/json.h"
#include "thud/compare.h"

/* ---- the table (compare.c) ----------------------------------------------------------------------------------- */

typedef struct compare_problem {
  thud_compare_problem shown;
  char *name, *part;   /* owned, part may be NULL */
  size_t first, count; /* its results */
} compare_problem;

struct thud_compare {
  thud_context *context;
  thud_compare_options options;   /* its texts are the three below */
  char *title, *methods, *others; /* owned, methods and others may be NULL */
  size_t problem_count, problem_capacity;
  compare_problem *problems; /* [problem_count] */
  size_t result_count, result_capacity;
  thud_compare_result *results; /* [result_count] problem by problem */
};

/* The time that counts, INFINITY when unsolved. */
double thud_compare_seconds(const thud_compare_result *result);
/* The result of auto, NULL when it did not take part. */
const thud_compare_result *thud_compare_of_auto(const thud_compare *compare, size_t problem);
/* The fastest of thud's single methods, or of the others; NULL: none solved it. */
const thud_compare_result *thud_compare_of_best(const thud_compare *compare, size_t problem, bool other);
/* time(auto) / time(result), NaN unless both solved the problem. */
double thud_compare_ratio(const thud_compare *compare, size_t problem, const thud_compare_result *result);
/* The k-th part that problems belong to, in the order of their first problems; NULL beyond the last. */
const char *thud_compare_part_at(const thud_compare *compare, size_t k);
bool thud_compare_is_auto(const thud_compare_result *result);
/* Solvers of others were named, and at least one was measured. */
bool thud_compare_has_others(const thud_compare *compare);

/* ---- solvers ---------------------------------------------------------------------------------------------------- */

/* One measurement. */
typedef struct compare_job {
  thud_context *context;
  const thud_contact_problem *problem;
  double tolerance;      /* on thud's residual */
  double max_seconds;    /* processor time of one run */
  double repeat_seconds; /* spent on repeating it */
  int runs;              /* of which the least time is taken, at most */
  double contest;        /* s: slower runs are made twice only, since nothing hangs on their digits */
  const thud_stop *stop; /* NULL: none */
} compare_job;

typedef struct compare_answer {
  double *r, *l; /* [size], [bilateral] */
} compare_answer;

typedef struct compare_solver compare_solver;
struct compare_solver {
  char name[THUD_COMPARE_NAME];
  const char *family; /* what profiles lump together */
  bool other;         /* not one of thud's: measures its error in its own way */
  const void *row;    /* of the table it comes from */
  int variant;
  /* One run that stops at `own_tolerance` by the solver's own measure; the answer arrives as zeros. *state is NULL at
   * the first call and belongs to the solver. Sets seconds, iterations and note of the result, first_seconds where it is
   * measured, and a status: SOLVED when it ended by itself (the answer is judged by the caller), TIME or REFUSED.
   * THUD_ERROR_INTERRUPTED when job->stop asks for it. */
  thud_error (*run)(const compare_solver *solver, const compare_job *job, double own_tolerance, void **state,
                    compare_answer *answer, thud_compare_result *result);
  void (*end)(const compare_solver *solver, const compare_job *job, void *state); /* NULL: nothing to end */
};

/* auto and the methods of the registry that take the problem (compare_methods.c); methods: "A,B", NULL: all. To be
 * freed with thud_free. */
thud_error thud_compare_methods(thud_context *context, const thud_contact_problem *problem, const char *methods,
                                compare_solver **list, size_t *count);

/* ---- measuring (compare_measure.c) -------------------------------------------------------------------------- */

/* Told what is known so far after every run: a process that reports to another one. */
typedef struct compare_listener {
  void (*tell)(void *user, const thud_compare_result *result);
  void *user;
} compare_listener;

/* Processor seconds of this thread, the only one of the solvers: what counts on a machine that others use too. */
double thud_compare_cpu_seconds(void);
/* THUD_ERROR_INTERRUPTED with its message. */
thud_error thud_compare_interrupted(const compare_job *job);
/* Runs the solver, one that is not thud's with tighter and tighter tolerances of its own until thud's residual is small
 * enough, and repeats that run. listener may be NULL; result->problem is left alone. */
thud_error thud_compare_measure_solver(const compare_solver *solver, const compare_job *job,
                                       const compare_listener *listener, thud_compare_result *result);

/* ---- files (compare_files.c) -------------------------------------------------------------------------------------- */

typedef struct compare_files {
  thud_context *context;
  size_t count, capacity;
  char **paths; /* [count] */
} compare_files;

/* Adds the path, or if it is a folder the files in it that look like problems, by name. */
thud_error thud_compare_find_files(const char *path, compare_files *files);
void thud_compare_files_free(compare_files *files);
/* FOLDER/STEM-TOLERANCE<suffix>, to be freed with thud_free; NULL: no memory. */
char *thud_compare_path(const thud_compare *compare, const char *folder, const char *stem, const char *suffix);

/* ---- reports ----------------------------------------------------------------------------------------------------- */

/* Tables whose columns are aligned, as Markdown (compare_grid.c). Cells are added row by row, the head first. */
typedef struct compare_grid {
  thud_text text;  /* the cells, one after the other, each with a final 0 */
  size_t columns;  /* of every row: as many cells as the first one has */
  size_t cells;    /* so far */
  bool first_done; /* the head is complete */
} compare_grid;

compare_grid thud_compare_grid_new(thud_context *context);
void thud_compare_grid_add(compare_grid *grid, const char *format, ...) THUD_PRINTF(2, 3);
void thud_compare_grid_end_row(compare_grid *grid);
/* Appends the table to the text and frees the grid. */
void thud_compare_grid_print(compare_grid *grid, thud_text *text);

/* A time for people ("1.23 ms"), and a number with so many digits; both with a point in every locale, "-" for NaN. */
enum { COMPARE_NUMBER = 40 };
const char *thud_compare_tolerance_text(double tolerance, char text[COMPARE_NUMBER]); /* "1e-4" */
const char *thud_compare_time_text(double seconds, char text[COMPARE_NUMBER]);
const char *thud_compare_number_text(double value, int digits, char text[COMPARE_NUMBER]);

/* Every result as CSV; per problem the best beside auto, with the summary, as Markdown; both as a JSON object. */
void thud_compare_print_csv(const thud_compare *compare, thud_text *text);
void thud_compare_print_markdown(const thud_compare *compare, thud_text *text);
void thud_compare_print_json(const thud_compare *compare, thud_json *json);
/* One line per table and part: [count] tables, of other problems or tolerances. */
void thud_compare_print_overview(size_t count, thud_compare *const *tables, thud_text *text);
/* The performance profile (compare_profile.c), by the suffix of the path. */
thud_error thud_compare_draw(const thud_compare *compare, const char *path, bool overwrite);

#endif
