#include "cli/cli.h"
static int run(const cli_call *call) {
  (void)call;
  cli_complain("plot: not yet");
  return CLI_INTERNAL;
}
const cli_command cli_plot = {.name = "plot",
                              .operands = "RECORD",
                              .summary = "draw a record",
                              .details = "",
                              .min_operands = 1,
                              .max_operands = 1,
                              .run = run};
