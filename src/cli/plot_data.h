/* From records to the series of a figure. */
#ifndef THUD_SRC_CLI_PLOT_DATA_H
#define THUD_SRC_CLI_PLOT_DATA_H

#include "thud/plot.h"
#include "thud/record.h"

enum { PLOT_MAX_RECORDS = 8, PLOT_MAX_PANELS = 8, PLOT_MAX_COMPONENTS = 8, PLOT_LABEL = 160 };
enum { PLOT_MAX_SERIES = PLOT_MAX_RECORDS * PLOT_MAX_COMPONENTS };

/* A channel with all its rows; freed by plot_channel_free. */
typedef struct plot_channel {
  const thud_record_channel *channel;
  double *rows; /* [rows*width] */
} plot_channel;

typedef struct plot_samples plot_samples;

typedef struct plot_record {
  thud_record_reader *reader;
  plot_samples *samples; /* event-driven: the motion at many times; NULL otherwise */
  size_t rows;           /* of the record, or of the samples */
  double *t;             /* [rows] */
  double *atom;          /* [rows] 0 or 1; NULL: the record has no such channel */
  size_t atoms;          /* rows that are impulses */
  char stem[PLOT_LABEL];
} plot_record;

typedef struct plot_data {
  thud_context *context;
  size_t record_count;
  plot_record *records; /* [PLOT_MAX_RECORDS] */
  size_t panel_count;
  thud_plot_panel panels[PLOT_MAX_PANELS];
  thud_plot_series *series;   /* [PLOT_MAX_PANELS*PLOT_MAX_SERIES] */
  char (*labels)[PLOT_LABEL]; /* one per series, then one per panel */
  size_t series_count;
  double **columns; /* arrays owned by the figure */
  size_t column_count, column_capacity;
  char x_label[PLOT_LABEL];
  const char *x_unit;
  bool phase;
} plot_data;

thud_error plot_data_create(thud_context *context, size_t record_count, plot_data *data);
void plot_data_destroy(plot_data *data);
thud_error plot_data_read(plot_data *data, const char *path);
/* Panels over time; both lists may be NULL for the defaults. */
thud_error plot_data_panels(plot_data *data, const char *panels, const char *components);
/* "x,y": one coordinate over another. */
thud_error plot_data_phase(plot_data *data, const char *pair);

/* ---- event-driven records (plot_arcs.c) ---- */

/* Samples the arcs of an event-driven record densely enough for a picture, so that it can be drawn like a record of
 * time stepping: rows and t become those of the samples. Leaves other records alone. */
thud_error plot_sample_arcs(plot_data *data, plot_record *record);
void plot_samples_free(thud_context *context, plot_samples *samples);
/* Times (indices of samples) at which a row of the record begins; everything else is between them. */
bool plot_sample_begins(const plot_samples *samples, size_t k);
/* Marks the events of the record in the panel, with their names or without. */
void plot_samples_mark(const plot_samples *samples, bool named, thud_plot_panel *panel);
/* A channel at the samples: q, v, v_left, reaction, reaction_left, impulse, atom, step; others as they are at the
 * beginning of the row. */
thud_error plot_samples_read(const plot_data *data, const plot_record *record, const char *name, plot_channel *read);

/* ---- records of Lagrangian motions (plot_motion.c) ---- */

/* All rows of a channel of the record's file; rows is their number there. */
thud_error plot_read_channel(const plot_data *data, thud_record_reader *reader, const char *name, size_t rows,
                             plot_channel *read);
void plot_channel_free(const plot_data *data, plot_channel *read);

bool plot_is_motion(const plot_record *record);
/* One channel of a motion, its series appended: velocities jump at impacts, `reaction` is drawn as densities (impulse
 * over step), `impulse` as stems at the impacts. *unit is that of the axis. */
thud_error plot_motion_channel(plot_data *data, const plot_record *record, const char *name, const char *components,
                               const char **unit);
/* "x,x'": coordinates and velocities. */
thud_error plot_motion_curve(plot_data *data, const plot_record *record, const char *pair, const char *comma);

/* ---- shared ---- */

/* An array that lives as long as the figure; NULL when out of memory. */
double *plot_new_column(plot_data *data, size_t count);
/* True when the comma-separated list is absent or contains the name. */
bool plot_listed(const char *list, const char *name);
/* The label of the next series: the name, and the record's when there are several. */
char *plot_series_label(plot_data *data, const plot_record *record, const char *name);

thud_plot_figure plot_data_figure(const plot_data *data);

#endif
