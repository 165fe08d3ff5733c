/* The surface that pictures are painted on: cairo (PNG, PDF) or SVG with text as text.
 *
 * Path, pen, colour, dash, font and transformation are set by cairo's own functions on `cairo`, in every format: a
 * canvas of SVG reads them back. What leaves marks, and what limits them, goes through the functions below; cairo's own
 * ones (cairo_stroke, cairo_fill, cairo_clip, cairo_paint, cairo_show_text, cairo_save, cairo_restore) would be missing
 * in SVG, and are not available to those who include this header. */
#ifndef THUD_SRC_PLOT_CANVAS_H
#define THUD_SRC_PLOT_CANVAS_H

#include "base/base.h"

#include <cairo.h>

typedef struct thud_canvas thud_canvas;

typedef struct thud_canvas_class {
  void (*stroke)(thud_canvas *canvas);
  void (*fill)(thud_canvas *canvas, bool keep);
  void (*clip)(thud_canvas *canvas);
  void (*save)(thud_canvas *canvas);
  void (*restore)(thud_canvas *canvas);
  void (*text)(thud_canvas *canvas, const char *text, double along);
  void (*image)(thud_canvas *canvas, cairo_surface_t *image, double left, double top, double dot);
  void (*group)(thud_canvas *canvas, const char *name, size_t number, const char *title); /* name NULL: end of it */
} thud_canvas_class;

struct thud_canvas {
  const thud_canvas_class *class;
  cairo_t *cairo; /* borrowed; errors of cairo stay in its status */
};

thud_canvas thud_canvas_on_cairo(cairo_t *cairo);

/* The current path, which is forgotten afterwards (but for fill_preserve). */
void thud_canvas_stroke(thud_canvas *canvas);
void thud_canvas_fill(thud_canvas *canvas);
void thud_canvas_fill_preserve(thud_canvas *canvas);
/* Until the restore that belongs to the last save. */
void thud_canvas_clip(thud_canvas *canvas);
void thud_canvas_save(thud_canvas *canvas);
void thud_canvas_restore(thud_canvas *canvas);
/* At the current point, which is its beginning (along = 0), its middle (0.5) or its end (1). */
void thud_canvas_text(thud_canvas *canvas, const char *text, double along);
/* Its dots are squares with sides of `dot`. */
void thud_canvas_image(thud_canvas *canvas, cairo_surface_t *image, double left, double top, double dot);
/* Begins a group of marks, called "name-number", with a title for people (NULL or "": none); groups are nested. */
void thud_canvas_group(thud_canvas *canvas, const char *name, size_t number, const char *title);
void thud_canvas_end_group(thud_canvas *canvas);

#ifndef THUD_CANVAS_IMPLEMENTATION
#pragma GCC poison cairo_stroke cairo_stroke_preserve cairo_fill cairo_fill_preserve cairo_clip cairo_paint
#pragma GCC poison cairo_save cairo_restore cairo_show_text
#endif

#endif
