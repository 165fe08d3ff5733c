/* Command lines: one table of flags per subcommand drives parsing, --help and the "did you mean". */
#include "cli/cli.h"
#include "base/base.h"
#include "expr/number_list.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const cli_flag common_flags[] = {
    {.name = "json", .help = "print the result as JSON"},
    {.name = "help", .letter = 'h', .help = "show this help"},
};
enum { COMMON_COUNT = sizeof common_flags / sizeof *common_flags };

static const cli_flag *flag_at(const cli_command *command, size_t k) {
  return k < command->flag_count ? &command->flags[k] : &common_flags[k - command->flag_count];
}

static const cli_flag *find_flag(const cli_command *command, const char *name, size_t length, char letter) {
  for (size_t k = 0; k < command->flag_count + COMMON_COUNT; k++) {
    const cli_flag *flag = flag_at(command, k);
    if (letter != 0 ? flag->letter == letter : strlen(flag->name) == length && strncmp(flag->name, name, length) == 0)
      return flag;
  }
  return NULL;
}

static void complain_unknown(const cli_command *command, const char *dashes, const char *word) {
  size_t count = command->flag_count + COMMON_COUNT;
  const char **names = malloc(count * sizeof *names); /* without memory nothing is suggested */
  for (size_t k = 0; names != NULL && k < count; k++) names[k] = flag_at(command, k)->name;
  const char *near = names != NULL ? thud_suggest(word, names, count) : NULL;
  const cli_command *owner = dashes[1] != '\0' ? cli_flag_owner(word) : NULL;
  if (owner != NULL)
    cli_complain("%s: there is no --%s here; it is an option of 'thud %s'", command->name, word, owner->name);
  else if (near != NULL)
    cli_complain("%s: unknown option %s%s (did you mean --%s?)", command->name, dashes, word, near);
  else
    cli_complain("%s: unknown option %s%s; see 'thud %s --help'", command->name, dashes, word, command->name);
  free(names);
}

/* One word that starts with a dash; *k moves past a value taken from the next word. */
static bool take_flag(const cli_command *command, int argc, char **argv, int *k, cli_call *call) {
  const char *word = argv[*k];
  bool is_long = word[1] == '-';
  const char *name = is_long ? word + 2 : word + 1;
  const char *equals = is_long ? strchr(name, '=') : NULL;
  size_t length = equals != NULL ? (size_t)(equals - name) : strlen(name);
  const cli_flag *flag = find_flag(command, name, length, is_long ? 0 : name[0]);
  if (flag == NULL || (!is_long && name[1] != '\0')) {
    char shown[80];
    snprintf(shown, sizeof shown, "%.*s", (int)(length < 70 ? length : 70), name);
    complain_unknown(command, is_long ? "--" : "-", shown);
    return false;
  }
  const char *value = "";
  if (flag->value == NULL && equals != NULL) {
    cli_complain("%s: --%s takes no value", command->name, flag->name);
    return false;
  }
  if (flag->value != NULL) {
    if (equals == NULL && *k + 1 >= argc) {
      cli_complain("%s: --%s needs a value: --%s %s", command->name, flag->name, flag->name, flag->value);
      return false;
    }
    value = equals != NULL ? equals + 1 : argv[++*k];
  }
  call->given[call->given_count].flag = flag;
  call->given[call->given_count++].value = value;
  return true;
}

static bool count_operands(const cli_command *command, int count) {
  if (count >= command->min_operands && count <= command->max_operands) return true;
  if (command->max_operands == 0)
    cli_complain("%s: takes no arguments", command->name);
  else if (count < command->min_operands)
    cli_complain("%s: needs %s; see 'thud %s --help'", command->name, command->operands, command->name);
  else
    cli_complain("%s: takes %d argument%s at most", command->name, command->max_operands,
                 command->max_operands == 1 ? "" : "s");
  return false;
}

bool cli_parse(const cli_command *command, int argc, char **argv, cli_call *call, int *exit_code) {
  *exit_code = CLI_BAD_INPUT;
  call->command = command;
  call->operands = calloc((size_t)argc + 1, sizeof *call->operands);
  call->given = calloc((size_t)argc + 1, sizeof *call->given);
  if (call->operands == NULL || call->given == NULL) {
    cli_complain("[memory] out of memory");
    *exit_code = CLI_INTERNAL;
    return false;
  }
  bool only_operands = false;
  for (int k = 0; k < argc; k++) {
    bool is_flag = !only_operands && argv[k][0] == '-' && argv[k][1] != '\0';
    if (is_flag && strcmp(argv[k], "--") == 0)
      only_operands = true;
    else if (!is_flag)
      call->operands[call->operand_count++] = argv[k];
    else if (!take_flag(command, argc, argv, &k, call))
      return false;
  }
  if (cli_given(call, "help")) {
    cli_print_help(command, stdout);
    *exit_code = CLI_GOOD;
    return false;
  }
  call->json = cli_given(call, "json");
  return count_operands(command, call->operand_count);
}

void cli_call_free(cli_call *call) {
  free((void *)call->operands);
  free(call->given);
}

const char *cli_value(const cli_call *call, const char *flag, size_t k) {
  for (size_t i = 0; i < call->given_count; i++)
    if (strcmp(call->given[i].flag->name, flag) == 0 && k-- == 0) return call->given[i].value;
  return NULL;
}

bool cli_given(const cli_call *call, const char *flag) { return cli_value(call, flag, 0) != NULL; }

/* "command: --flag: " in front of the context's message; false. */
static bool complain_value(const cli_call *call, const char *flag, thud_error error) {
  const char *message = error == THUD_ERROR_MEMORY ? thud_error_text(error) : thud_context_last_message(call->context);
  cli_complain("%s: --%s: %s", call->command->name, flag, message);
  return false;
}

bool cli_number(const cli_call *call, const char *flag, double *value) {
  const char *text = cli_value(call, flag, 0);
  thud_error error = text != NULL ? thud_expr_read_number(call->context, text, value) : THUD_OK;
  return error == THUD_OK || complain_value(call, flag, error);
}

bool cli_numbers(const cli_call *call, const char *flag, double **values, size_t *count) {
  const char *text = cli_value(call, flag, 0);
  *values = NULL;
  *count = 0;
  if (text == NULL) return true;
  thud_error error = thud_expr_read_numbers(call->context, text, values, count);
  return error == THUD_OK || complain_value(call, flag, error);
}

thud_error cli_set_option(const cli_call *call, const thud_option_table *table, void *options, const char *key,
                          const char *text) {
  const thud_option_key *known = thud_options_find(table, key);
  bool number = known != NULL && (known->type == THUD_OPTION_INT || known->type == THUD_OPTION_REAL);
  double value = 0;
  if (!number) return thud_options_set_text(call->context, table, options, key, text);
  thud_error error = thud_expr_read_number(call->context, text, &value);
  return error == THUD_OK ? thud_options_set_number(call->context, table, options, key, value) : error;
}

/* "-o, --output FILE", with blanks in the place of a missing letter. */
static int format_flag(const cli_flag *flag, size_t capacity, char *text) {
  char letter[8] = "   ";
  if (flag->letter != 0) snprintf(letter, sizeof letter, "-%c,", flag->letter);
  return snprintf(text, capacity, "%s --%s%s%s", letter, flag->name, flag->value != NULL ? " " : "",
                  flag->value != NULL ? flag->value : "");
}

void cli_print_help(const cli_command *command, FILE *stream) {
  fprintf(stream, "thud %s: %s\n\nUsage: thud %s [options]%s%s\n\n%s\n\nOptions:\n", command->name, command->summary,
          command->name, command->operands[0] != '\0' ? " " : "", command->operands, command->details);
  char left[64];
  int widest = 0;
  for (size_t k = 0; k < command->flag_count + COMMON_COUNT; k++) {
    int length = format_flag(flag_at(command, k), sizeof left, left);
    if (length > widest) widest = length;
  }
  for (size_t k = 0; k < command->flag_count + COMMON_COUNT; k++) {
    format_flag(flag_at(command, k), sizeof left, left);
    fprintf(stream, "  %-*s  %s\n", widest, left, flag_at(command, k)->help);
  }
}
