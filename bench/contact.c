/* Solvers of contact problems against each other: thud's methods and, where it is installed, Siconos' solvers.
 * See README.md beside this file. */
#include "contact.h"

#include <cblas.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const usage =
    "bench_contact [options] [FILE...]: contact solvers on the files, or on a folder of them\n"
    "  -d, --data FOLDER       of problem files (default: $THUD_FC_DATA, else examples/problems)\n"
    "  -b, --boxes             the generated piles of boxes instead of files\n"
    "  -f, --families WHICH    generated families instead of files: chosen (constants are chosen on them) or "
    "held-back\n"
    "  -t, --tolerances LIST   (default 1e-4,1e-8)\n"
    "  -s, --solvers LIST      only solvers whose name contains one of these\n"
    "  -l, --limit SECONDS     processor time of one run (default 10)\n"
    "  -p, --patience FACTOR   runs of Siconos end after this times its best time so far (default 10; at least 0.05 "
    "s)\n"
    "  -k, --runs N            least time of at most this many runs (default 20)\n"
    "  -q, --quick             limit 1, patience 4, 5 runs\n"
    "  -o, --output FOLDER     of the tables (default: .)\n"
    "  -i, --images FOLDER     of the profiles (default: the folder of the tables)\n"
    "  -n, --name NAME         first word of the names of the files (default: contact, piles)\n"
    "  -r, --reuse FOLDER      Siconos' rows from the tables of an earlier run: only thud is measured\n";

typedef struct bench_options {
  const char *data, *tolerances, *solvers, *output, *images, *name, *reuse, *families;
  bool boxes, quick;
  double patience;
  bench_limits limits;
  thud_context *context;
} bench_options;

static const double least_patience = 0.05; /* s */
static const double in_contest = 2;        /* times its best so far: runs of Siconos that are repeated in full */

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

/* One solver, for at most `seconds` of processor time a run. */
static void run_solver(const bench_solver *solver, const bench_problem *problem, const char *tolerance, double seconds,
                       double contest, const bench_options *options, bench_result *result) {
  bench_job job = {.context = options->context, .problem = problem->problem, .limits = options->limits};
  job.tolerance = strtod(tolerance, NULL);
  job.limits.seconds = seconds;
  job.limits.contest = contest;
  bench_measure(solver, &job, result);
}

/* Siconos' solvers get a hundredth of the time limit each, those that did not end then a tenth, and so on as long as
 * the best so far leaves them a chance: most problems are decided long before the limit. */
static void run_siconos(const bench_solver *solvers, size_t count, const bench_problem *problem, const char *tolerance,
                        const bench_options *options, bench_result *results) {
  double best = INFINITY, before = 0;
  for (double share = 0.01; share < 2; share *= 10) {
    double limit = 0;
    for (size_t k = 0; k < count; k++) {
      limit = fmin(share * options->limits.seconds, fmax(least_patience, options->patience * best));
      if (limit <= before || results[k].status != BENCH_TIME) continue;
      run_solver(&solvers[k], problem, tolerance, limit, in_contest * best, options, &results[k]);
      if (results[k].status == BENCH_SOLVED) best = fmin(best, results[k].run.seconds);
    }
    before = limit;
  }
}

static void run_problem(const bench_problem *problem, const bench_options *options, bench_table *table) {
  static bench_solver solvers[BENCH_SOLVERS];
  static bench_result results[BENCH_SOLVERS];
  size_t count = 0, own = bench_thud_solvers(problem->problem, solvers, 0);
  size_t all = bench_siconos_solvers(problem->problem, solvers, own);
  bool known = table->reused || problem->other_form_above; /* Siconos' rows */
  for (size_t k = 0; k < all; k++)                         /* those that are wanted move to the front */
    if (is_wanted(options->solvers, solvers[k].name) && (k < own || !known)) solvers[count++] = solvers[k];
  for (own = 0; own < count && !solvers[own].siconos; own++)
    run_solver(&solvers[own], problem, table->tolerance, options->limits.seconds, INFINITY, options, &results[own]);
  for (size_t k = own; k < count; k++) /* not yet run */
    results[k] = (bench_result){.status = BENCH_TIME, .residual = NAN, .run = {.seconds = NAN, .first_seconds = NAN}};
  run_siconos(solvers + own, count - own, problem, table->tolerance, options, results + own);
  for (size_t k = 0; k < count; k++) bench_table_add(table, problem, &solvers[k], &results[k]);
  if (table->reused)
    bench_table_reuse(table, options->reuse, problem, solvers, bench_siconos_solvers(problem->problem, solvers, 0));
  else if (problem->other_form_above)
    bench_table_repeat(table, problem);
}

static void run_tolerance(const bench_problems *problems, const char *tolerance, const bench_options *options) {
  bench_table table = {.set = options->name, .tolerance = tolerance, .reused = options->reuse != NULL};
  for (size_t k = 0; k < problems->count; k++) {
    fprintf(stderr, "%s: %zu of %zu, %s\n", tolerance, k + 1, problems->count, problems->list[k].name);
    run_problem(&problems->list[k], options, &table);
  }
  bench_table_write_csv(&table, options->output);
  bench_table_write_summary(&table, options->output);
  bench_table_draw_profile(options->context, &table, options->images);
  free(table.rows);
}

static void run_all(int file_count, char *const *files, const bench_options *options) {
  thud_context *context = options->context;
  bench_problems problems = {0};
  for (int k = 0; k < file_count; k++) bench_problems_of_file(context, files[k], &problems);
  if (options->boxes)
    bench_problems_of_boxes(context, options->quick, &problems);
  else if (options->families != NULL)
    bench_problems_of_families(context, strcmp(options->families, "held-back") == 0, options->quick, &problems);
  else if (file_count == 0)
    bench_problems_of_folder(context, options->data, &problems);
  char *tolerances = bench_alloc(strlen(options->tolerances) + 1, 1);
  strcpy(tolerances, options->tolerances);
  for (char *tolerance = strtok(tolerances, ","); tolerance != NULL; tolerance = strtok(NULL, ","))
    run_tolerance(&problems, tolerance, options);
  free(tolerances);
  bench_problems_destroy(&problems);
}

static bool read_options(int argc, char **argv, bench_options *options) {
  static const struct option names[] = {{"data", 1, NULL, 'd'},     {"boxes", 0, NULL, 'b'},
                                        {"families", 1, NULL, 'f'}, {"tolerances", 1, NULL, 't'},
                                        {"solvers", 1, NULL, 's'},  {"limit", 1, NULL, 'l'},
                                        {"patience", 1, NULL, 'p'}, {"runs", 1, NULL, 'k'},
                                        {"quick", 0, NULL, 'q'},    {"output", 1, NULL, 'o'},
                                        {"images", 1, NULL, 'i'},   {"name", 1, NULL, 'n'},
                                        {"reuse", 1, NULL, 'r'},    {0}};
  const char *data = getenv("THUD_FC_DATA");
  *options = (bench_options){.data = data != NULL ? data : "examples/problems",
                             .tolerances = "1e-4,1e-8",
                             .output = ".",
                             .patience = 10,
                             .limits = {.seconds = 10, .budget = 0.5, .runs = 20, .contest = INFINITY}};
  for (int option; (option = getopt_long(argc, argv, "d:bf:t:s:l:p:k:qo:i:n:r:", names, NULL)) != -1;) switch (option) {
    case 'd': options->data = optarg; break;
    case 'b': options->boxes = true; break;
    case 'f': options->families = optarg; break;
    case 't': options->tolerances = optarg; break;
    case 's': options->solvers = optarg; break;
    case 'l': options->limits.seconds = atof(optarg); break;
    case 'p': options->patience = atof(optarg); break;
    case 'k': options->limits.runs = atoi(optarg); break;
    case 'q':
      options->quick = true;
      options->patience = 4;
      options->limits = (bench_limits){.seconds = 1, .budget = 0.1, .runs = 5, .contest = INFINITY};
      break;
    case 'o': options->output = optarg; break;
    case 'i': options->images = optarg; break;
    case 'n': options->name = optarg; break;
    case 'r': options->reuse = optarg; break;
    default: return false;
    }
  if (options->images == NULL) options->images = options->output;
  if (options->name == NULL)
    options->name = options->boxes ? "piles" : options->families != NULL ? options->families : "contact";
  return options->families == NULL || strcmp(options->families, "chosen") == 0 ||
         strcmp(options->families, "held-back") == 0;
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
  run_all(argc - optind, argv + optind, &options);
  thud_context_destroy(options.context);
  return 0;
}
