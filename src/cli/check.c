/* thud check: what a scene says, and whether it can be run, without running it. */
#include "cli/scenes.h"
#include "base/json.h"

static const cli_flag flags[] = {
    {.name = "set",
     .value = "KEY=VALUE",
     .help = "change the scene first: mu=0.3 (a parameter) or simulate.steps=100 (a path)"},
};

static const char *exactness_name(thud_exactness exactness) {
  switch (exactness) {
  case THUD_EXACT: return "exact";
  case THUD_ITERATIVE: return "iterative";
  case THUD_UNAVAILABLE: break;
  }
  return "unavailable";
}

static void write_json(const thud_scene_info *info, const char *path, thud_text *text) {
  thud_json json = thud_json_new(text);
  thud_json_begin_object(&json);
  thud_json_string_field(&json, "verdict", "good");
  thud_json_string_field(&json, "file", path);
  thud_json_string_field(&json, "title", info->title);
  thud_json_string_field(&json, "kind", info->kind);
  thud_json_string_field(&json, "method", info->method);
  thud_json_integer_field(&json, "dimension", info->dimension);
  thud_json_key(&json, "coordinates");
  thud_json_begin_flat_array(&json);
  for (thud_index k = 0; k < info->dimension; k++) thud_json_string(&json, info->coordinates[k]);
  thud_json_end_array(&json);
  thud_json_string_field(&json, "set", info->set_kind);
  thud_json_string_field(&json, "projection", exactness_name(info->projection));
  thud_json_key(&json, "moves");
  thud_json_bool(&json, info->moves);
  thud_json_number_field(&json, "start", info->start);
  thud_json_number_field(&json, "end", info->end);
  thud_json_integer_field(&json, "steps", info->steps);
  thud_json_key(&json, "jumps");
  thud_json_begin_flat_array(&json);
  for (size_t k = 0; k < info->jump_count; k++) thud_json_number(&json, info->jumps[k]);
  thud_json_end_array(&json);
  thud_json_number_field(&json, "initial_distance", info->initial_distance);
  thud_json_end_object(&json);
  thud_text_print(text, "\n");
}

static void write_report(const thud_scene_info *info, const char *path, thud_text *text) {
  thud_text_print(text, "%s: %s\n", path, info->title[0] != '\0' ? info->title : "(no title)");
  thud_text_print(text, "  kind       %s process, dimension %d\n", info->kind, (int)info->dimension);
  thud_text_print(text, "  set        %s, %s, %s projection\n", info->set_kind, info->moves ? "moving" : "at rest",
                  exactness_name(info->projection));
  thud_text_print(text, "  run        %s, %d steps, t = %g to %g\n", info->method, (int)info->steps, info->start,
                  info->end);
  if (info->jump_count > 0) {
    thud_text_print(text, "  jumps      %zu:", info->jump_count);
    for (size_t k = 0; k < info->jump_count && k < 8; k++) thud_text_print(text, " %g", info->jumps[k]);
    thud_text_print(text, "%s\n", info->jump_count > 8 ? " ..." : "");
  }
  if (info->starts_outside)
    thud_text_print(text, "  warning    the initial state lies %.6g outside the set; the run will project it\n",
                    info->initial_distance);
  thud_text_print(text, "verdict: good\n");
}

static int check_file(const cli_call *call, const char *path) {
  thud_scene *scene = NULL;
  thud_error error = cli_load_scene(call, path, &scene);
  if (error != THUD_OK) return cli_report_error(call, error);
  thud_scene_info info = thud_scene_get_info(scene);
  thud_text text = thud_text_new(call->context);
  if (call->json)
    write_json(&info, path, &text);
  else
    write_report(&info, path, &text);
  int code = text.error == THUD_OK ? cli_write_out(thud_text_chars(&text)) : cli_report_error(call, text.error);
  thud_text_free(&text);
  thud_scene_destroy(scene);
  return code;
}

static int run(const cli_call *call) {
  int worst = CLI_GOOD;
  for (int k = 0; k < call->operand_count; k++) {
    int code = check_file(call, call->operands[k]);
    if (code > worst) worst = code;
  }
  return worst;
}

const cli_command cli_check = {
    .name = "check",
    .operands = "SCENE...",
    .summary = "diagnose scenes without running them",
    .details =
        "Reads each scene as 'thud run' would and says what is wrong with it and where, or else what it is: the\n"
        "dimension, the kind of the set, whether its projection is exact or iterative, the times at which the\n"
        "data jump, and how far the initial state lies outside the set. Nothing is run or written. --set can\n"
        "be given several times.",
    .min_operands = 1,
    .max_operands = 1000000,
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
};
