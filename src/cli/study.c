/* thud study: refinement of the step, comparison with the event-driven motion, rates of loading, sweeps of a parameter. */
#include "cli/scenes.h"
#include "cli/study.h"
#include "base/base.h"
#include "expr/number_list.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const cli_flag flags[] = {
    {.name = "levels", .value = "A:B", .help = "refinement: runs with 2^A .. 2^B steps (default 6:12)"},
    {.name = "mesh",
     .value = "A:B",
     .help = "refinement of the mesh: every cell in 2^A .. 2^B parts; with --levels both, one after the other"},
    {.name = "against",
     .value = THUD_STUDY_AGAINST,
     .help = "refinement: compare with the event-driven motion of the scene, as a whole and impact by impact",
     .words = THUD_STUDY_AGAINST},
    {.name = "method",
     .value = "NAMES",
     .help = "against: methods of time stepping, separated by commas (default: the scene's, or moreau-jean)"},
    {.name = "impacts", .value = "FILE", .help = "against: the events and their partners as CSV"},
    {.name = "rates",
     .value = "A:B",
     .help = "quasi-static scenes: compare with the dynamics at 2^-A .. 2^-B times the rate of loading"},
    {.name = "sweep",
     .value = "NAME=A:B:N",
     .help = "instead of refining, give the parameter NAME the N values from A to B, one run each"},
    {.name = "section",
     .value = "WHAT",
     .help = "sweep: where points are taken: impacts, impacts:CONSTRAINT, zeros:EXPRESSION, period:EXPRESSION, end"},
    {.name = "quantity",
     .value = "EXPRESSION",
     .help = "sweep: what a point shows, in t, coordinates and velocities; at the end of other motions than systems, "
             "and of "
             "refinements (several, between commas): numbers of the summary, like reaction, u(0.5), stick_left"},
    {.name = "after", .value = "T", .help = "sweep: points before this time are left out"},
    {.name = "threads", .value = "N", .help = "sweep: runs at the same time (default: one per processor)"},
    {.name = "set",
     .value = "KEY=VALUE",
     .help = "change the scene first: mu=0.3 (a parameter) or simulate.method=moreau (a path)"},
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "table as CSV ('-': on standard output, instead of the report)"},
    {.name = "plot", .value = "FILE", .help = "picture, .png, .svg or .pdf"},
    {.name = "force", .letter = 'f', .help = "replace files that are no tables or pictures of thud"},
};

/* Progress as shown, once per percent. */
typedef struct study_progress {
  bool shown; /* first: studies are handed its address */
  int percent;
} study_progress;

static int on_progress(void *user, double t, double start, double end) {
  study_progress *bar = user;
  if (cli_interrupted()) return 1;
  int percent = (int)(100 * (t - start) / (end - start));
  if (bar->shown && percent != bar->percent) fprintf(stderr, "\r%3d %%", percent);
  bar->percent = percent;
  return 0;
}

/* "a:b:..." as numbers, exactly `count` of them. */
static bool read_numbers(const cli_call *call, const char *text, size_t count, double *numbers) {
  char part[256];
  for (size_t k = 0; k < count; k++) {
    size_t length = strcspn(text, ":");
    bool last = k + 1 == count;
    if (length >= sizeof part || (text[length] == '\0') != last) return false;
    memcpy(part, text, length);
    part[length] = '\0';
    if (thud_expr_read_number(call->context, part, &numbers[k]) != THUD_OK) return false;
    text += length + (last ? 0 : 1);
  }
  return true;
}

/* "6:12" of --levels or --rates; nothing when the flag is not given. */
static bool read_levels(const cli_call *call, const char *flag, int *first, int *last) {
  const char *text = cli_value(call, flag, 0);
  if (text == NULL) return true;
  double levels[2];
  if (read_numbers(call, text, 2, levels) && fabs(levels[0]) <= 100 && fabs(levels[1]) <= 100 &&
      levels[0] == floor(levels[0]) && levels[1] == floor(levels[1])) {
    *first = (int)levels[0];
    *last = (int)levels[1];
    return true;
  }
  cli_complain("study: --%s needs two whole numbers, like 6:12, not '%s'", flag, text);
  return false;
}

/* Prints a study that was made, and frees it; exit code. */
static int finish(const cli_call *call, thud_error error, const thud_tree *tree, thud_study *study, const bool *shown) {
  if (*shown) fprintf(stderr, "\r      \r");
  if (error != THUD_OK) return cli_report_error(call, error);
  int code = study->kind == THUD_STUDY_OF_RATES ? study_print_rates(call, tree, study)
                                                : study_print_refinement(call, tree, study);
  if (code == CLI_GOOD && study->flags != 0) code = cli_interrupted() ? CLI_INTERRUPTED : CLI_BAD_VERDICT;
  thud_study_free(study);
  return code;
}

static int slow_down(const cli_call *call, thud_tree *tree, bool *shown) {
  thud_rates_options options = thud_rates_options_default();
  thud_study study = {0};
  options.progress = on_progress;
  options.progress_user = shown;
  if (!read_levels(call, "rates", &options.first_level, &options.last_level)) return CLI_BAD_INPUT;
  return finish(call, thud_study_rates(call->context, tree, &options, &study), tree, &study, shown);
}

static bool is_quasistatic(const thud_tree *tree) { return thud_study_kind_of(tree) == THUD_STUDY_OF_QUASISTATIC; }
static bool is_of_quantities(const thud_tree *tree) { return thud_study_kind_of(tree) == THUD_STUDY_OF_QUANTITIES; }

/* Numbers and fields of any motion: of those that are not compared as a whole, or when they are asked for. */
static bool compares_numbers(const cli_call *call, const thud_tree *tree) {
  bool named = cli_given(call, "mesh") || cli_given(call, "quantity");
  return !cli_given(call, "against") && (named || is_of_quantities(tree));
}

static int refine_numbers(const cli_call *call, const thud_tree *tree, bool *shown) {
  const thud_orders_options usual = thud_orders_options_default();
  study_orders_levels levels = {
      .given = {cli_given(call, "levels") || !cli_given(call, "mesh"), cli_given(call, "mesh")},
      .first = {usual.first_level, 0},
      .last = {usual.last_level, 2}};
  if (!read_levels(call, "levels", &levels.first[0], &levels.last[0]) ||
      !read_levels(call, "mesh", &levels.first[1], &levels.last[1]))
    return CLI_BAD_INPUT;
  return study_run_orders(call, tree, &levels, on_progress, shown);
}

static int refine(const cli_call *call, thud_tree *tree, bool *shown) {
  if (compares_numbers(call, tree)) return refine_numbers(call, tree, shown);
  thud_study_options options = thud_study_options_default();
  options.progress = on_progress;
  options.progress_user = shown;
  if (!read_levels(call, "levels", &options.first_level, &options.last_level)) return CLI_BAD_INPUT;
  if (cli_given(call, "against")) return study_run_against(call, tree, &options, shown);
  thud_study study = {0};
  return finish(call, thud_study_refine(call->context, tree, &options, &study), tree, &study, shown);
}

/* NAME=A:B:N */
static bool read_sweep(const cli_call *call, const char *text, char *name, size_t capacity,
                       thud_sweep_study_options *options) {
  const char *equals = strchr(text, '=');
  double numbers[3];
  bool given = equals != NULL && equals != text && (size_t)(equals - text) < capacity &&
               read_numbers(call, equals + 1, 3, numbers) && numbers[2] >= 1 && numbers[2] <= 1e6 &&
               numbers[2] == floor(numbers[2]);
  if (!given) {
    cli_complain("study: --sweep needs NAME=A:B:N, like w=40:60:200, not '%s'", text);
    return false;
  }
  memcpy(name, text, (size_t)(equals - text));
  name[equals - text] = '\0';
  options->parameter = name;
  options->from = numbers[0];
  options->to = numbers[1];
  options->count = (size_t)numbers[2];
  return true;
}

static bool read_section(const char *text, thud_sweep_study_options *options) {
  static const struct {
    const char *word;
    thud_section_kind kind;
    bool needs;
  } kinds[] = {{"impacts", THUD_SECTION_IMPACTS, false},
               {"zeros", THUD_SECTION_ZEROS, true},
               {"period", THUD_SECTION_PERIOD, true},
               {"end", THUD_SECTION_END, false}};
  if (text == NULL) text = "impacts";
  size_t length = strcspn(text, ":");
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    if (strlen(kinds[k].word) != length || strncmp(kinds[k].word, text, length) != 0) continue;
    bool has = text[length] == ':' && text[length + 1] != '\0';
    if (kinds[k].needs && !has) break;
    options->section = kinds[k].kind;
    options->where = has ? text + length + 1 : NULL;
    return true;
  }
  cli_complain(
      "study: --section needs impacts, impacts:CONSTRAINT, zeros:EXPRESSION, period:EXPRESSION or end, not '%s'", text);
  return false;
}

/* The runs are spread over the processors by a context of their own. */
static int run_sweep(const cli_call *call, const thud_tree *tree, const thud_sweep_study_options *options,
                     bool quasistatic, const bool *shown) {
  thud_context_options threads = thud_context_options_default();
  double processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
  if (!cli_number(call, "threads", &processors)) return CLI_BAD_INPUT;
  if (cli_given(call, "threads") && !(processors >= 1 && processors <= 64 && processors == floor(processors))) {
    cli_complain("study: --threads is a whole number from 1 to 64");
    return CLI_BAD_INPUT;
  }
  threads.threads = processors < 1 ? 1 : processors > 64 ? 64 : (int)processors;
  while (threads.threads > 1 && !cli_blas_has_memory(call, threads.threads)) threads.threads--;
  thud_context *context = NULL;
  thud_sweep_study study = {0};
  thud_elastic_sweep elastic = {0};
  thud_error error = thud_context_create(&threads, &context);
  if (error != THUD_OK) return cli_report_error(call, error);
  error = quasistatic ? thud_study_sweep_elastic(context, tree, options, &elastic)
                      : thud_study_sweep(context, tree, options, &study);
  if (*shown) fprintf(stderr, "\r      \r");
  int code = CLI_GOOD;
  if (error != THUD_OK) {
    thud_fail(call->context, error, "%s", thud_context_last_message(context));
    thud_fail_with_code(call->context, error, thud_context_get_code(context));
    code = cli_report_error(call, error);
  } else if (quasistatic) {
    code = study_print_elastic_sweep(call, tree, options, &elastic);
    if (code == CLI_GOOD && elastic.failed > 0) code = CLI_BAD_VERDICT;
  } else {
    code = study_print_sweep(call, tree, options, &study);
    if (code == CLI_GOOD && study.failed > 0) code = cli_interrupted() ? CLI_INTERRUPTED : CLI_BAD_VERDICT;
  }
  thud_sweep_study_free(&study);
  thud_elastic_sweep_free(&elastic);
  thud_context_destroy(context);
  return code;
}

static int sweep(const cli_call *call, const thud_tree *tree, bool *shown) {
  thud_sweep_study_options options = thud_sweep_study_options_default();
  char name[256];
  options.progress = on_progress;
  options.progress_user = shown;
  options.quantity = cli_value(call, "quantity", 0);
  if (!read_sweep(call, cli_value(call, "sweep", 0), name, sizeof name, &options)) return CLI_BAD_INPUT;
  bool sections = thud_study_kind_of(tree) == THUD_STUDY_OF_SYSTEM;
  const char *section = cli_value(call, "section", 0);
  if (!read_section(section == NULL && !sections ? "end" : section, &options)) return CLI_BAD_INPUT;
  if (!cli_number(call, "after", &options.after)) return CLI_BAD_INPUT;
  if (is_quasistatic(tree) && options.quantity == NULL) {
    static const char *const others[] = {"section", "after"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
      if (cli_given(call, others[k])) {
        cli_complain(
            "study: --sweep of a quasi-static scene without --quantity has a row per run: it does not go with --%s",
            others[k]);
        return CLI_BAD_INPUT;
      }
    return run_sweep(call, tree, &options, true, shown);
  }
  if (options.quantity == NULL) {
    cli_complain("study: --sweep needs --quantity EXPRESSION: what the points show");
    return CLI_BAD_INPUT;
  }
  return run_sweep(call, tree, &options, false, shown);
}

/* Before hours of work: what is written at their end has names that say its format. */
static bool files_fit(const cli_call *call) {
  static const char *const tables[] = {".csv", NULL}, *const pictures[] = {".png", ".svg", ".pdf", NULL};
  return cli_check_ending(call, "output", cli_value(call, "output", 0), "a table", tables) &&
         cli_check_ending(call, "impacts", cli_value(call, "impacts", 0), "a table", tables) &&
         cli_check_ending(call, "plot", cli_value(call, "plot", 0), "a picture", pictures);
}

/* Flags of one kind of study beside those of another would be ignored: that is a mistake. */
static bool flags_fit(const cli_call *call) {
  static const char *const pairs[][2] = {
      {"method", "against"}, {"impacts", "against"}, {"section", "sweep"}, {"after", "sweep"}, {"threads", "sweep"}};
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
    if (cli_given(call, pairs[k][0]) && !cli_given(call, pairs[k][1])) {
      cli_complain("study: --%s goes with --%s", pairs[k][0], pairs[k][1]);
      return false;
    }
  bool refines = cli_given(call, "against") || cli_given(call, "levels") || cli_given(call, "mesh");
  if (cli_given(call, "rates") && (refines || cli_given(call, "sweep"))) {
    cli_complain("study: --rates has one run per rate: it goes neither with --levels nor with --against or --sweep");
    return false;
  }
  if (!cli_given(call, "sweep") || !refines) return true;
  cli_complain("study: --sweep gives one run per value: it goes neither with --levels nor with --against");
  return false;
}

static int run(const cli_call *call) {
  if (!flags_fit(call) || !files_fit(call)) return CLI_BAD_INPUT;
  cli_catch_signals();
  study_progress bar = {.shown = !call->json && isatty(STDERR_FILENO), .percent = -1};
  thud_tree *tree = NULL;
  thud_error error = cli_load_tree(call, call->operands[0], &tree);
  if (error != THUD_OK) return cli_report_error(call, error);
  int code = cli_given(call, "sweep")   ? sweep(call, tree, &bar.shown)
             : cli_given(call, "rates") ? slow_down(call, tree, &bar.shown)
                                        : refine(call, tree, &bar.shown);
  thud_tree_destroy(tree);
  return code;
}

const cli_command cli_study = {
    .name = "study",
    .operands = "SCENE",
    .summary = "refine the step, compare with the event-driven motion, or sweep a parameter",
    .details =
        "Runs the scene with 2^A .. 2^B steps and reports how fast the motions come together: sup norm for the\n"
        "positions, L1 norm and Hausdorff distance of the filled graphs for the velocities. Even and odd levels are\n"
        "compared on their own; a scheme that converges to two different motions is flagged (exit code 1).\n"
        "With --against event-driven every level is compared with the event-driven motion of the same scene instead:\n"
        "errors and orders as a whole, and for every impact those of its time, velocity and impulse.\n"
        "Quasi-static scenes are refined likewise, by displacements and reactions; with --rates the dynamics under "
        "slower\n"
        "and slower loads (quasistatic: {mass: M, rate: R}) is compared with the quasi-static motion, its limit.\n"
        "With --sweep a parameter takes N values and every run gives points on a section: bifurcation diagrams and\n"
        "Poincare sections, e.g. --sweep w=40:70:300 --section impacts:table --quantity \"z'\" --after 3.",
    .min_operands = 1,
    .max_operands = 1,
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
    .computes = true,
    .reads_stdin = true,
    .writes_stdout = true,
};
