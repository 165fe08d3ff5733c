/* Meshes of solids from Gmsh's files, formats 2.2 and 4.1, and into them. */
#include "base/base.h"
#include "base/json.h"
#include "mesh/element.h"
#include "mesh/gmsh.h"
#include "mesh/solid_mesh.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const int types[4][3] = {{GMSH_POINT, GMSH_POINT, GMSH_POINT},
                                {0, GMSH_LINE, GMSH_LINE3},
                                {0, GMSH_TRIANGLE, GMSH_TRIANGLE6},
                                {0, GMSH_TETRAHEDRON, GMSH_TETRAHEDRON10}};

/* A mesh in the making. */
typedef struct gmsh_solid {
  gmsh_file file;
  thud_solid_mesh_definition mesh;
  double *place;
  thud_index *element, *element_group, *side, *side_group, *mark, *mark_group, *dimension;
  const char **names;
  const gmsh_element *elements, *sides; /* of the file */
  size_t element_count, side_count, mark_room;
  thud_index body; /* group of elements without one, -1: not needed so far */
} gmsh_solid;

/* ---- from a file ------------------------------------------------------------------------------------------------------ */

static bool is_same_element(const gmsh_element *a, const gmsh_element *b) {
  return a->line == b->line && a->type == b->type && memcmp(a->node, b->node, sizeof a->node) == 0;
}

/* An element in several groups is read once for each: the first one counts. */
static bool is_repeated(const gmsh_solid *made, size_t k) {
  return k > 0 && is_same_element(&made->elements[k - 1], &made->elements[k]);
}

static thud_error choose_lists(gmsh_solid *made) {
  gmsh_file *file = &made->file;
  bool space = file->tetrahedron_count > 0;
  made->elements = space ? file->tetrahedrons : file->triangles;
  made->element_count = space ? file->tetrahedron_count : file->triangle_count;
  made->sides = space ? file->triangles : file->lines;
  made->side_count = space ? file->triangle_count : file->line_count;
  made->mesh.dimension = space ? 3 : 2;
  made->mesh.order = made->elements[0].type == types[made->mesh.dimension][1] ? 1 : 2;
  size_t most = SOLID_MOST;
  if (made->element_count > most || file->node_count > most || made->side_count > most)
    return thud_gmsh_fail(&file->in, "a mesh of %zu elements and %zu nodes is too large", made->element_count,
                          file->node_count);
  for (size_t k = 0; k < made->element_count; k++)
    if (made->elements[k].type != types[made->mesh.dimension][made->mesh.order]) {
      file->in.line = made->elements[k].line;
      return thud_gmsh_fail(&file->in, "elements of first and of second order in one mesh; gmsh -order makes them one");
    }
  return THUD_OK;
}

/* Nodes of elements get numbers in the order of their tags; those of no element are dropped. */
static thud_error take_nodes(gmsh_solid *made) {
  gmsh_file *file = &made->file;
  int d = (int)made->mesh.dimension, corners = element_corners(d, (int)made->mesh.order);
  double z = 0;
  for (size_t k = 0; k < made->element_count; k++)
    for (int c = 0; c < corners; c++) {
      gmsh_node *node = thud_gmsh_find_node(file, made->elements[k].node[c]);
      file->in.line = made->elements[k].line;
      if (node == NULL) return thud_gmsh_fail(&file->in, "there is no node %" PRId64, made->elements[k].node[c]);
      if (k == 0 && c == 0) z = node->z;
      if (d == 2 && node->z != z)
        return thud_gmsh_fail(&file->in, "node %" PRId64 " is at z = %g, others at %g: the mesh is not plane",
                              node->tag, node->z, z);
      node->index = 0;
    }
  made->place = THUD_NEW_ARRAY(file->in.context, double, (size_t)d * file->node_count);
  if (made->place == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < file->node_count; k++) {
    gmsh_node *node = &file->nodes[k];
    const double place[3] = {node->x, node->y, node->z};
    if (node->index < 0) continue;
    node->index = made->mesh.nodes++;
    memcpy(made->place + (size_t)d * (size_t)node->index, place, (size_t)d * sizeof *place);
  }
  return THUD_OK;
}

/* Number of a group in the mesh: the file's groups, then the one of elements without. */
static thud_error group_of(gmsh_solid *made, thud_index dimension, int64_t tag, thud_index *group) {
  size_t found = thud_gmsh_find_group(&made->file, dimension, tag);
  *group = (thud_index)found;
  return found == SIZE_MAX ? THUD_ERROR_MEMORY : THUD_OK;
}

static thud_error take_elements(gmsh_solid *made) {
  thud_context *context = made->file.in.context;
  int corners = element_corners((int)made->mesh.dimension, (int)made->mesh.order);
  size_t kept = 0;
  thud_error error = THUD_OK;
  made->element = THUD_NEW_ARRAY(context, thud_index, (size_t)corners * made->element_count);
  made->element_group = THUD_NEW_ARRAY(context, thud_index, made->element_count);
  if (made->element == NULL || made->element_group == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < made->element_count && error == THUD_OK; k++) {
    if (is_repeated(made, k)) continue;
    for (int c = 0; c < corners; c++)
      made->element[kept * (size_t)corners + (size_t)c] =
          thud_gmsh_find_node(&made->file, made->elements[k].node[c])->index;
    int64_t tag = made->elements[k].group;
    error = group_of(made, made->mesh.dimension, tag, &made->element_group[kept]);
    if (tag == 0 && error == THUD_OK) made->body = made->element_group[kept];
    kept++;
  }
  made->mesh.elements = (thud_index)kept;
  return error;
}

/* The index of a node that elements have. */
static thud_error used_node(gmsh_solid *made, const gmsh_element *element, int c, thud_index *index) {
  const gmsh_node *node = thud_gmsh_find_node(&made->file, element->node[c]);
  made->file.in.line = element->line;
  if (node == NULL || node->index < 0)
    return thud_gmsh_fail(&made->file.in, "a group has the node %" PRId64 ", which no element of the solid has",
                          element->node[c]);
  *index = node->index;
  return THUD_OK;
}

static thud_error take_sides(gmsh_solid *made) {
  thud_context *context = made->file.in.context;
  int d = (int)made->mesh.dimension - 1, corners = element_corners(d, (int)made->mesh.order);
  size_t kept = 0;
  thud_error error = THUD_OK;
  made->side = THUD_NEW_ARRAY(context, thud_index, (size_t)corners * made->side_count);
  made->side_group = THUD_NEW_ARRAY(context, thud_index, made->side_count);
  if (made->side == NULL || made->side_group == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < made->side_count && error == THUD_OK; k++) {
    const gmsh_element *side = &made->sides[k];
    if (side->group == 0) continue;
    made->file.in.line = side->line;
    if (side->type != types[d][made->mesh.order])
      error = thud_gmsh_fail(&made->file.in, "a side of another order than the elements");
    for (int c = 0; c < corners && error == THUD_OK; c++)
      error = used_node(made, side, c, &made->side[kept * (size_t)corners + (size_t)c]);
    if (error == THUD_OK) error = group_of(made, d, side->group, &made->side_group[kept++]);
  }
  made->mesh.sides = (thud_index)kept;
  return error;
}

static thud_error take_mark(gmsh_solid *made, const gmsh_element *element, thud_index dimension) {
  thud_error error = THUD_OK;
  for (int c = 0; c < thud_gmsh_corners(element->type) && error == THUD_OK; c++) {
    thud_index index = 0, group = 0;
    size_t room = made->mark_room, more = (size_t)made->mesh.marks + 1;
    error = used_node(made, element, c, &index);
    if (error == THUD_OK) error = group_of(made, dimension, element->group, &group);
    if (error == THUD_OK)
      error = thud_array_reserve(made->file.in.context, &made->mark, &room, more, sizeof *made->mark);
    if (error == THUD_OK)
      error = thud_array_reserve(made->file.in.context, &made->mark_group, &made->mark_room, more, sizeof *made->mark);
    if (error != THUD_OK) return error;
    made->mark[made->mesh.marks] = index;
    made->mark_group[made->mesh.marks++] = group;
  }
  return error;
}

static thud_error take_marks(gmsh_solid *made) {
  gmsh_file *file = &made->file;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < file->point_count && error == THUD_OK; k++) error = take_mark(made, &file->points[k], 0);
  for (size_t k = 0; made->mesh.dimension == 3 && k < file->line_count && error == THUD_OK; k++)
    error = take_mark(made, &file->lines[k], 1);
  return error;
}

static thud_error make_mesh(gmsh_solid *made, thud_solid_mesh **mesh) {
  thud_context *context = made->file.in.context;
  size_t groups = made->file.group_count;
  made->names = THUD_NEW_ARRAY(context, const char *, groups);
  made->dimension = THUD_NEW_ARRAY(context, thud_index, groups);
  if (made->names == NULL || made->dimension == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < groups; k++) {
    made->names[k] = (thud_index)k == made->body ? "body" : made->file.groups[k].name;
    made->dimension[k] = (thud_index)made->file.groups[k].dimension;
  }
  made->mesh.place = made->place;
  made->mesh.element = made->element;
  made->mesh.element_group = made->element_group;
  made->mesh.side = made->side;
  made->mesh.side_group = made->side_group;
  made->mesh.mark = made->mark;
  made->mesh.mark_group = made->mark_group;
  made->mesh.groups = (thud_index)groups;
  made->mesh.group_names = made->names;
  made->mesh.group_dimension = made->dimension;
  thud_error error = thud_solid_mesh_create(context, &made->mesh, mesh);
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  return thud_fail_within(context, THUD_ERROR_FORMAT, "%s", made->file.in.name);
}

thud_error thud_solid_mesh_read_gmsh(thud_context *context, const char *name, const char *bytes, size_t size,
                                     thud_solid_mesh **mesh) {
  THUD_REQUIRE(context, context, name, size == 0 || bytes, mesh);
  gmsh_solid made = {
      .body = -1,
      .file = {.in = {.context = context, .name = name, .bytes = bytes, .size = size, .line = 1}, .solid = true}};
  thud_error error = thud_gmsh_read(&made.file);
  if (error == THUD_OK) error = choose_lists(&made);
  if (error == THUD_OK) error = take_nodes(&made);
  if (error == THUD_OK) error = take_elements(&made);
  if (error == THUD_OK) error = take_sides(&made);
  if (error == THUD_OK) error = take_marks(&made);
  if (error == THUD_OK) error = make_mesh(&made, mesh);
  void *const arrays[] = {made.place, made.element,    made.element_group, made.side,     made.side_group,
                          made.mark,  made.mark_group, (void *)made.names, made.dimension};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_gmsh_free(&made.file);
  return error;
}

/* ---- writing ---------------------------------------------------------------------------------------------------------- */

static void write_nodes(const thud_solid_mesh *mesh, thud_text *text) {
  thud_text_print(text, "$Nodes\n%td\n", (ptrdiff_t)mesh->nodes);
  for (thud_index i = 0; i < mesh->nodes; i++) {
    thud_text_print(text, "%td", (ptrdiff_t)i + 1);
    for (int k = 0; k < 3; k++) {
      char number[THUD_DOUBLE_CAPACITY];
      size_t at = (size_t)mesh->dimension * (size_t)i + (size_t)k;
      thud_format_double(k < mesh->dimension ? mesh->place[at] : 0, number, sizeof number);
      thud_text_print(text, " %s", number);
    }
    thud_text_print(text, "\n");
  }
  thud_text_print(text, "$EndNodes\n");
}

static void write_element(thud_text *text, ptrdiff_t *number, int type, thud_index group, int corners,
                          const thud_index *node) {
  thud_text_print(text, "%td %d 2 %td 1", (*number)++, type, (ptrdiff_t)group + 1);
  for (int c = 0; c < corners; c++) thud_text_print(text, " %td", (ptrdiff_t)node[c] + 1);
  thud_text_print(text, "\n");
}

thud_error thud_solid_mesh_write_gmsh(const thud_solid_mesh *mesh, char **text) {
  THUD_REQUIRE_OF(mesh, text);
  thud_text made = thud_text_new(mesh->context);
  ptrdiff_t number = 1;
  int d = (int)mesh->dimension, corners = (int)mesh->corners, side_corners = (int)mesh->side_corners;
  thud_text_print(&made, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%td\n", (ptrdiff_t)mesh->groups);
  for (thud_index k = 0; k < mesh->groups; k++) {
    /* marks of curves become points */
    ptrdiff_t dimension = mesh->group_dimension[k] < d - 1 ? 0 : mesh->group_dimension[k];
    thud_text_print(&made, "%td %td \"%s\"\n", dimension, (ptrdiff_t)k + 1, mesh->group_names[k]);
  }
  thud_text_print(&made, "$EndPhysicalNames\n");
  write_nodes(mesh, &made);
  thud_text_print(&made, "$Elements\n%td\n", (ptrdiff_t)mesh->marks + mesh->sides + mesh->elements);
  for (thud_index k = 0; k < mesh->marks; k++)
    write_element(&made, &number, GMSH_POINT, mesh->mark_group[k], 1, &mesh->mark[k]);
  for (thud_index k = 0; k < mesh->sides; k++)
    write_element(&made, &number, types[d - 1][mesh->order], mesh->side_group[k], side_corners,
                  mesh->side + (size_t)side_corners * (size_t)k);
  for (thud_index k = 0; k < mesh->elements; k++)
    write_element(&made, &number, types[d][mesh->order], mesh->element_group[k], corners,
                  mesh->element + (size_t)corners * (size_t)k);
  thud_text_print(&made, "$EndElements\n");
  if (made.error == THUD_OK) *text = thud_strdup(mesh->context, thud_text_chars(&made));
  thud_error error = made.error != THUD_OK ? made.error : *text == NULL ? THUD_ERROR_MEMORY : THUD_OK;
  thud_text_free(&made);
  return error;
}

void thud_solid_mesh_free_text(const thud_solid_mesh *mesh, char *text) {
  THUD_REQUIRE_OR(, mesh);
  thud_free(mesh->context, text);
}
