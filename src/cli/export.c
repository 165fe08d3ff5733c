/* thud export: records into formats of other programs. */
#include "cli/terminal.h"
#include "base/base.h"

#include <errno.h>
#include <string.h>

static const cli_flag flags[] = {
    {.name = "to",
     .value = "FORMAT",
     .help = "format: csv, or vtk (also by the file's name: .pvd, .vtu)",
     .words = "csv vtk"},
    {.name = "output", .letter = 'o', .value = "FILE", .help = "the file to write (default: standard output, '-')"},
    {.name = "force", .letter = 'f', .help = "replace a file that is no table of thud"},
    {.name = "channels",
     .value = "A,B,...",
     .help = "only these channels, in this order (default: all; with --at and --every: those of the state)"},
    {.name = "events", .help = "a line for each event instead of the rows"},
    {.name = "at", .value = "T1,T2,...", .help = "the motion at these times instead of the rows"},
    {.name = "every", .value = "DT", .help = "the motion at times DT apart, and at every event, instead of the rows"},
    {.name = "rows", .help = "the rows as they are recorded, of event-driven runs with their coefficients"},
    {.name = "no-units", .help = "names without units in the header line: 't' rather than 't [s]'"},
};

enum { MAX_CHANNELS = 256 };

/* The names after --channels, in one copy of the list. */
typedef struct channel_names {
  char *copy;
  size_t count;
  const char *names[MAX_CHANNELS];
} channel_names;

static thud_error read_names(const cli_call *call, channel_names *chosen) {
  const char *list = cli_value(call, "channels", 0);
  if (list == NULL) return THUD_OK;
  char *rest = chosen->copy = thud_strdup(call->context, list);
  if (rest == NULL) return THUD_ERROR_MEMORY;
  while (*rest != '\0') {
    size_t length = strcspn(rest, ",");
    bool more = rest[length] == ',';
    if (chosen->count == MAX_CHANNELS)
      return thud_fail(call->context, THUD_ERROR_ARGUMENT, "[usage] at most %d channels can be chosen", MAX_CHANNELS);
    chosen->names[chosen->count++] = rest;
    rest[length] = '\0';
    rest += length + more;
  }
  return THUD_OK;
}

/* Where and how the table goes out. */
typedef struct export_target {
  thud_record_csv_options options;
  const char *path; /* NULL: standard output */
} export_target;

static export_target target_of(const cli_call *call) {
  export_target target = {.options = thud_record_csv_options_default(), .path = cli_value(call, "output", 0)};
  target.options.overwrite = cli_may_replace(call, target.path);
  target.options.units = !cli_given(call, "no-units");
  if (target.path != NULL && strcmp(target.path, "-") == 0) target.path = NULL;
  return target;
}

/* The error of writing, or of closing when that failed. */
static thud_error close_output(const cli_call *call, FILE *stream, thud_error error) {
  if (fclose(stream) == 0 || error != THUD_OK) return error;
  return thud_fail(call->context, THUD_ERROR_FILE, "cannot write to standard output: %s", strerror(errno));
}

static thud_error export_table(const cli_call *call, thud_record_reader *reader, thud_record_table table,
                               const channel_names *chosen) {
  size_t channels[MAX_CHANNELS];
  for (size_t k = 0; k < chosen->count; k++) {
    thud_error error = thud_record_find_channel(reader, table, chosen->names[k], &channels[k]);
    if (error != THUD_OK) return error;
  }
  const export_target target = target_of(call);
  if (target.path == NULL) {
    FILE *stream = cli_open_output();
    if (stream == NULL) return THUD_ERROR_MEMORY;
    thud_error error = thud_record_write_csv(reader, &target.options, table, chosen->count, channels, stream);
    return close_output(call, stream, error);
  }
  return thud_record_export_csv(reader, &target.options, table, chosen->count, channels, target.path);
}

/* --at and --every: the frames of the record, evaluated. t and side go out in any case. */
static thud_error export_motion(const cli_call *call, thud_record_reader *reader, const channel_names *chosen,
                                thud_record_times times) {
  const char *names[MAX_CHANNELS];
  for (size_t k = 0; k < chosen->count; k++)
    if (strcmp(chosen->names[k], "t") != 0 && strcmp(chosen->names[k], "side") != 0)
      names[times.name_count++] = chosen->names[k];
  times.names = names;
  const export_target target = target_of(call);
  if (target.path == NULL) {
    FILE *stream = cli_open_output();
    if (stream == NULL) return THUD_ERROR_MEMORY;
    return close_output(call, stream, thud_record_write_motion_csv(reader, &target.options, &times, stream));
  }
  return thud_record_export_motion_csv(reader, &target.options, &times, target.path);
}

/* The rows of an event-driven record are coefficients; what a person wants of it is the motion: positions, velocities and
 * reactions at a thousand times, and at every event. */
static thud_error export_arcs(const cli_call *call, thud_record_reader *reader) {
  static const double parts = 1000;
  channel_names chosen = {.count = 0};
  thud_record_sampler *sampler = NULL;
  double start, end;
  size_t channel;
  thud_error error = thud_record_sampler_create(reader, 0, NULL, &sampler);
  if (error != THUD_OK) return error;
  thud_record_sampler_span(sampler, &start, &end);
  for (size_t k = 0; k < thud_record_sampler_width(sampler); k++) {
    thud_record_column column = thud_record_sampler_column(sampler, k);
    const char *name = column.derivative ? "v" : column.channel->name;
    if (chosen.count == 0 || strcmp(chosen.names[chosen.count - 1], name) != 0) chosen.names[chosen.count++] = name;
  }
  if (thud_record_find_channel(reader, THUD_RECORD_FRAMES, "reaction", &channel) == THUD_OK)
    chosen.names[chosen.count++] = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, channel)->name;
  error = export_motion(call, reader, &chosen, (thud_record_times){.every = end > start ? (end - start) / parts : 1});
  thud_record_sampler_destroy(sampler);
  return error;
}

static const char *const table_endings[] = {".csv", ".pvd", ".vtu", NULL};
static const char *const *const field_endings = table_endings + 1;

/* Fields on a mesh: into files only. */
static bool wants_vtk(const cli_call *call) {
  const char *format = cli_value(call, "to", 0), *path = cli_value(call, "output", 0);
  if (format != NULL) return strcmp(format, "vtk") == 0;
  return path != NULL && cli_find_ending(path, field_endings) >= 0;
}

/* The format is known, and the file's name agrees with it: --to csv takes any name but those of fields. */
static bool check_format(const cli_call *call) {
  const char *format = cli_value(call, "to", 0), *path = cli_value(call, "output", 0);
  if (format == NULL) return cli_check_ending(call, "output", path, "a table or of fields", table_endings);
  bool csv = strcmp(format, "csv") == 0;
  if (!csv && strcmp(format, "vtk") != 0) {
    cli_complain("export: format '%s' is not known; --to csv and --to vtk are", format);
    return false;
  }
  if (!csv) return cli_check_ending(call, "output", path, "fields (--to vtk)", field_endings);
  if (path == NULL || cli_find_ending(path, field_endings) < 0) return true;
  cli_complain("export: --to csv writes a table, the name %s is that of fields: give one of the two", path);
  return false;
}

static thud_error export_vtk(const cli_call *call, thud_record_reader *reader, const channel_names *chosen,
                             thud_record_times times) {
  const char *path = cli_value(call, "output", 0);
  times.name_count = chosen->count;
  times.names = chosen->names;
  if (path == NULL || cli_given(call, "events") || cli_given(call, "rows"))
    return thud_fail(call->context, THUD_ERROR_ARGUMENT,
                     "[usage] vtk: --output FILE.pvd or FILE.vtu is needed, no --events, no --rows");
  return thud_run_export_vtk(call->context, reader, &times, path, cli_may_replace(call, path));
}

/* Neither rows nor channels nor times were asked for, and the rows are polynomials. */
static bool wants_arcs(const cli_call *call, thud_record_reader *reader) {
  static const char *const flags_of_rows[] = {"rows", "channels", "events", "at", "every"};
  for (size_t k = 0; k < sizeof flags_of_rows / sizeof *flags_of_rows; k++)
    if (cli_given(call, flags_of_rows[k])) return false;
  const thud_record_channel *channel;
  bool series = false;
  for (size_t k = 0; (channel = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, k)) != NULL && !series; k++)
    series = channel->look == THUD_LOOK_SERIES;
  return series && thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES] > 0;
}

static thud_error export_record(const cli_call *call, thud_record_reader *reader, const channel_names *chosen,
                                thud_record_times times) {
  if (wants_vtk(call)) return export_vtk(call, reader, chosen, times);
  if (cli_given(call, "events")) return export_table(call, reader, THUD_RECORD_EVENTS, chosen);
  if (times.count > 0 || times.every > 0) return export_motion(call, reader, chosen, times);
  if (wants_arcs(call, reader)) return export_arcs(call, reader);
  return export_table(call, reader, THUD_RECORD_FRAMES, chosen);
}

/* False after a message. */
static bool read_times(const cli_call *call, double **values, thud_record_times *times) {
  bool given = cli_given(call, "at") || cli_given(call, "every");
  *times = (thud_record_times){0};
  if ((cli_given(call, "events") || cli_given(call, "rows")) && given) {
    cli_complain("export: --%s goes alone, without --at and --every", cli_given(call, "events") ? "events" : "rows");
    return false;
  }
  if (!cli_numbers(call, "at", values, &times->count) || !cli_number(call, "every", &times->every)) return false;
  times->times = *values;
  if (!cli_given(call, "every") || times->every > 0) return true;
  cli_complain("export: --every must be greater than 0, not %g", times->every);
  return false;
}

static int run(const cli_call *call) {
  if (!check_format(call) || !cli_output_is_no_input(call, cli_value(call, "output", 0))) return CLI_BAD_INPUT;
  thud_record_reader *reader = NULL;
  thud_record_times times;
  double *values = NULL;
  if (!read_times(call, &values, &times)) {
    thud_free(call->context, values);
    return CLI_BAD_INPUT;
  }
  channel_names chosen = {0};
  thud_error error = thud_record_open(call->context, call->operands[0], &reader);
  if (error == THUD_OK) error = read_names(call, &chosen);
  if (error == THUD_OK) error = export_record(call, reader, &chosen, times);
  thud_free(call->context, chosen.copy);
  thud_free(call->context, values);
  size_t rows = error == THUD_OK ? thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES] : 0;
  thud_record_reader_destroy(reader);
  if (error != THUD_OK) return cli_report_error(call, error);
  const char *path = cli_value(call, "output", 0);
  bool file = path != NULL && strcmp(path, "-") != 0;
  if (file && !call->json) cli_print(stdout, "%s: %s\n", wants_vtk(call) ? "fields" : "table", path);
  if (file && call->json)
    printf("{\"verdict\": \"good\", \"format\": \"%s\", \"rows\": %zu}\n", wants_vtk(call) ? "vtk" : "csv", rows);
  return cli_end_output();
}

const cli_command cli_export = {
    .name = "export",
    .operands = "RECORD",
    .summary = "write a record's frames as CSV, or its fields as VTK files",
    .details =
        "A header line, then one line per frame; the channels of a run are t, side, state, reaction, atom,\n"
        "variation and residual. Numbers carry 17 digits and read back as the same bits. Where the motion jumps,\n"
        "lines share a time: side is - for the left limit, + for the right one, empty for the value itself.\n"
        "--at and --every evaluate the record between its rows, straight lines or the polynomials of event-driven\n"
        "runs: t, side, the state, or what --channels asks for. Of event-driven runs the motion with its reactions is\n"
        "written at a thousand times and at every event unless --rows or --channels ask for the rows. --events lists "
        "what happened: kinds, constraints,\n"
        "modes, impulses. Fields of strings and beams, and of whatever else has a mesh, are written as VTK files "
        "(ParaView):\n"
        "-o film.pvd for all times, -o last.vtu for one state; --at, --every and --channels choose. Of rigid bodies\n"
        "there are two files per time, bodies and contacts (last.vtu and last-contacts.vtu), of the rows nearest to "
        "--at\nor --every.",
    .min_operands = 1,
    .max_operands = 1,
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
    .writes_stdout = true,
};
