/* thud explain: what the codes of messages mean. */
#include "base/base.h"
#include "base/json.h"
#include "cli/cli.h"
#include "thud/explain.h"

#include <string.h>

enum { INDENT = 11, COLUMNS = 100 };

/* A text after its label, broken between words. */
static void print_paragraph(thud_text *out, const char *label, const char *words) {
  size_t column = INDENT;
  thud_text_print(out, "  %-8s", label);
  for (size_t length; *words != '\0'; words += length + (words[length] == ' ')) {
    length = strcspn(words, " ");
    bool breaks = column + 1 + length > COLUMNS;
    if (breaks) thud_text_print(out, "\n%*s", INDENT - 1, "");
    thud_text_print(out, " %.*s", (int)length, words);
    column = (breaks ? INDENT : column) + 1 + length;
  }
  thud_text_print(out, "\n");
}

static void print_row(thud_text *out, const thud_message_help *row) {
  thud_text_print(out, "%s: %s\n", row->code, row->text);
  print_paragraph(out, "cause", row->cause);
  print_paragraph(out, "cure", row->cure);
  const char *line = row->example, *label = "example";
  for (size_t length; *line != '\0'; line += length + (line[length] == '\n'), label = "") {
    length = strcspn(line, "\n");
    thud_text_print(out, "  %-8s %.*s\n", label, (int)length, line);
  }
}

static void write_row(thud_json *json, const thud_message_help *row) {
  thud_json_begin_object(json);
  thud_json_string_field(json, "code", row->code);
  thud_json_string_field(json, "text", row->text);
  thud_json_string_field(json, "cause", row->cause);
  thud_json_string_field(json, "cure", row->cure);
  thud_json_string_field(json, "example", row->example);
  thud_json_end_object(json);
}

static const thud_message_help *find(const char *code) {
  enum { MOST = 500 };
  const char *codes[MOST];
  size_t count = 0;
  const thud_message_help *row = thud_explain(code);
  if (row != NULL) return row;
  for (; count < MOST && thud_explain_at(count) != NULL; count++) codes[count] = thud_explain_at(count)->code;
  const char *near = thud_suggest(code, codes, count);
  cli_complain("[unknown-code] explain: no message has the code '%s'%s%s%s", code,
               near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
               near != NULL ? "'?" : "; 'thud explain' lists all");
  return NULL;
}

static int finish(const cli_call *call, thud_text *text) {
  int code = text->error == THUD_OK ? cli_write_out(thud_text_chars(text)) : cli_report_error(call, text->error);
  thud_text_free(text);
  return code;
}

static int list_all(const cli_call *call) {
  thud_text text = thud_text_new(call->context);
  thud_json json = thud_json_new(&text);
  const thud_message_help *row;
  if (call->json) thud_json_begin_array(&json);
  for (size_t k = 0; (row = thud_explain_at(k)) != NULL; k++)
    if (call->json)
      write_row(&json, row);
    else
      thud_text_print(&text, "%-26s %s\n", row->code, row->text);
  if (call->json) {
    thud_json_end_array(&json);
    thud_text_print(&text, "\n");
  }
  return finish(call, &text);
}

static int explain_one(const cli_call *call, const char *code) {
  const thud_message_help *row = find(code);
  if (row == NULL) return CLI_BAD_INPUT;
  thud_text text = thud_text_new(call->context);
  thud_json json = thud_json_new(&text);
  if (call->json) {
    write_row(&json, row);
    thud_text_print(&text, "\n");
  } else {
    print_row(&text, row);
  }
  return finish(call, &text);
}

static int run(const cli_call *call) {
  return call->operand_count == 0 ? list_all(call) : cli_each_operand(call, explain_one);
}

const cli_command cli_explain = {
    .name = "explain",
    .operands = "[CODE...]",
    .summary = "say what the code of a message means, and what to do",
    .details =
        "Every warning and every error ends with its code, a word in [ ]. For each CODE this prints what it says, its\n"
        "cause, what to do and an example; without one the list of all codes.",
    .min_operands = 0,
    .max_operands = 1000000,
    .run = run,
};
