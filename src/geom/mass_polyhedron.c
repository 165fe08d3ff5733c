/* Masses of polyhedra and polygons: exact integrals over their faces. */
#include "geom/mass.h"

/* Integrals over a solid of 1; x, y, z; x^2, y^2, z^2; xy, yz, zx. */
enum { INTEGRALS = 10 };

/* One coordinate of the three corners of a triangle: the polynomials by which D. Eberly, "Polyhedral Mass Properties
 * (Revisited)", 2002, after B. Mirtich, "Fast and Accurate Computation of Polyhedral Mass Properties", 1996, writes the
 * integrals over the triangle. */
typedef struct coordinate {
  double f1, f2, f3, g[3];
} coordinate;

static coordinate expand(double w0, double w1, double w2) {
  double sum = w0 + w1, square = w0 * w0, squares = square + w1 * sum;
  coordinate c = {.f1 = sum + w2};
  c.f2 = squares + w2 * c.f1;
  c.f3 = w0 * square + w1 * squares + w2 * c.f2;
  c.g[0] = c.f2 + w0 * (c.f1 + w0);
  c.g[1] = c.f2 + w1 * (c.f1 + w1);
  c.g[2] = c.f2 + w2 * (c.f1 + w2);
  return c;
}

static void add_triangle(thud_vec3 a, thud_vec3 b, thud_vec3 c, double *sum) {
  thud_vec3 d = thud_vec3_cross(thud_vec3_subtract(b, a), thud_vec3_subtract(c, a));
  coordinate x = expand(a.x, b.x, c.x), y = expand(a.y, b.y, c.y), z = expand(a.z, b.z, c.z);
  sum[0] += d.x * x.f1 / 6;
  sum[1] += d.x * x.f2 / 24;
  sum[2] += d.y * y.f2 / 24;
  sum[3] += d.z * z.f2 / 24;
  sum[4] += d.x * x.f3 / 60;
  sum[5] += d.y * y.f3 / 60;
  sum[6] += d.z * z.f3 / 60;
  sum[7] += d.x * (a.y * x.g[0] + b.y * x.g[1] + c.y * x.g[2]) / 120;
  sum[8] += d.y * (a.z * y.g[0] + b.z * y.g[1] + c.z * y.g[2]) / 120;
  sum[9] += d.z * (a.x * z.g[0] + b.x * z.g[1] + c.x * z.g[2]) / 120;
}

/* Relative to a point of the solid, so that a solid far from its origin loses no digits. */
thud_mass_properties thud_mass_hull(const thud_shape *shape) {
  const thud_polyhedron *p = &shape->polyhedron;
  thud_vec3 origin = shape->inner;
  double s[INTEGRALS] = {0};
  for (thud_index f = 0; f < p->face_count; f++) {
    const thud_index *v = p->face_vertices + p->face_start[f];
    thud_vec3 a = thud_vec3_subtract(p->vertices[v[0]], origin), b = thud_vec3_subtract(p->vertices[v[1]], origin);
    for (thud_index k = 2; k < p->face_start[f + 1] - p->face_start[f]; k++) {
      thud_vec3 c = thud_vec3_subtract(p->vertices[v[k]], origin);
      add_triangle(a, b, c, s);
      b = c;
    }
  }
  thud_vec3 centre = {s[1] / s[0], s[2] / s[0], s[3] / s[0]};
  double xx = s[4] - s[1] * centre.x, yy = s[5] - s[2] * centre.y, zz = s[6] - s[3] * centre.z;
  double xy = s[7] - s[1] * centre.y, yz = s[8] - s[2] * centre.z, zx = s[9] - s[3] * centre.x;
  thud_mass_properties mass = {s[0], thud_vec3_add(origin, centre), thud_mat3_identity()};
  mass.inertia = thud_mat3_columns(thud_vec3_make(yy + zz, -xy, -zx), thud_vec3_make(-xy, zz + xx, -yz),
                                   thud_vec3_make(-zx, -yz, xx + yy));
  return mass;
}

/* A fan of triangles from the first vertex o: with edges a, b of one, area A = a x b/2, integral of x - o: A (a + b)/3, of
 * |x - o|^2: A (a.a + a.b + b.b)/6. */
thud_mass_properties thud_mass_polygon(const thud_shape *shape) {
  const thud_polyhedron *p = &shape->polyhedron;
  thud_vec3 o = p->vertices[0], first = {0, 0, 0};
  double area = 0, second = 0;
  for (thud_index i = 2; i < p->vertex_count; i++) {
    thud_vec3 a = thud_vec3_subtract(p->vertices[i - 1], o), b = thud_vec3_subtract(p->vertices[i], o);
    double part = 0.5 * thud_vec3_cross(a, b).z;
    area += part;
    first = thud_vec3_add_scaled(first, part / 3, thud_vec3_add(a, b));
    second += part / 6 * (thud_vec3_dot(a, a) + thud_vec3_dot(a, b) + thud_vec3_dot(b, b));
  }
  thud_vec3 centre = thud_vec3_scale(1 / area, first);
  double moment = second - thud_vec3_dot(first, centre);
  return (thud_mass_properties){area, thud_vec3_add(o, centre), thud_mat3_diagonal(0, 0, moment)};
}
