/* Files that the program reads one after the other, and those that it writes itself. */
#include "base/base.h"
#include "cli/cli.h"
#include "record/output.h"

#include <string.h>

thud_error cli_write_file(const cli_call *call, const char *path, const char *text) {
  return thud_output_write(call->context, path, cli_given(call, "force"), text, strlen(text));
}

thud_error cli_write_table(const cli_call *call, const char *path, const char *text) {
  return thud_output_write(call->context, path, cli_may_replace(call, path), text, strlen(text));
}

int cli_each_operand(const cli_call *call, int (*act)(const cli_call *call, const char *operand)) {
  bool array = call->json && call->operand_count > 1;
  int worst = array ? cli_write_out("[\n") : CLI_GOOD;
  for (int k = 0; k < call->operand_count && !cli_interrupted(); k++) {
    if (array && k > 0) cli_write_out(",\n");
    int code = act(call, call->operands[k]);
    if (code > worst) worst = code;
  }
  int written = array ? cli_write_out("]\n") : CLI_GOOD;
  return written > worst ? written : worst;
}
