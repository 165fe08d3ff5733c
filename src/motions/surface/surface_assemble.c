/* Stiffness matrices of the elements: linear triangles for membranes and for plane stress, Morley's for plates. */
#include "base/base.h"
#include "motions/surface/surface.h"

#include <math.h>

/* One element at a time is added to a list of triplets. */
typedef struct triplets {
  thud_context *context;
  size_t count;
  thud_index *row, *column;
  double *value;
} triplets;

static thud_error begin(thud_context *context, thud_index elements, int freedoms, triplets *list) {
  size_t count = (size_t)elements * (size_t)(freedoms * freedoms);
  *list = (triplets){.context = context};
  list->row = THUD_NEW_ARRAY(context, thud_index, count);
  list->column = THUD_NEW_ARRAY(context, thud_index, count);
  list->value = THUD_NEW_ARRAY(context, double, count);
  return list->row != NULL && list->column != NULL && list->value != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static void end(triplets *list) {
  thud_free(list->context, list->row);
  thud_free(list->context, list->column);
  thud_free(list->context, list->value);
}

static void add_element(triplets *list, int freedoms, const thud_index *at, const double *matrix) {
  for (int i = 0; i < freedoms; i++)
    for (int j = 0; j < freedoms; j++) {
      list->row[list->count] = at[i];
      list->column[list->count] = at[j];
      list->value[list->count++] = matrix[i * freedoms + j];
    }
}

/* Corners of a triangle, gradients of its barycentric coordinates times twice the area, and that. */
static double gradients(const thud_mesh *mesh, thud_index t, double gradient[3][2]) {
  const thud_index *corner = mesh->triangle + 3 * (ptrdiff_t)t;
  const double *p[3] = {mesh->xy + 2 * (ptrdiff_t)corner[0], mesh->xy + 2 * (ptrdiff_t)corner[1],
                        mesh->xy + 2 * (ptrdiff_t)corner[2]};
  for (int c = 0; c < 3; c++) {
    const double *next = p[(c + 1) % 3], *last = p[(c + 2) % 3];
    gradient[c][0] = next[1] - last[1];
    gradient[c][1] = last[0] - next[0];
  }
  return mesh_twice_area(p[0], p[1], p[2]);
}

/* T integral of grad a . grad b */
static void membrane_element(const thud_surface *surface, thud_index t, double *matrix) {
  double g[3][2], twice = gradients(surface->mesh, t, g);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      matrix[3 * i + j] = surface->stiffness * (g[i][0] * g[j][0] + g[i][1] * g[j][1]) / (2 * twice);
}

/* Second derivatives (xx, yy, xy) of Morley's quadratic function are constant on a triangle; by Gauss' theorem
 *   A d_ij w = sum over the sides of  L (dw/dn at the midpoint) n_i n_j + (w at its end - w at its beginning) t_i n_j
 * with the outward normal n = (t_y, -t_x). row k of B[3][6]: derivative k by the corners' w, then by the sides' slopes;
 * side c lies opposite to corner c. Returns the area. */
static double morley_derivatives(const thud_surface *surface, thud_index t, double B[3][6], thud_index at[6]) {
  const thud_mesh *mesh = surface->mesh;
  const thud_index *corner = mesh->triangle + 3 * (ptrdiff_t)t;
  double g[3][2], area = gradients(mesh, t, g) / 2;
  for (int k = 0; k < 18; k++) B[k / 6][k % 6] = 0;
  for (int c = 0; c < 3; c++) {
    int from = (c + 1) % 3, to = (c + 2) % 3;
    const double *a = mesh->xy + 2 * (ptrdiff_t)corner[from], *b = mesh->xy + 2 * (ptrdiff_t)corner[to];
    double length = hypot(b[0] - a[0], b[1] - a[1]), tx = (b[0] - a[0]) / length, ty = (b[1] - a[1]) / length;
    double nx = ty, ny = -tx, sense = corner[from] < corner[to] ? 1 : -1; /* of the edge's own normal */
    const double normal[3] = {nx * nx, ny * ny, nx * ny};
    const double along[3] = {tx * nx, ty * ny, (tx * ny + ty * nx) / 2};
    for (int k = 0; k < 3; k++) {
      B[k][3 + c] = sense * length * normal[k] / area;
      B[k][to] += along[k] / area;
      B[k][from] -= along[k] / area;
    }
    at[c] = corner[c];
    at[3 + c] = surface->n + thud_mesh_edge_index(surface->edges, surface->edge_count, corner[from], corner[to]);
  }
  return area;
}

/* D integral of nu tr tr + (1 - nu) (xx xx + yy yy + 2 xy xy) */
static void plate_element(const thud_surface *surface, thud_index t, thud_index at[6], double *matrix) {
  double B[3][6], area = morley_derivatives(surface, t, B, at), nu = surface->plate_poisson;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      double trace = (B[0][i] + B[1][i]) * (B[0][j] + B[1][j]);
      double all = B[0][i] * B[0][j] + B[1][i] * B[1][j] + 2 * B[2][i] * B[2][j];
      matrix[6 * i + j] = surface->stiffness * area * (nu * trace + (1 - nu) * all);
    }
}

thud_error thud_surface_assemble(thud_surface *surface) {
  const thud_mesh *mesh = surface->mesh;
  bool plate = surface->kind == THUD_SURFACE_PLATE;
  int freedoms = plate ? 6 : 3;
  triplets list;
  thud_sparse K = {0};
  double matrix[36];
  thud_index at[6];
  thud_error error = begin(surface->context, mesh->triangles, freedoms, &list);
  for (thud_index t = 0; t < mesh->triangles && error == THUD_OK; t++) {
    for (int c = 0; c < 3; c++) at[c] = mesh->triangle[3 * (ptrdiff_t)t + c];
    if (plate)
      plate_element(surface, t, at, matrix);
    else
      membrane_element(surface, t, matrix);
    add_element(&list, freedoms, at, matrix);
  }
  if (error == THUD_OK)
    error = thud_sparse_from_triplets(surface->context, surface->freedoms, surface->freedoms, list.count, list.row,
                                      list.column, list.value, &K);
  end(&list);
  return error == THUD_OK ? thud_surface_matrix_create(surface->context, &K, &surface->transverse) : error;
}

/* Plane stress: E h / (1 - nu^2) [ (e_xx + e_yy)^2 nu + (1 - nu) (e_xx^2 + e_yy^2 + 2 e_xy^2) ], the unknowns of node i at
 * 2 i and 2 i + 1. */
static void plane_element(const thud_surface *surface, thud_index t, thud_index at[6], double *matrix) {
  double g[3][2], twice = gradients(surface->mesh, t, g), nu = surface->poisson;
  double scale = surface->stretch / (1 - nu * nu) / (2 * twice);
  for (int k = 0; k < 6; k++) at[k] = 2 * surface->mesh->triangle[3 * (ptrdiff_t)t + k / 2] + k % 2;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      const double *a = g[i / 2], *b = g[j / 2];
      int p = i % 2, q = j % 2;
      double trace = a[p] * b[q]; /* div of one times div of the other */
      double both = ((p == q ? a[0] * b[0] + a[1] * b[1] : 0) + a[q] * b[p]) / 2;
      matrix[6 * i + j] = scale * (nu * trace + (1 - nu) * both);
    }
}

thud_error thud_surface_assemble_plane(thud_surface *surface) {
  triplets list;
  thud_sparse K = {0};
  double matrix[36];
  thud_index at[6];
  thud_error error = begin(surface->context, surface->mesh->triangles, 6, &list);
  for (thud_index t = 0; t < surface->mesh->triangles && error == THUD_OK; t++) {
    plane_element(surface, t, at, matrix);
    add_element(&list, 6, at, matrix);
  }
  if (error == THUD_OK)
    error = thud_sparse_from_triplets(surface->context, 2 * surface->n, 2 * surface->n, list.count, list.row,
                                      list.column, list.value, &K);
  end(&list);
  return error == THUD_OK ? thud_surface_matrix_create(surface->context, &K, &surface->plane) : error;
}
