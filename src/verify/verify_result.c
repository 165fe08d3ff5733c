/* Results: the worst value of a check, the list of checks, the verdict, and all of it for machines and for people. */
#include "base/base.h"
#include "base/json.h"
#include "thud/verify.h"
#include "verify/verify_result.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

thud_verify_check thud_verify_check_new(const char *name) {
  return (thud_verify_check){
      .name = name, .status = THUD_VERIFY_PASSED, .worst = NAN, .tolerance = NAN, .t = NAN, .frame = -1};
}

/* Below the smallest normal double products have lost their digits, and tolerances relative to them are 0: what is left
 * of a comparison there is underflow. */
static double without_underflow(double value) { return fabs(value) < DBL_MIN ? 0 : value; }

static thud_verify_status status_of_value(double value, double tolerance, double accuracy) {
  if (isnan(value) || value - accuracy > tolerance) return THUD_VERIFY_FAILED;
  return value + accuracy <= tolerance ? THUD_VERIFY_PASSED : THUD_VERIFY_NOT_CHECKABLE;
}

static int severity(thud_verify_status status) {
  switch (status) {
  case THUD_VERIFY_FAILED: return 3;
  case THUD_VERIFY_NOT_CHECKABLE: return 2;
  case THUD_VERIFY_INCOMPLETE: return 1;
  case THUD_VERIFY_PASSED:
  case THUD_VERIFY_NOT_APPLICABLE:
  case THUD_VERIFY_NOT_CHECKED: break;
  }
  return 0;
}

/* value/tolerance, comparable also when the tolerance is 0. An exact 0 says less than any number with a tolerance. */
static bool is_worse(double value, double tolerance, double other, double other_tolerance) {
  if (isnan(other)) return true;
  if (other == 0 && other_tolerance == 0 && tolerance > 0) return true;
  return isnan(value) || value * other_tolerance > other * tolerance;
}

bool thud_verify_tally(thud_verify_check *check, double value, double tolerance, double accuracy, double t,
                       size_t frame) {
  value = without_underflow(value);
  if (check->status == THUD_VERIFY_FAILED && isnan(check->worst))
    return false; /* for a reason that is not a number: it stays */
  thud_verify_status status = status_of_value(value, tolerance, accuracy);
  int more = severity(status) - severity(check->status);
  if (more < 0 || (more == 0 && !is_worse(value, tolerance, check->worst, check->tolerance))) return false;
  check->status = status;
  check->worst = value;
  check->tolerance = tolerance;
  check->t = t;
  check->frame = (int64_t)frame;
  check->detail[0] = '\0';
  if (status == THUD_VERIFY_NOT_CHECKABLE)
    thud_verify_explain(check, "the value is known only up to +- %.3g", accuracy);
  return true;
}

void thud_verify_fail(thud_verify_check *check, double t, size_t frame, const char *format, ...) {
  if (check->status == THUD_VERIFY_FAILED) return;
  *check = (thud_verify_check){.name = check->name,
                               .status = THUD_VERIFY_FAILED,
                               .worst = NAN,
                               .tolerance = NAN,
                               .t = t,
                               .frame = frame == SIZE_MAX ? -1 : (int64_t)frame};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(check->detail, sizeof check->detail, format, arguments);
  va_end(arguments);
}

void thud_verify_explain(thud_verify_check *check, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(check->detail, sizeof check->detail, format, arguments);
  va_end(arguments);
}

void thud_verify_add(thud_verify_check *check, const char *text) {
  size_t used = strlen(check->detail);
  snprintf(check->detail + used, sizeof check->detail - used, "%s%s", used > 0 ? "; " : "", text);
}

void thud_verify_skip(thud_verify_check *check, thud_verify_status status, const char *format, ...) {
  *check = thud_verify_check_new(check->name);
  check->status = status;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(check->detail, sizeof check->detail, format, arguments);
  va_end(arguments);
}

void thud_verify_result_add(thud_verify_result *result, const thud_verify_check *check) {
  if (result->check_count < THUD_VERIFY_MAX_CHECKS) result->checks[result->check_count++] = *check;
}

void thud_verify_result_insert(thud_verify_result *result, size_t k, const thud_verify_check *check) {
  thud_verify_result_add(result, check);
  for (size_t i = result->check_count; i-- > k + 1;) {
    thud_verify_check moved = result->checks[i];
    result->checks[i] = result->checks[i - 1];
    result->checks[i - 1] = moved;
  }
}

void thud_verify_result_cover(thud_verify_result *result, const char *unit, size_t count, size_t of, int64_t contacts) {
  result->checked_unit = unit;
  result->checked_count = count;
  result->checked_of = of;
  result->checked_contacts = contacts;
}

/* Checks of how the record is made, and of figures that it states; the others ask laws of the motion. */
static bool asks_law(const thud_verify_check *check) {
  static const char *const others[] = {"structure",  "resolved",   "initial",  "model",    "kind",
                                       "events",     "summary",    "residual", "finished", "functions",
                                       "refinement", "retraction", "observed", "seal"};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    if (strcmp(check->name, others[k]) == 0) return false;
  return true;
}

/* Some law has a number that passed, of some part of the motion. A check that never met a number passes, too: it is not enough. */
static bool is_covered(const thud_verify_result *result) {
  bool any = false;
  for (size_t k = 0; k < result->check_count; k++) {
    const thud_verify_check *check = &result->checks[k];
    any = any || (asks_law(check) && check->status == THUD_VERIFY_PASSED && !isnan(check->worst));
  }
  return any && result->checked_count > 0;
}

static void judge_coverage(thud_verify_result *result) {
  bool open = result->verdict == THUD_VERIFY_GOOD || result->verdict == THUD_VERIFY_UNDECIDED;
  if (!open || is_covered(result)) return;
  char why[THUD_VERIFY_DETAIL];
  snprintf(why, sizeof why, "%.*s", THUD_VERIFY_DETAIL - 1, result->reason);
  result->verdict = THUD_VERIFY_UNDECIDED;
  snprintf(result->reason, sizeof result->reason, "nothing was checked%s%s", why[0] != '\0' ? ": " : "", why);
}

static void judge_checks(thud_verify_result *result) {
  const thud_verify_check *culprit = NULL;
  for (size_t k = 0; k < result->check_count; k++) {
    const thud_verify_check *check = &result->checks[k];
    if (severity(check->status) > (culprit != NULL ? severity(culprit->status) : 0)) culprit = check;
  }
  result->verdict = THUD_VERIFY_GOOD;
  result->reason[0] = '\0';
  if (culprit == NULL) return;
  result->verdict = culprit->status == THUD_VERIFY_FAILED       ? THUD_VERIFY_BAD
                    : culprit->status == THUD_VERIFY_INCOMPLETE ? THUD_VERIFY_UNFINISHED
                                                                : THUD_VERIFY_UNDECIDED;
  const char *detail = culprit->detail;
  if (detail[0] != '\0' && culprit->frame >= 0)
    snprintf(result->reason, sizeof result->reason, "%s: %s (t = %.10g, frame %lld)", culprit->name, detail, culprit->t,
             (long long)culprit->frame);
  else if (detail[0] != '\0')
    snprintf(result->reason, sizeof result->reason, "%s: %s", culprit->name, detail);
  else
    snprintf(result->reason, sizeof result->reason, "%s: %.3g at t = %.10g exceeds %.3g", culprit->name, culprit->worst,
             culprit->t, culprit->tolerance);
}

void thud_verify_result_judge(thud_verify_result *result) {
  judge_checks(result);
  judge_coverage(result);
}

/* ---- what the checker found, for machines and for people --------------------------------------------------------- */

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
