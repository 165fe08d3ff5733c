/* Masses of shapes of density 1, about their own centres. */
#ifndef THUD_SRC_GEOM_MASS_H
#define THUD_SRC_GEOM_MASS_H

#include "geom/shape_class.h"

#define THUD_PI 3.14159265358979323846

/* Moments about the axes; the centre is the frame's origin. */
static inline thud_mass_properties thud_mass_diagonal(double mass, double x, double y, double z) {
  return (thud_mass_properties){mass, {0, 0, 0}, thud_mat3_diagonal(x, y, z)};
}

#endif
