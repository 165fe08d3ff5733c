/* Contacts of a solid with rigid obstacles: points with their shares of the surface, gaps and directions, and the matrices of a
 * quasi-static problem.
 *
 * The point of corner i stands for the displacement sum_j w_ij u_j, w_ij = int h_i N_j / int h_i over the sides around, with the hat
 * function h_i of the corners; of first order w_ii = 1 and no other. Its gap is sum_j w_ij (g_j + n_j . u_j), g_j and n_j distance and
 * normal of the obstacle at node j. */
#include "base/base.h"
#include "mesh/solid_mesh.h"
#include "motions/solid/elastic_solid.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* int h_i N_j over one side. */
typedef struct contact_entry {
  thud_index point, node;
  size_t number; /* in the order of the sides, in which equal entries are added */
  double value;
} contact_entry;

typedef struct contact_point {
  thud_index corner, obstacle, first, count; /* entries */
  double area, gap;
  double axis[3]; /* tangents are made from */
} contact_point;

struct thud_solid_contacts {
  thud_context *context;
  const thud_solid *solid;        /* borrowed */
  thud_index c, d, unknowns, own; /* own: unknowns of held components */
  contact_entry *entries;
  size_t entry_count, entry_room;
  contact_point *points;
  size_t point_count, point_room;
  /* triplets of H */
  thud_index *row, *column;
  double *value;
  size_t count, row_room, column_room, value_room;
  thud_sparse K, H;
  double *gap, *mu, *area, *normal;
  thud_index *corner, *obstacle;
};

void thud_solid_contacts_destroy(thud_solid_contacts *contacts) {
  if (contacts == NULL) return;
  thud_context *context = contacts->context;
  thud_sparse_destroy(context, &contacts->K);
  thud_sparse_destroy(context, &contacts->H);
  void *const arrays[] = {contacts->entries, contacts->points, contacts->row,     contacts->column,
                          contacts->value,   contacts->gap,    contacts->mu,      contacts->area,
                          contacts->normal,  contacts->corner, contacts->obstacle};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_free(context, contacts);
}

/* ---- obstacles ----------------------------------------------------------------------------------------------------------- */

static double dot(int d, const double *a, const double *b) {
  double sum = 0;
  for (int k = 0; k < d; k++) sum += a[k] * b[k];
  return sum;
}

/* Distance and outward normal at a place; false: there is none. */
static bool measure(const thud_solid_obstacle *obstacle, int d, const double *x, double *gap, double *normal) {
  double arm[3] = {0, 0, 0}, value = 0, length = 0;
  if (obstacle->shape == THUD_OBSTACLE_LEVEL) {
    if (obstacle->level(obstacle->user, x, &value, normal) != 0) return false;
    length = sqrt(dot(d, normal, normal));
    for (int k = 0; k < d; k++) normal[k] /= length;
    *gap = value / length;
    return length > 0 && isfinite(*gap);
  }
  for (int k = 0; k < d; k++) arm[k] = x[k] - obstacle->point[k];
  double size = sqrt(dot(d, obstacle->direction, obstacle->direction));
  if (obstacle->shape == THUD_OBSTACLE_PLANE) {
    for (int k = 0; k < d; k++) normal[k] = obstacle->direction[k] / size;
    *gap = dot(d, arm, normal);
    return size > 0;
  }
  if (obstacle->shape == THUD_OBSTACLE_CYLINDER) {
    double along = dot(d, arm, obstacle->direction) / (size * size);
    for (int k = 0; k < d; k++) arm[k] -= along * obstacle->direction[k];
  }
  length = sqrt(dot(d, arm, arm));
  double sign = obstacle->radius < 0 ? -1 : 1;
  for (int k = 0; k < d; k++) normal[k] = sign * arm[k] / length;
  *gap = sign * (length - fabs(obstacle->radius));
  return length > 0 && isfinite(*gap);
}

/* The first tangent is the axis less its part along the normal, in the plane the normal turned back. */
static void find_tangents(int d, const double *normal, const double *axis, double tangent[2][3]) {
  if (d == 2) {
    tangent[0][0] = normal[1];
    tangent[0][1] = -normal[0];
    return;
  }
  double along = dot(3, normal, axis), length = 0;
  for (int k = 0; k < 3; k++) tangent[0][k] = axis[k] - along * normal[k];
  length = sqrt(dot(3, tangent[0], tangent[0]));
  for (int k = 0; k < 3; k++) tangent[0][k] /= length;
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    tangent[1][k] = normal[a] * tangent[0][b] - normal[b] * tangent[0][a];
  }
}

static const double *place_of(const thud_solid *solid, thud_index node) {
  return solid->view.place + (size_t)solid->d * (size_t)node;
}

static thud_error blame(const thud_solid *solid, const thud_solid_obstacle *obstacle, thud_index node, const char *what,
                        double value) {
  char place[80];
  return thud_fail(solid->context, THUD_ERROR_ARGUMENT, "[bad-contact] the group '%s' at %s: %s %.6g",
                   solid->view.group_names[obstacle->group],
                   thud_solid_mesh_place(solid->d, place_of(solid, node), place), what, value);
}

/* ---- points -------------------------------------------------------------------------------------------------------------- */

static thud_error add_entry(thud_solid_contacts *contacts, thud_index point, thud_index node, double value) {
  thud_error error = thud_array_reserve(contacts->context, &contacts->entries, &contacts->entry_room,
                                        contacts->entry_count + 1, sizeof *contacts->entries);
  size_t number = contacts->entry_count;
  if (error == THUD_OK)
    contacts->entries[contacts->entry_count++] =
        (contact_entry){.point = point, .node = node, .number = number, .value = value};
  return error;
}

/* One point for each corner of the obstacle's sides, in the order of the nodes; point_of[node] - 1 is its number. */
static thud_error number_points(thud_solid_contacts *contacts, thud_index *point_of, thud_index group,
                                thud_index obstacle) {
  const thud_solid_mesh_definition *mesh = &contacts->solid->view;
  memset(point_of, 0, (size_t)mesh->nodes * sizeof *point_of);
  for (thud_index s = 0; s < mesh->sides; s++)
    for (int c = 0; c < contacts->solid->d && mesh->side_group[s] == group; c++)
      point_of[mesh->side[(size_t)contacts->solid->side_corners * (size_t)s + (size_t)c]] = 1;
  for (thud_index i = 0; i < mesh->nodes; i++) {
    if (point_of[i] == 0) continue;
    thud_error error = thud_array_reserve(contacts->context, &contacts->points, &contacts->point_room,
                                          contacts->point_count + 1, sizeof *contacts->points);
    if (error != THUD_OK) return error;
    contacts->points[contacts->point_count++] = (contact_point){.corner = i, .obstacle = obstacle};
    point_of[i] = (thud_index)contacts->point_count;
  }
  return THUD_OK;
}

static thud_error add_side(thud_solid_contacts *contacts, const thud_index *point_of, thud_index side) {
  const thud_solid *solid = contacts->solid;
  const element_rule rule = thud_element_rule(solid->d - 1, 4);
  double x[3 * ELEMENT_MOST], share[3][ELEMENT_MOST] = {{0}};
  const thud_index *node = thud_solid_gather_side(solid, side, x);
  for (int q = 0; q < rule.count; q++) {
    solid_point point;
    thud_solid_at_side(solid, &rule, q, x, &point);
    for (int a = 0; a < solid->d; a++)
      for (int k = 0; k < solid->side_corners; k++) share[a][k] += point.size * rule.point[q][a] * point.N[k];
  }
  thud_error error = THUD_OK;
  for (int a = 0; a < solid->d && error == THUD_OK; a++) {
    thud_index point = point_of[node[a]] - 1;
    double sum = 0;
    for (int k = 0; k < solid->side_corners; k++) sum += share[a][k];
    for (int k = 0; k < solid->side_corners && error == THUD_OK; k++)
      if (solid->order == 2)
        error = add_entry(contacts, point, node[k], share[a][k]);
      else if (k == a)
        error = add_entry(contacts, point, node[k], sum);
    contacts->points[point].area += sum;
  }
  return error;
}

static thud_error add_obstacle(thud_solid_contacts *contacts, const thud_solid_obstacle *obstacles, thud_index k,
                               thud_index *point_of) {
  const thud_solid *solid = contacts->solid;
  size_t before = contacts->point_count;
  thud_error error = number_points(contacts, point_of, obstacles[k].group, k);
  for (thud_index s = 0; s < solid->view.sides && error == THUD_OK; s++) {
    if (solid->view.side_group[s] != obstacles[k].group) continue;
    thud_index node = solid->view.side[(size_t)solid->side_corners * (size_t)s];
    if (solid->view.side_inside[s] != 0)
      return blame(solid, &obstacles[k], node, "this side lies inside the solid and cannot touch; sides inside:", 1);
    error = add_side(contacts, point_of, s);
  }
  if (error == THUD_OK && contacts->point_count == before)
    return thud_fail(solid->context, THUD_ERROR_ARGUMENT, "[bad-contact] the group '%s' has no sides",
                     solid->view.group_names[obstacles[k].group]);
  return error;
}

static int compare_entries(const void *p, const void *q) {
  const contact_entry *a = p, *b = q;
  if (a->point != b->point) return a->point < b->point ? -1 : 1;
  if (a->node != b->node) return a->node < b->node ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

/* One entry for each node of a point, as weights. */
static void merge_entries(thud_solid_contacts *contacts) {
  size_t kept = 0;
  if (contacts->entry_count > 0) /* without contacts there is no array */
    qsort(contacts->entries, contacts->entry_count, sizeof *contacts->entries, compare_entries);
  for (size_t k = 0; k < contacts->entry_count; k++) {
    contact_entry *last = kept > 0 ? &contacts->entries[kept - 1] : NULL;
    if (last != NULL && last->point == contacts->entries[k].point && last->node == contacts->entries[k].node)
      last->value += contacts->entries[k].value;
    else
      contacts->entries[kept++] = contacts->entries[k];
  }
  contacts->entry_count = kept;
  for (size_t k = 0; k < kept; k++) {
    contact_point *point = &contacts->points[contacts->entries[k].point];
    contacts->entries[k].value /= point->area;
    if (point->count++ == 0) point->first = (thud_index)k;
  }
}

/* ---- rows ---------------------------------------------------------------------------------------------------------------- */

static thud_error add_triplet(thud_solid_contacts *contacts, thud_index row, thud_index column, double value) {
  size_t more = contacts->count + 1;
  thud_context *context = contacts->context;
  thud_error error = thud_array_reserve(context, &contacts->row, &contacts->row_room, more, sizeof *contacts->row);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &contacts->column, &contacts->column_room, more, sizeof *contacts->column);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &contacts->value, &contacts->value_room, more, sizeof *contacts->value);
  if (error != THUD_OK) return error;
  contacts->row[contacts->count] = row;
  contacts->column[contacts->count] = column;
  contacts->value[contacts->count++] = value;
  return THUD_OK;
}

/* Directions of a weight's node: normal, tangents. */
static bool directions_at(const thud_solid *solid, const thud_solid_obstacle *obstacle, const contact_point *point,
                          thud_index node, double *gap, double direction[3][3]) {
  if (!measure(obstacle, solid->d, place_of(solid, node), gap, direction[0])) return false;
  find_tangents(solid->d, direction[0], point->axis, direction + 1);
  return true;
}

/* Entries of row `part` of a point in unknowns: true when there is any. */
static thud_error add_row(thud_solid_contacts *contacts, const thud_solid_obstacle *obstacle,
                          const contact_point *point, int part, thud_index column, bool *any) {
  const thud_solid *solid = contacts->solid;
  thud_error error = THUD_OK;
  *any = false;
  for (thud_index k = 0; k < point->count && error == THUD_OK; k++) {
    const contact_entry *entry = &contacts->entries[point->first + k];
    double gap, direction[3][3] = {{0}};
    if (!directions_at(solid, obstacle, point, entry->node, &gap, direction))
      return blame(solid, obstacle, entry->node, "the obstacle has no normal there; distance", 0);
    for (int c = 0; c < solid->d && error == THUD_OK; c++) {
      thud_index unknown = solid->unknown[(size_t)solid->d * (size_t)entry->node + (size_t)c];
      double value = entry->value * direction[part][c];
      if (unknown < 0 || fabs(value) <= DBL_EPSILON) continue;
      error = add_triplet(contacts, unknown, column, value);
      *any = true;
    }
  }
  return error;
}

static thud_error find_gap(thud_solid_contacts *contacts, const thud_solid_obstacle *obstacle, contact_point *point,
                           double overlap) {
  const thud_solid *solid = contacts->solid;
  double normal[3] = {0, 0, 0}, least = INFINITY;
  if (!measure(obstacle, solid->d, place_of(solid, point->corner), &point->gap, normal))
    return blame(solid, obstacle, point->corner, "the obstacle has no normal there; distance", 0);
  for (int k = 0; k < 3; k++) {
    bool better = fabs(normal[k]) < least - 1e-9;
    least = better ? fabs(normal[k]) : least;
    for (int j = 0; better && j < 3; j++) point->axis[j] = j == k;
  }
  point->gap = 0;
  for (thud_index k = 0; k < point->count; k++) {
    double gap = 0;
    const contact_entry *entry = &contacts->entries[point->first + k];
    if (!measure(obstacle, solid->d, place_of(solid, entry->node), &gap, normal))
      return blame(solid, obstacle, entry->node, "the obstacle has no normal there; distance", 0);
    point->gap += entry->value * gap;
  }
  if (point->gap >= -overlap) return THUD_OK;
  return blame(solid, obstacle, point->corner, "it overlaps its obstacle at the start, by", -point->gap);
}

/* Rows of one point; it is left out when its normal displacement is given. */
static thud_error add_point(thud_solid_contacts *contacts, const thud_solid_obstacle *obstacles, contact_point *point,
                            double overlap) {
  const thud_solid *solid = contacts->solid;
  const thud_solid_obstacle *obstacle = &obstacles[point->obstacle];
  thud_index i = contacts->c, first = i * contacts->d;
  bool any = false;
  double normal[3] = {0, 0, 0}, gap;
  thud_error error = find_gap(contacts, obstacle, point, overlap);
  if (error == THUD_OK) error = add_row(contacts, obstacle, point, 0, first, &any);
  if (error != THUD_OK || !any) return error;
  for (int part = 1; part < contacts->d && error == THUD_OK; part++) {
    error = add_row(contacts, obstacle, point, part, first + part, &any);
    if (error == THUD_OK && !any) error = add_triplet(contacts, solid->unknowns + contacts->own++, first + part, 1);
  }
  if (error != THUD_OK) return error;
  (void)measure(obstacle, solid->d, place_of(solid, point->corner), &gap, normal);
  memcpy(contacts->normal + (size_t)solid->d * (size_t)i, normal, (size_t)solid->d * sizeof *normal);
  contacts->gap[i] = fabs(point->gap) <= overlap ? fmax(0, point->gap) : point->gap;
  contacts->mu[i] = obstacle->mu;
  contacts->area[i] = point->area;
  contacts->corner[i] = point->corner;
  contacts->obstacle[i] = point->obstacle;
  contacts->c++;
  return THUD_OK;
}

/* ---- matrices ------------------------------------------------------------------------------------------------------------ */

/* K of the solid and, for each held component, one entry of its mean stiffness. */
static thud_error extend_matrix(thud_solid_contacts *contacts) {
  const thud_sparse *K = &contacts->solid->K;
  thud_index n = K->columns, own = contacts->own, entries = K->column_start[n];
  thud_sparse *made = &contacts->K;
  double sum = 0;
  for (thud_index j = 0; j < n; j++)
    for (thud_index p = K->column_start[j]; p < K->column_start[j + 1]; p++) sum += K->row[p] == j ? K->value[p] : 0;
  made->rows = made->columns = contacts->unknowns = n + own;
  made->column_start = THUD_NEW_ARRAY(contacts->context, thud_index, (size_t)(n + own) + 1);
  made->row = THUD_NEW_ARRAY(contacts->context, thud_index, (size_t)(entries + own));
  made->value = THUD_NEW_ARRAY(contacts->context, double, (size_t)(entries + own));
  if (made->column_start == NULL || made->row == NULL || made->value == NULL) return THUD_ERROR_MEMORY;
  memcpy(made->column_start, K->column_start, ((size_t)n + 1) * sizeof *K->column_start);
  memcpy(made->row, K->row, (size_t)entries * sizeof *K->row);
  memcpy(made->value, K->value, (size_t)entries * sizeof *K->value);
  for (thud_index k = 0; k < own; k++) {
    made->row[entries + k] = n + k;
    made->value[entries + k] = sum / n;
    made->column_start[n + k + 1] = entries + k + 1;
  }
  return THUD_OK;
}

static thud_error allocate(thud_solid_contacts *contacts) {
  thud_context *context = contacts->context;
  size_t c = contacts->point_count;
  contacts->gap = THUD_NEW_ARRAY(context, double, c);
  contacts->mu = THUD_NEW_ARRAY(context, double, c);
  contacts->area = THUD_NEW_ARRAY(context, double, c);
  contacts->normal = THUD_NEW_ARRAY(context, double, (size_t)contacts->solid->d *c);
  contacts->corner = THUD_NEW_ARRAY(context, thud_index, c);
  contacts->obstacle = THUD_NEW_ARRAY(context, thud_index, c);
  bool complete = contacts->gap != NULL && contacts->mu != NULL && contacts->area != NULL && contacts->normal != NULL &&
                  contacts->corner != NULL && contacts->obstacle != NULL;
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error make_contacts(thud_solid_contacts *contacts, thud_index count, const thud_solid_obstacle *obstacles,
                                double overlap) {
  const thud_solid *solid = contacts->solid;
  thud_index *point_of = THUD_NEW_ARRAY(contacts->context, thud_index, solid->view.nodes);
  thud_error error = point_of != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (thud_index k = 0; k < count && error == THUD_OK; k++) error = add_obstacle(contacts, obstacles, k, point_of);
  thud_free(contacts->context, point_of);
  if (error != THUD_OK) return error;
  merge_entries(contacts);
  error = allocate(contacts);
  for (size_t k = 0; k < contacts->point_count && error == THUD_OK; k++)
    error = add_point(contacts, obstacles, &contacts->points[k], overlap);
  if (error == THUD_OK) error = extend_matrix(contacts);
  if (error == THUD_OK)
    error = thud_sparse_from_triplets(contacts->context, contacts->unknowns, contacts->c * contacts->d, contacts->count,
                                      contacts->row, contacts->column, contacts->value, &contacts->H);
  return error;
}

thud_error thud_solid_contacts_create(const thud_solid *solid, thud_index count, const thud_solid_obstacle *obstacles,
                                      bool friction, double overlap, thud_solid_contacts **contacts) {
  THUD_REQUIRE_OF(solid, count == 0 || obstacles, contacts);
  for (thud_index k = 0; k < count; k++) {
    const thud_solid_obstacle *obstacle = &obstacles[k];
    bool level = obstacle->shape == THUD_OBSTACLE_LEVEL;
    if (obstacle->group < 0 || obstacle->group >= solid->view.groups || (level && obstacle->level == NULL) ||
        (obstacle->shape == THUD_OBSTACLE_CYLINDER && solid->d == 2) || !(obstacle->mu >= 0 && isfinite(obstacle->mu)))
      return thud_fail(
          solid->context, THUD_ERROR_ARGUMENT,
          "[out-of-range] obstacle %td: its group, its function, its shape (cylinders are in space) or its "
          "coefficient of friction %g is not possible",
          (ptrdiff_t)k + 1, obstacle->mu);
  }
  thud_solid_contacts *made = THUD_NEW(solid->context, thud_solid_contacts);
  if (made == NULL) return THUD_ERROR_MEMORY;
  *made = (thud_solid_contacts){.context = solid->context, .solid = solid, .d = friction ? solid->d : 1};
  thud_error error = make_contacts(made, count, obstacles, overlap);
  if (error == THUD_OK)
    *contacts = made;
  else
    thud_solid_contacts_destroy(made);
  return error;
}

thud_solid_contacts_view thud_solid_contacts_get(const thud_solid_contacts *contacts) {
  THUD_REQUIRE_OR(((thud_solid_contacts_view){0}), contacts);
  return (thud_solid_contacts_view){.contacts = contacts->c,
                                    .dimension = contacts->d,
                                    .unknowns = contacts->unknowns,
                                    .K = &contacts->K,
                                    .H = &contacts->H,
                                    .gap = contacts->gap,
                                    .mu = contacts->mu,
                                    .area = contacts->area,
                                    .corner = contacts->corner,
                                    .obstacle = contacts->obstacle,
                                    .normal = contacts->normal};
}
