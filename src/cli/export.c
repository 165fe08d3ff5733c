/* thud export: records into formats of other programs. */
#include "cli/cli.h"
#include "base/base.h"

#include <string.h>

static const cli_flag flags[] = {
    {.name = "to", .value = "FORMAT", .help = "format: csv, the default and so far the only one"},
    {.name = "output", .letter = 'o', .value = "FILE", .help = "the file to write (default: standard output, '-')"},
    {.name = "force", .letter = 'f', .help = "replace an existing file"},
    {.name = "channels", .value = "A,B,...", .help = "only these channels, in this order (default: all)"},
    {.name = "at", .value = "T1,T2,...", .help = "event-driven records: the motion at these times instead of the rows"},
    {.name = "every",
     .value = "DT",
     .help = "event-driven records: the motion at times DT apart, and at every event, instead of the rows"},
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

/* --at and --every: the polynomials of the record, evaluated. */
static thud_error export_motion(const cli_call *call, thud_record_reader *reader, const thud_record_times *times) {
  thud_record_csv_options options = thud_record_csv_options_default();
  options.overwrite = cli_given(call, "force");
  options.units = !cli_given(call, "no-units");
  const char *path = cli_value(call, "output", 0);
  if (path == NULL || strcmp(path, "-") == 0) return thud_record_write_motion_csv(reader, &options, times, stdout);
  return thud_record_export_motion_csv(reader, &options, times, path);
}

/* False after a message. */
static bool read_times(const cli_call *call, double **values, thud_record_times *times) {
  bool given = cli_given(call, "at") || cli_given(call, "every");
  *times = (thud_record_times){0};
  if (given && cli_given(call, "channels")) {
    cli_complain(
        "export: --channels chooses among the rows; with --at and --every the coordinates and velocities go out");
    return false;
  }
  if (!cli_numbers(call, "at", values, &times->count) || !cli_number(call, "every", &times->every)) return false;
  times->times = *values;
  if (!cli_given(call, "every") || times->every > 0) return true;
  cli_complain("export: --every must be greater than 0, not %g", times->every);
  return false;
}

static int run(const cli_call *call) {
  const char *format = cli_value(call, "to", 0);
  if (format != NULL && strcmp(format, "csv") != 0) {
    cli_complain("export: format '%s' is not known; --to csv is", format);
    return CLI_BAD_INPUT;
  }
  if (!cli_output_is_no_input(call, cli_value(call, "output", 0))) return CLI_BAD_INPUT;
  thud_record_reader *reader = NULL;
  thud_record_times times;
  double *values = NULL;
  if (!read_times(call, &values, &times)) {
    thud_free(call->context, values);
    return CLI_BAD_INPUT;
  }
  thud_error error = thud_record_open(call->context, call->operands[0], &reader);
  if (error == THUD_OK)
    error = times.count > 0 || times.every > 0 ? export_motion(call, reader, &times) : export_csv(call, reader);
  thud_free(call->context, values);
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
        "lines share a time: side is - for the left limit, + for the right one, empty for the value itself.\n"
        "Rows of event-driven records are polynomials; --at and --every evaluate them: t, side, coordinates, "
        "velocities.",
    .min_operands = 1,
    .max_operands = 1,
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
};
