/* The checker's elements of solids: shape functions as polynomials, forces as stresses times virtual strains. */
#include "verify/solid/verify_solid.h"

#include <math.h>
#include <string.h>

/* ---- shape functions -------------------------------------------------------------------------------------------------------- */

/* Monomials of degree up to `order` in the first d of x, y, z: exponents. */
static const int exponents[CELL_MOST][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 0},
                                            {0, 2, 0}, {0, 0, 2}, {1, 1, 0}, {0, 1, 1}, {1, 0, 1}};

static size_t list_monomials(int d, int order, int list[CELL_MOST]) {
  size_t count = 0;
  for (int m = 0; m < CELL_MOST; m++) {
    const int *e = exponents[m];
    bool inside = e[0] + e[1] + e[2] <= order && (d > 2 || e[2] == 0) && (d > 1 || e[1] == 0);
    if (inside) list[count++] = m;
  }
  return count;
}

static double power(double x, int n) { return n == 0 ? 1 : n == 1 ? x : x * x; }

static double monomial(int m, const double *x) {
  const int *e = exponents[m];
  return power(x[0], e[0]) * power(x[1], e[1]) * power(x[2], e[2]);
}

static double monomial_slope(int m, const double *x, int axis) {
  const int *e = exponents[m];
  double value = e[axis] * power(x[axis], e[axis] > 0 ? e[axis] - 1 : 0);
  for (int k = 0; k < 3; k++) value *= k == axis ? 1 : power(x[k], e[k]);
  return value;
}

/* Node k of the unit simplex: the origin, then the unit points, then the middles. */
static void unit_node(int d, size_t k, double x[3]) {
  size_t ends[2] = {k, k};
  if (k > (size_t)d) thud_verify_cells_edge(d, k - (size_t)d - 1, ends);
  for (size_t c = 0; c < 3; c++) x[c] = 0.5 * (double)(ends[0] == c + 1) + 0.5 * (double)(ends[1] == c + 1);
}

/* coefficient[k][m]: of monomial m in the function that is 1 at node k and 0 at the others. */
typedef struct cell_shape {
  int d, list[CELL_MOST];
  size_t count;
  double coefficient[CELL_MOST][CELL_MOST];
} cell_shape;

/* Gauss and Jordan on the values of the monomials at the nodes. */
static cell_shape make_shape(int d, int order) {
  cell_shape shape = {.d = d};
  shape.count = list_monomials(d, order, shape.list);
  size_t n = shape.count;
  double A[CELL_MOST][2 * CELL_MOST];
  memset(A, 0, sizeof A);
  for (size_t i = 0; i < n; i++) {
    double x[3];
    unit_node(d, i, x);
    for (size_t m = 0; m < n; m++) A[i][m] = monomial(shape.list[m], x);
    A[i][n + i] = 1;
  }
  for (size_t p = 0; p < n; p++) {
    size_t best = p;
    for (size_t i = p; i < n; i++)
      if (fabs(A[i][p]) > fabs(A[best][p])) best = i;
    for (size_t j = 0; j < 2 * n; j++) {
      double kept = A[p][j];
      A[p][j] = A[best][j];
      A[best][j] = kept;
    }
    for (size_t i = 0; i < n; i++) {
      double factor = A[i][p] / A[p][p];
      for (size_t j = 0; j < 2 * n && i != p; j++) A[i][j] -= factor * A[p][j];
    }
  }
  for (size_t m = 0; m < n; m++)
    for (size_t k = 0; k < n; k++) shape.coefficient[k][m] = A[m][n + k] / A[m][m];
  return shape;
}

/* ---- points of integration --------------------------------------------------------------------------------------------------- */

/* Points of a family on the unit simplex: (a, a, ..., rest) with each corner in turn, or pairs of corners of a tetrahedron. */
typedef struct point_family {
  double a, weight;
  bool pairs;
} point_family;

static const point_family triangle_one[] = {{1.0 / 3, 1, false}}, triangle_three[] = {{1.0 / 6, 1.0 / 3, false}},
                          triangle_six[] = {{0.44594849091596488632, 0.22338158967801146570, false},
                                            {0.09157621350977074346, 0.10995174365532186764, false}},
                          tetrahedron_one[] = {{0.25, 1, false}},
                          tetrahedron_four[] = {{0.13819660112501051518, 0.25, false}},
                          tetrahedron_all[] = {{0.31088591926330060980, 0.11268792571801585080, false},
                                               {0.092735250310891226402, 0.073493043116361949544, false},
                                               {0.045503704125649649492, 0.042546020777081466438, true}};

typedef struct point_list {
  size_t count;
  double barycentric[14][4], weight[14];
} point_list;

static void add_family(int d, const point_family *family, bool single, point_list *list) {
  if (family->pairs) {
    for (int i = 0; i < 4; i++)
      for (int j = i + 1; j < 4; j++) {
        for (int k = 0; k < 4; k++) list->barycentric[list->count][k] = k == i || k == j ? family->a : 0.5 - family->a;
        list->weight[list->count++] = family->weight;
      }
    return;
  }
  for (int i = 0; i < (single ? 1 : d + 1); i++) {
    for (int k = 0; k <= d; k++) list->barycentric[list->count][k] = k == i ? 1 - d * family->a : family->a;
    list->weight[list->count++] = family->weight;
  }
}

/* points: 1, 3 (lines: Gauss) or 6; in tetrahedra 1, 4, 14. */
static point_list list_points(int d, size_t points) {
  point_list list = {0};
  if (d == 1) {
    double half = sqrt(0.6) / 2;
    for (int k = 0; k < 3; k++) {
      double x = 0.5 + (k - 1) * half;
      list.barycentric[k][0] = 1 - x;
      list.barycentric[k][1] = x;
      list.weight[k] = k == 1 ? 4.0 / 9 : 5.0 / 18;
    }
    list.count = 3;
    return list;
  }
  if (points == 1) add_family(d, d == 2 ? triangle_one : tetrahedron_one, true, &list);
  if (points == 3) add_family(d, triangle_three, false, &list);
  if (points == 4) add_family(d, tetrahedron_four, false, &list);
  for (size_t k = 0; points == 6 && k < 2; k++) add_family(d, &triangle_six[k], false, &list);
  for (size_t k = 0; points == 14 && k < 3; k++) add_family(d, &tetrahedron_all[k], false, &list);
  return list;
}

static point_list stiffness_points(const verify_solid *solid) {
  if (solid->kind == SOLID_ROUND) return list_points(2, 6);
  return list_points(solid->cells.d, solid->cells.order == 1 ? 1 : solid->cells.d == 2 ? 3 : 4);
}

static double depth(const verify_solid *solid, const double *x) {
  return solid->kind == SOLID_SPACE ? 1 : solid->kind == SOLID_ROUND ? 2 * acos(-1) * x[0] : solid->thickness;
}

/* ---- an element at a point ------------------------------------------------------------------------------------------------------ */

/* Values and slopes in the unit simplex, and the place. */
static void evaluate(const verify_solid *solid, const cell_shape *shape, const size_t *node, const double *barycentric,
                     double local[CELL_MOST][3], cell_point *point) {
  size_t d = (size_t)solid->cells.d;
  double x[3] = {0, 0, 0};
  for (int k = 0; k < shape->d; k++) x[k] = barycentric[k + 1];
  memset(point->x, 0, sizeof point->x);
  for (size_t k = 0; k < shape->count; k++) {
    point->N[k] = 0;
    memset(local[k], 0, 3 * sizeof(double));
    for (size_t m = 0; m < shape->count; m++) {
      point->N[k] += shape->coefficient[k][m] * monomial(shape->list[m], x);
      for (int axis = 0; axis < shape->d; axis++)
        local[k][axis] += shape->coefficient[k][m] * monomial_slope(shape->list[m], x, axis);
    }
    for (size_t c = 0; c < d; c++) point->x[c] += point->N[k] * solid->cells.place[d * node[k] + c];
  }
}

static void cross_product(const double *a, const double *b, double *out) {
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Slopes in space by the reciprocal basis of the tangents: grad xi_k = t_(k+1) x t_(k+2) / det. */
static void place_point(const verify_solid *solid, const cell_shape *shape, const size_t *node,
                        const double *barycentric, double weight, cell_point *point) {
  size_t d = (size_t)solid->cells.d;
  double local[CELL_MOST][3], tangent[3][3] = {{0}}, reciprocal[3][3], det = 0;
  evaluate(solid, shape, node, barycentric, local, point);
  for (size_t k = 0; k < shape->count; k++)
    for (size_t axis = 0; axis < d; axis++)
      for (size_t c = 0; c < d; c++) tangent[axis][c] += local[k][axis] * solid->cells.place[d * node[k] + c];
  if (d == 2) tangent[2][2] = 1;
  for (int k = 0; k < 3; k++) cross_product(tangent[(k + 1) % 3], tangent[(k + 2) % 3], reciprocal[k]);
  for (int c = 0; c < 3; c++) det += tangent[0][c] * reciprocal[0][c];
  for (size_t k = 0; k < shape->count; k++)
    for (size_t c = 0; c < 3; c++) {
      point->slope[k][c] = 0;
      for (size_t axis = 0; axis < d; axis++) point->slope[k][c] += local[k][axis] * reciprocal[axis][c] / det;
    }
  point->size = weight * fabs(det) / (d == 2 ? 2 : 6) * depth(solid, point->x);
}

/* Strain of nodal values at a point, and what they amount to; around the axis u_x / r, on it d u_x / d x. */
static double strain_of(const verify_solid *solid, const size_t *node, size_t count, const cell_point *point,
                        const double *u, double strain[3][3]) {
  size_t d = (size_t)solid->cells.d;
  double grad[3][3] = {{0}}, around = 0, size = 0;
  for (size_t k = 0; k < count; k++) {
    for (size_t i = 0; i < d; i++)
      for (size_t j = 0; j < d; j++) {
        double part = u[d * node[k] + i] * point->slope[k][j];
        grad[i][j] += part;
        size += fabs(part);
      }
    around += point->N[k] * u[d * node[k]];
  }
  if (solid->kind == SOLID_ROUND) grad[2][2] = point->x[0] > 0 ? around / point->x[0] : grad[0][0];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) strain[i][j] = (grad[i][j] + grad[j][i]) / 2;
  return size + fabs(grad[2][2]);
}

/* E/(1+nu) (eps + nu/(1 - 2 nu) tr I); of plane stress eps_zz makes sigma_zz = 0. Returns a bound of the moduli. */
static double stress_of(const verify_solid *solid, size_t group, double strain[3][3], double stress[3][3]) {
  double E = solid->young[group], nu = solid->poisson[group];
  if (solid->kind == SOLID_STRESS) strain[2][2] = -nu / (1 - nu) * (strain[0][0] + strain[1][1]);
  double trace = strain[0][0] + strain[1][1] + strain[2][2], part = nu / (1 - 2 * nu) * trace;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) stress[i][j] = E / (1 + nu) * (strain[i][j] + (i == j ? part : 0));
  if (solid->kind == SOLID_STRESS) stress[2][2] = 0;
  return E / (1 + nu) * (1 + fabs(nu) / (1 - 2 * nu));
}

double thud_verify_solid_inner(const verify_solid *solid, const double *u, double *forces, double *sizes) {
  const verify_cells *cells = &solid->cells;
  const cell_shape shape = make_shape(cells->d, cells->order);
  const point_list points = stiffness_points(solid);
  size_t d = (size_t)cells->d;
  double energy = 0;
  for (size_t e = 0; e < cells->elements; e++)
    for (size_t q = 0; q < points.count; q++) {
      const size_t *node = cells->element + cells->corners * e;
      cell_point point;
      double strain[3][3], stress[3][3];
      place_point(solid, &shape, node, points.barycentric[q], points.weight[q], &point);
      double amount = strain_of(solid, node, shape.count, &point, u, strain);
      double modulus = stress_of(solid, cells->element_group[e], strain, stress);
      for (int i = 0; i < 9; i++) energy += point.size * stress[i / 3][i % 3] * strain[i / 3][i % 3] / 2;
      for (size_t k = 0; k < shape.count; k++)
        for (size_t i = 0; i < d; i++) {
          double force = 0, slope = 0;
          for (size_t j = 0; j < d; j++) force += stress[i][j] * point.slope[k][j], slope += fabs(point.slope[k][j]);
          if (solid->kind == SOLID_ROUND && i == 0)
            force += stress[2][2] * point.N[k] / point.x[0], slope += fabs(point.N[k] / point.x[0]);
          forces[d * node[k] + i] += point.size * force;
          sizes[d * node[k] + i] += point.size * slope * modulus * amount;
        }
    }
  return energy;
}

thud_error thud_verify_solid_stresses(const verify_solid *solid, const double *u, double *stress, double *size) {
  const verify_cells *cells = &solid->cells;
  const cell_shape shape = make_shape(cells->d, cells->order);
  const point_list points = stiffness_points(solid);
  double *volumes = THUD_NEW_ARRAY(solid->scene.context, double, cells->nodes);
  if (volumes == NULL) return THUD_ERROR_MEMORY;
  *size = 0;
  memset(stress, 0, 6 * cells->nodes * sizeof *stress);
  for (size_t e = 0; e < cells->elements; e++) {
    const size_t *node = cells->element + cells->corners * e;
    cell_point point;
    double volume = 0;
    for (size_t q = 0; q < points.count; q++) {
      place_point(solid, &shape, node, points.barycentric[q], points.weight[q], &point);
      volume += point.size;
    }
    for (size_t k = 0; k < shape.count; k++) {
      double x[3], barycentric[4] = {1, 0, 0, 0}, strain[3][3], sigma[3][3];
      unit_node(cells->d, k, x);
      for (int c = 0; c < 3; c++) barycentric[c + 1] = x[c], barycentric[0] -= x[c];
      place_point(solid, &shape, node, barycentric, 1, &point);
      double amount = strain_of(solid, node, shape.count, &point, u, strain);
      *size = fmax(*size, amount * stress_of(solid, cells->element_group[e], strain, sigma));
      for (int c = 0; c < 3; c++) {
        stress[6 * node[k] + (size_t)c] += volume * sigma[c][c];
        stress[6 * node[k] + 3 + (size_t)c] += volume * sigma[c][(c + 1) % 3];
      }
      volumes[node[k]] += volume;
    }
  }
  for (size_t i = 0; i < 6 * cells->nodes; i++) stress[i] /= volumes[i / 6];
  thud_free(solid->scene.context, volumes);
  return THUD_OK;
}

/* ---- sides and loads -------------------------------------------------------------------------------------------------------------- */

size_t thud_verify_side_points(const verify_solid *solid) { return solid->cells.d == 2 ? 3 : 6; }

void thud_verify_side_point(const verify_solid *solid, size_t side, size_t q, cell_point *point,
                            double barycentric[3]) {
  const verify_cells *cells = &solid->cells;
  const cell_shape shape = make_shape(cells->d - 1, cells->order);
  const point_list points = list_points(cells->d - 1, 6);
  const size_t *node = cells->side + cells->side_corners * side;
  size_t d = (size_t)cells->d;
  double local[CELL_MOST][3], tangent[2][3] = {{0}}, length = 0;
  evaluate(solid, &shape, node, points.barycentric[q], local, point);
  for (size_t k = 0; k < shape.count; k++)
    for (size_t axis = 0; axis + 1 < d; axis++)
      for (size_t c = 0; c < d; c++) tangent[axis][c] += local[k][axis] * cells->place[d * node[k] + c];
  if (d == 2) tangent[1][2] = 1;
  cross_product(tangent[0], tangent[1], point->normal);
  for (int c = 0; c < 3; c++) length += point->normal[c] * point->normal[c];
  length = sqrt(length);
  for (int c = 0; c < 3; c++) point->normal[c] /= length;
  point->size = points.weight[q] * length / (d == 2 ? 1 : 2) * depth(solid, point->x);
  memcpy(barycentric, points.barycentric[q], 3 * sizeof *barycentric);
}

static bool has_node(const size_t *list, size_t count, size_t node) {
  for (size_t k = 0; k < count; k++)
    if (list[k] == node) return true;
  return false;
}

/* 1 when the normal of a side by the order of its corners points out of its element, else -1. */
static double outward(const verify_solid *solid, size_t side, const double *normal) {
  const verify_cells *cells = &solid->cells;
  size_t d = (size_t)cells->d;
  const size_t *node = cells->side + cells->side_corners * side;
  for (size_t e = 0; e < cells->elements; e++) {
    const size_t *element = cells->element + cells->corners * e;
    size_t shared = 0, opposite = 0;
    for (size_t k = 0; k <= d; k++)
      if (has_node(node, d, element[k]))
        shared++;
      else
        opposite = element[k];
    if (shared != d) continue;
    double along = 0;
    for (size_t c = 0; c < d; c++)
      along += normal[c] * (cells->place[d * opposite + c] - cells->place[d * node[0] + c]);
    return along < 0 ? 1 : -1;
  }
  return 1;
}

static void add_at(const cell_point *point, size_t count, const size_t *node, size_t d, const double *density,
                   double *forces) {
  for (size_t c = 0; c < d; c++) {
    double value = 0;
    for (size_t k = 0; k < count; k++) value += point->N[k] * density[d * node[k] + c];
    for (size_t k = 0; k < count; k++) forces[d * node[k] + c] += point->size * value * point->N[k];
  }
}

static void add_side_load(const verify_solid *solid, size_t s, bool normal, const double *density, double *forces) {
  const verify_cells *cells = &solid->cells;
  const size_t *node = cells->side + cells->side_corners * s;
  size_t d = (size_t)cells->d;
  double sign = 0;
  for (size_t q = 0; q < thud_verify_side_points(solid); q++) {
    cell_point point;
    double barycentric[3], value = 0;
    thud_verify_side_point(solid, s, q, &point, barycentric);
    if (!normal) {
      add_at(&point, cells->side_corners, node, d, density, forces);
      continue;
    }
    if (sign == 0) sign = outward(solid, s, point.normal);
    for (size_t k = 0; k < cells->side_corners; k++) value += point.N[k] * density[node[k]];
    for (size_t k = 0; k < cells->side_corners; k++)
      for (size_t c = 0; c < d; c++)
        forces[d * node[k] + c] -= sign * point.size * value * point.N[k] * point.normal[c];
  }
}

void thud_verify_solid_add(const verify_solid *solid, size_t group, bool normal, const double *density,
                           double *forces) {
  const verify_cells *cells = &solid->cells;
  const cell_shape shape = make_shape(cells->d, cells->order);
  const point_list points = list_points(cells->d, cells->d == 2 ? 6 : 14);
  for (size_t s = 0; s < cells->sides; s++)
    if (cells->side_group[s] == group) add_side_load(solid, s, normal, density, forces);
  for (size_t e = 0; group == SIZE_MAX && e < cells->elements; e++)
    for (size_t q = 0; q < points.count; q++) {
      cell_point point;
      const size_t *node = cells->element + cells->corners * e;
      place_point(solid, &shape, node, points.barycentric[q], points.weight[q], &point);
      add_at(&point, cells->corners, node, (size_t)cells->d, density, forces);
    }
}
