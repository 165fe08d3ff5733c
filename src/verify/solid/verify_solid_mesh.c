/* The checker's meshes of solids: rectangles and boxes as docs/solids.md describes them, texts of Gmsh's format 2.2 as records have
 * them. */
#include "verify/solid/verify_solid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MOST = 1e8;

void thud_verify_cells_free(thud_context *context, verify_cells *cells) {
  void *const arrays[] = {cells->place,      cells->element, cells->element_group, cells->side,
                          cells->side_group, cells->mark,    cells->mark_group,    cells->group};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  *cells = (verify_cells){0};
}

static size_t nodes_of(int d, int order) { return order == 1 ? (size_t)d + 1 : ((size_t)d + 1) * ((size_t)d + 2) / 2; }

void thud_verify_cells_edge(int d, size_t k, size_t ends[2]) {
  /* around the first triangle, then from the last corner: 03, 23, 13 */
  static const size_t last[3] = {0, 2, 1};
  if (d == 1) {
    ends[0] = 0, ends[1] = 1;
  } else if (k < 3) {
    ends[0] = k, ends[1] = (k + 1) % 3;
  } else {
    ends[0] = last[k - 3], ends[1] = 3;
  }
}

static thud_error allocate(thud_context *context, verify_cells *cells) {
  cells->corners = nodes_of(cells->d, cells->order);
  cells->side_corners = nodes_of(cells->d - 1, cells->order);
  cells->place = THUD_NEW_ARRAY(context, double, (size_t)cells->d * cells->nodes);
  cells->element = THUD_NEW_ARRAY(context, size_t, cells->corners * cells->elements);
  cells->element_group = THUD_NEW_ARRAY(context, size_t, cells->elements);
  cells->side = THUD_NEW_ARRAY(context, size_t, cells->side_corners * cells->sides);
  cells->side_group = THUD_NEW_ARRAY(context, size_t, cells->sides);
  cells->mark = THUD_NEW_ARRAY(context, size_t, cells->marks);
  cells->mark_group = THUD_NEW_ARRAY(context, size_t, cells->marks);
  cells->group = THUD_NEW_ARRAY(context, cell_group, cells->groups);
  bool complete = cells->place != NULL && cells->element != NULL && cells->element_group != NULL &&
                  cells->side != NULL && cells->side_group != NULL && cells->mark != NULL &&
                  cells->mark_group != NULL && cells->group != NULL;
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

/* ---- boxes ----------------------------------------------------------------------------------------------------------------- */

typedef struct grid {
  size_t cells[3], step[3]; /* cells along each axis; distance of neighbours in the numbers of nodes */
  double low[3], high[3];
} grid;

static thud_error read_numbers(verify_scene *scene, const thud_node *list, size_t count, double *numbers) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(list) != count)
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "%zu numbers are needed", count);
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = thud_verify_read_constant(scene, thud_node_item(list, k), &numbers[k]);
  return error;
}

/* Corners of the simplices of one cell as steps from its lowest corner: each goes to the opposite one along the axes in one order. */
static void place_element(verify_cells *cells, const grid *box, size_t first, size_t code, size_t *element) {
  size_t axes[3] = {0, 1, 2}, d = (size_t)cells->d;
  if (d == 2 && code == 1) axes[0] = 1, axes[1] = 0;
  if (d == 3) { /* the six orders of three axes */
    axes[0] = code / 2;
    axes[1] = (axes[0] + 1 + code % 2) % 3;
    axes[2] = 3 - axes[0] - axes[1];
  }
  element[0] = first;
  for (size_t k = 0; k < d; k++) element[k + 1] = element[k] + box->step[axes[k]] * (size_t)cells->order;
  for (size_t k = d + 1; k < cells->corners; k++) {
    size_t ends[2];
    thud_verify_cells_edge(cells->d, k - d - 1, ends);
    element[k] = (element[ends[0]] + element[ends[1]]) / 2; /* numbers are affine in the place */
  }
}

/* A side is on the boundary when all its corners are at one end of an axis. */
static void add_side(verify_cells *cells, const grid *box, const size_t *element, size_t opposite) {
  size_t d = (size_t)cells->d, corner[3], count = 0;
  for (size_t k = 0; k <= d; k++)
    if (k != opposite) corner[count++] = element[k];
  for (size_t axis = 0; axis < d; axis++)
    for (size_t end = 0; end < 2; end++) {
      bool all = true;
      for (size_t k = 0; k < d; k++)
        all = all && cells->place[d * corner[k] + axis] == (end == 0 ? box->low : box->high)[axis];
      if (!all) continue;
      size_t *side = cells->side + cells->side_corners * cells->sides;
      memcpy(side, corner, d * sizeof *corner);
      for (size_t k = d; k < cells->side_corners; k++) {
        size_t ends[2];
        thud_verify_cells_edge(cells->d - 1, k - d, ends);
        side[k] = (corner[ends[0]] + corner[ends[1]]) / 2;
      }
      cells->side_group[cells->sides++] = 1 + 2 * axis + end;
    }
}

static void fill_box(verify_cells *cells, const grid *box) {
  static const char *const plane[] = {"body", "left", "right", "bottom", "top"};
  static const char *const space[] = {"body", "left", "right", "front", "back", "bottom", "top"};
  size_t d = (size_t)cells->d, order = (size_t)cells->order, parts = d == 2 ? 2 : 6, all = cells->elements / parts;
  for (size_t i = 0; i < cells->nodes; i++)
    for (size_t k = 0; k < d; k++) {
      size_t steps = order * box->cells[k], at = i / box->step[k] % (steps + 1);
      cells->place[d * i + k] =
          at == steps ? box->high[k] : box->low[k] + (double)at / (double)steps * (box->high[k] - box->low[k]);
    }
  for (size_t k = 0; k < cells->groups; k++) {
    snprintf(cells->group[k].name, sizeof cells->group[k].name, "%s", d == 2 ? plane[k] : space[k]);
    cells->group[k].dimension = k == 0 ? cells->d : cells->d - 1;
  }
  for (size_t cell = 0; cell < all; cell++) {
    size_t rest = cell, first = 0;
    for (size_t k = 0; k < d; k++) {
      first += rest % box->cells[k] * order * box->step[k];
      rest /= box->cells[k];
    }
    for (size_t code = 0; code < parts; code++) {
      size_t *element = cells->element + cells->corners * (parts * cell + code);
      place_element(cells, box, first, code, element);
      for (size_t k = 0; k <= d; k++) add_side(cells, box, element, k);
    }
  }
}

static thud_error make_box(verify_scene *scene, const thud_node *node, const thud_node *corners, verify_cells *cells) {
  const thud_node *list, *order;
  double numbers[6], count[3], value = 1;
  grid box = {{1, 1, 1}, {1, 1, 1}, {0}, {0}};
  size_t d = (size_t)cells->d, sides = 0;
  thud_error error = read_numbers(scene, corners, 2 * d, numbers);
  if (error == THUD_OK) error = thud_node_require(node, "cells", &list);
  if (error == THUD_OK) error = read_numbers(scene, list, d, count);
  if (error == THUD_OK) error = thud_node_require(node, "order", &order);
  if (error == THUD_OK) error = thud_verify_read_constant(scene, order, &value);
  if (error != THUD_OK) return error;
  cells->order = value == 2 ? 2 : 1;
  cells->nodes = 1;
  cells->elements = d == 2 ? 2 : 6;
  for (size_t k = 0; k < d; k++) {
    if (!(count[k] >= 1 && count[k] * (double)cells->elements < MOST))
      return thud_node_fail(list, THUD_ERROR_SCHEMA, "these are no numbers of cells");
    box.low[k] = numbers[k], box.high[k] = numbers[d + k];
    box.cells[k] = (size_t)count[k];
    box.step[k] = cells->nodes;
    cells->nodes *= (size_t)cells->order * box.cells[k] + 1;
    cells->elements *= box.cells[k];
  }
  for (size_t k = 0; k < d; k++) sides += (d == 2 ? 2 : 4) * (cells->elements / (d == 2 ? 2 : 6)) / box.cells[k];
  cells->sides = sides;
  cells->groups = d == 2 ? 5 : 7;
  error = allocate(scene->context, cells);
  cells->sides = 0; /* counted as they are found */
  if (error == THUD_OK) fill_box(cells, &box);
  return error;
}

/* ---- texts ------------------------------------------------------------------------------------------------------------------ */

static const char *behind(const char *text, const char *word) {
  const char *at = strstr(text, word);
  return at != NULL ? at + strlen(word) : NULL;
}

/* The next whole number; SIZE_MAX: there is none. */
static size_t next_number(const char **at) {
  char *end;
  unsigned long long number = strtoull(*at, &end, 10);
  if (end == *at) return SIZE_MAX;
  *at = end;
  return (size_t)number;
}

/* Dimension and order of Gmsh's numbers of elements; -1: another one. */
static int dimension_of(size_t type, int *order) {
  static const size_t types[4][2] = {{15, 15}, {1, 8}, {2, 9}, {4, 11}};
  for (int d = 0; d < 4; d++)
    for (int k = 0; k < 2; k++)
      if (types[d][k] == type) {
        *order = k + 1;
        return d;
      }
  return -1;
}

/* The elements of the text; with cells->element NULL they are only counted. Lists have the dimension of the mesh, one less, 0. */
static bool take_elements(const char *at, verify_cells *cells) {
  size_t count = next_number(&at), found[3] = {0, 0, 0};
  bool filling = cells->element != NULL;
  for (size_t k = 0; k < count; k++) {
    int order = 1;
    size_t head[5];
    for (int w = 0; w < 5; w++) head[w] = next_number(&at); /* number, type, 2, group, entity */
    int d = dimension_of(head[1], &order);
    if (d < 0 || head[2] != 2 || head[3] == 0 || head[3] == SIZE_MAX) return false;
    if (d > cells->d) cells->d = d; /* elements come last, so that the first pass knows in the end */
    if (d == cells->d) cells->order = order;
    size_t list = d == cells->d ? 0 : d > 0 ? 1 : 2, corners = d == 0 ? 1 : nodes_of(d, order);
    if (filling && d > 0 && corners != (list == 0 ? cells->corners : cells->side_corners)) return false;
    size_t *nodes = !filling ? NULL : list == 0 ? cells->element : list == 1 ? cells->side : cells->mark;
    size_t *groups = !filling    ? NULL
                     : list == 0 ? cells->element_group
                     : list == 1 ? cells->side_group
                                 : cells->mark_group;
    for (size_t c = 0; c < corners; c++) {
      size_t node = next_number(&at);
      if (node == 0 || node > cells->nodes) return false;
      if (filling) nodes[corners * found[list] + c] = node - 1;
    }
    if (head[3] > cells->groups) return false;
    if (filling) groups[found[list]] = head[3] - 1;
    found[list]++;
  }
  cells->elements = found[0], cells->sides = found[1], cells->marks = found[2];
  return true;
}

/* How many of each there are: sides are told from elements once the dimension is known. */
static bool count_elements(const char *at, verify_cells *cells) {
  cells->d = 0;
  if (!take_elements(at, cells)) return false;
  return cells->d >= 2 && take_elements(at, cells);
}

static bool take_nodes(const char *at, verify_cells *cells) {
  (void)next_number(&at);
  for (size_t i = 0; i < cells->nodes; i++) {
    if (next_number(&at) != i + 1) return false;
    for (size_t k = 0; k < 3; k++) {
      char word[64];
      double number;
      at += strspn(at, " \n\r\t");
      size_t length = strcspn(at, " \n\r\t");
      snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), at);
      if (!thud_parse_double(word, &number)) return false;
      if (k < (size_t)cells->d) cells->place[(size_t)cells->d * i + k] = number;
      at += length;
    }
  }
  return true;
}

static bool take_names(const char *at, verify_cells *cells) {
  (void)next_number(&at);
  for (size_t k = 0; k < cells->groups; k++) {
    size_t dimension = next_number(&at), number = next_number(&at);
    const char *open = strchr(at, '"'), *close = open != NULL ? strchr(open + 1, '"') : NULL;
    if (close == NULL || number != k + 1 || dimension > 3) return false;
    snprintf(cells->group[k].name, sizeof cells->group[k].name, "%.*s", (int)(close - open - 1), open + 1);
    cells->group[k].dimension = (int)dimension;
    at = close + 1;
  }
  return true;
}

static thud_error read_text(verify_scene *scene, const thud_node *node, verify_cells *cells) {
  const char *text;
  const thud_node *gmsh;
  thud_error error = thud_node_require(node, "gmsh", &gmsh);
  if (error == THUD_OK) error = thud_node_read_string(gmsh, &text);
  if (error != THUD_OK) return error;
  const char *names = behind(text, "$PhysicalNames\n"), *nodes = behind(text, "$Nodes\n");
  const char *elements = behind(text, "$Elements\n");
  bool good = names != NULL && nodes != NULL && elements != NULL && strncmp(text, "$MeshFormat\n2.2 0 8\n", 20) == 0;
  size_t most = strlen(text) / 4;
  if (good) {
    cells->groups = (size_t)strtoull(names, NULL, 10);
    cells->nodes = (size_t)strtoull(nodes, NULL, 10);
    good = cells->groups <= most && cells->nodes <= most && count_elements(elements, cells) && cells->elements <= most;
  }
  if (!good) return thud_node_fail(gmsh, THUD_ERROR_SCHEMA, "this is no mesh as records have it");
  error = allocate(scene->context, cells);
  if (error != THUD_OK) return error;
  good = take_names(names, cells) && take_nodes(nodes, cells) && take_elements(elements, cells);
  return good ? THUD_OK : thud_node_fail(gmsh, THUD_ERROR_SCHEMA, "this is no mesh as records have it");
}

thud_error thud_verify_cells_read(verify_scene *scene, const thud_node *mesh, verify_cells *cells) {
  const thud_node *rectangle = thud_node_find(mesh, "rectangle"), *box = thud_node_find(mesh, "box");
  *cells = (verify_cells){.d = rectangle != NULL ? 2 : 3, .order = 1};
  if (rectangle != NULL || box != NULL) return make_box(scene, mesh, rectangle != NULL ? rectangle : box, cells);
  return read_text(scene, mesh, cells);
}
