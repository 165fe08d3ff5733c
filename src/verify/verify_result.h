/* Results of checks, and the tools of the shell that every kind of motion uses. */
#ifndef THUD_SRC_VERIFY_VERIFY_RESULT_H
#define THUD_SRC_VERIFY_VERIFY_RESULT_H

#include "base/base.h"
#include "thud/record.h"
#include "thud/verify.h"

/* A check with nothing found yet. */
thud_verify_check thud_verify_check_new(const char *name);

/* One value that must not exceed its tolerance and is known up to +- accuracy. The check keeps the worst: a failure
 * beats an undecided value, which beats a passed one, and within these the largest ratio to the tolerance. Returns
 * true when the check has taken this value as its worst. NaN fails. */
bool thud_verify_tally(thud_verify_check *check, double value, double tolerance, double accuracy, double t,
                       size_t frame);

/* Fails the check for a reason that is not a number; the first one stays, whatever is tallied later. */
void thud_verify_fail(thud_verify_check *check, double t, size_t frame, const char *format, ...) THUD_PRINTF(4, 5);
void thud_verify_explain(thud_verify_check *check, const char *format, ...) THUD_PRINTF(2, 3);
/* Says one thing more, after what the check says already. */
void thud_verify_add(thud_verify_check *check, const char *text);
/* Sets a check that is neither passed nor failed. */
void thud_verify_skip(thud_verify_check *check, thud_verify_status status, const char *format, ...) THUD_PRINTF(3, 4);

/* Appends the check to the result. */
void thud_verify_result_add(thud_verify_result *result, const thud_verify_check *check);
/* The same in front of the check number k. */
void thud_verify_result_insert(thud_verify_result *result, size_t k, const thud_verify_check *check);
/* The laws of the motion were asked of `count` out of `of` units, and of so many contacts (-1: they are not counted). */
void thud_verify_result_cover(thud_verify_result *result, const char *unit, size_t count, size_t of, int64_t contacts);
/* Verdict and reason from the checks and from what they cover. */
void thud_verify_result_judge(thud_verify_result *result);

/* ---- the seal of a record ---------------------------------------------------------------------------------------- */

/* Computes the digests of docs/record-format.md anew and compares. Records without a seal pass as unsealed. Errors:
 * memory, and what cannot be read. */
thud_error thud_verify_check_seal(thud_record_reader *reader, thud_verify_check *check);

/* ---- a table of numbers in CSV ----------------------------------------------------------------------------------- */

typedef struct verify_table_column {
  const char *name;
  bool required;
  bool side;      /* -, + or nothing (also -1, 1, 0) rather than a number */
  double *values; /* [rows] filled by the reader; NULL when the column is not there */
} verify_table_column;

/* Reads the file; the first line names its columns. Values are freed with thud_free, also after a failure. Messages
 * name the line and the column. */
thud_error thud_verify_table_read(thud_context *context, const char *path, size_t column_count,
                                  verify_table_column *columns, size_t *rows);

#endif
