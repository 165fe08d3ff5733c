/* Messages, colours and the line of progress on stderr. */
#include "cli/terminal.h"
#include "base/base.h"
#include "base/json.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_COLUMNS = 80, MOST_COLUMNS = 400 };
static const double LINE_EVERY = 0.1; /* s */

/* ---- colours --------------------------------------------------------------------------------------------------------- */

bool cli_has_colours(void) {
  const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
  bool dumb = terminal == NULL || strcmp(terminal, "dumb") == 0;
  return isatty(STDERR_FILENO) && !dumb && (none == NULL || none[0] == '\0');
}

const char *cli_colour_code(cli_colour colour) {
  static const char *const codes[] = {"\033[0m", "\033[1m", "\033[1;31m", "\033[1;32m", "\033[1;33m"};
  return cli_has_colours() ? codes[colour] : "";
}

/* The first line of a message; the place at its beginning is as bold as that of a compiler. */
static void print_first_line(const char *message, size_t length, size_t place) {
  fprintf(stderr, "%sthud:%s %s%.*s%s%.*s\n", cli_colour_code(CLI_RED), cli_colour_code(CLI_PLAIN),
          cli_colour_code(place > 0 ? CLI_BOLD : CLI_PLAIN), (int)place, message, cli_colour_code(CLI_PLAIN),
          (int)(length - place), message + place);
}

/* ---- places ---------------------------------------------------------------------------------------------------------- */

/* FILE:LINE:COLUMN: in front of a message. */
typedef struct message_place {
  size_t name; /* bytes of the file's name; 0: the message has no place */
  size_t end;  /* bytes of the place with its last colon */
  long line, column;
} message_place;

/* Digits and a colon, from *at on. */
static bool read_count(const char *message, size_t *at, long *count) {
  size_t digits = strspn(message + *at, "0123456789");
  if (digits == 0 || digits > 9 || message[*at + digits] != ':') return false;
  *count = strtol(message + *at, NULL, 10);
  *at += digits + 1;
  return *count > 0;
}

static message_place find_place(const char *message) {
  message_place place = {0};
  for (size_t k = strcspn(message, ":"); message[k] == ':'; k += 1 + strcspn(message + k + 1, ":")) {
    size_t at = k + 1;
    if (!read_count(message, &at, &place.line) || !read_count(message, &at, &place.column)) continue;
    place.name = k;
    place.end = at;
    return place;
  }
  return (message_place){0};
}

static bool is_regular_byte(int byte) { return byte >= 0x20 && byte != 0x7f; }

static void replace_broken_characters(char *text) {
  for (size_t length; *text != '\0'; text += length) {
    length = thud_utf8_length((const unsigned char *)text);
    if (length > 0) continue;
    *text = '?';
    length = 1;
  }
}

/* The line of the file without its end, what could move the cursor made harmless; false: there is no such line. */
static bool read_line(const char *path, long number, char *line, size_t capacity) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return false;
  int byte = 0;
  for (long passed = 1; passed < number && byte != EOF;) {
    byte = getc(file);
    passed += byte == '\n';
  }
  size_t used = 0;
  while (byte != EOF && (byte = getc(file)) != EOF && byte != '\n' && byte != '\r')
    if (used + 1 < capacity) line[used++] = (char)(is_regular_byte(byte) ? byte : ' ');
  line[used] = '\0';
  fclose(file);
  replace_broken_characters(line);
  return used > 0;
}

/* Byte at which character number `count` (from 0) of a UTF-8 text begins. */
static size_t byte_of(const char *text, size_t count) {
  size_t k = 0;
  for (; text[k] != '\0'; k++)
    if (((unsigned char)text[k] & 0xC0) != 0x80 && count-- == 0) break;
  return k;
}

void cli_show_place(const char *message) {
  enum { LONGEST = 4000, BEFORE = 60, SHOWN = 100 };
  char line[LONGEST], path[LONGEST];
  message_place place = find_place(message);
  if (place.name == 0 || place.name >= sizeof path) return;
  memcpy(path, message, place.name);
  path[place.name] = '\0';
  if (!read_line(path, place.line, line, sizeof line)) return;
  size_t column = (size_t)place.column - 1, first = column > BEFORE ? column - BEFORE : 0;
  size_t begin = byte_of(line, first), end = byte_of(line, first + SHOWN);
  if (byte_of(line, column) < begin || line[begin] == '\0') return;
  fprintf(stderr, "%6ld | %.*s\n       | %*s%s^%s\n", place.line, (int)(end - begin), line + begin,
          (int)(column - first), "", cli_colour_code(CLI_GREEN), cli_colour_code(CLI_PLAIN));
}

void cli_complain(const char *format, ...) {
  char fixed[2000];
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(fixed, sizeof fixed, format, arguments);
  va_end(arguments);
  char *message = length >= (int)sizeof fixed ? malloc((size_t)length + 1) : NULL;
  if (message != NULL) vsnprintf(message, (size_t)length + 1, format, again);
  va_end(again);
  const char *shown = message != NULL ? message : fixed;
  size_t first = strcspn(shown, "\n");
  print_first_line(shown, first, find_place(shown).end);
  cli_show_place(shown);
  if (shown[first] != '\0') fprintf(stderr, "%s\n", shown + first + 1);
  free(message);
}

/* ---- the line of progress ------------------------------------------------------------------------------------------------ */

int cli_terminal_columns(void) {
  struct winsize size = {0};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return USUAL_COLUMNS;
  return size.ws_col < MOST_COLUMNS ? size.ws_col : MOST_COLUMNS;
}

cli_line cli_line_begin(const cli_call *call) { return (cli_line){.on = !call->json && isatty(STDERR_FILENO)}; }

bool cli_line_due(cli_line *line) {
  if (!line->on) return false;
  double now = thud_seconds();
  if (now - line->last < LINE_EVERY) return false;
  line->last = now;
  return true;
}

void cli_line_show(cli_line *line, const char *format, ...) {
  char text[MOST_COLUMNS * 4 + 1];
  va_list arguments;
  if (!line->on) return;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  text[byte_of(text, (size_t)cli_terminal_columns() - 1)] = '\0';
  fprintf(stderr, "\r\033[K%s", text);
  fflush(stderr);
  line->drawn = true;
}

void cli_line_clear(cli_line *line) {
  if (line->drawn) fprintf(stderr, "\r\033[K");
  line->drawn = false;
}
