#include "base/base.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void store(const thud_option_key *key, void *options, double value) {
  char *field = (char *)options + key->offset;
  switch (key->type) {
  case THUD_OPTION_BOOL: *(bool *)field = value != 0; break;
  case THUD_OPTION_INT:
  case THUD_OPTION_CHOICE: *(int *)field = (int)value; break;
  case THUD_OPTION_REAL: *(double *)field = value; break;
  }
}

double thud_options_get_number(const thud_option_key *key, const void *options) {
  THUD_REQUIRE_OR(NAN, key, options);
  const char *field = (const char *)options + key->offset;
  switch (key->type) {
  case THUD_OPTION_BOOL: return *(const unsigned char *)field; /* a foreign caller may have left more than 0 or 1 */
  case THUD_OPTION_INT:
  case THUD_OPTION_CHOICE: return *(const int *)field;
  case THUD_OPTION_REAL: return *(const double *)field;
  }
  return NAN;
}

static size_t field_width(const thud_option_key *key) {
  if (key->type == THUD_OPTION_BOOL) return sizeof(bool);
  return key->type == THUD_OPTION_REAL ? sizeof(double) : sizeof(int);
}

void thud_options_init(const thud_option_table *table, void *options, size_t size) {
  THUD_REQUIRE_OR(, table, options);
  if (size < sizeof size) return; /* not even the size field */
  memset(options, 0, size);
  if (table->fixed != NULL) memcpy(options, table->fixed, size < table->struct_size ? size : table->struct_size);
  *(size_t *)options = size;
  for (size_t k = 0; k < table->count; k++) {
    const thud_option_key *key = &table->keys[k];
    if (key->offset + field_width(key) <= size) store(key, options, key->default_value);
  }
  for (size_t k = 0; k < table->part_count; k++) {
    const thud_option_table *part = table->parts[k].table();
    size_t offset = table->parts[k].offset, left = size > offset ? size - offset : 0;
    thud_options_init(part, (char *)options + offset, left < part->struct_size ? left : part->struct_size);
  }
}

const thud_option_key *thud_options_find(const thud_option_table *table, const char *name) {
  THUD_REQUIRE_OR(NULL, table, name);
  for (size_t k = 0; k < table->count; k++)
    if (strcmp(table->keys[k].name, name) == 0) return &table->keys[k];
  return NULL;
}

static size_t choice_count(const thud_option_key *key) {
  size_t count = 0;
  while (key->choices[count] != NULL) count++;
  return count;
}

/* The range of a key's values, narrowed to what its field can hold. */
static void value_range(const thud_option_key *key, double *minimum, double *maximum, bool *open) {
  *minimum = key->minimum;
  *maximum = key->maximum;
  *open = key->minimum_open;
  switch (key->type) {
  case THUD_OPTION_INT:
    *minimum = fmax(key->minimum, INT_MIN);
    *maximum = fmin(key->maximum, INT_MAX);
    break;
  case THUD_OPTION_CHOICE:
    *minimum = 0;
    *maximum = (double)choice_count(key) - 1;
    *open = false;
    break;
  case THUD_OPTION_BOOL:
    *minimum = 0;
    *maximum = 1;
    *open = false;
    break;
  case THUD_OPTION_REAL: break;
  }
}

static thud_error check_value(thud_context *context, const thud_option_table *table, const thud_option_key *key,
                              double value) {
  static const char *const kinds[] = {[THUD_OPTION_BOOL] = "true or false (1 or 0)",
                                      [THUD_OPTION_INT] = "a whole number",
                                      [THUD_OPTION_REAL] = "a finite number",
                                      [THUD_OPTION_CHOICE] = "the index of a choice (a whole number)"};
  bool infinite = isinf(value) && !isinf(key->default_value); /* an infinite default allows infinity */
  bool whole = key->type == THUD_OPTION_REAL || value == floor(value);
  double minimum, maximum;
  bool open;
  value_range(key, &minimum, &maximum, &open);
  bool outside_bool = key->type == THUD_OPTION_BOOL && (value < minimum || value > maximum);
  if (isnan(value) || infinite || !whole || outside_bool)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] %s: '%s' must be %s, not %g", table->name, key->name,
                     kinds[key->type], value);
  if (value < minimum || (open && value == minimum))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] %s: '%s' must be %s %.10g, not %.10g", table->name,
                     key->name, open ? "greater than" : "at least", minimum, value);
  if (value > maximum)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] %s: '%s' must be at most %.10g, not %.10g",
                     table->name, key->name, maximum, value);
  return THUD_OK;
}

/* "a, b, c" as far as it fits, and "..." when it does not. */
static void join_names(size_t count, const char *const *names, char *text, size_t capacity) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t k = 0; k < count; k++) {
    const char *comma = k > 0 ? ", " : "";
    if (used + strlen(comma) + strlen(names[k]) + sizeof ", ..." > capacity) {
      snprintf(text + used, capacity - used, "%s...", comma);
      return;
    }
    used += (size_t)snprintf(text + used, capacity - used, "%s%s", comma, names[k]);
  }
}

enum { NAMES_CAPACITY = 512 };

static thud_error find_or_suggest(thud_context *context, const thud_option_table *table, const char *name,
                                  const thud_option_key **key) {
  *key = thud_options_find(table, name);
  if (*key != NULL) return THUD_OK;
  const char *names[64];
  size_t count = table->count < 64 ? table->count : 64;
  for (size_t k = 0; k < count; k++) names[k] = table->keys[k].name;
  const char *near = thud_suggest(name, names, count);
  if (near != NULL)
    return thud_fail(context, THUD_ERROR_NOT_FOUND, "[unknown-key] %s: unknown option '%s' (did you mean '%s'?)",
                     table->name, name, near);
  char known[NAMES_CAPACITY];
  join_names(count, names, known, sizeof known);
  return thud_fail(context, THUD_ERROR_NOT_FOUND, "[unknown-key] %s: unknown option '%s' (there are: %s)", table->name,
                   name, known);
}

thud_error thud_options_set_number(thud_context *context, const thud_option_table *table, void *options,
                                   const char *name, double value) {
  THUD_REQUIRE(context, context, table, options, name);
  const thud_option_key *key;
  thud_error error = find_or_suggest(context, table, name, &key);
  if (error == THUD_OK) error = check_value(context, table, key, value);
  if (error == THUD_OK) store(key, options, value);
  return error;
}

static thud_error choice_from_text(thud_context *context, const thud_option_table *table, const thud_option_key *key,
                                   const char *text, double *value) {
  size_t count = choice_count(key);
  for (size_t k = 0; k < count; k++)
    if (strcmp(key->choices[k], text) == 0) {
      *value = (double)k;
      return THUD_OK;
    }
  const char *near = thud_suggest(text, key->choices, count);
  if (near != NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[unknown-choice] %s: '%s' cannot be '%s' (did you mean '%s'?)",
                     table->name, key->name, text, near);
  char known[NAMES_CAPACITY];
  join_names(count, key->choices, known, sizeof known);
  return thud_fail(context, THUD_ERROR_ARGUMENT, "[unknown-choice] %s: '%s' cannot be '%s' (one of: %s)", table->name,
                   key->name, text, known);
}

thud_error thud_options_set_text(thud_context *context, const thud_option_table *table, void *options, const char *name,
                                 const char *text) {
  THUD_REQUIRE(context, context, table, options, name, text);
  const thud_option_key *key;
  double value = 0;
  thud_error error = find_or_suggest(context, table, name, &key);
  if (error != THUD_OK) return error;
  if (key->type == THUD_OPTION_CHOICE) {
    error = choice_from_text(context, table, key, text, &value);
  } else if (key->type == THUD_OPTION_BOOL) {
    if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
      error = thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] %s: '%s' must be true or false, not '%s'",
                        table->name, key->name, text);
    value = strcmp(text, "true") == 0;
  } else if (!thud_parse_double(text, &value)) {
    error = thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] %s: '%s' must be a number, not '%s'", table->name,
                      key->name, text);
  }
  if (error == THUD_OK) error = check_value(context, table, key, value);
  if (error == THUD_OK) store(key, options, value);
  return error;
}

static thud_error check_keys(thud_context *context, const thud_option_table *table, const void *options) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < table->count && error == THUD_OK; k++)
    error = check_value(context, table, &table->keys[k], thud_options_get_number(&table->keys[k], options));
  return error;
}

thud_error thud_options_check(thud_context *context, const thud_option_table *table, const void *options) {
  THUD_REQUIRE(context, context, table, options);
  if (*(const size_t *)options != table->struct_size)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "%s: the options' size field is %zu instead of %zu; start from the default function", table->name,
                     *(const size_t *)options, table->struct_size);
  thud_error error = check_keys(context, table, options);
  for (size_t k = 0; k < table->part_count && error == THUD_OK; k++)
    error = thud_options_check(context, table->parts[k].table(), (const char *)options + table->parts[k].offset);
  return error;
}

/* The bytes of `given` over the defaults in `own`. `room`: where the struct around `given` ends. */
static thud_error copy_given(thud_context *context, const thud_option_table *table, const void *given, size_t room,
                             void *own) {
  size_t size = *(const size_t *)given, known = table->struct_size;
  if (size > known && size <= room)
    return thud_fail(
        context, THUD_ERROR_ARGUMENT,
        "%s: the options' size field is %zu, this library knows %zu bytes: they are of a later version, or "
        "were not made by the default function",
        table->name, size, known);
  if (size < sizeof size || size > room)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "%s: the options' size field is %zu instead of %zu; start from the default function", table->name,
                     size, known);
  memcpy(own, given, size);
  *(size_t *)own = known;
  for (size_t k = 0; k < table->count; k++) /* a field of which only a part was given */
    if (table->keys[k].offset + field_width(&table->keys[k]) > size)
      store(&table->keys[k], own, table->keys[k].default_value);
  thud_error error = THUD_OK;
  for (size_t k = 0; k < table->part_count && error == THUD_OK; k++) {
    size_t offset = table->parts[k].offset;
    const thud_option_table *part = table->parts[k].table();
    thud_options_init(part, (char *)own + offset, part->struct_size);
    if (offset + sizeof size <= size)
      error = copy_given(context, part, (const char *)given + offset, size - offset, (char *)own + offset);
  }
  return error;
}

thud_error thud_options_take(thud_context *context, const thud_option_table *table, const void *given, void *own) {
  THUD_REQUIRE(context, context, table, own);
  thud_options_init(table, own, table->struct_size);
  thud_error error = given != NULL ? copy_given(context, table, given, SIZE_MAX, own) : THUD_OK;
  return error == THUD_OK ? thud_options_check(context, table, own) : error;
}

void thud_options_format(const thud_option_key *key, const void *options, char *buffer, size_t capacity) {
  THUD_REQUIRE_OR(, key, options, buffer);
  double value = thud_options_get_number(key, options);
  if (key->type == THUD_OPTION_BOOL)
    snprintf(buffer, capacity, "%s", value != 0 ? "true" : "false");
  else if (key->type == THUD_OPTION_CHOICE)
    snprintf(buffer, capacity, "%s",
             value >= 0 && value < (double)choice_count(key) ? key->choices[(size_t)value] : "null");
  else if (key->type == THUD_OPTION_INT)
    snprintf(buffer, capacity, "%d", (int)value);
  else
    thud_format_double(value, buffer, capacity);
}
