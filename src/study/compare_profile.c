/* Performance profiles (Dolan and More, Math. Programming 91, 2002): for each solver the share of problems that it
 * solves within x times the time of the fastest solver of all on that problem. */
#include "study/study_compare.h"

#include "base/base.h"
#include "thud/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double largest_ratio = 100; /* right end of the axis */

/* Every family of solvers, by the best of its members on each problem, and the best of the others as a whole. */
typedef struct curve {
  char label[THUD_COMPARE_NAME + 16];
  bool other, reference; /* reference: in both panels */
  double *ratio;         /* [problems] */
} curve;

typedef struct profile {
  thud_context *context;
  thud_arena *arena;
  size_t problems; /* so far */
  size_t count, capacity;
  curve *curves; /* [count] */
} profile;

/* The curve of the label, made where it is not there yet; NULL: no memory. */
static curve *curve_of(profile *plot, const char *label, bool other, bool reference, size_t problems) {
  for (size_t k = 0; k < plot->count; k++)
    if (strcmp(plot->curves[k].label, label) == 0 && plot->curves[k].other == other) return &plot->curves[k];
  if (thud_array_reserve(plot->context, &plot->curves, &plot->capacity, plot->count + 1, sizeof *plot->curves) !=
      THUD_OK)
    return NULL;
  curve *made = &plot->curves[plot->count];
  *made = (curve){.other = other, .reference = reference};
  snprintf(made->label, sizeof made->label, "%s", label);
  made->ratio = thud_arena_alloc(plot->arena, problems, sizeof *made->ratio);
  if (made->ratio == NULL) return NULL;
  for (size_t p = 0; p < problems; p++) made->ratio[p] = INFINITY;
  plot->count++;
  return made;
}

static bool take_time(profile *plot, const char *label, const thud_compare_result *result, bool reference,
                      size_t problems) {
  curve *to = curve_of(plot, label, result->other, reference, problems);
  if (to == NULL) return false;
  double *best = &to->ratio[plot->problems];
  *best = fmin(*best, thud_compare_seconds(result));
  return true;
}

/* Times first, then divided by the least of the problem. */
static thud_error collect(const thud_compare *compare, profile *plot) {
  char all[THUD_COMPARE_NAME + 16];
  snprintf(all, sizeof all, "best of %.*s", THUD_COMPARE_NAME, compare->others != NULL ? compare->others : "others");
  for (size_t p = 0; p < compare->problem_count; p++) {
    const thud_compare_result *result;
    double least = INFINITY;
    if (compare->problems[p].shown.trivial) continue;
    for (size_t k = 0; (result = thud_compare_result_at(compare, p, k)) != NULL; k++) {
      least = fmin(least, thud_compare_seconds(result));
      bool good = take_time(plot, result->family, result, thud_compare_is_auto(result), compare->problem_count) &&
                  (!result->other || take_time(plot, all, result, true, compare->problem_count));
      if (!good) return THUD_ERROR_MEMORY;
    }
    for (size_t c = 0; c < plot->count && isfinite(least); c++) plot->curves[c].ratio[plot->problems] /= least;
    plot->problems++;
  }
  return THUD_OK;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The staircase of one curve: from (1, share of wins) to the right end. */
static bool staircase(profile *plot, curve *from, int colour, thud_plot_series *series) {
  size_t problems = plot->problems, count = 0, solved = 0;
  double *x = thud_arena_alloc(plot->arena, problems + 2, sizeof *x);
  double *y = thud_arena_alloc(plot->arena, problems + 2, sizeof *y);
  if (x == NULL || y == NULL) return false;
  qsort(from->ratio, problems, sizeof *from->ratio, by_size);
  while (solved < problems && from->ratio[solved] <= 1) solved++;
  x[count] = 1;
  y[count++] = (double)solved / (double)problems;
  for (; solved < problems && from->ratio[solved] < largest_ratio; solved++) {
    if (x[count - 1] == from->ratio[solved]) count--;
    x[count] = from->ratio[solved];
    y[count++] = (double)(solved + 1) / (double)problems;
  }
  x[count] = largest_ratio;
  y[count] = y[count - 1];
  bool second_round = colour >= THUD_PLOT_COLOURS; /* of the palette */
  *series = (thud_plot_series){.label = from->label,
                               .count = count + 1,
                               .x = x,
                               .y = y,
                               .style = THUD_PLOT_STEPS,
                               .colour = 1 + colour % THUD_PLOT_COLOURS,
                               .no_jumps = true,
                               .dash = from->other ? (second_round ? THUD_PLOT_DASH_DOT : THUD_PLOT_DASHED)
                                                   : (second_round ? THUD_PLOT_DOTTED : THUD_PLOT_SOLID)};
  return true;
}

/* auto and the best of the others come first in both panels, then thud's methods above, the others' families below;
 * others are dashed. */
static thud_error fill_panel(profile *plot, bool other, const char *label, thud_plot_panel *panel) {
  thud_plot_series *series = thud_arena_alloc(plot->arena, plot->count, sizeof *series);
  size_t count = 0;
  if (series == NULL) return THUD_ERROR_MEMORY;
  for (int round = 0; round < 2; round++)
    for (size_t c = 0; c < plot->count; c++) {
      curve *from = &plot->curves[c];
      if (round == 0 ? !from->reference : from->reference || from->other != other) continue;
      if (!staircase(plot, from, (int)count, &series[count])) return THUD_ERROR_MEMORY;
      count++;
    }
  *panel =
      (thud_plot_panel){.y_label = label, .y_fixed = true, .y_maximum = 1.02, .series = series, .series_count = count};
  return THUD_OK;
}

static bool has_others(const profile *plot) {
  for (size_t c = 0; c < plot->count; c++)
    if (plot->curves[c].other) return true;
  return false;
}

static thud_error draw(const thud_compare *compare, profile *plot, const char *path, bool overwrite) {
  thud_plot_panel panels[2];
  char title[256], below[THUD_COMPARE_NAME + 32], tolerance[COMPARE_NUMBER];
  bool others = has_others(plot);
  snprintf(below, sizeof below, "%.*s: share solved", THUD_COMPARE_NAME,
           compare->others != NULL ? compare->others : "others");
  thud_error error =
      fill_panel(plot, false, others ? "thud: share solved" : "share of the problems solved", &panels[0]);
  if (error == THUD_OK && others) error = fill_panel(plot, true, below, &panels[1]);
  if (error != THUD_OK) return error;
  snprintf(title, sizeof title, "%.160s: %zu problem%s at tolerance %s", compare->title, plot->problems,
           thud_plural(plot->problems), thud_compare_tolerance_text(compare->options.tolerance, tolerance));
  thud_plot_figure figure = {.title = title,
                             .x_label = "time / time of the fastest solver (1 = as fast)",
                             .x_log = true,
                             .panel_count = others ? 2 : 1,
                             .panels = panels};
  thud_plot_options options = thud_plot_options_default();
  options.overwrite = overwrite;
  options.width = 9;
  options.height = others ? 9 : 5;
  options.dpi = 100;
  return thud_plot_write(plot->context, &figure, &options, path);
}

thud_error thud_compare_draw(const thud_compare *compare, const char *path, bool overwrite) {
  profile plot = {.context = compare->context};
  thud_error error = thud_arena_create(compare->context, 1 << 14, &plot.arena);
  if (error == THUD_OK) error = collect(compare, &plot);
  if (error == THUD_OK && (plot.problems == 0 || plot.count == 0))
    error = thud_fail(compare->context, THUD_ERROR_NOT_FOUND,
                      "[bad-study] %s: no problem to draw: r = 0 solves all of them, or there is none", path);
  if (error == THUD_OK) error = draw(compare, &plot, path, overwrite);
  thud_free(compare->context, plot.curves);
  thud_arena_destroy(plot.arena);
  return error;
}
