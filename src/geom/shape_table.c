/* The kinds of shapes: one row each. */
#include "geom/shape_class.h"

#include <string.h>

/* Number of the public enumeration, and the class, which its own file defines. */
#define SHAPES(ROW)                                                                                                    \
  ROW(SPHERE, sphere)                                                                                                  \
  ROW(ELLIPSOID, ellipsoid)                                                                                            \
  ROW(CAPSULE, capsule)                                                                                                \
  ROW(BOX, box)                                                                                                        \
  ROW(CYLINDER, cylinder)                                                                                              \
  ROW(CONE, cone)                                                                                                      \
  ROW(PLANE, plane)                                                                                                    \
  ROW(HULL, hull)                                                                                                      \
  ROW(HEIGHT_FIELD, height_field)                                                                                      \
  ROW(MESH, mesh)                                                                                                      \
  ROW(DISC, disc)                                                                                                      \
  ROW(PLANAR_CAPSULE, planar_capsule)                                                                                  \
  ROW(RECTANGLE, rectangle)                                                                                            \
  ROW(POLYGON, polygon)                                                                                                \
  ROW(SEGMENT, segment)                                                                                                \
  ROW(HALF_PLANE, half_plane)

#define DECLARE(NUMBER, name) extern const thud_shape_class thud_shape_##name;
#define ENTRY(NUMBER, name) [THUD_SHAPE_##NUMBER] = &thud_shape_##name,

SHAPES(DECLARE)

static const thud_shape_class *const table[THUD_SHAPE_KINDS] = {SHAPES(ENTRY)};

const thud_shape_class *thud_shape_class_of(thud_shape_kind kind) {
  return (unsigned)kind < THUD_SHAPE_KINDS ? table[kind] : NULL;
}

const char *thud_shape_kind_name(thud_shape_kind kind) {
  const thud_shape_class *class = thud_shape_class_of(kind);
  return class != NULL ? class->name : NULL;
}

bool thud_shape_kind_find(const char *name, thud_shape_kind *kind) {
  THUD_REQUIRE_OR(false, name, kind);
  for (unsigned k = 0; k < THUD_SHAPE_KINDS; k++) {
    if (strcmp(table[k]->name, name) != 0) continue;
    *kind = (thud_shape_kind)k;
    return true;
  }
  return false;
}
