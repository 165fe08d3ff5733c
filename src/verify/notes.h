/* Numbers and texts of a record's events and summary, which are JSON, against its frames. */
#ifndef THUD_SRC_VERIFY_NOTES_H
#define THUD_SRC_VERIFY_NOTES_H

#include "verify/system.h"
#include "verify/tally.h"

/* The number under `key` of the map (NULL: there is none); t and k: where the frames say what is expected. */
void verify_note_number(const thud_node *map, const char *key, double expected, double tolerance, double t, size_t k,
                        thud_verify_check *check);
/* One number per key, to the last bit. */
void verify_note_numbers(const thud_node *map, size_t count, const char *const *keys, const double *values, double t,
                         size_t k, thud_verify_check *check);
void verify_note_text(const thud_node *map, const char *key, const char *expected, thud_verify_check *check);
/* Reads a text as a map, to be destroyed; *tree is NULL when it is none, and the check fails then. */
thud_error verify_note_read(thud_context *context, const char *what, const char *text, double t, size_t k,
                            thud_verify_check *check, thud_tree **tree);

/* What a row says of its event. */
typedef struct verify_told {
  const verify_system *system;
  const double *marks;          /* [m] constraints that the event names */
  const double *before, *after; /* [n] velocities */
  const double *impulse;        /* [m+s] of the constraints named, and of others where it is not 0; NULL: of none */
  double t;
  size_t row;
} verify_told;
void verify_note_event(const verify_told *told, const thud_node *event, thud_verify_check *check);

#endif
