/* Words of a text of numbers, with places for messages. What the readers of Siconos and Matrix Market files share. */
#ifndef THUD_SRC_RECORD_PROBLEM_SCAN_H
#define THUD_SRC_RECORD_PROBLEM_SCAN_H

#include "base/base.h"

typedef struct thud_scan {
  thud_context *context;
  const char *name; /* of the file, for messages */
  const char *text;
  size_t length;
  size_t at;   /* next byte */
  size_t word; /* where the last word began */
} thud_scan;

enum { THUD_SCAN_WORD = 64 }; /* longest word that is looked at, with the final 0 */

/* "NAME:LINE: message" for the place of the last word; returns the error. */
thud_error thud_scan_fail(const thud_scan *scan, thud_error error, const char *format, ...) THUD_PRINTF(3, 4);

/* Puts "NAME: what: " in front of the message that a failed inner call has left; memory errors are left alone. */
thud_error thud_scan_fail_within(const thud_scan *scan, thud_error error, const char *what);

/* The next word between blanks, cut to THUD_SCAN_WORD - 1 bytes; false at the end. */
bool thud_scan_word(thud_scan *scan, char *word);
/* Moves behind the next line break. */
void thud_scan_skip_line(thud_scan *scan);
/* Each of them fails with a message that says what was wanted; `what` names it. */
thud_error thud_scan_expect(thud_scan *scan, const char *wanted);
thud_error thud_scan_number(thud_scan *scan, const char *what, double *value);
thud_error thud_scan_numbers(thud_scan *scan, const char *what, size_t count, double *values);
/* A whole number low..high; 1e+06 is one. */
thud_error thud_scan_index(thud_scan *scan, const char *what, int64_t low, int64_t high, thud_index *value);

/* Could `count` things of at least `bytes` bytes each (the blank between them included) still come? Asked before memory
 * is allocated for them. */
thud_error thud_scan_check_room(const thud_scan *scan, const char *what, size_t count, size_t bytes);

#endif
