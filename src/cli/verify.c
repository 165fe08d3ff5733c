/* thud verify: records, and trajectories from elsewhere, checked by code that shares nothing with the solvers. */
#include "cli/scenes.h"

#include <math.h>

static const cli_flag flags[] = {
    {.name = "tolerance",
     .value = "X",
     .help = "relative to the largest |u| (default: the larger of 1e-8 and the scene's)"},
    {.name = "trajectory", .value = "FILE", .help = "CSV or YAML file to be checked against the SCENE"},
    {.name = "trajectory-tolerance",
     .value = "X",
     .help = "accepted angle of its increments to the normal cone (0.01)"},
    {.name = "trajectory-samples",
     .value = "N",
     .help = "times at which each piece of a trajectory of expressions is asked (32)"},
    {.name = "no-seal", .help = "do not ask whether the record was changed after it was written"},
    {.name = "set", .value = "KEY=VALUE", .help = "with --trajectory: change the scene; repeatable"},
};

static int print_result(const cli_call *call, const char *file, const thud_verify_result *result) {
  char *text = NULL;
  thud_error error = call->json ? thud_verify_write_json(call->context, file, result, &text)
                                : thud_verify_write_report(call->context, file, result, &text);
  if (error != THUD_OK) return cli_report_error(call, error);
  int code = cli_write_out(text);
  thud_verify_free_text(call->context, text);
  if (code != CLI_GOOD) return code;
  return result->verdict == THUD_VERIFY_GOOD ? CLI_GOOD : CLI_BAD_VERDICT;
}

static bool read_options(const cli_call *call, thud_verify_options *options) {
  *options = thud_verify_options_default();
  if (cli_given(call, "tolerance") && !cli_number(call, "tolerance", &options->tolerance)) return false;
  if (cli_given(call, "trajectory-tolerance") &&
      !cli_number(call, "trajectory-tolerance", &options->trajectory_tolerance))
    return false;
  double samples = options->trajectory_samples;
  if (cli_given(call, "trajectory-samples") && !cli_number(call, "trajectory-samples", &samples)) return false;
  if (!(samples >= 1 && samples <= 1e6 && samples == floor(samples))) {
    cli_complain("verify: --trajectory-samples is a whole number from 1 to 1000000");
    return false;
  }
  options->trajectory_samples = (int)samples;
  options->seal = !cli_given(call, "no-seal");
  return true;
}

static int verify_record(const cli_call *call, const char *path) {
  thud_verify_options options;
  thud_verify_result result;
  if (!read_options(call, &options)) return CLI_BAD_INPUT;
  thud_error error = thud_verify_record(call->context, path, &options, &result);
  return error == THUD_OK ? print_result(call, path, &result) : cli_report_error(call, error);
}

static int verify_trajectory(const cli_call *call, const char *path, const thud_verify_options *options) {
  thud_tree *tree = NULL;
  thud_verify_result result;
  thud_error error = cli_load_tree(call, call->operands[0], &tree);
  if (error == THUD_OK) error = thud_verify_trajectory(call->context, tree, path, options, &result);
  int code = error == THUD_OK ? print_result(call, path, &result) : cli_report_error(call, error);
  thud_tree_destroy(tree);
  return code;
}

static int run(const cli_call *call) {
  thud_verify_options options;
  if (!read_options(call, &options)) return CLI_BAD_INPUT;
  const char *trajectory = cli_value(call, "trajectory", 0);
  if (trajectory == NULL && cli_given(call, "set")) {
    cli_complain("verify: a record carries its scene; --set goes with --trajectory only");
    return CLI_BAD_INPUT;
  }
  if (trajectory != NULL && call->operand_count != 1) {
    cli_complain("verify: --trajectory goes with one scene");
    return CLI_BAD_INPUT;
  }
  if (trajectory != NULL) return verify_trajectory(call, trajectory, &options);
  return cli_each_operand(call, verify_record);
}

const cli_command cli_verify = {
    .name = "verify",
    .operands = "RECORD... | SCENE --trajectory FILE",
    .summary = "check records and trajectories independently",
    .details =
        "Re-reads the scene inside each record, places the moving set at every frame and checks that the state is in\n"
        "it, that the reaction is normal to it, that reaction, variation and jumps fit the states, and that the\n"
        "record is complete. Each check reports its worst value, where, and its tolerance.\n\n"
        "Of a motion every step is rebuilt: momentum, gaps, complementarity, friction, impacts and energies.\n\n"
        "A trajectory is a CSV file with the columns t, side (-, + or nothing), the coordinates and for motions the\n"
        "velocities by name; two rows at a jump. Give rows so close that little moves from one to the next. For\n"
        "motions also a YAML file of pieces {until: t, x: expression, ...}.\n\n"
        "Exit codes: 0 all good, 1 a check failed or could not be decided, 2 a file cannot be read.",
    .min_operands = 1,
    .max_operands = 1000000,
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
};
