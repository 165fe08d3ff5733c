/* Which parts are near each other: boxes sorted along the axis on which they are spread most, and swept. */
#include "verify/bodies/verify_bodies.h"

#include <math.h>
#include <stdlib.h>

thud_error thud_verify_near_create(thud_context *context, size_t parts, verify_near *near) {
  *near = (verify_near){.parts = parts};
  near->box = THUD_NEW_ARRAY(context, verify_box, parts);
  near->lows = THUD_NEW_ARRAY(context, verify_low, parts);
  return near->box != NULL && near->lows != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_verify_near_free(thud_context *context, verify_near *near) {
  thud_free(context, near->pair);
  thud_free(context, near->box);
  thud_free(context, near->lows);
}

static double along(thud_vec3 x, int axis) { return axis == 0 ? x.x : axis == 1 ? x.y : x.z; }

/* The axis with the largest variance of the middles of finite boxes. */
static int widest_axis(const verify_near *near) {
  int best = 0;
  double most = -1;
  for (int axis = 0; axis < 3; axis++) {
    double sum = 0, squares = 0, count = 0;
    for (size_t k = 0; k < near->parts; k++) {
      double middle = 0.5 * (along(near->box[k].low, axis) + along(near->box[k].high, axis));
      if (!isfinite(middle)) continue;
      sum += middle;
      squares += middle * middle;
      count++;
    }
    double variance = count > 0 ? squares / count - sum / count * (sum / count) : 0;
    if (variance > most) {
      most = variance;
      best = axis;
    }
  }
  return best;
}

static int by_low(const void *left, const void *right) {
  const verify_low *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  return a->part < b->part ? -1 : a->part > b->part;
}

static bool overlap(const verify_box *a, const verify_box *b) {
  return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
         a->low.z <= b->high.z && b->low.z <= a->high.z;
}

thud_error thud_verify_near_find(thud_context *context, const verify_bodies *bodies, const verify_place *place,
                                 double margin, verify_near *near) {
  thud_vec3 wide = thud_vec3_make(margin, margin, margin);
  thud_error error = THUD_OK;
  near->count = 0;
  for (size_t p = 0; p < near->parts; p++) {
    verify_box box = thud_verify_shape_box(&bodies->shape[bodies->part[p].shape], &place[p]);
    near->box[p] = (verify_box){thud_vec3_subtract(box.low, wide), thud_vec3_add(box.high, wide)};
  }
  int axis = widest_axis(near);
  for (size_t p = 0; p < near->parts; p++) near->lows[p] = (verify_low){along(near->box[p].low, axis), p};
  qsort(near->lows, near->parts, sizeof *near->lows, by_low);
  for (size_t i = 0; i < near->parts && error == THUD_OK; i++) {
    size_t p = near->lows[i].part;
    double end = along(near->box[p].high, axis);
    for (size_t j = i + 1; j < near->parts && near->lows[j].low <= end && error == THUD_OK; j++) {
      size_t q = near->lows[j].part;
      if (!overlap(&near->box[p], &near->box[q])) continue;
      if (!thud_verify_bodies_meet(bodies, bodies->part[p].body, bodies->part[q].body)) continue;
      error = thud_array_reserve(context, &near->pair, &near->capacity, near->count + 1, sizeof *near->pair);
      if (error != THUD_OK) break;
      near->pair[near->count][0] = p < q ? p : q;
      near->pair[near->count++][1] = p < q ? q : p;
    }
  }
  return error;
}

/* ---- distances of parts ------------------------------------------------------------------------------------------- */

static bool reaches(const verify_box *box, const verify_shape *surface, size_t k, const verify_place *place) {
  thud_vec3 corners[3];
  verify_shape triangle = thud_verify_triangle(surface, k, corners);
  verify_box here = thud_verify_shape_box(&triangle, place);
  return overlap(box, &here);
}

/* A surface bounds what is behind it: as long as a shape's depth along the outward normal of a triangle is less than it is
 * thick, it is the depth that counts there; from behind, triangles say nothing. The least way out of a single triangle may lead
 * over its edge into the next one: it is no more than the depth. A contact with the face of a triangle that the shape meets, or
 * with its plane in a valley, is as deep as the shape's lowest point over that plane at most. */
static verify_gap triangle_gap(const verify_shape *surface, size_t k, const verify_place *at_surface,
                               const verify_shape *convex, const verify_place *at_convex) {
  thud_vec3 corners[3];
  verify_shape triangle = thud_verify_triangle(surface, k, corners);
  verify_gap gap = thud_verify_distance_of(convex, at_convex, &triangle, at_surface, false);
  thud_vec3 area =
      thud_vec3_cross(thud_vec3_subtract(corners[1], corners[0]), thud_vec3_subtract(corners[2], corners[0]));
  thud_vec3 n = {0, 0, 1};
  thud_vec3_normalise(thud_mat3_apply(at_surface->R, area), &n);
  double level = thud_vec3_dot(n, thud_vec3_add(at_surface->x0, thud_mat3_apply(at_surface->R, corners[0])));
  double depth = -thud_verify_reach(convex, at_convex, thud_vec3_negate(n)) - level;
  gap.deepest =
      gap.distance <= VERIFY_BEYOND_CREASE * thud_verify_shape_size(convex) ? fmin(gap.distance, depth) : gap.distance;
  if (gap.distance >= 0) return gap;
  /* the sides of a triangle have no inside: only what is pushed out through its face is an overlap with it */
  gap.distance = fmax(gap.distance, depth);
  gap.normal = n;
  return gap;
}

static verify_gap surface_gap(const verify_shape *surface, const verify_place *at_surface, const verify_shape *convex,
                              const verify_place *at_convex, double within) {
  verify_gap least = {.distance = INFINITY, .normal = {0, 0, 1}, .deepest = INFINITY};
  verify_box box = thud_verify_shape_box(convex, at_convex);
  within = fmax(within, VERIFY_BEYOND_CREASE * thud_verify_shape_size(convex));
  thud_vec3 wide = thud_vec3_make(within, within, within);
  box = (verify_box){thud_vec3_subtract(box.low, wide), thud_vec3_add(box.high, wide)};
  for (size_t k = 0; k < surface->triangle_count; k++) {
    if (!reaches(&box, surface, k, at_surface)) continue;
    verify_gap gap = triangle_gap(surface, k, at_surface, convex, at_convex);
    double deepest = fmin(least.deepest, gap.deepest);
    if (gap.distance < least.distance) least = gap;
    least.deepest = deepest;
  }
  return least;
}

verify_gap thud_verify_gap_between(const verify_bodies *bodies, size_t p, const verify_place *at_p, size_t q,
                                   const verify_place *at_q, double within) {
  const verify_shape *a = &bodies->shape[bodies->part[p].shape], *b = &bodies->shape[bodies->part[q].shape];
  if (thud_verify_shape_is_surface(b)) return surface_gap(b, at_q, a, at_p, within);
  if (thud_verify_shape_is_surface(a)) {
    verify_gap turned = surface_gap(a, at_p, b, at_q, within);
    turned.normal = thud_vec3_negate(turned.normal);
    return turned;
  }
  verify_gap gap = thud_verify_distance_of(a, at_p, b, at_q, bodies->planar);
  gap.deepest = gap.distance;
  return gap;
}

verify_gap thud_verify_part_gap(const verify_bodies *bodies, size_t p, size_t q, const verify_place *place,
                                double within) {
  return thud_verify_gap_between(bodies, p, &place[p], q, &place[q], within);
}
