/* Normals of surfaces: round where triangles meet at a small angle, with creases where they do not. */
#include "base/base.h"
#include "plot/snapshot.h"

static const double crease_cosine = 0.8; /* 37 degrees */

static thud_vec3 corner(const thud_shape_surface *surface, size_t triangle, int c) {
  return thud_vec3_load(surface->points + 3 * (size_t)surface->triangles[3 * triangle + (size_t)c]);
}

static thud_vec3 facet_normal(const thud_shape_surface *surface, size_t triangle) {
  thud_vec3 a = corner(surface, triangle, 0), normal = {0, 0, 0};
  thud_vec3 ab = thud_vec3_subtract(corner(surface, triangle, 1), a);
  thud_vec3_normalise(thud_vec3_cross(ab, thud_vec3_subtract(corner(surface, triangle, 2), a)), &normal);
  return normal;
}

/* The triangles around each point, as lists one behind the other. */
typedef struct fans {
  size_t *start; /* [points + 1] */
  size_t *member;
} fans;

static thud_error make_fans(thud_context *context, const thud_shape_surface *surface, fans *around) {
  size_t corners = 3 * surface->triangle_count;
  around->start = THUD_NEW_ARRAY(context, size_t, surface->point_count + 2);
  around->member = THUD_NEW_ARRAY(context, size_t, corners);
  if (around->start == NULL || around->member == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < corners; k++) around->start[(size_t)surface->triangles[k] + 2]++;
  for (size_t k = 2; k < surface->point_count + 2; k++) around->start[k] += around->start[k - 1];
  for (size_t k = 0; k < corners; k++) around->member[around->start[(size_t)surface->triangles[k] + 1]++] = k / 3;
  return THUD_OK;
}

static void average(const thud_shape_surface *surface, const fans *around, const thud_vec3 *facets, double *normals) {
  for (size_t k = 0; k < 3 * surface->triangle_count; k++) {
    size_t point = (size_t)surface->triangles[k];
    thud_vec3 own = facets[k / 3], sum = {0, 0, 0}, mean = own;
    for (size_t m = around->start[point]; m < around->start[point + 1]; m++)
      if (thud_vec3_dot(facets[around->member[m]], own) >= crease_cosine)
        sum = thud_vec3_add(sum, facets[around->member[m]]);
    thud_vec3_normalise(sum, &mean);
    thud_vec3_store(mean, normals + 3 * k);
  }
}

thud_error thud_snapshot_normals(thud_context *context, const thud_shape_surface *surface, bool facets,
                                 double **normals) {
  size_t count = surface->triangle_count;
  fans around = {0};
  thud_vec3 *flat = THUD_NEW_ARRAY(context, thud_vec3, count);
  double *made = thud_alloc(context, count, 9 * sizeof(double));
  thud_error error = flat != NULL && made != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t t = 0; t < count && error == THUD_OK; t++) flat[t] = facet_normal(surface, t);
  if (error == THUD_OK && !facets) error = make_fans(context, surface, &around);
  if (error == THUD_OK && !facets) average(surface, &around, flat, made);
  for (size_t k = 0; k < 3 * count && error == THUD_OK && facets; k++) thud_vec3_store(flat[k / 3], made + 3 * k);
  thud_free(context, flat);
  thud_free(context, around.start);
  thud_free(context, around.member);
  if (error == THUD_OK)
    *normals = made;
  else
    thud_free(context, made);
  return error;
}
