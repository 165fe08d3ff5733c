/* The checker's points of contact: one at each corner of the sides that may touch, in the order of the nodes; weights over the sides
 * around by the hat function of the corner, gaps and directions of the obstacle at every node. */
#include "verify/solid/verify_solid.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- obstacles ------------------------------------------------------------------------------------------------------------- */

static thud_error read_numbers(verify_solid *solid, const thud_node *map, const char *key, size_t count,
                               double *numbers) {
  const thud_node *node;
  thud_error error = thud_node_require(map, key, &node);
  if (error == THUD_OK && count == 1) return thud_verify_read_constant(&solid->scene, node, numbers);
  if (error == THUD_OK) error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(node) != count)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "%zu numbers are needed", count);
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = thud_verify_read_constant(&solid->scene, thud_node_item(node, k), &numbers[k]);
  return error;
}

/* The expression and its slopes. */
static thud_error read_level(verify_solid *solid, const thud_node *node, solid_barrier *barrier) {
  const thud_index slots[3] = {1, 2, 3}; /* behind t */
  const char *text;
  thud_expr_graph *graph = NULL;
  thud_expr_value values[4];
  thud_error error = thud_node_read_string(node, &text);
  if (error == THUD_OK) error = thud_expr_graph_create(solid->scene.context, solid->scene.scope, &graph);
  if (error == THUD_OK) error = thud_expr_graph_add(graph, text, NULL, &values[0]);
  if (error == THUD_OK) error = thud_expr_graph_add_gradient(graph, values[0], solid->cells.d, slots, values + 1);
  if (error == THUD_OK) error = thud_expr_program_create(graph, 1 + solid->cells.d, values, &barrier->program);
  if (error == THUD_OK) error = thud_expr_work_create(solid->scene.context, barrier->program, 0, &barrier->work);
  thud_expr_graph_destroy(graph);
  return error;
}

static thud_error read_barrier(verify_solid *solid, const thud_node *contact, solid_barrier *barrier) {
  static const char *const keys[] = {"plane", "ball", "cylinder", "level"};
  const thud_node *group, *map, *threshold = thud_node_find(contact, "threshold");
  const char *name;
  size_t d = (size_t)solid->cells.d;
  thud_error error = thud_node_require(contact, "group", &group);
  if (error == THUD_OK) error = thud_node_read_string(group, &name);
  if (error == THUD_OK) error = thud_node_require(contact, "obstacle", &map);
  if (error == THUD_OK) error = read_numbers(solid, contact, "friction", 1, &barrier->friction);
  if (error == THUD_OK && threshold != NULL)
    error = thud_verify_read_value(&solid->scene, threshold, &barrier->threshold);
  if (error != THUD_OK) return error;
  barrier->group = SIZE_MAX;
  for (size_t g = 0; g < solid->cells.groups; g++)
    if (strcmp(solid->cells.group[g].name, name) == 0 && solid->cells.group[g].dimension == solid->cells.d - 1)
      barrier->group = g;
  barrier->shape = -1;
  for (int k = 0; k < 4 && barrier->shape < 0; k++)
    if (thud_node_find(map, keys[k]) != NULL) barrier->shape = k;
  if (barrier->shape < 0 || barrier->group == SIZE_MAX)
    return thud_node_fail(contact, THUD_ERROR_SCHEMA, "no obstacle, or no such group");
  if (barrier->shape == 3) return read_level(solid, thud_node_find(map, "level"), barrier);
  error = read_numbers(solid, map, keys[barrier->shape], d, barrier->point);
  if (error == THUD_OK && barrier->shape == 0) error = read_numbers(solid, map, "normal", d, barrier->direction);
  if (error == THUD_OK && barrier->shape == 2) error = read_numbers(solid, map, "direction", d, barrier->direction);
  if (error == THUD_OK && barrier->shape > 0) error = read_numbers(solid, map, "radius", 1, &barrier->radius);
  return error;
}

thud_error thud_verify_solid_read_barriers(verify_solid *solid, const thud_node *section) {
  const thud_node *contacts = thud_node_find(section, "contacts");
  size_t count = contacts != NULL ? thud_node_count(contacts) : 0;
  thud_error error = THUD_OK;
  solid->barriers = THUD_NEW_ARRAY(solid->scene.context, solid_barrier, count);
  if (solid->barriers == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    solid->barrier_count = k + 1;
    error = read_barrier(solid, thud_node_item(contacts, k), &solid->barriers[k]);
  }
  return error;
}

/* ---- geometry -------------------------------------------------------------------------------------------------------------- */

static double norm(const double *x) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

/* Distance, and the unit vector away from the obstacle. */
static double measure(const verify_solid *solid, const solid_barrier *barrier, const double *x, double n[3]) {
  double at[3] = {0, 0, 0}, arm[3] = {0, 0, 0}, value = 0;
  size_t d = (size_t)solid->cells.d;
  for (size_t k = 0; k < d; k++) at[k] = x[k], arm[k] = x[k] - barrier->point[k];
  memset(n, 0, 3 * sizeof *n);
  if (barrier->shape == 3) {
    double variables[8] = {0, at[0], at[1], at[2]}, out[4] = {0};
    thud_expr_work_evaluate(barrier->work, variables, out);
    memcpy(n, out + 1, d * sizeof *n);
    value = out[0] / norm(n);
  } else if (barrier->shape == 0) {
    memcpy(n, barrier->direction, sizeof barrier->direction);
    for (size_t k = 0; k < 3; k++) value += arm[k] * n[k] / norm(barrier->direction);
  } else {
    double along = 0, length = norm(barrier->direction);
    for (size_t k = 0; k < 3 && barrier->shape == 2; k++) along += arm[k] * barrier->direction[k] / length;
    for (size_t k = 0; k < 3; k++)
      n[k] = (arm[k] - (barrier->shape == 2 ? along * barrier->direction[k] / length : 0)) *
             (barrier->radius < 0 ? -1 : 1);
    value = barrier->radius < 0 ? -barrier->radius - norm(n) : norm(n) - barrier->radius;
  }
  double length = norm(n);
  for (size_t k = 0; k < 3; k++) n[k] /= length;
  return value;
}

/* direction[9]: the normal, and tangents: in the plane the normal turned clockwise; in space the axis that is most across to the
 * normal of the corner, without its part along the normal, and the vector product of both. */
static void find_directions(int d, const double *corner_normal, double *direction) {
  double *n = direction, *t = direction + 3, *s = direction + 6, along, length;
  int axis = 0;
  if (d == 2) {
    t[0] = n[1], t[1] = -n[0], t[2] = 0;
    return;
  }
  for (int k = 1; k < 3; k++)
    if (fabs(corner_normal[k]) < fabs(corner_normal[axis]) - 1e-9) axis = k;
  along = n[axis];
  for (int k = 0; k < 3; k++) t[k] = (k == axis) - along * n[k];
  length = norm(t);
  for (int k = 0; k < 3; k++) t[k] /= length;
  for (int k = 0; k < 3; k++) s[k] = n[(k + 1) % 3] * t[(k + 2) % 3] - n[(k + 2) % 3] * t[(k + 1) % 3];
}

/* ---- weights ---------------------------------------------------------------------------------------------------------------- */

static thud_error add_weight(verify_solid *solid, solid_touch *touch, size_t node, double value) {
  size_t k = 0, room = touch->count;
  while (k < touch->count && touch->node[k] != node) k++;
  if (k == touch->count) {
    thud_error error = thud_array_reserve(solid->scene.context, &touch->node, &room, k + 1, sizeof *touch->node);
    room = touch->count;
    if (error == THUD_OK)
      error = thud_array_reserve(solid->scene.context, &touch->weight, &room, k + 1, sizeof *touch->weight);
    if (error != THUD_OK) return error;
    touch->node[k] = node;
    touch->weight[k] = 0;
    touch->count++;
  }
  touch->weight[k] += value;
  return THUD_OK;
}

/* Shares of one side in the points of its corners. */
static thud_error add_side(verify_solid *solid, size_t s, const size_t *touch_of) {
  const verify_cells *cells = &solid->cells;
  const size_t *node = cells->side + cells->side_corners * s;
  size_t d = (size_t)cells->d;
  thud_error error = THUD_OK;
  for (size_t q = 0; q < thud_verify_side_points(solid); q++) {
    cell_point point;
    double barycentric[3];
    thud_verify_side_point(solid, s, q, &point, barycentric);
    for (size_t a = 0; a < d && error == THUD_OK; a++) {
      solid_touch *touch = &solid->touches[touch_of[node[a]] - 1];
      touch->area += point.size * barycentric[a];
      if (cells->order == 1) error = add_weight(solid, touch, node[a], point.size * barycentric[a]);
      for (size_t k = 0; cells->order == 2 && k < cells->side_corners && error == THUD_OK; k++)
        error = add_weight(solid, touch, node[k], point.size * barycentric[a] * point.N[k]);
    }
  }
  return error;
}

static thud_error add_barrier(verify_solid *solid, size_t b, size_t *touch_of) {
  const verify_cells *cells = &solid->cells;
  size_t d = (size_t)cells->d, room = solid->touch_count;
  memset(touch_of, 0, cells->nodes * sizeof *touch_of);
  for (size_t s = 0; s < cells->sides; s++)
    for (size_t c = 0; c < d && cells->side_group[s] == solid->barriers[b].group; c++)
      touch_of[cells->side[cells->side_corners * s + c]] = 1;
  size_t count = 0;
  for (size_t i = 0; i < cells->nodes; i++) count += touch_of[i];
  thud_error error = thud_array_reserve(solid->scene.context, &solid->touches, &room, solid->touch_count + count,
                                        sizeof *solid->touches);
  for (size_t i = 0; i < cells->nodes && error == THUD_OK; i++) {
    if (touch_of[i] == 0) continue;
    solid->touches[solid->touch_count++] = (solid_touch){.corner = i, .obstacle = b};
    touch_of[i] = solid->touch_count;
  }
  for (size_t s = 0; s < cells->sides && error == THUD_OK; s++)
    if (cells->side_group[s] == solid->barriers[b].group) error = add_side(solid, s, touch_of);
  return error;
}

/* Directions at the nodes, gap, and which rows see an unknown. */
static thud_error finish_touch(verify_solid *solid, solid_touch *touch) {
  const solid_barrier *barrier = &solid->barriers[touch->obstacle];
  size_t d = (size_t)solid->cells.d;
  double corner_normal[3];
  touch->direction = THUD_NEW_ARRAY(solid->scene.context, double, 9 * touch->count);
  if (touch->direction == NULL) return THUD_ERROR_MEMORY;
  (void)measure(solid, barrier, solid->cells.place + d * touch->corner, corner_normal);
  for (size_t k = 0; k < touch->count; k++) {
    touch->weight[k] /= touch->area;
    double gap = measure(solid, barrier, solid->cells.place + d * touch->node[k], touch->direction + 9 * k);
    find_directions((int)d, corner_normal, touch->direction + 9 * k);
    touch->gap += touch->weight[k] * gap;
    for (size_t part = 0; part < d; part++)
      for (size_t c = 0; c < d; c++)
        touch->sees[part] =
            touch->sees[part] || (solid->held[d * touch->node[k] + c] == 0 &&
                                  fabs(touch->weight[k] * touch->direction[9 * k + 3 * part + c]) > DBL_EPSILON);
  }
  if (fabs(touch->gap) <= solid->overlap) touch->gap = fmax(0, touch->gap);
  return THUD_OK;
}

static void free_touch(thud_context *context, solid_touch *touch) {
  thud_free(context, touch->node);
  thud_free(context, touch->weight);
  thud_free(context, touch->direction);
}

thud_error thud_verify_solid_touches(verify_solid *solid) {
  thud_context *context = solid->scene.context;
  size_t *touch_of = THUD_NEW_ARRAY(context, size_t, solid->cells.nodes), kept = 0;
  thud_error error = touch_of != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  bool friction = solid->threshold;
  for (size_t b = 0; b < solid->barrier_count && error == THUD_OK; b++) {
    friction = friction || solid->barriers[b].friction > 0;
    error = add_barrier(solid, b, touch_of);
  }
  thud_free(context, touch_of);
  solid->rows = friction ? (size_t)solid->cells.d : 1;
  for (size_t i = 0; i < solid->touch_count && error == THUD_OK; i++) error = finish_touch(solid, &solid->touches[i]);
  for (size_t i = 0; i < solid->touch_count && error == THUD_OK; i++) { /* without those that are held */
    if (!solid->touches[i].sees[0]) {
      free_touch(context, &solid->touches[i]);
      continue;
    }
    solid->touches[kept++] = solid->touches[i];
  }
  if (error == THUD_OK) solid->touch_count = kept;
  return error;
}
