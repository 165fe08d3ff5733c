#include "cli/scenes.h"
#include "base/base.h"

#include <errno.h>
#include <string.h>

static thud_error apply_setting(const cli_call *call, thud_tree *tree, const char *setting) {
  const char *equals = strchr(setting, '=');
  if (equals == NULL || equals == setting)
    return thud_fail(call->context, THUD_ERROR_ARGUMENT, "[usage] --set needs KEY=VALUE, found '%s'", setting);
  char *key = thud_strndup(call->context, setting, (size_t)(equals - setting));
  if (key == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_tree_set(tree, key, equals + 1);
  thud_free(call->context, key);
  return error;
}

/* The scene on standard input. */
static thud_error read_standard_input(const cli_call *call, thud_tree **tree) {
  enum { PIECE = 65536 };
  char *text = NULL;
  size_t length = 0, capacity = 0;
  thud_error error = THUD_OK;
  while (error == THUD_OK && !feof(stdin) && !ferror(stdin)) {
    if (length > THUD_TREE_MAX_BYTES) break; /* which is refused there */
    if (error == THUD_OK) error = thud_array_reserve(call->context, &text, &capacity, length + PIECE, 1);
    if (error == THUD_OK) length += fread(text + length, 1, PIECE, stdin);
  }
  if (error == THUD_OK && ferror(stdin))
    error = thud_fail(call->context, THUD_ERROR_FILE, "standard input: cannot be read (%s)", strerror(errno));
  if (error == THUD_OK) error = thud_tree_read_text(call->context, "standard input", text, length, tree);
  thud_free(call->context, text);
  return error;
}

thud_error cli_apply_settings(const cli_call *call, thud_tree *tree) {
  const char *setting;
  thud_error error = THUD_OK;
  for (size_t k = 0; error == THUD_OK && (setting = cli_value(call, "set", k)) != NULL; k++)
    error = apply_setting(call, tree, setting);
  return error;
}

thud_error cli_load_tree(const cli_call *call, const char *path, thud_tree **tree) {
  thud_tree *read = NULL;
  thud_error error =
      strcmp(path, "-") == 0 ? read_standard_input(call, &read) : thud_tree_read_file(call->context, path, &read);
  if (error == THUD_OK) error = cli_apply_settings(call, read);
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
