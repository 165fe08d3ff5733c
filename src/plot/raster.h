/* Images of solids by a depth buffer: spheres and triangles seen from far away (orthographic).
 *
 * Places are (u, v, w): to the right, upwards, towards the eye. There are two layers: what moves, and what stands still;
 * whoever colours the samples decides how one shows through the other. Every dot has several samples, whose colours are
 * averaged. */
#ifndef THUD_SRC_PLOT_RASTER_H
#define THUD_SRC_PLOT_RASTER_H

#include "thud/base.h"
#include "thud/small.h"

#include <cairo.h>
#include <stdint.h>

enum { RASTER_MOVING = 0, RASTER_STILL = 1, RASTER_LAYERS = 2, RASTER_NOTHING = -1 };

/* The sample nearest to the eye. Normals have 10 bits per component. */
typedef struct raster_sample {
  float depth;     /* w */
  uint32_t normal; /* packed */
  int32_t item;    /* RASTER_NOTHING: nothing is there */
} raster_sample;

typedef struct raster {
  thud_context *context;
  int fineness;                          /* samples along a side of a dot */
  size_t width, height;                  /* in samples */
  double left, top;                      /* u and v of the corner */
  double scale;                          /* samples per length */
  raster_sample *samples[RASTER_LAYERS]; /* [height*width] rows from above */
} raster;

/* columns x rows dots that show [left, left + columns/dots_per_length] and so on. Released also after a failure. */
thud_error thud_raster_begin(thud_context *context, size_t columns, size_t rows, int fineness, double left, double top,
                             double dots_per_length, raster *made);
void thud_raster_end(raster *made);
void thud_raster_sphere(raster *made, int layer, int32_t item, thud_vec3 centre, double radius);
/* Normals at the corners; they are turned towards the eye. */
void thud_raster_triangle(raster *made, int layer, int32_t item, const thud_vec3 corners[3],
                          const thud_vec3 normals[3]);

/* The sample beside which (u, v) lies; NULL: outside. Here, as colours ask for it many times per dot. */
static inline const raster_sample *thud_raster_at(const raster *made, int layer, double u, double v) {
  double column = (u - made->left) * made->scale, row = (made->top - v) * made->scale;
  if (!(column >= 0 && column < (double)made->width && row >= 0 && row < (double)made->height)) return NULL;
  return &made->samples[layer][(size_t)row * made->width + (size_t)column];
}
enum { RASTER_NORMAL_STEPS = 511 }; /* of a packed component on either side of 0 */
static inline thud_vec3 thud_raster_normal(uint32_t packed) {
  const double steps = RASTER_NORMAL_STEPS;
  return thud_vec3_make((packed >> 20) / steps - 1, (packed >> 10 & 1023) / steps - 1, (packed & 1023) / steps - 1);
}
/* u and v of the middle of a sample. */
static inline double thud_raster_u(const raster *made, size_t column) {
  return made->left + ((double)column + 0.5) / made->scale;
}
static inline double thud_raster_v(const raster *made, size_t row) {
  return made->top - ((double)row + 0.5) / made->scale;
}

/* Red, green and blue in [0, 1] of the sample at a row and column; called by several threads. */
typedef void (*raster_colour_fn)(void *user, const raster *made, size_t row, size_t column, float rgb[3]);
/* The image, to be destroyed by the caller; its status says when there is no memory. */
cairo_surface_t *thud_raster_image(const raster *made, raster_colour_fn colour, void *user);

#endif
