/* What the checker found, for machines and for people. */
#include "base/base.h"
#include "base/json.h"
#include "thud/verify.h"

#include <math.h>
#include <string.h>

const char *thud_verify_verdict_name(thud_verify_verdict verdict) {
  switch (verdict) {
  case THUD_VERIFY_GOOD: return "good";
  case THUD_VERIFY_BAD: return "failed";
  case THUD_VERIFY_UNFINISHED: return "unfinished";
  case THUD_VERIFY_UNDECIDED: break;
  }
  return "undecided";
}

const char *thud_verify_status_name(thud_verify_status status) {
  switch (status) {
  case THUD_VERIFY_PASSED: return "passed";
  case THUD_VERIFY_FAILED: return "failed";
  case THUD_VERIFY_NOT_CHECKABLE: return "not checkable";
  case THUD_VERIFY_NOT_CHECKED: return "not checked";
  case THUD_VERIFY_INCOMPLETE: return "incomplete";
  case THUD_VERIFY_NOT_APPLICABLE: break;
  }
  return "not applicable";
}

static void write_check(thud_json *json, const thud_verify_check *check) {
  thud_json_begin_object(json);
  thud_json_string_field(json, "name", check->name);
  thud_json_string_field(json, "status", thud_verify_status_name(check->status));
  thud_json_number_field(json, "worst", check->worst);
  thud_json_number_field(json, "tolerance", check->tolerance);
  thud_json_number_field(json, "t", check->t);
  thud_json_key(json, "frame");
  if (check->frame >= 0)
    thud_json_integer(json, check->frame);
  else
    thud_json_null(json);
  thud_json_string_field(json, "detail", check->detail);
  thud_json_end_object(json);
}

static void write_default(thud_json *json, const thud_verify_default *entry) {
  double number;
  bool truth = strcmp(entry->value, "true") == 0;
  thud_json_begin_object(json);
  thud_json_string_field(json, "path", entry->path);
  thud_json_key(json, "value");
  if (thud_parse_double(entry->value, &number))
    thud_json_number(json, number);
  else if (truth || strcmp(entry->value, "false") == 0)
    thud_json_bool(json, truth);
  else
    thud_json_string(json, entry->value);
  thud_json_integer_field(json, "count", (int64_t)entry->count);
  thud_json_end_object(json);
}

static void write_coverage(thud_json *json, const thud_verify_result *result) {
  thud_json_key(json, "checked");
  thud_json_begin_object(json);
  thud_json_string_field(json, "unit", result->checked_unit != NULL ? result->checked_unit : "");
  thud_json_integer_field(json, "count", (int64_t)result->checked_count);
  thud_json_integer_field(json, "of", (int64_t)result->checked_of);
  thud_json_key(json, "contacts");
  if (result->checked_contacts >= 0)
    thud_json_integer(json, result->checked_contacts);
  else
    thud_json_null(json);
  thud_json_end_object(json);
}

static thud_error hand_out(thud_text *text, char **out) {
  thud_error error = text->error;
  if (error == THUD_OK)
    *out = text->data;
  else
    thud_text_free(text);
  return error;
}

thud_error thud_verify_write_json(thud_context *context, const char *file, const thud_verify_result *result,
                                  char **out) {
  THUD_REQUIRE(context, context, file, result, out);
  thud_text text = thud_text_new(context);
  thud_json json = thud_json_new(&text);
  thud_json_begin_object(&json);
  thud_json_string_field(&json, "verdict", thud_verify_verdict_name(result->verdict));
  thud_json_string_field(&json, "reason", result->reason);
  thud_json_string_field(&json, "file", file);
  write_coverage(&json, result);
  thud_json_key(&json, "checks");
  thud_json_begin_array(&json);
  for (size_t k = 0; k < result->check_count; k++) write_check(&json, &result->checks[k]);
  thud_json_end_array(&json);
  thud_json_integer_field(&json, "defaults_total", (int64_t)result->relied_count);
  thud_json_key(&json, "defaults");
  thud_json_begin_array(&json);
  for (size_t k = 0; k < result->default_count; k++) write_default(&json, &result->defaults[k]);
  thud_json_end_array(&json);
  thud_json_end_object(&json);
  thud_text_print(&text, "\n");
  return hand_out(&text, out);
}

/* The worst value with its tolerance and its place; what is 0 without any tolerance is exact, everywhere. */
static void report_check(thud_text *text, const thud_verify_check *check) {
  bool exact = check->worst == 0 && check->tolerance == 0, placed = check->frame >= 0 && !exact;
  thud_text_print(text, "  %-11s %-14s", check->name, thud_verify_status_name(check->status));
  if (exact) thud_text_print(text, " exact");
  if (!exact && !isnan(check->worst)) thud_text_print(text, " %.3g (tolerance %.3g)", check->worst, check->tolerance);
  if (placed) thud_text_print(text, " at t = %.10g, frame %lld", check->t, (long long)check->frame);
  if (check->detail[0] != '\0')
    thud_text_print(text, "%s %s", isnan(check->worst) && !placed ? "" : ";", check->detail);
  thud_text_print(text, "\n");
}

static void report_defaults(thud_text *text, const thud_verify_result *result) {
  if (result->default_count == 0) return;
  thud_text_print(text, "  relied on %zu default%s:", result->relied_count, thud_plural(result->relied_count));
  for (size_t k = 0; k < result->default_count; k++) {
    const thud_verify_default *entry = &result->defaults[k];
    thud_text_print(text, "%s %s = %s", k > 0 ? "," : "", entry->path, entry->value);
    if (entry->count > 1) thud_text_print(text, " (%zu times)", entry->count);
  }
  thud_text_print(text, "\n");
}

/* "; checked 57 of 2000 steps, 3120 contacts" */
static void report_coverage(thud_text *text, const thud_verify_result *result) {
  if (result->checked_unit != NULL)
    thud_text_print(text, "; checked %llu of %llu %s", (unsigned long long)result->checked_count,
                    (unsigned long long)result->checked_of, result->checked_unit);
  if (result->checked_unit != NULL && result->checked_contacts >= 0)
    thud_text_print(text, ", %lld contact%s", (long long)result->checked_contacts,
                    thud_plural((size_t)result->checked_contacts));
  thud_text_print(text, "\n");
}

thud_error thud_verify_write_report(thud_context *context, const char *file, const thud_verify_result *result,
                                    char **out) {
  THUD_REQUIRE(context, context, file, result, out);
  thud_text text = thud_text_new(context);
  thud_text_print(&text, "%s\n", file);
  for (size_t k = 0; k < result->check_count; k++) report_check(&text, &result->checks[k]);
  report_defaults(&text, result);
  thud_text_print(&text, "verdict: %s%s%s", thud_verify_verdict_name(result->verdict),
                  result->reason[0] != '\0' ? ": " : "", result->reason);
  report_coverage(&text, result);
  return hand_out(&text, out);
}

void thud_verify_free_text(thud_context *context, char *text) {
  THUD_REQUIRE_OR(, context, text);
  thud_free(context, text);
}
