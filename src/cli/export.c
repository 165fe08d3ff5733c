/* thud export: records into formats of other programs. */
#include "cli/cli.h"
#include "base/base.h"

#include <string.h>

static const cli_flag flags[] = {
    {.name = "to", .value = "FORMAT", .help = "format: csv, the default and so far the only one"},
    {.name = "output", .letter = 'o', .value = "FILE", .help = "the file to write (default: standard output, '-')"},
    {.name = "force", .letter = 'f', .help = "replace an existing file"},
    {.name = "channels",
     .value = "A,B,...",
     .help = "only these channels, in this order (default: all); with --at and --every among q,v,reaction,mode"},
    {.name = "events", .help = "a line for each event instead of the rows"},
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

static thud_error export_events(const cli_call *call, thud_record_reader *reader) {
  thud_record_csv_options options = thud_record_csv_options_default();
  options.overwrite = cli_given(call, "force");
  options.units = !cli_given(call, "no-units");
  const char *path = cli_value(call, "output", 0);
  if (path == NULL || strcmp(path, "-") == 0) return thud_record_write_events_csv(reader, &options, stdout);
  return thud_record_export_events_csv(reader, &options, path);
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

/* --channels beside --at or --every; t and side always go out. False after a message. */
static bool read_columns(const cli_call *call, unsigned *columns) {
  static const struct {
    const char *name;
    unsigned column;
  } all[] = {{"t", 0},
             {"side", 0},
             {"q", THUD_RECORD_COLUMN_Q},
             {"v", THUD_RECORD_COLUMN_V},
             {"reaction", THUD_RECORD_COLUMN_REACTION},
             {"mode", THUD_RECORD_COLUMN_MODE}};
  const char *list = cli_value(call, "channels", 0);
  while (list != NULL && *list != '\0') {
    size_t length = strcspn(list, ","), k = 0, count = sizeof all / sizeof *all;
    while (k < count && (strlen(all[k].name) != length || strncmp(all[k].name, list, length) != 0)) k++;
    if (k == count) {
      cli_complain("export: with --at and --every --channels chooses among q, v, reaction and mode, not '%.*s'",
                   (int)length, list);
      return false;
    }
    *columns |= all[k].column;
    list += length + (list[length] == ',');
  }
  return true;
}

/* False after a message. */
static bool read_times(const cli_call *call, double **values, thud_record_times *times) {
  bool given = cli_given(call, "at") || cli_given(call, "every");
  *times = (thud_record_times){0};
  if (cli_given(call, "events") && (given || cli_given(call, "channels"))) {
    cli_complain("export: --events goes alone, without --at, --every and --channels");
    return false;
  }
  if (given && !read_columns(call, &times->columns)) return false;
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
    error = cli_given(call, "events")            ? export_events(call, reader)
            : times.count > 0 || times.every > 0 ? export_motion(call, reader, &times)
                                                 : export_csv(call, reader);
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
        "Rows of event-driven records are polynomials; --at and --every evaluate them: t, side, coordinates,\n"
        "velocities, or what --channels asks for. --events lists what happened: kinds, constraints, modes, impulses.",
    .min_operands = 1,
    .max_operands = 1,
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
};
