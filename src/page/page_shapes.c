/* Shapes of bodies, and where they sit. */
#include "page/page_bodies.h"

#include "geom/shape_class.h"

#include <math.h>

enum { SEGMENTS = 32, POSE = 7 };

static void write_half(thud_json *json, const double half[3]) {
  if (!(half[0] > 0)) return;
  thud_json_key(json, "half");
  thud_json_begin_flat_array(json);
  for (int i = 0; i < 3; i++) thud_json_number(json, half[i]);
  thud_json_end_array(json);
}

/* Points and triangles; in the plane x, y of the corners in order. */
static void write_surface(page_bodies *bodies, const thud_shape_surface *surface) {
  page_build *page = bodies->record->page;
  if (bodies->dimension == 3) {
    thud_page_floats(page, "points", 3 * surface->point_count, surface->points);
    thud_page_indices(page, "triangles", 3 * surface->triangle_count, surface->triangles);
    return;
  }
  for (size_t k = 0; k < surface->point_count; k++) /* the surface is the page's own */
    for (size_t i = 0; i < 2; i++) surface->points[2 * k + i] = surface->points[3 * k + i];
  thud_page_floats(page, "points", 2 * surface->point_count, surface->points);
}

static void write_flag(thud_json *json, const char *key, bool value) {
  thud_json_key(json, key);
  thud_json_bool(json, value);
}

/* Balls and discs are drawn from their radius; all others have a surface, in the plane an outline. */
static void write_shape(page_bodies *bodies, const thud_shape *shape, const thud_shape_surface *surface) {
  page_build *page = bodies->record->page;
  thud_json *json = &page->json;
  const thud_shape_def def = thud_shape_get_def(shape);
  const thud_shape_class *class = thud_shape_get_class(shape);
  thud_json_begin_object(json);
  thud_json_string_field(json, "kind", thud_shape_kind_name(def.kind));
  if (def.radius > 0 || class->ball) thud_json_number_field(json, "radius", def.radius);
  if (def.half_length > 0) thud_json_number_field(json, "half_length", def.half_length);
  write_half(json, def.half);
  if (!class->ball) write_surface(bodies, surface);
  write_flag(json, "endless", thud_shape_radius(shape) == INFINITY);
  write_flag(json, "faceted", class->faceted);
  write_flag(json, "open", class->triangles != NULL || surface->point_count == 2);
  thud_json_end_object(json);
}

static void put_pose(const thud_pose *pose, double *x) {
  const double numbers[POSE] = {pose->position.x, pose->position.y, pose->position.z, pose->rotation.w,
                                pose->rotation.x, pose->rotation.y, pose->rotation.z};
  for (int i = 0; i < POSE; i++) x[i] = numbers[i];
}

/* The inverse of the outer pose, then the inner one. */
static thud_pose relative_to(const thud_pose *outer, const thud_pose *inner) {
  return (thud_pose){thud_pose_point_inverse(outer, inner->position),
                     thud_quat_multiply(thud_quat_conjugate(outer->rotation), inner->rotation)};
}

/* Endless parts are shifted within themselves to where they are seen: below the middle of the room. */
static void write_part_poses(page_bodies *bodies, thud_vec3 centre) {
  page_build *page = bodies->record->page;
  const thud_bodies_view *view = &bodies->rows.view;
  double *poses = thud_alloc(page->context, (size_t)view->part_count, POSE * sizeof(double));
  if (poses == NULL) {
    thud_page_take(page, THUD_ERROR_MEMORY);
    return;
  }
  for (thud_index part = 0; part < view->part_count; part++) {
    thud_pose pose = view->part_pose[part];
    const thud_pose *body = &bodies->first[view->part_body[part]];
    if (thud_body_is_endless(view, part)) {
      thud_pose placed = thud_body_place(view, part, body, centre);
      pose = relative_to(body, &placed);
    }
    put_pose(&pose, poses + (size_t)part * POSE);
  }
  thud_page_floats(page, "part_pose", (size_t)view->part_count * POSE, poses);
  thud_free(page->context, poses);
}

static double extent_of(const thud_bounds *room) {
  double extent = thud_vec3_norm(thud_vec3_subtract(room->high, room->low));
  return isfinite(extent) && extent > 0 ? extent : 1;
}

static thud_vec3 middle_of(const thud_bounds *room) {
  thud_vec3 middle = thud_vec3_scale(0.5, thud_vec3_add(room->low, room->high));
  return isfinite(middle.x + middle.y + middle.z) ? middle : thud_vec3_make(0, 0, 0);
}

void thud_page_write_shapes(page_bodies *bodies) {
  page_build *page = bodies->record->page;
  const thud_bodies_view *view = &bodies->rows.view;
  thud_shape_surface *surfaces = NULL;
  if (!thud_page_take(page,
                      thud_body_surfaces_make(page->context, view, SEGMENTS, extent_of(&bodies->room), &surfaces)))
    return;
  thud_json_key(&page->json, "shapes");
  thud_json_begin_array(&page->json);
  for (thud_index k = 0; k < view->shape_count; k++) write_shape(bodies, view->shapes[k], &surfaces[k]);
  thud_json_end_array(&page->json);
  thud_body_surfaces_free(page->context, view, surfaces);
  thud_page_indices(page, "part_body", (size_t)view->part_count, view->part_body);
  thud_page_indices(page, "part_shape", (size_t)view->part_count, view->part_shape_number);
  write_part_poses(bodies, middle_of(&bodies->room));
}
