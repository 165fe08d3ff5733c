/* Triangle meshes: checked copies, rectangles, discs, edges. */
#include "mesh/triangle_mesh.h"
#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 20000, MOST_RINGS = 5000 };
/* A triangle whose height is less than this part of its longest side has no area. */
static const double flat = 1e-10;

void thud_mesh_destroy(thud_mesh *mesh) {
  if (mesh == NULL) return;
  thud_context *context = mesh->context;
  for (thud_index k = 0; mesh->group_names != NULL && k < mesh->groups; k++) thud_free(context, mesh->group_names[k]);
  thud_free(context, (void *)mesh->group_names);
  thud_free(context, mesh->xy);
  thud_free(context, mesh->triangle);
  thud_free(context, mesh->edge);
  thud_free(context, mesh->edge_group);
  thud_free(context, mesh);
}

static thud_mesh *allocate(thud_context *context, const thud_mesh_definition *sizes) {
  thud_mesh *mesh = THUD_NEW(context, thud_mesh);
  if (mesh == NULL) return NULL;
  *mesh = (thud_mesh){.context = context,
                      .nodes = sizes->nodes,
                      .triangles = sizes->triangles,
                      .edges = sizes->edges,
                      .groups = sizes->groups};
  mesh->xy = THUD_NEW_ARRAY(context, double, 2 * (size_t)mesh->nodes);
  mesh->triangle = THUD_NEW_ARRAY(context, thud_index, 3 * (size_t)mesh->triangles);
  mesh->edge = THUD_NEW_ARRAY(context, thud_index, 2 * (size_t)mesh->edges);
  mesh->edge_group = THUD_NEW_ARRAY(context, thud_index, mesh->edges);
  mesh->group_names = THUD_NEW_ARRAY(context, char *, mesh->groups);
  bool complete = mesh->xy != NULL && mesh->triangle != NULL && mesh->edge != NULL && mesh->edge_group != NULL &&
                  mesh->group_names != NULL;
  for (thud_index k = 0; complete && k < mesh->groups; k++) {
    mesh->group_names[k] = thud_strdup(context, sizes->group_names[k]);
    complete = mesh->group_names[k] != NULL;
  }
  if (complete) return mesh;
  thud_mesh_destroy(mesh);
  return NULL;
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

static int compare_edges(const void *p, const void *q) {
  const mesh_edge *e = p, *f = q;
  if (e->a != f->a) return e->a < f->a ? -1 : 1;
  if (e->b != f->b) return e->b < f->b ? -1 : 1;
  return (e->triangle[0] > f->triangle[0]) - (e->triangle[0] < f->triangle[0]);
}

static void list_sides(const thud_mesh *mesh, mesh_edge *all) {
  for (thud_index t = 0; t < mesh->triangles; t++)
    for (int c = 0; c < 3; c++) {
      thud_index a = mesh->triangle[3 * (ptrdiff_t)t + (c + 1) % 3], b = mesh->triangle[3 * (ptrdiff_t)t + (c + 2) % 3];
      all[3 * (ptrdiff_t)t + c] =
          (mesh_edge){.a = a < b ? a : b, .b = a < b ? b : a, .triangle = {t, -1}, .corner = {c, -1}};
    }
}

thud_error thud_mesh_all_edges(const thud_mesh *mesh, mesh_edge **edges, thud_index *count) {
  size_t sides = 3 * (size_t)mesh->triangles, kept = 0;
  mesh_edge *all = THUD_NEW_ARRAY(mesh->context, mesh_edge, sides);
  if (all == NULL) return THUD_ERROR_MEMORY;
  list_sides(mesh, all);
  qsort(all, sides, sizeof *all, compare_edges);
  for (size_t k = 0; k < sides; k++) {
    mesh_edge *last = kept > 0 ? &all[kept - 1] : NULL;
    if (last == NULL || last->a != all[k].a || last->b != all[k].b) {
      all[kept++] = all[k];
    } else if (last->triangle[1] < 0) {
      last->triangle[1] = all[k].triangle[0];
      last->corner[1] = all[k].corner[0];
    } else {
      thud_error error = thud_fail(mesh->context, THUD_ERROR_ARGUMENT,
                                   "[bad-mesh-file] the edge from node %td to node %td belongs to three triangles",
                                   (ptrdiff_t)last->a, (ptrdiff_t)last->b);
      thud_free(mesh->context, all);
      return error;
    }
  }
  *edges = all;
  *count = (thud_index)kept;
  return THUD_OK;
}

thud_index thud_mesh_edge_index(const mesh_edge *edges, thud_index count, thud_index a, thud_index b) {
  thud_index low = 0, high = count, first = a < b ? a : b, second = a < b ? b : a;
  while (low < high) {
    thud_index middle = low + (high - low) / 2;
    const mesh_edge *e = &edges[middle];
    if (e->a < first || (e->a == first && e->b < second))
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && edges[low].a == first && edges[low].b == second ? low : -1;
}

/* ---- checking ---------------------------------------------------------------------------------------------------- */

static thud_error check_sizes(thud_context *context, const thud_mesh_definition *given) {
  const thud_index most = INT32_MAX / 8;
  if (given->nodes < 3 || given->triangles < 1 || given->edges < 0 || given->groups < 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-mesh-file] a mesh needs 3 nodes and 1 triangle at least");
  if (given->nodes > most || given->triangles > most || given->edges > most || given->groups > most)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "[bad-mesh-file] a mesh has at most %td nodes and triangles",
                     (ptrdiff_t)most);
  if (given->xy == NULL || given->triangle == NULL ||
      (given->edges > 0 && (given->edge == NULL || given->edge_group == NULL)) ||
      (given->groups > 0 && given->group_names == NULL))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-mesh-file] an array of the mesh is NULL");
  return THUD_OK;
}

/* Copies the triangles counter-clockwise. */
static thud_error take_triangles(thud_mesh *mesh, const thud_mesh_definition *given) {
  for (thud_index t = 0; t < mesh->triangles; t++) {
    const thud_index *from = given->triangle + 3 * (ptrdiff_t)t;
    thud_index *to = mesh->triangle + 3 * (ptrdiff_t)t;
    for (int c = 0; c < 3; c++)
      if (from[c] < 0 || from[c] >= mesh->nodes)
        return thud_fail(mesh->context, THUD_ERROR_ARGUMENT, "[bad-mesh-file] triangle %td has the node %td of %td",
                         (ptrdiff_t)t, (ptrdiff_t)from[c], (ptrdiff_t)mesh->nodes);
    const double *p = mesh->xy + 2 * (ptrdiff_t)from[0], *q = mesh->xy + 2 * (ptrdiff_t)from[1],
                 *r = mesh->xy + 2 * (ptrdiff_t)from[2];
    double area = mesh_twice_area(p, q, r);
    double side =
        fmax(hypot(q[0] - p[0], q[1] - p[1]), fmax(hypot(r[0] - q[0], r[1] - q[1]), hypot(p[0] - r[0], p[1] - r[1])));
    if (!(fabs(area) > flat * side * side) || !isfinite(area))
      return thud_fail(mesh->context, THUD_ERROR_ARGUMENT,
                       "[bad-mesh-file] triangle %td (nodes %td, %td, %td) has no area", (ptrdiff_t)t,
                       (ptrdiff_t)from[0], (ptrdiff_t)from[1], (ptrdiff_t)from[2]);
    to[0] = from[0];
    to[1] = area > 0 ? from[1] : from[2];
    to[2] = area > 0 ? from[2] : from[1];
  }
  return THUD_OK;
}

typedef struct mesh_place {
  double x, y;
  thud_index node;
} mesh_place;

static int compare_places(const void *p, const void *q) {
  const mesh_place *a = p, *b = q;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  if (a->y != b->y) return a->y < b->y ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

/* Every node is finite, has a place of its own and a triangle. */
static thud_error check_nodes(const thud_mesh *mesh) {
  thud_error error = THUD_OK;
  mesh_place *places = THUD_NEW_ARRAY(mesh->context, mesh_place, mesh->nodes);
  bool *used = THUD_NEW_ARRAY(mesh->context, bool, mesh->nodes);
  if (places == NULL || used == NULL) error = THUD_ERROR_MEMORY;
  for (ptrdiff_t k = 0; error == THUD_OK && k < 3 * (ptrdiff_t)mesh->triangles; k++) used[mesh->triangle[k]] = true;
  for (thud_index i = 0; error == THUD_OK && i < mesh->nodes; i++) {
    places[i] = (mesh_place){mesh->xy[2 * (ptrdiff_t)i], mesh->xy[2 * (ptrdiff_t)i + 1], i};
    if (!used[i])
      error = thud_fail(mesh->context, THUD_ERROR_ARGUMENT, "[bad-mesh-file] node %td belongs to no triangle",
                        (ptrdiff_t)i);
  }
  if (error == THUD_OK) qsort(places, (size_t)mesh->nodes, sizeof *places, compare_places);
  for (thud_index i = 1; error == THUD_OK && i < mesh->nodes; i++)
    if (places[i].x == places[i - 1].x && places[i].y == places[i - 1].y)
      error = thud_fail(mesh->context, THUD_ERROR_ARGUMENT, "[bad-mesh-file] nodes %td and %td are both at (%g, %g)",
                        (ptrdiff_t)places[i - 1].node, (ptrdiff_t)places[i].node, places[i].x, places[i].y);
  thud_free(mesh->context, places);
  thud_free(mesh->context, used);
  return error;
}

static thud_error take_edges(thud_mesh *mesh, const thud_mesh_definition *given) {
  mesh_edge *all = NULL;
  thud_index count = 0;
  thud_error error = thud_mesh_all_edges(mesh, &all, &count);
  for (thud_index k = 0; error == THUD_OK && k < mesh->edges; k++) {
    const thud_index *ends = given->edge + 2 * (ptrdiff_t)k;
    mesh->edge[2 * (ptrdiff_t)k] = ends[0];
    mesh->edge[2 * (ptrdiff_t)k + 1] = ends[1];
    mesh->edge_group[k] = given->edge_group[k];
    if (thud_mesh_edge_index(all, count, ends[0], ends[1]) < 0)
      error = thud_fail(mesh->context, THUD_ERROR_ARGUMENT,
                        "[bad-mesh-file] the line from node %td to node %td is no edge of a triangle",
                        (ptrdiff_t)ends[0], (ptrdiff_t)ends[1]);
    else if (given->edge_group[k] < 0 || given->edge_group[k] >= mesh->groups)
      error = thud_fail(mesh->context, THUD_ERROR_ARGUMENT, "[bad-mesh-file] edge %td is of group %td, there are %td",
                        (ptrdiff_t)k, (ptrdiff_t)given->edge_group[k], (ptrdiff_t)mesh->groups);
  }
  thud_free(mesh->context, all);
  return error;
}

thud_error thud_mesh_create(thud_context *context, const thud_mesh_definition *definition, thud_mesh **mesh) {
  THUD_REQUIRE(context, context, definition, mesh);
  thud_error error = check_sizes(context, definition);
  if (error != THUD_OK) return error;
  thud_mesh *made = allocate(context, definition);
  if (made == NULL) return THUD_ERROR_MEMORY;
  memcpy(made->xy, definition->xy, 2 * (size_t)made->nodes * sizeof *made->xy);
  for (ptrdiff_t k = 0; k < 2 * (ptrdiff_t)made->nodes && error == THUD_OK; k++)
    if (!isfinite(made->xy[k]))
      error =
          thud_fail(context, THUD_ERROR_NOT_FINITE, "[bad-mesh-file] a coordinate of node %td is not finite", k / 2);
  if (error == THUD_OK) error = take_triangles(made, definition);
  if (error == THUD_OK) error = check_nodes(made);
  if (error == THUD_OK) error = take_edges(made, definition);
  if (error == THUD_OK)
    *mesh = made;
  else
    thud_mesh_destroy(made);
  return error;
}

thud_mesh_definition thud_mesh_get(const thud_mesh *mesh) {
  THUD_REQUIRE_OR((thud_mesh_definition){0}, mesh);
  return (thud_mesh_definition){.nodes = mesh->nodes,
                                .xy = mesh->xy,
                                .triangles = mesh->triangles,
                                .triangle = mesh->triangle,
                                .edges = mesh->edges,
                                .edge = mesh->edge,
                                .edge_group = mesh->edge_group,
                                .groups = mesh->groups,
                                .group_names = (const char *const *)mesh->group_names,
                                .cells = {mesh->cells[0], mesh->cells[1]}};
}

thud_index thud_mesh_find_group(const thud_mesh *mesh, const char *name) {
  THUD_REQUIRE_OR(-1, mesh, name);
  for (thud_index k = 0; k < mesh->groups; k++)
    if (strcmp(mesh->group_names[k], name) == 0) return k;
  return -1;
}

/* ---- rectangles -------------------------------------------------------------------------------------------------- */

static void fill_rectangle(thud_mesh *mesh, const double box[4]) {
  thud_index nx = mesh->cells[0], ny = mesh->cells[1], *t = mesh->triangle;
  for (thud_index j = 0; j <= ny; j++)
    for (thud_index i = 0; i <= nx; i++) {
      double *place = mesh->xy + 2 * ((ptrdiff_t)j * (nx + 1) + i);
      place[0] = i == nx ? box[2] : box[0] + (box[2] - box[0]) * i / nx;
      place[1] = j == ny ? box[3] : box[1] + (box[3] - box[1]) * j / ny;
    }
  for (thud_index j = 0; j < ny; j++)
    for (thud_index i = 0; i < nx; i++, t += 6) {
      thud_index a = j * (nx + 1) + i, b = a + 1, c = a + nx + 1, d = c + 1;
      const thud_index both[6] = {a, b, d, a, d, c};
      memcpy(t, both, sizeof both);
    }
}

static void fill_sides(thud_mesh *mesh) {
  thud_index nx = mesh->cells[0], ny = mesh->cells[1], k = 0;
  for (int side = 0; side < 4; side++)
    for (thud_index m = 0; m < (side < 2 ? ny : nx); m++, k++) {
      thud_index first = side < 2 ? m * (nx + 1) + (side == 1 ? nx : 0) : (side == 3 ? ny * (nx + 1) : 0) + m;
      mesh->edge[2 * (ptrdiff_t)k] = first;
      mesh->edge[2 * (ptrdiff_t)k + 1] = first + (side < 2 ? nx + 1 : 1);
      mesh->edge_group[k] = side;
    }
}

thud_error thud_mesh_rectangle(thud_context *context, const double box[4], const thud_index cells[2],
                               thud_mesh **mesh) {
  static const char *const names[] = {"left", "right", "bottom", "top"};
  THUD_REQUIRE(context, context, box, cells, mesh);
  if (cells[0] < 1 || cells[1] < 1 || cells[0] > MOST_CELLS || cells[1] > MOST_CELLS ||
      (int64_t)cells[0] * cells[1] > INT32_MAX / 16)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-mesh-file] a rectangle has from 1 to %d cells in each direction", MOST_CELLS);
  if (!(box[0] < box[2]) || !(box[1] < box[3]) || !isfinite(box[2] - box[0]) || !isfinite(box[3] - box[1]))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-mesh-file] the rectangle [%g, %g, %g, %g] has no area", box[0],
                     box[1], box[2], box[3]);
  const thud_mesh_definition sizes = {.nodes = (cells[0] + 1) * (cells[1] + 1),
                                      .triangles = 2 * cells[0] * cells[1],
                                      .edges = 2 * (cells[0] + cells[1]),
                                      .groups = 4,
                                      .group_names = names};
  thud_mesh *made = allocate(context, &sizes);
  if (made == NULL) return THUD_ERROR_MEMORY;
  memcpy(made->cells, cells, sizeof made->cells);
  fill_rectangle(made, box);
  fill_sides(made);
  *mesh = made;
  return THUD_OK;
}

/* ---- discs ------------------------------------------------------------------------------------------------------- */

/* Ring k begins after 1 + 3 k (k-1) nodes; in sixth s of it node m of k. */
static thud_index on_ring(thud_index k, thud_index m) { return k == 0 ? 0 : 1 + 3 * k * (k - 1) + m % (6 * k); }

static void fill_disc(thud_mesh *mesh, const double centre[2], double radius, thud_index rings) {
  const double turn = 6.283185307179586477;
  thud_index *t = mesh->triangle;
  memcpy(mesh->xy, centre, 2 * sizeof(double));
  for (thud_index k = 1; k <= rings; k++) {
    for (thud_index m = 0; m < 6 * k; m++) {
      double *place = mesh->xy + 2 * (ptrdiff_t)on_ring(k, m), angle = turn * m / (6 * k), r = radius * k / rings;
      place[0] = centre[0] + r * cos(angle);
      place[1] = centre[1] + r * sin(angle);
    }
    for (thud_index m = 0; m < 6 * k; m++, t += 3) { /* with a side on this ring */
      thud_index s = m / k, inner = s * (k - 1) + m % k;
      t[0] = on_ring(k - 1, inner);
      t[1] = on_ring(k, m);
      t[2] = on_ring(k, m + 1);
      if (m % k == 0) continue; /* and the one with a side on the ring before */
      t += 3;
      t[0] = on_ring(k - 1, inner - 1);
      t[1] = on_ring(k, m);
      t[2] = on_ring(k - 1, inner);
    }
  }
  for (thud_index m = 0; m < 6 * rings; m++) {
    mesh->edge[2 * (ptrdiff_t)m] = on_ring(rings, m);
    mesh->edge[2 * (ptrdiff_t)m + 1] = on_ring(rings, m + 1);
  }
}

thud_error thud_mesh_disc(thud_context *context, const double centre[2], double radius, thud_index rings,
                          thud_mesh **mesh) {
  static const char *const names[] = {"edge"};
  THUD_REQUIRE(context, context, centre, mesh);
  if (rings < 1 || rings > MOST_RINGS)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-mesh-file] a disc has from 1 to %d rings", MOST_RINGS);
  if (!(radius > 0) || !isfinite(radius) || !isfinite(centre[0]) || !isfinite(centre[1]))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-mesh-file] a disc needs a finite centre and a radius > 0, not %g", radius);
  const thud_mesh_definition sizes = {.nodes = 1 + 3 * rings * (rings + 1),
                                      .triangles = 6 * rings * rings,
                                      .edges = 6 * rings,
                                      .groups = 1,
                                      .group_names = names};
  thud_mesh *made = allocate(context, &sizes);
  if (made == NULL) return THUD_ERROR_MEMORY;
  fill_disc(made, centre, radius, rings);
  *mesh = made;
  return THUD_OK;
}
