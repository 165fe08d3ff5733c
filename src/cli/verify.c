#include "cli/cli.h"
static int run(const cli_call *call) {
  (void)call;
  cli_complain("verify: not yet");
  return CLI_INTERNAL;
}
const cli_command cli_verify = {.name = "verify",
                                .operands = "RECORD...",
                                .summary = "check records independently",
                                .details = "",
                                .min_operands = 1,
                                .max_operands = 100000,
                                .run = run};
