/* Elements of solids: points of integration, stiffness, loads, stresses. */
#include "base/base.h"
#include "mesh/solid_mesh.h"
#include "motions/solid/elastic_solid.h"

#include <math.h>
#include <string.h>

static const double TWO_PI = 6.28318530717958647693;

/* ---- points of integration --------------------------------------------------------------------------------------------- */

static const thud_index *gather(const thud_solid *solid, const thud_index *node, int count, double *x) {
  for (int k = 0; k < count; k++)
    memcpy(x + (ptrdiff_t)solid->d * k, solid->view.place + (size_t)solid->d * (size_t)node[k],
           (size_t)solid->d * sizeof *x);
  return node;
}

const thud_index *thud_solid_gather(const thud_solid *solid, thud_index element, double *x) {
  return gather(solid, solid->view.element + (size_t)solid->corners * (size_t)element, solid->corners, x);
}

const thud_index *thud_solid_gather_side(const thud_solid *solid, thud_index side, double *x) {
  return gather(solid, solid->view.side + (size_t)solid->side_corners * (size_t)side, solid->side_corners, x);
}

/* What a volume or area of the plane stands for in space. */
static double depth_at(const thud_solid *solid, const double *x) {
  if (solid->given.kinematics == THUD_SOLID_SPACE) return 1;
  return solid->given.kinematics == THUD_SOLID_AXISYMMETRIC ? TWO_PI * x[0] : solid->given.thickness;
}

static void place_at(const thud_solid *solid, int count, const double *N, const double *x, double *place) {
  for (int i = 0; i < solid->d; i++) {
    place[i] = 0;
    for (int k = 0; k < count; k++) place[i] += N[k] * x[solid->d * k + i];
  }
}

/* out = J^-1, transposed nowhere: out[d*j + i] = d xi_j / d x_i. */
static void invert(int d, const double *J, double det, double *out) {
  if (d == 2) {
    const double inverse[4] = {J[3], -J[1], -J[2], J[0]};
    for (int k = 0; k < 4; k++) out[k] = inverse[k] / det;
    return;
  }
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) {
      int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, e = (j + 2) % 3;
      out[3 * j + i] = (J[3 * a + c] * J[3 * b + e] - J[3 * a + e] * J[3 * b + c]) / det;
    }
}

bool thud_solid_at_place(const thud_solid *solid, const double *barycentric, double weight, const double *x,
                         solid_point *point) {
  int d = solid->d;
  double local[3 * ELEMENT_MOST], J[9], inverse[9];
  thud_element_values(d, solid->order, barycentric, point->N);
  thud_element_slopes(d, solid->order, barycentric, local);
  double det = thud_element_jacobian(d, solid->corners, local, x, J);
  place_at(solid, solid->corners, point->N, x, point->x);
  if (!(det > 0)) return false;
  invert(d, J, det, inverse);
  for (int k = 0; k < solid->corners; k++)
    for (int i = 0; i < d; i++) {
      double sum = 0;
      for (int j = 0; j < d; j++) sum += local[d * k + j] * inverse[d * j + i];
      point->slope[d * k + i] = sum;
    }
  point->size = weight * det / (d == 2 ? 2 : 6) * depth_at(solid, point->x);
  return true;
}

bool thud_solid_at(const thud_solid *solid, const element_rule *rule, int q, const double *x, solid_point *point) {
  return thud_solid_at_place(solid, rule->point[q], rule->weight[q], x, point);
}

/* Tangents of the side are the columns of its Jacobian; their cross product is area times normal. */
void thud_solid_at_side(const thud_solid *solid, const element_rule *rule, int q, const double *x, solid_point *point) {
  int d = solid->d, s = d - 1;
  double local[2 * ELEMENT_MOST], tangent[2][3] = {{0}};
  thud_element_values(s, solid->order, rule->point[q], point->N);
  thud_element_slopes(s, solid->order, rule->point[q], local);
  for (int k = 0; k < solid->side_corners; k++)
    for (int j = 0; j < s; j++)
      for (int i = 0; i < d; i++) tangent[j][i] += local[s * k + j] * x[d * k + i];
  if (d == 2) {
    point->normal[0] = tangent[0][1];
    point->normal[1] = -tangent[0][0];
    point->normal[2] = 0;
  } else {
    for (int i = 0; i < 3; i++)
      point->normal[i] =
          tangent[0][(i + 1) % 3] * tangent[1][(i + 2) % 3] - tangent[0][(i + 2) % 3] * tangent[1][(i + 1) % 3];
  }
  double length = sqrt(point->normal[0] * point->normal[0] + point->normal[1] * point->normal[1] +
                       point->normal[2] * point->normal[2]);
  for (int i = 0; i < 3; i++) point->normal[i] /= length;
  place_at(solid, solid->side_corners, point->N, x, point->x);
  point->size = rule->weight[q] * length / s * depth_at(solid, point->x);
}

/* ---- stiffness --------------------------------------------------------------------------------------------------------- */

static element_rule stiffness_rule(const thud_solid *solid) {
  if (solid->given.kinematics == THUD_SOLID_AXISYMMETRIC) return thud_element_rule(2, 4);
  return thud_element_rule(solid->d, solid->order == 1 ? 1 : 2);
}

/* The block of nodes a and b at a point:
 *   lambda d_i N_a d_j N_b + mu (d_j N_a d_i N_b + delta_ij grad N_a . grad N_b)
 * and with the strain around the axis, e = u_x / r,
 *   lambda (d_i N_a e_j N_b + e_i N_a d_j N_b) + (lambda + 2 mu) e_i N_a e_j N_b,  e = (1/r, 0). */
static void add_block(const thud_solid *solid, const solid_point *point, double lambda, double shear, int a, int b,
                      double *K) {
  int d = solid->d, n = d * solid->corners;
  const double *A = point->slope + (ptrdiff_t)d * a, *B = point->slope + (ptrdiff_t)d * b;
  double dot = 0, around = solid->given.kinematics == THUD_SOLID_AXISYMMETRIC ? 1 / point->x[0] : 0;
  double EA = around * point->N[a], EB = around * point->N[b];
  for (int i = 0; i < d; i++) dot += A[i] * B[i];
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) {
      double value = lambda * (A[i] * B[j]) + shear * (A[j] * B[i]);
      if (i == j) value += shear * dot;
      if (around != 0) {
        value += lambda * ((j == 0 ? A[i] * EB : 0) + (i == 0 ? EA * B[j] : 0));
        if (i == 0 && j == 0) value += (lambda + 2 * shear) * (EA * EB);
      }
      K[(d * a + i) + n * (d * b + j)] += point->size * value;
    }
}

bool thud_solid_element_stiffness(const thud_solid *solid, thud_index element, double *K, double *where) {
  int n = solid->d * solid->corners;
  double x[3 * ELEMENT_MOST];
  thud_index group = solid->view.element_group[element];
  const element_rule rule = stiffness_rule(solid);
  solid_point point;
  memset(K, 0, (size_t)(n * n) * sizeof *K);
  thud_solid_gather(solid, element, x);
  for (int q = 0; q < rule.count; q++) {
    bool good = thud_solid_at(solid, &rule, q, x, &point);
    if (good && solid->given.kinematics == THUD_SOLID_AXISYMMETRIC) good = point.x[0] > 0;
    memcpy(where, point.x, (size_t)solid->d * sizeof *where);
    if (!good) return false;
    for (int a = 0; a < solid->corners; a++)
      for (int b = 0; b < solid->corners; b++)
        add_block(solid, &point, solid->lambda[group], solid->shear[group], a, b, K);
  }
  return true;
}

/* ---- loads ------------------------------------------------------------------------------------------------------------- */

/* force_a += N_a times the density, which the shape functions give between the nodes. */
static void add_density(const thud_solid *solid, const solid_point *point, int count, const thud_index *node,
                        const double *density, double *force) {
  int d = solid->d;
  for (int i = 0; i < d; i++) {
    double value = 0;
    for (int k = 0; k < count; k++) value += point->N[k] * density[(size_t)d * (size_t)node[k] + (size_t)i];
    for (int k = 0; k < count; k++) force[(size_t)d * (size_t)node[k] + (size_t)i] += point->size * value * point->N[k];
  }
}

thud_error thud_solid_add_body_force(const thud_solid *solid, thud_index group, const double *density, double *force) {
  THUD_REQUIRE_OF(solid, density, force);
  const element_rule rule = thud_element_rule(solid->d, 5);
  solid_point point;
  char place[80];
  double x[3 * ELEMENT_MOST];
  for (thud_index e = 0; e < solid->view.elements; e++) {
    if (group >= 0 && solid->view.element_group[e] != group) continue;
    const thud_index *node = thud_solid_gather(solid, e, x);
    for (int q = 0; q < rule.count; q++) {
      if (!thud_solid_at(solid, &rule, q, x, &point))
        return thud_fail(solid->context, THUD_ERROR_ARGUMENT, "[bad-element] element %td is inverted at %s",
                         (ptrdiff_t)e + 1, thud_solid_mesh_place(solid->d, point.x, place));
      add_density(solid, &point, solid->corners, node, density, force);
    }
  }
  return THUD_OK;
}

thud_error thud_solid_add_traction(const thud_solid *solid, thud_index group, const double *traction, double *force) {
  THUD_REQUIRE_OF(solid, traction, force);
  const element_rule rule = thud_element_rule(solid->d - 1, 4);
  solid_point point;
  double x[3 * ELEMENT_MOST];
  for (thud_index s = 0; s < solid->view.sides; s++) {
    if (solid->view.side_group[s] != group) continue;
    const thud_index *node = thud_solid_gather_side(solid, s, x);
    for (int q = 0; q < rule.count; q++) {
      thud_solid_at_side(solid, &rule, q, x, &point);
      add_density(solid, &point, solid->side_corners, node, traction, force);
    }
  }
  return THUD_OK;
}

thud_error thud_solid_add_pressure(const thud_solid *solid, thud_index group, const double *pressure, double *force) {
  THUD_REQUIRE_OF(solid, pressure, force);
  const element_rule rule = thud_element_rule(solid->d - 1, 4);
  solid_point point;
  double x[3 * ELEMENT_MOST];
  for (thud_index s = 0; s < solid->view.sides; s++) {
    if (solid->view.side_group[s] != group) continue;
    const thud_index *node = thud_solid_gather_side(solid, s, x);
    for (int q = 0; q < rule.count; q++) {
      double value = 0;
      thud_solid_at_side(solid, &rule, q, x, &point);
      for (int k = 0; k < solid->side_corners; k++) value += point.N[k] * pressure[node[k]];
      for (int k = 0; k < solid->side_corners; k++)
        for (int i = 0; i < solid->d; i++)
          force[(size_t)solid->d * (size_t)node[k] + (size_t)i] -= point.size * value * point.N[k] * point.normal[i];
    }
  }
  return THUD_OK;
}

/* ---- stresses ---------------------------------------------------------------------------------------------------------- */

/* xx, yy, zz, xy, yz, zx at a point of an element. */
static void stress_at(const thud_solid *solid, thud_index group, const solid_point *point, const thud_index *node,
                      const double *u, double *stress) {
  int d = solid->d;
  double grad[3][3] = {{0}}, around = 0, lambda = solid->lambda[group], shear = solid->shear[group];
  for (int k = 0; k < solid->corners; k++) {
    const double *at = u + (size_t)d * (size_t)node[k];
    for (int i = 0; i < d; i++)
      for (int j = 0; j < d; j++) grad[i][j] += at[i] * point->slope[d * k + j];
    around += point->N[k] * at[0];
  }
  if (solid->given.kinematics == THUD_SOLID_AXISYMMETRIC) /* on the axis u_x / r is d u_x / d x */
    grad[2][2] = point->x[0] > 0 ? around / point->x[0] : grad[0][0];
  double trace = grad[0][0] + grad[1][1] + grad[2][2];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3;
    stress[i] = lambda * trace + 2 * shear * grad[i][i];
    stress[3 + i] = shear * (grad[i][j] + grad[j][i]);
  }
  if (solid->given.kinematics == THUD_SOLID_PLANE_STRESS) stress[2] = 0;
}

static double volume_of(const thud_solid *solid, const double *x) {
  const element_rule rule = stiffness_rule(solid);
  solid_point point;
  double volume = 0;
  for (int q = 0; q < rule.count; q++)
    if (thud_solid_at(solid, &rule, q, x, &point)) volume += point.size;
  return volume;
}

static void corner_at(const thud_solid *solid, int k, double *barycentric) {
  memset(barycentric, 0, 4 * sizeof *barycentric);
  if (k <= solid->d)
    barycentric[k] = 1;
  else
    for (int end = 0; end < 2; end++) barycentric[thud_element_middle[solid->d][k - solid->d - 1][end]] = 0.5;
}

thud_error thud_solid_stress(const thud_solid *solid, const double *u, double *stress) {
  THUD_REQUIRE_OF(solid, u, stress);
  size_t nodes = (size_t)solid->view.nodes;
  double *volume = THUD_NEW_ARRAY(solid->context, double, nodes);
  if (volume == NULL) return THUD_ERROR_MEMORY;
  memset(stress, 0, 6 * nodes * sizeof *stress);
  for (thud_index e = 0; e < solid->view.elements; e++) {
    double x[3 * ELEMENT_MOST], barycentric[4], at[6];
    const thud_index *node = thud_solid_gather(solid, e, x);
    double part = volume_of(solid, x);
    for (int k = 0; k < solid->corners; k++) {
      solid_point point;
      corner_at(solid, k, barycentric);
      (void)thud_solid_at_place(solid, barycentric, 1, x, &point);
      stress_at(solid, solid->view.element_group[e], &point, node, u, at);
      for (int c = 0; c < 6; c++) stress[6 * (size_t)node[k] + (size_t)c] += part * at[c];
      volume[node[k]] += part;
    }
  }
  for (size_t i = 0; i < 6 * nodes; i++) stress[i] /= volume[i / 6];
  thud_free(solid->context, volume);
  return THUD_OK;
}
