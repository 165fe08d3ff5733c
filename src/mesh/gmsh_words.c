/* Words and numbers of Gmsh's files. */
#include "base/base.h"
#include "mesh/gmsh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

thud_error thud_gmsh_fail(const gmsh_cursor *in, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return thud_fail(in->context, THUD_ERROR_FORMAT, "%s, %s %zu: %s", in->name, in->binary ? "byte" : "line",
                   in->binary ? in->at : in->line, text);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

thud_error thud_gmsh_word(gmsh_cursor *in, char *word, size_t capacity) {
  size_t length = 0;
  for (; in->at < in->size && is_blank(in->bytes[in->at]); in->at++) in->line += in->bytes[in->at] == '\n';
  while (in->at + length < in->size && !is_blank(in->bytes[in->at + length])) length++;
  if (length == 0) return thud_gmsh_fail(in, "the file ends here, in the middle of a section");
  if (length >= capacity) return thud_gmsh_fail(in, "a word of %zu bytes", length);
  memcpy(word, in->bytes + in->at, length);
  word[length] = '\0';
  in->at += length;
  return THUD_OK;
}

void thud_gmsh_end_line(gmsh_cursor *in) {
  while (in->at < in->size && in->bytes[in->at] != '\n') in->at++;
}

static thud_error take_bytes(gmsh_cursor *in, void *to, size_t count) {
  if (in->size - in->at < count) return thud_gmsh_fail(in, "the file ends in the middle of a section");
  memcpy(to, in->bytes + in->at, count);
  in->at += count;
  return THUD_OK;
}

thud_error thud_gmsh_integer(gmsh_cursor *in, bool wide, int64_t *value) {
  char word[64], *end;
  int32_t narrow = 0;
  if (in->binary && wide) return take_bytes(in, value, sizeof *value);
  thud_error error = in->binary ? take_bytes(in, &narrow, sizeof narrow) : thud_gmsh_word(in, word, sizeof word);
  if (error != THUD_OK) return error;
  *value = narrow;
  if (in->binary) return THUD_OK;
  long long number = strtoll(word, &end, 10);
  if (*end != '\0' || end == word || strlen(word) > 18) return thud_gmsh_fail(in, "'%s' is no whole number", word);
  *value = number;
  return THUD_OK;
}

thud_error thud_gmsh_real(gmsh_cursor *in, double *value) {
  char word[64];
  thud_error error = in->binary ? take_bytes(in, value, sizeof *value) : thud_gmsh_word(in, word, sizeof word);
  if (error != THUD_OK) return error;
  if (in->binary ? !isfinite(*value) : !thud_parse_double(word, value))
    return thud_gmsh_fail(in, "'%s' is no finite number", in->binary ? "a coordinate" : word);
  return THUD_OK;
}

thud_error thud_gmsh_count(gmsh_cursor *in, bool wide, size_t least, size_t *count) {
  int64_t value = 0;
  thud_error error = thud_gmsh_integer(in, wide, &value);
  if (error != THUD_OK) return error;
  if (value < 0 || (uint64_t)value > (in->size - in->at) / least + 1)
    return thud_gmsh_fail(in, "a count of %lld, for which the file is too short", (long long)value);
  *count = (size_t)value;
  return THUD_OK;
}
