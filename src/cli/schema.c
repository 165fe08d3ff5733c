/* thud schema: the JSON Schema of scene files. */
#include "cli/cli.h"
#include "cli/embedded.h"

static int run(const cli_call *call) {
  (void)call;
  return cli_write_out(cli_schema_file[0].text);
}

const cli_command cli_schema = {
    .name = "schema",
    .operands = "",
    .summary = "print the JSON Schema of scene files",
    .details =
        "Editors use it to complete and check keys while one types: save it to a file and name that file in the\n"
        "editor's settings for YAML. --json changes nothing: a schema is JSON.",
    .run = run,
};
