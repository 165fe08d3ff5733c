/* Membranes and plates: stiffness matrices of the elements (linear triangles for membranes and for plane stress,
 * Morley's for plates), supports, energies. */
#include "base/base.h"
#include "motions/surface/elastic_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sparse stiffness matrices with held unknowns ---------------------------------------------------------------- */

static void free_matrix(surface_matrix *matrix) {
  if (matrix->context == NULL) return;
  thud_factor_destroy(matrix->factor);
  thud_free(matrix->context, matrix->rhs);
  thud_free(matrix->context, matrix->none);
  thud_free(matrix->context, matrix->A.value); /* its pattern is that of K */
  thud_sparse_destroy(matrix->context, &matrix->K);
  *matrix = (surface_matrix){0};
}

static thud_error create_matrix(thud_context *context, thud_sparse *K, surface_matrix *matrix) {
  *matrix = (surface_matrix){.context = context, .K = *K, .A = *K};
  *K = (thud_sparse){0};
  matrix->A.value = THUD_NEW_ARRAY(context, double, matrix->K.column_start[matrix->K.columns]);
  matrix->rhs = THUD_NEW_ARRAY(context, double, matrix->K.rows);
  matrix->none = THUD_NEW_ARRAY(context, double, matrix->K.rows);
  thud_error error =
      matrix->A.value != NULL && matrix->rhs != NULL && matrix->none != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = thud_factor_create(context, &matrix->K, THUD_FACTOR_CHOLESKY, &matrix->factor);
  if (error != THUD_OK) free_matrix(matrix);
  return error;
}

/* Entry (i, j) of the 2 x 2 matrices on the diagonal. */
static double block_entry(const double *blocks, thud_index i, thud_index j) {
  if (blocks == NULL || i / 2 != j / 2) return 0;
  return blocks[3 * (ptrdiff_t)(i / 2) + i % 2 + j % 2];
}

thud_error thud_surface_matrix_fix(surface_matrix *matrix, const unsigned char *fixed, const double *blocks) {
  const thud_sparse *K = &matrix->K;
  for (thud_index j = 0; j < K->columns; j++)
    for (thud_index k = K->column_start[j]; k < K->column_start[j + 1]; k++) {
      thud_index i = K->row[k];
      bool off = fixed[i] != 0 || fixed[j] != 0;
      matrix->A.value[k] = !off ? K->value[k] + block_entry(blocks, i, j) : i == j ? 1 : 0;
    }
  /* A shift of nothing: errors that pivots inherit grow with the fourth power of the cells of a plate, and the refinement
   * answers for the accuracy. */
  return thud_factor_factorize(matrix->factor, &matrix->A, matrix->none);
}

thud_error thud_surface_matrix_solve(surface_matrix *matrix, const double *b, double *x) {
  return thud_factor_solve(matrix->factor, 0, b, x, NULL);
}

double thud_surface_matrix_row(const surface_matrix *matrix, thud_index i, const double *x, double *size) {
  const thud_sparse *K = &matrix->K; /* symmetric: column i is row i */
  double sum = 0, terms = 0;
  for (thud_index k = K->column_start[i]; k < K->column_start[i + 1]; k++) {
    double term = K->value[k] * x[K->row[k]];
    sum += term;
    terms += fabs(term);
  }
  if (size != NULL) *size = terms;
  return sum;
}

/* ---- matrices of the elements ------------------------------------------------------------------------------------ */

/* One element at a time is added to a list of triplets. */
typedef struct triplets {
  thud_context *context;
  size_t count;
  thud_index *row, *column;
  double *value;
} triplets;

static thud_error begin_triplets(thud_context *context, thud_index elements, int freedoms, triplets *list) {
  size_t count = (size_t)elements * (size_t)(freedoms * freedoms);
  *list = (triplets){.context = context};
  list->row = THUD_NEW_ARRAY(context, thud_index, count);
  list->column = THUD_NEW_ARRAY(context, thud_index, count);
  list->value = THUD_NEW_ARRAY(context, double, count);
  return list->row != NULL && list->column != NULL && list->value != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static void end_triplets(triplets *list) {
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

static thud_error assemble(thud_surface *surface) {
  const thud_mesh *mesh = surface->mesh;
  bool plate = surface->kind == THUD_SURFACE_PLATE;
  int freedoms = plate ? 6 : 3;
  triplets list;
  thud_sparse K = {0};
  double matrix[36];
  thud_index at[6];
  thud_error error = begin_triplets(surface->context, mesh->triangles, freedoms, &list);
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
  end_triplets(&list);
  return error == THUD_OK ? create_matrix(surface->context, &K, &surface->transverse) : error;
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

static thud_error assemble_plane(thud_surface *surface) {
  triplets list;
  thud_sparse K = {0};
  double matrix[36];
  thud_index at[6];
  thud_error error = begin_triplets(surface->context, surface->mesh->triangles, 6, &list);
  for (thud_index t = 0; t < surface->mesh->triangles && error == THUD_OK; t++) {
    plane_element(surface, t, at, matrix);
    add_element(&list, 6, at, matrix);
  }
  if (error == THUD_OK)
    error = thud_sparse_from_triplets(surface->context, 2 * surface->n, 2 * surface->n, list.count, list.row,
                                      list.column, list.value, &K);
  end_triplets(&list);
  return error == THUD_OK ? create_matrix(surface->context, &K, &surface->plane) : error;
}

/* ---- making one -------------------------------------------------------------------------------------------------- */

static thud_error check_definition(thud_context *context, const thud_surface_definition *given) {
  if (given->mesh == NULL || (given->mesh->groups > 0 && given->supports == NULL))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] a surface needs a mesh and the supports of its groups of edges");
  if (!(given->stiffness > 0) || !isfinite(given->stiffness))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] the %s %g of a %s must be > 0",
                     given->kind == THUD_SURFACE_PLATE ? "bending stiffness" : "tension", given->stiffness,
                     given->kind == THUD_SURFACE_PLATE ? "plate" : "membrane");
  if (!(given->stretch >= 0) || !isfinite(given->stretch))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] the stretch %g must be >= 0", given->stretch);
  if (!(given->poisson >= 0 && given->poisson <= 0.5) || !(given->plate_poisson >= 0 && given->plate_poisson <= 0.5))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] Poisson's ratio must lie between 0 and 0.5");
  return THUD_OK;
}

static thud_error allocate(thud_surface *surface) {
  thud_context *context = surface->context;
  size_t most = 2 * (size_t)surface->n > (size_t)surface->freedoms ? 2 * (size_t)surface->n : (size_t)surface->freedoms;
  surface->area = THUD_NEW_ARRAY(context, double, surface->n);
  surface->held = THUD_NEW_ARRAY(context, unsigned char, surface->freedoms);
  surface->in_held = THUD_NEW_ARRAY(context, unsigned char, surface->n);
  surface->fixed = THUD_NEW_ARRAY(context, unsigned char, most);
  surface->work = THUD_NEW_ARRAY(context, double, most);
  return surface->area != NULL && surface->held != NULL && surface->in_held != NULL && surface->fixed != NULL &&
                 surface->work != NULL
             ? THUD_OK
             : THUD_ERROR_MEMORY;
}

static void find_areas(thud_surface *surface) {
  const thud_mesh *mesh = surface->mesh;
  for (thud_index t = 0; t < mesh->triangles; t++) {
    const thud_index *corner = mesh->triangle + 3 * (ptrdiff_t)t;
    double third = mesh_twice_area(mesh->xy + 2 * (ptrdiff_t)corner[0], mesh->xy + 2 * (ptrdiff_t)corner[1],
                                   mesh->xy + 2 * (ptrdiff_t)corner[2]) /
                   6;
    for (int c = 0; c < 3; c++) surface->area[corner[c]] += third;
  }
}

static void hold(thud_surface *surface, const thud_surface_definition *given) {
  const thud_mesh *mesh = surface->mesh;
  for (thud_index k = 0; k < mesh->edges; k++) {
    thud_support support = given->supports[mesh->edge_group[k]];
    thud_support plane = given->in_plane != NULL ? given->in_plane[mesh->edge_group[k]] : THUD_SUPPORT_FREE;
    const thud_index *ends = mesh->edge + 2 * (ptrdiff_t)k;
    for (int e = 0; e < 2; e++) {
      if (support != THUD_SUPPORT_FREE) surface->held[ends[e]] = 1;
      if (plane != THUD_SUPPORT_FREE) surface->in_held[ends[e]] = 1;
    }
    if (support == THUD_SUPPORT_CLAMPED && surface->kind == THUD_SURFACE_PLATE)
      surface->held[surface->n + thud_mesh_edge_index(surface->edges, surface->edge_count, ends[0], ends[1])] = 1;
  }
}

/* Nodes that are held: none, one, all on a line, or more. */
static int count_held(const thud_surface *surface, const unsigned char *held) {
  const double *xy = surface->mesh->xy, *first = NULL, *second = NULL;
  for (thud_index i = 0; i < surface->n; i++) {
    const double *place = xy + 2 * (ptrdiff_t)i;
    if (held[i] == 0) continue;
    if (first == NULL) {
      first = place;
    } else if (second == NULL) {
      second = place;
    } else {
      double along = hypot(second[0] - first[0], second[1] - first[1]),
             far = hypot(place[0] - first[0], place[1] - first[1]);
      if (fabs(mesh_twice_area(first, second, place)) > 1e-9 * along * far) return 3;
    }
  }
  return second != NULL ? 2 : first != NULL ? 1 : 0;
}

/* Nothing moves without resistance. */
static thud_error check_supports(thud_surface *surface) {
  bool plate = surface->kind == THUD_SURFACE_PLATE, clamped = false;
  for (thud_index k = surface->n; k < surface->freedoms; k++) clamped = clamped || surface->held[k] != 0;
  int held = count_held(surface, surface->held);
  bool good = held >= (plate && !clamped ? 3 : 1);
  if (good && surface->grid == NULL)
    good = thud_surface_matrix_fix(&surface->transverse, surface->held, NULL) == THUD_OK;
  if (!good)
    return thud_fail(
        surface->context, THUD_ERROR_NOT_SPD,
        "[not-held] the %s is not held: edges with a given v are needed, enough of them that it cannot move freely",
        plate ? "plate" : "membrane");
  if (!(surface->stretch > 0)) return THUD_OK;
  for (thud_index i = 0; i < 2 * surface->n; i++) surface->fixed[i] = surface->in_held[i / 2];
  if (count_held(surface, surface->in_held) >= 2 &&
      thud_surface_matrix_fix(&surface->plane, surface->fixed, NULL) == THUD_OK)
    return THUD_OK;
  return thud_fail(surface->context, THUD_ERROR_NOT_SPD,
                   "[not-held] nothing holds the displacement in the plane: edges with a given u are needed");
}

static thud_error fill(thud_surface *surface, const thud_surface_definition *given) {
  bool plate = given->kind == THUD_SURFACE_PLATE;
  thud_error error = plate ? thud_mesh_all_edges(surface->mesh, &surface->edges, &surface->edge_count) : THUD_OK;
  if (error != THUD_OK) return error;
  surface->freedoms = surface->n + surface->edge_count;
  error = allocate(surface);
  if (error != THUD_OK) return error;
  find_areas(surface);
  hold(surface, given);
  if (given->method == THUD_SURFACE_MULTIGRID && !thud_surface_grid_suits(surface, true))
    return thud_fail(surface->context, THUD_ERROR_ARGUMENT,
                     "[unsupported-method] multigrid is for membranes on rectangles whose numbers of cells are even "
                     "several times over, "
                     "until at most 20000 nodes are left");
  if (given->method != THUD_SURFACE_ACTIVE_SET &&
      thud_surface_grid_suits(surface, given->method == THUD_SURFACE_MULTIGRID))
    error = thud_surface_grid_create(surface);
  else
    error = assemble(surface);
  if (error == THUD_OK && surface->stretch > 0) error = assemble_plane(surface);
  return error == THUD_OK ? check_supports(surface) : error;
}

void thud_surface_destroy(thud_surface *surface) {
  if (surface == NULL) return;
  thud_context *context = surface->context;
  thud_surface_grid_destroy(context, surface->grid);
  free_matrix(&surface->transverse);
  free_matrix(&surface->plane);
  thud_free(context, surface->edges);
  thud_free(context, surface->area);
  thud_free(context, surface->held);
  thud_free(context, surface->in_held);
  thud_free(context, surface->fixed);
  thud_free(context, surface->work);
  thud_free(context, surface);
}

thud_error thud_surface_create(thud_context *context, const thud_surface_definition *definition,
                               thud_surface **surface) {
  THUD_REQUIRE(context, context, definition, surface);
  thud_error error = check_definition(context, definition);
  if (error != THUD_OK) return error;
  thud_surface *made = THUD_NEW(context, thud_surface);
  if (made == NULL) return THUD_ERROR_MEMORY;
  *made = (thud_surface){.context = context,
                         .kind = definition->kind,
                         .method = definition->method,
                         .mesh = definition->mesh,
                         .n = definition->mesh->nodes,
                         .stiffness = definition->stiffness,
                         .plate_poisson = definition->plate_poisson,
                         .stretch = definition->stretch,
                         .poisson = definition->poisson};
  error = fill(made, definition);
  if (error == THUD_OK)
    *surface = made;
  else
    thud_surface_destroy(made);
  return error;
}

thud_index thud_surface_nodes(const thud_surface *surface) {
  THUD_REQUIRE_OR(0, surface);
  return surface->n;
}
thud_index thud_surface_freedoms(const thud_surface *surface) {
  THUD_REQUIRE_OR(0, surface);
  return surface->freedoms;
}
const double *thud_surface_areas(const thud_surface *surface) {
  THUD_REQUIRE_OR(NULL, surface);
  return surface->area;
}
bool thud_surface_is_held(const thud_surface *surface, bool in_plane, thud_index node) {
  THUD_REQUIRE_OR(false, surface, node >= 0 && node < surface->n);
  return (in_plane ? surface->in_held[node] : surface->held[node]) != 0;
}
bool thud_surface_uses_multigrid(const thud_surface *surface) {
  THUD_REQUIRE_OR(false, surface);
  return surface->grid != NULL;
}

/* Integral of a linear density times a barycentric coordinate: area/12 (twice its own corner + the two others). */
thud_error thud_surface_add_density(const thud_surface *surface, const double *density, double *forces) {
  THUD_REQUIRE_OF(surface, density, forces);
  const thud_mesh *mesh = surface->mesh;
  for (thud_index i = 0; i < surface->n; i++)
    if (!isfinite(density[i]))
      return thud_fail(surface->context, THUD_ERROR_NOT_FINITE, "the density at node %td is not finite", (ptrdiff_t)i);
  for (thud_index t = 0; t < mesh->triangles; t++) {
    const thud_index *corner = mesh->triangle + 3 * (ptrdiff_t)t;
    double area = mesh_twice_area(mesh->xy + 2 * (ptrdiff_t)corner[0], mesh->xy + 2 * (ptrdiff_t)corner[1],
                                  mesh->xy + 2 * (ptrdiff_t)corner[2]) /
                  2;
    double sum = density[corner[0]] + density[corner[1]] + density[corner[2]];
    for (int c = 0; c < 3; c++) forces[corner[c]] += area / 12 * (sum + density[corner[c]]);
  }
  return THUD_OK;
}

/* ---- energy ------------------------------------------------------------------------------------------------------ */

double thud_surface_energy(thud_surface *surface, const double *v) {
  THUD_REQUIRE_OR(NAN, surface, v);
  if (surface->grid != NULL) return thud_surface_grid_energy(surface, v);
  const surface_matrix *matrix = &surface->transverse;
  thud_sparse_multiply_vector(&matrix->K, false, 1, v, 0, surface->work);
  return thud_dot(matrix->context, (size_t)matrix->K.rows, surface->work, v) / 2;
}
