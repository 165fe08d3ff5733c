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

static void write_common_json(thud_json *json, const thud_scene_info *info, const char *path) {
  thud_json_string_field(json, "verdict", "good");
  thud_json_string_field(json, "file", path);
  thud_json_string_field(json, "title", info->title);
  thud_json_string_field(json, "kind", info->kind);
  thud_json_string_field(json, "method", info->method);
  thud_json_integer_field(json, "dimension", info->dimension);
  thud_json_key(json, "coordinates");
  thud_json_begin_flat_array(json);
  for (thud_index k = 0; k < info->dimension; k++) thud_json_string(json, info->coordinates[k]);
  thud_json_end_array(json);
  thud_json_number_field(json, "start", info->start);
  thud_json_number_field(json, "end", info->end);
  thud_json_integer_field(json, "steps", info->steps);
}

/* ---- sweeping processes ------------------------------------------------------------------------------------------ */

static void write_sweeping_json(thud_json *json, const thud_scene_info *info) {
  thud_json_string_field(json, "set", info->set_kind);
  thud_json_string_field(json, "projection", exactness_name(info->projection));
  thud_json_key(json, "moves");
  thud_json_bool(json, info->moves);
  thud_json_key(json, "jumps");
  thud_json_begin_flat_array(json);
  for (size_t k = 0; k < info->jump_count; k++) thud_json_number(json, info->jumps[k]);
  thud_json_end_array(json);
  thud_json_number_field(json, "initial_distance", info->initial_distance);
}

static void report_sweeping(const thud_scene_info *info, thud_text *text) {
  thud_text_print(text, "  kind       sweeping process, dimension %d\n", (int)info->dimension);
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
}

/* ---- Lagrangian systems ---------------------------------------------------------------------------------------------
 */

static const char *kind_name(thud_constraint_kind kind) {
  switch (kind) {
  case THUD_CONSTRAINT_UNILATERAL: return "unilateral";
  case THUD_CONSTRAINT_BILATERAL: return "equation";
  case THUD_CONSTRAINT_VELOCITY: return "velocity form";
  case THUD_CONSTRAINT_VELOCITY_ONE_SIDED: return "one-sided velocity form";
  }
  return "";
}

static const char *name_of(const thud_system *system, thud_index i) {
  return i >= 0 ? thud_system_constraint(system, i)->name : NULL;
}

static void write_system_json(thud_json *json, const thud_scene_info *info, const thud_system_diagnosis *found) {
  const thud_system *system = info->system;
  thud_json_key(json, "constraints");
  thud_json_begin_array(json);
  for (thud_index i = 0; i < thud_system_constraint_count(system); i++) {
    const thud_constraint_def *constraint = thud_system_constraint(system, i);
    thud_json_begin_object(json);
    thud_json_string_field(json, "name", constraint->name);
    thud_json_string_field(json, "kind", kind_name(constraint->kind));
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
  if (info->series_order > 0) thud_json_integer_field(json, "order", info->series_order);
  thud_json_integer_field(json, "friction_laws", thud_system_friction_count(system));
  thud_json_integer_field(json, "acting", found->active_count);
  thud_json_integer_field(json, "rank", found->rank);
  thud_json_number_field(json, "condition", found->condition);
  thud_json_number_field(json, "mass_condition", found->mass_condition);
  thud_json_key(json, "qualified");
  thud_json_bool(json, found->qualified);
  thud_json_number_field(json, "worst_cosine", found->worst_cosine);
  thud_json_string_field(json, "cosine_first", name_of(system, found->cosine_first));
  thud_json_string_field(json, "cosine_second", name_of(system, found->cosine_second));
}

static void report_system(const thud_scene_info *info, const thud_system_diagnosis *found, thud_text *text) {
  const thud_system *system = info->system;
  thud_text_print(text,
                  "  kind       Lagrangian system, %d coordinate%s, %s mass matrix (condition %.3g at the start)\n",
                  (int)info->dimension, thud_plural((size_t)info->dimension),
                  thud_system_has_constant_mass(system) ? "constant" : "changing", found->mass_condition);
  for (thud_index i = 0; i < thud_system_constraint_count(system); i++) {
    const thud_constraint_def *constraint = thud_system_constraint(system, i);
    thud_text_print(text, "  constraint %s: %s\n", constraint->name, kind_name(constraint->kind));
  }
  if (thud_system_friction_count(system) > 0)
    thud_text_print(text, "  friction   %d law%s\n", (int)thud_system_friction_count(system),
                    thud_plural((size_t)thud_system_friction_count(system)));
  thud_text_print(text, "  start      %d constraint%s, rank %d\n", (int)found->active_count,
                  found->active_count == 1 ? " acts" : "s act", (int)found->rank);
  if (found->rank < found->active_count)
    thud_text_print(text, "  warning    the forces of the acting constraints are not unique (rank %d of %d)\n",
                    (int)found->rank, (int)found->active_count);
  if (found->cosine_first >= 0 && (found->worst_cosine > 1e-9 || found->worst_cosine < -1e-9))
    thud_text_print(text, "  warning    %s and %s act together and are not orthogonal (kinetic cosine %.6g)\n",
                    name_of(system, found->cosine_first), name_of(system, found->cosine_second), found->worst_cosine);
  if (info->series_order > 0)
    thud_text_print(text, "  run        %s, power series of order %d between events, t = %g to %g\n", info->method,
                    info->series_order, info->start, info->end);
  else if (info->steps > 0)
    thud_text_print(text, "  run        %s, %d steps, t = %g to %g\n", info->method, (int)info->steps, info->start,
                    info->end);
  else
    thud_text_print(text, "  run        %s, controlled steps, t = %g to %g\n", info->method, info->start, info->end);
}

static thud_error diagnose(const cli_call *call, const thud_scene_info *info, thud_system_diagnosis *found) {
  if (info->system == NULL) return THUD_OK;
  return thud_system_diagnose(call->context, info->system, info->start, info->initial_position, info->initial_velocity,
                              1e-8, found);
}

/* ---- particles on a line --------------------------------------------------------------------------------------------
 */

static void write_line_json(thud_json *json, const thud_line *line) {
  thud_json_integer_field(json, "percussions", (int64_t)thud_line_percussion_count(line));
  thud_json_key(json, "families");
  thud_json_begin_array(json);
  for (size_t k = 0; k < thud_line_family_count(line); k++) {
    thud_line_truncation cut = thud_line_get_truncation(line, k);
    thud_json_begin_object(json);
    thud_json_integer_field(json, "kept", cut.kept);
    thud_json_number_field(json, "tail", cut.tail);
    thud_json_number_field(json, "velocity_error", cut.velocity);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

static void report_line(const thud_scene_info *info, thud_text *text) {
  thud_text_print(text, "  kind       particles on a line, %d of them\n", (int)info->dimension);
  thud_text_print(text, "  normal     %zu percussions within the run\n", thud_line_percussion_count(info->line));
  for (size_t k = 0; k < thud_line_family_count(info->line); k++) {
    thud_line_truncation cut = thud_line_get_truncation(info->line, k);
    thud_text_print(text, "  family     %lld atoms are kept; the rest weighs at most %.3g, velocities change by %.3g\n",
                    (long long)cut.kept, cut.tail, cut.velocity);
  }
  thud_text_print(text, "  run        %s, t = %g to %g\n", info->method, info->start, info->end);
}

static void write_json(const thud_scene_info *info, const thud_system_diagnosis *found, const char *path,
                       thud_text *text) {
  thud_json json = thud_json_new(text);
  thud_json_begin_object(&json);
  write_common_json(&json, info, path);
  if (info->system != NULL)
    write_system_json(&json, info, found);
  else if (info->line != NULL)
    write_line_json(&json, info->line);
  else
    write_sweeping_json(&json, info);
  thud_json_end_object(&json);
  thud_text_print(text, "\n");
}

static void write_report(const thud_scene_info *info, const thud_system_diagnosis *found, const char *path,
                         thud_text *text) {
  thud_text_print(text, "%s: %s\n", path, info->title[0] != '\0' ? info->title : "(no title)");
  if (info->system != NULL)
    report_system(info, found, text);
  else if (info->line != NULL)
    report_line(info, text);
  else
    report_sweeping(info, text);
  thud_text_print(text, "verdict: good\n");
}

static int check_file(const cli_call *call, const char *path) {
  thud_scene *scene = NULL;
  thud_error error = cli_load_scene(call, path, &scene);
  if (error != THUD_OK) return cli_report_error(call, error);
  thud_scene_info info = thud_scene_get_info(scene);
  thud_system_diagnosis found = {0};
  error = diagnose(call, &info, &found);
  if (error != THUD_OK) {
    thud_scene_destroy(scene);
    return cli_report_error(call, error);
  }
  thud_text text = thud_text_new(call->context);
  if (call->json)
    write_json(&info, &found, path, &text);
  else
    write_report(&info, &found, path, &text);
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
        "data jump, and how far the initial state lies outside the set; of a Lagrangian system its constraints, and\n"
        "rank, condition and kinetic cosines of those that act at the start; of particles on a line their percussions "
        "and\n"
        "what the truncation of infinite families costs. Nothing is run or written. --set can be\n"
        "given several times.",
    .min_operands = 1,
    .max_operands = 1000000,
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
};
