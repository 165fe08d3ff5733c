#include "run/beside.h"
#include "base/base.h"
#include "base/json.h"
#include "problem/file.h"

#include <string.h>

thud_error thud_run_read_beside(thud_tree *tree, const thud_node *named, thud_context *context, char **text,
                                size_t *length) {
  const char *scene = thud_tree_name(tree), *name, *slash = strrchr(scene, '/');
  thud_error error = thud_node_read_string(named, &name);
  if (error != THUD_OK) return error;
  if (name[0] == '\0' || strchr(name, '/') != NULL)
    return thud_node_fail(named, THUD_ERROR_SCHEMA, "a file beside this one is needed: a name without '/'");
  thud_text path = thud_text_new(context);
  thud_text_print(&path, "%.*s%s", slash != NULL ? (int)(slash - scene) + 1 : 0, scene, name);
  error = path.error;
  if (error == THUD_OK)
    error = thud_problem_load_text(context, thud_text_chars(&path), THUD_TREE_MAX_BYTES, text, length);
  if (error != THUD_OK && error != THUD_ERROR_MEMORY)
    error = thud_node_fail(named, THUD_ERROR_FILE, "%s", thud_context_last_message(context));
  thud_text_free(&path);
  return error;
}
