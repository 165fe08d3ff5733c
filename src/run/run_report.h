/* Figures, lines and warnings that a kind reports, gathered; internal side of thud_report (thud/kind.h). */
#ifndef THUD_SRC_RUN_RUN_REPORT_H
#define THUD_SRC_RUN_RUN_REPORT_H

#include "base/json.h"
#include "thud/kind.h"
#include "thud/rows.h"

/* ---- the first events of a run, kept as rows for its report ------------------------------------------------------ */

typedef struct run_kept {
  thud_context *context;
  size_t channels; /* cells of an event */
  size_t most;     /* events kept at most */
  size_t count, capacity;
  thud_record_cell **rows; /* [count][channels], each with its numbers and texts in one block */
} run_kept;

void thud_run_kept_create(thud_context *context, size_t channels, size_t most, run_kept *kept);
void thud_run_kept_destroy(run_kept *kept);
/* Keeps a copy unless there are enough. */
thud_error thud_run_kept_add(run_kept *kept, const thud_record_cell *cells);
/* Keeps the first events of a record that is being resumed. */
thud_error thud_run_kept_read(run_kept *kept, thud_record_reader *reader, size_t events);

/* ---- what a kind reports ------------------------------------------------------------------------------------------ */

enum { REPORT_LABEL = 11 }; /* width of the labels */

typedef struct report_warning {
  double t;
  char *code, *message;
} report_warning;

struct thud_report {
  thud_context *context;
  thud_json *json;                  /* figures go here at once; NULL: nobody wants them */
  thud_text *lines;                 /* lines; NULL: nobody wants them */
  const thud_record_layout *layout; /* of a run: the kept events and how many there were in all; NULL otherwise */
  const run_kept *kept;
  size_t events;
  bool recorded;
  bool for_record;  /* the figures go into a record: only those that a reader of it can check */
  bool brief;       /* one of several motions: events are counted, not listed */
  char method[256]; /* behind the method's name */
  report_warning *warnings;
  size_t warning_count, warning_capacity;
  const char *const *taken; /* keys that are not the kind's: those of the driver; NULL: none */
  size_t taken_count;
  char **keys; /* [key_count] of the figures so far */
  size_t key_count, key_capacity;
  thud_error error; /* of the first addition that failed */
};

/* Adds the warnings gathered so far as lines, or as the array "warnings" of the JSON object. */
void thud_report_write_warnings(const thud_report *report, thud_text *text);
void thud_report_json_warnings(const thud_report *report, thud_json *json);
void thud_report_release(thud_report *report);

/* One row of a table as a JSON object, or within one: every channel by its name (columns of indices, ledgers and frames
 * are left out, optional ones where they do not apply). */
void thud_report_json_row(thud_json *json, size_t count, const thud_record_channel *channels,
                          const thud_record_cell *cells);
/* One event as a line: "    1.5   stick   belt (sliding to sticking)". */
void thud_report_event_line(thud_text *text, size_t count, const thud_record_channel *channels,
                            const thud_record_cell *cells);
/* Number of the channel with this name or role; SIZE_MAX: none. */
size_t thud_report_find_name(size_t count, const thud_record_channel *channels, const char *name);
size_t thud_report_find_role(size_t count, const thud_record_channel *channels, const char *role);

#endif
