/* Directions of least depth of overlapping solids: the facets of a growing hull of points of their difference (van den Bergen,
 * "Proximity queries and penetration depth computation on 3D game objects", GDC 2001). Facet distances are lower bounds of the
 * depth and supports along facet normals upper ones, so that no direction is overlooked beyond the tolerance; the result is
 * polished elsewhere. */
#include "geom/separate.h"

enum { VERTICES_MAX = 96, FACETS_MAX = 2 * VERTICES_MAX, EDGES_MAX = 3 * FACETS_MAX, FIRST_DIRECTIONS = 14 };

/* A point must be this far above a facet, over the size, to see it. */
#define SEES 1e-9

typedef struct facet {
  uint8_t corners[3]; /* counter-clockwise from outside */
  bool done;          /* its support has been asked for */
  thud_vec3 normal;
  double distance; /* of its plane from the origin */
} facet;

typedef struct hull {
  size_t vertex_count, facet_count;
  thud_vec3 vertices[VERTICES_MAX];
  facet facets[FACETS_MAX];
  double size;
} hull;

static bool make_facet(const hull *h, uint8_t i, uint8_t j, uint8_t k, facet *f) {
  thud_vec3 u = thud_vec3_subtract(h->vertices[j], h->vertices[i]),
            v = thud_vec3_subtract(h->vertices[k], h->vertices[i]);
  *f = (facet){.corners = {i, j, k}};
  if (!thud_vec3_normalise(thud_vec3_cross(u, v), &f->normal)) return false;
  f->distance = thud_vec3_dot(f->normal, h->vertices[i]);
  return true;
}

/* Takes the facets away that the point sees and joins it to the border that remains. False when there is no room, or when
 * rounding makes a facet without a normal. */
static bool insert(hull *h, thud_vec3 point) {
  uint8_t edges[EDGES_MAX][2];
  size_t edge_count = 0, kept = 0;
  if (h->vertex_count == VERTICES_MAX) return false;
  for (size_t f = 0; f < h->facet_count; f++) {
    const facet *one = &h->facets[f];
    if (thud_vec3_dot(one->normal, point) - one->distance <= SEES * h->size) {
      h->facets[kept++] = *one;
      continue;
    }
    for (size_t k = 0; k < 3; k++, edge_count++) {
      edges[edge_count][0] = one->corners[k];
      edges[edge_count][1] = one->corners[(k + 1) % 3];
    }
  }
  if (edge_count == 0) return true;
  uint8_t tip = (uint8_t)h->vertex_count;
  h->vertices[h->vertex_count++] = point;
  h->facet_count = kept;
  for (size_t e = 0; e < edge_count; e++) {
    bool border = true; /* its other side was not seen */
    for (size_t o = 0; o < edge_count && border; o++) border = edges[o][0] != edges[e][1] || edges[o][1] != edges[e][0];
    if (!border) continue;
    if (h->facet_count == FACETS_MAX || !make_facet(h, edges[e][0], edges[e][1], tip, &h->facets[h->facet_count]))
      return false;
    h->facet_count++;
  }
  return true;
}

/* A tetrahedron of points far from each other; false when they all lie in a plane. */
static bool begin(hull *h, size_t count, const thud_vec3 *points) {
  size_t chosen[4] = {0, 0, 0, 0};
  thud_vec3 first = points[0], along = {0, 0, 0}, across = {0, 0, 0};
  for (size_t place = 1; place < 4; place++) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
      thud_vec3 d = thud_vec3_subtract(points[i], first);
      double value = place == 1   ? thud_vec3_norm(d)
                     : place == 2 ? thud_vec3_norm(thud_vec3_cross(along, d))
                                  : fabs(thud_vec3_dot(across, d));
      if (value <= most) continue;
      most = value;
      chosen[place] = i;
    }
    if (!(most > SEES * h->size)) return false;
    thud_vec3 d = thud_vec3_subtract(points[chosen[place]], first);
    if (place == 1) thud_vec3_normalise(d, &along);
    if (place == 2) thud_vec3_normalise(thud_vec3_cross(along, d), &across);
  }
  for (size_t i = 0; i < 4; i++) h->vertices[h->vertex_count++] = points[chosen[i]];
  bool up = thud_vec3_dot(across, thud_vec3_subtract(points[chosen[3]], first)) > 0;
  static const uint8_t corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  for (size_t f = 0; f < 4; f++) {
    const uint8_t *c = corners[f];
    if (!make_facet(h, c[0], up ? c[1] : c[2], up ? c[2] : c[1], &h->facets[h->facet_count++])) return false;
  }
  return true;
}

bool thud_epa(thud_starts *starts, double fine, double size) {
  hull h = {.size = size};
  thud_vec3 points[FIRST_DIRECTIONS];
  for (size_t i = 0; i < FIRST_DIRECTIONS; i++) { /* faces and corners of a cube */
    double side = i % 2 ? -1 : 1;
    thud_vec3 d = i < 6 ? thud_vec3_make(i / 2 == 0 ? side : 0, i / 2 == 1 ? side : 0, i / 2 == 2 ? side : 0)
                        : thud_vec3_make(side, i & 2 ? -1 : 1, i & 4 ? -1 : 1);
    points[i] = thud_starts_offer(starts, thud_vec3_negate(d));
  }
  if (!begin(&h, FIRST_DIRECTIONS, points)) return false;
  for (size_t i = 0; i < FIRST_DIRECTIONS; i++)
    if (!insert(&h, points[i])) return false;
  for (;;) {
    facet *nearest = NULL;
    for (size_t f = 0; f < h.facet_count; f++)
      if (!h.facets[f].done && (!nearest || h.facets[f].distance < nearest->distance)) nearest = &h.facets[f];
    if (!nearest || nearest->distance > -starts->best[0].gap - fine) return true;
    thud_vec3 point = thud_starts_offer(starts, thud_vec3_negate(nearest->normal));
    nearest->done = true;
    if (!insert(&h, point)) return false;
  }
}
