/* thud new: starter scenes, and copies of examples with the files that they read. */
#include "cli/new.h"
#include "base/base.h"
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

static const cli_flag flags[] = {
    {.name = "list", .letter = 'l', .help = "list the starter scenes"},
    {.name = "examples", .help = "list all examples by topic"},
    {.name = "from",
     .value = "EXAMPLE",
     .words = "@examples",
     .help = "copy this example, with the files that it reads"},
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "the file to write (default: NAME.yaml; '-': standard output)"},
    {.name = "force", .letter = 'f', .help = "replace existing files"},
};

/* ---- finding ----------------------------------------------------------------------------------------------------------- */

static const cli_embedded *find_named(const cli_embedded *table, size_t count, const char *name) {
  bool folder = strchr(name, '/') != NULL;
  for (size_t k = 0; k < count; k++) {
    const char *candidate = folder ? table[k].name : cli_name_without_folder(table[k].name);
    if (strcmp(candidate, name) == 0) return &table[k];
  }
  return NULL;
}

static const cli_embedded *find_example(const char *name) {
  const cli_embedded *found = find_named(cli_examples, cli_examples_count, name);
  return found != NULL ? found : find_named(cli_starters, cli_starters_count, name);
}

/* The nearest name among starters and, with `all`, examples; NULL: none is near. */
static const char *suggest_name(const char *name, bool all) {
  size_t most = cli_starters_count + cli_examples_count, count = 0;
  const char **names = calloc(most, sizeof *names);
  if (names == NULL) return NULL;
  for (size_t k = 0; k < cli_starters_count; k++) names[count++] = cli_starters[k].name;
  for (size_t k = 0; k < cli_examples_count && all; k++) names[count++] = cli_name_without_folder(cli_examples[k].name);
  const char *near = thud_suggest(name, names, count);
  free((void *)names);
  return near;
}

/* name: a kind of motion, its section, "joints" or "problem". */
static bool is_of_kind(const cli_call *call, const cli_embedded *starter, const char *name) {
  const thud_kind *kind = cli_kind_of_scene(call, starter);
  if (kind == NULL) return strcmp(name, "problem") == 0;
  if (strcmp(name, "joints") == 0) return cli_scene_has(call, starter, name);
  return strcmp(kind->name, name) == 0 || strcmp(kind->section, name) == 0;
}

/* The first starter of a kind; NULL: there is no such kind. */
static const cli_embedded *find_first_of_kind(const cli_call *call, const char *name) {
  thud_tree *gallery = cli_read_gallery(call);
  const thud_node *names = gallery != NULL ? thud_node_find(thud_tree_root(gallery), "starters") : NULL;
  const cli_embedded *found = NULL;
  for (size_t k = 0; k < thud_node_count(names) && found == NULL; k++) {
    const cli_embedded *starter = cli_scene_called(thud_node_string(thud_node_item(names, k)));
    if (starter != NULL && is_of_kind(call, starter, name)) found = starter;
  }
  thud_tree_destroy(gallery);
  return found;
}

static const cli_embedded *find_starter(const cli_call *call, const char *name) {
  const cli_embedded *found = find_named(cli_starters, cli_starters_count, name);
  if (found == NULL) found = find_first_of_kind(call, name);
  if (found != NULL) return found;
  const char *near = suggest_name(name, false);
  if (find_example(name) != NULL)
    cli_complain("new: '%s' is an example, not a starter: thud new --from %s", name, name);
  else if (near != NULL)
    cli_complain("new: there is no starter '%s' (did you mean '%s'?)", name, near);
  else
    cli_complain("new: there is no starter '%s'; 'thud new --list' shows them", name);
  return NULL;
}

/* By its name, with or without folder and suffix. */
static const cli_embedded *require_example(const char *given) {
  char name[256];
  size_t length = strlen(given);
  if (length > 5 && strcmp(given + length - 5, ".yaml") == 0) length -= 5;
  snprintf(name, sizeof name, "%.*s", (int)length, given);
  const cli_embedded *found = find_example(name);
  if (found != NULL) return found;
  const char *near = suggest_name(cli_name_without_folder(name), true);
  if (near != NULL)
    cli_complain("new: there is no example '%s' (did you mean '%s'?)", given, near);
  else
    cli_complain("new: there is no example '%s'; 'thud new --examples' lists them", given);
  return NULL;
}

/* ---- writing ----------------------------------------------------------------------------------------------------------- */

/* A file beside the scene that it names. */
static bool is_read_by(const cli_embedded *scene, const cli_embedded *file) {
  const char *slash = strrchr(scene->name, '/');
  size_t folder = slash != NULL ? (size_t)(slash - scene->name) + 1 : 0;
  return strncmp(file->name, scene->name, folder) == 0 && strchr(file->name + folder, '/') == NULL &&
         strstr(scene->text, file->name + folder) != NULL;
}

static bool file_has_text(const char *path, const char *text) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return false;
  int byte = fgetc(file);
  while (byte != EOF && *text != 0 && byte == (unsigned char)*text) byte = fgetc(file), text++;
  bool same = byte == EOF && *text == 0 && !ferror(file);
  fclose(file);
  return same;
}

/* A file that is there with the same content is left as it is. */
static thud_error write_once(const cli_call *call, const char *path, const char *text) {
  return file_has_text(path, text) ? THUD_OK : cli_write_file(call, path, text);
}

/* The files that the scene reads go to its folder, and before it: a scene that is there can be run. */
static thud_error write_scene(const cli_call *call, const cli_embedded *scene, const char *path, size_t *files) {
  thud_error error = THUD_OK;
  const char *name = cli_name_without_folder(path);
  *files = 0;
  for (size_t k = 0; k < cli_example_files_count && error == THUD_OK; k++) {
    if (!is_read_by(scene, &cli_example_files[k])) continue;
    thud_text beside = thud_text_new(call->context);
    thud_text_print(&beside, "%.*s%s", (int)(name - path), path, cli_name_without_folder(cli_example_files[k].name));
    error = beside.error;
    if (error == THUD_OK) error = write_once(call, thud_text_chars(&beside), cli_example_files[k].text);
    thud_text_free(&beside);
    (*files)++;
  }
  return error == THUD_OK ? cli_write_file(call, path, scene->text) : error;
}

static int report_written(const cli_call *call, const cli_embedded *scene, const char *path, size_t files) {
  if (call->json) return cli_write_file_result(call, path);
  const char *next = cli_kind_of_scene(call, scene) == NULL ? "solve" : "run";
  thud_text text = thud_text_new(call->context);
  thud_text_print(&text, "%s", path);
  if (files > 0) thud_text_print(&text, " and %zu file%s beside it", files, thud_plural(files));
  thud_text_print(&text, " written; next: thud %s %s\n", next, path);
  int code = text.error == THUD_OK ? cli_write_out(thud_text_chars(&text)) : cli_report_error(call, text.error);
  thud_text_free(&text);
  return code;
}

static int run(const cli_call *call) {
  const char *from = cli_value(call, "from", 0), *path = cli_value(call, "output", 0);
  if (from != NULL && call->operand_count > 0) {
    cli_complain("new: --from %s and the starter '%s': one of them", from, call->operands[0]);
    return CLI_BAD_INPUT;
  }
  if (cli_given(call, "examples")) return cli_list_examples(call);
  if (cli_given(call, "list") || (from == NULL && call->operand_count == 0)) return cli_list_starters(call);
  const cli_embedded *scene = from != NULL ? require_example(from) : find_starter(call, call->operands[0]);
  if (scene == NULL) return CLI_BAD_INPUT;
  if (path != NULL && strcmp(path, "-") == 0) return cli_write_out(scene->text);
  static const char *const endings[] = {".yaml", ".yml", NULL};
  if (!cli_check_ending(call, "output", path, "a scene", endings)) return CLI_BAD_INPUT;
  char name[256];
  snprintf(name, sizeof name, "%s.yaml", cli_name_without_folder(scene->name));
  if (path == NULL) path = name;
  size_t files;
  thud_error error = write_scene(call, scene, path, &files);
  return error == THUD_OK ? report_written(call, scene, path, files) : cli_report_error(call, error);
}

const cli_command cli_new = {
    .name = "new",
    .operands = "[NAME]",
    .operand_words = "@starters",
    .summary = "write a starter scene, or copy an example",
    .details =
        "Writes NAME.yaml, a complete scene with comments to start from; 'thud run NAME.yaml' runs it as it is.\n"
        "NAME is a starter or a kind: bodies, joints, stepping, event-driven, sweeping, quasistatic, string, beam,\n"
        "membrane, plate, half-plane, friction, problem. Without a name the starters are listed. --from copies any\n"
        "of the examples that come with thud, with the matrices, meshes and pictures that it reads.",
    .max_operands = 1,
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
    .run = run,
    .writes_stdout = true,
};
