#include "base/base.h"
#include "base/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *thud_version(void) { return THUD_VERSION; }

static void *default_allocator(void *user, void *ptr, size_t old_size, size_t new_size) {
  (void)user;
  (void)old_size;
  if (new_size == 0) {
    free(ptr);
    return NULL;
  }
  return realloc(ptr, new_size);
}

static const thud_option_key keys[] = {
    {"threads", THUD_OPTION_INT, offsetof(thud_context_options, threads), 1, 1, 256, false, NULL, "1",
     "worker threads including the caller"},
};
static const thud_option_table table = {
    .name = "context", .struct_size = sizeof(thud_context_options), .keys = keys, .count = sizeof keys / sizeof *keys};

const thud_option_table *thud_context_option_table(void) { return &table; }

thud_error thud_context_create(const thud_context_options *options, thud_context **context) {
  thud_context_options chosen;
  thud_context none = {.message = none.own_message}; /* for the message of a failed check, which nobody can read */
  if (context == NULL || thud_options_take(&none, &table, options, &chosen) != THUD_OK) return THUD_ERROR_ARGUMENT;
  if (chosen.allocator == NULL) chosen.allocator = default_allocator;

  thud_context *made = chosen.allocator(chosen.allocator_user, NULL, 0, sizeof(thud_context));
  if (made == NULL) return THUD_ERROR_MEMORY;
  memset(made, 0, sizeof *made);
  made->allocator = chosen.allocator;
  made->allocator_user = chosen.allocator_user;
  made->logger = chosen.logger;
  made->logger_user = chosen.logger_user;
  made->threads = chosen.threads;
  made->message = made->own_message;
  if (chosen.threads > 1) {
    thud_error error = thud_pool_create(made, chosen.threads, &made->pool);
    if (error != THUD_OK) {
      chosen.allocator(chosen.allocator_user, made, sizeof(thud_context), 0);
      return error;
    }
  }
  *context = made;
  return THUD_OK;
}

void thud_context_destroy(thud_context *context) {
  if (context == NULL) return;
  if (context->pool != NULL) thud_pool_destroy(context, context->pool);
  context->allocator(context->allocator_user, context, sizeof(thud_context), 0);
}

char thud_context_hide_message(thud_context *context) {
  char first = context->message[0];
  context->message[0] = '\0';
  return first;
}

bool thud_context_show_message(thud_context *context, char first) {
  if (context->message[0] != '\0') return true;
  context->message[0] = first;
  return false;
}

const char *thud_context_last_message(const thud_context *context) { return context != NULL ? context->message : ""; }
int thud_context_threads(const thud_context *context) {
  THUD_REQUIRE_OR(0, context);
  return context->threads;
}
uint64_t thud_context_allocation_count(const thud_context *context) {
  THUD_REQUIRE_OR(0, context);
  return context->allocation_count;
}
uint64_t thud_context_live_blocks(const thud_context *context) {
  THUD_REQUIRE_OR(0, context);
  return context->live_blocks;
}

uint64_t thud_context_failures(const thud_context *context) { return context->memory_failures; }

thud_error thud_context_settle(thud_context *context, uint64_t failures, thud_error error) {
  if (context->memory_failures == failures) return error;
  bool told = error == THUD_ERROR_MEMORY && strstr(context->message, "memory") != NULL;
  return told ? error : thud_fail(context, THUD_ERROR_MEMORY, "out of memory");
}

/* ---- codes of messages: behind the text, for contexts that share it share both ------------------------------------ */

static char *code_of(const thud_context *context) { return context->message + THUD_MESSAGE_CAPACITY; }

const char *thud_format_without_code(const char *format, thud_code *code) {
  size_t length = format[0] == '[' ? strspn(format + 1, "abcdefghijklmnopqrstuvwxyz0123456789-") : 0;
  code->text[0] = '\0';
  if (length == 0 || length >= sizeof code->text || strncmp(format + 1 + length, "] ", 2) != 0) return format;
  memcpy(code->text, format + 1, length);
  code->text[length] = '\0';
  return format + length + 3;
}

thud_code thud_context_get_code(const thud_context *context) {
  thud_code code = {""};
  if (context != NULL) memcpy(code.text, code_of(context), sizeof code.text);
  return code;
}

thud_error(thud_fail_with_code)(thud_context *context, thud_error error, thud_code code) {
  if (context != NULL && code.text[0] != '\0') memcpy(code_of(context), code.text, sizeof code.text);
  return error;
}

const char *thud_context_last_code(const thud_context *context) {
  return context != NULL && context->message[0] != '\0' ? code_of(context) : "";
}

/* ---- messages: formatted aside first, because their arguments may be the context's present message ----------------- */

thud_error(thud_fail)(thud_context *context, thud_error error, const char *format, ...) {
  if (context == NULL) return error;
  char message[THUD_MESSAGE_CAPACITY];
  thud_code code;
  const char *text = thud_format_without_code(format, &code);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, text, arguments);
  va_end(arguments);
  memcpy(context->message, message, strlen(message) + 1);
  if (code.text[0] == '\0') snprintf(code.text, sizeof code.text, "%s", thud_error_code(error));
  memcpy(code_of(context), code.text, sizeof code.text);
  context->memory_failures += error == THUD_ERROR_MEMORY;
  return error;
}

/* Appends as much as fits. */
static void append_text(char message[THUD_MESSAGE_CAPACITY], const char *text) {
  size_t used = strlen(message), room = THUD_MESSAGE_CAPACITY - 1 - used, length = strlen(text);
  if (length > room) length = room;
  memcpy(message + used, text, length);
  message[used + length] = '\0';
}

thud_error(thud_fail_within)(thud_context *context, thud_error error, const char *format, ...) {
  if (context == NULL) return error;
  char message[THUD_MESSAGE_CAPACITY];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  append_text(message, ": ");
  append_text(message, context->message);
  memcpy(context->message, message, strlen(message) + 1);
  return error;
}

thud_error thud_stop_ask(thud_context *context, const thud_stop *stop, const char *what) {
  if (stop == NULL || stop->ask == NULL || stop->ask(stop->user) == 0) return THUD_OK;
  return thud_fail(context, THUD_ERROR_INTERRUPTED, "%s: interrupted", what);
}

void thud_context_stop_by(thud_context *context, thud_stop stop) { context->stop = stop; }

thud_error thud_context_ask(thud_context *context, const char *what) {
  return context != NULL ? thud_stop_ask(context, &context->stop, what) : THUD_OK;
}

void thud_log(thud_context *context, thud_log_level level, const char *format, ...) {
  if (context == NULL || context->logger == NULL) return;
  char message[THUD_MESSAGE_CAPACITY];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  context->logger(context->logger_user, level, message);
}

thud_error thud_fail_missing(thud_context *context, const char *function, const char *names, unsigned missing) {
  while ((missing & 1U) == 0 && strchr(names, ',') != NULL) {
    missing >>= 1;
    names = strchr(names, ',') + 1;
  }
  while (*names == ' ') names++;
  return thud_fail(context, THUD_ERROR_ARGUMENT, "%s: %.*s is NULL; it is required", function, (int)strcspn(names, ","),
                   names);
}
