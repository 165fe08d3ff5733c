#include "base/json.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

thud_text thud_text_new(thud_context *context) { return (thud_text){.context = context}; }

void thud_text_free(thud_text *text) {
  thud_free(text->context, text->data);
  *text = thud_text_new(text->context);
}

const char *thud_text_chars(const thud_text *text) { return text->data != NULL ? text->data : ""; }

static bool make_room(thud_text *text, size_t more) {
  size_t needed;
  if (text->error != THUD_OK) return false;
  if (!thud_size_add(text->length, more, &needed) || !thud_size_add(needed, 1, &needed)) {
    text->error = THUD_ERROR_OVERFLOW;
    return false;
  }
  void *data = text->data;
  text->error = thud_array_reserve(text->context, &data, &text->capacity, needed, 1);
  text->data = data;
  return text->error == THUD_OK;
}

void thud_text_append(thud_text *text, const char *bytes, size_t length) {
  if (!make_room(text, length)) return;
  memcpy(text->data + text->length, bytes, length);
  text->length += length;
  text->data[text->length] = '\0';
}

void thud_text_print(thud_text *text, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  if (length >= 0 && make_room(text, (size_t)length)) {
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
  va_end(arguments);
}

thud_json thud_json_new(thud_text *text) { return (thud_json){.text = text}; }

static void put(thud_json *json, const char *chars) { thud_text_append(json->text, chars, strlen(chars)); }

static void new_line(thud_json *json) {
  put(json, "\n");
  for (int k = 0; k < json->depth; k++) put(json, "  ");
}

/* Comma and white space in front of an element or a key. */
static void separate(thud_json *json) {
  if (json->after_key) {
    json->after_key = false;
    return;
  }
  if (json->depth == 0) return;
  bool flat = json->flat[json->depth - 1];
  if (json->started[json->depth - 1]) put(json, flat ? ", " : ",");
  json->started[json->depth - 1] = true;
  if (!flat) new_line(json);
}

static void open_level(thud_json *json, const char *bracket, bool flat) {
  separate(json);
  put(json, bracket);
  if (json->depth >= THUD_JSON_MAX_DEPTH) {
    json->text->error = THUD_ERROR_INTERNAL;
    return;
  }
  json->flat[json->depth] = flat;
  json->started[json->depth] = false;
  json->depth++;
}

static void close_level(thud_json *json, const char *bracket) {
  if (json->depth == 0) {
    json->text->error = THUD_ERROR_INTERNAL;
    return;
  }
  json->depth--;
  if (json->started[json->depth] && !json->flat[json->depth]) new_line(json);
  put(json, bracket);
}

void thud_json_begin_object(thud_json *json) { open_level(json, "{", false); }
void thud_json_end_object(thud_json *json) { close_level(json, "}"); }
void thud_json_begin_array(thud_json *json) { open_level(json, "[", false); }
void thud_json_begin_flat_array(thud_json *json) { open_level(json, "[", true); }
void thud_json_end_array(thud_json *json) { close_level(json, "]"); }

size_t thud_utf8_length(const unsigned char *p) {
  size_t length = p[0] < 0x80                   ? 1
                  : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
                  : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
                  : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                                : 0;
  for (size_t k = 1; k < length; k++)
    if (p[k] < 0x80 || p[k] >= 0xc0) return 0; /* also the final 0: nothing beyond it is read */
  bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
  bool outside = (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf4 && p[1] >= 0x90);
  return overlong || outside ? 0 : length;
}

/* The code of a two- or three-byte character that is written as \u because readers of YAML refuse or fold it (C1
 * controls, line and paragraph separators, byte order mark, non-characters); 0 for all others. */
static unsigned escaped_code(const unsigned char *p, size_t length) {
  if (length == 2 && p[0] == 0xc2 && p[1] < 0xa0) return p[1];
  if (length != 3) return 0;
  unsigned code = (p[0] & 0xfu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
  return code == 0x2028 || code == 0x2029 || code == 0xfeff || code >= 0xfffe ? code : 0;
}

static void put_quoted(thud_json *json, const char *value) {
  put(json, "\"");
  for (const char *p = value; *p != '\0';) {
    unsigned char c = (unsigned char)*p;
    size_t length = thud_utf8_length((const unsigned char *)p);
    unsigned code = escaped_code((const unsigned char *)p, length);
    if (c == '"' || c == '\\')
      thud_text_print(json->text, "\\%c", c);
    else if (c == '\n')
      put(json, "\\n");
    else if (c == '\t')
      put(json, "\\t");
    else if (c < 0x20 || c == 0x7f)
      thud_text_print(json->text, "\\u%04x", c);
    else if (code != 0)
      thud_text_print(json->text, "\\u%04x", code);
    else if (length == 0)
      put(json, "\\ufffd");
    else
      thud_text_append(json->text, p, length);
    p += length > 0 ? length : 1;
  }
  put(json, "\"");
}

void thud_json_key(thud_json *json, const char *key) {
  separate(json);
  put_quoted(json, key);
  put(json, ": ");
  json->after_key = true;
}

void thud_json_string(thud_json *json, const char *value) {
  if (value == NULL) {
    thud_json_null(json);
    return;
  }
  separate(json);
  put_quoted(json, value);
}

void thud_json_number(thud_json *json, double value) {
  separate(json);
  char text[THUD_DOUBLE_CAPACITY];
  thud_format_digits(value, DBL_DECIMAL_DIG, text, sizeof text);
  put(json, text);
}

void thud_json_integer(thud_json *json, int64_t value) {
  separate(json);
  thud_text_print(json->text, "%lld", (long long)value);
}

void thud_json_bool(thud_json *json, bool value) {
  separate(json);
  put(json, value ? "true" : "false");
}

void thud_json_null(thud_json *json) { thud_json_raw(json, "null"); }

void thud_json_raw(thud_json *json, const char *value) {
  separate(json);
  put(json, value);
}

void thud_json_string_field(thud_json *json, const char *key, const char *value) {
  thud_json_key(json, key);
  thud_json_string(json, value);
}

void thud_json_number_field(thud_json *json, const char *key, double value) {
  thud_json_key(json, key);
  thud_json_number(json, value);
}

void thud_json_integer_field(thud_json *json, const char *key, int64_t value) {
  thud_json_key(json, key);
  thud_json_integer(json, value);
}
