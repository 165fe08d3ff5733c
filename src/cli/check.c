/* thud check: what a scene says, and whether it can be run, without running it. */
#include "cli/scenes.h"

#include "base/base.h"

static const cli_flag flags[] = {
    {.name = "set",
     .value = "KEY=VALUE",
     .help = "change the scene first: mu=0.3 (a parameter) or simulate.steps=100 (a path)"},
    {.name = "resolved", .help = "print the scene itself as JSON, every default filled in"},
};

static int check_file(const cli_call *call, const char *path) {
  thud_scene *scene = NULL;
  char *json = NULL, *text = NULL;
  thud_error error = cli_load_scene(call, path, &scene);
  if (error == THUD_OK && cli_given(call, "resolved")) {
    int written = cli_write_out(thud_scene_resolved_text(scene));
    thud_scene_destroy(scene);
    return written;
  }
  if (error == THUD_OK) error = thud_scene_check(scene, path, &json, &text);
  int code = error == THUD_OK ? cli_write_out(call->json ? json : text) : cli_report_error(call, error);
  if (error == THUD_OK && code == CLI_GOOD && call->json) code = cli_write_out("\n");
  if (scene != NULL) thud_scene_free_text(scene, json);
  if (scene != NULL) thud_scene_free_text(scene, text);
  thud_scene_destroy(scene);
  return code;
}

static int run(const cli_call *call) { return cli_each_operand(call, check_file); }

const cli_command cli_check = {
    .name = "check",
    .operands = "SCENE...",
    .summary = "diagnose scenes without running them",
    .details =
        "Reads each scene as 'thud run' would and says what is wrong with it and where, or else what it is: the\n"
        "dimension, the kind of the set, whether its projection is exact or iterative, the times at which the\n"
        "data jump, and how far the initial state lies outside the set; of a Lagrangian system its constraints, and\n"
        "rank, condition and kinetic cosines of those that act at the start. Nothing is run or written. --set can be\n"
        "given several times.\n\n"
        "--resolved prints the scene itself as JSON, with every default of the format filled in after what was given:\n"
        "a scene that means the same, bit by bit.",
    .min_operands = 1,
    .max_operands = 1000000,
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
    .computes = true,
    .reads_stdin = true,
};
