#include "verify/verify_tally.h"

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
                                       "refinement", "retraction", "seal"};
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
