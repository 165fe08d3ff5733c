/* Dots of images that cairo has painted. */
#ifndef THUD_TEST_IMAGE_DOTS_H
#define THUD_TEST_IMAGE_DOTS_H

#include <cairo.h>

/* Red, green and blue of a dot, 0 to 255. */
static inline void thud_test_dot(cairo_surface_t *image, int x, int y, int rgb[3]) {
  const unsigned char *data = cairo_image_surface_get_data(image);
  const unsigned char *bytes = data + y * cairo_image_surface_get_stride(image) + 4 * x;
  for (int c = 0; c < 3; c++) rgb[c] = bytes[2 - c];
}

#endif
