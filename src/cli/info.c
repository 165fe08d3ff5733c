/* thud info: what a record holds, without computing anything. */
#include "cli/terminal.h"
#include "base/base.h"
#include "base/json.h"
#include "record/record_names.h"
#include "thud/tree.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

static const cli_flag flags[] = {
    {.name = "channels", .help = "list the channels of frames and events"},
    {.name = "scene", .help = "print the scene as it was run, as JSON, and nothing else"},
    {.name = "source", .help = "print the scene file as it was given, with its comments, and nothing else"},
};

/* A record and what is found out about it. */
typedef struct record_facts {
  const char *path;
  thud_record_reader *reader;
  thud_record_info info;
  double bytes, first, last; /* of the file; times of the first and last frame, NaN: none */
  const char *time_unit;
  bool has_checkpoint;
} record_facts;

static const char *const type_names[] = {"real", "small", "integer", "text"};

/* ---- facts ----------------------------------------------------------------------------------------------------------- */

static thud_error read_span(record_facts *facts) {
  size_t time, end, rows = facts->info.rows[THUD_RECORD_FRAMES];
  facts->first = facts->last = NAN;
  facts->time_unit = "";
  if (rows == 0 || thud_record_find_role(facts->reader, THUD_RECORD_FRAMES, "time", &time) != THUD_OK) return THUD_OK;
  const thud_record_channel *channel = thud_record_reader_channel(facts->reader, THUD_RECORD_FRAMES, time);
  if (channel->width != 1) return THUD_OK;
  facts->time_unit = channel->unit;
  if (thud_record_find_role(facts->reader, THUD_RECORD_FRAMES, "end", &end) != THUD_OK ||
      thud_record_reader_channel(facts->reader, THUD_RECORD_FRAMES, end)->width != 1)
    end = time; /* the last arc goes on to its end */
  thud_error error = thud_record_read(facts->reader, THUD_RECORD_FRAMES, time, 0, 1, &facts->first);
  return error == THUD_OK ? thud_record_read(facts->reader, THUD_RECORD_FRAMES, end, rows - 1, 1, &facts->last) : error;
}

static thud_error open_facts(const cli_call *call, const char *path, record_facts *facts) {
  struct stat file;
  thud_record_resumption newest = {0};
  facts->path = path;
  thud_error error = thud_record_open(call->context, path, &facts->reader);
  if (error != THUD_OK) return error;
  facts->info = thud_record_reader_info(facts->reader);
  facts->bytes = stat(path, &file) == 0 ? (double)file.st_size : NAN;
  error = thud_record_read_checkpoint(facts->reader, &newest); /* of a run that goes on one may be in the making */
  facts->has_checkpoint = error == THUD_OK;
  thud_record_resumption_free(call->context, &newest);
  return error != THUD_ERROR_MEMORY ? read_span(facts) : error;
}

/* ---- text ------------------------------------------------------------------------------------------------------------ */

static void print_size(thud_text *text, double bytes) {
  if (bytes < 1e5)
    thud_text_print(text, "%.3g kB", bytes / 1e3);
  else
    thud_text_print(text, "%.3g MB", bytes / 1e6);
}

static void print_channels(thud_text *text, const record_facts *facts, thud_record_table table) {
  const thud_record_channel *channel;
  for (size_t k = 0; (channel = thud_record_reader_channel(facts->reader, table, k)) != NULL; k++) {
    char width[24] = "list";
    if (channel->width > 0) snprintf(width, sizeof width, "%zu", channel->width);
    thud_text_print(text, "    %-7s %-18s %-8s %6s  %-8s %-10s %s\n", k == 0 ? thud_record_table_name(table) : "",
                    channel->name, type_names[channel->type], width, thud_record_look_name(channel->look),
                    channel->unit, channel->description);
  }
}

static void print_warnings(thud_text *text, const record_facts *facts) {
  enum { SHOWN = 5 };
  size_t count = facts->info.rows[THUD_RECORD_WARNINGS];
  for (size_t k = 0; k < count && k < SHOWN; k++) {
    thud_record_note note;
    if (thud_record_read_note(facts->reader, THUD_RECORD_WARNINGS, k, &note) != THUD_OK) break;
    thud_text_print(text, "  warning     %s: %s", note.kind, note.text);
    if (!isnan(note.t)) thud_text_print(text, " (t = %.10g)", note.t);
    thud_text_print(text, "\n");
  }
  if (count > SHOWN) thud_text_print(text, "  warning     and %zu more\n", count - SHOWN);
}

/* Forces that the run found undetermined. */
static void print_undetermined(const cli_call *call, thud_text *text, const record_facts *facts) {
  thud_tree *tree = NULL;
  const char *summary = facts->info.summary;
  if (summary == NULL || thud_tree_read_text(call->context, "summary", summary, strlen(summary), &tree) != THUD_OK)
    return;
  const thud_node *found = thud_node_find(thud_tree_root(tree), "undetermined");
  if (found != NULL && thud_node_get_kind(found) == THUD_NODE_STRING && thud_node_string(found)[0] != '\0')
    thud_text_print(text, "  redundant   each of these forces of joints can be any real number: %s\n",
                    thud_node_string(found));
  thud_tree_destroy(tree);
}

/* Suggests the next command. */
static void print_advice(thud_text *text, const record_facts *facts) {
  bool ended = facts->info.finished && strcmp(facts->info.verdict, "stopped") != 0;
  if (ended) return;
  if (facts->has_checkpoint)
    thud_text_print(text, "  continue    thud run --resume '%s'\n", facts->path);
  else
    thud_text_print(text, "  continue    not possible: it has no checkpoint (record: {checkpoint_every: ...})\n");
}

static void print_facts(const cli_call *call, thud_text *text, const record_facts *facts) {
  const thud_record_info *info = &facts->info;
  thud_text_print(text, "%s\n", info->title[0] != '\0' ? info->title : facts->path);
  thud_text_print(text, "  file        %s, ", facts->path);
  print_size(text, facts->bytes);
  bool one_name = strcmp(info->kind, info->method) == 0; /* kinds that have one method are called as it */
  thud_text_print(text, ", thud %s\n  motion      %s%s%s\n", info->thud_version, info->kind, one_name ? "" : ", ",
                  one_name ? "" : info->method);
  if (!isnan(facts->first))
    thud_text_print(text, "  time        %.10g to %.10g %s\n", facts->first, facts->last, facts->time_unit);
  const size_t *rows = info->rows;
  thud_text_print(text, "  rows        %zu frame%s, %zu event%s, %zu warning%s\n", rows[THUD_RECORD_FRAMES],
                  thud_plural(rows[THUD_RECORD_FRAMES]), rows[THUD_RECORD_EVENTS],
                  thud_plural(rows[THUD_RECORD_EVENTS]), rows[THUD_RECORD_WARNINGS],
                  thud_plural(rows[THUD_RECORD_WARNINGS]));
  if (cli_given(call, "channels")) {
    thud_text_print(text, "  channels    name, type, numbers per row, look, unit, meaning\n");
    print_channels(text, facts, THUD_RECORD_FRAMES);
    print_channels(text, facts, THUD_RECORD_EVENTS);
  }
  print_undetermined(call, text, facts);
  print_warnings(text, facts);
  print_advice(text, facts);
  thud_text_print(text, "verdict: %s%s%s\n", info->verdict, info->reason[0] != '\0' ? ": " : "", info->reason);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------ */

static void write_channels(thud_json *json, const record_facts *facts, thud_record_table table) {
  const thud_record_channel *channel;
  thud_json_key(json, thud_record_table_name(table));
  thud_json_begin_array(json);
  for (size_t k = 0; (channel = thud_record_reader_channel(facts->reader, table, k)) != NULL; k++) {
    thud_json_begin_object(json);
    thud_json_string_field(json, "name", channel->name);
    thud_json_string_field(json, "type", type_names[channel->type]);
    thud_json_integer_field(json, "width", (int64_t)channel->width);
    thud_json_string_field(json, "look", thud_record_look_name(channel->look));
    thud_json_string_field(json, "unit", channel->unit);
    thud_json_string_field(json, "role", channel->role);
    thud_json_string_field(json, "description", channel->description);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

static void write_facts(thud_text *text, const record_facts *facts) {
  const thud_record_info *info = &facts->info;
  thud_json json = thud_json_new(text);
  thud_json_begin_object(&json);
  thud_json_string_field(&json, "verdict", info->verdict);
  thud_json_string_field(&json, "reason", info->reason);
  thud_json_string_field(&json, "file", facts->path);
  thud_json_number_field(&json, "bytes", facts->bytes);
  thud_json_string_field(&json, "title", info->title);
  thud_json_string_field(&json, "kind", info->kind);
  thud_json_string_field(&json, "method", info->method);
  thud_json_string_field(&json, "thud_version", info->thud_version);
  thud_json_key(&json, "finished");
  thud_json_bool(&json, info->finished);
  thud_json_key(&json, "has_checkpoint");
  thud_json_bool(&json, facts->has_checkpoint);
  thud_json_number_field(&json, "start", facts->first);
  thud_json_number_field(&json, "end", facts->last);
  thud_json_string_field(&json, "time_unit", facts->time_unit);
  thud_json_integer_field(&json, "frames", (int64_t)info->rows[THUD_RECORD_FRAMES]);
  thud_json_integer_field(&json, "events", (int64_t)info->rows[THUD_RECORD_EVENTS]);
  thud_json_integer_field(&json, "warnings", (int64_t)info->rows[THUD_RECORD_WARNINGS]);
  thud_json_key(&json, "channels");
  thud_json_begin_object(&json);
  write_channels(&json, facts, THUD_RECORD_FRAMES);
  write_channels(&json, facts, THUD_RECORD_EVENTS);
  thud_json_end_object(&json);
  thud_json_end_object(&json);
  thud_text_print(text, "\n");
}

/* ---- command --------------------------------------------------------------------------------------------------------- */

static int show_record(const cli_call *call, const char *path) {
  record_facts facts = {0};
  thud_error error = open_facts(call, path, &facts);
  thud_text text = thud_text_new(call->context);
  if (error == THUD_OK && cli_given(call, "scene"))
    thud_text_print(&text, "%s\n", facts.info.scene);
  else if (error == THUD_OK && cli_given(call, "source"))
    thud_text_print(&text, "%s", facts.info.source);
  else if (error == THUD_OK && call->json)
    write_facts(&text, &facts);
  else if (error == THUD_OK)
    print_facts(call, &text, &facts);
  if (error == THUD_OK) error = text.error;
  int code = error == THUD_OK ? cli_write_out(thud_text_chars(&text)) : cli_report_error(call, error);
  thud_text_free(&text);
  thud_record_reader_destroy(facts.reader);
  return code;
}

static int run(const cli_call *call) { return cli_each_operand(call, show_record); }

const cli_command cli_info = {
    .name = "info",
    .operands = "RECORD...",
    .summary = "say what records hold",
    .details =
        "Title, kind of motion, method, time span, numbers of frames, events and warnings, the verdict, and, of a\n"
        "run that was stopped or killed, the command that continues it. --channels also lists what the frames and\n"
        "events hold, --scene prints the scene as it was run, --source the file that it was read from. Nothing is\n"
        "computed or checked: 'thud verify' does that.",
    .min_operands = 1,
    .max_operands = 1000000,
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
};
