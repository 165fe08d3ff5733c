/* Solids: materials, the matrix of all components and the one of the unknowns. */
#include "motions/solid/elastic_solid.h"
#include "base/base.h"
#include "mesh/solid_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void thud_solid_destroy(thud_solid *solid) {
  if (solid == NULL) return;
  thud_context *context = solid->context;
  thud_sparse_destroy(context, &solid->all);
  thud_sparse_destroy(context, &solid->K);
  void *const arrays[] = {solid->lambda, solid->shear, solid->poisson, solid->held, solid->unknown, solid->component};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_free(context, solid);
}

/* ---- what is given ------------------------------------------------------------------------------------------------------- */

static thud_error take_material(thud_solid *solid, thud_index group) {
  const thud_solid_material *material = &solid->given.materials[group];
  double E = material->young, nu = material->poisson;
  if (!(E > 0 && isfinite(E) && nu > -1 && nu < 0.5))
    return thud_fail(
        solid->context, THUD_ERROR_ARGUMENT,
        "[out-of-range] the material of '%s': Young's modulus %g and Poisson's ratio %g; a modulus > 0 and a ratio "
        "within -1 < nu < 0.5 are needed",
        solid->view.group_names[group], E, nu);
  solid->shear[group] = E / (2 * (1 + nu));
  solid->poisson[group] = nu;
  solid->lambda[group] = solid->given.kinematics == THUD_SOLID_PLANE_STRESS ? E * nu / ((1 + nu) * (1 - nu))
                                                                            : E * nu / ((1 + nu) * (1 - 2 * nu));
  return THUD_OK;
}

static thud_error check_definition(thud_context *context, const thud_solid_definition *given) {
  thud_index d = thud_solid_mesh_get(given->mesh).dimension;
  bool space = given->kinematics == THUD_SOLID_SPACE;
  if (space != (d == 3))
    return thud_fail(
        context, THUD_ERROR_ARGUMENT,
        "[contradictory-keys] the mesh has the dimension %td; plane strain, plane stress and axisymmetric bodies "
        "have 2, bodies in space 3",
        (ptrdiff_t)d);
  bool plane = given->kinematics == THUD_SOLID_PLANE_STRAIN || given->kinematics == THUD_SOLID_PLANE_STRESS;
  if (plane && !(given->thickness > 0 && isfinite(given->thickness)))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] the thickness %g must be > 0", given->thickness);
  return THUD_OK;
}

/* The axis is x = 0. */
static thud_error check_radii(const thud_solid *solid) {
  for (thud_index i = 0; i < solid->view.nodes && solid->given.kinematics == THUD_SOLID_AXISYMMETRIC; i++)
    if (solid->view.place[2 * (size_t)i] < 0)
      return thud_fail(solid->context, THUD_ERROR_ARGUMENT,
                       "[out-of-range] node %td is at x = %g: an axisymmetric body has radii x >= 0", (ptrdiff_t)i + 1,
                       solid->view.place[2 * (size_t)i]);
  return THUD_OK;
}

static thud_error number_unknowns(thud_solid *solid, const unsigned char *held) {
  thud_context *context = solid->context;
  size_t all = (size_t)solid->d * (size_t)solid->view.nodes;
  solid->held = THUD_NEW_ARRAY(context, unsigned char, all);
  solid->unknown = THUD_NEW_ARRAY(context, thud_index, all);
  solid->component = THUD_NEW_ARRAY(context, thud_index, all);
  if (solid->held == NULL || solid->unknown == NULL || solid->component == NULL) return THUD_ERROR_MEMORY;
  if (held != NULL) memcpy(solid->held, held, all);
  for (size_t i = 0; i < all; i++) {
    solid->unknown[i] = solid->held[i] != 0 ? -1 : solid->unknowns;
    if (solid->held[i] == 0) solid->component[solid->unknowns++] = (thud_index)i;
  }
  if (solid->unknowns > 0) return THUD_OK;
  return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] every displacement of the solid is given");
}

/* ---- the pattern --------------------------------------------------------------------------------------------------------- */

/* Elements around each node: list[start[i]] ... */
typedef struct node_elements {
  thud_index *start, *list;
} node_elements;

static thud_error list_elements(const thud_solid *solid, node_elements *around) {
  const thud_solid_mesh_definition *mesh = &solid->view;
  size_t entries = (size_t)solid->corners * (size_t)mesh->elements, n = (size_t)mesh->nodes;
  around->start = THUD_NEW_ARRAY(solid->context, thud_index, n + 2);
  around->list = THUD_NEW_ARRAY(solid->context, thud_index, entries);
  if (around->start == NULL || around->list == NULL) return THUD_ERROR_MEMORY;
  thud_index *start = around->start + 1;
  for (size_t k = 0; k < entries; k++) start[mesh->element[k] + 1]++;
  for (size_t i = 0; i < n; i++) start[i + 1] += start[i];
  for (size_t k = 0; k < entries; k++) around->list[start[mesh->element[k]]++] = (thud_index)k / solid->corners;
  return THUD_OK; /* start[i] of the shifted list has become the end of i: around->start is right */
}

static int compare_nodes(const void *p, const void *q) {
  thud_index a = *(const thud_index *)p, b = *(const thud_index *)q;
  return (a > b) - (a < b);
}

/* Nodes that share an element with node i, in order; seen[] holds the number of the last node that met each. */
static thud_index neighbours(const thud_solid *solid, const node_elements *around, thud_index i, thud_index *seen,
                             thud_index *list) {
  thud_index count = 0;
  for (thud_index p = around->start[i]; p < around->start[i + 1]; p++) {
    const thud_index *node = solid->view.element + (size_t)solid->corners * (size_t)around->list[p];
    for (int k = 0; k < solid->corners; k++) {
      if (seen[node[k]] == i + 1) continue;
      seen[node[k]] = i + 1;
      list[count++] = node[k];
    }
  }
  qsort(list, (size_t)count, sizeof *list, compare_nodes);
  return count;
}

static thud_error too_large(const thud_solid *solid, double entries) {
  return thud_fail(solid->context, THUD_ERROR_OVERFLOW,
                   "[too-large] the stiffness matrix of %td unknowns would have %.3g entries, at most %d are possible",
                   (ptrdiff_t)solid->unknowns, entries, INT32_MAX / 2);
}

/* Columns of all components of all nodes; rows increase. With list NULL only the sizes. */
static thud_error fill_pattern(const thud_solid *solid, const node_elements *around, thud_index *seen, thud_index *near,
                               thud_sparse *all) {
  int d = solid->d;
  double entries = 0;
  memset(seen, 0, (size_t)solid->view.nodes * sizeof *seen);
  for (thud_index i = 0; i < solid->view.nodes; i++) {
    thud_index count = neighbours(solid, around, i, seen, near);
    entries += (double)d * d * count;
    if (entries > INT32_MAX / 2) return too_large(solid, entries);
    for (int c = 0; c < d; c++) {
      thud_index column = d * i + c, at = all->column_start[column];
      all->column_start[column + 1] = at + d * count;
      for (thud_index k = 0; all->row != NULL && k < d * count; k++) all->row[at + k] = d * near[k / d] + k % d;
    }
  }
  return THUD_OK;
}

static thud_error make_pattern(thud_solid *solid) {
  thud_context *context = solid->context;
  node_elements around = {0};
  thud_index *seen = THUD_NEW_ARRAY(context, thud_index, solid->view.nodes);
  thud_index *near = THUD_NEW_ARRAY(context, thud_index, solid->view.nodes);
  thud_sparse *all = &solid->all;
  all->rows = all->columns = solid->d * solid->view.nodes;
  all->column_start = THUD_NEW_ARRAY(context, thud_index, (size_t)all->columns + 1);
  thud_error error = seen != NULL && near != NULL && all->column_start != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = list_elements(solid, &around);
  if (error == THUD_OK) error = fill_pattern(solid, &around, seen, near, all);
  if (error == THUD_OK) {
    all->row = THUD_NEW_ARRAY(context, thud_index, all->column_start[all->columns]);
    all->value = THUD_NEW_ARRAY(context, double, all->column_start[all->columns]);
    error = all->row != NULL && all->value != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  }
  if (error == THUD_OK) error = fill_pattern(solid, &around, seen, near, all);
  thud_free(context, around.start);
  thud_free(context, around.list);
  thud_free(context, seen);
  thud_free(context, near);
  return error;
}

/* ---- values -------------------------------------------------------------------------------------------------------------- */

static thud_index find_row(const thud_sparse *A, thud_index column, thud_index row) {
  thud_index low = A->column_start[column], high = A->column_start[column + 1];
  while (low < high) {
    thud_index middle = low + (high - low) / 2;
    if (A->row[middle] < row)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void add_element(thud_solid *solid, const thud_index *node, const double *K) {
  int d = solid->d, n = d * solid->corners;
  for (int b = 0; b < n; b++) {
    thud_index column = d * node[b / d] + b % d;
    for (int a = 0; a < solid->corners; a++) {
      thud_index at = find_row(&solid->all, column, d * node[a]);
      for (int i = 0; i < d; i++) solid->all.value[at + i] += K[(d * a + i) + n * b];
    }
  }
}

static thud_error assemble(thud_solid *solid) {
  int n = solid->d * solid->corners;
  double *K = THUD_NEW_ARRAY(solid->context, double, n *n);
  thud_error error = K != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (thud_index e = 0; e < solid->view.elements && error == THUD_OK; e++) {
    double where[3] = {0, 0, 0};
    char place[80];
    if (thud_solid_element_stiffness(solid, e, K, where))
      add_element(solid, solid->view.element + (size_t)solid->corners * (size_t)e, K);
    else
      error = thud_fail(solid->context, THUD_ERROR_ARGUMENT, "[bad-element] element %td (group '%s') is inverted at %s",
                        (ptrdiff_t)e + 1, solid->view.group_names[solid->view.element_group[e]],
                        thud_solid_mesh_place(solid->d, where, place));
  }
  thud_free(solid->context, K);
  return error;
}

/* Rows and columns of the unknowns. */
static thud_error restrict_matrix(thud_solid *solid) {
  const thud_sparse *all = &solid->all;
  thud_sparse *K = &solid->K;
  thud_index kept = 0;
  K->rows = K->columns = solid->unknowns;
  K->column_start = THUD_NEW_ARRAY(solid->context, thud_index, (size_t)solid->unknowns + 1);
  if (K->column_start == NULL) return THUD_ERROR_MEMORY;
  for (int pass = 0; pass < 2; pass++) {
    kept = 0;
    for (thud_index j = 0; j < solid->unknowns; j++) {
      thud_index column = solid->component[j];
      for (thud_index p = all->column_start[column]; p < all->column_start[column + 1]; p++) {
        thud_index row = solid->unknown[all->row[p]];
        if (row < 0) continue;
        if (pass == 1) K->row[kept] = row, K->value[kept] = all->value[p];
        kept++;
      }
      K->column_start[j + 1] = kept;
    }
    if (pass == 1) break;
    K->row = THUD_NEW_ARRAY(solid->context, thud_index, kept);
    K->value = THUD_NEW_ARRAY(solid->context, double, kept);
    if (K->row == NULL || K->value == NULL) return THUD_ERROR_MEMORY;
  }
  return THUD_OK;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------ */

static thud_error make_solid(thud_solid *solid, const thud_solid_definition *given) {
  thud_context *context = solid->context;
  size_t groups = (size_t)solid->view.groups;
  solid->lambda = THUD_NEW_ARRAY(context, double, groups);
  solid->shear = THUD_NEW_ARRAY(context, double, groups);
  solid->poisson = THUD_NEW_ARRAY(context, double, groups);
  if (solid->lambda == NULL || solid->shear == NULL || solid->poisson == NULL) return THUD_ERROR_MEMORY;
  thud_error error = check_radii(solid);
  for (thud_index g = 0; g < solid->view.groups && error == THUD_OK; g++)
    if (solid->view.group_dimension[g] == solid->d) error = take_material(solid, g);
  if (error == THUD_OK) error = number_unknowns(solid, given->held);
  if (error == THUD_OK) error = make_pattern(solid);
  if (error == THUD_OK) error = assemble(solid);
  return error == THUD_OK ? restrict_matrix(solid) : error;
}

thud_error thud_solid_create(thud_context *context, const thud_solid_definition *definition, thud_solid **solid) {
  THUD_REQUIRE(context, context, definition, solid, definition->mesh, definition->materials);
  thud_error error = check_definition(context, definition);
  if (error != THUD_OK) return error;
  thud_solid *made = THUD_NEW(context, thud_solid);
  if (made == NULL) return THUD_ERROR_MEMORY;
  *made = (thud_solid){.context = context, .mesh = definition->mesh, .given = *definition};
  made->view = thud_solid_mesh_get(definition->mesh);
  made->d = (int)made->view.dimension;
  made->order = (int)made->view.order;
  made->corners = element_corners(made->d, made->order);
  made->side_corners = element_corners(made->d - 1, made->order);
  error = make_solid(made, definition);
  made->given.materials = NULL;
  made->given.held = NULL;
  if (error == THUD_OK)
    *solid = made;
  else
    thud_solid_destroy(made);
  return error;
}

thud_solid_view thud_solid_get(const thud_solid *solid) {
  THUD_REQUIRE_OR(((thud_solid_view){0}), solid);
  double entries = solid->K.column_start[solid->unknowns], poisson = -1;
  for (thud_index g = 0; g < solid->view.groups; g++)
    if (solid->view.group_dimension[g] == solid->d) poisson = fmax(poisson, solid->poisson[g]);
  return (thud_solid_view){.dimension = solid->d,
                           .nodes = solid->view.nodes,
                           .unknowns = solid->unknowns,
                           .K = &solid->K,
                           .unknown = solid->unknown,
                           .component = solid->component,
                           .poisson = poisson,
                           .lower_memory = 4 * entries * (sizeof(double) + sizeof(thud_index))};
}

void thud_solid_apply(const thud_solid *solid, const double *u, double *force) {
  THUD_REQUIRE_OR(, solid, u, force);
  thud_sparse_multiply_vector(&solid->all, false, 1, u, 0, force);
}
