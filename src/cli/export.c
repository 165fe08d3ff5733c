/* thud export: records into formats of other programs. */
#include "cli/cli.h"
#include "base/base.h"

#include <string.h>

static const cli_flag flags[] = {
    {.name = "to", .value = "FORMAT", .help = "format: csv, the default and so far the only one"},
    {.name = "output", .letter = 'o', .value = "FILE", .help = "the file to write (default: standard output, '-')"},
    {.name = "force", .letter = 'f', .help = "replace an existing file"},
    {.name = "channels", .value = "A,B,...", .help = "only these channels, in this order (default: all)"},
    {.name = "no-units", .help = "names without units in the header line: 't' rather than 't [s]'"},
};

enum { MAX_CHANNELS = 256 };

static thud_error choose_channels(const cli_call *call, const thud_record_reader *reader, size_t *count,
                                  size_t *channels) {
  const char *list = cli_value(call, "channels", 0);
  *count = 0;
  while (list != NULL && *list != '\0') {
    size_t length = strcspn(list, ",");
    if (*count == MAX_CHANNELS)
      return thud_fail(call->context, THUD_ERROR_ARGUMENT, "at most %d channels can be chosen", MAX_CHANNELS);
    char *name = thud_strndup(call->context, list, length);
    if (name == NULL) return THUD_ERROR_MEMORY;
    thud_error error = thud_record_find_channel(reader, name, &channels[*count]);
    thud_free(call->context, name);
    if (error != THUD_OK) return error;
    ++*count;
    list += length + (list[length] == ',');
  }
  return THUD_OK;
}

static thud_error export_csv(const cli_call *call, thud_record_reader *reader) {
  size_t count, channels[MAX_CHANNELS];
  thud_error error = choose_channels(call, reader, &count, channels);
  if (error != THUD_OK) return error;
  thud_record_csv_options options = thud_record_csv_options_default();
  options.overwrite = cli_given(call, "force");
  options.units = !cli_given(call, "no-units");
  const char *path = cli_value(call, "output", 0);
  if (path == NULL || strcmp(path, "-") == 0) return thud_record_write_csv(reader, &options, count, channels, stdout);
  return thud_record_export_csv(reader, &options, count, channels, path);
}

static int run(const cli_call *call) {
  const char *format = cli_value(call, "to", 0);
  if (format != NULL && strcmp(format, "csv") != 0) {
    cli_complain("export: format '%s' is not known; --to csv is", format);
    return CLI_BAD_INPUT;
  }
  if (!cli_output_is_no_input(call, cli_value(call, "output", 0))) return CLI_BAD_INPUT;
  thud_record_reader *reader = NULL;
  thud_error error = thud_record_open(call->context, call->operands[0], &reader);
  if (error == THUD_OK) error = export_csv(call, reader);
  size_t rows = error == THUD_OK ? thud_record_reader_info(reader).rows : 0;
  thud_record_reader_destroy(reader);
  if (error != THUD_OK) return cli_report_error(call, error);
  const char *path = cli_value(call, "output", 0);
  if (call->json && path != NULL && strcmp(path, "-") != 0)
    printf("{\"verdict\": \"good\", \"format\": \"csv\", \"rows\": %zu}\n", rows);
  return fflush(stdout) == 0 ? CLI_GOOD : CLI_BAD_INPUT;
}

const cli_command cli_export = {
    .name = "export",
    .operands = "RECORD",
    .summary = "write a record's frames as CSV",
    .details =
        "A header line, then one line per frame; the channels of a run are t, side, state, reaction, atom,\n"
        "variation and residual. Numbers carry 17 digits and read back as the same bits. Where the motion jumps,\n"
        "lines share a time: side is - for the left limit, + for the right one, empty for the value itself.",
    .min_operands = 1,
    .max_operands = 1,
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
};
