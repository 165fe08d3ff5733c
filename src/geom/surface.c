/* Surfaces of shapes as triangles, for drawing; outlines of those of the plane. */
#include "geom/surface.h"
#include "geom/shape_kinds.h"
#include "geom/triangles.h"

#define PI 3.14159265358979323846
enum { AROUND_LEAST = 3, AROUND_MOST = 10000 };

static thud_error allocate(thud_context *context, size_t points, size_t triangles, thud_shape_surface *surface) {
  surface->points = THUD_NEW_ARRAY(context, double, 3 * points);
  surface->triangles = THUD_NEW_ARRAY(context, thud_index, 3 * triangles);
  return surface->points != NULL && surface->triangles != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static void add_point(thud_shape_surface *surface, thud_vec3 x) {
  thud_vec3_store(x, surface->points + 3 * surface->point_count++);
}

static void add_triangle(thud_shape_surface *surface, size_t a, size_t b, size_t c) {
  thud_index *to = surface->triangles + 3 * surface->triangle_count++;
  to[0] = (thud_index)a;
  to[1] = (thud_index)b;
  to[2] = (thud_index)c;
}

/* ---- around the z axis ---------------------------------------------------------------------------------------------- */

/* Circles around z, from the lowest to the highest, between two points of the axis. */
typedef struct profile {
  double bottom, top;
  size_t count;
  double *radii, *heights; /* [count] */
} profile;

/* Points: the bottom, the top, then the circles. Triangles are counter-clockwise seen from outside. */
static thud_error revolve(const thud_surface_request *request, const profile *p, thud_shape_surface *surface) {
  size_t around = request->around, last = 2 + (p->count - 1) * around;
  thud_error error = allocate(request->context, p->count * around + 2, 2 * p->count * around, surface);
  if (error != THUD_OK) return error;
  add_point(surface, thud_vec3_make(0, 0, p->bottom));
  add_point(surface, thud_vec3_make(0, 0, p->top));
  for (size_t i = 0; i < p->count * around; i++) {
    double angle = 2 * PI * (double)(i % around) / (double)around, radius = p->radii[i / around];
    add_point(surface, thud_vec3_make(radius * cos(angle), radius * sin(angle), p->heights[i / around]));
  }
  for (size_t k = 0; k < around; k++) {
    size_t next = (k + 1) % around;
    add_triangle(surface, 0, 2 + next, 2 + k);
    for (size_t low = 2; low < last; low += around) {
      add_triangle(surface, low + k, low + next, low + around + next);
      add_triangle(surface, low + k, low + around + next, low + around + k);
    }
    add_triangle(surface, 1, last + k, last + next);
  }
  return THUD_OK;
}

/* Two half-spheres whose middles are half_length above and below the origin; one equator when that is 0. */
static void fill_round(profile *p, double radius, double half_length, size_t steps) {
  for (size_t k = 1; k < 2 * steps + 1; k++) {
    bool upper = k > steps;
    if (k == steps + 1 && half_length > 0) { /* the second equator */
      p->radii[p->count] = radius;
      p->heights[p->count++] = half_length;
    }
    if (k == 2 * steps) break; /* the top itself */
    double angle = PI / 2 * ((double)k / (double)steps - 1);
    p->radii[p->count] = radius * cos(angle);
    p->heights[p->count++] = radius * sin(angle) + (upper ? half_length : -half_length);
  }
}

thud_error thud_surface_round(const thud_surface_request *request, const thud_shape *shape,
                              thud_shape_surface *surface) {
  const thud_shape_def *def = &shape->def;
  bool ellipsoid = def->kind == THUD_SHAPE_ELLIPSOID;
  double radius = ellipsoid ? 1 : def->radius, reach = radius + def->half_length;
  if (!(radius > 0)) { /* a particle: one point */
    thud_error error = allocate(request->context, 1, 0, surface);
    if (error == THUD_OK) add_point(surface, thud_vec3_make(0, 0, 0));
    return error;
  }
  size_t steps = (request->around + 3) / 4;
  double *room = THUD_NEW_ARRAY(request->context, double, 4 * steps + 2);
  if (room == NULL) return THUD_ERROR_MEMORY;
  profile p = {-reach, reach, 0, room, room + 2 * steps + 1};
  fill_round(&p, radius, def->half_length, steps);
  thud_error error = revolve(request, &p, surface);
  thud_free(request->context, room);
  for (size_t i = 0; error == THUD_OK && ellipsoid && i < 3 * surface->point_count; i++)
    surface->points[i] *= def->half[i % 3];
  return error;
}

thud_error thud_surface_cylinder(const thud_surface_request *request, const thud_shape *shape,
                                 thud_shape_surface *surface) {
  double h = shape->def.half_length, r = shape->def.radius;
  profile p = {-h, h, 2, (double[]){r, r}, (double[]){-h, h}};
  return revolve(request, &p, surface);
}

thud_error thud_surface_cone(const thud_surface_request *request, const thud_shape *shape,
                             thud_shape_surface *surface) {
  double h = shape->def.half_length, r = shape->def.radius;
  profile p = {-h, h, 1, (double[]){r}, (double[]){-h}};
  return revolve(request, &p, surface);
}

/* ---- corners -------------------------------------------------------------------------------------------------------- */

/* Faces as fans. */
thud_error thud_surface_polyhedron(const thud_surface_request *request, const thud_shape *shape,
                                   thud_shape_surface *surface) {
  const thud_polyhedron *p = &shape->polyhedron;
  size_t corners = (size_t)p->face_start[p->face_count], faces = (size_t)p->face_count;
  thud_error error = allocate(request->context, (size_t)p->vertex_count, corners - 2 * faces, surface);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < p->vertex_count; i++) add_point(surface, p->vertices[i]);
  for (thud_index f = 0; f < p->face_count; f++) {
    const thud_index *v = p->face_vertices + p->face_start[f];
    for (thud_index k = 2; k < p->face_start[f + 1] - p->face_start[f]; k++)
      add_triangle(surface, (size_t)v[0], (size_t)v[k - 1], (size_t)v[k]);
  }
  return THUD_OK;
}

thud_error thud_surface_mesh(const thud_surface_request *request, const thud_shape *shape,
                             thud_shape_surface *surface) {
  const thud_triangles *s = &shape->surface;
  size_t points = (size_t)s->vertex_count, triangles = (size_t)s->triangle_count;
  thud_error error = allocate(request->context, points, triangles, surface);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < points; i++) add_point(surface, s->vertices[i]);
  for (size_t t = 0; t < triangles; t++)
    add_triangle(surface, (size_t)s->corners[3 * t], (size_t)s->corners[3 * t + 1], (size_t)s->corners[3 * t + 2]);
  return THUD_OK;
}

thud_error thud_surface_height_field(const thud_surface_request *request, const thud_shape *shape,
                                     thud_shape_surface *surface) {
  size_t columns = (size_t)shape->def.columns, rows = (size_t)shape->def.rows;
  thud_error error = allocate(request->context, columns * rows, 2 * (columns - 1) * (rows - 1), surface);
  if (error != THUD_OK) return error;
  for (thud_index row = 0; row < shape->def.rows; row++)
    for (thud_index column = 0; column < shape->def.columns; column++)
      add_point(surface, thud_height_field_point(shape, column, row));
  for (size_t row = 0; row + 1 < rows; row++)
    for (size_t a = row * columns; a + 1 < (row + 1) * columns; a++) {
      add_triangle(surface, a, a + 1, a + columns + 1);
      add_triangle(surface, a, a + columns + 1, a + columns);
    }
  return THUD_OK;
}

/* The rectangle [-e, e] x [-e, top]. */
static thud_error make_rectangle(const thud_surface_request *request, double top, size_t triangles,
                                 thud_shape_surface *surface) {
  double e = request->extent;
  thud_error error = allocate(request->context, 4, triangles, surface);
  if (error != THUD_OK) return error;
  add_point(surface, thud_vec3_make(-e, -e, 0));
  add_point(surface, thud_vec3_make(e, -e, 0));
  add_point(surface, thud_vec3_make(e, top, 0));
  add_point(surface, thud_vec3_make(-e, top, 0));
  return THUD_OK;
}

thud_error thud_surface_plane(const thud_surface_request *request, const thud_shape *shape,
                              thud_shape_surface *surface) {
  (void)shape;
  thud_error error = make_rectangle(request, request->extent, 2, surface);
  if (error != THUD_OK) return error;
  add_triangle(surface, 0, 1, 2);
  add_triangle(surface, 0, 2, 3);
  return THUD_OK;
}

/* ---- the plane: outlines, counter-clockwise -------------------------------------------------------------------------- */

thud_error thud_surface_half_plane(const thud_surface_request *request, const thud_shape *shape,
                                   thud_shape_surface *surface) {
  (void)shape;
  return make_rectangle(request, 0, 0, surface);
}

thud_error thud_surface_outline(const thud_surface_request *request, const thud_shape *shape,
                                thud_shape_surface *surface) {
  const thud_polyhedron *p = &shape->polyhedron;
  thud_error error = allocate(request->context, (size_t)p->vertex_count, 0, surface);
  for (thud_index i = 0; error == THUD_OK && i < p->vertex_count; i++) add_point(surface, p->vertices[i]);
  return error;
}

/* The upper half around (0, half_length), then the lower one around (0, -half_length). */
thud_error thud_surface_disc(const thud_surface_request *request, const thud_shape *shape,
                             thud_shape_surface *surface) {
  double radius = shape->def.radius, half_length = shape->def.half_length;
  size_t arcs = radius > 0 ? (request->around + 1) / 2 : 0; /* of a half */
  size_t ends = half_length > 0 ? 1 : 0;                    /* a disc's halves have their ends in common */
  thud_error error = allocate(request->context, radius > 0 ? 2 * (arcs + ends) : 1, 0, surface);
  if (error != THUD_OK) return error;
  if (!(radius > 0)) add_point(surface, thud_vec3_make(0, 0, 0));
  for (size_t k = 0; radius > 0 && k < 2 * (arcs + ends); k++) {
    size_t half = k / (arcs + ends), step = k % (arcs + ends);
    double angle = PI * ((double)half + (double)step / (double)arcs);
    double middle = half == 0 ? half_length : -half_length;
    add_point(surface, thud_vec3_make(radius * cos(angle), middle + radius * sin(angle), 0));
  }
  return THUD_OK;
}

/* ---- any shape ------------------------------------------------------------------------------------------------------ */

thud_error thud_shape_make_surface(thud_context *context, const thud_shape *shape, int segments, double extent,
                                   thud_shape_surface *surface) {
  THUD_REQUIRE(context, context, shape, surface);
  if (segments < AROUND_LEAST || segments > AROUND_MOST)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "surface of a shape: %d segments; they are from %d to %d", segments,
                     AROUND_LEAST, AROUND_MOST);
  if (shape->reach == INFINITY && !(extent > 0 && extent <= THUD_LENGTH_MOST))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "surface of a shape: the extent is %g; it must be a finite number > 0", extent);
  thud_surface_request request = {context, (size_t)segments, extent};
  thud_shape_surface made = {0, 0, NULL, NULL};
  thud_error error = thud_shape_class_of(shape->def.kind)->surface(&request, shape, &made);
  if (error != THUD_OK)
    thud_shape_surface_free(context, &made);
  else
    *surface = made;
  return error;
}

void thud_shape_surface_free(thud_context *context, thud_shape_surface *surface) {
  THUD_REQUIRE_OR(, context, surface);
  thud_free(context, surface->points);
  thud_free(context, surface->triangles);
  *surface = (thud_shape_surface){0, 0, NULL, NULL};
}
