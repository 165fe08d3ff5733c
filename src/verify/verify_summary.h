/* Numbers and texts of a record's summary, which is JSON, against its tables. */
#ifndef THUD_SRC_VERIFY_VERIFY_SUMMARY_H
#define THUD_SRC_VERIFY_VERIFY_SUMMARY_H

#include "base/base.h"
#include "thud/record.h"
#include "thud/tree.h"
#include "verify/verify_result.h"

/* The number under `key` of the map (NULL: there is none); t and k: where the frames say what is expected. */
void thud_verify_note_number(const thud_node *map, const char *key, double expected, double tolerance, double t,
                             size_t k, thud_verify_check *check);
/* One number per key, to the last bit. */
void thud_verify_note_numbers(const thud_node *map, size_t count, const char *const *keys, const double *values,
                              double t, size_t k, thud_verify_check *check);
/* Reads the summary and compares verdict, method, the numbers of frames and events, and its lists; the tree is to be destroyed.
 * *tree is NULL when there is no summary, or none that can be read, and the check says so then. */
thud_error thud_verify_summary_open(thud_context *context, thud_record_reader *reader, thud_verify_check *check,
                                    thud_tree **tree);
/* verify_summary.c: the events and warnings that the summary lists are rows of the tables. */
thud_error thud_verify_summary_rows(thud_record_reader *reader, const thud_node *summary, thud_verify_check *check);
/* The figures of the kind are these and no others: what is not known cannot be checked. */
void thud_verify_summary_keys(const thud_node *summary, size_t count, const char *const *figures,
                              thud_verify_check *check);
/* Figures that are known to the run alone are in the records of earlier versions only. */
bool thud_verify_note_missing(const thud_node *map, const char *key);
/* Does the map have the number? Its value. */
bool thud_verify_note_find(const thud_node *map, const char *key, double *value);
/* Does the summary warn with this code? (Its warnings are those of the record.) */
bool thud_verify_note_warns(const thud_node *summary, const char *code);

/* ---- classes of motions by refinement, of sweeping processes, strings and beams ---------------------------------- */

/* The class and its growth exponent follow from the list of levels under `key`. levels: that the scene asks for, 0: none;
 * nothing: distances that are rounding. False when there is nothing to judge, and the check says why. */
bool thud_verify_limit(const thud_node *map, const char *key, double levels, double nothing, thud_verify_check *check);

#endif
