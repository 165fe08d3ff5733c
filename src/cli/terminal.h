/* Output for people on a terminal: colours, and a progress line that is rewritten in place. */
#ifndef THUD_SRC_CLI_TERMINAL_H
#define THUD_SRC_CLI_TERMINAL_H

#include "cli/cli.h"

typedef enum cli_colour { CLI_PLAIN = 0, CLI_BOLD = 1, CLI_RED = 2, CLI_GREEN = 3, CLI_YELLOW = 4 } cli_colour;

/* True if stderr takes colours: a terminal that is not dumb, and NO_COLOR (https://no-color.org) is not set. */
bool cli_has_colours(void);
/* The sequence that begins a colour (CLI_PLAIN: ends it) on stderr; "" where there are none. */
const char *cli_colour_code(cli_colour colour);

/* Whatever the program says goes through these two, because names, titles and messages come from files: characters that a
 * terminal would obey become visible, \u001b and the like, bytes that are not UTF-8 \xff. JSON stays JSON: there such
 * characters are in strings only, where \u001b means them. */
void cli_put(FILE *stream, const char *text);
void cli_print(FILE *stream, const char *format, ...) THUD_PRINTF(2, 3);
/* The same as a stream to stdout, for functions of the library that take one; closed with fclose. NULL without memory. */
FILE *cli_open_output(void);

/* Columns of the terminal behind stderr; 80 when they are not known. */
int cli_terminal_columns(void);

/* The line of progress on stderr, cut to the width of the terminal; written at most ten times a second. */
typedef struct cli_line {
  bool on;    /* stderr is a terminal and somebody wants to see it */
  bool drawn; /* it is there now */
  double last;
} cli_line;

/* Begins a command's progress line: shown on terminals unless the result is JSON. */
cli_line cli_line_begin(const cli_call *call);
/* True if it is time to rewrite the line. */
bool cli_line_due(cli_line *line);
void cli_line_show(cli_line *line, const char *format, ...) THUD_PRINTF(2, 3);
/* Nothing of it is left. */
void cli_line_clear(cli_line *line);

/* Below a message "FILE:LINE:COLUMN: ...": that line of the file with a caret under the column, when it can be read. */
void cli_show_place(const char *message);

#endif
