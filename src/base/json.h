/* A growing text and a JSON writer on it: what reports, summaries and the command line print. */
#ifndef THUD_SRC_BASE_JSON_H
#define THUD_SRC_BASE_JSON_H

#include "base/base.h"

/* Text that grows; always 0-terminated once something was added. After a failed allocation `error` stays set and
 * further additions do nothing, so that a writer checks once at the end. */
typedef struct thud_text {
  thud_context *context;
  char *data; /* NULL while empty */
  size_t length, capacity;
  thud_error error;
} thud_text;

THUD_FOR_IO thud_text thud_text_new(thud_context *context);
THUD_FOR_IO void thud_text_free(thud_text *text);
THUD_FOR_IO void thud_text_append(thud_text *text, const char *bytes, size_t length);
THUD_FOR_IO void thud_text_print(thud_text *text, const char *format, ...) THUD_PRINTF(2, 3);
/* The text so far, "" while empty. */
THUD_FOR_IO const char *thud_text_chars(const thud_text *text);

/* Bytes of the UTF-8 sequence at p (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF), 0 when it is none. */
THUD_FOR_IO size_t thud_utf8_length(const unsigned char *p);

enum { THUD_JSON_MAX_DEPTH = 64 };

/* Writes one JSON value with two-space indentation; arrays of plain numbers stay on one line. Numbers carry 17
 * digits; NaN and infinities become null; bytes that are not UTF-8 become U+FFFD, so that any text gives valid JSON.
 * Inside an object every value is preceded by thud_json_key. */
typedef struct thud_json {
  thud_text *text;
  int depth;
  bool flat[THUD_JSON_MAX_DEPTH];    /* this level is written on one line */
  bool started[THUD_JSON_MAX_DEPTH]; /* this level has an element already */
  bool after_key;
} thud_json;

THUD_FOR_IO thud_json thud_json_new(thud_text *text);
THUD_FOR_IO void thud_json_begin_object(thud_json *json);
THUD_FOR_IO void thud_json_end_object(thud_json *json);
THUD_FOR_IO void thud_json_begin_array(thud_json *json);
THUD_FOR_IO void thud_json_begin_flat_array(thud_json *json);
THUD_FOR_IO void thud_json_end_array(thud_json *json);
THUD_FOR_IO void thud_json_key(thud_json *json, const char *key);
THUD_FOR_IO void thud_json_string(thud_json *json, const char *value); /* NULL writes null */
THUD_FOR_IO void thud_json_number(thud_json *json, double value);
THUD_FOR_IO void thud_json_integer(thud_json *json, int64_t value);
THUD_FOR_IO void thud_json_bool(thud_json *json, bool value);
THUD_FOR_IO void thud_json_null(thud_json *json);
/* A value that is JSON already, as it is. */
THUD_FOR_IO void thud_json_raw(thud_json *json, const char *value);
/* key and value at once */
THUD_FOR_IO void thud_json_string_field(thud_json *json, const char *key, const char *value);
THUD_FOR_IO void thud_json_number_field(thud_json *json, const char *key, double value);
THUD_FOR_IO void thud_json_integer_field(thud_json *json, const char *key, int64_t value);

#endif
