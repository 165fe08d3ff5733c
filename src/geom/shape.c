/* Shapes: creation, and what is asked of all of them. */
#include "geom/polyhedron.h"
#include "geom/shape_class.h"
#include "geom/triangles.h"

#include <string.h>

/* ---- checks --------------------------------------------------------------------------------------------------------- */

static thud_error check_length(thud_context *context, const char *kind, const char *what, double value, bool zero) {
  if (value >= THUD_LENGTH_LEAST && value <= THUD_LENGTH_MOST) return THUD_OK;
  if (zero && value == 0) return THUD_OK;
  if (value > 0 && value <= DBL_MAX)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-shape] %s: %s is %g; lengths are from %g to %g", kind, what,
                     value, THUD_LENGTH_LEAST, THUD_LENGTH_MOST);
  return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-shape] %s: %s is %g; it must be a finite number %s 0", kind,
                   what, value, zero ? ">=" : ">");
}

static thud_error check_lengths(thud_context *context, const thud_shape_class *class, const thud_shape_def *def) {
  static const char *const half_names[3] = {"half the extent along x", "half the extent along y",
                                            "half the extent along z"};
  thud_error error = THUD_OK;
  if (class->needs & (THUD_NEEDS_RADIUS | THUD_NEEDS_RADIUS_OR_ZERO))
    error =
        check_length(context, class->name, "the radius", def->radius, (class->needs & THUD_NEEDS_RADIUS_OR_ZERO) != 0);
  if (error == THUD_OK && class->needs & THUD_NEEDS_HALF_LENGTH)
    error = check_length(context, class->name, "half the length", def->half_length, false);
  int halves = class->needs & THUD_NEEDS_HALF_3 ? 3 : class->needs & THUD_NEEDS_HALF_2 ? 2 : 0;
  for (int k = 0; k < halves && error == THUD_OK; k++)
    error = check_length(context, class->name, half_names[k], def->half[k], false);
  return error;
}

static thud_error check_points(thud_context *context, const thud_shape_class *class, const thud_shape_def *def) {
  if (!(class->needs & THUD_NEEDS_POINTS)) return THUD_OK;
  if (def->point_count < class->points_least || def->points == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-shape] %s: there are %d points; at least %d are needed",
                     class->name, (int)(def->points == NULL ? 0 : def->point_count), (int)class->points_least);
  if (def->point_count > THUD_POINTS_MOST)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "[bad-shape] %s: there are %d points; at most %d are possible",
                     class->name, (int)def->point_count, THUD_POINTS_MOST);
  for (size_t i = 0; i < 3 * (size_t)def->point_count; i++) {
    if (fabs(def->points[i]) <= THUD_LENGTH_MOST || (class->planar && i % 3 == 2)) continue;
    return thud_fail(
        context, THUD_ERROR_ARGUMENT,
        "[bad-shape] %s: coordinate %c of point %zu (counted from 0) is %g; it must be finite and at most %g in size",
        class->name, "xyz"[i % 3], i / 3, def->points[i], THUD_LENGTH_MOST);
  }
  return THUD_OK;
}

/* *own = the def that is given, with zeros where the caller's struct is shorter. */
static thud_error take_def(thud_context *context, const thud_shape_def *given, thud_shape_def *own) {
  if (given->size < offsetof(thud_shape_def, radius) || given->size > sizeof *own)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-shape] shape: the size field of the def is %zu; start from thud_shape_def_default()",
                     given->size);
  memset(own, 0, sizeof *own);
  memcpy(own, given, given->size);
  own->size = sizeof *own;
  return THUD_OK;
}

/* Clears fields that the kind does not use, so that nothing reads numbers without a meaning. */
static void forget_unused(const thud_shape_class *class, thud_shape_def *def) {
  if (!(class->needs & (THUD_NEEDS_RADIUS | THUD_NEEDS_RADIUS_OR_ZERO))) def->radius = 0;
  if (!(class->needs & THUD_NEEDS_HALF_LENGTH)) def->half_length = 0;
  int halves = class->needs & THUD_NEEDS_HALF_3 ? 3 : class->needs & THUD_NEEDS_HALF_2 ? 2 : 0;
  for (int k = halves; k < 3; k++) def->half[k] = 0;
  if (!(class->needs & THUD_NEEDS_POINTS)) {
    def->point_count = 0;
    def->points = NULL;
  }
  if (!(class->needs & THUD_NEEDS_TRIANGLES)) {
    def->triangle_count = 0;
    def->triangles = NULL;
    def->open = false;
  }
  if (!(class->needs & THUD_NEEDS_HEIGHTS)) {
    def->columns = def->rows = 0;
    def->spacing[0] = def->spacing[1] = 0;
    def->heights = NULL;
  }
}

/* ---- life ----------------------------------------------------------------------------------------------------------- */

/* own is complete. */
static thud_error create(thud_context *context, const thud_shape_class *class, const thud_shape_def *own,
                         thud_shape **shape) {
  thud_error error = check_lengths(context, class, own);
  if (error == THUD_OK) error = check_points(context, class, own);
  if (error != THUD_OK) return error;
  thud_shape *made = THUD_NEW(context, thud_shape);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->class = class;
  made->def = *own;
  forget_unused(class, &made->def);
  error = class->build(made);
  if (error != THUD_OK) {
    thud_shape_destroy(made);
    return error;
  }
  *shape = made;
  return THUD_OK;
}

thud_error thud_shape_create_of(thud_context *context, const thud_shape_class *class, const thud_shape_def *def,
                                thud_shape **shape) {
  thud_shape_def own;
  thud_error error = take_def(context, def, &own);
  return error == THUD_OK ? create(context, class, &own, shape) : error;
}

thud_error thud_shape_create(thud_context *context, const thud_shape_def *def, thud_shape **shape) {
  THUD_REQUIRE(context, context, def, shape);
  thud_shape_def own;
  thud_error error = take_def(context, def, &own);
  if (error != THUD_OK) return error;
  const thud_shape_class *class = thud_shape_class_of(own.kind);
  if (class == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-shape] shape: there is no kind of shape number %d",
                     (int)own.kind);
  return create(context, class, &own, shape);
}

void thud_shape_destroy(thud_shape *shape) {
  if (shape == NULL) return;
  thud_polyhedron_free(shape->context, &shape->polyhedron);
  thud_triangles_free(shape->context, &shape->surface);
  thud_free(shape->context, shape->heights);
  thud_free(shape->context, shape);
}

/* ---- questions ------------------------------------------------------------------------------------------------------ */

const thud_shape_class *thud_shape_get_class(const thud_shape *shape) { return shape->class; }

thud_shape_kind thud_shape_get_kind(const thud_shape *shape) {
  THUD_REQUIRE_OR((thud_shape_kind)0, shape);
  return shape->def.kind;
}

thud_shape_def thud_shape_get_def(const thud_shape *shape) {
  THUD_REQUIRE_OR(thud_shape_def_default((thud_shape_kind)0), shape);
  return shape->def;
}

bool thud_shape_is_planar(const thud_shape *shape) {
  THUD_REQUIRE_OR(false, shape);
  return shape->class->planar;
}

bool thud_shape_may_move(const thud_shape *shape) {
  THUD_REQUIRE_OR(false, shape);
  return shape->class->may_move;
}

double thud_shape_radius(const thud_shape *shape) {
  THUD_REQUIRE_OR(NAN, shape);
  return shape->reach;
}

double thud_shape_thickness(const thud_shape *shape) {
  THUD_REQUIRE_OR(NAN, shape);
  return shape->thickness;
}

thud_vec3 thud_shape_support(const thud_shape *shape, thud_vec3 direction) {
  THUD_REQUIRE_OR(thud_vec3_make(NAN, NAN, NAN), shape, shape->class->convex);
  return shape->class->support(shape, direction);
}

/* ---- boxes around placed shapes -------------------------------------------------------------------------------------- */

/* The largest direction . x of the shape. */
static double extent_along(const thud_shape *shape, thud_vec3 direction) {
  const thud_shape_class *class = shape->class;
  if (class->extent != NULL) return class->extent(shape, direction);
  return thud_vec3_dot(direction, class->support(shape, direction));
}

static thud_bounds bounds_by_extents(const thud_shape *shape, const thud_pose *pose, double margin) {
  thud_mat3 rows = thud_mat3_transpose(thud_quat_to_matrix(pose->rotation));
  const thud_vec3 axes[3] = {rows.cx, rows.cy, rows.cz}; /* axes of the world in the shape's frame */
  double low[3], high[3];
  for (int k = 0; k < 3; k++) {
    high[k] = margin + extent_along(shape, axes[k]);
    low[k] = -margin - extent_along(shape, thud_vec3_negate(axes[k]));
  }
  return (thud_bounds){thud_vec3_add(pose->position, thud_vec3_load(low)),
                       thud_vec3_add(pose->position, thud_vec3_load(high))};
}

static thud_bounds ball_bounds(thud_vec3 centre, double radius) {
  thud_vec3 r = {radius, radius, radius};
  return (thud_bounds){thud_vec3_subtract(centre, r), thud_vec3_add(centre, r)};
}

thud_bounds thud_shape_bounds(const thud_shape *shape, const thud_pose *pose, double margin) {
  thud_vec3 nan = {NAN, NAN, NAN};
  THUD_REQUIRE_OR(((thud_bounds){nan, nan}), shape, pose);
  if (shape->class->pairs == THUD_PAIRS_BALL) return ball_bounds(pose->position, shape->def.radius + margin);
  if (shape->reach == INFINITY) return ball_bounds(pose->position, INFINITY);
  return bounds_by_extents(shape, pose, margin);
}
