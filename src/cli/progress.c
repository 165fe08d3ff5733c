/* How far a run is: a bar on a terminal, a line now and then in a log. */
#include "cli/progress.h"
#include "cli/terminal.h"
#include "base/base.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { SHORTEST_BAR = 4, LONGEST_BAR = 30, TEXT = 256 };
static const double LOG_EVERY = 30; /* s */

bool cli_progress_begin(const cli_call *call, cli_progress *progress) {
  bool quiet = call->json || cli_given(call, "quiet");
  *progress = (cli_progress){.line = cli_line_begin(call), .every = LOG_EVERY, .begin = thud_seconds()};
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

static void append(char *text, size_t *used, const char *format, ...) THUD_PRINTF(3, 4);
static void append(char *text, size_t *used, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text + *used, TEXT - *used, format, arguments);
  va_end(arguments);
  *used = length > 0 && *used + (size_t)length < TEXT ? *used + (size_t)length : TEXT - 1;
}

/* "35 steps/s", "1.8M steps/s" */
static void append_rate(char *text, size_t *used, double rate) {
  if (rate >= 1e6)
    append(text, used, "  %.3gM steps/s", rate / 1e6);
  else if (rate >= 1e4)
    append(text, used, "  %.0fk steps/s", rate / 1e3);
  else
    append(text, used, rate < 100 ? "  %.2g steps/s" : "  %.0f steps/s", rate);
}

static double share_done(const thud_run_so_far *status) {
  double share = (status->t - status->start) / (status->end - status->start);
  return share > 0 && share < 1 ? share : share >= 1;
}

/* "t = 1.26 of 3, 42 %, 5200 steps/s, 3 contacts, residual 1e-12, 4 s left" */
static void describe(const cli_progress *progress, char text[TEXT]) {
  const thud_run_so_far *status = &progress->status;
  char left[40];
  size_t used = 0;
  double share = share_done(status), passed = thud_seconds() - progress->begin;
  append(text, &used, "%3.0f %%  t = %.4g of %.4g", floor(100 * share), status->t, status->end);
  if (progress->rate > 0) append_rate(text, &used, progress->rate);
  if (!isnan(status->contacts))
    append(text, &used, "  %.0f contact%s", status->contacts, thud_plural((size_t)status->contacts));
  if (!isnan(status->residual)) append(text, &used, "  residual %.0e", status->residual);
  if (share > 0 && share < 1) {
    format_seconds(passed * (1 - share) / share, left, sizeof left);
    append(text, &used, "  %s left", left);
  }
}

/* ---- showing --------------------------------------------------------------------------------------------------------- */

/* The rate of the time since the last look, smoothed a little. */
static void measure_rate(cli_progress *progress, double now) {
  double passed = now - progress->last, steps = (double)(progress->status.steps - progress->last_steps);
  if (!(passed > 0)) return;
  progress->rate = progress->rate > 0 ? 0.7 * progress->rate + 0.3 * steps / passed : steps / passed;
  progress->last = now;
  progress->last_steps = progress->status.steps;
}

/* The bar takes what the figures leave of the line, and gives way to them where that is little. */
static void show_bar(cli_progress *progress) {
  char text[TEXT], bar[LONGEST_BAR + 1];
  describe(progress, text);
  int room = cli_terminal_columns() - (int)strlen(text) - 4;
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
  char text[TEXT];
  measure_rate(progress, now);
  describe(progress, text);
  cli_print(stderr, "thud: %s\n", text + strspn(text, " "));
  return 0;
}

void cli_progress_end(cli_progress *progress) { cli_line_clear(&progress->line); }
