/* thud run: from a scene to a record with a verdict. */
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/scenes.h"
#include "expr/number_list.h"
#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_flag flags[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "the record to write (default: ball.yaml gives ./ball.h5)"},
    {.name = "no-record", .help = "write no record"},
    {.name = "force", .letter = 'f', .help = "replace an existing record"},
    {.name = "resume",
     .value = "FILE",
     .help = "continue a record at its newest checkpoint (its own scene when none is given)"},
    {.name = "set",
     .value = "KEY=VALUE",
     .help = "change the scene first: mu=0.3 (a parameter) or simulate.steps=100 (a path)"},
    {.name = "at", .value = "T1,T2,...", .help = "report the states at these times, too"},
    {.name = "branch",
     .value = "N",
     .help = "event-driven scenes: follow the outcomes of forks, at most N motions in all"},
    {.name = "max-outcomes", .value = "N", .help = "with --branch: outcomes of one fork (default: the scene's, 24)"},
    {.name = "threads",
     .value = "N",
     .help = "threads of the run, 1 to 64 (default 1): rigid bodies and large contact problems use them; the numbers "
             "stay the same"},
    {.name = "dump-problems",
     .value = "DIR",
     .help = "bodies: write the contact problems of the steps into DIR, as FCLIB files"},
    {.name = "dump-if",
     .value = "CONDITION",
     .help = "with --dump-problems: only where this holds, \"residual > 1e-8\" (contacts, iterations, t, penetration)"},
    {.name = "progress",
     .value = "SECONDS",
     .help = "where stderr is no terminal: a line on how far the run is, this often (default 30, 0: none)"},
    {.name = "quiet", .letter = 'q', .help = "print nothing but errors"},
};

enum { MOST_BRANCHES = 100000, MOST_OUTCOMES = 10000 };

/* A whole number within limits, 0 when the flag is not given; false after a message. */
static bool parse_count(const cli_call *call, const char *flag, int least, int most, size_t *count) {
  double value = NAN;
  *count = 0;
  if (!cli_given(call, flag)) return true;
  const char *text = cli_value(call, flag, 0);
  if (thud_expr_read_number(call->context, text, &value) != THUD_OK || !(value >= least && value <= most) ||
      value != (double)(size_t)value) {
    cli_complain("run: --%s is a whole number from %d to %d", flag, least, most);
    return false;
  }
  *count = (size_t)value;
  return true;
}

/* --threads N: the context gets its pool; false after a message. */
static bool start_threads(const cli_call *call) {
  enum { MOST_THREADS = 64 };
  size_t threads = 0;
  if (!parse_count(call, "threads", 1, MOST_THREADS, &threads)) return false;
  while (threads > 1 && !cli_blas_has_memory(call, (int)threads)) threads--;
  thud_error error = thud_context_start_threads(call->context, (int)threads);
  if (error != THUD_OK) cli_report_error(call, error);
  return error == THUD_OK;
}

/* --branch N and --max-outcomes N; false after a message. */
static bool parse_branches(const cli_call *call, thud_run_options *options) {
  if (!parse_count(call, "branch", 1, MOST_BRANCHES, &options->branches) ||
      !parse_count(call, "max-outcomes", 2, MOST_OUTCOMES, &options->max_outcomes))
    return false;
  if (options->max_outcomes == 0 || options->branches > 0) return true;
  cli_complain("run: --max-outcomes belongs to --branch");
  return false;
}

static int exit_code(thud_verdict verdict) {
  if (verdict == THUD_VERDICT_STOPPED) return CLI_INTERRUPTED;
  return verdict == THUD_VERDICT_GOOD ? CLI_GOOD : CLI_BAD_VERDICT;
}

static int print_result(const cli_call *call, const thud_run_result *result) {
  int code = exit_code(result->verdict), written = CLI_GOOD;
  if (call->json) {
    written = cli_write_out(result->json);
    if (written == CLI_GOOD) written = cli_write_out("\n");
  } else if (!cli_given(call, "quiet")) {
    written = cli_write_out(result->report);
  } else if (code != CLI_GOOD) {
    cli_complain_as(result->code != NULL ? result->code : "", "%s", result->reason);
  }
  return code > written ? code : written;
}

/* A later end for the scene that was built from the tree: steps of the same length, as many as there are until then. */
static thud_error lengthen(const cli_call *call, thud_tree *tree, thud_scene **scene) {
  thud_scene_info old = thud_scene_get_info(*scene);
  char steps[40];
  double start = old.start, end = old.end, count = old.steps, step = (end - start) / count;
  thud_scene_destroy(*scene);
  *scene = NULL;
  bool counted = thud_node_find(thud_node_find(thud_tree_root(tree), "simulate"), "steps") != NULL;
  thud_error error = cli_apply_settings(call, tree);
  if (error == THUD_OK) error = thud_scene_build(call->context, tree, scene);
  if (error != THUD_OK) return error;
  end = thud_scene_get_info(*scene).end;
  if (!counted || cli_value(call, "set", 1) != NULL) return THUD_OK;
  double wanted = (end - start) / step;
  if (!(fabs(wanted - round(wanted)) <= 1e-9 * wanted) || wanted > INT32_MAX)
    return thud_fail(call->context, THUD_ERROR_ARGUMENT,
                     "[usage] the end %g is not a whole number of steps of %g after the start %g: choose another end",
                     end, step, start);
  snprintf(steps, sizeof steps, "%.0f", round(wanted));
  thud_scene_destroy(*scene);
  *scene = NULL;
  error = thud_tree_set(tree, "simulate.steps", steps);
  return error == THUD_OK ? thud_scene_build(call->context, tree, scene) : error;
}

/* The scene that a record was made by, from the record itself, with the end that --set gives. */
static thud_error load_recorded_scene(const cli_call *call, const char *path, thud_scene **scene) {
  thud_record_reader *reader = NULL;
  thud_tree *tree = NULL;
  thud_error error = thud_record_open(call->context, path, &reader);
  if (error != THUD_OK) return error;
  const char *text = thud_record_reader_info(reader).scene;
  error = thud_tree_read_text(call->context, path, text, strlen(text), &tree);
  if (error == THUD_OK) error = thud_scene_build(call->context, tree, scene);
  if (error == THUD_OK && cli_given(call, "set")) error = lengthen(call, tree, scene);
  thud_tree_destroy(tree);
  thud_record_reader_destroy(reader);
  return error;
}

/* After Ctrl-C: the command that goes on, where the record has a checkpoint. */
static void show_continuation(const cli_call *call, const char *record) {
  thud_record_reader *reader = NULL;
  thud_record_resumption newest = {0};
  if (record == NULL || call->json || cli_given(call, "branch")) return;
  if (thud_record_open(call->context, record, &reader) != THUD_OK) return;
  if (thud_record_read_checkpoint(reader, &newest) == THUD_OK)
    cli_print(stderr, "continue with: thud run --resume '%s'\n", record);
  else
    fprintf(stderr,
            "this run cannot be continued: it has no checkpoint (record: {checkpoint_every: ...} in the scene)\n");
  thud_record_resumption_free(call->context, &newest);
  thud_record_reader_destroy(reader);
}

/* path NULL: the scene is in the record that is resumed. */
static int run_scene(const cli_call *call, const char *path, const thud_run_options *options) {
  thud_scene *scene = NULL;
  thud_error error =
      path != NULL ? cli_load_scene(call, path, &scene) : load_recorded_scene(call, options->record, &scene);
  if (error != THUD_OK) return cli_report_error(call, error);
  thud_run_result result = {0};
  error = thud_scene_run(scene, options, &result);
  cli_progress_end(options->progress_user);
  int code = error == THUD_OK ? print_result(call, &result) : cli_report_error(call, error);
  if (error == THUD_OK && result.verdict == THUD_VERDICT_STOPPED) show_continuation(call, options->record);
  thud_run_result_free(call->context, &result);
  thud_scene_destroy(scene);
  return code;
}

static int run_file(const cli_call *call, const char *path) {
  thud_run_options options = thud_run_options_default();
  cli_progress progress;
  if (!cli_progress_begin(call, &progress)) return CLI_BAD_INPUT;
  options.overwrite = cli_given(call, "force");
  options.progress = cli_progress_show;
  options.progress_user = &progress;
  options.so_far = &progress.status;
  double *times = NULL;
  const char *given = cli_given(call, "resume") ? cli_value(call, "resume", 0) : cli_value(call, "output", 0);
  char *name = cli_given(call, "no-record") || given != NULL ? NULL : cli_name_beside(call, path, ".h5");
  options.record = given != NULL ? given : name;
  options.resume = cli_given(call, "resume");
  static const char *const endings[] = {".h5", ".hdf5", NULL};
  options.dump_directory = cli_value(call, "dump-problems", 0);
  options.dump_if = cli_value(call, "dump-if", 0);
  int code = CLI_BAD_INPUT;
  bool named = options.resume || cli_check_ending(call, "output", given, "a record", endings);
  if (named && parse_branches(call, &options) && start_threads(call) && cli_output_is_no_input(call, options.record) &&
      cli_numbers(call, "at", &times, &options.sample_count)) {
    options.sample_times = times;
    code = run_scene(call, path, &options);
  }
  thud_free(call->context, times);
  thud_free(call->context, name);
  return code;
}

static int run(const cli_call *call) {
  if (call->operand_count > 1 && cli_given(call, "output")) {
    cli_complain("run: --output names one record; run the scenes one by one or leave it out");
    return CLI_BAD_INPUT;
  }
  if (cli_given(call, "output") && cli_given(call, "no-record")) {
    cli_complain("run: --output and --no-record contradict each other");
    return CLI_BAD_INPUT;
  }
  bool resumes = cli_given(call, "resume");
  if (resumes && (cli_given(call, "output") || cli_given(call, "no-record") || call->operand_count > 1)) {
    cli_complain("run: --resume names the record that goes on: give at most one scene, and neither --output nor "
                 "--no-record");
    return CLI_BAD_INPUT;
  }
  const char *setting;
  for (size_t k = 0; resumes && call->operand_count == 0 && (setting = cli_value(call, "set", k)) != NULL; k++)
    if (strncmp(setting, "simulate.end=", 13) != 0 && strncmp(setting, "simulate.steps=", 15) != 0) {
      cli_complain("run: --resume takes the scene from the record, in which only simulate.end and simulate.steps may "
                   "change: --set %s needs the scene file",
                   setting);
      return CLI_BAD_INPUT;
    }
  for (int k = 0; k < call->operand_count; k++)
    if (strcmp(call->operands[k], "-") == 0 && !resumes && !cli_given(call, "output") &&
        !cli_given(call, "no-record")) {
      cli_complain("run: a scene from standard input has no name: give --output FILE, or --no-record");
      return CLI_BAD_INPUT;
    }
  if (!resumes && call->operand_count == 0) {
    cli_complain("run: a SCENE is needed; see thud run --help");
    return CLI_BAD_INPUT;
  }
  cli_catch_signals();
  if (call->operand_count == 0) return run_file(call, NULL);
  return cli_each_operand(call, run_file);
}

const cli_command cli_run = {
    .name = "run",
    .operands = "[SCENE...]",
    .summary = "run scenes and record the motion",
    .details =
        "Computes the motion that each scene describes and writes a record (HDF5) with the frames, the scene,\n"
        "the options and the verdict; 'thud plot', 'thud export' and 'thud verify' read it. Every step is\n"
        "certified: the worst residual is reported, and a run that misses its tolerance ends with the verdict\n"
        "'failed' and exit code 1. Ctrl-C ends a run in good order. --set can be given several times.\n"
        "Checkpoints are kept every minute of processor time, or as record: {checkpoint_every: ...} says: from them\n"
        "a run goes on after a kill, Ctrl-C or a hangup by --resume RECORD; the result has the same bits as that of\n"
        "an uninterrupted run. With a later end (--set simulate.end=T) a run that has ended goes on from its newest\n"
        "checkpoint.\n"
        "--branch N follows the outcomes of multiple impacts and of friction that leaves several motions open, at\n"
        "most N motions in all; the first has the record ball.h5, the others ball.branch-2.h5 and so on.\n"
        "--dump-problems DIR writes contact problems of rigid bodies for 'thud solve' and 'thud compare'.",
    .min_operands = 0,
    .max_operands = 1000000,
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
    .computes = true,
    .reads_stdin = true,
};
