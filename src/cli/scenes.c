#include "cli/scenes.h"
#include "base/base.h"

#include <string.h>

static thud_error apply_setting(const cli_call *call, thud_tree *tree, const char *setting) {
  const char *equals = strchr(setting, '=');
  if (equals == NULL || equals == setting)
    return thud_fail(call->context, THUD_ERROR_ARGUMENT, "--set needs KEY=VALUE, found '%s'", setting);
  char *key = thud_strndup(call->context, setting, (size_t)(equals - setting));
  if (key == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_tree_set(tree, key, equals + 1);
  thud_free(call->context, key);
  return error;
}

thud_error cli_load_tree(const cli_call *call, const char *path, thud_tree **tree) {
  thud_tree *read = NULL;
  thud_error error = thud_tree_read_file(call->context, path, &read);
  const char *setting;
  for (size_t k = 0; error == THUD_OK && (setting = cli_value(call, "set", k)) != NULL; k++)
    error = apply_setting(call, read, setting);
  if (error == THUD_OK)
    *tree = read;
  else
    thud_tree_destroy(read);
  return error;
}

thud_error cli_load_scene(const cli_call *call, const char *path, thud_scene **scene) {
  thud_tree *tree = NULL;
  thud_error error = cli_load_tree(call, path, &tree);
  if (error == THUD_OK) error = thud_scene_build(call->context, tree, scene);
  thud_tree_destroy(tree);
  return error;
}
