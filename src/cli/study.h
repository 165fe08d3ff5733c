/* Output of thud study: tables, files, pictures. */
#ifndef THUD_SRC_CLI_STUDY_H
#define THUD_SRC_CLI_STUDY_H

#include "base/json.h"
#include "cli/cli.h"

/* The table on stdout (or JSON), to --output and --plot where asked for; exit code. The tree is that of the scene. */
int study_print_refinement(const cli_call *call, const thud_tree *tree, const thud_study *study);
int study_print_rates(const cli_call *call, const thud_tree *tree, const thud_study *study);
int study_print_sweep(const cli_call *call, const thud_tree *tree, const thud_sweep_study_options *options,
                      const thud_sweep_study *study);
int study_print_elastic_sweep(const cli_call *call, const thud_tree *tree, const thud_sweep_study_options *options,
                              const thud_elastic_sweep *study);

/* ---- orders in the step and in the mesh (study_orders.c) -------------------------------------------------------- */

/* By thud_refined. */
typedef struct study_orders_levels {
  bool given[2];
  int first[2], last[2];
} study_orders_levels;
/* A table for each that is given; exit code. shown: a progress line is on stderr. */
int study_run_orders(const cli_call *call, const thud_tree *tree, const study_orders_levels *levels,
                     thud_run_progress_fn progress, bool *shown);

/* ---- against the event-driven motion (study_against.c) ---------------------------------------------------------- */

/* One study per method of --method, in one table; exit code. shown: a progress line is on stderr. */
int study_run_against(const cli_call *call, thud_tree *tree, const thud_study_options *options, const bool *shown);
/* Prints them (study_against_report.c). */
int study_print_against(const cli_call *call, const thud_tree *tree, size_t count, const thud_against *studies);

/* ---- what pictures say about the scene (study_figure.c) ----------------------------------------------------------- */

enum { STUDY_UNIT = 128 };

/* Title of the scene, or the name of its file. */
const char *study_scene_title(const cli_call *call, const thud_tree *tree);
const char *study_time_unit(const thud_tree *tree);
/* Unit of a parameter, a coordinate, a velocity such as z', or t; "" for other expressions and unknown units. */
void study_unit(const thud_tree *tree, const char *name, char unit[STUDY_UNIT]);

/* One panel over the steps of the levels, on a logarithmic axis; title and panel are borrowed. */
thud_plot_figure study_step_figure(const thud_tree *tree, const char *title, const thud_plot_panel *panel);

/* ---- pieces of all reports (study_report.c) ---------------------------------------------------------------------- */

/* The text under the file that the flag names, complete or not at all; nothing when it is not given. */
thud_error study_write_csv(const cli_call *call, const char *flag, const thud_text *text);
/* Prints the text, then writes the table to --output and the figure (NULL: none) to --plot; exit code. */
int study_finish(const cli_call *call, thud_text *text, const thud_text *csv, const thud_plot_figure *figure);
void study_csv_number(thud_text *text, double value); /* with a comma before it, empty unless finite */
/* Opens the object of a study: verdict, reason, file, method, flags. */
void study_json_begin(thud_json *json, const cli_call *call, const thud_study *study);
void study_json_flags(thud_json *json, unsigned flags);
/* Notes the times left out because quasi-static motions jump; first_jump NaN: not known. */
void study_jumps_note(thud_text *text, double first_jump, size_t left_out);
/* Where the motions of a scene with `until` were compared; nothing of others. */
void study_until_note(thud_text *text, const thud_tree *tree);
/* Cells of 14 characters for differences, of 7 for orders; empty for NaN. */
void study_difference_cell(thud_text *text, double value);
void study_order_cell(thud_text *text, double value);

#endif
