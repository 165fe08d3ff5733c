/* A record in memory that a test can corrupt and write again. */
#ifndef THUD_TEST_RECORD_COPY_H
#define THUD_TEST_RECORD_COPY_H

#include "record_table.h"
#include "thud/run.h"

enum {
  RECORD_COPY_T,
  RECORD_COPY_SIDE,
  RECORD_COPY_STATE,
  RECORD_COPY_REACTION,
  RECORD_COPY_ATOM,
  RECORD_COPY_VARIATION,
  RECORD_COPY_RESIDUAL,
  RECORD_COPY_CHANNELS,
  RECORD_COPY_MAX_DIMENSION = 3
};

typedef struct record_copy {
  size_t rows, n;
  double *values[RECORD_COPY_CHANNELS]; /* [rows x width] */
  size_t width[RECORD_COPY_CHANNELS];
  const char *role[RECORD_COPY_CHANNELS]; /* NULL: leave the channel out */
  char names[RECORD_COPY_MAX_DIMENSION][32];
  record_table events;
  char *scene, *summary, *verdict, *reason, *method, *kind;
  char *resolved;             /* NULL: the scene is resolved when the copy is saved */
  thud_record_reader *reader; /* owns the names of the events */
  bool finished;              /* false: written without an end */
} record_copy;

/* Runs the scene text and records it; the run must be good. */
void record_copy_run(thud_context *context, const char *scene, const char *path);

/* The same along the outcomes of its forks: at most `branches` motions, each with its record. */
void record_copy_run_branches(thud_context *context, const char *scene, const char *path, size_t branches);

/* The scene with its defaults, freed with free(); the text itself when it cannot be read. */
char *record_copy_resolve(thud_context *context, const char *scene);

void record_copy_load(thud_context *context, const char *path, record_copy *copy);
void record_copy_save(thud_context *context, const char *path, const record_copy *copy);
void record_copy_free(record_copy *copy);

/* Replaces the first `from` in one of the copy's texts; it must be there. */
void record_copy_edit(char **text, const char *from, const char *to);
/* Leaves a frame out; events keep their frames. */
void record_copy_drop(record_copy *copy, size_t row);
/* Index of the frame at t on this side; it must be there. */
size_t record_copy_find(const record_copy *copy, double t, double side);
/* Makes reactions, variations and events fit the states again, as a careful forger would; M [n x n] is the scene's
 * metric. */
void record_copy_fit(record_copy *copy, const double *M);

#endif
