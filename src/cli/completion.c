/* thud completion: what shells offer while a command line is typed, from the tables of flags. */
#include "cli/new.h"
#include "base/base.h"
#include "base/json.h"

#include <string.h>

/* ---- words --------------------------------------------------------------------------------------------------------- */

static void put_names(thud_text *out, const cli_embedded *table, size_t count) {
  for (size_t k = 0; k < count; k++)
    thud_text_print(out, "%s%s", k > 0 ? " " : "", cli_name_without_folder(table[k].name));
}

/* The words of a flag or of operands, blanks in between: a list, or what the program knows (@methods, @starters, @examples). */
static void put_words(thud_text *out, const char *words) {
  if (strcmp(words, "@methods") == 0) {
    for (size_t k = 0; k < thud_solver_method_count(); k++)
      thud_text_print(out, "%s%s", k > 0 ? " " : "", thud_solver_method_name(thud_solver_method_at(k)));
  } else if (strcmp(words, "@starters") == 0) {
    put_names(out, cli_starters, cli_starters_count);
  } else if (strcmp(words, "@examples") == 0) {
    put_names(out, cli_examples, cli_examples_count);
  } else {
    thud_text_print(out, "%s", words);
  }
}

typedef enum value_kind { VALUE_NONE, VALUE_WORDS, VALUE_FILE, VALUE_FOLDER, VALUE_FREE } value_kind;

/* Kind of value that a flag takes. */
static value_kind kind_of(const cli_flag *flag) {
  if (flag->value == NULL) return VALUE_NONE;
  if (flag->words != NULL) return VALUE_WORDS;
  if (strcmp(flag->value, "FILE") == 0) return VALUE_FILE;
  return strcmp(flag->value, "FOLDER") == 0 || strcmp(flag->value, "DIR") == 0 ? VALUE_FOLDER : VALUE_FREE;
}

/* Endings of the files that a command reads; NULL: any. */
static const char *endings_of(const cli_command *command) {
  if (strstr(command->operands, "SCENE") != NULL) return "yaml yml json";
  return strstr(command->operands, "RECORD") != NULL ? "h5 hdf5" : NULL;
}

/* Within single quotes of a shell; in zsh's lists also the signs that it reads in descriptions. */
static void put_quoted(thud_text *out, const char *text, const char *escaped) {
  for (; *text != '\0'; text++) {
    if (*text == '\'')
      thud_text_print(out, "'\\''");
    else
      thud_text_print(out, "%s%c", strchr(escaped, *text) != NULL ? "\\" : "", *text);
  }
}

/* ---- bash ---------------------------------------------------------------------------------------------------------- */

static const char bash_head[] = "# bash completion of thud, by `thud completion bash`.\n"
                                "_thud_files() { # endings; none: all files\n"
                                "  local ending IFS=$'\\n'\n"
                                "  compopt -o filenames 2>/dev/null\n"
                                "  COMPREPLY=($(compgen -d -- \"$cur\"))\n"
                                "  [ $# -gt 0 ] || COMPREPLY=($(compgen -f -- \"$cur\"))\n"
                                "  for ending; do COMPREPLY+=($(compgen -f -X \"!*.$ending\" -- \"$cur\")); done\n"
                                "}\n"
                                "_thud_folders() {\n"
                                "  local IFS=$'\\n'\n"
                                "  compopt -o filenames 2>/dev/null\n"
                                "  COMPREPLY=($(compgen -d -- \"$cur\"))\n"
                                "}\n"
                                "_thud_words() { COMPREPLY=($(compgen -W \"$1\" -- \"$cur\")); }\n"
                                "_thud() {\n"
                                "  local cur=\"${COMP_WORDS[COMP_CWORD]}\" flag=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
                                "  local command=\"${COMP_WORDS[1]}\"\n"
                                "  COMPREPLY=()\n"
                                "  [ \"$cur\" != '=' ] || cur=''\n"
                                "  [ \"$flag\" != '=' ] || flag=\"${COMP_WORDS[COMP_CWORD-2]}\"\n";

static void put_bash_values(thud_text *out, const cli_command *command) {
  for (size_t k = 0; k < command->flag_count; k++) {
    const cli_flag *flag = &command->flags[k];
    value_kind kind = kind_of(flag);
    if (kind == VALUE_NONE) continue;
    thud_text_print(out, "      --%s", flag->name);
    if (flag->letter != 0) thud_text_print(out, "|-%c", flag->letter);
    thud_text_print(out, ") ");
    if (kind == VALUE_WORDS) {
      thud_text_print(out, "_thud_words '");
      put_words(out, flag->words);
      thud_text_print(out, "'; ");
    } else if (kind != VALUE_FREE) {
      thud_text_print(out, kind == VALUE_FILE ? "_thud_files; " : "_thud_folders; ");
    }
    thud_text_print(out, "return ;;\n");
  }
}

static void put_bash_operands(thud_text *out, const cli_command *command) {
  const char *endings = endings_of(command);
  if (command->operand_words != NULL) {
    thud_text_print(out, "_thud_words '");
    put_words(out, command->operand_words);
    thud_text_print(out, "'");
  } else if (command->max_operands > 0) {
    thud_text_print(out, "_thud_files%s%s", endings != NULL ? " " : "", endings != NULL ? endings : "");
  } else {
    thud_text_print(out, ":");
  }
}

static void put_bash(thud_text *out) {
  const cli_command *command;
  thud_text_print(out, "%s  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    _thud_words '", bash_head);
  for (size_t k = 0; (command = cli_command_at(k)) != NULL; k++) thud_text_print(out, "%s ", command->name);
  thud_text_print(out, "help --help --version'\n    return\n  fi\n  case \"$command\" in\n  help) _thud_words '");
  for (size_t k = 0; (command = cli_command_at(k)) != NULL; k++)
    thud_text_print(out, "%s%s", k > 0 ? " " : "", command->name);
  thud_text_print(out, "' ;;\n");
  for (size_t k = 0; (command = cli_command_at(k)) != NULL; k++) {
    thud_text_print(out, "  %s)\n    case \"$flag\" in\n", command->name);
    put_bash_values(out, command);
    thud_text_print(out, "    esac\n    case \"$cur\" in\n    -*) _thud_words '");
    for (size_t f = 0; f < command->flag_count; f++) thud_text_print(out, "--%s ", command->flags[f].name);
    thud_text_print(out, "--json --help' ;;\n    *) ");
    put_bash_operands(out, command);
    thud_text_print(out, " ;;\n    esac ;;\n");
  }
  thud_text_print(out, "  esac\n}\ncomplete -F _thud thud\n");
}

/* ---- zsh ----------------------------------------------------------------------------------------------------------- */

static const char zsh_signs[] = "[]:\\";

static void put_zsh_value(thud_text *out, const cli_flag *flag) {
  value_kind kind = kind_of(flag);
  if (kind == VALUE_NONE) return;
  thud_text_print(out, ":");
  put_quoted(out, flag->value, zsh_signs);
  thud_text_print(out, ":");
  if (kind == VALUE_WORDS) {
    thud_text_print(out, "(");
    put_words(out, flag->words);
    thud_text_print(out, ")");
  } else if (kind == VALUE_FILE || kind == VALUE_FOLDER) {
    thud_text_print(out, kind == VALUE_FILE ? "_files" : "_files -/");
  }
}

static void put_zsh_flag(thud_text *out, const cli_flag *flag) {
  const char *equals = flag->value != NULL ? "=" : "";
  if (flag->letter != 0) {
    thud_text_print(out, "      '*-%c[", flag->letter);
    put_quoted(out, flag->help, zsh_signs);
    thud_text_print(out, "]");
    put_zsh_value(out, flag);
    thud_text_print(out, "' \\\n");
  }
  thud_text_print(out, "      '*--%s%s[", flag->name, equals);
  put_quoted(out, flag->help, zsh_signs);
  thud_text_print(out, "]");
  put_zsh_value(out, flag);
  thud_text_print(out, "' \\\n");
}

static void put_zsh_operands(thud_text *out, const cli_command *command) {
  const char *endings = endings_of(command);
  if (command->max_operands == 0) {
    thud_text_print(out, "      ;;\n");
    return;
  }
  thud_text_print(out, "      '*:");
  put_quoted(out, command->operands, zsh_signs);
  if (command->operand_words != NULL) {
    thud_text_print(out, ":(");
    put_words(out, command->operand_words);
    thud_text_print(out, ")'\n      ;;\n");
  } else if (endings != NULL) {
    thud_text_print(out, ":_files -g \"*.(");
    for (const char *p = endings; *p != '\0'; p++) thud_text_print(out, "%c", *p == ' ' ? '|' : *p);
    thud_text_print(out, ")\"'\n      ;;\n");
  } else {
    thud_text_print(out, ":_files'\n      ;;\n");
  }
}

static void put_zsh(thud_text *out) {
  const cli_command *command;
  thud_text_print(out, "#compdef thud\n# zsh completion of thud, by `thud completion zsh`.\n_thud() {\n"
                       "  local -a commands\n  commands=(\n");
  for (size_t k = 0; (command = cli_command_at(k)) != NULL; k++) {
    thud_text_print(out, "    '%s:", command->name);
    put_quoted(out, command->summary, ":\\");
    thud_text_print(out, "'\n");
  }
  thud_text_print(out, "    'help:show the help of a command'\n  )\n  if (( CURRENT == 2 )); then\n"
                       "    _describe command commands\n    return\n  fi\n"
                       "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n"
                       "  case $command in\n  help) _describe command commands ;;\n");
  for (size_t k = 0; (command = cli_command_at(k)) != NULL; k++) {
    thud_text_print(out, "  %s)\n    _arguments \\\n", command->name);
    for (size_t f = 0; f < command->flag_count; f++) put_zsh_flag(out, &command->flags[f]);
    thud_text_print(out, "      '--json[print the result as JSON]' \\\n      '--help[show the help]' \\\n");
    put_zsh_operands(out, command);
  }
  thud_text_print(out, "  esac\n}\n"
                       "if [ \"${funcstack[1]}\" = _thud ]; then _thud \"$@\"; else compdef _thud thud; fi\n");
}

/* ---- fish ---------------------------------------------------------------------------------------------------------- */

static void put_fish_flag(thud_text *out, const cli_command *command, const cli_flag *flag) {
  value_kind kind = kind_of(flag);
  thud_text_print(out, "complete -c thud -n '__thud_uses %s' -l %s", command->name, flag->name);
  if (flag->letter != 0) thud_text_print(out, " -s %c", flag->letter);
  if (kind == VALUE_WORDS) {
    thud_text_print(out, " -x -a '");
    put_words(out, flag->words);
    thud_text_print(out, "'");
  } else if (kind == VALUE_FOLDER) {
    thud_text_print(out, " -x -a '(__fish_complete_directories)'");
  } else if (kind != VALUE_NONE) {
    thud_text_print(out, kind == VALUE_FILE ? " -r -F" : " -x");
  }
  thud_text_print(out, " -d '");
  put_quoted(out, flag->help, "\\");
  thud_text_print(out, "'\n");
}

static void put_fish_operands(thud_text *out, const cli_command *command) {
  const char *endings = endings_of(command);
  if (command->max_operands == 0) return;
  thud_text_print(out, "complete -c thud -n '__thud_uses %s'", command->name);
  if (command->operand_words != NULL) {
    thud_text_print(out, " -a '");
    put_words(out, command->operand_words);
    thud_text_print(out, "'\n");
  } else if (endings == NULL) {
    thud_text_print(out, " -F\n");
  } else {
    thud_text_print(out, " -k -a '(for ending in %s; __fish_complete_suffix .$ending; end)'\n", endings);
  }
}

static void put_fish(thud_text *out) {
  const cli_command *command;
  thud_text_print(out, "# fish completion of thud, by `thud completion fish`.\n"
                       "function __thud_uses\n  set -l words (commandline -opc)\n"
                       "  test (count $words) -ge 2; and test $words[2] = $argv[1]\nend\n"
                       "function __thud_begins\n  test (count (commandline -opc)) -eq 1\nend\n"
                       "complete -c thud -f\n");
  for (size_t k = 0; (command = cli_command_at(k)) != NULL; k++) {
    thud_text_print(out, "complete -c thud -n __thud_begins -a %s -d '", command->name);
    put_quoted(out, command->summary, "\\");
    thud_text_print(out, "'\n");
    for (size_t f = 0; f < command->flag_count; f++) put_fish_flag(out, command, &command->flags[f]);
    thud_text_print(out, "complete -c thud -n '__thud_uses %s' -l json -d 'print the result as JSON'\n", command->name);
    thud_text_print(out, "complete -c thud -n '__thud_uses %s' -l help -s h -d 'show the help'\n", command->name);
    put_fish_operands(out, command);
  }
}

/* ---- the command --------------------------------------------------------------------------------------------------- */

static int run(const cli_call *call) {
  static const struct {
    const char *shell;
    void (*put)(thud_text *out);
  } shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};
  for (size_t k = 0; k < sizeof shells / sizeof *shells; k++) {
    if (strcmp(call->operands[0], shells[k].shell) != 0) continue;
    thud_text text = thud_text_new(call->context);
    shells[k].put(&text);
    int code = text.error == THUD_OK ? cli_write_out(thud_text_chars(&text)) : cli_report_error(call, text.error);
    thud_text_free(&text);
    return code;
  }
  cli_complain("completion: there is none for '%s'; give bash, zsh or fish", call->operands[0]);
  return CLI_BAD_INPUT;
}

const cli_command cli_completion = {
    .name = "completion",
    .operands = "SHELL",
    .summary = "print the completion script of a shell",
    .details =
        "Prints the script that lets bash, zsh or fish complete commands, options, their values and file names. An\n"
        "installation has these scripts where the shells look for them. For a program that is not installed:\n"
        "  bash  source <(thud completion bash)\n"
        "  zsh   source <(thud completion zsh)     (after compinit)\n"
        "  fish  thud completion fish | source",
    .min_operands = 1,
    .max_operands = 1,
    .operand_words = "bash zsh fish",
    .run = run,
};
