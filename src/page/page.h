/* Inside of pages: what is being written, and the parts that records have in it. The format is that of docs/report.md. */
#ifndef THUD_SRC_PAGE_PAGE_H
#define THUD_SRC_PAGE_PAGE_H

#include "base/json.h"
#include "page/page_blocks.h"
#include "thud/page.h"
#include "thud/record.h"
#include "thud/scene.h"

/* A page in the making. After a failure `error` stays set and nothing more is written, so that writers of parts check
 * once at their end. */
typedef struct page_build {
  thud_context *context;
  thud_page_options options;
  page_blocks blocks;
  thud_text text; /* the JSON */
  thud_json json;
  thud_error error;
} page_build;

/* The error that stopped the page, wherever it came from. */
static inline thud_error thud_page_state(const page_build *page) {
  return page->error != THUD_OK ? page->error : page->text.error;
}
/* Keeps the first error; true: go on. */
static inline bool thud_page_take(page_build *page, thud_error error) {
  if (page->error == THUD_OK) page->error = error;
  return thud_page_state(page) == THUD_OK;
}

/* ---- numbers (numbers.c, quantise.c) ------------------------------------------------------------------------------- */

/* Numbers under a key: a few inline, more in the open block. Doubles keep their bits, NaN and infinities included
 * (inline: null for NaN; what holds infinities is never inline). */
void thud_page_doubles(page_build *page, const char *key, size_t count, const double *values);
/* As floats of 32 bits. */
void thud_page_floats(page_build *page, const char *key, size_t count, const double *values);
void thud_page_indices(page_build *page, const char *key, size_t count, const int32_t *values);
void thud_page_bytes(page_build *page, const char *key, size_t count, const unsigned char *values);
/* The members that all numbers in blocks have; the object stays open. bytes: what thud_page_blocks_add gets after it. */
bool thud_page_begin_numbers(page_build *page, const char *type, size_t count);

/* How columns are rounded: column c with entry c % count of steps (> 0) and lows. */
typedef struct page_grid {
  size_t count;
  const double *step, *low;
} page_grid;

/* values [rows x columns] to the nearest points of the grid, low + step*k, stored by their differences along the rows of
 * the order (0, 1 or 2) that needs the fewest bits. What is not finite, or farther than 2^30 steps from low, makes them all
 * floats. */
void thud_page_quantised(page_build *page, const char *key, size_t rows, size_t columns, const double *values,
                         page_grid grid);

/* ---- one record ------------------------------------------------------------------------------------------------------ */

typedef struct page_record {
  page_build *page;
  const char *path, *name; /* name: of the file, without folder and suffix */
  thud_record_reader *reader;
  thud_record_info info;
  thud_scene *scene; /* given by the caller; NULL: none */
  thud_text notes;   /* one after the other, each ended by a line break */
  double start, end;
  const char *time_unit;
  double *t;      /* [rows of frames] */
  double *stop;   /* [rows] where arcs end; NULL: rows are points of time */
  double opening; /* what the page shows first, amid what happens; NAN: not found yet */
} page_record;

/* A sentence about what was left out or could not be shown. */
void thud_page_note(page_record *record, const char *format, ...) THUD_PRINTF(2, 3);

/* scene NULL: that of the record is built. */
void thud_page_write_record(page_build *page, const char *path, thud_scene *scene); /* record.c */
void thud_page_write_panels(page_record *record);                                   /* panels.c */
void thud_page_write_state(page_record *record);                                    /* state.c */
void thud_page_write_events(page_record *record);                                   /* events.c */
void thud_page_write_warnings(page_record *record);                                 /* record_tables.c */
void thud_page_write_proofs(page_record *record);                                   /* record_tables.c */
void thud_page_write_film(page_record *record, thud_scene *scene);                  /* film.c */
void thud_page_write_bodies(page_record *record, thud_scene *scene);                /* bodies.c */

/* At most `most` events: the rows of their table, ascending, to be freed, how many is returned. Finds the opening, too, where
 * events have impulses (event_choice.c). */
size_t thud_page_choose_events(page_record *record, size_t most, size_t **rows);

/* One channel of one component, all rows; *values stays NULL when the table has none of that role. Freed by the caller. */
thud_error thud_page_read_role(const page_record *record, thud_record_table table, const char *role, double **values);

/* ---- curves (thin.c) ------------------------------------------------------------------------------------------------- */

/* Numbers of the points of a curve that are kept, at most about `most` (>= 8), ascending, in kept[count]: of each of equal
 * stretches the first, the last, the lowest and the highest, and both points of jumps (successive points at the same x).
 * Returns how many. */
size_t thud_page_thin(size_t count, const double *x, const double *y, size_t most, size_t *kept);

/* ---- the file (html.c) ------------------------------------------------------------------------------------------------ */

thud_error thud_page_write_html(const page_build *page, const char *title, const char *path);
/* True if the text is one JSON value (RFC 8259), nested no deeper than readers of pages bear (json_check.c). */
bool thud_page_is_json(const char *text);
/* The members of a text that is a JSON object, one after the other: *p its beginning at first, *member [*length] the text of
 * the next one, "key": value; false: there is none left. */
bool thud_page_next_member(const char **p, const char **member, size_t *length);

#endif
