/* Report lines of kinds that are judged by refinement. */
#include "kinds/kinds.h"
#include "scene/build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void write_trend(thud_limit_trend trend, char *text, size_t capacity) {
  if (isnan(trend.exponent))
    snprintf(text, capacity, "unknown");
  else if (isinf(trend.exponent))
    snprintf(text, capacity, "none");
  else
    snprintf(text, capacity, "%.2f +- %.2f", trend.exponent, trend.scatter);
}

/* Infinite exponents, of figures that are rounding, have no number in JSON. */
static void write_exponent(thud_report *report, const char *key, const char *scatter, thud_limit_trend trend) {
  bool finite = isfinite(trend.exponent);
  thud_report_number(report, key, finite ? trend.exponent : NAN);
  thud_report_number(report, scatter, finite ? trend.scatter : NAN);
}

void thud_limit_report(thud_report *report, const char *list, int levels, const thud_limit_level *rows,
                       const thud_limit_judgement *judgement) {
  static const char *const names[] = {"steps", "nodes", "variation", "largest_move", "distance"};
  enum { KEYS = sizeof names / sizeof *names };
  double values[KEYS * SCENE_MOST_LEVELS];
  char growth[64], approach[64], moves[64];
  const char *class = thud_limit_class_name(judgement->found);
  for (int k = 0; k < levels; k++) {
    const thud_limit_level *level = &rows[k];
    const double row[KEYS] = {(double)level->steps, (double)level->nodes, level->variation, level->largest_move,
                              level->distance};
    memcpy(values + (ptrdiff_t)KEYS * k, row, sizeof row);
  }
  thud_report_string(report, "class", class);
  write_exponent(report, "approach", "approach_scatter", judgement->approach);
  write_exponent(report, "growth", "growth_scatter", judgement->growth);
  write_exponent(report, "shrinking", "shrinking_scatter", judgement->moves);
  thud_report_list(report, list, KEYS, names, (size_t)levels, values);
  write_trend(judgement->growth, growth, sizeof growth);
  write_trend(judgement->approach, approach, sizeof approach);
  write_trend(judgement->moves, moves, sizeof moves);
  thud_report_line(report, "class", "%s, by %d refinements", class, levels);
  thud_report_line(report, "exponents", "distance falls: %s, variation grows: %s, largest step falls: %s", approach,
                   growth, moves);
  const thud_limit_level *last = &rows[levels - 1], *before = last - 1;
  thud_report_line(
      report, "evidence", "on the last two: distance %.3g, %.3g; variation %.6g, %.6g; largest step %.3g, %.3g",
      before->distance, last->distance, before->variation, last->variation, before->largest_move, last->largest_move);
}

void thud_limit_write_figures(int count, const double *figures, char *text, size_t capacity) {
  size_t used = 0;
  text[0] = '\0';
  for (int k = 0; k < count && used < capacity; k++)
    used += (size_t)snprintf(text + used, capacity - used, "%s%.3g", k > 0 ? ", " : "", figures[k]);
}

void thud_limit_reached(thud_context *context, int levels, const thud_limit_level *rows,
                        const thud_limit_judgement *judgement, thud_reached *reached) {
  double figures[SCENE_MOST_LEVELS];
  char text[256];
  if (thud_limit_is_open(judgement)) reached->verdict = "coarse";
  if (judgement->found != THUD_LIMIT_NO_UNIFORM) return;
  for (int k = 1; k < levels; k++) figures[k - 1] = rows[k].distance;
  thud_limit_write_figures(levels - 1, figures, text, sizeof text);
  thud_fail(context, THUD_ERROR_NOT_CONVERGED,
            "[no-limit] t = %.10g: motions on refined partitions do not approach each other, their distances are %s",
            reached->t, text);
  reached->status = THUD_MOTION_FAILED;
  reached->what = "no limit";
  reached->verdict = NULL;
}

bool thud_limit_is_open(const thud_limit_judgement *judgement) {
  return isfinite(judgement->approach.exponent) && thud_limit_tends_to_zero(judgement->approach) == 0;
}

void thud_limit_warn(thud_report *report, double t, const thud_limit_judgement *judgement) {
  if (thud_limit_is_open(judgement))
    thud_report_warning(
        report, t, "no-limit",
        "it is open whether motions on refined partitions approach each other: the order of their distances is "
        "%.2f +- %.2f",
        judgement->approach.exponent, judgement->approach.scatter);
}
