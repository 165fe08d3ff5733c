/* Generated meshes of solids: rectangles and boxes, of first or second order. */
#include "base/base.h"
#include "mesh/element.h"
#include "mesh/solid_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A box in the making: nodes lie on a grid with `order` steps per cell, of which tetrahedra and triangles use all. */
typedef struct box {
  int d, order;
  thud_index cells[3], points[3]; /* points along each axis: order * cells + 1 */
  const double *low, *high;
  double *place;
  thud_index *element, *group, *side, *side_group;
  thud_index nodes, elements, sides;
} box;

enum { BODY_GROUP, FIRST_SIDE_GROUP };

/* ---- sizes ----------------------------------------------------------------------------------------------------------- */

static thud_error check_box(thud_context *context, const box *made) {
  double elements = made->d == 2 ? 2 : 6, nodes = 1;
  for (int k = 0; k < made->d; k++) {
    if (made->cells[k] < 1)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] %td cells; 1 or more are needed",
                       (ptrdiff_t)made->cells[k]);
    if (!(made->low[k] < made->high[k]) || !isfinite(made->high[k] - made->low[k]))
      return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] the box goes from %g to %g along axis %d",
                       made->low[k], made->high[k], k + 1);
    elements *= made->cells[k];
    nodes *= (double)made->order * made->cells[k] + 1;
  }
  if (fmax(elements, nodes) <= SOLID_MOST) return THUD_OK;
  /* what the matrix and its factor would take, at least */
  double rows = made->d == 2 ? 14 : 45, gigabytes = nodes * made->d * rows * 12 * 4 / 1e9;
  return thud_fail(
      context, THUD_ERROR_OVERFLOW,
      "[too-large] a mesh of %.3g elements and %.3g nodes, at most %d of each are possible; its stiffness matrix "
      "and the factor would take %.3g GB or more",
      elements, nodes, SOLID_MOST, gigabytes);
}

static thud_index node_at(const box *made, const thud_index *at) {
  thud_index z = made->d == 3 ? at[2] : 0;
  return at[0] + made->points[0] * (at[1] + made->points[1] * z);
}

static void place_nodes(const box *made) {
  for (thud_index i = 0; i < made->nodes; i++) {
    thud_index rest = i;
    for (int k = 0; k < made->d; k++) {
      thud_index steps = made->points[k] - 1, at = rest % made->points[k];
      rest /= made->points[k];
      double part = (double)at / steps;
      made->place[made->d * i + k] = at == steps ? made->high[k] : made->low[k] + part * (made->high[k] - made->low[k]);
    }
  }
}

/* The simplex with corners [d+1][d] on the grid of cells, and the middles of its edges. */
static void write_simplex(const box *made, int d, const thud_index corner[4][3], thud_index *out) {
  int count = element_corners(d, made->order);
  for (int k = 0; k < count; k++) {
    thud_index at[3] = {0, 0, 0};
    for (int c = 0; c < made->d; c++) {
      if (k <= d) {
        at[c] = made->order * corner[k][c];
      } else {
        const int *ends = thud_element_middle[d][k - d - 1];
        at[c] = corner[ends[0]][c] + corner[ends[1]][c];
      }
    }
    out[k] = node_at(made, at);
  }
}

/* ---- elements -------------------------------------------------------------------------------------------------------- */

/* Paths from the lowest to the highest corner of a cell, along the axes in each order. */
static const int orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static void fill_cell(box *made, const thud_index *cell) {
  int d = made->d, corners = element_corners(d, made->order);
  for (int k = 0; k < (d == 2 ? 2 : 6); k++) {
    thud_index corner[4][3] = {{0}};
    memcpy(corner[0], cell, 3 * sizeof *cell);
    for (int c = 1; c <= d; c++) {
      memcpy(corner[c], corner[c - 1], sizeof corner[c]);
      corner[c][orders[k][c - 1]]++;
    }
    write_simplex(made, d, (const thud_index(*)[3])corner, made->element + (size_t)made->elements++ * (size_t)corners);
  }
}

static void fill_elements(box *made) {
  thud_index cell[3] = {0, 0, 0}, depth = made->d == 3 ? made->cells[2] : 1;
  for (cell[2] = 0; cell[2] < depth; cell[2]++)
    for (cell[1] = 0; cell[1] < made->cells[1]; cell[1]++)
      for (cell[0] = 0; cell[0] < made->cells[0]; cell[0]++) fill_cell(made, cell);
}

/* ---- sides ----------------------------------------------------------------------------------------------------------- */

/* The side of a cell at one end of an axis: the simplices of the other axes' paths. */
static void fill_side(box *made, const thud_index *cell, int axis, thud_index group) {
  int d = made->d, corners = element_corners(d - 1, made->order);
  int other[2] = {axis == 0 ? 1 : 0, axis == 2 ? 1 : 2};
  for (int k = 0; k < d - 1; k++) {
    thud_index corner[4][3] = {{0}};
    memcpy(corner[0], cell, 3 * sizeof *cell);
    for (int c = 1; c < d; c++) {
      memcpy(corner[c], corner[c - 1], sizeof corner[c]);
      corner[c][other[d == 2 ? 0 : (k + c - 1) % 2]]++;
    }
    write_simplex(made, d - 1, (const thud_index(*)[3])corner, made->side + (size_t)made->sides * (size_t)corners);
    made->side_group[made->sides++] = group;
  }
}

static void fill_sides(box *made) {
  for (int axis = 0; axis < made->d; axis++)
    for (int end = 0; end < 2; end++) {
      thud_index cell[3] = {0, 0, 0}, last[3] = {1, 1, 1};
      for (int k = 0; k < made->d; k++) last[k] = k == axis ? 1 : made->cells[k];
      for (thud_index a = 0; a < last[0]; a++)
        for (thud_index b = 0; b < last[1]; b++)
          for (thud_index c = 0; c < last[2]; c++) {
            cell[0] = a, cell[1] = b, cell[2] = c;
            cell[axis] = end == 0 ? 0 : made->cells[axis];
            fill_side(made, cell, axis, FIRST_SIDE_GROUP + 2 * axis + end);
          }
    }
}

/* ---- the whole ------------------------------------------------------------------------------------------------------- */

static thud_error make_box(thud_context *context, box *made, thud_solid_mesh **mesh) {
  static const char *const plane[] = {"body", "left", "right", "bottom", "top"};
  static const char *const space[] = {"body", "left", "right", "front", "back", "bottom", "top"};
  const thud_index dimensions[7] = {made->d,     made->d - 1, made->d - 1, made->d - 1,
                                    made->d - 1, made->d - 1, made->d - 1};
  size_t elements = made->d == 2 ? 2 : 6, sides = 0;
  for (int k = 0; k < made->d; k++) {
    made->points[k] = made->order * made->cells[k] + 1;
    made->nodes = (k == 0 ? 1 : made->nodes) * made->points[k];
    elements *= (size_t)made->cells[k];
  }
  for (int k = 0; k < made->d; k++) {
    size_t across = made->d == 2 ? 2 : 4;
    for (int j = 0; j < made->d; j++) across *= j == k ? 1 : (size_t)made->cells[j];
    sides += across;
  }
  made->place = THUD_NEW_ARRAY(context, double, (size_t)made->d *(size_t)made->nodes);
  made->element = THUD_NEW_ARRAY(context, thud_index, elements * (size_t)element_corners(made->d, made->order));
  made->group = THUD_NEW_ARRAY(context, thud_index, elements);
  made->side = THUD_NEW_ARRAY(context, thud_index, sides * (size_t)element_corners(made->d - 1, made->order));
  made->side_group = THUD_NEW_ARRAY(context, thud_index, sides);
  if (made->place == NULL || made->element == NULL || made->group == NULL || made->side == NULL ||
      made->side_group == NULL)
    return THUD_ERROR_MEMORY;
  place_nodes(made);
  fill_elements(made);
  fill_sides(made);
  const thud_solid_mesh_definition definition = {.dimension = made->d,
                                                 .order = made->order,
                                                 .nodes = made->nodes,
                                                 .place = made->place,
                                                 .elements = made->elements,
                                                 .element = made->element,
                                                 .element_group = made->group,
                                                 .sides = made->sides,
                                                 .side = made->side,
                                                 .side_group = made->side_group,
                                                 .groups = made->d == 2 ? 5 : 7,
                                                 .group_names = made->d == 2 ? plane : space,
                                                 .group_dimension = dimensions};
  return thud_solid_mesh_create(context, &definition, mesh);
}

thud_error thud_solid_mesh_box(thud_context *context, thud_index dimension, const double *low, const double *high,
                               const thud_index *cells, thud_index order, thud_solid_mesh **mesh) {
  THUD_REQUIRE(context, context, low, high, cells, mesh);
  if (thud_solid_mesh_corners(dimension, order) == 0 || dimension < 2)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] a box of dimension %td with elements of order %td",
                     (ptrdiff_t)dimension, (ptrdiff_t)order);
  box made = {.d = (int)dimension, .order = (int)order, .low = low, .high = high};
  memcpy(made.cells, cells, (size_t)dimension * sizeof *cells);
  thud_error error = check_box(context, &made);
  if (error == THUD_OK) error = make_box(context, &made, mesh);
  void *const arrays[] = {made.place, made.element, made.group, made.side, made.side_group};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  return error;
}
