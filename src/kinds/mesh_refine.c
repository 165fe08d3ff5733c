/* Meshes of strings, beams, membranes, plates and half-planes made finer: the numbers of cells in the text of a scene become
 * larger, and nodes in a list get others between them. */
#include "kinds/mesh_refine.h"
#include "base/json.h"
#include "thud/run.h"

#include <stdio.h>
#include <string.h>

thud_error thud_kind_rewrite(thud_tree *tree, const thud_node *number, const char *path, const char *before,
                             const char *after) {
  char digits[THUD_DOUBLE_CAPACITY], value[1024];
  const char *text = digits;
  if (thud_node_get_kind(number) == THUD_NODE_NUMBER)
    thud_format_double(thud_node_number(number), digits, sizeof digits);
  else if (thud_node_get_kind(number) == THUD_NODE_STRING && strlen(thud_node_string(number)) < 900 &&
           strpbrk(thud_node_string(number), "\"\\") == NULL)
    text = thud_node_string(number);
  else
    return thud_node_fail(number, THUD_ERROR_UNSUPPORTED, "[bad-study] this number of cells cannot be refined");
  snprintf(value, sizeof value, "\"%s%s%s\"", before, text, after);
  return thud_tree_set(tree, path, value);
}

thud_error thud_kind_refuse_mesh(const thud_node *mesh) {
  return thud_node_fail(mesh, THUD_ERROR_UNSUPPORTED,
                        "[bad-study] a mesh with places of its own is not refined; give numbers of cells");
}

/* "(" NUMBER ")*2^levels" */
static thud_error multiply(thud_tree *tree, const thud_node *number, const char *path, int levels) {
  char after[40];
  snprintf(after, sizeof after, ")*%d", 1 << levels);
  return number != NULL ? thud_kind_rewrite(tree, number, path, "(", after) : THUD_OK;
}

/* ---- strings and beams -------------------------------------------------------------------------------------------- */

/* Each cell between two places of a list becomes 2^levels ones. */
static thud_error divide_list(thud_context *context, thud_tree *tree, const thud_node *nodes, const char *path,
                              int levels) {
  thud_text text = thud_text_new(context);
  int parts = 1 << levels;
  thud_error error = THUD_OK;
  thud_text_print(&text, "[");
  for (size_t k = 0; k < thud_node_count(nodes) && error == THUD_OK; k++) {
    const thud_node *here = thud_node_item(nodes, k), *next = k > 0 ? thud_node_item(nodes, k - 1) : here;
    if (thud_node_get_kind(here) != THUD_NODE_NUMBER || thud_node_get_kind(next) != THUD_NODE_NUMBER)
      error = thud_node_fail(here, THUD_ERROR_UNSUPPORTED,
                             "[bad-study] a list of nodes is refined when it has numbers only");
    double to = error == THUD_OK ? thud_node_number(here) : 0, from = error == THUD_OK ? thud_node_number(next) : 0;
    for (int j = k > 0 ? 1 : parts; j <= parts && error == THUD_OK; j++) {
      char digits[THUD_DOUBLE_CAPACITY];
      thud_format_double(j == parts ? to : from + (to - from) * j / parts, digits, sizeof digits);
      thud_text_print(&text, "%s%s", k > 0 ? ", " : "", digits);
    }
  }
  thud_text_print(&text, "]");
  if (error == THUD_OK) error = text.error;
  if (error == THUD_OK) error = thud_tree_set(tree, path, thud_text_chars(&text));
  thud_text_free(&text);
  return error;
}

static thud_error refine_line(thud_context *context, thud_tree *tree, int levels) {
  const thud_node *root = thud_tree_root(tree), *string = thud_node_find(root, "string");
  const thud_node *section = string != NULL ? string : thud_node_find(root, "beam"), *nodes = NULL;
  const char *path = string != NULL ? "string.nodes" : "beam.nodes";
  char after[40];
  snprintf(after, sizeof after, " - 1)*%d + 1", 1 << levels);
  thud_error error = thud_node_require(section, "nodes", &nodes);
  if (error != THUD_OK) return error;
  return thud_node_get_kind(nodes) == THUD_NODE_SEQUENCE ? divide_list(context, tree, nodes, path, levels)
                                                         : thud_kind_rewrite(tree, nodes, path, "(", after);
}

/* Forces on nodes are no fields that different meshes share. */
static const char *const line_fields[] = {"u", "v", NULL};
const thud_kind_study thud_line_study = {
    .kind = THUD_STUDY_OF_QUANTITIES, .refine_mesh = refine_line, .fields = line_fields};

/* ---- membranes and plates ------------------------------------------------------------------------------------------- */

static thud_error refine_surface(thud_context *context, thud_tree *tree, int levels) {
  static const char *const cells_path[2] = {"mesh.cells.0", "mesh.cells.1"};
  (void)context;
  const thud_node *root = thud_tree_root(tree), *plate = thud_node_find(root, "plate"), *mesh = NULL;
  const char *name = plate != NULL ? "plate" : "membrane";
  thud_error error = thud_node_require(plate != NULL ? plate : thud_node_find(root, "membrane"), "mesh", &mesh);
  if (error != THUD_OK) return error;
  const thud_node *rings = thud_node_find(mesh, "rings"), *cells = thud_node_find(mesh, "cells");
  char path[64];
  snprintf(path, sizeof path, "%s.mesh.rings", name);
  if (rings != NULL) return multiply(tree, rings, path, levels);
  if (cells == NULL || thud_node_get_kind(cells) != THUD_NODE_SEQUENCE) return thud_kind_refuse_mesh(mesh);
  for (size_t d = 0; d < 2 && error == THUD_OK; d++) {
    cells = thud_node_find(mesh, "cells");
    snprintf(path, sizeof path, "%s.%s", name, cells_path[d]);
    error = multiply(tree, d < thud_node_count(cells) ? thud_node_item(cells, d) : NULL, path, levels);
  }
  return error;
}

const thud_kind_study thud_surface_study = {.kind = THUD_STUDY_OF_QUANTITIES, .refine_mesh = refine_surface};

/* ---- half-planes ------------------------------------------------------------------------------------------------------ */

static thud_error refine_half_plane(thud_context *context, thud_tree *tree, int levels) {
  (void)context;
  const thud_node *section = thud_node_find(thud_tree_root(tree), "half_plane"), *mesh = NULL;
  thud_error error = thud_node_require(section, "mesh", &mesh);
  if (error != THUD_OK) return error;
  const thud_node *elements = thud_node_find(mesh, "elements");
  return elements != NULL ? multiply(tree, elements, "half_plane.mesh.elements", levels) : thud_kind_refuse_mesh(mesh);
}

const thud_kind_study thud_half_plane_study = {.kind = THUD_STUDY_OF_QUANTITIES, .refine_mesh = refine_half_plane};
