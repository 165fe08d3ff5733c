/* Solvers of contact problems against each other: thud's methods and, where it is installed, Siconos' solvers.
 * See README.md beside this file. */
#include "contact.h"
#include "record/output.h"

#include <cblas.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const usage =
    "bench_contact [options] [FILE|FOLDER...]: contact solvers on problem files, or on generated problems\n"
    "  -a, --all               files, piles of boxes and all families, a table of each and one overview of all\n"
    "  -d, --data FOLDER       of problem files (default: $THUD_FC_DATA, else examples/problems)\n"
    "  -b, --boxes             the generated piles of boxes instead of files\n"
    "  -f, --families WHICH    generated families instead of files: chosen (constants are chosen on them), held-back "
    "or "
    "all\n"
    "  -t, --tolerances LIST   (default 1e-4,1e-8)\n"
    "  -s, --solvers LIST      only solvers whose name contains one of these\n"
    "  -l, --limit SECONDS     processor time of one run (default 10; generated problems: 2)\n"
    "  -p, --patience FACTOR   runs of Siconos end after this times its best time so far (default 10; at least 0.05 "
    "s)\n"
    "  -k, --runs N            least time of at most this many runs (default 20)\n"
    "  -q, --quick             limit 1, patience 4, 5 runs, the smaller ones of generated problems\n"
    "  -o, --output FOLDER     of the tables (default: .)\n"
    "  -i, --images FOLDER     of the profiles (default: the folder of the tables)\n"
    "  -n, --name NAME         first word of the names of the files (default: contact, piles, families)\n"
    "  -r, --reuse FOLDER      Siconos' rows from the tables of an earlier run: only thud is measured\n";

typedef struct bench_options {
  const char *data, *tolerances, *solvers, *output, *images, *name, *reuse, *families;
  bool all, boxes, quick;
  double patience, limit; /* limit 0: the usual one of the set */
  double repeat_seconds;
  int runs;
  int file_count;
  char *const *files; /* [file_count] */
  thud_context *context;
} bench_options;

static const double least_patience = 0.05; /* s */
static const double in_contest = 2;        /* times its best so far: runs of Siconos that are repeated in full */
enum { MOST_TABLES = 64 };

/* Tables that were made, for the overview. */
typedef struct bench_tables {
  size_t count;
  thud_compare *list[MOST_TABLES];
} bench_tables;

void bench_stop_on(thud_context *context, thud_error error) {
  if (error == THUD_OK) return;
  fprintf(stderr, "bench-contact: %s\n", thud_context_last_message(context));
  exit(3);
}

void *bench_alloc(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (memory == NULL) {
    fprintf(stderr, "bench-contact: out of memory\n");
    exit(3);
  }
  return memory;
}

/* ---- one problem ------------------------------------------------------------------------------------------------- */

/* True when one of the comma-separated words is part of the name. */
static bool is_wanted(const char *list, const char *name) {
  if (list == NULL) return true;
  for (const char *at = list; at != NULL;) {
    const char *comma = strchr(at, ',');
    size_t length = comma != NULL ? (size_t)(comma - at) : strlen(at);
    for (const char *tail = name; *tail != 0; tail++)
      if (length > 0 && strncmp(tail, at, length) == 0) return true;
    at = comma != NULL ? comma + 1 : NULL;
  }
  return false;
}

/* Siconos' solvers get a hundredth of the time limit each, those that did not end then a tenth, and so on as long as
 * the best so far leaves them a chance: most problems are decided long before the limit. */
static void run_siconos(const compare_solver *solvers, size_t count, const compare_job *job, double patience,
                        thud_compare_result *results) {
  double best = INFINITY, before = 0;
  for (double share = 0.01; share < 2; share *= 10) {
    double limit = 0;
    for (size_t k = 0; k < count; k++) {
      compare_job short_job = *job;
      limit = fmin(share * job->max_seconds, fmax(least_patience, patience * best));
      if (limit <= before || (before > 0 && results[k].status != THUD_COMPARE_TIME)) continue;
      short_job.max_seconds = limit;
      short_job.contest = in_contest * best;
      bench_measure(&solvers[k], &short_job, &results[k]);
      if (results[k].status == THUD_COMPARE_SOLVED) best = fmin(best, results[k].seconds);
    }
    before = limit;
  }
}

/* The solvers that are wanted: thud's, then Siconos' unless its rows are known. */
static size_t list_solvers(const bench_problem *problem, const bench_options *options, bool known, compare_solver *list,
                           size_t *own) {
  size_t count = 0, thud_count = 0;
  compare_solver *thud_list;
  bench_stop_on(options->context,
                thud_compare_methods(options->context, problem->problem, NULL, &thud_list, &thud_count));
  memcpy(list, thud_list, thud_count * sizeof *list);
  thud_free(options->context, thud_list);
  size_t all = known ? thud_count : bench_siconos_solvers(problem->problem, list, thud_count);
  for (size_t k = 0; k < all; k++) /* those that are wanted move to the front */
    if (is_wanted(options->solvers, list[k].name)) list[count++] = list[k];
  for (*own = 0; *own < count && !list[*own].other;) (*own)++;
  return count;
}

static void run_problem(const bench_problem *problem, const bench_options *options, const char *known_rows,
                        thud_compare *table) {
  static compare_solver solvers[BENCH_SOLVERS];
  static thud_compare_result results[BENCH_SOLVERS];
  const thud_compare_options *set = &table->options;
  const compare_job job = {.context = options->context,
                           .problem = problem->problem,
                           .tolerance = set->tolerance,
                           .max_seconds = set->max_seconds,
                           .repeat_seconds = set->repeat_seconds,
                           .runs = set->runs,
                           .contest = INFINITY};
  bool known = known_rows != NULL || problem->other_form_above;
  size_t own, index, count = list_solvers(problem, options, known, solvers, &own);
  bench_stop_on(options->context,
                thud_compare_add_problem(table, problem->name, problem->part, problem->problem, &index));
  for (size_t k = 0; k < own; k++) bench_measure(&solvers[k], &job, &results[k]);
  run_siconos(solvers + own, count - own, &job, options->patience, results + own);
  for (size_t k = 0; k < count; k++) {
    results[k].problem = index;
    bench_stop_on(options->context, thud_compare_add_result(table, &results[k]));
  }
  if (known_rows != NULL)
    bench_table_reuse(table, known_rows, solvers, bench_siconos_solvers(problem->problem, solvers, 0));
  else if (problem->other_form_above)
    bench_table_repeat(table);
}

/* ---- sets of problems -------------------------------------------------------------------------------------------- */

static void print_text(thud_text *text, const char *path, const bench_options *options) {
  bench_stop_on(options->context, text->error);
  fputs(thud_text_chars(text), stdout);
  printf("\n");
  fflush(stdout);
  if (path != NULL)
    bench_stop_on(options->context, thud_output_write(options->context, path, true, text->data, text->length));
  thud_text_free(text);
}

static void write_table(const thud_compare *table, const char *name, const bench_options *options) {
  char stem[256];
  snprintf(stem, sizeof stem, "%s-profile", name);
  char *paths[] = {thud_compare_path(table, options->output, name, ".csv"),
                   thud_compare_path(table, options->output, name, ".md"),
                   thud_compare_path(table, options->images, stem, ".png")};
  for (size_t k = 0; k < 3; k++) {
    thud_error error = paths[k] != NULL ? thud_compare_write(table, paths[k], true) : THUD_ERROR_MEMORY;
    if (error != THUD_ERROR_NOT_FOUND) bench_stop_on(options->context, error); /* nothing to draw */
    thud_free(options->context, paths[k]);
  }
  thud_text text = thud_text_new(options->context);
  thud_compare_print_markdown(table, &text);
  print_text(&text, NULL, options);
}

static void run_tolerance(const bench_problems *problems, const char *name, double seconds, double tolerance,
                          const bench_options *options, bench_tables *tables) {
  thud_compare_options set = thud_compare_options_default();
  thud_compare *table;
  char title[256], text[COMPARE_NUMBER];
  snprintf(title, sizeof title, "%s%s", name, options->reuse != NULL ? ", times of Siconos from an earlier run" : "");
  set.title = title;
  set.tolerance = tolerance;
  set.max_seconds = seconds;
  set.repeat_seconds = options->repeat_seconds;
  set.runs = options->runs;
  set.others = bench_siconos_is_there() ? "Siconos" : NULL;
  bench_stop_on(options->context, thud_compare_create(options->context, &set, &table));
  char *known = options->reuse != NULL ? thud_compare_path(table, options->reuse, name, ".csv") : NULL;
  for (size_t k = 0; k < problems->count; k++) {
    fprintf(stderr, "%s: %zu of %zu, %s\n", thud_compare_tolerance_text(tolerance, text), k + 1, problems->count,
            problems->list[k].name);
    run_problem(&problems->list[k], options, known, table);
  }
  thud_free(options->context, known);
  write_table(table, name, options);
  if (tables->count < MOST_TABLES)
    tables->list[tables->count++] = table;
  else
    thud_compare_destroy(table);
}

typedef enum bench_set { SET_FILES, SET_PILES, SET_FAMILIES } bench_set;

static void collect(bench_set set, const bench_options *options, bench_problems *problems) {
  thud_context *context = options->context;
  const char *half = options->families != NULL ? options->families : "all";
  if (set == SET_PILES) {
    bench_problems_of_boxes(context, options->quick, problems);
  } else if (set == SET_FAMILIES) {
    if (strcmp(half, "held-back") != 0) bench_problems_of_families(context, false, options->quick, problems);
    if (strcmp(half, "chosen") != 0) bench_problems_of_families(context, true, options->quick, problems);
  } else {
    for (int k = 0; k < options->file_count; k++) bench_problems_of_path(context, options->files[k], problems);
    if (options->file_count == 0) bench_problems_of_path(context, options->data, problems);
  }
}

static void run_set(bench_set set, const bench_options *options, bench_tables *tables) {
  static const struct {
    const char *name;
    double seconds; /* the usual limit: many of Siconos' solvers reach it on piles */
  } sets[] = {{"contact", 10}, {"piles", 2}, {"families", 2}};
  bench_problems problems = {0};
  const char *name = options->name != NULL && !options->all ? options->name : sets[set].name;
  collect(set, options, &problems);
  if (problems.count == 0) {
    fprintf(stderr, "bench-contact: there is no problem to measure\n");
    exit(2);
  }
  for (const char *at = options->tolerances; at != NULL; at = strchr(at, ','), at = at != NULL ? at + 1 : NULL)
    run_tolerance(&problems, name, options->limit > 0 ? options->limit : sets[set].seconds, strtod(at, NULL), options,
                  tables);
  bench_problems_destroy(&problems);
}

static void run_all(const bench_options *options) {
  bench_tables tables = {0};
  thud_text text = thud_text_new(options->context);
  char *path = NULL;
  if (options->all || (!options->boxes && options->families == NULL)) run_set(SET_FILES, options, &tables);
  if (options->all || options->boxes) run_set(SET_PILES, options, &tables);
  if (options->all || options->families != NULL) run_set(SET_FAMILIES, options, &tables);
  thud_compare_print_overview(tables.count, tables.list, &text);
  if (options->all) {
    path = bench_alloc(strlen(options->output) + 32, 1);
    sprintf(path, "%s/contact-overview.md", options->output);
  }
  print_text(&text, path, options);
  free(path);
  for (size_t k = 0; k < tables.count; k++) thud_compare_destroy(tables.list[k]);
}

/* ---- the command line -------------------------------------------------------------------------------------------- */

static bool is_half(const char *word) {
  return word == NULL || strcmp(word, "chosen") == 0 || strcmp(word, "held-back") == 0 || strcmp(word, "all") == 0;
}

static bool read_options(int argc, char **argv, bench_options *options) {
  static const struct option names[] = {
      {"all", 0, NULL, 'a'},      {"data", 1, NULL, 'd'},       {"boxes", 0, NULL, 'b'},
      {"families", 1, NULL, 'f'}, {"tolerances", 1, NULL, 't'}, {"solvers", 1, NULL, 's'},
      {"limit", 1, NULL, 'l'},    {"patience", 1, NULL, 'p'},   {"runs", 1, NULL, 'k'},
      {"quick", 0, NULL, 'q'},    {"output", 1, NULL, 'o'},     {"images", 1, NULL, 'i'},
      {"name", 1, NULL, 'n'},     {"reuse", 1, NULL, 'r'},      {0}};
  const char *data = getenv("THUD_FC_DATA");
  *options = (bench_options){.data = data != NULL && data[0] != '\0' ? data : "examples/problems",
                             .tolerances = "1e-4,1e-8",
                             .output = ".",
                             .patience = 10,
                             .repeat_seconds = 0.5,
                             .runs = 20};
  for (int option; (option = getopt_long(argc, argv, "ad:bf:t:s:l:p:k:qo:i:n:r:", names, NULL)) != -1;)
    switch (option) {
    case 'a': options->all = true; break;
    case 'd': options->data = optarg; break;
    case 'b': options->boxes = true; break;
    case 'f': options->families = optarg; break;
    case 't': options->tolerances = optarg; break;
    case 's': options->solvers = optarg; break;
    case 'l': options->limit = atof(optarg); break;
    case 'p': options->patience = atof(optarg); break;
    case 'k': options->runs = atoi(optarg); break;
    case 'q':
      options->quick = true;
      options->patience = 4;
      options->limit = 1;
      options->repeat_seconds = 0.1;
      options->runs = 5;
      break;
    case 'o': options->output = optarg; break;
    case 'i': options->images = optarg; break;
    case 'n': options->name = optarg; break;
    case 'r': options->reuse = optarg; break;
    default: return false;
    }
  if (options->images == NULL) options->images = options->output;
  options->file_count = argc - optind;
  options->files = argv + optind;
  return is_half(options->families);
}

int main(int argc, char **argv) {
  bench_options options;
  if (!read_options(argc, argv, &options)) {
    fputs(usage, stderr);
    return 2;
  }
  openblas_set_num_threads(1);
  thud_context_options context_options = thud_context_options_default();
  context_options.threads = 1;
  if (thud_context_create(&context_options, &options.context) != THUD_OK) return 3;
  printf("%s, kernels for %s, one thread; Siconos: %s\n\n", openblas_get_config(), openblas_get_corename(),
         bench_siconos_is_there() ? "yes" : "not installed while configuring");
  run_all(&options);
  thud_context_destroy(options.context);
  return 0;
}
