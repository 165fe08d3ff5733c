/* thud/compare.h: solvers of contact problems against each other: times and residuals, what `auto` loses against the best
 * single method, performance profiles.
 *
 * create -> for each problem: measure (thud's methods, in this thread), or add_problem and add_result with what was
 * measured elsewhere -> summarise, write -> destroy. Times are processor seconds of the calling thread, the least of
 * several runs that start from r = 0; every answer is judged by thud_contact_evaluate. Times below THUD_COMPARE_FLOOR
 * count as that wherever they are divided by each other. */
#ifndef THUD_COMPARE_H
#define THUD_COMPARE_H

#include "thud/problem.h"
#include "thud/solve.h"

#ifdef __cplusplus
extern "C" {
#endif

#define THUD_COMPARE_FLOOR 1e-5 /* s */
#define THUD_COMPARE_SMALL 100  /* contacts: problems with fewer are small */
#define THUD_COMPARE_NAME 64    /* bytes of names of solvers, with the final 0 */
#define THUD_COMPARE_NOTE 96
#define THUD_COMPARE_BINS 6 /* of regret */

typedef enum thud_compare_status {
  THUD_COMPARE_SOLVED = 0,   /* residual <= tolerance within the time limit */
  THUD_COMPARE_UNSOLVED = 1, /* ended above the tolerance */
  THUD_COMPARE_TIME = 2,     /* did not end in time */
  THUD_COMPARE_CRASHED = 3,  /* took its process with it: solvers that run in one of their own */
  THUD_COMPARE_REFUSED = 4   /* does not take the problem after all, e.g. because it is too large */
} thud_compare_status;
/* "solved", "unsolved", "time", "crash", "refused"; NULL for a number outside the enum. */
THUD_API const char *thud_compare_status_name(thud_compare_status status);

typedef struct thud_compare_options {
  size_t size;
  double tolerance;      /* on thud_contact_residual.residual */
  double max_seconds;    /* processor time of one run */
  double repeat_seconds; /* no further run once they have taken so long together */
  int runs;              /* the least time of at most so many */
  const char *title;     /* of tables and pictures, copied; NULL: "contact problems" */
  const char *methods;   /* "A,B,...": only these of thud's, copied; NULL: all that take the problem, and auto */
  const char *others;    /* whose solvers are measured elsewhere ("Siconos"), copied; NULL: there are none */
  thud_stop stop;
  THUD_RESERVED(4);
} thud_compare_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_compare_option_table(void);
THUD_OPTIONS_DEFAULT(thud_compare_options, thud_compare_option_table)

/* A problem of the table. */
typedef struct thud_compare_problem {
  const char *name;
  const char *part; /* of the problems that it belongs to; NULL: none */
  thud_problem_kind kind;
  thud_index dimension, contacts;
  bool trivial; /* r = 0 solves it: not counted in means and profiles */
} thud_compare_problem;

/* One solver on one problem. */
typedef struct thud_compare_result {
  size_t problem; /* its number */
  bool other;     /* not one of thud's */
  thud_compare_status status;
  double residual;      /* of the answer, by the independent evaluation; NaN: there is none */
  double seconds;       /* thud: update + solve. NaN: not known */
  double first_seconds; /* create + solve; NaN: not measured */
  int iterations;       /* as the solver counts them */
  char solver[THUD_COMPARE_NAME];
  char family[THUD_COMPARE_NAME]; /* what profiles lump together: the name, for thud's methods */
  char note[THUD_COMPARE_NOTE];   /* the methods that auto turned to; no comma in it */
  THUD_RESERVED(2);
} thud_compare_result;

/* Over the problems of a part that are not trivial. Numbers of problems are SIZE_MAX and means NaN where there is none. */
typedef struct thud_compare_summary {
  size_t problems;
  size_t auto_solved, single_solved; /* by auto; by some single method of thud */
  /* Regret: time(auto) / time(best single method of thud), over those that both solve. */
  size_t lost;                      /* a single method solves it and auto does not */
  double regret_mean, worst_regret; /* geometric mean; largest */
  size_t worst_regret_problem;
  size_t regrets[THUD_COMPARE_BINS]; /* how many up to each bound, and above the last */
  double regret_bounds[THUD_COMPARE_BINS - 1];
  /* Ratio: time(auto) / time(best of the others), over those that both solve. */
  size_t others_solved, either_solved, compared, above_three;
  double ratio_mean, first_ratio_mean, worst_ratio; /* first: with create + solve of auto */
  size_t worst_ratio_problem;
  /* The same ratio over small problems. */
  size_t small, small_above_one; /* compared; of these slower than the others */
  double small_mean, worst_small;
  size_t worst_small_problem;
  THUD_RESERVED(4);
} thud_compare_summary;

/* Results of one method of thud over the problems that are not trivial. */
typedef struct thud_compare_method {
  const char *name;
  size_t taken, solved;
  size_t fastest; /* not slower than the fastest single method; ties at THUD_COMPARE_FLOOR count for all */
  THUD_RESERVED(2);
} thud_compare_method;

typedef struct thud_compare thud_compare;

/* options may be NULL. */
THUD_API thud_error thud_compare_create(thud_context *context, const thud_compare_options *options,
                                        thud_compare **compare);
THUD_API void thud_compare_destroy(thud_compare *compare);

/* Adds the problem and measures every method of the registry that takes it, and auto. part may be NULL. When it fails or
 * the options' `stop` ends it (THUD_ERROR_INTERRUPTED) the table is as it was before. */
THUD_API thud_error thud_compare_measure(thud_compare *compare, const char *name, const char *part,
                                         const thud_contact_problem *problem);
/* Adds a problem without results; `index` receives its number. part may be NULL. */
THUD_API thud_error thud_compare_add_problem(thud_compare *compare, const char *name, const char *part,
                                             const thud_contact_problem *problem, size_t *index);
/* Adds a result of the problem that was added last. */
THUD_API thud_error thud_compare_add_result(thud_compare *compare, const thud_compare_result *result);

/* The problems, in the order in which they were added; NULL beyond the last. Valid until the next one is added. */
THUD_API size_t thud_compare_problem_count(const thud_compare *compare);
THUD_API const thud_compare_problem *thud_compare_problem_at(const thud_compare *compare, size_t k);
/* The results of a problem likewise. */
THUD_API size_t thud_compare_result_count(const thud_compare *compare, size_t problem);
THUD_API const thud_compare_result *thud_compare_result_at(const thud_compare *compare, size_t problem, size_t k);

/* Summary of the problems of one part; part may be NULL: of all. */
THUD_API thud_error thud_compare_summarise(const thud_compare *compare, const char *part,
                                           thud_compare_summary *summary);
/* The methods of thud that took part, in the order of their first results (measured ones: auto first); false beyond the
 * last. */
THUD_API bool thud_compare_method_at(const thud_compare *compare, size_t k, thud_compare_method *method);

/* Writes the table: .csv (every result), .md (a row per problem, and the summary), .json (both), or the performance
 * profile (Dolan and More, Math. Programming 91, 2002): .png, .svg, .pdf. The file appears complete or not at all; a
 * profile of a table without a problem that counts is THUD_ERROR_NOT_FOUND. */
THUD_API thud_error thud_compare_write(const thud_compare *compare, const char *path, bool overwrite);

#ifdef __cplusplus
}
#endif
#endif
