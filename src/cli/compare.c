/* thud compare: the methods of the registry against each other on anyone's contact problems. */
#include "cli/problems.h"
#include "cli/terminal.h"
#include "base/base.h"
#include "base/json.h"
#include "study/study_compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const cli_flag flags[] = {
    {.name = "tol", .value = "LIST", .help = "largest residuals that count as solved, a table for each (1e-4,1e-8)"},
    {.name = "max-time", .value = "S", .help = "processor seconds of one run (10)"},
    {.name = "runs", .value = "N", .help = "the least time of at most so many runs (20)"},
    {.name = "methods",
     .value = "LIST",
     .help = "only these, see 'thud solve --list-methods' (default: all, and auto)",
     .words = "@methods"},
    {.name = "kind",
     .value = "KIND",
     .help = "what the files hold: local, global, rolling, global-rolling, two-block",
     .words = "local global rolling global-rolling two-block"},
    {.name = "from",
     .value = "FORMAT",
     .help = "fclib, siconos or native (default: by the content)",
     .words = "fclib siconos native"},
    {.name = "output",
     .letter = 'o',
     .value = "FOLDER",
     .help = "write tables (CSV, Markdown) and performance profiles there; a missing folder is made"},
    {.name = "image", .value = "FORMAT", .help = "of the profiles: png, svg or pdf (png)", .words = "png svg pdf"},
    {.name = "force", .letter = 'f', .help = "replace files that are no tables or pictures of thud"},
};

/* The request of the command line and its results. */
typedef struct comparison {
  const cli_call *call;
  thud_problem_read_options read;
  size_t table_count;
  thud_compare **tables; /* [table_count] one per tolerance */
  compare_files files;
  thud_text failures; /* file, 0, reason, 0, ... */
  size_t failure_count;
  cli_line line;
  bool interrupted;
} comparison;

/* ---- the command line -------------------------------------------------------------------------------------- */

static int on_stop(void *user) {
  (void)user;
  return cli_interrupted();
}

/* Every word of --methods is one of the registry; false after a complaint. */
static bool check_methods(const cli_call *call, const char *list) {
  for (const char *at = list; at != NULL;) {
    size_t length = strcspn(at, ",");
    char word[THUD_COMPARE_NAME];
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), at);
    if (thud_solver_method_find(word) == NULL) {
      cli_complain("%s: there is no method '%s'; see 'thud solve --list-methods'", call->command->name, word);
      return false;
    }
    at = at[length] == ',' ? at + length + 1 : NULL;
  }
  return true;
}

static bool set_option(const cli_call *call, const char *flag, const char *key, thud_compare_options *options) {
  const char *value = cli_value(call, flag, 0);
  if (value == NULL || cli_set_option(call, thud_compare_option_table(), options, key, value) == THUD_OK) return true;
  cli_complain("compare: --%s: %s", flag, thud_context_last_message(call->context));
  return false;
}

/* One table per tolerance; false after a complaint. */
static bool make_tables(comparison *work, const thud_compare_options *options) {
  static const double usual[] = {1e-4, 1e-8};
  const cli_call *call = work->call;
  double *given = NULL;
  size_t count = 0;
  bool good = cli_numbers(call, "tol", &given, &count);
  const double *tolerances = count > 0 ? given : usual;
  if (count == 0) count = sizeof usual / sizeof *usual;
  if (good) work->tables = THUD_NEW_ARRAY(call->context, thud_compare *, count);
  good = good && work->tables != NULL;
  for (size_t k = 0; good && k < count; k++) {
    thud_compare_options own = *options;
    own.tolerance = tolerances[k];
    good = thud_compare_create(call->context, &own, &work->tables[k]) == THUD_OK;
    if (good) work->table_count++;
    if (!good) cli_complain("compare: --tol: %s", thud_context_last_message(call->context));
  }
  thud_free(call->context, given);
  return good;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

static bool read_request(const cli_call *call, comparison *work) {
  thud_compare_options options = thud_compare_options_default();
  options.stop.ask = on_stop;
  options.title = call->operand_count == 1 ? base_name(call->operands[0]) : NULL;
  options.methods = cli_value(call, "methods", 0);
  work->line = cli_line_begin(call);
  return cli_problem_read_options(call, &work->read) && check_methods(call, options.methods) &&
         set_option(call, "max-time", "max_seconds", &options) && set_option(call, "runs", "runs", &options) &&
         make_tables(work, &options);
}

/* ---- measuring ----------------------------------------------------------------------------------------------- */

static void note_failure(comparison *work, const char *path) {
  const char *reason = thud_context_last_message(work->call->context);
  bool names_file = strncmp(reason, path, strlen(path)) == 0;
  cli_complain_as(thud_context_last_code(work->call->context), "%s%s%s", names_file ? "" : path, names_file ? "" : ": ",
                  reason);
  thud_text_append(&work->failures, path, strlen(path) + 1);
  thud_text_append(&work->failures, reason, strlen(reason) + 1);
  work->failure_count++;
}

static void show_progress(comparison *work, size_t k, size_t table) {
  char tolerance[COMPARE_NUMBER];
  thud_compare_tolerance_text(work->tables[table]->options.tolerance, tolerance);
  cli_line_show(&work->line, "%zu of %zu at %s: %s", k + 1, work->files.count, tolerance,
                base_name(work->files.paths[k]));
}

static void measure_file(comparison *work, size_t k) {
  const cli_call *call = work->call;
  const char *path = work->files.paths[k];
  thud_problem_file *file = NULL;
  thud_error error = thud_problem_read(call->context, path, &work->read, &file);
  for (size_t t = 0; error == THUD_OK && t < work->table_count; t++) {
    show_progress(work, k, t);
    error = thud_compare_measure(work->tables[t], call->operand_count == 1 ? base_name(path) : path, NULL,
                                 thud_problem_file_contents(file).problem);
  }
  thud_problem_file_destroy(file);
  cli_line_clear(&work->line);
  if (error == THUD_ERROR_INTERRUPTED)
    work->interrupted = true;
  else if (error != THUD_OK)
    note_failure(work, path);
}

static void measure_all(comparison *work) {
  for (int k = 0; k < work->call->operand_count; k++)
    if (thud_compare_find_files(work->call->operands[k], &work->files) != THUD_OK)
      note_failure(work, work->call->operands[k]);
  for (size_t k = 0; k < work->files.count && !work->interrupted; k++) {
    if (!cli_interrupted()) measure_file(work, k);
    work->interrupted = work->interrupted || cli_interrupted();
  }
}

/* ---- what is written ------------------------------------------------------------------------------------------- */

static const char *image_suffix(const cli_call *call) {
  static const char *const words[] = {"png", "svg", "pdf", NULL}, *const suffixes[] = {".png", ".svg", ".pdf"};
  int choice = cli_choice(call, "image", words, 0);
  return choice >= 0 ? suffixes[choice] : NULL;
}

/* The k-th file about a table; NULL: no memory. */
enum { FILES = 3 };
static char *path_of(const cli_call *call, const thud_compare *table, const char *folder, int k) {
  const char *suffix = k == 0 ? ".csv" : k == 1 ? ".md" : image_suffix(call);
  return thud_compare_path(table, folder, k == 2 ? "compare-profile" : "compare", suffix);
}

/* Before the work is done: the folder is there and the files are not, or --force. */
static bool outputs_are_free(const comparison *work) {
  const cli_call *call = work->call;
  const char *folder = cli_value(call, "output", 0);
  if (image_suffix(call) == NULL) return false;
  if (folder == NULL) return true;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    cli_complain("[file] compare: --output: the folder '%s' cannot be made (%s)", folder, strerror(errno));
    return false;
  }
  struct stat status;
  if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode) || access(folder, W_OK | X_OK) != 0) {
    cli_complain("[file] compare: --output: '%s' is not a folder that can be written to", folder);
    return false;
  }
  bool good = true;
  for (size_t k = 0; good && k < FILES * work->table_count; k++) {
    char *path = path_of(call, work->tables[k / FILES], folder, (int)(k % FILES));
    bool exists = path != NULL && access(path, F_OK) == 0;
    if (exists && !cli_may_replace(call, path)) {
      cli_complain("[exists] compare: '%s' exists and is not a table or picture of thud; --force replaces it", path);
      good = false;
    }
    thud_free(call->context, path);
  }
  return good;
}

static thud_error write_files(const comparison *work) {
  const cli_call *call = work->call;
  const char *folder = cli_value(call, "output", 0);
  thud_error error = THUD_OK;
  for (size_t k = 0; folder != NULL && error == THUD_OK && k < FILES * work->table_count; k++) {
    const thud_compare *table = work->tables[k / FILES];
    char *path = path_of(call, table, folder, (int)(k % FILES));
    error = path != NULL ? thud_compare_write(table, path, cli_may_replace(call, path)) : THUD_ERROR_MEMORY;
    if (error == THUD_ERROR_NOT_FOUND) { /* no problem that counts: no picture, which is said and no failure */
      cli_complain_as(thud_context_last_code(call->context), "%s", thud_context_last_message(call->context));
      error = THUD_OK;
    }
    thud_free(call->context, path);
  }
  return error;
}

static void print_json(const comparison *work, thud_text *text) {
  thud_json json = thud_json_new(text);
  const char *at = thud_text_chars(&work->failures);
  thud_json_begin_object(&json);
  thud_json_string_field(&json, "verdict",
                         work->interrupted         ? "interrupted"
                         : work->failure_count > 0 ? "failed"
                                                   : "good");
  thud_json_key(&json, "unreadable");
  thud_json_begin_array(&json);
  for (size_t k = 0; k < work->failure_count; k++) {
    thud_json_begin_object(&json);
    thud_json_string_field(&json, "file", at);
    at += strlen(at) + 1;
    thud_json_string_field(&json, "reason", at);
    at += strlen(at) + 1;
    thud_json_end_object(&json);
  }
  thud_json_end_array(&json);
  thud_json_key(&json, "tables");
  thud_json_begin_array(&json);
  for (size_t k = 0; k < work->table_count; k++) thud_compare_print_json(work->tables[k], &json);
  thud_json_end_array(&json);
  thud_json_end_object(&json);
  thud_text_print(text, "\n");
}

static void print_tables(const comparison *work, thud_text *text) {
  for (size_t k = 0; k < work->table_count; k++) {
    thud_compare_print_markdown(work->tables[k], text);
    thud_text_print(text, "\n");
  }
  if (work->table_count > 1) {
    thud_compare_print_overview(work->table_count, work->tables, text);
    thud_text_print(text, "\n");
  }
  if (work->failure_count > 0) thud_text_print(text, "%zu could not be read: see the messages.\n", work->failure_count);
  if (work->interrupted) thud_text_print(text, "Interrupted: the tables hold what was measured until then.\n");
}

static int report(const comparison *work) {
  thud_text text = thud_text_new(work->call->context);
  if (work->call->json)
    print_json(work, &text);
  else
    print_tables(work, &text);
  thud_error error = text.error == THUD_OK ? work->failures.error : text.error;
  int code = error == THUD_OK ? cli_write_out(thud_text_chars(&text)) : CLI_INTERNAL;
  if (error == THUD_OK) error = write_files(work);
  thud_text_free(&text);
  if (error != THUD_OK) {
    cli_complain_as(thud_context_last_code(work->call->context), "%s", thud_context_last_message(work->call->context));
    code = cli_exit_code(error);
  }
  if (work->failure_count > 0 && code == CLI_GOOD) code = CLI_BAD_INPUT;
  return work->interrupted ? CLI_INTERRUPTED : code;
}

static int run(const cli_call *call) {
  comparison work = {.call = call, .files.context = call->context, .failures = thud_text_new(call->context)};
  int code = CLI_BAD_INPUT;
  if (read_request(call, &work) && outputs_are_free(&work)) {
    cli_catch_signals();
    measure_all(&work);
    code = report(&work);
  }
  for (size_t k = 0; k < work.table_count; k++) thud_compare_destroy(work.tables[k]);
  thud_free(call->context, work.tables);
  thud_compare_files_free(&work.files);
  thud_text_free(&work.failures);
  return code;
}

const cli_command cli_compare = {
    .name = "compare",
    .operands = "FILE|FOLDER...",
    .summary = "measure the solvers on a set of contact problems",
    .details =
        "Reads contact problems (FCLIB, Siconos' text, native YAML), or all of a folder (files that end in .dat, .h5,\n"
        ".hdf5, .yaml, .yml), runs every method that takes them, and auto, and prints a table for each tolerance: the "
        "best\n"
        "single method and auto with their times and residuals, and the regret, time(auto) / time(best single "
        "method);\n"
        "below it means, a histogram and how many problems each method solves. --output adds the performance profile\n"
        "(Dolan and More). Times are processor time of update + solve from r = 0, the least of several runs; "
        "residuals\n"
        "come from the independent evaluation; times below 10 us count as 10 us in ratios. A file that cannot be read "
        "is\n"
        "named and left out. Ctrl-C ends with what was measured so far.\n\n"
        "Exit codes: 0 measured, 2 a file cannot be read (the others are measured), 130 interrupted.",
    .min_operands = 1,
    .max_operands = 1000000,
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
    .computes = true,
};
