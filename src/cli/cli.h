/* The thud program: what its subcommands share. Only this folder prints and exits. */
#ifndef THUD_SRC_CLI_CLI_H
#define THUD_SRC_CLI_CLI_H

#include "thud/io.h"

#include <stdio.h>

/* Exit codes (docs/command-line.md). Several files: the largest. */
enum {
  CLI_GOOD = 0,
  CLI_BAD_VERDICT = 1, /* ran, but the verdict is bad */
  CLI_BAD_INPUT = 2,
  CLI_INTERNAL = 3, /* internal error or out of memory */
  CLI_INTERRUPTED = 130
};

typedef struct cli_flag {
  const char *name;  /* without the dashes */
  char letter;       /* short form, 0 when there is none */
  const char *value; /* what stands for its value in the usage ("FILE"); NULL: a switch */
  const char *help;
  const char *words; /* the values that there are, blanks in between, or @methods, @starters, @examples; NULL: any */
} cli_flag;

typedef struct cli_call cli_call;

typedef struct cli_command {
  const char *name;
  const char *operands;      /* as in the usage line: "SCENE..."; shells complete scenes and records by their endings */
  const char *operand_words; /* as cli_flag.words; NULL: operands are files */
  const char *summary;       /* one line */
  const char *details;       /* paragraphs of the help text */
  int min_operands, max_operands;
  const cli_flag *flags; /* [flag_count] beside the common --json, --help */
  size_t flag_count;
  int (*run)(const cli_call *call);
  bool computes;      /* uses OpenBLAS */
  bool reads_stdin;   /* its operand '-' is standard input: a scene */
  bool writes_stdout; /* --output '-' is standard output */
} cli_command;

/* One parsed command line. */
struct cli_call {
  const cli_command *command;
  thud_context *context;
  bool json;
  int operand_count;
  const char **operands;
  size_t given_count; /* flags in the order given */
  struct {
    const cli_flag *flag;
    const char *value;
  } * given;
};

extern const cli_command cli_run, cli_solve, cli_check, cli_plot, cli_verify, cli_export, cli_new, cli_schema,
    cli_convert, cli_study, cli_compare, cli_info, cli_report, cli_completion, cli_explain;

/* One after the other; NULL: there are no more. */
const cli_command *cli_command_at(size_t k);

/* Parses argv (from the word after the command's name). Returns true when the command should run; otherwise *exit_code
 * says how to end (--help: 0; a mistake: 2, message printed). */
bool cli_parse(const cli_command *command, int argc, char **argv, cli_call *call, int *exit_code);
void cli_call_free(cli_call *call);
void cli_print_help(const cli_command *command, FILE *stream);

/* The first command with a flag of this name; NULL: none has. */
const cli_command *cli_flag_owner(const char *name);

/* Value of the k-th occurrence of a flag ("" for a switch), or NULL when it was given fewer times. */
const char *cli_value(const cli_call *call, const char *flag, size_t k);
bool cli_given(const cli_call *call, const char *flag);
/* A flag's value as a finite number, which may be written as an expression (pi/4); false after printing what is wrong. */
bool cli_number(const cli_call *call, const char *flag, double *value);
/* A flag's value "1,5/2,3" as numbers, to be freed with thud_free; none when it was not given. */
bool cli_numbers(const cli_call *call, const char *flag, double **values, size_t *count);
/* thud_options_set_text with expressions for numbers. */
thud_error cli_set_option(const cli_call *call, const thud_option_table *table, void *options, const char *key,
                          const char *text);

/* "thud: message [code]" on stderr. The format may begin with its code, "[file] ..."; without one it is "usage". */
void cli_complain(const char *format, ...) THUD_PRINTF(1, 2);
void cli_complain_as(const char *code, const char *format, ...) THUD_PRINTF(2, 3);
/* Prints the context's last message and returns the exit code that belongs to the error. With --json also an
 * object {"verdict": "failed", "reason": ...} goes to stdout. */
int cli_report_error(const cli_call *call, thud_error error);

/* The exit code that belongs to an error. */
int cli_exit_code(thud_error error);

/* Ctrl-C and SIGTERM set a flag that the sinks look at; a second one ends the program at once. */
void cli_catch_signals(void);
bool cli_interrupted(void);

/* One operand after the other until Ctrl-C; the largest exit code. With --json what they print, one object each, becomes an
 * array when there are several operands. */
int cli_each_operand(const cli_call *call, int (*act)(const cli_call *call, const char *operand));
/* The text as a file, complete or not at all; an existing one is replaced with --force only. */
thud_error cli_write_file(const cli_call *call, const char *path, const char *text);
/* The same of a table; one of thud's own is replaced, too. */
thud_error cli_write_table(const cli_call *call, const char *path, const char *text);
/* True when --force is given, or the file is a picture, page, table or field of thud's own. */
bool cli_may_replace(const cli_call *call, const char *path);
/* Which of the endings (".png", NULL at the end) the name has, in any case; -1: none. */
int cli_find_ending(const char *path, const char *const *endings);
/* False, after a message, when the file name (NULL: none) that the flag gives to `what` ("a page") is that of an operand
 * or has none of the endings. */
bool cli_check_ending(const cli_call *call, const char *flag, const char *path, const char *what,
                      const char *const *endings);
/* {"verdict": "good", "file": path} to stdout. */
int cli_write_file_result(const cli_call *call, const char *path);
/* False, after a message, when the file to be written is one of the operands: --force must not destroy the input. */
bool cli_output_is_no_input(const cli_call *call, const char *output);
/* File name without folder and suffix, with a new suffix (runs/ball.h5, ".png" -> ball.png); NULL when out of memory.
 * Freed with thud_free. */
char *cli_name_beside(const cli_call *call, const char *path, const char *suffix);

/* The text to stdout; exit code 2, after a message, when it cannot be written (a full disk, a closed pipe). */
int cli_write_out(const char *text);
/* The same for what was printed to stdout before; called once more at the end of the program. */
int cli_end_output(void);

/* OpenBLAS waits for ever when it cannot get its working memory (128 MiB per thread that uses it at once, kept from the
 * first use on): true when there is enough for this many threads. */
bool cli_blas_has_memory(const cli_call *call, int threads);

/* First call of main: undoes what was arranged for the start of shared libraries (startup.c). */
void cli_end_startup(void);

#endif
