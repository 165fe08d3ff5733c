/* The checker's elements, by formulas that the solver does not use: cotangents of the angles for membranes, strains times
 * stresses for plane stress, and for Morley's plates the quadratic function with the given values and slopes. */
#include "verify/surface/verify_surface.h"

#include <math.h>
#include <string.h>

static double cross(const double *a, const double *b, const double *c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* T/2 sum over the corners of cot(angle) (difference over the opposite side)^2. */
static double bend_membrane(const verify_surface *surface, const double *v, double *forces, double *sizes) {
  const verify_mesh *mesh = &surface->mesh;
  double energy = 0;
  for (size_t k = 0; k < 3 * mesh->triangles; k++) {
    const size_t *t = mesh->triangle + k / 3 * 3;
    size_t c = t[k % 3], i = t[(k + 1) % 3], j = t[(k + 2) % 3];
    const double *pc = mesh->xy + 2 * c, *pi = mesh->xy + 2 * i, *pj = mesh->xy + 2 * j;
    double dot = (pi[0] - pc[0]) * (pj[0] - pc[0]) + (pi[1] - pc[1]) * (pj[1] - pc[1]);
    double weight = surface->stiffness * dot / (2 * cross(pc, pi, pj)), difference = v[i] - v[j];
    forces[i] += weight * difference;
    forces[j] -= weight * difference;
    sizes[i] += fabs(weight) * (fabs(v[i]) + fabs(v[j]));
    sizes[j] += fabs(weight) * (fabs(v[i]) + fabs(v[j]));
    energy += weight * difference * difference / 2;
  }
  return energy;
}

/* Solves the 6 x 6 system for all unit vectors: inverse[6][6]. False: singular. */
static bool invert(double A[6][6], double inverse[6][6]) {
  for (int i = 0; i < 36; i++) inverse[i / 6][i % 6] = i / 6 == i % 6;
  for (int p = 0; p < 6; p++) {
    int best = p;
    for (int i = p; i < 6; i++)
      if (fabs(A[i][p]) > fabs(A[best][p])) best = i;
    if (!(fabs(A[best][p]) > 0)) return false;
    for (int j = 0; j < 6; j++) {
      double a = A[p][j], b = inverse[p][j];
      A[p][j] = A[best][j], inverse[p][j] = inverse[best][j];
      A[best][j] = a, inverse[best][j] = b;
    }
    for (int i = 0; i < 6; i++) {
      if (i == p) continue;
      double factor = A[i][p] / A[p][p];
      for (int j = 0; j < 6; j++) A[i][j] -= factor * A[p][j], inverse[i][j] -= factor * inverse[p][j];
    }
  }
  for (int p = 0; p < 6; p++)
    for (int j = 0; j < 6; j++) inverse[p][j] /= A[p][p];
  return true;
}

/* Curvatures (xx, yy, xy) of the functions c0 + c1 x + c2 y + c3 x^2/2 + c4 y^2/2 + c5 xy, lengths in units of h from the
 * first corner, that have the value 1 at one corner (k < 3) or the slope 1 at one side's midpoint, opposite to corner
 * k - 3, in the direction of the edge's own normal. */
static bool find_curvatures(const verify_mesh *mesh, const size_t *t, double curvature[6][3], size_t at[6]) {
  const double *o = mesh->xy + 2 * t[0];
  double A[6][6], inverse[6][6], h = sqrt(cross(o, mesh->xy + 2 * t[1], mesh->xy + 2 * t[2]));
  for (int k = 0; k < 3; k++) {
    double x = (mesh->xy[2 * t[k]] - o[0]) / h, y = (mesh->xy[2 * t[k] + 1] - o[1]) / h;
    const double row[6] = {1, x, y, x * x / 2, y * y / 2, x * y};
    memcpy(A[k], row, sizeof row);
    size_t a = t[(k + 1) % 3], b = t[(k + 2) % 3], low = a < b ? a : b, high = a < b ? b : a;
    const double *p = mesh->xy + 2 * low, *q = mesh->xy + 2 * high;
    double length = hypot(q[0] - p[0], q[1] - p[1]), nx = (q[1] - p[1]) / length, ny = -(q[0] - p[0]) / length;
    double mx = ((p[0] + q[0]) / 2 - o[0]) / h, my = ((p[1] + q[1]) / 2 - o[1]) / h;
    const double slope[6] = {0, nx / h, ny / h, nx * mx / h, ny * my / h, (nx * my + ny * mx) / h};
    memcpy(A[3 + k], slope, sizeof slope);
    at[k] = t[k];
    at[3 + k] = mesh->nodes + thud_verify_mesh_edge(mesh, a, b);
  }
  if (!invert(A, inverse)) return false;
  for (int k = 0; k < 6; k++)
    for (int d = 0; d < 3; d++) curvature[k][d] = inverse[3 + d][k] / (h * h);
  return true;
}

/* Moments D ((1-nu) w_xx + nu tr, (1-nu) w_yy + nu tr, (1-nu) w_xy) times virtual curvatures, w_xy twice. */
static double bend_plate(const verify_surface *surface, const double *v, const double *slopes, double *forces,
                         double *sizes) {
  const verify_mesh *mesh = &surface->mesh;
  double energy = 0, nu = surface->plate_poisson;
  for (size_t t = 0; t < mesh->triangles; t++) {
    double curvature[6][3], w[3] = {0, 0, 0}, size[3] = {0, 0, 0};
    size_t at[6];
    const size_t *corner = mesh->triangle + 3 * t;
    if (!find_curvatures(mesh, corner, curvature, at)) return NAN;
    double area = cross(mesh->xy + 2 * corner[0], mesh->xy + 2 * corner[1], mesh->xy + 2 * corner[2]) / 2;
    for (int k = 0; k < 18; k++) {
      double value = k / 3 < 3 ? v[at[k / 3]] : slopes[at[k / 3] - mesh->nodes];
      w[k % 3] += curvature[k / 3][k % 3] * value;
      size[k % 3] += fabs(curvature[k / 3][k % 3] * value);
    }
    double trace = w[0] + w[1], D = surface->stiffness * area;
    const double moment[3] = {D * ((1 - nu) * w[0] + nu * trace), D * ((1 - nu) * w[1] + nu * trace),
                              2 * D * (1 - nu) * w[2]};
    for (int k = 0; k < 6; k++)
      for (int d = 0; d < 3; d++) {
        forces[at[k]] += curvature[k][d] * moment[d];
        sizes[at[k]] += fabs(curvature[k][d]) * D * (size[0] + size[1] + size[2]);
      }
    energy += (moment[0] * w[0] + moment[1] * w[1] + moment[2] * w[2]) / 2;
  }
  return energy;
}

double thud_verify_surface_bend(const verify_surface *surface, const double *v, const double *slopes, double *forces,
                                double *sizes) {
  return surface->plate ? bend_plate(surface, v, slopes, forces, sizes) : bend_membrane(surface, v, forces, sizes);
}

/* Strain of the triangle from differences over two sides; stress E h/(1-nu^2) (e + nu other), E h/(1+nu) e_xy. */
double thud_verify_surface_stretch(const verify_surface *surface, const double *u, double *forces, double *sizes) {
  const verify_mesh *mesh = &surface->mesh;
  double energy = 0, nu = surface->poisson, scale = surface->stretch / (1 - nu * nu);
  for (size_t t = 0; t < mesh->triangles; t++) {
    const size_t *c = mesh->triangle + 3 * t;
    const double *p = mesh->xy + 2 * c[0], *q = mesh->xy + 2 * c[1], *r = mesh->xy + 2 * c[2];
    double twice = cross(p, q, r), largest = 0, slope[2][2]; /* d u_d / d x_e */
    for (size_t d = 0; d < 2; d++) {
      double a = u[2 * c[1] + d] - u[2 * c[0] + d], b = u[2 * c[2] + d] - u[2 * c[0] + d];
      slope[d][0] = (a * (r[1] - p[1]) - b * (q[1] - p[1])) / twice;
      slope[d][1] = (b * (q[0] - p[0]) - a * (r[0] - p[0])) / twice;
      for (int k = 0; k < 3; k++) largest = fmax(largest, fabs(u[2 * c[k] + d]));
    }
    double xx = scale * (slope[0][0] + nu * slope[1][1]), yy = scale * (slope[1][1] + nu * slope[0][0]);
    double xy = surface->stretch / (1 + nu) * (slope[0][1] + slope[1][0]) / 2;
    for (int k = 0; k < 3;
         k++) { /* the stress on half of the two sides at the corner: sigma times the turned opposite side */
      const double *next = mesh->xy + 2 * c[(k + 1) % 3], *last = mesh->xy + 2 * c[(k + 2) % 3];
      double nx = (next[1] - last[1]) / 2, ny = (last[0] - next[0]) / 2;
      forces[2 * c[k]] += xx * nx + xy * ny;
      forces[2 * c[k] + 1] += xy * nx + yy * ny;
      for (int d = 0; d < 2; d++) sizes[2 * c[k] + (size_t)d] += 8 * scale * largest;
    }
    energy += (xx * slope[0][0] + yy * slope[1][1] + xy * (slope[0][1] + slope[1][0])) * twice / 4;
  }
  return energy;
}

/* Exact for quadratic integrands: a third of the area at the midpoint of each side. */
void thud_verify_surface_load(const verify_surface *surface, const double *density, size_t stride, double factor,
                              double *forces) {
  const verify_mesh *mesh = &surface->mesh;
  for (size_t k = 0; k < 3 * mesh->triangles; k++) {
    const size_t *t = mesh->triangle + k / 3 * 3;
    size_t a = t[k % 3], b = t[(k + 1) % 3];
    double area = cross(mesh->xy + 2 * t[0], mesh->xy + 2 * t[1], mesh->xy + 2 * t[2]) / 2;
    double share = factor * area / 3 * (density[a * stride] + density[b * stride]) / 2 / 2;
    forces[a * stride] += share;
    forces[b * stride] += share;
  }
}
