#include "run/beside.h"
#include "base/base.h"
#include "base/json.h"
#include "problem/file.h"
#include "scene/resolve.h"
#include "tree/parse.h"

#include <string.h>

thud_error thud_run_name_beside(const thud_tree *tree, const thud_node *named, thud_text *path) {
  const char *scene = thud_tree_name(tree), *name, *slash = strrchr(scene, '/');
  thud_error error = thud_node_read_string(named, &name);
  if (error != THUD_OK) return error;
  if (name[0] == '\0' || strchr(name, '/') != NULL)
    return thud_node_fail(named, THUD_ERROR_SCHEMA,
                          "[file-beside] a file beside this one is needed: a name without '/'");
  thud_text_print(path, "%.*s%s", slash != NULL ? (int)(slash - scene) + 1 : 0, scene, name);
  return path->error;
}

thud_error thud_run_read_beside(thud_tree *tree, const thud_node *named, thud_context *context, char **text,
                                size_t *length) {
  thud_text path = thud_text_new(context);
  thud_error error = thud_run_name_beside(tree, named, &path);
  if (error == THUD_OK) {
    error = thud_problem_load_text(context, thud_text_chars(&path), THUD_TREE_MAX_BYTES, text, length);
    if (error != THUD_OK && error != THUD_ERROR_MEMORY) error = thud_node_fail_as(named, THUD_ERROR_FILE, context);
  }
  thud_text_free(&path);
  return error;
}

thud_error thud_run_take_file(thud_tree *tree, const thud_node *map, const char *key, thud_run_convert_fn convert) {
  const thud_node *named = thud_resolve_find(map, "file");
  const char *name;
  if (named == NULL || thud_resolve_find(map, key) != NULL) return THUD_OK;
  thud_context *context = NULL;
  char *bytes = NULL;
  size_t size = 0;
  thud_error error = thud_context_create(NULL, &context);
  if (error != THUD_OK) return error;
  thud_text text = thud_text_new(context);
  error = thud_run_read_beside(tree, named, context, &bytes, &size);
  if (error == THUD_OK) error = thud_node_read_string(named, &name);
  if (error == THUD_OK) {
    error = convert(context, map, name, bytes, size, &text);
    if (error == THUD_OK) error = text.error;
    if (error != THUD_OK && error != THUD_ERROR_MEMORY) error = thud_node_fail_as(named, THUD_ERROR_FORMAT, context);
  }
  if (error == THUD_OK) error = thud_resolve_text(tree, map, key, thud_text_chars(&text));
  thud_text_free(&text);
  thud_free(context, bytes);
  thud_context_destroy(context);
  return error;
}
