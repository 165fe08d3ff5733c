/* thud new: starter scenes. */
#include "cli/cli.h"
#include "cli/embedded.h"
#include "base/base.h"
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

static const cli_flag flags[] = {
    {.name = "list", .letter = 'l', .help = "list the starter scenes"},
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "the file to write (default: NAME.yaml; '-': standard output)"},
    {.name = "force", .letter = 'f', .help = "replace an existing file"},
};

/* The title line of a starter, for the list. */
static void starter_title(const cli_embedded *starter, char *title, size_t capacity) {
  const char *line = strstr(starter->text, "\ntitle: ");
  snprintf(title, capacity, "%.*s", line != NULL ? (int)strcspn(line + 8, "\n") : 0, line != NULL ? line + 8 : "");
}

/* To standard output; the text is freed. */
static int write_text(const cli_call *call, thud_text *text) {
  int code = text->error == THUD_OK ? cli_write_out(thud_text_chars(text)) : cli_report_error(call, text->error);
  thud_text_free(text);
  return code;
}

static int list_starters(const cli_call *call) {
  thud_text text = thud_text_new(call->context);
  thud_json json = thud_json_new(&text);
  if (call->json) thud_json_begin_array(&json);
  for (size_t k = 0; k < cli_starter_count; k++) {
    char title[200];
    starter_title(&cli_starters[k], title, sizeof title);
    if (!call->json) {
      thud_text_print(&text, "%-24s %s\n", cli_starters[k].name, title);
      continue;
    }
    thud_json_begin_object(&json);
    thud_json_string_field(&json, "name", cli_starters[k].name);
    thud_json_string_field(&json, "title", title);
    thud_json_end_object(&json);
  }
  if (call->json) {
    thud_json_end_array(&json);
    thud_text_print(&text, "\n");
  }
  return write_text(call, &text);
}

static const cli_embedded *find_starter(const char *name) {
  const char **names = calloc(cli_starter_count, sizeof *names);
  const char *near = NULL;
  for (size_t k = 0; k < cli_starter_count; k++) {
    if (strcmp(cli_starters[k].name, name) == 0) {
      free((void *)names);
      return &cli_starters[k];
    }
    if (names != NULL) names[k] = cli_starters[k].name;
  }
  if (names != NULL) near = thud_suggest(name, names, cli_starter_count);
  free((void *)names);
  if (near != NULL)
    cli_complain("new: there is no starter '%s' (did you mean '%s'?)", name, near);
  else
    cli_complain("new: there is no starter '%s'; 'thud new --list' shows them", name);
  return NULL;
}

static int report_written(const cli_call *call, const char *path) {
  if (call->json) return cli_write_file_result(call, path);
  thud_text text = thud_text_new(call->context);
  thud_text_print(&text, "%s written; next: thud run %s\n", path, path);
  return write_text(call, &text);
}

static int run(const cli_call *call) {
  if (cli_given(call, "list") || call->operand_count == 0) return list_starters(call);
  const cli_embedded *starter = find_starter(call->operands[0]);
  if (starter == NULL) return CLI_BAD_INPUT;
  const char *path = cli_value(call, "output", 0);
  if (path != NULL && strcmp(path, "-") == 0) return cli_write_out(starter->text);
  static const char *const endings[] = {".yaml", ".yml", NULL};
  if (!cli_check_ending(call, "output", path, "a scene", endings)) return CLI_BAD_INPUT;
  char name[256];
  snprintf(name, sizeof name, "%s.yaml", starter->name);
  if (path == NULL) path = name;
  thud_error error = cli_write_file(call, path, starter->text);
  return error == THUD_OK ? report_written(call, path) : cli_report_error(call, error);
}

const cli_command cli_new = {
    .name = "new",
    .operands = "[NAME]",
    .operand_words = "@starters",
    .summary = "write a starter scene",
    .details =
        "Writes NAME.yaml, a complete scene with comments to start from; 'thud run NAME.yaml' runs it as it is.\n"
        "Without a name the starters are listed.",
    .max_operands = 1,
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
    .writes_stdout = true,
};
