/* thud solve: what its files share: the answer to one file, where it comes from and how it is printed. */
#ifndef THUD_SRC_CLI_SOLVE_H
#define THUD_SRC_CLI_SOLVE_H

#include "cli/cli.h"
#include "base/json.h"
#include "thud/answer.h"
#include "thud/problem.h"

/* The request of the command line. */
typedef struct solve_request {
  thud_problem_read_options read;
  thud_answer_options answer; /* but for the contacts whose intervals are asked for */
  bool verbose;               /* prints the attempts */
  const char *forces;         /* these contacts: "0,3,7" or "all"; NULL: none */
  const char *start;          /* zero, guess, solution or a file */
  const char *output;         /* NULL: none */
  thud_problem_format output_format;
  bool overwrite;
} solve_request;

/* The answer to one file. */
typedef struct solve_answer {
  const char *path;
  thud_problem_file *file;             /* NULL when it cannot be read */
  thud_problem_file *start_file;       /* of --start, NULL: none */
  const thud_contact_problem *problem; /* of the file */
  thud_answer *owned;                  /* NULL: there is none */
  thud_answer found;                   /* what is in it, or the failure to read, to answer or to write */
  thud_text reason;                    /* of that failure */
  thud_code code;
} solve_answer;

/* Reads the file and finds the answer; failures are in the answer. To be released whatever happened. */
void solve_file(const cli_call *call, const solve_request *request, const char *path, solve_answer *answer);
void solve_answer_release(solve_answer *answer);

/* --forces and --closest: false after a complaint. */
bool solve_read_forces(const cli_call *call, solve_request *request);
/* --start: r and l of the start into the options, borrowed from the answer's files. */
thud_error solve_find_start(const cli_call *call, const solve_request *request, solve_answer *answer,
                            thud_answer_options *options);
/* The contacts asked for out of that many; those that are not there are an error. The list is to be freed whatever
 * happened. */
thud_error solve_list_contacts(const cli_call *call, const solve_request *request, thud_index contacts,
                               thud_index **list, size_t *count);
/* "the solutions that share the velocity found" */
extern const char *const solve_forces_over;
/* unique, many, unknown, or - when it was not examined */
const char *solve_uniqueness_word(const solve_answer *answer);
void solve_write_forces(thud_text *text, const solve_answer *answer);
void solve_write_forces_json(thud_json *json, const solve_request *request, const solve_answer *answer);
void solve_write_closest(thud_text *text, const solve_request *request, const solve_answer *answer);
void solve_write_array(thud_json *json, const char *key, size_t n, const double *x);

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
