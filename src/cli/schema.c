/* thud schema: the JSON Schema of scene files, and the options that scenes have. */
#include "base/json.h"
#include "cli/cli.h"
#include "cli/embedded.h"
#include "run/run.h"

#include <math.h>

static const cli_flag flags[] = {
    {.name = "options",
     .help = "print the keys of simulate and record instead, by kind of motion: range, default, help"},
};

/* The names of a choice; a row without names stands for the registered solvers. */
static void write_choices(thud_json *json, const thud_option_key *key) {
  thud_json_key(json, "choices");
  thud_json_begin_array(json);
  for (size_t k = 0; key->choices != NULL && key->choices[k] != NULL; k++) thud_json_string(json, key->choices[k]);
  for (size_t k = 0; key->choices == NULL && k < thud_solver_method_count(); k++)
    thud_json_string(json, thud_solver_method_name(thud_solver_method_at(k)));
  thud_json_end_array(json);
}

static void write_default(thud_json *json, const thud_option_key *key) {
  if (isnan(key->default_value)) return;
  thud_json_key(json, "default");
  if (key->type == THUD_OPTION_BOOL)
    thud_json_bool(json, key->default_value != 0);
  else if (key->type == THUD_OPTION_CHOICE)
    thud_json_string(json, key->choices[(size_t)key->default_value]);
  else
    thud_json_number(json, key->default_value);
}

static void write_row(thud_json *json, const thud_kind_keys *entry, const thud_option_key *key) {
  static const char *const types[] = {[THUD_OPTION_BOOL] = "flag",
                                      [THUD_OPTION_INT] = "integer",
                                      [THUD_OPTION_REAL] = "number",
                                      [THUD_OPTION_CHOICE] = "choice"};
  thud_json_begin_object(json);
  thud_json_string_field(json, "section", entry->place);
  thud_json_string_field(json, "key", key->name);
  thud_json_string_field(json, "type", types[key->type]);
  if (key->type == THUD_OPTION_CHOICE) {
    write_choices(json, key);
  } else if (key->type != THUD_OPTION_BOOL) {
    thud_json_number_field(json, "minimum", key->minimum);
    thud_json_number_field(json, "maximum", key->maximum);
    thud_json_key(json, "minimum_open");
    thud_json_bool(json, key->minimum_open);
  }
  write_default(json, key);
  thud_json_key(json, "nullable");
  thud_json_bool(json, thud_run_is_listed(key->name, entry->nullable));
  thud_json_string_field(json, "unit", key->unit != NULL ? key->unit : "");
  thud_json_string_field(json, "methods", entry->methods);
  thud_json_string_field(json, "help", key->help);
  thud_json_end_object(json);
}

static void write_entries(thud_json *json, const thud_kind_keys *entries) {
  for (const thud_kind_keys *entry = entries; entry != NULL && entry->place != NULL; entry++)
    for (size_t k = 0; k < entry->table()->count; k++)
      if (!thud_run_is_listed(entry->table()->keys[k].name, entry->without))
        write_row(json, entry, &entry->table()->keys[k]);
}

static void write_rows(thud_json *json, const thud_kind_keys *entries) {
  thud_json_key(json, "options");
  thud_json_begin_array(json);
  write_entries(json, entries);
  thud_json_end_array(json);
  thud_json_key(json, "maps");
  thud_json_begin_object(json);
  for (const thud_kind_keys *entry = entries; entry != NULL && entry->place != NULL; entry++)
    if (entry->help != NULL) thud_json_string_field(json, entry->place, entry->help);
  thud_json_end_object(json);
}

static void write_kind(thud_json *json, const char *name, const char *section, const thud_kind_keys *entries) {
  thud_json_begin_object(json);
  thud_json_string_field(json, "kind", name);
  thud_json_string_field(json, "section", section);
  write_rows(json, entries);
  thud_json_end_object(json);
}

static int print_options(const cli_call *call) {
  thud_text text = thud_text_new(call->context);
  thud_json json = thud_json_new(&text);
  thud_json_begin_array(&json);
  write_kind(&json, NULL, NULL, thud_run_common_options());
  for (size_t k = 0; k < thud_kind_count; k++)
    write_kind(&json, thud_kind_table[k]->name, thud_kind_table[k]->section, thud_kind_table[k]->options);
  thud_json_end_array(&json);
  thud_text_print(&text, "\n");
  int code = text.error == THUD_OK ? cli_write_out(thud_text_chars(&text)) : cli_report_error(call, text.error);
  thud_text_free(&text);
  return code;
}

static int run(const cli_call *call) {
  return cli_given(call, "options") ? print_options(call) : cli_write_out(cli_schema_file[0].text);
}

const cli_command cli_schema = {
    .name = "schema",
    .operands = "",
    .summary = "print the JSON Schema of scene files",
    .details =
        "Editors use it to complete and check keys while one types: save it to a file and name that file in the\n"
        "editor's settings for YAML. --json changes nothing: a schema is JSON. --options prints, as JSON as well, the\n"
        "tables that the schema, the pages and the manual take their lists of options from.",
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
};
