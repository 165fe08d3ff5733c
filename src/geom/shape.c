/* Shapes: one table of their kinds, creation and what is asked of all of them. */
#include "geom/mass.h"
#include "geom/shape_kinds.h"
#include "geom/polyhedron.h"
#include "geom/triangles.h"

#include <string.h>

/* ---- the kinds ---------------------------------------------------------------------------------------------------- */

/* In the order of thud_shape_kind. */
static const thud_shape_class classes[THUD_SHAPE_KINDS] = {
    [THUD_SHAPE_SPHERE] = {"sphere", false, true, true, THUD_NEEDS_RADIUS_OR_ZERO, 0, thud_build_ball,
                           thud_support_ball, thud_mass_sphere, thud_surface_round},
    [THUD_SHAPE_ELLIPSOID] = {"ellipsoid", false, true, true, THUD_NEEDS_HALF_3, 0, thud_build_ellipsoid,
                              thud_support_ellipsoid, thud_mass_ellipsoid, thud_surface_round},
    [THUD_SHAPE_CAPSULE] = {"capsule", false, true, true, THUD_NEEDS_RADIUS | THUD_NEEDS_HALF_LENGTH, 0,
                            thud_build_capsule, thud_support_capsule, thud_mass_capsule, thud_surface_round},
    [THUD_SHAPE_BOX] = {"box", false, true, true, THUD_NEEDS_HALF_3, 0, thud_build_box, thud_support_box, thud_mass_box,
                        thud_surface_polyhedron},
    [THUD_SHAPE_CYLINDER] = {"cylinder", false, true, true, THUD_NEEDS_RADIUS | THUD_NEEDS_HALF_LENGTH, 0,
                             thud_build_cylinder, thud_support_cylinder, thud_mass_cylinder, thud_surface_cylinder},
    [THUD_SHAPE_CONE] = {"cone", false, true, true, THUD_NEEDS_RADIUS | THUD_NEEDS_HALF_LENGTH, 0, thud_build_cone,
                         thud_support_cone, thud_mass_cone, thud_surface_cone},
    [THUD_SHAPE_PLANE] = {"plane", false, false, false, 0, 0, thud_build_unbounded, NULL, NULL, thud_surface_plane},
    [THUD_SHAPE_HULL] = {"hull", false, true, true, THUD_NEEDS_POINTS, 4, thud_build_hull, thud_support_vertices,
                         thud_mass_hull, thud_surface_polyhedron},
    [THUD_SHAPE_HEIGHT_FIELD] = {"height-field", false, false, false, 0, 0, thud_build_height_field, NULL, NULL,
                                 thud_surface_height_field},
    [THUD_SHAPE_MESH] = {"mesh", false, false, false, THUD_NEEDS_POINTS, 3, thud_build_mesh, NULL, NULL,
                         thud_surface_mesh},
    [THUD_SHAPE_DISC] = {"disc", true, true, true, THUD_NEEDS_RADIUS_OR_ZERO, 0, thud_build_ball, thud_support_disc,
                         thud_mass_disc, thud_surface_disc},
    [THUD_SHAPE_PLANAR_CAPSULE] = {"planar-capsule", true, true, true, THUD_NEEDS_RADIUS | THUD_NEEDS_HALF_LENGTH, 0,
                                   thud_build_capsule, thud_support_planar_capsule, thud_mass_planar_capsule,
                                   thud_surface_disc},
    [THUD_SHAPE_RECTANGLE] = {"rectangle", true, true, true, THUD_NEEDS_HALF_2, 0, thud_build_rectangle,
                              thud_support_box, thud_mass_rectangle, thud_surface_outline},
    [THUD_SHAPE_POLYGON] = {"polygon", true, true, true, THUD_NEEDS_POINTS, 3, thud_build_polygon,
                            thud_support_vertices, thud_mass_polygon, thud_surface_outline},
    [THUD_SHAPE_SEGMENT] = {"segment", true, true, false, THUD_NEEDS_POINTS, 2, thud_build_segment,
                            thud_support_vertices, NULL, thud_surface_outline},
    [THUD_SHAPE_HALF_PLANE] = {"half-plane", true, false, false, 0, 0, thud_build_unbounded, NULL, NULL,
                               thud_surface_half_plane},
};

const thud_shape_class *thud_shape_class_of(thud_shape_kind kind) {
  return (unsigned)kind < THUD_SHAPE_KINDS ? &classes[kind] : NULL;
}

const char *thud_shape_kind_name(thud_shape_kind kind) {
  const thud_shape_class *class = thud_shape_class_of(kind);
  return class != NULL ? class->name : NULL;
}

bool thud_shape_kind_find(const char *name, thud_shape_kind *kind) {
  THUD_REQUIRE_OR(false, name, kind);
  for (unsigned k = 0; k < THUD_SHAPE_KINDS; k++) {
    if (strcmp(classes[k].name, name) != 0) continue;
    *kind = (thud_shape_kind)k;
    return true;
  }
  return false;
}

/* ---- checks --------------------------------------------------------------------------------------------------------- */

static thud_error check_length(thud_context *context, const char *kind, const char *what, double value, bool zero) {
  if (value >= THUD_LENGTH_LEAST && value <= THUD_LENGTH_MOST) return THUD_OK;
  if (zero && value == 0) return THUD_OK;
  if (value > 0 && value <= DBL_MAX)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%s: %s is %g; lengths are from %g to %g", kind, what, value,
                     THUD_LENGTH_LEAST, THUD_LENGTH_MOST);
  return thud_fail(context, THUD_ERROR_ARGUMENT, "%s: %s is %g; it must be a finite number %s 0", kind, what, value,
                   zero ? ">=" : ">");
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
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%s: there are %d points; at least %d are needed", class->name,
                     (int)(def->points == NULL ? 0 : def->point_count), (int)class->points_least);
  if (def->point_count > THUD_POINTS_MOST)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "%s: there are %d points; at most %d are possible", class->name,
                     (int)def->point_count, THUD_POINTS_MOST);
  for (size_t i = 0; i < 3 * (size_t)def->point_count; i++) {
    if (fabs(def->points[i]) <= THUD_LENGTH_MOST || (class->planar && i % 3 == 2)) continue;
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "%s: coordinate %c of point %zu (counted from 0) is %g; it must be finite and at most %g in size",
                     class->name, "xyz"[i % 3], i / 3, def->points[i], THUD_LENGTH_MOST);
  }
  return THUD_OK;
}

/* *own = the def that is given, with zeros where the caller's struct is shorter. */
static thud_error take_def(thud_context *context, const thud_shape_def *given, thud_shape_def *own) {
  if (given->size < offsetof(thud_shape_def, radius) || given->size > sizeof *own)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "shape: the size field of the def is %zu; start from thud_shape_def_default()", given->size);
  memset(own, 0, sizeof *own);
  memcpy(own, given, given->size);
  own->size = sizeof *own;
  const thud_shape_class *class = thud_shape_class_of(own->kind);
  if (class == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "shape: there is no kind of shape number %d", (int)own->kind);
  thud_error error = check_lengths(context, class, own);
  return error == THUD_OK ? check_points(context, class, own) : error;
}

/* What the kind does not need is 0 in the shape: nobody reads numbers without a meaning. */
static void forget_unused(const thud_shape_class *class, thud_shape_def *def) {
  if (!(class->needs & (THUD_NEEDS_RADIUS | THUD_NEEDS_RADIUS_OR_ZERO))) def->radius = 0;
  if (!(class->needs & THUD_NEEDS_HALF_LENGTH)) def->half_length = 0;
  int halves = class->needs & THUD_NEEDS_HALF_3 ? 3 : class->needs & THUD_NEEDS_HALF_2 ? 2 : 0;
  for (int k = halves; k < 3; k++) def->half[k] = 0;
  if (!(class->needs & THUD_NEEDS_POINTS)) {
    def->point_count = 0;
    def->points = NULL;
  }
  if (def->kind != THUD_SHAPE_MESH) {
    def->triangle_count = 0;
    def->triangles = NULL;
    def->open = false;
  }
  if (def->kind != THUD_SHAPE_HEIGHT_FIELD) {
    def->columns = def->rows = 0;
    def->spacing[0] = def->spacing[1] = 0;
    def->heights = NULL;
  }
}

/* ---- life ----------------------------------------------------------------------------------------------------------- */

thud_error thud_shape_create(thud_context *context, const thud_shape_def *def, thud_shape **shape) {
  THUD_REQUIRE(context, context, def, shape);
  thud_shape_def own;
  thud_error error = take_def(context, def, &own);
  if (error != THUD_OK) return error;
  const thud_shape_class *class = thud_shape_class_of(own.kind);
  thud_shape *made = THUD_NEW(context, thud_shape);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->def = own;
  forget_unused(class, &made->def);
  made->planar = class->planar;
  made->convex = class->convex;
  made->may_move = class->may_move;
  error = class->build(made);
  if (error != THUD_OK) {
    thud_shape_destroy(made);
    return error;
  }
  *shape = made;
  return THUD_OK;
}

void thud_shape_destroy(thud_shape *shape) {
  if (shape == NULL) return;
  thud_polyhedron_free(shape->context, &shape->polyhedron);
  thud_triangles_free(shape->context, &shape->surface);
  thud_free(shape->context, shape->heights);
  thud_free(shape->context, shape);
}

/* ---- questions ------------------------------------------------------------------------------------------------------ */

thud_shape_kind thud_shape_get_kind(const thud_shape *shape) {
  THUD_REQUIRE_OR(THUD_SHAPE_SPHERE, shape);
  return shape->def.kind;
}

thud_shape_def thud_shape_get_def(const thud_shape *shape) {
  THUD_REQUIRE_OR(thud_shape_def_default(THUD_SHAPE_SPHERE), shape);
  return shape->def;
}

bool thud_shape_is_planar(const thud_shape *shape) {
  THUD_REQUIRE_OR(false, shape);
  return shape->planar;
}

bool thud_shape_may_move(const thud_shape *shape) {
  THUD_REQUIRE_OR(false, shape);
  return shape->may_move;
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
  THUD_REQUIRE_OR(thud_vec3_make(NAN, NAN, NAN), shape, shape->convex);
  return classes[shape->def.kind].support(shape, direction);
}
