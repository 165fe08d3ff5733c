/* Inside of thud_picture: records, what is read of them, and the points of the series. */
#ifndef THUD_SRC_PLOT_PICTURE_H
#define THUD_SRC_PLOT_PICTURE_H

#include "base/base.h"
#include "thud/plot.h"
#include "thud/record.h"

enum { PLOT_MOST_LISTED = 24 }; /* components that were asked for by name */
enum { PLOT_MOST_SERIES = THUD_PLOT_PANELS * THUD_PLOT_RECORDS * PLOT_MOST_LISTED, PLOT_MOST_MARKS = 12 };
enum { PLOT_MOST_TIMES = THUD_PLOT_COMPONENTS, PLOT_MOST_NOTES = 24 };

/* Characters of names; anything else is an expression. */
#define THUD_PLOT_WORD "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_'.[]"

enum { PLOT_NAME = THUD_RECORD_NAME_LENGTH + 2 }; /* room for a channel's name and a ' */

typedef enum plot_part {
  PLOT_VALUES, /* the channel itself */
  PLOT_SLOPES, /* of a series, named and limited by its `left` channel */
  PLOT_ATOMS   /* what its `atom` channel marks; of events: their impulses */
} plot_part;

/* Source of a panel's values. */
typedef struct plot_source {
  thud_record_table table;
  size_t index; /* of the channel */
  plot_part part;
} plot_source;

/* A time at which series are evaluated, on this row. */
typedef struct plot_instant {
  size_t row;
  double t;
} plot_instant;

typedef struct plot_record {
  thud_record_reader *reader;
  bool borrowed;    /* the reader is the caller's */
  const char *stem; /* of the file's name */
  const char *time_unit;
  size_t rows, events;
  double *t;           /* [rows] */
  double *end;         /* [rows] up to where the series of the row hold; NULL: up to the next row */
  double *step;        /* [rows] to which impulses belong; NULL: the time since the row before */
  double *stand_in;    /* [rows] 1: series stand in for something that they do not describe in detail; NULL: none */
  double *t_event;     /* [events]; NULL: the events have no times */
  double *kind_event;  /* [events]; NULL: they have no kinds */
  double *begin_event; /* [events] since when, NaN: no time of their own; NULL: none has */
  double *side;        /* [rows] -1 limits from before, 1 from after, 0 values; NULL: rows have no sides */
  struct plot_scope *scope; /* names of expressions; NULL until one is needed */
  size_t instant_count;
  plot_instant *instants; /* [instant_count] ascending: of series, or those of all records (differences); NULL: none */
  size_t source_count, state_count, usual_count; /* the first ones are the state, and those drawn unless others are
                                                    asked for */
  plot_source *sources;                          /* [source_count] */
} plot_record;

struct thud_picture {
  thud_context *context;
  thud_arena *arena;            /* texts and points of the figure */
  double from, to;              /* only what happens within is drawn; -INFINITY, INFINITY: everything */
  bool difference;              /* records minus the first one */
  const char *logarithmic;      /* of the choice; NULL: residuals */
  bool met[PLOT_MOST_LISTED];   /* components of the choice that panels have */
  bool x_log, y_log;            /* of the panel in the making */
  double y_least;               /* values up to here have no place on its logarithmic axis */
  size_t unknown, not_positive; /* values of it that are left out */
  size_t record_count;
  plot_record records[THUD_PLOT_RECORDS];
  thud_plot_panel panels[THUD_PLOT_PANELS];
  size_t panel_count, series_count;
  thud_plot_series *series; /* [PLOT_MOST_SERIES] */
  size_t mark_count;
  thud_plot_rule marks[PLOT_MOST_MARKS]; /* with their names */
  thud_plot_rule plain[PLOT_MOST_MARKS]; /* without */
  size_t note_count;
  const char *notes[PLOT_MOST_NOTES];
  thud_plot_figure figure;
};

/* As thud_picture_create, of one record that is open already and stays open: many pictures of it open it once. */
thud_error thud_picture_create_open(thud_context *context, const char *path, thud_record_reader *reader,
                                    const thud_plot_choice *choice, thud_picture **picture);

/* A text that lives as long as the picture, cut (between characters) to what fits into a legend; NULL: no memory. */
const char *thud_plot_text(thud_picture *picture, const char *format, ...) THUD_PRINTF(2, 3);
/* Says what the picture does not show; the same sentence is said once. */
thud_error thud_plot_note(thud_picture *picture, const char *format, ...) THUD_PRINTF(2, 3);
/* The next item of a list, without the blanks around it: commas within parentheses do not separate. False: none is left. */
bool thud_plot_next_item(const char **list, const char **item, size_t *length);
/* True when the comma-separated list contains the name. */
bool thud_plot_listed(const char *list, const char *name);

/* ---- what panels show (source.c) ---- */

/* Lists what can be drawn of the record in the order state, reactions, impulse, the rest, the events' channels. */
thud_error thud_plot_list_sources(const thud_picture *picture, plot_record *record);
/* The name of the source's panel, in `name`. */
void thud_plot_source_name(const plot_record *record, plot_source source, char name[PLOT_NAME]);
/* The panel of this name; false: the record has none. */
bool thud_plot_find_source(const plot_record *record, const char *name, plot_source *source);
const thud_record_channel *thud_plot_channel(const plot_record *record, plot_source source);
/* Channel of the table with this name; SIZE_MAX: there is none, or name is NULL. */
size_t thud_plot_find(const plot_record *record, thud_record_table table, const char *name);
bool thud_plot_is_reaction(const plot_record *record, plot_source source);

/* ---- its values (reading.c) ---- */

typedef struct plot_reading {
  const plot_record *record;
  plot_source source;
  const thud_record_channel *channel;
  size_t width;
  const char *const *names;     /* [width] */
  const char *const *units;     /* [width] */
  double scale;                 /* what values are beside which differences of rounding count as none, at least */
  size_t count;                 /* rows, or instants of a series */
  const plot_instant *instants; /* [count]; NULL: rows */
  const double *t;              /* [rows] */
  double *values;               /* [count x width]; ragged: all values */
  double *left;                 /* [count x width] limits from before; NULL: none */
  size_t *ends;                 /* ragged: [rows] */
  double *at;                   /* ragged with `at`: [ends[rows-1]/group] whose they are; NULL: plain list */
  double *marks;                /* [rows x mark_width] of the `atom` channel, or of events; NULL: none */
  size_t mark_width;
  size_t *mark_of; /* [width] component of the marks; SIZE_MAX: none */
} plot_reading;

/* sampled: at the record's instants, if it has any, even if the channel is not a series. Freed also after a failure. */
thud_error thud_plot_read(thud_picture *picture, const plot_record *record, plot_source source, bool sampled,
                          plot_reading *reading);
void thud_plot_reading_free(const thud_picture *picture, plot_reading *reading);
double thud_plot_time(const plot_reading *reading, size_t k);
bool thud_plot_marked(const plot_reading *reading, size_t row, size_t c);
/* True if component c jumps at number k, from *left; differences up to `rounding` are none. */
bool thud_plot_jumps(const plot_reading *reading, size_t k, size_t c, double rounding, double *left);
/* The difference that is rounding beside the largest value of the component. */
double thud_plot_rounding(const plot_reading *reading, size_t c);

/* The component of this name; SIZE_MAX: there is none. */
size_t thud_plot_find_entry(const thud_record_channel *channel, const char *name);
/* The limits of ledger entries in front of impacts (ledger.c). */
thud_error thud_plot_limit_ledger(const thud_picture *picture, plot_reading *reading);
/* The entries along arcs, at the record's instants, where the scene says what the energies are (ledger_arcs.c). */
thud_error thud_plot_trace_ledger(thud_picture *picture, plot_reading *reading);
/* All rows of a channel of fixed width. */
thud_error thud_plot_read_rows(const thud_picture *picture, const plot_reading *reading, size_t index, double **values);
/* Room for rows x width values of the channel `name`. */
thud_error thud_plot_new_values(const thud_picture *picture, size_t rows, size_t width, const char *name,
                                double **values);

/* ---- times (instants.c) ---- */

/* Instants of a record with series, within the picture's window. */
thud_error thud_plot_choose_instants(const thud_picture *picture, plot_record *record);
/* The same instants for all records: the times of all of them, as far as all have begun and none has ended. */
thud_error thud_plot_unite_instants(thud_picture *picture);
/* Until when the last row holds. */
double thud_plot_last_time(const plot_record *record);

/* ---- expressions (expression.c) ---- */

/* The values of an expression, as a reading of one component; freed like others, also after a failure. The message says
 * what is wrong with the text. */
thud_error thud_plot_read_expression(thud_picture *picture, plot_record *record, const char *text,
                                     plot_reading *reading);
void thud_plot_scope_destroy(struct plot_scope *scope);

/* ---- differences (difference.c) ---- */

/* Turns the values of a record into those minus the first record's, component by component; those that the first one
 * does not have are left out. */
thud_error thud_plot_subtract(thud_picture *picture, plot_reading *reading, const plot_reading *first);

/* ---- points (points.c) ---- */

/* Points of a series in the making; what is not finite is left out and interrupts the line. */
typedef struct plot_points {
  thud_picture *picture;
  size_t count, capacity, break_count;
  double *x, *y;  /* [capacity] */
  size_t *breaks; /* NULL until there is one */
  bool gap;       /* before the next point */
  enum {
    PLOT_LOOSE,
    PLOT_JOINED,
    PLOT_STEPPED
  } join;   /* what is between two points: nothing, a line, the first value */
  bool cut; /* to the picture's window: x is time */
  bool has_last;
  double last_x, last_y; /* the point before, also if it is outside */
  thud_error error;
} plot_points;

plot_points thud_plot_points_begin(thud_picture *picture, size_t capacity);
void thud_plot_points_add(plot_points *points, double x, double y);
/* The points as a series of the picture; nothing when there are none. */
thud_error thud_plot_points_end(plot_points *points, thud_plot_series series);
/* The axis of a channel whose values have names. */
void thud_plot_name_values(const thud_record_channel *channel, thud_plot_panel *panel);
/* Series `place` of `count` with named values: moved a little up or down, so that equal values do not hide each other. */
void thud_plot_points_spread(plot_points *points, size_t place, size_t count);
/* Properties shared by components on one axis. */
typedef struct plot_scale {
  const char *unit;
  bool turns; /* moments and angles beside forces and lengths, where the record has no units that tell them apart */
} plot_scale;
plot_scale thud_plot_scale_of(const plot_reading *reading, size_t c);
bool thud_plot_same_scale(plot_scale a, plot_scale b);
/* The series of those components of a reading that have this scale and are chosen; `components` may be NULL: the first
 * ones. *left_out: how many others have it. */
thud_error thud_plot_add_components(thud_picture *picture, const plot_reading *reading, plot_scale scale,
                                    const char *components, size_t *left_out);
/* The series of one component. */
thud_error thud_plot_add_component(thud_picture *picture, const plot_reading *reading, size_t component,
                                   const char *label);
/* Dash of a record's lines beside other records: solid, dashed, dotted, ... */
thud_plot_dash thud_plot_record_dash(size_t record);
/* THUD_ERROR_NOT_FOUND with a message: components of the state are chosen, and the reading has none of them. */
thud_error thud_plot_check_components(const thud_picture *picture, const plot_reading *reading, const char *components);
/* Notes which of the chosen components (NULL: no choice) the reading has, and, at the end, refuses one that none had
 * (chosen_components.c). */
void thud_plot_meet_components(thud_picture *picture, const plot_reading *reading, const char *components);
thud_error thud_plot_check_met(const thud_picture *picture, const char *components);
/* Units of the components of a source: those of densities and of impulses follow from the channel's. */
thud_error thud_plot_read_units(thud_picture *picture, plot_reading *reading);

/* Finds out if the reaction of this name is a force in N although not all coordinates are lengths (reaction_unit.c). */
thud_error thud_plot_is_force(thud_picture *picture, const plot_record *record, const char *name, bool *force);

/* ---- curves in a plane (phase.c) ---- */

/* One axis: a component of a source. */
typedef struct plot_axis {
  plot_reading reading;
  size_t component;
  double rounding;
} plot_axis;

/* A component of the state by its name, or of any channel as "channel.component"; *found: there is one. */
thud_error thud_plot_find_axis(thud_picture *picture, const plot_record *record, const char *name, plot_axis *axis,
                               bool *found);
/* The same; THUD_ERROR_NOT_FOUND with the list of those that there are. */
thud_error thud_plot_axis_read(thud_picture *picture, const plot_record *record, const char *name, plot_axis *axis);
double thud_plot_axis_value(const plot_axis *axis, size_t k);
const char *thud_plot_axis_unit(const plot_axis *axis);
bool thud_plot_has_component(const plot_reading *reading, const char *name);
bool thud_plot_find_component(const plot_reading *reading, const char *name, size_t length, size_t *component);
/* The curve of two axes within the picture's window: of each record in the first colour with its own dash. */
thud_error thud_plot_add_curve(thud_picture *picture, const plot_record *record, const plot_axis *x,
                               const plot_axis *y);

/* Adds the regions that the scene's constraints forbid in the plane of two components, around the curves (obstacles.c). */
thud_error thud_plot_add_obstacles(thud_picture *picture, plot_record *record, const char *const names[2]);

/* The moving set of a sweeping process, at the start and at the end (moving_set.c). */
thud_error thud_plot_add_set(thud_picture *picture, const plot_record *record, const char *const names[2]);

/* ---- figures ---- */

/* True if the y axis of the panel of this name is logarithmic, by the choice alone. */
bool thud_plot_is_logarithmic(const thud_picture *picture, const char *panel);
/* Events that do not show by themselves are marked in the panels (marks.c). */
thud_error thud_plot_mark_events(thud_picture *picture);

thud_error thud_plot_add_panels(thud_picture *picture, const char *panels, const char *components); /* panels.c */
thud_error thud_plot_add_phase(thud_picture *picture, const char *pair);                            /* phase.c */
thud_error thud_plot_add_cone(thud_picture *picture, const char *contact);                          /* cone.c */
/* Over places, at times "T,..." (NULL: the last row); profile.c, line.c. */
thud_error thud_plot_add_profile(thud_picture *picture, const char *channels, const char *times);
thud_error thud_plot_add_line(thud_picture *picture, const char *times);
/* True if the channels are those of a line. */
bool thud_plot_is_line(const plot_record *record);
/* The number in the parentheses at the end of a component's name. */
bool thud_plot_read_place(const char *name, double *x);
/* The row at or nearest to each time of the list; rows [PLOT_MOST_TIMES]. */
thud_error thud_plot_choose_rows(thud_picture *picture, const plot_record *record, const char *times, size_t *rows,
                                 size_t *count);

#endif
