#include "problem/scan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }

thud_error thud_scan_fail(const thud_scan *scan, thud_error error, const char *format, ...) {
  char message[256];
  thud_code code;
  const char *plain = thud_format_without_code(format, &code);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, plain, arguments);
  va_end(arguments);
  size_t line = 1;
  for (size_t k = 0; k < scan->word && k < scan->length; k++) line += scan->text[k] == '\n';
  thud_fail(scan->context, error, "[bad-problem-file] %s:%zu: %s", scan->name, line, message);
  return thud_fail_with_code(scan->context, error, code);
}

thud_error thud_scan_fail_within(const thud_scan *scan, thud_error error, const char *what) {
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  return thud_fail_within(scan->context, error, "%s: %s", scan->name, what);
}

bool thud_scan_word(thud_scan *scan, char *word) {
  size_t at = scan->at;
  while (at < scan->length && is_blank(scan->text[at])) at++;
  size_t begin = at;
  while (at < scan->length && !is_blank(scan->text[at])) at++;
  scan->word = begin;
  scan->at = at;
  size_t length = at - begin < THUD_SCAN_WORD - 1 ? at - begin : THUD_SCAN_WORD - 1;
  memcpy(word, scan->text + begin, length);
  word[length] = '\0';
  /* A NUL byte or another control character is never part of a number; do not let it hide the rest. */
  for (size_t k = 0; k < length; k++)
    if ((unsigned char)word[k] < 0x20 || (unsigned char)word[k] > 0x7e) word[k] = '?';
  return at > begin;
}

void thud_scan_skip_line(thud_scan *scan) {
  const char *end = memchr(scan->text + scan->at, '\n', scan->length - scan->at);
  scan->at = end != NULL ? (size_t)(end - scan->text) + 1 : scan->length;
}

thud_error thud_scan_expect(thud_scan *scan, const char *wanted) {
  char word[THUD_SCAN_WORD];
  if (!thud_scan_word(scan, word))
    return thud_scan_fail(scan, THUD_ERROR_FORMAT, "[bad-problem-file] the file ends where '%s' is needed", wanted);
  if (strcmp(word, wanted) != 0)
    return thud_scan_fail(scan, THUD_ERROR_FORMAT, "[bad-problem-file] expected '%s', found '%s'", wanted, word);
  return THUD_OK;
}

thud_error thud_scan_number(thud_scan *scan, const char *what, double *value) {
  char word[THUD_SCAN_WORD];
  if (!thud_scan_word(scan, word))
    return thud_scan_fail(scan, THUD_ERROR_FORMAT,
                          "[bad-problem-file] the file ends within %s: it is cut off, or of another kind", what);
  if (!thud_parse_double(word, value))
    return thud_scan_fail(scan, THUD_ERROR_FORMAT, "[bad-problem-file] %s: a finite number is needed, found '%s'", what,
                          word);
  return THUD_OK;
}

thud_error thud_scan_numbers(thud_scan *scan, const char *what, size_t count, double *values) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = thud_scan_number(scan, what, &values[k]);
  return error;
}

thud_error thud_scan_index(thud_scan *scan, const char *what, int64_t low, int64_t high, thud_index *value) {
  double number = 0;
  thud_error error = thud_scan_number(scan, what, &number);
  if (error != THUD_OK) return error;
  if (number != floor(number) || number < (double)low || number > (double)high)
    return thud_scan_fail(scan, THUD_ERROR_FORMAT,
                          "[bad-problem-file] %s: a whole number from %lld to %lld is needed, found %.17g", what,
                          (long long)low, (long long)high, number);
  *value = (thud_index)number;
  return THUD_OK;
}

thud_error thud_scan_check_room(const thud_scan *scan, const char *what, size_t count, size_t bytes) {
  size_t room = scan->length - scan->at + 1; /* the last thing needs no blank behind it */
  if (count <= room / bytes) return THUD_OK;
  return thud_scan_fail(scan, THUD_ERROR_FORMAT,
                        "[bad-problem-file] %s: %zu numbers are announced, but only %zu bytes follow: the file is cut "
                        "off, or a size in it "
                        "is wrong",
                        what, count, scan->length - scan->at);
}
