/* Triangle meshes: checks, neighbours, lengths. */
#include "geom/half_edges.h"
#include "geom/shape_surface.h"
#include "geom/triangles.h"

/* A triangle whose altitude over its longest edge is below this fraction of that edge is degenerate. */
#define DEGENERATE 1e-9

void thud_triangles_free(thud_context *context, thud_triangles *triangles) {
  thud_triangles *t = triangles;
  void *blocks[] = {t->vertices, t->corners, t->normals, t->twins, t->nodes, t->node_first, t->node_size, t->order};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) thud_free(context, blocks[k]);
  *triangles = (thud_triangles){0};
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

static thud_error check_corners(const thud_shape *shape) {
  const thud_shape_def *def = &shape->def;
  if (def->triangle_count < 1 || def->triangles == NULL)
    return thud_fail(shape->context, THUD_ERROR_ARGUMENT, "[bad-mesh] mesh: there are no triangles");
  if (def->triangle_count > THUD_POINTS_MOST)
    return thud_fail(shape->context, THUD_ERROR_OVERFLOW,
                     "[bad-shape] mesh: there are %d triangles; at most %d are possible", (int)def->triangle_count,
                     THUD_POINTS_MOST);
  for (size_t i = 0; i < 3 * (size_t)def->triangle_count; i++) {
    if (def->triangles[i] >= 0 && def->triangles[i] < def->point_count) continue;
    return thud_fail(shape->context, THUD_ERROR_ARGUMENT,
                     "[bad-mesh] mesh: triangle %zu has the vertex %d; vertices are numbered from 0 to %d", i / 3,
                     (int)def->triangles[i], (int)def->point_count - 1);
  }
  return THUD_OK;
}

/* Unit normals; the area of all triangles. */
static thud_error find_normals(const thud_shape *shape, double *area) {
  const thud_triangles *s = &shape->surface;
  *area = 0;
  for (thud_index t = 0; t < s->triangle_count; t++) {
    const thud_index *v = s->corners + 3 * (size_t)t;
    thud_vec3 a = s->vertices[v[0]], b = s->vertices[v[1]], c = s->vertices[v[2]];
    thud_vec3 cross = thud_vec3_cross(thud_vec3_subtract(b, a), thud_vec3_subtract(c, a));
    double twice = thud_vec3_norm(cross);
    double longest = fmax(thud_vec3_distance(a, b), fmax(thud_vec3_distance(b, c), thud_vec3_distance(c, a)));
    if (!(twice > DEGENERATE * longest * longest))
      return thud_fail(shape->context, THUD_ERROR_ARGUMENT,
                       "[bad-mesh] mesh: triangle %d (counted from 0; vertices %d, %d, %d) has no area", (int)t,
                       (int)v[0], (int)v[1], (int)v[2]);
    thud_vec3_normalise(cross, &s->normals[t]);
    *area += 0.5 * twice;
  }
  return THUD_OK;
}

static thud_error fail_edge(const thud_shape *shape, const thud_edge_fault *fault) {
  const thud_index *corners = shape->surface.corners;
  int a = (int)corners[fault->first], b = (int)corners[thud_half_edge_next(fault->first)];
  int t = (int)(fault->first / 3), other = (int)(fault->second / 3);
  if (fault->kind == THUD_EDGES_OPEN)
    return thud_fail(shape->context, THUD_ERROR_ARGUMENT,
                     "[mesh-open] mesh: it has a hole: the edge from vertex %d to %d of triangle %d has no neighbour; "
                     "set `open` for a "
                     "surface with borders",
                     a, b, t);
  if (fault->kind == THUD_EDGES_TURNED)
    return thud_fail(shape->context, THUD_ERROR_ARGUMENT,
                     "[bad-mesh] mesh: triangles %d and %d both run from vertex %d to %d; turn one of them over", t,
                     other, a, b);
  return thud_fail(shape->context, THUD_ERROR_ARGUMENT,
                   "[bad-mesh] mesh: more than two triangles (%d, %d) have the edge between vertices %d and %d", t,
                   other, a, b);
}

/* Six times the volume: signed tetrahedra between a vertex and the triangles. */
static double signed_volume(const thud_triangles *s) {
  thud_vec3 origin = s->vertices[s->corners[0]];
  double sum = 0;
  for (thud_index t = 0; t < s->triangle_count; t++) {
    const thud_index *v = s->corners + 3 * (size_t)t;
    thud_vec3 a = thud_vec3_subtract(s->vertices[v[0]], origin), b = thud_vec3_subtract(s->vertices[v[1]], origin);
    thud_vec3 c = thud_vec3_subtract(s->vertices[v[2]], origin);
    sum += thud_vec3_dot(a, thud_vec3_cross(b, c));
  }
  return sum / 6;
}

static thud_error check_edges(const thud_shape *shape) {
  const thud_triangles *s = &shape->surface;
  thud_edge_fault fault;
  thud_error error = thud_half_edges_pair(shape->context, s->triangle_count, s->corners, s->twins, &fault);
  if (error != THUD_OK) return error;
  if (fault.kind > THUD_EDGES_OPEN || (fault.kind == THUD_EDGES_OPEN && !shape->def.open))
    return fail_edge(shape, &fault);
  if (shape->def.open) return THUD_OK;
  double volume = signed_volume(s);
  if (!(volume > 0))
    return thud_fail(
        shape->context, THUD_ERROR_ARGUMENT,
        "[mesh-inside-out] mesh: it is inside out (its volume is %g); the corners of every triangle must run "
        "counter-clockwise seen from outside",
        volume);
  return THUD_OK;
}

/* ---- making ----------------------------------------------------------------------------------------------------------- */

static thud_error copy_arrays(thud_shape *shape) {
  thud_triangles *s = &shape->surface;
  size_t vertices = (size_t)shape->def.point_count, triangles = (size_t)shape->def.triangle_count;
  s->vertex_count = shape->def.point_count;
  s->triangle_count = shape->def.triangle_count;
  s->vertices = THUD_NEW_ARRAY(shape->context, thud_vec3, vertices);
  s->corners = THUD_NEW_ARRAY(shape->context, thud_index, 3 * triangles);
  s->normals = THUD_NEW_ARRAY(shape->context, thud_vec3, triangles);
  s->twins = THUD_NEW_ARRAY(shape->context, thud_index, 3 * triangles);
  if (!(s->vertices && s->corners && s->normals && s->twins)) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < vertices; i++) s->vertices[i] = thud_vec3_load(shape->def.points + 3 * i);
  memcpy(s->corners, shape->def.triangles, 3 * triangles * sizeof *s->corners);
  shape->def.points = &s->vertices[0].x;
  shape->def.triangles = s->corners;
  return THUD_OK;
}

static thud_error build(thud_shape *shape) {
  double area;
  thud_error error = check_corners(shape);
  if (error == THUD_OK) error = copy_arrays(shape);
  if (error == THUD_OK) error = find_normals(shape, &area);
  if (error == THUD_OK) error = check_edges(shape);
  if (error != THUD_OK) return error;
  const thud_triangles *s = &shape->surface;
  for (thud_index c = 0; c < 3 * s->triangle_count; c++)
    shape->reach = fmax(shape->reach, thud_vec3_norm(s->vertices[s->corners[c]]));
  shape->thickness = sqrt(area / s->triangle_count); /* slivers must not decide about tolerances */
  return thud_triangles_make_tree(shape->context, &shape->surface);
}

/* ---- asking ----------------------------------------------------------------------------------------------------------- */

static void get_triangle(const thud_shape *surface, thud_index number, thud_triangle *triangle) {
  const thud_triangles *s = &surface->surface;
  triangle->number = number;
  triangle->normal = s->normals[number];
  for (int k = 0; k < 3; k++) triangle->corners[k] = s->vertices[s->corners[3 * number + k]];
  for (int k = 0; k < 3; k++) {
    thud_index twin = s->twins[3 * number + k];
    triangle->edges[k] = THUD_EDGE_BORDER;
    if (twin < 0) continue;
    thud_index opposite = thud_half_edge_next(thud_half_edge_next(twin));
    thud_triangle_set_beyond(triangle, k, s->vertices[s->corners[opposite]]);
  }
}

/* The vertex at the beginning of half-edge k of the triangle: one way around it, and from a border the other way. */
static thud_rise rise_at(const thud_shape *surface, thud_index number, int k, thud_vec3 direction) {
  const thud_triangles *s = &surface->surface;
  thud_index half_edge = 3 * number + k;
  thud_vec3 vertex = s->vertices[s->corners[half_edge]];
  thud_rise rise = {INFINITY, -INFINITY, direction};
  thud_index h = half_edge;
  do {
    thud_rise_add(&rise, vertex, s->vertices[s->corners[thud_half_edge_next(h)]], direction);
    h = s->twins[h] < 0 ? -1 : thud_half_edge_next(s->twins[h]);
  } while (h >= 0 && h != half_edge);
  if (h == half_edge) return rise;
  for (h = half_edge; h >= 0;) {
    thud_index into = thud_half_edge_next(thud_half_edge_next(h)); /* ends at the vertex */
    thud_rise_add(&rise, vertex, s->vertices[s->corners[into]], direction);
    h = s->twins[into];
  }
  return rise;
}

static double count_triangles(const thud_shape *surface) { return (double)surface->surface.triangle_count; }

/* ---- drawing ---------------------------------------------------------------------------------------------------------- */

static thud_error draw(const thud_surface_request *request, const thud_shape *shape, thud_shape_surface *surface) {
  const thud_triangles *s = &shape->surface;
  size_t points = (size_t)s->vertex_count, triangles = (size_t)s->triangle_count;
  thud_error error = thud_surface_allocate(request->context, points, triangles, surface);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < points; i++) thud_surface_point(surface, s->vertices[i]);
  for (size_t t = 0; t < triangles; t++)
    thud_surface_triangle(surface, (size_t)s->corners[3 * t], (size_t)s->corners[3 * t + 1],
                          (size_t)s->corners[3 * t + 2]);
  return THUD_OK;
}

/* ---- the class ---------------------------------------------------------------------------------------------------------- */

static const thud_surface_class triangles = {
    .count = count_triangles, .visit = thud_triangles_visit, .get = get_triangle, .rise = rise_at};

const thud_shape_class thud_shape_mesh = {
    .name = "mesh",
    .scene = {.word = "mesh", .notation = THUD_NOTED_TRIANGLES},
    .pairs = THUD_PAIRS_SURFACE,
    .needs = THUD_NEEDS_POINTS | THUD_NEEDS_TRIANGLES,
    .points_least = 3,
    .build = build,
    .extent = thud_triangles_extent,
    .triangles = &triangles,
    .surface = draw,
};
