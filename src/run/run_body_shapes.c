/* Where the shapes of bodies are, and how much room they take. */
#include "base/base.h"
#include "run/run_bodies.h"

#include <math.h>

/* ---- surfaces --------------------------------------------------------------------------------------------------------- */

thud_error thud_body_surfaces_make(thud_context *context, const thud_bodies_view *view, int segments, double extent,
                                   thud_shape_surface **surfaces) {
  size_t count = (size_t)view->shape_count;
  thud_shape_surface *made = THUD_NEW_ARRAY(context, thud_shape_surface, count > 0 ? count : 1);
  if (made == NULL) return THUD_ERROR_MEMORY;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = thud_shape_make_surface(context, view->shapes[k], segments, extent, &made[k]);
  if (error == THUD_OK)
    *surfaces = made;
  else
    thud_body_surfaces_free(context, view, made);
  return error;
}

void thud_body_surfaces_free(thud_context *context, const thud_bodies_view *view, thud_shape_surface *surfaces) {
  for (size_t k = 0; surfaces != NULL && k < (size_t)view->shape_count; k++)
    thud_shape_surface_free(context, &surfaces[k]);
  thud_free(context, surfaces);
}

/* ---- places ----------------------------------------------------------------------------------------------------------- */

bool thud_body_is_endless(const thud_bodies_view *view, thud_index part) {
  thud_shape_kind kind = thud_shape_get_kind(view->part_shape[part]);
  return kind == THUD_SHAPE_PLANE || kind == THUD_SHAPE_HALF_PLANE;
}

thud_pose thud_body_place(const thud_bodies_view *view, thud_index part, const thud_pose *pose, thud_vec3 centre) {
  thud_pose place = thud_pose_compose(pose, &view->part_pose[part]);
  if (!thud_body_is_endless(view, part)) return place;
  thud_vec3 near = thud_pose_point_inverse(&place, centre);
  if (thud_shape_get_kind(view->part_shape[part]) == THUD_SHAPE_PLANE)
    near.z = 0;
  else
    near.y = near.z = 0;
  place.position = thud_pose_point(&place, near);
  return place;
}

/* ---- room ------------------------------------------------------------------------------------------------------------- */

thud_bounds thud_body_bounds_empty(void) {
  return (thud_bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void join(thud_bounds *box, const thud_bounds *other) {
  box->low =
      thud_vec3_make(fmin(box->low.x, other->low.x), fmin(box->low.y, other->low.y), fmin(box->low.z, other->low.z));
  box->high = thud_vec3_make(fmax(box->high.x, other->high.x), fmax(box->high.y, other->high.y),
                             fmax(box->high.z, other->high.z));
}

static bool some_move(const thud_bodies_view *view) {
  for (thud_index k = 0; k < view->count; k++)
    if (view->role[k] == THUD_BODY_DYNAMIC) return true;
  return false;
}

void thud_body_bounds_add(const thud_bodies_view *view, const thud_pose *pose, thud_bounds *box) {
  bool moving_only = some_move(view);
  for (thud_index part = 0; part < view->part_count; part++) {
    thud_index body = view->part_body[part];
    if (thud_body_is_endless(view, part) || (moving_only && view->role[body] != THUD_BODY_DYNAMIC)) continue;
    thud_pose place = thud_pose_compose(&pose[body], &view->part_pose[part]);
    thud_bounds one = thud_shape_bounds(view->part_shape[part], &place, 0);
    join(box, &one);
  }
}
