/* A run in progress and what it found; shared by run.c (does it) and report.c (tells it). */
#ifndef THUD_SRC_SCENE_RUN_H
#define THUD_SRC_SCENE_RUN_H

#include "base/json.h"
#include "run/collect.h"
#include "scene/build.h"

enum { RUN_MAX_REFINEMENTS = 12 };

typedef struct scene_run {
  const thud_scene *scene;
  const thud_run_options *options;
  thud_record_writer *writer; /* NULL: no record */
  collect_samples samples;
  collect_events events;
  double *final; /* [dimension] last state */
  double next_record_time;
  double last_left_time; /* of the last left limit: the value at a jump is recorded with its limits */
  size_t recorded;       /* frames written */
  thud_error sink_error;
  thud_sweep_info info;
  int refinement_count;
  thud_sweep_refinement refinements[RUN_MAX_REFINEMENTS];
  double error_estimate; /* NaN when not made */
  double wall_seconds;
  thud_verdict verdict;
  char reason[1024];
  char no_estimate[1024]; /* why the error could not be estimated, "" when it was or was not asked for */
  bool initial_warning;
} scene_run;

/* The kinds of scenes besides sweeping ones. */
thud_error scene_run_line(thud_scene *scene, const thud_run_options *options, thud_run_result *result);
thud_error scene_run_system(thud_scene *scene, const thud_run_options *options, thud_run_result *result);

/* The options as a JSON object; refinements < 0: not an option of this run. */
thud_error scene_options_json(thud_context *context, const thud_option_table *table, const void *options,
                              int refinements, char **json);
const char *run_verdict_name(thud_verdict verdict);
/* The finished text, or its error and nothing. */
thud_error run_hand_out(thud_text *text, char **out);
/* Ends the record (*writer becomes NULL whatever happens) with verdict, reason and summary, or leaves it unfinished
 * when `error` says that something went wrong before; frees the summary. */
thud_error run_end_record(thud_context *context, thud_error error, thud_record_writer **writer, thud_verdict verdict,
                          const char *reason, char *summary);
/* Adds the reason and hands the result over, or frees what is in `made` on an error. */
thud_error run_finish_result(thud_context *context, thud_error error, const char *reason, thud_run_result *made,
                             thud_run_result *result);
/* A channel has one unit: that of the coordinates when they all have the same, otherwise none. */
const char *scene_common_unit(const thud_scene *scene);
/* The result as JSON; wall-clock figures only when asked for, so that records stay reproducible. */
thud_error run_write_json(const scene_run *run, bool with_wall_clock, char **json);
thud_error run_write_report(const scene_run *run, char **report);

#endif
