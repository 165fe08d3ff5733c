/* Numbers and texts of a record's summary, which is JSON, against its tables. */
#ifndef THUD_SRC_VERIFY_NOTES_H
#define THUD_SRC_VERIFY_NOTES_H

#include "base/base.h"
#include "thud/record.h"
#include "thud/tree.h"
#include "verify/tally.h"

/* The number under `key` of the map (NULL: there is none); t and k: where the frames say what is expected. */
void thud_verify_note_number(const thud_node *map, const char *key, double expected, double tolerance, double t,
                             size_t k, thud_verify_check *check);
/* One number per key, to the last bit. */
void thud_verify_note_numbers(const thud_node *map, size_t count, const char *const *keys, const double *values,
                              double t, size_t k, thud_verify_check *check);
/* Reads the summary and compares verdict, method and the numbers of frames and events; the tree is to be destroyed.
 * *tree is NULL when there is no summary, or none that can be read, and the check says so then. */
thud_error thud_verify_summary_open(thud_context *context, const thud_record_info *info, thud_verify_check *check,
                                    thud_tree **tree);

#endif
