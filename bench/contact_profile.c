/* Performance profiles (Dolan and More, Math. Programming 91, 2002): for each solver the share of problems that it
 * solves within x times the time of the fastest solver of all on that problem. */
#include "contact.h"
#include "thud/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double largest_ratio = 100; /* right end of the axis */
enum { SERIES = 16 };                    /* most curves of one panel */

/* Curves: every family of solvers, by the best of its members on each problem, and the best of Siconos as a whole. */
typedef struct profile_curve {
  const char *label;
  bool siconos;
  double *ratio; /* [problems] */
} profile_curve;

typedef struct profile {
  size_t problems, count;
  profile_curve curves[2 * SERIES];
} profile;

static size_t curve_of(profile *plot, const bench_solver *solver, size_t capacity) {
  for (size_t k = 0; k < plot->count; k++)
    if (strcmp(plot->curves[k].label, solver->family) == 0 && plot->curves[k].siconos == solver->siconos) return k;
  if (plot->count == 2 * SERIES) {
    fprintf(stderr, "bench-contact: more curves than a profile has room for\n");
    exit(3);
  }
  profile_curve *curve = &plot->curves[plot->count];
  *curve = (profile_curve){.label = solver->family, .siconos = solver->siconos};
  curve->ratio = bench_alloc(capacity, sizeof *curve->ratio);
  for (size_t p = 0; p < capacity; p++) curve->ratio[p] = INFINITY;
  return plot->count++;
}

static void take_best(double *best, double seconds) {
  if (seconds < *best) *best = seconds;
}

/* Times first, then divided by the least of the problem. */
static void collect(const bench_table *table, profile *plot) {
  bench_solver all = {.family = "best of Siconos", .siconos = true};
  for (size_t from = 0, to; from < table->count; from = to) {
    to = bench_table_end_of_problem(table, from);
    if (table->rows[from].problem->trivial) continue;
    size_t p = plot->problems++;
    double least = INFINITY;
    for (size_t k = from; k < to; k++) {
      const bench_row *row = &table->rows[k];
      double seconds = bench_row_seconds(row);
      take_best(&least, seconds);
      take_best(&plot->curves[curve_of(plot, &row->solver, table->count)].ratio[p], seconds);
      if (row->solver.siconos) take_best(&plot->curves[curve_of(plot, &all, table->count)].ratio[p], seconds);
    }
    for (size_t c = 0; c < plot->count; c++)
      if (isfinite(least)) plot->curves[c].ratio[p] /= least;
  }
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The staircase of one curve: from (1, share of wins) to the right end. */
static thud_plot_series staircase(profile_curve *curve, size_t problems, int colour) {
  double *x = bench_alloc(problems + 2, sizeof *x), *y = bench_alloc(problems + 2, sizeof *y);
  size_t count = 0, solved = 0;
  qsort(curve->ratio, problems, sizeof *curve->ratio, by_size);
  while (solved < problems && curve->ratio[solved] <= 1) solved++;
  x[count] = 1;
  y[count++] = (double)solved / (double)problems;
  for (; solved < problems && curve->ratio[solved] < largest_ratio; solved++) {
    if (x[count - 1] == curve->ratio[solved]) count--;
    x[count] = curve->ratio[solved];
    y[count++] = (double)(solved + 1) / (double)problems;
  }
  x[count] = largest_ratio;
  y[count] = y[count - 1];
  count++;
  bool second_round = colour >= THUD_PLOT_COLOURS; /* of the palette */
  return (thud_plot_series){.label = curve->label,
                            .count = count,
                            .x = x,
                            .y = y,
                            .style = THUD_PLOT_STEPS,
                            .colour = 1 + colour % THUD_PLOT_COLOURS,
                            .no_jumps = true,
                            .dash = curve->siconos ? THUD_PLOT_DASHED
                                    : second_round ? THUD_PLOT_DOTTED
                                                   : THUD_PLOT_SOLID};
}

/* auto and the best of Siconos come first in both panels, then thud's methods above, Siconos' families below; Siconos
 * is dashed. */
static size_t fill_panel(profile *plot, bool siconos, thud_plot_series *series) {
  size_t count = 0;
  for (int round = 0; round < 2; round++)
    for (size_t c = 0; c < plot->count && count < SERIES; c++) {
      profile_curve *curve = &plot->curves[c];
      bool reference = strcmp(curve->label, "auto") == 0 || strcmp(curve->label, "best of Siconos") == 0;
      if (round == 0 ? reference : !reference && curve->siconos == siconos) {
        series[count] = staircase(curve, plot->problems, (int)count);
        count++;
      }
    }
  return count;
}

void bench_table_draw_profile(thud_context *context, const bench_table *table, const char *folder) {
  profile plot = {0};
  thud_plot_series above[SERIES], below[SERIES];
  thud_plot_panel panels[2] = {0};
  collect(table, &plot);
  if (plot.problems == 0) return;
  panels[0] = (thud_plot_panel){.y_label = "thud: share solved", .y_fixed = true, .y_maximum = 1.02, .series = above};
  panels[1] =
      (thud_plot_panel){.y_label = "Siconos: share solved", .y_fixed = true, .y_maximum = 1.02, .series = below};
  panels[0].series_count = fill_panel(&plot, false, above);
  panels[1].series_count = fill_panel(&plot, true, below);
  char title[120];
  snprintf(title, sizeof title, "%zu problems (%s) at tolerance %s", plot.problems, table->set, table->tolerance);
  thud_plot_figure figure = {.title = title,
                             .x_label = "time / time of the fastest solver",
                             .x_log = true,
                             .panel_count = bench_siconos_is_there() ? 2 : 1,
                             .panels = panels};
  thud_plot_options options = thud_plot_options_default();
  options.overwrite = true;
  options.width = 9;
  options.height = 9;
  options.dpi = 80;
  char *path = bench_table_path(table, folder, "profile-", ".png");
  bench_stop_on(context, thud_plot_write(context, &figure, &options, path));
  for (size_t p = 0; p < 2; p++)
    for (size_t k = 0; k < panels[p].series_count; k++) {
      free((double *)panels[p].series[k].x);
      free((double *)panels[p].series[k].y);
    }
  for (size_t c = 0; c < plot.count; c++) free(plot.curves[c].ratio);
  free(path);
}
