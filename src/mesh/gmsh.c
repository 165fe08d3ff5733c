/* Meshes of plane surfaces from Gmsh's files, formats 2.2 and 4.1, and into them. */
#include "base/base.h"
#include "base/json.h"
#include "mesh/gmsh.h"
#include "mesh/triangle_mesh.h"

#include <inttypes.h>
#include <stdio.h>

/* Arrays of the mesh. */
typedef struct gmsh_arrays {
  double *xy;
  thud_index *triangle, *edge, *group;
  const char **names;
  thud_index nodes, edges;
} gmsh_arrays;

/* Nodes of triangles are numbered in the order of their tags. */
static thud_error take_triangles(gmsh_file *file, gmsh_arrays *made) {
  double z = 0;
  for (size_t k = 0; k < 3 * file->triangle_count; k++) {
    const gmsh_element *element = &file->triangles[k / 3];
    gmsh_node *node = thud_gmsh_find_node(file, element->node[k % 3]);
    file->in.line = element->line;
    if (node == NULL) return thud_gmsh_fail(&file->in, "there is no node %" PRId64, element->node[k % 3]);
    if (k == 0) z = node->z;
    if (node->z != z)
      return thud_gmsh_fail(&file->in, "node %" PRId64 " is at z = %g, others at %g: the mesh is not plane", node->tag,
                            node->z, z);
    node->index = 0;
  }
  for (size_t k = 0; k < file->node_count; k++) {
    gmsh_node *node = &file->nodes[k];
    if (node->index < 0) continue;
    node->index = made->nodes++;
    made->xy[2 * (ptrdiff_t)node->index] = node->x;
    made->xy[2 * (ptrdiff_t)node->index + 1] = node->y;
  }
  for (size_t k = 0; k < 3 * file->triangle_count; k++)
    made->triangle[k] = thud_gmsh_find_node(file, file->triangles[k / 3].node[k % 3])->index;
  return THUD_OK;
}

static thud_error take_lines(gmsh_file *file, gmsh_arrays *made) {
  for (size_t k = 0; k < file->line_count; k++) {
    const gmsh_element *line = &file->lines[k];
    size_t group = thud_gmsh_find_group(file, 1, line->group);
    if (group == SIZE_MAX) return THUD_ERROR_MEMORY;
    file->in.line = line->line;
    for (int e = 0; e < 2; e++) {
      const gmsh_node *node = thud_gmsh_find_node(file, line->node[e]);
      if (node == NULL || node->index < 0)
        return thud_gmsh_fail(&file->in, "the line has the node %" PRId64 ", which no triangle has", line->node[e]);
      made->edge[2 * k + (size_t)e] = node->index;
    }
    made->group[k] = (thud_index)group;
  }
  made->edges = (thud_index)file->line_count;
  return THUD_OK;
}

static thud_error make_mesh(gmsh_file *file, gmsh_arrays *made, thud_mesh **mesh) {
  thud_context *context = file->in.context;
  if (file->triangle_count > INT32_MAX / 8 || file->node_count > INT32_MAX / 8 || file->line_count > INT32_MAX / 8)
    return thud_gmsh_fail(&file->in, "the mesh is too large");
  made->xy = THUD_NEW_ARRAY(context, double, 2 * file->node_count);
  made->triangle = THUD_NEW_ARRAY(context, thud_index, 3 * file->triangle_count);
  made->edge = THUD_NEW_ARRAY(context, thud_index, 2 * file->line_count);
  made->group = THUD_NEW_ARRAY(context, thud_index, file->line_count);
  if (made->xy == NULL || made->triangle == NULL || made->edge == NULL || made->group == NULL) return THUD_ERROR_MEMORY;
  thud_error error = take_triangles(file, made);
  if (error == THUD_OK) error = take_lines(file, made);
  if (error != THUD_OK) return error;
  made->names = THUD_NEW_ARRAY(context, const char *, file->group_count);
  if (made->names == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < file->group_count; k++) made->names[k] = file->groups[k].name;
  const thud_mesh_definition definition = {.nodes = made->nodes,
                                           .xy = made->xy,
                                           .triangles = (thud_index)file->triangle_count,
                                           .triangle = made->triangle,
                                           .edges = made->edges,
                                           .edge = made->edge,
                                           .edge_group = made->group,
                                           .groups = (thud_index)file->group_count,
                                           .group_names = made->names};
  error = thud_mesh_create(context, &definition, mesh);
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  return thud_fail_within(context, THUD_ERROR_FORMAT, "%s", file->in.name);
}

thud_error thud_mesh_read_gmsh(thud_context *context, const char *name, const char *bytes, size_t size,
                               thud_mesh **mesh) {
  THUD_REQUIRE(context, context, name, size == 0 || bytes, mesh);
  gmsh_file file = {.in = {.context = context, .name = name, .bytes = bytes, .size = size, .line = 1}};
  gmsh_arrays made = {0};
  thud_error error = thud_gmsh_read(&file);
  if (error == THUD_OK) error = make_mesh(&file, &made, mesh);
  void *const arrays[] = {made.xy, made.triangle, made.edge, made.group, (void *)made.names};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_gmsh_free(&file);
  return error;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void write_nodes(const thud_mesh *mesh, thud_text *text) {
  char x[THUD_DOUBLE_CAPACITY], y[THUD_DOUBLE_CAPACITY];
  thud_text_print(text, "$Nodes\n%td\n", (ptrdiff_t)mesh->nodes);
  for (thud_index i = 0; i < mesh->nodes; i++) {
    thud_format_double(mesh->xy[2 * (ptrdiff_t)i], x, sizeof x);
    thud_format_double(mesh->xy[2 * (ptrdiff_t)i + 1], y, sizeof y);
    thud_text_print(text, "%td %s %s 0\n", (ptrdiff_t)i + 1, x, y);
  }
  thud_text_print(text, "$EndNodes\n");
}

thud_error thud_mesh_write_gmsh(const thud_mesh *mesh, char **text) {
  THUD_REQUIRE_OF(mesh, text);
  thud_text made = thud_text_new(mesh->context);
  ptrdiff_t number = 1;
  thud_text_print(&made, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%td\n", (ptrdiff_t)mesh->groups);
  for (thud_index k = 0; k < mesh->groups; k++)
    thud_text_print(&made, "1 %td \"%s\"\n", (ptrdiff_t)k + 1, mesh->group_names[k]);
  thud_text_print(&made, "$EndPhysicalNames\n");
  write_nodes(mesh, &made);
  thud_text_print(&made, "$Elements\n%td\n", (ptrdiff_t)mesh->edges + mesh->triangles);
  for (thud_index k = 0; k < mesh->edges; k++)
    thud_text_print(&made, "%td 1 2 %td 1 %td %td\n", number++, (ptrdiff_t)mesh->edge_group[k] + 1,
                    (ptrdiff_t)mesh->edge[2 * (ptrdiff_t)k] + 1, (ptrdiff_t)mesh->edge[2 * (ptrdiff_t)k + 1] + 1);
  for (thud_index t = 0; t < mesh->triangles; t++) {
    const thud_index *corner = mesh->triangle + 3 * (ptrdiff_t)t;
    thud_text_print(&made, "%td 2 2 0 1 %td %td %td\n", number++, (ptrdiff_t)corner[0] + 1, (ptrdiff_t)corner[1] + 1,
                    (ptrdiff_t)corner[2] + 1);
  }
  thud_text_print(&made, "$EndElements\n");
  if (made.error == THUD_OK) *text = thud_strdup(mesh->context, thud_text_chars(&made));
  thud_error error = made.error != THUD_OK ? made.error : *text == NULL ? THUD_ERROR_MEMORY : THUD_OK;
  thud_text_free(&made);
  return error;
}

void thud_mesh_free_text(const thud_mesh *mesh, char *text) {
  THUD_REQUIRE_OR(, mesh);
  thud_free(mesh->context, text);
}
