/* What thud study prints, writes and draws. */
#ifndef THUD_SRC_CLI_STUDY_H
#define THUD_SRC_CLI_STUDY_H

#include "cli/cli.h"

/* The table on stdout (or JSON), to --output and --plot where asked for; exit code. */
int study_print_refinement(const cli_call *call, const thud_study *study);
int study_print_sweep(const cli_call *call, const thud_sweep_study_options *options, const thud_sweep_study *study);

#endif
