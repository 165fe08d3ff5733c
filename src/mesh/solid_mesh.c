/* Meshes of solids: checked copies whose elements have positive volumes and whose sides look outwards. */
#include "mesh/solid_mesh.h"
#include "base/base.h"
#include "mesh/element.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An element whose volume is less than this part of that of a box around its longest edge has none. */
static const double FLAT = 1e-10;

thud_index thud_solid_mesh_corners(thud_index dimension, thud_index order) {
  bool known = dimension >= 1 && dimension <= 3 && (order == 1 || order == 2);
  return known ? element_corners((int)dimension, (int)order) : 0;
}

void thud_solid_mesh_destroy(thud_solid_mesh *mesh) {
  if (mesh == NULL) return;
  thud_context *context = mesh->context;
  for (thud_index k = 0; mesh->group_names != NULL && k < mesh->groups; k++) thud_free(context, mesh->group_names[k]);
  void *const arrays[] = {(void *)mesh->group_names,
                          mesh->place,
                          mesh->element,
                          mesh->element_group,
                          mesh->side,
                          mesh->side_group,
                          mesh->mark,
                          mesh->mark_group,
                          mesh->group_dimension,
                          mesh->side_inside,
                          mesh->skin};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_free(context, mesh);
}

thud_solid_mesh_definition thud_solid_mesh_get(const thud_solid_mesh *mesh) {
  THUD_REQUIRE_OR(((thud_solid_mesh_definition){0}), mesh);
  return (thud_solid_mesh_definition){.dimension = mesh->dimension,
                                      .order = mesh->order,
                                      .nodes = mesh->nodes,
                                      .place = mesh->place,
                                      .elements = mesh->elements,
                                      .element = mesh->element,
                                      .element_group = mesh->element_group,
                                      .sides = mesh->sides,
                                      .side = mesh->side,
                                      .side_group = mesh->side_group,
                                      .marks = mesh->marks,
                                      .mark = mesh->mark,
                                      .mark_group = mesh->mark_group,
                                      .groups = mesh->groups,
                                      .group_names = (const char *const *)mesh->group_names,
                                      .group_dimension = mesh->group_dimension,
                                      .side_inside = mesh->side_inside,
                                      .skins = mesh->skins,
                                      .skin = mesh->skin};
}

const char *thud_solid_mesh_place(thud_index dimension, const double *place, char text[80]) {
  if (dimension == 2)
    snprintf(text, 80, "(%.6g, %.6g)", place[0], place[1]);
  else
    snprintf(text, 80, "(%.6g, %.6g, %.6g)", place[0], place[1], place[2]);
  return text;
}

thud_index thud_solid_mesh_find_group(const thud_solid_mesh *mesh, const char *name, thud_index dimension) {
  THUD_REQUIRE_OR(-1, mesh, name);
  for (thud_index k = 0; k < mesh->groups; k++)
    if (mesh->group_dimension[k] == dimension && strcmp(mesh->group_names[k], name) == 0) return k;
  return -1;
}

/* ---- checks of the definition -------------------------------------------------------------------------------------- */

static thud_error check_sizes(thud_context *context, const thud_solid_mesh_definition *given) {
  bool known = (given->dimension == 2 || given->dimension == 3) && (given->order == 1 || given->order == 2);
  if (!known || given->nodes <= given->dimension || given->elements < 1 || given->sides < 0 || given->marks < 0 ||
      given->groups < 1)
    return thud_fail(
        context, THUD_ERROR_ARGUMENT,
        "[bad-mesh-file] a mesh of a solid has the dimension 2 or 3, elements of order 1 or 2, and at least "
        "one element and one group");
  if (given->nodes > SOLID_MOST || given->elements > SOLID_MOST || given->sides > SOLID_MOST ||
      given->marks > SOLID_MOST)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "[bad-mesh-file] a mesh has at most %d nodes, elements and sides",
                     SOLID_MOST);
  if (given->place == NULL || given->element == NULL || given->element_group == NULL || given->group_names == NULL ||
      given->group_dimension == NULL || (given->sides > 0 && (given->side == NULL || given->side_group == NULL)) ||
      (given->marks > 0 && (given->mark == NULL || given->mark_group == NULL)))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-mesh-file] an array of the mesh is NULL");
  return THUD_OK;
}

static bool is_within(size_t count, const thud_index *list, thud_index limit) {
  for (size_t k = 0; k < count; k++)
    if (list[k] < 0 || list[k] >= limit) return false;
  return true;
}

static thud_error check_indices(thud_context *context, const thud_solid_mesh_definition *given, size_t corners,
                                size_t side_corners) {
  bool good = is_within(corners * (size_t)given->elements, given->element, given->nodes) &&
              is_within((size_t)given->elements, given->element_group, given->groups) &&
              is_within(side_corners * (size_t)given->sides, given->side, given->nodes) &&
              is_within((size_t)given->sides, given->side_group, given->groups) &&
              is_within((size_t)given->marks, given->mark, given->nodes) &&
              is_within((size_t)given->marks, given->mark_group, given->groups);
  for (size_t k = 0; k < (size_t)given->dimension * (size_t)given->nodes; k++)
    if (!isfinite(given->place[k]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "[bad-mesh-file] a coordinate of node %zu is %g",
                       k / (size_t)given->dimension, given->place[k]);
  if (good) return THUD_OK;
  return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-mesh-file] a node or group of the mesh does not exist");
}

/* ---- the copy ------------------------------------------------------------------------------------------------------ */

static void *copy_of(thud_context *context, size_t count, size_t size, const void *from) {
  void *made = thud_alloc(context, count, size);
  if (made != NULL && count > 0) memcpy(made, from, count * size);
  return made;
}

static thud_solid_mesh *copy(thud_context *context, const thud_solid_mesh_definition *given) {
  thud_solid_mesh *mesh = THUD_NEW(context, thud_solid_mesh);
  if (mesh == NULL) return NULL;
  *mesh = (thud_solid_mesh){.context = context,
                            .dimension = given->dimension,
                            .order = given->order,
                            .nodes = given->nodes,
                            .elements = given->elements,
                            .sides = given->sides,
                            .marks = given->marks,
                            .groups = given->groups,
                            .corners = thud_solid_mesh_corners(given->dimension, given->order),
                            .side_corners = thud_solid_mesh_corners(given->dimension - 1, given->order)};
  size_t elements = (size_t)given->elements, sides = (size_t)given->sides, marks = (size_t)given->marks;
  const size_t index = sizeof(thud_index);
  mesh->place = copy_of(context, (size_t)given->dimension * (size_t)given->nodes, sizeof(double), given->place);
  mesh->element = copy_of(context, (size_t)mesh->corners * elements, index, given->element);
  mesh->element_group = copy_of(context, elements, index, given->element_group);
  mesh->side = copy_of(context, (size_t)mesh->side_corners * sides, index, given->side);
  mesh->side_group = copy_of(context, sides, index, given->side_group);
  mesh->mark = copy_of(context, marks, index, given->mark);
  mesh->mark_group = copy_of(context, marks, index, given->mark_group);
  mesh->group_dimension = copy_of(context, (size_t)given->groups, index, given->group_dimension);
  mesh->side_inside = THUD_NEW_ARRAY(context, unsigned char, sides);
  mesh->group_names = THUD_NEW_ARRAY(context, char *, given->groups);
  bool complete = mesh->place != NULL && mesh->element != NULL && mesh->element_group != NULL && mesh->side != NULL &&
                  mesh->side_group != NULL && mesh->mark != NULL && mesh->mark_group != NULL &&
                  mesh->group_dimension != NULL && mesh->side_inside != NULL && mesh->group_names != NULL;
  for (thud_index k = 0; complete && k < given->groups; k++) {
    mesh->group_names[k] = thud_strdup(context, given->group_names[k]);
    complete = mesh->group_names[k] != NULL;
  }
  if (complete) return mesh;
  thud_solid_mesh_destroy(mesh);
  return NULL;
}

/* ---- elements -------------------------------------------------------------------------------------------------------- */

static void gather(const thud_solid_mesh *mesh, thud_index e, double *x) {
  const thud_index *node = mesh->element + (size_t)e * (size_t)mesh->corners;
  for (thud_index k = 0; k < mesh->corners; k++)
    memcpy(x + (ptrdiff_t)mesh->dimension * k, mesh->place + (size_t)mesh->dimension * (size_t)node[k],
           (size_t)mesh->dimension * sizeof *x);
}

/* "element 12 (group 'steel') at (0.5, 0.25)" with the mean of the corners. */
static const char *name_element(const thud_solid_mesh *mesh, thud_index e, char text[240]) {
  double x[3 * ELEMENT_MOST], middle[3] = {0, 0, 0};
  gather(mesh, e, x);
  for (thud_index k = 0; k < (mesh->dimension + 1) * mesh->dimension; k++)
    middle[k % mesh->dimension] += x[k] / (double)(mesh->dimension + 1);
  char place[80];
  snprintf(text, 240, "element %td (group '%.80s') at %s", (ptrdiff_t)e + 1, mesh->group_names[mesh->element_group[e]],
           thud_solid_mesh_place(mesh->dimension, middle, place));
  return text;
}

/* The other orientation: corners 1 and 2 change places, and the middles of the edges with them. */
static void turn(const thud_solid_mesh *mesh, thud_index e) {
  static const int turned[4][2][ELEMENT_MOST] = {
      {{0}}, {{0}}, {{0, 2, 1}, {0, 2, 1, 5, 4, 3}}, {{0, 2, 1, 3}, {0, 2, 1, 3, 6, 5, 4, 7, 9, 8}}};
  thud_index old[ELEMENT_MOST], *node = mesh->element + (size_t)e * (size_t)mesh->corners;
  memcpy(old, node, (size_t)mesh->corners * sizeof *old);
  for (thud_index k = 0; k < mesh->corners; k++) node[k] = old[turned[mesh->dimension][mesh->order - 1][k]];
}

static double volume_of_corners(int d, const double *x) {
  double slopes[3 * 4], J[9], centre[4] = {0.25, 0.25, 0.25, 0.25};
  thud_element_slopes(d, 1, centre, slopes);
  return thud_element_jacobian(d, d + 1, slopes, x, J);
}

static double longest_edge(int d, const double *x) {
  double longest = 0;
  for (int a = 0; a <= d; a++)
    for (int b = 0; b < a; b++) {
      double sum = 0;
      for (int c = 0; c < d; c++) sum += (x[d * a + c] - x[d * b + c]) * (x[d * a + c] - x[d * b + c]);
      longest = fmax(longest, sqrt(sum));
    }
  return longest;
}

/* A second-order element is the image of a straight one where its Jacobian is positive at all nodes. */
static thud_error check_bend(const thud_solid_mesh *mesh, thud_index e, const double *x, double straight) {
  int d = (int)mesh->dimension;
  char text[240];
  for (int k = 0; k < mesh->corners; k++) {
    double point[4] = {0, 0, 0, 0}, slopes[3 * ELEMENT_MOST], J[9];
    if (k <= d)
      point[k] = 1;
    else
      for (int end = 0; end < 2; end++) point[thud_element_middle[d][k - d - 1][end]] = 0.5;
    thud_element_slopes(d, 2, point, slopes);
    double det = thud_element_jacobian(d, (int)mesh->corners, slopes, x, J);
    if (!(det > FLAT * straight))
      return thud_fail(
          mesh->context, THUD_ERROR_ARGUMENT,
          "[bad-element] %s is inverted: at its node %d the Jacobian is %.3g times that of its corners; the "
          "middle of an edge lies too far from it",
          name_element(mesh, e, text), k + 1, det / straight);
  }
  return THUD_OK;
}

static thud_error check_elements(thud_solid_mesh *mesh) {
  int d = (int)mesh->dimension;
  thud_error error = THUD_OK;
  char text[240];
  for (thud_index e = 0; e < mesh->elements && error == THUD_OK; e++) {
    double x[3 * ELEMENT_MOST];
    gather(mesh, e, x);
    double volume = volume_of_corners(d, x), longest = longest_edge(d, x);
    if (!(fabs(volume) > FLAT * pow(longest, d)))
      return thud_fail(
          mesh->context, THUD_ERROR_ARGUMENT, "[bad-element] %s is degenerate: its %s is %.3g, its longest edge %.6g",
          name_element(mesh, e, text), d == 2 ? "area" : "volume", fabs(volume) / (d == 2 ? 2 : 6), longest);
    if (volume < 0) {
      turn(mesh, e);
      gather(mesh, e, x);
    }
    if (mesh->order == 2) error = check_bend(mesh, e, x, fabs(volume));
  }
  return error;
}

/* ---- sides ----------------------------------------------------------------------------------------------------------- */

typedef struct mesh_side {
  thud_index corner[3]; /* increasing; the third one is -1 in the plane */
  thud_index element;
  signed char local, turns; /* number of the side in its element; 1: an odd permutation of what it has there */
} mesh_side;

static void sort_corners(thud_index *corner, int count, signed char *turns) {
  *turns = 0;
  for (int a = 1; a < count; a++)
    for (int b = a; b > 0 && corner[b] < corner[b - 1]; b--) {
      thud_index kept = corner[b];
      corner[b] = corner[b - 1];
      corner[b - 1] = kept;
      *turns ^= 1;
    }
}

static int compare_corners(const mesh_side *p, const mesh_side *q) {
  for (int k = 0; k < 3; k++)
    if (p->corner[k] != q->corner[k]) return p->corner[k] < q->corner[k] ? -1 : 1;
  return 0;
}

static int compare_sides(const void *p, const void *q) {
  const mesh_side *a = p, *b = q;
  int order = compare_corners(a, b);
  return order != 0 ? order : (a->element > b->element) - (a->element < b->element);
}

static void list_sides(const thud_solid_mesh *mesh, mesh_side *all) {
  int d = (int)mesh->dimension;
  for (thud_index e = 0; e < mesh->elements; e++)
    for (int k = 0; k <= d; k++) {
      mesh_side *side = all + (size_t)e * (size_t)(d + 1) + k;
      *side = (mesh_side){.corner = {-1, -1, -1}, .element = e, .local = (signed char)k};
      for (int c = 0; c < d; c++)
        side->corner[c] = mesh->element[(size_t)e * (size_t)mesh->corners + (size_t)thud_element_side[d][k][c]];
      sort_corners(side->corner, d, &side->turns);
    }
}

/* Two elements share a side with opposite senses of rotation, or they lie on the same side of it. */
static thud_error check_neighbours(const thud_solid_mesh *mesh, size_t count, const mesh_side *all) {
  char first[240], second[240];
  for (size_t k = 1; k < count; k++) {
    if (compare_corners(&all[k - 1], &all[k]) != 0) continue;
    name_element(mesh, all[k - 1].element, first);
    name_element(mesh, all[k].element, second);
    if (k > 1 && compare_corners(&all[k - 2], &all[k]) == 0)
      return thud_fail(mesh->context, THUD_ERROR_ARGUMENT,
                       "[bad-element] a side belongs to three elements, among them %s and %s", first, second);
    if (all[k - 1].turns == all[k].turns)
      return thud_fail(
          mesh->context, THUD_ERROR_ARGUMENT,
          "[bad-element] %s and %s lie on the same side of the side that they share: one of them is inverted, or the "
          "element is there twice",
          first, second);
  }
  return THUD_OK;
}

/* Writes a named side as its element has it; inside: another element has it as well. */
static thud_error place_side(thud_solid_mesh *mesh, thud_index s, size_t count, const mesh_side *all) {
  int d = (int)mesh->dimension;
  thud_index *node = mesh->side + (size_t)s * (size_t)mesh->side_corners;
  mesh_side key = {.corner = {-1, -1, -1}, .element = -1};
  memcpy(key.corner, node, (size_t)d * sizeof *node);
  sort_corners(key.corner, d, &key.turns);
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_corners(&all[middle], &key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == count || compare_corners(&all[low], &key) != 0)
    return thud_fail(mesh->context, THUD_ERROR_ARGUMENT,
                     "[bad-element] side %td of the group '%s' is no side of an element", (ptrdiff_t)s + 1,
                     mesh->group_names[mesh->side_group[s]]);
  const int *local = thud_element_side[d][(int)all[low].local];
  const thud_index *element = mesh->element + (size_t)all[low].element * (size_t)mesh->corners;
  for (int c = 0; c < d; c++) node[c] = element[local[c]];
  for (int c = d; c < mesh->side_corners; c++) {
    const int *ends = thud_element_middle[d - 1][c - d];
    node[c] = element[thud_element_between(d, local[ends[0]], local[ends[1]])];
  }
  mesh->side_inside[s] = low + 1 < count && compare_corners(&all[low + 1], &key) == 0;
  return THUD_OK;
}

/* Sides of one element only. */
static thud_error list_skin(thud_solid_mesh *mesh, size_t count, const mesh_side *all) {
  mesh->skin = THUD_NEW_ARRAY(mesh->context, thud_index, mesh->dimension == 3 ? 3 * count : 0);
  if (mesh->skin == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count && mesh->dimension == 3; k++) {
    bool before = k > 0 && compare_corners(&all[k - 1], &all[k]) == 0;
    bool after = k + 1 < count && compare_corners(&all[k + 1], &all[k]) == 0;
    if (before || after) continue;
    for (int c = 0; c < 3; c++)
      mesh->skin[3 * (size_t)mesh->skins + (size_t)c] =
          mesh->element[(size_t)all[k].element * (size_t)mesh->corners +
                        (size_t)thud_element_side[3][(int)all[k].local][c]];
    mesh->skins++;
  }
  return THUD_OK;
}

static thud_error check_sides(thud_solid_mesh *mesh) {
  size_t count = (size_t)mesh->elements * (size_t)(mesh->dimension + 1);
  mesh_side *all = THUD_NEW_ARRAY(mesh->context, mesh_side, count);
  if (all == NULL) return THUD_ERROR_MEMORY;
  list_sides(mesh, all);
  qsort(all, count, sizeof *all, compare_sides);
  thud_error error = check_neighbours(mesh, count, all);
  for (thud_index s = 0; s < mesh->sides && error == THUD_OK; s++) error = place_side(mesh, s, count, all);
  if (error == THUD_OK) error = list_skin(mesh, count, all);
  thud_free(mesh->context, all);
  return error;
}

static thud_error check_nodes(const thud_solid_mesh *mesh) {
  unsigned char *used = THUD_NEW_ARRAY(mesh->context, unsigned char, mesh->nodes);
  if (used == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < (size_t)mesh->corners * (size_t)mesh->elements; k++) used[mesh->element[k]] = 1;
  thud_index i = 0;
  while (i < mesh->nodes && used[i] != 0) i++;
  thud_free(mesh->context, used);
  if (i == mesh->nodes) return THUD_OK;
  return thud_fail(mesh->context, THUD_ERROR_ARGUMENT, "[bad-element] no element has the node %td", (ptrdiff_t)i);
}

thud_error thud_solid_mesh_create(thud_context *context, const thud_solid_mesh_definition *definition,
                                  thud_solid_mesh **mesh) {
  THUD_REQUIRE(context, context, definition, mesh);
  thud_error error = check_sizes(context, definition);
  if (error == THUD_OK)
    error =
        check_indices(context, definition, (size_t)thud_solid_mesh_corners(definition->dimension, definition->order),
                      (size_t)thud_solid_mesh_corners(definition->dimension - 1, definition->order));
  if (error != THUD_OK) return error;
  thud_solid_mesh *made = copy(context, definition);
  if (made == NULL) return THUD_ERROR_MEMORY;
  error = check_elements(made);
  if (error == THUD_OK) error = check_nodes(made);
  if (error == THUD_OK) error = check_sides(made);
  if (error == THUD_OK)
    *mesh = made;
  else
    thud_solid_mesh_destroy(made);
  return error;
}
