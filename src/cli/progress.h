/* How far a run is: a bar on a terminal, a line now and then in a log. */
#ifndef THUD_SRC_CLI_PROGRESS_H
#define THUD_SRC_CLI_PROGRESS_H

#include "cli/terminal.h"

enum { CLI_FIGURES = 6 }; /* share, time left, time, rate, contacts, residual: the first ones give way last */

typedef struct cli_progress {
  cli_line line;
  thud_run_so_far status; /* kept up to date by the run */
  double every;           /* s between two lines of a log; 0: none are written */
  double begin, last;
  size_t last_steps;
  double rate;             /* steps per second, smoothed */
  int widths[CLI_FIGURES]; /* the most that each figure of the bar has taken: what grows only does not flicker */
} cli_progress;

/* --progress SECONDS and --quiet of the call; false after a message. */
bool cli_progress_begin(const cli_call *call, cli_progress *progress);
/* thud_run_progress_fn, with a cli_progress. */
int cli_progress_show(void *user, double t, double start, double end);
/* The terminal is as it was. */
void cli_progress_end(cli_progress *progress);

#endif
