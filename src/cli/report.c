/* thud report: records as one HTML page. */
#include "cli/terminal.h"
#include "base/base.h"
#include "base/json.h"
#include "thud/page.h"

#include <limits.h>
#include <sys/stat.h>

enum { LEAST_FRAMES = 2, LEAST_POINTS = 100 }; /* as thud_page_option_table has them */

static const cli_flag flags[] = {
    {.name = "output", .letter = 'o', .value = "FILE", .help = "the page (default: the first record's name + .html)"},
    {.name = "force", .letter = 'f', .help = "replace a file that is no page of thud"},
    {.name = "title", .value = "TEXT", .help = "title (default: the first record's)"},
    {.name = "frames", .value = "N", .help = "at most about so many times of the moving picture (default 500)"},
    {.name = "points", .value = "N", .help = "at most about so many points of a curve (default 4000)"},
};

/* A flag that is a whole number; false after a message. */
static bool read_count(const cli_call *call, const char *flag, int least, int *count) {
  double value = *count;
  if (!cli_number(call, flag, &value)) return false;
  if (value >= least && value <= INT_MAX && value == (int)value) {
    *count = (int)value;
    return true;
  }
  cli_complain("report: --%s must be a whole number from %d on, not %s", flag, least, cli_value(call, flag, 0));
  return false;
}

static double size_of(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? (double)status.st_size : 0;
}

static int announce(const cli_call *call, const char *path) {
  double size = size_of(path);
  if (call->json) return cli_write_file_result(call, path);
  if (size < 1e6)
    cli_print(stdout, "page: %s (%.0f kB)\n", path, size / 1e3);
  else
    cli_print(stdout, "page: %s (%.1f MB)\n", path, size / 1e6);
  return CLI_GOOD;
}

static int write_page(const cli_call *call, thud_page_options *options, const char *path) {
  static const char *const endings[] = {".html", ".htm", NULL};
  if (path == NULL) return cli_report_error(call, THUD_ERROR_MEMORY);
  if (!cli_check_ending(call, "output", path, "a page", endings)) return CLI_BAD_INPUT;
  options->overwrite = cli_may_replace(call, path);
  thud_error error = thud_page_write(call->context, (size_t)call->operand_count, call->operands,
                                     cli_value(call, "title", 0), options, path);
  return error == THUD_OK ? announce(call, path) : cli_report_error(call, error);
}

static int run(const cli_call *call) {
  thud_page_options options = thud_page_options_default();
  if (!read_count(call, "frames", LEAST_FRAMES, &options.most_frames) ||
      !read_count(call, "points", LEAST_POINTS, &options.most_points))
    return CLI_BAD_INPUT;
  const char *output = cli_value(call, "output", 0);
  char *name = output == NULL ? cli_name_beside(call, call->operands[0], ".html") : NULL;
  int code = write_page(call, &options, output != NULL ? output : name);
  thud_free(call->context, name);
  return code;
}

const cli_command cli_report = {
    .name = "report",
    .operands = "RECORD...",
    .summary = "write records as one HTML page with moving pictures",
    .details =
        "Writes one file that any browser opens, without a network: the verdict with its numbers, the motion as a\n"
        "moving picture (bodies, or what the scene's `draw` section says), curves over time with jumps as jumps,\n"
        "phase plots, energies, residuals, events, warnings with cause and cure, proofs, and the scene as given.\n"
        "Several records are shown side by side with one clock. Records of failed, stopped or killed runs give\n"
        "pages, too. The same records give the same file, byte for byte.",
    .min_operands = 1,
    .max_operands = 8,
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
    .computes = true,
};
