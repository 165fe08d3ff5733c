/* thud solve: what its four files share: the answer to one file, how it is found and how it is told. */
#ifndef THUD_SRC_CLI_SOLVE_H
#define THUD_SRC_CLI_SOLVE_H

#include "cli/cli.h"
#include "base/json.h"
#include "thud/problem.h"
#include "thud/solve.h"
#include "thud/uniqueness.h"

/* What the command line asks for. */
typedef struct solve_request {
  thud_problem_read_options read;
  thud_solver_options options;
  const thud_solver_method *method; /* NULL: auto */
  bool verbose;                     /* tells the attempts */
  bool all;                         /* all solutions */
  const char *forces;               /* contacts whose intervals are asked for: "0,3,7" or "all"; NULL: none */
  const char *output;               /* NULL: none */
  thud_problem_format output_format;
  bool overwrite;
  bool shows_progress;
} solve_request;

typedef enum solve_verdict {
  SOLVE_SOLVED = 0,
  SOLVE_BEST_EFFORT = 1,
  SOLVE_INFEASIBLE = 2,
  SOLVE_FAILED = 3 /* there is no answer: the file cannot be read, no method takes it ... */
} solve_verdict;

enum { SOLVE_SOLUTIONS_KEPT = 10000 };

typedef struct solve_answer {
  const char *path;
  thud_problem_file *file;             /* NULL after SOLVE_FAILED at reading */
  const thud_contact_problem *problem; /* of the file */
  size_t size;
  double *r, *u, *v, *l; /* the answer */
  solve_verdict verdict;
  thud_error error;   /* SOLVE_FAILED */
  const char *method; /* that found the answer; NULL: none did better than zeros */
  int iterations;     /* of that method */
  double seconds;     /* of everything but reading, writing and the examination of the forces */
  bool interrupted;
  thud_contact_residual residual;
  size_t attempt_count;
  thud_solver_attempt *attempts; /* [attempt_count] the methods that had their turn */
  int worst_count;               /* not solved: contacts with the largest parts of the residual */
  thud_index worst[THUD_SOLVER_WORST];
  thud_solver_certificate certificate; /* infeasible: the proof, when it is one of auto's; arrays of the answer's */
  thud_index *certificate_contacts;
  double *certificate_multipliers;
  thud_text reason;   /* why it is not solved, "" otherwise */
  thud_text warnings; /* one per line */
  size_t solution_count, solutions_kept;
  double *solutions;                       /* [solutions_kept * 2 * size] r and u of each, with --all */
  bool *isolated;                          /* [solutions_kept] */
  bool enumeration_is_cut, forces_are_cut; /* by Ctrl-C or the clock */
  bool has_uniqueness;
  thud_uniqueness_info uniqueness;
  size_t interval_count;
  thud_force_interval *intervals; /* [interval_count] */
  double *rays;                   /* [interval_count * size] where an interval has no upper end */
} solve_answer;

/* Reads the file and finds the answer; failures are in the answer. To be released whatever happened. */
void solve_file(const cli_call *call, const solve_request *request, const char *path, solve_answer *answer);
void solve_answer_release(thud_context *context, solve_answer *answer);

/* A stop by Ctrl-C or the clock. */
typedef struct solve_clock {
  double until; /* of thud_seconds, 0: no end */
} solve_clock;
int solve_time_is_over(void *clock);

/* --forces: false after a complaint; contacts that are not there are an error, before anything is solved. */
bool solve_read_forces(const cli_call *call, solve_request *request);
thud_error solve_check_forces(const cli_call *call, const solve_request *request, const solve_answer *answer);
/* Uniqueness and intervals of a solved problem; `started` is when its --max-time began. */
thud_error solve_examine_forces(const cli_call *call, const solve_request *request, double started,
                                solve_answer *answer);
/* "the solutions that share the velocity found" */
extern const char *const solve_forces_over;
/* unique, many, unknown, or - when it was not examined */
const char *solve_uniqueness_word(const solve_answer *answer);
void solve_write_forces(thud_text *text, const solve_answer *answer);
void solve_write_forces_json(thud_json *json, const solve_answer *answer, bool asked);
void solve_write_array(thud_json *json, const char *key, size_t n, const double *x);

const char *solve_status_name(thud_solver_status status);
const char *solve_verdict_name(solve_verdict verdict);
/* Exit code of one file. */
int solve_exit_code(const solve_answer *answer);

/* The table: width of the column of names, head line, one line per file with what there is to say below it. */
int solve_name_width(const cli_call *call);
void solve_write_head(thud_text *text, int name_width);
/* output: the file that was written with the answer, NULL: none. */
void solve_write_row(thud_text *text, int name_width, const char *output, const solve_answer *answer);
void solve_write_attempts(thud_text *text, const solve_answer *answer);
void solve_write_solutions(thud_text *text, const solve_answer *answer);
void solve_write_json(thud_json *json, const solve_request *request, const solve_answer *answer);
/* --list-methods, and the options that --set takes, with their defaults */
void solve_write_methods(thud_text *text);
void solve_write_options(thud_text *text);
void solve_write_methods_json(thud_json *json);

#endif
