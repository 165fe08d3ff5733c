/* thud new --list and --examples: what there is to start from. */
#include "base/base.h"
#include "base/json.h"
#include "cli/new.h"
#include "run/run.h"

#include <string.h>

enum { LINE = 200 };

const char *cli_name_without_folder(const char *name) {
  const char *slash = strrchr(name, '/');
  return slash != NULL ? slash + 1 : name;
}

/* ---- what a scene says of itself --------------------------------------------------------------------------------------- */

/* The rest of the first line that begins with `start`, without quotes. */
static void rest_of_line(const char *text, const char *start, char *rest) {
  size_t length = strlen(start);
  *rest = 0;
  for (const char *line = text; line != NULL && *line != 0; line = strchr(line, '\n'), line += line != NULL) {
    if (strncmp(line, start, length) != 0) continue;
    const char *from = line + length;
    size_t count = strcspn(from, "\n");
    if (count > 1 && from[0] == '"' && from[count - 1] == '"') from++, count -= 2;
    snprintf(rest, LINE, "%.*s", (int)count, from);
    return;
  }
}

/* NULL: it cannot be read, which the tests of the program rule out. */
static thud_tree *read_scene(const cli_call *call, const cli_embedded *scene) {
  thud_tree *tree;
  return thud_tree_read_text(call->context, scene->name, scene->text, strlen(scene->text), &tree) == THUD_OK ? tree
                                                                                                             : NULL;
}

const thud_kind *cli_kind_of_scene(const cli_call *call, const cli_embedded *scene) {
  thud_tree *tree = read_scene(call, scene);
  if (tree == NULL) return NULL;
  const thud_node *root = thud_tree_root(tree);
  const thud_kind *kind = thud_node_find(root, "thud_problem") == NULL ? thud_run_kind_of(root) : NULL;
  thud_tree_destroy(tree);
  return kind;
}

bool cli_scene_has(const cli_call *call, const cli_embedded *scene, const char *section) {
  thud_tree *tree = read_scene(call, scene);
  bool has = tree != NULL && thud_node_find(thud_tree_root(tree), section) != NULL;
  thud_tree_destroy(tree);
  return has;
}

static const char *kind_name(const cli_call *call, const cli_embedded *scene) {
  const thud_kind *kind = cli_kind_of_scene(call, scene);
  return kind != NULL ? kind->name : "problem";
}

const cli_embedded *cli_scene_called(const char *name) {
  for (size_t k = 0; k < cli_starters_count; k++)
    if (strcmp(cli_starters[k].name, name) == 0) return &cli_starters[k];
  for (size_t k = 0; k < cli_examples_count; k++)
    if (strcmp(cli_examples[k].name, name) == 0) return &cli_examples[k];
  return NULL;
}

thud_tree *cli_read_gallery(const cli_call *call) {
  const char *source = cli_gallery_file[0].text;
  thud_tree *gallery;
  return thud_tree_read_text(call->context, "gallery.json", source, strlen(source), &gallery) == THUD_OK ? gallery
                                                                                                         : NULL;
}

/* ---- starters ---------------------------------------------------------------------------------------------------------- */

static int write_list(const cli_call *call, thud_text *text) {
  int code = text->error == THUD_OK ? cli_write_out(thud_text_chars(text)) : cli_report_error(call, text->error);
  thud_text_free(text);
  return code;
}

static void put_starter(const cli_call *call, const cli_embedded *starter, thud_text *text, thud_json *json) {
  char title[LINE];
  rest_of_line(starter->text, "title: ", title);
  if (!call->json) {
    thud_text_print(text, "%-12s %-24s %s\n", kind_name(call, starter), starter->name, title);
    return;
  }
  thud_json_begin_object(json);
  thud_json_string_field(json, "name", starter->name);
  thud_json_string_field(json, "kind", kind_name(call, starter));
  thud_json_string_field(json, "title", title);
  thud_json_end_object(json);
}

static void put_starters(const cli_call *call, const thud_node *names, thud_text *text) {
  thud_json json = thud_json_new(text);
  if (call->json) thud_json_begin_array(&json);
  for (size_t k = 0; k < thud_node_count(names); k++) {
    const cli_embedded *starter = cli_scene_called(thud_node_string(thud_node_item(names, k)));
    if (starter != NULL) put_starter(call, starter, text, &json);
  }
  if (call->json) {
    thud_json_end_array(&json);
    thud_text_print(text, "\n");
    return;
  }
  thud_text_print(text,
                  "\nthud new NAME writes one; thud new KIND the first of its kind.\n"
                  "thud new --examples lists %zu more by topic; thud new --from NAME copies one of them.\n",
                  cli_examples_count);
}

int cli_list_starters(const cli_call *call) {
  thud_tree *gallery = cli_read_gallery(call);
  if (gallery == NULL) return cli_report_error(call, THUD_ERROR_FORMAT);
  thud_text text = thud_text_new(call->context);
  put_starters(call, thud_node_find(thud_tree_root(gallery), "starters"), &text);
  thud_tree_destroy(gallery);
  return write_list(call, &text);
}

/* ---- examples by topic ------------------------------------------------------------------------------------------------- */

static void put_example(const cli_call *call, const char *topic, const cli_embedded *example, thud_text *text,
                        thud_json *json) {
  char title[LINE], sentence[LINE];
  rest_of_line(example->text, "title: ", title);
  rest_of_line(example->text, "# ", sentence);
  const char *name = cli_name_without_folder(example->name);
  if (!call->json) {
    thud_text_print(text, "  %-26s %s\n", name, *sentence != 0 ? sentence : title);
    return;
  }
  thud_json_begin_object(json);
  thud_json_string_field(json, "topic", topic);
  thud_json_string_field(json, "name", name);
  thud_json_string_field(json, "kind", kind_name(call, example));
  thud_json_string_field(json, "title", title);
  thud_json_string_field(json, "description", sentence);
  thud_json_end_object(json);
}

static void put_topic(const cli_call *call, const thud_node *topic, thud_text *text, thud_json *json) {
  const char *title = thud_node_string(thud_node_find(topic, "title"));
  const thud_node *examples = thud_node_find(topic, "examples");
  if (thud_node_count(examples) == 0) return;
  if (!call->json) thud_text_print(text, "%s\n", title);
  for (size_t k = 0; k < thud_node_count(examples); k++) {
    const cli_embedded *example =
        cli_scene_called(thud_node_string(thud_node_find(thud_node_item(examples, k), "name")));
    if (example != NULL) put_example(call, title, example, text, json);
  }
}

static void put_problems(const cli_call *call, thud_text *text, thud_json *json) {
  if (!call->json) thud_text_print(text, "Contact problems\n");
  for (size_t k = 0; k < cli_examples_count; k++)
    if (cli_kind_of_scene(call, &cli_examples[k]) == NULL)
      put_example(call, "Contact problems", &cli_examples[k], text, json);
}

int cli_list_examples(const cli_call *call) {
  thud_tree *gallery = cli_read_gallery(call);
  if (gallery == NULL) return cli_report_error(call, THUD_ERROR_FORMAT);
  thud_text text = thud_text_new(call->context);
  thud_json json = thud_json_new(&text);
  const thud_node *topics = thud_node_find(thud_tree_root(gallery), "topics");
  if (call->json) thud_json_begin_array(&json);
  for (size_t k = 0; k < thud_node_count(topics); k++) put_topic(call, thud_node_item(topics, k), &text, &json);
  put_problems(call, &text, &json);
  if (call->json) thud_json_end_array(&json);
  if (call->json) thud_text_print(&text, "\n");
  thud_tree_destroy(gallery);
  return write_list(call, &text);
}
