/* Masses of shapes of density 1, about their own centres. One function per family of kinds (rows of shape.c). */
#ifndef THUD_SRC_GEOM_MASS_H
#define THUD_SRC_GEOM_MASS_H

#include "geom/shape.h"

thud_mass_properties thud_mass_ellipsoid(const thud_shape *shape);
thud_mass_properties thud_mass_sphere(const thud_shape *shape);
thud_mass_properties thud_mass_capsule(const thud_shape *shape);
thud_mass_properties thud_mass_box(const thud_shape *shape);
thud_mass_properties thud_mass_cylinder(const thud_shape *shape);
thud_mass_properties thud_mass_cone(const thud_shape *shape);
thud_mass_properties thud_mass_hull(const thud_shape *shape);
thud_mass_properties thud_mass_disc(const thud_shape *shape);
thud_mass_properties thud_mass_planar_capsule(const thud_shape *shape);
thud_mass_properties thud_mass_rectangle(const thud_shape *shape);
thud_mass_properties thud_mass_polygon(const thud_shape *shape);

#endif
