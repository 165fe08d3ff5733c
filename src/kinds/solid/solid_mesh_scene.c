/* Meshes of `solid` scenes: rectangles, boxes, files of Gmsh. */
#include "kinds/solid/solid_scene.h"
#include "run/beside.h"
#include "scene/resolve.h"

#include <string.h>

/* Any file of Gmsh becomes text of the format 2.2 with what is needed of it. */
static thud_error convert_mesh(thud_context *context, const thud_node *map, const char *name, const char *bytes,
                               size_t size, thud_text *text) {
  thud_solid_mesh *mesh = NULL;
  char *written = NULL;
  (void)map;
  thud_error error = thud_solid_mesh_read_gmsh(context, name, bytes, size, &mesh);
  if (error != THUD_OK) return error;
  error = thud_solid_mesh_write_gmsh(mesh, &written);
  if (error == THUD_OK) thud_text_append(text, written, strlen(written));
  thud_solid_mesh_free_text(mesh, written);
  thud_solid_mesh_destroy(mesh);
  return error;
}

thud_error thud_solid_scene_take_mesh(thud_tree *tree, const thud_node *mesh) {
  return thud_run_take_file(tree, mesh, "gmsh", convert_mesh);
}

thud_error thud_solid_scene_numbers(solid_scene *made, const thud_node *list, size_t count, double *numbers) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(list) != count)
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "[wrong-count] %zu numbers are needed", count);
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = thud_scene_read_constant(made->scene, thud_node_item(list, k), &numbers[k]);
  return error;
}

/* rectangle: [left, bottom, right, top] or box: the lowest corner, then the highest. */
static thud_error read_box(solid_scene *made, const thud_node *mesh, const thud_node *box, thud_index d) {
  const char *const keys[] = {d == 2 ? "rectangle" : "box", "cells", "order"};
  const thud_node *list, *node;
  double corners[6], count = 1, order = 1;
  thud_index cells[3] = {1, 1, 1};
  thud_error error = thud_node_check_keys(mesh, keys, 3);
  if (error == THUD_OK) error = thud_solid_scene_numbers(made, box, 2 * (size_t)d, corners);
  if (error == THUD_OK)
    error = thud_node_require_as(
        mesh, "cells", d == 2 ? "[nx, ny], the numbers of cells" : "[nx, ny, nz], the numbers of cells", &list);
  if (error == THUD_OK) error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(list) != (size_t)d)
    error =
        thud_node_fail(list, THUD_ERROR_SCHEMA, "[wrong-count] the numbers of cells along %d axes are needed", (int)d);
  for (size_t k = 0; k < (size_t)d && error == THUD_OK; k++) {
    error = thud_scene_read_whole(made->scene, thud_node_item(list, k), 1, 1e8, &count);
    if (error == THUD_OK) cells[k] = (thud_index)count;
  }
  if (error == THUD_OK) error = thud_node_require(mesh, "order", &node);
  if (error == THUD_OK) error = thud_scene_read_whole(made->scene, node, 1, 2, &order);
  if (error != THUD_OK) return error;
  return thud_solid_mesh_box(made->scene->context, d, corners, corners + d, cells, (thud_index)order, &made->mesh);
}

static thud_error read_gmsh(solid_scene *made, const thud_node *mesh) {
  static const char *const keys[] = {"file", "gmsh"};
  const thud_node *node, *file = thud_node_find(mesh, "file");
  const char *text, *name = "mesh";
  thud_error error = thud_node_check_keys(mesh, keys, 2);
  if (error == THUD_OK && file != NULL) error = thud_node_read_string(file, &name);
  if (error == THUD_OK) error = thud_node_require_as(mesh, "gmsh", "the text of a Gmsh file", &node);
  if (error == THUD_OK) error = thud_node_read_string(node, &text);
  if (error != THUD_OK) return error;
  return thud_solid_mesh_read_gmsh(made->scene->context, name, text, strlen(text), &made->mesh);
}

thud_error thud_solid_scene_read_mesh(solid_scene *made, const thud_node *section) {
  const thud_node *mesh;
  thud_error error =
      thud_node_require_as(section, "mesh",
                           "{rectangle: [left, bottom, right, top], cells: [nx, ny]}, {box: [x, y, z of two "
                           "corners], cells: [nx, ny, nz]} or {file: NAME.msh}",
                           &mesh);
  if (error == THUD_OK) error = thud_node_expect(mesh, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  const thud_node *rectangle = thud_node_find(mesh, "rectangle"), *box = thud_node_find(mesh, "box");
  error = rectangle != NULL ? read_box(made, mesh, rectangle, 2)
          : box != NULL     ? read_box(made, mesh, box, 3)
                            : read_gmsh(made, mesh);
  if (error != THUD_OK && error != THUD_ERROR_MEMORY && error != THUD_ERROR_SCHEMA)
    return thud_node_fail_within(mesh, THUD_ERROR_SCHEMA);
  if (error == THUD_OK) made->view = thud_solid_mesh_get(made->mesh);
  return error;
}
