/* thud convert: contact problems from one file format to another. */
#include "cli/problems.h"
#include "base/json.h"

#include <math.h>

static const cli_flag flags[] = {
    {.name = "to",
     .value = "FORMAT",
     .help = "fclib or native (default: by the ending of OUT: .h5 .hdf5 / .yaml .yml)",
     .words = "fclib native"},
    {.name = "from",
     .value = "FORMAT",
     .help = "fclib, siconos or native (default: by the content of IN)",
     .words = "fclib siconos native"},
    {.name = "kind",
     .value = "KIND",
     .help = "what IN holds: local, global, rolling, global-rolling, two-block",
     .words = "local global rolling global-rolling two-block"},
    {.name = "form", .value = "FORM", .help = "bring the problem to the local or global form", .words = "local global"},
    {.name = "storage",
     .value = "S",
     .help = "of W in the local form: dense, sparse or blocks (default: what suits)",
     .words = "dense sparse blocks"},
    {.name = "force", .letter = 'f', .help = "replace an existing file"},
};

/* The request of the command line. */
typedef struct request {
  thud_problem_read_options read;
  thud_problem_format to;
  int form; /* thud_contact_form, -1: as it is */
  thud_matrix_storage storage;
} request;

static bool read_request(const cli_call *call, request *asked) {
  static const char *const formats[] = {"auto", "fclib", "siconos", "native", NULL};
  static const char *const forms[] = {"local", "global", NULL};
  static const char *const storages[] = {"auto", "dense", "sparse", "blocks", NULL};
  int to = cli_choice(call, "to", formats, 0), storage = cli_choice(call, "storage", storages, 0);
  asked->form = cli_choice(call, "form", forms, -1);
  if (to == -2 || storage == -2 || asked->form == -2 || !cli_problem_read_options(call, &asked->read)) return false;
  asked->storage = (thud_matrix_storage)storage;
  thud_problem_format named = cli_problem_format_of_name(call->operands[1]);
  if (to != 0 && named != THUD_PROBLEM_FORMAT_AUTO && (int)named != to) {
    cli_complain("convert: --to %s writes another format than the ending of '%s' says: give one of the two",
                 cli_value(call, "to", 0), call->operands[1]);
    return false;
  }
  asked->to = to == 0 ? named : (thud_problem_format)to;
  if (asked->to == THUD_PROBLEM_FORMAT_AUTO) {
    cli_complain("convert: the ending of '%s' does not determine the format; add --to fclib or --to native",
                 call->operands[1]);
    return false;
  }
  return true;
}

/* Brings the problem to the wanted form; *changed is NULL when it is there already. Velocities v have no place in the
 * local form. */
static thud_error change_form(thud_context *context, const request *asked, thud_problem_contents *contents,
                              thud_owned_problem **changed) {
  const thud_contact_problem *problem = contents->problem;
  bool to_local = asked->form == THUD_FORM_LOCAL;
  bool restore = problem->form == THUD_FORM_LOCAL && asked->storage != THUD_MATRIX_NONE;
  thud_error error = THUD_OK;
  if (asked->form < 0 && !restore) return THUD_OK;
  if ((int)problem->form == asked->form && !restore) return THUD_OK;
  if (to_local || restore)
    error = thud_contact_to_local(context, problem, asked->storage, changed);
  else
    error = thud_contact_to_global(context, problem, changed);
  if (error != THUD_OK) return error;
  contents->problem = thud_owned_problem_view(*changed);
  if (contents->problem->form != THUD_FORM_LOCAL) return THUD_OK;
  contents->solution.v = NULL;
  contents->guesses = NULL; /* each would need the same treatment: a guess is not worth it */
  contents->guess_count = 0;
  return THUD_OK;
}

/* Residual of the stored solution, NaN when there is none or it cannot be evaluated. */
static double stored_residual(thud_context *context, const thud_problem_contents *contents) {
  thud_contact_residual residual = {0};
  const thud_problem_solution *solution = &contents->solution;
  if (solution->r == NULL || (contents->problem->bilateral > 0 && solution->l == NULL)) return NAN;
  thud_error error =
      thud_contact_evaluate(context, contents->problem, solution->r, solution->v, solution->l, NULL, &residual);
  return error == THUD_OK ? residual.residual : NAN;
}

static void describe_json(const cli_call *call, const thud_problem_file *file, const thud_problem_contents *written,
                          const request *asked, thud_text *text) {
  thud_problem_contents contents = thud_problem_file_contents(file);
  const thud_contact_problem *problem = contents.problem;
  thud_json json = thud_json_new(text);
  thud_json_begin_object(&json);
  thud_json_string_field(&json, "verdict", "good");
  thud_json_string_field(&json, "file", call->operands[0]);
  thud_json_string_field(&json, "format", thud_problem_format_name(thud_problem_file_format(file)));
  thud_json_string_field(&json, "kind", thud_problem_kind_name(thud_problem_kind_of(problem)));
  thud_json_string_field(&json, "decision", thud_problem_file_decision(file));
  thud_json_string_field(&json, "title", contents.title);
  thud_json_integer_field(&json, "dimension", problem->dimension);
  thud_json_integer_field(&json, "contacts", problem->contacts);
  thud_json_integer_field(&json, "ndof", (int64_t)thud_contact_ndof(problem));
  thud_json_integer_field(&json, "bilateral", problem->bilateral);
  thud_json_number_field(&json, "solution_residual", stored_residual(call->context, &contents));
  thud_json_string_field(&json, "output", call->operands[1]);
  thud_json_string_field(&json, "output_format", thud_problem_format_name(asked->to));
  thud_json_string_field(&json, "output_kind", thud_problem_kind_name(thud_problem_kind_of(written->problem)));
  thud_json_end_object(&json);
  thud_text_print(text, "\n");
}

static void describe(const cli_call *call, const thud_problem_file *file, const thud_problem_contents *written,
                     const request *asked, thud_text *text) {
  thud_problem_contents contents = thud_problem_file_contents(file);
  const thud_contact_problem *problem = contents.problem;
  double residual = stored_residual(call->context, &contents);
  thud_text_print(text, "%s: %s\n", call->operands[0], thud_problem_file_decision(file));
  thud_text_print(text, "  %s, %d contact%s", thud_contact_kind_name(problem), (int)problem->contacts,
                  thud_plural((size_t)problem->contacts));
  if (thud_contact_ndof(problem) > 0) thud_text_print(text, ", %zu degrees of freedom", thud_contact_ndof(problem));
  if (problem->bilateral > 0) thud_text_print(text, ", %d bilateral rows", (int)problem->bilateral);
  thud_text_print(text, "\n");
  if (!isnan(residual)) thud_text_print(text, "  residual of the stored solution: %.3g\n", residual);
  thud_text_print(text, "%s: %s, %s\n", call->operands[1], thud_problem_format_name(asked->to),
                  thud_contact_kind_name(written->problem));
}

static int report(const cli_call *call, const thud_problem_file *file, const thud_problem_contents *written,
                  const request *asked) {
  thud_text text = thud_text_new(call->context);
  (call->json ? describe_json : describe)(call, file, written, asked, &text);
  int code = text.error == THUD_OK ? cli_write_out(thud_text_chars(&text)) : CLI_INTERNAL;
  thud_text_free(&text);
  return code;
}

static int run(const cli_call *call) {
  request asked;
  thud_problem_file *file = NULL;
  thud_owned_problem *changed = NULL;
  if (!read_request(call, &asked)) return CLI_BAD_INPUT;
  thud_error error = thud_problem_read(call->context, call->operands[0], &asked.read, &file);
  if (error != THUD_OK) return cli_report_error(call, error);
  thud_problem_contents contents = thud_problem_file_contents(file);
  error = change_form(call->context, &asked, &contents, &changed);
  if (error == THUD_OK)
    error = thud_problem_write(call->context, call->operands[1], asked.to, &contents, cli_given(call, "force"));
  int code = error == THUD_OK ? report(call, file, &contents, &asked) : cli_report_error(call, error);
  thud_owned_problem_destroy(changed);
  thud_problem_file_destroy(file);
  return code;
}

const cli_command cli_convert = {
    .name = "convert",
    .operands = "IN OUT",
    .summary = "change the file format or the form of a contact problem",
    .details =
        "Reads FCLIB (HDF5), Siconos' text files (.dat) and native problems (YAML); writes FCLIB and native ones.\n"
        "Says what the file was taken for and why, and how good its stored solution is. Numbers are kept bit\n"
        "for bit. --form local eliminates the masses: W = H' M^-1 H.",
    .min_operands = 2,
    .max_operands = 2,
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
};
