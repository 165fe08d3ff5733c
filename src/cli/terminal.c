/* Texts for terminals: messages, colours and the line of progress on stderr, and what else the program prints. */
#define _GNU_SOURCE 1 /* NOLINT: fopencookie */
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

/* ---- texts ----------------------------------------------------------------------------------------------------------- */

/* Characters that terminals obey instead of showing them: controls (C0 but for line feed and tab, DEL, C1), separators of
 * lines, and marks that turn the direction of what follows (Unicode's bidirectional algorithm, UAX 9). */
static bool is_obeyed(unsigned code) {
  bool control = (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0);
  bool turn = code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
              (code >= 0x2066 && code <= 0x2069);
  return control || turn;
}

/* The code of a character; '0' for the longest ones, none of which is obeyed. */
static unsigned code_of(const unsigned char *p, size_t length) {
  if (length == 1) return p[0];
  if (length == 2) return (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu);
  return length == 3 ? (p[0] & 0xfu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu) : '0';
}

/* Line feeds after a carriage return end lines of files from elsewhere. */
static bool is_line_end(const char *text, size_t count) { return count > 1 && text[0] == '\r' && text[1] == '\n'; }

static void put_bytes(FILE *stream, const char *text, size_t count) {
  size_t begin = 0, k = 0;
  while (k < count) {
    const unsigned char *p = (const unsigned char *)text + k;
    size_t length = thud_utf8_length(p);
    bool broken = length == 0 || length > count - k;
    if (!broken && (!is_obeyed(code_of(p, length)) || is_line_end(text + k, count - k))) {
      k += length;
      continue;
    }
    fwrite(text + begin, 1, k - begin, stream);
    fprintf(stream, broken ? "\\x%02x" : "\\u%04x", broken ? p[0] : code_of(p, length));
    begin = k += broken ? 1 : length;
  }
  fwrite(text + begin, 1, count - begin, stream);
}

/* A stream to stdout; bytes of a character that is not complete yet wait. */
typedef struct clean_output {
  char bytes[4096 + 4];
  size_t waiting;
} clean_output;

/* Bytes at the end of a text that begin a character without ending it. */
static size_t unfinished(const char *bytes, size_t count) {
  for (size_t k = 1; k <= 3 && k <= count; k++) {
    unsigned char byte = (unsigned char)bytes[count - k];
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return k < 1 + (size_t)(byte >= 0xc0) + (byte >= 0xe0) + (byte >= 0xf0) ? k : 0;
  }
  return 0;
}

static ssize_t write_clean(void *user, const char *bytes, size_t count) {
  clean_output *out = user;
  for (size_t taken = 0; taken < count;) {
    size_t part = count - taken < 4096 ? count - taken : 4096;
    memcpy(out->bytes + out->waiting, bytes + taken, part);
    size_t whole = out->waiting + part, rest = unfinished(out->bytes, whole);
    put_bytes(stdout, out->bytes, whole - rest);
    memmove(out->bytes, out->bytes + whole - rest, rest);
    out->waiting = rest;
    taken += part;
  }
  return ferror(stdout) ? -1 : (ssize_t)count;
}

static int close_clean(void *user) {
  clean_output *out = user;
  put_bytes(stdout, out->bytes, out->waiting);
  free(out);
  return ferror(stdout) ? -1 : 0;
}

FILE *cli_open_output(void) {
  clean_output *out = calloc(1, sizeof *out);
  if (out == NULL) return NULL;
  FILE *stream = fopencookie(out, "w", (cookie_io_functions_t){.write = write_clean, .close = close_clean});
  if (stream == NULL) free(out);
  return stream;
}

void cli_put(FILE *stream, const char *text) { put_bytes(stream, text, strlen(text)); }

/* The text of a printf in `fixed`, or in memory of its own, which is to be freed, where that is too short. Without memory
 * for it the text is cut. */
static char *format_text(char *fixed, size_t capacity, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(fixed, capacity, format, arguments);
  char *text = length >= (int)capacity ? malloc((size_t)length + 1) : NULL;
  if (text != NULL) vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

void cli_print(FILE *stream, const char *format, ...) {
  char fixed[2000];
  va_list arguments;
  va_start(arguments, format);
  char *text = format_text(fixed, sizeof fixed, format, arguments);
  va_end(arguments);
  cli_put(stream, text != NULL ? text : fixed);
  free(text);
}

/* The first line of a message; the place at its beginning is as bold as that of a compiler. */
static void print_first_line(const char *message, size_t length, size_t place, const char *code) {
  fprintf(stderr, "%sthud:%s %s", cli_colour_code(CLI_RED), cli_colour_code(CLI_PLAIN),
          cli_colour_code(place > 0 ? CLI_BOLD : CLI_PLAIN));
  put_bytes(stderr, message, place);
  fputs(cli_colour_code(CLI_PLAIN), stderr);
  put_bytes(stderr, message + place, length - place);
  cli_print(stderr, code[0] != '\0' ? " [%s]\n" : "%s\n", code);
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
  cli_print(stderr, "%6ld | %.*s\n       | %*s", place.line, (int)(end - begin), line + begin, (int)(column - first),
            "");
  fprintf(stderr, "%s^%s\n", cli_colour_code(CLI_GREEN), cli_colour_code(CLI_PLAIN));
}

static void complain(const char *code, const char *format, va_list arguments) {
  char fixed[2000];
  char *message = format_text(fixed, sizeof fixed, format, arguments);
  const char *shown = message != NULL ? message : fixed;
  size_t first = strcspn(shown, "\n");
  print_first_line(shown, first, find_place(shown).end, code);
  cli_show_place(shown);
  if (shown[first] != '\0') cli_print(stderr, "%s\n", shown + first + 1);
  free(message);
}

void cli_complain(const char *format, ...) {
  thud_code code;
  const char *text = thud_format_without_code(format, &code);
  va_list arguments;
  va_start(arguments, format);
  complain(code.text[0] != '\0' ? code.text : "usage", text, arguments);
  va_end(arguments);
}

void cli_complain_as(const char *code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  complain(code, format, arguments);
  va_end(arguments);
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

/* Over the line before, in one piece: a line that is cleared first flickers. What is left of a longer one is cleared behind. */
static void put_line(const char *text) {
  char *piece = NULL;
  size_t length = 0;
  FILE *memory = open_memstream(&piece, &length);
  if (memory == NULL) return;
  fputs("\r", memory);
  cli_put(memory, text);
  fputs("\033[K", memory);
  if (fclose(memory) == 0) fwrite(piece, 1, length, stderr);
  fflush(stderr);
  free(piece);
}

void cli_line_show(cli_line *line, const char *format, ...) {
  char text[MOST_COLUMNS * 4 + 1];
  va_list arguments;
  if (!line->on) return;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  text[byte_of(text, (size_t)cli_terminal_columns() - 1)] = '\0';
  put_line(text);
  line->drawn = true;
}

void cli_line_clear(cli_line *line) {
  if (line->drawn) fprintf(stderr, "\r\033[K");
  line->drawn = false;
}
