/* Inside of thud_rows: two tables that are filled cell by cell. Shared by rows.c and the files of the motions. */
#ifndef THUD_SRC_RECORD_ROWS_H
#define THUD_SRC_RECORD_ROWS_H

#include "base/base.h"
#include "thud/rows.h"

enum { ROWS_MOST_CHANNELS = 48, ROWS_LEDGER = 9 };

/* The channels of a table and the cells of the row in the making; cells point into `numbers` unless set otherwise. */
typedef struct rows_table {
  size_t count;
  thud_record_channel channels[ROWS_MOST_CHANNELS];
  thud_record_cell cells[ROWS_MOST_CHANNELS];
} rows_table;

/* Reaction components of one constraint: its normal (or bilateral) one and those of its friction laws. */
typedef struct rows_reactions {
  size_t count;
  size_t *components; /* [count] numbers among the m + s reactions */
} rows_reactions;

/* The rows of a velocity problem in the making, and where their channels stand. */
typedef struct rows_posed {
  size_t *cell;
  size_t count;
  double *rows, *gradient, *rate, *coefficient; /* [m+s], gradient [(m+s) n] */
} rows_posed;

struct thud_rows {
  thud_context *context;
  thud_arena *arena; /* owns names, cells and everything below */
  thud_record_layout layout;
  rows_table frames, events;
  thud_row_sink sink;
  thud_row_names names;
  size_t n, m, s;
  const thud_system *system;
  const char **constraints; /* [m] */
  const char **reactions;   /* [m+s] */
  rows_reactions *of;       /* [m] */
  rows_posed posed;         /* names.functions */
  size_t *cell;             /* [ROWS_MOST_CHANNELS] where a motion's own channel numbers are in frames.cells */
  size_t *event_cell;       /* the same for events */
  double *memory;           /* [memory_count] state between calls */
  size_t memory_count;
  struct rows_work *work;           /* of the motion's kind */
  void (*release)(thud_rows *rows); /* what the work has that is not in the arena; NULL: nothing */
};

/* Creates the rows with their arena, sizes (of the system, when it is not NULL) and names; memory_count numbers are
 * kept between calls. */
thud_error thud_rows_create(thud_context *context, const thud_system *system, size_t n, const thud_row_names *names,
                            size_t memory_count, thud_rows **rows);
/* Adds the channels that have components, or are ragged, in the order given; place[k] says where channel k is,
 * SIZE_MAX where it is left out. widths of fixed channels are set, ragged ones have width 0 and `ragged` true. */
typedef struct rows_channel {
  thud_record_channel channel;
  bool ragged; /* width 0 is meant */
} rows_channel;
/* Short names for the descriptions of channels. */
static const thud_record_type REAL = THUD_RECORD_REAL, SMALL = THUD_RECORD_SMALL, INDEX = THUD_RECORD_INTEGER;
static const thud_record_look LINE = THUD_LOOK_LINE, HOLD = THUD_LOOK_HOLD, POINT = THUD_LOOK_POINT;

/* A channel with a fixed number of components. */
rows_channel thud_rows_fixed(const char *name, const char *role, thud_record_type type, size_t width,
                             const char *const *components, const char *unit, thud_record_look look,
                             const char *description);
/* A list of any length, when it is there at all; labels (may be NULL) name its values, `at` says whose they are. */
rows_channel thud_rows_list(const char *name, const char *role, thud_record_type type, bool there, size_t label_count,
                            const char *const *labels, const char *at, const char *description);
/* Channels that begin every table with kinds. */
rows_channel thud_rows_time(const thud_rows *rows, const char *description);
rows_channel thud_rows_kind(size_t count, const char *const *names);
thud_error thud_rows_add(thud_rows *rows, rows_table *table, size_t count, const rows_channel *channels,
                         size_t **place);
/* Sets a cell of a channel that may have been left out. */
void thud_rows_set(rows_table *table, const size_t *place, size_t channel, const double *values, size_t count);
void thud_rows_set_text(rows_table *table, const size_t *place, size_t channel, const char *text);
/* Unit of the velocities, that of the coordinates per that of the time; NULL: no memory. */
const char *thud_rows_velocity_unit(thud_rows *rows);
/* "N s", "N" and "J" where every coordinate is in metres and the time in seconds, "" otherwise: nothing is known then. */
const char *thud_rows_impulse_unit(const thud_rows *rows);
const char *thud_rows_force_unit(const thud_rows *rows);
const char *thud_rows_energy_unit(const thud_rows *rows);
/* Room for `count` numbers that lives as long as the rows; NULL: no memory. */
double *thud_rows_numbers(thud_rows *rows, size_t count);
int thud_rows_emit_frame(const thud_rows *rows, double t, unsigned flags);
int thud_rows_emit_event(const thud_rows *rows, double t);
/* Indices of the constraints with a mark, and of their reaction components. */
size_t thud_rows_list_marked(const thud_rows *rows, const bool *marks, double *list);
size_t thud_rows_list_reactions(const thud_rows *rows, const bool *marks, double *list);
/* The same of the friction laws that belong to no constraint. */
size_t thud_rows_list_own_laws(const thud_rows *rows, double *list);

/* rows_posed.c: channels of the numbers of functions, when they are asked for; their cells (NULL: none). */
thud_error thud_rows_add_posed(thud_rows *rows, rows_table *table);
void thud_rows_set_posed(thud_rows *rows, rows_table *table, const thud_posed *posed);

/* rows_bodies.c: room for the lists of a row, so that handing it out does not fail for want of memory. */
thud_error thud_rows_reserve_bodies(thud_rows *rows, const thud_body_frame *frame);
/* thud_rows_create_bodies with numbers that functions of a program gave in the step, which whole rows have, too: values[count],
 * borrowed, filled in before each row; count 0: there are none. */
thud_error thud_rows_create_told_bodies(thud_context *context, thud_bodies *bodies,
                                        const thud_body_row_options *options, size_t count, const double *values,
                                        thud_rows **rows);
/* The run begins at start: some of its steps are always recorded, and whole (rows_bodies.c). thinned: the record may leave
 * rows out that are not to be kept. */
void thud_rows_bodies_span(thud_rows *rows, double start, bool thinned);

const char *const *thud_rows_ledger_names(void); /* [ROWS_LEDGER] */
void thud_rows_ledger_numbers(const thud_ledger *ledger, double numbers[ROWS_LEDGER]);

#endif
