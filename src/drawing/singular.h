/* Fields that grow without bound towards the ends of what carries them, as the pressure under the corners of a punch. */
#ifndef THUD_SRC_DRAWING_SINGULAR_H
#define THUD_SRC_DRAWING_SINGULAR_H

#include "base/base.h"

/* Up to which size a field is drawn whose values at the places x are given, so that its finite part can be seen; INFINITY:
 * all of it, because nothing grows without bound or what does is not large. Finite peaks are below the bound. */
double thud_singular_bound(size_t n, const double *x, const double *values);

#endif
