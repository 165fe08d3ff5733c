/* thud solve: what its three files share: the answer to one file, how it is found and how it is told. */
#ifndef THUD_SRC_CLI_SOLVE_H
#define THUD_SRC_CLI_SOLVE_H

#include "cli/cli.h"
#include "base/json.h"
#include "thud/problem.h"
#include "thud/solve.h"

/* What the command line asks for. */
typedef struct solve_request {
  thud_problem_read_options read;
  thud_solver_options options;
  const thud_solver_method *method; /* NULL: auto */
  bool verbose;                     /* tells the attempts */
  bool all;                         /* all solutions */
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
  double seconds;     /* of everything but reading and writing */
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
  double *solutions; /* [solutions_kept * 2 * size] r and u of each, with --all */
  bool *isolated;    /* [solutions_kept] */
} solve_answer;

/* Reads the file and finds the answer; failures are in the answer. To be released whatever happened. */
void solve_file(const cli_call *call, const solve_request *request, const char *path, solve_answer *answer);
void solve_answer_release(thud_context *context, solve_answer *answer);

const char *solve_status_name(thud_solver_status status);
const char *solve_verdict_name(solve_verdict verdict);
/* Exit code of one file. */
int solve_exit_code(const solve_answer *answer);

/* The table: width of the column of names, head line, one line per file with what there is to say below it. */
int solve_name_width(const cli_call *call);
void solve_write_head(thud_text *text, int name_width);
void solve_write_row(thud_text *text, int name_width, const solve_answer *answer);
void solve_write_attempts(thud_text *text, const solve_answer *answer);
void solve_write_solutions(thud_text *text, const solve_answer *answer);
void solve_write_json(thud_json *json, const solve_answer *answer, bool all);
/* --list-methods, and the options that --set takes, with their defaults */
void solve_write_methods(thud_text *text);
void solve_write_options(thud_text *text);
void solve_write_methods_json(thud_json *json);

#endif
