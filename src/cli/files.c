/* Files that the program reads one after the other, and those that it writes itself. */
#include "base/base.h"
#include "cli/cli.h"
#include "record/output.h"

#include <errno.h>
#include <string.h>

thud_error cli_write_file(const cli_call *call, const char *path, const char *text) {
  thud_output output;
  bool overwrite = cli_given(call, "force");
  thud_error error = thud_output_begin(call->context, path, overwrite, &output);
  if (error != THUD_OK) return error;
  FILE *stream = fopen(output.temporary, "w");
  bool good = stream != NULL && fputs(text, stream) >= 0;
  if (stream != NULL) good = fclose(stream) == 0 && good;
  if (good) return thud_output_commit(call->context, &output, overwrite);
  error = thud_fail(call->context, THUD_ERROR_FILE, "%s: cannot be written (%s)", path, strerror(errno));
  thud_output_cancel(call->context, &output);
  return error;
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
