/* Surfaces of shapes as triangles, for drawing; outlines of those of the plane. */
#include "geom/shape_surface.h"

#define PI 3.14159265358979323846
enum { AROUND_LEAST = 3, AROUND_MOST = 10000 };

thud_error thud_surface_allocate(thud_context *context, size_t points, size_t triangles, thud_shape_surface *surface) {
  surface->points = THUD_NEW_ARRAY(context, double, 3 * points);
  surface->triangles = THUD_NEW_ARRAY(context, thud_index, 3 * triangles);
  return surface->points != NULL && surface->triangles != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_surface_point(thud_shape_surface *surface, thud_vec3 x) {
  thud_vec3_store(x, surface->points + 3 * surface->point_count++);
}

void thud_surface_triangle(thud_shape_surface *surface, size_t a, size_t b, size_t c) {
  thud_index *to = surface->triangles + 3 * surface->triangle_count++;
  to[0] = (thud_index)a;
  to[1] = (thud_index)b;
  to[2] = (thud_index)c;
}

/* ---- around the z axis ---------------------------------------------------------------------------------------------- */

/* Points: the bottom, the top, then the circles. Triangles are counter-clockwise seen from outside. */
thud_error thud_surface_revolve(const thud_surface_request *request, const thud_profile *p,
                                thud_shape_surface *surface) {
  size_t around = request->around, last = 2 + (p->count - 1) * around;
  thud_error error = thud_surface_allocate(request->context, p->count * around + 2, 2 * p->count * around, surface);
  if (error != THUD_OK) return error;
  thud_surface_point(surface, thud_vec3_make(0, 0, p->bottom));
  thud_surface_point(surface, thud_vec3_make(0, 0, p->top));
  for (size_t i = 0; i < p->count * around; i++) {
    double angle = 2 * PI * (double)(i % around) / (double)around, radius = p->radii[i / around];
    thud_surface_point(surface, thud_vec3_make(radius * cos(angle), radius * sin(angle), p->heights[i / around]));
  }
  for (size_t k = 0; k < around; k++) {
    size_t next = (k + 1) % around;
    thud_surface_triangle(surface, 0, 2 + next, 2 + k);
    for (size_t low = 2; low < last; low += around) {
      thud_surface_triangle(surface, low + k, low + next, low + around + next);
      thud_surface_triangle(surface, low + k, low + around + next, low + around + k);
    }
    thud_surface_triangle(surface, 1, last + k, last + next);
  }
  return THUD_OK;
}

/* Two half-spheres whose middles are half_length above and below the origin; one equator when that is 0. */
static void fill_round(thud_profile *p, double radius, double half_length, size_t steps) {
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

thud_error thud_surface_round(const thud_surface_request *request, double radius, double half_length,
                              thud_shape_surface *surface) {
  double reach = radius + half_length;
  if (!(radius > 0)) { /* a particle: one point */
    thud_error error = thud_surface_allocate(request->context, 1, 0, surface);
    if (error == THUD_OK) thud_surface_point(surface, thud_vec3_make(0, 0, 0));
    return error;
  }
  size_t steps = (request->around + 3) / 4;
  double *room = THUD_NEW_ARRAY(request->context, double, 4 * steps + 2);
  if (room == NULL) return THUD_ERROR_MEMORY;
  thud_profile p = {-reach, reach, 0, room, room + 2 * steps + 1};
  fill_round(&p, radius, half_length, steps);
  thud_error error = thud_surface_revolve(request, &p, surface);
  thud_free(request->context, room);
  return error;
}

/* Any convex shape: its farthest points along the directions of a round surface. */
static thud_error surface_by_support(const thud_surface_request *request, const thud_shape *shape,
                                     thud_shape_surface *surface) {
  thud_error error = thud_surface_round(request, 1, 0, surface);
  for (size_t i = 0; error == THUD_OK && i < surface->point_count; i++) {
    double *x = surface->points + 3 * i;
    thud_vec3_store(shape->class->support(shape, thud_vec3_load(x)), x);
  }
  return error;
}

/* ---- corners -------------------------------------------------------------------------------------------------------- */

/* Faces as fans. */
thud_error thud_surface_polyhedron(const thud_surface_request *request, const thud_shape *shape,
                                   thud_shape_surface *surface) {
  const thud_polyhedron *p = &shape->polyhedron;
  size_t corners = (size_t)p->face_start[p->face_count], faces = (size_t)p->face_count;
  thud_error error = thud_surface_allocate(request->context, (size_t)p->vertex_count, corners - 2 * faces, surface);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < p->vertex_count; i++) thud_surface_point(surface, p->vertices[i]);
  for (thud_index f = 0; f < p->face_count; f++) {
    const thud_index *v = p->face_vertices + p->face_start[f];
    for (thud_index k = 2; k < p->face_start[f + 1] - p->face_start[f]; k++)
      thud_surface_triangle(surface, (size_t)v[0], (size_t)v[k - 1], (size_t)v[k]);
  }
  return THUD_OK;
}

thud_error thud_surface_outline(const thud_surface_request *request, const thud_shape *shape,
                                thud_shape_surface *surface) {
  const thud_polyhedron *p = &shape->polyhedron;
  thud_error error = thud_surface_allocate(request->context, (size_t)p->vertex_count, 0, surface);
  for (thud_index i = 0; error == THUD_OK && i < p->vertex_count; i++) thud_surface_point(surface, p->vertices[i]);
  return error;
}

thud_error thud_surface_rectangle(const thud_surface_request *request, double top, size_t triangles,
                                  thud_shape_surface *surface) {
  double e = request->extent;
  thud_error error = thud_surface_allocate(request->context, 4, triangles, surface);
  if (error != THUD_OK) return error;
  thud_surface_point(surface, thud_vec3_make(-e, -e, 0));
  thud_surface_point(surface, thud_vec3_make(e, -e, 0));
  thud_surface_point(surface, thud_vec3_make(e, top, 0));
  thud_surface_point(surface, thud_vec3_make(-e, top, 0));
  return THUD_OK;
}

/* ---- outlines with round ends ---------------------------------------------------------------------------------------- */

/* The upper half around (0, half_length), then the lower one around (0, -half_length). */
thud_error thud_surface_stadium(const thud_surface_request *request, double radius, double half_length,
                                thud_shape_surface *surface) {
  size_t arcs = radius > 0 ? (request->around + 1) / 2 : 0; /* of a half */
  size_t ends = half_length > 0 ? 1 : 0;                    /* a disc's halves have their ends in common */
  thud_error error = thud_surface_allocate(request->context, radius > 0 ? 2 * (arcs + ends) : 1, 0, surface);
  if (error != THUD_OK) return error;
  if (!(radius > 0)) thud_surface_point(surface, thud_vec3_make(0, 0, 0));
  for (size_t k = 0; radius > 0 && k < 2 * (arcs + ends); k++) {
    size_t half = k / (arcs + ends), step = k % (arcs + ends);
    double angle = PI * ((double)half + (double)step / (double)arcs);
    double middle = half == 0 ? half_length : -half_length;
    thud_surface_point(surface, thud_vec3_make(radius * cos(angle), middle + radius * sin(angle), 0));
  }
  return THUD_OK;
}

/* ---- any shape ------------------------------------------------------------------------------------------------------ */

thud_error thud_shape_make_surface(thud_context *context, const thud_shape *shape, int segments, double extent,
                                   thud_shape_surface *surface) {
  THUD_REQUIRE(context, context, shape, surface);
  if (segments < AROUND_LEAST || segments > AROUND_MOST)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-shape] surface of a shape: %d segments; they are from %d to %d", segments, AROUND_LEAST,
                     AROUND_MOST);
  if (shape->reach == INFINITY && !(extent > 0 && extent <= THUD_LENGTH_MOST))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-shape] surface of a shape: the extent is %g; it must be a finite number > 0", extent);
  thud_surface_request request = {context, (size_t)segments, extent};
  thud_shape_surface made = {0, 0, NULL, NULL};
  thud_error error = shape->class->surface != NULL ? shape->class->surface(&request, shape, &made)
                                                   : surface_by_support(&request, shape, &made);
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
