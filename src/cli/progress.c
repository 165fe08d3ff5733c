/* How far a run is: a bar on a terminal, a line now and then in a log. */
#include "cli/progress.h"
#include "cli/terminal.h"
#include "base/base.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { SHORTEST_BAR = 4, LONGEST_BAR = 30, FIGURE = 64, GAP = 2 };
static const double LOG_EVERY = 30; /* s */

bool cli_progress_begin(const cli_call *call, cli_progress *progress) {
  bool quiet = call->json || cli_given(call, "quiet");
  *progress = (cli_progress){
      .line = cli_line_begin(call),
      .every = LOG_EVERY,
      .begin = thud_seconds(),
      .widths = {[0] = sizeof "100 %" - 1, [1] = sizeof "12 s left" - 1, [3] = sizeof "5200 steps/s" - 1}};
  progress->last = progress->begin;
  if (cli_given(call, "progress") && !cli_number(call, "progress", &progress->every)) return false;
  if (!(progress->every >= 0)) {
    cli_complain("run: --progress is a number of seconds, 0 for none");
    return false;
  }
  if (quiet) progress->line.on = false;
  if (quiet || isatty(STDERR_FILENO)) progress->every = 0;
  return true;
}

/* ---- words ----------------------------------------------------------------------------------------------------------- */

/* "12 s", "3 min 20 s", "2 h 5 min" */
static void format_seconds(double seconds, char *text, size_t capacity) {
  if (!(seconds < 360000))
    snprintf(text, capacity, "days");
  else if (seconds >= 3600)
    snprintf(text, capacity, "%.0f h %.0f min", floor(seconds / 3600), floor(fmod(seconds, 3600) / 60));
  else if (seconds >= 60)
    snprintf(text, capacity, "%.0f min %.0f s", floor(seconds / 60), floor(fmod(seconds, 60)));
  else
    snprintf(text, capacity, "%.0f s", ceil(seconds));
}

/* "35 steps/s", "1.8M steps/s" */
static void format_rate(double rate, char *text, size_t capacity) {
  if (rate >= 1e6)
    snprintf(text, capacity, "%.3gM steps/s", rate / 1e6);
  else if (rate >= 1e4)
    snprintf(text, capacity, "%.0fk steps/s", rate / 1e3);
  else
    snprintf(text, capacity, rate < 100 ? "%.2g steps/s" : "%.0f steps/s", rate);
}

static double share_done(const thud_run_so_far *status) {
  double share = (status->t - status->start) / (status->end - status->start);
  return share > 0 && share < 1 ? share : share >= 1;
}

/* "42 %", "4 s left", "t = 1.26 of 3", "5200 steps/s", "3 contacts", "residual 1e-12"; empty: not known. */
static void describe(const cli_progress *progress, char figures[CLI_FIGURES][FIGURE]) {
  const thud_run_so_far *status = &progress->status;
  char left[40];
  double share = share_done(status), passed = thud_seconds() - progress->begin;
  for (int k = 0; k < CLI_FIGURES; k++) figures[k][0] = '\0';
  snprintf(figures[0], FIGURE, "%3.0f %%", floor(100 * share));
  if (share > 0 && share < 1) {
    format_seconds(passed * (1 - share) / share, left, sizeof left);
    snprintf(figures[1], FIGURE, "%s left", left);
  }
  snprintf(figures[2], FIGURE, "t = %.4g of %.4g", status->t, status->end);
  if (progress->rate > 0) format_rate(progress->rate, figures[3], FIGURE);
  if (!isnan(status->contacts))
    snprintf(figures[4], FIGURE, "%.0f contact%s", status->contacts, thud_plural((size_t)status->contacts));
  if (!isnan(status->residual)) snprintf(figures[5], FIGURE, "residual %.0e", status->residual);
}

/* The figures in the order in which they are read. */
static const int reading_order[CLI_FIGURES] = {0, 2, 3, 4, 5, 1};

/* ---- showing --------------------------------------------------------------------------------------------------------- */

/* The rate of the time since the last look, smoothed a little. */
static void measure_rate(cli_progress *progress, double now) {
  double passed = now - progress->last, steps = (double)(progress->status.steps - progress->last_steps);
  if (!(passed > 0)) return;
  progress->rate = progress->rate > 0 ? 0.7 * progress->rate + 0.3 * steps / passed : steps / passed;
  progress->last = now;
  progress->last_steps = progress->status.steps;
}

/* How many figures have room beside the shortest bar, the first ones first. */
static int figures_within(const cli_progress *progress, int columns) {
  int used = SHORTEST_BAR + 3, count = 0;
  while (count < CLI_FIGURES && used + progress->widths[count] + (progress->widths[count] > 0 ? GAP : 0) < columns) {
    used += progress->widths[count] + (progress->widths[count] > 0 ? GAP : 0);
    count++;
  }
  return count > 0 ? count : 1;
}

/* The bar takes what the figures leave of the line. Each figure keeps the room that it has once taken, so that the bar and
 * what stands behind it stay in their places; figures without room are left out. */
static void show_bar(cli_progress *progress) {
  char figures[CLI_FIGURES][FIGURE], bar[LONGEST_BAR + 1], text[CLI_FIGURES * (FIGURE + GAP) + 1] = "";
  int columns = cli_terminal_columns(), used = 0;
  describe(progress, figures);
  int longest = snprintf(bar, sizeof bar, "t = 0.1234 of %.4g", progress->status.end);
  if (longest > progress->widths[2]) progress->widths[2] = longest;
  for (int k = 0; k < CLI_FIGURES; k++) {
    int width = (int)strlen(figures[k]);
    if (width > progress->widths[k]) progress->widths[k] = width;
  }
  int shown = figures_within(progress, columns);
  for (int k = 0; k < CLI_FIGURES; k++) {
    int figure = reading_order[k], width = progress->widths[figure];
    if (figure < shown && width > 0)
      used +=
          snprintf(text + used, sizeof text - (size_t)used, "%*s%-*s", used > 0 ? GAP : 0, "", width, figures[figure]);
  }
  int room = columns - used - 4;
  size_t length = room > LONGEST_BAR ? LONGEST_BAR : room > 0 ? (size_t)room : 0;
  size_t filled = (size_t)((double)length * share_done(&progress->status));
  memset(bar, '-', length);
  memset(bar, '#', filled);
  bar[length] = '\0';
  if (length >= SHORTEST_BAR)
    cli_line_show(&progress->line, "[%s] %s", bar, text);
  else
    cli_line_show(&progress->line, "%s", text);
}

/* For logs: all that is known, in a line. */
static void print_line(const cli_progress *progress) {
  char figures[CLI_FIGURES][FIGURE];
  describe(progress, figures);
  cli_print(stderr, "thud: %s", figures[0] + strspn(figures[0], " "));
  for (int k = 1; k < CLI_FIGURES; k++)
    if (figures[reading_order[k]][0] != '\0') cli_print(stderr, "  %s", figures[reading_order[k]]);
  fputs("\n", stderr);
}

int cli_progress_show(void *user, double t, double start, double end) {
  cli_progress *progress = user;
  (void)t, (void)start, (void)end; /* as in the status */
  if (cli_interrupted()) return 1;
  if (cli_line_due(&progress->line)) {
    measure_rate(progress, progress->line.last);
    show_bar(progress);
  }
  if (progress->every == 0) return 0;
  double now = thud_seconds();
  if (now - progress->last < progress->every) return 0;
  measure_rate(progress, now);
  print_line(progress);
  return 0;
}

void cli_progress_end(cli_progress *progress) { cli_line_clear(&progress->line); }
