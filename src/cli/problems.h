/* Shared by the commands that read contact problems. */
#ifndef THUD_SRC_CLI_PROBLEMS_H
#define THUD_SRC_CLI_PROBLEMS_H

#include "cli/cli.h"
#include "thud/problem.h"

/* Index of the flag's value among the words; `absent` when it was not given; -2 after a complaint. */
int cli_choice(const cli_call *call, const char *flag, const char *const *words, int absent);
/* --from and --kind; false after a complaint. */
bool cli_problem_read_options(const cli_call *call, thud_problem_read_options *options);
/* fclib or native by the ending of the name, AUTO when it does not determine. */
thud_problem_format cli_problem_format_of_name(const char *path);

#endif
